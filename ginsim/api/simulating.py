"""Playing hands or matches, in memory or into a folder, and going on with what is stored."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl

from ginsim import until as precision
from ginsim.api.asking import check_seed, folder_of, loaded, threads_of, whole
from ginsim.api.runs import Run
from ginsim.cluster import Cluster, connect
from ginsim.deals import read_deals
from ginsim.errors import Interrupted, UsageError
from ginsim.plan import Keep, Plan, make_plan
from ginsim.randomness import MAX_MATCHES, draw_seed
from ginsim.repeat import repeat_command
from ginsim.rules import Rules
from ginsim.simulation import BrokenOff, Frames, Measure, Track, piece_size, play
from ginsim.statistics import Tally, Tallying
from ginsim.store import PLAN, Span, create, open_store, place, stored_deals
from ginsim.summing import play_summed
from ginsim.tournaments import is_tournament, open_tournament

_OF_A_CLUSTER = 64
"""Workers that a cluster is taken to have before it is asked."""


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
        cluster: a Dask scheduler whose workers play in place of this machine, ``tcp://HOST:PORT``, or ``local:N`` for N
            processes here (in a script only under ``if __name__ == "__main__":``). Changes no result.
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
    count, seed, chunk, first = (whole(name, number) for name, number in named)
    if count < 1:
        raise UsageError(f"{unit} = {count}: must be 1 or more.")
    check_seed(seed)
    rules, folder = loaded(rules, settings), folder_of(out)
    threads = threads_of(workers) if cluster is None else _OF_A_CLUSTER
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
        with _hired(workers, cluster) as hired:
            run = _play_stored(plan, span, folder, hired, progress, deals_file, target)
        return run if went is None else replace(run, until=went)
    kept: dict[int, Frames] | None = {} if keep is True or keep == "rows" else None

    try:
        with _hired(workers, cluster) as hired:
            track, measure = Track(plan, kept=kept), Tallying(plan.layout, mirror)
            if target is None:
                tally, seconds = play([track], count, measure, workers=hired, progress=progress)
            else:
                tally, seconds, went = _play_until(target, track, count, measure, hired, progress)
                count = went["count"]
    except BrokenOff as stopped:
        raise Interrupted(f"Stopped at {stopped.done:,} of {count:,} {unit}; nothing is stored (--out DIR stores a run).") from None
    frames = None if kept is None else {table: _joined(kept, table) for table in plan.layout.tables}
    return Run(plan, count, tally, seconds, frames=frames, deals_file=deals_file, until=went)


def _play_until(
    target: precision.Target, track: Track, most: int, measure: Measure[Tally], workers: int | Cluster, progress: bool
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


def resume(
    folder: str | Path, *, workers: int | Literal["auto"] = "auto", cluster: str | None = None, progress: bool = False
) -> Run:
    """Play what a stored run still lacks of the hands or matches that were asked for last, and what is damaged of it.

    Args:
        workers: as in :func:`simulate`.
        cluster: likewise.
        progress: show a bar on stderr, where that is a terminal.

    Raises:
        UsageError: there is no run in the folder, or another version of ginsim or of a player has played it.
        GinsimError: a failure on the way; Interrupted after Ctrl-C.
    """
    if is_tournament(place(folder)):
        command = open_tournament(folder).command()
        raise UsageError(f"{folder} holds a tournament, which goes on with the command that began it: {command}")
    store = open_store(place(folder))
    span = store.asked() or store.span()
    if not span.count:
        raise UsageError(f"{folder} does not say how many {store.plan.unit} it is to hold: say so with `ginsim simulate --out`.")
    plan = replace(store.plan.of_today(), deals=stored_deals(store))
    with _hired(workers, cluster) as hired:
        return _play_stored(plan, span, store.folder, hired, progress, None)


def _play_stored(
    plan: Plan,
    span: Span,
    folder: Path,
    workers: int | Cluster,
    progress: bool,
    deals_file: str | None,
    target: precision.Target | None = None,
) -> Run:
    """Play hands or matches into a folder, or take those that it holds."""
    measure = Tallying(plan.layout, plan.mirror)
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


@contextmanager
def _hired(workers: int | Literal["auto"], cluster: str | None) -> Iterator[int | Cluster]:
    """Those who play: so many threads or processes here, or a cluster, which is connected to meanwhile."""
    if cluster is None:
        yield threads_of(workers)
        return
    if workers != "auto":
        raise UsageError("--workers and --cluster: choose one. A cluster has the workers that were started for it.")
    with connect(cluster) as connected:
        yield connected


def _joined(kept: Mapping[int, Frames], table: str) -> pl.DataFrame:
    return pl.concat([kept[index][table] for index in sorted(kept)])
