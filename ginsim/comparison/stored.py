"""Comparing runs that are on disk: those that dealt the same hands are paired, the others are not."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ginsim.comparison.counting import Arrangement, Counted, Side, side_alone, side_of
from ginsim.comparison.document import document
from ginsim.comparison.paired import Alone, clusters_of
from ginsim.comparison.result import Comparison
from ginsim.comparison.variants import Variant, named, place_of
from ginsim.errors import UsageError
from ginsim.plan import Plan
from ginsim.simulation import Frames
from ginsim.statistics.tally import Tally, observe
from ginsim.store import Store, open_store

RUN = "run"


def compare_runs(folders: Sequence[str | Path], *, reference: str | None = None) -> Comparison:
    """Compare stored runs: paired where they dealt the same hands or matches (same seed, unit, mirroring and numbers).

    Args:
        reference: the run that all are compared with, by its folder; by default the first.

    Raises:
        UsageError: fewer than two runs, no run in a folder, or hands beside matches.
    """
    if len(folders) < 2:
        raise UsageError("one run has nothing to be compared with: name two or more folders.")
    stores = [open_store(Path(folder)) for folder in folders]
    for store in stores:
        if store.plan.keep == "summary":
            raise UsageError(f"{store.folder} keeps a summary and no rows: single hands or matches cannot be paired from it.")
    if len({store.plan.unit for store in stores}) > 1:
        kinds = ", ".join(f"{store.folder} holds {store.plan.unit}" for store in stores)
        raise UsageError(f"single hands and matches cannot be compared: {kinds}.")
    variants = [
        Variant(each.name, each.values, each.plan, str(store.folder))
        for each, store in zip(
            named([Variant("", {RUN: str(store.folder)}, store.plan) for store in stores], whole=True), stores, strict=True
        )
    ]
    place = place_of(reference, variants)
    reads = [_Reading(store, store.rows()) for store in stores]
    for read in reads:
        if not read.rows:
            raise UsageError(f"{read.store.folder} holds no {read.store.plan.unit} yet.")
    return Comparison(_compared(variants, reads, place, shlex.join(["ginsim", "compare", *map(str, folders)])))


@dataclass(frozen=True)
class _Reading:
    """A run and how many rows each of its chunks has."""

    store: Store
    rows: Mapping[int, int]

    @property
    def plan(self) -> Plan:
        return self.store.plan

    @property
    def extent(self) -> int:
        last = max(self.rows)
        return last * self.plan.chunk + self.rows[last]

    def spans(self) -> Iterator[tuple[int, int]]:
        """From which number up to which each of its chunks goes."""
        return ((index * self.plan.chunk, index * self.plan.chunk + rows) for index, rows in self.rows.items())

    def holds_some(self, first: int, end: int) -> bool:
        """Whether any of these hands or matches is there."""
        return any(start < end and first < stop for start, stop in self.spans())

    def holds(self, first: int, end: int) -> bool:
        """Whether all of these hands or matches are there."""
        size = self.plan.chunk
        return all(
            self.rows.get(index, 0) >= min(size, end - index * size) for index in range(first // size, -(-end // size))
        )

    def read(self, first: int, end: int) -> Frames:
        """The tables of these hands or matches."""
        size = self.plan.chunk
        parts = [self.store.read(index) for index in range(first // size, -(-end // size))]
        number = "match" if self.plan.unit == "matches" else "hand"
        return {
            table: pl.concat([part[table] for part in parts]).filter(pl.col(number).is_between(first, end - 1))
            for table in self.plan.layout.tables
        }


def _compared(variants: Sequence[Variant], reads: Sequence[_Reading], reference: int, command: str) -> dict[str, object]:
    base = reads[reference]
    notes = []
    apart = {}
    for place, read in enumerate(reads):
        why = _why_apart(base, read)
        if why:
            apart[place] = why
    together = [place for place in range(len(reads)) if place not in apart]
    end = min(reads[place].extent for place in together)
    spans = [
        (first, min(first + base.plan.chunk, end))
        for first in range(0, end, base.plan.chunk)
        if all(reads[place].holds(first, min(first + base.plan.chunk, end)) for place in together)
    ]
    if not spans:
        raise UsageError("these runs have no hand or match in common.")
    arrangement = Arrangement.of([reads[place].plan for place in together], together.index(reference))
    counted: Counted | None = None
    alone: Alone | None = None
    for first, last in spans:
        tables = [reads[place].read(first, last) for place in together]
        part = arrangement.count(tables)
        counted = part if counted is None else counted + part
        if apart:
            its = _alone(tables[together.index(reference)], base.plan)
            alone = its if alone is None else alone + its
    assert counted is not None
    used = sum(last - first for first, last in spans)
    if len(together) > 1 and any(sum(reads[place].rows.values()) != used for place in together):
        notes.append(f"Paired are the {used:,} {base.plan.unit} that {_listed(variants, together)} have in common.")
    sides: list[Side] = []
    counts = []
    for place, read in enumerate(reads):
        if place in apart:
            assert alone is not None
            tally, its = _whole(read)
            sides.append(side_alone(tally, its, alone))
            counts.append(sum(read.rows.values()))
            notes.append(f"{variants[place].name} is not paired with {variants[reference].name}: {apart[place]}.")
        else:
            sides.append(side_of(counted, arrangement, together.index(place)))
            counts.append(used)
    return document(
        variants,
        sides,
        reference,
        factors={RUN: [variant.name for variant in variants]},
        counts=counts,
        how=["stored"] * len(variants),
        command=command if reference == 0 else f"{command} --reference {shlex.quote(variants[reference].name)}",
        notes=notes,
    )


def _why_apart(base: _Reading, run: _Reading) -> str | None:
    """Why two runs did not deal the same, in words; None where they did."""
    if base.plan.deals_hash != run.plan.deals_hash:
        return "other deals were given"
    if base.plan.deals_hash is None and base.plan.seed != run.plan.seed:
        return f"the seed is {run.plan.seed} and not {base.plan.seed}"
    if base.plan.mirror != run.plan.mirror:
        return "one is mirrored and the other is not, so that the same number is another deal"
    if not any(base.holds_some(first, end) for first, end in run.spans()):
        return f"they have no numbers of {run.plan.unit} in common"
    return None


def _whole(read: _Reading) -> tuple[Tally, Alone]:
    tally = Tally()
    alone: Alone | None = None
    for frames in map(read.store.read, read.rows):
        tally += Tally.of(frames, read.plan.layout, read.plan.mirror)
        part = _alone(frames, read.plan)
        alone = part if alone is None else alone + part
    assert alone is not None
    return tally, alone


def _alone(frames: Frames, plan: Plan) -> Alone:
    return Alone.of(clusters_of(observe(frames, plan.layout, plan.mirror), plan.layout), plan.layout)


def _listed(variants: Sequence[Variant], places: Sequence[int]) -> str:
    names = [variants[place].name for place in places]
    return f"{', '.join(names[:-1])} and {names[-1]}"
