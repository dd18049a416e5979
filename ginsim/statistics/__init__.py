"""Estimates from tables.

Data goes one way: a chunk's frames -> :class:`Tally` (whole numbers, merged by ``+`` in any order) -> :func:`summarize` (rates,
means, quantiles with 95 % intervals, as plain JSON-able dicts). ``features`` says what is counted in each hand and match,
``catalogue`` which statistics are ratios of which counts, ``intervals`` how sure they are. A statistic that is a ratio
of counts is added with one line in ``catalogue``; if it needs a new count, with one more in ``features``.
"""

from ginsim.statistics.catalogue import Distribution, Rate, distributions, rates
from ginsim.statistics.features import needed_columns
from ginsim.statistics.intervals import LEVEL, wilson
from ginsim.statistics.split import split_report
from ginsim.statistics.summary import QUANTILES, summarize
from ginsim.statistics.tally import Tally, Tallying

__all__ = [
    "LEVEL",
    "QUANTILES",
    "Distribution",
    "Rate",
    "Tally",
    "Tallying",
    "distributions",
    "needed_columns",
    "rates",
    "split_report",
    "summarize",
    "wilson",
]
