"""``ginsim compare``."""

from __future__ import annotations

from typing import Any

import click

from ginsim.cli.options import COUNT, SEED, format_option, set_option, show_foretold, show_report, workers_option
from ginsim.errors import UsageError


@click.command(
    epilog="""\b
    Examples:
      ginsim compare --vary gin_bonus=20,25 --vary undercut_bonus=10,25 --seed 1
      ginsim compare --rules hollywood --rules hollywood-20 --rules my.toml --matches 100k
      ginsim compare --vary gin_bonus=20,25 --strategy expert --hands 1m --out runs/bonus
      ginsim compare --rules eaai --player simple:knock=0 --player patient --against simple --matches 100k
      ginsim compare --vary knock_limit=5,10 --until "gin_rate±0.0005" --hands 10m
      ginsim compare runs/first runs/twenty"""
)
@click.argument("folders", metavar="[DIR]...", nargs=-1, type=click.Path())
@click.option(
    "--rules",
    metavar="NAME|FILE.toml",
    multiple=True,
    help="Rules to compare: a name that `ginsim rules` lists, or a file of your own. Repeat for more.  [default: hollywood]",
)
@click.option(
    "--vary",
    metavar="FIELD=V1,V2,…",
    multiple=True,
    help="Values of a field of the rules to compare. Repeat for more fields; all are crossed.",
)
@set_option
@click.option("--hands", type=COUNT, metavar="N", help="Play N single hands of each. Without --hands or --matches: a million.")
@click.option("--matches", type=COUNT, metavar="N", help="Play N whole matches of each instead.")
@click.option(
    "--strategy",
    "strategies",
    metavar="NAME[:KEY=VALUE,…]|SPEC",
    multiple=True,
    help="Who plays, in every variant: once for all seats, or once a seat in order.  [default: simple]",
)
@click.option(
    "--player",
    "players",
    metavar="NAME[:KEY=VALUE,…]|SPEC",
    multiple=True,
    help="Players to compare, each against itself or --against another. Repeat for more; crossed with the rules.",
)
@click.option("--against", metavar="NAME[:KEY=VALUE,…]|SPEC", help="Whom each --player meets, on mirrored deals.")
@click.option("--reference", metavar="VARIANT", help="Which variant all are compared with: its name, as 25/10. By default the first.")
@click.option("--seed", type=SEED, metavar="N", help="Which deals: any number from 0 to 2^64 - 1. Drawn and shown if not given.")
@click.option("--mirror", is_flag=True, help="Play each deal twice, with A and B exchanged.")
@click.option("--until", metavar="STATISTIC±W", help="Stop when a statistic's differences are so tight, as \"gin_rate±0.0005\" (or +-).")
@click.option("--plan-only", is_flag=True, help="Say about how many --until takes, from a small pilot; play nothing else.")
@click.option("--out", type=click.Path(), metavar="DIR", help="Store each variant as a run in a folder of its own in there.")
@workers_option
@format_option("table", "json", "csv", "markdown")
def compare(folders: tuple[str, ...], output_format: str, plan_only: bool, **asked: Any) -> None:
    """Compare rules and players on the same deals.

    Every combination of --rules, --vary and --player is played, and each is compared with the reference hand by hand, which takes far
    fewer hands than separate runs. Differences come with 95 % intervals; which of them are no accident is told with regard to how
    many comparisons there are, and for the others how many more hands would settle them.

    With folders, runs that are stored already are compared: in pairs where they dealt the same.
    """
    if folders:
        show_report(_stored(folders, plan_only, asked), output_format)
        return
    from ginsim.comparison import compare, foretell

    if plan_only and asked["until"] is None:
        raise UsageError("--plan-only says how many a precision takes: name it with --until \"gin_rate±0.0005\".")
    question = {name: value for name, value in asked.items() if name != "out"} | {
        "rules": asked["rules"] or "hollywood",
        "vary": _varied(asked["vary"]),
        "settings": dict(map(_set, asked["settings"])),
        "strategies": asked["strategies"] or "simple",
    }
    if plan_only:
        show_foretold(foretell(**question), output_format)
        return
    show_report(compare(**question, out=asked["out"], progress=True), output_format)


def _stored(folders: tuple[str, ...], plan_only: bool, asked: dict[str, Any]) -> Any:
    given = [name for name, value in asked.items() if value and name not in ("reference", "workers")]
    if given or plan_only:
        names = {"strategies": "strategy", "players": "player", "settings": "set"}
        option = "plan-only" if plan_only else names.get(given[0], given[0])
        raise UsageError(f"--{option} does not go with folders: stored runs are compared as they are.")
    from ginsim.comparison import compare_runs

    return compare_runs(folders, reference=asked["reference"])


def _varied(texts: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not (equals and name.strip() and all(value.strip() for value in values.split(","))):
            raise UsageError(f"--vary '{text[:60]}': must be FIELD=V1,V2,…, such as gin_bonus=20,25.")
        if name.strip() in found:
            raise UsageError(f"--vary {name.strip()} stands twice: name all its values at once.")
        found[name.strip()] = [value.strip() for value in values.split(",")]
    return found


def _set(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise UsageError(f"--set '{text[:60]}': must be FIELD=VALUE, such as gin_bonus=20.")
    return name.strip(), value.strip()
