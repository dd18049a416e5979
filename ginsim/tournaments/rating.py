"""Ratings by the model of Bradley and Terry, and for three players that of Plackett and Luce.

A match between some players goes to player *i* with probability ``exp(r_i) / sum(exp(r_j))``. The likelihood of the matches won is
that of a log-linear model of counts, with a term for each meeting and one for each player (Fienberg and Larntz 1976), so the
maximum comes from ``statsmodels`` as a Poisson regression. Ratings are centred: their mean is 0.

Matches on the same deals depend on each other, so the model's own standard errors do not hold. The variance is the sandwich
``B M B``: ``B`` is the inverse information that the library gives, ``M`` the variance of the counts between pair numbers.

A rating exists only where every player has won against every other, at least by way of third ones; else somebody's is infinite.
So the players are parted into sets within which that holds (strongly connected components; Ford 1957), the largest set is rated,
and the others have no rating. By Luce's axiom, what such a set won among itself is all that its ratings need.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from ginsim.statistics.intervals import student_quantile
from ginsim.statistics.tally import Moments
from ginsim.tournaments.schedule import Schedule
from ginsim.tournaments.scores import WIN, meetings, won


@dataclass(frozen=True)
class Rating:
    """Log odds, and their bounds; None where there are too few observations to tell."""

    estimate: float
    low: float | None = None
    high: float | None = None


def ratings(schedule: Schedule, scores: Moments, pairs: int) -> list[Rating | None]:
    """A rating for each player, None where there is none.

    Args:
        scores: of all observations.
        pairs: how many there are.
    """
    rated = _comparable(schedule, scores)
    found: list[Rating | None] = [None] * len(schedule.players)
    if len(rated) < 2:
        return found
    cells = [
        (group, player)
        for group, members in enumerate(schedule.groups)
        if len(set(members) & set(rated)) > 1
        for player in members
        if player in rated
    ]
    strengths, variances = _fit(cells, rated, scores, pairs)
    for player, strength, variance in zip(rated, strengths, variances, strict=True):
        half = student_quantile(pairs - 1) * np.sqrt(variance) if pairs > 1 else None
        bounds = () if half is None else (float(strength - half), float(strength + half))
        found[player] = Rating(float(strength), *bounds)
    return found


def _comparable(schedule: Schedule, scores: Moments) -> list[int]:
    """The largest set of players of whom everyone has won against everyone, if only by way of others in it."""
    from scipy.sparse.csgraph import connected_components

    size = len(schedule.players)
    beaten = np.zeros((size, size), bool)
    for number, group in enumerate(schedule.groups):
        for player in group:
            if scores.totals[won(number, player)]:
                beaten[player, list(group)] = True
    _, parts = connected_components(beaten, connection="strong")

    def weight(part: int) -> tuple[int, int]:
        members = np.flatnonzero(parts == part)
        wins = sum(scores.totals[won(group, player)] for player in members for group in meetings(schedule, player))
        return len(members), wins

    return np.flatnonzero(parts == max(set(parts), key=weight)).tolist()


def _fit(cells: list[tuple[int, int]], rated: list[int], scores: Moments, pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """Centred log strengths of the rated players, and their variances, from the matches won in each cell (meeting and player)."""
    from statsmodels.genmod.families import Poisson
    from statsmodels.genmod.generalized_linear_model import GLM

    groups = sorted({group for group, _ in cells})
    names = [won(*cell) for cell in cells]
    wins = np.array([scores.totals[name] for name in names]) / WIN
    # A column for each meeting and each player but the last, whose strength is 0 until all are centred.
    design = np.array(
        [[*(group == each for each in groups), *(player == each for each in rated[:-1])] for group, player in cells], float
    )
    with warnings.catch_warnings():
        # Two players, or three, fit exactly, of which the library warns; that the maximum exists has been seen to.
        warnings.simplefilter("ignore")
        model = GLM(wins, design, family=Poisson()).fit(tol=1e-12)
    bread = model.normalized_cov_params
    centred = np.zeros((len(rated), design.shape[1]))
    centred[:, len(groups) :] = (np.eye(len(rated)) - 1 / len(rated))[:, :-1]
    spread = np.zeros(len(rated))
    if pairs > 1:
        half = centred @ bread @ design.T
        spread = np.einsum("ij,jk,ik->i", half, _variance(names, scores, pairs), half)
    return centred @ model.params, spread


def _variance(names: list[str], scores: Moments, pairs: int) -> np.ndarray:
    """The variance matrix of the total wins in each cell, from how they vary and go together between observations."""
    whole = [[pairs * scores.product([one], [two]) - scores.totals[one] * scores.totals[two] for two in names] for one in names]
    return np.array(whole, float) / ((pairs - 1) * WIN**2)
