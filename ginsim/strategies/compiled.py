"""Compiled players of one's own: functions in Numba's subset of Python over the engine's own record, at engine speed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from ginsim.accelerate import compile_alone
from ginsim.errors import UsageError
from ginsim.hand import DecisionSignature
from ginsim.strategies.strategy import Parameter, Strategy


def compiled(
    take: Callable,
    discard: Callable,
    knock: Callable,
    *,
    name: str = "",
    version: int | str | None = None,
    parameters: Sequence[Parameter] = (),
    uses_scoring: bool = False,
    document: str | None = None,
) -> Strategy:
    """A strategy of three functions over a :data:`ginsim.hand.VIEW` record, compiled at once.

    Args:
        take: whether to take the top of the pile, as a number or bool.
        discard: the number of the card to throw, one of ``view.legal``; ``ginsim.accelerate.lowest_number`` gives that of a card.
        knock: whether to knock or, while nothing is ``view.thrown``, to declare big gin.
        parameters: whole numbers that a spec can set; they reach the functions in ``view.parameters``, in this order.
        uses_scoring: whether the play depends on bonuses or scores.
        document: what it does; by default the docstring of the module it stands in.

    Raises:
        UsageError: a function cannot be compiled; the message has Numba's reason.
    """
    for function in (take, discard, knock):
        if not callable(function):
            raise UsageError(f"compiled: {function!r} is no function.")
    about = document if document is not None else getattr(sys.modules.get(take.__module__), "__doc__", None)
    return Strategy(
        name=name,
        version=version,
        describe=lambda parameters: "",
        take=compile_alone(take, DecisionSignature),
        discard=compile_alone(discard, DecisionSignature),
        knock=compile_alone(knock, DecisionSignature),
        document=about or "",
        parameters=tuple(parameters),
        uses_scoring=uses_scoring,
    )
