"""Deadwood, arrangements, best discards and layoffs: pure functions of sets of up to eleven cards (R3, R4, R8, R12 to R14).

Within one suit every card that lies in three or more neighbours belongs to a run meld: what is left is a look-up on the
suit's 13 bits. So an arrangement is a choice of sets, and all runs of the other cards. A set none of whose cards could stand
in a run costs nothing and is always chosen; only those that some run contests have to be tried, rarely more than one:
:func:`next_sets` walks over the choices.
"""

from __future__ import annotations

import numpy as np

from ginsim.accelerate import kernel, lowest_number, popcount

MAX_MELDS = 3

_ONE = np.uint64(1)
_TWO = np.uint64(2)
_NONE = np.uint64(0)
_LANE = np.uint64(0x1FFF)
_COLUMN = np.uint64(0x0001_0001_0001_0001)
_D, _H, _S = np.uint64(16), np.uint64(32), np.uint64(48)
_NO_CARD = 99
"""A change of points that no shed card has: for suits without one."""


def _suit_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each 13-bit suit: points outside runs, the least change by shedding one card, and which cards do that."""
    suits = np.arange(8192)
    points = np.array([min(rank + 1, 10) for rank in range(13)])
    up, down = suits << 1, suits >> 1
    outside_runs = suits & ~((down & (suits >> 2)) | (up & down) | (up & (suits << 2)))
    loose = ((outside_runs[:, None] >> np.arange(13) & 1) * points).sum(axis=1)
    changes = np.stack(
        [np.where(suits >> rank & 1, loose[suits & ~(1 << rank)] - loose, _NO_CARD) for rank in range(13)], axis=1
    )
    least = changes.min(axis=1)
    which = ((changes == least[:, None]) & (least[:, None] < _NO_CARD)) @ (1 << np.arange(13))
    return loose.astype(np.uint8), least.astype(np.int8), which.astype(np.uint16)


_LOOSE, _CHANGE, _SHED = _suit_tables()


@kernel()
def ranks_of_sets(cards):
    """The ranks, as 13 bits, of which ``cards`` holds three or four."""
    c = cards & _LANE
    d = (cards >> _D) & _LANE
    h = (cards >> _H) & _LANE
    s = cards >> _S
    return (c & d & (h | s)) | (h & s & (c | d))


@kernel()
def next_sets(cards, ranks, chosen):
    """The choice of sets after ``chosen``, as the union of their cards; no cards at all comes first, and again after the last.

    Each rank of ``ranks`` (from :func:`ranks_of_sets`) goes through: no set; all its cards; of four, each three of them.
    """
    while ranks != _NONE:
        rank = ranks & (~ranks + _ONE)
        column = rank * _COLUMN
        held = cards & column
        current = chosen & column
        chosen ^= current
        if current == _NONE:
            return chosen | held
        if popcount(held) == 4:
            left_out = held ^ current
            later = held
            if left_out != _NONE:
                later = held & ~(left_out | (left_out - _ONE))
            if later != _NONE:
                return chosen | (held ^ (later & (~later + _ONE)))
        ranks ^= rank
    return _NONE


@kernel()
def loose_points(cards):
    """Points of the cards outside every run meld."""
    return (
        np.int64(_LOOSE[cards & _LANE])
        + np.int64(_LOOSE[(cards >> _D) & _LANE])
        + np.int64(_LOOSE[(cards >> _H) & _LANE])
        + np.int64(_LOOSE[cards >> _S])
    )


@kernel()
def runs_of(cards):
    """The cards of a set that lie in runs of three or more."""
    up, down = cards << _ONE, cards >> _ONE
    return cards & ((down & (cards >> _TWO)) | (up & down) | (up & (cards << _TWO)))


@kernel()
def sort_sets(cards, ranks):
    """Those of ``ranks`` (see :func:`ranks_of_sets`) that a run contests, and the cards of the others: free sets."""
    wanted = runs_of(cards)
    contested = ranks & (wanted | (wanted >> _D) | (wanted >> _H) | (wanted >> _S))
    return contested, cards & ((ranks ^ contested) * _COLUMN)


@kernel()
def deadwood(cards):
    """Deadwood in points (R4) of up to eleven cards."""
    contested, free = sort_sets(cards, ranks_of_sets(cards))
    cards ^= free
    least = loose_points(cards)
    if contested != _NONE:
        chosen = next_sets(cards, contested, _NONE)
        while chosen != _NONE:
            least = min(least, loose_points(cards ^ chosen))
            chosen = next_sets(cards, contested, chosen)
    return least


@kernel()
def certain_deadwood(cards):
    """Points of the cards that are in no meld at all: never more than the deadwood, and quicker to see."""
    return loose_points(cards & ~(runs_of(cards) | (ranks_of_sets(cards) * _COLUMN)))


@kernel()
def _shed_from(suit, barred):
    """As the tables ``_CHANGE`` and ``_SHED``, with some cards of the suit barred."""
    least = np.int64(_NO_CARD)
    which = _NONE
    rest = suit & ~barred
    while rest != _NONE:
        card = rest & (~rest + _ONE)
        rest ^= card
        change = np.int64(_LOOSE[suit ^ card]) - np.int64(_LOOSE[suit])
        if change < least:
            least = change
            which = card
        elif change == least:
            which |= card
    return least, which


@kernel()
def _shed(suit, barred):
    """The least change of points outside runs by shedding one card of a suit that is not barred, and the cards that do it."""
    if barred & suit != _NONE:
        return _shed_from(suit, barred)
    return np.int64(_CHANGE[suit]), np.uint64(_SHED[suit])


@kernel()
def _best_shed(cards, barred, spare):
    """Least points outside runs after shedding one card, and all cards that do it.

    ``barred`` cards are not shed; shedding one of ``spare``, which are not among ``cards``, changes nothing.
    """
    change_c, shed_c = _shed(cards & _LANE, barred & _LANE)
    change_d, shed_d = _shed((cards >> _D) & _LANE, (barred >> _D) & _LANE)
    change_h, shed_h = _shed((cards >> _H) & _LANE, (barred >> _H) & _LANE)
    change_s, shed_s = _shed(cards >> _S, barred >> _S)
    change = min(min(change_c, change_d), min(change_h, change_s))
    if spare != _NONE:
        change = min(change, 0)
    which = (
        (shed_c if change_c == change else _NONE)
        | ((shed_d if change_d == change else _NONE) << _D)
        | ((shed_h if change_h == change else _NONE) << _H)
        | ((shed_s if change_s == change else _NONE) << _S)
        | (spare if change == 0 else _NONE)
    )
    return loose_points(cards) + change, which


@kernel()
def best_discards(cards, barred):
    """The least deadwood over the legal discards of eleven cards, and every discard that leaves it.

    This is not the deadwood of the eleven. ``barred`` holds cards that may not be thrown (R8), or none. With one barred card at
    most a free set of three is never broken, for the other eight cards always have a card to spare; a free set of four can
    spare any of its own.
    """
    contested = ranks_of_sets(cards)
    free = _NONE
    if barred == _NONE or barred & (barred - _ONE) == _NONE:
        contested, free = sort_sets(cards, contested)
    spare = _NONE
    if free != _NONE:
        fours = free & (free >> _D) & (free >> _H) & (free >> _S) & _LANE
        spare = (fours * _COLUMN) & ~barred
    cards ^= free
    least, which = _best_shed(cards, barred, spare)
    if contested != _NONE:
        chosen = next_sets(cards, contested, _NONE)
        while chosen != _NONE:
            left, shed = _best_shed(cards ^ chosen, barred, spare)
            if left < least:
                least = left
                which = shed
            elif left == least:
                which |= shed
            chosen = next_sets(cards, contested, chosen)
    return least, which


@kernel()
def _least_shed(cards, most):
    """Least points outside runs after shedding one card, which may change them by ``most``."""
    change_c, change_d = np.int64(_CHANGE[cards & _LANE]), np.int64(_CHANGE[(cards >> _D) & _LANE])
    change_h, change_s = np.int64(_CHANGE[(cards >> _H) & _LANE]), np.int64(_CHANGE[cards >> _S])
    return loose_points(cards) + min(min(min(change_c, change_d), min(change_h, change_s)), most)


@kernel()
def least_after_discard(cards):
    """The deadwood that :func:`best_discards` leaves where every card may be thrown, in less time."""
    contested, free = sort_sets(cards, ranks_of_sets(cards))
    fours = free & (free >> _D) & (free >> _H) & (free >> _S) & _LANE
    most = _NO_CARD if fours == _NONE else 0
    cards ^= free
    least = _least_shed(cards, most)
    if contested != _NONE:
        chosen = next_sets(cards, contested, _NONE)
        while chosen != _NONE:
            least = min(least, _least_shed(cards ^ chosen, most))
            chosen = next_sets(cards, contested, chosen)
    return least


@kernel()
def discards_within(cards, barred, limit):
    """The discards of eleven cards that leave deadwood of at most ``limit`` (R9)."""
    within = _NONE
    rest = cards & ~barred
    while rest != _NONE:
        card = rest & (~rest + _ONE)
        rest ^= card
        if deadwood(cards ^ card) <= limit:
            within |= card
    return within


@kernel()
def makes_meld(cards, card):
    """Whether ``card`` (a bit) stands in some meld with ``cards``."""
    up, down = card << _ONE, card >> _ONE
    if cards & up and cards & (down | (card << _TWO)):
        return True
    if cards & down and cards & (card >> _TWO):
        return True
    number = np.uint64(lowest_number(card))
    return popcount(cards & (_COLUMN << (number & np.uint64(15)))) >= 2


@kernel()
def _melds_of(cards, chosen):
    """The melds of an arrangement as three sets in ascending order, those that do not exist last and empty."""
    found = 0
    first = second = third = ~_NONE
    sets = chosen
    runs = runs_of(cards ^ chosen)
    while sets != _NONE or runs != _NONE:
        if sets != _NONE:
            rank = np.uint64(lowest_number(sets)) & np.uint64(15)
            meld = sets & (_COLUMN << rank)
            sets ^= meld
        else:
            low = runs & (~runs + _ONE)
            # Adding the lowest bit carries through the neighbours: what the sum changes within the set is that run.
            meld = runs & ~(runs + low)
            runs ^= meld
        if meld < first:
            first, second, third = meld, first, second
        elif meld < second:
            second, third = meld, second
        else:
            third = meld
        found += 1
    if found < 3:
        third = _NONE
    if found < 2:
        second = _NONE
    if found < 1:
        first = _NONE
    return first, second, third


@kernel()
def is_set(meld):
    """Whether a meld is a set (and not a run)."""
    return (meld & (meld >> _ONE)) == _NONE


@kernel()
def layable(meld):
    """The cards that could be laid off directly on one meld (R12); none for no meld."""
    if meld == _NONE:
        return _NONE
    if is_set(meld):
        rank = np.uint64(lowest_number(meld)) & np.uint64(15)
        return (_COLUMN << rank) & ~meld
    return ((meld << _ONE) | (meld >> _ONE)) & ~meld & (_LANE * _COLUMN)


@kernel()
def spread(cards):
    """The arrangement that a knocker shows (R14), as three melds in ascending order; those that do not exist are empty."""
    ranks = ranks_of_sets(cards)
    least = deadwood(cards)
    fewest = 99
    best = (_NONE, _NONE, _NONE)
    chosen = _NONE
    while True:
        if loose_points(cards ^ chosen) == least:
            melds = _melds_of(cards, chosen)
            open_ = popcount((layable(melds[0]) | layable(melds[1]) | layable(melds[2])) & ~cards)
            if open_ < fewest or (open_ == fewest and melds < best):
                fewest = open_
                best = melds
        chosen = next_sets(cards, ranks, chosen)
        if chosen == _NONE:
            return best


@kernel()
def grow_runs(runs, cards):
    """The given runs with every card of ``cards`` that can be laid off on them, one after the other (chains, R12)."""
    while True:
        grown = runs | (((runs << _ONE) | (runs >> _ONE)) & cards)
        if grown == runs:
            return runs
        runs = grown


@kernel()
def lay_off(cards, first, second, third):
    """The defender's best play against the knocker's melds (R12, R13): deadwood kept, and the cards laid off.

    His own melds and his layoffs are chosen together: every part of the cards that could be laid off is tried.
    """
    runs = _NONE
    fourths = _NONE
    for meld in (first, second, third):
        if is_set(meld):
            fourths |= layable(meld)
        else:
            runs |= meld
    fourths &= cards
    candidates = fourths | (grow_runs(runs, cards) & cards)
    least = deadwood(cards)
    best = _NONE
    part = candidates
    while part != _NONE:
        if part & ~(fourths | grow_runs(runs, part)) == _NONE:
            left = deadwood(cards ^ part)
            fewer = popcount(part) - popcount(best)
            if left < least or (left == least and (fewer < 0 or (fewer == 0 and part < best))):
                least = left
                best = part
        part = (part - _ONE) & candidates
    return least, best


@kernel()
def card_points(cards):
    """Points of a set of cards (R2)."""
    total = np.int64(0)
    while cards != _NONE:
        total += min((lowest_number(cards) & 15) + 1, 10)
        cards &= cards - _ONE
    return total
