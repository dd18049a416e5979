"""A document as one page of HTML that can be mailed: tables, pictures, what was played and how to repeat it.

The page holds all it shows: no script, nothing fetched. Its colours come from its style sheet alone, for light, dark and paper;
each drawing's own are found there by their values (:data:`ginsim.charts.COLOURS`). ``content`` says what can stand on one,
``run`` and ``comparison`` what does,
``page.html`` in which order, ``style.css`` how it looks. Every number stands in a ``data`` element with its exact value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from ginsim.charts import COLOURS, FONT, pictures
from ginsim.errors import UsageError
from ginsim.page.drawings import inline
from ginsim.report.layout import NO_BREAK
from ginsim.store import write_whole

_FOLDER = Path(__file__).parent
_KINDS = {"ginsim.report": "ginsim.page.run", "ginsim.comparison": "ginsim.page.comparison"}
"""The module for each kind of document, by its schema without the number."""
_INTERVAL = re.compile(r"\([^()–]*\d – [^()–]*\)")

ENDINGS = (".html",)
"""Of the files that :func:`write` writes."""

__all__ = ["ENDINGS", "to_html", "write"]


def to_html(document: Mapping[str, Any]) -> str:
    """The page of a document: of a run's report or of a comparison.

    Raises:
        UsageError: there is no page of such a document.
    """
    import jinja2

    kind = str(document.get("schema")).partition("/")[0]
    if kind not in _KINDS:
        raise UsageError(f"there is no page of a document {document.get('schema')!r}.")
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["unbroken"] = _unbroken
    return environment.get_template("page.html").render(
        content=import_module(_KINDS[kind]).content(document),
        pictures=[(picture, inline(picture)) for picture in pictures(document)],
        colours=COLOURS,
        font=FONT,
        style=(_FOLDER / "style.css").read_text(encoding="utf-8"),
    )


def _unbroken(text: str) -> Any:
    """Running text whose intervals, errors and percentages are not broken into lines."""
    from markupsafe import Markup, escape

    told = re.sub(" (?=[%±]|pp)|(?<=±) ", NO_BREAK, str(escape(text)))
    return Markup(_INTERVAL.sub(r'<span class="whole">\g<0></span>', told))


def write(document: Mapping[str, Any], path: str | Path) -> None:
    """Write the page of a document to a file, whole or not at all.

    Raises:
        UsageError: there is no page of such a document.
        GinsimError: the file could not be written.
    """
    text = to_html(document)
    write_whole(Path(path), lambda temporary: temporary.write_text(text, encoding="utf-8"))
