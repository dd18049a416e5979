"""Estimates against plain Python over the rows, scipy, and simulated coverage."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import reduce
from math import sqrt
from operator import add
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from ginsim.records import DECIDED, ENDINGS, GAME_ROW, HAND_ROW, MATCH_ROW, Layout, frame
from ginsim.statistics import Distribution, Tally, needed_columns, summarize, wilson
from ginsim.statistics.tally import Moments

Frames = dict[str, pl.DataFrame]
Row = dict[str, Any]

RUNS = {
    "single hands": (Layout("hands", "game"), False),
    "mirrored hands": (Layout("hands", "game"), True),
    "three-handed hands": (Layout("hands", "three_handed"), False),
    "games": (Layout("matches", "game"), False),
    "series": (Layout("matches", "hollywood", 3), False),
    "mirrored series": (Layout("matches", "hollywood", 4), True),
    "three-handed matches": (Layout("matches", "three_handed"), True),
}
SHORT_OF_GIN = ("knock", "undercut", "tie")
DEADWOODS = ("knocker_deadwood", "defender_deadwood", "defender_deadwood_after", "laid_off")


def random_run(layout: Layout, count: int, seed: int = 1) -> Frames:
    """Tables of any run with every ending, also impossible ones; ``count`` single hands or matches."""
    draw = random.Random(seed)
    lengths = [draw.randint(1, 6) for _ in range(count)] if layout.unit == "matches" else [count]
    hands = np.zeros(sum(lengths), HAND_ROW)
    place = 0
    for match, length in enumerate(lengths):
        for hand in range(length):
            fill_hand(hands[place], layout, draw)
            hands[place]["match"], hands[place]["hand"] = match, hand
            place += 1
    scores = np.zeros((len(hands), layout.seats * layout.games), np.int32)
    frames = {"hands": frame(layout.columns("hands"), hands, scores)}
    if layout.unit == "matches":
        games, matches = random_matches(layout, lengths, draw)
        frames |= {"games": frame(layout.columns("games"), games), "matches": frame(layout.columns("matches"), matches)}
    return frames


def fill_hand(row: np.void, layout: Layout, draw: random.Random) -> None:
    box, captain, sitter = draw.sample(range(3), 3) if layout.seats == 3 else (*draw.sample(range(2), 2), 2)
    ending = draw.choices(range(len(ENDINGS)), (60, 12, 8, 2, 10, 5, 3))[0]
    knocked = ENDINGS[ending] not in ("draw", "stopped")
    decided = ENDINGS[ending] in DECIDED
    draws = draw.randint(1, 40)
    values = {
        "dealer": box,
        "box": box,
        "captain": captain,
        "sitter": sitter,
        "upcard": draw.randrange(52),
        "first_taker": draw.choice((-1, box, captain, captain)),
        "draws": draws,
        "pile_takes": draw.randint(0, draws),
        "stock_left": draw.randint(2, 31),
        "knocker": draw.choice((box, captain)) if knocked else -1,
        "ending": ending,
        "winner": draw.choice((box, captain)) if decided else -1,
        "points": draw.randint(0, 120) if decided else 0,
        "laid_off_cards": draw.randint(0, 3) if knocked else -1,
    }
    values |= {name: draw.randint(0, 98) if knocked else -1 for name in DEADWOODS}
    for name, value in values.items():
        row[name] = value


def random_matches(layout: Layout, lengths: list[int], draw: random.Random) -> tuple[np.ndarray, np.ndarray]:
    games = np.zeros((len(lengths), layout.games), GAME_ROW)
    matches = np.zeros(len(lengths), MATCH_ROW)
    seats = range(layout.seats)
    for number, (length, match) in enumerate(zip(lengths, matches, strict=True)):
        favourite = draw.choice(seats)
        for place, game in enumerate(games[number]):
            ended = draw.random() < 0.9
            game["match"], game["game"] = number, place + 1
            game["hands"] = draw.randint(1, length) if ended else -1
            game["winner"] = draw.choice((favourite, favourite, draw.choice(seats))) if ended else -1
            game["shut_out"] = draw.randint(0, 1) if ended else -1
        abandoned = draw.random() < 0.1
        level = not abandoned and draw.random() < 0.1
        match["match"], match["hands"], match["abandoned"] = number, length, abandoned
        match["first_dealer"] = draw.choice(seats)
        match["winner"] = -1 if abandoned or level else favourite
        match["decided_at_hand"] = -1 if level else draw.randint(1, length)
        for seat in seats:
            match["games"][seat] = sum(game["winner"] == seat for game in games[number])
            match["total"][seat] = draw.randint(0, 400)
    return games.ravel(), matches


def at(frames: Frames, keep: Callable[[int], bool]) -> Frames:
    """The rows whose match (or single hand) number is kept."""
    numbers = {name: table["match" if "match" in table.columns else "hand"] for name, table in frames.items()}
    return {
        name: table.filter(numbers[name].map_elements(keep, return_dtype=pl.Boolean)) for name, table in frames.items()
    }


# What every rate and distribution means, said once more over rows: (rows, is one of the class, counts as a hit).
Meaning = tuple[list[Row], Callable[[Row], Any], Callable[[Row], Any]]


def meanings_of_hands(rows: list[Row], layout: Layout) -> Iterator[tuple[str, str, Meaning]]:
    def always(row: Row) -> bool:
        return True

    def decided(row: Row) -> bool:
        return row["ending"] in ("knock", "undercut", "gin", "big_gin")

    for ending in ENDINGS:
        yield f"{ending}_rate", "all hands", (rows, always, lambda row, ending=ending: row["ending"] == ending)
    for ending in DECIDED:
        hit = lambda row, ending=ending: row["ending"] == ending  # noqa: E731
        yield f"{ending}_of_decided", "decided hands", (rows, decided, hit)
    short = lambda row: row["ending"] in SHORT_OF_GIN  # noqa: E731
    yield "undercut_of_knocks", "knocks short of gin", (rows, short, lambda row: row["ending"] == "undercut")
    yield "first_player_share", "decided hands", (rows, decided, lambda row: row["winner"] != row["dealer"])
    yield "dealer_share", "decided hands", (rows, decided, lambda row: row["winner"] == row["dealer"])
    if layout.seats == 3:
        yield "box_share", "decided hands", (rows, decided, lambda row: row["winner"] == row["box"])
    for seat in "ABC"[: layout.seats]:
        hit = lambda row, seat=seat: row["winner"] == seat  # noqa: E731
        yield f"seat_{seat.lower()}_share", "decided hands", (rows, decided, hit)
    taken = lambda row: row["first_taker"] is not None  # noqa: E731
    by_dealer = lambda row: row["first_taker"] == row["dealer"]  # noqa: E731
    yield "upcard_taken", "all hands", (rows, always, taken)
    yield "upcard_taken_by_dealer", "all hands", (rows, always, by_dealer)
    yield "upcard_taken_by_first", "all hands", (rows, always, lambda row: taken(row) and not by_dealer(row))


def meanings_of_matches(frames: Frames, layout: Layout) -> Iterator[tuple[str, str, Meaning]]:
    matches = frames["matches"].rows(named=True)
    games = frames["games"].rows(named=True)
    ends = {row["match"]: Counter() for row in matches}
    for row in games:
        if row["hands"] is not None:
            ends[row["match"]][row["hands"]] += 1
    ending_hands = [{"games": count} for counter in ends.values() for count in counter.values()]

    def finished(row: Row) -> bool:
        return not row["abandoned"]

    def won(row: Row) -> bool:
        return row["winner"] is not None

    def of_seat(seat: str) -> Callable[[Row], bool]:
        return lambda row: row["winner"] == seat

    seats = "ABC"[: layout.seats]
    yield "abandoned", "all matches", (matches, lambda row: True, lambda row: row["abandoned"])
    yield "level", "finished matches", (matches, finished, lambda row: row["winner"] is None)
    for seat in seats:
        yield f"match_won_{seat.lower()}_share", "matches with a winner", (matches, won, of_seat(seat))
    same = lambda row: row["winner"] == row["first_dealer"]  # noqa: E731
    yield "first_dealer_share", "matches with a winner", (matches, won, same)
    yield "shut_outs", "games that ended", (games, won, lambda row: row["shut_out"])
    if layout.games == 1:
        return
    for seat in seats:
        yield f"games_won_{seat.lower()}_share", "games that ended", (games, won, of_seat(seat))
        for number in range(1, layout.games + 1):
            of_game = [row for row in games if row["game"] == number]
            name = f"game_{number}_won_{seat.lower()}_share"
            yield name, f"games {number} that ended", (of_game, won, of_seat(seat))

    def early(row: Row) -> bool:
        return row["decided_at_hand"] is not None and row["decided_at_hand"] < row["hands"]

    def several(row: Row) -> bool:
        return max(ends[row["match"]].values(), default=0) > 1

    def sweep(row: Row) -> bool:
        return layout.games in [row[f"games_{seat.lower()}"] for seat in seats]

    yield "decided_early", "finished matches", (matches, finished, early)
    yield "several_games_in_a_hand", "finished matches", (matches, finished, several)
    yield "sweeps", "finished matches", (matches, finished, sweep)
    more = lambda row: row["games"] > 1  # noqa: E731
    yield "hands_ending_several_games", "hands that ended a game", (ending_hands, lambda row: True, more)


def values_of(frames: Frames, layout: Layout) -> dict[str, tuple[str, list[int]]]:
    """Every distribution's values, taken from the rows."""
    hands = frames["hands"].rows(named=True)
    result = {
        "draws": ("all hands", [row["draws"] for row in hands]),
        "points": ("decided hands", [row["points"] for row in hands if row["winner"] is not None]),
    }
    for ending in DECIDED:
        values = [row["points"] for row in hands if row["ending"] == ending]
        result[f"points_{ending}"] = (f"hands won by {ending.replace('_', ' ')}", values)
    for name in DEADWOODS:
        result[name] = ("knocks short of gin", [row[name] for row in hands if row["ending"] in SHORT_OF_GIN])
    if layout.unit == "hands":
        return result
    matches = frames["matches"].rows(named=True)
    result["match_hands"] = ("finished matches", [row["hands"] for row in matches if not row["abandoned"]])
    margins = []
    for row in matches:
        if row["winner"] is not None:
            totals = {seat: row[f"total_{seat.lower()}"] for seat in "ABC"[: layout.seats]}
            margins.append(totals.pop(row["winner"]) - max(totals.values()))
    result["match_margin"] = ("matches with a winner", margins)
    for number in range(1, layout.games + 1) if layout.games > 1 else ():
        ended = [row["hands"] for row in frames["games"].rows(named=True) if row["game"] == number]
        result[f"game_{number}_hands"] = (f"games {number} that ended", [hands for hands in ended if hands is not None])
    return result


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest) -> tuple[Frames, Layout, bool]:
    layout, mirror = RUNS[request.param]
    return random_run(layout, 301), layout, mirror


