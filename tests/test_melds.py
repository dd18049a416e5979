"""Deadwood, best discards, spreads and layoffs: the cases with known answers, and the twin on random and dense hands."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations, groupby, product
from pathlib import Path
from random import Random

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from table import NUMBER, U64, bits, checks, several, some_cards, texts, two_hands

from ginsim.accelerate import kernel
from ginsim.melds import (
    best_discards,
    card_points,
    certain_deadwood,
    deadwood,
    discards_within,
    grow_runs,
    lay_off,
    layable,
    least_after_discard,
    loose_points,
    makes_meld,
    next_sets,
    ranks_of_sets,
    runs_of,
    spread,
)

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

NONE = U64(0)
SUITED = {suit: [rank + suit for rank in naive.RANKS] for suit in naive.SUITS}


def melds(*written: str) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Up to three melds as the kernels have them: ascending, those that do not exist last and empty."""
    known = sorted(bits(meld) for meld in written)
    return tuple(known + [NONE] * (3 - len(known)))  # type: ignore[return-value]


def choices_of_sets(cards: np.uint64) -> Iterator[np.uint64]:
    """All that the walk over the choices of sets comes by, no set at all first."""
    ranks = U64(ranks_of_sets(cards))
    chosen = NONE
    while True:
        yield chosen
        chosen = U64(next_sets(cards, ranks, chosen))
        if chosen == NONE:
            return


def shown_by(held: np.uint64) -> tuple[np.uint64, ...]:
    """The spread, as numbers that kernels take."""
    return tuple(map(U64, spread(held)))


def arrangements(cards: np.uint64) -> list[np.uint64]:
    """The choices of sets that leave the least."""
    least = deadwood(cards)
    return [chosen for chosen in choices_of_sets(cards) if loose_points(cards ^ chosen) == least]


def left_by_twin(eleven: frozenset[str], barred: frozenset[str]) -> tuple[int, frozenset[str]]:
    left = {card: points for card, points in naive.discards(eleven).items() if card not in barred}
    least = min(left.values())
    return least, frozenset(card for card in left if left[card] == least)


def some_hands(count: int, size: int, seed: int) -> list[frozenset[str]]:
    """Random hands: of the whole deck, of four ranks anywhere, and as many dense ones."""
    source, hands_ = Random(seed), []
    for number in range(count):
        ranks = source.sample(naive.RANKS, 4)
        few = source.sample([rank + suit for rank in ranks for suit in naive.SUITS], size)
        hands_.append(frozenset(few) if number % 4 == 0 else some_cards(source, size, dense=number % 4 > 1))
    return hands_


def hands(size: int) -> some.SearchStrategy[frozenset[str]]:
    """Hands for hypothesis, of five neighbouring ranks or of the whole deck."""
    dense = some.integers(0, 8).flatmap(
        lambda low: some.sets(
            some.sampled_from([rank + suit for rank in naive.RANKS[low : low + 5] for suit in naive.SUITS]),
            min_size=size,
            max_size=size,
        )
    )
    return (dense | some.sets(some.sampled_from(naive.DECK), min_size=size, max_size=size)).map(frozenset)


# The cases -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given_", "expected"), checks("deadwood"))
def test_r4_the_deadwood_of_the_case_file_and_how_many_arrangements_leave_it(given_: dict, expected: dict) -> None:
    cards = bits(given_["cards"])
    assert deadwood(cards) == expected["deadwood"]
    if "arrangements" in expected:
        assert len(arrangements(cards)) == expected["arrangements"]


@pytest.mark.parametrize(("given_", "expected"), checks("discard"))
def test_r4_the_best_discards_of_the_case_file(given_: dict, expected: dict) -> None:
    least, which = best_discards(bits(given_["cards"]), bits(given_.get("just_taken", "")))
    assert (least, texts(which)) == (expected["deadwood"], set(expected["discards"]))


@pytest.mark.parametrize(("given_", "expected"), checks("knock"))
def test_r8_r9_the_knocking_discards_of_the_case_file(given_: dict, expected: dict) -> None:
    cards, barred = bits(given_["cards"]), bits(given_.get("just_taken", ""))
    assert texts(discards_within(cards, barred, given_.get("limit", 10))) == set(expected["knock_discards"])
    assert texts(discards_within(cards, barred, 0)) == set(expected["gin_discards"])


@pytest.mark.parametrize(("given_", "expected"), checks("is_meld"))
def test_r1_r3_the_melds_of_the_case_file(given_: dict, expected: dict) -> None:
    cards = given_["cards"].split()
    assert (deadwood(bits(cards)) == 0) == expected["meld"]
    for card in cards if len(cards) == 3 else ():
        assert bool(makes_meld(bits(set(cards) - {card}), bits(card))) == expected["meld"]


