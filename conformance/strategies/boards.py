"""Strategies for boards: permanents that entered one after another, and variations of them.

A board is a `Play`. What must not affect results (ids, the order in which objects are created, seats) is
drawn independently of what does (the order of entry). A board starts as plain permanents; each *twist*
changes one thing about it. Every board is stable: no state-based action is pending after any entry of its
setup, and the rules allow its whole script.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec.structs import replace

from conformance.model.problems import ScenarioError, arrival_at
from conformance.model.renaming import renamed_play
from conformance.model.scenario import CardInPlay, Play
from conformance.strategies.cards import (
    CLONE,
    DRAWN_CREATURE_TYPES,
    MIRROR,
    TARGET,
    Does,
    MissingFeatures,
    any_order,
    attached_deeds,
    aura,
    creature,
    creatures_of,
    deeds,
    equipment,
    everything_like,
    first_layer,
    in_play,
    instant,
    invented_cards,
    one,
    permanent,
    real_permanents,
    two_of,
)
from conformance.strategies.draws import booleans, composite, integers, sampled_from
from conformance.strategies.means import EVERYTHING, Means
from conformance_adapters.in_process import Reference
from reference_engine.language.actions import Action, CastAction, ChooseAction, Resolve
from reference_engine.language.cards import (
    AddEveryType,
    AddTypes,
    Card,
    Counters,
    GainControl,
    Selector,
    SetCreatureTypes,
)
from reference_engine.language.setup import Arrival, Entry, Object, Player, Start, TimestampOrder
from reference_engine.language.words import CounterKind

TWO_PLAYERS = ("alice", "bob")
COUNTERS: tuple[CounterKind, ...] = ("+1/+1", "flying", "-1/-1", "vigilance")
REFERENCE = Reference()
TEST_BEAR = creature(2, 2, name="Test Bear")


class Piece(NamedTuple):
    """A permanent of a board: its card, its controller, and how it enters."""

    card: Card
    entry: Entry
    owner: str
    real: bool = False


class Draft(NamedTuple):
    """A board under construction: entries, oldest first, then actions."""

    pieces: tuple[Piece, ...]
    hand: tuple[tuple[str, Card, bool], ...] = ()
    """Cards in the active player's hand, and whether each is real."""
    script: tuple[Action, ...] = ()
    turn: str = "alice"
    together: int | None = None
    """The piece that enters simultaneously with the next one."""
    turned: bool = False
    """Whether the timestamps of simultaneous entries are reversed."""

    def changed(self, at: int, **fields: object) -> Draft:
        """The draft with one entry changed."""
        piece = self.pieces[at]
        other = piece._replace(entry=replace(piece.entry, **fields))
        return self._replace(pieces=(*self.pieces[:at], other, *self.pieces[at + 1 :]))

    def with_piece(self, card: Card, **fields: object) -> Draft:
        """The draft with a new permanent at the end."""
        number = len(self.pieces) + len(self.hand) + 1
        controller = str(fields.pop("controller", self.turn))
        entry = replace(Entry(f"p{number}", controller), **fields)
        named = replace(card, name=f"{card.name} {number}")
        return self._replace(pieces=(*self.pieces, Piece(named, entry, controller)))


Twist = Callable[[Draft], Draft]
"""A change to one thing about a board."""


# ------------------------------------------------------------------------------------ the boards


@cache
def boards(
    means: Means = EVERYTHING, most: int = 4, twists: int = 3, kinds: tuple[TwistKind, ...] | None = None
) -> SearchStrategy[Play]:
    """Boards of permanents that entered one after another, with up to `twists` twists; two players.

    If `kinds` are given, at least one twist is of these kinds.
    """
    among = twists_for(means.lacks, means.invented, TWIST_KINDS if kinds is None else kinds)
    bare = plainest(means)
    if bare is None or (kinds is not None and not among):
        return st.nothing()
    return boards_of(any_cards(means), most, among, int(kinds is not None), twists, bare)


@cache
def real_boards(means: Means = EVERYTHING, most: int = 4, twists: int = 2) -> SearchStrategy[Play]:
    """Boards of real cards only."""
    bare = plainest(means, real=True)
    if bare is None:
        return st.nothing()
    cards = real_cards(real_permanents(means))
    return boards_of(cards, most, twists_for(means.lacks, means.invented, TWIST_KINDS), 0, twists, bare)


