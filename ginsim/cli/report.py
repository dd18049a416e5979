"""``ginsim report``."""

from __future__ import annotations

from pathlib import Path

import click

from ginsim.cli.options import format_option, html_option, note_gaps, plot_option, show_report
from ginsim.errors import UsageError


@click.command(
    epilog="""\b
    Examples:
      ginsim report runs/first --format markdown
      ginsim report runs/first --plot first.png
      ginsim report runs/first --html first.html"""
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@format_option("table", "json", "csv", "markdown")
@plot_option
@html_option
def report(folder: Path, output_format: str, plot: Path | None, html: Path | None) -> None:
    """Report the odds from a stored run.

    DIR is a folder that `ginsim simulate --out` or `ginsim tournament --out` has written. The JSON report of a run also has
    the table hash: two runs with the same hash have the same rows.

    --html writes a page that can be mailed: it holds all it shows, and asks nothing of the network.
    """
    from ginsim import api

    if api.is_tournament(folder):
        if html is not None:
            raise UsageError(f"{folder} is a tournament, which has no page: --plot draws it.")
        played = api.open_tournament(folder)
        if played.pairs < played.wanted:
            click.echo(f"Note: this tournament was interrupted, some of it is missing. Complete it: {played.command()}", err=True)
        if plot is not None:
            played.plot(plot)
        show_report(played, output_format)
        return
    run = api.open_run(folder)
    note_gaps(run.gaps, run.command())
    if plot is not None:
        run.plot(plot)
    if html is not None:
        run.write_html(html)
    show_report(run, output_format)
