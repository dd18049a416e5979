"""Measure how the two kinds of players that ``expert`` reckons with hold and end their hands; prints the numbers it has built in.

Seat A plays as ``patient`` does but looks, at its first chance to knock from some turn on, at what B holds: half of the hands end there by
its knock, which shows B's deadwood after layoffs; the others go on, which shows how soon B ends them. B is ``simple`` (eager) or
``patient`` (waiting). What A knows of B at that moment are the draws so far, how many cards he took and holds, and the lowest card
he threw.

    python scripts/measure_players.py [HANDS]
"""

from __future__ import annotations

import sys

import numpy as np

from ginsim import accelerate
from ginsim.accelerate import kernel, lowest_number, popcount, record_type, types
from ginsim.formats import open_hand, open_match
from ginsim.hand import DECK, VIEW, DecisionSignature, DecisionType, ViewType, play_hand
from ginsim.records import HAND_ROW
from ginsim.rules import RULES_DTYPE, load
from ginsim.strategies import parse, strategy

HANDS = 400_000
TURNS = 14
"""A looks from each turn up to this in the same number of hands."""
KINDS = {"eager": ("simple", 8.0), "waiting": ("patient", 0.0)}
"""Who stands for each kind, and the least mean deadwood that is assumed of him."""

_DRAWS, _TOOK, _LOWEST = 13, 14, 15
"""Notes that are no card's number, so that ``patient`` leaves them alone."""
_LANE = np.uint64(0x1FFF)
_COLUMNS = 4


@kernel(DecisionSignature)
def _look(view):
    """Note what is known at the first chance from the turn in parameter 0 on; then knock if parameter 1 says so, else only gin."""
    if view.deadwood == 0:
        return 1
    if view.turns < view.parameters[0] or view.notes[_DRAWS] != 0:
        return 0
    threw = view.other_threw
    threw = (threw | (threw >> np.uint64(16)) | (threw >> np.uint64(32)) | (threw >> np.uint64(48))) & _LANE
    view.notes[_DRAWS] = view.draws
    view.notes[_TOOK] = popcount(view.other_took)
    view.notes[_LOWEST] = min(lowest_number(threw) + 1, 10)
    return np.int64(view.parameters[1])


_Decisions = types.UniTuple(DecisionType, 3)


@kernel(
    types.void(
        _Decisions,
        _Decisions,
        _Decisions,
        ViewType[::1],
        record_type(DECK),
        record_type(RULES_DTYPE),
        record_type(HAND_ROW)[::1],
        types.float64[:, ::1],
        types.int32[::1],
    )
)
def _play(take, discard, knock, views, deck, rules, rows, seen, log):
    for number in range(len(rows)):
        open_match(views)
        open_hand(views, deck, np.uint64(1), number, number, 0)
        dealer = number & 1
        views[0].parameters[0] = 1 + (number // 4) % TURNS
        views[0].parameters[1] = (number // 2) & 1
        play_hand(take, discard, knock, views, 1 - dealer, dealer, deck, rules, rows[number], log)
        seen[number, 0] = views[0].notes[_DRAWS]
        seen[number, 1] = views[0].notes[_TOOK]
        seen[number, 2] = views[0].notes[_LOWEST]
        seen[number, 3] = views[0].parameters[1]


def hands_against(other: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of hands, and what A knew at its moment in each: draws (0: no such moment), cards taken, lowest thrown, whether it knocked."""
    one, two = strategy("patient"), strategy(other)
    views = accelerate.records(3, VIEW)
    packed = load("eaai").packed()
    for view in views:
        view["rules"] = packed
    for place, (_, value) in enumerate(parse(other).parameters):
        views[1]["parameters"][place] = value
    rows, seen = accelerate.records(count, HAND_ROW), np.zeros((count, _COLUMNS))
    _play(
        (one.take, two.take, two.take),
        (one.discard, two.discard, two.discard),
        (_look, two.knock, two.knock),
        views,
        accelerate.records(1, DECK)[0],
        packed,
        rows,
        seen,
        np.zeros(0, np.int32),
    )
    return rows, seen


def log_linear(known: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Coefficients of a log-linear fit of a mean (Poisson likelihood, Newton's steps)."""
    found = np.zeros(known.shape[1])
    found[0] = np.log(values.mean())
    for _ in range(30):
        mean = np.exp(np.clip(known @ found, -5, 5))
        found += np.linalg.solve((known * mean[:, None]).T @ known, known.T @ (values - mean))
    return found


def main() -> None:
    """Play and print."""
    count = int(float(sys.argv[1])) if len(sys.argv) > 1 else HANDS
    for kind, (other, least) in KINDS.items():
        rows, seen = hands_against(other, count)
        known = np.column_stack([np.ones(count), seen[:, 0] / 2, np.minimum(seen[:, 1], 4), 10 - seen[:, 2]])
        asked = (seen[:, 0] > 0) & (seen[:, 0] < 44)
        shown = asked & (seen[:, 3] == 1) & (rows["knocker"] == 0)
        deadwood = rows["defender_deadwood_after"][shown].astype(float)
        fit = log_linear(known[shown], np.maximum(deadwood - least, 0))
        mean = least + np.exp(known @ fit)
        print(f"{kind}: deadwood after layoffs {least:g} + exp({' '.join(f'{value:+.4f}' for value in fit)}; 1, rounds, took, below ten)")
        for low, high in ((2, 4), (4, 6), (6, 9), (9, 12), (12, 16), (16, 22), (22, 30), (30, 40)):
            here = (mean >= low) & (mean < high)
            ends = asked & (seen[:, 3] == 0) & here
            some = deadwood[here[shown]]
            if ends.sum() < 300 or len(some) < 300:
                continue
            next_turn = (rows["draws"] == seen[:, 0] + 1) & (rows["knocker"] == 1)
            later = (rows["draws"] == seen[:, 0] + 3) & (rows["knocker"] == 1)
            alive = ends & (rows["draws"] > seen[:, 0] + 2)
            print(
                f"  mean {mean[ends].mean():5.1f}: seen {some.mean():5.1f} ± {some.std():4.1f}, at most 4 {(some <= 4).mean():.3f}, at most "
                f"10 {(some <= 10).mean():.3f}; ends next turn {next_turn[ends].mean():.3f}, the turn after, if not {later[alive].mean():.3f}"
            )
        knocks = rows["knocker_deadwood"][rows["knocker"] == 1]
        print(f"  knocks with {' '.join(f'{share:.3f}' for share in np.bincount(knocks, minlength=11) / len(knocks))}")


if __name__ == "__main__":
    main()
