"""Do the 95 % intervals hold the truth 95 times in a hundred?

A small run is repeated thousands of times with other seeds, and for each figure it is counted how often its interval holds the truth. The
truth comes from one very large run of its own, and is itself not quite known: coverage is looked at for several values within
two standard errors of it, and a figure is off only if it is off for all of them.

So are differences between two runs on the same deals, with pairs as observations.

What coverage to expect: for a rate among independent observations Wilson's interval has an exact answer, the sum of the binomial
probabilities of all counts whose interval holds the truth, which swings about 95 % for rare events; it is taken for
the number of observations that each repeat had. For everything else it is the 95 % that the interval states, which it reaches as the
number of clusters or values grows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from typing import Any

import numpy as np
import polars as pl
from ginsim import simulate
from ginsim.comparison.counting import Arrangement, Counted
from ginsim.plan import Chunk, Plan, make_plan
from ginsim.records import Unit
from ginsim.rules import load
from ginsim.runner import cores, play_chunk
from ginsim.simulation import Track, play
from ginsim.statistics import LEVEL, Tally, summarize, wilson
from scipy.stats import binom, binomtest
from verification.findings import Finding, by_p, judge
from verification.reference import estimate
from verification.scale import Scale

TITLE = "Coverage of the 95 % intervals"

REPEATS = 10_000
TRUTH = 4_000
"""The run that gives the truth is so many times a repeat: its errors are a sixtieth of theirs."""

_TRUTH_ERRORS = np.linspace(-2, 2, 5)
_TASK = 250


@dataclass(frozen=True)
class Small:
    """A small run: ``count`` hands or matches, and the figures of its report that are judged."""

    title: str
    rules: str
    unit: Unit
    strategies: tuple[str, ...]
    count: int
    mirror: bool
    figures: tuple[str, ...]


RUNS = (
    Small(
        "500 hands",
        "gin",
        "hands",
        ("simple",),
        500,
        False,
        (
            "knock_rate",
            "first_player_share",
            "undercut_rate",
            "gin_rate",
            "draw_rate",
            "undercut_of_knocks",
            "pile_share",
            "draws",
            "points",
            "points_knock",
            "defender_deadwood",
        ),
    ),
    Small(
        "250 mirrored pairs of hands",
        "gin",
        "hands",
        ("simple:knock=4", "simple"),
        500,
        True,
        ("seat_a_share", "gin_rate", "undercut_rate", "upcard_taken", "draws", "points"),
    ),
    Small(
        "100 Hollywood series",
        "hollywood",
        "matches",
        ("simple",),
        100,
        False,
        (
            "gin_rate",
            "undercut_rate",
            "seat_a_share",
            "first_player_share",
            "draws",
            "points",
            "match_won_a_share",
            "decided_early",
            "several_games_in_a_hand",
            "games_won_a_share",
            "match_hands",
            "match_margin",
        ),
    ),
    Small(
        "100 mirrored pairs of games",
        "eaai",
        "matches",
        ("simple:knock=4", "simple"),
        200,
        True,
        ("match_won_a_share", "seat_a_share", "gin_rate", "first_player_share", "match_hands", "points"),
    ),
)


@dataclass(frozen=True)
class SmallPair:
    """Two small runs on the same deals, each of rules and players, and the figures whose difference is judged."""

    title: str
    variants: tuple[tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...]]]
    unit: Unit
    count: int
    mirror: bool
    figures: tuple[str, ...]

    def plans(self, seed: int) -> list[Plan]:
        """What is played."""
        return [
            make_plan(load(rules), unit=self.unit, strategies=strategies, seed=seed, mirror=self.mirror)
            for rules, strategies in self.variants
        ]


PAIRS = (
    SmallPair(
        "500 hands, knock at 4 less as soon as possible",
        (("gin", ("simple:knock=4",)), ("gin", ("simple",))),
        "hands",
        500,
        False,
        ("knock_rate", "gin_rate", "undercut_rate", "draws", "points", "first_player_share"),
    ),
    SmallPair(
        "100 Hollywood series, gin 20 less 25",
        (("hollywood-20", ("simple:knock=4",)), ("hollywood", ("simple:knock=4",))),
        "matches",
        100,
        False,
        ("gin_rate", "points", "match_hands", "decided_early", "match_margin"),
    ),
    SmallPair(
        "100 mirrored pairs of games against simple, gin only less knock at 4",
        (("eaai", ("simple:knock=0", "simple")), ("eaai", ("simple:knock=4", "simple"))),
        "matches",
        200,
        True,
        ("match_won_a_share", "seat_a_share", "gin_rate", "match_hands", "points"),
    ),
)


@dataclass(frozen=True)
class Repeats:
    """What the repeats said about one figure, arrays of shape (repeats,): bounds, and observations where they are independent (else 0)."""

    low: np.ndarray
    high: np.ndarray
    n: np.ndarray


def verify(scale: Scale) -> list[Finding]:
    """All runs."""
    findings = []
    with ProcessPoolExecutor(scale.workers, get_context("spawn")) as pool:
        for run, repeat, truth_of in (
            *((run, _repeat, _truth) for run in RUNS),
            *((pair, _repeat_pair, _truth_of_pair) for pair in PAIRS),
        ):
            repeats = scale.of(REPEATS)
            firsts = range(0, repeats, _TASK)
            tasks = [pool.submit(repeat, run, scale.seed, first, min(_TASK, repeats - first)) for first in firsts]
            truth = truth_of(run, scale.seed)
            parts = np.concatenate([task.result() for task in tasks])
            for place, figure in enumerate(run.figures):
                findings.append(covered(f"{run.title}: {figure}", Repeats(*parts[:, place].T), *truth[figure]))
    return judge(findings)


def covered(what: str, repeats: Repeats, truth: float, error: float) -> Finding:
    """How often the intervals held the truth, whatever it is within its error."""
    candidates = []
    for value in truth + error * _TRUTH_ERRORS:
        hits = int(((repeats.low <= value) & (value <= repeats.high)).sum())
        expected = _expected(repeats.n, float(value))
        candidates.append((float(binomtest(hits, len(repeats.low), expected).pvalue), expected, hits))
    p, expected, hits = max(candidates)
    return by_p(what, f"{expected:.2%}", f"{hits / len(repeats.low):.2%} of {len(repeats.low):,}", p)


def _expected(n: np.ndarray, truth: float) -> float:
    if not n.any():
        return LEVEL
    sizes, often = np.unique(n, return_counts=True)
    return float(sum(count * _wilson_coverage(int(size), truth) for size, count in zip(sizes, often, strict=True)) / len(n))


@lru_cache(maxsize=100_000)
def _wilson_coverage(n: int, truth: float) -> float:
    """Probability that Wilson's interval of a binomial count among ``n`` holds the true rate."""
    low, high = _holding(n, truth)
    return float(binom.cdf(high, n, truth) - binom.cdf(low - 1, n, truth))


