"""The types of a fixture as written in its file, with their readers; each part remembers its node.

`fixture_file` converts them to the canonical form.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Union, get_args, get_origin

from msgspec import Struct, UnsetType, field
from msgspec.structs import replace

from conformance.files import short_forms
from conformance.files.typed_walk import (
    BOOLEANS,
    UNREADABLE,
    Grammar,
    ReadFunction,
    TypedWalk,
    build_struct,
    description_of_node,
    read_boolean,
    read_record,
    read_text,
    reader_when_asked,
)
from conformance.files.yaml_nodes import MappingNode, Node, ScalarNode, SequenceNode, as_data
from conformance.model.observation import SeenObject, SeenPlayer, SeenTable, TryOutcome
from conformance.model.problems import did_you_mean, list_of_options
from conformance.model.scenario import (
    Equals,
    Expectation,
    Fixture,
    Has,
    Holds,
    InAnyOrder,
    Lacks,
    Number,
    OneOfTest,
    Play,
    SeenCounters,
    SourceSays,
    Test,
)
from conformance.model.struct_types import types_of
from reference_engine.language import actions
from reference_engine.language.actions import Action, ChooseAction
from reference_engine.language.cards import Card, Counters
from reference_engine.language.setup import Arrival, Entry, Object, Player, Start, TimestampOrder
from reference_engine.language.words import Step

# --------------------------------------------------------------------------------------- file types


class PlacedObject(Struct, frozen=True):
    """An object in a player's zone, with its card if the file defines it there."""

    id: str
    node: Node
    card: str | None = None
    owner: str | None = None


class PlayerFile(Struct, frozen=True):
    """A player in a file."""

    id: str
    node: Node
    life: int = 20
    team: str | None = None
    counters: tuple[Counters, ...] = ()
    hand: tuple[PlacedObject, ...] = ()
    library: tuple[PlacedObject, ...] | None = None
    graveyard: tuple[PlacedObject, ...] = ()
    exile: tuple[PlacedObject, ...] = ()


class ObjectFile(Struct, frozen=True):
    """An object that exists; its owner may follow from its zone."""

    id: str
    node: Node
    card: str | None = None
    token: str | Card | bool | None = None
    owner: str | None = None


class EntryFile(Struct, frozen=True):
    """An entry of the setup; the object may be defined here."""

    id: str
    controller: str
    node: Node
    card: str | None = None
    token: str | Card | None = None
    owner: str | None = None
    attached_to: str | None = None
    counters: tuple[Counters, ...] = ()
    choices: tuple[ChooseAction, ...] = ()
    face_down: bool = False
    tapped: bool = False
    damage: int = 0
    new: bool = False
    face: str | None = None


class ArrivalFile(Struct, frozen=True):
    """One entry, or several simultaneous ones."""

    together: tuple[EntryFile, ...]
    node: Node
    timestamps: tuple[TimestampOrder, ...] = ()


class StartFile(Struct, frozen=True):
    """The start of the script, before defaults are filled in."""

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
    """One expected value."""

    expectation: Expectation
    node: Node
    look: Node
    about: Node


class TableRow(Struct, frozen=True):
    """One row of a table: what it adds to the parts that all rows share, or replaces in them."""

    row: int
    title: str
    node: Node
    rules: tuple[str, ...] = ()
    start: StartFile = StartFile()
    holds: Holds | None = None
    before: tuple[ScriptLine, ...] = ()
    """Actions before the script that the rows share."""
    script: tuple[ScriptLine, ...] = ()
    """Actions after it."""
    try_: ScriptLine | None = field(default=None, name="try")
    """The last action, which is only attempted."""
    is_: TryOutcome | None = field(default=None, name="is")
    because: str = ""
    """The reason for the outcome of its try, and for its expectations that have none of their own."""
    expect: tuple[Row, ...] = ()


class FixtureFile(Struct, frozen=True):
    """A fixture as written in its file, flat; or several fixtures that share most of it."""

    node: Node
    id: str = ""
    title: str = ""
    rules: tuple[str, ...] = ()
    players: tuple[PlayerFile, ...] = ()
    source: tuple[str, ...] = ()
    caught: tuple[str, ...] = ()
    holds: Holds = Holds()
    note: str = ""
    disputed: str = ""
    because: str = ""
    """The reason for every expectation without a reason of its own or of its row."""
    start: StartFile = StartFile()
    cards: tuple[CardLine, ...] = ()
    objects: tuple[ObjectFile, ...] = ()
    setup: tuple[ArrivalFile, ...] = ()
    script: tuple[ScriptLine, ...] = ()
    expect: tuple[Row, ...] = ()
    rows: tuple[TableRow, ...] | None = None


