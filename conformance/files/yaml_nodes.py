"""A file as a tree of nodes with places; built by `yaml_tree`, read by `typed_walk`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, final

from msgspec import Struct

from conformance.model.problems import At, Problem, ScenarioError


class PlacedNode(Struct, frozen=True, eq=False):
    """Something with a place in a file; line and column are computed on demand."""

    at: int
    source: str

    @property
    def line(self) -> int:
        """Line number, starting at 1."""
        return bisect_right(line_starts(self.source), self.at)

    @property
    def column(self) -> int:
        """Column number, starting at 1."""
        return self.at - line_starts(self.source)[self.line - 1] + 1


@lru_cache(maxsize=4)
def line_starts(source: str) -> list[int]:
    """The offsets at which the lines of a file begin."""
    return [0, *(found.end() for found in re.finditer("\n", source))]


@final
class ScalarNode(PlacedNode, frozen=True, eq=False, gc=False):
    """A word, number or text as written, and whether it was without quotes."""

    text: str
    plain: bool


@final
class SequenceNode(PlacedNode, frozen=True, eq=False):
    """A list."""

    items: tuple[Node, ...]


@final
class MappingNode(PlacedNode, frozen=True, eq=False):
    """A map: the nodes of each key and its value, in the order written."""

    entries: Entries


Node = ScalarNode | SequenceNode | MappingNode
Entries = dict[str, tuple[ScalarNode, Node]]


class FaultyTree(ScenarioError):
    """Problems of a text that leave a tree, so that the rest of it can be checked, too."""

    def __init__(self, problems: Iterable[Problem], root: Node, unread: Iterable[Node] = ()) -> None:
        self.root = root
        self.unread = tuple(unread)
        """What the tree lacks."""
        super().__init__(problems)


def key_given_twice(later: ScalarNode, first: ScalarNode, path: str) -> Problem:
    """The problem of a key that a map has already."""
    what, cure = f"{later.text!r} is given twice", f"it is on line {first.line} already: keep one"
    return Problem(path, later.line, later.column, "", what, cure)


def as_data(node: Node) -> Any:
    """A tree as plain lists and dictionaries; every scalar is its text."""
    match node:
        case ScalarNode(text=text):
            return text
        case SequenceNode(items=items):
            return [as_data(item) for item in items]
        case MappingNode(entries=entries):
            return {key: as_data(value) for key, (_, value) in entries.items()}


# ---------------------------------------------------------------------------------- places in a tree


def place_of(root: Node, wanted: Node) -> str:
    """The place of a node in a tree, for people, counted from 1: `setup[1].card`."""
    return places_of(root).get(id(wanted), "")


@lru_cache(maxsize=4)
def places_of(root: Node) -> dict[int, str]:
    """The place of every node of a tree, by the id of the node."""
    return {id(node): place for node, place in places(root, "")}


def node_at(node: Node, at: At) -> Node:
    """The node at a place below this one; in a short form, the nearest node around it."""
    for step in at:
        match node:
            case MappingNode(entries=entries) if step in entries:
                node = entries[str(step)][1]
            case SequenceNode(items=items) if isinstance(step, int) and step < len(items):
                node = items[step]
            case MappingNode(entries=entries) if isinstance(step, str):
                # `{TAG: value, more: …}`: the fields may be in the value, or the value is a field.
                values = [value for _, value in entries.values()]
                inner = [one for one in values if type(one) is MappingNode and step in one.entries]
                if inner:
                    node = inner[0].entries[step][1]
                elif len(values) == 1:
                    node = values[0]
    return node


def places(node: Node, here: str) -> Iterator[tuple[Node, str]]:
    """Every node of a tree, including keys, with its place."""
    yield node, here
    match node:
        case SequenceNode(items=items):
            for position, item in enumerate(items):
                yield from places(item, f"{here}[{position + 1}]")
        case MappingNode(entries=entries):
            for key, (key_node, value) in entries.items():
                inner = f"{here}.{key}" if here else key
                yield key_node, here
                yield from places(value, inner)
