"""Hands of a run played once more, with everything that was done in them.

A single hand is played alone; a hand of a match by playing the match up to it, for what came before decides who deals and
what the players remember.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from ginsim import formats
from ginsim.accelerate import kernel, records
from ginsim.cards import NUMBERS, as_bits
from ginsim.errors import GinsimError, UsageError
from ginsim.hand import BIG_GINS, DECK, DECLINES, DRAWS, KNOCKS, TAKES, THROWS, fresh_deck, shuffle
from ginsim.plan import ENGINE, Plan
from ginsim.randomness import DEAL, open_stream
from ginsim.records import GAME_ROW, HAND_ROW, MATCH_ROW, SEATS, frame
from ginsim.replay.history import BIG_GIN, DECLINE, DISCARD, DRAW, KNOCK, TAKE, Action, History
from ginsim.runner import NO_DEALS, Seating, announce_compiling, check_answers, users_errors
from ginsim.store import Store, stored_deals

_WHAT = {DECLINES: DECLINE, TAKES: TAKE, DRAWS: DRAW, THROWS: DISCARD, KNOCKS: KNOCK, BIG_GINS: BIG_GIN}
_EVENTS_A_DRAW = 2
_OTHER_EVENTS = 4
"""Of a hand: its beginning, two refusals of the upcard, one of the last discard."""

_FEW_HANDS = 64


@dataclass(frozen=True)
class Replay:
    """Hands played again.

    ``hands`` are their histories, ``ended`` for each of them the games that ended with it: which, from 1, and who won it.
    ``frames`` are the rows that a run has for them, by table: for a whole match those of its games and its own as well.
    """

    plan: Plan
    number: int
    hands: tuple[History, ...]
    ended: tuple[tuple[tuple[int, str], ...], ...]
    frames: Mapping[str, pl.DataFrame]

    @property
    def match(self) -> Mapping[str, Any] | None:
        """The row of the match, where it was played to its end."""
        return self.frames["matches"].to_dicts()[0] if "matches" in self.frames else None


def play(plan: Plan, number: int, hand: int | None = None) -> Replay:
    """Play single hand ``number`` of a plan again, or of match ``number`` hand ``hand``, or, without one, all its hands.

    Raises:
        UsageError: the plan's deals do not reach so far, or the match has no such hand.
        GinsimError: a player broke the rules, or something went wrong in one of the user's own.
    """
    announce_compiling()
    return _play_match(plan, number, hand) if plan.unit == "matches" else _play_hand(plan, number)


def play_stored(store: Store, number: int, hand: int | None = None) -> Replay:
    """As :func:`play`, of a stored run, whose rows must be the same.

    Raises:
        UsageError: the run holds no such hand or match.
        GinsimError: the rows are not the same, or files of the run are damaged.
    """
    store.need_rows()
    plan = store.plan
    stored = _stored(store, number)
    if stored is None:
        raise UsageError(f"{store.folder} does not hold {_unit(plan)} {number}: {_extent(store)}.")
    plan = replace(plan, deals=stored_deals(store))
    replay = play(plan, number, hand)
    for table, again in replay.frames.items():
        there = stored[table]
        if table == "hands" and hand is not None:
            there = there.filter(pl.col("hand") == hand)
        if difference := _difference(there, again):
            raise GinsimError(
                f"{store.folder}: {_unit(plan)} {number} is not as stored: {table}, {difference}. {_reason(plan)}"
            )
    return replay


@kernel()
def _deal(deck, seed, match, hand):
    open_stream(deck.stream, seed, np.uint64(DEAL), np.uint64(match), np.uint64(hand))
    fresh_deck(deck)
    shuffle(deck, 52)


def _play_hand(plan: Plan, number: int) -> Replay:
    deal_number = number // 2 if plan.mirror else number
    if plan.deals is not None and deal_number >= len(plan.deals):
        most = len(plan.deals) * (2 if plan.mirror else 1)
        raise UsageError(f"hand {number}: the given deals are enough for hands 0 to {most - 1}.")
    rows, log = records(1, HAND_ROW), _log(plan, 1)
    with _seated(plan, number) as (seating, progress):
        formats.play_hands(
            seating.take,
            seating.discard,
            seating.knock,
            seating.views,
            seating.deck,
            seating.rules,
            np.uint64(plan.seed),
            number,
            1,
            plan.mirror,
            NO_DEALS if plan.deals is None else plan.deals,
            rows,
            log,
            np.zeros(1, np.int64),
            progress,
        )
        check_answers(plan, seating, progress)
    frames = {"hands": frame(plan.layout.columns("hands"), rows)}
    (events,) = _split(log)
    cards = _shuffled(plan, deal_number, 0) if plan.deals is None else plan.deals[deal_number]
    history = _history(plan, rows[0], frames["hands"].to_dicts()[0], cards, events)
    return Replay(plan, number, (history,), ((),), frames)


def _play_match(plan: Plan, number: int, hand: int | None) -> Replay:
    # How long a match is, only playing it tells; the whole of it seldom is long.
    most = plan.rules.max_hands if hand is None else min(hand + 1, plan.rules.max_hands)
    room = min(_FEW_HANDS, most)
    while not (played := _Match(plan, number, room)).whole and room < most:
        room = min(2 * room, most)
    count = played.count
    if hand is not None and hand >= count:
        raise UsageError(f"match {number} has no hand {hand}: it ended after {count}, numbered 0 to {count - 1}.")
    layout = plan.layout
    frames = {"hands": frame(layout.columns("hands"), played.rows[:count], played.scores[:count])}
    if hand is None:
        frames["games"] = frame(layout.columns("games"), played.games)
        frames["matches"] = frame(layout.columns("matches"), played.matches)
    else:
        frames["hands"] = frames["hands"][hand : hand + 1]
    deal_number = number // 2 if plan.mirror else number
    hands, ended = [], []
    for row in frames["hands"].to_dicts():
        place = row["hand"]
        cards = _shuffled(plan, deal_number, place)
        hands.append(_history(plan, played.rows[place], row, cards, played.events[place]))
        ended.append(tuple(_games_ended(played.ledger, place + 1, layout.games)))
    return Replay(plan, number, tuple(hands), tuple(ended), frames)


class _Match:
    """A match played to its end (``whole``), or as far as there is ``room`` for hands; ``count`` says how many there are."""

    def __init__(self, plan: Plan, number: int, room: int) -> None:
        layout = plan.layout
        self.rows = records(room, HAND_ROW)
        self.scores = np.zeros((room, layout.seats * layout.games), np.int32)
        self.games = records(layout.games, GAME_ROW)
        self.matches = records(1, MATCH_ROW)
        log = _log(plan, room)
        with _seated(plan, number) as (seating, progress):
            formats.play_matches(
                seating.take,
                seating.discard,
                seating.knock,
                seating.views,
                seating.deck,
                seating.ledger,
                seating.rules,
                np.uint64(plan.seed),
                number,
                1,
                plan.mirror,
                self.rows,
                self.scores,
                self.games,
                self.matches,
                log,
                np.zeros(1, np.int64),
                progress,
            )
            check_answers(plan, seating, progress)
        self.ledger = seating.ledger
        self.events = list(_split(log))
        self.whole = bool(progress["matches"])
        self.count = len(self.events)


@contextmanager
def _seated(plan: Plan, number: int) -> Iterator[tuple[Seating, np.void]]:
    """Players made afresh, and a ``PROGRESS`` record.

    Raises:
        GinsimError: something goes wrong in a player of the user's.
    """
    progress = records(1, formats.PROGRESS)[0]
    seating = Seating(plan)
    try:
        with users_errors(plan, number, progress):
            yield seating, progress
    finally:
        seating.close()


def _log(plan: Plan, hands: int) -> np.ndarray:
    """An empty log with room for so many hands. The memory it has no need of is never touched."""
    return np.zeros(1 + hands * (_EVENTS_A_DRAW * plan.rules.max_draws + _OTHER_EVENTS), np.int32)


def _split(log: np.ndarray) -> Iterator[np.ndarray]:
    """The events of each hand in a log."""
    events = log[1 : int(log[0]) + 1]
    yield from (part[1:] for part in np.split(events, np.flatnonzero(events == formats.HAND_BEGINS))[1:])


def _shuffled(plan: Plan, match: int, hand: int) -> np.ndarray:
    deck = records(1, DECK)[0]
    _deal(deck, np.uint64(plan.seed), match, hand)
    return deck["cards"]


def _history(plan: Plan, raw: np.void, row: Mapping[str, Any], cards: np.ndarray, events: np.ndarray) -> History:
    numbers = [NUMBERS[place] for place in cards]
    dealer = SEATS[raw["dealer"]]
    first = row["captain"] if plan.rules.seats == 3 else SEATS[1 - raw["dealer"]]
    return History(
        rules=plan.rules,
        dealer=dealer,
        first=first,
        hands={first: as_bits(numbers[:10]), dealer: as_bits(numbers[10:20])},
        upcard=numbers[20],
        stock=tuple(numbers[21:]),
        actions=tuple(_actions(events, first, dealer)),
        result=row,
        players=tuple(player.spec for player in plan.players),
        source=_source(plan),
    )


def _actions(events: np.ndarray, first: str, dealer: str) -> Iterator[Action]:
    seat, other = first, dealer
    for event in events:
        kind, card = divmod(int(event), 64)
        # Big gin is declared with no card, whose number would be 64.
        what = _WHAT[min(kind, BIG_GINS)]
        yield Action(seat, what, None if what == BIG_GIN else card)
        if what in (DECLINE, DISCARD):
            seat, other = other, seat


def _source(plan: Plan) -> str:
    cards = "" if plan.deals_hash is None else ", given deals"
    return f"ginsim engine {plan.engine}, seed {plan.seed}{', mirrored' if plan.mirror else ''}{cards}"


def _games_ended(ledger: np.void, hands: int, games: int) -> Iterator[tuple[int, str]]:
    for game in range(games):
        if ledger["ended_at"][game] == hands:
            yield game + 1, SEATS[ledger["game_winner"][game]]


def _difference(stored: pl.DataFrame, again: pl.DataFrame) -> str | None:
    """Where two frames differ first, in words."""
    if stored.columns != again.columns:
        return f"columns {', '.join(stored.columns)} there and {', '.join(again.columns)} here"
    if stored.height != again.height:
        return f"{stored.height} rows there and {again.height} here"
    for place, (one, other) in enumerate(zip(stored.to_dicts(), again.to_dicts(), strict=True)):
        for column in again.columns:
            if one[column] != other[column]:
                row = f" of row {place}" if again.height > 1 else ""
                return f"{column}{row} is {one[column]} there and {other[column]} here"
    return None


def _reason(plan: Plan) -> str:
    if plan.engine != ENGINE:
        return f"Engine {plan.engine} played it, and this is engine {ENGINE}."
    return "The run is damaged, or another version of ginsim played it."


def _unit(plan: Plan) -> str:
    return "match" if plan.unit == "matches" else "hand"


def _stored(store: Store, number: int) -> dict[str, pl.DataFrame] | None:
    """The rows of a hand or match in a run's tables; None if it is not there."""
    plan = store.plan
    index = number // plan.chunk
    if not all(store.path(table, index).is_file() for table in plan.layout.tables):
        return None
    column = "match" if plan.unit == "matches" else "hand"
    tables = {table: rows.filter(pl.col(column) == number) for table, rows in store.read(index).items()}
    return tables if tables[plan.unit].height else None


def _extent(store: Store) -> str:
    span = store.span()
    if not span.count:
        return "it is empty"
    gaps = " with gaps, as it was interrupted" if store.gaps() else ""
    return f"it has {store.plan.unit} {span.first} to {span.end - 1}{gaps}"
