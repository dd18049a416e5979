"""One hand: deal, offers, turns, knock, show-down, score (R5 to R20). The only place that changes a hand's state.

Who plays is given as first-class functions over a *view*: a record that holds what a player may see and nothing else. The
engine keeps the truth beside the views, refreshes them as things happen, and believes no answer without checking it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ginsim.accelerate import kernel, lowest_number, popcount, record_type, types
from ginsim.cards import NUMBERS
from ginsim.melds import (
    best_discards,
    card_points,
    certain_deadwood,
    deadwood,
    discards_within,
    lay_off,
    spread,
)
from ginsim.randomness import BUFFER, STREAM, is_doubtful, refill, settle_doubt
from ginsim.records import BIG_GIN, DRAW, GIN, KNOCK, MAX_GAMES, STOPPED, TIE, UNDERCUT
from ginsim.rules import RULES_DTYPE

OFFER, TURN, LAST = 0, 1, 2
"""Where a hand stands: the first card is offered (R6); a normal turn (R7); the last discard may be taken to knock (R15)."""

TAKE, DISCARD, KNOCKING = 0, 1, 2
"""What a player is asked."""

NOTES = 64
MEMORY = 32
PARAMETERS = 64

VIEW = np.dtype(
    [
        ("held", "u8"),
        ("top", "u8"),
        ("taken", "u8"),
        ("thrown", "u8"),
        ("legal", "u8"),
        ("pile", "u8"),
        ("other_took", "u8"),
        ("other_threw", "u8"),
        ("other_declined", "u8"),
        ("deadwood", "i8"),
        ("limit", "i8"),
        ("phase", "i8"),
        ("stock", "i8"),
        ("draws", "i8"),
        ("turns", "i8"),
        ("deals", "i8"),
        ("multiplier", "i8"),
        ("hand", "i8"),
        ("seat", "i8"),
        ("other", "i8"),
        ("last_ending", "i8"),
        ("last_knocker", "i8"),
        ("last_draws", "i8"),
        ("asked", "i8"),
        ("answer", "i8"),
        ("own_scores", "i4", (MAX_GAMES,)),
        ("other_scores", "i4", (MAX_GAMES,)),
        ("sitter_score", "i8"),
        ("rules", RULES_DTYPE),
        ("stream", STREAM),
        ("notes", "u8", (NOTES,)),
        ("memory", "u8", (MEMORY,)),
        ("parameters", "f8", (PARAMETERS,)),
    ],
    align=True,
)
"""What a player sees when asked. Sets of cards are bits (see :mod:`ginsim.cards`); "the other" is the opponent in this hand.

``held`` own cards, eleven after a draw, ten when asked to knock; ``top`` the card on the pile; ``taken`` the card just taken
from the pile, else none; ``thrown`` the own discard, when asked to knock; ``legal`` the legal discards, when asked to discard;
``pile`` all cards on the discard pile; ``other_took`` cards that the other took from the pile and still holds; ``other_threw``
all cards he threw; ``other_declined`` pile tops he passed over; ``deadwood`` of the ten left, when asked to knock; ``limit`` the
knock limit of this hand; ``phase`` ``OFFER``, ``TURN`` or ``LAST``; ``stock`` cards left in it; ``draws`` of both players;
``turns`` own draws so far; ``deals`` 1 for the dealer; ``multiplier`` of the hand's points; ``hand`` the hand's number in the
match; ``seat`` 0 for A, ``other`` the other's seat; ``last_ending``, ``last_knocker`` and ``last_draws`` of the match's hand before
this one, which everybody saw, -1 for what there was not; ``own_scores`` and ``other_scores`` by game; ``sitter_score`` the third
player's; ``rules`` as packed;
``stream`` the seat's own random stream; ``notes`` free to use, zeroed at every hand; ``memory`` free to use, zeroed at every
match; ``parameters`` the strategy's; ``asked`` which decision is wanted, ``TAKE``, ``DISCARD`` or ``KNOCKING``. ``answer`` belongs
to the engine.
"""

DECK = np.dtype([("stream", STREAM), ("cards", "u1", (52,)), ("seen", "i8")], align=True)
"""A deck being dealt: ``cards`` as places 0 to 51 in deck order, the first ``seen`` of them final."""

DECLINES, TAKES, DRAWS, THROWS, KNOCKS, BIG_GINS = range(1, 7)
"""Events of a hand's log: ``kind * 64 + card number``."""

