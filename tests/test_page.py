"""The page of a report: whole in itself, right in every number, and pleasant in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import browser
import pytest
from commands import called
from test_charts import COMPARISON, difference

import ginsim
from ginsim.charts import pictures
from ginsim.errors import UsageError
from ginsim.page import to_html
from ginsim.report.layout import NO_BREAK
from ginsim.rules import FIELDS

VOID = {"meta", "link", "br", "hr", "img", "input"}
WIDTHS = (360, 1280)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which everything of a series happens, with two different players."""
    folder = tmp_path_factory.mktemp("runs") / "series"
    ginsim.simulate("hollywood", matches=120, seed=5, strategies=["simple", "simple:knock=0"], mirror=True, out=folder)
    return folder


@pytest.fixture(scope="module")
def report(run: Path) -> dict[str, Any]:
    return json.loads(called("report", run, "--format", "json").stdout)


@pytest.fixture(scope="module")
def page(run: Path) -> Path:
    target = run.parent / "series.html"
    result = called("report", run, "--html", target)
    assert (result.exit_code, result.stderr) == (0, "")
    return target


class Reading(HTMLParser):
    """What is in a page: elements with their attributes, exact numbers with their texts, and the rows of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.numbers: list[tuple[str, float]] = []
        self.rows: list[list[str]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open, "left open"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self._open, f"<{tag}/> is no HTML"
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            return
        self.text += data
        if "td" in self._open or "th" in self._open:
            self.rows[-1][-1] += data
        if self._open and self._open[-1] == "data":
            self.numbers.append((data, float(self.elements[-1][1]["value"] or "")))


@pytest.fixture(scope="module")
def reading(page: Path) -> Reading:
    return Reading(page.read_text(encoding="utf-8"))


# What stands there


def test_it_holds_all_it_shows_and_refers_to_nothing(page: Path, reading: Reading) -> None:
    assert page.read_text(encoding="utf-8").startswith('<!DOCTYPE html>\n<html lang="en">\n')
    assert not {tag for tag, _ in reading.elements} & {
        "script",
        "img",
        "iframe",
        "object",
        "embed",
        "base",
        "form",
        "a",
        "image",
        "use",
    }
    for tag, attributes in reading.elements:
        assert not [name for name in attributes if name in ("src", "srcset", "style", "xlink:href") or name.startswith("on")], tag
        assert attributes.get("href") in (None, "data:,")
    source = page.read_text(encoding="utf-8")
    assert not re.search(r"https?:|url\(|@import|//[a-z]", source)


def test_names_are_unique_and_what_is_referred_to_is_there(reading: Reading) -> None:
    ids = [attributes["id"] for _, attributes in reading.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for _, attributes in reading.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert attributes.get(name, ids[0]) in ids


def test_every_number_is_written_as_exact_as_it_looks(reading: Reading) -> None:
    assert len(reading.numbers) > 200
    for text, value in reading.numbers:
        shown = text.removesuffix(" %").replace(",", "")
        half = 0.5 * 10 ** -len(shown.partition(".")[2]) + 1e-9
        # The bounds of a rate are in per cent as well, without saying it.
        assert abs(float(shown) - 100 * value) <= half or (abs(float(shown) - value) <= half and "%" not in text), (text, value)


def test_every_figure_of_the_json_report_is_on_the_page(report: dict[str, Any], reading: Reading) -> None:
    there = {value for _, value in reading.numbers}
    rates = {
        name: rate
        for name, rate in report["rates"].items()
        if rate["count"] or name in ("knock_rate", "undercut_rate", "gin_rate", "draw_rate")
    }
    assert rates.keys() >= {
        "gin_rate",
        "gin_of_decided",
        "undercut_of_knocks",
        "match_won_a_share",
        "game_2_won_b_share",
        "sweeps",
    }
    for name, rate in rates.items():
        assert {rate["estimate"], rate["low"], rate["high"]} <= there, name
    for name, values in report["distributions"].items():
        if values["n"]:
            shown = [values[key] for key in ("n", "mean", "low", "high", "sd", "min", "max")]
            assert {*shown, *values["quantiles"].values()} <= there, name


def test_each_ending_stands_in_its_row_as_in_the_json_report(report: dict[str, Any], reading: Reading) -> None:
    for name, label in {"knock": "knock", "undercut": "undercut", "gin": "gin", "draw": "draw (stock out)"}.items():
        rate = report["rates"][f"{name}_rate"]
        row = next(row for row in reading.rows if row[:2] == [label, f"{rate['count']:,}"] and "hands" not in row[2])
        estimate, low, high = (f"{100 * rate[key]:.2f}" for key in ("estimate", "low", "high"))
        assert row[2] == f"{estimate} % ({low} – {high})"


def test_it_says_what_was_played_in_full(report: dict[str, Any], reading: Reading) -> None:
    rules = {row[0]: row[1:] for row in reading.rows if row and row[0] in report["plan"]["rules"]}
    assert rules.keys() == report["plan"]["rules"].keys()
    for name, value in report["plan"]["rules"].items():
        assert rules[name][0] == ("false" if value is None else str(value).lower())
        assert rules[name][1] == f"{FIELDS[name].meaning} {FIELDS[name].rule}"
    for words in (
        report["command"],
        report["hash"],
        str(report["seed"]),
        f"ginsim {report['ginsim']}",
        "120 matches",
        "simple:knock=0",
    ):
        assert words in reading.text
    assert ["B", "simple:knock=0", "simple:knock=0 plays for gin only", "1", "knock 0"] in reading.rows


def test_every_picture_has_its_caption_its_words_and_its_numbers(report: dict[str, Any], reading: Reading) -> None:
    text = reading.text.replace("\N{NO-BREAK SPACE}", " ")
    drawings = [attributes for tag, attributes in reading.elements if tag == "svg"]
    found = pictures(report)
    assert len(drawings) == len(found) > 8
    for picture, drawing in zip(found, drawings, strict=True):
        assert (drawing["role"], drawing["aria-labelledby"]) == ("img", f"{picture.name}-title")
        # Once for all to read, once for those who do not see the drawing.
        assert text.count(picture.caption) == 2
        for line in picture.lines:
            assert list(line) in reading.rows


def test_what_a_user_names_is_text(report: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    # As many as show a player's name.
    monkeypatch.setattr("ginsim.page.pictures", lambda document: pictures(document)[2:3])
    evil = "<script>alert('1 & 2')</script>"
    players = [{**player, "strategy": evil, "describes": evil} for player in report["players"]]
    text = to_html({**report, "rules": evil, "command": evil, "players": players})
    assert "<script" not in text
    assert Reading(text).text.count(evil) >= 6


def test_the_same_run_gives_the_same_page(run: Path, page: Path, tmp_path: Path) -> None:
    ginsim.open_run(run).write_html(tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_a_run_without_a_hand_has_a_page_without_pictures(run: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "plan.json").write_bytes((run / "plan.json").read_bytes())
    assert called("report", tmp_path / "run", "--html", tmp_path / "none.html").exit_code == 0
    reading = Reading((tmp_path / "none.html").read_text(encoding="utf-8"))
    assert "svg" not in {tag for tag, _ in reading.elements}
    assert "n/a" in reading.text


def test_a_comparison_has_a_page_with_every_figure_and_its_difference(report: dict[str, Any]) -> None:
    plans = [report["plan"], {**report["plan"], "rules": {**report["plan"]["rules"], "gin_bonus": 20}}]
    variants = [
        {
            "name": name,
            "rules": "hollywood",
            "players": report["players"],
            "how": "played",
            "hands": 500,
            "command": "again",
            "plan": plan,
        }
        for name, plan in zip(("20", "25"), plans, strict=True)
    ]
    parts = {"price": difference("25", 0.125, 0.05, False), "adapting": difference("25", -0.625, 0.05, False)}
    document = COMPARISON | {
        "mirror": False,
        "variants": variants,
        "family": {"level": 0.05, "method": "Holm", "comparisons": 4, "significant": 2, "open": 1},
        "explanations": ["All were <played>."],
        "notes": [],
        "warnings": ["Too few."],
    }
    shown = [
        {**each, "variants": each["variants"][:2], "differences": each["differences"][:1]} for each in document["statistics"]
    ]
    shown[1]["differences"][0]["parts"] = parts
    shown[1]["differences"][0] |= {"more": 1234, "test": [shown[1]["name"], "25"]}
    reading = Reading(to_html({**document, "statistics": shown}))
    rows = {row[0]: row[1:] for row in reading.rows if len(row) == 3}
    assert rows["Gin"] == ["25.00 % (20.00 – 30.00)", f"25.00 % (20.00 – 30.00) +2.00{NO_BREAK}pp{NO_BREAK}±{NO_BREAK}0.50 *"]
    assert rows["Knock"][1].endswith(" =")
    assert rows["the same play, new price"] == ["", f" +0.125{NO_BREAK}±{NO_BREAK}0.050"]
    assert rows["the players adapting"] == ["", f" -0.625{NO_BREAK}±{NO_BREAK}0.050"]
    said = ("All were <played>.", "Too few.", document["command"], "adjustment for 4 comparisons")
    for words in (*said, "Not settled", "draws of cards, 25: 1,300"):
        assert words in reading.text
    rules = {row[0]: row[1:3] for row in reading.rows if len(row) == 4}
    assert rules["gin_bonus"] == ["25", "20"]
    assert sum(tag == "svg" for tag, _ in reading.elements) == 2


def test_no_other_document_has_a_page() -> None:
    with pytest.raises(UsageError, match="there is no page of a document 'ginsim.odds/1'"):
        to_html({"schema": "ginsim.odds/1"})


# In a browser


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Tab]:
    program = browser.found()
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    with browser.tab(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def luminance(colour: str) -> float:
    """Of ``rgb(r, g, b)``, by WCAG 2."""
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("width", WIDTHS)
def test_it_renders_without_an_error_or_a_request_and_nothing_sticks_out(tab: browser.Tab, page: Path, width: int) -> None:
    tab.open(page, width)
    told = [
        event for event in tab.events if event[0] in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
    ]
    assert not told
    asked = [parameters["request"]["url"] for method, parameters in tab.events if method == "Network.requestWillBeSent"]
    assert asked == [page.as_uri()]
    assert tab.evaluate("innerWidth") == width
    assert tab.evaluate("document.scrollingElement.scrollWidth") <= width
    outside = """[...document.querySelectorAll('figure')].flatMap(figure => {
        const room = figure.getBoundingClientRect();
        return [...figure.querySelectorAll('text, figcaption, summary')].filter(part => {
            const box = part.getBoundingClientRect();
            return box.width && (box.left < room.left || box.right > room.right || box.bottom > room.bottom);
        }).map(part => part.textContent);
    })"""
    assert tab.evaluate(outside) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_words_in_drawings_are_large_enough_and_clear_of_each_other(tab: browser.Tab, page: Path, width: int) -> None:
    tab.open(page, width)
    drawings = tab.evaluate("""[...document.querySelectorAll('.drawing')].map(drawing =>
        [...drawing.querySelectorAll('text:not([opacity="0"])')].map(text => {
            const box = text.getBoundingClientRect();
            return [text.textContent, box.left, box.top, box.right, box.bottom, parseFloat(getComputedStyle(text).fontSize)
                * drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width];
        }))""")
    assert len(drawings) > 8
    for words in drawings:
        assert min(size for *_, size in words) >= 9
        for one, other in combinations(words, 2):
            across = min(one[3], other[3]) - max(one[1], other[1])
            down = min(one[4], other[4]) - max(one[2], other[2])
            # Boxes are as high as a line of text, which is more than its letters.
            assert across <= 1 or down <= 4, (one[0], other[0])


@pytest.mark.parametrize("dark", [False, True])
def test_everything_is_readable_in_light_and_dark(tab: browser.Tab, page: Path, dark: bool) -> None:
    tab.open(page, 1280, dark=dark)
    desk, paper = tab.evaluate("['body', 'figure'].map(each => getComputedStyle(document.querySelector(each)).backgroundColor)")
    assert luminance(desk) < 0.05 if dark else luminance(desk) > 0.8
    for name, behind in {
        "h1": desk,
        ".note": desk,
        "figcaption p": paper,
        "td": paper,
        ".interval": paper,
        "summary": paper,
    }.items():
        colour = tab.evaluate(f"getComputedStyle(document.querySelector('{name}')).color")
        assert contrast(colour, behind) >= 4.5, name
    words = tab.evaluate("[...new Set([...document.querySelectorAll('.drawing text')].map(text => getComputedStyle(text).fill))]")
    assert words and min(contrast(colour, paper) for colour in words) >= 4.5
    marks = tab.evaluate(
        """[...new Set([...document.querySelectorAll('.drawing [role="graphics-symbol"]:not(g)')]
        .map(mark => getComputedStyle(mark).fill).filter(fill => fill.startsWith('rgb(')))]"""
    )
    assert len(marks) >= 4
    assert min(contrast(colour, paper) for colour in marks) >= 3


def test_every_colour_of_the_drawings_changes_in_the_dark_and_back_on_paper(tab: browser.Tab, page: Path) -> None:
    colours = """[...document.querySelectorAll('.drawing [fill^="#"], .drawing [stroke^="#"]')].map(each =>
        [getComputedStyle(each).fill, getComputedStyle(each).stroke].join())"""
    tab.open(page, 1280)
    light = tab.evaluate(colours)
    tab.open(page, 1280, dark=True)
    dark = tab.evaluate(colours)
    assert len(light) == len(dark) > 500
    assert all(one != other for one, other in zip(light, dark, strict=True))
    tab.open(page, 1280, dark=True, media="print")
    assert tab.evaluate(colours) == light
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_a_browser_reads_the_numbers_of_the_json_report(tab: browser.Tab, page: Path, report: dict[str, Any]) -> None:
    tab.open(page, 360)
    numbers = "[...document.querySelectorAll('.tiles data')].map(each => Number(each.value))"
    found = tab.evaluate(numbers)
    tiles = [found[first : first + 3] for first in range(0, len(found), 3)]
    rates = [report["rates"][f"{name}_rate"] for name in ("knock", "undercut", "gin", "draw")]
    assert tiles == [[rate["estimate"], rate["low"], rate["high"]] for rate in rates]
    shown = tab.evaluate("[...document.querySelectorAll('.tiles .large')].map(each => each.innerText)")
    assert shown == [f"{100 * rate['estimate']:.2f} %" for rate in rates]
    seen = set(
        tab.evaluate(
            "[...document.querySelectorAll('table data')].filter(each => each.offsetWidth).map(each => Number(each.value))"
        )
    )
    for rate in (report["rates"][name] for name in ("match_won_a_share", "first_player_share", "pile_share", "sweeps")):
        assert {rate[key] for key in ("count", "estimate", "low", "high")} <= seen


def test_each_drawing_is_a_picture_with_name_and_words_to_those_who_do_not_see_it(
    tab: browser.Tab, page: Path, report: dict[str, Any]
) -> None:
    tab.open(page, 1280)
    nodes = tab("Accessibility.getFullAXTree")["nodes"]
    images = [node for node in nodes if node.get("role", {}).get("value") == "image"]
    assert [node["name"]["value"] for node in images] == [picture.title for picture in pictures(report)]
    for node, picture in zip(images, pictures(report), strict=True):
        assert node["description"]["value"].startswith(picture.caption)
