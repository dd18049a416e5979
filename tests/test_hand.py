"""One hand by the rules R5 to R20 and R32: rigged decks, told players, and play-outs in which every card is counted."""

from random import Random
from typing import Any

import naive
import polars as pl
import pytest
from table import (
    CASES,
    NUMBER,
    SEATS,
    TEXT,
    U64,
    Played,
    Script,
    Sight,
    Table,
    Watched,
    bits,
    checks,
    chunk,
    deal,
    dense_deal,
    play,
    rules,
    several,
)

from ginsim import accelerate
from ginsim.hand import ending_of, hand_limit, multiplier, price, show_down
from ginsim.melds import spread
from ginsim.records import ENDINGS, HAND_ROW
from ginsim.rules import Rules

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

# Ten cards each without a meld, and far from one.
LOOSE = "AC 3C 5C 7C 9C JC KC 2H 4H 6H"
ODD = "AD 3D 5D 9D JD KD 2S 4S 6S 8S"
# Nine melded cards; a tenth is all the deadwood.
NINE = "2C 3C 4C 6D 7D 8D JH QH KH"


def keep(wanted: str) -> Any:
    """Throws the first legal card, in deck order, that is not among those wanted; if there is none, the first legal."""
    held = frozenset(wanted.split())
    return lambda view: min((view.legal - held) or view.legal, key=NUMBER.__getitem__)


# R5: the deal --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", ["A", "B"])
def test_r5_ten_cards_each_one_face_up_and_31_in_the_stock(dealer: str) -> None:
    cards = Random(1).sample(naive.DECK, 52)
    players = {"A": Script(), "B": Script()}
    played = play(cards, players, rules("straight"), dealer)
    first = {"A": "B", "B": "A"}[dealer]
    for seat, held in ((first, cards[:10]), (dealer, cards[10:20])):
        what, seen = players[seat].asked[0]
        assert what == "take"
        assert seen.hand == set(held)
        assert seen.top == cards[20]
        assert seen.cards("pile") == {cards[20]}
        assert (seen.stock_left, seen.number("draws"), seen.number("turns")) == (31, 0, 0)
        assert seen.number("deals") == (seat == dealer)
        assert seen.seat == seat
    # The stock is drawn from its top on; with nobody taking the pile, alternately, the non-dealer first.
    assert played.did("draw") == [((first, dealer)[place % 2], card) for place, card in enumerate(cards[21:50])]
    assert (played.row["upcard"], played.row["dealer"]) == (cards[20], dealer)


@pytest.mark.parametrize("number", [0, 1, 7, 2**40])
def test_r5_the_cards_of_a_numbered_hand_are_those_of_its_deal(number: int) -> None:
    players = {"A": Script(), "B": Script()}
    Table(rules("gin"), players).hands(2**63, number, 1)
    cards = naive.deal(2**63, number, 0)
    first, dealer = ("A", "B") if number % 2 == 0 else ("B", "A")
    for seat, held in ((first, cards[:10]), (dealer, cards[10:20])):
        assert players[seat].asked[0][1].hand == set(held)
        assert players[seat].asked[0][1].top == cards[20]


# R6: the first card --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given_", "expected"), checks("opening"))
def test_tr_04_r6_who_may_do_what_at_the_opening(given_: dict, expected: dict) -> None:
    """After n refusals: who is asked about the upcard, or who draws without being asked."""
    refusals = given_["passes"]
    order: list[tuple[str, str]] = []

    def taking(view: Sight) -> bool:
        order.append((view.seat, view.offer))
        return view.offer == "upcard" and len(order) > refusals

    played = play(deal(LOOSE, ODD), {"A": Script(take=taking), "B": Script(take=taking)})
    name = {"A": "non-dealer", "B": "dealer"}
    if refusals < 2:
        assert expected["options"] == ["pass", "upcard"]
        assert [name[seat] for seat, offer in order if offer == "upcard"][-1] == expected["player"]
        assert [name[seat] for seat, _ in played.did("decline")] == ["non-dealer", "dealer"][:refusals]
        assert name[played.row["first_taker"]] == expected["player"]
        # Nobody touched the stock before.
        assert [what for _, what, _ in played.history[: refusals + 1]] == ["decline"] * refusals + ["take"]
    else:
        assert expected["options"] == ["stock"]
        assert order[:3] == [("A", "upcard"), ("B", "upcard"), ("B", "turn")]
        assert played.history[:4] == [
            ("A", "decline", None),
            ("B", "decline", None),
            ("A", "draw", played.deal[21]),
            ("A", "discard", min(set(LOOSE.split()) | {played.deal[21]}, key=NUMBER.__getitem__)),
        ]
        assert name[played.history[2][0]] == expected["player"]
        assert played.row["first_taker"] is None


def test_tr_04_r6_after_two_refusals_both_piles_are_open_to_the_dealer() -> None:
    for take in (True, False):
        players = {"A": Script(), "B": Script(take=[False, take])}
        played = play(deal(LOOSE, ODD), players)
        what, seen = players["B"].asked[1]
        assert (what, seen.offer) == ("take", "turn")
        thrown = played.did("discard")[0][1]
        assert seen.top == thrown
        assert seen.cards("pile") == {played.deal[20], thrown}
        assert played.history[4] == (("B", "take", thrown) if take else ("B", "draw", played.deal[22]))


@pytest.mark.parametrize("taker", ["A", "B"])
def test_r6_whoever_takes_the_first_card_discards_and_the_turn_passes_to_the_other(taker: str) -> None:
    players = {seat: Script(take=lambda view, seat=seat: view.offer == "upcard" and seat == taker) for seat in "AB"}
    played = play(deal(LOOSE, ODD), players)
    other = {"A": "B", "B": "A"}[taker]
    done = [(seat, what) for seat, what, _ in played.history if what != "decline"]
    assert done[:4] == [(taker, "take"), (taker, "discard"), (other, "draw"), (other, "discard")]
    assert played.row["first_taker"] == taker
    # The other's next question is about a normal turn; if A took, B was never asked about the upcard.
    assert (
        players[other].questions("take")[: 1 + (taker == "B")]
        == ["upcard", "turn"][taker == "A" :][: 1 + (taker == "B")]
    )


