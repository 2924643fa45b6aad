"""The first step of loading: text to a tree of nodes, each with its line and column.

Scalars stay text; what they mean is decided by the type wanted at their place (`typed_walk`).
Of YAML only what a reader can see through is allowed: maps, lists, scalars and comments. Anchors,
aliases, tags, merge keys, directives, second documents, tabs and keys given twice are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any, final

import yaml
from msgspec import Struct
from yaml.resolver import Resolver

from conformance.problems import At, Problem, ScenarioError

MOST_DEEP = 40
MOST_BYTES = 1_000_000


@final
class Scalar(Struct, frozen=True, eq=False, gc=False):
    """A word, number or text as written, and whether it stood there without quotes."""

    text: str
    plain: bool
    line: int
    column: int


@final
class Sequence(Struct, frozen=True, eq=False):
    """A list."""

    items: tuple[Node, ...]
    line: int
    column: int


@final
class Mapping(Struct, frozen=True, eq=False):
    """A map: for each key its own node and that of its value, in the order written."""

    entries: dict[str, tuple[Scalar, Node]]
    line: int
    column: int


Node = Scalar | Sequence | Mapping
Event = Any
"""One of PyYAML's events; its stubs give them no types to speak of."""


class Misuse(Exception):
    """YAML that we do not take, met while the tree is built: line, column, what is wrong, the cure."""


def tree_of(content: bytes | str, path: str) -> Node:
    """The one document in a file as a tree. Raises `ScenarioError` if it is not plain, strict YAML."""
    text = text_of(content, path)
    twice: list[Problem] = []
    try:
        tree = document(text, twice, path)
    except Misuse as misuse:
        line, column, what, cure = misuse.args
        raise ScenarioError([*twice, Problem(path, line, column, "", what, cure)]) from None
    if twice:
        raise ScenarioError(twice)
    return tree


def text_of(content: bytes | str, path: str) -> str:
    """The file's text, if it is UTF-8 without characters that cannot be seen."""
    if len(content) > MOST_BYTES:
        raise refused(
            path, "", f"the file is longer than {MOST_BYTES:,} bytes", "split it into smaller files"
        )
    try:
        # Text may hold half a character (a lone surrogate) where bytes cannot.
        raw = content.encode() if isinstance(content, str) else content
        text = raw.decode()
    except UnicodeError as error:
        before = error.object[: error.start]  # type: ignore[attr-defined]  # both kinds have them
        raise refused(path, before, "not UTF-8 here", "save the file as UTF-8") from None
    text = text.replace("\r\n", "\n")
    if not text.replace("\n", "").isprintable():
        at = next(place for place, sign in enumerate(text) if sign != "\n" and not sign.isprintable())
        if text[at] == "\t":
            raise refused(path, text[:at], "a tab", "indent with spaces")
        raise refused(
            path,
            text[:at],
            f"an invisible character (U+{ord(text[at]):04X})",
            "take it out, or put a common one in its place",
        )
    return text


def refused(path: str, before: str | bytes, what: str, cure: str) -> ScenarioError:
    """The error for a fault right behind the text `before`."""
    text = before.decode() if isinstance(before, bytes) else before
    line = text.count("\n") + 1
    return ScenarioError([Problem(path, line, len(text) - (text.rfind("\n") + 1) + 1, "", what, cure)])


EVENTS: Any = (
    yaml.cyaml.CParser  # type: ignore[attr-defined]  # its stubs leave it out
    if yaml.__with_libyaml__
    else yaml.BaseLoader
)
"""libyaml's events where it is there, the same from Python where it is not."""


def document(text: str, twice: list[Problem], path: str) -> Node:
    """The tree of the only document; keys given twice are noted, and the first of them kept."""
    try:
        next_event: Callable[[], Event] = EVENTS(text).get_event
        next_event()  # the stream starts
        start = next_event()
        if isinstance(start, yaml.StreamEndEvent):
            raise Misuse(1, 1, "nothing in this file", "write a scenario or a list of cards")
        if start.version or start.tags:
            raise misused(start, "a YAML directive", "take the line with % out")
        tree = node_of(next_event(), next_event, 1, twice, path)
        next_event()  # the document ends
        further = next_event()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise Misuse(line, column, f"not YAML: {error.problem}", cure_for(text, line)) from None
    except yaml.YAMLError as error:
        raise Misuse(1, 1, f"not YAML: {error}", cure_for(text, 1)) from None
    if not isinstance(further, yaml.StreamEndEvent):
        raise misused(further, "a second document", "write one document a file, without a line of ---")
    return tree


MANA_WITHOUT_QUOTES = re.compile(r"""(?:^|[\s:,\[{])(?P<mana>(?:\{[0-9A-Z/]{1,3}\})+)(?=[\s,\]}]|$)""")


def cure_for(text: str, line: int) -> str:
    """What most likely went wrong near a line that is not YAML."""
    bare = re.sub(r"""(?:^|\s)#.*$|"[^"\n]*"|'[^'\n]*'""", "", text, flags=re.MULTILINE)
    for near_by in bare.split("\n")[max(0, line - 2) : line + 1]:
        mana = MANA_WITHOUT_QUOTES.search(near_by)
        if mana:
            return f'mana symbols are written in quotes: "{mana["mana"]}"'
        if re.search(r"^[^{\[]*:\s+[^\s{\[][^{\[]*:(?:\s|$)", near_by):
            return "text with a colon in it is written in quotes"
        if re.search(r"(?:^|[\s\[{,])[@`*&!%]", near_by):
            return "text that begins with one of @ ` * & ! % is written in quotes"
    if any(bare.count(left) != bare.count(right) for left, right in ("[]", "{}")):
        return "a bracket is not closed, or closed twice"
    return "look at this line and the one before: indentation, brackets, quotes"