@cache
def invented_boards(
    means: Means = EVERYTHING, kinds: tuple[TwistKind, ...] | None = None, twists: int = 3
) -> SearchStrategy[Play]:
    """Boards of invented cards only, with twists of these kinds."""
    if not means.invented:
        return st.nothing()
    made = invented_cards(means.lacks).map(lambda card: (card, False))
    among = twists_for(means.lacks, True, TWIST_KINDS if kinds is None else kinds)
    return boards_of(made, 4, among, 0, twists, in_play(TEST_BEAR))


def plainest(means: Means, real: bool = False) -> CardInPlay | None:
    """The plainest card that an engine supports and that is stable alone on a board."""
    if means.invented and not real:
        return in_play(TEST_BEAR)
    known = (in_play(card, real=True) for card in real_permanents(means))
    return next((card for card in known if stands(board_of_one(card))), None)


@composite
def boards_of(
    draw: DrawFn,
    cards: SearchStrategy[tuple[Card, bool]],
    most: int,
    kinds: tuple[SearchStrategy[Twist], ...],
    least_twists: int,
    most_twists: int,
    bare: CardInPlay,
) -> Play:
    """A board of these cards with these twists."""
    pieces = []
    for number, (card, real) in enumerate(
        draw(st.lists(cards, min_size=1, max_size=most, unique_by=name_of_real)), 1
    ):
        controller = draw(sampled_from(TWO_PLAYERS))
        named = card if real else replace(card, name=f"Test Card {number}")
        pieces.append(Piece(named, Entry(f"p{number}", controller), controller, real))
    draft = Draft(tuple(pieces))
    for _ in range(draw(integers(least_twists, most_twists)) if kinds else 0):
        draft = draw(draw(sampled_from(kinds)))(draft)
    return legal_play(as_play(draft, draw), bare)


@cache
def any_cards(means: Means) -> SearchStrategy[tuple[Card, bool]]:
    """Cards that an engine supports, and whether each is real.

    If it supports both kinds, invented ones are three times as likely.
    """
    known = real_cards(real_permanents(means))
    if not means.invented:
        return known
    made = invented_cards(means.lacks).map(lambda card: (card, False))
    return made if known.is_empty else st.one_of(made, made, made, known)


@cache
def real_cards(real: tuple[Card, ...]) -> SearchStrategy[tuple[Card, bool]]:
    """Real cards, plainest first."""
    return st.sampled_from(real).map(lambda card: (card, True)) if real else st.nothing()


def name_of_real(drawn: tuple[Card, bool]) -> object:
    """Key that keeps drawn cards unique: the name of a real card; every invented card is different."""
    return drawn[0].name if drawn[1] else object()


def as_play(draft: Draft, draw: DrawFn) -> Play:
    """The draft as a scenario; draws everything that must not affect results."""
    ids = any_order(draw, [piece.entry.id for piece in draft.pieces])
    turn = draw(sampled_from(TWO_PLAYERS)) if not draft.script else draft.turn
    names = dict(zip([piece.entry.id for piece in draft.pieces], ids, strict=True))
    objects = [Object(piece.entry.id, piece.card.name, piece.owner) for piece in draft.pieces]
    objects += [Object(id, card.name, draft.turn) for id, card, _ in draft.hand]
    definitions = {piece.card.name: in_play(piece.card, real=piece.real) for piece in draft.pieces}
    definitions |= {card.name: in_play(card, real=real) for _, card, real in draft.hand}
    play = Play(
        players=tuple(
            Player(name, hand=tuple(id for id, _, _ in draft.hand) if name == draft.turn else ())
            for name in any_order(draw, TWO_PLAYERS)
        ),
        start=Start(turn),
        cards=tuple(definitions.values()),
        objects=tuple(any_order(draw, objects)),
        setup=arrivals(draft),
        script=draft.script,
    )
    return renamed_play(play, names)


