"""Playing a plan: its chunks, one after the other or on all cores, as pure functions of plan and chunk.

``plan -> chunk -> kernels -> rows -> frames -> tally, and files where they are wanted``. Workers are threads: the kernels need
no interpreter. They look at a stop flag between hands, so an interrupt ends a run at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from types import ModuleType
from typing import TypeVar

import numpy as np
import polars as pl

from ginsim.accelerate import is_first_start, records
from ginsim.cards import card_text, cards_text
from ginsim.errors import GinsimError
from ginsim.hand import DECK, DISCARD, VIEW
from ginsim.plan import Chunk, Plan
from ginsim.records import GAME_ROW, HAND_ROW, MATCH_ROW, MAX_SEATS, SEATS, frame
from ginsim.strategies import parse, sit

Outcome = TypeVar("Outcome")

_POLL_SECONDS = 0.1
_ROOM = 1.1


@dataclass
class Watch:
    """What runs and their watchers share: a flag that stops the kernels, and how far each running chunk is."""

    stop: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))
    running: dict[int, np.ndarray] = field(default_factory=dict)

    def hands_running(self) -> int:
        """Hands played so far in unfinished chunks."""
        return sum(int(progress["hands"]) for progress in list(self.running.values()))

    def matches_running(self) -> int:
        """Matches played so far in unfinished chunks."""
        return sum(int(progress["matches"]) for progress in list(self.running.values()))


class Stopped(Exception):
    """The stop flag was raised before a chunk was done."""


class Seating:
    """The working memory of one run of the kernels: views, deck, score sheet, and the players' decisions.

    Args:
        stop: a flag; once it is set, no player is asked any more who is called back.
    """

    def __init__(self, plan: Plan, stop: np.ndarray | None = None) -> None:
        self.stop = stop
        self.rules = plan.rules.packed()
        self.views = records(MAX_SEATS, VIEW)
        self.deck = records(1, DECK)[0]
        self.ledger = records(1, _engine().LEDGER)[0]
        players = [plan.players[min(seat, len(plan.players) - 1)] for seat in range(MAX_SEATS)]
        self.seated = [sit(player, plan.rules, stop) for player in players]
        self.take = tuple(each.take for each in self.seated)
        self.discard = tuple(each.discard for each in self.seated)
        self.knock = tuple(each.knock for each in self.seated)
        for view, each in zip(self.views, self.seated, strict=True):
            view["rules"] = self.rules
            for place, value in enumerate(each.parameters):
                view["parameters"][place] = value

    def close(self) -> None:
        """Let the players go; other programs among them end."""
        for each in self.seated:
            each.close()


def play_chunk(plan: Plan, chunk: Chunk, watch: Watch | None = None) -> dict[str, pl.DataFrame]:
    """The tables of one chunk: ``hands``, and for matches ``games`` and ``matches``.

    Raises:
        Stopped: the stop flag was raised.
        GinsimError: a player broke the rules, or something went wrong in one of the user's own.
    """
    watch = watch or Watch()
    progress = records(1, _engine().PROGRESS)
    watch.running[chunk.index] = progress[0]
    try:
        seating = Seating(plan, watch.stop)
        try:
            play = _play_matches if plan.unit == "matches" else _play_hands
            with users_errors(plan, chunk.first, progress[0]):
                return play(plan, chunk, seating, watch.stop, progress[0])
        finally:
            seating.close()
    finally:
        del watch.running[chunk.index]


NO_DEALS = np.zeros((0, 52), np.uint8)
_NO_LOG = np.zeros(0, np.int32)


def _engine() -> ModuleType:
    # Loading the kernels takes half a second, compiling them much more: only for those who play.
    from ginsim import formats

    return formats


def _play_hands(
    plan: Plan, chunk: Chunk, seating: Seating, stop: np.ndarray, progress: np.record
) -> dict[str, pl.DataFrame]:
    rows = records(chunk.count, HAND_ROW)
    _engine().play_hands(
        seating.take,
        seating.discard,
        seating.knock,
        seating.views,
        seating.deck,
        seating.rules,
        np.uint64(plan.seed),
        chunk.first,
        chunk.count,
        plan.mirror,
        NO_DEALS if plan.deals is None else plan.deals,
        rows,
        _NO_LOG,
        stop,
        progress,
    )
    check_answers(plan, seating, progress)
    if progress["hands"] < chunk.count:
        raise Stopped
    return {"hands": frame(plan.layout.columns("hands"), rows)}


def _play_matches(
    plan: Plan, chunk: Chunk, seating: Seating, stop: np.ndarray, progress: np.record
) -> dict[str, pl.DataFrame]:
    layout = plan.layout
    columns = {table: layout.columns(table) for table in layout.tables}
    parts: dict[str, list[pl.DataFrame]] = {table: [] for table in layout.tables}
    done = 0
    room = 16 * chunk.count + 100
    while done < chunk.count:
        rows = records(room, HAND_ROW)
        scores = np.zeros((room, layout.seats * layout.games), np.int32)
        game_rows = records((chunk.count - done) * layout.games, GAME_ROW)
        match_rows = records(chunk.count - done, MATCH_ROW)
        _engine().play_matches(
            seating.take,
            seating.discard,
            seating.knock,
            seating.views,
            seating.deck,
            seating.ledger,
            seating.rules,
            np.uint64(plan.seed),
            chunk.first + done,
            chunk.count - done,
            plan.mirror,
            rows,
            scores,
            game_rows,
            match_rows,
            _NO_LOG,
            stop,
            progress,
        )
        check_answers(plan, seating, progress)
        if stop[0]:
            raise Stopped
        hands, matches = int(progress["hands"]), int(progress["matches"])
        parts["hands"].append(frame(columns["hands"], rows[:hands], scores[:hands]))
        parts["games"].append(frame(columns["games"], game_rows[: matches * layout.games]))
        parts["matches"].append(frame(columns["matches"], match_rows[:matches]))
        done += matches
        # What is left of the chunk wants as many rows a match as what is done; a single match too long for the rows, twice as many.
        room = int(_ROOM * hands / matches * (chunk.count - done)) + 100 if matches else 2 * room
    return {table: pl.concat(parts[table]) for table in layout.tables}


def check_answers(plan: Plan, seating: Seating, progress: np.record) -> None:
    """See to it that nobody broke the rules.

    Raises:
        GinsimError: a strategy answered with a card that it may not throw.
    """
    seat = int(progress["fault_seat"])
    if seat < 0:
        return
    place = _place(plan, int(progress["fault_match"]), int(progress["fault_hand"]))
    player = plan.players[seat]
    fault = seating.seated[seat].fault
    if seating.stop is not None and seating.stop[0]:
        raise Stopped
    if fault is not None and isinstance(fault.cause, KeyboardInterrupt):
        raise fault.cause
    if fault is not None:
        raise fault.error(player.spec, SEATS[seat], place)
    view = seating.views[seat]
    answer, legal = int(view["answer"]), int(view["legal"])
    thrown = card_text(answer) if 0 <= answer < 64 and (answer & 15) < 13 else f"card number {answer}"
    if int(view["asked"]) != DISCARD:
        raise GinsimError(f"{player.spec} in seat {SEATS[seat]} answered {answer} and not 0 or 1 in {place}.")
    raise GinsimError(f"{player.spec} in seat {SEATS[seat]} threw {thrown} in {place}: legal were {cards_text(legal)}.")


def _place(plan: Plan, match: int, hand: int | None) -> str:
    """Where in a run, in words."""
    where = f"hand {match}" if plan.unit == "hands" else f"match {match}" if hand is None else f"hand {hand} of match {match}"
    return f"{where} (rules {plan.rules.name}, seed {plan.seed})"


_USERS_ERRORS = (ArithmeticError, LookupError, AssertionError, ValueError, TypeError)
"""What compiled functions of the user's can raise through the kernels."""


