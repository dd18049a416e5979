"""A round robin: every pairing of some players on the same deals, and what that says about how strong they are.

``schedule -> tracks -> chunks of all pairings side by side -> scores of each observation -> standings``. ``schedule`` says who plays
whom, as plans; ``folder`` keeps these as runs; ``scores`` counts what each pair number gave, all pairings together; ``rating``
makes ratings of that, and ``standings`` every figure of a report. A pairing is an ordinary mirrored run of matches in all respects.

One observation is one pair number *k*: matches 2k and 2k + 1 of every run, all on the same deals. So the pairings are no
independent samples of each other, and every interval here is over pair numbers.
"""

from ginsim.tournaments.folder import is_tournament, open_schedule
from ginsim.tournaments.playing import Tournament, open_tournament, play_tournament
from ginsim.tournaments.schedule import Schedule, lively_chunk, make_schedule

__all__ = [
    "Schedule",
    "Tournament",
    "is_tournament",
    "lively_chunk",
    "make_schedule",
    "open_schedule",
    "open_tournament",
    "play_tournament",
]
