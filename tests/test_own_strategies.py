"""Players of one's own: plain Python, compiled, and other programs; what they see, what goes wrong, and who they are to a stored run."""

import dataclasses
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import ginsim
import numpy as np
import pytest
from commands import ENVIRONMENT, answered, called, command, engine, ran  # noqa: F401
from ginsim import accelerate, contract
from ginsim.cards import parse_cards
from ginsim.errors import GinsimError, UsageError
from ginsim.hand import VIEW
from ginsim.plan import Plan, make_plan
from ginsim.randomness import open_stream
from ginsim.rules import load, preset_names
from ginsim.runner import Seating
from ginsim.strategies import Player, find, names, own, parse, sit
from ginsim.strategies.process import PROTOCOL
from ginsim.strategies.view import FIELDS, MANUAL, PLACES, QUESTIONS, View, read

BOTS = Path(__file__).parent / "data" / "bots"
PLAIN = f"{BOTS / 'plain.py'}:MyBot"
FAST = f"{BOTS / 'fast.py'}:FastBot"
PROGRAM = f"exec:{shlex.quote(sys.executable)} {shlex.quote(str(BOTS / 'program.py'))}"
EXAMPLES = {"plain": PLAIN, "fast": FAST, "program": PROGRAM}


def bad(name: str) -> str:
    """The spec of a player that does something wrong."""
    return f"{BOTS / 'bad.py'}:{name}"


