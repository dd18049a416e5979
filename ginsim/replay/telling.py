"""A hand told turn by turn, as a person would who watches both players and knows the rules by number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ginsim import solver
from ginsim.cards import card_text, cards_text, numbers_in
from ginsim.hand import hand_limit
from ginsim.replay.history import BIG_GIN, DECLINE, DRAW, KNOCK, STOCK, TAKE, Action, History
from ginsim.replay.playing import Replay
from ginsim.solver import Arrangement, Showdown

GLYPHS = "♣♦♥♠·→"
"""Characters beyond ASCII that a :class:`Pen` writes."""


@dataclass(frozen=True)
class Pen:
    """How cards are written: with the symbols of the suits, or in letters where these cannot be shown."""

    symbols: bool = True

    @property
    def dot(self) -> str:
        """What parts melds from each other, and the parts of a title."""
        return " · " if self.symbols else " / "

    @property
    def arrow(self) -> str:
        """What leads from a card to the meld it makes."""
        return "→" if self.symbols else "->"

    def card(self, number: int) -> str:
        """One card."""
        return card_text(number, symbols=self.symbols)

    def meld(self, cards: int) -> str:
        """``5♥6♥7♥``."""
        return cards_text(cards, symbols=self.symbols).replace(" ", "")

    def cards(self, arrangement: Arrangement) -> str:
        """``A♠2♠3♠ · 9♣9♦9♥ + Q♦ 8♠``: the melds, and after ``+`` the other cards, the highest first."""
        melds = self.dot.join(map(self.meld, arrangement.melds))
        loose = sorted(numbers_in(arrangement.loose), key=lambda number: (-(number & 15), number))
        return " + ".join(filter(None, (melds, " ".join(map(self.card, loose)))))


class Line(NamedTuple):
    """A line about one player: the number of cards drawn by then, the seat, what is told, and the deadwood it leaves."""

    number: str
    seat: str
    text: str
    deadwood: str = ""


@dataclass(frozen=True)
class Story:
    """A hand told: sentences about the deal, lines about the players, sentences about the end."""

    deal: Sequence[str]
    lines: Sequence[Line]
    end: Sequence[str]


def title(replay: Replay, pen: Pen) -> str:
    """What is told, in one line."""
    plan = replay.plan
    number = replay.hands[0].result or {}
    if plan.unit == "hands":
        what = f"Hand {replay.number}"
    elif replay.match is None:
        what = f"Hand {number['hand']} of match {replay.number}"
    else:
        what = f"Match {replay.number}"
    specs = [player.spec for player in plan.players]
    cards = "given deals" if plan.deals_hash is not None else ""
    mirrored = "mirrored" if plan.mirror else ""
    parts = (what, f"rules {plan.rules.name}", " v ".join(specs), cards, f"seed {plan.seed}", mirrored)
    return pen.dot.join(filter(None, parts))


def tell(history: History, pen: Pen, ended: Sequence[tuple[int, str]] = ()) -> Story:
    """The story of a hand that was played to its end and has its result.

    Args:
        ended: games of the match that ended with it: which, from 1, and who won it.
    """
    result = history.result or {}
    teller = _Teller(history, pen)
    lines = [*teller.opening(), *teller.turns()]
    if result["knocker"] is None:
        end = [_without_knock(history)]
    else:
        outcome = teller.showdown(result["knocker"])
        lines += teller.spreading(result["knocker"], outcome)
        end = [_score(history, outcome, result)]
    return Story(list(_deal(history, pen)), lines, [*end, *_standing(history, result, ended)])


def tell_end(replay: Replay) -> str:
    """How a whole match ended."""
    match = replay.match or {}
    hands = match["hands"]
    seats = replay.hands[0].seats
    totals = ", ".join(f"{seat} {match[f'total_{seat.lower()}']}" for seat in seats)
    played = f"Match {replay.number} took {hands} hand{'' if hands == 1 else 's'}"
    if match["abandoned"]:
        return f"{played} and is abandoned (R16). Totals: {totals}."
    if match["winner"] is None:
        return f"{played}, and nobody won it. Totals: {totals}."
    games = replay.plan.rules.games or 1
    winner = match["winner"]
    won = f"{winner} won"
    if games > 1:
        # Hands are numbered from 0, and this is a count.
        decided = match["decided_at_hand"] - 1
        won += f" {match[f'games_{winner.lower()}']} of {games} games; hand {decided} decided it"
    return f"{played}: {won}. Totals: {totals}."


class _Teller:
    """Follows a hand: what each player holds, and what has been drawn."""

    def __init__(self, history: History, pen: Pen) -> None:
        self._history = history
        self._pen = pen
        self._held = dict(history.hands)

    def opening(self) -> Iterator[Line]:
        """The cards dealt, the first player's first."""
        for seat in (self._history.first, self._history.dealer):
            arrangement = solver.best_arrangement(self._held[seat])
            yield Line("", seat, self._pen.cards(arrangement), str(arrangement.deadwood))

    def turns(self) -> Iterator[Line]:
        """What was done, a line a turn and a line a refusal."""
        draws, stock, drawn = 0, STOCK, self._history.actions[0]
        for action in self._history.actions:
            if action.what in (TAKE, DRAW):
                drawn = action
                draws += 1
                self._held[action.seat] |= _bit(action)
                last = stock <= self._history.rules.stock_floor
                stock -= action.what == DRAW
            elif action.what == DECLINE:
                last = stock <= self._history.rules.stock_floor
                card = "" if action.card is None else f" {self._pen.card(action.card)}"
                yield Line("", action.seat, f"declines{card}{', the last discard (R15)' if last else ''}")
            else:
                yield self._turn(str(draws), drawn, action, last)

    def _turn(self, number: str, drawn: Action, action: Action, last: bool) -> Line:
        pen, card = self._pen, drawn.card or 0
        self._held[action.seat] &= ~_bit(action)
        arrangement = solver.best_arrangement(self._held[action.seat])
        text = f"{'takes' if drawn.what == TAKE else 'draws'} {pen.card(card)}"
        if last:
            text += ", the last discard, to knock with it (R15)"
        for meld in arrangement.melds:
            if meld >> card & 1:
                text += f" {pen.arrow} {pen.meld(meld)}"
        if action.what == BIG_GIN:
            text += " and has all eleven melded"
        else:
            text += " and throws it" if action.card == card else f", throws {pen.card(action.card or 0)}"
        if action.what == KNOCK:
            text += " and goes gin" if arrangement.deadwood == 0 else " and knocks"
        return Line(number, action.seat, text, str(arrangement.deadwood))

    def showdown(self, knocker: str) -> Showdown:
        """The show-down after the last turn."""
        history = self._history
        defender = history.other(knocker)
        return solver.showdown(self._held[knocker], self._held[defender], history.rules, upcard=history.upcard)

    def spreading(self, knocker: str, outcome: Showdown) -> Iterator[Line]:
        """Why the knock is legal, the melds on the table, and what is laid off."""
        history, pen = self._history, self._pen
        defender = history.other(knocker)
        left = outcome.knocker.deadwood
        if outcome.ending == "big_gin":
            yield Line("", knocker, "declares big gin, which these rules have (R11)")
        elif left == 0:
            yield Line("", knocker, "may knock with no deadwood at all: gin (R10)")
        else:
            limit = f"the limit is {outcome.limit}"
            if history.rules.upcard_sets_limit:
                limit += f" by the {pen.card(history.upcard)} turned up"
            rule = "R9, R32" if history.rules.upcard_sets_limit else "R9"
            yield Line("", knocker, f"may knock with {left}: {limit} ({rule})")
        rule = "R11" if outcome.ending == "big_gin" else "R14"
        yield Line("", knocker, f"shows {pen.cards(outcome.knocker)} ({rule})", str(left))
        before = solver.best_arrangement(self._held[defender])
        yield Line("", defender, f"holds {pen.cards(before)}", str(outcome.before))
        if left == 0:
            yield Line("", defender, "lays off nothing against gin (R12)")
        elif outcome.layoffs:
            after = outcome.defender.deadwood
            yield Line("", defender, f"lays off {self._layoffs(outcome)} (R13)")
            yield Line("", defender, f"keeps {pen.cards(outcome.defender) or 'nothing'}", str(after))
        else:
            yield Line("", defender, "lays off nothing (R13)")

    def _layoffs(self, outcome: Showdown) -> str:
        on: dict[int, list[str]] = {}
        for card, meld in outcome.layoffs:
            on.setdefault(meld, []).append(self._pen.card(card))
        return ", ".join(f"{' '.join(cards)} on {self._pen.meld(meld)}" for meld, cards in on.items())


