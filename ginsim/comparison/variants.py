"""What is compared: every combination of rules, values of fields, and players, each a plan of its own on the same deals."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from ginsim.comparison.paired import compared
from ginsim.errors import UsageError
from ginsim.plan import Plan, make_plan
from ginsim.pricing import differ_in_price_alone, prices_that_differ
from ginsim.records import ENDINGS, Unit
from ginsim.repeat import setting_text
from ginsim.rules import load
from ginsim.strategies import Player, find

RULES = "rules"
PLAYER = "player"
DEFAULT_RULES = "hollywood"


@dataclass(frozen=True)
class Question:
    """What is to be compared, as it was asked: texts as the commands take them.

    ``rules``, ``vary`` (values by field) and ``players`` are crossed. ``strategies`` seat players; ``players`` are compared, each
    against itself, or ``against`` another.
    """

    rules: tuple[str, ...] = (DEFAULT_RULES,)
    vary: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ("simple",)
    players: tuple[str, ...] = ()
    against: str | None = None
    unit: Unit = "hands"
    mirror: bool = False

    @property
    def mirrored(self) -> bool:
        """Whether each deal is played twice, with A and B exchanged."""
        return self.mirror or self.against is not None

    @property
    def factors(self) -> dict[str, tuple[str, ...]]:
        """What varies, and its values in the order in which they were asked for."""
        asked = {RULES: self.rules, **self.vary, PLAYER: self.players}
        return {name: values for name, values in asked.items() if len(values) > 1} or {RULES: self.rules}

    def words(self) -> list[str]:
        """The options that ask it."""
        words = [word for rules in self.rules for word in ("--rules", rules)]
        words += [word for setting in self.settings for word in ("--set", setting)]
        for name, values in self.vary.items():
            words += ["--vary", f"{name}={','.join(values)}"]
        if self.players:
            words += [word for player in self.players for word in ("--player", player)]
            words += ["--against", self.against] if self.against is not None else []
        elif set(self.strategies) != {"simple"}:
            words += [word for strategy in self.strategies for word in ("--strategy", strategy)]
        return words + (["--mirror"] if self.mirror else [])


@dataclass(frozen=True)
class Variant:
    """One combination: its name among the others, the values that make it, its plan, and what its folder is called."""

    name: str
    values: Mapping[str, str]
    plan: Plan
    folder: str = ""


def variants(question: Question, seed: int, chunk: int | None) -> list[Variant]:
    """All combinations, the last factor varying fastest.

    Raises:
        UsageError: there is nothing to compare, or something that cannot be played.
    """
    _check(question)
    found: list[Variant] = []
    for rules, *values, player in product(question.rules, *question.vary.values(), question.players or (None,)):
        settings = [f"{name}={value}" for name, value in zip(question.vary, values, strict=True)]
        loaded = load(rules, [*question.settings, *settings])
        if player is None:
            strategies: Sequence[str] = question.strategies
        else:
            strategies = [player] if question.against is None else [player, *[question.against] * (loaded.seats - 1)]
        plan = make_plan(
            loaded, unit=question.unit, strategies=strategies, seed=seed, mirror=question.mirrored, chunk=chunk
        )
        all_values = {RULES: rules, **dict(zip(question.vary, values, strict=True)), PLAYER: player or ""}
        found.append(Variant("", {name: all_values[name] for name in question.factors}, plan))
    if len(found) < 2:
        raise UsageError("there is one variant, and nothing to compare it with: add --vary FIELD=V1,V2, --rules or --player.")
    return named(found)


def named(unnamed: Sequence[Variant], *, whole: bool = False) -> list[Variant]:
    """The variants with names of their own and, where their plans differ, folders of their own.

    Args:
        whole: values stand in names in full, and not without the folders of files.
    """
    result: list[Variant] = []
    for variant in unnamed:
        values = [value if whole else _short(value) for value in variant.values.values()]
        name = _unlike("/".join(values), [each.name for each in result], " again", "/")
        folder = next((each.folder for each in result if each.plan == variant.plan), None)
        if folder is None:
            folder = ",".join(f"{factor}={_short(value)}" for factor, value in variant.values.items())
            folder = _unlike(re.sub(r"[^\w.=,+-]+", "_", folder), [each.folder for each in result], "", "-")
        result.append(Variant(name, variant.values, variant.plan, folder))
    return result


def place_of(wanted: str | None, variants: Sequence[Variant]) -> int:
    """Which variant is meant by a name, or by its values such as ``gin_bonus=25,undercut_bonus=10``; by default the first.

    Raises:
        UsageError: none.
    """
    if wanted is None:
        return 0
    for place, variant in enumerate(variants):
        if wanted in (variant.name, ",".join(f"{factor}={value}" for factor, value in variant.values.items())):
            return place
    raise UsageError(f"--reference {wanted!r} is no variant: there are {', '.join(each.name for each in variants)}.")


def is_priced(one: Plan, other: Plan) -> bool:
    """Whether the hands of one plan are those of another at other prices: the same players, who look at no bonus."""
    return _same_but_for_price(one, other) and not any(map(_may_use_scoring, set(one.players)))


def is_split(one: Plan, other: Plan) -> bool:
    """Whether a difference between two plans is one of price and of players who adapt to it."""
    return (
        _same_but_for_price(one, other)
        and bool(prices_that_differ(one.rules, other.rules))
        and any(map(_may_use_scoring, set(one.players)))
    )


def untouched(one: Plan, other: Plan) -> set[str]:
    """Statistics that cannot differ between two plans, whatever the deals: nothing, or nothing but the price, is otherwise."""
    if one == other:
        return set(compared(one.layout))
    return untouched_by_price(one, other) if is_priced(one, other) else set()


def untouched_by_price(one: Plan, other: Plan) -> set[str]:
    """Statistics that do not change when hands are priced by the rules of another plan."""
    every = set(compared(one.layout)) & set(compared(other.layout))
    changed = prices_that_differ(one.rules, other.rules)
    if "undercut_on_tie" in changed:
        return (every & {f"{ending}_rate" for ending in ENDINGS}) - {"undercut_rate", "tie_rate"} | {"draws"}
    return every - ({"points"} if changed else set())


def ignore_prices(players: Sequence[Player]) -> list[str]:
    """Of these, the players who play the same cards whatever the bonuses."""
    return [player.spec for player in dict.fromkeys(players) if not _may_use_scoring(player)]


def command(question: Question, options: Sequence[str]) -> str:
    """The command that asks a question again."""
    return shlex.join(["ginsim", "compare", *question.words(), *options])


def values_text(value: object) -> str:
    """A value of a factor as the commands take it."""
    return str(value) if isinstance(value, (str, Path)) else setting_text(value)


def _may_use_scoring(player: Player) -> bool:
    """Whether a player's cards may depend on the bonuses. Of one whose source is gone or not to be read, nobody knows."""
    try:
        return find(player).uses_scoring is not False
    except UsageError:
        return True


