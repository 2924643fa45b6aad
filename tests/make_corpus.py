"""Chooses the stored scenarios anew: `python -m tests.make_corpus [EXAMPLES OF EACH PROPERTY] [--more]`.

With `--more` what is stored stays, and only those are added that tell mutants which nothing stored tells.
"""

from __future__ import annotations

import sys
from pathlib import Path

from adapters.in_process import Reference, with_rules_of
from conformance.canonical import encode
from conformance.corpus import FOLDER, chosen, corpus
from conformance.kill_matrix import by_fixtures
from conformance.library import checked_json, fixtures_folder
from conformance.mutants import MUTANTS, Mutant
from conformance.properties import PROPERTIES


def untold() -> list[Mutant]:
    """The mutants that no stored scenario tells."""
    engines = ((mutant, Reference(rules=with_rules_of(mutant))) for mutant in MUTANTS)
    return [
        mutant
        for mutant, engine in engines
        if next(by_fixtures(mutant, engine, corpus().values()), None) is None
    ]


def write_for(mutants: list[Mutant], examples: int, folder: Path) -> None:
    """Write one file for each scenario that is chosen, and say how many each property gave."""
    engines = [(mutant, Reference(rules=with_rules_of(mutant))) for mutant in mutants]
    told: set[tuple[str, str]] = set()
    for law in PROPERTIES:
        count = 0
        for fixture in chosen(law, engines, Reference(), told, examples=examples):
            content = encode(fixture) + b"\n"
            checked_json(content, fixture.id)
            (folder / f"{fixture.id}.json").write_bytes(content)
            count += 1
        print(f"{count:4}  {law.name}", flush=True)
    unknown = {mutant.name for mutant in mutants} - {name for name, _ in told}
    print(f"not told by any: {', '.join(sorted(unknown)) or 'none'}")


def main() -> None:
    """Choose them all, or those that are missing."""
    numbers = [int(word) for word in sys.argv[1:] if word != "--more"]
    folder = fixtures_folder() / FOLDER
    folder.mkdir(exist_ok=True)
    mutants = untold() if "--more" in sys.argv else list(MUTANTS)
    if "--more" not in sys.argv:
        for old in folder.glob("C-*.json"):
            old.unlink()
    write_for(mutants, numbers[0] if numbers else 60, folder)


if __name__ == "__main__":
    main()
