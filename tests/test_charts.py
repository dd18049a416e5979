"""Pictures show the numbers of their documents: what is read back off a drawing is what the document says."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import called, contents
from test_report import RUNS, report_of

import ginsim.charts
import ginsim.odds
import ginsim.store.files
from ginsim.charts import COLOURS, pictures, save, to_svg
from ginsim.errors import UsageError
from ginsim.odds import Odds

SVG = "{http://www.w3.org/2000/svg}"
BAR = re.compile(r"M([-\d.e]+),([-\d.e]+)h([-\d.e]+)v([-\d.e]+)")
PLACE = re.compile(r"translate\(([-\d.e]+),([-\d.e]+)\)")


@pytest.fixture(scope="module")
def series() -> dict[str, Any]:
    """A report in which everything has happened."""
    return report_of("series")


@pytest.fixture(scope="module")
def drawn(series: dict[str, Any]) -> dict[str, ElementTree.Element]:
    return {picture.name: ElementTree.fromstring(to_svg(picture)) for picture in pictures(series)}


def marks(svg: ElementTree.Element) -> dict[str, ElementTree.Element]:
    """The marks that stand for numbers, by what they say."""
    found = [each for each in svg.iter() if each.get("role") == "graphics-symbol" and each.tag != f"{SVG}g"]
    by_words = {each.get("aria-label", ""): each for each in found}
    assert len(by_words) == len(found)
    return by_words


def bar(mark: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, width and height of a bar."""
    return tuple(map(float, BAR.match(mark.get("d", "")).groups()))  # type: ignore[union-attr, return-value]


def number(text: str) -> int:
    return int(text.replace(",", ""))


def texts(svg: ElementTree.Element) -> list[str]:
    return [" ".join(each.itertext()) for each in svg.iter(f"{SVG}text")]


# Marks


@pytest.mark.parametrize(("picture", "name"), [("knocker_deadwood", "knocker_deadwood"), ("draws", "draws")])
def test_a_histogram_has_a_bar_for_each_value_as_tall_as_it_is_frequent(
    drawn: dict[str, ElementTree.Element], series: dict[str, Any], picture: str, name: str
) -> None:
    histogram = series["distributions"][name]["histogram"]
    bars = {said.partition(": ")[0]: (number(said.partition(": ")[2]), bar(mark)) for said, mark in marks(drawn[picture]).items()}
    assert {value: count for value, (count, _) in bars.items()} == histogram
    tallest = max(histogram, key=histogram.__getitem__)
    for count, (_, _, _, height) in bars.values():
        assert height / bars[tallest][1][3] == pytest.approx(count / histogram[tallest], rel=1e-6)
    assert len({round(top + height, 6) for _, (_, top, _, height) in bars.values()}) == 1, "they stand on one line"
    lefts = [bars[value][1][0] for value in sorted(bars, key=int)]
    assert lefts == sorted(lefts)


def test_many_values_share_bars_and_each_ending_stands_on_the_one_before(
    drawn: dict[str, ElementTree.Element], series: dict[str, Any]
) -> None:
    by_place: dict[str, list[tuple[int, tuple[float, ...]]]] = {}
    sums = dict.fromkeys(("knock", "undercut", "gin"), 0)
    for said, mark in marks(drawn["points"]).items():
        ending, first, last, count = re.fullmatch(r"(\w+), (\d+) – (\d+): ([\d,]+)", said).groups()  # type: ignore[union-attr]
        histogram = series["distributions"][f"points_{ending}"]["histogram"]
        assert number(count) == sum(histogram.get(str(value), 0) for value in range(int(first), int(last) + 1))
        sums[ending] += number(count)
        by_place.setdefault(first, []).append((number(count), bar(mark)))
    assert sums == {ending: series["rates"][f"{ending}_rate"]["count"] for ending in sums}
    for stacked in by_place.values():
        tops = [top for _, (_, top, _, _) in stacked]
        bottoms = [top + height for _, (_, top, _, height) in stacked]
        assert bottoms[1:] == pytest.approx(tops[:-1])
        heights = [height / count for count, (_, _, _, height) in stacked]
        assert heights == pytest.approx([heights[0]] * len(heights))


