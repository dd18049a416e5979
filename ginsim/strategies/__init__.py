"""Who decides. A strategy is named ``name`` or ``name:key=value,…``; each lives in a module of its own here.

``name:params=FILE`` takes the values of a file (:mod:`parameter_file`), over which what else is given counts.

One's own are named ``file.py:Name``, ``package.module:Name`` or ``exec:COMMAND`` (:mod:`own` finds them). They are compiled functions like
the built-in ones (:mod:`compiled`), a class in plain Python (:mod:`view`, :mod:`seated`), or another program (:mod:`process`).
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ginsim.errors import UsageError
from ginsim.strategies import own
from ginsim.strategies.own import Called, Value
from ginsim.strategies.parameter_file import PARAMS, values_for
from ginsim.strategies.strategy import Parameter, Strategy

if TYPE_CHECKING:
    import numpy as np

    from ginsim.rules import Rules
    from ginsim.strategies.seated import Seated

__all__ = ["Called", "Parameter", "Player", "Strategy", "find", "is_called_back", "names", "parse", "sit", "strategy", "values_under"]

_MODULES = {name: f"ginsim.strategies.{name}" for name in ("random", "simple", "patient", "expert", "rollout")}


@dataclass(frozen=True)
class Player:
    """A strategy with its parameters: who sits in a seat. ``parameters`` are in the strategy's order, defaults included.

    A strategy whose defaults depend on the rules has only those parameters that were given. A strategy of one's own has ``source``, the
    hash of its source, and only those that are not as by default; so nothing need be imported to say who played. ``seconds`` is the
    time that another program has for a decision, where it is not the usual. ``settings`` is how the parameters were written, where
    some of them came from a file.
    """

    name: str
    version: int | str | None
    parameters: tuple[tuple[str, Value], ...] = ()
    source: str | None = None
    seconds: float | None = field(default=None, compare=False)
    settings: str | None = field(default=None, compare=False)

    @property
    def is_own(self) -> bool:
        """Whether the strategy is one's own and not a built-in one."""
        return self.source is not None

    @property
    def spec(self) -> str:
        """The text that names this player, without parameters that are as by default."""
        if self.settings is not None:
            return f"{self.name}:{self.settings}"
        if self.is_own:
            if self.seconds is not None:
                return f"{own.EXEC}{own.TIMEOUT}={self.seconds:g} {self.name.removeprefix(own.EXEC)}"
            settings = ",".join(f"{key}={_written(value)}" for key, value in self.parameters)
            return f"{self.name}:{settings}" if settings else self.name
        # A run of an older ginsim may name a strategy, or parameters, that there are no more.
        known = _defaults(strategy(self.name)) if self.name in _MODULES else {}
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
    if isinstance(found, Called):
        return found.seat(rules, dict(player.parameters), stop)
    numbers: list[float] = []
    behind: list[float] = []
    for parameter, value in zip(found.parameters, values_under(player, rules).values(), strict=True):
        if parameter.players:
            inner = parse(str(value))
            value = parameter.players.index(inner.name)
            behind += sit(inner, rules).parameters
        numbers.append(float(value))
    return Seated(found.take, found.discard, found.knock, (*numbers, *behind))


def values_under(player: Player, rules: Rules) -> dict[str, Value]:
    """All parameters that a player has under these rules, in the strategy's order; none, where it is called back.

    Raises:
        UsageError: as :func:`find`.
    """
    found = find(player)
    if isinstance(found, Called):
        return {}
    usual: dict[str, Value] = {parameter.name: parameter.default for parameter in found.parameters}
    if found.defaults_for is not None:
        usual |= found.defaults_for(rules)
    return usual | dict(player.parameters)


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
    given = _Given.of(spec, name, settings if colon else None, [parameter.name for parameter in chosen.parameters])
    values = _defaults(chosen) | _numbers(given, chosen)
    in_order = tuple((each.name, values[each.name]) for each in chosen.parameters if each.name in values)
    return Player(name, _version(chosen, values), in_order, settings=given.settings)


def _defaults(chosen: Strategy) -> dict[str, Value]:
    """The parameters that a player has whom nobody gave any; those that depend on the rules are seen to at the table."""
    return {} if chosen.defaults_for else {parameter.name: parameter.default for parameter in chosen.parameters}


def _version(chosen: Strategy, values: Mapping[str, Value]) -> int | str | None:
    """The version of a built-in strategy, with those of the players that are its parameters: it plays otherwise when they do."""
    others = [parse(str(values[parameter.name])) for parameter in chosen.parameters if parameter.players]
    return ", ".join([str(chosen.version), *(f"{other.name} {other.version}" for other in others)]) if others else chosen.version


