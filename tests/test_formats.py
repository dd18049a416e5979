"""Who plays whom and until when: ledgers, dealers, roles, whole matches, mirrored pairs, single hands (R20 to R34)."""

import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import permutations, product
from pathlib import Path
from random import Random
from types import ModuleType

import naive
import numpy as np
import polars as pl
import pytest
from table import NUMBER, SEATS, U64, Script, Sight, Table, checks, chunk, compiled_only, differences, rules, several

from ginsim import accelerate, plan, runner, strategies
from ginsim.accelerate import kernel, lowest_number
from ginsim.errors import GinsimError
from ginsim.formats import (
    HAND_BEGINS,
    LEDGER,
    PROGRESS,
    cut,
    enter,
    game_total,
    is_over,
    is_shut_out,
    next_dealer,
    next_roles,
    open_ledger,
    play_hands,
)
from ginsim.hand import DECK, DecisionSignature, ending_of, price
from ginsim.randomness import BUFFER, CUT, open_stream
from ginsim.records import HAND_ROW
from ginsim.rules import Rules

pytestmark = [pytest.mark.quick, pytest.mark.filterwarnings("error::RuntimeWarning")]

PRESETS = ["gin", "hollywood", "hollywood-20", "three-handed", "oklahoma", "straight", "eaai"]
EXCHANGED = {"A": "B", "B": "A", "C": "C"}


class Sheet:
    """A score sheet of the engine with the players' names on it."""

    def __init__(self, rules_: Rules, players: Iterable[str]) -> None:
        self.ledger = accelerate.records(1, LEDGER)[0]
        self.players = list(players)
        self.packed = rules_.packed()
        self.games = rules_.games or 1
        open_ledger(self.ledger)

    def enter(self, winner: str | None, points: int) -> "Sheet":
        enter(self.ledger, -1 if winner is None else self.players.index(winner), points, self.packed)
        return self

    def enter_all(self, hands: Iterable[tuple[str | None, int]]) -> "Sheet":
        for winner, points in hands:
            self.enter(winner, points)
        return self

    def scores(self) -> dict[str, list[int]]:
        return {
            player: [int(self.ledger["score"][seat][game]) for game in range(self.games)]
            for seat, player in enumerate(self.players)
        }

    def name(self, seat: int) -> str | None:
        return None if seat < 0 else self.players[seat]

    def closed_by(self) -> list[str | None]:
        return [self.name(int(seat)) for seat in self.ledger["game_winner"][: self.games]]

    def winner(self) -> str | None:
        return self.name(int(self.ledger["series_winner"]))

    def decided_at(self) -> int | None:
        return int(self.ledger["decided_at"]) or None

    def over(self) -> bool:
        return bool(is_over(self.ledger, self.packed))

    def totals(self, game: int = 0) -> list[int]:
        seats = len(self.players)
        return [int(game_total(self.ledger, seat, game, seats, self.packed)) for seat in range(seats)]

    def shut_out(self, game: int = 0) -> bool:
        return bool(is_shut_out(self.ledger, game, len(self.players)))


# R21 to R26: Hollywood -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given_", "expected"), checks("hollywood"))
def test_hw_01_hw_02_hw_03_r22_r23_r25_r26_the_score_sheets_of_the_case_file(given_: dict, expected: dict) -> None:
    rules_ = rules("hollywood", shut_out="next_game" if given_.get("shutout_shift") else "literal")
    sheet, trace = Sheet(rules_, given_["players"]), []
    for winner, points in given_["hands"]:
        sheet.enter(winner, points)
        trace.append({player: "/".join(map(str, scores)) for player, scores in sheet.scores().items()})
    found = {"scores": sheet.scores(), "trace": trace, "closed_by": sheet.closed_by(), "series_winner": sheet.winner()}
    assert {name: found[name] for name in expected} == expected


def test_r26_the_sheets_own_example() -> None:
    sheet = Sheet(rules("hollywood"), ["Bob", "Alexandra"])
    sheet.enter_all([("Bob", 10), ("Alexandra", 18), ("Bob", 30), ("Bob", 4)])
    assert sheet.scores() == {"Bob": [44, 34, 4], "Alexandra": [18, 0, 0]}


def test_r22_a_draw_uses_up_nothing() -> None:
    with_draws = Sheet(rules("hollywood"), "AB").enter_all(
        [(None, 0), ("A", 20), (None, 0), (None, 0), ("A", 30), ("A", 1)]
    )
    assert with_draws.scores() == {"A": [51, 31, 1], "B": [0, 0, 0]}
    assert with_draws.ledger["hands"] == 6


@pytest.mark.parametrize(("points", "ended"), [(99, False), (100, True), (101, True)])
def test_hw_02_r23_a_game_ends_when_its_total_reaches_the_target(points: int, ended: bool) -> None:
    sheet = Sheet(rules("hollywood"), "AB").enter("B", 3).enter("A", points)
    assert sheet.closed_by() == ["A" if ended else None, None, None]
    assert not sheet.over()
    assert Sheet(rules("gin"), "AB").enter("A", points).over() == ended


def test_r23_nothing_more_is_entered_in_an_ended_game_for_either_player() -> None:
    sheet = Sheet(rules("hollywood"), "AB").enter_all([("A", 100), ("A", 10), ("B", 50), ("B", 20)])
    assert sheet.scores() == {"A": [100, 10, 0], "B": [0, 20, 0]}
    assert list(sheet.ledger["boxes"][0][:3]) == [1, 1, 0]
    assert list(sheet.ledger["boxes"][1][:3]) == [0, 1, 0]


def test_r23_one_hand_can_end_several_games() -> None:
    sheet = Sheet(rules("hollywood"), "AB").enter_all([("A", 60), ("A", 50), ("A", 45)])
    assert sheet.closed_by() == ["A", None, None]
    sheet.enter("A", 55)
    assert sheet.closed_by() == ["A", "A", "A"]
    assert list(sheet.ledger["ended_at"][:3]) == [2, 4, 4]
    assert sheet.over()


