"""Single hands looked at: played again, told turn by turn, written down as data, and judged by the rules.

:mod:`history` is a hand as data with its JSON; :mod:`playing` makes histories of the hands of a plan; :mod:`telling` puts one
into words; :mod:`judging` has the engine play a history, from whatever source, and finds its first illegal step.
"""

from __future__ import annotations