def test_bars_of_rates_and_the_lines_on_their_ends_have_one_scale(
    drawn: dict[str, ElementTree.Element], series: dict[str, Any]
) -> None:
    rates = [series["rates"][f"{name}_rate"] for name in ("knock", "undercut", "gin", "draw")]
    found = marks(drawn["endings"])
    assert [said.partition(":")[0] for said in found] == ["knock", "undercut", "gin", "draw (stock out)"]
    (lines,) = [each for each in drawn["endings"].iter() if "mark-rule role-mark" in each.get("class", "")]
    scale = bar(next(iter(found.values())))[2] / rates[0]["estimate"]
    for (said, mark), line, rate in zip(found.items(), lines.iter(f"{SVG}line"), rates, strict=True):
        assert said.endswith(f": {100 * rate['estimate']:.2f} % ({100 * rate['low']:.2f} – {100 * rate['high']:.2f})")
        assert bar(mark)[2] == pytest.approx(scale * rate["estimate"])
        left = float(PLACE.match(line.get("transform", ""))[1])  # type: ignore[index]
        assert (left, left + float(line.get("x2", ""))) == pytest.approx((scale * rate["low"], scale * rate["high"]))
    assert texts(drawn["endings"]) == [said.replace(": ", " ") for said in found]


def test_dots_lie_between_the_ends_of_their_intervals_and_half_lies_where_it_should(
    drawn: dict[str, ElementTree.Element], series: dict[str, Any]
) -> None:
    names = ["match_won_a", "games_won_a", "game_1_won_a", "game_2_won_a", "game_3_won_a"]
    rates = [series["rates"][f"{name}_share"] for name in names]
    half, *lines = [
        (float(PLACE.match(line.get("transform", ""))[1]), float(line.get("x2", "")))  # type: ignore[index]
        for group in drawn["matches"].iter()
        if "mark-rule role-mark" in group.get("class", "")
        for line in group.iter(f"{SVG}line")
    ]
    scale = lines[0][1] / (rates[0]["high"] - rates[0]["low"])
    zero = lines[0][0] - scale * rates[0]["low"]
    assert half[0] == pytest.approx(zero + scale * 0.5)
    for mark, (left, width), rate in zip(marks(drawn["matches"]).values(), lines, rates, strict=True):
        dot = float(PLACE.match(mark.get("transform", ""))[1])  # type: ignore[index]
        assert (left, dot, left + width) == pytest.approx([zero + scale * rate[key] for key in ("low", "estimate", "high")])


def test_curves_go_through_every_value_also_where_there_is_none(
    drawn: dict[str, ElementTree.Element], series: dict[str, Any]
) -> None:
    found = marks(drawn["match_hands"])
    for game in (1, 2, 3):
        histogram = series["distributions"][f"game_{game}_hands"]["histogram"]
        said = {key: number(key.partition(": ")[2]) for key in found if key.startswith(f"game {game},")}
        values = range(min(map(int, histogram)), max(map(int, histogram)) + 1)
        assert said == {
            f"game {game}, {value}: {histogram.get(str(value), 0):,}": histogram.get(str(value), 0) for value in values
        }
        places = {PLACE.match(found[key].get("transform", ""))[2]: count for key, count in said.items()}  # type: ignore[index]
        counts = [places[place] for place in sorted(places, key=float)]
        assert counts == sorted(counts, reverse=True), "the higher up, the more"


def test_curves_of_many_values_have_dots_for_several() -> None:
    document = report_of("hands")
    histogram = {str(value): value for value in range(1, 101)}
    for name in ("defender_deadwood", "defender_deadwood_after"):
        document["distributions"][name] |= {"histogram": histogram, "n": 5050}
    (picture,) = [each for each in pictures(document) if each.name == "defender_deadwood"]
    said = list(marks(ElementTree.fromstring(to_svg(picture))))
    assert said[:3] == ["before laying off, 0 – 1: 1", "before laying off, 2 – 3: 5", "before laying off, 4 – 5: 9"]
    assert said[-1] == "after, 100 – 101: 100"
    assert sum(number(each.partition(": ")[2]) for each in said) == 2 * 5050