# ----------------------------------------------------------------------------------------- the walk


def reader_of_valid_members(read_one: ReadFunction) -> ReadFunction:
    """A reader of lists that leaves out invalid members, so that the rest can be checked."""

    def read(node: Node, walk: TypedWalk) -> Any:
        items = node.items if type(node) is SequenceNode else (node,)
        values = [(item, read_one(item, walk)) for item in items]
        valid = [(item, value) for item, value in values if walk.readable(item, value)]
        if len(valid) < len(values):
            walk.kept[id(node)] = tuple(item for item, _ in valid)
        return tuple(value for _, value in valid)

    return read


def reader_of_texts(read_one: ReadFunction, empty: Any) -> ReadFunction:
    """A reader of lists: something empty stands for an invalid member, and the others keep their places."""

    def read(node: Node, walk: TypedWalk) -> Any:
        items = node.items if type(node) is SequenceNode else (node,)
        values = (read_one(item, walk) for item in items)
        return tuple(empty if value is UNREADABLE else value for value in values)

    return read


def read_players(node: Node, walk: TypedWalk) -> Any:
    """Players in turn order: ids, or a map from id to contents."""
    items = node.items if type(node) is SequenceNode else (node,)
    values = [(item, value) for item in items for value in player_item(item, walk)]
    if not values:
        walk.fault(node, "no players", "write players: [alice, bob], or leave it out to have these two")
    return tuple(value for item, value in values if walk.readable(item, value))


def player_item(node: Node, walk: TypedWalk) -> Iterator[Any]:
    """The players in one item of a list."""
    if type(node) is MappingNode and "id" in node.entries:
        yield read_record(PlayerFile, node, walk)
    elif type(node) is MappingNode:
        for key, value in node.entries.values():
            yield read_player(key, value, walk)
    else:
        name = read_text(node, walk)
        if name is not UNREADABLE:
            yield PlayerFile(str(name), node)


def read_player(key: ScalarNode, node: Node, walk: TypedWalk) -> Any:
    """A player, from the id and the contents."""
    name = read_text(key, walk)
    if type(node) is MappingNode:
        return build_struct(PlayerFile, node.entries.values(), key, walk, {"id": name})
    return walk.fault(
        node, f"{description_of_node(node)} where a map is expected", f"write {key.text}: {{life: 20}}"
    )


def read_placed(node: Node, walk: TypedWalk) -> Any:
    """Objects in a player's zone: ids, or ids with their cards."""
    items = node.items if type(node) is SequenceNode else (node,)
    values = [value for item in items for value in placed_item(item, walk)]
    return UNREADABLE if UNREADABLE in values else tuple(values)


def placed_item(node: Node, walk: TypedWalk) -> Iterator[Any]:
    """The objects in one item of a list."""
    if type(node) is MappingNode and "id" in node.entries:
        yield read_record(PlacedObject, node, walk)
    elif type(node) is MappingNode:
        for key, value in node.entries.values():
            yield read_placed_object(key, value, walk)
    else:
        name = read_text(node, walk)
        yield name if name is UNREADABLE else PlacedObject(str(name), node)


def read_placed_object(key: ScalarNode, value: Node, walk: TypedWalk) -> Any:
    """`{bolt: Lightning Bolt}`: an object and its card."""
    name, card = read_text(key, walk), read_text(value, walk)
    return (
        UNREADABLE
        if name is UNREADABLE or card is UNREADABLE
        else PlacedObject(str(name), value, card=str(card))
    )


def read_objects(node: Node, walk: TypedWalk) -> Any:
    """Objects in the order of creation."""
    if type(node) is MappingNode and "id" not in node.entries:
        values: list[tuple[Node, Any]] = [
            (key, read_object(key, value, walk)) for key, value in node.entries.values()
        ]
    else:
        items = node.items if type(node) is SequenceNode else (node,)
        values = [(item, read_record(ObjectFile, item, walk)) for item in items]
    return tuple(value for item, value in values if walk.readable(item, value))


