"""Boards of real cards that interact, according to their definitions.

Two cards meet if both work in one sublayer, or if one changes what the other depends on. A board has such a
pair, objects that they affect, and sometimes a third card that meets one of them. Whatever a card needs as it
enters or is cast is drawn as well: choices, what it enchants or copies, its target.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from conformance.model.card_parts import parts_of_card
from conformance.model.features import features_of_card
from conformance.model.scenario import Play
from conformance.strategies.boards import TWO_PLAYERS, Draft, Piece, as_play, legal_play, plainest
from conformance.strategies.cards import (
    DRAWN_CREATURE_TYPES,
    MissingFeatures,
    any_order,
    known_cards,
    plainness,
    real_permanents,
)
from conformance.strategies.draws import booleans, composite, integers, sampled_from
from conformance.strategies.means import EVERYTHING, Means
from reference_engine.language.actions import AnswerValue, CastAction, ChooseAction, Resolve
from reference_engine.language.cards import (
    All,
    AsEnters,
    Base,
    BecomeCopy,
    Card,
    ChooseInstruction,
    CopyAsEnters,
    Draw,
    Effect,
    Filter,
    Keyword,
    Operation,
    Option,
    Part,
    Spell,
    This,
    Triggered,
    TurnFace,
)
from reference_engine.language.characteristics import faces_of
from reference_engine.language.setup import Entry
from reference_engine.language.words import BASIC_LAND_TYPES, COLORS
from reference_engine.layers.board import FaceDown
from reference_engine.layers.effects import reads, writes

ENCOUNTER_LAYERS = frozenset({"2", "4", "5", "6", "7b", "7c", "7d"})
"""Layers and sublayers in which cards meet; those of layer 1 have their own boards."""


class CardPairing(NamedTuple):
    """Two groups of cards: each card of one meets each card of the other."""

    some: tuple[Card, ...]
    others: tuple[Card, ...]


# -------------------------------------------------------------------------------- what a card does


@cache
def deeds_of(card: Card) -> tuple[Operation | FaceDown, ...]:
    """The operations of a card's effects on other objects, and of what it becomes as it enters."""
    found: list[Operation | FaceDown] = []
    for _, part in parts_of_card(card):
        match part:
            case Part(affects, does) | Effect(affects, does) if not isinstance(affects, This):
                found += does
            case Option(does):
                found += does
            case TurnFace():
                found.append(FaceDown())
    return tuple(found)


def works_in(card: Card, layer: str) -> bool:
    """Whether a card's effects work in a layer or sublayer."""
    return any(operation.layer == layer for operation in deeds_of(card))


@cache
def writes_of(card: Card) -> frozenset[str]:
    """The characteristics that a card's effects change."""
    return frozenset().union(*map(writes, deeds_of(card)))


@cache
def reads_of(card: Card) -> frozenset[str]:
    """The characteristics that a card's abilities depend on, other than kinds of object."""
    return reads(card.abilities)


@cache
def meets(card: Card, other: Card) -> bool:
    """Whether two cards work in one sublayer, or one changes what the other depends on."""
    return (
        any(works_in(card, layer) and works_in(other, layer) for layer in ENCOUNTER_LAYERS)
        or bool(writes_of(card) & reads_of(other))
        or bool(writes_of(other) & reads_of(card))
    )


@cache
def workers(means: Means) -> tuple[Card, ...]:
    """Real cards that change other objects, or become something chosen as they enter; plain ones first."""
    there = (card for card in known_cards(means) if deeds_of(card) or has(card, CopyAsEnters))
    found = (card for card in there if is_drawn(card, means.lacks))
    return tuple(sorted(found, key=lambda card: (len(parts_of_card(card)), plainness(card))))


