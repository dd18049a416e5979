"""What the parts of the verification found, judged and shown.

A finding is either exact (it is right or wrong) or statistical: then it carries the probability ``p`` of being at least so far off by
chance. The statistical findings of a part are judged together by Holm's method, so that the chance of a single false alarm
among all of them stays below ``LEVEL``, however many they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scipy.special import ndtr

LEVEL = 0.01
"""Probability of a false alarm in a part where everything is right."""

HEADER = ("what", "expected", "found", "how far off", "")


@dataclass(frozen=True)
class Finding:
    """One thing looked at.

    Attributes:
        what: was looked at.
        expected, found: in words, with their errors.
        distance: how far apart the two are, in words such as ``z = 1.2``; empty for exact findings.
        p: probability of so large a distance by chance; None for exact findings.
        right: the verdict; of statistical findings it is given by :func:`judge`. None: told, and not judged.
    """

    what: str
    expected: str
    found: str
    distance: str = ""
    p: float | None = None
    right: bool | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """The finding as a row of a table under ``HEADER``."""
        verdict = {True: "ok", False: "OFF", None: ""}[self.right]
        return (self.what, self.expected, self.found, self.distance, verdict)


def exact(what: str, expected: object, found: object) -> Finding:
    """A finding that is right if both are equal. Whole numbers are written with their thousands parted."""
    return Finding(what, _text(expected), _text(found), right=expected == found)


def told(what: str, found: object) -> Finding:
    """A number worth knowing about which there is nothing to judge."""
    return Finding(what, "", _text(found))


def by_z(what: str, expected: str, found: str, z: float) -> Finding:
    """A finding that is so many standard errors off."""
    return Finding(what, expected, found, f"z = {z:+.2f}", float(2 * ndtr(-abs(z))))


def by_p(what: str, expected: str, found: str, p: float) -> Finding:
    """A finding with the p value of a test."""
    return Finding(what, expected, found, f"p = {p:.3g}", p)


def judge(findings: Iterable[Finding], level: float = LEVEL) -> list[Finding]:
    """The findings with a verdict on the statistical ones by Holm's method: from the least p on, wrong while p <= level / (those left)."""
    judged = list(findings)
    places = sorted((place for place, each in enumerate(judged) if each.p is not None), key=lambda place: judged[place].p or 0.0)
    wrong = True
    for rank, place in enumerate(places):
        wrong = wrong and (judged[place].p or 0.0) <= level / (len(places) - rank)
        judged[place] = replace(judged[place], right=not wrong)
    return judged


def markdown(title: str, findings: Sequence[Finding]) -> str:
    """A part's findings as a Markdown table under a heading."""
    rows = [HEADER, ("---",) * len(HEADER), *(finding.cells for finding in findings)]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return f"### {title}\n\n" + "\n".join(lines) + "\n"


def _text(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
