"""What the tests of runs and commands share: commands in this process and in processes of their own, and what a folder holds."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner, Result

import ginsim
from ginsim.cli import cli
from ginsim.store.files import read_seal, row_files

ROOT = Path(__file__).parent.parent

_UNWANTED = ("PYTHONUNBUFFERED", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "TTY_COMPATIBLE")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in _UNWANTED} | {"PYTHONPATH": str(ROOT)}

#: What may differ between two reports of the same rows: how long it took, how and where they are kept.
PASSING = ("seconds", "hash", "command")


@pytest.fixture(scope="session", autouse=True)
def engine() -> None:
    """The engine, compiled before anything is printed or timed; a module of tests that imports this has it."""
    for strategy in ("simple", "random"):
        ginsim.simulate("gin", matches=1, seed=0, strategies=strategy)


def called(*arguments: object) -> Result:
    """What a command prints and returns, in this process; a bug in it is raised here."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], prog_name="ginsim")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def answered(*arguments: object) -> str:
    """What a command prints that ends well and complains of nothing."""
    result = called(*arguments)
    assert (result.exit_code, result.stderr) == (0, ""), result.stderr
    return result.stdout


def command(*arguments: object) -> list[str]:
    """The command for a process of its own."""
    return [sys.executable, "-m", "ginsim", *map(str, arguments)]


def ran(*arguments: object, **settings: Any) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, at its end."""
    settings = {"env": ENVIRONMENT, "capture_output": True, "text": True, "timeout": 120} | settings
    return subprocess.run(command(*arguments), check=False, **settings)


def started(*arguments: object, **settings: Any) -> subprocess.Popen[str]:
    """A command in a process of its own, at its start."""
    settings = {"env": ENVIRONMENT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | settings
    return subprocess.Popen(command(*arguments), **settings)


def python(code: str, *arguments: object, **settings: Any) -> subprocess.CompletedProcess[str]:
    """A script in a process of its own, at its end."""
    settings = {"env": ENVIRONMENT, "capture_output": True, "text": True, "timeout": 120} | settings
    return subprocess.run([sys.executable, "-c", code, *map(str, arguments)], check=False, **settings)


def shell(line: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    """A line of a shell in which ``ginsim`` is the command."""
    script = f'ginsim() {{ "{sys.executable}" -m ginsim "$@"; }}\n{line}'
    settings = {"env": ENVIRONMENT, "capture_output": True, "text": True, "timeout": 120} | settings
    return subprocess.run(["bash", "-c", script], check=False, **settings)


def contents(folder: Path) -> dict[str, str]:
    """The hash of every file in a folder, by its path in there."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def times(folder: Path) -> dict[str, int]:
    """When every file and folder in a folder was changed, by its path in there."""
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in (folder, *sorted(folder.rglob("*")))}


def lasting(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report without what may differ between two of the same rows."""
    rest = {name: value for name, value in report.items() if name not in PASSING}
    plan = {name: value for name, value in rest["plan"].items() if name != "chunk"}
    return json.loads(json.dumps({**rest, "plan": plan}))


def rewritten(file: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Put other rows into a file of a stored run, under a checksum that is right for them."""
    seal = read_seal(file)
    assert seal is not None
    table = file.parent.name
    file.write_bytes(row_files({table: change(pl.read_parquet(file))}, seal.plan, int(file.stem), seal.count)[table])