def arrivals(draft: Draft) -> tuple[Arrival, ...]:
    """The entries one after another, except for two that enter simultaneously."""
    entries = [piece.entry for piece in draft.pieces]
    at = draft.together
    if at is None or at + 1 >= len(entries):
        return tuple(Arrival((entry,)) for entry in entries)
    one, other = entries[at], entries[at + 1]
    if other.attached_to or other.choices or one.attached_to or one.choices:
        return tuple(Arrival((entry,)) for entry in entries)
    order = (other, one) if draft.turned else (one, other)
    timestamps = (
        (TimestampOrder(one.controller, tuple(entry.id for entry in order)),)
        if one.controller == other.controller
        else ()
    )
    both = Arrival((one, other), timestamps)
    return (
        *(Arrival((entry,)) for entry in entries[:at]),
        both,
        *(Arrival((entry,)) for entry in entries[at + 2 :]),
    )


# ------------------------------------------------------------------------------------ standing


def legal_play(play: Play, bare: CardInPlay) -> Play:
    """The play without entries that leave a state-based action pending, and without illegal actions.

    If no entry is left, a single `bare` card takes their place.
    """
    while play.setup:
        try:
            stopped = REFERENCE.play(play).stopped
        except ScenarioError as error:
            play = without_arrival(play, place_of(error))
            continue
        if stopped is None:
            return play
        play = replace(play, script=play.script[: stopped.at])
    return board_of_one(bare)


def stands(play: Play) -> bool:
    """Whether a board is stable, and its script legal."""
    try:
        return REFERENCE.play(play).stopped is None
    except ScenarioError:
        return False


def board_of_one(card: CardInPlay) -> Play:
    """A board of one card, controlled by alice."""
    return Play(
        players=tuple(Player(name) for name in TWO_PLAYERS),
        start=Start("alice"),
        cards=(card,),
        objects=(Object("p1", card.definition.name, "alice"),),
        setup=(Arrival((Entry("p1", "alice"),)),),
    )


def place_of(error: ScenarioError) -> int:
    """The index of the setup's entry that an error is about."""
    number = arrival_at(error.problems[0].where)
    assert number is not None
    return number


def without_arrival(play: Play, number: int) -> Play:
    """The play without one arrival, and without everything later that refers to it."""
    gone = {entry.id for entry in play.setup[number].entries}
    kept = list(play.setup[:number])
    for arrival in play.setup[number + 1 :]:
        if mentions_ids(arrival, gone):
            gone |= {entry.id for entry in arrival.entries}
        else:
            kept.append(arrival)
    return without_unused_cards(
        replace(
            play,
            setup=tuple(kept),
            objects=tuple(one for one in play.objects if one.id not in gone),
            script=tuple(action for action in play.script if not mentions_ids(action, gone)),
        )
    )


def without_unused_cards(play: Play) -> Play:
    """The play without cards that no object has."""
    used = {one.card for one in play.objects}
    return replace(play, cards=tuple(card for card in play.cards if card.definition.name in used))


def mentions_ids(value: object, ids: set[str]) -> bool:
    """Whether a value mentions any of these ids."""
    if isinstance(value, str):
        return value in ids
    if isinstance(value, tuple):
        return any(mentions_ids(one, ids) for one in value)
    if not hasattr(value, "__struct_fields__"):
        return False
    return any(mentions_ids(getattr(value, name), ids) for name in value.__struct_fields__)


# -------------------------------------------------------------------------------------- twists


class TwistKind(NamedTuple):
    """A kind of twist: the features it needs, and whether it adds an invented card."""

    needs: tuple[str, ...]
    invents: bool
    twists: Callable[[MissingFeatures], SearchStrategy[Twist]]


@cache
def twists_for(
    lacks: MissingFeatures, invented: bool, among: tuple[TwistKind, ...]
) -> tuple[SearchStrategy[Twist], ...]:
    """The twists of these kinds that an engine supports, plainest first."""
    return tuple(
        kind.twists(lacks) for kind in among if not lacks & set(kind.needs) and (invented or not kind.invents)
    )


places = st.integers(0, 3)


def with_tapped(lacks: MissingFeatures) -> SearchStrategy[Twist]:
    """One permanent is tapped."""
    return places.map(lambda at: lambda draft: draft.changed(at % len(draft.pieces), tapped=True))


