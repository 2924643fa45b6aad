"""Writes a fixture the way people do: the canonical value, converted back to short forms.

Short forms are guesses, and the loader's own readers check each guess: a form that does not read back as
exactly the same value is skipped, down to the canonical form, which always does. So the file means the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from conformance.files.canonical import fields_of
from conformance.files.fixture_form import fixture_grammar
from conformance.files.short_forms import ADJECTIVES, PLURALS, noun
from conformance.files.typed_walk import UNREADABLE, TypedWalk
from conformance.files.yaml_nodes import Node
from conformance.files.yaml_text import other_kind
from conformance.files.yaml_tree import tree_of
from conformance.model.scenario import Equals, Expectation, Fixture, Has, InAnyOrder, Lacks, Number, Play
from reference_engine.language.actions import Action, ChooseAction, Pay
from reference_engine.language.cards import (
    Ability,
    Activated,
    All,
    Base,
    Card,
    Effect,
    Filter,
    Keyword,
    Modify,
    Static,
    TargetSpec,
    The,
    Triggered,
)
from reference_engine.language.setup import Arrival, Entry, Object, Player

Plain = Any
"""A tree of maps, lists, texts and numbers to write to a file."""


# ------------------------------------------------------------------------------------------ a file


def short_file(fixture: Fixture, cards: Sequence[Card]) -> str:
    """The file of a fixture; `cards` are the cards that it invents."""
    play = fixture.play
    blocks = [f"id: {fixture.id}", f"title: {flow(fixture.title)}", f"rules: {flow_quoted(fixture.rules)}"]
    blocks += [f"caught: {flow(fixture.caught)}"] if fixture.caught else []
    blocks += [f"note: {flow(fixture.note)}"] if fixture.note else []
    blocks += [f"disputed: {flow(fixture.disputed)}"] if fixture.disputed else []
    blocks += listing("cards", map(card_short, cards))
    blocks += [f"players: {flow(players_short(play))}"]
    blocks += [f"objects: {flow(objects_short(play))}"] if differs_from_setup(play) else []
    blocks += [f"start: {flow(start_short(play))}"] if start_short(play) else []
    blocks += listing("setup", (arrival_short(one, play) for one in play.setup))
    blocks += listing("script", (shortest(action, Action) for action in play.script))
    looks = dict.fromkeys(one.look for one in fixture.expect)
    if set(looks) <= {"end"}:
        blocks += listing("expect", expect_short(fixture.expect))
    else:
        blocks.append("expect:")
        for look in looks:
            items = expect_short([one for one in fixture.expect if one.look == look])
            blocks += [f"  {line}" for line in listing(look, items)]
    return "\n".join(blocks) + "\n"


def listing(key: str, items: Iterator[Plain] | Sequence[Plain] | Any) -> list[str]:
    """A key with one line for each item; nothing if there are no items."""
    lines = [f"  - {flow(item)}" for item in items]
    return [f"{key}:", *lines] if lines else []


def players_short(play: Play) -> Plain:
    """The players with their contents; libraries are left out if that makes no difference."""
    said = {player.id: player_short(player, play) for player in play.players}
    return said if any(said.values()) else list(said)


def player_short(player: Player, play: Play) -> Plain:
    """The contents of a player that differ from the defaults."""
    cards = {one.id: one.card for one in play.objects}
    said: dict[str, Plain] = {}
    if player.life != Player("").life:
        said["life"] = player.life
    if player.team is not None:
        said["team"] = player.team
    if player.counters:
        said["counters"] = {pile.kind: pile.n for pile in player.counters}
    for zone in ("hand", "library", "graveyard", "exile"):
        ids = getattr(player, zone)
        if ids or (zone == "library" and play.script):
            inside = differs_from_setup(play)
            said[zone] = [id if inside else {id: cards[id]} for id in ids]
    return said


def differs_from_setup(play: Play) -> bool:
    """Whether the order of objects differs from the order of the setup, or some are in no zone."""
    zones = [
        id
        for player in play.players
        for zone in (player.hand, player.library, player.graveyard, player.exile)
        for id in zone
    ]
    entered = [entry.id for arrival in play.setup for entry in arrival.entries]
    return [one.id for one in play.objects] != [*zones, *entered]


def objects_short(play: Play) -> Plain:
    """All objects in the order of creation."""
    controllers = {entry.id: entry.controller for arrival in play.setup for entry in arrival.entries}
    return {one.id: object_short(one, controllers.get(one.id)) for one in play.objects}


def object_short(one: Object, controller: str | None) -> Plain:
    """An object: its card, and its owner if that is not its controller."""
    if not one.token and one.owner == controller:
        return one.card
    kind = {"card": one.card, "token": True} if one.token else {"card": one.card}
    return (
        {**kind, "owner": one.owner}
        if controller is not None and one.owner != controller
        else (kind if one.token else one.card)
    )


def start_short(play: Play) -> Plain:
    """When the script begins, if that is not the first player's precombat main phase."""
    first = play.players[0].team or play.players[0].id
    said = {"turn": play.start.turn} if play.start.turn != first else {}
    return {**said, "step": play.start.step} if play.start.step != "precombat main" else said


