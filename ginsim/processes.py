"""Workers that are processes: for players in plain Python, which would only wait for each other as threads.

Each is an interpreter of its own that takes chunks from its standard input and answers on its standard output, in pickles. It is started
afresh and not forked, which Polars would not survive, and knows nothing of the script that started it, which therefore needs no
``if __name__ == "__main__"``. It ends when its input does, however that comes about, and so do the programs that it started.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from queue import Queue
from typing import IO, Any

import polars as pl

from ginsim.errors import GinsimError
from ginsim.plan import Chunk, Plan
from ginsim.runner import Stopped, Watch, play_chunk

_TO_END = 3.0
_TICK = 0.1


class Processes:
    """Some processes that play chunks of plans. Close them when done."""

    def __init__(self, count: int, plans: Sequence[Plan]) -> None:
        self._idle: Queue[_Process] = Queue()
        self._all = [_Process(plans) for _ in range(count)]
        for process in self._all:
            self._idle.put(process)

    def play(self, number: int, chunk: Chunk, watch: Watch) -> dict[str, pl.DataFrame]:
        """What :func:`ginsim.runner.play_chunk` gives for the plan of this number, played by the first process that is free.

        Raises:
            Stopped: the stop flag was raised, or the processes were closed.
            GinsimError: as there, or the process died.
        """
        process = self._idle.get()
        try:
            return process.play(number, chunk, watch)
        finally:
            self._idle.put(process)

    def close(self) -> None:
        """End all of them, whatever they are doing."""
        for process in self._all:
            process.hang_up()
        for process in self._all:
            process.end()


class _Process:
    """The parent's end of a worker."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self._plans = plans
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self._lock = threading.Lock()

    def play(self, number: int, chunk: Chunk, watch: Watch) -> dict[str, pl.DataFrame]:
        """Have a chunk played, and show in ``watch`` how far it is."""
        process = self._started()
        try:
            _send(process.stdin, (number, chunk))
            while True:
                kind, content = pickle.load(process.stdout)
                if kind == "progress":
                    watch.running[chunk.index] = content
                elif kind == "failed":
                    raise content
                else:
                    return content
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            if self._is_closed or watch.stop[0]:
                raise Stopped from None
            code = process.wait()
            raise GinsimError(f"a worker died (exit code {code}): with --workers 1 everything is played in one process.") from None
        finally:
            watch.running.pop(chunk.index, None)

    def _started(self) -> subprocess.Popen[bytes]:
        """The process, which is started when it is first needed."""
        with self._lock:
            if self._is_closed:
                raise Stopped
            if self._process is None:
                path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
                self._process = subprocess.Popen(
                    # Its parent's number is for those who look at a list of processes.
                    [sys.executable, "-P", "-m", "ginsim.processes", str(os.getpid())],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=os.environ | {"PYTHONPATH": path},
                )
                _send(self._process.stdin, self._plans)
            return self._process

    def hang_up(self) -> None:
        """Tell it to end."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                try:
                    self._process.stdin.close()
                except OSError:
                    pass

    def end(self) -> None:
        """Wait until it has ended, and not for ever."""
        if self._process is not None:
            try:
                self._process.wait(_TO_END)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


def _send(stream: IO[bytes], content: Any) -> None:
    pickle.dump(content, stream)
    stream.flush()


class _Worker:
    """The worker's end."""

    def __init__(self, tasks: IO[bytes], answers: IO[bytes]) -> None:
        self._answers = answers
        self._tasks = tasks
        self._lock = threading.Lock()
        self._todo: Queue[tuple[int, Chunk]] = Queue()
        self._plans: Sequence[Plan] = pickle.load(tasks)

    def run(self) -> None:
        """Play what comes, until the input ends."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            number, chunk = self._todo.get()
            watch = Watch()
            done = threading.Event()
            ticker = threading.Thread(target=self._report, args=(chunk, watch, done), daemon=True)
            ticker.start()
            try:
                answer = "done", play_chunk(self._plans[number], chunk, watch)
            except GinsimError as error:
                error.__cause__ = error.__context__ = None
                answer = "failed", error
            finally:
                done.set()
                ticker.join()
            self._say(*answer)

    def _listen(self) -> None:
        try:
            while True:
                self._todo.put(pickle.load(self._tasks))
        except (EOFError, OSError):
            # Nobody is there any more, and whatever is being played is of no use.
            _leave(0)

    def _report(self, chunk: Chunk, watch: Watch, done: threading.Event) -> None:
        while not done.wait(_TICK):
            progress = watch.running.get(chunk.index)
            if progress is not None:
                self._say("progress", {name: int(progress[name]) for name in ("hands", "matches")})

    def _say(self, *message: Any) -> None:
        try:
            with self._lock:
                _send(self._answers, message)
        except OSError:
            _leave(1)


def _leave(code: int) -> None:
    """End this process at once, and the programs that it started."""
    process = sys.modules.get("ginsim.strategies.process")
    if process is not None:
        process.kill_all()
    os._exit(code)


def main() -> None:
    """What a worker runs."""
    # To be stopped is the parent's business, who hangs up; a service that is stopped may tell all its processes at once.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: None)
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # What a player prints goes to the screen, and what it reads is empty: the streams are taken.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    try:
        worker = _Worker(tasks, answers)
    except EOFError:
        return
    worker.run()


if __name__ == "__main__":
    main()
