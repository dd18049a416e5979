"""Every table's columns, declared once: names, types, meanings, and the rows that the kernels write.

A kernel writes plain numbers into NumPy rows (``HAND_ROW``, ``GAME_ROW``, ``MATCH_ROW``), -1 standing for "none"; :func:`frame`
turns them into the Polars frames that people see, in which none is null and seats, cards and endings are words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ginsim.cards import TEXTS

if TYPE_CHECKING:
    import polars as pl

SCHEMA = 2
"""Version of the tables below and of their files; a stored run states the one it was written with. Since 2 files carry checksums."""

SEATS = ("A", "B", "C")
ENDINGS = ("knock", "undercut", "gin", "big_gin", "draw", "tie", "stopped")
DECIDED = ENDINGS[:4]
KNOCK, UNDERCUT, GIN, BIG_GIN, DRAW, TIE, STOPPED = range(7)
FORMATS = ("game", "hollywood", "three_handed")
TABLES = ("hands", "games", "matches")
MAX_GAMES = 9
MAX_SEATS = 3

Unit = Literal["hands", "matches"]

HAND_ROW = np.dtype(
    [
        ("match", "i8"),
        ("hand", "i8"),
        ("points", "i4"),
        ("draws", "i4"),
        ("pile_takes", "i4"),
        ("dealer", "i1"),
        ("box", "i1"),
        ("captain", "i1"),
        ("sitter", "i1"),
        ("upcard", "i1"),
        ("first_taker", "i1"),
        ("stock_left", "i1"),
        ("knocker", "i1"),
        ("knocker_deadwood", "i1"),
        ("defender_deadwood", "i1"),
        ("laid_off", "i1"),
        ("laid_off_cards", "i1"),
        ("defender_deadwood_after", "i1"),
        ("ending", "i1"),
        ("winner", "i1"),
    ],
    align=True,
)
"""One hand. ``upcard`` counts cards in deck order, 0 (AC) to 51 (KS)."""

GAME_ROW = np.dtype(
    [
        ("match", "i8"),
        ("hands", "i4"),
        ("score", "i4", (MAX_SEATS,)),
        ("boxes", "i4", (MAX_SEATS,)),
        ("total", "i4", (MAX_SEATS,)),
        ("game", "i1"),
        ("winner", "i1"),
        ("shut_out", "i1"),
    ],
    align=True,
)

MATCH_ROW = np.dtype(
    [
        ("match", "i8"),
        ("hands", "i4"),
        ("decided_at_hand", "i4"),
        ("games", "i4", (MAX_SEATS,)),
        ("total", "i4", (MAX_SEATS,)),
        ("first_dealer", "i1"),
        ("winner", "i1"),
        ("abandoned", "i1"),
    ],
    align=True,
)


@dataclass(frozen=True)
class Column:
    """One column of a table.

    ``type`` is the name of a Polars type, or ``seat``, ``card``, ``ending`` for those words. ``source`` is the field of
    the kernel's row and, where that is a list, the place in it.
    """

    name: str
    type: str
    meaning: str
    nullable: bool = False
    source: tuple[str, int | None] = ("", None)

    @property
    def words(self) -> tuple[str, ...] | None:
        """The words that the column's numbers stand for, or None."""
        return {"seat": SEATS, "card": TEXTS, "ending": ENDINGS}.get(self.type)

    @property
    def polars(self) -> pl.DataType:
        """The Polars type."""
        import polars as pl

        return pl.Enum(self.words) if self.words else getattr(pl, self.type)()


