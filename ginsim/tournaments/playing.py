"""Playing a tournament, or opening a stored one."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ginsim import charts
from ginsim import report as reports
from ginsim.errors import Interrupted, UsageError
from ginsim.plan import Chunk
from ginsim.repeat import rules_words, version
from ginsim.simulation import BrokenOff, Frames, Track, play
from ginsim.statistics.tally import Moments
from ginsim.store import Store, check_target, place
from ginsim.tournaments.folder import create_stores, open_schedule, open_stores
from ginsim.tournaments.schedule import Schedule
from ginsim.tournaments.scores import scores
from ginsim.tournaments.standings import standings


@dataclass(repr=False)
class Tournament:
    """A round robin that has been played: who played, what was counted, and where its runs are stored, if anywhere.

    ``pairs`` is the number of pairs of matches of each pairing that were counted, ``wanted`` how many an interrupted one has in
    the run that got furthest, ``seconds`` how long playing took.
    """

    schedule: Schedule
    pairs: int
    scores: Moments
    seconds: float | None = None
    folder: Path | None = None
    wanted: int = 0

    def __repr__(self) -> str:
        return f"<Tournament: {self.pairs:,} pairs of matches each, {self.command()}>"

    def command(self) -> str:
        """The command that plays the same again, or completes an interrupted one."""
        return tournament_command(self.schedule, max(self.pairs, self.wanted), self.folder)

    def report(self) -> dict[str, Any]:
        """Every figure with its interval, ready for JSON (see :func:`ginsim.tournaments.standings.standings`)."""
        return {
            "schema": reports.TOURNAMENT_SCHEMA,
            "ginsim": version(),
            "command": self.command(),
            "rules": self.schedule.rules.name,
            "seed": self.schedule.seed,
            "seconds": self.seconds,
            "plan": self.schedule.as_dict(),
            **standings(self.schedule, self.scores, self.pairs),
        }

    def show(self, format: reports.Format = "table", *, width: int | None = None, terminal: bool = False) -> str:
        """The report as text: a table, JSON, CSV or Markdown (see :func:`ginsim.report.render_tournament`)."""
        hints = [] if self.folder is not None else ["Keep every outcome: add --out DIR"]
        return reports.render_tournament(self.report(), format, width=width, terminal=terminal, hints=hints)

    def plot(self, path: str | Path) -> None:
        """Draw the standings and who beats whom into a file that ends in ``.svg`` or ``.png`` (see :meth:`ginsim.Run.plot`)."""
        target = check_target(path, charts.ENDINGS)
        charts.save(self.report(), target)


def play_tournament(schedule: Schedule, pairs: int, folder: Path | None, *, workers: int, progress: bool = False) -> Tournament:
    """Play ``pairs`` pairs of matches for each pairing, into a folder where one is given.

    Raises:
        UsageError: the folder holds something else.
        Interrupted: after Ctrl-C; the message says what is stored and how to go on.
        GinsimError: something went wrong on the way.
    """
    stores: Sequence[Store | None] = [None] * len(schedule.plans)
    if folder is not None:
        stores = create_stores(folder, schedule, 2 * pairs)
    tracks = [Track(plan, store) for plan, store in zip(schedule.plans, stores, strict=True)]

    def measure(chunk: Chunk, tables: Sequence[Frames]) -> Moments:
        return scores(schedule, chunk, tables)

    try:
        total, seconds = play(tracks, 2 * pairs, measure, workers=workers, progress=progress)
    except (BrokenOff, KeyboardInterrupt) as stopped:
        done = stopped.done if isinstance(stopped, BrokenOff) else 0
        raise Interrupted(_stopped_message(schedule, pairs, done, folder, stores)) from None
    finally:
        for store in stores:
            if store:
                store.close()
    return Tournament(schedule, pairs, total, seconds, folder)


def open_tournament(folder: str | Path) -> Tournament:
    """A stored tournament, counted anew as far as all its runs go.

    Raises:
        UsageError: there is none in the folder, or nothing of it was played by all.
        GinsimError: a file is damaged.
    """
    folder = place(folder)
    schedule = open_schedule(folder)
    stores = open_stores(folder, schedule)
    rows = [store.rows() for store in stores]
    total: Moments | None = None
    matches = 0
    for index, count in sorted(rows[0].items()):
        if all(each.get(index) == count for each in rows):
            part = scores(schedule, Chunk(index, index * schedule.chunk, count), [store.read(index) for store in stores])
            total = part if total is None else total + part
            matches += count
    wanted = max(store.extent() for store in stores) // 2
    if total is None:
        command = tournament_command(schedule, max(wanted, 1), folder)
        raise UsageError(f"{folder}: no part of this tournament has been played by all. Go on with it: {command}")
    return Tournament(schedule, matches // 2, total, folder=folder, wanted=wanted)


def tournament_command(schedule: Schedule, pairs: int, folder: Path | None = None) -> str:
    """The command that plays a tournament, into a folder where one is given."""
    words = ["ginsim", "tournament", *(player.spec for player in schedule.players), *rules_words(schedule.rules)]
    words += ["--matches", str(pairs), "--seed", str(schedule.seed)]
    return shlex.join(words if folder is None else [*words, "--out", str(folder)])


def _stopped_message(
    schedule: Schedule, pairs: int, done: int, folder: Path | None, stores: Sequence[Store | None]
) -> str:
    total = 2 * pairs * len(schedule.plans)
    if folder is None:
        return f"Stopped at {done:,} of {total:,} matches; nothing is stored (--out DIR stores a tournament)."
    stored = sum(store.stored() for store in stores if store)
    return (
        f"Stopped at {stored:,} of {total:,} matches; all of them are in {folder}. "
        f"Continue: {tournament_command(schedule, pairs, folder)}"
    )
