"""The knock chart as text: tables by draws and deadwood, and what they come to in words."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ginsim.report.figures import count, duration
from ginsim.report.files import markdown_table, to_json
from ginsim.report.layout import canvas, grid, line, paragraph, printed

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

Values = Mapping[str, Any]

CSV_COLUMNS = ("draws", "deadwood", "n", "value", "low", "high", "knocks", "verdict", "clear")

_STYLES = {"knock": "green", "play on": "red", "open": "dim", None: "dim"}
_TOO_FEW = "·"
_MOST_STRETCHES = 3


def knock_chart_text(document: Values, format: str, *, width: int | None = None, terminal: bool = False) -> str:
    """A knock chart as ``table``, ``json``, ``csv`` or ``markdown``; text that ends in a line feed.

    Args:
        document: from :func:`ginsim.knocking.knock_chart`.
        width: columns that a table may take; None for as many as it wants.
        terminal: whether a person looks at it: with colours.
    """
    match format:
        case "json":
            return to_json(document)
        case "csv":
            return _csv(document)
        case "markdown":
            return _markdown(document)
        case "table":
            return _screen(document, width, terminal)
    raise ValueError(f"{format!r} is none of table, json, csv, markdown")


# What stands there -------------------------------------------------------------------------------------------------------


def _heading(document: Values) -> list[str]:
    rules = [document["charts"][0]["rules"]] if len(document["charts"]) == 1 else []
    specs = list(dict.fromkeys(player["strategy"] for player in document["players"]))
    return [
        f"{count(document['hands'])} {'games' if document['scores'] else 'hands'}",
        *([f"from {document['scores'][0]}-{document['scores'][1]}"] if document["scores"] else []),
        *(f"rules {name}" for name in rules),
        " v ".join(player["strategy"] for player in document["players"]) if len(specs) > 1 else f"{specs[0]} v {specs[0]}",
        f"seed {document['seed']}",
        f"ginsim {document['ginsim']}",
        duration(document["seconds"]),
    ]


def _title(document: Values) -> str:
    if document["scores"]:
        own, other = document["scores"]
        return f"When to knock at {own} to {other}: knocking now less playing on, in games won per hundred"
    return "When to knock: knocking now less playing on, in net points of the hand"


def _notes(document: Values) -> list[str]:
    whose = "" if len(document["deciders"]) > 1 else f" The decisions are those of {document['deciders'][0]}."
    return [
        f"Value ± half its {document['level'] * 100:g} % interval. Plus: knocking is worth more; minus: playing on; ? open; {_TOO_FEW} fewer "
        f"than {count(document['least'])} decisions. Each interval is for its own cell: of many, some are clear by chance. The words are of cells that are clear with the level "
        "shared among all of them.",
        "Draws are the cards drawn by both so far, turn is the decider's own. Decisions are those that these players meet; the same deal "
        f"goes on both ways, with the discard that was chosen, and behind the decision they play by themselves.{whose}",
    ]


def _name(chart: Values) -> str:
    """What a chart is called among others."""
    return ", ".join(f"{name} {str(value).lower()}" for name, value in chart["vary"].items()) or f"rules {chart['rules']}"


def _grid(chart: Values, unit: str) -> tuple[list[int], list[int], dict[tuple[int, int], tuple[str, str | None]]]:
    """Draws down, deadwoods across, and of each cell that was met its text and its verdict."""
    cells = chart["cells"]
    valued = [cell["draws"] for cell in cells if cell["value"] is not None]
    rows = list(range(min(valued), max(valued) + 1)) if valued else []
    texts = {(cell["draws"], cell["deadwood"]): (_figure(cell, unit), cell["verdict"]) for cell in cells}
    return rows, list(range(chart["limit"] + 1)), texts


def _figure(cell: Values, unit: str) -> str:
    if cell["value"] is None:
        return _TOO_FEW
    scale = 100 if unit == "games" else 1
    half = scale * (cell["high"] - cell["low"]) / 2
    open_ = "?" if cell["verdict"] == "open" else ""
    return f"{scale * cell['value']:+.1f} ±{half:.1f}{open_}"


def _empty(document: Values) -> str:
    return f"No cell has {count(document['least'])} decisions: play more hands, or ask for fewer with --min."


def _turn(draws: int) -> int:
    """The own turn of whoever drew the last of so many cards: the two draw by turns."""
    return (draws + 1) // 2


def _words(stretches: Sequence[Values]) -> str:
    """What to do with one deadwood."""
    if not stretches:
        return "open"
    if len(stretches) == 1:
        first, last = stretches[0]["first"], stretches[0]["last"]
        return f"{stretches[0]['verdict']} " + (f"at draw {first}" if first == last else f"at draws {first} to {last}")
    if len(stretches) > _MOST_STRETCHES:
        return "now one, now the other: see the table"
    said = []
    for place, stretch in enumerate(stretches):
        first, last = (f"{draws} (turn {_turn(draws)})" for draws in (stretch["first"], stretch["last"]))
        if place == 0:
            when = f"up to draw {last}"
        elif place == len(stretches) - 1:
            when = f"from draw {first}"
        else:
            when = f"from draw {first} to {last}"
        said.append(f"{stretch['verdict']} {when}")
    return ", then ".join(said)


def _advice(charts: Sequence[Values]) -> list[tuple[str, tuple[str, ...]]]:
    """Deadwoods and, for each chart, what to do with them; neighbours of which the same is said stand together."""
    said = [{each["deadwood"]: _words(each["stretches"]) for each in chart["advice"]} for chart in charts]
    rows = [
        (deadwood, tuple(each.get(deadwood, "too few") for each in said))
        for deadwood in sorted({deadwood for each in said for deadwood in each})
    ]
    lines = []
    for texts, group in groupby(rows, key=lambda row: row[1]):
        deadwoods = [deadwood for deadwood, _ in group]
        ends = f"{deadwoods[0]}" if len(deadwoods) == 1 else f"{deadwoods[0]} to {deadwoods[-1]}"
        lines.append((f"with {ends}", texts))
    return lines


# The screen --------------------------------------------------------------------------------------------------------------


def _screen(document: Values, width: int | None, terminal: bool) -> str:
    console = canvas(width, terminal)
    line(console, _title(document), "bold")
    paragraph(console, " · ".join(_heading(document)))
    for chart in document["charts"]:
        console.print()
        name = f"{_name(chart)}: " if len(document["charts"]) > 1 else ""
        line(console, f"{name}{count(chart['decisions'])} decisions", "bold")
        for number, table in enumerate(_tables(document, chart, console.width)):
            if number:
                console.print()
            console.print(table)
    console.print()
    if any(chart["advice"] for chart in document["charts"]):
        console.print(_advice_grid(document["charts"]))
        console.print()
    for note in _notes(document):
        paragraph(console, note, "italic")
    console.print()
    line(console, f"Again:   {document['command']}")
    return printed(console)


def _tables(document: Values, chart: Values, room: int) -> Iterator[RenderableType]:
    """The chart, cut into tables of as many deadwoods as fit beside each other."""
    from rich.text import Text

    rows, deadwoods, texts = _grid(chart, document["unit"])
    if not rows:
        yield Text(_empty(document))
        return
    across = max(len(text) for text, _ in texts.values()) + 2
    several = max(1, (room - 12) // across)
    for start in range(0, len(deadwoods), several):
        table = grid()
        for name in ("draws", "turn"):
            table.add_column(name, justify="right", no_wrap=True)
        part = deadwoods[start : start + several]
        for deadwood in part:
            table.add_column("gin" if deadwood == 0 else f"{deadwood}", justify="right", no_wrap=True, min_width=across - 2)
        for draws in rows:
            table.add_row(f"{draws}", f"{_turn(draws)}", *(_styled(texts.get((draws, deadwood))) for deadwood in part))
        yield table


def _styled(cell: tuple[str, str | None] | None) -> Text:
    from rich.text import Text

    return Text("") if cell is None else Text(cell[0], _STYLES[cell[1]])


def _advice_grid(charts: Sequence[Values]) -> Table:
    table = grid()
    table.add_column("" if len(charts) > 1 else "In words", no_wrap=True)
    for chart in charts:
        table.add_column(_name(chart) if len(charts) > 1 else "", overflow="fold")
    for deadwoods, texts in _advice(charts):
        table.add_row(f"{deadwoods}:", *texts)
    return table


# Files -------------------------------------------------------------------------------------------------------------------


def _csv(document: Values) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    varied = list(document["charts"][0]["vary"])
    writer.writerow((*varied, *CSV_COLUMNS))
    for chart in document["charts"]:
        for cell in chart["cells"]:
            writer.writerow((*(str(chart["vary"][name]).lower() for name in varied), *(cell[name] for name in CSV_COLUMNS)))
    return text.getvalue()


def _markdown(document: Values) -> str:
    parts = [f"**{_title(document)}**", " · ".join(_heading(document))]
    charts = document["charts"]
    for chart in charts:
        rows, deadwoods, texts = _grid(chart, document["unit"])
        parts.append(f"**{_name(chart)}: {count(chart['decisions'])} decisions**")
        if not rows:
            parts.append(_empty(document))
            continue
        head = ["draws", "turn", *("gin" if deadwood == 0 else f"{deadwood}" for deadwood in deadwoods)]
        lines = [
            [f"{draws}", f"{_turn(draws)}", *(texts.get((draws, deadwood), ("", None))[0] for deadwood in deadwoods)]
            for draws in rows
        ]
        parts.append(markdown_table(head, lines))
    advice = _advice(charts)
    if advice:
        parts.append(markdown_table(["", *map(_name, charts)], [[name, *texts] for name, texts in advice]))
    parts += [*_notes(document), f"Again: `{document['command']}`"]
    return "\n\n".join(parts) + "\n"
