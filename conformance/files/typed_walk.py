"""The second step of loading: reads a tree as a value of the expected type, in one walk.

A reader takes a node and returns the value, or `UNREADABLE` after it has recorded the fault; the walk goes
on, so that it finds all faults of a file at once. Short forms of every type are here: a member of a family
by its tag, one item for a list of one. Short forms of particular types (nouns, `1/1`, maps keyed by an id)
belong to a `Grammar`: `short_forms` has the one for cards and scripts, `fixture_form` extends it for
fixtures.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from msgspec import Struct, field
from msgspec.structs import replace

from conformance.files.yaml_nodes import MappingNode, Node, ScalarNode, SequenceNode
from conformance.files.yaml_text import other_kind
from conformance.model.problems import MOST_KEPT, did_you_mean, list_of_options, near
from conformance.model.struct_types import types_of

_Value = TypeVar("_Value")


class Unreadable(Struct, frozen=True):
    """Stands for a value that could not be read; its fault has been recorded."""


UNREADABLE = Unreadable()


class Fault(Struct, frozen=True, eq=False):
    """What is wrong with a node, and the cure."""

    node: Node
    what: str
    cure: str


class TooManyFaults(Exception):
    """The walk found too many faults, and ends."""


class TypedWalk:
    """The state of reading one file: the grammar, the faults found so far, and what they left unread."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.faults: list[Fault] = []
        self.unread: list[Node] = []
        """The parts that the value lacks; one may contain another."""
        self.kept: dict[int, tuple[Node, ...]] = {}
        """The members that were kept of lists that lost some, by the `id` of the list's node."""

    def fault(self, node: Node, what: str, cure: str, *, unread: bool = True) -> Unreadable:
        """Record a fault, and return `UNREADABLE` in place of the value.

        `unread` is false if the value lacks nothing, because the meaning is clear in spite of the fault.
        """
        self.faults.append(Fault(node, what, cure))
        if unread:
            self.unread.append(node)
        if len(self.faults) >= MOST_KEPT:
            raise TooManyFaults
        return UNREADABLE

    def readable(self, node: Node, value: object) -> bool:
        """Whether a part was read; if not, the value of the whole lacks it."""
        if value is UNREADABLE:
            self.unread.append(node)
        return value is not UNREADABLE

    def to_the_end(self, read: Callable[[], _Value]) -> _Value | Unreadable:
        """The value, or `UNREADABLE` if there were too many faults."""
        try:
            return read()
        except TooManyFaults:
            return UNREADABLE

    def read(self, kind: Any, node: Node) -> Any:
        """The value of type `kind` at a node, or `UNREADABLE`."""
        return self.grammar.reader_of(kind)(node, self)


ReadFunction = Callable[[Node, TypedWalk], Any]
EntryPairs = Iterable[tuple[ScalarNode, Node]]


MOST_SHOWN = 80


def quoted(text: str) -> str:
    """A text of the file in quotes, cut if it is long."""
    return repr(text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} …")


# -------------------------------------------------------------------------------------- the grammar


class KeyedRecords(Struct, frozen=True, eq=False):
    """How to write a list of records as a map: the function that makes a record from a key and its value."""

    record: type
    made: Callable[[ScalarNode, Node, TypedWalk], Any]


class Family(Struct, frozen=True, eq=False):
    """A union of structs with a tag key: its members by tag."""

    tag_field: str
    members: dict[str, type]


