"""What stands in a comparison, in which order and under which words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ginsim.report import figures
from ginsim.report.contents import ENDING_LABELS
from ginsim.report.figures import count, duration
from ginsim.report.precision import rounded, until_line

Values = Mapping[str, Any]
Document = Mapping[str, Any]

SAME = "="
"""In place of a difference that cannot be other than nothing."""

MARK = "*"
"""Beside a difference that is one."""

LABELS = {
    **{f"{ending}_rate": label for ending, label in ENDING_LABELS.items()},
    "draws": "draws of cards",
    "points": "winner's points",
    "first_player_share": "first player wins",
    "dealer_share": "dealer wins",
    "seat_a_share": "A wins the hand",
    "match_hands": "hands",
    "decided_early": "decided before the end",
    "sweeps": "all games to one player",
    "match_margin": "winner's margin",
    "first_dealer_share": "first dealer wins",
    "match_won_a_share": "A wins the match",
}
"""What each statistic is called where its table says what it is a share of."""
_PARTS = {"price": "same play, new price", "adapting": "players adapting"}
_BEYOND = 1000
"""Where so many times as many hands are wanted, no difference is in sight."""


@dataclass(frozen=True)
class Cell:
    """A variant's figure and its difference from the reference, as text; empty for what there is not."""

    estimate: str
    interval: str = ""
    difference: str = ""
    half: str = ""
    mark: str = ""
    p: str = ""

    @property
    def short(self) -> str:
        """The difference with its error: ``+0.41 pp ±0.10 *``."""
        return " ".join(filter(None, (self.difference, f"±{self.half}" if self.half else "", self.mark)))


@dataclass(frozen=True)
class Row:
    """A line of a comparison: a statistic, or a part of its differences, which is ``set_in``; a cell a variant."""

    label: str
    cells: tuple[Cell, ...]
    set_in: bool = False


@dataclass(frozen=True)
class Group:
    """Statistics of the same, such as ``of all hands``."""

    title: str
    rows: tuple[Row, ...]


def heading(document: Document) -> list[str]:
    """What was played, in pieces that belong on one line."""
    variants = document["variants"]
    pairs = document["independent"].startswith("pairs")
    counts = {each["count"] for each in variants}
    many = count(document["count"]) if len(counts) == 1 else "/".join(count(each["count"]) for each in variants)
    unit = document["unit"] if document["count"] != 1 else document["unit"].removesuffix("es" if document["unit"] == "matches" else "s")
    rules = {each["rules"] for each in variants}
    players = {_players(each) for each in variants}
    seeds = {each["plan"]["seed"] for each in variants}
    return [
        f"{many} {unit} each of {len(variants)} variants" + (", in mirrored pairs" if pairs else ""),
        *([f"rules {next(iter(rules))}"] if len(rules) == 1 else []),
        *([next(iter(players))] if len(players) == 1 else []),
        *([f"seed {document['seed']}"] if len(seeds) == 1 else []),
        f"ginsim {document['ginsim']}",
        *([duration(document["seconds"])] if document["seconds"] is not None else []),
    ]


def names(document: Document) -> list[str]:
    """The variants' names; the reference says that it is it."""
    return [_name(each["name"], document) for each in document["variants"]]


def key(document: Document) -> list[str]:
    """What the names stand for, a line each."""
    lines = []
    if len(document["factors"]) > 1:
        lines.append(f"Variants: {' / '.join(document['factors'])}")
    elif "run" not in document["factors"]:
        lines.append(f"Variants: {next(iter(document['factors']))}")
    else:
        lines += [
            f"{each['name']}: {each['rules']}, {_players(each)}, {count(each['count'])} {document['unit']}, seed {each['plan']['seed']}"
            for each in document["variants"]
        ]
    return lines


def groups(document: Document) -> list[Group]:
    """All statistics, those that are shares of the same together."""
    found: dict[str, list[Row]] = {}
    for statistic in document["statistics"]:
        found.setdefault(_title(statistic), []).extend(_rows(statistic, document))
    return [Group(title, tuple(rows)) for title, rows in found.items()]


