"""Sufficient statistics of a run's tables: whole numbers, so that merging in any order gives the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.records import Layout
from ginsim.statistics import features
from ginsim.statistics.catalogue import Block, Statistic, distributions, rates
from ginsim.statistics.features import Histogram
from ginsim.statistics.intervals import Sums

if TYPE_CHECKING:
    import polars as pl

EXACT = 2.0**53
"""Below this every sum of whole numbers in floating point is exact."""


@dataclass(frozen=True)
class Moments:
    """Features of one table added up, and the products of their sums in each cluster.

    Attributes:
        totals: each feature's sum.
        crossed: the features whose products are kept: those of statistics whose observations are clustered.
        products: for each pair of them (upper triangle of the square, row by row) the sum over clusters of the product of
            their sums in the cluster.
        present: for each denominator (names joined by ``+``) the number of clusters that hold any of it.
    """

    totals: Mapping[str, int]
    crossed: tuple[str, ...]
    products: tuple[int, ...]
    present: Mapping[str, int]

    @classmethod
    def of(cls, values: Mapping[str, np.ndarray], starts: np.ndarray, clustered: Sequence[Statistic]) -> Moments:
        """Moments of rows in clusters.

        Args:
            values: feature values, each of shape (rows,), the rows of a cluster in one piece.
            starts: first row of each cluster.
            clustered: the statistics whose observations are clustered.
        """
        crossed = tuple(dict.fromkeys(name for statistic in clustered for name in statistic.counts))
        rows = cluster_sums(values, starts, crossed)
        moments = cls.of_clusters(rows, dict.fromkeys(statistic.among for statistic in clustered))
        alone = {name: int(column.sum(dtype=np.int64)) for name, column in values.items() if name not in rows}
        return replace(moments, totals={**alone, **moments.totals})

    @classmethod
    def of_clusters(cls, rows: Mapping[str, np.ndarray], among: Iterable[tuple[str, ...]]) -> Moments:
        """Moments of features that are added up in each cluster already, of one run or of several on the same clusters.

        Args:
            rows: each feature's sums, shape (clusters,).
            among: the denominators.
        """
        return cls(
            {name: int(row.sum(dtype=np.int64)) for name, row in rows.items()},
            tuple(rows),
            _products(np.stack(list(rows.values()))) if rows else (),
            {"+".join(names): int(np.count_nonzero(sum(rows[name] for name in names))) for names in among},
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Moments:
        """What :func:`dataclasses.asdict` gave, also through JSON."""
        return cls(data["totals"], tuple(data["crossed"]), tuple(data["products"]), data["present"])

    def __add__(self, other: Moments) -> Moments:
        if self.crossed != other.crossed:
            raise ValueError("tallies of runs with different statistics do not add up")
        return Moments(
            _added(self.totals, other.totals),
            self.crossed,
            tuple(mine + yours for mine, yours in zip(self.products, other.products, strict=True)),
            _added(self.present, other.present),
        )

    def sums(self, hits: Sequence[str], among: Sequence[str]) -> Sums:
        """What the ratio of two sums of crossed features needs."""
        x, y = self.total(among), self.total(hits)
        squares = self.product(among, among), self.product(among, hits), self.product(hits, hits)
        return Sums(self.present["+".join(among)], x, y, *squares)

    def total(self, names: Iterable[str]) -> int:
        """The sum of these features."""
        return sum(self.totals[name] for name in names)

    def product(self, left: Sequence[str], right: Sequence[str]) -> int:
        """The product of two sums of crossed features, added up over the clusters."""
        place, width = self._place, len(self.crossed)
        pairs = (sorted((place[one], place[two])) for one in left for two in right)
        return sum(self.products[low * width - low * (low + 1) // 2 + high] for low, high in pairs)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: index for index, name in enumerate(self.crossed)}


@dataclass(frozen=True)
class Observed:
    """A table's features, each of shape (rows,), the first row of each cluster, and its histograms."""

    values: Mapping[str, np.ndarray]
    starts: np.ndarray
    histograms: Mapping[str, Histogram]


