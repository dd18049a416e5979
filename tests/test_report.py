"""Every figure of a report stands in each of its forms, whole, at any width."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import numpy as np
import pytest

from ginsim.records import ENDINGS, GAME_ROW, HAND_ROW, MATCH_ROW, Layout, frame
from ginsim.report import FORMATS, document, figures, render
from ginsim.statistics import Tally, summarize

COMMAND = "ginsim simulate --rules hollywood --hands 1200 --seed 18446744073709551615 --strategy 'file.py:A player'"
SIMPLE = {"strategy": "simple", "describes": "simple knocks as soon as it may"}
PATIENT = {"strategy": "simple:knock=0", "describes": "simple:knock=0 plays for gin only"}
WIDTHS = (40, 60, 80, 100, 120, 160, None)
RUNS = {
    "hands": (Layout("hands", "game"), False, [SIMPLE, SIMPLE]),
    "mirrored hands": (Layout("hands", "game"), True, [SIMPLE, PATIENT]),
    "three-handed": (Layout("hands", "three_handed"), False, [SIMPLE, SIMPLE, SIMPLE]),
    "games": (Layout("matches", "game"), False, [SIMPLE, PATIENT]),
    "series": (Layout("matches", "hollywood", 3), False, [SIMPLE, PATIENT]),
    "mirrored three-handed games": (Layout("matches", "three_handed"), True, [SIMPLE, PATIENT, SIMPLE]),
}


def played(layout: Layout, matches: int = 60, length: int = 20, endings: str = "kkkkkkkkkkkkuukgkkkd") -> Tally:
    """A tally of made-up tables; ``endings`` are dealt out in turn by their first letters."""
    generator = np.random.default_rng(3)
    codes = [next(code for code, name in enumerate(ENDINGS) if name[0] == letter) for letter in endings]
    hands = np.zeros(matches * length, HAND_ROW)
    hands["match"], hands["hand"] = divmod(np.arange(len(hands)), length)
    if layout.unit == "hands":
        hands["hand"] = np.arange(len(hands))
    hands["ending"] = np.resize(codes, len(hands))
    hands["captain"], hands["sitter"] = 1, 2
    hands["winner"] = np.where(hands["ending"] < 4, generator.integers(0, 2, len(hands)), -1)
    hands["first_taker"] = generator.integers(-1, 2, len(hands))
    hands["draws"] = generator.integers(3, 32, len(hands))
    hands["pile_takes"] = hands["draws"] // 5
    hands["points"] = np.where(hands["ending"] < 4, generator.integers(1, 70, len(hands)), 0)
    for name in ("knocker_deadwood", "defender_deadwood", "defender_deadwood_after", "laid_off"):
        hands[name] = generator.integers(0, 11, len(hands))
    frames = {"hands": frame(layout.columns("hands"), hands, np.zeros((len(hands), layout.seats * layout.games), int))}
    if layout.unit == "matches":
        games, ends = np.zeros((matches, layout.games), GAME_ROW), np.zeros(matches, MATCH_ROW)
        games["match"], games["game"] = np.arange(matches)[:, None], np.arange(layout.games) + 1
        games["hands"] = generator.integers(1, length + 1, games.shape)
        games["winner"] = generator.integers(0, 2, games.shape)
        ends["match"], ends["hands"], ends["winner"] = np.arange(matches), length, games["winner"][:, 0]
        ends["decided_at_hand"] = generator.integers(1, length + 1, matches)
        ends["total"] = generator.integers(0, 1300, (matches, 3))
        frames |= {"games": frame(layout.columns("games"), games.ravel()), "matches": frame(layout.columns("matches"), ends)}
    return Tally.of(frames, layout, False)


def report_of(name: str, players: list[dict[str, str]] | None = None, **kwargs: Any) -> dict[str, Any]:
    layout, mirror, usual = RUNS[name]
    tally = played(layout, **kwargs)
    if mirror:
        tally = mirrored(layout, **kwargs)
    seats = [{"seat": seat, **player} for seat, player in zip("ABC", players or usual, strict=False)]
    return document(
        summarize(tally, layout),
        version="0.1.0",
        command=COMMAND,
        rules="hollywood",
        players=seats,
        seed=2**64 - 1,
        unit=layout.unit,
        plan={"seed": 2**64 - 1, "rules": {"gin_bonus": 25}},
        seconds=1.23,
        hash="5f3a",
    )


@pytest.fixture(params=RUNS)
def report(request: pytest.FixtureRequest) -> dict[str, Any]:
    return report_of(request.param)