def test_r3_the_melds_are_65_sets_and_264_runs() -> None:
    """Three cards without deadwood are counted over all threes; longer melds are built; runs of twelve cannot be held."""
    threes = {frozenset(three) for three in combinations(naive.DECK, 3) if deadwood(bits(three)) == 0}
    assert len(threes) == 13 * 4 + 11 * 4
    fours = {frozenset(rank + suit for suit in naive.SUITS) for rank in naive.RANKS}
    runs = {
        frozenset(cards[low:high])
        for cards in SUITED.values()
        for low in range(13)
        for high in range(low + 4, min(low + 11, 13) + 1)
    }
    assert all(deadwood(bits(meld)) == 0 for meld in fours | runs)
    assert len(threes | fours | runs) == 65 + 264 - 4 * (2 + 1)


def test_r3_four_cards_without_deadwood_are_one_meld() -> None:
    step = several(1, 13)
    found = sum(deadwood(bits(four)) == 0 for four in list(combinations(naive.DECK, 4))[::step])
    if step == 1:
        assert found == 13 + 40
    for meld in [four for four in naive.MELDS if len(four) == 4]:
        assert deadwood(bits(meld)) == 0


@pytest.mark.parametrize("suit", naive.SUITS)
def test_r1_r3_within_a_suit_cards_in_three_or_more_neighbours_are_melded(suit: str) -> None:
    """All 8,192 hands of one suit, counted by grouping neighbours: ace low, never next to the king, nor to another suit."""
    for pattern in range(0, 8192, several(1, 7)):
        ranks = [rank for rank in range(13) if pattern >> rank & 1]
        groups = [
            [rank for _, rank in group] for _, group in groupby(enumerate(ranks), lambda placed: placed[1] - placed[0])
        ]
        loose = [rank for group in groups if len(group) < 3 for rank in group]
        cards = bits([SUITED[suit][rank] for rank in ranks])
        assert loose_points(cards) == sum(min(rank + 1, 10) for rank in loose)
        assert texts(runs_of(cards)) == {SUITED[suit][rank] for rank in ranks if rank not in loose}
        if len(ranks) <= 11:
            assert deadwood(cards) == loose_points(cards)


def test_r2_points_of_sets_of_cards() -> None:
    source = Random(2)
    for size in range(12):
        cards = source.sample(naive.DECK, size)
        assert card_points(bits(cards)) == naive.points(cards)
    assert card_points(bits(naive.DECK)) == 340


def test_ms_09_r4_ten_cards_have_at_most_98_points_of_deadwood() -> None:
    worst = bits("KS KC QD QH JS JC TD TH 9S 9C")
    assert deadwood(worst) == 98
    assert spread(worst) == melds()


# Against the twin ----------------------------------------------------------------------------------------------------


def test_r4_deadwood_is_the_twins() -> None:
    for size in range(12):
        for held in some_hands(several(500, 60), size, 10 + size):
            assert deadwood(bits(held)) == naive.deadwood(held), held


@given(hands(10) | hands(11))
def test_r4_deadwood_of_any_hand_is_the_twins(held: frozenset[str]) -> None:
    assert deadwood(bits(held)) == naive.deadwood(held)


def test_r4_the_arrangements_are_as_many_as_the_twins() -> None:
    for held in some_hands(several(1500, 100), 10, 30) + some_hands(several(1500, 100), 11, 31):
        assert len(arrangements(bits(held))) == len(naive.arrangements(held)), held


def test_r3_the_walk_over_sets_comes_by_every_choice_once() -> None:
    for held in some_hands(several(1000, 150), 11, 32):
        columns = [[card for card in sorted(held) if card[0] == rank] for rank in naive.RANKS]
        ways = []
        for column in columns:
            if len(column) >= 3:
                ways.append([frozenset(), *(frozenset(three) for three in combinations(column, 3))])
                if len(column) == 4:
                    ways[-1].append(frozenset(column))
        expected = {frozenset().union(*choice) for choice in product(*ways)}
        found = [texts(chosen) for chosen in choices_of_sets(bits(held))]
        assert len(found) == len(expected)
        assert set(found) == expected
        ranks = {column[0][0] for column in columns if len(column) >= 3}
        assert {card[0] for card in texts(ranks_of_sets(bits(held)))} == ranks


