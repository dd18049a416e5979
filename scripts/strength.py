"""Whether ``expert`` is as strong as it has to be, and how fast the strong players are.

    scripts/strength [--pairs N] [--seed N] [--workers N]

Each floor is a share of games won over mirrored pairs of games. Chance moves what is measured, so a floor counts as missed only where the
share is so far below it that a player who is exactly as strong as the floor would show that in one run of a hundred (one-sided).
What that test is worth is printed with it: how often it would fail players who are a point above the floor, and how often it would catch
players who are one point and two points short of it. Exit code 1 if a floor is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

from speed import HANDS_IN_A_BATCH, _all_deadwoods, medians, random_hands

from ginsim.api import simulate
from ginsim.plan import Chunk, make_plan
from ginsim.rules import load
from ginsim.runner import cores, play_chunk

PAIRS = 10_000
FALSE_ALARMS = 0.01
"""How often a player exactly as strong as the floor fails."""
FASTEST, SLOWEST = 40_000, 20_000
GAMES_TIMED = 1000

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Floor:
    """The least share of games, in percent, that ``expert`` has to win, and what is aimed at."""

    rules: str
    against: str
    least: float
    aim: float


FLOORS = (
    Floor("eaai", "simple", 76, 80),
    Floor("eaai", "patient", 53, 57),
    Floor("gin", "simple", 66, 68),
    Floor("gin", "patient", 58, 62),
)


@dataclass(frozen=True)
class Verdict:
    """What came out, in percent: the share, its standard error, and the share below which the floor is missed."""

    share: float
    error: float
    bound: float

    @classmethod
    def of(cls, wins: np.ndarray, floor: float) -> Verdict:
        """Judge pairs of games by the ``wins`` in each of them, 0, 1 or 2."""
        shares = 50.0 * wins
        error = float(shares.std(ddof=1)) / len(shares) ** 0.5
        return cls(float(shares.mean()), error, floor + _NORMAL.inv_cdf(FALSE_ALARMS) * error)

    @property
    def is_missed(self) -> bool:
        """Whether the floor is missed."""
        return self.share < self.bound

    def chance_to_fail(self, strength: float) -> float:
        """How often a player of this strength, in percent, would be found to miss the floor."""
        return _NORMAL.cdf((self.bound - strength) / self.error)


def judged(floor: Floor, pairs: int, seed: int, workers: int) -> Verdict:
    """Play, and judge."""
    run = simulate(floor.rules, matches=2 * pairs, strategies=["expert", floor.against], seed=seed, mirror=True, workers=workers)
    wins = (run.frame("matches")["winner"] == "A").fill_null(False).to_numpy()
    return Verdict.of(wins.reshape(-1, 2).sum(axis=1), floor.least)


def strengths(pairs: int, seed: int, workers: int) -> bool:
    """Print how strong it is; whether no floor is missed."""
    print(f"expert's share of games over {pairs:,} mirrored pairs, seed {seed}; a floor counts as missed below the bound")
    print(f"  {'rules':<6}{'against':<9}{'share':>8}  {'95 %':<18}{'floor':>6}{'bound':>8}{'aim':>5}")
    good = True
    for floor in FLOORS:
        verdict = judged(floor, pairs, seed, workers)
        good &= not verdict.is_missed
        half = _NORMAL.inv_cdf(0.975) * verdict.error
        interval = f"({verdict.share - half:.2f} to {verdict.share + half:.2f})"
        word = "MISSED" if verdict.is_missed else "aim reached" if verdict.share >= floor.aim else "kept"
        print(
            f"  {floor.rules:<6}{floor.against:<9}{verdict.share:>7.2f}%  {interval:<18}{floor.least:>5g}%{verdict.bound:>7.2f}%"
            f"{floor.aim:>4g}%  {word}\n"
            f"         false alarms: {FALSE_ALARMS:.0%} of players at the floor, {verdict.chance_to_fail(floor.least + 1):.2g} of those a "
            f"point above; caught: {verdict.chance_to_fail(floor.least - 1):.0%} of those a point short, "
            f"{verdict.chance_to_fail(floor.least - 2):.2%} two points short",
            flush=True,
        )
    return good


def speeds() -> None:
    """Print how fast the strong players are on one thread, against a yardstick that is timed in turn with them."""
    ten = random_hands(10)

    def games(player: str) -> tuple[Callable[[], object], int]:
        plan = make_plan(load("eaai"), unit="matches", strategies=[player], seed=1)
        chunk = Chunk(0, 0, GAMES_TIMED)
        return lambda: play_chunk(plan, chunk), len(play_chunk(plan, chunk)["hands"])

    (patient, patients_hands), (expert, experts_hands) = games("patient"), games("expert")
    yardstick, *times = medians(lambda: _all_deadwoods(ten), patient, expert, rounds=5)
    a_deadwood = yardstick / HANDS_IN_A_BATCH
    print(f"\nHands a second, one thread, games of a player against itself under eaai; the deadwood of ten cards takes {a_deadwood * 1e9:.1f} ns")
    for player, seconds, hands in zip(("patient", "expert"), times, (patients_hands, experts_hands), strict=True):
        cost = seconds / hands / a_deadwood
        print(f"  {player:<9}{hands / seconds:>9,.0f}  (a hand costs as much as {cost:,.0f} deadwoods; wanted: {SLOWEST:,}, aiming at {FASTEST:,})")


def main() -> int:
    """Print everything; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=PAIRS, help=f"mirrored pairs of games for each floor (default {PAIRS:,})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=cores())
    given = parser.parse_args()
    good = strengths(given.pairs, given.seed, given.workers)
    speeds()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
