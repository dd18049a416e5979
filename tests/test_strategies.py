"""The built-in players ``random`` and ``simple``: each decision by itself, over views made by hand, and in whole hands."""

from collections import Counter
from random import Random
from typing import Any

import naive
import numpy as np
import pytest
from table import (
    TEXT,
    U64,
    Table,
    Watched,
    bits,
    dense_deal,
    play,
    played_otherwise,
    rules,
    several,
    some_cards,
)

from ginsim import accelerate
from ginsim.errors import UsageError
from ginsim.hand import KNOCKING, LAST, OFFER, TURN, VIEW
from ginsim.randomness import open_stream
from ginsim.strategies import Player, names, parse, strategy

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]


def view_of(held: Any, *, seed: int = 0, parameter: int = 10, **given: Any) -> np.void:
    """A view with cards and numbers as told; sets of cards are told as text."""
    view = accelerate.records(1, VIEW)[0]
    view["held"] = bits(held)
    view["limit"] = 10
    view["phase"] = TURN
    view["rules"] = rules("gin").packed()
    view["parameters"][0] = parameter
    for name, value in given.items():
        view[name] = bits(value) if isinstance(value, (str, frozenset, set)) else value
    open_stream(view["stream"], U64(seed), U64(3), U64(0), U64(0))
    return view


def words_used(view: np.void) -> int:
    """How many random words were drawn from the view's stream."""
    return int(4 * view["stream"]["block"] - view["stream"]["filled"] + view["stream"]["used"])


def even(counts: Counter, over: set, tries: int) -> bool:
    """Whether all of these came up equally often, within five standard deviations, and nothing else did."""
    share = 1 / len(over)
    spread = (tries * share * (1 - share)) ** 0.5
    return set(counts) == over and all(abs(count - tries * share) <= 5 * spread for count in counts.values())


# Their names ---------------------------------------------------------------------------------------------------------


def test_the_built_in_players_are_known_by_name() -> None:
    assert names() == ["random", "simple", "patient", "expert", "rollout"]
    assert parse("random") == Player("random", 1)
    assert (
        parse("simple")
        == Player("simple", 1, (("knock", 10),))
        == parse("simple:knock=10")
        == parse(" simple: knock = 10 ")
    )
    assert parse("simple:knock=4").parameters == (("knock", 4),)


@pytest.mark.parametrize("spec", ["random", "simple", "simple:knock=0", "simple:knock=9"])
def test_a_player_is_named_by_its_spec(spec: str) -> None:
    assert parse(spec).spec == spec
    assert parse(parse(spec).spec) == parse(spec)


