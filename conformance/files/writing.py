"""Writes files so that an error names the file, even one that the system reports late, like a full disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Within this context, an `OSError` that names no file gets this path."""
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8. Raises `OSError` with its path if that fails."""
    with naming(path):
        path.write_bytes(content.encode() if isinstance(content, str) else content)
