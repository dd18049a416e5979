"""Playing on many machines: a Dask cluster plays the chunks of a job, and the rows come back to be stored, or are stored there.

Who plays which chunk when, and again where a worker was lost, is Dask's business alone. What a worker does is in ``task``, with what
in ``identity``.
"""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ginsim.cluster.identity import identity
from ginsim.cluster.task import Job, Played, look, play
from ginsim.errors import GinsimError, UsageError
from ginsim.plan import Chunk
from ginsim.runner import Stopped, announce_compiling
from ginsim.strategies.seated import said

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

__all__ = ["MOST_AHEAD", "Cluster", "Job", "Played", "Running", "connect"]

Outcome = TypeVar("Outcome")

LOCAL = "local"
MOST_LOCAL = 1024
MOST_AHEAD = 10_000
"""Chunks that are given to a cluster at once, at the very most."""

_AHEAD = 2
_CONNECT_SECONDS = 10
_LOOK_SECONDS = 2.0
_TO_END = 0.2
_SCHEME = re.compile(r"(tcp|tls|ws|wss|ucx)://.+:\d+")


class Cluster:
    """A connection to a cluster, or to one of its own on this machine. Make one with :func:`connect`."""

    def __init__(self, address: str, client: Client) -> None:
        self.address = address
        self.client = client
        self._threads = 0
        self._looked = -_LOOK_SECONDS
        self._jobs: list[Running[Any]] = []

    def threads(self) -> int:
        """How many chunks its workers can play at the same time, as of a moment ago."""
        if time.monotonic() - self._looked >= _LOOK_SECONDS:
            with _lost(self.address):
                self._threads = sum(self.client.nthreads().values())
            self._looked = time.monotonic()
        return self._threads

    def ahead(self) -> int:
        """How many chunks to give to it at once, so that nobody waits."""
        return min(MOST_AHEAD, max(1, _AHEAD * self.threads()))

    def begin(self, job: Job[Outcome]) -> Running[Outcome]:
        """Tell the workers what is to be played, and see to it that they can.

        Raises:
            UsageError: a worker has other versions of what could change results, or lacks one of the user's players.
        """
        running = Running(self, job)
        self._jobs.append(running)
        return running

    def stop(self) -> None:
        """Let go of everything that is still to be played."""
        for job in self._jobs:
            job.stop()


class Running(Generic[Outcome]):
    """A job that a cluster is at."""

    def __init__(self, cluster: Cluster, job: Job[Outcome]) -> None:
        from distributed.protocol.pickle import dumps

        self._cluster = cluster
        self._futures: set[Future[Any]] = set()
        self._is_stopped = False
        payload = dumps(job)
        self._look(payload)
        # As a task of its own it is sent to each worker once, and made again where it is lost.
        with _lost(cluster.address):
            self._payload = cluster.client.submit(bytes, payload, pure=False)

    def _look(self, payload: bytes) -> None:
        client, address = self._cluster.client, self._cluster.address
        if not client.nthreads():
            print(f"Waiting for a worker; this starts one: dask worker {address}", file=sys.stderr, flush=True)
            client.wait_for_workers(1)
        with _lost(address):
            answers: dict[str, Any] = client.run(look, identity(), payload, on_error="return")
        # A worker that has died meanwhile is not wrong.
        answered = {worker: answer for worker, answer in answers.items() if not isinstance(answer, OSError)}
        wrong = [_said(worker, answer) for worker, answer in answered.items() if answer is not None]
        if wrong:
            more = f" {len(wrong) - 1} more of {len(answers)} workers cannot play either." if len(wrong) > 1 else ""
            raise UsageError(wrong[0] + more)

    def play(self, chunk: Chunk) -> Played[Outcome]:
        """Have a chunk played, and wait for it.

        Raises:
            Stopped: it was stopped meanwhile.
            GinsimError: as from :func:`ginsim.runner.play_chunk`, or the cluster broke down.
        """
        client = self._cluster.client
        try:
            with _lost(self._cluster.address):
                if self._is_stopped:
                    raise Stopped
                future = client.submit(play, identity(), self._payload, chunk, key=f"ginsim-{chunk.index}-{id(self)}", pure=False)
                self._futures.add(future)
                answer = future.result()
        except BaseException:
            if self._is_stopped:
                raise Stopped from None
            raise
        self._futures.discard(future)
        if isinstance(answer, GinsimError):
            raise answer
        return answer

    def stop(self) -> None:
        """Let go of everything that is still to be played."""
        self._is_stopped = True
        try:
            self._cluster.client.cancel([*self._futures, self._payload], force=True)
        except Exception:  # noqa: BLE001 - whatever is wrong with the cluster, there is nothing more to be done about it
            pass


