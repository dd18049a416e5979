"""A run depends on its plan and on nothing else: not on workers, chunks, hash seeds, memory or disk, or what was played before."""

from __future__ import annotations

import json
import os
import re
import shlex
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from commands import ENVIRONMENT, answered, contents, engine, lasting, python, times  # noqa: F401

import ginsim
from ginsim import Run, UsageError, simulate
from ginsim.plan import Chunk, Plan, make_plan
from ginsim.rules import load, preset_names
from ginsim.runner import play_chunk

VARIANTS: dict[str, dict[str, Any]] = {
    "single hands": {"rules": "gin", "hands": 150},
    "mirrored hands": {"rules": "eaai", "hands": 150, "mirror": True, "strategies": ["simple", "simple:knock=0"]},
    "three-handed hands": {"rules": "three-handed", "hands": 150, "strategies": ["simple", "random", "simple:knock=3"]},
    "series": {"rules": "hollywood", "matches": 25},
    "mirrored games": {"rules": "oklahoma", "matches": 25, "mirror": True},
    "three-handed games": {"rules": "three-handed", "matches": 25},
}


@pytest.fixture(scope="module", params=VARIANTS)
def variant(request: pytest.FixtureRequest) -> tuple[Callable[..., Run], Run]:
    """A way to play a variant with seed 42, and what it gives when it is played at once by one worker."""

    def play(**settings: Any) -> Run:
        return simulate(**{**VARIANTS[request.param], "seed": 42, **settings})

    return play, play(workers=1, chunk=65536)


def frames(run: Run) -> dict[str, pl.DataFrame]:
    return {table: run.frame(table) for table in run.plan.layout.tables}


# Identity


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("chunk", [1, 7, 1000, 65536])
def test_rows_and_report_do_not_depend_on_workers_and_chunks(
    variant: tuple[Callable[..., Run], Run], workers: int, chunk: int
) -> None:
    play, expected = variant
    if expected.plan.mirror:
        chunk += chunk % 2
    run = play(workers=workers, chunk=chunk)
    for table, frame in frames(expected).items():
        assert run.frame(table).equals(frame), table
    assert run.table_hash() == expected.table_hash()
    assert lasting(run.report()) == lasting(expected.report())
    texts = [re.sub(r" · [0-9.]+ s$", "", each.show(), flags=re.MULTILINE) for each in (run, expected)]
    assert texts[0] == texts[1]


def test_rows_come_in_order_without_gaps(variant: tuple[Callable[..., Run], Run]) -> None:
    play, _ = variant
    run = play(workers=5, chunk=4)
    hands = run.frame()
    if run.plan.unit == "hands":
        assert hands["hand"].to_list() == list(range(run.count))
        return
    matches = run.frame("matches")
    assert matches["match"].to_list() == list(range(run.count))
    numbers = [(match, hand) for match, length in enumerate(matches["hands"]) for hand in range(length)]
    assert hands.select("match", "hand").rows() == numbers
    games = run.frame("games").select("match", "game").rows()
    assert games == [(match, game + 1) for match in range(run.count) for game in range(run.plan.layout.games)]


@pytest.mark.parametrize("chunk", [7, None])
def test_a_stored_run_is_the_same_as_one_in_memory(
    variant: tuple[Callable[..., Run], Run], chunk: int | None, tmp_path: Path
) -> None:
    play, expected = variant
    if chunk and expected.plan.mirror:
        chunk += 1
    stored = play(out=tmp_path / "run", chunk=chunk, workers=2)
    for run in (stored, ginsim.open_run(tmp_path / "run")):
        for table, frame in frames(expected).items():
            assert run.frame(table).equals(frame), table
            assert run.scan(table).collect_schema() == frame.schema
        assert run.table_hash() == expected.table_hash()
        assert lasting(run.report()) == lasting(expected.report())
    assert stored.command() == ginsim.open_run(tmp_path / "run").command()


