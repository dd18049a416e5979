"""The strategy ``rollout``."""

from __future__ import annotations

import numpy as np

from ginsim.accelerate import first_class, kernel, lowest_number, scratch, types
from ginsim.hand import ASK, DISCARD, KNOCKING, LAST, PARAMETERS, TAKE, VIEW, DecisionSignature, DecisionType, ViewType
from ginsim.melds import best_discards, deadwood
from ginsim.strategies import expert, patient, random, simple
from ginsim.strategies.lookahead import fresh_discards, note_discard
from ginsim.strategies.rollout.trial import COPY, DECLINED, MOST, THREW, TOOK, VIEWS, most_worth
from ginsim.strategies.strategy import Parameter, Strategy

_BASES = (random.STRATEGY, simple.STRATEGY, patient.STRATEGY, expert.STRATEGY)
_BASE, _BASES_OWN = 1, 2
"""Where view.parameters tell which base it is, and from where on they are the base's own."""
(
    (_random_take, _random_discard, _random_knock),
    (_simple_take, _simple_discard, _simple_knock),
    (_patient_take, _patient_discard, _patient_knock),
    (_expert_take, _expert_discard, _expert_knock),
) = ((base.take, base.discard, base.knock) for base in _BASES)

_WILL_KNOCK = 47
"""The note of what to answer about knocking, decided with the discard: 1 for no, 2 for yes. No card has this number."""
_MOST_WORSE = 7
"""A discard that leaves more than this above the least deadwood breaks a meld, and is tried only where it is the base's own."""

_NONE = np.uint64(0)
_ONE = np.uint64(1)


@kernel()
def _choose_take(view, room, take, discard, knock):
    own = np.int64(take(room[COPY]) != 0)
    # What the base learns about the other as a hand begins.
    view.memory[:] = room[COPY].memory
    answer = own
    if own == 1 or _lowers_deadwood(view):
        answers = np.zeros(MOST, np.int64)
        answers[0], answers[1] = own, 1 - own
        answer = answers[most_worth(view, room, answers, np.full(MOST, np.int64(ASK)), 2, take, discard, knock)]
    view.notes[DECLINED if answer == 0 else TOOK] |= view.top
    return answer


@kernel()
def _lowers_deadwood(view):
    """Whether there is less deadwood after taking the top, or with the last discard, so little that one may knock (R15)."""
    barred = _NONE if view.rules.discard_taken_card else view.top
    least, _ = best_discards(view.held | view.top, barred)
    return least <= view.limit if view.phase == LAST else least < deadwood(view.held)


@kernel()
def _choose_discard(view, room, take, discard, knock):
    own = np.int64(discard(room[COPY]))
    fresh = fresh_discards(view)
    least, best = best_discards(view.held, view.held & ~fresh)
    answer = lowest_number(best)
    will_knock = np.int64(1)
    if view.phase != LAST and least > 0:
        answers = np.zeros(MOST, np.int64)
        then = np.full(MOST, np.int64(ASK))
        answers[0] = own
        then[0] = _knocks_after(room[COPY], own, knock)
        count = _others(view, fresh, least, answers, then)
        _copy_as_base(view, room)
        chosen = most_worth(view, room, answers, then, count, take, discard, knock) if count > 1 else 0
        answer = answers[chosen]
        will_knock = then[chosen]
    card = _ONE << np.uint64(answer)
    note_discard(view, card)
    view.notes[THREW] |= card
    view.notes[TOOK] &= ~card
    view.notes[_WILL_KNOCK] = np.uint64(will_knock + 1)
    return answer


@kernel()
def _knocks_after(copy, number, knock):
    """Whether the base knocks after its own discard; ``ASK`` where it may not. The copy is used up."""
    copy.thrown = _ONE << np.uint64(number)
    copy.held &= ~copy.thrown
    copy.deadwood = deadwood(copy.held)
    if copy.deadwood > copy.limit:
        return np.int64(ASK)
    copy.asked = KNOCKING
    return np.int64(knock(copy) != 0)