@contextmanager
def connect(address: str) -> Iterator[Cluster]:
    """Connect to a Dask scheduler at ``tcp://HOST:PORT``, or start ``local:N`` processes here, until the end of the context.

    Raises:
        UsageError: the address is none, nobody is there, or Dask is not installed.
    """
    local = re.fullmatch(rf"{LOCAL}:(\d{{1,4}})", address)
    if not (local and 1 <= int(local[1]) <= MOST_LOCAL) and not _SCHEME.fullmatch(address):
        raise UsageError(f"{address!r} is no cluster: write tcp://HOST:PORT, or {LOCAL}:N for N processes on this machine.")
    try:
        import distributed
    except ImportError:
        raise UsageError("playing on a cluster needs Dask, which is not installed: pip install 'ginsim[cluster]'") from None
    with _opened(address, int(local[1]) if local else None) as client:
        yield Cluster(address, client)


@contextmanager
def _opened(address: str, processes: int | None) -> Iterator[Client]:
    from distributed import Client

    # What is wrong is said in a line of ours.
    for handler in logging.getLogger("distributed").handlers:
        handler.setLevel(logging.CRITICAL)
    if processes is not None:
        announce_compiling()
        local = _started(processes)
        with local:
            try:
                with Client(local, set_as_default=False) as client:
                    yield client
            finally:
                # Nothing in them is worth waiting for.
                local.sync(_end, local)
        return
    try:
        client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"there is no Dask scheduler at {address} ({said(error)}): `dask scheduler` starts one.") from None
    with client:
        yield client


def _started(processes: int) -> LocalCluster:
    """A cluster of so many processes here. An interrupt waits until they have started: cut off before, they complain at length."""
    from distributed import LocalCluster

    with ThreadPoolExecutor(1) as starter:
        starting = starter.submit(
            LocalCluster,
            n_workers=processes,
            threads_per_worker=1,
            # Any free port, here alone: Dask serves pages whether anybody wants them or not.
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            memory_limit=0,
            preload=["ginsim.cluster.local"],
        )
        try:
            return starting.result()
        except KeyboardInterrupt:
            with starting.result() as local:
                local.sync(_end, local)
            raise


async def _end(local: LocalCluster) -> None:
    ends = (worker.close(timeout=_TO_END) for worker in local.workers.values())
    await asyncio.gather(*ends, return_exceptions=True)


@contextmanager
def _lost(address: str) -> Iterator[None]:
    """Turn what goes wrong with the cluster into a line.

    Raises:
        GinsimError: the scheduler is gone, or a chunk killed several workers one after the other.
    """
    from distributed import KilledWorker
    from distributed.comm import CommClosedError

    try:
        yield
    except KilledWorker as error:
        raise GinsimError(
            f"{error.allowed_failures + 1} workers one after the other died while they played the same chunk, the last of them "
            f"{error.last_worker.address}: their logs may say why."
        ) from error
    except CancelledError as error:
        raise GinsimError(f"the scheduler at {address} is gone.") from error
    except (CommClosedError, TimeoutError, OSError) as error:
        raise GinsimError(f"the scheduler at {address} cannot be reached: {said(error).rstrip('.')}.") from error
    except (ImportError, AttributeError) as error:
        raise UsageError(_strange("a worker", error)) from error


def _said(worker: str, answer: object) -> str:
    return answer if isinstance(answer, str) else _strange(f"the worker {worker}", answer)


def _strange(worker: str, error: object) -> str:
    """A worker could not even read what it is asked."""
    return f"{worker} lacks ginsim, or has another version of it ({error}): install the same on all machines."