def arrival_short(arrival: Arrival, play: Play) -> Plain:
    """One entry, or several simultaneous ones."""
    entries = [entry_short(entry, play) for entry in arrival.entries]
    if len(entries) == 1 and not arrival.timestamps:
        return entries[0]
    orders = {order.player: list(order.ids) for order in arrival.timestamps}
    return {"together": entries, **({"timestamps": orders} if orders else {})}


def entry_short(entry: Entry, play: Play) -> Plain:
    """An entry: the object, its controller, and how it enters."""
    one = next(one for one in play.objects if one.id == entry.id)
    said: dict[str, Plain] = {"id": entry.id}
    if not differs_from_setup(play):
        said["token" if one.token else "card"] = one.card
        if one.owner != entry.controller:
            said["owner"] = one.owner
    said["controller"] = entry.controller
    for name in ("attached_to", "face", "face_down", "tapped", "damage", "new"):
        if getattr(entry, name):
            said[name] = getattr(entry, name)
    if entry.counters:
        said["counters"] = {pile.kind: shortest(pile.n, None) for pile in entry.counters}
    if entry.choices:
        said["choices"] = [choice_short(choice) for choice in entry.choices]
    return said


def choice_short(choice: ChooseAction) -> Plain:
    """A choice made as something enters."""
    said = shortest(choice, ChooseAction)
    return (
        {key: value for key, value in said.items() if key != "by" or value}
        if isinstance(said, dict)
        else said
    )


def expect_short(expect: Sequence[Expectation]) -> list[Plain]:
    """The expectations; those about one object with one reason, in the same editions, share a line."""
    lines: dict[tuple[str, str, str], dict[str, Plain]] = {}
    for number, one in enumerate(expect):
        holds = non_default_fields(one.holds)
        dates: dict[str, Plain] = {"holds": holds} if holds else {}
        if one.key == "tried" and isinstance(one.test, Equals):
            lines[one.about, one.because, str(number)] = {"tried": one.about, "is": one.test.value, **dates}
        elif isinstance(one.test, Number):
            count = {"name": one.test.name, "controller": one.test.controller, "count": one.test.n}
            said = {key: value for key, value in count.items() if value is not None}
            lines[one.about, one.because, str(number)] = {"tokens": said, **dates}
        else:
            line = lines.setdefault((one.about, one.because, str(one.holds)), {})
            if one.about != "table":
                line["of"] = one.about
            value, before = test_short(one), line.get(one.key)
            merged = before | value if isinstance(before, dict) and isinstance(value, dict) else value
            line.update({one.key: merged, **dates})
    return [{**line, **({"because": because} if because else {})} for (_, because, _), line in lines.items()]


def test_short(one: Expectation) -> Plain:
    """The expected value of a key."""
    match one.test:
        case Equals(value):
            return seen_short(value)
        case Has(values) | Lacks(values) | InAnyOrder(values):
            return {str(one.test.__struct_config__.tag): list(values)}
        case _:
            raise ValueError(f"a search expects nothing like {one.test}")


