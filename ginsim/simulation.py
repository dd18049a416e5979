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
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import polars as pl

from ginsim.cluster import MOST_AHEAD, Cluster, Job, Running
from ginsim.plan import Chunk, Plan, usual_chunk
from ginsim.pricing import priced
from ginsim.processes import Processes
from ginsim.records import Unit
from ginsim.runner import Stopped, Watch, cores, play_chunk, run, warm_up
from ginsim.store import Store
from ginsim.strategies import is_called_back
from ginsim.strategies.own import prints_aside, read, ship

Outcome = TypeVar("Outcome")
Frames = Mapping[str, pl.DataFrame]
Measure = Callable[[Chunk, Sequence[Frames]], Outcome]
"""What to make of a chunk's tables, one set of them for each track; the outcomes of all chunks are added up in whatever order."""


_CHUNKS_A_WORKER = 4
_SMALLEST_CHUNK = 500
_LARGER_IN_A_CLUSTER = 10


@dataclass(frozen=True)
class Track:
    """A plan that is played, and the store that its rows go to and that it goes on from, or where in memory they are kept, if any.

    ``priced_from`` is the place of an earlier track that plays the same cards: then these single hands are not played, but that
    track's hands priced by this plan's rules.
    """

    plan: Plan
    store: Store | None = None
    priced_from: int | None = None
    kept: dict[int, Frames] | None = None


class BrokenOff(Exception):
    """The user stopped it. ``done`` is how many hands or matches of all tracks were done by then."""

    def __init__(self, done: int) -> None:
        super().__init__(done)
        self.done = done


