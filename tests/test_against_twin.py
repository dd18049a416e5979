"""The engine against its slow twin: whole hands and matches, every column, under every preset and odd rules."""

from collections.abc import Mapping
from random import Random
from typing import Any

import naive
import pytest
import table
from table import SEATS, Dice, dense_deal, differences, played_otherwise, several

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

PRESETS = list(naive.PRESETS)


def specs_for(name: str, *specs: str) -> list[str]:
    """The same players at two or three seats."""
    return list(specs[: 3 if name == "three-handed" else 2])


PLAYERS = [
    ("simple",) * 3,
    ("random",) * 3,
    ("simple:knock=0",) * 3,
    ("simple:knock=4", "random", "simple:knock=3"),
    ("random", "simple", "simple"),
]
IDS = [" v ".join(dict.fromkeys(specs)) for specs in PLAYERS]

#: Fields that are otherwise than in any preset, alone and together.
ODD = [
    {"last_discard": "knock"},
    {"last_discard": "knock", "big_gin_bonus": 31, "discard_taken_card": True, "stock_floor": 10},
    {"last_discard": "knock", "max_draws": 22, "stock_floor": 9},
    {"undercut_on_tie": False, "undercut_bonus": 0},
    {"stock_floor": 0},
    {"stock_floor": 10, "max_draws": 25},
    {"knock_limit": 3, "big_gin_bonus": 0, "gin_bonus": 0, "undercut_bonus": 0},
    {"upcard_sets_limit": True, "ace_upcard": "one", "spade_doubles": True, "undercut_on_tie": False},
    {"upcard_sets_limit": True, "ace_upcard": "gin", "big_gin_bonus": 50, "last_discard": "knock"},
    {"discard_taken_card": True, "max_draws": 60},
    {"max_draws": 1},
]


@pytest.mark.parametrize("mirror", [False, True], ids=["plain", "mirrored"])
@pytest.mark.parametrize("specs", PLAYERS, ids=IDS)
@pytest.mark.parametrize("name", PRESETS)
def test_r5_to_r20_single_hands_of_every_preset_are_the_twins(name: str, specs: tuple[str, ...], mirror: bool) -> None:
    first = 10 if mirror else 2**33
    assert differences(name, specs_for(name, *specs), 7, several(20, 6), first=first, mirror=mirror) == []


@pytest.mark.parametrize("mirror", [False, True], ids=["plain", "mirrored"])
@pytest.mark.parametrize("specs", PLAYERS[:1] + PLAYERS[3:], ids=IDS[:1] + IDS[3:])
@pytest.mark.parametrize("name", PRESETS)
def test_r20_to_r34_matches_of_every_preset_are_the_twins(name: str, specs: tuple[str, ...], mirror: bool) -> None:
    changes = {"max_hands": 30} if "random" in specs else {}
    count = several(4, 2) if mirror else several(2, 1)
    found = differences(
        name, specs_for(name, *specs), 2**63 + 5, count, unit="matches", first=2**20, mirror=mirror, changes=changes
    )
    assert found == []


@pytest.mark.parametrize("specs", PLAYERS, ids=IDS)
@pytest.mark.parametrize(
    "changes", ODD, ids=lambda changes: ", ".join(f"{key} {value}" for key, value in changes.items())
)
def test_r8_r11_r15_r16_r18_r32_hands_under_odd_rules_are_the_twins(
    changes: Mapping[str, Any], specs: tuple[str, ...]
) -> None:
    assert differences("gin", specs_for("gin", *specs), 11, several(20, 6), changes=changes) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"games": 1},
        {"games": 2, "box_bonus": 25},
        {"games": 9, "shut_out": "next_game", "target": 60},
        {"games": 4, "series_end": "decided"},
        {"shut_out": "next_game", "box_bonus": 25, "game_bonus": 100, "blitz_bonus": 50, "next_dealer": "loser"},
        {"max_hands": 7, "target": 30, "next_dealer": "alternate"},
        {"target": 1, "games": 3},
        {"target": 300, "gin_bonus": 0, "undercut_bonus": 0, "undercut_on_tie": True},
    ],
    ids=lambda changes: ", ".join(f"{key} {value}" for key, value in changes.items()),
)
@pytest.mark.parametrize("specs", [["simple"], ["simple:knock=0", "simple"]], ids=" v ".join)
def test_r22_r23_r24_r25_r31_series_under_odd_rules_are_the_twins(changes: Mapping[str, Any], specs: list[str]) -> None:
    assert differences("hollywood", specs, 5, several(4, 1), unit="matches", changes=changes) == []