def test_rows_do_not_depend_on_the_hash_seed_of_python() -> None:
    code = f"""
import ginsim
for settings in {list(VARIANTS.values())}:
    print(ginsim.simulate(**settings, seed=42).table_hash())
"""
    expected = [simulate(**settings, seed=42).table_hash() for settings in VARIANTS.values()]
    assert len(set(expected)) == len(VARIANTS)
    for seed in "01":
        done = python(code, env={**ENVIRONMENT, "PYTHONHASHSEED": seed})
        assert done.stdout.split() == expected, done.stderr


def test_the_table_hash_tells_runs_apart() -> None:
    hashes = [
        simulate("gin", hands=hands, seed=seed, settings=settings, strategies=strategies).table_hash()
        for hands, seed, settings, strategies in [
            (200, 1, {}, "simple"),
            (199, 1, {}, "simple"),
            (200, 2, {}, "simple"),
            (200, 1, {"gin_bonus": 26}, "simple"),
            (200, 1, {}, "random"),
            (200, 1, {}, ["simple", "random"]),
        ]
    ]
    assert len(set(hashes)) == len(hashes)


# Seeds


def test_every_64_bits_are_a_seed_and_each_gives_deals_of_its_own() -> None:
    seeds = [0, 1, 2**32, 2**32 + 1, 2**63, 2**64 - 1]
    runs = {seed: simulate("gin", hands=1000, seed=seed) for seed in seeds}
    assert len({run.table_hash() for run in runs.values()}) == len(seeds)
    assert simulate("gin", hands=1000, seed=0).table_hash() == runs[0].table_hash()
    for seed, run in runs.items():
        assert run.report()["seed"] == run.plan.seed == seed
        # Hands repeat in a few columns now and then; repeated deals, or a stream that stands still, leave far fewer.
        assert len(run.frame().drop("hand").unique()) > 990


@pytest.mark.parametrize("seed", [-1, 2**64, -(2**63)])
def test_other_numbers_are_no_seeds(seed: int) -> None:
    with pytest.raises(UsageError, match=r"must be from 0 to 2\^64 - 1"):
        simulate("gin", hands=1, seed=seed)


def test_neighbouring_seeds_and_numbers_share_no_hands() -> None:
    hands = pl.concat([simulate("gin", hands=500, seed=seed).frame().drop("hand") for seed in range(4)])
    assert len(hands.unique()) > 1970


def test_runs_without_a_seed_differ_and_name_the_seed_that_repeats_them(tmp_path: Path) -> None:
    seeds = []
    for name in "ab":
        report = json.loads(answered("simulate", "--hands", 1000, "--workers", 8, "--out", tmp_path / name, "--format", "json"))
        seeds.append(report["seed"])
        assert json.loads((tmp_path / name / "plan.json").read_text())["seed"] == report["seed"]
        assert len(ginsim.open_run(tmp_path / name).frame().drop("hand").unique()) > 990
        again = answered("simulate", "--hands", 1000, "--seed", report["seed"], "--out", tmp_path / f"{name} again")
        assert f"· seed {report['seed']} ·" in again
        assert report["hash"] == ginsim.open_run(tmp_path / f"{name} again").table_hash()
    assert seeds[0] != seeds[1]
    first, second = (re.search(r"seed (\d+)", answered("simulate", "--hands", 5))[1] for _ in range(2))
    assert first != second


def test_a_stored_run_without_a_seed_goes_on_with_its_own(tmp_path: Path) -> None:
    first = simulate("gin", hands=100, out=tmp_path)
    second = simulate("gin", hands=200, out=tmp_path)
    assert second.plan.seed == first.plan.seed
    assert second.frame().head(100).equals(simulate("gin", hands=100, seed=first.plan.seed).frame())


def test_numpy_numbers_are_numbers(tmp_path: Path) -> None:
    run = simulate("gin", hands=np.int64(30), seed=np.uint64(2**63), chunk=np.int32(10), out=tmp_path)
    assert run.table_hash() == simulate("gin", hands=30, seed=2**63).table_hash()
    assert json.loads((tmp_path / "plan.json").read_text())["seed"] == 2**63


# Parts and the whole


