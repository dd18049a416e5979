"""Parameters from a file: what ``params=FILE`` means to a player, a plan and a stored run; and the sets that expert plays by."""

import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import ginsim
import pytest
from commands import answered, called, contents, engine  # noqa: F401
from ginsim.errors import UsageError
from ginsim.plan import Plan, make_plan
from ginsim.rules import load
from ginsim.strategies import parse, strategy, values_under
from ginsim.strategies.expert.parameters import SETS
from ginsim.strategies.expert.sets import between

BOTS = Path(__file__).parent / "data" / "bots"
GRID = {path.name: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(SETS.glob("*.toml"))}


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# Players ---------------------------------------------------------------------------------------------------------------


def test_a_player_has_the_values_of_a_file_and_over_them_those_of_its_spec(tmp_path: Path) -> None:
    file = written(tmp_path, 'strategy = "expert"\n[parameters]\nrace = 0.5\nprior = 2\n')
    player = parse(f"expert:params={file},prior=-3.5")
    assert dict(player.parameters) == {"race": 0.5, "prior": -3.5}
    assert player.spec == f"expert:params={file},prior=-3.5"
    assert parse(f"expert:prior=-3.5,params={file}") == player == parse("expert:race=0.5,prior=-3.5")
    under = values_under(player, load("gin"))
    assert (under["race"], under["prior"]) == (0.5, -3.5)
    assert len(under) == len(strategy("expert").parameters)


