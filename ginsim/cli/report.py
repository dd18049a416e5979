"""``ginsim report``."""

from __future__ import annotations


import click

from ginsim.cli.options import format_option, note_gaps, show_report


@click.command(
    epilog="""\b
    Example:
      ginsim report runs/first --format markdown"""
)
@click.argument("folder", metavar="DIR", type=click.Path())
@format_option("table", "json", "csv", "markdown")
def report(folder: str, output_format: str) -> None:
    """Report the odds from a stored run.

    DIR is a folder that `ginsim simulate --out` or `ginsim tournament --out` has written. The JSON report of a run also has
    the table hash: two runs with the same hash have the same rows.
    """
    from ginsim import api

    if api.is_tournament(folder):
        played = api.open_tournament(folder)
        if played.pairs < played.wanted:
            click.echo(f"Note: this tournament was interrupted, some of it is missing. Complete it: {played.command()}", err=True)
        show_report(played, output_format)
        return
    run = api.open_run(folder)
    note_gaps(run.gaps, run.resume_command())
    show_report(run, output_format)
