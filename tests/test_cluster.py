"""Runs on a Dask cluster, on loopback: the same run as on one machine, whatever happens to the workers."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import polars
import pytest
from commands import called, contents, engine, ran, started
from dask_cluster import DaskCluster, chunk_files, end, until

import ginsim
from ginsim.errors import GinsimError, UsageError

__all__ = ["engine"]

BOT = '''
class Bot:
    def take(self, view):
        return view.makes_meld(view.top)

    def discard(self, view):
        return view.random.choice(view.best_discards())

    def knock(self, view):
        return view.deadwood <= 7
'''

#: Ends Python's knowledge of a version: of Polars the worker then has another than everybody else.
OTHER_POLARS = """
from importlib import metadata
known = metadata.version
metadata.version = lambda package: "0.0.1" if package == "polars" else known(package)
"""

NO_GINSIM = "import sys; sys.modules['ginsim'] = None"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    cluster = DaskCluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.worker()
        cluster.worker()
        cluster.wait_for_workers(2)
        yield cluster
    finally:
        cluster.close()


def test_a_local_cluster_plays_the_run_that_this_machine_plays(tmp_path: Path) -> None:
    run = ("--rules", "eaai", "--matches", "300", "--seed", "3", "--chunk", "50", "--format", "json")
    alone = ran("simulate", *run, "--out", tmp_path / "alone")
    local = ran("simulate", *run, "--out", tmp_path / "local", "--cluster", "local:2")
    assert (local.returncode, local.stderr) == (0, "")
    assert contents(tmp_path / "local") == contents(tmp_path / "alone")
    assert local.stdout != alone.stdout, "they name different folders and times"


def test_a_run_is_the_same_where_workers_come_and_die(cluster: DaskCluster, tmp_path: Path) -> None:
    run = {"hands": 1_500_000, "seed": 4, "chunk": 10_000}
    ginsim.simulate("gin", **run, out=tmp_path / "alone")
    doomed = cluster.worker()
    cluster.wait_for_workers(3)
    played = threading.Thread(target=ginsim.simulate, args=("gin",), kwargs={**run, "out": tmp_path / "run", "cluster": cluster.address})
    played.start()
    until(lambda: chunk_files(tmp_path / "run") >= 5)
    late = cluster.worker()
    end(doomed)
    assert chunk_files(tmp_path / "run") < 150, "it came too late"
    played.join()
    end(late)
    cluster.wait_for_workers(2)
    assert contents(tmp_path / "run") == contents(tmp_path / "alone")
