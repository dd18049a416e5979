"""What the tests of the engine share: card sets, rigged hands with plain Python players, and comparison with the twin.

Cards are texts such as ``"7D"``, as in the naive twin; nothing here uses the package to find out what is right. A player
is any object with the four methods ``take``, ``declare``, ``discard`` and ``knock`` over what it sees, so the same object
can sit at the engine's table and at the twin's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import naive
import numpy as np
import pytest

from ginsim import accelerate, plan, runner, strategies
from ginsim.accelerate import COMPILED, kernel, record_type, types
from ginsim.formats import LEDGER, PROGRESS, play_hands, play_matches
from ginsim.hand import (
    DECK,
    DISCARD,
    KNOCKING,
    LAST,
    OFFER,
    TAKE,
    TURN,
    VIEW,
    DecisionSignature,
    DecisionType,
    ViewType,
    play_hand,
)
from ginsim.randomness import PLAY, open_stream
from ginsim.records import GAME_ROW, HAND_ROW, MATCH_ROW, Layout, frame
from ginsim.rules import RULES_DTYPE, Rules, load

CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]
SEATS = "ABC"
U64 = np.uint64

#: The engine's number of each card: sixteen places a suit, clubs lowest, ace lowest.
NUMBER = {rank + suit: 16 * place + at for place, suit in enumerate("CDHS") for at, rank in enumerate("A23456789TJQK")}
TEXT = {number: text for text, number in NUMBER.items()}


def checks(kind: str) -> list[Any]:
    """The checks of one kind in the case file, as parameters (input, expected) of a test."""
    found = [
        pytest.param(check["input"], check["expected"], id=f"{case['id']}-{number}")
        for case in CASES
        for number, check in enumerate(case["checks"], 1)
        if check["kind"] == kind
    ]
    assert found, kind
    return found


def several(compiled: int, interpreted: int) -> int:
    """How often to try: many times where the engine is compiled, seldom where it is plain Python."""
    return compiled if COMPILED else interpreted


compiled_only = pytest.mark.skipif(not COMPILED, reason="takes too many hands without the compiler")


def bits(some: str | Iterable[str]) -> np.uint64:
    """The engine's number for a set of cards."""
    return U64(sum(1 << NUMBER[card] for card in set(some.split() if isinstance(some, str) else some)))


def texts(cards: int) -> frozenset[str]:
    """The set of cards for an engine's number."""
    return frozenset(text for text, number in NUMBER.items() if int(cards) >> number & 1)


def rules(name: str, **changes: Any) -> Rules:
    """A preset with some fields changed, by way of the settings of a command."""
    words = {True: "true", False: "false", None: "false"}
    return load(
        name,
        [f"{key}={words[value] if type(value) in (bool, type(None)) else value}" for key, value in changes.items()],
    )


# Hands of cards ------------------------------------------------------------------------------------------------------