SEAT, DRAWN, DEADWOOD, ANSWER, BRINGS = range(5)
"""Columns of the questions to knock: who was asked, after how many draws of both, with what deadwood, what he answered (0 or 1), and
the net points that knocking brings him.
"""

ASKED, TURNED = 0, 1
"""In the row in front of them: how many there were, and which of them, from 1, gets the other answer than the player's; 0: none."""

ViewType = record_type(VIEW)
DecisionSignature = types.int64(ViewType)
DecisionType = types.FunctionType(DecisionSignature)

_ONE = np.uint64(1)
_NONE = np.uint64(0)
_SHIFT = np.uint64(32)
_DEAL_BLOCKS = BUFFER // 4
_DECK_ORDER = np.arange(52, dtype=np.uint8)
_BIT_OF_PLACE = np.array([1 << number for number in NUMBERS], dtype=np.uint64)
_STOCK = 31
_USUALLY_SEEN = 32
_MORE_SEEN = 5


@kernel()
def fresh_deck(deck):
    """Put the deck in order again; its stream goes on."""
    deck.cards[:] = _DECK_ORDER
    deck.seen = 0


@kernel()
def shuffle(deck, count):
    """Go on with the shuffle (Fisher and Yates) until at least ``count`` cards are final."""
    stream = deck.stream
    cards = deck.cards
    used = stream.used
    for seen in range(deck.seen, count):
        # As below(stream, 52 - seen), with the place in the stream at hand.
        if used == stream.filled:
            refill(stream, _DEAL_BLOCKS)
            used = 0
        bound = np.uint64(52 - seen)
        product = stream.words[used] * bound
        used += 1
        if is_doubtful(product, bound):
            stream.used = used
            product = settle_doubt(stream, product, bound)
            used = stream.used
        other = seen + np.int64(product >> _SHIFT)
        place = cards[other]
        cards[other] = cards[seen]
        cards[seen] = place
    stream.used = used
    deck.seen = max(deck.seen, count)


@kernel()
def cards_between(deck, first, end):
    """The cards at these places of the shuffle, ``end`` left out, as a set."""
    cards = _NONE
    for place in range(first, end):
        cards |= _BIT_OF_PLACE[deck.cards[place]]
    return cards


@kernel()
def hand_limit(upcard_number, rules):
    """The knock limit of a hand whose first face-up card has this number (R9, R32)."""
    if not rules.upcard_sets_limit:
        return np.int64(rules.knock_limit)
    rank = upcard_number & 15
    if rank == 0:
        return np.int64(rules.ace_upcard)
    return np.int64(min(rank + 1, 10))


@kernel()
def multiplier(upcard_number, rules):
    """What the hand's points are multiplied with (R32): 2 where a spade was turned up and spades double, else 1."""
    return np.int64(2 if rules.spade_doubles and upcard_number >= 48 else 1)


@kernel()
def ending_of(knocker_deadwood, defender_deadwood, rules):
    """How a knock ends (R10, R17, R18) from both deadwoods, the defender's after laying off."""
    if knocker_deadwood == 0:
        return GIN
    if knocker_deadwood < defender_deadwood:
        return KNOCK
    if knocker_deadwood == defender_deadwood and not rules.undercut_on_tie:
        return TIE
    return UNDERCUT


