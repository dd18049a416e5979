"""Comparisons: the same deals, paired differences beside NumPy on joined rows, Holm beside a table, prices beside play."""

from __future__ import annotations

import json
import shlex
import signal
import time
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from commands import answered, called, contents, engine, started, times  # noqa: F401
from scipy.stats import t as student

import ginsim
from ginsim.comparison.paired import holm
from ginsim.pricing import priced

HANDS = 4_000


def statistic(report: dict[str, Any], name: str) -> dict[str, Any]:
    """One statistic of a report."""
    return next(each for each in report["statistics"] if each["name"] == name)


def difference(report: dict[str, Any], name: str, variant: str | None = None) -> dict[str, Any]:
    """The difference of a variant, of the only one where none is named."""
    found = [each for each in statistic(report, name)["differences"] if variant in (None, each["variant"])]
    assert len(found) == 1
    return found[0]


def differences(report: dict[str, Any]) -> list[dict[str, Any]]:
    """All of them."""
    return [each for about in report["statistics"] for each in about["differences"]]


def compared(*arguments: object) -> dict[str, Any]:
    """What the command says as JSON."""
    return json.loads(answered("compare", *arguments, "--format", "json"))


# Paired differences beside NumPy


def linearised(y1: np.ndarray, x1: np.ndarray, y2: np.ndarray, x2: np.ndarray) -> tuple[float, float, float, float]:
    """Difference of two ratios over clusters with its 95 % interval and p-value, from the values of each cluster."""
    present = (x1 + x2) > 0
    y1, x1, y2, x2 = (values[present].astype(float) for values in (y1, x1, y2, x2))
    m = len(y1)
    r1, r2 = y1.sum() / x1.sum(), y2.sum() / x2.sum()
    e = (y1 - r1 * x1) / x1.sum() - (y2 - r2 * x2) / x2.sum()
    error = np.sqrt(m / (m - 1) * (e**2).sum())
    half = student.ppf(0.975, m - 1) * error
    return r1 - r2, r1 - r2 - half, r1 - r2 + half, float(2 * student.sf(abs(r1 - r2) / error, m - 1))


def assert_alike(found: dict[str, Any], expected: tuple[float, float, float, float]) -> None:
    shown = [found[name] for name in ("difference", "low", "high", "p")]
    assert shown == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_differences_of_single_hands_are_those_of_joined_rows() -> None:
    report = ginsim.compare("hollywood", vary={"knock_limit": [10, 4]}, hands=HANDS, seed=5).report()
    frames = [
        ginsim.simulate("hollywood", settings={"knock_limit": limit}, hands=HANDS, seed=5).frame() for limit in (4, 10)
    ]
    joined = frames[0].join(frames[1], on="hand", suffix="_10")
    assert len(joined) == HANDS

    def pair(expression: str) -> list[np.ndarray]:
        return [joined.select(pl.sql_expr(expression.replace("@", end)).cast(pl.Float64)).to_series().to_numpy() for end in ("", "_10")]

    ones = np.ones(HANDS)
    for ending in ("knock", "undercut", "gin", "draw"):
        y1, y2 = pair(f"ending@::varchar = '{ending}'")
        assert_alike(difference(report, f"{ending}_rate"), linearised(y1, ones, y2, ones))
    y1, y2 = pair("draws@")
    assert_alike(difference(report, "draws"), linearised(y1, ones, y2, ones))
    x1, x2 = pair("winner@ is not null")
    y1, y2 = pair("points@")
    assert_alike(difference(report, "points"), linearised(y1, x1, y2, x2))
    y1, y2 = pair("winner@ is not null and winner@ <> dealer@")
    first = difference(report, "first_player_share")
    assert_alike(first, linearised(y1, x1, y2, x2))
    assert first["changed"] == np.count_nonzero((y1 != y2) | (x1 != x2))
    dealer = difference(report, "dealer_share")
    assert (dealer["difference"], dealer["p_adjusted"]) == pytest.approx((-first["difference"], first["p_adjusted"]))


