"""Runs over nights and machines: resumed, checked, played in parts and merged, summed up; nothing is lost and nothing played twice."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from commands import ROOT, answered, called, contents, engine, lasting, rewritten, started, times  # noqa: F401

import ginsim
from ginsim import GinsimError, UsageError, simulate
from ginsim.store import open_store
from ginsim.store.files import is_whole, read_seal

BOTS = ROOT / "tests" / "data" / "bots"
LIMIT = 60

RUNS: dict[str, dict[str, Any]] = {
    "hands": {"rules": "oklahoma", "hands": 95, "chunk": 20},
    "mirrored hands": {"rules": "eaai", "hands": 95, "mirror": True, "strategies": ["simple", "random"], "chunk": 20},
    "series": {"rules": "hollywood", "matches": 13, "chunk": 3},
    "three-handed games": {"rules": "three-handed", "matches": 17, "mirror": True, "chunk": 4},
}


def unit_of(settings: dict[str, Any]) -> str:
    return "hands" if "hands" in settings else "matches"


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix == ".parquet" or path.parent.name == "summary")


# Resuming


@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
def test_resume_plays_what_was_asked_for_last_and_a_finished_run_is_left_alone(settings: dict[str, Any], tmp_path: Path) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "run"
    simulate(**settings, seed=9, out=whole)
    shutil.copytree(whole, folder)
    before = contents(folder), times(folder)
    time.sleep(0.02)
    report = answered("resume", folder)
    assert (contents(folder), times(folder)) == before
    assert report.splitlines()[-1].strip().startswith("Again:   ginsim simulate --rules")
    # As a killed process may leave it: without the last chunks, and without one before.
    for index in (1, 3, 4):
        for table in ginsim.open_run(folder).plan.layout.tables:
            (folder / table / f"{index:08d}.parquet").unlink(missing_ok=True)
    run = ginsim.resume(folder, workers=2)
    assert run.count == settings[unit_of(settings)]
    assert contents(folder) == contents(whole)
    assert lasting(run.report()) == lasting(ginsim.open_run(whole).report())


def test_resume_goes_to_the_larger_number_of_an_extension_that_was_interrupted(tmp_path: Path) -> None:
    simulate("gin", hands=30, seed=9, chunk=20, out=tmp_path / "run")
    (tmp_path / "run" / "asked.json").write_text('{"first": 0, "count": 70}\n')
    reported = called("report", tmp_path / "run")
    assert "  30 hands " in reported.stdout
    assert reported.stderr == f"Note: this run is not finished, 40 hands are still to be played. Go on: ginsim resume {tmp_path / 'run'}\n"
    answered("resume", tmp_path / "run", "--workers", 1)
    simulate("gin", hands=70, seed=9, chunk=20, out=tmp_path / "whole")
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_resume_fills_the_gaps_of_a_run_that_notes_nothing(tmp_path: Path) -> None:
    simulate("gin", hands=50, seed=9, chunk=20, out=tmp_path)
    before = contents(tmp_path)
    (tmp_path / "asked.json").unlink()
    (tmp_path / "hands" / "00000000.parquet").unlink()
    answered("resume", tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("note", ["", "{", "[]", '{"first": 0}', '{"first": 7, "count": 5}', '{"first": 0, "count": "9"}', '{"first": 0, "count": 0}', '{"first": 0, "count": 99999999999999999999}'])
def test_a_note_that_cannot_be_read_is_a_line_and_the_same_command_writes_it_anew(note: str, tmp_path: Path) -> None:
    simulate("gin", hands=30, seed=9, chunk=20, out=tmp_path)
    before = contents(tmp_path)
    (tmp_path / "asked.json").write_text(note)
    result = called("resume", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"Error: \S+asked\.json does not say how many hands were asked for: .*\n", result.stderr)
    assert called("check", tmp_path).exit_code == 1
    answered("report", tmp_path)
    answered("simulate", "--rules", "gin", "--hands", 30, "--out", tmp_path)
    assert contents(tmp_path) == before


def test_a_run_with_given_deals_and_a_player_of_ones_own_is_resumed(tmp_path: Path) -> None:
    bot = tmp_path / "plain.py"
    shutil.copy(BOTS / "plain.py", bot)
    (tmp_path / "deals.txt").write_text(answered("deals", "--seed", 4, "--hands", 12))
    settings: dict[str, Any] = {"rules": "gin", "deals": tmp_path / "deals.txt", "strategies": [f"{bot}:MyBot:knock=3", "simple"], "chunk": 5, "seed": 2}
    simulate(**settings, out=tmp_path / "run", workers=1)
    before = contents(tmp_path / "run")
    (tmp_path / "run" / "hands" / "00000001.parquet").unlink()
    assert ginsim.resume(tmp_path / "run", workers=1).count == 12
    assert contents(tmp_path / "run") == before
    bot.write_text(bot.read_text() + "\n# another\n")
    with pytest.raises(UsageError, match=r"A is .*:MyBot:knock=3 \(source \w{12}\) there and .* \(source \w{12}\) here"):
        ginsim.resume(tmp_path / "run")


def test_a_run_whose_players_are_no_more_can_be_read(tmp_path: Path) -> None:
    """Strategies and their parameters come and go with versions of ginsim."""
    simulate("gin", hands=30, seed=9, strategies="simple:knock=4", chunk=20, out=tmp_path)
    plan = json.loads((tmp_path / "plan.json").read_text())
    for player in (
        {"strategy": "simple", "version": 0, "parameters": {"knock": 4, "courage": 7}},
        {"strategy": "gone", "version": 3, "parameters": {"x": 1}},
    ):
        (tmp_path / "plan.json").write_text(json.dumps({**plan, "engine": 0, "players": [player] * 2}))
        assert ginsim.open_run(tmp_path).report()["hands"] == 30
        assert f"{player['strategy']}:" in answered("report", tmp_path)
        assert len(answered("export", tmp_path, "--to", "-").splitlines()) == 31
        refused = called("resume", tmp_path)
        assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)


def test_a_run_from_before_there_were_checksums_can_be_read(tmp_path: Path) -> None:
    simulate("gin", hands=30, seed=9, chunk=20, out=tmp_path)
    expected = ginsim.open_run(tmp_path).report()
    for file in files(tmp_path):
        pl.read_parquet(file).write_parquet(file)
    with pytest.raises(GinsimError, match="is damaged"):
        ginsim.open_run(tmp_path)
    plan = json.loads((tmp_path / "plan.json").read_text())
    del plan["keep"]
    (tmp_path / "plan.json").write_text(json.dumps(plan | {"schema": 1}))
    (tmp_path / "asked.json").unlink()
    old = ginsim.open_run(tmp_path).report()
    assert (old["hash"], old["rates"]) == (expected["hash"], expected["rates"])
    assert answered("check", tmp_path) == f"{tmp_path} is whole: 30 hands in 2 chunks.\n"
    assert "was played by another version of ginsim (schema is 1 there and 2 here)" in called("resume", tmp_path).stderr


# Being told to end


def alive(text: str) -> list[str]:
    listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if text in line]


@pytest.mark.parametrize(("player", "to_all"), [("simple", False), ("program", True)])
def test_a_process_that_is_told_to_end_says_how_to_go_on_and_leaves_no_child(player: str, to_all: bool, tmp_path: Path) -> None:
    """A service is stopped by one signal, to its first process or to all of them."""
    shutil.copy(BOTS / "program.py", tmp_path / "program.py")
    spec = {"simple": "simple", "program": f"exec:python3 {tmp_path / 'program.py'}"}[player]
    folder = tmp_path / "run"
    size = 20_000 if player == "simple" else 20
    process = started(
        "simulate", "--rules", "gin", "--hands", "50m", "--seed", 7, "--out", folder, "--chunk", size, "--workers", 2, "--strategy", spec,
        start_new_session=True,
    )
    end = time.monotonic() + LIMIT
    while not (folder / "hands").is_dir() or len(files(folder)) < 3:
        assert time.monotonic() < end and process.poll() is None, process.communicate()
        time.sleep(0.01)
    (os.killpg if to_all else os.kill)(process.pid, signal.SIGTERM)
    output, message = process.communicate(timeout=LIMIT)
    assert (process.returncode, output) == (143, ""), message
    lines = [line for line in message.splitlines() if not line.startswith("Compiling")]
    assert len(lines) == 1, message
    assert lines[0].endswith(f"all of them are in {folder}. Continue: ginsim resume {folder}")
    assert ginsim.open_run(folder).report()["hands"] == size * len(files(folder))
    until = time.monotonic() + 5
    while alive(f"ginsim.processes {process.pid}") + alive(str(tmp_path / "program.py")) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(f"ginsim.processes {process.pid}") + alive(str(tmp_path / "program.py"))


@pytest.mark.parametrize(("unit", "workers"), [("hands", 1), ("matches", 2)])
def test_a_player_that_fails_once_in_a_while_is_shown_with_seed_and_hand_and_the_rest_is_stored(unit: str, workers: int, tmp_path: Path) -> None:
    bot = tmp_path / "moody.py"
    bot.write_text(
        '"""Fails at one hand in some hundreds."""\n\n\nclass Bot:\n    def take(self, view):\n        return False\n\n'
        "    def discard(self, view):\n        if view.random.random() < 0.001:\n            raise RuntimeError('in a mood')\n"
        "        return view.random.choice(view.best_discards())\n\n    def knock(self, view):\n        return True\n"
    )
    size = {"hands": 10, "matches": 1}[unit]
    arguments = ["simulate", "--rules", "gin", f"--{unit}", 5000, "--seed", 7, "--chunk", size, "--workers", workers]
    arguments += ["--strategy", f"{bot}:Bot", "--strategy", "simple", "--out", tmp_path / "run"]
    result = called(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    where = re.search(r"hand (\d+)(?: of match (\d+))? \(rules gin, seed 7\)", result.stderr)
    assert where and "in a mood" in result.stderr, result.stderr
    failed = int(where[2] or where[1])
    run = ginsim.open_run(tmp_path / "run")
    stored = run.frame(unit)[unit.rstrip("s") if unit == "hands" else "match"].to_list()
    assert failed not in stored
    assert set(range(failed // size * size)) <= set(stored) if workers == 1 else stored
    assert run.report()[unit] == len(stored) > 0


# Checking


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with each of the runs, with rows and summed up."""
    folder = tmp_path_factory.mktemp("wholes")
    for name, settings in RUNS.items():
        for keep in ("rows", "summary"):
            simulate(**settings, seed=9, keep=keep, out=folder / f"{name}, {keep}")
    return folder


