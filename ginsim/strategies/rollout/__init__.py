"""The strategy ``rollout``."""

from __future__ import annotations

import math

import numpy as np

from ginsim.accelerate import first_class, kernel, lowest_number, popcount, scratch, types
from ginsim.hand import ASK, DECK, DISCARD, KNOCKING, LAST, OFFER, TAKE, VIEW, DecisionSignature, DecisionType, Standing, ViewType, play_on
from ginsim.melds import best_discards, deadwood
from ginsim.randomness import PLAY, next_word, open_stream
from ginsim.records import HAND_ROW
from ginsim.strategies import expert, patient, random, simple
from ginsim.strategies.expert.other import EAGER, WAITING, chance_of_waiting, expected_deadwood, learn
from ginsim.strategies.expert.worth import chance_of_games
from ginsim.strategies.lookahead import fresh_discards, note_discard
from ginsim.strategies.rollout.worlds import deal_world, lay_out
from ginsim.strategies.strategy import Parameter, Strategy

BASES = ("random", "simple", "patient", "expert")

_WORLDS, _BASE, _BASES_OWN = 0, 1, 2
(
    (_random_take, _random_discard, _random_knock),
    (_simple_take, _simple_discard, _simple_knock),
    (_patient_take, _patient_discard, _patient_knock),
    (_expert_take, _expert_discard, _expert_knock),
) = ((base.take, base.discard, base.knock) for base in (random.STRATEGY, simple.STRATEGY, patient.STRATEGY, expert.STRATEGY))
_WILL, _TOOK, _THREW, _DECLINED = 47, 61, 62, 63
"""The notes in which it keeps what the other has seen of itself; no card has such a number."""
_EXPERTS = np.array([parameter.default for parameter in expert.STRATEGY.parameters])
_RACE = 0.293
_MOST = 24
_MOST_WORSE = 7
_SHIFT = np.uint64(32)
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_SPADE = 48


@kernel()
def _may_help(view):
    """Whether taking the top can leave less deadwood than there is, or a knock with the last discard."""
    barred = _NONE if view.rules.discard_taken_card else view.top
    least, _ = best_discards(view.held | view.top, barred)
    return least <= view.limit if view.phase == LAST else least < deadwood(view.held)


@kernel()
def _discards(view, fresh, least, given, then):
    """Add to the base's own discard, in place 0, the other sensible ones, and how many there are."""
    own = _ONE << np.uint64(given[0])
    count = 1
    if then[0] != ASK:
        given[1] = given[0]
        then[1] = 1 - then[0]
        count = 2
    rest = fresh & ~own
    while rest != _NONE:
        card = rest & (~rest + _ONE)
        rest ^= card
        left = deadwood(view.held ^ card)
        if left > least + _MOST_WORSE:
            continue
        for knocks in range(2 if left <= view.limit else 1):
            given[count] = lowest_number(card)
            then[count] = knocks if left <= view.limit else ASK
            count += 1
    return count


@kernel()
def _as_the_other_sees(view, him):
    """Turn a copy of a view into what the other sees, but for his cards."""
    him.other_took = view.notes[_TOOK]
    him.other_threw = view.notes[_THREW]
    him.other_declined = view.notes[_DECLINED]
    him.turns = view.draws - view.turns
    him.deals = 1 - view.deals
    him.seat = view.other
    him.other = view.seat
    him.own_scores[:] = view.other_scores
    him.other_scores[:] = view.own_scores
    him.memory[:] = 0
    him.notes[:] = 0


@kernel()
def _knock_of(view, number, knock):
    """Whether the base knocks after its discard, or ``ASK`` where it may not."""
    view.thrown = _ONE << np.uint64(number)
    view.held &= ~view.thrown
    view.deadwood = deadwood(view.held)
    if view.deadwood > view.limit:
        return np.int64(ASK)
    view.asked = KNOCKING
    return np.int64(knock(view) != 0)


