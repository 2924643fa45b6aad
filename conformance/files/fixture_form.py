"""A fixture as its file has it: the types, whose parts remember the node they stood at, and what reads them.

`scenario_file` turns it into the canonical form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

from msgspec import Struct, UnsetType, field

from conformance.files import short_forms
from conformance.files.typed_walk import (
    BOOLEANS,
    BROKEN,
    FIELD_READERS,
    Faults,
    Reader,
    built,
    described,
    fault,
    read_boolean,
    read_record,
    read_text,
    reader_of,
)
from conformance.files.yaml_nodes import Mapping, Node, Scalar, Sequence, as_data
from conformance.model.observation import SeenObject, SeenPlayer, SeenTable
from conformance.model.problems import did_you_mean, listed
from conformance.model.scenario import (
    Equals,
    Expectation,
    Has,
    Holds,
    InAnyOrder,
    Lacks,
    Number,
    OneOf,
    SeenCounters,
    SourceSays,
    Test,
    TimestampOrder,
)
from conformance.model.struct_types import types_of
from reference_engine.language.actions import Action, Choose
from reference_engine.language.cards import Card, Counters
from reference_engine.language.words import Step

# --------------------------------------------------------------------------------------- file types


class Placed(Struct, frozen=True):
    """An object named in a player's zone, and what it is if that is said here."""

    id: str
    node: Node
    card: str | None = None
    owner: str | None = None


class PlayerFile(Struct, frozen=True):
    """A player, as a file says it."""

    id: str
    node: Node
    life: int = 20
    team: str | None = None
    counters: tuple[Counters, ...] = ()
    hand: tuple[Placed, ...] = ()
    library: tuple[Placed, ...] | None = None
    graveyard: tuple[Placed, ...] = ()
    exile: tuple[Placed, ...] = ()


class ObjectFile(Struct, frozen=True):
    """An object that exists; whose it is may follow from where it is."""

    id: str
    node: Node
    card: str | None = None
    token: str | Card | bool | None = None
    owner: str | None = None


class EntryFile(Struct, frozen=True):
    """One entry of the setup; what the object is may be said here."""

    id: str
    controller: str
    node: Node
    card: str | None = None
    token: str | Card | None = None
    owner: str | None = None
    attached_to: str | None = None
    counters: tuple[Counters, ...] = ()
    choices: tuple[Choose, ...] = ()
    face_down: bool = False
    tapped: bool = False
    damage: int = 0
    new: bool = False


class ArrivalFile(Struct, frozen=True):
    """Entries that happen together, or a single one."""

    together: tuple[EntryFile, ...]
    node: Node
    timestamps: tuple[TimestampOrder, ...] = ()


class StartFile(Struct, frozen=True):
    """The start, as far as it is said."""

    turn: str | None = None
    step: Step | None = None


class ScriptLine(Struct, frozen=True):
    """An action of the script."""

    action: Action
    node: Node


class CardLine(Struct, frozen=True):
    """A card invented for the scenario."""

    card: Card
    node: Node


class Row(Struct, frozen=True):
    """One fact expected."""

    expectation: Expectation
    node: Node
    look: Node
    about: Node


Outcome = Literal["done", "rejected"]


class TableRow(Struct, frozen=True):
    """One row of a table: what it has besides, or in place of, what all rows share."""

    row: int
    title: str
    node: Node
    rules: tuple[str, ...] = ()
    start: StartFile = StartFile()
    holds: Holds | None = None
    before: tuple[ScriptLine, ...] = ()
    """What is done before the script that the rows share."""
    script: tuple[ScriptLine, ...] = ()
    """What is done after it."""
    try_: ScriptLine | None = field(default=None, name="try")
    """What is tried last of all."""
    is_: Outcome | None = field(default=None, name="is")
    because: str = ""
    expect: tuple[Row, ...] = ()


class FixtureFile(Struct, frozen=True):
    """A fixture as its file has it, flat; or several that share most of it."""

    id: str
    title: str
    rules: tuple[str, ...]
    node: Node
    players: tuple[PlayerFile, ...] = ()
    source: tuple[str, ...] = ()
    holds: Holds = Holds()
    note: str = ""
    disputed: str = ""
    start: StartFile = StartFile()
    cards: tuple[CardLine, ...] = ()
    objects: tuple[ObjectFile, ...] = ()
    setup: tuple[ArrivalFile, ...] = ()
    script: tuple[ScriptLine, ...] = ()
    expect: tuple[Row, ...] = ()
    rows: tuple[TableRow, ...] | None = None


