"""``ginsim simulate``."""

from __future__ import annotations

from pathlib import Path

import click

from ginsim.cli.options import COUNT, FIRST, SEED, format_option, note_replaced, rules_options, show_foretold, show_report, workers_option
from ginsim.errors import UsageError


@click.command(
    epilog="""\b
    Examples:
      ginsim simulate
      ginsim simulate --hands 1e6 --seed 1
      ginsim simulate --rules eaai --matches 100k --strategy simple --strategy simple:knock=0 --mirror
      ginsim simulate --hands 100k --strategy my_bot.py:MyBot --strategy simple
      ginsim simulate --set gin_bonus=20 --hands 10m --out runs/twenty
      ginsim simulate --until "gin_rate±0.0005" --hands 100m"""
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
@workers_option
@click.option("--chunk", type=COUNT, metavar="N", help="Hands or matches a stored file. By default 100,000 or 5,000.")
@click.option(
    "--keep",
    type=click.Choice(("rows", "summary")),
    help="With --out: store a row for each hand, or only the sums that a report needs, less than a megabyte for a billion hands. "
    "By default rows, or what is stored already.",
)
@click.option(
    "--first",
    type=FIRST,
    metavar="N",
    help="With --out: begin at number N, a multiple of --chunk. So several machines play parts of one run; `ginsim merge` joins them.",
)
@click.option("--until", metavar="STATISTIC±W", help="Stop when an interval is so tight, as \"gin_rate±0.0005\" (or +-).")
@click.option("--plan-only", is_flag=True, help="Say about how many --until takes, from a small pilot; play nothing else.")
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
    chunk: int | None,
    keep: str | None,
    first: int | None,
    until: str | None,
    plan_only: bool,
    output_format: str,
) -> None:
    """Play hands or matches by the million and report the odds.

    Everything that changes the result is in the last line of the report, as a command: it gives the same result on any
    machine, with any number of workers. With --out every outcome is stored while it plays; the same command again, or
    `ginsim resume DIR`, completes an interrupted run, and a larger number extends it.
    """
    if hands is not None and matches is not None:
        raise UsageError("--hands and --matches: choose one.")
    for option, value, about in (
        ("--chunk", chunk, "it says how much a stored file holds."),
        ("--keep", keep, "it says what is stored."),
        ("--first", first, "parts of a run are stored and merged."),
    ):
        if value is not None and out is None:
            raise UsageError(f"{option} goes with --out: {about}")
    if plan_only and until is None:
        raise UsageError("--plan-only says how many a precision takes: name it with --until \"gin_rate±0.0005\".")
    if plan_only and deals is not None:
        raise UsageError("--plan-only plays a pilot from the seed: it does not go with --deals.")
    from ginsim import api
    from ginsim.rules import load

    asked = {"hands": hands, "matches": matches, "strategies": strategies, "seed": seed, "mirror": mirror, "until": until}
    if plan_only:
        show_foretold(api.foretell(load(rules, settings), workers=workers, **asked), output_format)  # type: ignore[arg-type]
        return
    run = api.simulate(
        load(rules, settings),
        **asked,  # type: ignore[arg-type]
        deals=deals,
        out=out,
        workers=workers,  # type: ignore[arg-type]
        chunk=chunk,
        first=first,
        keep=keep or False,  # type: ignore[arg-type]
        progress=True,
    )
    note_replaced(run.replaced)
    show_report(run, output_format)