def is_drawn(card: Card, lacks: MissingFeatures) -> bool:
    """Whether we can draw everything that a card needs as it enters or is cast."""
    parts = [part for _, part in parts_of_card(card)]
    spell = next((ability for ability in card.abilities if isinstance(ability, Spell)), None)
    entering = [part for part in parts if isinstance(part, AsEnters)]
    return (
        not card.types & {"Planeswalker", "Battle"}
        and "World" not in card.supertypes
        and len(faces_of(card)) == 1
        and not any(isinstance(part, Triggered | Draw) for part in parts)
        and all(part.kind in ("color", "type") for part in parts if isinstance(part, ChooseInstruction))
        and (spell is None or is_plain_spell(spell))
        and not features_of_card(card) & lacks
        and not (entering and "choices" in lacks)
        and not any(one.tapped for one in entering)
        and not (is_aura(card) and "attachments" in lacks)
        and not (spell is not None and "casting" in lacks)
    )


def is_plain_spell(spell: Spell) -> bool:
    """Whether a spell has effects, at most one target, and no choices."""
    return (
        not spell.modes
        and not spell.additional
        and len(spell.targets) <= 1
        and all(isinstance(part, Effect | TurnFace) for part in spell.effect)
        and all(spec.what is not None for spec in spell.targets)
    )


def is_aura(card: Card) -> bool:
    """Whether a card enters attached."""
    return "Aura" in card.subtypes


def is_spell(card: Card) -> bool:
    """Whether a card is cast, not put onto the battlefield."""
    return bool(card.types & {"Instant", "Sorcery"})


def has(card: Card, kind: type) -> bool:
    """Whether a card contains a part of this kind."""
    return any(isinstance(part, kind) for _, part in parts_of_card(card))


# --------------------------------------------------------------------------------- which ones meet


@cache
def meeting_groups(means: Means) -> tuple[CardPairing, ...]:
    """Cards that work in one sublayer, and cards that change what others depend on, by characteristic."""
    cards = workers(means)
    by_layer = [tuple(card for card in cards if works_in(card, layer)) for layer in sorted(ENCOUNTER_LAYERS)]
    groups = [CardPairing(some, some) for some in by_layer]
    for aspect in sorted(frozenset().union(*map(writes_of, cards))):
        changing = tuple(card for card in cards if aspect in writes_of(card))
        groups.append(CardPairing(changing, tuple(card for card in cards if aspect in reads_of(card))))
    return tuple(group for group in groups if group.some and group.others)


@cache
def cards_with_part(means: Means, kind: type) -> tuple[Card, ...]:
    """Cards that contain a part of this kind."""
    return tuple(card for card in workers(means) if has(card, kind))


@cache
def cards_that_turn(means: Means, *faces: str) -> tuple[Card, ...]:
    """Cards that turn others face down or face up."""
    return tuple(
        card
        for card in workers(means)
        if any(isinstance(part, TurnFace) and part.face in faces for _, part in parts_of_card(card))
    )


@cache
def choosers_of_shape(means: Means) -> tuple[Card, ...]:
    """Cards that become something chosen as they enter."""
    return cards_with_part(means, Option)


@cache
def shape_groups(means: Means) -> tuple[CardPairing, ...]:
    """Cards that become something as they enter, paired with cards that set sizes or that copy."""
    became = choosers_of_shape(means)
    setting = tuple(
        card
        for card in workers(means)
        if any(sets_all(part) and reaches(part, one) for _, part in parts_of_card(card) for one in became)
    )
    return groups_of(
        became, setting, cards_with_part(means, BecomeCopy), cards_with_part(means, CopyAsEnters)
    )


@cache
def turned_groups(means: Means) -> tuple[CardPairing, ...]:
    """Creatures, and cards that became something as they entered, paired with cards that turn others over."""
    return (
        *groups_of(choosers_of_shape(means), cards_that_turn(means, "down")),
        *groups_of(creatures(means), cards_that_turn(means, "down", "up")),
    )


@cache
def copy_groups(means: Means) -> tuple[CardPairing, ...]:
    """Creatures, paired with cards that make them copies and with cards that enter as copies."""
    return groups_of(
        creatures(means), cards_with_part(means, BecomeCopy), cards_with_part(means, CopyAsEnters)
    )


def groups_of(some: tuple[Card, ...], *others: tuple[Card, ...]) -> tuple[CardPairing, ...]:
    """These cards paired with each group of others that is not empty."""
    return tuple(CardPairing(some, other) for other in others if some and other)


