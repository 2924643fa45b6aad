"""Locks on files, on every system: the lock ends when the file is closed or our process exits."""

from __future__ import annotations

import sys
from typing import IO

FAR_AWAY = 1 << 40
"""Windows locks byte ranges and blocks reads of them: we lock one byte beyond what anybody writes."""

if sys.platform == "win32":
    import msvcrt

    def locked(file: IO[bytes]) -> bool:
        """Try to lock the file. The lock ends when the file is closed or our process exits."""
        file.seek(FAR_AWAY)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def locked(file: IO[bytes]) -> bool:
        """Try to lock the file. The lock ends when the file is closed or our process exits."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
