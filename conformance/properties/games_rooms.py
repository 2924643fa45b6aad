"""Laws of Rooms (CR 709.5): halves that count while they are unlocked."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.model.scenario import InAnyOrder
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import BEAR, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    CastAction,
    ChooseAction,
    Pass,
    Pay,
    PayStep,
    Settle,
    UnlockAction,
)
from reference_engine.language.cards import (
    All,
    AsEnters,
    Card,
    CopyAsEnters,
    CopySpell,
    FullyUnlocks,
    GainLife,
    LockDoor,
    Modify,
    Part,
    Put,
    Static,
    TargetSpec,
    Triggered,
    UnlockDoor,
    UnlocksThisDoor,
    You,
)

ENCHANTMENTS = All(type=frozenset({"Enchantment"}))
YOURS = All(type=frozenset({"Creature"}), controller=You())
NAMES = ("Test Attic", "Test Cellar")
WHOLE = " // ".join(NAMES)
LIFE = (1, 10)
SWAMP = Card("Swamp", frozenset({"Land"}), supertypes=frozenset({"Basic"}), subtypes=frozenset({"Swamp"}))


def room(costs: tuple[int, int], heard: tuple[int, ...] = (0, 1)) -> Card:
    """A Room whose halves cost that much and help creatures, and of which these gain life when unlocked."""
    halves = tuple(
        Card(
            name,
            frozenset({"Enchantment"}),
            f"{{{cost}}}",
            subtypes=frozenset({"Room"}),
            abilities=(
                *([Triggered(UnlocksThisDoor(), (GainLife(life),))] if power ^ 1 in heard else []),
                Static((Part(YOURS, (Modify(power, 1 - power),)),)),
            ),
        )
        for name, cost, life, power in zip(NAMES, costs, LIFE, (1, 0), strict=True)
    )
    return Card(WHOLE, frozenset({"Enchantment"}), None, halves=halves)


def see_open(tale: Tale, id: str, player: str, costs: tuple[int, int], opened: list[int], why: str) -> None:
    """Look at a Room with these halves unlocked, and at a creature of its controller."""
    tale.see(id, "name", " // ".join(NAMES[n] for n in sorted(opened)) or None, why)
    tale.see(id, "mana_value", sum(costs[n] for n in opened), why)
    tale.see(id, "types", InAnyOrder(("Enchantment",)), "CR 709.5a: both halves share the type line")
    tale.see(f"{player}_bear", "power", 2 + (0 in opened), why)
    tale.see(f"{player}_bear", "toughness", 2 + (1 in opened), why)


@law(
    rules=("709.5", "709.5a", "709.5c", "709.5d", "709.5h"),
    needs=("rooms", "casting", "steps", "triggers", "anthems", "special actions"),
)
def a_room_is_its_unlocked_halves(draw: DrawFn, there: Round) -> Tale:
    """A Room has the name, mana cost and rules text of the half that was cast, and of the other once it is
    unlocked; each half triggers as it is unlocked.

    Either half is cast, and the other is unlocked afterward or not. It does not check copies.
    """
    player, costs = there.players[0], draw(st.tuples(st.integers(0, 3), st.integers(0, 3)))
    cast, opens, heard = (
        draw(st.integers(0, 1)),
        draw(st.booleans()),
        draw(st.sampled_from(((0, 1), (0,), (1,), ()))),
    )
    hand = [HeldCard("room", room(costs, heard))]
    lie = [Permanent(f"{player}_bear", BEAR, player)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(CastAction("room", player, face=NAMES[cast]), Settle())
    see_open(tale, "room", player, costs, [cast], "CR 709.5d: the half that was cast, and no other")
    life = 20 + LIFE[cast] * (cast in heard)
    tale.see(player, "life", life, "CR 709.5h: unlocking that half triggers as the Room enters")
    if opens:
        tale.do(UnlockAction("room", player), Settle())
        see_open(tale, "room", player, costs, [0, 1], "CR 709.5c: both halves are unlocked")
        life = 20 + sum(LIFE[half] for half in heard)
        tale.see(player, "life", life, "CR 709.5h: the ability of the half unlocked now triggers")
    return tale


@law(
    rules=("709.5b", "709.5d"),
    needs=("rooms", "casting", "steps", "triggers", "targets", "copies", "anthems", "special actions"),
)
def a_room_that_was_not_cast_is_locked(draw: DrawFn, there: Round) -> Tale:
    """A Room that is put onto the battlefield, or that something enters as a copy of, has two locked halves.

    One half of the other Room is unlocked or none is, and then any half of the new one.
    """
    player, costs = there.players[0], draw(st.tuples(st.integers(0, 3), st.integers(0, 3)))
    copies, opened = draw(st.booleans()), draw(st.integers(0, 1))
    mimic = permanent("Mimic", AsEnters(copy=CopyAsEnters(ENCHANTMENTS)))
    back = spell("Return", Put(TARGET, "battlefield"), targets=(TargetSpec(what=IN_GRAVEYARD),))
    hand = [HeldCard("mimic", mimic)] if copies else [HeldCard("back", back)]
    seats = tuple(
        seat._replace(graveyard=(HeldCard("buried", room(costs)),))
        if seat.id == player and not copies
        else seat
        for seat in held_by(there, {player: hand})
    )
    lie = [Permanent(f"{player}_bear", BEAR, player)]
    if copies:
        lie.append(Permanent("model", room(costs), there.players[1]))
    tale = Tale(table(seats, lie, there.sides[0]))
    new = "mimic" if copies else "buried"
    tale.do(CastAction("mimic", player) if copies else CastAction("back", player, targets=(("buried",),)))
    tale.do(Settle())
    see_open(tale, new, player, costs, [], "CR 709.5d: neither half was cast, so neither is unlocked")
    tale.do(UnlockAction(new, player, NAMES[opened]), Settle())
    because = "CR 709.5b: it has both halves, of which one is unlocked now"
    see_open(tale, new, player, costs, [opened], because)
    tale.see(player, "life", 20 + LIFE[opened], "CR 709.5h: the ability of the half unlocked now triggers")
    return tale


@law(
    rules=("709.5d", "608.3f"),
    needs=("rooms", "casting", "steps", "targets", "copies", "anthems", "special actions"),
)
def the_copy_of_a_room_spell_is_locked(draw: DrawFn, there: Round) -> Tale:
    """The copy of a spell that is half of a Room was not cast, so that both of its halves are locked.

    Either half is cast, and copied or not.
    """
    player, cast, copies = there.players[0], draw(st.integers(0, 1)), draw(st.booleans())
    echo = spell("Echo", CopySpell(TARGET), targets=(TargetSpec(what=All(zones=frozenset({"stack"}))),))
    hand = [HeldCard("room", room((1, 2), heard=())), HeldCard("echo", echo)]
    lie = [Permanent(f"{player}_bear", BEAR, player)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(CastAction("room", player, face=NAMES[cast]))
    if copies:
        tale.do(CastAction("echo", player, targets=(("room",),)))
    tale.do(Settle())
    because = "CR 709.5d: the half that was cast is unlocked; no half of the copy was cast"
    see_open(tale, "room", player, (1, 2), [cast], because)
    return tale


IN_GRAVEYARD = All(type=frozenset({"Enchantment"}), zones=frozenset({"graveyard"}), of=You())


@law(
    rules=("709.5e", "116.2m"),
    needs=("rooms", "casting", "special actions", "payments", "triggers", "steps", "anthems"),
)
def a_half_is_unlocked_for_its_mana_cost(draw: DrawFn, there: Round) -> Tale:
    """A locked half is unlocked by the controller of the Room for the mana cost of that half, when they could
    cast a sorcery.

    A player with as many lands as the half costs, or fewer; with a spell on the stack or none; on their own
    turn or not.
    """
    case = draw(st.sampled_from(("fine", "one land too few", "a spell on the stack", "another turn")))
    owner, cost = there.players[case == "another turn"], draw(st.integers(1, 3))
    lands = cost - (case == "one land too few")
    chant = spell("Chant", GainLife(1))
    lie = [Permanent("room", room((cost, 3)), owner)]
    lie += [Permanent(f"land{n}", SWAMP, owner) for n in range(lands)]
    tale = Tale(table(held_by(there, {there.players[0]: [HeldCard("chant", chant)]}), lie, there.sides[0]))
    if case == "a spell on the stack":
        tale.do(CastAction("chant", there.players[0]))
    if case == "another turn":
        tale.do(Pass(there.sides[0]))
    pay = Pay(tuple(PayStep(activate=f"land{n}") for n in range(lands)))
    fine = case == "fine"
    because = "CR 709.5e: for its mana cost, in a main phase of one's turn, with an empty stack"
    tale.attempt(UnlockAction("room", owner, NAMES[0], pay=pay), "done" if fine else "rejected", because)
    tale.see("room", "name", NAMES[0] if fine else None, because)
    return tale


@law(
    rules=("709.5f", "709.5g", "709.5i"),
    needs=("rooms", "casting", "steps", "triggers", "targets", "choices", "anthems", "special actions"),
)
def effects_turn_one_door(draw: DrawFn, there: Round) -> Tale:
    """An effect unlocks a locked half of a Room, or locks an unlocked one; fully unlocking it triggers.

    A Room with none to two unlocked halves.
    """
    player, costs = there.players[0], (1, 2)
    before = draw(st.lists(st.integers(0, 1), unique=True))
    unlocks = draw(st.booleans())
    others = [n for n in (0, 1) if (n in before) != unlocks]
    turned = draw(st.sampled_from(others)) if others else None
    target = (TargetSpec(what=All(subtype=frozenset({"Room"}))),)
    turn = spell("Turn", UnlockDoor(TARGET) if unlocks else LockDoor(TARGET), targets=target)
    eerie = permanent("Eerie", Triggered(FullyUnlocks(), (GainLife(1),)))
    lie = [
        Permanent(f"{player}_bear", BEAR, player),
        Permanent("eerie", eerie, player),
        Permanent("room", room(costs, heard=()), player),
    ]
    tale = Tale(table(held_by(there, {player: [HeldCard("turn", turn)]}), lie, there.sides[0]))
    for half in before:
        tale.do(UnlockAction("room", player, NAMES[half]), Settle())
    life = 20 + (len(before) == 2)
    tale.see(player, "life", life, "CR 709.5i: fully unlocking it triggers, and unlocking one half does not")
    if len(others) == 2 and turned is not None:
        tale.do(ChooseAction("name", player, (NAMES[turned],), "turn"))
    tale.do(CastAction("turn", player, targets=(("room",),)), Settle())
    after = [n for n in (0, 1) if (n in before) != (n == turned)]
    because = "CR 709.5f: a locked half is unlocked" if unlocks else "CR 709.5g: an unlocked half is locked"
    see_open(tale, "room", player, costs, after, because)
    life += unlocks and turned is not None and len(after) == 2
    tale.see(player, "life", life, "CR 709.5i: only the second of both designations makes it fully unlocked")
    return tale


ROOMS: tuple[Property[Any], ...] = (
    a_room_is_its_unlocked_halves,
    a_room_that_was_not_cast_is_locked,
    the_copy_of_a_room_spell_is_locked,
    a_half_is_unlocked_for_its_mana_cost,
    effects_turn_one_door,
)
"""The laws of this module, in the order in which they are listed."""
