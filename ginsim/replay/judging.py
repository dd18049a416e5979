"""A history judged by the rules: the engine plays it with players that do what the history says.

At each question of the engine the next step of the history must be an answer to it. The first one that is not, or that the
engine does not accept, is the first illegal step. At the end the row that the engine writes is what the result has to say. What
is legal and how a hand is scored is so decided in one place; here it is only put into words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ginsim import formats, solver
from ginsim.accelerate import callback, records
from ginsim.cards import FULL_DECK, NUMBERS, as_bits, card_text, cards_text, numbers_in
from ginsim.hand import DECK, LAST, OFFER, VIEW, DecisionSignature
from ginsim.records import HAND_ROW, MAX_SEATS, SEATS, Layout, frame
from ginsim.replay.history import BIG_GIN, DECLINE, DISCARD, DRAW, KNOCK, STOCK, TAKE, Action, History

RULE_OF_ENDING = {
    "knock": "R17",
    "undercut": "R18",
    "gin": "R19",
    "big_gin": "R11",
    "draw": "R15",
    "tie": "R18",
    "stopped": "R16",
}
"""By which rule a hand ends so."""

_RULE_OF_COLUMN = {
    "box": "R28",
    "captain": "R28",
    "sitter": "R28",
    "upcard": "R5",
    "first_taker": "R6",
    "draws": "R7",
    "pile_takes": "R7",
    "stock_left": "R7",
    "knocker": "R9",
    "knocker_deadwood": "R4",
    "defender_deadwood": "R4",
    "laid_off": "R13",
    "laid_off_cards": "R13",
    "defender_deadwood_after": "R13",
}
_BROKEN_OFF = -1

_Legal = str | Callable[[], str]
"""What would have been legal, in words; where it takes time to say, only when it is asked for."""


@dataclass(frozen=True)
class Verdict:
    """What the rules say to a history.

    ``fault`` is what is wrong first, in words, or None; it is in step ``step``, counted from 1, or, where that is None, in the
    result. ``row`` is the row of the hand that the play gives, where it was legal to its end: the columns of a single hand.
    """

    fault: str | None
    step: int | None
    row: Mapping[str, Any] | None


def judge(history: History) -> Verdict:
    """Whether every step of a history was legal (R5 to R16, R32), and its result, if it has one, right (R4, R10 to R20)."""
    script = _Script(history)
    row = _play(history, script)
    if script.fault is None:
        script.close(row)
    if script.fault is not None:
        return Verdict(script.fault, script.step, None)
    return Verdict(_wrong_columns(history, row), None, row)


def _play(history: History, script: _Script) -> Mapping[str, Any]:
    """The row of the hand as the engine plays it, or as far as it went."""
    take, discard, knock = (
        callback(script.guarded(answer), DecisionSignature) for answer in (script.take, script.discard, script.knock)
    )
    rules = history.rules.packed()
    views = records(MAX_SEATS, VIEW)
    for view in views:
        view["rules"] = rules
    rows = records(1, HAND_ROW)
    formats.play_hands(
        (take,) * MAX_SEATS,
        (discard,) * MAX_SEATS,
        (knock,) * MAX_SEATS,
        views,
        records(1, DECK)[0],
        rules,
        np.uint64(0),
        0,
        1,
        False,
        np.array([[NUMBERS.index(number) for number in script.deal]], np.uint8),
        rows,
        np.zeros(0, np.int32),
        np.zeros(1, np.int64),
        records(1, formats.PROGRESS)[0],
    )
    if script.error is not None:
        raise script.error
    columns = Layout("hands", history.rules.format).columns("hands")
    row = frame(columns, rows).to_dicts()[0]
    del row["hand"]
    seats = [column.name for column in columns if column.type == "seat"]
    return row | {name: script.seats[SEATS.index(row[name])] for name in seats if row[name] is not None}


class _Fault(Exception):
    """What is wrong with the step at hand."""


class _Script:
    """Both players of a hand: they answer the engine with the steps of a history.

    ``deal`` are the 52 cards in the order of a deal, ``seats`` the names of the engine's seats: in hand 0, which this is to
    the engine, the first player sits first, or in the three-handed game the dealer, who is the box.
    """

    def __init__(self, history: History) -> None:
        self.fault: str | None = None
        self.step: int | None = None
        self.error: BaseException | None = None
        self.seats = [history.first, history.dealer]
        if history.sitter is not None:
            self.seats = [history.dealer, history.first, history.sitter]
        self._history = history
        self._stock = _whole_stock(history)
        self.deal = [
            *numbers_in(history.hands[history.first]),
            *numbers_in(history.hands[history.dealer]),
            history.upcard,
            *self._stock,
        ]
        self._place = 0
        self._has_drawn = False
        self._may_declare = False
        self._knock: str | None = None
        """Why the knock that was announced is illegal, until the engine accepts it."""

    def guarded(self, answer: Callable[[np.void], int]) -> Callable[[np.void], int]:
        """An answer to a question of the engine that raises nothing, but breaks the hand off."""

        def guarded(view: np.void) -> int:
            try:
                return answer(view)
            except _Fault as fault:
                self._blame(str(fault))
            except BaseException as error:  # noqa: BLE001 - it cannot pass through compiled code
                self.error = error
            return _BROKEN_OFF

        return guarded

    def take(self, view: np.void) -> int:
        """Whether the top of the pile is taken (R6, R7, R15)."""
        self._refuse_knock()
        seat, phase, top = self._seat(view), int(view["phase"]), _only(view["top"])
        shown = card_text(top)
        if phase == OFFER:
            rule, legal = "R6", f"{seat} takes {shown} or declines it"
        elif phase == LAST:
            rule, legal = "R15", f"{seat} takes {shown} to knock, or declines it"
        else:
            rule, legal = "R7", f"{seat} takes {shown} or draws from the stock"
        action = self._next(seat, rule, legal)
        if action.what in (DISCARD, KNOCK, BIG_GIN):
            raise self._wrong(action, f"but {seat} has drawn no card yet", rule, legal)
        if action.what == DRAW and phase != OFFER and phase != LAST:
            self._draw(action, int(view["stock"]), rule, legal)
            return 0
        if action.what == DRAW:
            reason = f"but {shown} is offered first" if phase == OFFER else "but the stock is out"
            raise self._wrong(action, reason, rule, legal)
        if action.what == DECLINE and phase not in (OFFER, LAST):
            raise self._wrong(action, "but nothing is offered: a normal turn begins with a draw", rule, legal)
        if action.card not in (top, None):
            raise self._wrong(action, f"but the top of the pile is {shown}", rule, legal)
        self._done()
        self._has_drawn = action.what == TAKE
        return int(self._has_drawn)

    def knock(self, view: np.void) -> int:
        """Whether to knock (R9), or to declare big gin (R11)."""
        if view["thrown"]:
            accepted = self._knock is not None
            self._knock = None
            return int(accepted)
        self._draw_unasked(view)
        self._may_declare = True
        action = self._upcoming()
        if action is None or action.seat != self._seat(view) or action.what != BIG_GIN:
            return 0
        self._done()
        return 1

    def discard(self, view: np.void) -> int:
        """Which card is thrown (R7, R8)."""
        self._draw_unasked(view)
        seat, held, legal_cards = self._seat(view), int(view["held"]), int(view["legal"])
        last, limit = int(view["phase"]) == LAST, int(view["limit"])
        legal = partial(self._legal_discards, seat, held, legal_cards, limit, last, self._may_declare)
        self._may_declare = False
        action = self._next(seat, "R15" if last else "R7", legal)
        if action.what == BIG_GIN:
            left = solver.deadwood(held)
            reason = "but these rules have no big gin"
            if self._history.rules.big_gin_bonus is not None:
                reason = f"but of the eleven cards {left} points are in no meld"
            raise self._wrong(action, reason, "R11", legal)
        if action.what not in (DISCARD, KNOCK) or action.card is None:
            raise self._wrong(action, f"but {seat} has drawn already", "R7", legal)
        if not held >> action.card & 1:
            raise self._wrong(action, f"but {seat} does not hold it", "R7", legal)
        left = solver.deadwood(held ^ (1 << action.card))
        if not legal_cards >> action.card & 1:
            if action.card == _only(view["taken"]) and not self._history.rules.discard_taken_card:
                raise self._wrong(action, "but it was just taken from the pile", "R8", legal)
            reason = f"but it leaves {left}, and the last discard is taken to knock with at most {limit}"
            raise self._wrong(action, reason, "R15", legal)
        if last and action.what == DISCARD:
            raise self._wrong(action, "but the last discard is taken only to knock", "R15", legal)
        if action.what == KNOCK and not last:
            self._knock = str(self._wrong(action, f"but that leaves {left}, and the knock limit is {limit}", "R9", legal))
        self._done()
        return action.card

    def close(self, row: Mapping[str, Any]) -> None:
        """After the last question: nothing may be left over."""
        try:
            self._refuse_knock()
            action = self._upcoming()
            if action is not None:
                ending = row["ending"].replace("_", " ")
                raise self._wrong(action, f"but the hand ended with step {self._place}: {ending}", RULE_OF_ENDING[row["ending"]])
        except _Fault as fault:
            self._blame(str(fault))

    def _seat(self, view: np.void) -> str:
        return self.seats[int(view["seat"])]

    def _upcoming(self) -> Action | None:
        actions = self._history.actions
        return actions[self._place] if self._place < len(actions) else None

    def _next(self, seat: str, rule: str, legal: _Legal) -> Action:
        """The next step, which must be this seat's."""
        action = self._upcoming()
        if action is None:
            raise _Fault(f"missing, for the hand has not ended ({rule}). Legal: {_text(legal)}.")
        if action.seat == self._history.sitter:
            raise self._wrong(action, f"but {action.seat} sits out", "R27", legal)
        if action.seat != seat:
            raise self._wrong(action, f"but it is {seat}'s turn", rule, legal)
        return action

    def _done(self) -> None:
        self._place += 1

    def _draw_unasked(self, view: np.void) -> None:
        """The draw that follows when both have declined, and which nobody is asked about (R6)."""
        if self._has_drawn:
            return
        seat = self._seat(view)
        legal = f"{seat} draws from the stock"
        action = self._next(seat, "R6", legal)
        if action.what != DRAW:
            top = card_text(_only(view["top"]))
            raise self._wrong(action, f"but {top} was declined twice and is dead", "R6", legal)
        self._draw(action, int(view["stock"]) + 1, "R6", legal)

    def _draw(self, action: Action, stock: int, rule: str, legal: _Legal) -> None:
        """The step draws a card while ``stock`` cards are in the stock."""
        top = self._stock[STOCK - stock]
        if action.card != top:
            reason = f"but the top of the stock is {card_text(top)}"
            if self._history.stock is None:
                reason = "but it is not in the stock"
            raise self._wrong(action, reason, rule, legal)
        self._has_drawn = True
        self._done()

    def _legal_discards(self, seat: str, held: int, legal: int, limit: int, last: bool, may_declare: bool) -> str:
        knocking = as_bits(number for number in numbers_in(legal) if solver.deadwood(held ^ (1 << number)) <= limit)
        knocks = f"knocks throwing {_one_of(knocking)}"
        if last:
            return f"{seat} {knocks}"
        declares = ", or declares big gin" if may_declare else ""
        return f"{seat} throws {_one_of(legal)}{f', or {knocks}' if knocking else ''}{declares}"

    def _refuse_knock(self) -> None:
        """The engine went on after a knock was announced: there was none."""
        if self._knock is not None:
            self._place -= 1
            raise _Fault(self._knock)

    def _wrong(self, action: Action, reason: str, rule: str, legal: _Legal = "") -> _Fault:
        what = f"{said(action)}, {reason} ({rule})."
        return _Fault(f"{what} Legal: {_text(legal)}." if legal else what)

    def _blame(self, fault: str) -> None:
        self.fault = fault
        self.step = self._place + 1


