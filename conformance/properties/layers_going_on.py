"""Laws of effects that have begun (CR 613.6, 611.2c): they go on, with those that they began with."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.properties.law import PlayFunction, Property, holds_for
from conformance.properties.seeing import SIZE, expect, looks_at_end
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
    with_spell,
)
from conformance.strategies.cards import (
    CREATURES,
    DRAWN_CREATURE_TYPES,
    color,
    creature,
    creatures_of,
    instant,
    one,
    permanent,
    sizes,
    small,
    two_of,
    word,
)
from conformance.strategies.draws import composite
from conformance.strategies.means import Means
from reference_engine.language.cards import (
    All,
    Base,
    Card,
    Gain,
    Keyword,
    LoseAllAbilities,
    Modify,
    Operation,
    Part,
    SetColors,
    SetCreatureTypes,
    Static,
)
from reference_engine.language.words import COLORS


class TakenCreature(NamedTuple):
    """A creature that works on all creatures in an earlier layer and a later one, and one that is taken."""

    color: Any
    size: int
    order: tuple[int, ...]
    deal: Deal


taken = st.builds(TakenCreature, color, st.integers(1, 3), st.sampled_from((OLDER, NEWER)), deals)


@holds_for(of_invented(taken), rules=("613.6",), needs=("colours", "anthems", "abilities"))
def what_has_begun_goes_on(play: PlayFunction, case: TakenCreature) -> None:
    """An effect that began before its ability was removed is applied in all its layers; one that had not
    begun is never applied.
    """
    begun = Static((Part(CREATURES, (SetColors(one(case.color)), Modify(case.size, case.size))),))
    not_begun = Static((Part(CREATURES, (Modify(case.size, case.size),)),))
    silence = permanent("Silence", LoseAllAbilities())
    for ability, more in ((begun, case.size), (not_begun, 0)):
        lord = replace(creature(2, 2, abilities=(ability,)), name="Test Lord")
        board = board_with(("bear", creature(1, 1)), ("lord", lord), ("silence", silence), deal=case.deal)
        because = (
            "CR 613.6: it began in layer 5, so it is applied in layer 7 as well"
            if more
            else "CR 613.6: its ability was gone before it could begin"
        )
        looks = looks_at_end(play, entered_in(board, case.order), SIZE, ["bear"])
        expect(looks, "bear", because, power=1 + more, toughness=1 + more)


@composite
def outgrown(draw: DrawFn, means: Means) -> tuple[Static, Card, dict[str, Any], Deal]:
    """An effect that makes those it affects such as it is not about, and does more to them later."""
    (old, new), (a, b), more = draw(two_of(COLORS)), draw(two_of(DRAWN_CREATURE_TYPES)), draw(small)
    size = (more + 1, more)
    grown = {"power": 2 + size[0], "toughness": 2 + size[1]}
    dyes = Static((Part(All(type=one("Creature"), color=one(old)), (SetColors(one(new)), Modify(*size))),))
    tames = Static((Part(creatures_of(a), (SetCreatureTypes(one(b)), Modify(*size))),))
    rows: tuple[tuple[tuple[str, ...], tuple[Static, Card, dict[str, Any]]], ...] = (
        (("colours",), (dyes, replace(creature(2, 2), colors=one(old)), {"colors": one(new)})),
        (("types",), (tames, creature(2, 2, a), {"subtypes": one(b)})),
    )
    ability, bear, shows = draw(fitting(means, *rows))
    return ability, bear, {**shows, **grown}, draw(deals)


@holds_for(by_means(outgrown, ("colours",), ("types",)), rules=("613.6",), needs=("anthems",))
def an_effect_keeps_whom_it_began_with(
    play: PlayFunction, case: tuple[Static, Card, dict[str, Any], Deal]
) -> None:
    """In later layers an effect applies to the objects that it affected in its first, even if they no longer
    match its description.
    """
    ability, bear, shows, deal = case
    source = replace(permanent("Outgrowth"), abilities=(ability,))
    board = board_with(("bear", bear), ("source", source), deal=deal)
    because = "CR 613.6: whom it affects is settled in the first layer in which it works"
    expect(looks_at_end(play, board, frozenset(shows), ["bear"]), "bear", because, **shows)


@composite
def latecomers(draw: DrawFn, means: Means) -> tuple[Operation, dict[str, Any], dict[str, Any], Deal]:
    """What a spell does to all creatures, how that shows, and how the creature looks without."""
    (power, toughness), given, new = draw(sizes), draw(word), draw(color)
    rows: tuple[tuple[tuple[str, ...], tuple[Operation, dict[str, Any], dict[str, Any]]], ...] = (
        (("set power and toughness",), (Base(power + 2, toughness), {"power": power + 2}, {"power": 2})),
        (
            ("abilities",),
            (Gain((Keyword(given),)), {"keywords": one(given)}, {"keywords": frozenset()}),
        ),
        (("colours",), (SetColors(one(new)), {"colors": one(new)}, {"colors": frozenset()})),
    )
    operation, shows, without = draw(fitting(means, *rows))
    return operation, shows, without, draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")))))


@holds_for(
    by_means(latecomers, ("set power and toughness",), ("abilities",), ("colours",)),
    rules=("611.2c",),
    needs=("casting",),
)
def what_resolved_affects_only_what_was_there(
    play: PlayFunction, case: tuple[Operation, dict[str, Any], dict[str, Any], Deal]
) -> None:
    """The effect of a resolved spell does not affect objects that enter later."""
    operation, shows, without, deal = case
    spell = instant("Spell", operation, affects=CREATURES)
    late = replace(creature(2, 2), name="Test Latecomer")
    board = with_spell(board_with(("bear", creature(2, 2)), deal=deal), "spell", spell)
    looks = looks_at_end(play, with_spell(board, "late", late), frozenset(shows), ["bear", "late"])
    because = "CR 611.2c: whom a resolved effect affects is settled as it begins"
    expect(looks, "bear", because, **shows)
    expect(looks, "late", because, **without)


GOING_ON: tuple[Property[Any], ...] = (
    what_has_begun_goes_on,
    an_effect_keeps_whom_it_began_with,
    what_resolved_affects_only_what_was_there,
)
