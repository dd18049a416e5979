"""``ginsim showdown`` and the module behind it: the cases with known answers, the naive twin, what people type and see."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import naive
import pytest
from click.testing import CliRunner, Result

from ginsim.cards import NUMBERS, cards_text, parse_cards
from ginsim.cli import cli
from ginsim.hand import ending_of, price
from ginsim.records import BIG_GIN, ENDINGS
from ginsim.rules import Rules, load
from ginsim.solver import Showdown, arrangements, showdown

CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]


def ran(*arguments: str) -> Result:
    """What the command prints and returns; a bug in it is raised here."""
    result = CliRunner().invoke(cli, ["showdown", *arguments], prog_name="ginsim")
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
        pytest.param(check["input"], check["expected"], id=f"{case['id']}-{number}-{check['kind']}")
        for case in CASES
        for number, check in enumerate(case["checks"], 1)
        if check["kind"] in kinds
    ]


def settings(given: dict[str, Any]) -> list[str]:
    """The options for the fields of the rules that a case changes."""
    return [
        part for name in ("gin_bonus", "undercut_bonus") if name in given for part in ("--set", f"{name}={given[name]}")
    ]


def as_texts(cards: int) -> frozenset[str]:
    return frozenset(cards_text(cards).split())


# The cases


@pytest.mark.parametrize(("given", "expected"), checks("settle"))
def test_case_settle(given: dict[str, Any], expected: dict[str, Any]):
    spread = ["--spread", " / ".join(given["spread"])] if "spread" in given else []
    found = answer(given["knocker"], given["defender"], *spread, *settings(given))
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize(("given", "expected"), checks("spread_outcomes"))
def test_case_spread_outcomes(given: dict[str, Any], expected: dict[str, Any]):
    outcomes = set()
    for one in arrangements(parse_cards(given["knocker"])):
        found = answer(given["knocker"], given["defender"], "--spread", "/".join(map(cards_text, one.melds)))
        outcomes.add((frozenset(map(as_texts, one.melds)), found["winner"], found["points"]))
    assert outcomes == {
        (frozenset(frozenset(meld.split()) for meld in melds.split(" / ")), winner, points)
        for melds, winner, points in expected["outcomes"]
    }


@pytest.mark.parametrize(("given", "expected"), checks("score"))
def test_case_score(given: dict[str, Any], expected: dict[str, Any]):
    rules = load("gin", settings(given)[1::2]).packed()
    left, after = given["knocker_deadwood"], given["defender_deadwood"]
    ending = ending_of(left, after, rules)
    assert ENDINGS[ending] == expected["result"]
    assert price(ending, left, after, 0, rules) == expected["points"]


@pytest.mark.parametrize(("given", "expected"), checks("oklahoma_limit"))
def test_case_oklahoma_limit(given: dict[str, Any], expected: dict[str, Any]):
    ace = given.get("ace", "one")
    # Deadwood 1, 2, 5, 9 and 10 in front of every limit.
    for left, loose in ((1, "AD"), (2, "2D"), (5, "5D"), (9, "9D"), (10, "QD")):
        hands = [f"4S 5S 6S 8H 8C 8S JC QC KC {loose}", "2H 3H 4H 6H 7H TH JH QH KH 6D"]
        result = ran(*hands, "--rules", "oklahoma", "--set", f"ace_upcard={ace}", "--upcard", given["upcard"])
        if left <= expected["limit"]:
            assert result.exit_code == 0
        else:
            assert result.stderr == f"Error: the knocker has {left} points of deadwood: the knock limit is {expected['limit']} (R9).\n"


# Against the naive twin

RULES = {
    "gin": {},
    "hollywood-20": {},
    "eaai": {},
    "oklahoma": {"ace_upcard": "one"},
    "three-handed": {"undercut_on_tie": False, "undercut_bonus": 3, "big_gin_bonus": 31},
    "straight": {"knock_limit": 10, "spade_doubles": True, "big_gin_bonus": 50},
}


def fast_rules(name: str) -> Rules:
    return load(name, [f"{field}={str(value).lower()}" for field, value in RULES[name].items()])


def a_knock(dice: Random, most: int, size: int) -> list[str]:
    """A knocker's hand with at most so much deadwood, built from random melds and small cards."""
    melds = sorted(naive.MELDS, key=naive.as_number)
    while True:
        held: set[str] = set()
        while len(held) < size - 3:
            held |= dice.choice(melds)
        held |= set(dice.sample(naive.DECK, max(0, size - len(held))))
        if len(held) == size and naive.deadwood(held) <= most:
            return sorted(held)


