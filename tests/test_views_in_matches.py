"""What players are shown of the hands before in a match: who sits opposite, and how the last hand ended.

Scores, memory, notes and streams are looked at in ``test_formats.py``.
"""

from typing import Any

import naive
import pytest
from ginsim.hand import KNOCKING
from ginsim.records import ENDINGS, SEATS
from table import Script, Sight, Table, rules

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

NOTHING = {"last_ending": -1, "last_knocker": -1, "last_draws": -1}


class Builder(Script):
    """It takes what melds, throws what leaves least, and knocks by its nature; so hands end in all ways."""

    def __init__(self, most: int) -> None:
        super().__init__(
            take=lambda view: naive.best_discards(view.hand | {view.top}, view.top)[0] < naive.deadwood(view.hand),
            throw=lambda view: min(view.legal, key=lambda card: (naive.deadwood(view.hand - {card}), card)),
            knock=lambda view: view.number("deadwood") <= most,
            declare=True,
        )


def played(name: str, match: int, **changes: Any) -> tuple[list[dict[str, Any]], dict[str, list[Sight]]]:
    """The hands of a match, and all that was shown to each seat in it."""
    players = {seat: Builder(most) for seat, most in zip(SEATS, (10, 0, 4), strict=True)}
    hands = Table(rules(name, max_hands=8, target=1000, **changes), players).matches(21, match, 1)["hands"]
    return hands, {seat: [view for _, view in player.asked] for seat, player in players.items()}


@pytest.mark.parametrize(("name", "changes"), [("gin", {}), ("hollywood", {"stock_floor": 10, "knock_limit": 0}), ("three-handed", {})])
def test_everybody_is_shown_how_the_last_hand_ended_and_who_sits_opposite(name: str, changes: dict[str, Any]) -> None:
    endings = set()
    for match in (0, 1):
        hands, sights = played(name, match, **changes)
        shown = 0
        for place, hand in enumerate(hands):
            before = hands[place - 1] if place else None
            expected = dict(NOTHING)
            if before is not None:
                knocker = before["knocker"]
                expected["last_ending"] = ENDINGS.index(before["ending"])
                expected["last_knocker"] = -1 if knocker is None else SEATS.index(knocker)
                expected["last_draws"] = before["draws"]
                endings.add(before["ending"])
            at_table = (hand["box"], hand["captain"]) if name == "three-handed" else ("A", "B")
            for seat, other in (at_table, at_table[::-1]):
                for view in sights[seat]:
                    if view.number("hand") == place:
                        assert {field: view.number(field) for field in NOTHING} == expected
                        assert SEATS[view.number("other")] == other
                        shown += 1
        assert shown == sum(map(len, sights.values()))
    assert {"draw", "gin"} <= endings if name == "hollywood" else {"knock", "gin"} <= endings


def test_a_single_hand_has_none_before_it_whatever_was_played() -> None:
    players = {seat: Builder(10) for seat in SEATS}
    table = Table(rules("gin"), players)
    for field in NOTHING:
        table.views[field] = 1
    table.hands(3, 0, 3)
    views = [view for player in players.values() for _, view in player.asked]
    assert views and all({field: view.number(field) for field in NOTHING} == NOTHING for view in views)
    assert any(view.number("asked") == KNOCKING for view in views)
