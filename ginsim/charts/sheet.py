"""Pictures as SVG: one to stand in a page, or all of a document on a sheet of paper."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from html import escape
from typing import Any

from ginsim.charts.drawing import COLOURS, FONT, WIDTH, Picture, styled
from ginsim.report.layout import NO_BREAK

MOST_COLUMNS = 3
MARGIN = 28
GAP = 44
CAPTION_LETTERS = 60
_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"')


def to_svg(picture: Picture) -> str:
    """One picture without its title and caption, :data:`WIDTH` wide and without a background, to stand in a page."""
    return _drawn(picture.draw())


def sheet(title: str, lines: Sequence[str], pictures: Sequence[Picture]) -> str:
    """All pictures with their titles and captions beside and under each other, as an SVG.

    Args:
        title: of all.
        lines: under it.
    """
    columns = min(len(pictures), MOST_COLUMNS)
    drawn = [_drawn(_titled(picture)) for picture in pictures]
    sizes = [tuple(map(float, _SIZE.match(svg).groups())) for svg in drawn]  # type: ignore[union-attr]
    width = 2 * MARGIN + columns * WIDTH + (columns - 1) * GAP
    wrapped = [part for line in lines for part in textwrap.wrap(line, width // 7, break_on_hyphens=False)]
    parts = [_text(title, MARGIN + 22, 20, "ink", "bold")]
    parts += [_text(line, MARGIN + 44 + 18 * place, 12, "muted") for place, line in enumerate(wrapped)]
    top = MARGIN + 44 + 18 * len(wrapped) + 12
    for first in range(0, len(drawn), columns):
        row = range(first, min(first + columns, len(drawn)))
        for place in row:
            left = MARGIN + (place - first) * (WIDTH + GAP)
            parts.append(drawn[place].replace("<svg ", f'<svg x="{left}" y="{top}" ', 1))
        top += int(max(sizes[place][1] for place in row)) + GAP
    height = top - GAP + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}"><title>{escape(title)}</title>'
        f'<rect width="{width}" height="{height}" fill="{COLOURS["paper"]}"/>{"".join(parts)}</svg>\n'
    )


def _drawn(chart: Any) -> str:
    import vl_convert

    return vl_convert.vegalite_to_svg(styled(chart), allowed_base_urls=[])


def _titled(picture: Picture) -> Any:
    import altair as alt

    # Numbers stay together with their errors, intervals and units.
    caption = re.sub(" (?=[%±–]|pp)|(?<=[±–]) ", NO_BREAK, picture.caption)
    return picture.draw().properties(title=alt.Title(picture.title, subtitle=textwrap.wrap(caption, CAPTION_LETTERS)))


def _text(text: str, top: float, size: int, colour: str, weight: str = "normal") -> str:
    return (
        f'<text x="{MARGIN}" y="{top}" font-family="{FONT}" font-size="{size}px" font-weight="{weight}" '
        f'fill="{COLOURS[colour]}">{escape(text)}</text>'
    )