def test_the_odds_are_drawn_as_they_are_counted() -> None:
    hands = [3, 0, 10, 40, 100, 200, 400, 1000, 0, 2000, 3000, 30_000, 100_000, 5000]
    document = ginsim.odds.document(Odds(10, tuple(hands), None), knock_limit=5)
    every, low = (ElementTree.fromstring(to_svg(picture)) for picture in pictures(document))
    bars = {said: bar(mark)[3] for said, mark in marks(every).items()}
    assert list(bars) == [f"{deadwood}: {count:,}" for deadwood, count in enumerate(hands) if count]
    assert bars["12: 100,000"] / bars["10: 3,000"] == pytest.approx(100 / 3)
    total, so_far, dots = sum(hands), 0, marks(low)
    assert len(dots) == 11
    for deadwood, (said, mark) in enumerate(dots.items()):
        so_far += hands[deadwood]
        assert said == f"at most {deadwood}: 1 in {total / so_far:,.0f}"
        assert mark.get("fill") == COLOURS["one" if deadwood <= 5 else "draw"]
    places = {said: float(PLACE.match(mark.get("transform", ""))[1]) for said, mark in dots.items()}  # type: ignore[index]
    first, *_, last = places.values()
    assert first > last, "the rarer, the further to the right"


# Words


@pytest.mark.parametrize("run", RUNS)
def test_every_kind_of_run_has_pictures_with_words_and_numbers(run: str) -> None:
    document = report_of(run)
    found = {picture.name: picture for picture in pictures(document)}
    assert {"endings", "winners", "knocker_deadwood", "defender_deadwood", "draws", "points"} <= found.keys()
    assert {"matches", "match_hands", "match_margin"} <= found.keys() or document["unit"] == "hands"
    assert ("series" in found) == (run == "series")
    for picture in found.values():
        assert picture.title
        assert picture.caption.endswith(".")
        assert picture.lines
        assert {len(line) for line in picture.lines} == {len(picture.head)}


@pytest.mark.parametrize("endings", [("draw",), ("big_gin", "tie", "stopped"), ("gin",)])
def test_what_did_not_happen_has_no_picture(endings: tuple[str, ...]) -> None:
    names = {picture.name for picture in pictures(report_of("hands", endings=endings))}
    assert ("points" in names) == (endings != ("draw",))
    assert ("knocker_deadwood" in names) == ("tie" in endings)
    assert {"endings", "draws"} <= names


def test_a_single_match_can_be_drawn(tmp_path: Path) -> None:
    save(report_of("series", matches=1, length=1), tmp_path / "one.svg")
    assert ElementTree.parse(tmp_path / "one.svg").getroot().tag == f"{SVG}svg"


def test_captions_say_what_the_numbers_say() -> None:
    document = report_of("hands")
    document["distributions"]["draws"] |= {"max": 31, "quantiles": {"5": 4, "25": 9, "50": 12, "75": 16, "95": 1_022}}
    document["rates"]["first_player_share"] |= {"estimate": 0.55, "low": 0.54, "high": 0.56, "n": 1000}
    captions = {picture.name: picture.caption for picture in pictures(document)}
    assert captions["endings"].startswith(
        "Of 1,200 hands 70.00 % end with a knock, 10.00 % end with an undercut, 15.00 % end with gin and 5.00 % are draws"
    )
    assert "gin once in 7 hands, undercut once in 10 hands, draw once in 20 hands" in captions["rarer_endings"]
    assert "Half of the hands are over after 12 draws" in captions["draws"]
    assert "nine in ten take 4 to 1,022, the longest took 31" in captions["draws"]
    assert (
        captions["winners"]
        == "The first player wins 55.00 % (54.00 – 56.00) of decided hands: more than half, and not by chance."
    )


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(0.4, 0.49, "less than half, and not by chance"), (0.49, 0.51, "no edge is shown"), (None, None, "too few to say more")],
)
def test_an_edge_is_claimed_only_where_the_interval_leaves_half_out(low: float | None, high: float | None, words: str) -> None:
    document = report_of("hands")
    document["rates"]["first_player_share"] |= {"estimate": 0.45, "low": low, "high": high}
    (caption,) = [picture.caption for picture in pictures(document) if picture.name == "winners"]
    assert words in caption


# Files


def test_every_colour_has_one_role_and_drawings_use_no_other(drawn: dict[str, ElementTree.Element]) -> None:
    assert len(set(COLOURS.values())) == len(COLOURS)
    used = {each.get(key) for svg in drawn.values() for each in svg.iter() for key in ("fill", "stroke")}
    assert used - {None, "none", "transparent"} <= set(COLOURS.values())