def test_certain_deadwood_is_of_the_cards_in_no_meld_at_all() -> None:
    for size in (10, 11):
        for held in some_hands(several(1500, 200), size, 40):
            meldless = [card for card in held if not any(meld <= held for meld in naive.solver.MELDS_OF[card])]
            assert certain_deadwood(bits(held)) == naive.points(meldless) <= naive.deadwood(held)


def test_r8_the_best_discards_are_the_twins_with_none_one_or_several_barred() -> None:
    source = Random(50)
    for eleven in some_hands(several(1500, 120), 11, 51):
        cards = sorted(eleven)
        _, best = naive.best_discards(eleven)
        for barred in (
            [],
            [source.choice(cards)],
            [source.choice(sorted(best))],
            sorted(best) if len(best) < 11 else cards[1:],
            source.sample(cards, source.randint(2, 9)),
            source.sample(cards, 10),
        ):
            least, which = best_discards(bits(eleven), bits(barred))
            assert (least, texts(which)) == left_by_twin(eleven, frozenset(barred)), (cards, barred)


def test_r8_the_least_that_any_discard_of_ten_or_eleven_leaves_is_the_twins() -> None:
    for size in (10, 11):
        for held in some_hands(several(1500, 120), size, 52):
            assert least_after_discard(bits(held)) == left_by_twin(held, frozenset())[0], sorted(held)


@given(hands(11), some.data())
def test_r8_the_best_discards_of_any_hand_are_the_twins(eleven: frozenset[str], data: some.DataObject) -> None:
    barred = frozenset(data.draw(some.sets(some.sampled_from(sorted(eleven)), max_size=10)))
    least, which = best_discards(bits(eleven), bits(barred))
    assert (least, texts(which)) == left_by_twin(eleven, barred)


@pytest.mark.parametrize(
    ("eleven", "barred", "least", "best"),
    [
        # Nothing stands in a run but the fives' set of four: any five may go, the barred one may not.
        ("5C 5D 5H 5S 9C 9D 9H 2C 2D 2H KS", "KS", 10, "5C 5D 5H 5S"),
        ("5C 5D 5H 5S 9C 9D 9H 2C 2D 2H KS", "", 0, "KS"),
        ("5C 5D 5H 5S AC 2C 3C 4C JD QD KD", "5H", 0, "5C 5D 5S AC 4C"),
        ("5C 5D 5H 5S 8C 9C TC JC AD 2D 3D", "5H", 0, "5C 5D 5S 8C JC"),
        ("5C 5D 5H 5S 8C 9C TC JC AD 2D 3D", "", 0, "5C 5D 5H 5S 8C JC"),
        # Several barred: the sets of three have to be broken.
        ("9C 9D 9H 2C 2D 2H 6S 7S 8S KS KD", "KS KD 6S 7S 8S", 24, "2C 2D 2H"),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC", "", 0, "AC 4C 5C 6C 7C 8C JC"),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC", "AC JC 4C 5C 6C 7C 8C", 1, "2C"),
        # A king and an ace are no neighbours: 3D ends its run of four, QS KS are loose.
        ("QS KS AC 3D 4D 5D 6D 8H 8C 8S TC", "TC", 21, "KS QS"),
    ],
)
def test_r8_the_best_discard_is(eleven: str, barred: str, least: int, best: str) -> None:
    found, which = best_discards(bits(eleven), bits(barred))
    assert (found, texts(which)) == (least, texts(bits(best)))


def test_r8_r9_discards_within_a_limit_are_the_twins() -> None:
    source = Random(60)
    for eleven in some_hands(several(800, 80), 11, 61):
        barred = frozenset(source.sample(sorted(eleven), source.choice((0, 1, 1, 3))))
        left = naive.discards(eleven)
        for limit in {0, 1, 10, min(left.values()), source.randint(0, 40), min(left.values()) - 1}:
            expected = {card for card in eleven - barred if left[card] <= limit}
            assert texts(discards_within(bits(eleven), bits(barred), limit)) == expected


def test_r3_a_card_makes_a_meld_where_the_twin_says_so() -> None:
    for held in some_hands(several(1000, 60), 10, 70):
        for card in set(naive.DECK) - held:
            expected = any(meld <= held | {card} for meld in naive.solver.MELDS_OF[card])
            assert bool(makes_meld(bits(held), bits(card))) == expected, (held, card)


