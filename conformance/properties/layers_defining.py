"""Laws of abilities that define their object's characteristics (CR 604.3, 613.3)."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.properties.law import PlayFunction, Property, holds_for
from conformance.properties.layers_age import grants
from conformance.properties.seeing import SIZE, expect, looks_at_end
from conformance.properties.small_boards import (
    NEWER,
    OLDER,
    Deal,
    Pair,
    board_with,
    by_means,
    deals,
    entered_in,
    entering_as_copy,
    fitting,
    of_invented,
    with_card_in,
)
from conformance.strategies.cards import (
    CLONE,
    CREATURES,
    color,
    creature,
    one,
    permanent,
    sizes,
    subtype,
    two_of,
)
from conformance.strategies.draws import composite
from conformance.strategies.means import Means
from reference_engine.language.cards import (
    AddEveryType,
    All,
    Base,
    Card,
    Count,
    Defines,
    Gain,
    Keyword,
    Operation,
    SetColors,
    SetCreatureTypes,
)
from reference_engine.language.words import ALL_CREATURE_TYPES, COLORS, CardType


class DefinedCreature(NamedTuple):
    """A creature that says itself what it is, an effect that says otherwise, and how that shows."""

    creature: Card
    setter: Card
    shows: dict[str, Any]
    deal: Deal


@composite
def defined_creatures(draw: DrawFn, means: Means) -> DefinedCreature:
    """A colour, creature types or a size that an object defines, and that an effect sets."""
    (own, other), types, (power, toughness) = draw(two_of(COLORS)), draw(subtype), draw(sizes)
    everywhere = creature(2, 2, types, (Defines((AddEveryType("creature"),)),))
    sized_by_count = Defines((Base(Count(All()), Count(All())),))
    star = replace(creature(0, 0, types, (sized_by_count,)), power="*", toughness="*")
    dyed = creature(2, 2, types, (Defines((SetColors(one(own)),)),))
    rows: tuple[tuple[tuple[str, ...], tuple[Card, Operation, dict[str, Any]]], ...] = (
        (("colours",), (dyed, SetColors(one(other)), {"colors": one(other)})),
        (("types",), (everywhere, SetCreatureTypes(one("Elf")), {"subtypes": one("Elf")})),
        (
            ("set power and toughness",),
            (star, Base(power + 4, toughness), {"power": power + 4, "toughness": toughness}),
        ),
    )
    bear, operation, shows = draw(fitting(means, *rows))
    return DefinedCreature(bear, permanent("Setter", operation), shows, draw(deals))


@holds_for(
    by_means(defined_creatures, ("colours",), ("types",), ("set power and toughness",)),
    rules=("613.3", "613.4a", "604.3"),
    needs=("characteristic-defining abilities",),
)
def what_an_object_says_of_itself_comes_first(play: PlayFunction, case: DefinedCreature) -> None:
    """An ability that defines its object's characteristics is applied before the effects of other objects,
    however new the object is.
    """
    board = board_with(("bear", case.creature), ("setter", case.setter), deal=case.deal)
    because = "CR 613.3: what defines characteristics is applied first (CR 604.3: it is no ordinary effect)"
    for order in ((0, 1), (1, 0)):
        looks = looks_at_end(play, entered_in(board, order), frozenset(case.shows), ["bear"])
        expect(looks, "bear", because, **case.shows)


@composite
def copied_definitions(draw: DrawFn, means: Means) -> DefinedCreature:
    """A colour or creature types that a copied object defines, and that an older effect sets."""
    own, other = draw(two_of(COLORS))
    dyed = creature(2, 2, abilities=(Defines((SetColors(one(own)),)),))
    changeling = creature(2, 2, abilities=(Keyword("changeling"),))
    rows: tuple[tuple[tuple[str, ...], tuple[Card, Operation, dict[str, Any]]], ...] = (
        (("types",), (changeling, SetCreatureTypes(one("Elf")), {"subtypes": one("Elf")})),
        (
            ("colours", "characteristic-defining abilities"),
            (dyed, SetColors(one(other)), {"colors": one(other)}),
        ),
    )
    original, operation, shows = draw(fitting(means, *rows))
    return DefinedCreature(
        replace(original, name="Test Original"), permanent("Setter", operation), shows, draw(deals)
    )


@holds_for(
    by_means(copied_definitions, ("types",), ("colours", "characteristic-defining abilities")),
    rules=("613.3", "604.3", "707.2"),
    needs=("copies", "choices"),
)
def what_a_copy_says_of_itself_comes_first(play: PlayFunction, case: DefinedCreature) -> None:
    """An ability that defines characteristics is also applied first on a copy, even if the copy is newer than
    the effect that sets them.
    """
    board = board_with(("setter", case.setter), ("original", case.creature), ("clone", CLONE), deal=case.deal)
    board = entering_as_copy(board, "clone", "original")
    looks = looks_at_end(play, board, frozenset(case.shows), ["original", "clone"])
    because = "CR 613.3: what defines characteristics is applied first (CR 707.2: and is copied)"
    for id in ("original", "clone"):
        expect(looks, id, because, **case.shows)


@composite
def defined_elsewhere(draw: DrawFn, means: Means) -> tuple[Card, str, dict[str, Any]]:
    """A card in another zone that defines its colour, its size or its types."""
    own, zone = draw(color), draw(st.sampled_from(("graveyard", "hand", "exile")))
    star = replace(
        creature(0, 0, abilities=(Defines((Base(Count(CREATURES), Count(CREATURES)),)),)),
        power="*",
        toughness="*",
    )
    red = creature(2, 2, abilities=(Defines((SetColors(one(own)),)),))
    changeling = creature(2, 2, abilities=(Keyword("changeling"),))
    rows: tuple[tuple[tuple[str, ...], tuple[Card, dict[str, Any]]], ...] = (
        (("colours",), (red, {"colors": one(own)})),
        (("types",), (changeling, {"subtypes": one(ALL_CREATURE_TYPES)})),
        (("set power and toughness",), (star, {"power": 1, "toughness": 1})),
    )
    card, shows = draw(fitting(means, *rows))
    return replace(card, name="Test Defined Card"), zone, shows


@holds_for(
    by_means(defined_elsewhere, ("colours",), ("set power and toughness",), ("types",)),
    rules=("604.3",),
    needs=("characteristic-defining abilities",),
)
def what_defines_works_in_every_zone(play: PlayFunction, case: tuple[Card, str, dict[str, Any]]) -> None:
    """An ability that defines its card's characteristics works in a hand, a graveyard and exile.

    It does not check libraries, whose cards nobody sees.
    """
    card, zone, shows = case
    board = with_card_in(board_with(("bear", creature(1, 1))), zone, "card", card, "alice")
    because = "CR 604.3: abilities that define characteristics function in all zones"
    expect(looks_at_end(play, board, frozenset(shows), ["card"]), "card", because, **shows)


@holds_for(
    of_invented(grants()),
    rules=("604.3a", "613.4b"),
    needs=("abilities", "set power and toughness", "characteristic-defining abilities"),
)
def a_granted_definition_is_an_ordinary_effect(
    play: PlayFunction, case: tuple[tuple[int, int], tuple[int, int], bool, CardType, Deal]
) -> None:
    """A granted ability that sets its object's size applies in timestamp order, as any other effect does."""
    granted, plain, newer, host, deal = case
    pair = Pair(
        creature(1, 1),
        permanent("Setter", Base(*plain)),
        permanent("Granter", Gain((Defines((Base(*granted),)),)), host=host),
        deal,
    )
    power, toughness = granted if newer else plain
    expect(
        looks_at_end(play, entered_in(pair.board(), OLDER if newer else NEWER), SIZE, ["bear"]),
        "bear",
        "CR 604.3a: an ability that another effect gave defines nothing, it is applied in 7b by age",
        power=power,
        toughness=toughness,
    )


DEFINING: tuple[Property[Any], ...] = (
    what_an_object_says_of_itself_comes_first,
    what_a_copy_says_of_itself_comes_first,
    what_defines_works_in_every_zone,
    a_granted_definition_is_an_ordinary_effect,
)
