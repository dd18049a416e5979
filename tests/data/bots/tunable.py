"""A compiled player with numbers that can be tuned: it throws what leaves least, and knocks at ``knock`` or less; ``idle`` does nothing."""

import ginsim
from ginsim.accelerate import lowest_number
from ginsim.hand import LAST
from ginsim.melds import best_discards, makes_meld
from ginsim.strategies import Parameter


def take(view):
    return view.phase != LAST and makes_meld(view.held, view.top)


def discard(view):
    deadwood, best = best_discards(view.held, view.held & ~view.legal)
    return lowest_number(best)


def knock(view):
    return view.deadwood <= view.parameters[0]


PARAMETERS = [
    Parameter("knock", 5.0, 0, 10, "knocks with deadwood of this or less", whole=False),
    Parameter("idle", 0.5, 0, 1, "nothing", whole=False),
]
Tunable = ginsim.compiled(take, discard, knock, parameters=PARAMETERS)
