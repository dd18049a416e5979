"""A comparison as a screen, JSON, CSV or Markdown, from its dict alone (see :func:`ginsim.comparison.document.document`).

``contents`` says what stands where and in which words, ``screen`` and ``files`` lay it out. Nothing here estimates anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginsim.report import Format
from ginsim.report.comparison.files import to_csv, to_markdown
from ginsim.report.comparison.screen import to_screen
from ginsim.report.files import to_json

__all__ = ["render"]


def render(
    document: Mapping[str, Any], format: Format = "table", *, width: int | None = None, terminal: bool = False
) -> str:
    """The comparison as text that ends in a line feed.

    Args:
        width: columns that a table may take; None for as many as it wants.
        terminal: whether a person looks at it, who sees colours.
    """
    match format:
        case "json":
            return to_json(document)
        case "csv":
            return to_csv(document)
        case "markdown":
            return to_markdown(document)
    return to_screen(document, width=width, terminal=terminal)
