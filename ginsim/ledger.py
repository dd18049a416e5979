"""The score sheet of a match, and what the last hand means for the next: R20 to R26, R29 to R31, R34.

A game is a Hollywood series of one column, and the three-handed game is a game for three; so one ledger keeps all scores.
"""

from __future__ import annotations

import numpy as np

from ginsim.accelerate import kernel
from ginsim.records import MAX_GAMES, MAX_SEATS

WINNER_DEALS, LOSER_DEALS = 0, 1
DECIDED = 1
NEXT_GAME = 1

LEDGER = np.dtype(
    [
        ("score", "i4", (MAX_SEATS, MAX_GAMES)),
        ("boxes", "i4", (MAX_SEATS, MAX_GAMES)),
        ("wins", "i4", (MAX_SEATS,)),
        ("games_won", "i4", (MAX_SEATS,)),
        ("ended_at", "i4", (MAX_GAMES,)),
        ("game_winner", "i4", (MAX_GAMES,)),
        ("hands", "i4"),
        ("ended", "i4"),
        ("decided_at", "i4"),
        ("series_winner", "i4"),
    ],
    align=True,
)
"""The score sheet of a match: points and hands entered by seat and game, when each game ended (0: open) and who won it."""


@kernel()
def open_ledger(ledger):
    """An empty score sheet."""
    ledger.score[:] = 0
    ledger.boxes[:] = 0
    ledger.wins[:] = 0
    ledger.games_won[:] = 0
    ledger.ended_at[:] = 0
    ledger.game_winner[:] = -1
    ledger.hands = 0
    ledger.ended = 0
    ledger.decided_at = 0
    ledger.series_winner = -1


@kernel()
def enter(ledger, winner, points, rules):
    """Enter a hand (R22, R23, R25, R30); ``winner`` is -1 where nobody scored."""
    ledger.hands += 1
    if winner < 0:
        return
    ledger.wins[winner] += 1
    opened = False
    for game in range(rules.games):
        if ledger.ended_at[game] != 0:
            continue
        if rules.shut_out == NEXT_GAME:
            # Every open game in which he has an entry, and the first open one in which he has none.
            if ledger.boxes[winner, game] == 0:
                if opened:
                    continue
                opened = True
        elif game >= ledger.wins[winner]:
            continue
        ledger.score[winner, game] += points
        ledger.boxes[winner, game] += 1
        if ledger.score[winner, game] >= rules.target:
            ledger.ended_at[game] = ledger.hands
            ledger.game_winner[game] = winner
            ledger.ended += 1
            ledger.games_won[winner] += 1
            if 2 * ledger.games_won[winner] > rules.games and ledger.decided_at == 0:
                ledger.decided_at = ledger.hands
                ledger.series_winner = winner


@kernel()
def is_over(ledger, rules):
    """Whether the match has ended (R23, R24, R30)."""
    return ledger.ended == rules.games or (rules.series_end == DECIDED and ledger.decided_at != 0)


@kernel()
def game_total(ledger, seat, game, seats, rules):
    """A seat's score in a game with the end-of-game extras (R31), which an open game does not have."""
    total = ledger.score[seat, game]
    if ledger.ended_at[game] == 0:
        return total
    total += rules.box_bonus * ledger.boxes[seat, game]
    if seat == ledger.game_winner[game]:
        total += rules.game_bonus
        if is_shut_out(ledger, game, seats):
            total += rules.blitz_bonus
    return total


@kernel()
def is_shut_out(ledger, game, seats):
    """Whether only the winner of an ended game has hands entered in it (R31)."""
    for seat in range(seats):
        if seat != ledger.game_winner[game] and ledger.boxes[seat, game] != 0:
            return False
    return True


@kernel()
def next_dealer(dealer, winner, rules):
    """Who deals the next hand of a two-player match (R20, R21, R34)."""
    if winner < 0:
        return dealer
    if rules.next_dealer == WINNER_DEALS:
        return winner
    if rules.next_dealer == LOSER_DEALS:
        return 1 - winner
    return 1 - dealer


@kernel()
def next_roles(box, captain, sitter, winner):
    """Box, captain and sitter of the next hand (R29)."""
    if winner < 0:
        return box, captain, sitter
    if winner == box:
        return box, sitter, captain
    return captain, sitter, box