def test_r24_the_series_goes_on_until_the_third_game_has_ended_or_stops_when_it_is_decided() -> None:
    hands = [("A", 60), ("A", 50), ("A", 60)]
    for end, over in (("all", False), ("decided", True)):
        sheet = Sheet(rules("hollywood", series_end=end), "AB").enter_all(hands)
        assert sheet.closed_by() == ["A", "A", None]
        assert (sheet.winner(), sheet.decided_at(), sheet.over()) == ("A", 3, over)
    sheet = Sheet(rules("hollywood"), "AB").enter_all([*hands, ("B", 70), ("B", 70), ("B", 70), ("B", 30)])
    # B's third and fourth win end game 3; the series was A's long before.
    assert sheet.scores() == {"A": [110, 110, 60], "B": [0, 0, 100]}
    assert (sheet.closed_by(), sheet.winner(), sheet.decided_at(), sheet.over()) == (["A", "A", "B"], "A", 3, True)


def test_r24_a_series_of_an_even_number_of_games_may_have_no_winner() -> None:
    sheet = Sheet(rules("hollywood", games=2), "AB").enter_all([("A", 100), ("B", 1), ("B", 100)])
    assert (sheet.closed_by(), sheet.winner(), sheet.decided_at(), sheet.over()) == (["A", "B"], None, None, True)


def test_r25_a_first_win_after_game_1_has_ended_is_lost_or_opens_the_next_game() -> None:
    hands = [("A", 60), ("A", 50), ("B", 30), ("B", 20), ("B", 40)]
    assert Sheet(rules("hollywood"), "AB").enter_all(hands).scores()["B"] == [0, 60, 40]
    assert Sheet(rules("hollywood", shut_out="next_game"), "AB").enter_all(hands).scores()["B"] == [0, 90, 60]


def test_r25_a_win_without_points_counts_as_an_entry() -> None:
    """An undercut without a bonus in a hand of equal deadwood scores nothing, and is a win all the same."""
    for shut_out in ("literal", "next_game"):
        sheet = Sheet(rules("hollywood", shut_out=shut_out), "AB").enter_all([("A", 0), ("A", 7)])
        assert sheet.scores()["A"] == [7, 7, 0]
        assert list(sheet.ledger["boxes"][0][:3]) == [2, 1, 0]


def test_r25_while_all_games_are_open_both_readings_are_the_same() -> None:
    source = Random(1)
    for _ in range(200):
        hands = [(source.choice(["A", "B", None]), source.randint(1, 9)) for _ in range(11)]
        literal, shifted = (
            Sheet(rules("hollywood", shut_out=how), "AB").enter_all(hands) for how in ("literal", "next_game")
        )
        assert literal.scores() == shifted.scores()
        assert literal.closed_by() == [None] * 3


@pytest.mark.parametrize("games", [1, 2, 3, 4, 9])
@pytest.mark.parametrize("shut_out", ["literal", "next_game"])
@pytest.mark.parametrize("end", ["all", "decided"])
def test_r22_r23_r24_r25_score_sheets_are_the_twins(games: int, shut_out: str, end: str) -> None:
    source = Random(games)
    changes = {"games": games, "shut_out": shut_out, "series_end": end, "target": 60}
    rules_, twin_rules = rules("hollywood", **changes), naive.preset("hollywood", **changes)
    for _ in range(several(60, 10)):
        hands, bias = [], source.choice([0.5, 0.8, 0.97])
        for _ in range(80):
            winner = None if source.random() < 0.05 else "A" if source.random() < bias else "B"
            hands.append((winner, source.choice([1, 5, 20, 60, 0]) if winner else 0))
            sheet = Sheet(rules_, "AB").enter_all(hands)
            twin = naive.hollywood_ledger(hands, twin_rules)
            assert sheet.scores() == twin["scores"]
            assert (sheet.closed_by(), sheet.winner()) == (twin["closed_by"], twin["series_winner"])
            assert (sheet.decided_at(), sheet.over()) == (twin["decided_at_hand"], twin["over"])
            if twin["over"]:
                break


def test_sc_03_r18_r23_the_game_is_won_by_who_reaches_the_score_in_the_others_turn() -> None:
    """95 to 92; A knocks with 5, B has 4."""
    rules_ = rules("gin")
    ending = ending_of(5, 4, rules_.packed())
    points = int(price(ending, 5, 4, NUMBER["2D"], rules_.packed()))
    sheet = Sheet(rules_, "AB").enter_all([("A", 95), ("B", 92), ("B", points)])
    assert sheet.scores() == {"A": [95], "B": [103]}
    assert (sheet.winner(), sheet.over()) == ("B", True)


# R20, R21, R34: who deals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("given_", "expected"), checks("dealers"))
def test_eh_03_r20_r21_the_dealers_of_the_case_file(given_: dict, expected: dict) -> None:
    dealers = [SEATS.index(given_["first_dealer"])]
    packed = rules("gin").packed()
    for winner in given_["winners"]:
        dealers.append(int(next_dealer(dealers[-1], -1 if winner is None else SEATS.index(winner), packed)))
    assert [SEATS[dealer] for dealer in dealers] == expected["dealers"]


@pytest.mark.parametrize(
    ("how", "after"),
    [
        # (dealer, winner): next dealer.
        ("winner", {(0, 0): 0, (0, 1): 1, (1, 0): 0, (1, 1): 1}),
        ("loser", {(0, 0): 1, (0, 1): 0, (1, 0): 1, (1, 1): 0}),
        ("alternate", {(0, 0): 1, (0, 1): 1, (1, 0): 0, (1, 1): 0}),
    ],
)
def test_r20_r21_r34_the_next_dealer(how: str, after: dict) -> None:
    packed = rules("gin", next_dealer=how).packed()
    assert {(dealer, winner): int(next_dealer(dealer, winner, packed)) for dealer, winner in after} == after
    # After a draw, a tie or a stopped hand the same player deals again.
    assert [int(next_dealer(dealer, -1, packed)) for dealer in (0, 1)] == [0, 1]


@pytest.mark.parametrize("name", ["gin", "hollywood", "oklahoma", "straight", "eaai", "loser", "tie"])
def test_r20_r21_r34_dealers_in_whole_matches_follow_from_the_winners(name: str) -> None:
    """``eaai`` alternates; where nobody wins the same player deals again, also after a tie or a stop."""
    changes = {
        "loser": {"next_dealer": "loser"},
        "tie": {"undercut_on_tie": False, "max_draws": 12, "stock_floor": 10},
    }.get(name, {})
    rules_ = rules(name if not changes else "gin", **changes)
    frames = chunk(
        name if not changes else "gin", ["simple:knock=4"], 3, several(200, 8), unit="matches", changes=changes
    )
    first = dict(frames["matches"].select("match", "first_dealer").iter_rows())
    without = 0
    for (match,), hands in frames["hands"].group_by("match", maintain_order=True):
        dealer = first[match]
        for row in hands.to_dicts():
            assert row["dealer"] == dealer
            without += row["winner"] is None
            if row["winner"] is not None:
                winner = row["winner"]
                dealer = {"winner": winner, "loser": EXCHANGED[winner], "alternate": EXCHANGED[dealer]}[
                    rules_.next_dealer
                ]
    assert without > 0 or len(frames["hands"]) < 500


