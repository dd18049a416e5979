"""What ``expert`` takes an end of the hand to be worth, and whether to knock or to play on."""

from __future__ import annotations

import math

import numpy as np

from ginsim.accelerate import kernel, popcount
from ginsim.cards import FULL_DECK
from ginsim.strategies.expert.other import (
    EAGER,
    KNOCKS_WITH,
    WAITING,
    a_round_later,
    against,
    chance_of_ending,
    expected_deadwood,
)
from ginsim.strategies.expert.parameters import (
    DRIFT,
    EAGER_PACE,
    GAIN,
    KIND,
    LAYOFFS,
    MARGIN,
    PILE,
    RACE,
    WAITING_PACE,
)
from ginsim.strategies.lookahead import LEVELS, count_draws

_NONE = np.uint64(0)
_DECK = np.uint64(FULL_DECK)
_UNDERCUT_BY = 0.4
"""Mean share of the knocker's deadwood by which he is undercut."""
_ROUNDS_BEFORE_A_LATER_KNOCK = 2
_HARDLY = 0.02
"""Chances below this are left out."""


@kernel()
def _chance_to_win(own, other, target, race):
    """A game at these scores: an S of the lead, the steeper the fewer points there are to come."""
    if own >= target:
        return 1.0
    if other >= target:
        return 0.0
    lead = race * (own - other)
    return 0.5 + 0.5 * lead / math.sqrt(2.0 * target - own - other + 10.0 + lead * lead)


@kernel()
def worth(view, points):
    """What winning ``points`` (losing them, where negative) is worth to ``expert``."""
    return chance_of_games(view, points, view.parameters[RACE])


@kernel()
def chance_of_games(view, points, race):
    """The mean chance to win the games that are open once ``points`` are won (lost, where negative); ``race`` as the parameter."""
    gain = max(points, 0.0) * view.multiplier
    loss = max(-points, 0.0) * view.multiplier
    target = np.float64(view.rules.target)
    total = 0.0
    games = 0
    for game in range(view.rules.games):
        own = np.float64(view.own_scores[game])
        other = np.float64(view.other_scores[game])
        if own < target and other < target:
            total += _chance_to_win(own + gain, other + loss, target, race)
            games += 1
    return total / max(games, 1)


@kernel()
def worth_of_knock(view, left, mean, kind):
    """Worth of knocking with ``left`` against a player of this kind with such a mean of deadwood."""
    undercut, difference = against(left, mean, kind)
    lost = view.rules.undercut_bonus + _UNDERCUT_BY * left
    return (1.0 - undercut) * worth(view, difference) + undercut * worth(view, -lost)


@kernel()
def _worth_of_his_end(view, left, kind):
    """Worth of his ending the hand in his way, and how likely he is to have the chance under this knock limit."""
    if kind == WAITING:
        return worth(view, -np.float64(view.rules.gin_bonus + left)), 1.0
    mine = max(0.0, left - view.parameters[LAYOFFS])
    total = 0.0
    value = 0.0
    for his in range(1, view.limit + 1):
        share = KNOCKS_WITH[his]
        total += share
        value += share * worth(view, view.rules.undercut_bonus + his - mine if mine <= his else his - mine)
    return value / max(total, _HARDLY), total + KNOCKS_WITH[0]


@kernel()
def _worth_of_waiting(view, left, mean, kind, gin_chance, gain):
    """Worth of playing on for gin, or for a knock one or two rounds later, whichever is more.

    Args:
        gin_chance: that the next draw is gin; ``gain``: by how much the mean draw lowers the deadwood.
    """
    p = view.parameters
    base = kind * KIND
    gin_chance *= 1.0 + p[base + PILE]
    pace = p[EAGER_PACE] if kind == EAGER else p[WAITING_PACE]
    his_end, able = _worth_of_his_end(view, left, kind)
    alive = 1.0
    value = 0.0
    best = -1.0
    for step in range(max((view.stock - view.rules.stock_floor) // 2, 0)):
        ends = min(0.6, pace * chance_of_ending(mean, kind)) * able
        mean = a_round_later(mean, kind)
        value += alive * ends * his_end
        alive *= 1.0 - ends
        gins = min(0.7, gin_chance + p[base + DRIFT] * step)
        value += alive * gins * worth(view, view.rules.gin_bonus + mean)
        alive *= 1.0 - gins
        if step < _ROUNDS_BEFORE_A_LATER_KNOCK:
            later = max(left - p[base + GAIN] * gain * (step + 1.0), 0.5)
            best = max(best, value + alive * worth_of_knock(view, later, mean, kind))
        if alive < _HARDLY:
            break
    return max(best, value + alive * worth(view, 0.0))


@kernel()
def knocks(view, cards, left, waits):
    """Whether to knock with ``left`` rather than to play on with these ten cards."""
    if left == 0:
        return True
    unseen = _DECK & ~(cards | view.held | view.pile | view.top | view.taken | view.other_took)
    counts = np.zeros(LEVELS)
    count_draws(cards, left, unseen, counts)
    number = max(popcount(unseen), 1)
    gain = 0.0
    for value in range(left):
        gain += counts[value] * (left - value)
    gain /= number
    balance = 0.0
    for kind in range(2):
        share = waits if kind == WAITING else 1.0 - waits
        if share > _HARDLY:
            mean = expected_deadwood(view, kind)
            now = worth_of_knock(view, np.float64(left), mean, kind)
            later = _worth_of_waiting(view, np.float64(left), mean, kind, counts[0] / number, gain)
            balance += share * (now - later + 0.01 * view.parameters[kind * KIND + MARGIN])
    return balance > 0.0


@kernel()
def knock_beats_draw(view, left, waits):
    """Whether a knock with ``left`` is worth more than a hand without a winner."""
    balance = -worth(view, 0.0)
    for kind in range(2):
        share = waits if kind == WAITING else 1.0 - waits
        balance += share * worth_of_knock(view, np.float64(left), expected_deadwood(view, kind), kind)
    return balance > 0.0
