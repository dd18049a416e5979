"""The player ``patient``: each decision by itself against its published description, and how it plays against itself."""

from itertools import combinations
from random import Random
from typing import Any

import naive
import numpy as np
import pytest
from ginsim import accelerate, api
from ginsim.accelerate import COMPILED
from ginsim.hand import KNOCKING, LAST, OFFER, TURN, VIEW
from ginsim.strategies import strategy
from table import TEXT, Watched, bits, play, rules, several, some_cards

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

RANKS = "A23456789TJQK"


def view_of(held: Any, **given: Any) -> np.void:
    """A view with cards and numbers as told; sets of cards are told as text."""
    view = accelerate.records(1, VIEW)[0]
    view["held"] = bits(held)
    view["limit"] = 10
    view["phase"] = TURN
    view["turns"] = 1
    view["rules"] = rules("eaai").packed()
    for name, value in given.items():
        view[name] = bits(value) if isinstance(value, (str, frozenset, set)) else value
    return view


# Taking --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "top", "takes", "why"),
    [
        ("5C 5D 9H KS QD 2C 7H 3S JC 8D", "5S", True, "a set of fives"),
        ("5C 6C 9H KS QD 2D 7H 3S JC 8D", "7C", True, "a run"),
        ("5C 6C 9H KS QD 2D 7H 3S JC 8D", "AC", False, "low, and in no meld"),
        ("3C 4C 5C 5D 6D 7D AH AD 2H 2S", "5S", False, "a set of fives would break two runs"),
        ("2C 3C 4C 5D 6D 7D 9H 9S KS QD", "5C", True, "a fourth card of a run: a king goes"),
    ],
)
def test_patient_takes_a_card_that_melds_and_lowers_the_deadwood(held: str, top: str, takes: bool, why: str) -> None:
    for phase in (OFFER, TURN):
        assert bool(strategy("patient").take(view_of(held, top=top, phase=phase))) == takes, why


def test_patient_takes_by_that_rule_whatever_it_holds() -> None:
    source, answers = Random(1), set()
    for _ in range(several(700, 150)):
        eleven = sorted(some_cards(source, 11))
        top = source.choice(eleven)
        held = frozenset(eleven) - {top}
        least, _ = naive.best_discards(eleven, top)
        expected = any(naive.is_meld({top, *pair}) for pair in combinations(sorted(held), 2)) and least < naive.deadwood(held)
        assert bool(strategy("patient").take(view_of(held, top={top}))) == expected, (held, top)
        answers.add(expected)
    assert answers == {True, False}


@pytest.mark.parametrize(
    ("held", "top", "turns", "takes"),
    [
        # The taken card makes gin.
        ("2C 3C 4C 5D 6D 7D 9H 9S 9C KS", "9D", 9, True),
        # It leaves one point: a knock for the first turns only.
        ("2C 3C 4C 5D 6D 7D 9H 9S AS KS", "9D", 9, False),
        ("2C 3C 4C 5D 6D 7D 9H 9S AS KS", "9D", 2, True),
        ("2C 3C 4C 5D 6D 7D 9H 9S AS KS", "9D", 3, False),
        # It leaves twenty.
        ("2C 3C 4C 5D 6D 7D TH JS KH KS", "8D", 0, False),
    ],
)
def test_r15_patient_takes_the_last_discard_where_it_would_knock(held: str, top: str, turns: int, takes: bool) -> None:
    assert bool(strategy("patient").take(view_of(held, top=top, turns=turns, phase=LAST))) == takes


# Throwing ------------------------------------------------------------------------------------------------------------


def neighbours(card: str, within: int) -> set[str]:
    """Cards of the same suit at most so many ranks away."""
    place = RANKS.index(card[0])
    return {rank + card[1] for at, rank in enumerate(RANKS) if 0 < abs(at - place) <= within}


def cost(eleven: frozenset[str], card: str, turn: int, took: set[str], pile: set[str]) -> float:
    """What throwing a card costs, by the description, the slow way."""
    ten = eleven - {card}
    unseen = set(naive.DECK) - eleven - pile - took
    reachable = sorted(min(naive.discards(ten | {other}).values()) for other in unseen)
    rank = {card[0] + suit for suit in "CDHS"} - {card}
    danger = 9 * len(rank & took) + 4 * len(neighbours(card, 2) & took) - 2 * len((rank | neighbours(card, 2)) & (eleven | pile))
    return naive.deadwood(ten) + 18 * 0.9 ** (turn - 1) * sum(reachable[:7]) / 7 + danger


