"""What is counted in each hand and in each match, and added up over the clusters to which they belong.

A *feature* is a whole number that a row has (1 where it ended in gin, its draws of cards, …). Everything is plain NumPy on the columns'
numbers: a chunk of 100,000 hands takes a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ginsim.records import DECIDED, ENDINGS, SEATS, Column, Layout
from ginsim.statistics.catalogue import DEADWOODS, SHORT_OF_GIN, seats, won_game

if TYPE_CHECKING:
    import polars as pl

Histogram = dict[int, int]

NOBODY = len(SEATS)
"""The number that stands for a null seat here."""

Table = dict[str, np.ndarray]
"""A table's columns as plain numbers, shape (rows,) each: seats and endings by their number, null as below."""


def needed_columns(table: str, layout: Layout) -> list[str]:
    """Names of the columns that a tally reads, so that nothing else need be loaded from a file."""
    number = "match" if layout.unit == "matches" else "hand"
    return {
        "hands": [number, "dealer", "first_taker", "ending", "winner", "points", "draws", "pile_takes", *DEADWOODS],
        "games": ["hands", "winner", "shut_out"],
        "matches": ["match", "first_dealer", "hands", "decided_at_hand", "winner", "abandoned"]
        + [f"total_{seat}" for seat in seats(layout)],
    }[table]


def plain(frames: Mapping[str, pl.DataFrame], table: str, layout: Layout) -> Table:
    """The columns of a table that are needed: null seats as :data:`NOBODY`, other nulls as 0."""
    import polars as pl

    def expression(column: Column) -> pl.Expr:
        value = pl.col(column.name)
        if column.words:
            value = value.to_physical()
        if column.nullable:
            value = value.fill_null(NOBODY if column.words else False if column.type == "Boolean" else 0)
        return value

    needed = needed_columns(table, layout)
    columns = [column for column in layout.columns(table) if column.name in needed]
    # All in one query: each query costs as much as a column of 100,000 rows.
    return {series.name: series.to_numpy() for series in frames[table].select(map(expression, columns))}


def hand_features(hands: Table, layout: Layout) -> Iterator[tuple[str, np.ndarray]]:
    """Name and values, shape (hands,), of every feature of hands."""
    ending, dealer, winner, taker = (hands[name] for name in ("ending", "dealer", "winner", "first_taker"))
    for code, name in enumerate(ENDINGS):
        yield name, ending == code
    for code, seat in enumerate(seats(layout)):
        yield f"won_{seat}", winner == code
    by_dealer = winner == dealer
    yield "won_by_dealer", by_dealer
    yield "won_by_first", (winner != NOBODY) & ~by_dealer
    by_dealer = taker == dealer
    yield "taken_by_dealer", by_dealer
    yield "taken_by_first", (taker != NOBODY) & ~by_dealer
    for name in ("draws", "pile_takes"):
        yield name, hands[name]
    for code, name in enumerate(DECIDED):
        yield f"points_{name}", hands["points"] * (ending == code)
    short = _short_of_gin(ending)
    for name in DEADWOODS:
        yield name, hands[name] * short


def hand_histograms(hands: Table) -> dict[str, Histogram]:
    """How often each value occurred, for every distribution of hands."""
    ending = hands["ending"]
    width = len(ENDINGS)
    points = np.bincount(hands["points"] * np.int64(width) + ending)
    # One row a value, one column an ending.
    points = np.pad(points, (0, -len(points) % width)).reshape(-1, width)
    decided = [ENDINGS.index(name) for name in DECIDED]
    short = _short_of_gin(ending)
    return {
        "draws": _histogram(np.bincount(hands["draws"])),
        "points": _histogram(points[:, decided].sum(axis=1)),
        **{f"points_{ENDINGS[code]}": _histogram(points[:, code]) for code in decided},
        # Deadwood is at most 98, so 255 is free for the other hands.
        **{name: _histogram(np.bincount(np.where(short, hands[name], 255))[:255]) for name in DEADWOODS},
    }


def match_features(matches: Table, games: Table, layout: Layout) -> Iterator[tuple[str, np.ndarray]]:
    """Name and values, shape (matches,), of every feature of matches. Each match has as many rows in ``games`` as it has games."""
    finished = ~matches["abandoned"]
    winner, hands, decided_at = (matches[name] for name in ("winner", "hands", "decided_at_hand"))
    yield "finished", finished
    yield "abandoned", ~finished
    yield "level", finished & (winner == NOBODY)
    for code, seat in enumerate(seats(layout)):
        yield f"match_won_{seat}", winner == code
    yield "first_dealer_won", winner == matches["first_dealer"]
    yield "match_hands", hands * finished
    yield "match_margin", _margins(matches, layout)

    shape = len(winner), layout.games
    ended_at, game_winner, shut_out = (games[name].reshape(shape) for name in ("hands", "winner", "shut_out"))
    yield "shut_outs", shut_out.sum(axis=1)
    for place in range(layout.games):
        for code, name in enumerate(won_game(layout, place + 1)):
            yield name, game_winner[:, place] == code
        yield f"game_{place + 1}_hands", ended_at[:, place]

    yield "decided_early", finished & (decided_at > 0) & (decided_at < hands)
    won = np.stack([(game_winner == code).sum(axis=1) for code in range(layout.seats)])
    yield "sweeps", finished & (won == layout.games).any(axis=0)
    in_order = np.sort(ended_at, axis=1)
    again = (in_order[:, 1:] == in_order[:, :-1]) & (in_order[:, 1:] > 0)
    yield "several_games_in_a_hand", finished & again.any(axis=1)
    yield "hands_ending_games", (ended_at > 0).sum(axis=1) - again.sum(axis=1)
    # Of the games that one hand ended, the second in order stands for the hand.
    second = again & ~np.pad(again, ((0, 0), (1, 0)))[:, :-1]
    yield "hands_ending_several_games", second.sum(axis=1)


def match_histograms(features: Table, layout: Layout) -> dict[str, Histogram]:
    """How often each value occurred, for every distribution of matches, from their features."""
    won = sum(features[f"match_won_{seat}"] for seat in seats(layout)).astype(bool)
    margins = features["match_margin"][won]
    lowest = int(margins.min(initial=0))
    lengths = {"match_hands": features["match_hands"][features["finished"]]}
    if layout.games > 1:
        for game in range(1, layout.games + 1):
            ended_at = features[f"game_{game}_hands"]
            lengths[f"game_{game}_hands"] = ended_at[ended_at > 0]
    return {
        **{name: _histogram(np.bincount(values)) for name, values in lengths.items()},
        # Who wins most games of a series need not have the higher total.
        "match_margin": _histogram(np.bincount(margins - lowest), lowest),
    }


def _short_of_gin(ending: np.ndarray) -> np.ndarray:
    return np.isin(np.arange(len(ENDINGS)), [ENDINGS.index(name) for name in SHORT_OF_GIN])[ending]


def _histogram(counts: np.ndarray, lowest: int = 0) -> Histogram:
    places = np.flatnonzero(counts)
    return dict(zip((places + lowest).tolist(), counts[places].tolist(), strict=True))


def _margins(matches: Table, layout: Layout) -> np.ndarray:
    """The winner's total less the best other one, 0 without a winner; shape (matches,)."""
    totals = np.stack([matches[f"total_{seat}"] for seat in seats(layout)]).astype(np.int64)
    won = matches["winner"] == np.arange(layout.seats)[:, None]
    best_other = np.where(won, np.iinfo(np.int64).min, totals).max(axis=0)
    return np.where(won.any(axis=0), np.where(won, totals, 0).sum(axis=0) - best_other, 0)
