"""A run on disk: a folder with the plan and one Parquet file a chunk and table.

What is on disk is the truth. A file under its final name is complete: it is written under another name beside it, flushed to
the disk, and renamed. The ``hands`` file of a chunk is written last, so a chunk is there if and only if that file is; how many
hands a run has is read off the files. Everything that matters to the result is in ``plan.json``,
and in ``deals.txt`` where the deals were given.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import polars as pl

from ginsim.deals import as_line
from ginsim.errors import GinsimError, UsageError
from ginsim.plan import Plan
from ginsim.records import TABLES, Column, Layout

PLAN = "plan.json"
DEALS = "deals.txt"
BYTES_A_HAND = 12
"""More than a stored hand takes, to tell beforehand whether the disk has room."""

_TEMPORARY = re.compile(r"\..+\.[0-9]+\.part")


class Store:
    """A run's folder. Make one with :func:`create` or :func:`open_store`."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        self.plan = plan

    def path(self, table: str, index: int) -> Path:
        """The file of a chunk's table."""
        return self.folder / table / f"{index:08d}.parquet"

    def rows(self) -> dict[int, int]:
        """How many hands or matches each stored chunk holds, by its index."""
        table = self.plan.unit
        found: dict[int, int] = {}
        for file in sorted((self.folder / "hands").glob("*.parquet")):
            index = int(file.stem)
            found[index] = pl.scan_parquet(self.path(table, index)).select(pl.len()).collect().item()
        return found

    def stored(self) -> int:
        """How many hands or matches the run holds."""
        return sum(self.rows().values())

    def gaps(self) -> list[int]:
        """Chunks before the last that are missing or part-filled, as an interrupted run may leave them."""
        rows = self.rows()
        last = max(rows, default=0)
        return [index for index in range(last) if rows.get(index, 0) != self.plan.chunk]

    def write(self, index: int, frames: Mapping[str, pl.DataFrame]) -> None:
        """Write a chunk, whole or not at all; an earlier, shorter one is replaced."""
        self.path("hands", index).unlink(missing_ok=True)
        for table in reversed(self.plan.layout.tables):
            path = self.path(table, index)
            path.parent.mkdir(exist_ok=True)
            write_whole(path, lambda temporary, table=table: frames[table].write_parquet(temporary, compression="zstd"))

    def read(self, index: int) -> dict[str, pl.DataFrame]:
        """A chunk's tables."""
        return {table: pl.read_parquet(self.path(table, index)) for table in self.plan.layout.tables}

    def chunks(self) -> Iterator[dict[str, pl.DataFrame]]:
        """The stored chunks in order, one at a time in memory."""
        for index in self.rows():
            yield self.read(index)

    def scan(self, table: str) -> pl.LazyFrame:
        """A table of the run, lazily.

        Raises:
            UsageError: the run has no such table.
        """
        layout = self.plan.layout
        if table not in layout.tables:
            raise UsageError(f"{self.folder} holds single hands, which belong to no match: it has no table {table!r}.")
        files = [self.path(table, index) for index in self.rows()]
        if not files:
            return pl.LazyFrame(schema={column.name: column.polars for column in layout.columns(table)})
        return pl.scan_parquet(files)

    def table_hash(self) -> str:
        """The hash of all rows in order; see :class:`TableHash`."""
        content = TableHash(self.plan.layout)
        for frames in self.chunks():
            content.update(frames)
        return content.digest()


class TableHash:
    """A hash of the rows of a run's tables, in order, by content: the same however they are cut into chunks.

    Each column is one stream of little-endian numbers (words as their place, null as -1); the digests of all columns are
    hashed once more with their names.
    """

    def __init__(self, layout: Layout) -> None:
        self._columns = [(table, column, hashlib.sha256()) for table in layout.tables for column in layout.columns(table)]

    def update(self, frames: Mapping[str, pl.DataFrame]) -> None:
        """Add the next chunk."""
        for table, column, content in self._columns:
            content.update(_numbers(frames[table][column.name], column))

    def digest(self) -> str:
        """The hash as hexadecimal text."""
        whole = hashlib.sha256()
        for table, column, content in self._columns:
            whole.update(f"{table}.{column.name} {content.hexdigest()}\n".encode())
        return whole.hexdigest()


def _numbers(values: pl.Series, column: Column) -> np.ndarray:
    wide = pl.Int64 if column.name in ("match", "hand") else pl.Int32
    return (values.to_physical() if column.words else values).cast(wide).fill_null(-1).to_numpy()


def create(folder: Path, plan: Plan, count: int) -> Store:
    """The store of a run that is to hold ``count`` hands or matches; an existing one of the same plan goes on.

    Raises:
        UsageError: the folder holds something else, or more than ``count``.
        GinsimError: it cannot be written, or the disk has no room.
    """
    try:
        empty = not folder.exists() or not any(folder.iterdir())
    except NotADirectoryError:
        raise UsageError(f"{folder} is a file: --out names a folder.") from None
    if not empty:
        if not (folder / PLAN).is_file():
            raise UsageError(f"{folder} already holds something else: name a folder that is empty or new.")
        store = open_store(folder)
        difference = store.plan.difference(plan)
        if difference:
            raise UsageError(f"{folder} holds another run: {difference}. Name another folder.")
        stored = store.stored()
        if stored > count:
            raise UsageError(f"{folder} already holds {stored:,} {plan.unit}: ask for as many or more.")
    existing = folder
    while not existing.exists():
        existing = existing.parent
    hands = count if plan.unit == "hands" else count * 10
    free = shutil.disk_usage(existing).free
    if empty and free < hands * BYTES_A_HAND:
        raise GinsimError(
            f"{folder}: {count:,} {plan.unit} need up to {hands * BYTES_A_HAND / 1e9:,.1f} GB and {free / 1e9:,.1f} GB are free."
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for leftover in folder.rglob("*.part"):
            if _TEMPORARY.fullmatch(leftover.name):
                leftover.unlink()
        if empty:
            if plan.deals is not None:
                lines = "".join(as_line(deal) + "\n" for deal in plan.deals)
                write_whole(folder / DEALS, lambda temporary: temporary.write_text(lines, encoding="utf-8"))
            text = json.dumps(plan.as_dict(), indent=2) + "\n"
            write_whole(folder / PLAN, lambda temporary: temporary.write_text(text, encoding="utf-8"))
        elif not os.access(folder, os.W_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise GinsimError(f"{folder} cannot be written: {error.strerror}.") from error
    return Store(folder, plan)


def open_store(folder: Path) -> Store:
    """The store of an existing run.

    Raises:
        UsageError: there is no run in this folder, or its plan cannot be read.
    """
    path = folder / PLAN
    if not path.is_file():
        what = "holds no run" if folder.is_dir() else "is a file" if folder.exists() else "does not exist"
        raise UsageError(f"{folder} {what}: name a folder that `ginsim simulate --out` has written.")
    try:
        plan = Plan.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError, GinsimError) as error:
        raise UsageError(f"{path} is not the plan of a run: {error}.") from error
    return Store(folder, plan)


def write_whole(path: Path, write) -> None:
    """Write a file so that under its name it is always complete: ``write`` fills a temporary one, which is then renamed.

    Raises:
        GinsimError: it could not be written; nothing stands under the name then that was not there before.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(temporary)
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise GinsimError(f"{path} could not be written: {error.strerror or error}.") from error
    except pl.exceptions.PolarsError as error:
        temporary.unlink(missing_ok=True)
        raise GinsimError(f"{path} could not be written: {str(error).splitlines()[0]}.") from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
