"""``ginsim deals``."""

from __future__ import annotations

import click

from ginsim.cli.options import COUNT, SEED

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
def deals(seed: int, hands: int) -> None:
    """Write the cards that a seed deals, one deal a line.

    A line has the first player's ten cards, the dealer's ten, the face-up card and the stock from its top, parted by /. They
    are the deals of `ginsim simulate --hands` with this seed; `ginsim simulate --deals FILE` plays deals from a file.
    """
    from ginsim.deals import as_line, shuffled

    for first in range(0, hands, _LINES_AT_ONCE):
        for deal in shuffled(seed, first, min(_LINES_AT_ONCE, hands - first)):
            click.echo(as_line(deal))
