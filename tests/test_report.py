"""Every figure of a report stands in each of its forms, whole, at any width."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from ginsim.records import ENDINGS, GAME_ROW, HAND_ROW, MATCH_ROW, Layout, frame
from ginsim.report import FORMATS, document, figures, render
from ginsim.statistics import Tally, summarize

COMMAND = "ginsim simulate --rules hollywood --hands 1200 --seed 18446744073709551615 --strategy 'file.py:A player'"
SIMPLE = {"strategy": "simple", "describes": "simple knocks as soon as it may"}
PATIENT = {"strategy": "simple:knock=0", "describes": "simple:knock=0 plays for gin only"}
WIDTHS = (40, 60, 80, 100, 120, 160)
RUNS = {
    "hands": (Layout("hands", "game"), False, [SIMPLE, SIMPLE]),
    "mirrored hands": (Layout("hands", "game"), True, [SIMPLE, PATIENT]),
    "three-handed hands": (Layout("hands", "three_handed"), False, [SIMPLE, SIMPLE, SIMPLE]),
    "games": (Layout("matches", "game"), False, [SIMPLE, PATIENT]),
    "series": (Layout("matches", "hollywood", 3), False, [SIMPLE, PATIENT]),
    "mirrored three-handed games": (Layout("matches", "three_handed"), True, [SIMPLE, PATIENT, SIMPLE]),
}
TWO_DECIMALS = r"(\d+\.\d\d)"
RATE = rf"{TWO_DECIMALS} %\s+\({TWO_DECIMALS} – {TWO_DECIMALS}\)"
USUAL_ENDINGS = ("knock",) * 14 + ("undercut",) * 2 + ("gin",) * 3 + ("draw",)


def report_of(
    run: str,
    players: list[dict[str, str]] | None = None,
    endings: tuple[str, ...] = USUAL_ENDINGS,
    matches: int = 60,
    length: int = 20,
) -> dict[str, Any]:
    """The report of made-up tables, in which the ``endings`` come in turn."""
    layout, mirror, usual = RUNS[run]
    generator = np.random.default_rng(3)
    hands = np.zeros(matches * length, HAND_ROW)
    hands["match"], hands["hand"] = divmod(np.arange(len(hands)), length)
    if layout.unit == "hands":
        hands["hand"] = np.arange(len(hands))
    hands["ending"] = np.resize([ENDINGS.index(name) for name in endings], len(hands))
    hands["captain"], hands["sitter"] = 1, 2
    hands["winner"] = np.where(hands["ending"] < 4, generator.integers(0, 2, len(hands)), -1)
    hands["first_taker"] = generator.integers(-1, 2, len(hands))
    hands["draws"] = generator.integers(3, 32, len(hands))
    hands["pile_takes"] = hands["draws"] // generator.integers(2, 9, len(hands))
    hands["points"] = np.where(hands["ending"] < 4, generator.integers(1, 70, len(hands)), 0)
    for name in ("knocker_deadwood", "defender_deadwood", "defender_deadwood_after", "laid_off"):
        hands[name] = generator.integers(0, 11, len(hands))
    scores = np.zeros((len(hands), layout.seats * layout.games), np.int32)
    frames = {"hands": frame(layout.columns("hands"), hands, scores)}
    if layout.unit == "matches":
        games, ends = np.zeros((matches, layout.games), GAME_ROW), np.zeros(matches, MATCH_ROW)
        games["match"], games["game"] = np.arange(matches)[:, None], np.arange(layout.games) + 1
        games["hands"] = generator.integers(1, length + 1, games.shape)
        games["winner"] = generator.integers(0, 2, games.shape)
        ends["match"], ends["hands"], ends["winner"] = np.arange(matches), length, games["winner"][:, 0]
        ends["decided_at_hand"] = generator.integers(1, length + 1, matches)
        ends["total"] = generator.integers(0, 1300, (matches, 3))
        frames["games"] = frame(layout.columns("games"), games.ravel())
        frames["matches"] = frame(layout.columns("matches"), ends)
    return document(
        summarize(Tally.of(frames, layout, mirror), layout),
        version="0.1.0",
        command=COMMAND,
        rules="hollywood",
        players=[{"seat": seat, **player} for seat, player in zip("ABC", players or usual, strict=False)],
        seed=2**64 - 1,
        unit=layout.unit,
        plan={"seed": 2**64 - 1, "rules": {"gin_bonus": 25}},
        seconds=1.23,
        hash="5f3a",
    )


@pytest.fixture(params=RUNS)
def report(request: pytest.FixtureRequest) -> dict[str, Any]:
    return report_of(request.param)


def line_of(text: str, label: str) -> str:
    """The one line that starts with a label."""
    found = [line for line in text.splitlines() if re.match(rf"\s*{re.escape(label)}\s\s", line)]
    assert len(found) == 1, (label, found)
    return found[0]


def as_shown(rate: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"{100 * rate[key]:.2f}" for key in ("estimate", "low", "high"))


def numbers_in(text: str) -> Counter[str]:
    return Counter(re.findall(r"-?\d{1,3}(?:,\d{3})+|-?\d+(?:\.\d+)?|n/a", text))


def test_the_screen_shows_each_ending_of_all_of_decided_and_of_knocks(report: dict[str, Any]) -> None:
    text, rates = render(report), report["rates"]
    heading = line_of(text, "How hands end")
    assert re.findall(r"of .*?(?=\s\s|$)", heading) == [
        "of all 1,200 hands",
        "of 1,140 decided hands",
        "of 960 knocks short of gin",
    ]
    for name, label in (("knock", "knock"), ("undercut", "undercut"), ("gin", "gin")):
        line = line_of(text, label)
        assert re.match(rf"\s*{label}\s+{rates[f'{name}_rate']['count']:,}\s", line)
        shown = re.findall(RATE, line)
        assert shown[0] == as_shown(rates[f"{name}_rate"])
        assert shown[1] == as_shown(rates[f"{name}_of_decided"])
        assert shown[2:] == ([as_shown(rates["undercut_of_knocks"])] if name == "undercut" else [])
    assert re.findall(RATE, line_of(text, "draw (stock out)")) == [as_shown(rates["draw_rate"])]


def test_the_screen_shows_who_wins_and_what_is_taken(report: dict[str, Any]) -> None:
    text, rates = render(report), report["rates"]
    three = len(report["players"]) == 3
    labels = {
        "first_player_share": "captain (plays first)" if three else "first player",
        "box_share" if three else "dealer_share": "box (deals every hand)" if three else "dealer",
        "upcard_taken": "taken",
        "upcard_taken_by_first": "by the first player",
        "upcard_taken_by_dealer": "by the dealer",
        "pile_share": "from the discard pile",
    }
    for name, label in labels.items():
        line = line_of(text, label)
        assert f" {rates[name]['count']:,} " in line
        assert re.findall(RATE, line) == [as_shown(rates[name])]
    assert f"of {rates['pile_share']['n']:,} draws of cards" in line_of(text, "Cards drawn")
    wins = text[text.index("Who wins") : text.index("The face-up card")]
    for player in report["players"]:
        differ = len({other["strategy"] for other in report["players"]}) > 1
        label = f"{player['seat']} ({player['strategy']})" if differ else player["seat"]
        assert re.findall(RATE, line_of(wins, label)) == [as_shown(rates[f"seat_{player['seat'].lower()}_share"])]


def test_the_screen_shows_every_distribution(report: dict[str, Any]) -> None:
    text = render(report)
    labels = {
        "draws": "draws of cards",
        "points": "winner's points",
        "points_gin": "after gin",
        "knocker_deadwood": "knocker's deadwood",
        "defender_deadwood": "defender's deadwood",
        "defender_deadwood_after": "after laying off",
        "laid_off": "points laid off",
    }
    if report["unit"] == "matches":
        labels["match_margin"] = "winner's margin"
    if "game_2_hands" in report["distributions"]:
        labels["game_2_hands"] = "until game 2 ended"
    for name, label in labels.items():
        values = report["distributions"][name]
        spread = [values["min"], *values["quantiles"].values(), values["max"]]
        expected = [f"{values['n']:,}", *(f"{values[key]:.2f}" for key in ("mean", "low", "high", "sd"))]
        expected += [f"{value:,}" for value in spread]
        line = line_of(text, label)
        assert re.findall(r"-?\d[\d,]*(?:\.\d+)?", line[line.index(label) + len(label) :]) == expected
    assert "after big gin" not in text


def test_the_screen_shows_how_a_series_goes() -> None:
    report = report_of("series")
    text, rates = render(report), report["rates"]
    matches = text[text.index("Who wins matches") : text.index("Per hand")]
    for name, label in {
        "match_won_b_share": "B (simple:knock=0)",
        "first_dealer_share": "first dealer",
        "decided_early": "decided before the end",
        "several_games_in_a_hand": "several games in one hand",
        "sweeps": "all games to one player",
        "hands_ending_several_games": "end more than one",
    }.items():
        line = line_of(matches, label)
        assert f" {rates[name]['count']:,} " in line
        assert re.findall(RATE, line) == [as_shown(rates[name])]
    for name, label in (("games", "all games"), ("game_1", "game 1"), ("game_3", "game 3")):
        line = line_of(matches, label)
        assert f" {rates[f'{name}_won_a_share']['n']:,} " in line
        assert re.findall(RATE, line) == [as_shown(rates[f"{name}_won_{seat}_share"]) for seat in "ab"]
    assert "of 60 matches with a winner" in matches
    assert f"of {rates['hands_ending_several_games']['n']} hands that ended a game" in matches
    assert "abandoned" not in text


def test_a_narrow_terminal_loses_no_number_and_keeps_to_its_width(report: dict[str, Any]) -> None:
    full = numbers_in(render(report))
    for width in WIDTHS:
        text = render(report, width=width)
        assert not full - numbers_in(text)
        *lines, again = text.splitlines()
        assert max(map(len, lines)) <= width
        assert again.strip() == f"Again:   {COMMAND}"


def test_even_large_counts_and_long_names_fit_60_columns() -> None:
    report = report_of("series", [{**SIMPLE, "strategy": "exec:./a/very/long/way/to/a/player --with options"}, PATIENT])
    for rate in report["rates"].values():
        rate["count"] *= 10**9
        rate["n"] *= 10**9
    text = render(report, width=60)
    assert max(map(len, text.splitlines()[:-1])) <= 60
    assert not numbers_in(render(report)) - numbers_in(text)


def test_the_last_line_repeats_the_run_and_hints_stand_above() -> None:
    lines = render(report_of("hands"), width=60, hints=["Keep it: add --out runs/first"]).splitlines()
    assert lines[-2:] == ["  Keep it: add --out runs/first", f"  Again:   {COMMAND}"]


def test_piped_text_is_plain_whatever_the_environment_says(report: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "50")
    text = render(report)
    assert "\x1b" not in text
    assert "\N{NO-BREAK SPACE}" not in text
    assert not set(figures.BARS) & set(text)
    assert all(line == line.rstrip() for line in text.splitlines())
    assert "of all 1,200 hands" in text


def test_a_terminal_gets_sparklines_where_they_fit_and_the_same_numbers(
    report: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    wide, narrow = (render(report, width=width, terminal=True) for width in (160, 80))
    assert "\x1b[1m" in wide
    assert set(figures.BARS) & set(wide)
    assert not set(figures.BARS) & set(narrow)
    bare = re.sub(r"\x1b\[[\d;]*m", "", wide)
    assert numbers_in(bare) == numbers_in(render(report, width=160))


def test_a_terminal_with_room_has_a_bar_beside_each_ending(report: dict[str, Any]) -> None:
    bare = re.sub(r"\x1b\[[\d;]*m", "", render(report, width=160, terminal=True))
    # 70, 10, 15 and 5 per cent of ten characters, in eighths.
    for label, bar in {"knock": "███████", "undercut": "█", "gin": "█▌", "draw (stock out)": "▌"}.items():
        line = line_of(bare, label)
        assert re.findall("[▏▎▍▌▋▊▉█]+", line) == [bar], line
    assert not set(figures.EIGHTHS) & set(render(report, width=160)) - {" "}


@pytest.mark.parametrize(
    ("share", "drawn"),
    [(None, ""), (0, ""), (0.0001, "▏"), (0.0125, "▏"), (0.1, "█"), (0.15, "█▌"), (0.9875, "█████████▉"), (1, "██████████")],
)
def test_a_bar_is_as_long_as_its_share_and_never_too_short_to_see(share: float | None, drawn: str) -> None:
    assert figures.bar(share) == drawn


def test_endings_that_did_not_happen_are_left_out_unless_all_rules_have_them() -> None:
    usual = render(report_of("hands"))
    assert not re.search("big gin|tie|stopped", usual)
    rare = render(report_of("hands", endings=("big_gin", "tie", "stopped")))
    for label in ("big gin", "tie", "stopped (too long)"):
        assert re.findall(RATE, line_of(rare, label))
    for label in ("knock", "undercut", "gin", "draw (stock out)"):
        assert re.search(r"\s0 +0\.00 %", line_of(rare, label))


def test_an_empty_class_is_not_available_on_screen() -> None:
    text = render(report_of("hands", endings=("draw",)))
    assert re.search(r"knock\s+0\s+0\.00 %\s+\(0\.00 – 0\.32\)\s+n/a", text)
    assert re.search(r"winner's points\s+0\s+n/a\s+n/a\s+n/a", text)
    assert "nan" not in text.lower()
    assert "None" not in text


def test_one_match_shows_its_rates_without_intervals() -> None:
    text = render(report_of("series", matches=1))
    assert text.splitlines()[0].strip().startswith("1 match (20 hands) · rules hollywood")
    assert re.search(r"knock\s+14\s+70\.00 %\s+\(n/a\)", text)


@pytest.mark.parametrize(
    ("run", "heading", "note"),
    [
        ("hands", "1,200 hands · rules", "95 % intervals."),
        ("mirrored hands", "1,200 hands in 600 mirrored pairs · rules", "intervals over 600 mirrored pairs."),
        ("series", "60 matches (1,200 hands) · rules", "intervals over 60 matches, not over single hands."),
        (
            "mirrored three-handed games",
            "60 matches (1,200 hands) in 30 mirrored pairs · rules",
            "intervals over 30 mirrored pairs of matches, not over single hands.",
        ),
    ],
)
def test_the_report_says_what_was_played_and_over_what_the_intervals_are(run: str, heading: str, note: str) -> None:
    for text in (render(report_of(run)), render(report_of(run), "markdown").replace("*", "")):
        assert text.strip().startswith(heading)
        assert note in text
        assert "· seed 18446744073709551615 · ginsim 0.1.0 · 1.2 s\n" in text


def test_the_report_names_the_players_whose_rates_these_are() -> None:
    alike = render(report_of("hands"))
    assert "· simple v simple ·" in alike
    assert "simple knocks as soon as it may: these rates are its own." in alike
    differing = render(report_of("games"))
    assert "· simple v simple:knock=0 ·" in differing
    assert "simple knocks as soon as it may; simple:knock=0 plays for gin only: these rates are theirs." in differing


def test_names_that_look_like_markup_are_shown_as_they_are() -> None:
    odd = {"strategy": "[red]a|b[/red]:smile:", "describes": "[red]a|b[/red]:smile: does_what *it* likes"}
    report = report_of("series", [odd, SIMPLE])
    for terminal in (False, True):
        text = render(report, terminal=terminal)
        assert text.count("[red]a|b[/red]:smile:") >= 4
        assert "does_what *it* likes" in text
    markdown = render(report, "markdown")
    assert r"[red]a\|b[/red]:smile: does\_what \*it\* likes" in markdown


@pytest.mark.parametrize(
    ("count", "n", "shown"),
    [
        (20_951, 1_000_000, "2.10 %"),
        (1, 1_000_000, "0.00010 %"),
        (37, 100_000, "0.037 %"),
        (999_999, 1_000_000, "99.99990 %"),
        (0, 50, "0.00 %"),
        (50, 50, "100.00 %"),
    ],
)
def test_a_rate_has_two_decimals_and_more_where_it_would_look_like_nothing_or_all(count: int, n: int, shown: str) -> None:
    values = {"estimate": count / n, "low": None, "high": None}
    assert figures.rate(values) == figures.Figure(shown, "n/a", "n/a")


def test_an_interval_never_looks_like_a_point() -> None:
    assert figures.rate({"estimate": 0.021, "low": 0.020999, "high": 0.021001}).interval() == "(2.0999 – 2.1001)"
    assert figures.rate({"estimate": 0.0, "low": 0.0, "high": 3.84e-6}).interval() == "(0.0000 – 0.0004)"
    assert figures.mean({"mean": 12.5, "low": 12.4996, "high": 12.5004}) == figures.Figure("12.5000", "12.4996", "12.5004")
    assert figures.mean({"mean": 12.0, "low": 12.0, "high": 12.0}).interval() == "(12.00 – 12.00)"
    assert figures.mean({"mean": -0.001, "low": -1.0, "high": 1.0}).estimate == "0.00"


def test_what_is_not_known_is_written_so() -> None:
    nothing = {"estimate": None, "low": None, "high": None, "mean": None, "sd": None}
    assert (figures.rate(nothing).estimate, figures.rate(nothing).interval()) == ("n/a", "")
    assert (figures.mean(nothing).estimate, figures.deviation(nothing), figures.count(None)) == ("n/a",) * 3


def test_a_sparkline_has_the_shape_of_its_histogram() -> None:
    assert figures.sparkline({"3": 1, "4": 8, "5": 4}) == "▁█▄"
    assert figures.sparkline({"0": 5, "2": 5}) == "█ █"
    assert figures.sparkline({"-2": 1, "-1": 1}) == "██"
    assert figures.sparkline({}) == ""
    assert len(figures.sparkline({str(value): 1 for value in range(500)})) == 12


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.04, "0.0 s"), (59.94, "59.9 s"), (59.97, "1 min 0 s"), (200, "3 min 20 s"), (7501, "2 h 5 min")],
)
def test_durations_are_told_in_their_own_units(seconds: float, shown: str) -> None:
    assert figures.duration(seconds) == shown


def test_json_is_the_document_itself_with_whole_numbers_whole(report: dict[str, Any]) -> None:
    text = render(report, "json")
    again = json.loads(text)
    assert again == report
    assert again["schema"] == "ginsim.report/1"
    assert again["seed"] == again["plan"]["seed"] == 18446744073709551615
    assert again["command"] == COMMAND
    assert again["hash"] == "5f3a"
    for rate in again["rates"].values():
        assert rate.keys() >= {"of", "count", "n", "estimate", "low", "high"}
    for format in FORMATS:
        assert render(again, format) == render(report, format)


def test_csv_is_one_flat_table_with_a_line_for_each_named_number(report: dict[str, Any]) -> None:
    rows = list(csv.DictReader(io.StringIO(render(report, "csv"))))
    assert list(rows[0]) == ["statistic", "of", "count", "n", "estimate", "low", "high"]
    by_name = {row["statistic"]: row for row in rows}
    assert len(by_name) == len(rows)
    assert by_name["hands"]["count"] == "1200"
    for name, rate in report["rates"].items():
        row = by_name[name]
        assert (row["of"], int(row["count"]), int(row["n"])) == (rate["of"], rate["count"], rate["n"])
        for key in ("estimate", "low", "high"):
            assert row[key] == ("" if rate[key] is None else repr(rate[key]))
    for name, values in report["distributions"].items():
        row = by_name[f"{name}_mean"]
        assert (row["of"], row["count"], int(row["n"])) == (values["of"], "", values["n"])
        assert row["estimate"] == ("" if values["mean"] is None else repr(values["mean"]))
        assert row["low"] == ("" if values["low"] is None else repr(values["low"]))
        assert by_name[f"{name}_q95"]["estimate"] == ("" if not values["n"] else str(values["quantiles"]["95"]))
        assert by_name[f"{name}_max"]["estimate"] == ("" if not values["n"] else str(values["max"]))


def test_csv_leaves_cells_empty_for_what_is_not_known() -> None:
    rows = csv.DictReader(io.StringIO(render(report_of("hands", endings=("draw",)), "csv")))
    gin = next(row for row in rows if row["statistic"] == "gin_of_decided")
    assert gin == {**gin, "of": "decided hands", "count": "0", "n": "0", "estimate": "", "low": "", "high": ""}


def test_markdown_tables_are_rectangular_and_hold_every_number_of_the_screen(report: dict[str, Any]) -> None:
    text = render(report, "markdown")
    blocks = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert len(blocks) >= 7
    for head, rule, *rows in blocks:
        cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in (head, rule, *rows)]
        assert rows
        assert {len(line) for line in cells} == {len(cells[0])}
        assert re.fullmatch(r"\| --- \|( ---: \|)+", rule)
    assert not numbers_in(render(report)) - numbers_in(text)
    assert text.endswith(f"```sh\n{COMMAND}\n```\n")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="'html' is none of table, json, csv, markdown"):
        render(report_of("hands"), "html")
