"""Melds, deadwood, the best discard, the spread and the layoffs, by trying everything (R3, R4, R12 to R14)."""

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations

from .cards import DECK, RANKS, SUITS, Card, Cards, as_number, points

Meld = frozenset[str]
Arrangement = tuple[Meld, ...]


def all_sets() -> list[Meld]:
    """Three or four cards of one rank (R3): 65."""
    return [
        frozenset(rank + suit for suit in suits)
        for rank in RANKS
        for size in (3, 4)
        for suits in combinations(SUITS, size)
    ]


def all_runs() -> list[Meld]:
    """Three or more consecutive cards of one suit, ace low only (R1, R3): 264."""
    return [
        frozenset(rank + suit for rank in RANKS[low:high])
        for suit in SUITS
        for low in range(13)
        for high in range(low + 3, 14)
    ]


SETS = frozenset(all_sets())
RUNS = frozenset(all_runs())
MELDS = SETS | RUNS
MELDS_OF: dict[Card, list[Meld]] = {
    card: sorted((meld for meld in MELDS if card in meld), key=as_number) for card in DECK
}


def is_meld(some: Iterable[Card]) -> bool:
    """Are these cards together one meld (R3)?"""
    return frozenset(some) in MELDS


def melds_with(card: Card, held: Cards) -> list[Meld]:
    """The melds that hold this card and consist of held cards."""
    return [meld for meld in MELDS_OF[card] if meld <= held]


@lru_cache(maxsize=20_000)
def packings(held: Cards) -> list[tuple[Arrangement, Cards]]:
    """Every way to meld some cards, as (melds, cards left over): the first card is left or is in one meld (R3)."""
    if not held:
        return [((), frozenset())]
    card = min(held)
    found = [(melds, left | {card}) for melds, left in packings(held - {card})]
    for meld in melds_with(card, held):
        found += [((meld, *melds), left) for melds, left in packings(held - meld)]
    return found


@lru_cache(maxsize=200_000)
def deadwood_of(held: Cards) -> int:
    """The least total left over, over all ways to meld the cards (R4)."""
    return min(points(left) for _, left in packings(held))


def deadwood(held: Iterable[Card]) -> int:
    """The deadwood of any number of cards (R4)."""
    return deadwood_of(frozenset(held))


def merged(melds: Iterable[Meld]) -> Arrangement:
    """The same melds with neighbouring pieces of a run as one run, in ascending 52-bit order (R14)."""
    shown = set(melds)
    for one, other in combinations(sorted(shown, key=as_number), 2):
        if one in RUNS and other in RUNS and one | other in RUNS:
            return merged((shown - {one, other}) | {one | other})
    return tuple(sorted(shown, key=as_number))


def arrangements(held: Iterable[Card]) -> list[Arrangement]:
    """The distinct arrangements with the least deadwood, neighbouring run pieces merged (R4, R14)."""
    held = frozenset(held)
    least = deadwood(held)
    distinct = {merged(melds) for melds, left in packings(held) if points(left) == least}
    return sorted(distinct, key=lambda melds: [as_number(meld) for meld in melds])


def discards(eleven: Iterable[Card], barred: Card | None = None) -> dict[Card, int]:
    """The deadwood that each legal discard leaves; the barred card (R8) is not legal."""
    eleven = frozenset(eleven)
    return {card: deadwood(eleven - {card}) for card in sorted(eleven) if card != barred}


def best_discards(eleven: Iterable[Card], barred: Card | None = None) -> tuple[int, Cards]:
    """The least deadwood a legal discard leaves, and every discard that leaves it."""
    left = discards(eleven, barred)
    least = min(left.values())
    return least, frozenset(card for card in left if left[card] == least)


def fits(card: Card, meld: Meld) -> bool:
    """May the card be laid off on the meld: do they make a meld together (R12)?"""
    return card not in meld and meld | {card} in MELDS


def spread(ten: Iterable[Card]) -> Arrangement:
    """The arrangement the knocker shows (R14): least deadwood, fewest cards to lay off, first in order."""
    ten = frozenset(ten)
    not_held = [card for card in DECK if card not in ten]

    def preference(melds: Arrangement) -> tuple[int, list[int]]:
        taken = [card for card in not_held if any(fits(card, meld) for meld in melds)]
        return len(taken), sorted(as_number(meld) for meld in melds)

    return min(arrangements(ten), key=preference)


def can_be_laid_off(some: Cards, melds: frozenset[Meld]) -> bool:
    """Can all these cards be put one by one on the melds, which grow by it (R12)? Tries every order and place."""

    @cache
    def placed(left: Cards, table: frozenset[Meld]) -> bool:
        return not left or any(
            placed(left - {card}, (table - {meld}) | {meld | {card}})
            for card in left
            for meld in table
            if fits(card, meld)
        )

    return placed(some, melds)


def ever_laid_off(defender: Cards, melds: Iterable[Meld]) -> Cards:
    """The defender's cards that some chain could bring to some meld: no other card needs to be tried."""
    reachable: set[Card] = set()
    for meld in melds:
        grown = meld
        while more := {card for card in defender if fits(card, grown)}:
            reachable |= more
            # One at a time: both ends of a run may be open at once, and a set takes only one card.
            grown = grown | {min(more)}
    return frozenset(reachable)


def lay_off(defender: Iterable[Card], spread_melds: Iterable[Iterable[Card]]) -> tuple[int, Cards]:
    """The defender's best plan (R13), over every subset of his cards: (deadwood kept, cards laid off).

    Least deadwood kept; of these the fewest cards laid off; of these the least set as a 52-bit number.
    """
    defender = frozenset(defender)
    table = frozenset(frozenset(meld) for meld in spread_melds)
    candidates = sorted(ever_laid_off(defender, table))
    plans = [
        (deadwood(defender - frozenset(subset)), len(subset), as_number(subset), frozenset(subset))
        for size in range(len(candidates) + 1)
        for subset in combinations(candidates, size)
        if can_be_laid_off(frozenset(subset), table)
    ]
    kept, _, _, laid_off = min(plans, key=lambda plan: plan[:3])
    return kept, laid_off
