"""Laws of dependency (CR 613.8): which effect waits for which, chains, look-alikes and loops."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.model.scenario import Play
from conformance.properties.law import Cases, PlayFunction, Property, holds_for
from conformance.properties.seeing import CONTROL, SUBTYPE_KEYS, expect, expect_same, looks_at_end
from conformance.properties.small_boards import (
    NEWER,
    OLDER,
    Deal,
    board_with,
    by_means,
    deals,
    entered_in,
    fitting,
    of_invented,
    with_entry,
)
from conformance.strategies.cards import (
    CREATURES,
    DRAWN_CREATURE_TYPES,
    DRAWN_KEYWORDS,
    LANDS,
    NONBASIC,
    all_of,
    aura,
    creature,
    creatures_of,
    hosts,
    in_any_order,
    one,
    permanent,
    two_of,
    word,
)
from conformance.strategies.draws import composite
from conformance.strategies.means import Means
from reference_engine.language.cards import (
    AddColors,
    AddTypes,
    All,
    Card,
    Filter,
    Gain,
    GainControl,
    Keyword,
    LoseAllAbilities,
    Operation,
    Part,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    Static,
)
from reference_engine.language.words import BASIC_LAND_TYPES, COLORS, CardType


class Dependent(NamedTuple):
    """Two effects, one of which takes the other's ability away, and a basic land."""

    setter: Card
    giver: Card
    land: Card
    new: frozenset[str]
    """The type that the setter gives."""
    deal: Deal


@composite
def dependent_pairs(draw: DrawFn) -> Dependent:
    """A nonbasic land that gives all lands a type, an effect that sets nonbasic lands' types, and a basic
    land.
    """
    new, given, own = draw(in_any_order(BASIC_LAND_TYPES))[:3]
    gives = Static((Part(LANDS, (AddTypes(subtypes=one(given)),)),))
    giver = Card("Test Giver", one("Land"), abilities=(gives,))
    basic = Card("Test Basic", one("Land"), supertypes=one("Basic"), subtypes=one(own))
    setter = permanent("Setter", SetBasicLandTypes(one(new)), affects=all_of(NONBASIC), host=draw(hosts))
    return Dependent(setter, giver, basic, one(new), draw(deals))


@holds_for(
    of_invented(dependent_pairs()), rules=("613.8a", "613.8b", "305.7"), needs=("types",), source=("002-I5",)
)
def a_dependency_outranks_age(play: PlayFunction, case: Dependent) -> None:
    """If one effect would end another's existence, their ages do not matter."""
    board = board_with(("setter", case.setter), ("giver", case.giver), ("land", case.land), deal=case.deal)
    because = (
        "CR 613.8a: an effect depends on one that would end it (CR 613.8b: so it waits, whatever its age)"
    )
    for order in ((0, 1, 2), (1, 0, 2)):
        looks = looks_at_end(play, entered_in(board, order), SUBTYPE_KEYS, ["land", "giver"])
        expect(looks, "land", because, subtypes=case.land.subtypes)
        expect(looks, "giver", "CR 305.7: it is a nonbasic land as well", subtypes=case.new)


class Links(NamedTuple):
    """Effects each of which makes what the next one is about, and an order in which they enter."""

    creatures: tuple[Card, ...]
    """The first is what the first effect is about, the second what the second is, and so on."""
    links: tuple[Card, ...]
    order: tuple[int, ...]
    key: str
    shows: tuple[Any, ...]
    deal: Deal

    def board(self, creatures: int) -> Play:
        """So many of the creatures, and then the effects."""
        there = [(f"c{n}", card) for n, card in enumerate(self.creatures[:creatures])]
        effects = [(f"link{n}", self.links[n]) for n in self.order]
        return board_with(*there, *effects, deal=self.deal)


