"""Cards as bits and as text.

A set of cards is a 64-bit number: one 16-bit lane a suit (clubs, diamonds, hearts, spades from the low end), ace lowest
in its lane, so card number ``16 * suit + rank``. The order of these numbers is the order of the 52-bit numbers of R13 and
R14. The king is high and the ace is never high (R1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ginsim.errors import UsageError

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SYMBOLS = "♣♦♥♠"
NUMBERS = tuple(16 * suit + rank for suit in range(4) for rank in range(13))
TEXTS = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards as text in ascending order of card number."""

FULL_DECK = sum(1 << number for number in NUMBERS)

_NUMBER_OF = dict(zip(TEXTS, NUMBERS, strict=True))
_TEXT_OF = dict(zip(NUMBERS, TEXTS, strict=True))
_CARD = re.compile(rf"(10|[{RANKS}])\ufe0e?([{SUITS}{SYMBOLS}♧♢♡♤])[\ufe0e\ufe0f]?", re.IGNORECASE | re.ASCII)
_SUIT_LETTER = dict(zip(SYMBOLS + "♧♢♡♤", SUITS * 2, strict=True))
_SEPARATORS = re.compile(r"[\s,;]+")


def points(number: int) -> int:
    """Points of a card (R2): ace 1, number cards their number, ten and faces 10."""
    return min((number & 15) + 1, 10)


def card_text(number: int, *, symbols: bool = False) -> str:
    """Text of one card number, ``TH`` or ``T♥``."""
    text = _TEXT_OF[number]
    return text[0] + SYMBOLS[SUITS.index(text[1])] if symbols else text


def numbers_in(cards: int) -> Iterator[int]:
    """Card numbers of a set in ascending order."""
    cards = int(cards)
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


def cards_text(cards: int, *, symbols: bool = False) -> str:
    """Text of a set, cards in ascending order, separated by blanks."""
    return " ".join(card_text(number, symbols=symbols) for number in numbers_in(cards))


def as_bits(numbers: Iterable[int]) -> int:
    """The set that holds the given card numbers."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def parse_sequence(text: str) -> list[int]:
    """Card numbers in the order written.

    Ranks ``A 2 … 9 10 T J Q K`` and suits as letters or symbols in any case, with or without blanks or commas between cards.

    Raises:
        UsageError: where something is not a card, or a card stands twice.
    """
    numbers: list[int] = []
    for word in filter(None, _SEPARATORS.split(text)):
        position = 0
        while position < len(word):
            found = _CARD.match(word, position)
            if found is None:
                raise UsageError(
                    f"{_shorten(word[position:])!r} in {_shorten(text)!r} is not a card: "
                    "write a rank (A 2-9 10 T J Q K) and a suit (C D H S or ♣ ♦ ♥ ♠), like 7D or 10♥."
                )
            rank = found[1].upper()
            suit = found[2].upper()
            number = _NUMBER_OF[("T" if rank == "10" else rank) + _SUIT_LETTER.get(suit, suit)]
            if number in numbers:
                raise UsageError(f"{card_text(number)} stands twice in {_shorten(text)!r}: each card exists once.")
            numbers.append(number)
            position = found.end()
    return numbers


def parse_cards(text: str) -> int:
    """The set of cards written in ``text``; as :func:`parse_sequence`, order forgotten."""
    return as_bits(parse_sequence(text))


def _shorten(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
