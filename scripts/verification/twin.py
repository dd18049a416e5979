"""The fast engine against its slow twin in ``tests/naive``: whole hands and matches, cell by cell.

The twin plays ``random`` and ``simple`` itself. For every strategy there is, it also judges recorded hands: it plays them with players
that do what was done, refuses what is not legal, and has to come to the same actions and the same row.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

import naive
import table
from ginsim.cards import card_text, cards_text
from ginsim.plan import make_plan
from ginsim.replay import playing
from ginsim.replay.history import BIG_GIN, DECLINE, DISCARD, DRAW, KNOCK, TAKE, Action, History
from verification.findings import Finding
from verification.players import every_player
from verification.scale import Scale

TITLE = "The naive engine"

PLAYERS = (("simple",), ("random",), ("simple:knock=4",), ("simple:knock=0",))
"""Who plays in both engines, all seats alike."""

VARIATIONS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("gin", {"last_discard": "knock"}),
    ("gin", {"last_discard": "knock", "stock_floor": 10, "undercut_on_tie": False}),
    ("gin", {"big_gin_bonus": 31, "discard_taken_card": True}),
    ("gin", {"max_draws": 12, "stock_floor": 0}),
    ("straight", {"last_discard": "knock", "big_gin_bonus": 0}),
    (
        "oklahoma",
        {
            "ace_upcard": "one",
            "big_gin_bonus": 31,
            "discard_taken_card": True,
            "last_discard": "knock",
            "undercut_on_tie": False,
            "stock_floor": 10,
            "max_draws": 30,
        },
    ),
)
"""Rules with fields that no preset has, for hands."""

MATCHES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("hollywood", {"shut_out": "next_game"}),
    ("hollywood", {"games": 5, "series_end": "decided"}),
    ("hollywood", {"games": 2, "target": 40, "shut_out": "next_game", "next_dealer": "loser"}),
    ("gin", {"box_bonus": 20, "game_bonus": 100, "blitz_bonus": 100, "next_dealer": "loser"}),
    ("three-handed", {"box_bonus": 20, "game_bonus": 100, "blitz_bonus": 100}),
    ("hollywood", {"max_hands": 7}),
)
"""Rules with fields that no preset has, for matches."""

_HANDS_A_TASK = 100
_MATCHES_A_TASK = 10
_SHOWN = 3


@dataclass(frozen=True)
class Task:
    """Some hands or matches to be played by both, or hands to be judged by the twin."""

    about: str
    rules: str
    specs: tuple[str, ...]
    count: int
    first: int
    unit: str = "hands"
    mirror: bool = False
    changes: Mapping[str, Any] = field(default_factory=dict)


def verify(scale: Scale) -> list[Finding]:
    """Everything, in several processes."""
    played = list(_tasks(scale))
    judged = list(_judged(scale))
    with ProcessPoolExecutor(scale.workers, get_context("spawn")) as pool:
        differences = [
            *pool.map(_compare, played, [scale.seed] * len(played)),
            *pool.map(_judge, judged, [scale.seed] * len(judged)),
        ]
    found: dict[str, tuple[int, list[str]]] = {}
    for task, wrong in zip([*played, *judged], differences, strict=True):
        count, so_far = found.get(task.about, (0, []))
        found[task.about] = count + task.count, so_far + [f"{task.rules} {task.specs} {task.changes}: {each}" for each in wrong]
    return [
        Finding(f"{count:,} {about}", "no difference", "; ".join(wrong[:_SHOWN]) or "no difference", right=not wrong)
        for about, (count, wrong) in found.items()
    ]


def _tasks(scale: Scale) -> Iterator[Task]:
    """What both engines play."""
    for rules in naive.PRESETS:
        for specs in PLAYERS:
            yield from _cut("hands, all presets", rules, specs, scale.of(600))
        yield from _cut("mirrored hands, all presets", rules, ("simple",), scale.of(200), mirror=True)
        yield from _cut("matches, all presets", rules, ("simple",), scale.of(40), unit="matches")
        mixed = ("simple", "simple:knock=4", "simple:knock=0")[: 3 if rules == "three-handed" else 2]
        yield from _cut("mirrored matches, all presets", rules, mixed, scale.of(40), unit="matches", mirror=True)
        # Players at random hardly ever finish a match.
        yield from _cut(
            "matches cut short, all presets", rules, ("random",), scale.of(10), unit="matches", changes={"max_hands": 20}
        )
    for rules, changes in VARIATIONS:
        for specs in PLAYERS:
            yield from _cut("hands, rules with other fields", rules, specs, scale.of(300), changes=changes)
    for rules, changes in MATCHES:
        yield from _cut("matches, rules with other fields", rules, ("simple",), scale.of(40), unit="matches", changes=changes)


def _judged(scale: Scale) -> Iterator[Task]:
    """What the twin judges."""
    for rules, changes in (("gin", {}), ("three-handed", {}), *VARIATIONS):
        for player in every_player():
            yield from _cut("recorded hands of every player", rules, (player,), scale.of(100), changes=changes)


def _cut(
    about: str,
    rules: str,
    specs: tuple[str, ...],
    count: int,
    unit: str = "hands",
    mirror: bool = False,
    changes: Mapping[str, Any] | None = None,
) -> Iterator[Task]:
    size = _HANDS_A_TASK if unit == "hands" else _MATCHES_A_TASK
    for first in range(0, count, size):
        yield Task(about, rules, specs, min(size, count - first), first, unit, mirror, changes or {})


def _compare(task: Task, seed: int) -> list[str]:
    return table.differences(
        task.rules, task.specs, seed, task.count, unit=task.unit, mirror=task.mirror, first=task.first, changes=task.changes
    )


def _judge(task: Task, seed: int) -> list[str]:
    plan = make_plan(table.rules(task.rules, **task.changes), unit="hands", strategies=task.specs, seed=seed)
    rules = table.twin_rules(task.rules, **task.changes)
    return [
        f"hand {number}: {fault}"
        for number in range(task.first, task.first + task.count)
        for fault in faults(playing.play(plan, number).hands[0], rules)
    ]


class Recorded:
    """A player of the twin's table that does what a history says, and stops where the twin asks for something else."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self.left = deque(actions)

    def _next(self, *wanted: str) -> Action:
        if not self.left or self.left[0].what not in wanted:
            raise AssertionError(f"asked for {' or '.join(wanted)}, left is {list(self.left)[:1]}")
        return self.left.popleft()

    def take(self, view: Any) -> bool:
        return self._next(TAKE, DRAW, DECLINE).what == TAKE

    def declare(self, view: Any) -> bool:
        self._skip_draw()
        return self.left[0].what == BIG_GIN and bool(self._next(BIG_GIN))

    def discard(self, view: Any) -> str:
        self._skip_draw()
        return card_text((self.left[0] if self.left[0].what == KNOCK else self._next(DISCARD)).card)

    def knock(self, view: Any) -> bool:
        return bool(self.left) and self.left[0].what == KNOCK

    def _skip_draw(self) -> None:
        """After two refusals the first player draws without being asked (R6)."""
        if self.left and self.left[0].what == DRAW:
            self.left.popleft()


