"""``ginsim odds``: the deadwood of every hand that can be dealt."""

from __future__ import annotations

import csv
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import format_option, plot_option, show

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ginsim.odds import Odds

Line = tuple[str, ...]
"""The cells of a line of a table."""
Rows = tuple[Line, list[Line]]
"""A table: its heading and its lines."""

ALONE = 10
"""On the screen each deadwood up to this has a line of its own: with no more one may knock."""
BAND = 10
"""How many deadwoods beyond share a line there."""
WIDE = 80
"""Columns from which on everything of a deadwood stands on one line."""


@click.command(
    epilog="""\b
    Examples:
      ginsim odds
      ginsim odds --cards 11 --knock-limit 5
      ginsim odds --format csv > deadwood.csv
      ginsim odds --plot deadwood.svg""",
)
@click.option(
    "--cards",
    type=click.Choice((10, 11)),
    default=10,
    show_default=True,
    help="Ten as dealt, or eleven before a discard.",
)
@click.option(
    "--knock-limit",
    type=click.IntRange(0, 10),
    metavar="N",
    default=10,
    show_default=True,
    help="Which deadwood one may knock with, 0 to 10; 0 is gin only.",
)
@format_option("table", "json", "csv", "markdown")
@plot_option
def odds(cards: int, knock_limit: int, output_format: str, plot: Path | None) -> None:
    """Count the deadwood of every hand there is.

    There are 15,820,024,220 hands of ten cards. Of eleven there are 60,403,728,840, and the deadwood is what the best
    discard leaves; those with all eleven melded (big gin) are counted as well.

    The table puts deadwoods beyond 10 together by tens; the other formats have a line for each.
    """
    counted = _counted(cards)
    if plot is not None:
        from ginsim import charts

        charts.save(_document(counted, knock_limit), plot)
    if output_format == "json":
        click.echo(json.dumps(_document(counted, knock_limit), indent=2))
    elif output_format == "csv":
        click.echo(_csv(_document(counted, knock_limit)["counts"]), nl=False)
    elif output_format == "markdown":
        click.echo(_markdown(counted, knock_limit))
    else:
        show(*_screen(counted, knock_limit))


def _counted(cards: int) -> Odds:
    from math import comb

    from tqdm import tqdm

    from ginsim.odds import distribution

    with tqdm(total=comb(52, cards), unit=" hands", unit_scale=True, disable=None, leave=False) as bar:

        def advance(hands: int) -> None:
            bar.n = hands
            bar.refresh()

        return distribution(cards, progress=advance)


def _document(odds: Odds, knock_limit: int) -> dict[str, Any]:
    from ginsim.odds import document

    return document(odds, knock_limit)


def _csv(rows: list[Mapping[str, Any]]) -> str:
    text = StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _markdown(odds: Odds, knock_limit: int) -> str:
    every = ((points, points) for points in range(len(odds.counts)))
    tables = (_highlights(odds, knock_limit), _spread(odds), _distribution(odds, every))
    return "\n\n".join([f"**{_title(odds)}**", *(_pipes(head, lines) for head, lines in tables)])


def _pipes(head: Line, lines: list[Line]) -> str:
    rule = ("---", *["---:"] * (len(head) - 1))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *lines))


def _screen(odds: Odds, knock_limit: int) -> Iterator[RenderableType]:
    from rich.text import Text

    from ginsim.report.figures import sparkline

    wide = _room() >= WIDE
    yield _indented(Text(f"{_title(odds)}\n", "bold"))
    yield _grid(_highlights(odds, knock_limit))
    head, (line,) = _spread(odds)
    # No more bars than 80 columns have room for: about one for every ten deadwoods.
    shape = sparkline({str(points): hands for points, hands in enumerate(odds.counts)}, width=10)
    if wide:
        yield _grid(((*head, ""), [(*line, shape)]))
    else:
        yield _grid((("deadwood", shape), list(zip(head[1:], line[1:], strict=True))))
    distribution = _distribution(odds, _bands(len(odds.counts)))
    for table in [distribution] if wide else _halves(distribution):
        yield _grid(table, emphasized=knock_limit + 1)
    yield _indented(Text(f"Line by line: ginsim odds --cards {odds.cards} --format csv"))


def _room() -> int:
    """Columns that the screen has; piped, as many as one likes."""
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else WIDE


def _halves(distribution: Rows) -> Iterator[Rows]:
    """The distribution as one table of each deadwood and one of at most each."""
    head, lines = distribution
    yield head[:3], [line[:3] for line in lines]
    yield ("At most", "hands", *head[4:]), [(line[0].split()[-1], *line[3:]) for line in lines]


def _grid(table: Rows, emphasized: int = 0) -> RenderableType:
    """A table for the screen, its first lines ``emphasized``."""
    from rich.table import Table

    head, lines = table
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for place, name in enumerate(head):
        grid.add_column(name, justify="right" if place else "left", overflow="fold")
    for number, line in enumerate(lines):
        grid.add_row(*line, style="bold" if number < emphasized else "")
    grid.add_row()
    return _indented(grid)


def _indented(part: RenderableType) -> RenderableType:
    from rich.padding import Padding

    return Padding(part, (0, 0, 0, 2))


def _title(odds: Odds) -> str:
    kind = "eleven cards, each with its best discard" if odds.cards == 11 else "ten cards"
    return f"All {odds.total:,} hands of {kind}"


def _highlights(odds: Odds, knock_limit: int) -> Rows:
    groups = {"gin": odds.at_most(0), f"knockable (at most {knock_limit})": odds.at_most(knock_limit)}
    if odds.all_melded is not None:
        groups["all eleven melded"] = odds.all_melded
    when = "After the discard" if odds.cards == 11 else "As dealt"
    return (when, "hands", "one in", "of all"), [(name, *_among_all(odds, hands)) for name, hands in groups.items()]


def _spread(odds: Odds) -> Rows:
    from ginsim.odds import QUANTILES

    quantiles = [f"{odds.quantile(percent)}" for percent in QUANTILES]
    head = ("", "mean", "sd", *(f"{percent} %" for percent in QUANTILES), "max")
    return head, [("deadwood", f"{odds.mean:.4f}", f"{odds.sd:.4f}", *quantiles, f"{len(odds.counts) - 1}")]


def _bands(deadwoods: int) -> Iterator[tuple[int, int]]:
    """The first and the last deadwood of each line on the screen."""
    for points in range(ALONE + 1):
        yield points, points
    for points in range(ALONE + 1, deadwoods, BAND):
        yield points, min(points + BAND, deadwoods) - 1


def _distribution(odds: Odds, bands: Iterable[tuple[int, int]]) -> Rows:
    lines = []
    for first, last in bands:
        up_to = odds.at_most(last)
        hands, one_in, _ = _among_all(odds, up_to - odds.at_most(first - 1))
        name = f"{first}" if first == last else f"{first} – {last}"
        lines.append((name, hands, one_in, *_among_all(odds, up_to)))
    return ("Deadwood", "hands", "one in", "at most that", "one in", "of all"), lines


def _among_all(odds: Odds, hands: int) -> Line:
    """How many, one in how many, and what share of all."""
    from ginsim.report.figures import NOTHING, rate

    one_in = odds.one_in(hands)
    # Six digits: there are more, and they help nobody.
    rarity = NOTHING if one_in is None else f"{one_in:,.0f}" if one_in >= 10_000 else f"{one_in:,.2f}"
    return f"{hands:,}", rarity, rate({"estimate": odds.share(hands), "low": None, "high": None}).estimate
