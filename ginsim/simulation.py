"""Playing plans chunk by chunk on all cores, storing what is to be stored, and adding up what is measured of each chunk.

``plan -> chunk -> frames -> files, measure -> sum``. Several plans on one grid are played side by side, all of them chunk after chunk,
so that what is measured can pair them. Players who are called back play in processes, all others in threads.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import polars as pl

from ginsim.cluster import MOST_AHEAD, Cluster, Job, Running
from ginsim.plan import Chunk, Plan
from ginsim.processes import Processes
from ginsim.runner import Stopped, Watch, cores, play_chunk, run, warm_up
from ginsim.store import Store
from ginsim.strategies import is_called_back
from ginsim.strategies.own import prints_aside, read, ship

Outcome = TypeVar("Outcome")
Frames = Mapping[str, pl.DataFrame]
Measure = Callable[[Chunk, Sequence[Frames]], Outcome]
"""What to make of a chunk's tables, one set of them for each track; the outcomes of all chunks are added up in whatever order."""


@dataclass(frozen=True)
class Track:
    """A plan that is played, and the store that its rows go to and that it goes on from, if any."""

    plan: Plan
    store: Store | None = None
    kept: dict[int, Frames] | None = None


class BrokenOff(Exception):
    """The user stopped it. ``done`` is how many hands or matches of all tracks were done by then."""

    def __init__(self, done: int) -> None:
        super().__init__(done)
        self.done = done


def play(
    tracks: Sequence[Track], count: int, measure: Measure[Outcome], *, workers: int | Cluster, progress: bool = False
) -> tuple[Outcome, float]:
    """Play the first ``count`` hands or matches of every track, or read those that are stored.

    Args:
        tracks: with the same unit and the same grid.
        measure: is called in a worker, as soon as a chunk has been played by all tracks; for a cluster it must be possible to pickle it.
        workers: how many on this machine, or a cluster.
        progress: show a bar on stderr, where that is a terminal.

    Returns:
        The sum of what was measured, and the seconds it took.

    Raises:
        BrokenOff: after Ctrl-C; what was stored by then stays.
        GinsimError: something went wrong on the way.
    """
    return _Simulation(tracks, count, measure, workers).play(progress)


class _Simulation(Generic[Outcome]):
    """Tracks being played."""

    def __init__(self, tracks: Sequence[Track], count: int, measure: Measure[Outcome], workers: int | Cluster) -> None:
        self.tracks = tracks
        self.plans = [track.plan for track in tracks]
        self.count = count
        self.measure = measure
        self.cluster = workers if isinstance(workers, Cluster) else None
        self.workers = MOST_AHEAD if isinstance(workers, Cluster) else workers
        self.watch = Watch()
        self.stored = [track.store.rows() if track.store else {} for track in tracks]
        self.lock = threading.Lock()
        self.done = 0
        self.hands = 0
        self.calls_back = any(is_called_back(player) for plan in self.plans for player in set(plan.players))
        self.processes: Processes | None = None
        self.job: Running[Outcome] | None = None
        self.reading = threading.Semaphore(cores())
        if self.calls_back and not self.cluster:
            # As threads they would wait for each other; the rest needs none that would find nothing to do.
            self.workers = min(workers, -(-count // self.plans[0].chunk))
            self.processes = Processes(self.workers, self.plans) if self.workers > 1 else None

    def play(self, progress: bool) -> tuple[Outcome, float]:
        """Play all chunks."""
        if self.cluster:
            self.job = self._begin(self.cluster)
        else:
            for plan in self.plans:
                warm_up(plan)
        start = time.perf_counter()
        total: Outcome | None = None
        try:
            aside = prints_aside() if self.calls_back else nullcontext()
            with self._bar(progress) as bar, aside, ThreadPoolExecutor(self.workers) as executor:
                try:
                    chunks = self.plans[0].chunks(self.count)
                    for _, part in run(chunks, self._work, executor, self._ahead, lambda: self._show(bar)):
                        total = part if total is None else total + part  # type: ignore[operator]
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
        assert total is not None
        return total, time.perf_counter() - start

    def _ahead(self) -> int:
        return self.cluster.ahead() if self.cluster else 2 * self.workers

    def _work(self, chunk: Chunk) -> Outcome:
        """Play and store a chunk, or read it where it is stored; runs in a worker."""
        if self.job:
            return self._have_played(self.job, chunk)
        return self.measure(chunk, [self._tables(number, chunk) for number in range(len(self.tracks))])

    def _begin(self, cluster: Cluster) -> Running[Outcome]:
        """Tell a cluster what to play."""
        own = {player.spec: read(player.spec) for plan in self.plans for player in plan.players if player.is_own}
        return cluster.begin(
            Job(
                plans=tuple(self.plans),
                measure=self.measure,
                stores=tuple(None for _ in self.tracks),
                sends=tuple(track.store is not None or track.kept is not None for track in self.tracks),
                sources=tuple(ship(spec) for spec in own.values() if spec.is_file),
            )
        )

    def _have_played(self, job: Running[Outcome], chunk: Chunk) -> Outcome:
        """Have a cluster play a chunk, and store what it sends; or read it where it is stored."""
        if all(self._is_here(number, chunk) for number in range(len(self.tracks))):
            # As many threads wait for a cluster as it has, and not all of them may read at once.
            with self.reading:
                return self.measure(chunk, [self._tables(number, chunk) for number in range(len(self.tracks))])
        played = job.play(chunk)
        for track, files in zip(self.tracks, played.files, strict=True):
            if track.store and files:
                track.store.put(chunk.index, files)
            if track.kept is not None and files:
                track.kept[chunk.index] = {table: pl.read_parquet(content) for table, content in files.items()}
        with self.lock:
            self.done += chunk.count * len(self.tracks)
            self.hands += played.hands
        return played.outcome

    def _is_here(self, number: int, chunk: Chunk) -> bool:
        return self.stored[number].get(chunk.index) == chunk.count

    def _tables(self, number: int, chunk: Chunk) -> Frames:
        store = self.tracks[number].store
        if store and self.stored[number].get(chunk.index) == chunk.count:
            frames = store.read(chunk.index)
        else:
            if self.processes:
                frames = self.processes.play(number, chunk, self.watch)
            else:
                frames = play_chunk(self.plans[number], chunk, self.watch)
            if store:
                store.write(chunk.index, frames)
        if self.tracks[number].kept is not None:
            self.tracks[number].kept[chunk.index] = frames
        with self.lock:
            self.done += chunk.count
            self.hands += len(frames["hands"])
        return frames

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