def faults(hand: History, rules: dict[str, Any]) -> list[str]:
    """What the twin finds wrong with a recorded hand."""
    stock = [card_text(card) for card in hand.stock or ()]
    dealt = [cards_text(hand.hands[hand.first]).split(), cards_text(hand.hands[hand.dealer]).split()]
    deal = [*dealt[0], *dealt[1], card_text(hand.upcard), *stock]
    players = {seat: Recorded([action for action in hand.actions if action.seat == seat]) for seat in hand.seats}
    roles = (hand.dealer, hand.first, hand.sitter) if len(hand.seats) == 3 else None
    done: list[naive.hand.Action] = []
    try:
        row = naive.play_hand(rules, players, hand.dealer, deal, roles=roles, history=done)
    except AssertionError as refusal:
        return [f"refused: {refusal}"]
    result = dict(hand.result or {})
    found = [f"{name} is {result[name]!r} and {row[name]!r}" for name in result if name not in ("hand", "match") and result[name] != row.get(name)]
    if done != list(_as_twin(hand.actions)):
        found.append("the actions differ")
    return found


def _as_twin(actions: Sequence[Action]) -> Iterator[tuple[str, str, str | None]]:
    """Actions as the twin writes them: a knock after its discard, a decline without its card."""
    for action in actions:
        if action.what == KNOCK:
            yield action.seat, DISCARD, card_text(action.card)
            yield action.seat, KNOCK, None
        elif action.what in (DECLINE, BIG_GIN):
            yield action.seat, action.what, None
        else:
            yield action.seat, action.what, card_text(action.card)
