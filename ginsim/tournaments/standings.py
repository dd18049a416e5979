"""Every figure of a tournament with its interval, as plain dicts for reports and JSON."""

from __future__ import annotations

from math import log
from typing import Any

from ginsim.statistics.catalogue import Statistic
from ginsim.statistics.intervals import LEVEL, clustered_rate_interval, ratio_interval
from ginsim.statistics.tally import Moments
from ginsim.tournaments import scores as of
from ginsim.tournaments.folder import run_names
from ginsim.tournaments.rating import Rating, ratings
from ginsim.tournaments.schedule import Schedule

ELO = 400 / log(10)
"""Elo points for one unit of log odds: 400 points are odds of ten to one."""


def standings(schedule: Schedule, scores: Moments, pairs: int) -> dict[str, Any]:
    """The figures, JSON-able.

    Args:
        scores: of all observations.
        pairs: how many there are.

    Returns:
        ``players``, who won most first, each with the share of matches that he won, net points a hand and rating (None where
        there is none); ``cross``, for every player against every other the share of the matches that one of the two won;
        ``meetings``, each with its runs and, for each player, share and points; and totals.
    """
    known = ratings(schedule, scores, pairs)
    total = [sum(scores.totals[of.won(group, player)] for group in of.meetings(schedule, player)) for player in _all(schedule)]
    order = sorted(_all(schedule), key=lambda player: -total[player])
    seats = schedule.rules.seats
    return {
        "level": LEVEL,
        "pairs": pairs,
        "matches": 2 * pairs * len(schedule.tracks),
        "hands": sum(scores.totals[of.hands(group)] for group in range(len(schedule.groups))),
        "without_winner": scores.totals[of.LEVEL],
        "players": [
            {
                "strategy": schedule.players[player].spec,
                "describes": schedule.players[player].description,
                "matches": 2 * pairs * sum(player in track.seating for track in schedule.tracks),
                **_record(schedule, scores, player, of.meetings(schedule, player)),
                "rating": _rating(known[player]),
            }
            for player in order
        ],
        "cross": [
            {
                "player": schedule.players[one].spec,
                "against": schedule.players[two].spec,
                "won": _share(scores, of.share_between(schedule, one, two)),
                # Among three, points are not the business of two.
                "points_a_hand": None
                if seats == 3
                else _points(scores, of.points_a_hand(one, [_group(schedule, one, two)]), seats),
            }
            for one in order
            for two in order
            if one != two
        ],
        "meetings": [
            {
                "runs": [name for name, track in zip(run_names(schedule), schedule.tracks, strict=True) if track.group == number],
                "hands": scores.totals[of.hands(number)],
                "players": [
                    {"strategy": schedule.players[player].spec, **_record(schedule, scores, player, [number])}
                    for player in order
                    if player in group
                ],
            }
            for number, group in enumerate(schedule.groups)
        ],
    }


def _all(schedule: Schedule) -> range:
    return range(len(schedule.players))


def _group(schedule: Schedule, one: int, two: int) -> int:
    return schedule.groups.index((min(one, two), max(one, two)))


def _record(schedule: Schedule, scores: Moments, player: int, groups: list[int]) -> dict[str, Any]:
    return {
        "won": _share(scores, of.share_of_all(schedule, player, groups)),
        "points_a_hand": _points(scores, of.points_a_hand(player, groups), schedule.rules.seats),
    }


def _share(scores: Moments, ratio: Statistic) -> dict[str, Any]:
    sums = scores.sums(ratio.hits, ratio.among)
    interval = clustered_rate_interval(sums)
    return {"n": sums.m, "estimate": sums.y / sums.x if sums.x else None, "low": interval.low, "high": interval.high}


def _points(scores: Moments, ratio: Statistic, seats: int) -> dict[str, Any]:
    sums = scores.sums(ratio.hits, ratio.among)
    interval = ratio_interval(sums)
    mean, low, high = (
        None if value is None else value / (seats - 1) for value in (sums.y / sums.x, interval.low, interval.high)
    )
    return {"n": sums.m, "mean": mean, "low": low, "high": high}


def _rating(rating: Rating | None) -> dict[str, Any] | None:
    if rating is None:
        return None
    log_odds = {"mean": rating.estimate, "low": rating.low, "high": rating.high}
    elo = {name: None if value is None else ELO * value for name, value in log_odds.items()}
    return {"log_odds": log_odds, "elo": elo}
