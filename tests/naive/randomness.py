"""The keyed counter: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011), streams of words from it, the deal."""

from collections.abc import Iterable, Iterator

from .cards import DECK, Card, in_order

Words = tuple[int, int, int, int]

#: What a stream is for.
DEAL = 1
CUT = 2
PLAY = {"A": 3, "B": 4, "C": 5}

WORD = 2**32


def philox4x32_10(counter: Words, key: tuple[int, int]) -> Words:
    """Ten rounds over four 32-bit counter words under a key of two."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c0, WORD)
        high1, low1 = divmod(0xCD9E8D57 * c2, WORD)
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0 = (k0 + 0x9E3779B9) % WORD
        k1 = (k1 + 0xBB67AE85) % WORD
    return c0, c1, c2, c3


class Stream:
    """The random words of one (seed, purpose, match, hand), and uniform choices made with them."""

    def __init__(self, seed: int, purpose: int, match: int, hand: int) -> None:
        self._words = self._all_words(seed, purpose, match, hand)

    @staticmethod
    def _all_words(seed: int, purpose: int, match: int, hand: int) -> Iterator[int]:
        key = (seed % WORD, seed // WORD)
        for block in range(WORD):
            yield from philox4x32_10((block, hand, match % WORD, purpose << 16 | match // WORD), key)

    def word(self) -> int:
        """The next 32-bit word."""
        return next(self._words)

    def below(self, n: int) -> int:
        """A uniform whole number from 0 to n - 1 (Lemire 2019, 32-bit words)."""
        product = self.word() * n
        # 2^32 mod n products too many fall on some results; those with the lowest low words are drawn again.
        if product % WORD < n:
            while product % WORD < (WORD - n) % n:
                product = self.word() * n
        return product // WORD

    def choose(self, some: Iterable[Card]) -> Card:
        """One of some cards, all equally likely; a single card costs no word."""
        ordered = in_order(some)
        return ordered[0] if len(ordered) == 1 else ordered[self.below(len(ordered))]


def shuffled(stream: Stream, how_many: int = 52) -> list[Card]:
    """The first cards off a fresh deck, each exchanged in turn with itself or one of those behind it."""
    deck = list(DECK)
    for i in range(how_many):
        j = i + stream.below(52 - i)
        deck[i], deck[j] = deck[j], deck[i]
    return deck[:how_many]


def deal(seed: int, match: int, hand: int) -> list[Card]:
    """The 52 cards of a deal (R5): 0-9 the first player's, 10-19 the dealer's, 20 face up, 21 on the stock."""
    return shuffled(Stream(seed, DEAL, match, hand))