NAMES = [f"{name}, {keep}" for name in RUNS for keep in ("rows", "summary")]


@pytest.fixture
def run(request: pytest.FixtureRequest, wholes: Path, tmp_path: Path) -> Path:
    """A copy of the run that a test names."""
    return Path(shutil.copytree(wholes / request.param, tmp_path / "run"))


@pytest.mark.parametrize("run", NAMES, indirect=True)
def test_a_whole_run_is_called_whole(run: Path) -> None:
    before = contents(run), times(run)
    found = json.loads(answered("check", run, "--format", "json"))
    assert found["whole"] and found["chunks"] == 5 and found["stored"] == found["asked"] == ginsim.open_run(run).count
    assert answered("check", run).startswith(f"{run} is whole: ")
    assert (contents(run), times(run)) == before


@pytest.mark.parametrize("run", NAMES, indirect=True)
def test_every_bit_and_every_cut_is_noticed_and_only_that_chunk_played_again(run: Path) -> None:
    before = contents(run)
    chance = random.Random(str(run.name))
    for file in files(run)[1::3]:
        whole = file.read_bytes()
        for place in (0, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(2))):
            broken = bytearray(whole)
            broken[place] ^= 1 << chance.randrange(8)
            file.write_bytes(broken)
            found = called("check", run)
            assert found.exit_code == 1, place
            assert f"  chunk {int(file.stem)}, {file.relative_to(run)}: damaged: " in found.stdout
            assert found.stdout.endswith(f"Play these again: ginsim resume {run}\n")
        file.write_bytes(whole[: chance.randrange(len(whole))])
        assert called("check", run).exit_code == 1
        others = times(run)
        result = called("resume", run)
        assert (result.exit_code, result.stderr) == (0, f"Note: chunk {int(file.stem)} was damaged and has been played again.\n")
        assert contents(run) == before
        for other in files(run):
            assert other.stem == file.stem or times(run)[str(other.relative_to(run))] == others[str(other.relative_to(run))]


