"""A browser without a window, driven through two pipes by the DevTools protocol: it needs no driver and no port."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The commands that are looked for, as in ``scripts/test``."""

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    # No name leads anywhere: what a page asks for cannot come, and the protocol tells that it was asked for.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def found() -> str | None:
    """The browser of this machine, if it has one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Tab:
    """An open tab. ``events`` are what the browser has told of it since the last page, by method and parameters."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back = to, back
        self._number, self._session, self._read = 0, "", b""
        self.events: list[tuple[str, dict[str, Any]]] = []
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self._session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self(f"{domain}.enable")

    def __call__(self, method: str, **parameters: Any) -> dict[str, Any]:
        """What the browser answers to a command."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer["result"]

    def open(self, page: Path, width: int, height: int = 900, *, dark: bool = False, media: str = "screen") -> None:
        """Show a file, at a width in pixels."""
        phone = width < 600
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.events.clear()
        self("Page.navigate", url=page.as_uri())
        while not any(method == "Page.loadEventFired" for method, _ in self.events):
            self._next()

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        answer = self("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._read:
            part = os.read(self._back, 1 << 20)
            assert part, "the browser has gone"
            self._read += part
        message, _, self._read = self._read.partition(b"\0")
        told = json.loads(message)
        if "method" in told:
            self.events.append((told["method"], told["params"]))
        return told


@contextmanager
def tab(program: str, profile: Path) -> Iterator[Tab]:
    """A tab of a browser that is started for it, with a profile of its own, and ended after it."""
    to, back = os.pipe(), os.pipe()
    # Clear of the numbers 3 and 4, on which the browser listens and answers.
    theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to[0], back[1])]
    command = ["bash", "-c", f'exec "$@" 3<&{theirs[0]} 4>&{theirs[1]}', "bash", program, *FLAGS, f"--user-data-dir={profile}"]
    process = subprocess.Popen(
        command, pass_fds=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    for end in (to[0], back[1], *theirs):
        os.close(end)
    try:
        yield Tab(to[1], back[0])
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(to[1])
        os.close(back[0])