def _holding(n: int, truth: float) -> tuple[int, int]:
    """The least and largest count whose interval holds the truth: the bounds grow with the count."""
    middle = round(n * truth)
    low = high = middle
    while low > 0 and wilson(low - 1, n)[1] >= truth:
        low -= 1
    while high < n and wilson(high + 1, n)[0] <= truth:
        high += 1
    return low, high


def _truth(run: Small, seed: int) -> dict[str, tuple[float, float]]:
    """Each figure and its standard error, from a large run with a seed of its own."""
    report = simulate(
        run.rules,
        strategies=run.strategies,
        seed=seed + 2**32,
        mirror=run.mirror,
        keep=False,
        **{run.unit: TRUTH * run.count},
    ).report(hashed=False)
    return {figure: estimate(report, figure)[:2] for figure in run.figures}


def _repeat(run: Small, seed: int, first: int, count: int) -> np.ndarray:
    """Bounds and independent observations of every figure in some repeats, shape (repeats, figures, 3).

    The repeats of a task are played at once, as neighbouring parts of a run with a seed of its own.
    """
    plan = make_plan(load(run.rules), unit=run.unit, strategies=run.strategies, seed=seed + 2**40 + first, mirror=run.mirror)
    frames = play_chunk(plan, Chunk(0, 0, run.count * count))
    return np.array([list(_figures(run, plan, part)) for part in _parts(frames, plan, run.count, count)])


def _parts(frames: Mapping[str, pl.DataFrame], plan: Plan, size: int, count: int) -> Iterator[dict[str, pl.DataFrame]]:
    """The tables of each repeat."""
    if plan.unit == "hands":
        for part in range(count):
            yield {"hands": frames["hands"].slice(part * size, size)}
        return
    games = plan.layout.games
    ends = np.concatenate([[0], frames["matches"]["hands"].to_numpy().cumsum()])[::size]
    for part in range(count):
        yield {
            "hands": frames["hands"].slice(ends[part], ends[part + 1] - ends[part]),
            "games": frames["games"].slice(part * size * games, size * games),
            "matches": frames["matches"].slice(part * size, size),
        }


def _figures(run: Small, plan: Plan, frames: Mapping[str, pl.DataFrame]) -> Iterator[Sequence[float]]:
    report = summarize(Tally.of(frames, plan.layout, run.mirror), plan.layout)
    for figure in run.figures:
        about: dict[str, Any] = report["rates"].get(figure) or report["distributions"][figure]
        independent = figure in report["rates"] and about["clusters"] is None
        yield about["low"], about["high"], about["n"] if independent else 0


def _truth_of_pair(run: SmallPair, seed: int) -> dict[str, tuple[float, float]]:
    """Each figure's difference and its standard error, from large runs with a seed of their own."""
    plans = run.plans(seed + 2**32)
    arrangement = Arrangement.of(plans, 1)
    counted, _ = play([Track(plan) for plan in plans], TRUTH * run.count, lambda _, tables: arrangement.count(tables), workers=cores())
    found = {figure: counted.pairs[0, 1].difference(figure) for figure in run.figures}
    return {figure: (each.estimate, each.error) for figure, each in found.items()}


def _repeat_pair(run: SmallPair, seed: int, first: int, count: int) -> np.ndarray:
    """Bounds of every figure's difference in some repeats, shape (repeats, figures, 3), the last 0."""
    plans = run.plans(seed + 2**40 + first)
    arrangement = Arrangement.of(plans, 1)
    whole = [play_chunk(plan, Chunk(0, 0, run.count * count)) for plan in plans]
    parts = zip(*(_parts(frames, plan, run.count, count) for frames, plan in zip(whole, plans, strict=True)), strict=True)
    return np.array([list(_differences(run, arrangement.count(tables))) for tables in parts])


def _differences(run: SmallPair, counted: Counted) -> Iterator[Sequence[float]]:
    for figure in run.figures:
        found = counted.pairs[0, 1].difference(figure)
        half = found.half_width() or 0.0
        yield found.estimate - half, found.estimate + half, 0