@pytest.mark.parametrize(
    ("name", "line", "spec"),
    [
        ("simple", "knock = 3", "simple:knock=3"),
        (f"{BOTS / 'plain.py'}:MyBot", "knock = 3", f"{BOTS / 'plain.py'}:MyBot:knock=3"),
        (f"{BOTS / 'tunable.py'}:Tunable", "knock = 3.5", f"{BOTS / 'tunable.py'}:Tunable:knock=3.5"),
    ],
)
def test_any_player_with_parameters_takes_a_file(name: str, line: str, spec: str, tmp_path: Path) -> None:
    file = written(tmp_path, f"[parameters]\n{line}\n")
    hashes = {
        ginsim.simulate("gin", hands=60, strategies=[each, "simple"], seed=1, workers=1).table_hash()
        for each in (f"{name}:params={file}", spec)
    }
    assert len(hashes) == 1
    assert hashes != {ginsim.simulate("gin", hands=60, strategies=[name, "simple"], seed=1, workers=1).table_hash()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "{file}: No such file or directory."),
        ("knock = 3\n", "{file}: knock stands outside of [parameters], where the values belong."),
        ("", "{file}: there is no table [parameters] in it."),
        ("[parameters\n", "{file}: not TOML: "),
        ("[parameters]\nknack = 3\n", "{file}: simple has no parameter 'knack'; it has: knock."),
        ("[parameters]\nknock = 3.5\n", "{file}: knock = 3.5: must be a whole number from 0 to 10."),
        ("[parameters]\nknock = 11\n", "{file}: knock = 11: must be a whole number from 0 to 10."),
        ("[parameters]\nknock = true\n", "{file}: knock = True: must be a whole number from 0 to 10."),
        ("[parameters]\nknock = inf\n", "{file}: knock = inf: must be a whole number from 0 to 10."),
        ("[parameters]\nknock = nan\n", "{file}: knock = nan: must be a whole number from 0 to 10."),
        ("[parameters]\nknock = [3]\n", "{file}: knock = [3]: must be a number, true, false or a text."),
        ('strategy = "expert"\n[parameters]\n', "{file}: strategy = 'expert': these parameters are not for simple."),
    ],
)
def test_a_file_that_will_not_do_is_a_line_with_file_and_key(text: str | None, message: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    if text is not None:
        file.write_text(text)
    result = called("simulate", "--hands", 10, "--strategy", f"simple:params={file}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.removeprefix("Error: ").startswith(message.format(file=file))
    assert result.stderr.count("\n") == 1


def test_a_spec_that_names_no_file_after_params_is_told_so() -> None:
    result = called("simulate", "--hands", 10, "--strategy", "expert:params=")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: 'expert:params=': params names no file: write expert:params=FILE.toml.\n"


def test_of_many_parameters_the_nearest_is_named(tmp_path: Path) -> None:
    file = written(tmp_path, "[parameters]\nmargin_eger = 1\n")
    with pytest.raises(UsageError, match="mine.toml: expert has no parameter 'margin_eger'; did you mean margin_eager?"):
        parse(f"expert:params={file}")
    with pytest.raises(UsageError, match=r"params=.*: prior = 10: must be a number from -9 to 9\."):
        parse(f"expert:params={file},prior=10".replace(str(file), str(written(tmp_path, "[parameters]\n", "none.toml"))))


# Plans and stored runs -------------------------------------------------------------------------------------------------


def test_a_plan_holds_the_values_and_how_they_were_written(tmp_path: Path) -> None:
    file = written(tmp_path, "[parameters]\nrace = 0.5\n")
    plan = make_plan(load("gin"), unit="hands", strategies=[f"expert:params={file}"], seed=1)
    stored = plan.as_dict()
    assert stored["players"][0]["parameters"] == {"race": 0.5}
    assert Plan.from_dict(stored) == plan
    assert Plan.from_dict(stored).players[0].spec == f"expert:params={file}"
    assert make_plan(load("gin"), unit="hands", strategies=["expert:race=0.5"], seed=1) == plan


def test_a_stored_run_does_not_go_on_with_a_changed_file_and_says_which_value_differs(tmp_path: Path) -> None:
    file = written(tmp_path, "[parameters]\nknock = 4\n")
    out = tmp_path / "run"
    arguments = ("simulate", "--hands", 20, "--seed", 1, "--strategy", f"simple:params={file}", "--out", out)
    assert f"--strategy simple:params={file} --hands 20" in answered(*arguments)
    before = contents(out)
    written(tmp_path, "[parameters]\nknock = 5\n")
    result = called(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "A is simple with knock 4 there and simple with knock 5 here" in result.stderr
    assert contents(out) == before
    assert "--strategy simple:knock=4 --hands 20" in answered("report", out), "the file does not say so any more"
    file.unlink()
    assert "--strategy simple:knock=4 --hands 20" in answered("report", out)
    written(tmp_path, "[parameters]\nknock = 4\n")
    assert f"--strategy simple:params={file} --hands 20" in answered("report", out)


# The sets of expert ----------------------------------------------------------------------------------------------------


def test_between_the_points_of_the_grid_values_are_bilinear_and_outside_as_at_its_border() -> None:
    tuned = {(10, 10): {"x": 0.0}, (10, 20): {"x": 10.0}, (30, 10): {"x": 100.0}, (30, 20): {"x": 200.0}}
    for point, value in [
        ((10, 10), 0),
        ((30, 20), 200),
        ((20, 10), 50),
        ((10, 15), 5),
        # Half way along one side it is (0 + 100) / 2, along the other (10 + 200) / 2.
        ((20, 15), (50 + 105) / 2),
        ((15, 12), 0.75 * (0.8 * 0 + 0.2 * 10) + 0.25 * (0.8 * 100 + 0.2 * 200)),
        ((0, 0), 0),
        ((500, 15), 150),
        ((20, 500), 105),
    ]:
        assert between(tuned, point) == {"x": pytest.approx(value)}, point


def test_one_row_of_points_will_do() -> None:
    tuned = {(25, 10): {"x": 1.0}, (25, 20): {"x": 2.0}}
    assert between(tuned, (0, 15)) == between(tuned, (99, 15)) == {"x": pytest.approx(1.5)}


def test_the_sets_that_ship_are_a_whole_grid_of_good_values_made_by_tuning() -> None:
    points = {(each["rules"]["gin_bonus"], each["rules"]["undercut_bonus"]) for each in GRID.values()}
    assert points == set(product(*map(set, zip(*points, strict=True))))
    assert {(25, 10), (25, 25)} <= points
    known = {each.name: each for each in strategy("expert").parameters}
    for name, content in GRID.items():
        rules = content["rules"]
        assert name == f"gin-{rules['gin_bonus']}-undercut-{rules['undercut_bonus']}.toml"
        assert content["strategy"] == "expert"
        assert content["parameters"].keys() == known.keys()
        assert all(known[key].low <= value <= known[key].high for key, value in content["parameters"].items())
        assert content["tuning"]["command"].startswith("ginsim tune expert:params=")


@pytest.mark.parametrize(
    ("name", "file"),
    [("gin", "gin-25-undercut-10.toml"), ("hollywood", "gin-25-undercut-10.toml"), ("eaai", "gin-25-undercut-25.toml")],
)
def test_expert_plays_the_set_of_the_bonuses_in_force(name: str, file: str) -> None:
    assert values_under(parse("expert"), load(name)) == pytest.approx(GRID[file]["parameters"])


def test_what_is_given_counts_before_the_set_also_where_it_is_the_usual_value() -> None:
    usual = GRID["gin-25-undercut-10.toml"]["parameters"]["prior"]
    rules = load("eaai")
    assert values_under(parse("expert"), rules)["prior"] != usual
    player = parse(f"expert:prior={usual}")
    assert player.spec == f"expert:prior={usual}"
    assert values_under(player, rules) == values_under(parse("expert"), rules) | {"prior": usual}


def test_a_plan_of_expert_names_only_what_was_given() -> None:
    def parameters(spec: str) -> Any:
        return make_plan(load("gin"), unit="hands", strategies=[spec], seed=1).as_dict()["players"][0]["parameters"]

    assert parameters("expert") == {}
    assert parameters("expert:race=0.4") == {"race": 0.4}