def _bit(action: Action) -> int:
    return 0 if action.card is None else 1 << action.card


def _deal(history: History, pen: Pen) -> Iterator[str]:
    dealer, first, upcard = history.dealer, history.first, pen.card(history.upcard)
    who = f"{dealer} deals, {first} plays first"
    if history.sitter is not None:
        who = f"{dealer} is in the box and deals, {first} is captain and plays first, {history.sitter} sits out (R27, R28)"
    yield f"{who}. Turned up: {upcard}."
    if history.rules.upcard_sets_limit:
        limit = hand_limit(history.upcard, history.rules.packed())
        yield f"The {upcard} sets the knock limit: {f'{limit}' if limit else '0, that is, gin only'} (R32)."
    if history.rules.spade_doubles and history.upcard >> 4 == 3:
        yield "It is a spade: all points of this hand count double (R32)."


def _without_knock(history: History) -> str:
    result = history.result or {}
    again = "nothing moves (R20, R29)" if history.sitter is not None else f"{history.dealer} deals again (R20)"
    if result["ending"] == "stopped":
        draws = result["draws"]
        cards = f"{draws} card{' has' if draws == 1 else 's have'} been drawn"
        return f"{cards}: the hand is stopped (R16). Nobody scores, and {again}."
    left = result["stock_left"]
    cards = f"{left or 'no'} card{' is' if left == 1 else 's are'} left in the stock"
    return f"A draw: {cards}, and nobody has knocked (R15). Nobody scores, and {again}."


