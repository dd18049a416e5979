"""The numbers that ``expert`` plays by under some rules: tuned for a grid of bonuses, and elsewhere what lies between its points.

Each file in ``sets/`` is what ``scripts/tune-expert`` had ``ginsim tune`` write for one pair of gin and undercut bonus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ginsim.rules import Rules
from ginsim.strategies.expert.parameters import SETS
from ginsim.strategies.parameter_file import read

Point = tuple[int, int]
"""A gin bonus and an undercut bonus."""


def defaults_for(rules: Rules) -> dict[str, float]:
    """The parameters under these rules."""
    return between(_tuned(), (rules.gin_bonus, rules.undercut_bonus))


def between(tuned: Mapping[Point, Mapping[str, float]], point: Point) -> dict[str, float]:
    """Parameters at a point, bilinearly from those tuned at every point of a grid; outside of it, those at its border."""
    corners = {(0, 0): 1.0}
    for axis in (0, 1):
        low, high, part = _neighbours(sorted({known[axis] for known in tuned}), point[axis])
        shares = {low: 1.0 - part} if low == high else {low: 1.0 - part, high: part}
        corners = {
            (*corner[:axis], value, *corner[axis + 1 :]): weight * share  # type: ignore[misc]
            for corner, weight in corners.items()
            for value, share in shares.items()
        }
    names = next(iter(tuned.values()))
    return {name: sum(weight * tuned[corner][name] for corner, weight in corners.items()) for name in names}


def _neighbours(values: Sequence[int], value: int) -> tuple[int, int, float]:
    """The two of ascending ``values`` between which a value lies, and how far from the first; at the ends the same one twice."""
    if value <= values[0]:
        return values[0], values[0], 0.0
    for low, high in zip(values, values[1:], strict=False):
        if value <= high:
            return low, high, (value - low) / (high - low)
    return values[-1], values[-1], 0.0


@cache
def _tuned() -> dict[Point, dict[str, float]]:
    contents = [read(path) for path in sorted(SETS.glob("*.toml"))]
    return {(each["rules"]["gin_bonus"], each["rules"]["undercut_bonus"]): each["parameters"] for each in contents}
