"""The command ``scripts/verify``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import click
from ginsim.runner import cores
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from verification.findings import HEADER, Finding, markdown
from verification.scale import QUICK, Scale

PARTS = {
    "reference": "numbers known from outside beside ginsim's",
    "dealing": "dealt cards by place; deals of neighbouring seeds",
    "enumeration": "the exact odds of ten and eleven cards",
    "coverage": "how often the 95 % intervals hold the truth",
    "twin": "the naive engine against the fast one",
    "referee": "OpenSpiel replays hands action by action",
    "kills": "runs killed at random moments, again and again",
    "starts": "first starts, many at once, and where nothing can be written",
    "cluster": "workers and a scheduler of Dask killed at random",
    "mutation": "faults in the rules' core that the tests must find",
}
"""Modules with a ``TITLE`` and a ``verify``, and what they do."""


def _listed() -> str:
    return "\b\nParts:\n" + "\n".join(f"  {name:12} {about}" for name, about in PARTS.items())


@click.command(epilog=_listed())
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)), metavar="[PART]...")
@click.option("--quick", is_flag=True, help="A tenth of everything, in a minute or two.")
@click.option("--seed", default=1, show_default=True, help="Of everything that is drawn by chance.")
@click.option("--workers", type=click.IntRange(1), default=cores(), show_default="all cores", help="Processes at once.")
@click.option("--mutants", type=click.IntRange(1), default=None, help="How many mutants to try.  [default: 100]")
@click.option("--markdown", "markdown_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the tables there as well.")
def main(
    parts: Sequence[str], quick: bool, seed: int, workers: int, mutants: int | None, markdown_file: Path | None
) -> None:
    """Verify ginsim: all PARTS, or those named.

    Ends with code 1 if anything is off. Statistical findings are judged so that all of a part together give a false alarm once in a
    hundred seeds.

    \b
    Example:
      scripts/verify twin referee --quick
    """
    share = QUICK if quick else 1.0
    scale = Scale(share, seed, workers, mutants or round(Scale.mutants * share))
    console = Console(width=None if sys.stdout.isatty() else 160)
    text: list[str] = []
    right = True
    for part in parts or PARTS:
        title, findings, seconds = _run(part, scale)
        _show(console, title, findings, seconds)
        text.append(markdown(f"{title} ({seconds:.0f} s)", findings))
        right = right and all(finding.right is not False for finding in findings)
        if markdown_file is not None:
            markdown_file.write_text("\n".join(text), encoding="utf-8")
    console.print("Everything is as it should be." if right else "Something is OFF.")
    sys.exit(0 if right else 1)


def _run(part: str, scale: Scale) -> tuple[str, list[Finding], float]:
    start = time.perf_counter()
    module = import_module(f"verification.{part}")
    verify: Callable[[Scale], list[Finding]] = module.verify
    return module.TITLE, verify(scale), time.perf_counter() - start


def _show(console: Console, title: str, findings: Sequence[Finding], seconds: float) -> None:
    table = Table(title=f"{title} ({seconds:.0f} s)", title_justify="left", box=None, pad_edge=False)
    for column in HEADER:
        table.add_column(column, overflow="fold")
    for finding in findings:
        table.add_row(*map(escape, finding.cells), style="bold red" if finding.right is False else None)
    console.print(table, end="\n\n")


if __name__ == "__main__":
    main()