@pytest.mark.parametrize(
    ("successes", "n", "bounds"),
    [
        (10, 10, (0.7225, 1.0)),
        (0, 10, (0.0, 0.2775)),
        (38, 38, (0.9082, 1.0)),
        (45, 85, (0.4243, 0.6319)),
    ],
)
def test_wilson_gives_the_published_bounds_of_case_st_01(successes: int, n: int, bounds: tuple[float, float]) -> None:
    assert wilson(successes, n) == pytest.approx(bounds, abs=5e-5)


def test_wilson_of_nothing_is_no_interval() -> None:
    assert wilson(0, 0) is None


def test_wilson_equals_scipys_for_whole_numbers_and_never_leaves_0_to_1() -> None:
    for n in (1, 2, 7, 50, 10**6, 10**12):
        for successes in {0, 1, n // 3, n - 1, n}:
            theirs = stats.binomtest(successes, n).proportion_ci(0.95, "wilson") if n < 10**9 else None
            low, high = wilson(successes, n)
            assert 0 <= low <= successes / n <= high <= 1
            if theirs:
                assert (low, high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    for n in range(1, 400):
        assert wilson(0, n)[0] == 0.0
        assert wilson(n, n)[1] == 1.0


def test_every_rate_counts_what_its_words_say(run: tuple[Frames, Layout, bool]) -> None:
    frames, layout, mirror = run
    rates = summarize(Tally.of(frames, layout, mirror), layout)["rates"]
    meanings = list(meanings_of_hands(frames["hands"].rows(named=True), layout))
    if layout.unit == "matches":
        meanings += meanings_of_matches(frames, layout)
    for name, of, (rows, among, hit) in meanings:
        members = [row for row in rows if among(row)]
        count = sum(bool(hit(row)) for row in members)
        got = rates.pop(name)
        assert (name, got["of"], got["count"], got["n"]) == (name, of, count, len(members))
        assert got["estimate"] == count / len(members)
        assert 0 <= got["low"] <= got["estimate"] <= got["high"] <= 1
    pile = rates.pop("pile_share")
    hands = frames["hands"]
    assert (pile["of"], pile["count"], pile["n"]) == ("draws of cards", hands["pile_takes"].sum(), hands["draws"].sum())
    assert not rates


def test_every_distribution_is_that_of_the_rows(run: tuple[Frames, Layout, bool]) -> None:
    frames, layout, mirror = run
    summary = summarize(Tally.of(frames, layout, mirror), layout)
    expected = values_of(frames, layout)
    assert summary["distributions"].keys() == expected.keys()
    for name, (of, values) in expected.items():
        got = summary["distributions"][name]
        assert (got["of"], got["n"], got["min"], got["max"]) == (of, len(values), min(values), max(values))
        assert got["histogram"] == {str(value): count for value, count in sorted(Counter(values).items())}
        assert got["mean"] == pytest.approx(np.mean(values))
        assert got["sd"] == pytest.approx(np.std(values, ddof=1))
        inverse = np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95], method="inverted_cdf")
        assert got["quantiles"] == dict(zip(("5", "25", "50", "75", "95"), inverse.tolist(), strict=True))
        assert got["low"] < got["mean"] < got["high"]


