"""Card files: a YAML list of real cards, each as printed."""

from __future__ import annotations

from pathlib import Path

from conformance.checks.cards import findings_of_card
from conformance.files.content import content_of
from conformance.files.short_forms import card_grammar, read_card
from conformance.files.typed_walk import UNREADABLE, TypedWalk, Unreadable
from conformance.files.yaml_nodes import MappingNode, Node, SequenceNode, node_at, place_of
from conformance.files.yaml_tree import tree_of
from conformance.model.problems import Problem, ScenarioError
from reference_engine.language.cards import Card


def cards_in(path: Path) -> tuple[Card, ...]:
    """The cards in a file, in order. Raises `ScenarioError` with all its problems."""
    return read_cards(tree_of(content_of(path), str(path)), str(path))


def read_cards(root: Node, path: str) -> tuple[Card, ...]:
    """The cards in a tree."""
    walk = TypedWalk(card_grammar())
    items = root.items if isinstance(root, SequenceNode) else ()
    if not items:
        walk.fault(root, "no list of cards", "write `- name: …` for each card")
    cards = walk.to_the_end(lambda: cards_among(items, walk))
    if isinstance(cards, Unreadable) or walk.faults:
        raise ScenarioError(
            Problem(
                path,
                one.node.line,
                one.node.column,
                named(place_of(root, one.node), root),
                one.what,
                one.cure,
            )
            for one in walk.faults
        )
    return cards


def cards_among(items: tuple[Node, ...], walk: TypedWalk) -> tuple[Card, ...]:
    """The cards that these nodes mean; what is wrong with them is noted."""
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


def named(place: str, root: Node) -> str:
    """A place in a list of cards, with the card's name as its first step."""
    if not isinstance(root, SequenceNode) or not place.startswith("["):
        return place
    number, _, rest = place[1:].partition("]")
    item = root.items[int(number)]
    name = item.entries.get("name") if isinstance(item, MappingNode) else None
    return f"{getattr(name[1], 'text', place)}{rest}" if name else place
