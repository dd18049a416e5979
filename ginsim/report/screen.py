"""The report that a person looks at.

Tables have several shapes, from wide to narrow. The first that fits is taken: a narrow terminal stacks what a wide one sets side by
side, and no number is ever cut or left out. The last shape is running text, which fits anywhere.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ginsim.report import figures, layout
from ginsim.report.contents import (
    DistributionTable,
    Document,
    RateTable,
    Values,
    distribution_tables,
    heading,
    notes,
    rate_tables,
)
from ginsim.report.layout import NO_BREAK, canvas, estimate, fits, line, paragraph, printed
from ginsim.report.split import split_grids, split_title

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def to_screen(document: Document, *, width: int | None, terminal: bool, hints: Sequence[str]) -> str:
    """The report as text, for a ``terminal`` with colours and sparklines."""
    console = canvas(width, terminal)
    pieces = [piece.replace(" ", NO_BREAK) if len(piece) < console.width else piece for piece in heading(document)]
    paragraph(console, f"{NO_BREAK}· ".join(pieces), "bold")
    console.print()
    if "by" in document:
        _print_split(console, document)
    else:
        _print_whole(console, document, sparklines=terminal)
    console.print()
    for hint in hints:
        paragraph(console, hint)
    # Never broken into lines: it is there to be copied.
    line(console, f"Again:   {document['command']}")
    return printed(console)


def _print_whole(console: Console, document: Document, *, sparklines: bool) -> None:
    endings, *others = rate_tables(document)
    _print_rates(console, [endings], bars=sparklines)
    for note in notes(document):
        paragraph(console, note, "italic")
    console.print()
    _print_rates(console, others)
    console.print()
    _print_distributions(console, distribution_tables(document), sparklines=sparklines)


def _print_split(console: Console, document: Document) -> None:
    line(console, split_title(document), "bold")
    for grid in split_grids(document, console.width):
        console.print(grid)
        console.print()
    for note in notes(document):
        paragraph(console, note, "italic")


def _print_rates(console: Console, tables: Sequence[RateTable], *, bars: bool = False) -> None:
    """Prints tables under each other, in common columns where those fit, else each as well as it can; ``bars`` where they fit."""
    labels = max(len(label) for table in tables for label in (table.title, *(row.label for row in table.rows)))
    numbers = max(len(figures.count(row.number)) for table in tables for row in table.rows)
    for barred, tight in [(True, False), (True, True)] * bars + [(False, False), (False, True)]:
        grids = [_rate_grid(table, tight=tight, bars=barred, labels=labels, numbers=numbers) for table in tables]
        if all(fits(console, grid) for grid in grids):
            for grid in grids:
                console.print(grid)
            return
    for table in tables:
        _print_narrow(console, table)


def _print_narrow(console: Console, table: RateTable) -> None:
    parts = _parts(table)
    shapes = [_rate_grid(table, tight=True), _rate_grid(table, tight=True, wrapped=True)]
    if len(parts) == 1:
        shapes.append(_rate_grid(table, tight=True, wrapped=True, stacked=True))
    for grid in shapes:
        if fits(console, grid):
            console.print(grid)
            return
    if len(parts) > 1:
        for part in parts:
            _print_narrow(console, part)
        return
    line(console, table.title, "bold")
    for row in table.rows:
        paragraph(console, f"{row.label.strip()}: {figures.count(row.number)} {table.unit}")
        for name, rate in zip(table.headings, row.rates, strict=True):
            if rate:
                figure = figures.rate(rate)
                pair = f"{figure.estimate} {figure.interval(tight=True)}".rstrip()
                paragraph(console, f"{pair.replace(' ', NO_BREAK)} {name}", indent=2)


def _parts(table: RateTable) -> list[RateTable]:
    """The table without the headings that hold for single rows, and these as tables of their own."""
    columns = list(zip(*(row.rates for row in table.rows), strict=True))
    single = [place for place, column in enumerate(columns) if sum(map(bool, column)) == 1 < len(table.rows)]
    common = [place for place in range(len(columns)) if place not in single]

    def part(places: Sequence[int]) -> RateTable:
        rows = [replace(row, rates=tuple(row.rates[place] for place in places)) for row in table.rows]
        headings = tuple(table.headings[place] for place in places)
        return replace(table, headings=headings, rows=tuple(row for row in rows if any(row.rates)))

    return [part(common), *(part([place]) for place in single)]


def _rate_grid(
    table: RateTable,
    *,
    tight: bool,
    wrapped: bool = False,
    stacked: bool = False,
    bars: bool = False,
    labels: int = 0,
    numbers: int = 0,
) -> Table:
    """A table as a grid: intervals ``tight``, headings ``wrapped`` to the width of their figures, intervals ``stacked`` under
    them, ``bars`` of the first rates; ``labels`` and ``numbers`` are the least widths of the first two columns.
    """
    from rich.text import Text

    cells = [[figures.rate(rate) if rate else None for rate in row.rates] for row in table.rows]
    every = [figure for row in cells for figure in row if figure]
    widths = max(len(figure.estimate) for figure in every), max(len(figure.interval(tight=tight)) for figure in every)
    across = max(widths) if stacked else sum(widths) + 2
    grid = layout.grid()
    grid.add_column(table.title, min_width=labels, no_wrap=True)
    grid.add_column(table.unit, min_width=numbers, justify="right", no_wrap=True)
    if bars:
        grid.add_column("", no_wrap=True)
    for name in table.headings:
        title = "\n".join(textwrap.wrap(name, across, break_long_words=False)) if wrapped else name
        grid.add_column(title, justify="right" if stacked else "left", no_wrap=True)
    for row, found in zip(table.rows, cells, strict=True):
        texts = [estimate(figure, *widths, tight=tight, stacked=stacked) for figure in found]
        first = row.rates[0]
        bar = [Text(figures.bar(first["estimate"]) if first else "", "cyan")] if bars else []
        grid.add_row(row.label, figures.count(row.number), *bar, *texts)
    return grid


def _print_distributions(console: Console, tables: Sequence[DistributionTable], *, sparklines: bool) -> None:
    shapes = [(False, False, True), (True, False, True)] if sparklines else []
    shapes += [(False, False, False), (True, False, False), (True, True, False)]
    for tight, stacked, bars in shapes:
        grid = _distribution_grid(tables, tight=tight, stacked=stacked, bars=bars)
        if fits(console, grid):
            console.print(grid)
            return
    for table in tables:
        line(console, table.title, "bold")
        for label, values in table.rows:
            line(console, label)
            mean = figures.mean(values)
            parts = [f"n {figures.count(values['n'])}", f"mean {mean.estimate} {mean.interval(tight=True)}".rstrip()]
            parts += [f"{name} {figure}" for name, figure in _spread(values)]
            paragraph(console, ", ".join(part.replace(" ", NO_BREAK) for part in parts), indent=2)


def _distribution_grid(tables: Sequence[DistributionTable], *, tight: bool, stacked: bool, bars: bool) -> Table:
    from rich.text import Text

    every = [values for table in tables for _, values in table.rows]
    means = [figures.mean(values) for values in every]
    widths = max(len(mean.estimate) for mean in means), max(len(mean.interval(tight=tight)) for mean in means)
    grid = layout.grid(gap=1 if tight else 2)
    grid.add_column(tables[0].title, no_wrap=True)
    names = [name for name, _ in _spread(every[0])]
    for name in ("mean", *names) if stacked else ("n", "mean", *names):
        grid.add_column(name, justify="left" if name == "mean" and not stacked else "right", no_wrap=True)
    if bars:
        grid.add_column("", no_wrap=True)
    for table in tables:
        if table is not tables[0]:
            grid.add_row(Text(table.title, "bold"))
        for label, values in table.rows:
            n = figures.count(values["n"])
            blanks = " " * (len(label) - len(label.lstrip()))
            first = [Text(f"{label}\n{blanks}") + Text(f"n {n}", "dim")] if stacked else [label, n]
            mean = estimate(figures.mean(values), *widths, tight=tight, stacked=stacked)
            shape = [Text(figures.sparkline(values["histogram"]), "cyan")] if bars else []
            grid.add_row(*first, mean, *(figure for _, figure in _spread(values)), *shape)
    return grid


def _spread(values: Values) -> Iterator[tuple[str, str]]:
    """Names and figures of how values are spread."""
    yield "sd", figures.deviation(values)
    yield "min", figures.count(values["min"])
    for percent, value in values["quantiles"].items():
        yield f"{percent} %", figures.count(value)
    yield "max", figures.count(values["max"])
