"""``ginsim replay``: hands played again, told, written as histories, and histories judged, also by the naive twin."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import naive
import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner, Result
from commands import rewritten
from ginsim import api, deals
from ginsim.cards import parse_cards, parse_sequence
from ginsim.cli import cli
from ginsim.errors import UsageError
from ginsim.plan import Chunk, Plan, make_plan
from ginsim.replay import SCHEMA, Action, History, Pen, as_text, judge, play, tell
from ginsim.rules import Rules, load, preset_names
from ginsim.runner import play_chunk
from table import Dice, deal, rules, several, twin_rules

pytestmark = pytest.mark.filterwarnings("ignore::numba.NumbaExperimentalFeatureWarning")

ROOT = Path(__file__).parent.parent

#: Rules under which every way to end a hand, and every decision, comes up.
ODD_RULES = {
    "big_gin_bonus": 31,
    "undercut_on_tie": False,
    "discard_taken_card": True,
    "last_discard": "knock",
    "stock_floor": 5,
    "max_draws": 40,
}


def ran(*arguments: object, stdin: str | None = None) -> Result:
    """What a command prints and returns, in this process; a bug in it is raised here."""
    result = CliRunner().invoke(cli, ["replay", *map(str, arguments)], prog_name="ginsim", input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def planned(name: str, unit: str, specs: Sequence[str] = ("simple",), seed: int = 1, mirror: bool = False, **changes: Any) -> Plan:
    return make_plan(rules(name, **changes), unit=unit, strategies=specs, seed=seed, mirror=mirror)  # type: ignore[arg-type]


def actions(text: str) -> tuple[Action, ...]:
    """Steps such as ``A decline``, ``B take 7D``, ``B knock KS``, with commas between them."""
    found = []
    for step in text.split(","):
        seat, what, *card = step.split()
        found.append(Action(seat, what, parse_sequence(card[0])[0] if card else None))
    return tuple(found)


def history(cards: Sequence[str], steps: str | Iterable[Action], rules_: Rules | None = None, dealer: str = "B", **more: Any) -> History:
    """A history over 52 cards in the order of a deal; B deals and A plays first if nothing else is told."""
    rules_ = rules_ or rules("gin")
    first = more.pop("first", None) or {"A": "B", "B": "A"}[dealer]
    return History(
        rules=rules_,
        dealer=dealer,
        first=first,
        hands={first: parse_cards(" ".join(cards[:10])), dealer: parse_cards(" ".join(cards[10:20]))},
        upcard=parse_sequence(cards[20])[0],
        stock=tuple(parse_sequence(" ".join(cards[21:]))),
        actions=actions(steps) if isinstance(steps, str) else tuple(steps),
        **more,
    )


def with_result(given: History) -> History:
    """The same history with the result that the engine gives."""
    verdict = judge(given)
    assert verdict.fault is None, verdict
    return replace(given, result=verdict.row)


# Played again --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("specs", [("simple",), ("random",), ("simple:knock=3", "random", "simple")], ids=":".join)
@pytest.mark.parametrize("name", preset_names())
def test_a_replayed_hand_has_its_row_of_the_run_in_every_column(name: str, specs: tuple[str, ...]) -> None:
    plan = planned(name, "hands", specs if load(name).seats == 3 else specs[:2], seed=5)
    rows = play_chunk(plan, Chunk(0, 0, 400))["hands"]
    for number in (0, 1, 2, 99, 100, 399):
        replay = play(plan, number)
        assert replay.frames["hands"].equals(rows[number : number + 1])
        assert [one.result for one in replay.hands] == rows[number : number + 1].to_dicts()


@pytest.mark.parametrize("specs", [("simple",), ("random",), ("simple:knock=3", "random", "simple")], ids=":".join)
@pytest.mark.parametrize("name", preset_names())
def test_a_replayed_match_has_its_rows_of_the_run_in_every_table(name: str, specs: tuple[str, ...]) -> None:
    plan = planned(name, "matches", specs if load(name).seats == 3 else specs[:2], seed=6, max_hands=500)
    tables = play_chunk(plan, Chunk(0, 0, 4))
    for number in (0, 3):
        replay = play(plan, number)
        for table, frame in tables.items():
            assert replay.frames[table].equals(frame.filter(pl.col("match") == number)), table
        assert [one.result for one in replay.hands] == replay.frames["hands"].to_dicts()


@pytest.mark.parametrize("name", ["hollywood", "three-handed", "eaai"])
def test_a_hand_of_a_match_is_the_same_alone_as_in_the_whole_match(name: str) -> None:
    plan = planned(name, "matches", ("random",), seed=7, mirror=True)
    whole = play(plan, 3)
    assert whole.match is not None and len(whole.hands) == whole.match["hands"] > 2
    for hand in (0, 1, len(whole.hands) - 1):
        alone = play(plan, 3, hand)
        assert alone.hands == (whole.hands[hand],)
        assert alone.ended == (whole.ended[hand],)
        assert alone.match is None


def test_the_games_that_end_with_a_hand_are_those_of_the_table_of_games() -> None:
    plan = planned("hollywood", "matches", seed=8)
    replay = play(plan, 2)
    ended = {game: (hand + 1, winner) for hand, games in enumerate(replay.ended) for game, winner in games}
    assert ended == {row["game"]: (row["hands"], row["winner"]) for row in replay.frames["games"].to_dicts()}


def test_mirrored_numbers_replay_as_in_a_mirrored_run() -> None:
    for unit in ("hands", "matches"):
        plan = planned("gin", unit, ("simple", "random"), seed=9, mirror=True)
        rows = play_chunk(plan, Chunk(0, 0, 8))["hands"]
        one, other = play(plan, 6), play(plan, 7)
        column = "hand" if unit == "hands" else "match"
        assert one.frames["hands"].equals(rows.filter(pl.col(column) == 6))
        assert other.frames["hands"].equals(rows.filter(pl.col(column) == 7))
        first, second = one.hands[0], other.hands[0]
        assert (first.first, first.dealer) == (second.dealer, second.first)
        assert first.hands[first.first] == second.hands[second.first]
        assert (first.upcard, first.stock) == (second.upcard, second.stock)


def test_hands_of_given_deals_replay_with_their_cards() -> None:
    given = deals.shuffled(77, 0, 3)
    plan = make_plan(rules("gin"), unit="hands", seed=1, deals=given)
    rows = play_chunk(plan, Chunk(0, 0, 3))["hands"]
    for number in range(3):
        replay = play(plan, number)
        assert replay.frames["hands"].equals(rows[number : number + 1])
        (one,) = replay.hands
        assert deals.parse([_deal_line(one)], "").tolist() == [sorted_deal(given[number])]
    with pytest.raises(UsageError, match="hand 3: the given deals are enough for hands 0 to 2"):
        play(plan, 3)


def sorted_deal(places: np.ndarray) -> list[int]:
    """A deal whose two hands are in the order of the cards."""
    return [*sorted(places[:10]), *sorted(places[10:20]), *places[20:]]


def _deal_line(one: History) -> str:
    document = one.as_dict()
    parts = (document["hands"][one.first], document["hands"][one.dealer], [document["upcard"]], document["stock"])
    return " / ".join(map(" ".join, parts))


def test_a_match_longer_than_expected_is_replayed_whole() -> None:
    # Nobody wins a hand of two draws, so the match is abandoned.
    plan = planned("gin", "matches", ("random",), seed=1, max_draws=2, max_hands=300)
    replay = play(plan, 0)
    assert len(replay.hands) == 300
    assert replay.match is not None and replay.match["abandoned"]
    assert play(plan, 0, 299).hands == replay.hands[-1:]


#: It remembers from hand to hand: in every other one it knocks as soon as it may, else with little only.
MOODY = """
class Moody:
    def __init__(self):
        self.hands = set()

    def take(self, view):
        self.hands.add(view.hand)
        return view.makes_meld(view.top)

    def discard(self, view):
        return view.random.choice(view.best_discards())

    def knock(self, view):
        return view.deadwood <= (10 if len(self.hands) % 2 else 2)
