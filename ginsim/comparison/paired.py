"""Differences between two runs, and how sure they are.

A statistic is a ratio in each run, ``R = Y / X`` with ``X = sum(x)`` and ``Y = sum(y)``. Two runs on the same deals are compared
cluster by cluster: the same hand (match, mirrored pair) of both is one observation. The difference of the ratios is linearised in
each of them, as for a single run (see :mod:`ginsim.statistics.intervals`)::

    e = (y1 - R1 * x1) / X1 - (y2 - R2 * x2) / X2        V = M / (M - 1) * sum(e^2)

over the ``M`` clusters that hold an observation of either run. The interval is the difference ``± t * sqrt(V)`` with Student's ``t`` for
``M - 1`` degrees of freedom. ``sum(e^2)`` comes from sums of products of whole numbers, so that chunks may be added up in any order
and the same run differs from itself by exactly nothing. Runs that share no deals have the sum of their own variances, and degrees of
freedom after Welch and Satterthwaite.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ginsim.records import Layout
from ginsim.statistics.catalogue import Block, Statistic, distributions, rates
from ginsim.statistics.intervals import LEVEL, student_quantile
from ginsim.statistics.tally import Moments, Observed, cluster_sums

HANDS = (
    *("knock_rate", "undercut_rate", "gin_rate", "big_gin_rate", "draw_rate", "tie_rate", "stopped_rate"),
    *("draws", "points", "first_player_share", "dealer_share"),
)
MATCHES = ("match_hands", "decided_early", "sweeps", "match_margin", "first_dealer_share")
WHO_WINS = ("seat_a_share", "match_won_a_share")
"""What is compared: of hands, of matches, and who wins where the players of a run differ."""

COMPLEMENTS = {"dealer_share": "first_player_share"}
"""Shares that are one less another: told for those who look for them, and no comparison of their own."""

Clusters = Mapping[Block, Mapping[str, np.ndarray]]
"""A chunk's features by table, added up in each cluster, shape (clusters,) each."""


def compared(layout: Layout) -> dict[str, Statistic]:
    """The statistics by which runs with these tables are compared, in the order in which reports show them."""
    every: dict[str, Statistic] = {statistic.name: statistic for statistic in (*rates(layout), *distributions(layout))}
    return {name: every[name] for name in (*HANDS, *MATCHES, *WHO_WINS) if name in every}


def clusters_of(observed: Mapping[Block, Observed], layout: Layout) -> Clusters:
    """What the comparison of a run with others needs of one chunk."""
    wanted = compared(layout).values()
    return {
        block: cluster_sums(
            about.values,
            about.starts,
            list(dict.fromkeys(name for statistic in wanted if statistic.block == block for name in statistic.counts)),
        )
        for block, about in observed.items()
    }


@dataclass(frozen=True)
class Difference:
    """One statistic's difference, ``one`` less ``other``.

    Attributes:
        estimate: None where one of them has no observation.
        low, high, p: None where nothing can be said: fewer than two clusters, or no cluster in which the two differ although they might.
        error: the standard error.
        degrees: of freedom.
        clusters: that hold an observation.
        changed: in how many of them the two are not the same; None where they are not paired.
    """

    estimate: float | None = None
    error: float | None = None
    degrees: float = 0.0
    clusters: int = 0
    changed: int | None = None

    @property
    def z(self) -> float | None:
        """The difference in standard errors."""
        return self.estimate / self.error if self.error and self.estimate is not None else None

    @property
    def p(self) -> float | None:
        """Probability of so large a difference by chance where there is none."""
        from scipy.special import stdtr

        return None if self.z is None else float(2 * stdtr(self.degrees, -abs(self.z)))

    def half_width(self, level: float = LEVEL) -> float | None:
        """Half the width of the interval."""
        return student_quantile(self.degrees, level) * self.error if self.error else None


