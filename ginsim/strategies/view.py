"""What a player of one's own sees: a readable, read-only picture of the engine's record, with cards as text.

The same fields go to another program as JSON; :data:`FIELDS` says once what each of them means.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import numpy as np

from ginsim import melds
from ginsim.cards import NUMBERS, TEXTS
from ginsim.hand import OFFER, TURN, VIEW
from ginsim.records import ENDINGS, MAX_GAMES, SEATS
from ginsim.rules import Rules

TAKE, DISCARD, KNOCK, DECLARE = QUESTIONS = ("take", "discard", "knock", "declare_big_gin")
"""What a player is asked; the methods of a plain Python player have these names."""

FIELDS = {
    "question": "what is asked: take, discard, knock or declare_big_gin",
    "cards": "the own cards in ascending order: ten; eleven when asked to discard or to declare",
    "top": "the card on top of the pile, which may be taken; null after it was taken",
    "taken": "the card just taken from the pile, else null",
    "thrown": "the own discard, when asked to knock; else null",
    "legal": "the legal discards in ascending order, when asked to discard; else none",
    "pile": "all cards on the discard pile",
    "stock": "number of cards left in the stock",
    "draws": "cards taken from stock or pile by both players in this hand",
    "turn": "own turns in this hand so far, the one asked about included once its card is drawn",
    "other_took": "cards that the other side took from the pile and still holds",
    "other_threw": "cards that the other side threw",
    "other_declined": "face-up cards that the other side passed over",
    "deadwood": "deadwood of the own cards (R4); of eleven cards, before the discard",
    "limit": "the knock limit of this hand (R9, R32)",
    "phase": "offer: the first card is offered (R6); turn (R7); last: the last discard may be taken to knock (R15)",
    "is_dealer": "whether this player dealt the hand",
    "multiplier": "what the points of this hand are multiplied with (R32)",
    "hand": "number of the hand in its match, from 0",
    "seat": "the own seat: A, B or C",
    "other": "the seat of the other side in this hand",
    "last_ending": "how the match's hand before this one ended: knock, undercut, gin and so on; null in the first",
    "last_knocker": "the seat that knocked in it, gin included; null where nobody did",
    "last_draws": "cards taken from stock or pile in it; null in the first hand",
    "scores": "own scores, game by game, before this hand",
    "other_scores": "the other side's scores, likewise",
    "sitter_score": "score of the player who sits out of a three-handed hand, else null",
    "rules": "the rules in force, all fields",
}
"""Every field of a view and what it means."""

MANUAL = f"""A player in plain Python: --strategy my_bot.py:MyBot, or package.module:MyBot

  class MyBot:                          made afresh for each match and seat; may remember within it
      version = 1                       may be missing; is noted in what is stored
      uses_scoring = False              may be missing; True if the play depends on bonuses or scores
      def __init__(self, knock=10):     parameters, as in my_bot.py:MyBot:knock=5; may be missing
      def take(self, view):             True to take the top of the pile, False to draw or decline
      def discard(self, view):          a card of view.legal, such as "7D"
      def knock(self, view):            True to knock now; asked when the ten cards left are within the limit
      def declare_big_gin(self, view):  True to declare; asked where the rules have it; if missing: True

Cards are texts: a rank A 2-9 T J Q K and a suit C D H S. What a view has, each as view.NAME:

{chr(10).join(f"  {name:15} {meaning}" for name, meaning in FIELDS.items()).replace("null", "None")}
  random          a random.Random of the seat's own: take all chance from it, and the same seed gives the same play
  melds           the own cards melded, as a knocker would show them
  best_discards() the legal discards that leave the least deadwood
  deadwood_without(card), makes_meld(card)

Own cards, legal discards and scores are tuples, other sets of cards frozensets, rules a ginsim.Rules.

A compiled player plays as fast as the built-in ones: MyBot = ginsim.compiled(take, discard, knock), three functions in Numba's
subset of Python over the engine's record, whose fields help(ginsim.hand) explains; parameters are ginsim.strategies.Parameter.
"""

_NUMBER_OF = dict(zip(TEXTS, NUMBERS, strict=True))
_TEXT_OF_BIT = {1 << number: text for text, number in _NUMBER_OF.items()}
_WORDS = {OFFER: "offer", TURN: "turn"}
_LAST = "last"


def _reader() -> tuple[Callable[[Any], tuple[int, ...]], dict[str, int]]:
    """A function that reads all numbers of a view's record at once, and the place of each in what it gives."""
    scalars = [name for name in VIEW.names or () if VIEW[name] in (np.dtype("u8"), np.dtype("i8"))]
    offsets = {name: VIEW.fields[name][1] for name in VIEW.names or ()}
    stream, stream_at = VIEW["stream"], offsets["stream"]
    wanted = {name: (offsets[name], "Q" if VIEW[name].kind == "u" else "q") for name in scalars}
    wanted |= {f"{name}.{game}": (offsets[name] + 4 * game, "i") for name in ("own_scores", "other_scores") for game in range(MAX_GAMES)}
    wanted |= {f"stream.{name}": (stream_at + stream.fields[name][1], "Q") for name in ("key", "match", "purpose", "hand")}
    wanted |= {"memory": (offsets["memory"], "Q"), "notes": (offsets["notes"], "Q")}
    code, at = "=", 0
    places = {}
    for name, (offset, letter) in sorted(wanted.items(), key=lambda item: item[1][0]):
        code += f"{offset - at}x{letter}"
        at = offset + struct.calcsize("=" + letter)
        places[name] = len(places)
    return struct.Struct(code).unpack_from, places


