"""Whether a stored run is whole: its deals, and every chunk, of which each file must be what was written and right in itself."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ginsim.errors import GinsimError, UsageError
from ginsim.plan import ENGINE, Chunk
from ginsim.records import ENDINGS, SCHEMA, Unit
from ginsim.runner import run
from ginsim.store.facts import fault
from ginsim.store.files import Damaged
from ginsim.store.folder import Span, Store
from ginsim.store.opening import stored_deals


@dataclass(frozen=True)
class Fault:
    """Something that is off: in a chunk that is to be played again, or (``chunk`` is None) in the rest of the folder."""

    chunk: int | None
    file: str
    problem: str


@dataclass(frozen=True)
class Check:
    """What was found in a run's folder.

    Attributes:
        span: the hands or matches that were asked for.
        stored: how many of them are there.
        chunks: how many chunks were looked at.
        faults: what is off, in order.
        missing: chunks that are not there, or not all of them, of those asked for.
        command: what plays them and those with a fault again.
    """

    folder: Path
    unit: Unit
    span: Span
    stored: int
    chunks: int
    faults: tuple[Fault, ...]
    missing: tuple[int, ...]
    command: str

    @property
    def is_whole(self) -> bool:
        """Whether nothing is off and nothing missing."""
        return not (self.faults or self.missing)

    def as_dict(self) -> dict[str, Any]:
        """The same, ready for JSON."""
        return {
            "folder": str(self.folder),
            "whole": self.is_whole,
            "unit": self.unit,
            "first": self.span.first,
            "asked": self.span.count,
            "stored": self.stored,
            "chunks": self.chunks,
            "faults": [{"chunk": each.chunk, "file": each.file, "problem": each.problem} for each in self.faults],
            "missing": list(self.missing),
            "command": None if self.is_whole else self.command,
        }


def check_store(store: Store, *, workers: int = 1, progress: bool = False) -> Check:
    """Look at everything in a run's folder, some chunks at a time.

    Raises:
        OSError: a file cannot be opened.
    """
    from tqdm import tqdm

    indices = store.indices()
    faults: list[Fault] = []
    counts: dict[int, int] = {}
    disable = None if progress and sys.stderr is not None else True
    with (
        tqdm(total=len(indices), unit=" chunks", disable=disable, leave=False) as bar,
        ThreadPoolExecutor(workers) as executor,
    ):
        chunks = (Chunk(index, index * store.plan.chunk, store.plan.chunk) for index in indices)
        for chunk, (count, found) in run(chunks, lambda chunk: _look(store, chunk.index), executor, 2 * workers):
            counts[chunk.index] = count
            if found:
                faults.append(found)
            bar.update()
    faults.sort(key=lambda found: found.chunk or 0)
    asked = None
    try:
        asked = store.asked()
    except UsageError as error:
        faults.append(Fault(None, "asked.json", str(error)))
    try:
        stored_deals(store)
    except GinsimError as error:
        faults.append(Fault(None, "deals.txt", str(error)))
    span = asked or store.reach(counts, store.first())
    bad = {found.chunk for found in faults}
    missing = tuple(
        chunk.index
        for chunk in store.plan.chunks(span.count, span.first)
        if chunk.index not in bad and counts.get(chunk.index, 0) < chunk.count
    )
    stored = sum(count for index, count in counts.items() if index not in bad)
    return Check(store.folder, store.plan.unit, span, stored, len(indices), tuple(faults), missing, store.resume_command)


def _look(store: Store, index: int) -> tuple[int, Fault | None]:
    """How many hands or matches a chunk holds, and what is off about it."""
    try:
        count = store.count(index)
        for table in store.tables:
            store.content(table, index)
            seal = store.seal(table, index) if store.is_sealed else None
            if seal and seal.plan != store.plan.fingerprint():
                return count, _fault(store, table, index, "it belongs to a run with another plan")
            if seal and seal.count != count:
                return count, _fault(store, table, index, f"it stands for {seal.count:,} {store.plan.unit} and not {count:,}")
    except Damaged as error:
        return 0, Fault(index, str(error.path.relative_to(store.folder)), f"damaged: {error.reason}")
    table = store.tables[0]
    if not 0 < count <= store.plan.chunk:
        return count, _fault(store, table, index, f"it holds {count:,} {store.plan.unit}, and a chunk {store.plan.chunk:,}")
    # Of another version's rows nobody here knows whether they are right.
    if (store.plan.engine, store.plan.schema) != (ENGINE, SCHEMA):
        return count, None
    try:
        look = _summary_fault if store.plan.keep == "summary" else _row_fault
        problem = look(store, index, count)
    except Damaged as error:
        return 0, Fault(index, str(error.path.relative_to(store.folder)), f"damaged: {error.reason}")
    return count, _fault(store, table, index, problem) if problem else None


def _fault(store: Store, table: str, index: int, problem: str) -> Fault:
    return Fault(index, str(store.path(table, index).relative_to(store.folder)), problem)


def _row_fault(store: Store, index: int, count: int) -> str | None:
    return fault(store.read(index), store.plan, Chunk(index, index * store.plan.chunk, count))


def _summary_fault(store: Store, index: int, count: int) -> str | None:
    """Whether the sums stand for so many hands or matches."""
    with store.reading("summary", index):
        tally = store.read_summary(index)["tally"]
        totals = {table: moments["totals"] for table, moments in tally["moments"].items()}
        hands = sum(totals["hands"][ending] for ending in ENDINGS)
        found = hands if store.plan.unit == "hands" else totals["matches"]["finished"] + totals["matches"]["abandoned"]
        if found != count:
            return f"it sums up {found:,} {store.plan.unit} and not {count:,}"
        if sum(tally["histograms"]["draws"].values()) != hands:
            return "its hands and its distribution of draws do not add up"
        return None
