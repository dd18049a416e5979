"""Counting what a store holds, a few chunks at a time on all cores: ``chunk file -> tally -> sum``, and the table hash."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from ginsim.plan import Chunk
from ginsim.runner import run
from ginsim.statistics import Tally
from ginsim.store import Store, TableHash
from ginsim.summing import stored_tally


def tally_store(store: Store, workers: int) -> Tally:
    """What every figure of a stored run's report needs.

    Raises:
        Damaged: a file is not what was written.
    """

    def tally(chunk: Chunk) -> Tally:
        if store.plan.keep == "summary":
            return stored_tally(store, chunk.index)[0]
        return Tally.of(store.read(chunk.index), store.plan.layout, store.plan.mirror)

    total = Tally()
    chunks = (Chunk(index, index * store.plan.chunk, store.plan.chunk) for index in store.indices())
    with ThreadPoolExecutor(workers) as executor:
        for _, part in run(chunks, tally, executor, 2 * workers):
            total += part
    return total


def stored_hash(store: Store, workers: int) -> str:
    """The hash of all rows of a stored run in order; see :class:`ginsim.store.TableHash`.

    Raises:
        Damaged: a file is not what was written.
        UsageError: the run kept no rows.
    """
    store.need_rows()
    content = TableHash(store.plan.layout)
    ahead: deque[Future[list[np.ndarray]]] = deque()
    indices = iter(store.indices())
    with ThreadPoolExecutor(workers) as executor:
        try:
            while True:
                while len(ahead) < 2 * workers and (index := next(indices, None)) is not None:
                    ahead.append(executor.submit(lambda index=index: content.numbers(store.read(index))))
                if not ahead:
                    return content.digest()
                content.add(ahead.popleft().result())
        finally:
            for future in ahead:
                future.cancel()