def read_object(key: ScalarNode, node: Node, walk: TypedWalk) -> Any:
    """`bolt: Lightning Bolt`, or `bolt: {card: Lightning Bolt, owner: bob}`."""
    name = read_text(key, walk)
    if type(node) is MappingNode:
        return build_struct(ObjectFile, node.entries.values(), key, walk, {"id": name})
    card = read_text(node, walk)
    return (
        UNREADABLE
        if name is UNREADABLE or card is UNREADABLE
        else ObjectFile(str(name), node, card=str(card))
    )


def read_token(node: Node, walk: TypedWalk) -> Any:
    """A token: the name of a card, or its definition."""
    return read_card(node, walk) if type(node) is MappingNode else read_text(node, walk)


def read_token_or_flag(node: Node, walk: TypedWalk) -> Any:
    """A token as above, or just a flag, as in the canonical form."""
    if type(node) is ScalarNode and node.plain and node.text in BOOLEANS:
        return BOOLEANS[node.text]
    return read_token(node, walk)


def read_card(node: Node, walk: TypedWalk) -> Any:
    return short_forms.read_card(node, walk)


ANSWER_KINDS = types_of(ChooseAction)


def read_choices(node: Node, walk: TypedWalk) -> Any:
    """The choices made as an object entered: `{type: Goblin}`, or answers as in a script."""
    if type(node) is MappingNode and not {"choose", "do"} & node.entries.keys():
        values = [read_kind_and_answer(key, value, walk) for key, value in node.entries.values()]
    else:
        items = node.items if type(node) is SequenceNode else (node,)
        values = [read_choice(item, walk) for item in items]
    return UNREADABLE if UNREADABLE in values else tuple(values)


def read_kind_and_answer(key: ScalarNode, node: Node, walk: TypedWalk) -> Any:
    """`type: Goblin`: the kind of choice, and the answer of the object's controller."""
    kind, answer = walk.read(ANSWER_KINDS["kind"], key), walk.read(ANSWER_KINDS["answer"], node)
    return UNREADABLE if kind is UNREADABLE or answer is UNREADABLE else ChooseAction(kind, "", answer)


def read_choice(node: Node, walk: TypedWalk) -> Any:
    """One answer; by default it is the controller's."""
    if type(node) is not MappingNode or "by" in node.entries:
        return walk.read(ChooseAction, node)
    rest = dict(node.entries)
    given: dict[str, Any] = {"by": ""}
    if "do" not in rest and "choose" in rest:
        given["kind"] = walk.read(ANSWER_KINDS["kind"], rest.pop("choose")[1])
    if "do" in rest and as_data(rest.pop("do")[1]) != "choose":
        return walk.read(ChooseAction, node)
    return build_struct(ChooseAction, rest.values(), node, walk, given)


def read_tapped(node: Node, walk: TypedWalk) -> Any:
    """Whether an entry is tapped; `false` is refused, because some permanents enter tapped anyway."""
    tapped = read_boolean(node, walk)
    if tapped is False:
        what = "tapped: no would untap nothing: what enters tapped is tapped"
        return walk.fault(node, what, "leave it out, or let the script untap it")
    return tapped


def read_arrival(node: Node, walk: TypedWalk) -> Any:
    """One entry of the setup, or several simultaneous ones."""
    if type(node) is MappingNode and {"together", "entries"} & node.entries.keys():
        rest, given = dict(node.entries), {}
        if "entries" in rest:
            given["together"] = walk.read(tuple[EntryFile, ...], rest.pop("entries")[1])
        return build_struct(ArrivalFile, rest.values(), node, walk, given)
    entry = read_record(EntryFile, node, walk)
    return UNREADABLE if entry is UNREADABLE else ArrivalFile((entry,), node)


def read_script_line(node: Node, walk: TypedWalk) -> Any:
    action = walk.read(Action, node)
    return UNREADABLE if action is UNREADABLE else ScriptLine(action, node)


def read_card_line(node: Node, walk: TypedWalk) -> Any:
    """A card that the scenario invents."""
    card = read_card(node, walk)
    return UNREADABLE if card is UNREADABLE else CardLine(card, node)


MOST_ROWS = 99


