"""Playing plans chunk by chunk on all cores, storing what is to be stored, and adding up what is measured of each chunk.

``plan -> chunk -> frames -> files, measure -> sum``. Several plans on one grid are played side by side, all of them chunk after chunk,
so that what is measured can pair them. Players who are called back play in processes, all others in threads. A run of which only a summary is
kept is played in pieces, which :mod:`ginsim.summing` adds up to its chunks.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import polars as pl

from ginsim.plan import Chunk, Plan, usual_chunk
from ginsim.pricing import priced
from ginsim.processes import Processes
from ginsim.records import Unit
from ginsim.runner import Stopped, Watch, play_chunk, run, warm_up
from ginsim.store import Damaged, Store
from ginsim.strategies import is_called_back
from ginsim.strategies.own import prints_aside

Outcome = TypeVar("Outcome")
Frames = Mapping[str, pl.DataFrame]
Measure = Callable[[Chunk, Sequence[Frames]], Outcome]
"""What to make of a chunk's tables, one set of them for each track; the outcomes of all chunks are added up in whatever order."""


_CHUNKS_A_WORKER = 4
_SMALLEST_CHUNK = 500


@dataclass(frozen=True)
class Track:
    """A plan that is played, and the store that its rows go to and that it goes on from, if any.

    ``priced_from`` is the place of an earlier track that plays the same cards: then these single hands are not played, but that
    track's hands priced by this plan's rules.
    """

    plan: Plan
    store: Store | None = None
    priced_from: int | None = None


class BrokenOff(Exception):
    """The user stopped it. ``done`` is how many hands or matches of all tracks were done by then."""

    def __init__(self, done: int) -> None:
        super().__init__(done)
        self.done = done


def play(
    tracks: Sequence[Track], count: int, measure: Measure[Outcome], *, workers: int, first: int = 0, progress: bool = False
) -> tuple[Outcome, float]:
    """Play ``count`` hands or matches of every track, or read those that are stored.

    Args:
        tracks: with the same unit and the same grid.
        measure: is called in a worker, as soon as a chunk has been played by all tracks.
        first: the number of the first, on the grid.
        progress: show a bar on stderr, where that is a terminal.

    Returns:
        The sum of what was measured, and the seconds it took.

    Raises:
        BrokenOff: after Ctrl-C; what was stored by then stays.
        GinsimError: something went wrong on the way.
    """
    total: list[Outcome] = []

    def add(_: Chunk, part: Outcome) -> None:
        total[:] = [total[0] + part if total else part]  # type: ignore[operator]

    chunks = tracks[0].plan.chunks(count, first)
    seconds = play_pieces(tracks, chunks, tracks[0].plan.chunk, count, measure, add, workers=workers, progress=progress)
    return total[0], seconds


def play_pieces(
    tracks: Sequence[Track],
    pieces: Iterable[Chunk],
    size: int,
    count: int,
    measure: Measure[Outcome],
    collect: Callable[[Chunk, Outcome], None],
    *,
    workers: int,
    progress: bool = False,
) -> float:
    """As :func:`play`, of any pieces of at most ``size`` hands or matches and ``count`` together, each with another index.

    Args:
        collect: is called with each piece and what was measured of it, in whatever order, but one at a time.

    Returns:
        The seconds it took.
    """
    return _Simulation(tracks, size, count, measure, workers).play(pieces, collect, progress)


