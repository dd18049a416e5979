"""Rules as data: the presets against the table of rules, the layers of files and settings, and what mistakes get."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginsim import rules as rules_module
from ginsim.errors import UsageError
from ginsim.rules import FIELDS, RULES_DTYPE, Rules, description, differences, load, preset_names

PRESETS = ("gin", "hollywood", "hollywood-20", "three-handed", "oklahoma", "straight", "eaai")

# The table of RULES.md, typed off column by column: gin, hollywood, hollywood-20, three-handed, oklahoma, straight, eaai.
# None where a format or a rule set does not have the field; a big gin bonus of None is not in use.
TABLE = {
    "format": ("game", "hollywood", "hollywood", "three_handed", "game", "game", "game"),
    "target": (100, 100, 100, 100, 150, 100, 100),
    "knock_limit": (10, 10, 10, 10, 10, 0, 10),
    "upcard_sets_limit": (False, False, False, False, True, False, False),
    "ace_upcard": (None, None, None, None, "gin", None, None),
    "spade_doubles": (False, False, False, False, True, False, False),
    "gin_bonus": (25, 25, 20, 25, 25, 25, 25),
    "undercut_bonus": (10, 10, 10, 10, 10, 10, 25),
    "undercut_on_tie": (True,) * 7,
    "big_gin_bonus": (None,) * 7,
    "discard_taken_card": (False,) * 7,
    "stock_floor": (2,) * 7,
    "last_discard": ("dead",) * 7,
    "next_dealer": ("winner", "winner", "winner", "box", "winner", "winner", "alternate"),
    "games": (None, 3, 3, None, None, None, None),
    "series_end": (None, "all", "all", None, None, None, None),
    "shut_out": (None, "literal", "literal", None, None, None, None),
    "box_bonus": (0,) * 7,
    "game_bonus": (0,) * 7,
    "blitz_bonus": (0,) * 7,
    "max_draws": (400,) * 7,
    "max_hands": (10000,) * 7,
}

BOUNDS = {
    "target": (1, 100000),
    "knock_limit": (0, 10),
    "gin_bonus": (0, 1000),
    "undercut_bonus": (0, 1000),
    "big_gin_bonus": (0, 1000),
    "stock_floor": (0, 10),
    "games": (1, 9),
    "box_bonus": (0, 1000),
    "game_bonus": (0, 1000),
    "blitz_bonus": (0, 1000),
}


def written(folder: Path, text: str, name: str = "house.toml") -> str:
    """The path of a rule file with this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def refused(name_or_path: str, *settings: str) -> str:
    """The message with which these rules are refused; always one line."""
    with pytest.raises(UsageError) as caught:
        load(name_or_path, settings)
    message = str(caught.value)
    assert caught.value.exit_code == 2
    assert message.isprintable() and message.endswith((".", "?"))
    return message


# Presets


