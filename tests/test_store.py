"""What is on disk is the truth: whatever happens to a run, its files are whole, and the same command completes it."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from commands import answered, called, contents, engine, ran, started, times  # noqa: F401

import ginsim
from ginsim import GinsimError, Interrupted, UsageError, simulate
from ginsim import store as stores

LIMIT = 60
"""Seconds after which a process that is waited for has failed."""


def wait_for(happened: Callable[[], object], process: subprocess.Popen[str] | None = None) -> None:
    """Wait until something has happened, while a process lives."""
    end = time.monotonic() + LIMIT
    while not happened():
        assert time.monotonic() < end, "it never happened"
        assert process is None or process.poll() is None, process.communicate()
        time.sleep(0.01)


def chunks(folder: Path, table: str = "hands") -> list[Path]:
    return sorted((folder / table).glob("*.parquet"))


def readable(folder: Path) -> int:
    """How many rows the Parquet files of a folder hold, each of which must be whole."""
    return sum(len(pl.read_parquet(file)) for file in folder.rglob("*.parquet"))


def leftovers(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".parquet", ".json")]


# Stopped on the way


@pytest.mark.parametrize(
    ("options", "rows_each", "smaller"),
    [
        (["--rules", "eaai", "--hands", "100m", "--chunk", "20k"], 20_000, ["--rules", "eaai", "--chunk", "20k", "--hands"]),
        (["--matches", "20m", "--chunk", "700"], 700, ["--chunk", "700", "--matches"]),
    ],
)
def test_an_interrupt_keeps_what_was_finished_and_says_how_to_go_on(
    options: list[str], rows_each: int, smaller: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "a run"
    process = started("simulate", *options, "--seed", 7, "--out", folder)
    wait_for(lambda: len(chunks(folder)) >= 3, process)
    process.send_signal(signal.SIGINT)
    output, message = process.communicate(timeout=LIMIT)
    assert (process.returncode, output) == (130, "")
    lines = [line for line in message.splitlines() if not line.startswith("Compiling")]
    assert len(lines) == 1
    found = re.fullmatch(r"Stopped at ([\d,]+) of ([\d,]+) (hands|matches); all of them are in (.+)\. Continue: (.+)", lines[0])
    assert found, lines
    assert found[4] == str(folder)
    assert shlex.split(found[5]) == ["ginsim", "resume", str(folder)]
    stored = int(found[1].replace(",", ""))
    assert stored == rows_each * len(chunks(folder))
    assert readable(folder) > 0
    assert leftovers(folder) == []

    # To resume it would take long: it is the same run, so a smaller number, no smaller than what is there, is the same.
    run = ginsim.open_run(folder)
    assert json.loads((folder / "asked.json").read_text()) == {"first": 0, "count": int(found[2].replace(",", ""))}
    assert called("simulate", *smaller, run.count - 1, "--seed", 7, "--out", folder).exit_code == 2
    enough = run.count + rows_each // 2
    answered("simulate", *smaller, enough, "--seed", 7, "--out", folder)
    answered("simulate", *smaller, enough, "--seed", 7, "--out", tmp_path / "undisturbed")
    assert contents(folder) == contents(tmp_path / "undisturbed")
    assert ginsim.open_run(folder).table_hash() == ginsim.open_run(tmp_path / "undisturbed").table_hash()


def test_a_second_interrupt_is_no_traceback(tmp_path: Path) -> None:
    process = started("simulate", "--hands", "100m", "--seed", 7, "--out", tmp_path / "run", "--chunk", "20k")
    wait_for(lambda: chunks(tmp_path / "run"), process)
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    message = process.communicate(timeout=LIMIT)[1]
    assert "Traceback" not in message
    # A shell calls both 130: the second signal may meet a process that is already on its way out.
    assert process.returncode in (130, -signal.SIGINT)
    assert readable(tmp_path / "run") > 0


def test_an_interrupt_without_a_folder_says_that_nothing_is_kept() -> None:
    # The bar of a terminal would show when it plays; without one there is nothing to wait for but time.
    process = started("simulate", "--hands", "10000m", "--workers", "2")
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    output, message = process.communicate(timeout=LIMIT)
    assert (process.returncode, output) == (130, "")
    assert "Traceback" not in message
    assert not message or "nothing is stored (--out DIR stores a run)." in message or "Compiling" in message


@pytest.mark.parametrize("unit", ["hands", "matches"])
def test_a_killed_run_leaves_whole_files_and_is_completed_by_the_same_command(unit: str, tmp_path: Path) -> None:
    size = {"hands": 20_000, "matches": 700}[unit]
    command = ["simulate", "--rules", "three-handed", "--seed", 7, "--chunk", size]
    folder = tmp_path / "run"
    process = started(*command, f"--{unit}", "10m", "--out", folder)
    wait_for(lambda: len(chunks(folder)) >= 3, process)
    process.kill()
    process.communicate(timeout=LIMIT)
    assert process.returncode == -signal.SIGKILL
    assert readable(folder) > 0
    assert all(path.name.startswith(".") and path.suffix == ".part" for path in leftovers(folder))
    # What a process that died in the middle of a file leaves.
    (folder / "hands" / ".00000001.parquet.99999.part").write_bytes(b"PAR1 half a file")
    (folder / ".plan.json.99999.part").write_text("{")
    count = (len(chunks(folder)) + 1) * size + 5
    answered(*command, f"--{unit}", count, "--out", folder)
    answered(*command, f"--{unit}", count, "--out", tmp_path / "undisturbed")
    assert leftovers(folder) == []
    assert contents(folder) == contents(tmp_path / "undisturbed")


def test_a_chunk_that_is_being_replaced_stays_until_the_new_one_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulate(matches=50, seed=7, chunk=100, out=tmp_path)
    before = contents(tmp_path / "hands") | contents(tmp_path / "games") | contents(tmp_path / "matches")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for table in ("matches", "games", "hands"):
        whole = Path.write_bytes
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_bytes", lambda path, content: (full if path.parent.name == table else whole)(path, content))
            with pytest.raises(GinsimError) as caught:
                simulate(matches=100, seed=7, chunk=100, out=tmp_path)
        assert str(caught.value) == f"{tmp_path / table / '00000000.parquet'} could not be written: No space left on device."
        assert contents(tmp_path / "hands") | contents(tmp_path / "games") | contents(tmp_path / "matches") == before
    assert simulate(matches=100, seed=7, chunk=100, out=tmp_path).table_hash() == simulate(matches=100, seed=7).table_hash()


def test_a_process_that_dies_between_the_files_of_a_chunk_loses_no_more_than_that_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files of a chunk are three names; a process may die after any of them."""
    expected = simulate(matches=150, seed=7).table_hash()
    for deadly in range(3):
        folder = tmp_path / str(deadly)
        simulate(matches=130, seed=7, chunk=100, out=folder)
        rename, renamed = os.replace, []

        def dying(source: Path, target: Path) -> None:
            if target.suffix == ".parquet":
                if len(renamed) == deadly:
                    raise SystemExit
                renamed.append(target)
            rename(source, target)

        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", dying)
            with pytest.raises(SystemExit):
                simulate(matches=150, seed=7, chunk=100, out=folder, workers=1)
        run = ginsim.open_run(folder)
        assert run.frame("matches")["match"].to_list() == list(range(100)), deadly
        assert run.report()["matches"] == 100
        assert simulate(matches=150, seed=7, chunk=100, out=folder).table_hash() == expected


