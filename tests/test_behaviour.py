"""What each player does in the same position, and why: the players side by side.

What each does by itself is tested in ``test_strategies.py`` (random, simple), ``test_patient.py``, ``test_expert.py`` and ``test_rollout.py``.
"""

from typing import Any

import pytest
from ginsim.hand import DISCARD, KNOCKING, LAST, OFFER, TAKE
from ginsim.strategies import strategy
from table import TEXT, bits, texts
from test_rollout import view_of

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

PLAYERS = ("simple", "simple:knock=4", "patient", "expert", "rollout:worlds=40,base=simple")
EARLY = {"draws": 4, "turns": 2, "pile": "KC"}
LATE = {"draws": 16, "turns": 8, "pile": "KC JH TS 2S 8H QH"}


def sat(player: str, held: str, asked: int, rules: str, seen: dict[str, Any]) -> Any:
    """The strategy and its view, with the pile's top as told."""
    seen = dict(seen)
    if seen.get("top"):
        seen["pile"] = f"{seen.get('pile', '')} {seen['top']}"
    # The view is one of these tests of ``rollout``; for the others their own numbers stand in front.
    return strategy(player.partition(":")[0]), view_of(held, asked, rules, player, **seen)


#: Held, face-up card, rules, what else is seen, who takes it, why.
TAKING = [
    ("5C 5D 9H KS QD 2C 7H 3S JC 8D", "5S", "gin", EARLY, "all", "a set of fives, and a king goes"),
    ("5C 6C 9H KS QD 2D 7H 3S JC 8D", "7C", "eaai", EARLY, "all", "a run, and a king goes"),
    ("2C 3C 4C 5D 6D 7D 9H 9S 9C KS", "9D", "eaai", LATE, "all", "it makes gin"),
    ("5C 6C 9H KS QD 2D 7H 3S JC 8D", "TH", "gin", EARLY, "nobody", "of no use"),
    ("5C 6C 9H AS QD 2D 7H 3S JC 8D", "KH", "gin", {**EARLY, "phase": OFFER}, "nobody", "of no use, the first card least of all"),
    ("3C 4C 5C 5D 6D 7D AH AD 2H 2S", "5S", "eaai", EARLY, "simple simple:knock=4", "a set of fives, for which two runs are broken"),
    ("2C 3C 4C 5D 6D 7D 9H 9S TS KS", "QD", "gin", {**LATE, "phase": LAST}, "nobody", "the last discard may be taken only to knock (R15)"),
]


@pytest.mark.parametrize(("held", "top", "rules", "seen", "takers", "why"), TAKING, ids=[each[-1] for each in TAKING])
@pytest.mark.parametrize("player", PLAYERS)
def test_who_takes(player: str, held: str, top: str, rules: str, seen: dict[str, Any], takers: str, why: str) -> None:
    who, view = sat(player, held, TAKE, rules, {**seen, "top": top})
    assert bool(who.take(view)) == (takers == "all" or player in takers.split()), why


#: Eleven cards, rules, what else is seen, what is thrown by whom, why.
THROWING = [
    ("2C 3C 4C 5D 6D 7D 9H 9S 9C 9D KS", "eaai", LATE, {"all": "KS"}, "gin"),
    ("2C 3C 4C 5D 6D 7D 8H 8S AH KS 4D", "gin", EARLY, {"all": "KS"}, "the one high card of no use"),
    (
        "2C 3C 4C 5D 6D 7D 8H 8S 9H QC KS",
        "eaai",
        {**LATE, "other_took": "KD KH", "pile": "TS JH"},
        {"patient": "QC", "expert": "QC", "simple": "QC KS"},
        "he collects kings: simple does not look",
    ),
    (
        "2C 3C 4C 5D 6D 7D KC KD 5S 9H 7S",
        "eaai",
        {"draws": 2, "turns": 1, "pile": "AH"},
        {"simple": "KC KD"},
        "a king leaves less than any other card, pair or not",
    ),
]


@pytest.mark.parametrize(("eleven", "rules", "seen", "thrown", "why"), THROWING, ids=[each[-1] for each in THROWING])
@pytest.mark.parametrize("player", PLAYERS)
def test_what_is_thrown(player: str, eleven: str, rules: str, seen: dict[str, Any], thrown: dict[str, str], why: str) -> None:
    allowed = thrown.get(player.partition(":")[0], thrown.get("all"))
    if allowed is None:
        pytest.skip("the table says nothing of this player")
    who, view = sat(player, eleven, DISCARD, rules, seen)
    assert TEXT[int(who.discard(view))] in allowed.split(), why


#: Ten cards with this deadwood, rules, what else is seen, who knocks, why.
KNOCKS = [
    ("2C 3C 4C 5D 6D 7D 9H 9S 9C 9D", 0, "eaai", LATE, "all", "gin"),
    ("2C 3C 4C 5D 6D 7D 9H 9S 9C 8D", 8, "gin", {"draws": 1, "turns": 1}, "simple patient expert", "on the first turn nobody has ten or less"),
    ("2C 3C 4C 5D 6D 7D 9H 9S 9C 2D", 2, "gin", {"draws": 3, "turns": 2}, "all", "two points, early"),
    ("2C 3C 4C 5D 6D 7D AC AD 3S 5H", 10, "eaai", {**LATE, "other_threw": "AS AH", "pile": "AS AH"}, "simple", "an undercut costs 25, and he is low"),
]


@pytest.mark.parametrize(("ten", "deadwood", "rules", "seen", "knockers", "why"), KNOCKS, ids=[each[-1] for each in KNOCKS])
@pytest.mark.parametrize("player", PLAYERS[:4])
def test_who_knocks(player: str, ten: str, deadwood: int, rules: str, seen: dict[str, Any], knockers: str, why: str) -> None:
    """Each is asked with a king thrown, after it has chosen that king itself."""
    who, view = sat(player, f"{ten} KS", DISCARD, rules, seen)
    assert TEXT[int(who.discard(view))] == "KS"
    view["held"] &= ~bits("KS")
    view["thrown"], view["deadwood"], view["asked"] = bits("KS"), deadwood, KNOCKING
    assert bool(who.knock(view)) == (knockers == "all" or player in knockers.split()), why


@pytest.mark.parametrize("asked", [TAKE, DISCARD])
def test_random_does_anything_that_is_legal_in_all_of_them(asked: int) -> None:
    who, seen = strategy("random"), set()
    for held, *_ in THROWING:
        view = view_of(held, DISCARD, "gin", "random", **EARLY)
        view["legal"] = bits(held.split()[0]) | bits(held.split()[1])
        for _ in range(40):
            seen.add(bool(who.take(view)))
            assert TEXT[int(who.discard(view))] in texts(view["legal"])
    assert seen == {True, False}
