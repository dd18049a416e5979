"""Tuning a strategy's parameters for given rules: CMA-ES (Hansen's, from the library ``cma``) over many small tournaments.

In each generation every candidate, and the player that tuning began with, plays the same fresh deals against every opponent, each deal
twice with the seats exchanged. What counts is the *gain* against an opponent: net points a match, less those of the first player on the
same deals. (Points a hand would pay for long hands: who waits for gin scores more in each, and plays fewer of them in a game.)
A candidate's value is the mean of its gains and the least of them, in equal parts, so that no opponent is paid for by another. The mean of the
search distribution is what is found; on deals that tuning has not seen it is then compared with the first player, and only that
tells whether it is better.
"""

from __future__ import annotations

import json
import shlex
import time
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ginsim.errors import UsageError
from ginsim.plan import Chunk, make_plan
from ginsim.repeat import rules_words
from ginsim.rules import Rules
from ginsim.simulation import BrokenOff, Frames, Track, play
from ginsim.statistics.intervals import Interval, mean_interval
from ginsim.strategies import Called, Parameter, Player, find, is_called_back, parse, values_under

MATCHES = 400
"""Matches that a candidate plays against each opponent in a generation."""
COMPARED = 10_000
"""Matches against each opponent by which what is found is compared with the first player."""
STEP = 0.02
"""The first spread of the candidates, in parts of the way from a parameter's lowest to its highest value."""
GENERATIONS = 50

_DIGITS = 4
_CHUNKS_A_WORKER = 3
_SEEDS = 2**64
_NOBODY = 3


@dataclass(frozen=True)
class Gain:
    """By how many net points a match the one found does better than the first player, against one opponent or on average.

    ``before`` and ``after`` are their net points a match.
    """

    opponent: str
    before: float
    after: float
    gain: float
    interval: Interval


@dataclass(frozen=True)
class Tuning:
    """What was found.

    ``parameters`` are all of the player's, ``only`` the names of those that were free, where not all were. ``gains`` are against each
    opponent, the first player before the others, and, last, their mean; none, where it was interrupted before they were measured.
    ``generations`` is how many there were.
    """

    rules: Rules
    player: Player
    parameters: Mapping[str, float]
    only: tuple[str, ...]
    opponents: tuple[Player, ...]
    seed: int
    matches: int
    compared: int
    step: float
    generations: int
    gains: tuple[Gain, ...] = ()
    interrupted: bool = False

    def command(self) -> str:
        """The command that finds the same."""
        words = ["ginsim", "tune", self.player.spec, *rules_words(self.rules)]
        words += [word for player in self.opponents[1:] for word in ("--against", player.spec)]
        words += [word for name in self.only for word in ("--only", name)]
        words += ["--matches", str(self.matches), "--generations", str(self.generations), "--compare", str(self.compared)]
        words += ["--step", f"{self.step:g}", "--seed", str(self.seed)]
        return shlex.join(words)

    @property
    def is_better(self) -> bool:
        """Whether what was found is better than the first player beyond reasonable doubt: the interval of the mean gain lies above 0."""
        return bool(self.gains) and (self.gains[-1].interval.low or 0.0) > 0


def tune(
    rules: Rules,
    strategy: str,
    against: Sequence[str],
    *,
    only: Collection[str] = (),
    matches: int = MATCHES,
    generations: int | None = None,
    minutes: float | None = None,
    compared: int = COMPARED,
    step: float = STEP,
    seed: int,
    workers: int,
    progress: bool = False,
) -> Tuning:
    """Tune a strategy.

    Args:
        rules: for two players.
        strategy: whom to begin with, as :func:`ginsim.strategies.parse` takes it. It is an opponent as well.
        against: the other opponents.
        only: names of the parameters that are free; by default all that are not whole numbers.
        matches: that each candidate plays against each opponent in a generation; an even number, for they are mirrored.
        generations: how many; or as many as begin within so many ``minutes``, at least one.
        compared: matches against each opponent in the comparison at the end.
        step: first spread of the candidates, in parts of the way from a parameter's lowest to its highest value.
        workers: changes no result.

    Returns:
        What was found; after Ctrl-C what had been found by then.

    Raises:
        UsageError: something that cannot be tuned or played.
        BrokenOff: Ctrl-C before anything was found.
    """
    if rules.seats != 2:
        raise UsageError(f"tuning is for two players, and {rules.name} is for {rules.seats}: tune for gin with the same bonuses.")
    if matches % 2 or compared % 2:
        raise UsageError(f"{matches if matches % 2 else compared:,} matches would part a mirrored pair: take an even number.")
    player = parse(strategy)
    free = _free(player, only)
    opponents = (player, *(parse(spec) for spec in against))
    for each in opponents:
        if is_called_back(each):
            raise UsageError(f"{each.spec} is called back, which is too slow to tune with: compiled and built-in players can.")
    table = _Table(rules, opponents, seed, workers)
    first = values_under(player, rules)
    search = _Search(player, first, free, step, seed)
    deadline = None if minutes is None else time.monotonic() + 60 * minutes
    most = generations if generations is not None else GENERATIONS if minutes is None else None
    found = Tuning(rules, player, first, tuple(only), opponents, seed, matches, compared, step, 0)
    try:
        with _bar(progress, most) as bar:
            while not found.generations or (found.generations != most and (deadline is None or time.monotonic() < deadline)):
                candidates = search.ask()
                gains = table.gains([player, *candidates], found.generations, matches)
                search.tell(gains)
                found = replace(found, generations=found.generations + 1, parameters=search.mean())
                bar.set_postfix_str(f"best {gains.mean(axis=1).max():+.3f} points a match", refresh=False)
                bar.update()
        after = replace(player, parameters=tuple(found.parameters.items()), settings=None)
        return replace(found, gains=table.comparison(player, after, compared, progress))
    except (BrokenOff, KeyboardInterrupt):
        if not found.generations:
            raise BrokenOff(0) from None
        return replace(found, interrupted=True)


