"""``ginsim knock-chart``."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import click

from ginsim.cli.options import COUNT, SEED, format_option, plot_option, rules_options, workers_option
from ginsim.errors import UsageError


class _Scores(click.ParamType):
    name = "scores"

    def convert(self, value, param, ctx):  # noqa: ANN001, ANN201
        """The decider's score and the other's."""
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(\d{1,6})-(\d{1,6})", value.strip(), re.ASCII)
        if not found:
            self.fail(f"{value[:60]!r} is not two scores such as 60-85, the decider's first.", param, ctx)
        return int(found[1]), int(found[2])


@click.command(
    "knock-chart",
    epilog="""\b
    Examples:
      ginsim knock-chart --rules gin --hands 1e6 --seed 1
      ginsim knock-chart --rules gin --vary undercut_bonus=10,25 --plot knock.svg
      ginsim knock-chart --rules gin --scores 60-85
      ginsim knock-chart --rules gin --strategy expert --strategy simple --format csv""",
)
@rules_options("hollywood")
@click.option(
    "--vary",
    metavar="FIELD=VALUE,…",
    multiple=True,
    help="A chart for each of these values of a field of the rules. Repeat for more fields: a chart for every combination.",
)
@click.option(
    "--strategy",
    "strategies",
    metavar="NAME[:KEY=VALUE,…]|SPEC",
    multiple=True,
    default=("expert",),
    show_default=True,
    help="Who plays: once for all seats, or once a seat in order, as in `ginsim simulate`. If A and B differ, A decides.",
)
@click.option("--hands", type=COUNT, metavar="N", default=100_000, show_default=True, help="How many to play for each chart.")
@click.option("--seed", type=SEED, metavar="N", help="Which hands: any number from 0 to 2^64 - 1. Drawn and shown if not given.")
@click.option(
    "--scores",
    type=_Scores(),
    metavar="OWN-OTHER",
    help="From this score in a game, such as 60-85: what knocking is worth in games won.",
)
@click.option(
    "--min", "least", type=click.IntRange(2), metavar="N", default=100, show_default=True,
    help="With fewer decisions than this a cell stays empty.",
)
@workers_option
@format_option("table", "json", "csv", "markdown")
@plot_option
def knock_chart(
    rules: str,
    settings: tuple[str, ...],
    vary: tuple[str, ...],
    strategies: tuple[str, ...],
    hands: int,
    seed: int | None,
    scores: tuple[int, int] | None,
    least: int,
    workers: int | str,
    output_format: str,
    plot: Path | None,
) -> None:
    """Show when to knock and when to play on.

    Players play hands as they do. At each decision whether to knock that they meet, the same deal is continued both ways: he knocks
    now, or not now and goes on as he plays. The chart has the mean difference by draws of cards so far and deadwood, in net points of
    the hand for the one who decides, or with --scores in games won.
    """
    from ginsim import knocking
    from ginsim.report.knock_chart import knock_chart_text
    from ginsim.rules import load

    document = knocking.knock_chart(
        load(rules, settings),
        vary=_varied(vary),
        strategies=strategies,
        hands=hands,
        seed=seed,
        scores=scores,
        least=least,
        workers=workers,  # type: ignore[arg-type]
        progress=True,
    )
    if plot is not None:
        from ginsim import charts

        charts.save(document, plot)
    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else None
    click.echo(knock_chart_text(document, output_format, width=width, terminal=terminal), nl=False)


def _varied(texts: tuple[str, ...]) -> dict[str, list[str]]:
    """The values by field."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, values = (part.strip() for part in text.partition("="))
        split = [value.strip() for value in values.split(",")]
        if not (equals and name and all(split)):
            raise UsageError(f"--vary {text[:60]!r}: must be FIELD=VALUE,VALUE, such as undercut_bonus=10,25.")
        if name in found:
            raise UsageError(f"--vary {name} stands twice: name its values together, {name}={','.join([*found[name], *split])[:60]}.")
        found[name] = split
    return found
