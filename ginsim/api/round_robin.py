"""Round robins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from ginsim.api.asking import check_seed, folder_of, loaded, threads_of, whole
from ginsim.errors import UsageError
from ginsim.randomness import draw_seed
from ginsim.rules import Rules
from ginsim.tournaments import Tournament, is_tournament, lively_chunk, make_schedule, open_schedule, play_tournament


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
    matches, seed = whole("matches", matches), whole("seed", seed)
    if matches < 1:
        raise UsageError(f"matches = {matches}: must be 1 or more.")
    check_seed(seed)
    rules, threads, folder = loaded(rules, settings), threads_of(workers), folder_of(out)
    if isinstance(strategies, str):
        raise UsageError("strategies: name each player of a tournament, in a list.")
    chunk = lively_chunk(matches)
    if folder is not None and is_tournament(folder):
        # What nobody names is as in the stored tournament.
        stored = open_schedule(folder)
        seed, chunk = stored.seed if seed is None else seed, stored.chunk
    schedule = make_schedule(rules, strategies, seed=draw_seed() if seed is None else seed, chunk=chunk)
    return play_tournament(schedule, matches, folder, workers=threads, progress=progress)