def a_defender(dice: Random, knocker: list[str]) -> list[str]:
    """A defender's hand, mostly of cards near the knocker's, so that much can be laid off."""
    rest = [card for card in naive.DECK if card not in knocker]
    near = [card for card in rest if any(card[0] == other[0] or card[1] == other[1] for other in knocker)]
    dice.shuffle(near)
    own = set(near[: dice.choice((4, 7, 10))])
    dice.shuffle(rest)
    return sorted([*own, *[card for card in rest if card not in own]][:10])


def show_downs(name: str, count: int) -> list[tuple[list[str], list[str], str, list[frozenset[str]] | None]]:
    """Knocker, defender, upcard, and every second time a spread of the knocker's own, not always the best."""
    dice = Random(name)
    rules = naive.preset(name, **RULES[name])
    found = []
    while len(found) < count:
        upcard = dice.choice(naive.DECK)
        limit = naive.knock_limit(rules, upcard)
        big_gin = rules["big_gin_bonus"] is not None and len(found) % 5 == 0
        knocker = a_knock(dice, 0 if big_gin else limit, 11 if big_gin else 10)
        spread = None
        if len(found) % 2 and not big_gin:
            within = [list(melds) for melds, left in naive.packings(frozenset(knocker)) if naive.points(left) <= limit]
            spread = dice.choice(sorted(within, key=lambda melds: sorted(map(naive.as_number, melds))))
        found.append((knocker, a_defender(dice, knocker), upcard, spread))
    return found


@pytest.mark.parametrize("name", RULES)
def test_a_show_down_ends_as_in_the_naive_twin_R9_to_R19(name: str):
    rules, slow_rules = fast_rules(name), naive.preset(name, **RULES[name])
    endings, laid, worse = set(), 0, 0
    for knocker, defender, upcard, spread in show_downs(name, 60):
        known = naive.settle(knocker, defender, slow_rules, upcard, spread)
        found = showdown(
            parse_cards(" ".join(knocker)),
            parse_cards(" ".join(defender)),
            rules,
            None if spread is None else [parse_cards(" ".join(meld)) for meld in spread],
            NUMBERS[naive.DECK.index(upcard)],
        )
        assert (found.ending, found.winner, found.points) == (known["ending"], known["winner"], known["points"])
        assert found.knocker.deadwood == known["knocker_deadwood"]
        assert found.before == known["defender_deadwood"]
        assert found.defender.deadwood == known["defender_deadwood_after"]
        assert as_texts(found.laid_off) == known["layoff"]
        assert found.least == naive.deadwood(knocker)
        assert found.limit == naive.knock_limit(slow_rules, upcard)
        assert set(map(as_texts, found.knocker.melds)) == set(known["spread"])
        check_layout(found, knocker, defender)
        endings.add(found.ending)
        laid += len(found.layoffs) > 1
        worse += found.knocker.deadwood > found.least
    assert {"knock", "gin"} <= endings
    assert ("big_gin" in endings) == (rules.big_gin_bonus is not None)
    assert laid > 0
    assert worse > 0


