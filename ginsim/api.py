"""The Python face of ginsim: load rules, simulate to frames or to disk, open stored runs, report. The commands use nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from operator import index
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl

from ginsim import report as reports
from ginsim.cluster import connect
from ginsim.deals import read_deals
from ginsim.errors import Interrupted, UsageError
from ginsim.plan import Chunk, Plan, make_plan, usual_chunk
from ginsim.randomness import MAX_SEED, draw_seed
from ginsim.records import SEATS, Layout
from ginsim.repeat import repeat_command, setting_text
from ginsim.rules import Rules, load
from ginsim.runner import cores
from ginsim.simulation import BrokenOff, Frames, Track, play
from ginsim.statistics import Tally, summarize
from ginsim.store import PLAN, Store, TableHash, create, open_store, write_whole

_CHUNKS_A_WORKER = 4
_SMALLEST_CHUNK = 500


@dataclass(repr=False)
class Run:
    """A simulation that has been played: its plan, what was counted, and its rows where they were kept.

    ``count`` is the number of hands or matches (with ``gaps``, once these are filled), ``seconds`` how long playing took, ``folder`` where the run is stored,
    ``gaps`` the chunks that an interrupted run still lacks, ``deals_file`` where given deals came from.
    """

    plan: Plan
    count: int
    tally: Tally
    seconds: float | None = None
    folder: Path | None = None
    frames: dict[str, pl.DataFrame] | None = None
    gaps: tuple[int, ...] = ()
    deals_file: str | None = None

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
        """The hash of all rows in order, which depends on the plan and the count alone."""
        if self.folder is not None:
            return Store(self.folder, self.plan).table_hash()
        content = TableHash(self.plan.layout)
        content.update({table: self.frame(table) for table in self.plan.layout.tables})
        return content.digest()

    def command(self) -> str:
        """The command that plays the same again."""
        return repeat_command(self.plan, self.count, self.folder, self.deals_file)

    def report(self, *, hashed: bool = True) -> dict[str, Any]:
        """Every figure of the run with its interval, ready for JSON (see :func:`ginsim.statistics.summarize`).

        Args:
            hashed: with the table hash, for which all rows are read once more; null where no rows were kept.
        """
        return reports.document(
            summarize(self.tally, self.plan.layout),
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
            hash=self.table_hash() if hashed and (self.folder or self.frames is not None) else None,
        )

    def show(self, format: reports.Format = "table", *, width: int | None = None, terminal: bool = False) -> str:
        """The report as text: a table, JSON, CSV or Markdown (see :func:`ginsim.report.render`)."""
        hints = [] if self.folder is not None else ["Keep every outcome: add --out DIR"]
        return reports.render(self.report(hashed=format == "json"), format, width=width, terminal=terminal, hints=hints)


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
    cluster: str | None = None,
    chunk: int | None = None,
    keep: bool = True,
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
        cluster: a Dask scheduler that plays in place of this machine, ``tcp://HOST:PORT``, or ``local:N`` for a cluster of N processes
            here (from a script only under ``if __name__ == "__main__"``). Changes no result.
        chunk: hands or matches a stored file.
        keep: without ``out``, keep all rows in memory.
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
        hands = most if hands is None else hands
    unit, count = ("matches", matches) if matches is not None else ("hands", 1_000_000 if hands is None else hands)
    # NumPy's whole numbers, as loops over seeds bring them, do not go into JSON.
    count, seed, chunk = (_whole(name, number) for name, number in ((unit, count), ("seed", seed), ("chunk", chunk)))
    if count < 1:
        raise UsageError(f"{unit} = {count}: must be 1 or more.")
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise UsageError(f"seed = {seed}: must be from 0 to 2^64 - 1.")
    if not isinstance(rules, Rules):
        rules = load_rules(rules, settings)
    elif settings:
        raise UsageError("settings go with a rules name or file: loaded rules are complete.")
    threads = cores() if workers == "auto" else workers
    if threads < 1:
        raise UsageError(f"workers = {workers}: must be 1 or more, or auto.")
    if out == "":
        raise UsageError("--out names no folder.")
    folder = Path(out) if out is not None else None
    if folder is None:
        chunk = _lively_chunk(unit, count, threads, mirror) if chunk is None else chunk
    elif (folder / PLAN).is_file():
        # What nobody names is as in the stored run.
        stored = open_store(folder).plan
        seed = stored.seed if seed is None else seed
        chunk = stored.chunk if chunk is None and stored.unit == unit else chunk
    plan = make_plan(
        rules,
        unit=unit,
        strategies=[strategies] if isinstance(strategies, str) else strategies,
        seed=draw_seed() if seed is None else seed,
        mirror=mirror,
        chunk=chunk,
        deals=deals,
    )
    store = create(folder, plan, count) if folder is not None else None
    kept: dict[int, Frames] | None = {} if keep and store is None else None

    try:
        with nullcontext(threads) if cluster is None else connect(cluster) as workers:
            measure = partial(_tally, layout=plan.layout, mirror=mirror)
            tally, seconds = play([Track(plan, store, kept)], count, measure, workers=workers, progress=progress)
    except BrokenOff as stopped:
        raise Interrupted(_stopped_message(plan, count, stopped.done, store)) from None
    finally:
        if store:
            store.close()
    frames = None if kept is None else {table: _joined(kept, table) for table in plan.layout.tables}
    return Run(plan, count, tally, seconds, folder, frames, deals_file=deals_file)


def _tally(chunk: Chunk, tracks: Sequence[Frames], layout: Layout, mirror: bool) -> Tally:
    return Tally.of(tracks[0], layout, mirror)


def _joined(kept: Mapping[int, Frames], table: str) -> pl.DataFrame:
    return pl.concat([kept[index][table] for index in sorted(kept)])


def _stopped_message(plan: Plan, count: int, done: int, store: Store | None) -> str:
    if store is None:
        return f"Stopped at {done:,} of {count:,} {plan.unit}; nothing is stored (--out DIR stores a run)."
    return (
        f"Stopped at {store.stored():,} of {count:,} {plan.unit}; all of them are in {store.folder}. "
        f"Continue: {repeat_command(plan, count, store.folder)}"
    )


def open_run(folder: str | Path) -> Run:
    """A stored run, its rows counted anew.

    Raises:
        UsageError: there is no run in the folder.
    """
    store = open_store(Path(folder))
    tally = Tally()
    for frames in store.chunks():
        tally += Tally.of(frames, store.plan.layout, store.plan.mirror)
    return Run(store.plan, store.extent(), tally, folder=store.folder, gaps=tuple(store.gaps()))


def version() -> str:
    """The version of ginsim that is installed."""
    try:
        return metadata.version("ginsim")
    except metadata.PackageNotFoundError:
        return "unknown"


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
    lacking = store.gaps(), repeat_command(store.plan, store.extent(), store.folder)
    if target == "-":
        _print_csv(store.parts(table))
        return lacking
    path = Path(target)
    sinks = {".csv": rows.sink_csv, ".parquet": rows.sink_parquet, ".ndjson": rows.sink_ndjson}
    if path.suffix.lower() not in sinks:
        raise UsageError(f"{target}: the name must end in .csv, .parquet or .ndjson, or be - for CSV on the screen.")
    if path.is_dir():
        raise UsageError(f"{target} is a folder: name a file.")
    if not path.parent.is_dir():
        raise UsageError(f"{target}: there is no folder {path.parent}.")
    if store.holds(path):
        raise UsageError(f"{target} is a part of the run: name another file.")
    write_whole(path, sinks[path.suffix.lower()])
    return lacking


def _print_csv(parts: Iterable[pl.DataFrame]) -> None:
    # Polars would write past Python, which then does not learn that a reader like `head` has gone.
    if sys.stdout is None:
        return
    for number, part in enumerate(parts):
        sys.stdout.write(part.write_csv(include_header=number == 0))


def _lively_chunk(unit: str, count: int, threads: int, mirror: bool) -> int:
    """Without files to be written the grid is free: small enough that all workers have something to do."""
    size = max(_SMALLEST_CHUNK, -(-count // (_CHUNKS_A_WORKER * threads)))
    return min(size + size % 2 if mirror else size, usual_chunk(unit))


def _whole(name: str, number: Any) -> Any:
    try:
        return None if number is None else index(number)
    except TypeError:
        raise UsageError(f"{name} = {number!r}: must be a whole number.") from None
