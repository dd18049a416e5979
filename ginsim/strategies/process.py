"""Players that are other programs: the line protocol, and the processes that speak it."""

from __future__ import annotations

import atexit
import json
import os
import select
import shlex
import signal
import subprocess
import threading
import time
import weakref
from typing import Any

import numpy as np

from ginsim.rules import Rules
from ginsim.strategies.seated import CalledSeat, WrongAnswer
from ginsim.strategies.view import DISCARD, FIELDS, View

SECONDS = 10.0
"""How long a program may think about a decision where nobody says otherwise."""

PROTOCOL = f"""A player that is another program: --strategy "exec:java -jar bot.jar"

ginsim starts the command, without a shell, once for each seat and worker, and puts its questions on the program's standard
input, one line of JSON each. The program answers each with one line of JSON on its standard output, and flushes it:

  take, knock, declare_big_gin   true or false
  discard                        a card, such as "7D"

Cards are a rank A 2-9 T J Q K and a suit C D H S. A question is an object with these fields:

{chr(10).join(f"  {name:15} {meaning}" for name, meaning in FIELDS.items())}
  new_match       true at the first question of a match: forget all that came before
  random          a number from 0 to 2^32 - 1, new at each question and the same under the same seed: take all chance from it

Questions come in the order take, declare_big_gin (only where the rules have it, and all eleven cards are melded), discard, knock
(only where the ten cards left are within the limit). When the input ends, the program should end as well; a second later it is
killed, with all that it started. What it writes on standard error is shown where something goes wrong.

A decision may take {SECONDS:g} seconds. More: --strategy "exec:timeout=60 java -jar bot.jar"
"""

_TO_END = 1.0
_LOOK = 0.2
_LONGEST = 100_000
_TAIL = 10
_LONGEST_TAIL = 2_000
_PIECE = 1 << 16


class Program:
    """A running program that is asked line by line. It is in a process group of its own, and ends with all it started."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._said = b""
        self._complaints = bytearray()
        self._listener = threading.Thread(target=_listen, args=(self._process.stderr, self._complaints), daemon=True)
        self._listener.start()
        _running.add(self)

    def ask(self, line: str, seconds: float, stop: np.ndarray | None = None) -> str:
        """The line that the program says to a line, without its end.

        Raises:
            WrongAnswer: it says nothing in time, ends, or says more than a line.
        """
        if self._said:
            raise self._wrong(f"wrote more than one line for an answer: {_short(self._said)}", line)
        try:
            os.write(self._input, line.encode() + b"\n")
        except OSError:
            raise self._ended(line) from None
        until = time.monotonic() + seconds
        while b"\n" not in self._said:
            left = until - time.monotonic()
            if left <= 0:
                half = f" (so far {_short(self._said)})" if self._said else ""
                raise self._wrong(f"gave no answer in {seconds:g} seconds{half}", line)
            if stop is not None and stop[0]:
                raise self._wrong("was stopped", line)
            if not select.select([self._output], [], [], min(left, _LOOK))[0]:
                continue
            piece = os.read(self._output, _PIECE)
            if not piece:
                raise self._ended(line)
            self._said += piece
            if len(self._said) > _LONGEST:
                raise self._wrong(f"wrote a line that does not end: {_short(self._said)}", line)
        answer, _, self._said = self._said.partition(b"\n")
        return answer.decode(errors="replace")

    def notes(self, line: str) -> tuple[str, ...]:
        """What was sent last, and the end of what the program complained."""
        said = bytes(self._complaints[-_LONGEST_TAIL:]).decode(errors="replace")
        complaints = [f"    {text.rstrip()}" for text in said.splitlines()[-_TAIL:]]
        return (f"It was sent: {line}", *(["It wrote on standard error:", *complaints] if complaints else []))

    def close(self) -> None:
        """End the program: it may finish by itself, and is then killed with all that it started."""
        if self._process.returncode is None:
            self._process.stdin.close()
            self._wait_a_little()
        self.kill()

    def kill(self) -> None:
        """End the program and all that it started at once."""
        _running.discard(self)
        if self._process.returncode is None:
            # Not yet waited for, so its group's number is still its own.
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
            self._process.wait()
        self._listener.join(_TO_END)
        for stream in (self._process.stdin, self._process.stdout):
            stream.close()

    def _wait_a_little(self) -> bool:
        """Whether it has ended, a moment from now at the latest. It stays to be waited for, so that its number is not given away."""
        until = time.monotonic() + _TO_END
        while True:
            if os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None:
                return True
            if time.monotonic() > until:
                return False
            time.sleep(0.005)

    def _ended(self, line: str) -> WrongAnswer:
        ended = self._wait_a_little()
        self.kill()
        code = self._process.returncode
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        return self._wrong(f"{how} and gave no answer" if ended else "closed its standard output", line)

    def _wrong(self, reason: str, line: str) -> WrongAnswer:
        return WrongAnswer(reason, self.notes(line), shows_view=False)


class ProgramSeat(CalledSeat):
    """A seat whose questions go to another program, which is started when the first comes."""

    shows_view = False

    def __init__(self, command: str, seconds: float, rules: Rules, stop: np.ndarray | None) -> None:
        super().__init__(rules, stop)
        self._command = command
        self._seconds = seconds
        self._rules_text = json.dumps(rules.as_dict())
        self._program: Program | None = None
        self._is_new = True
        self._sent = ""

    def begin_match(self) -> None:
        """The next question says that a match begins."""
        self._is_new = True

    def answer(self, view: View) -> Any:
        """Ask the program."""
        if self._program is None:
            try:
                self._program = Program(self._command)
            except OSError as error:
                raise WrongAnswer(f"could not be started: {error.strerror or error}") from None
            weakref.finalize(self, self._program.kill)
        question = view.as_dict(rules=False) | {"new_match": self._is_new, "random": view.random.getrandbits(32)}
        self._is_new = False
        self._sent = f'{json.dumps(question)[:-1]}, "rules": {self._rules_text}}}'
        line = self._program.ask(self._sent, self._seconds, self._stop)
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            want = 'a card such as "7D"' if view.question == DISCARD else "true or false"
            reason = f"answered {_short(line.encode())}, which is no JSON: wanted was {want}"
            raise WrongAnswer(reason, self._program.notes(self._sent), shows_view=False) from None

    def where(self, question: str) -> tuple[str, ...]:
        """What was sent, and what the program complained of."""
        return self._program.notes(self._sent) if self._program else ()

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.close()
            self._program = None


_running: weakref.WeakSet[Program] = weakref.WeakSet()


@atexit.register
def kill_all() -> None:
    """End all programs that still run."""
    for program in list(_running):
        program.kill()


def _listen(stream: Any, complaints: bytearray) -> None:
    """Keep the end of what comes. In pieces, for a stream without a buffer gives lines byte by byte, and one need not end."""
    with stream:
        while piece := os.read(stream.fileno(), _PIECE):
            complaints += piece
            del complaints[:-_LONGEST_TAIL]


def _short(text: bytes) -> str:
    shown = text[:80].decode(errors="replace").strip()
    return f"{shown!r}{'…' if len(text) > 80 else ''}"
