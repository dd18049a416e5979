"""The rule sets as plain dicts, typed from the table of fields; None is "not in use" or "not in this format"."""

from typing import Any

Rules = dict[str, Any]

#: The two-player game that all the others come from (R31), every field named.
GIN: Rules = {
    "format": "game",
    "target": 100,
    "knock_limit": 10,
    "upcard_sets_limit": False,
    "ace_upcard": "gin",
    "spade_doubles": False,
    "gin_bonus": 25,
    "undercut_bonus": 10,
    "undercut_on_tie": True,
    "big_gin_bonus": None,
    "discard_taken_card": False,
    "stock_floor": 2,
    "last_discard": "dead",
    "next_dealer": "winner",
    "games": None,
    "series_end": None,
    "shut_out": None,
    "box_bonus": 0,
    "game_bonus": 0,
    "blitz_bonus": 0,
    "max_draws": 400,
    "max_hands": 10_000,
}

FIELDS: tuple[str, ...] = tuple(GIN)

HOLLYWOOD: Rules = GIN | {"format": "hollywood", "games": 3, "series_end": "all", "shut_out": "literal"}

PRESETS: dict[str, Rules] = {
    "gin": GIN,
    "hollywood": HOLLYWOOD,
    "hollywood-20": HOLLYWOOD | {"gin_bonus": 20},
    "three-handed": GIN | {"format": "three_handed", "next_dealer": "box"},
    "oklahoma": GIN | {"target": 150, "upcard_sets_limit": True, "spade_doubles": True},
    "straight": GIN | {"knock_limit": 0},
    "eaai": GIN | {"undercut_bonus": 25, "next_dealer": "alternate"},
}


def preset(name: str, **changes: Any) -> Rules:
    """A preset (R31 to R34 and the fields' table) with some fields changed; an unknown field is a KeyError."""
    unknown = set(changes) - set(FIELDS)
    if unknown:
        raise KeyError(f"no such fields: {sorted(unknown)}")
    return PRESETS[name] | changes
