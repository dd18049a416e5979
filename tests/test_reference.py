"""Statistics of many hands against numbers from outside: exact counts, and what three independent engines agree on.

A number found by sampling is known to its standard error, or, where none is given, to half a unit of its last digit. The
tolerance is that much beyond four standard errors of the difference, one true result in 16,000 outside.
"""

import naive
import numpy as np
import polars as pl
import pytest
from table import U64, chunk

from ginsim import accelerate
from ginsim.accelerate import COMPILED, kernel
from ginsim.hand import DECK, cards_between, fresh_deck, shuffle
from ginsim.melds import deadwood
from ginsim.randomness import DEAL, open_stream

pytestmark = pytest.mark.skipif(not COMPILED, reason="millions of hands are for the compiled engine")

HANDS = 200_000
MATCHES = 10_000
Z = 4


def agrees(found: float, error: float, known: float, known_error: float = 0.0, digit: float = 0.0) -> bool:
    """Whether a number found, with its standard error, is the known one, with an error of its own or rounded to a digit."""
    return abs(found - known) <= Z * (error**2 + known_error**2) ** 0.5 + digit / 2


@pytest.fixture(scope="module")
def simple() -> pl.DataFrame:
    """200,000 hands of ``simple`` against itself under ``eaai``."""
    return chunk("eaai", ["simple"], 20_210_601, HANDS)["hands"].with_columns(
        pl.col("ending", "winner", "dealer").cast(pl.String)
    )


@pytest.fixture(scope="module")
def patient() -> pl.DataFrame:
    """200,000 hands of ``simple:knock=4`` against itself under ``eaai``."""
    return chunk("eaai", ["simple:knock=4"], 20_210_602, HANDS)["hands"].with_columns(pl.col("ending").cast(pl.String))


def rate(hands: pl.DataFrame, ending: str) -> tuple[float, float]:
    """The share of an ending among all hands in percent, and its standard error."""
    share = (hands["ending"] == ending).mean()
    return 100 * share, 100 * (share * (1 - share) / len(hands)) ** 0.5


def mean(values: pl.Series) -> tuple[float, float]:
    """A mean and its standard error."""
    return values.mean(), values.std() / len(values) ** 0.5


def test_r10_simple_goes_gin_in_2_09_percent_of_hands(simple: pl.DataFrame) -> None:
    assert agrees(*rate(simple, "gin"), 2.09, known_error=0.03)


def test_r13_r18_simple_is_undercut_in_4_35_to_4_45_percent_with_joint_layoffs(simple: pl.DataFrame) -> None:
    found, error = rate(simple, "undercut")
    assert 4.35 - Z * error < found < 4.45 + Z * error


def test_r15_simple_runs_out_of_stock_in_0_16_percent(simple: pl.DataFrame) -> None:
    assert agrees(*rate(simple, "draw"), 0.16, known_error=0.02)


def test_r7_a_hand_of_simple_takes_12_53_draws_of_both(simple: pl.DataFrame) -> None:
    assert agrees(*mean(simple["draws"]), 12.53, known_error=0.02)


def test_r7_simple_takes_the_pile_with_16_5_percent_of_draws(simple: pl.DataFrame) -> None:
    draws, takes = simple["draws"].cast(pl.Float64), simple["pile_takes"].cast(pl.Float64)
    share = takes.sum() / draws.sum()
    error = (takes - share * draws).std() / len(simple) ** 0.5 / draws.mean()
    assert agrees(100 * share, 100 * error, 16.5, digit=0.1)


def test_r6_the_first_player_wins_50_1_percent_of_decided_hands(simple: pl.DataFrame) -> None:
    decided = simple.filter(pl.col("winner").is_not_null())
    share = (decided["winner"] != decided["dealer"]).mean()
    assert agrees(100 * share, 50 / len(decided) ** 0.5, 50.1, known_error=0.2)


