"""The exact odds: complete enumerations against what is known of them, and against dealt cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb

import numpy as np
from ginsim.cards import NUMBERS
from ginsim.deals import shuffled
from ginsim.melds import best_discards, deadwood
from ginsim.odds import Odds, distribution
from scipy.stats import chi2
from verification.findings import Finding, by_p, by_z, exact, judge, told
from verification.scale import Scale

TITLE = "Exact odds"

TEN = (("gin as dealt", 0, 136_694), ("deadwood at most 5", 5, 2_009_322), ("deadwood at most 10", 10, 10_212_276))
"""Hands of ten cards with at most so much deadwood, counted outside by two methods."""

TEN_MEAN, TEN_SD, TEN_MOST = 56.5694, 13.7912, 98
PUBLISHED_DEALS, PUBLISHED_MEAN, PUBLISHED_SD = 250_000, 56.6, 13.76
"""A published sample of ten dealt cards."""

_BITS = np.array([1 << number for number in NUMBERS], np.uint64)
_LEAST_EXPECTED = 10
_NONE = np.uint64(0)


def verify(scale: Scale) -> list[Finding]:
    """Ten and eleven cards; the eleven only on a full scale, for they take a minute."""
    ten = distribution(10)
    findings = [
        exact("hands of ten cards", comb(52, 10), ten.total),
        *(exact(f"ten cards: {what}", hands, ten.at_most(points)) for what, points, hands in TEN),
        exact("ten cards: mean deadwood", TEN_MEAN, round(ten.mean, 4)),
        exact("ten cards: standard deviation", TEN_SD, round(ten.sd, 4)),
        exact("ten cards: largest deadwood", TEN_MOST, len(ten.counts) - 1),
        by_z(
            "ten cards: mean deadwood, published sample",
            f"{PUBLISHED_MEAN} ({PUBLISHED_DEALS:,} deals)",
            f"{ten.mean:.4f}",
            # Rounded to a tenth.
            (ten.mean - PUBLISHED_MEAN) / np.hypot(ten.sd / PUBLISHED_DEALS**0.5, 0.1 / 12**0.5),
        ),
        by_z(
            "ten cards: standard deviation, published sample",
            f"{PUBLISHED_SD} ({PUBLISHED_DEALS:,} deals)",
            f"{ten.sd:.4f}",
            (ten.sd - PUBLISHED_SD) / (ten.sd / (2 * PUBLISHED_DEALS) ** 0.5),
        ),
        dealt("first player's ten cards as dealt", ten, scale, slice(0, 10), deadwood),
        dealt("dealer's ten cards as dealt", ten, scale, slice(10, 20), deadwood),
    ]
    if scale.share >= 1:
        eleven = distribution(11)
        findings += [
            exact("hands of eleven cards", comb(52, 11), eleven.total),
            told("eleven cards: gin after the best discard", eleven.at_most(0)),
            told("eleven cards: all eleven melded", eleven.all_melded),
            dealt("dealer's ten cards and the upcard", eleven, scale, slice(10, 21), lambda cards: best_discards(cards, _NONE)[0]),
        ]
    return judge(findings)


def dealt(what: str, odds: Odds, scale: Scale, places: slice, solve: Callable[[np.uint64], int]) -> Finding:
    """Chi square of the deadwood of dealt cards against the exact odds."""
    count = scale.of(400_000)
    cards = _BITS[shuffled(scale.seed, 0, count)[:, places]].sum(axis=1, dtype=np.uint64)
    found = np.bincount([solve(each) for each in cards], minlength=len(odds.counts))
    seen, expected = pooled(found, np.array(odds.counts) / odds.total * count)
    square = float(((seen - expected) ** 2 / expected).sum())
    degrees = len(seen) - 1
    return by_p(what, f"chi square of {degrees} degrees", f"{square:.0f} ({count:,} deals)", float(chi2.sf(square, degrees)))


def pooled(found: Sequence[int], expected: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Neighbouring classes put together until each is expected often enough for a chi square."""
    seen: list[float] = []
    wanted: list[float] = []
    open_ = False
    for count, hope in zip(found, expected, strict=True):
        if open_:
            seen[-1] += count
            wanted[-1] += hope
        else:
            seen.append(count)
            wanted.append(hope)
        open_ = wanted[-1] < _LEAST_EXPECTED
    if open_ and len(seen) > 1:
        seen[-2:] = [sum(seen[-2:])]
        wanted[-2:] = [sum(wanted[-2:])]
    return np.array(seen), np.array(wanted)
