"""The player ``rollout``: the worlds it deals, what it makes of them, and how its text names who plays the hands out."""

from collections import Counter
from typing import Any

import naive
import numpy as np
import pytest
from ginsim import accelerate, api
from ginsim.accelerate import COMPILED
from ginsim.errors import UsageError
from ginsim.hand import DECK, DISCARD, KNOCKING, LAST, TAKE, TURN, VIEW
from ginsim.melds import deadwood
from ginsim.plan import Plan, make_plan
from ginsim.randomness import open_stream
from ginsim.rules import load
from ginsim.strategies import parse, sit, strategy
from ginsim.strategies.rollout.worlds import deal_world, lay_out
from table import TEXT, U64, bits, rules, several

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

WORLDS = several(64, 8)
SPEC = f"rollout:worlds={WORLDS},base=simple"


def view_of(held: Any, asked: int, name: str = "gin", spec: str = SPEC, changes: dict[str, Any] | None = None, **given: Any) -> np.void:
    """A view in the middle of a hand, with cards and numbers as told; sets of cards are told as text."""
    view = accelerate.records(1, VIEW)[0]
    view["held"] = bits(held)
    if asked == DISCARD:
        view["legal"] = bits(held)
    view["asked"], view["phase"], view["limit"], view["multiplier"] = asked, TURN, 10, 1
    view["other"] = 1
    view["last_ending"] = view["last_knocker"] = view["last_draws"] = -1
    view["rules"] = rules(name, **(changes or {})).packed()
    numbers = sit(parse(spec), load("gin")).parameters
    view["parameters"][: len(numbers)] = numbers
    for field, value in given.items():
        view[field] = bits(value) if isinstance(value, (str, frozenset, set)) else value
    hidden = 52 - sum(int(view[field]).bit_count() for field in ("held", "thrown", "pile", "other_took"))
    view["stock"] = hidden - (10 - int(view["other_took"]).bit_count())
    open_stream(view["stream"], U64(7), U64(3), U64(0), U64(0))
    return view


def texts(cards: int) -> frozenset[str]:
    """A set of cards as text."""
    return frozenset(TEXT[number] for number in TEXT if int(cards) >> number & 1)


# Its name ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["rollout", "rollout:worlds=8", "rollout:base=simple", "rollout:worlds=1,base=simple:knock=0"])
def test_rollout_is_named_by_its_spec(spec: str) -> None:
    assert parse(spec).spec == spec
    assert Plan.from_dict(make_plan(load("gin"), unit="hands", strategies=[spec], seed=1).as_dict()).players[0] == parse(spec)


def test_rollout_is_by_default_64_worlds_of_expert() -> None:
    assert parse("rollout") == parse("rollout:base=expert,worlds=64")


def test_its_version_changes_with_its_bases() -> None:
    assert parse("rollout:base=simple").version == f"{strategy('rollout').version}, simple {strategy('simple').version}"


