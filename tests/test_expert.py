"""The player ``expert``: what it makes of the other side, of bonuses, score and stock, and what it therefore does."""

from itertools import product
from random import Random
from typing import Any

import naive
import numpy as np
import pytest
from ginsim import accelerate, api
from ginsim.accelerate import COMPILED
from ginsim.hand import KNOCKING, LAST, TURN, VIEW
from ginsim.records import BIG_GIN, GIN, KNOCK
from ginsim.strategies import parse, strategy, values_under
from ginsim.strategies.expert.other import EAGER, WAITING, against, chance_of_waiting, expected_deadwood, learn
from ginsim.strategies.expert.worth import worth
from table import TEXT, bits, rules, several, some_cards

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

#: Eleven cards of which the king leaves seven points, with two cards that make gin at once.
GOOD = "AC 2C 3C 4C 5D 6D 7D 8D 3S 4S KS"


def view_of(held: Any = "", name: str = "eaai", changes: dict[str, Any] | None = None, **given: Any) -> np.void:
    """A view in the middle of a hand, with cards and numbers as told; sets of cards are told as text."""
    view = accelerate.records(1, VIEW)[0]
    view["held"] = view["legal"] = bits(held)
    view["limit"] = 10
    view["phase"] = TURN
    view["turns"] = 6
    view["draws"] = 12
    view["stock"] = 20
    view["multiplier"] = 1
    view["other"] = 1
    view["last_ending"] = view["last_knocker"] = view["last_draws"] = -1
    table = rules(name, **(changes or {}))
    view["rules"] = table.packed()
    values = list(values_under(parse("expert"), table).values())
    view["parameters"][: len(values)] = values
    for field, value in given.items():
        if field in ("own_scores", "other_scores"):
            view[field][0] = value
        else:
            view[field] = bits(value) if isinstance(value, (str, frozenset, set)) else value
    return view


def seen_to(view: np.void, *endings: tuple[int, int]) -> np.void:
    """The view after hands that seat 1 ended so, each with the draws it took."""
    for ending, draws in endings:
        view["hand"] += 1
        view["last_ending"], view["last_knocker"], view["last_draws"] = ending, 1, draws
        learn(view)
    return view


def an_eager_one(view: np.void) -> np.void:
    return seen_to(view, (KNOCK, 14), (KNOCK, 11), (KNOCK, 17))


def a_waiting_one(view: np.void) -> np.void:
    return seen_to(view, (GIN, 20), (GIN, 15), (GIN, 17))


def knocks(view: np.void) -> bool:
    """Whether it throws a card and then knocks."""
    thrown = U(int(strategy("expert").discard(view)))
    ten = view["held"] & ~thrown
    view["held"], view["thrown"], view["asked"] = ten, thrown, KNOCKING
    view["deadwood"] = naive.deadwood(TEXT[number] for number in TEXT if int(ten) >> number & 1)
    return view["deadwood"] <= view["limit"] and bool(strategy("expert").knock(view))


def U(number: int) -> np.uint64:  # noqa: N802
    """One card as a bit."""
    return np.uint64(1 << number)


# What it makes of the other side -------------------------------------------------------------------------------------


def test_who_knocks_late_with_deadwood_is_taken_for_eager_and_who_gins_for_waiting() -> None:
    unknown = chance_of_waiting(view_of(draws=0))
    assert chance_of_waiting(an_eager_one(view_of(draws=0))) < 0.05 < unknown
    assert unknown < 0.9 < chance_of_waiting(a_waiting_one(view_of(draws=0)))
    assert chance_of_waiting(seen_to(view_of(draws=0), (BIG_GIN, 20))) > unknown


def test_an_early_knock_and_ones_own_tell_nothing_of_him() -> None:
    unknown = chance_of_waiting(view_of(draws=0))
    assert chance_of_waiting(seen_to(view_of(draws=0), (KNOCK, 6))) == unknown
    view = view_of(draws=0, seat=1, other=0)
    assert chance_of_waiting(seen_to(view, (GIN, 20))) == unknown


def test_a_hand_is_remembered_once_however_often_it_is_asked_about() -> None:
    view = seen_to(view_of(draws=0), (KNOCK, 14))
    once = chance_of_waiting(view)
    learn(view)
    learn(view)
    assert chance_of_waiting(view) == once


