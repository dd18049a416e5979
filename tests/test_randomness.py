"""The keyed counter: published answers, streams against the twin's, uniform choices, and deals that share nothing."""

from collections import Counter
from random import Random

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from table import U64, bits, several, texts

from ginsim import accelerate, randomness
from ginsim.hand import DECK, cards_between, fresh_deck, shuffle
from ginsim.randomness import (
    BUFFER,
    CUT,
    DEAL,
    MAX_MATCHES,
    MAX_SEED,
    PLAY,
    STREAM,
    below,
    choose,
    next_word,
    open_stream,
    philox,
    refill,
)

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

WORD = 2**32
PURPOSES = [DEAL, CUT, PLAY, PLAY + 1, PLAY + 2]
LARGE = [
    (0, 0, 0),
    (1, 0, 0),
    (2**32, 1, 0),
    (2**63, 2**47, 9_999),
    (2**64 - 1, 2**48 - 1, 999_999),
    (0x0123456789ABCDEF, 0x5_0000_0007, 9),
]


def stream(seed: int, purpose: int, match: int = 0, hand: int = 0) -> np.void:
    """A stream of the engine at its first word."""
    made = accelerate.records(1, STREAM)[0]
    open_stream(made, U64(seed), U64(purpose), U64(match), U64(hand))
    return made


def words(made: np.void, count: int) -> list[int]:
    return [int(next_word(made)) for _ in range(count)]


def scripted(script: list[int]) -> np.void:
    """A stream whose next words are these."""
    made = stream(1, DEAL)
    made["words"][: len(script)] = script
    made["filled"] = len(script)
    return made


def words_left(made: np.void) -> int:
    return int(made["filled"] - made["used"])


def dealt(seed: int, match: int = 0, hand: int = 0, steps: tuple[int, ...] = (52,)) -> list[str]:
    """The cards of a deal of the engine, shuffled as far as each step in turn."""
    deck = accelerate.records(1, DECK)[0]
    fresh_deck(deck)
    open_stream(deck["stream"], U64(seed), U64(DEAL), U64(match), U64(hand))
    for count in steps:
        shuffle(deck, count)
    return [naive.DECK[place] for place in deck["cards"][: steps[-1]]]


# The generator -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counter", "key", "block"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
    ids=["zeros", "ones", "digits of pi"],
)
def test_philox_gives_its_published_known_answers(counter: str, key: str, block: str) -> None:
    arguments = [U64(int(word, 16)) for word in f"{counter} {key}".split()]
    assert [int(word) for word in philox(*arguments)] == [int(word, 16) for word in block.split()]


def test_the_purposes_are_those_of_the_twin() -> None:
    assert (DEAL, CUT, {seat: PLAY + number for number, seat in enumerate("ABC")}) == (
        naive.DEAL,
        naive.CUT,
        naive.PLAY,
    )


@pytest.mark.parametrize(("seed", "match", "hand"), LARGE)
@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_stream_has_the_words_of_the_twins(seed: int, match: int, hand: int, purpose: int) -> None:
    twin = naive.Stream(seed, purpose, match, hand)
    # More than one buffer full, whatever the number of blocks made at once.
    assert words(stream(seed, purpose, match, hand), 3 * BUFFER) == [twin.word() for _ in range(3 * BUFFER)]


@given(
    some.integers(0, MAX_SEED), some.sampled_from(PURPOSES), some.integers(0, MAX_MATCHES - 1), some.integers(0, 10**6)
)
def test_any_stream_has_the_words_of_the_twins(seed: int, purpose: int, match: int, hand: int) -> None:
    twin = naive.Stream(seed, purpose, match, hand)
    assert words(stream(seed, purpose, match, hand), 9) == [twin.word() for _ in range(9)]


