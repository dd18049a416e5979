"""Pictures of the deadwood of every hand there is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ginsim.charts import drawing
from ginsim.charts.drawing import COLOURS, HEIGHT, Picture
from ginsim.report import figures
from ginsim.report.figures import count

if TYPE_CHECKING:
    from ginsim.charts.drawing import Chart

Document = Mapping[str, Any]


def heading(document: Document) -> tuple[str, list[str]]:
    """Which hands were counted."""
    kind = "eleven cards, each with its best discard" if document["cards"] == 11 else "ten cards"
    return f"The deadwood of all {count(document['total'])} hands of {kind}", ["Counted one by one: there is no error of chance."]


def pictures(document: Document) -> list[Picture]:
    """All deadwoods, and how rare it is to have no more than a few points."""
    return [_all(document), _low(document)]


def _all(document: Document) -> Picture:
    counts = {str(row["deadwood"]): row["hands"] for row in document["counts"]}
    low, half, high = (document["quantiles"][percent] for percent in ("5", "50", "95"))
    caption = (
        f"Half of all hands have {half} points of deadwood or less, nine in ten {low} to {high}; "
        f"the mean is {document['mean']:.2f}, the most {document['max']}."
    )
    axis = "deadwood" if document["cards"] == 10 else "deadwood after the best discard"
    chart = partial(drawing.histogram, {axis: counts}, axis, "all hands", colours={axis: "one"}, median=half)
    lines = tuple(
        (row["values"], count(row["count"]), _share(row["count"] / document["total"])) for row in drawing.binned({axis: counts})
    )
    return Picture("deadwood", "Deadwood", caption, chart, ("deadwood", "hands", "share"), lines)


def _low(document: Document) -> Picture:
    limit = document["knock_limit"]
    shown = [row for row in document["counts"] if row["deadwood"] <= 10 and row["cumulative"]]
    gin, knockable = document["gin"], document["knockable"]
    when = "after the best discard" if document["cards"] == 11 else "as dealt"
    caption = (
        f"Gin {when} comes once in {gin['one_in']:,.0f} hands, one that may knock with {limit} or less once in "
        f"{knockable['one_in']:,.0f}. Each line across is ten times as rare as the one before it."
    )
    lines = tuple((str(row["deadwood"]), count(row["cumulative"]), f"{row['cumulative_one_in']:,.2f}") for row in shown)
    return Picture(
        "rarity", "How rare a good hand is", caption, partial(_rarities, shown, limit), ("at most", "hands", "one in"), lines
    )


def _rarities(counts: list[Mapping[str, Any]], limit: int) -> Chart:
    """One in how many hands has at most so much: each step to the right is ten times as rare."""
    import altair as alt

    rows = [
        {
            "deadwood": row["deadwood"],
            "one_in": row["cumulative_one_in"],
            "text": f"1 in {row['cumulative_one_in']:,.0f}",
            "said": f"at most {row['deadwood']}: 1 in {row['cumulative_one_in']:,.0f}",
            "hex": COLOURS["one" if row["deadwood"] <= limit else "draw"],
        }
        for row in counts
    ]
    most = max(row["one_in"] for row in rows)
    least = min(row["one_in"] for row in rows)
    base = drawing.chart_of(rows)
    # Room for the words to the right of the rarest.
    scale = alt.Scale(type="log", domain=[max(least / 3, 1), most * (most / least) ** 0.6], nice=False)
    axis = alt.Axis(
        values=[10**power for power in range(7) if 10**power <= most], format=",d", grid=True, domain=False, ticks=False
    )
    x = alt.X("one_in:Q", title="one hand in …", scale=scale, axis=axis)
    y = alt.Y("deadwood:O", title="deadwood at most", axis=alt.Axis(domain=False, ticks=False, labelAngle=0))
    dot = base.mark_circle(size=70, opacity=1).encode(x=x, y=y, color=alt.Color("hex:N", scale=None), description="said:N")
    text = base.mark_text(align="left", dx=8, color=COLOURS["ink"], aria=False).encode(x=x, y=y, text="text:N")
    return (dot + text).properties(height=HEIGHT)


def _share(share: float) -> str:
    return figures.rate({"estimate": share, "low": None, "high": None}).estimate
