"""The command with a sixth of the fixtures and nothing generated, for tests of how results are handled.

`python -m tests.few ARGUMENTS` is `conformance ARGUMENTS`, and several times as fast.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from conformance.data import library

ROOT = Path(__file__).parent.parent
KEPT = ("priority", "basics")
"""The folders of fixtures that are kept, without their tables."""
every_file = library.fixture_files


def few_files(folder: Path | None = None) -> Iterator[Path]:
    """The files of the fixtures that are kept; of any other folder, all files."""
    for path in every_file(folder):
        if folder or (set(KEPT) & set(path.parts) and not path.stem.startswith("table_")):
            yield path


def environment(folder: Path) -> dict[str, str]:
    """An environment in which `conformance` runs this module, through a program put into the folder."""
    folder.mkdir(exist_ok=True)
    program = folder / "conformance"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tests.few "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    path = os.pathsep.join((str(folder), str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**os.environ, "PYTHONPATH": str(ROOT), "PATH": path}


if __name__ == "__main__":
    library.fixture_files = few_files
    library.corpus_files = lambda: iter(())

    from conformance.cli import main

    main()
