"""Tables in files that others read: CSV, Parquet and NDJSON, whole or not at all."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from commands import answered, called, contents, engine, ran, shell, started  # noqa: F401

import ginsim
from ginsim import simulate

FILES = ("csv", "parquet", "ndjson")
TABLES = ("hands", "games", "matches")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run with everything that tables can hold: draws, open games, abandoned matches; one of several chunks each."""
    folder = tmp_path_factory.mktemp("stored")
    hollywood = {"max_draws": 25, "max_hands": 12, "shut_out": "next_game"}
    simulate("hollywood", settings=hollywood, matches=40, seed=8, chunk=15, out=folder / "series")
    simulate("three-handed", matches=20, seed=8, out=folder / "three")
    simulate("gin", settings={"knock_limit": 0, "max_draws": 30}, hands=200, seed=8, chunk=70, out=folder / "hands")
    return {each.name: each for each in folder.iterdir()}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that takes a while to export."""
    folder = tmp_path_factory.mktemp("large")
    simulate("gin", hands=1_000_000, seed=1, out=folder)
    return folder


def exported(folder: Path, table: str, target: Path) -> Path:
    assert answered("export", folder, "--table", table, "--to", target) == ""
    return target


def texts(frame: pl.DataFrame) -> list[dict[str, str]]:
    """The rows as they stand in a CSV file."""
    written = {None: "", True: "true", False: "false"}
    return [
        {name: written[value] if value is None or isinstance(value, bool) else str(value) for name, value in row.items()}
        for row in frame.to_dicts()
    ]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("run", ["series", "three"])
def test_polars_reads_every_table_back(stored: dict[str, Path], run: str, table: str, kind: str, tmp_path: Path) -> None:
    target = exported(stored[run], table, tmp_path / f"table.{kind}")
    frame = ginsim.open_run(stored[run]).frame(table)
    if kind == "parquet":
        assert pl.read_parquet(target).equals(frame)
        assert pl.read_parquet_schema(target) == frame.schema
        return
    read = pl.read_csv(target, infer_schema=None) if kind == "csv" else pl.read_ndjson(target, infer_schema_length=None)
    assert read.columns == frame.columns
    assert read.cast(pl.String).equals(frame.with_columns(pl.all().cast(pl.String)))


@pytest.mark.parametrize("table", TABLES)
def test_the_csv_module_reads_every_table_back(stored: dict[str, Path], table: str, tmp_path: Path) -> None:
    target = exported(stored["series"], table, tmp_path / "table.csv")
    with target.open(newline="", encoding="ascii") as file:
        assert list(csv.DictReader(file)) == texts(ginsim.open_run(stored["series"]).frame(table))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", FILES)
def test_duckdb_reads_every_table_at_once(stored: dict[str, Path], table: str, kind: str, tmp_path: Path) -> None:
    target = exported(stored["series"], table, tmp_path / f"table.{kind}")
    frame = ginsim.open_run(stored["series"]).frame(table)
    found = duckdb.sql(f"FROM '{target}'")
    assert list(found.columns) == frame.columns
    assert [tuple(map(str, row)) for row in found.fetchall()] == [tuple(map(str, row)) for row in frame.rows()]
    nobody = duckdb.sql(f"SELECT count(*) FROM '{target}' WHERE winner IS NULL").fetchall()
    assert nobody[0][0] == frame["winner"].null_count() > 0


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", FILES)
def test_pandas_reads_every_table_at_once(stored: dict[str, Path], table: str, kind: str, tmp_path: Path) -> None:
    target = exported(stored["series"], table, tmp_path / f"table.{kind}")
    readers: dict[str, Any] = {"csv": pd.read_csv, "parquet": pd.read_parquet, "ndjson": lambda file: pd.read_json(file, lines=True)}
    read = readers[kind](target)
    frame = ginsim.open_run(stored["series"]).frame(table)
    assert list(read.columns) == frame.columns
    assert len(read) == len(frame)
    assert read["winner"].isna().sum() == frame["winner"].null_count() > 0
    for name, type_ in frame.schema.items():
        values = [None if pd.isna(value) else value for value in read[name]]
        if type_ == pl.Boolean:
            values = [None if value is None else bool(value) for value in values]
        assert values == frame[name].to_list(), name


def test_a_program_that_knows_no_ginsim_reads_the_run_itself(stored: dict[str, Path]) -> None:
    counts = f"SELECT count(*), count(*) FILTER (ending = 'draw') FROM '{stored['hands']}/hands/*.parquet'"
    ((counted, draws),) = duckdb.sql(counts).fetchall()
    frame = ginsim.open_run(stored["hands"]).frame()
    assert counted == 200
    assert draws == (frame["ending"] == "draw").sum() > 0
    assert pd.read_parquet(stored["hands"] / "hands")["points"].sum() == frame["points"].sum()


def test_hands_without_a_winner_have_an_empty_one(stored: dict[str, Path]) -> None:
    rows = list(csv.DictReader(io.StringIO(answered("export", stored["hands"], "--to", "-"))))
    assert len(rows) == 200
    empty = [row for row in rows if row["ending"] in ("draw", "stopped", "tie")]
    assert {row["ending"] for row in empty} == {"draw", "stopped"}
    nothing = ("winner", "knocker", "knocker_deadwood", "defender_deadwood", "laid_off", "laid_off_cards", "defender_deadwood_after")
    assert all(row[name] == "" for row in empty for name in nothing)
    assert all(row["points"] == "0" for row in empty)
    assert all(row["winner"] in ("A", "B") for row in rows if row not in empty)
    assert {row["upcard"][1] for row in rows} == set("CDHS")
    assert any(row["first_taker"] == "" for row in rows)


def test_ndjson_is_one_object_a_line_with_null_for_nothing(stored: dict[str, Path], tmp_path: Path) -> None:
    target = exported(stored["hands"], "hands", tmp_path / "hands.ndjson")
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert rows == ginsim.open_run(stored["hands"]).frame().to_dicts()
    assert None in {row["winner"] for row in rows}


@pytest.mark.parametrize("table", TABLES)
def test_stdout_gets_the_same_csv_as_a_file(stored: dict[str, Path], table: str, tmp_path: Path) -> None:
    target = exported(stored["series"], table, tmp_path / "table.csv")
    assert answered("export", stored["series"], "--table", table, "--to", "-") == target.read_text()
    if table == "hands":
        done = ran("export", stored["series"], "--to", "-", "--table", table)
        assert (done.returncode, done.stderr, done.stdout) == (0, "", target.read_text())


def test_a_run_without_a_hand_has_a_table_with_columns_and_no_rows(stored: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "plan.json").write_bytes((stored["series"] / "plan.json").read_bytes())
    for table in TABLES:
        columns = ginsim.open_run(stored["series"]).frame(table).columns
        assert answered("export", tmp_path / "run", "--table", table, "--to", "-") == ",".join(columns) + "\n"
        assert exported(tmp_path / "run", table, tmp_path / "table.csv").read_text() == ",".join(columns) + "\n"
        assert pl.read_parquet(exported(tmp_path / "run", table, tmp_path / "table.parquet")).columns == columns
    assert answered("report", tmp_path / "run").startswith("  0 matches (0 hands) ")


# Whole or not at all


def test_a_reader_that_has_seen_enough_ends_the_export_quietly(large: Path) -> None:
    done = shell(f'ginsim export "{large}" --to - | head -n 2; echo "${{PIPESTATUS[0]}}"')
    assert done.stderr == ""
    head = ginsim.open_run(large).scan().head(1).collect().write_csv().splitlines()
    assert done.stdout.splitlines() == [*head, "141"]


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_there_is_replaced_when_the_new_one_is_complete(
    stored: dict[str, Path], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / f"hands.{kind}"
    target.write_text("the old one")
    seen = []
    rename = os.replace
    monkeypatch.setattr(os, "replace", lambda source, to: (seen.append(target.read_text()), rename(source, to)))
    exported(stored["hands"], "hands", target)
    assert seen == ["the old one"]
    assert target.stat().st_size > 1000
    assert [file.name for file in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize("kind", FILES)
def test_a_failing_target_leaves_nothing_half_written(
    stored: dict[str, Path], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    (tmp_path / f"old.{kind}").write_text("the old one")
    for name in ("old", "new"):
        target = tmp_path / f"{name}.{kind}"
        result = called("export", stored["hands"], "--to", target)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"Error: {target} could not be written: No space left on device.\n"
    assert contents(tmp_path).keys() == {f"old.{kind}"}
    assert (tmp_path / f"old.{kind}").read_text() == "the old one"


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_may_not_grow_leaves_nothing_half_written(kind: str, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    simulate("gin", hands=3000, seed=1, out=tmp_path / "run")
    target = tmp_path / "out" / f"hands.{kind}"
    target.parent.mkdir()
    done = ran("export", tmp_path / "run", "--to", target, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)))
    assert (done.returncode, done.stdout) == (1, "")
    # What Polars says where the footer of a Parquet file finds no room is less clear.
    reason = ".+" if kind == "parquet" else "File too large"
    assert re.fullmatch(rf"Error: {re.escape(str(target))} could not be written: {reason}\.\n", done.stderr), done.stderr
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("kind", FILES)
def test_an_interrupted_export_leaves_nothing_half_written(large: Path, kind: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    process = started("export", large, "--to", out / f"hands.{kind}")
    end = time.monotonic() + 60
    while not list(out.iterdir()) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    output, message = process.communicate(timeout=60)
    # A leftover is told by its name; the export may also have been quicker than the signal. A thread of Polars that writes Parquet may
    # have something to say of its own.
    files = [file.name for file in out.iterdir() if not re.fullmatch(r"\..+\.\d+\.part", file.name)]
    if kind == "parquet":
        message = message.partition("\nthread '")[0]
    assert (process.returncode, output, message, files) in (
        (130, "", "Stopped.\n", []),
        (0, "", "", [f"hands.{kind}"]),
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_stdout_that_takes_nothing_is_a_line(stored: dict[str, Path]) -> None:
    for arguments in (["export", stored["hands"], "--to", "-"], ["report", stored["hands"]]):
        with open("/dev/full", "w") as full:
            done = ran(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (1, "Error: No space left on device.\n")


# Wrong uses


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["{hands}", "--to", "{tmp}/hands.txt"], "{tmp}/hands.txt: the name must end in .csv, .parquet or .ndjson, or be - for CSV"),
        (["{hands}", "--to", "{tmp}/hands"], "the name must end in"),
        (["{hands}", "--to", "{tmp}/.csv"], "the name must end in"),
        (["{hands}", "--to", ""], "the name must end in"),
        (["{hands}", "--to", "{tmp}/hands.csv.gz"], "the name must end in"),
        (["{tmp}/none", "--to", "{tmp}/hands.csv"], "{tmp}/none does not exist: name a folder that `ginsim simulate --out` has written."),
        (["{tmp}", "--to", "{tmp}/hands.csv"], "{tmp} holds no run: name a folder that"),
        (["{hands}/plan.json", "--to", "{tmp}/hands.csv"], "{hands}/plan.json is a file: name a folder that"),
        (["{hands}", "--table", "games", "--to", "-"], "{hands} holds single hands, which belong to no match: it has no table 'games'."),
        (["{hands}", "--table", "matches", "--to", "{tmp}/m.csv"], "it has no table 'matches'."),
        (["{hands}", "--table", "seats", "--to", "-"], "'seats' is not one of 'hands', 'games', 'matches'."),
        (["{hands}", "--to", "{tmp}/none/hands.csv"], "{tmp}/none/hands.csv: there is no folder {tmp}/none."),
        (["{hands}", "--to", "{tmp}/folder.csv"], "{tmp}/folder.csv is a folder: name a file."),
        (["{hands}", "--to", "{hands}/hands/00000000.parquet"], "is a part of the run: name another file."),
        (["{hands}", "--to", "{hands}/hands/all.csv"], "is a part of the run: name another file."),
        (["{hands}"], "Missing option '--to'."),
        ([], "Missing argument 'DIR'."),
    ],
)
def test_a_wrong_export_is_a_line_and_exit_2(stored: dict[str, Path], arguments: list[str], line: str, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    before = contents(stored["hands"])
    fill = {"hands": stored["hands"], "tmp": tmp_path}
    result = called("export", *(argument.format(**fill) for argument in arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert line.format(**fill) in result.stderr
    first, *rest = result.stderr.splitlines()
    assert first.startswith("Error: ")
    assert rest in ([], ["Try 'ginsim export --help'."])
    assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]
    assert contents(stored["hands"]) == before


def test_an_export_may_stand_in_the_folder_of_the_run(stored: dict[str, Path]) -> None:
    target = exported(stored["three"], "hands", stored["three"] / "hands.csv")
    assert len(target.read_text().splitlines()) == 1 + ginsim.open_run(stored["three"]).report()["hands"]
    simulate("three-handed", matches=20, seed=8, out=stored["three"])
    target.unlink()


@pytest.mark.parametrize("name", ["HANDS.CSV", "hands v2.Parquet", "ünï.ndjson", "-hands.csv"])
def test_targets_may_be_called_anything(
    stored: dict[str, Path], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answered("export", stored["hands"], "--to", name)
    assert re.fullmatch(r"[0-9a-f]{64}", contents(tmp_path)[name])
