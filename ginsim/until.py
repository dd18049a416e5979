"""Playing until an estimate is as tight as wanted, honestly.

Who looks after every hand and stops when the interval pleases him has an interval that holds less often than it says. So there are few
looks, planned beforehand: after 1, 2, 4, … chunks and at the end. Each look takes its interval at a level such that all of them
together keep the 95 % (Bonferroni: with K looks each may miss in 5 %/K). What was played depends on the grid and
the rows alone, so the same command stops at the same place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import ceil
from pathlib import Path
from typing import Any, TypeVar

from ginsim.errors import UsageError
from ginsim.plan import Plan, usual_chunk
from ginsim.records import Layout, Unit
from ginsim.statistics import LEVEL, Tally, distributions, rates, summarize
from ginsim.store import Store, write_whole

FILE = "until.json"
"""Where a stored run says where it stopped and why."""

PILOT = {"hands": 20_000, "matches": 1_000}
"""How many are played to say beforehand how many a precision takes."""

_TEXT = re.compile(r"(?P<name>\w+)\s*(?:±|\+-|\+/-)\s*(?P<width>\d*\.?\d+(?:e-?\d+)?)\s*(?P<percent>%?)", re.ASCII | re.IGNORECASE)

Outcome = TypeVar("Outcome")
HalfWidth = Callable[[Any, float], float | None]
"""Half the width of the interval wanted, from what was counted and a level; None where nothing can be said yet."""


@dataclass(frozen=True)
class Target:
    """A statistic, and half the width that its interval is to have."""

    statistic: str
    half_width: float

    @property
    def text(self) -> str:
        """As the commands take it."""
        return f"{self.statistic}±{self.half_width!r}"


def parse(text: str, known: Sequence[str]) -> Target:
    """The target that a text such as ``gin_rate±0.0005``, ``gin_rate+-0.0005`` or ``gin_rate±0.05%`` names.

    Raises:
        UsageError: it is none, or not one of the ``known`` statistics.
    """
    match = _TEXT.fullmatch(text.strip())
    width = float(match["width"]) / (100 if match["percent"] else 1) if match else 0.0
    if match is None or not 0 < width < float("inf"):
        raise UsageError(f"--until {text[:60]!r}: must be STATISTIC±HALFWIDTH, such as gin_rate±0.0005 (or gin_rate+-0.0005).")
    if match["name"] not in known:
        near = get_close_matches(match["name"], known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known[:12])}" + (", …" if len(known) > 12 else ".")
        raise UsageError(f"--until {text[:60]!r}: no statistic named {match['name']!r} here; {hint}")
    return Target(match["name"], width)


def looks(chunk: int, most: int) -> list[int]:
    """After how many hands or matches to look: doubling numbers of chunks, and the end."""
    found = []
    size = chunk
    while size < most:
        found.append(size)
        size *= 2
    return [*found, most]


def level_of_a_look(planned: Sequence[int]) -> float:
    """The level of each look's interval, so that all hold together at the level of a report."""
    return 1 - (1 - LEVEL) / len(planned)


def until(
    target: Target, chunk: int, most: int, play: Callable[[int, int], Outcome], half_width: HalfWidth
) -> tuple[Outcome, dict[str, Any]]:
    """Play on until the target is met at a look, or ``most`` are played.

    Args:
        play: what hands or matches from one number up to another count to.

    Returns:
        What was counted, and how it went, ready for JSON: see :func:`said`.
    """
    planned = looks(chunk, most)
    level = level_of_a_look(planned)
    total: Any = None
    before = 0
    for number, look in enumerate(planned, 1):
        part = play(before, look)
        total = part if total is None else total + part
        before = look
        found = half_width(total, level)
        if found is not None and found <= target.half_width:
            break
    return total, said(target, planned, number, found)


