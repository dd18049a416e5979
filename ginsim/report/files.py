"""Reports for programs, spreadsheets and web pages."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator

from ginsim.report import figures
from ginsim.report.contents import Document, distribution_tables, heading, notes, rate_tables
from ginsim.report.split import split_heads, split_rows, split_title, to_split_csv

CSV_COLUMNS = ("statistic", "of", "count", "n", "estimate", "low", "high")


def to_json(document: Document) -> str:
    """The document itself."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def to_csv(document: Document) -> str:
    """One flat table, a line for each number that has a name; cells of what is not known are empty."""
    if "by" in document:
        return to_split_csv(document, CSV_COLUMNS, _csv_rows)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    writer.writerows(_csv_rows(document))
    return text.getvalue()


def _csv_rows(document: Document) -> Iterator[tuple[object, ...]]:
    for name in ("hands", "decided_hands", "matches", "pairs"):
        if document[name] is not None:
            yield name, None, document[name], None, None, None, None
    for name, values in document["rates"].items():
        yield (name, *(values[column] for column in CSV_COLUMNS[1:]))
    for name, values in document["distributions"].items():
        of, n = values["of"], values["n"]
        yield f"{name}_mean", of, None, n, values["mean"], values["low"], values["high"]
        others = {"sd": values["sd"], "min": values["min"]}
        others |= {f"q{percent}": value for percent, value in values["quantiles"].items()}
        for part, value in {**others, "max": values["max"]}.items():
            yield f"{name}_{part}", of, None, n, value, None, None


def to_markdown(document: Document) -> str:
    """Tables as GitHub shows them."""
    interval = f"{document['level'] * 100:g} % interval"
    first, *rest = heading(document)
    blocks = [" · ".join([f"**{escaped(first)}**", *map(escaped, rest)])]
    if "by" in document:
        heads = split_heads(document)
        head = [*heads[:3], *(cell for name in heads[3:] for cell in (name, interval))]
        rows = [[*first, *(cell for figure in cells for cell in _pair(figure))] for *first, cells in split_rows(document)]
        blocks += [escaped(split_title(document)), markdown_table(head, rows)]
        return "\n\n".join([*blocks, *_ending(document)]) + "\n"
    for table in rate_tables(document):
        head = [table.title, table.unit, *(cell for name in table.headings for cell in (name, interval))]
        rows = []
        for row in table.rows:
            cells = (figures.rate(rate) if rate else figures.Figure("") for rate in row.rates)
            pairs = (cell for figure in cells for cell in _pair(figure))
            rows.append([row.label, figures.count(row.number), *pairs])
        blocks.append(markdown_table(head, rows))
    percents = [f"{percent} %" for percent in document["distributions"]["draws"]["quantiles"]]
    for table in distribution_tables(document):
        head = [table.title, "n", "mean", interval, "sd", "min", *percents, "max"]
        rows = []
        for label, values in table.rows:
            points = (values["min"], *values["quantiles"].values(), values["max"])
            spread = [figures.deviation(values), *map(figures.count, points)]
            rows.append([label, figures.count(values["n"]), *_pair(figures.mean(values)), *spread])
        blocks.append(markdown_table(head, rows))
    return "\n\n".join([*blocks, *_ending(document)]) + "\n"


def _ending(document: Document) -> list[str]:
    return [*map(escaped, notes(document)), f"Again:\n\n```sh\n{document['command']}\n```"]


def _pair(figure: figures.Figure) -> tuple[str, str]:
    return figure.estimate, figure.interval() if figure.estimate else ""


def markdown_table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A table as GitHub shows it, its first column words and the others numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(escaped, line))} |" for line in lines)


def escaped(text: str) -> str:
    """Text that Markdown shows as it is. Blanks at the start show a line's rank in the table."""
    blanks = len(text) - len(text.lstrip(" "))
    for character in "\\|*_<`":
        text = text.replace(character, f"\\{character}")
    return "&nbsp;" * blanks + text[blanks:]
