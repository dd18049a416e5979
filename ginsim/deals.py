"""Deals as text, so that another engine, or a duplicate tournament, can be given the same cards.

One deal a line: the first player's ten cards, the dealer's ten, the card turned up, and the stock from its top, parted by ``/``.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable

import numpy as np

from ginsim.accelerate import kernel, records
from ginsim.cards import NUMBERS, TEXTS, parse_sequence
from ginsim.errors import UsageError
from ginsim.hand import DECK, fresh_deck, shuffle
from ginsim.randomness import DEAL, open_stream

PARTS = (10, 10, 1, 31)
PART_NAMES = ("the first player's cards", "the dealer's cards", "the face-up card", "the stock")

_PLACE_OF = {number: place for place, number in enumerate(NUMBERS)}


@kernel()
def _shuffle_all(deck, seed, first, deals):
    for row in range(len(deals)):
        open_stream(deck.stream, seed, np.uint64(DEAL), np.uint64(first + row), np.uint64(0))
        fresh_deck(deck)
        shuffle(deck, 52)
        deals[row] = deck.cards


def shuffled(seed: int, first: int, count: int) -> np.ndarray:
    """The deals of single hands ``first`` to ``first + count - 1`` of a seed: places in deck order, uint8 of shape (count, 52)."""
    deals = np.zeros((count, 52), np.uint8)
    _shuffle_all(records(1, DECK)[0], np.uint64(seed), first, deals)
    return deals


def as_line(deal: np.ndarray) -> str:
    """One deal as text."""
    texts = [TEXTS[place] for place in deal]
    parts, start = [], 0
    for size in PARTS:
        parts.append(" ".join(texts[start : start + size]))
        start += size
    return " / ".join(parts)


def read_deals(path: str) -> np.ndarray:
    """The deals in a file, ``-`` for stdin; as :func:`parse`.

    Raises:
        UsageError: it cannot be read, or a line is no deal.
    """
    if path == "-":
        if sys.stdin is None:
            raise UsageError("standard input is closed: there are no deals to read.")
        return parse(sys.stdin, "standard input")
    try:
        with open(path, encoding="utf-8") as file:
            return parse(file, path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not text in UTF-8.") from None


def parse(lines: Iterable[str], source: str) -> np.ndarray:
    """The deals written in ``lines``, as :func:`shuffled` gives them; empty lines and those that begin with # are passed over.

    Raises:
        UsageError: a line is no deal; ``source`` and the line's number stand in front.
    """
    deals = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            deals.append(_parse_line(line.strip()))
        except UsageError as error:
            raise UsageError(f"{source}, line {number}: {error}") from None
    if not deals:
        raise UsageError(f"{source}: there is no deal in it.")
    return np.array(deals, np.uint8)


def _parse_line(line: str) -> list[int]:
    parts = line.split("/")
    if len(parts) != len(PARTS):
        raise UsageError(f"{len(parts)} {'part' if len(parts) == 1 else 'parts'}: a deal is {', '.join(PART_NAMES)}, parted by /.")
    numbers: list[int] = []
    for part, size, name in zip(parts, PARTS, PART_NAMES, strict=True):
        found = parse_sequence(part)
        if len(found) != size:
            raise UsageError(f"{name}: {len(found)} cards and not {size}.")
        numbers += found
    twice = {number for number in numbers if numbers.count(number) > 1}
    if twice:
        raise UsageError(f"{TEXTS[_PLACE_OF[min(twice)]]} stands twice: each of the 52 cards is there once.")
    return [_PLACE_OF[number] for number in numbers]


def fingerprint(deals: np.ndarray) -> str:
    """A hash of the deals, which names them in a plan."""
    return hashlib.sha256(deals.tobytes()).hexdigest()
