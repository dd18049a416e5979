"""What each observation of a tournament gave: wins, points and hands of every meeting, with the products that intervals need.

Wins are counted in sixths of a match: a match without a winner (level, or abandoned as too long, R16) counts as half a win for
each of two players and a third for each of three. Points are *net*: among two, a player's points minus the other's; among three,
twice his own minus those of both others, so that the report divides them by two. All are whole numbers, so chunks add up in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations

import numpy as np
import polars as pl

from ginsim.plan import Chunk
from ginsim.statistics.catalogue import Rate, Statistic
from ginsim.statistics.features import plain
from ginsim.statistics.tally import Moments
from ginsim.tournaments.schedule import Schedule

WIN = 6
LEVEL = "level"
"""Counts matches without a winner."""


def won(group: int, player: int) -> str:
    """The name of the feature: sixths of matches won by a player in a meeting."""
    return f"won {group} {player}"


def net(group: int, player: int) -> str:
    """The name of the feature: net points of a player in a meeting."""
    return f"net {group} {player}"


def hands(group: int) -> str:
    """The name of the feature: hands played in a meeting."""
    return f"hands {group}"


def share_between(schedule: Schedule, player: int, other: int) -> Statistic:
    """A player's share of the matches that he or the other won, in all meetings of both."""
    groups = [number for number, group in enumerate(schedule.groups) if player in group and other in group]
    return _ratio([won(group, player) for group in groups], [won(group, each) for group in groups for each in (player, other)])


def share_of_all(schedule: Schedule, player: int, groups: Iterable[int]) -> Statistic:
    """A player's share of all matches of some meetings."""
    groups = list(groups)
    among = [won(group, each) for group in groups for each in schedule.groups[group]]
    return _ratio([won(group, player) for group in groups], among)


def points_a_hand(player: int, groups: Iterable[int]) -> Statistic:
    """A player's net points over the hands of some meetings."""
    groups = list(groups)
    return _ratio([net(group, player) for group in groups], [hands(group) for group in groups])


def meetings(schedule: Schedule, player: int) -> list[int]:
    """The numbers of the groups that a player belongs to."""
    return [number for number, group in enumerate(schedule.groups) if player in group]


def every_ratio(schedule: Schedule) -> list[Statistic]:
    """All ratios that the standings show."""
    players = range(len(schedule.players))
    ratios = [share_between(schedule, one, two) for one, two in permutations(players, 2)]
    for player in players:
        mine = meetings(schedule, player)
        for groups in (mine, *([group] for group in mine)):
            ratios += [share_of_all(schedule, player, groups), points_a_hand(player, groups)]
    return ratios


def scores(schedule: Schedule, chunk: Chunk, frames: Sequence[Mapping[str, pl.DataFrame]]) -> Moments:
    """What a chunk gave.

    Args:
        frames: the chunk's tables, one set of them for each track.
    """
    pairs = chunk.count // 2
    values: dict[str, np.ndarray] = {LEVEL: np.zeros(pairs, np.int64)}
    for number, group in enumerate(schedule.groups):
        names = [hands(number), *(name(number, player) for player in group for name in (won, net))]
        values |= {name: np.zeros(pairs, np.int64) for name in names}
    for track, plan, tables in zip(schedule.tracks, schedule.plans, frames, strict=True):
        matches, played = (plain(tables, table, plan.layout) for table in ("matches", "hands"))
        pair_of_match = (matches["match"] - chunk.first) // 2
        pair_of_hand = (played["match"] - chunk.first) // 2
        seats = len(track.seating)
        level = matches["winner"] >= seats
        values[LEVEL] += _added(level, pair_of_match, pairs)
        values[hands(track.group)] += np.bincount(pair_of_hand, minlength=pairs)
        for seat, player in enumerate(track.seating):
            wins = WIN * (matches["winner"] == seat) + WIN // seats * level
            values[won(track.group, player)] += _added(wins, pair_of_match, pairs)
            # Where nobody won there are no points.
            share = np.where(played["winner"] == seat, seats - 1, -1)
            values[net(track.group, player)] += _added(share * played["points"], pair_of_hand, pairs)
    return Moments.of(values, np.arange(pairs), every_ratio(schedule))


def _ratio(hits: Sequence[str], among: Sequence[str]) -> Statistic:
    return Rate("", "", tuple(hits), tuple(among), "matches")


def _added(values: np.ndarray, place: np.ndarray, size: int) -> np.ndarray:
    """Values added up by place, exactly: sums of whole numbers far below 2^53."""
    return np.bincount(place, values, size).astype(np.int64)
