"""Card files: lists of real cards, each as printed, in YAML, canonical JSON, or JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from conformance.checks.cards import findings_of_card
from conformance.data.library import path_for_display
from conformance.files.canonical import decode
from conformance.files.content import content_of
from conformance.files.json_tree import json_tree_of
from conformance.files.short_forms import card_grammar, read_card
from conformance.files.strict_json import place_in_json
from conformance.files.typed_walk import UNREADABLE, TypedWalk, Unreadable
from conformance.files.yaml_nodes import MappingNode, Node, SequenceNode, node_at, place_of
from conformance.files.yaml_tree import tree_of
from conformance.model.problems import MOST_KEPT, Finding, Problem, ScenarioError
from reference_engine.language.cards import Card


def cards_in(path: Path) -> tuple[Card, ...]:
    """The cards in a file, in order. Raises `ScenarioError` with all its problems."""
    return read_cards(tree_of(content_of(path), str(path)), str(path))


def read_cards(root: Node, path: str) -> tuple[Card, ...]:
    """The cards in a tree."""
    walk = TypedWalk(card_grammar())
    items = root.items if isinstance(root, SequenceNode) else ()
    if not items:
        walk.fault(root, "not a list of cards", "write `- name: …` for each card")
    cards = walk.to_the_end(lambda: cards_of_nodes(items, walk))
    if isinstance(cards, Unreadable) or walk.faults:
        raise ScenarioError(
            Problem(
                path,
                one.node.line,
                one.node.column,
                place_with_name(place_of(root, one.node), root),
                one.what,
                one.cure,
            )
            for one in walk.faults
        )
    return cards


def cards_of_nodes(items: tuple[Node, ...], walk: TypedWalk) -> tuple[Card, ...]:
    """The cards that these nodes define; faults are recorded in the walk."""
    cards = tuple(read_card(item, walk) for item in items)
    names: set[str] = set()
    for card, item in zip(cards, items, strict=True):
        if card is UNREADABLE:
            continue
        if card.name in names:
            walk.fault(item, f"{card.name!r} is in this file twice", "keep one of them")
        names.add(card.name)
        for finding in findings_of_card(card):
            walk.fault(node_at(item, finding.at), finding.what, finding.cure)
    return cards


def place_with_name(place: str, root: Node) -> str:
    """A place in a list of cards, with the card's name as its first step."""
    if not isinstance(root, SequenceNode) or not place.startswith("["):
        return place
    number, _, rest = place[1:].partition("]")
    item = root.items[int(number) - 1]
    name = item.entries.get("name") if isinstance(item, MappingNode) else None
    return f"{getattr(name[1], 'text', place)}{rest}" if name else place


# ------------------------------------------------------------------------------------------ any form

PRINTED = re.compile(rb'^\s*(?:\[\s*)?\{\s*"(?:object|meta|data)"\s*:|"(?:type_line|oracle_text)"\s*:')
"""Text that only a file of printed cards contains."""


class PlacedCard(Struct, frozen=True):
    """A card's definition, and where it is."""

    card: Card
    path: str
    line: int = 0
    within: tuple[int, ...] = ()
    """Its position in a list in JSON."""
    checked: bool = False

    def problems(self) -> Iterator[Problem]:
        """The problems of the card."""
        if self.checked:
            return
        for finding in findings_of_card(self.card):
            yield self.problem(finding)

    def problem(self, finding: Finding) -> Problem:
        """A finding as a problem of the file."""
        where = ": ".join(filter(None, (self.card.name, place_in_json(finding.at))))
        return Problem(self.path, self.line, 1 if self.line else 0, where, finding.what, finding.cure)


def placed_cards(path: Path) -> Iterator[PlacedCard]:
    """The cards in a file, in order."""
    name = path_for_display(path)
    content = content_of(path, name)
    if path.suffix in (".json", ".jsonl") and PRINTED.search(content[:10_000]):
        what = "printed cards, not definitions"
        cure = f"convert them: conformance cards read {name} --out cards.jsonl"
        raise ScenarioError([Problem(name, 1, 1, "", what, cure)])
    if path.suffix == ".jsonl":
        yield from card_lines(content, name)
    elif path.suffix == ".json":
        yield from cards_in_json(content, name)
    else:
        for card in read_cards(tree_of(content, name), name):
            yield PlacedCard(card, name, checked=True)


def cards_in_json(content: bytes, path: str) -> Iterator[PlacedCard]:
    """The cards in a JSON list. Raises `ScenarioError` with the problems of all of them."""
    try:
        cards = decode(content, tuple[Card, ...], path)
    except ScenarioError:
        cards = read_cards(json_tree_of(content, path), path)
    for number, card in enumerate(cards):
        yield PlacedCard(card, path, within=(number,))


def card_lines(content: bytes, path: str) -> Iterator[PlacedCard]:
    """The cards in JSON lines. Raises `ScenarioError` with the problems of all lines."""
    problems: list[Problem] = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield PlacedCard(card_in_json(line, path), path, number)
        except ScenarioError as error:
            problems += (replace(one, line=number, column=max(1, one.column)) for one in error.problems)
            if len(problems) >= MOST_KEPT:
                break
    if problems:
        raise ScenarioError(problems)


def card_in_json(content: bytes, path: str) -> Card:
    """A card in JSON. Raises `ScenarioError` with all its problems."""
    try:
        return decode(content, Card, path)
    except ScenarioError:
        root = json_tree_of(content, path)
        return read_cards(SequenceNode(root.at, root.source, (root,)), path)[0]


def problems_of_cards(path: Path) -> tuple[Problem, ...]:
    """The problems of a file of cards in JSON or JSON lines."""
    problems: list[Problem] = []
    try:
        for card in placed_cards(path):
            problems += islice(card.problems(), MOST_KEPT - len(problems))
    except ScenarioError as error:
        problems += error.problems
    return tuple(problems)


def is_list(path: Path) -> bool:
    """Whether a JSON file is a list, as of cards."""
    return content_of(path).lstrip()[:1] == b"["
