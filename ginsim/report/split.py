"""The report of hands split by a column: a line for each value, with the figures that most people look for."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ginsim.records import ENDINGS
from ginsim.report import figures
from ginsim.report.contents import ALWAYS_SHOWN, ENDING_LABELS, Document, Values
from ginsim.report.layout import grid

if TYPE_CHECKING:
    from rich.table import Table

NOTHING = "none"
ALL = "all"


def split_heads(document: Document) -> list[str]:
    """The headings of the table: the column, how many hands, and what stands in :func:`split_rows`."""
    return [document["by"]["column"], "hands", "of all", *(label for label, _, _ in _columns(document))]


def split_rows(document: Document) -> Iterator[tuple[str, str, str, list[figures.Figure]]]:
    """All selected hands, then each value: what it is called, how many hands, their share, and the figures."""
    total = document["hands"]
    named = [(ALL, document), *((value_name(document, group["value"]), group) for group in document["by"]["groups"])]
    for name, values in named:
        share = f"{100 * values['hands'] / total:.2f} %" if total else figures.NOTHING
        cells = [
            figures.rate(values["rates"][key]) if kind == "rates" else figures.mean(values["distributions"][key])
            for _, kind, key in _columns(document)
        ]
        yield name, figures.count(values["hands"]), share, cells


def value_name(document: Document, value: Any) -> str:
    """What a group is called: its value, of a bin its ends."""
    width = document["by"]["width"]
    if value is None:
        return NOTHING
    return f"{value} – {value + width - 1}" if width else f"{value}"


def split_title(document: Document) -> str:
    """What the groups are."""
    by = document["by"]
    bins = f", {by['width']} values a line" if by["width"] else ""
    return f"By {by['column']}{bins}"


def _columns(document: Document) -> list[tuple[str, str, str]]:
    """Label, kind and name of each figure."""
    rates = document["rates"]
    endings = [name for name in ENDINGS if name in ALWAYS_SHOWN or rates[f"{name}_rate"]["count"]]
    return [
        *((ENDING_LABELS[name], "rates", f"{name}_rate") for name in endings),
        ("first player (of decided)", "rates", "first_player_share"),
        ("draws of cards", "distributions", "draws"),
        ("winner's points", "distributions", "points"),
    ]


def to_split_csv(document: Document, columns: Sequence[str], rows: Callable[[Values], Iterable[tuple[object, ...]]]) -> str:
    """One flat table: that of a report for all hands and for each group, with the group's value in front.

    Args:
        columns: the names of what ``rows`` yields.
        rows: gives the lines of a summary.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((document["by"]["column"], *columns))
    for name, values in [(ALL, document), *((group["value"], group) for group in document["by"]["groups"])]:
        writer.writerows((NOTHING if name is None else name, *row) for row in rows(values))
    return text.getvalue()


def split_grids(document: Document, room: int) -> Iterator[Table]:
    """The table, cut into as many as it takes to fit, each with the values in front."""
    from rich.text import Text

    heads = split_heads(document)
    rows = list(split_rows(document))
    cells = [[(figure.estimate, figure.interval(tight=True)) for figure in figures_] for *_, figures_ in rows]
    front = sum(max(len(head), *(len(row[place]) for row in rows)) + 2 for place, head in enumerate(heads[:3]))
    widths = []
    for place, head in enumerate(heads[3:]):
        estimate, interval = (max(len(row[place][part]) for row in cells) for part in (0, 1))
        widths.append((estimate, interval, max(len(head), estimate + 1 + interval) + 2))
    start = 0
    while start < len(widths):
        end = start + 1
        while end < len(widths) and front + sum(width for _, _, width in widths[start : end + 1]) <= room:
            end += 1
        table = grid()
        for place, head in enumerate(heads[:3]):
            table.add_column(head, justify="right" if place else "left", no_wrap=True)
        for head in heads[3 + start : 3 + end]:
            table.add_column(head, no_wrap=True)
        for (*first, _), found in zip(rows, cells, strict=True):
            texts = [
                Text.assemble(f"{estimate:>{wide}} ", (f"{interval:>{across}}", "dim"))
                for (estimate, interval), (wide, across, _) in zip(found[start:end], widths[start:end], strict=True)
            ]
            table.add_row(*first, *texts)
        yield table
        start = end

