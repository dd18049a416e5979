"""What a worker of a local cluster does first: it leaves interrupts, which a terminal sends to all, to the one who started it.

Dask imports this in every worker (``preload``), before it plays anything.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
