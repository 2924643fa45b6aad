"""What takes long to work out, and is the same for all tests: worked out once in a run of the tests.

The workers of one run share it in a folder, which goes with the run.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import sleep
from typing import TypeVar, cast

from conformance.files.locking import locked

T = TypeVar("T")
FOLDER = "CONFORMANCE_TESTS_FOLDER"
"""Environment variable with the folder that the workers share."""


def shared_folder() -> Path:
    """The folder that the workers share; it goes with the run."""
    return Path(os.environ[FOLDER])


def made_once(name: str, make: Callable[[], T]) -> T:
    """What the first worker that asks for it makes; the others wait and read it."""
    file = shared_folder() / name
    with suppress(FileNotFoundError):
        return cast(T, pickle.loads(file.read_bytes()))
    with Path(f"{file}.lock").open("wb") as lock:
        while not locked(lock):
            sleep(0.02)
        with suppress(FileNotFoundError):
            return cast(T, pickle.loads(file.read_bytes()))
        made = make()
        with NamedTemporaryFile(dir=file.parent, delete=False) as new:
            new.write(pickle.dumps(made))
        Path(new.name).replace(file)  # whole, should the run be killed meanwhile
    return made
