"""Pictures of when to knock: a coloured table for each rule set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ginsim.charts import drawing
from ginsim.charts.drawing import Cell, Picture
from ginsim.report.figures import count

Values = Mapping[str, Any]

BOUNDS = (2, 5, 10)
"""Points of the hand, or games in a hundred, from which on a colour is the next deeper one."""
_WHAT = {"knock": "knocking", "play on": "playing on"}
WORDS = ("play on", "open", "knock")


def heading(document: Values) -> tuple[str, list[str]]:
    """What was asked, of whom, and the command that repeats it."""
    scores = document["scores"]
    title = "When to knock" + (f" at {scores[0]} to {scores[1]}" if scores else "")
    who = " v ".join(player["strategy"] for player in document["players"])
    played = f"{count(document['hands'])} {'games' if scores else 'hands'} of each · {who} · seed {document['seed']}"
    return title, [f"{played} · ginsim {document['ginsim']}", document["command"]]


def pictures(document: Values) -> list[Picture]:
    """A coloured table for each rule set; none where all cells have too few decisions."""
    return [
        _picture(number, chart, document)
        for number, chart in enumerate(document["charts"], 1)
        if any(cell["value"] is not None for cell in chart["cells"])
    ]


def _picture(number: int, chart: Values, document: Values) -> Picture:
    cells = [cell for cell in chart["cells"] if cell["value"] is not None]
    unit, scale = ("games won in a hundred", 100) if document["unit"] == "games" else ("points", 1)
    settled = {verdict: [cell for cell in cells if cell["verdict"] == verdict] for verdict in ("knock", "play on")}
    told = [f"{_WHAT[verdict]} is worth more in {count(len(found))}" for verdict, found in settled.items()]
    open_ = count(len(cells) - sum(map(len, settled.values())))
    most = [_most(verdict, found, scale, unit) for verdict, found in settled.items() if found]
    caption = (
        f"Knocking now less playing on, in {unit}. "
        f"Of {count(len(cells))} cells with {count(document['least'])} decisions or more, {', '.join(told)}, and {open_} are "
        f"open. {' '.join(most)}"
    ).rstrip()
    name = ", ".join(f"{field} {str(value).lower()}" for field, value in chart["vary"].items()) or f"rules {chart['rules']}"
    lines = tuple(
        (
            str(cell["draws"]),
            str(cell["deadwood"]),
            count(cell["n"]),
            f"{scale * cell['value']:+.2f}",
            f"({scale * cell['low']:+.2f} – {scale * cell['high']:+.2f})",
            cell["verdict"],
        )
        for cell in cells
    )
    head = ("draws", "deadwood", "decisions", unit, f"{100 * document['level']:g} % interval", "verdict")
    return Picture(
        f"knock_{number}", f"When to knock: {name}", caption, partial(_table, cells, chart["limit"], scale), head, lines
    )


def _most(verdict: str, cells: Sequence[Values], scale: float, unit: str) -> str:
    cell = max(cells, key=lambda cell: abs(cell["value"]))
    half = scale * (cell["high"] - cell["low"]) / 2
    return (
        f"{_WHAT[verdict].capitalize()} is worth most with {cell['deadwood']} after {cell['draws']} draws by both: "
        f"{scale * abs(cell['value']):.1f} ± {half:.1f} {unit}."
    )


def _table(cells: Sequence[Values], limit: int, scale: float) -> Any:
    drawn = [
        Cell(
            cell["deadwood"],
            cell["draws"],
            drawing.step_of(scale * cell["value"], cell["low"], cell["high"], 0, BOUNDS),
            _short(scale * cell["value"]),
            f"{cell['deadwood']} after {cell['draws']} draws: {scale * cell['value']:+.2f}, {cell['verdict']}",
        )
        for cell in cells
    ]
    draws = [cell["draws"] for cell in cells]
    down = list(range(min(draws), max(draws) + 1))
    return drawing.heat(drawn, list(range(limit + 1)), down, titles=("deadwood", "draws of cards by both so far"), words=WORDS)


def _short(value: float) -> str:
    """At most four characters: a cell has no room for more."""
    # Adding zero turns a negative zero that rounding left into a plain one.
    return f"{value:+.0f}" if abs(value) >= 9.95 else f"{round(value, 1) + 0.0:+.1f}"
