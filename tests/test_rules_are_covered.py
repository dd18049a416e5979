"""Every rule has a test of the engine that names it, and every kind of check of the case file is put to the engine."""

import ast
import re
from pathlib import Path

import pytest
from table import CASES

pytestmark = pytest.mark.quick

RULES = range(1, 35)
#: Tests of other things than the engine: the twin itself, and this file.
NOT_OF_THE_ENGINE = {"test_naive.py", Path(__file__).name}
SOURCES = {
    path.name: ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    if path.name not in NOT_OF_THE_ENGINE
}


def found_tests() -> dict[str, str]:
    """Each test function by file and name, with its docstring."""
    return {
        f"{source}::{node.name}": ast.get_docstring(node) or ""
        for source, tree in SOURCES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def rules_in(name: str, docstring: str) -> set[int]:
    """The rules that a test names: ``r14`` or ``R14`` as a word of its name, ``R14`` in its docstring."""
    named = {int(number) for number in re.findall(r"(?<![a-z0-9])r(\d+)(?![a-z0-9])", name.lower().replace("_", " "))}
    named |= {int(number) for number in re.findall(r"\bR(\d+)\b", docstring)}
    return named


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"R{rule}")
def test_every_rule_is_named_by_a_test(rule: int) -> None:
    naming = [name for name, docstring in found_tests().items() if rule in rules_in(name, docstring)]
    assert naming, f"no test names R{rule}"


def test_no_test_names_a_rule_that_there_is_not() -> None:
    unknown = {name: rules_in(name, docstring) - set(RULES) for name, docstring in found_tests().items()}
    assert {name: numbers for name, numbers in unknown.items() if numbers} == {}


def test_every_kind_of_check_of_the_case_file_is_put_to_the_engine() -> None:
    """Tests ask for them by ``checks("kind")``; the interval checks are read by the tests of statistics."""
    asked = {
        node.args[0].value
        for tree in SOURCES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "checks"
    }
    kinds = {check["kind"] for case in CASES for check in case["checks"]}
    assert kinds - asked == {"wilson"}
