"""What ``expert`` takes ten cards to cost: their deadwood, what one more card may do, and the danger of the card thrown."""

from __future__ import annotations

import numpy as np

from ginsim.accelerate import kernel, popcount
from ginsim.cards import FULL_DECK
from ginsim.melds import deadwood
from ginsim.strategies.expert.other import mixed
from ginsim.strategies.expert.parameters import BUILD, COLD, DANGER, DEAD, DECAY, GROW, LOWEST, SPURNED, WARM
from ginsim.strategies.lookahead import LEVELS, count_draws, mean_of_lowest, next_to, ranks_of, within_two

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_DECK = np.uint64(FULL_DECK)
_MOST_WORSE = 7
"""A discard that leaves more than this above the least deadwood breaks a meld, and is not looked at."""


@kernel()
def _holds(card, took, unseen, cold, warm, chance, cold_factor, warm_factor):
    """The chance that the other holds a card; no card is held by nobody."""
    if card & took != _NONE:
        return 1.0
    if card & unseen == _NONE:
        return 0.0
    if card & warm != _NONE:
        chance *= warm_factor
    if card & cold != _NONE:
        chance *= cold_factor
    return chance


@kernel()
def _melded_by_him(card, took, unseen, cold, warm, chance, cold_factor, warm_factor):
    """About how many pairs the other holds that ``card`` would make a meld."""
    rest = ranks_of(card) ^ card
    one = rest & (~rest + _ONE)
    rest ^= one
    two = rest & (~rest + _ONE)
    a = _holds(one, took, unseen, cold, warm, chance, cold_factor, warm_factor)
    b = _holds(two, took, unseen, cold, warm, chance, cold_factor, warm_factor)
    c = _holds(rest ^ two, took, unseen, cold, warm, chance, cold_factor, warm_factor)
    pairs = a * b + a * c + b * c
    up, down = (card << _ONE) & _DECK, (card >> _ONE) & _DECK
    a = _holds(down, took, unseen, cold, warm, chance, cold_factor, warm_factor)
    b = _holds(up, took, unseen, cold, warm, chance, cold_factor, warm_factor)
    pairs += a * b
    if a > 0.0:
        pairs += a * _holds((down >> _ONE) & _DECK, took, unseen, cold, warm, chance, cold_factor, warm_factor)
    if b > 0.0:
        pairs += b * _holds((up << _ONE) & _DECK, took, unseen, cold, warm, chance, cold_factor, warm_factor)
    return pairs


@kernel()
def best_discard(view, cards, legal, least, turn, waits, with_held):
    """The cheapest discard of eleven cards.

    Args:
        cards, legal: the eleven, and which of them may be thrown; ``least`` deadwood that one of these leaves.
        turn: the own turn on which it is thrown.
        with_held: also tell what the ten cards held cost as they are, without any danger.

    Returns:
        The card as a bit, the cost of what it leaves with its danger, and the cost of the ten held, or 0.
    """
    took = view.other_took
    spurned = view.other_threw | view.other_declined
    seen = cards | view.pile
    unseen = _DECK & ~(seen | took)
    build = mixed(view, BUILD, waits) * mixed(view, DECAY, waits) ** (turn - 1)
    lowest = mixed(view, LOWEST, waits)
    danger = mixed(view, DANGER, waits) * (1.0 + mixed(view, GROW, waits) * turn)
    cold_factor = mixed(view, COLD, waits)
    warm_factor = mixed(view, WARM, waits)
    dead_gain = mixed(view, DEAD, waits)
    spurned_gain = mixed(view, SPURNED, waits)
    chance = (10.0 - popcount(took)) / max(popcount(unseen), 1)
    cold = ranks_of(spurned) | next_to(spurned)
    warm = ranks_of(took) | next_to(took)
    counts = np.zeros(LEVELS)
    least_cost = np.inf
    cheapest = _NONE
    rest = legal
    while rest != _NONE:
        card = rest & (~rest + _ONE)
        rest ^= card
        ten = cards ^ card
        left = deadwood(ten)
        if left > least + _MOST_WORSE:
            continue
        rank = ranks_of(card) ^ card
        cost = (
            left
            + danger * _melded_by_him(card, took, unseen, cold, warm, chance, cold_factor, warm_factor)
            - dead_gain * popcount((rank | within_two(card)) & seen)
            - spurned_gain * popcount((rank | next_to(card)) & spurned)
        )
        count_draws(ten, left, unseen, counts)
        cost += build * mean_of_lowest(counts, left, lowest)
        if cost < least_cost:
            least_cost = cost
            cheapest = card
    held_cost = 0.0
    if with_held:
        left = deadwood(view.held)
        count_draws(view.held, left, unseen, counts)
        held_cost = left + build * mean_of_lowest(counts, left, lowest)
    return cheapest, least_cost, held_cost