def test_what_is_learned_of_one_player_is_not_held_against_another() -> None:
    """Three-handed: the captain of one hand is not the captain of the next (R29)."""
    view = a_waiting_one(view_of(draws=0))
    view["other"] = 2
    assert chance_of_waiting(view) == chance_of_waiting(view_of(draws=0))


def test_a_player_who_changes_is_found_out_within_a_few_hands() -> None:
    view = seen_to(view_of(draws=0), *[(GIN, 16)] * 50)
    assert chance_of_waiting(seen_to(view, *[(KNOCK, 14)] * 4)) < 0.2


def test_silence_speaks_for_waiting() -> None:
    chances = [chance_of_waiting(view_of(draws=draws)) for draws in range(0, 31, 2)]
    assert chances == sorted(chances)
    assert chances[-1] > chances[0] + 0.2


def test_r33_where_only_gin_may_be_knocked_everybody_waits() -> None:
    assert chance_of_waiting(an_eager_one(view_of(name="straight", limit=0))) == 1


@pytest.mark.parametrize("kind", [EAGER, WAITING])
def test_he_holds_less_the_longer_the_hand_the_more_he_took_and_the_lower_he_threw(kind: int) -> None:
    for more, less in [
        ({"draws": 6}, {"draws": 16}),
        ({}, {"other_took": "5H"}),
        ({"other_took": "5H"}, {"other_took": "5H 9D"}),
        ({"other_threw": "KH 9D"}, {"other_threw": "KH 4D"}),
        ({"other_threw": "4D"}, {"other_threw": "2D"}),
    ]:
        assert expected_deadwood(view_of(**more), kind) > expected_deadwood(view_of(**less), kind)
    assert expected_deadwood(view_of(other_threw="KH"), kind) == expected_deadwood(view_of(other_threw="TS"), kind)


@pytest.mark.parametrize("kind", [EAGER, WAITING])
def test_an_undercut_is_likelier_with_more_deadwood_against_less(kind: int) -> None:
    for left, mean in product(range(10), (12.0, 20.0, 40.0)):
        undercut, difference = against(float(left), mean, kind)
        half_more, one_more = (against(left + more, mean, kind)[0] for more in (0.5, 1.0))
        assert 0 <= undercut <= half_more <= one_more < 1
        assert undercut >= against(float(left), mean + 5, kind)[0]
        assert undercut < half_more < one_more or (kind == EAGER and left < 3)
        assert difference > 0.5


# What points are worth -----------------------------------------------------------------------------------------------


def test_points_are_worth_a_chance_to_win_the_game() -> None:
    assert worth(view_of(), 0.0) == 0.5
    assert worth(view_of(own_scores=90), 10.0) == 1
    assert worth(view_of(other_scores=90), -10.0) == 0
    values = [worth(view_of(own_scores=40, other_scores=60), points) for points in range(-30, 31)]
    assert values == sorted(values)
    assert worth(view_of(own_scores=40, other_scores=60), 0.0) + worth(view_of(own_scores=60, other_scores=40), 0.0) == pytest.approx(1)


def test_r32_doubled_points_are_worth_twice_as_many() -> None:
    assert worth(view_of(multiplier=2), 10.0) == worth(view_of(), 20.0)


def test_r23_a_game_that_has_ended_is_worth_nothing_any_more() -> None:
    """Only games that are open count: with the first one won, points matter for the others alone."""
    view = view_of(name="hollywood")
    view["own_scores"][:3], view["other_scores"][:3] = (104, 30, 0), (20, 20, 20)
    other = view_of(name="hollywood")
    other["own_scores"][:3], other["other_scores"][:3] = (130, 30, 0), (20, 20, 20)
    assert worth(view, 15.0) == worth(other, 15.0) < 1


# Knocking ------------------------------------------------------------------------------------------------------------


def test_it_knocks_where_an_undercut_costs_little_and_waits_where_it_costs_much_with_the_same_cards() -> None:
    assert knocks(an_eager_one(view_of(GOOD, "gin")))
    assert not knocks(an_eager_one(view_of(GOOD, "eaai")))


def test_it_is_the_bonus_that_decides_and_not_the_name_of_the_rules() -> None:
    assert not knocks(an_eager_one(view_of(GOOD, "gin", {"undercut_bonus": 25})))
    assert knocks(an_eager_one(view_of(GOOD, "eaai", {"undercut_bonus": 10})))


