"""Who plays whom and until when: single hands, the game, the Hollywood series (R21 to R26), the three-handed game (R27 to R30)."""

from __future__ import annotations

import numpy as np

from ginsim.accelerate import kernel, record_type, types
from ginsim.hand import DECK, DecisionType, ViewType, fresh_deck, play_hand, shuffle
from ginsim.ledger import LEDGER, enter, game_total, is_over, is_shut_out, next_dealer, next_roles, open_ledger
from ginsim.randomness import CUT, DEAL, PLAY, below, open_stream
from ginsim.records import GAME_ROW, HAND_ROW, MATCH_ROW, MAX_SEATS
from ginsim.rules import RULES_DTYPE

GAME, HOLLYWOOD, THREE_HANDED = 0, 1, 2

HAND_BEGINS = 0
"""Stands in a log of several hands in front of each hand's events."""

PROGRESS = np.dtype([("hands", "i8"), ("matches", "i8"), ("fault_match", "i8"), ("fault_hand", "i8"), ("fault_seat", "i8")])
"""What a kernel did: rows written; and the seat whose answer was not legal (-1: none) with the match and hand it was in."""


@kernel()
def _higher(deck, one, other):
    """The two seats, the one that draws the higher card first; those tied draw again, from a fresh deck (R27)."""
    while True:
        fresh_deck(deck)
        shuffle(deck, 2)
        first = deck.cards[0] % 13
        second = deck.cards[1] % 13
        if first > second:
            return one, other
        if second > first:
            return other, one


@kernel()
def cut(deck):
    """Box, captain and sitter by the first cut (R27); the deck's stream is open."""
    while True:
        fresh_deck(deck)
        shuffle(deck, 3)
        a = deck.cards[0] % 13
        b = deck.cards[1] % 13
        c = deck.cards[2] % 13
        if a == b and b == c:
            continue
        if a == b or a == c or b == c:
            # The odd one out is above or below the two that are tied, who are in seat order.
            odd = 2 if a == b else (1 if a == c else 0)
            odd_rank = c if a == b else (b if a == c else a)
            tied_rank = b if a == b else c
            high, low = _higher(deck, 1 if odd == 0 else 0, 1 if odd == 2 else 2)
            if odd_rank > tied_rank:
                return odd, high, low
            return high, low, odd
        box = 0 if a > b and a > c else (1 if b > c else 2)
        sitter = 0 if a < b and a < c else (1 if b < c else 2)
        return box, 3 - box - sitter, sitter


@kernel()
def _exchanged(seat, exchange):
    """The seat after A and B have changed places, if they do."""
    return 1 - seat if exchange and seat < 2 else seat


@kernel()
def open_hand(views, deck, seed, deal_number, match, hand):
    """Set the streams of a hand, and put the deck in order."""
    open_stream(deck.stream, seed, np.uint64(DEAL), np.uint64(deal_number), np.uint64(hand))
    fresh_deck(deck)
    for seat in range(MAX_SEATS):
        open_stream(views[seat].stream, seed, np.uint64(PLAY + seat), np.uint64(match), np.uint64(hand))
        views[seat].hand = hand


@kernel()
def _open_log(log):
    """Begin the events of another hand: :data:`HAND_BEGINS` stands in front of them."""
    if log.size > 0:
        log[0] += 1
        log[log[0]] = HAND_BEGINS


@kernel()
def open_match(views):
    """Nothing is remembered, nothing scored yet."""
    for seat in range(MAX_SEATS):
        views[seat].seat = seat
        views[seat].memory[:] = 0
        views[seat].own_scores[:] = 0
        views[seat].other_scores[:] = 0
        views[seat].sitter_score = 0
        views[seat].last_ending = -1
        views[seat].last_knocker = -1
        views[seat].last_draws = -1


@kernel()
def show_last(views, row):
    """Show everybody how a hand ended: in the next one all have seen it."""
    for seat in range(MAX_SEATS):
        views[seat].last_ending = row.ending
        views[seat].last_knocker = row.knocker
        views[seat].last_draws = row.draws


@kernel()
def show_scores(views, ledger, first, dealer, sitter, games):
    """Show the scores to the two who play."""
    for game in range(games):
        views[first].own_scores[game] = ledger.score[first, game]
        views[first].other_scores[game] = ledger.score[dealer, game]
        views[dealer].own_scores[game] = ledger.score[dealer, game]
        views[dealer].other_scores[game] = ledger.score[first, game]
    if sitter >= 0:
        views[first].sitter_score = ledger.score[sitter, 0]
        views[dealer].sitter_score = ledger.score[sitter, 0]


@kernel()
def write_match(ledger, rules, seats, number, game_rows, place, match_row):
    """What a match's ledger says at its end: into its rows of games, from ``place`` on, and into its row of matches, but the first dealer."""
    match_row.match = number
    match_row.hands = ledger.hands
    match_row.decided_at_hand = ledger.decided_at if ledger.decided_at != 0 else -1
    match_row.abandoned = not is_over(ledger, rules)
    match_row.winner = -1 if match_row.abandoned else ledger.series_winner
    for seat in range(MAX_SEATS):
        match_row.games[seat] = ledger.games_won[seat]
        match_row.total[seat] = 0
    for game in range(rules.games):
        game_row = game_rows[place + game]
        ended = ledger.ended_at[game] != 0
        game_row.match = number
        game_row.game = game + 1
        game_row.hands = ledger.ended_at[game] if ended else -1
        game_row.winner = ledger.game_winner[game]
        game_row.shut_out = is_shut_out(ledger, game, seats) if ended else -1
        for seat in range(MAX_SEATS):
            game_row.score[seat] = ledger.score[seat, game]
            game_row.boxes[seat] = ledger.boxes[seat, game]
            game_row.total[seat] = game_total(ledger, seat, game, seats, rules)
            match_row.total[seat] += game_row.total[seat]