def test_patient_throws_the_card_that_costs_least_by_its_description() -> None:
    source = Random(2)
    for number in range(several(24, 6)):
        eleven = some_cards(source, 11, dense=number % 2 > 0)
        others = sorted(set(naive.DECK) - eleven)
        known = source.sample(others, 8)
        took, pile, turn = set(known[:2]), set(known[2:]), 1 + number % 9
        view = view_of(eleven, legal=eleven, turns=turn, other_took=took, pile=pile, other_threw=pile)
        thrown = TEXT[int(strategy("patient").discard(view))]
        if min(naive.discards(eleven).values()) == 0:
            assert naive.deadwood(eleven - {thrown}) == 0
            continue
        left = naive.discards(eleven)
        costs = {card: cost(eleven, card, turn, took, pile) for card in eleven if left[card] <= min(left.values()) + 10}
        assert costs[thrown] <= min(costs.values()) + 1e-9, (eleven, thrown, costs)


@pytest.mark.parametrize(
    ("seen", "thrown", "why"),
    [
        ({"other_took": "KD KH"}, "QC", "he collects kings"),
        ({"other_took": "QD QH"}, "KS", "he collects queens"),
        ({"pile": "KD KH"}, "KS", "two kings lie on the pile: nobody collects them"),
        ({"pile": "QD QH"}, "QC", "two queens lie on the pile"),
    ],
)
def test_patient_does_not_throw_what_the_other_collects(seen: dict[str, str], thrown: str, why: str) -> None:
    eleven = "2C 3C 4C 5D 6D 7D 8H 8S 9H QC KS"
    view = view_of(eleven, legal=eleven, turns=6, **seen)
    assert TEXT[int(strategy("patient").discard(view))] == thrown, why


def test_r10_patient_always_throws_to_gin_where_it_can() -> None:
    eleven = "2C 3C 4C 5D 6D 7D 9H 9S 9C 9D KS"
    assert TEXT[int(strategy("patient").discard(view_of(eleven, legal=eleven, turns=8, other_took="KD KH")))] == "KS"


def test_r8_patient_does_not_throw_back_what_it_took_even_where_it_may() -> None:
    source = Random(3)
    for number in range(several(500, 60)):
        eleven = some_cards(source, 11)
        taken = source.choice(sorted(eleven))
        view = view_of(eleven, legal=eleven, taken={taken}, turns=1 + number % 8)
        first = TEXT[int(strategy("patient").discard(view))]
        second = TEXT[int(strategy("patient").discard(view))]
        assert taken not in (first, second)
        assert first != second, "the same pair of cards would go round for ever (R16)"


# Knocking ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", range(1, 15))
def test_patient_knocks_with_deadwood_on_its_first_three_turns_and_then_for_gin_only(turn: int) -> None:
    for deadwood in range(11):
        view = view_of("AC", deadwood=deadwood, thrown="KS", turns=turn, asked=KNOCKING)
        assert bool(strategy("patient").knock(view)) == (turn <= 3 or deadwood == 0)


def test_r11_patient_declares_big_gin() -> None:
    cards = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC AD 3D 5D 7D 9D JD KD 2S 4S 6S 8S JC".split()
    cards += [card for card in naive.DECK if card not in cards]
    played = play(cards, {"A": Watched("patient"), "B": Watched("random")}, rules("gin", big_gin_bonus=31))
    assert played.row["ending"] == "big_gin"


# Whole games ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="too slow as plain Python")
def test_r34_patient_against_itself_plays_as_the_original_does() -> None:
    """About 77 % gin, 5 % draws, 18 draws of cards a hand; bounds of five standard errors around what was measured once."""
    hands = api.simulate("eaai", hands=10_000, strategies="patient", seed=34, workers=1).frame()
    share = {name: (hands["ending"] == name).mean() for name in ("gin", "draw", "stopped")}
    assert 0.745 < share["gin"] < 0.79
    assert 0.036 < share["draw"] < 0.062
    assert share["stopped"] == 0
    assert 17.2 < hands["draws"].mean() < 18.4


@pytest.mark.skipif(not COMPILED, reason="too slow as plain Python")
def test_patient_is_far_ahead_of_simple_where_an_undercut_costs_much() -> None:
    run = api.simulate("eaai", matches=4000, strategies=["patient", "simple"], seed=35, mirror=True, workers=1)
    assert run.frame("matches")["winner"].eq("A").mean() > 0.72
