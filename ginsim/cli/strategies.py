"""``ginsim strategies``: what players there are, what one is, and whether it keeps the contract."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import COUNT, SEED, format_option, show
from ginsim.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from ginsim.contract import Check
    from ginsim.strategies import Called, Strategy

_FORMS = {
    "file.py:NAME": "a class in plain Python, or a compiled player, in a file of your own: `ginsim strategies python`",
    "package.module:NAME": "the same in a module that can be imported",
    "exec:COMMAND": "another program: `ginsim strategies exec`",
}
_CHECK = "check"


@click.command(
    epilog="""\b
    Examples:
      ginsim strategies
      ginsim strategies simple
      ginsim strategies my_bot.py:MyBot
      ginsim strategies check my_bot.py:MyBot
      ginsim strategies exec""",
)
@click.argument("words", metavar="[NAME | SPEC | python | exec | check SPEC]", nargs=-1)
@click.option("--hands", type=COUNT, metavar="N", help="With check: about how many hands each check plays. By default 100.")
@click.option("--seed", type=SEED, metavar="N", help="With check: which hands. By default those of seed 1.")
@format_option("table", "json")
def strategies(words: tuple[str, ...], hands: int | None, seed: int | None, output_format: str) -> None:
    """List the players, show one, or put one to the test.

    Without a word, the players that come with ginsim. With a name, or the SPEC of a player of one's own, what it does and
    which parameters it has. `python` and `exec` say how to write one, in Python or as a program in any language.

    `check SPEC` plays some hands and sees whether the player is legal under all rules, comes to an end, plays the same under
    the same seed, is blind to hidden cards, and is honest about whether its play depends on the scoring. It fails with
    exit code 1, and says with which seed and hand that can be seen.
    """
    checking = bool(words) and words[0] == _CHECK
    if len(words) != 2 if checking else len(words) > 1:
        raise UsageError("check takes one player: ginsim strategies check SPEC." if checking else "name one player, or none.")
    if not checking and (hands is not None or seed is not None):
        raise UsageError("--hands and --seed go with check.")
    as_json = output_format == "json"
    if checking:
        _check(words[1], hands, seed, as_json)
    elif not words:
        _list(as_json)
    elif words[0] in ("python", "exec"):
        _explain(words[0])
    else:
        _show(words[0], as_json)


def _list(as_json: bool) -> None:
    from ginsim.strategies import names, parse, strategy

    known = []
    for name in names():
        player = parse(name)
        words = strategy(name).describe(dict(player.parameters))
        known.append({"name": name, "version": player.version, "description": words, "from": "ginsim"})
    if as_json:
        _print_json(known)
        return
    table = _table("name", "how it plays")
    for one in known:
        table.add_row(one["name"], one["description"])
    for form, words in _FORMS.items():
        table.add_row(form, words)
    show(table, "\nOne in full: ginsim strategies NAME    Put to the test: ginsim strategies check NAME")


def _show(spec: str, as_json: bool) -> None:
    from ginsim.strategies import find, parse

    player = parse(spec)
    found = find(player)
    given = dict(player.parameters)
    parameters = _parameters(found, given)
    about = inspect.cleandoc(found.document)
    if as_json:
        _print_json(
            {
                "name": player.name,
                "version": player.version,
                "from": _origin(found, player.is_own),
                "source": player.source,
                "uses_scoring": found.uses_scoring,
                "parameters": parameters,
                "document": about,
            }
        )
        return
    scoring = {True: "depends on bonuses or scores", False: "does not depend on bonuses and scores", None: "it does not say"}
    facts = _table("", "")
    facts.show_header = False
    facts.add_row("from", _origin(found, player.is_own))
    facts.add_row("version", "-" if player.version is None else str(player.version))
    if player.source:
        facts.add_row("source", player.source)
    facts.add_row("its play", scoring[found.uses_scoring])
    parts: list[Any] = [player.spec, "", *([about, ""] if about else []), facts]
    if parameters:
        table = _table("parameter", "value", "default", "meaning")
        for each in parameters:
            table.add_row(each["name"], *(_written(each[key]) for key in ("value", "default")), each["meaning"])
        parts += ["", table]
    show(*parts)


def _parameters(found: Strategy | Called, given: dict[str, Any]) -> list[dict[str, Any]]:
    from ginsim.strategies import Called

    if isinstance(found, Called):
        known = {**(found.parameters or {}), **{name: None for name in given if name not in (found.parameters or {})}}
        return [
            {"name": name, "value": given.get(name, default), "default": default, "meaning": ""}
            for name, default in known.items()
        ]
    return [
        {
            "name": each.name,
            "value": given.get(each.name, each.default),
            "default": each.default,
            "meaning": f"{each.meaning} [{each.bounds}]",
        }
        for each in found.parameters
    ]


def _origin(found: Strategy | Called, is_own: bool) -> str:
    from ginsim.strategies import Called

    if isinstance(found, Called):
        return found.kind
    return "compiled functions of your own" if is_own else "ginsim"


def _explain(form: str) -> None:
    if form == "exec":
        from ginsim.strategies.process import PROTOCOL

        click.echo(PROTOCOL, nl=False)
        return
    from ginsim.strategies.view import MANUAL

    click.echo(MANUAL, nl=False)


def _check(spec: str, hands: int | None, seed: int | None, as_json: bool) -> None:
    from ginsim.contract import HANDS, check
    from ginsim.runner import announce_compiling

    seed = 1 if seed is None else seed
    announce_compiling()
    results: list[Check] = []
    for result in check(spec, HANDS if hands is None else hands, seed):
        results.append(result)
        if not as_json:
            show(f"{'✓' if result.passed else '✗'} {result.name}: {result.detail}")
    passed = all(result.passed for result in results)
    if as_json:
        checks = [{"check": each.name, "passed": each.passed, "detail": each.detail} for each in results]
        _print_json({"strategy": spec, "seed": seed, "passed": passed, "checks": checks})
    if not passed:
        raise click.exceptions.Exit(1)


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for place, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=place == 0)
    return table


def _written(value: object) -> str:
    if value is None:
        return "-"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _print_json(content: object) -> None:
    click.echo(json.dumps(content, indent=2, ensure_ascii=False))
