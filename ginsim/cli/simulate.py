"""``ginsim simulate``."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ginsim.cli.options import COUNT, SEED, format_option, rules_options, show_report
from ginsim.errors import Interrupted, UsageError


class _Workers(click.ParamType):
    name = "workers"

    def convert(self, value, param, ctx):  # noqa: ANN001, ANN201
        """A number of workers, or ``auto``."""
        if value == "auto" or isinstance(value, int):
            return value
        if re.fullmatch("[0-9]{1,4}", value) and 1 <= int(value) <= 1024:
            return int(value)
        self.fail(f"{value[:60]!r} is not a number of workers from 1 to 1024, or auto.", param, ctx)


@click.command(
    epilog="""\b
    Examples:
      ginsim simulate
      ginsim simulate --hands 1e6 --seed 1
      ginsim simulate --rules eaai --matches 100k --strategy simple --strategy simple:knock=0 --mirror
      ginsim simulate --hands 100k --strategy my_bot.py:MyBot --strategy simple
      ginsim simulate --set gin_bonus=20 --hands 10m --out runs/twenty"""
)
@rules_options("hollywood")
@click.option("--hands", type=COUNT, metavar="N", help="Play N single hands. Without --hands or --matches: a million.")
@click.option("--matches", type=COUNT, metavar="N", help="Play N whole matches of the rules' format instead.")
@click.option(
    "--strategy",
    "strategies",
    metavar="NAME[:KEY=VALUE,…]|SPEC",
    multiple=True,
    default=("simple",),
    show_default=True,
    help="Who plays: once for all seats, or once a seat in order. A name that `ginsim strategies` lists, with parameters such "
    "as simple:knock=0 (which plays for gin only), or one of your own: file.py:NAME, package.module:NAME, or "
    "\"exec:COMMAND\" for another program.",
)
@click.option("--seed", type=SEED, metavar="N", help="Which hands: any number from 0 to 2^64 - 1. Drawn and shown if not given.")
@click.option("--mirror", is_flag=True, help="Play each deal twice, with A and B exchanged.")
@click.option(
    "--deals",
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="FILE|-",
    help="Play the deals in this file, as `ginsim deals` writes them, in place of those from the seed.",
)
@click.option(
    "--out", type=click.Path(), metavar="DIR", help="Store every outcome in this folder, as Parquet files."
)
@click.option("--workers", type=_Workers(), default="auto", show_default=True, metavar="N|auto", help="Cores to play on.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster in place of this machine's cores: tcp://HOST:PORT, or local:N for N processes here.",
)
@click.option("--chunk", type=COUNT, metavar="N", help="Hands or matches a stored file. By default 100,000 or 5,000.")
@format_option("table", "json", "csv", "markdown")
def simulate(
    rules: str,
    settings: tuple[str, ...],
    hands: int | None,
    matches: int | None,
    strategies: tuple[str, ...],
    seed: int | None,
    mirror: bool,
    deals: Path | None,
    out: str | None,
    workers: int | str,
    cluster: str | None,
    chunk: int | None,
    output_format: str,
) -> None:
    """Play hands or matches by the million and report the odds.

    Everything that changes the result is in the last line of the report, as a command: it gives the same result on any
    machine, with any number of workers. With --out every outcome is stored while it plays; the same command again
    completes an interrupted run, and with a larger number extends it.
    """
    if hands is not None and matches is not None:
        raise UsageError("--hands and --matches: choose one.")
    if chunk is not None and out is None:
        raise UsageError("--chunk goes with --out: it says how much a stored file holds.")
    from ginsim import api
    from ginsim.rules import load

    try:
        run = api.simulate(
            load(rules, settings),
            hands=hands,
            matches=matches,
            strategies=strategies,
            seed=seed,
            mirror=mirror,
            deals=deals,
            out=out,
            workers=workers,  # type: ignore[arg-type]
            cluster=cluster,
            chunk=chunk,
            keep=False,
            progress=True,
        )
    except Interrupted as stopped:
        click.echo(stopped, err=True)
        raise click.exceptions.Exit(stopped.exit_code) from None
    show_report(run, output_format)