def test_a_shorter_run_is_the_beginning_of_a_longer_one() -> None:
    long = simulate("hollywood", hands=1000, seed=42).frame()
    assert simulate("hollywood", hands=500, seed=42).frame().equals(long.head(500))
    whole, half = (simulate("hollywood", matches=count, seed=42, workers=2) for count in (60, 30))
    for table in ("hands", "games", "matches"):
        assert half.frame(table).equals(whole.frame(table).filter(pl.col("match") < 30))


def test_one_hand_or_match_played_alone_is_that_of_the_run(variant: tuple[Callable[..., Run], Run]) -> None:
    _, run = variant
    number = {"hands": 137, "matches": 17}[run.plan.unit]
    alone = play_chunk(run.plan, Chunk(0, number, 1))
    for table, frame in frames(run).items():
        key = "hand" if run.plan.unit == "hands" else "match"
        assert alone[table].equals(frame.filter(pl.col(key) == number)), table


def test_numbers_reach_far_beyond_32_bits() -> None:
    plan = make_plan(load("hollywood"), unit="hands", seed=1)
    first = play_chunk(plan, Chunk(0, 0, 50))["hands"]
    for number in (2**32, 2**33, 2**40):
        far = play_chunk(plan, Chunk(0, number, 50))["hands"]
        assert far["hand"].to_list() == list(range(number, number + 50))
        assert not far.drop("hand").equals(first.drop("hand"))