def _own_player(text: str) -> Player:
    spec = own.read(text)
    found = own.load(spec)
    if isinstance(found, Called):
        given = _Given.of(text, spec.head, spec.settings, found.parameters or ())
        values, defaults = _any_values(given, found), found.parameters or {}
    else:
        given = _Given.of(text, spec.head, spec.settings, [parameter.name for parameter in found.parameters])
        defaults = {parameter.name: parameter.default for parameter in found.parameters}
        values = defaults | _numbers(given, found)
    changed = tuple((key, value) for key, value in values.items() if key not in defaults or defaults[key] != value)
    return Player(spec.head, found.version, changed, own.source_hash(spec), spec.seconds, given.settings)


@dataclass(frozen=True)
class _Given:
    """The parameters given to the strategy ``name``: as written in the spec, and before that the values of a file.

    ``settings`` is all that is written, where there is a file.
    """

    spec: str
    name: str
    written: Mapping[str, str]
    file: str = ""
    in_file: Mapping[str, Value] = field(default_factory=dict)
    settings: str | None = None

    @classmethod
    def of(cls, spec: str, name: str, settings: str | None, known: Collection[str]) -> _Given:
        """What is given; a parameter that is called ``params`` itself takes no file."""
        written = _settings(spec, settings)
        if PARAMS not in written or PARAMS in known:
            return cls(spec, name, written)
        file = written.pop(PARAMS)
        if not file:
            raise UsageError(f"{spec!r}: {PARAMS} names no file: write {name}:{PARAMS}=FILE.toml.")
        return cls(spec, name, written, file, values_for(name, Path(file)), (settings or "").strip())

    def check_names(self, known: Collection[str]) -> None:
        """See to it that the strategy has all these parameters.

        Raises:
            UsageError: it has not.
        """
        for where, keys in ((self.file, self.in_file), (repr(self.spec), self.written)):
            for key in keys:
                if key not in known:
                    near = difflib.get_close_matches(key, known, n=1) if len(known) > _FEW else []
                    hint = f"did you mean {near[0]}?" if near else f"it has: {', '.join(known) or 'none'}."
                    raise UsageError(f"{where}: {self.name} has no parameter {key!r}; {hint}")


_FEW = 8
"""So many parameters are listed to whoever names one that there is not."""


def _any_values(given: _Given, chosen: Called) -> Mapping[str, Value]:
    """The parameters given to a class in plain Python, as it wants them."""
    values = {**given.in_file, **{key: own.value_of(text) for key, text in given.written.items()}}
    if chosen.parameters is not None:
        given.check_names(chosen.parameters)
        for key in chosen.required:
            if key not in values:
                raise UsageError(f"{given.spec!r}: {given.name} needs a value for {key}: write {given.name}:{key}=VALUE.")
    return values


def _numbers(given: _Given, chosen: Strategy) -> dict[str, Value]:
    """The parameters given to a compiled strategy."""
    known = {parameter.name: parameter for parameter in chosen.parameters}
    given.check_names(known)
    return {
        key: _number(where, known[key], value)
        for where, values in ((given.file, given.in_file), (repr(given.spec), given.written))
        for key, value in values.items()
    }


def _number(where: str, parameter: Parameter, value: Value) -> Value:
    if parameter.players:
        return _player_inside(where, parameter, str(value))
    try:
        number = int(value) if parameter.whole else float(value)
    except (ValueError, OverflowError):
        number = parameter.low - 1
    if isinstance(value, bool) or (isinstance(value, float) and number != value) or not parameter.low <= number <= parameter.high:
        kind = "whole number" if parameter.whole else "number"
        raise UsageError(f"{where}: {parameter.name} = {value}: must be a {kind} from {parameter.low} to {parameter.high}.")
    return number


def _player_inside(where: str, parameter: Parameter, text: str) -> str:
    """The spec of the player that is a parameter's value."""
    if text.partition(":")[0] not in parameter.players:
        raise UsageError(f"{where}: {parameter.name} = {text}: must be one of {', '.join(parameter.players)}.")
    return parse(text).spec


def _settings(spec: str, settings: str | None) -> dict[str, str]:
    """The ``key=value`` of a spec, as written."""
    found: dict[str, str] = {}
    for setting in settings.split(",") if settings is not None else []:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise UsageError(f"{spec!r}: {setting.strip()!r} is not a parameter and its value, such as knock=4.")
        if key in found:
            raise UsageError(f"{spec!r}: {key} stands twice.")
        found[key] = text
    return found


def _written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