@dataclass(frozen=True)
class Tally:
    """What every figure of a report needs, of any part of a run. ``Tally()`` is nothing at all; ``+`` merges.

    Attributes:
        clusters: what is independent: ``hands``, ``pairs of hands``, ``matches``, ``pairs of matches``; empty for nothing.
        number: how many of those there are.
        moments: of the tables ``hands`` and, where they were given, ``matches`` (with their games).
        histograms: how often each value occurred, by distribution.
    """

    clusters: str = ""
    number: int = 0
    moments: Mapping[Block, Moments] = field(default_factory=dict)
    histograms: Mapping[str, Histogram] = field(default_factory=dict)

    @classmethod
    def of(cls, frames: Mapping[str, pl.DataFrame], layout: Layout, mirror: bool) -> Tally:
        """Tally of one chunk.

        Args:
            frames: the chunk's tables, rows in their order. ``hands`` may be a selection of rows; ``games`` and ``matches`` are
                whole, or left out. Of their columns those of :func:`needed_columns` suffice.
            mirror: numbers 2k and 2k + 1 are one observation; both are in the chunk, but an odd last one may stand alone.
        """
        return cls.of_observed(observe(frames, layout, mirror), layout, mirror)

    @classmethod
    def of_observed(cls, observed: Mapping[Block, Observed], layout: Layout, mirror: bool) -> Tally:
        """Tally of what :func:`observe` made of a chunk."""
        if not observed:
            return cls()
        clusters = ("pairs of " if mirror else "") + layout.unit
        moments = {
            block: Moments.of(about.values, about.starts, _clustered(block, layout, clusters))
            for block, about in observed.items()
        }
        histograms = {name: values for about in observed.values() for name, values in about.histograms.items()}
        return cls(clusters, len(observed["hands"].starts), moments, histograms)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Tally:
        """The tally that :meth:`as_dict` gave, also through JSON."""
        return cls(
            data["clusters"],
            data["number"],
            {name: Moments.from_dict(moments) for name, moments in data["moments"].items()},
            {
                name: {int(value): count for value, count in histogram.items()}
                for name, histogram in data["histograms"].items()
            },
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, strings and whole numbers."""
        data = asdict(self)
        for moments in data["moments"].values():
            moments |= {name: list(moments[name]) for name in ("crossed", "products")}
        data["histograms"] = {
            name: {str(value): histogram[value] for value in sorted(histogram)}
            for name, histogram in self.histograms.items()
        }
        return data

    def __add__(self, other: Tally) -> Tally:
        if not (self.clusters and other.clusters):
            return self if self.clusters else other
        if self.clusters != other.clusters or self.moments.keys() != other.moments.keys():
            raise ValueError(f"a tally of {self.clusters} and one of {other.clusters} do not add up")
        return Tally(
            self.clusters,
            self.number + other.number,
            {name: moments + other.moments[name] for name, moments in self.moments.items()},
            {name: _added(histogram, other.histograms[name]) for name, histogram in self.histograms.items()},
        )

    def total(self, block: Block, names: Iterable[str]) -> int:
        """The sum of these features; 0 where the table is missing."""
        moments = self.moments.get(block)
        return moments.total(names) if moments else 0


def observe(frames: Mapping[str, pl.DataFrame], layout: Layout, mirror: bool) -> dict[Block, Observed]:
    """The features of one chunk's tables, as :meth:`Tally.of` takes them; nothing where it has no hands."""
    if frames["hands"].is_empty():
        return {}
    table = features.plain(frames, "hands", layout)
    observed: dict[Block, Observed] = {
        "hands": Observed(
            dict(features.hand_features(table, layout)),
            _starts(table["match" if layout.unit == "matches" else "hand"], mirror),
            features.hand_histograms(table),
        )
    }
    if "matches" in frames:
        table = features.plain(frames, "matches", layout)
        values = dict(features.match_features(table, features.plain(frames, "games", layout), layout))
        observed["matches"] = Observed(
            values, _starts(table["match"], mirror), features.match_histograms(values, layout)
        )
    return observed


def _clustered(block: Block, layout: Layout, clusters: str) -> list[Statistic]:
    """The statistics of a table whose single observations are not what is independent."""
    return [
        statistic
        for statistic in (*rates(layout), *distributions(layout))
        if statistic.block == block and statistic.seen != clusters
    ]


def _starts(numbers: np.ndarray, mirror: bool) -> np.ndarray:
    """First row of each cluster; rows of a cluster are neighbours."""
    cluster = numbers >> int(mirror)
    return np.concatenate([[0], np.flatnonzero(cluster[1:] != cluster[:-1]) + 1])


def cluster_sums(values: Mapping[str, np.ndarray], starts: np.ndarray, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Sums of these features over each cluster: whole numbers in floating point, shape (clusters,) each."""
    columns = [values[name] for name in names]
    table = np.empty((len(columns), len(starts)))
    rows = len(columns[0]) if columns else 0
    size = rows // len(starts)
    uniform = size <= 2 and np.array_equal(starts, np.arange(0, rows, size or 1))
    for sums, column in zip(table, columns, strict=True):
        if uniform:
            # Single hands and whole pairs of them: a fifth of the time.
            sums[:] = column[::size]
            if size == 2:
                sums += column[1::size]
        else:
            np.add.reduceat(column, starts, out=sums, dtype=np.float64)
    return dict(zip(names, table, strict=True))


def _products(table: np.ndarray) -> tuple[int, ...]:
    """Products of every two rows: the first with all, the second with all but the first, …"""
    square = _square(table)
    # By Cauchy and Schwarz no sum on the way is beyond the largest sum of squares: below this all are exact.
    if square.max(initial=0) >= EXACT:
        whole = table.astype(np.int64).astype(object)
        square = whole @ whole.T
    return tuple(int(value) for value in square[np.triu_indices(len(table))])


def _square(table: np.ndarray) -> np.ndarray:
    """``table @ table.T``, in pieces too small for the linear algebra library to start threads on.

    Its threads wait for each other, and with a run's own workers on the same cores: measured up to 20 times the time.
    """
    width, length = table.shape
    step = 2**17 // (width**2 + 1) + 1
    square = np.zeros((width, width))
    for start in range(0, length, step):
        piece = table[:, start : start + step]
        square += piece @ piece.T
    return square


def _added(mine: Mapping[Any, int], yours: Mapping[Any, int]) -> dict[Any, int]:
    total = Counter(mine)
    total.update(yours)
    return dict(total)
