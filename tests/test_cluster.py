"""Runs on a Dask cluster, on loopback: the same run as on one machine, whatever happens to the workers."""

from __future__ import annotations

import hashlib
import json
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import polars
import pytest
from commands import answered, called, contents, engine, python, ran, started
from dask_cluster import DaskCluster, chunk_files, end, until
from object_store import ObjectStore

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

#: On a worker of the tests' cluster it takes its time until it is to hurry, and leaves the number of its process.
NAPPER = """
import os, pathlib, time

class Napper:
    def take(self, view):
        if "NAPPING" in os.environ:
            folder = pathlib.Path(os.environ["NAPPING"])
            (folder / str(os.getpid())).touch()
            time.sleep(0 if (folder / "hurry").exists() else 0.1)
        return view.makes_meld(view.top)

    def discard(self, view):
        return view.random.choice(view.best_discards())

    def knock(self, view):
        return True
"""

#: A worker that thinks it has another Polars than everybody else.
OTHER_POLARS = """
from importlib import metadata
def version(package, known=metadata.version):
    return "0.0.1" if package == "polars" else known(package)
metadata.version = version
"""

NO_GINSIM = "import sys; sys.modules['ginsim'] = None"


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    """An S3 server, which is a simulator, and this process as its user."""
    store = ObjectStore(tmp_path_factory.mktemp("objects"))
    try:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in store.environment.items():
                patch.setenv(name, value)
            yield store
    finally:
        store.close()


@pytest.fixture(scope="module")
def bucket(objects: ObjectStore) -> str:
    from upath import UPath

    UPath("s3://runs").fs.mkdir("runs")
    return "s3://runs"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, objects: ObjectStore) -> Iterator[DaskCluster]:
    cluster = DaskCluster(tmp_path_factory.mktemp("cluster"), objects.environment)
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


def test_a_run_is_the_same_where_workers_come_and_die(
    cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "napper.py").write_text(NAPPER)
    monkeypatch.chdir(tmp_path)
    run = {"hands": 300, "seed": 4, "chunk": 5, "strategies": ["napper.py:Napper", "simple"]}
    ginsim.simulate("gin", **run, out=tmp_path / "alone", workers=1)
    doomed = cluster.worker()
    cluster.wait_for_workers(3)
    shared = {**run, "out": tmp_path / "run", "cluster": cluster.address}
    played = threading.Thread(target=ginsim.simulate, args=("gin",), kwargs=shared)
    played.start()
    until(lambda: chunk_files(tmp_path / "run") >= 2 and str(doomed.pid) in cluster.players())
    end(doomed)
    late = cluster.worker()
    until(lambda: str(late.pid) in cluster.players())
    assert chunk_files(tmp_path / "run") < 60
    cluster.hurry()
    played.join()
    end(late)
    cluster.wait_for_workers(2)
    assert contents(tmp_path / "run") == contents(tmp_path / "alone")


def test_a_report_without_files_and_rows_in_memory_are_the_same_as_well(cluster: DaskCluster) -> None:
    alone = ginsim.simulate("hollywood", matches=60, seed=5, mirror=True, strategies="random")
    run = ginsim.simulate("hollywood", matches=60, seed=5, mirror=True, strategies="random", cluster=cluster.address)
    assert run.table_hash() == alone.table_hash()
    assert run.report(hashed=False)["rates"] == alone.report(hashed=False)["rates"]


def test_given_deals_go_along(cluster: DaskCluster, tmp_path: Path) -> None:
    (tmp_path / "deals.txt").write_text(called("deals", "--seed", 6, "--hands", 30).stdout)
    alone = ginsim.simulate("gin", deals=tmp_path / "deals.txt", seed=1)
    shared = ginsim.simulate("gin", deals=tmp_path / "deals.txt", seed=1, cluster=cluster.address)
    assert shared.table_hash() == alone.table_hash()


def test_an_interrupted_run_is_continued_by_the_cluster_and_by_this_machine(cluster: DaskCluster, tmp_path: Path) -> None:
    run = {"hands": 900, "seed": 8, "chunk": 100}
    ginsim.simulate("gin", **run, out=tmp_path / "alone")
    ginsim.simulate("gin", **{**run, "hands": 250}, out=tmp_path / "run", cluster=cluster.address)
    ginsim.simulate("gin", **{**run, "hands": 750}, out=tmp_path / "run")
    ginsim.simulate("gin", **run, out=tmp_path / "run", cluster=cluster.address)
    before = contents(tmp_path / "run")
    ginsim.simulate("gin", **run, out=tmp_path / "run", cluster=cluster.address)
    assert contents(tmp_path / "run") == before == contents(tmp_path / "alone")


# Rows in an object store


