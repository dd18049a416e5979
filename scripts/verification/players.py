"""Every player there is: all registered strategies, as they are and with each whole parameter at its ends."""

from __future__ import annotations

from ginsim.strategies import names, strategy


def every_player() -> list[str]:
    """Their names, as ``--strategy`` takes them."""
    return [spec for name in names() for spec in _with_parameters(name)]


def affordable(name: str) -> str:
    """A player by name. One that plays hands out does so seldom, with a quick one: it is as legal so as otherwise."""
    return f"{name}:worlds=2,base=simple" if any(parameter.players for parameter in strategy(name).parameters) else name


def _with_parameters(name: str) -> list[str]:
    if affordable(name) != name:
        return [affordable(name)]
    ends = [
        f"{name}:{parameter.name}={value}"
        for parameter in strategy(name).parameters
        # The others are weights, all alike.
        if parameter.whole
        for value in (parameter.low, parameter.high)
        if value != parameter.default
    ]
    return [name, *ends]