def test_a_seal_is_of_all_bytes_and_other_readers_do_not_mind(wholes: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    for file in files(wholes / "series, rows"):
        content = file.read_bytes()
        assert is_whole(content)
        for place in range(0, len(content), 97):
            assert not is_whole(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]), place
        assert duckdb.sql(f"select count(*) from '{file}'").fetchall() == [(pl.read_parquet(file).height,)]
        assert read_seal(file).plan == open_store(wholes / "series, rows").plan.fingerprint()


@pytest.mark.parametrize("run", ["series, rows", "three-handed games, rows"], indirect=True)
@pytest.mark.parametrize(
    ("table", "change", "problem"),
    [
        ("hands", lambda rows: rows.with_columns(pl.col("points") + 1), "hands, row 0: points is"),
        ("hands", lambda rows: rows.with_columns(pl.col("points").cast(pl.Int64)), "hands has other columns than such a run"),
        ("hands", lambda rows: rows.drop("upcard"), "hands has other columns than such a run"),
        ("hands", lambda rows: rows.reverse(), "hands is not numbered in order"),
        ("hands", lambda rows: rows.head(len(rows) - 1), "hands is not numbered in order"),
        ("hands", lambda rows: pl.concat([rows, rows.tail(1)]), "hands is not numbered in order"),
        ("hands", lambda rows: rows.with_columns(pl.col("stock_left") + 1), "do not add up"),
        ("hands", lambda rows: rows.with_columns(pl.lit("draw").cast(rows["ending"].dtype).alias("ending")), "ending is draw and should be"),
        ("hands", lambda rows: rows.with_columns(pl.lit(None, rows["dealer"].dtype).alias("dealer")), "hands has no value of dealer"),
        ("hands", lambda rows: rows.with_columns(pl.lit("A").cast(rows["dealer"].dtype).alias("dealer")), "dealer is A and should be B"),
        ("games", lambda rows: rows.with_columns(pl.col("score_b") + 1), "games, row 0: score_b is"),
        ("games", lambda rows: rows.reverse(), "games is not numbered in order"),
        ("matches", lambda rows: rows.with_columns(pl.col("total_a") - 1), "matches, row 0: total_a is"),
        ("matches", lambda rows: rows.with_columns(pl.col("hands") + 1), "hands is not numbered in order"),
        ("matches", lambda rows: rows.with_columns(pl.col("match") + 1), "matches is not numbered in order"),
        ("matches", lambda rows: rows.head(1), "matches has 1 rows and not"),
    ],
)
def test_rows_that_cannot_be_are_found_and_played_again(run: Path, table: str, change: Callable[[pl.DataFrame], pl.DataFrame], problem: str) -> None:
    """R10 to R31: what a row says must follow from what else is stored."""
    before = contents(run)
    rewritten(run / table / "00000002.parquet", change)
    found = called("check", run)
    assert found.exit_code == 1
    assert re.search(rf"^  chunk 2, \w+/00000002\.parquet: .*{re.escape(problem)}", found.stdout, re.MULTILINE), found.stdout
    assert "chunk 1" not in found.stdout and "chunk 3" not in found.stdout
    assert ginsim.resume(run).replaced == (2,)
    assert contents(run) == before


