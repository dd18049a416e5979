"""A part of a run's hands, and hands by a column: against plain counting of the rows."""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from commands import answered, called
from scipy import stats

import ginsim
from ginsim import Run, UsageError
from ginsim.records import Layout

Row = dict[str, Any]


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Single hands, stored in several chunks."""
    out = tmp_path_factory.mktemp("runs") / "hands"
    return ginsim.simulate("gin", hands=5000, seed=1, out=out, chunk=700, settings={"big_gin_bonus": 31})


@pytest.fixture(scope="module")
def series() -> Run:
    """Hollywood series, mirrored, in memory."""
    return ginsim.simulate("hollywood", matches=60, seed=2, strategies=["simple", "simple:knock=4"], mirror=True)


def rows_of(run: Run) -> list[Row]:
    return run.frame("hands").to_dicts()


@pytest.mark.parametrize("column", ["dealer", "first_taker", "upcard", "ending", "winner", "draws", "knocker_deadwood"])
def test_each_value_has_the_figures_of_its_rows(hands: Run, column: str) -> None:
    report = hands.report(by=column)
    expected = defaultdict(list)
    for row in rows_of(hands):
        expected[row[column]].append(row)
    groups = {group["value"]: group for group in report["by"]["groups"]}
    assert (report["by"]["column"], report["by"]["width"]) == (column, None)
    assert groups.keys() == expected.keys()
    for value, rows in expected.items():
        group = groups[value]
        assert group["hands"] == len(rows)
        gins = sum(row["ending"] == "gin" for row in rows)
        rate = group["rates"]["gin_rate"]
        bounds = stats.binomtest(gins, len(rows)).proportion_ci(method="wilson")
        assert (rate["count"], rate["n"]) == (gins, len(rows))
        assert (rate["low"], rate["high"]) == pytest.approx((bounds.low, bounds.high))
        draws = group["distributions"]["draws"]
        assert draws["mean"] == pytest.approx(sum(row["draws"] for row in rows) / len(rows))
    assert report["hands"] == 5000
    assert report["selection"] == {"where": None, "hands": 5000, "of": 5000}


def test_values_come_in_their_order_and_none_last(hands: Run) -> None:
    def values(column: str) -> list[Any]:
        return [group["value"] for group in hands.report(by=column)["by"]["groups"]]

    assert values("first_taker") == ["A", "B", None]
    assert values("ending") == [word for word in ("knock", "undercut", "gin", "big_gin", "draw") if word in values("ending")]
    deadwoods = values("knocker_deadwood")
    assert deadwoods == [*range(11), None]
    cards = [column for column in Layout("hands", "game").columns("hands") if column.name == "upcard"][0].words
    assert values("upcard") == list(cards)


def test_a_column_of_many_values_is_put_into_bins(hands: Run) -> None:
    by = hands.report(by="points")["by"]
    assert by["width"] == 10
    expected = defaultdict(int)
    for row in rows_of(hands):
        expected[row["points"] // by["width"] * by["width"]] += 1
    assert {group["value"]: group["hands"] for group in by["groups"]} == expected
    assert 10 < len(by["groups"]) <= 20


@pytest.mark.parametrize(
    ("where", "keeps"),
    [
        ("draws > 20", lambda row: row["draws"] > 20),
        ("ending = 'gin' or ending = 'draw'", lambda row: row["ending"] in ("gin", "draw")),
        ("ending in ('knock', 'undercut') and not dealer = 'A'", lambda row: row["ending"] in ("knock", "undercut") and row["dealer"] != "A"),
        ("first_taker is null", lambda row: row["first_taker"] is None),
        ("knocker <> winner", lambda row: row["knocker"] and row["winner"] and row["knocker"] != row["winner"]),
        ("upcard like '%S'", lambda row: row["upcard"].endswith("S")),
        ("hand % 2 = 0 and points between 10 and 20", lambda row: row["hand"] % 2 == 0 and 10 <= row["points"] <= 20),
        ("abs(knocker_deadwood - 5) <= 1", lambda row: row["knocker_deadwood"] is not None and abs(row["knocker_deadwood"] - 5) <= 1),
        ("knocker_deadwood - defender_deadwood_after > 2", lambda row: (row["knocker_deadwood"] or 0) - (row["defender_deadwood_after"] or 0) > 2),
        ("true", lambda row: True),
    ],
)
def test_where_keeps_the_hands_for_which_it_is_true(hands: Run, where: str, keeps: Callable[[Row], bool]) -> None:
    kept = [row for row in rows_of(hands) if keeps(row)]
    report = hands.report(where=where)
    assert 0 < len(kept)
    assert report["selection"] == {"where": where, "hands": len(kept), "of": 5000}
    assert report["rates"]["draw_rate"]["count"] == sum(row["ending"] == "draw" for row in kept)
    assert report["distributions"]["draws"]["mean"] == pytest.approx(sum(row["draws"] for row in kept) / len(kept))
    assert "by" not in report


def test_where_and_by_go_together(hands: Run) -> None:
    report = hands.report(where="draws > 15", by="dealer")
    kept = [row for row in rows_of(hands) if row["draws"] > 15]
    assert {group["value"]: group["hands"] for group in report["by"]["groups"]} == {
        seat: sum(row["dealer"] == seat for row in kept) for seat in "AB"
    }
    assert report["hands"] == len(kept)


def test_a_stored_run_says_what_the_same_run_in_memory_says(hands: Run) -> None:
    kept = ginsim.simulate("gin", hands=5000, seed=1, settings={"big_gin_bonus": 31})
    for part in ({"by": "draws"}, {"by": "points", "where": "draws > 8"}, {"where": "ending = 'gin'"}):
        one, other = hands.report(**part), kept.report(**part)
        assert {**one, "command": "", "seconds": 0, "plan": {}} == {**other, "command": "", "seconds": 0, "plan": {}}


def test_selected_hands_of_matches_keep_their_clusters_and_matches_are_left_out(series: Run) -> None:
    report = series.report(by="ending", where="hand < 6")
    assert report["independent"] == "pairs of matches"
    assert report["matches"] is None
    assert not [name for name in report["rates"] if name.startswith("match_")]
    for group in report["by"]["groups"]:
        pairs = {row["match"] // 2 for row in rows_of(series) if row["hand"] < 6 and row["ending"] == group["value"]}
        assert group["pairs"] == len(pairs)
        assert group["rates"]["upcard_taken"]["clusters"] == len(pairs)
    text = series.show(where="hand < 6")
    assert "intervals over" in text and "n/a match" not in text


def test_all_columns_of_all_formats_can_be_split_by(series: Run) -> None:
    three = ginsim.simulate("three-handed", matches=20, seed=1)
    for run in (series, three):
        for column in run.plan.layout.columns("hands"):
            if column.name != "match":
                groups = run.report(by=column.name)["by"]["groups"]
                assert sum(group["hands"] for group in groups) == len(run.frame("hands"))


def test_nothing_selected_is_told_and_not_available(hands: Run) -> None:
    text = hands.show(where="draws > 399")
    assert "0 of 5,000 hands where draws > 399" in text
    assert "n/a" in text
    assert hands.report(where="draws > 399", by="dealer")["by"]["groups"] == []
    assert hands.show(where="draws > 399", by="dealer", format="markdown")


def test_the_screen_has_a_line_a_value_and_loses_no_number_in_a_narrow_terminal(hands: Run) -> None:
    report = hands.report(by="first_taker")
    wide = hands.show(by="first_taker")
    lines = {line.split()[0]: line for line in wide.splitlines() if line.startswith("  ") and line.strip()}
    for group in report["by"]["groups"]:
        line = lines[group["value"] or "none"]
        for name in ("knock_rate", "gin_rate", "first_player_share"):
            assert f"{100 * group['rates'][name]['estimate']:.2f} %" in line
        assert f"{group['distributions']['points']['mean']:.2f}" in line
        assert f"{group['hands']:,}" in line
    narrow = hands.show(by="first_taker", width=60)
    assert max(map(len, narrow.splitlines()[:-1])) <= 60
    assert sorted(word for word in narrow.split() if word.startswith("(") and word[1].isdigit()) == sorted(
        word for word in wide.split() if word.startswith("(") and word[1].isdigit()
    )
    assert "By points, 10 values a line" in hands.show(by="points") and "20 – 29 " in hands.show(by="points")


def test_csv_has_the_figures_of_each_value(hands: Run) -> None:
    report = hands.report(by="first_taker")
    lines = list(csv.DictReader(io.StringIO(hands.show("csv", by="first_taker"))))
    assert {line["first_taker"] for line in lines} == {"all", "A", "B", "none"}
    found = {line["first_taker"]: line["count"] for line in lines if line["statistic"] == "gin_rate"}
    for group in report["by"]["groups"]:
        assert found[group["value"] or "none"] == str(group["rates"]["gin_rate"]["count"])


def test_markdown_is_rectangular(hands: Run) -> None:
    lines = [line for line in hands.show("markdown", by="draws", where="draws < 9 or ending = 'gin'").splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in lines}) == 1
    assert len(lines) == 3 + len(hands.report(by="draws", where="draws < 9 or ending = 'gin'")["by"]["groups"])


def test_the_command_splits_and_selects(hands: Run) -> None:
    report = json.loads(answered("report", hands.folder, "--by", "dealer", "--where", "draws > 20", "--format", "json"))
    assert report["selection"]["where"] == "draws > 20"
    assert [group["value"] for group in report["by"]["groups"]] == ["A", "B"]
    assert report["hash"] == hands.table_hash()
    assert shlex.split(report["command"])[1:] == ["report", str(hands.folder), "--by", "dealer", "--where", "draws > 20"]


@pytest.mark.parametrize(
    ("part", "line"),
    [
        (["--by", "dealr"], "by 'dealr': hands have no such column. Did you mean dealer? The columns are hand, dealer, upcard,"),
        (["--by", "hand"], "by hand: every hand has its own number; the columns are"),
        (["--by", "match"], "by 'match': hands have no such column."),
        (["--where", "dras > 3"], "where 'dras > 3': unable to find column \"dras\"; the columns are hand, dealer, upcard,"),
        (["--where", "draws >"], "where 'draws >': "),
        (["--where", ""], "where '': it is empty."),
        (["--where", "draws"], "where 'draws': it is a value (Int64) and no condition, such as draws > 20."),
        (["--where", "draws > 1; drop table hands"], "where 'draws > 1; drop table hands': "),
        (["--where", "draws > avg(draws)"], "avg(…) is none of the functions of one hand: abs,"),
        (["--where", "row_number() over () > 3"], "row_number(…) is none of the functions of one hand"),
        (["--where", "draws in (select draws from hands)"], "where 'draws in (select draws from hands)': "),
        (["--where", "dealer > 3"], "where 'dealer > 3': "),
        (["--where", "draws = 'many'"], "where \"draws = 'many'\": "),
        (["--where", "print(1) = 1"], "print(…) is none of the functions of one hand"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(hands: Run, part: list[str], line: str) -> None:
    result = called("report", hands.folder, *part)
    assert (result.exit_code, result.stdout) == (2, "")
    assert line in result.stderr
    assert result.stderr.count("\n") == 1


def test_where_no_rows_were_kept_there_is_nothing_to_split() -> None:
    run = ginsim.simulate("gin", hands=100, seed=1, keep=False)
    with pytest.raises(UsageError, match="kept no rows"):
        run.report(by="dealer")


def test_a_stored_summary_has_no_rows_to_split(tmp_path: Path) -> None:
    ginsim.simulate("gin", hands=100, seed=1, out=tmp_path / "sums", keep="summary")
    result = called("report", tmp_path / "sums", "--where", "draws > 20")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "keeps a summary (--keep summary) and no rows" in result.stderr


def test_a_tournament_is_no_run(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    answered("tournament", "simple", "random", "--rules", "gin", "--set", "max_hands=5", "--matches", "2", "--seed", "1", "--out", folder)
    result = called("report", folder, "--by", "dealer")
    assert result.exit_code == 2
    assert "holds a tournament: --by and --where are for a run" in result.stderr


def test_where_is_never_evaluated_as_python(hands: Run, tmp_path: Path) -> None:
    target = tmp_path / "written"
    result = called("report", hands.folder, "--where", f"open('{target}', 'w') is not null")
    assert result.exit_code == 2
    assert not target.exists()


def test_a_condition_with_quotes_and_brackets_in_texts_is_read_as_text(hands: Run) -> None:
    with pytest.raises(UsageError, match="it is a value"):
        hands.report(where="'avg(draws)'")
    assert hands.report(where="ending = 'avg (it''s)'")["hands"] == 0
    assert isinstance(hands.frame(), pl.DataFrame)
