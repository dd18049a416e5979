"""Numbers to text: the report of a run as a dict, and that dict as a screen, JSON, CSV or Markdown.

:func:`document` puts together what is known of a run; :func:`render` shows it. ``contents`` says which figures stand where and
what they are called, ``figures`` how a number is written, ``screen`` and ``files`` lay them out. ``tournament`` does all that for a
tournament. Nothing here estimates anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from ginsim.report.files import to_csv, to_json, to_markdown
from ginsim.report.screen import to_screen
from ginsim.report.tournament import TOURNAMENT_SCHEMA, render_tournament

SCHEMA = "ginsim.report/1"
Format = Literal["table", "json", "csv", "markdown"]
FORMATS: tuple[Format, ...] = get_args(Format)

__all__ = ["FORMATS", "SCHEMA", "TOURNAMENT_SCHEMA", "Format", "document", "render", "render_tournament"]


def document(
    summary: Mapping[str, Any],
    *,
    version: str,
    command: str,
    rules: str,
    players: Sequence[Mapping[str, str]],
    seed: int,
    unit: str,
    plan: Mapping[str, Any],
    seconds: float | None = None,
    hash: str | None = None,
    until: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The report of a run, JSON-able.

    Args:
        summary: from :func:`ginsim.statistics.summarize`.
        version: of ginsim.
        command: the command that repeats the run.
        rules: what the rules are called.
        players: one dict a seat: ``seat``, ``strategy`` and ``describes``, how it plays in a few words.
        unit: ``hands`` or ``matches``.
        plan: everything that the results depend on.
        seconds: how long it took, where it was played just now.
        hash: of the table, where it is stored.
        until: where and why it stopped, if it was played until something was tight (see :func:`ginsim.until.said`).
    """
    return {
        "schema": SCHEMA,
        "ginsim": version,
        "command": command,
        "rules": rules,
        "players": [dict(player) for player in players],
        "seed": seed,
        "unit": unit,
        "seconds": seconds,
        "hash": hash,
        "until": dict(until) if until else None,
        "plan": dict(plan),
        **summary,
    }


def render(
    document: Mapping[str, Any],
    format: Format = "table",
    *,
    width: int | None = None,
    terminal: bool = False,
    hints: Sequence[str] = (),
) -> str:
    """The report as text that ends in a line feed.

    Args:
        width: columns that a table may take; None for as many as it wants.
        terminal: whether a person looks at it: with colours, and sparklines where there is room.
        hints: what to try next, a line each, above the command that repeats the run; in tables only.
    """
    match format:
        case "json":
            return to_json(document)
        case "csv":
            return to_csv(document)
        case "markdown":
            return to_markdown(document)
        case "table":
            return to_screen(document, width=width, terminal=terminal, hints=hints)
    raise ValueError(f"{format!r} is none of {', '.join(FORMATS)}")