def test_a_drawing_refers_to_nothing(drawn: dict[str, ElementTree.Element]) -> None:
    for svg in drawn.values():
        assert not [each for each in svg.iter() if each.tag in (f"{SVG}image", f"{SVG}script", f"{SVG}style", f"{SVG}use")]
        values = [
            value for each in svg.iter() for key, value in each.attrib.items() if "url(" in value or "href" in key or key == "id"
        ]
        assert not values


def test_a_sheet_holds_all_pictures_with_their_titles_and_captions(series: dict[str, Any], tmp_path: Path) -> None:
    save(series, tmp_path / "all.svg")
    svg = ElementTree.parse(tmp_path / "all.svg").getroot()
    words = " ".join(texts(svg))
    found = pictures(series)
    assert len(svg.findall(f"{SVG}svg")) == len(found)
    for picture in found:
        assert picture.title in words
        assert " ".join(picture.caption.split()) in " ".join(words.split())
    assert series["command"] in words
    width, height = (float(svg.get(key, "")) for key in ("width", "height"))
    for part in svg.findall(f"{SVG}svg"):
        left, top, wide, high = (float(part.get(key, "")) for key in ("x", "y", "width", "height"))
        assert 0 <= left < left + wide <= width
        assert 0 <= top < top + high <= height


def test_a_png_has_twice_the_pixels_of_the_drawing(tmp_path: Path) -> None:
    document = ginsim.odds.document(Odds(10, (1, 2, 3), None))
    save(document, tmp_path / "a.SVG")
    save(document, tmp_path / "a.png")
    content = (tmp_path / "a.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n") and content.endswith(b"IEND\xaeB`\x82")
    svg = ElementTree.parse(tmp_path / "a.SVG").getroot()
    assert struct.unpack(">II", content[16:24]) == tuple(2 * int(svg.get(key, "")) for key in ("width", "height"))