def with_counters(lacks: MissingFeatures) -> SearchStrategy[Twist]:
    """One permanent has counters."""
    return st.tuples(places, st.sampled_from(COUNTERS), st.integers(1, 2)).map(
        lambda drawn: (
            lambda draft: draft.changed(
                drawn[0] % len(draft.pieces), counters=(Counters(drawn[1], drawn[2]),)
            )
        )
    )


def owned_by_another(lacks: MissingFeatures) -> SearchStrategy[Twist]:
    """One permanent is not owned by its controller."""

    def owned(at: int) -> Twist:
        def twist(draft: Draft) -> Draft:
            piece = draft.pieces[at % len(draft.pieces)]
            other = piece._replace(owner=next(name for name in TWO_PLAYERS if name != piece.entry.controller))
            return draft._replace(pieces=tuple(other if one is piece else one for one in draft.pieces))

        return twist

    return places.map(owned)


def face_down(lacks: MissingFeatures) -> SearchStrategy[Twist]:
    """One creature is face down."""
    return places.map(
        lambda at: (
            lambda draft: (
                draft.changed(at % len(draft.pieces), face_down=True)
                if "Creature" in draft.pieces[at % len(draft.pieces)].card.types
                else draft
            )
        )
    )


def come_together(lacks: MissingFeatures) -> SearchStrategy[Twist]:
    """Two permanents enter simultaneously."""
    return st.tuples(places, st.booleans()).map(
        lambda drawn: lambda draft: draft._replace(together=drawn[0], turned=drawn[1])
    )


def some_creature(draft: Draft, at: int) -> str | None:
    """The id of one of the creatures; None if there are none."""
    there = [piece.entry.id for piece in draft.pieces if "Creature" in piece.card.types]
    return there[at % len(there)] if there else None


def with_aura(lacks: MissingFeatures) -> SearchStrategy[Twist]:
    """An Aura is on a creature."""

    def attach(drawn: tuple[int, Does, str]) -> Twist:
        at, does, controller = drawn

        def twist(draft: Draft) -> Draft:
            host = some_creature(draft, at)
            card = aura("Aura", *does)
            return draft if host is None else draft.with_piece(card, controller=controller, attached_to=host)

        return twist

    return st.tuples(places, attached_deeds(lacks, control=True), st.sampled_from(TWO_PLAYERS)).map(attach)


def with_equipment(lacks: MissingFeatures) -> SearchStrategy[Twist]:
    """An Equipment is on a creature."""

    def attach(drawn: tuple[int, Does, str]) -> Twist:
        at, does, controller = drawn

        def twist(draft: Draft) -> Draft:
            host = some_creature(draft, at)
            card = equipment("Equipment", *does)
            return draft if host is None else draft.with_piece(card, controller=controller, attached_to=host)

        return twist

    return st.tuples(places, attached_deeds(lacks), st.sampled_from(TWO_PLAYERS)).map(attach)


def entered_as_copy(lacks: MissingFeatures) -> SearchStrategy[Twist]:
    """A creature has entered as a copy of another."""

    def clone(drawn: tuple[int, str]) -> Twist:
        at, controller = drawn

        def twist(draft: Draft) -> Draft:
            original = some_creature(draft, at)
            if original is None:
                return draft
            choices = (ChooseAction("copy", controller, (original,)),)
            return draft.with_piece(CLONE, controller=controller, choices=choices)

        return twist

    return st.tuples(places, st.sampled_from(TWO_PLAYERS)).map(clone)


def with_dependency(lacks: MissingFeatures) -> SearchStrategy[Twist]:
    """Two permanents, of which one changes what the other applies to in the same layer."""

    def added(drawn: tuple[tuple[str, str], int, int, bool, tuple[str, str]]) -> Twist:
        (word, other), gives, asks, asks_first, (first, second) = drawn
        given = (AddTypes(subtypes=one(word)), SetCreatureTypes(one(word)), AddEveryType("creature"))[gives]
        done = (AddTypes(types=one("Artifact")), AddTypes(subtypes=one(other)), SetCreatureTypes(one(other)))
        giver = permanent("Giver", given)
        asker = permanent("Asker", done[asks], affects=creatures_of(word))
        two = (asker, giver) if asks_first else (giver, asker)
        return lambda draft: draft.with_piece(two[0], controller=first).with_piece(two[1], controller=second)

    third, player = st.integers(0, 2), st.sampled_from(TWO_PLAYERS)
    words = two_of(DRAWN_CREATURE_TYPES)
    return st.tuples(words, third, third, st.booleans(), st.tuples(player, player)).map(added)


