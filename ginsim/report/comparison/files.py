"""Comparisons for spreadsheets and web pages."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from ginsim.report.comparison.contents import Cell, Document, groups, heading, key, names, notes
from ginsim.report.files import escaped, markdown_table

CSV_COLUMNS = (
    *("statistic", "of", "variant", "n", "count", "estimate", "low", "high"),
    *("reference", "difference", "difference_low", "difference_high", "p", "p_adjusted", "differs", "more", "paired"),
    *("price_difference", "price_low", "price_high", "adapting_difference", "adapting_low", "adapting_high"),
)


def to_csv(document: Document) -> str:
    """One flat table, a line for each statistic of each variant; cells of what is not known are empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_csv_rows(document))
    return text.getvalue()


def _csv_rows(document: Document) -> Iterator[dict[str, object]]:
    for statistic in document["statistics"]:
        differences = {each["variant"]: each for each in statistic["differences"]}
        for each in statistic["variants"]:
            row = {"statistic": statistic["name"], "of": statistic["of"], "reference": document["reference"]}
            row |= {name: each[name] for name in ("variant", "n", "count", "estimate", "low", "high")}
            about = differences.get(each["variant"])
            if about:
                row |= {name: about[name] for name in ("difference", "p", "p_adjusted", "differs", "more", "paired")}
                row |= {"difference_low": about["low"], "difference_high": about["high"]}
                for part, values in (about["parts"] or {}).items():
                    row |= {f"{part}_{name}": values[name] for name in ("difference", "low", "high")}
            yield row


def to_markdown(document: Document) -> str:
    """A table for each kind of statistic, as GitHub shows them."""
    first, *rest = heading(document)
    blocks = [" · ".join([f"**{escaped(first)}**", *map(escaped, rest)]), *map(escaped, key(document))]
    for group in groups(document):
        head = [group.title, *names(document)]
        rows = [[row.label, *(_cell(cell) for cell in row.cells)] for row in group.rows]
        blocks.append(markdown_table(head, rows))
    blocks += map(escaped, notes(document))
    blocks.append(f"Again:\n\n```sh\n{document['command']}\n```")
    return "\n\n".join(blocks) + "\n"


def _cell(cell: Cell) -> str:
    if not cell.difference:
        return f"{cell.estimate} {cell.interval}".strip()
    return " ".join(filter(None, (f"{cell.estimate},".removeprefix(",") if cell.estimate else "", cell.short)))
