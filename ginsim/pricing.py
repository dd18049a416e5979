"""What hands that have been played are worth under other bonuses: ending, winner and points, from the facts in their rows.

A player who does not look at the bonuses plays the same cards whatever they are, so that his hands need not be played again. What a
hand is worth, :func:`ginsim.hand.ending_of` and :func:`ginsim.hand.price` say, here as at the table.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from ginsim.accelerate import kernel
from ginsim.cards import NUMBERS
from ginsim.hand import ending_of, price
from ginsim.records import BIG_GIN, ENDINGS, SEATS, TIE, UNDERCUT
from ginsim.rules import FIELDS, Rules, differences

PRICES = ("gin_bonus", "undercut_bonus", "undercut_on_tie", "big_gin_bonus", "spade_doubles")
"""Fields that say what a hand is worth, and do not touch its cards (R11, R18, R19, R32); whether there is big gin at all does."""

AROUND = (
    *("format", "target", "next_dealer", "games", "series_end", "shut_out"),
    *("box_bonus", "game_bonus", "blitz_bonus", "max_hands"),
)
"""Fields that say what is made of hands in a match (R21 to R31). Single hands know only how many sit at the table."""

_NUMBER_OF_PLACE = np.array(NUMBERS, dtype=np.int64)
_NOBODY = -1


def differ_in_price_alone(one: Rules, other: Rules) -> bool:
    """Whether a single hand can go differently under two rule sets only because players look at what it is worth."""
    if one.seats != other.seats or (one.big_gin_bonus is None) != (other.big_gin_bonus is None):
        return False
    return differences(one, other).keys() <= {*PRICES, *AROUND}


def prices_that_differ(one: Rules, other: Rules) -> tuple[str, ...]:
    """The fields by which the same hand may be worth something else."""
    changed = differences(one, other)
    return tuple(name for name in FIELDS if name in PRICES and name in changed)


def priced(hands: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Single hands as they would stand in the table had they been played under these rules with the same cards.

    Args:
        hands: the table of a run of single hands, in which A and B play, under rules that :func:`differ_in_price_alone`.
    """
    wanted = ("ending", "knocker", "knocker_deadwood", "defender_deadwood_after", "upcard")
    facts = hands.select(
        (pl.col(name).to_physical() if isinstance(hands.schema[name], pl.Enum) else pl.col(name)).cast(pl.Int64).fill_null(_NOBODY)
        for name in wanted
    )
    ending, knocker, left, after, upcard = (facts[name].to_numpy() for name in wanted)
    ending = ending.copy()
    winner = np.full(len(ending), _NOBODY)
    points = np.zeros(len(ending), np.int64)
    _price_all(ending, knocker, left, after, _NUMBER_OF_PLACE[upcard], winner, points, rules.packed())
    seat = pl.Series("winner", winner)
    return hands.with_columns(
        pl.Series("ending", ending).cast(pl.UInt8).cat.to(pl.Enum(ENDINGS)),
        pl.select(pl.when(seat >= 0).then(seat).cast(pl.UInt8).cat.to(pl.Enum(SEATS)).alias("winner")).to_series(),
        pl.Series("points", points).cast(pl.Int32),
    )


@kernel()
def _price_all(ending, knocker, left, after, upcard_number, winner, points, rules):
    for row in range(ending.size):
        if knocker[row] == _NOBODY:
            continue
        if ending[row] != BIG_GIN:
            ending[row] = ending_of(left[row], after[row], rules)
        # In single hands A and B play, also under three-handed rules.
        if ending[row] != TIE:
            winner[row] = 1 - knocker[row] if ending[row] == UNDERCUT else knocker[row]
        points[row] = price(ending[row], left[row], after[row], upcard_number[row], rules)