def file_of(folder: Path, text: str, name: str = "bot.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def program(folder: Path, text: str) -> str:
    """The spec of a Python program with this text."""
    return f"exec:{shlex.quote(sys.executable)} {shlex.quote(str(file_of(folder, text, 'program.py')))}"


def failure(spec: str, **settings: Any) -> GinsimError:
    """The error that a run with this player ends in."""
    settings = {"hands": 40, "seed": 1, "workers": 1} | settings
    with pytest.raises(GinsimError) as caught:
        ginsim.simulate("gin", strategies=[spec, "simple"], **settings)
    return caught.value


def alive(mark: str) -> list[str]:
    """The processes whose command line has this text in it."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if mark in line and int(folder.name) != os.getpid():
            found.append(line)
    return found


def gone(mark: str, seconds: float = 10) -> bool:
    """Whether no process with this text in its command line is left, or all are soon gone."""
    until = time.monotonic() + seconds
    while alive(mark) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive(mark)


def seen(question: str = "discard", **given: Any) -> View:
    """What a player sees of a record made by hand."""
    record = accelerate.records(1, VIEW)[0]
    rules = load("gin")
    record["rules"] = rules.packed()
    open_stream(record["stream"], np.uint64(7), np.uint64(3), np.uint64(5), np.uint64(2))
    for name, value in given.items():
        record[name] = parse_cards(value) if isinstance(value, str) else value
    return View(read(record), question, rules, lambda: Random(1))


# What specs name -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [PLAIN, f"{PLAIN}:knock=3", FAST, PROGRAM, PROGRAM.replace("exec:", "exec:timeout=30 ")])
def test_a_players_spec_names_the_same_player_again(spec: str) -> None:
    player = parse(spec)
    assert player.spec == spec
    assert parse(player.spec) == player
    assert player.is_own and len(player.source or "") == 64


def test_a_parameter_that_is_as_by_default_is_no_other_player() -> None:
    assert parse(f"{PLAIN}:knock=6") == parse(PLAIN)
    assert parse(f"{PLAIN}:knock=5") != parse(PLAIN)


def test_parameters_reach_the_player_as_numbers_truths_and_texts(tmp_path: Path) -> None:
    file_of(
        tmp_path,
        "class Bot:\n"
        "    def __init__(self, a, b=1, **more):\n"
        "        assert (a, b, more) == (3, 0.5, {'c': True, 'd': 'x.toml'}), (a, b, more)\n"
        "    def take(self, view): return False\n"
        "    def discard(self, view): return view.legal[0]\n"
        "    def knock(self, view): return True\n",
    )
    assert ginsim.simulate("gin", hands=3, seed=1, strategies=f"{tmp_path / 'bot.py'}:Bot:a=3,b=0.5,c=true,d=x.toml").count == 3


def test_a_compiled_players_parameters_are_checked_like_a_built_in_ones(tmp_path: Path) -> None:
    path = file_of(
        tmp_path,
        (BOTS / "fast.py")
        .read_text()
        .replace("<= 6", "<= view.parameters[0]")
        .replace("version=1", "version=1, parameters=[ginsim.strategies.Parameter('knock', 6, 0, 10, 'knocks at this')]")
        .replace("import ginsim\n", "import ginsim\nimport ginsim.strategies\n"),
    )
    spec = f"{path}:FastBot"
    with pytest.raises(UsageError, match="knock = 11: must be a whole number from 0 to 10"):
        parse(f"{spec}:knock=11")
    assert parse(f"{spec}:knock=6") == parse(spec)

    def hash_of(strategy: str) -> str:
        return ginsim.simulate("gin", hands=200, seed=1, strategies=strategy).table_hash()

    assert hash_of(spec) == hash_of(FAST) != hash_of(f"{spec}:knock=2")


def test_a_module_is_found_from_the_folder_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "players_here").mkdir()
    shutil.copy(BOTS / "plain.py", tmp_path / "players_here" / "one.py")
    monkeypatch.chdir(tmp_path)
    run = ginsim.simulate("gin", hands=1200, seed=1, strategies="players_here.one:MyBot", workers=2)
    assert run.table_hash() == ginsim.simulate("gin", hands=1200, seed=1, strategies=PLAIN, workers=1).table_hash()
    assert parse("players_here.one:MyBot").source == parse(PLAIN).source


def test_a_file_can_import_its_neighbours_but_they_never_stand_for_python_s_own(tmp_path: Path) -> None:
    file_of(tmp_path, "raise RuntimeError('not this one')", "json.py")
    file_of(tmp_path, "ANSWER = False", "neighbour.py")
    text = (BOTS / "plain.py").read_text().replace("class", "import json\nfrom neighbour import ANSWER\n\n\nclass", 1)
    path = file_of(tmp_path, text)
    assert ginsim.simulate("gin", hands=3, seed=1, strategies=f"{path}:MyBot").count == 3


WRONG_SPECS = {
    "nowhere.py:Bot": "nowhere.py: there is no such file.",
    "no.such.module:Bot": "there is no module 'no.such.module' that can be imported from here.",
    f"{BOTS / 'plain.py'}:MyBat": f"{BOTS / 'plain.py'} has no 'MyBat'. Did you mean {PLAIN}?",
    f"{BOTS / 'plain.py'}": f"'{BOTS / 'plain.py'}' names no strategy in the file: write {PLAIN}.",
    bad("A_NUMBER"): "is no strategy but of type int",
    bad("HalfAPlayer"): "is no strategy: it has no method discard, knock.",
    bad("NeedsSpeed"): "needs a value for speed: write",
    f"{PLAIN}:knack=3": "has no parameter 'knack'; it has: knock.",
    f"{PLAIN}:knock=3,knock=4": "knock stands twice",
    f"{PLAIN}:knock": "'knock' is not a parameter and its value",
    "json:dumps": "is no strategy but of type function",
    "exec:": "names no command",
    "exec:'x": "is no command line: no closing quotation.",
    "exec:no-such-command here": "there is no command 'no-such-command' that can be run.",
    "exec:timeout=soon cat": "timeout = soon: must be a number of seconds, such as 30.",
    "simpel:knock=3": "no strategy named 'simpel'. Did you mean 'simple'?",
}


@pytest.mark.parametrize("spec", WRONG_SPECS)
def test_a_spec_that_names_no_player_is_refused_in_a_line_that_helps(spec: str) -> None:
    result = called("simulate", "--hands", 1, "--strategy", spec)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert WRONG_SPECS[spec] in result.stderr


BROKEN_FILES = {
    "import no_such_thing\n": "bot.py, line 1: ModuleNotFoundError: No module named 'no_such_thing'.",
    "class A:\n    def f(:\n": "bot.py, line 2: SyntaxError: invalid syntax.",
    "def f():\n    return 1 / 0\n\n\nf()\n": "bot.py, line 2: ZeroDivisionError: division by zero.",
    "import sys\n\nsys.exit(2)\n": "bot.py, line 3: SystemExit: 2.",
    "import ginsim\n\n\ndef f(view):\n    return view.foo\n\n\nBot = ginsim.compiled(f, f, f)\n": "a view has no field 'foo'.",
    "import ginsim\n\n\ndef f(view):\n    return foo(view)\n\n\nBot = ginsim.compiled(f, f, f)\n": "name 'foo' is not defined",
}


@pytest.mark.parametrize("text", BROKEN_FILES)
def test_an_error_in_the_users_file_is_told_with_its_place(text: str, tmp_path: Path) -> None:
    result = called("simulate", "--hands", 1, "--strategy", f"{file_of(tmp_path, text)}:Bot")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert BROKEN_FILES[text] in result.stderr
    assert str(tmp_path / "bot.py") in result.stderr


# What they see -------------------------------------------------------------------------------------------------------


def test_a_view_shows_the_record_as_texts_and_numbers() -> None:
    view = seen(held="KS AC TD 7D", legal="AC KS", pile="9H 2C", top="9H", other_took="QD", stock=12, draws=19, turns=9, limit=10, hand=2, seat=1)
    assert view.cards == ("AC", "7D", "TD", "KS")
    assert view.legal == ("AC", "KS")
    assert (view.top, view.taken, view.thrown) == ("9H", None, None)
    assert view.pile == {"9H", "2C"} and view.other_took == {"QD"} and view.other_threw == frozenset()
    assert (view.stock, view.draws, view.turn, view.limit, view.hand, view.seat) == (12, 19, 9, 10, 2, "B")
    assert (view.scores, view.sitter_score, view.is_dealer, view.phase) == ((0,), None, False, "offer")
    assert view.rules == load("gin")
    assert (view.other, view.last_ending, view.last_knocker, view.last_draws) == ("A", "knock", "A", 0)
    first = seen(held="AC", other=2, last_ending=-1, last_knocker=-1, last_draws=-1)
    assert (first.other, first.last_ending, first.last_knocker, first.last_draws) == ("C", None, None, None)
    drawn = seen(held="AC", last_ending=4, last_knocker=-1, last_draws=29)
    assert (drawn.last_ending, drawn.last_knocker, drawn.last_draws) == ("draw", None, 29)
    assert view.deadwood == 28 and view.deadwood_without("KS") == 18


def test_a_view_helps_with_melds() -> None:
    view = seen(held="5C 6C 7C 9D 9H 9S KD QD 2H AS", legal="KD")
    assert view.melds == (("5C", "6C", "7C"), ("9D", "9H", "9S"))
    assert view.makes_meld("8C") and view.makes_meld("9C") and view.makes_meld("JD") and not view.makes_meld("3S")
    assert seen(held="5C 6C 7C 9D 9H 9S KD QD 2H AS AC", legal="5C KD QD 2H").best_discards() == ("QD", "KD")


def test_a_view_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="a view cannot be changed"):
        seen(held="AC").stock = 3  # type: ignore[misc]


def test_a_view_says_so_where_a_text_is_no_card_or_none_of_ones_own() -> None:
    view = seen(held="AC 2C")
    for card in ("KK", "ac", 7, None, ("AC",)):
        with pytest.raises(ValueError, match="is no card"):
            view.makes_meld(card)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="KS is none of the own cards"):
        view.deadwood_without("KS")


def test_every_field_of_a_view_is_documented_and_goes_to_other_programs() -> None:
    public = {name for name in dir(View) if not name.startswith("_")}
    assert public == set(FIELDS) | {"random", "melds", "makes_meld", "deadwood_without", "best_discards", "as_dict"}
    assert list(json.loads(json.dumps(seen(held="AC").as_dict()))) == list(FIELDS)
    for name in FIELDS:
        assert f"  {name} " in PROTOCOL and f"  {name} " in MANUAL


def test_the_reader_reads_each_number_where_the_record_has_it() -> None:
    record = accelerate.records(1, VIEW)[0]
    for value, name in enumerate(PLACES, 1):
        whole, _, part = name.partition(".")
        if part.isdigit():
            record[whole][int(part)] = value
        elif part:
            record[whole][part] = value
        elif whole in ("memory", "notes"):
            record[whole][0] = value
        else:
            record[whole] = value
    assert read(record) == tuple(range(1, len(PLACES) + 1))


def test_a_player_is_made_afresh_for_each_match_and_seat_and_has_chance_of_its_own(tmp_path: Path) -> None:
    path = file_of(
        tmp_path,
        "import sys\n"
        "LOG = []\n"
        "class Bot:\n"
        "    def __init__(self):\n"
        "        self.hands = []\n"
        "        LOG.append(self)\n"
        "    def take(self, view):\n"
        "        self.seat = view.seat\n"
        "        if view.hand not in [hand for hand, _ in self.hands]: self.hands.append((view.hand, view.random.random()))\n"
        "        return False\n"
        "    def discard(self, view): return max(view.legal, key=view.deadwood_without) if 0 else view.best_discards()[0]\n"
        "    def knock(self, view): return True\n",
    )
    ginsim.simulate("gin", matches=3, seed=1, strategies=f"{path}:Bot", workers=1)
    (log,) = (module.LOG for name, module in sys.modules.items() if name.startswith("ginsim_own_") and hasattr(module, "LOG"))
    assert sorted(player.seat for player in log) == ["A", "A", "A", "B", "B", "B"]
    for player in log:
        assert [hand for hand, _ in player.hands] == list(range(len(player.hands)))
    drawn = [number for player in log for _, number in player.hands]
    assert len(set(drawn)) == len(drawn) > 6


def test_a_scripted_player_is_asked_in_the_order_of_the_hand(tmp_path: Path) -> None:
    path = file_of(
        tmp_path,
        "ASKED = []\n"
        "class Bot:\n"
        "    def take(self, view):\n"
        "        ASKED.append((view.question, view.phase, len(view.cards), view.turn)); return view.phase == 'offer'\n"
        "    def discard(self, view):\n"
        "        ASKED.append((view.question, view.phase, len(view.cards), view.turn)); assert view.taken not in view.legal\n"
        "        return view.best_discards()[0]\n"
        "    def knock(self, view):\n"
        "        ASKED.append((view.question, view.phase, len(view.cards), view.turn)); assert view.thrown not in view.cards\n"
        "        return True\n",
    )
    ginsim.simulate("gin", hands=1, seed=1, strategies=[f"{path}:Bot", "simple"], workers=1)
    (asked,) = (module.ASKED for name, module in sys.modules.items() if name.startswith("ginsim_own_") and hasattr(module, "ASKED"))
    assert asked[:2] == [("take", "offer", 10, 0), ("discard", "offer", 11, 1)]
    assert all(size == (11 if question == "discard" else 10) for question, _, size, _ in asked)
    assert [turn for question, *_, turn in asked if question == "discard"] == list(range(1, sum(q == "discard" for q, *_ in asked) + 1))


# What goes wrong -----------------------------------------------------------------------------------------------------

WRONG_PLAY = {
    "Raises": ("raised AttributeError: 'View' object has no attribute 'no_such_thing' (bad.py, line", "asked to discard in turn 2"),
    "AnswersNothing": ("answered None (NoneType) and not True or False", "asked to take in turn 1"),
    "ThrowsNoCard": ("threw 'KK', which is no card such as '7D'", "asked to discard in turn 1"),
    "ThrowsAnothersCard": (", and legal were ", "asked to discard in turn 1"),
    "Leaves": ("raised SystemExit: 3", "asked to discard in turn 1"),
    "ChangesTheView": ("raised AttributeError: a view cannot be changed: stock", "asked to take in turn 1"),
    "CannotBeMade": ("raised RuntimeError: not today", "when it was made, in hand 0"),
}


@pytest.mark.parametrize("name", WRONG_PLAY)
def test_what_goes_wrong_in_a_player_is_told_with_seed_hand_turn_and_view(name: str) -> None:
    error = failure(bad(name))
    assert "\n" not in str(error)
    assert str(error).startswith(f"{bad(name)} in seat A ")
    assert str(error).endswith("of hand 0 (rules gin, seed 1)." if name != "CannotBeMade" else "in hand 0 (rules gin, seed 1).")
    for part in WRONG_PLAY[name]:
        assert part in str(error)
    notes = "\n".join(error.__notes__)
    assert f'File "{BOTS / "bad.py"}", line ' in notes
    assert name == "CannotBeMade" or "What it saw:\n    question " in notes


def test_an_error_keeps_the_frames_of_the_users_file_and_no_others() -> None:
    notes = failure(bad("Raises")).__notes__
    files = [line for line in notes if line.startswith("File ")]
    assert [line.rpartition(", in ")[2] for line in files] == ["discard", "helper"]
    assert "    return view.no_such_thing" in notes


@pytest.mark.parametrize("workers", [1, 2])
def test_the_command_tells_a_players_error_in_one_block_and_ends_with_1(workers: int) -> None:
    result = ran("simulate", "--hands", 1200, "--seed", 1, "--strategy", bad("Raises"), "--workers", workers)
    assert (result.returncode, result.stdout) == (1, "")
    lines = [line for line in result.stderr.splitlines() if "hands/s" not in line]
    assert lines[0].startswith(f"Error: {bad('Raises')} in seat ")
    assert all(line.startswith("  ") for line in lines[1:]) and "Traceback" not in result.stderr
    assert "  What it saw:" in lines and any(line.startswith("      question       discard") for line in lines)


def test_in_a_match_the_error_names_hand_and_match() -> None:
    assert "of hand 0 of match 0 (rules gin, seed 1)." in str(failure(bad("Raises"), hands=None, matches=3))


def test_an_error_in_a_compiled_player_is_the_users(tmp_path: Path) -> None:
    text = (BOTS / "fast.py").read_text().replace("return lowest_number(best)", "return lowest_number(best) // view.deals")
    path = file_of(tmp_path, text)
    message = str(failure(f"{path}:FastBot"))
    assert message == f"{path}:FastBot raised ZeroDivisionError: integer division by zero in hand 0 (rules gin, seed 1)."


def test_an_illegal_card_of_a_compiled_player_is_named(tmp_path: Path) -> None:
    path = file_of(tmp_path, (BOTS / "fast.py").read_text().replace("lowest_number(best)", "99"))
    assert "FastBot in seat A threw card number 99 in hand 0 (rules gin, seed 1): legal were " in str(failure(f"{path}:FastBot"))


def test_a_worker_that_dies_is_told() -> None:
    error = failure(bad("Dies"), hands=1200, workers=2)
    assert str(error) == "a worker died (exit code 3): with --workers 1 everything is played in one process."


def test_what_a_player_prints_is_not_in_the_way_of_the_answer() -> None:
    for workers in (1, 2):
        result = ran("simulate", "--hands", 1200, "--seed", 1, "--strategy", bad("Prints"), "--format", "json", "--workers", workers)
        assert json.loads(result.stdout)["hands"] == 1200
        assert "hello" in result.stderr


def test_a_script_that_is_its_own_player_gets_one_clear_error(tmp_path: Path) -> None:
    text = (BOTS / "bad.py").read_text() + "\nimport ginsim\nginsim.simulate('gin', hands=9, strategies=__file__ + ':Base')\n"
    result = subprocess.run([sys.executable, file_of(tmp_path, text)], env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].endswith(
        'plays while it is loaded as a player: put what plays under `if __name__ == "__main__":`.'
    )


def test_a_script_without_a_main_guard_can_use_several_workers(tmp_path: Path) -> None:
    text = f"import ginsim\nprint(ginsim.simulate('gin', hands=1200, seed=1, strategies={PLAIN!r}, workers=2).table_hash())\n"
    result = subprocess.run([sys.executable, file_of(tmp_path, text)], env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.strip() == ginsim.simulate("gin", hands=1200, seed=1, strategies=PLAIN, workers=1).table_hash()


# Same seed, same play ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["hands", "matches"])
def test_workers_and_chunks_change_no_row(unit: str) -> None:
    count = {unit: 1200 if unit == "hands" else 60}
    runs = [
        ginsim.simulate("hollywood", seed=3, strategies=[PLAIN, "random"], workers=workers, chunk=chunk, **count)
        for workers, chunk in ((1, None), (2, 25), (1, 7))
    ]
    assert len({run.table_hash() for run in runs}) == 1


def test_a_compiled_player_plays_as_its_twin_in_plain_python(tmp_path: Path) -> None:
    path = file_of(tmp_path, (BOTS / "plain.py").read_text().replace("view.random.choice(view.best_discards())", "view.best_discards()[0]"))
    for rules in preset_names():
        one, other = (ginsim.simulate(rules, matches=20, seed=2, strategies=spec) for spec in (f"{path}:MyBot", FAST))
        assert one.table_hash() == other.table_hash()


def test_another_program_plays_as_the_same_code_called_back(tmp_path: Path) -> None:
    text = (
        "POINTS = {rank: min(value, 10) for value, rank in enumerate('A23456789TJQK', 1)}\n"
        "class Bot:\n"
        "    def take(self, view): return False\n"
        "    def knock(self, view): return True\n"
        "    def discard(self, view):\n"
        "        ranks = [card[0] for card in view.cards]\n"
        "        return max(view.legal, key=lambda card: (ranks.count(card[0]) < 2, POINTS[card[0]]))\n"
    )
    twin = f"{file_of(tmp_path, text)}:Bot"
    one, other = (ginsim.simulate("gin", hands=30, seed=2, strategies=[spec, "simple"]) for spec in (twin, PROGRAM))
    assert one.table_hash() == other.table_hash()


# Other programs ------------------------------------------------------------------------------------------------------

ANSWERS = "import json, sys\nfor line in sys.stdin:\n    view = json.loads(line)\n    "
USUAL = "print(json.dumps(view['legal'][0] if view['question'] == 'discard' else False), flush=True)\n"

WRONG_PROGRAMS = {
    "import sys\nsys.stdin.readline()\nprint('no luck', file=sys.stderr)\nsys.exit(4)\n": "ended with exit code 4 and gave no answer",
    "import os\nos.kill(os.getpid(), 9)\n": "was ended by signal 9 and gave no answer",
    "import os, time\nos.close(1)\ntime.sleep(60)\n": "closed its standard output",
    ANSWERS + "print('perhaps', flush=True)\n": "answered 'perhaps', which is no JSON: wanted was true or false",
    ANSWERS + "print('[' * 90_000, flush=True)\n": ", which is no JSON: wanted was true or false",
    ANSWERS + "print('\"KK\"', flush=True)\n": "answered 'KK' (str) and not True or False",
    ANSWERS + USUAL.replace("view['legal'][0]", "'KK'"): "threw 'KK', which is no card such as '7D'",
    ANSWERS + "print('false\\nfalse', flush=True)\n": "wrote more than one line for an answer: 'false'",
}


@pytest.mark.parametrize("text", WRONG_PROGRAMS)
def test_what_goes_wrong_in_a_program_is_told_with_what_was_sent(text: str, tmp_path: Path) -> None:
    error = failure(program(tmp_path, text))
    assert WRONG_PROGRAMS[text] in str(error) and "(rules gin, seed 1)." in str(error)
    sent = error.__notes__[0].removeprefix("It was sent: ")
    assert json.loads(sent)["question"] in QUESTIONS
    if "no luck" in text:
        assert error.__notes__[1:] == ["It wrote on standard error:", "    no luck"]
    assert gone(str(tmp_path))


def test_of_a_flood_on_standard_error_the_end_is_kept(tmp_path: Path) -> None:
    flood = "sys.stderr.write('x' * 20_000_000 + '\\nthe end\\n')\nsys.stderr.flush()\nsys.exit(4)\n"
    before, *complaints = failure(program(tmp_path, f"import sys\nsys.stdin.readline()\n{flood}")).__notes__[1:]
    assert before == "It wrote on standard error:" and complaints[-1] == "    the end"
    assert sum(map(len, complaints)) < 3000


def test_a_program_that_thinks_too_long_is_ended_with_all_it_started(tmp_path: Path) -> None:
    text = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)', {str(tmp_path)!r}])\ntime.sleep(99)\n"
    spec = program(tmp_path, text).replace("exec:", "exec:timeout=0.5 ")
    assert "gave no answer in 0.5 seconds" in str(failure(spec))
    assert gone(str(tmp_path))


def test_a_program_is_told_when_a_match_begins_and_given_chance(tmp_path: Path) -> None:
    log = tmp_path / "log"
    text = f"import json, sys\nlog = open({str(log)!r}, 'a')\nfor line in sys.stdin:\n    view = json.loads(line)\n    log.write(line)\n    log.flush()\n    {USUAL}"
    run = ginsim.simulate("gin", matches=2, seed=1, settings={"max_hands": 3}, strategies=[program(tmp_path, text), "simple"], workers=1)
    views = [json.loads(line) for line in log.read_text().splitlines()]
    assert sum(view["new_match"] for view in views) == 2 and views[0]["new_match"]
    assert len({view["random"] for view in views}) > len(views) * 0.99
    assert all(view["rules"] == run.plan.rules.as_dict() and view["seat"] == "A" for view in views)


def test_programs_end_with_the_run_that_needs_them(tmp_path: Path) -> None:
    spec = program(tmp_path, ANSWERS + USUAL)
    assert ginsim.simulate("gin", hands=4, seed=1, strategies=spec).count == 4
    assert gone(str(tmp_path), 0)


def interrupted(*arguments: object, until: str) -> tuple[int, str]:
    """Exit code and stderr of a command that is interrupted once a process with ``until`` in its command line runs."""
    process = subprocess.Popen(command(*arguments), env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        end = time.monotonic() + 60
        while len(alive(until)) < 2 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(1.5)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, errors


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_a_run_with_programs_and_leaves_none(workers: int, tmp_path: Path) -> None:
    spec = program(tmp_path, "import time\ntime.sleep(99)\n").replace("exec:", "exec:timeout=90 ")
    code, errors = interrupted("simulate", "--hands", 2000, "--strategy", spec, "--workers", workers, until=str(tmp_path))
    assert code == 130 and "Stopped at 0 of 2,000 hands" in errors
    assert gone(str(tmp_path))


def test_who_waits_for_a_player_that_cannot_be_woken_is_told_what_helps(tmp_path: Path) -> None:
    text = f"import pathlib, time\nclass Bot:\n    def take(self, view):\n        pathlib.Path({str(tmp_path / 'asleep')!r}).touch()\n        time.sleep(99)\n"
    spec = f"{file_of(tmp_path, text + '    discard = knock = take')}:Bot"
    line = command("simulate", "--hands", 200, "--strategy", spec, "--workers", 1)
    process = subprocess.Popen(line, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    try:
        while not (tmp_path / "asleep").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.stderr.readline() == "Still not at an end: Ctrl-C once more ends it at once.\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_a_player_that_thinks_for_ever(workers: int, tmp_path: Path) -> None:
    shutil.copy(BOTS / "bad.py", tmp_path / "bad.py")
    spec = f"{tmp_path / 'bad.py'}:ThinksForEver"
    arguments = ("simulate", "--hands", 2000, "--strategy", spec, "--workers", workers)
    process = subprocess.Popen(command(*arguments), env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, start_new_session=True)
    end = time.monotonic() + 60
    while workers == 2 and not alive(f"ginsim.processes {process.pid}") and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(5)
    os.killpg(process.pid, signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130 and "Stopped at 0 of 2,000 hands" in errors
    assert gone(f"ginsim.processes {process.pid}")


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    shutil.copy(BOTS / "plain.py", tmp_path / "plain.py")
    arguments = ("simulate", "--hands", 10**7, "--strategy", f"{tmp_path / 'plain.py'}:MyBot", "--workers", 2)
    process = subprocess.Popen(command(*arguments), env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not alive(f"ginsim.processes {process.pid}") and time.monotonic() < end:
        time.sleep(0.05)
    assert alive(f"ginsim.processes {process.pid}")
    process.kill()
    process.wait()
    assert gone(f"ginsim.processes {process.pid}")


# Who they are to a stored run ----------------------------------------------------------------------------------------


def test_the_plan_holds_spec_parameters_version_and_source(tmp_path: Path) -> None:
    path = file_of(tmp_path, (BOTS / "plain.py").read_text().replace("    def __init__", "    version = '2b'\n\n    def __init__", 1))
    plan = make_plan(load("gin"), unit="hands", strategies=[f"{path}:MyBot:knock=3", "simple"], seed=1)
    one, other = plan.as_dict()["players"]
    assert one == {"strategy": f"{path}:MyBot", "version": "2b", "parameters": {"knock": 3}, "source": parse(f"{path}:MyBot").source}
    assert other == {"strategy": "simple", "version": 1, "parameters": {"knock": 10}}
    assert Plan.from_dict(json.loads(json.dumps(plan.as_dict()))) == plan


def test_a_changed_source_is_another_run(tmp_path: Path) -> None:
    path = file_of(tmp_path, (BOTS / "plain.py").read_text())
    arguments = ("simulate", "--rules", "gin", "--hands", 30, "--seed", 1, "--strategy", f"{path}:MyBot", "--out", tmp_path / "run")
    answered(*arguments)
    before = parse(f"{path}:MyBot").source or ""
    assert called(*arguments).exit_code == 0
    file_of(tmp_path, path.read_text() + "# another thought\n")
    after = parse(f"{path}:MyBot").source or ""
    result = called(*arguments)
    assert result.exit_code == 2
    assert f"A is {path}:MyBot (source {before[:12]}) there and {path}:MyBot (source {after[:12]}) here" in result.stderr
    result = called("replay", tmp_path / "run", "--hand", 3)
    assert (result.exit_code, "has changed: its source is" in result.stderr) == (2, True)


def test_a_stored_run_is_reported_where_the_players_file_is_gone(tmp_path: Path) -> None:
    path = file_of(tmp_path, (BOTS / "plain.py").read_text())
    answered("simulate", "--rules", "gin", "--hands", 30, "--seed", 1, "--strategy", f"{path}:MyBot:knock=2", "--out", tmp_path / "run")
    stored = answered("report", tmp_path / "run")
    source = parse(f"{path}:MyBot").source or ""
    path.unlink()
    assert answered("report", tmp_path / "run") == stored
    assert f"{path}:MyBot:knock=2 (source {source[:12]})" in stored
    assert json.loads(answered("report", tmp_path / "run", "--format", "json"))["plan"]["players"][0]["source"] == source
    result = called("replay", tmp_path / "run", "--hand", 3)
    assert (result.exit_code, result.stderr) == (2, f"Error: {path}: there is no such file.\n")


def test_the_source_of_a_program_is_its_command_line_and_the_files_in_it(tmp_path: Path) -> None:
    spec = program(tmp_path, "x = 1\n")
    source = parse(spec).source
    assert parse(spec).source == source
    assert parse(spec + " --fast").source != source
    program(tmp_path, "x = 2\n")
    assert parse(spec).source != source


def test_how_long_one_waits_for_a_program_is_no_part_of_who_it_is() -> None:
    patient = parse(PROGRAM.replace("exec:", "exec:timeout=60 "))
    assert patient == parse(PROGRAM)
    assert "timeout" not in json.dumps(make_plan(load("gin"), unit="hands", strategies=[patient.spec], seed=1).as_dict())
    assert dataclasses.replace(patient, seconds=None).spec == PROGRAM


def test_a_file_that_changes_while_it_is_played_is_noticed(tmp_path: Path) -> None:
    path = file_of(tmp_path, (BOTS / "plain.py").read_text())
    plan = make_plan(load("gin"), unit="hands", strategies=[f"{path}:MyBot"], seed=1)
    Seating(plan).close()
    file_of(tmp_path, path.read_text() + "\n")
    with pytest.raises(UsageError, match="has changed: its source is"):
        Seating(plan)


def test_built_in_players_are_nobodys_own() -> None:
    for name in names():
        assert not parse(name).is_own
        assert not own.is_own(name)
    assert isinstance(parse("simple"), Player) and sit(parse("simple"), load("gin")).fault is None
    assert find(parse("simple")).name == "simple"


# The contract --------------------------------------------------------------------------------------------------------


QUICK = [name for name in names() if name != "rollout"]


@pytest.mark.parametrize(("spec", "hands"), [*((spec, 30) for spec in (*QUICK, "simple:knock=0", PLAIN, FAST)), ("rollout:worlds=2,base=simple", 9)])
def test_every_player_keeps_the_contract(spec: str, hands: int) -> None:
    results = list(contract.check(spec, hands=hands))
    assert [result.name for result in results if not result.passed] == [], results
    assert len(results) == 5


def test_the_example_program_keeps_the_contract() -> None:
    results = list(contract.check(PROGRAM, hands=3))
    assert len(results) == 5 and all(result.passed for result in results), results


BREAKERS = {
    "ThrowsAnothersCard": ("legal under all rules", "legal were"),
    "NeverEnds": ("comes to an end", "was stopped after 400 draws of cards (R16, rules gin, seed 1)"),
    "UsesOtherChance": ("same seed, same play", "played again, after other matches, went otherwise in hand"),
    "RemembersOtherMatches": ("same seed, same play", "played again, after other matches, went otherwise in hand"),
    "LooksAtTheStock": ("blind to hidden cards", "in hand 0 other hidden cards changed its play, at step"),
    "LooksAtTheBonus": ("honest about scoring", "it declares uses_scoring = False, and hand 0 of match 0 went otherwise with gin 200"),
    "LooksAtTheScore": ("honest about scoring", "it declares uses_scoring = False, and hand"),
}


@pytest.mark.parametrize("name", BREAKERS)
def test_who_breaks_the_contract_is_found_out(name: str) -> None:
    results = list(contract.check(bad(name), hands=30))
    (broken,) = (result for result in results if not result.passed)
    assert broken.name == BREAKERS[name][0]
    assert BREAKERS[name][1] in broken.detail


def test_who_says_that_the_scoring_matters_may_look_at_it_and_is_told_where_it_does_not() -> None:
    results = {result.name: result for result in contract.check(bad("SaysThatItLooksAtTheBonus"), hands=10)}
    assert results["honest about scoring"].passed and "as it declares" in results["honest about scoring"].detail
    results = {result.name: result for result in contract.check(bad("SaysThatItLooks"), hands=10)}
    assert results["honest about scoring"].passed
    assert results["honest about scoring"].detail.endswith("though it declares uses_scoring = True")
