"""Drawings as they stand in a page."""

from __future__ import annotations

import re
from html import escape

from ginsim.charts import Picture, to_svg

_OPENING = re.compile(r"<svg [^>]*?(viewBox=\"[^\"]*\")>")
_MORE = "All its numbers are in the table that follows."
_FONT = re.compile(r' font-family="[^"]*"')


def inline(picture: Picture) -> str:
    """The drawing for a page: with its words for those who do not see it, as wide as there is room, in the page's font."""
    title, words = (f"{picture.name}-{part}" for part in ("title", "words"))
    opening = (
        f'<svg class="drawing" {{}} role="img" aria-labelledby="{title}" aria-describedby="{words}"><title id="{title}">'
        f'{escape(picture.title)}</title><desc id="{words}">{escape(picture.caption)} {_MORE}</desc>'
    )
    return _OPENING.sub(lambda found: opening.format(found[1]), _FONT.sub("", to_svg(picture)), count=1)
