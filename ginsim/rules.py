"""The rules as data: a frozen set of fields, loaded from TOML, checked, and packed for the kernels.

A rule file holds fields, and may hold ``base`` (a preset's name, or another rule file seen from its own folder; without it,
``gin``) and ``description``. The presets are such files, read by the same code. Each file, and the settings of one command
together, are a *layer* over what they start from: fields that the layer's own choices rule out drop away when they were
inherited, and are refused when the layer itself states them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ginsim.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

    RULES_DTYPE: np.dtype

Value = bool | int | str | None

_PRESETS = Path(__file__).parent / "presets"
_FIRST = "gin"
_SEATS = {"game": 2, "hollywood": 2, "three_handed": 3}


@dataclass(frozen=True)
class Field:
    """What is known of one field besides its value. Neither ``bounds`` nor ``choices``: true or false."""

    rule: str
    """The numbers of the rules it belongs to."""
    meaning: str
    """One sentence."""
    bounds: tuple[int, int] | None = None
    choices: tuple[str, ...] = ()
    may_be_off: bool = False
    """Whether ``false`` stands for "not in use", which is None in :class:`Rules`."""
    only_with: tuple[str, Value] | None = None
    """The field and its value without which this field does not exist."""
    default: Value = None
    """What a layer gets that brings the field into being and does not state it; None: the first choice."""

    def values(self) -> str:
        """The possible values, as a person reads them."""
        if self.bounds:
            return ("false, " if self.may_be_off else "") + "{} … {}".format(*self.bounds)
        return ", ".join(self.choices) or "true, false"

    def exists(self, values: Mapping[str, Value]) -> bool:
        """Whether rules with these values have the field."""
        return self.only_with is None or values.get(self.only_with[0]) == self.only_with[1]


def _declare(rule: str, meaning: str, **more: Any) -> Any:
    return field(metadata={"about": Field(rule, meaning, **more)})


_HOLLYWOOD = ("format", "hollywood")
_BONUS = (0, 1000)


@dataclass(frozen=True)
class Rules:
    """A complete, consistent rule set. Two are equal if they play alike, whatever their names.

    Fields that the format does not have, and a bonus that is not in use, are None.

    Raises:
        UsageError: a field has a wrong type or an impossible value, is missing, or does not go with the others.
    """

    format: str = _declare("R21, R27, R31", "What a match is made of.", choices=tuple(_SEATS))
    target: int = _declare("R23, R30", "A game ends when a player's total reaches this.", bounds=(1, 100_000))
    knock_limit: int = _declare(
        "R9, R33", "A player may knock with at most this deadwood; 0 is gin only.", bounds=(0, 10)
    )
    upcard_sets_limit: bool = _declare(
        "R32", "The rank of the first face-up card is the knock limit of its hand, in place of knock_limit."
    )
    ace_upcard: str | None = _declare(
        "R32",
        "An ace turned up first means gin only, or a limit of one.",
        choices=("gin", "one"),
        only_with=("upcard_sets_limit", True),
    )
    spade_doubles: bool = _declare("R32", "A spade turned up first doubles all points of its hand, bonuses included.")
    gin_bonus: int = _declare("R19", "Points for gin, besides the defender's deadwood.", bounds=_BONUS)
    undercut_bonus: int = _declare("R18", "Points for an undercut, besides the difference.", bounds=_BONUS)
    undercut_on_tie: bool = _declare(
        "R18", "Equal deadwood is an undercut; otherwise it is a tie, which scores nothing."
    )
    big_gin_bonus: int | None = _declare(
        "R11",
        "Points for eleven melded cards, besides the defender's deadwood; false: there is no big gin.",
        bounds=_BONUS,
        may_be_off=True,
    )
    discard_taken_card: bool = _declare("R8", "The card just taken from the pile may be discarded on the same turn.")
    stock_floor: int = _declare(
        "R15", "The hand is a draw when no more cards than this are in the stock after a discard.", bounds=(0, 10)
    )
    last_discard: str = _declare(
        "R15", "The last discard is dead, or the opponent may take it, only to knock.", choices=("dead", "knock")
    )
    next_dealer: str = _declare(
        "R21, R28, R34",
        "Who deals after a decided hand; three-handed rules have the box deal.",
        choices=("winner", "loser", "alternate", "box"),
    )
    games: int | None = _declare(
        "R22", "How many games of a series run at once.", bounds=(1, 9), only_with=_HOLLYWOOD, default=3
    )
    series_end: str | None = _declare(
        "R24",
        "A series is played until all its games have ended, or only until it is decided.",
        choices=("all", "decided"),
        only_with=_HOLLYWOOD,
    )
    shut_out: str | None = _declare(
        "R25",
        "A win when games have ended: it counts as the player's n-th all the same, or goes on to the next open game.",
        choices=("literal", "next_game"),
        only_with=_HOLLYWOOD,
    )
    box_bonus: int = _declare("R31", "End-of-game extra: for each hand a player won.", bounds=_BONUS)
    game_bonus: int = _declare("R31", "End-of-game extra: for winning the game.", bounds=_BONUS)
    blitz_bonus: int = _declare(
        "R31", "End-of-game extra: for winning a game in which nobody else won a hand.", bounds=_BONUS
    )
    max_draws: int = _declare("R16", "A hand is stopped after so many draws of cards.", bounds=(1, 65_535))
    max_hands: int = _declare("R16", "A match is abandoned after so many hands.", bounds=(1, 1_000_000))
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        _check_layer({}, self.as_dict(), "")

    @property
    def seats(self) -> int:
        """How many players sit at the table."""
        return _SEATS[self.format]

    def as_dict(self) -> dict[str, Value]:
        """The fields these rules have, ready for JSON or TOML: a bonus not in use is False. Without the name."""
        values = {name: getattr(self, name) for name in FIELDS}
        return {
            name: False if value is None else value
            for name, value in values.items()
            if value is not None or FIELDS[name].may_be_off
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Value], name: str = "") -> Rules:
        """The inverse of :meth:`as_dict`; every field must be there.

        Raises:
            UsageError: a field is missing, unknown, impossible, or does not go with the others.
        """
        return _made(_check_layer({}, values, ""), name)

    def packed(self) -> np.record:
        """One record of ``RULES_DTYPE``: choices as their place in the field's list, not in use -1, no series: one game."""
        import numpy as np

        numbers = tuple(_number(name, getattr(self, name)) for name in FIELDS)
        return np.array(numbers, _dtype()).view(np.recarray)[()]