def test_there_is_nothing_to_draw_without_a_hand_or_of_another_document(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is nothing to draw"):
        save({**report_of("hands"), "hands": 0}, tmp_path / "a.svg")
    with pytest.raises(UsageError, match="no pictures of a document 'other/1'"):
        save({"schema": "other/1"}, tmp_path / "a.svg")
    assert not list(tmp_path.iterdir())


# Commands


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "few"
    ginsim.simulate("gin", hands=300, seed=3, out=folder)
    return folder


def test_report_draws_beside_what_it_prints(run: Path, tmp_path: Path) -> None:
    before = contents(run)
    plain = called("report", run)
    result = called("report", run, "--plot", tmp_path / "few.svg")
    assert (result.exit_code, result.stderr, result.stdout) == (0, "", plain.stdout)
    words = " ".join(texts(ElementTree.parse(tmp_path / "few.svg").getroot()))
    assert "300 hands" in words
    assert "Deadwood at the knock" in words
    assert contents(run) == before
    assert [path.name for path in tmp_path.iterdir()] == ["few.svg"]


def test_a_tournament_is_drawn_when_it_is_played_and_when_it_is_reported(tmp_path: Path) -> None:
    cup = tmp_path / "cup"
    words = ("tournament", "simple", "simple:knock=0", "--rules", "gin", "--matches", "20", "--seed", "1")
    assert called(*words, "--out", cup, "--plot", tmp_path / "played.svg").exit_code == 0
    assert called("report", cup, "--plot", tmp_path / "again.svg").exit_code == 0
    assert (tmp_path / "played.svg").read_text() == (tmp_path / "again.svg").read_text()
    assert "A tournament of 2 players" in (tmp_path / "again.svg").read_text()
    result = called("report", cup, "--html", tmp_path / "cup.html")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {cup} is a tournament, which has no page: --plot draws it.\n"


@pytest.mark.parametrize("option", ["--plot", "--html"])
@pytest.mark.parametrize("split", [("--by", "dealer"), ("--where", "draws > 20")])
def test_a_part_of_a_run_is_not_drawn(run: Path, option: str, split: tuple[str, str], tmp_path: Path) -> None:
    result = called("report", run, *split, option, tmp_path / {"--plot": "a.svg", "--html": "a.html"}[option])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: --plot and --html show a whole run: leave out --by and --where.\n"
    assert not list(tmp_path.iterdir())


def test_a_knock_chart_is_drawn_beside_what_is_printed(tmp_path: Path) -> None:
    words = ("knock-chart", "--rules", "gin", "--strategy", "simple", "--hands", "3000", "--seed", "1", "--min", "20")
    result = called(*words, "--plot", tmp_path / "knock.svg")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "When to knock: rules gin" in " ".join(texts(ElementTree.parse(tmp_path / "knock.svg").getroot()))


@pytest.mark.parametrize("option", ["--plot", "--html"])
def test_a_file_that_cannot_be_is_refused_before_the_work(option: str, tmp_path: Path) -> None:
    ending = {"--plot": ".svg", "--html": ".html"}[option]
    (tmp_path / f"folder{ending}").mkdir()
    right = {"--plot": ".svg or .png", "--html": ".html"}[option]
    # There is no such run either: what is wrong with the file is seen first.
    for name, wrong in {
        "a.gif": f"{tmp_path / 'a.gif'}: the name must end in {right}.",
        "a": f"{tmp_path / 'a'}: the name must end in {right}.",
        f"folder{ending}": f"{tmp_path / f'folder{ending}'} is a folder: name a file.",
        f"none/a{ending}": f"{tmp_path / f'none/a{ending}'}: there is no folder {tmp_path / 'none'}.",
    }.items():
        result = called("report", "no such run", option, tmp_path / name)
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {wrong}\n")


def test_the_odds_are_not_counted_for_a_file_that_cannot_be(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    counted = []

    def few(cards: int, **_: Any) -> Odds:
        counted.append(cards)
        return Odds(cards, (1, 2, 3), None)

    monkeypatch.setattr(ginsim.odds, "distribution", few)
    result = called("odds", "--plot", tmp_path / "odds.pdf")
    assert (result.exit_code, result.stdout, counted) == (2, "", [])
    assert called("odds", "--plot", tmp_path / "odds.svg").exit_code == 0
    assert "Counted one by one" in (tmp_path / "odds.svg").read_text()


@pytest.mark.parametrize("option", ["--plot", "--html"])
def test_a_failing_file_leaves_nothing_half_written(
    run: Path, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ginsim.store.files.os, "fsync", full)
    target = tmp_path / {"--plot": "old.png", "--html": "old.html"}[option]
    target.write_text("the old one")
    result = called("report", run, option, target)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {target} could not be written: No space left on device.\n"
    assert [path.read_text() for path in tmp_path.iterdir()] == ["the old one"]


# Other documents


def estimate(value: float, low: float, high: float) -> dict[str, float]:
    return {"n": 500, "count": 5, "estimate": value, "mean": value, "low": low, "high": high}


def difference(variant: str, value: float, half: float, differs: bool, same: bool = False) -> dict[str, Any]:
    bounds = {"difference": value, "low": value - half, "high": value + half}
    test = {"p_adjusted": None if same else 0.001 if differs else 0.25, "differs": differs, "more": None, "test": None}
    return {"variant": variant, **bounds, **test, "same_by_construction": same, "parts": None}


COMPARISON = {
    "schema": "ginsim.comparison/1",
    "ginsim": "0.1.0",
    "command": "ginsim compare --vary gin_bonus=20,25,30 --hands 500 --seed 1",
    "unit": "hands",
    "count": 500,
    "seed": 1,
    "level": 0.95,
    "until": None,
    "factors": {"gin_bonus": ["20", "25", "30"]},
    "reference": "20",
    "variants": [{"name": name} for name in ("20", "25", "30")],
    "statistics": [
        {
            "name": name,
            "kind": kind,
            "of": "all hands",
            "variants": [{"variant": variant, **estimate(0.25, 0.2, 0.3)} for variant in ("20", "25", "30")],
            "differences": differences,
        }
        for name, kind, differences in (
            ("knock_rate", "rate", [difference("25", 0.0, 0.0, False, True), difference("30", 0.0, 0.0, False, True)]),
            ("draws", "mean", [difference("25", 0.5, 0.25, True), difference("30", -1.0, 1.5, False)]),
            ("gin_rate", "rate", [difference("25", 0.02, 0.005, True), difference("30", -0.04, 0.0123, True)]),
        )
    ],
}

KNOCKS = {
    "schema": "ginsim.knock-chart/1",
    "ginsim": "0.1.0",
    "command": "ginsim knock-chart --vary undercut_bonus=10,25 --seed 1",
    "seed": 1,
    "hands": 1000,
    "players": [{"seat": seat, "strategy": "simple"} for seat in "AB"],
    "least": 100,
    "level": 0.95,
    "unit": "points",
    "scores": None,
    "charts": [
        {
            "rules": "gin",
            "vary": {"undercut_bonus": 10},
            "limit": 4,
            "cells": [
                {"draws": draws, "deadwood": deadwood, "n": 200, "value": value, "low": low, "high": high, "verdict": verdict}
                for draws, deadwood, value, low, high, verdict in (
                    (5, 4, 12.5, 11.0, 14.0, "knock"),
                    (5, 3, 1.5, 0.5, 2.5, "knock"),
                    (7, 4, -6.0, -8.0, -4.0, "play on"),
                    (7, 2, 0.5, -0.5, 1.5, "open"),
                    (8, 1, None, None, None, None),
                )
            ],
        },
        {"rules": "gin", "vary": {"undercut_bonus": 25}, "limit": 4, "cells": []},
    ],
}


def tournament(seats: int = 2) -> dict[str, Any]:
    won = {"a": (0.7, 0.65, 0.75), "b": (0.5, 0.45, 0.55), "c": (0.3, 0.25, 0.35)}
    beats = {("a", "b"): (0.61, 0.55, 0.67), ("a", "c"): (1.0, 0.98, 1.0), ("b", "c"): (0.52, 0.46, 0.58)}
    beats |= {(two, one): (1 - value, 1 - high, 1 - low) for (one, two), (value, low, high) in beats.items()}
    return {
        "schema": "ginsim.tournament/1",
        "ginsim": "0.1.0",
        "command": "ginsim tournament a b c --seed 1",
        "rules": "gin",
        "seed": 1,
        "level": 0.95,
        "pairs": 100,
        "matches": 600,
        "hands": 6000,
        "players": [
            {
                "strategy": name,
                "matches": 400,
                "won": estimate(*won[name]),
                "points_a_hand": estimate(*won[name]),
                "rating": None if name == "c" else {"elo": estimate(*(100 * each for each in won[name]))},
            }
            for name in "abc"
        ],
        "cross": [{"player": one, "against": two, "won": estimate(*figures)} for (one, two), figures in beats.items()],
        "meetings": [{"players": list("abc")[:seats]}],
    }


def test_a_comparison_shows_how_far_each_variant_is_from_the_reference() -> None:
    found = {picture.name: picture for picture in pictures(COMPARISON)}
    assert list(found) == ["gin_rate", "draws"], "what people ask for comes first, and what cannot differ not at all"
    said = marks(svg := ElementTree.fromstring(to_svg(found["gin_rate"])))
    assert list(said) == ["25: +2.00 pp ± 0.50", "30: -4.00 pp ± 1.23"]
    assert [mark.get("fill") for mark in said.values()] == [COLOURS["one"], COLOURS["two"]]
    (rule,) = [each for each in svg.iter() if "mark-rule role-mark layer_0" in each.get("class", "")]
    places = [float(PLACE.match(each.get("transform", ""))[1]) for each in (*rule, *said.values())]  # type: ignore[index]
    assert (places[2] - places[0]) / (places[1] - places[0]) == pytest.approx(-2), "the line across is at no difference"
    caption = "20, the reference: 25.00 % (20.00 – 30.00) of all hands. 30 is furthest from it, -4.00 pp ± 1.23. 2 of 2 differ."
    assert found["gin_rate"].caption == caption
    open_ = ElementTree.fromstring(to_svg(found["draws"]))
    assert {said: mark.get("fill") for said, mark in marks(open_).items()} == {
        "25: +0.50 ± 0.25": COLOURS["one"],
        "30: -1.00 ± 1.50": COLOURS["draw"],
    }
    assert found["draws"].caption.endswith("1 of 2 differ; grey ones are open.")
    assert found["draws"].head[-2:] == ("p, adjusted", "differs")
    assert [line[-2:] for line in found["draws"].lines] == [("", ""), ("0.0010", "yes"), ("0.25", "open")]


def test_a_knock_chart_is_coloured_by_what_is_worth_more_and_grey_where_it_is_open() -> None:
    (picture,) = pictures(KNOCKS)
    svg = ElementTree.fromstring(to_svg(picture))
    found = marks(svg)
    assert {said: mark.get("fill") for said, mark in found.items()} == {
        "4 after 5 draws: +12.50, knock": COLOURS["more_4"],
        "3 after 5 draws: +1.50, knock": COLOURS["more_1"],
        "4 after 7 draws: -6.00, play on": COLOURS["less_3"],
        "2 after 7 draws: +0.50, open": COLOURS["even"],
    }
    cells = [bar(mark) for mark in found.values()]
    assert cells[0][0] == cells[2][0] > cells[1][0] > cells[3][0], "more deadwood is further to the right"
    assert cells[0][1] == cells[1][1]
    assert cells[2][1] - cells[0][1] == pytest.approx(2 * cells[0][3]), "a row for each number of draws, also where none is known"
    assert {"+12", "+1.5", "-6.0", "+0.5", "knock", "play on", "open"} <= set(texts(svg))
    assert (
        "Of 4 cells with 100 decisions or more, knocking is worth more in 2, playing on is worth more in 1, and 1 are open."
        in (picture.caption)
    )
    assert "Knocking is worth most with 4 after 5 draws by both: 12.5 ± 1.5 points." in picture.caption


def test_a_knock_chart_from_a_score_is_in_games_in_a_hundred() -> None:
    cell = {"draws": 5, "deadwood": 3, "n": 200, "value": 0.031, "low": 0.01, "high": 0.052, "verdict": "knock"}
    (picture,) = pictures({**KNOCKS, "unit": "games", "scores": [60, 85], "charts": [{**KNOCKS["charts"][0], "cells": [cell]}]})
    ((said, mark),) = marks(ElementTree.fromstring(to_svg(picture))).items()
    assert (said, mark.get("fill")) == ("3 after 5 draws: +3.10, knock", COLOURS["more_2"])
    assert "3.1 ± 2.1 games won in a hundred" in picture.caption


def test_a_tournament_shows_standings_and_who_beats_whom() -> None:
    found = {picture.name: picture for picture in pictures(tournament())}
    assert list(found) == ["won", "rating", "points", "cross"]
    assert list(marks(ElementTree.fromstring(to_svg(found["won"])))) == [
        "a: 70.00 % (65.00 – 75.00)",
        "b: 50.00 % (45.00 – 55.00)",
        "c: 30.00 % (25.00 – 35.00)",
    ]
    assert "Its interval lies above that of the next, b." in found["won"].caption
    assert "there are 20 Elo points" in found["rating"].caption and "No rating" in found["rating"].caption
    svg = ElementTree.fromstring(to_svg(found["cross"]))
    cells = {said: (mark.get("fill"), *bar(mark)[:2]) for said, mark in marks(svg).items()}
    assert {said: colour for said, (colour, *_) in cells.items()} == {
        "a v b: 61.00 %": COLOURS["more_3"],
        "a v c: 100.00 %": COLOURS["more_4"],
        "b v c: 52.00 %": COLOURS["even"],
        "b v a: 39.00 %": COLOURS["less_3"],
        "c v a: 0.00 %": COLOURS["less_4"],
        "c v b: 48.00 %": COLOURS["even"],
    }
    assert cells["a v b: 61.00 %"][2] == cells["a v c: 100.00 %"][2] < cells["b v a: 39.00 %"][2], "rows from the strongest down"
    assert cells["a v b: 61.00 %"][1] == cells["c v b: 48.00 %"][1] > cells["b v a: 39.00 %"][1]


def test_among_three_an_equal_share_is_a_third() -> None:
    svg = ElementTree.fromstring(to_svg(pictures(tournament(3))[0]))
    lines = [line for group in svg.iter() if "mark-rule role-mark" in group.get("class", "") for line in group]
    across, *intervals = [float(PLACE.match(line.get("transform", ""))[1]) for line in lines]  # type: ignore[index]
    scale = float(lines[1].get("x2", "")) / 10
    assert across == pytest.approx(intervals[0] - scale * (65 - 100 / 3))


@pytest.mark.parametrize("document", [COMPARISON, KNOCKS, tournament()], ids=lambda document: document["schema"])
def test_each_document_has_a_sheet(document: dict[str, Any], tmp_path: Path) -> None:
    save(document, tmp_path / "all.svg")
    svg = ElementTree.parse(tmp_path / "all.svg").getroot()
    words = " ".join(" ".join(texts(svg)).split())
    assert document["command"] in words
    for picture in pictures(document):
        assert picture.title in words
        assert {len(line) for line in picture.lines} == {len(picture.head)}
    used = {each.get(key) for each in svg.iter() for key in ("fill", "stroke")}
    assert used - {None, "none", "transparent"} <= set(COLOURS.values())
