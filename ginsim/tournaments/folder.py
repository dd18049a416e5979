"""A tournament on disk: a folder with ``tournament.json``, which says who plays what, and with an ordinary run for each track."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from ginsim.errors import GinsimError, UsageError
from ginsim.plan import Plan
from ginsim.store import Store, create, place, write_whole
from ginsim.tournaments.schedule import Schedule

FILE = "tournament.json"
VERSION = 1
LONGEST_PART = 40


def is_tournament(folder: str | Path) -> bool:
    """Whether a folder holds a tournament."""
    return (place(folder) / FILE).is_file()


def run_names(schedule: Schedule) -> list[str]:
    """The names of the folders of all tracks, such as ``1-expert-v-simple_knock=4``."""
    width = len(str(len(schedule.tracks)))
    names = []
    for number, track in enumerate(schedule.tracks, 1):
        players = (schedule.players[each].spec for each in track.seating)
        parts = (re.sub(r"[^A-Za-z0-9=.,]+", "_", spec).strip("._")[:LONGEST_PART] for spec in players)
        names.append(f"{number:0{width}d}-{'-v-'.join(parts)}")
    return names


def create_stores(folder: Path, schedule: Schedule, count: int) -> list[Store]:
    """The stores of a tournament whose runs are to hold ``count`` matches each; an existing one of the same schedule goes on.

    While they are open, no other process can write there.

    Raises:
        UsageError: the folder holds something else, or more than ``count``.
        GinsimError: it cannot be written, another process writes there, or the disk has no room.
    """
    _claim(folder, schedule)
    extent = max(store.extent() for store in open_stores(folder, schedule))
    if extent > count:
        raise UsageError(f"{folder} already holds {extent // 2:,} pairs of matches for each pairing: ask for as many or more.")
    stores: list[Store] = []
    try:
        stores += (create(path, plan, count) for path, plan in _runs(folder, schedule))
    except BaseException:
        for store in stores:
            store.close()
        raise
    return stores


def open_schedule(folder: Path) -> Schedule:
    """The schedule of a stored tournament.

    Raises:
        UsageError: there is none in this folder, or it cannot be read.
    """
    path = folder / FILE
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(values, dict) or values.pop("tournament", None) != VERSION:
            raise UsageError(f"tournament = {VERSION} is missing")
        return Schedule.from_dict(values)
    except FileNotFoundError:
        raise UsageError(f"{folder} holds no tournament: name a folder that `ginsim tournament --out` has written.") from None
    except (ValueError, RecursionError, UsageError) as error:
        raise UsageError(f"{path} does not describe a tournament: {str(error).rstrip('.')}.") from error


def open_stores(folder: Path, schedule: Schedule) -> list[Store]:
    """The stores of a tournament, to be read. A run that has not begun is an empty one."""
    return [Store(path, plan) for path, plan in _runs(folder, schedule)]


def _runs(folder: Path, schedule: Schedule) -> list[tuple[Path, Plan]]:
    return [(folder / name, plan) for name, plan in zip(run_names(schedule), schedule.plans, strict=True)]


def _claim(folder: Path, schedule: Schedule) -> None:
    """Check what a folder holds, and write what tournament it is where it is empty."""
    try:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file: --out names a folder.")
        folder.mkdir(parents=True, exist_ok=True)
        leftovers = set(folder.glob(f".{FILE}.*.part"))
        if is_tournament(folder):
            difference = open_schedule(folder).difference(schedule)
            if difference:
                raise UsageError(f"{folder} holds another tournament: {difference}. Name another folder.")
            return
        if set(folder.iterdir()) - leftovers:
            raise UsageError(f"{folder} already holds something else: name a folder that is empty or new.")
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "Permission denied")
        for leftover in leftovers:
            leftover.unlink(missing_ok=True)
        text = json.dumps({"tournament": VERSION, **schedule.as_dict()}, indent=2) + "\n"
        write_whole(folder / FILE, lambda temporary: temporary.write_text(text, encoding="utf-8"))
    except OSError as error:
        raise GinsimError(f"{folder} cannot be written: {error.strerror}.") from error
