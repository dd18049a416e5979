"""What is counted of the same deals under several plans: a tally for each, and the products for each pair that is compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ginsim.comparison.paired import Alone, Difference, Pair, clusters_of
from ginsim.comparison.variants import is_split
from ginsim.plan import Plan
from ginsim.pricing import priced
from ginsim.rules import Rules
from ginsim.simulation import Frames
from ginsim.statistics.tally import Tally, observe


@dataclass(frozen=True)
class Arrangement:
    """Which tables stand side by side. A *side* is a track's tables or, after these, the reference's hands at another's prices.

    Attributes:
        plans: what each track plays.
        reference: the track that all are compared with.
        repriced: for tracks where price and adaptation are told apart: the side of the reference's hands at their prices.
    """

    plans: tuple[Plan, ...]
    reference: int
    repriced: Mapping[int, int]

    @classmethod
    def of(cls, plans: Sequence[Plan], reference: int) -> Arrangement:
        """The arrangement of these tracks."""
        split = [track for track, plan in enumerate(plans) if is_split(plan, plans[reference])]
        return cls(tuple(plans), reference, {track: len(plans) + place for place, track in enumerate(split)})

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The sides that are compared, each pair as one less the other."""
        found = [(track, self.reference) for track in range(len(self.plans)) if track != self.reference]
        for track, side in self.repriced.items():
            found += [(side, self.reference), (track, side)]
        return found

    def count(self, tables: Sequence[Frames]) -> Counted:
        """Count a chunk of every track."""
        plans = [*self.plans, *(self.plans[self.reference] for _ in self.repriced)]
        sides = [*tables, *(self._at_prices_of(tables, self.plans[track].rules) for track in self.repriced)]
        observed = [observe(frames, plan.layout, plan.mirror) for frames, plan in zip(sides, plans, strict=True)]
        clusters = [(clusters_of(each, plan.layout), plan.layout) for each, plan in zip(observed, plans, strict=True)]
        return Counted(
            tuple(
                Tally.of_observed(each, plan.layout, plan.mirror)
                for each, plan in zip(observed, self.plans, strict=False)
            ),
            {(one, other): Pair.of(clusters[one], clusters[other]) for one, other in self.pairs},
        )

    def _at_prices_of(self, tables: Sequence[Frames], rules: Rules) -> Frames:
        return {"hands": priced(tables[self.reference]["hands"], rules)}


@dataclass(frozen=True)
class Counted:
    """What was counted of any part of the tracks; ``+`` merges parts."""

    tallies: tuple[Tally, ...]
    pairs: Mapping[tuple[int, int], Pair]

    def __add__(self, more: Counted) -> Counted:
        return Counted(
            tuple(mine + yours for mine, yours in zip(self.tallies, more.tallies, strict=True)),
            {sides: pair + more.pairs[sides] for sides, pair in self.pairs.items()},
        )


@dataclass(frozen=True)
class Side:
    """A variant as counted, beside the reference.

    Attributes:
        tally: of its own.
        difference: of a statistic from the reference.
        parts: of that difference by name of the part, where it has parts.
        paired: whether the same deals are compared.
    """

    tally: Tally
    difference: Callable[[str], Difference]
    parts: Mapping[str, Callable[[str], Difference]]
    paired: bool = True


def side_of(counted: Counted, arrangement: Arrangement, track: int) -> Side:
    """A track beside the reference."""
    reference = arrangement.reference
    if track == reference:
        return Side(counted.tallies[track], lambda name: Difference(0.0, 0.0), {})
    parts: dict[str, Callable[[str], Difference]] = {}
    if track in arrangement.repriced:
        between = arrangement.repriced[track]
        parts = {
            "price": counted.pairs[between, reference].difference,
            "adapting": counted.pairs[track, between].difference,
        }
    return Side(counted.tallies[track], counted.pairs[track, reference].difference, parts)


def side_alone(tally: Tally, alone: Alone, reference: Alone) -> Side:
    """A run beside a reference with which it shares no deals."""
    return Side(tally, lambda name: alone.less(reference, name), {}, paired=False)