@pytest.mark.parametrize(
    ("settings", "size"),
    [({"rules": "gin", "hands": 1}, 500), ({"rules": "three-handed", "matches": 1}, 50), ({"rules": "eaai", "matches": 1}, 50)],
)
def test_an_extended_run_is_the_same_as_one_played_at_once(settings: dict[str, Any], size: int, tmp_path: Path) -> None:
    unit = "hands" if "hands" in settings else "matches"
    # Two whole chunks and a bit; then the last is filled, one is added whole, and one in part.
    for count in (size, 2 * size):
        parts = simulate(**{**settings, unit: count}, seed=42, chunk=size * 3 // 8, out=tmp_path / "parts")
    at_once = simulate(**{**settings, unit: 2 * size}, seed=42, chunk=size * 3 // 8, out=tmp_path / "at once")
    assert contents(tmp_path / "parts") == contents(tmp_path / "at once")
    assert parts.table_hash() == at_once.table_hash()
    assert parts.count == ginsim.open_run(tmp_path / "parts").count == 2 * size
    assert lasting(parts.report()) == lasting(ginsim.open_run(tmp_path / "parts").report()) == lasting(at_once.report())


@pytest.mark.parametrize("unit", ["hands", "matches"])
def test_a_finished_run_run_again_changes_nothing(unit: str, tmp_path: Path) -> None:
    first = simulate(seed=1, chunk=20, out=tmp_path, **{unit: 50})
    before = contents(tmp_path), times(tmp_path)
    time.sleep(0.02)
    again = simulate(seed=1, chunk=20, out=tmp_path, workers=1, **{unit: 50})
    assert (contents(tmp_path), times(tmp_path)) == before
    assert lasting(again.report()) == lasting(first.report())


def test_mirrored_hands_share_their_cards_with_a_and_b_exchanged() -> None:
    hands = simulate("gin", hands=400, seed=5, mirror=True).frame()
    even, odd = hands.gather_every(2), hands.gather_every(2, 1)
    assert even["upcard"].equals(odd["upcard"])
    assert set(even["dealer"]) == {"B"} and set(odd["dealer"]) == {"A"}
    assert even["upcard"].n_unique() > 45
    exchanged = simulate("gin", hands=400, seed=5, mirror=True, strategies=["simple:knock=0", "simple:knock=5"]).frame()
    assert exchanged["upcard"].equals(hands["upcard"])


def test_mirrored_matches_share_their_cards_with_a_and_b_exchanged() -> None:
    for rules in ("gin", "three-handed"):
        run = simulate(rules, matches=100, seed=5, mirror=True)
        dealers, upcards = run.frame("matches")["first_dealer"].to_list(), run.frame().filter(pl.col("hand") == 0)["upcard"]
        exchange = {"A": "B", "B": "A", "C": "C"}
        assert dealers[1::2] == [exchange[dealer] for dealer in dealers[::2]]
        assert upcards.gather_every(2).equals(upcards.gather_every(2, 1))
        assert len(set(dealers)) == run.plan.layout.seats


def test_a_last_hand_without_its_mirror_image_is_played_too() -> None:
    odd, even = (simulate("gin", hands=hands, seed=5, mirror=True) for hands in (3, 4))
    assert odd.frame().equals(even.frame().head(3))
    assert odd.report()["hands"] == 3


# What stands in a row


@pytest.mark.parametrize("rules", preset_names())
def test_points_follow_from_the_other_columns_of_a_row(rules: str) -> None:
    """R16 to R20, R32: what a hand is worth is what its facts are worth."""
    hands = simulate(rules, hands=100_000, seed=4).frame()
    packed = load(rules)
    knocker, defender, after = (
        pl.col(name).cast(pl.Int32) for name in ("knocker_deadwood", "defender_deadwood", "defender_deadwood_after")
    )
    doubled = pl.when(pl.lit(packed.spade_doubles) & pl.col("upcard").cast(pl.String).str.ends_with("S")).then(2).otherwise(1)
    worth = (
        pl.when(pl.col("ending") == "knock").then(after - knocker)
        .when(pl.col("ending") == "undercut").then(packed.undercut_bonus + knocker - after)
        .when(pl.col("ending") == "gin").then(packed.gin_bonus + defender)
        .otherwise(0)
    )
    decided = pl.col("ending").is_in(["knock", "undercut", "gin"])
    wrong = hands.filter(
        (pl.col("points") != worth * doubled)
        | (decided != pl.col("winner").is_not_null())
        | (decided != pl.col("knocker").is_not_null())
        | (decided != pl.col("points").is_between(1, 2 * (packed.gin_bonus + 98)))
        | (decided & ((pl.col("winner") == pl.col("knocker")) == (pl.col("ending") == "undercut")))
        # Another arrangement may leave more before laying off and less after it.
        | (decided & ~after.is_between(defender - pl.col("laid_off").cast(pl.Int32), defender))
        | ((pl.col("ending") == "gin") & ((knocker != 0) | (pl.col("laid_off_cards") != 0)))
        | ((pl.col("ending") == "knock") & (after <= knocker))
        | ((pl.col("ending") == "undercut") & (after > knocker))
        | (pl.col("pile_takes") > pl.col("draws"))
        | ((pl.col("stock_left") + pl.col("draws") - pl.col("pile_takes")) != 31)
    )
    assert wrong.is_empty(), wrong
    assert set(hands["ending"]) >= ({"gin", "draw"} if packed.knock_limit == 0 else {"knock", "undercut", "gin", "draw"})


@pytest.mark.parametrize("rules", ["gin", "oklahoma", "eaai", "three-handed"])
def test_scores_are_the_running_totals_of_the_points(rules: str) -> None:
    run = simulate(rules, matches=2000, seed=4)
    hands, games, matches = (run.frame(table) for table in ("hands", "games", "matches"))
    seats = "abc"[: run.plan.layout.seats]
    for seat in seats:
        entered = pl.when(pl.col("winner") == seat.upper()).then(pl.col("points")).otherwise(0)
        assert hands.select(entered.cum_sum().over("match")).to_series().equals(hands[f"score_{seat}"], check_names=False)
        last = hands.group_by("match", maintain_order=True).last()[f"score_{seat}"]
        assert last.equals(games[f"score_{seat}"], check_names=False)
    best = games.select(pl.max_horizontal(f"score_{seat}" for seat in seats)).to_series()
    assert (best >= run.plan.rules.target).all()
    report = run.report()
    for seat in seats:
        assert report["rates"][f"match_won_{seat}_share"]["count"] == (matches["winner"] == seat.upper()).sum()
    assert report["hands"] == matches["hands"].sum() == len(hands)


def test_a_report_counts_what_the_table_holds() -> None:
    run = simulate("hollywood", hands=20_000, seed=4)
    hands, report = run.frame(), run.report()
    for ending, count in hands["ending"].value_counts().iter_rows():
        assert report["rates"][f"{ending}_rate"]["count"] == count
    for name in ("draws", "points", "laid_off", "knocker_deadwood"):
        values = hands.filter(pl.col("winner").is_not_null())[name] if name == "points" else hands[name]
        if name in ("laid_off", "knocker_deadwood"):
            values = hands.filter(pl.col("ending").is_in(["knock", "undercut"]))[name]
        found = report["distributions"][name]
        assert found["n"] == len(values)
        assert found["mean"] == pytest.approx(values.mean())
        assert found["sd"] == pytest.approx(values.std())
        assert (found["min"], found["max"]) == (values.min(), values.max())
        assert found["quantiles"]["50"] == values.sort()[len(values) // 2 - 1]


# The command that repeats a run


@pytest.mark.parametrize(
    "options",
    [
        ["--hands", "60"],
        ["--matches", "4", "--mirror", "--rules", "oklahoma"],
        ["--hands", "60", "--strategy", "random"],
        ["--hands", "60", "--strategy", "simple", "--strategy", "simple:knock=0"],
        ["--matches", "4", "--rules", "three-handed", "--strategy", "simple:knock=4", "--strategy", "simple", "--strategy", "random"],
        ["--hands", "60", "--set", "gin_bonus=20"],
        ["--matches", "6", "--set", "gin_bonus=20", "--set", "games=1", "--set", "series_end=decided", "--set", "shut_out=next_game"],
        ["--hands", "60", "--rules", "gin", "--set", "big_gin_bonus=0"],
        ["--hands", "60", "--rules", "gin", "--set", "big_gin_bonus=31", "--set", "last_discard=knock", "--set", "stock_floor=0"],
        ["--hands", "60", "--rules", "oklahoma", "--set", "ace_upcard=one", "--set", "spade_doubles=false"],
        ["--hands", "60", "--rules", "oklahoma", "--set", "upcard_sets_limit=false"],
        ["--hands", "60", "--rules", "gin", "--set", "upcard_sets_limit=true", "--set", "discard_taken_card=true"],
        ["--matches", "4", "--rules", "gin", "--set", "next_dealer=loser", "--set", "box_bonus=25", "--set", "max_hands=3"],
        ["--matches", "4", "--rules", "three-handed", "--set", "target=40", "--set", "blitz_bonus=7"],
        ["--hands", "60", "--rules", "{house}"],
        ["--hands", "60", "--out", "{tmp}/a run, ü"],
        ["--matches", "4", "--out", "{tmp}/run", "--chunk", "3"],
    ],
)
def test_the_last_line_is_a_command_that_plays_the_same(options: list[str], tmp_path: Path) -> None:
    (tmp_path / "my house.toml").write_text('base = "straight"\ngin_bonus = 30\nundercut_on_tie = false\nmax_draws = 12\n')
    options = [option.format(tmp=tmp_path, house=tmp_path / "my house.toml") for option in options]
    if "--out" not in options:
        options += ["--out", str(tmp_path / "first")]
    first = answered("simulate", "--seed", "18446744073709551615", *options)
    again = shlex.split(first.rstrip().splitlines()[-1].partition("Again:")[2])
    assert again[:2] == ["ginsim", "simulate"]
    place = again.index("--out") + 1
    assert again[place] == options[options.index("--out") + 1]
    report = ginsim.open_run(again[place]).report()
    again[place] = str(tmp_path / "again")
    answered(*again[1:])
    repeated = ginsim.open_run(tmp_path / "again").report()
    assert repeated["hash"] == report["hash"]
    # As text, for to Python false is 0.
    assert json.dumps(repeated["plan"]["rules"]) == json.dumps(report["plan"]["rules"])
    assert shlex.split(repeated["command"]) == again


# What can not be played


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"hands": 1, "matches": 1}, "hands and matches: choose one."),
        ({"hands": 0}, "hands = 0: must be 1 or more."),
        ({"matches": -1}, "matches = -1: must be 1 or more."),
        ({"hands": 1, "workers": 0}, "workers = 0: must be 1 or more, or auto."),
        ({"hands": 1, "chunk": 0}, "a chunk of 0 hands: must be from 1 to 1,000,000."),
        ({"matches": 1, "chunk": 10**6}, "a chunk of 1,000,000 matches: must be from 1 to 100,000."),
        ({"hands": 1, "chunk": 3, "mirror": True}, "a chunk of 3 would part a mirrored pair: take an even number."),
        ({"hands": 1, "strategies": []}, "0 strategies for 2 seats: name one for all seats, or one a seat in the order A, B."),
        ({"hands": 1, "rules": "hollywod"}, "Did you mean 'hollywood'?"),
        ({"hands": 1, "settings": {"gin_bonus": None}}, "gin_bonus"),
        ({"hands": 1, "rules": load("gin"), "settings": {"gin_bonus": 1}}, "loaded rules are complete."),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_line(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        simulate(seed=1, **settings)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_tables_that_are_not_there_are_named() -> None:
    kept = simulate("gin", hands=5, seed=1)
    with pytest.raises(UsageError, match="this run has no table 'games'; it has: hands."):
        kept.scan("games")
    with pytest.raises(UsageError, match="this run kept no rows"):
        simulate("gin", hands=5, seed=1, keep=False).scan()


# The plan


@pytest.mark.parametrize("settings", VARIANTS.values(), ids=VARIANTS)
def test_a_plan_comes_back_from_json(settings: dict[str, Any]) -> None:
    plan = simulate(**settings, seed=2**64 - 1, keep=False).plan
    again = Plan.from_dict(json.loads(json.dumps(plan.as_dict())))
    assert again == plan
    assert again.difference(plan) is None
    assert again.rules == plan.rules and again.rules.name == plan.rules.name


def changed(**values: Any) -> Plan:
    """A plan in which something is other than in :func:`changed` without values."""
    settings = {"unit": "hands", "seed": 1, "strategies": ["simple", "simple:knock=5"], "rules": "gin"} | values
    return make_plan(load(settings.pop("rules"), settings.pop("set", ())), **settings)


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        ({}, None),
        ({"seed": 2}, "seed is 1 there and 2 here"),
        ({"unit": "matches"}, "unit is hands there and matches here"),
        ({"mirror": True}, "mirror is not in use there and in use here"),
        ({"chunk": 10}, "chunk is 100000 there and 10 here"),
        ({"set": ["gin_bonus=26"]}, "gin_bonus is 25 there and 26 here"),
        ({"set": ["big_gin_bonus=0"]}, "big_gin_bonus is not in use there and 0 here"),
        ({"rules": "hollywood"}, "format is game there and hollywood here"),
        ({"strategies": ["simple"]}, "B is simple:knock=5 there and simple here"),
        ({"strategies": ["random", "simple:knock=5"]}, "A is simple there and random here"),
        ({"seed": 2, "set": ["gin_bonus=26"]}, "seed is 1 there and 2 here"),
    ],
)
def test_the_first_difference_between_two_plans_is_named(other: dict[str, Any], difference: str | None) -> None:
    assert changed().difference(changed(**other)) == difference


