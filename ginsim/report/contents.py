"""What stands in a report, in which order and under which words; how it is laid out is the business of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginsim.records import ENDINGS
from ginsim.report.figures import count, duration
from ginsim.report.precision import until_line

Values = Mapping[str, Any]
Document = Mapping[str, Any]

ALWAYS_SHOWN = ("knock", "undercut", "gin", "draw")
"""Endings that all rules have; the others stand in a report only where they happened."""

ENDING_LABELS = {
    **{ending: ending.replace("_", " ") for ending in ENDINGS},
    "draw": "draw (stock out)",
    "stopped": "stopped (too long)",
}
LONGEST_NAME = 28
FEW = 20
"""Fewer events than this, and an interval is rough."""


@dataclass(frozen=True)
class Row:
    """A line of rates: what they count, how many, and the rate for each of the table's headings; None leaves it empty."""

    label: str
    number: int
    rates: tuple[Values | None, ...]


@dataclass(frozen=True)
class RateTable:
    """Rates of one kind. ``unit`` says what the numbers of the rows count, ``headings`` what the rates are shares of."""

    title: str
    unit: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class DistributionTable:
    """Distributions of values that each ``title`` (``Per hand``) has one of, by label."""

    title: str
    rows: tuple[tuple[str, Values], ...]


def heading(document: Document) -> list[str]:
    """What was played, in pieces that belong on one line."""
    hands, matches, pairs = (document[name] for name in ("hands", "matches", "pairs"))
    played = _plural(hands, "hand") if matches is None else f"{_plural(matches, 'match')} ({_plural(hands, 'hand')})"
    selection = document.get("selection") or {"where": None}
    if selection["where"] is not None:
        played = f"{count(selection['hands'])} of {_plural(selection['of'], 'hand')} where {' '.join(selection['where'].split())}"
    return [
        played + (f" in {_plural(pairs, 'mirrored pair')}" if pairs is not None else ""),
        f"rules {document['rules']}",
        " v ".join(player["strategy"] for player in document["players"]),
        f"seed {document['seed']}",
        *(["given deals"] if document["plan"].get("deals_hash") else []),
        f"ginsim {document['ginsim']}",
        *([duration(document["seconds"])] if document["seconds"] is not None else []),
    ]


def notes(document: Document) -> list[str]:
    """What one has to know to read the figures: the intervals, and whose rates these are."""
    over = {
        "hands": "",
        "pairs of hands": f" over {_plural(document['pairs'], 'mirrored pair')}",
        "matches": f" over {_matches(document)}, not over single hands",
        "pairs of matches": f" over {_plural(document['pairs'], 'mirrored pair')} of matches, not over single hands",
    }[document["independent"]]
    described = list(dict.fromkeys(player["describes"] for player in document["players"]))
    whose = "its own" if len(described) == 1 else "theirs"
    return [
        f"In brackets: {document['level'] * 100:g} % intervals{over}. Decided hands: those with a winner.",
        *([f"{'; '.join(described)}: these rates are {whose}."] if described else []),
        *([until_line(document["until"], document["unit"])] if document.get("until") else []),
        *_advice(document),
    ]


def _matches(document: Document) -> str:
    return "matches" if document["matches"] is None else _plural(document["matches"], "match")


def _advice(document: Document) -> list[str]:
    """What would make the figures more certain, where they are less so than they look."""
    said = []
    until = document.get("until")
    wanted = document["rates"].get(until["statistic"]) if until else None
    if wanted and wanted["count"] < FEW:
        said.append(
            f"{until['statistic']}: {count(wanted['count'])} are too few to trust an interval; ask for a tighter one, which takes more."
        )
    if len({player["strategy"] for player in document["players"]}) > 1 and document["plan"].get("mirror") is False:
        said.append("The players differ, and each deal was played one way round only: --mirror plays it both ways, which is fairer.")
    return said


def rate_tables(document: Document) -> list[RateTable]:
    """All rates, the endings first."""
    rates = document["rates"]
    seats = seat_names(document)
    roles = (
        {"box_share": "box (deals every hand)", "first_player_share": "captain (plays first)"}
        if "box_share" in rates
        else {"first_player_share": "first player", "dealer_share": "dealer"}
    )
    tables = [
        _endings(rates),
        _shares("Who wins", "hands", rates, roles | {f"seat_{seat}_share": name for seat, name in seats.items()}),
        _shares(
            "The face-up card",
            "hands",
            rates,
            {
                "upcard_taken": "taken",
                "upcard_taken_by_first": "  by the first player",
                "upcard_taken_by_dealer": "  by the dealer",
            },
        ),
        _shares("Cards drawn", "draws", rates, {"pile_share": "from the discard pile"}),
    ]
    return tables + (list(_match_tables(rates, seats)) if document["matches"] is not None else [])