# ----------------------------------------------------------------------------------------- the walk


def each(read_one: Callable[[Node, Faults], Any]) -> Callable[[Node, Faults], Any]:
    """The reader of a list whose broken members are left out, so that the rest can be checked."""

    def read(node: Node, faults: Faults) -> Any:
        items = node.items if type(node) is Sequence else (node,)
        values = [read_one(item, faults) for item in items]
        return tuple(value for value in values if value is not BROKEN)

    return read


def read_players(node: Node, faults: Faults) -> Any:
    """Players in turn order: ids, or a map of what each of them has."""
    items = node.items if type(node) is Sequence else (node,)
    values = [value for item in items for value in player_item(item, faults)]
    if not values:
        fault(faults, node, "no players", "write players: [alice, bob], or leave it out to have these two")
    return tuple(value for value in values if value is not BROKEN)


def player_item(node: Node, faults: Faults) -> Iterator[Any]:
    """The players that one item of a list says."""
    if type(node) is Mapping and "id" in node.entries:
        yield read_record(PlayerFile, node, faults)
    elif type(node) is Mapping:
        for key, value in node.entries.values():
            yield read_player(key, value, faults)
    else:
        name = read_text(node, faults)
        if name is not BROKEN:
            yield PlayerFile(str(name), node)


def read_player(key: Scalar, node: Node, faults: Faults) -> Any:
    """A player from the id and what is said of them."""
    name = read_text(key, faults)
    if type(node) is Mapping:
        return built(PlayerFile, node.entries.values(), key, faults, {"id": name})
    return fault(faults, node, f"{described(node)} where a map is wanted", f"write {key.text}: {{life: 20}}")


def read_placed(node: Node, faults: Faults) -> Any:
    """Objects in a player's zone: ids, or ids with the card each of them is."""
    items = node.items if type(node) is Sequence else (node,)
    values = [value for item in items for value in placed_item(item, faults)]
    return BROKEN if BROKEN in values else tuple(values)


def placed_item(node: Node, faults: Faults) -> Iterator[Any]:
    """The objects that one item of a list says."""
    if type(node) is Mapping and "id" in node.entries:
        yield read_record(Placed, node, faults)
    elif type(node) is Mapping:
        for key, value in node.entries.values():
            yield placed(key, value, faults)
    else:
        name = read_text(node, faults)
        yield name if name is BROKEN else Placed(str(name), node)


def placed(key: Scalar, value: Node, faults: Faults) -> Any:
    """`{bolt: Lightning Bolt}`: an object and its card."""
    name, card = read_text(key, faults), read_text(value, faults)
    return BROKEN if name is BROKEN or card is BROKEN else Placed(str(name), value, card=str(card))


def read_objects(node: Node, faults: Faults) -> Any:
    """Objects in the order of their creation."""
    if type(node) is Mapping and "id" not in node.entries:
        values = [read_object(key, value, faults) for key, value in node.entries.values()]
    else:
        items = node.items if type(node) is Sequence else (node,)
        values = [read_record(ObjectFile, item, faults) for item in items]
    return tuple(value for value in values if value is not BROKEN)


def read_object(key: Scalar, node: Node, faults: Faults) -> Any:
    """`bolt: Lightning Bolt`, or `bolt: {card: Lightning Bolt, owner: bob}`."""
    name = read_text(key, faults)
    if type(node) is Mapping:
        return built(ObjectFile, node.entries.values(), key, faults, {"id": name})
    card = read_text(node, faults)
    return BROKEN if name is BROKEN or card is BROKEN else ObjectFile(str(name), node, card=str(card))


def read_token(node: Node, faults: Faults) -> Any:
    """A token: the name of a card, or its definition."""
    return read_card(node, faults) if type(node) is Mapping else read_text(node, faults)


def read_token_or_flag(node: Node, faults: Faults) -> Any:
    """A token as above, or only that it is one, as the canonical form has it."""
    if type(node) is Scalar and node.plain and node.text in BOOLEANS:
        return BOOLEANS[node.text]
    return read_token(node, faults)


def read_card(node: Node, faults: Faults) -> Any:
    """A card."""
    return short_forms.read_card(node, faults)


read_kind, read_answer = (reader_of(types_of(Choose)[name]) for name in ("kind", "answer"))
read_entries = reader_of(tuple[EntryFile, ...])