def test_endings_add_up_to_one(run: tuple[Frames, Layout, bool]) -> None:
    frames, layout, mirror = run
    summary = summarize(Tally.of(frames, layout, mirror), layout)
    rates = summary["rates"]
    assert sum(rates[f"{ending}_rate"]["count"] for ending in ENDINGS) == summary["hands"] == len(frames["hands"])
    decided = [rates[f"{ending}_of_decided"] for ending in DECIDED]
    assert sum(rate["estimate"] for rate in decided) == pytest.approx(1)
    assert summary["decided_hands"] == decided[0]["n"]


def test_single_hands_and_matches_themselves_get_the_plain_intervals() -> None:
    layout = Layout("hands", "game")
    frames = random_run(layout, 300)
    summary = summarize(Tally.of(frames, layout, False), layout)
    gin, draws = summary["rates"]["gin_rate"], summary["distributions"]["draws"]
    assert (gin["low"], gin["high"]) == wilson(gin["count"], 300)
    assert gin["clusters"] is gin["design_effect"] is None
    bounds = stats.t.interval(0.95, 299, draws["mean"], draws["sd"] / sqrt(300))
    assert (draws["low"], draws["high"]) == pytest.approx(bounds)

    layout = Layout("matches", "hollywood", 3)
    summary = summarize(Tally.of(random_run(layout, 300), layout, False), layout)
    for name in ("decided_early", "match_won_a_share", "game_2_won_b_share"):
        rate = summary["rates"][name]
        assert (rate["low"], rate["high"]) == wilson(rate["count"], rate["n"])


