"""Files that a command writes at its end: whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from conformance.files.writing import naming


def check_writable(path: Path) -> None:
    """Raise `OSError` if the file cannot be written, before doing work that would be lost."""
    is_new = not path.exists()
    path.open("ab").close()
    if is_new:
        path.unlink()


@contextmanager
def output_replacing(path: Path) -> Iterator[IO[str]]:
    """A text stream that replaces the file at that path, unless an error occurs."""
    if path.exists() and not path.is_file():  # write directly to a pipe or a device
        with naming(path), path.open("w", encoding="utf-8") as file:
            yield file
        return
    check_writable(path)
    beside = path.with_name(f".{path.name}.new")
    try:
        with naming(path), beside.open("w", encoding="utf-8") as file:
            yield file
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
