"""Hands as people ask about them: how cards meld, what each discard leaves, who wins a show-down.

The kernels of :mod:`ginsim.melds` and :mod:`ginsim.hand` give the answers; here plain numbers go in and come out. A set of cards
is an int, as in :mod:`ginsim.cards`; a single card is its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

import numpy as np

from ginsim import hand, melds
from ginsim.accelerate import records
from ginsim.cards import as_bits, card_text, cards_text, numbers_in
from ginsim.errors import UsageError
from ginsim.records import ENDINGS, HAND_ROW
from ginsim.rules import Rules

SIDES = ("knocker", "defender")
USUAL_LIMIT = 10

_NO_CARDS = np.uint64(0)
_SHOWN = 10
_ALL = 11


@dataclass(frozen=True)
class Arrangement:
    """Cards laid out: the melds in ascending order, and the cards in none of them."""

    melds: tuple[int, ...]
    loose: int

    @property
    def deadwood(self) -> int:
        """Points of the loose cards (R2, R3)."""
        return int(melds.card_points(np.uint64(self.loose)))

    def text(self, *, symbols: bool = True) -> str:
        """``4♣5♣6♣ · 4♦4♥4♠ + A♠ 2♦``: the melds, and after ``+`` the loose cards."""
        shown = " · ".join(cards_text(meld, symbols=symbols).replace(" ", "") for meld in self.melds) or "no meld"
        return f"{shown} + {cards_text(self.loose, symbols=symbols)}" if self.loose else shown


@dataclass(frozen=True)
class Discard:
    """What throwing one of eleven cards comes to: the deadwood of the ten left, and whether a knock or gin is legal then."""

    card: int
    deadwood: int
    knock: bool
    gin: bool


@dataclass(frozen=True)
class Showdown:
    """How a knock ends, and what was laid out for it.

    ``ending`` is one of ``ENDINGS``; ``winner`` one of ``SIDES``, or None at a tie; ``limit`` the knock limit of the hand, and
    ``multiplier`` what its points are multiplied with.
    ``knocker`` is what the knocker shows, ``least`` the least deadwood he could have shown. ``defender`` are the cards that the
    defender keeps, ``before`` his deadwood without laying off; ``layoffs`` each card that he lays off with the meld it goes to.
    """

    ending: str
    winner: str | None
    points: int
    limit: int
    multiplier: int
    knocker: Arrangement
    least: int
    defender: Arrangement
    before: int
    layoffs: tuple[tuple[int, int], ...]

    @property
    def laid_off(self) -> int:
        """The cards laid off, as a set."""
        return as_bits(card for card, _ in self.layoffs)


def deadwood(cards: int) -> int:
    """The deadwood of up to eleven cards (R4). What eleven leave after a discard is another number: :func:`discards`."""
    return int(melds.deadwood(np.uint64(cards)))


def best_arrangement(cards: int) -> Arrangement:
    """The arrangement of up to eleven cards that a knocker shows (R14)."""
    shown = tuple(int(meld) for meld in melds.spread(np.uint64(cards)) if meld)
    return _arrangement(cards, shown)


def arrangements(cards: int) -> list[Arrangement]:
    """Every arrangement of up to eleven cards with the least deadwood (R4), what a knocker shows (R14) first.

    The others follow in the order of their melds. Neighbouring pieces of one run are one run, as in R14.
    """
    bits = np.uint64(cards)
    ranks = melds.ranks_of_sets(bits)
    least = melds.deadwood(bits)
    found = []
    chosen = _NO_CARDS
    while True:
        if melds.loose_points(bits ^ chosen) == least:
            found.append(_arrangement(cards, _sets_and_runs(bits, chosen)))
        # Kernels answer with plain numbers, and take nothing but 64 bits without a sign.
        chosen = np.uint64(melds.next_sets(bits, np.uint64(ranks), chosen))
        if not chosen:
            break
    best = best_arrangement(cards)
    return [best, *sorted((one for one in found if one != best), key=lambda one: one.melds)]


def discards(cards: int, taken: int | None = None, limit: int = USUAL_LIMIT) -> list[Discard]:
    """What each legal discard of eleven cards leaves, the best first, equals in the order of the cards (R8 to R10).

    Args:
        taken: number of the card just taken from the pile, which may not be thrown (R8); None: every card may.
        limit: the knock limit.

    Raises:
        UsageError: there are not eleven cards, or the card taken is not among them.
    """
    if cards.bit_count() != _ALL:
        raise UsageError(f"a card is thrown from eleven, not from {cards.bit_count()}.")
    if taken is not None and not cards >> taken & 1:
        raise UsageError(f"the card taken, {card_text(taken)}, is not among the eleven: {cards_text(cards)}.")
    left = {card: deadwood(cards ^ (1 << card)) for card in numbers_in(cards) if card != taken}
    return [Discard(card, left[card], left[card] <= limit, left[card] == 0) for card in sorted(left, key=left.__getitem__)]


def showdown(
    knocker: int, defender: int, rules: Rules, spread: Sequence[int] | None = None, upcard: int | None = None
) -> Showdown:
    """How the show-down ends after a knock (R9 to R19).

    R14 says what the knocker shows. A ``spread`` of his own may be any melds that keep him within the knock limit, also such as
    leave more deadwood than he needs to have: what counts is what he lays out (R3), so his deadwood is what the spread leaves.

    Args:
        knocker: ten cards, his discard not among them; or eleven, to declare big gin (R11).
        defender: ten cards.
        spread: the melds that the knocker shows.
        upcard: number of the card that was turned up first, where the rules look at it (R32).

    Raises:
        UsageError: a wrong number of cards, a card on both sides, melds that are none or not the knocker's, deadwood above the
            limit, no big gin in these rules or in these cards, or no upcard where the rules need it.
    """
    _check_sides(knocker, defender)
    big_gin = knocker.bit_count() == _ALL
    if big_gin and rules.big_gin_bonus is None:
        raise UsageError(
            "the knocker shows 11 cards: that is big gin, which these rules do not have (R11). Leave out the card he threw."
        )
    # Rules that do not look at the upcard get any card.
    number = 0 if upcard is None else upcard
    if upcard is None and (rules.upcard_sets_limit or rules.spade_doubles):
        what = "sets the knock limit" if rules.upcard_sets_limit else "may double the points"
        raise UsageError(f"under these rules the first card turned up {what} (R32): say which it was (--upcard).")
    packed = rules.packed()
    limit = int(hand.hand_limit(number, packed))
    best = best_arrangement(knocker)
    shown = best if spread is None else _chosen(knocker, spread)
    _check_knock(shown, spread is not None, big_gin, limit)

    table = [np.uint64(meld) for meld in (*shown.melds, 0, 0, 0)[: melds.MAX_MELDS]]
    row = records(1, HAND_ROW)[0]
    hand.show_down(row, 0, 1, np.uint64(knocker), np.uint64(defender), *table, packed, number)
    laid_off = 0
    if row["laid_off_cards"]:
        laid_off = int(melds.lay_off(np.uint64(defender), *table)[1])
    return Showdown(
        ending=ENDINGS[row["ending"]],
        winner=None if row["winner"] < 0 else SIDES[row["winner"]],
        points=int(row["points"]),
        limit=limit,
        multiplier=int(hand.multiplier(number, packed)),
        knocker=shown,
        least=best.deadwood,
        defender=best_arrangement(defender ^ laid_off),
        before=int(row["defender_deadwood"]),
        layoffs=tuple(_places(laid_off, shown.melds)),
    )


def is_meld(cards: int) -> bool:
    """Whether these cards together are one meld (R1, R3)."""
    lowest = cards & -cards
    ranks = {number & 15 for number in numbers_in(cards)}
    run = int(melds.runs_of(np.uint64(cards))) == cards and (cards + lowest) & cards == 0
    return cards.bit_count() >= 3 and (run or len(ranks) == 1)


def _arrangement(cards: int, shown: tuple[int, ...]) -> Arrangement:
    return Arrangement(shown, cards & ~reduce(or_, shown, 0))


def _sets_and_runs(cards: np.uint64, chosen: np.uint64) -> tuple[int, ...]:
    """The melds, ascending, of the arrangement that has the ``chosen`` sets and all runs of the other cards."""
    sets: dict[int, int] = {}
    for number in numbers_in(int(chosen)):
        sets[number & 15] = sets.get(number & 15, 0) | 1 << number
    runs: list[int] = []
    for number in numbers_in(melds.runs_of(cards ^ chosen)):
        if runs and runs[-1] >> (number - 1) & 1:
            runs[-1] |= 1 << number
        else:
            runs.append(1 << number)
    return tuple(sorted([*sets.values(), *runs]))


def _check_sides(knocker: int, defender: int) -> None:
    if knocker.bit_count() not in (_SHOWN, _ALL):
        raise UsageError(
            f"the knocker shows ten cards, without the one he threw, or eleven at big gin; not {knocker.bit_count()}."
        )
    if defender.bit_count() != _SHOWN:
        raise UsageError(f"the defender holds ten cards, not {defender.bit_count()}.")
    if both := knocker & defender:
        raise UsageError(f"on both sides: {cards_text(both)}. Each card exists once.")


def _check_knock(shown: Arrangement, chosen: bool, big_gin: bool, limit: int) -> None:
    left = shown.deadwood
    if big_gin and left:
        raise UsageError(f"big gin is all eleven cards melded (R11): {cards_text(shown.loose)} would be left.")
    if left > limit:
        whose = "this spread leaves" if chosen else "the knocker has"
        raise UsageError(f"{whose} {left} points of deadwood: the knock limit is {limit} (R9).")


def _chosen(knocker: int, spread: Iterable[int]) -> Arrangement:
    """The knocker's own choice of melds, checked."""
    used = 0
    for meld in spread:
        text = cards_text(meld)
        if not is_meld(meld):
            raise UsageError(
                f"{text or 'no card at all'} is no meld: a meld is three or four of a rank, or three or more in a row of a suit, "
                "ace low (R1, R3)."
            )
        if strange := meld & ~knocker:
            raise UsageError(f"{text} is no meld of the knocker's: he does not hold {cards_text(strange)}.")
        if twice := meld & used:
            raise UsageError(f"{cards_text(twice)} in two melds: a card belongs to one at most (R3).")
        used |= meld
    return _arrangement(knocker, tuple(spread))


def _places(laid_off: int, shown: Iterable[int]) -> list[tuple[int, int]]:
    """Each card laid off with the meld that takes it (R12): runs first, which a chain may need."""
    placed: dict[int, int] = {}
    left = laid_off
    for meld in sorted(shown, key=lambda meld: bool(melds.is_set(np.uint64(meld)))):
        if melds.is_set(np.uint64(meld)):
            on_it = left & int(melds.layable(np.uint64(meld)))
        else:
            on_it = int(melds.grow_runs(np.uint64(meld), np.uint64(left))) & ~meld
        placed |= dict.fromkeys(numbers_in(on_it), meld)
        left ^= on_it
    return [(card, placed[card]) for card in numbers_in(laid_off)]
