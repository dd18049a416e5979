"""Pictures of a comparison: for each statistic, how far every variant is from the reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ginsim.charts import drawing
from ginsim.charts.drawing import Interval, Picture
from ginsim.report import figures
from ginsim.report.comparison.contents import LABELS
from ginsim.report.figures import count, p_value

Document = Mapping[str, Any]
Values = Mapping[str, Any]

TITLES = {name: label.capitalize() for name, label in LABELS.items() if name != "dealer_share"} | {"match_hands": "Hands in a match"}
"""What has a picture: each question once, so not the dealer's share beside the first player's."""
FIRST = ("gin_rate", "undercut_rate", "draw_rate", "points", "match_won_a_share")
"""What people ask first."""


def heading(document: Document) -> tuple[str, list[str]]:
    """What was compared, and the command that repeats it."""
    variants = document["variants"]
    title = f"{' / '.join(document['factors'])}: {len(variants)} variants"
    played = f"{count(document['count'])} {document['unit']} each · against {document['reference']} · seed {document['seed']}"
    return title, [f"{played} · ginsim {document['ginsim']}", document["command"]]


def pictures(document: Document) -> list[Picture]:
    """The differences of every statistic that could differ, those first that people ask for first."""
    statistics = sorted(
        document["statistics"], key=lambda each: FIRST.index(each["name"]) if each["name"] in FIRST else len(FIRST)
    )
    return [picture for statistic in statistics if statistic["name"] in TITLES for picture in _differences(statistic, document)]


def _differences(statistic: Values, document: Document) -> Iterator[Picture]:
    found = [each for each in statistic["differences"] if not each["same_by_construction"] and each["difference"] is not None]
    if not found:
        return
    estimates = {each["variant"]: each for each in statistic["variants"]}
    rate = statistic["kind"] == "rate"
    scale, unit = (100, " pp") if rate else (1, "")
    rows = []
    for each in found:
        low, high = (None if each[key] is None else scale * each[key] for key in ("low", "high"))
        colour = "draw" if not each["differs"] else "one" if each["difference"] > 0 else "two"
        rows.append(Interval(each["variant"], scale * each["difference"], low, high, signed(each, rate), colour))
    reference = _figure(estimates[document["reference"]], rate)
    settled = [row for row, each in zip(rows, found, strict=True) if each["differs"]]
    if settled:
        far = max(settled, key=lambda row: abs(row.estimate))
        differ = f"{count(len(settled))} of {count(len(rows))} differ" + (
            "; grey ones are open" if len(settled) < len(rows) else ""
        )
        seen = f"{far.label} is furthest from it, {far.text}. {differ}."
    else:
        seen = "No variant is shown to differ from it."
    caption = f"{document['reference']}, the reference: {reference} {'of' if rate else 'over'} {statistic['of']}. {seen}"
    lines = [(document["reference"], count(estimates[document["reference"]]["n"]), reference, "", "", "")]
    for row, each in zip(rows, found, strict=True):
        own = estimates[each["variant"]]
        lines.append((row.label, count(own["n"]), _figure(own, rate), row.text, p_value(each["p_adjusted"]), "yes" if each["differs"] else "open"))
    head = ("", "n", "estimate", f"difference, ± {100 * document['level']:g} % interval", "p, adjusted", "differs")
    draw = partial(drawing.intervals, rows, f"difference from {document['reference']}", unit=unit, even=0)
    yield Picture(statistic["name"], TITLES[statistic["name"]], caption, draw, head, tuple(lines))


def _figure(values: Values, rate: bool) -> str:
    if values["estimate"] is None:
        return figures.NOTHING
    figure = figures.rate(values) if rate else figures.mean({**values, "mean": values["estimate"]})
    return f"{figure.estimate} {figure.interval()}".rstrip()


def signed(difference: Values, rate: bool) -> str:
    """``+0.41 pp ± 0.10``, with two decimals, or as many as the error has two digits of."""
    scale, unit = (100, " pp") if rate else (1, "")
    if difference["low"] is None:
        return f"{scale * difference['difference']:+.2f}{unit}"
    half = scale * (difference["high"] - difference["low"]) / 2
    decimals = next((some for some in range(2, 8) if half >= 0.95 * 10 ** (1 - some)), 2)
    return f"{scale * difference['difference']:+.{decimals}f}{unit} ± {half:.{decimals}f}"
