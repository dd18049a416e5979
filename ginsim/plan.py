"""A run as data: everything that changes its results and nothing else. Two runs are the same if their plans are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from ginsim.deals import fingerprint
from ginsim.errors import UsageError
from ginsim.randomness import MAX_SEED
from ginsim.records import SCHEMA, SEATS, Layout, Unit
from ginsim.rules import Rules
from ginsim.strategies import Player, names, parse, strategy

ENGINE = 1
"""Version of the engine: changes whenever the same plan gives other rows."""

Keep = Literal["rows", "summary"]
"""What is kept of the hands: a row each, or of each chunk the sums that a report is made of."""

USUAL_CHUNK: dict[Keep, dict[Unit, int]] = {
    "rows": {"hands": 100_000, "matches": 5_000},
    "summary": {"hands": 20_000_000, "matches": 2_000_000},
}
"""Hands or matches a chunk that make handy files: of a billion hands, all summaries take less than a megabyte."""

MOST_A_CHUNK: dict[Keep, dict[Unit, int]] = {
    "rows": {"hands": 1_000_000, "matches": 100_000},
    "summary": {"hands": 10**12, "matches": 10**12},
}
"""A chunk of rows is played in memory, a match with all its hands; one that is summed up is played in pieces."""


@dataclass(frozen=True)
class Chunk:
    """A part of a run on its grid: numbers ``first`` to ``first + count - 1`` of hands or matches."""

    index: int
    first: int
    count: int


@dataclass(frozen=True)
class Plan:
    """What is played, and what is kept of it: rules, unit (single hands or matches), a player a seat, seed, mirror, grid of chunks.

    ``deals`` are the cards of single hands where they are given and not dealt from the seed; their hash stands for them.

    How many are played is not part of it, nor who plays them, when and where: a run can be extended.
    """

    rules: Rules
    unit: Unit
    players: tuple[Player, ...]
    seed: int
    mirror: bool
    chunk: int
    engine: int = ENGINE
    schema: int = SCHEMA
    deals_hash: str | None = None
    deals: np.ndarray | None = field(default=None, compare=False, repr=False)
    keep: Keep = "rows"

    @property
    def layout(self) -> Layout:
        """The columns of the run's tables."""
        return Layout(self.unit, self.rules.format, self.rules.games or 1)

    def chunks(self, count: int, first: int = 0) -> Iterator[Chunk]:
        """The grid's chunks that hold ``count`` hands or matches from ``first`` on, a number on the grid; the last may be part-filled."""
        for start in range(first, first + count, self.chunk):
            yield Chunk(start // self.chunk, start, min(self.chunk, first + count - start))

    def fingerprint(self) -> str:
        """A hash of everything by which plans differ, as hexadecimal text: what rules and files are called is not in it."""
        identity = {name: value for name, value in self.as_dict().items() if name != "rules_name"}
        identity["players"] = [_player_dict(replace(player, settings=None)) for player in self.players]
        return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()

    def of_today(self) -> Plan:
        """The plan as this ginsim plays it: with its engine and tables, and with its players as they are now.

        Raises:
            UsageError: a player is not there any more.
        """
        return replace(self, engine=ENGINE, schema=SCHEMA, players=tuple(parse(player.spec) for player in self.players))

    def as_dict(self) -> dict[str, Any]:
        """The plan ready for JSON."""
        return {
            "engine": self.engine,
            "schema": self.schema,
            "rules": self.rules.as_dict(),
            "rules_name": self.rules.name,
            "unit": self.unit,
            "players": [_player_dict(player) for player in self.players],
            "seed": self.seed,
            "mirror": self.mirror,
            "chunk": self.chunk,
            "deals_hash": self.deals_hash,
            "keep": self.keep,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Plan:
        """The inverse of :meth:`as_dict`.

        Raises:
            UsageError: these are not the values of a plan.
        """
        if not isinstance(values, Mapping):
            raise UsageError("it is no object with fields")
        for name in ("rules", "rules_name", "unit", "players", "seed", "mirror", "chunk", "engine", "schema", "deals_hash"):
            if name not in values:
                raise UsageError(f"{name} is missing")
        rules = Rules.from_dict(_checked(values, "rules", Mapping), _checked(values, "rules_name", str))
        is_of_today = (values["engine"], values["schema"]) == (ENGINE, SCHEMA)
        players = tuple(player_from_dict(player, is_of_today) for player in _checked(values, "players", list))
        if len(players) != rules.seats:
            raise UsageError(f"{len(players)} players for {rules.seats} seats")
        if values["unit"] not in ("hands", "matches"):
            raise UsageError(f"unit = {values['unit']!r}")
        # There was nothing to choose before schema 2.
        keep = values.get("keep", "rows")
        if keep not in ("rows", "summary"):
            raise UsageError(f"keep = {keep!r}")
        return cls(
            rules=rules,
            unit=values["unit"],
            players=players,
            seed=_checked(values, "seed", int, at_most=MAX_SEED),
            mirror=_checked(values, "mirror", bool),
            chunk=_checked(values, "chunk", int, at_least=1),
            engine=_checked(values, "engine", int),
            schema=_checked(values, "schema", int),
            deals_hash=_checked(values, "deals_hash", str | None),
            keep=keep,
        )

    def difference(self, other: Plan) -> str | None:
        """The first thing in which two plans differ, in words, or None."""
        mine, its = self.as_dict(), other.as_dict()
        for key in ("engine", "schema", "unit", "seed", "mirror", "deals_hash"):
            if mine[key] != its[key]:
                return f"{key} is {_word(mine[key])} there and {_word(its[key])} here"
        for key in {**mine["rules"], **its["rules"]}:
            values = mine["rules"].get(key), its["rules"].get(key)
            # A bonus of 0 is in use: false, which equals 0 in Python, is not.
            if values[0] != values[1] or type(values[0]) is not type(values[1]):
                return f"{key} is {_word(values[0])} there and {_word(values[1])} here"
        for seat, one, another in zip(SEATS, self.players, other.players, strict=False):
            if one != another:
                return f"{seat} is {_player_word(one, another)} there and {_player_word(another, one)} here"
        if self.keep != other.keep:
            return f"keep is {self.keep} there and {other.keep} here"
        if self.chunk != other.chunk:
            return f"chunk is {self.chunk} there and {other.chunk} here"
        return None


def make_plan(
    rules: Rules,
    *,
    unit: Unit,
    strategies: Sequence[str] = ("simple",),
    seed: int,
    mirror: bool = False,
    chunk: int | None = None,
    deals: np.ndarray | None = None,
    keep: Keep = "rows",
) -> Plan:
    """A checked plan.

    Args:
        strategies: one text for all seats, or one for each seat in order (see :func:`ginsim.strategies.parse`).
        chunk: hands or matches a chunk; by default what makes handy files.
        deals: the cards of single hands, from :mod:`ginsim.deals`; by default they come from the seed.
        keep: what a store keeps of the hands.

    Raises:
        UsageError: something that cannot be played.
    """
    if len(strategies) not in (1, rules.seats):
        raise UsageError(
            f"{len(strategies)} strategies for {rules.seats} seats: name one for all seats, or one a seat in the order "
            f"{', '.join(SEATS[: rules.seats])}."
        )
    players = tuple(parse(spec) for spec in strategies)
    if chunk is None:
        chunk = usual_chunk(unit, keep)
    most = MOST_A_CHUNK[keep][unit]
    if not 1 <= chunk <= most:
        raise UsageError(f"a chunk of {chunk:,} {unit}: must be from 1 to {most:,}.")
    if mirror and chunk % 2:
        raise UsageError(f"a chunk of {chunk:,} would part a mirrored pair: take an even number.")
    return Plan(
        rules,
        unit,
        players if len(players) > 1 else players * rules.seats,
        seed,
        mirror,
        chunk,
        deals_hash=None if deals is None else fingerprint(deals),
        deals=deals,
        keep=keep,
    )


def usual_chunk(unit: Unit, keep: Keep = "rows") -> int:
    """Hands or matches a chunk that make handy files."""
    return USUAL_CHUNK[keep][unit]


def player_from_dict(values: Any, is_of_today: bool = True) -> Player:
    """A stored player. One's own is not loaded: a run can be read where its source is gone.

    So it can where a built-in one has changed since; only those that are as they were are looked at closely.

    Raises:
        UsageError: these are not the values of a player.
    """
    try:
        player = Player(values["strategy"], values["version"], tuple(values["parameters"].items()), values.get("source"))
        known = player.name in names()
        if not player.is_own and (known or is_of_today) and (not known or strategy(player.name).version == player.version):
            parse(player.spec)
        settings = values.get("settings")
        if settings is None or not (player.is_own or _still_means(player, settings)):
            return player
        return replace(player, settings=settings)
    except (KeyError, TypeError, AttributeError):
        raise UsageError(f"{values!r} is no player") from None


def _still_means(player: Player, settings: str) -> bool:
    """Whether settings with a file name this player: otherwise the file has changed, and only the values do."""
    try:
        return parse(f"{player.name}:{settings}").parameters == player.parameters
    except UsageError:
        return False


def _checked(values: Mapping[str, Any], name: str, type_: Any, *, at_least: int = 0, at_most: int | None = None) -> Any:
    value = values[name]
    right = isinstance(value, type_) and isinstance(value, bool) == (type_ is bool)
    if right and type_ is int:
        right = at_least <= value and (at_most is None or value <= at_most)
    if not right:
        raise UsageError(f"{name} = {value!r}")
    return value


def _player_dict(player: Player) -> dict[str, Any]:
    more = {"source": player.source, "settings": player.settings}
    more = {key: value for key, value in more.items() if value is not None}
    return {"strategy": player.name, "version": player.version, "parameters": dict(player.parameters), **more}


def _word(value: object) -> str:
    return "not in use" if value is None or value is False else "in use" if value is True else str(value)


def _player_word(player: Player, other: Player) -> str:
    if (player.name, player.version, player.source) == (other.name, other.version, other.source) and (player.settings or other.settings):
        mine, its = dict(player.parameters), dict(other.parameters)
        key = next(key for key in {**mine, **its} if mine.get(key) != its.get(key))
        return f"{player.name} with {key} {mine.get(key, 'as by default')}"
    if player.spec != other.spec:
        return player.spec
    if player.source != other.source:
        return f"{player.spec} (source {player.source[:12]})" if player.source else player.spec
    return f"{player.spec} (version {player.version})"
