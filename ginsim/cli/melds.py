"""``ginsim melds``: what a hand of ten or eleven cards is worth."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

import click

from ginsim.cards import as_bits, card_text, cards_text, parse_sequence
from ginsim.cli.options import format_option, show
from ginsim.errors import UsageError

if TYPE_CHECKING:
    from ginsim.solver import Discard


class _Lines(click.File):
    """A text file to read line by line, or ``-`` for standard input. Bytes that are no text become characters without meaning."""

    def __init__(self) -> None:
        super().__init__(encoding="utf-8-sig", errors="replace")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The open file."""
        if value == "-" and sys.stdin is None:
            self.fail("standard input is closed.", param, ctx)
        return super().convert(value, param, ctx)


LINES = _Lines()


def numbered_lines(file: TextIO) -> Iterator[tuple[str, str]]:
    """Each line, after where it stands, as a message says it. Lines are read as they are needed."""
    name = getattr(file, "name", "-")
    name = "standard input" if name in ("-", "<stdin>") else name
    for number, line in enumerate(file, 1):
        yield f"{name}, line {number}", line


@click.command(
    epilog="""\b
    Examples:
      ginsim melds "4S 4H 4D 4C 5C 6C AS KD QH 2D"
      ginsim melds 4♠ 4♥ 4♦ 4♣ 5♣ 6♣ A♠ K♦ Q♥ 2♦ J♠ --taken J♠
      ginsim melds --file hands.txt --format json""",
)
@click.argument("cards", metavar="[CARDS…]", nargs=-1)
@click.option("--taken", metavar="CARD", help="Which of the eleven was just taken from the pile: it may not be thrown (R8).")
@click.option(
    "--knock-limit",
    type=click.IntRange(0, 10),
    metavar="N",
    default=10,
    show_default=True,
    help="Which deadwood one may knock with after a discard, 0 to 10; 0 is gin only.",
)
@click.option(
    "--file",
    type=LINES,
    metavar="FILE|-",
    help="Read many hands, one a line, and print a line for each; - is standard input. Blank lines and what follows a # are "
    "skipped.",
)
@format_option("table", "json")
def melds(cards: tuple[str, ...], taken: str | None, knock_limit: int, file: TextIO | None, output_format: str) -> None:
    """Show how ten cards meld, or what each discard of eleven leaves.

    Ten cards: the deadwood, the arrangement that a knocker would show, and all others that are as good. Eleven: every
    discard, the best first, with what it leaves, and whether one may knock or gin with it.

    Cards are a rank (A 2-9 10 T J Q K) and a suit (C D H S or ♣ ♦ ♥ ♠), in any case, with or without blanks between them.

    With --file each line has the deadwood and the arrangement; of eleven cards, those that the best discards leave. What is
    no hand ends the reading.

    In JSON, "deadwood", "melds", "loose" and "others" are those of all the cards, be they ten or eleven; "discards" says
    what eleven leave.
    """
    if cards and file is not None:
        raise UsageError("cards and --file: give one of them.")
    if not cards and file is None:
        raise UsageError("no cards: give ten, or eleven after a draw, or --file with a hand a line.")
    card = _one_card(taken)
    if file is not None:
        for numbers in _hands(file, card):
            click.echo(
                json.dumps(_document(numbers, card, knock_limit), ensure_ascii=False)
                if output_format == "json"
                else _line(numbers, card, knock_limit)
            )
        return
    numbers = _hand(" ".join(cards), card)
    if output_format == "json":
        click.echo(json.dumps(_document(numbers, card, knock_limit), indent=2, ensure_ascii=False))
    elif len(numbers) == 10:
        _show_ten(numbers)
    else:
        _show_eleven(numbers, card, knock_limit)


def _one_card(text: str | None) -> int | None:
    if text is None:
        return None
    numbers = parse_sequence(text)
    if len(numbers) != 1:
        raise UsageError(f"--taken {text!r}: must be one card.")
    return numbers[0]


