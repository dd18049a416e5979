"""The strategy ``patient``."""

from __future__ import annotations

import numpy as np

from ginsim.accelerate import kernel, lowest_number, popcount
from ginsim.cards import FULL_DECK
from ginsim.hand import LAST, DecisionSignature
from ginsim.melds import best_discards, deadwood, makes_meld
from ginsim.strategies.lookahead import (
    LEVELS,
    count_draws,
    fresh_discards,
    mean_of_lowest,
    note_discard,
    ranks_of,
    within_two,
)
from ginsim.strategies.strategy import Strategy

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_DECK = np.uint64(FULL_DECK)

_EARLY = 3
"""The last own turn on which it knocks with deadwood."""
_FUTURE, _FADING, _LOWEST = 18.0, 0.9, 7.0
"""Weight of what one more card may do on the first turn, what each turn leaves of it, and how many of the best draws count."""

# The description names penalties and credits without their sizes. These were fitted: most games won against ``simple``
# among those that play as the original does against itself.
_TOOK_RANK, _TOOK_SUIT, _DEAD = 9.0, 4.0, 2.0
_MOST_WORSE = 10
"""A discard that leaves more than this above the least deadwood breaks a meld, and is not looked at."""


@kernel()
def _danger(card, took, seen):
    """What throwing ``card`` (a bit) risks: much near cards that the other took, less where its neighbours are seen elsewhere."""
    rank = ranks_of(card) ^ card
    around = within_two(card)
    return (
        _TOOK_RANK * popcount(rank & took)
        + _TOOK_SUIT * popcount(around & took)
        - _DEAD * popcount((rank | around) & seen)
    )


@kernel(DecisionSignature)
def _take(view):
    if not makes_meld(view.held, view.top):
        return 0
    barred = _NONE if view.rules.discard_taken_card else view.top
    left, _ = best_discards(view.held | view.top, barred)
    if view.phase == LAST:
        return left == 0 or (left <= view.limit and view.turns < _EARLY)
    return left < deadwood(view.held)


@kernel()
def _cheapest(view, legal, least):
    """The one of ``legal`` discards (bits, as is the answer) that costs least; one of them leaves ``least`` deadwood."""
    seen = view.held | view.pile
    unseen = _DECK & ~(seen | view.other_took)
    weight = _FUTURE * _FADING ** (view.turns - 1)
    counts = np.zeros(LEVELS)
    lowest_cost = np.inf
    cheapest = _NONE
    while legal != _NONE:
        card = legal & (~legal + _ONE)
        legal ^= card
        cards = view.held ^ card
        left = deadwood(cards)
        if left > least + _MOST_WORSE:
            continue
        count_draws(cards, left, unseen, counts)
        cost = left + weight * mean_of_lowest(counts, left, _LOWEST) + _danger(card, view.other_took, seen)
        if cost < lowest_cost:
            lowest_cost = cost
            cheapest = card
    return cheapest


@kernel(DecisionSignature)
def _discard(view):
    legal = fresh_discards(view)
    least, best = best_discards(view.held, view.held & ~legal)
    discard = best & (~best + _ONE) if least == 0 else _cheapest(view, legal, least)
    note_discard(view, discard)
    return lowest_number(discard)


@kernel(DecisionSignature)
def _knock(view):
    return view.deadwood == 0 or view.turns <= _EARLY


STRATEGY = Strategy(
    name="patient",
    version=1,
    describe=lambda parameters: f"builds for gin, and knocks with deadwood only on its first {_EARLY} turns",
    take=_take,
    discard=_discard,
    knock=_knock,
    document="""The method of the 2021 challenge's winner, written afresh from its published description.

    It takes the face-up card where that stands in a meld and lowers the deadwood. It throws the card for which deadwood
    after it + 18 x 0.9^(own turn - 1) x the mean of the seven lowest deadwoods that one more card may lead to + danger is least.
    The danger grows with the cards of the same rank, and of the same suit within two ranks, that the other side took, and
    falls with those that are held or on the pile, where they are of no use to him; the description gives no sizes, so these
    are fitted. It knocks with ten or less on its first three turns, after that for gin only, and declares big gin. The last
    discard it takes where it would knock with it.

    It is strong where an undercut costs much. Its weaknesses: it neither looks at bonuses nor at the score, so it waits too
    long where an undercut costs little or the stock runs low, and whoever knocks soon enough catches it with deadwood.
    """,
)
