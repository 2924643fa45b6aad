"""Chooses the stored scenarios anew: `python -m tests.make_corpus [EXAMPLES OF EACH PROPERTY]`."""

from __future__ import annotations

import sys

from adapters.in_process import Reference, with_rules_of
from conformance.canonical import encode
from conformance.corpus import FOLDER, chosen
from conformance.library import checked_json, fixtures_folder
from conformance.mutants import MUTANTS
from conformance.properties import PROPERTIES


def main() -> None:
    """Write one file for each scenario that is chosen, and say how many each property gave."""
    examples = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    folder = fixtures_folder() / FOLDER
    folder.mkdir(exist_ok=True)
    for old in folder.glob("C-*.json"):
        old.unlink()
    mutants = [(mutant, Reference(rules=with_rules_of(mutant))) for mutant in MUTANTS]
    told: set[tuple[str, str]] = set()
    for law in PROPERTIES:
        count = 0
        for fixture in chosen(law, mutants, Reference(), told, examples=examples):
            content = encode(fixture) + b"\n"
            checked_json(content, fixture.id)
            (folder / f"{fixture.id}.json").write_bytes(content)
            count += 1
        print(f"{count:4}  {law.name}", flush=True)
    unknown = {mutant.name for mutant in MUTANTS} - {name for name, _ in told}
    print(f"not told by any: {', '.join(sorted(unknown)) or 'none'}")


if __name__ == "__main__":
    main()