def read_rows(node: Node, walk: TypedWalk) -> Any:
    """The rows of a table, numbered."""
    rows: dict[int, TableRow] = {}
    items = node.items if type(node) is SequenceNode else (node,)
    for item in items:
        row = read_record(TableRow, item, walk)
        if not walk.readable(item, row) or type(item) is not MappingNode:
            continue
        if not 1 <= row.row <= MOST_ROWS:
            walk.fault(item, f"a row {row.row}", f"rows are numbered from 1 to {MOST_ROWS}")
        elif row.row in rows:
            walk.fault(item, f"a second row {row.row}", "row numbers are permanent: use a new one")
        elif ("try" in item.entries) != ("is" in item.entries):
            cure = "write both: try: {…}, is: rejected"
            walk.fault(item, "a try without its outcome, or an outcome without its try", cure)
        elif (row.try_ is None) == (row.is_ is None):
            rows[row.row] = row
    if not items:
        walk.fault(node, "no rows", "write rows: [{row: 1, title: …, try: {…}, is: done}], or leave it out")
    return tuple(rows.values())


# ------------------------------------------------------------------------------------- expectations

SEEN: dict[str, type[Struct]] = {"object": SeenObject, "player": SeenPlayer, "table": SeenTable}
TESTS = tuple(str(cls.__struct_config__.tag) for cls in get_args(Test))
BESIDE = ("because", "holds", "source_says")
ALWAYS_TRUE = Holds()


class SeenKey(Struct, frozen=True, eq=False):
    """A key that can be observed: the reader of its value, and whether that is a set or a list."""

    read: ReadFunction
    origin: Any


@cache
def keys_to_see() -> dict[str, SeenKey]:
    """All keys that can be observed; where objects and players share a key, its type is the same."""
    kinds = {
        key: seen_type(kind)
        for cls in SEEN.values()
        for key, kind in zip(cls.__struct_encode_fields__, types_of(cls).values(), strict=True)
    }
    return {
        key: SeenKey(reader_when_asked(kind), get_origin(kind))
        for key, kind in kinds.items()
        if key != "tokens"
    }


def seen_type(kind: Any) -> Any:
    """The type of a field when it is reported."""
    return Union[tuple(one for one in get_args(kind) if one is not UnsetType)]  # noqa: UP007  # built from a tuple


@cache
def keys_of(about: str) -> dict[str, None]:
    """The keys that can be observed of an object, a player or the table, in order."""
    return dict.fromkeys(SEEN[about].__struct_encode_fields__)


def read_expect(node: Node, walk: TypedWalk) -> tuple[Row, ...]:
    """Rows of expectations: a list is for the look `end`, a map has one list for each look."""
    if type(node) is MappingNode and not is_expectation(node):
        return tuple(
            row
            for key, value in node.entries.values()
            for row in rows_of_look(str(read_text(key, walk)), value, walk)
        )
    return tuple(rows_of_look("end", node, walk))


def is_expectation(node: MappingNode) -> bool:
    """Whether a map is a single expectation, not a map of looks."""
    return any(key in ("of", "about", "tried") or key in keys_of("table") for key in node.entries)


def rows_of_look(look: str, node: Node, walk: TypedWalk) -> Iterator[Row]:
    """The rows of the items under one look."""
    for item in node.items if type(node) is SequenceNode else (node,):
        if type(item) is not MappingNode:
            walk.fault(
                item,
                f"{description_of_node(item)} in place of an expectation",
                "write {of: bear, power: 2}",
            )
        elif "about" in item.entries or "test" in item.entries:
            expectation = read_record(Expectation, item, walk)
            if expectation is not UNREADABLE:
                yield Row(expectation, item, item, item)
        else:
            for expectation, value, about in rows_of_item(look, item, walk):
                yield Row(expectation, value, node, about)