def ratio_estimate(clusters: list[tuple[int, int]]) -> tuple[float, float, int]:
    """Ratio, its linearised variance and the number of clusters, from (size, hits) of each, in floating point."""
    sizes, hits = np.array([cluster for cluster in clusters if cluster[0]], float).T
    ratio = hits.sum() / sizes.sum()
    residuals = (hits - ratio * sizes) / sizes.sum()
    number = len(sizes)
    return ratio, number / (number - 1) * (residuals**2).sum(), number


@pytest.mark.parametrize("name", ["mirrored hands", "games", "series", "mirrored series"])
def test_hands_in_clusters_get_wilson_on_the_korn_graubard_effective_number(name: str) -> None:
    layout, mirror = RUNS[name]
    frames = random_run(layout, 301)
    summary = summarize(Tally.of(frames, layout, mirror), layout)
    clusters: dict[int, list[Row]] = {}
    for row in frames["hands"].rows(named=True):
        number = row["match"] if layout.unit == "matches" else row["hand"]
        clusters.setdefault(number // 2 if mirror else number, []).append(row)

    for name, of, (_, among, hit) in meanings_of_hands([], layout):
        pairs = []
        for rows in clusters.values():
            members = [row for row in rows if among(row)]
            pairs.append((len(members), sum(bool(hit(row)) for row in members)))
        p, variance, number = ratio_estimate(pairs)
        n = sum(size for size, _ in pairs)
        effect = variance / (p * (1 - p) / n)
        effective = n / effect * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, number - 1)) ** 2
        got = summary["rates"][name]
        assert got["of"] == of
        assert got["clusters"] == number
        assert got["design_effect"] == pytest.approx(effect)
        assert (got["low"], got["high"]) == pytest.approx(wilson(p * effective, effective))

    sums = [(len(rows), sum(row["draws"] for row in rows)) for rows in clusters.values()]
    mean, variance, number = ratio_estimate(sums)
    got = summary["distributions"]["draws"]
    assert (got["low"], got["high"]) == pytest.approx(stats.t.interval(0.95, number - 1, mean, sqrt(variance)))
    assert got["design_effect"] == pytest.approx(variance / (got["sd"] ** 2 / got["n"]))