class Pair:
    """Two runs on the same clusters, or any part of them; ``+`` merges parts.

    ``one`` and ``other`` are their tables' layouts; ``changed`` says by statistic in how many clusters the two are not the same.
    """

    def __init__(
        self, one: Layout, other: Layout, moments: Mapping[Block, Moments], changed: Mapping[str, int]
    ) -> None:
        self.layouts = one, other
        self.moments = moments
        self.changed = changed

    @classmethod
    def of(cls, one: tuple[Clusters, Layout], other: tuple[Clusters, Layout]) -> Pair:
        """Of one chunk: the same hands or matches in both."""
        shared = _shared(one[1], other[1])
        moments: dict[Block, Moments] = {}
        changed: dict[str, int] = {}
        for block in one[0].keys() & other[0].keys():
            rows = {
                f"{side} {name}": row
                for side, (clusters, _) in enumerate((one, other))
                for name, row in clusters[block].items()
            }
            here = {name: pair for name, pair in shared.items() if pair[0].block == block}
            moments[block] = Moments.of_clusters(
                rows, dict.fromkeys(_both(*(each.among for each in pair)) for pair in here.values())
            )
            sums = {names: sum(rows[name] for name in names) for names in _halves(here.values())}
            for name, (mine, its) in here.items():
                hits = sums[_side(0, mine.hits)] != sums[_side(1, its.hits)]
                changed[name] = int(np.count_nonzero(hits | (sums[_side(0, mine.among)] != sums[_side(1, its.among)])))
        return cls(one[1], other[1], moments, changed)

    def __add__(self, more: Pair) -> Pair:
        moments = {block: moments + more.moments[block] for block, moments in self.moments.items()}
        return Pair(*self.layouts, moments, {name: number + more.changed[name] for name, number in self.changed.items()})

    def difference(self, name: str) -> Difference:
        """A statistic's difference, of which both have some (see :func:`compared`)."""
        one, other = _shared(*self.layouts)[name]
        moments = self.moments[one.block]
        y1, y2 = (_side(side, each.hits) for side, each in enumerate((one, other)))
        x1, x2 = (_side(side, each.among) for side, each in enumerate((one, other)))
        totals = {names: moments.total(names) for names in (y1, x1, y2, x2)}
        if not (totals[x1] and totals[x2]):
            return Difference()
        # Everything times X1^2 X2^2 is whole numbers.
        weights = {
            y1: totals[x1] * totals[x2] ** 2,
            x1: -totals[y1] * totals[x2] ** 2,
            y2: -totals[x2] * totals[x1] ** 2,
            x2: totals[y2] * totals[x1] ** 2,
        }
        squares = sum(weights[left] * weights[right] * moments.product(left, right) for left in weights for right in weights)
        clusters = moments.present["+".join(_both(one.among, other.among))]
        estimate = (totals[y1] * totals[x2] - totals[y2] * totals[x1]) / (totals[x1] * totals[x2])
        if clusters < 2:
            return Difference(estimate, clusters=clusters, changed=self.changed[name])
        variance = clusters * squares / ((clusters - 1) * (totals[x1] * totals[x2]) ** 4)
        return Difference(estimate, sqrt(variance), clusters - 1, clusters, self.changed[name])


class Alone:
    """A run that shares no deals with another; ``+`` merges parts."""

    def __init__(self, layout: Layout, moments: Mapping[Block, Moments]) -> None:
        self.layout = layout
        self.moments = moments

    @classmethod
    def of(cls, clusters: Clusters, layout: Layout) -> Alone:
        """Of one chunk."""
        wanted = compared(layout).values()
        return cls(
            layout,
            {
                block: Moments.of_clusters(
                    rows, dict.fromkeys(statistic.among for statistic in wanted if statistic.block == block)
                )
                for block, rows in clusters.items()
            },
        )

    def __add__(self, more: Alone) -> Alone:
        return Alone(self.layout, {block: moments + more.moments[block] for block, moments in self.moments.items()})

    def less(self, other: Alone, name: str) -> Difference:
        """A statistic's difference, of which both have some (see :func:`compared`)."""
        sums = []
        for run in (self, other):
            statistic = compared(run.layout)[name]
            sums.append(run.moments[statistic.block].sums(statistic.hits, statistic.among))
        if not all(each.x for each in sums):
            return Difference()
        estimate = (sums[0].y * sums[1].x - sums[1].y * sums[0].x) / (sums[0].x * sums[1].x)
        clusters = sum(each.m for each in sums)
        if min(each.m for each in sums) < 2:
            return Difference(estimate, clusters=clusters)
        variances = [top / bottom for top, bottom in (each.design_variance for each in sums)]
        parts = sum(variance**2 / (each.m - 1) for variance, each in zip(variances, sums, strict=True))
        return Difference(
            estimate, sqrt(sum(variances)), sum(variances) ** 2 / parts if parts else min(each.m for each in sums) - 1, clusters
        )


def holm(ps: Sequence[float]) -> list[float]:
    """P-values adjusted for their number (Holm 1979): below a level together with a chance of at most that level of any false one."""
    adjusted = [1.0] * len(ps)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = least
    return adjusted


def _shared(one: Layout, other: Layout) -> dict[str, tuple[Statistic, Statistic]]:
    mine, yours = compared(one), compared(other)
    return {name: (mine[name], yours[name]) for name in mine if name in yours}


def _side(side: int, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{side} {name}" for name in names)


def _halves(pairs: Iterable[tuple[Statistic, Statistic]]) -> set[tuple[str, ...]]:
    """Numerators and denominators of both runs."""
    return {_side(side, names) for pair in pairs for side, each in enumerate(pair) for names in (each.hits, each.among)}


def _both(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """The denominators of both runs: a cluster counts that has an observation in either."""
    return _side(0, one) + _side(1, other)