def test_a_larger_bonus_for_gin_makes_it_wait() -> None:
    answers = [knocks(a_waiting_one(view_of(GOOD, "gin", {"gin_bonus": bonus}))) for bonus in (0, 10, 25, 60, 120, 250)]
    assert answers == sorted(answers, reverse=True)
    assert answers[0]
    assert not answers[-1]


def test_it_knocks_when_any_win_ends_the_game() -> None:
    """At 95 to 95 no gin is worth more than a knock (R23)."""
    assert not knocks(a_waiting_one(view_of(GOOD)))
    assert knocks(a_waiting_one(view_of(GOOD, own_scores=95, other_scores=95)))


def test_it_knocks_when_there_is_no_more_time_for_gin() -> None:
    """One card above the floor: the other draws it, and the hand is dead (R15)."""
    assert not knocks(an_eager_one(view_of(GOOD, draws=16, stock=16)))
    assert knocks(an_eager_one(view_of(GOOD, draws=29, stock=3)))


def test_it_does_not_knock_into_a_hand_that_looks_better() -> None:
    """He has thrown an ace: whoever throws that has nothing left that is worse."""
    assert knocks(a_waiting_one(view_of(GOOD, "gin", other_threw="KH QD", pile="KH QD")))
    assert not knocks(a_waiting_one(view_of(GOOD, "gin", other_threw="KH AD", pile="KH AD")))


@pytest.mark.parametrize("name", ["gin", "eaai", "hollywood", "oklahoma", "straight"])
def test_r10_it_always_knocks_with_gin(name: str) -> None:
    for eager, score in product((False, True), (0, 99)):
        view = view_of("2C 3C 4C 5D 6D 7D 9H 9S 9C 9D KS", name, own_scores=score)
        assert knocks(an_eager_one(view) if eager else a_waiting_one(view))


@pytest.mark.parametrize(("big", "gin", "declares"), [(31, 25, True), (25, 25, True), (10, 25, False), (0, 0, True)])
def test_r11_it_declares_big_gin_unless_gin_pays_more(big: int, gin: int, declares: bool) -> None:
    eleven = "2C 3C 4C 5D 6D 7D 9H 9S 9C 9D 8D"
    view = view_of(eleven, changes={"big_gin_bonus": big, "gin_bonus": gin})
    assert bool(strategy("expert").knock(view)) == declares
    assert knocks(view), "otherwise it throws a card that leaves gin"


# Taking --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "top", "takes", "why"),
    [
        ("2C 3C 4C 5D 6D 7D 9H 9S 9C KS", "9D", True, "gin"),
        ("5C 6C 9H KS QD 2D 7H 3S JC 8D", "7C", True, "a run, early in a hand"),
        ("5C 6C 9H KS QD 2D 7H 3S JC 8D", "KH", False, "a high pair is no reason"),
        ("3C 4C 5C 5D 6D 7D AH AD 2H 2S", "5S", False, "it would break two runs"),
    ],
)
def test_it_takes_a_card_where_that_is_worth_more_than_a_draw(held: str, top: str, takes: bool, why: str) -> None:
    assert bool(strategy("expert").take(view_of(held, top=top, turns=1, draws=2, stock=29))) == takes, why


def test_it_takes_a_low_card_of_no_meld_to_knock_with() -> None:
    """Nineteen points with a king among them; with the deuce in its place a knock, which under 25/10 is worth it."""
    held = "2C 3C 4C 5D 6D 7D 8D 3S 6H KS"
    assert strategy("expert").take(an_eager_one(view_of(held, "gin", top="AH", draws=26, stock=5)))
    assert not strategy("expert").take(an_eager_one(view_of(held, "gin", top="QH", draws=26, stock=5)))


def test_r15_it_takes_the_last_discard_to_knock_unless_the_other_is_likely_to_undercut() -> None:
    held = "2C 3C 4C 5D 6D 7D 9H 9S AS KS"
    assert strategy("expert").take(view_of(held, top="9D", phase=LAST, draws=29, stock=2))
    assert not strategy("expert").take(view_of(held, top="QD", phase=LAST, draws=29, stock=2))
    poor = "2C 3C 4C 5D 6D 7D 9H 9S TS KS"
    threatened = {"other_threw": "AC AD", "pile": "AC AD", "other_took": "2H 2S"}
    assert not strategy("expert").take(a_waiting_one(view_of(poor, top="9D", phase=LAST, draws=29, stock=2, **threatened)))


