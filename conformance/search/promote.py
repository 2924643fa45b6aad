"""Turns a counterexample into a fixture: a file as people write it, ready to be edited and kept.

The reasons come from the reference engine's trace; an author should reword them and choose a title.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from itertools import chain, count
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from conformance.checks.expectations import named_by_cards
from conformance.checks.fixtures import findings_of, is_free
from conformance.data.compiled import fixtures_folder
from conformance.data.loading import known_names, problems_in
from conformance.files.shortening import short_file
from conformance.files.writing import write_file
from conformance.gate.config import relative_path
from conformance.model.problems import Finding
from conformance.model.renaming import renamed, renamed_play
from conformance.model.scenario import Equals, Expectation, Fixture, Play
from conformance.play.selection import files_by_id, newer_ids
from conformance.results.causes import CITED
from reference_engine.language.actions import Activate, CastAction, Try
from reference_engine.language.cards import Card

ReasonFinder = Callable[[Fixture, Expectation], str]
"""What decided an expected value, in words from the reference engine's trace; empty if unknown."""


class PromotedFixture(Struct, frozen=True):
    """A fixture file that was written."""

    path: Path
    id: str
    problems: tuple[str, ...]
    """What `conformance check` reports about it."""


def promote_counterexample(
    fixture: Fixture,
    folder: Path,
    reason: ReasonFinder,
    tried: Callable[[Play], dict[str, str]],
    when_played: Callable[[Fixture], Iterable[Finding]],
) -> PromotedFixture:
    """Write a counterexample as a fixture into a folder.

    `reason` explains an expectation, `tried` gives the correct outcome of each attempted action, and
    `when_played` finds problems that show only when the fixture is played.
    """
    title = fixture.title[0].upper() + fixture.title[1:]
    fixture = with_free_names(fixture)
    play = without_unused_names(fixture.play)
    expect = with_tries(fixture.expect, tried(play))
    as_fixture = replace(fixture, id=next_id(fixture, ids_given(folder)), title=title, play=play)
    as_fixture = replace(as_fixture, expect=tuple(with_reason(one, fixture, reason) for one in expect))
    as_fixture = without_repeated_input(as_fixture)
    folder.mkdir(parents=True, exist_ok=True)
    path = free_name(folder, title)
    write_file(path, short_file(as_fixture, cards_of(as_fixture.play)))
    found = problems_in(path, when_played)
    return PromotedFixture(path, as_fixture.id, tuple(map(str, found)))


def with_reason(one: Expectation, fixture: Fixture, reason: ReasonFinder) -> Expectation:
    """The expectation with its reason in place of the law that found it; unchanged without a reason."""
    told = reason(fixture, one)
    if not told:
        return one
    said = GIST_LAST.fullmatch(told)
    if said:
        return replace(one, because=f"CR {said['rule']}: {said['told']}: {said['gist']}")
    cited = CITED.search(one.because) or CITED.search(told)
    return replace(one, because=f"CR {cited[1] if cited else fixture.rules[0]}: {told}")


GIST_LAST = re.compile(r"(?P<told>.*) \(CR (?P<rule>[^:() ]+): (?P<gist>[^()]*)\)")
"""A reason from a trace, and the rule that it cites."""


def with_tries(expect: tuple[Expectation, ...], tried: dict[str, str]) -> tuple[Expectation, ...]:
    """The expectations, plus one for each attempted action that has none: a fixture leaves none open."""
    said = {one.about for one in expect if one.key == "tried"}
    more = (Expectation("end", name, "tried", Equals(out)) for name, out in tried.items() if name not in said)
    return (*expect, *more)


def with_free_names(fixture: Fixture) -> Fixture:
    """The fixture with new ids for objects whose ids are words of the language, which files may not use."""
    names = {one.id: f"{one.id}1" for one in fixture.play.objects if not is_free(one.id)}
    if not names:
        return fixture
    return replace(
        fixture,
        play=renamed_play(fixture.play, names),
        expect=tuple(renamed(one, names) for one in fixture.expect),
    )


def without_unused_names(play: Play) -> Play:
    """The play without names that actions define and nothing uses."""
    said = re.findall(r"[a-z][a-z0-9_]*", repr([replace_name(one) for one in play.script]) + repr(play.wants))

    def plain(action: object) -> object:
        match action:
            case CastAction(as_=name) | Activate(as_=name) if name and name not in said:
                return replace(action, as_=None)
            case Try(action=inner):
                return replace(action, action=plain(inner))
            case _:
                return action

    return replace(play, script=tuple(map(plain, play.script)))


def replace_name(action: object) -> object:
    """An action without the name it defines."""
    match action:
        case CastAction() | Activate():
            return replace(action, as_=None)
        case Try(action=inner):
            return replace(action, action=replace_name(inner))
        case _:
            return action


def without_repeated_input(fixture: Fixture) -> Fixture:
    """The fixture without expectations that only repeat its input, unless no others are left."""
    wrong = {
        finding.at[1] for finding in findings_of(fixture, known_names()) if finding.at[:1] == ("expect",)
    }
    kept = tuple(one for number, one in enumerate(fixture.expect) if number not in wrong)
    return replace(fixture, expect=kept) if kept else fixture


def cards_of(play: Play) -> list[Card]:
    """The cards that the scenario invents, except tokens that other cards define."""
    used = {one.card for one in play.objects}
    made = named_by_cards(play)
    return [
        card.definition
        for card in play.cards
        if not card.real and (card.definition.name in used or card.definition.name not in made)
    ]


# ------------------------------------------------------------------------------------ id and name


def next_id(fixture: Fixture, given: Collection[str]) -> str:
    """The next free id: L for boards and layers, G for the course of a game."""
    about_layers = any(rule.startswith(("613", "611", "612", "707", "708")) for rule in fixture.rules)
    letter = "L" if about_layers or not fixture.play.script else "G"
    numbers = [int(id[2:6]) for id in given if re.match(rf"{letter}-\d{{4}}", id)]
    return f"{letter}-{max(numbers, default=0) + 1:04}"


def ids_given(folder: Path) -> set[str]:
    """All ids that are or were used, in the suite and in this folder."""
    notes = fixtures_folder() / "ids.yaml"
    text = notes.read_text(encoding="utf-8") if notes.exists() else ""
    here = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.yaml"))]
    written = re.findall(r"\b[A-Z]-\d{4}\b", text) + re.findall(r"^id: *(\S+)", "\n".join(here), re.MULTILINE)
    return {*files_by_id(), *newer_ids(), *written}


def free_name(folder: Path, title: str) -> Path:
    """A free file name made from the title."""
    plain = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:60].rstrip("_") or "counterexample"
    endings = chain([""], (f"_{number}" for number in count(2)))
    names = (folder / f"{plain}{ending}.yaml" for ending in endings)
    return next(path for path in names if not path.exists())


def promotion_lines(one: PromotedFixture) -> list[str]:
    """What was written, and what to do next."""
    lines = [f"{relative_path(one.path)}: {one.id}", *one.problems]
    return [*lines, "read it, find a title that says what it shows, and say the reasons in your own words"]
