"""``ginsim resume``."""

from __future__ import annotations


import click

from ginsim.cli.options import cluster_option, format_option, note_replaced, show_report, workers_option


@click.command(
    epilog="""\b
    Example:
      ginsim resume runs/first"""
)
@click.argument("folder", metavar="DIR", type=click.Path())
@workers_option
@cluster_option
@format_option("table", "json", "csv", "markdown")
def resume(folder: str, workers: int | str, cluster: str | None, output_format: str) -> None:
    """Play what a stored run still lacks.

    DIR is a folder that `ginsim simulate --out` has written, or `ginsim merge`. The run goes on from its finished chunks to the hands or
    matches that were asked for last; chunks that are damaged are played again. A finished run is left as it is.
    """
    from ginsim import api

    run = api.resume(folder, workers=workers, cluster=cluster, progress=True)  # type: ignore[arg-type]
    note_replaced(run.replaced)
    show_report(run, output_format)