def test_differences_over_mirrored_pairs_of_matches_are_those_of_joined_matches() -> None:
    asked = {"players": ["simple:knock=4", "simple:knock=0"], "against": "simple", "matches": 300, "seed": 8}
    report = ginsim.compare("eaai", **asked).report()
    assert report["independent"] == "pairs of matches"
    sums = []
    for player in ("simple:knock=0", "simple:knock=4"):
        run = ginsim.simulate("eaai", matches=300, seed=8, mirror=True, strategies=(player, "simple"))
        pair = pl.col("match") // 2
        matches = run.frame("matches").group_by(pair.alias("pair")).agg(pl.len(), pl.col("hands").sum(), (pl.col("winner") == "A").sum())
        hands = run.frame().group_by(pair.alias("pair")).agg(pl.len().alias("n"), (pl.col("ending") == "gin").sum().alias("gin"))
        sums.append(matches.join(hands, on="pair").sort("pair"))
    one, other = sums

    def values(name: str) -> tuple[np.ndarray, np.ndarray]:
        return one[name].to_numpy(), other[name].to_numpy()

    (y1, y2), (x1, x2) = values("winner"), values("len")
    assert_alike(difference(report, "match_won_a_share"), linearised(y1, x1, y2, x2))
    y1, y2 = values("hands")
    assert_alike(difference(report, "match_hands"), linearised(y1, x1, y2, x2))
    (y1, y2), (x1, x2) = values("gin"), values("n")
    assert_alike(difference(report, "gin_rate"), linearised(y1, x1, y2, x2))


def test_estimates_of_a_variant_are_those_of_its_run_alone() -> None:
    report = ginsim.compare(["hollywood", "eaai"], matches=200, seed=3).report()
    for place, rules in enumerate(("hollywood", "eaai")):
        alone = ginsim.simulate(rules, matches=200, seed=3).report(hashed=False)
        for about in report["statistics"]:
            here = about["variants"][place]
            its = alone["rates"].get(about["name"]) or alone["distributions"].get(about["name"])
            if its is None:
                assert about["name"] in ("decided_early", "sweeps")
                assert (here["estimate"], here["n"]) == (None, None)
                continue
            assert here["estimate"] == its.get("estimate", its.get("mean"))
            assert [here[name] for name in ("n", "low", "high", "histogram")] == [its["n"], its["low"], its["high"], its.get("histogram")]


def test_chunks_and_workers_change_nothing() -> None:
    def asked(workers: int) -> dict[str, Any]:
        report = ginsim.compare(vary={"knock_limit": [4, 10]}, hands=HANDS, seed=5, workers=workers).report()
        return {**report, "seconds": None, "variants": None}

    assert asked(1) == asked(2)


# How many comparisons


def test_holms_adjustment_is_that_of_the_textbook() -> None:
    # Four tests: 0.01 * 4, 0.02 * 3 and 0.03 * 2 step up to 0.06, and 0.2 stays itself.
    assert holm([0.03, 0.2, 0.01, 0.02]) == pytest.approx([0.06, 0.2, 0.04, 0.06])
    assert holm([0.5, 0.6, 0.0]) == [1.0, 1.0, 0.0]
    assert holm([]) == []


def test_the_family_holds_every_question_once() -> None:
    report = ginsim.compare(vary={"knock_limit": [10, 4, 4, 7]}, hands=HANDS, seed=5).report()
    assert report["family"]["method"] == "Holm"
    asked = [each for each in differences(report) if each["test"] and each["test"][1] == each["variant"]]
    # The dealer's share is one less the first player's, and a value given twice asks nothing new.
    names = [about["name"] for about in report["statistics"] if about["name"] != "dealer_share"]
    assert report["family"]["comparisons"] == 2 * len(names)
    by_hand = holm([difference(report, name, variant)["p"] for name in names for variant in ("4", "7")])
    told = [difference(report, name, variant)["p_adjusted"] for name in names for variant in ("4", "7")]
    assert told == pytest.approx(by_hand)
    for name in names:
        twice = [{**difference(report, name, variant), "variant": ""} for variant in ("4", "4 again")]
        assert twice[0] == twice[1]
    assert all(each["differs"] == (each["p_adjusted"] < 0.05) for each in asked)


