"""Unknown words and undefined names: shared by the other checks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from conformance.model.problems import At, Finding, did_you_mean, list_of_options
from conformance.model.renaming import NUMBER_OF_ALIKE
from conformance.model.scenario import Holds, Play
from reference_engine.language.actions import Action, Activate, Call, CastAction, Try
from reference_engine.language.cards import Card
from reference_engine.language.designations import NAMES_WITHOUT_SOURCE
from reference_engine.language.setup import Entry

ID = re.compile(r"[a-z][a-z0-9_]*")
NOTHING_WRONG: tuple[Finding, ...] = ()


class KnownNames(Struct, frozen=True):
    """What a fixture may refer to outside itself; None means unknown, and not checked."""

    cards: Mapping[str, Card]
    rules: Collection[str] | None = None
    sources: Collection[str] | None = None


# ---------------------------------------------------------------------------------------------------- words


def unknown_words(words: Iterable[str], known: Collection[str] | None) -> list[tuple[int, str]]:
    """The words that are not known, with their positions."""
    return [] if known is None else [(at, word) for at, word in enumerate(words) if word not in known]


def unknown_word(
    word: str, known: Collection[str] | None, at: At, kind: str, otherwise: str
) -> tuple[Finding, ...]:
    """A finding if the word is not among the known ones."""
    if known is None or word in known:
        return NOTHING_WRONG
    return (Finding(at, f"no {kind} {word!r}", did_you_mean(word, known, otherwise=otherwise)),)


def unknown_rule(rule: str, known: Collection[str] | None, at: At) -> tuple[Finding, ...]:
    """A finding if the rule is unknown."""
    return unknown_word(rule, known, at, "rule", "rulebook.yaml lists the rules we cite")


def wrong_dates(holds: Holds, at: At) -> Iterator[Finding]:
    """Dates that are invalid or in the wrong order."""
    for key in ("since", "until"):
        word = getattr(holds, key)
        if word is not None and not is_date(word):
            yield Finding((*at, key), f"{word!r} is not a date", 'write it as "2020-04-17"')
    if holds.since and holds.until and holds.since >= holds.until:
        yield Finding(at, "it is never valid", "until is the first day on which it no longer holds")


def is_date(word: str) -> bool:
    """Whether a word is a valid date, written as year-month-day."""
    try:
        return date.fromisoformat(word).isoformat() == word
    except ValueError:
        return False


# ---------------------------------------------------------------------------------------------------- names


def unknown_name(name: str, known: Collection[str], at: At, otherwise: str) -> tuple[Finding, ...]:
    """A finding if nothing here has this name."""
    if name in known:
        return NOTHING_WRONG
    cure = did_you_mean(name, known, otherwise=f"{otherwise} There are: {list_of_options(known)}")
    return (Finding(at, f"nothing here is called {name!r}", cure, certain=False, name=name),)


ON_THE_STACK = re.compile(r"(?:copy of |[^\[\]{}]+? of )(?P<of>[a-z][a-z0-9_]*)(?: \([0-9]+\))?")


def is_named(name: str, known: Collection[str]) -> bool:
    """Whether a name is a known id, or a stack name made from one: `persist of redcap (2)`."""
    if name in known:
        return True
    found = ON_THE_STACK.fullmatch(name)
    if found and found["of"] in known:
        return True
    return NUMBER_OF_ALIKE.sub("", name) in NAMES_WITHOUT_SOURCE


def unknown_thing(name: str, known: Collection[str], at: At) -> tuple[Finding, ...]:
    """A finding if no object, player or entry of the stack has this name."""
    if is_named(name, known):
        return NOTHING_WRONG
    on_stack = ON_THE_STACK.fullmatch(name)
    return tuple(
        replace(finding, name=on_stack["of"] if on_stack else name)
        for finding in unknown_name(name, known, at, "an id, or ABILITY of ID.")
    )


def ids_given(play: Play) -> list[str]:
    """All ids in a scenario."""
    given = [player.id for player in play.players]
    given += [one.id for one in play.objects]
    for action in play.script:
        if type(action) in NAMING_ACTIONS:
            given += [name for name, _ in ids_defined_by(action)]
    return given


def named_things(play: Play) -> Iterator[tuple[str, str, At]]:
    """All ids in a scenario, with the kind of thing and the place."""
    for position, player in enumerate(play.players):
        yield player.id, "a player", ("players", position, "id")
    for position, one in enumerate(play.objects):
        yield one.id, "an object", ("objects", position, "id")
    for position, action in enumerate(play.script):
        if type(action) in NAMING_ACTIONS:
            for name, at in ids_defined_by(action):
                yield name, "an object", ("script", position, *at)


NAMING_ACTIONS = {CastAction, Activate, Call, Try}
"""The actions that may define ids. (Comparing types is much faster than `isinstance` on structs.)"""


def ids_defined_by(action: Action) -> Iterator[tuple[str, At]]:
    """The ids that an action defines."""
    if type(action) is CastAction or type(action) is Activate:
        if action.as_ is not None:
            yield action.as_, ("as",)
    elif type(action) is Try:
        for name, at in ids_defined_by(action.action):
            yield name, ("action", *at)
    elif type(action) is Call:
        for number, one in enumerate(action.tokens):
            for position, name in enumerate(one.ids):
                yield name, ("tokens", number, "ids", position)


def entries(play: Play) -> Iterator[tuple[At, Entry]]:
    """All entries of the setup with their places, oldest first."""
    for number, arrival in enumerate(play.setup):
        for position, entry in enumerate(arrival.entries):
            yield ("setup", number, "entries", position), entry


def sides(play: Play) -> list[str]:
    """The sides that take turns and pass: teams if there are any, otherwise players."""
    return list(dict.fromkeys(player.team or player.id for player in play.players))
