"""The release: fixtures, schemas and real cards as one archive with a version and a checksum.

The same suite gives the same bytes: entries are sorted and have no times or owners, and the compression has
no settings that vary. `SHA256SUMS` in the archive covers every file, for whoever packs it again.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Mapping
from hashlib import sha256

from conformance.data.library import all_fixtures, real_cards
from conformance.data.loading import schema_file
from conformance.data.rulebook import newest_edition
from conformance.files.canonical import encode
from conformance.harnesses import in_folders
from conformance.model.scenario import CardInPlay
from conformance.model.version import VERSION
from conformance.wording import rules_text

NAME = f"mtg-conformance-{VERSION}"
LAYOUT = 1
"""Version of the archive's layout."""


def release_files(exported: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """The archive and its checksum by name. `exported` are the fixtures and schemas that it contains."""
    archive = archive_of({f"{NAME}/{name}": content for name, content in contents(exported).items()})
    name = f"{NAME}.tar.gz"
    return {name: archive, f"{name}.sha256": f"{sha256(archive).hexdigest()}  {name}\n".encode()}


def contents(exported: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """The files of the archive by name."""
    cards = [cards_line(name) for name in sorted(real_cards())]
    files = {
        **in_folders(exported),
        "cards.jsonl": b"".join(cards),
        "release.json": schema_file(
            {
                "format": LAYOUT,
                "version": VERSION,
                "edition": newest_edition(),
                "fixtures": len(all_fixtures()),
                "cards": len(cards),
            }
        ),
    }
    sums = "".join(f"{sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return {**files, "SHA256SUMS": sums.encode()}


def cards_line(name: str) -> bytes:
    """A real card as a scenario has it: definition and rules text, in one line."""
    card = real_cards()[name]
    return encode(CardInPlay(card, rules_text(card), True)) + b"\n"


def archive_of(files: Mapping[str, bytes]) -> bytes:
    """An archive of these files; equal files give equal bytes."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            archive.addfile(entry, io.BytesIO(files[name]))
    return gzip.compress(out.getvalue(), compresslevel=9, mtime=0)
