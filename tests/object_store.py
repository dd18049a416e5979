"""An S3 server on this machine: moto's, which is a simulator. It keeps objects in memory and is no test of a real store's failures."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from dask_cluster import end, until


class ObjectStore:
    """The server as a process, with a bucket ``runs``; ``environment`` is what its users have in theirs. Close it when done."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with (folder / "moto.txt").open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log
            )
        self.environment = {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": "anybody",
            "AWS_SECRET_ACCESS_KEY": "anything",
            "AWS_DEFAULT_REGION": "us-east-1",
        }

        def listens() -> bool:
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        until(listens)

    def close(self) -> None:
        """End the server; everything in it is gone."""
        end(self.process)