def test_the_bases_parameters_reach_the_kernels_behind_its_own() -> None:
    assert sit(parse("rollout:worlds=9,base=simple:knock=4"), load("gin")).parameters == (9, 1, 4)
    assert sit(parse("rollout"), load("gin")).parameters[2:] == sit(parse("expert"), load("gin")).parameters


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("rollout:base=rollout", "base = rollout: must be one of random, simple, patient, expert."),
        ("rollout:base=my_bot.py:MyBot", "must be one of"),
        ("rollout:base=", "must be one of"),
        ("rollout:base=simple:knock=11", "from 0 to 10"),
        ("rollout:worlds=0", "from 1 to 10000"),
    ],
)
def test_what_is_no_rollout_is_refused_in_one_line(spec: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(spec)
    assert words in str(caught.value) and len(str(caught.value).splitlines()) == 1


# The worlds ----------------------------------------------------------------------------------------------------------


def dealt(view: np.void, world: int = 0, waits: float = 0.5, means: tuple[float, float] = (25.0, 25.0)) -> tuple[frozenset[str], list[str]]:
    """What the other holds in a world, and the stock from its top."""
    deck = accelerate.records(1, DECK)[0]
    first = lay_out(view, deck)
    his = deal_world(view, deck, first, U64(11), world, waits, means)
    return texts(his), [naive.DECK[place] for place in deck["cards"][52 - int(view["stock"]) :]]


IN_A_HAND = {"pile": "KC QD 4S", "other_took": "7H 7D", "draws": 7, "turns": 3}


def test_every_world_has_the_cards_that_the_player_knows_of_where_they_are() -> None:
    view = view_of("AC 2C 3C 5D 6D 9H 9S TC JH KS", TAKE, top="4S", **IN_A_HAND)
    seen = texts(view["held"]) | texts(view["pile"])
    worlds = [dealt(view, world) for world in range(several(200, 20))]
    for his, stock in worlds:
        assert len(his) == 10 and his > {"7H", "7D"}
        assert len(set(stock)) == len(stock) == int(view["stock"])
        assert set(stock) | his | seen == set(naive.DECK)
    if COMPILED:
        held, drawn_next = (Counter(cards) for cards in ((card for his, _ in worlds for card in his), (stock[0] for _, stock in worlds)))
        assert len(held) == len(set(naive.DECK) - seen), "every unseen card may be his"
        assert len(drawn_next) > 25, "and nearly every one may come next"


def test_a_world_depends_on_its_name_alone() -> None:
    view = view_of("AC 2C 3C 5D 6D 9H 9S TC JH KS", TAKE, top="4S", **IN_A_HAND)
    deck = accelerate.records(1, DECK)[0]
    first = lay_out(view, deck)
    again = [int(deal_world(view, deck, first, U64(11), world, 0.5, (25.0, 25.0))) for world in (0, 0, 5)]
    assert texts(again[0]) == dealt(view, 0)[0]
    assert again[2] not in again[:2]


@pytest.mark.skipif(not COMPILED, reason="too slow as plain Python")
@pytest.mark.parametrize("mean", [8.0, 20.0, 35.0])
def test_in_the_worlds_his_deadwood_is_about_what_is_expected_of_him(mean: float) -> None:
    view = view_of("AC 2C 3C 5D 6D 9H 9S TC JH KS", TAKE, top="4S", pile="KC QD 4S", draws=7, turns=3)
    for waits in (0.0, 1.0):
        found = np.mean([deadwood(np.uint64(bits(dealt(view, world, waits, (mean, mean))[0]))) for world in range(400)])
        assert abs(found - mean) < 4


def test_before_he_has_drawn_he_holds_any_ten_cards() -> None:
    view = view_of("AC 2C 3C 5D 6D 9H 9S TC JH KS", TAKE, top="4S", pile="4S")
    found = [naive.deadwood(dealt(view, world, 1.0, (3.0, 3.0))[0]) for world in range(several(100, 10))]
    assert np.mean(found) > 40


# What it does --------------------------------------------------------------------------------------------------------

EARLY = {"draws": 2, "turns": 1, "pile": "4S", "top": "4S"}
LATE = {"draws": 24, "turns": 12}


@pytest.mark.parametrize(
    ("held", "top", "takes", "why"),
    [
        ("2C 3C 4C 5D 6D 7D 9H 9S 9C KS", "9D", True, "gin"),
        ("5C 6C 9H KS QD 2D 7H 3S JC 8D", "KH", False, "it lowers no deadwood: there is nothing to try"),
        ("5C 6C AH AS 2D 2H 7H 3S JC KD", "7C", True, "a run, and a king goes"),
    ],
)
def test_rollout_takes_a_card_that_is_worth_more_than_a_draw(held: str, top: str, takes: bool, why: str) -> None:
    view = view_of(held, TAKE, **(EARLY | {"top": top, "pile": top}))
    assert bool(strategy("rollout").take(view)) == takes, why


@pytest.mark.parametrize(
    ("eleven", "thrown", "why"),
    [
        ("2C 3C 4C 5D 6D 7D 9H 9S 9C 9D KS", "KS", "gin"),
        ("2C 3C 4C 5D 6D 7D 9H 9S 9C AD KS", "KS", "one point instead of ten, and a knock at once"),
    ],
)
def test_rollout_throws_what_ends_the_hand_best_and_knocks(eleven: str, thrown: str, why: str) -> None:
    view = view_of(eleven, DISCARD, draws=9, turns=5, pile="4S 8H JD", top="JD")
    assert TEXT[int(strategy("rollout").discard(view))] == thrown, why
    view["held"] &= ~np.uint64(bits(thrown))
    view["thrown"], view["asked"], view["deadwood"] = bits(thrown), KNOCKING, 0 if "gin" in why else 1
    assert strategy("rollout").knock(view), why


@pytest.mark.skipif(not COMPILED, reason="too few worlds to tell as plain Python")
@pytest.mark.parametrize("base", ["simple", "simple:knock=0"])
@pytest.mark.parametrize(
    ("gin_bonus", "knocks", "why"),
    [(0, True, "gin pays nothing more, and the other has hardly begun"), (1000, False, "gin is worth a thousand, and nine cards make it")],
)
def test_rollout_knocks_by_what_it_is_worth_and_not_as_its_base_would(gin_bonus: int, knocks: bool, why: str, base: str) -> None:
    """One base knocks always, the other never."""
    given = {"thrown": "KS", "deadwood": 1, "draws": 5, "turns": 3, "pile": "QH JS 2S"}
    rules_ = {"gin_bonus": gin_bonus, "target": 1000}
    view = view_of("4C 5C 6C 7C 5D 6D 7D 8D 9D AH", KNOCKING, "gin", f"rollout:worlds=300,base={base}", rules_, **given)
    assert bool(strategy("rollout").knock(view)) == knocks, why


def test_r15_with_the_last_discard_rollout_throws_the_card_that_leaves_least() -> None:
    view = view_of("2C 3C 4C 5D 6D 7D 9H 9S 9C 5S AD", DISCARD, phase=LAST, taken="9C", draws=30, turns=15)
    view["legal"] = bits("5S AD")
    assert TEXT[int(strategy("rollout").discard(view))] == "5S"


def test_rollout_does_not_throw_twice_the_same_card_for_the_same_taken_card() -> None:
    eleven = "2C 3C 4C 6D 7D 8D AH 3S TS KH 5H"
    view = view_of(eleven, DISCARD, taken="4C", draws=4, turns=2, pile="QS", top="")
    view["legal"] &= ~np.uint64(bits("4C"))
    first, second = (TEXT[int(strategy("rollout").discard(view))] for _ in range(2))
    assert first != second, "the same pair of cards would go round for ever (R16)"


def test_the_same_question_has_the_same_answer_and_costs_two_words() -> None:
    answers = []
    for _ in range(2):
        view = view_of("5C 6C AH AS 2D 2H 7H 3S JC KD QS", DISCARD, draws=3, turns=2, pile="4S")
        answers.append(int(strategy("rollout").discard(view)))
        stream = view["stream"]
        assert 4 * stream["block"] - stream["filled"] + stream["used"] == 2
    assert answers[0] == answers[1]


@pytest.mark.skipif(not COMPILED, reason="too slow as plain Python")
def test_rollout_beats_its_base() -> None:
    """Some five standard errors below what it reaches, over a hundred pairs of matches."""
    run = api.simulate("eaai", matches=200, strategies=["rollout:worlds=32,base=simple", "simple"], seed=38, mirror=True, workers=1)
    assert run.frame("matches")["winner"].eq("A").mean() > 0.5
