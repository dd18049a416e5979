"""A score pad for named players: hand by hand who scored, in any format.

Where a hand is entered, when a game ends and who wins (R22 to R31) is what the kernels of :mod:`ginsim.formats` say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ginsim import ledger
from ginsim.accelerate import records
from ginsim.errors import UsageError
from ginsim.rules import FIELDS, Rules

ROLES = ("box", "captain", "sitter")
"""Who plays against whom in the three-handed game (R27), in the order of all lists of roles."""

DRAW = "draw"
MOST_DEADWOOD = 98
"""Two of each rank from nine to king in two pairs of suits, without a run of three: no ten cards have more."""

_LONGEST_NAME = 40
_NUMBER = re.compile(r"[+-]?\d+", re.ASCII)


def read_entry(text: str) -> tuple[str | None, int]:
    """The winner, by name or role, and the points of a line such as ``Bob 10``, or None and 0 for ``draw``.

    Raises:
        UsageError: the line says neither.
    """
    words = text.split()
    points = words.pop() if words and _NUMBER.fullmatch(words[-1]) else ""
    name = " ".join(words)
    if name.casefold() == DRAW:
        if points.strip("0"):
            raise UsageError(f"{_short(text)}: a draw scores nothing (R20).")
        return None, 0
    # A number inside is the end of a hand after which a comma is missing.
    if not (name and points) or any(map(_NUMBER.fullmatch, words)):
        raise UsageError(f"{_short(text)}: must be a name and points, such as 'Bob 10', or 'draw'.")
    if len(points) > 9:
        raise UsageError(f"{_short(text)}: no hand scores so much.")
    return name, int(points)


class ScorePad:
    """The sheet of one match. Lists of games have a place for each game of a Hollywood series, otherwise one.

    Args:
        rules: which format, target, games and extras.
        players: their names. For three, in the order box, captain, sitter of the first hand. For two they may be left out:
            the first two that score are the players.

    Raises:
        UsageError: a wrong number of players, or names that cannot be told apart.
    """

    def __init__(self, rules: Rules, players: Sequence[str] = ()) -> None:
        self.rules = rules
        self.players: list[str] = []
        for name in players:
            self._seat_newcomer(name)
        if len(self.players) not in {2: (0, 2), 3: (3,)}[rules.seats]:
            raise UsageError(f"these rules are for {rules.seats} players, not {len(self.players)}.")
        self.roles_per_hand: list[tuple[str, str, str]] = []
        """Box, captain and sitter of each hand entered (R29)."""
        self._roles = (0, 1, 2)
        self._packed = rules.packed()
        self._ledger = records(1, ledger.LEDGER)[0]
        ledger.open_ledger(self._ledger)

    @property
    def is_three_handed(self) -> bool:
        """Whether there are roles."""
        return self.rules.seats == 3

    @property
    def hands(self) -> int:
        """How many hands have been entered."""
        return int(self._ledger["hands"])

    @property
    def roles(self) -> tuple[str, str, str]:
        """Who is box, captain and sitter in the next hand of three."""
        box, captain, sitter = self._roles
        return self.players[box], self.players[captain], self.players[sitter]

    def enter(self, winner: str | None, points: int = 0) -> str | None:
        """Enter a hand.

        Args:
            winner: a player's name or, of three, role, in any case; None where nobody scored.
            points: of the hand.

        Returns:
            The winner's name as on the sheet.

        Raises:
            UsageError: the match is over, this player cannot have won, or no hand scores so many points.
        """
        if self.is_over:
            raise UsageError(f"{self._end()}: no more hands can be entered.")
        self._check_points(winner, points)
        seat = -1 if winner is None else self._seat(winner)
        ledger.enter(self._ledger, seat, points, self._packed)
        if self.is_three_handed:
            self.roles_per_hand.append(self.roles)
            self._roles = tuple(int(one) for one in ledger.next_roles(*self._roles, seat))
        return self._name(seat)

    @property
    def scores(self) -> dict[str, list[int]]:
        """Each player's points by game."""
        return {
            name: [int(score) for score in self._ledger["score"][seat][: self._games]]
            for seat, name in enumerate(self.players)
        }

    @property
    def has_extras(self) -> bool:
        """Whether the rules pay anything at the end of a game (R31)."""
        return any((self.rules.box_bonus, self.rules.game_bonus, self.rules.blitz_bonus))

    @property
    def totals(self) -> dict[str, list[int]]:
        """As :attr:`scores`, with the extras of the games that have ended (R31)."""
        return {
            name: [
                int(ledger.game_total(self._ledger, seat, game, self.rules.seats, self._packed))
                for game in range(self._games)
            ]
            for seat, name in enumerate(self.players)
        }

    @property
    def closed_by(self) -> list[str | None]:
        """Who won each game; None while it is open (R23)."""
        return [self._name(seat) for seat in self._ledger["game_winner"][: self._games]]

    @property
    def closed_at(self) -> list[int | None]:
        """The hand with which each game ended, from 1; None while it is open."""
        return [int(hand) or None for hand in self._ledger["ended_at"][: self._games]]

    @property
    def series_winner(self) -> str | None:
        """Who has won more than half of the games, so that nothing can change it (R24)."""
        return self._name(self._ledger["series_winner"])

    @property
    def decided_at_hand(self) -> int | None:
        """The hand after which that was so, from 1."""
        return int(self._ledger["decided_at"]) or None

    @property
    def is_over(self) -> bool:
        """Whether the match has ended (R23, R24, R30) or is abandoned (R16)."""
        return self._has_ended or self.is_abandoned

    @property
    def is_abandoned(self) -> bool:
        """Whether the rules allow no further hand although the match has not ended (R16)."""
        return not self._has_ended and self.hands >= self.rules.max_hands

    @property
    def winner(self) -> str | None:
        """Who won the match, once it has ended."""
        return self.series_winner if self._has_ended else None

    @property
    def _has_ended(self) -> bool:
        return bool(ledger.is_over(self._ledger, self._packed))

    @property
    def _games(self) -> int:
        return self.rules.games or 1

    def _name(self, seat: int) -> str | None:
        return self.players[seat] if seat >= 0 else None

    def _end(self) -> str:
        if self.is_abandoned:
            return f"the match was abandoned after {self.hands} hands (R16)"
        winner = self.series_winner
        return f"the match ended with hand {self.hands}, {f'won by {winner}' if winner else 'without a winner'}"

    def _check_points(self, winner: str | None, points: int) -> None:
        if winner is None:
            if points:
                raise UsageError(f"{points} points and no winner: a draw scores nothing (R20).")
            return
        bonuses = (self.rules.gin_bonus, self.rules.undercut_bonus, self.rules.big_gin_bonus)
        # Without a bonus, a tie that counts as an undercut and a gin against gin are won and score nothing.
        least = 0 if 0 in bonuses else 1
        most = 2 * (FIELDS["gin_bonus"].bounds[1] + MOST_DEADWOOD)
        if not least <= points <= most:
            raise UsageError(
                f"{winner} {points}: the winner of a hand scores {least} to {most} points; write 'draw' if nobody did."
            )

    def _seat(self, name: str) -> int:
        """Who is meant by a name or role, newcomers included."""
        if self.is_three_handed and name.casefold() in ROLES:
            seat = self._roles[ROLES.index(name.casefold())]
        elif (known := self._find(name)) is not None:
            seat = known
        elif len(self.players) < self.rules.seats:
            return self._seat_newcomer(name)
        else:
            others = ", ".join(self.players)
            raise UsageError(f"{_short(name)} does not play: the players are {others}.")
        if self.is_three_handed and seat == self._roles[2]:
            box, captain, sitter = self.roles
            raise UsageError(f"{sitter} sits out this hand: {box} (box) or {captain} (captain) can score (R30).")
        return seat

    def _find(self, name: str) -> int | None:
        folded = [player.casefold() for player in self.players]
        return folded.index(name.casefold()) if name.casefold() in folded else None

    def _seat_newcomer(self, name: str) -> int:
        if not (name.isprintable() and any(map(str.isalpha, name)) and len(name) <= _LONGEST_NAME):
            raise UsageError(f"{_short(name)} is no name: it needs a letter, and has at most {_LONGEST_NAME} characters.")
        if name.casefold() in (*ROLES, DRAW):
            raise UsageError(f"{_short(name)} is no name: it is a role of the three-handed game, or a result.")
        if self._find(name) is not None:
            raise UsageError(f"{_short(name)} stands twice among the players.")
        self.players.append(name)
        return len(self.players) - 1


def _short(text: str) -> str:
    shown = repr(text)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
