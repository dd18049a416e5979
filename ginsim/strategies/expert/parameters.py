"""The numbers that ``expert`` plays by: their names, and the tuned defaults.

Most of them come twice, once against a player who knocks as soon as he may (``eager``), once against one who waits for gin
(``waiting``); between the two ``expert`` mixes them by how likely it holds each to be.
"""

from __future__ import annotations

from ginsim.strategies.strategy import Parameter

_BY_KIND = {
    "build": (3.25, 11.7, 0, 60, "weight of what one more card may do, on the first turn"),
    "decay": (0.925, 0.884, 0.5, 1.2, "what each own turn leaves of that weight"),
    "lowest": (6.73, 4.17, 1, 40, "how many of the best draws that looks at"),
    "danger": (3.55, 5.41, 0, 60, "points that throwing a card costs which the other could surely meld"),
    "grow": (0.159, 0.008, 0, 2, "by how much of itself danger grows with each own turn"),
    "cold": (0.86, 0.48, 0, 3, "chance that he holds a card near those he threw or passed over, against others"),
    "warm": (1.43, 2.01, 0, 6, "chance that he holds a card near those he took, against others"),
    "dead": (0.1, 0.19, 0, 9, "points gained by throwing a card, for each of its neighbours held or on the pile"),
    "spurned": (0.58, 0.49, 0, 9, "points gained by throwing a card, for each of its neighbours that he threw or passed over"),
    "take": (3.58, 1.91, -20, 60, "points that taking a card which melds must be better than drawing"),
    "raw": (35.8, 60.0, -20, 200, "points that taking a card which melds nothing must be better than drawing"),
    "pile": (0.4, 0.43, 0, 3, "chance that the other throws the card wanted, in parts of the chance to draw it"),
    "drift": (0.009, 0.0, 0, 0.5, "what each round of waiting adds to the chance of gin in it"),
    "gain": (1.26, 0.72, 0, 5, "by how much of a draw's mean gain a round of waiting lowers the deadwood"),
    "margin": (-0.31, -0.01, -20, 20, "hundredths of a game by which knocking may be worse and is yet done"),
}
_ONCE = {
    "layoffs": (1.1, 0, 10, "points expected to be laid off on an eager player's knock"),
    "eager_pace": (1.22, 0, 5, "how often an eager player ends a hand, against what was measured"),
    "waiting_pace": (0.34, 0, 5, "how often a waiting player ends a hand, against what was measured"),
    "race": (0.293, 0.01, 2, "how much a lead in points is worth"),
    "prior": (-1.08, -9, 9, "log-odds that somebody unknown waits"),
    "knocked": (3.41, 0, 9, "log-odds against waiting for each late knock with deadwood"),
    "ginned": (2.69, 0, 9, "log-odds for waiting for each gin"),
    "silent": (1.03, 0, 5, "weight of his not having knocked yet"),
}

PARAMETERS = (
    *(
        Parameter(f"{name}_{kind}", values[place], values[2], values[3], f"{values[4]}; {kind} opponents", whole=False)
        for place, kind in enumerate(("eager", "waiting"))
        for name, values in _BY_KIND.items()
    ),
    *(Parameter(name, values[0], values[1], values[2], values[3], whole=False) for name, values in _ONCE.items()),
)

KIND = len(_BY_KIND)
"""Distance from a parameter for eager opponents to the same one for waiting ones."""

BUILD, DECAY, LOWEST, DANGER, GROW, COLD, WARM, DEAD, SPURNED, TAKE, RAW, PILE, DRIFT, GAIN, MARGIN = range(KIND)
LAYOFFS, EAGER_PACE, WAITING_PACE, RACE, PRIOR, KNOCKED, GINNED, SILENT = range(2 * KIND, 2 * KIND + len(_ONCE))