class Grammar(Struct, frozen=True, eq=False):
    """How files may differ from the canonical form, type by type. Immutable; built once and passed on."""

    readers: dict[Any, ReadFunction] = {}
    """Readers of types with short forms of their own."""
    fields: dict[tuple[type, str], ReadFunction] = {}
    """Readers of particular fields."""
    keyed: dict[Any, KeyedRecords] = {}
    """Lists that may be written as maps, by type of member."""
    bare: dict[str, Callable[[ScalarNode, Family, TypedWalk], Any]] = {}
    """By tag key: the meaning of a word that is not a tag of the family (None: none)."""
    untagged: dict[str, Callable[[MappingNode, Family, TypedWalk], Any]] = {}
    """By tag key: the meaning of a map without a tag of the family (None: none)."""
    principal: dict[type, Callable[[Node, EntryPairs, Node, TypedWalk], Any]] = {}
    """By member: the reader of `{TAG: value, more: …}` if the value may be a short form (None: it is not)."""
    finished: dict[type, Callable[[Any], Any]] = {}
    """By struct: a function that fills in values after reading."""
    also_known: dict[str, tuple[str, ...]] = {}
    """By tag key: words besides the tags, to suggest for misspellings."""
    partial: frozenset[type] = frozenset()
    """Structs that are kept without what cannot be read of them, so that the rest can be checked."""
    made_readers: dict[Any, ReadFunction] = field(default_factory=dict)
    made_records: dict[Any, Record] = field(default_factory=dict)

    def with_fields(self, fields: dict[tuple[type, str], ReadFunction]) -> Grammar:
        """This grammar, with readers of further fields."""
        return replace(self, fields=self.fields | fields, made_readers={}, made_records={})

    def reader_of(self, kind: Any) -> ReadFunction:
        """The reader of a type; cached."""
        reader = self.made_readers.get(kind)
        if reader is None:
            reader = self.made_readers[kind] = self.readers.get(kind) or new_reader(kind, self)
        return reader

    def record_of(self, cls: Any) -> Record:
        """How to read a struct; cached."""
        record = self.made_records.get(cls)
        if record is None:
            record = self.made_records[cls] = new_record(cls, self)
        return record


FAMILY_NAMES = {
    "who": "a selector",
    "num": "a quantity",
    "if": "a condition",
    "op": "an operation",
    "cost": "a cost",
    "then": "an instruction",
    "on": "an event",
    "rather": "a replacement",
    "is": "an ability",
    "do": "an action",
    "test": "a test",
}

# ------------------------------------------------------------------------------------------ readers


