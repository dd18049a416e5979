"""What a seat may see, and the two players that decide over it.

A player is any object with four methods over a :class:`View`: ``take`` (the top of the pile, or not),
``declare`` (big gin, or not), ``discard`` (one of ``view.legal``), ``knock`` (or play on).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from .cards import Card, Cards
from .randomness import Stream
from .rules import Rules
from .solver import best_discards, deadwood, melds_with


@dataclass(frozen=True)
class View:
    """All that a seat sees at one decision."""

    seat: str
    rules: Rules
    #: The knock limit of this hand.
    limit: int
    #: The cards held: ten at ``take`` and ``knock``, eleven at ``declare`` and ``discard``.
    hand: Cards
    #: The discard pile, oldest first; its top is the last.
    pile: tuple[Card, ...]
    #: Cards left in the stock.
    stock_left: int
    #: What ``take`` is about: "upcard" (R6), "turn" (R7), "last" (R15, to knock only); None elsewhere.
    offer: str | None
    #: The card taken from the pile on this turn; None where it came from the stock or none was drawn yet.
    taken: Card | None
    #: The cards that may be discarded now; empty except at ``discard``.
    legal: Cards
    #: The seat's own finished turns of this hand: (card taken from the pile or None, card thrown).
    turns: tuple[tuple[Card | None, Card], ...]
    #: The seat's own random stream.
    stream: Stream

    @property
    def top(self) -> Card:
        """The card on the pile."""
        return self.pile[-1]


class Player(Protocol):
    """The decisions a seat answers."""

    def take(self, view: View) -> bool: ...

    def declare(self, view: View) -> bool: ...

    def discard(self, view: View) -> Card: ...

    def knock(self, view: View) -> bool: ...


class Random:
    """Legal and uniform."""

    def take(self, view: View) -> bool:
        return view.stream.below(2) == 1

    def declare(self, view: View) -> bool:
        return view.stream.below(2) == 1

    def discard(self, view: View) -> Card:
        return view.stream.choose(view.legal)

    def knock(self, view: View) -> bool:
        return view.stream.below(2) == 1


class Simple:
    """Takes what makes a meld, throws what leaves least, knocks at ``knock`` or less as soon as it may."""

    def __init__(self, knock: int = 10) -> None:
        self.limit = knock

    def take(self, view: View) -> bool:
        eleven = view.hand | {view.top}
        if not melds_with(view.top, eleven):
            return False
        if view.offer != "last":
            return True
        barred = None if view.rules["discard_taken_card"] else view.top
        least, _ = best_discards(eleven, barred)
        return least <= min(self.limit, view.limit)

    def declare(self, view: View) -> bool:
        return True

    def discard(self, view: View) -> Card:
        avoided = {view.taken}
        if view.taken is not None:
            avoided |= {thrown for taken, thrown in view.turns if taken == view.taken}
        wanted = (view.legal - avoided) or view.legal
        left = {card: deadwood(view.hand - {card}) for card in wanted}
        least = min(left.values())
        return view.stream.choose(card for card in wanted if left[card] == least)

    def knock(self, view: View) -> bool:
        return deadwood(view.hand) <= self.limit


def make_player(strategy: str | Callable[[], Any]) -> Any:
    """A fresh player from ``random``, ``simple``, ``simple:knock=4``, or from a maker of players."""
    if callable(strategy):
        return strategy()
    if strategy == "random":
        return Random()
    if strategy == "simple":
        return Simple()
    name, parameter, value = strategy.replace(":", "=").split("=")
    assert (name, parameter) == ("simple", "knock"), strategy
    return Simple(knock=int(value))
