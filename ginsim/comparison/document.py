"""The comparison as one dict, from which every table, chart and page is made: figures, and in words how they came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ginsim.comparison.counting import Side
from ginsim.comparison.estimates import statistics
from ginsim.comparison.paired import COMPLEMENTS
from ginsim.comparison.variants import Variant, ignore_prices, is_priced, is_split
from ginsim.pricing import AROUND, prices_that_differ
from ginsim.records import SEATS
from ginsim.repeat import repeat_command, version
from ginsim.statistics import LEVEL

SCHEMA = "ginsim.comparison/1"
FEW = 20
"""Fewer events than this, and an interval that takes them to be normal is rough."""


def document(
    variants: Sequence[Variant],
    sides: Sequence[Side],
    reference: int,
    *,
    factors: Mapping[str, Sequence[str]],
    counts: Sequence[int],
    how: Sequence[str],
    command: str,
    seconds: float | None = None,
    until: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """The comparison, JSON-able.

    Args:
        factors: what varies, and its values.
        counts: how many hands or matches of each variant.
        how: in a word how each came about: ``played``, ``priced`` (another's hands at its prices) or ``stored``.
        until: how it went, where it was played until something was tight.
        notes: what else one has to know, a sentence each.

    Returns:
        A dict of ``schema``, ``ginsim`` (version), ``command``, ``unit``, ``count`` (hands or matches of the reference), ``seed``,
        ``mirror``, ``independent`` (what one observation is), ``level`` of all intervals, ``seconds``, ``factors``, ``reference`` (a name),
        ``variants`` (``name``, ``values`` by factor, ``rules``, ``players`` as in a run's report, ``how``, ``count``, ``hands``,
        ``folder``, ``command`` that plays it alone, and its ``plan``), ``family`` and ``statistics`` (see
        :func:`ginsim.comparison.estimates.statistics`), ``until``, and sentences: ``explanations``, ``notes``, ``warnings``.
    """
    base = variants[reference]
    together = [variant for variant, side in zip(variants, sides, strict=True) if side.paired]
    found = statistics(variants, sides, reference, counts[reference])
    return {
        "schema": SCHEMA,
        "ginsim": version(),
        "command": command,
        "unit": base.plan.unit,
        "count": counts[reference],
        "seed": base.plan.seed,
        "mirror": base.plan.mirror,
        "independent": sides[reference].tally.clusters,
        "level": LEVEL,
        "seconds": seconds,
        "factors": {name: list(values) for name, values in factors.items()},
        "reference": base.name,
        "variants": [
            {
                "name": variant.name,
                "values": dict(variant.values),
                "rules": variant.plan.rules.name,
                "players": [
                    {"seat": seat, "strategy": player.spec, "describes": player.description}
                    for seat, player in zip(SEATS, variant.plan.players, strict=False)
                ],
                "how": way,
                "count": count,
                "hands": sum(side.tally.histograms["draws"].values()),
                "folder": variant.folder or None,
                "command": repeat_command(variant.plan, count),
                "plan": variant.plan.as_dict(),
            }
            for variant, side, count, way in zip(variants, sides, counts, how, strict=True)
        ],
        **found,
        "until": dict(until) if until else None,
        "explanations": _explanations(together, base, how),
        "notes": list(notes),
        "warnings": [
            *_rare(found["statistics"], sides[reference].tally.clusters),
            *_not_mirrored(variants),
            *_without_effect(together, base),
        ],
    }


def _explanations(variants: Sequence[Variant], base: Variant, how: Sequence[str]) -> list[str]:
    """Which differences between variants on the same deals are of price, which of play, and how the hands came about."""
    said = []
    if "priced" in how:
        whose = _listed(ignore_prices([player for variant in variants for player in variant.plan.players]))
        said.append(
            f"{whose} {_verb(whose, 'plays', 'play')} the same cards whatever the bonuses: the hands were played once and priced "
            "under each rule set, exactly as if each had been played again. A difference between such variants is pure arithmetic."
        )
    split = [variant for variant in variants if is_split(variant.plan, base.plan)]
    if split:
        who = _listed(sorted({player.spec for player in base.plan.players} - set(ignore_prices(base.plan.players))))
        said.append(
            f"{who} {_verb(who, 'looks', 'look')} at the bonuses, so each variant was played. Its difference is split: the hands of "
            f"{base.name} at the new price, and the players adapting to it. The two parts add up."
        )
    if base.plan.unit == "matches" and any(prices_that_differ(variant.plan.rules, base.plan.rules) for variant in variants):
        said.append("A price changes when matches end and who deals next, so every variant was played, on the same deals.")
    if not said and "played" in how:
        said.append("Every variant was played, on the same deals.")
    return said


def _rare(rows: Sequence[Mapping[str, Any]], independent: str) -> list[str]:
    """Events of which there are too few for the intervals, a sentence for each statistic: the rarest."""
    said = []
    for row in rows:
        if row["name"] in COMPLEMENTS or row["kind"] != "rate":
            continue
        event = row["name"].removesuffix("_rate").replace("_", " ")
        counts = {each["variant"]: each["count"] for each in row["variants"]}
        few: list[tuple[int, str]] = []
        for each in row["differences"]:
            if each["same_by_construction"] or each["difference"] is None:
                continue
            events = each["changed"] if each["paired"] else counts[each["variant"]]
            if events < FEW:
                where = (
                    f"{each['variant']} differs from the reference in {events:,} of {each['clusters']:,} {independent}"
                    if each["paired"]
                    else f"{events:,} in {each['variant']}"
                )
                few.append((events, where))
        if few:
            events, where = min(few)
            times = f" About {-(-5 * FEW // events):,} times as many would give {5 * FEW}." if events else ""
            said.append(f"{event}: {where}, too few for an interval to be trusted.{times}")
    return said


def _not_mirrored(variants: Sequence[Variant]) -> list[str]:
    uneven = [variant for variant in variants if len(set(variant.plan.players)) > 1 and not variant.plan.mirror]
    if not uneven:
        return []
    return [
        "different players sit in A and B, and each deal was played one way round only: with --mirror it is played both ways, "
        "which takes the luck of the cards and of the deal out."
    ]


def _without_effect(variants: Sequence[Variant], base: Variant) -> list[str]:
    """Players who ignore what is varied between variants on the same deals."""
    said = []
    ignored: dict[str, None] = {}
    for variant in variants:
        if variant.plan.rules == base.plan.rules or not is_priced(variant.plan, base.plan):
            continue
        one, other = variant.plan.rules, base.plan.rules
        prices = prices_that_differ(one, other)
        ignored |= dict.fromkeys(prices)
        if not prices:
            around = _listed(name for name in AROUND if getattr(one, name) != getattr(other, name))
            said.append(
                f"{variant.name} differs from {base.name} only in what is made of hands in a match ({around}): single hands are the "
                "same. Compare with --matches."
            )
    if ignored:
        whose = _listed(ignore_prices(base.plan.players))
        said.append(
            f"{whose} {_verb(whose, 'ignores', 'ignore')} {_listed(ignored)}: only what hands are worth differs. For play that moves "
            "with it, use --strategy expert; for who wins, --matches."
        )
    return said


def _listed(words: Any) -> str:
    words = list(words)
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def _verb(subject: str, one: str, several: str) -> str:
    return several if " and " in subject else one