@pytest.mark.parametrize("blocks", [1, 2, BUFFER // 4])
def test_the_words_do_not_depend_on_how_many_blocks_are_made_at_once(blocks: int) -> None:
    one, other = stream(7, CUT, 3), stream(7, CUT, 3)
    found = []
    for _ in range(5):
        refill(other, blocks)
        found += words(other, 4 * blocks)
    assert found == words(one, 20 * blocks)


def test_a_stream_that_is_opened_again_begins_again() -> None:
    made = stream(5, DEAL, 6, 7)
    before = words(made, 11)
    open_stream(made, U64(5), U64(DEAL), U64(6), U64(7))
    assert words(made, 11) == before


def test_no_two_streams_share_a_block() -> None:
    """Neighbouring seeds, purposes, matches and hands, and names that differ in one bit of either half."""
    names = {
        (seed, purpose, match, hand)
        for seed in range(4)
        for purpose in PURPOSES
        for match in range(4)
        for hand in range(4)
    }
    names |= {(1 << bit, DEAL, 0, 0) for bit in range(64)} | {(0, DEAL, 1 << bit, 0) for bit in range(48)}
    names |= {(0, DEAL, 0, 1 << bit) for bit in range(20)} | {(MAX_SEED - off, DEAL, 0, 0) for off in range(4)}
    blocks: set[tuple[int, ...]] = set()
    seen: set[int] = set()
    for name in names:
        made = stream(*name)
        for _ in range(4):
            block = words(made, 4)
            blocks.add(tuple(block))
            seen.update(block)
    assert len(blocks) == 4 * len(names)
    # Among n words of 32 bits some n²/2³³ pairs are equal by chance.
    count = 16 * len(names)
    assert count - len(seen) < count**2 / 2**33 + 8


def test_a_drawn_seed_is_any_of_64_bits() -> None:
    drawn = {randomness.draw_seed() for _ in range(64)}
    assert len(drawn) == 64
    assert all(0 <= seed <= MAX_SEED for seed in drawn)
    assert max(drawn) >= 2**60


# Uniform choices -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 6, 11, 51, 52, 1000, 2**31, 2**31 + 1, 2**32 - 3, 2**32 - 1])
def test_below_gives_what_the_twin_gives(count: int) -> None:
    one, twin = stream(9, PLAY, 1), naive.Stream(9, PLAY, 1, 0)
    assert [int(below(one, count)) for _ in range(200)] == [twin.below(count) for _ in range(200)]
    # Both have used as many words: 2^31 + 1 refuses nearly every other.
    assert int(next_word(one)) == twin.word()


@pytest.mark.parametrize("count", [2, 6, 10, 11, 52])
def test_below_is_uniform(count: int) -> None:
    made, tries = stream(3, PLAY + 1, count), several(60_000, 6_000)
    found = Counter(int(below(made, count)) for _ in range(tries))
    assert set(found) == set(range(count))
    expected = tries / count
    square = sum((number - expected) ** 2 / expected for number in found.values())
    # A chi square of count - 1 degrees of freedom, five standard deviations.
    assert abs(square - (count - 1)) < 5 * (2 * (count - 1)) ** 0.5


@pytest.mark.parametrize(
    ("count", "script", "result", "used"),
    [
        # 2^32 leaves 4 modulo 6: of the products with a low word under 6, those under 4 are refused.
        (6, [0, 7 << 28], 2, 2),
        (6, [0, 0, 0, 5 << 29], 3, 4),
        (6, [715827883, 1 << 31 | 1], 3, 2),
        (6, [1431655766], 2, 1),
        (6, [3579139414], 5, 1),
        # 48 modulo 52.
        (52, [0, 1 << 31, 1 << 31 | 1], 26, 3),
        (52, [991146300], 12, 1),
        # A power of two never refuses.
        (2, [0], 0, 1),
        (4, [0], 0, 1),
        (1, [0], 0, 1),
        (2**32 - 3, [0, 5], 4, 2),
    ],
)
def test_below_draws_again_exactly_where_it_must(count: int, script: list[int], result: int, used: int) -> None:
    products = [word * count % WORD for word in script]
    refused = [product for product in products[:-1] if product < WORD % count]
    assert len(refused) == used - 1 == len(script) - 1
    twin = naive.Stream(0, DEAL, 0, 0)
    twin._words = iter(script)
    made = scripted(script)
    assert int(below(made, count)) == twin.below(count) == result
    assert words_left(made) == 0


def test_below_goes_on_with_the_next_block_when_the_last_word_is_refused() -> None:
    made = stream(4, DEAL)
    made["words"][0] = 0
    made["filled"] = 1
    first = words(stream(4, DEAL), 1)[0]
    assert int(below(made, 6)) == first * 6 // WORD


def test_below_refuses_just_as_many_words_as_would_be_too_many() -> None:
    """Of 2^32 words, 2^32 modulo the bound are refused: those with the lowest low halves."""
    for count in (WORD - 1, WORD - 5, WORD // 2 + 1, 3 * (WORD // 4) + 1):
        refused = WORD % count
        for word in range(200):
            again = (word * count) % WORD < refused
            made = scripted([word, WORD - 1])
            below(made, count)
            assert (words_left(made) == 0) == again, (word, count)


def test_choose_takes_no_word_for_a_single_card_and_counts_in_card_order() -> None:
    one, twin = stream(3, PLAY), naive.Stream(3, PLAY, 0, 0)
    assert texts(choose(one, bits("KS"))) == {"KS"}
    source = Random(1)
    for _ in range(several(3000, 300)):
        chosen = source.sample(naive.DECK, source.randint(1, 11))
        (card,) = texts(choose(one, bits(chosen)))
        assert card == twin.choose(chosen)
    assert int(next_word(one)) == twin.word()


def test_choose_is_uniform() -> None:
    made, some_cards, tries = stream(8, PLAY + 2), "AC 7C KD 2H KS".split(), several(20_000, 2_000)
    found = Counter(next(iter(texts(choose(made, bits(some_cards))))) for _ in range(tries))
    assert set(found) == set(some_cards)
    assert all(abs(count - tries / 5) < 5 * (tries * 0.16) ** 0.5 for count in found.values())


# Deals ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "match", "hand"), LARGE)
def test_a_deal_is_that_of_the_twin(seed: int, match: int, hand: int) -> None:
    assert dealt(seed, match, hand) == naive.deal(seed, match, hand)


def test_many_deals_are_those_of_the_twin() -> None:
    for number in range(several(1000, 100)):
        assert dealt(11, number) == naive.deal(11, number, 0)


@pytest.mark.parametrize("steps", [(52,), (32, 37, 42, 47, 52), (1, 2, 3, 51, 52), (32, 20, 52), (10, 52, 52)])
def test_a_deal_does_not_depend_on_the_steps_in_which_it_is_made(steps: tuple[int, ...]) -> None:
    assert dealt(2**63, 2**40, 17, steps) == naive.deal(2**63, 2**40, 17)


def test_a_deal_draws_again_where_it_must() -> None:
    """Words that are refused, as a deal meets one in some millions: first, last of a buffer, several at once."""
    usual = words(stream(12, DEAL), 60)
    for script in ([0], [0, 0, 0], [*usual[:5], 0], [*usual[: BUFFER - 1], 0], [*usual[:30], 0, 0]):
        deck = accelerate.records(1, DECK)[0]
        fresh_deck(deck)
        open_stream(deck["stream"], U64(12), U64(DEAL), U64(0), U64(0))
        deck["stream"]["words"][: len(script)] = script
        deck["stream"]["filled"] = len(script)
        shuffle(deck, 52)
        twin = naive.Stream(12, DEAL, 0, 0)
        twin._words = iter(script + usual)
        expected = naive.randomness.shuffled(twin)
        assert [naive.DECK[place] for place in deck["cards"]] == expected
        assert sorted(expected) == sorted(naive.DECK)


def test_a_fresh_deck_is_in_order_and_its_stream_goes_on() -> None:
    deck = accelerate.records(1, DECK)[0]
    open_stream(deck["stream"], U64(1), U64(CUT), U64(2), U64(0))
    twin = naive.Stream(1, naive.CUT, 2, 0)
    for count in (3, 2, 2, 52, 40):
        fresh_deck(deck)
        assert list(deck["cards"]) == list(range(52))
        assert deck["seen"] == 0
        shuffle(deck, count)
        assert [naive.DECK[place] for place in deck["cards"][:count]] == naive.randomness.shuffled(twin, count)


def test_cards_between_are_the_cards_at_those_places() -> None:
    deck = accelerate.records(1, DECK)[0]
    fresh_deck(deck)
    open_stream(deck["stream"], U64(1), U64(DEAL), U64(2), U64(3))
    shuffle(deck, 52)
    cards = naive.deal(1, 2, 3)
    for first, end in ((0, 10), (10, 20), (20, 21), (5, 5), (0, 52)):
        assert texts(cards_between(deck, first, end)) == set(cards[first:end])


def test_rn_03_a_thousand_hands_have_a_thousand_deals_whatever_the_seed() -> None:
    for seed in (0, 1, 2**32, 2**63):
        deals = [tuple(dealt(seed, number)) for number in range(several(1000, 100))]
        assert len(set(deals)) == len(deals)
        assert deals == [tuple(dealt(seed, number)) for number in range(len(deals))]


def test_rn_03_seed_0_is_a_seed_and_neighbouring_seeds_share_no_deal() -> None:
    seeds = [0, 1, 2, 3, 2**32 - 1, 2**32, 2**32 + 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]
    deals = [tuple(dealt(seed, number, hand)) for seed in seeds for number in range(5) for hand in range(3)]
    assert len(set(deals)) == len(deals) == 15 * len(seeds)


def test_r5_every_card_is_as_likely_at_every_place_of_a_deal() -> None:
    tries = several(20_000, 1_000)
    counts = np.zeros((52, 52), int)
    deck = accelerate.records(1, DECK)[0]
    for number in range(tries):
        fresh_deck(deck)
        open_stream(deck["stream"], U64(77), U64(DEAL), U64(number), U64(0))
        shuffle(deck, 52)
        counts[np.arange(52), deck["cards"]] += 1
    expected = tries / 52
    square = float(((counts - expected) ** 2 / expected).sum())
    # 51 · 51 degrees of freedom, five standard deviations.
    assert abs(square - 51**2) < 5 * (2 * 51**2) ** 0.5
