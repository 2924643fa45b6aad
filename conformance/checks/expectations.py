"""Problems of expectations: looks that never happen, keys of another kind of object, repeated input."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain

from msgspec import Struct

from conformance.checks.names import (
    KnownNames,
    entries,
    ids_given,
    is_named,
    sides,
    unknown_name,
    unknown_rule,
    unknown_thing,
    unknown_words,
    wrong_dates,
)
from conformance.files.fixture_file import mentions_of
from conformance.files.fixture_form import ALWAYS_TRUE, SEEN, keys_of
from conformance.files.short_forms import KEYWORD_NAMES, MANA
from conformance.model.card_parts import PLAIN_TYPES
from conformance.model.citations import rules_cited
from conformance.model.problems import At, Finding, did_you_mean, list_of_options
from conformance.model.scenario import (
    CardInPlay,
    Equals,
    Expectation,
    Fixture,
    Holds,
    Number,
    OneOfTest,
    Play,
    SeenCounters,
    Value,
)
from reference_engine.language.actions import Activate, CastAction, ChooseAction, Look, Try
from reference_engine.language.cards import Counters, ExchangeControl, GainControl, TurnFace
from reference_engine.language.setup import Entry, Player
from reference_engine.language.words import DESIGNATIONS


def looks_of(play: Play) -> list[str]:
    """The names of the looks, in order."""
    return [*(action.name for action in play.script if type(action) is Look), "end"]


def tries_of(play: Play) -> list[str]:
    """The names of the attempted actions, in order."""
    return [action.name for action in play.script if type(action) is Try]


def wrong_expectations(fixture: Fixture, known: KnownNames) -> Iterator[Finding]:
    """Looks that never happen, unknown names, and keys that do not go with the object."""
    play = fixture.play
    players = [player.id for player in play.players]
    things = dict.fromkeys([*ids_given(play), *sides(play)])
    looks, tries = looks_of(play), tries_of(play)
    keys = {kind: keys_of(kind) for kind in SEEN}
    unseen: set[str] = set()
    said: dict[tuple[str, str, str, type], tuple[Holds, ...]] = {}
    for number, one in enumerate(fixture.expect):
        at: At = ("expect", number)
        if one.look not in looks and one.look not in unseen:
            unseen.add(one.look)
            yield Finding(
                (*at, "look"),
                f"the look {one.look!r} never happens",
                did_you_mean(
                    one.look,
                    looks,
                    otherwise=f"add {{look: {one.look}}} to the script; "
                    f"choose one of: {list_of_options(looks)}",
                ),
                certain=False,
                name=one.look,
            )
        if one.holds is not ALWAYS_TRUE:
            yield from wrong_dates(one.holds, (*at, "holds"))
        if one.key == "tried":
            if one.about not in tries:
                yield from unknown_name(one.about, tries, (*at, "about"), "no try has this name.")
        elif one.about == "table":
            if one.key not in keys["table"]:
                yield Finding(
                    at, f"the table has no {one.key}", f"add the object or player: of: …, {one.key}: …"
                )
        else:
            if one.about not in things:
                yield from unknown_thing(one.about, things, (*at, "about"))
            kind = "player" if one.about in players else "object"
            if one.key not in keys[kind]:
                a_kind = "a player" if kind == "player" else "an object"
                cure = did_you_mean(
                    one.key,
                    keys[kind],
                    otherwise=f"choose one of: {list_of_options(keys[kind])}",
                )
                unknown = "" if one.about in things else one.about
                yield Finding(at, f"{a_kind} has no {one.key}", cure, name=unknown)
        for _, rule in unknown_words(rules_cited(one.because), known.rules):
            yield from unknown_rule(rule, known.rules, at)
        if one.key in CLOSED:
            yield from wrong_value(one, things, at)
        if type(one.test) is Number:
            continue
        fact = (one.look, one.about, one.key, type(one.test))
        if fact not in said:
            said[fact] = (one.holds,)
            continue
        if any(overlap(one.holds, holds) for holds in said[fact]):
            yield Finding(
                at,
                f"{one.key} of {one.about} is expected twice at {one.look}",
                "keep one, put the other under a look of its own (`expect: {NAME: …, end: …}`), "
                "or say `since` and `until` when each holds",
            )
        said[fact] = (*said[fact], one.holds)


def overlap(one: Holds, other: Holds) -> bool:
    """Whether there is a day on which both hold."""
    return (one.since or "") < (other.until or "9999") and (other.since or "") < (one.until or "9999")


NAMING = frozenset(
    {
        "controller",
        "owner",
        "attached_to",
        "attacking",
        "blocking",
        "source",
        "targets",
        "turn",
        "active",
        "priority",
        "deciding",
        "decided_by",
        "stack",
        "hand",
        "graveyard",
        "exile",
        "library_top",
    }
)
"""The keys whose values are names."""


CLOSED = NAMING | {"designations", "keywords", "cost", "paid", "pool", "subtypes"}
"""The keys whose values cannot be arbitrary text."""


@lru_cache(maxsize=10_000)
def is_keyword(text: str) -> bool:
    """Whether a text is a keyword as it is observed: `flying`, `protection from red`, `islandwalk`,
    `ward—Discard a card`.
    """
    words = text.replace("—", " ").split(" ")
    known = any(" ".join(words[:size]) in KEYWORD_NAMES for size in range(1, len(words) + 1))
    return known or (text.endswith("walk") and text != "walk")


def wrong_value(one: Expectation, things: Collection[str], at: At) -> Iterator[Finding]:
    """Unknown names and invalid words in an expected value."""
    for name in names_in(one):
        if name == "nothing" and one.key in ("attacking", "blocking"):
            continue  # what it attacked or blocked is gone
        if one.key in NAMING:
            yield from unknown_thing(name, things, at)
        elif one.key == "keywords" and not is_keyword(name):
            yield Finding(
                at,
                f"{name!r} is not a keyword",
                did_you_mean(
                    name, KEYWORD_NAMES, otherwise="with what goes with it: protection from red, islandwalk"
                ),
            )
        elif one.key == "designations" and name not in DESIGNATIONS:
            yield Finding(
                at,
                f"{name!r} is not a designation",
                did_you_mean(name, DESIGNATIONS, otherwise=f"choose one of: {list_of_options(DESIGNATIONS)}"),
            )
        elif one.key in ("cost", "paid", "pool") and not MANA.fullmatch(name):
            yield Finding(at, f"{name!r} is not mana", 'write symbols in braces and quotes: "{2}{W}"')
        elif one.key == "subtypes" and not re.match("[A-Z]", name) and name != "all creature types":
            yield Finding(at, f"{name!r} is not a subtype", f"write {name.capitalize()}")


def names_in(one: Expectation) -> Iterator[str]:
    """The texts in an expected value."""
    for test in one.test.values if type(one.test) is OneOfTest else (one.test,):
        value = test.value if type(test) is Equals else getattr(test, "values", None)
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                yield text


# ---------------------------------------------------------------------------------------- what nothing uses


def unused_parts(fixture: Fixture) -> Iterator[Finding]:
    """Looks and attempted actions without expectations, and names without uses."""
    play = fixture.play
    looked = {one.look for one in fixture.expect if one.key != "tried"}
    tried = {one.about for one in fixture.expect if one.key == "tried"}
    for number, action in enumerate(play.script):
        if type(action) is Look:
            if action.name not in looked:
                yield Finding(
                    ("play", "script", number, "look"),
                    f"nothing is expected at the look {action.name!r}",
                    "remove it, or add what is expected",
                    certain=False,
                    hangs_on_expect=True,
                )
        elif type(action) is Try:
            if action.name not in tried:
                yield Finding(
                    ("play", "script", number, "try"),
                    f"nothing is expected of the try {action.name!r}",
                    f"add {{tried: {action.name}, is: rejected}}",
                    certain=False,
                    hangs_on_expect=True,
                )
        elif (
            (type(action) is CastAction or type(action) is Activate)
            and action.as_
            and not is_used(action.as_, number, fixture)
        ):
            yield Finding(
                ("play", "script", number, "as"),
                f"the name {action.as_!r} is used nowhere",
                "remove it",
                certain=False,
                hangs_on_expect=True,
            )
    own = [(position, card.definition.name) for position, card in enumerate(play.cards) if not card.real]
    used = {one.card for one in play.objects} | named_by_cards(play) if own else set()
    for position, name in own:
        if name not in used:
            yield Finding(
                ("play", "cards", position, "definition"),
                f"{name!r} is used nowhere",
                "remove it",
                certain=False,
                hangs_on_expect=True,
            )


def is_used(name: str, number: int, fixture: Fixture) -> bool:
    """Whether a name that an action defines is used afterwards."""
    in_script = (text for action in fixture.play.script[number + 1 :] for text in texts_in(action))
    expected = (text for one in fixture.expect for text in (one.about, *names_in(one)))
    return any(name in text and is_named(text, [name]) for text in chain(expected, in_script))


def texts_in(value: object) -> Iterator[str]:
    if type(value) is str:
        yield value
    elif type(value) is tuple:
        for one in value:
            yield from texts_in(one)
    elif type(value) not in PLAIN_TYPES and isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from texts_in(getattr(value, name))


def named_by_cards(play: Play) -> set[str]:
    """Names that cards mention: tokens they create, cards they name, cards that were chosen."""
    named = {token.name for card in play.cards for token in mentions_of(card.definition).tokens}
    for action in (*play.script, *(choice for _, entry in entries(play) for choice in entry.choices)):
        if type(action) is ChooseAction and action.kind == "name":
            named.update(str(value) for value in action.answer)
    return named


# ----------------------------------------------------------------------- expectations that repeat the input


def repeated_input(fixture: Fixture) -> Iterator[Finding]:
    """Expectations whose value is in the input already, where nothing can have changed it.

    Only values that are literally in the input count; whether an effect could change them is left to the
    author.
    """
    quiet = quiet_looks(fixture.play)
    given: dict[str, dict[str, Value]] = {}
    for number, one in enumerate(fixture.expect):
        if not isinstance(one.test, Equals) or not (one.look in quiet or one.key == "owner"):
            continue
        if one.about not in given:
            given[one.about] = given_values(fixture.play, one.about)
        of_it = given[one.about]
        if one.key in of_it and of_it[one.key] == one.test.value:
            yield Finding(
                ("expect", number),
                f"{one.key} only repeats the scenario's own input",
                "expect what follows from it by the rules, or leave it out",
                certain=False,
            )


def quiet_looks(play: Play) -> set[str]:
    """The looks before the first action."""
    looks: set[str] = set()
    for action in play.script:
        if type(action) is Look:
            looks.add(action.name)
        elif type(action) is not ChooseAction:
            return looks
    return {*looks, "end"}


def given_values(play: Play, about: str) -> dict[str, Value]:
    """The values that the scenario gives to an object or player, by the keys that report them."""
    if about == "table":
        turn = play.start.turn
        return {
            "turn": turn,
            "active": turn,
            "priority": turn,
            "step": play.start.step,
            "stack": (),
            "over": False,
        }
    for player in play.players:
        if player.id == about:
            return given_to_player(player)
    owners = [one.owner for one in play.objects if one.id == about]
    given: dict[str, Value] = {"owner": owners[0]} if owners else {}
    for player in play.players:
        for zone in ("hand", "library", "graveyard", "exile"):
            if about in getattr(player, zone):
                return {**given, "zone": zone}
    for _, entry in entries(play):
        if entry.id == about:
            return {**given, **given_to_entry(entry, play)}
    return given


def given_to_player(player: Player) -> dict[str, Value]:
    """The values that the scenario gives to a player."""
    return {
        "life": player.life,
        "hand": tuple(sorted(player.hand)),
        "graveyard": player.graveyard,
        "exile": tuple(sorted(player.exile)),
        "library_size": len(player.library),
        "library_top": player.library[0] if player.library else None,
        "counters": seen_counters(player.counters),
        "lost": False,
    }


def given_to_entry(entry: Entry, play: Play) -> dict[str, Value]:
    """The values that the scenario gives to a permanent; controller and face only if no card changes them."""
    given: dict[str, Value] = {
        "zone": "battlefield",
        "tapped": entry.tapped,
        "damage": entry.damage,
        "attached_to": entry.attached_to,
        "counters": seen_counters(entry.counters),
    }
    if not any(changes(card, (GainControl, ExchangeControl)) for card in play.cards):
        given["controller"] = entry.controller
    if not any(changes(card, (TurnFace,)) for card in play.cards):
        given["face_down"] = entry.face_down
    return given


def changes(card: CardInPlay, kinds: tuple[type, ...]) -> bool:
    """Whether a card has an operation or instruction of one of these kinds."""
    return not mentions_of(card.definition).kinds.isdisjoint(kinds)


def seen_counters(counters: Iterable[Counters]) -> Value:
    """Counters in the form in which they are observed."""
    seen = [SeenCounters(one.kind, one.n) for one in counters if isinstance(one.n, int)]
    return tuple(sorted(seen, key=lambda one: one.kind))
