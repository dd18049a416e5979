"""``ginsim check``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ginsim.cli.options import format_option, workers_option

if TYPE_CHECKING:
    from ginsim.store.checking import Check

_SHOWN = 20


@click.command(
    epilog="""\b
    Examples:
      ginsim check runs/first
      ginsim check runs/first || ginsim resume runs/first"""
)
@click.argument("folder", metavar="DIR", type=click.Path())
@workers_option
@format_option("table", "json")
def check(folder: str, workers: int | str, output_format: str) -> None:
    """Look whether a stored run is whole.

    Every file must be what was written, to the last bit, and belong to the run's plan; rows must be numbered in order; endings, points, scores,
    games and matches must follow from the rest. Chunks that are off or missing are named; `ginsim resume` plays just those again.
    Ends with code 1 if there are any.
    """
    from ginsim import api

    found = api.check(folder, workers=workers, progress=True)  # type: ignore[arg-type]
    click.echo(json.dumps(found.as_dict(), indent=2) if output_format == "json" else "\n".join(_lines(found)))
    if not found.is_whole:
        raise click.exceptions.Exit(1)


def _lines(found: Check) -> list[str]:
    held = f"{found.stored:,} of {found.span.count:,} {found.unit}"
    chunks = "1 chunk" if found.chunks == 1 else f"{found.chunks:,} chunks"
    if found.is_whole:
        return [f"{found.folder} is whole: {found.stored:,} {found.unit} in {chunks}."]
    lines = [f"{found.folder} is not whole: {held} are there and right, in {chunks}."]
    for fault in found.faults[:_SHOWN]:
        where = f"chunk {fault.chunk}, {fault.file}: " if fault.chunk is not None else ""
        lines.append(f"  {where}{fault.problem}")
    if len(found.faults) > _SHOWN:
        lines.append(f"  … and {len(found.faults) - _SHOWN:,} more")
    if found.missing:
        named = ", ".join(map(str, found.missing[:_SHOWN])) + (", …" if len(found.missing) > _SHOWN else "")
        lines.append(f"  {'chunk' if len(found.missing) == 1 else 'chunks'} {named}: not there, or not all of it")
    lines.append(f"Play these again: {found.command}")
    return lines
