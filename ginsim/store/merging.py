"""Joining parts of one run that were played apart: their chunks, as they are, in one folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ginsim.errors import GinsimError, UsageError
from ginsim.plan import Plan
from ginsim.store.folder import PLAN, Span, Store
from ginsim.store.opening import create, open_store, stored_deals


@dataclass(frozen=True)
class Merged:
    """A run that was joined: the hands or matches that it reaches over, how many are there, in how many chunks, and which are not."""

    folder: Path
    plan: Plan
    span: Span
    stored: int
    chunks: int
    gaps: tuple[int, ...]
    command: str


def merge_stores(out: Path, parts: Sequence[Store], *, gaps: bool = True) -> Merged:
    """Copy the chunks of all parts into one folder, each as it is and whole; one that holds some of them already gets the others.

    Args:
        gaps: whether chunks may be missing between the parts.

    Raises:
        UsageError: two parts overlap, one is of another plan, or there are gaps although there must not be.
        GinsimError: a part is damaged, or the folder cannot be written.
    """
    if not parts:
        raise UsageError("there is nothing to merge: name the folders of the parts.")
    _check_strangers(parts)
    owners = _owners(out, parts)
    there = open_store(out) if (out / PLAN).is_file() else None
    everything = [*parts, *([there] if there else [])]
    _check_strangers(everything)
    spans = [store.asked() or store.span() for store in everything]
    first = min(span.first for span in spans)
    whole = Span(first, max(span.end for span in spans) - first)
    lacking = _lacking(everything, whole)
    if lacking and not gaps:
        raise UsageError(f"the parts have gaps: {_chunks(parts[0].plan, lacking)} not there.")
    plan = replace(parts[0].plan, deals=stored_deals(parts[0]))
    held = spans[-1] if there else whole
    store = create(out, plan, held.count, held.first)
    try:
        for index, owner in owners.items():
            _copy(owner, store, index)
        store.ask(whole)
        return Merged(out, plan, whole, store.stored(), len(store.indices()), tuple(lacking), store.resume_command)
    finally:
        store.close()


def _check_strangers(parts: Sequence[Store]) -> None:
    for part in parts[1:]:
        difference = parts[0].plan.difference(part.plan)
        if difference:
            raise UsageError(f"{part.folder} is no part of the run in {parts[0].folder}: {difference}.")


def _owners(out: Path, parts: Sequence[Store]) -> dict[int, Store]:
    """Which part each chunk comes from."""
    owners: dict[int, Store] = {}
    for part in parts:
        if part.folder.resolve() == out.resolve():
            raise UsageError(f"{out} is to be merged into itself: name another folder for the whole.")
        for index in part.indices():
            if index in owners:
                raise UsageError(
                    f"{owners[index].folder} and {part.folder} overlap: "
                    f"both hold {part.plan.unit} from number {index * part.plan.chunk:,} on."
                )
            owners[index] = part
    return dict(sorted(owners.items()))


def _lacking(parts: Sequence[Store], whole: Span) -> list[int]:
    rows = {index: count for part in parts for index, count in part.rows().items()}
    return [chunk.index for chunk in parts[0].plan.chunks(whole.count, whole.first) if rows.get(chunk.index, 0) < chunk.count]


def _chunks(plan: Plan, indices: Sequence[int]) -> str:
    """Chunks in words, with the hands or matches that they stand for."""
    first = f"chunk {indices[0]} ({plan.unit} from number {indices[0] * plan.chunk:,} on)"
    return f"{first} is" if len(indices) == 1 else f"{first} and {len(indices) - 1:,} more are"


def _copy(part: Store, store: Store, index: int) -> None:
    files = {table: part.content(table, index) for table in store.tables}
    for table in store.tables if part.is_sealed else ():
        if part.seal(table, index).plan != store.plan.fingerprint():
            path = part.path(table, index)
            raise GinsimError(f"{path} belongs to a run with another plan: `{part.resume_command}` plays it again.")
    if index in store.indices():
        if all(store.content(table, index) == content for table, content in files.items()):
            return
        raise UsageError(
            f"{store.folder} and {part.folder} overlap: "
            f"both hold {store.plan.unit} from number {index * store.plan.chunk:,} on, and not the same."
        )
    store.put(index, files)