def distribution_tables(document: Document) -> list[DistributionTable]:
    """All distributions that have a value, and those that one looks for in any report."""
    all_of = document["distributions"]

    def table(title: str, labels: Mapping[str, str], sought: Sequence[str]) -> DistributionTable:
        shown = {name: label for name, label in labels.items() if name in sought or all_of[name]["n"]}
        return DistributionTable(title, tuple((label, all_of[name]) for name, label in shown.items()))

    points = {
        "points": "winner's points",
        "points_knock": "  after a knock",
        "points_undercut": "  after an undercut",
        "points_gin": "  after gin",
        "points_big_gin": "  after big gin",
    }
    deadwoods = {
        "knocker_deadwood": "knocker's deadwood",
        "defender_deadwood": "defender's deadwood",
        "defender_deadwood_after": "  after laying off",
        "laid_off": "points laid off",
    }
    tables = [
        table("Per hand", {"draws": "draws of cards"}, ["draws"]),
        table("Per decided hand", points, ["points", "points_knock", "points_undercut", "points_gin"]),
        table("Per knock short of gin", deadwoods, list(deadwoods)),
    ]
    if document["matches"] is not None:
        games = [name for name in all_of if name.startswith("game_")]
        lengths = {name: f"  until game {name.split('_')[1]} ended" for name in games}
        labels = {"match_hands": "hands", **lengths, "match_margin": "winner's margin"}
        tables.append(table("Per match", labels, list(labels)))
    return tables


def endings_shown(rates: Mapping[str, Values]) -> list[str]:
    """The endings that stand in a report, in the order of the rules."""
    return [name for name in ENDINGS if name in ALWAYS_SHOWN or rates[f"{name}_rate"]["count"]]


def _endings(rates: Mapping[str, Values]) -> RateTable:
    of_knocks = rates["undercut_of_knocks"]
    rows = tuple(
        Row(
            ENDING_LABELS[name],
            rates[f"{name}_rate"]["count"],
            (
                rates[f"{name}_rate"],
                rates.get(f"{name}_of_decided"),
                of_knocks if name == "undercut" else None,
            ),
        )
        for name in endings_shown(rates)
    )
    return RateTable(
        "How hands end",
        "hands",
        tuple(_of(values) for values in (rates["knock_rate"], rates["knock_of_decided"], of_knocks)),
        rows,
    )


def _match_tables(rates: Mapping[str, Values], seats: Mapping[str, str]) -> Iterator[RateTable]:
    won = {f"match_won_{seat}_share": name for seat, name in seats.items()}
    yield _shares("Who wins matches", "matches", rates, won | {"first_dealer_share": "first dealer"})
    games = sorted({name[: name.index("_won_")] for name in rates if name.startswith("game_")})
    if games:
        yield RateTable(
            "Who wins games",
            "ended",
            tuple(seats.values()),
            tuple(
                Row(
                    label,
                    rates[f"{game}_won_a_share"]["n"],
                    tuple(rates[f"{game}_won_{seat}_share"] for seat in seats),
                )
                for game, label in {"games": "all games", **{game: game.replace("_", " ") for game in games}}.items()
            ),
        )
        labels = {
            "decided_early": "decided before the end",
            "several_games_in_a_hand": "several games in one hand",
            "sweeps": "all games to one player",
        }
        yield _shares("How series go", "matches", rates, labels)
        name = "hands_ending_several_games"
        yield _shares("Hands that end games", "hands", rates, {name: "end more than one"})
    yield _shares("Shut-outs", "games", rates, {"shut_outs": "only the winner has hands"})
    for name, title, label in (
        ("level", "Matches without a winner", "as many games each"),
        ("abandoned", "Matches abandoned", "too long"),
    ):
        if rates[name]["count"]:
            yield _shares(title, "matches", rates, {name: label})


def _shares(title: str, unit: str, rates: Mapping[str, Values], labels: Mapping[str, str]) -> RateTable:
    """A table of rates that are shares of the same."""
    rows = tuple(Row(label, rates[name]["count"], (rates[name],)) for name, label in labels.items())
    return RateTable(title, unit, (_of(rates[next(iter(labels))]),), rows)


def _of(values: Values) -> str:
    """``of all 1,000,000 hands``, ``of 998,334 decided hands``."""
    first, _, rest = values["of"].partition(" ")
    number = count(values["n"])
    return f"of all {number} {rest}" if first == "all" else f"of {number} {values['of']}"


def seat_names(document: Document) -> dict[str, str]:
    """What to call each seat, by its small letter: with its player where they differ."""
    players = document["players"]
    differ = len({player["strategy"] for player in players}) > 1
    return {
        player["seat"].lower(): f"{player['seat']} ({shortened(player['strategy'])})" if differ else player["seat"]
        for player in players
    }


def shortened(name: str) -> str:
    """A long name without its middle, which says least of a path."""
    half = LONGEST_NAME // 2
    return name if len(name) <= LONGEST_NAME else f"{name[: half - 1]}…{name[-half:]}"


def _plural(number: int | None, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    return f"{count(number)} {noun}{'es' if noun.endswith('ch') else 's'}"
