"""A run on disk: a folder with the plan and one Parquet file a chunk and table.

What is on disk is the truth. A file under its final name is complete: it is written under another name beside it, flushed to
the disk, and renamed. The files of a chunk are renamed together, ``hands`` last; a chunk is there if all its files are. How many
hands a run has is read off the files. Everything that matters to the result is in ``plan.json``,
and in ``deals.txt`` where the deals were given.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import polars as pl

from ginsim.deals import as_line
from ginsim.errors import GinsimError, UsageError
from ginsim.plan import Plan
from ginsim.records import TABLES, Column, Layout

PLAN = "plan.json"
DEALS = "deals.txt"
BYTES = {"hands": 12, "matches": 300}
"""More than a stored hand or match usually takes, to tell beforehand whether the disk has room."""

_SYSTEM_REASON = re.compile(r"(?:.*error: )?(?P<reason>.+?) \(os error \d+\)")


class Store:
    """A run's folder. Make one with :func:`create` or :func:`open_store`."""

    def __init__(self, folder: Path, plan: Plan, lock: int | None = None) -> None:
        self.folder = folder
        self.plan = plan
        self._lock = lock

    def close(self) -> None:
        """Let other processes write here again."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def path(self, table: str, index: int) -> Path:
        """The file of a chunk's table."""
        return self.folder / table / f"{index:08d}.parquet"

    def holds(self, path: Path) -> bool:
        """Whether a file is, or would be, one of the run's own."""
        return path.resolve().parent in {(self.folder / table).resolve() for table in self.plan.layout.tables}

    def rows(self) -> dict[int, int]:
        """How many hands or matches each stored chunk holds, by its index.

        Raises:
            GinsimError: a file is damaged.
        """
        tables = [
            {int(file.stem) for file in (self.folder / table).glob("*.parquet") if file.stem.isdecimal()}
            for table in self.plan.layout.tables
        ]
        found: dict[int, int] = {}
        for index in sorted(set.intersection(*tables)):
            path = self.path(self.plan.unit, index)
            with _reading(path):
                found[index] = pl.scan_parquet(path).select(pl.len()).collect().item()
        return found

    def stored(self) -> int:
        """How many hands or matches the run holds."""
        return sum(self.rows().values())

    def extent(self) -> int:
        """How many hands or matches the run holds once its gaps are filled."""
        rows = self.rows()
        last = max(rows, default=0)
        return last * self.plan.chunk + rows.get(last, 0)

    def gaps(self) -> list[int]:
        """Chunks before the last that are missing or part-filled, as an interrupted run may leave them."""
        rows = self.rows()
        last = max(rows, default=0)
        return [index for index in range(last) if rows.get(index, 0) != self.plan.chunk]

    def put(self, index: int, content: Mapping[str, bytes]) -> None:
        """Write a chunk's files, all or none of them; an earlier, shorter chunk is replaced."""
        files: dict[Path, Callable[[Path], object]] = {}
        for table in reversed(self.plan.layout.tables):
            path = self.path(table, index)
            path.parent.mkdir(exist_ok=True)
            files[path] = lambda temporary, table=table: temporary.write_bytes(content[table])
        _write_together(files)

    def write(self, index: int, frames: Mapping[str, pl.DataFrame]) -> None:
        """Write a chunk, whole or not at all; an earlier, shorter one is replaced."""
        self.put(index, row_files(frames, "", 0))

    def read(self, index: int) -> dict[str, pl.DataFrame]:
        """A chunk's tables.

        Raises:
            GinsimError: a file is damaged.
        """
        return {table: self._part(table, index) for table in self.plan.layout.tables}

    def parts(self, table: str) -> Iterator[pl.DataFrame]:
        """A table of the run, a chunk at a time in memory; before them the columns without a row."""
        yield self._empty(table)
        for index in self.rows():
            yield self._part(table, index)

    def _part(self, table: str, index: int) -> pl.DataFrame:
        path = self.path(table, index)
        with _reading(path):
            return pl.read_parquet(path)

    def _empty(self, table: str) -> pl.DataFrame:
        layout = self.plan.layout
        if table not in layout.tables:
            raise UsageError(f"{self.folder} holds single hands, which belong to no match: it has no table {table!r}.")
        return pl.DataFrame(schema={column.name: column.polars for column in layout.columns(table)})

    def chunks(self) -> Iterator[dict[str, pl.DataFrame]]:
        """The stored chunks in order, one at a time in memory."""
        for index in self.rows():
            yield self.read(index)

    def scan(self, table: str) -> pl.LazyFrame:
        """A table of the run, lazily.

        Raises:
            UsageError: the run has no such table.
        """
        empty = self._empty(table)
        files = [self.path(table, index) for index in self.rows()]
        return pl.scan_parquet(files) if files else empty.lazy()

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


def row_files(frames, plan, count):
    def parquet(frame):
        file = io.BytesIO()
        frame.write_parquet(file, compression="zstd")
        return file.getvalue()

    return {table: parquet(frame) for table, frame in frames.items()}