@pytest.mark.parametrize("name", ["gin", "three-handed", "oklahoma"])
def test_r16_matches_in_which_hands_are_drawn_tied_and_stopped_are_the_twins(name: str) -> None:
    changes = {
        "undercut_on_tie": False,
        "stock_floor": 10,
        "max_draws": 21,
        "last_discard": "knock",
        "target": 40,
        "big_gin_bonus": 0,
    }
    for specs in (["simple"], ["simple:knock=2"]):
        assert differences(name, specs, 17, several(8, 2), unit="matches", changes=changes | {"max_hands": 60}) == []


def some_rules(source: Random) -> tuple[str, dict[str, Any]]:
    """A preset with each field changed by chance."""
    name = source.choice(PRESETS)
    yes = source.choice
    changes: dict[str, Any] = {
        "target": source.choice([1, 25, 60, 100]),
        "knock_limit": source.randint(0, 10),
        "upcard_sets_limit": yes([True, False]),
        "spade_doubles": yes([True, False]),
        "gin_bonus": source.choice([0, 20, 25, 1000]),
        "undercut_bonus": source.choice([0, 10, 25]),
        "undercut_on_tie": yes([True, False]),
        "big_gin_bonus": source.choice([False, 0, 31]),
        "discard_taken_card": yes([True, False]),
        "stock_floor": source.randint(0, 10),
        "last_discard": yes(["dead", "knock"]),
        "box_bonus": source.choice([0, 20]),
        "game_bonus": source.choice([0, 100]),
        "blitz_bonus": source.choice([0, 50]),
        "max_draws": source.choice([400, 40, 22, 5]),
        "max_hands": source.choice([3, 12, 25]),
    }
    if changes["upcard_sets_limit"]:
        changes["ace_upcard"] = yes(["gin", "one"])
    if name.startswith("hollywood"):
        changes |= {
            "games": source.randint(1, 5),
            "series_end": yes(["all", "decided"]),
            "shut_out": yes(["literal", "next_game"]),
        }
    if name != "three-handed":
        changes["next_dealer"] = yes(["winner", "loser", "alternate"])
    kept = {
        field: value
        for field, value in changes.items()
        if source.random() < 0.6 or field in ("max_hands", "upcard_sets_limit")
    }
    if not kept["upcard_sets_limit"]:
        kept.pop("ace_upcard", None)
    return name, kept


def some_players(source: Random, name: str) -> list[str]:
    known = ["simple", "random", "simple:knock=0", "simple:knock=3", "simple:knock=10"]
    return specs_for(name, *(source.choice(known) for _ in range(3)))


@pytest.mark.parametrize("start", range(10))
def test_r5_to_r34_hands_and_matches_under_rules_thrown_together_are_the_twins(start: int) -> None:
    source = Random(start)
    for _ in range(several(2, 1)):
        name, changes = some_rules(source)
        specs, seed, mirror = some_players(source, name), source.getrandbits(64), source.random() < 0.5
        first = source.getrandbits(source.choice([3, 20, 40]))
        for unit, count in (("hands", several(12, 6)), ("matches", 2)):
            found = differences(name, specs, seed, count, unit=unit, mirror=mirror, first=first, changes=changes)
            assert found == [], (name, specs, seed, unit, mirror, first, changes)


@pytest.mark.parametrize("start", range(6))
def test_r6_to_r19_hands_played_by_whims_on_dense_deals_are_the_twins_action_by_action(start: int) -> None:
    """Players that take, throw and knock as no strategy does, the same at both tables; every action is compared."""
    source = Random(100 + start)
    for _ in range(several(10, 4)):
        name, changes = some_rules(source)
        cards = dense_deal(source) if source.random() < 0.7 else source.sample(naive.DECK, 52)
        seed, odds = source.getrandbits(32), [source.choice([0.1, 0.5, 0.9]) for _ in range(4)]
        found = played_otherwise(
            cards,
            lambda seed=seed, odds=odds: {"A": Dice(seed, *odds[:2]), "B": Dice(seed + 1, *odds[2:])},
            name,
            source.choice(SEATS[:2]),
            changes,
        )
        assert found == [], (cards, name, changes, seed, odds)


def test_differences_are_found_where_there_are_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself can fail: one rule otherwise at the twin's table shows in hands, games and matches."""
    true_rules = table.twin_rules
    monkeypatch.setattr(
        table, "twin_rules", lambda name, **changes: true_rules(name, **changes) | {"undercut_bonus": 11}
    )
    found = differences("gin", ["simple"], 3, 100)
    assert found
    assert all("points: 1" in each or "points: 2" in each or "points: 3" in each for each in found)
    in_matches = differences("gin", ["simple"], 3, 5, unit="matches")
    assert {each.split(" ")[0] for each in in_matches} >= {"hands", "games", "matches"}
    whims = iter(range(4))
    found = played_otherwise(naive.deal(1, 0, 0), lambda: {seat: Dice(next(whims)) for seat in "AB"}, "gin")
    assert any(each.startswith("action") for each in found)
