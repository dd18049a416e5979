"""``ginsim score`` and the module behind it: the cases with known answers, the naive twin, what people type and see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import naive
import pytest
from click.testing import CliRunner, Result

from ginsim.cli import cli
from ginsim.errors import UsageError
from ginsim.rules import load
from ginsim.scorepad import ScorePad, read_entry

ROOT = Path(__file__).parent.parent
CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]


def ran(*arguments: str, **settings: Any) -> Result:
    """What the command prints and returns; a bug in it is raised here."""
    result = CliRunner().invoke(cli, ["score", *arguments], prog_name="ginsim", **settings)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def answer(*arguments: str, **settings: Any) -> dict[str, Any]:
    """The JSON document that the command prints."""
    result = ran(*arguments, "--format", "json", **settings)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def screen(*arguments: str, **settings: Any) -> list[str]:
    """The lines that a person sees."""
    result = ran(*arguments, **settings)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def checks(kind: str) -> list[Any]:
    """The checks of a kind, each with the number of its case in its name."""
    return [
        pytest.param(check["input"], check["expected"], id=f"{case['id']}-{number}-{kind}")
        for case in CASES
        for number, check in enumerate(case["checks"], 1)
        if check["kind"] == kind
    ]


def lines_of(hands: list[tuple[str | None, int]]) -> list[str]:
    return ["draw" if winner is None else f"{winner} {points}" for winner, points in hands]


# The cases


@pytest.mark.parametrize(("given", "expected"), checks("hollywood"))
def test_case_hollywood(given: dict[str, Any], expected: dict[str, Any]):
    arguments = ["--players", ",".join(given["players"])]
    if given.get("shutout_shift"):
        arguments += ["--set", "shut_out=next_game"]
    lines = lines_of(given["hands"])
    found = answer(*arguments, *lines)
    assert {name: found[name] for name in expected if name != "trace"} == {
        name: value for name, value in expected.items() if name != "trace"
    }
    for number, after in enumerate(expected.get("trace", []), 1):
        scores = answer(*arguments, *lines[:number])["scores"]
        assert {player: "/".join(map(str, games)) for player, games in scores.items()} == after


@pytest.mark.parametrize(("given", "expected"), checks("three_handed"))
def test_case_three_handed(given: dict[str, Any], expected: dict[str, Any]):
    order = ",".join(naive.roles_from_cards(given["cuts"]))
    found = answer("--rules", "three-handed", "--order", order, *lines_of(given["hands"]))
    assert {name: found[name] for name in expected} == expected


# Against the naive twin

TWO_PLAYERS = [
    ("hollywood", {}),
    ("hollywood", {"shut_out": "next_game"}),
    ("hollywood", {"games": 5, "target": 150, "series_end": "decided"}),
    ("hollywood", {"games": 2, "target": 60, "shut_out": "next_game"}),
    ("hollywood", {"box_bonus": 20, "game_bonus": 100, "blitz_bonus": 75}),
    ("hollywood", {"games": 1, "series_end": "decided"}),
    ("gin", {}),
    ("gin", {"target": 200, "box_bonus": 25, "game_bonus": 100, "blitz_bonus": 50}),
    ("oklahoma", {"max_hands": 6}),
]


def settings(changes: dict[str, Any]) -> list[str]:
    return [f"{name}={value}" for name, value in changes.items()]


@pytest.mark.parametrize(("name", "changes"), TWO_PLAYERS)
def test_two_players_score_as_in_the_naive_twin_R20_to_R26_R31(name: str, changes: dict[str, Any]):
    rules = naive.preset(name, **changes)
    dice = Random(f"{name} {changes}")
    ended = shut_out = 0
    for _ in range(25):
        # Some series are one-sided, for shut-outs.
        weights = dice.choice(([5, 5, 1], [9, 1, 1]))
        sheet = naive.ScoreSheet(rules, ["Ann", "Bob"])
        pad = ScorePad(load(name, settings(changes)), ["Ann", "Bob"])
        while not sheet.over() and sheet.hands < rules["max_hands"]:
            assert not pad.is_over
            winner = dice.choices(["Ann", "Bob", None], weights)[0]
            points = 0 if winner is None else dice.randint(1, 60)
            sheet.enter(winner, points)
            pad.enter(winner, points)
            assert pad.scores == {player: [game.scores[player] for game in sheet.games] for player in sheet.wins}
            assert pad.totals == {player: [game.totals(rules)[player] for game in sheet.games] for player in sheet.wins}
            assert pad.closed_by == [game.winner for game in sheet.games]
            assert pad.closed_at == [game.hands for game in sheet.games]
            assert (pad.series_winner, pad.decided_at_hand) == (sheet.leader(), sheet.decided_at_hand)
            assert pad.hands == sheet.hands
            shut_out += any(game.shut_out for game in sheet.games)
        assert pad.is_over
        assert pad.is_abandoned == (not sheet.over())
        assert pad.winner == (sheet.leader() if sheet.over() else None)
        ended += sheet.over()
        before = pad.scores
        with pytest.raises(UsageError, match="no more hands can be entered"):
            pad.enter("Ann", 10)
        assert pad.scores == before
    assert ended > 0
    assert shut_out > 0
    assert (ended < 25) == ("max_hands" in changes)


@pytest.mark.parametrize("changes", [{}, {"box_bonus": 20, "game_bonus": 100, "blitz_bonus": 75, "target": 50}])
def test_three_players_score_as_in_the_naive_twin_R27_to_R31(changes: dict[str, Any]):
    rules = naive.preset("three-handed", **changes)
    dice = Random(f"three {changes}")
    for _ in range(25):
        order = dice.sample(["Ann", "Bob", "Cy"], 3)
        pad = ScorePad(load("three-handed", settings(changes)), order)
        hands: list[tuple[str | None, int]] = []
        while not pad.is_over:
            role = dice.choice(["box", "captain", None])
            hands.append((role, 0 if role is None else dice.randint(1, 40)))
            # By role or by name is the same.
            names = dict(zip(("box", "captain"), pad.roles[:2], strict=True))
            pad.enter(dice.choice([role, names[role].upper()]) if role else None, hands[-1][1])
            known = naive.three_handed_ledger(order, hands, rules)
            assert pad.roles_per_hand == known["roles"]
            assert pad.scores == {player: [score] for player, score in known["scores"].items()}
            assert pad.winner == known["winner"]
        sheet = naive.ScoreSheet(rules, order)
        for (role, points), roles in zip(hands, pad.roles_per_hand, strict=True):
            sheet.enter({"box": roles[0], "captain": roles[1], None: None}[role], points)
        assert pad.totals == {player: [total] for player, total in sheet.games[0].totals(rules).items()}
        assert pad.decided_at_hand == len(hands)


# What people type and see


def test_the_sheet_comes_after_each_hand_R26():
    assert screen("Bob 10", "Alexandra 18", "Bob 30", "draw") == [
        "Hand 1: Bob 10",
        "      game 1   game 2   game 3",
        "Bob       10        0        0",
        "",
        "Hand 2: Alexandra 18",
        "            game 1   game 2   game 3",
        "Bob             10        0        0",
        "Alexandra       18        0        0",
        "",
        "Hand 3: Bob 30",
        "            game 1   game 2   game 3",
        "Bob             40       30        0",
        "Alexandra       18        0        0",
        "",
        "Hand 4: draw",
        "            game 1   game 2   game 3",
        "Bob             40       30        0",
        "Alexandra       18        0        0",
        "",
        "After 4 hands: the series goes on.",
    ]


def test_games_that_have_ended_say_who_won_them_and_when_R23_R24():
    lines = screen("A 60, B 7, A 60, A 60, A 50")
    assert lines[-6:] == [
        "                game 1   game 2   game 3",
        "A                  120      120      110",
        "B                    7        0        0",
        "won by (hand)    A (3)    A (4)    A (5)",
        "",
        "After 5 hands: A has won the series, 3 of 3 games; decided with hand 4.",
    ]


def test_a_series_that_is_decided_goes_on_to_its_end_R24():
    assert screen("A 60, A 60, A 60")[-1] == "After 3 hands: A has won the series with hand 3; it goes on until all games have ended (R24)."
    assert screen("A 60, A 60, A 60", "--set", "series_end=decided")[-1] == (
        "After 3 hands: A has won the series, 2 of 3 games; decided with hand 3."
    )
    goes_on, stops = answer("A 60, A 60, A 60"), answer("A 60, A 60, A 60", "--set", "series_end=decided")
    assert (goes_on["series_winner"], goes_on["decided_at_hand"], goes_on["winner"]) == ("A", 3, None)
    assert (stops["series_winner"], stops["decided_at_hand"], stops["winner"]) == ("A", 3, "A")


def test_a_win_that_comes_too_late_is_said_to_be_entered_nowhere_R25():
    assert "Hand 3: B 30, entered nowhere: the games it belongs to have ended (R25)" in screen("A 60, A 50, B 30")
    assert "Hand 3: B 30" in screen("A 60, A 50, B 30", "--set", "shut_out=next_game")


def test_a_single_game_has_one_column_and_its_extras_R31():
    extras = ["--rules", "gin", "--set", "box_bonus=20", "--set", "game_bonus=100", "--set", "blitz_bonus=75"]
    lines = screen(*extras, "--players", "Ann,Bob", "Bob 60", "bob 41")
    assert lines[5:] == [
        "Hand 2: Bob 41",
        "                  score",
        "Ann                   0",
        "Bob                 101",
        "won by (hand)   Bob (2)",
        "",
        "with extras (R31)   score",
        "Ann                     0",
        "Bob                   316",
        "",
        "After 2 hands: Bob has won the game; decided with hand 2.",
    ]
    assert answer(*extras, "--players", "Ann,Bob", "Bob 60", "bob 41") == {
        "hands": 2,
        "scores": {"Ann": 0, "Bob": 101},
        "totals": {"Ann": 0, "Bob": 101 + 2 * 20 + 100 + 75},
        "closed_by": ["Bob"],
        "series_winner": "Bob",
        "decided_at_hand": 2,
        "winner": "Bob",
    }


def test_the_document_of_a_series():
    assert answer("Bob 10", "Alexandra 18", "Bob 30", "Bob 4") == {
        "hands": 4,
        "scores": {"Bob": [44, 34, 4], "Alexandra": [18, 0, 0]},
        "closed_by": [None, None, None],
        "series_winner": None,
        "decided_at_hand": None,
        "winner": None,
    }


def test_roles_move_from_hand_to_hand_R28_R29_R30():
    assert screen("--rules", "three-handed", "--order", "Ben, Cy ,Ann", "box 18", "draw", "Ann 99") == [
        "Hand 1: Ben 18",
        "      score   this hand   next hand",
        "Ben      18   box         box",
        "Cy        0   captain     sitter",
        "Ann       0   sitter      captain",
        "",
        "Hand 2: draw",
        "      score   this hand   next hand",
        "Ben      18   box         box",
        "Cy        0   sitter      sitter",
        "Ann       0   captain     captain",
        "",
        "Hand 3: Ann 99",
        "      score   this hand   next hand",
        "Ben      18   box         sitter",
        "Cy        0   sitter      captain",
        "Ann      99   captain     box",
        "",
        "After 3 hands: the game goes on.",
    ]
    found = answer("--rules", "three-handed", "box 18", "draw", "captain 100")
    assert found == {
        "hands": 3,
        "roles_per_hand": [["A", "B", "C"], ["A", "C", "B"], ["A", "C", "B"]],
        "next_roles": None,
        "scores": {"A": 18, "B": 0, "C": 100},
        "closed_by": ["C"],
        "decided_at_hand": 3,
        "winner": "C",
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ["Bob 10", "Alexandra 18", "draw", "Bob 30"],
        ["Bob 10, Alexandra 18; draw", "Bob 30"],
        ["Bob", "10", "Alexandra", "18", "draw", "Bob", "30"],
        ["Bob", "10,", "Alexandra", "18,", "DRAW,", "bob", "30"],
        [" Bob   10 ", "ALEXANDRA 18".title(), "Draw 0", "BOB +30", ""],
    ],
)
def test_lines_are_read_as_people_write_them(arguments: list[str]):
    assert answer(*arguments) == answer("Bob 10", "Alexandra 18", "draw", "Bob 30")


def test_lines_come_from_a_file_or_standard_input(tmp_path: Path):
    text = "# Tuesday\nBob Smith 10\n\n  # a break\nAlexandra 18, draw\nbob  smith 30"
    (tmp_path / "pad.txt").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    known = answer("Bob Smith 10, Alexandra 18, draw, Bob Smith 30")
    assert list(known["scores"]) == ["Bob Smith", "Alexandra"]
    assert answer("--file", str(tmp_path / "pad.txt")) == known
    assert answer("--file", "-", input=text) == known
    assert answer(input=text) == known


def test_the_sheet_comes_before_the_next_line_is_written():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "ginsim", "score"]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("Bob 10\n")
        process.stdin.flush()
        assert process.stdout.readline() == "Hand 1: Bob 10\n"
        process.stdin.close()
        assert process.stdout.read().endswith("After 1 hand: the series goes on.\n")


def test_nothing_entered_is_an_empty_sheet():
    assert screen(input="") == ["After 0 hands: the series goes on."]
    assert answer(input="")["scores"] == {}
    assert answer("--players", "A,B", input="")["scores"] == {"A": [0, 0, 0], "B": [0, 0, 0]}


def test_a_win_without_points_is_entered_where_there_are_no_bonuses_R18_R19():
    found = answer("A 0", "A 7", "--set", "undercut_bonus=0", "--players", "A,B")
    assert found["scores"] == {"A": [7, 7, 0], "B": [0, 0, 0]}


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["Bob"], "entry 1: 'Bob': must be a name and points, such as 'Bob 10', or 'draw'."),
        (["Bob 10", "ten 1.5"], "entry 2: 'ten 1.5': must be a name and points, such as 'Bob 10', or 'draw'."),
        (["10"], "entry 1: '10': must be a name and points, such as 'Bob 10', or 'draw'."),
        (["Bob 10 Al 18"], "entry 1: 'Bob 10 Al 18': must be a name and points, such as 'Bob 10', or 'draw'."),
        (["Bob", "Al", "18"], "entry 1: 'Bob Al': must be a name and points, such as 'Bob 10', or 'draw'."),
        (["Bob ١٠"], "entry 1: 'Bob ١٠': must be a name and points"),
        (["Bob 0"], "entry 1: Bob 0: the winner of a hand scores 1 to 2196 points; write 'draw' if nobody did."),
        (["Bob -5"], "entry 1: Bob -5: the winner of a hand scores 1 to 2196 points"),
        (["Bob 2197"], "entry 1: Bob 2197: the winner of a hand scores 1 to 2196 points"),
        (["Bob " + "9" * 5000], "entry 1: 'Bob 9999"),
        (["draw 5"], "entry 1: 'draw 5': a draw scores nothing (R20)."),
        (["A 1, B 2", "C 3"], "entry 3: 'C' does not play: the players are A, B."),
        (["A 1", "--players", "B,C"], "entry 1: 'A' does not play: the players are B, C."),
        (["box 18"], "entry 1: 'box' is no name: it is a role of the three-handed game, or a result."),
        (["a\x1b[2J 10"], "entry 1: 'a\\x1b[2J' is no name: it needs a letter, and has at most 40 characters."),
        (["x" * 41 + " 10"], "entry 1: 'xxxx"),
        (["A 60, A 60, A 60, A 60, A 60"], "entry 5: the match ended with hand 4, won by A: no more hands can be entered."),
        (["A 100", "draw", "--rules", "gin"], "entry 2: the match ended with hand 1, won by A: no more hands can be entered."),
        (["draw", "draw", "--set", "max_hands=1"], "entry 2: the match was abandoned after 1 hands (R16): no more hands"),
        (["C 1", "--rules", "three-handed"], "entry 1: C sits out this hand: A (box) or B (captain) can score (R30)."),
        (["sitter 1", "--rules", "three-handed"], "entry 1: C sits out this hand: A (box) or B (captain) can score (R30)."),
        (["Zed 1", "--rules", "three-handed"], "entry 1: 'Zed' does not play: the players are A, B, C."),
        (["A 1", "--order", "A,B,C"], "--order goes with three-handed rules; two players are named with --players."),
        (["A 1", "--rules", "three-handed", "--players", "A,B,C"], "--players: three players are named with --order"),
        (["A 1", "--rules", "three-handed", "--order", "A,B"], "these rules are for 3 players, not 2."),
        (["A 1", "--rules", "three-handed", "--order", "A,B,C,D"], "these rules are for 3 players, not 4."),
        (["A 1", "--players", "A"], "these rules are for 2 players, not 1."),
        (["A 1", "--players", "A,B,C"], "these rules are for 2 players, not 3."),
        (["A 1", "--players", "A,a"], "'a' stands twice among the players."),
        (["A 1", "--players", "A,"], "'' is no name: it needs a letter, and has at most 40 characters."),
        (["A 1", "--players", "A,draw"], "'draw' is no name: it is a role of the three-handed game, or a result."),
        (["A 1", "--file", "-"], "LINES and --file: give one of them."),
        (["--file", "nowhere.txt"], "Invalid value for '--file': 'nowhere.txt': No such file or directory"),
        (["A 1", "--rules", "holywood"], "no rules named 'holywood'. Did you mean 'hollywood'?"),
        (["A 1", "--rules", "gin", "--set", "games=3"], "games = 3: only rules with format = \"hollywood\" have it."),
    ],
)
def test_a_mistake_gets_one_line_and_exit_2(arguments: list[str], line: str):
    result = ran(*arguments, "--format", "json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {line}")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 200


def test_a_bad_line_of_a_file_is_named_after_the_sheets_above_it(tmp_path: Path):
    path = tmp_path / "pad.txt"
    path.write_text("Bob 10\n\nAl 18\nBob ten\n")
    result = ran("--file", str(path))
    assert (result.exit_code, result.stdout.count("Hand ")) == (2, 2)
    assert result.stderr == f"Error: {path}, line 4: 'Bob ten': must be a name and points, such as 'Bob 10', or 'draw'.\n"
    result = ran(input="Bob 10\nAl 18, Cy 3\n")
    assert result.stderr == "Error: standard input, line 2: 'Cy' does not play: the players are Bob, Al.\n"


def test_closed_input_is_no_traceback():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = f'"{sys.executable}" -m ginsim score <&-'
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "Error: Invalid value: standard input is closed.\n")


def test_the_module_refuses_what_the_command_cannot_say():
    with pytest.raises(UsageError, match="these rules are for 3 players, not 0"):
        ScorePad(load("three-handed"))
    with pytest.raises(UsageError, match="5 points and no winner"):
        ScorePad(load("gin")).enter(None, 5)
    assert read_entry(" draw ") == (None, 0)
    assert read_entry("Mary Ann 7") == ("Mary Ann", 7)