def test_r21_the_first_dealer_is_random_and_comes_from_the_match_alone() -> None:
    count = several(4000, 60)
    found = chunk("gin", ["simple"], 21, count, unit="matches", changes={"max_hands": 1})["matches"][
        "first_dealer"
    ].to_list()
    assert (
        found
        == chunk("oklahoma", ["random"], 21, count, unit="matches", changes={"max_hands": 1})["matches"][
            "first_dealer"
        ].to_list()
    )
    assert found[:60] == [naive.cut(naive.preset("gin"), 21, match)[0] for match in range(60)]
    assert abs(found.count("A") - count / 2) < 5 * (count / 4) ** 0.5


# R27 to R30: three-handed --------------------------------------------------------------------------------------------


def words_for(draws: list[list[int]]) -> list[int]:
    """Random words with which each drawing from a fresh deck turns up these places of the ordered deck."""
    words = []
    for drawing in draws:
        deck = list(range(52))
        for place, card in enumerate(drawing):
            other = deck.index(card)
            # A word in the middle of those that choose this one.
            words.append(((other - place) * 2**32 + 2**31) // (52 - place))
            deck[place], deck[other] = deck[other], deck[place]
    return words


def cut_with(draws: list[str]) -> str:
    """Box, captain and sitter when the seats that draw turn up these cards, drawing by drawing."""
    deck = accelerate.records(1, DECK)[0]
    open_stream(deck["stream"], U64(1), U64(CUT), U64(0), U64(0))
    words = words_for([[naive.DECK.index(card) for card in drawing.split()] for drawing in draws])
    assert len(words) <= BUFFER
    deck["stream"]["words"][: len(words)] = words
    deck["stream"]["filled"] = len(words)
    roles = cut(deck)
    assert deck["stream"]["used"] == len(words), "not all cards were drawn"
    return "".join(SEATS[seat] for seat in roles)


@pytest.mark.parametrize("ranks", list(permutations("A7K")))
def test_r27_the_highest_card_is_in_the_box_the_middle_one_the_captain_the_lowest_sits_out(
    ranks: tuple[str, ...],
) -> None:
    roles = cut_with([" ".join(rank + suit for rank, suit in zip(ranks, "SHC", strict=True))])
    assert roles == "".join(sorted("ABC", key=lambda seat: "A7K".index(ranks["ABC".index(seat)]), reverse=True))


def test_r27_suits_do_not_count_and_the_ace_is_low() -> None:
    assert cut_with(["KC QS AS"]) == "ABC"
    assert cut_with(["AS 2C KD"]) == "CBA"
    assert cut_with(["TD JC 9S"]) == "BAC"


@pytest.mark.parametrize(
    ("draws", "roles"),
    [
        # Two are tied for the box, or under it, in each pair of seats; they alone draw again, in seat order.
        (["KS KC 7D", "2C 3C"], "BAC"),
        (["KS KC 7D", "3C 2C"], "ABC"),
        (["7S 7C KD", "2C 3C"], "CBA"),
        (["7S 7C KD", "AC AD", "5C 3C"], "CAB"),
        (["KS 7D KC", "2C 3C"], "CAB"),
        (["KS 7D KC", "3C 2C"], "ACB"),
        (["7S KD 7C", "3C 2C"], "BAC"),
        (["7S KD 7C", "2C 3C"], "BCA"),
        (["7D KS KC", "3C 2C"], "BCA"),
        (["7D KS KC", "2C 3C"], "CBA"),
        (["KD 7S 7C", "2C 3C"], "ACB"),
        (["KD 7S 7C", "9S 9H", "9S 9H", "3C 2C"], "ABC"),
        # All three.
        (["8S 8H 8D", "AC 2C 3C"], "CBA"),
        (["8S 8H 8D", "8S 8H 8C", "KC 2C 2D", "2C 3C"], "ACB"),
        # The deck is fresh: the very cards that were tied may come again, and a card of the first drawing.
        (["KS KC 7D", "7D KC"], "BAC"),
        (["KS KC 7D", "KS KC", "KC KS", "4C 7D"], "BAC"),
    ],
)
def test_r27_those_tied_draw_again_from_a_fresh_deck(draws: list[str], roles: str) -> None:
    assert cut_with(draws) == roles


def test_r27_every_way_of_drawing_ranks_is_as_the_twin_has_it() -> None:
    suits, source = "CDH", Random(2)
    for ranks in product("A7K", repeat=3):
        first = [rank + suit for rank, suit in zip(ranks, suits, strict=True)]
        draws = [" ".join(first)]
        tied = Counter(ranks).most_common(1)[0][1]
        if tied > 1:
            later = source.sample(range(13), tied)
            draws.append(" ".join(naive.RANKS[rank] + "S" for rank in later))
        twin = naive.Stream(0, CUT, 0, 0)
        twin._words = iter(words_for([[naive.DECK.index(card) for card in drawing.split()] for drawing in draws]))
        assert cut_with(draws) == "".join(naive.cut_three(twin))
        assert list(twin._words) == []


def test_r27_cuts_of_many_matches_are_the_twins() -> None:
    deck = accelerate.records(1, DECK)[0]
    found = Counter()
    for match in range(several(6000, 300)):
        open_stream(deck["stream"], U64(5), U64(CUT), U64(match), U64(0))
        roles = tuple(SEATS[seat] for seat in cut(deck))
        assert roles == naive.cut_three(naive.Stream(5, CUT, match, 0))
        found[roles] += 1
    expected = sum(found.values()) / 6
    assert len(found) == 6
    assert all(abs(count - expected) < 5 * expected**0.5 for count in found.values())


@pytest.mark.parametrize(("given_", "expected"), checks("three_handed"))
def test_th_01_r27_r28_r29_r30_the_three_handed_game_of_the_case_file(given_: dict, expected: dict) -> None:
    players = list(given_["cuts"])
    order = cut_with([" ".join(given_["cuts"].values())])
    box, captain, sitter = (SEATS.index(seat) for seat in order)
    sheet, roles = Sheet(rules("three-handed"), players), []
    for role, points in given_["hands"]:
        assert not sheet.over()
        roles.append([players[seat] for seat in (box, captain, sitter)])
        winner = {"box": box, "captain": captain, None: -1}[role]
        sheet.enter(sheet.name(winner), points)
        box, captain, sitter = (int(seat) for seat in next_roles(box, captain, sitter, winner))
    assert roles == expected["roles_per_hand"]
    assert {player: scores[0] for player, scores in sheet.scores().items()} == expected["scores"]
    assert (sheet.winner(), sheet.over()) == (expected["winner"], True)


@pytest.mark.parametrize("roles", list(permutations((0, 1, 2))))
def test_r29_the_roles_after_a_hand(roles: tuple[int, int, int]) -> None:
    box, captain, sitter = roles
    assert tuple(next_roles(*roles, box)) == (box, sitter, captain)
    assert tuple(next_roles(*roles, captain)) == (captain, sitter, box)
    assert tuple(next_roles(*roles, -1)) == roles


def test_r28_r29_r30_whole_three_handed_matches_keep_the_rules_of_roles_and_scores() -> None:
    frames = chunk("three-handed", ["simple"], 6, several(400, 10), unit="matches")
    for (match,), hands in frames["hands"].group_by("match", maintain_order=True):
        rows = hands.to_dicts()
        roles = naive.cut_three(naive.Stream(6, CUT, match, 0))
        scores = dict.fromkeys("ABC", 0)
        for row in rows:
            assert (row["box"], row["captain"], row["sitter"]) == roles
            assert row["dealer"] == row["box"]
            assert row["first_taker"] in (None, row["box"], row["captain"])
            assert row["winner"] in (None, row["box"], row["captain"])
            assert max(scores.values()) < 100
            if row["winner"] is not None:
                scores[row["winner"]] += row["points"]
                box, captain, sitter = roles
                roles = (box, sitter, captain) if row["winner"] == box else (captain, sitter, box)
            assert [row[f"score_{seat}"] for seat in "abc"] == list(scores.values())
        end = frames["matches"].row(match, named=True)
        assert scores[end["winner"]] >= 100
        assert end["hands"] == end["decided_at_hand"] == len(rows)
        assert end["first_dealer"] == rows[0]["box"]


def test_r28_the_captain_plays_and_the_sitter_is_asked_nothing_and_shown_nothing() -> None:
    rules_ = rules("three-handed", target=1000, max_hands=12)
    players = {seat: Script(take=lambda view: True, knock=True) for seat in "ABC"}
    tables = Table(rules_, players).matches(3, 0, 1)
    sheets = {seat: [view for _, view in players[seat].asked] for seat in "ABC"}
    for row in tables["hands"]:
        asked = {seat: [view for view in sheets[seat] if view.number("hand") == row["hand"]] for seat in "ABC"}
        assert asked[row["sitter"]] == []
        assert {view.number("deals") for view in asked[row["box"]]} <= {1}
        assert {view.number("deals") for view in asked[row["captain"]]} == {0}


# Scores, memory and streams that players see -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hollywood", "three-handed", "gin"])
def test_players_are_shown_the_scores_before_the_hand_and_remember_within_a_match(name: str) -> None:
    """Own and other's scores by game, the sitter's score, the hand's number; memory lasts a match, notes a hand."""
    rules_, problems, sitter_scores = rules(name, target=40 if name == "hollywood" else 100), [], set()

    class Rememberer(Script):
        def take(self, view: Sight) -> bool:
            live = table.views[SEATS.index(view.seat)]
            key = (view.seat, view.number("hand"))
            if live["turns"] == 0 and key not in self.opened:
                self.opened.append(key)
                if live["notes"].any():
                    problems.append("notes of an earlier hand")
                if live["memory"][3] != len(self.opened) - 1:
                    problems.append("memory lost, or kept too long")
                live["memory"][3] += 1
            live["notes"][5] = 77
            return super().take(view)

    players = {seat: Rememberer(take=lambda view: view.number("draws") % 3 == 0, knock=True) for seat in "ABC"}
    table = Table(rules_, players)
    for match in (4, 5):
        for player in players.values():
            player.opened, player.asked = [], []
        tables = table.matches(8, match, 1)
        before = {column: 0 for column in tables["hands"][0] if column.startswith("score_")}
        games = rules_.games or 1
        views: dict[str, dict[int, list[Sight]]] = {seat: {} for seat in players}
        for seat, player in players.items():
            for _, view in player.asked:
                views[seat].setdefault(view.number("hand"), []).append(view)

        def scores(seat: str, after: dict[str, int]) -> list[int]:
            return [value for column, value in after.items() if column.startswith(f"score_{seat.lower()}")]

        for row in tables["hands"]:
            playing = ("box", "captain") if name == "three-handed" else ()
            seats = [row[role] for role in playing] or ["A", "B"]
            for seat, other in (seats, seats[::-1]):
                for view in views[seat].pop(row["hand"], []):
                    assert list(view.raw["own_scores"][:games]) == scores(seat, before)
                    assert list(view.raw["other_scores"][:games]) == scores(other, before)
                    assert [view.number("sitter_score")] == (scores(row["sitter"], before) if playing else [0])
                    sitter_scores.add((view.number("deals"), view.number("sitter_score") > 0))
                    stream = view.raw["stream"]
                    assert (stream["key"], stream["match"], stream["hand"]) == (8, match, row["hand"])
                    assert stream["purpose"] == 3 + SEATS.index(seat)
            before = {column: row[column] for column in before}
        # Nobody was asked anything in a hand in which he did not play.
        assert not any(views.values())
    assert problems == []
    # In the three-handed game box and captain both have seen that the sitter has points.
    assert {(0, True), (1, True)} <= sitter_scores or name != "three-handed"


@pytest.mark.parametrize("name", ["gin", "three-handed"])
def test_single_hands_have_players_made_afresh(name: str) -> None:
    """Seat, scores and memory are those of a first hand in each, whatever was played before."""

    class Rememberer(Script):
        def take(self, view: Sight) -> bool:
            live = table.views[SEATS.index(view.seat)]
            if live["turns"] == 0:
                seen.append((int(live["memory"].sum()), int(live["notes"].sum()), int(live["own_scores"].sum())))
                seen.append((int(live["other_scores"].sum()), int(live["sitter_score"]), int(live["hand"])))
            live["memory"][7] = live["notes"][7] = 9
            live["own_scores"][0] = live["other_scores"][0] = live["sitter_score"] = 5
            return super().take(view)

    seen: list[tuple[int, int, int]] = []
    table = Table(rules(name), {seat: Rememberer(take=True, knock=True) for seat in "ABC"})
    table.views["seat"] = 7
    table.hands(3, 0, 6)
    assert len(seen) > 12
    assert set(seen) == {(0, 0, 0)}
    assert list(table.views["seat"]) == [0, 1, 2]


# R31: extras, R16: no end --------------------------------------------------------------------------------------------

EXTRAS = {"box_bonus": 20, "game_bonus": 100, "blitz_bonus": 50}


def test_r31_extras_are_a_box_for_each_hand_won_the_game_and_the_shut_out() -> None:
    sheet = Sheet(rules("gin", **EXTRAS), "AB").enter_all([("A", 30), ("B", 40), (None, 0), ("A", 30)])
    # While the game is open there are no extras.
    assert sheet.totals() == [60, 40]
    sheet.enter("A", 45)
    assert not sheet.shut_out()
    assert sheet.totals() == [105 + 3 * 20 + 100, 40 + 20]
    # A hand won without points, an undercut where that has no bonus, is a hand won.
    nothing = Sheet(rules("gin", undercut_bonus=0, **EXTRAS), "AB").enter_all([("B", 0), ("A", 100)])
    assert not nothing.shut_out()
    assert nothing.totals() == [100 + 20 + 100, 20]
    blitz = Sheet(rules("gin", **EXTRAS), "AB").enter_all([("B", 30), (None, 0), ("B", 70)])
    assert blitz.shut_out()
    assert blitz.totals() == [0, 100 + 2 * 20 + 100 + 50]


@pytest.mark.parametrize("bonus", EXTRAS)
def test_r31_each_extra_stands_alone(bonus: str) -> None:
    sheet = Sheet(rules("gin", **{bonus: 7}), "AB").enter_all([("B", 60), ("B", 70)])
    assert sheet.totals() == [0, 130 + {"box_bonus": 14, "game_bonus": 7, "blitz_bonus": 7}[bonus]]


def test_r31_extras_do_not_change_who_wins() -> None:
    sheet = Sheet(rules("gin", box_bonus=1000), "AB").enter_all([("A", 1), ("A", 1), ("A", 1), ("B", 99)])
    assert not sheet.over()
    sheet.enter("B", 1)
    assert sheet.winner() == "B"
    assert sheet.totals() == [3003, 2100]


def test_r25_r31_a_shut_out_needs_no_hand_of_the_loser_entered_in_that_game() -> None:
    """B's first win comes when game 1 has ended: it is entered nowhere, and game 2 has his second."""
    sheet = Sheet(rules("hollywood", **EXTRAS), "AB").enter_all([("A", 60), ("A", 50), ("B", 30), ("B", 20), ("A", 60)])
    assert sheet.closed_by() == ["A", "A", None]
    assert [sheet.shut_out(game) for game in range(2)] == [True, False]
    assert [sheet.totals(game) for game in range(3)] == [[110 + 40 + 150, 0], [110 + 40 + 100, 20 + 20], [60, 0]]


def test_r30_r31_in_a_three_handed_shut_out_no_other_player_won_a_hand() -> None:
    alone = Sheet(rules("three-handed", **EXTRAS), "ABC").enter("C", 60).enter("C", 40)
    assert (alone.shut_out(), alone.totals()) == (True, [0, 0, 100 + 40 + 150])
    other = Sheet(rules("three-handed", **EXTRAS), "ABC").enter("C", 60).enter("A", 1).enter("C", 40)
    assert (other.shut_out(), other.totals()) == (False, [21, 0, 100 + 40 + 100])


@pytest.mark.parametrize("name", ["gin", "hollywood", "three-handed"])
def test_r31_the_tables_of_whole_matches_add_up(name: str) -> None:
    frames = chunk(
        name,
        ["simple", "simple:knock=3", "simple"][: 3 if name == "three-handed" else 2],
        2,
        several(300, 25),
        unit="matches",
        changes={**EXTRAS, "target": 40},
    )
    seats = "abc" if name == "three-handed" else "ab"
    games = frames["games"]
    for row in games.to_dicts():
        won = row["winner"].lower()
        for seat in seats:
            extras = 20 * row[f"boxes_{seat}"] + (100 + 50 * row["shut_out"]) * (seat == won)
            assert row[f"total_{seat}"] == row[f"score_{seat}"] + extras
        assert row["shut_out"] == all(row[f"boxes_{seat}"] == 0 for seat in seats if seat != won)
        assert row[f"score_{won}"] >= 40 > max(row[f"score_{seat}"] for seat in seats if seat != won)
    assert 0 < games["shut_out"].sum() < len(games)
    sums = games.group_by("match", maintain_order=True).agg(
        *[pl.col(f"total_{seat}").sum() for seat in seats],
        *[
            (pl.col("winner").cast(pl.String) == seat.upper()).sum().cast(pl.Int32).alias(f"games_{seat}")
            for seat in seats
        ],
    )
    assert sums.equals(frames["matches"].select(sums.columns))
    hands = frames["hands"]
    decided = hands.filter(pl.col("winner").is_not_null())
    if name != "hollywood":
        # Boxes are hands won, and scores their points; the score after a hand is the sum so far.
        for seat in seats:
            won = (
                decided.filter(pl.col("winner").cast(pl.String) == seat.upper())
                .group_by("match")
                .agg(pl.len(), pl.col("points").sum())
            )
            found = games.join(won, on="match", how="left").fill_null(0)
            assert found[f"boxes_{seat}"].to_list() == found["len"].to_list()
            assert found[f"score_{seat}"].to_list() == found["points"].to_list()
            own = (
                pl.when(pl.col("winner").cast(pl.String) == seat.upper())
                .then(pl.col("points"))
                .otherwise(0)
                .fill_null(0)
            )
            assert hands.select((own.cum_sum().over("match") == pl.col(f"score_{seat}")).all()).item()
    assert frames["matches"]["hands"].to_list() == hands.group_by("match", maintain_order=True).len()["len"].to_list()


def test_r22_r23_scores_after_each_hand_of_a_series_are_those_of_the_ledger() -> None:
    for shut_out in ("literal", "next_game"):
        frames = chunk("hollywood", ["simple"], 12, several(200, 8), unit="matches", changes={"shut_out": shut_out})
        for (match,), hands in frames["hands"].group_by("match", maintain_order=True):
            rows = hands.to_dicts()
            twin = naive.hollywood_ledger(
                [(row["winner"], row["points"]) for row in rows], naive.preset("hollywood", shut_out=shut_out)
            )
            for row, after in zip(rows, twin["trace"], strict=True):
                assert after == {seat: [row[f"score_{seat.lower()}_{game}"] for game in (1, 2, 3)] for seat in "AB"}
            end = frames["matches"].row(match, named=True)
            assert (end["winner"], end["decided_at_hand"]) == (twin["series_winner"], twin["decided_at_hand"])
            assert twin["over"]


@pytest.mark.parametrize("name", PRESETS)
def test_r16_a_match_that_has_not_ended_after_max_hands_is_abandoned_without_a_winner(name: str) -> None:
    frames = chunk(name, ["simple"], 5, 20, unit="matches", changes={"max_hands": 2, **EXTRAS})
    matches, games = frames["matches"], frames["games"]
    open_ = matches.filter(pl.col("abandoned"))
    assert len(open_) > 5
    assert set(open_["hands"]) == {2}
    assert open_["winner"].null_count() == len(open_)
    over = matches.filter(~pl.col("abandoned"))
    assert over["winner"].null_count() == 0
    left = games.filter(pl.col("winner").is_null())
    assert left["hands"].null_count() == left["shut_out"].null_count() == len(left)
    for seat in "ab":
        assert left[f"total_{seat}"].to_list() == left[f"score_{seat}"].to_list()
    assert games.filter(pl.col("winner").is_not_null())["hands"].null_count() == 0


def test_r16_r24_an_abandoned_series_has_no_winner_though_two_games_are_won() -> None:
    """Two matches that are decided and stopped before game 3 has ended; the record still says when they were decided."""
    assert differences("hollywood", ["simple"], 9, 2, unit="matches", first=2, changes={"max_hands": 16}) == []
    for row in chunk("hollywood", ["simple"], 9, 2, unit="matches", first=2, changes={"max_hands": 16})["matches"].to_dicts():
        assert (row["abandoned"], row["winner"], row["hands"]) == (True, None, 16)
        assert 2 in (row["games_a"], row["games_b"])
        assert row["decided_at_hand"] <= 16


# R31 to R34: the presets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "target"), [("gin", 100), ("straight", 100), ("eaai", 100), ("oklahoma", 150)])
def test_r31_r32_r33_r34_one_game_is_played_to_its_target(name: str, target: int) -> None:
    frames = chunk(name, ["simple"], 7, several(200, 10), unit="matches")
    for row in frames["games"].to_dicts():
        scores = {seat: row[f"score_{seat.lower()}"] for seat in "AB"}
        assert scores[row["winner"]] >= target > scores[EXCHANGED[row["winner"]]]
    before = (
        frames["hands"]
        .group_by("match", maintain_order=True)
        .agg(pl.col("score_a", "score_b").slice(0, pl.len() - 1).max())
    )
    assert all((value or 0) < target for column in ("score_a", "score_b") for value in before[column])


def test_r33_under_straight_rules_every_decided_hand_is_gin() -> None:
    endings = chunk("straight", ["simple"], 1, several(5000, 60))["hands"]["ending"]
    assert set(endings) <= {"gin", "draw"}


def test_r34_the_research_challenge_pays_25_for_an_undercut() -> None:
    for name, bonus in (("eaai", 25), ("gin", 10)):
        rows = chunk(name, ["simple"], 1, several(5000, 150))["hands"].filter(
            pl.col("ending").cast(pl.String) == "undercut"
        )
        assert len(rows) > 0
        paid = rows["points"] - (
            rows["knocker_deadwood"].cast(pl.Int32) - rows["defender_deadwood_after"].cast(pl.Int32)
        )
        assert set(paid) == {bonus}


# Seats, dealers, numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1, 2**40, 2**40 + 1])
@pytest.mark.parametrize("mirror", [False, True])
def test_of_single_hands_b_deals_the_even_ones_and_a_the_odd_ones(first: int, mirror: bool) -> None:
    hands = chunk("gin", ["simple"], 2, 6, first=first, mirror=mirror)["hands"]
    assert hands["hand"].to_list() == list(range(first, first + 6))
    assert hands["dealer"].to_list() == ["B" if number % 2 == 0 else "A" for number in range(first, first + 6)]
    assert "match" not in hands.columns
    assert not [column for column in hands.columns if column.startswith("score")]


@pytest.mark.parametrize("mirror", [False, True])
def test_r28_of_single_three_handed_hands_a_is_the_box_of_the_even_ones_and_b_of_the_odd_ones(mirror: bool) -> None:
    hands = chunk("three-handed", ["simple"], 2, 6, mirror=mirror)["hands"]
    assert hands["box"].to_list() == hands["dealer"].to_list() == ["A", "B"] * 3
    assert hands["captain"].to_list() == ["B", "A"] * 3
    assert hands["sitter"].to_list() == ["C"] * 6


@pytest.mark.parametrize("name", PRESETS)
def test_mirrored_hands_share_their_cards_with_a_and_b_exchanged(name: str) -> None:
    """What A holds and sees first in hand 2k, B does in hand 2k + 1; the streams of play are each number's own."""
    for pair in (0, 3, 2**40):
        seen = []
        for number in (2 * pair, 2 * pair + 1):
            players = {"A": Script(), "B": Script()}
            Table(rules(name), players).hands(13, number, 1, mirror=True)
            seen.append({seat: player.asked[0][1] for seat, player in players.items()})
        cards = naive.deal(13, pair, 0)
        for seat in "AB":
            even, odd = seen[0][seat], seen[1][EXCHANGED[seat]]
            assert even.hand == odd.hand
            assert even.hand in (set(cards[:10]), set(cards[10:20]))
            assert even.top == odd.top == cards[20]
            assert even.number("deals") == odd.number("deals")
            assert (even.raw["stream"]["match"], odd.raw["stream"]["match"]) == (2 * pair, 2 * pair + 1)


@pytest.mark.parametrize("name", PRESETS)
def test_mirrored_matches_share_deals_and_first_roles_with_a_and_b_exchanged(name: str) -> None:
    frames = chunk(name, ["simple"], 14, several(100, 10), unit="matches", mirror=True)
    first = frames["matches"]["first_dealer"].to_list()
    assert set(first[::2]) == ({"A", "B", "C"} if name == "three-handed" and len(first) > 50 else set(first[::2]))
    assert [EXCHANGED[dealer] for dealer in first[::2]] == first[1::2]
    hands = frames["hands"]
    for match in range(0, len(first), 2):
        even = hands.filter(pl.col("match") == match).to_dicts()
        odd = hands.filter(pl.col("match") == match + 1).to_dicts()
        for one, other in zip(even, odd, strict=False):
            assert one["upcard"] == other["upcard"] == naive.deal(14, match // 2, one["hand"])[20]
        if name == "three-handed":
            for role in ("box", "captain", "sitter"):
                assert EXCHANGED[even[0][role]] == odd[0][role]


def test_mirrored_matches_of_players_without_whims_are_the_same_with_a_and_b_exchanged() -> None:
    """Two scripts that draw no random words: in the odd match each does what the other did in the even one."""

    def players() -> dict[str, Script]:
        return {seat: Script(take=lambda view: view.number("draws") % 3 == 0, knock=True) for seat in "ABC"}

    for name in ("gin", "hollywood", "three-handed", "eaai"):
        rules_ = rules(name, target=60, max_hands=40)
        even, odd = (Table(rules_, players()).matches(15, number, 1, mirror=True) for number in (6, 7))
        assert len(even["hands"]) == len(odd["hands"])
        for one, other in zip(even["hands"], odd["hands"], strict=True):
            for column, value in one.items():
                if column in ("dealer", "box", "captain", "sitter", "first_taker", "knocker", "winner"):
                    assert other[column] == EXCHANGED.get(value)
                elif column.startswith("score_"):
                    swapped = column.replace("_a", "_?").replace("_b", "_a").replace("_?", "_b")
                    assert other[swapped] == value
                elif column != "match":
                    assert other[column] == value


def test_unmirrored_neighbours_do_not_share_their_cards() -> None:
    upcards = chunk("gin", ["simple"], 14, 200)["hands"]["upcard"].to_list()
    assert sum(one == other for one, other in zip(upcards[::2], upcards[1::2], strict=True)) < 15
    assert upcards == [naive.deal(14, number, 0)[20] for number in range(200)]


# The same rows, however they are asked for ---------------------------------------------------------------------------


def frame_hash(frames: dict[str, pl.DataFrame]) -> str:
    digest = hashlib.sha256()
    for name in sorted(frames):
        digest.update(frames[name].write_csv().encode())
    return digest.hexdigest()


@pytest.mark.parametrize("unit", ["hands", "matches"])
@pytest.mark.parametrize("name", ["gin", "hollywood", "three-handed"])
def test_rn_04_a_run_is_the_same_whole_in_parts_and_replayed_alone(unit: str, name: str) -> None:
    count = several(1000 if unit == "hands" else 60, 40 if unit == "hands" else 6)
    whole = chunk(name, ["simple"], 42, count, unit=unit)
    number = "hand" if unit == "hands" else "match"
    assert whole["hands"][number].unique(maintain_order=True).to_list() == list(range(count))
    for size in (1, 7, count // 2):
        parts = [
            chunk(name, ["simple"], 42, min(size, count - at), unit=unit, first=at)
            for at in range(0, min(count, 30 * size), size)
        ]
        upto = min(count, 30 * size)
        for table in whole:
            together = pl.concat([part[table] for part in parts])
            assert together.equals(whole[table].filter(pl.col(number) < upto))
    alone = chunk(name, ["simple"], 42, 1, unit=unit, first=count // 3)
    for table in whole:
        assert alone[table].equals(whole[table].filter(pl.col(number) == count // 3))


def test_rn_03_runs_differ_by_seed_and_seed_0_is_one() -> None:
    seeds = [0, 1, 2, 2**32, 2**63, 2**64 - 1]
    found = [frame_hash(chunk("gin", ["simple"], seed, 50)) for seed in seeds]
    assert len(set(found)) == len(seeds)
    assert found == [frame_hash(chunk("gin", ["simple"], seed, 50)) for seed in seeds]


def hash_of_matches(name: str) -> str:
    return frame_hash(chunk(name, ["simple"], 42, several(20, 3), unit="matches"))


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_rn_01_rows_do_not_depend_on_the_hash_seed(hash_seed: str) -> None:
    program = (
        "import sys; sys.path.insert(0, 'tests'); from test_formats import hash_of_matches\n"
        "print(hash_of_matches('hollywood'), hash_of_matches('three-handed'))"
    )
    root = str(Path(__file__).parent.parent)
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": root}
    answer = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=root,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert answer.stdout.split() == [hash_of_matches("hollywood"), hash_of_matches("three-handed")]


def test_the_cards_are_the_same_whatever_the_rules_and_players() -> None:
    upcards = [
        chunk(name, [spec], 3, several(40, 5))["hands"]["upcard"].to_list()
        for name in PRESETS
        for spec in ("simple", "random")
    ]
    assert all(each == upcards[0] for each in upcards)


@compiled_only
def test_matches_longer_than_foreseen_are_whole() -> None:
    """Room for the rows of a chunk is made as they come: one match here has more hands than is thought of at first."""
    changes = {"target": 1_500, "max_hands": 100_000}
    assert differences("gin", ["simple"], 4, 1, unit="matches", changes=changes) == []
    for name, count in (("gin", 1), ("gin", 3), ("three-handed", 2)):
        frames = chunk(name, ["simple"], 4, count, unit="matches", changes=changes)
        assert frames["matches"]["match"].to_list() == frames["games"]["match"].to_list() == list(range(count))
        assert (frames["matches"]["hands"] > 116).all()
        assert not frames["matches"]["abandoned"].any()
        for match in range(count):
            hands = frames["hands"].filter(pl.col("match") == match)
            assert hands["hand"].to_list() == list(range(frames["matches"]["hands"][match]))
            assert chunk(name, ["simple"], 4, 1, unit="matches", first=match, changes=changes)["hands"].equals(hands)


def test_given_deals_are_played_instead_of_those_of_the_seed() -> None:
    source = Random(6)
    cards = [source.sample(naive.DECK, 52) for _ in range(5)]
    given_ = np.array([[naive.DECK.index(card) for card in deal_] for deal_ in cards], np.uint8)
    table = Table(rules("gin"), {"A": "simple", "B": "simple"})
    for mirror in (False, True):
        rows, progress = accelerate.records(5, HAND_ROW), accelerate.records(1, PROGRESS)[0]
        table._call(
            play_hands,
            table.deck,
            table.packed,
            U64(3),
            0,
            5,
            mirror,
            given_,
            rows,
            np.zeros(0, np.int32),
            np.zeros(1, np.int64),
            progress,
        )
        for number in range(5):
            expected = naive.play_hand(
                naive.preset("gin"),
                {"A": naive.Simple(), "B": naive.Simple()},
                "BA"[number % 2],
                cards[number // 2 if mirror else number],
                streams={seat: naive.Stream(3, naive.PLAY[seat], number, 0) for seat in "AB"},
            )
            assert (naive.DECK[rows[number]["upcard"]], rows[number]["draws"], rows[number]["points"]) == (
                expected["upcard"],
                expected["draws"],
                expected["points"],
            )


def test_the_log_of_several_hands_marks_where_each_begins() -> None:
    table = Table(rules("gin"), {"A": "simple", "B": "simple"})
    rows, progress, log = (
        accelerate.records(9, HAND_ROW),
        accelerate.records(1, PROGRESS)[0],
        np.zeros(9 * 810, np.int32),
    )
    table._call(
        play_hands,
        table.deck,
        table.packed,
        U64(3),
        4,
        9,
        False,
        np.zeros((0, 52), np.uint8),
        rows,
        log,
        np.zeros(1, np.int64),
        progress,
    )
    events = list(log[1 : log[0] + 1])
    begins = [place for place, event in enumerate(events) if event == HAND_BEGINS]
    assert len(begins) == 9
    assert begins[0] == 0
    for row, start, end in zip(rows, begins, [*begins[1:], len(events)], strict=True):
        kinds = [int(event) // 64 for event in events[start + 1 : end]]
        assert kinds.count(2) + kinds.count(3) == row["draws"]
        # At most two events a draw and four more, the count and the beginning among them.
        assert 2 + len(kinds) <= 2 * row["draws"] + 4


# Faults --------------------------------------------------------------------------------------------------------------


@kernel(DecisionSignature)
def _no(view):  # noqa: ANN001, ANN202
    return 0


@kernel(DecisionSignature)
def _yes(view):  # noqa: ANN001, ANN202
    return 1


@kernel(DecisionSignature)
def _throw_back(view):  # noqa: ANN001, ANN202
    return lowest_number(view.taken)


@kernel(DecisionSignature)
def _lowest(view):  # noqa: ANN001, ANN202
    return lowest_number(view.legal)


@kernel(DecisionSignature)
def _no_card(view):  # noqa: ANN001, ANN202
    # Honest for three turns, then a number between two suits.
    return 13 if view.turns > 3 else lowest_number(view.legal)


@kernel(DecisionSignature)
def _less_than_none(view):  # noqa: ANN001, ANN202
    return -7


@kernel(DecisionSignature)
def _too_many(view):  # noqa: ANN001, ANN202
    return 64 + lowest_number(view.legal)


@pytest.fixture
def cheats(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Strategies that break the rules, by name."""
    found = {
        "thrower": (_yes, _throw_back),
        "inventor": (_no, _no_card),
        "denier": (_no, _less_than_none),
        "exceeder": (_no, _too_many),
    }
    for name, (take, discard) in found.items():
        module = ModuleType(f"cheat_{name}")
        module.STRATEGY = strategies.Strategy(  # type: ignore[attr-defined]
            name=name,
            version=1,
            describe=lambda parameters: "cheats",
            take=take,
            discard=discard,
            knock=_no,
            document="",
        )
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(strategies._MODULES, name, module.__name__)
    return list(found)


def fault(specs: list[str], unit: str, first: int, name: str = "gin", mirror: bool = False) -> str:
    made = plan.make_plan(rules(name), unit=unit, strategies=specs, seed=2**63 + 1, mirror=mirror)  # type: ignore[arg-type]
    with pytest.raises(GinsimError) as caught:
        runner.play_chunk(made, plan.Chunk(0, first, 10))
    assert caught.value.exit_code == 1
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert f"seed {2**63 + 1}" in message
    return message


def test_r8_a_player_that_throws_the_card_just_taken_is_named_with_seat_card_hand_and_seed(cheats: list[str]) -> None:
    """Hand 4: A is first, takes the upcard and throws it back; in hand 5 B is."""
    for number, seat, specs in ((4, "A", ["thrower", "simple"]), (5, "B", ["simple", "thrower"])):
        message = fault(specs, "hands", number)
        cards = naive.deal(2**63 + 1, number, 0)
        assert message.startswith(f"thrower in seat {seat} threw {cards[20]} in hand {number} ")
        # The ten cards that he held are what he might have thrown.
        assert set(message.partition("legal were ")[2].rstrip(".").split()) == set(cards[:10])


@pytest.mark.parametrize(("cheat", "number"), [("inventor", "13"), ("denier", "-7")])
def test_a_number_that_is_no_card_is_named_as_such(cheats: list[str], cheat: str, number: str) -> None:
    for unit, first in (("hands", 0), ("matches", 2)):
        message = fault([cheat, "simple:knock=0"], unit, first)
        assert f"{cheat} in seat A" in message
        assert f"card number {number}" in message
        assert ("of match" in message) == (unit == "matches")


def test_a_card_number_past_the_deck_is_a_fault_too(cheats: list[str]) -> None:
    assert "card number" in fault(["simple:knock=0", "exceeder"], "hands", 1)


def test_r28_in_a_match_the_fault_names_hand_and_match(cheats: list[str]) -> None:
    """C cheats, and sits out at first: the hand named is the first that he plays."""
    seed = 2**63 + 1
    match = next(number for number in range(100) if naive.cut(naive.preset("three-handed"), seed, number)[2] == "C")
    message = fault(["simple", "simple", "denier"], "matches", match, "three-handed")
    honest = chunk("three-handed", ["simple"], seed, 1, unit="matches", first=match)["hands"].to_dicts()
    played = [row["hand"] for row in honest if row["sitter"] != "C"]
    assert played[0] > 0
    assert message.startswith(f"denier in seat C threw card number -7 in hand {played[0]} of match {match} ")


def test_a_raised_stop_flag_ends_a_chunk_without_rows() -> None:
    for unit in ("hands", "matches"):
        made = plan.make_plan(rules("gin"), unit=unit, seed=1)  # type: ignore[arg-type]
        watch = runner.Watch()
        watch.stop[0] = 1
        with pytest.raises(runner.Stopped):
            runner.play_chunk(made, plan.Chunk(0, 0, 10), watch)
        assert watch.running == {}
