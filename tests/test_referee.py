"""OpenSpiel's gin rummy judges hands that ginsim played; ``scripts/verify`` has it judge thousands."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ginsim.cards import as_bits, parse_cards, parse_sequence
from ginsim.replay.history import Action, History
from ginsim.replay.judging import judge as judged_by_ginsim
from ginsim.rules import Rules, load

pytest.importorskip("pyspiel", reason="open_spiel, the outside referee, is not installed (pip install '.[referee]')")
sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from verification import referee  # noqa: E402
from verification.players import every_player  # noqa: E402
from verification.referee import FIFTY_TAKES, KNOCK_REFUSED, TIE, judge, pieces, recorded  # noqa: E402

HANDS = 12
TABLES = [*((player,) for player in every_player()), ("simple:knock=4",), ("simple", "random")]

GIN = load("gin")


@pytest.mark.parametrize(("name", "changes"), referee.SETTINGS, ids=[" ".join([name, *changes]) for name, changes in referee.SETTINGS])
def test_every_action_is_legal_for_the_referee_with_the_same_deadwoods_and_the_same_score(name: str, changes: tuple[str, ...]) -> None:
    rules = load(name, changes)
    for place, specs in enumerate(TABLES):
        verdicts = judge(rules, recorded(rules, specs, 100 + place, HANDS))
        assert verdicts.disagreements == []
        assert verdicts.hands == HANDS
        # Nearly all hands are judged to their ends.
        assert verdicts.differences.total() <= HANDS // 3
        assert verdicts.actions > 20 * HANDS


def test_r15_the_referee_lets_the_last_discard_be_taken_to_knock() -> None:
    rules = load("straight", ["last_discard=knock"])
    hands = [hand for hand in recorded(rules, ("simple",), 5, 250) if len(hand.actions) > 1 and knocked_with_the_last_discard(hand)]
    assert hands
    assert judge(rules, hands).disagreements == []


def knocked_with_the_last_discard(hand: History) -> bool:
    return hand.result["stock_left"] == 2 and [action.what for action in hand.actions[-2:]] == ["take", "knock"]


# Rigged hands --------------------------------------------------------------------------------------------------------


def history(first: str, dealer: str, upcard: str, actions: str, rules: Rules = GIN, stock: str = "") -> History:
    """A hand that B deals, with its result as ginsim finds it. Actions are words such as ``A:knock:7D``."""
    steps = [step.split(":") for step in actions.split()]
    made = History(
        rules,
        "B",
        "A",
        {"A": parse_cards(first), "B": parse_cards(dealer)},
        parse_sequence(upcard)[0],
        None,
        tuple(Action(seat, what, parse_sequence(card)[0] if card else None) for seat, what, card in steps),
    )
    verdict = judged_by_ginsim(made)
    assert verdict.fault is None, verdict.fault
    return replace(made, result=verdict.row)


RUNS = "5S 6S 7S KC KD KH AC AD 2C QH"
OTHERS = "JC JH 9D TD 3H 4H 2D"
KNOCKS = "A:decline: B:decline: A:draw:2H A:knock:QH"


def only(hand: History, rules: Rules = GIN) -> Mapping[str, int]:
    """The known difference that the referee stops at in one hand, where it agrees otherwise."""
    verdicts = judge(rules, [hand])
    assert verdicts.disagreements == []
    return dict(verdicts.differences)


def test_a_chain_of_two_is_laid_off_and_three_in_a_row_are_a_meld() -> None:
    two = history(RUNS, f"8S 9S {OTHERS} 3D", "QD", KNOCKS)
    assert (two.result["laid_off_cards"], only(two)) == (2, {})
    three = history(RUNS, f"8S 9S TS {OTHERS}", "QD", KNOCKS)
    assert (three.result["laid_off_cards"], only(three)) == (0, {})
    # The ten stands in a set: its two neighbours are laid off.
    set_ = history(RUNS, "8S 9S TS TC TD JC 9D 3H 4H 2D", "QD", KNOCKS)
    assert (set_.result["laid_off_cards"], only(set_)) == (2, {})


def test_a_run_longer_than_the_referee_knows_is_laid_down_in_pieces() -> None:
    for length in range(3, 11):
        run = list(range(20, 20 + length))
        assert [card for piece in pieces(run) for card in piece] == run
        assert all(3 <= len(piece) <= 5 for piece in pieces(run))
    long = history("3S 4S 5S 6S 7S 8S AC AD 2C QH", f"9S 2S KD {OTHERS}", "QD", "A:decline: B:decline: A:draw:2H A:knock:QH")
    assert (long.result["laid_off_cards"], only(long)) == (2, {})


def test_a_tie_scores_nothing_there() -> None:
    # B: 9H TH JH and 7D 8D 9D melded, 6 points of 2D AS AH 2S left.
    defender = "9H TH JH 7D 8D 9D 2D AS AH 2S"
    tied = history(RUNS, defender, "QD", KNOCKS)
    assert (tied.result["ending"], tied.result["points"], only(tied)) == ("undercut", 10, {TIE: 1})
    rules = load("gin", ["undercut_on_tie=false"])
    assert only(history(RUNS, defender, "QD", KNOCKS, rules), rules) == {}


def test_the_referee_refuses_a_knock_where_eleven_cards_mislead_it() -> None:
    found = [
        hand
        for hand in recorded(load("straight"), ("simple",), 1, 100)
        if only(hand, load("straight")) == {KNOCK_REFUSED: 1}
    ]
    assert found
    assert all(hand.result["ending"] == "gin" for hand in found)


def test_the_fiftieth_take_ends_a_hand_there() -> None:
    steps = ["A:take:QD", "A:discard:QH"]
    card, thrown = "QH", {"A": "QD", "B": "JC"}
    seat = "B"
    # Each takes what the other threw and throws what he took before.
    for _ in range(60):
        steps += [f"{seat}:take:{card}", f"{seat}:discard:{thrown[seat]}"]
        card, thrown[seat] = thrown[seat], card
        seat = "A" if seat == "B" else "B"
    rules = load("gin", ["max_draws=61"])
    stopped = history(RUNS, f"8S 9S {OTHERS} 3D", "QD", " ".join(steps), rules)
    assert (stopped.result["ending"], only(stopped, rules)) == ("stopped", {FIFTY_TAKES: 1})


# It can say no -------------------------------------------------------------------------------------------------------


def changed(hand: History, **result: Any) -> History:
    return replace(hand, result={**hand.result, **result})


@pytest.mark.parametrize(
    "result",
    [{"points": 1}, {"winner": "B"}, {"ending": "undercut"}, {"knocker_deadwood": 5}, {"defender_deadwood_after": 9}, {"laid_off_cards": 0}],
)
def test_a_wrong_result_is_found(result: dict[str, Any]) -> None:
    hand = history(RUNS, f"8S 9S {OTHERS} 3D", "QD", KNOCKS)
    assert judge(GIN, [hand]).disagreements == []
    assert len(judge(GIN, [changed(hand, **result)]).disagreements) == 1


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ("A:draw:2H", "drawing from the stock is not legal"),
        ("A:decline: B:decline: A:take:QD", "taking QD is not legal"),
        ("A:decline: B:decline: A:draw:5S", "being dealt 5S is not legal"),
        ("A:decline: B:decline: A:draw:2H A:discard:3D", "throwing 3D is not legal"),
        ("A:decline: B:decline: A:draw:3S A:discard:QH B:draw:6C B:knock:JC", "knocking is not legal"),
        ("A:decline: B:decline: A:draw:2H A:discard:QH", "leaving the last discard is not legal"),
    ],
)
def test_an_illegal_step_is_found(actions: str, said: str) -> None:
    hand = history(RUNS, f"8S 9S {OTHERS} 3D", "QD", KNOCKS)
    steps = [step.split(":") for step in actions.split()]
    wrong = tuple(Action(seat, what, parse_sequence(card)[0] if card else None) for seat, what, card in steps)
    result = {**hand.result, "knocker": None}
    (disagreement,) = judge(GIN, [replace(hand, actions=wrong, result=result)]).disagreements
    assert said in disagreement


def test_rules_that_the_referee_does_not_have_are_not_given_to_it() -> None:
    for change in ("big_gin_bonus=31", "stock_floor=3"):
        with pytest.raises(ValueError, match="cannot play"):
            judge(load("gin", [change]), [])
    with pytest.raises(ValueError, match="cannot play"):
        judge(load("oklahoma"), [])


def test_cards_have_the_referees_numbers() -> None:
    import pyspiel

    utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    deck = as_bits(16 * suit + rank for suit in range(4) for rank in range(13))
    texts = utils.card_ints_to_card_strings(referee._numbers(deck))
    assert [text.upper() for text in texts] == [rank + suit for suit in "SCDH" for rank in "A23456789TJQK"]