def misused(event: Event, what: str, cure: str) -> Misuse:
    """The error for something that stands where this event begins."""
    return Misuse(event.start_mark.line + 1, event.start_mark.column + 1, what, cure)


def node_of(
    event: Event, next_event: Callable[[], Event], depth: int, twice: list[Problem], path: str
) -> Node:
    """The node that begins with this event; the events after it are taken up to its end."""
    if type(event) is yaml.ScalarEvent:
        return scalar_of(event)
    if event.anchor is not None or event.tag is not None:
        raise without_anchors(event)
    if depth > MOST_DEEP:
        raise misused(event, f"more than {MOST_DEEP} levels deep", "say it with less nesting")
    mark = event.start_mark
    # Most nodes are scalars: they are read in the loops themselves, without another call.
    if type(event) is yaml.SequenceStartEvent:
        items: list[Node] = []
        while (kind := type(inner := next_event())) is not yaml.SequenceEndEvent:
            items.append(
                scalar_of(inner)
                if kind is yaml.ScalarEvent
                else node_of(inner, next_event, depth + 1, twice, path)
            )
        return Sequence(tuple(items), mark.line + 1, mark.column + 1)
    entries: dict[str, tuple[Scalar, Node]] = {}
    while (kind := type(inner := next_event())) is not yaml.MappingEndEvent:
        if kind is not yaml.ScalarEvent:
            no_word = node_of(inner, next_event, depth + 1, twice, path)
            cure = "a key is one word; text with brackets in it is written in quotes"
            raise Misuse(no_word.line, no_word.column, "a key that is no word", cure)
        key = scalar_of(inner)
        if key.text == "<<" and key.plain:
            raise misused(inner, "a merge key (<<)", "write the keys out")
        inner = next_event()
        value = (
            scalar_of(inner)
            if type(inner) is yaml.ScalarEvent
            else node_of(inner, next_event, depth + 1, twice, path)
        )
        if key.text in entries:
            cure = f"it stands in line {entries[key.text][0].line} already: keep one"
            twice.append(Problem(path, key.line, key.column, "", f"{key.text!r} is given twice", cure))
        else:
            entries[key.text] = (key, value)
    return Mapping(entries, mark.line + 1, mark.column + 1)


def scalar_of(event: Event) -> Scalar:
    """The scalar that is this event."""
    if event.anchor is not None or event.tag is not None:
        raise without_anchors(event)
    text: str = event.value
    if event.style == '"' and not text.isprintable() and not text.replace("\n", "").isprintable():
        raise misused(event, "an invisible character in text", "take the escape sequence out")
    mark = event.start_mark
    return Scalar(text, event.implicit[0], mark.line + 1, mark.column + 1)


def without_anchors(event: Event) -> Misuse:
    """The error for an alias, an anchor or a tag."""
    if isinstance(event, yaml.AliasEvent):
        return misused(event, f"an alias (*{event.anchor})", "write it out again; text with a * needs quotes")
    if event.anchor is not None:
        return misused(event, f"an anchor (&{event.anchor})", "take it out; text with a & needs quotes")
    return misused(event, f"a YAML tag ({event.tag})", "take it out; the place says what is meant")


# ------------------------------------------------------------------- what text YAML reads otherwise

OTHER_KINDS = {
    "bool": "yes or no",
    "float": "a number",
    "int": "a number",
    "merge": "a merge key",
    "null": "nothing at all",
    "timestamp": "a date",
    "value": "a default value",
}
MORE_NUMBERS = re.compile(r"[-+]?(?:\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|0o[0-7]+)")


@cache
def other_kind(text: str) -> str | None:
    """What a plain scalar means to YAML if it is not text: yes or no, a number, a date, nothing."""
    resolvers = Resolver.yaml_implicit_resolvers
    for tag, pattern in resolvers.get(text[:1], ()):
        if pattern.match(text):
            return OTHER_KINDS[tag.rsplit(":", 1)[1]]
    if MORE_NUMBERS.fullmatch(text):
        return "a number"
    return "yes or no" if text in {"y", "Y", "n", "N"} else None


def place_of(root: Node, wanted: Node) -> str:
    """Where in a tree a node is, as a reader would say it: `setup[0].card`."""
    return places_of(root).get(id(wanted), "")


@lru_cache(maxsize=4)
def places_of(root: Node) -> dict[int, str]:
    """The place of every node of a tree, by the node's identity."""
    return {id(node): place for node, place in places(root, "")}


def node_at(node: Node, at: At) -> Node:
    """The node at a place below this one; where the file says it shorter, the nearest around it."""
    for step in at:
        match node:
            case Mapping(entries=entries) if step in entries:
                node = entries[str(step)][1]
            case Sequence(items=items) if isinstance(step, int) and step < len(items):
                node = items[step]
            case Mapping(entries=entries) if isinstance(step, str):
                # `{TAG: value, more: …}`: the fields may stand in the value, or be the value.
                values = [value for _, value in entries.values()]
                inner = [one for one in values if type(one) is Mapping and step in one.entries]
                if inner:
                    node = inner[0].entries[step][1]
                elif len(values) == 1:
                    node = values[0]
            case _:
                pass
    return node


def places(node: Node, here: str) -> Iterator[tuple[Node, str]]:
    """Every node of a tree, keys too, with its place."""
    yield node, here
    match node:
        case Sequence(items=items):
            for position, item in enumerate(items):
                yield from places(item, f"{here}[{position}]")
        case Mapping(entries=entries):
            for key, (key_node, value) in entries.items():
                inner = f"{here}.{key}" if here else key
                yield key_node, here
                yield from places(value, inner)