def _text(legal: _Legal) -> str:
    return legal if isinstance(legal, str) else legal()


def said(action: Action) -> str:
    """An action in words, cards in letters."""
    card = "" if action.card is None else card_text(action.card)
    words = {
        DECLINE: f"declines {card}".rstrip(),
        TAKE: f"takes {card}",
        DRAW: f"draws {card}",
        DISCARD: f"throws {card}",
        KNOCK: f"throws {card} and knocks",
        BIG_GIN: "declares big gin",
    }
    return f"{action.seat} {words[action.what]}"


def _whole_stock(history: History) -> tuple[int, ...]:
    """The stock; where nobody saw it, the cards that were drawn and after them all others, in any order."""
    if history.stock is not None:
        return history.stock
    unseen = FULL_DECK & ~(history.hands[history.first] | history.hands[history.dealer] | 1 << history.upcard)
    stock: list[int] = []
    for action in history.actions:
        if action.what == DRAW and action.card is not None and unseen >> action.card & 1:
            stock.append(action.card)
            unseen ^= 1 << action.card
    return (*stock, *numbers_in(unseen))


def _wrong_columns(history: History, row: Mapping[str, Any]) -> str | None:
    """What the result has that the play does not give, in words."""
    found = []
    for name, value in (history.result or {}).items():
        if name in row and not _same(value, row[name]):
            rule = _RULE_OF_COLUMN.get(name)
            if name in ("ending", "winner", "points"):
                rule = RULE_OF_ENDING[row["ending"]]
            reason = f" ({rule})" if rule else ""
            found.append(f"{name} is {_shown(value)}, and the play gives {_shown(row[name])}{reason}")
    return "; ".join(found) + "." if found else None


def _same(one: object, other: object) -> bool:
    return one == other and not isinstance(one, bool)


def _shown(value: object) -> str:
    return "null" if value is None else str(value)


def _only(cards: np.uint64) -> int:
    """The number of the one card in a set; -1 for none."""
    return int(cards).bit_length() - 1


def _one_of(cards: int) -> str:
    return cards_text(cards) if cards & (cards - 1) == 0 else f"one of {cards_text(cards)}"
