"""How much of everything the verification does."""

from __future__ import annotations

from dataclasses import dataclass


QUICK = 0.1
"""The share of the usual effort that is made where time is short."""


@dataclass(frozen=True)
class Scale:
    """``share`` of the usual effort, the seed of everything random, worker processes, and how many mutants are tried."""

    share: float = 1.0
    seed: int = 1
    workers: int = 1
    mutants: int = 100

    def of(self, usual: int) -> int:
        """So many, on this scale: an even number, and not none."""
        return max(2, 2 * round(usual * self.share / 2))
