"""The slow, obvious twin of the engine: gin rummy as the rules say it, with no cleverness.

It shares no code with the package and needs the standard library alone. Everything is plain Python
on plain values: a card is a text such as ``"7D"``, a hand a frozenset of them, a rule set a dict, a
row a dict. Where the fast code and this code differ, read the rule whose number stands beside the
function here.

Public face: what this module imports below.
"""

from .cards import DECK, RANKS, SUITS, as_number, cards, points
from .formats import (
    ScoreSheet,
    Tables,
    cut,
    cut_three,
    cut_two,
    dealers,
    hollywood_ledger,
    play_hands,
    play_match,
    play_matches,
    roles_from_cards,
    three_handed_ledger,
)
from .hand import knock_limit, play_hand, score, settle
from .randomness import CUT, DEAL, PLAY, Stream, deal, philox4x32_10
from .rules import FIELDS, PRESETS, preset
from .solver import (
    MELDS,
    RUNS,
    SETS,
    arrangements,
    best_discards,
    deadwood,
    discards,
    is_meld,
    lay_off,
    packings,
    spread,
)
from .strategies import Random, Simple, View, make_player

__all__ = [
    "CUT",
    "DEAL",
    "DECK",
    "FIELDS",
    "MELDS",
    "PLAY",
    "PRESETS",
    "RANKS",
    "RUNS",
    "Random",
    "SETS",
    "SUITS",
    "ScoreSheet",
    "Simple",
    "Stream",
    "Tables",
    "View",
    "arrangements",
    "as_number",
    "best_discards",
    "cards",
    "cut",
    "cut_three",
    "cut_two",
    "deadwood",
    "deal",
    "dealers",
    "discards",
    "hollywood_ledger",
    "is_meld",
    "knock_limit",
    "lay_off",
    "make_player",
    "packings",
    "philox4x32_10",
    "play_hand",
    "play_hands",
    "play_match",
    "play_matches",
    "points",
    "preset",
    "roles_from_cards",
    "score",
    "settle",
    "spread",
    "three_handed_ledger",
]
