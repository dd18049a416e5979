"""The very first starts: many at once on an empty compile cache, and an installation that cannot be written by somebody without a home."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import ginsim
from verification.findings import Finding, exact
from verification.scale import Scale

TITLE = "First starts"

AT_ONCE = 8
_NOWHERE = "/dev/null/nowhere"


def verify(scale: Scale) -> list[Finding]:
    """Start ginsim where nothing is compiled yet."""
    with tempfile.TemporaryDirectory() as place:
        expected = _hash(_finished(_start({}, Path(place, "usual"))))
        number = scale.of(AT_ONCE)
        # None of them may wait for the others to answer.
        processes = [_start({"XDG_CACHE_HOME": str(Path(place, "cache"))}, Path(place, f"run {index}")) for index in range(number)]
        hashes = {_hash(_finished(process)) for process in processes}
        package = Path(place, "read only")
        shutil.copytree(Path(ginsim.__file__).parent, package / "ginsim", ignore=shutil.ignore_patterns("__pycache__"))
        for path in sorted(package.rglob("*"), reverse=True):
            path.chmod(0o555 if path.is_dir() else 0o444)
        homeless = {"HOME": _NOWHERE, "XDG_CACHE_HOME": _NOWHERE, "LOCALAPPDATA": _NOWHERE, "PYTHONPATH": str(package)}
        alone = _hash(_finished(_start(homeless, Path(place, "homeless"))))
        left = [path for path in package.rglob("*") if path.is_dir() and path.name == "__pycache__"]
        for path in package.rglob("*"):
            path.chmod(0o755)
    return [
        exact(f"{number} first starts at once on an empty cache", {expected}, hashes),
        exact("a read-only installation, and no home", expected, alone),
        Finding("  folders that it left in the installation", "", str(len(left))),
    ]


def _start(environment: Mapping[str, str], out: Path) -> subprocess.Popen[str]:
    arguments = ["simulate", "--rules", "gin", "--hands", "2000", "--seed", "1", "--out", str(out), "--format", "json"]
    return subprocess.Popen(
        [sys.executable, "-m", "ginsim", *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _finished(process: subprocess.Popen[str]) -> str:
    output, _ = process.communicate()
    return output if process.returncode == 0 else "{}"


def _hash(report: str) -> str:
    return json.loads(report).get("hash", "it failed")[:16]