def check_layout(found: Showdown, knocker: list[str], defender: list[str]) -> None:
    """Every card lies somewhere, once; and the melds on the table are melds, before and after laying off (R3, R12)."""
    table = {meld: as_texts(meld) for meld in found.knocker.melds}
    assert sorted([*as_texts(found.knocker.loose), *(card for meld in table.values() for card in meld)]) == knocker
    for card, meld in found.layoffs:
        table[meld] |= as_texts(1 << card)
    kept = [as_texts(meld) for meld in found.defender.melds]
    assert all(map(naive.is_meld, [*table.values(), *kept]))
    everything = [*as_texts(found.defender.loose), *as_texts(found.laid_off), *(card for meld in kept for card in meld)]
    assert sorted(everything) == defender


def test_undercut_and_tie_are_met_as_in_the_naive_twin_R18():
    dice = Random(18)
    endings = set()
    for _ in range(300):
        knocker = a_knock(dice, 10, 10)
        defender = a_knock(dice, 12, 10)
        if set(knocker) & set(defender):
            continue
        for name in ("gin", "three-handed"):
            known = naive.settle(knocker, defender, naive.preset(name, **RULES[name]), None)
            found = showdown(parse_cards(" ".join(knocker)), parse_cards(" ".join(defender)), fast_rules(name))
            assert (found.ending, found.winner, found.points) == (known["ending"], known["winner"], known["points"])
            endings.add(found.ending)
    assert {"undercut", "tie"} <= endings


def test_every_ending_and_price_of_two_deadwoods_is_the_naive_one_R11_R17_R18_R19_R32():
    for name, changes in RULES.items():
        rules, slow_rules = fast_rules(name).packed(), naive.preset(name, **changes)
        for left in range(11):
            for after in (*range(13), 40, 98):
                for upcard in ("2C", "KS"):
                    known = naive.score(left, after, slow_rules, upcard)
                    ending = ending_of(left, after, rules)
                    points = price(ending, left, after, NUMBERS[naive.DECK.index(upcard)], rules)
                    assert (ENDINGS[ending], points) == (known[0], known[2])
        if slow_rules["big_gin_bonus"] is not None:
            known = naive.score(0, 40, slow_rules, "KS", big_gin=True)
            assert price(BIG_GIN, 0, 40, NUMBERS[-1], rules) == known[2]


# What people see

KNOCKER = "5S 6S 7S 9C TC JC KS KC KD JD"
DEFENDER = "2S 8S 3D AC 2C 7C 8C 2D 8D 2H"
GIN = "AS 2S 3S 4S 5S 6S 7S JH QH KH"
AGAINST_GIN = "9S TS JS QS KS AC 2C 3C 8H TH"


def test_the_screen_says_who_scores_what_and_why():
    assert ran("5S 6S 7S 9C TC JC KS KC KD JD", "2S 8S 9S AC 2C 7C 8C 2D 8D 2H").stdout.splitlines() == [
        "Knocker   9♣T♣J♣ · 5♠6♠7♠ · K♣K♦K♠ + J♦     deadwood 10",
        "Defender  2♣2♦2♥2♠ + A♣ 8♦                  deadwood 9",
        "Laid off  7♣ 8♣ on 9♣T♣J♣, 8♠ 9♠ on 5♠6♠7♠",
        "",
        "Undercut: the defender scores 11.",
        "  The knocker's deadwood is 10, and the knock limit 10 (R9).",
        "  He shows least deadwood, on melds that invite the fewest layoffs (R14).",
        "  The defender lays off 7♣ 8♣ on 9♣T♣J♣, 8♠ 9♠ on 5♠6♠7♠: 9 left, not 17 (R12, R13).",
        "  9 is not more than 10: the defender scores the difference, 1, and the bonus, 10 (R18).",
    ]