def test_the_presets_are_those_of_the_rules():
    assert sorted(preset_names()) == sorted(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_the_values_of_the_table_R31_to_R34(name: str):
    column = PRESETS.index(name)
    rules = load(name)
    assert {field: getattr(rules, field) for field in FIELDS} == {field: row[column] for field, row in TABLE.items()}
    assert {field: type(getattr(rules, field)) for field in FIELDS} == {f: type(row[column]) for f, row in TABLE.items()}
    assert rules.name == name
    assert description(name)


def test_the_fields_stand_in_the_order_of_the_table():
    assert list(FIELDS) == list(TABLE)


def test_every_field_says_what_it_means_in_a_sentence_with_its_rule():
    for about in FIELDS.values():
        assert about.meaning.endswith(".")
        assert all(rule[0] == "R" and 1 <= int(rule[1:]) <= 34 for rule in about.rule.split(", "))


@pytest.mark.parametrize(("name", "seats"), [("gin", 2), ("hollywood", 2), ("three-handed", 3), ("oklahoma", 2)])
def test_three_sit_at_a_three_handed_table_and_two_at_others_R27(name: str, seats: int):
    assert load(name).seats == seats


# Equality, dictionaries, the packed form


def test_rules_are_equal_if_they_play_alike_whatever_their_names():
    rules = load("hollywood", ["gin_bonus=20"])
    assert rules == load("hollywood-20")
    assert hash(rules) == hash(load("hollywood-20"))
    assert rules.name != load("hollywood-20").name
    assert rules != load("hollywood")


def test_a_big_gin_bonus_of_nothing_is_not_the_same_as_no_big_gin_R11():
    without, with_nothing = load("gin"), load("gin", ["big_gin_bonus=0"])
    assert without != with_nothing
    assert differences(without, with_nothing) == {"big_gin_bonus": (False, 0)}
    assert with_nothing.name == "gin (big_gin_bonus 0)"


def test_rules_cannot_be_changed_and_a_changed_copy_is_checked():
    rules = load("gin")
    with pytest.raises(FrozenInstanceError):
        rules.gin_bonus = 20  # type: ignore[misc]
    assert replace(rules, gin_bonus=20).gin_bonus == 20
    with pytest.raises(UsageError, match="gin_bonus = -5: must be 0 or more"):
        replace(rules, gin_bonus=-5)
    with pytest.raises(UsageError, match="games is missing"):
        replace(rules, format="hollywood")


@pytest.mark.parametrize("name", PRESETS)
def test_rules_survive_json(name: str):
    rules = load(name)
    again = Rules.from_dict(json.loads(json.dumps(rules.as_dict())), name="again")
    assert again == rules
    assert again.name == "again"


def test_the_dictionary_holds_just_the_fields_that_the_rules_have():
    assert "games" not in load("gin").as_dict()
    assert "ace_upcard" not in load("gin").as_dict()
    assert load("gin").as_dict()["big_gin_bonus"] is False
    assert list(load("hollywood").as_dict()) == [field for field in TABLE if field != "ace_upcard"]


def test_a_dictionary_with_a_field_too_few_or_too_many_is_refused():
    values = load("gin").as_dict()
    with pytest.raises(UsageError, match="gin_bonus is missing"):
        Rules.from_dict({field: value for field, value in values.items() if field != "gin_bonus"})
    with pytest.raises(UsageError, match="games = 3: only rules with format"):
        Rules.from_dict({**values, "games": 3})


@pytest.mark.parametrize(
    ("name", "settings", "numbers"),
    [
        ("gin", [], (0, 100, 10, 0, 0, 0, 25, 10, 1, -1, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 400, 10000)),
        ("hollywood", [], (1, 100, 10, 0, 0, 0, 25, 10, 1, -1, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 400, 10000)),
        ("three-handed", [], (2, 100, 10, 0, 0, 0, 25, 10, 1, -1, 0, 2, 0, 3, 1, 0, 0, 0, 0, 0, 400, 10000)),
        ("oklahoma", ["ace_upcard=one"], (0, 150, 10, 1, 1, 1, 25, 10, 1, -1, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 400, 10000)),
        (
            "hollywood",
            ["big_gin_bonus=31", "last_discard=knock", "next_dealer=loser", "series_end=decided", "shut_out=next_game"],
            (1, 100, 10, 0, 0, 0, 25, 10, 1, 31, 0, 2, 1, 1, 3, 1, 1, 0, 0, 0, 400, 10000),
        ),
        (
            "eaai",
            ["discard_taken_card=true", "undercut_on_tie=false", "box_bonus=1", "game_bonus=2", "blitz_bonus=3"],
            (0, 100, 10, 0, 0, 0, 25, 25, 0, -1, 1, 2, 0, 2, 1, 0, 0, 1, 2, 3, 400, 10000),
        ),
    ],
)
def test_the_packed_form_is_the_fields_as_whole_numbers(name: str, settings: list[str], numbers: tuple[int, ...]):
    packed = load(name, settings).packed()
    assert packed.dtype == RULES_DTYPE
    assert tuple(packed) == numbers
    assert packed.gin_bonus == packed["gin_bonus"] == numbers[6]


def test_the_packed_form_is_an_aligned_structure_of_int32():
    assert RULES_DTYPE.isalignedstruct
    assert RULES_DTYPE.names == tuple(TABLE)
    assert {RULES_DTYPE[field] for field in RULES_DTYPE.names} == {np.dtype(np.int32)}
    assert not hasattr(rules_module, "NO_SUCH_NAME")


# Files and what they start from


def test_a_file_without_a_base_starts_from_gin(tmp_path: Path):
    rules = load(written(tmp_path, "gin_bonus = 20"))
    assert rules == load("gin", ["gin_bonus=20"])
    assert rules.name == "house"


def test_a_file_may_start_from_a_preset_and_describe_itself(tmp_path: Path):
    path = written(tmp_path, 'base = "hollywood"\ndescription = "As we play"\ngames = 5\n')
    assert load(path) == load("hollywood", ["games=5"])
    assert description(path) == "As we play"


def test_a_file_may_start_from_another_file_seen_from_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "club").mkdir()
    written(tmp_path / "club", 'base = "eaai"\ngin_bonus = 30', "common.toml")
    written(tmp_path / "club", 'base = "common.toml"\nknock_limit = 7', "tuesday.toml")
    monkeypatch.chdir(tmp_path)
    assert load("club/tuesday.toml") == load("eaai", ["gin_bonus=30", "knock_limit=7"])


