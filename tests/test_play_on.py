"""A hand played on from any question in it: it goes the way it went, whether the player is asked again or its answer is given."""

from random import Random
from typing import Any

import numpy as np
import pytest
from ginsim import accelerate
from ginsim.accelerate import kernel, record_type, types
from ginsim.hand import ASK, DECK, KNOCKING, OFFER, TAKE, DecisionType, Standing, ViewType, play_on
from ginsim.records import HAND_ROW, Layout, frame
from ginsim.rules import RULES_DTYPE
from table import NUMBER, SEATS, U64, Sight, Table, Watched, bits, deal, rules, several

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

_Decisions = types.UniTuple(DecisionType, 3)
_NUMBERS = "me him stock draws pile_takes refusals phase upcard_number asked given then".split()
_CARDS = "mine his top pile thrown".split()
_OF_THE_BEGINNING = ("hand", "dealer", "upcard", "first_taker")


def facts(row: dict[str, Any]) -> dict[str, Any]:
    """How a hand ended."""
    return {column: value for column, value in row.items() if column not in _OF_THE_BEGINNING}


@kernel(
    types.int64(
        *(_Decisions,) * 3,
        ViewType[::1],
        types.int64[::1],
        types.uint64[::1],
        record_type(DECK),
        record_type(RULES_DTYPE),
        record_type(HAND_ROW),
        types.int32[::1],
    )
)
def _play_on(take, discard, knock, views, numbers, cards, deck, rules_, row, log):  # noqa: ANN001, ANN202
    me, him, stock, draws, pile_takes, refusals, phase, upcard_number, asked, given, then = (
        numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7], numbers[8], numbers[9], numbers[10]
    )  # fmt: skip
    standing = Standing(
        me, him, cards[0], cards[1], cards[2], cards[3], stock, draws, pile_takes, refusals, phase, upcard_number, asked, cards[4], given, then
    )
    return play_on(take, discard, knock, views, standing, deck, rules_, row, log)


class Remembering(Watched):
    """A strategy that keeps, at every question, where the hand stood and what it answered."""

    def __init__(self, spec: str) -> None:
        super().__init__(spec)
        self.moments: list[dict[str, Any]] = []

    def _answer(self, kernel_: Any, sight: Sight) -> int:
        truth = self.table.look()
        other = truth.other(sight.seat)
        phase, asked = sight.number("phase"), sight.number("asked")
        moment = {
            "me": SEATS.index(sight.seat),
            "him": SEATS.index(other),
            "mine": bits(sight.hand),
            "his": U64(sum(1 << number for number in truth.hands[other])),
            "top": U64(1 << truth.pile[-1]) if truth.pile else U64(0),
            "pile": U64(sum(1 << number for number in truth.pile)),
            "thrown": sight.raw["thrown"],
            "stock": len(truth.stock),
            "draws": sum(truth.draws.values()),
            "pile_takes": sum(what == "take" for _, what, _ in self.table.history),
            "refusals": sum(what == "decline" for _, what, _ in self.table.history) if (phase, asked) == (OFFER, TAKE) else 3,
            "phase": phase,
            "asked": asked,
            "views": self.table.views.copy(),
        }
        moment["given"] = super()._answer(kernel_, sight)
        # With what the player noted for itself and drew from its stream.
        moment["views_then"] = self.table.views.copy()
        self.moments.append(moment)
        return moment["given"]


@pytest.mark.parametrize(
    ("name", "changes"),
    [("gin", {}), ("oklahoma", {"big_gin_bonus": 31}), ("straight", {"last_discard": "knock", "stock_floor": 10}), ("gin", {"max_draws": 12})],
)
def test_a_hand_played_on_from_any_question_ends_as_it_did(name: str, changes: dict[str, Any]) -> None:
    source, questions = Random(3), set()
    for spec in ("simple", "random", "simple:knock=0"):
        for number in range(several(2, 1)):
            players = {"A": Remembering(spec), "B": Remembering("simple")}
            table = Table(rules(name, **changes), players)
            whole = table.play(source.sample(deal(), 52), seed=number)
            upcard = NUMBER[whole.deal[20]]
            again = Table(rules(name, **changes), {"A": spec, "B": "simple"})
            moments = [moment for player in players.values() for moment in player.moments]
            for moment in source.sample(moments, min(len(moments), 14)):
                questions.add((moment["asked"], bool(moment["thrown"])))
                for given in (ASK, moment["given"]):
                    row = accelerate.records(1, HAND_ROW)
                    row["knocker"] = row["knocker_deadwood"] = row["defender_deadwood"] = row["defender_deadwood_after"] = row["winner"] = -1
                    row["laid_off"] = row["laid_off_cards"] = -1
                    again.views[:] = moment["views" if given == ASK else "views_then"]
                    again.deck["cards"][:], again.deck["seen"] = table.deck["cards"], 52
                    told = {**moment, "upcard_number": upcard, "given": given, "then": ASK}
                    fault = _play_on(
                        *again.decisions,
                        again.views,
                        np.array([told[field] for field in _NUMBERS], np.int64),
                        np.array([told[field] for field in _CARDS], np.uint64),
                        again.deck,
                        again.packed,
                        row[0],
                        np.zeros(0, np.int32),
                    )
                    assert fault == -1
                    assert facts(frame(Layout("hands", "game", 1).columns("hands"), row).to_dicts()[0]) == facts(whole.row)
    assert {(TAKE, False), (KNOCKING, True)} <= questions
