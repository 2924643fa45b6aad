"""The files of a checkout that the site is built from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from conformance.data.compiled import fixtures_folder
from conformance.data.documents import docs_folder

BESIDE_DOCS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
"""Pages in the root of the checkout that belong to the documentation."""


class NoCheckout(Exception):
    """The suite is installed without the files that the site is built from."""


class EngineSource(Struct, frozen=True):
    """A recorded engine: its key, its recording, and the list of its known disagreements."""

    key: str
    place: str
    """The path of its recording in the repository."""
    recording: Path
    divergences: Path


class Sources(Struct, frozen=True):
    """The files in a checkout."""

    root: Path

    @property
    def engines(self) -> tuple[EngineSource, ...]:
        """The recorded engines, by name."""
        return tuple(self._engines())

    def _engines(self) -> Iterator[EngineSource]:
        for recording in sorted((self.root / "adapters" / "recordings").glob("*.jsonl.gz")):
            key = recording.name.removesuffix(".jsonl.gz")
            shim = self.root / "adapters" / "shims" / key.replace("-", "_")
            yield EngineSource(key, self.place_of(recording), recording, shim / "divergences.yaml")

    @property
    def documents(self) -> tuple[Path, ...]:
        """The pages of the documentation."""
        patterns = ("*.md", "engines/*.md", "campaigns/*.md")
        pages = (path for pattern in patterns for path in sorted(docs_folder().glob(pattern)))
        return (*pages, *(self.root / name for name in BESIDE_DOCS))

    def place_of(self, path: Path) -> str:
        """A path as the repository names it."""
        return path.resolve().relative_to(self.root).as_posix()


def sources() -> Sources:
    """The files of this checkout. Raises `NoCheckout` if the suite is installed from a wheel."""
    root = fixtures_folder().parent
    needed = ["adapters/recordings", "adapters/shims", "docs", *BESIDE_DOCS]
    missing = [name for name in needed if not (root / name).exists()]
    if missing:
        raise NoCheckout(
            f"the site is built from files that only a checkout has: {', '.join(missing)}\n"
            "    clone the repository, and run `pip install -e .` and this command there"
        )
    return Sources(root.resolve())