def some_cards(source: Random, size: int, dense: bool = True) -> frozenset[str]:
    """Random cards; dense ones come from four to six neighbouring ranks and are full of melds that overlap."""
    if not dense:
        return frozenset(source.sample(naive.DECK, size))
    width = source.randint((size + 3) // 4 + 1, 6)
    low = source.randint(0, 13 - width)
    return frozenset(
        source.sample([rank + suit for rank in naive.RANKS[low : low + width] for suit in naive.SUITS], size)
    )


def two_hands(source: Random) -> tuple[frozenset[str], frozenset[str]]:
    """Ten and ten cards of the same seven ranks, the first with two melds at least: there is much to lay off."""
    low = source.randint(0, 6)
    rest = {rank + suit for rank in naive.RANKS[low : low + 7] for suit in naive.SUITS}
    knocker: set[str] = set()
    while len(knocker) < 8:
        meld = source.choice([meld for meld in _SHORT_MELDS if meld <= rest])
        if len(knocker) + len(meld) <= 10:
            knocker |= meld
            rest -= meld
    both = source.sample(sorted(rest), len(rest))
    while len(knocker) < 10:
        knocker.add(both.pop())
    return frozenset(knocker), frozenset(both[:10])


_SHORT_MELDS = sorted((meld for meld in naive.MELDS if len(meld) < 5), key=naive.as_number)


def deal(first: str = "", dealer: str = "", upcard: str = "", stock: str = "") -> list[str]:
    """All 52 cards in the order of a deal; what is not told is filled up with the other cards in deck order."""
    told = [*first.split(), *dealer.split(), *upcard.split(), *stock.split()]
    assert len(set(told)) == len(told), "a card stands twice"
    rest = iter(card for card in naive.DECK if card not in told)

    def filled(text: str, size: int) -> list[str]:
        given = text.split()
        return given + [next(rest) for _ in range(size - len(given))]

    return filled(first, 10) + filled(dealer, 10) + filled(upcard, 1) + filled(stock, 31)


def dense_deal(source: Random) -> list[str]:
    """A deal in which both hands are of six neighbouring ranks: there is much to meld, and knocks come early."""
    low = source.randint(0, 7)
    near = source.sample([rank + suit for rank in naive.RANKS[low : low + 6] for suit in naive.SUITS], 20)
    return near + source.sample([card for card in naive.DECK if card not in near], 32)


# Players in plain Python ---------------------------------------------------------------------------------------------

_OFFERS = {OFFER: "upcard", TURN: "turn", LAST: "last"}


class Sight:
    """What the engine shows a player at one decision, kept as it was; the names are those of the twin's view."""

    def __init__(self, view: np.void) -> None:
        self.raw = view.copy()

    def cards(self, name: str) -> frozenset[str]:
        """One of the view's card sets."""
        return texts(self.raw[name])

    def number(self, name: str) -> int:
        """One of the view's numbers."""
        return int(self.raw[name])

    @property
    def seat(self) -> str:
        return SEATS[self.raw["seat"]]

    @property
    def hand(self) -> frozenset[str]:
        return self.cards("held")

    @property
    def legal(self) -> frozenset[str]:
        return self.cards("legal")

    @property
    def top(self) -> str:
        (card,) = self.cards("top")
        return card

    @property
    def taken(self) -> str | None:
        return next(iter(self.cards("taken")), None)

    @property
    def offer(self) -> str:
        return _OFFERS[self.number("phase")]

    @property
    def stock_left(self) -> int:
        return self.number("stock")

    @property
    def limit(self) -> int:
        return self.number("limit")


Choice = Any  # bool, or a function of what is seen, or a list of answers, one after the other


class Script:
    """A player that does as it is told, and keeps every question with what it saw.

    ``take``, ``declare`` and ``knock``: yes or no, a function of what is seen, or answers one after the other (then: no).
    ``throw``: cards one after the other, or a function; when they run out, the first legal card in deck order.
    """

    def __init__(self, take: Choice = False, throw: Any = (), knock: Choice = False, declare: Choice = False) -> None:
        self.told = {"take": take, "knock": knock, "declare": declare}
        self.told = {what: list(how) if isinstance(how, (list, tuple)) else how for what, how in self.told.items()}
        self.throws = throw if callable(throw) else list(throw.split() if isinstance(throw, str) else throw)
        self.asked: list[tuple[str, Any]] = []

    def _answer(self, what: str, view: Any) -> bool:
        self.asked.append((what, view))
        how = self.told[what]
        if isinstance(how, list):
            return how.pop(0) if how else False
        return how(view) if callable(how) else how

    def take(self, view: Any) -> bool:
        return self._answer("take", view)

    def declare(self, view: Any) -> bool:
        return self._answer("declare", view)

    def knock(self, view: Any) -> bool:
        return self._answer("knock", view)

    def discard(self, view: Any) -> str:
        self.asked.append(("discard", view))
        if callable(self.throws):
            return self.throws(view)
        return self.throws.pop(0) if self.throws else min(view.legal, key=NUMBER.__getitem__)

    def questions(self, what: str | None = None) -> list[str]:
        """What was asked, in order; of one kind with the offer it was about."""
        return (
            [asked for asked, _ in self.asked]
            if what is None
            else [v.offer for asked, v in self.asked if asked == what]
        )


class Dice:
    """A player of whims that any engine can be asked to repeat: the n-th answer depends on its seed and what is legal."""

    def __init__(self, seed: int, take: float = 0.5, knock: float = 0.5) -> None:
        self.source = Random(seed)
        self.odds = {"take": take, "knock": knock}

    def take(self, view: Any) -> bool:
        return self.source.random() < self.odds["take"]

    def knock(self, view: Any) -> bool:
        return self.source.random() < self.odds["knock"]

    declare = knock

    def discard(self, view: Any) -> str:
        if self.source.random() < 0.3:
            return self.source.choice(sorted(view.legal))
        # Mostly sensible, or hardly a hand would come to a knock.
        left = {card: naive.deadwood(view.hand - {card}) for card in view.legal}
        return min(sorted(left), key=left.__getitem__)


class _Callers:
    """Where the engine's questions go; an error in a player breaks the hand off and is raised afterwards."""

    players: Mapping[str, Any] = {}
    error: BaseException | None = None

    @classmethod
    def answer(cls, view: np.void) -> int:
        try:
            player, sight = cls.players[SEATS[view["seat"]]], Sight(view)
            if view["asked"] == TAKE:
                return int(player.take(sight))
            if view["asked"] == DISCARD:
                thrown = player.discard(sight)
                return NUMBER[thrown] if isinstance(thrown, str) else thrown
            return int(player.knock(sight) if view["thrown"] else player.declare(sight))
        except BaseException as error:  # noqa: BLE001 - it cannot pass through compiled code
            cls.error = error
            return -1


_ask = accelerate.callback(_Callers.answer, DecisionSignature)


_Decisions = types.UniTuple(DecisionType, 3)


@kernel(
    types.int64(
        _Decisions,
        _Decisions,
        _Decisions,
        ViewType[::1],
        types.int64,
        types.int64,
        record_type(DECK),
        record_type(RULES_DTYPE),
        record_type(HAND_ROW),
        types.int32[::1],
    )
)
def _play(take, discard, knock, views, first, dealer, deck, rules_, row, log):  # noqa: ANN001, ANN202
    return play_hand(take, discard, knock, views, first, dealer, deck, rules_, row, log)


# The truth -----------------------------------------------------------------------------------------------------------


class Truth:
    """Where all 52 cards are, action by action, as numbers: hands by seat, pile from its bottom, stock from its top."""

    def __init__(self, cards: Sequence[str], first: str, dealer: str) -> None:
        numbers = [NUMBER[card] for card in cards]
        self.first, self.dealer = first, dealer
        self.hands = {first: set(numbers[:10]), dealer: set(numbers[10:20])}
        self.pile, self.stock = numbers[20:21], numbers[21:]
        self.draws = dict.fromkeys((first, dealer), 0)
        # By seat: cards from the pile that he still holds, cards thrown, pile tops passed over.
        self.took: dict[str, set[int]] = {first: set(), dealer: set()}
        self.threw: dict[str, set[int]] = {first: set(), dealer: set()}
        self.declined: dict[str, set[int]] = {first: set(), dealer: set()}
        # The card that this turn began with, if it came from the pile.
        self.taken: int | None = None
        self.check()

    def check(self) -> None:
        """52 different cards, ten in each hand but that of who has just drawn."""
        everywhere = [*self.pile, *self.stock, *self.hands[self.first], *self.hands[self.dealer]]
        assert len(everywhere) == 52
        assert set(everywhere) == set(TEXT)
        assert sorted(map(len, self.hands.values())) in ([10, 10], [10, 11])

    def other(self, seat: str) -> str:
        return self.dealer if seat == self.first else self.first

    def act(self, seat: str, what: str, card: str | None) -> None:
        """One action, with the card it is about as the engine wrote it down."""
        number = NUMBER[card] if card else None
        if what == "take":
            assert self.pile.pop() == number
            self.hands[seat].add(number)
            self.took[seat].add(number)
        elif what == "draw":
            assert self.stock.pop(0) == number
            self.declined[seat].add(self.pile[-1])
            self.hands[seat].add(number)
        elif what == "discard":
            self.hands[seat].remove(number)
            self.took[seat].discard(number)
            self.threw[seat].add(number)
            self.pile.append(number)
        elif what == "decline":
            self.declined[seat].add(self.pile[-1])
        if what in ("take", "draw"):
            self.draws[seat] += 1
            self.taken = number if what == "take" else None
        self.check()

    def check_sight(self, sight: Sight, rules_: Rules) -> None:
        """What a player is shown is all true, and is about nothing that he may not see."""
        seat, raw = sight.seat, sight.raw
        other, asked = self.other(seat), int(raw["asked"])
        thrown = {NUMBER[card] for card in sight.cards("thrown")}
        assert len(thrown) == (1 if asked == KNOCKING and len(self.hands[seat]) == 11 and thrown else 0)
        own = self.hands[seat] - thrown
        expected = {
            "held": own,
            "pile": set(self.pile),
            "taken": {self.taken} - {None} if asked != TAKE else set(),
            "other_took": self.took[other],
            "other_threw": self.threw[other],
            "other_declined": self.declined[other],
        }
        if asked == TAKE:
            expected["top"] = {self.pile[-1]}
            assert len(own) == 10
        if asked == DISCARD:
            barred = expected["taken"] if not rules_.discard_taken_card else set()
            assert len(own) == 11
            if raw["phase"] == LAST:
                left = naive.discards({TEXT[number] for number in own})
                expected["legal"] = {NUMBER[card] for card in left if left[card] <= raw["limit"]} - barred
                assert expected["legal"]
            else:
                expected["legal"] = own - barred
        for name, numbers in expected.items():
            assert int(raw[name]) == sum(1 << number for number in numbers), (name, asked, texts(raw[name]))
        if asked == KNOCKING:
            assert raw["deadwood"] == naive.deadwood({TEXT[number] for number in own}) <= raw["limit"]
            assert len(own) == (10 if thrown else 11)
        draws = sum(self.draws.values())
        offered = not draws or (asked != TAKE and draws == 1 and self.taken is not None)
        last = len(self.stock) <= rules_.stock_floor and asked != TAKE and self.taken is not None
        last = last or (len(self.stock) <= rules_.stock_floor and asked == TAKE)
        assert raw["phase"] == (OFFER if offered else LAST if last else TURN)
        assert raw["stock"] == len(self.stock)
        assert raw["draws"] == draws
        assert raw["turns"] == self.draws[seat]
        assert raw["deals"] == (seat == self.dealer)


class Watched:
    """A strategy of the engine at whose every decision all cards are counted and everything it is shown is checked."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self.table: Table
        self.kernels = strategies.strategy(spec.partition(":")[0])
        self.seen: list[tuple[bytes, int]] = []

    def _answer(self, kernel_: Callable, sight: Sight) -> int:
        self.table.look().check_sight(sight, self.table.rules)
        answer = int(kernel_(self.table.views[int(sight.raw["seat"])]))
        self.seen.append((sight.raw.tobytes(), answer))
        return answer

    def take(self, sight: Sight) -> int:
        return self._answer(self.kernels.take, sight)

    def discard(self, sight: Sight) -> int:
        return self._answer(self.kernels.discard, sight)

    def knock(self, sight: Sight) -> int:
        return self._answer(self.kernels.knock, sight)

    declare = knock

    def repeated(self) -> Script:
        """A player that takes and throws as this one did."""
        seen = [(np.frombuffer(raw, VIEW)[0]["asked"], answer) for raw, answer in self.seen]
        takes = [bool(answer) for asked, answer in seen if asked == TAKE]
        return Script(take=takes, throw=[TEXT[answer] for asked, answer in seen if asked == DISCARD])


# Playing -------------------------------------------------------------------------------------------------------------

Action = tuple[str, str, str | None]


@dataclass
class Played:
    """A hand that was played: its row, its actions as the twin writes them, the deal, who broke the rules, if anybody."""

    row: dict[str, Any]
    history: list[Action]
    deal: list[str]
    fault: str | None = None
    players: Mapping[str, Any] = field(default_factory=dict)

    def did(self, what: str) -> list[tuple[str, str | None]]:
        """Who did this, and with which card."""
        return [(seat, card) for seat, action, card in self.history if action == what]


_WORDS = {1: "decline", 2: "take", 3: "draw", 4: "discard", 5: "knock", 6: "big_gin"}


def decoded(event: int, seat: str) -> list[Action]:
    """One event of the engine's log as the twin writes it, done by this seat."""
    kind, number = divmod(int(event), 64)
    # Big gin has no card, whose number is 64.
    what, card = _WORDS[min(kind, 6)], TEXT.get(number)
    if what == "knock":
        return [(seat, "discard", card), (seat, "knock", None)]
    return [(seat, what, None if what in ("decline", "big_gin") else card)]


class Table:
    """The engine's working memory with players in the seats: strategies by name, or Python players.

    ``views``, ``deck`` and ``log`` are the engine's own, to be looked at while it plays.
    """

    def __init__(self, rules_: Rules, players: Mapping[str, Any]) -> None:
        self.rules = rules_
        self.players = players
        self.views = accelerate.records(3, VIEW)
        self.deck = accelerate.records(1, DECK)[0]
        self.log = np.zeros(2 * rules_.max_draws + 8, np.int32)
        self.packed = rules_.packed()
        decisions = []
        for seat, name in enumerate(SEATS):
            player = players.get(name, "random")
            self.views[seat]["rules"] = self.packed
            if isinstance(player, Watched):
                player.table = self
            spec = getattr(player, "spec", player)
            if isinstance(spec, str):
                made = strategies.parse(spec)
                for place, value in enumerate(strategies.sit(made, rules_).parameters):
                    self.views[seat]["parameters"][place] = value
            if isinstance(player, str):
                strategy = strategies.strategy(made.name)
                decisions.append((strategy.take, strategy.discard, strategy.knock))
            else:
                decisions.append((_ask,) * 3)
        self.decisions = tuple(zip(*decisions, strict=True))

    def _call(self, function: Callable, *arguments: Any) -> Any:
        _Callers.players, _Callers.error = self.players, None
        answer = function(*self.decisions, self.views, *arguments)
        if _Callers.error is not None:
            raise _Callers.error
        return answer

    def look(self) -> Truth:
        """Where the cards are now, by all that the engine has written down so far, counted after each action."""
        truth = self.truth
        for event in self.log[self._looked + 1 : int(self.log[0]) + 1]:
            for action in decoded(event, self._turn):
                truth.act(*action)
                self.history.append(action)
            if self.history[-1][1] in ("decline", "discard"):
                self._turn = truth.other(self._turn)
        self._looked = int(self.log[0])
        return truth

    def play(self, cards: Sequence[str], dealer: str = "B", seed: int = 0, match: int = 0, hand: int = 0) -> Played:
        """One hand with these 52 cards, the players' streams named by seed, match and hand."""
        assert sorted(cards) == sorted(naive.DECK)
        self.deck["cards"][:] = [naive.DECK.index(card) for card in cards]
        self.deck["seen"] = 52
        for seat in range(3):
            self.views[seat]["seat"] = seat
            open_stream(self.views[seat]["stream"], U64(seed), U64(PLAY + seat), U64(match), U64(hand))
        first = {"A": "B", "B": "A"}[dealer]
        rows = accelerate.records(1, HAND_ROW)
        rows[0]["hand"] = hand
        rows[0]["box"], rows[0]["captain"], rows[0]["sitter"] = SEATS.index(dealer), SEATS.index(first), 2
        self.log[:] = 0
        self.truth, self.history, self._looked, self._turn = Truth(cards, first, dealer), [], 0, first
        seats = SEATS.index(first), SEATS.index(dealer)
        fault = self._call(_play, *seats, self.deck, self.packed, rows[0], self.log)
        self.look()
        if fault >= 0:
            return Played({}, self.history, list(cards), SEATS[fault], self.players)
        columns = Layout("hands", self.rules.format, 1).columns("hands")
        return Played(frame(columns, rows).to_dicts()[0], self.history, list(cards), None, self.players)

    def hands(self, seed: int, first: int, count: int, mirror: bool = False) -> list[dict[str, Any]]:
        """Single hands by number: their rows."""
        rows, progress = accelerate.records(count, HAND_ROW), accelerate.records(1, PROGRESS)[0]
        nothing = np.zeros((0, 52), np.uint8), np.zeros(0, np.int32)
        self._call(
            play_hands,
            self.deck,
            self.packed,
            U64(seed),
            first,
            count,
            mirror,
            nothing[0],
            rows,
            nothing[1],
            np.zeros(1, np.int64),
            progress,
        )
        assert progress["hands"] == count
        return frame(Layout("hands", self.rules.format, 1).columns("hands"), rows).to_dicts()

    def matches(
        self, seed: int, first: int, count: int, mirror: bool = False, room: int = 2000
    ) -> dict[str, list[dict]]:
        """Whole matches by number: the rows of the three tables."""
        layout = Layout("matches", self.rules.format, self.rules.games or 1)
        rows, progress = accelerate.records(room, HAND_ROW), accelerate.records(1, PROGRESS)[0]
        scores = np.zeros((room, layout.seats * layout.games), np.int32)
        games = accelerate.records(count * layout.games, GAME_ROW)
        matches = accelerate.records(count, MATCH_ROW)
        self._call(
            play_matches,
            self.deck,
            accelerate.records(1, LEDGER)[0],
            self.packed,
            U64(seed),
            first,
            count,
            mirror,
            rows,
            scores,
            games,
            matches,
            np.zeros(0, np.int32),
            np.zeros(1, np.int64),
            progress,
        )
        assert progress["matches"] == count
        hands = int(progress["hands"])
        return {
            "hands": frame(layout.columns("hands"), rows[:hands], scores[:hands]).to_dicts(),
            "games": frame(layout.columns("games"), games).to_dicts(),
            "matches": frame(layout.columns("matches"), matches).to_dicts(),
        }


def play(
    cards: Sequence[str], players: Mapping[str, Any], rules_: Rules | None = None, dealer: str = "B", **names: int
) -> Played:
    """One hand with these 52 cards under some rules, those of ``gin`` if none are told; B deals, A is first player."""
    return Table(rules_ or rules("gin"), players).play(cards, dealer, **names)


# The twin ------------------------------------------------------------------------------------------------------------


@cache
def _twin_rules(name: str, changes: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    return naive.preset(name, **dict(changes))


def twin_rules(name: str, **changes: Any) -> dict[str, Any]:
    """The twin's rules for a preset with changes; ``big_gin_bonus=False`` is its None."""
    return dict(
        _twin_rules(
            name,
            tuple(
                (key, None if value is False and key == "big_gin_bonus" else value) for key, value in changes.items()
            ),
        )
    )


def chunk(
    name: str,
    specs: Sequence[str],
    seed: int,
    count: int,
    *,
    unit: str = "hands",
    mirror: bool = False,
    first: int = 0,
    changes: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The engine's frames for hands or matches ``first`` to ``first + count - 1``."""
    planned = plan.make_plan(rules(name, **(changes or {})), unit=unit, strategies=specs, seed=seed, mirror=mirror)  # type: ignore[arg-type]
    return runner.play_chunk(planned, plan.Chunk(0, first, count))


def differences(
    name: str,
    specs: Sequence[str],
    seed: int,
    count: int,
    *,
    unit: str = "hands",
    mirror: bool = False,
    first: int = 0,
    changes: Mapping[str, Any] | None = None,
) -> list[str]:
    """Where the engine and the twin differ, cell by cell: an empty list if they play the same.

    Args:
        name: a preset; ``changes``: fields of it that are otherwise.
        specs: strategies, one for all seats or one a seat.
        count: hands or matches, from number ``first`` on.
    """
    fast = chunk(name, specs, seed, count, unit=unit, mirror=mirror, first=first, changes=changes)
    slow_rules = twin_rules(name, **(changes or {}))
    if unit == "hands":
        slow = {"hands": naive.play_hands(slow_rules, specs, seed, first, count, mirror)}
    else:
        slow = naive.play_matches(slow_rules, specs, seed, first, count, mirror)._asdict()
    if fast.keys() != slow.keys():
        return [f"tables {sorted(fast)} and {sorted(slow)}"]
    found = []
    for table, rows in slow.items():
        quick = fast[table].to_dicts()
        if len(quick) != len(rows):
            found.append(f"{table}: {len(quick)} rows and {len(rows)}")
        for number, (one, other) in enumerate(zip(quick, rows, strict=False)):
            if list(one) != list(other):
                found.append(f"{table} row {number}: columns {list(one)} and {list(other)}")
            found += [
                f"{table} row {number}, {column}: {one[column]!r} and {other[column]!r}"
                for column in one
                if column in other and (one[column] != other[column] or type(one[column]) is not type(other[column]))
            ]
    return found


def played_otherwise(
    cards: Sequence[str],
    players: Callable[[], Mapping[str, Any]],
    name: str,
    dealer: str = "B",
    changes: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> list[str]:
    """Where engine and twin differ over one given deal: in an action, or in a cell of the row.

    ``players`` makes the two players anew for each of the two tables.
    """
    changes = changes or {}
    fast = play(cards, players(), rules(name, **changes), dealer, seed=seed)
    slow_rules, history = twin_rules(name, **changes), []
    made = {
        seat: naive.make_player(player) if isinstance(player, str) else player for seat, player in players().items()
    }
    row = naive.play_hand(
        slow_rules,
        made,
        dealer,
        cards,
        streams={seat: naive.Stream(seed, naive.PLAY[seat], 0, 0) for seat in made},
        roles=(dealer, {"A": "B", "B": "A"}[dealer], "C") if slow_rules["format"] == "three_handed" else None,
        history=history,
    )
    pairs = enumerate(zip(fast.history, history, strict=False))
    found = [f"action {place}: {one} and {other}" for place, (one, other) in pairs if one != other]
    if len(fast.history) != len(history):
        found.append(f"{len(fast.history)} actions and {len(history)}")
    return found + [
        f"{column}: {fast.row[column]!r} and {row[column]!r}" for column in row if fast.row[column] != row[column]
    ]