# The spread ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "shown"),
    [
        # Three runs would take 4D 8D, 4S 8S and so on; the sets take one card each.
        ("AS 5S 6S 7S 5C 6C 7C 5D 6D 7D", ["5S 5C 5D", "6S 6C 6D", "7S 7C 7D"]),
        # On the runs 2-3-4 and 3-4-5 there is room for AC 5C 2S 6S; on the sets for 3D 4H only.
        ("2C 3C 4C AD 4D 5D 3H 3S 4S 5S", ["3C 3H 3S", "4C 4D 4S"]),
        # Room for 3S 8D either way; 7S on the sevens and 8S on the run are his own, so the order decides.
        ("7C 8C 7D 7H 8H 4S 5S 6S 7S 8S", ["7C 7D 7H", "4S 5S 6S 7S", "8C 8H 8S"]),
        # 2H fits the set and the run, and counts once: two cards either way, and this pair is first in order.
        ("AC 2C 5C 2D 4D 3H 4H 5H 2S 4S", ["3H 4H 5H", "2C 2D 2S"]),
        # Two cards either way: the order of the melds as numbers alone decides.
        ("3C 4C 3D 4D 5D 3H 4H 3S 4S 5S", ["3D 4D 5D", "3C 3H 3S", "4C 4H 4S"]),
        # A long run is shown in one piece.
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS", ["AS 2S 3S 4S 5S 6S 7S 8S 9S TS"]),
        ("AC 2C 3C JC QC KC AS 2S 3S 4S", ["AC 2C 3C", "JC QC KC", "AS 2S 3S 4S"]),
        ("2C 4C 6C 8C TC QC AD 3D 5D 7D", []),
    ],
)
def test_r14_the_knocker_shows(held: str, shown: list[str]) -> None:
    assert spread(bits(held)) == melds(*shown)


def test_r14_the_spread_is_the_twins() -> None:
    tied = 0
    for held in some_hands(several(4000, 250), 10, 80):
        shown = naive.spread(held)
        assert spread(bits(held)) == melds(*(" ".join(meld) for meld in shown)), held
        tied += len(naive.arrangements(held)) > 1
    assert tied > several(200, 8)


@given(hands(10))
def test_r14_the_spread_of_any_hand_is_the_twins(held: frozenset[str]) -> None:
    assert spread(bits(held)) == melds(*(" ".join(meld) for meld in naive.spread(held)))


def test_ms_08_r14_equal_arrangements_do_not_depend_on_the_order_of_cards() -> None:
    """2S3S4S would take AS and 5S, the threes only 3D: the set is shown, however the cards are dealt."""
    cards, source = "2S 3S 4S 3H 3C JS 5C 7D 9D TD".split(), Random(1)
    for _ in range(200):
        source.shuffle(cards)
        held = NONE
        for card in cards:
            held |= U64(1) << U64(NUMBER[card])
        assert deadwood(held) == 47
        assert spread(held) == melds("3S 3H 3C")


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_ms_08_r14_equal_arrangements_do_not_depend_on_the_hash_seed(hash_seed: str) -> None:
    program = (
        "import numpy as np; from ginsim.cards import cards_text, parse_cards; from ginsim.melds import deadwood, spread\n"
        "cards = np.uint64(parse_cards('2S 3S 4S 3H 3C JS 5C 7D 9D TD'))\n"
        "print(deadwood(cards), *map(cards_text, spread(cards)), sep='/')"
    )
    root = str(Path(__file__).parent.parent)
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": root}
    answer = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=root,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert answer.stdout == "47/3C 3H 3S//\n"


# Layoffs -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("meld", "takes"),
    [
        ("7C 7D 7H", "7S"),
        ("7C 7D 7H 7S", ""),
        ("AC 2C 3C", "4C"),
        ("JS QS KS", "TS"),
        ("JD QD KD", "TD"),
        ("5H 6H 7H 8H", "4H 9H"),
        ("AD 2D 3D 4D 5D 6D 7D 8D 9D TD", "JD"),
        ("AS AH AD", "AC"),
        ("KC KD KS", "KH"),
        ("", ""),
    ],
)
def test_r12_a_meld_takes_directly(meld: str, takes: str) -> None:
    assert texts(layable(bits(meld))) == texts(bits(takes))


def test_r12_every_meld_takes_what_the_twin_says() -> None:
    for each in naive.MELDS:
        assert texts(layable(bits(each))) == {card for card in naive.DECK if naive.solver.fits(card, each)}


def test_r12_runs_grow_by_chains_at_both_ends_and_not_over_a_gap() -> None:
    grown = grow_runs(bits("5H 6H 7H"), bits("3H 4H 8H TH 4D 8D"))
    assert texts(grown) == set("3H 4H 5H 6H 7H 8H".split())
    assert texts(grow_runs(bits("QS KS JS"), bits("AC AS TS 9S"))) == set("9S TS JS QS KS".split())


