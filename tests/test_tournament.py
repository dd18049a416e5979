"""A tournament is its pairings, each an ordinary mirrored run on the same deals, and what it says follows from their rows."""

from __future__ import annotations

import csv
import json
import re
import shutil
import signal
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import choix
import numpy as np
import polars as pl
import pytest
from commands import answered, called, contents, engine, started, times  # noqa: F401
from scipy import stats

import ginsim
from ginsim import Tournament, UsageError, tournament

BOTS = Path(__file__).parent / "data" / "bots"
PLAYERS = ["simple:knock=4", "simple", "simple:knock=0"]
PAIRS, SEED = 60, 3


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """A stored tournament of three players under two-handed rules."""
    return tournament(PLAYERS, "eaai", matches=PAIRS, seed=SEED, out=tmp_path_factory.mktemp("two") / "cup", workers=2)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """A stored tournament of four players under three-handed rules."""
    out = tmp_path_factory.mktemp("three") / "cup"
    return tournament([*PLAYERS, "simple:knock=7"], "three-handed", matches=20, seed=SEED, out=out, workers=2)


def runs(played: Tournament) -> dict[tuple[str, ...], ginsim.Run]:
    """The stored runs of a tournament, by the players in their seats."""
    found = [ginsim.open_run(path) for path in sorted(played.folder.iterdir()) if path.is_dir()]
    return {tuple(player.spec for player in run.plan.players): run for run in found}