"""


def test_players_of_ones_own_replay_as_in_the_run(tmp_path: Path) -> None:
    (tmp_path / "moody.py").write_text(MOODY)
    specs = (f"{tmp_path / 'moody.py'}:Moody", "random")
    for unit, column in (("hands", "hand"), ("matches", "match")):
        plan = planned("gin", unit, specs, seed=3)
        rows = play_chunk(plan, Chunk(0, 0, 3))["hands"]
        replay = play(plan, 2)
        assert replay.frames["hands"].equals(rows.filter(pl.col(column) == 2))
    assert play(plan, 2, 2).hands == replay.hands[2:3]


def test_a_player_of_ones_own_that_fails_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(MOODY.replace("return view.random", "return nothing and view.random"))
    result = ran("--seed", 1, "--hand", 4, "--strategy", f"{tmp_path / 'broken.py'}:Moody")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "hand 4" in result.stderr and "NameError" in result.stderr


@pytest.mark.parametrize(("match", "hand"), [(0, 300), (0, 10**9)])
def test_a_match_has_no_hands_after_its_last(match: int, hand: int) -> None:
    plan = planned("gin", "matches", seed=1, max_hands=300)
    last = len(play(plan, match).hands) - 1
    with pytest.raises(UsageError, match=f"has no hand {hand}: it ended after {last + 1}, numbered 0 to {last}"):
        play(plan, match, hand)


# Stored runs ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def hands_run(tmp_path: Path) -> Path:
    api.simulate("oklahoma", hands=250, strategies=["simple", "random"], seed=3, mirror=True, chunk=100, out=tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def matches_run(tmp_path: Path) -> Path:
    api.simulate("three-handed", matches=12, seed=3, chunk=5, out=tmp_path / "run")
    return tmp_path / "run"


def changed(file: Path, column: str, row: int) -> None:
    """Add one to a number in a stored table."""

    def added(frame: pl.DataFrame) -> pl.DataFrame:
        values = frame[column].to_list()
        values[row] = (values[row] or 0) + 1
        return frame.with_columns(pl.Series(column, values, frame[column].dtype))

    rewritten(file, added)


def test_a_hand_of_a_stored_run_is_played_by_its_plan(hands_run: Path) -> None:
    result = ran(hands_run, "--hand", 249, "--format", "json")
    assert result.exit_code == 0, result.output
    row = api.open_run(hands_run).frame().to_dicts()[249]
    assert json.loads(result.stdout)["result"] == row
    assert json.loads(result.stdout)["players"] == ["simple", "random"]


def test_a_match_of_a_stored_run_is_played_by_its_plan(matches_run: Path) -> None:
    result = ran(matches_run, "--match", 11, "--format", "json")
    rows = api.open_run(matches_run).frame().filter(pl.col("match") == 11).to_dicts()
    assert [json.loads(line)["result"] for line in result.stdout.splitlines()] == rows
    one = ran(matches_run, "--match", 11, "--hand", 1, "--format", "json")
    assert json.loads(one.stdout)["result"] == rows[1]


def test_a_hand_that_is_not_as_stored_is_a_failure(hands_run: Path) -> None:
    changed(hands_run / "hands" / "00000001.parquet", "points", 7)
    result = ran(hands_run, "--hand", 107)
    assert result.exit_code == 1
    assert result.stdout == ""
    stored = api.open_run(hands_run).frame()["points"][107]
    assert f"hand 107 is not as stored: hands, points is {stored} there and {stored - 1} here" in result.stderr
    assert ran(hands_run, "--hand", 106).exit_code == 0


@pytest.mark.parametrize(("table", "column"), [("hands", "draws"), ("games", "boxes_b"), ("matches", "total_c")])
def test_a_match_that_is_not_as_stored_is_a_failure(matches_run: Path, table: str, column: str) -> None:
    file = matches_run / table / "00000001.parquet"
    changed(file, column, pl.read_parquet(file)["match"].to_list().index(6))
    result = ran(matches_run, "--match", 6)
    assert result.exit_code == 1
    assert f"match 6 is not as stored: {table}, {column}" in result.stderr
    assert result.stderr.count("\n") == 1
    # One hand of it is compared by itself.
    assert ran(matches_run, "--match", 6, "--hand", 0).exit_code == (1 if table == "hands" else 0)


def test_given_deals_come_from_the_run(tmp_path: Path) -> None:
    given = deals.shuffled(5, 0, 6)
    api.simulate("gin", deals=given, seed=1, chunk=4, mirror=True, out=tmp_path / "run")
    result = ran(tmp_path / "run", "--hand", 11, "--format", "json")
    document = json.loads(result.stdout)
    assert document["stock"] == deals.as_line(given[5]).split(" / ")[3].split()
    assert document["result"] == api.open_run(tmp_path / "run").frame().to_dicts()[11]
    (tmp_path / "run" / "deals.txt").write_text("".join(deals.as_line(each) + "\n" for each in given[::-1]))
    result = ran(tmp_path / "run", "--hand", 11)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "these are not the deals that the run was played with" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--hand", 250), "does not hold hand 250: it has hands 0 to 249"),
        (("--match", 1), "holds single hands"),
        (("--match", 1, "--hand", 1), "holds single hands"),
        ((), "which hand?"),
        (("--hand", 1, "--seed", 3), "says itself what was played: leave out --seed"),
        (("--hand", 1, "--rules", "gin", "--set", "gin_bonus=20", "--mirror"), "leave out --rules, --set, --mirror"),
        (("--hand", 1, "--strategy", "simple"), "leave out --strategy"),
    ],
)
def test_what_a_stored_run_cannot_answer_is_said_in_a_line(hands_run: Path, arguments: tuple, message: str) -> None:
    result = ran(hands_run, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--match", 12), "does not hold match 12: it has matches 0 to 11"),
        (("--hand", 1), "holds matches: say with --match M which one"),
        (("--match", 1, "--hand", 999), "match 1 has no hand 999: it ended after"),
    ],
)
def test_what_a_run_of_matches_cannot_answer_is_said_in_a_line(matches_run: Path, arguments: tuple, message: str) -> None:
    result = ran(matches_run, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_hand_in_a_gap_of_an_interrupted_run_is_not_there(hands_run: Path) -> None:
    (hands_run / "hands" / "00000001.parquet").unlink()
    result = ran(hands_run, "--hand", 150)
    assert result.exit_code == 2
    assert "does not hold hand 150: it has hands 0 to 249 with gaps" in result.stderr
    assert ran(hands_run, "--hand", 249).exit_code == 0


# Options -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "which hands? Name a folder with a stored run, or give --seed"),
        (("--hand", 3), "which hands?"),
        (("--seed", 1), "which hand? Give --hand K, or --match M"),
        (("--seed", 1, "--hand", -1), "is not a whole number from 0"),
        (("--seed", 1, "--hand", "x"), "is not a whole number from 0"),
        (("--seed", 1, "--hand", 2**48), "is not a whole number from 0"),
        (("--seed", 1, "--match", 1, "--hand", 99_999), "match 1 has no hand 99999"),
        (("--check", "-", "--hand", 1), "--check judges what the file says: leave out --hand"),
        (("--check", "-", "--seed", 1, "--rules", "gin"), "leave out --rules, --seed"),
        (("/nowhere", "--check", "-"), "leave out DIR"),
        (("/nowhere", "--hand", 1), "/nowhere does not exist"),
        (("--seed", 1, "--hand", 1, "--strategy", "x"), "no strategy named 'x'"),
        (("--check", "/nowhere"), "/nowhere"),
    ],
)
def test_a_wrong_use_is_said_in_a_line(arguments: tuple, message: str) -> None:
    result = ran(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_numbers_are_written_as_elsewhere() -> None:
    assert ran("--seed", "0x1", "--hand", "1e3").stdout == ran("--seed", 1, "--hand", 1000).stdout
    assert ran("--seed", 1, "--hand", 0).stdout.startswith("Hand 0 ")


# Histories as data ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", preset_names())
def test_a_history_is_the_same_after_json(name: str) -> None:
    for unit in ("hands", "matches"):
        one = play(planned(name, unit, ("random",), seed=2, max_hands=500), 5).hands[0]
        document = json.loads(as_text(one.as_dict()))
        assert document["schema"] == SCHEMA
        assert History.from_dict(document) == one
        cards = [*document["hands"][one.first], *document["hands"][one.dealer], document["upcard"], *document["stock"]]
        assert sorted(cards) == sorted(naive.DECK)


def test_the_json_of_a_hand_has_a_line_for_every_step_and_that_of_a_match_a_line_for_every_hand() -> None:
    hand = ran("--seed", 1, "--hand", 137, "--format", "json").stdout
    steps = json.loads(hand)["actions"]
    for step in steps:
        assert f"    {json.dumps(step)}" in hand
    match = ran("--seed", 1, "--match", 0, "--format", "json").stdout.splitlines()
    assert [json.loads(line)["result"]["hand"] for line in match] == list(range(len(match)))


def fitting(**changes: Any) -> dict[str, Any]:
    """A document of a legal hand with some fields changed; None takes a field away."""
    document = json.loads(json.dumps(play(planned("gin", "hands", seed=1), 1).hands[0].as_dict())) | changes
    return {name: value for name, value in document.items() if value is not None}


FIT = fitting()


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "a history is an object"),
        (None, "a history is an object"),
        (fitting(schema="ginsim.history/2"), 'schema = "ginsim.history/2": must be "ginsim.history/1"'),
        (fitting(schema=None), "schema = null"),
        (fitting(moves=[]), '"moves" is no field of a history'),
        (fitting(actions=None), "actions is missing"),
        (fitting(rules="bridge"), "rules: must be all fields"),
        (fitting(rules={"format": "game"}), "rules: target is missing"),
        (fitting(rules=FIT["rules"] | {"gin_bonus": -5}), "rules: gin_bonus = -5: must be 0 or more"),
        (fitting(rules_name=7), "rules_name = 7: must be text"),
        (fitting(source=["x"]), "source"),
        (fitting(seats=["A", "B", "C"]), 'seats: must be ["A", "B"]'),
        (fitting(players=["simple"]), "players: must be a list of 2 texts"),
        (fitting(dealer="C"), 'dealer = "C": must be one of A, B'),
        (fitting(first=FIT["dealer"]), f"dealer and first are both {FIT['dealer']}: first is who plays against the dealer"),
        (fitting(hands={"A": FIT["hands"]["A"]}), "hands: must have the cards of A and B"),
        (fitting(hands=FIT["hands"] | {"B": FIT["hands"]["B"][:9]}), "hands of B: 9 cards and not 10"),
        (fitting(hands=FIT["hands"] | {"B": FIT["hands"]["A"]}), f"{FIT['hands']['A'][0]} stands twice in the deal"),
        (fitting(hands=FIT["hands"] | {"B": "AS"}), "hands of B: must be a list of 10 cards"),
        (fitting(upcard="7X"), "upcard: '7X' in '7X' is not a card"),
        (fitting(upcard="7D 8D"), 'upcard = "7D 8D": must be one card'),
        (fitting(upcard=FIT["stock"][0]), f"{FIT['stock'][0]} stands twice in the deal: each of the 52 cards is there once; {FIT['upcard']} is nowhere"),
        (fitting(stock=FIT["stock"][:30]), "stock: 30 cards and not 31"),
        (fitting(stock=[*FIT["stock"][:30], FIT["stock"][0]]), f"{FIT['stock'][0]} stands twice"),
        (fitting(actions={}), "actions: must be a list"),
        (fitting(actions=[7]), "step 1: must be an object"),
        (fitting(actions=[{"seat": "D", "action": "draw", "card": "AS"}]), 'step 1: seat = "D"'),
        (fitting(actions=[{"seat": "A", "action": "pass"}]), 'step 1: action = "pass": must be one of decline, take'),
        (fitting(actions=[{"seat": "A", "action": "draw"}]), "step 1: card = null: must be one card"),
        (fitting(actions=[{"seat": "A", "action": "draw", "card": "ZZ"}]), "step 1: card: 'ZZ'"),
        (fitting(actions=[{"seat": "A", "action": "big_gin", "card": "AS"}]), "step 1: big_gin throws no card"),
        (fitting(actions=[{"seat": "A", "action": "decline", "cards": "AS"}]), 'step 1: "cards" is no field of an action'),
        (fitting(result=[]), "result: must be an object"),
        (fitting(result={"score": 4}), 'result: "score" is no column'),
        (fitting(result={"points": [4]}), "result: points = [4]"),
        (fitting(result={"hand": "x"}), 'result: hand = "x": must be a whole number'),
    ],
)
def test_a_document_that_is_no_history_is_a_wrong_use_and_says_why(document: Any, message: str) -> None:
    result = ran("--check", "-", stdin=json.dumps(document))
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"standard input: {message}" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no history in it"),
        ("\n \n", "there is no history in it"),
        ("{", "not JSON"),
        ('{"schema": 1,\n "rules"}', "not JSON: Expecting ':' delimiter in line 2"),
        ("7" * 5000, "not JSON that can be read"),
        ("[" * 100_000, "not JSON that can be read"),
    ],
)
def test_text_that_is_no_json_is_a_wrong_use(text: str, message: str) -> None:
    result = ran("--check", "-", stdin=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_a_history_may_leave_out_can_be_left_out() -> None:
    least = {name: FIT[name] for name in ("schema", "rules", "seats", "dealer", "first", "hands", "upcard", "actions")}
    result = ran("--check", "-", stdin=json.dumps(least))
    assert result.exit_code == 0, result.output
    assert "It states no result." in result.stdout
    short = fitting(rules="gin", result={"points": FIT["result"]["points"]})
    assert ran("--check", "-", stdin=json.dumps(short)).exit_code == 0


# Judged: ginsim's own, and the twin's --------------------------------------------------------------------------------


def twin_steps(recorded: Iterable[tuple[str, str, str | None]]) -> list[Action]:
    """What the twin has recorded as steps of a history: there a knock is an action of its own after the discard."""
    steps: list[Action] = []
    for seat, what, card in recorded:
        if what == "knock":
            steps[-1] = replace(steps[-1], what="knock")
        else:
            steps.append(Action(seat, what, None if card is None else parse_sequence(card)[0]))
    return steps


def texts(one: History) -> list[str]:
    """The 52 cards in the order of a deal."""
    document = one.as_dict()
    return [*document["hands"][one.first], *document["hands"][one.dealer], document["upcard"], *document["stock"]]


class _Mismatch(Exception):
    """The next step is no answer to the twin's question."""


