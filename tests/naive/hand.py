"""One hand, from the deal to its price, one rule after the other (R5 to R20, R32)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .cards import DECK, POINTS, Card, Cards, points
from .randomness import Stream
from .rules import Rules
from .solver import deadwood, discards, lay_off
from .solver import spread as chosen_spread
from .strategies import Player, View

Row = dict[str, Any]
#: One thing done: (seat, what, card or None); what is decline, take, draw, discard, knock or big_gin.
Action = tuple[str, str, Card | None]


def knock_limit(rules: Rules, upcard: Card) -> int:
    """The knock limit of a hand with this first face-up card (R9, R32)."""
    if not rules["upcard_sets_limit"]:
        return rules["knock_limit"]
    if upcard[0] == "A":
        return {"gin": 0, "one": 1}[rules["ace_upcard"]]
    return POINTS[upcard]


def score(
    knocker_deadwood: int, defender_deadwood: int, rules: Rules, upcard: Card | None = None, big_gin: bool = False
) -> tuple[str, str | None, int]:
    """Ending, winner ("knocker", "defender" or None) and points from the deadwoods after layoffs (R11, R17 to R19)."""
    double = 2 if rules["spade_doubles"] and upcard is not None and upcard[1] == "S" else 1
    if big_gin:
        return "big_gin", "knocker", double * (rules["big_gin_bonus"] + defender_deadwood)
    if knocker_deadwood == 0:
        return "gin", "knocker", double * (rules["gin_bonus"] + defender_deadwood)
    if knocker_deadwood < defender_deadwood:
        return "knock", "knocker", double * (defender_deadwood - knocker_deadwood)
    if knocker_deadwood == defender_deadwood and not rules["undercut_on_tie"]:
        return "tie", None, 0
    return "undercut", "defender", double * (knocker_deadwood - defender_deadwood + rules["undercut_bonus"])


def settle(
    knocker: Iterable[Card],
    defender: Iterable[Card],
    rules: Rules,
    upcard: Card | None = None,
    spread: Iterable[Iterable[Card]] | None = None,
) -> Row:
    """The show-down of a knocker's ten cards, or his eleven at big gin, and a defender's ten (R10 to R19).

    ``spread`` are the melds the knocker shows where R14 is not to choose. The answer holds the hand's
    columns from ``knocker_deadwood`` to ``points``, the winner as "knocker" or "defender", and beside them
    ``layoff``, the set of cards laid off, and ``spread``, the melds shown.
    """
    knocker, defender = frozenset(knocker), frozenset(defender)
    big_gin = len(knocker) == 11
    shown = chosen_spread(knocker) if spread is None else tuple(frozenset(meld) for meld in spread)
    knocker_deadwood = points(knocker) - sum(points(meld) for meld in shown)
    assert not big_gin or knocker_deadwood == 0
    before = deadwood(defender)
    # Against gin and big gin nothing is laid off (R12).
    after, layoff = (before, frozenset()) if knocker_deadwood == 0 else lay_off(defender, shown)
    ending, winner, price = score(knocker_deadwood, after, rules, upcard, big_gin)
    return {
        "knocker_deadwood": knocker_deadwood,
        "defender_deadwood": before,
        "laid_off": points(layoff),
        "laid_off_cards": len(layoff),
        "defender_deadwood_after": after,
        "ending": ending,
        "winner": winner,
        "points": price,
        "layoff": layoff,
        "spread": shown,
    }


class Table:
    """The 52 cards of a hand in play: two hands, stock, pile; counted after every action."""

    def __init__(self, first: str, dealer: str, deal: Sequence[Card], history: list[Action] | None) -> None:
        """R5: ten cards to each, one face up, the other 31 the stock."""
        self.hands = {first: set(deal[0:10]), dealer: set(deal[10:20])}
        self.pile = [deal[20]]
        self.stock = list(deal[21:])
        self.turns: dict[str, list[tuple[Card | None, Card]]] = {first: [], dealer: []}
        self.draws = 0
        self.pile_takes = 0
        self.history = history
        self.check()

    def check(self) -> None:
        """52 different cards at every moment, and ten or eleven in a hand."""
        everywhere = [*self.pile, *self.stock]
        for held in self.hands.values():
            assert len(held) in (10, 11)
            everywhere += held
        assert len(everywhere) == 52 and set(everywhere) == set(DECK)

    def note(self, seat: str, what: str, card: Card | None = None) -> None:
        if self.history is not None:
            self.history.append((seat, what, card))

    def take(self, seat: str) -> Card:
        """The top of the pile goes into a hand."""
        card = self.pile.pop()
        self.hands[seat].add(card)
        self.draws += 1
        self.pile_takes += 1
        self.note(seat, "take", card)
        self.check()
        return card

    def draw(self, seat: str) -> None:
        """The top of the stock goes into a hand."""
        card = self.stock.pop(0)
        self.hands[seat].add(card)
        self.draws += 1
        self.note(seat, "draw", card)
        self.check()

    def discard(self, seat: str, card: Card, taken: Card | None) -> None:
        """A card goes from a hand to the top of the pile."""
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.turns[seat].append((taken, card))
        self.note(seat, "discard", card)
        self.check()


class Hand:
    """The turns of one hand (R6 to R16)."""

    def __init__(
        self, rules: Rules, players: Mapping[str, Player], table: Table, streams: Mapping[str, Stream], upcard: Card
    ) -> None:
        self.rules = rules
        self.players = players
        self.table = table
        self.streams = streams
        self.limit = knock_limit(rules, upcard)

    def view(
        self, seat: str, offer: str | None = None, taken: Card | None = None, legal: Cards = frozenset()
    ) -> View:
        table = self.table
        return View(
            seat=seat,
            rules=self.rules,
            limit=self.limit,
            hand=frozenset(table.hands[seat]),
            pile=tuple(table.pile),
            stock_left=len(table.stock),
            offer=offer,
            taken=taken,
            legal=legal,
            turns=tuple(table.turns[seat]),
            stream=self.streams[seat],
        )

    def takes(self, seat: str, offer: str) -> bool:
        return bool(self.players[seat].take(self.view(seat, offer=offer)))

    def barred(self, taken: Card | None) -> Card | None:
        """The card that may not be thrown on this turn (R8)."""
        return None if self.rules["discard_taken_card"] else taken

    def knocking_discards(self, eleven: Iterable[Card], taken: Card | None) -> Cards:
        """The legal discards that leave a hand one may knock with (R8, R9)."""
        left = discards(eleven, self.barred(taken))
        return frozenset(card for card in left if left[card] <= self.limit)

    def finish_turn(self, seat: str, taken: Card | None, must_knock: bool = False) -> str | None:
        """What follows a draw: big gin, the discard, the knock. "big_gin", "knock", or None when play goes on."""
        table, player = self.table, self.players[seat]
        eleven = frozenset(table.hands[seat])
        # R11: big gin exists where the rules give it a bonus, be it 0.
        if self.rules["big_gin_bonus"] is not None and deadwood(eleven) == 0:
            if player.declare(self.view(seat, taken=taken)):
                table.note(seat, "big_gin")
                return "big_gin"
        legal = self.knocking_discards(eleven, taken) if must_knock else eleven - {self.barred(taken)}
        card = player.discard(self.view(seat, taken=taken, legal=legal))
        assert card in legal, f"{seat} may not discard {card}"
        table.discard(seat, card, taken)
        # R9, R10: gin is a knock, and nobody has to knock.
        if deadwood(table.hands[seat]) <= self.limit:
            if must_knock or player.knock(self.view(seat, taken=taken)):
                table.note(seat, "knock")
                return "knock"
        return None

    def play(self, first: str, dealer: str) -> tuple[str, str | None, str | None]:
        """Plays to the end: how (knock, big_gin, draw, stopped), who knocked, who took the face-up card (or None)."""
        rules, table = self.rules, self.table
        other = {first: dealer, dealer: first}

        # R6: the face-up card is offered to the non-dealer, then to the dealer.
        first_taker = None
        for seat in (first, dealer):
            if self.takes(seat, "upcard"):
                first_taker = seat
                break
            table.note(seat, "decline")
        if first_taker is None:
            # R6: twice declined, the card is dead, and the non-dealer draws from the stock.
            seat, taken = first, None
            table.draw(seat)
        else:
            seat, taken = first_taker, table.take(first_taker)

        while True:
            end = self.finish_turn(seat, taken)
            if end is not None:
                return end, seat, first_taker
            seat = other[seat]
            if len(table.stock) <= rules["stock_floor"]:
                end = self.last_discard(seat)
                return end, None if end == "draw" else seat, first_taker
            # R16: nothing else stops two players who take the pile for ever.
            if table.draws == rules["max_draws"]:
                return "stopped", None, first_taker
            # R7: the top of the pile or of the stock.
            taken = None
            if self.takes(seat, "turn"):
                taken = table.take(seat)
            else:
                table.draw(seat)

    def last_discard(self, seat: str) -> str:
        """R15: the stock is out. A draw, unless the rules let this seat take the last discard to knock with it."""
        rules, table = self.rules, self.table
        if rules["last_discard"] == "dead" or table.draws == rules["max_draws"]:
            return "draw"
        top = table.pile[-1]
        if not self.knocking_discards(table.hands[seat] | {top}, top):
            return "draw"
        if not self.takes(seat, "last"):
            table.note(seat, "decline")
            return "draw"
        end = self.finish_turn(seat, table.take(seat), must_knock=True)
        assert end is not None
        return end


def play_hand(
    rules: Rules,
    players: Mapping[str, Player],
    dealer: str,
    deal: Sequence[Card],
    *,
    streams: Mapping[str, Stream] | None = None,
    roles: tuple[str, str, str] | None = None,
    hand: int = 0,
    match: int | None = None,
    history: list[Action] | None = None,
) -> Row:
    """Plays one hand (R5 to R20) and gives its row: the columns of the hands table, None where there is nothing.

    ``players`` by seat. ``deal``: all 52 cards, 0-9 the first player's, 10-19 the dealer's, 20 face up, 21 the
    stock's top. ``streams``: each seat's own, which only players that draw random words need. ``roles``: box,
    captain and sitter under three-handed rules, where the dealer is the box (R28). ``history`` is filled with every
    action. The match column is there if a match number is given; the scores after the hand are not added here.
    """
    first = roles[1] if roles else {"A": "B", "B": "A"}[dealer]
    assert roles is None or roles[0] == dealer
    upcard = deal[20]
    table = Table(first, dealer, deal, history)
    turns = Hand(rules, players, table, streams or dict.fromkeys((first, dealer)), upcard)
    end, knocker, first_taker = turns.play(first, dealer)

    row: Row = {} if match is None else {"match": match}
    row |= {"hand": hand, "dealer": dealer}
    if roles:
        row |= dict(zip(("box", "captain", "sitter"), roles, strict=True))
    row |= {
        "upcard": upcard,
        "first_taker": first_taker,
        "draws": table.draws,
        "pile_takes": table.pile_takes,
        "stock_left": len(table.stock),
        "knocker": knocker,
        "knocker_deadwood": None,
        "defender_deadwood": None,
        "laid_off": None,
        "laid_off_cards": None,
        "defender_deadwood_after": None,
        "ending": end,
        "winner": None,
        "points": 0,
    }
    if knocker is not None:
        defender = dealer if knocker == first else first
        result = settle(table.hands[knocker], table.hands[defender], rules, upcard)
        row |= {column: result[column] for column in result if column in row}
        row["winner"] = {"knocker": knocker, "defender": defender, None: None}[result["winner"]]
    return row