def test_games_of_one_series_are_one_cluster() -> None:
    layout = Layout("matches", "hollywood", 3)
    frames = random_run(layout, 200)
    pairs = [
        (sum(winner is not None for winner in group), sum(winner == "A" for winner in group))
        for group in np.array(frames["games"]["winner"].to_list(), object).reshape(-1, 3)
    ]
    p, variance, number = ratio_estimate(pairs)
    rates = summarize(Tally.of(frames, layout, False), layout)["rates"]
    assert rates["shut_outs"]["clusters"] == number
    got = rates["games_won_a_share"]
    assert got["clusters"] == number
    assert got["design_effect"] == pytest.approx(variance / (p * (1 - p) / got["n"]))
    assert got["design_effect"] > 1.3


def test_draws_of_one_hand_are_one_cluster_even_of_single_hands() -> None:
    layout = Layout("hands", "game")
    frames = random_run(layout, 250)
    pairs = list(zip(frames["hands"]["draws"].to_list(), frames["hands"]["pile_takes"].to_list(), strict=True))
    p, variance, number = ratio_estimate(pairs)
    got = summarize(Tally.of(frames, layout, False), layout)["rates"]["pile_share"]
    assert got["clusters"] == number == 250
    assert got["design_effect"] == pytest.approx(variance / (p * (1 - p) / got["n"]))


