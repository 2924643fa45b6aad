"""The first step of loading: parses text into a tree of nodes (`yaml_nodes`) with places.

PyYAML parses the text; this module makes nodes from its events. Scalars stay text: the type expected at their
place decides what they mean (`typed_walk`). It accepts only a simple subset of YAML: no anchors, aliases,
tags, merge keys, directives, second documents, tabs, or duplicate keys.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import yaml

from conformance.files.yaml_nodes import (
    Entries,
    FaultyTree,
    MappingNode,
    Node,
    PlacedNode,
    ScalarNode,
    SequenceNode,
    key_given_twice,
)
from conformance.files.yaml_text import cure_for, text_of
from conformance.model.problems import MOST_KEPT, Problem, ScenarioError

MOST_DEEP = 40
DuplicateKeys = list[tuple[ScalarNode, ScalarNode, Node]]
"""Duplicate keys: the later one, the one that is kept, and the value of the later one."""
PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser, or PyYAML's own if it was built without libyaml: same events, but slower."""
TEXT_PARSER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Reads each value as text, numbers and dates as well."""


class Misuse(Exception):
    """YAML that we do not accept: the place in the text, what is wrong, and the cure if known."""


def tree_of(content: bytes | str, path: str) -> Node:
    """The only document in a file as a tree.

    Raises `ScenarioError` if it is not plain, strict YAML: a `FaultyTree` if keys are given twice.
    """
    text = text_of(content, path)
    twice: DuplicateKeys = []
    broken: list[Problem] = []
    tree: Node | None = None
    try:
        tree = Document(text, twice).tree()
    except Misuse as misuse:
        at, what, cure = misuse.args
        there = PlacedNode(at, text)
        broken = [Problem(path, there.line, there.column, "", what, cure or cure_for(text, there.line))]
    problems = [key_given_twice(key, first, path) for key, first, _ in islice(twice, MOST_KEPT)]
    if tree is None:
        raise ScenarioError([*problems, *broken])
    if problems:
        raise FaultyTree(problems, tree, (value for _, _, value in twice))
    return tree


class Document:
    """Reads the only document of a text; records duplicate keys and keeps the first."""

    def __init__(self, text: str, twice: DuplicateKeys) -> None:
        self.text = text
        self.twice = twice
        self.parser = PARSER(text)

    def tree(self) -> Node:
        """The tree of the only document."""
        self.event()  # start of the stream
        start = self.event()
        if type(start) is yaml.StreamEndEvent:
            raise Misuse(0, "the file has no content", "write a scenario or a list of cards")
        if start.version or start.tags:
            raise Misuse(start.start_mark.index, "a YAML directive", "remove the line with %")
        tree = self.node(self.event(), 1)
        end = self.event()
        behind = end if end.explicit else self.event()
        if type(behind) is not yaml.StreamEndEvent:
            at = behind.start_mark.index
            cure = "write one document per file, without lines of --- or ..."
            raise Misuse(at, "a second document", cure)
        return tree

    def event(self) -> Any:
        """PyYAML's next event."""
        try:
            return self.parser.get_event()
        except yaml.MarkedYAMLError as error:
            places = [mark.index for mark in (error.problem_mark, error.context_mark) if mark]
            # Show what is never closed where it begins, not at the end of the file.
            at = places[-1] if places[0] >= len(self.text.rstrip()) else places[0]
            raise Misuse(at, f"not YAML: {error.problem}", None) from None
        except yaml.YAMLError as error:
            raise Misuse(0, f"not YAML: {error}", None) from None

    def node(self, event: Any, depth: int) -> Node:
        """The node that begins with an event."""
        at = event.start_mark.index
        if event.anchor is not None or type(event) is yaml.AliasEvent or event.tag is not None:
            raise self.indirect(event)
        if type(event) is yaml.ScalarEvent:
            text = event.value
            if not text.isprintable() and not text.replace("\n", "").isprintable():
                raise Misuse(at, "an invisible character in text", "remove the escape sequence")
            return ScalarNode(at, self.text, text, event.implicit[0])
        if depth > MOST_DEEP:
            raise Misuse(at, f"more than {MOST_DEEP} levels deep", "use less nesting")
        if type(event) is yaml.SequenceStartEvent:
            return self.sequence(at, depth)
        return self.mapping(at, depth)

    def sequence(self, at: int, depth: int) -> SequenceNode:
        """The rest of a list."""
        items = []
        while type(event := self.event()) is not yaml.SequenceEndEvent:
            items.append(self.node(event, depth + 1))
        return SequenceNode(at, self.text, tuple(items))

    def mapping(self, at: int, depth: int) -> MappingNode:
        """The rest of a map."""
        entries: Entries = {}
        while type(event := self.event()) is not yaml.MappingEndEvent:
            if type(event) in (yaml.SequenceStartEvent, yaml.MappingStartEvent):
                cure = "a key is one word; text with brackets in it is written in quotes"
                raise Misuse(event.start_mark.index, "a key that is not a word", cure)
            key = self.node(event, depth)
            assert isinstance(key, ScalarNode)  # other kinds have been refused
            if key.text == "<<" and key.plain:
                raise Misuse(key.at, "a merge key (<<)", "write the keys out")
            value = self.node(self.event(), depth + 1)
            if key.text in entries:
                self.twice.append((key, entries[key.text][0], value))
            else:
                entries[key.text] = (key, value)
        return MappingNode(at, self.text, entries)

    def indirect(self, event: Any) -> Misuse:
        """The error for an anchor, an alias or a tag, none of which we accept."""
        at = event.start_mark.index
        written = re.compile(r"[^\s,\[\]{}]*").match(self.text, at)
        word = written[0] if written else ""
        if type(event) is yaml.AliasEvent:
            return Misuse(at, f"an alias ({word})", "write it out again; text with a * needs quotes")
        if event.anchor is not None:
            return Misuse(at, f"an anchor (&{event.anchor})", "remove it; text with a & needs quotes")
        return Misuse(at, f"a YAML tag ({word})", "remove it; its place determines the type")
