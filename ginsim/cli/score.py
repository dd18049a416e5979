"""``ginsim score``: a score pad."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

import click

from ginsim.cli.melds import LINES, numbered_lines
from ginsim.cli.options import format_option, rules_options, show
from ginsim.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from ginsim.scorepad import ScorePad

_SEPARATOR = re.compile(r"[,;]")
_PAIR = re.compile(r"draw(?!\S)|\S+(?:\s+\S+)?", re.IGNORECASE)


@click.command(
    epilog="""\b
    Examples:
      ginsim score "Bob 10" "Alexandra 18" "Bob 30" "Bob 4"
      ginsim score --rules three-handed --order Ben,Cy,Ann "box 18, captain 25, draw"
      ginsim score --rules gin --set box_bonus=25 --file evening.txt"""
)
@click.argument("lines", nargs=-1)
@click.option(
    "--file",
    type=LINES,
    metavar="FILE|-",
    help="Read the lines from a file; - is standard input. Blank lines and lines that begin with # are skipped.",
)
@rules_options("hollywood")
@click.option("--players", metavar="NAME,NAME", help="The two players. By default the first two who score.")
@click.option(
    "--order",
    metavar="NAME,NAME,NAME",
    help="Three-handed: who is box, captain and sitter in the first hand.  [default: A,B,C]",
)
@format_option("table", "json")
def score(
    lines: tuple[str, ...],
    file: TextIO | None,
    rules: str,
    settings: tuple[str, ...],
    players: str | None,
    order: str | None,
    output_format: str,
) -> None:
    """Keep the score of a game, a series or a three-handed game.

    The sheet is printed after each hand. LINES such as "Bob 10", or "draw" for a hand that nobody scored, with commas between them or each in quotes. Without
    LINES and --file they are read from standard input. In the three-handed game "box 18" and "captain 25" do as well as
    names.

    JSON comes at the end, once: "scores" by player (in Hollywood Gin a list of games), "closed_by" who won each game, null
    while it is open, "series_winner" and "decided_at_hand" as soon as nothing can change them, "winner" when the match has
    ended; in the three-handed game "roles_per_hand" are box, captain and sitter of each hand.
    """
    if lines and file is not None:
        raise UsageError("LINES and --file: give one of them.")
    from ginsim.rules import load
    from ginsim.scorepad import ScorePad

    chosen = load(rules, settings)
    if players is not None and chosen.seats == 3:
        raise UsageError("--players: three players are named with --order, as box, captain and sitter.")
    if order is not None and chosen.seats == 2:
        raise UsageError("--order goes with three-handed rules; two players are named with --players.")
    names = ("A,B,C" if order is None else order) if chosen.seats == 3 else players
    pad = ScorePad(chosen, [] if names is None else [name.strip() for name in names.split(",")])
    as_table = output_format == "table"
    for where, text in _entries(lines, file):
        try:
            _enter(pad, text, as_table)
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from None
    if as_table:
        _show_end(pad)
    else:
        click.echo(json.dumps(_document(pad), indent=2, ensure_ascii=False))


def _entries(lines: tuple[str, ...], file: TextIO | None) -> Iterator[tuple[str, str]]:
    """Where each entry stands, and its text."""
    if lines:
        for number, text in enumerate(_from_arguments(lines), 1):
            yield f"entry {number}", text
        return
    if file is None:
        file = LINES.convert("-", None, None)
        if file.isatty():
            click.echo("Lines such as 'Bob 10' or 'draw'; Ctrl-D ends.", err=True)
    for where, line in numbered_lines(file):
        if not line.lstrip().startswith("#"):
            for text in _parts(line):
                yield where, text


def _from_arguments(arguments: tuple[str, ...]) -> Iterable[str]:
    """The entries, each in quotes, or all as plain words: ``Bob 10 draw Alexandra 18``."""
    if any(len(argument.split()) > 1 for argument in arguments):
        return [text for argument in arguments for text in _parts(argument)]
    return [text for part in _parts(" ".join(arguments)) for text in _PAIR.findall(part)]


def _parts(line: str) -> list[str]:
    return [text.strip() for text in _SEPARATOR.split(line) if text.strip()]


def _enter(pad: ScorePad, text: str, as_table: bool) -> None:
    from ginsim.scorepad import read_entry

    winner, points = read_entry(text)
    before = pad.scores
    name = pad.enter(winner, points)
    if not as_table:
        return
    if name is None:
        what = "draw"
    elif points and pad.scores[name] == before.get(name, [0] * len(pad.closed_by)):
        what = f"{name} {points}, entered nowhere: the games it belongs to have ended (R25)"
    else:
        what = f"{name} {points}"
    show(f"Hand {pad.hands}: {what}", _roles_sheet(pad) if pad.is_three_handed else _sheet(pad), "")


def _sheet(pad: ScorePad) -> Table:
    """The games of two players side by side, and who has won them."""
    table = _table("", *_columns(pad))
    for name, scores in pad.scores.items():
        table.add_row(name, *map(str, scores))
    if any(pad.closed_by):
        table.add_row("won by (hand)", *(_won(name, hand) for name, hand in zip(pad.closed_by, pad.closed_at, strict=True)))
    return table


def _won(name: str | None, hand: int | None) -> str:
    return "-" if name is None else f"{name} ({hand})"


def _roles_sheet(pad: ScorePad) -> Table:
    """The scores of three players, their roles in the hand just entered, and in the next."""
    from ginsim.scorepad import ROLES

    before = dict(zip(pad.roles_per_hand[-1], ROLES, strict=True))
    after = dict(zip(pad.roles, ROLES, strict=True))
    table = _table("", "score", "this hand", *([] if pad.is_over else ["next hand"]))
    for name, scores in pad.scores.items():
        table.add_row(name, str(scores[0]), before[name], *([] if pad.is_over else [after[name]]))
    return table


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for column in columns:
        words = not column.startswith(("game", "score"))
        table.add_column(column, justify="left" if words else "right", overflow="fold")
    return table


def _columns(pad: ScorePad) -> list[str]:
    games = len(pad.closed_by)
    return [f"game {game}" for game in range(1, games + 1)] if games > 1 else ["score"]


def _show_end(pad: ScorePad) -> None:
    parts: list[Any] = []
    if pad.has_extras and any(pad.closed_by):
        table = _table("with extras (R31)", *_columns(pad))
        for name, totals in pad.totals.items():
            table.add_row(name, *map(str, totals))
        parts += [table, ""]
    show(*parts, f"After {pad.hands} hand{'' if pad.hands == 1 else 's'}: {_result(pad)}")


def _result(pad: ScorePad) -> str:
    match = {"hollywood": "series", "game": "game", "three_handed": "game"}[pad.rules.format]
    leader, hand = pad.series_winner, pad.decided_at_hand
    if not pad.is_over:
        if leader is None:
            return f"the {match} goes on."
        return f"{leader} has won the {match} with hand {hand}; it goes on until all games have ended (R24)."
    if pad.winner is None:
        return f"the {match} is abandoned (R16)." if pad.is_abandoned else f"the {match} is over, and nobody has won it."
    games = pad.closed_by.count(pad.winner)
    of = f", {games} of {len(pad.closed_by)} games" if len(pad.closed_by) > 1 else ""
    return f"{pad.winner} has won the {match}{of}; decided with hand {hand}."


def _document(pad: ScorePad) -> dict[str, Any]:
    several = pad.rules.format == "hollywood"
    document: dict[str, Any] = {"hands": pad.hands}
    if pad.is_three_handed:
        document["roles_per_hand"] = [list(roles) for roles in pad.roles_per_hand]
        document["next_roles"] = None if pad.is_over else list(pad.roles)
    document["scores"] = _by_player(pad.scores, several)
    if pad.has_extras:
        document["totals"] = _by_player(pad.totals, several)
    document["closed_by"] = pad.closed_by
    if not pad.is_three_handed:
        document["series_winner"] = pad.series_winner
    return {**document, "decided_at_hand": pad.decided_at_hand, "winner": pad.winner}


def _by_player(sheet: dict[str, list[int]], several: bool) -> dict[str, Any]:
    return {name: numbers if several else numbers[0] for name, numbers in sheet.items()}