class Puppets:
    """Both players at the twin's table: they do what the steps of a history say."""

    def __init__(self, steps: Sequence[Action]) -> None:
        self.steps = list(steps)

    def _next(self, view: naive.View, *what: str) -> Action:
        if not self.steps or self.steps[0].seat != view.seat or self.steps[0].what not in what:
            raise _Mismatch
        return self.steps.pop(0)

    def take(self, view: naive.View) -> bool:
        # The twin draws by itself, also where nobody is asked; what it draws is compared afterwards.
        return self._next(view, "take", "draw" if view.offer == "turn" else "decline").what == "take"

    def _skip_draw(self) -> None:
        if self.steps and self.steps[0].what == "draw":
            self.steps.pop(0)

    def declare(self, view: naive.View) -> bool:
        self._skip_draw()
        if self.steps and self.steps[0].seat == view.seat and self.steps[0].what == "big_gin":
            self.steps.pop(0)
            return True
        return False

    def discard(self, view: naive.View) -> str:
        self._skip_draw()
        step = self._next(view, "discard", "knock")
        self.knocks = step.what == "knock"
        return naive.DECK[13 * (step.card // 16) + step.card % 16]

    def knock(self, view: naive.View) -> bool:
        return self.knocks


def by_the_twin(one: History, changes: Mapping[str, Any], name: str) -> tuple[int | None, dict[str, Any] | None]:
    """The first illegal step of a history as the twin sees it, from 1, or None and the row."""
    puppets = Puppets(one.actions)
    recorded: list[Any] = []
    row = None
    roles = (one.dealer, one.first, one.sitter) if one.sitter else None
    players = dict.fromkeys(one.seats, puppets)
    try:
        row = naive.play_hand(twin_rules(name, **changes), players, one.dealer, texts(one), roles=roles, history=recorded)
    except (_Mismatch, AssertionError):
        pass
    done = twin_steps(recorded)
    for number, step in enumerate(one.actions, 1):
        # The twin does not write down what a player declines.
        if number > len(done) or done[number - 1] != (replace(step, card=None) if step.what == "decline" else step):
            return number, None
    return (None, row) if row is not None else (len(one.actions) + 1, None)


CASES = [
    *[(name, {}) for name in preset_names()],
    ("gin", ODD_RULES),
    ("gin", {"big_gin_bonus": 0, "knock_limit": 3, "stock_floor": 0}),
    ("oklahoma", {"ace_upcard": "one", "last_discard": "knock"}),
    ("three-handed", ODD_RULES),
]
IDS = [f"{name}{'+' * len(changes)}" for name, changes in CASES]


@pytest.mark.quick
@pytest.mark.parametrize(("name", "changes"), CASES, ids=IDS)
def test_histories_of_the_engine_are_legal_and_have_the_same_rows_in_the_twin(name: str, changes: dict[str, Any]) -> None:
    for spec in ("simple", "random", "simple:knock=0"):
        plan = planned(name, "hands", (spec,), seed=11, **changes)
        for number in range(several(12, 2)):
            (one,) = play(plan, number).hands
            assert judge(one).fault is None
            fault, row = by_the_twin(one, changes, name)
            assert fault is None
            assert row == {**one.result, "hand": 0}


@pytest.mark.quick
@pytest.mark.parametrize(("name", "changes"), CASES, ids=IDS)
def test_histories_of_the_twin_are_legal_and_have_the_same_rows_in_the_engine(name: str, changes: dict[str, Any]) -> None:
    endings = set()
    for number in range(several(60, 6)):
        cards = naive.deal(12, number, 0)
        seats = ("A", "B", "C")[: load(name).seats]
        players = {seat: Dice(10 * number + place) for place, seat in enumerate(seats)}
        roles = ("CAB", "ABC", "BCA")[number % 3] if len(seats) == 3 else None
        dealer = roles[0] if roles else "AB"[number % 2]
        recorded: list[Any] = []
        row = naive.play_hand(
            twin_rules(name, **changes), players, dealer, cards, roles=tuple(roles) if roles else None, history=recorded
        )
        first = roles[1] if roles else {"A": "B", "B": "A"}[dealer]
        one = history(cards, twin_steps(recorded), rules(name, **changes), dealer, first=first, result=row)
        verdict = judge(one)
        assert verdict.fault is None
        assert verdict.row == {column: value for column, value in row.items() if column != "hand"}
        # Someone who never saw the stock tells the same hand.
        assert judge(replace(one, stock=None)) == verdict
        endings.add(row["ending"])
    assert len(endings) > several(1, 0)


def changed_somewhere(one: History, source: Random) -> History:
    """A history with one step changed, left out, doubled, or exchanged with its neighbour."""
    steps = list(one.actions)
    place = source.randrange(len(steps))
    step = steps[place]
    other = Action(
        source.choice("AB"),
        source.choice(["decline", "take", "draw", "discard", "discard", "knock", "knock"]),
        source.choice([each.card for each in steps if each.card is not None]),
    )
    kind = source.randrange(7)
    if kind == 0:
        steps[place] = replace(step, seat=other.seat)
    elif kind == 1 and step.card is not None:
        steps[place] = replace(step, what=other.what)
    elif kind == 2 and step.card is not None:
        steps[place] = replace(step, card=other.card)
    elif kind == 3:
        del steps[place:]
    elif kind == 4:
        del steps[place]
    elif kind == 5:
        steps.insert(place, step)
    else:
        steps[place] = other
    # What was declined the twin does not say.
    return replace(one, actions=tuple(replace(each, card=None) if each.what == "decline" else each for each in steps), result=None)


@pytest.mark.quick
@pytest.mark.parametrize(("name", "changes"), [("gin", {}), ("gin", ODD_RULES), ("oklahoma", {}), ("straight", {"big_gin_bonus": 40})], ids=str)
def test_the_first_illegal_step_is_where_the_twin_sees_it(name: str, changes: dict[str, Any]) -> None:
    source = Random(13)
    illegal = legal = 0
    for number in range(several(150, 12)):
        plan = planned(name, "hands", (source.choice(["simple", "random"]),), seed=14, **changes)
        one = changed_somewhere(play(plan, number).hands[0], source)
        verdict = judge(one)
        fault, row = by_the_twin(one, changes, name)
        assert verdict.step == fault, (verdict, one)
        if fault is None:
            assert verdict.row == {column: value for column, value in row.items() if column != "hand"}
            legal += 1
        else:
            assert verdict.fault and verdict.row is None
            illegal += 1
    assert illegal > 5 * legal


# Judged: every kind of fault -----------------------------------------------------------------------------------------

#: A: nine melded and K♠; B: no meld, and 4♠ to lay off; 7♦ is turned up, and the stock begins 5♣ 9♥ 2♦.
DEALT = deal("AS 2S 3S 4H 5H 6H 9C TC JC KS", "2C 4C 7C 3D 5D 9D JD QH KH 4S", "7D", "5C 9H 2D")
LEGAL = "A decline 7D, B decline 7D, A draw 5C, A discard KS, B draw 9H, B discard KH, A draw 2D, A knock 5C"


@pytest.mark.quick
def test_the_hand_that_the_faults_are_made_from_is_legal() -> None:
    verdict = judge(history(DEALT, LEGAL))
    assert (verdict.fault, verdict.step) == (None, None)
    assert verdict.row is not None
    assert (verdict.row["knocker"], verdict.row["knocker_deadwood"], verdict.row["ending"]) == ("A", 2, "knock")


def opening(steps: int) -> str:
    """The first steps of the legal hand, with a comma behind."""
    return "".join(f"{step}," for step in LEGAL.split(",")[:steps])


@pytest.mark.quick
@pytest.mark.parametrize(
    ("steps", "step", "said"),
    [
        pytest.param("B decline 7D", 1, "B declines 7D, but it is A's turn (R6). Legal: A takes 7D or declines it.", id="R6-seat"),
        pytest.param("A draw 5C", 1, "A draws 5C, but 7D is offered first (R6).", id="R6-stock"),
        pytest.param("A take 5C", 1, "A takes 5C, but the top of the pile is 7D (R6).", id="R6-card"),
        pytest.param("A decline 8D", 1, "A declines 8D, but the top of the pile is 7D (R6).", id="R6-declined"),
        pytest.param("A discard KS", 1, "A throws KS, but A has drawn no card yet (R6).", id="R6-throw"),
        pytest.param(opening(1) + "A draw 5C", 2, "A draws 5C, but it is B's turn (R6). Legal: B takes 7D or declines it.", id="R6-second"),
        pytest.param(opening(2) + "A take 7D", 3, "A takes 7D, but 7D was declined twice and is dead (R6). Legal: A draws from the stock.", id="R6-dead"),
        pytest.param(opening(2) + "B draw 5C", 3, "B draws 5C, but it is A's turn (R6). Legal: A draws from the stock.", id="R6-forced"),
        pytest.param(opening(2) + "A draw 9H", 3, "A draws 9H, but the top of the stock is 5C (R6).", id="R6-top"),
        pytest.param(opening(3) + "A discard KD", 4, "A throws KD, but A does not hold it (R7). Legal: A throws one of ", id="R7-held"),
        pytest.param(opening(3) + "A draw 9H", 4, "A draws 9H, but A has drawn already (R7).", id="R7-twice"),
        pytest.param(opening(3) + "B discard 2C", 4, "B throws 2C, but it is A's turn (R7).", id="R7-throw"),
        pytest.param(opening(4) + "A draw 9H", 5, "A draws 9H, but it is B's turn (R7). Legal: B takes KS or draws from the stock.", id="R7-seat"),
        pytest.param(opening(4) + "B draw 2D", 5, "B draws 2D, but the top of the stock is 9H (R7).", id="R7-top"),
        pytest.param(opening(4) + "B take 7D", 5, "B takes 7D, but the top of the pile is KS (R7).", id="R7-pile"),
        pytest.param(opening(4) + "B decline KS", 5, "B declines KS, but nothing is offered: a normal turn begins with a draw (R7).", id="R7-decline"),
        pytest.param(opening(4) + "B knock KH", 5, "B throws KH and knocks, but B has drawn no card yet (R7).", id="R7-knock"),
        pytest.param(opening(4) + "B take KS, B discard KS", 6, "B throws KS, but it was just taken from the pile (R8). Legal: B throws one of 2C 4C 7C 3D 5D 9D JD QH KH 4S.", id="R8"),
        pytest.param("A take 7D, A knock 7D", 2, "A throws 7D and knocks, but it was just taken from the pile (R8).", id="R8-knock"),
        pytest.param(opening(3) + "A knock AS", 4, "A throws AS and knocks, but that leaves 20, and the knock limit is 10 (R9). Legal: A throws one of ", id="R9"),
        pytest.param(opening(5) + "B knock KH", 6, "B throws KH and knocks, but that leaves 63, and the knock limit is 10 (R9).", id="R9-far"),
        pytest.param(opening(3) + "A big_gin", 4, "A declares big gin, but these rules have no big gin (R11).", id="R11"),
        pytest.param(LEGAL + ", B draw 3C", 9, "B draws 3C, but the hand ended with step 8: knock (R17).", id="end"),
        pytest.param(LEGAL.rpartition(",")[0], 8, "missing, for the hand has not ended (R7). Legal: A throws one of ", id="stops-drawn"),
        pytest.param(opening(4)[:-1], 5, "missing, for the hand has not ended (R7). Legal: B takes KS or draws from the stock.", id="stops"),
        pytest.param(opening(2)[:-1], 3, "missing, for the hand has not ended (R6). Legal: A draws from the stock.", id="stops-forced"),
    ],
)
def test_the_first_illegal_step_is_named_with_the_rule_and_what_would_be_legal(steps: str, step: int, said: str) -> None:
    verdict = judge(history(DEALT, steps))
    assert verdict.step == step
    assert verdict.fault is not None and verdict.fault.startswith(said)
    assert verdict.row is None


@pytest.mark.quick
def test_what_may_be_thrown_and_knocked_with_is_told() -> None:
    verdict = judge(history(DEALT, opening(3) + "A discard 9H"))
    assert verdict.fault is not None
    assert verdict.fault.endswith(
        "Legal: A throws one of 5C 9C TC JC 4H 5H 6H AS 2S 3S KS, or knocks throwing one of 5C KS."
    )


@pytest.mark.quick
def test_a_history_that_never_saw_the_stock_may_not_draw_a_card_that_is_elsewhere() -> None:
    for card in ("4S", "7D", "AS"):
        verdict = judge(history(DEALT, opening(2) + f"A draw {card}, A discard KS"))
        assert verdict.step == 3
        unseen = judge(replace(history(DEALT, opening(2) + f"A draw {card}, A discard KS"), stock=None))
        assert (unseen.step, unseen.fault) == (3, f"A draws {card}, but it is not in the stock (R6). Legal: A draws from the stock.")
    again = replace(history(DEALT, opening(4) + "B draw 5C"), stock=None)
    assert judge(again).step == 5


#: With R15's other way: A throws the last card before the draw, and B may knock with it; four cards are drawn at most.
LAST = rules("gin", last_discard="knock", stock_floor=10)
LAST_DEALT = deal("2C 4C 6C 8D TD QD 2H 3H KS QS", "5S 6S 7S 9C TC JC 3D 4D KH AH", "9H")


def to_the_last_discard(last: str) -> str:
    """Both draw and throw what they drew until ten cards are left; the last card A throws."""
    stock = LAST_DEALT[21:42]
    steps = ["A decline", "B decline"]
    for number, card in enumerate(stock):
        seat = "AB"[number % 2]
        steps += [f"{seat} draw {card}", f"{seat} discard {last if number == 20 else card}"]
    return ", ".join(steps)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("last", "more", "step", "said"),
    [
        ("2C", "", 45, "missing, for the hand has not ended (R15). Legal: B takes 2C to knock, or declines it."),
        ("2C", "B draw KD", 45, "B draws KD, but the stock is out (R15)."),
        ("2C", "A take 2C", 45, "A takes 2C, but it is B's turn (R15)."),
        ("2C", "B take 2C, B discard KH", 46, "B throws KH, but the last discard is taken only to knock (R15). Legal: B knocks throwing KH."),
        ("2C", "B take 2C, A knock KS", 46, "A throws KS and knocks, but it is B's turn (R15). Legal: B knocks throwing KH."),
        ("2C", "B take 2C, B knock 2C", 46, "B throws 2C and knocks, but it was just taken from the pile (R8)."),
        ("2C", "B take 2C, B knock AH", 46, "B throws AH and knocks, but it leaves 19, and the last discard is taken to knock with at most 10 (R15)."),
        ("2C", "B decline, A draw KD", 46, "A draws KD, but the hand ended with step 45: draw (R15)."),
        ("KS", "B take KS", 45, "B takes KS, but the hand ended with step 44: draw (R15)."),
    ],
)
def test_the_last_discard_is_taken_only_to_knock(last: str, more: str, step: int, said: str) -> None:
    verdict = judge(history(LAST_DEALT, f"{to_the_last_discard(last)}{more and ', '}{more}", LAST))
    assert verdict.step == step
    assert verdict.fault is not None and verdict.fault.startswith(said)


@pytest.mark.quick
@pytest.mark.parametrize(("last", "more", "ending"), [("2C", ", B take 2C, B knock KH", "knock"), ("2C", ", B decline 2C", "draw"), ("KS", "", "draw")])
def test_the_last_discard_may_be_taken_to_knock_or_declined(last: str, more: str, ending: str) -> None:
    verdict = judge(history(LAST_DEALT, to_the_last_discard(last) + more, LAST))
    assert verdict.fault is None
    assert verdict.row is not None and verdict.row["ending"] == ending


BIG = rules("gin", big_gin_bonus=50)
BIG_DEALT = deal("AS 2S 3S 4H 5H 6H 9C TC JC 4S", "2C 4C 7C 3D 5D 9D JD QH KH 8S", "7H")


@pytest.mark.quick
def test_big_gin_is_all_eleven_melded_under_rules_that_have_it() -> None:
    verdict = judge(history(BIG_DEALT, "A take 7H, A big_gin", BIG))
    assert verdict.row is not None and (verdict.row["ending"], verdict.row["stock_left"]) == ("big_gin", 31)
    # Nobody has to declare it.
    assert judge(history(BIG_DEALT, "A take 7H, A knock 4H", BIG)).fault is None
    verdict = judge(history(BIG_DEALT, "A take 7H, A draw KD", BIG))
    assert verdict.fault is not None and verdict.fault.endswith("or declares big gin.")
    assert judge(history(BIG_DEALT, "A take 7H", BIG)).step == 2
    other = deal("AS 2S 3S 4H 5H 6H 9C TC JC KS", "2C 4C 7C 3D 5D 9D JD QH KH 8S", "7H")
    verdict = judge(history(other, "A take 7H, A big_gin", BIG))
    assert verdict.fault is not None and verdict.fault.startswith("A declares big gin, but of the eleven cards 10 points are in no meld (R11).")


@pytest.mark.quick
def test_the_sitter_of_three_does_nothing() -> None:
    three = rules("three-handed")
    verdict = judge(history(DEALT, "B decline, C decline", three, dealer="A", first="B"))
    assert verdict.fault == "C declines, but C sits out (R27). Legal: A takes 7D or declines it."
    box = judge(history(DEALT, LEGAL.replace("B ", "C "), three, dealer="C", first="A"))
    assert box.fault is None and box.row is not None
    assert [box.row[role] for role in ("box", "captain", "sitter", "dealer", "winner")] == ["C", "A", "B", "C", "A"]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("points", 54, "points is 54, and the play gives 57 (R17)."),
        ("points", True, "points is True, and the play gives 57 (R17)."),
        ("laid_off", 3, "laid_off is 3, and the play gives 4 (R13)."),
        ("laid_off_cards", None, "laid_off_cards is null, and the play gives 1 (R13)."),
        ("knocker_deadwood", 3, "knocker_deadwood is 3, and the play gives 2 (R4)."),
        ("defender_deadwood_after", 63, "defender_deadwood_after is 63, and the play gives 59 (R13)."),
        ("ending", "gin", "ending is gin, and the play gives knock (R17)."),
        ("winner", "B", "winner is B, and the play gives A (R17)."),
        ("first_taker", "A", "first_taker is A, and the play gives null (R6)."),
        ("dealer", "A", "dealer is A, and the play gives B."),
        ("stock_left", 31, "stock_left is 31, and the play gives 28 (R7)."),
        ("draws", 4, "draws is 4, and the play gives 3 (R7)."),
    ],
)
def test_a_result_that_the_play_does_not_give_is_named(column: str, value: Any, said: str) -> None:
    one = with_result(history(DEALT, LEGAL))
    assert one.result is not None
    verdict = judge(replace(one, result={**one.result, column: value}))
    assert (verdict.step, verdict.fault) == (None, said)
    assert verdict.row == one.result