def test_an_interrupt_in_the_api_is_an_error_that_tells_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupting(stop_after: int) -> Callable[..., Iterator[Any]]:
        whole = ginsim.simulation.run

        def run(*arguments: Any) -> Iterator[Any]:
            for number, outcome in enumerate(whole(*arguments)):
                if number == stop_after:
                    raise KeyboardInterrupt
                yield outcome

        return run

    monkeypatch.setattr(ginsim.simulation, "run", interrupting(3))
    with pytest.raises(Interrupted, match=r"Stopped at .* of 100,000 hands; all of them are in .* Continue: ginsim resume") as caught:
        simulate("gin", hands=100_000, seed=7, chunk=1000, out=tmp_path, workers=1)
    monkeypatch.undo()
    # A notebook keeps the error, and with it whatever the error holds; the folder is free all the same.
    assert caught.value.exit_code == 130
    simulate("gin", hands=100_000, seed=7, chunk=1000, out=tmp_path)
    with pytest.raises(Interrupted, match="nothing is stored"):
        monkeypatch.setattr(ginsim.simulation, "run", interrupting(0))
        simulate("gin", hands=1000, seed=7)


# Files that are missing or damaged


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of five chunks."""
    simulate("gin", hands=45, seed=3, chunk=10, out=tmp_path / "run")
    return tmp_path / "run"


def test_a_missing_chunk_is_noted_and_the_named_command_plays_it_again(run: Path) -> None:
    before = contents(run)
    chunks(run)[2].unlink()
    reported = called("report", run)
    assert reported.exit_code == 0
    assert "  35 hands " in reported.stdout
    note = re.fullmatch(r"Note: .* chunk 2 is missing\. Complete it: (.*)\n", reported.stderr)
    assert note, reported.stderr
    exported = called("export", run, "--to", "-")
    assert (exported.exit_code, len(exported.stdout.splitlines()), exported.stderr) == (0, 1 + 35, reported.stderr)
    answered(*shlex.split(note[1])[1:])
    assert contents(run) == before
    assert called("report", run).stderr == ""


def test_a_run_with_gaps_is_as_long_as_it_reaches(run: Path) -> None:
    before = contents(run)
    for index in (0, 1, 3):
        chunks(run)[0 if index == 0 else 1 if index == 3 else 0].unlink()
    for fewer in (15, 44):
        with pytest.raises(UsageError, match="already holds 45 hands: ask for as many or more"):
            simulate("gin", hands=fewer, seed=3, chunk=10, out=run)
    assert ginsim.open_run(run).count == 45
    simulate("gin", hands=45, seed=3, chunk=10, out=run)
    assert contents(run) == before


@pytest.mark.parametrize("table", ["hands", "games", "matches"])
def test_a_chunk_without_one_of_its_files_counts_as_missing(table: str, tmp_path: Path) -> None:
    whole = simulate(matches=30, seed=3, chunk=10, out=tmp_path)
    before, expected = contents(tmp_path), whole.table_hash()
    chunks(tmp_path, table)[1].unlink()
    rest = ginsim.open_run(tmp_path)
    assert rest.gaps == (1,)
    assert rest.report()["matches"] == rest.frame("matches").height == rest.frame("games")["match"].n_unique() == 20
    assert simulate(matches=30, seed=3, chunk=10, out=tmp_path).table_hash() == expected
    assert contents(tmp_path) == before


@pytest.mark.parametrize("content", [b"", b"PAR1", b"rubbish" * 100, None])
def test_a_damaged_file_is_named_with_what_to_do(run: Path, content: bytes | None) -> None:
    before = contents(run)
    damaged = chunks(run)[1]
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[: len(whole) // 2] if content is None else content)
    for arguments in (
        ["report", run],
        ["export", run, "--to", run.parent / "hands.csv"],
        ["export", run, "--to", "-"],
    ):
        result = called(*arguments)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert re.fullmatch(
            rf"Error: {re.escape(str(damaged))} is damaged \(.+\): `ginsim resume {run}` plays it again\.\n", result.stderr
        ), result.stderr
    assert not (run.parent / "hands.csv").exists()
    broken = damaged.read_bytes()
    for again in (["resume", run], ["simulate", "--rules", "gin", "--hands", 45, "--out", run]):
        damaged.write_bytes(broken)
        others = times(run / "hands")
        result = called(*again)
        assert (result.exit_code, result.stderr) == (0, "Note: chunk 1 was damaged and has been played again.\n")
        assert contents(run) == before
        changed = {name for name, time in times(run / "hands").items() if others[name] != time}
        assert changed <= {".", damaged.name}


def test_a_torn_file_is_played_again_wherever_it_was_torn(run: Path) -> None:
    before = contents(run)
    last = chunks(run)[-1]
    whole = last.read_bytes()
    for length in range(0, len(whole), len(whole) // 20):
        last.write_bytes(whole[:length])
        with pytest.raises(GinsimError, match="is damaged"):
            ginsim.open_run(run)
        assert ginsim.resume(run, workers=1).replaced == (4,)
        assert contents(run) == before


def test_what_does_not_belong_to_a_run_is_left_alone(run: Path) -> None:
    others = ["notes.txt", "hands/notes.parquet", "hands/00000001.csv", ".hands.csv.12.part"]
    for name in others:
        (run / name).write_text("mine")
    simulate("gin", hands=50, seed=3, chunk=10, out=run)
    assert [(run / name).read_text() for name in others] == ["mine"] * len(others)
    assert ginsim.open_run(run).report()["hands"] == 50


# What a folder may hold


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        (["--seed", 4], "seed is 3 there and 4 here"),
        (["--rules", "hollywood"], "format is game there and hollywood here"),
        (["--set", "gin_bonus=20"], "gin_bonus is 25 there and 20 here"),
        (["--set", "big_gin_bonus=0"], "big_gin_bonus is not in use there and 0 here"),
        (["--strategy", "simple:knock=0"], "A is simple there and simple:knock=0 here"),
        (["--strategy", "simple", "--strategy", "random"], "B is simple there and random here"),
        (["--mirror"], "mirror is not in use there and in use here"),
        (["--chunk", 20], "chunk is 10 there and 20 here"),
        (["--matches", 45], "unit is hands there and matches here"),
    ],
)
def test_another_run_in_the_folder_is_refused_and_stays_as_it_is(run: Path, options: list[Any], difference: str) -> None:
    usual = {"--rules": "gin", "--hands": 45, "--seed": 3, "--chunk": 10}
    if "--matches" in options:
        del usual["--hands"]
    before = contents(run), times(run)
    result = called("simulate", "--out", run, *(word for pair in usual.items() for word in pair), *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {run} holds another run: {difference}. Name another folder.\n"
    assert (contents(run), times(run)) == before


@pytest.mark.parametrize("field", ["engine", "schema"])
@pytest.mark.parametrize("version", [0, 999])
def test_a_run_of_another_version_can_be_read_but_does_not_go_on(run: Path, field: str, version: int) -> None:
    plan = json.loads((run / "plan.json").read_text())
    (run / "plan.json").write_text(json.dumps({**plan, field: version}))
    before = contents(run)
    assert ginsim.open_run(run).report()["hands"] == 45
    assert len(answered("export", run, "--to", "-").splitlines()) == 46
    result = called("simulate", "--rules", "gin", "--hands", 60, "--seed", 3, "--chunk", 10, "--out", run)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"Error: {run} was played by another version of ginsim ({field} is {version} there and {plan[field]} here), "
        "and can be read but not go on: name another folder.\n"
    )
    assert called("resume", run).stderr == result.stderr
    assert contents(run) == before


def test_a_player_of_another_version_does_not_go_on(run: Path) -> None:
    plan = json.loads((run / "plan.json").read_text())
    plan["players"][1]["version"] = 999
    (run / "plan.json").write_text(json.dumps(plan))
    assert ginsim.open_run(run).report()["hands"] == 45
    with pytest.raises(UsageError, match=r"B is simple \(version 999\) there and simple \(version 1\) here"):
        simulate("gin", hands=60, seed=3, chunk=10, out=run)


def test_fewer_than_are_there_are_refused(run: Path) -> None:
    before = contents(run), times(run)
    result = called("simulate", "--rules", "gin", "--hands", 44, "--seed", 3, "--chunk", 10, "--out", run)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {run} already holds 45 hands: ask for as many or more.\n"
    assert (contents(run), times(run)) == before


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b"7",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        {"seed": -1},
        {"seed": 2**64},
        {"seed": True},
        {"seed": "1"},
        {"chunk": 0},
        {"chunk": 1.5},
        {"mirror": 0},
        {"unit": "games"},
        {"engine": None},
        {"schema": []},
        {"rules": {}},
        {"rules": []},
        {"rules": {"format": "chess"}},
        {"rules_name": 3},
        {"players": []},
        {"players": {}},
        {"players": [None, None]},
        {"players": [{"strategy": "nobody", "version": 1, "parameters": {}}] * 2},
        {"players": [{"strategy": "simple", "version": 1, "parameters": {"knock": 11}}] * 2},
        {"players": [{"strategy": "simple", "version": 1, "parameters": {"luck": 1}}] * 2},
        {"players": [{"strategy": [], "version": 1, "parameters": []}] * 2},
    ],
    ids=str,
)
def test_a_plan_that_is_none_is_a_line(run: Path, content: bytes | dict[str, Any]) -> None:
    path = run / "plan.json"
    if isinstance(content, dict):
        content = json.dumps(json.loads(path.read_text()) | content).encode()
    path.write_bytes(content)
    before = contents(run)
    for arguments in (
        ["report", run],
        ["export", run, "--to", "-"],
        ["simulate", "--out", run, "--hands", 45],
        ["simulate", "--out", run, "--hands", 45, "--seed", 3],
    ):
        result = called(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert re.fullmatch(rf"Error: {re.escape(str(path))} is not the plan of a run: .+[^.]\.\n", result.stderr), result.stderr
    assert contents(run) == before


def test_every_part_of_a_plan_is_needed(run: Path) -> None:
    plan = json.loads((run / "plan.json").read_text())
    # What is kept was not to be chosen once.
    for name in plan.keys() - {"keep"}:
        (run / "plan.json").write_text(json.dumps({key: value for key, value in plan.items() if key != name}))
        with pytest.raises(UsageError, match=f"{name} is missing"):
            ginsim.open_run(run)


@pytest.mark.parametrize("occupant", ["notes.txt", ".hidden", "hands/00000000.parquet", "plan.json/x"])
def test_a_folder_with_something_else_is_refused_and_stays_as_it_is(occupant: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / occupant).parent.mkdir(parents=True)
    (folder / occupant).write_text("mine")
    before = contents(folder), times(folder)
    result = called("simulate", "--hands", 5, "--out", folder)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {folder} already holds something else: name a folder that is empty or new.\n"
    assert (contents(folder), times(folder)) == before


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    result = called("simulate", "--hands", 5, "--out", tmp_path / "file")
    assert (result.exit_code, result.stderr) == (2, f"Error: {tmp_path / 'file'} is a file: --out names a folder.\n")
    result = called("simulate", "--hands", 5, "--out", tmp_path / "file" / "run")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {tmp_path / 'file' / 'run'} cannot be written: Not a directory.\n"
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", ["new/and deep", "with space", "ünï ♠", "slash/", "./dot/../dot", "-dash", "empty"])
def test_folders_may_be_called_anything(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "dot").mkdir()
    first = json.loads(answered("simulate", "--hands", 5, "--seed", 1, f"--out={name}", "--format", "json"))
    second = json.loads(answered("report", "--format", "json", "--", name))
    assert first["hash"] == second["hash"]
    assert first["command"] == second["command"]
    words = shlex.split(first["command"])
    words[words.index("--hands") + 1] = "10"
    answered(*words[1:])
    assert json.loads(answered("report", "--format", "json", "--", name))["hands"] == 10


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a file system that takes no folders, such as /proc")
def test_a_place_that_takes_no_folder_is_found_before_the_first_hand() -> None:
    result = called("simulate", "--hands", 5, "--out", "/proc/ginsim/run")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "Error: /proc/ginsim/run cannot be written: No such file or directory.\n"


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_may_not_be_written_is_found_before_the_first_hand(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o555)
    for out in (tmp_path / "locked", tmp_path / "locked" / "run"):
        result = called("simulate", "--hands", 5, "--out", out)
        assert (result.exit_code, result.stderr) == (1, f"Error: {out} cannot be written: Permission denied.\n")


def test_a_run_that_may_not_be_written_is_found_before_the_first_hand(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Modes do not keep the superuser out, so the question is answered for them.
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK or Path(path) != run)
    result = called("simulate", "--rules", "gin", "--hands", 60, "--seed", 3, "--chunk", 10, "--out", run)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"Error: {run} cannot be written: Permission denied.\n")


def test_a_disk_without_room_is_found_before_the_first_hand(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(run)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=999_000_000))
    for out, more, room in [
        (run.parent / "new", ["--hands", "1000m"], "1,000,000,000 hands need up to 12.0 GB, and 999.0 MB are free."),
        (run.parent / "new", ["--matches", "1000m"], "1,000,000,000 matches need up to 300.0 GB, and 999.0 MB are free."),
        (run, ["--rules", "gin", "--hands", "1000m", "--chunk", 10], "999,999,955 hands need up to 12.0 GB, and 999.0 MB are free."),
    ]:
        result = called("simulate", "--seed", 3, "--out", out, *more)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.endswith(f": {room}\n"), result.stderr
    assert not (run.parent / "new").exists()


def test_what_is_said_of_the_room_is_enough(tmp_path: Path) -> None:
    """The guess may be too large, never much too small."""
    for rules in ("gin", "hollywood", "three-handed"):
        for unit, count in (("hands", 20_000), ("matches", 1500)):
            simulate(rules, **{unit: count}, seed=1, out=tmp_path / rules / unit)
            used = sum(file.stat().st_size for file in (tmp_path / rules / unit).rglob("*.parquet"))
            assert count * stores.BYTES[unit] / 5 < used < count * stores.BYTES[unit]


# Two at once


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has such locks")
def test_a_second_process_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    process = started("simulate", "--hands", "100m", "--seed", 7, "--out", tmp_path / "run", "--chunk", "20k")
    wait_for(lambda: chunks(tmp_path / "run"), process)
    arguments = ["simulate", "--hands", "100m", "--seed", 7, "--out", tmp_path / "run", "--chunk", "20k"]
    refused = called(*arguments)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == f"Error: {tmp_path / 'run'}: another ginsim is writing here; wait for it, or name another folder.\n"
    # Whoever reads is welcome.
    assert ginsim.open_run(tmp_path / "run").report()["hands"] > 0
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=LIMIT)
    count = ginsim.open_run(tmp_path / "run").count
    simulate(hands=count, seed=7, chunk=20_000, out=tmp_path / "run")


# A disk that fills


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB; who may not mount one does without."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here; a limit on the size of files stands in")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def test_a_disk_that_fills_ends_the_run_in_a_line_and_what_was_finished_is_kept(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(small_disk)
    # The look at the disk beforehand would find it: others may fill a disk meanwhile.
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10**12))
    for unit, count, size in (("hands", "200k", 3000), ("matches", "20k", 300)):
        folder = small_disk / unit
        result = called("simulate", f"--{unit}", count, "--seed", 7, "--chunk", size, "--out", folder)
        assert (result.exit_code, result.stdout) == (1, "")
        assert re.fullmatch(
            rf"Error: {folder}/(hands|games|matches)/\d{{8}}\.parquet could not be written: No space left on device\.\n", result.stderr
        ), result.stderr
        assert leftovers(folder) == []
        done = ginsim.open_run(folder)
        kept = done.report()[unit]
        assert kept > 0
        whole = simulate(**{unit: done.count}, seed=7)
        key = {"hands": "hand", "matches": "match"}[unit]
        numbers = done.frame(unit)[key]
        assert done.frame(unit).equals(whole.frame(unit).filter(pl.col(key).is_in(numbers.implode())))
        shutil.rmtree(folder)


def test_a_disk_that_is_read_only_is_found_before_the_first_hand(small_disk: Path) -> None:
    simulate(hands=20, seed=7, out=small_disk / "run")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    for out in (small_disk / "new", small_disk / "run"):
        result = called("simulate", "--hands", 40, "--seed", 7, "--out", out)
        assert (result.exit_code, result.stdout) == (1, "")
        assert re.fullmatch(rf"Error: {out} cannot be written: (Read-only file system|Permission denied)\.\n", result.stderr), result.stderr
    assert ginsim.open_run(small_disk / "run").report()["hands"] == 20
    result = called("export", small_disk / "run", "--to", small_disk / "hands.csv")
    assert result.exit_code == 1
    assert result.stderr == f"Error: {small_disk / 'hands.csv'} could not be written: Read-only file system.\n"


def test_files_that_may_not_grow_end_the_run_in_a_line(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    arguments = ["simulate", "--hands", "100k", "--seed", 7, "--out", tmp_path / "run"]
    simulate(hands=40_000, seed=7, chunk=10_000, out=tmp_path / "run")

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    before = contents(tmp_path / "run" / "hands")
    done = ran(*arguments, "--chunk", "10k", preexec_fn=limited)
    assert (done.returncode, done.stdout) == (1, "")
    error = done.stderr.splitlines()[-1]
    assert re.fullmatch(rf"Error: {tmp_path}/run/hands/\d{{8}}\.parquet could not be written: File too large\.", error), done.stderr
    assert contents(tmp_path / "run" / "hands") == before
    assert leftovers(tmp_path / "run") == []


def test_a_worker_that_fails_ends_the_run_and_what_was_finished_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = ginsim.simulation.play_chunk

    def failing(plan: Any, chunk: Any, watch: Any) -> Any:
        if chunk.index == 7:
            raise GinsimError("simple in seat A threw something.")
        return play(plan, chunk, watch)

    monkeypatch.setattr(ginsim.simulation, "play_chunk", failing)
    result = called("simulate", "--hands", 2000, "--seed", 7, "--chunk", 100, "--workers", 2, "--out", tmp_path / "run")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "Error: simple in seat A threw something.\n")
    monkeypatch.undo()
    done = ginsim.open_run(tmp_path / "run")
    assert 0 < done.report()["hands"] < 2000
    assert simulate(hands=2000, seed=7, chunk=100, out=tmp_path / "run").table_hash() == simulate(hands=2000, seed=7).table_hash()