def as_toml(tuning: Tuning, version: str) -> str:
    """What was found, as a file that ``params=FILE`` takes, with where it comes from.

    Args:
        version: of ginsim.
    """
    if not tuning.gains:
        verdict = "interrupted before the comparison: whether it is better is not known"
    else:
        verdict = "better than the first player" if tuning.is_better else "not shown to be better than the first player"
    against = [
        {
            "opponent": gain.opponent,
            "net_points_a_match_before": round(gain.before, 4),
            "net_points_a_match_after": round(gain.after, 4),
            "gain": round(gain.gain, 4),
            "gain_from": None if gain.interval.low is None else round(gain.interval.low, 4),
            "gain_to": None if gain.interval.high is None else round(gain.interval.high, 4),
        }
        for gain in tuning.gains
    ]
    tables: list[tuple[str, Mapping[str, Any]]] = [
        ("", {"strategy": tuning.player.name, "version": tuning.player.version}),
        ("[parameters]", tuning.parameters),
        ("[rules]", {"name": tuning.rules.name, **tuning.rules.as_dict()}),
        (
            "[tuning]",
            {
                "command": tuning.command(),
                "ginsim": version,
                "seed": tuning.seed,
                "generations": tuning.generations,
                "opponents": [player.spec for player in tuning.opponents],
                "compared_on": tuning.compared if tuning.gains else None,
                "verdict": verdict,
            },
        ),
        *(("[[against]]", each) for each in against),
    ]
    parts = ["\n".join([*([head] if head else []), *_lines(values)]) for head, values in tables]
    return "\n\n".join(parts) + "\n"


def _lines(values: Mapping[str, Any]) -> list[str]:
    # JSON's texts, numbers, truths and lists are TOML's as well.
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items() if value is not None]


def _free(player: Player, only: Collection[str]) -> list[Parameter]:
    """The parameters to tune."""
    chosen = find(player)
    known = {} if isinstance(chosen, Called) else {each.name: each for each in chosen.parameters if not each.whole}
    if len(known) == 0:
        raise UsageError(f"{player.name} has no parameter that could be tuned: it would have to be a compiled player's and not whole.")
    for name in only:
        if name not in known:
            raise UsageError(f"{player.name} has no parameter {name!r} that could be tuned; it has: {', '.join(known)}.")
    return [parameter for name, parameter in known.items() if not only or name in only]


