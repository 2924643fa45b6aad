"""Reads regular files only: anything else with the name of a file is refused, so that nothing can block."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from conformance.files.strict_json import MOST_JSON_BYTES
from conformance.model.problems import Problem, ScenarioError

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags: do not wait for a writer when opening a pipe, and do not convert newlines on Windows."""


def content_of(
    path: Path,
    shown: str | None = None,
    most: int = MOST_JSON_BYTES,
    cure: str = "name a file that can be read",
) -> bytes:
    """The content of a file of at most `most` bytes. Raises `ScenarioError` if it cannot be read."""
    try:
        opened = os.open(path, os.O_RDONLY | AT_ONCE)
    except (OSError, ValueError) as error:
        if path.is_symlink() and not path.exists():
            raise unreadable(path, shown, "a broken link", "fix it or remove it") from None
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise unreadable(path, shown, why or "cannot be read", cure) from None
    try:
        kind = KINDS.get(stat.S_IFMT(os.fstat(opened).st_mode))
        if kind:
            raise unreadable(path, shown, f"{kind}, not a file", "remove it or rename it")
        with os.fdopen(opened, "rb", closefd=False) as file:
            content = file.read(most + 1)
    except OSError as error:
        raise unreadable(path, shown, error.strerror or "cannot be read", cure) from None
    finally:
        os.close(opened)
    if len(content) > most:
        raise unreadable(path, shown, f"longer than {most:,} bytes", "split it into smaller files")
    return content


def unreadable(path: Path, shown: str | None, what: str, cure: str) -> ScenarioError:
    """The error for a file that cannot be read."""
    return ScenarioError([Problem(shown or str(path), 0, 0, "", what, cure)])