def test_a_chunk_of_another_plan_is_found_and_played_again(wholes: Path, tmp_path: Path) -> None:
    for keep in ("rows", "summary"):
        run, other = tmp_path / f"with {keep}", tmp_path / f"{keep} of another seed"
        shutil.copytree(wholes / f"hands, {keep}", run)
        simulate(**RUNS["hands"], seed=10, keep=keep, out=other)
        before = contents(run)
        shutil.copy(files(other)[1], files(run)[1])
        found = called("check", run)
        assert found.exit_code == 1, found.stderr
        assert "chunk 1, " in found.stdout and "it belongs to a run with another plan" in found.stdout
        assert ginsim.resume(run).replaced == (1,)
        assert contents(run) == before


def test_a_chunk_under_another_number_is_found(wholes: Path, tmp_path: Path) -> None:
    for kind, name in (("hands, rows", "hands/00000002.parquet"), ("series, rows", "games/00000002.parquet"), ("series, summary", "summary/00000002.json")):
        run = Path(shutil.copytree(wholes / kind, tmp_path / kind))
        before = contents(run)
        file = run / name
        shutil.copy(file.with_stem("00000001"), file)
        moved = f"it was written as {file.parent.name}/1"
        assert f"  chunk 2, {name}: damaged: {moved}\n" in called("check", run).stdout
        # Sums do not tell which hands they are of: nobody may take them for others'.
        for command in (["report", run], ["merge", tmp_path / f"{kind} merged", run]):
            result = called(*command)
            assert (result.exit_code, result.stdout) == (1, "") and f"{file} is damaged ({moved})" in result.stderr
        assert ginsim.resume(run).replaced == (2,)
        assert contents(run) == before