read, PLACES = _reader()
_PLACE = PLACES.__getitem__
_HELD, _TOP, _TAKEN, _THROWN, _LEGAL = map(_PLACE, ("held", "top", "taken", "thrown", "legal"))
_PILE, _OTHER_TOOK, _OTHER_THREW, _OTHER_DECLINED = map(_PLACE, ("pile", "other_took", "other_threw", "other_declined"))
_DEADWOOD, _LIMIT, _PHASE, _STOCK, _DRAWS = map(_PLACE, ("deadwood", "limit", "phase", "stock", "draws"))
_TURNS, _DEALS, _MULTIPLIER, _HAND, _SEAT = map(_PLACE, ("turns", "deals", "multiplier", "hand", "seat"))
_OTHER, _LAST_ENDING, _LAST_KNOCKER, _LAST_DRAWS = map(_PLACE, ("other", "last_ending", "last_knocker", "last_draws"))
_OWN_SCORES, _OTHER_SCORES, _SITTER = map(_PLACE, ("own_scores.0", "other_scores.0", "sitter_score"))


class View:
    """What a player sees when asked. Cards are texts such as ``"7D"`` and ``"TH"``; nothing in it can be changed.

    Besides the fields of :data:`FIELDS` it has ``random``, a :class:`random.Random` of the seat's own, made afresh for every hand from
    the run's seed: whoever draws from no other chance plays the same under the same seed.
    """

    __slots__ = ("_numbers", "_random", "_rules", "question")

    def __init__(self, numbers: tuple[int, ...], question: str, rules: Rules, random: Callable[[], Random]) -> None:
        object.__setattr__(self, "_numbers", numbers)
        object.__setattr__(self, "question", question)
        object.__setattr__(self, "_rules", rules)
        object.__setattr__(self, "_random", random)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a view cannot be changed: {name}")

    def __repr__(self) -> str:
        return f"<View {' '.join(f'{name}={value!r}' for name, value in self.as_dict(rules=False).items())}>"

    @property
    def cards(self) -> tuple[str, ...]:
        """The own cards in ascending order: clubs, diamonds, hearts, spades, ace lowest."""
        return _texts(self._numbers[_HELD])

    @property
    def top(self) -> str | None:
        """The card on top of the pile; None after it was taken."""
        return _TEXT_OF_BIT.get(self._numbers[_TOP])

    @property
    def taken(self) -> str | None:
        """The card just taken from the pile, which may not be thrown on this turn (R8)."""
        return _TEXT_OF_BIT.get(self._numbers[_TAKEN])

    @property
    def thrown(self) -> str | None:
        """The own discard, when asked to knock."""
        return _TEXT_OF_BIT.get(self._numbers[_THROWN])

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal discards in ascending order, when asked to discard."""
        return _texts(self._numbers[_LEGAL]) if self.question == DISCARD else ()

    @property
    def pile(self) -> frozenset[str]:
        """All cards on the discard pile."""
        return frozenset(_texts(self._numbers[_PILE]))

    @property
    def stock(self) -> int:
        """Cards left in the stock."""
        return self._numbers[_STOCK]

    @property
    def draws(self) -> int:
        """Cards drawn by both players in this hand."""
        return self._numbers[_DRAWS]

    @property
    def turn(self) -> int:
        """Own turns in this hand so far."""
        return self._numbers[_TURNS]

    @property
    def other_took(self) -> frozenset[str]:
        """Cards that the other side took from the pile and still holds."""
        return frozenset(_texts(self._numbers[_OTHER_TOOK]))

    @property
    def other_threw(self) -> frozenset[str]:
        """Cards that the other side threw."""
        return frozenset(_texts(self._numbers[_OTHER_THREW]))

    @property
    def other_declined(self) -> frozenset[str]:
        """Face-up cards that the other side passed over."""
        return frozenset(_texts(self._numbers[_OTHER_DECLINED]))

    @property
    def deadwood(self) -> int:
        """Deadwood of the own cards (R4). What eleven leave after a discard is another number: :meth:`deadwood_without`."""
        if self.question == KNOCK:
            return self._numbers[_DEADWOOD]
        return int(melds.deadwood(np.uint64(self._numbers[_HELD])))

    @property
    def limit(self) -> int:
        """The knock limit of this hand (R9, R32)."""
        return self._numbers[_LIMIT]

    @property
    def phase(self) -> str:
        """``offer`` (R6), ``turn`` (R7) or ``last`` (R15)."""
        return _WORDS.get(self._numbers[_PHASE], _LAST)

    @property
    def is_dealer(self) -> bool:
        """Whether this player dealt the hand."""
        return bool(self._numbers[_DEALS])

    @property
    def multiplier(self) -> int:
        """What the points of this hand are multiplied with (R32)."""
        return self._numbers[_MULTIPLIER]

    @property
    def hand(self) -> int:
        """Number of the hand in its match, from 0."""
        return self._numbers[_HAND]

    @property
    def seat(self) -> str:
        """The own seat."""
        return SEATS[self._numbers[_SEAT]]

    @property
    def other(self) -> str:
        """The seat of the other side in this hand."""
        return SEATS[self._numbers[_OTHER]]

    @property
    def last_ending(self) -> str | None:
        """How the match's hand before this one ended; None in the first."""
        ending = self._numbers[_LAST_ENDING]
        return None if ending < 0 else ENDINGS[ending]

    @property
    def last_knocker(self) -> str | None:
        """The seat that knocked in that hand."""
        knocker = self._numbers[_LAST_KNOCKER]
        return None if knocker < 0 else SEATS[knocker]

    @property
    def last_draws(self) -> int | None:
        """Cards drawn by both players in that hand."""
        draws = self._numbers[_LAST_DRAWS]
        return None if draws < 0 else draws

    @property
    def scores(self) -> tuple[int, ...]:
        """Own scores, game by game, before this hand."""
        return self._numbers[_OWN_SCORES : _OWN_SCORES + (self._rules.games or 1)]

    @property
    def other_scores(self) -> tuple[int, ...]:
        """The other side's scores, likewise."""
        return self._numbers[_OTHER_SCORES : _OTHER_SCORES + (self._rules.games or 1)]

    @property
    def sitter_score(self) -> int | None:
        """Score of who sits out of a three-handed hand (R27)."""
        return self._numbers[_SITTER] if self._rules.seats == len(SEATS) else None

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self._rules

    @property
    def random(self) -> Random:
        """The seat's own source of chance in this hand."""
        return self._random()

    @property
    def melds(self) -> tuple[tuple[str, ...], ...]:
        """The own cards melded as a knocker would show them (R14)."""
        return tuple(_texts(int(meld)) for meld in melds.spread(np.uint64(self._numbers[_HELD])) if meld)

    def makes_meld(self, card: str) -> bool:
        """Whether a card makes a meld with own cards."""
        return bool(melds.makes_meld(np.uint64(self._numbers[_HELD]), np.uint64(bit(card))))

    def deadwood_without(self, card: str) -> int:
        """Deadwood of the own cards but for one (R4).

        Raises:
            ValueError: it is none of the own cards.
        """
        held = self._numbers[_HELD]
        if not held & bit(card):
            raise ValueError(f"{card} is none of the own cards")
        return int(melds.deadwood(np.uint64(held ^ bit(card))))

    def best_discards(self) -> tuple[str, ...]:
        """The legal discards that leave the least deadwood, when asked to discard."""
        held = self._numbers[_HELD]
        _, best = melds.best_discards(np.uint64(held), np.uint64(held & ~self._numbers[_LEGAL]))
        return _texts(int(best))

    def as_dict(self, *, rules: bool = True) -> dict[str, Any]:
        """All fields, ready for JSON: sets of cards as lists in ascending order."""
        values = {name: getattr(self, name) for name in FIELDS if name != "rules"}
        values = {name: _listed(value) if isinstance(value, (tuple, frozenset)) else value for name, value in values.items()}
        return values | {"rules": self._rules.as_dict()} if rules else values


def bit(card: str) -> int:
    """A card's text as a set of one.

    Raises:
        ValueError: it is no card.
    """
    try:
        return 1 << _NUMBER_OF[card]
    except (KeyError, TypeError):
        raise ValueError(f"{card!r} is no card: cards are texts like '7D' and 'TH'") from None


def _texts(cards: int) -> tuple[str, ...]:
    found = []
    while cards:
        lowest = cards & -cards
        found.append(_TEXT_OF_BIT[lowest])
        cards ^= lowest
    return tuple(found)


def _listed(values: Iterable[Any]) -> list[Any]:
    return sorted(values, key=_NUMBER_OF.__getitem__) if isinstance(values, frozenset) else list(values)
