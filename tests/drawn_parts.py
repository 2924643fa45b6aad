"""Parts drawn from the grammar of cards, and whether each has any effect.

A part is a kind of struct, one of its optional fields, and a kind of value for it. It is taken out of
definitions that have it, and put into definitions that contain such a struct; the game then follows the
script of a fixture or a situation, and goes on at random. A part counts if `check` refuses every definition
with it, or if some game goes differently than without it.
"""

from __future__ import annotations

import itertools
import random
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec
import yaml
from msgspec import NODEFAULT, UNSET, Struct, structs

from conformance.checks.cards import findings_of_card
from conformance.data.library import all_fixtures
from conformance.files.yaml_tree import PARSER
from conformance.model.card_parts import parts_with_places
from conformance.model.engine import CannotPlay
from conformance.model.problems import At, ScenarioError
from conformance.model.scenario import Play
from conformance.model.struct_types import types_of
from conformance_adapters.in_process import Playthrough, play_through, snapshot
from reference_engine.game.game import Game, Undecided, advance
from reference_engine.game.game_rules import CR
from reference_engine.game.legal import legal_actions, legal_answers
from reference_engine.language.actions import Action, Advance
from reference_engine.language.cards import Card, Keyword, Not
from reference_engine.language.words import KeywordName
from tests.playing import table

Comes = Literal["refused", "differs", "nothing", "no place"]
SITUATIONS = Path(__file__).parent / "data" / "situations.yaml"
PLACES, GAMES, LONGEST = 40, 3, 14
"""The number of places in which a part is tried, of games for each, and the maximum length of their
scripts.
"""
SAMPLES = 3
"""The number of samples that are drawn until one shows an effect."""
VALUES = 8
"""The number of values of a part's kind that are tried in each place that lacks them."""
WALKS, STEPS = 60, 8
"""The number of games that go on at random after their scripts, and the number of actions in each."""


class Part(Struct, frozen=True, order=True):
    """A kind of struct, one of its optional fields, and a kind of value for it."""

    kind: str
    field: str
    value: str

    def __str__(self) -> str:
        return f"{self.kind}.{self.field}: {self.value}"


class Script(Struct, frozen=True):
    """A board with a script: of a fixture, or a situation made for the purpose."""

    id: str
    play: Play
    made: bool = False
    """Whether it was made for the purpose, and is tried before the others."""


@cache
def scripts() -> tuple[Script, ...]:
    """All fixtures with short scripts, and our situations."""
    situations = yaml.load(SITUATIONS.read_text(encoding="utf-8"), Loader=PARSER)
    return (
        *(Script(one.id, one.play) for one in all_fixtures().values() if len(one.play.script) <= LONGEST),
        *(Script(about, table(text), made=True) for about, text in situations.items()),
    )


class Place(Struct, frozen=True):
    """A struct in the definition of a card, and scripts with that card."""

    card: Card
    at: At
    struct: Any
    scripts: tuple[Script, ...]


@cache
def places() -> dict[type, list[Place]]:
    """The places of each kind of struct in our definitions."""
    using: dict[Card, list[Script]] = defaultdict(list)
    for script in scripts():
        for one in script.play.cards:
            using[one.definition].append(script)
    found: dict[type, list[Place]] = defaultdict(list)
    for card, there in using.items():
        for at, struct in parts_with_places(card):
            found[type(struct)].append(Place(card, at, struct, tuple(there)))
    return found


def alternatives(wanted: Any) -> frozenset[Any]:
    """The types that a type is a union of, except None."""
    members = get_args(wanted) if get_origin(wanted) in (Union, UnionType) else (wanted,)
    return frozenset(members) - {NoneType}


@cache
def values_of(types: frozenset[Any]) -> tuple[Any, ...]:
    """The values that our definitions have where these types are expected; only lists with one member."""
    found: dict[str, Any] = {}
    for kind, there in places().items():
        for field, wanted in types_of(kind).items():
            if alternatives(wanted) == types:
                for place in there:
                    value = getattr(place.struct, field)
                    for one in ((each,) for each in value) if isinstance(value, tuple) else (value,):
                        if one is not None:
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
    return (*values_of(alternatives(wanted)), *words, *truths)


def kind_of_value(value: Any) -> str:
    """A key for the kind of value: a struct's type, a keyword itself, a boolean itself, and the type of
    anything else.
    """
    match value:
        case tuple():
            return kind_of_value(value[0]) if value else "nothing"
        case bool():
            return "yes" if value else "no"
        case Keyword():
            return value.keyword
        case _:
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
def played(script: Script, card: Card) -> Playthrough | str:
    """A script, played with one of its cards replaced by this one; or the error message."""
    cards = tuple(
        structs.replace(one, definition=card) if one.definition.name == card.name else one
        for one in script.play.cards
    )
    try:
        return play_through(structs.replace(script.play, cards=cards), CR)
    except ScenarioError as error:
        return error.problems[0].what
    except CannotPlay as beyond:
        return str(beyond)


@cache
def course(script: Script, card: Card, without_keywords: bool) -> Sequence[object]:
    """All observations after each action of a script, with one of its cards replaced by this
    one.
    """
    play = played(script, card)
    if isinstance(play, str):
        return (play,)
    outcomes = [play.start, *(outcome for _, outcome in play.course)]
    return [seen(one, without_keywords) for one in outcomes]


def seen(outcome: object, without_keywords: bool) -> object:
    """A full look without the names of abilities, and what is saddled, which no look says; or the type of
    what came instead of a game.
    """
    if not isinstance(outcome, Game):
        return type(outcome).__name__
    shown = snapshot(outcome, None)
    hidden: dict[str, Any] = {"abilities": UNSET, **({"keywords": UNSET} if without_keywords else {})}
    objects = {id: structs.replace(one, **hidden) for id, one in shown.objects.items()}
    saddled = tuple(sorted(thing.id for thing in outcome.board.things.values() if thing.saddled))
    return structs.replace(shown, objects=objects), saddled


