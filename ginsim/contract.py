"""The contract that every player keeps, put to the test: built-in ones and anyone's own alike.

A player plays legally under all rules, comes to an end, plays the same under the same seed whatever was played before, does not
look at hidden cards, and depends on the scoring only if it says so. Each check plays some hands and gives a :class:`Check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from ginsim import formats, melds
from ginsim.accelerate import callback, records
from ginsim.cards import NUMBERS
from ginsim.errors import GinsimError
from ginsim.hand import BIG_GINS, DECK, DECLINES, DRAWS, KNOCKS, TAKES, THROWS, DecisionSignature, fresh_deck, shuffle
from ginsim.plan import Plan, make_plan
from ginsim.randomness import DEAL, open_stream
from ginsim.records import GAME_ROW, HAND_ROW, MATCH_ROW, STOPPED, Unit
from ginsim.rules import Rules, load, preset_names
from ginsim.runner import NO_DEALS, Seating, check_answers, users_errors
from ginsim.strategies import find, parse
from ginsim.strategies.own import prints_aside

HANDS = 100
"""How many hands a check plays where nobody says otherwise."""

_OPTIONS = ("big_gin_bonus=31", "last_discard=knock", "discard_taken_card=true", "undercut_on_tie=false", "shut_out=next_game")
_SHORT = ("target=30", "max_hands=12")
_HANDS_A_MATCH = 10
_CUTS = 3
_NO_ANSWER = -1
_SEAT = 0
"""The seat of the player in question, where it plays against somebody else."""


@dataclass(frozen=True)
class Check:
    """What a check came to; ``detail`` says what was played or, where it failed, what went wrong and where."""

    name: str
    passed: bool
    detail: str


def check(spec: str, hands: int = HANDS, seed: int = 1) -> Iterator[Check]:
    """All checks of a player, one after the other, as far as what went before lets them be made.

    Args:
        spec: as :func:`ginsim.strategies.parse` takes it.
        hands: about how many each check plays, under each of the rules.

    Raises:
        UsageError: there is no such player.
    """
    scoring = find(parse(spec)).uses_scoring

    def repeats() -> str:
        return _repeats(spec, hands, seed)

    checks: dict[str, Callable[[], str]] = {
        "legal under all rules": lambda: _legal(spec, hands, seed),
        "comes to an end": lambda: _ends(spec, hands, seed),
        "same seed, same play": repeats,
        "blind to hidden cards": lambda: _is_blind(spec, hands, seed),
        "honest about scoring": lambda: _is_honest(spec, scoring, hands, seed),
    }
    for name, run in checks.items():
        try:
            with prints_aside():
                detail = run()
            yield Check(name, True, detail)
        except _Broken as broken:
            yield Check(name, False, str(broken))
            if run is repeats:
                # The others compare play with play.
                return
        except GinsimError as error:
            yield Check(name, False, "\n".join([str(error), *(f"  {note}" for note in getattr(error, "__notes__", ()))]))
            return


class _Broken(Exception):
    """A check failed; the message says where."""


def _legal(spec: str, hands: int, seed: int) -> str:
    played = matches = 0
    all_rules = _all_rules()
    for rules in all_rules:
        for others in (("simple",), ("random",), (spec,)):
            with _Table(rules, "hands", (spec, *others), seed) as table:
                for number in range(-(-hands // 3)):
                    table.play(number)
                    played += 1
        short = load(_base(rules), [*_SHORT, *_settings(rules)])
        with _Table(short, "matches", (spec, "simple"), seed) as table:
            for number in range(_matches(hands)):
                table.play(number)
                matches += 1
    return f"{played:,} hands and {matches:,} short matches under {len(all_rules)} rule sets"


def _ends(spec: str, hands: int, seed: int) -> str:
    for others in ("simple", spec):
        with _Table(load("gin"), "hands", (spec, others), seed) as table:
            for number in range(hands):
                played = table.play(number)
                if played.rows[0]["ending"] == STOPPED:
                    raise _Broken(
                        f"hand {number} against {others} was stopped after {played.rows[0]['draws']} draws of cards (R16, rules gin, "
                        f"seed {seed})."
                    )
    return f"{hands:,} hands against itself and as many against simple, none of them stopped (R16)"


def _repeats(spec: str, hands: int, seed: int) -> str:
    rules = load("hollywood", _SHORT)
    count = _matches(hands)
    played = {}
    for numbers in (range(count), reversed(range(count))):
        with _Table(rules, "matches", (spec, spec), seed) as table:
            for number in numbers:
                again = table.play(number)
                first = played.setdefault(number, again)
                hand = _first_difference(first.hands, again.hands)
                if hand is not None:
                    raise _Broken(
                        f"match {number} played again, after other matches, went otherwise in hand {hand} (rules hollywood, seed {seed})."
                    )
    return f"{count:,} short matches played twice, the second time in another order"


def _is_blind(spec: str, hands: int, seed: int) -> str:
    count = cuts = 0
    with _Table(load("gin"), "hands", (spec, "random"), seed) as table:
        for number in range(hands):
            count += 1
            cards = _deal(seed, number)
            chance = Random(number)
            partner = _Partner(table.log, chance)
            before = table.play(number, cards, partner)
            for length, takes in chance.sample(partner.cuts, min(_CUTS, len(partner.cuts))):
                seen = before.log[:length]
                other_cards = _permuted(cards, seen, number, chance)
                again = table.play(number, other_cards, _Partner(table.log, chance, partner.taken[:takes], partner.thrown))
                if _public(again.log[:length], number) != _public(seen, number):
                    place = _first_difference(_public(seen, number), _public(again.log[:length], number))
                    raise _Broken(
                        f"in hand {number} other hidden cards changed its play, at step {(place or 0) + 1} (rules gin, seed {seed})."
                    )
                cuts += 1
    return f"{count:,} hands, {cuts:,} times with the unseen cards exchanged"


def _is_honest(spec: str, declared: bool | None, hands: int, seed: int) -> str:
    usual = ("max_hands=12", "target=100000")
    other_prices = {
        "gin 200, undercut 200": (*usual, "gin_bonus=200", "undercut_bonus=200"),
        "gin 0, undercut 0": (*usual, "gin_bonus=0", "undercut_bonus=0"),
        "extras at the end of the game": (*usual, "game_bonus=500", "box_bonus=100", "blitz_bonus=500"),
        # The one way to other scores after plain knocks.
        "spades that double": (*usual, "spade_doubles=true"),
        "a target of 60": ("max_hands=12", "target=60"),
    }
    count = _matches(hands)
    with _Table(load("gin", usual), "matches", (spec, "simple"), seed) as table:
        base = [table.play(number) for number in range(count)]
    for price, settings in other_prices.items():
        with _Table(load("gin", settings), "matches", (spec, "simple"), seed) as table:
            for number, first in enumerate(base):
                again = table.play(number)
                together = min(len(first.hands), len(again.hands))
                hand = _first_difference(first.hands[:together], again.hands[:together])
                if hand is None:
                    continue
                where = f"hand {hand} of match {number} went otherwise with {price} (rules gin, seed {seed})"
                if declared is False:
                    raise _Broken(f"it declares uses_scoring = False, and {where}.")
                return f"its play depends on the scoring{'' if declared is None else ', as it declares'}: {where}"
    same = f"the same play under {len(other_prices) + 1} ways of scoring in {count:,} matches"
    return f"{same}, though it declares uses_scoring = True" if declared else same


@dataclass(frozen=True)
class _Played:
    """A hand or match: its rows, and the events of each hand."""

    rows: np.ndarray
    hands: tuple[tuple[int, ...], ...]

    @property
    def log(self) -> tuple[int, ...]:
        """The events of a single hand."""
        return self.hands[0]


class _Table:
    """Players at a table, and what the engine needs to play one hand or match after the other."""

    def __init__(self, rules: Rules, unit: Unit, specs: Sequence[str], seed: int) -> None:
        players = [specs[min(seat, len(specs) - 1)] for seat in range(rules.seats)]
        self.plan: Plan = make_plan(rules, unit=unit, strategies=players, seed=seed)
        self.seating = Seating(self.plan)
        self.room = rules.max_hands if unit == "matches" else 1
        self.log = np.zeros(1 + self.room * (2 * rules.max_draws + 6), np.int32)

    def __enter__(self) -> _Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.seating.close()

    def play(self, number: int, cards: Sequence[int] | None = None, partner: _Partner | None = None) -> _Played:
        """Play one hand or match; a hand with these cards, as places in deck order, and against this partner, where given."""
        plan, seating = self.plan, self.seating
        take, discard, knock = seating.take, seating.discard, seating.knock
        if partner is not None:
            take, discard, knock = ((mine[_SEAT], its, its) for mine, its in zip((take, discard, knock), partner.decisions, strict=True))
        self.log[:] = 0
        rows = records(self.room, HAND_ROW)
        progress = records(1, formats.PROGRESS)[0]
        common = (seating.rules, np.uint64(plan.seed), number, 1, False)
        stop = np.zeros(1, np.int64)
        with users_errors(plan, number, progress):
            if plan.unit == "hands":
                deals = NO_DEALS
                if cards is not None:
                    deals = np.zeros((number + 1, len(cards)), np.uint8)
                    deals[number] = cards
                formats.play_hands(take, discard, knock, seating.views, seating.deck, *common, deals, rows, self.log, stop, progress)
            else:
                layout = plan.layout
                scores = np.zeros((self.room, layout.seats * layout.games), np.int32)
                ends = records(layout.games, GAME_ROW), records(1, MATCH_ROW)
                formats.play_matches(
                    take, discard, knock, seating.views, seating.deck, seating.ledger, *common, rows, scores, *ends, self.log, stop, progress
                )
        if partner is None or progress["fault_seat"] == _SEAT:
            check_answers(plan, seating, progress)
        events = self.log[1 : int(self.log[0]) + 1].tolist()
        hands: list[list[int]] = []
        for event in events:
            if event == formats.HAND_BEGINS:
                hands.append([])
            else:
                hands[-1].append(event)
        return _Played(rows, tuple(map(tuple, hands)))


class _Partner:
    """Somebody to play against: first by whim, then, with other hidden cards, exactly so again.

    ``cuts`` are the moments at which play can be compared: how long the log is, and how many times it had been asked to take.
    Given ``taken`` and ``thrown`` it repeats these answers, and breaks the hand off when the first are used up.
    """

    def __init__(
        self, log: np.ndarray, chance: Random, taken: Sequence[int] | None = None, thrown: Sequence[int] = ()
    ) -> None:
        self._log = log
        self._chance = chance
        self._script = None if taken is None else (iter(taken), iter(thrown))
        self.cuts: list[tuple[int, int]] = []
        self.taken: list[int] = []
        self.thrown: list[int] = []
        self.decisions = [callback(answer, DecisionSignature) for answer in (self._take, self._discard, self._knock)]

    def _take(self, view: np.void) -> int:
        if self._script is not None:
            return next(self._script[0], _NO_ANSWER)
        # The log begins with the mark of a hand.
        self.cuts.append((int(self._log[0]) - 1, len(self.taken)))
        wanted = melds.makes_meld(np.uint64(view["held"]), np.uint64(view["top"])) or self._chance.random() < 0.2
        self.taken.append(int(wanted))
        return self.taken[-1]

    def _discard(self, view: np.void) -> int:
        if self._script is not None:
            return next(self._script[1], _NO_ANSWER)
        held, legal = int(view["held"]), int(view["legal"])
        _, best = melds.best_discards(np.uint64(held), np.uint64(held & ~legal))
        self.thrown.append(self._chance.choice([number for number in NUMBERS if int(best) >> number & 1]))
        return self.thrown[-1]

    def _knock(self, view: np.void) -> int:
        return 0


def _deal(seed: int, number: int) -> list[int]:
    deck = records(1, DECK)[0]
    _order(deck, np.uint64(seed), number)
    return [int(place) for place in deck["cards"]]


def _order(deck: np.record, seed: np.uint64, number: int) -> None:
    open_stream(deck["stream"], seed, np.uint64(DEAL), np.uint64(number), np.uint64(0))
    fresh_deck(deck)
    shuffle(deck, 52)


def _permuted(cards: Sequence[int], events: Sequence[int], number: int, chance: Random) -> list[int]:
    """The deal with all cards exchanged that the player has not seen by the end of these events."""
    is_first = number % 2 == 0
    own = cards[:10] if is_first else cards[10:20]
    seen = {NUMBERS[place] for place in (*own, cards[20])}
    for mine, kind, card in _told(events, number):
        if kind in (THROWS, KNOCKS, TAKES) or (mine and kind == DRAWS):
            seen.add(card)
    hidden = [place for place, card in enumerate(cards) if NUMBERS[card] not in seen]
    others = [cards[place] for place in hidden]
    chance.shuffle(others)
    changed = list(cards)
    for place, card in zip(hidden, others, strict=True):
        changed[place] = card
    return changed


def _public(events: Sequence[int], number: int) -> list[tuple[int, int]]:
    """The events as the player sees them: not what the other side draws."""
    return [(kind, card if mine or kind != DRAWS else -1) for mine, kind, card in _told(events, number)]


def _told(events: Sequence[int], number: int) -> Iterator[tuple[bool, int, int]]:
    """Each event: whether it is the player's, what it is, and the card. The player is first on even numbers."""
    mine = number % 2 == 0
    for event in events:
        kind, card = divmod(event, 64)
        kind = min(kind, BIG_GINS)
        yield mine, kind, card
        if kind in (DECLINES, THROWS):
            mine = not mine


def _first_difference(one: Sequence[object], other: Sequence[object]) -> int | None:
    for place, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return place
    return None if len(one) == len(other) else min(len(one), len(other))


def _matches(hands: int) -> int:
    return max(2, hands // _HANDS_A_MATCH)


def _all_rules() -> list[Rules]:
    """The presets, and two of them with all that the presets leave out of use."""
    return [*map(load, preset_names()), *(load(name, _options(name)) for name in ("hollywood", "oklahoma"))]


def _options(name: str) -> list[str]:
    known = load(name).as_dict()
    return [setting for setting in _OPTIONS if setting.partition("=")[0] in known]


def _base(rules: Rules) -> str:
    return rules.name.partition(" ")[0]


def _settings(rules: Rules) -> list[str]:
    return _options(_base(rules)) if _base(rules) != rules.name else []


