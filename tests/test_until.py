"""Playing until an interval is tight: when it looks, how sure it then is, and that the same again does nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import answered, called, contents, engine, times  # noqa: F401
from scipy.stats import binomtest

import ginsim
from ginsim.until import PILOT, Target, level_of_a_look, looks, parse, until


def test_looks_are_at_doubling_numbers_of_chunks_and_at_the_end() -> None:
    assert looks(100, 1000) == [100, 200, 400, 800, 1000]
    assert looks(100, 800) == [100, 200, 400, 800]
    assert looks(100, 30) == [30]


def test_all_looks_together_keep_the_level() -> None:
    assert 5 * (1 - level_of_a_look(looks(100, 1000))) == pytest.approx(0.05)


def test_it_stops_at_the_first_look_that_is_tight_enough() -> None:
    played: list[tuple[int, int]] = []

    def play(first: int, end: int) -> int:
        played.append((first, end))
        return end - first

    total, went = until(Target("gin_rate", 0.1), 10, 100, play, lambda count, level: 2 / count)
    assert played == [(0, 10), (10, 20)]
    assert (total, went["count"], went["looked"], went["reached"], went["found"]) == (20, 20, 2, True, 0.1)
    total, went = until(Target("gin_rate", 0.1), 10, 30, play, lambda count, level: 60 / count)
    assert (went["count"], went["reached"], went["needed"]) == (30, False, 12_000)


@pytest.mark.parametrize("text", ["gin_rate±0.0005", "gin_rate+-0.0005", " gin_rate ± 5e-4 ", "gin_rate+/-0.05%"])
def test_a_target_is_read_as_people_write_it(text: str) -> None:
    assert parse(text, ["gin_rate"]) == Target("gin_rate", pytest.approx(0.0005))


@pytest.mark.parametrize(
    "text", ["", "gin_rate", "gin_rate±", "gin_rate±0", "gin_rate±-1", "gin_rate±1e999", "±0.1", "gin rate±0.1"]
)
def test_other_targets_are_refused(text: str) -> None:
    with pytest.raises(ginsim.UsageError, match="must be STATISTIC±HALFWIDTH"):
        parse(text, ["gin_rate"])


def asked(*more: object) -> dict[str, Any]:
    """A run until its rate of undercuts is known to 0.9 %, with a look after every 500 hands, 1,000 and so on."""
    return json.loads(answered("simulate", "--until", "undercut_rate±0.009", "--hands", "20k", "--chunk", 500, *more, "--format", "json"))


def test_a_run_stops_where_it_is_tight_and_the_same_again_does_nothing(tmp_path: Path) -> None:
    run = asked("--seed", 3, "--out", tmp_path / "run")
    went = run["until"]
    assert went["reached"] and went["count"] == run["hands"] in (2_000, 4_000, 8_000)
    before = times(tmp_path / "run")
    assert {**asked("--out", tmp_path / "run"), "seconds": 0} == {**run, "seconds": 0}
    assert times(tmp_path / "run") == before
    plain = ginsim.simulate(hands=run["hands"], seed=3)
    assert ginsim.open_run(tmp_path / "run").table_hash() == plain.table_hash()
    assert run["rates"] == plain.report(hashed=False)["rates"]
    assert f"Stopped at {run['hands']:,} hands: undercut_rate±0.009 was wanted" in answered("report", tmp_path / "run")


def test_the_interval_at_the_stop_is_the_one_of_a_look(tmp_path: Path) -> None:
    run = asked("--seed", 3, "--out", tmp_path / "run")
    about = run["rates"]["undercut_rate"]

    def half(hands: int) -> float:
        rate = ginsim.simulate(hands=hands, seed=3).report()["rates"]["undercut_rate"]
        interval = binomtest(rate["count"], hands).proportion_ci(1 - 0.05 / len(run["until"]["looks"]), "wilson")
        return (interval.high - interval.low) / 2

    assert run["until"]["found"] == pytest.approx(half(about["n"]))
    assert half(about["n"]) <= 0.009 < half(about["n"] // 2)


def test_what_was_stopped_on_the_way_goes_on_to_the_same_place(tmp_path: Path) -> None:
    run = asked("--seed", 3, "--out", tmp_path / "whole")
    ginsim.simulate(hands=700, seed=3, out=tmp_path / "part", chunk=500)
    assert asked("--seed", 3, "--out", tmp_path / "part")["until"] == run["until"]
    assert contents(tmp_path / "part") == contents(tmp_path / "whole")


def test_a_run_that_holds_more_says_so(tmp_path: Path) -> None:
    run = asked("--seed", 3, "--out", tmp_path / "run")
    ginsim.simulate(hands=run["hands"] + 500, seed=3, out=tmp_path / "run", chunk=500)
    for target, said in (("0.009", "already holds"), ("0.0091", "and this stops at")):
        result = called("simulate", "--until", f"undercut_rate±{target}", "--hands", "20k", "--chunk", 500, "--out", tmp_path / "run")
        assert result.exit_code == 2 and said in result.stderr


def test_where_it_is_not_reached_it_says_what_it_takes() -> None:
    text = answered("simulate", "--until", "gin_rate±0.001", "--hands", 5_000, "--seed", 1)
    assert "Not reached in 5,000 hands: gin_rate±0.001 was wanted" in text
    assert "it takes about" in text


def test_a_comparison_stops_when_its_differences_are_tight(tmp_path: Path) -> None:
    arguments = ("--vary", "knock_limit=10,6", "--until", "draws±0.13", "--matches", "20k", "--out", tmp_path / "out")
    report = json.loads(answered("compare", *arguments, "--seed", 1, "--format", "json"))
    assert report["until"]["reached"]
    assert report["count"] == report["until"]["count"] == 5_000
    before = times(tmp_path / "out")
    again = json.loads(answered("compare", *arguments, "--format", "json"))
    assert {**again, "seconds": 0} == {**report, "seconds": 0}
    assert times(tmp_path / "out") == before


def test_a_plan_says_beforehand_about_how_many_it_takes() -> None:
    arguments = ("--until", "gin_rate±0.0005", "--plan-only", "--hands", "2m", "--seed", 1)
    about = json.loads(answered("simulate", *arguments, "--format", "json"))
    assert about["pilot"] == PILOT["hands"]
    rate = ginsim.simulate(hands=PILOT["hands"], seed=1).report()["rates"]["gin_rate"]["estimate"]
    # 1.96 and so on grow with the number of looks: about 2.64 for six.
    assert about["needed"] == pytest.approx(rate * (1 - rate) * (2.638 / 0.0005) ** 2, rel=0.02)
    assert about["stops"] == 800_000
    text = answered("simulate", *arguments)
    assert "a pilot of 20,000 hands" in text and "It would stop at 800,000 hands." in text
    compared = answered("compare", "--vary", "knock_limit=4,10", *arguments)
    assert "Nothing but the pilot was played." in compared
