"""Runs that are stored: opened, looked through, joined, exported."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import polars as pl

from ginsim import until as precision
from ginsim.api.asking import threads_of
from ginsim.api.runs import Run
from ginsim.errors import UsageError
from ginsim.store import check_target, open_store, place, write_whole
from ginsim.store.merging import Merged, merge_stores
from ginsim.tallying import tally_store

if TYPE_CHECKING:
    from ginsim.store.checking import Check


def open_run(folder: str | Path, *, workers: int | Literal["auto"] = "auto") -> Run:
    """A stored run, its rows counted anew, by so many threads.

    Raises:
        UsageError: there is no run in the folder.
        Damaged: a file is not what was written.
    """
    store = open_store(place(folder))
    span, gaps = store.span(), tuple(store.gaps())
    lacking = max(0, store.asked_end() - span.end)
    went = precision.known(store.folder)
    # A run that was extended afterwards is no longer one that stopped there.
    went = went if went is not None and went["count"] == span.count else None
    tally = tally_store(store, threads_of(workers))
    return Run(store.plan, span.count, tally, folder=store.folder, gaps=gaps, first=span.first, lacking=lacking, until=went)


def check(folder: str | Path, *, workers: int | Literal["auto"] = "auto", progress: bool = False) -> Check:
    """Look whether a stored run is whole: every chunk there, with its checksum, of the same plan, its rows in order and right.

    Raises:
        UsageError: there is no run in the folder, or its plan cannot be read.
    """
    # Reckoning needs the kernels, which reading does without.
    from ginsim.store.checking import check_store

    return check_store(open_store(place(folder)), workers=threads_of(workers), progress=progress)


def merge(out: str | Path, folders: Sequence[str | Path], *, gaps: bool = True) -> Merged:
    """Join parts of one run that were played apart (with ``first``): the result is the run that would have been played at once.

    Args:
        out: a folder for it; one that holds a part already gets the others.
        gaps: whether there may be gaps between the parts.

    Raises:
        UsageError: two parts overlap, there are gaps although there must not be, or one is of another plan.
        GinsimError: a part is damaged, or ``out`` cannot be written.
    """
    return merge_stores(place(out), [open_store(place(folder)) for folder in folders], gaps=gaps)


def export(folder: str | Path, table: str, target: str) -> tuple[list[int], str]:
    """Write a table of a stored run to a file that ends in ``.csv``, ``.parquet`` or ``.ndjson``, or as CSV to stdout (``-``).

    It streams, and the file appears under its name when it is complete.

    Returns:
        The chunks that an interrupted run still lacks, and the command that completes it.

    Raises:
        UsageError: no such run or table, or another ending.
        GinsimError: the file could not be written.
    """
    store = open_store(place(folder))
    rows = store.scan(table)
    lacking = store.gaps(), store.resume_command
    if target == "-":
        if sys.stdout is not None:
            # Text, for Polars would write past Python, which then does not learn that a reader like `head` has gone.
            _write_csv(store.parts(table), lambda part, header: sys.stdout.write(part.write_csv(include_header=header)))
        return lacking
    path = check_target(target, [".csv", ".parquet", ".ndjson"], ", or be - for CSV on the screen")
    if store.holds(path):
        raise UsageError(f"{target} is a part of the run: name another file.")
    if path.suffix.lower() == ".parquet":
        # Polars reads the files itself, and would not mind a wrong bit.
        for index in store.indices():
            store.content(table, index)
        write_whole(path, rows.sink_parquet)
    else:
        write_whole(path, partial(_write_text, store.parts(table), path.suffix.lower()))
    return lacking


def _write_text(parts: Iterable[pl.DataFrame], ending: str, path: Path) -> None:
    """Write rows as CSV or NDJSON, a chunk at a time: the sinks of Polars tell an interrupt at length."""
    with path.open("wb") as file:
        if ending == ".csv":
            _write_csv(parts, lambda part, header: part.write_csv(file, include_header=header))
        else:
            for part in parts:
                part.write_ndjson(file)


def _write_csv(parts: Iterable[pl.DataFrame], write: Callable[[pl.DataFrame, bool], object]) -> None:
    for number, part in enumerate(parts):
        write(part, number == 0)