def parts_company(script: Script, leader: Card, follower: Card, without_keywords: bool, seed: int) -> bool:
    """Whether a game that goes on at random after the script goes differently with the second card."""
    one, other = played(script, leader), played(script, follower)
    if isinstance(one, str) or isinstance(other, str):
        return False
    rng = random.Random(seed)
    game, twin = one.last, other.last
    action: Action | None = None
    for step in range(STEPS):
        if step == STEPS - 1:
            # By then, effects that end with the turn or wait for another one have shown.
            action = Advance("upkeep")
        if action is None:
            passing, *others = legal_actions(game) or (None,)
            action = rng.choice(others) if others and rng.random() < 0.8 else passing
        if action is None:
            return False
        outcomes = advance(game, action), advance(twin, action)
        if seen(outcomes[0], without_keywords) != seen(outcomes[1], without_keywords):
            return True
        if isinstance(outcomes[0], Undecided):
            answers = legal_answers(game, outcomes[0].question)
            if not answers:
                return False
            answer = rng.choice(answers)
            outcomes = advance(game, answer), advance(twin, answer)
        else:
            action = None
        first, second = outcomes
        if not isinstance(first, Game) or not isinstance(second, Game):
            return False
        game, twin = first, second
    return False


def rank(*words: object) -> int:
    """A pseudorandom number for these words, which does not depend on the other scripts."""
    return zlib.crc32(repr(words).encode())


Variant = tuple[Card, Card, Place]
"""A card with the part, the same without it, and the place."""


Rank = Callable[..., int]
"""`rank` for one seed and part."""


def variants(part: Part, ranked: Rank) -> Iterator[Variant]:
    """Cards with and without a part: those that have it come first."""
    kind, usual, values = every_part()[part]
    there = sorted(places()[kind], key=lambda one: ranked(one.card.name, *one.at))
    there.sort(key=lambda one: not any(script.made for script in one.scripts))
    own = [one for one in there if kind_of_value(getattr(one.struct, part.field)) == part.value]
    own = [one for one in own if getattr(one.struct, part.field) != usual]
    bare = [one for one in there if getattr(one.struct, part.field) == usual]
    filled = [one for one in there if one not in own and one not in bare]
    for place in (*own[:PLACES], *bare[:PLACES], *filled[:PLACES]):
        has_it = getattr(place.struct, part.field)
        for value in (has_it,) if place in own else sample_of(values, place, ranked):
            for struct in surroundings(place.struct):
                yield with_value(place, struct, part, value), with_value(place, struct, part, usual), place


def sample_of(values: tuple[Any, ...], place: Place, ranked: Rank) -> list[Any]:
    """Some values for a part of this place; a new one displaces at most one of them."""
    return sorted(values, key=lambda one: ranked(place.card.name, *place.at, encoded(one)))[:VALUES]


def encoded(value: Any) -> bytes:
    """A value as JSON, which is the same in every process (the order of a set is not)."""
    return msgspec.json.encode(value, order="deterministic")


def surroundings(struct: Any) -> tuple[Any, ...]:
    """The struct as it is, and with its condition reversed, so that the other alternative is reached too."""
    cond = getattr(struct, "cond", None)
    if cond is None:
        return (struct,)
    return (struct, structs.replace(struct, cond=cond.part if isinstance(cond, Not) else Not(cond)))


def with_value(place: Place, struct: Any, part: Part, value: Any) -> Card:
    """The card of a place with such a struct there, and this value for the part's field."""
    card = replaced(place.card, place.at, structs.replace(struct, **{part.field: value}))
    assert isinstance(card, Card)
    return card


def comes_of(part: Part, seed: int = 0) -> Comes:
    """The effect of a part, tried in deterministic samples of places and games until one shows it."""
    tries = (comes_of_sample(part, seed * SAMPLES + number) for number in range(SAMPLES))
    comes: Comes = "no place"
    for comes in tries:
        if comes not in ("nothing", "no place"):
            return comes
    return comes


def comes_of_sample(part: Part, seed: int) -> Comes:
    """The effect of a part in one sample."""
    ranked = partial(rank, seed, part)
    comes: Comes = "no place"
    # A keyword on a card must do something besides being there.
    without_keywords = part.kind == "Card" and part.value in get_args(KeywordName)
    unmoved: list[tuple[Script, Card, Card]] = []
    for card, without, place in variants(part, ranked):
        if any(findings_of_card(card)):
            comes = "refused" if comes == "no place" else comes
            continue
        if any(findings_of_card(without)):
            continue
        comes = "nothing"
        for script in sorted(place.scripts, key=lambda one: (not one.made, ranked(one.id)))[:GAMES]:
            if course(script, card, without_keywords) != course(script, without, without_keywords):
                return "differs"
            unmoved.append((script, card, without))
    unmoved.sort(key=lambda one: ranked(one[0].id, one[1].name))
    for number, (script, *pair) in enumerate(itertools.islice(itertools.cycle(unmoved), WALKS)):
        course_seed = ranked(script.id, encoded(pair), number // len(unmoved))
        leader, follower = reversed(pair) if course_seed % 2 else pair
        if parts_company(script, leader, follower, without_keywords, course_seed):
            return "differs"
    return comes


if __name__ == "__main__":
    # The number of a shard, the number of shards, and a seed for the draw.
    shard, shards, drawing = (int(word) for word in sys.argv[1:]) if len(sys.argv) > 1 else (0, 1, 0)
    for one in list(every_part())[shard::shards]:
        if comes_of(one, drawing) == "nothing":
            print(one, flush=True)