@kernel()
def price(ending, knocker_deadwood, defender_deadwood, upcard_number, rules):
    """Points that the winner of a hand scores (R11, R17 to R20, R32), from the facts of the hand."""
    points = np.int64(0)
    if ending == KNOCK:
        points = np.int64(defender_deadwood - knocker_deadwood)
    elif ending == UNDERCUT:
        points = np.int64(knocker_deadwood - defender_deadwood + rules.undercut_bonus)
    elif ending == GIN:
        points = np.int64(defender_deadwood + rules.gin_bonus)
    elif ending == BIG_GIN:
        points = np.int64(defender_deadwood + rules.big_gin_bonus)
    return points * multiplier(upcard_number, rules)


@kernel()
def show_down(row, knocker, defender, knocking_cards, defending_cards, first, second, third, rules, upcard_number):
    """Write into ``row`` how a knock ends (R10 to R19).

    Eleven ``knocking_cards`` are big gin. ``first``, ``second`` and ``third`` are the melds that the knocker shows.
    """
    big_gin = popcount(knocking_cards) == 11
    before = deadwood(defending_cards)
    after = before
    laid = _NONE
    left = np.int64(0)
    if not big_gin:
        left = card_points(knocking_cards & ~(first | second | third))
        if left > 0:
            after, laid = lay_off(defending_cards, first, second, third)
    ending = BIG_GIN if big_gin else ending_of(left, after, rules)
    row.knocker = knocker
    row.knocker_deadwood = left
    row.defender_deadwood = before
    row.laid_off = card_points(laid)
    row.laid_off_cards = popcount(laid)
    row.defender_deadwood_after = after
    row.ending = ending
    row.winner = -1 if ending == TIE else (defender if ending == UNDERCUT else knocker)
    row.points = price(ending, left, after, upcard_number, rules)


@kernel()
def _note(log, kind, card):
    if log.size > 0:
        log[0] += 1
        log[log[0]] = 64 * kind + lowest_number(card)


@kernel()
def _brings(knocking_cards, defending_cards, rules, upcard_number):
    """Net points that a knock with ten cards brings the knocker (R10 to R19)."""
    first, second, third = spread(knocking_cards)
    left = card_points(knocking_cards & ~(first | second | third))
    after = lay_off(defending_cards, first, second, third)[0] if left > 0 else deadwood(defending_cards)
    ending = ending_of(left, after, rules)
    points = price(ending, left, after, upcard_number, rules)
    return -points if ending == UNDERCUT else points


@kernel()
def _settled(view, questions, brings):
    """Note a question to knock in ``questions``; the answer that counts: the player's, or the other one where it is turned."""
    questions[0, ASKED] += 1
    place = questions[0, ASKED]
    own = np.int64(view.answer != 0)
    if place < len(questions):
        questions[place, SEAT] = view.seat
        questions[place, DRAWN] = view.draws
        questions[place, DEADWOOD] = view.deadwood
        questions[place, ANSWER] = own
        questions[place, BRINGS] = brings
    return 1 - own if place == questions[0, TURNED] else own


@kernel()
def _begin(view, held, top, top_number, deals, rules):
    """A player's view as a hand begins."""
    view.held = held
    view.top = top
    view.taken = _NONE
    view.thrown = _NONE
    view.legal = _NONE
    view.pile = top
    view.other_took = _NONE
    view.other_threw = _NONE
    view.other_declined = _NONE
    view.deadwood = 0
    view.limit = hand_limit(top_number, rules)
    view.phase = OFFER
    view.stock = _STOCK
    view.draws = 0
    view.turns = 0
    view.deals = deals
    view.multiplier = multiplier(top_number, rules)
    view.notes[:] = 0