def test_a_file_from_a_windows_editor_is_read(tmp_path: Path):
    path = tmp_path / "house.toml"
    path.write_bytes(b"\xef\xbb\xbfgin_bonus = 20\r\nknock_limit = 5\r\n")
    assert load(str(path)) == load("gin", ["gin_bonus=20", "knock_limit=5"])


def test_a_preset_copied_to_another_place_is_the_same_rules(tmp_path: Path):
    for name in PRESETS:
        source = Path(rules_module.__file__).parent / "presets" / f"{name}.toml"
        assert load(written(tmp_path, source.read_text(encoding="utf-8"), f"{name}.toml")) == load(name)
        assert load(str(source)) == load(name)


def test_a_name_wins_over_a_file_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    written(tmp_path, "gin_bonus = 20", "gin")
    monkeypatch.chdir(tmp_path)
    assert load("gin").gin_bonus == 25
    assert load("./gin").gin_bonus == 20


# Layers: what a change of format does to the other fields


def test_a_new_format_drops_inherited_fields_that_it_does_not_have_R22(tmp_path: Path):
    assert load(written(tmp_path, 'base = "hollywood"\nformat = "game"')) == load("gin")
    assert load("hollywood", ["format=three_handed"]) == load("three-handed")


def test_a_new_format_brings_its_own_fields_R24_R25_R28():
    rules = load("gin", ["format=hollywood"])
    assert (rules.games, rules.series_end, rules.shut_out) == (3, "all", "literal")
    assert load("gin", ["format=three_handed"]).next_dealer == "box"
    assert load("three-handed", ["format=game"]).next_dealer == "winner"
    assert load("eaai", ["format=hollywood"]).next_dealer == "alternate"


def test_settings_are_one_layer_in_any_order():
    assert load("gin", ["games=5", "format=hollywood"]) == load("hollywood", ["games=5"])
    assert load("gin", ["ace_upcard=one", "upcard_sets_limit=true"]).ace_upcard == "one"


def test_the_ace_belongs_to_rules_where_the_upcard_sets_the_limit_R32():
    assert load("gin", ["upcard_sets_limit=true"]).ace_upcard == "gin"
    assert load("oklahoma", ["upcard_sets_limit=false"]).ace_upcard is None
    assert "only rules with upcard_sets_limit = true" in refused("gin", "ace_upcard=one")
    assert "only rules with upcard_sets_limit = true" in refused("oklahoma", "upcard_sets_limit=false", "ace_upcard=one")


@pytest.mark.parametrize("setting", ["games=3", "series_end=all", "shut_out=literal"])
@pytest.mark.parametrize("name", ["gin", "three-handed"])
def test_fields_of_a_series_are_refused_elsewhere(name: str, setting: str):
    field, value = setting.split("=")
    assert refused(name, setting) == f'{field} = {value}: only rules with format = "hollywood" have it.'


def test_what_a_layer_itself_rules_out_is_refused(tmp_path: Path):
    path = written(tmp_path, 'base = "hollywood"\nformat = "game"\ngames = 3')
    assert refused(path) == f'{path}: games = 3: only rules with format = "hollywood" have it.'


