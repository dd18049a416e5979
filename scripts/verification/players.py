"""Every player there is: all registered strategies, as they are and with each whole parameter at its ends."""

from __future__ import annotations

from ginsim.strategies import names, strategy


def every_player() -> list[str]:
    """Their names, as ``--strategy`` takes them."""
    return [spec for name in names() for spec in _with_parameters(name)]


def _with_parameters(name: str) -> list[str]:
    ends = [
        f"{name}:{parameter.name}={value}"
        for parameter in strategy(name).parameters
        # The others are weights, all alike.
        if parameter.whole
        for value in (parameter.low, parameter.high)
        if value != parameter.default
    ]
    return [name, *ends]
