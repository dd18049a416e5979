"""The command that plays the same again, as every report ends with, and the version that does."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from ginsim.plan import Plan, usual_chunk
from ginsim.rules import Rules, differences, load, preset_names
from ginsim.store import DEALS
from ginsim.strategies import Player


def repeat_command(plan: Plan, count: int, folder: Path | None = None, deals_file: str | None = None, first: int = 0) -> str:
    """The command that plays ``count`` hands or matches of a plan from number ``first`` on, into a folder where one is given."""
    words = ["ginsim", "simulate", *rules_words(plan.rules)]
    words += strategy_words(plan.players)
    words += [f"--{plan.unit}", str(count), "--seed", str(plan.seed)]
    if plan.mirror:
        words.append("--mirror")
    if plan.deals_hash is not None:
        words += ["--deals", deals_file or (str(folder / DEALS) if folder is not None else "FILE")]
    if folder is not None:
        words += ["--out", str(folder)]
        if first:
            words += ["--first", str(first)]
        if plan.keep != "rows":
            words += ["--keep", plan.keep]
        if plan.chunk != usual_chunk(plan.unit, plan.keep):
            words += ["--chunk", str(plan.chunk)]
    return shlex.join(words)


def report_command(folder: Path, by: str | None, where: str | None) -> str:
    """The command that reports a part of a stored run, or each value of a column."""
    words = ["ginsim", "report", str(folder)]
    words += ["--by", by] if by is not None else []
    words += ["--where", where] if where is not None else []
    return shlex.join(words)


def rules_words(rules: Rules) -> list[str]:
    """Options that name these rules: the nearest preset, and what has to be set on top of it."""
    presets = [load(name) for name in preset_names()]
    same_format = [preset for preset in presets if preset.format == rules.format]
    nearest = min(same_format, key=lambda preset: len(differences(preset, rules)))
    words = ["--rules", nearest.name]
    wanted = rules.as_dict()
    for name in differences(nearest, rules):
        if name in wanted:
            words += ["--set", f"{name}={setting_text(wanted[name])}"]
    return words


def strategy_words(players: Sequence[Player]) -> list[str]:
    """Options that seat these players: none where all are ``simple``."""
    specs = [player.spec for player in players]
    if set(specs) == {"simple"}:
        return []
    return [word for spec in (specs[:1] if len(set(specs)) == 1 else specs) for word in ("--strategy", spec)]


def setting_text(value: object) -> str:
    """A value as ``--set`` takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def version() -> str:
    """The version of ginsim that is installed."""
    try:
        return metadata.version("ginsim")
    except metadata.PackageNotFoundError:
        return "unknown"
