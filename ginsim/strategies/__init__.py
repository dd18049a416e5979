"""Who decides. A strategy is named ``name`` or ``name:key=value,…``; each lives in a module of its own here.

One's own are named ``file.py:Name``, ``package.module:Name`` or ``exec:COMMAND`` (:mod:`own` finds them). They are compiled functions like
the built-in ones (:mod:`compiled`), a class in plain Python (:mod:`view`, :mod:`seated`), or another program (:mod:`process`).
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ginsim.errors import UsageError
from ginsim.strategies import own
from ginsim.strategies.own import Called, Value
from ginsim.strategies.strategy import Parameter, Strategy

if TYPE_CHECKING:
    import numpy as np

    from ginsim.rules import Rules
    from ginsim.strategies.seated import Seated

__all__ = ["Called", "Parameter", "Player", "Strategy", "find", "is_called_back", "names", "parse", "sit", "strategy"]

_MODULES = {name: f"ginsim.strategies.{name}" for name in ("random", "simple", "patient", "expert")}


@dataclass(frozen=True)
class Player:
    """A strategy with its parameters: who sits in a seat. ``parameters`` are in the strategy's order, defaults included.

    A strategy of one's own has ``source``, the hash of its source, and only those parameters that are not as by default; so nothing
    need be imported to say who played. ``seconds`` is the time that another program has for a decision, where it is not the usual.
    """

    name: str
    version: int | str | None
    parameters: tuple[tuple[str, Value], ...] = ()
    source: str | None = None
    seconds: float | None = field(default=None, compare=False)

    @property
    def is_own(self) -> bool:
        """Whether the strategy is one's own and not a built-in one."""
        return self.source is not None

    @property
    def spec(self) -> str:
        """The text that names this player, without parameters that are as by default."""
        if self.is_own:
            if self.seconds is not None:
                return f"{own.EXEC}{own.TIMEOUT}={self.seconds:g} {self.name.removeprefix(own.EXEC)}"
            settings = ",".join(f"{key}={_written(value)}" for key, value in self.parameters)
            return f"{self.name}:{settings}" if settings else self.name
        # A run of an older ginsim may name a strategy, or parameters, that there are no more.
        known = {parameter.name: parameter.default for parameter in strategy(self.name).parameters} if self.name in _MODULES else {}
        changed = ",".join(f"{key}={value}" for key, value in self.parameters if known.get(key) != value)
        return f"{self.name}:{changed}" if changed else self.name

    @property
    def description(self) -> str:
        """How the player plays, in a few words that begin with its spec."""
        if self.source is not None:
            return f"{self.spec} (source {self.source[:12]})"
        if self.name not in _MODULES or self.version != strategy(self.name).version:
            return f"{self.spec} (version {self.version})"
        return f"{self.spec} {strategy(self.name).describe(dict(self.parameters))}"


def names() -> list[str]:
    """The built-in strategies."""
    return list(_MODULES)


