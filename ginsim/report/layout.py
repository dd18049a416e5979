"""What screens are laid out with: a page of a given width, grids that fit it or not, lines and running text."""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

INDENT = 2
NO_LIMIT = 1000
NO_BREAK = "\N{NO-BREAK SPACE}"
"""Holds together on one line what belongs together; a plain blank in the end."""


def page(width: int | None, *, terminal: bool) -> Console:
    """An empty page; None is as wide as need be, and a ``terminal`` shows colours."""
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


def text_of(console: Console) -> str:
    """All that stands on a page."""
    lines = console.file.getvalue().replace(NO_BREAK, " ").splitlines()  # type: ignore[attr-defined]
    return "".join(f"{' ' * INDENT}{line}".rstrip() + "\n" for line in lines)


def pieces(console: Console, parts: list[str], style: str = "") -> None:
    """Pieces that belong on one line, if they find room there; none is broken that fits on a line of its own."""
    whole = [part.replace(" ", NO_BREAK) if len(part) < console.width else part for part in parts]
    paragraph(console, f"{NO_BREAK}· ".join(whole), style)


def bare_grid(gap: int = 2) -> Table:
    """A table without lines."""
    from rich.table import Table

    return Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")


def fits(console: Console, table: Table) -> bool:
    """Whether a table can be printed without cutting anything."""
    from rich.measure import Measurement

    unlimited = console.options.update(width=NO_LIMIT)
    return Measurement.get(console, unlimited, table).maximum <= console.width


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
    """One line, however long."""
    from rich.text import Text

    console.print(Text(text, style), soft_wrap=True)