def test_the_box_deals_in_three_handed_rules_and_nowhere_else_R28():
    assert refused("gin", "next_dealer=box") == (
        'next_dealer = box: must be winner, loser or alternate where format = "game".'
    )
    assert refused("three-handed", "next_dealer=winner") == (
        'next_dealer = winner: must be box where format = "three_handed".'
    )
    assert load("three-handed", ["next_dealer=box"]) == load("three-handed")


# Names


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ([], "hollywood"),
        (["gin_bonus=20"], "hollywood (gin_bonus 20)"),
        (["undercut_bonus=25", "gin_bonus=2_0"], "hollywood (gin_bonus 20, undercut_bonus 25)"),
        (["spade_doubles=true", "next_dealer=loser"], "hollywood (spade_doubles true, next_dealer loser)"),
        (["gin_bonus=25"], "hollywood"),
        (["gin_bonus=10", "gin_bonus=20"], "hollywood (gin_bonus 20)"),
    ],
)
def test_the_name_says_what_the_settings_changed(settings: list[str], name: str):
    assert load("hollywood", settings).name == name


# Mistakes


def test_an_unknown_name_is_refused_with_the_nearest_one():
    assert refused("holywood") == (
        "no rules named 'holywood'. Did you mean 'hollywood'? `ginsim rules` lists them; a file works too."
    )
    assert "Did you mean" not in refused("whist")
    refused("")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gin_bonis = 20", "gin_bonis = 20: rules have no such field. Did you mean gin_bonus?"),
        ("colour = 3", "colour = 3: rules have no such field. `ginsim rules gin` shows the fields."),
        (
            "[rules]\ngin_bonus = 3",
            "rules = {'gin_bonus': 3}: rules have no such field. `ginsim rules gin` shows the fields.",
        ),
        ("gin_bonus = true", "gin_bonus = true: must be a whole number from 0 to 1000."),
        ("gin_bonus = 25.0", "gin_bonus = 25.0: must be a whole number from 0 to 1000."),
        ('gin_bonus = "25"', 'gin_bonus = "25": must be a whole number from 0 to 1000.'),
        ("gin_bonus = [25]", "gin_bonus = [25]: must be a whole number from 0 to 1000."),
        ("gin_bonus = false", "gin_bonus = false: must be a whole number from 0 to 1000."),
        ("big_gin_bonus = true", "big_gin_bonus = true: must be false, or a whole number from 0 to 1000."),
        ("undercut_on_tie = 1", "undercut_on_tie = 1: must be true or false."),
        ('undercut_on_tie = "true"', 'undercut_on_tie = "true": must be true or false.'),
        ("last_discard = false", "last_discard = false: must be dead or knock."),
        ('last_discard = "Dead"', 'last_discard = "Dead": must be dead or knock.'),
        ('next_dealer = "box"', 'next_dealer = "box": must be winner, loser or alternate where format = "game".'),
        ('format = "bridge"', 'format = "bridge": must be game, hollywood or three_handed.'),
        ("base = 3", "base = 3: must be text in quotes."),
        ("description = 3", "description = 3: must be text in quotes."),
        (
            'base = "holywood"',
            "base = \"holywood\": no rules named 'holywood'. Did you mean 'hollywood'? `ginsim rules` lists them; "
            "a file works too.",
        ),
    ],
)
def test_a_mistake_in_a_file_is_one_line_with_file_field_and_value(tmp_path: Path, text: str, message: str):
    path = written(tmp_path, text)
    assert refused(path) == f"{path}: {message}"


@pytest.mark.parametrize("field", BOUNDS)
def test_whole_numbers_have_the_bounds_of_the_table(field: str):
    low, high = BOUNDS[field]
    assert getattr(load("hollywood", [f"{field}={low}"]), field) == low
    assert getattr(load("hollywood", [f"{field}={high}"]), field) == high
    assert refused("hollywood", f"{field}={low - 1}") == f"{field} = {low - 1}: must be {low} or more."
    assert refused("hollywood", f"{field}={high + 1}") == f"{field} = {high + 1}: must be {high} or less."


