"""The strategy ``expert``."""

from __future__ import annotations

import numpy as np

from ginsim.accelerate import kernel, lowest_number
from ginsim.hand import LAST, DecisionSignature
from ginsim.melds import best_discards, deadwood, makes_meld
from ginsim.strategies.expert.other import chance_of_waiting, learn, mixed
from ginsim.strategies.expert.parameters import PARAMETERS, RAW, TAKE
from ginsim.strategies.expert.sets import defaults_for
from ginsim.strategies.expert.shape import best_discard
from ginsim.strategies.expert.worth import knock_beats_draw, knocks
from ginsim.strategies.lookahead import fresh_discards, note_discard
from ginsim.strategies.strategy import Strategy

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_BELOW_SEVEN = np.uint64(0x003F_003F_003F_003F)
_WILL_KNOCK = 15
"""The note that holds whether the discard was chosen to knock with; no card has this number."""
_RAW_HOPE = 20.0
"""A card that melds nothing is looked at only where what it saves in deadwood comes this near to what taking it must gain."""


@kernel(DecisionSignature)
def _take(view):
    learn(view)
    melds = makes_meld(view.held, view.top)
    if not melds and view.phase != LAST and view.top & _BELOW_SEVEN == _NONE:
        return 0
    cards = view.held | view.top
    barred = _NONE if view.rules.discard_taken_card else view.top
    least, best = best_discards(cards, barred)
    if least == 0:
        return 1
    waits = chance_of_waiting(view)
    if view.phase == LAST:
        return least <= view.limit and knock_beats_draw(view, least, waits)
    now = deadwood(view.held)
    if least >= now:
        return 0
    if least <= view.limit and knocks(view, cards ^ (best & (~best + _ONE)), least, waits):
        return 1
    needed = mixed(view, TAKE if melds else RAW, waits)
    if not melds and now - least < needed - _RAW_HOPE:
        return 0
    _, cost, as_it_is = best_discard(view, cards, cards & ~view.top, least, view.turns + 1, waits, True)
    return cost + needed < as_it_is


@kernel(DecisionSignature)
def _discard(view):
    waits = chance_of_waiting(view)
    legal = fresh_discards(view)
    least, best = best_discards(view.held, view.held & ~legal)
    discard = best & (~best + _ONE)
    will_knock = view.phase == LAST or (least <= view.limit and knocks(view, view.held ^ discard, least, waits))
    if not will_knock:
        discard, _, _ = best_discard(view, view.held, legal, least, view.turns, waits, False)
    view.notes[_WILL_KNOCK] = 1 if will_knock else 0
    note_discard(view, discard)
    return lowest_number(discard)


@kernel(DecisionSignature)
def _knock(view):
    if view.thrown == _NONE:
        # Big gin: otherwise one of the eleven is thrown and it is gin.
        return view.rules.big_gin_bonus >= view.rules.gin_bonus
    return view.deadwood == 0 or view.notes[_WILL_KNOCK] == _ONE


STRATEGY = Strategy(
    name="expert",
    version=2,
    parameters=PARAMETERS,
    describe=lambda parameters: "looks a draw ahead, and knocks when that is worth more than playing on",
    take=_take,
    discard=_discard,
    knock=_knock,
    uses_scoring=True,
    defaults_for=defaults_for,
    document="""ginsim's best: a look one draw ahead, what is known of the other side, and a price for knocking now or later.

    It throws the card that costs least: deadwood after it, plus a weight times the mean of the lowest deadwoods that one more unseen
    card may lead to (the idea of ``patient``), plus its danger. Danger counts the pairs that the other side may hold to the card: cards
    he took he holds, others by chance, less so near cards that he threw or passed over, more so near those he took. It takes the
    face-up card where the cards after the best discard cost enough less than those held as they are, or where it then knocks.

    It knocks when that is worth more than playing on, for gin or for a knock a round or two later. Worth is the chance to win the
    game from the scores that would follow, under the bonuses in force. The other side's deadwood is estimated from the draws so
    far, the cards he took and the lowest card he threw: a low card thrown tells of a good hand. What he does is a mixture of
    two kinds, one who knocks as soon as he may and one who waits for gin; how likely each is, it learns within a match from how he
    knocked, and within a hand from his not having knocked. Nearly all weights come twice, for the two kinds. So it knocks soon
    where an undercut costs little, and waits where it costs much, whatever the name of the rules.

    The structure is this project's own; the measures of players are from ``scripts/measure_players.py``. The weights are tuned by
    CMA-ES: those of taking and throwing against ``simple`` and ``patient`` under 25/10 and 25/25 together; those of knocking for
    each of 20 and 25 for gin with each of 10 and 25 for an undercut (``scripts/tune-expert``), against ``simple:knock=0`` and
    ``expert`` itself as well. For bonuses in between it takes what lies between, unless other weights are given; the defaults shown
    are those for 25 and 10. ``params=FILE`` takes a file of ``ginsim tune``.

    Its weaknesses: it looks one draw ahead only; its picture of the other side knows two kinds of players and is coarse; its
    weights are tuned under the usual knock limit, and those of taking and throwing do not depend on the bonuses; in a Hollywood
    series it prices every open game as if the hand were entered in it, and of three it minds only the one it plays against; it
    can be read by those who know it, for it plays without chance.
    """,
)
