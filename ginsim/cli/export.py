"""``ginsim export``."""

from __future__ import annotations


import click

from ginsim.cli.options import note_gaps
from ginsim.records import TABLES


@click.command(
    epilog="""\b
    Examples:
      ginsim export runs/first --to hands.csv
      ginsim export runs/series --table matches --to -  | head"""
)
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option("--table", type=click.Choice(TABLES), default="hands", show_default=True, help="Which table.")
@click.option(
    "--to", "target", required=True, metavar="FILE", help="A file ending in .csv, .parquet or .ndjson; - prints CSV."
)
def export(folder: str, table: str, target: str) -> None:
    """Write a table of a stored run as CSV, Parquet or NDJSON.

    Seats are A, B and C, cards like 7D, and what did not happen is empty: a draw has no winner. The file appears under its
    name when it is complete; one that is there already is replaced.
    """
    from ginsim import api

    note_gaps(*api.export(folder, table, target))
