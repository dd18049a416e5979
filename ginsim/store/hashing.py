"""The table hash: all rows of a run in order, hashed by content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from ginsim.records import Column, Layout


class TableHash:
    """A hash of the rows of a run's tables, in order, by content: the same however they are cut into chunks.

    Each column is one stream of little-endian numbers (words as their place, null as -1); the digests of all columns are
    hashed once more with their names.
    """

    def __init__(self, layout: Layout) -> None:
        self._columns = [(table, column, hashlib.sha256()) for table in layout.tables for column in layout.columns(table)]

    def update(self, frames: Mapping[str, pl.DataFrame]) -> None:
        """Add the next chunk."""
        self.add(self.numbers(frames))

    def numbers(self, frames: Mapping[str, pl.DataFrame]) -> list[np.ndarray]:
        """What is hashed of a chunk: a column each, shape (rows,)."""
        return [_numbers(frames[table][column.name], column) for table, column, _ in self._columns]

    def add(self, numbers: Sequence[np.ndarray]) -> None:
        """Add the next chunk's numbers."""
        for (_, _, content), column in zip(self._columns, numbers, strict=True):
            content.update(column)

    def digest(self) -> str:
        """The hash as hexadecimal text."""
        whole = hashlib.sha256()
        for table, column, content in self._columns:
            whole.update(f"{table}.{column.name} {content.hexdigest()}\n".encode())
        return whole.hexdigest()


def _numbers(values: pl.Series, column: Column) -> np.ndarray:
    wide = pl.Int64 if column.name in ("match", "hand") else pl.Int32
    return (values.to_physical() if column.words else values).cast(wide).fill_null(-1).to_numpy()
