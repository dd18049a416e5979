"""A run that has been played, in memory or on disk: its rows and its report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from ginsim import charts, page
from ginsim import report as reports
from ginsim.errors import UsageError
from ginsim.plan import Plan
from ginsim.records import SEATS
from ginsim.repeat import repeat_command, report_command, version
from ginsim.runner import cores
from ginsim.statistics import Tally, split_report, summarize
from ginsim.store import Store, TableHash, check_target
from ginsim.tallying import stored_hash


@dataclass(repr=False)
class Run:
    """A simulation that has been played: its plan, what was counted, and its rows where they were kept.

    ``count`` is the number of hands or matches from number ``first`` on (with ``gaps``, once these are filled), ``seconds`` how
    long playing took, ``folder`` where the run is stored, ``gaps`` the chunks that it lacks in between, ``lacking`` how many hands
    or matches were asked for beyond its last, ``replaced`` those that were found damaged and played again,
    ``deals_file`` where given deals came from, ``until`` where and why it stopped (see :func:`ginsim.until.said`), if it was
    played until something was tight.
    """

    plan: Plan
    count: int
    tally: Tally
    seconds: float | None = None
    folder: Path | None = None
    frames: dict[str, pl.DataFrame] | None = None
    gaps: tuple[int, ...] = ()
    deals_file: str | None = None
    first: int = 0
    lacking: int = 0
    replaced: tuple[int, ...] = ()
    until: dict[str, Any] | None = None

    def __repr__(self) -> str:
        return f"<Run: {self.count:,} {self.plan.unit}, {self.command()}>"

    def scan(self, table: str = "hands") -> pl.LazyFrame:
        """A table of the run (``hands``, ``games`` or ``matches``), lazily.

        Raises:
            UsageError: the run has no such table, or its rows were not kept.
        """
        if self.folder is not None:
            return Store(self.folder, self.plan).scan(table)
        if self.frames is None:
            raise UsageError("this run kept no rows: simulate with out=… or keep=True.")
        if table not in self.frames:
            raise UsageError(f"this run has no table {table!r}; it has: {', '.join(self.frames)}.")
        return self.frames[table].lazy()

    def frame(self, table: str = "hands") -> pl.DataFrame:
        """A table of the run, in memory."""
        return self.scan(table).collect()

    def table_hash(self) -> str:
        """The hash of all rows in order, which depends on the plan and the count alone.

        Raises:
            UsageError: its rows were not kept.
        """
        if self.folder is not None:
            return stored_hash(Store(self.folder, self.plan), cores())
        content = TableHash(self.plan.layout)
        content.update({table: self.frame(table) for table in self.plan.layout.tables})
        return content.digest()

    def command(self) -> str:
        """The command that plays the same again."""
        return repeat_command(self.plan, self.count, self.folder, self.deals_file, self.first)

    def resume_command(self) -> str:
        """The command that plays what the stored run lacks."""
        if self.folder is None:
            raise UsageError("this run is not stored: there is nothing to resume.")
        return Store(self.folder, self.plan).resume_command

    def report(self, *, by: str | None = None, where: str | None = None, hashed: bool = True) -> dict[str, Any]:
        """Every figure of the run with its interval, ready for JSON (see :func:`ginsim.statistics.summarize`).

        Args:
            by: a column of the hands table: the figures also for each of its values (see :func:`ginsim.statistics.split_report`).
            where: a condition in SQL, such as ``"draws > 20"``: of the hands for which it is true.
            hashed: with the table hash, for which all rows are read once more; null where no rows were kept.

        Raises:
            UsageError: ``by`` or ``where`` where no rows were kept, or something that is wrong in them.
        """
        layout = self.plan.layout
        command = self.command()
        if by is None and where is None:
            summary = summarize(self.tally, layout)
        else:
            summary = split_report(self._hand_parts, layout, self.plan.mirror, by=by, where=where)
            if self.folder is not None:
                command = report_command(self.folder, by, where)
        return reports.document(
            summary,
            version=version(),
            command=command,
            rules=self.plan.rules.name,
            players=[
                {"seat": seat, "strategy": player.spec, "describes": player.description}
                for seat, player in zip(SEATS, self.plan.players, strict=False)
            ],
            seed=self.plan.seed,
            unit=self.plan.unit,
            plan=self.plan.as_dict(),
            seconds=self.seconds,
            hash=self.table_hash() if hashed and self._has_rows else None,
            until=self.until,
        )

    @property
    def _has_rows(self) -> bool:
        return self.frames is not None or (self.folder is not None and self.plan.keep == "rows")

    def _hand_parts(self) -> Iterable[pl.DataFrame]:
        """The rows of the hands, a chunk at a time where they are stored."""
        return [self.frame("hands")] if self.folder is None else Store(self.folder, self.plan).parts("hands")

    def show(
        self,
        format: reports.Format = "table",
        *,
        by: str | None = None,
        where: str | None = None,
        width: int | None = None,
        terminal: bool = False,
    ) -> str:
        """The report as text: a table, JSON, CSV or Markdown (see :meth:`report` and :func:`ginsim.report.render`)."""
        hints = [] if self.folder is not None else ["Keep every outcome: add --out DIR"]
        document = self.report(by=by, where=where, hashed=format == "json")
        return reports.render(document, format, width=width, terminal=terminal, hints=hints)

    def plot(self, path: str | Path) -> None:
        """Draw the report into a file: deadwood at the knock, length and points of hands, rates with intervals, games and series.

        Args:
            path: ends in ``.svg`` or ``.png``.

        Raises:
            UsageError: another ending, no such folder, or not one hand to draw.
            GinsimError: the file could not be written.
        """
        target = check_target(path, charts.ENDINGS)
        charts.save(self.report(hashed=False), target)

    def write_html(self, path: str | Path) -> None:
        """Write the report as one page that holds all it shows: tables, pictures, what was played, the command to repeat it.

        Args:
            path: ends in ``.html``.

        Raises:
            UsageError: another ending, or no such folder.
            GinsimError: the file could not be written.
        """
        target = check_target(path, page.ENDINGS)
        page.write(self.report(), target)
