"""What a strategy is: three decisions as compiled functions over a view, a version, parameters, and words about itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ginsim.rules import Rules


@dataclass(frozen=True)
class Parameter:
    """A number that a strategy can be given, within ``low`` and ``high``; whole unless it says otherwise."""

    name: str
    default: float
    low: float
    high: float
    meaning: str
    whole: bool = True


@dataclass(frozen=True)
class Strategy:
    """A way to play.

    ``take``, ``discard`` and ``knock`` are kernels of signature ``DecisionSignature`` over a :data:`ginsim.hand.VIEW`; parameters
    reach them in ``view.parameters``, in order. ``version`` changes whenever a decision does; one's own need not state one.
    ``uses_scoring`` says that its play depends on the bonuses or scores. ``describe`` says in a few words how it plays with given parameters.
    ``defaults_for`` gives the defaults of parameters under some rules, where they depend on these.
    """

    name: str
    version: int | str | None
    describe: Callable[[dict[str, float]], str]
    take: Callable
    discard: Callable
    knock: Callable
    document: str
    parameters: tuple[Parameter, ...] = ()
    uses_scoring: bool = False
    defaults_for: Callable[[Rules], Mapping[str, float]] | None = None
