"""``ginsim melds`` and the module behind it: the cases with known answers, the naive twin, what people type and see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import naive
import pytest
from click.testing import CliRunner, Result

from ginsim.cards import cards_text, parse_cards
from ginsim.cli import cli
from ginsim.errors import UsageError
from ginsim.solver import arrangements, best_arrangement, deadwood, discards, is_meld

ROOT = Path(__file__).parent.parent
CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]


def ran(*arguments: str, **settings: Any) -> Result:
    """What the command prints and returns; a bug in it is raised here."""
    result = CliRunner().invoke(cli, ["melds", *arguments], prog_name="ginsim", **settings)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def answer(*arguments: str) -> dict[str, Any]:
    """The JSON document that the command prints."""
    result = ran(*arguments, "--format", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def checks(*kinds: str) -> list[Any]:
    """The checks of these kinds, each with the number of its case in its name."""
    return [
        pytest.param(check["kind"], check["input"], check["expected"], id=f"{case['id']}-{number}-{check['kind']}")
        for case in CASES
        for number, check in enumerate(case["checks"], 1)
        if check["kind"] in kinds
    ]


def sampled(count: int, size: int, ranks: str, seed: int) -> list[list[str]]:
    """Hands from a deck of some ranks only: the fewer, the more melds contest a card."""
    dice = Random(seed)
    deck = [card for card in naive.DECK if card[0] in ranks]
    return [dice.sample(deck, size) for _ in range(count)]


RANDOM = sampled(60, 10, naive.RANKS, 1) + sampled(40, 11, naive.RANKS, 2)
DENSE = [
    hand
    for place, ranks in enumerate(("A2345", "6789T", "TJQK", "345", "A23456", "9TJQK"))
    for hand in sampled(12, 10, ranks, 10 + place) + sampled(12, 11, ranks, 20 + place)
]


KING_OF_DIAMONDS = 16 + 12


def as_texts(cards: int) -> frozenset[str]:
    return frozenset(cards_text(cards).split())


# The cases


@pytest.mark.parametrize(("kind", "given", "expected"), checks("deadwood"))
def test_case_deadwood(kind: str, given: dict[str, Any], expected: dict[str, Any]):
    cards = parse_cards(given["cards"])
    found = arrangements(cards)
    assert deadwood(cards) == found[0].deadwood == expected["deadwood"]
    assert len(found) == expected.get("arrangements", len(found))
    if cards.bit_count() >= 10:
        document = answer(given["cards"])
        assert document["deadwood"] == expected["deadwood"]
        assert 1 + len(document["others"]) == len(found)


@pytest.mark.parametrize(("kind", "given", "expected"), checks("discard", "knock"))
def test_case_discards(kind: str, given: dict[str, Any], expected: dict[str, Any]):
    taken = ["--taken", given["just_taken"]] if "just_taken" in given else []
    found = answer(given["cards"], *taken, "--knock-limit", str(given.get("limit", 10)))["discards"]
    if kind == "knock":
        assert {one["card"] for one in found if one["knock"]} == set(expected["knock_discards"])
        assert {one["card"] for one in found if one["gin"]} == set(expected["gin_discards"])
    else:
        assert found[0]["deadwood"] == expected["deadwood"]
        assert {one["card"] for one in found if one["deadwood"] == expected["deadwood"]} == set(expected["discards"])


@pytest.mark.parametrize(("kind", "given", "expected"), checks("is_meld"))
def test_case_is_meld(kind: str, given: dict[str, Any], expected: dict[str, Any]):
    assert is_meld(parse_cards(given["cards"])) == expected["meld"]


@pytest.mark.parametrize(("kind", "given", "expected"), checks("parse"))
def test_case_parse(kind: str, given: dict[str, Any], expected: dict[str, Any]):
    if expected["cards"] == "error":
        result = ran(given["text"])
        assert (result.exit_code, result.stdout) == (2, "")
        assert "is not a card" in result.stderr or "stands twice" in result.stderr
    else:
        assert as_texts(parse_cards(given["text"])) == set(expected["cards"])
        # As part of a hand they are the same cards.
        rest = [card for card in naive.DECK if card not in expected["cards"]][: 10 - len(expected["cards"])]
        assert answer(given["text"], *rest)["cards"] == expected["cards"] + rest


def test_case_MS_08_the_order_of_the_cards_changes_nothing():
    written = "2S 3S 4S 3H 3C JS 5C 7D 9D TD".split()
    first = answer(*written)
    dice = Random(8)
    for _ in range(20):
        dice.shuffle(written)
        again = answer(*written)
        assert {**again, "cards": first["cards"]} == first
    assert (first["deadwood"], first["melds"], first["others"]) == (47, [["3C", "3H", "3S"]], [[["2S", "3S", "4S"]]])


def test_case_MS_08_nor_does_a_new_process():
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "1"}
    command = [sys.executable, "-m", "ginsim", "melds", "TD 9D 7D 5C JS 3C 3H 4S 3S 2S", "--format", "json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["melds"] == [["3C", "3H", "3S"]]


# Against the naive twin


@pytest.mark.parametrize("hands", [RANDOM, DENSE], ids=["random", "dense"])
def test_every_arrangement_with_the_least_deadwood_is_found_R4_R14(hands: list[list[str]]):
    several = 0
    for hand in hands:
        cards = parse_cards(" ".join(hand))
        found = arrangements(cards)
        melds = [frozenset(map(as_texts, one.melds)) for one in found]
        assert len(melds) == len(set(melds))
        assert set(melds) == {frozenset(one) for one in naive.arrangements(hand)}
        assert melds[0] == frozenset(naive.spread(hand))
        assert found[0] == best_arrangement(cards)
        for one in found:
            assert one.deadwood == naive.deadwood(hand)
            assert list(one.melds) == sorted(one.melds)
            assert as_texts(one.loose).union(*map(as_texts, one.melds)) == set(hand)
        several += len(found) > 1
    assert several > 0


def test_discards_are_what_is_left_without_the_card_R8_R9_R10():
    seen = set()
    for number, hand in enumerate(hand for hand in RANDOM + DENSE if len(hand) == 11):
        taken, limit = (None, hand[0])[number % 2], number % 11
        arguments = [] if taken is None else ["--taken", taken]
        document = answer(*hand, *arguments, "--knock-limit", str(limit))
        left = naive.discards(hand, taken)
        assert {one["card"]: one["deadwood"] for one in document["discards"]} == left
        assert [one["deadwood"] for one in document["discards"]] == sorted(left.values())
        for one in document["discards"]:
            assert one["knock"] == (left[one["card"]] <= limit)
            assert one["gin"] == (left[one["card"]] == 0)
            seen.add((one["knock"], one["gin"]))
        assert document["deadwood"] == naive.deadwood(hand)
    assert seen == {(False, False), (True, False), (True, True)}


def test_is_meld_is_right_for_every_meld_and_what_is_nearly_one_R1_R3():
    for meld in naive.MELDS:
        assert is_meld(parse_cards(" ".join(meld)))
        changed = meld - {min(meld)} | {"7C"}
        assert is_meld(parse_cards(" ".join(changed))) == naive.is_meld(changed)
    assert not is_meld(0)
    assert not is_meld(parse_cards("AS 2S 3S 5S 6S 7S"))
    assert not is_meld(parse_cards("AS 2S AH 2H"))


def test_the_module_refuses_what_is_no_turn():
    with pytest.raises(UsageError, match="a card is thrown from eleven, not from 10"):
        discards(parse_cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS"))
    with pytest.raises(UsageError, match="KD, is not among the eleven"):
        discards(parse_cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS"), taken=KING_OF_DIAMONDS)


# What people type and see


@pytest.mark.parametrize(
    "words",
    [
        ["5C 6C 7C TD TH TS AS 2H KD 9S"],
        ["5c", "6c", "7c", "10d", "10h", "10s", "as", "2h", "kd", "9s"],
        ["5C6C7C10DTH10SAS2HKD9S"],
        ["5♣6♣7♣", "10♦ T♥ 10♠", "a♠,2♡;K♢", "9♠"],
    ],
)
def test_cards_are_read_as_people_write_them(words: list[str]):
    document = answer(*words)
    assert document == {
        "cards": ["5C", "6C", "7C", "TD", "TH", "TS", "AS", "2H", "KD", "9S"],
        "deadwood": 22,
        "melds": [["5C", "6C", "7C"], ["TD", "TH", "TS"]],
        "loose": ["KD", "2H", "AS", "9S"],
        "others": [],
    }


def test_ten_cards_show_deadwood_and_every_arrangement_as_good():
    assert ran("2S 3S 4S 3H 3C JS 5C 7D 9D TD").stdout.splitlines() == [
        "10 cards: 2♠ 3♠ 4♠ 3♥ 3♣ J♠ 5♣ 7♦ 9♦ T♦",
        "Deadwood 47: 3♣3♥3♠ + 5♣ 7♦ 9♦ T♦ 2♠ 4♠ J♠",
        "As good: 2♠3♠4♠ + 3♣ 5♣ 7♦ 9♦ T♦ 3♥ J♠",
        "The first is what a knocker shows (R14).",
    ]
    assert ran("KS KC QD QH JS JC TD TH 9S 9C").stdout.splitlines() == [
        "10 cards: K♠ K♣ Q♦ Q♥ J♠ J♣ T♦ T♥ 9♠ 9♣",
        "Deadwood 98: no meld + 9♣ J♣ K♣ T♦ Q♦ T♥ Q♥ 9♠ J♠ K♠",
    ]


def test_eleven_cards_show_every_discard_the_best_first():
    lines = ran("4S 5S 6S 9H 9C 9D JC QC KC 8H KD").stdout.splitlines()
    assert lines[:4] == [
        "11 cards: 4♠ 5♠ 6♠ 9♥ 9♣ 9♦ J♣ Q♣ K♣ 8♥ K♦",
        "throw  leaves  with melds                     may knock",
        "K♦          8  J♣Q♣K♣ · 9♣9♦9♥ · 4♠5♠6♠ + 8♥  yes",
        "8♥         10  J♣Q♣K♣ · 9♣9♦9♥ · 4♠5♠6♠ + K♦  yes",
    ]
    assert len(lines) == 2 + 11
    assert all(line.endswith("no (10)") for line in lines[4:])


def test_the_card_just_taken_may_not_be_thrown_R8():
    result = ran("4S 5S 6S 9H 9C 9D JC QC KC 8H KD", "--taken", "k♦", "--knock-limit", "9")
    lines = result.stdout.splitlines()
    assert lines[2].split()[:2] == ["8♥", "10"]
    assert lines[2].endswith("no (9)")
    assert not any(line.startswith("K♦") for line in lines[:-1])
    assert lines[-1] == "K♦ was just taken from the pile and may not be thrown (R8)."
    assert len(lines) == 2 + 10 + 1


def test_eleven_melded_cards_are_noted_R11():
    lines = ran("4S 4C 4D 4H 5S 5C 5D 5H 6S 6C 6D").stdout.splitlines()
    assert lines[-1] == "All eleven are melded: big gin, where the rules have it (R11)."
    assert [line.split()[-1] for line in lines[2:-1]] == ["gin"] * 8 + ["yes"] * 3


# Many hands

FILE = """# two hands
4S 5S 6S 9H 9C 9D JC QC KC 8H KD   # eleven