def stored_objects(folder: str) -> dict[str, str]:
    """The hash of every object of a run, by its name in there."""
    from upath import UPath

    run = UPath(folder, use_listings_cache=False)
    names = run.fs.find(run.path)
    return {name.removeprefix(f"{run.path}/"): hashlib.sha256(run.fs.cat_file(name)).hexdigest() for name in names}


def test_workers_write_their_chunks_into_an_object_store_themselves(cluster: DaskCluster, bucket: str, tmp_path: Path) -> None:
    run = {"rules": "eaai", "matches": 90, "seed": 11, "chunk": 20}
    ginsim.simulate(**run, out=tmp_path / "run")
    folder = f"{bucket}/workers"
    ginsim.simulate(**{**run, "matches": 50}, out=folder, cluster=cluster.address)
    ginsim.simulate(**run, out=folder, cluster=cluster.address)
    assert stored_objects(folder) == contents(tmp_path / "run")


def test_a_run_in_an_object_store_is_read_checked_mended_and_merged_as_any_other(bucket: str, tmp_path: Path) -> None:
    from upath import UPath

    run = ("--rules", "gin", "--hands", 250, "--seed", 12, "--chunk", 100)
    here, there = tmp_path / "run", f"{bucket}/whole"
    assert "s3://runs/whole" in answered("simulate", *run, "--out", there)
    answered("simulate", *run, "--out", here)
    whole = contents(here)
    assert stored_objects(there) == whole
    assert json.loads(answered("report", there, "--format", "json"))["hash"] == ginsim.open_run(here).table_hash()
    for folder, target in ((there, "there.csv"), (here, "here.csv")):
        answered("export", folder, "--to", tmp_path / target)
    assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
    assert "is whole: 250 hands in 3 chunks" in answered("check", there)

    chunk = UPath(f"{there}/hands/00000001.parquet")
    content = bytearray(chunk.read_bytes())
    content[len(content) // 2] ^= 1
    chunk.write_bytes(bytes(content))
    found = called("check", there)
    assert found.exit_code == 1
    assert "chunk 1, hands/00000001.parquet: damaged" in found.stdout
    assert called("resume", there).exit_code == 0
    assert stored_objects(there) == whole

    answered("simulate", *run[:2], "--hands", 100, *run[4:], "--first", 300, "--out", tmp_path / "more")
    called("merge", tmp_path / "both", there, tmp_path / "more")
    called("merge", f"{bucket}/both", there, tmp_path / "more")
    assert stored_objects(f"{bucket}/both") == contents(tmp_path / "both")


def test_a_bucket_that_is_not_there_is_said_in_a_line(bucket: str) -> None:
    result = called("simulate", "--hands", 10, "--out", "s3://nowhere/run")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "s3://nowhere/run/plan.json could not be written: The specified bucket does not exist." in result.stderr


@pytest.mark.parametrize("package", ["upath", "s3fs"])
def test_without_the_packages_for_an_object_store_it_names_what_to_install(package: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from ginsim.cli import main; main()"
    result = python(code, "simulate", "--hands", 10, "--out", "s3://runs/none")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "pip install 'ginsim[s3]'" in result.stderr


# Workers that cannot play


def test_a_worker_with_other_versions_is_refused_before_the_first_hand(cluster: DaskCluster, tmp_path: Path) -> None:
    strange = cluster.worker(preload=OTHER_POLARS)
    cluster.wait_for_workers(3)
    try:
        result = called("simulate", "--hands", 1000, "--seed", 1, "--cluster", cluster.address, "--out", tmp_path / "run")
    finally:
        end(strange)
        cluster.wait_for_workers(2)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert f"has Polars 0.0.1 and this machine {polars.__version__}" in result.stderr
    assert "tcp://127.0.0.1:" in result.stderr
    assert chunk_files(tmp_path / "run") == 0


def test_a_worker_without_ginsim_is_refused(cluster: DaskCluster) -> None:
    strange = cluster.worker(preload=NO_GINSIM)
    cluster.wait_for_workers(3)
    try:
        with pytest.raises(UsageError, match=r"the worker tcp://127\.0\.0\.1:\d+ lacks ginsim.*: install the same on all"):
            ginsim.simulate("gin", hands=1000, seed=1, cluster=cluster.address)
    finally:
        end(strange)
        cluster.wait_for_workers(2)


def test_a_worker_with_other_versions_that_joins_later_plays_nothing(cluster: DaskCluster, tmp_path: Path) -> None:
    run = {"hands": 20_000_000, "seed": 9, "chunk": 10_000}
    said: list[GinsimError] = []

    def play() -> None:
        try:
            ginsim.simulate("gin", **run, out=tmp_path / "run", cluster=cluster.address)
        except GinsimError as error:
            said.append(error)

    played = threading.Thread(target=play)
    played.start()
    until(lambda: chunk_files(tmp_path / "run") >= 3)
    strange = cluster.worker(preload=OTHER_POLARS)
    played.join()
    end(strange)
    cluster.wait_for_workers(2)
    assert said and "has Polars 0.0.1 and this machine" in str(said[0])
    stored = chunk_files(tmp_path / "run")
    ginsim.simulate("gin", **{**run, "hands": 30_000}, out=tmp_path / "alone")
    assert 3 <= stored < 2000
    there, alone = contents(tmp_path / "run"), contents(tmp_path / "alone")
    both = [name for name in alone if name.startswith("hands/") and name in there]
    assert both and [there[name] for name in both] == [alone[name] for name in both]


# Players of one's own


def test_a_players_file_goes_along_to_workers_that_do_not_have_it(
    cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    run = {"hands": 300, "seed": 1, "strategies": ["bot.py:Bot", "simple"]}
    alone = ginsim.simulate("gin", **run)
    assert ginsim.simulate("gin", **run, cluster=cluster.address).table_hash() == alone.table_hash()
    (tmp_path / "bot.py").write_text(BOT.replace("<= 7", "<= 1"))
    changed = ginsim.simulate("gin", **run)
    assert changed.table_hash() != alone.table_hash()
    assert ginsim.simulate("gin", **run, cluster=cluster.address).table_hash() == changed.table_hash()


def test_what_goes_wrong_in_a_player_is_said_as_on_one_machine(
    cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(BOT.replace("view.deadwood <= 7", "1 / (view.deadwood - 7)"))
    monkeypatch.chdir(tmp_path)
    run = ("simulate", "--rules", "gin", "--hands", 200, "--seed", 1, "--strategy", "bot.py:Bot", "--workers", 1)
    alone = called(*run)
    shared = called(*run[:-2], "--cluster", cluster.address)
    assert "ZeroDivisionError" in alone.stderr
    assert (shared.exit_code, shared.stderr, shared.stdout) == (alone.exit_code, alone.stderr, alone.stdout)


def test_a_players_module_must_be_on_the_workers(cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"on the worker tcp://127\.0\.0\.1:\d+: there is no module 'only_here'"):
        ginsim.simulate("gin", hands=10, seed=1, strategies="only_here:Bot", cluster=cluster.address)


# Being stopped, and addresses


def test_an_interrupt_leaves_whole_chunks_and_idle_workers(cluster: DaskCluster, tmp_path: Path) -> None:
    asked = ("simulate", "--hands", "1e9", "--rules", "gin", "--seed", 1, "--chunk", 5000)
    run = started(*asked, "--out", tmp_path / "run", "--cluster", cluster.address)
    until(lambda: chunk_files(tmp_path / "run") >= 3)
    run.send_signal(signal.SIGINT)
    said = run.communicate(timeout=60)[1]
    assert run.returncode == 130
    assert said.startswith("Stopped at ") and "Continue: ginsim" in said and said.count("\n") == 1
    stored = ginsim.open_run(tmp_path / "run")
    assert stored.frame().height >= 15_000
    from distributed import Client

    with Client(cluster.address, set_as_default=False) as client:
        until(lambda: not any(client.processing().values()))


def test_an_interrupt_while_a_local_cluster_is_started_is_a_line(tmp_path: Path) -> None:
    process = started("simulate", "--hands", "100m", "--cluster", "local:2", "--out", tmp_path / "run")
    tasks = Path(f"/proc/{process.pid}/task")
    # Dask starts its workers from another thread.
    until(lambda: any(children.read_text() for children in tasks.glob("*/children")))
    process.send_signal(signal.SIGINT)
    message = process.communicate(timeout=60)[1]
    lines = [line for line in message.splitlines() if not line.startswith("Compiling")]
    assert (process.returncode, len(lines)) == (130, 1) and lines[0].startswith("Stopped"), message


@pytest.mark.parametrize("address", ["local:0", "local:", "local:x", "here", "tcp://nowhere", ""])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    result = called("simulate", "--hands", 10, "--cluster", address)
    assert result.exit_code == 2
    assert "is no cluster: write tcp://HOST:PORT, or local:N" in result.stderr


def test_where_nobody_listens_it_says_what_starts_a_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ginsim.cluster._CONNECT_SECONDS", 0.5)
    result = called("simulate", "--hands", 10, "--cluster", "tcp://127.0.0.1:9")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "there is no Dask scheduler at tcp://127.0.0.1:9" in result.stderr
    assert "`dask scheduler` starts one" in result.stderr


def test_without_dask_it_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    result = called("simulate", "--hands", 10, "--cluster", "local:2")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "pip install 'ginsim[cluster]'" in result.stderr
