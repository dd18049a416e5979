"""ginsim: a simulator and analysis tool for gin rummy and its variants.

The names below are the Python API; they are imported when they are first used, so that the command starts at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PLACES = {
    "Comparison": "ginsim.comparison",
    "GinsimError": "ginsim.errors",
    "Interrupted": "ginsim.errors",
    "Rules": "ginsim.rules",
    "Run": "ginsim.api",
    "Tournament": "ginsim.api",
    "UsageError": "ginsim.errors",
    "best_arrangement": "ginsim.solver",
    "check": "ginsim.api",
    "compare": "ginsim.comparison",
    "compare_runs": "ginsim.comparison",
    "compiled": "ginsim.strategies.compiled",
    "deadwood": "ginsim.solver",
    "discards": "ginsim.solver",
    "knock_chart": "ginsim.knocking",
    "load_rules": "ginsim.api",
    "merge": "ginsim.api",
    "open_run": "ginsim.api",
    "open_tournament": "ginsim.api",
    "parse_cards": "ginsim.cards",
    "resume": "ginsim.api",
    "showdown": "ginsim.solver",
    "simulate": "ginsim.api",
    "tournament": "ginsim.api",
}

__all__ = list(_PLACES)


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'ginsim' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted(_PLACES)