def said(target: Target, planned: Sequence[int], number: int, found: float | None) -> dict[str, Any]:
    """How it went, ready for JSON.

    Returns:
        ``statistic`` and ``half_width`` as wanted; ``most``; the ``looks`` planned, at which ``level`` each; ``looked``, how many
        looks were taken; ``count``, where it stopped; ``found``, half the width there; ``reached``, whether that is tight
        enough; ``needed``, about how many it takes where it is not.
    """
    count = planned[number - 1]
    reached = found is not None and found <= target.half_width
    return {
        "statistic": target.statistic,
        "half_width": target.half_width,
        "most": planned[-1],
        "looks": list(planned),
        "level": level_of_a_look(planned),
        "looked": number,
        "count": count,
        "found": found,
        "reached": reached,
        "needed": None if reached or not found else ceil(count * (found / target.half_width) ** 2),
    }


def pilot_size(unit: Unit, most: int) -> int:
    """How many hands or matches a pilot plays: an even number, where one can, so that no pair is parted."""
    return min(PILOT[unit], most)


def foretold(target: Target, plan: Plan, pilot: int, most: int, outcome: Any, half_width: HalfWidth) -> dict[str, Any]:
    """About how many a target takes, from what a pilot of a plan counted to, ready for JSON.

    Returns:
        ``statistic``, ``half_width``, ``unit``, ``seed``, ``pilot`` (how many), ``found`` (half the width there, at the ``level`` of a
        look), ``needed`` (about how many; null: the pilot has nothing to go by), ``stops`` (at which look, null: beyond ``most``).
    """
    planned = looks(usual_chunk(plan.unit), most)
    level = level_of_a_look(planned)
    found = half_width(outcome, level)
    needed = ceil(pilot * (found / target.half_width) ** 2) if found else None
    return {
        "schema": "ginsim.plan/1",
        "statistic": target.statistic,
        "half_width": target.half_width,
        "unit": plan.unit,
        "seed": plan.seed,
        "pilot": pilot,
        "level": level,
        "found": found,
        "needed": needed,
        "most": most,
        "looks": planned,
        "stops": next((look for look in planned if needed is not None and look >= needed), None),
    }


def recalled(folder: Path | None, target: Target, chunk: int, most: int, of: Sequence[str] = ()) -> dict[str, Any] | None:
    """How it went when the same was asked of this folder before, or None.

    Args:
        of: what else was asked: the names of variants.
    """
    before = known(folder)
    return before if before is not None and before["asked"] == _asked(target, chunk, most, of) else None


def remember(folder: Path, went: dict[str, Any], target: Target, chunk: int, most: int, of: Sequence[str] = ()) -> None:
    """Keep in a folder how it went."""
    went["asked"] = _asked(target, chunk, most, of)
    text = json.dumps(went, indent=2) + "\n"
    write_whole(folder / FILE, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def holds_more(store: Store, count: int) -> str:
    """What is wrong where a folder holds more than where the same command stops."""
    unit = store.plan.unit
    return f"{store.folder} holds {store.extent():,} {unit}, and this stops at {count:,}: `ginsim report {store.folder}` reports them all."


def figures(layout: Layout) -> list[str]:
    """The statistics of a run that have an interval."""
    return [statistic.name for statistic in (*rates(layout), *distributions(layout))]


def half_width(target: Target, layout: Layout) -> HalfWidth:
    """Half the width of a run's interval, from its tally."""

    def found(tally: Tally, level: float) -> float | None:
        summary = summarize(tally, layout, level)
        about = summary["rates"].get(target.statistic) or summary["distributions"][target.statistic]
        return None if about["low"] is None else (about["high"] - about["low"]) / 2

    return found


def known(folder: Path | None) -> dict[str, Any] | None:
    """What a folder says of where it stopped, if it says anything."""
    if folder is None or not (folder / FILE).is_file():
        return None
    try:
        about = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        # Nothing is lost: the same looks at the same rows say the same again.
        return None
    wanted = {"statistic", "half_width", "looks", "level", "looked", "count", "found", "reached", "needed", "asked"}
    return about if isinstance(about, dict) and wanted <= about.keys() else None


def _asked(target: Target, chunk: int, most: int, of: Sequence[str]) -> list[Any]:
    return [target.text, chunk, most, *of]
