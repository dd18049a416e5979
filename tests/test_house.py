"""The house is built as its plan says: who may import whom, where the compiler lives, and that everything is explained."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import ROOT

import ginsim

PACKAGE = ROOT / "ginsim"
SOURCES = {str(path.relative_to(ROOT)): path for path in sorted(PACKAGE.rglob("*.py"))}

#: From below to above. A piece imports only pieces that stand before it; those on one line do not know each other.
ORDER = (
    "errors",
    "accelerate",
    "cards",
    "randomness",
    "records",
    "melds",
    "rules",
    "ledger",
    "hand",
    "deals pricing",
    "strategies formats",
    "plan",
    "runner",
    "processes",
    "contract",
    "store",
    "solver scorepad",
    "statistics odds",
    "replay",
    "report",
    "charts",
    "page",
    "simulation repeat",
    "summing until",
    "tallying",
    "knocking tournaments comparison tuning",
    "api",
    "cli",
    "__main__",
)
LEVEL = {piece: level for level, line in enumerate(ORDER) for piece in line.split()}

NUMBA = ("numba", "llvmlite")


def imported(source: Path) -> Iterator[str]:
    """The full name of everything that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            # A relative name is of the same folder.
            yield from (f"{'.' * node.level}{node.module}.{each.name}" for each in node.names)


def piece_of(name: str) -> str:
    """The piece of the package that a module's name or path belongs to."""
    return Path(name).with_suffix("").parts[1] if "/" in name else name.split(".")[1]


def test_every_piece_has_its_place() -> None:
    pieces = {piece_of(name) for name in SOURCES} - {"__init__"}
    assert pieces <= LEVEL.keys()
    assert {"errors", "hand", "plan", "report", "api", "cli"} <= pieces


@pytest.mark.parametrize("name", SOURCES)
def test_a_piece_imports_only_from_those_before_it(name: str) -> None:
    if name == "ginsim/__init__.py":
        assert not [other for other in imported(SOURCES[name]) if other.startswith("ginsim")], "it must stay quick to import"
        return
    piece = piece_of(name)
    for other in imported(SOURCES[name]):
        assert not other.startswith("."), f"{name} imports {other}: the package's own are imported by their full names"
        if other.startswith("ginsim.") and piece_of(other) != piece:
            assert LEVEL[piece_of(other)] < LEVEL[piece], f"{name} imports {other}"


@pytest.mark.parametrize("name", SOURCES)
def test_only_one_module_knows_the_compiler(name: str) -> None:
    knows = [other for other in imported(SOURCES[name]) if other.split(".")[0] in NUMBA]
    assert bool(knows) == (name == "ginsim/accelerate.py"), knows


def test_the_slow_twin_shares_no_code_with_the_package() -> None:
    twin = sorted((ROOT / "tests" / "naive").rglob("*.py"))
    assert twin
    for source in twin:
        assert not [name for name in imported(source) if name.split(".")[0] == "ginsim"], source


def public(nodes: list[ast.stmt], within: str = "") -> Iterator[tuple[str, ast.stmt]]:
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield within + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body, f"{within}{node.name}.")
        elif isinstance(node, (ast.If, ast.Try)):
            yield from public([*node.body, *node.orelse], within)


@pytest.mark.parametrize("name", SOURCES)
def test_everything_public_is_explained(name: str) -> None:
    tree = ast.parse(SOURCES[name].read_text(encoding="utf-8"))
    missing = [each for each, node in public(tree.body) if not ast.get_docstring(node)]
    assert ast.get_docstring(tree), f"{name} does not say what it is"
    assert not missing, f"{name} does not explain {', '.join(missing)}"


@pytest.mark.parametrize("name", ginsim.__all__)
def test_what_the_package_offers_is_there(name: str) -> None:
    assert getattr(ginsim, name).__doc__
    assert name in dir(ginsim)
