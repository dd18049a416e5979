"""What is built from the project works where the project is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from commands import ROOT

from ginsim.cli import VERBS
from ginsim.rules import preset_names

# Nobody's settings, and no place where the project itself could be found. The compiler would want half a minute.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_", "COLUMNS"))} | {
    "NUMBA_DISABLE_JIT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONWARNINGS": "ignore",
}


def finished(*command: object, **settings: object) -> subprocess.CompletedProcess[str]:
    settings = {"env": CLEAN, "capture_output": True, "text": True, "timeout": 120} | settings
    return subprocess.run([str(word) for word in command], check=False, **settings)


def sources() -> dict[str, bytes]:
    """The package's files in the source tree, by their names in a wheel."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (ROOT / "ginsim").rglob("*")
        if path.is_file() and path.suffix in (".py", ".toml", ".html", ".css")
    }


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tool is that builds the project."""
    place = tmp_path_factory.mktemp("builder")
    done = finished(sys.executable, "-m", "pip", "install", "--quiet", "--target", place, "hatchling>=1.25")
    if done.returncode:
        pytest.skip(f"the tool that builds the project can not be fetched: {done.stderr.strip().splitlines()[-1]}")
    return place


def built(builder: Path, kind: str, source: Path, out: Path) -> Path:
    """The wheel or sdist that is built of a source tree."""
    code = f"import hatchling.build, sys; print(hatchling.build.build_{kind}(sys.argv[1]))"
    done = finished(sys.executable, "-c", code, out, cwd=source, env={**CLEAN, "PYTHONPATH": str(builder)})
    assert done.returncode == 0, done.stderr
    return out / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def wheel(builder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(builder, "wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(builder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source tree that an sdist unpacks to."""
    folder = tmp_path_factory.mktemp("sdist")
    packed = built(builder, "sdist", ROOT, folder)
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = [path for path in folder.iterdir() if path.is_dir()]
    return unpacked


def files_of(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel and, borrowed from this one, the packages that it needs."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder / "env", symlinks=os.name != "nt")
    paths = sysconfig.get_paths(vars={"base": str(folder / "env"), "platbase": str(folder / "env")})
    borrowed = folder / "borrowed"
    borrowed.mkdir()
    for place in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        for package in Path(place).iterdir():
            # Not this project itself, and nothing that would lead to it.
            if "ginsim" not in package.name and package.suffix != ".pth" and not (borrowed / package.name).exists():
                (borrowed / package.name).symlink_to(package)
    (Path(paths["purelib"]) / "borrowed.pth").write_text(f"{borrowed}\n")
    python = Path(paths["scripts"]) / "python"
    done = finished(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    assert done.returncode == 0, done.stderr
    return python


def test_the_wheel_holds_every_module_and_preset_of_the_source_tree_and_nothing_else(wheel: Path) -> None:
    assert files_of(wheel) == sources()


def test_the_wheel_of_the_sdist_is_the_wheel_of_the_source_tree(wheel: Path, sdist: Path, builder: Path, tmp_path: Path) -> None:
    assert files_of(built(builder, "wheel", sdist, tmp_path)) == files_of(wheel)
    assert {"pyproject.toml", "README.md", "tests", "scripts"} <= {path.name for path in sdist.iterdir()}


def test_installed_it_knows_its_version_and_is_not_the_source_tree(python: Path) -> None:
    done = finished(python, "-c", "import ginsim; print(ginsim.__file__)", cwd="/")
    assert done.stdout.startswith(str(python.parent.parent))
    for command in ([python.with_name("ginsim")], [python, "-m", "ginsim"]):
        done = finished(*command, "--version", cwd="/")
        assert (done.returncode, done.stdout, done.stderr) == (0, "ginsim 0.1.0\n", "")


def test_every_verb_can_be_loaded_where_it_is_installed(python: Path) -> None:
    code = """
import importlib
from ginsim.cli import VERBS
for place, _ in VERBS.values():
    module, name = place.split(":")
    print(getattr(importlib.import_module(module), name).name)
"""
    done = finished(python, "-c", code, cwd="/")
    assert (done.returncode, done.stdout.split()) == (0, list(VERBS)), done.stderr


def test_installed_it_plays_reports_and_exports_from_another_folder(python: Path, tmp_path: Path) -> None:
    listed = finished(python.with_name("ginsim"), "rules", "--format", "json", cwd="/")
    assert [each["name"] for each in json.loads(listed.stdout)] == preset_names()
    code = """
from ginsim.cli import cli
for line in ("simulate --matches 2 --seed 1 --out run", "report run --format json", "export run --to games.parquet --table games"):
    cli(line.split(), standalone_mode=False)
"""
    done = finished(python, "-c", code, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 matches (" in done.stdout and "ginsim 0.1.0" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"run", "games.parquet"}


def test_without_its_metadata_the_version_is_unknown(python: Path) -> None:
    (information,) = Path(sysconfig.get_path("purelib", vars={"base": str(python.parent.parent)})).glob("ginsim-*.dist-info")
    hidden = information.with_name("hidden")
    information.rename(hidden)
    try:
        done = finished(python, "-m", "ginsim", "--version", cwd="/")
        assert (done.returncode, done.stdout, done.stderr) == (0, "ginsim unknown\n", "")
        done = finished(python, "-c", "from ginsim.api import version; print(version())", cwd="/")
        assert (done.returncode, done.stdout) == (0, "unknown\n")
    finally:
        hidden.rename(information)
