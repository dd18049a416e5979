"""How many hands a wanted precision takes, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginsim.report.comparison.contents import rounded
from ginsim.report.figures import count


def sentences(about: Mapping[str, Any]) -> list[str]:
    """What a pilot foretells (see :func:`ginsim.until.foretold`), a sentence each."""
    unit, wanted = about["unit"], f"{about['statistic']}±{about['half_width']:g}"
    pilot = f"a pilot of {count(about['pilot'])} {unit}"
    looks = f"{len(about['looks'])} look{'s' if len(about['looks']) > 1 else ''} at {about['level']:.2%} each"
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
