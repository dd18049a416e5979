"""When to knock: what knocking now is worth against playing on, at the decisions that players meet.

``rules, players, hands -> explore (kernel) -> counts by draws and deadwood -> cells -> document``. The counts are whole numbers, so the
chart depends on rules, players, seed and number of hands alone.
"""

from __future__ import annotations

import shlex
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ginsim.accelerate import records
from ginsim.errors import Interrupted, UsageError
from ginsim.plan import Chunk, Plan, make_plan
from ginsim.randomness import MAX_SEED, draw_seed
from ginsim.records import HAND_ROW, SEATS
from ginsim.repeat import rules_words, setting_text, version
from ginsim.rules import Rules, Value, load
from ginsim.runner import Seating, Stopped, Watch, announce_compiling, check_answers, cores, run, users_errors
from ginsim.statistics import LEVEL
from ginsim.statistics.knocks import N, advice, knock_cells
from ginsim.strategies import Player, is_called_back
from ginsim.strategies.own import prints_aside

SCHEMA = "ginsim.knock-chart/1"
HANDS = 100_000
LEAST = 100
STRATEGY = "expert"

_DEADWOODS = 11
_COLUMNS = 5
_PIECE = 10_000
_SMALLEST_PIECE = 100
_PIECES_A_WORKER = 4
_MOST_CHARTS = 24


@dataclass(frozen=True)
class _Chart:
    """One of the charts side by side: the fields that it varies, and what is played for it."""

    vary: dict[str, Value]
    plan: Plan


def knock_chart(
    rules: str | Path | Rules = "hollywood",
    *,
    settings: Mapping[str, object] | None = None,
    strategies: str | Sequence[str] = STRATEGY,
    hands: int = HANDS,
    seed: int | None = None,
    least: int = LEAST,
    vary: Mapping[str, Sequence[object]] | None = None,
    scores: tuple[int, int] | None = None,
    workers: int | Literal["auto"] = "auto",
    progress: bool = False,
) -> dict[str, Any]:
    """What knocking now is worth against playing on, by draws so far and deadwood (see the schema ``ginsim.knock-chart/1``).

    Hands are played by the players as they play. At every question whether to knock that comes up in one, the same deal is also
    continued the other way: knocking now, or not now and then as the player himself goes on; the discard is the one he chose. The
    difference, knocking less playing on, is in net points of the hand for the one who decides. If two players of different strategies
    sit there, only the decisions of A are looked at.

    Args:
        rules: a preset's name, a TOML file, or loaded rules.
        settings: fields of the rules to change.
        strategies: one text for all seats or one a seat.
        hands: how many are played to look for decisions, for each of the charts.
        seed: from 0 to 2^64 - 1; drawn where none is given. Hand k is hand k of ``simulate --hands`` with this seed.
        least: with fewer decisions than this a cell has no value.
        vary: values to try by field of the rules: a chart for every combination.
        scores: the decider's and the other's. The hand is then the first of a game from these scores, which is played to its end both
            ways, with the same deals; the difference is in games won. A decides.
        workers: threads, or ``"auto"`` for all cores. Changes no result.
        progress: show a bar on stderr, where that is a terminal.

    Returns:
        A JSON-able dict of ``schema``, ``ginsim``, ``command``, ``seed``, ``hands``, ``players``, ``deciders`` (seats), ``least``, ``level``, ``unit``
        (``points`` or ``games``), ``scores`` (or null), ``seconds`` and ``charts``. Each of these has ``rules``, ``vary`` (the fields that
        it varies), ``fields`` (the rules in full), ``limit`` (the largest deadwood one may knock with), ``decisions`` (how many were met),
        ``cells`` and ``advice`` (see :func:`ginsim.statistics.knocks.advice`). A cell has ``draws`` (cards drawn by both players, with
        the one before the decision), ``deadwood``, ``n``, ``value`` with ``low`` and ``high``, ``knocks``
        (the share in which the player himself knocked), ``verdict`` (``knock``, ``play on``, ``open``) and ``clear`` (whether that holds
        with the level shared among all cells); value, bounds, verdict and ``clear`` are null below ``least``. Cells that were never met are left out.

    Raises:
        UsageError: something that cannot be played.
        GinsimError: a failure on the way; Interrupted after Ctrl-C.
    """
    for name, number, lowest in (("hands", hands, 1), ("least", least, 2)):
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < lowest:
            raise UsageError(f"{name} = {number!r}: must be a whole number from {lowest} on.")
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise UsageError(f"seed = {seed}: must be from 0 to 2^64 - 1.")
    threads = cores() if workers == "auto" else workers
    if threads < 1:
        raise UsageError(f"workers = {workers}: must be 1 or more, or auto.")
    if not isinstance(rules, Rules):
        rules = load(str(rules), [f"{name}={setting_text(value)}" for name, value in (settings or {}).items()])
    elif settings:
        raise UsageError("settings go with a rules name or file: loaded rules are complete.")
    seed = draw_seed() if seed is None else seed
    charts = [
        _Chart(
            values,
            make_plan(
                one,
                unit="hands" if scores is None else "matches",
                strategies=[strategies] if isinstance(strategies, str) else strategies,
                seed=seed,
            ),
        )
        for values, one in _variants(rules, vary or {})
    ]
    if scores is not None:
        for chart in charts:
            _check_scores(scores, chart.plan.rules)
    players = charts[0].plan.players
    both = scores is None and players[0] == players[1]
    counts, seconds = _Exploration([chart.plan for chart in charts], hands, scores, both, threads).play(progress)
    return {
        "schema": SCHEMA,
        "ginsim": version(),
        "command": _command(rules, vary or {}, players, scores, hands, seed, least),
        "seed": seed,
        "hands": hands,
        "players": [
            {"seat": seat, "strategy": player.spec, "describes": player.description}
            for seat, player in zip(SEATS, players, strict=False)
        ],
        "deciders": list(SEATS[: 2 if both else 1]),
        "least": least,
        "level": LEVEL,
        "unit": "points" if scores is None else "games",
        "scores": None if scores is None else list(scores),
        "seconds": seconds,
        "charts": [
            _chart(chart, found, least, of_games=scores is not None) for chart, found in zip(charts, counts, strict=True)
        ],
    }