def play(
    tracks: Sequence[Track],
    count: int,
    measure: Measure[Outcome],
    *,
    workers: int | Cluster,
    first: int = 0,
    progress: bool = False,
) -> tuple[Outcome, float]:
    """Play ``count`` hands or matches of every track, or read those that are stored.

    Args:
        tracks: with the same unit and the same grid.
        measure: is called in a worker, as soon as a chunk has been played by all tracks; a cluster's workers get it pickled.
        workers: how many threads or processes, or a cluster.
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
    workers: int | Cluster,
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

    def __init__(self, tracks: Sequence[Track], size: int, count: int, measure: Measure[Outcome], workers: int | Cluster) -> None:
        self.tracks = tracks
        self.plans = [track.plan for track in tracks]
        self.count = count
        self.measure = measure
        self.cluster = workers if isinstance(workers, Cluster) else None
        self.workers = MOST_AHEAD if isinstance(workers, Cluster) else workers
        self.watch = Watch()
        self.stored = [track.store.sound() if track.store else {} for track in tracks]
        self.lock = threading.Lock()
        self.done = 0
        self.hands = 0
        self.calls_back = any(is_called_back(player) for plan in self.plans for player in set(plan.players))
        self.processes: Processes | None = None
        self.job: Running[Outcome] | None = None
        self.reading = threading.Semaphore(cores())
        if self.calls_back and not self.cluster:
            # As threads they would wait for each other; the rest needs none that would find nothing to do.
            self.workers = max(1, min(workers, -(-count // size)))
            self.processes = Processes(self.workers, self.plans) if self.workers > 1 else None

    def play(self, pieces: Iterable[Chunk], collect: Callable[[Chunk, Outcome], None], progress: bool) -> float:
        """Play all pieces."""
        if self.cluster:
            self.job = self._begin(self.cluster)
        else:
            # The numbers that a player is given compile nothing.
            for plan in {tuple(player.name for player in plan.players): plan for plan in self.plans}.values():
                warm_up(plan)
        start = time.perf_counter()
        try:
            aside = prints_aside() if self.calls_back else nullcontext()
            with self._bar(progress) as bar, aside, ThreadPoolExecutor(self.workers) as executor:
                try:
                    for piece, part in run(pieces, self._work, executor, self._ahead, lambda: self._show(bar)):
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

    def _ahead(self) -> int:
        return self.cluster.ahead() if self.cluster else 2 * self.workers

    def _begin(self, cluster: Cluster) -> Running[Outcome]:
        """Tell a cluster what to play."""
        own = {player.spec: read(player.spec) for plan in self.plans for player in plan.players if player.is_own}
        return cluster.begin(
            Job(
                plans=tuple(self.plans),
                measure=self.measure,
                stores=tuple(track.store if track.store and track.store.is_remote else None for track in self.tracks),
                sends=tuple(bool(track.store and not track.store.is_remote) or track.kept is not None for track in self.tracks),
                sources=tuple(ship(spec) for spec in own.values() if spec.is_file),
            )
        )

    def _work(self, chunk: Chunk) -> Outcome:
        """Play and store a chunk, or read it where it is stored; runs in a worker."""
        if self.job:
            return self._have_played(self.job, chunk)
        tables: list[Frames] = []
        for number in range(len(self.tracks)):
            tables.append(self._tables(number, chunk, tables))
        return self.measure(chunk, tables)

    def _tables(self, number: int, chunk: Chunk, before: Sequence[Frames]) -> Frames:
        track = self.tracks[number]
        frames = self._stored(number, chunk)
        if frames is None:
            if track.priced_from is not None:
                frames = {"hands": priced(before[track.priced_from]["hands"], track.plan.rules)}
            elif self.processes:
                frames = self.processes.play(number, chunk, self.watch)
            else:
                frames = play_chunk(self.plans[number], chunk, self.watch)
            if track.store:
                track.store.write(chunk.index, frames)
        if track.kept is not None:
            track.kept[chunk.index] = frames
        self._count(chunk, len(frames["hands"]))
        return frames

    def _have_played(self, job: Running[Outcome], chunk: Chunk) -> Outcome:
        """Have a cluster play a chunk, and store what it sends; or read it here where it is stored here."""
        if not any(track.store and track.store.is_remote for track in self.tracks):
            # As many threads wait for a cluster as it has, and not all of them may read at once.
            with self.reading:
                stored = [self._stored(number, chunk) for number in range(len(self.tracks))]
                here = [frames for frames in stored if frames is not None]
                if len(here) == len(self.tracks):
                    self._count(chunk, sum(len(frames["hands"]) for frames in here), len(here))
                    return self.measure(chunk, here)
        played = job.play(chunk)
        for number, (track, files) in enumerate(zip(self.tracks, played.files, strict=True)):
            if track.store and track.store.is_remote and played.anew[number]:
                self._note_replaced(number, chunk)
            elif track.store and files:
                track.store.put(chunk.index, files)
            elif track.kept is not None and files:
                track.kept[chunk.index] = {table: pl.read_parquet(content) for table, content in files.items()}
        self._count(chunk, played.hands, len(self.tracks))
        return played.outcome

    def _stored(self, number: int, chunk: Chunk) -> Frames | None:
        """A chunk's tables as they are stored; None where they are not, or are not what they should be."""
        store = self.tracks[number].store
        if store and self.stored[number].get(chunk.index) == chunk.count:
            frames = store.whole(chunk)
            if frames is not None:
                return frames
        self._note_replaced(number, chunk)
        return None

    def _note_replaced(self, number: int, chunk: Chunk) -> None:
        store, count = self.tracks[number].store, self.stored[number].get(chunk.index)
        if store and count in (0, chunk.count):
            store.replaced.append(chunk.index)

    def _count(self, chunk: Chunk, hands: int, tracks: int = 1) -> None:
        with self.lock:
            self.done += chunk.count * tracks
            self.hands += hands

    def _break_off(self) -> None:
        """End what does not look at the stop flag by itself."""
        if self.job:
            self.job.stop()
        elif self.processes:
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


def piece_size(unit: Unit, count: int, workers: int | Cluster, mirror: bool) -> int:
    """Hands or matches to be played at once where no files ask for a grid: few enough that all workers have something to do."""
    at_once = max(1, workers.threads()) if isinstance(workers, Cluster) else workers
    size = max(_SMALLEST_CHUNK, -(-count // (_CHUNKS_A_WORKER * at_once)))
    largest = usual_chunk(unit) * (_LARGER_IN_A_CLUSTER if isinstance(workers, Cluster) else 1)
    return min(size + size % 2 if mirror else size, largest)
