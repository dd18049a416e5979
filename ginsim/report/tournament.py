"""The report of a tournament: who is how strong, and who beats whom, as a screen, JSON, CSV or Markdown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ginsim.report import figures, layout
from ginsim.report.contents import Document, shortened
from ginsim.report.files import escaped, markdown_table

if TYPE_CHECKING:
    from rich.table import Table

TOURNAMENT_SCHEMA = "ginsim.tournament/1"
CSV_COLUMNS = ("statistic", "player", "against", "n", "estimate", "low", "high")


def render_tournament(
    document: Mapping[str, Any],
    format: str = "table",
    *,
    width: int | None = None,
    terminal: bool = False,
    hints: Sequence[str] = (),
) -> str:
    """The report as text that ends in a line feed; arguments as of :func:`ginsim.report.render`."""
    match format:
        case "json":
            return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        case "csv":
            return _csv(document)
        case "markdown":
            return _markdown(document)
        case "table":
            return _screen(document, width, terminal, hints)
    raise ValueError(f"{format!r} is no format of a report")


@dataclass(frozen=True)
class _Figures:
    """A table of figures: ``title`` over the labels of its rows; None leaves a cell empty."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, tuple[figures.Figure | None, ...]], ...]


def _tables(document: Document) -> list[_Figures]:
    """Standings; then among two who beats whom and by how much, among three who wins how much of every three's matches."""
    players = document["players"]
    names = tuple(shortened(player["strategy"]) for player in players)
    standings = tuple(
        (
            name,
            (
                figures.rate(player["won"]),
                figures.mean(player["points_a_hand"]),
                figures.mean(player["rating"]["elo"], 1) if player["rating"] else figures.Figure(figures.NOTHING),
            ),
        )
        for name, player in zip(names, players, strict=True)
    )
    cells = {(cell["player"], cell["against"]): cell for cell in document["cross"]}

    def cross(title: str, figure: Any) -> _Figures:
        specs = [player["strategy"] for player in players]
        rows = tuple(
            (name, tuple(figure(cells[one, two]) if one != two else None for two in specs))
            for name, one in zip(names, specs, strict=True)
        )
        return _Figures(title, names, rows)

    tables = [_Figures("Standings", ("matches won", "points a hand", "rating (Elo points)"), standings)]
    if _seats(document) == 2:
        tables.append(cross("Matches won, row v column", lambda cell: figures.rate(cell["won"])))
        tables.append(cross("Points a hand, row v column", lambda cell: figures.mean(cell["points_a_hand"])))
        return tables
    tables.append(cross("Won by row of those that row or column won", lambda cell: figures.rate(cell["won"])))
    for meeting in document["meetings"] if len(document["meetings"]) > 1 else []:
        rows = tuple(
            (shortened(each["strategy"]), (figures.rate(each["won"]), figures.mean(each["points_a_hand"])))
            for each in meeting["players"]
        )
        tables.append(_Figures("These three", ("matches won", "points a hand"), rows))
    return tables


def _heading(document: Document) -> list[str]:
    meetings = len(document["meetings"])
    three = _seats(document) == 3
    kind = ("three" if three else "pairing") + "s" * (meetings != 1)
    return [
        f"{figures.count(meetings)} {kind}",
        f"{figures.count(document['pairs'])} {'times six' if three else 'pairs of'} matches each",
        f"{figures.count(document['matches'])} matches ({figures.count(document['hands'])} hands)",
        f"rules {document['rules']}",
        f"seed {document['seed']}",
        f"ginsim {document['ginsim']}",
        *([figures.duration(document["seconds"])] if document["seconds"] is not None else []),
    ]


def _notes(document: Document) -> list[str]:
    three = _seats(document) == 3
    level = f"{document['level'] * 100:g} %"
    pairs = figures.count(document["pairs"])
    same = f"the {pairs} times that all six seatings of every three played" if three else f"{pairs} pairs: every pairing plays"
    if three:
        notes = [f"In brackets: {level} intervals over {same} the same deals."]
        notes.append("Points a hand: own points minus the mean of the other two, over all hands, those sat out included.")
    else:
        notes = [f"In brackets: {level} intervals over {same} the same deals, each twice, with seats exchanged."]
        notes.append("Points a hand: own points minus the other's.")
    if document["without_winner"]:
        share = "a third of a win for each of the three" if three else "half a win for both"
        notes.append(f"{figures.count(document['without_winner'])} matches had no winner (level or too long) and count as {share}.")
    model = "Plackett-Luce, Bradley-Terry for three" if three else "Bradley-Terry"
    notes.append(f"Rating: {model}, in Elo points (400 are odds of ten to one), the mean of all rated players being 0.")
    without = [player["strategy"] for player in document["players"] if player["rating"] is None]
    if without:
        notes.append(f"No rating, for want of wins or losses against the others: {', '.join(without)}.")
    return notes


