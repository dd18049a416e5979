"""A player decides by what he may see: the other's hidden cards and the stock changed about, he does the same.

A hand is played, and one of a player's decisions in it is picked. The cards that he cannot know at that moment are then shuffled among their
places in the deal: those the other holds and has not shown, and those still in the stock. With these cards the hand is
played again; the other does what he did before, so that the player sees the same until that moment. Then everything that he
has been shown, and all that he decided, must be the same as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import naive
import pytest
from ginsim.rules import Rules
from ginsim.strategies import names, strategy
from table import Action, Dice, Sight, Table, rules

#: Mid-hand states for every strategy.
STATES = 1000
MOMENTS_A_HAND = 4

RULES = [
    rules("gin"),
    rules("oklahoma"),
    rules("eaai"),
    rules("gin", big_gin_bonus=31, last_discard="knock", stock_floor=10, discard_taken_card=True, undercut_on_tie=False),
]
ROLLOUT = "rollout:worlds=2,base=simple"
OTHERS = ["simple", "random", "simple:knock=0"]

#: Who is looked at: a strategy by its name, or a class of Python players, who are given the table they sit at.
Subject = str | Callable[[], Any]


def players() -> list[str]:
    """Every strategy as it is, and with each whole parameter at its ends (the others are weights, all alike)."""
    quick = [name for name in names() if name != "rollout"]
    ends = [
        f"{name}:{parameter.name}={value}"
        for name in quick
        for parameter in strategy(name).parameters
        if parameter.whole
        for value in (parameter.low, parameter.high)
        if value != parameter.default
    ]
    return [*quick, *ends, ROLLOUT]


@dataclass
class Moment:
    """A hand up to a decision of A: the cards, what was done before, and what A did then."""

    rules: Rules
    cards: list[str]
    dealer: str
    seed: int
    before: list[Action]
    then: Action

    @property
    def seen(self) -> set[int]:
        """Places of the deal whose cards A knows: his own, the upcard, what he drew, what the other threw."""
        starts = 0 if self.dealer == "B" else 10
        known = {*range(starts, starts + 10), 20}
        drawn = 21
        for seat, what, card in self.before:
            if what == "draw":
                if seat == "A":
                    known.add(drawn)
                drawn += 1
            elif what == "discard":
                known.add(self.cards.index(card))
        return known

    def with_others(self, source: Random) -> list[str]:
        """The cards with all that A does not know shuffled among their places."""
        hidden = [place for place in range(52) if place not in self.seen]
        changed = list(self.cards)
        for place, other in zip(hidden, source.sample(hidden, len(hidden)), strict=True):
            changed[place] = self.cards[other]
        return changed

    def play(self, subject: Subject, cards: list[str]) -> Table:
        """The table after the hand was played with these cards up to this moment and a little further.

        The other does what he did, and breaks the hand off when he is asked more.
        """
        table = seated(self.rules, subject, Repeater(self.before, self.dealer))
        try:
            table.play(cards, self.dealer, seed=self.seed)
        except EndOfScript:
            table.look()
        return table


class EndOfScript(Exception):
    """There is nothing more to repeat."""


class Repeater:
    """The other player, who does again what he did."""

    def __init__(self, done: list[Action], dealer: str) -> None:
        self.draws = [what for seat, what, _ in done if seat == "B" and what in ("take", "draw", "decline")]
        self.throws = [card for seat, what, card in done if seat == "B" and what == "discard"]
        # After two refusals the first player draws without being asked (R6).
        if [what for _, what, _ in done[:2]] == ["decline", "decline"] and dealer == "A":
            del self.draws[1:2]

    def take(self, view: Sight) -> bool:
        if not self.draws:
            raise EndOfScript
        return self.draws.pop(0) == "take"

    def discard(self, view: Sight) -> str:
        if not self.throws:
            raise EndOfScript
        return self.throws.pop(0)

    def knock(self, view: Sight) -> bool:
        return False

    declare = knock


def seated(rules_: Rules, subject: Subject, other: Any) -> Table:
    """A table with the subject in A's seat."""
    player = subject if isinstance(subject, str) else subject()
    table = Table(rules_, {"A": player, "B": other})
    if not isinstance(player, str):
        player.table = table
    return table