FIELDS: dict[str, Field] = {each.name: each.metadata["about"] for each in fields(Rules) if each.name != "name"}
"""Every field in the order of the table of rules."""


def load(name_or_path: str, settings: Sequence[str] = ()) -> Rules:
    """The rules of a preset or a rule file, with settings on top.

    Args:
        name_or_path: a preset's name, or the path of a TOML file.
        settings: texts ``field=value``, the value as in a rule file, quotes not needed; the last one for a field counts.

    Raises:
        UsageError: no such rules, no readable rule file, or a field that is unknown, impossible, or not of this format.
    """
    path = _find(name_or_path)
    plain = _made(_file_values(path), path.stem)
    texts = dict(map(_split_setting, settings))
    own = {name: _read_value(text) for name, text in texts.items()}
    rules = _made(_check_layer(plain.as_dict(), own, "", texts), path.stem)
    differing = {name: new for name, (_, new) in differences(plain, rules).items() if name in own}
    changes = ", ".join(f"{name} {str(value).lower()}" for name, value in differing.items())
    return replace(rules, name=f"{path.stem} ({changes})") if changes else rules


def preset_names() -> list[str]:
    """The rules that come with ginsim, by name."""
    return sorted(path.stem for path in _PRESETS.glob("*.toml"))


def description(name_or_path: str) -> str:
    """The line by which a preset or rule file describes itself; empty if it does not."""
    return _read_file(_find(name_or_path)).get("description", "")


def differences(a: Rules, b: Rules) -> dict[str, tuple[Value, Value]]:
    """The fields in which two rule sets differ, with both values as in ``as_dict``; None where one has no such field."""
    first, second = a.as_dict(), b.as_dict()
    return {name: (first.get(name), second.get(name)) for name in FIELDS if getattr(a, name) != getattr(b, name)}


def __getattr__(name: str) -> Any:
    # NumPy is imported only by those who ask for the packed form.
    if name == "RULES_DTYPE":
        return _dtype()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _dtype() -> np.dtype:
    import numpy as np

    return np.dtype([(name, np.int32) for name in FIELDS], align=True)


def _number(name: str, value: Value) -> int:
    if value is None:
        return -1 if FIELDS[name].may_be_off else 1 if name == "games" else 0
    return FIELDS[name].choices.index(value) if isinstance(value, str) else int(value)


def _made(values: Mapping[str, Value], name: str) -> Rules:
    in_use = {key: None if FIELDS[key].may_be_off and value is False else value for key, value in values.items()}
    return Rules(**{**dict.fromkeys(FIELDS), **in_use}, name=name)  # type: ignore[arg-type]


# Files and settings


def _find(name_or_path: str, folder: Path = Path()) -> Path:
    """The file of a preset, or the path meant, seen from ``folder``."""
    names = preset_names()
    if name_or_path in names:
        return _PRESETS / f"{name_or_path}.toml"
    path = folder / name_or_path
    if "\0" not in name_or_path and (
        path.suffix.lower() == ".toml" or len(Path(name_or_path).parts) > 1 or (name_or_path and _exists(path))
    ):
        return path
    near = get_close_matches(name_or_path.lower(), names, n=1)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    raise UsageError(f"no rules named '{_one_line(name_or_path)}'. {hint}`ginsim rules` lists them; a file works too.")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _file_values(path: Path, below: tuple[Path, ...] = ()) -> dict[str, Value]:
    """All fields of a rule file; ``below`` are the files that are based on it."""
    own = _read_file(path)
    own.pop("description", None)
    where = f"{_one_line(str(path), 200)}: "
    here = path.resolve()
    if here == (_PRESETS / f"{_FIRST}.toml").resolve():
        return _check_layer({}, own, where)
    if here in below:
        raise UsageError(f"{where}its base leads back to it.")
    base = own.pop("base", _FIRST)
    try:
        inherited = _file_values(_find(base, path.parent), (*below, here))
    except UsageError as error:
        raise UsageError(f"{where}base = {_spelled(base)}: {error}") from None
    return _check_layer(inherited, own, where)


