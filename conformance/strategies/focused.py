"""Boards on which effects are sure to interact: few permanents, selected so that their order matters.

Each kind of interaction is a handful of cards. Their order of entry, their controllers, other objects, and
the kind of permanent that has an effect are drawn as well, because dependencies come and go with the board.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec.structs import replace

from conformance.model.scenario import Play
from conformance.strategies.boards import (
    TEST_BEAR,
    TWIST_KINDS,
    TWO_PLAYERS,
    Draft,
    Piece,
    TwistKind,
    as_play,
    legal_play,
    twists_for,
)
from conformance.strategies.cards import (
    AMOUNTS,
    CREATURE_SIZES,
    CREATURES,
    DRAWN_CREATURE_TYPES,
    DRAWN_KEYWORDS,
    EFFECT_KINDS,
    HOSTS,
    LANDS,
    NONBASIC,
    Does,
    MissingFeatures,
    all_of,
    any_order,
    creature,
    everything_like,
    filters,
    first_layer,
    in_play,
    invented_cards,
    one,
    own_abilities,
    permanent,
    several,
    supported_kinds,
    with_star,
)
from conformance.strategies.draws import booleans, composite, integers, sampled_from
from conformance.strategies.means import EVERYTHING, Means
from reference_engine.language.cards import (
    AddColors,
    AddTypes,
    All,
    Base,
    Card,
    Exists,
    Filter,
    Gain,
    Keyword,
    Layer,
    LoseAllAbilities,
    Modify,
    Operation,
    Part,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    Static,
    You,
)
from reference_engine.language.setup import Entry
from reference_engine.language.words import BASIC_LAND_TYPES, COLORS

Cards = tuple[Card, ...]


class Meeting(NamedTuple):
    """A way in which effects interact: alternative sets of features that it needs, and its cards."""

    needs: tuple[tuple[str, ...], ...]
    cards: Callable[[MissingFeatures], SearchStrategy[Cards]]


@cache
def focused_boards(
    means: Means = EVERYTHING, kinds: tuple[TwistKind, ...] = TWIST_KINDS
) -> SearchStrategy[Play]:
    """Boards with one kind of interaction, at most one more permanent, and one twist of these kinds."""
    among = meetings(means.lacks) if means.invented else ()
    if not among:
        return st.nothing()
    return board_of_cards(st.one_of(among), means.lacks, kinds)


@cache
def rivals(means: Means = EVERYTHING, kinds: tuple[TwistKind, ...] = TWIST_KINDS) -> SearchStrategy[Play]:
    """Boards on which an effect's controller, or the order of two effects, matters."""
    if not means.invented or all(need in means.lacks for need, _, _ in RIVALS):
        return st.nothing()
    return board_of_cards(whose(means.lacks), means.lacks, kinds)


@cache
def meetings(lacks: MissingFeatures) -> tuple[SearchStrategy[Cards], ...]:
    """The kinds of interaction that an engine supports."""
    return tuple(one.cards(lacks) for one in MEETINGS if any(not lacks & set(needs) for needs in one.needs))


@composite
def board_of_cards(
    draw: DrawFn,
    meeting: SearchStrategy[Cards],
    lacks: MissingFeatures,
    kinds: tuple[TwistKind, ...] = TWIST_KINDS,
) -> Play:
    """A board of these cards in any order."""
    cards = list(draw(meeting))
    if draw(booleans()):
        cards.append(replace(draw(invented_cards(lacks)), name="Test Bystander"))
    cards = list(any_order(draw, cards))
    pieces = []
    for number, card in enumerate(cards, 1):
        controller = draw(sampled_from(TWO_PLAYERS))
        pieces.append(Piece(card, Entry(f"p{number}", controller), controller))
    draft = Draft(tuple(pieces))
    twists = twists_for(lacks, True, kinds)
    if len(twists) > 0 and draw(seldom):
        draft = draw(draw(sampled_from(twists)))(draft)
    return legal_play(as_play(draft, draw), in_play(TEST_BEAR))


hosts = st.sampled_from((*HOSTS, *HOSTS, "Land"))
seldom = st.sampled_from((False, False, True))


# ------------------------------------------------------------------------------------ meetings


@composite
def pairs(draw: DrawFn, lacks: MissingFeatures) -> Cards:
    """Two effects in one sublayer, and one or two creatures."""
    by_layer: dict[Layer, list[tuple[Does, ...]]] = {}
    for kind in supported_kinds(lacks):
        by_layer.setdefault(first_layer(kind.does[0]), []).append(kind.does)
    layer = draw(sampled_from(sorted(by_layer)))
    found = []
    for name in ("First", "Second"):
        does = draw(sampled_from(draw(sampled_from(by_layer[layer]))))
        affects = draw(st.one_of(st.just(CREATURES), everything_like(layer)))
        found.append(permanent(name, *does, affects=affects, host=draw(hosts)))
    kinds = draw(sampled_from((("Bear",), ("Bear", "Goblin"), ("Elf", "Zombie"))))
    return (*(creature_named(kind) for kind in kinds), *found)