def rows_of_item(look: str, item: MappingNode, walk: TypedWalk) -> Iterator[tuple[Expectation, Node, Node]]:
    """One row for each object and key in an item, with the nodes of the value and of the object."""
    entries = dict(item.entries)
    beside = {key: entries.pop(key)[1] for key in BESIDE if key in entries}
    because: Any = read_text(beside["because"], walk) if "because" in beside else ""
    holds = read_record(Holds, beside["holds"], walk) if "holds" in beside else ALWAYS_TRUE
    about: list[tuple[Any, Node]] = [("table", item)]
    if "of" in entries:
        of = entries.pop("of")[1]
        names = of.items if type(of) is SequenceNode else (of,)
        about = [(read_text(name, walk), name) for name in names]
    facts: list[tuple[Any, str, Any, Node, Node]] = []
    if "tried" in entries:
        tried = entries.pop("tried")[1]
        outcome = entries.pop("is", None)
        name = read_text(tried, walk)
        if outcome is None:
            walk.fault(tried, "what was it: done or rejected?", "add is: rejected")
        else:
            value = walk.read(TryOutcome, outcome[1])
            test = value if value is UNREADABLE else Equals(value)
            facts.append((name, "tried", test, outcome[1], tried))
    elif not entries:
        walk.fault(item, "nothing is expected here", "add a key and its value: power: 2")
    for key, value_node in entries.values():
        for test in tests_of(key, value_node, walk):
            facts += [(name, key.text, test, value_node, node) for name, node in about]
    said: dict[str, SourceSays] = {}
    if "source_says" in beside:
        said = read_source_claims(beside["source_says"], {key for _, key, _, _, _ in facts}, walk)
    whole = because is not UNREADABLE and holds is not UNREADABLE
    for name, key_text, test, value_node, node in facts:
        if whole and name is not UNREADABLE and test is not UNREADABLE:
            yield (
                Expectation(look, name, key_text, test, because, holds, said.get(key_text)),
                value_node,
                node,
            )


def tests_of(key: ScalarNode, node: Node, walk: TypedWalk) -> list[Any]:
    """The tests in a key's value; a plain value means equality."""
    keys = keys_to_see()
    if key.text == "tokens":
        return [read_tokens(node, walk)]
    if key.text in TESTS:
        walk.fault(key, f"{key.text!r} without a key", f"write it below one: keywords: {{{key.text}: …}}")
        return []
    if key.text not in keys:
        walk.fault(
            key,
            f"nothing called {key.text!r} can be seen",
            did_you_mean(key.text, (*keys, "tokens", *BESIDE), otherwise=f"choose one of: {', '.join(keys)}"),
        )
        return []
    seen = keys[key.text]
    if type(node) is MappingNode and node.entries and all(key in TESTS for key in node.entries):
        return [read_test(test, seen, value, walk) for test, value in node.entries.values()]
    value = read_seen(seen, node, walk)
    return [value if value is UNREADABLE else Equals(value)]


def read_seen(key: SeenKey, node: Node, walk: TypedWalk) -> Any:
    """An observed value: members of a set in order, counters by kind."""
    value = key.read(node, walk)
    if isinstance(value, frozenset):
        return tuple(sorted(value))
    if isinstance(value, tuple) and any(isinstance(one, SeenCounters) for one in value):
        return tuple(sorted(value, key=lambda one: one.kind))
    return value


def read_test(test: ScalarNode, key: SeenKey, node: Node, walk: TypedWalk) -> Any:
    """A test named by its word, for a key of some type."""
    if test.text == "equals":
        value = read_seen(key, node, walk)
        return value if value is UNREADABLE else Equals(value)
    if test.text == "one_of":
        items = node.items if type(node) is SequenceNode else (node,)
        values = [read_seen(key, item, walk) for item in items]
        return UNREADABLE if UNREADABLE in values else OneOfTest(tuple(map(Equals, values)))
    if test.text == "count":
        return walk.fault(test, "only tokens are counted", "write tokens: {name: Saproling, count: 2}")
    fits = key.origin is tuple if test.text == "any_order" else key.origin in (tuple, frozenset)
    if not fits:
        return walk.fault(
            test, f"{test.text!r} applies to a list, and this is not one", "write the value alone"
        )
    value = read_seen(key, node, walk)
    member = {"has": Has, "lacks": Lacks, "any_order": InAnyOrder}[test.text]
    return value if value is UNREADABLE else member(value)


class TokensFile(Struct, frozen=True):
    """A number of tokens with one name."""

    name: str
    count: int
    controller: str | None = None


def read_tokens(node: Node, walk: TypedWalk) -> Any:
    """`{name: Saproling, controller: alice, count: 2}`."""
    said = read_record(TokensFile, node, walk)
    return said if said is UNREADABLE else Number(said.name, said.count, said.controller)