def _score(history: History, outcome: Showdown, result: Mapping[str, Any]) -> str:
    rules, knocker, winner = history.rules, result["knocker"], result["winner"]
    left, after = outcome.knocker.deadwood, outcome.defender.deadwood
    defender = history.other(knocker)
    points = result["points"]
    doubled = outcome.multiplier != 1 and points
    plain = points // outcome.multiplier
    rule = {"knock": "R17", "undercut": "R18", "gin": "R19", "big_gin": "R11"}.get(outcome.ending, "")
    end = f"{plain}, and doubled {points} ({rule}, R32)." if doubled else f"{points} ({rule})."
    if outcome.ending == "knock":
        return f"{winner} scores {after} - {left} = {end}"
    if outcome.ending == "undercut":
        return f"An undercut: {winner} scores {left} - {after} and the bonus {rules.undercut_bonus} = {end}"
    if outcome.ending == "tie":
        again = "nothing moves (R29)" if history.sitter is not None else f"{history.dealer} deals again (R20)"
        return f"{left} against {after}: under these rules a tie, which scores nothing (R18), and {again}."
    bonus = rules.big_gin_bonus if outcome.ending == "big_gin" else rules.gin_bonus
    return f"{winner} scores the bonus {bonus} and {defender}'s {after} = {end}"


def _standing(history: History, result: Mapping[str, Any], ended: Sequence[tuple[int, str]]) -> Iterator[str]:
    """The scores after a hand of a match, and the games that ended."""
    several = (history.rules.games or 1) > 1
    if any(name.startswith("score_") for name in result):
        scores = {
            seat: [str(value) for name, value in result.items() if name.startswith(f"score_{seat.lower()}")]
            for seat in history.seats
        }
        yield "Scores: " + ", ".join(f"{seat} {'/'.join(scores[seat])}" for seat in scores) + "."
    for game, winner in ended:
        rule = "R30" if history.sitter is not None else "R23"
        yield f"{winner} wins {f'game {game}' if several else 'the game'} ({rule})."
