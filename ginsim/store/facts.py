"""Whether the rows of a chunk can be: their numbers, and everything that follows from what they state and the rules.

Endings, winners and points follow from the deadwoods (R10 to R20, R32); dealers, roles, scores, games and matches from endings
and points (R20 to R31). All of it is reckoned once more and compared; the cards are not stored, so that nothing is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from ginsim.accelerate import kernel, records
from ginsim.cards import NUMBERS
from ginsim.formats import THREE_HANDED, write_match
from ginsim.hand import ending_of, price
from ginsim.ledger import LEDGER, enter, next_dealer, next_roles, open_ledger
from ginsim.plan import Chunk, Plan
from ginsim.records import (
    BIG_GIN,
    DRAW,
    GAME_ROW,
    GIN,
    HAND_ROW,
    MATCH_ROW,
    STOPPED,
    TIE,
    UNDERCUT,
    Column,
    frame,
)

_STOCK = 31


def fault(frames: Mapping[str, pl.DataFrame], plan: Plan, chunk: Chunk) -> str | None:
    """The first thing that is wrong with the tables of a chunk, in words; None where all is right."""
    return next(_faults(frames, plan, chunk), None)


def _faults(frames: Mapping[str, pl.DataFrame], plan: Plan, chunk: Chunk) -> Iterator[str]:
    layout = plan.layout
    for table in layout.tables:
        wanted = {column.name: column.polars for column in layout.columns(table)}
        if dict(frames[table].schema) != wanted or list(frames[table].columns) != list(wanted):
            yield f"{table} has other columns than such a run"
            return
        empty = [column.name for column in layout.columns(table) if not column.nullable and frames[table][column.name].null_count()]
        if empty:
            yield f"{table} has no value of {empty[0]} in some rows"
            return
    if frames[plan.unit].height != chunk.count:
        yield f"{plan.unit} has {frames[plan.unit].height:,} rows and not {chunk.count:,}"
        return
    misnumbered = _misnumbered(frames, plan, chunk)
    if misnumbered:
        yield f"{misnumbered} is not numbered in order"
        return
    for table, again in _reckoned(frames, plan, chunk).items():
        for name in again.columns:
            if not again[name].equals(frames[table][name]):
                row = (again[name].ne_missing(frames[table][name])).arg_max()
                yield f"{table}, row {row}: {name} is {frames[table][name][row]} and should be {again[name][row]}"
    stock = frames["hands"].select((pl.col("stock_left") + pl.col("draws") - pl.col("pile_takes") != _STOCK).any()).item()
    if stock:
        yield "hands has rows in which the draws and the stock do not add up"


def _misnumbered(frames: Mapping[str, pl.DataFrame], plan: Plan, chunk: Chunk) -> str | None:
    """The first table whose rows are not those that they should be, in order."""
    numbers = np.arange(chunk.first, chunk.first + chunk.count)
    hands = frames["hands"]
    if plan.unit == "hands":
        return None if np.array_equal(hands["hand"], numbers) else "hands"
    matches, games = frames["matches"], frames["games"]
    if not np.array_equal(matches["match"], numbers):
        return "matches"
    lengths = matches["hands"].to_numpy().astype(np.int64)
    if lengths.min(initial=1) < 1 or lengths.sum() != hands.height:
        return "hands"
    if not np.array_equal(hands["match"], np.repeat(numbers, lengths)):
        return "hands"
    if not np.array_equal(hands["hand"], np.arange(hands.height) - np.repeat(np.cumsum(lengths) - lengths, lengths)):
        return "hands"
    each = plan.layout.games
    if not np.array_equal(games["match"], np.repeat(numbers, each)):
        return "games"
    return None if np.array_equal(games["game"], np.tile(np.arange(1, each + 1), chunk.count)) else "games"


def _reckoned(frames: Mapping[str, pl.DataFrame], plan: Plan, chunk: Chunk) -> dict[str, pl.DataFrame]:
    """The columns that follow from the others, reckoned once more."""
    layout = plan.layout
    hands = frames["hands"]
    rows = records(hands.height, HAND_ROW)
    rows["box"] = rows["captain"] = rows["sitter"] = -1
    for column in layout.columns("hands"):
        if column.source[0] != "scores":
            rows[column.name] = _numbers(hands[column.name], column)
    rules = plan.rules.packed()
    _settle(rows, rules, np.array(NUMBERS, np.int64))
    columns = {table: layout.columns(table) for table in layout.tables}
    if plan.unit == "hands":
        odd = np.arange(chunk.first, chunk.first + chunk.count) % 2
        rows["dealer"] = odd if rules.format == THREE_HANDED else 1 - odd
        if rules.format == THREE_HANDED:
            rows["box"], rows["captain"], rows["sitter"] = odd, 1 - odd, 2
        again = {"hands": frame(columns["hands"], rows)}
    else:
        matches = frames["matches"]
        scores = np.zeros((hands.height, layout.seats * layout.games), np.int32)
        game_rows, match_rows = records(chunk.count * layout.games, GAME_ROW), records(chunk.count, MATCH_ROW)
        lengths = matches["hands"].to_numpy().astype(np.int64)
        _enter_all(records(1, LEDGER)[0], rules, chunk.first, lengths, rows, scores, game_rows, match_rows)
        again = {
            "hands": frame(columns["hands"], rows, scores),
            "games": frame(columns["games"], game_rows),
            "matches": frame(columns["matches"], match_rows),
        }
    return again


def _numbers(values: pl.Series, column: Column) -> np.ndarray:
    numbers = values.to_physical() if column.words else values
    return numbers.cast(pl.Int64).fill_null(-1).to_numpy()


@kernel()
def _settle(rows, rules, numbers):
    """Ending, winner and points of hands that were knocked in; what stands for nothing where nobody knocked."""
    for row in rows:
        if row.knocker < 0:
            if row.ending != DRAW and row.ending != STOPPED:
                row.ending = DRAW
            row.knocker_deadwood = -1
            row.defender_deadwood = -1
            row.laid_off = -1
            row.laid_off_cards = -1
            row.defender_deadwood_after = -1
            row.winner = -1
            row.points = 0
            continue
        if row.ending != BIG_GIN or row.knocker_deadwood != 0:
            row.ending = ending_of(np.int64(row.knocker_deadwood), np.int64(row.defender_deadwood_after), rules)
        if row.ending == GIN or row.ending == BIG_GIN:
            row.laid_off = 0
            row.laid_off_cards = 0
            row.defender_deadwood_after = row.defender_deadwood
        # Who plays against a knocker in the three-handed game is told by the roles.
        other = row.box + row.captain - row.knocker if row.box >= 0 else 1 - row.knocker
        row.winner = -1 if row.ending == TIE else (other if row.ending == UNDERCUT else row.knocker)
        left, after = np.int64(row.knocker_deadwood), np.int64(row.defender_deadwood_after)
        row.points = price(np.int64(row.ending), left, after, numbers[row.upcard], rules)


@kernel()
def _enter_all(ledger, rules, first_number, lengths, rows, scores, game_rows, match_rows):
    """Scores, dealers and roles of all hands, and the rows of games and matches, from who won each hand and what it was worth."""
    three = rules.format == THREE_HANDED
    seats = 3 if three else 2
    place = 0
    for match in range(len(lengths)):
        open_ledger(ledger)
        box = np.int64(rows[place].box)
        captain = np.int64(rows[place].captain)
        sitter = np.int64(rows[place].sitter)
        dealer = np.int64(rows[place].dealer)
        match_rows[match].first_dealer = dealer
        for _ in range(lengths[match]):
            row = rows[place]
            row.dealer = dealer
            row.box = box
            row.captain = captain
            row.sitter = sitter
            winner = np.int64(row.winner)
            enter(ledger, winner, row.points, rules)
            for seat in range(seats):
                for game in range(rules.games):
                    scores[place, seat * rules.games + game] = ledger.score[seat, game]
            if three:
                box, captain, sitter = next_roles(box, captain, sitter, winner)
                dealer = box
            else:
                dealer = next_dealer(dealer, winner, rules)
            place += 1
        write_match(ledger, rules, seats, first_number + match, game_rows, match * rules.games, match_rows[match])