@contextmanager
def users_errors(plan: Plan, first: int, progress: np.record) -> Iterator[None]:
    """What a compiled function of the user's raises through the kernels, in a line. ``first`` is the number that was begun with.

    Raises:
        GinsimError: it did.
    """
    try:
        yield
    except _USERS_ERRORS as error:
        mine = list(dict.fromkeys(player.spec for player in plan.players if player.is_own))
        if not mine:
            raise
        from ginsim.strategies.seated import said

        place = _place(plan, first + int(progress[plan.unit]), None)
        raise GinsimError(f"{' or '.join(mine)} raised {said(error)} in {place}.") from error


def announce_compiling() -> None:
    """Say on stderr that the kernels are compiled first, where this machine has not yet, for it takes a while."""
    if is_first_start():
        print("Compiling the engine, once for this machine …", file=sys.stderr, flush=True)


def warm_up(plan: Plan) -> None:
    """Load the kernels, compiling them where this machine has not yet."""
    announce_compiling()
    # Nobody but the engine itself: a user's player may be slow, and has nothing to compile that is not compiled when loaded.
    players = tuple(parse("random") if player.is_own else player for player in plan.players)
    play_chunk(replace(plan, players=players), Chunk(0, 0, 1))


def run(
    chunks: Iterable[Chunk],
    work: Callable[[Chunk], Outcome],
    executor: Executor,
    ahead: int | Callable[[], int],
    tick: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Chunk, Outcome]]:
    """Do ``work`` for every chunk and hand the outcomes on as they come, in whatever order.

    Args:
        ahead: how many chunks are given to the executor at once; where that changes, what says how many now.
        tick: called a few times a second.
    """
    waiting: dict[Future[Outcome], Chunk] = {}
    left = iter(chunks)
    try:
        while True:
            for chunk in islice(left, max(0, (ahead() if callable(ahead) else ahead) - len(waiting))):
                waiting[executor.submit(work, chunk)] = chunk
            if not waiting:
                return
            done, _ = wait(waiting, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda future: waiting[future].index):
                yield waiting.pop(future), future.result()
            tick()
    finally:
        for future in waiting:
            future.cancel()


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