_Decisions = types.UniTuple(DecisionType, MAX_SEATS)
_Views = ViewType[::1]
_HandRows = record_type(HAND_ROW)[::1]
_Log = types.int32[::1]
_Stop = types.int64[::1]


@kernel(
    types.void(
        _Decisions,
        _Decisions,
        _Decisions,
        _Views,
        record_type(DECK),
        record_type(RULES_DTYPE),
        types.uint64,
        types.int64,
        types.int64,
        types.boolean,
        types.uint8[:, ::1],
        _HandRows,
        _Log,
        _Stop,
        record_type(PROGRESS),
    )
)
def play_hands(take, discard, knock, views, deck, rules, seed, first_number, count, mirror, deals, rows, log, stop, progress):
    """Play single hands ``first_number`` … into ``rows``, until ``count`` are done or ``stop[0]`` is set.

    Even numbers: B deals, or under three-handed rules A is in the box and B the captain; odd numbers the reverse. Under
    ``mirror`` numbers 2k and 2k + 1 share their cards. Where ``deals`` has rows (see :mod:`ginsim.deals`), hand k is dealt row k,
    under ``mirror`` k // 2; else the cards come from the seed.
    """
    progress.hands = 0
    progress.fault_seat = -1
    for place in range(count):
        if stop[0] != 0:
            return
        number = first_number + place
        odd = number & 1
        dealer = odd if rules.format == THREE_HANDED else 1 - odd
        first = 1 - dealer
        open_match(views)
        deal_number = number // 2 if mirror else number
        open_hand(views, deck, seed, deal_number, number, 0)
        if len(deals) > 0:
            deck.cards[:] = deals[deal_number]
            deck.seen = 52
        row = rows[place]
        row.match = -1
        row.hand = number
        row.box = dealer
        row.captain = first
        row.sitter = 2
        _open_log(log)
        progress.fault_seat = play_hand(take, discard, knock, views, first, dealer, deck, rules, row, log)
        if progress.fault_seat >= 0:
            progress.fault_match = number
            progress.fault_hand = 0
            return
        progress.hands = place + 1


@kernel(
    types.void(
        _Decisions,
        _Decisions,
        _Decisions,
        _Views,
        record_type(DECK),
        record_type(LEDGER),
        record_type(RULES_DTYPE),
        types.uint64,
        types.int64,
        types.int64,
        types.boolean,
        _HandRows,
        types.int32[:, ::1],
        record_type(GAME_ROW)[::1],
        record_type(MATCH_ROW)[::1],
        _Log,
        _Stop,
        record_type(PROGRESS),
    )
)
def play_matches(
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
    mirror,
    rows,
    scores,
    game_rows,
    match_rows,
    log,
    stop,
    progress,
):
    """Play whole matches ``first_number`` … until ``count`` are done, ``stop[0]`` is set, or the next one finds no room in ``rows``.

    ``scores`` has a row for each of ``rows``, with the scores after the hand, all seats of game 1 first. ``progress`` counts whole
    matches and their hands; what a broken-off match wrote lies beyond them.
    """
    three = rules.format == THREE_HANDED
    seats = 3 if three else 2
    progress.hands = 0
    progress.matches = 0
    progress.fault_seat = -1
    written = 0
    for place in range(count):
        number = first_number + place
        deal_number = number // 2 if mirror else number
        exchange = mirror and (number & 1) == 1
        open_stream(deck.stream, seed, np.uint64(CUT), np.uint64(deal_number), np.uint64(0))
        box = captain = sitter = -1
        if three:
            box, captain, sitter = cut(deck)
            box = _exchanged(box, exchange)
            captain = _exchanged(captain, exchange)
            sitter = _exchanged(sitter, exchange)
            dealer = box
        else:
            dealer = _exchanged(below(deck.stream, 2), exchange)
        match_row = match_rows[place]
        match_row.first_dealer = dealer
        open_match(views)
        open_ledger(ledger)
        while not is_over(ledger, rules) and ledger.hands < rules.max_hands:
            if stop[0] != 0 or written == len(rows):
                return
            first = captain if three else 1 - dealer
            hand = np.int64(ledger.hands)
            open_hand(views, deck, seed, deal_number, number, hand)
            show_scores(views, ledger, first, dealer, sitter, rules.games)
            row = rows[written]
            row.match = number
            row.hand = hand
            row.box = box
            row.captain = captain
            row.sitter = sitter
            _open_log(log)
            progress.fault_seat = play_hand(take, discard, knock, views, first, dealer, deck, rules, row, log)
            if progress.fault_seat >= 0:
                progress.fault_match = number
                progress.fault_hand = hand
                return
            show_last(views, row)
            winner = np.int64(row.winner)
            enter(ledger, winner, row.points, rules)
            for seat in range(seats):
                for game in range(rules.games):
                    scores[written, seat * rules.games + game] = ledger.score[seat, game]
            written += 1
            if three:
                box, captain, sitter = next_roles(box, captain, sitter, winner)
                dealer = box
            else:
                dealer = next_dealer(dealer, winner, rules)
        write_match(ledger, rules, seats, number, game_rows, place * rules.games, match_row)
        progress.matches = place + 1
        progress.hands = written