def test_a_table_in_the_place_of_another_is_found(wholes: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(wholes / "series, rows", tmp_path / "run"))
    before = contents(run)
    shutil.copy(run / "hands" / "00000001.parquet", run / "games" / "00000001.parquet")
    result = called("report", run)
    assert (result.exit_code, result.stdout) == (1, "") and "(it was written as hands/1)" in result.stderr
    assert ginsim.resume(run).replaced == (1,)
    assert contents(run) == before


@pytest.mark.parametrize("broken", ["a link to nowhere", "a folder"])
def test_what_is_no_file_under_a_chunks_name_is_damaged(broken: str, wholes: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(wholes / "hands, rows", tmp_path / "run"))
    before = contents(run)
    file = files(run)[1]
    file.unlink()
    file.symlink_to("nowhere") if broken == "a link to nowhere" else file.mkdir()
    assert "  chunk 1, hands/00000001.parquet: damaged: " in called("check", run).stdout
    if file.is_dir():
        file.rmdir()
    ginsim.resume(run)
    assert contents(run) == before


def test_a_chunk_beyond_what_was_asked_for_is_named(wholes: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(wholes / "series, summary", tmp_path / "run"))
    before = contents(run)
    stray = shutil.copy(run / "summary" / "00000001.json", run / "summary" / "00000077.json")
    result = called("resume", run)
    assert result.exit_code == 2 and f"{stray} is damaged or not of this run" in result.stderr
    assert result.stderr.endswith("remove chunk 77, or ask for more.\n")
    # A name that ginsim gives to no chunk is none of the run's.
    stray.rename(stray.with_stem("77"))
    ginsim.resume(run)
    stray.with_stem("77").unlink()
    assert contents(run) == before


@pytest.mark.parametrize("run", ["hands, rows", "series, rows", "series, summary"], indirect=True)
def test_chunks_that_are_missing_are_named(run: Path) -> None:
    before = contents(run)
    for index in (1, 3, 4):
        next(file for file in files(run) if int(file.stem) == index).unlink()
    found = json.loads(called("check", run, "--format", "json").stdout)
    assert (found["whole"], found["missing"], found["faults"]) == (False, [1, 3, 4], [])
    assert found["command"] == f"ginsim resume {run}"
    assert "  chunks 1, 3, 4: not there, or not all of it\n" in called("check", run).stdout
    answered("resume", run)
    assert contents(run) == before


def test_deals_that_have_changed_are_found(tmp_path: Path) -> None:
    (tmp_path / "deals.txt").write_text(answered("deals", "--seed", 4, "--hands", 12))
    simulate("gin", deals=tmp_path / "deals.txt", seed=2, out=tmp_path / "run")
    assert ginsim.check(tmp_path / "run").is_whole
    (tmp_path / "run" / "deals.txt").write_text(answered("deals", "--seed", 5, "--hands", 12))
    assert "these are not the deals that the run was played with" in called("check", tmp_path / "run").stdout
    assert called("resume", tmp_path / "run").exit_code == 1


# Parts


@pytest.mark.parametrize("keep", ["rows", "summary"])
@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
def test_parts_merge_to_the_single_run(settings: dict[str, Any], keep: str, wholes: Path, tmp_path: Path) -> None:
    name = next(name for name in RUNS if RUNS[name] is settings)
    whole = wholes / f"{name}, {keep}"
    unit, size = unit_of(settings), settings["chunk"]
    total = settings[unit]
    parts = []
    for first, count in ((3 * size, total - 3 * size), (0, size), (size, 2 * size)):
        parts.append(tmp_path / f"from {first}")
        part = simulate(**{**settings, unit: count}, seed=9, first=first, keep=keep, out=parts[-1])
        assert (part.count, part.first) == (count, first)
        assert ginsim.check(parts[-1]).is_whole
        again = ginsim.open_run(parts[-1])
        assert (again.count, again.first, again.gaps) == (count, first, ())
        assert f"--first {first} " in again.command() or first == 0
    said = answered("merge", tmp_path / "merged", *parts, "--no-gaps")
    assert said == f"{tmp_path / 'merged'}: {total} {unit} in 5 chunks, merged from 3 parts.\n"
    assert contents(tmp_path / "merged") == contents(whole)
    # The same once more, and one after the other.
    answered("merge", tmp_path / "merged", *parts)
    assert contents(tmp_path / "merged") == contents(whole)
    for part in parts:
        called("merge", tmp_path / "one by one", part)
    assert contents(tmp_path / "one by one") == contents(whole)


