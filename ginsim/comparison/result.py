"""What a comparison gives back."""

from __future__ import annotations

from typing import Any

from ginsim.report.comparison import render
from ginsim.report import Format


class Comparison:
    """Variants that have been compared."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document

    def __repr__(self) -> str:
        return f"<Comparison: {len(self._document['variants'])} variants, {self._document['command']}>"

    def report(self) -> dict[str, Any]:
        """Everything that is known of it, ready for JSON (see :func:`ginsim.comparison.document.document`)."""
        return self._document

    def show(self, format: Format = "table", *, width: int | None = None, terminal: bool = False) -> str:
        """The comparison as text: a table, JSON, CSV or Markdown, fit to ``width`` columns."""
        return render(self._document, format, width=width, terminal=terminal)