def sets_all(part: object) -> bool:
    """Whether a part is a static ability that sets the size of all objects of a kind."""
    return (
        isinstance(part, Part)
        and isinstance(part.affects, All)
        and any(isinstance(operation, Base) for operation in part.does)
    )


def reaches(part: object, card: Card) -> bool:
    """Whether an effect on all objects of a kind may affect this card, as printed."""
    return isinstance(part, Part) and isinstance(part.affects, All) and is_such(card, part.affects)


def is_such(card: Card, wanted: All | Filter) -> bool:
    """Whether a card's printed types match; the rest of the filter applies during play."""
    return (
        is_of(card, wanted)
        and not any(by_types(unwanted) and is_of(card, unwanted) for unwanted in wanted.without)
        and (not wanted.any_of or any(is_such(card, one) for one in wanted.any_of))
    )


def by_types(wanted: Filter) -> bool:
    """Whether a filter names card types, subtypes or supertypes."""
    return bool(wanted.type or wanted.subtype or wanted.supertype)


def is_of(card: Card, wanted: All | Filter) -> bool:
    """Whether a card has a printed type of each named kind."""
    return (
        (not wanted.type or bool(wanted.type & card.types))
        and (not wanted.subtype or bool(wanted.subtype & card.subtypes))
        and (not wanted.supertype or bool(wanted.supertype & card.supertypes))
    )


@cache
def things(means: Means) -> tuple[Card, ...]:
    """Real permanents that do not change other objects."""
    return tuple(card for card in real_permanents(means) if not deeds_of(card))


@cache
def creatures(means: Means) -> tuple[Card, ...]:
    """The `things` that are only creatures."""
    return tuple(card for card in things(means) if card.types == {"Creature"})


@cache
def things_for(means: Means, cards: frozenset[Card]) -> tuple[Card, ...]:
    """The `things` with a card type that one of these cards refers to; all of them if there are none."""
    wanted: set[str] = set()
    for card in cards:
        for _, part in parts_of_card(card):
            if isinstance(part, Filter | All):
                wanted |= part.type
    found = tuple(card for card in things(means) if card.types & wanted)
    return found or things(means)


# --------------------------------------------------------------------------------------- boards


def encounters(means: Means = EVERYTHING) -> SearchStrategy[Play]:
    """Boards on which real cards meet, among objects that they affect."""
    return boards_of_groups(means, meeting_groups(means), hidden=False)


def encounters_of_copies(means: Means = EVERYTHING) -> SearchStrategy[Play]:
    """Boards of real cards with copies, sometimes face down."""
    return boards_of_groups(means, copy_groups(means), hidden=True)


def encounters_face_down(means: Means = EVERYTHING) -> SearchStrategy[Play]:
    """Boards of real cards on which something is turned face down or up."""
    return (
        boards_of_groups(means, turned_groups(means), hidden=True)
        if means.allow("face down")
        else st.nothing()
    )


def encounters_of_shapes(means: Means = EVERYTHING) -> SearchStrategy[Play]:
    """Boards of real cards on which a permanent became something chosen as it entered."""
    return (
        boards_of_groups(means, shape_groups(means), hidden=False)
        if means.allow(
            "choices",
        )
        else st.nothing()
    )


def boards_of_groups(means: Means, groups: tuple[CardPairing, ...], hidden: bool) -> SearchStrategy[Play]:
    """Boards on which cards of these groups meet; none without groups."""
    bare = plainest(means, real=True)
    if bare is None or not groups or not things(means):
        return st.nothing()
    hides = hidden and means.allow("face down")
    return meeting_boards(means, groups, hides).map(lambda play: legal_play(play, bare))


