"""What all pictures share: colours by role, sizes, and the few kinds of marks they are made of.

Every colour is one of :data:`COLOURS`, each with a role of its own, so that a page can give the roles other colours (in the dark,
on paper) by the value that stands in the drawing. Nothing is fetched and nothing is clipped: a drawing has no references at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ginsim.report import figures

if TYPE_CHECKING:
    import altair as alt

    Chart = alt.Chart | alt.LayerChart

COLOURS = {
    "paper": "#ffffff",
    "ink": "#1f2933",
    "muted": "#56616d",
    "grid": "#dde2e8",
    "knock": "#2f6fae",
    "undercut": "#c4511c",
    "gin": "#177f55",
    "big_gin": "#8d4fa8",
    "draw": "#75808c",
    "tie": "#96700a",
    "stopped": "#3d4650",
    "one": "#2e6eae",
    "two": "#c5521d",
    "three": "#187e54",
    "four": "#8c4ea7",
    **{f"less_{step}": colour for step, colour in enumerate(("#f7d9c4", "#efae86", "#bd5621", "#8f3d10"), 1)},
    "even": "#eef0f2",
    **{f"more_{step}": colour for step, colour in enumerate(("#d0e1f2", "#9cc2e4", "#3a78b5", "#1f5590"), 1)},
}
"""The colour of each role: paper and text, endings, series without a meaning of their own, and steps below and above even."""

SERIES = ("one", "two", "three", "four")
FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif"
"""Fonts of one and the same width: what was measured here fits there."""
WIDTH = 332
"""Of a picture with all that belongs to it, in pixels: a phone shows it whole."""
_LEGEND = ("less_3", "even", "more_3")
ROW = 34
HEIGHT = 190
MOST_BARS = 56


@dataclass(frozen=True)
class Picture:
    """A drawing, made when it is asked for, with its words: what it shows, what there is to see in it, and every number in it."""

    name: str
    title: str
    caption: str
    draw: Callable[[], Chart]
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Interval:
    """A figure with its interval in a row of its own, already as text too; ``colour`` is a role."""

    label: str
    estimate: float
    low: float | None
    high: float | None
    text: str
    colour: str = "one"


@dataclass(frozen=True)
class Cell:
    """A cell of a coloured table: its place, the role of its colour (:func:`step_of`), its number, and what is ``said`` of it."""

    across: Any
    down: Any
    step: str
    text: str
    said: str


def of_rate(label: str, values: Mapping[str, Any], colour: str = "one") -> Interval:
    """A rate in per cent, as a row of a chart."""
    figure = figures.rate(values)
    low, high = (None if values[key] is None else 100 * values[key] for key in ("low", "high"))
    return Interval(label, 100 * values["estimate"], low, high, f"{figure.estimate} {figure.interval()}".rstrip(), colour)


def of_mean(label: str, values: Mapping[str, Any], colour: str = "one") -> Interval:
    """A mean as a row of a chart."""
    figure = figures.mean(values)
    return Interval(
        label, values["mean"], values["low"], values["high"], f"{figure.estimate} {figure.interval()}".rstrip(), colour
    )


def bars(rows: Sequence[Interval]) -> Chart:
    """Horizontal bars from nothing on, what each says under its name, with the interval as a line on its end."""
    import altair as alt

    base = _base(rows)
    longest = max(row.estimate if row.high is None else row.high for row in rows)
    x = alt.X("estimate:Q", axis=None, scale=alt.Scale(domain=[0, longest or 1], nice=False))
    y = _rows(rows)
    bar = base.mark_bar(height=15).encode(x=x, y=y, color=_own_colour(), description="said:N")
    line = base.mark_rule(strokeWidth=1.5, color=COLOURS["ink"], aria=False).encode(x=alt.X("low:Q"), x2="high:Q", y=y)
    return alt.layer(bar, line).properties(height=ROW * len(rows))


def intervals(rows: Sequence[Interval], title: str, unit: str = " %", even: float | None = None) -> Chart:
    """A dot and a line for each row, what it says under the name of the row.

    Args:
        title: of the axis.
        unit: behind the numbers of the axis.
        even: where a line across shows that nobody has an edge.
    """
    import altair as alt

    base = _base(rows)
    shown = [value for row in rows for value in (row.estimate, row.low, row.high, even) if value is not None]
    beside = 0.06 * (max(shown) - min(shown)) or 1
    scale = alt.Scale(domain=[min(shown) - beside, max(shown) + beside], nice=False, zero=False)
    x = alt.X("estimate:Q", title=title, scale=scale, axis=_axis(unit, grid=True))
    y = _rows(rows)
    across = [] if even is None else [_line_at(even, dashed=True)]
    line = base.mark_rule(strokeWidth=2.5, aria=False).encode(x=alt.X("low:Q"), x2="high:Q", y=y, color=_own_colour())
    dot = base.mark_circle(size=80, opacity=1).encode(x=x, y=y, color=_own_colour(), description="said:N")
    return alt.layer(*across, line, dot).properties(height=ROW * len(rows))


def histogram(
    parts: Mapping[str, Mapping[str, int]], title: str, of: str, *, colours: Mapping[str, str], median: int | None = None
) -> Chart:
    """Stacked bars of how often each value came, in per cent of all.

    Args:
        parts: histograms by name, which together are all.
        title: of the values.
        of: what they are shares of.
        colours: the role of each name.
        median: is marked.
    """
    import altair as alt

    rows = binned(parts)
    base = chart_of(rows)
    x = alt.X("start:Q", title=title, scale=alt.Scale(nice=False, zero=False, padding=2), axis=_axis("", whole=True))
    tallest = max(row["top"] for row in rows)
    # Room for a word above the bars.
    y = alt.Y("base:Q", title=f"% of {of}", axis=_axis("", grid=True), scale=alt.Scale(domain=[0, 1.12 * tallest], nice=False))
    bar = base.mark_bar(stroke=COLOURS["paper"], strokeWidth=0.7).encode(
        x=x, x2="end:Q", y=y, y2="top:Q", color=_colour(colours), description="said:N"
    )
    layers = [bar]
    if median is not None:
        layers += _marked(median, f"median {median:,}")
    return alt.layer(*layers).properties(height=HEIGHT)


def binned(parts: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
    """Bars of histograms, each on those before it: ``start`` and ``end`` along the axis, ``base`` and ``top`` in per cent of all.

    With many values several share a bar: 2, 5, 10, …
    """
    counts = {name: {int(value): number for value, number in part.items()} for name, part in parts.items()}
    every = [value for part in counts.values() for value in part]
    n = sum(sum(part.values()) for part in counts.values())
    low, high, width = min(every), max(every), _width(every)
    rows = []
    below: dict[int, int] = {}
    for name, part in counts.items():
        for first in range(low // width * width, high + 1, width):
            number = sum(part.get(value, 0) for value in range(first, first + width))
            if not number:
                continue
            values = _values(first, width)
            rows.append(
                {
                    "series": name,
                    "values": values,
                    "count": number,
                    "start": first - 0.5,
                    "end": first + width - 0.5,
                    "base": 100 * below.get(first, 0) / n,
                    "top": 100 * (below.get(first, 0) + number) / n,
                    "said": f"{name}, {values}: {number:,}" if len(parts) > 1 else f"{values}: {number:,}",
                }
            )
            below[first] = below.get(first, 0) + number
    return rows


def curves(parts: Mapping[str, Mapping[str, int]], title: str, of: str) -> Chart:
    """How often each value came, in per cent, as a line for each of a few histograms; of many values several share a dot."""
    import altair as alt

    width = _width([int(value) for part in parts.values() for value in part])
    rows = []
    for name, part in parts.items():
        n = sum(part.values())
        values = [int(value) for value in part]
        for first in range(min(values) // width * width, max(values) + 1, width):
            number = sum(part.get(str(value), 0) for value in range(first, first + width))
            said = f"{name}, {_values(first, width)}: {number:,}"
            rows.append({"series": name, "value": first + (width - 1) / 2, "share": 100 * number / n, "said": said})
    colours = dict(zip(parts, SERIES, strict=False))
    base = chart_of(rows)
    x = alt.X("value:Q", title=title, axis=_axis("", whole=True), scale=alt.Scale(nice=False, zero=False, padding=4))
    y = alt.Y("share:Q", title=f"% of {of}", axis=_axis("", grid=True))
    line = base.mark_line(strokeWidth=2, aria=False).encode(x=x, y=y, color=_colour(colours))
    dot = base.mark_circle(size=22, opacity=1).encode(x=x, y=y, color=_colour(colours), description="said:N")
    return alt.layer(line, dot).properties(height=HEIGHT)


def heat(
    cells: Sequence[Cell],
    across: Sequence[Any],
    down: Sequence[Any],
    *,
    titles: tuple[str | None, str | None],
    words: tuple[str, str, str],
) -> Chart:
    """A coloured table: each cell has its number, and a colour by how far it is settled to be below or above even.

    Args:
        across, down: the places of the cells from left to right and from top to bottom.
        titles: of what is across and down; None where it speaks for itself.
        words: what the colours below, at and above even stand for.
    """
    import altair as alt

    rows = [{**vars(cell), "on": "paper" if cell.step[-1] in "34" else "ink"} for cell in cells]
    shown = [cell.step for cell in cells]
    steps = [role for role in COLOURS if role in shown or role in _LEGEND]
    scale = alt.Scale(domain=steps, range=[COLOURS[role] for role in steps])
    called = " : ".join(f"datum.value == '{role}' ? '{word}'" for role, word in zip(_LEGEND, words, strict=True))
    legend = alt.Legend(values=list(_LEGEND), labelExpr=f"{called} : ''", symbolType="square", columns=3)
    names = titles[0] is None
    x = alt.X(
        "across:O",
        scale=alt.Scale(domain=list(across)),
        title=titles[0],
        axis=alt.Axis(
            domain=False, ticks=False, labelAngle=-35 if names else 0, labelLimit=110, orient="bottom" if names else "top"
        ),
    )
    y = alt.Y(
        "down:O", scale=alt.Scale(domain=list(down)), title=titles[1], axis=alt.Axis(domain=False, ticks=False, labelLimit=110)
    )
    base = chart_of(rows)
    cell = base.mark_rect(stroke=COLOURS["paper"], strokeWidth=1).encode(
        x=x, y=y, color=alt.Color("step:N", scale=scale, legend=legend), description="said:N"
    )
    inks = alt.Scale(domain=["ink", "paper"], range=[COLOURS["ink"], COLOURS["paper"]])
    text = base.mark_text(fontSize=10, aria=False).encode(
        x=x, y=y, text="text:N", color=alt.Color("on:N", scale=inks, legend=None)
    )
    return alt.layer(cell, text).resolve_scale(color="independent").properties(height=max(19, 34 * names) * len(down))


def step_of(value: float, low: float | None, high: float | None, even: float, bounds: Sequence[float]) -> str:
    """The colour's role: even where the interval does not settle the side, else the deeper the further off.

    Args:
        bounds: distances from even at which the next of four steps begins.
    """
    if low is None or high is None or low <= even <= high:
        return "even"
    return f"{'more' if value > even else 'less'}_{1 + sum(abs(value - even) >= bound for bound in bounds)}"


def styled(chart: Any) -> dict[str, Any]:
    """The drawing as Vega-Lite, in this house's style, :data:`WIDTH` wide over all and on whatever is behind it."""
    import altair as alt

    chart = chart.properties(width=WIDTH, autosize=alt.AutoSizeParams(type="fit-x", contains="padding"))
    ink, muted, grid = (COLOURS[role] for role in ("ink", "muted", "grid"))
    return (
        chart.configure(font=FONT, background="transparent", padding=2)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=muted,
            titleColor=muted,
            domainColor=muted,
            tickColor=muted,
            gridColor=grid,
            labelFontSize=11,
            titleFontSize=11,
            titleFontWeight="normal",
            tickSize=4,
            labelLimit=230,
        )
        .configure_legend(labelColor=ink, titleColor=ink, labelFontSize=11, labelLimit=260, orient="top", title=None, offset=4)
        .configure_title(
            color=ink, subtitleColor=muted, anchor="start", fontSize=14, subtitleFontSize=11, subtitlePadding=4, offset=10
        )
        .to_dict()
    )


