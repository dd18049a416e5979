"""What can stand on a page: headings, tables with their exact numbers, what was played, and the command that repeats it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ginsim.report import figures
from ginsim.rules import FIELDS


@dataclass(frozen=True)
class Number:
    """A number as text, and exactly."""

    text: str
    value: float | None


@dataclass(frozen=True)
class Cell:
    """A number, with its interval and with words under it where it has them."""

    number: Number
    low: Number | None = None
    high: Number | None = None
    under: str = ""


@dataclass(frozen=True)
class Line:
    """A line of a table: its name, how far it is set in, and its cells; None leaves one empty."""

    label: str
    cells: tuple[Cell | None, ...]
    indent: bool = False
    shape: str = ""


@dataclass(frozen=True)
class Table:
    """A table. ``shapes``: whether its lines end with a small picture of a distribution."""

    title: str
    head: tuple[str, ...]
    lines: tuple[Line, ...]
    shapes: bool = False


@dataclass(frozen=True)
class Words:
    """A table without numbers to compare; ``code`` where its first column has names as they are typed."""

    title: str
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    code: bool = False


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
    notes: tuple[str, ...]
    tables: tuple[Table, ...]
    facts: tuple[tuple[str, str], ...]
    played: tuple[Words, ...]
    command: str
    tiles: tuple[Tile, ...] = ()


def rate(values: Mapping[str, Any], under: str = "") -> Cell:
    """A rate in per cent with its interval."""
    figure = figures.rate(values)
    if values["estimate"] is None:
        return Cell(Number(figure.estimate, None), under=under)
    return Cell(*(Number(getattr(figure, part), values[part]) for part in ("estimate", "low", "high")), under)


def mean(values: Mapping[str, Any], under: str = "") -> Cell:
    """A mean with its interval."""
    figure = figures.mean(values)
    if values["mean"] is None:
        return Cell(Number(figure.estimate, None), under=under)
    parts = (("estimate", "mean"), ("low", "low"), ("high", "high"))
    return Cell(*(Number(getattr(figure, part), values[key]) for part, key in parts), under)


def count(number: int | None) -> Cell:
    """A whole number."""
    return Cell(Number(figures.count(number), number))


def rules_in_full(columns: Mapping[str, Mapping[str, Any]]) -> Words:
    """Rule sets with what each field means; several stand beside each other.

    Args:
        columns: the fields of each, by what it is called.
    """
    fields = [name for name in FIELDS if any(name in fields for fields in columns.values())]
    lines = (
        (name, *(_written(fields, name) for fields in columns.values()), f"{FIELDS[name].meaning} {FIELDS[name].rule}")
        for name in fields
    )
    return Words("The rules in full", ("Rule", *columns, "what it means"), tuple(lines), code=True)


def described(players: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> Words:
    """Players as a report has them, each with what the plan says of it."""
    lines = (
        (
            player["seat"],
            player["strategy"],
            player["describes"],
            str(planned["version"]),
            ", ".join(f"{name} {value:g}" for name, value in (planned["parameters"] or {}).items()),
        )
        for player, planned in players
    )
    return Words("Players", ("Seat", "player", "how it plays", "version", "parameters"), tuple(dict.fromkeys(lines)))


def _written(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name, "–")
    return "false" if value is None else str(value).lower()
