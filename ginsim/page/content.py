"""What stands on a page: headings, tables with their exact numbers, what was played, and the command that repeats it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginsim.errors import UsageError
from ginsim.report import figures
from ginsim.report.contents import (
    ALWAYS_SHOWN,
    ENDING_LABELS,
    DistributionTable,
    RateTable,
    distribution_tables,
    heading,
    notes,
    rate_tables,
)
from ginsim.rules import FIELDS

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Number:
    """A number as text, and exactly."""

    text: str
    value: float | None


@dataclass(frozen=True)
class Cell:
    """A number with its interval, if it has one; or words alone."""

    number: Number
    low: Number | None = None
    high: Number | None = None


@dataclass(frozen=True)
class Line:
    """A line of a table: its name, how far it is set in, and its cells; None leaves one empty."""

    label: str
    indent: bool
    cells: tuple[Cell | None, ...]
    shape: str = ""


@dataclass(frozen=True)
class Table:
    """A table. ``shapes``: whether its lines end with a small picture of a distribution."""

    title: str
    head: tuple[str, ...]
    lines: tuple[Line, ...]
    shapes: bool = False


@dataclass(frozen=True)
class Tile:
    """One of the few numbers that one looks for first."""

    label: str
    cell: Cell
    of: str


@dataclass(frozen=True)
class Content:
    """All words and numbers of a page."""

    title: str
    lines: tuple[str, ...]
    tiles: tuple[Tile, ...]
    notes: tuple[str, ...]
    tables: tuple[Table, ...]
    facts: tuple[tuple[str, str], ...]
    players: tuple[tuple[str, ...], ...]
    rules: tuple[tuple[str, str, str, str], ...]
    command: str


def content_of(document: Document) -> Content:
    """The words and numbers of a report's page.

    Raises:
        UsageError: there is no page of such a document.
    """
    if not str(document.get("schema")).startswith("ginsim.report/"):
        raise UsageError(f"there is no page of a document {document.get('schema')!r}.")
    first, *rest = heading(document)
    plan = document["plan"]
    return Content(
        title=f"{document['rules']}: {' v '.join(player['strategy'] for player in document['players'])}",
        lines=(first, *(piece for piece in rest if piece.startswith(("seed", "given", "ginsim")))),
        tiles=tuple(_tiles(document)),
        notes=tuple(notes(document)),
        tables=(*map(_rates, rate_tables(document)), *map(_distributions, distribution_tables(document))),
        facts=tuple(_facts(document)),
        players=tuple(
            (player["seat"], player["strategy"], player["describes"], str(planned["version"]), _settings(planned["parameters"]))
            for player, planned in zip(document["players"], plan["players"], strict=True)
        ),
        rules=tuple(
            (name, "false" if value is None else str(value).lower(), FIELDS[name].meaning, FIELDS[name].rule)
            for name, value in plan["rules"].items()
        ),
        command=document["command"],
    )


def _tiles(document: Document) -> Iterator[Tile]:
    for name in ALWAYS_SHOWN:
        values = document["rates"][f"{name}_rate"]
        yield Tile(ENDING_LABELS[name], _rate(values), f"{figures.count(values['count'])} of {figures.count(values['n'])} hands")


def _rates(table: RateTable) -> Table:
    lines = [
        Line(
            row.label.strip(),
            row.label.startswith(" "),
            (_count(row.number), *(_rate(rate) if rate else None for rate in row.rates)),
        )
        for row in table.rows
    ]
    return Table(table.title, (table.unit, *table.headings), tuple(lines))


def _distributions(table: DistributionTable) -> Table:
    percents = [f"{percent} %" for percent in table.rows[0][1]["quantiles"]]
    lines = []
    for label, values in table.rows:
        mean = figures.mean(values)
        cells = (
            _count(values["n"]),
            Cell(
                *(
                    Number(getattr(mean, part), values[key])
                    for part, key in (("estimate", "mean"), ("low", "low"), ("high", "high"))
                )
            ),
            Cell(Number(figures.deviation(values), values["sd"])),
            *map(_count, (values["min"], *values["quantiles"].values(), values["max"])),
        )
        lines.append(Line(label.strip(), label.startswith(" "), cells, figures.sparkline(values["histogram"])))
    return Table(table.title, ("n", "mean", "sd", "min", *percents, "max"), tuple(lines), shapes=True)


def _rate(values: Mapping[str, Any]) -> Cell:
    figure = figures.rate(values)
    if values["estimate"] is None:
        return Cell(Number(figure.estimate, None))
    return Cell(*(Number(getattr(figure, part), values[part]) for part in ("estimate", "low", "high")))


def _count(number: int | None) -> Cell:
    return Cell(Number(figures.count(number), number))


def _facts(document: Document) -> Iterator[tuple[str, str]]:
    plan = document["plan"]
    yield "Rules", document["rules"]
    yield "Played", heading(document)[0]
    yield "Seed", str(document["seed"])
    yield "Mirrored", "yes: each deal twice, with A and B exchanged" if plan["mirror"] else "no"
    if plan.get("deals_hash"):
        yield "Given deals", plan["deals_hash"]
    yield "Versions", f"ginsim {document['ginsim']}, engine {plan['engine']}, tables {plan['schema']}"
    if document["hash"]:
        yield "Table hash", document["hash"]


def _settings(parameters: Mapping[str, Any] | Sequence[Any] | None) -> str:
    if not parameters:
        return ""
    return ", ".join(f"{name} {value:g}" for name, value in dict(parameters).items())
