"""The page of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ginsim.page.content import Cell, Content, Line, Number, Table, Tile, count, described, mean, rate, rules_in_full
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

Document = Mapping[str, Any]


def content(document: Document) -> Content:
    """What stands on the page of a run's report."""
    first, *rest = heading(document)
    plan = document["plan"]
    return Content(
        title=f"{document['rules']}: {' v '.join(player['strategy'] for player in document['players'])}",
        lines=(first, *(piece for piece in rest if piece.startswith(("seed", "given", "ginsim")))),
        tiles=tuple(_tiles(document)),
        notes=tuple(notes(document)),
        tables=(*map(_rates, rate_tables(document)), *map(_distributions, distribution_tables(document))),
        facts=tuple(_facts(document)),
        played=(
            described(zip(document["players"], plan["players"], strict=True)),
            rules_in_full({"value": plan["rules"]}),
        ),
        command=document["command"],
    )


def _tiles(document: Document) -> Iterator[Tile]:
    for name in ALWAYS_SHOWN:
        values = document["rates"][f"{name}_rate"]
        yield Tile(ENDING_LABELS[name], rate(values), f"{figures.count(values['count'])} of {figures.count(values['n'])} hands")


def _rates(table: RateTable) -> Table:
    lines = [
        Line(
            row.label.strip(),
            (count(row.number), *(rate(each) if each else None for each in row.rates)),
            row.label.startswith(" "),
        )
        for row in table.rows
    ]
    return Table(table.title, (table.unit, *table.headings), tuple(lines))


def _distributions(table: DistributionTable) -> Table:
    percents = [f"{percent} %" for percent in table.rows[0][1]["quantiles"]]
    lines = []
    for label, values in table.rows:
        cells = (
            count(values["n"]),
            mean(values),
            Cell(Number(figures.deviation(values), values["sd"])),
            *map(count, (values["min"], *values["quantiles"].values(), values["max"])),
        )
        lines.append(Line(label.strip(), cells, label.startswith(" "), figures.sparkline(values["histogram"])))
    return Table(table.title, ("n", "mean", "sd", "min", *percents, "max"), tuple(lines), shapes=True)


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
