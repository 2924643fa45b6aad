"""Laws of Sagas (CR 714): chapter by chapter, and no further."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.model.scenario import SeenCounters
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Advance, CastAction, ChooseAction, Pass, Resolve
from reference_engine.language.cards import (
    All,
    Card,
    Chapter,
    Counters,
    GainLife,
    LoseAllAbilities,
    Part,
    PutCounters,
    Static,
    TargetSpec,
    Triggered,
)
from reference_engine.language.words import roman

ENCHANTMENTS = All(type=frozenset({"Enchantment"}))
SILENCE = permanent("Silence", Static((Part(ENCHANTMENTS, (LoseAllAbilities(),)),)), type="Artifact")


def saga(last: int) -> Card:
    """A Saga with this many chapters; the first gains 1 life, the second 10, the third 100."""
    return permanent("Saga", *(chapter(n) for n in range(1, last + 1)), subtypes=("Saga",))


def chapter(n: int) -> Triggered:
    """A chapter that gains life."""
    return Triggered(Chapter(n), (GainLife(10 ** (n - 1)),), name=f"chapter {roman(n)}")


def bookmark(n: int) -> Card:
    """A spell that puts lore counters on an enchantment."""
    return spell("Bookmark", PutCounters((Counters("lore", n),), TARGET), targets=(TargetSpec(ENCHANTMENTS),))


def life_after_chapters(n: int) -> int:
    """The life total, from 20, after this many chapters."""
    return 20 + int("1" * n or "0")


def lore(n: int) -> tuple[SeenCounters, ...]:
    """This many lore counters."""
    return (SeenCounters("lore", n),) if n else ()


@law(rules=("714.3a", "714.3c", "714.2b", "714.4"), needs=("sagas", "casting", "steps", "triggers"))
def a_saga_tells_a_chapter_each_turn(draw: DrawFn, there: Round) -> Tale:
    """A Saga enters with a lore counter and gets another in each of its controller's precombat main phases;
    each counter triggers its chapter, and the Saga is sacrificed when its last chapter has left the stack.

    A Saga of one to three chapters, cast and followed through some turns.
    """
    last, player = draw(st.integers(1, 3)), there.players[0]
    tale = Tale(
        table(held_by(there, {player: [HeldCard("saga", saga(last))]}, library=4), (), there.sides[0])
    )
    tale.do(CastAction("saga", player), Resolve("saga"))
    for n in range(1, draw(st.integers(1, last)) + 1):
        if n > 1:
            tale.do(*(Advance("precombat main", side) for side in (*there.sides[1:], there.sides[0])))
        tale.see("saga", "counters", lore(n), "CR 714.3a, 714.3c: a lore counter as it enters, and each turn")
        because = "CR 714.2b: putting the counter on it triggers the chapter with that number"
        tale.see("table", "stack", (f"chapter {roman(n)} of saga",), because)
        tale.see("saga", "zone", "battlefield", "CR 714.4: a chapter of it has not left the stack")
        tale.do(Pass("everyone"))
        tale.see(player, "life", life_after_chapters(n), "CR 714.2b: each chapter happens once")
        because = "CR 714.4: it is sacrificed with the counters of its last chapter, and not before"
        tale.see("saga", "zone", "graveyard" if n == last else "battlefield", because)
    return tale


@law(
    rules=("714.2b", "714.4"),
    needs=("sagas", "casting", "steps", "triggers", "targets", "counters", "choices"),
)
def lore_counters_trigger_each_chapter_they_reach(draw: DrawFn, there: Round) -> Tale:
    """Several lore counters at once trigger every chapter whose number they reach or pass, and none that was
    reached before.

    A Saga with one lore counter, and a spell that puts some more on it.
    """
    last, more = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    player = there.players[0]
    seats = held_by(there, {player: [HeldCard("bookmark", bookmark(more))]})
    tale = Tale(table(seats, [Permanent("saga", saga(last), player)], there.sides[0]))
    reached = [f"chapter {roman(n)} of saga" for n in range(2, min(1 + more, last) + 1)]
    if len(reached) > 1:
        tale.do(ChooseAction("order", player, tuple(reached)))
    tale.do(CastAction("bookmark", player, targets=(("saga",),)), Resolve("bookmark"))
    because = "CR 714.2b: there were fewer lore counters than the number, and now there are at least as many"
    tale.see("table", "stack", tuple(reached), because)
    tale.do(*(Pass("everyone") for _ in reached))
    tale.see(player, "life", life_after_chapters(min(1 + more, last)) - 1, because)
    ended = 1 + more >= last
    because = "CR 714.4: as many lore counters as its last chapter's number, or more, end it"
    tale.see("saga", "zone", "graveyard" if ended else "battlefield", because)
    return tale


@law(
    rules=("714.4", "714.3c", "714.3a"),
    needs=("sagas", "casting", "steps", "triggers", "targets", "counters", "abilities"),
)
def a_saga_without_chapters_stands_still(draw: DrawFn, there: Round) -> Tale:
    """A Saga that has lost its chapters gets no lore counters from turn to turn, and none ends it.

    A Saga that is silenced before or after it enters, lore counters put on it by a spell, and some turns.

    A Saga that enters without abilities gets no counter either.
    """
    turns, more, before = draw(st.integers(1, 2)), draw(st.integers(0, 3)), draw(st.booleans())
    player = there.players[0]
    hand = [HeldCard("bookmark", bookmark(max(more, 1))), HeldCard("silence", SILENCE)]
    lie = [Permanent("saga", saga(2), player)]
    if before:
        hand, lie = [*hand, HeldCard("saga", saga(2))], []
    tale = Tale(table(held_by(there, {player: hand}, library=4), lie, there.sides[0]))
    tale.do(CastAction("silence", player), Resolve("silence"))
    if before:
        tale.do(CastAction("saga", player), Resolve("saga"))
    n = 0 if before else 1
    if more:
        tale.do(CastAction("bookmark", player, targets=(("saga",),)), Resolve("bookmark"))
        n += more
    tale.see(
        "saga", "counters", lore(n), "CR 714.3a: an ability of the Saga puts its first lore counter on it"
    )
    for _ in range(turns):
        tale.see("saga", "zone", "battlefield", "CR 714.4: only a Saga with a chapter is sacrificed")
        tale.see("table", "stack", (), "CR 714.2b: it has no chapter that could trigger")
        tale.do(*(Advance("precombat main", side) for side in (*there.sides[1:], there.sides[0])))
    tale.see("saga", "counters", lore(n), "CR 714.3c: only a Saga with a chapter gets a counter each turn")
    return tale


SAGAS: tuple[Property[Any], ...] = (
    a_saga_tells_a_chapter_each_turn,
    lore_counters_trigger_each_chapter_they_reach,
    a_saga_without_chapters_stands_still,
)