def test_r6_the_upcard_may_be_taken_to_knock_on_the_first_turn() -> None:
    played = play(
        deal("2C 3C 4C 6D 7D 8D JH QH KS 9S", ODD, "KH"),
        {"A": Script(take=True, throw="KS", knock=True), "B": Script()},
    )
    assert (played.row["ending"], played.row["draws"], played.row["pile_takes"]) == ("knock", 1, 1)
    assert (played.row["first_taker"], played.row["knocker"], played.row["knocker_deadwood"]) == ("A", "A", 9)
    assert played.row["stock_left"] == 31


# R7, R8: a turn ------------------------------------------------------------------------------------------------------


def test_r7_a_turn_takes_one_card_and_throws_one_face_up() -> None:
    players = {"A": Script(take=lambda view: view.offer == "turn"), "B": Script()}
    played = play(deal(LOOSE, ODD), players)
    turns = [(seat, what, card) for seat, what, card in played.history if what != "decline"]
    for (seat, what, card), (thrower, then, _) in zip(turns[::2], turns[1::2], strict=True):
        assert thrower == seat
        assert then == "discard"
        assert what == ("draw" if seat == "B" or card == played.deal[21] else "take")
    # A takes what B threw just before.
    for place in range(4, len(turns) - 1, 4):
        assert turns[place][:2] == ("A", "take")
        assert turns[place][2] == turns[place - 1][2]
    assert [seat for seat, _, _ in turns[::2]] == ["A", "B"] * (len(turns) // 4) + ["A"] * (len(turns) // 2 % 2)
    assert played.row["pile_takes"] == len(played.did("take")) == played.row["draws"] - 31 + played.row["stock_left"]


def test_r8_the_card_just_taken_from_the_pile_may_not_be_thrown() -> None:
    players = {"A": Script(take=True, throw="QS"), "B": Script()}
    played = play(deal(LOOSE, ODD, "QS"), players)
    what, seen = players["A"].asked[-1]
    assert (what, seen.taken, seen.legal) == ("discard", "QS", set(LOOSE.split()))
    assert (played.fault, players["A"].questions()) == ("A", ["take", "discard"])


def test_r8_a_card_from_the_stock_may_be_thrown_and_a_card_taken_on_an_earlier_turn_too() -> None:
    players = {
        "A": Script(take=[True, False], throw="AC QS"),
        "B": Script(throw=lambda view: next(iter(view.legal - set(ODD.split())))),
    }
    played = play(deal(LOOSE, ODD, "QS", "2C"), players)
    assert played.fault is None
    assert played.did("discard")[:3] == [("A", "AC"), ("B", "2C"), ("A", "QS")]


def test_r8_discard_taken_card_lets_it_be_thrown() -> None:
    players = {"A": Script(take=True, throw="QS"), "B": Script()}
    played = play(deal(LOOSE, ODD, "QS"), players, rules("gin", discard_taken_card=True))
    assert players["A"].asked[1][1].legal == set(LOOSE.split()) | {"QS"}
    assert played.history[:2] == [("A", "take", "QS"), ("A", "discard", "QS")]


@pytest.mark.parametrize(
    ("taken_from", "changes", "thrown", "outcome"),
    [
        ("pile", {}, "KD", "fault"),
        ("pile", {}, "8H", 10),
        ("pile", {"discard_taken_card": True}, "KD", 8),
        ("stock", {}, "KD", 8),
        ("stock", {}, "8H", 10),
    ],
)
def test_tr_02_r8_the_card_just_taken_cannot_be_the_knock_discard(
    taken_from: str, changes: dict, thrown: str, outcome: Any
) -> None:
    (case,) = (case for case in CASES if case["id"] == "TR-02")
    held = case["checks"][0]["input"]["cards"].replace(" KD", "")
    # JC QC KC stand against KD: the set and the run do not share.
    cards = deal(held, "", "KD") if taken_from == "pile" else deal(held, "", "", "KD")
    played = play(
        cards,
        {"A": Script(take=taken_from == "pile", throw=thrown, knock=True), "B": Script()},
        rules("gin", **changes),
    )
    if outcome == "fault":
        assert played.fault == "A"
        assert played.did("knock") == []
    else:
        assert played.row["knocker_deadwood"] == outcome
        assert played.did("knock") == [("A", None)]


@pytest.mark.parametrize("answer", [-1, -(2**40), 13, 15, 64, 64 + NUMBER["AC"], 2**40, NUMBER["KD"], NUMBER["QD"]])
def test_r7_an_answer_that_is_no_card_in_hand_ends_play_with_the_seat_at_fault(answer: int) -> None:
    """Numbers of no card, the other's card, and a card that lies in the stock."""
    for seat in "AB":
        players = {"A": Script(), "B": Script()}
        players[seat].throws = lambda view: answer
        assert play(deal(LOOSE, ODD, "QS"), players).fault == seat


@pytest.mark.parametrize("what", ["take", "knock", "declare"])
def test_a_negative_answer_to_any_question_breaks_the_hand_off(what: str) -> None:
    """That is how a player's failure comes out of compiled code."""
    players = {"A": Script(take=True), "B": Script()}
    players["A"].told[what] = -1
    played = play(deal("AC 2C 3C 4C 5C 6C 7C 8C 9C TC", ODD, "JC"), players, rules("gin", big_gin_bonus=31))
    assert played.fault == "A"
    assert players["A"].questions()[-1] == what


# R9, R10: the knock --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", range(11))
def test_r9_a_player_is_asked_to_knock_with_deadwood_of_at_most_the_limit(limit: int) -> None:
    for left in range(1, 11):
        loose = "A23456789T"[left - 1] + "S"
        players = {"A": Script(throw="KS", knock=True), "B": Script()}
        played = play(deal(f"{NINE} {loose}", "", "QS", "KS"), players, rules("gin", knock_limit=limit))
        if left <= limit:
            assert players["A"].questions() == ["take", "discard", "knock"]
            assert (played.row["knocker"], played.row["knocker_deadwood"], played.row["draws"]) == ("A", left, 1)
        else:
            assert players["A"].questions()[:3] == ["take", "discard", "take"]


@pytest.mark.parametrize(("loose", "asked"), [("AH 2S 3H 4S", True), ("AH 2S 3H 5S", False)])
def test_r9_ten_is_enough_and_eleven_is_not(loose: str, asked: bool) -> None:
    players = {"A": Script(throw="KS"), "B": Script()}
    play(deal(f"2C 3C 4C 6D 7D 8D {loose}", "", "", "KS"), players)
    assert (players["A"].questions()[2] == "knock") == asked
    if asked:
        seen = players["A"].asked[2][1]
        assert (seen.number("deadwood"), seen.cards("thrown"), len(seen.hand)) == (10, {"KS"}, 10)


def test_r9_nobody_has_to_knock_and_may_do_so_on_a_later_turn() -> None:
    players = {"A": Script(throw=keep(NINE + " 5S"), knock=[False, False, True]), "B": Script(throw=keep(ODD))}
    played = play(deal(NINE + " 5S", ODD, "QS", "KS AH KC 8H TC 2H"), players)
    assert players["A"].questions() == [
        "take",
        "discard",
        "knock",
        "take",
        "discard",
        "knock",
        "take",
        "discard",
        "knock",
    ]
    assert (played.row["ending"], played.row["knocker"], played.row["draws"]) == ("knock", "A", 5)
    assert played.history[-2:] == [("A", "discard", "TC"), ("A", "knock", None)]


@pytest.mark.parametrize("seat", ["A", "B"])
def test_r9_either_player_may_knock_on_his_first_turn(seat: str) -> None:
    hands = (NINE + " 5S", ODD) if seat == "A" else (ODD, NINE + " 5S")
    players = {"A": Script(throw=keep(hands[0])), "B": Script(throw=keep(hands[1]))}
    players[seat].told["knock"] = True
    played = play(deal(*hands, "QS", "KS AH"), players)
    assert (played.row["knocker"], played.row["knocker_deadwood"]) == (seat, 5)
    assert played.row["draws"] == 1 + (seat == "B")
    assert played.row["defender_deadwood"] == naive.deadwood(hands[seat == "A"].split())


def test_r10_gin_is_a_knock_without_deadwood() -> None:
    players = {"A": Script(throw="KS", knock=True), "B": Script()}
    played = play(deal(NINE + " TH", ODD, "QS", "KS"), players)
    assert players["A"].asked[2][1].number("deadwood") == 0
    assert (played.row["ending"], played.row["winner"], played.row["knocker_deadwood"]) == ("gin", "A", 0)
    assert played.row["points"] == 25 + naive.deadwood(ODD.split())


def test_r33_under_straight_rules_only_gin_may_be_laid_down() -> None:
    for tenth, asked in (("AH", False), ("TH", True)):
        players = {"A": Script(throw="KS"), "B": Script()}
        play(deal(f"{NINE} {tenth}", ODD, "QS", "KS"), players, rules("straight"))
        assert (players["A"].questions()[2] == "knock") == asked


# R11: big gin --------------------------------------------------------------------------------------------------------

ELEVEN = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC"


@pytest.mark.parametrize("source", ["pile", "stock"])
@pytest.mark.parametrize("bonus", [0, 31])
def test_r11_big_gin_is_declared_where_the_rules_give_it_a_bonus(bonus: int, source: str) -> None:
    players = {"A": Script(take=source == "pile", declare=True), "B": Script()}
    cards = deal(ELEVEN, ODD, "JC") if source == "pile" else deal(ELEVEN, ODD, "QS", "JC")
    played = play(cards, players, rules("gin", big_gin_bonus=bonus))
    assert players["A"].questions() == ["take", "declare"]
    seen = players["A"].asked[1][1]
    assert (len(seen.hand), seen.number("deadwood"), seen.cards("thrown")) == (11, 0, set())
    assert played.history[-1] == ("A", "big_gin", None)
    expected = {
        "ending": "big_gin",
        "winner": "A",
        "knocker": "A",
        "knocker_deadwood": 0,
        "defender_deadwood": 58,
        "defender_deadwood_after": 58,
        "laid_off": 0,
        "laid_off_cards": 0,
        "points": bonus + 58,
        "draws": 1,
    }
    assert {column: played.row[column] for column in expected} == expected


def test_r11_big_gin_may_be_declined_for_gin_or_to_play_on() -> None:
    for knock in (True, False):
        players = {"A": Script(take=True, throw="AC", knock=knock), "B": Script()}
        played = play(deal(ELEVEN, ODD, "JC"), players, rules("gin", big_gin_bonus=31))
        assert players["A"].questions()[:4] == ["take", "declare", "discard", "knock"]
        assert (played.row["ending"] == "gin") == knock
        if knock:
            assert played.row["points"] == 25 + 58


def test_r11_there_is_no_big_gin_by_default() -> None:
    players = {"A": Script(take=True, declare=True, throw="AC", knock=True), "B": Script()}
    played = play(deal(ELEVEN, ODD, "JC"), players)
    assert players["A"].questions() == ["take", "discard", "knock"]
    assert played.row["ending"] == "gin"


def test_r11_eleven_cards_with_deadwood_are_no_big_gin_although_gin_is_at_hand() -> None:
    players = {"A": Script(take=True, declare=True, throw="TC", knock=True), "B": Script()}
    played = play(deal(ELEVEN.replace("TC", "KC"), ODD, "JC"), players, rules("gin", big_gin_bonus=31))
    assert players["A"].questions()[:2] == ["take", "discard"]
    assert played.fault == "A"


def test_r11_every_turn_that_melds_eleven_cards_asks_again() -> None:
    players = {"A": Script(declare=[False, True], throw="AC"), "B": Script(throw=keep(ODD))}
    played = play(deal(ELEVEN, ODD, "QS", "JC KS QC"), players, rules("gin", big_gin_bonus=31))
    assert players["A"].questions() == ["take", "declare", "discard", "knock", "take", "declare"]
    assert (played.row["ending"], played.row["draws"]) == ("big_gin", 3)


# R12 to R19: the show-down -------------------------------------------------------------------------------------------


def settled(knocker: str, defender: str, rules_: Rules, melds: list[str] | None = None) -> dict[str, Any]:
    """The row of a show-down in which seat 0 knocks, with the melds told or those of R14."""
    row = accelerate.records(1, HAND_ROW)[0]
    shown = sorted(map(bits, melds)) + [U64(0)] * (3 - len(melds)) if melds else map(U64, spread(bits(knocker)))
    show_down(row, 0, 1, bits(knocker), bits(defender), *shown, rules_.packed(), NUMBER["2D"])
    found = {name: int(row[name]) for name in HAND_ROW.names}
    return found | {"ending": ENDINGS[found["ending"]]}


def given_rules(given_: dict) -> Rules:
    return rules("gin", **{name: given_[name] for name in ("gin_bonus", "undercut_bonus") if name in given_})


def expect_settled(row: dict[str, Any], expected: dict, knocker: Any, defender: Any) -> None:
    """Compares a row with the expectations of a case."""
    found = {
        "result": row["ending"],
        "winner": {knocker: "knocker", defender: "defender"}[row["winner"]],
        "points": row["points"],
        "knocker_deadwood": row["knocker_deadwood"],
        "defender_deadwood": row["defender_deadwood_after"],
    }
    assert {name: found[name] for name in found if name in expected} == {
        name: expected[name] for name in found if name in expected
    }
    if "laid_off" in expected:
        assert row["laid_off_cards"] == len(expected["laid_off"])
        assert row["laid_off"] == naive.points(expected["laid_off"])


@pytest.mark.parametrize(("given_", "expected"), checks("settle"))
def test_r12_r13_r17_r18_r19_the_show_downs_of_the_case_file(given_: dict, expected: dict) -> None:
    """MS-09 and LO-01 to LO-07, with the spread that the case fixes, or the only one."""
    row = settled(given_["knocker"], given_["defender"], given_rules(given_), given_.get("spread"))
    expect_settled(row, expected, 0, 1)


@pytest.mark.parametrize(("given_", "expected"), checks("settle"))
@pytest.mark.parametrize("knocker", ["A", "B"])
def test_r9_r12_r19_the_show_downs_of_the_case_file_are_played_out(given_: dict, expected: dict, knocker: str) -> None:
    """Both decline the upcard; the knocker throws what he drew and lays down. R14 chooses the sets of LO-05, not its runs."""
    if given_.get("spread") and "5S 6S 7S" in given_["spread"] and "5C 6C 7C" in given_["spread"]:
        pytest.skip("not the spread that R14 shows")
    known = [*given_["knocker"].split(), *given_["defender"].split()]
    rest = [card for card in naive.DECK if card not in known]
    defender = {"A": "B", "B": "A"}[knocker]
    hands = [given_["knocker"], given_["defender"]]
    players = {seat: Script(throw=lambda view: next(iter(view.legal & set(rest)))) for seat in "AB"}
    players[knocker].told["knock"] = True
    played = play(deal(*hands, rest[0]), players, given_rules(given_), dealer=defender)
    assert played.row["draws"] == 1
    expect_settled(played.row, expected, knocker, defender)


@pytest.mark.parametrize(("given_", "expected"), checks("spread_outcomes"))
def test_lo_05_r14_each_spread_of_the_case_has_its_own_winner(given_: dict, expected: dict) -> None:
    for melds, winner, points in expected["outcomes"]:
        row = settled(given_["knocker"], given_["defender"], rules("gin"), melds.split(" / "))
        assert ({0: "knocker", 1: "defender"}[row["winner"]], row["points"]) == (winner, points)


def test_ms_09_r19_a_hand_without_a_meld_costs_98_and_gin_against_it_scores_123() -> None:
    played = play(
        deal("AS 2S 3S 4H 5H 6H 4D 5D 6D 7D", "KS KC QD QH JS JC TD TH 9S 9C", "2C", "AC"),
        {"A": Script(throw="AC", knock=True), "B": Script()},
    )
    assert (played.row["ending"], played.row["points"]) == ("gin", 123)
    assert played.row["defender_deadwood"] == played.row["defender_deadwood_after"] == 98


def test_r12_nothing_is_laid_off_on_gin_though_it_would_fit() -> None:
    played = play(
        deal(NINE + " TH", "AC 5C 9D 9H TC KS QS JD 8S 6S", "2S", "3S"),
        {"A": Script(throw="3S", knock=True), "B": Script()},
    )
    row = played.row
    assert (row["ending"], row["laid_off"], row["laid_off_cards"]) == ("gin", 0, 0)
    assert row["defender_deadwood"] == row["defender_deadwood_after"] == 1 + 5 + 9 + 9 + 10 + 10 + 10 + 10 + 8 + 6
    assert row["points"] == 25 + 78


def test_r19_the_defender_scores_nothing_against_gin_even_with_gin_of_his_own() -> None:
    played = play(
        deal(NINE + " TH", "AC AD AS 2S 3S 4S 9C 9D 9H 9S", "KS", "QS"),
        {"A": Script(throw="QS", knock=True), "B": Script()},
    )
    assert (played.row["ending"], played.row["winner"], played.row["points"]) == ("gin", "A", 25)
    assert played.row["defender_deadwood"] == 0


def test_r12_the_knocker_lays_nothing_off() -> None:
    """LO-07: his ten of diamonds would go on the defender's run."""
    row = settled("6S 7S 8S JH QH KH 2C 3C 4C TD", "JD QD KD 9H 8H 7H 5S 5D 5H AD", rules("gin"))
    assert (row["ending"], row["winner"], row["knocker_deadwood"], row["points"]) == ("undercut", 1, 10, 19)


# Points --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given_", "expected"), checks("score"))
def test_sc_01_sc_03_r17_r18_the_scores_of_the_case_file(given_: dict, expected: dict) -> None:
    packed = given_rules(given_).packed()
    mine, his = given_["knocker_deadwood"], given_["defender_deadwood"]
    ending = ending_of(mine, his, packed)
    assert ENDINGS[ending] == expected["result"]
    assert price(ending, mine, his, NUMBER["2D"], packed) == expected["points"]
    assert expected["winner"] == "defender"


def points_by_rule(ending: str, mine: int, his: int, upcard: str, rules_: Rules) -> int:
    """R11, R17 to R20 and R32 written out."""
    points = {
        "knock": his - mine,
        "undercut": mine - his + rules_.undercut_bonus,
        "gin": rules_.gin_bonus + his,
        "big_gin": (rules_.big_gin_bonus or 0) + his,
    }.get(ending, 0)
    return 2 * points if rules_.spade_doubles and upcard[1] == "S" else points


@pytest.mark.parametrize(
    "changes",
    [{}, {"gin_bonus": 20, "undercut_bonus": 14}, {"undercut_on_tie": False}, {"gin_bonus": 0, "undercut_bonus": 0}],
)
@pytest.mark.parametrize("name", ["gin", "oklahoma"])
def test_r10_r17_r18_r19_r32_every_pair_of_deadwoods_is_priced_by_the_rules(name: str, changes: dict) -> None:
    rules_ = rules(name, **changes)
    packed = rules_.packed()
    for mine in range(11):
        for his in range(99):
            if mine == 0:
                ending = "gin"
            elif mine == his:
                ending = "undercut" if rules_.undercut_on_tie else "tie"
            else:
                ending = "knock" if mine < his else "undercut"
            assert ENDINGS[ending_of(mine, his, packed)] == ending
            for upcard in ("KC", "AD", "KH", "AS", "7S"):
                found = price(ENDINGS.index(ending), mine, his, NUMBER[upcard], packed)
                assert found == points_by_rule(ending, mine, his, upcard, rules_)


def test_r11_r20_big_gin_draws_ties_and_stops_are_priced_by_the_rules() -> None:
    for changes in ({"big_gin_bonus": 31}, {"big_gin_bonus": 0}):
        rules_ = rules("oklahoma", **changes)
        for ending in ("big_gin", "draw", "tie", "stopped"):
            for his in (0, 1, 50, 98):
                for upcard in ("KC", "2S"):
                    expected = points_by_rule(ending, 0, his, upcard, rules_)
                    assert price(ENDINGS.index(ending), 0, his, NUMBER[upcard], rules_.packed()) == expected


TIED = ("2C 3C 4C 6D 7D 8D JH QH KH 5S", "AS 2S 2D 5C 5D 5H TC TD TS 9D")


@pytest.mark.parametrize("on_tie", [True, False])
def test_sc_01_r18_equal_deadwood_is_an_undercut_or_where_the_rules_say_so_a_tie(on_tie: bool) -> None:
    """5 against AS 2S 2D after 5C or 9D could be laid off: the fives are a set, the nine goes on the diamonds."""
    played = play(
        deal(*TIED, "KS", "QS"),
        {"A": Script(throw="QS", knock=True), "B": Script()},
        rules("gin", undercut_on_tie=on_tie),
    )
    row = played.row
    assert (row["knocker_deadwood"], row["defender_deadwood"], row["defender_deadwood_after"]) == (5, 14, 5)
    assert (row["laid_off"], row["laid_off_cards"]) == (9, 1)
    expected = ("undercut", "B", 10) if on_tie else ("tie", None, 0)
    assert (row["ending"], row["winner"], row["points"]) == expected
    assert row["knocker"] == "A"


@pytest.mark.parametrize(("upcard", "factor"), [("KS", 2), ("AS", 2), ("KD", 1), ("KC", 1), ("9H", 1)])
def test_r32_a_spade_turned_up_doubles_all_points_bonuses_included(upcard: str, factor: int) -> None:
    """Gin against 59; a knock with 1 against 59 less 5D laid off; an undercut, an ace against an ace."""
    rules_ = rules("oklahoma", ace_upcard="one")
    defender = "AD 3D 5D TC JD QD 2S 4S 6S 8S"
    for tenth, against, ending, points in (
        ("TH", defender, "gin", 25 + 59),
        ("AH", defender, "knock", 59 - 5 - 1),
        ("AH", "4D 4H 4S 6C 6H 6S TC TD TS AD", "undercut", 10),
    ):
        players = {"A": Script(throw="7S", knock=True), "B": Script()}
        row = play(deal(f"{NINE} {tenth}", against, upcard, "7S"), players, rules_).row
        assert (row["ending"], row["points"]) == (ending, factor * points)
        assert {seen.number("multiplier") for _, seen in players["A"].asked} == {factor}


@pytest.mark.parametrize(("given_", "expected"), checks("oklahoma_limit"))
def test_tr_07_r32_the_upcard_sets_the_limit_of_the_case_file(given_: dict, expected: dict) -> None:
    rules_ = rules("oklahoma", ace_upcard=given_.get("ace", "one"))
    assert hand_limit(NUMBER[given_["upcard"]], rules_.packed()) == expected["limit"]


@pytest.mark.parametrize("ace", ["gin", "one"])
def test_tr_07_r32_the_first_face_up_card_sets_the_limit_for_the_whole_hand(ace: str) -> None:
    """Whatever lies on the pile later, and whatever knock_limit says."""
    values = {
        "A": {"gin": 0, "one": 1}[ace],
        **{str(number): number for number in range(2, 10)},
        **dict.fromkeys("TJQK", 10),
    }
    for upcard in naive.DECK[:: several(1, 5)]:
        players = {"A": Script(take=lambda view: view.offer == "turn"), "B": Script(take=[False, True, False, True])}
        cards = [card for card in Random(NUMBER[upcard]).sample(naive.DECK, 52) if card != upcard]
        cards.insert(20, upcard)
        rules_ = rules("oklahoma", ace_upcard=ace, knock_limit=3)
        play(cards, players, rules_)
        limits = {seen.limit for player in players.values() for _, seen in player.asked}
        assert limits == {values[upcard[0]]}
        asked = [seen for player in players.values() for what, seen in player.asked if what == "knock"]
        assert all(seen.number("deadwood") <= values[upcard[0]] for seen in asked)
        doubling = rules_.packed()
        assert multiplier(NUMBER[upcard], doubling) == (2 if upcard[1] == "S" else 1)
        assert multiplier(NUMBER[upcard], rules("gin").packed()) == 1


# R15, R16, R20: hands that nobody wins -------------------------------------------------------------------------------


@pytest.mark.parametrize(("given_", "expected"), checks("stock_only"))
def test_eh_01_r15_r20_a_hand_of_stock_draws_is_a_draw_when_two_cards_are_left(given_: dict, expected: dict) -> None:
    name = {"A": "non-dealer", "B": "dealer"}
    players = {
        seat: Script(take=lambda view, seat=seat: view.offer == "upcard" and name[seat] == given_["upcard_taken_by"])
        for seat in "AB"
    }
    played = play(deal(LOOSE, ODD), players)
    drawn = played.did("draw")
    assert len(drawn) == expected["stock_draws"]
    assert name[drawn[-1][0]] == expected["last_drawer"]
    assert played.row["stock_left"] == expected["stock_left"]
    assert played.row["draws"] == expected["stock_draws"] + (given_["upcard_taken_by"] is not None)
    assert name.get(played.row["first_taker"]) == given_["upcard_taken_by"]
    assert (played.row["ending"], played.row["winner"], played.row["points"]) == ("draw", None, 0)
    unset = [
        "knocker",
        "knocker_deadwood",
        "defender_deadwood",
        "laid_off",
        "laid_off_cards",
        "defender_deadwood_after",
    ]
    assert [played.row[column] for column in unset] == [None] * 6
    # The last thing is a discard: nothing is asked after it.
    assert played.history[-1][1] == "discard"
    asked = sum(players[seat].questions().count("discard") for seat in "AB")
    assert asked == played.row["draws"]


@pytest.mark.parametrize("floor", range(11))
def test_r15_the_stock_floor_is_what_is_left_at_a_draw(floor: int) -> None:
    played = play(deal(LOOSE, ODD), {"A": Script(), "B": Script()}, rules("gin", stock_floor=floor))
    assert (played.row["ending"], played.row["stock_left"], played.row["draws"]) == ("draw", floor, 31 - floor)


# A's nine, and 5C AC on the clubs, 9D on the diamonds, TH on the hearts for B to lay off.
LAYERS = "AC 5C 9D TH KD QD 9S 8S 4H 2S"


def test_eh_02_a_r15_the_drawer_of_the_last_card_may_knock() -> None:
    """The 29th draw brings the drawer 7 points; he knocks, and the knock is scored with layoffs."""
    others = [card for card in naive.DECK if card not in f"{NINE} QS {LAYERS} KS 7S".split()]
    stock = others[:28] + ["7S"]
    players = {
        "A": Script(
            throw=lambda view: "QS" if "7S" in view.hand else next(iter(view.hand - set(f"{NINE} QS".split()))),
            knock=lambda view: view.number("deadwood") == 7,
        ),
        "B": Script(throw=keep(LAYERS)),
    }
    played = play(deal(f"{NINE} QS", LAYERS, "KS", " ".join(stock)), players)
    row = played.row
    assert (row["draws"], row["stock_left"], row["ending"], row["knocker"]) == (29, 2, "knock", "A")
    assert (row["knocker_deadwood"], row["defender_deadwood"]) == (7, 68)
    assert (row["laid_off"], row["laid_off_cards"], row["defender_deadwood_after"]) == (25, 4, 43)
    assert (row["winner"], row["points"]) == ("A", 36)


# The 29th draw is QS; thrown, it gives the dealer gin.
WAITING = "AS 2S 3S 5S 6S 7S 9S TS JS KD"


def last_discard(
    last: str, dealer: str, knock: Any = False, take: Any = None, **changes: Any
) -> tuple[Played, dict[str, Script]]:
    """The non-dealer draws the last card of the stock and throws it; the dealer keeps his cards and may take it."""
    others = [card for card in naive.DECK if card not in [*LOOSE.split(), *dealer.split(), last, "8D"]]
    players = {
        "A": Script(throw=keep(LOOSE)),
        "B": Script(
            take=(lambda view: view.offer == "last") if take is None else take,
            throw=keep(f"{dealer} {last}"),
            knock=knock,
            declare=changes.pop("declare", False),
        ),
    }
    name = changes.pop("name", "straight")
    cards = deal(LOOSE, dealer, "8D", " ".join([*others[:28], last]))
    return play(cards, players, rules(name, **changes)), players


@pytest.mark.parametrize(
    ("changes", "ending", "draws", "asked"),
    [
        ({}, "draw", 29, False),
        ({"last_discard": "knock"}, "gin", 30, True),
        ({"last_discard": "knock", "max_draws": 30}, "gin", 30, True),
        ({"last_discard": "knock", "max_draws": 29}, "draw", 29, False),
        ({"max_draws": 29}, "draw", 29, False),
        ({"max_draws": 28}, "stopped", 28, False),
        ({"last_discard": "knock", "max_draws": 28}, "stopped", 28, False),
    ],
)
def test_eh_02_b_r15_r16_the_last_discard_would_give_the_opponent_gin(
    changes: dict, ending: str, draws: int, asked: bool
) -> None:
    """It is dead, and nothing more is asked; under the tournament rule he may take it, but only to knock."""
    played, players = last_discard("QS", WAITING, **changes)
    row = played.row
    assert (row["ending"], row["draws"], row["pile_takes"]) == (ending, draws, draws - min(draws, 29))
    assert ("last" in players["B"].questions("take")) == asked
    if asked:
        assert players["B"].questions()[-2:] == ["take", "discard"]
        assert players["B"].asked[-1][1].legal == {"KD"}
        assert players["B"].asked[-1][1].offer == "last"
        assert played.history[-3:] == [("B", "take", "QS"), ("B", "discard", "KD"), ("B", "knock", None)]
        assert (row["winner"], row["knocker"], row["points"]) == ("B", "B", 25 + naive.points(LOOSE.split()))
    else:
        assert (row["winner"], row["knocker"], row["points"]) == (None, None, 0)
        assert players["B"].questions()[-1] == "discard"


def test_r15_the_last_discard_may_be_declined_and_the_hand_is_a_draw() -> None:
    played, players = last_discard("QS", WAITING, take=False, last_discard="knock")
    assert players["B"].questions("take")[-1] == "last"
    assert played.history[-1] == ("B", "decline", None)
    assert (played.row["ending"], played.row["draws"], played.row["points"]) == ("draw", 29, 0)


def test_r15_the_last_discard_is_not_offered_to_one_who_could_not_knock_with_it() -> None:
    """Under a limit of 10 the king is one deadwood card; a tenth point more and nobody is asked."""
    for dealer, asked in (
        ("AS 2S 3S 5S 6S 7S 9S TS KD QD", True),
        ("AS 2S 3S 5S 6S 7S 9S TS KD QD".replace("KD", "AH KD").replace(" 9S", ""), False),
    ):
        played, players = last_discard("JS", dealer, name="gin", last_discard="knock")
        assert ("last" in players["B"].questions("take")) == asked
        assert played.row["ending"] == ("knock" if asked else "draw")


def test_r8_r15_the_last_discard_itself_may_not_be_thrown_to_knock() -> None:
    """The dealer has gin in hand and played on; what he would take is of no use but to be thrown back."""
    gin = "AS 2S 3S 5S 6S 7S 9S TS JS QS"
    played, players = last_discard("KD", gin, last_discard="knock")
    assert "last" not in players["B"].questions("take")
    assert played.row["ending"] == "draw"
    played, players = last_discard("KD", gin, last_discard="knock", discard_taken_card=True)
    assert "last" in players["B"].questions("take")
    assert players["B"].asked[-1][1].legal == {"KD"}
    assert (played.row["ending"], played.row["draws"]) == ("gin", 30)


def test_r9_r15_only_discards_that_leave_the_limit_are_legal_with_the_last_discard() -> None:
    """The dealer's nine melded cards and a king: with JS any card of his three runs but the middle ones could go."""
    played, players = last_discard("QS", WAITING, name="gin", last_discard="knock")
    eleven = frozenset(f"{WAITING} QS".split())
    left = naive.discards(eleven, "QS")
    assert players["B"].asked[-1][1].legal == {card for card in left if left[card] <= 10} == {"KD", "9S"}
    assert played.did("discard")[-1] == ("B", "KD")


def test_r15_a_discard_that_leaves_too_much_is_a_fault_at_the_last_discard() -> None:
    players = {
        "A": Script(throw=keep(LOOSE)),
        "B": Script(take=lambda view: view.offer == "last", throw=keep(WAITING + " QS")),
    }
    keeping = players["B"].throws
    players["B"].throws = lambda view: "AS" if view.offer == "last" else keeping(view)
    others = [card for card in naive.DECK if card not in [*LOOSE.split(), *WAITING.split(), "QS", "8D"]]
    cards = deal(LOOSE, WAITING, "8D", " ".join([*others[:28], "QS"]))
    assert play(cards, players, rules("straight", last_discard="knock")).fault == "B"


@pytest.mark.parametrize("declare", [True, False])
def test_r11_r15_big_gin_may_be_declared_with_the_last_discard(declare: bool) -> None:
    gin = "AS 2S 3S 5S 6S 7S 9S TS JS QS"
    played, players = last_discard("KS", gin, last_discard="knock", big_gin_bonus=31, declare=declare)
    assert players["B"].questions()[-2:] == (["take", "declare"] if declare else ["declare", "discard"])
    assert (played.row["ending"], played.row["points"]) == (("big_gin", 31 + 57) if declare else ("gin", 25 + 57))
    assert played.row["draws"] == 30


def test_r16_two_players_who_take_the_pile_for_ever_are_stopped_after_400_draws() -> None:
    players = {"A": Script(take=True), "B": Script(take=True)}
    played = play(deal(LOOSE, ODD), players)
    row = played.row
    assert (row["ending"], row["winner"], row["points"], row["knocker"]) == ("stopped", None, 0, None)
    assert (row["draws"], row["pile_takes"], row["stock_left"], row["first_taker"]) == (400, 400, 31, "A")
    assert len(played.did("discard")) == 400


@pytest.mark.parametrize("most", [1, 2, 7, 28, 29, 2_000])
def test_r16_a_hand_is_stopped_after_max_draws(most: int) -> None:
    played = play(deal(LOOSE, ODD), {"A": Script(take=True), "B": Script(take=True)}, rules("gin", max_draws=most))
    assert (played.row["ending"], played.row["draws"], played.row["pile_takes"]) == ("stopped", most, most)
    assert played.history[-1][1] == "discard"


def test_r16_a_knock_on_the_last_draw_counts() -> None:
    played = play(
        deal(NINE + " 5S", ODD, "QS", "KS"),
        {"A": Script(throw="KS", knock=True), "B": Script()},
        rules("gin", max_draws=1),
    )
    assert (played.row["ending"], played.row["draws"]) == ("knock", 1)


# The view, and 52 cards ----------------------------------------------------------------------------------------------

ODD_RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "gin": ("gin", {}),
    "oklahoma": ("oklahoma", {}),
    "straight": ("straight", {}),
    "tournament": ("gin", {"last_discard": "knock", "stock_floor": 10, "big_gin_bonus": 31}),
    "loose": (
        "gin",
        {"discard_taken_card": True, "last_discard": "knock", "big_gin_bonus": 0, "max_draws": 40, "stock_floor": 0},
    ),
}


