"""``ginsim simulate`` and ``ginsim report`` as people use them: what they print, where, and what a mistake gets."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from commands import ENVIRONMENT, answered, called, command, engine, lasting, python, ran, shell, started  # noqa: F401

import ginsim
from ginsim.plan import Chunk
from ginsim.records import ENDINGS
from ginsim.rules import preset_names
from ginsim.statistics import Tally

SHARES = [f"{ending}_rate" for ending in ENDINGS]


# What is printed


@pytest.mark.parametrize("unit", ["hands", "matches"])
@pytest.mark.parametrize("rules", preset_names())
def test_every_preset_is_played_both_ways(rules: str, unit: str) -> None:
    count = {"hands": 400, "matches": 25}[unit]
    report = json.loads(answered("simulate", "--rules", rules, f"--{unit}", count, "--seed", 1, "--format", "json"))
    assert report["schema"] == "ginsim.report/1"
    assert (report["rules"], report["unit"], report["seed"], report[unit]) == (rules, unit, 1, count)
    assert report["plan"]["rules"] == ginsim.load_rules(rules).as_dict()
    assert sum(report["rates"][share]["count"] for share in SHARES) == report["hands"]
    for values in report["rates"].values():
        assert {"of", "count", "n", "estimate", "low", "high"} <= values.keys()
        if values["n"]:
            assert values["estimate"] == values["count"] / values["n"]
        if values["low"] is not None:
            assert 0 <= values["low"] <= values["estimate"] <= values["high"] <= 1
    if unit == "matches":
        assert report["matches"] == count
        assert report["hands"] >= count
    else:
        assert report["matches"] is None
    text = answered("simulate", "--rules", rules, f"--{unit}", count, "--seed", 1)
    assert f" · rules {rules} · simple v simple" in text
    assert text.rstrip().splitlines()[-1].endswith(f"ginsim simulate --rules {rules} --{unit} {count} --seed 1")


def test_every_format_has_the_same_numbers(tmp_path: Path) -> None:
    options = ["simulate", "--hands", 3000, "--seed", 5, "--out", tmp_path / "run", "--format"]
    report = json.loads(answered(*options, "json"))
    rows = {row["statistic"]: row for row in csv.DictReader(io.StringIO(answered(*options, "csv")))}
    assert rows["hands"]["count"] == "3000"
    for name, values in report["rates"].items():
        for column in ("count", "n", "estimate", "low", "high"):
            assert rows[name][column] == ("" if values[column] is None else str(values[column])), name
    for text in (answered(*options, "markdown"), answered(*options, "table")):
        for name in ("knock", "undercut", "gin", "draw"):
            assert f"{report['rates'][f'{name}_rate']['count']:,}" in text
            assert f"{100 * report['rates'][f'{name}_rate']['estimate']:.2f} %" in text
    tables = [line for line in answered(*options, "markdown").splitlines() if line.startswith("|")]
    assert {line.count("|") for line in tables} and all(line.endswith("|") for line in tables)
    assert answered("report", tmp_path / "run", "--format", "csv") == answered(*options, "csv")
    assert lasting(json.loads(answered("report", tmp_path / "run", "--format", "json"))) == lasting(report)
    assert re.fullmatch("[0-9a-f]{64}", report["hash"])


def test_a_million_hands_of_hollywood_are_played_where_nothing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def only_asked(chunks: Iterable[Chunk], work: object, executor: object, ahead: int, tick: object) -> Iterator[object]:
        asked.extend(chunks)
        yield asked[0], Tally()

    monkeypatch.setattr(ginsim.simulation, "run", only_asked)
    result = called("simulate")
    assert sum(chunk.count for chunk in asked) == 1_000_000
    assert "rules hollywood · simple v simple · seed " in result.stdout
    assert re.search(r"Again:   ginsim simulate --rules hollywood --hands 1000000 --seed \d+\n$", result.stdout)


@pytest.mark.parametrize(
    ("written", "number"), [("1000", 1000), ("1_000", 1000), ("1e3", 1000), ("1k", 1000), ("0.5K", 500), ("0.001m", 1000), ("1", 1)]
)
@pytest.mark.parametrize("unit", ["hands", "matches"])
def test_counts_are_taken_as_people_write_them(written: str, number: int, unit: str) -> None:
    if unit == "matches" and number > 500:
        number, written = number // 100, str(number // 100)
    assert json.loads(answered("simulate", f"--{unit}", written, "--format", "json"))[unit] == number


def test_the_players_are_named_and_described() -> None:
    text = answered("simulate", "--hands", 50, "--strategy", "simple", "--strategy", "simple:knock=0")
    assert " · simple v simple:knock=0 · " in text
    assert "these rates are theirs." in text
    assert "simple knocks" in text
    assert "these rates are its own." in answered("simulate", "--hands", 50)
    text = answered("simulate", "--hands", 50, "--rules", "three-handed", *["--strategy", "simple", "--strategy", "random"], "--strategy=simple:knock=3")
    assert " · simple v random v simple:knock=3 · " in text


def test_options_may_stand_in_any_order_and_the_last_counts() -> None:
    usual = answered("simulate", "--hands", 100, "--seed", 3, "--rules", "gin", "--format", "csv")
    assert answered("simulate", "--format=csv", "--seed=9", "--rules", "gin", "--hands=7", "--seed=3", "--hands", "100") == usual
    assert answered("simulate", "--workers", 64, "--format", "csv", "--hands", 100, "--seed", "0x3", "--rules=gin") == usual


@pytest.mark.parametrize("arguments", [["--hands", 1], ["--matches", 1, "--mirror"], ["--hands", 3, "--mirror"], ["--hands", 2, "--mirror"]])
@pytest.mark.parametrize("format", ["table", "json", "csv", "markdown"])
def test_very_few_are_reported_too(arguments: list[object], format: str) -> None:
    text = answered("simulate", *arguments, "--seed", 1, "--format", format)
    assert "nan" not in text.lower()
    if format == "json":
        assert json.loads(text)["rates"]["knock_rate"]["n"] >= 1


# Where it is printed


def test_a_pipe_gets_plain_text_and_stderr_nothing() -> None:
    environment = {**ENVIRONMENT, "TERM": "xterm-256color", "COLORTERM": "truecolor", "COLUMNS": "40"}
    done = ran("simulate", "--hands", "20k", "--seed", 1, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout and "\r" not in done.stdout
    # As wide as it needs to be: nothing is stacked.
    (heads,) = [line for line in done.stdout.splitlines() if line.startswith("  How hands end")]
    assert re.search(r"of all 20,000 hands .* of [\d,]+ decided hands .* of [\d,]+ knocks short of gin", heads)


def on_a_terminal(*arguments: object, columns: int = 80, **environment: str) -> tuple[int, str]:
    """The exit code of a command on a terminal, and all that the terminal was sent."""
    fcntl, pty, struct, termios = (pytest.importorskip(name) for name in ("fcntl", "pty", "struct", "termios"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    settings = {**ENVIRONMENT, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment}
    process = subprocess.Popen(command(*arguments), env=settings, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    sent = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:
            break
        if not more:
            break
        sent += more
    os.close(ours)
    return process.wait(timeout=60), sent.decode()


def lines_of(sent: str) -> list[str]:
    """What stays on a terminal: no colours, and of lines that are written over the last."""
    plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", sent).replace("\r\n", "\n")
    return [line.rpartition("\r")[2] for line in plain.split("\n")]


def test_a_terminal_sees_a_bar_with_hands_a_second_that_goes_away() -> None:
    code, sent = on_a_terminal("simulate", "--hands", "400k", "--seed", 1)
    assert code == 0
    assert re.search(r"\d+%\|.*\| .*400k.* hands/s\]", sent)
    shown = [int(percent) for percent in re.findall(r"\r *(\d+)%\|", sent)]
    assert shown == sorted(shown)
    assert "hands/s" not in "\n".join(lines_of(sent))
    assert "matches/s" in on_a_terminal("simulate", "--matches", "4k", "--seed", 1)[1]


@pytest.mark.parametrize("columns", [40, 80, 160])
def test_a_terminal_gets_a_report_as_wide_as_it_is(columns: int) -> None:
    code, sent = on_a_terminal("simulate", "--hands", 2000, "--seed", 1, columns=columns)
    assert code == 0
    assert "\x1b[1m" in sent
    *report, last = [line for line in lines_of(sent) if line.strip() and not line.startswith("Compiling")]
    # The command is there to be copied, and so is never broken into lines.
    assert last == "  Again:   ginsim simulate --rules hollywood --hands 2000 --seed 1"
    assert max(map(len, report)) <= columns
    for figure in ("1,886", "94.30 %", "94.44 %", "12.59"):
        assert figure in "\n".join(report)


def test_a_terminal_without_colours_gets_none() -> None:
    code, sent = on_a_terminal("simulate", "--hands", 2000, "--seed", 1, TERM="dumb")
    assert code == 0
    assert "\x1b" not in sent
    assert "\x1b[3" not in on_a_terminal("simulate", "--hands", 2000, "--seed", 1, NO_COLOR="1")[1].replace("\x1b[3m", "")


def test_the_module_is_the_command() -> None:
    assert ran("simulate", "--hands", 100, "--seed", 1, "--format", "csv").stdout == answered(
        "simulate", "--hands", 100, "--seed", 1, "--format", "csv"
    )


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ginsim simulate --hands 10 --seed 1 >&-", 0),
        ("ginsim simulate --hands 10 --seed 1 2>&- | wc -l", 0),
        ("ginsim simulate --hands 10 --seed 1 >&- 2>&-", 0),
        ("ginsim simulate --hands 10 --seed 1 --format json <&- | tail -n 1", 0),
        ("ginsim simulate --hands 10 --seed 1 >/dev/full", 1),
    ],
)
def test_closed_streams_are_no_traceback(line: str, code: int) -> None:
    done = shell(f"set -o pipefail; {line}")
    assert done.returncode == code
    assert done.stderr == ("Error: No space left on device.\n" if "full" in line else "")
    if "wc" in line:
        assert int(done.stdout) > 30


def test_head_ends_a_report_quietly() -> None:
    done = shell("ginsim simulate --hands 10 --seed 1 --format json | head -n 1; exit $((PIPESTATUS[0] % 141))")
    assert (done.returncode, done.stdout, done.stderr) == (0, "{\n", "")


# The first start


def test_the_first_start_says_that_it_compiles_and_the_second_does_not(tmp_path: Path) -> None:
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(tmp_path)}
    if python("import ginsim.accelerate as a; print(a.COMPILED, a.cache_folder())", env=environment).stdout.split() != [
        "True",
        *[str(each) for each in tmp_path.glob("ginsim/*")],
    ]:
        pytest.skip("the compiler is off, or this system keeps its caches elsewhere")
    # Reading needs no engine.
    ginsim.simulate("gin", hands=10, seed=1, out=tmp_path / "run")
    for arguments in (["report", tmp_path / "run"], ["export", tmp_path / "run", "--to", "-"]):
        done = ran(*arguments, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
    first, second = (ran("simulate", "--hands", 10, "--seed", 1, "--format", "csv", env=environment) for _ in range(2))
    assert re.fullmatch(r"Compiling the engine, once for this machine.*\n", first.stderr)
    assert (second.returncode, second.stderr) == (0, "")
    assert first.stdout == second.stdout


@pytest.mark.parametrize("place", ["/dev/null/caches", "/proc/caches"])
def test_without_a_place_for_a_cache_there_is_none(place: str) -> None:
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": place, "LOCALAPPDATA": place, "HOME": place}
    done = python("import ginsim.accelerate as a; print(a.cache_folder())", env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "None\n", "")


def test_no_home_is_no_traceback() -> None:
    environment = {name: value for name, value in ENVIRONMENT.items() if name not in ("HOME", "XDG_CACHE_HOME")}
    done = python("import ginsim.accelerate as a; a.cache_folder()", env=environment)
    assert (done.returncode, done.stderr) == (0, "")


# Interrupts


@pytest.mark.parametrize("delay", [0.5, 0.8, 1.1])
def test_an_interrupt_at_the_start_is_quiet(delay: float) -> None:
    process = started("simulate", "--hands", "200000000m", "--seed", 1)
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    output, message = process.communicate(timeout=60)
    # Before the command has begun, the signal itself ends the process; a shell calls both 130.
    assert process.returncode in (130, -signal.SIGINT)
    assert output == ""
    assert "Traceback" not in message
    assert len([line for line in message.splitlines() if not line.startswith("Compiling")]) <= 1


# What a mistake gets


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--hands", "0"], "Error: Invalid value for '--hands': '0' is not a whole number from 1 on, such as 1000000, 1_000_000"),
        (["--hands", "-5"], "'-5' is not a whole number from 1 on"),
        (["--hands", "1.5"], "'1.5' is not a whole number from 1 on"),
        (["--matches", "many"], "Error: Invalid value for '--matches': 'many' is not a whole number from 1 on"),
        (["--hands", "300000000m"], "'300000000m' is more than 281,474,976,710,656, which is the most."),
        (["--hands"], "Error: Option '--hands' requires an argument."),
        (["--seed", "-1"], "Error: Invalid value for '--seed': '-1' is not a whole number from 0 to 2^64 - 1"),
        (["--seed", "18446744073709551616"], "is not a whole number from 0 to 2^64 - 1"),
        (["--seed", "1e6"], "is not a whole number from 0 to 2^64 - 1"),
        (["--hands", "5", "--matches", "5"], "Error: --hands and --matches: choose one."),
        (["--chunk", "5"], "Error: --chunk goes with --out: it says how much a stored file holds."),
        (["--chunk", "0", "--out", "{out}"], "Error: Invalid value for '--chunk': '0' is not a whole number from 1 on"),
        (["--chunk", "2m", "--out", "{out}"], "Error: a chunk of 2,000,000 hands: must be from 1 to 1,000,000."),
        (["--chunk", "7", "--mirror", "--out", "{out}"], "Error: a chunk of 7 would part a mirrored pair: take an even number."),
        (["--workers", "0"], "Error: Invalid value for '--workers': '0' is not a number of workers from 1 to 1024, or auto."),
        (["--workers", "-2"], "'-2' is not a number of workers"),
        (["--workers", "all"], "'all' is not a number of workers"),
        (["--workers", "²"], "'²' is not a number of workers"),
        (["--workers", "9" * 5000], "is not a number of workers"),
        (["--strategy", "simpel"], "Error: no strategy named 'simpel'. Did you mean 'simple'?"),
        (["--strategy", "simple:knock=11"], "Error: 'simple:knock=11': knock = 11: must be a whole number from 0 to 10."),
        (["--strategy", "simple:knock"], "'knock' is not a parameter and its value"),
        (["--strategy", "simple:luck=1"], "simple has no parameter 'luck'; it has: knock."),
        (["--strategy", "random:knock=1"], "random has no parameter 'knock'; it has: none."),
        (["--strategy", "simple:knock=1,knock=2"], "knock stands twice."),
        (["--strategy", "simple"] * 3, "Error: 3 strategies for 2 seats: name one for all seats, or one a seat in the order A, B."),
        (["--rules", "three-handed", *["--strategy", "simple"] * 2], "2 strategies for 3 seats: name one for all seats, or one a seat"),
        (["--rules", "holywood"], "Error: no rules named 'holywood'. Did you mean 'hollywood'?"),
        (["--rules", "{out}.toml"], "no such file."),
        (["--set", "gin_bonus=-5"], "Error: gin_bonus = -5: must be 0 or more."),
        (["--set", "gin_bonus"], "gin_bonus"),
        (["--set", "bonus=5"], "bonus"),
        (["--format", "xml"], "Error: Invalid value for '--format': 'xml' is not one of 'table', 'json', 'csv', 'markdown'."),
        (["--hand", "5"], "Error: No such option '--hand'."),
        (["5"], "Error: Got unexpected extra argument (5)"),
    ],
)
def test_a_mistake_is_a_line_and_exit_2_and_nothing_is_written(arguments: list[str], line: str, tmp_path: Path) -> None:
    result = called("simulate", *(argument.format(out=tmp_path / "run") for argument in arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    first, *rest = result.stderr.splitlines()
    assert first.startswith("Error: ") and line in first
    assert len(first) < 300
    assert rest in ([], ["Try 'ginsim simulate --help'."])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["report", "{tmp}/none"], "Error: {tmp}/none does not exist: name a folder that `ginsim simulate --out` has written."),
        (["report", "{tmp}"], "Error: {tmp} holds no run: name a folder that `ginsim simulate --out` has written."),
        (["report", "{tmp}/file"], "Error: {tmp}/file is a file: name a folder that `ginsim simulate --out` has written."),
        (["report"], "Error: Missing argument 'DIR'."),
        (["report", "{tmp}", "{tmp}"], "Error: Got unexpected extra argument"),
    ],
)
def test_a_report_of_nothing_is_a_line_and_exit_2(arguments: list[str], line: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = called(*(argument.format(tmp=tmp_path) for argument in arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(line.format(tmp=tmp_path))


def test_a_missing_rule_file_and_a_bad_one_are_a_line_in_a_real_process(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text("gin_bonus = \n")
    done = ran("simulate", "--rules", tmp_path / "house.toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert str(tmp_path / "house.toml") in done.stderr