class _Simulation(Generic[Outcome]):
    """Tracks being played."""

    def __init__(self, tracks: Sequence[Track], size: int, count: int, measure: Measure[Outcome], workers: int) -> None:
        self.tracks = tracks
        self.plans = [track.plan for track in tracks]
        self.count = count
        self.measure = measure
        self.workers = workers
        self.watch = Watch()
        self.stored = [track.store.sound() if track.store else {} for track in tracks]
        self.lock = threading.Lock()
        self.done = 0
        self.hands = 0
        self.calls_back = any(is_called_back(player) for plan in self.plans for player in set(plan.players))
        self.processes: Processes | None = None
        if self.calls_back:
            # As threads they would wait for each other; the rest needs none that would find nothing to do.
            self.workers = max(1, min(workers, -(-count // size)))
            self.processes = Processes(self.workers, self.plans) if self.workers > 1 else None

    def play(self, pieces: Iterable[Chunk], collect: Callable[[Chunk, Outcome], None], progress: bool) -> float:
        """Play all pieces."""
        # The numbers that a player is given compile nothing.
        for plan in {tuple(player.name for player in plan.players): plan for plan in self.plans}.values():
            warm_up(plan)
        start = time.perf_counter()
        try:
            aside = prints_aside() if self.calls_back else nullcontext()
            with self._bar(progress) as bar, aside, ThreadPoolExecutor(self.workers) as executor:
                try:
                    for piece, part in run(pieces, self._work, executor, 2 * self.workers, lambda: self._show(bar)):
                        collect(piece, part)
                    self._show(bar)
                except BaseException:
                    self.watch.stop[0] = 1
                    self._break_off()
                    raise
                finally:
                    if self.processes:
                        self.processes.close()
        except (KeyboardInterrupt, Stopped):
            raise BrokenOff(self.done) from None
        return time.perf_counter() - start

    def _work(self, chunk: Chunk) -> Outcome:
        """Play and store a chunk, or read it where it is stored; runs in a worker."""
        tables: list[Frames] = []
        for number in range(len(self.tracks)):
            tables.append(self._tables(number, chunk, tables))
        return self.measure(chunk, tables)

    def _tables(self, number: int, chunk: Chunk, before: Sequence[Frames]) -> Frames:
        track = self.tracks[number]
        store = track.store
        frames = self._stored(number, chunk)
        if frames is None:
            if track.priced_from is not None:
                frames = {"hands": priced(before[track.priced_from]["hands"], track.plan.rules)}
            elif self.processes:
                frames = self.processes.play(number, chunk, self.watch)
            else:
                frames = play_chunk(self.plans[number], chunk, self.watch)
            if store:
                store.write(chunk.index, frames)
        with self.lock:
            self.done += chunk.count
            self.hands += len(frames["hands"])
        return frames

    def _stored(self, number: int, chunk: Chunk) -> Frames | None:
        """A chunk's tables as they are stored; None where they are not, or are not what they should be."""
        store, count = self.tracks[number].store, self.stored[number].get(chunk.index)
        if store is None or count is None:
            return None
        if count == chunk.count:
            from ginsim.store.facts import fault

            with suppress(Damaged):
                frames = store.read(chunk.index)
                if fault(frames, store.plan, chunk) is None:
                    return frames
        if count in (0, chunk.count):
            store.replaced.append(chunk.index)
        return None

    def _break_off(self) -> None:
        """End what does not look at the stop flag by itself."""
        if self.processes:
            self.processes.close()
        elif self.calls_back:
            from ginsim.strategies.seated import break_off

            break_off()

    def _bar(self, wanted: bool) -> Any:
        from tqdm import tqdm

        # Without a stderr there is nothing to ask whether it is a terminal.
        disable = None if wanted and sys.stderr is not None else True
        total = self.count * len(self.tracks)
        return tqdm(total=total, unit=f" {self.plans[0].unit}", unit_scale=True, disable=disable, leave=False)

    def _show(self, bar: Any) -> None:
        in_hands = self.plans[0].unit == "hands"
        running = self.watch.hands_running() if in_hands else self.watch.matches_running()
        # A chunk that has just been played is counted a moment later than it stops running: no step back for that.
        bar.n = max(bar.n, min(self.done + running, bar.total))
        if not in_hands:
            seconds = max(bar.format_dict["elapsed"], 1e-3)
            bar.set_postfix_str(f"{(self.hands + self.watch.hands_running()) / seconds:,.0f} hands/s", refresh=False)
        bar.refresh()


def piece_size(unit: Unit, count: int, workers: int, mirror: bool) -> int:
    """Hands or matches to be played at once where no files ask for a grid: few enough that all workers have something to do."""
    size = max(_SMALLEST_CHUNK, -(-count // (_CHUNKS_A_WORKER * workers)))
    return min(size + size % 2 if mirror else size, usual_chunk(unit))
