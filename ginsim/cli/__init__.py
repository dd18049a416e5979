"""The command ``ginsim``: one file a verb, each imported only when it is used, so that ``ginsim --help`` stays quick.

What goes wrong is one line on stderr, with exit code 2 for a wrong use and 1 for a failure; an interrupt is 130, being told to
end 143, and a reader that went away (``| head``) ends the command as it ends others: quietly, with 141.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import IO, Any

import click

from ginsim.errors import GinsimError, Interrupted

PIPE_CLOSED = 141
PATIENCE = 2.0
"""Seconds that a command has to end in good order after an interrupt, before the next one ends the process."""

VERBS = {
    "simulate": ("ginsim.cli.simulate:simulate", "Play hands or matches by the million and report the odds."),
    "tournament": ("ginsim.cli.tournament:tournament", "Play a round robin: who beats whom, and by how much."),
    "report": ("ginsim.cli.report:report", "Report the odds from a stored run."),
    "compare": ("ginsim.cli.compare:compare", "Compare rules and players on the same deals."),
    "knock-chart": ("ginsim.cli.knock_chart:knock_chart", "Show when to knock and when to play on."),
    "resume": ("ginsim.cli.resume:resume", "Play what a stored run still lacks."),
    "check": ("ginsim.cli.check:check", "Look whether a stored run is whole."),
    "merge": ("ginsim.cli.merge:merge", "Join parts of one run that were played apart."),
    "export": ("ginsim.cli.export:export", "Write a table of a stored run as CSV, Parquet or NDJSON."),
    "replay": ("ginsim.cli.replay:replay", "Tell a hand turn by turn, or check a history."),
    "melds": ("ginsim.cli.melds:melds", "Show how ten cards meld, or what each discard of eleven leaves."),
    "showdown": ("ginsim.cli.showdown:showdown", "Show who scores what after a knock, with which layoffs, and why."),
    "score": ("ginsim.cli.score:score", "Keep the score of a game, a series or a three-handed game."),
    "odds": ("ginsim.cli.odds:odds", "Count the deadwood of every hand there is."),
    "deals": ("ginsim.cli.deals:deals", "Write the cards that a seed deals, one deal a line."),
    "strategies": ("ginsim.cli.strategies:strategies", "List the players, show one, or put one to the test."),
    "tune": ("ginsim.cli.tune:tune", "Search a player's parameters for your rules and opponents."),
    "rules": ("ginsim.cli.rules:rules", "List the rule sets, show one in full, or show where two differ."),
}
"""Each verb's place, and the first sentence of its help."""


class _OneLine(click.ClickException):
    """A message for stderr: what is wrong, and for some mistakes where to read on. Only ``notes`` are lines of their own below it."""

    def __init__(self, message: str, exit_code: int, read_on: str = "", notes: Iterable[str] = ()) -> None:
        super().__init__("\n".join([" ".join(f"{message} {read_on}".split()), *(f"  {note}" for note in notes)]))
        self.exit_code = exit_code  # type: ignore[misc]


class _Verbs(click.Group):
    """A group whose commands are known by name and first sentence until one of them is used."""

    def __init__(self, **settings: Any) -> None:
        known = {name: click.Command(name, short_help=sentence) for name, (_, sentence) in VERBS.items()}
        super().__init__(commands=known, **settings)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, in the order people need them."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb asked for, imported."""
        name, known, rest = super().resolve_command(ctx, args)
        if name is None or known is None:
            return name, known, rest
        module, attribute = VERBS[name][0].split(":")
        return name, getattr(import_module(module), attribute), rest

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the arguments in front of the verb."""
        with _said_in_a_line():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb."""
        with _said_in_a_line():
            return super().invoke(ctx)


@contextmanager
def _said_in_a_line() -> Iterator[None]:
    """Turn everything that may be expected to happen into an exit code and at most a line or two."""
    try:
        try:
            yield
        finally:
            _flush(sys.stdout)
    except (KeyboardInterrupt, Interrupted) as stopped:
        click.echo(str(stopped) or "Stopped.", err=True)
        raise click.exceptions.Exit(_stops.exit_code) from None
    except BrokenPipeError:
        _leave_unwritten()
        raise click.exceptions.Exit(PIPE_CLOSED) from None
    except GinsimError as error:
        # Only an error in a user's own player has more to tell than a line.
        raise _OneLine(str(error), error.exit_code, notes=getattr(error, "__notes__", ())) from error
    except OSError as error:
        _leave_unwritten()
        place = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        raise _OneLine(f"{place}{error.strerror or error}.", GinsimError.exit_code) from error
    except (_OneLine, click.exceptions.NoArgsIsHelpError):
        raise
    except click.UsageError as error:
        # A bad value says itself what would be right; for the rest the help does.
        clear = isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter)
        help_text = "" if clear or error.ctx is None else f"Try '{error.ctx.command_path} --help'."
        raise _OneLine(error.format_message(), error.exit_code, help_text) from error


def _flush(stream: IO[str] | None) -> None:
    if stream is not None and not stream.closed:
        stream.flush()


def _leave_unwritten() -> None:
    """Drop what cannot be written, or the interpreter would try once more at its end and complain."""
    for stream in (sys.stdout, sys.stderr):
        try:
            _flush(stream)
        except OSError:
            try:
                place = stream.fileno()
            except io.UnsupportedOperation:
                continue
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, place)
            os.close(nowhere)


def _show_version(ctx: click.Context, option: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("ginsim")
    except PackageNotFoundError:
        number = "unknown"
    click.echo(f"ginsim {number}")
    ctx.exit()


@click.group(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
    Example:
      ginsim simulate --hands 1e6 --seed 1""",
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version and exit."
)
def cli() -> None:
    """Play gin rummy and its variants by the million, keep every outcome, and report the odds."""


class _Stops:
    """What Ctrl-C and ``kill`` do: the first ends the command in good order; those that follow at once change nothing about it."""

    def __init__(self) -> None:
        self.first: float | None = None
        self.exit_code = 128 + signal.SIGINT

    def __call__(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        # The compiler calls back into Python, and an exception there is told at length and then lost.
        if self.first is None and not _is_compiling(frame):
            self.first = now
            self.exit_code = 128 + number
            _remind()
            raise KeyboardInterrupt
        if self.first is None or now - self.first > PATIENCE:
            programs = sys.modules.get("ginsim.strategies.process")
            if programs is not None:
                programs.kill_all()
            os._exit(128 + number)


def _remind() -> None:
    """Say what helps, where a stop takes long: a player that sleeps in this very process cannot be woken."""
    reminder = threading.Timer(2 * PATIENCE, click.echo, ("Still not at an end: Ctrl-C once more ends it at once.",), {"err": True})
    reminder.daemon = True
    reminder.start()


_stops = _Stops()


def _is_compiling(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] in ("numba", "llvmlite"):
            return True
        frame = frame.f_back
    return False


def main() -> None:
    """What the installed command runs."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stops)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal or a pipe without the character for a suit or a bar gets a question mark, not a traceback.
        sys.stdout.reconfigure(errors="replace")
    cli(prog_name="ginsim")
