"""The command around the verbs: numbers, exit codes, closed pipes, ``ginsim rules``, and the options that verbs share."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import ginsim.cli
from ginsim.cli import VERBS, cli
from ginsim.cli.options import COUNT, MOST, SEED, format_option, rules_options
from ginsim.errors import GinsimError, UsageError
from ginsim.rules import FIELDS, load, preset_names

ROOT = Path(__file__).parent.parent

# Output is held back, as it is for most people: what is left of it when a pipe has closed must not be complained of.
ENVIRONMENT = {**{name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}, "PYTHONPATH": str(ROOT)}


def ran(*arguments: str) -> Result:
    """What a command prints and returns, in this process; a bug in it is raised here."""
    result = CliRunner().invoke(cli, arguments, prog_name="ginsim")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def started(*arguments: str, **settings: object) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    command = [sys.executable, "-m", "ginsim", *arguments]
    return subprocess.Popen(
        command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, **settings  # type: ignore[call-overload]
    )


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., None]], None]:
    """Puts a function in the place of ``ginsim rules``."""

    def replaced(function: Callable[..., None]) -> None:
        module = types.ModuleType("stand_in")
        module.rules = click.command("rules")(function)  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "stand_in", module)
        monkeypatch.setitem(VERBS, "rules", ("stand_in:rules", ""))

    return replaced


# Numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("1000000", 1_000_000),
        ("1_000_000", 1_000_000),
        ("1e6", 1_000_000),
        ("1E6", 1_000_000),
        ("1e+6", 1_000_000),
        ("1.5e3", 1_500),
        ("2m", 2_000_000),
        ("2M", 2_000_000),
        ("500k", 500_000),
        ("1.5m", 1_500_000),
        ("0.5k", 500),
        ("1.000", 1),
        (" 7 ", 7),
        ("281474976710656", 2**48),
        ("100000000000001", 100_000_000_000_001),
    ],
)
def test_counts_are_read_as_people_write_them(text: str, number: int):
    assert COUNT.convert(text, None, None) == number


@pytest.mark.parametrize(
    "text",
    ["", " ", "0", "0.0", "-3", "+3", "1.5", "1.5e0", "1e-3", "0.0001k", "1." + "0" * 40 + "1", "nan", "inf", "ten", "1,000"]
    + ["1__0", "_1", "1_", "m", "e6", "2mm", "2 m", "0x10", "1e", "1e6e6", ".5m", "1e400", "1e99999999999999999999"]
    + ["281474976710657", "9" * 5000, "٣", "１"],
)
def test_other_counts_are_refused_in_a_line(text: str):
    with pytest.raises(click.BadParameter) as caught:
        COUNT.convert(text, None, None)
    assert "is not a whole number from 1 on" in caught.value.message or f"is more than {MOST:,}" in caught.value.message
    assert len(caught.value.message) < 180


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("1", 1), ("18446744073709551615", 2**64 - 1), ("1_000", 1000), ("007", 7)]
    + [("0xFF", 255), ("0XfFfFfFfFfFfFfFfF", 2**64 - 1)],
)
def test_a_seed_is_any_number_of_64_bits(text: str, number: int):
    assert SEED.convert(text, None, None) == number


@pytest.mark.parametrize(
    "text",
    ["", "-1", "-0", "18446744073709551616", "0x10000000000000000", "1e6", "1.0", "0x", "x1", "0b1"]
    + ["9" * 5000, "0" * 5000 + "5"],
)
def test_other_seeds_are_refused_in_a_line(text: str):
    with pytest.raises(click.BadParameter, match=r"is not a whole number from 0 to 2\^64 - 1 = 18446744073709551615\."):
        SEED.convert(text, None, None)


def test_the_shared_options_give_what_rules_are_loaded_from():
    @click.command()
    @rules_options("hollywood")
    @format_option("table", "csv")
    @click.option("--hands", type=COUNT, default=1_000_000)
    def play(rules: str, settings: tuple[str, ...], output_format: str, hands: int) -> None:
        click.echo(f"{load(rules, settings).name} {output_format} {hands}")

    run = CliRunner().invoke
    assert run(play, []).output == "hollywood table 1000000\n"
    chosen = ["--rules", "gin", "--set", "gin_bonus=20", "--set", "knock_limit=5", "--format", "csv", "--hands", "2k"]
    assert run(play, chosen).output == "gin (knock_limit 5, gin_bonus 20) csv 2000\n"
    assert "[default: hollywood]" in run(play, ["--help"]).output


# The verbs


def test_help_imports_no_library_but_click():
    heavy = ("numba", "numpy", "polars", "rich", "scipy", "tqdm", "ginsim.rules")
    code = f"""
