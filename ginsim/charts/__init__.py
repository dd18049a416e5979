"""Documents to pictures: what a report, or another JSON-able document of this package, looks like.

:func:`pictures` gives the drawings that belong to a document, each with a caption that says what there is to see in it;
:func:`save` puts them on one sheet. They are drawn with Altair and written by vl-convert, which asks nothing of the network.
``drawing`` has what all pictures share; there is one module for each kind of document. Nothing here estimates anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from ginsim.charts.drawing import COLOURS, FONT, Picture
from ginsim.charts.sheet import sheet, to_svg
from ginsim.errors import UsageError
from ginsim.store import write_whole

ENDINGS = (".svg", ".png")
"""Of the files that :func:`save` writes."""

SHARPNESS = 2
"""Pixels of a PNG for each of the drawing."""

_KINDS = {
    "ginsim.report": "ginsim.charts.runs",
    "ginsim.odds": "ginsim.charts.odds",
    "ginsim.comparison": "ginsim.charts.comparison",
    "ginsim.knock-chart": "ginsim.charts.knocks",
    "ginsim.tournament": "ginsim.charts.tournament",
}
"""The module for each kind of document, by its schema without the number."""

__all__ = ["COLOURS", "ENDINGS", "FONT", "Picture", "pictures", "save", "to_svg"]


def pictures(document: Mapping[str, Any]) -> list[Picture]:
    """The pictures of a document, those first that say most. What has no values has no picture.

    Raises:
        UsageError: there are no pictures of such a document.
    """
    return _module(document).pictures(document)


def save(document: Mapping[str, Any], path: str | Path) -> None:
    """Write all pictures of a document to one file, whole or not at all.

    Args:
        path: ends in ``.svg`` or ``.png``; see :func:`ginsim.store.check_target`.

    Raises:
        UsageError: there is nothing to draw.
        GinsimError: the file could not be written.
    """
    import vl_convert

    every = pictures(document)
    if not every:
        raise UsageError("there is nothing to draw: no figure has a value.")
    path = Path(path)
    drawn = sheet(*_module(document).heading(document), every)
    content = vl_convert.svg_to_png(drawn, scale=SHARPNESS) if path.suffix.lower() == ".png" else drawn.encode()
    write_whole(path, lambda temporary: temporary.write_bytes(content))


def _module(document: Mapping[str, Any]) -> Any:
    kind = str(document.get("schema")).partition("/")[0]
    if kind not in _KINDS:
        raise UsageError(f"there are no pictures of a document {document.get('schema')!r}.")
    return import_module(_KINDS[kind])