@pytest.mark.parametrize(
    "specs", [("random", "random"), ("simple", "random"), ("simple:knock=0", "simple:knock=2")], ids=" v ".join
)
@pytest.mark.parametrize("name", ODD_RULES)
def test_r5_r7_all_52_cards_are_there_after_every_action_and_views_are_true(name: str, specs: tuple[str, str]) -> None:
    """At every question all cards are counted and every field that the player is shown is worked out anew."""
    preset, changes = ODD_RULES[name]
    rules_, source, endings = rules(preset, **changes), Random(5), set()
    for number in range(several(100, 8)):
        players = {seat: Watched(spec) for seat, spec in zip("AB", specs, strict=True)}
        cards = dense_deal(source) if number % 3 == 0 else source.sample(naive.DECK, 52)
        played = Table(rules_, players).play(cards, SEATS[number % 2], seed=number)
        assert played.fault is None
        assert (
            played.row["draws"]
            == len(played.did("take")) + len(played.did("draw"))
            == len(played.did("discard")) + (played.row["ending"] == "big_gin")
        )
        assert played.row["pile_takes"] == len(played.did("take"))
        assert played.row["stock_left"] == 31 - len(played.did("draw"))
        assert played.row["upcard"] == cards[20]
        endings.add(played.row["ending"])
    assert len(endings) > several(1, 0) or specs[0] == "random"


