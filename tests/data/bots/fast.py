"""A compiled player: it takes what makes a meld, throws what leaves least, and knocks at 6 or less."""

import ginsim
from ginsim.accelerate import lowest_number
from ginsim.hand import LAST
from ginsim.melds import best_discards, makes_meld


def take(view):
    return view.phase != LAST and makes_meld(view.held, view.top)


def discard(view):
    deadwood, best = best_discards(view.held, view.held & ~view.legal)
    return lowest_number(best)


def knock(view):
    return view.deadwood <= 6


FastBot = ginsim.compiled(take, discard, knock, version=1)
