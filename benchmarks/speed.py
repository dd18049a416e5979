"""How fast ginsim is, on this machine: medians, and ratios to a yardstick that is timed in the same run.

    python benchmarks/speed.py [--quick]

The yardstick is the deadwood of ten random cards, in a batch. Machines differ and are noisy; the ratios travel better.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from ginsim.accelerate import kernel
from ginsim.api import simulate
from ginsim.cards import NUMBERS
from ginsim.melds import best_discards, deadwood
from ginsim.plan import Chunk, make_plan
from ginsim.rules import load
from ginsim.runner import play_chunk

HANDS_IN_A_BATCH = 200_000
ROUNDS = 9
_NONE = np.uint64(0)


@kernel()
def _all_deadwoods(hands):
    total = 0
    for cards in hands:
        total += deadwood(cards)
    return total


@kernel()
def _all_best_discards(hands):
    total = np.int64(0)
    which = _NONE
    for cards in hands:
        least, best = best_discards(cards, _NONE)
        total += least
        which |= best
    return total + np.int64(which & np.uint64(1))


def random_hands(cards: int, seed: int = 1) -> np.ndarray:
    """A batch of random hands of so many cards, as bits."""
    order = np.random.default_rng(seed).random((HANDS_IN_A_BATCH, 52)).argpartition(cards, axis=1)[:, :cards]
    return (np.uint64(1) << np.array(NUMBERS, np.uint64)[order]).sum(axis=1).astype(np.uint64)


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def medians(*works: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Median seconds of each, timed in turn so that a slow moment hits all alike."""
    for work in works:
        work()
    times = [[seconds(work) for work in works] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def line(what: str, value: str, note: str = "") -> None:
    """Print one figure."""
    print(f"  {what:<58}{value:>16}   {note}", flush=True)


def solver_and_hands() -> None:
    """The solver in batches, and hands on one thread."""
    ten, eleven = random_hands(10), random_hands(11)
    plan = make_plan(load("eaai"), unit="hands", seed=1)
    hands = 100_000
    yardstick, discards, play = medians(
        lambda: _all_deadwoods(ten), lambda: _all_best_discards(eleven), lambda: play_chunk(plan, Chunk(0, 0, hands))
    )
    a_deadwood = yardstick / HANDS_IN_A_BATCH
    line("deadwood of ten random cards (yardstick)", f"{a_deadwood * 1e9:.1f} ns", "wanted: at most 8")
    line("best discards of eleven, all equals", f"{discards / HANDS_IN_A_BATCH * 1e9:.1f} ns", "wanted: at most 25")
    line("hands a second, one thread, simple v simple, eaai", f"{hands / play:,.0f}", "wanted: 800,000, aiming at 1,200,000")
    line("  one hand costs as much as", f"{play / hands / a_deadwood:.0f} deadwoods")
    plan = make_plan(load("hollywood"), unit="matches", seed=1)
    played = len(play_chunk(plan, Chunk(0, 0, 5000))["hands"])
    (play,) = medians(lambda: play_chunk(plan, Chunk(0, 0, 5000)))
    line("  in Hollywood series", f"{played / play:,.0f}")


def workers_and_files(hands: int) -> None:
    """Whole simulations: scaling over workers, and what storing costs."""

    def run(workers: int, out: str | None = None) -> Callable[[], object]:
        def work() -> None:
            if out is None:
                simulate("eaai", hands=hands, seed=1, workers=workers, keep=False)
            else:
                with tempfile.TemporaryDirectory(dir=out) as folder:
                    simulate("eaai", hands=hands, seed=1, workers=workers, out=Path(folder) / "run")

        return work

    def kernels(threads: int) -> Callable[[], object]:
        plan = make_plan(load("eaai"), unit="hands", seed=1)
        chunks = list(plan.chunks(hands))

        def work() -> None:
            with ThreadPoolExecutor(threads) as executor:
                list(executor.map(lambda chunk: len(play_chunk(plan, chunk)["hands"]), chunks))

        return work

    with tempfile.TemporaryDirectory() as folder:
        one, two, stored, play_one, play_two = medians(
            run(1), run(2), run(2, folder), kernels(1), kernels(2), rounds=5
        )
    line("hands a second, whole run, one worker", f"{hands / one:,.0f}")
    line("hands a second, whole run, two workers", f"{hands / two:,.0f}", f"{one / two:.2f} times one; wanted: 1.8")
    line("  playing alone, two threads", f"{hands / play_two:,.0f}", f"{play_one / play_two:.2f} times one")
    line("hands a second, two workers, stored as Parquet", f"{hands / stored:,.0f}", f"{stored / two - 1:+.0%}; wanted: at most +25 %")


def starts() -> None:
    """The command: help, a warm start, the very first start."""

    def command(*arguments: str, **environment: str) -> Callable[[], object]:
        return lambda: subprocess.run(
            [sys.executable, "-m", "ginsim", *arguments],
            env={**os.environ, **environment},
            check=True,
            capture_output=True,
        )

    helping, warm = medians(command("--help"), command("simulate", "--hands", "1", "--seed", "1"), rounds=5)
    line("ginsim --help", f"{helping:.2f} s", "wanted: under 0.3")
    line("warm start, one hand and its report", f"{warm:.2f} s", "wanted: under 2")
    with tempfile.TemporaryDirectory() as folder:
        first = seconds(command("simulate", "--hands", "1", "--seed", "1", XDG_CACHE_HOME=folder))
    line("the very first start, compiling", f"{first:.1f} s", "wanted: under 40")


_MEASURE = """
import os, subprocess, sys
process = subprocess.Popen([sys.executable, "-m", "ginsim", *sys.argv[1:]], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024), usage.ru_utime + usage.ru_stime, status)
"""
"""A process starts with its parent's memory on its account, so a small one in between starts the command."""


def memory(hands: int) -> None:
    """Resident memory of a long run to disk, of reporting and of exporting it."""
    with tempfile.TemporaryDirectory() as folder:
        for what, *arguments in (
            (f"peak memory, {hands:,} hands to disk", "simulate", "--hands", str(hands), "--seed", "1", "--out", f"{folder}/run"),
            ("  reporting them", "report", f"{folder}/run"),
            ("  exporting them as CSV", "export", f"{folder}/run", "--to", f"{folder}/hands.csv"),
        ):
            measured = subprocess.run([sys.executable, "-c", _MEASURE, *arguments], check=True, capture_output=True, text=True)
            resident, processor, status = measured.stdout.split()
            if status != "0":
                raise SystemExit(f"{arguments[0]} failed: {measured.stderr}")
            line(what, f"{int(resident) / 1e6:,.0f} MB", f"{float(processor):.1f} s of processor; wanted: under 600 MB")
        size = sum(file.stat().st_size for file in Path(folder, "run").rglob("*.parquet"))
        line("  bytes a stored hand", f"{size / hands:.1f}")


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer hands; without the first start")
    quick = parser.parse_args().quick
    print(f"ginsim on Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    solver_and_hands()
    workers_and_files(500_000 if quick else 2_000_000)
    if not quick:
        starts()
    memory(1_000_000 if quick else 10_000_000)


if __name__ == "__main__":
    main()
