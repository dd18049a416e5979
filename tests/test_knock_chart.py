"""When to knock: the chart against the slow twin, cell by cell; its intervals, its words, and the command."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

import naive
import numpy as np
import pytest
from commands import answered, called
from table import compiled_only, rules, several

import ginsim
from ginsim import UsageError, knock_chart, knocking
from ginsim.report.knock_chart import knock_chart_text
from ginsim.statistics.knocks import advice, knock_cells

quick = pytest.mark.quick

# The slow twin ---------------------------------------------------------------------------------------------------------


class Turned:
    """A player of the twin whose answers to knock are noted, and one of them turned round."""

    def __init__(self, player: Any, seat: str, met: list[tuple[str, int, int, bool]], history: list, turned: int) -> None:
        self.player, self.seat, self.met, self.history, self.turned = player, seat, met, history, turned
        self.take, self.discard, self.declare = player.take, player.discard, player.declare

    def knock(self, view: Any) -> bool:
        own = bool(self.player.knock(view))
        draws = sum(what in ("take", "draw") for _, what, _ in self.history)
        self.met.append((self.seat, draws, naive.deadwood(view.hand), own))
        return own != (len(self.met) == self.turned)


def played(
    table: Mapping[str, Any], specs: Sequence[str], seed: int, number: int, turned: int, scores: tuple[int, int] | None
) -> tuple[list[tuple[str, int, int, bool]], int]:
    """The questions to knock of a hand, and what it brings A (in a game: whether A wins that)."""
    roles = ("A", "B", "C") if table["format"] == "three_handed" else ("B", "A")
    if number % 2:
        roles = tuple({"A": "B", "B": "A", "C": "C"}[seat] for seat in roles)
    players = {seat: naive.make_player(specs[min(place, len(specs) - 1)]) for place, seat in enumerate("ABC")}
    dealer, met, sheet = roles[0], [], naive.ScoreSheet(table, ["A", "B"])
    if scores:
        sheet.games[0].scores.update(zip("AB", scores, strict=True))
    while True:
        hand = sheet.hands
        history: list = []
        seated = players
        if hand == 0:
            seated = {seat: Turned(player, seat, met, history, turned) for seat, player in players.items()}
        streams = {seat: naive.Stream(seed, naive.PLAY[seat], number, hand) for seat in players}
        row = naive.play_hand(
            table,
            seated,
            dealer,
            naive.deal(seed, number, hand),
            streams=streams,
            roles=roles if len(roles) == 3 else None,
            history=history,
        )
        if not scores:
            return met, {"A": 1, "B": -1, None: 0}[row["winner"]] * row["points"]
        sheet.enter(row["winner"], row["points"])
        if sheet.over() or sheet.hands == table["max_hands"]:
            return met, int(sheet.games[0].winner == "A")
        dealer = naive.dealers(dealer, [row["winner"]], table)[-1]


def twin(
    name: str, specs: Sequence[str], seed: int, hands: int, scores: tuple[int, int] | None = None, **changes: Any
) -> dict[tuple[int, int], list[tuple[int, bool]]]:
    """By draws and deadwood: what knocking brings the decider more than playing on, and whether he knocked himself."""
    table = naive.preset(name, **changes)
    found = defaultdict(list)
    for number in range(hands):
        met, natural = played(table, specs, seed, number, 0, scores)
        for place, (seat, draws, deadwood, own) in enumerate(met, 1):
            if seat == "B" and (scores or len(set(specs[:2])) > 1):
                continue
            other = played(table, specs, seed, number, place, scores)[1]
            gain = natural - other if own else other - natural
            found[draws, deadwood].append((gain if seat == "A" else -gain, own))
    return dict(found)


def compare(chart: Mapping[str, Any], expected: Mapping[tuple[int, int], list[tuple[int, bool]]]) -> None:
    cells = {(cell["draws"], cell["deadwood"]): cell for cell in chart["cells"]}
    assert cells.keys() == expected.keys()
    for place, decisions in expected.items():
        cell, gains = cells[place], [gain for gain, _ in decisions]
        assert cell["n"] == len(gains)
        assert cell["knocks"] == pytest.approx(sum(own for _, own in decisions) / len(gains))
        assert cell["value"] == (pytest.approx(sum(gains) / len(gains)) if len(gains) > 1 else None), place


ODD = [
    ("gin", ["simple"], {}),
    ("gin", ["simple:knock=0"], {"undercut_bonus": 25}),
    ("gin", ["simple:knock=4", "random"], {}),
    ("gin", ["simple:knock=2"], {"undercut_on_tie": False, "undercut_bonus": 0, "max_draws": 24}),
    ("gin", ["simple"], {"big_gin_bonus": 31, "last_discard": "knock", "stock_floor": 10, "discard_taken_card": True}),
    ("oklahoma", ["simple:knock=6"], {"big_gin_bonus": 0}),
    ("hollywood", ["simple:knock=3"], {}),
    ("three-handed", ["simple", "simple", "random"], {}),
    ("straight", ["simple"], {}),
]


@quick
@pytest.mark.parametrize(("name", "specs", "changes"), ODD, ids=[f"{name} {specs[0]}" for name, specs, _ in ODD])
def test_every_cell_is_what_the_slow_twin_finds_by_playing_both_ways(
    name: str, specs: list[str], changes: dict[str, Any]
) -> None:
    hands = several(24, 6)
    found = knock_chart(rules(name, **changes), strategies=specs, hands=hands, seed=5, least=2)
    expected = twin(name, specs, 5, hands, **changes)
    assert expected
    compare(found["charts"][0], expected)
    assert found["charts"][0]["decisions"] == sum(map(len, expected.values()))


@quick
@pytest.mark.parametrize("scores", [(0, 0), (60, 85), (90, 20)])
@pytest.mark.parametrize("name", ["gin", "eaai", "oklahoma"])
def test_from_scores_every_cell_is_the_share_of_games_that_the_slow_twin_wins_more(
    name: str, scores: tuple[int, int]
) -> None:
    hands, specs = several(5, 2), ["simple:knock=5", "random"] if name == "gin" else ["simple:knock=5"]
    changes = {"target": 100, "max_hands": 8}
    found = knock_chart(rules(name, **changes), strategies=specs, hands=hands, seed=3, least=2, scores=scores)
    compare(found["charts"][0], twin(name, specs, 3, hands, scores, **changes))


# What it says ----------------------------------------------------------------------------------------------------------


@compiled_only
def test_the_chart_depends_on_the_seed_and_not_on_workers_or_pieces() -> None:
    settings: dict[str, Any] = {"strategies": "expert", "hands": 1500, "least": 2}
    one, two = (knock_chart("gin", seed=1, workers=workers, **settings) for workers in (1, 3))
    assert one["charts"] == two["charts"]
    assert knock_chart("gin", seed=2, **settings)["charts"] != one["charts"]


@compiled_only
def test_the_first_hands_of_more_are_the_same_hands() -> None:
    few, more = (knock_chart("gin", strategies="simple", hands=hands, seed=1)["charts"][0] for hands in (500, 700))
    counts = [{(cell["draws"], cell["deadwood"]): cell["n"] for cell in chart["cells"]} for chart in (few, more)]
    assert all(counts[1][place] >= n for place, n in counts[0].items())
    assert more["decisions"] > few["decisions"]


@compiled_only
def test_players_knock_in_the_chart_as_often_as_they_do_in_the_same_hands_simulated() -> None:
    chart = knock_chart("gin", strategies="expert", hands=3000, seed=8)["charts"][0]
    rows = ginsim.simulate("gin", hands=3000, seed=8, strategies="expert").frame()
    knocked = rows.filter(rows["knocker"].is_not_null())
    by_place = knocked.group_by("draws", "knocker_deadwood").len()
    expected = {(draws, deadwood): n for draws, deadwood, n in by_place.iter_rows()}
    found = {(cell["draws"], cell["deadwood"]): round(cell["n"] * cell["knocks"]) for cell in chart["cells"]}
    assert {place: n for place, n in found.items() if n} == expected


@compiled_only
def test_both_players_decide_where_they_are_the_same_and_else_a() -> None:
    same, other = (knock_chart("gin", strategies=specs, hands=400, seed=1) for specs in (["simple"], ["simple", "random"]))
    assert (same["deciders"], other["deciders"]) == (["A", "B"], ["A"])
    # `simple` knocks as soon as it may: every decision of A is a knock.
    assert {cell["knocks"] for cell in other["charts"][0]["cells"]} == {1.0}


def counts(*gains: int) -> np.ndarray:
    """Counts with these differences in the cell of 3 draws and deadwood 7."""
    table = np.zeros((6, 11, 4), np.int64)
    table[3, 7] = len(gains), 0, sum(gains), sum(gain * gain for gain in gains)
    return table


@quick
def test_a_cell_has_the_mean_difference_with_students_interval() -> None:
    from scipy import stats

    gains = [3, -8, 14, 25, 0, 7, 7]
    (cell,) = knock_cells(counts(*gains), 2, of_games=False)
    expected = stats.ttest_1samp(gains, 0).confidence_interval(0.95)
    assert (cell["draws"], cell["deadwood"], cell["n"]) == (3, 7, 7)
    assert (cell["value"], cell["low"], cell["high"]) == pytest.approx((np.mean(gains), expected.low, expected.high))
    assert cell["verdict"] == "open"


@quick
def test_words_are_of_what_is_clear_with_the_level_shared_among_all_cells() -> None:
    from scipy import stats

    gains = [4, 9, -3, 12, 7, 1, 8, -2, 6, 5]
    p = stats.ttest_1samp(gains, 0).pvalue
    table = counts(*gains)
    assert 0.05 / 20 < p < 0.05 / 2
    assert knock_cells(table, 2, of_games=False)[0]["clear"]
    # Nineteen more cells in which nothing is known.
    for place in range(19):
        table[1 + place // 11, place % 11] = 10, 0, 0, 1000
    cells = {(cell["draws"], cell["deadwood"]): cell for cell in knock_cells(table, 2, of_games=False)}
    assert len(cells) == 20
    assert (cells[3, 7]["verdict"], cells[3, 7]["clear"]) == ("knock", False)
    assert advice(list(cells.values()))[7] == {"deadwood": 7, "stretches": []}


@quick
def test_a_cell_below_the_minimum_has_a_number_and_no_value() -> None:
    (cell,) = knock_cells(counts(4, 5, 6), 4, of_games=False)
    assert (cell["n"], cell["value"], cell["low"], cell["high"], cell["verdict"], cell["clear"]) == (3, *[None] * 5)
    assert knock_cells(counts(4, 5, 6), 3, of_games=False)[0]["value"] == 5


@quick
@pytest.mark.parametrize(("gain", "verdict"), [(1, "knock"), (-1, "play on"), (0, "open")])
def test_games_that_all_go_the_same_way_are_not_taken_to_be_certain(gain: int, verdict: str) -> None:
    (cell,) = knock_cells(counts(*[gain] * 200), 100, of_games=True)
    # None of 200 otherwise: Wilson's upper bound is z² / (n + z²).
    rare = 1.959964**2 / (200 + 1.959964**2)
    assert (cell["low"], cell["high"]) == pytest.approx((gain - rare * (1 + gain), gain + rare * (1 - gain)))
    assert (cell["verdict"], cell["clear"]) == (verdict, verdict != "open")


@compiled_only
def test_intervals_cover_what_many_more_hands_show() -> None:
    """95 % of the cells' intervals of one half hold the other half's value, within what that one itself may be off."""
    first, second = (
        {(cell["draws"], cell["deadwood"]): cell for cell in knock_chart("gin", strategies="simple", hands=100_000, seed=seed)["charts"][0]["cells"]}
        for seed in (1, 2)
    )
    off = []
    for place in first.keys() & second.keys():
        one, other = first[place], second[place]
        if one["value"] is not None and other["value"] is not None:
            error = sqrt(sum(((cell["high"] - cell["low"]) / 2) ** 2 for cell in (one, other)))
            off.append(abs(one["value"] - other["value"]) > error)
    assert len(off) > 100
    assert 0.01 < np.mean(off) < 0.10


def cells_of(*verdicts: str | None, deadwood: int = 10) -> list[dict[str, Any]]:
    return [
        {"draws": draws, "deadwood": deadwood, "verdict": verdict, "clear": verdict in ("knock", "play on")}
        for draws, verdict in enumerate(verdicts, 1)
    ]


@quick
def test_advice_is_what_is_clear_in_the_order_of_draws() -> None:
    found = advice(cells_of(None, "knock", "open", "knock", None, "open", "play on", "open", "play on", None))
    knock, play_on = {"verdict": "knock", "first": 2, "last": 4}, {"verdict": "play on", "first": 7, "last": 9}
    assert found == [{"deadwood": 10, "stretches": [knock, play_on]}]
    assert advice(cells_of("open", None)) == [{"deadwood": 10, "stretches": []}]
    assert advice(cells_of(None)) == []


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """Two charts of a few decisions each."""
    return knock_chart("gin", hands=4000, seed=1, vary={"undercut_bonus": [10, 25]}, strategies="simple:knock=8", least=30)


@compiled_only
def test_the_table_has_every_value_with_half_its_interval(document: dict[str, Any]) -> None:
    text = knock_chart_text(document, "table")
    for chart in document["charts"]:
        valued = [cell for cell in chart["cells"] if cell["value"] is not None]
        assert valued and any(cell["value"] is None for cell in chart["cells"])
        for cell in valued:
            open_ = "?" if cell["low"] <= 0 <= cell["high"] else ""
            assert f"{cell['value']:+.1f} ±{(cell['high'] - cell['low']) / 2:.1f}{open_}" in text
    for title in ("undercut_bonus 10: ", "undercut_bonus 25: ", "draws  turn", "gin", "with 10:"):
        assert title in text
    assert text.rstrip().endswith(document["command"])
    assert "\x1b" not in text


@compiled_only
def test_a_terminal_has_colours_and_no_number_less_in_a_narrow_one(document: dict[str, Any]) -> None:
    wide, narrow = (knock_chart_text(document, "table", width=width, terminal=True) for width in (200, 70))
    assert "\x1b[32m" in wide and "\x1b[31m" in wide
    assert wide.count("±") == narrow.count("±")


@compiled_only
def test_csv_and_markdown_have_every_cell(document: dict[str, Any]) -> None:
    rows = list(csv.DictReader(io.StringIO(knock_chart_text(document, "csv"))))
    assert [row["undercut_bonus"] for row in rows if row["undercut_bonus"] == "10"] == ["10"] * len(document["charts"][0]["cells"])
    assert len(rows) == sum(len(chart["cells"]) for chart in document["charts"])
    cell, row = document["charts"][0]["cells"][0], rows[0]
    assert row["value"] == ("" if cell["value"] is None else str(cell["value"]))
    markdown = knock_chart_text(document, "markdown")
    assert {line.count("|") for line in markdown.splitlines() if line.startswith("| draws")} == {14}
    with pytest.raises(ValueError, match="xml"):
        knock_chart_text(document, "xml")


def worded(*verdicts: str | None) -> str:
    """What the table says of deadwood 10 with these verdicts after 1, 2, 3 … draws."""
    chart = {"vary": {}, "rules": "gin", "decisions": 1, "limit": 10, "cells": [], "advice": advice(cells_of(*verdicts))}
    head = {"scores": None, "hands": 1, "players": [{"strategy": "simple"}], "seed": 1, "ginsim": "0", "seconds": 1.0, "level": 0.95}
    text = knock_chart_text(
        {**head, "least": 2, "deciders": ["A"], "unit": "points", "command": "", "charts": [chart]}, "table"
    )
    return next(line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("  with 10"))


@quick
def test_words_say_up_to_when_to_knock() -> None:
    k, p = "knock", "play on"
    assert worded(k, None, k, "open", p, p) == "knock up to draw 3 (turn 2), then play on from draw 5 (turn 3)"
    assert worded(k, "open") == "knock at draw 1"
    assert worded(None, p, "open", p) == "play on at draws 2 to 4"
    assert worded("open") == "open"
    assert worded(p, k, k, p) == "play on up to draw 1 (turn 1), then knock from draw 2 (turn 1) to 3 (turn 2), then play on from draw 4 (turn 2)"
    assert worded(p, k, p, k) == "now one, now the other: see the table"


# The command -----------------------------------------------------------------------------------------------------------


@compiled_only
def test_the_command_shown_gives_the_same_again() -> None:
    first = answered(
        "knock-chart", "--rules", "hollywood", "--set", "gin_bonus=20", "--vary", "undercut_bonus=10,25", "--strategy", "simple",
        "--hands", "300", "--seed", "4", "--min", "5", "--format", "json",
    )
    document = json.loads(first)
    assert document["schema"] == "ginsim.knock-chart/1"
    assert [chart["vary"] for chart in document["charts"]] == [{"undercut_bonus": 10}, {"undercut_bonus": 25}]
    assert [chart["fields"]["gin_bonus"] for chart in document["charts"]] == [20, 20]
    again = json.loads(answered(*document["command"].split()[1:], "--format", "json"))
    assert {**again, "seconds": 0} == {**document, "seconds": 0}


@compiled_only
def test_expert_plays_where_nobody_is_named_and_games_are_told_in_hundredths() -> None:
    text = answered("knock-chart", "--rules", "gin", "--scores", "60-85", "--hands", "300", "--seed", "1", "--min", "5")
    assert "300 games · from 60-85 · rules gin · expert v expert · seed 1" in text
    assert "knocking now less playing on, in games won per hundred" in text
    assert text.rstrip().endswith("ginsim knock-chart --rules gin --scores 60-85 --hands 300 --seed 1 --min 5")


@compiled_only
def test_too_few_decisions_are_said_to_be_too_few() -> None:
    text = answered("knock-chart", "--rules", "gin", "--strategy", "simple", "--hands", "20", "--seed", "1")
    assert "No cell has 100 decisions: play more hands, or ask for fewer with --min." in text
    assert "In words" not in text
    options = ("--rules", "gin", "--strategy", "simple", "--hands", "20", "--seed", "1", "--vary", "undercut_bonus=10,25")
    assert not any(line.split("  ")[-1] == "undercut_bonus 25" for line in answered("knock-chart", *options).splitlines())
    assert answered("knock-chart", *options, "--format", "markdown").count("No cell has 100 decisions") == 2


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--scores", "60"], "'60' is not two scores such as 60-85, the decider's first."),
        (["--rules", "gin", "--scores", "60-100"], "scores 60-100: each must be from 0 to 99 in a game to 100."),
        (["--scores", "60-85"], "scores are of one game for two, and rules hollywood have format = hollywood: take gin,"),
        (["--rules", "three-handed", "--scores", "60-85"], "rules three-handed have format = three_handed"),
        (["--vary", "undercut_bonus"], "--vary 'undercut_bonus': must be FIELD=VALUE,VALUE, such as undercut_bonus=10,25."),
        (["--vary", "undercut_bonus=10,"], "--vary 'undercut_bonus=10,': must be FIELD=VALUE,VALUE"),
        (["--vary", "gin_bonus=1", "--vary", "gin_bonus=2"], "--vary gin_bonus stands twice: name its values together, gin_bonus=1,2."),
        (["--vary", "undercut_bonis=10"], "undercut_bonis = 10: rules have no such field. Did you mean undercut_bonus?"),
        (["--vary", f"gin_bonus={','.join(map(str, range(25)))}"], "25 charts: at most 24; vary less at once."),
        (["--strategy", "expertt"], "no strategy named 'expertt'. Did you mean 'expert'?"),
        (["--strategy", "simple"] * 3, "3 strategies for 2 seats"),
        (["--min", "1"], "1 is not in the range x>=2."),
        (["--hands", "0"], "'0' is not a whole number from 1 on"),
        (["--workers", "0"], "'0' is not a number of workers from 1 to 1024, or auto."),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(arguments: list[str], line: str) -> None:
    result = called("knock-chart", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert line in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"hands": 0}, "hands = 0"),
        ({"hands": 1.5}, "hands = 1.5"),
        ({"least": 1}, "least = 1"),
        ({"seed": -1}, "seed = -1"),
        ({"workers": 0}, "workers = 0"),
        ({"vary": {"gin_bonus": []}}, "vary gin_bonus: names no value"),
    ],
)
def test_from_python_too(settings: dict[str, Any], line: str) -> None:
    with pytest.raises(UsageError, match=line):
        knock_chart("gin", **settings)


@compiled_only
def test_a_player_in_plain_python_is_charted_like_the_built_in_one_it_copies(tmp_path: Any) -> None:
    file = tmp_path / "bots.py"
    file.write_text(
        "class Gin:\n"
        "    def take(self, view):\n        return view.phase != 'last' and view.makes_meld(view.top)\n"
        "    def discard(self, view):\n        return sorted(view.best_discards())[0]\n"
        "    def knock(self, view):\n        return view.deadwood == 0\n"
        "class Faulty(Gin):\n"
        "    def knock(self, view):\n        return 1 // 0\n"
    )
    chart = knock_chart("gin", strategies=f"{file}:Gin", hands=40, seed=1, least=2)["charts"][0]
    assert {cell["knocks"] for cell in chart["cells"] if cell["deadwood"] > 0} == {0.0}
    assert {cell["knocks"] for cell in chart["cells"] if cell["deadwood"] == 0} <= {1.0}
    result = called("knock-chart", "--rules", "gin", "--strategy", f"{file}:Faulty", "--hands", "40", "--seed", "1")
    assert result.exit_code == 1
    assert "raised ZeroDivisionError" in result.stderr and "(bots.py, line 10)" in result.stderr


@compiled_only
def test_an_interrupt_ends_it_and_says_how_far_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = knocking.run

    def interrupted(*arguments: Any) -> Iterator[Any]:
        yield next(whole(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(knocking, "run", interrupted)
    result = called("knock-chart", "--rules", "gin", "--strategy", "simple", "--hands", "1m", "--seed", "1", "--workers", "1")
    assert (result.exit_code, result.stdout) == (130, "")
    assert re.fullmatch(r"Stopped at [12]0,000 of 1,000,000 hands; a chart is not stored.\n", result.stderr)
