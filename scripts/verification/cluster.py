"""A Dask cluster whose workers are killed at random moments and replaced: the run is that of one machine, file by file."""

from __future__ import annotations

import os
import random
import tempfile
import threading
import time
from pathlib import Path

import ginsim
from commands import contents
from dask_cluster import DaskCluster, chunk_files, end, until
from ginsim.errors import GinsimError
from ginsim.store import place
from object_store import ObjectStore
from verification.findings import Finding, exact
from verification.scale import Scale

TITLE = "A cluster"

RUN = {"rules": "eaai", "strategies": "expert", "chunk": 20}
WORKERS = 3


def verify(scale: Scale) -> list[Finding]:
    """Runs with workers killed, into files and into an object store (a simulator), and one whose scheduler is killed."""
    findings = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        objects = ObjectStore(folder)
        try:
            os.environ.update(objects.environment)
            from upath import UPath

            UPath("s3://runs").fs.mkdir("runs")
            for number in range(scale.of(12)):
                findings.append(_hunted(folder / str(number), scale.seed + number, objects, remote=number % 2 == 1))
        finally:
            objects.close()
        findings.append(_beheaded(folder / "beheaded"))
    return findings


def _hunted(folder: Path, seed: int, objects: ObjectStore, *, remote: bool) -> Finding:
    """A run during which workers are killed and replaced, beside that of one machine."""
    (folder / "cluster").mkdir(parents=True)
    run = {**RUN, "matches": 1_000, "seed": seed}
    ginsim.simulate(**run, out=folder / "alone")
    out = f"s3://runs/{seed}" if remote else str(folder / "run")
    cluster = DaskCluster(folder / "cluster", objects.environment)
    try:
        workers = [cluster.worker() for _ in range(WORKERS)]
        cluster.wait_for_workers(WORKERS)
        play = threading.Thread(target=ginsim.simulate, kwargs={**run, "out": out, "cluster": cluster.address})
        play.start()
        chance, killed = random.Random(seed), 0
        while play.is_alive() and killed < 2 * WORKERS:
            time.sleep(chance.uniform(0.2, 2.0))
            end(workers.pop(chance.randrange(len(workers))))
            killed += 1
            workers.append(cluster.worker())
        play.join()
    finally:
        cluster.close()
    if remote:
        there = place(out)
        there.fs.get(there.path, str(folder / "run"), recursive=True)
    where = "objects" if remote else "files"
    files = len(contents(folder / "alone"))
    return exact(f"seed {seed}, {killed} workers killed: the same {where}", files, _equal(folder / "alone", folder / "run"))


def _equal(one: Path, other: Path) -> int:
    """How many files are the same in both, if neither has others."""
    first, second = contents(one), contents(other)
    return sum(first[name] == second.get(name) for name in first) if first.keys() == second.keys() else 0


def _beheaded(folder: Path) -> Finding:
    """A run whose scheduler is killed ends with a line, and is continued on one machine."""
    (folder / "cluster").mkdir(parents=True)
    run = {**RUN, "matches": 4_000, "seed": 1}
    cluster = DaskCluster(folder / "cluster")
    said: list[str] = []

    def play() -> None:
        try:
            ginsim.simulate(**run, out=folder / "run", cluster=cluster.address)
        except GinsimError as error:
            said.append(str(error))

    try:
        cluster.worker()
        cluster.wait_for_workers(1)
        played = threading.Thread(target=play)
        played.start()
        until(lambda: chunk_files(folder / "run") >= 3)
        end(cluster.scheduler)
        played.join()
    finally:
        cluster.close()
    ginsim.simulate(**run, out=folder / "alone")
    ginsim.simulate(**run, out=folder / "run")
    what = f"the scheduler killed ({said[0] if said else 'nothing said'}), and continued here: the same files"
    return exact(what, len(contents(folder / "alone")), _equal(folder / "alone", folder / "run") if said else 0)
