"""Players of one's own at the table: the engine's questions put to something that is called back.

Nothing can be raised through compiled code. So whatever goes wrong in an answer is kept as a :class:`Fault`, the engine is told to
break the hand off, and whoever runs the engine raises :meth:`Fault.error` afterwards.
"""

from __future__ import annotations

import linecache
import os
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from types import CodeType
from typing import Any

import numpy as np

from ginsim.accelerate import callback
from ginsim.cards import FULL_DECK, cards_text
from ginsim.errors import GinsimError
from ginsim.hand import DecisionSignature
from ginsim.rules import Rules
from ginsim.strategies.view import DECLARE, DISCARD, FIELDS, KNOCK, PLACES, TAKE, View, bit, read

_NO_ANSWER = -1
_PATIENCE = 0.5
_SHOWN = 400
_PACKAGE = str(Path(__file__).parents[1]) + os.sep
_ASKED = {TAKE: "to take", DISCARD: "to discard", KNOCK: "to knock", DECLARE: "to declare big gin"}


class WrongAnswer(Exception):
    """A player answered with something that is no answer, or broke the rules.

    ``notes`` are lines that tell more; ``shows_view`` says whether what the player saw is to be shown besides.
    """

    def __init__(self, reason: str, notes: tuple[str, ...] = (), *, shows_view: bool = True) -> None:
        super().__init__(reason)
        self.notes = notes
        self.shows_view = shows_view


@dataclass(frozen=True)
class Fault:
    """What went wrong in an answer: the exception, and what the player saw, if it was asked anything yet."""

    cause: BaseException
    view: View | None

    def error(self, player: str, seat: str, place: str) -> GinsimError:
        """The error to raise: its message is one line, its notes say where in the user's file and what the player saw.

        Args:
            place: hand, match and seed in words.
        """
        when = " when it was made, in"
        if self.view is not None:
            when = f", asked {_ASKED[self.view.question]} in turn {max(self.view.turn, 1)} of"
        error = GinsimError(f"{player} in seat {seat} {self._what()}{when} {place}.")
        for line in self._notes():
            error.add_note(line)
        error.__cause__ = None if isinstance(self.cause, WrongAnswer) else self.cause
        return error

    def _what(self) -> str:
        if isinstance(self.cause, WrongAnswer):
            return str(self.cause)
        frames = _own_frames(self.cause)
        where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
        return f"raised {said(self.cause)}{where}"

    def _notes(self) -> Iterator[str]:
        if isinstance(self.cause, WrongAnswer):
            yield from self.cause.notes
            if not self.cause.shows_view:
                return
        else:
            for frame in _own_frames(self.cause):
                yield f'File "{frame.filename}", line {frame.lineno}, in {frame.name}'
                if frame.line:
                    yield f"    {frame.line.strip()}"
        if self.view is not None:
            yield "What it saw:"
            for name, value in self.view.as_dict(rules=False).items():
                if name in FIELDS and value not in (None, []):
                    yield f"    {name:14} {' '.join(map(str, value)) if isinstance(value, list) else value}"


def said(error: BaseException) -> str:
    """An exception in a line: its class and what it says."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {_shortened(text)}" if text else type(error).__name__


def own_place(error: BaseException) -> str | None:
    """The file and line of the user's own in which an exception was raised; None where it was nowhere in one."""
    frames = _own_frames(error)
    frames = [frame for frame in frames if not frame.filename.startswith("<frozen")]
    return f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else None


def defined(code: CodeType) -> str:
    """Where a function is defined, as a traceback has it."""
    return f'File "{code.co_filename}", line {code.co_firstlineno}, in {code.co_name}'


class Seated:
    """Someone in a seat: three first-class functions for the kernels, and the numbers for ``view.parameters``."""

    fault: Fault | None = None

    def __init__(self, take: Callable, discard: Callable, knock: Callable, parameters: tuple[float, ...] = ()) -> None:
        self.take = take
        self.discard = discard
        self.knock = knock
        self.parameters = parameters

    def close(self) -> None:
        """Leave the table."""


