"""The one source of randomness: a keyed counter.

Every stream is named by (seed, purpose, match, hand) and made by Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel
random numbers: as easy as 1, 2, 3", 2011): the seed is the key; block number, hand, match and purpose are the counter. So no
two streams, of one seed or of several, ever share a block, and a stream depends on nothing but its name.
"""

from __future__ import annotations

import secrets

import numpy as np

from ginsim.accelerate import kernel, popcount

DEAL, CUT, PLAY = 1, 2, 3
"""Purposes; seat number s plays from purpose ``PLAY + s``."""

MAX_SEED = 2**64 - 1
MAX_MATCHES = 2**48
BUFFER = 32

STREAM = np.dtype(
    [
        ("key", "u8"),
        ("match", "u8"),
        ("purpose", "u8"),
        ("hand", "u8"),
        ("block", "u8"),
        ("used", "i8"),
        ("filled", "i8"),
        ("words", "u4", (BUFFER,)),
    ],
    align=True,
)
"""A stream's name and its words that are made and not yet used."""

_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)
_ONE = np.uint64(1)
_PURPOSE_SHIFT = np.uint64(16)


def draw_seed() -> int:
    """A fresh seed from the operating system."""
    return secrets.randbits(64)


@kernel()
def open_stream(stream, seed, purpose, match, hand):
    """Set ``stream`` (a ``STREAM`` record) to the first word of the stream with this name."""
    stream.key = seed
    stream.match = match
    stream.purpose = purpose
    stream.hand = hand
    stream.block = 0
    stream.used = 0
    stream.filled = 0


@kernel()
def philox(c0, c1, c2, c3, k0, k1):
    """One block of Philox4x32-10: four words of the counter (c0 … c3) under the key (k0, k1), all 32 bits in uint64."""
    for _ in range(10):
        p0 = _MULTIPLIER_0 * c0
        p1 = _MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (p1 >> _SHIFT) ^ c1 ^ k0, p1 & _LOW, (p0 >> _SHIFT) ^ c3 ^ k1, p0 & _LOW
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    return c0, c1, c2, c3


@kernel()
def refill(stream, blocks):
    """Make the next ``blocks`` blocks of four words (at most ``BUFFER // 4``); the buffer must be used up."""
    c1 = stream.hand & _LOW
    c2 = stream.match & _LOW
    c3 = (stream.purpose << _PURPOSE_SHIFT) | (stream.match >> _SHIFT)
    k0 = stream.key & _LOW
    k1 = stream.key >> _SHIFT
    block = stream.block
    for place in range(blocks):
        w0, w1, w2, w3 = philox(block & _LOW, c1, c2, c3, k0, k1)
        stream.words[4 * place] = w0
        stream.words[4 * place + 1] = w1
        stream.words[4 * place + 2] = w2
        stream.words[4 * place + 3] = w3
        block += _ONE
    stream.block = block
    stream.used = 0
    stream.filled = 4 * blocks


@kernel()
def next_word(stream):
    """The next 32-bit word, as uint64."""
    if stream.used == stream.filled:
        refill(stream, 1)
    word = np.uint64(stream.words[stream.used])
    stream.used += 1
    return word


@kernel()
def is_doubtful(product, bound):
    """Whether a word times ``bound`` may have to be drawn again for its high half to be uniform; seldom."""
    return (product & _LOW) < bound


@kernel()
def settle_doubt(stream, product, bound):
    """The product of the first word, from ``product`` on, that need not be drawn again."""
    threshold = ((_LOW - bound) + _ONE) % bound
    while (product & _LOW) < threshold:
        product = next_word(stream) * bound
    return product


@kernel()
def below(stream, count):
    """A uniform whole number from 0 to ``count`` - 1, exactly (Lemire, "Fast random integer generation in an interval", 2019)."""
    bound = np.uint64(count)
    product = next_word(stream) * bound
    if is_doubtful(product, bound):
        product = settle_doubt(stream, product, bound)
    return np.int64(product >> _SHIFT)


@kernel()
def choose(stream, cards):
    """One card of a set, uniformly, as a bit; a single card costs no random word."""
    count = popcount(cards)
    if count > 1:
        for _ in range(below(stream, count)):
            cards &= cards - _ONE
    return cards & (~cards + _ONE)