def test_a_value_given_twice_differs_from_itself_by_exactly_nothing() -> None:
    for asked in ({"strategies": "expert", "hands": 300}, {"matches": 40}):
        report = ginsim.compare("gin", vary={"gin_bonus": [25, 25]}, seed=2, **asked).report()
        for each in differences(report):
            assert (each["difference"], each["low"], each["high"]) == (0.0, 0.0, 0.0)
            assert each["same_by_construction"]
        assert report["family"]["comparisons"] == 0
    text = answered("compare", "--vary", "gin_bonus=25,25", "--hands", 500, "--seed", 1)
    assert "25 again" in text and "±" not in text.split("± and brackets")[0]


def test_what_would_settle_a_comparison_does_so_four_times_in_five() -> None:
    report = ginsim.compare(vary={"knock_limit": [10, 9]}, hands=1_000, seed=1).report()
    still_open = [each for each in differences(report) if each["more"] is not None and each["test"][1] == each["variant"]]
    assert 0 < len({tuple(each["test"]) for each in still_open}) <= report["family"]["open"]
    for each in still_open:
        error = (each["high"] - each["low"]) / 2 / student.ppf(0.975, each["clusters"] - 1)
        tighter = error * (1_000 / (1_000 + each["more"])) ** 0.5
        bound = student.ppf(1 - 0.025 / report["family"]["open"], each["clusters"] - 1)
        assert student.sf(bound - abs(each["difference"]) / tighter, 10**6) == pytest.approx(0.8, abs=0.02)


# Price and adaptation


@pytest.mark.parametrize("rules", ["gin", "oklahoma", "three-handed"])
@pytest.mark.parametrize(
    ("settings", "others"),
    [
        ({}, {"gin_bonus": 7, "undercut_bonus": 33}),
        ({"spade_doubles": False}, {"spade_doubles": True, "undercut_on_tie": False}),
        ({"undercut_on_tie": False}, {"undercut_on_tie": True, "undercut_bonus": 0}),
        ({"big_gin_bonus": 0}, {"big_gin_bonus": 31}),
    ],
)
def test_priced_hands_are_the_rows_that_playing_them_again_gives(
    rules: str, settings: dict[str, object], others: dict[str, object]
) -> None:
    def run(values: dict[str, object]) -> ginsim.Run:
        return ginsim.simulate(rules, settings=values, strategies="simple:knock=1", hands=3_000, seed=3)

    played = run(settings | others)
    its = priced(run(settings).frame(), played.plan.rules)
    assert its.schema == played.frame().schema
    assert its.equals(played.frame())
    assert not its.equals(run(settings).frame())


def test_players_who_ignore_the_bonuses_are_priced_and_stored_as_if_played(tmp_path: Path) -> None:
    report = ginsim.compare(vary={"gin_bonus": [20, 25], "knock_limit": [10, 3]}, hands=2_000, seed=4, out=tmp_path / "all").report()
    assert [each["how"] for each in report["variants"]] == ["played", "played", "priced", "priced"]
    assert any("exactly as if each had been played again" in text for text in report["explanations"])
    assert any(text.startswith("simple ignores gin_bonus") for text in report["warnings"])
    for variant in report["variants"]:
        alone = ginsim.simulate(
            "hollywood", settings={name: int(value) for name, value in variant["values"].items()}, hands=2_000, seed=4
        )
        stored = ginsim.open_run(variant["folder"])
        assert stored.table_hash() == alone.table_hash()
        assert stored.plan.rules == alone.plan.rules
    assert difference(report, "gin_rate", "25/10")["same_by_construction"]
    assert difference(report, "points", "25/10")["difference"] > 0
    # Under 25/3 hands go as under 20/3, which has answered all but the points already.
    assert difference(report, "gin_rate", "25/3")["test"] == ["gin_rate", "20/3"]
    assert difference(report, "points", "25/3")["test"] == ["points", "25/3"]