def _same_but_for_price(one: Plan, other: Plan) -> bool:
    return (
        one.unit == other.unit == "hands"
        and one.players == other.players
        and (one.seed, one.mirror, one.deals_hash) == (other.seed, other.mirror, other.deals_hash)
        and differ_in_price_alone(one.rules, other.rules)
    )


def _check(question: Question) -> None:
    if question.players and question.strategies != ("simple",):
        raise UsageError("--player compares players, --strategy seats them: choose one.")
    if question.against is not None and not question.players:
        raise UsageError("--against says whom each --player meets: name at least one --player.")
    fixed = {setting.partition("=")[0].strip() for setting in question.settings}
    for name in question.vary:
        if name in fixed:
            raise UsageError(f"{name} is both varied and set: choose one of --vary {name} and --set {name}.")


def _short(value: str) -> str:
    """A value without the folders of a file."""
    head, colon, rest = value.partition(":")
    return Path(head).name.removesuffix(".toml") + colon + rest if "/" in head else head.removesuffix(".toml") + colon + rest


def _unlike(name: str, others: Sequence[str], again: str, between: str) -> str:
    """The name, with something added where others have it."""
    if name not in others:
        return name
    if again and f"{name}{again}" not in others:
        return f"{name}{again}"
    return next(text for number in range(2 if not again else 3, len(others) + 4) if (text := f"{name}{between}{number}") not in others)
