"""The strategy ``random``."""

from __future__ import annotations

from ginsim.accelerate import kernel, lowest_number
from ginsim.hand import DecisionSignature
from ginsim.randomness import below, choose
from ginsim.strategies.strategy import Strategy


@kernel(DecisionSignature)
def _coin(view):
    return below(view.stream, 2)


@kernel(DecisionSignature)
def _discard(view):
    return lowest_number(choose(view.stream, view.legal))


STRATEGY = Strategy(
    name="random",
    version=1,
    describe=lambda parameters: "plays any legal card, and takes and knocks by the toss of a coin",
    take=_coin,
    discard=_discard,
    knock=_coin,
    document="""Legal and uniform: each yes or no by the toss of a coin, each discard drawn from the legal ones.

    It is a floor to measure others against, and plays positions that no sensible player reaches. Its weakness is all of it.
    """,
)