@pytest.mark.parametrize("spec", ["random", "simple", "simple:knock=0"])
def test_what_a_player_cannot_see_changes_neither_its_view_nor_its_decisions(spec: str) -> None:
    """The other's unknown cards and what is left of the stock are mixed; the other does again what it did.

    Up to the decision at which the mixing was done, every byte that the player is shown is the same, and every answer.
    """

    class Noting(Watched):
        """Notes which cards it does not know at one decision: of the other all but what came from the pile, and the stock."""

        def _answer(self, kernel_: Any, sight: Sight) -> int:
            if len(self.seen) == moment:
                truth = self.table.look()
                hidden.extend(truth.stock + sorted(truth.hands[other] - truth.took[other]))
            return super()._answer(kernel_, sight)

    source, compared = Random(9), 0
    for number in range(several(120, 40)):
        rules_ = rules("gin", discard_taken_card=number % 5 == 0, last_discard=["dead", "knock"][number % 2])
        cards, moment, hidden = source.sample(naive.DECK, 52), source.randrange(25), []
        seat, other = ("A", "B") if number % 2 else ("B", "A")
        players = {seat: Noting(spec), other: Watched(["random", "simple"][number % 3 == 0])}
        Table(rules_, players).play(cards, seed=number)
        if not hidden:
            continue
        mixed = dict(zip(hidden, source.sample(hidden, len(hidden)), strict=True))
        again = Watched(spec)
        mixed_cards = [TEXT[mixed.get(NUMBER[card], NUMBER[card])] for card in cards]
        Table(rules_, {seat: again, other: players[other].repeated()}).play(mixed_cards, seed=number)
        assert again.seen[: moment + 1] == players[seat].seen[: moment + 1]
        compared += moment + 1
    assert compared > several(500, 150)


