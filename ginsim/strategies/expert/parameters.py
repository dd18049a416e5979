"""The numbers that ``expert`` plays by: their names, bounds and meanings. The values are tuned (:mod:`sets`).

Most of them come twice, once against a player who knocks as soon as he may (``eager``), once against one who waits for gin
(``waiting``); between the two ``expert`` mixes them by how likely it holds each to be.
"""

from __future__ import annotations

from pathlib import Path

from ginsim.strategies.parameter_file import read
from ginsim.strategies.strategy import Parameter

SETS = Path(__file__).parent / "sets"
"""The tuned values, a file for each pair of bonuses."""
_USUAL = read(SETS / "gin-25-undercut-10.toml")["parameters"]

_BY_KIND = {
    "build": (0, 60, "weight of what one more card may do, on the first turn"),
    "decay": (0.5, 1.2, "what each own turn leaves of that weight"),
    "lowest": (1, 40, "how many of the best draws that looks at"),
    "danger": (0, 60, "points that throwing a card costs which the other could surely meld"),
    "grow": (0, 2, "by how much of itself danger grows with each own turn"),
    "cold": (0, 3, "chance that he holds a card near those he threw or passed over, against others"),
    "warm": (0, 6, "chance that he holds a card near those he took, against others"),
    "dead": (0, 9, "points gained by throwing a card, for each of its neighbours held or on the pile"),
    "spurned": (0, 9, "points gained by throwing a card, for each of its neighbours that he threw or passed over"),
    "take": (-20, 60, "points that taking a card which melds must be better than drawing"),
    "raw": (-20, 200, "points that taking a card which melds nothing must be better than drawing"),
    "pile": (0, 3, "chance that the other throws the card wanted, in parts of the chance to draw it"),
    "drift": (0, 0.5, "what each round of waiting adds to the chance of gin in it"),
    "gain": (0, 5, "by how much of a draw's mean gain a round of waiting lowers the deadwood"),
    "margin": (-20, 20, "hundredths of a game by which knocking may be worse and is yet done"),
}
_ONCE = {
    "layoffs": (0, 10, "points expected to be laid off on an eager player's knock"),
    "eager_pace": (0, 5, "how often an eager player ends a hand, against what was measured"),
    "waiting_pace": (0, 5, "how often a waiting player ends a hand, against what was measured"),
    "race": (0.01, 2, "how much a lead in points is worth"),
    "prior": (-9, 9, "log-odds that somebody unknown waits"),
    "knocked": (0, 9, "log-odds against waiting for each late knock with deadwood"),
    "ginned": (0, 9, "log-odds for waiting for each gin"),
    "silent": (0, 5, "weight of his not having knocked yet"),
}

_ALL = {
    **{
        f"{name}_{kind}": (low, high, f"{meaning}; {kind} opponents")
        for kind in ("eager", "waiting")
        for name, (low, high, meaning) in _BY_KIND.items()
    },
    **_ONCE,
}
PARAMETERS = tuple(Parameter(name, _USUAL[name], low, high, meaning, whole=False) for name, (low, high, meaning) in _ALL.items())
"""Their defaults are those for the usual bonuses, 25 for gin and 10 for an undercut."""

KIND = len(_BY_KIND)
"""Distance from a parameter for eager opponents to the same one for waiting ones."""

BUILD, DECAY, LOWEST, DANGER, GROW, COLD, WARM, DEAD, SPURNED, TAKE, RAW, PILE, DRIFT, GAIN, MARGIN = range(KIND)
LAYOFFS, EAGER_PACE, WAITING_PACE, RACE, PRIOR, KNOCKED, GINNED, SILENT = range(2 * KIND, 2 * KIND + len(_ONCE))