def matches_of(outcomes: np.ndarray) -> Frames:
    """Hands of matches of equal length, undercut where true and won by knocking where not; shape (matches, hands)."""
    rows = np.zeros(outcomes.shape, HAND_ROW)
    rows["match"] = np.arange(outcomes.shape[0])[:, None]
    rows["hand"] = np.arange(outcomes.shape[1])
    rows["ending"] = outcomes
    rows["draws"] = 1 + 20 * outcomes
    layout = Layout("matches", "game")
    return {"hands": frame(layout.columns("hands"), rows.ravel(), np.zeros((outcomes.size, 2), np.int32))}


def test_clustered_intervals_cover_the_truth_where_plain_ones_do_not() -> None:
    layout = Layout("matches", "game")
    generator = np.random.default_rng(5)
    trials, clustered, plain, means = 400, 0, 0, 0
    for _ in range(trials):
        # Each match has its own chance, so hands of one match are alike: a design effect of about 2.8.
        chances = generator.beta(0.8, 3.2, (40, 1))
        frames = matches_of((generator.random((40, 10)) < chances).astype(np.int8))
        summary = summarize(Tally.of(frames, layout, False), layout)
        rate, draws = summary["rates"]["undercut_rate"], summary["distributions"]["draws"]
        clustered += rate["low"] <= 0.2 <= rate["high"]
        means += draws["low"] <= 5 <= draws["high"]
        low, high = wilson(rate["count"], rate["n"])
        plain += low <= 0.2 <= high
    # Three standard errors around 95 %.
    assert abs(clustered / trials - 0.95) < 3 * sqrt(0.95 * 0.05 / trials)
    assert abs(means / trials - 0.95) < 3 * sqrt(0.95 * 0.05 / trials)
    assert plain / trials < 0.85


@pytest.mark.parametrize("outcome", [0, 1])
def test_with_a_constant_outcome_each_match_counts_as_one_observation(outcome: int) -> None:
    layout = Layout("matches", "game")
    tally = Tally.of(matches_of(np.full((25, 8), outcome, np.int8)), layout, False)
    rate = summarize(tally, layout)["rates"]["undercut_rate"]
    effective = 25 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 24)) ** 2
    assert rate["estimate"] == outcome
    assert (rate["low"], rate["high"]) == pytest.approx(wilson(outcome * effective, effective))
    assert (rate["low"], rate["high"])[outcome] == outcome
    assert rate["high"] - rate["low"] > 0.1


def test_clusters_that_all_show_the_same_ratio_do_not_make_it_certain() -> None:
    layout = Layout("matches", "game")
    tally = Tally.of(matches_of(np.tile(np.array([0, 1], np.int8), (25, 4))), layout, False)
    summary = summarize(tally, layout)
    rate, draws = summary["rates"]["undercut_rate"], summary["distributions"]["draws"]
    assert rate["estimate"] == 0.5
    assert rate["high"] - rate["low"] > 0.3
    half = stats.t.ppf(0.975, 24) * draws["sd"] / sqrt(25)
    assert (draws["low"], draws["high"]) == pytest.approx((draws["mean"] - half, draws["mean"] + half))


def test_mirroring_narrows_what_it_balances() -> None:
    layout = Layout("hands", "game")
    rows = np.zeros(400, HAND_ROW)
    rows["hand"] = np.arange(400)
    # The deal decides: whoever holds the better cards wins, so that the two hands of nearly every pair go to different seats.
    better = np.random.default_rng(2).integers(0, 2, 200).repeat(2)
    rows["winner"] = np.where(rows["hand"] % 20 == 0, 0, better ^ (rows["hand"] & 1))
    frames = {"hands": frame(layout.columns("hands"), rows)}
    mirrored = summarize(Tally.of(frames, layout, True), layout)["rates"]["seat_a_share"]
    plain = summarize(Tally.of(frames, layout, False), layout)["rates"]["seat_a_share"]
    assert mirrored["estimate"] == plain["estimate"]
    assert mirrored["design_effect"] < 0.5
    assert mirrored["high"] - mirrored["low"] < 0.7 * (plain["high"] - plain["low"])


