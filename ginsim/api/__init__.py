"""The Python face of ginsim: load rules, simulate to frames or to disk, open stored runs, report. The commands use nothing else."""

from __future__ import annotations

from ginsim.api.asking import load_rules
from ginsim.api.round_robin import tournament
from ginsim.api.runs import Run
from ginsim.api.simulating import foretell, resume, simulate
from ginsim.api.stored import check, export, merge, open_run
from ginsim.repeat import version
from ginsim.tournaments import Tournament, is_tournament, open_tournament

__all__ = [
    "Run",
    "Tournament",
    "check",
    "export",
    "foretell",
    "is_tournament",
    "load_rules",
    "merge",
    "open_run",
    "open_tournament",
    "resume",
    "simulate",
    "tournament",
    "version",
]