def _numbers(values: pl.Series, column: Column) -> np.ndarray:
    wide = pl.Int64 if column.name in ("match", "hand") else pl.Int32
    return (values.to_physical() if column.words else values).cast(wide).fill_null(-1).to_numpy()


def create(folder: Path, plan: Plan, count: int) -> Store:
    """The store of a run that is to hold ``count`` hands or matches; an existing one of the same plan goes on.

    While it is open, no other process can write there.

    Raises:
        UsageError: the folder holds something else, or more than ``count``.
        GinsimError: it cannot be written, another process writes there, or the disk has no room.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file: --out names a folder.")
        if not folder.exists():
            _check_room(folder, plan, count)
            folder.mkdir(parents=True, exist_ok=True)
        store = Store(folder, plan, _lock(folder))
        try:
            _prepare(store, count)
        except BaseException:
            store.close()
            raise
    except OSError as error:
        raise GinsimError(f"{folder} cannot be written: {error.strerror}.") from error
    return store


def _prepare(store: Store, count: int) -> None:
    """Check what a folder holds, and write the plan where it is empty."""
    folder, plan = store.folder, store.plan
    leftovers = [*folder.glob(f".{PLAN}.*.part"), *folder.glob(f".{DEALS}.*.part")]
    if set(folder.iterdir()) - set(leftovers):
        if not (folder / PLAN).is_file():
            raise UsageError(f"{folder} already holds something else: name a folder that is empty or new.")
        difference = open_store(folder).plan.difference(plan)
        if difference:
            raise UsageError(f"{folder} holds another run: {difference}. Name another folder.")
        extent = store.extent()
        if extent > count:
            raise UsageError(f"{folder} already holds {extent:,} {plan.unit}: ask for as many or more.")
        _check_room(folder, plan, count - store.stored())
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "Permission denied")
    else:
        _check_room(folder, plan, count)
    leftovers += [file for table in TABLES for file in (folder / table).glob(".*.parquet.*.part")]
    for leftover in leftovers:
        leftover.unlink(missing_ok=True)
    if not (folder / PLAN).exists():
        if plan.deals is not None:
            lines = "".join(as_line(deal) + "\n" for deal in plan.deals)
            write_whole(folder / DEALS, lambda temporary: temporary.write_text(lines, encoding="utf-8"))
        text = json.dumps(plan.as_dict(), indent=2) + "\n"
        write_whole(folder / PLAN, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def _check_room(folder: Path, plan: Plan, count: int) -> None:
    while not folder.exists():
        folder = folder.parent
    disk = shutil.disk_usage(folder)
    need = count * BYTES[plan.unit]
    # File systems without a size of their own are left to say themselves that nothing can be written there.
    if disk.total and disk.free < need:
        raise GinsimError(f"{folder}: {count:,} {plan.unit} need up to {_size(need)}, and {_size(disk.free)} are free.")


def _size(number: int) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 1e9 else f"{number / 1e6:,.1f} MB"


def _lock(folder: Path) -> int | None:
    """Claim a folder for as long as the returned file descriptor is open; None where the system has no locks."""
    try:
        import fcntl
    except ImportError:
        return None
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise GinsimError(f"{folder}: another ginsim is writing here; wait for it, or name another folder.") from None
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


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
    except (ValueError, RecursionError, UsageError) as error:
        raise UsageError(f"{path} is not the plan of a run: {str(error).rstrip('.')}.") from error
    return Store(folder, plan)


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file so that under its name it is always complete: ``write`` fills a temporary one, which is then renamed.

    Raises:
        GinsimError: it could not be written; nothing stands under the name then that was not there before.
    """
    _write_together({path: write})


def _write_together(files: Mapping[Path, Callable[[Path], object]]) -> None:
    """Write files that belong together: none gets its name before all are complete, and the last one stands for all."""
    temporaries = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in files}
    path = last = next(reversed(files))
    try:
        for path, write in files.items():
            write(temporaries[path])
            with open(temporaries[path], "rb+") as file:
                os.fsync(file.fileno())
        if len(files) > 1:
            last.unlink(missing_ok=True)
        for path, temporary in temporaries.items():
            os.replace(temporary, path)
    except OSError as error:
        raise GinsimError(f"{path} could not be written: {error.strerror or _reason(error)}.") from error
    except pl.exceptions.PolarsError as error:
        raise GinsimError(f"{path} could not be written: {_reason(error)}.") from error
    finally:
        try:
            _clean(temporaries.values())
        except KeyboardInterrupt:
            # Polars hands an interrupt on twice, the second time to whoever cleans up.
            _clean(temporaries.values())
            raise


def _clean(files: Iterable[Path]) -> None:
    for file in files:
        # What went wrong before is what matters.
        with suppress(OSError):
            file.unlink(missing_ok=True)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except pl.exceptions.PolarsError as error:
        raise GinsimError(
            f"{path} is damaged ({_reason(error)}): delete it, and the command that stored the run plays it again."
        ) from error


def _reason(error: Exception) -> str:
    """The reason in an error of Polars, whose messages have more lines and layers."""
    line = str(error).partition("\n")[0]
    system = _SYSTEM_REASON.match(line)
    return system["reason"] if system else line
