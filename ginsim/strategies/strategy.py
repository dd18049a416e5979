"""What a strategy is: three decisions as compiled functions over a view, a version, parameters, and words about itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ginsim.rules import Rules


@dataclass(frozen=True)
class Parameter:
    """A number that a strategy can be given, within ``low`` and ``high``; whole unless it says otherwise.

    Where there are ``players``, it is the spec of one of these built-in strategies instead: its place among them is what reaches the
    kernels, and behind the strategy's other parameters stand the player's own.
    """

    name: str
    default: float | str
    low: float = 0
    high: float = 0
    meaning: str = ""
    whole: bool = True
    players: tuple[str, ...] = ()

    @property
    def bounds(self) -> str:
        """What it can be, in words."""
        return ", ".join(self.players) if self.players else f"{self.low} … {self.high}"


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
    describe: Callable[[dict[str, Any]], str]
    take: Callable
    discard: Callable
    knock: Callable
    document: str
    parameters: tuple[Parameter, ...] = ()
    uses_scoring: bool = False
    defaults_for: Callable[[Rules], Mapping[str, float]] | None = None