def observations(played: Tournament) -> pl.DataFrame:
    """What each player of each meeting won, net points, and hands, for every pair number, straight from the rows of the runs."""
    parts = []
    for seating, run in runs(played).items():
        meeting = " + ".join(sorted(seating))
        matches = run.frame("matches").with_columns(pair=pl.col("match") // 2)
        hands = run.frame("hands").with_columns(pair=pl.col("match") // 2)
        for seat, player in zip("ABC", seating, strict=False):
            mine = pl.when(pl.col("winner") == seat).then(pl.col("points")).otherwise(0)
            others = (pl.col("points") - mine) / (len(seating) - 1)
            won = matches.group_by("pair").agg(
                won=(pl.col("winner") == seat).sum() + pl.col("winner").is_null().sum() / len(seating), matches=pl.len()
            )
            net = hands.group_by("pair").agg(net=(mine - others).sum(), hands=pl.len())
            parts.append(won.join(net, on="pair").with_columns(meeting=pl.lit(meeting), player=pl.lit(player)))
    whole = pl.concat(parts).group_by("pair", "meeting", "player").agg(pl.col("won", "matches", "net", "hands").sum())
    return whole.sort("pair", "meeting", "player")


def share(hits: np.ndarray, among: np.ndarray) -> tuple[float, float, float]:
    """A share with Wilson's bounds for clusters: the two roots of (share - p)^2 = z^2 p (1 - p) / n, n by the linearised variance."""
    some = among > 0
    hits, among, m = hits[some], among[some], int(some.sum())
    rate = hits.sum() / among.sum()
    variance = m / (m - 1) * ((hits - rate * among) ** 2).sum() / among.sum() ** 2
    z, t = stats.norm.ppf(0.975), stats.t.ppf(0.975, m - 1)
    n = rate * (1 - rate) / variance * (z / t) ** 2
    low, high = sorted(np.roots([1 + z**2 / n, -(2 * rate + z**2 / n), rate**2]))
    return rate, low, high


def ratio(hits: np.ndarray, among: np.ndarray) -> tuple[float, float, float]:
    """A ratio with its bounds over clusters."""
    m, value = len(hits), hits.sum() / among.sum()
    error = np.sqrt(m / (m - 1) * ((hits - value * among) ** 2).sum()) / among.sum()
    half = stats.t.ppf(0.975, m - 1) * error
    return value, value - half, value + half


def bounds(values: dict[str, Any]) -> tuple[float, float, float]:
    return values.get("estimate", values.get("mean")), values["low"], values["high"]


def records(played: Tournament) -> dict[str, dict[str, Any]]:
    return {player["strategy"]: player for player in played.report()["players"]}


def column(rows: pl.DataFrame, name: str, **where: str) -> np.ndarray:
    """A column's sums for each pair number."""
    return rows.filter(**where).group_by("pair", maintain_order=True).agg(pl.col(name).sum())[name].to_numpy()


def lasting(report: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in report.items() if name not in ("seconds", "command")}


# Who plays whom


def test_every_two_players_meet_once_and_their_run_is_the_one_that_simulate_plays(two: Tournament) -> None:
    found = runs(two)
    assert Counter(frozenset(seating) for seating in found) == Counter(map(frozenset, combinations(PLAYERS, 2)))
    for seating, run in found.items():
        alone = ginsim.simulate("eaai", matches=2 * PAIRS, seed=SEED, mirror=True, strategies=seating)
        assert run.table_hash() == alone.table_hash()


def test_all_pairings_play_the_same_deals(two: Tournament) -> None:
    first = [run.frame().filter(pl.col("hand") == 0).select("match", "dealer", "upcard") for run in runs(two).values()]
    assert all(frame.equals(first[0]) for frame in first)
    assert first[0]["upcard"].n_unique() > 20


def test_every_three_players_play_in_all_six_seatings_on_the_same_deals(three: Tournament) -> None:
    specs = [player.spec for player in three.schedule.players]
    roles: dict[tuple[int, frozenset[str]], list[tuple[str, ...]]] = {}
    upcards: dict[int, set[str]] = {}
    for seating, run in runs(three).items():
        player = dict(zip("ABC", seating, strict=True))
        for row in run.frame().filter(pl.col("hand") == 0).iter_rows(named=True):
            pair = row["match"] // 2
            seated = tuple(player[row[role]] for role in ("box", "captain", "sitter"))
            roles.setdefault((pair, frozenset(seating)), []).append(seated)
            upcards.setdefault(pair, set()).add(row["upcard"])
    assert set(roles) == {(pair, frozenset(some)) for pair in range(20) for some in combinations(specs, 3)}
    for (_, players), seatings in roles.items():
        assert sorted(seatings) == sorted(permutations(players))
    assert all(len(cards) == 1 for cards in upcards.values())


@pytest.mark.parametrize("rules", ["eaai", "three-handed"])
def test_the_order_in_which_players_are_named_changes_nothing(rules: str) -> None:
    one, other = (
        tournament(players, rules, matches=10, seed=5).report() for players in (PLAYERS, [PLAYERS[2], PLAYERS[0], PLAYERS[1]])
    )
    assert lasting(one) == lasting(other)
    assert one["command"] == other["command"]


# What follows from the rows


@pytest.mark.parametrize("name", ["two", "three"])
def test_shares_and_points_with_their_intervals_follow_from_the_rows(name: str, request: pytest.FixtureRequest) -> None:
    played = request.getfixturevalue(name)
    rows = observations(played)
    report = played.report()
    for player, record in records(played).items():
        meetings = rows.filter(pl.col("meeting").is_in(rows.filter(player=player)["meeting"].unique().implode()))
        mine = meetings.filter(player=player)
        matches, hands = column(mine, "matches"), column(mine, "hands")
        assert record["matches"] == matches.sum()
        assert bounds(record["won"]) == pytest.approx(share(column(mine, "won"), matches))
        assert bounds(record["points_a_hand"]) == pytest.approx(ratio(column(mine, "net"), hands))
        assert record["won"]["n"] == record["points_a_hand"]["n"] == played.pairs
    for cell in report["cross"]:
        both = [meeting for meeting in rows["meeting"].unique() if {cell["player"], cell["against"]} <= set(meeting.split(" + "))]
        mine, its = (rows.filter(pl.col("meeting").is_in(both), player=cell[who]) for who in ("player", "against"))
        won = column(mine, "won")
        assert bounds(cell["won"]) == pytest.approx(share(won, won + column(its, "won")))
        if name == "two":
            assert bounds(cell["points_a_hand"]) == pytest.approx(ratio(column(mine, "net"), column(mine, "hands")))
    for meeting in report["meetings"]:
        mine = rows.filter(meeting=" + ".join(sorted(each["strategy"] for each in meeting["players"])))
        for each in meeting["players"]:
            own = mine.filter(player=each["strategy"])
            assert meeting["hands"] == own["hands"].sum()
            assert bounds(each["won"]) == pytest.approx(share(column(own, "won"), column(own, "matches")))
            assert bounds(each["points_a_hand"]) == pytest.approx(ratio(column(own, "net"), column(own, "hands")))
    assert report["hands"] == sum(len(run.frame()) for run in runs(played).values())
    assert report["matches"] == sum(len(run.frame("matches")) for run in runs(played).values())


def test_a_pairing_seen_from_either_side_is_the_same(two: Tournament, three: Tournament) -> None:
    for played in (two, three):
        cells = {(cell["player"], cell["against"]): cell for cell in played.report()["cross"]}
        assert set(cells) == set(permutations([player.spec for player in played.schedule.players], 2))
        for (one, other), cell in cells.items():
            back = cells[other, one]
            estimate, low, high = bounds(cell["won"])
            assert (1 - estimate, 1 - high, 1 - low) == pytest.approx(bounds(back["won"]))
            if cell["points_a_hand"]:
                mean, low, high = bounds(cell["points_a_hand"])
                assert (-mean, -high, -low) == pytest.approx(bounds(back["points_a_hand"]))


@pytest.mark.parametrize(
    ("rules", "hands", "counted"),
    [("eaai", 7, "half a win for both"), ("three-handed", 8, "a third of a win for each of the three")],
)
def test_a_match_without_a_winner_is_the_same_part_of_a_win_for_all(rules: str, hands: int, counted: str, tmp_path: Path) -> None:
    played = tournament(PLAYERS, rules, matches=10, seed=1, settings={"max_hands": hands}, out=tmp_path / "cup")
    winners = pl.concat([run.frame("matches")["winner"] for run in runs(played).values()])
    report = played.report()
    assert 0 < report["without_winner"] == winners.null_count() < len(winners)
    rows = observations(played)
    for player, record in records(played).items():
        mine = rows.filter(player=player)
        assert record["won"]["estimate"] == pytest.approx(mine["won"].sum() / mine["matches"].sum())
    told = f"{report['without_winner']} matches had no winner (level or too long) and count as {counted}."
    assert told in played.show()


# Ratings


def choice_model(rows: pl.DataFrame, players: list[str]) -> np.ndarray:
    """What choix makes of the matches won: the centred maximum of the likelihood."""
    number = {player: place for place, player in enumerate(players)}
    data = []
    for meeting, player, won in rows.group_by("meeting", "player").agg(pl.col("won").sum()).iter_rows():
        losers = [number[other] for other in meeting.split(" + ") if other != player]
        data += [(number[player], losers)] * int(won)
    found = choix.ilsr_top1(len(players), data, alpha=0)
    return found - found.mean()


@pytest.mark.parametrize("name", ["two", "three"])
def test_ratings_are_those_of_an_outside_library(name: str, request: pytest.FixtureRequest) -> None:
    played = request.getfixturevalue(name)
    found = records(played)
    expected = choice_model(observations(played), list(found))
    assert [record["rating"]["log_odds"]["mean"] for record in found.values()] == pytest.approx(expected, abs=1e-6)
    for record in found.values():
        for bound, value in record["rating"]["log_odds"].items():
            # 400 points are odds of ten to one.
            assert 10 ** (record["rating"]["elo"][bound] / 400) == pytest.approx(np.exp(value))
    assert sum(record["rating"]["elo"]["mean"] for record in found.values()) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("name", ["two", "three"])
def test_the_uncertainty_of_ratings_is_that_of_a_jackknife_over_pair_numbers(name: str, request: pytest.FixtureRequest) -> None:
    played = request.getfixturevalue(name)
    rows, found = observations(played), records(played)
    without = np.array([choice_model(rows.filter(pl.col("pair") != pair), list(found)) for pair in range(played.pairs)])
    errors = np.sqrt((played.pairs - 1) * without.var(axis=0))
    halves = [(each["rating"]["log_odds"]["high"] - each["rating"]["log_odds"]["low"]) / 2 for each in found.values()]
    assert halves == pytest.approx(stats.t.ppf(0.975, played.pairs - 1) * errors, rel=0.04)


def test_who_lost_every_match_has_no_rating_and_the_others_are_rated_without_him() -> None:
    whole = tournament([*PLAYERS[1:], "random"], "eaai", matches=20, seed=1)
    rest = tournament(PLAYERS[1:], "eaai", matches=20, seed=1)
    found = records(whole)
    assert found["random"]["won"]["estimate"] == 0 and found["random"]["rating"] is None
    assert found["random"]["won"]["low"] == 0 < found["random"]["won"]["high"] < 0.2
    for player, record in records(rest).items():
        assert bounds(found[player]["rating"]["elo"]) == pytest.approx(bounds(record["rating"]["elo"]))
    assert re.search(r"^ *random .* n/a$", whole.show(), re.MULTILINE)
    assert "No rating, for want of wins or losses against the others: random." in whole.show()


def test_of_two_players_one_of_whom_lost_all_neither_is_rated() -> None:
    found = records(tournament(["simple", "random"], "eaai", matches=10, seed=1))
    assert [record["rating"] for record in found.values()] == [None, None]


def test_a_single_pair_gives_estimates_and_says_nothing_of_how_sure_they_are() -> None:
    report = tournament(["simple", "simple:knock=0"], "eaai", matches=1, seed=3).report()
    for player in report["players"]:
        assert player["won"]["estimate"] in (0, 0.5, 1)
        assert player["won"]["low"] is player["won"]["high"] is player["points_a_hand"]["low"] is None


# Stored and continued


def test_the_same_again_changes_no_byte_and_a_larger_number_extends(two: Tournament, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    tournament(PLAYERS, "eaai", matches=25, seed=SEED, out=folder)
    # The seed is that of the stored one.
    grown = tournament(PLAYERS, "eaai", matches=PAIRS, out=folder)
    assert contents(folder) == contents(two.folder)
    assert lasting(grown.report()) == lasting(two.report())
    before = times(folder)
    tournament(PLAYERS, "eaai", matches=PAIRS, out=folder)
    assert times(folder) == before


def test_what_an_interrupt_left_out_is_played_and_told_of(two: Tournament, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    shutil.copytree(two.folder, folder)
    first, second = sorted(path for path in folder.iterdir() if path.is_dir())[:2]
    (first / "hands" / "00000002.parquet").unlink()
    shutil.rmtree(second / "matches")
    result = called("report", folder)
    assert result.exit_code == 2 and "no part of this tournament has been played by all" in result.stderr
    shutil.copytree(two.folder / second.name / "matches", second / "matches")
    opened = ginsim.open_tournament(folder)
    assert (opened.pairs, opened.wanted) == (PAIRS - 10, PAIRS)
    result = called("report", folder)
    assert result.exit_code == 0
    assert result.stderr == f"Note: this tournament was interrupted, some of it is missing. Complete it: {opened.command()}\n"
    answered(*opened.command().split()[1:])
    assert contents(folder) == contents(two.folder)
    assert lasting(ginsim.open_tournament(folder).report()) == lasting(two.report())


def test_an_interrupt_tells_what_is_stored_and_how_to_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow.py").write_text(
        "import os, pathlib, time\n\n"
        "class Bot:\n"
        "    def take(self, view):\n"
        "        while os.path.exists('held'):\n"
        "            pathlib.Path('asked').touch()\n"
        "            time.sleep(0.01)\n"
        "        return False\n\n"
        "    def discard(self, view):\n"
        "        return view.random.choice(view.best_discards())\n\n"
        "    def knock(self, view):\n"
        "        return True\n"
    )
    (tmp_path / "held").touch()
    players = ["slow.py:Bot", "simple", "simple:knock=0"]
    words = ["tournament", *players, "--rules", "eaai", "--matches", 20, "--seed", 4, "--workers", 2]
    process = started(*words, "--out", "cup", cwd=tmp_path)
    while not (tmp_path / "asked").exists():
        assert process.poll() is None, process.stderr.read()
    process.send_signal(signal.SIGINT)
    output, complaint = process.communicate(timeout=60)
    (tmp_path / "held").unlink()
    assert (process.returncode, output) == (130, "")
    line = complaint.splitlines()[-1]
    found = re.fullmatch(r"Stopped at (\d+) of 120 matches; all of them are in cup\. Continue: ginsim (.*)", line)
    assert found, complaint
    monkeypatch.chdir(tmp_path)
    kept = [len(pl.read_parquet(file)) for file in Path("cup").glob("*/matches/*.parquet")]
    assert int(found[1]) == sum(kept) > 0
    done = json.loads(answered(*found[2].split(), "--workers", 1, "--format", "json"))
    assert lasting(done) == lasting(tournament(players, "eaai", matches=20, seed=4, workers=1).report())


@pytest.mark.parametrize(
    ("out", "told"), [(None, r"nothing is stored \(--out DIR"), ("cup", r"Continue: ginsim tournament .* --out cup$")]
)
def test_an_interrupt_before_the_first_match_says_the_same(
    out: str | None, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(plan: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ginsim.simulation.warm_up", interrupted)
    words = ["tournament", *PLAYERS, "--seed", 1, *(["--out", out] if out else [])]
    result = called(*words)
    assert (result.exit_code, result.stdout) == (130, "")
    assert re.search(rf"^Stopped at 0 of 6,000 matches; .*{told}", result.stderr)


def test_players_who_are_called_back_play_the_same_in_processes() -> None:
    players = [f"{BOTS / 'plain.py'}:MyBot", "simple", "simple:knock=0"]
    one, two = (tournament(players, "gin", matches=20, seed=2, workers=workers).report() for workers in (1, 2))
    assert lasting(one) == lasting(two)


# The command


def test_the_screen_has_every_figure_at_any_width_and_so_have_markdown_and_csv(two: Tournament, three: Tournament) -> None:
    for played in (two, three):
        wide = played.show()
        numbers = Counter(re.findall(r"\d+\.\d+", wide))
        assert len(numbers) > 40
        for width in (30, 60, 90, 140):
            narrow = played.show(width=width)
            body = narrow[: narrow.index("Again:")]
            assert Counter(re.findall(r"\d+\.\d+", body)) == Counter(re.findall(r"\d+\.\d+", wide[: wide.index("Again:")]))
            assert width < 60 or max(map(len, body.splitlines())) <= width
        assert Counter(re.findall(r"\d+\.\d+", played.show("markdown"))) == numbers
        report = json.loads(played.show("json"))
        assert report == played.report() and report["schema"] == "ginsim.tournament/1"
        lines = list(csv.DictReader(played.show("csv").splitlines()))
        told = {(row["statistic"], row["player"], row["against"]): row for row in lines}
        assert len(told) == len(lines)
        for cell in report["cross"]:
            row = told["won", cell["player"], cell["against"]]
            assert [float(row[name]) for name in ("n", "estimate", "low", "high")] == [cell["won"]["n"], *bounds(cell["won"])]
        for player in report["players"]:
            assert float(told["rating_elo", player["strategy"], ""]["estimate"]) == player["rating"]["elo"]["mean"]


def test_the_command_reports_and_ginsim_report_shows_the_same_again(two: Tournament, tmp_path: Path) -> None:
    words = ["tournament", *PLAYERS, "--rules", "eaai", "--matches", PAIRS, "--seed", SEED]
    for output_format in ("table", "csv", "markdown", "json"):
        shown = answered("report", two.folder, "--format", output_format)
        assert shown == ginsim.open_tournament(two.folder).show(output_format)
    assert lasting(json.loads(answered(*words, "--format", "json"))) == lasting(two.report())
    table = answered(*words)
    assert table.splitlines()[0].startswith(f"  3 pairings · {PAIRS} pairs of matches each · {6 * PAIRS} matches (")
    again = table.splitlines()[-1].removeprefix("  Again:   ginsim ")
    without_time = [re.sub(r" · [0-9.]+ s$", "", text, flags=re.MULTILINE) for text in (table, answered(*again.split()))]
    assert without_time[0] == without_time[1]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["simple"], "1 player: a tournament under hollywood rules needs 2 or more, such as: simple patient expert."),
        (["simple", "random", "--rules", "three-handed"], "2 players: a tournament under three-handed rules needs 3 or more"),
        (["simple", "random", "simple"], "simple is named twice: a tournament is between different players."),
        (["simple", "simple:knock=10"], "simple is named twice"),
        (["simple", "nobody"], "no strategy named 'nobody'."),
        (["simple", "simple:knock=0,knock=1"], "simple:knock=0,knock=1"),
        (["simple", "random", "--matches", "0"], "'0' is not a whole number from 1 on"),
        (["simple", "random", "--out", ""], "--out names no folder."),
        (["simple", "random", "--set", "gin_bonus=-5"], "gin_bonus = -5: must be 0 or more."),
        ([], "Missing argument 'PLAYER…'. Try 'ginsim tournament --help'."),
    ],
)
def test_what_can_not_be_played_is_refused_in_a_line(words: list[str], line: str) -> None:
    result = called("tournament", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert line in result.stderr and len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["simple", "simple:knock=0", "random"], "the players are simple:knock=0, simple, simple:knock=4 there and random, "),
        ([*PLAYERS, "--set", "gin_bonus=20"], "gin_bonus is 25 there and 20 here."),
        ([*PLAYERS, "--seed", 4], "seed is 3 there and 4 here."),
        ([*PLAYERS, "--matches", PAIRS - 1], f"already holds {PAIRS} pairs of matches for each pairing: ask for as many or more."),
    ],
)
def test_another_tournament_is_refused_with_the_first_difference(two: Tournament, words: list[object], line: str) -> None:
    before = times(two.folder)
    result = called("tournament", "--rules", "eaai", "--matches", PAIRS, *words, "--out", two.folder)
    assert result.exit_code == 2 and line in result.stderr and len(result.stderr.splitlines()) == 1
    assert times(two.folder) == before


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(UsageError, match="already holds something else"):
        tournament(PLAYERS, "eaai", matches=1, seed=1, out=tmp_path)
    assert list(contents(tmp_path)) == ["letter.txt"]
    ginsim.simulate("eaai", matches=2, seed=1, out=tmp_path / "run")
    with pytest.raises(UsageError, match="already holds something else"):
        tournament(PLAYERS, "eaai", matches=1, seed=1, out=tmp_path / "run")
    with pytest.raises(UsageError, match="holds no tournament"):
        ginsim.open_tournament(tmp_path / "run")


@pytest.mark.parametrize(
    "change",
    [
        {"tournament": 2},
        {"players": None},
        {"players": []},
        {"players": [{"strategy": "simple"}] * 3},
        {"mirror": False},
        {"rules": {}},
        {"seed": -1},
    ],
)
def test_a_damaged_description_is_a_line(two: Tournament, tmp_path: Path, change: dict[str, Any]) -> None:
    whole = json.loads((two.folder / "tournament.json").read_text())
    (tmp_path / "tournament.json").write_text(json.dumps({**whole, **change}))
    with pytest.raises(UsageError, match="does not describe a tournament: "):
        ginsim.open_tournament(tmp_path)
