"""JSON as a tree of nodes with places, so that its problems are found and placed like those of YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from conformance.files.strict_json import offences_of
from conformance.files.yaml_nodes import (
    Entries,
    FaultyTree,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    key_given_twice,
    places,
)
from conformance.model.problems import MOST_KEPT, Problem

TOKEN = re.compile(r'[\[\]{}]|"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^\s\[\]{}:,"]++')

MOST_SIGNS_OF_A_FILE = 165_000
"""Maximum number of quotation marks, commas and opening brackets. A node takes more memory than a value, and
a board of 10,000 permanents takes 160,000.
"""


def json_tree_of(content: bytes, path: str) -> Node:
    """The tree of a JSON text.

    Raises `ScenarioError` if it is not strict JSON: a `FaultyTree` if it is JSON all the same.
    """
    offences = offences_of(content, path, doubles=False, signs=MOST_SIGNS_OF_A_FILE)
    reader = JsonReader(content.decode(), path)
    root = reader.node(next(reader.tokens))
    problems = [*with_lines(offences, root), *reader.problems]
    if problems:
        raise FaultyTree(problems, root, reader.unread)
    return root


def with_lines(problems: Sequence[Problem], root: Node) -> Iterator[Problem]:
    """Problems with the line and column of the node at their place."""
    wanted = {one.where for one in problems}
    nodes = {place: node for node, place in places(root, "") if place in wanted} if wanted else {}
    for one in problems:
        node = nodes.get(one.where, root)
        yield replace(one, line=node.line, column=node.column)


class JsonReader:
    """Makes nodes from the tokens of JSON; of several values of a key, it keeps the first."""

    def __init__(self, text: str, path: str) -> None:
        self.text, self.path = text, path
        self.tokens = TOKEN.finditer(text)
        self.problems: list[Problem] = []
        """Keys that are given twice."""
        self.unread: list[Node] = []
        """Their later values."""

    def node(self, first: re.Match[str]) -> Node:
        """The node that begins with a token; the rest of it is taken from the tokens that follow."""
        if first[0] == "[":
            items = []
            while (token := next(self.tokens))[0] != "]":
                items.append(self.node(token))
            return SequenceNode(first.start(), self.text, tuple(items))
        if first[0] == "{":
            entries: Entries = {}
            while (token := next(self.tokens))[0] != "}":
                key, value = self.scalar(token), self.node(next(self.tokens))
                if key.text not in entries:
                    entries[key.text] = (key, value)
                elif len(self.problems) < MOST_KEPT:
                    self.problems.append(key_given_twice(key, entries[key.text][0], self.path))
                    self.unread.append(value)
            return MappingNode(first.start(), self.text, entries)
        return self.scalar(first)

    def scalar(self, token: re.Match[str]) -> ScalarNode:
        """A string, which stands in quotes, or a number, `true`, `false` or `null`, which do not."""
        in_quotes = token[0].startswith('"')
        text = json.loads(token[0]) if in_quotes else token[0]
        return ScalarNode(token.start(), self.text, text, not in_quotes)
