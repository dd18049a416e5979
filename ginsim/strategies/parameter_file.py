"""Files of parameters, as ``ginsim tune`` writes them and ``params=FILE`` takes them.

A TOML file with the values in a table ``[parameters]`` and, where it says so, the ``strategy`` that they are for. What else stands in it
(version, rules, how it was tuned) tells where the values come from and changes nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ginsim.errors import UsageError

PARAMS = "params"
"""The key that takes a file in a spec."""

_TABLES = ("parameters", "rules", "tuning", "against")
_FACTS = ("strategy", "version")


def read(path: Path) -> dict[str, Any]:
    """The content of a file of parameters; the values are there, and not yet checked.

    Raises:
        UsageError: there is no such file, or it is no file of parameters.
    """
    try:
        content = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not TOML: {' '.join(str(error).split())[:200]}.") from None
    for key in content:
        if key not in (*_TABLES, *_FACTS):
            raise UsageError(f"{path}: {key} stands outside of [parameters], where the values belong.")
    if not isinstance(content.get("parameters"), Mapping):
        raise UsageError(f"{path}: there is no table [parameters] in it.")
    for key, value in content["parameters"].items():
        if not isinstance(value, int | float | str):
            raise UsageError(f"{path}: {key} = {value!r}: must be a number, true, false or a text.")
    return content


def values_for(name: str, path: Path) -> dict[str, int | float | bool | str]:
    """The values in a file for the strategy ``name``.

    Raises:
        UsageError: as :func:`read`, or they are for another strategy.
    """
    content = read(path)
    meant = content.get("strategy", name)
    if meant != name:
        raise UsageError(f"{path}: strategy = {meant!r}: these parameters are not for {name}.")
    return dict(content["parameters"])