def test_workers_counts_and_names_of_rules_are_no_part_of_a_plan(tmp_path: Path) -> None:
    one = simulate("hollywood-20", hands=10, seed=1, workers=1, keep=False, chunk=10).plan
    two = simulate("hollywood", settings={"gin_bonus": 20}, hands=20, seed=1, workers=3, keep=False, chunk=10).plan
    assert one.rules.name != two.rules.name
    assert one.difference(two) is None


# One process, many threads


def test_the_api_runs_twice_in_one_process_with_few_threads(tmp_path: Path) -> None:
    code = """
import os, sys, threading, ginsim
most = 0
over = threading.Event()
def watch():
    global most
    while not over.wait(0.005):
        with os.scandir("/proc/self/task") as tasks:
            most = max(most, sum(1 for _ in tasks))
watcher = threading.Thread(target=watch)
if os.path.isdir("/proc/self/task"):
    watcher.start()
for name in "ab":
    run = ginsim.simulate(hands=20_000, seed=1, workers=4, chunk=1000, out=f"{sys.argv[1]}/{name}")
    print(run.table_hash())
over.set()
print(most, len(ginsim.open_run(f"{sys.argv[1]}/a").frame()))
"""
    done = python(code, tmp_path)
    assert done.returncode == 0
    assert "fork" not in done.stderr
    first, second, counts = done.stdout.splitlines()
    threads, rows = map(int, counts.split())
    assert first == second
    assert rows == 20_000
    # The watcher itself, and what the libraries start once for all.
    assert threads <= 4 * 4 + 8 + (os.cpu_count() or 1)


