"""``ginsim rules``: what rule sets there are, what one says, where two differ."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from ginsim.cli.options import format_option, set_option, show
from ginsim.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from ginsim.rules import Value


@click.command(
    epilog="""\b
    Example:
      ginsim rules
      ginsim rules hollywood --set gin_bonus=20
      ginsim rules hollywood my-house.toml""",
)
@click.argument("names", metavar="[NAME|FILE.toml] [NAME|FILE.toml]", nargs=-1)
@set_option
@format_option("table", "json")
def rules(names: tuple[str, ...], settings: tuple[str, ...], output_format: str) -> None:
    """List the rule sets, show one in full, or show where two differ.

    Without a name, the rule sets that come with ginsim. With one, everything it says, and what each field means. With
    two, the fields in which they differ.

    A rule file is TOML: fields such as gin_bonus = 20, and base = "hollywood" to start from other rules than gin.
    """
    if len(names) > 2:
        raise UsageError(f"{len(names)} rule sets: give none, one, or two to compare.")
    if settings and len(names) != 1:
        raise UsageError("--set changes one rule set: give just one name or file with it.")
    as_json = output_format == "json"
    if not names:
        _list(as_json)
    elif len(names) == 1:
        _show(names[0], settings, as_json)
    else:
        _compare(names[0], names[1], as_json)


def _list(as_json: bool) -> None:
    from ginsim.rules import description, preset_names

    known = {name: description(name) for name in preset_names()}
    if as_json:
        _print_json([{"name": name, "description": text} for name, text in known.items()])
        return
    table = _table("name", "what is played")
    for name, text in known.items():
        table.add_row(name, text)
    show(table, "\nOne in full: ginsim rules NAME    Where two differ: ginsim rules NAME NAME")


def _show(name: str, settings: tuple[str, ...], as_json: bool) -> None:
    from ginsim.rules import FIELDS, description, load

    found = load(name, settings)
    # What a rule set says of itself need not hold for a changed one.
    about_all = "" if settings else description(name)
    if as_json:
        _print_json({"name": found.name, "description": about_all, "rules": found.as_dict()})
        return
    table = _table("field", "value", "meaning")
    for field, value in found.as_dict().items():
        about = FIELDS[field]
        table.add_row(field, _written(value), f"{about.meaning} ({about.rule}) [{about.values()}]")
    show(": ".join(filter(None, (found.name, about_all))), "", table)


def _compare(first: str, second: str, as_json: bool) -> None:
    from ginsim.rules import FIELDS, differences, load

    differing = differences(load(first), load(second))
    if as_json:
        _print_json({"rules": [first, second], "differences": {field: list(both) for field, both in differing.items()}})
        return
    if not differing:
        show(f"{first} and {second} are the same rules.")
        return
    table = _table("field", first, second, "meaning")
    for field, both in differing.items():
        table.add_row(field, *map(_written, both), f"{FIELDS[field].meaning} ({FIELDS[field].rule})")
    show(table)


def _table(*columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for place, column in enumerate(columns):
        # Narrow terminals get more lines, never fewer characters; names of fields stay whole, to be copied.
        table.add_column(column, overflow="fold", no_wrap=place == 0)
    return table


def _written(value: Value) -> str:
    if value is None:
        return "-"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _print_json(content: object) -> None:
    click.echo(json.dumps(content, indent=2, ensure_ascii=False))
