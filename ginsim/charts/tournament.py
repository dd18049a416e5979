"""Pictures of a tournament: who is how strong, and who beats whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ginsim.charts import drawing
from ginsim.charts.drawing import Cell, Picture, of_mean, of_rate
from ginsim.report import figures
from ginsim.report.contents import shortened
from ginsim.report.figures import count

Document = Mapping[str, Any]

BOUNDS = (5, 10, 20)
"""Points of a per cent off half from which on a colour is the next deeper one."""
WORDS = ("row loses more", "open", "row wins more")


def heading(document: Document) -> tuple[str, list[str]]:
    """What was played, and the command that repeats it."""
    played = f"{count(document['matches'])} matches ({count(document['hands'])} hands) · rules {document['rules']}"
    title = f"A tournament of {len(document['players'])} players"
    return title, [f"{played} · seed {document['seed']} · ginsim {document['ginsim']}", document["command"]]


def pictures(document: Document) -> list[Picture]:
    """Standings by matches won, by rating and by points a hand, and who beats whom."""
    return [_won(document), *_ratings(document), *_points(document), *_cross(document)]


def _won(document: Document) -> Picture:
    players, seats = document["players"], len(document["meetings"][0]["players"])
    rows = [of_rate(shortened(player["strategy"]), player["won"]) for player in players]
    best = players[0]
    lead = f"{best['strategy']} wins most: {rows[0].text} of its matches."
    if len(players) > 1:
        second = players[1]
        apart = best["won"]["low"] > second["won"]["high"]
        lead += f" Its interval {'lies above' if apart else 'overlaps'} that of the next, {second['strategy']}."
    over = f"{_level(document)}, over {count(document['pairs'])} {_times(seats)} each"
    caption = f"{lead} The line across is an equal share; intervals are {over}."
    draw = partial(drawing.intervals, rows, "% of matches won", even=100 / seats)
    lines = tuple((player["strategy"], count(player["matches"]), *_cells(figures.rate(player["won"]))) for player in players)
    return Picture("won", "Matches won", caption, draw, ("", "matches", "won", f"{_level(document)} interval"), lines)


def _ratings(document: Document) -> Iterator[Picture]:
    rated = [player for player in document["players"] if player["rating"] is not None]
    if len(rated) < 2:
        return
    elo = {player["strategy"]: player["rating"]["elo"] for player in rated}
    rows = [of_mean(shortened(name), values) for name, values in elo.items()]
    best, *_, last = elo
    caption = (
        f"From {best} to {last} there are {elo[best]['mean'] - elo[last]['mean']:,.0f} Elo points; 400 are odds of ten to one. "
        "The mean of all rated players is 0."
    )
    unrated = [player["strategy"] for player in document["players"] if player["rating"] is None]
    if unrated:
        caption += f" No rating, for want of wins or losses against the others: {', '.join(unrated)}."
    draw = partial(drawing.intervals, rows, "Elo points", unit="", even=0)
    lines = tuple((name, *_cells(figures.mean(values))) for name, values in elo.items())
    yield Picture("rating", "Rating", caption, draw, ("", "Elo points", f"{_level(document)} interval"), lines)


def _points(document: Document) -> Iterator[Picture]:
    found = {player["strategy"]: player["points_a_hand"] for player in document["players"] if player["points_a_hand"]}
    if not found:
        return
    rows = [of_mean(shortened(name), values) for name, values in found.items()]
    best = max(found, key=lambda name: found[name]["mean"])
    others = "the mean of the other two's" if len(document["meetings"][0]["players"]) == 3 else "the other's"
    caption = f"Own points less {others}, over all hands: {best} gains most, {_told(figures.mean(found[best]))} a hand."
    draw = partial(drawing.intervals, rows, "points a hand", unit="", even=0)
    lines = tuple((name, *_cells(figures.mean(values))) for name, values in found.items())
    yield Picture("points", "Points a hand", caption, draw, ("", "points", f"{_level(document)} interval"), lines)


def _cross(document: Document) -> Iterator[Picture]:
    names = [player["strategy"] for player in document["players"]]
    cross = [cell for cell in document["cross"] if cell["won"]["estimate"] is not None]
    if len(names) < 3 or not cross:
        return
    cells = []
    for cell in cross:
        estimate, low, high = (100 * cell["won"][key] for key in ("estimate", "low", "high"))
        cells.append(
            Cell(
                shortened(cell["against"]),
                shortened(cell["player"]),
                drawing.step_of(estimate, low, high, 50, BOUNDS),
                f"{estimate:.0f}" if estimate >= 99.95 else f"{estimate:.1f}",
                f"{cell['player']} v {cell['against']}: {figures.rate(cell['won']).estimate}",
            )
        )
    top = max(cross, key=lambda cell: cell["won"]["estimate"])
    caption = (
        "Per cent won by the row's player of what he or the column's won. "
        f"The clearest: {top['player']} against {top['against']}, {_told(figures.rate(top['won']))}. "
        "Grey: the interval holds 50 %."
    )
    places = list(map(shortened, names))
    draw = partial(drawing.heat, cells, places, places, titles=(None, None), words=WORDS)
    lines = tuple((cell["player"], cell["against"], *_cells(figures.rate(cell["won"]))) for cell in cross)
    yield Picture("cross", "Who beats whom", caption, draw, ("", "against", "won", f"{_level(document)} interval"), lines)


def _cells(figure: figures.Figure) -> tuple[str, str]:
    return figure.estimate, figure.interval()


def _told(figure: figures.Figure) -> str:
    return f"{figure.estimate} {figure.interval()}".rstrip()


def _times(seats: int) -> str:
    return "times all six seatings" if seats == 3 else "mirrored pairs"


def _level(document: Document) -> str:
    return f"{100 * document['level']:g} %"