def _chart(chart: _Chart, counts: np.ndarray, least: int, *, of_games: bool) -> dict[str, Any]:
    rules = chart.plan.rules
    cells = knock_cells(counts, least, of_games=of_games)
    return {
        "rules": rules.name,
        "vary": chart.vary,
        "fields": rules.as_dict(),
        "limit": _DEADWOODS - 1 if rules.upcard_sets_limit else rules.knock_limit,
        "decisions": int(counts[:, :, N].sum()),
        "cells": cells,
        "advice": advice(cells),
    }


def _variants(base: Rules, vary: Mapping[str, Sequence[object]]) -> list[tuple[dict[str, Value], Rules]]:
    """For every combination of what is varied its values and its rules."""
    for name, values in vary.items():
        if not values:
            raise UsageError(f"vary {name}: names no value.")
    if not vary:
        return [({}, base)]
    count = prod(len(values) for values in vary.values())
    if count > _MOST_CHARTS:
        raise UsageError(f"{count:,} charts: at most {_MOST_CHARTS}; vary less at once.")
    _, preset, *words = rules_words(base)
    texts = [word for word in words if word != "--set"]
    found = []
    for values in product(*vary.values()):
        one = load(preset, [*texts, *(f"{name}={setting_text(value)}" for name, value in zip(vary, values, strict=True))])
        found.append(({name: one.as_dict()[name] for name in vary}, one))
    return found


def _check_scores(scores: tuple[int, int], rules: Rules) -> None:
    if rules.format != "game":
        raise UsageError(
            f"scores are of one game for two, and rules {rules.name} have format = {rules.format}: take gin, oklahoma, straight, eaai or "
            f"rules of your own with format = game."
        )
    for score in scores:
        if not 0 <= score < rules.target:
            raise UsageError(f"scores {scores[0]}-{scores[1]}: each must be from 0 to {rules.target - 1} in a game to {rules.target}.")


