"""A Dask cluster on this machine, of real processes, as anyone would start them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from commands import ENVIRONMENT

PATIENCE = 90.0


class DaskCluster:
    """``dask scheduler`` and ``dask worker`` processes, in a folder of their own with nothing in it. Close it when done."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self._napping = folder / "napping"
        self._napping.mkdir()
        self.environment = {**ENVIRONMENT, "NAPPING": str(self._napping), **(environment or {})}
        self.processes: list[subprocess.Popen[bytes]] = []
        self._file = folder / "scheduler.json"
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", self._file)
        self.scheduler = self._start("scheduler", *options)
        until(self._file.exists)
        until(lambda: self._file.read_text().endswith("}"))
        self.address: str = json.loads(self._file.read_text())["address"]

    def worker(self, *, preload: str | None = None) -> subprocess.Popen[bytes]:
        """One more worker with one thread; ``preload`` is Python that it runs first."""
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0", "--host", "127.0.0.1"]
        if preload is not None:
            script = self.folder / f"preload{len(self.processes)}.py"
            script.write_text(preload)
            options += ["--preload", str(script)]
        return self._start("worker", self.address, *options)

    def _start(self, *arguments: object) -> subprocess.Popen[bytes]:
        with (self.folder / f"log{len(self.processes)}.txt").open("wb") as log:
            command = [sys.executable, "-m", "dask", *map(str, arguments)]
            process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def wait_for_workers(self, count: int) -> None:
        """Wait until the scheduler knows so many workers, no more and no fewer."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            until(lambda: len(client.nthreads()) == count)

    def players(self) -> list[str]:
        """The numbers of the processes in which a player that takes naps has played."""
        return [file.name for file in self._napping.iterdir()]

    def hurry(self) -> None:
        """No more naps."""
        (self._napping / "hurry").touch()

    def close(self) -> None:
        """End all that was started here."""
        for process in reversed(self.processes):
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process as a lost machine would."""
    if process.poll() is None:
        process.kill()
    process.wait()


def until(condition: Callable[[], object]) -> None:
    """Wait until something is so, and not for ever."""
    end_at = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end_at, "it does not come about"
        time.sleep(0.05)


def chunk_files(folder: Path) -> int:
    """How many chunks are stored."""
    return len([name for name in os.listdir(folder / "hands") if name[0] != "."]) if (folder / "hands").is_dir() else 0
