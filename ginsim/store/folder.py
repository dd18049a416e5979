"""The folder of a run: which chunks it holds, and what stands in them."""

from __future__ import annotations

import io
import json
import os
import shlex
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from ginsim.errors import UsageError
from ginsim.plan import Chunk, Plan
from ginsim.randomness import MAX_MATCHES
from ginsim.store.files import (
    Damaged,
    Files,
    Seal,
    is_whole,
    place_of,
    read_seal,
    reading,
    row_files,
    seal_of,
    summary_files,
    write_together,
    write_whole,
)
from ginsim.store.place import is_remote

PLAN = "plan.json"
DEALS = "deals.txt"
ASKED = "asked.json"

_SEALED_SINCE = 2
_AT_ONCE = 32


@dataclass(frozen=True)
class Span:
    """Hands or matches ``first`` to ``first + count - 1``."""

    first: int
    count: int

    @property
    def end(self) -> int:
        """The number after the last."""
        return self.first + self.count


class Store:
    """A run's folder. Make one with :func:`ginsim.store.create` or :func:`ginsim.store.open_store`.

    ``replaced`` lists the chunks that were found damaged and have been played again while it was open.
    """

    def __init__(self, folder: Path, plan: Plan, lock: int | None = None) -> None:
        self.folder = folder
        self.plan = plan
        self._lock = lock
        self.replaced: list[int] = []

    def close(self) -> None:
        """Let other processes write here again."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # Which chunks there are

    @property
    def tables(self) -> tuple[str, ...]:
        """What a chunk has a file of: the run's tables, or its summary."""
        return self.plan.layout.tables if self.plan.keep == "rows" else ("summary",)

    @property
    def is_remote(self) -> bool:
        """Whether every machine can read and write here, and not only this one."""
        return is_remote(self.folder)

    @property
    def is_sealed(self) -> bool:
        """Whether the run's files carry checksums, as all but the oldest do."""
        return self.plan.schema >= _SEALED_SINCE

    @property
    def resume_command(self) -> str:
        """The command that plays whatever the run lacks."""
        return shlex.join(["ginsim", "resume", *(["--"] if str(self.folder).startswith("-") else []), str(self.folder)])

    def path(self, table: str, index: int) -> Path:
        """The file of a chunk's table."""
        return self.folder / table / f"{_stem(index)}.{'json' if table == 'summary' else 'parquet'}"

    def holds(self, path: Path) -> bool:
        """Whether a file is, or would be, one of the run's own."""
        return path.resolve().parent in {(self.folder / table).resolve() for table in self.tables}

    def indices(self) -> list[int]:
        """The stored chunks in order: those of which all files are there, whole or not."""

        def numbers(table: str) -> set[int]:
            stems = (file.stem for file in (self.folder / table).glob(f"*{self.path(table, 0).suffix}"))
            return {int(stem) for stem in stems if stem.isdecimal() and stem == _stem(int(stem))}

        return sorted(set.intersection(*map(numbers, self.tables)))

    def rows(self) -> dict[int, int]:
        """How many hands or matches each stored chunk holds, by its index.

        Raises:
            Damaged: a file does not even say so.
        """
        return self._each(self.count)

    def count(self, index: int) -> int:
        """How many hands or matches a stored chunk holds, by what its file says of itself.

        Raises:
            Damaged: it does not.
        """
        table = self.tables[-1]
        if self.is_sealed:
            return self.seal(table, index).count
        path = self.path(table, index)
        with self._reading(path):
            return pl.scan_parquet(path).select(pl.len()).collect().item()

    def sound(self) -> dict[int, int]:
        """As :meth:`rows`, with 0 for what is to be played again at first sight: the damaged, and those of another plan."""

        def sound(index: int) -> int:
            try:
                return self.count(index) if not self.is_sealed or self._belongs(index) else 0
            except Damaged:
                return 0

        return self._each(sound)

    def _each(self, count: Callable[[int], int]) -> dict[int, int]:
        """A number for each stored chunk; those far away are asked for many at a time."""
        indices = self.indices()
        if not self.is_remote:
            return {index: count(index) for index in indices}
        with ThreadPoolExecutor(_AT_ONCE) as executor:
            return dict(zip(indices, executor.map(count, indices), strict=True))

    def _belongs(self, index: int) -> bool:
        """Whether all files of a chunk say that they are this run's, and stand where they should."""
        return all(self.seal(table, index).plan == self.plan.fingerprint() for table in self.tables)

    def seal(self, table: str, index: int) -> Seal:
        """What a chunk's file says of itself.

        Raises:
            Damaged: nothing, or that its place is another.
        """
        path = self.path(table, index)
        with self._reading(path):
            return self._placed(table, index, read_seal(path))

    def _placed(self, table: str, index: int, seal: Seal | None) -> Seal:
        if seal is None:
            raise ValueError("it has no checksum, or not all of it is there")
        if seal.place not in (None, place_of(table, index)):
            raise ValueError(f"it was written as {seal.place}")
        return seal

    def stored(self) -> int:
        """How many hands or matches the run holds."""
        return sum(self.rows().values())

    def asked(self) -> Span | None:
        """Which hands or matches were asked for last; None where nobody noted that.

        Raises:
            UsageError: the note cannot be read.
        """
        path = self.folder / ASKED
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            span = Span(values["first"], values["count"])
            if type(span.first) is not int or type(span.count) is not int:
                raise ValueError
            if span.first < 0 or span.first % self.plan.chunk or span.count < 1 or span.end > MAX_MATCHES:
                raise ValueError
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError, RecursionError):
            raise UsageError(
                f"{path} does not say how many {self.plan.unit} were asked for: "
                f"`ginsim simulate --out` with --{self.plan.unit} does."
            ) from None
        return span

    def first(self) -> int:
        """The number of the run's first hand or match: 0, if it is not a part of a larger one."""
        return self._noted().first

    def asked_end(self) -> int:
        """The number after the last hand or match that was asked for; 0 where that is not known."""
        return self._noted().end

    def _noted(self) -> Span:
        # Whoever only reads can do without the note.
        with suppress(UsageError):
            return self.asked() or Span(0, 0)
        return Span(0, 0)

    def ask(self, span: Span) -> None:
        """Note which hands or matches are asked for, so that the run can be resumed without a word."""
        text = json.dumps({"first": span.first, "count": span.count}) + "\n"
        path = self.folder / ASKED
        if not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text:
            write_whole(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))

    def span(self) -> Span:
        """Which hands or matches the run holds once its gaps are filled."""
        return self.reach(self.rows(), self.first())

    def extent(self) -> int:
        """How many hands or matches the run holds once its gaps are filled."""
        return self.span().count

    def reach(self, rows: Mapping[int, int], first: int) -> Span:
        """What chunks with so many rows reach from ``first`` on; of a damaged one there is at least a row."""
        last = max(rows, default=None)
        return Span(first, 0 if last is None else max(0, last * self.plan.chunk + max(1, rows[last]) - first))

    def gaps(self) -> list[int]:
        """Chunks before the last that are missing or part-filled, as an interrupted run may leave them."""
        rows, span = self.rows(), self.span()
        return [index for index in range(span.first // self.plan.chunk, max(rows, default=0)) if rows.get(index) != self.plan.chunk]

    # What stands in them

    def put(self, index: int, files: Files) -> None:
        """Write a chunk's files, all or none of them; an earlier, shorter chunk is replaced."""
        together = {self.path(table, index): files[table] for table in reversed(self.tables)}
        for path in [] if self.is_remote else together:
            path.parent.mkdir(exist_ok=True)
        write_together(together)

    def write(self, index: int, frames: Mapping[str, pl.DataFrame]) -> None:
        """Write a chunk's tables."""
        self.put(index, row_files(frames, self.plan.fingerprint(), index, frames[self.plan.unit].height))

    def write_summary(self, index: int, count: int, summary: Mapping[str, Any]) -> None:
        """Write what a chunk's hands or matches, so many of them, were summed up to."""
        self.put(index, summary_files(summary, self.plan.fingerprint(), index, count))

    def content(self, table: str, index: int) -> bytes:
        """A chunk's file.

        Raises:
            Damaged: it is not what was written.
        """
        path = self.path(table, index)
        with self._reading(path):
            content = path.read_bytes()
            if self.is_sealed:
                if not is_whole(content):
                    raise ValueError("its checksum is another")
                self._placed(table, index, seal_of(content))
            return content

    def read(self, index: int) -> dict[str, pl.DataFrame]:
        """A chunk's tables.

        Raises:
            Damaged: a file is not what was written.
        """
        return {table: self._part(table, index) for table in self.plan.layout.tables}

    def whole(self, chunk: Chunk) -> dict[str, pl.DataFrame] | None:
        """A chunk's tables, if all of them are there, are what was written, and are right in themselves."""
        from ginsim.store.facts import fault

        with suppress(Damaged, FileNotFoundError):
            frames = self.read(chunk.index)
            if fault(frames, self.plan, chunk) is None:
                return frames
        return None

    def read_summary(self, index: int) -> dict[str, Any]:
        """What a chunk was summed up to.

        Raises:
            Damaged: the file is not what was written.
        """
        content = self.content("summary", index)
        with self._reading(self.path("summary", index)):
            return json.loads(content)

    def parts(self, table: str) -> Iterator[pl.DataFrame]:
        """A table of the run, a chunk at a time in memory; before them the columns without a row."""
        yield self._empty(table)
        for index in self.indices():
            yield self._part(table, index)

    def scan(self, table: str) -> pl.LazyFrame:
        """A table of the run, lazily.

        Raises:
            UsageError: the run has no such table, or kept no rows.
        """
        empty = self._empty(table)
        files = [str(self.path(table, index)) for index in self.indices()]
        return pl.scan_parquet(files) if files else empty.lazy()

    def need_rows(self) -> None:
        """See to it that the run has rows.

        Raises:
            UsageError: it was summed up.
        """
        if self.plan.keep != "rows":
            raise UsageError(f"{self.folder} keeps a summary (--keep summary) and no rows, which this needs.")

    def _part(self, table: str, index: int) -> pl.DataFrame:
        content = self.content(table, index)
        with self._reading(self.path(table, index)):
            return pl.read_parquet(io.BytesIO(content))

    def _empty(self, table: str) -> pl.DataFrame:
        self.need_rows()
        layout = self.plan.layout
        if table not in layout.tables:
            raise UsageError(f"{self.folder} holds single hands, which belong to no match: it has no table {table!r}.")
        return pl.DataFrame(schema={column.name: column.polars for column in layout.columns(table)})

    def reading(self, table: str, index: int) -> AbstractContextManager[None]:
        """Turn what goes wrong when a chunk's file is read into the line that says so (:func:`ginsim.store.files.reading`)."""
        return self._reading(self.path(table, index))

    def _reading(self, path: Path) -> AbstractContextManager[None]:
        return reading(path, f"`{self.resume_command}` plays it again")


def _stem(index: int) -> str:
    return f"{index:08d}"