def seen_short(value: object) -> Plain:
    """A value that can be observed."""
    if isinstance(value, tuple):
        if value and all(isinstance(one, Struct) for one in value):
            return {one.kind: one.n for one in value}
        return list(value)
    return value


# ------------------------------------------------------------------------------------------ a value


def card_short(card: Card) -> Plain:
    """A card as written in its file, without empty fields."""
    said: dict[str, Plain] = {"name": card.name}
    if card.cost != "{0}" and not (card.cost is None and ("Land" in card.types or card.halves)):
        said["cost"] = card.cost
    for name in ("supertypes", "types", "subtypes", "colors"):
        words = getattr(card, name)
        if words:
            said[name] = sorted(words)
    numbers = (card.power, card.toughness)
    if None not in numbers:
        said["pt"] = f"{card.power}/{card.toughness}"
    if card.loyalty is not None:
        said["loyalty"] = card.loyalty
    if card.abilities:
        said["abilities"] = [shortest(one, Ability) for one in card.abilities]
    if card.back is not None:
        said["back"] = face_short(card.back)
    if card.modal:
        said["modal"] = True
    if card.adventure is not None:
        said["adventure"] = face_short(card.adventure)
    if card.halves:
        said["halves"] = [face_short(half) for half in card.halves]
    return said if read_back(said, Card) == plain_card(card) else shortest(card, Card)


def face_short(face: Card) -> Plain:
    """A face as written in the file of its card; a face without a mana cost has no `cost` key."""
    said = card_short(face)
    assert isinstance(said, dict)
    cost = {} if face.cost is None else {"cost": face.cost}
    rest = {key: one for key, one in said.items() if key not in ("name", "cost")}
    return {"name": face.name, **cost, **rest}


def plain_card(card: Card) -> Card:
    """A card as its reader produces it: a cost of nothing is left out for an invented card."""
    return msgspec.structs.replace(card, cost=None) if card.cost == "{0}" else card


def shortest(value: object, kind: Any) -> Plain:
    """The shortest form that reads back as this value, where a value of this type is expected."""
    if isinstance(value, Struct):
        for form in forms_of(value):
            if kind is None or read_back(form, kind) == value:
                return form
        raise ValueError(f"no form for {value!r}")
    if isinstance(value, frozenset):
        value = tuple(sorted(value, key=str))
    if isinstance(value, tuple):
        return [plain_value(one) for one in value]
    return value


def plain_value(value: object) -> Plain:
    """A value inside another; for a struct, the first form that a reader of its family accepts."""
    if not isinstance(value, Struct):
        return shortest(value, None)
    return shortest(value, type(value))


def forms_of(value: Struct) -> Iterator[Plain]:
    """Ways to write a struct, shortest first; the last one is always valid."""
    for said in (non_default_fields(value), non_default_fields(value, lists=True)):
        yield from special_forms(value, said)
        yield from plain_forms(value, said)


def plain_forms(value: Struct, said: dict[str, Plain]) -> Iterator[Plain]:
    """The ways to write that every struct has."""
    config = value.__struct_config__
    if not config.tag_field:
        yield said
        return
    tag = str(config.tag)
    if not said:
        yield tag
    for _, first, _ in fields_of(type(value))[:1]:
        if first in said:
            yield {tag: said[first], **{key: one for key, one in said.items() if key != first}}
    yield {tag: said}
    yield {config.tag_field: tag, **said}


def non_default_fields(value: Struct, *, lists: bool = False) -> dict[str, Plain]:
    """The fields of a struct that differ from their defaults; a list of one is unwrapped, unless `lists`."""
    said: dict[str, Plain] = {}
    for name, key, usual in fields_of(type(value)):
        one = getattr(value, name)
        if one != usual:
            said[key] = plain_value(one) if lists else unwrapped(plain_value(one))
    return said