# Throwing ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "thrown", "why"),
    [
        ({"other_took": "KD KH"}, "QC", "he collects kings"),
        ({"other_took": "QD QH"}, "KS", "he collects queens"),
        ({"pile": "KD KH"}, "KS", "two kings lie on the pile: nobody collects them"),
        ({"pile": "QD QH"}, "QC", "two queens lie on the pile"),
        ({"other_threw": "KD", "pile": "KD"}, "KS", "he threw a king"),
        ({"other_threw": "QD", "pile": "QD"}, "QC", "he threw a queen"),
    ],
)
def test_it_throws_the_safer_of_two_useless_cards(seen: dict[str, str], thrown: str, why: str) -> None:
    eleven = "2C 3C 4C 5D 6D 7D 8H 8S 9H QC KS"
    for other in (an_eager_one, a_waiting_one):
        assert TEXT[int(strategy("expert").discard(other(view_of(eleven, **seen))))] == thrown, why


def test_it_always_throws_a_legal_card_and_not_twice_the_same_for_the_same_taken_card() -> None:
    source = Random(4)
    for number in range(several(600, 60)):
        eleven = some_cards(source, 11, dense=number % 3 > 0)
        taken = source.choice(sorted(eleven))
        view = view_of(eleven, turns=1 + number % 12, draws=2 * (number % 12), taken={taken})
        if number % 2:
            view["legal"] = bits(eleven - {taken})
        first, second = (TEXT[int(strategy("expert").discard(view))] for _ in range(2))
        assert taken not in (first, second)
        assert {first, second} < eleven
        assert first != second, "the same pair of cards would go round for ever (R16)"


def test_r15_with_the_last_discard_it_throws_the_legal_card_that_leaves_least() -> None:
    source = Random(5)
    for _ in range(several(400, 60)):
        eleven = some_cards(source, 11)
        taken = source.choice(sorted(eleven))
        legal = frozenset(source.sample(sorted(eleven - {taken}), source.randint(1, 10)))
        view = view_of(eleven, legal=legal, taken={taken}, phase=LAST)
        left = {card: naive.deadwood(eleven - {card}) for card in legal}
        assert left[TEXT[int(strategy("expert").discard(view))]] == min(left.values())


def test_it_plays_without_chance() -> None:
    source = Random(6)
    for _ in range(several(200, 20)):
        eleven = some_cards(source, 11)
        view = view_of(eleven)
        before = view["stream"].copy()
        strategy("expert").discard(view)
        strategy("expert").take(view_of(sorted(eleven)[:10], top={max(eleven)}))
        assert view["stream"] == before


# Whole games ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not COMPILED, reason="too slow as plain Python")
@pytest.mark.parametrize(("name", "other", "share"), [("eaai", "simple", 0.74), ("eaai", "patient", 0.52), ("gin", "simple", 0.64), ("gin", "patient", 0.57)])
def test_it_beats_those_before_it(name: str, other: str, share: float) -> None:
    """Bounds some three standard errors below what it reaches."""
    run = api.simulate(name, matches=3000, strategies=["expert", other], seed=36, mirror=True, workers=1)
    assert run.frame("matches")["winner"].eq("A").mean() > share


@pytest.mark.skipif(not COMPILED, reason="too slow as plain Python")
def test_its_hands_end_otherwise_under_other_bonuses_and_none_goes_on_for_ever() -> None:
    hands = {name: api.simulate(name, matches=400, strategies="expert", seed=37, workers=1).frame() for name in ("gin", "eaai", "straight")}
    share = {name: {ending: (frame["ending"] == ending).mean() for ending in ("gin", "knock", "stopped")} for name, frame in hands.items()}
    assert share["gin"]["knock"] > 0.6 > 0.4 > share["eaai"]["knock"]
    assert share["gin"]["gin"] < 0.3 < 0.5 < share["eaai"]["gin"]
    assert hands["gin"]["draws"].mean() < hands["eaai"]["draws"].mean() - 1
    assert share["straight"]["knock"] == 0
    assert all(each["stopped"] == 0 for each in share.values())