def _command(
    base: Rules,
    vary: Mapping[str, Sequence[object]],
    players: Sequence[Player],
    scores: tuple[int, int] | None,
    hands: int,
    seed: int,
    least: int,
) -> str:
    specs = [player.spec for player in players]
    specs = specs[:1] if len(set(specs)) == 1 else specs
    words = ["ginsim", "knock-chart", *rules_words(base)]
    for name, values in vary.items():
        words += ["--vary", f"{name}={','.join(map(setting_text, values))}"]
    if specs != [STRATEGY]:
        words += [word for spec in specs for word in ("--strategy", spec)]
    if scores is not None:
        words += ["--scores", f"{scores[0]}-{scores[1]}"]
    words += ["--hands", str(hands), "--seed", str(seed)]
    if least != LEAST:
        words += ["--min", str(least)]
    return shlex.join(words)


class _Exploration:
    """Hands being played both ways, piece by piece, for all charts."""

    def __init__(
        self, plans: Sequence[Plan], hands: int, scores: tuple[int, int] | None, both: bool, workers: int
    ) -> None:
        self.plans = plans
        self.hands = hands
        self.scores = np.array(scores or (-1, -1), np.int64)
        self.both = both
        self.calls_back = any(map(is_called_back, set(plans[0].players)))
        # Called back, threads would wait for each other.
        self.workers = 1 if self.calls_back else workers
        self.watch = Watch()
        self.lock = threading.Lock()
        self.done = 0
        self.counts = [np.zeros((plan.rules.max_draws + 1, _DEADWOODS, 4), np.int64) for plan in plans]

    def play(self, progress: bool) -> tuple[list[np.ndarray], float]:
        """Play all; the counts of each plan, and the seconds it took."""
        from tqdm import tqdm

        announce_compiling()
        from ginsim.knocking import exploring  # noqa: F401 - what is compiled first is not to be timed

        start = time.perf_counter()
        size = min(_PIECE, max(_SMALLEST_PIECE, -(-self.hands // (_PIECES_A_WORKER * self.workers))))
        firsts = range(0, self.hands, size)
        pieces = (
            Chunk(place * len(firsts) + index, first, min(size, self.hands - first))
            for place in range(len(self.plans))
            for index, first in enumerate(firsts)
        )
        bar = tqdm(
            total=self.hands * len(self.plans),
            unit=" hands",
            unit_scale=True,
            disable=None if progress and sys.stderr is not None else True,
            leave=False,
        )

        def show() -> None:
            bar.n = max(bar.n, min(self.done + self.watch.hands_running(), bar.total))
            bar.refresh()

        aside = prints_aside() if self.calls_back else nullcontext()
        try:
            with bar, aside, ThreadPoolExecutor(self.workers) as executor:
                try:
                    for _ in run(pieces, lambda piece: self._explore(piece, len(firsts)), executor, 2 * self.workers, show):
                        pass
                except BaseException:
                    self.watch.stop[0] = 1
                    if self.calls_back:
                        from ginsim.strategies.seated import break_off

                        break_off()
                    raise
        except (KeyboardInterrupt, Stopped):
            raise Interrupted(f"Stopped at {self.done:,} of {self.hands * len(self.plans):,} hands; a chart is not stored.") from None
        return self.counts, time.perf_counter() - start

    def _explore(self, piece: Chunk, pieces: int) -> None:
        """Play a piece and add what it counted; runs in a worker."""
        from ginsim.formats import PROGRESS
        from ginsim.knocking.exploring import explore

        place = piece.index // pieces
        plan = self.plans[place]
        progress = records(1, PROGRESS)[0]
        self.watch.running[piece.index] = progress
        cells = np.zeros_like(self.counts[place])
        try:
            seating = Seating(plan, self.watch.stop)
            try:
                with users_errors(plan, piece.first, progress):
                    explore(
                        seating.take,
                        seating.discard,
                        seating.knock,
                        seating.views,
                        seating.deck,
                        seating.ledger,
                        seating.rules,
                        np.uint64(plan.seed),
                        piece.first,
                        piece.count,
                        self.scores,
                        self.both,
                        records(1, HAND_ROW)[0],
                        np.zeros(0, np.int32),
                        np.zeros((plan.rules.max_draws + 2, _COLUMNS), np.int64),
                        np.zeros((1, _COLUMNS), np.int64),
                        cells,
                        self.watch.stop,
                        progress,
                    )
                    check_answers(plan, seating, progress)
            finally:
                seating.close()
        finally:
            del self.watch.running[piece.index]
        if progress["hands"] < piece.count:
            raise Stopped
        with self.lock:
            self.done += piece.count
            self.counts[place] += cells