def test_merging_in_any_split_and_order_is_the_whole(run: tuple[Frames, Layout, bool]) -> None:
    frames, layout, mirror = run
    whole = Tally.of(frames, layout, mirror)
    for size in (2, 10, 64, 1000):
        chunks = [at(frames, lambda number, k=k, size=size: number // size == k) for k in range(301 // size + 1)]
        tallies = [Tally.of(chunk, layout, mirror) for chunk in chunks]
        random.Random(size).shuffle(tallies)
        assert reduce(add, tallies) == whole
        assert reduce(add, tallies[::-1], Tally()) == whole
    half = len(tallies) // 2
    assert reduce(add, tallies[:half], Tally()) + reduce(add, tallies[half:], Tally()) == whole


def test_a_tally_reads_only_the_columns_it_says(run: tuple[Frames, Layout, bool]) -> None:
    frames, layout, mirror = run
    needed = {name: table.select(needed_columns(name, layout)) for name, table in frames.items()}
    assert Tally.of(needed, layout, mirror) == Tally.of(frames, layout, mirror)


def test_a_tally_and_a_summary_survive_json(run: tuple[Frames, Layout, bool]) -> None:
    frames, layout, mirror = run
    tally = Tally.of(frames, layout, mirror)
    again = Tally.from_dict(json.loads(json.dumps(tally.as_dict())))
    assert again == tally
    assert again + tally == tally + tally
    summary = summarize(tally, layout)
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary
    assert Tally.from_dict(json.loads(json.dumps(Tally().as_dict()))) == Tally()


def test_tallies_of_different_kinds_of_runs_do_not_add_up() -> None:
    tallies = {name: Tally.of(random_run(layout, 10), layout, mirror) for name, (layout, mirror) in RUNS.items()}
    for one, other in (("single hands", "mirrored hands"), ("games", "series")):
        with pytest.raises(ValueError, match="do not add up"):
            tallies[one] + tallies[other]


def test_sums_beyond_floating_point_stay_exact() -> None:
    points = [2_000_000_011, 1_999_999_993, 2_000_000_089, 17]
    statistic = Distribution("points_knock", "hands won by knock", ("points_knock",), ("knock",), "hands")
    values = {"points_knock": np.array(points), "knock": np.ones(4, bool)}
    sums = Moments.of(values, np.array([0, 2]), [statistic]).sums(("points_knock",), ("knock",))
    assert sums.yy == (points[0] + points[1]) ** 2 + (points[2] + points[3]) ** 2
    assert (sums.xy, sums.xx, sums.y, sums.x, sums.m) == (2 * sum(points), 8, sum(points), 4, 2)


def test_nothing_played_is_null_everywhere() -> None:
    for layout, mirror in RUNS.values():
        summary = summarize(Tally(), layout)
        assert summary["hands"] == 0
        assert all(rate["estimate"] is rate["low"] is rate["high"] is None for rate in summary["rates"].values())
        assert all(values["mean"] is values["low"] is values["sd"] is None for values in summary["distributions"].values())
        frames = at(random_run(layout, 4), lambda number: False)
        assert Tally.of(frames, layout, mirror) == Tally()


def test_an_empty_class_is_null_and_the_others_are_not() -> None:
    layout = Layout("hands", "game")
    rows = np.zeros(9, HAND_ROW)
    rows["hand"] = np.arange(9)
    rows["ending"] = ENDINGS.index("draw")
    for name in ("winner", "knocker", "first_taker", *DEADWOODS):
        rows[name] = -1
    for mirror in (False, True):
        summary = summarize(Tally.of({"hands": frame(layout.columns("hands"), rows)}, layout, mirror), layout)
        for name in ("gin_of_decided", "undercut_of_knocks", "first_player_share", "seat_a_share", "pile_share"):
            rate = summary["rates"][name]
            assert (rate["count"], rate["n"]) == (0, 0)
            assert rate["estimate"] is rate["low"] is rate["high"] is None
        assert summary["rates"]["draw_rate"]["estimate"] == 1
        assert summary["rates"]["upcard_taken"]["estimate"] == 0
        assert summary["distributions"]["points"]["mean"] is None
        assert summary["distributions"]["draws"]["quantiles"]["50"] == 0


def test_one_hand_has_rates_with_intervals_and_means_without() -> None:
    layout = Layout("hands", "game")
    summary = summarize(Tally.of(random_run(layout, 1, seed=4), layout, False), layout)
    knock, draws = summary["rates"]["knock_rate"], summary["distributions"]["draws"]
    assert (knock["low"], knock["high"]) == wilson(knock["count"], 1)
    assert draws["mean"] == draws["min"] == draws["max"] == draws["quantiles"]["5"]
    assert draws["low"] is draws["high"] is draws["sd"] is None


def test_one_match_has_no_intervals_of_hands() -> None:
    layout = Layout("matches", "hollywood", 3)
    frames = {"hands": random_run(layout, 40)["hands"].with_columns(match=pl.lit(0, pl.Int64))}
    frames |= {name: table.filter(match=0) for name, table in random_run(layout, 1).items() if name != "hands"}
    summary = summarize(Tally.of(frames, layout, False), layout)
    rate, draws = summary["rates"]["knock_rate"], summary["distributions"]["draws"]
    assert rate["clusters"] == 1
    assert 0 < rate["estimate"] < 1
    assert rate["low"] is rate["high"] is rate["design_effect"] is None
    assert draws["low"] is draws["high"] is None
    assert summary["rates"]["abandoned"]["low"] is not None


def test_a_class_met_in_one_match_only_has_no_interval() -> None:
    layout = Layout("matches", "game")
    frames = random_run(layout, 50)
    two_big_gins = pl.col("match") == 7
    ending = pl.when(two_big_gins).then(pl.lit("big_gin")).otherwise(pl.lit("draw")).cast(pl.Enum(ENDINGS))
    points = pl.int_range(pl.len(), dtype=pl.Int32)
    hands = frames["hands"].filter((pl.col("match") != 7) | (pl.col("hand") < 2))
    summary = summarize(Tally.of({"hands": hands.with_columns(ending=ending, points=points)}, layout, False), layout)
    got = summary["distributions"]["points_big_gin"]
    assert got["clusters"] == 1
    assert got["low"] is got["high"] is None


def test_an_odd_last_one_under_mirror_is_a_pair_of_its_own() -> None:
    for unit in ("hands", "matches"):
        layout = Layout(unit, "game")
        for count, pairs in ((1, 1), (2, 1), (7, 4), (8, 4)):
            summary = summarize(Tally.of(random_run(layout, count), layout, True), layout)
            assert summary["pairs"] == pairs
            assert summary["independent"] == f"pairs of {unit}"
            assert summary["rates"]["knock_rate"]["clusters"] == pairs


def test_a_selection_of_hands_is_tallied_without_its_matches() -> None:
    layout = Layout("matches", "hollywood", 3)
    hands = random_run(layout, 60)["hands"].filter(pl.col("draws") > 20)
    summary = summarize(Tally.of({"hands": hands}, layout, False), layout)
    assert summary["hands"] == len(hands)
    assert summary["matches"] is None
    assert summary["rates"]["knock_rate"]["clusters"] == hands["match"].n_unique() < 60
    assert "decided_early" not in summary["rates"]
    assert "match_hands" not in summary["distributions"]
