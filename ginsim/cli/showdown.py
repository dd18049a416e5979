"""``ginsim showdown``: who scores what after a knock, and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ginsim.cards import card_text, cards_text, parse_cards, parse_sequence
from ginsim.cli.options import format_option, rules_options, show
from ginsim.errors import UsageError

if TYPE_CHECKING:
    from ginsim.rules import Rules
    from ginsim.solver import Showdown


@click.command(
    epilog="""\b
    Examples:
      ginsim showdown "5S 6S 7S 9C TC JC KS KC KD JD" "2S 8S 9S AC 2C 7C 8C 2D 8D 2H"
      ginsim showdown "AS 5S 6S 7S 5C 6C 7C 5D 6D 7D" "3S 4S 8S 4C 8C 4D 8D 5H 6H 7H" \\
          --spread "5S 6S 7S / 5C 6C 7C / 5D 6D 7D"
      ginsim showdown "AS 2S 3S 4S 5S 6S 7S JH QH KH" "9S TS JS QS KS AC 2C 3C 8H TH" --rules oklahoma --upcard 2S"""
)
@click.argument("knocker")
@click.argument("defender")
@click.option(
    "--spread",
    metavar="MELDS",
    help="The melds that the knocker shows, with / between them, where R14 is not to choose. All else he holds is deadwood.",
)
@click.option("--upcard", metavar="CARD", help="The card turned up first, for rules under which it matters (R32).")
@rules_options("hollywood")
@format_option("table", "json")
def showdown(
    knocker: str,
    defender: str,
    spread: str | None,
    upcard: str | None,
    rules: str,
    settings: tuple[str, ...],
    output_format: str,
) -> None:
    """Show who scores what after a knock, with which layoffs, and why.

    KNOCKER are the ten cards of the knocker, without his discard, or all eleven if he declares big gin; DEFENDER the ten
    of the other, each in quotes. The defender melds and lays off as well as can be (R13).

    In JSON, "defender_deadwood" is what he has left after laying off; "defender_melds" are the melds he keeps.
    """
    from ginsim import solver
    from ginsim.rules import load

    chosen_rules = load(rules, settings)
    turned_up = None if upcard is None else _one_card(upcard)
    outcome = solver.showdown(
        _cards("knocker", knocker),
        _cards("defender", defender),
        chosen_rules,
        None if spread is None else [_cards("--spread", part) for part in spread.split("/")],
        turned_up,
    )
    reasons = _reasons(outcome, chosen_rules, spread is not None, turned_up)
    if output_format == "json":
        click.echo(json.dumps(_document(outcome, reasons), indent=2, ensure_ascii=False))
    else:
        _show(outcome, reasons)


def _cards(whose: str, text: str) -> int:
    try:
        return parse_cards(text)
    except UsageError as error:
        raise UsageError(f"{whose}: {error}") from None


def _one_card(text: str) -> int:
    numbers = parse_sequence(text)
    if len(numbers) != 1:
        raise UsageError(f"--upcard {text!r}: must be one card.")
    return numbers[0]


def _document(outcome: Showdown, reasons: list[str]) -> dict[str, Any]:
    return {
        "result": outcome.ending,
        "winner": outcome.winner,
        "points": outcome.points,
        "knocker_deadwood": outcome.knocker.deadwood,
        "defender_deadwood": outcome.defender.deadwood,
        "defender_deadwood_before": outcome.before,
        "laid_off": cards_text(outcome.laid_off).split(),
        "laid_off_on": [{"card": card_text(card), "meld": cards_text(meld).split()} for card, meld in outcome.layoffs],
        "knocker_melds": [cards_text(meld).split() for meld in outcome.knocker.melds],
        "defender_melds": [cards_text(meld).split() for meld in outcome.defender.melds],
        "why": reasons,
    }


def _show(outcome: Showdown, reasons: list[str]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(no_wrap=True)
    table.add_row("Knocker", outcome.knocker.text(), _left(outcome.knocker.deadwood))
    table.add_row("Defender", outcome.defender.text(), _left(outcome.defender.deadwood))
    if outcome.layoffs:
        table.add_row("Laid off", _layoffs(outcome), "")
    if outcome.winner is None:
        result = "Tie: nobody scores."
    else:
        result = f"{outcome.ending.replace('_', ' ').capitalize()}: the {outcome.winner} scores {outcome.points}."
    show(table, "", result, *(f"  {reason}" for reason in reasons))


def _left(deadwood: int) -> str:
    return f"deadwood {deadwood}"


def _layoffs(outcome: Showdown) -> str:
    """``8♠ 9♠ on 5♠6♠7♠, 8♣ on 9♣T♣J♣``."""
    on: dict[int, list[str]] = {}
    for card, meld in outcome.layoffs:
        on.setdefault(meld, []).append(card_text(card, symbols=True))
    return ", ".join(
        f"{' '.join(cards)} on {cards_text(meld, symbols=True).replace(' ', '')}" for meld, cards in on.items()
    )


def _reasons(outcome: Showdown, rules: Rules, own_spread: bool, upcard: int | None) -> list[str]:
    """Why the hand ends so, in sentences with the numbers of the rules."""
    turned_up = "" if upcard is None else card_text(upcard, symbols=True)
    left, after = outcome.knocker.deadwood, outcome.defender.deadwood
    reasons = []
    if outcome.ending == "big_gin":
        reasons.append("All eleven cards of the knocker are melded: big gin, which these rules have (R11).")
    elif left == 0:
        reasons.append("The knocker has no deadwood: gin (R10).")
    else:
        reasons.append(f"The knocker's deadwood is {left}, and the knock limit {outcome.limit} (R9).")
    if rules.upcard_sets_limit:
        reasons.append(f"The limit is {outcome.limit} because {turned_up} was turned up (R32).")
    if left > outcome.least:
        reasons.append(f"His own spread leaves {left} where {outcome.least} was possible (R14).")
    elif own_spread:
        reasons.append("The spread is his own choice; none leaves less (R4).")
    else:
        reasons.append("He shows least deadwood, on melds that invite the fewest layoffs (R14).")

    if left == 0:
        reasons.append("Against gin nothing is laid off (R12).")
    elif outcome.layoffs:
        reasons.append(f"The defender lays off {_layoffs(outcome)}: {after} left, not {outcome.before} (R12, R13).")
    else:
        reasons.append(f"No layoff would leave the defender less than {after} (R12, R13).")

    reasons.append(
        {
            "knock": f"{left} is less than {after}: the knocker scores the difference, {after - left} (R17).",
            "undercut": f"{after} is not more than {left}: the defender scores the difference, {left - after}, and the "
            f"bonus, {rules.undercut_bonus} (R18).",
            "tie": f"{after} against {left}: under these rules a tie is no undercut and scores nothing (R18).",
            "gin": f"The knocker scores the bonus, {rules.gin_bonus}, and the defender's deadwood, {after} (R19).",
            "big_gin": f"The knocker scores the bonus, {rules.big_gin_bonus}, and the defender's deadwood, {after} (R11).",
        }[outcome.ending]
    )
    if outcome.multiplier == 2 and outcome.points:
        reasons.append(f"All points count double because {turned_up} is a spade (R32).")
    return reasons
