"""``ginsim tune``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ginsim.cli.options import COUNT, SEED, Target, rules_options, show, workers_option
from ginsim.errors import Interrupted

if TYPE_CHECKING:
    from ginsim.tuning import Tuning


@click.command(
    epilog="""\b
    Examples:
      ginsim tune expert --rules eaai --against simple --against patient --minutes 30 --out mine.toml
      ginsim tune expert --rules gin --set gin_bonus=20 --against simple --generations 100 --seed 1 --out twenty.toml
      ginsim tune expert:params=mine.toml --rules eaai --against patient --step 0.01 --minutes 30 --out finer.toml
      ginsim simulate --rules eaai --matches 10k --mirror --strategy expert:params=mine.toml --strategy patient"""
)
@click.argument("strategy")
@rules_options("gin")
@click.option(
    "--against",
    metavar="STRATEGY",
    multiple=True,
    default=("simple", "patient"),
    show_default=True,
    help="An opponent; repeat for more. STRATEGY as it is, the champion, is always another one.",
)
@click.option("--only", metavar="PARAMETER", multiple=True, help="Tune this parameter; repeat for more. By default all.")
@click.option("--matches", type=COUNT, metavar="N", help="Matches a candidate plays against each opponent. By default 400.")
@click.option("--generations", type=COUNT, metavar="N", help="How many generations of candidates. By default 50.")
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), metavar="N", help="Begin new generations for so long.")
@click.option("--compare", "compared", type=COUNT, metavar="N", help="Matches by which the gain is measured at the end. By default 10,000.")
@click.option(
    "--step",
    type=click.FloatRange(min=0, max=1, min_open=True),
    metavar="X",
    help="First spread of the candidates, in parts of a parameter's whole range. By default 0.02.",
)
@click.option("--seed", type=SEED, metavar="N", help="Which deals and candidates. Drawn and shown if not given.")
@workers_option
@click.option("--out", type=Target(".toml"), metavar="FILE.toml", required=True, help="Where to write what is found.")
def tune(
    strategy: str,
    rules: str,
    settings: tuple[str, ...],
    against: tuple[str, ...],
    only: tuple[str, ...],
    matches: int | None,
    generations: int | None,
    minutes: float | None,
    compared: int | None,
    step: float | None,
    seed: int | None,
    workers: int | str,
    out: Path,
) -> None:
    """Search a player's parameters for your rules and opponents.

    CMA-ES lets generations of candidates play mirrored matches on common deals against every opponent and against STRATEGY
    as it is. What is found is then compared with STRATEGY on other deals, and written with the gain and its interval:
    STRATEGY:params=FILE.toml plays it. The same command writes the same file, with any number of workers (the file names
    a command with --generations where there were --minutes). Ctrl-C writes what has been found by then, not compared.
    """
    from ginsim import tuning
    from ginsim.api import version
    from ginsim.randomness import draw_seed
    from ginsim.rules import load
    from ginsim.runner import cores
    from ginsim.simulation import BrokenOff
    from ginsim.store import write_whole

    try:
        found = tuning.tune(
            load(rules, settings),
            strategy,
            against,
            only=only,
            matches=tuning.MATCHES if matches is None else matches,
            generations=generations,
            minutes=minutes,
            compared=tuning.COMPARED if compared is None else compared,
            step=tuning.STEP if step is None else step,
            seed=draw_seed() if seed is None else seed,
            workers=cores() if workers == "auto" else int(workers),
            progress=True,
        )
    except BrokenOff:
        click.echo("Stopped before the end of the first generation; nothing is written.", err=True)
        raise click.exceptions.Exit(Interrupted.exit_code) from None
    write_whole(out, lambda path: path.write_text(tuning.as_toml(found, version()), encoding="utf-8"))
    if found.interrupted:
        click.echo(f"Stopped after {found.generations} generations; what they found is in {out}, not compared.", err=True)
        raise click.exceptions.Exit(Interrupted.exit_code)
    _report(found, out)


def _report(found: Tuning, out: Path) -> None:
    from rich.table import Table

    from ginsim.repeat import rules_words

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("net points a match against", overflow="fold")
    for column in ("before", "after", "gain"):
        table.add_column(column, justify="right")
    table.add_column("95 %")
    for gain in found.gains:
        low, high = gain.interval.low, gain.interval.high
        between = "n/a" if low is None or high is None else f"({low:+.2f} to {high:+.2f})"
        table.add_row(gain.opponent, *(f"{value:+.2f}" for value in (gain.before, gain.after, gain.gain)), between)
    verdict = "It is better." if found.is_better else "That it is better is not shown."
    play = ["ginsim", "simulate", *rules_words(found.rules), "--strategy", f"{found.player.name}:params={out}"]
    show(
        f"{found.player.spec} · rules {found.rules.name} · {found.generations} generations · seed {found.seed}\n",
        table,
        f"\n{verdict} Compared on {found.compared:,} matches against each.\n",
        f"  Play it: {shlex.join(play)}",
        f"  Again:   {found.command()} --out {shlex.quote(str(out))}",
    )
