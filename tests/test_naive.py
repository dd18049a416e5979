"""The naive twin on its own: the cases with known answers, the published random numbers, and plain sanity."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random as PythonRandom
from typing import Any

import naive
import pytest

CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]
#: Kinds of check that are about intervals and about reading card text, which the naive twin does not do.
NOT_FOR_NAIVE = {"wilson", "parse"}


def melds_of(texts: list[str]) -> list[frozenset[str]]:
    return [naive.cards(text) for text in texts]


def rules_for(given: dict[str, Any]) -> dict[str, Any]:
    return naive.preset("gin", **{name: given[name] for name in ("gin_bonus", "undercut_bonus") if name in given})


# The cases, one judge for each kind of check -------------------------------------------------------------------------


def judge_deadwood(given: dict[str, Any]) -> dict[str, Any]:
    held = naive.cards(given["cards"])
    return {"deadwood": naive.deadwood(held), "arrangements": len(naive.arrangements(held))}


def judge_discard(given: dict[str, Any]) -> dict[str, Any]:
    least, best = naive.best_discards(naive.cards(given["cards"]), given.get("just_taken"))
    return {"deadwood": least, "discards": set(best)}


def judge_knock(given: dict[str, Any]) -> dict[str, Any]:
    left = naive.discards(naive.cards(given["cards"]), given.get("just_taken"))
    limit = given.get("limit", 10)
    return {
        "knock_discards": {card for card in left if left[card] <= limit},
        "gin_discards": {card for card in left if left[card] == 0},
    }


def judge_is_meld(given: dict[str, Any]) -> dict[str, Any]:
    return {"meld": naive.is_meld(naive.cards(given["cards"]))}


def judge_settle(given: dict[str, Any]) -> dict[str, Any]:
    spread = melds_of(given["spread"]) if "spread" in given else None
    result = naive.settle(
        naive.cards(given["knocker"]), naive.cards(given["defender"]), rules_for(given), None, spread
    )
    return {
        "result": result["ending"],
        "winner": result["winner"],
        "points": result["points"],
        "knocker_deadwood": result["knocker_deadwood"],
        "defender_deadwood": result["defender_deadwood_after"],
        "laid_off": set(result["layoff"]),
    }


def judge_spread_outcomes(given: dict[str, Any]) -> dict[str, Any]:
    knocker, defender = naive.cards(given["knocker"]), naive.cards(given["defender"])
    outcomes = set()
    for melds in naive.arrangements(knocker):
        result = naive.settle(knocker, defender, rules_for(given), None, melds)
        outcomes.add((frozenset(melds), result["winner"], result["points"]))
    return {"outcomes": outcomes}


def judge_score(given: dict[str, Any]) -> dict[str, Any]:
    ending, winner, points = naive.score(given["knocker_deadwood"], given["defender_deadwood"], rules_for(given))
    return {"result": ending, "winner": winner, "points": points}


def judge_hollywood(given: dict[str, Any]) -> dict[str, Any]:
    rules = naive.preset("hollywood", shut_out="next_game" if given.get("shutout_shift") else "literal")
    ledger = naive.hollywood_ledger(given["hands"], rules, given["players"])
    trace = [
        {player: "/".join(str(score) for score in scores) for player, scores in after.items()}
        for after in ledger["trace"]
    ]
    return ledger | {"trace": trace}


def judge_three_handed(given: dict[str, Any]) -> dict[str, Any]:
    roles = naive.roles_from_cards(given["cuts"])
    ledger = naive.three_handed_ledger(roles, given["hands"], naive.preset("three-handed"))
    return {
        "roles_per_hand": [list(roles) for roles in ledger["roles"]],
        "scores": ledger["scores"],
        "winner": ledger["winner"],
    }


def judge_dealers(given: dict[str, Any]) -> dict[str, Any]:
    return {"dealers": naive.dealers(given["first_dealer"], given["winners"], naive.preset("gin"))}


def judge_opening(given: dict[str, Any]) -> dict[str, Any]:
    """B deals. Every question and every action of a hand in one list; the one after n refusals is judged."""
    events: list[tuple[str, str]] = []

    class Refuser(Stock):
        def take(self, view: naive.View) -> bool:
            events.append((view.seat, f"asked at {view.offer}"))
            return False

    history: list[tuple[str, str, Any]] = []
    naive.play_hand(
        naive.preset("gin"), {"A": Refuser(), "B": Refuser()}, "B", naive.deal(1, 0, 0), history=history
    )
    # A refusal at the opening is the only thing written down as a decline; what follows the last one is a draw.
    asked = [event for event in events if event[1] == "asked at upcard"]
    declines = [seat for seat, what, _ in history if what == "decline"]
    assert declines == [seat for seat, _ in asked]
    if given["passes"] < len(asked):
        player, options = asked[given["passes"]][0], ["pass", "upcard"]
    else:
        player, what, card = history[len(declines)]
        assert (what, card) == ("draw", naive.deal(1, 0, 0)[21])
        # His next question is the one after his own and the dealer's turn: nothing was asked at this draw.
        assert events[len(asked)] == ("B", "asked at turn")
        options = ["stock"]
    return {"player": {"A": "non-dealer", "B": "dealer"}[player], "options": options}


def judge_stock_only(given: dict[str, Any]) -> dict[str, Any]:
    """B deals; one deal suffices, for nothing but the number of draws is judged."""
    name = {"A": "non-dealer", "B": "dealer"}
    players = {seat: Stock(takes_upcard=name[seat] == given["upcard_taken_by"]) for seat in "AB"}
    history: list[tuple[str, str, Any]] = []
    row = naive.play_hand(naive.preset("gin"), players, "B", naive.deal(2, 0, 0), history=history)
    drawers = [seat for seat, what, _ in history if what == "draw"]
    assert (row["ending"], row["winner"], row["points"]) == ("draw", None, 0)
    assert name.get(row["first_taker"]) == given["upcard_taken_by"]
    return {"stock_draws": len(drawers), "last_drawer": name[drawers[-1]], "stock_left": row["stock_left"]}


def judge_oklahoma_limit(given: dict[str, Any]) -> dict[str, Any]:
    rules = naive.preset("oklahoma", ace_upcard=given.get("ace", "one"))
    return {"limit": naive.knock_limit(rules, given["upcard"])}


JUDGES = {name.removeprefix("judge_"): judge for name, judge in globals().items() if name.startswith("judge_")}


class Stock:
    """A scripted player: always the stock, never a knock, and the face-up card where told."""

    def __init__(self, takes_upcard: bool = False) -> None:
        self.takes_upcard = takes_upcard

    def take(self, view: naive.View) -> bool:
        return view.offer == "upcard" and self.takes_upcard

    def declare(self, view: naive.View) -> bool:
        return False

    def discard(self, view: naive.View) -> str:
        return min(view.legal)

    def knock(self, view: naive.View) -> bool:
        return False


def comparable(kind: str, name: str, value: Any) -> Any:
    """An expected value in the shape the judges give: cards in no order, melds as sets."""
    if name in ("discards", "knock_discards", "gin_discards", "laid_off"):
        return set(value)
    if kind == "spread_outcomes":
        return {(frozenset(melds_of(melds.split(" / "))), winner, points) for melds, winner, points in value}
    return value


CHECKS = [
    pytest.param(check, id=f"{case['id']}-{number}-{check['kind']}")
    for case in CASES
    for number, check in enumerate(case["checks"], 1)
    if check["kind"] not in NOT_FOR_NAIVE
]


@pytest.mark.parametrize("check", CHECKS)
def test_case(check: dict[str, Any]) -> None:
    kind, expected = check["kind"], check["expected"]
    found = JUDGES[kind](check["input"])
    assert {name: found[name] for name in expected} == {
        name: comparable(kind, name, value) for name, value in expected.items()
    }


# Randomness ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
    ids=["zeros", "ones", "digits of pi"],
)
def test_philox_gives_its_published_known_answers(counter: str, key: str, words: str) -> None:
    def numbers(text: str) -> tuple[int, ...]:
        return tuple(int(word, 16) for word in text.split())

    assert naive.philox4x32_10(numbers(counter), numbers(key)) == numbers(words)


def test_a_stream_is_the_blocks_of_its_key_in_order() -> None:
    seed, match, hand = 0x0123456789ABCDEF, 0x5_0000_0007, 9
    stream = naive.Stream(seed, naive.PLAY["B"], match, hand)
    key = (0x89ABCDEF, 0x01234567)
    expected = [word for block in range(3) for word in naive.philox4x32_10((block, 9, 7, 4 << 16 | 5), key)]
    assert [stream.word() for _ in range(12)] == expected


def test_below_is_uniform_and_draws_again_where_it_must() -> None:
    stream = naive.Stream(1, naive.DEAL, 0, 0)
    counts = Counter(stream.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(abs(count - 1000) < 5 * (1000 * 5 / 6) ** 0.5 for count in counts.values())

    # For n = 2^32 - 3 the products with a low word under 3 are refused, that of the word 0 among them.
    n = 2**32 - 3
    scripted = naive.Stream(1, naive.DEAL, 0, 0)
    scripted._words = iter([0, 5])
    assert scripted.below(n) == 5 * n >> 32
    assert list(scripted._words) == []


def test_choose_takes_no_word_for_a_single_card_and_counts_in_card_order() -> None:
    stream, twin = naive.Stream(3, naive.CUT, 0, 0), naive.Stream(3, naive.CUT, 0, 0)
    assert stream.choose(["KS"]) == "KS"
    some = ["KS", "2D", "TC"]
    assert [stream.choose(some) for _ in range(20)] == [("TC", "2D", "KS")[twin.below(3)] for _ in range(20)]


def test_a_deal_is_the_whole_deck_and_differs_by_seed_match_and_hand() -> None:
    deals = [naive.deal(*key) for key in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (2**32, 0, 0), (2**63, 0, 0)]]
    assert all(sorted(deal) == sorted(naive.DECK) for deal in deals)
    assert len({tuple(deal) for deal in deals}) == len(deals)


# The solver ----------------------------------------------------------------------------------------------------------


def some_hands(count: int, size: int, deck: tuple[str, ...], seed: int) -> list[frozenset[str]]:
    source = PythonRandom(seed)
    return [frozenset(source.sample(deck, size)) for _ in range(count)]


#: Few ranks, all suits: hands from it are full of melds that overlap.
DENSE = tuple(card for card in naive.DECK if card[0] in "45678")


def test_there_are_65_sets_and_264_runs() -> None:
    assert (len(naive.SETS), len(naive.RUNS), len(naive.MELDS)) == (65, 264, 329)


def test_ten_cards_have_at_most_98_points_of_deadwood() -> None:
    assert naive.deadwood(naive.cards("KS KC QD QH JS JC TD TH 9S 9C")) == 98
    # More would need nine cards of ten points without a meld.
    tens = [card for card in naive.DECK if card[0] in "TJQK"]
    assert all(any(meld <= set(nine) for meld in naive.MELDS) for nine in combinations(tens, 9))


@pytest.mark.parametrize("deck", [naive.DECK, DENSE], ids=["random", "dense"])
def test_deadwood_is_the_least_over_all_sets_of_disjoint_melds(deck: tuple[str, ...]) -> None:
    for held in some_hands(150, 10, deck, 4):
        contained = [meld for meld in naive.MELDS if meld <= held]
        left = [
            naive.points(held) - sum(naive.points(meld) for meld in melds)
            for count in range(4)
            for melds in combinations(contained, count)
            if len(frozenset().union(*melds)) == sum(len(meld) for meld in melds)
        ]
        assert naive.deadwood(held) == min(left)


def test_arrangements_are_disjoint_and_show_a_run_in_one_piece() -> None:
    long_run = naive.cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS")
    assert naive.arrangements(long_run) == [(long_run,)]
    for held in some_hands(300, 10, DENSE, 5):
        for melds in naive.arrangements(held):
            together = [card for meld in melds for card in meld]
            assert len(together) == len(set(together))
            assert naive.points(held - set(together)) == naive.deadwood(held)
            assert not any(
                one | other in naive.RUNS for one, other in combinations(melds, 2) if {one, other} <= naive.RUNS
            )


def test_r14_the_spread_takes_sets_where_runs_would_invite_layoffs() -> None:
    sets = {naive.cards(f"{rank}S {rank}C {rank}D") for rank in "567"}
    assert set(naive.spread(naive.cards("AS 5S 6S 7S 5C 6C 7C 5D 6D 7D"))) == sets


@pytest.mark.parametrize(
    ("held", "shown"),
    [
        # On the runs 2-3-4 and 3-4-5 there is room for AC 5C 2S 6S; on the sets for 3D 4H only.
        ("2C 3C 4C AD 4D 5D 3H 3S 4S 5S", ["3C 3H 3S", "4C 4D 4S"]),
        # Room for 3S 8D either way; 7S on the sevens and 8S on the run are his own, so the order decides.
        ("7C 8C 7D 7H 8H 4S 5S 6S 7S 8S", ["7C 7D 7H", "4S 5S 6S 7S", "8C 8H 8S"]),
        # 2H fits the set and the run, and counts once: two cards either way, and this pair is first in order.
        ("AC 2C 5C 2D 4D 3H 4H 5H 2S 4S", ["3H 4H 5H", "2C 2D 2S"]),
        # Two cards either way: the order of the melds as numbers alone decides.
        ("3C 4C 3D 4D 5D 3H 4H 3S 4S 5S", ["3D 4D 5D", "3C 3H 3S", "4C 4H 4S"]),
    ],
    ids=["fewest cards fit", "held cards do not count", "a card that fits twice counts once", "the first in order"],
)
def test_r14_the_spread_is(held: str, shown: list[str]) -> None:
    assert len(naive.arrangements(naive.cards(held))) > 1
    assert naive.spread(naive.cards(held)) == tuple(melds_of(shown))


@pytest.mark.parametrize(
    ("spread", "defender", "kept", "laid_off"),
    [
        # 8S fits either meld; 9S fits only after it is on the run.
        (["8C 8D 8H", "5S 6S 7S"], "8S 9S KD", 10, "8S 9S"),
        # The fours are a set already.
        (["AS 2S 3S", "9C TC JC"], "4S 4D 4H", 0, ""),
        # 8H or 8S could go as well, but three eights are a set without it.
        (["5S 6S 7S", "4D 4H 4S", "5H 6H 7H"], "4C 5C 7C 8C 5D 8D 3H 8H 3S 8S", 23, "4C"),
        # 3H 4H 8H 3S leaves 21 as well with four cards, but a spade is the greater number.
        (["4S 5S 6S", "6C 7C 8C", "5H 6H 7H"], "3C 4C 5C 6D 7D 3H 4H 8H 3S 8S", 21, "4C 5C 4H 8H"),
    ],
    ids=["a chain", "nothing needed", "fewest cards", "least set"],
)
def test_r13_the_defender_lays_off(spread: list[str], defender: str, kept: int, laid_off: str) -> None:
    assert naive.lay_off(naive.cards(defender), melds_of(spread)) == (kept, naive.cards(laid_off))


def test_best_discards_never_name_the_barred_card() -> None:
    for eleven in some_hands(100, 11, DENSE, 6):
        least, best = naive.best_discards(eleven)
        for barred in best:
            without, others = naive.best_discards(eleven, barred)
            assert barred not in others
            assert others == best - {barred} if len(best) > 1 else without > least


# The hand ------------------------------------------------------------------------------------------------------------


def recomputed(row: dict[str, Any], rules: dict[str, Any]) -> int:
    """The points of a row from its other columns, written out once more by ending (R11, R17 to R19, R32)."""
    double = 2 if rules["spade_doubles"] and row["upcard"].endswith("S") else 1
    mine, his = row["knocker_deadwood"], row["defender_deadwood_after"]
    return double * {
        "knock": lambda: his - mine,
        "undercut": lambda: mine - his + rules["undercut_bonus"],
        "gin": lambda: rules["gin_bonus"] + his,
        "big_gin": lambda: rules["big_gin_bonus"] + his,
        "draw": lambda: 0,
        "tie": lambda: 0,
        "stopped": lambda: 0,
    }[row["ending"]]()


RULE_SETS = {
    "gin": naive.preset("gin"),
    "oklahoma": naive.preset("oklahoma"),
    "straight": naive.preset("straight"),
    "everything on": naive.preset(
        "oklahoma",
        ace_upcard="one",
        big_gin_bonus=31,
        discard_taken_card=True,
        last_discard="knock",
        undercut_on_tie=False,
        stock_floor=20,
        max_draws=30,
    ),
}


@pytest.mark.parametrize("strategy", ["random", "simple", "simple:knock=0"])
@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_play_outs_keep_52_cards_and_rows_that_price_themselves(rules: dict[str, Any], strategy: str) -> None:
    rows = naive.play_hands(rules, [strategy], seed=7, first=0, count=60)
    for row in rows:
        assert row["points"] == recomputed(row, rules)
        assert (row["winner"] is None) == (row["ending"] in ("draw", "tie", "stopped"))
        assert row["draws"] - row["pile_takes"] == 31 - row["stock_left"]
        if row["knocker"] is not None:
            assert row["knocker_deadwood"] <= naive.knock_limit(rules, row["upcard"])
            assert row["defender_deadwood_after"] <= row["defender_deadwood"]
    assert [row["hand"] for row in rows] == list(range(60))
    assert [row["dealer"] for row in rows[:4]] == ["B", "A", "B", "A"]


def test_every_ending_comes_up_in_play() -> None:
    rules = RULE_SETS["everything on"] | {"upcard_sets_limit": False, "stock_floor": 10, "max_draws": 60}
    seen = {
        row["ending"]
        for strategy in ("simple", "simple:knock=0")
        for row in naive.play_hands(rules, [strategy], seed=11, first=0, count=60)
    }
    seen |= {row["ending"] for row in naive.play_hands(rules | {"max_draws": 20}, ["simple"], 11, 0, 20)}
    assert seen == {"knock", "undercut", "gin", "big_gin", "draw", "tie", "stopped"}


class Keeper(Stock):
    """Draws from the stock, throws what is not among its wanted cards, takes a last discard, knocks when it may."""

    def __init__(self, wanted: str) -> None:
        super().__init__()
        self.wanted = naive.cards(wanted)
        self.offers: list[str] = []

    def take(self, view: naive.View) -> bool:
        self.offers.append(view.offer)
        return view.offer == "last"

    def discard(self, view: naive.View) -> str:
        return min((view.legal - self.wanted) or view.legal)

    def knock(self, view: naive.View) -> bool:
        return True


@pytest.mark.parametrize(
    ("changes", "ending", "draws", "dealer_is_asked"),
    [
        ({}, "draw", 29, False),
        ({"last_discard": "knock"}, "gin", 30, True),
        ({"last_discard": "knock", "max_draws": 30}, "gin", 30, True),
        ({"last_discard": "knock", "max_draws": 29}, "draw", 29, False),
        ({"max_draws": 28}, "stopped", 28, False),
    ],
)
def test_r15_r16_the_last_discard_would_gin_the_dealer(
    changes: dict[str, Any], ending: str, draws: int, dealer_is_asked: bool
) -> None:
    first, dealer = "AC 3C 5C 7C 9C JC KC 2H 4H 6H", "AS 2S 3S 5S 6S 7S 9S TS JS KD"
    known = [*first.split(), *dealer.split()]
    rest = [card for card in naive.DECK if card not in [*known, "QS"]]
    deal = [*known, *rest[:29], "QS", *rest[29:]]
    assert deal[21 + 28] == "QS"
    players = {"A": Keeper(first), "B": Keeper(dealer + " QS")}
    row = naive.play_hand(naive.preset("straight", **changes), players, "B", deal)
    assert (row["ending"], row["draws"], row["pile_takes"]) == (ending, draws, draws - min(draws, 29))
    assert ("last" in players["B"].offers) == dealer_is_asked
    assert row["winner"] == ("B" if ending == "gin" else None)


def test_simple_hands_come_out_as_three_engines_found_them() -> None:
    rows = naive.play_hands(naive.preset("gin"), ["simple"], seed=1, first=0, count=600)
    draws = sum(row["draws"] for row in rows)
    # Standard deviations of a hand, found on 12,000: 5.4 draws, 0.11 in the share of takes. Five standard errors each.
    assert abs(draws / len(rows) - 12.53) < 5 * 5.4 / len(rows) ** 0.5
    assert abs(sum(row["pile_takes"] for row in rows) / draws - 0.165) < 5 * 0.11 / len(rows) ** 0.5
    for ending, rate in {"gin": 0.0209, "undercut": 0.044, "draw": 0.0016}.items():
        error = (rate * (1 - rate) / len(rows)) ** 0.5
        assert abs(sum(row["ending"] == ending for row in rows) / len(rows) - rate) < 5 * error, ending


def test_mirrored_hands_of_one_strategy_share_the_deal_and_differ_in_seats() -> None:
    rows = naive.play_hands(naive.preset("gin"), ["simple"], seed=5, first=0, count=40, mirror=True)
    for even, odd in zip(rows[::2], rows[1::2], strict=True):
        assert even["upcard"] == odd["upcard"]
        assert {even["dealer"], odd["dealer"]} == {"A", "B"}


# The matches ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", naive.PRESETS)
@pytest.mark.parametrize("mirror", [False, True], ids=["plain", "mirrored"])
def test_matches_of_every_preset_add_up(name: str, mirror: bool) -> None:
    rules = naive.preset(name, box_bonus=5, game_bonus=100, blitz_bonus=50, max_hands=40)
    hands, games, matches = naive.play_matches(rules, ["simple"], seed=2, first=4, count=2, mirror=mirror)
    assert [match["match"] for match in matches] == [4, 5]
    for match in matches:
        played = [hand for hand in hands if hand["match"] == match["match"]]
        columns = [game for game in games if game["match"] == match["match"]]
        assert [hand["hand"] for hand in played] == list(range(match["hands"]))
        assert played[0]["dealer"] == match["first_dealer"]
        seats = "abc" if rules["format"] == "three_handed" else "ab"
        for seat in seats:
            last = [value for column, value in played[-1].items() if column.startswith(f"score_{seat}")]
            assert [game[f"score_{seat}"] for game in columns] == last
            assert match[f"total_{seat}"] == sum(game[f"total_{seat}"] for game in columns)
            assert match[f"games_{seat}"] == sum(game["winner"] == seat.upper() for game in columns)
        for game in columns:
            assert (game["hands"] is None) == (game["winner"] is None) == (game["shut_out"] is None)
            extras = sum(game[f"total_{seat}"] - game[f"score_{seat}"] for seat in seats)
            boxes = sum(game[f"boxes_{seat}"] for seat in seats)
            assert extras == (0 if game["hands"] is None else 5 * boxes + 100 + 50 * game["shut_out"])
    if mirror:
        assert hands[0]["upcard"] == next(hand["upcard"] for hand in hands if hand["match"] == 5)
        exchanged = {"A": "B", "B": "A", "C": "C"}
        assert matches[1]["first_dealer"] == exchanged[matches[0]["first_dealer"]]


def test_r27_those_who_draw_the_same_rank_draw_again() -> None:
    tied = 0
    for match in range(200):
        stream, twin = (naive.Stream(8, naive.CUT, match, 0) for _ in range(2))
        roles = naive.cut_three(stream)
        assert sorted(roles) == ["A", "B", "C"]
        deck, drawn = list(naive.DECK), []
        for i in range(3):
            j = i + twin.below(52 - i)
            deck[i], deck[j] = deck[j], deck[i]
            drawn.append(deck[i])
        if len({card[0] for card in drawn}) == 3:
            assert roles == naive.roles_from_cards(dict(zip("ABC", drawn, strict=True)))
            assert stream.word() == twin.word()
        else:
            tied += 1
            assert stream.word() != twin.word()
    # About one cut in six is tied.
    assert 10 < tied < 70


def test_r16_a_match_that_does_not_end_is_abandoned_without_a_winner() -> None:
    rules = naive.preset("hollywood", max_hands=2)
    _, games, (match,) = naive.play_matches(rules, ["simple"], seed=3, first=0, count=1)
    assert (match["abandoned"], match["winner"], match["hands"]) == (True, None, 2)
    assert match["decided_at_hand"] is None
    assert [game["hands"] for game in games] == [None, None, None]