@composite
def chains(draw: DrawFn, means: Means, length: int) -> Links:
    """Creatures of one kind are of the next as well, and so on."""
    kind = draw(
        fitting(means, (("types",), "subtypes"), (("abilities",), "keywords"), (("colours",), "colors"))
    )
    host = draw(hosts)
    words: tuple[Any, ...] = {"subtypes": DRAWN_CREATURE_TYPES, "keywords": DRAWN_KEYWORDS}.get(kind, COLORS)
    some = draw(in_any_order(words))[: length + 1]
    links = tuple(
        permanent(f"Link {n + 1}", adds(kind, some[n + 1]), affects=creatures_with(kind, some[n]), host=host)
        for n in range(length)
    )
    creatures = tuple(
        replace(born(kind, word), name=f"Test Creature {n}") for n, word in enumerate(some[:length])
    )
    order = draw(in_any_order(range(length)))
    return Links(creatures, links, order, kind, some, draw(deals))


def born(kind: str, word: Any) -> Card:
    """A creature that is printed with this type, keyword or colour."""
    match kind:
        case "subtypes":
            return creature(2, 2, word)
        case "keywords":
            return creature(2, 2, abilities=(Keyword(word),))
        case _:
            return replace(creature(2, 2), colors=one(word))


def adds(kind: str, word: Any) -> Operation:
    """The operation that adds a creature type, keyword or colour."""
    match kind:
        case "subtypes":
            return AddTypes(subtypes=one(word))
        case "keywords":
            return Gain((Keyword(word),))
        case _:
            return AddColors(one(word))


def creatures_with(kind: str, word: Any) -> All:
    """All creatures of a type, with a keyword or of a colour."""
    match kind:
        case "subtypes":
            return creatures_of(word)
        case "keywords":
            return All(type=one("Creature"), keyword=one(word))
        case _:
            return All(type=one("Creature"), color=one(word))


def chained_effects(length: int) -> Cases[Links]:
    """Chains of this length, of whatever an engine has."""
    return by_means(lambda means: chains(means, length), ("types",), ("abilities",), ("colours",))


@holds_for(chained_effects(2), rules=("613.8a", "613.8b"))
def an_effect_waits_for_what_changes_whom_it_affects(play: PlayFunction, case: Links) -> None:
    """If one effect changes which creatures another affects, the other is applied after it, whatever their
    ages.
    """
    because = "CR 613.8a: an effect depends on one that changes what it applies to (CR 613.8b: so it waits)"
    looks = looks_at_end(play, case.board(1), frozenset({case.key}), ["c0"])
    expect(looks, "c0", because, **{case.key: frozenset(case.shows)})


@holds_for(chained_effects(3), rules=("613.8a", "613.8b", "613.8c"))
def a_chain_is_followed_to_its_end(play: PlayFunction, case: Links) -> None:
    """If each of several effects depends on the one before, they are applied in that order, whatever their
    ages.
    """
    because = "CR 613.8b: each waits for the one before it (CR 613.8c: found anew after each)"
    ids = ["c0", "c1", "c2"]
    looks = looks_at_end(play, case.board(3), frozenset({case.key}), ids)
    for n, id in enumerate(ids):
        expect(looks, id, because, **{case.key: frozenset(case.shows[n:])})


@holds_for(chained_effects(3), rules=("613.8a", "613.8c"))
def a_dependency_is_there_when_the_board_shows_it(play: PlayFunction, case: Links) -> None:
    """An effect waits for another only if that would really change something: the last of a chain goes before
    the first if it is older and the middle one affects nothing on the board.
    """
    because = "CR 613.8a: applied now the second link would change nothing of the third (CR 613.8c: yet)"
    looks = looks_at_end(play, case.board(1), frozenset({case.key}), ["c0"])
    reached = case.shows if case.order.index(0) < case.order.index(2) else case.shows[:3]
    expect(looks, "c0", because, **{case.key: frozenset(reached)})


@composite
def stolen_thefts(draw: DrawFn) -> tuple[Card, str, Deal]:
    """What is stolen, who steals it, and who sits where; the other steals the theft."""
    stolen = draw(
        st.sampled_from((creature(2, 2), permanent("Relic", host="Artifact"), Card("Test Land", one("Land"))))
    )
    deal = draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")), Deal(turn="bob"))))
    return stolen, draw(st.sampled_from(("bob", "alice"))), deal


