"""How much a client can take from a Dask cluster: tasks a second, and bytes of chunks a second, received and written.

The workers do nothing but answer, so this is the client, the scheduler and the way between them, on loopback and on this
machine's cores, which they share. Usage: ``python benchmarks/cluster.py [FOLDER]`` (where to write; by default a temporary one).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ginsim.cluster import connect
from ginsim.store import write_whole

TASKS = 2_000
CHUNKS = 300
BYTES = 740_000
"""Of a chunk of 100,000 hands."""
WAITING = 32


def measure(folder: Path) -> None:
    """Print both."""
    with connect("local:2") as cluster, ThreadPoolExecutor(WAITING) as waiting:
        client = cluster.client
        list(waiting.map(lambda number: client.submit(int, number, pure=False).result(), range(100)))
        start = time.perf_counter()
        list(waiting.map(lambda number: client.submit(int, number, pure=False).result(), range(TASKS)))
        print(f"tasks a second: {TASKS / (time.perf_counter() - start):,.0f}")

        def take(number: int) -> None:
            content = client.submit(os.urandom, BYTES, pure=False).result()
            write_whole(folder / f"{number}.parquet", lambda temporary: temporary.write_bytes(content))

        start = time.perf_counter()
        list(waiting.map(take, range(CHUNKS)))
        seconds = time.perf_counter() - start
        print(f"chunks a second, received and written: {CHUNKS / seconds:,.0f}, or {CHUNKS * BYTES / seconds / 1e6:,.0f} MB")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder))
