"""Mutants on trial, with the compiler off: ``python -m verification.trial`` reads names of modules and says what the tests find.

The mutated package stands first on the path. For every line read, a fork of this process, which has loaded all but the package, imports it as
it is then. First it compares the engine with its twin on a few hands and matches, which finds most faults at once; then it runs the quick
tests of the module until one fails. A fault may make the engine go round for ever, so each step has a limit of processor
time. The answer is one of the words ``SURVIVED``, ``FOUND``, ``HUNG`` and ``CRASHED``.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

SURVIVED, FOUND, HUNG, CRASHED = "survived", "found", "never ended", "crashed"

TESTS = {
    "melds": ("test_melds.py", "test_hand.py"),
    "hand": ("test_hand.py", "test_randomness.py", "test_formats.py", "test_knock_chart.py"),
    "ledger": ("test_formats.py",),
    "formats": ("test_formats.py", "test_views_in_matches.py"),
}
"""The tests that are about each module."""

COMPARED: tuple[tuple[str, str, tuple[str, ...], int, dict[str, Any]], ...] = (
    ("hands", "gin", ("simple",), 20, {}),
    ("hands", "oklahoma", ("random",), 10, {"big_gin_bonus": 31}),
    ("hands", "straight", ("simple",), 20, {"last_discard": "knock", "stock_floor": 10, "big_gin_bonus": 0}),
    ("hands", "gin", ("simple", "random"), 20, {"discard_taken_card": True, "undercut_on_tie": False, "max_draws": 30}),
    ("hands", "three-handed", ("simple:knock=0",), 6, {"max_draws": 24}),
    ("matches", "hollywood", ("simple",), 2, {"target": 50, "shut_out": "next_game", "box_bonus": 5, "max_hands": 40}),
    ("matches", "hollywood", ("simple",), 2, {"target": 60, "series_end": "decided", "max_hands": 40}),
    ("matches", "three-handed", ("simple",), 4, {"target": 40, "game_bonus": 50, "max_hands": 30}),
    ("matches", "eaai", ("simple",), 4, {"target": 40, "box_bonus": 5, "blitz_bonus": 7, "max_hands": 30}),
)
"""Unit, rules, players, how many, and fields of the rules that are otherwise."""

_COMPARE_SECONDS = 10
_TEST_SECONDS = 30
_TRIAL_SECONDS = 1800
_CODES = (SURVIVED, FOUND, HUNG)
_LOADED = ("duckdb", "hypothesis", "naive", "numba.experimental", "numba.extending", "pandas", "polars", "scipy.special")


def main() -> None:
    """Answer every line of standard input."""
    for name in _LOADED:
        import_module(name)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _try(line.strip())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(_CODES[status] if status in range(len(_CODES)) else CRASHED, flush=True)


def _try(module: str) -> None:
    """The trial of a module; ends the process."""
    code = _CODES.index(FOUND)
    try:
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silence, stream)
        signal.alarm(_TRIAL_SECONDS)
        signal.signal(signal.SIGPROF, lambda *_: os._exit(_CODES.index(HUNG)))
        if not _differs() and not _tests_fail(module):
            code = _CODES.index(SURVIVED)
    finally:
        os._exit(code)


def _differs() -> bool:
    with _limited(_COMPARE_SECONDS):
        import table

        return any(
            table.differences(rules, specs, 11, count, unit=unit, mirror=unit == "matches", changes=changes)
            for unit, rules, specs, count, changes in COMPARED
        )


def _tests_fail(module: str) -> bool:
    import table

    folder = Path(table.__file__).parent
    tests = [str(folder / name) for name in TESTS[module]]
    # Tests of the hash seed start whole interpreters, and are about something else.
    options = ["-q", "-x", "-m", "quick", "-k", "not hash_seed", "-p", "no:cacheprovider", "--tb=no"]
    return pytest.main([*options, *tests], plugins=[_Limits()]) != pytest.ExitCode.OK


class _Limits:
    """A plugin that gives every test the limit."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> Iterator[Any]:
        with _limited(_TEST_SECONDS):
            return (yield)


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """A limit of processor time, after which the process ends."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    main()