@holds_for(
    of_invented(stolen_thefts()),
    rules=("613.8a", "613.8b"),
    needs=("control", "attachments", "owner differs"),
    source=("002-L2-E2",),
)
def who_controls_a_theft_controls_what_it_stole(play: PlayFunction, case: tuple[Card, str, Deal]) -> None:
    """An Aura that gives its controller a permanent gives it to whoever controls the Aura now, even if a
    newer effect changed who that is.
    """
    stolen, thief, deal = case
    other = "alice" if thief == "bob" else "bob"
    theft, greater = (
        aura("Theft", GainControl(), enchants=Filter()),
        aura("Greater Theft", GainControl(), enchants=Filter()),
    )
    board = board_with(("stolen", stolen), ("theft", theft), ("greater", greater), deal=deal)
    owners = {"stolen": other, "theft": thief, "greater": other}
    for id, host in (("stolen", None), ("theft", "stolen"), ("greater", "theft")):
        board = with_entry(board, id, controller=owners[id], attached_to=host)
    board = replace(board, objects=tuple(replace(one, owner=owners[one.id]) for one in board.objects))
    because = "CR 613.8a: an effect depends on one that changes what it does (CR 613.8b: so it waits)"
    looks = looks_at_end(play, board, CONTROL, ["stolen", "theft"])
    expect(looks, "theft", because, controller=other)
    expect(looks, "stolen", because, controller=other)


class LookAlike(NamedTuple):
    """Two effects on the same things, one of which sets and one of which adds, and how both orders show."""

    thing: Card
    sets: Card
    adds: Card
    key: str
    set_last: frozenset[Any]
    added_last: frozenset[Any]
    deal: Deal


@composite
def look_alikes(draw: DrawFn, means: Means) -> LookAlike:
    """A set and an addition in one sublayer, neither of which changes whom the other affects."""
    colors, types, lands = (
        draw(two_of(COLORS)),
        draw(two_of(DRAWN_CREATURE_TYPES)),
        draw(two_of(BASIC_LAND_TYPES)),
    )
    given = draw(word)
    nonbasic = Card("Test Land", one("Land"))
    bear = creature(2, 2)
    rows: tuple[tuple[tuple[str, ...], tuple[Card, All, Operation, Operation, str, Any, Any]], ...] = (
        (
            ("colours",),
            (bear, CREATURES, SetColors(one(colors[0])), AddColors(one(colors[1])), "colors", *colors),
        ),
        (
            ("types",),
            (
                *(bear, CREATURES, SetCreatureTypes(one(types[0])), AddTypes(subtypes=one(types[1]))),
                *("subtypes", *types),
            ),
        ),
        (
            ("types",),
            (
                *(nonbasic, LANDS, SetBasicLandTypes(one(lands[0])), AddTypes(subtypes=one(lands[1]))),
                *("subtypes", *lands),
            ),
        ),
        (
            ("abilities",),
            (bear, CREATURES, LoseAllAbilities(), Gain((Keyword(given),)), "keywords", None, given),
        ),
    )
    thing, affects, sets, added, key, old, new = draw(fitting(means, *rows))
    set_last = frozenset() if old is None else one(old)
    return LookAlike(
        thing,
        permanent("Setter", sets, affects=affects, host=draw(hosts)),
        permanent("Adder", added, affects=affects),
        key,
        set_last,
        set_last | {new},
        draw(deals),
    )


@holds_for(
    by_means(look_alikes, ("types",), ("abilities",), ("colours",)), rules=("613.8a", "613.7", "613.9")
)
def what_only_looks_like_a_dependency_goes_by_age(play: PlayFunction, case: LookAlike) -> None:
    """If one effect merely overrides another, there is no dependency, so the newer one decides."""
    board = board_with(("thing", case.thing), ("sets", case.sets), ("adds", case.adds), deal=case.deal)
    because = "CR 613.7: neither changes what the other is, affects or does (CR 613.8a), so age decides"
    for order, shows in ((OLDER, case.added_last), (NEWER, case.set_last)):
        looks = looks_at_end(play, entered_in(board, order), frozenset({case.key}), ["thing"])
        expect(looks, "thing", because, **{case.key: shows})


# ---------------------------------------------------------------------------------------- loops


