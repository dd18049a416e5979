"""What ginsim raises when something is wrong: one line that says what, where, and what would be right.

Anything else that escapes is a bug and keeps its traceback.
"""

from __future__ import annotations

from typing import ClassVar


class GinsimError(Exception):
    """Something failed although it was asked for correctly (a full disk, a damaged file)."""

    exit_code: ClassVar[int] = 1


class UsageError(GinsimError):
    """What was asked for is wrong: an unknown name, an impossible value, a file that is no rule file."""

    exit_code: ClassVar[int] = 2


class Interrupted(GinsimError):
    """The user stopped it, or the system did; the message says what is kept and how to go on."""

    exit_code: ClassVar[int] = 130