def notes(document: Document) -> list[str]:
    """What one has to know to read the figures."""
    unit = document["unit"]
    over = {
        "hands": "hands",
        "pairs of hands": "mirrored pairs of hands",
        "matches": "matches",
        "pairs of matches": "mirrored pairs of matches",
    }[document["independent"]]
    level = f"{document['level'] * 100:g} %"
    paired = any(each["paired"] for statistic in document["statistics"] for each in statistic["differences"])
    family = document["family"]
    tests = family["comparisons"]
    said = [
        f"± and brackets: {level} intervals, each for itself"
        + (f"; differences are paired over {over} of the same deals." if paired else "; nothing is paired.")
    ]
    if tests:
        said.append(
            f"{MARK} differs from {document['reference']}: p < {family['level']:g} after {family['method']}'s adjustment for "
            f"{tests} comparison{'s' if tests > 1 else ''}: every statistic of every variant that could differ, each question once."
        )
    if any(each["same_by_construction"] for statistic in document["statistics"] for each in statistic["differences"]):
        said.append(f"{SAME} cannot differ: the same cards are played.")
    said += how_far(document)
    return [*said, *document["explanations"], *document["notes"], *(f"Note: {text}" for text in document["warnings"])]


def how_far(document: Document) -> list[str]:
    """What is not settled and what that would take; how it went, where it was played until something was tight."""
    unit = document["unit"]
    said = []
    still_open = list(_open(document))
    if still_open:
        said.append(
            f"Not settled, and about how many more {unit} would settle it four times in five if the true difference is as found: "
            f"{'; '.join(still_open)}."
        )
    if document["until"]:
        said.append(until_line(document["until"], unit))
    return said


def _open(document: Document) -> Iterator[str]:
    for statistic in document["statistics"]:
        about = [
            f"{each['variant']}: {_more(each['more'], document['count'])}"
            for each in statistic["differences"]
            if each["more"] is not None and each["test"] == [statistic["name"], each["variant"]]
        ]
        if about:
            yield f"{LABELS[statistic['name']]}, {', '.join(about)}"


def _more(number: int, count_: int) -> str:
    return f"over {count(_BEYOND)} times as many" if number > _BEYOND * count_ else count(rounded(number))


def _rows(statistic: Values, document: Document) -> list[Row]:
    differences = {each["variant"]: each for each in statistic["differences"]}
    rate = statistic["kind"] == "rate"
    cells = []
    for each in statistic["variants"]:
        figure = _figure(each, rate)
        about = differences.get(each["variant"])
        cells.append(
            Cell(figure.estimate, figure.interval(tight=True))
            if about is None
            else Cell(
                figure.estimate,
                figure.interval(tight=True),
                *_difference(about, rate, about["same_by_construction"]),
                MARK if about["differs"] else "",
                SAME if about["same_by_construction"] else figures.p_value(about["p_adjusted"]),
            )
        )
    rows = [Row(LABELS[statistic["name"]], tuple(cells))]
    for part, label in _PARTS.items():
        if any(each["parts"] and _has_price(each) for each in differences.values()):
            parts = [(differences.get(each["variant"]) or {}).get("parts") for each in statistic["variants"]]
            if any(about and about[part]["difference"] is not None for about in parts):
                shown = [Cell("", "", *_difference(about[part], rate)) if about else Cell("") for about in parts]
                rows.append(Row(f"  {label}", tuple(shown), set_in=True))
    return rows


def _has_price(each: Values) -> bool:
    """Whether the price has a part in a difference: where it has none, all of it is the players adapting."""
    price = each["parts"]["price"]
    return price["difference"] != 0 or price["low"] != 0


def _figure(each: Values, rate: bool) -> figures.Figure:
    if each["estimate"] is None:
        return figures.Figure(figures.NOTHING)
    return figures.rate(each) if rate else figures.mean({**each, "mean": each["estimate"]})


def _difference(about: Values, rate: bool, same: bool = False) -> tuple[str, str]:
    """A difference and half the width of its interval."""
    if same:
        return SAME, ""
    if about["difference"] is None:
        return "", ""
    half = None if about["low"] is None else (about["high"] - about["low"]) / 2
    return figures.difference(about["difference"], half, points=rate)


def _title(statistic: Values) -> str:
    if statistic["kind"] == "rate":
        return f"of {statistic['of']}"
    return {"all hands": "per hand", "decided hands": "per decided hand"}.get(statistic["of"], f"per {_one(statistic['of'])}")


def _one(several: str) -> str:
    return several.replace("matches", "match").replace("hands", "hand")


def _name(name: str, document: Document) -> str:
    return f"{name} (reference)" if name == document["reference"] else name


def _players(variant: Values) -> str:
    return " v ".join(player["strategy"] for player in variant["players"])
