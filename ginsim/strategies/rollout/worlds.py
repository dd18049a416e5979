"""The cards that a player has not seen, dealt as they may lie: a *world*."""

from __future__ import annotations

import math

import numpy as np

from ginsim.accelerate import kernel, lowest_number, popcount
from ginsim.cards import FULL_DECK, NUMBERS
from ginsim.hand import cards_between, shuffle
from ginsim.melds import best_discards, deadwood
from ginsim.strategies.expert.other import EAGER, WAITING, deadwood_at
from ginsim.randomness import DEAL, below, next_word, open_stream

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_DECK = np.uint64(FULL_DECK)
_WORDS = 2.0**32
_EXCHANGES = 40


@kernel()
def unseen_cards(view):
    """The cards of which the player does not know where they are."""
    return _DECK & ~(view.held | view.thrown | view.pile | view.other_took)


@kernel()
def lay_out(view, deck):
    """Put the unseen cards at the end of the deck, in order: the other's first, then the stock. The place of the first one."""
    unseen = unseen_cards(view)
    first = 52 - popcount(unseen)
    place = first
    for number in range(52):
        if (unseen >> np.uint64(_NUMBERS[number])) & _ONE != _NONE:
            deck.cards[place] = number
            place += 1
    return first


@kernel()
def deal_world(view, deck, first, key, world, waits, means, p):
    """Deal the unseen cards anew; the answer is what the other holds. The stock lies at the end of the deck.

    Args:
        first: the place of the first unseen card in the deck.
        key, world: what names the chance by which they are dealt.
    """
    stock = 52 - view.stock
    stream = deck.stream
    open_stream(stream, key, np.uint64(DEAL), np.uint64(world), np.uint64(0))
    deck.seen = first
    shuffle(deck, 52)
    his = cards_between(deck, first, stock) | view.other_took
    if p[3] > 0.0 and first < stock and stock < 52 and view.draws > view.turns:
        kind = WAITING if np.float64(next_word(stream)) < waits * _WORDS else EAGER
        wanted = deadwood_at(means[kind], kind, (np.float64(next_word(stream)) + 0.5) / _WORDS) + p[2]
        energy = _energy(view, his, wanted, p)
        for _ in range(np.int64(p[3])):
            one = first + below(stream, stock - first)
            two = stock + below(stream, 52 - stock)
            a = deck.cards[one]
            b = deck.cards[two]
            other = his ^ (_ONE << np.uint64(_NUMBERS[a])) ^ (_ONE << np.uint64(_NUMBERS[b]))
            new = _energy(view, other, wanted, p)
            if new <= energy or np.float64(next_word(stream)) < math.exp(energy - new) * _WORDS:
                energy = new
                his = other
                deck.cards[one] = b
                deck.cards[two] = a
    return his


@kernel()
def _energy(view, his, wanted, p):
    now = deadwood(his)
    energy = p[0] * abs(now - wanted)
    if p[1] > 0.0:
        rest = view.other_threw | view.other_declined
        while rest != _NONE:
            card = rest & (~rest + _ONE)
            rest ^= card
            least, _ = best_discards(his | card, _NONE)
            energy += p[1] * min(now - least, p[5])
    return energy


_NUMBERS = np.array(NUMBERS, np.int64)
