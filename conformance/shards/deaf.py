"""What Dask loads into each worker of a local cluster first: Ctrl-C is for the client alone.

A terminal sends it to every process that the client started; a worker that died of it would look like a lost
cluster.
"""

from __future__ import annotations

import signal


def dask_setup(_worker: object) -> None:
    """Called by Dask as the worker starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