def test_a_script_without_a_main_guard_just_works(tmp_path: Path) -> None:
    script = tmp_path / "play.py"
    script.write_text("import ginsim\nrun = ginsim.simulate(hands=2000, seed=1, workers=2)\nprint(run.table_hash())\n")
    done = python(f"import runpy; runpy.run_path({str(script)!r}, run_name='__main__')")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [simulate(hands=2000, seed=1).table_hash()]


def test_two_runs_at_once_in_one_process_do_not_meet() -> None:
    expected = [simulate("gin", hands=3000, seed=seed, workers=1).table_hash() for seed in range(4)]
    found: dict[int, str] = {}

    def play(seed: int) -> None:
        found[seed] = simulate("gin", hands=3000, seed=seed, workers=2, chunk=500).table_hash()

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed] for seed in range(4)] == expected


def test_the_api_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    simulate("gin", hands=2000, seed=1, progress=True)
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak of memory from /proc")
def test_memory_stays_flat_while_two_million_hands_go_to_disk_and_to_csv(tmp_path: Path) -> None:
    code = """
import re, sys
from ginsim.cli import cli
for arguments in (
    ["simulate", "--hands", "2m", "--seed", "1", "--out", sys.argv[1] + "/run", "--workers", "2"],
    ["export", sys.argv[1] + "/run", "--to", sys.argv[1] + "/hands.csv"],
    ["report", sys.argv[1] + "/run"],
):
    cli(arguments, standalone_mode=False)
    print(int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]), file=sys.stderr)
"""
    done = python(code, tmp_path)
    peaks = [int(line) / 1024 for line in done.stderr.splitlines() if line.isdigit()]
    assert len(peaks) == 3, done.stderr
    assert peaks[-1] < 600
    with (tmp_path / "hands.csv").open("rb") as file:
        assert sum(1 for _ in file) == 2_000_001