def test_a_player_says_how_it_plays() -> None:
    assert parse("simple").description == "simple knocks as soon as it may"
    assert parse("simple:knock=0").description == "simple:knock=0 plays for gin only"
    assert parse("simple:knock=4").description == "simple:knock=4 knocks only with 4 or less"
    assert parse("random").description.startswith("random plays any legal card")
    for name in names():
        assert strategy(name).document.strip()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("simpel", "Did you mean 'simple'?"),
        ("", "no strategy named ''"),
        ("whist", "There are: random, simple"),
        ("simple:", "is not a parameter"),
        ("simple:knock", "is not a parameter and its value"),
        ("simple:knok=3", "has no parameter 'knok'"),
        ("simple:knock=11", "from 0 to 10"),
        ("simple:knock=-1", "from 0 to 10"),
        ("simple:knock=2.5", "from 0 to 10"),
        ("simple:knock=", "from 0 to 10"),
        ("simple:knock=3,knock=4", "stands twice"),
        ("random:knock=3", "has no parameter 'knock'; it has: none"),
        ("random:", "is not a parameter"),
    ],
)
def test_what_is_no_player_is_refused_in_one_line(spec: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(spec)
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert caught.value.exit_code == 2


# random --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decision", ["take", "knock"])
def test_random_says_yes_or_no_by_the_toss_of_a_coin(decision: str) -> None:
    view, tries = view_of("AC 2C", seed=5), several(20_000, 2_000)
    answer = getattr(strategy("random"), decision)
    twin = naive.Stream(5, 3, 0, 0)
    found = [int(answer(view)) for _ in range(tries)]
    assert even(Counter(found), {0, 1}, tries)
    assert found == [int(twin.below(2) == 1) for _ in range(tries)]


def test_random_throws_any_legal_card_uniformly() -> None:
    tries = several(20_000, 2_000)
    for legal in ("AC KS 7D", "AC 2C 3C 4C 5C 6C 7C 8C 9C TC KS", "5H"):
        view = view_of("AC 2C 3C 4C 5C 6C 7C 8C 9C TC KS 7D 5H", legal=legal, seed=6)
        counts = Counter(TEXT[int(strategy("random").discard(view))] for _ in range(tries))
        assert even(counts, set(legal.split()), tries)
    assert words_used(view) == 0


# simple: taking ------------------------------------------------------------------------------------------------------


def test_simple_takes_the_top_exactly_when_it_makes_a_meld_with_cards_held() -> None:
    source, taken, tries = Random(1), 0, several(1500, 300)
    for number in range(tries):
        eleven = sorted(some_cards(source, 11, dense=number % 2 == 0))
        top = source.choice(eleven)
        held = frozenset(eleven) - {top}
        expected = any(meld <= frozenset(eleven) for meld in naive.MELDS if top in meld)
        for phase in (OFFER, TURN):
            assert bool(strategy("simple").take(view_of(held, top={top}, phase=phase))) == expected, (held, top)
        taken += expected
    assert 0.2 * tries < taken < 0.9 * tries


@pytest.mark.parametrize(
    ("held", "top", "takes"),
    [
        ("5C 5D KS", "5H", True),
        ("5C KD KS", "5H", False),
        ("5H 6H KS", "7H", True),
        ("5H 7H KS", "6H", True),
        ("6H 7H KS", "5H", True),
        ("QS KS 5D", "AS", False),
        ("2S KS 5D", "AS", False),
        ("QS JS 5D", "KS", True),
        ("2C 3C KS", "AC", True),
        # The sevens are a set without it, and stay one with it.
        ("7C 7D 7H", "7S", True),
        # Cards of neighbouring suits with no rank between them.
        ("KC QC 5S", "AD", False),
    ],
)
def test_simple_takes(held: str, top: str, takes: bool) -> None:
    assert bool(strategy("simple").take(view_of(held, top=top))) == takes


@pytest.mark.parametrize("knock", [0, 4, 10])
def test_r15_simple_takes_the_last_discard_only_for_a_knock_that_it_would_make(knock: int) -> None:
    source, tries, answers = Random(2), several(800, 200), Counter()
    for number in range(tries):
        eleven = sorted(some_cards(source, 11))
        top = source.choice(eleven)
        held = frozenset(eleven) - {top}
        loose = number % 4 == 0
        view = view_of(held, top={top}, phase=LAST, parameter=knock)
        view["rules"] = rules("gin", discard_taken_card=loose).packed()
        meld = any(found <= frozenset(eleven) for found in naive.MELDS if top in found)
        least, _ = naive.best_discards(eleven, None if loose else top)
        answer = bool(strategy("simple").take(view))
        assert answer == (meld and least <= knock), (held, top)
        answers[answer] += 1
    assert len(answers) == 2


def test_r8_r15_simple_takes_the_last_discard_to_throw_it_back_where_the_rules_let_it() -> None:
    """Gin in hand; the five would make a set of fives, but it is of use only to be thrown, which R8 forbids."""
    for allowed in (True, False):
        view = view_of("5C 6C 7C 5D 6D 7D 9S TS JS QS", top="5H", phase=LAST, parameter=0)
        view["rules"] = rules("gin", discard_taken_card=allowed).packed()
        assert bool(strategy("simple").take(view)) == allowed


# simple: throwing ----------------------------------------------------------------------------------------------------


def test_simple_throws_one_of_the_cards_that_leave_least_and_never_the_card_just_taken() -> None:
    """Where the rules would let it throw that card back, too (R8)."""
    source = Random(3)
    for number in range(several(800, 200)):
        eleven = some_cards(source, 11, dense=number % 3 > 0)
        taken = source.choice(sorted(eleven)) if number % 2 else None
        legal = eleven if taken is None or number % 4 == 1 else eleven - {taken}
        view = view_of(eleven, legal=legal, taken={taken} - {None}, seed=number)
        thrown = TEXT[int(strategy("simple").discard(view))]
        _, best = naive.best_discards(eleven, taken)
        assert thrown in best
        assert words_used(view) == (len(best) > 1)


@pytest.mark.parametrize(
    ("eleven", "taken", "best"),
    [
        # Four tens of no use.
        ("2C 3C 4C 6D 7D 8D AH TS KH QC JC", "", "TS KH QC JC"),
        # The taken card is of the fours; it stays.
        ("4C 4D 4H 4S 6D 7D 8D TS JS QS KS", "4S", "4C 4D 4H TS KS"),
        ("4C 4D 4H 4S 6D 7D 8D TS JS QS KS", "", "4C 4D 4H 4S TS KS"),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC", "JC", "AC 4C 5C 6C 7C 8C"),
    ],
)
def test_simple_breaks_ties_at_random_uniformly(eleven: str, taken: str, best: str) -> None:
    tries = several(20_000, 2_000)
    view = view_of(eleven, legal=set(eleven.split()) - set(taken.split()), taken=taken, seed=8)
    counts: Counter = Counter()
    for _ in range(tries):
        view["notes"][:] = 0
        counts[TEXT[int(strategy("simple").discard(view))]] += 1
    assert even(counts, set(best.split()), tries)


def test_simple_never_throws_the_same_card_for_the_same_taken_card_twice() -> None:
    """With the same cards each time it goes on to the next best, until nothing new is left; then all legal cards again."""
    eleven = frozenset("2C 3C 4C 6D 7D 8D AH 3S TS KH 5H".split())
    view = view_of(eleven, legal=eleven - {"4C"}, taken={"4C"})
    thrown = [TEXT[int(strategy("simple").discard(view))] for _ in range(10)]
    assert len(set(thrown)) == 10
    assert set(thrown[:2]) == {"TS", "KH"}
    assert thrown[2:5] == ["5H", "3S", "AH"]
    assert set(thrown) == eleven - {"4C"}
    for _ in range(20):
        assert TEXT[int(strategy("simple").discard(view))] in {"TS", "KH"}


def test_simple_holds_what_it_threw_against_the_same_taken_card_only() -> None:
    eleven = frozenset("2C 3C 4C 6D 7D 8D AH 3S TS 9H 5H".split())
    view = view_of(eleven, legal=eleven - {"4C"}, taken={"4C"})
    assert TEXT[int(strategy("simple").discard(view))] == "TS"
    # From the stock, or for another card, the ten is thrown again.
    for legal, taken in ((eleven, set()), (eleven - {"8D"}, {"8D"}), (eleven, set())):
        view["legal"], view["taken"] = bits(legal), bits(taken)
        assert TEXT[int(strategy("simple").discard(view))] == "TS"
    view["legal"], view["taken"] = bits(eleven - {"4C"}), bits("4C")
    assert TEXT[int(strategy("simple").discard(view))] == "9H"
    # A turn from the stock is held against no card.
    view["notes"][:] = 0
    for taken in sorted(eleven - {"TS"}):
        view["legal"], view["taken"] = bits(eleven), bits("")
        assert TEXT[int(strategy("simple").discard(view))] == "TS"
        view["legal"], view["taken"] = bits(eleven - {taken}), bits(taken)
        assert TEXT[int(strategy("simple").discard(view))] == "TS"
    # A new hand begins without notes.
    view["notes"][:] = 0
    assert TEXT[int(strategy("simple").discard(view))] == "TS"


def test_r15_simple_throws_only_what_is_legal_with_the_last_discard() -> None:
    """Of the cards that leave a knock the one that leaves least; a card that leaves less, were it legal, is not there."""
    source = Random(4)
    for number in range(several(800, 120)):
        eleven = some_cards(source, 11)
        taken = source.choice(sorted(eleven))
        legal = frozenset(source.sample(sorted(eleven - {taken}), source.randint(1, 10)))
        view = view_of(eleven, legal=legal, taken={taken}, phase=LAST, seed=number)
        left = {card: naive.deadwood(eleven - {card}) for card in legal}
        assert left[TEXT[int(strategy("simple").discard(view))]] == min(left.values())


# simple: knocking ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("knock", range(11))
def test_r9_simple_knocks_with_deadwood_of_at_most_its_parameter(knock: int) -> None:
    for deadwood in range(11):
        view = view_of("AC", deadwood=deadwood, parameter=knock, asked=KNOCKING)
        assert bool(strategy("simple").knock(view)) == (deadwood <= knock)


def test_r11_simple_always_declares_big_gin() -> None:
    for spec in ("simple", "simple:knock=0"):
        players = {"A": Watched(spec), "B": Watched("random")}
        cards = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC AD 3D 5D 7D 9D JD KD 2S 4S 6S JC".split()
        cards += [card for card in naive.DECK if card not in cards]
        assert play(cards, players, rules("gin", big_gin_bonus=31)).row["ending"] == "big_gin"


# Whole hands ---------------------------------------------------------------------------------------------------------


def pairs(played: Any, seat: str) -> list[tuple[str, str]]:
    """The cards that a seat took from the pile, each with the card it threw for it."""
    own = [(what, card) for who, what, card in played.history if who == seat and what in ("take", "draw", "discard")]
    return [(taken, thrown) for (what, taken), (_, thrown) in zip(own[::2], own[1::2], strict=True) if what == "take"]


class Forgetful(naive.Simple):
    """``simple`` as it would be if it did not remember what it threw for what; it breaks ties with a stream of its own."""

    def __init__(self, knock: int, stream: naive.Stream) -> None:
        super().__init__(knock)
        self.stream = stream

    def discard(self, view: Any) -> str:
        return self.stream.choose(naive.best_discards(view.hand, view.taken)[1])

    def knock(self, view: Any) -> bool:
        return naive.deadwood(view.hand) <= self.limit


@pytest.mark.parametrize(
    ("name", "spec", "seed", "number"),
    [
        ("straight", "simple", 1, 1601),
        ("straight", "simple", 1, 10379),
        ("gin", "simple", 1, 157682),
        ("gin", "simple:knock=0", 1, 24107),
    ],
)
def test_r16_simple_does_not_go_on_for_ever_where_it_would_without_its_memory(
    name: str, spec: str, seed: int, number: int
) -> None:
    """Deals in which two players that throw the best card for ever take each other's cards in a ring."""
    cards, dealer = naive.deal(seed, number, 0), "BA"[number % 2]
    limit = int(spec.partition("=")[2] or 10)
    players = {seat: Forgetful(limit, naive.Stream(seed, naive.PLAY[seat], number, 0)) for seat in "AB"}
    forgetful = play(cards, players, rules(name), dealer)
    assert (forgetful.row["ending"], forgetful.row["draws"]) == ("stopped", 400)
    for seed in range(several(20, 5)):
        played = play(cards, {"A": spec, "B": spec}, rules(name), dealer, seed=seed)
        assert played.row["ending"] != "stopped"
        assert played.row["draws"] < 100
        for seat in "AB":
            assert len(set(pairs(played, seat))) == len(pairs(played, seat))


@pytest.mark.parametrize("spec", ["simple", "simple:knock=4", "simple:knock=0"])
def test_simple_throws_no_pair_twice_and_never_back_what_it_took_in_whole_hands(spec: str) -> None:
    source, several_pairs, limit = Random(7), 0, int(spec.partition("=")[2] or 10)
    for number in range(several(250, 40)):
        cards = dense_deal(source) if number % 2 else source.sample(naive.DECK, 52)
        played = play(cards, {"A": spec, "B": spec}, rules("gin", discard_taken_card=True), seed=number)
        for seat in "AB":
            found = pairs(played, seat)
            assert len(set(found)) == len(found)
            assert all(taken != thrown for taken, thrown in found)
            several_pairs += len(found) > 1
        if played.row["knocker"]:
            assert played.row["knocker_deadwood"] <= limit
    assert several_pairs > 10


@pytest.mark.parametrize("spec", ["random", "simple", "simple:knock=3"])
def test_a_player_draws_words_from_its_own_stream_alone(spec: str) -> None:
    """What the other plays, and with which words, changes nothing of the words that a seat has next."""
    for seat in range(2):
        table = Table(rules("gin"), {"A": spec, "B": spec})
        table.play(naive.deal(3, 1, 0), seed=9, match=4, hand=5)
        stream = table.views[seat]["stream"]
        assert (int(stream["key"]), int(stream["purpose"]), int(stream["match"]), int(stream["hand"])) == (
            9,
            3 + seat,
            4,
            5,
        )


def test_players_of_the_engine_and_of_the_twin_play_dense_deals_alike() -> None:
    source, specs = Random(8), ["simple", "random", "simple:knock=0", "simple:knock=4"]
    for number in range(several(120, 50)):
        cards = dense_deal(source)
        players = {"A": specs[number % 4], "B": specs[number // 4 % 4]}
        changes = [{}, {"discard_taken_card": True}, {"big_gin_bonus": 20, "last_discard": "knock", "stock_floor": 10}][
            number % 3
        ]
        found = played_otherwise(cards, lambda players=players: players, "gin", "AB"[number % 2], changes, seed=number)
        assert found == [], (cards, players, changes)
