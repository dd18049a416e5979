"""Would the tests notice? Small faults are put into the core of the rules, one at a time, and the tests have to find each.

Some mutation tools pass over functions with decorators, and so over every kernel. Here the source is changed before anything is
decorated, in a copy of the package, and the compiler is off, so that no stale machine code is run. A fault that nothing finds is a
survivor; it is right only if it is in ``equivalents.toml``, with the reason why it changes nothing, or nothing that anybody could
notice. Those are not tried.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from random import Random

import table
from verification.findings import Finding, exact, told
from verification.mutants import Mutant, Place, mutant, places
from verification.scale import Scale
from verification.trial import CRASHED, SURVIVED

TITLE = "Mutants of the rules' core"

MODULES = ("melds", "hand", "ledger", "formats")

_ROOT = Path(__file__).parents[2]
_PACKAGE = _ROOT / "ginsim"
_EQUIVALENTS = Path(__file__).with_name("equivalents.toml")


def verify(scale: Scale) -> list[Finding]:
    """A seeded sample of the mutants of all modules."""
    known = equivalents()
    sample = sampled(scale.mutants, scale.seed)
    tried = [each for each in sample if each.key not in known]
    with _Workshop(scale.workers) as workshop:
        sound = workshop.try_all([(module, None) for module in MODULES])
        outcomes = workshop.try_all([(each.place.module, each.source) for each in tried])
    survivors = [each for each, outcome in zip(tried, outcomes, strict=True) if outcome == SURVIVED]
    counts = Counter(outcomes)
    return [
        exact("without a fault", ", ".join([SURVIVED] * len(MODULES)), ", ".join(sound)),
        Finding("mutants in the sample", "some", f"{len(sample):,}", right=bool(tried)),
        Finding("of these in functions with a decorator", "some", f"{sum(each.place.decorated for each in tried):,}", right=any(each.place.decorated for each in tried)),
        told("known to be equivalent", len(sample) - len(tried)),
        *(told(name, count) for name, count in sorted(counts.items())),
        exact("survivors", "none", "; ".join(each.text for each in survivors) or "none"),
        exact("entries for equivalents that no longer exist", "none", "; ".join(map(str, _stale(known))) or "none"),
    ]


def sampled(count: int, seed: int) -> list[Mutant]:
    """So many mutants of all modules by chance, all of them if there are not so many, in the order of their places."""
    everywhere = [place for module in MODULES for place in places(_PACKAGE / f"{module}.py")]
    found: dict[Place, Mutant] = {}
    for place in Random(seed).sample(everywhere, len(everywhere)):
        if len(found) == count:
            break
        made = mutant(place, _PACKAGE / f"{place.module}.py")
        if made is not None:
            found[place] = made
    return [found[place] for place in everywhere if place in found]


def equivalents() -> dict[tuple[str, str, str, str, int], str]:
    """Why each known equivalent is one, by the mutant's key."""
    entries = tomllib.loads(_EQUIVALENTS.read_text(encoding="utf-8")).get("mutant", [])
    return {
        (entry["module"], entry["function"], entry["before"], after, entry.get("copy", 0)): entry["reason"]
        for entry in entries
        for after in entry["after"]
    }


def _stale(known: dict[tuple[str, str, str, str, int], str]) -> Iterator[tuple[str, str, str]]:
    """Entries whose line is no longer in the module."""
    lines = {
        module: {line.strip() for line in (_PACKAGE / f"{module}.py").read_text(encoding="utf-8").splitlines()} for module in MODULES
    }
    for module, function, before, _, _ in known:
        if before not in lines[module]:
            yield module, function, before


class _Workshop:
    """Copies of the package, each with a process that tries mutants in it."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._benches: Queue[_Bench] = Queue()

    def __enter__(self) -> _Workshop:
        self._folder = tempfile.TemporaryDirectory()
        for number in range(self._workers):
            self._benches.put(_Bench(Path(self._folder.name) / str(number)))
        return self

    def __exit__(self, *error: object) -> None:
        while not self._benches.empty():
            self._benches.get().close()
        self._folder.cleanup()

    def try_all(self, tasks: Sequence[tuple[str, str | None]]) -> list[str]:
        """What becomes of modules with these sources, None being as they are."""
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(self._try, tasks))

    def _try(self, task: tuple[str, str | None]) -> str:
        bench = self._benches.get()
        try:
            return bench.try_source(*task)
        finally:
            self._benches.put(bench)


class _Bench:
    """A copy of the package in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self._package = folder / "ginsim"
        shutil.copytree(_PACKAGE, self._package, ignore=shutil.ignore_patterns("__pycache__"))
        paths = [str(folder), str(Path(table.__file__).parent), str(Path(__file__).parents[1])]
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_DISABLE_JIT": "1",
        }
        command = [sys.executable, "-m", "verification.trial"]
        self._process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def try_source(self, module: str, source: str | None) -> str:
        """What becomes of a module with this source, None being as it is."""
        path = self._package / f"{module}.py"
        original = path.read_text(encoding="utf-8")
        try:
            path.write_text(source or original, encoding="utf-8")
            self._process.stdin.write(f"{module}\n")
            self._process.stdin.flush()
            return self._process.stdout.readline().strip() or CRASHED
        finally:
            path.write_text(original, encoding="utf-8")

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.wait()
