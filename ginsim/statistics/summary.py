"""From a tally to estimates."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ginsim.records import DECIDED, ENDINGS, Layout
from ginsim.statistics.catalogue import Distribution, Rate, distributions, rates
from ginsim.statistics.features import Histogram
from ginsim.statistics.intervals import (
    LEVEL,
    Interval,
    clustered_mean_interval,
    clustered_rate_interval,
    mean_interval,
    rate_interval,
)
from ginsim.statistics.tally import Tally

QUANTILES = (5, 25, 50, 75, 95)


def summarize(tally: Tally, layout: Layout, level: float = LEVEL) -> dict[str, Any]:
    """Every figure of a report, as dicts, strings and numbers that JSON gives back unchanged.

    Returns:
        A dict of

        - ``hands``, ``decided_hands``, ``matches`` (null for single hands), ``pairs`` (null unless mirrored): how many;
        - ``independent``: what is taken as independent, ``hands``, ``pairs of hands``, ``matches`` or ``pairs of matches``;
        - ``level``: of all intervals;
        - ``rates``: by name ``of`` (what it is a share of), ``count``, ``n``, ``estimate``, ``low``, ``high``, ``clusters`` and
          ``design_effect``, the last two null where the observations themselves are independent;
        - ``distributions``: by name ``of``, ``n``, ``mean``, ``low``, ``high`` (of the mean), ``clusters``, ``design_effect``, ``sd``,
          ``min``, ``quantiles`` (by per cent), ``max`` and ``histogram`` (by value, how often).

        What cannot be said of an empty class is null, and so is an interval from one observation or one cluster.
    """
    shown = [
        statistic
        for statistic in (*rates(layout), *distributions(layout))
        if statistic.block in tally.moments or not tally.moments
    ]
    paired = tally.clusters.startswith("pairs")
    matches = layout.unit == "matches" and ("matches" in tally.moments or not tally.moments)
    return {
        "hands": tally.total("hands", ENDINGS),
        "decided_hands": tally.total("hands", DECIDED),
        "matches": tally.total("matches", ("finished", "abandoned")) if matches else None,
        "pairs": tally.number if paired else None,
        "independent": tally.clusters or layout.unit,
        "level": level,
        "rates": {rate.name: _rate(tally, rate, level) for rate in shown if isinstance(rate, Rate)},
        "distributions": {
            distribution.name: _distribution(tally, distribution, level)
            for distribution in shown
            if isinstance(distribution, Distribution)
        },
    }


def _rate(tally: Tally, rate: Rate, level: float) -> dict[str, Any]:
    count, n = (tally.total(rate.block, names) for names in (rate.hits, rate.among))
    clustered = n > 0 and rate.seen != tally.clusters
    sums = tally.moments[rate.block].sums(rate.hits, rate.among) if clustered else None
    interval = clustered_rate_interval(sums, level) if sums else rate_interval(count, n, level)
    return {
        "of": rate.of,
        "count": count,
        "n": n,
        "estimate": count / n if n else None,
        "low": interval.low,
        "high": interval.high,
        "clusters": sums.m if sums else None,
        "design_effect": interval.design_effect,
    }


def _distribution(tally: Tally, distribution: Distribution, level: float) -> dict[str, Any]:
    histogram = tally.histograms.get(distribution.name, {})
    values = sorted(histogram)
    n = sum(histogram.values())
    total = sum(value * count for value, count in histogram.items())
    squares = sum(value * value * count for value, count in histogram.items())
    # Sample variance, kept as a fraction of whole numbers: a float would lose it beside a large mean.
    variance = (n * squares - total * total, n * (n - 1))
    clustered = n > 0 and distribution.seen != tally.clusters
    sums = tally.moments[distribution.block].sums(distribution.hits, distribution.among) if clustered else None
    if sums:
        interval = clustered_mean_interval(sums, variance, level)
    else:
        interval = mean_interval(total / n, variance[0] / variance[1], n, level) if n > 1 else Interval()
    return {
        "of": distribution.of,
        "n": n,
        "mean": total / n if n else None,
        "low": interval.low,
        "high": interval.high,
        "clusters": sums.m if sums else None,
        "design_effect": interval.design_effect,
        "sd": sqrt(variance[0] / variance[1]) if n > 1 else None,
        "min": values[0] if values else None,
        "quantiles": {str(percent): _quantile(histogram, values, n, percent) for percent in QUANTILES},
        "max": values[-1] if values else None,
        "histogram": {str(value): histogram[value] for value in values},
    }


def _quantile(histogram: Histogram, values: list[int], n: int, percent: int) -> int | None:
    """The least value that at least ``percent`` per cent of the values do not exceed."""
    seen = 0
    for value in values:
        seen += histogram[value]
        if 100 * seen >= percent * n:
            return value
    return None