KSKCQDQHJSJCTDTH9S9C
4S 4C 4D 4H 5S 5C 5D 5H 6S 6C 6D
"""


def test_a_file_gives_a_line_for_every_hand(tmp_path: Path):
    (tmp_path / "hands.txt").write_text(FILE)
    result = ran("--file", str(tmp_path / "hands.txt"))
    assert result.stdout.splitlines() == [
        "  8  J♣Q♣K♣ · 9♣9♦9♥ · 4♠5♠6♠ + 8♥  throw K♦; may knock",
        " 98  no meld + 9♣ J♣ K♣ T♦ Q♦ T♥ Q♥ 9♠ J♠ K♠",
        "  0  4♦4♥4♠ · 5♣5♦5♥5♠ · 6♣6♦6♠  throw 4♣ or 5♣ or 4♦ or 5♦ or 4♥ or 5♥ or 4♠ or 5♠; gin, all eleven melded",
    ]
    assert ran("--file", "-", input=FILE).stdout == result.stdout


def test_a_file_gives_a_document_for_every_hand(tmp_path: Path):
    (tmp_path / "hands.txt").write_bytes(b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode())
    lines = ran("--file", str(tmp_path / "hands.txt"), "--format", "json").stdout.splitlines()
    hands = ["4S 5S 6S 9H 9C 9D JC QC KC 8H KD", "KSKCQDQHJSJCTDTH9S9C", "4S 4C 4D 4H 5S 5C 5D 5H 6S 6C 6D"]
    assert list(map(json.loads, lines)) == [answer(hand) for hand in hands]


@pytest.mark.parametrize("output_format", ["table", "json"])
def test_a_bad_line_ends_the_reading_after_the_hands_above_it(tmp_path: Path, output_format: str):
    path = tmp_path / "hands.txt"
    path.write_text(f"{FILE}\nAS 2S\nAS AS\n")
    result = ran("--file", str(path), "--format", output_format)
    assert result.exit_code == 2
    assert result.stderr == f"Error: {path}, line 7: a hand has ten cards, or eleven after a draw, and not 2.\n"
    assert len(result.stdout.splitlines()) == 3


def test_thousands_of_hands_end_quietly_at_head():
    hands = "\n".join(" ".join(hand) for hand in sampled(3000, 11, naive.RANKS, 5))
    command = f'"{sys.executable}" -m ginsim melds --file - | head -n 2'
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-c", command], input=hands, env=environment, capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 2
    assert done.stderr == ""


def test_thousands_of_hands_agree_with_one_at_a_time():
    hands = sampled(2000, 11, naive.RANKS, 6)
    lines = ran("--file", "-", "--format", "json", input="\n".join(map("".join, hands))).stdout.splitlines()
    assert len(lines) == len(hands)
    for hand, line in zip(hands, lines, strict=True):
        document = json.loads(line)
        assert document["cards"] == hand
        best = document["discards"][0]
        left = parse_cards("".join(hand)) ^ parse_cards(best["card"])
        assert best["deadwood"] == deadwood(left)


# Mistakes

TEN = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "no cards: give ten, or eleven after a draw, or --file with a hand a line."),
        (["AS"], "a hand has ten cards, or eleven after a draw, and not 1."),
        ([TEN, "JS", "QS"], "a hand has ten cards, or eleven after a draw, and not 12."),
        ([" "], "a hand has ten cards, or eleven after a draw, and not 0."),
        ([TEN, "as"], "AS stands twice in 'AS 2S 3S 4S 5S 6S 7S 8S 9S TS as': each card exists once."),
        ([TEN, "1S"], "'1S' in 'AS 2S 3S 4S 5S 6S 7S 8S 9S TS 1S' is not a card: write a rank (A 2-9 10 T J Q K)"),
        ([TEN, "--taken", "AS"], "--taken: ten cards are a hand after the discard; give eleven."),
        ([TEN, "JS", "--taken", "KD"], "--taken KD: it is not among the eleven cards."),
        ([TEN, "JS", "--taken", "AS 2S"], "--taken 'AS 2S': must be one card."),
        ([TEN, "JS", "--taken", ""], "--taken '': must be one card."),
        ([TEN, "JS", "--taken", "XX"], "'XX' in 'XX' is not a card"),
        ([TEN, "--knock-limit", "11"], "Invalid value for '--knock-limit': 11 is not in the range 0<=x<=10."),
        ([TEN, "--knock-limit", "few"], "Invalid value for '--knock-limit': 'few' is not a valid integer range."),
        ([TEN, "--file", "-"], "cards and --file: give one of them."),
        (["--file", "nowhere.txt"], "Invalid value for '--file': 'nowhere.txt': No such file or directory"),
        ([TEN, "--format", "csv"], "Invalid value for '--format': 'csv' is not one of 'table', 'json'."),
    ],
)
def test_a_mistake_gets_one_line_and_exit_2(arguments: list[str], line: str):
    result = ran(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {line}")
    assert result.stderr.count("\n") == 1


def test_bytes_that_are_no_text_are_no_cards(tmp_path: Path):
    (tmp_path / "picture").write_bytes(bytes(range(128, 256)))
    result = ran("--file", str(tmp_path / "picture"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {tmp_path}/picture, line 1: ")
    assert result.stderr.count("\n") == 1


def test_closed_input_is_no_traceback():
    command = f'"{sys.executable}" -m ginsim melds --file - <&-'
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "Error: Invalid value for '--file': standard input is closed.\n"