def test_parts_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    def part(name: str, first: int, **settings: Any) -> Path:
        simulate(**{"rules": "gin", "hands": 20, "seed": 9, "chunk": 10, "first": first, **settings}, out=tmp_path / name)
        return tmp_path / name

    first, second, third = (part(str(start), start) for start in (0, 20, 40))
    for stranger, difference in (
        (part("seed", 20, seed=10), "seed is 9 there and 10 here"),
        (part("rules", 20, settings={"gin_bonus": 20}), "gin_bonus is 25 there and 20 here"),
        (part("chunk", 20, chunk=20), "chunk is 10 there and 20 here"),
        (part("kept", 20, keep="summary"), "keep is rows there and summary here"),
    ):
        result = called("merge", tmp_path / "all", first, stranger)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"Error: {stranger} is no part of the run in {first}: {difference}.\n"
    result = called("merge", tmp_path / "all", first, second, part("over", 30))
    assert (result.exit_code, result.stderr) == (2, f"Error: {second} and {tmp_path / 'over'} overlap: both hold hands from number 30 on.\n")
    result = called("merge", tmp_path / "all", first, third, "--no-gaps")
    assert (result.exit_code, result.stderr) == (2, "Error: the parts have gaps: chunk 2 (hands from number 20 on) and 1 more are not there.\n")
    assert called("merge", first, first, second).exit_code == 2
    assert not (tmp_path / "all").exists()
    result = called("merge", tmp_path / "all", first, third)
    assert result.exit_code == 0
    assert result.stderr == f"Note: this run has gaps, chunks 2, 3 are missing. Complete it: ginsim resume {tmp_path / 'all'}\n"
    answered("resume", tmp_path / "all")
    simulate("gin", hands=60, seed=9, chunk=10, out=tmp_path / "whole")
    assert contents(tmp_path / "all") == contents(tmp_path / "whole")
    # A part that is damaged is named, and what is to be done about it.
    files(second)[0].write_bytes(b"PAR1")
    result = called("merge", tmp_path / "again", first, second)
    assert result.exit_code == 1 and f"`ginsim resume {second}` plays it again" in result.stderr


def test_a_part_begins_on_the_grid_and_stays_where_it_begins(tmp_path: Path) -> None:
    usual = ["simulate", "--rules", "gin", "--seed", 9, "--chunk", 10, "--hands", 20]
    result = called(*usual, "--first", 15, "--out", tmp_path / "run")
    assert (result.exit_code, result.stderr) == (2, "Error: first = 15: must be on the grid of chunks, a multiple of 10.\n")
    assert called(*usual[:-4], "--hands", 20, "--first", 10).stderr == "Error: --first goes with --out: parts of a run are stored and merged.\n"
    answered(*usual, "--first", 30, "--out", tmp_path / "run")
    before = contents(tmp_path / "run")
    answered(*usual, "--out", tmp_path / "run")
    assert contents(tmp_path / "run") == before
    result = called(*usual, "--first", 0, "--out", tmp_path / "run")
    assert result.exit_code == 2 and "holds hands from number 30 on: name another folder for those from 0 on" in result.stderr
    answered(*usual[:-1], 35, "--out", tmp_path / "run")
    assert ginsim.open_run(tmp_path / "run").frame()["hand"].to_list() == list(range(30, 65))
    result = called("simulate", "--rules", "gin", "--hands", 2**48, "--first", 10**6, "--chunk", 10, "--out", tmp_path / "far")
    assert result.exit_code == 2 and "is the most" in result.stderr


# Summaries


@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
def test_a_summary_gives_the_report_of_the_rows(settings: dict[str, Any], wholes: Path) -> None:
    name = next(name for name in RUNS if RUNS[name] is settings)
    rows, summary = (ginsim.open_run(wholes / f"{name}, {keep}") for keep in ("rows", "summary"))
    one, other = lasting(rows.report()), lasting(summary.report())
    assert one["plan"].pop("keep") == "rows" and other["plan"].pop("keep") == "summary"
    assert one == other
    assert summary.report()["hash"] is None and "--keep summary" in summary.command()


