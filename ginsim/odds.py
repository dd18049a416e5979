"""The exact odds of dealt cards: the deadwood of every hand there is, counted one by one.

No rule for melds and points speaks of a particular suit (R2, R3), so exchanging whole suits changes no deadwood. A hand is its four
suits, each a pattern of 13 bits, in some order; and in any other order the same four patterns have the same deadwood. So the
enumeration goes through the patterns in ascending order only, first <= second <= third <= fourth, asks the solver once, and
counts the hand as often as there are different orders: 24 times where no two of the four are alike. That no hand is left out or
counted twice is checked in the end: the counts must add up to the binomial coefficient. Everything is added in whole numbers, far
below 2^63.

Patterns ascend by the number of their cards. So the first holds at most a quarter of all cards, the second at most a third of
what is left, the third at most half of what is left then; and the fourth, which holds the rest, goes through one slice.

Two in three hands of eleven cards hold no three of one rank. Then nothing but runs can be melded, and the deadwood is the sum of
the suits': what the best discard leaves is known from that of the fourth suit by itself and that of the other three, and the solver
need not be asked.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import comb, sqrt
from typing import Any

import numpy as np

from ginsim.accelerate import kernel, popcount
from ginsim.errors import GinsimError, UsageError
from ginsim.melds import best_discards, deadwood, loose_points, ranks_of_sets

SCHEMA = "ginsim.odds/1"
DEALT, DRAWN = 10, 11
"""Cards of a hand as dealt, and with the one drawn before the discard."""
KNOCK_LIMIT = 10
ALL_RANKS = 0x1FFF
QUANTILES = (5, 25, 50, 75, 95)
"""In per cent."""

_MOST = 10 * DEALT
"""No ten cards have more points."""
_POLL_SECONDS = 0.1
_NONE = np.uint64(0)
_D, _H, _S = np.uint64(16), np.uint64(32), np.uint64(48)


@dataclass(frozen=True)
class Odds:
    """How often each deadwood occurs among all hands of so many cards.

    Args:
        cards: 10, or 11: then the deadwood is what the best discard leaves, any card being allowed.
        counts: hands with a deadwood of 0, 1, … up to the largest there is.
        all_melded: of eleven cards, the hands that have no deadwood before a discard (R11); None for ten.
    """

    cards: int
    counts: tuple[int, ...]
    all_melded: int | None

    @property
    def total(self) -> int:
        """All hands."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """Mean deadwood in points."""
        return float(self._moment(1))

    @property
    def sd(self) -> float:
        """Standard deviation of the deadwood in points, over all hands."""
        return sqrt(self._moment(2) - self._moment(1) ** 2)

    def at_most(self, points: int) -> int:
        """Hands with a deadwood of at most so many points: gin at 0 (R10), all that may knock at the limit (R9)."""
        return sum(self.counts[: points + 1])

    def share(self, hands: int) -> float:
        """So many hands as a share of all."""
        return hands / self.total

    def one_in(self, hands: int) -> float | None:
        """Among how many hands there is one of these; None if there is none at all."""
        return self.total / hands if hands else None

    def quantile(self, percent: int) -> int:
        """The least deadwood that at least ``percent`` per cent of the hands do not exceed."""
        return next(points for points, hands in enumerate(accumulate(self.counts)) if 100 * hands >= percent * self.total)

    def _moment(self, power: int) -> Fraction:
        return Fraction(sum(points**power * hands for points, hands in enumerate(self.counts)), self.total)


def distribution(
    cards: int = DEALT,
    *,
    ranks: int = ALL_RANKS,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda hands: None,
) -> Odds:
    """Count the deadwood of all hands of ten or eleven cards.

    Any exception meanwhile, such as a KeyboardInterrupt, stops the kernels within milliseconds and goes on up.

    Args:
        cards: 10 or 11.
        ranks: those in the deck, as 13 bits. Fewer make a short deck, small enough for other ways to count.
        workers: threads; None for one a core.
        progress: called about ten times a second with the number of hands counted so far, and in the end with all.

    Raises:
        UsageError: for another number of cards.
        GinsimError: if the counts do not add up to the number of all hands, which would be a bug.
    """
    if cards not in (DEALT, DRAWN):
        raise UsageError(f"{cards} cards: a hand has {DEALT}, or {DRAWN} before its discard.")
    suits, starts = _patterns(ranks)
    firsts = range(starts[cards // 4 + 1])
    counts = np.zeros((len(firsts), _MOST + 1), np.int64)
    melded = np.zeros(len(firsts), np.int64)
    stop = np.ones(1, np.int64)
    # Stopped before it starts, it only compiles, and does so in the thread to which an interrupt comes.
    _count(cards, suits, starts, 0, counts, melded, stop)
    stop[0] = 0
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        try:
            waiting = {pool.submit(_count, cards, suits, starts, first, counts, melded, stop) for first in firsts}
            while waiting:
                done, waiting = wait(waiting, timeout=_POLL_SECONDS)
                for task in done:
                    task.result()
                progress(int(counts.sum()))
        finally:
            # The pool is left only when all its tasks have ended: now they do at once.
            stop[0] = 1
    hands = np.trim_zeros(counts.sum(axis=0), "b").tolist()
    known = comb(4 * ranks.bit_count(), cards)
    if sum(hands) != known:
        raise GinsimError(f"The enumeration counted {sum(hands):,} of {known:,} hands of {cards} cards: this is a bug.")
    return Odds(cards, tuple(hands), int(melded.sum()) if cards == DRAWN else None)


def document(odds: Odds, knock_limit: int = KNOCK_LIMIT) -> dict[str, Any]:
    """The odds as dicts, lists and numbers for JSON.

    Args:
        knock_limit: the deadwood with which one may knock.

    Returns:
        A dict of

        - ``cards``, ``knock_limit``, ``total`` (all hands);
        - ``gin``, ``knockable`` and for eleven cards ``all_melded``: ``hands``, ``share`` (of all) and ``one_in``;
        - ``mean``, ``sd``, ``quantiles`` (by per cent) and ``max`` of the deadwood, in points;
        - ``counts``: for each ``deadwood`` from 0 on the ``hands``, ``share`` and ``one_in`` of just this deadwood, and those with
          at most this one as ``cumulative``, ``cumulative_share`` and ``cumulative_one_in``. Where there are no hands, one in
          how many is null.
    """

    def among_all(hands: int, prefix: str = "") -> dict[str, float | None]:
        return {f"{prefix}share": odds.share(hands), f"{prefix}one_in": odds.one_in(hands)}

    def highlight(hands: int) -> dict[str, float | None]:
        return {"hands": hands, **among_all(hands)}

    return {
        "schema": SCHEMA,
        "cards": odds.cards,
        "knock_limit": knock_limit,
        "total": odds.total,
        "gin": highlight(odds.at_most(0)),
        "knockable": highlight(odds.at_most(knock_limit)),
        **({} if odds.all_melded is None else {"all_melded": highlight(odds.all_melded)}),
        "mean": odds.mean,
        "sd": odds.sd,
        "quantiles": {str(percent): odds.quantile(percent) for percent in QUANTILES},
        "max": len(odds.counts) - 1,
        "counts": [
            {
                "deadwood": points,
                "hands": hands,
                **among_all(hands),
                "cumulative": odds.at_most(points),
                **among_all(odds.at_most(points), "cumulative_"),
            }
            for points, hands in enumerate(odds.counts)
        ],
    }


def _patterns(ranks: int) -> tuple[np.ndarray, np.ndarray]:
    """All suits that one can hold of some ranks, by their number of cards, and where those with 0, 1, … cards start."""
    suits = np.array([suit for suit in range(8192) if suit & ~ranks == 0], np.uint64)
    sizes = np.bitwise_count(suits)
    order = np.argsort(sizes, kind="stable")
    return suits[order], np.searchsorted(sizes[order], np.arange(15))


@kernel()
def _orders(first, second, third, fourth):
    """In how many different orders four things can stand, of which only neighbours may be alike: 24 where none are."""
    orders = 24
    alike = 1
    for same in (first == second, second == third, third == fourth):
        alike = alike + 1 if same else 1
        orders //= alike
    return orders


@kernel()
def _single_suits(suits):
    """For each suit by itself, its points outside runs, and those that its best discard leaves; both of shape (suits,)."""
    looses, lefts = np.empty(len(suits), np.int64), np.empty(len(suits), np.int64)
    for number in range(len(suits)):
        looses[number] = loose_points(suits[number])
        lefts[number] = best_discards(suits[number], _NONE)[0]
    return looses, lefts


@kernel()
def _count(cards, suits, starts, first, counts, melded, stop):
    """Count all hands whose first suit is ``suits[first]``, unless ``stop[0]`` is or becomes true.

    Args:
        counts: shape (firsts, deadwoods); the hands are added to the row ``first``.
        melded: shape (firsts,); likewise the hands of eleven cards that are all melded.
    """
    looses, lefts = _single_suits(suits)
    after_first = cards - popcount(suits[first])
    for second in range(first, starts[after_first // 3 + 1]):
        after_second = after_first - popcount(suits[second])
        for third in range(second, starts[after_second // 2 + 1]):
            if stop[0]:
                return
            after_third = after_second - popcount(suits[third])
            three = suits[first] | (suits[second] << _D) | (suits[third] << _H)
            three_loose, three_left = loose_points(three), best_discards(three, _NONE)[0]
            orders = _orders(first, second, third, -1)
            for fourth in range(max(third, starts[after_third]), starts[after_third + 1]):
                held = three | (suits[fourth] << _S)
                hands = orders if fourth != third else _orders(first, second, third, fourth)
                if cards == DEALT:
                    left = deadwood(held)
                elif ranks_of_sets(held) == _NONE:
                    left = min(three_loose + lefts[fourth], three_left + looses[fourth])
                else:
                    left = best_discards(held, _NONE)[0]
                # Among eleven melded cards is a meld of four or more, the end of which can be thrown.
                if cards == DRAWN and left == 0 and deadwood(held) == 0:
                    melded[first] += hands
                counts[first, left] += hands
