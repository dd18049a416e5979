"""Who decides. A strategy is named ``name`` or ``name:key=value,…``; each lives in a module of its own here."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from importlib import import_module

from ginsim.errors import UsageError
from ginsim.strategies.strategy import Parameter, Strategy

__all__ = ["Parameter", "Player", "Strategy", "names", "parse", "strategy"]

_MODULES = {"random": "ginsim.strategies.random", "simple": "ginsim.strategies.simple"}


@dataclass(frozen=True)
class Player:
    """A strategy with its parameters: who sits in a seat. ``parameters`` are in the strategy's order, defaults included."""

    name: str
    version: int
    parameters: tuple[tuple[str, int], ...] = ()

    @property
    def spec(self) -> str:
        """The text that names this player, without parameters that are as by default."""
        known = {parameter.name: parameter.default for parameter in strategy(self.name).parameters}
        changed = ",".join(f"{key}={value}" for key, value in self.parameters if known[key] != value)
        return f"{self.name}:{changed}" if changed else self.name

    @property
    def description(self) -> str:
        """How the player plays, in a few words that begin with its spec."""
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


def parse(spec: str) -> Player:
    """The player that a text such as ``simple:knock=4`` names.

    Raises:
        UsageError: no such strategy or parameter, or a value that the parameter cannot have.
    """
    name, colon, settings = spec.strip().partition(":")
    chosen = strategy(name)
    known = {parameter.name: parameter for parameter in chosen.parameters}
    values = {parameter.name: parameter.default for parameter in chosen.parameters}
    given: set[str] = set()
    for setting in settings.split(",") if colon else []:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise UsageError(f"{spec!r}: {setting.strip()!r} is not a parameter and its value, such as knock=4.")
        if key not in known:
            options = ", ".join(known) or "none"
            raise UsageError(f"{spec!r}: {name} has no parameter {key!r}; it has: {options}.")
        if key in given:
            raise UsageError(f"{spec!r}: {key} stands twice.")
        given.add(key)
        parameter = known[key]
        try:
            values[key] = int(text)
        except ValueError:
            values[key] = parameter.low - 1
        if not parameter.low <= values[key] <= parameter.high:
            raise UsageError(
                f"{spec!r}: {key} = {text}: must be a whole number from {parameter.low} to {parameter.high}."
            )
    return Player(name, chosen.version, tuple(values.items()))
