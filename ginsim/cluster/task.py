"""What a worker of a cluster does: it plays a chunk of a job, and nothing that it knows or keeps changes the result.

So a task that is run twice, because a worker was lost or thought to be, does no harm.
"""

from __future__ import annotations

import pickle
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import polars as pl

from ginsim.cluster.identity import Identity, difference, identity
from ginsim.errors import GinsimError, UsageError
from ginsim.plan import Chunk, Plan
from ginsim.runner import Stopped, Watch, play_chunk
from ginsim.store import Store, row_files
from ginsim.strategies import find, own
from ginsim.strategies.own import Shipped, prints_aside
from ginsim.strategies.seated import said

if TYPE_CHECKING:
    from distributed import Worker

Outcome = TypeVar("Outcome")
_TICK = 0.5


@dataclass(frozen=True)
class Job(Generic[Outcome]):
    """What is to be played, the same for all of its chunks.

    ``measure`` makes a chunk's outcome of its tables, a set of them for each plan. ``stores`` are those that every worker can
    write to; what has none is sent back if ``sends`` says so. ``sources`` are the files of the user's own players.
    """

    plans: tuple[Plan, ...]
    measure: Callable[[Chunk, Sequence[Mapping[str, pl.DataFrame]]], Outcome]
    stores: tuple[Store | None, ...]
    sends: tuple[bool, ...]
    sources: tuple[Shipped, ...] = ()


@dataclass(frozen=True)
class Played(Generic[Outcome]):
    """What comes back of a chunk: what was measured, of how many hands, and for each plan whether it was played and not read.

    ``files`` are each plan's files, if they are wanted.
    """

    outcome: Outcome
    hands: int
    anew: tuple[bool, ...]
    files: tuple[Mapping[str, bytes] | None, ...]


def look(client: Identity, payload: bytes, dask_worker: Worker) -> str | None:
    """Whether this worker can play a job; what is wrong if it cannot, in a sentence. Dask fills in the worker."""
    try:
        _job(client, payload, dask_worker)
    except GinsimError as error:
        return str(error)
    return None


def play(client: Identity, payload: bytes, chunk: Chunk) -> Played | GinsimError:
    """Play a chunk of a job; what goes wrong in it is an answer as well.

    Args:
        client: the versions of the one who asks.
        payload: the job, pickled: it is not read before the versions are known to be the same.
    """
    from distributed import get_worker

    worker = get_worker()
    try:
        job = _job(client, payload, worker)
        with _watching(worker) as watch, prints_aside():
            return _play(job, chunk, watch)
    except Stopped:
        raise
    except GinsimError as error:
        error.__cause__ = error.__context__ = error.__traceback__ = None
        return error
    except Exception as error:  # noqa: BLE001 - not everything that can be raised can be sent
        traceback.print_exc()
        return GinsimError(f"the worker {worker.address} failed: {said(error)}; its log tells more.")


def _play(job: Job[Outcome], chunk: Chunk, watch: Watch) -> Played[Outcome]:
    tracks = []
    anew: list[bool] = []
    files: list[Mapping[str, bytes] | None] = []
    for plan, store, sends in zip(job.plans, job.stores, job.sends, strict=True):
        stored = store.whole(chunk) if store else None
        frames = play_chunk(plan, chunk, watch) if stored is None else stored
        if store and stored is None:
            store.write(chunk.index, frames)
        tracks.append(frames)
        anew.append(stored is None)
        files.append(row_files(frames, plan.fingerprint(), chunk.index, chunk.count) if sends else None)
    return Played(job.measure(chunk, tracks), sum(len(frames["hands"]) for frames in tracks), tuple(anew), tuple(files))


def _job(client: Identity, payload: bytes, worker: Worker) -> Job[Any]:
    """The job, if this worker is fit for it.

    Raises:
        UsageError: it has other versions, or lacks one of the user's players.
    """
    differs = difference(client, worker.address, identity())
    if differs:
        raise UsageError(differs)
    try:
        with _reading:
            return _read(payload)
    except UsageError as error:
        raise UsageError(f"on the worker {worker.address}: {error}") from error


# Several threads of a worker must not import the same file at the same time.
_reading = threading.Lock()


@lru_cache(4)
def _read(payload: bytes) -> Job[Any]:
    job: Job[Any] = pickle.loads(payload)
    for source in job.sources:
        own.receive(source)
    for player in {player for plan in job.plans for player in plan.players}:
        find(player)
    return job


@contextmanager
def _watching(worker: Worker) -> Iterator[Watch]:
    """A stop flag that is raised when nobody wants the task's result any more, so that a worker does not play on for nobody."""
    key = worker.get_current_task()
    watch, done = Watch(), threading.Event()

    def look_out() -> None:
        while not done.wait(_TICK):
            task = worker.state.tasks.get(key)
            if task is None or task.state == "cancelled":
                watch.stop[0] = 1
                return

    thread = threading.Thread(target=look_out, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        done.set()
        thread.join()
