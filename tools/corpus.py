"""Chooses the stored scenarios: `python -m tools corpus [EXAMPLES OF EACH PROPERTY] [--more]`.

With `--more` the stored scenarios stay, and only scenarios that detect so far undetected mutants are added.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from conformance.data.compiled import fixtures_folder
from conformance.data.loading import checked_json
from conformance.data.rulebook import rules_by_number
from conformance.files.canonical import encode
from conformance.measure.corpus import CORPUS_FOLDER, choose_fixtures, corpus
from conformance.measure.kill_matrix import by_fixtures, rule_distance
from conformance.model.scenario import Expectation, Fixture
from conformance.mutants import MUTANTS, Mutant
from conformance.properties import PROPERTIES
from conformance.run.reasons import Reasons
from conformance_adapters.degenerate import DEGENERATES, DegenerateEngine
from conformance_adapters.in_process import Reference, with_rules_of

NEAREST = 12
"""Number of properties to search for scenarios that detect a missing mutant: those nearest to its broken
rule.
"""
ENOUGH = 3
"""Maximum number of scenarios added per mutant."""
HARVESTED = "Distinguishes engines made by machine: the reference engine with one small change."
"""The note of scenarios that `tools.harvest` stores."""
OF_OUTCOMES = "Shows what hardly any other scenario shows: how a condition in the reference engine comes out."
"""The note of scenarios that `tools.outcomes` stores."""
OF_MISTAKES = "Notices mistakes that an engine makes only where it meets one kind of thing."
"""The note of scenarios that `tools.met_harvest` stores."""
STAYING = (HARVESTED, OF_OUTCOMES, OF_MISTAKES)
"""The notes of scenarios that stay when the others are chosen anew."""
WHERE_NOTHING_HAPPENED = {
    "attached_to": "701.3a",
    "attacking": "508.1k",
    "blocking": "509.1g",
    "legal": "117.1",
    "library_size": "121.1",
    "life": "119.3",
    "mana_value": "202.3",
    "priority": "117.1",
    "stack": "405.1",
    "step": "117.4",
    "tapped": "110.5b",
    "zone": "400.1",
}
"""The rule about a value that nothing in a scenario has changed."""
BLIND = [DegenerateEngine(kind) for kind in DEGENERATES if kind.blind]


def undetected_mutants() -> list[Mutant]:
    """The mutants that no stored scenario detects."""
    engines = ((mutant, Reference(rules=with_rules_of(mutant))) for mutant in MUTANTS)
    return [
        mutant
        for mutant, engine in engines
        if next(by_fixtures(mutant, engine, Reference(), corpus().values(), every=True), None) is None
    ]


def reason_otherwise(one: Expectation, rule: str) -> str:
    """The reason for a value about which the account says nothing."""
    about = WHERE_NOTHING_HAPPENED.get(one.key, rule)
    return f"CR {about}: {rules_by_number()[about].gist}"


def explained(fixture: Fixture) -> Fixture:
    """The scenario with a reason for each expectation that has none."""
    reasons = Reasons(fixture.play)
    return replace(
        fixture,
        expect=tuple(
            replace(one, because=one.because or reasons.of(one) or reason_otherwise(one, fixture.rules[0]))
            for one in fixture.expect
        ),
    )


def write(fixture: Fixture, folder: Path) -> None:
    fixture = explained(fixture)
    content = encode(fixture) + b"\n"
    checked_json(content, fixture.id)
    (folder / f"{fixture.id}.json").write_bytes(content)


def add_for(mutant: Mutant, examples: int, folder: Path) -> int:
    """Write a few scenarios that detect a mutant, and return their number."""
    told: set[tuple[str, str]] = set()
    engines = [(mutant, Reference(rules=with_rules_of(mutant)))]
    nearest = sorted(PROPERTIES, key=lambda law: rule_distance(mutant.breaks, law.rules))[:NEAREST]
    every = (
        one
        for law in nearest
        for one in choose_fixtures(
            law,
            engines,
            Reference(),
            told,
            BLIND,
            examples=examples,
        )
    )
    few = list(islice(every, ENOUGH))
    for fixture in few:
        write(fixture, folder)
    return len(few)


def write_corpus(examples: int, more: bool) -> None:
    """Choose all scenarios, or only the missing ones, and print how many there are."""
    folder = fixtures_folder() / CORPUS_FOLDER
    folder.mkdir(exist_ok=True)
    if more:
        for mutant in undetected_mutants():
            print(f"{add_for(mutant, examples, folder):4}  {mutant.name}", flush=True)
        return
    for id, old in corpus().items():
        if old.note not in STAYING:
            (folder / f"{id}.json").unlink()
    mutants = [(mutant, Reference(rules=with_rules_of(mutant))) for mutant in MUTANTS]
    told: set[tuple[str, str]] = set()
    for law in PROPERTIES:
        count = 0
        for fixture in choose_fixtures(law, mutants, Reference(), told, BLIND, examples=examples):
            write(fixture, folder)
            count += 1
        print(f"{count:4}  {law.name}", flush=True)
    unknown = {mutant.name for mutant in MUTANTS} - {name for name, _ in told}
    print(f"not told by any: {', '.join(sorted(unknown)) or 'none'}")