class _Search:
    """CMA-ES over the free parameters, each scaled so that 0 is its lowest value and 1 its highest."""

    def __init__(self, player: Player, first: Mapping[str, float], free: Sequence[Parameter], step: float, seed: int) -> None:
        with warnings.catch_warnings():
            # It says that pictures cannot be drawn, which nobody asked for.
            warnings.simplefilter("ignore")
            import cma
        self._player = player
        self._first = dict(first)
        self._free = free
        start = [(first[each.name] - each.low) / (each.high - each.low) for each in free]
        if len(free) == 1:
            raise UsageError(f"{free[0].name} alone: CMA-ES takes two parameters or more.")
        # The library takes 32 bits, and 0 for the time of day.
        options = {"bounds": [0, 1], "seed": 1 + seed % (2**32 - 1), "verbose": -10, "verb_log": 0}
        self._strategy = cma.CMAEvolutionStrategy(start, step, options)
        self._asked: list[np.ndarray] = []

    def ask(self) -> list[Player]:
        """The players of a generation."""
        self._asked = self._strategy.ask()
        return [replace(self._player, parameters=tuple(self._values(point).items()), settings=None) for point in self._asked]

    def tell(self, gains: np.ndarray) -> None:
        """Hand their gains in, of shape (players, opponents)."""
        self._strategy.tell(self._asked, list(-(gains.mean(axis=1) + gains.min(axis=1)) / 2))

    def mean(self) -> dict[str, float]:
        """The middle of the search, in as many digits as a person reads."""
        values = self._values(self._strategy.result.xfavorite)
        tuned = {each.name for each in self._free}
        return {name: float(f"{value:.{_DIGITS}g}") if name in tuned else value for name, value in values.items()}

    def _values(self, point: np.ndarray) -> dict[str, float]:
        scaled = zip(self._free, point, strict=True)
        tuned = {each.name: each.low + float(place) * (each.high - each.low) for each, place in scaled}
        return {**self._first, **{each.name: min(max(tuned[each.name], each.low), each.high) for each in self._free}}


class _Table:
    """Where players meet the opponents."""

    def __init__(self, rules: Rules, opponents: Sequence[Player], seed: int, workers: int) -> None:
        self._rules = rules
        self._opponents = opponents
        self._seed = seed
        self._workers = workers

    def gains(self, players: Sequence[Player], generation: int, matches: int) -> np.ndarray:
        """How much better than the first of them the others do, of shape (others, opponents), on a generation's deals."""
        # The seed itself deals the comparison.
        products = self._play(players, (self._seed + 1 + generation) % _SEEDS, matches)
        means = _means(products).reshape(len(players), len(self._opponents))
        return means[1:] - means[0]

    def comparison(self, before: Player, after: Player, matches: int, progress: bool) -> tuple[Gain, ...]:
        """How much better one does than the other against each opponent and, last, on average."""
        products = self._play([before, after], self._seed, matches, progress)
        number = len(self._opponents)
        means = _means(products).reshape(2, number)
        found = []
        for which in (*range(number), slice(None)):
            weights = np.zeros((2, number))
            weights[1, which] = 1.0 / number if isinstance(which, slice) else 1.0
            weights[0] = -weights[1]
            interval = _interval(products, weights.ravel())
            name = "mean" if isinstance(which, slice) else self._opponents[which].spec
            one, two = (float(np.mean(row[which])) for row in means)
            found.append(Gain(name, one, two, two - one, interval))
        return tuple(found)

    def _play(self, players: Sequence[Player], seed: int, matches: int, progress: bool = False) -> np.ndarray:
        size = -(-matches // (_CHUNKS_A_WORKER * self._workers))
        plan = make_plan(self._rules, unit="matches", seed=seed, mirror=True, chunk=min(size + size % 2, 1000))
        plans = [replace(plan, players=(player, opponent)) for player in players for opponent in self._opponents]
        products, _ = play([Track(each) for each in plans], matches, _products, workers=self._workers, progress=progress)
        return products


def _products(chunk: Chunk, tracks: Sequence[Frames]) -> np.ndarray:
    """Sums over mirrored pairs of matches of the products of every two of: one, and the net points of seat A in each track."""
    columns = [np.ones(chunk.count // 2, np.int64)]
    for frames in tracks:
        hands = frames["hands"]
        pair = (hands["match"].to_numpy() - chunk.first) // 2
        winner = hands["winner"].to_physical().fill_null(_NOBODY).to_numpy()
        net = hands["points"].to_numpy() * ((winner == 0).astype(np.int64) - (winner == 1))
        columns.append(np.bincount(pair, weights=net, minlength=len(columns[0])).astype(np.int64))
    table = np.stack(columns)
    return table @ table.T


def _means(products: np.ndarray) -> np.ndarray:
    """Net points a match of each track."""
    return products[0, 1:] / (2 * products[0, 0])


def _interval(products: np.ndarray, weights: np.ndarray) -> Interval:
    """Of a weighted sum of the tracks' net points a match, with pairs as observations; without bounds, where there is only one."""
    pairs = int(products[0, 0])
    if pairs < 2:
        return Interval()
    total = float(weights @ _means(products))
    squares = float(weights @ products[1:, 1:] @ weights) / 4 - pairs * total**2
    return mean_interval(total, max(squares, 0.0) / (pairs - 1), pairs)


def _bar(wanted: bool, generations: int | None) -> Any:
    import sys

    from tqdm import tqdm

    disable = None if wanted and sys.stderr is not None else True
    return tqdm(total=generations, unit=" generations", disable=disable, leave=False)
