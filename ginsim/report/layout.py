"""What every report on a screen is laid out with: grids of columns, and running text beside them.

A grid has several shapes, from wide to narrow; :func:`fits` says whether one fits.
"""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING

from ginsim.report import figures

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

INDENT = 2
NO_LIMIT = 1000
NO_BREAK = "\N{NO-BREAK SPACE}"
"""Holds together on one line what belongs together; a plain blank in the end."""


def canvas(width: int | None, terminal: bool) -> Console:
    """What is printed on: ``width`` columns or as many as it wants, for a ``terminal`` with colours."""
    from rich.console import Console

    return Console(
        file=io.StringIO(),
        width=(width or NO_LIMIT) - INDENT,
        height=25,  # Without one a dumb terminal is taken to be 80 columns wide, whatever its width.
        force_terminal=terminal,
        # A notebook and an old Windows console would else get something other than text.
        force_jupyter=False,
        legacy_windows=False,
        highlight=False,
        emoji=False,
        markup=False,
    )


def printed(console: Console) -> str:
    """All that was printed, set in."""
    lines = console.file.getvalue().replace(NO_BREAK, " ").splitlines()  # type: ignore[attr-defined]
    return "".join(f"{' ' * INDENT}{line}".rstrip() + "\n" for line in lines)


def pieces(console: Console, parts: list[str], style: str = "") -> None:
    """Pieces that belong on one line, if they find room there; none is broken that fits on a line of its own."""
    whole = [part.replace(" ", NO_BREAK) if len(part) < console.width else part for part in parts]
    paragraph(console, f"{NO_BREAK}· ".join(whole), style)


def grid(gap: int = 2) -> Table:
    """An empty grid, its columns ``gap`` apart."""
    from rich.table import Table

    return Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")


def fits(console: Console, grid: Table) -> bool:
    """Whether a grid fits without a cut."""
    from rich.measure import Measurement

    unlimited = console.options.update(width=NO_LIMIT)
    return Measurement.get(console, unlimited, grid).maximum <= console.width


def paragraph(console: Console, text: str, style: str = "", indent: int = 0) -> None:
    """Running text, broken at plain blanks alone, what follows the first line set in."""
    lines = textwrap.wrap(
        text,
        max(console.width, indent + 1),
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 2 if indent else 0),
        break_long_words=False,
        break_on_hyphens=False,
    )
    for each in lines:
        line(console, each, style)


def line(console: Console, text: str, style: str = "") -> None:
    """A line, as long as it is."""
    from rich.text import Text

    console.print(Text(text, style), soft_wrap=True)


def estimate(figure: figures.Figure | None, estimates: int, intervals: int, *, tight: bool, stacked: bool) -> Text:
    """An estimate with its interval beside or under it, in columns of the given widths."""
    from rich.text import Text

    if figure is None:
        return Text("")
    interval = figure.interval(tight=tight)
    if stacked:
        return Text.assemble(f"{figure.estimate}\n", (interval, "dim"))
    return Text.assemble(f"{figure.estimate:>{estimates}}  ", (f"{interval:>{intervals}}", "dim"))