@pytest.mark.parametrize("settings", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("end", [35, 36, 60, 61])
def test_an_extended_summary_is_the_same_as_one_summed_up_at_once(settings: dict[str, Any], end: int, wholes: Path, tmp_path: Path) -> None:
    """Also from a chunk that is part-filled, in the middle of a mirrored pair or not."""
    name = next(name for name in RUNS if RUNS[name] is settings)
    unit, size = unit_of(settings), settings["chunk"]
    part = end if unit == "hands" else end * size // 20
    simulate(**{**settings, unit: part}, seed=9, keep="summary", out=tmp_path)
    extended = simulate(**settings, seed=9, out=tmp_path, workers=2)
    assert contents(tmp_path) == contents(wholes / f"{name}, summary")
    assert lasting(extended.report()) == lasting(ginsim.open_run(tmp_path).report())


def test_what_needs_the_rows_says_so_and_kinds_are_not_mixed(wholes: Path, tmp_path: Path) -> None:
    run = wholes / "hands, summary"
    for arguments in (["export", run, "--to", "-"], ["export", run, "--to", tmp_path / "hands.csv"], ["replay", run, "--hand", 1]):
        result = called(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"Error: {run} keeps a summary (--keep summary) and no rows, which this needs.\n"
    with pytest.raises(UsageError, match="keeps a summary"):
        ginsim.open_run(run).frame()
    with pytest.raises(UsageError, match="keeps a summary"):
        ginsim.open_run(run).table_hash()
    for there, here in (("summary", "rows"), ("rows", "summary")):
        result = called(
            "simulate", "--rules", "oklahoma", "--hands", 95, "--chunk", 20, "--seed", 9, "--keep", here, "--out", wholes / f"hands, {there}"
        )
        assert result.exit_code == 2
        assert f"holds another run: keep is {there} there and {here} here." in result.stderr
    assert called("simulate", "--hands", 5, "--keep", "summary").stderr == "Error: --keep goes with --out: it says what is stored.\n"


def test_a_summary_that_is_interrupted_keeps_what_was_summed_up(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = started("simulate", "--rules", "gin", "--hands", "900m", "--seed", 7, "--keep", "summary", "--out", folder, "--chunk", "800m")
    end = time.monotonic() + LIMIT
    while not (folder / "asked.json").exists():
        assert time.monotonic() < end and process.poll() is None, process.communicate()
        time.sleep(0.01)
    time.sleep(3)
    process.send_signal(signal.SIGTERM)
    output, message = process.communicate(timeout=LIMIT)
    assert (process.returncode, output) == (143, "")
    stored = int(re.search(r"Stopped at ([\d,]+) of 900,000,000 hands; .* Continue: ginsim resume", message)[1].replace(",", ""))
    # Nothing of it is played again: only what is lacking of a round number.
    more = max(100_000, -(-stored // 100_000) * 100_000)
    run = simulate("gin", hands=more, seed=7, out=folder)
    one, other = lasting(run.report()), lasting(simulate("gin", hands=more, seed=7, keep=False).report())
    assert one["plan"].pop("keep") != other["plan"].pop("keep")
    assert one == other


# Killed at any moment


@pytest.mark.parametrize(
    "settings",
    [
        ["--rules", "three-handed", "--matches", 2000, "--chunk", 70],
        ["--rules", "eaai", "--hands", 200_000, "--chunk", 40_000, "--keep", "summary", "--mirror"],
    ],
    ids=["matches", "summary"],
)
def test_a_run_that_is_killed_at_any_moment_is_resumed_to_the_same_bytes(settings: list[Any], tmp_path: Path) -> None:
    """The long version, dozens of times, is `scripts/verify kills`."""
    chance = random.Random(len(settings))
    command = ["simulate", *settings, "--seed", 7, "--out"]
    answered(*command, tmp_path / "whole")
    folder = tmp_path / "run"
    for again in (command + [folder], ["resume", folder]):
        process = started(*again)
        end = time.monotonic() + LIMIT
        while not files(folder) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(chance.random() * 0.1)
        process.kill()
        process.communicate(timeout=LIMIT)
        assert all(is_whole(file.read_bytes()) for file in files(folder))
    assert answered("resume", folder)
    assert contents(folder) == contents(tmp_path / "whole")
