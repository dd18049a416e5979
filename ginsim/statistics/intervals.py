"""How sure an estimate is: Wilson's interval for rates, Student's for means, and both for observations in clusters.

Hands of one match depend on each other, and so do the two hands of a mirrored pair. There the clusters are what is independent. An
estimate is then a ratio, ``R = sum(y) / sum(x)`` over ``M`` clusters, ``x`` counting a cluster's observations and ``y`` its hits (or
adding its values), and its variance is that of the linearised ratio estimator (Cochran, *Sampling Techniques*, 6.3)::

    V = M / (M - 1) * sum((y - R * x)^2) / sum(x)^2

The *design effect* is ``V`` over what the variance would be if all observations were independent. It may be below one:
that is what mirroring is for. A rate gets Wilson's interval on the effective number of observations, ``n`` over the design effect
times ``(z / t)^2`` with Student's ``t`` for ``M - 1`` degrees of freedom (Korn and Graubard 1998); a mean gets ``R ± t * sqrt(V)``.

Where every cluster shows the same ratio (a rate of 0 or 1 above all), ``V`` comes out as zero and says nothing. Then each cluster
counts as one observation: ``n`` is replaced by Kish's ``sum(x)^2 / sum(x^2)``, which is ``M`` for clusters of equal size. That is
the worst that clustering can do, so the interval is rather too wide than too narrow.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

LEVEL = 0.95


@dataclass(frozen=True)
class Sums:
    """Exact sums over the ``m`` clusters that hold at least one observation."""

    m: int
    x: int
    y: int
    xx: int
    xy: int
    yy: int

    @property
    def design_variance(self) -> tuple[int, int]:
        """``V`` as a fraction of whole numbers, so that no digits cancel. Needs ``m`` of 2 or more."""
        squares = self.yy * self.x**2 - 2 * self.y * self.x * self.xy + self.y**2 * self.xx
        return self.m * squares, (self.m - 1) * self.x**4


@dataclass(frozen=True)
class Interval:
    """Bounds of an estimate, and for clustered observations the design effect; None where nothing can be said."""

    low: float | None = None
    high: float | None = None
    design_effect: float | None = None


def normal_quantile(level: float = LEVEL) -> float:
    """``z`` of a two-sided interval."""
    from scipy.special import ndtri

    return float(ndtri(0.5 + level / 2))


def student_quantile(degrees: int, level: float = LEVEL) -> float:
    """``t`` of a two-sided interval with that many degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + level / 2))


def wilson(successes: float, n: float, level: float = LEVEL) -> tuple[float, float] | None:
    """Wilson's score interval of a rate, inside [0, 1]; None for n = 0.

    ``scipy.stats`` has it for whole numbers only, and an effective number of observations seldom is one.
    """
    if n <= 0:
        return None
    z2 = normal_quantile(level) ** 2
    p = successes / n
    center = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = sqrt(z2 * (p * (1 - p) + z2 / (4 * n)) / n) / (1 + z2 / n)
    # At the ends the bound is exactly 0 or 1, and rounding must not say otherwise.
    low = 0.0 if successes <= 0 else max(0.0, center - half)
    high = 1.0 if successes >= n else min(1.0, center + half)
    return low, high


def rate_interval(hits: int, n: int, level: float = LEVEL) -> Interval:
    """Interval of the rate of ``hits`` among ``n`` independent observations."""
    bounds = wilson(hits, n, level)
    return Interval(*bounds) if bounds else Interval()


def clustered_rate_interval(sums: Sums, level: float = LEVEL) -> Interval:
    """Interval of the rate ``y / x`` of clustered observations; empty with fewer than two clusters."""
    if sums.m < 2:
        return Interval()
    binomial = sums.y * (sums.x - sums.y), sums.x**3
    effect = _design_effect(sums, binomial)
    shrink = normal_quantile(level) / student_quantile(sums.m - 1, level)
    n = sums.x / effect * shrink**2
    # The rate goes in as a ratio, so that 0 and 1 stay exactly that.
    bounds = wilson(n * (sums.y / sums.x), n, level)
    return Interval(*bounds, effect) if bounds else Interval()


def mean_interval(mean: float, variance: float, n: int, level: float = LEVEL) -> Interval:
    """Interval of the mean of ``n`` (2 or more) independent values with the given sample variance.

    Values that are all equal give an interval of no width: unlike a rate, a mean has no scale of its own to say how far off it may be.
    """
    half = student_quantile(n - 1, level) * sqrt(variance / n)
    return Interval(mean - half, mean + half)


def clustered_mean_interval(sums: Sums, variance: tuple[int, int], level: float = LEVEL) -> Interval:
    """Interval of the mean ``y / x`` of clustered values; empty with fewer than two clusters.

    Args:
        variance: the sample variance of the single values, as a fraction.
    """
    if sums.m < 2:
        return Interval()
    effect = _design_effect(sums, (variance[0], variance[1] * sums.x)) if variance[0] else None
    half = student_quantile(sums.m - 1, level) * sqrt((effect or 0) * variance[0] / (variance[1] * sums.x))
    mean = sums.y / sums.x
    return Interval(mean - half, mean + half, effect)


def ratio_interval(sums: Sums) -> Interval:
    """Interval of a ratio ``y / x`` of sums over clusters, whatever single observations are; empty with fewer than two."""
    if sums.m < 2:
        return Interval()
    top, bottom = sums.design_variance
    half = student_quantile(sums.m - 1) * sqrt(top / bottom)
    ratio = sums.y / sums.x
    return Interval(ratio - half, ratio + half)


def _design_effect(sums: Sums, independent: tuple[int, int]) -> float:
    """``V`` over the variance that independent observations would have; Kish's value where ``V`` or both are zero."""
    top, bottom = sums.design_variance
    if top == 0 or independent[0] == 0:
        return sums.xx / sums.x
    return (top * independent[1]) / (bottom * independent[0])