def test_a_price_under_matches_is_played() -> None:
    report = ginsim.compare("gin", vary={"gin_bonus": [25, 100]}, matches=60, seed=4).report()
    assert [each["how"] for each in report["variants"]] == ["played", "played"]
    assert any("changes when matches end" in text for text in report["explanations"])
    assert difference(report, "match_hands")["difference"] < 0
    assert all(each["parts"] is None for each in differences(report))


def test_the_split_into_price_and_adaptation_adds_up() -> None:
    report = ginsim.compare("gin", vary={"gin_bonus": [10, 60], "undercut_bonus": [10]}, strategies="expert", hands=600, seed=4).report()
    assert any(text.startswith("expert looks at the bonuses") for text in report["explanations"])
    runs = [ginsim.simulate("gin", settings={"gin_bonus": bonus}, strategies="expert", hands=600, seed=4) for bonus in (10, 60)]
    between = priced(runs[0].frame(), runs[1].plan.rules)

    def ratio(frame: pl.DataFrame) -> Fraction:
        return Fraction(int(frame["points"].sum()), frame["winner"].count())

    by_price, by_play = ratio(between) - ratio(runs[0].frame()), ratio(runs[1].frame()) - ratio(between)
    about = difference(report, "points")
    assert about["parts"]["price"]["difference"] == float(by_price)
    assert about["parts"]["adapting"]["difference"] == float(by_play)
    assert about["difference"] == float(by_price + by_play)
    for each in differences(report):
        assert each["difference"] == pytest.approx(sum(part["difference"] for part in each["parts"].values()), abs=1e-12)
    gin = difference(report, "gin_rate")
    assert gin["parts"]["price"] == {"difference": 0.0, "low": 0.0, "high": 0.0}
    assert gin["parts"]["adapting"]["difference"] == gin["difference"] > 0
    shown = answered("compare", *report["command"].split()[2:])
    assert "same play, new price" in shown and "players adapting" in shown


# Variants


def test_rules_values_and_players_are_crossed_with_the_last_varying_fastest() -> None:
    asked = ("--rules", "hollywood", "--rules", "eaai", "--vary", "gin_bonus=20,25", "--player", "simple", "--player", "random")
    report = compared(*asked, "--hands", 50, "--seed", 1, "--reference", "eaai/20/simple")
    names = [each["name"] for each in report["variants"]]
    assert names[:3] == ["hollywood/20/simple", "hollywood/20/random", "hollywood/25/simple"]
    assert len(names) == len(set(names)) == 8
    assert report["reference"] == "eaai/20/simple"
    assert report["factors"] == {"rules": ["hollywood", "eaai"], "gin_bonus": ["20", "25"], "player": ["simple", "random"]}
    again = compared(*report["command"].split()[2:])
    assert {**again, "seconds": 0} == {**report, "seconds": 0}


def test_each_variant_can_be_played_alone_by_its_command() -> None:
    report = ginsim.compare("eaai", players=["simple", "simple:knock=2"], against="random", hands=400, seed=6).report()
    for place, variant in enumerate(report["variants"]):
        alone = json.loads(answered(*variant["command"].split()[1:], "--format", "json"))
        assert alone["plan"]["rules"] == variant["plan"]["rules"] and alone["plan"]["mirror"]
        assert alone["rates"]["gin_rate"]["count"] == statistic(report, "gin_rate")["variants"][place]["count"]
        assert [each["strategy"] for each in variant["players"]][1] == "random"
    assert statistic(report, "seat_a_share")["variants"][0]["n"]


