"""Pictures of the report of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from ginsim.charts import drawing
from ginsim.charts.drawing import Interval, Picture, of_rate
from ginsim.records import DECIDED
from ginsim.report import figures
from ginsim.report.contents import ENDING_LABELS, endings_shown, seat_names
from ginsim.report.contents import heading as report_heading
from ginsim.report.figures import count

Document = Mapping[str, Any]
Values = Mapping[str, Any]

MOST_OF_ALL = 0.5
"""From this rate on, an ending makes bars of the others that are too short to read."""


def heading(document: Document) -> tuple[str, list[str]]:
    """What was played, and the command that repeats it."""
    first, *rest = report_heading(document)
    return first, [" · ".join(rest), document["command"]]


def pictures(document: Document) -> list[Picture]:
    """The endings, who wins, deadwood, length and points of hands, then games and matches."""
    if not document["hands"]:
        return []
    found = [_endings(document), *_rarer_endings(document), *_winners(document)]
    found += [*_knockers(document), *_defenders(document), _length(document), *_points(document)]
    if document["matches"]:
        found += [*_matches(document), *_series(document), *_lengths(document), *_margin(document)]
    return found


def _endings(document: Document) -> Picture:
    rates, shown = document["rates"], _ending_rows(document)
    told = [
        f"{figures.rate(rates[f'{name}_rate']).estimate} {_ends_as(name)}" for name in shown if rates[f"{name}_rate"]["count"]
    ]
    lines = f"In brackets, and as lines on the ends: {_level(document)} intervals."
    caption = f"Of {count(document['hands'])} hands {_listed(told)}. {lines}"
    names = [f"{name}_rate" for name in shown]
    return _rate_picture("endings", "How hands end", caption, document, names, list(shown.values()), drawing.bars)


def _rarer_endings(document: Document) -> Iterator[Picture]:
    shown = _ending_rows(document)
    often = max(shown, key=lambda name: shown[name].estimate)
    rarer = {name: row for name, row in shown.items() if name != often and document["rates"][f"{name}_rate"]["count"]}
    if document["rates"][f"{often}_rate"]["estimate"] < MOST_OF_ALL or not rarer:
        return
    one_in = [
        f"{ENDING_LABELS[name].partition(' (')[0]} once in {1 / document['rates'][f'{name}_rate']['estimate']:,.0f} hands"
        for name in sorted(rarer, key=lambda name: -rarer[name].estimate)
    ]
    caption = f"All but the {often.replace('_', ' ')}s, closer up: {', '.join(one_in)}. Lines are {_level(document)} intervals."
    chart = partial(drawing.intervals, title="% of all hands")
    names = [f"{name}_rate" for name in rarer]
    yield _rate_picture("rarer_endings", "The rarer endings, closer up", caption, document, names, list(rarer.values()), chart)


def _winners(document: Document) -> Iterator[Picture]:
    rates = document["rates"]
    if not document["decided_hands"]:
        return
    three = "box_share" in rates
    labels = {"box_share": "box", "first_player_share": "captain"} if three else {"first_player_share": "first player"}
    labels |= {f"seat_{seat}_share": name for seat, name in seat_names(document).items() if three or seat == "a"}
    rows = [of_rate(label, rates[name], "two" if name.startswith("seat") else "one") for name, label in labels.items()]
    first = "box_share" if three else "first_player_share"
    told = [_edge(rates[first], "The box" if three else "The first player", "decided hands")]
    if len({player["strategy"] for player in document["players"]}) > 1 and not three:
        told.append(_edge(rates["seat_a_share"], labels["seat_a_share"], "them"))
    chart = partial(drawing.intervals, title="% of decided hands won", even=50)
    yield _rate_picture("winners", "Who wins hands", " ".join(told), document, list(labels), rows, chart)


def _knockers(document: Document) -> Iterator[Picture]:
    values = document["distributions"]["knocker_deadwood"]
    if not values["n"]:
        return
    often, number = max(values["histogram"].items(), key=lambda item: item[1])
    caption = (
        f"Half of the knocks are made with {count(values['quantiles']['50'])} or less deadwood; {often} comes most often "
        f"({_share(number, values['n'])}). On average {_mean(values)}, over {count(values['n'])} knocks short of gin."
    )
    yield _histogram("knocker_deadwood", "Deadwood at the knock", caption, "knocker's deadwood", "knock", values)


def _defenders(document: Document) -> Iterator[Picture]:
    before, after = (document["distributions"][name] for name in ("defender_deadwood", "defender_deadwood_after"))
    if not after["n"]:
        return
    laid_off = document["distributions"]["laid_off"]
    nothing = laid_off["histogram"].get("0", 0)
    caption = (
        f"Laying off lowers the defender's deadwood from {_mean(before)} to {_mean(after)} points on average. "
        f"In {_share(nothing, laid_off['n'])} of knocks short of gin nothing is laid off."
    )
    parts = {"before laying off": before["histogram"], "after": after["histogram"]}
    chart = partial(drawing.curves, parts, "defender's deadwood", "knocks short of gin")
    lines = [
        (label, value, count(number), _share(number, before["n"]))
        for label, part in parts.items()
        for value, number in part.items()
    ]
    head = ("", "deadwood", "knocks", "share")
    yield Picture("defender_deadwood", "What the defender is left with", caption, chart, head, tuple(lines))


def _length(document: Document) -> Picture:
    values = document["distributions"]["draws"]
    low, half, high = (count(values["quantiles"][percent]) for percent in ("5", "50", "95"))
    caption = (
        f"Half of the hands are over after {half} draws of cards by both players together, nine in ten take {low} to {high}, "
        f"the longest took {count(values['max'])}. On average {_mean(values)}."
    )
    return _histogram("draws", "Length of a hand", caption, "draws of cards", "one", values)


def _points(document: Document) -> Iterator[Picture]:
    all_of = document["distributions"]
    values = all_of["points"]
    if not values["n"]:
        return
    endings = {name: all_of[f"points_{name}"] for name in DECIDED if all_of[f"points_{name}"]["n"]}
    sums = {name: part["mean"] * part["n"] for name, part in endings.items()}
    # Without a bonus a hand may be worth nothing.
    of_all = {
        name: f", and {_per_cent(total / sum(sums.values()))} of all points" if total else "" for name, total in sums.items()
    }
    told = [f"{_with_article(name)} brings {part['mean']:.1f} on average{of_all[name]}" for name, part in endings.items()]
    half = count(values["quantiles"]["50"])
    caption = f"A decided hand is worth {_mean(values)} points, half of them {half} or less: {'; '.join(told)}."
    parts = {ENDING_LABELS[name]: part["histogram"] for name, part in endings.items()}
    colours = {ENDING_LABELS[name]: name for name in endings}
    draw = partial(drawing.histogram, parts, "winner's points", "decided hands", colours=colours)
    yield Picture("points", "Points of a hand", caption, draw, ("ending", "points", "hands", "share"), _lines(parts, values["n"]))


def _matches(document: Document) -> Iterator[Picture]:
    rates, seats = document["rates"], seat_names(document)
    if not rates["match_won_a_share"]["n"]:
        return
    three = len(seats) == 3
    if three:
        labels = {f"match_won_{seat}_share": name for seat, name in seats.items()}
        even, title = 100 / 3, "% of matches won"
    else:
        games = sorted(name for name in rates if name.startswith("game") and name.endswith("_won_a_share") and rates[name]["n"])
        games.sort(key=lambda name: not name.startswith("games"))
        called = {
            name: "all games" if name.startswith("games") else name.replace("_won_a_share", "").replace("_", " ")
            for name in games
        }
        labels = {"match_won_a_share": "matches", **called}
        even, title = 50, f"% won by {seats['a']}"
    rows = [of_rate(label, rates[name], "two" if name.startswith("match") else "one") for name, label in labels.items()]
    dealer = rates["first_dealer_share"]
    edge = (
        " ".join(f"{name} wins {_told(rates[f'match_won_{seat}_share'])}." for seat, name in seats.items())
        if three
        else _edge(rates["match_won_a_share"], seats["a"], "matches with a winner")
    )
    caption = f"{edge} Who deals first wins {_told(dealer)}."
    chart = partial(drawing.intervals, title=title, even=even)
    yield _rate_picture(
        "matches",
        "Who wins matches" + ("" if three or len(labels) == 1 else " and games"),
        caption,
        document,
        list(labels),
        rows,
        chart,
    )


def _series(document: Document) -> Iterator[Picture]:
    rates = document["rates"]
    labels = {
        "decided_early": "decided before the end",
        "several_games_in_a_hand": "several games in one hand",
        "sweeps": "all games to one player",
    }
    if not all(name in rates and rates[name]["n"] for name in labels):
        return
    early, several, sweeps = (figures.rate(rates[name]).estimate for name in labels)
    caption = (
        f"{early} of {count(document['matches'])} series are decided before their last game has ended, {sweeps} give all games "
        f"to one player, and in {several} one hand ends more than one game. Lines on the ends: {_level(document)} intervals."
    )
    rows = [of_rate(label, rates[name]) for name, label in labels.items()]
    yield _rate_picture("series", "How series go", caption, document, list(labels), rows, drawing.bars)


def _lengths(document: Document) -> Iterator[Picture]:
    all_of = document["distributions"]
    match = all_of["match_hands"]
    if not match["n"]:
        return
    quantiles = match["quantiles"]
    caption = (
        f"Half of the matches take {count(quantiles['50'])} hands or fewer, nine in ten {count(quantiles['5'])} to "
        f"{count(quantiles['95'])}; on average {_mean(match)}."
    )
    games = {name: values for name, values in all_of.items() if name.startswith("game_") and values["n"]}
    if len(games) < 2 or len(games) > len(drawing.SERIES):
        yield _histogram("match_hands", "Hands in a match", caption, "hands", "one", match)
        return
    halves = ", ".join(f"game {name.split('_')[1]} after {count(values['quantiles']['50'])}" for name, values in games.items())
    parts = {f"game {name.split('_')[1]}": values["histogram"] for name, values in games.items()}
    chart = partial(drawing.curves, parts, "hands until it ended", "games that ended")
    lines = tuple(
        (label, value, count(number), _share(number, sum(part.values())))
        for label, part in parts.items()
        for value, number in part.items()
    )
    head = ("game", "hands", "games", "share")
    yield Picture(
        "match_hands", "Hands until each game ends", f"{caption} Half of the games have ended: {halves}.", chart, head, lines
    )


def _margin(document: Document) -> Iterator[Picture]:
    values = document["distributions"]["match_margin"]
    if not values["n"]:
        return
    behind = sum(number for value, number in values["histogram"].items() if int(value) < 0)
    told = f" In {_share(behind, values['n'])} of matches the winner has fewer points than the other." if behind else ""
    half = count(values["quantiles"]["50"])
    caption = f"In half of the matches the winner's total is ahead by {half} or less; on average by {_mean(values)}.{told}"
    yield _histogram("match_margin", "The winner's margin", caption, "points ahead", "one", values)


def _ending_rows(document: Document) -> dict[str, Interval]:
    rates = document["rates"]
    return {name: of_rate(ENDING_LABELS[name], rates[f"{name}_rate"], name) for name in endings_shown(rates)}


def _rate_picture(
    name: str, title: str, caption: str, document: Document, names: list[str], rows: list[Interval], draw: Any
) -> Picture:
    found = [document["rates"][each] for each in names]
    figured = map(figures.rate, found)
    lines = tuple(
        (
            row.label,
            count(values["count"]),
            f"{count(values['n'])} {values['of'].removeprefix('all ')}",
            figure.estimate,
            figure.interval(),
        )
        for row, values, figure in zip(rows, found, figured, strict=True)
    )
    return Picture(name, title, caption, partial(draw, rows), ("", "number", "of", "rate", f"{_level(document)} interval"), lines)


def _histogram(name: str, title: str, caption: str, axis: str, colour: str, values: Values) -> Picture:
    parts = {axis: values["histogram"]}
    of = values["of"]
    chart = partial(drawing.histogram, parts, axis, of, colours={axis: colour}, median=values["quantiles"]["50"])
    lines = tuple(line[1:] for line in _lines(parts, values["n"]))
    return Picture(name, title, caption, chart, (axis, of.removeprefix("all "), "share"), lines)


def _lines(parts: Mapping[str, Mapping[str, int]], n: int) -> tuple[tuple[str, ...], ...]:
    return tuple((row["series"], row["values"], count(row["count"]), _share(row["count"], n)) for row in drawing.binned(parts))


def _edge(values: Values, who: str, of: str) -> str:
    """Who wins how much, and whether that is more or less than half."""
    low, high = values["low"], values["high"]
    if low is None:
        verdict = "too few to say more"
    elif low <= 0.5 <= high:
        verdict = "no edge is shown for either side, as 50 % lies in the interval"
    else:
        verdict = f"{'more' if low > 0.5 else 'less'} than half, and not by chance"
    return f"{who} wins {_told(values)} of {of}: {verdict}."


def _told(values: Values) -> str:
    figure = figures.rate(values)
    return f"{figure.estimate} {figure.interval()}".rstrip()


def _mean(values: Values) -> str:
    figure = figures.mean(values)
    return f"{figure.estimate} {figure.interval()}".rstrip()


def _share(number: int, n: int) -> str:
    return _per_cent(number / n)


def _per_cent(share: float) -> str:
    return figures.rate({"estimate": share, "low": None, "high": None}).estimate


def _with_article(ending: str) -> str:
    return {"knock": "a knock", "undercut": "an undercut"}.get(ending, ENDING_LABELS[ending])


def _ends_as(ending: str) -> str:
    ways = {"draw": "are draws (the stock runs out)", "stopped": "are stopped, having gone on for too long"}
    return ways.get(ending) or f"end with {'a tie' if ending == 'tie' else _with_article(ending)}"


def _listed(parts: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _level(document: Document) -> str:
    return f"{100 * document['level']:g} %"