def _read_file(path: Path) -> dict[str, Any]:
    where = _one_line(str(path), 200)
    try:
        content = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"{where}: no such file. `ginsim rules` lists the rules that have a name.") from None
    except IsADirectoryError:
        raise UsageError(f"{where}: a folder, not a rule file.") from None
    except OSError as error:
        raise UsageError(f"{where}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: not UTF-8 text (byte {error.start}); a rule file is a TOML file.") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{where}: not TOML: {_one_line(str(error), 200)}.") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{where}: a number too long or lists too deep for a rule file.") from None
    for key in ("base", "description"):
        if not isinstance(content.get(key, ""), str):
            raise UsageError(f"{where}: {key} = {_spelled(content[key])}: must be text in quotes.")
    return content


def _split_setting(setting: str) -> tuple[str, str]:
    name, equals, value = setting.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise UsageError(f"--set '{_one_line(setting)}': must be FIELD=VALUE, such as gin_bonus=20.")
    return name.strip(), value.strip()


def _read_value(text: str) -> Any:
    try:
        content = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return content["value"] if len(content) == 1 else text


# Checks


def _check_layer(
    inherited: Mapping[str, Value], own: Mapping[str, Any], where: str, spelling: Mapping[str, str] | None = None
) -> dict[str, Value]:
    """All fields of a layer over what it starts from; without that, the layer must have them all.

    ``where`` opens every message; ``spelling`` is how the values were typed, if not as in a file.
    """

    def said(name: str) -> str:
        typed = _one_line(spelling[name]) if spelling else _spelled(own[name])
        return f"{where}{_one_line(name)} = {typed}"

    for name, value in own.items():
        if name not in FIELDS:
            near = get_close_matches(name, FIELDS, n=1, cutoff=0.7)
            hint = f"Did you mean {near[0]}?" if near else f"`ginsim rules {_FIRST}` shows the fields."
            raise UsageError(f"{said(name)}: rules have no such field. {hint}")
        if wrong := _fault(FIELDS[name], value):
            raise UsageError(f"{said(name)}: {wrong}.")

    values = {**inherited, **own}
    for name, about in FIELDS.items():
        if not about.exists(values):
            if name in own:
                needed, needed_value = about.only_with or ("", None)
                raise UsageError(f"{said(name)}: only rules with {needed} = {_spelled(needed_value)} have it.")
            values.pop(name, None)
            continue
        allowed = _allowed(name, values) or about.choices
        if name not in values and not inherited:
            raise UsageError(f"{where}{name} is missing: {about.values()}.")
        if name not in values or (allowed and values[name] not in allowed):
            if name in own:
                raise UsageError(f"{said(name)}: must be {_listed(allowed)} where format = {_spelled(values['format'])}.")
            values[name] = about.default or allowed[0]
    return {name: values[name] for name in FIELDS if name in values}


def _fault(about: Field, value: Any) -> str | None:
    """What would be right, if the value is of the wrong type or out of bounds."""
    if about.bounds:
        low, high = about.bounds
        if about.may_be_off and value is False:
            return None
        # The type itself: True is an int to Python, and not a number of points.
        if type(value) is not int:
            off = "false, or " if about.may_be_off else ""
            return f"must be {off}a whole number from {low} to {high}"
        if value < low:
            return f"must be {low} or more"
        return f"must be {high} or less" if value > high else None
    if about.choices:
        return None if isinstance(value, str) and value in about.choices else f"must be {_listed(about.choices)}"
    return None if type(value) is bool else "must be true or false"


def _allowed(name: str, values: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The choices that go with the format, if they depend on it: the box deals in three-handed rules (R28) only."""
    if name != "next_dealer":
        return None
    three_handed = values.get("format") == "three_handed"
    return tuple(choice for choice in FIELDS[name].choices if (choice == "box") == three_handed)


def _listed(choices: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))


def _spelled(value: Any) -> str:
    """A value as a rule file has it, short and on one line."""
    if isinstance(value, str):
        return _one_line(json.dumps(value, ensure_ascii=False))
    return _one_line(str(value).lower() if isinstance(value, bool) else str(value))


def _one_line(text: str, most: int = 60) -> str:
    printable = text if text.isprintable() else json.dumps(text)[1:-1]
    return printable if len(printable) <= most else printable[:most] + "…"