def test_rule_files_are_named_without_their_folders(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('base = "hollywood"\nknock_limit = 5\n')
    report = compared("--rules", "hollywood", "--rules", house, "--hands", 100, "--seed", 1)
    assert [each["name"] for each in report["variants"]] == ["hollywood", "house"]
    assert report["variants"][1]["plan"]["rules"]["knock_limit"] == 5


def test_the_undercut_bonus_turns_the_advice_round() -> None:
    report = ginsim.compare("eaai", vary={"undercut_bonus": [10, 25]}, players="simple:knock=0", against="simple", matches=2_000, seed=1)
    about = statistic(report.report(), "match_won_a_share")
    ten, twenty_five = (each["estimate"] for each in about["variants"])
    assert ten == pytest.approx(0.419, abs=0.04)
    assert twenty_five == pytest.approx(0.670, abs=0.04)
    assert about["differences"][0]["differs"]


# What is stored


def test_the_same_command_again_does_nothing_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    asked = ("--vary", "knock_limit=10,4", "--seed", 7, "--out", tmp_path / "out")
    first = compared(*asked, "--hands", 300)
    before = times(tmp_path / "out")
    again = compared("--vary", "knock_limit=10,4", "--out", tmp_path / "out", "--hands", 300)
    assert times(tmp_path / "out") == before
    assert {**again, "seconds": 0} == {**first, "seconds": 0}
    larger = compared(*asked, "--hands", 900)
    at_once = compared("--vary", "knock_limit=10,4", "--seed", 7, "--hands", 900)
    assert larger["statistics"] == at_once["statistics"]
    assert ginsim.open_run(tmp_path / "out" / "knock_limit=4").count == 900


def test_stored_runs_of_the_same_deals_are_paired(tmp_path: Path) -> None:
    for limit, hands in ((10, 900), (4, 700)):
        ginsim.simulate("gin", settings={"knock_limit": limit}, hands=hands, seed=7, out=tmp_path / str(limit), chunk=200 if limit == 4 else 250)
    report = compared(tmp_path / "10", tmp_path / "4")
    expected = ginsim.compare("gin", vary={"knock_limit": [10, 4]}, hands=700, seed=7).report()
    for found, its in zip(differences(report), differences(expected), strict=True):
        assert {**found, "variant": "", "test": ""} == {**its, "variant": "", "test": ""}
    assert any("Paired are the 700 hands" in text for text in report["notes"])
    assert report["reference"] == str(tmp_path / "10")
    turned = compared(tmp_path / "10", tmp_path / "4", "--reference", tmp_path / "4")
    assert difference(turned, "draws")["difference"] == -difference(report, "draws")["difference"]


def test_stored_runs_of_other_deals_have_unpaired_differences(tmp_path: Path) -> None:
    runs = [
        ginsim.simulate("gin", settings={"knock_limit": limit}, hands=hands, seed=seed, out=tmp_path / str(limit))
        for limit, hands, seed in ((10, 900, 1), (4, 700, 2))
    ]
    report = ginsim.compare_runs([tmp_path / "10", tmp_path / "4"]).report()
    about = difference(report, "draws")
    draws = [run.frame()["draws"].to_numpy().astype(float) for run in runs]
    error = np.sqrt(sum(values.var(ddof=1) / len(values) for values in draws))
    parts = [values.var(ddof=1) / len(values) for values in draws]
    degrees = sum(parts) ** 2 / sum(part**2 / (len(values) - 1) for part, values in zip(parts, draws, strict=True))
    half = student.ppf(0.975, degrees) * error
    expected = draws[1].mean() - draws[0].mean()
    assert [about["difference"], about["low"], about["high"]] == pytest.approx([expected, expected - half, expected + half])
    assert about["paired"] is False
    assert any("is not paired with" in text and "the seed is 2 and not 1" in text for text in report["notes"])
    assert "nothing is paired" in answered("compare", tmp_path / "10", tmp_path / "4")


def test_stored_runs_of_other_numbers_of_a_seed_are_told_apart_and_not_taken_for_the_same_hands(tmp_path: Path) -> None:
    for name, bonus, first in (("early", 25, None), ("twenty", 20, None), ("late", 20, 400)):
        ginsim.simulate(
            settings={"gin_bonus": bonus}, strategies="expert", hands=400, seed=3, out=tmp_path / name, chunk=200, first=first
        )
    report = compared(tmp_path / "early", tmp_path / "late", tmp_path / "twenty")
    late, twenty = next(each for each in report["statistics"] if each["name"] == "points")["differences"]
    assert [late["paired"], twenty["paired"]] == [False, True]
    assert late["parts"] is None and twenty["parts"] is not None
    assert any("late is not paired with" in text and "no numbers of hands in common" in text for text in report["notes"])
    alone = compared(tmp_path / "early", tmp_path / "late")
    assert not alone["explanations"]
    assert "nothing is paired" in answered("compare", tmp_path / "early", tmp_path / "late")


def test_runs_that_differ_in_their_files_alone_have_no_rule_without_effect(tmp_path: Path) -> None:
    for chunk in (100, 200):
        ginsim.simulate("gin", hands=400, seed=3, out=tmp_path / str(chunk), chunk=chunk)
    report = compared(tmp_path / "100", tmp_path / "200")
    assert not any("differs from" in text for text in report["warnings"])
    assert all(each["same_by_construction"] for row in report["statistics"] for each in row["differences"])


# How it is shown


@pytest.mark.parametrize("width", [200, 110, 70, 40])
def test_narrow_terminals_lose_no_number(width: int) -> None:
    comparison = ginsim.compare(["hollywood", "gin"], vary={"knock_limit": [10, 4]}, matches=60, seed=1)
    wide = comparison.show()
    narrow = comparison.show(width=width)
    pieces = {piece for line in wide.splitlines()[3:] for piece in line.split() if piece[:1] in "+-(" and piece[-1:].isdigit()}
    assert pieces and all(piece in narrow for piece in pieces)
    assert all(len(line) <= width for line in narrow.splitlines() if "Again:" not in line)


def test_csv_has_a_line_for_each_statistic_of_each_variant_and_markdown_a_table_for_each_kind() -> None:
    comparison = ginsim.compare(vary={"knock_limit": [10, 4]}, hands=500, seed=1)
    report = comparison.report()
    table = pl.read_csv(comparison.show("csv").encode(), infer_schema=False)
    assert len(table) == 2 * len(report["statistics"])
    gin = table.filter(pl.col("statistic") == "gin_rate", pl.col("variant") == "4").row(0, named=True)
    assert float(gin["difference"]) == difference(report, "gin_rate")["difference"]
    assert comparison.show("markdown").count("| --- |") == 4
    assert json.loads(comparison.show("json")) == report
    assert report["schema"] == "ginsim.comparison/1"


def test_too_few_events_and_unmirrored_players_are_warned_of() -> None:
    report = ginsim.compare(vary={"stock_floor": [2, 3]}, strategies=["simple", "simple:knock=9"], hands=600, seed=1).report()
    assert any(text.startswith("undercut:") or text.startswith("draw:") for text in report["warnings"])
    assert any("--mirror" in text for text in report["warnings"])
    mirrored = ginsim.compare(vary={"stock_floor": [2, 3]}, strategies=["simple", "simple:knock=9"], hands=600, seed=1, mirror=True)
    assert not any("--mirror" in text for text in mirrored.report()["warnings"])


# What a mistake gets


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is one variant, and nothing to compare it with: add --vary FIELD=V1,V2, --rules or --player."),
        (["--vary", "gin_bonus"], "--vary 'gin_bonus': must be FIELD=VALUE,VALUE, such as undercut_bonus=10,25."),
        (["--vary", "gin_bonus=20,"], "--vary 'gin_bonus=20,': must be FIELD=VALUE,VALUE, such as undercut_bonus=10,25."),
        (["--vary", "gin_bonus=20,-5"], "gin_bonus = -5: must be 0 or more."),
        (["--vary", "gin_bonus=1,2", "--vary", "gin_bonus=3"], "--vary gin_bonus stands twice: name its values together, gin_bonus=1,2,3."),
        (["--vary", "gin_bonus=1,2", "--set", "gin_bonus=3"], "gin_bonus is both varied and set: choose one of --vary gin_bonus and --set gin_bonus."),
        (["--vary", "gin_bonus=1,2", "--reference", "3"], "--reference '3' is no variant: there are 1, 2."),
        (["--player", "simple", "--player", "expert", "--strategy", "random"], "--player compares players, --strategy seats them: choose one."),
        (["--against", "simple"], "--against says whom each --player meets: name at least one --player."),
        (["--vary", "gin_bonus=1,2", "--hands", "5", "--matches", "5"], "hands and matches: choose one."),
        (["--vary", "gin_bonus=1,2", "--until", "gin±0.1"], "--until 'gin±0.1': no statistic named 'gin' here; did you mean gin_rate?"),
        (["--vary", "gin_bonus=1,2", "--until", "gin_rate"], "--until 'gin_rate': must be STATISTIC±HALFWIDTH, such as gin_rate±0.0005 (or gin_rate+-0.0005)."),
        (["--vary", "gin_bonus=1,2", "--until", "gin_rate±0.1"], "--until: gin_rate cannot differ between these variants: nothing to wait for."),
        (["--plan-only", "--vary", "gin_bonus=1,2"], '--plan-only says how many a precision takes: name it with --until "gin_rate±0.0005".'),
        (["nowhere", "here"], "nowhere does not exist: name a folder that `ginsim simulate --out` has written."),
        (["nowhere", "--hands", "5"], "--hands does not go with folders: stored runs are compared as they are."),
    ],
)
def test_a_mistake_is_one_line(arguments: list[str], message: str) -> None:
    result = called("compare", *arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {message}\n")


def test_runs_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    ginsim.simulate("gin", hands=10, seed=1, out=tmp_path / "hands")
    ginsim.simulate("gin", matches=2, seed=1, out=tmp_path / "matches")
    result = called("compare", tmp_path / "hands", tmp_path / "matches")
    assert result.exit_code == 2 and "single hands and matches cannot be compared" in result.stderr
    assert "one run has nothing to be compared with" in called("compare", tmp_path / "hands").stderr
    assert contents(tmp_path / "hands")


def test_an_interrupt_keeps_what_was_played_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    process = started("compare", "--vary", "knock_limit=10,4", "--hands", "50m", "--seed", 7, "--out", folder)
    end = time.monotonic() + 60
    while len(list(folder.glob("knock_limit=4/hands/*.parquet"))) < 2 and time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output, message = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, "")
    said = message.splitlines()[-1]
    assert said.startswith("Stopped at ") and f"of 100,000,000 hands of 2 variants; all of them are in {folder}. Continue: " in said
    again = shlex.split(said.partition("Continue: ")[2])
    runs = [ginsim.open_run(folder / f"knock_limit={limit}") for limit in (10, 4)]
    count = max(run.count for run in runs)
    # The whole would take long: a smaller number, no smaller than what is there, is the same comparison.
    assert compared(*again[2:], "--hands", count)["count"] == count
    assert [ginsim.open_run(run.folder).count for run in runs] == [count, count]


def test_a_comparison_is_drawn_and_written_as_a_page(tmp_path: Path) -> None:
    picture, side = tmp_path / "bonus.svg", tmp_path / "bonus.html"
    words = ("compare", "--vary", "gin_bonus=20,25", "--hands", 2000, "--seed", 1, "--plot", picture, "--html", side)
    document = json.loads(answered(*words, "--format", "json"))
    points = next(each for each in document["statistics"] if each["name"] == "points")
    assert "Winner's points" in "".join(ElementTree.parse(picture).getroot().itertext())
    assert f'value="{points["variants"][1]["estimate"]}"' in side.read_text(encoding="utf-8")
    refused = called("compare", "--vary", "gin_bonus=20,25", "--until", "points±1", "--plan-only", "--plot", picture)
    assert refused.stderr == "Error: --plan-only plays nothing that could be drawn: leave out --plot and --html.\n"
