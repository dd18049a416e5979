"""From counts to what a comparison says, as plain dicts: estimates, differences, and how many more would settle what is open."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from ginsim.comparison.counting import Side
from ginsim.comparison.paired import COMPLEMENTS, WHO_WINS, Difference, compared, holm
from ginsim.comparison.variants import Variant, untouched, untouched_by_price
from ginsim.statistics import LEVEL, Rate, summarize
from ginsim.statistics.intervals import normal_quantile, student_quantile

ALWAYS_SHOWN = ("knock_rate", "undercut_rate", "gin_rate", "draw_rate")
"""Endings that all rules have; others stand in a comparison only where they happened."""

POWER = 0.8
"""How sure a larger comparison shall be to find what is there, where one says how large it would have to be."""


def statistics(variants: Sequence[Variant], sides: Sequence[Side], reference: int, count: int) -> dict[str, Any]:
    """Every statistic of every variant, and its difference from the reference.

    Returns:
        A dict of

        - ``family``: of the tests: ``comparisons``, how many; ``method``; ``level``; ``significant`` and ``open``, how many;
        - ``statistics``: a list in the order of a report, each with ``name``, ``kind`` (``rate`` or ``mean``), ``of`` (what it is a share of,
          or what has one value each), ``variants`` and ``differences``.

        One of ``variants`` has ``variant`` (its name), ``n``, ``count`` (null for means), ``estimate``, ``low``, ``high``, and ``histogram``
        (by value; null for rates); estimates are null for a statistic that the variant does not have.

        One of ``differences`` (none for the reference) has ``variant``, ``paired``, ``clusters`` and in how many of these the two are not the
        same (``changed``, null where they are not paired), ``difference``, ``low``, ``high``, ``p``,
        ``p_adjusted``, ``differs`` (whether that is below 5 %), ``same_by_construction``, ``test`` (statistic and variant that stand for this
        test in the family: those that ask the same count once), ``more`` (how many more hands or matches would
        settle what is open, four times in five, if the true difference is as found; null where nothing is open or nothing
        can be said), and ``parts``: null, or ``price`` and ``adapting`` with ``difference``, ``low`` and ``high`` each, which add up to it.
    """
    summaries = [summarize(side.tally, variant.plan.layout) for variant, side in zip(variants, sides, strict=True)]
    names = _names(variants, summaries)
    rows = [_row(name, variants, sides, summaries, reference) for name in names]
    asked = _tests(rows, variants, reference)
    tests = [each for each in asked.values() if each["difference"] is not None]
    for each, adjusted in zip(tests, holm([1.0 if each["p"] is None else each["p"] for each in tests]), strict=True):
        each["p_adjusted"] = adjusted
        each["differs"] = adjusted < 1 - LEVEL
    still_open = [each for each in tests if not each["differs"]]
    for each in still_open:
        each["more"] = _more(each, count, len(still_open))
    for row in rows:
        for each in row["differences"]:
            if not each["same_by_construction"]:
                each |= {name: asked[tuple(each["test"])][name] for name in ("p_adjusted", "differs", "more")}
            del each["z"], each["degrees"]
    return {
        "family": {
            "comparisons": len(tests),
            "method": "Holm",
            "level": 1 - LEVEL,
            "significant": len(tests) - len(still_open),
            "open": len(still_open),
        },
        "statistics": rows,
    }


def _tests(
    rows: Sequence[dict[str, Any]], variants: Sequence[Variant], reference: int
) -> dict[tuple[str, str], dict[str, Any]]:
    """The tests by statistic and variant, each question once; every difference is told which ``test`` answers it.

    A share that is one less another asks nothing new, nor does a variant that plays the same cards as one before it, where price
    does not matter.
    """
    others = [variant for place, variant in enumerate(variants) if place != reference]
    tests: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        name = COMPLEMENTS.get(row["name"], row["name"])
        for place, (variant, each) in enumerate(zip(others, row["differences"], strict=True)):
            if each["same_by_construction"]:
                each["test"] = None
                continue
            first = next((one for one in others[:place] if each["paired"] and name in untouched(variant.plan, one.plan)), variant)
            each["test"] = [name, first.name]
            tests.setdefault((name, first.name), each)
    return tests


def _names(variants: Sequence[Variant], summaries: Sequence[dict[str, Any]]) -> list[str]:
    """The statistics that at least one variant has something to say about."""
    differ = any(len(set(variant.plan.players)) > 1 for variant in variants)
    names = dict.fromkeys(name for variant in variants for name in compared(variant.plan.layout))

    def has_something(name: str) -> bool:
        about = [_about(summary, name) for summary in summaries]
        if name.endswith("_rate") and name not in ALWAYS_SHOWN:
            return any(each and each["count"] for each in about)
        return any(each and each["n"] for each in about)

    return [name for name in names if (differ or name not in WHO_WINS) and has_something(name)]


def _about(summary: dict[str, Any], name: str) -> dict[str, Any] | None:
    return summary["rates"].get(name) or summary["distributions"].get(name)


def _row(
    name: str, variants: Sequence[Variant], sides: Sequence[Side], summaries: Sequence[dict[str, Any]], reference: int
) -> dict[str, Any]:
    statistic = next(found for variant in variants if (found := compared(variant.plan.layout).get(name)))
    estimates = [
        {"variant": variant.name, **_estimate(_about(summary, name))}
        for variant, summary in zip(variants, summaries, strict=True)
    ]
    base = variants[reference]
    return {
        "name": name,
        "kind": "rate" if isinstance(statistic, Rate) else "mean",
        "of": statistic.of,
        "variants": estimates,
        "differences": [
            _difference(name, variant, side, base)
            for place, (variant, side) in enumerate(zip(variants, sides, strict=True))
            if place != reference
        ],
    }


def _estimate(about: dict[str, Any] | None) -> dict[str, Any]:
    if about is None:
        return dict.fromkeys(("n", "count", "estimate", "low", "high", "histogram"))
    return {
        "n": about["n"],
        "count": about.get("count"),
        "estimate": about["estimate"] if "estimate" in about else about["mean"],
        "low": about["low"],
        "high": about["high"],
        "histogram": about.get("histogram"),
    }


def _difference(name: str, variant: Variant, side: Side, base: Variant) -> dict[str, Any]:
    shared = name in compared(variant.plan.layout) and name in compared(base.plan.layout)
    same = shared and side.paired and name in untouched(variant.plan, base.plan)
    found = side.difference(name) if shared else Difference()
    return {
        "variant": variant.name,
        "paired": side.paired,
        "clusters": found.clusters or None,
        "changed": found.changed,
        **_interval(found, same),
        "p": None if same else found.p,
        "p_adjusted": None,
        "differs": False,
        "same_by_construction": same,
        "more": None,
        "parts": _parts(name, variant, side, base) if shared and side.parts else None,
        "z": found.z,
        "degrees": found.degrees,
    }


def _parts(name: str, variant: Variant, side: Side, base: Variant) -> dict[str, Any]:
    by_price = name not in untouched_by_price(variant.plan, base.plan)
    return {part: _interval(difference(name), part == "price" and not by_price) for part, difference in side.parts.items()}


def _interval(found: Difference, same: bool) -> dict[str, float | None]:
    half = 0.0 if same else found.half_width()
    if found.estimate is None or half is None:
        return {"difference": found.estimate, "low": None, "high": None}
    return {"difference": found.estimate, "low": found.estimate - half, "high": found.estimate + half}


def _more(about: dict[str, Any], count: int, still_open: int) -> int | None:
    """How many more hands or matches would settle an open comparison, all those that are open sharing the level."""
    if not about["z"] or not about["paired"]:
        return None
    wanted = student_quantile(about["degrees"], 1 - (1 - LEVEL) / still_open) + normal_quantile(2 * POWER - 1)
    return max(0, ceil(count * ((wanted / about["z"]) ** 2 - 1)))


def half_widths(name: str, sides: Sequence[Side], level: float) -> float | None:
    """Half the width of the widest interval of a statistic's differences; None where one of them has none."""
    found = [side.difference(name).half_width(level) for side in sides]
    known = [half for half in found if half is not None]
    return max(known) if len(known) == len(found) else None