def read_source_claims(node: Node, keys: set[str], walk: TypedWalk) -> dict[str, SourceSays]:
    """What a source claims instead, by key."""
    if type(node) is not MappingNode:
        walk.fault(
            node,
            f"{description_of_node(node)} where a map is expected",
            "write {power: 3, reason: …}",
        )
        return {}
    entries = dict(node.entries)
    reason = entries.pop("reason", None)
    if reason is None:
        walk.fault(node, "why does the source differ?", "add reason: …")
        return {}
    why = read_text(reason[1], walk)
    said: dict[str, SourceSays] = {}
    for key, value_node in entries.values():
        name = next(iter(keys)) if key.text == "value" and len(keys) == 1 else key.text
        if name not in keys:
            walk.fault(
                key,
                f"{key.text!r} is not expected here",
                did_you_mean(key.text, keys, otherwise=f"expected are: {list_of_options(sorted(keys))}"),
            )
            continue
        seen = keys_to_see().get(name)
        value = read_seen(seen, value_node, walk) if seen else short_forms.read_value(value_node, walk)
        if value is not UNREADABLE and why is not UNREADABLE:
            said[name] = SourceSays(value, str(why))
    return said


# ------------------------------------------------------------------------------------------- the grammar


def members_of(cls: type, name: str) -> ReadFunction:
    """The reader of a list of a canonical struct that leaves out invalid members."""
    [member, _] = get_args(types_of(cls)[name])
    return reader_of_valid_members(reader_when_asked(member))


PARTS_OF_ACTIONS = tuple(
    kind
    for kind in vars(actions).values()
    if isinstance(kind, type) and issubclass(kind, Struct) and kind.__module__ == actions.__name__
)
"""Actions and everything they consist of."""
CANONICAL_LISTS = (
    (Fixture, "expect"),
    *((Play, name) for name in ("players", "cards", "objects", "setup", "script", "wants")),
    (Arrival, "entries"),
)
"""The lists of a canonical fixture whose members are read one by one."""


def readers_of_texts() -> Iterator[tuple[tuple[type, str], ReadFunction]]:
    """The readers of all lists of ids in actions."""
    texts = reader_of_texts(read_text, "")
    for cls in PARTS_OF_ACTIONS:
        for name, kind in types_of(cls).items():
            if kind == tuple[str, ...]:
                yield (cls, name), texts
            elif kind == tuple[tuple[str, ...], ...]:
                yield (cls, name), reader_of_texts(texts, ())


@cache
def fixture_grammar() -> Grammar:
    """The grammar of fixtures, including their cards and scripts."""
    grammar = short_forms.card_grammar().with_fields(
        {
            **dict(readers_of_texts()),
            **{(cls, name): members_of(cls, name) for cls, name in CANONICAL_LISTS},
            (StartFile, "step"): reader_when_asked(Step),
            (TableRow, "before"): reader_of_valid_members(read_script_line),
            (TableRow, "script"): reader_of_valid_members(read_script_line),
            (TableRow, "try_"): read_script_line,
            (TableRow, "is_"): reader_when_asked(TryOutcome),
            (FixtureFile, "rows"): read_rows,
            (PlayerFile, "hand"): read_placed,
            (PlayerFile, "library"): read_placed,
            (PlayerFile, "graveyard"): read_placed,
            (PlayerFile, "exile"): read_placed,
            (ObjectFile, "token"): read_token_or_flag,
            (EntryFile, "token"): read_token,
            (EntryFile, "choices"): read_choices,
            (EntryFile, "tapped"): read_tapped,
            (FixtureFile, "players"): read_players,
            (FixtureFile, "objects"): read_objects,
            (FixtureFile, "setup"): reader_of_valid_members(read_arrival),
            (FixtureFile, "script"): reader_of_valid_members(read_script_line),
            (FixtureFile, "cards"): reader_of_valid_members(read_card_line),
            (FixtureFile, "expect"): read_expect,
            (TableRow, "expect"): read_expect,
        }
    )
    return replace(
        grammar,
        partial=frozenset((*PARTS_OF_ACTIONS, Fixture, Play, Player, Object, Entry, Arrival, Start)),
        made_readers={},
        made_records={},
    )
