"""Who plays whom in a round robin, as plans that share one seed and so their deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from ginsim.errors import UsageError
from ginsim.plan import Plan, player_from_dict
from ginsim.rules import Rules
from ginsim.strategies import Player, parse

FEWEST_A_CHUNK, MOST_A_CHUNK, CHUNKS = 20, 500, 16


@dataclass(frozen=True)
class Track:
    """One run of a tournament: ``seating`` says which player (by number) sits in each seat, ``group`` which meeting it is of."""

    group: int
    seating: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """A round robin as data: everything that its results depend on but how many matches are played.

    ``players`` are in the order of their names, so that a pairing is the same run in whatever order they were named.
    """

    rules: Rules
    players: tuple[Player, ...]
    seed: int
    chunk: int

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Who meets: every two players by number, under three-handed rules every three."""
        return tuple(combinations(range(len(self.players)), self.rules.seats))

    @cached_property
    def tracks(self) -> tuple[Track, ...]:
        """The runs. Mirroring exchanges A and B; among three, it makes all six seatings of the three rotations."""
        found = []
        for number, group in enumerate(self.groups):
            rotations = [group] if len(group) == 2 else [group[turn:] + group[:turn] for turn in range(len(group))]
            found += [Track(number, seating) for seating in rotations]
        return tuple(found)

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """The plan of each track: mirrored matches, all with the same seed."""
        return tuple(self._plan(track.seating) for track in self.tracks)

    def as_dict(self) -> dict[str, Any]:
        """The schedule ready for JSON: a plan's dict with all players."""
        return self._plan(range(len(self.players))).as_dict()

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Schedule:
        """The inverse of :meth:`as_dict`.

        Raises:
            UsageError: these are not the values of a tournament.
        """
        if not isinstance(values, Mapping) or not isinstance(values.get("players"), list):
            raise UsageError("players is missing")
        seats = _seats(values.get("rules"))
        if len(values["players"]) < seats:
            raise UsageError(f"{len(values['players'])} players for {seats} seats")
        plan = Plan.from_dict({**values, "players": values["players"][:seats]})
        if plan.unit != "matches" or not plan.mirror or plan.chunk % 2:
            raise UsageError("its matches are not mirrored")
        return cls(plan.rules, tuple(map(player_from_dict, values["players"])), plan.seed, plan.chunk)

    def difference(self, other: Schedule) -> str | None:
        """The first thing in which two schedules differ, in words, or None."""
        mine, its = ([player.spec for player in schedule.players] for schedule in (self, other))
        if mine != its:
            return f"the players are {_listed(mine)} there and {_listed(its)} here"
        # Same rules, seed and grid: what is left is in a player, and every player is in some plan.
        return next(filter(None, (one.difference(two) for one, two in zip(self.plans, other.plans, strict=False))), None)

    def _plan(self, numbers: Sequence[int]) -> Plan:
        return Plan(self.rules, "matches", tuple(self.players[each] for each in numbers), self.seed, True, self.chunk)


def make_schedule(rules: Rules, strategies: Sequence[str], *, seed: int, chunk: int) -> Schedule:
    """A checked schedule.

    Args:
        strategies: one text for each player (see :func:`ginsim.strategies.parse`), in any order.
        chunk: matches a stored file, an even number.

    Raises:
        UsageError: too few players, one of them twice, or something that cannot be played.
    """
    players = [parse(spec) for spec in strategies]
    for number, player in enumerate(players):
        if player in players[:number]:
            raise UsageError(f"{player.spec} is named twice: a tournament is between different players.")
    if len(players) < rules.seats:
        named = f"{len(players)} player{'s' * (len(players) != 1)}"
        raise UsageError(
            f"{named}: a tournament under {rules.name} rules needs {rules.seats} or more, such as: simple patient expert."
        )
    players.sort(key=lambda player: (player.name, str(player.parameters)))
    return Schedule(rules, tuple(players), seed, chunk)


def lively_chunk(pairs: int) -> int:
    """Matches a chunk: small enough that all workers have something to do, and that little is lost when it is stopped."""
    size = min(max(2 * pairs // CHUNKS, FEWEST_A_CHUNK), MOST_A_CHUNK)
    return size + size % 2


def _seats(rules: object) -> int:
    """Seats under stored rules that have not been checked yet."""
    return 3 if isinstance(rules, Mapping) and rules.get("format") == "three_handed" else 2


def _listed(specs: Sequence[str]) -> str:
    return ", ".join(specs)