def test_an_extension_that_names_no_chunk_keeps_the_stored_one(tmp_path: Path) -> None:
    simulate("gin", hands=250, seed=3, chunk=100, out=tmp_path / "run")
    simulate("gin", hands=500, seed=3, out=tmp_path / "run")
    stored = ginsim.open_run(tmp_path / "run")
    assert (stored.plan.chunk, stored.count) == (100, 500)
    assert stored.table_hash() == simulate("gin", hands=500, seed=3).table_hash()


def test_the_rules_that_differ_are_named_before_the_chunk(tmp_path: Path) -> None:
    simulate("gin", hands=10, seed=3, chunk=100, out=tmp_path / "run")
    with pytest.raises(UsageError, match="gin_bonus is 25 there and 20 here"):
        simulate("gin", settings={"gin_bonus": 20}, hands=10, seed=3, chunk=50, out=tmp_path / "run")


@pytest.mark.parametrize("wrong", [{"hands": "x"}, {"hands": 2.5}, {"matches": "1"}, {"seed": 1.0}])
def test_a_number_that_is_no_whole_number_is_named(wrong: dict) -> None:
    ((name, value),) = wrong.items()
    with pytest.raises(UsageError, match=f"{name} = {re.escape(repr(value))}: must be a whole number"):
        simulate("gin", **wrong)


def test_a_run_shows_itself_in_a_line() -> None:
    assert repr(simulate("gin", hands=10, seed=1)) == "<Run: 10 hands, ginsim simulate --rules gin --hands 10 --seed 1>"
