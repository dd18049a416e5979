"""What ``expert`` makes of the other side: whether he knocks as soon as he may or waits for gin, and how little he holds.

Nobody is quite either; the two kinds are the ends between which it mixes. What is measured here comes from
``scripts/measure_players.py``.
"""

from __future__ import annotations

import math

import numpy as np

from ginsim.accelerate import kernel, lowest_number, popcount
from ginsim.records import BIG_GIN, GIN
from ginsim.strategies.expert.parameters import GINNED, KIND, KNOCKED, PRIOR, SILENT

EAGER, WAITING = 0, 1

_NONE = np.uint64(0)
_LANE = np.uint64(0x1FFF)
_D, _H, _S = np.uint64(16), np.uint64(32), np.uint64(48)

_EARLY = 3
"""Until this turn of his a knock tells nothing: the one who waits for gin may well knock so early too."""
_SURE = 5.0
"""The log-odds learned stay within this, so that a player who changes is found out."""
_SCALE = 1000.0
"""Memory holds whole numbers: log-odds + ``_SURE`` in thousandths. 0 stands for nothing learned."""


@kernel()
def learn(view):
    """Remember how the hand before ended, once, under the seat of who knocked."""
    if np.int64(view.memory[0]) == view.hand:
        return
    view.memory[0] = np.uint64(view.hand)
    knocker = view.last_knocker
    if knocker < 0 or knocker == view.seat:
        return
    odds = _learned(view, knocker)
    if view.last_ending == GIN or view.last_ending == BIG_GIN:
        odds += view.parameters[GINNED]
    elif view.last_draws > 2 * _EARLY:
        odds -= view.parameters[KNOCKED]
    odds = min(_SURE, max(-_SURE, odds))
    view.memory[1 + knocker] = np.uint64(np.int64((odds + _SURE) * _SCALE) + 1)


@kernel()
def _learned(view, seat):
    known = np.int64(view.memory[1 + seat])
    return (known - 1) / _SCALE - _SURE if known > 0 else 0.0


@kernel()
def chance_of_waiting(view):
    """How likely the other is to wait for gin: by how he knocked in this match, and by his not having knocked yet."""
    if view.limit == 0:
        return 1.0
    odds = view.parameters[PRIOR] + _learned(view, view.other)
    rounds = max(view.draws / 2.0 - 2.0, 0.0)
    # One who knocks as soon as he may does so more often each turn, so what his silence says grows with the square.
    odds += view.parameters[SILENT] * 0.021 * rounds * rounds
    return 1.0 / (1.0 + math.exp(-odds))


@kernel()
def mixed(view, which, waits):
    """A parameter that comes twice, mixed by the chance that the other waits."""
    p = view.parameters
    return p[which] + waits * (p[which + KIND] - p[which])


@kernel()
def expected_deadwood(view, kind):
    """The mean of the other's deadwood after layoffs if he is of this kind: by draws, cards he took, and the lowest he threw."""
    rounds = min(view.draws, 60) / 2.0
    took = min(popcount(view.other_took), 4)
    threw = view.other_threw
    threw = (threw | (threw >> _D) | (threw >> _H) | (threw >> _S)) & _LANE
    below_ten = max(9 - lowest_number(threw), 0) if threw != _NONE else 0
    if kind == EAGER:
        return 8.0 + math.exp(3.479 - 0.0391 * rounds - 0.2619 * took - 0.2845 * below_ten)
    return math.exp(4.105 - 0.1047 * rounds - 0.2324 * took - 0.147 * below_ten)


@kernel()
def chance_of_ending(mean, kind):
    """How often he ends the hand on his next turn, with such a mean of deadwood: an eager one by a knock, a waiting one by gin."""
    if kind == EAGER:
        return 0.55 * math.exp(-0.085 * (mean - 10.0))
    return 0.28 * math.exp(-0.14 * mean)


@kernel()
def a_round_later(mean, kind):
    """What the mean of his deadwood has become when he has not ended the hand a round later."""
    if kind == EAGER:
        return 15.0 + 0.62 * (mean - 15.0)
    return 4.6 + 0.65 * (mean - 4.6)


_HALVES = 121


def _tables() -> tuple[np.ndarray, np.ndarray]:
    """By kind, twice the mean of his deadwood, and one's own: chance that his is no more, and mean difference where it is more.

    A Weibull distribution fits both kinds; that of an eager player, who holds too much to knock, begins only where layoffs help him.
    """
    values = np.arange(200)
    no_more = np.zeros((2, _HALVES, 11))
    difference = np.zeros((2, _HALVES, 11))
    for half in range(_HALVES):
        mean = half / 2
        for kind, start, shape in ((EAGER, 3.0, 2.5), (WAITING, -0.5, 0.9 + 0.055 * mean)):
            scale = max(mean - start, 0.5) / math.gamma(1 + 1 / shape)
            more = np.exp(-((np.maximum(values + 0.5 - start, 0) / scale) ** shape))
            for left in range(11):
                no_more[kind, half, left] = 1 - more[left]
                difference[kind, half, left] = more[left:].sum() / more[left] if more[left] > 1e-9 else 0.5
    return no_more, difference


_NO_MORE, _DIFFERENCE = _tables()


@kernel()
def deadwood_at(mean, kind, share):
    """The deadwood above which he has with this chance, if the mean is this: the same distribution the other way round."""
    start, shape = (3.0, 2.5) if kind == EAGER else (-0.5, 0.9 + 0.055 * mean)
    return start + max(mean - start, 0.5) / math.gamma(1.0 + 1.0 / shape) * (-math.log(share)) ** (1.0 / shape)


@kernel()
def against(left, mean, kind):
    """Knocking with ``left``: the chance of an undercut, and the mean difference without one."""
    half = min(np.int64(2.0 * mean + 0.5), _HALVES - 1)
    low = np.int64(left)
    high = min(low + 1, 10)
    part = left - low
    undercut = _NO_MORE[kind, half, low] * (1.0 - part) + _NO_MORE[kind, half, high] * part
    difference = _DIFFERENCE[kind, half, low] * (1.0 - part) + _DIFFERENCE[kind, half, high] * part
    return undercut, difference


KNOCKS_WITH = np.array([0.027, 0.061, 0.056, 0.047, 0.052, 0.055, 0.085, 0.119, 0.155, 0.167, 0.176])
"""How often an eager player who may knock with ten has each deadwood from 0 to 10."""
