"""The exact odds, against hands put together from melds, against the naive solver, and against known numbers."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from collections import Counter
from itertools import combinations
from math import comb, sqrt
from pathlib import Path

import naive
import numpy as np
import pytest
from click.testing import CliRunner

import ginsim.odds
from ginsim.accelerate import COMPILED, kernel, popcount
from ginsim.cards import RANKS
from ginsim.cli.odds import odds as command
from ginsim.errors import GinsimError, UsageError
from ginsim.melds import best_discards
from ginsim.odds import ALL_RANKS, Odds, distribution, document

ROOT = Path(__file__).parent.parent

compiled = pytest.mark.skipif(not COMPILED, reason="too many hands for plain Python")


def bits(ranks: str) -> int:
    return sum(1 << RANKS.index(rank) for rank in ranks)


@pytest.fixture(scope="module")
def ten() -> Odds:
    if not COMPILED:
        pytest.skip("too many hands for plain Python")
    return distribution(10)


# Counting


def test_all_hands_of_ten_cards_have_the_published_odds(ten: Odds):
    assert ten.total == comb(52, 10) == 15_820_024_220
    assert ten.at_most(0) == 136_694
    assert ten.at_most(5) == 2_009_322
    assert ten.at_most(10) == 10_212_276
    assert round(ten.mean, 4) == 56.5694
    assert round(ten.sd, 4) == 13.7912
    assert len(ten.counts) == 99 and ten.counts[98] > 0
    assert ten.all_melded is None


def all_melds(ranks: int, size: int) -> list[int]:
    """The melds of so many cards in a deck with only these ranks (R3), as sets of cards with the number 13 * suit + rank."""
    held = [rank for rank in range(13) if ranks >> rank & 1]
    sets = [sum(1 << 13 * suit + rank for suit in suits) for rank in held for suits in combinations(range(4), size)]
    runs = [
        ((1 << size) - 1) << 13 * suit + low
        for suit in range(4)
        for low in range(14 - size)
        if all(rank in held for rank in range(low, low + size))
    ]
    return (sets if size <= 4 else []) + runs


def melded_hands(ranks: int, *shapes: tuple[int, ...]) -> np.ndarray:
    """All hands that melds of the sizes of one of the shapes make up, put together meld by meld; each once."""
    found = []
    for shape in shapes:
        hands = np.zeros(1, np.int64)
        for size in shape:
            melds = np.array(all_melds(ranks, size), np.int64)
            apart = (hands[:, None] & melds) == 0
            hands = np.unique((hands[:, None] | melds)[apart])
        found.append(hands)
    return np.unique(np.concatenate(found))


def melded_ten(ranks: int) -> np.ndarray:
    # Longer runs are shorter ones end to end, except five cards; so two fives are all there is besides.
    return melded_hands(ranks, (3, 3, 4), (5, 5))


def melded_eleven(ranks: int) -> np.ndarray:
    return melded_hands(ranks, (3, 4, 4), (3, 3, 5))


def one_more(hands: np.ndarray, ranks: int) -> np.ndarray:
    """All hands that these and one more card are; each once."""
    deck = np.array([1 << 13 * suit + rank for suit in range(4) for rank in range(13) if ranks >> rank & 1], np.int64)
    missing = (hands[:, None] & deck) == 0
    return np.unique((hands[:, None] | deck)[missing])


def test_gin_as_dealt_counts_the_hands_put_together_from_melds(ten: Odds):
    assert len(melded_ten(ALL_RANKS)) == ten.at_most(0) == 136_694


@compiled
@pytest.mark.parametrize("ranks", ["A2345678", "6789TJQK", "A23789TJ"])
def test_gin_and_big_gin_of_eleven_cards_count_the_hands_put_together_from_melds(ranks: str):
    deck = bits(ranks)
    found = distribution(11, ranks=deck)
    assert found.at_most(0) == len(one_more(melded_ten(deck), deck))
    assert found.all_melded == len(melded_eleven(deck))


def test_so_many_hands_of_eleven_cards_hold_gin_or_are_all_melded():
    """What ``distribution(11)`` has to find in the whole deck, which takes it too long for here."""
    assert len(one_more(melded_ten(ALL_RANKS), ALL_RANKS)) == 5_379_372
    assert len(melded_eleven(ALL_RANKS)) == 147_204


def deck_of(ranks: str) -> list[str]:
    return [rank + suit for rank in ranks for suit in naive.SUITS]


def counter(odds: Odds) -> Counter[int]:
    return Counter({points: hands for points, hands in enumerate(odds.counts) if hands})


@pytest.mark.parametrize("ranks", ["A234", "TJQK", "3578"])
def test_in_a_deck_of_four_ranks_the_naive_solver_finds_the_same_hand_by_hand(ranks: str):
    dealt = Counter(naive.deadwood(hand) for hand in combinations(deck_of(ranks), 10))
    assert counter(distribution(10, ranks=bits(ranks))) == dealt
    eleven = [frozenset(hand) for hand in combinations(deck_of(ranks), 11)]
    found = distribution(11, ranks=bits(ranks))
    assert counter(found) == Counter(naive.best_discards(hand)[0] for hand in eleven)
    assert found.all_melded == sum(naive.deadwood(hand) == 0 for hand in eleven)


@kernel()
def count_one_by_one(counts, lowest):  # noqa: ANN001, ANN201
    """All hands of eleven cards of seven neighbouring ranks, without any thought for suits."""
    seven = np.uint64(0x7F)
    for number in range(1 << 28):
        hand = np.uint64(number)
        if popcount(hand) == 11:
            low = (hand & seven) | ((hand >> np.uint64(7)) & seven) << np.uint64(16)
            high = ((hand >> np.uint64(14)) & seven) | (hand >> np.uint64(21)) << np.uint64(16)
            counts[best_discards((low | high << np.uint64(32)) << np.uint64(lowest), np.uint64(0))[0]] += 1


@compiled
@pytest.mark.parametrize("lowest", [0, 4])
def test_eleven_cards_are_counted_as_one_by_one_with_and_without_three_of_a_rank(lowest: int):
    counts = np.zeros(101, np.int64)
    count_one_by_one(counts, lowest)
    assert counts.sum() == comb(28, 11)
    assert counter(distribution(11, ranks=0x7F << lowest)) == counter(Odds(11, tuple(counts.tolist()), None))


def test_plain_python_counts_the_same_as_the_kernels():
    script = "from ginsim.odds import distribution; print([distribution(cards, ranks=0x1E) for cards in (10, 11)])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}
    plain = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert plain.stdout == f"{[distribution(cards, ranks=0x1E) for cards in (10, 11)]}\n"


def test_the_number_of_workers_changes_nothing():
    assert distribution(11, ranks=0x7E, workers=1) == distribution(11, ranks=0x7E, workers=3)


def test_an_enumeration_that_misses_a_hand_is_an_error(monkeypatch: pytest.MonkeyPatch):
    count = ginsim.odds._count

    def careless(cards, suits, starts, first, counts, melded, stop):  # noqa: ANN001, ANN202
        count(cards, suits, starts, first, counts, melded, stop)
        if first == 1 and not stop[0]:
            counts[first, counts[first].argmax()] -= 1

    monkeypatch.setattr(ginsim.odds, "_count", careless)
    with pytest.raises(GinsimError, match=r"counted 8,007 of 8,008 hands of 10 cards"):
        distribution(10, ranks=0xF)


@pytest.mark.parametrize("cards", [0, 9, 12])
def test_only_hands_of_ten_or_eleven_cards_have_odds(cards: int):
    with pytest.raises(UsageError, match=f"{cards} cards: a hand has 10, or 11 before its discard."):
        distribution(cards)


# Progress and interrupts


@compiled
def test_progress_grows_to_all_hands():
    seen: list[int] = []
    odds = distribution(10, ranks=bits("A23456789T"), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == odds.total


@compiled
def test_an_interrupt_stops_the_kernels_at_once():
    """All hands of eleven cards take longer by far, on any machine."""
    started: list[float] = []

    def interrupted(hands: int) -> None:
        started.append(time.monotonic())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        distribution(11, progress=interrupted)
    assert time.monotonic() - started[0] < 1.5


# Figures


def test_mean_deviation_and_quantiles_are_those_of_the_hands_written_out():
    odds = Odds(10, (1, 0, 3, 5, 0, 11), None)
    hands = np.repeat(np.arange(6), odds.counts)
    assert odds.total == len(hands)
    assert odds.mean == pytest.approx(hands.mean(), rel=1e-15)
    assert odds.sd == pytest.approx(hands.std(), rel=1e-15)
    for percent in range(1, 101):
        assert odds.quantile(percent) == np.quantile(hands, percent / 100, method="inverted_cdf")
    assert [odds.at_most(points) for points in range(-1, 7)] == [0, 1, 1, 4, 9, 9, 20, 20]
    assert (odds.share(5), odds.one_in(5), odds.one_in(0)) == (0.25, 4.0, None)


def test_the_document_says_each_number_once_and_as_a_whole_number_where_it_is_one():
    content = document(Odds(11, (2, 0, 6), 1), knock_limit=1)
    assert json.loads(json.dumps(content)) == content == {
        "schema": "ginsim.odds/1",
        "cards": 11,
        "knock_limit": 1,
        "total": 8,
        "gin": {"hands": 2, "share": 0.25, "one_in": 4.0},
        "knockable": {"hands": 2, "share": 0.25, "one_in": 4.0},
        "all_melded": {"hands": 1, "share": 0.125, "one_in": 8.0},
        "mean": 1.5,
        "sd": sqrt(0.75),
        "quantiles": {"5": 0, "25": 0, "50": 2, "75": 2, "95": 2},
        "max": 2,
        "counts": [
            {"deadwood": 0, "hands": 2, "share": 0.25, "one_in": 4.0}
            | {"cumulative": 2, "cumulative_share": 0.25, "cumulative_one_in": 4.0},
            {"deadwood": 1, "hands": 0, "share": 0.0, "one_in": None}
            | {"cumulative": 2, "cumulative_share": 0.25, "cumulative_one_in": 4.0},
            {"deadwood": 2, "hands": 6, "share": 0.75, "one_in": 8 / 6}
            | {"cumulative": 8, "cumulative_share": 1.0, "cumulative_one_in": 1.0},
        ],
    }


# The command


def shown(monkeypatch: pytest.MonkeyPatch, odds: Odds, *arguments: str) -> str:
    """What the command prints of odds that are already counted."""
    monkeypatch.setattr(ginsim.odds, "distribution", lambda cards, progress: odds if cards == odds.cards else None)
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_json_and_csv_hold_every_deadwood(monkeypatch: pytest.MonkeyPatch, ten: Odds):
    content = json.loads(shown(monkeypatch, ten, "--format", "json", "--knock-limit", "5"))
    assert content == document(ten, 5)
    assert content["knockable"]["hands"] == content["counts"][5]["cumulative"] == 2_009_322
    rows = list(csv.DictReader(shown(monkeypatch, ten, "--format", "csv").splitlines()))
    assert [{name: float(cell) for name, cell in row.items()} for row in rows] == content["counts"]
    assert rows[0]["hands"] == "136694"


def test_markdown_has_a_row_for_every_deadwood(monkeypatch: pytest.MonkeyPatch, ten: Odds):
    tables = shown(monkeypatch, ten, "--format", "markdown").split("\n\n")
    assert len(tables) == 4
    for table in tables[1:]:
        assert len({line.count("|") for line in table.splitlines()}) == 1
    assert len(tables[3].splitlines()) == 2 + 99
    assert "| knockable (at most 10) | 10,212,276 | 1,549.12 | 0.065 % |" in tables[1]
    assert "| 10 | 3,388,904 | 4,668.18 | 10,212,276 | 1,549.12 | 0.065 % |" in tables[3]


def test_the_table_puts_large_deadwoods_together_and_loses_no_hand(monkeypatch: pytest.MonkeyPatch, ten: Odds):
    text = shown(monkeypatch, ten)
    lines = {re.split(r"  +", line.strip())[0]: re.split(r"  +", line.strip())[1:] for line in text.splitlines()}
    assert text.startswith("  All 15,820,024,220 hands of ten cards\n")
    assert lines["gin"][:2] == ["136,694", "115,733"]
    assert lines["knockable (at most 10)"][:2] == ["10,212,276", "1,549.12"]
    assert lines["deadwood"][:2] == ["56.5694", "13.7912"]
    bands = [line for name, line in lines.items() if name[:1].isdigit()]
    assert len(bands) == 11 + 9
    assert sum(int(line[0].replace(",", "")) for line in bands) == ten.total
    assert lines["91 – 98"][2] == "15,820,024,220"
    assert max(map(len, text.splitlines())) <= 80


def test_a_narrow_terminal_gets_the_same_numbers_on_more_lines(monkeypatch: pytest.MonkeyPatch, ten: Odds):
    wide = shown(monkeypatch, ten)
    monkeypatch.setattr("ginsim.cli.odds._room", lambda: 60)
    narrow = shown(monkeypatch, ten)
    assert max(map(len, narrow.splitlines())) <= 60
    numbers = re.compile(r"[\d,.]+")
    assert set(numbers.findall(narrow)) == set(numbers.findall(wide))


def test_a_table_of_eleven_cards_shows_the_hands_all_melded(monkeypatch: pytest.MonkeyPatch):
    text = shown(monkeypatch, distribution(11, ranks=0xF), "--cards", "11", "--knock-limit", "0")
    assert re.search(r"^  After the discard  +hands  +one in  +of all$", text, re.MULTILINE)
    assert re.search(r"^  knockable \(at most 0\)  +1,176 ", text, re.MULTILINE)
    assert re.search(r"^  all eleven melded  ", text, re.MULTILINE)


@pytest.mark.parametrize("arguments", [("--cards", "12"), ("--knock-limit", "11"), ("--knock-limit", "-1"), ("--format", "xml")])
def test_what_cannot_be_counted_is_a_wrong_use(arguments: tuple[str, str]):
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert arguments[0] in result.stderr


@compiled
def test_a_terminal_sees_a_progress_bar_and_an_interrupt_ends_the_command():
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (25, 80))
    command_line = [sys.executable, "-m", "ginsim", "odds", "--cards", "11"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command_line, env=environment, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    try:
        seen = b""
        while not re.search(rb"[1-9]\S*G/60\.4G", seen):
            seen += os.read(ours, 10_000)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=5)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert (process.returncode, output) == (130, b"")


@compiled
def test_without_a_terminal_nothing_but_the_odds_is_said():
    result = CliRunner().invoke(command, ["--format", "csv"], catch_exceptions=False)
    assert result.stderr == ""
    assert result.stdout.startswith("deadwood,hands,share,one_in,cumulative,cumulative_share,cumulative_one_in\n0,136694,")
