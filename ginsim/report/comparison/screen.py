"""The comparison that a person looks at.

One table with a column a variant, where that fits; else one with the figures under each other; else a table a statistic with a line a
variant; and where even that is too wide, running text. No number is ever cut, and what is left out in one shape (the p-values) the
others have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ginsim.report import layout
from ginsim.report.comparison.contents import Cell, Document, Group, Row, groups, heading, key, names, notes
from ginsim.report.layout import NO_BREAK, canvas, fits, line, paragraph, pieces, printed

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

MOST_ACROSS = 6
"""More variants than this are easier to compare in lines than in columns."""


def to_screen(document: Document, *, width: int | None, terminal: bool) -> str:
    """The comparison as text, for a ``terminal`` with colours."""
    console = canvas(width, terminal)
    pieces(console, heading(document), "bold")
    for text in key(document):
        paragraph(console, text)
    console.print()
    _print(console, document)
    console.print()
    for note in notes(document):
        paragraph(console, note, "italic" if not note.startswith("Note:") else "yellow")
    console.print()
    line(console, f"Again:   {document['command']}")
    return printed(console)


def _print(console: Console, document: Document) -> None:
    found, titles = groups(document), names(document)
    if len(titles) <= MOST_ACROSS:
        for stacked in (False, True):
            grid = _across(found, titles, stacked=stacked)
            if fits(console, grid):
                console.print(grid)
                return
    plain = [each["name"] for each in document["variants"]]
    for group in found:
        paragraph(console, group.title, "bold")
        for row in group.rows:
            _print_down(console, row, plain, document["reference"])


def _across(found: Sequence[Group], titles: Sequence[str], *, stacked: bool) -> Table:
    """Statistics down, variants across: figures and differences side by side, or ``stacked``."""
    from rich.text import Text

    grid = layout.grid()
    grid.add_column("", no_wrap=True)
    columns = [_column([row.cells[place] for group in found for row in group.rows], stacked) for place in range(len(titles))]
    for title in titles:
        grid.add_column(title, no_wrap=True, justify="right" if stacked else "left")
    for group in found:
        grid.add_row(Text(group.title, "bold"))
        for row in group.rows:
            cells = [_cell(cell, widths, stacked, row.set_in) for cell, widths in zip(row.cells, columns, strict=True)]
            grid.add_row(Text(f"  {row.label}", "dim" if row.set_in else ""), *cells)
    return grid


def _column(cells: Sequence[Cell], stacked: bool) -> tuple[int, int, int]:
    """How wide a column's figures, differences and errors are."""
    return (
        max(len(cell.estimate) for cell in cells),
        max(len(cell.difference) for cell in cells),
        max(len(cell.half) for cell in cells),
    )


def _cell(cell: Cell, widths: tuple[int, int, int], stacked: bool, set_in: bool) -> Text:
    from rich.text import Text

    estimates, differences, halves = widths
    beside = cell.interval if not differences else f"{cell.difference:>{differences}}"
    error = f" {'±' + cell.half:<{halves + 1}}" if cell.half else " " * (halves + 2 if halves else 0)
    tail = error + (f" {cell.mark or ' '}" if differences else "")
    style = "bold" if cell.mark else "dim" if set_in or not differences else ""
    if stacked:
        below = cell.short if differences else cell.interval
        parts = ([cell.estimate] if not set_in else []) + ([below] if below else [])
        return Text("\n".join(parts), style="bold" if cell.mark else "")
    return Text.assemble(f"{cell.estimate:>{estimates}}  ", (f"{beside}{tail if differences else ''}", style))


def _print_down(console: Console, row: Row, titles: Sequence[str], reference: str) -> None:
    """A statistic, its variants in lines."""
    from rich.text import Text

    cells = list(zip(titles, row.cells, strict=True))
    if row.set_in:
        cells = [(title, cell) for title, cell in cells if cell.difference]
    for tight in (False, True):
        grid = layout.grid(gap=1 if tight else 2)
        grid.add_column(f"  {row.label}", no_wrap=True)
        for heading_ in ("",) if row.set_in else ("", "", "difference", "", "p"):
            grid.add_column(heading_, justify="right", no_wrap=True)
        for title, cell in cells:
            style = "bold" if cell.mark else ""
            if row.set_in:
                grid.add_row(f"      {title}", cell.short)
            else:
                half = f"±{cell.half}" if cell.half else ""
                beside = "reference" if title == reference else cell.difference
                texts = (cell.estimate, cell.interval, beside, f"{half} {cell.mark or ' '}", cell.p)
                grid.add_row(f"    {title}", *(Text(text, style) for text in texts))
        if fits(console, grid):
            console.print(grid)
            return
    line(console, f"  {row.label}")
    for title, cell in cells:
        about = [
            f"{cell.estimate} {cell.interval}".strip(),
            "reference" if title == reference and not row.set_in else cell.short,
            f"p {cell.p}" if cell.p and cell.p != cell.difference else "",
        ]
        text = ", ".join(part.replace(" ", NO_BREAK) for part in about if part)
        paragraph(console, f"{title}: {text}", indent=4)
