"""Options that verbs share, so that they agree: numbers as people write them, rules, seeds, output formats."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ginsim.api import Run, Tournament
    from ginsim.comparison import Comparison

Function = TypeVar("Function", bound=Callable[..., Any])

MOST = 2**48
"""The largest count: the random streams tell so many matches apart."""

# Python refuses to read numbers of thousands of digits, so none gets so far.
_COUNT = re.compile(r"(?!.{1000})(?P<number>\d+(_\d+)*(\.\d+)?(e\+?\d{1,3})?)(?P<unit>[km]?)", re.ASCII | re.IGNORECASE)
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000}
_SEED = re.compile(r"(?!.{1000})(?:(?P<sixteens>0x)[0-9a-f]+(_[0-9a-f]+)*|\d+(_\d+)*)", re.ASCII | re.IGNORECASE)


class Count(click.ParamType):
    """A whole number from 1 on, or from ``least`` on, written as ``1000000``, ``1_000_000``, ``1e6``, ``2m``, ``500k`` or ``1.5m``."""

    name = "count"

    def __init__(self, least: int = 1) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number meant."""
        if isinstance(value, int):
            return value
        match = _COUNT.fullmatch(value.strip())
        # A fraction is exact: 1.5m is a whole number, and 1.0000000000000000001 is none.
        number = Fraction(match["number"].replace("_", "")) * _UNITS[match["unit"].lower()] if match else Fraction(-1)
        if number > MOST:
            self.fail(f"{_short(value)} is more than {MOST:,}, which is the most.", param, ctx)
        if number < self.least or number.denominator != 1:
            self.fail(
                f"{_short(value)} is not a whole number from {self.least} on, such as 1000000, 1_000_000, 1e6, 2m or 500k.", param, ctx
            )
        return int(number)


class Seed(click.ParamType):
    """Any whole number of 64 bits, written in tens or, after ``0x``, in sixteens."""

    name = "seed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number meant."""
        if isinstance(value, int):
            return value
        match = _SEED.fullmatch(value.strip())
        seed = int(match[0], 16 if match["sixteens"] else 10) if match else -1
        if not 0 <= seed < 2**64:
            self.fail(f"{_short(value)} is not a whole number from 0 to 2^64 - 1 = {2**64 - 1}.", param, ctx)
        return seed


class Target(click.ParamType):
    """A file to be written, with one of some endings; refused before the work for it starts."""

    name = "file"

    def __init__(self, *endings: str) -> None:
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The file meant."""
        from ginsim.store import check_target

        return check_target(value, self.endings)


class Workers(click.ParamType):
    """A number of workers, or ``auto``."""

    name = "workers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """The number meant."""
        if value == "auto" or isinstance(value, int):
            return value
        if re.fullmatch("[0-9]{1,4}", value) and 1 <= int(value) <= 1024:
            return int(value)
        self.fail(f"{_short(value)} is not a number of workers from 1 to 1024, or auto.", param, ctx)


COUNT = Count()
FIRST = Count(0)
SEED = Seed()


workers_option = click.option(
    "--workers", type=Workers(), default="auto", show_default=True, metavar="N|auto", help="Cores to play on."
)
"""``--workers``, as ``workers``."""


def set_option(function: Function) -> Function:
    """``--set FIELD=VALUE``, any number of times, as ``settings``: texts for :func:`ginsim.rules.load`."""
    return click.option(
        "--set",
        "settings",
        metavar="FIELD=VALUE",
        multiple=True,
        help="Change one field of the rules, such as gin_bonus=20. Repeat for more.",
    )(function)


def rules_options(default: str) -> Callable[[Function], Function]:
    """``--rules NAME|FILE.toml`` as ``rules`` and ``--set`` as ``settings``: what :func:`ginsim.rules.load` takes.

    Args:
        default: the verb's rules where nobody names any.
    """

    def decorate(function: Function) -> Function:
        return click.option(
            "--rules",
            metavar="NAME|FILE.toml",
            default=default,
            show_default=True,
            help="The rules: a name that `ginsim rules` lists, or a file of your own.",
        )(set_option(function))

    return decorate


def format_option(*choices: str) -> Callable[[Function], Function]:
    """``--format`` as ``output_format``; the first of ``choices`` is what a person gets who does not ask."""
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="How to print it.",
    )


def plot_option(function: Function) -> Function:
    """``--plot FILE.svg|.png`` as ``plot``: the file for :func:`ginsim.charts.save`, or None."""
    return click.option(
        "--plot",
        type=Target(".svg", ".png"),
        metavar="FILE.svg|.png",
        help="Also draw it, into this file.",
    )(function)


def html_option(function: Function) -> Function:
    """``--html FILE`` as ``html``: the file for :func:`ginsim.page.write`, or None."""
    return click.option(
        "--html",
        type=Target(".html"),
        metavar="FILE.html",
        help="Also write it as one page with tables and pictures, into this file.",
    )(function)


def show(*parts: RenderableType) -> None:
    """Print texts and tables, as wide as the terminal; piped, as plain text and as wide as they need to be."""
    from rich.console import Console

    settings: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
    if sys.stdout is not None and sys.stdout.isatty():
        Console(**settings).print(*parts, sep="\n")
        return
    text = StringIO()
    Console(file=text, width=100_000, force_terminal=False, color_system=None, **settings).print(*parts, sep="\n")
    click.echo("\n".join(line.rstrip() for line in text.getvalue().splitlines()))


def show_report(run: Run | Tournament | Comparison, output_format: str, **part: str | None) -> None:
    """Print the report of a run, tournament or comparison: fit to the terminal; piped, as plain text and as wide as it needs to be.

    Args:
        part: of a run ``by`` and ``where``, as :meth:`ginsim.api.Run.report` has them.
    """
    import shutil

    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    click.echo(run.show(output_format, width=width, terminal=terminal, **part), nl=False)  # type: ignore[arg-type]


def show_foretold(about: dict[str, Any], output_format: str) -> None:
    """Print how many a precision takes."""
    if output_format == "json":
        click.echo(json.dumps(about, indent=2))
        return
    from ginsim.report.precision import foretold

    for sentence in foretold(about):
        click.echo(f"  {sentence}")


def note_gaps(gaps: Sequence[int], command: str) -> None:
    """Say on stderr which chunks a run lacks between others, and the command that completes it."""
    if gaps:
        missing = f"{_chunks(gaps)} {'is' if len(gaps) == 1 else 'are'} missing"
        click.echo(f"Note: this run has gaps, {missing}. Complete it: {command}", err=True)


def note_replaced(chunks: Sequence[int]) -> None:
    """Say on stderr which chunks were found damaged."""
    if chunks:
        was = "was damaged and has" if len(chunks) == 1 else "were damaged and have"
        click.echo(f"Note: {_chunks(chunks)} {was} been played again.", err=True)


def _chunks(indices: Sequence[int]) -> str:
    named = ", ".join(map(str, indices[:5])) + (", …" if len(indices) > 5 else "")
    return f"chunk {named}" if len(indices) == 1 else f"chunks {named}"


def _short(text: str) -> str:
    shown = repr(text)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
