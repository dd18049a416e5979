"""The kernel of the knock chart: hands played as they are, and once more with a question to knock answered the other way.

A hand is a function of its number, so everything before a question comes again, card by card; behind it the players go on by
themselves. One of the two answers is the player's own, and what that leads to is known already. So is what a knock brings in a single
hand; only in a game the rest has to be played for that.
"""

from __future__ import annotations

import numpy as np

from ginsim.accelerate import kernel, record_type, types
from ginsim.formats import PROGRESS, THREE_HANDED, open_hand, open_match, show_last, show_scores
from ginsim.hand import ANSWER, ASKED, BRINGS, DEADWOOD, DECK, DRAWN, SEAT, TURNED, DecisionType, ViewType, play_hand
from ginsim.ledger import LEDGER, enter, is_over, next_dealer, open_ledger
from ginsim.records import HAND_ROW, MAX_SEATS
from ginsim.rules import RULES_DTYPE

_Decisions = types.UniTuple(DecisionType, MAX_SEATS)


@kernel()
def _line(
    take, discard, knock, views, deck, ledger, rules, seed, number, scores, row, log, questions, unasked, turned, progress
):
    """Play hand ``number`` and, from ``scores``, the game on to its end, with the answer to one question to knock ``turned``.

    Returns:
        What it brings A: net points of the hand; in a game 1 if A wins it, else 0.
    """
    in_game = scores[0] >= 0
    three = rules.format == THREE_HANDED
    dealer = number & 1 if three else 1 - (number & 1)
    open_match(views)
    open_ledger(ledger)
    if in_game:
        ledger.score[0, 0] = scores[0]
        ledger.score[1, 0] = scores[1]
    questions[0, ASKED] = 0
    questions[0, TURNED] = turned
    while True:
        hand = np.int64(ledger.hands)
        first = 1 - dealer
        open_hand(views, deck, seed, number, number, hand)
        if in_game:
            show_scores(views, ledger, first, dealer, -1, 1)
        notes = questions if hand == 0 else unasked
        progress.fault_seat = play_hand(take, discard, knock, views, first, dealer, deck, rules, row, log, notes)
        if progress.fault_seat >= 0:
            progress.fault_match = number
            progress.fault_hand = hand
            return np.int64(0)
        winner = np.int64(row.winner)
        if not in_game:
            return np.int64(row.points if winner == 0 else (-row.points if winner == 1 else 0))
        if turned == 0 and hand == 0 and not _is_asked(questions, 0):
            # Nothing to compare with: the rest of the game does not matter.
            return np.int64(0)
        show_last(views, row)
        enter(ledger, winner, row.points, rules)
        if is_over(ledger, rules):
            return np.int64(ledger.game_winner[0] == 0)
        if ledger.hands >= rules.max_hands:
            return np.int64(0)
        dealer = next_dealer(dealer, winner, rules)


@kernel()
def _is_asked(questions, seat):
    for place in range(1, min(questions[0, ASKED] + 1, len(questions))):
        if questions[place, SEAT] == seat:
            return True
    return False


@kernel(
    types.void(
        _Decisions,
        _Decisions,
        _Decisions,
        ViewType[::1],
        record_type(DECK),
        record_type(LEDGER),
        record_type(RULES_DTYPE),
        types.uint64,
        types.int64,
        types.int64,
        types.int64[::1],
        types.boolean,
        record_type(HAND_ROW),
        types.int32[::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.int64[:, :, ::1],
        types.int64[::1],
        record_type(PROGRESS),
    )
)
def explore(
    take,
    discard,
    knock,
    views,
    deck,
    ledger,
    rules,
    seed,
    first_number,
    count,
    scores,
    both,
    row,
    log,
    questions,
    unasked,
    cells,
    stop,
    progress,
):
    """Play ``count`` hands from ``first_number`` on, and every question to knock of A (of ``both``: and of B) both ways.

    Args:
        scores: those of A and B, from which the rest of a game is played; -1 for single hands.
        row, log: room for a hand, and no events.
        questions, unasked: as :func:`ginsim.hand.play_hand` wants them: with room for all of a hand, and for none.
        cells: by draws and deadwood, added to: how many, how many of them the player knocked, and the sum and the sum of squares of what
            knocking brings the one who is asked more than playing on.
    """
    progress.hands = 0
    progress.matches = 0
    progress.fault_seat = -1
    for place in range(count):
        if stop[0] != 0:
            return
        number = first_number + place
        table = (take, discard, knock)
        natural = _line(
            *table, views, deck, ledger, rules, seed, number, scores, row, log, questions, unasked, 0, progress
        )
        if progress.fault_seat >= 0:
            return
        # From the last question to the first: to play one the other way changes only what is noted behind it.
        for asked in range(min(questions[0, ASKED], len(questions) - 1), 0, -1):
            seat = questions[asked, SEAT]
            if seat != 0 and not both:
                continue
            knocked = questions[asked, ANSWER]
            if knocked == 0 and scores[0] < 0:
                # With the knock the hand is over, and what it brings has been noted.
                other = questions[asked, BRINGS]
                if seat == 1:
                    other = -other
            else:
                other = _line(
                    *table, views, deck, ledger, rules, seed, number, scores, row, log, questions, unasked, asked, progress
                )
                if progress.fault_seat >= 0:
                    return
            gain = natural - other if knocked == 1 else other - natural
            if seat == 1:
                gain = -gain
            cell = cells[questions[asked, DRAWN], questions[asked, DEADWOOD]]
            cell[0] += 1
            cell[1] += knocked
            cell[2] += gain
            cell[3] += gain * gain
        progress.hands = place + 1
        progress.matches = place + 1
