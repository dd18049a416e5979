"""The dealt cards: every card as likely at every place, and no deal in common between seeds that are neighbours."""

from __future__ import annotations

import numpy as np
from ginsim.deals import shuffled
from scipy.stats import chi2
from verification.findings import Finding, by_p, exact, judge
from verification.scale import Scale

TITLE = "Dealt cards"

SEEN = 21
"""Cards of a deal that are compared: both hands and the card turned up."""

_SEEDS = (1, 2**63)
_NEIGHBOURS = (0, 1, 2, 3, 4, 5, 6, 7, 2**32 - 1, 2**32, 2**32 + 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)
_PAIRS = ((9, 10), (20, 21))
_STEP = 100_000


def verify(scale: Scale) -> list[Finding]:
    """Both checks."""
    findings = [seeds(scale.of(10_000))]
    for seed in _SEEDS:
        findings += uniformity(seed, scale.of(1_000_000))
    return judge(findings)


def seeds(count: int) -> Finding:
    """All deals of neighbouring seeds are different, those of one seed as well: by both hands and the upcard, in their order."""
    deals = np.concatenate([shuffled(seed, 0, count)[:, :SEEN] for seed in _NEIGHBOURS])
    different = len(np.unique(np.ascontiguousarray(deals).view(f"V{SEEN}")))
    return exact(f"different deals of {len(_NEIGHBOURS)} neighbouring seeds", count * len(_NEIGHBOURS), different)


def uniformity(seed: int, count: int) -> list[Finding]:
    """Chi square of all cards by place, and of the two cards at some neighbouring places together."""
    single = np.zeros((52, 52), np.int64)
    pairs = {places: np.zeros((52, 52), np.int64) for places in _PAIRS}
    for first in range(0, count, _STEP):
        deals = shuffled(seed, first, min(_STEP, count - first)).astype(np.int64)
        for place in range(52):
            single[place] += np.bincount(deals[:, place], minlength=52)
        for (one, other), found in pairs.items():
            found += np.bincount(52 * deals[:, one] + deals[:, other], minlength=52 * 52).reshape(52, 52)
    # A permutation matrix has 51 · 51 free entries of variance 1/51, so that the usual sum is 52/51 of a chi square.
    findings = [_finding(f"cards by place, seed {seed}", _square(single, count / 52) * 51 / 52, 51 * 51, count)]
    for (one, other), found in pairs.items():
        found = found[~np.eye(52, dtype=bool)]
        what = f"cards at places {one} and {other}, seed {seed}"
        findings.append(_finding(what, _square(found, count / (52 * 51)), 52 * 51 - 1, count))
    return findings


def _square(counts: np.ndarray, expected: float) -> float:
    return float(((counts - expected) ** 2).sum() / expected)


def _finding(what: str, square: float, degrees: int, deals: int) -> Finding:
    tail = min(chi2.cdf(square, degrees), chi2.sf(square, degrees))
    expected = f"chi square of {degrees:,} degrees"
    return by_p(what, expected, f"{square:,.0f} ({deals:,} deals)", min(1.0, 2 * float(tail)))