@kernel()
def _others(view, fresh, least, answers, then):
    """Put the other sensible choices behind the base's own; the answer is how many there are with it."""
    count = 1
    if then[0] != ASK:
        answers[1] = answers[0]
        then[1] = 1 - then[0]
        count = 2
    rest = fresh & ~(_ONE << np.uint64(answers[0]))
    while rest != _NONE:
        card = rest & (~rest + _ONE)
        rest ^= card
        left = deadwood(view.held ^ card)
        if left > least + _MOST_WORSE:
            continue
        for knocks in range(2 if left <= view.limit else 1):
            answers[count] = lowest_number(card)
            then[count] = knocks if left <= view.limit else ASK
            count += 1
    return count


@kernel()
def _choose_knock(view, room, take, discard, knock):
    if view.thrown != _NONE and view.notes[_WILL_KNOCK] != _NONE:
        return np.int64(view.notes[_WILL_KNOCK]) - 1
    answers = np.zeros(MOST, np.int64)
    answers[0] = np.int64(knock(room[COPY]) != 0)
    answers[1] = 1 - answers[0]
    _copy_as_base(view, room)
    return answers[most_worth(view, room, answers, np.full(MOST, np.int64(ASK)), 2, take, discard, knock)]


@kernel()
def _copy_as_base(view, room):
    """Make the copy of a view that the base sees: with its own parameters."""
    room[COPY] = view
    room[COPY].parameters[: PARAMETERS - _BASES_OWN] = view.parameters[_BASES_OWN:]


@kernel(types.int64(ViewType, DecisionType, DecisionType, DecisionType))
def _choose(view, take, discard, knock):
    room = scratch(VIEWS, VIEW)
    _copy_as_base(view, room)
    if view.asked == TAKE:
        return _choose_take(view, room, take, discard, knock)
    if view.asked == DISCARD:
        return _choose_discard(view, room, take, discard, knock)
    return _choose_knock(view, room, take, discard, knock)


@kernel(DecisionSignature)
def _decide(view):
    base = np.int64(view.parameters[_BASE])
    if base == 0:
        return _choose(view, first_class(_random_take), first_class(_random_discard), first_class(_random_knock))
    if base == 1:
        return _choose(view, first_class(_simple_take), first_class(_simple_discard), first_class(_simple_knock))
    if base == 2:
        return _choose(view, first_class(_patient_take), first_class(_patient_discard), first_class(_patient_knock))
    return _choose(view, first_class(_expert_take), first_class(_expert_discard), first_class(_expert_knock))


STRATEGY = Strategy(
    name="rollout",
    version=1,
    parameters=(
        Parameter("worlds", 64, 1, 10_000, "how many times the unseen cards are dealt for a decision"),
        Parameter("base", expert.STRATEGY.name, meaning="who plays the hands out", players=tuple(base.name for base in _BASES)),
    ),
    describe=lambda parameters: f"plays every choice out in {parameters['worlds']} worlds, as {parameters['base']}",
    take=_decide,
    discard=_decide,
    knock=_decide,
    uses_scoring=True,
    document="""Slow and stronger than its base: it tries every choice out before it makes it.

    At each decision it deals the cards it has not seen ``worlds`` times, as they may lie: those that the other side took and holds are
    his, and he holds about as much deadwood as ``expert`` expects of him. In each of these worlds, the same for all choices, it
    plays the hand to its end with every choice (take or decline; the sensible discards, each to knock and to play on where it may), with
    ``base`` on both sides: any of the other built-in players, such as ``base=simple:knock=0``. A hand is worth the chance to win the
    games that are open from the scores that follow. It does what the base would do, unless another choice is better by two standard
    errors: the choices are often so near to each other that of a few dozen worlds chance would choose.

    The method is known as perfect-information Monte Carlo: Ginsberg, "GIB: imperfect information in a computationally challenging game",
    2001; Long, Sturtevant, Buro and Furtak, "Understanding the success of perfect information Monte Carlo sampling in game tree
    search", 2010, on why it works. Its weaknesses: each world is played as if its base were all there is after this choice, so it sees
    no gain in learning or hiding anything; it takes the other side to play as its base does, who knows nothing of earlier hands but
    the last; and what he threw and passed over counts only by the deadwood it tells of. It takes some ten milliseconds a decision.
    """,
)
