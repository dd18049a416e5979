"""The Python face of ginsim: load rules, simulate to frames or to disk, open stored runs, report. The commands use nothing else."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import polars as pl

from ginsim import charts, page
from ginsim import report as reports
from ginsim import until as precision
from ginsim.deals import read_deals
from ginsim.errors import Interrupted, UsageError
from ginsim.plan import Chunk, Keep, Plan, make_plan
from ginsim.randomness import MAX_MATCHES, MAX_SEED, draw_seed
from ginsim.records import SEATS
from ginsim.repeat import repeat_command, setting_text, version
from ginsim.rules import Rules, load
from ginsim.runner import cores
from ginsim.simulation import BrokenOff, Frames, Measure, Track, piece_size, play
from ginsim.statistics import Tally, split_report, summarize
from ginsim.store import PLAN, Span, Store, TableHash, check_target, create, open_store, stored_deals, write_whole
from ginsim.store.merging import Merged, merge_stores
from ginsim.summing import play_summed
from ginsim.tallying import stored_hash, tally_store
from ginsim.tournaments import (
    Tournament,
    is_tournament,
    lively_chunk,
    make_schedule,
    open_schedule,
    open_tournament,
    play_tournament,
)

if TYPE_CHECKING:
    from ginsim.store.checking import Check

__all__ = [
    "Run",
    "Tournament",
    "check",
    "export",
    "foretell",
    "is_tournament",
    "load_rules",
    "merge",
    "open_run",
    "open_tournament",
    "resume",
    "simulate",
    "tournament",
    "version",
]


@dataclass(repr=False)
class Run:
    """A simulation that has been played: its plan, what was counted, and its rows where they were kept.

    ``count`` is the number of hands or matches from number ``first`` on (with ``gaps``, once these are filled), ``seconds`` how
    long playing took, ``folder`` where the run is stored, ``gaps`` the chunks that it lacks in between, ``lacking`` how many hands
    or matches were asked for beyond its last, ``replaced`` those that were found damaged and played again,
    ``deals_file`` where given deals came from, ``until`` where and why it stopped (see
    :func:`ginsim.until.said`), if it was played until something was tight.
    """

    plan: Plan
    count: int
    tally: Tally
    seconds: float | None = None
    folder: Path | None = None
    frames: dict[str, pl.DataFrame] | None = None
    gaps: tuple[int, ...] = ()
    deals_file: str | None = None
    first: int = 0
    lacking: int = 0
    replaced: tuple[int, ...] = ()
    until: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return f"<Run: {self.count:,} {self.plan.unit}, {self.command()}>"

    def scan(self, table: str = "hands") -> pl.LazyFrame:
        """A table of the run (``hands``, ``games`` or ``matches``), lazily.

        Raises:
            UsageError: the run has no such table, or its rows were not kept.
        """
        if self.folder is not None:
            return Store(self.folder, self.plan).scan(table)
        if self.frames is None:
            raise UsageError("this run kept no rows: simulate with out=… or keep=True.")
        if table not in self.frames:
            raise UsageError(f"this run has no table {table!r}; it has: {', '.join(self.frames)}.")
        return self.frames[table].lazy()

    def frame(self, table: str = "hands") -> pl.DataFrame:
        """A table of the run, in memory."""
        return self.scan(table).collect()

    def table_hash(self) -> str:
        """The hash of all rows in order, which depends on the plan and the count alone.

        Raises:
            UsageError: its rows were not kept.
        """
        if self.folder is not None:
            return stored_hash(Store(self.folder, self.plan), cores())
        content = TableHash(self.plan.layout)
        content.update({table: self.frame(table) for table in self.plan.layout.tables})
        return content.digest()

    def command(self) -> str:
        """The command that plays the same again."""
        return repeat_command(self.plan, self.count, self.folder, self.deals_file, self.first)

    def resume_command(self) -> str:
        """The command that plays what the stored run lacks."""
        if self.folder is None:
            raise UsageError("this run is not stored: there is nothing to resume.")
        return Store(self.folder, self.plan).resume_command

    def report(self, *, by: str | None = None, where: str | None = None, hashed: bool = True) -> dict[str, Any]:
        """Every figure of the run with its interval, ready for JSON (see :func:`ginsim.statistics.summarize`).

        Args:
            by: a column of the hands table: the figures also for each of its values (see :func:`ginsim.statistics.split_report`).
            where: a condition in SQL, such as ``"draws > 20"``: of the hands for which it is true.
            hashed: with the table hash, for which all rows are read once more; null where no rows were kept.

        Raises:
            UsageError: ``by`` or ``where`` where no rows were kept, or something that is wrong in them.
        """
        layout = self.plan.layout
        if by is None and where is None:
            summary = summarize(self.tally, layout)
        else:
            summary = split_report(self._hand_parts, layout, self.plan.mirror, by=by, where=where)
        return reports.document(
            summary,
            version=version(),
            command=self.command(),
            rules=self.plan.rules.name,
            players=[
                {"seat": seat, "strategy": player.spec, "describes": player.description}
                for seat, player in zip(SEATS, self.plan.players, strict=False)
            ],
            seed=self.plan.seed,
            unit=self.plan.unit,
            plan=self.plan.as_dict(),
            seconds=self.seconds,
            hash=self.table_hash() if hashed and self._has_rows else None,
            until=self.until,
        )

    @property
    def _has_rows(self) -> bool:
        return self.frames is not None or (self.folder is not None and self.plan.keep == "rows")

    def _hand_parts(self) -> Iterable[pl.DataFrame]:
        """The rows of the hands, a chunk at a time where they are stored."""
        return [self.frame("hands")] if self.folder is None else Store(self.folder, self.plan).parts("hands")

    def show(
        self,
        format: reports.Format = "table",
        *,
        by: str | None = None,
        where: str | None = None,
        width: int | None = None,
        terminal: bool = False,
    ) -> str:
        """The report as text: a table, JSON, CSV or Markdown (see :meth:`report` and :func:`ginsim.report.render`)."""
        hints = [] if self.folder is not None else ["Keep every outcome: add --out DIR"]
        document = self.report(by=by, where=where, hashed=format == "json")
        return reports.render(document, format, width=width, terminal=terminal, hints=hints)

    def plot(self, path: str | Path) -> None:
        """Draw the report into a file: deadwood at the knock, length and points of hands, rates with intervals, games and series.

        Args:
            path: ends in ``.svg`` or ``.png``.

        Raises:
            UsageError: another ending, no such folder, or not one hand to draw.
            GinsimError: the file could not be written.
        """
        target = check_target(path, charts.ENDINGS)
        charts.save(self.report(hashed=False), target)

    def write_html(self, path: str | Path) -> None:
        """Write the report as one page that holds all it shows: tables, pictures, what was played, the command to repeat it.

        Args:
            path: ends in ``.html``.

        Raises:
            UsageError: another ending, or no such folder.
            GinsimError: the file could not be written.
        """
        target = check_target(path, page.ENDINGS)
        page.write(self.report(), target)


def load_rules(name_or_path: str | Path, settings: Mapping[str, object] | None = None) -> Rules:
    """The rules of a preset or a TOML file, with fields to change such as ``{"gin_bonus": 20}``.

    Raises:
        UsageError: no such rules, or something in them that cannot be.
    """
    return load(str(name_or_path), [f"{key}={setting_text(value)}" for key, value in (settings or {}).items()])


def simulate(
    rules: str | Path | Rules = "hollywood",
    *,
    hands: int | None = None,
    matches: int | None = None,
    strategies: str | Sequence[str] = "simple",
    settings: Mapping[str, object] | None = None,
    seed: int | None = None,
    mirror: bool = False,
    deals: str | Path | np.ndarray | None = None,
    out: str | Path | None = None,
    workers: int | Literal["auto"] = "auto",
    chunk: int | None = None,
    first: int | None = None,
    keep: bool | Keep = True,
    until: str | None = None,
    progress: bool = False,
) -> Run:
    """Play seeded hands or matches.

    Args:
        rules: a preset's name, a TOML file, or loaded rules.
        hands: how many single hands; a million where neither this nor ``matches`` is given.
        matches: how many whole matches instead.
        strategies: one text for all seats or one a seat, such as ``"simple:knock=4"`` or, for a player of one's own,
            ``"my_bot.py:MyBot"`` (see :func:`ginsim.strategies.parse`).
        settings: fields of the rules to change, such as ``{"gin_bonus": 20}``.
        seed: from 0 to 2^64 - 1; drawn where none is given (a stored run that goes on keeps its own).
        mirror: numbers 2k and 2k + 1 share deals and first dealer with A and B exchanged.
        deals: the cards of the hands in place of those from the seed: a file (``-`` for stdin), or an array, as :mod:`ginsim.deals`
            has them. As many hands are played where ``hands`` is not given, under ``mirror`` twice as many.
        out: a folder to store the run in, chunk by chunk; a stored run of the same plan goes on.
        workers: threads, or ``"auto"`` for all cores; processes where a player is called back. Changes no result.
        chunk: hands or matches a stored file.
        first: with ``out``, the number of the first hand or match, on the grid of chunks: a part of a larger run (see
            :func:`merge`).
        keep: without ``out``, whether to keep all rows in memory; with it, ``"rows"`` or ``"summary"``, which is what reports
            need, of each chunk.
        until: stop when the interval of a statistic is as tight as this says, such as ``"gin_rate±0.0005"``, at the latest at
            ``hands`` or ``matches`` (see :mod:`ginsim.until`).
        progress: show a bar on stderr, where that is a terminal.

    Raises:
        UsageError: something that cannot be played or stored.
        GinsimError: a failure on the way; Interrupted after Ctrl-C.
    """
    if hands is not None and matches is not None:
        raise UsageError("hands and matches: choose one.")
    deals_file = None
    if isinstance(deals, (str, Path)):
        deals_file = str(deals) if str(deals) != "-" else None
        deals = read_deals(str(deals))
    if deals is not None:
        most = len(deals) * (2 if mirror else 1)
        if matches is not None:
            raise UsageError("given deals are for single hands: --deals does not go with --matches.")
        if (hands or 0) > most:
            raise UsageError(f"{hands:,} hands: the given deals are enough for {most:,}.")
        hands = max(1, most - (first or 0)) if hands is None else hands
    unit, count = ("matches", matches) if matches is not None else ("hands", 1_000_000 if hands is None else hands)
    # NumPy's whole numbers, as loops over seeds bring them, do not go into JSON.
    named = ((unit, count), ("seed", seed), ("chunk", chunk), ("first", first))
    count, seed, chunk, first = (_whole(name, number) for name, number in named)
    if count < 1:
        raise UsageError(f"{unit} = {count}: must be 1 or more.")
    _check_seed(seed)
    rules, threads, folder = _loaded(rules, settings), _threads(workers), _folder(out)
    kind: Keep | None = None if isinstance(keep, bool) else keep
    if folder is None:
        if first is not None:
            raise UsageError("--first goes with --out: parts of a run are stored and merged.")
        # Where it stops must not depend on how many workers there are.
        if chunk is None and until is None:
            chunk = piece_size(unit, count, threads, mirror)
        kind = "rows"
    elif (folder / PLAN).is_file():
        # What nobody names is as in the stored run.
        stored = open_store(folder)
        seed = stored.plan.seed if seed is None else seed
        kind = stored.plan.keep if kind is None else kind
        chunk = stored.plan.chunk if chunk is None and (stored.plan.unit, stored.plan.keep) == (unit, kind) else chunk
        first = stored.first() if first is None else first
    plan = make_plan(
        rules,
        unit=unit,
        strategies=[strategies] if isinstance(strategies, str) else strategies,
        seed=draw_seed() if seed is None else seed,
        mirror=mirror,
        chunk=chunk,
        deals=deals,
        keep=kind or "rows",
    )
    target = None if until is None else precision.parse(until, precision.figures(plan.layout))
    if target and (first or plan.keep == "summary"):
        raise UsageError("--until looks at a run from its beginning and chunk by chunk: it goes with neither --first nor --keep summary.")
    went = precision.recalled(folder, target, plan.chunk, count) if target else None
    if went is not None:
        target, count = None, went["count"]
    span = _checked_span(plan, first or 0, count)
    if folder is not None:
        run = _play_stored(plan, span, folder, threads, progress, deals_file, target)
        return run if went is None else replace(run, until=went)
    kept: dict[int, Frames] | None = {} if keep is True or keep == "rows" else None

    def measure(chunk: Chunk, tracks: Sequence[Frames]) -> Tally:
        if kept is not None:
            kept[chunk.index] = tracks[0]
        return Tally.of(tracks[0], plan.layout, mirror)

    try:
        if target is None:
            tally, seconds = play([Track(plan)], count, measure, workers=threads, progress=progress)
        else:
            tally, seconds, went = _play_until(target, Track(plan), count, measure, threads, progress)
            count = went["count"]
    except BrokenOff as stopped:
        raise Interrupted(f"Stopped at {stopped.done:,} of {count:,} {unit}; nothing is stored (--out DIR stores a run).") from None
    frames = None if kept is None else {table: _joined(kept, table) for table in plan.layout.tables}
    return Run(plan, count, tally, seconds, frames=frames, deals_file=deals_file, until=went)


def _play_until(
    target: precision.Target, track: Track, most: int, measure: Measure[Tally], workers: int, progress: bool
) -> tuple[Tally, float, dict[str, Any]]:
    """Play a track until a statistic is tight: what was counted, the seconds it took, and how it went."""
    seconds = 0.0

    def part(first: int, end: int) -> Tally:
        nonlocal seconds
        if track.store:
            track.store.ask(Span(0, end))
        tally, took = play([track], end - first, measure, workers=workers, first=first, progress=progress)
        seconds += took
        return tally

    tally, went = precision.until(target, track.plan.chunk, most, part, precision.half_width(target, track.plan.layout))
    return tally, seconds, went


def foretell(
    rules: str | Path | Rules = "hollywood",
    *,
    until: str,
    hands: int | None = None,
    matches: int | None = None,
    seed: int | None = None,
    **asked: Any,
) -> dict[str, Any]:
    """About how many hands or matches :func:`simulate` would take ``until`` a statistic is that tight, from a small pilot.

    Args:
        asked: more that :func:`simulate` takes.

    Returns:
        As :func:`ginsim.until.foretold` says.
    """
    if hands is not None and matches is not None:
        raise UsageError("hands and matches: choose one.")
    unit, most = ("matches", matches) if matches is not None else ("hands", 1_000_000 if hands is None else hands)
    pilot = precision.pilot_size(unit, most)  # type: ignore[arg-type]
    run = simulate(rules, **{unit: pilot}, seed=seed, keep=False, **asked)  # type: ignore[arg-type]
    target = precision.parse(until, precision.figures(run.plan.layout))
    half_width = precision.half_width(target, run.plan.layout)
    return precision.foretold(target, run.plan, pilot, most, run.tally, half_width)


def resume(folder: str | Path, *, workers: int | Literal["auto"] = "auto", progress: bool = False) -> Run:
    """Play what a stored run still lacks of the hands or matches that were asked for last, and what is damaged of it.

    Args:
        workers: as in :func:`simulate`.
        progress: show a bar on stderr, where that is a terminal.

    Raises:
        UsageError: there is no run in the folder, or another version of ginsim or of a player has played it.
        GinsimError: a failure on the way; Interrupted after Ctrl-C.
    """
    if is_tournament(Path(folder)):
        command = open_tournament(folder).command()
        raise UsageError(f"{folder} holds a tournament, which goes on with the command that began it: {command}")
    store = open_store(Path(folder))
    span = store.asked() or store.span()
    if not span.count:
        raise UsageError(f"{folder} does not say how many {store.plan.unit} it is to hold: say so with `ginsim simulate --out`.")
    plan = replace(store.plan.of_today(), deals=stored_deals(store))
    return _play_stored(plan, span, store.folder, _threads(workers), progress, None)


def _play_stored(
    plan: Plan,
    span: Span,
    folder: Path,
    workers: int,
    progress: bool,
    deals_file: str | None,
    target: precision.Target | None = None,
) -> Run:
    """Play hands or matches into a folder, or take those that it holds."""

    def measure(_: Chunk, tracks: Sequence[Frames]) -> Tally:
        return Tally.of(tracks[0], plan.layout, plan.mirror)

    went = None
    store = create(folder, plan, span.count, span.first)
    try:
        if target is not None:
            tally, seconds, went = _play_until(target, Track(plan, store), span.count, measure, workers, progress)
            if store.extent() > went["count"]:
                raise UsageError(precision.holds_more(store, went["count"]))
            precision.remember(folder, went, target, plan.chunk, span.count)
            span = Span(0, went["count"])
        elif plan.keep == "summary":
            tally, seconds = play_summed(store, span, workers=workers, progress=progress)
        else:
            tally, seconds = play(
                [Track(plan, store)],
                span.count,
                measure,
                workers=workers,
                first=span.first,
                progress=progress,
            )
    except BrokenOff:
        again = store.resume_command
        if target is not None:
            again = f"{repeat_command(plan, span.count, folder)} --until {shlex.quote(target.text)}"
        raise Interrupted(
            f"Stopped at {sum(store.sound().values()):,} of {span.count:,} {plan.unit}; all of them are in {folder}. "
            f"Continue: {again}"
        ) from None
    finally:
        store.close()
    replaced = tuple(sorted(store.replaced))
    return Run(plan, span.count, tally, seconds, folder, deals_file=deals_file, first=span.first, replaced=replaced, until=went)


def _checked_span(plan: Plan, first: int, count: int) -> Span:
    if first < 0 or first % plan.chunk:
        raise UsageError(f"first = {first:,}: must be on the grid of chunks, a multiple of {plan.chunk:,}.")
    if first + count > MAX_MATCHES:
        raise UsageError(f"{plan.unit} up to number {first + count:,}: {MAX_MATCHES:,} is the most.")
    most = None if plan.deals is None else len(plan.deals) * (2 if plan.mirror else 1)
    if most is not None and first + count > most:
        raise UsageError(f"hands up to number {first + count:,}: the given deals are enough for {most:,}.")
    return Span(first, count)


def _joined(kept: Mapping[int, Frames], table: str) -> pl.DataFrame:
    return pl.concat([kept[index][table] for index in sorted(kept)])


def tournament(
    strategies: Sequence[str],
    rules: str | Path | Rules = "hollywood",
    *,
    matches: int = 1_000,
    settings: Mapping[str, object] | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    workers: int | Literal["auto"] = "auto",
    progress: bool = False,
) -> Tournament:
    """Play a round robin on common, mirrored deals.

    Args:
        strategies: one text for each player; two or more, under three-handed rules three or more.
        rules: a preset's name, a TOML file, or loaded rules.
        matches: how many pairs of matches for each pairing, the two of a pair on the same deals with seats exchanged; under
            three-handed rules, how often all six seatings of every three play a match on the same deals.
        settings: fields of the rules to change, such as ``{"gin_bonus": 20}``.
        seed: from 0 to 2^64 - 1; drawn where none is given (a stored tournament that goes on keeps its own).
        out: a folder to store the tournament in, each pairing as a run of its own; a stored one of the same players goes on.
        workers: threads, or ``"auto"`` for all cores; processes where a player is called back. Changes no result.
        progress: show a bar on stderr, where that is a terminal.

    Raises:
        UsageError: something that cannot be played or stored.
        GinsimError: a failure on the way; Interrupted after Ctrl-C.
    """
    matches, seed = _whole("matches", matches), _whole("seed", seed)
    if matches < 1:
        raise UsageError(f"matches = {matches}: must be 1 or more.")
    _check_seed(seed)
    rules, threads, folder = _loaded(rules, settings), _threads(workers), _folder(out)
    if isinstance(strategies, str):
        raise UsageError("strategies: name each player of a tournament, in a list.")
    chunk = lively_chunk(matches)
    if folder is not None and is_tournament(folder):
        # What nobody names is as in the stored tournament.
        stored = open_schedule(folder)
        seed, chunk = stored.seed if seed is None else seed, stored.chunk
    schedule = make_schedule(rules, strategies, seed=draw_seed() if seed is None else seed, chunk=chunk)
    return play_tournament(schedule, matches, folder, workers=threads, progress=progress)


def open_run(folder: str | Path, *, workers: int | Literal["auto"] = "auto") -> Run:
    """A stored run, its rows counted anew, by so many threads.

    Raises:
        UsageError: there is no run in the folder.
        Damaged: a file is not what was written.
    """
    store = open_store(Path(folder))
    span, gaps = store.span(), tuple(store.gaps())
    lacking = max(0, store.asked_end() - span.end)
    went = precision.known(store.folder)
    # A run that was extended afterwards is no longer one that stopped there.
    went = went if went is not None and went["count"] == span.count else None
    tally = tally_store(store, _threads(workers))
    return Run(store.plan, span.count, tally, folder=store.folder, gaps=gaps, first=span.first, lacking=lacking, until=went)


def check(folder: str | Path, *, workers: int | Literal["auto"] = "auto", progress: bool = False) -> Check:
    """Look whether a stored run is whole: every chunk there, with its checksum, of the same plan, its rows in order and right.

    Raises:
        UsageError: there is no run in the folder, or its plan cannot be read.
    """
    # Reckoning needs the kernels, which reading does without.
    from ginsim.store.checking import check_store

    return check_store(open_store(Path(folder)), workers=_threads(workers), progress=progress)


def merge(out: str | Path, folders: Sequence[str | Path], *, gaps: bool = True) -> Merged:
    """Join parts of one run that were played apart (with ``first``): the result is the run that would have been played at once.

    Args:
        out: a folder for it; one that holds a part already gets the others.
        gaps: whether there may be gaps between the parts.

    Raises:
        UsageError: two parts overlap, there are gaps although there must not be, or one is of another plan.
        GinsimError: a part is damaged, or ``out`` cannot be written.
    """
    return merge_stores(Path(out), [open_store(Path(folder)) for folder in folders], gaps=gaps)


def export(folder: str | Path, table: str, target: str) -> tuple[list[int], str]:
    """Write a table of a stored run to a file that ends in ``.csv``, ``.parquet`` or ``.ndjson``, or as CSV to stdout (``-``).

    It streams, and the file appears under its name when it is complete.

    Returns:
        The chunks that an interrupted run still lacks, and the command that completes it.

    Raises:
        UsageError: no such run or table, or another ending.
        GinsimError: the file could not be written.
    """
    store = open_store(Path(folder))
    rows = store.scan(table)
    lacking = store.gaps(), store.resume_command
    if target == "-":
        _print_csv(store.parts(table))
        return lacking
    sinks = {".csv": rows.sink_csv, ".parquet": rows.sink_parquet, ".ndjson": rows.sink_ndjson}
    path = check_target(target, list(sinks), ", or be - for CSV on the screen")
    if store.holds(path):
        raise UsageError(f"{target} is a part of the run: name another file.")
    # Polars reads the files itself, and would not mind a wrong bit.
    for index in store.indices():
        store.content(table, index)
    write_whole(path, sinks[path.suffix.lower()])
    return lacking


def _print_csv(parts: Iterable[pl.DataFrame]) -> None:
    # Polars would write past Python, which then does not learn that a reader like `head` has gone.
    if sys.stdout is None:
        return
    for number, part in enumerate(parts):
        sys.stdout.write(part.write_csv(include_header=number == 0))


def _check_seed(seed: int | None) -> None:
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise UsageError(f"seed = {seed}: must be from 0 to 2^64 - 1.")


def _loaded(rules: str | Path | Rules, settings: Mapping[str, object] | None) -> Rules:
    if not isinstance(rules, Rules):
        return load_rules(rules, settings)
    if settings:
        raise UsageError("settings go with a rules name or file: loaded rules are complete.")
    return rules


def _threads(workers: int | Literal["auto"]) -> int:
    threads = cores() if workers == "auto" else workers
    if threads < 1:
        raise UsageError(f"workers = {workers}: must be 1 or more, or auto.")
    return threads


def _folder(out: str | Path | None) -> Path | None:
    if out == "":
        raise UsageError("--out names no folder.")
    return Path(out) if out is not None else None


def _whole(name: str, number: Any) -> Any:
    try:
        return None if number is None else index(number)
    except TypeError:
        raise UsageError(f"{name} = {number!r}: must be a whole number.") from None
