"""``ginsim replay``: a hand told turn by turn, and histories checked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from ginsim.cli.melds import LINES
from ginsim.cli.options import COUNT, MOST, SEED, format_option, rules_options, show
from ginsim.errors import GinsimError, UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from ginsim.replay import History, Pen, Replay, Story


class _Number(click.ParamType):
    """Which hand or match: a whole number from 0 on, written like a count."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number meant."""
        if isinstance(value, int):
            return value
        try:
            number = 0 if value.strip() == "0" else COUNT.convert(value, param, ctx)
        except click.BadParameter:
            number = MOST
        if number >= MOST:
            self.fail(f"{value[:60]!r} is not a whole number from 0 to {MOST - 1}.", param, ctx)
        return number


_NUMBER = _Number()
_OF_THE_RUN = {
    "rules": "--rules",
    "settings": "--set",
    "strategies": "--strategy",
    "seed": "--seed",
    "mirror": "--mirror",
}
"""Options that a stored run answers itself."""


@click.command(
    epilog="""\b
    Examples:
      ginsim replay --seed 1 --hand 137
      ginsim replay --rules oklahoma --strategy random --seed 1 --match 3 --hand 5
      ginsim replay runs/first --hand 99999
      ginsim replay --seed 1 --match 0 --format json > match.jsonl
      ginsim replay --check match.jsonl

    \b
    The JSON of a hand, schema "ginsim.history/1", has
      rules      all fields, as `ginsim rules NAME --format json` shows them,
                 or the name of a preset; rules_name what they are called
      seats      ["A", "B"], or with "C"; players says who sits there
      dealer     the seat that deals; first: the seat it plays against
      hands      the ten cards of each of these two, such as "TH"
      upcard     the card turned up
      stock      the 31 others from the top; may be missing
      actions    a list of {"seat", "action", "card"}; an action is
                   decline  the first upcard, or a last discard that may be
                            taken only to knock
                   take     the top of the pile
                   draw     the top of the stock
                   discard  throw card, and play on
                   knock    throw card, and lay down the rest; gin as well
                   big_gin  lay down all eleven; card is null
      result     the row of the hand as a stored run has it, null for
                 nothing; may be missing, and any column of it
      source     where the history comes from
    Players, rules_name and source are words that nobody judges, and may be
    missing. Of a whole match there is a line of JSON a hand."""
)
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--hand", type=_NUMBER, metavar="K", help="Which hand, from 0: of single hands, or of the match.")
@click.option("--match", type=_NUMBER, metavar="M", help="Which match, from 0; without --hand all its hands.")
@rules_options("hollywood")
@click.option(
    "--strategy",
    "strategies",
    metavar="NAME[:KEY=VALUE,…]|SPEC",
    multiple=True,
    default=("simple",),
    show_default=True,
    help="Who plays, as in `ginsim simulate`: once for all seats, or once a seat in order.",
)
@click.option("--seed", type=SEED, metavar="N", help="The seed of the hands or matches.")
@click.option("--mirror", is_flag=True, help="Number them as in a run where each deal is played twice.")
@click.option("--check", "file", type=LINES, metavar="FILE|-", help="Judge histories in JSON by the rules; - is standard input.")
@format_option("table", "json")
@click.pass_context
def replay(
    ctx: click.Context,
    folder: Path | None,
    hand: int | None,
    match: int | None,
    rules: str,
    settings: tuple[str, ...],
    strategies: tuple[str, ...],
    seed: int | None,
    mirror: bool,
    file: TextIO | None,
    output_format: str,
) -> None:
    """Tell a hand turn by turn, or check a history.

    Which hand: rules, strategies and seed with --hand K for a single hand, or with --match M for a match or one of its hands.
    Or DIR, a folder that `ginsim simulate --out` has written, which knows its rules, players and deals; the hand must then
    come out as it is stored. Each number on the right is the deadwood that the turn leaves.

    --check takes one history, or one a line, from ginsim or from elsewhere. The engine plays what they say: each hand that
    breaks a rule is named on a line of its own, with its first illegal step (counted from 1), the rule, and what would have been
    legal; so is a result that is not what the cards give. Each hand is judged by itself, not the scores and roles of the match
    around it. With --format json there is a line of JSON a hand: where, legal, step, fault, and the result as recomputed.
    """
    given = {name for name in ctx.params if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT}
    if file is not None:
        if others := sorted(given - {"file", "output_format"}):
            raise UsageError(f"--check judges what the file says: leave out {', '.join(map(_option, others))}.")
        _check(file, output_format)
        return
    if folder is None and seed is None:
        raise UsageError("which hands? Name a folder with a stored run, or give --seed; to check a history, --check FILE.")
    if folder is not None and (others := [option for name, option in _OF_THE_RUN.items() if name in given]):
        raise UsageError(f"{folder} says itself what was played: leave out {', '.join(others)}.")
    if hand is None and match is None:
        raise UsageError("which hand? Give --hand K, or --match M for a match, or both for a hand of a match.")
    if folder is not None:
        played = _of_folder(folder, hand, match)
    else:
        from ginsim.plan import make_plan
        from ginsim.replay import play
        from ginsim.rules import load

        unit = "hands" if match is None else "matches"
        plan = make_plan(load(rules, settings), unit=unit, strategies=strategies, seed=seed or 0, mirror=mirror)
        played = play(plan, hand or 0) if match is None else play(plan, match, hand)
    if output_format == "json":
        _print_json(played)
    else:
        _tell(played)