class Standing(NamedTuple):
    """Where a hand stands, as far as views, deck and rules do not tell: enough to play on from any question.

    Seats ``me``, whose question is next, and ``him``, with the cards they hold; the ``pile`` and its ``top``; cards left in the
    ``stock``, ``draws`` and ``pile_takes`` so far; how often the first card was refused, 3 once it is not offered any more; ``phase``;
    the number of the first face-up card; the question ``asked``, with the card ``thrown`` on this turn where it is about
    knocking. ``given`` is the answer to it, and ``then`` to one about knocking that follows at once; -1 where the player is asked.
    """

    me: int
    him: int
    mine: int
    his: int
    top: int
    pile: int
    stock: int
    draws: int
    pile_takes: int
    refusals: int
    phase: int
    upcard_number: int
    asked: int
    thrown: int
    given: int
    then: int


ASK = -1
"""In a :class:`Standing`: no answer is given, the player is asked."""


@kernel()
def play_hand(take, discard, knock, views, first, dealer, deck, rules, row, log, questions=None):
    """Play one hand (R5 to R20); its facts and points go into ``row`` (a ``HAND_ROW`` record).

    Args:
        take, discard, knock: the seats' decisions, each three functions of type ``DecisionType``. ``take`` and ``knock`` answer
            0 for no and 1 for yes, ``discard`` a card number; a negative answer breaks the hand off. With big gin in the rules
            ``knock`` is also asked while eleven melded cards are held and nothing is ``thrown``: whether to declare it.
        views: one ``VIEW`` a seat, with streams, memory, scores, rules and parameters set.
        first, dealer: seats of the two who play; ``first`` is the non-dealer.
        deck: a ``DECK`` record in deck order with its stream opened.
        rules: packed rules.
        log: int32 array for the events, long enough for two a draw and four more, or of none where nobody wants them;
            ``log[0]`` counts them.
        questions: for those who try what the other answer would lead to: int64, shape (n, 5), in which the questions whether to knock
            with ten cards are noted from row 1 on, as far as there are rows. Row 0 has ``ASKED``, to begin with 0, and ``TURNED``.

    Returns:
        -1, or the seat whose answer was not legal: its view tells what was ``asked`` and the ``answer``.
    """
    shuffle(deck, _USUALLY_SEEN)
    mine = cards_between(deck, 0, 10)
    his = cards_between(deck, 10, 20)
    upcard_place = np.int64(deck.cards[20])
    top = _BIT_OF_PLACE[upcard_place]
    upcard_number = lowest_number(top)
    _begin(views[first], mine, top, upcard_number, 0, rules)
    _begin(views[dealer], his, top, upcard_number, 1, rules)
    views[first].other = dealer
    views[dealer].other = first
    row.dealer = dealer
    row.upcard = upcard_place
    row.first_taker = -1
    row.knocker = -1
    row.knocker_deadwood = -1
    row.defender_deadwood = -1
    row.laid_off = -1
    row.laid_off_cards = -1
    row.defender_deadwood_after = -1
    row.winner = -1
    row.points = 0

    standing = Standing(
        first, dealer, mine, his, top, top, np.int64(_STOCK), np.int64(0), np.int64(0), np.int64(0), np.int64(OFFER), upcard_number,
        np.int64(TAKE), _NONE, np.int64(ASK), np.int64(ASK),
    )
    return play_on(take, discard, knock, views, standing, deck, rules, row, log, questions)


