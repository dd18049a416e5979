"""Numbers known from outside, beside ginsim's own.

The published baseline against itself was counted by three independent engines (in Java, Rust and C), with gin and undercut at 25
points, and the strategies among each other in games to 100. Where a source states a standard error, that is taken. Where it
states none, the number is taken as rounded, and as coming from a sample of the size that follows from the stated error of the first
player's share (50.1 ± 0.2 %: 62,500 hands).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from typing import Any

from ginsim import simulate
from verification.findings import Finding, by_z, judge
from verification.scale import Scale

TITLE = "Known numbers"

SAMPLE = 62_500
"""Hands behind a number that comes without its error."""


@dataclass(frozen=True)
class Known:
    """A number from outside: ``value`` as printed, in ``per`` (100 for per cent), or all from ``value`` to ``up_to``.

    ``figure`` names it in a report; ``error`` is its standard error; ``digits`` are those printed after the point.
    """

    what: str
    figure: str
    value: float
    digits: int
    error: float | None = None
    up_to: float | None = None
    per: int = 1

    @property
    def text(self) -> str:
        """As printed."""
        unit = " %" if self.per == 100 else ""
        upper = "" if self.up_to is None else f" to {self.up_to:.{self.digits}f}"
        error = "" if self.error is None else f" ± {self.error:g}"
        return f"{self.value:.{self.digits}f}{upper}{error}{unit}"


SIMPLE = (
    Known("ends in gin", "gin_rate", 2.09, 2, error=0.03, per=100),
    Known("ends in an undercut, layoffs as in R13", "undercut_rate", 4.35, 2, up_to=4.45, per=100),
    Known("ends in a draw", "draw_rate", 0.16, 2, error=0.02, per=100),
    Known("draws of cards in a hand", "draws", 12.53, 2, error=0.02),
    Known("first player's share of decided hands", "first_player_share", 50.1, 1, error=0.2, per=100),
    Known("winner's points", "points", 16.26, 2),
    Known("points of a gin", "points_gin", 47.4, 1),
    Known("points of a knock", "points_knock", 15.1, 1),
    Known("points of an undercut", "points_undercut", 26.6, 1),
    Known("share of draws from the pile", "pile_share", 16.5, 1, per=100),
)
"""Of all hands of ``simple`` against itself."""

SIMPLE_GAMES = (Known("hands in a game to 100", "match_hands", 10.2, 1),)

KNOCK_4 = (
    Known("ends in gin", "gin_rate", 14.9, 1, per=100),
    Known("ends in a draw", "draw_rate", 1.1, 1, per=100),
    Known("draws of cards in a hand", "draws", 17.2, 1),
)
"""Of all hands of ``simple:knock=4`` against itself."""

GIN_ONLY = (
    (25, Known("games won by gin only, bonuses 25 / 25", "match_won_a_share", 67.0, 1, error=1.0, per=100)),
    (10, Known("games won by gin only, bonuses 25 / 10", "match_won_a_share", 41.9, 1, error=1.0, per=100)),
)
"""``simple:knock=0`` against ``simple`` in games to 100, by the undercut bonus."""


def verify(scale: Scale) -> list[Finding]:
    """All of it."""
    hands, games = scale.of(4_000_000), scale.of(400_000)
    findings = _compare("simple: ", SIMPLE, _report(scale, ("simple",), hands=hands))
    findings += _compare("simple: ", SIMPLE_GAMES, _report(scale, ("simple",), matches=games))
    findings += _compare("simple:knock=4: ", KNOCK_4, _report(scale, ("simple:knock=4",), hands=hands))
    for bonus, known in GIN_ONLY:
        report = _report(scale, ("simple:knock=0", "simple"), matches=games, mirror=True, settings={"undercut_bonus": bonus})
        findings += _compare("", (known,), report)
    return judge(findings)


def _report(scale: Scale, strategies: Sequence[str], **what: Any) -> dict[str, Any]:
    return simulate("eaai", strategies=strategies, seed=scale.seed, keep=False, **what).report(hashed=False)


def _compare(prefix: str, numbers: Sequence[Known], report: dict[str, Any]) -> list[Finding]:
    return [_finding(prefix, known, *estimate(report, known.figure)) for known in numbers]


def estimate(report: dict[str, Any], figure: str) -> tuple[float, float, float]:
    """A figure of a report, its standard error, and the standard deviation of one observation."""
    if figure in report["rates"]:
        about = report["rates"][figure]
        value, sd = about["estimate"], sqrt(about["estimate"] * (1 - about["estimate"]))
    else:
        about = report["distributions"][figure]
        value, sd = about["mean"], about["sd"]
    return value, sd * sqrt((about["design_effect"] or 1) / about["n"]), sd


def _finding(prefix: str, known: Known, value: float, error: float, sd: float) -> Finding:
    value, error, sd = value * known.per, error * known.per, sd * known.per
    theirs = known.error
    if theirs is None:
        # A range has its errors in it; else a sample's, and that of a number rounded: uniform within one unit of its last digit.
        theirs = 0.0 if known.up_to is not None else hypot(sd / sqrt(SAMPLE), 10**-known.digits / sqrt(12))
    nearest = min(max(value, known.value), known.up_to or known.value)
    unit = " %" if known.per == 100 else ""
    found = f"{value:.{known.digits + 2}f} ± {error:.{known.digits + 2}f}{unit}"
    return by_z(prefix + known.what, known.text, found, (value - nearest) / hypot(theirs, error))