def test_the_numbers_and_scores_of_the_match_around_a_hand_are_not_judged() -> None:
    (one,) = play(planned("gin", "matches", seed=1), 2, 1).hands
    assert one.result is not None
    assert judge(replace(one, result={**one.result, "match": 9, "hand": 9, "score_a": 999})).fault is None


def test_a_bug_behind_a_question_of_the_engine_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(cards: int) -> int:
        raise RuntimeError("broken")

    monkeypatch.setattr("ginsim.replay.judging.solver.deadwood", broken)
    with pytest.raises(RuntimeError, match="broken"):
        judge(history(DEALT, LEGAL))


# The check as a command ----------------------------------------------------------------------------------------------


def lines(*histories: History) -> str:
    return "".join(json.dumps(each.as_dict()) + "\n" for each in histories)


def test_a_legal_history_is_confirmed_with_its_score(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(ran("--seed", 1, "--hand", 137, "--format", "json").stdout)
    result = ran("--check", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{file}, hand 137: 25 steps, all legal; B scores 21 (knock, R17).\n"
    draw = history(LAST_DEALT, to_the_last_discard("KS"), LAST)
    assert ran("--check", "-", stdin=lines(draw)).stdout == (
        "standard input: 44 steps, all legal; nobody scores (draw, R15). It states no result.\n"
    )


def test_a_match_is_confirmed_with_its_points() -> None:
    match = ran("--seed", 1, "--match", 0, "--format", "json").stdout
    rows = [json.loads(line)["result"] for line in match.splitlines()]
    points = [sum(row["points"] for row in rows if row["winner"] == seat) for seat in "AB"]
    result = ran("--check", "-", stdin=match)
    assert result.exit_code == 0
    assert result.stdout == f"standard input: {len(rows)} hands, all legal. Each is judged by itself. Points A {points[0]}, B {points[1]}.\n"


def test_every_hand_that_is_not_legal_is_named_in_a_line(tmp_path: Path) -> None:
    good = with_result(history(DEALT, LEGAL))
    named = replace(history(DEALT, opening(3) + "A discard KD"), result={"match": 3, "hand": 5})
    scored = replace(good, result={**(good.result or {}), "points": 1})
    file = tmp_path / "many.jsonl"
    file.write_text(lines(good, named) + "\n" + lines(scored, good))
    result = ran("--check", file)
    assert result.exit_code == 1
    first, second = result.stderr.splitlines()
    assert first.startswith(f"Error: {file}, line 2, match 3, hand 5, step 4: A throws KD, but A does not hold it (R7).")
    assert second == f"Error: {file}, line 4, result: points is 1, and the play gives 57 (R17)."
    assert result.stdout == f"{file}: 4 hands, 2 legal, 2 not. Each is judged by itself. Points in the legal ones A 114, B 0.\n"


def test_one_hand_that_is_not_legal_is_one_line() -> None:
    result = ran("--check", "-", stdin=lines(history(DEALT, opening(3) + "A knock AS")))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: standard input, step 4: A throws AS and knocks, but that leaves 20, and the knock")
    assert result.stderr.count("\n") == 1


def test_a_malformed_line_among_others_is_a_wrong_use() -> None:
    good = lines(with_result(history(DEALT, LEGAL)))
    result = ran("--check", "-", stdin=good + good.replace('"upcard"', '"up"'))
    assert result.exit_code == 2
    assert 'standard input, line 2: "up" is no field of a history' in result.stderr
    result = ran("--check", "-", stdin=good + "{\n")
    assert result.exit_code == 2
    assert "standard input, line 2: not JSON" in result.stderr


# Told ----------------------------------------------------------------------------------------------------------------


def told(one: History, pen: Pen | None = None) -> str:
    story = tell(one, pen or Pen())
    return "\n".join([*story.deal, *(" ".join(filter(None, line)) for line in story.lines), *story.end])


def test_a_hand_is_told_turn_by_turn() -> None:
    assert ran("--seed", 1, "--hand", 137).stdout == """\
Hand 137 · rules hollywood · simple v simple · seed 1

A deals, B plays first. Turned up: 3♣.

                                                  deadwood
    B  K♥ Q♣ T♣ 9♦ 6♣ 6♠ 5♥ 4♥ 3♦ 2♦                    65
    A  Q♥ J♦ J♠ T♦ T♥ 8♣ 8♠ 7♥ 3♥ 3♠                    79
    B  declines 3♣
 1  A  takes 3♣ → 3♣3♥3♠, throws J♠                     63
 2  B  draws 6♥ → 6♣6♥6♠, throws K♥                     43
 3  A  draws K♦, throws J♦                              63
 4  B  draws 8♥, throws T♣                              41
 5  A  takes T♣ → T♣T♦T♥, throws K♦                     33
 6  B  draws 6♦ → 6♣6♦6♠, throws Q♣                     22
 7  A  draws 9♠, throws Q♥                              32
 8  B  draws 4♣, throws 9♦                              17
 9  A  draws K♣ and throws it                           32
10  B  draws Q♦ and throws it                           17
11  A  draws 9♥ and throws it                           32
12  B  draws A♦ → A♦2♦3♦, throws 8♥ and knocks           4
    B  may knock with 4: the limit is 10 (R9)
    B  shows A♦2♦3♦ · 4♥5♥6♥ · 6♣6♦6♠ + 4♣ (R14)         4
    A  holds T♣T♦T♥ · 3♣3♥3♠ + 9♠ 8♣ 8♠ 7♥              32
    A  lays off 7♥ on 4♥5♥6♥ (R13)
    A  keeps T♣T♦T♥ · 3♣3♥3♠ + 9♠ 8♣ 8♠                 25

B scores 25 - 4 = 21 (R17).
"""


def test_what_is_told_of_the_draws_is_in_the_row() -> None:
    plan = planned("hollywood", "hands", ("random",), seed=15)
    for number in range(30):
        (one,) = play(plan, number).hands
        row = one.result or {}
        turns = [line for line in tell(one, Pen()).lines if line.number]
        assert [int(line.number) for line in turns] == list(range(1, row["draws"] + 1))
        assert sum(line.text.startswith("takes") for line in turns) == row["pile_takes"]
        if row["knocker"]:
            assert (turns[-1].seat, int(turns[-1].deadwood)) == (row["knocker"], row["knocker_deadwood"])
        for line in turns:
            assert 0 <= int(line.deadwood) <= 98


@pytest.mark.parametrize(
    ("cards", "steps", "rules_", "sentences"),
    [
        pytest.param(
            DEALT,
            LEGAL,
            rules("gin"),
            ["A draws 2♦", "A may knock with 2: the limit is 10 (R9)", "A shows", "(R14)", "B lays off 4♠ on A♠2♠3♠ (R13)", "A scores 59 - 2 = 57 (R17)."],
            id="knock",
        ),
        pytest.param(
            deal("AS 2S 3S 4H 5H 6H 9C TC JC KS", "AD 2D 3D 7H 8H QC 5C 5D 5S KH", "7D", "2C"),
            "A decline, B decline, A draw 2C, A knock KS",
            rules("gin"),
            ["B lays off Q♣ on 9♣T♣J♣, 7♥ 8♥ on 4♥5♥6♥ (R13)", "B keeps A♦2♦3♦ · 5♣5♦5♠ + K♥ 10", "A scores 10 - 2 = 8 (R17)."],
            id="chain",
        ),
        pytest.param(
            deal("AS 2S 3S 4H 5H 6H 9C TC JC KS", "AD 2D 3D JH QH KH 5C 5D 5S 4C", "9D"),
            "A take 9D, A knock KS",
            rules("eaai"),
            ["An undercut: B scores 9 - 4 and the bonus 25 = 30 (R18)."],
            id="undercut",
        ),
        pytest.param(
            deal("AS 2S 3S 4H 5H 6H 9C TC JC KS", "AD 2D 3D JH QH KH 5C 5D 5S 9D", "9H"),
            "A take 9H, A knock KS",
            rules("gin", undercut_on_tie=False),
            ["9 against 9: under these rules a tie, which scores nothing (R18), and B deals again (R20)."],
            id="tie",
        ),
        pytest.param(
            deal("AS 2S 3S 4H 5H 6H 9C TC JC KS", "AD 2D 3D JH QH KH 5C 5D 5S 9D", "QC"),
            "A take QC, A knock KS",
            rules("straight", gin_bonus=20),
            ["throws K♠ and goes gin", "no deadwood at all: gin (R10)", "B lays off nothing against gin (R12)", "A scores the bonus 20 and B's 9 = 29 (R19)."],
            id="gin",
        ),
        pytest.param(
            BIG_DEALT,
            "A take 7H, A big_gin",
            BIG,
            ["takes 7♥ → 4♥5♥6♥7♥ and has all eleven melded", "declares big gin, which these rules have (R11)", "A scores the bonus 50 and B's "],
            id="big gin",
        ),
        pytest.param(
            deal("AS 2S 3S 4H 5H 6H 9C TC JC KD", "2C 4C 7C 3D 5D 9D JD QH KH 8S", "6S", "5C"),
            "A decline, B decline, A draw 5C, A knock KD",
            rules("oklahoma"),
            ["The 6♠ sets the knock limit: 6 (R32).", "It is a spade: all points of this hand count double (R32).", "may knock with 5: the limit is 6 by the 6♠ turned up (R9, R32)", "and doubled 1", "(R17, R32)."],
            id="oklahoma",
        ),
        pytest.param(
            deal("AS 2S 3S 4H 5H 6H 9C TC JC KD", "2C 4C 7C 3D 5D 9D JD QH KH 8S", "AD", "QC"),
            "A decline, B decline, A draw QC, A knock KD",
            rules("oklahoma"),
            ["The A♦ sets the knock limit: 0, that is, gin only (R32)."],
            id="ace",
        ),
        pytest.param(
            LAST_DEALT,
            to_the_last_discard("2C") + ", B decline",
            LAST,
            ["B declines, the last discard (R15)", "A draw: 10 cards are left in the stock, and nobody has knocked (R15). Nobody scores, and B deals again (R20)."],
            id="draw",
        ),
        pytest.param(
            LAST_DEALT,
            to_the_last_discard("2C") + ", B take 2C, B knock KH",
            LAST,
            ["B takes 2♣, the last discard, to knock with it (R15), throws K♥ and knocks"],
            id="last discard",
        ),
        pytest.param(
            DEALT,
            opening(4)[:-1],
            rules("gin", max_draws=1),
            ["1 card has been drawn: the hand is stopped (R16). Nobody scores, and B deals again (R20)."],
            id="stopped",
        ),
    ],
)
def test_the_end_is_told_with_the_rules(cards: list[str], steps: str, rules_: Rules, sentences: list[str]) -> None:
    text = told(with_result(history(cards, steps, rules_)))
    for sentence in sentences:
        assert sentence in text


def test_three_are_told_with_their_roles_and_scores() -> None:
    text = ran("--rules", "three-handed", "--seed", 1, "--match", 3).stdout
    assert "C is in the box and deals, B is captain and plays first, A sits out (R27, R28)." in text
    assert re.search(r"Scores: A \d+, B \d+, C \d+\.\n[ABC] wins the game \(R30\)\.\n\nMatch 3 took \d+ hands: [ABC] won\.", text)


def test_a_match_is_told_hand_by_hand_with_the_games_that_end() -> None:
    replay = play(planned("hollywood", "matches", seed=1), 3)
    text = ran("--seed", 1, "--match", 3).stdout
    assert replay.match is not None
    assert [int(number) for number in re.findall(r"^Hand (\d+)$", text, re.MULTILINE)] == list(range(replay.match["hands"]))
    assert re.findall(r"^(\w) wins game (\d) \(R23\)\.$", text, re.MULTILINE) == [
        (winner, str(game)) for games in replay.ended for game, winner in games
    ]
    last = replay.hands[-1].result or {}
    scores = ", ".join(f"{seat} " + "/".join(str(last[f"score_{seat.lower()}_{game}"]) for game in (1, 2, 3)) for seat in "AB")
    assert f"Scores: {scores}." in text
    assert text.endswith(
        f"Match 3 took 21 hands: B won 3 of 3 games; hand 20 decided it. Totals: A {replay.match['total_a']}, B {replay.match['total_b']}.\n"
    )


def test_a_hand_of_a_match_names_the_match() -> None:
    text = ran("--rules", "eaai", "--strategy", "random", "--strategy", "simple:knock=2", "--seed", 1, "--match", 3, "--hand", 1, "--mirror").stdout
    assert text.startswith("Hand 1 of match 3 · rules eaai · random v simple:knock=2 · seed 1 · mirrored\n")
    assert "Scores: A " in text
    assert "Match 3 took" not in text


def test_suits_are_letters_where_symbols_cannot_be_written() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "ginsim", "replay", "--seed", "1", "--hand", "137"]
    text = subprocess.run(command, env=environment, capture_output=True, check=True).stdout.decode("ascii")
    assert "?" not in text
    assert text.startswith("Hand 137 / rules hollywood / simple v simple / seed 1\n")
    assert "A  takes 3C -> 3C3H3S, throws JS" in text
    assert "B  shows AD2D3D / 4H5H6H / 6C6D6S + 4C (R14)" in text


def test_told_hands_fit_into_eighty_columns() -> None:
    for name in ("hollywood", "oklahoma"):
        for number in range(20):
            text = ran("--rules", name, "--seed", 21, "--hand", number, "--strategy", "simple:knock=5").stdout
            assert max(map(len, text.splitlines())) <= 80


def test_the_help_documents_the_json() -> None:
    text = CliRunner().invoke(cli, ["replay", "--help"], prog_name="ginsim").output
    for name in (*FIT, *("decline", "take", "draw", "discard", "knock", "big_gin"), "ginsim.history/1"):
        assert name in text


def test_a_line_that_is_no_history_does_not_keep_the_others_from_being_judged(tmp_path: Path) -> None:
    told = ran("--seed", 1, "--match", 0, "--format", "json").stdout.splitlines()
    doctored = json.loads(told[1])
    doctored["result"]["points"] = 999
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join([told[0], "rubbish", json.dumps(doctored)]))
    checked = ran("--check", file)
    assert checked.exit_code == 2
    assert "line 2: not JSON" in checked.stderr and "line 3" in checked.stderr and "points is 999" in checked.stderr
    assert checked.stdout.startswith(f"{file}: 2 hands, 1 legal, 1 not, and 1 line that is no history.")
    verdicts = [json.loads(line) for line in ran("--check", file, "--format", "json").stdout.splitlines()]
    assert [(verdict["legal"], verdict["result"] is not None) for verdict in verdicts][0] == (True, True)
    assert "points is 999" in verdicts[1]["fault"]
