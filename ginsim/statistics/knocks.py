"""What knocking is worth against playing on: from counts by draws and deadwood to estimates, and to advice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ginsim.statistics.intervals import LEVEL, mean_interval, student_quantile, wilson

N, KNOCKS, TOTAL, SQUARES = range(4)
"""What is counted in a cell: decisions, how many of them the player knocked, and the sum and the sum of squares of the differences."""

KNOCK, PLAY_ON, OPEN = "knock", "play on", "open"


def knock_cells(counts: np.ndarray, least: int, *, of_games: bool) -> list[dict[str, Any]]:
    """The cells of a knock chart in which anything was met, by draws and then deadwood.

    A hand is asked at most once after the same number of draws: the differences in a cell are of as many different hands, and
    independent.

    Args:
        counts: whole numbers, shape (draws, deadwoods, 4): see :data:`N`.
        least: with fewer decisions than this, 2 or more, a cell has no value.
        of_games: the differences are of games won, -1, 0 or 1.

    Returns:
        For each ``draws``, ``deadwood``, ``n``, ``value`` with its interval ``low`` and ``high``, ``knocks``, ``verdict``, which is that of the interval,
        and ``clear``: whether it is one even with the level shared among all cells that have a value (Bonferroni).
    """
    cells = [
        {"draws": int(draws), "deadwood": int(deadwood), **_cell(*map(int, counts[draws, deadwood]), least, of_games)}
        for draws, deadwood in np.argwhere(counts[:, :, N])
    ]
    tests = sum(cell["value"] is not None for cell in cells)
    return [{**cell, "clear": None if cell["value"] is None else _is_clear(cell, tests)} for cell in cells]


def _is_clear(cell: Mapping[str, Any], tests: int) -> bool:
    half = (cell["high"] - cell["low"]) / 2
    wider = student_quantile(cell["n"] - 1, 1 - (1 - LEVEL) / tests) / student_quantile(cell["n"] - 1)
    return abs(cell["value"]) > half * wider


def _cell(n: int, knocks: int, total: int, squares: int, least: int, of_games: bool) -> dict[str, Any]:
    value = low = high = verdict = None
    if n >= least:
        value = total / n
        spread = n * squares - total * total
        if spread == 0 and of_games:
            # All alike: how often it may come otherwise all the same is what Wilson's interval says of none in n.
            rare = wilson(0, n)[1]  # type: ignore[index]
            low, high = value - rare * (1 + value), value + rare * (1 - value)
        else:
            interval = mean_interval(value, spread / (n * (n - 1)), n)
            low, high = interval.low, interval.high
        verdict = KNOCK if low > 0 else PLAY_ON if high < 0 else OPEN
    return {"n": n, "value": value, "low": low, "high": high, "knocks": knocks / n, "verdict": verdict}


def advice(cells: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the cells say of each deadwood in the order of draws: stretches of the same verdict, what is not clear or empty left out.

    Returns:
        By deadwood ``stretches``, each with ``verdict``, ``first`` and ``last`` (draws), none where nothing is clear; deadwoods without a
        value are left out.
    """
    found = []
    for deadwood in sorted({cell["deadwood"] for cell in cells if cell["verdict"]}):
        column = [cell for cell in cells if cell["deadwood"] == deadwood and cell["clear"]]
        found.append({"deadwood": deadwood, "stretches": list(_stretches(column))})
    return found


def _stretches(column: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    stretch: dict[str, Any] | None = None
    for cell in column:
        if stretch is None or stretch["verdict"] != cell["verdict"]:
            if stretch is not None:
                yield stretch
            stretch = {"verdict": cell["verdict"], "first": cell["draws"]}
        stretch["last"] = cell["draws"]
    if stretch is not None:
        yield stretch