@pytest.mark.parametrize(
    ("ending", "points", "digit"),
    [(None, 16.26, 0.01), ("gin", 47.4, 0.1), ("knock", 15.1, 0.1), ("undercut", 26.6, 0.1)],
)
def test_r17_r18_r19_mean_points_of_the_winner(
    simple: pl.DataFrame, ending: str | None, points: float, digit: float
) -> None:
    """The others lay off one card after another and now and then miss the best, some hundredths of a point on the mean."""
    won = simple.filter(pl.col("ending") == ending if ending else pl.col("winner").is_not_null())
    found, error = mean(won["points"])
    # No size of their samples is given; as large as this one.
    assert agrees(found, error, points, known_error=error, digit=digit)


def test_r30_r34_a_game_to_100_takes_10_2_hands() -> None:
    matches = chunk("eaai", ["simple"], 20_210_603, MATCHES, unit="matches")["matches"]
    assert agrees(*mean(matches["hands"]), 10.2, digit=0.1)


def test_r9_r10_simple_that_waits_for_4_goes_gin_in_14_9_percent_and_draws_1_1_percent(patient: pl.DataFrame) -> None:
    found, error = rate(patient, "gin")
    assert agrees(found, error, 14.9, known_error=error, digit=0.1)
    assert agrees(*rate(patient, "draw"), 1.1, digit=0.1)
    assert agrees(*mean(patient["draws"]), 17.2, digit=0.1)


@pytest.mark.parametrize(("undercut_bonus", "share"), [(25, 67.0), (10, 41.9)])
def test_r18_the_undercut_bonus_turns_round_whether_playing_for_gin_alone_pays(
    undercut_bonus: int, share: float
) -> None:
    """Games to 100 won by ``simple:knock=0`` against ``simple``; the known shares have standard errors below one point."""
    matches = chunk(
        "eaai",
        ["simple:knock=0", "simple"],
        20_210_604,
        MATCHES,
        unit="matches",
        mirror=True,
        changes={"undercut_bonus": undercut_bonus},
    )["matches"]
    won = (matches["winner"].cast(pl.String) == "A").cast(pl.Float64).to_numpy()
    # A mirrored pair is one observation.
    pairs = won.reshape(-1, 2).mean(axis=1)
    error = pairs.std(ddof=1) / len(pairs) ** 0.5
    assert agrees(100 * pairs.mean(), 100 * error, share, known_error=1.0)
    assert (pairs.mean() > 0.5 + Z * error) if undercut_bonus == 25 else (pairs.mean() < 0.5 - Z * error)


@kernel()
def _deal_ten(deck, seed, count, histogram):  # noqa: ANN001, ANN202
    """Deal ten cards ``count`` times and count each deadwood."""
    for number in range(count):
        open_stream(deck.stream, seed, np.uint64(DEAL), np.uint64(number), np.uint64(0))
        fresh_deck(deck)
        shuffle(deck, 10)
        histogram[deadwood(cards_between(deck, 0, 10))] += 1


def test_r4_deadwood_as_dealt_is_distributed_as_counted_over_all_hands() -> None:
    """Of 15,820,024,220 hands 136,694 are gin, 2,009,322 have at most 5 and 10,212,276 at most 10; 98 is the most."""
    count = 3_000_000
    histogram = np.zeros(99, np.int64)
    _deal_ten(accelerate.records(1, DECK)[0], U64(20_210_605), count, histogram)
    values = np.arange(99)
    average = (values * histogram).sum() / count
    deviation = (((values - average) ** 2 * histogram).sum() / count) ** 0.5
    assert agrees(average, 13.7912 / count**0.5, 56.5694, digit=0.0001)
    # Near enough to normal for the error of a standard deviation.
    assert agrees(deviation, 13.7912 / (2 * count) ** 0.5, 13.7912, digit=0.0001)
    for most, hands in ((0, 136_694), (5, 2_009_322), (10, 10_212_276)):
        expected = count * hands / 15_820_024_220
        assert abs(histogram[: most + 1].sum() - expected) <= Z * expected**0.5 + 1, most
    assert histogram.sum() == count


def test_r4_the_first_hands_dealt_have_the_twins_deadwood() -> None:
    histogram = np.zeros(99, np.int64)
    _deal_ten(accelerate.records(1, DECK)[0], U64(1), 500, histogram)
    twin = np.bincount([naive.deadwood(naive.deal(1, number, 0)[:10]) for number in range(500)], minlength=99)
    assert list(histogram) == list(twin)
