"""Single hands looked at: played again, told turn by turn, written down as data, and judged by the rules.

A :class:`History` is a hand as data, with JSON of its own (:mod:`.history` documents the schema). :func:`play` makes histories
of the hands of a plan and :func:`play_stored` of those of a stored run; :func:`tell` puts one into words; :func:`judge` has the
engine play one, from whatever source, and finds its first illegal step.
"""

from __future__ import annotations

from ginsim.replay.history import ACTIONS, SCHEMA, Action, History, as_text
from ginsim.replay.judging import RULE_OF_ENDING, Verdict, judge
from ginsim.replay.playing import Replay, play, play_stored
from ginsim.replay.telling import GLYPHS, Line, Pen, Story, tell, tell_end, title

__all__ = [
    "ACTIONS",
    "GLYPHS",
    "RULE_OF_ENDING",
    "SCHEMA",
    "Action",
    "History",
    "Line",
    "Pen",
    "Replay",
    "Story",
    "Verdict",
    "as_text",
    "judge",
    "play",
    "play_stored",
    "tell",
    "tell_end",
    "title",
]