def unwrapped(value: Plain) -> Plain:
    """A list of one item as the item itself."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def special_forms(value: Struct, said: dict[str, Plain]) -> Iterator[Plain]:
    """The short forms of particular types."""
    match value:
        case Static(parts=(part,)):
            yield {
                "static": {
                    **non_default_fields(part),
                    **{key: one for key, one in said.items() if key != "parts"},
                }
            }
        case Effect():
            yield said
        case Keyword(keyword=keyword):
            rest = {key: one for key, one in said.items() if key != "keyword"}
            if not rest:
                yield keyword
            if len(rest) == 1:
                yield {keyword: next(iter(rest.values()))}
            yield {keyword: rest}
        case Activated() | Triggered():
            tag = str(value.__struct_config__.tag)
            yield {tag: {key: one for key, one in said.items() if key != "name"}}
        case Base(int(power), int(toughness)):
            yield {"base": f"{power}/{toughness}"}
        case Modify(int(power), int(toughness)):
            yield {"modify": f"{power:+}/{toughness:+}"}
        case Base() | Modify():
            yield {str(value.__struct_config__.tag): said}
        case The("target"):
            yield "target"
        case All():
            yield from nouns(value, said)
        case Filter():
            yield from (form for form in nouns(value, said) if isinstance(form, str))
        case TargetSpec(any_target=True):
            yield "any target"
        case Pay(steps=()):
            yield {"steps": [], **said}
        case TargetSpec(what=All() as what):
            yield plain_value(what)
        case _:
            pass


def nouns(value: Filter, said: dict[str, Plain]) -> Iterator[Plain]:
    """Objects as a noun with adjectives, plus keys for the rest."""
    for plural in [plural for plural, type in PLURALS.items() if type in value.type] or ["permanents"]:
        words = [word for word, meant in ADJECTIVES.items() if adjective_holds(value, meant, plural)]
        noun_said = " ".join([*words, plural])
        meant = noun(noun_said)
        if meant is None:
            continue
        rest = {
            key: one
            for key, one in said.items()
            if key not in Filter.__struct_fields__ or getattr(meant, key) != getattr(value, key)
        }
        yield {"all": noun_said, **rest} if rest else noun_said


def adjective_holds(value: Filter, meant: tuple[str, Any], plural: str) -> bool:
    """Whether an adjective says something that the filter requires and the noun does not say."""
    key, word = meant
    if key.startswith("not "):
        return any(
            getattr(one, key.removeprefix("not ")) == frozenset({word})
            and one == msgspec.structs.replace(Filter(), **{key.removeprefix("not "): frozenset({word})})
            for one in value.without
        )
    asked = getattr(value, key)
    if isinstance(asked, frozenset):
        return word in asked and PLURALS.get(plural) != word
    return asked is word


def read_back(form: Plain, kind: Any) -> object:
    """What the loader reads from a form; `UNREADABLE` if it is invalid."""
    try:
        walk = TypedWalk(fixture_grammar())
        value = walk.read(kind, node_of(form))
        return UNREADABLE if walk.faults else value
    except (ValueError, TypeError, AttributeError):
        return UNREADABLE


def node_of(form: Plain) -> Node:
    """A form as the tree that parsing its text would give."""
    return tree_of(flow(form), "")


# --------------------------------------------------------------------------------------------- text

SAFE = re.compile(r"[A-Za-z][\w/'’+ -]*(?<! )|[0-9][0-9*]*/[0-9*]+")
WORDS_FOR_OTHERS = ("none", "null", "yes", "no", "true", "false")


def flow(value: Plain) -> str:
    """A form on one line, with quotes where YAML needs them."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value)
        case str():
            plain = SAFE.fullmatch(value) and not other_kind(value) and value not in WORDS_FOR_OTHERS
            return value if plain else json.dumps(value, ensure_ascii=False)
        case dict():
            return "{" + ", ".join(f"{flow(key)}: {flow(one)}" for key, one in value.items()) + "}"
        case _:
            return "[" + ", ".join(map(flow, value)) + "]"


def flow_quoted(words: Sequence[str]) -> str:
    """The words, all of them quoted if one looks like a number."""
    return "[" + ", ".join(json.dumps(word) for word in words) + "]"
