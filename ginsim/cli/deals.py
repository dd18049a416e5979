"""``ginsim deals``."""

from __future__ import annotations

import json

import click

from ginsim.cli.options import COUNT, SEED, format_option

_LINES_AT_ONCE = 10_000


@click.command(
    epilog="""\b
    Examples:
      ginsim deals --seed 1 --hands 3
      ginsim deals --seed 1 --hands 1000 > deals.txt
      ginsim simulate --deals deals.txt --mirror"""
)
@click.option("--seed", type=SEED, metavar="N", required=True, help="Which deals: any number from 0 to 2^64 - 1.")
@click.option("--hands", type=COUNT, metavar="N", required=True, help="How many.")
@format_option("table", "json")
def deals(seed: int, hands: int, output_format: str) -> None:
    """Write the cards that a seed deals, one deal a line.

    A line has the first player's ten cards, the dealer's ten, the face-up card and the stock from its top, parted by /. They
    are the deals of `ginsim simulate --hands` with this seed; `ginsim simulate --deals FILE` plays deals from a file. As JSON a
    line has the number of the hand and the same four parts as lists: "hand", "first", "dealer", "upcard", "stock".
    """
    from ginsim.deals import as_line, shuffled

    for first in range(0, hands, _LINES_AT_ONCE):
        for number, deal in enumerate(shuffled(seed, first, min(_LINES_AT_ONCE, hands - first)), first):
            line = as_line(deal)
            if output_format == "json":
                parts = zip(("first", "dealer", "upcard", "stock"), map(str.split, line.split("/")), strict=True)
                line = json.dumps({"hand": number, **dict(parts)})
            click.echo(line)
