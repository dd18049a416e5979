"""What a machine plays with: the versions by which two machines could come to different results."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

from ginsim.plan import ENGINE
from ginsim.records import SCHEMA

_PACKAGE = Path(__file__).parents[1]
Identity = dict[str, str]
"""Names and versions; plain, so that any Python with any ginsim can read it."""


@cache
def identity() -> Identity:
    """The versions of this process: of ginsim and its sources, of Python, and of what compiles and what writes files."""
    return {
        "ginsim": _version("ginsim"),
        "engine": str(ENGINE),
        "schema": str(SCHEMA),
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "Numba": _version("numba"),
        "Polars": _version("polars"),
        "sources of ginsim": _sources()[:12],
    }


def difference(mine: Identity, worker: str, its: Identity) -> str | None:
    """In what a worker is not like the one who asks it to play, in a sentence; None if in nothing that matters."""
    for name in {**mine, **its}:
        if mine.get(name) != its.get(name):
            return (
                f"the worker {worker} has {name} {its.get(name, 'unknown')} and this machine {mine.get(name, 'unknown')}, "
                "so that results could differ: install the same on both."
            )
    return None


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"


def _sources() -> str:
    """The hash of everything in the package that is read or run."""
    digest = hashlib.sha256()
    for path in sorted(file for kind in ("*.py", "*.toml") for file in _PACKAGE.rglob(kind)):
        digest.update(f"{path.relative_to(_PACKAGE).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()
