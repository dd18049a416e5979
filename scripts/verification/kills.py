"""Runs that are killed at random moments, again and again, until they are done: nothing is lost, torn, or played into something else."""

from __future__ import annotations

import hashlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ginsim.store.files import is_whole
from verification.findings import Finding
from verification.scale import Scale

TITLE = "Runs that are killed"

KILLS = 60
"""Of each kind of run, on the usual scale."""

RUNS: dict[str, list[str]] = {
    "hands": ["--rules", "hollywood", "--hands", "1m", "--chunk", "10k"],
    "matches": ["--rules", "three-handed", "--matches", "30k", "--chunk", "300"],
    "a summary": ["--rules", "eaai", "--mirror", "--hands", "4m", "--chunk", "400k", "--keep", "summary"],
}

_LONGEST = 4.0
_SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def verify(scale: Scale) -> list[Finding]:
    """Kill runs of each kind, and compare what becomes of them with one that nobody disturbed."""
    chance = random.Random(scale.seed)
    return [_killed(what, options, scale.of(KILLS), chance) for what, options in RUNS.items()]


def _killed(what: str, options: Sequence[str], kills: int, chance: random.Random) -> Finding:
    with tempfile.TemporaryDirectory() as place:
        whole, folder = Path(place, "whole"), Path(place, "run")
        command = ["simulate", *options, "--seed", str(chance.getrandbits(32)), "--out"]
        _run([*command, str(whole)])
        torn = rounds = finished = 0
        for _ in range(kills):
            again = [*command, str(folder)] if not (folder / "asked.json").exists() or chance.random() < 0.5 else ["resume", str(folder)]
            process = _start(again)
            time.sleep(chance.random() * _LONGEST)
            process.send_signal(chance.choice(_SIGNALS))
            process.wait()
            rounds += 1
            torn += sum(not is_whole(file.read_bytes()) for file in _files(folder))
            if process.returncode == 0:
                # Done before the signal: once more from the beginning.
                finished += 1
                torn += _contents(folder) != _contents(whole)
                shutil.rmtree(folder)
        _run([*command, str(folder)])
        same = _contents(folder) == _contents(whole)
    return Finding(
        f"{what}: killed {rounds} times at random moments, {finished} of them too late",
        "no torn file, in the end the bytes of an undisturbed run",
        f"{torn} torn, {'the same' if same else 'OTHER'} bytes",
        "equal",
        torn == 0 and same,
    )


def _start(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "ginsim", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _run(arguments: Sequence[str]) -> None:
    subprocess.run([sys.executable, "-m", "ginsim", *arguments], stdout=subprocess.DEVNULL, check=True)


def _files(folder: Path) -> list[Path]:
    return [file for table in ("hands", "games", "matches", "summary") for file in (folder / table).glob("[0-9]*")]


def _contents(folder: Path) -> dict[str, str]:
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