def test_the_document_holds_every_fact():
    found = answer("5S 6S 7S 9C TC JC KS KC KD JD", "2S 8S 9S AC 2C 7C 8C 2D 8D 2H")
    reasons = found.pop("why")
    assert [re.findall(r"R\d+", reason) for reason in reasons] == [["R9"], ["R14"], ["R12", "R13"], ["R18"]]
    assert found == {
        "result": "undercut",
        "winner": "defender",
        "points": 11,
        "knocker_deadwood": 10,
        "defender_deadwood": 9,
        "defender_deadwood_before": 17,
        "laid_off": ["7C", "8C", "8S", "9S"],
        "laid_off_on": [
            {"card": "7C", "meld": ["9C", "TC", "JC"]},
            {"card": "8C", "meld": ["9C", "TC", "JC"]},
            {"card": "8S", "meld": ["5S", "6S", "7S"]},
            {"card": "9S", "meld": ["5S", "6S", "7S"]},
        ],
        "knocker_melds": [["9C", "TC", "JC"], ["5S", "6S", "7S"], ["KC", "KD", "KS"]],
        "defender_melds": [["2C", "2D", "2H", "2S"]],
    }


def why(*arguments: str) -> list[str]:
    return answer(*arguments)["why"]


def test_a_knock_and_its_difference_are_explained_R17():
    reasons = why("5S 6S 7S 9C TC JC KS KC KD AD", "2S 3H 5H AC 2C 4C 6C 6D 8D 9H")
    assert reasons[-2:] == [
        "No layoff would leave the defender less than 46 (R12, R13).",
        "1 is less than 46: the knocker scores the difference, 45 (R17).",
    ]


def test_gin_is_explained_R10_R12_R19():
    assert why(GIN, AGAINST_GIN, "--rules", "hollywood-20")[0] == "The knocker has no deadwood: gin (R10)."
    assert why(GIN, AGAINST_GIN, "--rules", "hollywood-20")[-2:] == [
        "Against gin nothing is laid off (R12).",
        "The knocker scores the bonus, 20, and the defender's deadwood, 18 (R19).",
    ]


def test_a_spade_that_doubles_is_explained_R32():
    found = answer(GIN, AGAINST_GIN, "--rules", "oklahoma", "--upcard", "2♠")
    assert found["points"] == 2 * (25 + 18)
    assert found["why"][1] == "The limit is 2 because 2♠ was turned up (R32)."
    assert found["why"][-1] == "All points count double because 2♠ is a spade (R32)."
    assert answer(GIN, AGAINST_GIN, "--rules", "oklahoma", "--upcard", "2♥")["points"] == 25 + 18


def test_big_gin_is_eleven_cards_where_the_rules_have_it_R11():
    arguments = [f"{GIN} TH", "9S TS JS QS KS AC 2C 3C 8H 4H", "--set", "big_gin_bonus=31"]
    found = answer(*arguments)
    assert (found["result"], found["winner"], found["points"], found["laid_off"]) == ("big_gin", "knocker", 31 + 12, [])
    assert ran(*arguments).stdout.splitlines()[3] == "Big gin: the knocker scores 43."


def test_a_tie_that_is_no_undercut_scores_nothing_R18():
    arguments = ["5S 6S 7S 9C TC JC KS KC KD AD", "2S 2H 2D 4C 5C 6C 8D 8H 8S AC", "--set", "undercut_on_tie=false"]
    found = answer(*arguments)
    assert (found["result"], found["winner"], found["points"]) == ("tie", None, 0)
    assert ran(*arguments).stdout.splitlines()[3] == "Tie: nobody scores."
    assert answer(*arguments[:2])["points"] == 10