def _option(name: str) -> str:
    return {"folder": "DIR", "output_format": "--format", **_OF_THE_RUN}.get(name, f"--{name}")


def _of_folder(folder: Path, hand: int | None, match: int | None) -> Replay:
    from ginsim.replay import play_stored
    from ginsim.store import open_store

    store = open_store(folder)
    if store.plan.unit == "hands":
        if match is not None or hand is None:
            raise UsageError(f"{folder} holds single hands, which belong to no match: give --hand K alone.")
        return play_stored(store, hand)
    if match is None:
        raise UsageError(f"{folder} holds matches: say with --match M which one.")
    return play_stored(store, match, hand)


def _print_json(played: Replay) -> None:
    from ginsim.replay import as_text

    if len(played.hands) == 1 and played.match is None:
        click.echo(as_text(played.hands[0].as_dict()))
        return
    for history in played.hands:
        click.echo(json.dumps(history.as_dict()))


# Telling


def _tell(played: Replay) -> None:
    from ginsim.replay import tell, tell_end, title

    pen = _pen()
    show(title(played, pen))
    for history, ended in zip(played.hands, played.ended, strict=True):
        story = tell(history, pen, ended)
        heading = [""] if played.match is None else ["", f"Hand {(history.result or {})['hand']}"]
        show(*heading, *story.deal, "", _lines(story), "", *story.end)
    if played.match is not None:
        show("", tell_end(played))


def _pen() -> Pen:
    from ginsim.replay import GLYPHS, Pen

    try:
        GLYPHS.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return Pen(symbols=False)
    return Pen()


def _lines(story: Story) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("", overflow="fold")
    table.add_column("deadwood", justify="right", no_wrap=True)
    for line in story.lines:
        table.add_row(*line)
    return table


# Checking


def _check(file: TextIO, output_format: str) -> None:
    from ginsim.replay import History, judge
    from ginsim.runner import announce_compiling

    announce_compiling()
    hands = wrong = malformed = 0
    scores: dict[str, int] = {}
    approval = ""
    for where, text in _documents(file):
        try:
            history = History.from_dict(_parsed(text, where))
        except UsageError as error:
            message = str(error) if str(error).startswith(where) else f"{where}: {error}"
            if where == _name(file):
                raise UsageError(message) from None
            malformed += 1
            click.echo(f"Error: {message}", err=True)
            continue
        verdict = judge(history)
        hands += 1
        place = ", ".join(filter(None, (where, history.name)))
        if output_format == "json":
            legal = verdict.fault is None
            click.echo(json.dumps({"where": where, "legal": legal, "step": verdict.step, "fault": verdict.fault, "result": verdict.row}))
        if verdict.fault is not None:
            wrong += 1
            step = "result" if verdict.step is None else f"step {verdict.step}"
            click.echo(f"Error: {place}, {step}: {verdict.fault}", err=True)
        elif verdict.row is not None:
            scores |= {seat: scores.get(seat, 0) for seat in history.seats}
            if verdict.row["winner"] is not None:
                scores[verdict.row["winner"]] += verdict.row["points"]
            approval = f"{place}: {_approval(history, verdict.row)}"
    if hands + malformed > 1:
        fine = "all legal" if not wrong else f"{hands - wrong:,} legal, {wrong:,} not"
        lines = "1 line that is" if malformed == 1 else f"{malformed:,} lines that are"
        unread = f", and {lines} no history" if malformed else ""
        points = ", ".join(f"{seat} {points:,}" for seat, points in scores.items())
        legal = "" if not wrong else "in the legal ones "
        approval = f"{_name(file)}: {hands:,} hands, {fine}{unread}. Each is judged by itself."
        approval += f" Points {legal}{points}." if scores else ""
    if approval and output_format == "table":
        click.echo(approval)
    if malformed:
        raise click.exceptions.Exit(UsageError.exit_code)
    if wrong:
        raise click.exceptions.Exit(GinsimError.exit_code)


def _approval(history: History, row: Mapping[str, Any]) -> str:
    from ginsim.replay import RULE_OF_ENDING

    steps = len(history.actions)
    ending = f"{row['ending'].replace('_', ' ')}, {RULE_OF_ENDING[row['ending']]}"
    who = "nobody scores" if row["winner"] is None else f"{row['winner']} scores {row['points']}"
    stated = "" if history.result is not None else " It states no result."
    return f"{steps} steps, all legal; {who} ({ending}).{stated}"


def _name(file: TextIO) -> str:
    name = getattr(file, "name", "-")
    return "standard input" if name in ("-", "<stdin>") else name


def _documents(file: TextIO) -> Iterator[tuple[str, str]]:
    """The JSON documents, as text, of a file with where each stands: one on its own, or one a line, read as they are needed."""
    name = _name(file)
    head: list[str] = []
    found: list[int] = []
    for number, line in enumerate(file, 1):
        head.append(line)
        if line.strip():
            found.append(number)
        if len(found) == 2:
            break
    if not found:
        raise UsageError(f"{name}: there is no history in it.")
    if len(found) == 1 or not _is_json(head[found[0] - 1]):
        yield name, "".join([*head, *file])
        return
    for number, line in enumerate(chain(head, file), 1):
        if line.strip():
            where = f"{name}, line {number}"
            yield where, line


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f" in line {error.lineno}" if "\n" in text.strip() else ""
        raise UsageError(f"{where}: not JSON: {error.msg}{place}, column {error.colno}.") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{where}: not JSON that can be read: a number is too long, or lists are too deep.") from None