@pytest.mark.parametrize(
    ("shown", "defender", "kept", "laid"),
    [
        # 8S fits either meld; 9S fits only after it is on the run.
        (["8C 8D 8H", "5S 6S 7S"], "8S 9S KD", 10, "8S 9S"),
        # The fours are a set already.
        (["AS 2S 3S", "9C TC JC"], "4S 4D 4H", 0, ""),
        # 8H or 8S could go as well, but three eights are a set without it.
        (["5S 6S 7S", "4D 4H 4S", "5H 6H 7H"], "4C 5C 7C 8C 5D 8D 3H 8H 3S 8S", 23, "4C"),
        # 3H 4H 8H 3S leaves 21 as well with four cards, but a spade is the greater number.
        (["4S 5S 6S", "6C 7C 8C", "5H 6H 7H"], "3C 4C 5C 6D 7D 3H 4H 8H 3S 8S", 21, "4C 5C 4H 8H"),
        # A set of four is full, and nothing goes round the corner from a king.
        (["9C 9D 9H 9S", "JH QH KH"], "AH 2H 4D", 7, ""),
        # Laid off on a set of three a card is no end of a run: 8D does not follow 7D.
        (["7C 7H 7S"], "7D 8D KC", 18, "7D"),
        # The runs 2-3-4 and 6-7-8 of one suit are joined by the five, and go on from there.
        (["2C 3C 4C", "6C 7C 8C"], "5C 9C TC KD", 10, "5C 9C TC"),
        # No melds, no layoffs.
        ([], "5C 9C TC KD", 34, ""),
    ],
)
def test_r12_r13_the_defender_lays_off(shown: list[str], defender: str, kept: int, laid: str) -> None:
    least, which = lay_off(bits(defender), *melds(*shown))
    assert (least, texts(which)) == (kept, texts(bits(laid)))


def test_r13_layoffs_are_the_twins_on_any_melds() -> None:
    """The knocker's melds are any that his cards allow, the least deadwood or not."""
    source, joint = Random(90), 0
    for _ in range(several(2500, 400)):
        knocker, defender = two_hands(source)
        shown = naive.solver.merged(source.choice([found for found, _ in naive.packings(knocker) if len(found) > 1]))
        kept, laid = naive.lay_off(defender, shown)
        least, which = lay_off(bits(defender), *melds(*(" ".join(meld) for meld in shown)))
        assert (least, texts(which)) == (kept, laid), (shown, defender)
        joint += len(laid) > 2
    assert joint > several(100, 8), joint


@settings(max_examples=several(150, 40))
@given(some.randoms(use_true_random=False))
def test_r13_layoffs_on_the_spread_are_the_twins(source: Random) -> None:
    knocker, defender = two_hands(source)
    least, which = lay_off(bits(defender), *shown_by(bits(knocker)))
    assert (least, texts(which)) == naive.lay_off(defender, naive.spread(knocker))


def test_r13_the_defender_never_keeps_more_than_without_laying_off() -> None:
    source = Random(91)
    for _ in range(several(2000, 100)):
        knocker, defender = two_hands(source)
        least, which = lay_off(bits(defender), *shown_by(bits(knocker)))
        assert least <= deadwood(bits(defender))
        assert texts(which) <= defender
        assert deadwood(bits(defender - texts(which))) == least


# Many, by the kernels alone ------------------------------------------------------------------------------------------


@kernel()
def _disagreements(hands_, barred, limit):  # noqa: ANN001, ANN202
    """How often the best discards, or those within a limit, are not what trying every card gives."""
    wrong = 0
    for place in range(len(hands_)):
        cards = hands_[place]
        least, which, within = 99, U64(0), U64(0)
        rest = cards & ~barred[place]
        while rest != U64(0):
            card = rest & (~rest + U64(1))
            rest ^= card
            left = deadwood(cards ^ card)
            if left < least:
                least, which = left, card
            elif left == least:
                which |= card
            if left <= limit:
                within |= card
        found, discards = best_discards(cards, barred[place])
        if found != least or discards != which or discards_within(cards, barred[place], limit) != within:
            wrong += 1
        if barred[place] == U64(0) and least_after_discard(cards) != least:
            wrong += 1
    return wrong


def test_r8_the_best_discards_are_those_of_trying_every_card_on_very_many_dense_hands() -> None:
    source = Random(100)
    count = several(60_000, 200)
    dense = np.array([bits(some_cards(source, 11, dense=number % 4 > 0)) for number in range(count)])
    for size in (0, 1, 2):
        part = dense[size::3]
        barred = np.array([bits(source.sample(sorted(texts(cards)), size)) for cards in part])
        assert _disagreements(part, barred, 10) == 0