def read_choices(node: Node, faults: Faults) -> Any:
    """What was chosen as an object entered: `{type: Goblin}`, or answers as in a script."""
    if type(node) is Mapping and not {"choose", "do"} & node.entries.keys():
        values = [chosen(key, value, faults) for key, value in node.entries.values()]
    else:
        items = node.items if type(node) is Sequence else (node,)
        values = [read_choice(item, faults) for item in items]
    return BROKEN if BROKEN in values else tuple(values)


def chosen(key: Scalar, node: Node, faults: Faults) -> Any:
    """`type: Goblin`: what was asked, and the answer of the object's controller."""
    kind, answer = read_kind(key, faults), read_answer(node, faults)
    return BROKEN if kind is BROKEN or answer is BROKEN else Choose(kind, "", answer)


def read_choice(node: Node, faults: Faults) -> Any:
    """One answer; it is its controller's if nobody is named."""
    if type(node) is not Mapping or "by" in node.entries:
        return reader_of(Choose)(node, faults)
    rest = dict(node.entries)
    given: dict[str, Any] = {"by": ""}
    if "do" not in rest and "choose" in rest:
        given["kind"] = read_kind(rest.pop("choose")[1], faults)
    if "do" in rest and as_data(rest.pop("do")[1]) != "choose":
        return reader_of(Choose)(node, faults)
    return built(Choose, rest.values(), node, faults, given)


def read_tapped(node: Node, faults: Faults) -> Any:
    """Whether an entry is tapped; that it is not can't be asked for, because some permanents enter tapped."""
    tapped = read_boolean(node, faults)
    if tapped is False:
        what = "tapped: no would untap nothing: what enters tapped is tapped"
        return fault(faults, node, what, "leave it out, or let the script untap it")
    return tapped


def read_arrival(node: Node, faults: Faults) -> Any:
    """One entry of the setup, or several together."""
    if type(node) is Mapping and {"together", "entries"} & node.entries.keys():
        rest, given = dict(node.entries), {}
        if "entries" in rest:
            given["together"] = read_entries(rest.pop("entries")[1], faults)
        return built(ArrivalFile, rest.values(), node, faults, given)
    entry = read_record(EntryFile, node, faults)
    return BROKEN if entry is BROKEN else ArrivalFile((entry,), node)


read_action = reader_of(Action)


def read_script_line(node: Node, faults: Faults) -> Any:
    """An action."""
    action = read_action(node, faults)
    return BROKEN if action is BROKEN else ScriptLine(action, node)


def read_card_line(node: Node, faults: Faults) -> Any:
    """A card of the scenario's own."""
    card = read_card(node, faults)
    return BROKEN if card is BROKEN else CardLine(card, node)


MOST_ROWS = 99


def read_rows(node: Node, faults: Faults) -> Any:
    """The rows of a table, each with its own number."""
    rows: dict[int, TableRow] = {}
    items = node.items if type(node) is Sequence else (node,)
    for item in items:
        row = read_record(TableRow, item, faults)
        if row is BROKEN or type(item) is not Mapping:
            continue
        if not 1 <= row.row <= MOST_ROWS:
            fault(faults, item, f"a row {row.row}", f"rows are numbered from 1 to {MOST_ROWS}")
        elif row.row in rows:
            fault(faults, item, f"a second row {row.row}", "a row keeps its number for ever: take a new one")
        elif ("try" in item.entries) != ("is" in item.entries):
            cure = "write both: try: {…}, is: rejected"
            fault(faults, item, "a try without its outcome, or an outcome without its try", cure)
        elif (row.try_ is None) == (row.is_ is None):
            rows[row.row] = row
    if not items:
        fault(
            faults, node, "no rows", "write rows: [{row: 1, title: …, try: {…}, is: done}], or leave it out"
        )
    return tuple(rows.values())


read_outcome = reader_of(Outcome)
FIELD_READERS[StartFile, "step"] = reader_of(Step)
FIELD_READERS[TableRow, "before"] = each(read_script_line)
FIELD_READERS[TableRow, "script"] = each(read_script_line)
FIELD_READERS[TableRow, "try_"] = read_script_line
FIELD_READERS[TableRow, "is_"] = read_outcome
FIELD_READERS[FixtureFile, "rows"] = read_rows
FIELD_READERS[PlayerFile, "hand"] = read_placed
FIELD_READERS[PlayerFile, "library"] = read_placed
FIELD_READERS[PlayerFile, "graveyard"] = read_placed
FIELD_READERS[PlayerFile, "exile"] = read_placed
FIELD_READERS[ObjectFile, "token"] = read_token_or_flag
FIELD_READERS[EntryFile, "token"] = read_token
FIELD_READERS[EntryFile, "choices"] = read_choices
FIELD_READERS[EntryFile, "tapped"] = read_tapped
FIELD_READERS[FixtureFile, "players"] = read_players
FIELD_READERS[FixtureFile, "objects"] = read_objects
FIELD_READERS[FixtureFile, "setup"] = each(read_arrival)
FIELD_READERS[FixtureFile, "script"] = each(read_script_line)
FIELD_READERS[FixtureFile, "cards"] = each(read_card_line)

