"""How a number is written. An interval has as many decimals as its estimate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, log10
from typing import Any

NOTHING = "n/a"
BARS = "▁▂▃▄▅▆▇█"
EIGHTHS = " ▏▎▍▌▋▊▉█"
MOST_DECIMALS = 10


@dataclass(frozen=True)
class Figure:
    """An estimate and its bounds as text; ``n/a`` for what is not known."""

    estimate: str
    low: str = NOTHING
    high: str = NOTHING

    def interval(self, *, tight: bool = False) -> str:
        """``(93.30 – 93.40)``, or without blanks; nothing beside an estimate that does not exist."""
        if self.estimate == NOTHING:
            return ""
        if NOTHING in (self.low, self.high):
            return f"({NOTHING})"
        return f"({self.low}{'–' if tight else ' – '}{self.high})"


def count(number: int | None) -> str:
    """A whole number with thousands separators."""
    return NOTHING if number is None else f"{number:,}"


def rate(values: Mapping[str, Any]) -> Figure:
    """A rate in per cent: two decimals, and more where it would else look like 0 or 100, or its interval like nothing."""
    estimate, low, high = (None if values[key] is None else 100 * values[key] for key in ("estimate", "low", "high"))
    if estimate is None:
        return Figure(NOTHING)
    distances = [distance for distance in (estimate, 100 - estimate) if distance > 0]
    two_digits = max(1 - floor(log10(distance)) for distance in distances)
    decimals = _decimals(low, high, at_least=max(2, two_digits))
    return Figure(f"{_fixed(estimate, decimals)} %", _fixed(low, decimals), _fixed(high, decimals))


def mean(values: Mapping[str, Any], at_least: int = 2) -> Figure:
    """A mean: two decimals, or ``at_least`` others, and more where its interval would else look like nothing."""
    decimals = _decimals(values["low"], values["high"], at_least=at_least)
    return Figure(*(_fixed(values[key], decimals) for key in ("mean", "low", "high")))


def difference(value: float, half: float | None, *, points: bool) -> tuple[str, str]:
    """A difference with its sign, and half the width of its interval with two digits; in percentage ``points``, or as it is."""
    scale, unit = (100, " pp") if points else (1, "")
    value *= scale
    decimals = 2
    if half:
        half *= scale
        decimals = min(MOST_DECIMALS, max(2, 1 - floor(log10(half))))
    shown = _fixed(value, decimals)
    sign = "+" if shown.strip("-0.,") and not shown.startswith("-") else ""
    return f"{sign}{shown}{unit}", "" if half is None else _fixed(half, decimals)


def deviation(values: Mapping[str, Any]) -> str:
    """A standard deviation."""
    return _fixed(values["sd"], 2)


def duration(seconds: float) -> str:
    """``1.2 s``, ``3 min 20 s``, ``2 h 5 min``."""
    if round(seconds, 1) < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def bar(share: float | None, width: int = 10) -> str:
    """A share as a bar, ``width`` long for all; what is there at all is seen."""
    if not share:
        return ""
    whole, eighths = divmod(max(round(8 * width * share), 1), 8)
    return (whole * EIGHTHS[8] + EIGHTHS[eighths]).rstrip()


def sparkline(histogram: Mapping[str, int], width: int = 12) -> str:
    """The shape of a histogram between its ends, in bars."""
    if not histogram:
        return ""
    values = {int(value): number for value, number in histogram.items()}
    lowest, highest = min(values), max(values)
    # Never more bars than values: gaps between whole numbers are no shape.
    width = min(width, highest - lowest + 1)
    heights = [0] * width
    for value, number in values.items():
        heights[(value - lowest) * width // (highest - lowest + 1)] += number
    top = max(heights)
    return "".join(BARS[height * (len(BARS) - 1) // top] if height else " " for height in heights).rstrip()


def _decimals(low: float | None, high: float | None, at_least: int) -> int:
    """As few decimals as tell the bounds of an interval apart."""
    if low is None or high is None or low == high:
        return at_least
    return next((some for some in range(at_least, MOST_DECIMALS) if _fixed(low, some) != _fixed(high, some)), MOST_DECIMALS)


def _fixed(number: float | None, decimals: int) -> str:
    if number is None:
        return NOTHING
    # Adding zero turns a negative zero that rounding left into a plain one.
    return f"{round(number, decimals) + 0.0:,.{decimals}f}"


def p_value(p: float | None) -> str:
    """A probability of chance, with as many digits as one looks at."""
    return "" if p is None else "<0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.01 else f"{p:.2f}"
