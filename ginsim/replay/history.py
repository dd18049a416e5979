"""One hand as data: what was dealt, what each player did, how it ended; and its JSON, schema ``ginsim.history/1``.

A document is an object with these fields; cards are texts such as ``"TH"``, seats ``"A"``, ``"B"``, ``"C"``.

``schema``
    ``"ginsim.history/1"``.
``rules``
    All fields of the rules, as ``ginsim rules NAME --format json`` shows them; or the name of a preset.
``rules_name``
    What the rules are called. May be missing.
``seats``
    The seats at the table in order: two, or three under three-handed rules.
``players``
    Who sits there, in the same order, in words. May be missing.
``dealer``, ``first``
    The two seats that play the hand; ``first`` is the non-dealer, who has the first choice (R6). Under three-handed rules
    the dealer is the box and ``first`` the captain (R28).
``hands``
    By seat of these two, the list of the ten cards dealt.
``upcard``
    The card turned up to start the discard pile (R5).
``stock``
    The 31 other cards from the top. May be missing or null where nobody saw them: the cards drawn are in the actions.
``actions``
    What was done, in order: objects with ``seat``, ``action`` and ``card``. Steps are counted from 1. An action is one of

    ``decline``   the face-up card offered at the start (R6), or the last discard where it may be taken to knock (R15);
                  ``card`` is the card declined, and may be missing. On a normal turn nobody declines: he takes or draws.
    ``take``      the top ``card`` of the discard pile.
    ``draw``      the top ``card`` of the stock.
    ``discard``   ``card`` is thrown face up, and play goes on.
    ``knock``     ``card`` is thrown, and the ten left are spread; going gin is a knock (R10).
    ``big_gin``   all eleven are melded, and nothing is thrown (R11); there is no ``card``, or it is null.
``result``
    The hand's row as the table ``hands`` of a run has it, null where there is nothing. May be missing, and columns of it
    too. The numbers ``match`` and ``hand`` and the scores after the hand belong to the match around it: they are not judged.
``source``
    Where the history comes from, in words. May be missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginsim.cards import FULL_DECK, as_bits, card_text, cards_text, numbers_in, parse_sequence
from ginsim.errors import UsageError
from ginsim.records import SEATS, Layout
from ginsim.rules import Rules, load, preset_names

SCHEMA = "ginsim.history/1"
STOCK = 31

DECLINE, TAKE, DRAW, DISCARD, KNOCK, BIG_GIN = ACTIONS = ("decline", "take", "draw", "discard", "knock", "big_gin")
NUMBERS_OF_MATCH = ("match", "hand")
"""Columns that say which hand of a run it is."""

_FIELDS = (
    "schema",
    "rules",
    "rules_name",
    "seats",
    "players",
    "dealer",
    "first",
    "hands",
    "upcard",
    "stock",
    "actions",
    "result",
    "source",
)
_MAY_BE_MISSING = ("rules_name", "players", "stock", "result", "source")


@dataclass(frozen=True)
class Action:
    """One thing done: who, which of ``ACTIONS``, and the number of the card it was done with, if any."""

    seat: str
    what: str
    card: int | None = None


@dataclass(frozen=True)
class History:
    """A hand from the deal to its end. ``hands`` are sets of cards, ``stock`` numbers of cards from the top, or None."""

    rules: Rules
    dealer: str
    first: str
    hands: Mapping[str, int]
    upcard: int
    stock: tuple[int, ...] | None
    actions: tuple[Action, ...]
    result: Mapping[str, Any] | None = None
    players: tuple[str, ...] | None = None
    source: str | None = None

    @property
    def seats(self) -> tuple[str, ...]:
        """All seats at the table."""
        return SEATS[: self.rules.seats]

    @property
    def sitter(self) -> str | None:
        """Who sits out (R27), if there are three."""
        return next((seat for seat in self.seats if seat not in (self.dealer, self.first)), None)

    def other(self, seat: str) -> str:
        """Whom one of the two plays against."""
        return self.first if seat == self.dealer else self.dealer

    @property
    def name(self) -> str:
        """``hand 137`` or ``match 3, hand 5`` as the result has it; empty where it does not say."""
        result = self.result or {}
        return ", ".join(f"{column} {result[column]}" for column in NUMBERS_OF_MATCH if result.get(column) is not None)

    def as_dict(self) -> dict[str, Any]:
        """The document, ready for JSON."""
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "rules": self.rules.as_dict(),
            "rules_name": self.rules.name,
            "seats": list(self.seats),
            "players": None if self.players is None else list(self.players),
            "dealer": self.dealer,
            "first": self.first,
            "hands": {seat: cards_text(self.hands[seat]).split() for seat in sorted(self.hands)},
            "upcard": card_text(self.upcard),
            "stock": None if self.stock is None else [card_text(number) for number in self.stock],
            "actions": [
                {"seat": action.seat, "action": action.what, "card": None if action.card is None else card_text(action.card)}
                for action in self.actions
            ],
            "result": None if self.result is None else dict(self.result),
            "source": self.source,
        }
        return {name: value for name, value in document.items() if value is not None}

    @classmethod
    def from_dict(cls, document: Any) -> History:
        """The history that a document of this schema holds.

        Raises:
            UsageError: it is no such document, or its cards do not add up. Whether the play was legal is not looked at.
        """
        _check_fields(document)
        rules = _rules(document["rules"], document.get("rules_name"))
        seats = list(SEATS[: rules.seats])
        if document["seats"] != seats:
            raise UsageError(f"seats: must be {json.dumps(seats)} under these rules.")
        players = document.get("players")
        if players is not None and not (_is_list(players, str) and len(players) == len(seats)):
            raise UsageError(f"players: must be a list of {len(seats)} texts, one a seat.")
        dealer, first = (_seat(document[name], seats, name) for name in ("dealer", "first"))
        if dealer == first:
            raise UsageError(f"dealer and first are both {dealer}: first is who plays against the dealer.")
        hands = document["hands"]
        if not (isinstance(hands, Mapping) and set(hands) == {dealer, first}):
            raise UsageError(f"hands: must have the cards of {' and '.join(sorted((dealer, first)))}, who play.")
        dealt = {seat: _cards(hands[seat], 10, f"hands of {seat}") for seat in (first, dealer)}
        upcard = _card(document["upcard"], "upcard")
        stock = None if document.get("stock") is None else tuple(_cards(document["stock"], STOCK, "stock"))
        _check_deal([*dealt[first], *dealt[dealer], upcard, *(stock or ())])
        if not isinstance(document["actions"], list):
            raise UsageError("actions: must be a list.")
        return cls(
            rules=rules,
            dealer=dealer,
            first=first,
            hands={seat: as_bits(cards) for seat, cards in dealt.items()},
            upcard=upcard,
            stock=stock,
            actions=tuple(_action(one, seats, f"step {step}") for step, one in enumerate(document["actions"], 1)),
            result=_result(document.get("result"), rules),
            players=None if players is None else tuple(players),
            source=document.get("source"),
        )


def as_text(document: Mapping[str, Any]) -> str:
    """A document as JSON for people: a line a field, and a line an action."""
    lines = []
    for name, value in document.items():
        text = json.dumps(value)
        if name == "actions" and value:
            text = "[\n    " + ",\n    ".join(map(json.dumps, value)) + "\n  ]"
        lines.append(f'  "{name}": {text}')
    return "{\n" + ",\n".join(lines) + "\n}"


def _check_fields(document: Any) -> None:
    if not isinstance(document, Mapping):
        raise UsageError("a history is an object with fields.")
    if document.get("schema") != SCHEMA:
        raise UsageError(f"schema = {_short(document.get('schema'))}: must be {json.dumps(SCHEMA)}.")
    for name in document:
        if name not in _FIELDS:
            raise UsageError(f"{_short(name)} is no field of a history; there are: {', '.join(_FIELDS)}.")
    for name in _FIELDS:
        if name not in document and name not in _MAY_BE_MISSING:
            raise UsageError(f"{name} is missing.")
    for name in ("rules_name", "source"):
        if not isinstance(document.get(name) or "", str):
            raise UsageError(f"{name} = {_short(document[name])}: must be text.")


def _rules(values: Any, name: str | None) -> Rules:
    try:
        if isinstance(values, str) and values in preset_names():
            return load(values)
        if not isinstance(values, Mapping):
            raise UsageError(f"must be all fields of the rules, or one of {', '.join(preset_names())}.")
        return Rules.from_dict(values, name or "")
    except UsageError as error:
        raise UsageError(f"rules: {error}") from None


def _is_list(value: Any, type_: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, type_) for one in value)


def _seat(value: Any, seats: Sequence[str], where: str) -> str:
    if value not in seats:
        raise UsageError(f"{where} = {_short(value)}: must be one of {', '.join(seats)}.")
    return value


def _card(value: Any, where: str) -> int:
    try:
        numbers = parse_sequence(value) if isinstance(value, str) else []
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None
    if len(numbers) != 1:
        raise UsageError(f'{where} = {_short(value)}: must be one card, such as "7D".')
    return numbers[0]


def _cards(value: Any, size: int, where: str) -> list[int]:
    if not isinstance(value, list):
        raise UsageError(f"{where}: must be a list of {size} cards.")
    if len(value) != size:
        raise UsageError(f"{where}: {len(value)} cards and not {size}.")
    return [_card(one, where) for one in value]


def _check_deal(numbers: Sequence[int]) -> None:
    for place, number in enumerate(numbers):
        if number in numbers[:place]:
            missing = FULL_DECK & ~as_bits(numbers)
            instead = f"; {card_text(next(numbers_in(missing)))} is nowhere" if len(numbers) == 52 else ""
            raise UsageError(f"{card_text(number)} stands twice in the deal: each of the 52 cards is there once{instead}.")


def _action(value: Any, seats: Sequence[str], where: str) -> Action:
    if not isinstance(value, Mapping):
        raise UsageError(f"{where}: must be an object with seat, action and card.")
    if strange := [name for name in value if name not in ("seat", "action", "card")]:
        raise UsageError(f"{where}: {_short(strange[0])} is no field of an action; there are: seat, action, card.")
    seat = _seat(value.get("seat"), seats, f"{where}: seat")
    what = value.get("action")
    if what not in ACTIONS:
        raise UsageError(f"{where}: action = {_short(what)}: must be one of {', '.join(ACTIONS)}.")
    card = value.get("card")
    if what == BIG_GIN and card is not None:
        raise UsageError(f"{where}: big_gin throws no card.")
    if card is None and what in (BIG_GIN, DECLINE):
        return Action(seat, what)
    return Action(seat, what, _card(card, f"{where}: card"))


def _result(value: Any, rules: Rules) -> Mapping[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise UsageError("result: must be an object with the columns of the hand's row.")
    known = [column.name for column in Layout("matches", rules.format, rules.games or 1).columns("hands")]
    for name, content in value.items():
        if name not in known:
            raise UsageError(f"result: {_short(name)} is no column; there are: {', '.join(known)}.")
        if not isinstance(content, (str, int, float, type(None))):
            raise UsageError(f"result: {name} = {_short(content)}: must be a word, a number or null.")
        if name in NUMBERS_OF_MATCH and not (content is None or type(content) is int):
            raise UsageError(f"result: {name} = {_short(content)}: must be a whole number.")
    return value


def _short(value: Any) -> str:
    shown = json.dumps(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