def test_a_spread_of_his_own_counts_as_it_lies_R3_R9():
    whole = answer(GIN, AGAINST_GIN)
    pieces = answer(GIN, AGAINST_GIN, "--spread", "JH QH KH / 2S 3S 4S / 5S 6S 7S")
    assert (whole["result"], whole["knocker_deadwood"]) == ("gin", 0)
    assert (pieces["result"], pieces["knocker_deadwood"], pieces["laid_off"]) == ("knock", 1, ["TH"])
    assert "His own spread leaves 1 where 0 was possible (R14)." in pieces["why"]
    assert pieces["knocker_melds"] == [["JH", "QH", "KH"], ["2S", "3S", "4S"], ["5S", "6S", "7S"]]
    same = answer(GIN, AGAINST_GIN, "--spread", "KH QH JH/7S 6S 5S 4S 3S 2S AS")
    assert (same["result"], same["points"]) == (whole["result"], whole["points"])
    assert "The spread is his own choice; none leaves less (R4)." in same["why"]


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["AS 2S", DEFENDER], "the knocker shows ten cards, without the one he threw, or eleven at big gin; not 2."),
        ([KNOCKER, "2H"], "the defender holds ten cards, not 1."),
        ([KNOCKER, KNOCKER], "on both sides: 9C TC JC KC JD KD 5S 6S 7S KS. Each card exists once."),
        ([f"{KNOCKER} QD", DEFENDER], "the knocker shows 11 cards: that is big gin, which these rules do not have (R11)."),
        (
            [f"{KNOCKER} AD", DEFENDER, "--set", "big_gin_bonus=31"],
            "big gin is all eleven cards melded (R11): AD JD would be left.",
        ),
        (["5S 6S 7S 9C TC JC KS KC QD JD", DEFENDER], "the knocker has 40 points of deadwood: the knock limit is 10 (R9)."),
        ([KNOCKER, DEFENDER, "--rules", "straight"], "the knocker has 10 points of deadwood: the knock limit is 0 (R9)."),
        ([KNOCKER, DEFENDER, "--set", "knock_limit=9"], "the knocker has 10 points of deadwood: the knock limit is 9 (R9)."),
        ([KNOCKER, DEFENDER, "--spread", "KS KC KD"], "this spread leaves 57 points of deadwood: the knock limit is 10 (R9)."),
        ([KNOCKER, DEFENDER, "--spread", ""], "no card at all is no meld: a meld is three or four of a rank"),
        ([KNOCKER, DEFENDER, "--spread", "KS KC KD / "], "no card at all is no meld: a meld is three or four of a rank"),
        ([KNOCKER, DEFENDER, "--spread", "KS KC"], "KC KS is no meld: a meld is three or four of a rank"),
        ([KNOCKER, DEFENDER, "--spread", "KS KC KD JD"], "KC JD KD KS is no meld"),
        (
            [KNOCKER, DEFENDER, "--spread", "KS KC KH"],
            "KC KH KS is no meld of the knocker's: he does not hold KH.",
        ),
        (
            ["5S 6S 7S 5C 5D 5H 9C TC JC AS", DEFENDER, "--spread", "5S 6S 7S / 5S 5C 5D 5H / 9C TC JC"],
            "5S in two melds: a card belongs to one at most (R3).",
        ),
        ([KNOCKER, DEFENDER, "--spread", "KS KC KX"], "--spread: 'KX' in 'KS KC KX' is not a card"),
        (["5S 5S", DEFENDER], "knocker: 5S stands twice in '5S 5S': each card exists once."),
        ([KNOCKER, "kings"], "defender: 'kings' in 'kings' is not a card"),
        (
            [KNOCKER, DEFENDER, "--rules", "oklahoma"],
            "under these rules the first card turned up sets the knock limit (R32): say which it was (--upcard).",
        ),
        (
            [KNOCKER, DEFENDER, "--set", "spade_doubles=true"],
            "under these rules the first card turned up may double the points (R32): say which it was (--upcard).",
        ),
        ([KNOCKER, DEFENDER, "--upcard", "KS 2S"], "--upcard 'KS 2S': must be one card."),
        ([KNOCKER, DEFENDER, "--upcard", ""], "--upcard '': must be one card."),
        ([KNOCKER, DEFENDER, "--rules", "holywood"], "no rules named 'holywood'. Did you mean 'hollywood'?"),
        ([KNOCKER, DEFENDER, "--set", "gin_bonus=-5"], "gin_bonus = -5: must be 0 or more."),
    ],
)
def test_a_mistake_gets_one_line_and_exit_2(arguments: list[str], line: str):
    result = ran(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {line}")
    assert result.stderr.count("\n") == 1


def test_a_missing_side_says_where_to_read_on():
    result = ran(KNOCKER)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: Missing argument 'DEFENDER'. Try 'ginsim showdown --help'.\n"