def cast_last(lacks: MissingFeatures) -> SearchStrategy[Twist]:
    """The newest permanent is cast, not part of the setup."""

    def twist(draft: Draft) -> Draft:
        *before, last = draft.pieces
        entry = last.entry
        plain = not (entry.attached_to or entry.choices or entry.face_down or entry.tapped or entry.counters)
        if draft.script or draft.hand or not before or "Land" in last.card.types or not plain:
            return draft
        return draft._replace(
            pieces=tuple(before),
            hand=((entry.id, last.card, last.real),),
            script=(CastAction(entry.id, entry.controller), Resolve(entry.id)),
            turn=entry.controller,
        )

    return st.just(twist)


def cast_now(draft: Draft, card: Card, turn: str, *targets: str) -> Draft:
    """The draft with one more spell, which the active player casts and resolves at the end."""
    if draft.script and draft.turn != turn:
        return draft
    number = len(draft.script) + 1
    id = f"spell{number}"
    return draft._replace(
        hand=(*draft.hand, (id, replace(card, name=f"{card.name} {number}"), False)),
        script=(*draft.script, CastAction(id, turn, tuple((target,) for target in targets)), Resolve(id)),
        turn=turn,
    )


@composite
def spell_resolved(draw: DrawFn, lacks: MissingFeatures) -> Twist:
    """A spell with an effect until end of turn has resolved, on one creature or on all of a kind."""
    does = draw(deeds(lacks, 2))
    wide = draw(booleans())
    whom: Selector = draw(everything_like(first_layer(does))) if wide else TARGET
    at, turn = draw(places), draw(sampled_from(TWO_PLAYERS))

    def twist(draft: Draft) -> Draft:
        target = some_creature(draft, at)
        if target is None:
            return draft
        return cast_now(draft, instant("Spell", *does, affects=whom), turn, *(() if wide else (target,)))

    return twist


def of_one_spell(card: Card) -> Callable[[MissingFeatures], SearchStrategy[Twist]]:
    """A spell of this kind has resolved on one creature."""

    def aimed(drawn: tuple[int, str]) -> Twist:
        at, turn = drawn

        def twist(draft: Draft) -> Draft:
            target = some_creature(draft, at)
            return draft if target is None else cast_now(draft, card, turn, target)

        return twist

    return lambda lacks: st.tuples(places, st.sampled_from(TWO_PLAYERS)).map(aimed)


SPELL = ("casting", "targets")
PLAIN_TWISTS: tuple[TwistKind, ...] = (
    TwistKind((), False, with_tapped),
    TwistKind(("owner differs",), False, owned_by_another),
)
ATTACHED: tuple[TwistKind, ...] = (
    TwistKind(("attachments",), True, with_aura),
    TwistKind(("attachments", "activated abilities", "targets"), True, with_equipment),
)
LASTING: tuple[TwistKind, ...] = (
    TwistKind(SPELL, True, spell_resolved),
    TwistKind((*SPELL, "control"), True, of_one_spell(instant("Threat", GainControl()))),
)
COPIED: tuple[TwistKind, ...] = (
    TwistKind(("face down",), False, face_down),
    TwistKind(("copies", "choices"), True, entered_as_copy),
    TwistKind((*SPELL, "copies"), True, of_one_spell(MIRROR)),
)
TWIST_KINDS: tuple[TwistKind, ...] = (
    *PLAIN_TWISTS,
    TwistKind(("counters",), False, with_counters),
    TwistKind(("casting",), False, cast_last),
    *LASTING,
    *ATTACHED,
    *[TwistKind(("types",), True, with_dependency)] * 2,
    TwistKind(("simultaneous entry",), False, come_together),
    *COPIED,
)
"""Every kind of twist."""