@pytest.mark.parametrize("field", ["max_draws", "max_hands"])
def test_hands_and_matches_always_come_to_an_end_R16(field: str):
    assert getattr(load("gin", [f"{field}=1"]), field) == 1
    refused("gin", f"{field}=0")
    refused("gin", f"{field}={2**31}")


@pytest.mark.parametrize("setting", ["gin_bonus", "gin_bonus=", "=20", "", "gin_bonus 20"])
def test_a_setting_without_field_or_value_is_refused(setting: str):
    assert refused("gin", setting) == f"--set '{setting}': must be FIELD=VALUE, such as gin_bonus=20."


@pytest.mark.parametrize("value", ["25.0", "true", '"25"', "1e2", "007", "twenty", "2 5", "[25]", "1\ngames=3"])
def test_a_setting_of_the_wrong_type_is_refused(value: str):
    assert refused("gin", f"gin_bonus={value}").endswith(": must be a whole number from 0 to 1000.")


def test_settings_may_have_spaces_and_quotes_as_in_a_file():
    assert load("gin", [' gin_bonus = 20 ', 'last_discard = "knock"']) == load("gin", ["gin_bonus=20", "last_discard=knock"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"gin_bonus = ", "not TOML: Invalid value (at "),
        (b"gin_bonus = 1\ngin_bonus = 2", "not TOML: Cannot overwrite a value (at "),
        (b"gin_bonus", "not TOML: "),
        (b'description = "\xff"', "not UTF-8 text (byte 15)"),
        (b"\x7fELF\x02\x01\x01\x00", "not TOML: "),
        (b"gin_bonus = " + b"9" * 5000, "a number too long or lists too deep"),
        (b"gin_bonus = " + b"[" * 5000, "a number too long or lists too deep"),
    ],
)
def test_a_file_that_is_no_rule_file_is_refused(tmp_path: Path, content: bytes, message: str):
    path = tmp_path / "house.toml"
    path.write_bytes(content)
    assert refused(str(path)).startswith(f"{path}: {message}")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path):
    assert refused(str(tmp_path / "none.toml")).startswith(f"{tmp_path}/none.toml: no such file.")
    assert refused(str(tmp_path)) == f"{tmp_path}: a folder, not a rule file."
    path = written(tmp_path, 'base = "none.toml"')
    assert refused(path).startswith(f'{path}: base = "none.toml": {tmp_path}/none.toml: no such file.')
    refused(written(tmp_path, 'base = "a\\u0000b.toml"'))
    refused("a" * 5000)


def test_bases_that_lead_back_are_refused(tmp_path: Path):
    path = written(tmp_path, 'base = "second.toml"')
    second = written(tmp_path, 'base = "./house.toml"', "second.toml")
    assert refused(path) == (
        f'{path}: base = "second.toml": {second}: base = "./house.toml": {tmp_path}/house.toml: its base leads back to it.'
    )
    refused(written(tmp_path, 'base = "self.toml"', "self.toml"))


@given(st.text(), st.text())
def test_no_setting_gets_more_than_a_line(field: str, value: str):
    assert refused("gin", f"x{field}={value}")


@given(st.sampled_from(sorted(TABLE)), st.text() | st.integers().map(str) | st.floats().map(str) | st.booleans().map(str))
def test_a_setting_is_taken_or_refused_in_a_line(field: str, value: str):
    try:
        rules = load("hollywood", [f"{field}={value}"])
    except UsageError:
        refused("hollywood", f"{field}={value}")
    else:
        assert Rules.from_dict(rules.as_dict()) == rules


# Differences


def test_differences_are_the_fields_in_which_two_rule_sets_play_otherwise():
    assert differences(load("hollywood"), load("hollywood-20")) == {"gin_bonus": (25, 20)}
    assert differences(load("gin"), load("eaai")) == {"undercut_bonus": (10, 25), "next_dealer": ("winner", "alternate")}
    assert differences(load("gin"), load("hollywood")) == {
        "format": ("game", "hollywood"),
        "games": (None, 3),
        "series_end": (None, "all"),
        "shut_out": (None, "literal"),
    }
    assert differences(load("gin"), load("gin", ["gin_bonus=25"])) == {}
