"""Cards as two-letter texts (R1, R2): rank then suit, ``"AC"`` to ``"KS"``."""

from collections.abc import Iterable

Card = str
Cards = frozenset[str]

SUITS = "CDHS"
RANKS = "A23456789TJQK"

#: The ordered deck: clubs ace to king, diamonds, hearts, spades.
DECK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

#: A card's number: its place in the ordered deck, 0 to 51.
NUMBER: dict[Card, int] = {card: place for place, card in enumerate(DECK)}


def cards(text: str) -> Cards:
    """The cards of a text such as ``"7D TH AS"``, which must be 52-deck cards, each named once."""
    listed = text.split()
    assert all(card in NUMBER for card in listed), text
    assert len(set(listed)) == len(listed), text
    return frozenset(listed)


def card_points(card: Card) -> int:
    """Ace 1, number cards their number, ten and faces 10 (R2)."""
    return min(RANKS.index(card[0]) + 1, 10)


POINTS: dict[Card, int] = {card: card_points(card) for card in DECK}


def points(some: Iterable[Card]) -> int:
    """The points of some cards together (R2)."""
    return sum(POINTS[card] for card in some)


def as_number(some: Iterable[Card]) -> int:
    """A card set read as a 52-bit number: clubs lowest suit, ace lowest rank (R13, R14)."""
    return sum(1 << NUMBER[card] for card in set(some))


def in_order(some: Iterable[Card]) -> list[Card]:
    """Cards in ascending card number."""
    return sorted(some, key=NUMBER.__getitem__)
