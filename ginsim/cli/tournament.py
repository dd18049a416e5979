"""``ginsim tournament``."""

from __future__ import annotations

from pathlib import Path

import click

from ginsim.cli.options import COUNT, SEED, format_option, plot_option, rules_options, show_report, workers_option


@click.command(
    epilog="""\b
    Examples:
      ginsim tournament simple patient expert --rules eaai --matches 10k --seed 1
      ginsim tournament simple simple:knock=0 my_bot.py:MyBot --rules gin --out runs/cup
      ginsim tournament simple patient expert --rules three-handed --matches 1k --plot three.svg"""
)
@click.argument("players", metavar="PLAYER…", nargs=-1, required=True)
@rules_options("hollywood")
@click.option(
    "--matches",
    type=COUNT,
    metavar="N",
    default=1000,
    show_default=True,
    help="Play N pairs of matches for each pairing: both matches of a pair on the same deals, with seats exchanged. Under "
    "three-handed rules, N times all six seatings of every three players on the same deals.",
)
@click.option("--seed", type=SEED, metavar="N", help="Which deals: any number from 0 to 2^64 - 1. Drawn and shown if not given.")
@click.option(
    "--out", type=click.Path(), metavar="DIR", help="Store every outcome in this folder, each pairing as a run of its own in there."
)
@workers_option
@format_option("table", "json", "csv", "markdown")
@plot_option
def tournament(
    players: tuple[str, ...],
    rules: str,
    settings: tuple[str, ...],
    matches: int,
    seed: int | None,
    out: str | None,
    workers: int | str,
    output_format: str,
    plot: Path | None,
) -> None:
    """Play a round robin: who beats whom, and by how much.

    Every player meets every other on the same deals. The report has each player's share of matches won, net points a hand,
    and a Bradley-Terry rating, and the same for every pairing. Intervals are over pairs of matches, for these share their deals.

    PLAYER is as for `ginsim simulate --strategy`. With --out the same command again completes an interrupted tournament, and with a
    larger number extends it; `ginsim report DIR` shows it again, and each folder in DIR is a run that all other commands read.
    """
    from ginsim import api
    from ginsim.rules import load

    played = api.tournament(
        players,
        load(rules, settings),
        matches=matches,
        seed=seed,
        out=out,
        workers=workers,  # type: ignore[arg-type]
        progress=True,
    )
    if plot is not None:
        played.plot(plot)
    show_report(played, output_format)