class CalledSeat(Seated):
    """Someone who is called back for every decision. ``shows_view``: whether an error shows what was seen, besides :meth:`where`.

    Args:
        stop: a flag; once it is set, the hand at hand is broken off at the next question.
    """

    shows_view = True

    def __init__(self, rules: Rules, stop: np.ndarray | None) -> None:
        self._rules = rules
        self._stop = stop
        self._chance: Random | None = None
        self._name_of_chance = 0
        self._thread = 0
        take, discard, knock = (
            callback(partial(self._ask, question), DecisionSignature) for question in (TAKE, DISCARD, KNOCK)
        )
        super().__init__(take, discard, knock)
        _everybody.add(self)

    def begin_match(self) -> None:
        """A match begins: nothing that came before may matter."""

    def answer(self, view: View) -> Any:
        """The answer to ``view.question``: a yes or no as bool, a discard as text."""
        raise NotImplementedError

    def where(self, question: str) -> tuple[str, ...]:
        """Lines that say where the answer to a question comes from."""
        return ()

    def _ask(self, question: str, record: np.void) -> int:
        view = None
        try:
            if self._stop is not None and self._stop[0]:
                return _NO_ANSWER
            numbers = read(record)
            if question == KNOCK and not numbers[_THROWN]:
                question = DECLARE
            # Both are zeroed by the engine, one at every match, the other at every hand.
            if not numbers[_MEMORY]:
                self._thread = threading.get_ident()
                self.begin_match()
                record["memory"][0] = 1
            if not numbers[_NOTES]:
                self._chance = None
                self._name_of_chance = _name_of_stream(numbers)
                record["notes"][0] = 1
            view = View(numbers, question, self._rules, self._random)
            self._thread = threading.get_ident()
            answer = self.answer(view)
            self._thread = 0
            return self._checked(view, numbers[_LEGAL], answer)
        except BaseException as error:  # noqa: BLE001 - it cannot pass through compiled code
            self._thread = 0
            self.fault = Fault(error, view)
            return _NO_ANSWER

    def _random(self) -> Random:
        if self._chance is None:
            self._chance = Random(self._name_of_chance)
        return self._chance

    def _checked(self, view: View, legal: int, answer: Any) -> int:
        if view.question == DISCARD:
            try:
                card = bit(answer)
            except ValueError:
                kind = "" if isinstance(answer, str) else f" ({type(answer).__name__})"
                reason = f"threw {_shown(answer)}{kind}, which is no card such as '7D'"
                raise self._wrong(reason, DISCARD) from None
            if not card & legal:
                raise self._wrong(f"threw {answer}, and legal were {cards_text(legal & FULL_DECK)}", DISCARD)
            return card.bit_length() - 1
        if answer is True or answer is False or isinstance(answer, np.bool_):
            return int(answer)
        reason = f"answered {_shown(answer)} ({type(answer).__name__}) and not True or False"
        raise self._wrong(reason, view.question)


    def _wrong(self, reason: str, question: str) -> WrongAnswer:
        return WrongAnswer(reason, self.where(question), shows_view=self.shows_view)


class PlainSeat(CalledSeat):
    """A plain Python player: an object with methods, made afresh for each match."""

    def __init__(self, make: Callable[[], Any], rules: Rules, stop: np.ndarray | None) -> None:
        super().__init__(rules, stop)
        self._make = make
        self._player: Any = None

    def begin_match(self) -> None:
        """Make the player afresh."""
        self._player = self._make()

    def answer(self, view: View) -> Any:
        """Call the player's method. Without ``declare_big_gin`` it always declares."""
        if view.question == DECLARE and not hasattr(self._player, DECLARE):
            return True
        return getattr(self._player, view.question)(view)

    def where(self, question: str) -> tuple[str, ...]:
        """Where the method stands in the user's file."""
        code = getattr(getattr(self._player, question, None), "__code__", None)
        return () if code is None else (defined(code),)


def break_off() -> None:
    """Interrupt whoever is still thinking although the stop flag is set, as an endless loop in a user's method would."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if not any(seat._thread for seat in _everybody):
            return
        time.sleep(_PATIENCE / 10)
    import ctypes

    for seat in list(_everybody):
        if seat._thread:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(seat._thread), ctypes.py_object(KeyboardInterrupt))
    # Who sleeps outside of Python goes on. Here the next interrupt is heard, and in a join of threads it need not be.
    while any(seat._thread for seat in _everybody):
        time.sleep(_PATIENCE / 10)


_everybody: weakref.WeakSet[CalledSeat] = weakref.WeakSet()
_THROWN, _LEGAL, _MEMORY, _NOTES = (PLACES[name] for name in ("thrown", "legal", "memory", "notes"))
_KEY, _MATCH, _PURPOSE, _HAND = (PLACES[f"stream.{name}"] for name in ("key", "match", "purpose", "hand"))


def _name_of_stream(numbers: tuple[int, ...]) -> int:
    """The name of the seat's stream as one number, no two alike."""
    return numbers[_KEY] | numbers[_PURPOSE] << 64 | numbers[_MATCH] << 80 | numbers[_HAND] << 144


def _own_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The frames of a traceback that are not ginsim's."""
    linecache.checkcache()
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if not frame.filename.startswith(_PACKAGE)]


def _shown(value: object) -> str:
    try:
        return _shortened(" ".join(repr(value).split()))
    except Exception:  # noqa: BLE001 - the user's __repr__ may do anything
        return f"a {type(value).__name__}"


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
