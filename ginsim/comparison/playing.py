"""Playing a comparison: every variant on the same deals, chunk by chunk side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from operator import index
from pathlib import Path
from typing import Any, Literal

from ginsim.comparison.counting import Arrangement, Counted, side_of
from ginsim.comparison.document import document
from ginsim.comparison.estimates import half_widths
from ginsim.comparison.paired import compared
from ginsim.comparison.result import Comparison
from ginsim.comparison.variants import (
    DEFAULT_RULES,
    Question,
    Variant,
    command,
    is_priced,
    place_of,
    untouched,
    values_text,
    variants,
)
from ginsim.errors import Interrupted, UsageError
from ginsim.plan import Chunk, usual_chunk
from ginsim.randomness import MAX_SEED, draw_seed
from ginsim.records import Unit
from ginsim.runner import cores
from ginsim.simulation import BrokenOff, Frames, Track, piece_size, play
from ginsim.store import PLAN, Span, create, open_store
from ginsim.until import foretold, holds_more, parse, pilot_size, recalled, remember, until

MILLION = 1_000_000


def compare(
    rules: str | Path | Sequence[str | Path] = DEFAULT_RULES,
    *,
    vary: Mapping[str, Sequence[object]] | None = None,
    settings: Mapping[str, object] | None = None,
    hands: int | None = None,
    matches: int | None = None,
    strategies: str | Sequence[str] = "simple",
    players: str | Sequence[str] = (),
    against: str | None = None,
    reference: str | None = None,
    seed: int | None = None,
    mirror: bool = False,
    out: str | Path | None = None,
    until: str | None = None,
    workers: int | Literal["auto"] = "auto",
    progress: bool = False,
) -> Comparison:
    """Play every combination of rules, values and players on the same deals, and compare each with a reference.

    Args:
        rules: presets or rule files.
        vary: values by field of the rules, such as ``{"gin_bonus": [20, 25]}``; all are crossed.
        settings: fields of the rules to change in every variant.
        hands: how many single hands of each variant; a million where neither this nor ``matches`` is given.
        matches: how many whole matches instead.
        strategies: who sits where, one text for all seats or one a seat, the same in every variant.
        players: who is compared, crossed with the rules: each against itself, or ``against`` another, on mirrored deals.
        reference: the variant that all are compared with, by its name (``"25/10"``) or its values
            (``"gin_bonus=25,undercut_bonus=10"``); by default the first.
        seed: from 0 to 2^64 - 1; drawn where none is given (a stored comparison that goes on keeps its own).
        mirror: numbers 2k and 2k + 1 share deals and first dealer with A and B exchanged.
        out: a folder in which each variant is stored as a run of its own; what is there goes on.
        until: stop when the differences of a statistic are as tight as this says, such as ``"gin_rate±0.0005"`` (see
            :mod:`ginsim.until`), at the latest at ``hands`` or ``matches``.
        workers: threads, or ``"auto"`` for all cores. Changes no result.
        progress: show a bar on stderr, where that is a terminal.

    Raises:
        UsageError: something that cannot be played, compared or stored.
        GinsimError: a failure on the way; Interrupted after Ctrl-C.
    """
    unit, count = _asked(hands, matches)
    question = _question(rules, vary, settings, strategies, players, against, unit, mirror)
    return _Play(question, count, seed, reference, out, until, workers).play(progress)


def foretell(
    rules: str | Path | Sequence[str | Path] = DEFAULT_RULES,
    *,
    until: str,
    vary: Mapping[str, Sequence[object]] | None = None,
    settings: Mapping[str, object] | None = None,
    hands: int | None = None,
    matches: int | None = None,
    strategies: str | Sequence[str] = "simple",
    players: str | Sequence[str] = (),
    against: str | None = None,
    reference: str | None = None,
    seed: int | None = None,
    mirror: bool = False,
    workers: int | Literal["auto"] = "auto",
) -> dict[str, Any]:
    """About how many hands or matches :func:`compare` would take until the differences are that tight, from a small pilot.

    Returns:
        As :func:`ginsim.until.foretold` says.
    """
    unit, count = _asked(hands, matches)
    question = _question(rules, vary, settings, strategies, players, against, unit, mirror)
    return _Play(question, count, seed, reference, None, until, workers).foretell()


class _Play:
    """A comparison to be played."""

    def __init__(
        self,
        question: Question,
        count: int,
        seed: int | None,
        reference: str | None,
        out: str | Path | None,
        until: str | None,
        workers: int | Literal["auto"],
    ) -> None:
        self.question, self.count = question, count
        self.workers = cores() if workers == "auto" else workers
        if self.workers < 1:
            raise UsageError(f"workers = {workers}: must be 1 or more, or auto.")
        if out == "":
            raise UsageError("--out names no folder.")
        self.folder = Path(out) if out is not None else None
        if self.folder is not None and self.folder.exists() and not self.folder.is_dir():
            raise UsageError(f"{self.folder} is a file: --out names a folder.")
        if seed is not None and not 0 <= seed <= MAX_SEED:
            raise UsageError(f"seed = {seed}: must be from 0 to 2^64 - 1.")
        # Where it stops or is stored must not depend on how many workers there are.
        fixed = self.folder is not None or until is not None
        draft = variants(
            question,
            seed or 0,
            usual_chunk(question.unit) if fixed else piece_size(question.unit, count, self.workers, question.mirrored),
        )
        seed = self._stored_seed(draft) if seed is None else seed
        seed = draw_seed() if seed is None else seed
        self.variants = [replace(each, plan=replace(each.plan, seed=seed)) for each in draft]
        self.reference = place_of(reference, self.variants)
        self.given_reference = reference
        plans = list(dict.fromkeys(each.plan for each in self.variants))
        self.tracks_of = [plans.index(each.plan) for each in self.variants]
        self.arrangement = Arrangement.of(plans, self.tracks_of[self.reference])
        # One plays for all that differ from it in price alone.
        self.sources = [
            next((place for place in range(track) if is_priced(plans[place], plan)), None)
            for track, plan in enumerate(plans)
        ]
        self.target = None if until is None else parse(until, list(compared(plans[0].layout)))

    def play(self, progress: bool) -> Comparison:
        """Play what is missing, and compare."""
        seconds = 0.0
        chunk = self.arrangement.plans[0].chunk
        names = [variant.name for variant in self.variants]
        went = recalled(self.folder, self.target, chunk, self.count, names) if self.target else None
        count = self.count if went is None else went["count"]
        with ExitStack() as open_stores:
            tracks = self._tracks(open_stores, count)

            def part(first: int, end: int) -> Counted:
                nonlocal seconds
                for track in tracks:
                    if track.store:
                        track.store.ask(Span(0, end))
                counted, took = play(
                    tracks, end - first, self._measure, workers=self.workers, first=first, progress=progress
                )
                seconds += took
                return counted

            try:
                if self.target is None or went is not None:
                    counted = part(0, count)
                else:
                    counted, went = until(self.target, chunk, self.count, part, self._half_width)
                    count = went["count"]
                    for track in tracks:
                        if track.store and track.store.extent() > count:
                            raise UsageError(holds_more(track.store, count))
                    if self.folder is not None:
                        remember(self.folder, went, self.target, chunk, self.count, names)
            except BrokenOff as broken:
                raise Interrupted(self._stopped(tracks, broken.done)) from None
        return Comparison(self._document(counted, count, seconds, went))

    def foretell(self) -> dict[str, Any]:
        """Play a pilot, and say about how many it takes."""
        if self.target is None:
            raise UsageError("--plan-only says how many a precision takes: name it with --until, such as --until \"gin_rate±0.0005\".")
        pilot = pilot_size(self.question.unit, self.count)
        counted, _ = play(self._tracks(None, pilot), pilot, self._measure, workers=self.workers)
        return foretold(self.target, self.arrangement.plans[0], pilot, self.count, counted, self._half_width)

    def _measure(self, chunk: Chunk, tables: Sequence[Frames]) -> Counted:
        return self.arrangement.count(tables)

    def _half_width(self, counted: Counted, level: float) -> float | None:
        assert self.target is not None
        base = self.variants[self.reference].plan
        open_ones = [
            place
            for place, variant in enumerate(self.variants)
            if place != self.reference and self.target.statistic not in untouched(variant.plan, base)
        ]
        if not open_ones:
            raise UsageError(f"--until: {self.target.statistic} cannot differ between these variants: nothing to wait for.")
        sides = [side_of(counted, self.arrangement, self.tracks_of[place]) for place in open_ones]
        return half_widths(self.target.statistic, sides, level)

    def _tracks(self, open_stores: ExitStack | None, count: int) -> list[Track]:
        tracks = []
        folders = {track: variant.folder for variant, track in reversed(list(zip(self.variants, self.tracks_of, strict=True)))}
        for track, (plan, source) in enumerate(zip(self.arrangement.plans, self.sources, strict=True)):
            store = None
            if open_stores is not None and self.folder is not None:
                store = create(self.folder / folders[track], plan, count)
                open_stores.callback(store.close)
            tracks.append(Track(plan, store, source))
        return tracks

    def _stored_seed(self, draft: Sequence[Variant]) -> int | None:
        """The seed of what is stored of this comparison."""
        for variant in draft:
            if self.folder is not None and (self.folder / variant.folder / PLAN).is_file():
                return open_store(self.folder / variant.folder).plan.seed
        return None

    def _command(self, count: int) -> str:
        options = [f"--{self.question.unit}", str(count), "--seed", str(self.variants[0].plan.seed)]
        options += ["--reference", self.given_reference] if self.given_reference is not None else []
        options += ["--until", self.target.text] if self.target is not None else []
        return command(self.question, options + (["--out", str(self.folder)] if self.folder is not None else []))

    def _stopped(self, tracks: Sequence[Track], played: int) -> str:
        wanted = self.count * len(tracks)
        if self.folder is None:
            return f"Stopped at {played:,} of {wanted:,} {self.question.unit}; nothing is stored (--out DIR stores a comparison)."
        done = sum(sum(track.store.sound().values()) for track in tracks if track.store)
        return (
            f"Stopped at {done:,} of {wanted:,} {self.question.unit} of {len(tracks)} variants; all of them are in {self.folder}. "
            f"Continue: {self._command(self.count)}"
        )

    def _document(
        self, counted: Counted, count: int, seconds: float, how_it_went: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        shown = [replace(each, folder=str(self.folder / each.folder) if self.folder else "") for each in self.variants]
        return document(
            shown,
            [side_of(counted, self.arrangement, track) for track in self.tracks_of],
            self.reference,
            factors=self.question.factors,
            counts=[count] * len(shown),
            how=["played" if self.sources[track] is None else "priced" for track in self.tracks_of],
            command=self._command(self.count),
            seconds=seconds,
            until=how_it_went,
        )


def _asked(hands: int | None, matches: int | None) -> tuple[Unit, int]:
    if hands is not None and matches is not None:
        raise UsageError("hands and matches: choose one.")
    unit: Unit = "hands" if matches is None else "matches"
    asked = (MILLION if hands is None else hands) if matches is None else matches
    try:
        count = index(asked)
    except TypeError:
        raise UsageError(f"{unit} = {asked!r}: must be a whole number.") from None
    if count < 1:
        raise UsageError(f"{unit} = {count}: must be 1 or more.")
    return unit, count


def _question(
    rules: str | Path | Sequence[str | Path],
    vary: Mapping[str, Sequence[object]] | None,
    settings: Mapping[str, object] | None,
    strategies: str | Sequence[str],
    players: str | Sequence[str],
    against: str | None,
    unit: Unit,
    mirror: bool,
) -> Question:
    return Question(
        rules=_texts(rules),
        vary={name: tuple(map(values_text, values)) for name, values in (vary or {}).items()},
        settings=tuple(f"{name}={values_text(value)}" for name, value in (settings or {}).items()),
        strategies=_texts(strategies),
        players=_texts(players),
        against=against,
        unit=unit,
        mirror=mirror,
    )


def _texts(values: str | Path | Sequence[str | Path]) -> tuple[str, ...]:
    return (str(values),) if isinstance(values, (str, Path)) else tuple(map(str, values))