def creature_named(subtype: str, size: tuple[int, int] = (2, 2)) -> Card:
    """A plain creature with this type as its name."""
    return creature(*size, subtype, name=f"Test {subtype}")


KINDS_OF_LINK: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("types", "subtype", DRAWN_CREATURE_TYPES),
    ("colours", "color", COLORS[:4]),
    ("abilities", "keyword", DRAWN_KEYWORDS),
)


class DependencyLink(NamedTuple):
    """A characteristic that effects both depend on and set: creature types, colours or keywords."""

    key: str
    words: tuple[Any, ...]

    def about(self, word: Any) -> All:
        """All creatures with the value."""
        match self.key:
            case "subtype":
                return All(type=one("Creature"), subtype=one(word))
            case "color":
                return All(type=one("Creature"), color=one(word))
            case _:
                return All(type=one("Creature"), keyword=one(word))

    def adds(self, word: Any) -> Operation:
        """The operation that adds the value."""
        match self.key:
            case "subtype":
                return AddTypes(subtypes=one(word))
            case "color":
                return AddColors(one(word))
            case _:
                return Gain((Keyword(word),))

    def sets(self, word: Any) -> Operation:
        """The operation that replaces other values with this one; keywords have none."""
        match self.key:
            case "subtype":
                return SetCreatureTypes(one(word))
            case "color":
                return SetColors(one(word))
            case _:
                return Gain((Keyword(word),))

    def has(self, word: Any) -> Card:
        """A creature with the value."""
        match self.key:
            case "subtype":
                return creature_named(word)
            case "color":
                return replace(creature(2, 2, name=f"Test {word.title()} Creature"), colors=one(word))
            case _:
                return creature(2, 2, abilities=(Keyword(word),), name=f"Test {word.title()} Creature")


@composite
def links(draw: DrawFn, lacks: MissingFeatures) -> DependencyLink:
    """A link of a kind that an engine supports, with its words in any order."""
    kinds = [(key, words) for need, key, words in KINDS_OF_LINK if need not in lacks]
    key, words = draw(sampled_from(kinds))
    return DependencyLink(key, any_order(draw, words))


@composite
def chains(draw: DrawFn, lacks: MissingFeatures) -> Cards:
    """Two to four effects, each of which sets what the next depends on, with or without more creatures."""
    link = draw(links(lacks))
    length = draw(integers(2, 3))
    effects = []
    for n in range(length):
        does = link.adds if draw(sampled_from((True, True, False))) else link.sets
        effects.append(
            permanent(
                f"Link {n + 1}",
                does(link.words[n + 1]),
                affects=link.about(link.words[n]),
                host=draw(hosts),
            )
        )
    if draw(booleans()):
        last = link.words[length]
        effects.append(permanent("Last Link", Modify(1, 1), affects=link.about(last)))
    there = draw(integers(1, length))
    return (*(link.has(word) for word in link.words[:there]), *effects[: 4 if "anthems" not in lacks else 3])


@composite
def loops(draw: DrawFn, lacks: MissingFeatures) -> Cards:
    """Two effects in a loop, with or without a third outside that depends on it or affects it.

    No longer loops are drawn, because the rules do not spell out what follows their first effect.
    """
    link = draw(links(lacks))
    length = 2
    outside = link.words[3]
    does = draw(sampled_from((link.sets, link.adds)))
    effects = [
        permanent(
            f"Link {n + 1}",
            does(link.words[(n + 1) % length]),
            affects=link.about(link.words[n]),
            host=draw(hosts),
        )
        for n in range(length)
    ]
    creatures = [link.has(word) for word in link.words[: draw(integers(1, length))]]
    other = draw(sampled_from(("", "before", "after")))
    if other == "before":
        effects.append(permanent("Outsider", does(link.words[0]), affects=link.about(outside)))
        creatures.append(link.has(outside))
    elif other == "after":
        effects.append(permanent("Outsider", link.adds(outside), affects=link.about(link.words[1])))
    return (*creatures, *effects)


@composite
def lands(draw: DrawFn, lacks: MissingFeatures) -> Cards:
    """An effect on all lands (on a land or not), one that sets the types of some lands, and lands."""
    new, given, own = any_order(draw, BASIC_LAND_TYPES)[:3]
    gives = AddTypes(subtypes=one(given))
    host = draw(sampled_from(("Land", "Land", "Enchantment")))
    giver = permanent("Giver", gives, affects=LANDS, host=host)  # type: ignore[arg-type]  # a card type
    whom = draw(sampled_from((NONBASIC, LANDS, Filter(type=one("Land"), subtype=one(given)))))
    setter = permanent("Setter", SetBasicLandTypes(one(new)), affects=all_of(whom), host=draw(hosts))
    basic = Card("Test Basic", one("Land"), supertypes=one("Basic"), subtypes=one(own))
    other = Card("Test Land", one("Land"), subtypes=one(own) if draw(booleans()) else frozenset())
    return (draw(sampled_from((basic, other))), giver, setter)


