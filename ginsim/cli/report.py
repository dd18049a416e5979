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
      ginsim report runs/first --by dealer
      ginsim report runs/first --by knocker_deadwood --where "draws > 20 and ending <> 'gin'"
      ginsim report runs/first --plot first.png
      ginsim report runs/first --html first.html"""
)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--by", metavar="COLUMN", help="Split by a column of the hands table, such as dealer, first_taker or draws.")
@click.option("--where", metavar="SQL", help="Only the hands for which this is true, such as \"draws > 20\".")
@format_option("table", "json", "csv", "markdown")
@plot_option
@html_option
def report(
    folder: Path, by: str | None, where: str | None, output_format: str, plot: Path | None, html: Path | None
) -> None:
    """Report the odds from a stored run.

    DIR is a folder that `ginsim simulate --out` or `ginsim tournament --out` has written. The JSON report of a run also has
    the table hash: two runs with the same hash have the same rows.

    With --by there is a line for each value of a column; of whole numbers with many values, for each bin. --where is a condition
    in SQL on the columns of a hand, in which seats, cards and endings are texts such as 'A', '7D' and 'big_gin'. In a run of matches
    both leave out what is of whole matches; its intervals are still over matches.

    --html writes a page that can be mailed: it holds all it shows, and asks nothing of the network.
    """
    if (plot or html) and (by or where):
        raise UsageError("--plot and --html show a whole run: leave out --by and --where.")
    from ginsim import api

    if api.is_tournament(folder):
        if by is not None or where is not None:
            raise UsageError(f"{folder} holds a tournament: --by and --where are for a run, such as each of those inside it.")
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
    note_gaps(run.gaps, run.resume_command())
    if run.lacking:
        lacking = f"{run.lacking:,} {run.plan.unit} are still to be played"
        click.echo(f"Note: this run is not finished, {lacking}. Go on: {run.resume_command()}", err=True)
    if plot is not None:
        run.plot(plot)
    if html is not None:
        run.write_html(html)
    show_report(run, output_format, by=by, where=where)
