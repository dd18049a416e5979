"""The scripts that set things up, on a machine whose python3 only pretends to install."""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FAKE_PYTHON = """#!/bin/sh
# $LOG gets a line for every environment made and every installation.
case "$1 $2" in
"-c "*) exec "$REAL" "$@" ;;
"-m venv")
    echo "venv" >>"$LOG"
    for last; do :; done
    rm -rf "$last"
    mkdir -p "$last/bin"
    cp "$0" "$last/bin/python"
    ;;
"-m pip")
    [ "$3" = install ] || exit 0
    for last; do :; done
    echo "pip $last" >>"$LOG"
    [ -z "${FAILS:-}" ] || exit 1
    [ -z "${KILLS:-}" ] || kill -9 "$PPID"
    [ -z "${TAKES:-}" ] || sleep "$TAKES"
    printf '#!/bin/sh\\necho "ginsim in $PWD: $*"\\nexit 7\\n' >"${0%/*}/ginsim"
    chmod +x "${0%/*}/ginsim"
    ;;
"-m pytest") shift 2; echo "pytest in $PWD: $*" ;;
esac
"""


class Project:
    """A copy of what the scripts need, in a folder with a space in its name, and a machine with the pretended python3."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "my project"
        shutil.copytree(ROOT / "scripts", self.root / "scripts")
        shutil.copytree(ROOT / ".ci", self.root / ".ci")
        shutil.copy(ROOT / "pyproject.toml", self.root)
        self.elsewhere = folder / "else where"
        self.elsewhere.mkdir()
        self.machine = folder / "bin"
        self.machine.mkdir()
        self.log = folder / "log"
        self.log.touch()
        # Just these tools, so that no other python3 of the machine is found.
        for tool in "sh cat chmod cksum cp dirname head mkdir readlink rm sleep tail timeout touch".split():
            (self.machine / tool).symlink_to(shutil.which(tool) or "")
        self.python3(FAKE_PYTHON)

    def python3(self, text: str) -> None:
        """Make this the machine's ``python3``."""
        self.program("python3", text.removeprefix("#!/bin/sh\n"))

    def program(self, name: str, text: str) -> None:
        """Give the machine a program: a script of the shell."""
        (self.machine / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.machine / name).chmod(0o755)

    def run(self, script: str | Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a script from a folder that is not the project's."""
        return subprocess.run(
            [self.root / script, *arguments],
            cwd=self.elsewhere,
            env={"PATH": str(self.machine), "LOG": str(self.log), "REAL": sys.executable, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def done(self) -> list[str]:
        """What was made and installed since the last look."""
        lines = self.log.read_text().splitlines()
        self.log.write_text("")
        return lines


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_the_script_sets_up_once_and_runs_where_the_user_is(project: Project):
    first = project.run("scripts/ginsim", "simulate", "--out", "my runs")
    assert first.stdout == f"ginsim in {project.elsewhere}: simulate --out my runs\n"
    assert first.stderr == "Setting up ginsim in .venv (once) ...\n"
    assert first.returncode == 7
    assert project.done() == ["venv", "pip ."]
    second = project.run("scripts/ginsim")
    assert (second.stdout, second.stderr) == (f"ginsim in {project.elsewhere}: \n", "")
    assert project.done() == []


def test_the_script_works_through_a_link(project: Project):
    link = project.elsewhere / "gs"
    link.symlink_to(project.root / "scripts" / "ginsim")
    assert project.run(link, "rules").stdout == f"ginsim in {project.elsewhere}: rules\n"
    assert (project.root / ".venv").is_dir()


def test_the_tests_run_in_the_project_with_what_they_need(project: Project):
    assert project.run("scripts/test", "-k", "R14").stdout == f"pytest in {project.root}: -k R14\n"
    assert project.done() == ["venv", "pip .[test,referee]"]
    everything, said, without_compiler = project.run(".ci/run").stdout.splitlines()
    assert everything == f"pytest in {project.root}: -n auto"
    assert "compiler switched off" in said
    assert without_compiler == f"pytest in {project.root}: -n auto -m quick"
    project.run("scripts/ginsim")
    assert project.done() == []


def test_where_no_browser_is_the_tests_say_what_is_skipped(project: Project):
    words = "There is no Chromium here: that the HTML page looks right in a browser is not tested (skipped).\n"
    assert words in project.run("scripts/test").stderr
    project.program("chromium", "")
    assert words not in project.run("scripts/test").stderr


UPDATE, INSTALL = "apt-get update -qq", "apt-get install -y -qq chromium"


@pytest.mark.parametrize(
    ("user", "status", "asked", "said"),
    [
        ("0", 0, [UPDATE, INSTALL], ""),
        ("0", 1, [UPDATE, INSTALL], "Chromium could not be installed (no such package)"),
        ("1000", 0, [], ""),
    ],
)
def test_the_continuous_integration_installs_a_browser_where_it_can_and_goes_on_where_it_cannot(
    project: Project, user: str, status: int, asked: list[str], said: str
):
    project.program("id", f"echo {user}")
    project.program("apt-get", f'echo "apt-get $*" >>"$LOG"\necho "no such package" >&2\nexit {status}')
    result = project.run(".ci/run")
    assert "without" not in result.stdout and result.returncode == 0
    assert [line for line in project.done() if line.startswith("apt-get")] == asked
    assert said in result.stderr
    project.program("chromium", "")
    project.run(".ci/run")
    assert project.done() == [], "it is there already"


def test_the_tests_add_what_they_need_to_a_set_up_without_it(project: Project):
    project.run("scripts/ginsim")
    project.run("scripts/test")
    project.run("scripts/ginsim")
    assert project.done() == ["venv", "pip .", "pip .[test,referee]"]


def test_a_changed_project_file_or_a_moved_project_is_installed_again(project: Project):
    project.run("scripts/test")
    project.done()
    with (project.root / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    project.run("scripts/ginsim")
    project.run("scripts/test")
    project.run("scripts/test")
    assert project.done() == ["pip .", "pip .[test,referee]"]
    project.root = project.root.rename(project.root.with_name("moved"))
    project.run("scripts/ginsim")
    project.run("scripts/ginsim")
    assert project.done() == ["pip ."]


def test_a_set_up_that_was_killed_is_made_anew(project: Project):
    assert project.run("scripts/ginsim", KILLS="1").returncode != 7
    assert project.run("scripts/ginsim").returncode == 7
    assert project.done() == ["venv", "pip .", "venv", "pip ."]


def test_a_set_up_that_failed_says_so_and_is_tried_again(project: Project):
    failed = project.run("scripts/ginsim", FAILS="1")
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1] == "Error: pip could not install ginsim; what it said is above."
    assert project.run("scripts/ginsim").returncode == 7
    assert project.done() == ["venv", "pip .", "pip ."]


def test_two_set_ups_at_once_are_one(project: Project):
    with ThreadPoolExecutor() as pool:
        runs = list(pool.map(lambda _: project.run("scripts/ginsim", TAKES="0.5"), range(3)))
    assert [run.returncode for run in runs] == [7, 7, 7]
    assert project.done() == ["venv", "pip ."]
    assert sorted(run.stderr for run in runs)[0] == "Setting up ginsim in .venv (once) ...\n"


@pytest.mark.parametrize(
    ("python3", "line"),
    [
        (None, "Error: ginsim needs Python 3.11 or newer, and there is no python3 here.\n"),
        (
            '#!/bin/sh\n[ "$1" = -V ] && echo Python 3.9.6\nexit 1\n',
            "Error: ginsim needs Python 3.11 or newer; python3 here is Python 3.9.6.\n",
        ),
        (
            '#!/bin/sh\ncase "$2" in *ensurepip*) echo "ModuleNotFoundError" >&2; exit 1 ;; esac\n',
            "Error: python3 here lacks venv or pip (Debian and Ubuntu have them in the package python3-venv).\n",
        ),
        (
            '#!/bin/sh\n[ "$2" = venv ] && { printf "long\\nstory\\n"; exit 1; }\nexit 0\n',
            "Setting up ginsim in .venv (once) ...\nError: python3 could not make {root}/.venv (story).\n",
        ),
    ],
)
def test_a_machine_without_a_fit_python_gets_one_clear_line(project: Project, python3: str | None, line: str):
    if python3 is None:
        (project.machine / "python3").unlink()
    else:
        project.python3(python3)
    for script in ("scripts/ginsim", "scripts/test", ".ci/run"):
        result = project.run(script)
        assert (result.returncode, result.stdout, result.stderr) == (1, "", line.format(root=project.root))
