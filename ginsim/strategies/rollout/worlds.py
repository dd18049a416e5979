"""The cards that a player has not seen, dealt as they may lie: a *world*."""

from __future__ import annotations

import math

import numpy as np

from ginsim.accelerate import kernel, popcount
from ginsim.cards import FULL_DECK, NUMBERS
from ginsim.hand import cards_between, shuffle
from ginsim.melds import deadwood
from ginsim.randomness import DEAL, below, next_word, open_stream
from ginsim.strategies.expert.other import EAGER, WAITING, deadwood_at

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_DECK = np.uint64(FULL_DECK)
_NUMBER = np.array(NUMBERS, np.uint64)
_ALL_WORDS = 2.0**32
_EXCHANGES = 120
_NEARNESS = 1.5
"""How strongly a world is drawn towards the deadwood wanted: a point further off makes it so much less likely, as a logarithm."""


@kernel()
def unseen_cards(view):
    """The cards of which the player does not know where they are."""
    return _DECK & ~(view.held | view.thrown | view.pile | view.other_took)


@kernel()
def lay_out(view, deck):
    """Put the unseen cards at the end of the deck in their order; the answer is the place of the first."""
    unseen = unseen_cards(view)
    first = 52 - popcount(unseen)
    place = first
    for card in range(52):
        if unseen & (_ONE << _NUMBER[card]) != _NONE:
            deck.cards[place] = card
            place += 1
    return first


@kernel()
def deal_world(view, deck, first, key, world, waits, means):
    """Deal the unseen cards; the answer is what the other holds, and the stock lies at the end of the deck.

    Cards that he took and holds are his. The others come at random at first; then cards of his are exchanged with cards of the stock
    by the rule of Metropolis and others (1953), so that his deadwood is spread about as :mod:`expert <ginsim.strategies.expert.other>`
    measured it for the draws there were, the cards he took and those he threw: one who has thrown cards for a while holds no random ten.

    Args:
        first: the place of the first unseen card in the deck.
        key, world: what names the chance of this world, whatever was dealt before.
        waits: how likely he is to wait for gin; ``means``: of his deadwood, if he is eager and if he waits.
    """
    stock = 52 - view.stock
    stream = deck.stream
    open_stream(stream, key, np.uint64(DEAL), np.uint64(world), np.uint64(0))
    deck.seen = first
    shuffle(deck, 52)
    his = cards_between(deck, first, stock) | view.other_took
    if view.draws == view.turns or first == stock or stock == 52:
        return his
    kind = WAITING if next_word(stream) < waits * _ALL_WORDS else EAGER
    wanted = deadwood_at(means[kind], kind, (next_word(stream) + 0.5) / _ALL_WORDS)
    off = abs(deadwood(his) - wanted)
    for _ in range(_EXCHANGES):
        one = first + below(stream, stock - first)
        two = stock + below(stream, 52 - stock)
        exchanged = his ^ (_ONE << _NUMBER[deck.cards[one]]) ^ (_ONE << _NUMBER[deck.cards[two]])
        then_off = abs(deadwood(exchanged) - wanted)
        if then_off <= off or next_word(stream) < math.exp(_NEARNESS * (off - then_off)) * _ALL_WORDS:
            his, off = exchanged, then_off
            deck.cards[one], deck.cards[two] = deck.cards[two], deck.cards[one]
    return his