@kernel()
def play_on(take, discard, knock, views, standing, deck, rules, row, log, questions=None):
    """Play a hand on from where it stands, to its end. Arguments and answer as for :func:`play_hand`.

    Views hold what their players have seen; what belongs to the question at hand (``asked``, cards, counts) is written into them. The
    deck's last cards, as many as the stock has, are the stock.
    """
    me = standing.me
    him = standing.him
    mine = standing.mine
    his = standing.his
    top = standing.top
    pile = standing.pile
    stock = standing.stock
    draws = standing.draws
    pile_takes = standing.pile_takes
    refusals = standing.refusals
    phase = standing.phase
    asked = standing.asked
    thrown = standing.thrown
    given = standing.given
    then = standing.then
    limit = views[me].limit
    while True:
        view = views[me]
        other = views[him]
        if asked == TAKE:
            taking = False
            if refusals == 2:
                # Twice declined: the first player draws from the stock and is not asked (R6).
                refusals = 3
                phase = TURN
            else:
                view.phase = phase
                view.top = top
                view.taken = _NONE
                view.thrown = _NONE
                view.pile = pile
                view.stock = stock
                view.draws = draws
                view.asked = TAKE
                view.answer = take[me](view) if given == ASK else given
                given = ASK
                if view.answer < 0:
                    return me
                taking = view.answer != 0
                if not taking:
                    other.other_declined |= top
                    if phase != TURN:
                        _note(log, DECLINES, top)
                    if phase == LAST:
                        row.ending = DRAW
                        break
                    if phase == OFFER:
                        refusals += 1
                        me, him = him, me
                        mine, his = his, mine
                        continue
                elif phase == OFFER:
                    row.first_taker = me
                    refusals = 3

            if taking:
                card = top
                pile ^= card
                pile_takes += 1
                other.other_took |= card
                view.taken = card
                view.top = _NONE
                _note(log, TAKES, card)
            else:
                place = 52 - stock
                if place == deck.seen:
                    shuffle(deck, place + _MORE_SEEN)
                card = _BIT_OF_PLACE[deck.cards[place]]
                stock -= 1
                view.taken = _NONE
                view.top = top
                _note(log, DRAWS, card)
            mine |= card
            draws += 1
            view.turns += 1
            thrown = _NONE

        view.phase = phase
        view.held = mine
        view.thrown = thrown
        view.pile = pile
        view.stock = stock
        view.draws = draws
        if asked != DISCARD and thrown == _NONE and rules.big_gin_bonus >= 0 and deadwood(mine) == 0:
            view.deadwood = 0
            view.asked = KNOCKING
            view.answer = knock[me](view) if given == ASK else given
            given = ASK
            if view.answer < 0:
                return me
            if view.answer != 0:
                _note(log, BIG_GINS, _NONE)
                show_down(row, me, him, mine, his, _NONE, _NONE, _NONE, rules, standing.upcard_number)
                break

        if thrown == _NONE:
            barred = _NONE if rules.discard_taken_card else view.taken
            legal = mine & ~barred
            if phase == LAST:
                legal = discards_within(mine, barred, limit)
            view.legal = legal
            view.asked = DISCARD
            view.answer = discard[me](view) if given == ASK else given
            given = then
            if 0 <= view.answer < 64:
                thrown = (_ONE << np.uint64(view.answer)) & legal
            if thrown == _NONE:
                return me
            mine ^= thrown
            view.held = mine
        left = certain_deadwood(mine)
        if left <= limit:
            left = deadwood(mine)
        if left <= limit:
            view.thrown = thrown
            view.deadwood = left
            view.answer = 1
            if phase != LAST:
                view.asked = KNOCKING
                view.answer = knock[me](view) if given == ASK else given
                if view.answer < 0:
                    return me
                if questions is not None:
                    view.answer = _settled(view, questions, _brings(mine, his, rules, standing.upcard_number))
            if view.answer != 0:
                _note(log, KNOCKS, thrown)
                first_meld, second_meld, third_meld = spread(mine)
                show_down(row, me, him, mine, his, first_meld, second_meld, third_meld, rules, standing.upcard_number)
                break
        given = then = ASK
        _note(log, THROWS, thrown)
        pile |= thrown
        top = thrown
        other.other_threw |= thrown
        other.other_took &= ~thrown
        asked = TAKE
        phase = TURN
        if stock <= rules.stock_floor:
            his_barred = _NONE if rules.discard_taken_card else top
            if not (rules.last_discard and draws < rules.max_draws and best_discards(his | top, his_barred)[0] <= limit):
                row.ending = DRAW
                break
            phase = LAST
        elif draws >= rules.max_draws:
            row.ending = STOPPED
            break
        me, him = him, me
        mine, his = his, mine

    row.draws = draws
    row.pile_takes = pile_takes
    row.stock_left = stock
    return np.int64(-1)