@dataclass(frozen=True)
class Layout:
    """Which columns a run has: its unit (single hands or matches), format and number of games."""

    unit: Unit
    format: str
    games: int = 1

    @property
    def seats(self) -> int:
        """Two, or three in the three-handed game."""
        return 3 if self.format == "three_handed" else 2

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables that the run has: single hands belong to no match."""
        return TABLES if self.unit == "matches" else TABLES[:1]

    def columns(self, table: str) -> tuple[Column, ...]:
        """The columns of ``hands``, ``games`` or ``matches``, in their order."""
        return {"hands": self._hands, "games": self._games, "matches": self._matches}[table]()

    def _per_seat(self, name: str, type_: str, meaning: str) -> list[Column]:
        return [
            Column(f"{name}_{seat.lower()}", type_, meaning.format(seat), source=(name, place))
            for place, seat in enumerate(SEATS[: self.seats])
        ]

    def _scores(self) -> list[Column]:
        if self.unit == "hands":
            return []
        several = self.format == "hollywood"
        return [
            Column(
                f"score_{seat.lower()}" + (f"_{game + 1}" if several else ""),
                "Int32",
                f"{seat}'s score" + (f" in game {game + 1}" if several else "") + " after the hand",
                source=("scores", place * self.games + game),
            )
            for game in range(self.games)
            for place, seat in enumerate(SEATS[: self.seats])
        ]

    def _hands(self) -> tuple[Column, ...]:
        matches = self.unit == "matches"
        return (
            *([Column("match", "Int64", "number of the match, from 0")] if matches else []),
            Column("hand", "Int64", "number of the hand " + ("within its match, from 0" if matches else "from 0")),
            Column("dealer", "seat", "who dealt"),
            *(
                [
                    Column("box", "seat", "who is in the box (R27)"),
                    Column("captain", "seat", "who plays against the box"),
                    Column("sitter", "seat", "who sits out"),
                ]
                if self.format == "three_handed"
                else []
            ),
            Column("upcard", "card", "the first card turned up (R5)"),
            Column("first_taker", "seat", "who took the upcard when it was offered (R6); null: both declined", True),
            Column("draws", "UInt16", "cards taken from stock or pile by both players"),
            Column("pile_takes", "UInt16", "of these, from the pile"),
            Column("stock_left", "UInt8", "cards left in the stock"),
            Column("knocker", "seat", "who knocked, gin and big gin included", True),
            Column("knocker_deadwood", "UInt8", "the knocker's deadwood (R4)", True),
            Column("defender_deadwood", "UInt8", "the defender's deadwood before laying off", True),
            Column("laid_off", "UInt8", "points of the cards laid off (R12, R13)", True),
            Column("laid_off_cards", "UInt8", "number of cards laid off", True),
            Column("defender_deadwood_after", "UInt8", "the defender's deadwood after laying off", True),
            Column("ending", "ending", f"how the hand ended: {', '.join(ENDINGS)}"),
            Column("winner", "seat", "who scored", True),
            Column("points", "Int32", "what the winner scored (R17 to R20)"),
            *self._scores(),
        )

    def _games(self) -> tuple[Column, ...]:
        return (
            Column("match", "Int64", "number of the match, from 0"),
            Column("game", "UInt8", "which game of the match, as R22 names them: from 1"),
            Column("hands", "Int32", "hands of the match played when the game ended; null: it was left open", True),
            Column("winner", "seat", "who won the game", True),
            *self._per_seat("score", "Int32", "points entered for {}"),
            *self._per_seat("boxes", "Int32", "hands entered for {}"),
            Column("shut_out", "Boolean", "no other player had a hand entered (R31)", True),
            *self._per_seat("total", "Int32", "{}'s score with box, game and blitz bonuses"),
        )

    def _matches(self) -> tuple[Column, ...]:
        return (
            Column("match", "Int64", "number of the match, from 0"),
            Column("first_dealer", "seat", "who dealt the first hand"),
            Column("hands", "Int32", "hands played"),
            Column("decided_at_hand", "Int32", "hands played when the winner was certain to win (R24)", True),
            Column("winner", "seat", "who won the match", True),
            Column("abandoned", "Boolean", "stopped at max_hands without an end (R16)"),
            *self._per_seat("games", "Int32", "games won by {}"),
            *self._per_seat("total", "Int32", "{}'s totals over all games"),
        )


def frame(columns: tuple[Column, ...], rows: np.ndarray, scores: np.ndarray | None = None) -> pl.DataFrame:
    """A Polars frame of kernel rows.

    Args:
        columns: the columns wanted, from :meth:`Layout.columns`.
        rows: structured array of one of the row types, shape (n,).
        scores: for hands of matches, shape (n, seats · games).
    """
    import polars as pl

    def values(column: Column) -> np.ndarray:
        field, place = column.source
        if field == "scores":
            return scores[:, place]
        return rows[column.name] if place is None else rows[field][:, place]

    raw = pl.DataFrame({column.name: np.ascontiguousarray(values(column)) for column in columns})
    def expression(column: Column) -> pl.Expr:
        value = pl.col(column.name)
        if column.nullable:
            value = pl.when(value >= 0).then(value)
        if column.words:
            return value.cast(pl.UInt8).cat.to(column.polars).alias(column.name)
        return value.cast(column.polars).alias(column.name)

    return raw.select(map(expression, columns))