# ------------------------------------------------------------------------------------- expectations

SEEN: dict[str, type[Struct]] = {"object": SeenObject, "player": SeenPlayer, "table": SeenTable}
TESTS = tuple(str(cls.__struct_config__.tag) for cls in get_args(Test))
BESIDE = ("because", "holds", "source_says")
ALWAYS = Holds()


class SeenKey(Struct, frozen=True, eq=False):
    """A key that can be seen: what reads its value, and whether that is a set or a list."""

    read: Reader
    origin: Any


@cache
def keys_to_see() -> dict[str, SeenKey]:
    """Every key that can be seen; where objects and players share one, it is of one type."""
    kinds = {
        key: seen_type(kind)
        for cls in SEEN.values()
        for key, kind in zip(cls.__struct_encode_fields__, types_of(cls).values(), strict=True)
    }
    return {key: SeenKey(reader_of(kind), get_origin(kind)) for key, kind in kinds.items() if key != "tokens"}


def seen_type(kind: Any) -> Any:
    """A field's type when it is reported."""
    return Union[tuple(one for one in get_args(kind) if one is not UnsetType)]  # noqa: UP007  # made of a tuple


@cache
def keys_of(about: str) -> dict[str, None]:
    """The keys that can be seen of an object, a player or the table, in order."""
    return dict.fromkeys(SEEN[about].__struct_encode_fields__)


def read_expect(node: Node, faults: Faults) -> tuple[Row, ...]:
    """Rows of facts: a list is the look `end`, a map has a list for each look."""
    if type(node) is Mapping and not is_expectation(node):
        return tuple(
            row
            for key, value in node.entries.values()
            for row in rows_of_look(str(read_text(key, faults)), value, faults)
        )
    return tuple(rows_of_look("end", node, faults))


def is_expectation(node: Mapping) -> bool:
    """Whether a map is one expectation, not one of looks."""
    return any(key in ("of", "about", "tried") or key in keys_of("table") for key in node.entries)


def rows_of_look(look: str, node: Node, faults: Faults) -> Iterator[Row]:
    """The rows of the items under one look."""
    for item in node.items if type(node) is Sequence else (node,):
        if type(item) is not Mapping:
            fault(
                faults,
                item,
                f"{described(item)} where an expectation is wanted",
                "write {of: bear, power: 2}",
            )
        elif "about" in item.entries or "test" in item.entries:
            expectation = read_record(Expectation, item, faults)
            if expectation is not BROKEN:
                yield Row(expectation, item, item, item)
        else:
            for expectation, value, about in rows_of_item(look, item, faults):
                yield Row(expectation, value, node, about)


def rows_of_item(look: str, item: Mapping, faults: Faults) -> Iterator[tuple[Expectation, Node, Node]]:
    """One row for each thing and key that an item names, with the nodes of its value and of the thing."""
    entries = dict(item.entries)
    beside = {key: entries.pop(key)[1] for key in BESIDE if key in entries}
    because: Any = read_text(beside["because"], faults) if "because" in beside else ""
    holds = read_record(Holds, beside["holds"], faults) if "holds" in beside else ALWAYS
    about: list[tuple[Any, Node]] = [("table", item)]
    if "of" in entries:
        of = entries.pop("of")[1]
        names = of.items if type(of) is Sequence else (of,)
        about = [(read_text(name, faults), name) for name in names]
    facts: list[tuple[Any, str, Any, Node, Node]] = []
    if "tried" in entries:
        tried = entries.pop("tried")[1]
        outcome = entries.pop("is", None)
        name = read_text(tried, faults)
        if outcome is None:
            fault(faults, tried, "what was it: done or rejected?", "add is: rejected")
        else:
            value = read_outcome(outcome[1], faults)
            test = value if value is BROKEN else Equals(value)
            facts.append((name, "tried", test, outcome[1], tried))
    elif not entries:
        fault(faults, item, "nothing is expected here", "add a key and its value: power: 2")
    for key, value_node in entries.values():
        for test in tests_of(key, value_node, faults):
            facts += [(name, key.text, test, value_node, node) for name, node in about]
    said: dict[str, SourceSays] = {}
    if "source_says" in beside:
        said = source_says(beside["source_says"], {key for _, key, _, _, _ in facts}, faults)
    whole = because is not BROKEN and holds is not BROKEN
    for name, key_text, test, value_node, node in facts:
        if whole and name is not BROKEN and test is not BROKEN:
            yield (
                Expectation(look, name, key_text, test, because, holds, said.get(key_text)),
                value_node,
                node,
            )