import sys, ginsim.cli
try: ginsim.cli.cli(["--help"])
except SystemExit: pass
print([name for name in {heavy} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert all(name in done.stdout for name in VERBS)


def test_listing_the_rules_imports_no_kernels():
    code = "import sys, ginsim.cli\ntry: ginsim.cli.cli(['rules', 'gin'])\nexcept SystemExit: print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_has_the_first_sentence_that_the_list_shows_and_an_example(name: str):
    context = click.Context(cli, info_name="ginsim")
    found, command, _ = cli.resolve_command(context, [name])
    assert found == name == command.name
    assert command.get_short_help_str(1000) == VERBS[name][1]
    assert re.search("^  Examples?:$", ran(name, "--help").stdout, re.MULTILINE)
    assert VERBS[name][1] in ran("--help").stdout


def test_verbs_stand_in_the_order_in_which_people_need_them():
    shown = ran("--help").stdout.split("Commands:")[1]
    assert sorted(VERBS, key=lambda verb: shown.index(f"\n  {verb} ")) == list(VERBS)


def test_the_version_is_that_of_the_installed_package(monkeypatch: pytest.MonkeyPatch):
    import importlib.metadata

    monkeypatch.setattr(importlib.metadata, "version", lambda name: f"9.9 of {name}")
    assert ran("--version").output == "ginsim 9.9 of ginsim\n"


def test_without_an_installed_package_the_version_is_unknown(monkeypatch: pytest.MonkeyPatch):
    import importlib.metadata

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    result = ran("--version")
    assert (result.output, result.exit_code) == ("ginsim unknown\n", 0)


# What goes wrong


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["simulat"], ["Error: No such command 'simulat'. Did you mean 'simulate'? Try 'ginsim --help'."]),
        (["--verson"], ["Error: No such option '--verson'. Did you mean '--version'? Try 'ginsim --help'."]),
        (
            ["rules", "--formt=json"],
            ["Error: No such option '--formt'. Did you mean '--format'? Try 'ginsim rules --help'."],
        ),
        (["rules", "--set"], ["Error: Option '--set' requires an argument."]),
        (["rules", "--format", "xml"], ["Error: Invalid value for '--format': 'xml' is not one of 'table', 'json'."]),
        (["rules", "gin", "--set", "gin_bonus=-5"], ["Error: gin_bonus = -5: must be 0 or more."]),
        (["rules", "none.toml"], ["Error: none.toml: no such file. `ginsim rules` lists the rules that have a name."]),
        (["rules", "gin", "eaai", "straight"], ["Error: 3 rule sets: give none, one, or two to compare."]),
        (["rules", "--set", "games=3"], ["Error: --set changes one rule set: give just one name or file with it."]),
    ],
)
def test_a_wrong_use_is_a_line_or_two_on_stderr_and_exit_2(arguments: list[str], lines: list[str]):
    result = ran(*arguments)
    assert (result.exit_code, result.stdout, result.stderr.splitlines()) == (2, "", lines)


def test_without_a_verb_there_is_help_and_exit_2():
    result = ran()
    assert result.exit_code == 2
    assert "Commands:" in result.stderr


@pytest.mark.parametrize(
    ("problem", "code", "line"),
    [
        (UsageError("the run folder holds\nsomething else."), 2, "Error: the run folder holds something else."),
        (GinsimError("the chunk is damaged."), 1, "Error: the chunk is damaged."),
        (OSError(errno.ENOSPC, "No space left on device", "runs/a"), 1, "Error: runs/a: No space left on device."),
        (OSError(errno.ENOSPC, "No space left on device"), 1, "Error: No space left on device."),
    ],
)
def test_what_a_verb_raises_is_a_line_and_its_exit_code(verb: Callable, problem: Exception, code: int, line: str):
    def fails() -> None:
        raise problem

    verb(fails)
    result = ran("rules")
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", f"{line}\n")


def test_an_interrupt_is_one_word_and_exit_130(verb: Callable):
    def interrupted() -> None:
        click.echo("half a")
        raise KeyboardInterrupt

    verb(interrupted)
    result = ran("rules")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "half a\n", "Stopped.\n")


def test_a_bug_keeps_its_traceback(verb: Callable):
    def broken() -> None:
        raise ZeroDivisionError

    verb(broken)
    with pytest.raises(ZeroDivisionError):
        ran("rules")


@pytest.mark.parametrize(
    "arguments", [["rules"], ["rules", "gin", "--format", "json"], ["--help"], ["rules", "--help"], ["--version"]]
)
def test_a_reader_that_has_gone_ends_the_command_quietly(arguments: list[str]):
    reading, writing = os.pipe()
    os.close(reading)
    process = started(*arguments, stdout=writing)
    os.close(writing)
    assert process.communicate()[1] == ""
    assert process.returncode == 141


def printing(lines: int, **settings: object) -> subprocess.Popen[str]:
    """A command whose verb prints so many lines without ever flushing them, in a process of its own."""
    code = f"""
import sys, types, click, ginsim.cli
module = sys.modules["stand_in"] = types.ModuleType("stand_in")
module.rules = click.command()(lambda: [print("a line of a table", i) for i in range({lines})])
ginsim.cli.VERBS["rules"] = ("stand_in:rules", "")
sys.argv = ["ginsim", "rules"]
ginsim.cli.main()
"""
    command = [sys.executable, "-c", code]
    return subprocess.Popen(
        command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, **settings  # type: ignore[call-overload]
    )


