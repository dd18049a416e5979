"""``ginsim strategies``: the list, one player in full, how to write one, and the contract."""

import json
import re
from pathlib import Path

import pytest
from commands import ROOT, answered, called, engine  # noqa: F401
from ginsim.strategies import names, parse, strategy
from ginsim.strategies.process import PROTOCOL
from ginsim.strategies.view import MANUAL

BOTS = Path(__file__).parent / "data" / "bots"
PLAIN = f"{BOTS / 'plain.py'}:MyBot"
BAD = BOTS / "bad.py"


def test_the_list_has_every_player_and_the_forms_of_ones_own() -> None:
    shown = answered("strategies")
    for name in names():
        assert re.search(rf"^{name}\s+\S", shown, re.MULTILINE)
    for form in ("file.py:NAME", "package.module:NAME", "exec:COMMAND"):
        assert form in shown
    listed = json.loads(answered("strategies", "--format", "json"))
    assert [one["name"] for one in listed] == names()
    assert all(set(one) == {"name", "version", "description", "from"} for one in listed)


@pytest.mark.parametrize("name", names())
def test_a_built_in_player_is_shown_with_document_version_and_parameters(name: str) -> None:
    shown = answered("strategies", name)
    found = json.loads(answered("strategies", name, "--format", "json"))
    assert found["document"].splitlines()[0] in shown
    assert f"version   {parse(name).version}\n" in shown
    assert found["uses_scoring"] is strategy(name).uses_scoring
    assert [each["name"] for each in found["parameters"]] == [each.name for each in strategy(name).parameters]


def test_a_player_of_ones_own_is_shown_with_its_values() -> None:
    shown = answered("strategies", f"{PLAIN}:knock=3")
    assert "Takes what makes a meld" in shown and "from      plain Python\n" in shown and "knock      3      6\n" in shown
    found = json.loads(answered("strategies", f"{PLAIN}:knock=3", "--format", "json"))
    assert found["parameters"] == [{"name": "knock", "value": 3, "default": 6, "meaning": ""}]
    assert (found["from"], found["uses_scoring"], len(found["source"])) == ("plain Python", False, 64)


def test_the_manuals_are_printed() -> None:
    assert answered("strategies", "exec") == PROTOCOL
    assert answered("strategies", "python") == MANUAL


def test_check_says_a_line_a_check_and_ends_with_0() -> None:
    lines = answered("strategies", "check", PLAIN, "--hands", 12).splitlines()
    assert len(lines) == 5 and all(line.startswith("✓ ") for line in lines)


def test_check_ends_with_1_and_says_where_a_check_failed() -> None:
    result = called("strategies", "check", f"{BAD}:LooksAtTheBonus", "--hands", 12, "--seed", 4)
    assert (result.exit_code, result.stderr) == (1, "")
    assert result.stdout.splitlines()[-1].startswith("✗ honest about scoring: ") and "hand 0 of match 0" in result.stdout
    assert result.stdout.rstrip().endswith("seed 4).")


def test_check_as_json() -> None:
    result = called("strategies", "check", f"{BAD}:Raises", "--hands", 6, "--format", "json")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["passed"], found["seed"]) == (1, False, 1)
    assert found["checks"][-1]["passed"] is False and "no_such_thing" in found["checks"][-1]["detail"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check"], "check takes one player"),
        (["check", "simple", "random"], "check takes one player"),
        (["simple", "random"], "name one player, or none."),
        (["simple", "--hands", "3"], "--hands and --seed go with check."),
        (["simpel"], "no strategy named 'simpel'. Did you mean 'simple'?"),
        (["check", "nowhere.py:Bot"], "nowhere.py: there is no such file."),
    ],
)
def test_a_wrong_use_is_refused_in_a_line(arguments: list[str], message: str) -> None:
    result = called("strategies", *arguments)
    assert (result.exit_code, result.stdout) == (2, "") and message in result.stderr


def test_the_readme_shows_the_bots_that_the_tests_run() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in ("plain.py", "fast.py", "program.py"):
        assert f"```python\n{(BOTS / name).read_text(encoding='utf-8')}```" in text, name