@kernel()
def _most_worth(view, views, given, then, count, take, discard, knock):
    """The place of the candidate whose hands, played out in the same worlds, are worth most."""
    key = next_word(view.stream) << _SHIFT
    key |= next_word(view.stream)
    deck = scratch(1, DECK)[0]
    row = scratch(1, HAND_ROW)[0]
    log = np.zeros(0, np.int32)
    first = lay_out(view, deck)
    takes = (take, take, take)
    discards = (discard, discard, discard)
    knocks = (knock, knock, knock)
    upcard = np.int64(_SPADE if view.multiplier == 2 else 0)
    refusals = np.int64(view.deals) if view.phase == OFFER else np.int64(3)
    judge = views[4]
    judge.parameters[: len(_EXPERTS)] = _EXPERTS
    learn(judge)
    view.memory[:] = judge.memory
    waits = chance_of_waiting(judge)
    means = (expected_deadwood(judge, EAGER), expected_deadwood(judge, WAITING))
    gain = np.zeros(_MOST)
    square = np.zeros(_MOST)
    own = 0.0
    for world in range(np.int64(view.parameters[_WORLDS])):
        his = deal_world(view, deck, first, key, world, waits, means, view.parameters[50:])
        for place in range(count):
            for seat in range(2):
                views[seat] = views[2 + seat]
                open_stream(views[seat].stream, key, np.uint64(PLAY + seat), np.uint64(world), np.uint64(0))
            views[1].held = his
            deck.seen = 52
            standing = Standing(
                np.int64(0), np.int64(1), view.held, his, view.top, view.pile, np.int64(view.stock), np.int64(view.draws), np.int64(0),
                refusals, np.int64(view.phase), upcard, np.int64(view.asked), view.thrown, given[place], then[place],
            )
            row.winner = -1
            row.points = 0
            play_on(takes, discards, knocks, views, standing, deck, view.rules, row, log)
            points = 0.0 if row.winner < 0 else np.float64(row.points)
            value = chance_of_games(view, (points if row.winner == 0 else -points) / view.multiplier, _RACE)
            if place == 0:
                own = value
            gain[place] += value - own
            square[place] += (value - own) ** 2
    best = 0
    most = 0.0
    worlds = view.parameters[_WORLDS]
    for place in range(1, count):
        error = math.sqrt(max(square[place] - gain[place] ** 2 / worlds, 0.0))
        surely = gain[place] - view.parameters[57] * error
        if surely > most:
            most = surely
            best = place
    return best


@kernel(types.int64(ViewType, DecisionType, DecisionType, DecisionType))
def _best(view, take, discard, knock):
    """The answer to what is asked, with these decisions as the base."""
    views = scratch(5, VIEW)
    views[4] = view
    me = views[2]
    views[2] = view
    me.parameters[: 64 - _BASES_OWN] = view.parameters[_BASES_OWN:]
    me.parameters[64 - _BASES_OWN :] = 0.0
    him = views[3]
    views[3] = me
    _as_the_other_sees(view, him)

    given = np.zeros(_MOST, np.int64)
    then = np.full(_MOST, np.int64(ASK))
    count = 0
    if view.asked == TAKE:
        views[0] = me
        own = np.int64(take(views[0]) != 0)
        view.memory[:] = views[0].memory
        me.memory[:] = view.memory
        given[0] = own
        given[1] = 1 - own
        count = 2
        if own == 0 and not _may_help(view):
            count = 1
    elif view.asked == DISCARD:
        views[0] = me
        own = discard(views[0])
        fresh = fresh_discards(view)
        least, best = best_discards(view.held, view.held & ~fresh)
        if view.phase == LAST or least == 0:
            given[0] = lowest_number(best)
            then[0] = 1
            count = 1
        else:
            given[0] = own
            then[0] = _knock_of(views[0], own, knock)
            count = _discards(view, fresh, least, given, then)
    elif view.thrown != _NONE and view.notes[_WILL] != _NONE:
        # It was decided with the discard.
        return np.int64(view.notes[_WILL]) - 2
    else:
        views[0] = me
        given[0] = np.int64(knock(views[0]) != 0)
        given[1] = 1 - given[0]
        count = 2

    chosen = 0
    if count > 1:
        chosen = _most_worth(view, views, given, then, count, take, discard, knock)
    answer = given[chosen]
    if view.asked == TAKE:
        if answer == 0:
            view.notes[_DECLINED] |= view.top
        else:
            view.notes[_TOOK] |= view.top
    elif view.asked == DISCARD:
        card = _ONE << np.uint64(answer)
        note_discard(view, card)
        view.notes[_THREW] |= card
        view.notes[_TOOK] &= ~card
        view.notes[_WILL] = np.uint64(then[chosen] + 2) if then[chosen] != ASK else _NONE
    return answer


@kernel(DecisionSignature)
def _decide(view):
    base = np.int64(view.parameters[_BASE])
    if base == 0:
        return _best(view, first_class(_random_take), first_class(_random_discard), first_class(_random_knock))
    if base == 1:
        return _best(view, first_class(_simple_take), first_class(_simple_discard), first_class(_simple_knock))
    if base == 2:
        return _best(view, first_class(_patient_take), first_class(_patient_discard), first_class(_patient_knock))
    return _best(view, first_class(_expert_take), first_class(_expert_discard), first_class(_expert_knock))


STRATEGY = Strategy(
    name="rollout",
    version=1,
    parameters=(
        Parameter("worlds", 64, 1, 10_000, "how many times the unseen cards are dealt for a decision"),
        Parameter("base", "expert", meaning="who plays the hands out", players=BASES),
    ),
    describe=lambda parameters: f"plays each choice out {parameters['worlds']} times with {parameters['base']} on both sides",
    take=_decide,
    discard=_decide,
    knock=_decide,
    uses_scoring=True,
    document="""TODO""",
)
