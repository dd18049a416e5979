"""Choices tried out: the hand played on to its end with each of them, in the same worlds."""

from __future__ import annotations

import math

import numpy as np

from ginsim.accelerate import kernel, scratch
from ginsim.hand import DECK, OFFER, Standing, play_on
from ginsim.randomness import PLAY, next_word, open_stream
from ginsim.records import HAND_ROW
from ginsim.strategies import expert
from ginsim.strategies.expert.other import EAGER, WAITING, chance_of_waiting, expected_deadwood, learn
from ginsim.strategies.expert.parameters import RACE
from ginsim.strategies.expert.worth import chance_of_games
from ginsim.strategies.rollout.worlds import deal_world, lay_out

MOST = 24
"""More choices than there ever are: eleven cards, each thrown to knock and to play on."""

TOOK, THREW, DECLINED = 61, 62, 63
"""Notes of what the other has seen of the player itself. No card has such a number, so that the base's notes stand beside them."""

COPY = 0
"""The place of the player's view, as the base sees it, in the room for views."""
VIEWS = 4
"""Places in that room: two views as they are before each trial, and two that are played with.

Numba frees an array after its last use, records of it in use or not; so whoever makes the room hands it on whole.
"""
_HIS, _PLAYED = 1, 2

_SURELY = 2.0
"""A choice replaces the base's own where it is better by so many standard errors; with less, chance would choose."""

_EXPERTS = np.array([parameter.default for parameter in expert.STRATEGY.parameters])
_SHIFT = np.uint64(32)
_SPADE = 48


@kernel()
def most_worth(view, room, answers, then, count, take, discard, knock):
    """Which of the choices is worth most: its place among ``answers``.

    The first one is the base's own, and stands unless another is surely better. What a hand is worth is the chance to win the games that are open, from the scores that follow (as ``expert`` has it).

    Args:
        view: the player's view; two words of its stream name the chance of all worlds.
        room: ``VIEWS`` views, of which ``COPY`` is a copy of it as the base would see it.
        answers, then: the choices, as ``given`` and ``then`` of a :class:`ginsim.hand.Standing`; the first ``count`` of them.
        take, discard, knock: the base's decisions.
    """
    key = next_word(view.stream) << _SHIFT
    key |= next_word(view.stream)
    room[_HIS] = view
    waits, means = _picture_of_the_other(room[_HIS])
    view.memory[:] = room[_HIS].memory
    room[_HIS] = room[COPY]
    _as_the_other_sees(view, room[_HIS])
    views = room[_PLAYED:]
    decks = scratch(1, DECK)
    rows = scratch(1, HAND_ROW)
    log = np.zeros(0, np.int32)
    takes = (take, take, take)
    discards = (discard, discard, discard)
    knocks = (knock, knock, knock)
    # The first face-up card may be forgotten; any other under which the points count as often does as well.
    upcard = np.int64(_SPADE if view.multiplier == 2 else 0)
    refusals = np.int64(view.deals) if view.phase == OFFER else np.int64(3)
    first = lay_out(view, decks[0])
    gain = np.zeros(MOST)
    square = np.zeros(MOST)
    own = 0.0
    worlds = np.int64(view.parameters[0])
    for world in range(worlds):
        deck, row = decks[0], rows[0]
        his = deal_world(view, deck, first, key, world, waits, means)
        for place in range(count):
            for seat in range(2):
                views[seat] = room[seat]
                open_stream(views[seat].stream, key, np.uint64(PLAY + seat), np.uint64(world), np.uint64(0))
            views[1].held = his
            standing = Standing(
                np.int64(0), np.int64(1), view.held, his, view.top, view.pile, np.int64(view.stock), np.int64(view.draws), np.int64(0),
                refusals, np.int64(view.phase), upcard, np.int64(view.asked), view.thrown, answers[place], then[place],
            )
            row.winner = -1
            play_on(takes, discards, knocks, views, standing, deck, view.rules, row, log)
            points = 0.0 if row.winner < 0 else row.points / view.multiplier
            value = chance_of_games(view, points if row.winner == 0 else -points, _EXPERTS[RACE])
            if place == 0:
                own = value
            gain[place] += value - own
            square[place] += (value - own) ** 2
    best = 0
    most = 0.0
    for place in range(1, count):
        surely = gain[place] - _SURELY * math.sqrt(max(square[place] - gain[place] ** 2 / worlds, 0.0))
        if surely > most:
            most = surely
            best = place
    return best


@kernel()
def _picture_of_the_other(judge):
    """How likely he waits for gin, and the means of his deadwood if he does not and if he does, as ``expert`` in this seat sees it."""
    judge.parameters[: len(_EXPERTS)] = _EXPERTS
    learn(judge)
    return chance_of_waiting(judge), (expected_deadwood(judge, EAGER), expected_deadwood(judge, WAITING))


@kernel()
def _as_the_other_sees(view, him):
    """Turn a copy of a view into what the other sees, but for his cards: by what both have done in the open."""
    him.other_took = view.notes[TOOK]
    him.other_threw = view.notes[THREW]
    him.other_declined = view.notes[DECLINED]
    him.turns = view.draws - view.turns
    him.deals = 1 - view.deals
    him.seat = view.other
    him.other = view.seat
    him.own_scores[:] = view.other_scores
    him.other_scores[:] = view.own_scores
    him.memory[:] = 0
    him.notes[:] = 0
