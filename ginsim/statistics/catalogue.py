"""Which statistics a run has, and of which counts each is a ratio.

A count is named as in :mod:`ginsim.statistics.features`. Numerators and denominators are sums of counts. ``seen`` says
what one observation is; where that is the very thing that is independent (hands of a run of single hands, matches of a
run of matches) the plain intervals hold, otherwise those for clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ginsim.records import DECIDED, ENDINGS, Layout

Seen = Literal["hands", "draws", "matches", "games"]
Block = Literal["hands", "matches"]

SHORT_OF_GIN = ("knock", "undercut", "tie")
"""Endings in which somebody knocked with deadwood left: ties count."""

DEADWOODS = ("knocker_deadwood", "defender_deadwood", "defender_deadwood_after", "laid_off")
"""Columns told of knocks short of gin; against gin nothing is laid off (R12)."""


@dataclass(frozen=True)
class Statistic:
    """The counts ``hits`` over the counts ``among``, which are called ``of`` on every screen."""

    name: str
    of: str
    hits: tuple[str, ...]
    among: tuple[str, ...]
    seen: Seen

    @property
    def block(self) -> Block:
        """Which table its counts come from."""
        return "hands" if self.seen in ("hands", "draws") else "matches"

    @property
    def counts(self) -> tuple[str, ...]:
        """Every count that it needs."""
        return self.hits + self.among


class Rate(Statistic):
    """A share: ``hits`` are some of ``among``."""


class Distribution(Statistic):
    """Values of one kind: the histogram ``name``, one value for each of ``among``; all together they add up to ``hits``."""


def seats(layout: Layout) -> str:
    """Seat letters as they end names: ``ab`` or ``abc``."""
    return "abc"[: layout.seats]


def won_game(layout: Layout, game: int) -> tuple[str, ...]:
    """Counts of one game of the match (from 1) won by each seat. A game that ended has a winner."""
    return tuple(f"game_{game}_won_{seat}" for seat in seats(layout))


def rates(layout: Layout) -> tuple[Rate, ...]:
    """Every rate of a run, in the order in which reports show them."""
    return _hand_rates(layout) + (_match_rates(layout) if layout.unit == "matches" else ())


def distributions(layout: Layout) -> tuple[Distribution, ...]:
    """Every distribution of a run, in the order in which reports show them."""
    points = tuple(f"points_{ending}" for ending in DECIDED)
    hands = (
        Distribution("draws", "all hands", ("draws",), ENDINGS, "hands"),
        Distribution("points", "decided hands", points, DECIDED, "hands"),
        *(
            Distribution(name, f"hands won by {ending.replace('_', ' ')}", (name,), (ending,), "hands")
            for name, ending in zip(points, DECIDED, strict=True)
        ),
        *(Distribution(name, "knocks short of gin", (name,), SHORT_OF_GIN, "hands") for name in DEADWOODS),
    )
    return hands + (_match_distributions(layout) if layout.unit == "matches" else ())


def _hand_rates(layout: Layout) -> tuple[Rate, ...]:
    def of_hands(name: str, *hits: str) -> Rate:
        return Rate(name, "all hands", hits, ENDINGS, "hands")

    def of_decided(name: str, *hits: str) -> Rate:
        return Rate(name, "decided hands", hits, DECIDED, "hands")

    return (
        *(of_hands(f"{ending}_rate", ending) for ending in ENDINGS),
        *(of_decided(f"{ending}_of_decided", ending) for ending in DECIDED),
        Rate("undercut_of_knocks", "knocks short of gin", ("undercut",), SHORT_OF_GIN, "hands"),
        of_decided("first_player_share", "won_by_first"),
        of_decided("dealer_share", "won_by_dealer"),
        # The box deals every hand (R28).
        *([of_decided("box_share", "won_by_dealer")] if layout.format == "three_handed" else []),
        *(of_decided(f"seat_{seat}_share", f"won_{seat}") for seat in seats(layout)),
        of_hands("upcard_taken", "taken_by_first", "taken_by_dealer"),
        of_hands("upcard_taken_by_first", "taken_by_first"),
        of_hands("upcard_taken_by_dealer", "taken_by_dealer"),
        Rate("pile_share", "draws of cards", ("pile_takes",), ("draws",), "draws"),
    )


def _match_rates(layout: Layout) -> tuple[Rate, ...]:
    won = tuple(f"match_won_{seat}" for seat in seats(layout))

    def share(name: str, *hits: str) -> Rate:
        return Rate(name, "matches with a winner", hits, won, "matches")

    def of_finished(name: str) -> Rate:
        return Rate(name, "finished matches", (name,), ("finished",), "matches")

    games = range(1, layout.games + 1)
    ended = tuple(count for game in games for count in won_game(layout, game))
    return (
        *(share(f"{name}_share", name) for name in won),
        share("first_dealer_share", "first_dealer_won"),
        *(_series_rates(layout, ended, of_finished) if layout.games > 1 else ()),
        Rate("shut_outs", "games that ended", ("shut_outs",), ended, "games" if layout.games > 1 else "matches"),
        Rate("abandoned", "all matches", ("abandoned",), ("finished", "abandoned"), "matches"),
        of_finished("level"),
    )


def _series_rates(layout: Layout, ended: tuple[str, ...], of_finished: Callable[[str], Rate]) -> tuple[Rate, ...]:
    games = range(1, layout.games + 1)
    return (
        of_finished("decided_early"),
        of_finished("several_games_in_a_hand"),
        Rate(
            "hands_ending_several_games",
            "hands that ended a game",
            ("hands_ending_several_games",),
            ("hands_ending_games",),
            "games",
        ),
        of_finished("sweeps"),
        *(
            Rate(
                f"games_won_{seat}_share",
                "games that ended",
                tuple(won_game(layout, game)[place] for game in games),
                ended,
                "games",
            )
            for place, seat in enumerate(seats(layout))
        ),
        # At most one in a match: as independent as the matches.
        *(
            Rate(f"{name}_share", f"games {game} that ended", (name,), won_game(layout, game), "matches")
            for game in games
            for name in won_game(layout, game)
        ),
    )


def _match_distributions(layout: Layout) -> tuple[Distribution, ...]:
    won = tuple(f"match_won_{seat}" for seat in seats(layout))
    return (
        Distribution("match_hands", "finished matches", ("match_hands",), ("finished",), "matches"),
        *(
            Distribution(
                f"game_{game}_hands",
                f"games {game} that ended",
                (f"game_{game}_hands",),
                won_game(layout, game),
                "matches",
            )
            for game in range(1, layout.games + 1)
            if layout.games > 1
        ),
        Distribution("match_margin", "matches with a winner", ("match_margin",), won, "matches"),
    )