# Rows that price themselves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["gin", "hollywood", "hollywood-20", "three-handed", "oklahoma", "straight", "eaai", "everything"]
)
@pytest.mark.parametrize("specs", [["simple"], ["random"], ["simple:knock=0"]], ids=lambda specs: specs[0])
def test_sc_04_r17_r18_r19_r20_the_points_of_every_row_follow_from_its_other_columns(
    name: str, specs: list[str]
) -> None:
    """100,000 hands of ``simple`` a preset, and fewer of others; the formulas are written in columns here."""
    changes: dict[str, Any] = {}
    if name == "everything":
        name = "oklahoma"
        changes = {"ace_upcard": "one", "big_gin_bonus": 31, "discard_taken_card": True, "last_discard": "knock"}
        changes |= {"undercut_on_tie": False, "stock_floor": 5, "max_draws": 60, "gin_bonus": 40, "undercut_bonus": 17}
    rules_ = rules(name, **changes)
    count = several(100_000 if specs == ["simple"] else 20_000, 50)
    hands = chunk(name, specs, 4, count, changes=changes)["hands"]
    text = pl.col("ending").cast(pl.String)
    mine, his = pl.col("knocker_deadwood").cast(pl.Int32), pl.col("defender_deadwood_after").cast(pl.Int32)
    spade = pl.col("upcard").cast(pl.String).str.ends_with("S")
    ace = pl.col("upcard").cast(pl.String).str.starts_with("A")
    rank = (
        pl.col("upcard")
        .cast(pl.String)
        .str.slice(0, 1)
        .replace_strict({rank: min(place + 1, 10) for place, rank in enumerate(naive.RANKS)}, return_dtype=pl.Int32)
    )
    limit = (
        pl.when(ace).then(1 if changes else 0).otherwise(rank)
        if rules_.upcard_sets_limit
        else pl.lit(rules_.knock_limit)
    )
    points = (
        pl.when(text == "knock")
        .then(his - mine)
        .when(text == "undercut")
        .then(mine - his + rules_.undercut_bonus)
        .when(text == "gin")
        .then(his + rules_.gin_bonus)
        .when(text == "big_gin")
        .then(his + (rules_.big_gin_bonus or 0))
        .otherwise(0)
    ) * (pl.when(spade).then(2).otherwise(1) if rules_.spade_doubles else 1)
    decided = text.is_in(["knock", "undercut", "gin", "big_gin"])
    knocked = decided | (text == "tie")
    winner, knocker = pl.col("winner").cast(pl.String), pl.col("knocker").cast(pl.String)
    before, laid, cards = (
        pl.col("defender_deadwood").cast(pl.Int32),
        pl.col("laid_off").cast(pl.Int32),
        pl.col("laid_off_cards"),
    )
    sitter = pl.col("sitter").cast(pl.String) if rules_.format == "three_handed" else pl.lit("C")
    identities = {
        "points": pl.col("points") == points,
        "points of those who win nothing": decided | (pl.col("points") == 0),
        "least and most points": ~decided
        | pl.col("points").is_between(
            1, (max(rules_.gin_bonus, rules_.big_gin_bonus or 0) + 98) * (2 if rules_.spade_doubles else 1)
        ),
        "a winner where a hand is decided": decided == winner.is_not_null(),
        "a knocker where somebody knocked": knocked == knocker.is_not_null(),
        "nothing known without a knock": pl.all_horizontal(
            knocked == pl.col(column).is_not_null()
            for column in (
                "knocker_deadwood",
                "defender_deadwood",
                "laid_off",
                "laid_off_cards",
                "defender_deadwood_after",
            )
        ),
        "who wins": ~decided | ((text == "undercut") == (winner != knocker)),
        "the sitter wins nothing": ~decided | (winner != sitter),
        "knock": (text != "knock") | ((mine < his) & (mine > 0)),
        "undercut": (text != "undercut") | (mine > his if not rules_.undercut_on_tie else mine >= his),
        "tie": (text != "tie") | ((mine == his) & (mine > 0) & (not rules_.undercut_on_tie)),
        "gin": ((text == "gin") | (text == "big_gin")) == (mine == 0).fill_null(False),
        "the limit": ~knocked | (mine <= limit),
        "nothing laid off against gin": ~text.is_in(["gin", "big_gin"])
        | ((laid == 0) & (cards == 0) & (before == his)),
        "layoffs never cost": ~knocked | (his <= before),
        "cards laid off have points": ~knocked | ((cards == 0) == (laid == 0)),
        "few cards are laid off": ~knocked | (cards <= 10),
        "cards drawn": pl.col("draws").cast(pl.Int32) - pl.col("pile_takes").cast(pl.Int32)
        == 31 - pl.col("stock_left").cast(pl.Int32),
        "a draw is an empty stock": (text != "draw") | (pl.col("stock_left") == rules_.stock_floor),
        "the stock is never under its floor": pl.col("stock_left") >= rules_.stock_floor,
        "stopped": (text != "stopped") | (pl.col("draws") == rules_.max_draws),
        "never more draws": pl.col("draws") <= rules_.max_draws,
    }
    wrong = hands.select(**{what: (~holds).sum() for what, holds in identities.items()}).to_dicts()[0]
    assert {what: count_ for what, count_ in wrong.items() if count_} == {}
    assert hands["hand"].to_list() == list(range(count))
    assert hands.null_count().select("dealer", "upcard", "ending", "points", "draws").to_dicts()[0] == dict.fromkeys(
        ("dealer", "upcard", "ending", "points", "draws"), 0
    )