def chart_of(rows: Sequence[Mapping[str, Any]]) -> alt.Chart:
    """A chart of rows, without any mark yet."""
    import altair as alt
    import polars as pl

    # Altair copies everything but frames at every step.
    return alt.Chart(pl.DataFrame(rows))


def _base(rows: Sequence[Interval]) -> alt.Chart:
    values = []
    for row in rows:
        low, high = (row.estimate if bound is None else bound for bound in (row.low, row.high))
        said = {"said": f"{row.label}: {row.text}", "two_lines": _two_lines(row), "hex": COLOURS[row.colour]}
        values.append({"estimate": row.estimate, "low": low, "high": high, **said})
    return chart_of(values)


def _rows(rows: Sequence[Interval]) -> alt.Y:
    """A row for each, its name and what it says in two lines on the left."""
    import altair as alt

    lines = {
        "labelExpr": "split(datum.label, '\\n')",
        "labelLineHeight": 13,
        "labelColor": COLOURS["ink"],
        "labelPadding": 8,
        "labelOffset": -7,
    }
    axis = alt.Axis(domain=False, ticks=False, **lines)
    return alt.Y("two_lines:N", title=None, sort=list(map(_two_lines, rows)), axis=axis)


def _two_lines(row: Interval) -> str:
    return f"{row.label}\n{row.text}"


