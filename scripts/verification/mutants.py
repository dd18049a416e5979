"""Small faults that can be put into a module: the mutants of its functions' bodies.

The operators are those of Cosmic Ray, which works on the source before anything is decorated or compiled, and one of ours that
leaves a statement out. Each mutant is known by its place and by how its line reads before and after, so that it is recognised when the
lines around it have moved.
"""

from __future__ import annotations

import ast
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import parso
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator

logging.getLogger("cosmic_ray").setLevel(logging.WARNING)

_SWAPS = {
    "Add": ("Sub",),
    "Sub": ("Add",),
    "Mul": ("Add", "FloorDiv"),
    "FloorDiv": ("Mul",),
    "Mod": ("Add",),
    "LShift": ("RShift",),
    "RShift": ("LShift",),
    "BitAnd": ("BitOr",),
    # Not by an exclusive or, which is the same wherever sets have nothing in common.
    "BitOr": ("BitAnd",),
    "BitXor": ("BitAnd", "BitOr"),
}
_COMPARISONS = {
    "Eq": ("NotEq",),
    "NotEq": ("Eq",),
    "Lt": ("LtE", "GtE"),
    "LtE": ("Lt", "Gt"),
    "Gt": ("GtE", "LtE"),
    "GtE": ("Gt", "Lt"),
}
_OTHERS = (
    "AddNot",
    "NumberReplacer",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "ReplaceFalseWithTrue",
    "ReplaceTrueWithFalse",
    "ReplaceUnaryOperator_Delete_Invert",
    "ReplaceUnaryOperator_Delete_Not",
    "ReplaceUnaryOperator_Delete_USub",
    "ZeroIterationForLoop",
)


class LeaveOut(Operator):
    """Leaves out an assignment, or a call whose answer nobody wants."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        if node.type == "simple_stmt" and _does_something(node.children[0]):
            yield node.children[0].start_pos, node.children[0].end_pos

    def mutate(self, node: Any, index: int) -> Any:
        nothing = parso.parse("pass").children[0]
        nothing.prefix = node.get_first_leaf().prefix
        node.children[0] = nothing
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


def _does_something(statement: Any) -> bool:
    called = statement.type == "atom_expr" and statement.children[-1].type == "trailer" and statement.children[-1].children[0] == "("
    return statement.type == "expr_stmt" or called


@dataclass(frozen=True)
class Place:
    """Where an operator can be applied: its so-manieth occurrence in the module, in the body of a function."""

    module: str
    function: str
    decorated: bool
    line: int
    operator: str
    occurrence: int


@dataclass(frozen=True)
class Mutant:
    """A fault at a place, and how the line reads before and after, without indentation.

    ``copy`` counts the lines of the function that read the same before it.
    """

    place: Place
    before: str
    after: str
    copy: int
    source: str

    @property
    def text(self) -> str:
        """In one line for people."""
        return f"{self.place.module}.{self.place.function}, line {self.place.line}: {self.before} -> {self.after}"

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What it is known by."""
        return self.place.module, self.place.function, self.before, self.after, self.copy


def operators() -> dict[str, Operator]:
    """Every operator by its name."""
    names = [f"ReplaceBinaryOperator_{one}_{other}" for one, others in _SWAPS.items() for other in others]
    names += [f"ReplaceComparisonOperator_{one}_{other}" for one, others in _COMPARISONS.items() for other in others]
    return {name: get_operator(f"core/{name}")() for name in (*names, *_OTHERS)} | {"LeaveOut": LeaveOut()}


def places(path: Path) -> list[Place]:
    """Everywhere in a module that some operator can be applied."""
    tree = get_ast(path.read_text(encoding="utf-8"))
    found = []
    for name, operator in operators().items():
        positions = [(node, start) for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node)]
        for occurrence, (node, start) in enumerate(positions):
            function = _enclosing(node, start)
            if function is not None and not (name == "AddNot" and _is_comparison(node, start)):
                decorated = function.parent.type == "decorated"
                found.append(Place(path.stem, function.name.value, decorated, start[0], name, occurrence))
    return found


def mutant(place: Place, path: Path) -> Mutant | None:
    """The fault at a place; None where it does not change the program, or breaks its syntax."""
    source = path.read_text(encoding="utf-8")
    changed = mutate_code(source, operators()[place.operator], place.occurrence)
    try:
        if ast.dump(ast.parse(changed)) == ast.dump(ast.parse(source)):
            return None
    except SyntaxError:
        return None
    old, new = source.splitlines(), changed.splitlines()
    row = next(row for row, (one, other) in enumerate(zip(old, new, strict=True)) if one != other)
    begins = next(above for above in range(row, -1, -1) if old[above].lstrip().startswith(f"def {place.function}("))
    before = old[row].strip()
    copy = sum(line.strip() == before for line in old[begins:row])
    return Mutant(place, before, new[row].strip(), copy, changed)


def _is_comparison(node: Any, start: tuple[int, int]) -> bool:
    """Whether the condition that starts there is a mere comparison, which its own operators turn round."""
    return any(child.type == "comparison" and child.start_pos == start for child in node.children)


def _enclosing(node: Any, start: tuple[int, int]) -> Any | None:
    """The function in whose body a node is."""
    function = parso.tree.search_ancestor(node, "funcdef")
    return function if function is not None and start >= function.children[-1].start_pos else None
