"""``ginsim merge``."""

from __future__ import annotations


import click

from ginsim.cli.options import note_gaps


@click.command(
    epilog="""\b
    Examples:
      ginsim simulate --seed 1 --hands 50m --out a
      ginsim simulate --seed 1 --hands 50m --first 50m --out b
      ginsim merge whole a b"""
)
@click.argument("out", metavar="OUT", type=click.Path())
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path())
@click.option("--no-gaps", is_flag=True, help="Refuse parts between which hands are missing.")
def merge(out: str, folders: tuple[str, ...], no_gaps: bool) -> None:
    """Join parts of one run that were played apart.

    OUT becomes the run that would have been played at once, file by file; an OUT that holds some parts already gets the others. Parts that
    overlap are refused, and those of another plan. Gaps are named, and `ginsim resume OUT` fills them.
    """
    from ginsim import api

    merged = api.merge(out, folders, gaps=not no_gaps)
    parts = "1 part" if len(folders) == 1 else f"{len(folders)} parts"
    chunks = "1 chunk" if merged.chunks == 1 else f"{merged.chunks:,} chunks"
    click.echo(f"{out}: {merged.stored:,} {merged.plan.unit} in {chunks}, merged from {parts}.")
    note_gaps(merged.gaps, merged.command)