def tests_of(key: Scalar, node: Node, faults: Faults) -> list[Any]:
    """The tests that a key's value asks for; a plain value has to be equalled."""
    keys = keys_to_see()
    if key.text == "tokens":
        return [read_tokens(node, faults)]
    if key.text in TESTS:
        fault(faults, key, f"{key.text!r} without a key", f"write it below one: keywords: {{{key.text}: …}}")
        return []
    if key.text not in keys:
        fault(
            faults,
            key,
            f"nothing called {key.text!r} can be seen",
            did_you_mean(key.text, (*keys, "tokens"), otherwise=f"there are: {', '.join(keys)}"),
        )
        return []
    seen = keys[key.text]
    if type(node) is Mapping and node.entries and all(key in TESTS for key in node.entries):
        return [read_test(test, seen, value, faults) for test, value in node.entries.values()]
    value = read_seen(seen, node, faults)
    return [value if value is BROKEN else Equals(value)]


def read_seen(key: SeenKey, node: Node, faults: Faults) -> Any:
    """A value as it is seen: of a set the members in order, of counters the kinds."""
    value = key.read(node, faults)
    if isinstance(value, frozenset):
        return tuple(sorted(value))
    if isinstance(value, tuple) and any(isinstance(one, SeenCounters) for one in value):
        return tuple(sorted(value, key=lambda one: one.kind))
    return value


def read_test(test: Scalar, key: SeenKey, node: Node, faults: Faults) -> Any:
    """A test by its word, for a key of some type."""
    if test.text == "equals":
        value = read_seen(key, node, faults)
        return value if value is BROKEN else Equals(value)
    if test.text == "one_of":
        items = node.items if type(node) is Sequence else (node,)
        values = [read_seen(key, item, faults) for item in items]
        return BROKEN if BROKEN in values else OneOf(tuple(map(Equals, values)))
    if test.text == "count":
        return fault(faults, test, "only tokens are counted", "write tokens: {name: Saproling, count: 2}")
    fits = key.origin is tuple if test.text == "any_order" else key.origin in (tuple, frozenset)
    if not fits:
        return fault(faults, test, f"{test.text!r} asks of a list, and this is none", "write the value alone")
    value = read_seen(key, node, faults)
    member = {"has": Has, "lacks": Lacks, "any_order": InAnyOrder}[test.text]
    return value if value is BROKEN else member(value)


class TokensFile(Struct, frozen=True):
    """How many tokens of a name there are."""

    name: str
    count: int
    controller: str | None = None


def read_tokens(node: Node, faults: Faults) -> Any:
    """`{name: Saproling, controller: alice, count: 2}`."""
    said = read_record(TokensFile, node, faults)
    return said if said is BROKEN else Number(said.name, said.count, said.controller)


def source_says(node: Node, keys: set[str], faults: Faults) -> dict[str, SourceSays]:
    """By key, what a source says instead."""
    if type(node) is not Mapping:
        fault(faults, node, f"{described(node)} where a map is wanted", "write {power: 3, reason: …}")
        return {}
    entries = dict(node.entries)
    reason = entries.pop("reason", None)
    if reason is None:
        fault(faults, node, "why does the source differ?", "add reason: …")
        return {}
    why = read_text(reason[1], faults)
    said: dict[str, SourceSays] = {}
    for key, value_node in entries.values():
        name = next(iter(keys)) if key.text == "value" and len(keys) == 1 else key.text
        if name not in keys:
            fault(
                faults,
                key,
                f"{key.text!r} is not expected here",
                did_you_mean(key.text, keys, otherwise=f"expected are: {listed(sorted(keys))}"),
            )
            continue
        seen = keys_to_see().get(name)
        value = read_seen(seen, value_node, faults) if seen else short_forms.read_value(value_node, faults)
        if value is not BROKEN and why is not BROKEN:
            said[name] = SourceSays(value, str(why))
    return said


FIELD_READERS[FixtureFile, "expect"] = read_expect
FIELD_READERS[TableRow, "expect"] = read_expect