def test_more_than_a_pipe_holds_ends_quietly_at_head():
    process = printing(100_000, stdout=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == "a line of a table 0\n"
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 141


def test_output_that_was_held_back_ends_quietly_too():
    reading, writing = os.pipe()
    os.close(reading)
    process = printing(10, stdout=writing)
    os.close(writing)
    assert process.communicate()[1] == ""
    assert process.returncode == 141


def test_a_signal_ends_a_real_process_in_good_order_with_130(tmp_path: Path):
    # A rule file that is a pipe nobody writes to: the command waits in the middle of its work.
    waiting = tmp_path / "waiting.toml"
    os.mkfifo(waiting)
    process = started("rules", str(waiting), stdout=subprocess.PIPE)
    writing = os.open(waiting, os.O_WRONLY)
    process.send_signal(signal.SIGINT)
    output, complaint = process.communicate()
    os.close(writing)
    assert (process.returncode, output, complaint) == (130, "", "Stopped.\n")


def test_closed_output_is_no_traceback():
    command = f'"{sys.executable}" -m ginsim rules >&-'
    done = subprocess.run(["sh", "-c", command], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_output_without_the_character_gets_a_question_mark():
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "latin-1"}
    command = [sys.executable, "-m", "ginsim", "rules", "gin"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "[0 ? 1000]" in done.stdout


# ginsim rules


def test_rules_lists_every_preset_with_a_line_of_its_own():
    lines = ran("rules").stdout.splitlines()
    assert [line.split()[0] for line in lines[1 : 1 + len(preset_names())]] == preset_names()
    assert all(len(line.split()) > 4 for line in lines[1 : 1 + len(preset_names())])
    listed = json.loads(ran("rules", "--format", "json").stdout)
    assert [each["name"] for each in listed] == preset_names()
    assert all(each["description"] for each in listed)


def test_rules_shows_one_in_full_with_meanings_and_rule_numbers():
    result = ran("rules", "hollywood", "--set", "gin_bonus=20")
    lines = result.stdout.splitlines()
    assert lines[0] == "hollywood (gin_bonus 20)"
    rows = {line.split()[0]: line for line in lines[3:]}
    assert list(rows) == [name for name in FIELDS if name != "ace_upcard"]
    assert rows["gin_bonus"].split()[1] == "20"
    for name, row in rows.items():
        about = FIELDS[name]
        assert row.endswith(f"{about.meaning} ({about.rule}) [{about.values()}]")
    assert "\x1b" not in result.stdout
    shown = json.loads(ran("rules", "hollywood", "--format", "json").stdout)
    assert shown["rules"] == load("hollywood").as_dict()
    assert ran("rules", "hollywood").stdout.startswith("hollywood: Hollywood Gin")


def test_rules_shows_where_two_differ(tmp_path: Path):
    house = tmp_path / "house.toml"
    house.write_text('base = "hollywood"\ngin_bonus = 20\nbig_gin_bonus = 31\n')
    lines = ran("rules", "gin", str(house)).stdout.splitlines()
    assert lines[0].split() == ["field", "gin", str(house), "meaning"]
    rows = [line.split()[:3] for line in lines[1:]]
    assert rows == [
        ["format", "game", "hollywood"],
        ["gin_bonus", "25", "20"],
        ["big_gin_bonus", "false", "31"],
        ["games", "-", "3"],
        ["series_end", "-", "all"],
        ["shut_out", "-", "literal"],
    ]
    compared = json.loads(ran("rules", "gin", "hollywood-20", "--format", "json").stdout)
    assert compared["rules"] == ["gin", "hollywood-20"]
    assert compared["differences"]["gin_bonus"] == [25, 20]
    assert compared["differences"]["games"] == [None, 3]


def test_rules_says_where_two_are_the_same(tmp_path: Path):
    house = tmp_path / "house.toml"
    house.write_text('base = "hollywood"\ngin_bonus = 20\n')
    assert ran("rules", "hollywood-20", str(house)).stdout == f"hollywood-20 and {house} are the same rules.\n"
    assert json.loads(ran("rules", "hollywood-20", str(house), "--format", "json").stdout)["differences"] == {}


def test_a_terminal_gets_a_table_as_wide_as_it_is(monkeypatch: pytest.MonkeyPatch):
    assert max(map(len, ran("rules", "gin").stdout.splitlines())) > 100
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(ginsim.cli.options.sys, "stdout", _Terminal())
    ginsim.cli.options.show("x" * 150)
    assert [len(line) for line in ginsim.cli.options.sys.stdout.written.splitlines()] == [60, 60, 30]


class _Terminal:
    """As much of a terminal as is needed to be written to."""

    encoding = "utf-8"
    written = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.written += text
        return len(text)

    def flush(self) -> None:
        pass

    def fileno(self) -> int:
        raise OSError