def _own_colour() -> Any:
    """What each row says itself."""
    import altair as alt

    return alt.Color("hex:N", scale=None)


def _colour(colours: Mapping[str, str]) -> Any:
    """By the series, with a legend where there are several."""
    import altair as alt

    if len(colours) == 1:
        return alt.value(*(COLOURS[role] for role in colours.values()))
    scale = alt.Scale(domain=list(colours), range=[COLOURS[role] for role in colours.values()])
    return alt.Color("series:N", scale=scale, legend=alt.Legend(columns=4, symbolType="square"))


def _axis(unit: str, *, grid: bool = False, whole: bool = False) -> alt.Axis:
    import altair as alt

    more: dict[str, Any] = {"labelExpr": f"datum.label + '{unit}'"} if unit else {}
    if whole:
        more |= {"tickMinStep": 1, "format": ",d"}
    return alt.Axis(grid=grid, tickCount=6, domain=not grid, ticks=not grid, **more)


def _line_at(place: float, *, dashed: bool) -> alt.Chart:
    line = chart_of([{"place": place}])
    dash = {"strokeDash": [4, 3]} if dashed else {}
    return line.mark_rule(color=COLOURS["muted"], strokeWidth=1, aria=False, **dash).encode(x="place:Q")


def _marked(place: int, text: str) -> list[alt.Chart]:
    import altair as alt

    words = chart_of([{"place": place, "text": text}])
    label = words.mark_text(align="left", dx=5, dy=5, color=COLOURS["ink"], fontSize=11, aria=False)
    return [_line_at(place, dashed=True), label.encode(x="place:Q", y=alt.value(0), text="text:N")]


def _width(values: Sequence[int]) -> int:
    """How many values share a bar: 1, 2, 5, 10, …, so that there are not too many."""
    spread = max(values) - min(values)
    return next(width for width in _widths() if spread // width < MOST_BARS)


def _values(first: int, width: int) -> str:
    return f"{first}" if width == 1 else f"{first} – {first + width - 1}"


def _widths() -> Iterator[int]:
    scale = 1
    while True:
        yield from (scale, 2 * scale, 5 * scale)
        scale *= 10