def new_reader(kind: Any, grammar: Grammar) -> ReadFunction:
    """The reader of a type without short forms of its own."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return reader_of_union(get_args(kind), grammar)
    if origin is Literal:
        return reader_of_words(get_args(kind))
    if origin in (tuple, frozenset):
        return reader_of_list(origin, get_args(kind)[0], grammar)
    if issubclass(kind, Struct):
        if kind.__struct_config__.tag_field:
            return reader_of_family((kind,))
        return lambda node, walk: read_record(kind, node, walk)
    scalars: dict[Any, ReadFunction] = {str: read_text, int: read_integer, bool: read_boolean}
    return scalars[kind]


def read_text(node: Node, walk: TypedWalk) -> str | Unreadable:
    """Text; words that YAML takes for something else need quotes."""
    if type(node) is ScalarNode and not (node.plain and other_kind(node.text)):
        return node.text
    if type(node) is ScalarNode and not node.text:
        return walk.fault(node, "nothing is written here", 'write a value, or "" for empty text')
    if type(node) is ScalarNode:
        return walk.fault(
            node,
            f"{node.text} without quotes is {other_kind(node.text)} to YAML",
            f'write it in quotes: "{node.text}"',
        )
    mana = mana_read_as_map(node)
    if mana:
        return walk.fault(node, f"{mana} without quotes is a map to YAML", f'write it in quotes: "{mana}"')
    kind = "a list" if type(node) is SequenceNode else "a map"
    return walk.fault(node, f"{kind} where text is expected", "write one word or a text in quotes")


def mana_read_as_map(node: Node) -> str | None:
    """`{0}` as it was written, if a map is a mana symbol without its quotes."""
    if type(node) is MappingNode and len(node.entries) == 1:
        [(key, value)] = node.entries.values()
        if key.plain and type(value) is ScalarNode and value.plain and not value.text:
            return f"{{{key.text}}}"
    return None


INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,8})")


def read_integer(node: Node, walk: TypedWalk) -> int | Unreadable:
    """A whole number of at most nine digits."""
    if type(node) is ScalarNode:
        if node.plain and INTEGER.fullmatch(node.text):
            return int(node.text)
        if INTEGER.fullmatch(node.text):
            return walk.fault(node, "a number in quotes", f"write {node.text} without them")
        if re.fullmatch(r"[-+]?0[0-9]+", node.text):
            return walk.fault(node, f"{node.text} begins with 0", f"write {int(node.text)}")
        if re.fullmatch(r"[-+]?[0-9]{10,}", node.text):
            return walk.fault(node, "a number of more than nine digits", "write a smaller one")
        shown = quoted(node.text) if node.text else "nothing"
        return walk.fault(node, f"{shown} where a whole number is expected", "write digits, such as 2")
    kind = "a list" if type(node) is SequenceNode else "a map"
    return walk.fault(node, f"{kind} where a whole number is expected", "write digits, such as 2")


BOOLEANS = {"yes": True, "no": False, "true": True, "false": False}


def read_boolean(node: Node, walk: TypedWalk) -> bool | Unreadable:
    """Yes or no."""
    if type(node) is ScalarNode and node.plain and node.text in BOOLEANS:
        return BOOLEANS[node.text]
    if type(node) is ScalarNode and node.text in BOOLEANS:
        return walk.fault(node, f"{node.text} in quotes is text", f"write {node.text} without them")
    shown = (
        quoted(node.text)
        if type(node) is ScalarNode
        else ("a list" if type(node) is SequenceNode else "a map")
    )
    return walk.fault(node, f"{shown} where yes or no is expected", "write yes or no")


def is_none(node: Node) -> bool:
    """Whether a node is `none`, or `null` as in the canonical form."""
    return type(node) is ScalarNode and node.plain and node.text in ("none", "null")


def reader_of_words(words: tuple[Any, ...]) -> ReadFunction:
    """The reader of a closed list of words."""
    known = frozenset(words)
    plain = frozenset(word for word in words if not other_kind(word))

    def read(node: Node, walk: TypedWalk) -> Any:
        if type(node) is ScalarNode and (node.text in plain or (node.text in known and not node.plain)):
            return node.text
        text = read_text(node, walk)
        if text is UNREADABLE:
            return UNREADABLE
        return walk.fault(
            node,
            f"{quoted(str(text))} is not one of the words allowed here",
            did_you_mean(str(text), known, otherwise=f"the words are: {list_of_options(words)}"),
        )

    return read


def reader_of_list(origin: type, of: Any, grammar: Grammar) -> ReadFunction:
    """The reader of a list or a set; a single item stands for a list of one."""
    keyed = grammar.keyed.get(of)

    def read(node: Node, walk: TypedWalk) -> Any:
        if type(node) is SequenceNode:
            nodes: tuple[Node, ...] = node.items
        elif keyed and type(node) is MappingNode and not is_record(keyed.record, node, walk.grammar):
            values = [keyed.made(key, value, walk) for key, value in node.entries.values()]
            return UNREADABLE if UNREADABLE in values else tuple(values)
        else:
            nodes = (node,)
        values = [walk.read(of, item) for item in nodes]
        if origin is frozenset:
            met = set()
            for position, item in enumerate(nodes):
                value = values[position]
                if value is not UNREADABLE and value in met:
                    what = f"{value!r} is in this list twice"
                    values[position] = walk.fault(item, what, "keep one of them")
                met.add(value)
        return UNREADABLE if UNREADABLE in values else origin(values)

    return read


def is_record(cls: Any, node: MappingNode, grammar: Grammar) -> bool:
    """Whether a map is a single record with its own keys, not several keyed by an id."""
    record = grammar.record_of(cls)
    return record.required <= {record.fields[key][0] for key in node.entries if key in record.fields}


def reader_of_union(kinds: tuple[Any, ...], grammar: Grammar) -> ReadFunction:
    """The reader of a union: optional values, numbers or something else, families."""
    if types.NoneType in kinds:
        rest = tuple(kind for kind in kinds if kind is not types.NoneType)
        read_rest = grammar.reader_of(Union[rest])  # noqa: UP007  # built from a tuple

        def read_optional(node: Node, walk: TypedWalk) -> Any:
            return None if is_none(node) else read_rest(node, walk)

        return read_optional
    structs = tuple(kind for kind in kinds if issubclass(kind, Struct))
    if not structs:
        raise TypeError(f"no reader for a union of {kinds}")
    read_member = reader_of_family(structs)
    if len(structs) == len(kinds):
        return read_member

    def read_number_or_member(node: Node, walk: TypedWalk) -> Any:
        if type(node) is ScalarNode and (node.text[:1].isdigit() or node.text[:1] in ("-", "+")):
            return read_integer(node, walk)
        return read_member(node, walk)

    return read_number_or_member


# ------------------------------------------------------------------------------------------ records


class Record(Struct, frozen=True, eq=False):
    """How to read a struct: its fields by key, and which are required."""

    fields: dict[str, tuple[str, ReadFunction]]
    """The Python name and the reader of each field, by key."""
    required: frozenset[str]
    first: str | None
    placed: bool
    """Whether it keeps the node it was read from."""
    partial: bool
    """Whether it is kept without what cannot be read of it."""
    empty: dict[str, Any]
    """What stands for required fields that could not be read, by name, if it is partial."""
    label: str


def new_record(cls: Any, grammar: Grammar) -> Record:
    """How to read a struct."""
    names: tuple[str, ...] = cls.__struct_fields__
    keys: tuple[str, ...] = cls.__struct_encode_fields__
    config = cls.__struct_config__
    required = frozenset(names[: len(names) - len(cls.__struct_defaults__)])
    partial = cls in grammar.partial
    return Record(
        fields={
            key: (name, grammar.fields.get((cls, name)) or reader_when_asked(kind))
            for key, (name, kind) in zip(keys, types_of(cls).items(), strict=True)
            if name != "node"
        },
        required=required,
        first=keys[0] if keys else None,
        placed="node" in names,
        partial=partial or "node" in names,
        empty={
            name: empty
            for name, kind in types_of(cls).items()
            if partial and name in required and (empty := empty_value(kind, grammar)) is not UNREADABLE
        },
        label=str(config.tag)
        if config.tag
        else re.sub(r"(?<!^)(?=[A-Z])", " ", cls.__name__.removesuffix("File")).lower(),
    )


def empty_value(kind: Any, grammar: Grammar) -> Any:
    """What stands for a value that could not be read in a partial struct, or `UNREADABLE`."""
    if kind is str or get_origin(kind) is Literal:
        return ""
    if get_origin(kind) is tuple:
        return ()
    if kind in grammar.partial:
        record = grammar.record_of(kind)
        return kind(**record.empty) if record.empty.keys() == record.required else UNREADABLE
    return UNREADABLE


def reader_when_asked(kind: Any) -> ReadFunction:
    """A reader that looks up the actual one on use, because types refer to each other recursively."""
    return lambda node, walk: walk.read(kind, node)


def read_record(cls: Any, node: Node, walk: TypedWalk) -> Any:
    """A struct from a map of its keys."""
    if type(node) is MappingNode:
        return build_struct(cls, node.entries.values(), node, walk)
    record = walk.grammar.record_of(cls)
    return walk.fault(
        node,
        f"{description_of_node(node)} where a map is expected ({record.label})",
        f"write {{{list_of_options(list(record.fields)[:3])}, …}} "
        f"with some of: {list_of_options(record.fields)}",
    )


def description_of_node(node: Node) -> str:
    """A node, described for a message."""
    match node:
        case ScalarNode(text=text):
            return quoted(text) if text else "nothing"
        case SequenceNode():
            return "a list"
        case MappingNode():
            return "a map"


NAMING = frozenset({"id", "entries"})
"""The fields that give something its name: without them, any name may be meant."""


def build_struct(
    cls: Any, entries: EntryPairs, node: Node, walk: TypedWalk, given: dict[str, Any] | None = None
) -> Any:
    """A struct from entries, and from values that a short form already gave."""
    record = walk.grammar.record_of(cls)
    fields, required, partial, empty = record.fields, record.required, record.partial, record.empty
    values = given.copy() if given else {}
    if record.placed:
        values["node"] = node
    whole, unknown = True, False
    for name in given or ():
        if values[name] is UNREADABLE:
            values[name] = empty.get(name, UNREADABLE)
            whole = whole and name in empty
    for key, value_node in entries:
        field = fields.get(key.text)
        if field is None:
            # Read the value of a misspelled key, too.
            nearest = near(key.text, fields)
            given_too = nearest is not None and (
                fields[nearest][0] in values or any(nearest == other.text for other, _ in entries)
            )
            unknown_key(fields, key, walk, nearest)
            if nearest is None or given_too:
                unknown = True
                walk.unread.append(value_node)
                continue
            field = fields[nearest]
        elif field[0] in values:
            unknown = True
            walk.fault(key, f"{quoted(key.text)} is given twice", "keep one of the two", unread=False)
            walk.unread.append(value_node)
            continue
        name, read = field
        value = values[name] = read(value_node, walk)
        if not walk.readable(value_node, value):
            if partial and name not in required:
                # The readable parts of the file are checked further.
                del values[name]
            elif name in empty:
                values[name] = empty[name]
            else:
                whole = False
    missing = required - values.keys()
    if missing:
        if not unknown:
            keys = [key for key, (name, _) in fields.items() if name in missing]
            walk.fault(
                node,
                f"{record.label} without {' and '.join(keys)}",
                f"add {' and '.join(f'{key}: …' for key in keys)}",
                unread=not missing <= empty.keys() or bool(missing & NAMING),
            )
        if missing <= empty.keys() and not missing & NAMING:
            # A node of no file stands for what is missing, so that the rest is checked further.
            walk.unread.append(ScalarNode(node.at, node.source, "", True))
            values |= {name: empty[name] for name in missing}
        else:
            whole = False
    if not whole or (unknown and not partial):
        return UNREADABLE
    finished = walk.grammar.finished.get(cls)
    return finished(cls(**values)) if finished else cls(**values)


def unknown_key(fields: Iterable[str], key: ScalarNode, walk: TypedWalk, nearest: str | None) -> None:
    """Record an unknown key; its value remains to be read as that of the nearest known one, or is unread."""
    otherwise = f"the keys here are: {list_of_options(fields)}" if fields else "no keys are allowed here"
    cure = f"did you mean {nearest!r}?" if nearest else otherwise
    walk.fault(key, f"unknown key {quoted(key.text)}", cure, unread=False)


# ----------------------------------------------------------------------------------------- families


def reader_of_family(structs: tuple[Any, ...]) -> ReadFunction:
    """The reader of a union of tagged structs, in canonical or short form."""
    [tag_field] = {str(cls.__struct_config__.tag_field) for cls in structs}
    family = Family(tag_field, {str(cls.__struct_config__.tag): cls for cls in structs})

    def read(node: Node, walk: TypedWalk) -> Any:
        if type(node) is MappingNode:
            return read_member(node, family, walk)
        if type(node) is ScalarNode:
            return read_bare(node, family, walk)
        return walk.fault(
            node,
            f"a list where {FAMILY_NAMES[tag_field]} is expected",
            "write a single value here, not a list",
        )

    return read


def read_bare(node: ScalarNode, family: Family, walk: TypedWalk) -> Any:
    """A member given only by its tag, or whatever else the word means in this family."""
    if node.text in family.members:
        return build_struct(family.members[node.text], (), node, walk)
    if node.plain and other_kind(node.text):
        return read_text(node, walk)
    if family.tag_field in walk.grammar.bare:
        value = walk.grammar.bare[family.tag_field](node, family, walk)
        if value is not None:
            return value
    return unknown_tag(node, family, walk)


def unknown_tag(node: ScalarNode, family: Family, walk: TypedWalk) -> Unreadable:
    """Record a word that is not a member of the family; it may belong to a wider family of that name."""
    others = [word for word in words_of(family, walk.grammar) if word != node.text]
    return walk.fault(
        node,
        f"{quoted(node.text)} is not {FAMILY_NAMES[family.tag_field]}",
        did_you_mean(node.text, others, otherwise=f"choose one of: {', '.join(family.members)}"),
    )


def words_of(family: Family, grammar: Grammar) -> tuple[str, ...]:
    """The words that mean something in a family."""
    return (*family.members, *grammar.also_known.get(family.tag_field, ()))


def read_member(node: MappingNode, family: Family, walk: TypedWalk) -> Any:
    """A member from a map: with the family's tag key, or `{TAG: value, more: …}`."""
    entries = node.entries
    if family.tag_field in entries:
        return read_canonical(node, family, walk)
    tags = [key for key in entries if key in family.members]
    if len(tags) == 1:
        return read_tagged(tags[0], node, family, walk)
    if tags:
        # `{if: …, effect: …}`: the second is a key of the first.
        record_of = walk.grammar.record_of
        whole = [
            tag for tag in tags if entries.keys() - {tag} <= record_of(family.members[tag]).fields.keys()
        ]
        if len(whole) == 1:
            return read_tagged(whole[0], node, family, walk)
        return walk.fault(
            entries[tags[1]][0],
            f"two things in one map: {' and '.join(tags)}",
            "write each as a map of its own, in a list",
        )
    if family.tag_field in walk.grammar.untagged:
        value = walk.grammar.untagged[family.tag_field](node, family, walk)
        if value is not None:
            return value
    keys = list(entries)
    nearest = next((found for key in keys if (found := near(key, words_of(family, walk.grammar)))), None)
    mana = mana_read_as_map(node)
    if mana:
        return walk.fault(
            node,
            f"{mana} has no effect here",
            f"did you mean {nearest!r}?" if nearest else f'mana is written "{mana}"',
        )
    return walk.fault(
        entries[keys[0]][0] if keys else node,
        f"no {FAMILY_NAMES[family.tag_field].split()[1]} has the keys {list_of_options(keys)}"
        if keys
        else f"an empty map where {FAMILY_NAMES[family.tag_field]} is expected",
        f"did you mean {nearest!r}?"
        if nearest
        else f"write {{TAG: value}} with one of: {', '.join(family.members)}",
    )


