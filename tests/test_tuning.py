"""``ginsim tune``: what it plays, what it counts, what it finds, and what it writes."""

import tomllib
from pathlib import Path
from typing import Any

import ginsim
import numpy as np
import polars as pl
import pytest
from commands import answered, called, engine  # noqa: F401
from ginsim import tuning
from ginsim.accelerate import COMPILED
from ginsim.errors import UsageError
from ginsim.rules import load
from ginsim.simulation import BrokenOff
from ginsim.strategies import parse
from scipy import stats

BOT = f"{Path(__file__).parent / 'data' / 'bots' / 'tunable.py'}:Tunable"
SHORT = ("--matches", 20, "--generations", 3, "--compare", 40, "--seed", 5)

pytestmark = pytest.mark.skipif(not COMPILED, reason="too slow as plain Python")


def tuned(out: Path, *arguments: object) -> dict[str, Any]:
    """What a command of tuning writes."""
    answered("tune", *arguments, "--out", out)
    return tomllib.loads(out.read_text(encoding="utf-8"))


def nets(spec: str, opponent: str, matches: int, seed: int) -> pl.DataFrame:
    """Net points of the first player in each mirrored pair of matches, off the rows of a simulation."""
    run = ginsim.simulate("gin", matches=matches, strategies=[spec, opponent], seed=seed, mirror=True, workers=1)
    sign = pl.when(pl.col("winner") == "A").then(1).when(pl.col("winner") == "B").then(-1).otherwise(0)
    pairs = run.scan().group_by(pl.col("match") // 2).agg((pl.col("points") * sign).sum().alias("net"))
    return pairs.sort("match").collect()


def test_the_same_seed_writes_the_same_file_with_any_number_of_workers(tmp_path: Path) -> None:
    files = []
    for name, more in (("one", ("--workers", 1)), ("two", ("--workers", 2)), ("other", ("--seed", 6))):
        files.append(tmp_path / f"{name}.toml")
        tuned(files[-1], BOT, "--against", "simple", *SHORT, *more)
    one, two, other = (file.read_bytes() for file in files)
    assert one == two != other


def test_it_finds_that_one_better_knocks_at_once_where_nothing_is_paid_for_waiting(tmp_path: Path) -> None:
    """It begins with a player that knocks at five or less."""
    file = tmp_path / "found.toml"
    content = tuned(
        file, BOT, "--set", "gin_bonus=0", "--set", "undercut_bonus=0", "--against", "simple",
        "--matches", 100, "--generations", 10, "--compare", 1000, "--step", 0.2, "--seed", 1,
    )  # fmt: skip
    assert content["parameters"]["knock"] > 7
    assert content["tuning"]["verdict"] == "better than the first player"
    assert [each["opponent"] for each in content["against"]] == [BOT, "simple", "mean"]
    assert all(each["gain_from"] > 0 for each in content["against"])
    assert parse(f"{BOT}:params={file}") == parse(f"{BOT}:knock={content['parameters']['knock']},idle={content['parameters']['idle']}")


def test_the_gain_is_that_in_net_points_a_match_on_the_deals_of_the_seed(tmp_path: Path) -> None:
    """Read off the rows of ``simulate``; the interval is SciPy's of Student over mirrored pairs."""
    out = tmp_path / "found.toml"
    content = tuned(out, BOT, "--against", "simple", "--matches", 20, "--generations", 1, "--compare", 200, "--step", 0.3, "--seed", 5)
    played = [(nets(BOT, other, 200, 5), nets(f"{BOT}:params={out}", other, 200, 5)) for other in (BOT, "simple")]
    for told, (before, after) in zip(content["against"], played, strict=False):
        assert told["net_points_a_match_before"] == pytest.approx(before["net"].mean() / 2, abs=1e-4)
        assert told["net_points_a_match_after"] == pytest.approx(after["net"].mean() / 2, abs=1e-4)
    gains = np.mean([(after["net"] - before["net"]).to_numpy() / 2 for before, after in played], axis=0)
    half = stats.ttest_1samp(gains, 0).confidence_interval().high - gains.mean()
    assert half > 0.1
    mean = content["against"][-1]
    assert mean["gain"] == pytest.approx(gains.mean(), abs=1e-4)
    assert mean["gain_to"] == pytest.approx(gains.mean() + half, abs=1e-4)
    assert mean["gain_from"] == pytest.approx(gains.mean() - half, abs=1e-4)


def test_what_is_found_by_chance_alone_is_not_called_better(tmp_path: Path) -> None:
    content = tuned(tmp_path / "idle.toml", f"{BOT}:knock=9.5", "--against", "simple", *SHORT)
    assert content["tuning"]["verdict"] == "not shown to be better than the first player"
    assert "That it is better is not shown." in answered("tune", f"{BOT}:knock=9.5", "--against", "simple", *SHORT, "--out", tmp_path / "x.toml")


def test_only_the_parameters_named_are_tuned_and_all_are_written(tmp_path: Path) -> None:
    content = tuned(tmp_path / "few.toml", "expert:race=0.4", "--against", "simple", "--only", "prior", "--only", "silent",
                    "--matches", 2, "--generations", 1, "--compare", 4, "--seed", 1)  # fmt: skip
    usual = tuning.values_under(parse("expert:race=0.4"), load("gin"))
    found = content["parameters"]
    assert {key for key in usual if found[key] != pytest.approx(usual[key])} == {"prior", "silent"}
    assert list(found) == list(usual)


def test_the_file_says_where_it_comes_from(tmp_path: Path) -> None:
    out = tmp_path / "found.toml"
    content = tuned(out, BOT, "--rules", "eaai", "--set", "gin_bonus=30", "--against", "simple:knock=0", *SHORT)
    assert content["rules"]["gin_bonus"] == 30
    assert content["rules"]["undercut_bonus"] == 25
    assert content["tuning"]["opponents"] == [BOT, "simple:knock=0"]
    assert content["tuning"]["generations"] == 3
    again = tmp_path / "again.toml"
    answered(*content["tuning"]["command"].split()[1:], "--out", again)
    assert again.read_bytes() == out.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("patient",), "patient has no parameter that could be tuned"),
        (("simple",), "simple has no parameter that could be tuned"),
        (("expert", "--rules", "three-handed"), "tuning is for two players, and three-handed is for 3"),
        (("expert", "--matches", 3), "3 matches would part a mirrored pair"),
        (("expert", "--only", "luck"), "expert has no parameter 'luck' that could be tuned"),
        (("expert", "--only", "prior"), "prior alone"),
        (("expert", "--against", f"{Path(__file__).parent / 'data' / 'bots' / 'plain.py'}:MyBot"), "is called back"),
        (("expert", "--out", "found.txt"), "found.txt: the name must end in .toml."),
        (("expert", "--out", "no/such/found.toml"), "there is no folder no/such"),
    ],
)
def test_what_cannot_be_tuned_is_a_line(arguments: tuple[object, ...], message: str, tmp_path: Path) -> None:
    result = called("tune", *arguments, *([] if "--out" in arguments else ["--out", tmp_path / "found.toml"]))
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("whole", [0, 2, 3])
def test_an_interrupt_keeps_what_whole_generations_found(whole: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third generation and the comparison are broken off as Ctrl-C does it; the file is as after so many generations."""
    played = []

    def until(*arguments: Any, **settings: Any) -> Any:
        played.append(arguments)
        if len(played) > whole:
            raise BrokenOff(0)
        return play(*arguments, **settings)

    play = tuning.play
    monkeypatch.setattr(tuning, "play", until)
    out = tmp_path / "found.toml"
    result = called("tune", BOT, "--against", "simple", *SHORT, "--out", out)
    assert (result.exit_code, result.stdout) == (130, "")
    monkeypatch.undo()
    if not whole:
        assert result.stderr == "Stopped before the end of the first generation; nothing is written.\n"
        assert not list(tmp_path.iterdir())
        return
    assert result.stderr == f"Stopped after {whole} generations; what they found is in {out}, not compared.\n"
    content = tomllib.loads(out.read_text(encoding="utf-8"))
    assert "against" not in content
    assert content["tuning"]["verdict"] == "interrupted before the comparison: whether it is better is not known"
    complete = tuned(tmp_path / "complete.toml", BOT, "--against", "simple", *SHORT, "--generations", whole)
    assert content["parameters"] == complete["parameters"]
    assert content["tuning"]["command"] == complete["tuning"]["command"]


def test_a_generations_value_is_the_mean_gain_and_the_least_in_equal_parts() -> None:
    """Of two candidates, one far better against one opponent only and one a little better against both, the second is liked more."""
    search = tuning._Search(parse(BOT), {"knock": 5.0, "idle": 0.5}, tuning._free(parse(BOT), ()), 0.1, 1)
    told: list[list[float]] = []
    search._strategy = type("Told", (), {"tell": lambda self, points, values: told.append(values)})()
    search.tell(np.array([[1.0, -0.6], [0.1, 0.1]]))
    assert told == [[pytest.approx(-(0.2 - 0.6) / 2), pytest.approx(-0.1)]]


def test_three_handed_rules_name_a_way_out() -> None:
    with pytest.raises(UsageError, match="tune for gin with the same bonuses"):
        tuning.tune(load("three-handed"), "expert", ["simple"], seed=1, workers=1)