class DependencyLoop(NamedTuple):
    """Two effects each of which changes what the other applies to."""

    first: Card
    second: Card
    of_first: Card
    of_second: Card
    deal: Deal


@composite
def loops(draw: DrawFn) -> DependencyLoop:
    """All of one creature type become another, and all of the other become the one."""
    a, b = draw(two_of(DRAWN_CREATURE_TYPES))
    host = draw(hosts)
    return DependencyLoop(
        permanent("First", SetCreatureTypes(one(b)), affects=creatures_of(a), host=host),
        permanent("Second", SetCreatureTypes(one(a)), affects=creatures_of(b), host=host),
        creature(1, 1, a),
        replace(creature(1, 1, b), name="Test Other Creature"),
        draw(deals),
    )


@holds_for(of_invented(loops()), rules=("613.8b",), needs=("types",))
def a_loop_falls_back_to_timestamps(play: PlayFunction, case: DependencyLoop) -> None:
    """Effects in a dependency loop are applied oldest first, so every creature has the type that the newer
    one gives.
    """
    board = board_with(
        ("a", case.of_first),
        ("b", case.of_second),
        ("first", case.first),
        ("second", case.second),
        deal=case.deal,
    )
    because = "CR 613.8b: within a dependency loop timestamps decide"
    for order, last in (((0, 1, 2, 3), case.of_first), ((0, 1, 3, 2), case.of_second)):
        looks = looks_at_end(play, entered_in(board, order), SUBTYPE_KEYS, ["a", "b"])
        for id in ("a", "b"):
            expect(looks, id, because, subtypes=last.subtypes)


class LoopAndOther(NamedTuple):
    """A loop of two effects, a third one beside it, and creatures; and in which order the loop entered."""

    words: tuple[str, ...]
    turned: bool
    host: CardType
    deal: Deal

    def board(self, other: Card, other_first: bool) -> Play:
        """The creatures, then the loop, and the third effect before or after it."""
        a, b, c, d = self.words
        loop = [
            ("first", permanent("First", AddTypes(subtypes=frozenset({b, c})), affects=creatures_of(a))),
            ("second", permanent("Second", AddTypes(subtypes=one(a)), affects=creatures_of(b))),
        ]
        if self.turned:
            loop.reverse()
        effects = [("other", other), *loop] if other_first else [*loop, ("other", other)]
        creatures = [
            (f"c{n}", replace(creature(1, 1, word), name=f"Test Creature {n}"))
            for n, word in enumerate((a, b, d))
        ]
        return board_with(*creatures, *effects, deal=self.deal)


@composite
def loops_and_other(draw: DrawFn) -> LoopAndOther:
    """A loop in which each effect makes creatures such as the other is about."""
    return LoopAndOther(
        draw(in_any_order(DRAWN_CREATURE_TYPES)), draw(st.booleans()), draw(hosts), draw(deals)
    )


@holds_for(of_invented(loops_and_other()), rules=("613.8b",), needs=("types",))
def what_depends_on_a_loop_comes_after_it(play: PlayFunction, case: LoopAndOther) -> None:
    """An effect outside a loop waits for the effect in it on which it depends, whatever its age."""
    a, b, c, d = case.words
    other = permanent("Follower", AddTypes(subtypes=one(d)), affects=creatures_of(c), host=case.host)
    because = "CR 613.8b: what depends on an effect in a loop is not in the loop itself, so it waits"
    first = looks_at_end(play, case.board(other, True), SUBTYPE_KEYS, ["c0"])
    last = looks_at_end(play, case.board(other, False), SUBTYPE_KEYS, ["c0"])
    expect_same(first, last, because, SUBTYPE_KEYS)
    expect(last, "c0", because, subtypes=frozenset({a, b, c, d}))


DEPENDENCY: tuple[Property[Any], ...] = (
    a_dependency_outranks_age,
    an_effect_waits_for_what_changes_whom_it_affects,
    a_chain_is_followed_to_its_end,
    a_dependency_is_there_when_the_board_shows_it,
    who_controls_a_theft_controls_what_it_stole,
    what_only_looks_like_a_dependency_goes_by_age,
    a_loop_falls_back_to_timestamps,
    what_depends_on_a_loop_comes_after_it,
)
