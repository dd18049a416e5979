"""What is asked for, checked: rules, seeds, workers, folders."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any, Literal

from ginsim.errors import UsageError
from ginsim.randomness import MAX_SEED
from ginsim.repeat import setting_text
from ginsim.rules import Rules, load
from ginsim.runner import cores
from ginsim.store import place


def load_rules(name_or_path: str | Path, settings: Mapping[str, object] | None = None) -> Rules:
    """The rules of a preset or a TOML file, with fields to change such as ``{"gin_bonus": 20}``.

    Raises:
        UsageError: no such rules, or something in them that cannot be.
    """
    return load(str(name_or_path), [f"{key}={setting_text(value)}" for key, value in (settings or {}).items()])


def check_seed(seed: int | None) -> None:
    """Refuse what is no seed.

    Raises:
        UsageError: it is none.
    """
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise UsageError(f"seed = {seed}: must be from 0 to 2^64 - 1.")


def loaded(rules: str | Path | Rules, settings: Mapping[str, object] | None) -> Rules:
    """Rules, whether they are named or loaded already.

    Raises:
        UsageError: no such rules, or settings for loaded ones.
    """
    if not isinstance(rules, Rules):
        return load_rules(rules, settings)
    if settings:
        raise UsageError("settings go with a rules name or file: loaded rules are complete.")
    return rules


def threads_of(workers: int | Literal["auto"]) -> int:
    """How many workers are meant.

    Raises:
        UsageError: fewer than one.
    """
    threads = cores() if workers == "auto" else workers
    if threads < 1:
        raise UsageError(f"workers = {workers}: must be 1 or more, or auto.")
    return threads


def folder_of(out: str | Path | None) -> Path | None:
    """The folder that ``out`` names, if any.

    Raises:
        UsageError: an empty name.
    """
    if out == "":
        raise UsageError("--out names no folder.")
    return place(out) if out is not None else None


def whole(name: str, number: Any) -> Any:
    """A number as Python has it; None stays None.

    Raises:
        UsageError: it is not whole.
    """
    try:
        return None if number is None else index(number)
    except TypeError:
        raise UsageError(f"{name} = {number!r}: must be a whole number.") from None