def moments(subject: Subject, count: int) -> Iterator[Moment]:
    """So many decisions of the subject, under all rules and against all others in turn, from both sides of the deal."""
    seed = 0
    while count > 0:
        source = Random(seed)
        cards, dealer = source.sample(naive.DECK, 52), source.choice("AB")
        rules_, other = RULES[seed % len(RULES)], OTHERS[seed % len(OTHERS)]
        history = seated(rules_, subject, other).play(cards, dealer, seed=seed).history
        own = [place for place, (seat, what, _) in enumerate(history) if seat == "A" and what != "knock"]
        for place in source.sample(own, min(MOMENTS_A_HAND, count, len(own))):
            yield Moment(rules_, cards, dealer, seed, history[:place], history[place])
            count -= 1
        seed += 1


def in_sight(before: list[Action], then: Action) -> list[Action]:
    """What A sees of some actions and of the one that he decides: no card that the other draws, and not yet the one that he may draw."""
    seen = [(seat, what, None if (seat, what) == ("B", "draw") else card) for seat, what, card in before]
    seat, what, card = then
    return [*seen, (seat, what, None if what == "draw" else card)]


def changed_decisions(subject: Subject, count: int) -> int:
    """In how many of so many states the subject does something else, there or before, with other cards that it cannot see."""
    source = Random(1)
    found = 0
    for moment in moments(subject, count):
        history = moment.play(subject, moment.with_others(source)).history[: len(moment.before) + 1]
        found += in_sight(history[:-1], history[-1]) != in_sight(moment.before, moment.then)
    return found


@pytest.mark.parametrize("player", players())
def test_no_strategy_decides_by_cards_that_it_cannot_see(player: str) -> None:
    assert changed_decisions(player, STATES) == 0


class Whims(Dice):
    """A player of whims that keeps what it was shown, each time with the number of events so far."""

    table: Table

    def __init__(self) -> None:
        super().__init__(3, take=0.4, knock=0.3)
        self.shown: list[tuple[int, bytes]] = []

    def _look(self, sight: Sight) -> None:
        self.shown.append((int(self.table.log[0]), sight.raw.tobytes()))

    def take(self, view: Sight) -> bool:
        self._look(view)
        return super().take(view)

    def discard(self, view: Sight) -> str:
        self._look(view)
        return super().discard(view)

    def knock(self, view: Sight) -> bool:
        self._look(view)
        return super().knock(view)

    declare = knock


def test_nothing_that_a_player_is_shown_depends_on_hidden_cards() -> None:
    source = Random(2)
    views = 0
    for moment in moments(Whims, STATES // 5):
        shown = [
            [view for events, view in table.players["A"].shown if events <= len(moment.before)]
            for table in (moment.play(Whims, cards) for cards in (moment.cards, moment.with_others(source)))
        ]
        assert shown[0] == shown[1]
        views += len(shown[0])
    assert views > STATES


class PeeksAtTheOther(Whims):
    """A cheat: it takes the pile by what the other holds."""

    def take(self, view: Sight) -> bool:
        return int(self.table.views[1]["held"]) % 3 == 0


class PeeksAtTheStock(Whims):
    """A cheat: it takes the pile where the stock's next card is a picture."""

    def take(self, view: Sight) -> bool:
        return int(self.table.deck["cards"][52 - view.stock_left]) % 13 > 9


@pytest.mark.parametrize("cheat", [PeeksAtTheOther, PeeksAtTheStock])
def test_a_cheat_is_found_out(cheat: type[Whims]) -> None:
    assert changed_decisions(Whims, 100) == 0
    assert changed_decisions(cheat, 100) > 25