def _seats(document: Document) -> int:
    return len(document["meetings"][0]["players"])


def _screen(document: Document, width: int | None, terminal: bool, hints: Sequence[str]) -> str:
    console = layout.canvas(width, terminal)
    pieces = [piece.replace(" ", layout.NO_BREAK) for piece in _heading(document)]
    layout.paragraph(console, f"{layout.NO_BREAK}· ".join(pieces), "bold")
    for table in _tables(document):
        console.print()
        shapes = (_grid(table, tight=tight, stacked=stacked) for tight, stacked in ((False, False), (True, False), (True, True)))
        fitting = next((grid for grid in shapes if layout.fits(console, grid)), None)
        if fitting is not None:
            console.print(fitting)
            continue
        layout.line(console, table.title, "bold")
        for label, cells in table.rows:
            layout.paragraph(console, label)
            for heading, figure in zip(table.headings, cells, strict=True):
                if figure:
                    text = f"{figure.estimate} {figure.interval(tight=True)}".rstrip().replace(" ", layout.NO_BREAK)
                    layout.paragraph(console, f"{heading}: {text}", indent=2)
    console.print()
    for note in _notes(document):
        layout.paragraph(console, note, "italic")
    console.print()
    for hint in hints:
        layout.paragraph(console, hint)
    layout.line(console, f"Again:   {document['command']}")
    return layout.printed(console)


def _grid(table: _Figures, *, tight: bool, stacked: bool) -> Table:
    grid = layout.grid()
    labels = max(len(label) for label in (table.title, *(label for label, _ in table.rows)))
    grid.add_column(table.title, min_width=labels, no_wrap=True)
    for heading in table.headings:
        grid.add_column(heading, justify="right" if stacked else "left", no_wrap=True)
    widths = [
        (max(len(figure.estimate) for figure in column), max(len(figure.interval(tight=tight)) for figure in column))
        for column in ([figure for figure in cells if figure] for cells in zip(*(cells for _, cells in table.rows), strict=True))
    ]
    for label, cells in table.rows:
        texts = [layout.estimate(cell, *width, tight=tight, stacked=stacked) for cell, width in zip(cells, widths, strict=True)]
        grid.add_row(label, *texts)
    return grid


def _csv(document: Document) -> str:
    """A line for each number that has a name; cells of what is not known are empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    writer.writerows(_csv_rows(document))
    return text.getvalue()


def _csv_rows(document: Document) -> Iterator[tuple[object, ...]]:
    for name in ("pairs", "matches", "hands", "without_winner"):
        yield name, None, None, None, document[name], None, None
    for player in document["players"]:
        yield from _csv_record(player, player["strategy"], None)
        if player["rating"]:
            for name, values in (("rating_log_odds", player["rating"]["log_odds"]), ("rating_elo", player["rating"]["elo"])):
                yield name, player["strategy"], None, document["pairs"], values["mean"], values["low"], values["high"]
    for cell in document["cross"]:
        yield from _csv_record(cell, cell["player"], cell["against"])
    if _seats(document) == 3:
        for meeting in document["meetings"]:
            for each in meeting["players"]:
                others = " + ".join(other["strategy"] for other in meeting["players"] if other is not each)
                yield from _csv_record(each, each["strategy"], others)


def _csv_record(values: Mapping[str, Any], player: str, against: str | None) -> Iterator[tuple[object, ...]]:
    won, points = values["won"], values["points_a_hand"]
    yield "won", player, against, won["n"], won["estimate"], won["low"], won["high"]
    if points:
        yield "points_a_hand", player, against, points["n"], points["mean"], points["low"], points["high"]


def _markdown(document: Document) -> str:
    first, *rest = _heading(document)
    blocks = [" · ".join([f"**{escaped(first)}**", *map(escaped, rest)])]
    for table in _tables(document):
        rows = [[label, *(_joined(figure) for figure in cells)] for label, cells in table.rows]
        blocks.append(markdown_table([table.title, *table.headings], rows))
    blocks += map(escaped, _notes(document))
    blocks.append(f"Again:\n\n```sh\n{document['command']}\n```")
    return "\n\n".join(blocks) + "\n"


def _joined(figure: figures.Figure | None) -> str:
    return f"{figure.estimate} {figure.interval()}".rstrip() if figure else ""