@composite
def meeting_boards(draw: DrawFn, means: Means, groups: tuple[CardPairing, ...], hides: bool) -> Play:
    """Two cards of a group, perhaps a third, and one or two other objects, in any order; spells come last."""
    group = draw(sampled_from(groups))
    cards = [draw(sampled_from(group.some)), draw(sampled_from(group.others))]
    for _ in range(draw(sampled_from((1, 1, 2)))):
        cards.append(draw(sampled_from(things_for(means, frozenset(cards[:2])))))
    if draw(sampled_from((False, False, True))):
        cards.append(draw(sampled_from(group.others)))
    cards = list(any_order(draw, tuple(dict.fromkeys(cards))))
    lasting = sorted((card for card in cards if not is_spell(card)), key=needs_others)
    turn = draw(sampled_from(TWO_PLAYERS))
    draft = Draft((), turn=turn)
    for number, card in enumerate(lasting, 1):
        controller = draw(sampled_from(TWO_PLAYERS))
        entry = draw(entries(f"p{number}", controller, card, draft))
        if entry is None:
            continue
        if hides and card.types == {"Creature"} and entry.choices == () and draw(booleans()):
            entry = Entry(entry.id, controller, face_down=True)
        draft = draft._replace(pieces=(*draft.pieces, Piece(card, entry, controller, real=True)))
    for number, card in enumerate((card for card in cards if is_spell(card)), 1):
        targets = draw(targets_of(card, draft))
        if targets is not None:
            draft = draft._replace(
                hand=(*draft.hand, (f"s{number}", card, True)),
                script=(*draft.script, CastAction(f"s{number}", turn, targets), Resolve(f"s{number}")),
            )
    return as_play(draft, draw)


def needs_others(card: Card) -> bool:
    """Whether a card enters attached, as a copy, or turning others over, and so needs another object."""
    return is_aura(card) or has(card, CopyAsEnters) or has(card, TurnFace)


@composite
def entries(draw: DrawFn, id: str, controller: str, card: Card, draft: Draft) -> Entry | None:
    """How a card enters: attached to something, as a copy, with choices; None if it cannot."""
    host = None
    if is_aura(card):
        enchanted = [
            ability.what for ability in card.abilities if isinstance(ability, Keyword) and ability.what
        ]
        hosts = fitting_pieces(draft, enchanted)
        if not hosts:
            return None
        host = draw(sampled_from(hosts)).entry.id
    choices = list(draw(shapes(controller, card)))
    for ability in card.abilities:
        if not isinstance(ability, AsEnters):
            continue
        if ability.copy is not None:
            models = fitting_pieces(draft, [ability.copy.of])
            if not models:
                return None
            model = draw(sampled_from(models))
            choices.append(ChooseAction("copy", controller, (model.entry.id,)))
            choices += draw(shapes(controller, model.card))
        for choose in ability.choose:
            choices.append(ChooseAction(choose.kind, controller, (draw(sampled_from(words_for(choose))),)))
    return Entry(id, controller, attached_to=host, choices=tuple(choices))


@composite
def shapes(draw: DrawFn, controller: str, card: Card) -> list[ChooseAction]:
    """The choice of what a card becomes as it enters; empty if it has no alternatives."""
    among = [ability.one_of for ability in card.abilities if isinstance(ability, AsEnters) and ability.one_of]
    return [ChooseAction("option", controller, (draw(integers(1, len(options))),)) for options in among]


def words_for(choose: ChooseInstruction) -> tuple[AnswerValue, ...]:
    """The possible answers to a choice."""
    match choose.kind, choose.of:
        case "color", _:
            return COLORS
        case _, "basic land type":
            return BASIC_LAND_TYPES
        case _:
            return DRAWN_CREATURE_TYPES


@composite
def targets_of(draw: DrawFn, card: Card, draft: Draft) -> tuple[tuple[str, ...], ...] | None:
    """The targets of a spell; None if there is no legal one."""
    [spell] = [ability for ability in card.abilities if isinstance(ability, Spell)]
    targets = []
    for spec in spell.targets:
        there = fitting_pieces(draft, [spec.what] if spec.what else [])
        if not there:
            return None
        targets.append((draw(sampled_from(there)).entry.id,))
    return tuple(targets)


def fitting_pieces(draft: Draft, wanted: Iterable[All | Filter]) -> list[Piece]:
    """Permanents whose printed types match all of these, oldest first."""
    kinds = tuple(wanted)
    return [piece for piece in draft.pieces if all(is_such(piece.card, kind) for kind in kinds)]
