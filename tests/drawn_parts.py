"""Parts drawn from the grammar of cards, and whether each has any effect.

A part is a kind of struct, one of its optional fields, and a kind of value for it. It is put into definitions
that contain such a struct and occur in fixtures; the game then follows the fixture's script. A part counts if
`check` refuses every definition with it, or if some game goes differently than without it.
"""

from __future__ import annotations

import random
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Literal, get_args, get_origin

from msgspec import NODEFAULT, UNSET, Struct, structs

from conformance.checks.cards import findings_of_card
from conformance.data.library import all_fixtures
from conformance.model.card_parts import parts_with_places
from conformance.model.problems import At, ScenarioError
from conformance.model.scenario import Fixture
from conformance.model.struct_types import types_of
from conformance_adapters.in_process import played, snapshot
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR
from reference_engine.language.cards import Card

Comes = Literal["refused", "differs", "nothing", "no place"]
PLACES, GAMES, LONGEST = 40, 3, 14
"""The number of places in which a part is tried, of games for each, and the maximum length of their
scripts.
"""


class Part(Struct, frozen=True, order=True):
    """A kind of struct, one of its optional fields, and a kind of value for it."""

    kind: str
    field: str
    value: str

    def __str__(self) -> str:
        return f"{self.kind}.{self.field}: {self.value}"


class Place(Struct, frozen=True):
    """A struct in the definition of a card, and fixtures with that card."""

    card: Card
    at: At
    struct: Any
    fixtures: tuple[Fixture, ...]


@cache
def places() -> dict[type, list[Place]]:
    """The places of each kind of struct in our definitions."""
    using: dict[str, tuple[Card, list[Fixture]]] = {}
    for fixture in all_fixtures().values():
        if len(fixture.play.script) <= LONGEST:
            for one in fixture.play.cards:
                using.setdefault(one.definition.name, (one.definition, []))[1].append(fixture)
    found: dict[type, list[Place]] = defaultdict(list)
    for card, fixtures in using.values():
        for at, struct in parts_with_places(card):
            found[type(struct)].append(Place(card, at, struct, tuple(fixtures)))
    return found


@cache
def values_of(type_name: str) -> tuple[Any, ...]:
    """The values that our definitions have where that type is expected; of lists those with one member."""
    found: dict[str, Any] = {}
    for kind, there in places().items():
        for field, wanted in types_of(kind).items():
            if str(wanted) == type_name:
                for place in there:
                    value = getattr(place.struct, field)
                    for one in ((each,) for each in value) if isinstance(value, tuple) else (value,):
                        found.setdefault(repr(one), one)
    return tuple(found.values())


def words_in(wanted: Any) -> tuple[Any, ...]:
    """The closed words that a type allows."""
    if get_origin(wanted) is Literal:
        return get_args(wanted)
    return tuple(word for inner in get_args(wanted) for word in words_in(inner))


def drawable(wanted: Any) -> tuple[Any, ...]:
    """Values of a type: those in our definitions, and every closed word."""
    words = words_in(wanted) if get_origin(wanted) is not tuple else ()
    if get_origin(wanted) is frozenset:
        words = tuple(frozenset({word}) for word in words)
    truths = (True, False) if wanted is bool or bool in get_args(wanted) else ()
    return (*values_of(str(wanted)), *words, *truths)


def kind_of_value(value: Any) -> str:
    """A key for the kind of value: a struct's type, a boolean itself, and the type of anything else."""
    if isinstance(value, tuple):
        return kind_of_value(value[0]) if value else "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return type(value).__name__


def defaults_of(kind: type) -> Iterator[tuple[str, Any]]:
    """The optional fields of a struct, with their defaults, except names."""
    for field in structs.fields(kind):
        usual = field.default_factory() if field.default_factory is not NODEFAULT else field.default
        if usual is not NODEFAULT and field.name != "name":
            yield field.name, usual


@cache
def every_part() -> dict[Part, tuple[type, Any, tuple[Any, ...]]]:
    """Every part that can be drawn: the struct's type, the field's default, and the values."""
    parts: dict[Part, list[Any]] = defaultdict(list)
    kinds = {}
    for kind in places():
        for field, usual in defaults_of(kind):
            for value in drawable(types_of(kind)[field]):
                if value != usual or type(value) is not type(usual):
                    part = Part(kind.__name__, field, kind_of_value(value))
                    parts[part].append(value)
                    kinds[part] = (kind, usual)
    return {part: (*kinds[part], tuple(parts[part])) for part in sorted(parts)}


def replaced(value: Any, at: At, new: Any) -> Any:
    """A value with something else at one of its places."""
    if not at:
        return new
    step, rest = at[0], at[1:]
    if isinstance(value, tuple):
        assert isinstance(step, int)
        return (*value[:step], replaced(value[step], rest, new), *value[step + 1 :])
    return structs.replace(value, **{str(step): replaced(getattr(value, str(step)), rest, new)})


@cache
def course(fixture: Fixture, card: Card) -> Sequence[object]:
    """All observations after each action of a fixture's script, with one of its cards replaced by this
    one.
    """
    cards = tuple(
        structs.replace(one, definition=card) if one.definition.name == card.name else one
        for one in fixture.play.cards
    )
    try:
        game = played(structs.replace(fixture.play, cards=cards), CR)
    except ScenarioError as error:
        return (error.problems[0].what,)
    outcomes = [game.start, *(outcome for _, outcome in game.course)]
    return [seen(one) if isinstance(one, Game) else type(one).__name__ for one in outcomes]


def seen(game: Game) -> object:
    """A full look, without the names of abilities."""
    shown = snapshot(game, None)
    objects = {id: structs.replace(one, abilities=UNSET) for id, one in shown.objects.items()}
    return structs.replace(shown, objects=objects)


def rank(*words: object) -> int:
    """A pseudorandom number for these words, which does not depend on the other fixtures."""
    return zlib.crc32(repr(words).encode())


def comes_of(part: Part) -> Comes:
    """The effect of a part, tried in a deterministic sample of places and games."""
    kind, usual, values = every_part()[part]
    rng = random.Random(str(part))
    there = [place for place in places()[kind] if getattr(place.struct, part.field) == usual]
    comes: Comes = "no place"
    for place in sorted(there, key=lambda one: rank(part, one.card.name, *one.at))[:PLACES]:
        changed = structs.replace(place.struct, **{part.field: rng.choice(values)})
        card = replaced(place.card, place.at, changed)
        if any(findings_of_card(card)):
            comes = "refused" if comes == "no place" else comes
            continue
        comes = "nothing"
        for fixture in sorted(place.fixtures, key=lambda one: rank(part, one.id))[:GAMES]:
            if course(fixture, card) != course(fixture, place.card):
                return "differs"
    return comes


if __name__ == "__main__":
    for one in every_part():
        if comes_of(one) == "nothing":
            print(one)