def _hand(text: str, taken: int | None) -> list[int]:
    """The cards of a hand in the order written."""
    numbers = parse_sequence(text)
    if len(numbers) not in (10, 11):
        raise UsageError(f"a hand has ten cards, or eleven after a draw, and not {len(numbers)}.")
    if taken is not None and len(numbers) == 10:
        raise UsageError("--taken: ten cards are a hand after the discard; give eleven.")
    if taken is not None and taken not in numbers:
        raise UsageError(f"--taken {card_text(taken)}: it is not among the eleven cards.")
    return numbers


def _hands(file: TextIO, taken: int | None) -> Iterator[list[int]]:
    """The hands of a file."""
    for where, line in numbered_lines(file):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            yield _hand(text, taken)
        except UsageError as error:
            raise UsageError(f"{where}: {error}") from None


def _document(numbers: Sequence[int], taken: int | None, limit: int) -> dict[str, Any]:
    from ginsim.solver import arrangements, discards

    cards = as_bits(numbers)
    best, *others = arrangements(cards)
    document: dict[str, Any] = {
        "cards": [card_text(number) for number in numbers],
        "deadwood": best.deadwood,
        "melds": [cards_text(meld).split() for meld in best.melds],
        "loose": cards_text(best.loose).split(),
        "others": [[cards_text(meld).split() for meld in other.melds] for other in others],
    }
    if len(numbers) == 11:
        document["discards"] = [
            {"card": card_text(one.card), "deadwood": one.deadwood, "knock": one.knock, "gin": one.gin}
            for one in discards(cards, taken, limit)
        ]
    return document


def _line(numbers: Sequence[int], taken: int | None, limit: int) -> str:
    """A hand and its best in one line."""
    from ginsim.solver import best_arrangement, deadwood, discards

    cards = as_bits(numbers)
    if len(numbers) == 10:
        best = best_arrangement(cards)
        return f"{best.deadwood:>3}  {best.text()}"
    first, *rest = discards(cards, taken, limit)
    equals = [first, *(one for one in rest if one.deadwood == first.deadwood)]
    thrown = " or ".join(card_text(one.card, symbols=True) for one in equals)
    left = best_arrangement(cards ^ (1 << first.card)).text()
    all_melded = ", all eleven melded" if deadwood(cards) == 0 else ""
    knock = "; gin" if first.gin else "; may knock" if first.knock else ""
    return f"{first.deadwood:>3}  {left}  throw {thrown}{knock}{all_melded}"


def _heading(numbers: Sequence[int]) -> str:
    return f"{len(numbers)} cards: {' '.join(card_text(number, symbols=True) for number in numbers)}"


def _show_ten(numbers: Sequence[int]) -> None:
    from ginsim.solver import arrangements

    best, *others = arrangements(as_bits(numbers))
    show(
        _heading(numbers),
        f"Deadwood {best.deadwood}: {best.text()}",
        *(f"{'As good' if place == 0 else 'and'}: {other.text()}" for place, other in enumerate(others)),
        *(["The first is what a knocker shows (R14)."] if others else []),
    )


def _show_eleven(numbers: Sequence[int], taken: int | None, limit: int) -> None:
    from rich.table import Table

    from ginsim.solver import best_arrangement, deadwood, discards

    cards = as_bits(numbers)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("throw", no_wrap=True)
    table.add_column("leaves", justify="right", no_wrap=True)
    table.add_column("with melds", overflow="fold")
    table.add_column("may knock", no_wrap=True)
    for one in discards(cards, taken, limit):
        left = best_arrangement(cards ^ (1 << one.card)).text()
        table.add_row(card_text(one.card, symbols=True), str(one.deadwood), left, _may_knock(one, limit))
    notes = []
    if taken is not None:
        notes.append(f"{card_text(taken, symbols=True)} was just taken from the pile and may not be thrown (R8).")
    if deadwood(cards) == 0:
        notes.append("All eleven are melded: big gin, where the rules have it (R11).")
    show(_heading(numbers), table, *notes)


def _may_knock(discard: Discard, limit: int) -> str:
    if discard.gin:
        return "gin"
    return "yes" if discard.knock else f"no ({limit})"