def read_canonical(node: MappingNode, family: Family, walk: TypedWalk) -> Any:
    """A member in canonical form: its tag under the family's tag key, and all its fields beside it."""
    key, tag = node.entries[family.tag_field]
    if type(tag) is not ScalarNode:
        return walk.fault(
            tag,
            f"{description_of_node(tag)} where a word is expected",
            f"write {key.text}: and a tag",
        )
    cls = family.members.get(tag.text)
    if cls is None:
        there_are = f"choose one of: {', '.join(family.members)}"
        return walk.fault(
            tag,
            f"{quoted(tag.text)} is not {FAMILY_NAMES[family.tag_field]}",
            did_you_mean(tag.text, family.members, otherwise=there_are),
        )
    rest = [entry for name, entry in node.entries.items() if name != family.tag_field]
    return build_struct(cls, rest, node, walk)


def read_tagged(tag: str, node: MappingNode, family: Family, walk: TypedWalk) -> Any:
    """The member TAG from `{TAG: value, more: …}`: the value is its first field, or a map of its own keys."""
    cls = family.members[tag]
    _, value = node.entries[tag]
    rest = [entry for name, entry in node.entries.items() if name != tag]
    if cls in walk.grammar.principal:
        special = walk.grammar.principal[cls](value, rest, node, walk)
        if special is not None:
            return special
    record = walk.grammar.record_of(cls)
    if type(value) is MappingNode and holds_own_keys(value, record):
        return build_struct(cls, [*value.entries.values(), *rest], node, walk)
    if record.first is None:
        return walk.fault(value, f"{tag} takes no value", f"write {tag} alone")
    name, read = record.fields[record.first]
    return build_struct(cls, rest, node, walk, {name: read(value, walk)})


def holds_own_keys(value: MappingNode, record: Record) -> bool:
    """Whether a map has the member's own keys, or was meant to, because most of its keys are.

    An empty map does not: it is an empty list where the first field is one, as in `block: {}`.
    """
    own = len(value.entries.keys() & record.fields.keys())
    return 2 * own > len(value.entries) or not (value.entries or record.required)
