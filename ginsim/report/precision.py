"""How tight an estimate is to be, and how many hands that took or would take, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginsim.report.figures import count


def until_line(until: Mapping[str, Any], unit: str) -> str:
    """How it went, where something was played until an estimate was tight."""
    wanted = f"{until['statistic']}±{until['half_width']:g}"
    found = "nothing to go by" if until["found"] is None else f"±{until['found']:.2g}"
    level = (1 - until["level"]) * 100
    how = (
        f"look {until['looked']} of {len(until['looks'])} planned; each look's interval misses in at most {level:.2g} %, all together in 5 %"
    )
    if until["reached"]:
        return f"Stopped at {count(until['count'])} {unit}: {wanted} was wanted, {found} is reached ({how})."
    more = f"; it takes about {count(rounded(until['needed']))}" if until["needed"] else ""
    return f"Not reached in {count(until['count'])} {unit}: {wanted} was wanted, {found} is what they give{more} ({how})."


def rounded(number: int) -> int:
    """A number that is known only about: two digits."""
    digits = max(0, len(str(number)) - 2)
    return -(-number // 10**digits) * 10**digits


def foretold(about: Mapping[str, Any]) -> list[str]:
    """What a pilot foretells (see :func:`ginsim.until.foretold`), a sentence each."""
    unit, wanted = about["unit"], f"{about['statistic']}±{about['half_width']:g}"
    pilot = f"a pilot of {count(about['pilot'])} {unit}"
    looks = f"{len(about['looks'])} look{'s' if len(about['looks']) > 1 else ''} at {100 * about['level']:.2f} % each"
    if about["needed"] is None:
        return [f"{wanted}: {pilot} saw nothing to go by. Nothing else was played."]
    ends = (
        f"It would stop at {count(about['stops'])} {unit}."
        if about["stops"] is not None
        else f"That is more than {count(about['most'])}: ask for more with --{unit}."
    )
    return [
        f"{wanted} takes about {count(rounded(about['needed']))} {unit}: {pilot} gives ±{about['found']:.2g} ({looks}).",
        f"{ends} Nothing but the pilot was played.",
    ]
