"""What the strategies that look a draw ahead share: what one more card may do for ten, and how not to go round in rings."""

from __future__ import annotations

import numpy as np

from ginsim.accelerate import kernel, lowest_number, popcount
from ginsim.cards import FULL_DECK
from ginsim.melds import least_after_discard

_ONE = np.uint64(1)
_TWO = np.uint64(2)
_NONE = np.uint64(0)
_LANE = np.uint64(0x1FFF)
_COLUMN = np.uint64(0x0001_0001_0001_0001)
_D, _H, _S = np.uint64(16), np.uint64(32), np.uint64(48)
_DECK = np.uint64(FULL_DECK)

LEVELS = 128
"""Length of a histogram of deadwoods: more than any hand has."""


@kernel()
def ranks_of(cards):
    """All cards of the ranks that ``cards`` has."""
    suits = (cards | (cards >> _D) | (cards >> _H) | (cards >> _S)) & _LANE
    return suits * _COLUMN


@kernel()
def next_to(cards):
    """The cards of the same suit one rank above or below."""
    return ((cards << _ONE) | (cards >> _ONE)) & _DECK


@kernel()
def within_two(cards):
    """The cards of the same suit one or two ranks above or below."""
    return ((cards << _ONE) | (cards >> _ONE) | (cards << _TWO) | (cards >> _TWO)) & _DECK


@kernel()
def melding(cards):
    """The cards outside ``cards`` that stand in some meld with them."""
    c = cards & _LANE
    d = (cards >> _D) & _LANE
    h = (cards >> _H) & _LANE
    s = cards >> _S
    pairs = (c & d) | (h & s) | ((c | d) & (h | s))
    up, down = cards << _ONE, cards >> _ONE
    runs = (up & down) | (up & (cards << _TWO)) | (down & (cards >> _TWO))
    return (pairs * _COLUMN | runs) & _DECK & ~cards


@kernel()
def count_draws(cards, left, unseen, counts):
    """Count by the deadwood they lead to, after the best discard, the ``unseen`` cards that ten ``cards`` may draw.

    Args:
        cards, left: the ten and their deadwood.
        unseen: the cards that may come.
        counts: numbers by deadwood, of length ``LEVELS``; added to.
    """
    helping = melding(cards) & unseen
    rest = helping
    while rest != _NONE:
        card = rest & (~rest + _ONE)
        rest ^= card
        counts[least_after_discard(cards | card)] += 1.0
    # A card in no meld is thrown again, or replaces the card whose loss helps most.
    loose = unseen ^ helping
    nine = least_after_discard(cards)
    points = min(left - nine, 10)
    column = _COLUMN
    for value in range(1, points):
        number = popcount(loose & column)
        counts[nine + value] += number
        loose &= ~column
        column <<= _ONE
    counts[left] += popcount(loose)


@kernel()
def mean_of_lowest(counts, most, number):
    """Mean of the ``number`` lowest deadwoods in a histogram, which is cleared; of all, where there are fewer.

    No deadwood in it is above ``most``.
    """
    total = 0.0
    found = 0.0
    for value in range(most + 1):
        here = counts[value]
        if here > 0.0:
            counts[value] = 0.0
            here = min(here, number - found)
            total += here * value
            found += here
    return total / max(found, 1.0)


@kernel()
def fresh_discards(view):
    """The legal discards without the card just taken and those thrown for that card before; all, where that leaves none.

    Two players who each throw what is best could otherwise take each other's cards for ever (R16).
    """
    if view.taken == _NONE:
        return view.legal
    fresh = view.legal & ~(view.taken | view.notes[lowest_number(view.taken)])
    return fresh if fresh != _NONE else view.legal


@kernel()
def note_discard(view, card):
    """Note a discard (a bit) under the card just taken, for :func:`fresh_discards`; under no other numbers than those of cards."""
    if view.taken != _NONE:
        view.notes[lowest_number(view.taken)] |= card
