"""The strategy ``simple``."""

from __future__ import annotations

import numpy as np

from ginsim.accelerate import kernel, lowest_number
from ginsim.hand import LAST, DecisionSignature
from ginsim.melds import best_discards, makes_meld
from ginsim.randomness import choose
from ginsim.strategies.strategy import Parameter, Strategy

_NONE = np.uint64(0)


@kernel(DecisionSignature)
def _take(view):
    if not makes_meld(view.held, view.top):
        return 0
    if view.phase == LAST:
        barred = _NONE if view.rules.discard_taken_card else view.top
        return best_discards(view.held | view.top, barred)[0] <= view.parameters[0]
    return 1


@kernel(DecisionSignature)
def _discard(view):
    barred = view.held & ~view.legal
    if view.taken != _NONE:
        # What it threw for this card before in this hand: the pair would come round for ever.
        thrown_for = view.notes[lowest_number(view.taken)]
        if view.legal & ~(view.taken | thrown_for) != _NONE:
            barred |= view.taken | (thrown_for & view.held)
    _, best = best_discards(view.held, barred)
    discard = choose(view.stream, best)
    if view.taken != _NONE:
        view.notes[lowest_number(view.taken)] |= discard
    return lowest_number(discard)


@kernel(DecisionSignature)
def _knock(view):
    return view.deadwood <= view.parameters[0]


def _describe(parameters: dict[str, float]) -> str:
    knock = int(parameters["knock"])
    if knock == 10:
        return "knocks as soon as it may"
    return "plays for gin only" if knock == 0 else f"knocks only with {knock} or less"


STRATEGY = Strategy(
    name="simple",
    version=1,
    parameters=(Parameter("knock", 10, 0, 10, "knocks only with deadwood of this or less"),),
    describe=_describe,
    take=_take,
    discard=_discard,
    knock=_knock,
    document="""The published baseline of the 2021 challenge (Neller's SimpleGinRummyPlayer, as its public description gives it).

    It takes the face-up card exactly when that makes a meld with cards held; throws the card that leaves the least
    deadwood, ties at random, never the card just taken, and never the same pair of taken and thrown card twice in a hand;
    knocks as soon as it may, or with ``knock`` only at that deadwood or less. Offered the last discard to knock with, it
    takes it only where that knock is one it would make. Its weaknesses: it neither builds towards melds nor looks at what
    the other side takes and throws.
    """,
)
