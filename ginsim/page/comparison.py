"""The page of a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ginsim.charts.comparison import TITLES, heading, signed
from ginsim.page.content import Cell, Content, Line, Number, Table, Words, described, mean, rate, rules_in_full
from ginsim.report import figures
from ginsim.report.comparison.contents import how_far

Document = Mapping[str, Any]
_PARTS = {"price": "the same play, new price", "adapting": "the players adapting"}


def content(document: Document) -> Content:
    """What stands on the page of a comparison."""
    title, (played, command) = heading(document)
    variants = document["variants"]
    seated = [pair for each in variants for pair in zip(each["players"], each["plan"]["players"], strict=True)]
    return Content(
        title=title,
        lines=tuple(played.split(" · ")),
        notes=tuple(_notes(document)),
        tables=tuple(_tables(document)),
        facts=tuple(_facts(document)),
        played=(
            Words(
                "Variants",
                ("Variant", "rules", "players", "how", "hands", "alone"),
                tuple(
                    (
                        each["name"],
                        each["rules"],
                        " v ".join(player["strategy"] for player in each["players"]),
                        each["how"],
                        figures.count(each["hands"]),
                        each["command"],
                    )
                    for each in variants
                ),
            ),
            described(seated),
            rules_in_full({each["name"]: each["plan"]["rules"] for each in variants}),
        ),
        command=command,
    )


def _tables(document: Document) -> Iterator[Table]:
    """Statistics of the same stand together, a column for each variant."""
    groups: dict[str, list[Line]] = {}
    for statistic in document["statistics"]:
        title = f"{'Of' if statistic['kind'] == 'rate' else 'Mean over'} {statistic['of']}"
        groups.setdefault(title, []).extend(_lines(statistic))
    names = tuple(_named(each["name"], document) for each in document["variants"])
    for title, lines in groups.items():
        yield Table(title, names, tuple(lines))


def _lines(statistic: Mapping[str, Any]) -> Iterator[Line]:
    """A statistic, and under it the parts of its differences where they have some."""
    rates, name = statistic["kind"] == "rate", statistic["name"]
    differences = {each["variant"]: each for each in statistic["differences"]}
    cells = []
    for each in statistic["variants"]:
        under = _under(differences.get(each["variant"]), rates)
        cells.append(rate(each, under) if rates else mean({**each, "mean": each["estimate"]}, under))
    yield Line(TITLES.get(name, name.replace("_", " ").capitalize()), tuple(cells))
    parted = {variant: each["parts"] for variant, each in differences.items() if each["parts"]}
    # Where the price has no part in it, all of it is the players adapting.
    if any(parts["price"]["difference"] for parts in parted.values()):
        for part, label in _PARTS.items():
            own = [
                _under(parted[each["variant"]][part], rates) if each["variant"] in parted else ""
                for each in statistic["variants"]
            ]
            yield Line(label, tuple(Cell(Number("", None), under=under) if under else None for under in own), indent=True)


def _under(difference: Mapping[str, Any] | None, rates: bool) -> str:
    if difference is None or difference["difference"] is None:
        return ""
    if difference.get("same_by_construction"):
        return "="
    return signed(difference, rates) + (" *" if difference.get("differs") else "")


def _notes(document: Document) -> Iterator[str]:
    family = document["family"]
    yield (
        f"In brackets and behind ±: {100 * document['level']:g} % intervals, each for itself. "
        f"Under each figure is its difference from {document['reference']}; = cannot differ, as the same cards are played."
    )
    if family["comparisons"]:
        yield (
            f"* differs: p < {family['level']:g} after {family['method']}'s adjustment for "
            f"{figures.count(family['comparisons'])} comparisons. {figures.count(family['significant'])} differ, "
            f"{figures.count(family['open'])} are open."
        )
    yield from (*how_far(document), *document["explanations"], *document["notes"], *document["warnings"])


def _facts(document: Document) -> Iterator[tuple[str, str]]:
    plan = document["variants"][0]["plan"]
    yield "Varied", "; ".join(f"{name} {', '.join(values)}" for name, values in document["factors"].items())
    yield "Reference", document["reference"]
    yield "Played", f"{figures.count(document['count'])} {document['unit']} of each"
    yield "Seed", str(document["seed"])
    yield "Mirrored", "yes: each deal twice, with A and B exchanged" if document["mirror"] else "no"
    yield "Versions", f"ginsim {document['ginsim']}, engine {plan['engine']}, tables {plan['schema']}"


def _named(name: str, document: Document) -> str:
    return f"{name} (reference)" if name == document["reference"] else name
