"""A part of a run's hands, and hands by the values of a column: the same tally of each, chunk by chunk.

What is independent stays what it is: of a run of matches the selected hands of one match are one cluster, of mirrored hands those of a
pair. Figures of whole matches do not belong to single hands and are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import polars as pl

from ginsim.errors import UsageError
from ginsim.records import Column, Layout
from ginsim.statistics.summary import summarize
from ginsim.statistics.tally import Tally

MOST_VALUES = 52
"""A column with more values than this is put into bins."""
BINS = 20
"""At most so many bins."""

_FUNCTIONS = ("abs", "cast", "coalesce", "concat", "greatest", "if", "least", "length", "lower", "mod", "nullif", "substr", "upper")
_WORDS = ("and", "between", "case", "else", "from", "in", "not", "or", "then", "when", "where")
_QUOTED = re.compile(r"'(?:[^']|'')*'")
_CALL = re.compile(r'(\w+|")\s*\(')
_KEPT, _GROUP = "kept by where", "group by"

Parts = Callable[[], Iterable[pl.DataFrame]]
"""The chunks of the hands table, in order, as often as it is called."""


def split_report(
    parts: Parts, layout: Layout, mirror: bool, *, where: str | None = None, by: str | None = None
) -> dict[str, Any]:
    """The figures of selected hands, and of each value of a column.

    Args:
        where: a condition on the columns of a hand, in SQL as Polars reads it; it is never evaluated as Python. Seats, cards and endings are
            texts there.
        by: a column of the hands table.

    Returns:
        What :func:`summarize` gives of the selected hands, and

        - ``selection``: ``where``, ``hands`` (how many are selected) and ``of`` (how many there are);
        - ``by``, only where asked for: ``column``, ``width`` (of bins; null where every value stands alone), and ``groups`` in the order of
          values, null last. A group has ``value`` (of a bin the least) and what :func:`summarize` gives of its hands.

    Raises:
        UsageError: no such column, one that every hand has a value of its own in, or a condition that cannot be read.
    """
    condition = None if where is None else _Condition(where, layout)
    column = None if by is None else _column(by, layout)
    width = None if column is None or column.words else _width(parts, condition, column)
    whole, every = Tally(), 0
    groups: dict[Any, Tally] = defaultdict(Tally)
    for part in parts():
        every += len(part)
        rows = part if condition is None else condition.of(part)
        whole += Tally.of({"hands": rows}, layout, mirror)
        if column is not None and len(rows):
            value = pl.col(column.name)
            key = value.cast(pl.Int64).floordiv(width) * width if width else value
            for (found,), group in rows.with_columns(key.alias(_GROUP)).partition_by(
                _GROUP, as_dict=True, maintain_order=True, include_key=False
            ).items():
                groups[found] += Tally.of({"hands": group}, layout, mirror)
    summary = summarize(whole, layout)
    selection = {"where": where, "hands": summary["hands"], "of": every}
    if column is None:
        return {**summary, "selection": selection}
    order = {word: place for place, word in enumerate(column.words or ())}
    values = sorted(groups, key=lambda value: (value is None, order.get(value, value)))
    return {
        **summary,
        "selection": selection,
        "by": {
            "column": column.name,
            "width": width,
            "groups": [{"value": value, **summarize(groups[value], layout)} for value in values],
        },
    }


@dataclass(frozen=True)
class _Condition:
    """Which hands are selected."""

    where: str
    layout: Layout

    def __post_init__(self) -> None:
        for name in _CALL.findall(_QUOTED.sub("''", self.where)):
            if name.lower() not in _FUNCTIONS + _WORDS:
                # Anything that looks at several hands would see a chunk of them.
                raise self._error(f"{name}(…) is none of the functions of one hand: {', '.join(_FUNCTIONS)}")
        self._expression  # noqa: B018 - to fail before anything is read
        columns = self.layout.columns("hands")
        found = self._type(pl.DataFrame(schema={column.name: column.polars for column in columns}))
        if found != pl.Boolean:
            raise self._error(f"it is a value ({found}) and no condition, such as draws > 20")

    @property
    def _expression(self) -> pl.Expr:
        if not self.where.strip():
            raise self._error("it is empty")
        try:
            return pl.sql_expr(self.where)
        except pl.exceptions.PolarsError as error:
            raise self._error(_said(error)) from None

    def _told(self, frame: pl.DataFrame) -> pl.LazyFrame:
        """The frame with words as texts and numbers that can be less than nothing, as SQL has them: a stored 3 - 5 would be 254."""
        columns = [column for column in self.layout.columns("hands") if column.name in self.where]
        wide = [pl.col(column.name).cast(pl.String if column.words else pl.Int64) for column in columns]
        return frame.lazy().with_columns(wide).with_columns(self._expression.alias(_KEPT))

    def _type(self, empty: pl.DataFrame) -> pl.DataType:
        try:
            return self._told(empty).collect_schema()[_KEPT]
        except pl.exceptions.PolarsError as error:
            raise self._error(_said(error), error) from None

    def of(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows for which it is true."""
        try:
            kept = self._told(frame).select(_KEPT).collect()[_KEPT]
        except pl.exceptions.PolarsError as error:
            raise self._error(_said(error), error) from None
        return frame.filter(kept)

    def _error(self, reason: str, cause: Exception | None = None) -> UsageError:
        if isinstance(cause, pl.exceptions.ColumnNotFoundError):
            reason = f"{reason.partition(';')[0]}; {_known(self.layout)}"
        return UsageError(f"where {self.where[:200]!r}: {reason.rstrip('.')}.")


def _said(error: Exception) -> str:
    """What Polars says, in a line."""
    return " ".join(str(error).partition("\n")[0].split())


def _known(layout: Layout) -> str:
    return f"the columns are {', '.join(column.name for column in layout.columns('hands'))}"


def _column(name: str, layout: Layout) -> Column:
    columns = {column.name: column for column in layout.columns("hands")}
    if name not in columns:
        near = get_close_matches(name, columns, n=1)
        hint = f"Did you mean {near[0]}? " if near else ""
        raise UsageError(f"by {name[:60]!r}: hands have no such column. {hint}{_known(layout).capitalize()}.")
    if name == layout.unit.removesuffix("es").removesuffix("s"):
        raise UsageError(f"by {name}: every {name} has its own number; {_known(layout)}.")
    return columns[name]


def _width(parts: Parts, condition: _Condition | None, column: Column) -> int | None:
    """The width of the bins of a column of whole numbers; None where it has few enough values."""
    found: set[int] = set()
    for part in parts():
        rows = part if condition is None else condition.of(part)
        found.update(value for value in rows[column.name].unique().to_list() if value is not None)
    if len(found) <= MOST_VALUES:
        return None
    width = 1
    while max(found) // width - min(found) // width >= BINS:
        # 1, 2, 5, 10, 20, 50, …
        width = width * 5 // 2 if str(width)[0] == "2" else width * 2
    return width