@composite
def definers(draw: DrawFn, lacks: MissingFeatures) -> Cards:
    """A creature that defines its own characteristics, and effects that change or remove those."""
    own = draw(own_abilities(lacks))
    bear = with_star(creature(2, 2, abilities=(own,), name="Test Definer"))
    kinds = draw(several(sampled_from(supported_kinds(lacks)), 1, 2))
    effects = []
    for n, kind in enumerate(kinds):
        does = draw(sampled_from(kind.does))
        affects = draw(everything_like(first_layer(does)))
        effects.append(permanent(f"Effect {n + 1}", *does, affects=affects, host=draw(hosts)))
    return (bear, creature_named("Elf"), *effects)


@composite
def going_on(draw: DrawFn, lacks: MissingFeatures) -> Cards:
    """An effect in two layers whose ability is removed, or whose objects change, between them."""
    first, size = draw(sampled_from(COLORS)), draw(sampled_from(CREATURE_SIZES))
    later: tuple[Operation, ...] = (Modify(*size), Base(*size), Gain((Keyword("flying"),)))
    old = draw(sampled_from(filters("5")))
    earlier: tuple[Operation, ...] = (SetColors(one(first)), SetCreatureTypes(one("Elf")))
    early = draw(sampled_from(earlier))
    affects = draw(sampled_from((CREATURES, all_of(old))))
    if early.layer == "4" and old.color:
        affects = CREATURES
    lord = creature(
        2, 2, abilities=(Static((Part(affects, (early, draw(sampled_from(later)))),)),), name="Test Lord"
    )
    taker = permanent("Silence", LoseAllAbilities(), affects=draw(everything_like("6")), host=draw(hosts))
    dyed = replace(creature_named("Goblin"), colors=one(draw(sampled_from(COLORS))))
    return (lord, dyed, taker)


@composite
def counting(draw: DrawFn, lacks: MissingFeatures) -> Cards:
    """An effect that counts, and one that changes the count."""
    amount = draw(sampled_from(AMOUNTS))
    does: Does = draw(sampled_from(((Modify(amount, 0),), (Base(amount, amount),), (Base(2, amount),))))
    counter = permanent("Counter", *does, affects=draw(everything_like("7b")), host=draw(hosts))
    changes = [
        kind
        for kind in supported_kinds(lacks)
        if set(kind.needs)
        & {
            "types",
            "set power and toughness",
        }
    ]
    change = draw(sampled_from(draw(sampled_from(changes)).does))
    affects = draw(everything_like(first_layer(change)))
    changer = permanent("Changer", *change, affects=affects, host=draw(hosts))
    return (
        creature_named("Bear", draw(sampled_from(CREATURE_SIZES))),
        creature_named("Elf"),
        counter,
        changer,
    )


RIVALS: tuple[tuple[str, Operation, Operation], ...] = (
    ("set power and toughness", Base(3, 3), Base(1, 4)),
    ("colours", SetColors(one("red")), SetColors(one("blue"))),
    ("abilities", Gain((Keyword("flying"),)), LoseAllAbilities()),
)


@composite
def whose(draw: DrawFn, lacks: MissingFeatures) -> Cards:
    """Two effects that set different values for creatures, with objects that either player may control.

    They affect all creatures, those of their controller, or all as long as their controller has an artifact.
    """
    both = draw(sampled_from([(one, other) for need, one, other in RIVALS if need not in lacks]))
    effects = []
    for name, does in zip(("First", "Second"), both, strict=True):
        card = permanent(name, does, host=draw(hosts))
        match draw(sampled_from(("all", "yours", "as long as"))):
            case "yours":
                yours = Static((Part(All(type=one("Creature"), controller=You()), (does,)),))
                card = replace(card, abilities=(yours,))
            case "as long as":
                cond = Exists(All(type=one("Artifact"), controller=You()))
                card = replace(card, abilities=(Static((Part(CREATURES, (does,)),), cond=cond),))
        effects.append(card)
    return (creature_named("Bear"), creature_named("Elf"), permanent("Relic", host="Artifact"), *effects)


LINKED = tuple((need,) for need, _, _ in KINDS_OF_LINK)
MEETINGS: tuple[Meeting, ...] = (
    Meeting(tuple(kind.needs for kind in EFFECT_KINDS), pairs),
    Meeting(LINKED, chains),
    Meeting(LINKED, loops),
    Meeting((("types",),), lands),
    Meeting(tuple(kind.needs for kind in EFFECT_KINDS), definers),
    Meeting((("colours", "types", "abilities", "anthems", "set power and toughness"),), going_on),
    Meeting((("anthems", "set power and toughness", "types"),), counting),
)
"""Every kind of interaction."""