def strategy(name: str) -> Strategy:
    """A built-in strategy; the first use imports and compiles it.

    Raises:
        UsageError: there is none of this name.
    """
    if name not in _MODULES:
        close = difflib.get_close_matches(name, _MODULES, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise UsageError(f"no strategy named {name!r}. {hint}There are: {', '.join(_MODULES)}.")
    return import_module(_MODULES[name]).STRATEGY


def find(player: Player) -> Strategy | Called:
    """The strategy that a player plays; one's own is loaded.

    Raises:
        UsageError: it cannot be loaded, or its source is not the one that the player has.
    """
    if player.source is None:
        return strategy(player.name)
    spec = own.read(player.spec)
    if own.is_received(spec, player.source):
        return own.load(spec, player.source)
    source = own.source_hash(spec)
    if source != player.source:
        raise UsageError(f"{player.name} has changed: its source is {source[:12]} and no longer {player.source[:12]}.")
    return own.load(spec)


def is_called_back(player: Player) -> bool:
    """Whether a player is called back from the engine: plain Python, or another program.

    Raises:
        UsageError: as :func:`find`.
    """
    return player.is_own and isinstance(find(player), Called)


def sit(player: Player, rules: Rules, stop: np.ndarray | None = None) -> Seated:
    """The player at a table: what the kernels need of it.

    Args:
        stop: a flag that ends a hand at the next question to a player who is called back.

    Raises:
        UsageError: as :func:`find`.
    """
    from ginsim.strategies.seated import Seated

    found = find(player)
    values = dict(player.parameters)
    if isinstance(found, Called):
        return found.seat(rules, values, stop)
    in_order = tuple(float(values.get(parameter.name, parameter.default)) for parameter in found.parameters)
    return Seated(found.take, found.discard, found.knock, in_order)


def parse(spec: str) -> Player:
    """The player that a text such as ``simple:knock=4`` or ``my_bot.py:MyBot`` names.

    Raises:
        UsageError: no such strategy or parameter, or a value that the parameter cannot have.
    """
    name, colon, settings = spec.strip().partition(":")
    if name not in _MODULES and own.is_own(spec.strip()):
        return _own_player(spec.strip())
    if name.endswith(".py"):
        inside = own.names_in(Path(name))
        raise UsageError(f"{spec!r} names no strategy in the file: write {name}:{inside[-1] if inside else 'NAME'}.")
    chosen = strategy(name)
    return Player(name, chosen.version, tuple(_numbers(spec, name, chosen, settings if colon else None).items()))


def _own_player(text: str) -> Player:
    spec = own.read(text)
    found = own.load(spec)
    if isinstance(found, Called):
        values, defaults = _any_values(text, spec.head, found, spec.settings), found.parameters or {}
    else:
        values = _numbers(text, spec.head, found, spec.settings)
        defaults = {parameter.name: parameter.default for parameter in found.parameters}
    changed = tuple((key, value) for key, value in values.items() if key not in defaults or defaults[key] != value)
    return Player(spec.head, found.version, changed, own.source_hash(spec), spec.seconds)


def _any_values(text: str, name: str, chosen: Called, settings: str | None) -> Mapping[str, Value]:
    """The parameters given to a class in plain Python, as it wants them."""
    values = {key: own.value_of(written) for key, written in _settings(text, settings)}
    if chosen.parameters is not None:
        _check_names(text, name, values, chosen.parameters)
        for key in chosen.required:
            if key not in values:
                raise UsageError(f"{text!r}: {name} needs a value for {key}: write {name}:{key}=VALUE.")
    return values


def _numbers(spec: str, name: str, chosen: Strategy, settings: str | None) -> dict[str, Value]:
    """The parameters of a compiled strategy, in its order."""
    known = {parameter.name: parameter for parameter in chosen.parameters}
    values: dict[str, Value] = {parameter.name: parameter.default for parameter in chosen.parameters}
    given = dict(_settings(spec, settings))
    _check_names(spec, name, given, known)
    for key, text in given.items():
        parameter = known[key]
        try:
            number = int(text) if parameter.whole else float(text)
        except ValueError:
            number = parameter.low - 1
        if not parameter.low <= number <= parameter.high:
            raise UsageError(
                f"{spec!r}: {key} = {text}: must be a {'whole ' if parameter.whole else ''}number from "
                f"{parameter.low} to {parameter.high}."
            )
        values[key] = number
    return values


def _settings(spec: str, settings: str | None) -> list[tuple[str, str]]:
    """The ``key=value`` of a spec, as written."""
    found: dict[str, str] = {}
    for setting in settings.split(",") if settings is not None else []:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise UsageError(f"{spec!r}: {setting.strip()!r} is not a parameter and its value, such as knock=4.")
        if key in found:
            raise UsageError(f"{spec!r}: {key} stands twice.")
        found[key] = text
    return list(found.items())


def _check_names(spec: str, name: str, given: Mapping[str, object], known: Mapping[str, object]) -> None:
    for key in given:
        if key not in known:
            raise UsageError(f"{spec!r}: {name} has no parameter {key!r}; it has: {', '.join(known) or 'none'}.")


def _written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
