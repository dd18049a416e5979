"""Runs of which only a summary is kept: of each chunk the sums that every figure of a report is made of.

``pieces -> tallies -> chunk -> file``. Such a chunk is large, so that a billion hands leave a few files; it is played in pieces,
and what is there of it is stored now and then as far as it goes without a gap. Sums being sums, it is played on from there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count as numbers

from ginsim.plan import Chunk
from ginsim.simulation import Frames, Track, piece_size, play_pieces
from ginsim.statistics import Tally
from ginsim.store import Damaged, Span, Store

SAVE_SECONDS = 10.0
"""How much work a process that is killed may lose."""


def play_summed(store: Store, span: Span, *, workers: int, progress: bool = False) -> tuple[Tally, float]:
    """Play hands or matches of a run that keeps a summary, or take those that are stored.

    Returns:
        The sums of all of them, and the seconds it took.

    Raises:
        BrokenOff: it was stopped; what was summed up by then is stored.
        GinsimError: something went wrong on the way.
    """
    sums = _Sums(store, span, workers)
    try:
        seconds = play_pieces(
            [Track(store.plan)],
            sums.pieces(),
            sums.size,
            sums.lacking(),
            sums.measure,
            sums.collect,
            workers=workers,
            progress=progress,
        )
    finally:
        sums.save()
    return sums.total(), seconds


def stored_tally(store: Store, index: int) -> tuple[Tally, int]:
    """What a stored chunk was summed up to, and how many hands or matches that stands for.

    Raises:
        Damaged: the file is not what was written.
    """
    with store.reading("summary", index):
        return Tally.from_dict(store.read_summary(index)["tally"]), store.count(index)


@dataclass
class _Cell:
    """A chunk on its way: its first ``done`` hands or matches are in ``tally``, and later pieces wait for those before them."""

    chunk: Chunk
    tally: Tally = field(default_factory=Tally)
    done: int = 0
    saved: int = 0
    waiting: dict[int, tuple[int, Tally]] = field(default_factory=dict)

    def add(self, piece: Chunk, tally: Tally) -> None:
        """Add a piece, and those that have waited for it."""
        self.waiting[piece.first - self.chunk.first] = piece.count, tally
        while self.done in self.waiting:
            count, tally = self.waiting.pop(self.done)
            self.tally += tally
            self.done += count


class _Sums:
    """The chunks of a run while their pieces come in."""

    def __init__(self, store: Store, span: Span, workers: int) -> None:
        self._store = store
        self._plan = store.plan
        self._span = span
        self.size = piece_size(store.plan.unit, span.count, workers, store.plan.mirror)
        self._cells: dict[int, _Cell] = {}
        self._tally = Tally()
        self._sound = store.sound()
        self._saved_at = time.monotonic()

    def lacking(self) -> int:
        """How many hands or matches are still to be played, if all that is stored is whole."""
        chunks = self._plan.chunks(self._span.count, self._span.first)
        return sum(chunk.count - min(chunk.count, self._sound.get(chunk.index, 0)) for chunk in chunks)

    def pieces(self) -> Iterator[Chunk]:
        """What is to be played, in order."""
        index = numbers()
        for chunk in self._plan.chunks(self._span.count, self._span.first):
            cell = self._opened(chunk)
            if cell.done == chunk.count:
                self._tally += cell.tally
                continue
            self._cells[chunk.index] = cell
            for start in range(cell.done, chunk.count, self.size):
                yield Chunk(next(index), chunk.first + start, min(self.size, chunk.count - start))

    def _opened(self, chunk: Chunk) -> _Cell:
        if self._sound.get(chunk.index):
            try:
                tally, count = stored_tally(self._store, chunk.index)
            except Damaged:
                self._sound[chunk.index] = 0
            else:
                # Half a mirrored pair cannot be made whole.
                if count == chunk.count or (count < chunk.count and not (self._plan.mirror and count % 2)):
                    return _Cell(chunk, tally, count, count)
        if self._sound.get(chunk.index) == 0:
            self._store.replaced.append(chunk.index)
        return _Cell(chunk)

    def measure(self, piece: Chunk, tracks: Sequence[Frames]) -> Tally:
        """What a piece adds up to."""
        return Tally.of(tracks[0], self._plan.layout, self._plan.mirror)

    def collect(self, piece: Chunk, tally: Tally) -> None:
        """Add a piece to its chunk, which is stored when it is complete or has not been for a while."""
        index = piece.first // self._plan.chunk
        cell = self._cells[index]
        cell.add(piece, tally)
        if cell.done == cell.chunk.count:
            self._store_cell(cell)
            self._tally += self._cells.pop(index).tally
        elif time.monotonic() - self._saved_at > SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Store what is there."""
        for cell in self._cells.values():
            if cell.done > cell.saved:
                self._store_cell(cell)
        self._saved_at = time.monotonic()

    def _store_cell(self, cell: _Cell) -> None:
        self._store.write_summary(cell.chunk.index, cell.done, {"tally": cell.tally.as_dict()})
        cell.saved = cell.done

    def total(self) -> Tally:
        """The sums of all chunks."""
        return self._tally
