"""Laws of what single operations do: what is set, what is lost, what cannot be had."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.properties.law import PlayFunction, Property, holds_for
from conformance.properties.seeing import EVERY_KEY, KEYWORD_KEYS, SIZE, SUBTYPE_KEYS, expect, looks_at_end
from conformance.properties.small_boards import (
    NEWER,
    OLDER,
    Deal,
    Pair,
    board_with,
    by_means,
    deals,
    entered_in,
    fitting,
    of_invented,
)
from conformance.strategies.cards import (
    CREATURES,
    DRAWN_CREATURE_TYPES,
    DRAWN_KEYWORDS,
    LANDS,
    NONBASIC,
    PERMANENT_TYPES,
    all_of,
    creature,
    land_type,
    one,
    permanent,
    several,
    sizes,
    subset,
    subtype,
    two_of,
    word,
)
from conformance.strategies.draws import composite
from conformance.strategies.means import Means
from reference_engine.language.cards import (
    All,
    Base,
    CannotHave,
    Card,
    Gain,
    Keyword,
    LoseAllAbilities,
    Modify,
    Operation,
    Part,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetName,
    SetTypes,
    Static,
    This,
)
from reference_engine.language.words import BASIC_LAND_TYPES, COLORS


@composite
def plain_permanents(draw: DrawFn) -> tuple[tuple[Card, ...], Deal]:
    """Permanents without effects, of every card type."""
    kinds = draw(several(st.sampled_from(PERMANENT_TYPES), 1, 3))
    cards = []
    for number, kind in enumerate(kinds):
        card = creature(*draw(sizes), draw(subtype), draw(st.sampled_from(((), (Keyword("flying"),)))))
        if kind != "Creature":
            card = permanent("Thing", host=kind)
        cards.append(replace(card, name=f"Test Thing {number}"))
    return tuple(cards), draw(deals)


WITNESS = replace(creature(1, 1), name="Test Witness", abilities=(Static((Part(This(), (Modify(1, 1),)),)),))


@holds_for(of_invented(plain_permanents()), rules=("613.1", "208.3"), needs=("anthems",))
def without_effects_everything_is_as_printed(play: PlayFunction, case: tuple[tuple[Card, ...], Deal]) -> None:
    """Objects that no effect touches have their printed characteristics; a noncreature permanent has no power
    or toughness.

    Beside them is a creature with an effect on itself, which shows that effects apply.
    """
    cards, deal = case
    named = {f"thing{n}": card for n, card in enumerate(cards)}
    keys = EVERY_KEY - {"controller"}
    looks = looks_at_end(play, board_with(*named.items(), ("witness", WITNESS), deal=deal), keys)
    expect(looks, "witness", "CR 613.4c: its own ability modifies its size", power=2, toughness=2)
    for id, card in named.items():
        because = (
            "CR 613.1: it starts with what is printed, and nothing changes that"
            if "Creature" in card.types
            else "CR 208.3: a permanent that is no creature has no power and toughness"
        )
        expect(
            looks,
            id,
            because,
            name=card.name,
            power=card.power,
            toughness=card.toughness,
            types=card.types,
            subtypes=card.subtypes,
            colors=frozenset(),
            keywords=frozenset(word.keyword for word in card.abilities if isinstance(word, Keyword)),
        )


class SetCharacteristic(NamedTuple):
    """A thing, what is set of it, how that shows, and the rule that says so."""

    thing: Card
    does: Operation
    affects: All
    shows: dict[str, Any]
    because: str
    deal: Deal


@composite
def set_characteristics(draw: DrawFn, means: Means) -> SetCharacteristic:
    """Colours, card types or subtypes that are set where there were others."""
    colors, lands = draw(two_of(COLORS)), draw(two_of(BASIC_LAND_TYPES))
    to = draw(st.sampled_from(("Artifact", "Enchantment")))
    dyed = replace(creature(2, 2), colors=one(colors[0]))
    land = Card("Test Land", one("Land"), subtypes=one(lands[0]))
    rows: tuple[tuple[tuple[str, ...], tuple[Card, Operation, All, dict[str, Any], str]], ...] = (
        (
            ("colours",),
            (
                *(dyed, SetColors(one(colors[1])), CREATURES, {"colors": one(colors[1])}),
                "CR 105.3: a colour that is set replaces those there were",
            ),
        ),
        (
            ("types",),
            (
                *(creature(2, 2), SetTypes(one(to)), CREATURES),
                {"types": one(to), "subtypes": frozenset(), "power": None},
                "CR 205.1a: card types that are set replace those there were",
            ),
        ),
        (
            ("types",),
            (
                *(land, SetBasicLandTypes(one(lands[1])), LANDS, {"subtypes": one(lands[1])}),
                "CR 305.7: a land type that is set replaces those there were",
            ),
        ),
    )
    thing, does, affects, shows, because = draw(fitting(means, *rows))
    return SetCharacteristic(thing, does, affects, shows, because, draw(deals))


@holds_for(by_means(set_characteristics, ("colours",), ("types",)), rules=("105.3", "205.1a", "305.7"))
def what_is_set_replaces_what_was(play: PlayFunction, case: SetCharacteristic) -> None:
    """Setting colours, card types or subtypes replaces the previous ones of that kind, and nothing else."""
    setter = permanent("Setter", case.does, affects=case.affects)
    board = board_with(("thing", case.thing), ("setter", setter), deal=case.deal)
    expect(looks_at_end(play, board, frozenset(case.shows), ["thing"]), "thing", case.because, **case.shows)


class RetypedCreature(NamedTuple):
    """A creature with a subtype of another kind besides, and the creature type that is set."""

    machine: Card
    kept: frozenset[str]
    new: str
    deal: Deal


@composite
def retyped_creatures(draw: DrawFn) -> RetypedCreature:
    """A creature that is a land or an artifact as well."""
    old, new = draw(two_of(DRAWN_CREATURE_TYPES))
    kind, subtype = draw(st.sampled_from((("Land", "Swamp"), ("Artifact", "Food"), ("Land", "Forest"))))
    machine = creature(2, 2, old)
    machine = replace(
        machine,
        types=machine.types | {kind},
        subtypes=machine.subtypes | {subtype},
        cost=None if kind == "Land" else machine.cost,
    )
    return RetypedCreature(machine, one(subtype), new, draw(deals))


@holds_for(of_invented(retyped_creatures()), rules=("205.1a", "613.1d"), needs=("types",))
def creature_types_that_are_set_leave_all_others(play: PlayFunction, case: RetypedCreature) -> None:
    """Setting a creature type replaces creature types, but no land types or artifact types."""
    setter = permanent("Setter", SetCreatureTypes(one(case.new)))
    board = board_with(("thing", case.machine), ("setter", setter), deal=case.deal)
    because = "CR 205.1a: creature types that are set replace creature types and nothing else"
    looks = looks_at_end(play, board, SUBTYPE_KEYS, ["thing"])
    expect(looks, "thing", because, subtypes=case.kept | {case.new})


@composite
def speaking_lands(draw: DrawFn, means: Means) -> tuple[Operation, Any, Deal]:
    """What a land does to all creatures, and the basic land type that it gets."""
    rows: tuple[tuple[tuple[str, ...], Operation], ...] = (
        (("anthems",), Modify(1, 1)),
        (("set power and toughness",), Base(4, 4)),
        (("abilities",), Gain((Keyword("flying"),))),
    )
    return draw(fitting(means, *rows)), draw(land_type), draw(deals)


@holds_for(
    by_means(speaking_lands, ("anthems",), ("set power and toughness",), ("abilities",)),
    rules=("305.7",),
    needs=("types",),
)
def a_basic_land_type_takes_the_lands_own_abilities(
    play: PlayFunction, case: tuple[Operation, Any, Deal]
) -> None:
    """A land that is given a basic land type loses the abilities of its own text.

    It does not check the mana ability that it gains.
    """
    does, new, deal = case
    board = board_with(
        ("bear", creature(2, 2)),
        ("land", permanent("Speaking Land", does, host="Land")),
        ("setter", permanent("Setter", SetBasicLandTypes(one(new)), affects=all_of(NONBASIC))),
        deal=deal,
    )
    because = "CR 305.7: with the type it loses the abilities of its rules text"
    looks = looks_at_end(play, board, SIZE | KEYWORD_KEYS | SUBTYPE_KEYS, ["bear", "land"])
    expect(looks, "bear", because, power=2, toughness=2, keywords=frozenset())
    expect(looks, "land", "CR 305.7: it has the new type", subtypes=one(new))


@composite
def forbidden_keywords(draw: DrawFn) -> tuple[Any, bool, bool, Deal]:
    """A keyword that no creature can have, whether the ban is newer than the gift, whether it was printed."""
    return draw(word), draw(st.booleans()), draw(st.booleans()), draw(deals)


@holds_for(of_invented(forbidden_keywords()), rules=("113.11",), needs=("abilities",))
def what_it_cannot_have_it_never_gains(play: PlayFunction, case: tuple[Any, bool, bool, Deal]) -> None:
    """An object that can't have an ability has it neither from its own text nor from any effect, older or
    newer.
    """
    given, ban_newer, own, deal = case
    bear = creature(2, 2, abilities=(Keyword(given),) if own else ())
    pair = Pair(
        bear, permanent("Ban", CannotHave(one(given))), permanent("Gift", Gain((Keyword(given),))), deal
    )
    order = NEWER if ban_newer else OLDER
    expect(
        looks_at_end(play, entered_in(pair.board(), order), KEYWORD_KEYS, ["bear"]),
        "bear",
        "CR 113.11: what it can't have it loses, and no effect gives it",
        keywords=frozenset(),
    )


@composite
def creatures_with_keywords(draw: DrawFn) -> tuple[frozenset[Any], bool, Deal]:
    """Keywords of a creature, and whether it entered before what takes all abilities."""
    return draw(subset(DRAWN_KEYWORDS, 3)), draw(st.booleans()), draw(deals)


@holds_for(of_invented(creatures_with_keywords()), rules=("613.1f",), needs=("abilities",))
def losing_all_abilities_leaves_none(play: PlayFunction, case: tuple[frozenset[Any], bool, Deal]) -> None:
    """A creature that loses all abilities has no keywords left.

    It does not check abilities that it gains afterwards.
    """
    words, older, deal = case
    bear = creature(2, 2, abilities=tuple(Keyword(name) for name in sorted(words)))
    board = board_with(("bear", bear), ("silence", permanent("Silence", LoseAllAbilities())), deal=deal)
    looks = looks_at_end(play, entered_in(board, (0, 1) if older else (1, 0)), KEYWORD_KEYS, ["bear"])
    because = "CR 613.1f: all abilities are taken in layer 6, keywords among them"
    expect(looks, "bear", because, keywords=frozenset())


class RenamedCase(NamedTuple):
    """Whether what is asked for is the name that is set, and what enters first."""

    new: bool
    order: tuple[int, ...]
    deal: Deal


renamed_cases = st.builds(RenamedCase, st.booleans(), st.sampled_from((OLDER, NEWER)), deals)


@holds_for(of_invented(renamed_cases), rules=("612.8", "613.1c"), needs=("anthems",))
def what_is_asked_for_by_name_has_that_name_now(play: PlayFunction, case: RenamedCase) -> None:
    """An effect on creatures with a name affects those that have the name now, not those that have lost it.

    No broken engine of ours looks at what is printed there; it exists for engines that do.
    """
    old, new = "Test Somebody", "Test Nobody"
    wanted = All(type=one("Creature"), name=new if case.new else old)
    board = Pair(
        creature(2, 2, name=old),
        permanent("Alias", SetName(new)),
        permanent("Feast", Modify(1, 1), affects=wanted),
        case.deal,
    ).board()
    looks = looks_at_end(play, entered_in(board, case.order), SIZE | {"name"}, ["bear"])
    because = "CR 612.8: it has only the name that was set (CR 613.1c: before layer 7 asks for it)"
    size = 3 if case.new else 2
    expect(looks, "bear", because, name=new, power=size, toughness=size)


OPERATIONS: tuple[Property[Any], ...] = (
    without_effects_everything_is_as_printed,
    what_is_set_replaces_what_was,
    creature_types_that_are_set_leave_all_others,
    a_basic_land_type_takes_the_lands_own_abilities,
    what_it_cannot_have_it_never_gains,
    losing_all_abilities_leaves_none,
    what_is_asked_for_by_name_has_that_name_now,
)
