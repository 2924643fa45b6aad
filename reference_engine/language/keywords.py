"""The abilities that keywords stand for (CR 702: keyword abilities), written in the language of cards.

Only keywords for activated or triggered abilities are here. Keywords that change a rule (flying, hexproof,
kicker, …) are checked where that rule is applied.
"""

from __future__ import annotations

import functools

from msgspec import Struct

from reference_engine.language.cards import (
    Activated,
    All,
    Attach,
    Beginning,
    Card,
    CastEvent,
    CopySpell,
    Counters,
    Dies,
    DiscardCost,
    Draw,
    Effect,
    Everyone,
    Exile,
    Filter,
    Gain,
    It,
    Keyword,
    Later,
    ManaCost,
    Matches,
    May,
    Modify,
    Not,
    OwnerOf,
    Put,
    Sacrifice,
    Static,
    TargetSpec,
    The,
    This,
    Triggered,
    X,
    You,
)
from reference_engine.language.characteristics import Characteristics, Held


class Lingering(Struct, frozen=True):
    """Marks a card with a static ability whose effect outlasts its object, among the types it mentions."""


class Linked(Struct, frozen=True):
    """Marks a card with linked abilities that refer to what they exiled or put somewhere, among the types
    it mentions.
    """


def abilities_of(look: Characteristics) -> tuple[Held, ...]:
    """An object's abilities, including those that its keywords stand for."""
    if not look.keywords:
        return look.abilities
    return look.abilities + spelled_out(look.keywords)


@functools.lru_cache(maxsize=1024)
def spelled_out(keywords: frozenset[Keyword]) -> tuple[Held, ...]:
    """The abilities that these keywords stand for, in a deterministic order."""
    found = (ability_of_keyword(keyword) for keyword in sorted(keywords, key=str))
    return tuple(held for held in found if held is not None)


@functools.cache
def ability_of_keyword(keyword: Keyword) -> Held | None:
    """The activated or triggered ability that a keyword stands for; `None` if it is neither."""
    ability: Activated | Triggered
    costs = (*((ManaCost(keyword.mana),) if keyword.mana is not None else ()), *keyword.costs)
    match keyword.keyword:
        case "persist":
            # CR 702.79a: when it dies, if it had no -1/-1 counters, it returns under its owner's control
            # with one.
            ability = returning(Counters("-1/-1"), "persist")
        case "undying":
            # CR 702.93a: when it dies, if it had no +1/+1 counters, it returns under its owner's control
            # with one.
            ability = returning(Counters("+1/+1"), "undying")
        case "prowess":
            # CR 702.108a: whenever you cast a noncreature spell, it gets +1/+1 until end of turn.
            ability = Triggered(
                when=CastEvent(Filter(without=(Filter(type=frozenset({"Creature"})),)), You()),
                effect=(Effect(This(), (Modify(1, 1),), "end of turn"),),
                name="prowess",
            )
        case "storm":
            # CR 702.40a: when you cast it, copy it for each spell cast before it this turn; you may choose
            # new targets.
            ability = Triggered(
                when=CastEvent(Filter(without=(Filter(other_than=This()),)), You()),
                effect=(CopySpell(It(), X()),),
                zones=frozenset({"stack"}),
                name="storm",
            )
        case "equip":
            # CR 702.6a: attach this to target creature you control; only as a sorcery.
            ability = Activated(
                cost=costs,
                effect=(Attach(This(), The("target")),),
                targets=(TargetSpec(what=All(type=frozenset({"Creature"}), controller=You())),),
                sorcery=True,
                name="equip",
            )
        case "cycling":
            # CR 702.29a: from hand, discard this card: draw a card.
            ability = Activated(
                cost=(*costs, DiscardCost(what=This())),
                effect=(Draw(1),),
                zones=frozenset({"hand"}),
                name="cycling",
            )
        case "echo":
            # CR 702.30a: at the beginning of your upkeep, if you gained control of it since your last upkeep,
            # sacrifice it or pay.
            ability = Triggered(
                when=Beginning("upkeep", You()),
                effect=(May((), cost=costs, otherwise=(Sacrifice(This()),)),),
                name="echo",
            )
        case "unearth":
            # CR 702.84a: return from the graveyard to the battlefield with haste, exiled at the next end
            # step; only as a sorcery. `zones` handles its other effect: it is exiled if it would leave the
            # battlefield.
            ability = Activated(
                cost=costs,
                effect=(
                    Put(This(), "battlefield"),
                    Effect(This(), (Gain((Keyword("haste"),)),)),
                    Later(Beginning("end", Everyone(), next=True), (Exile(This()),), name="unearth"),
                ),
                sorcery=True,
                zones=frozenset({"graveyard"}),
                name="unearth",
            )
        case _:
            return None
    return Held(ability, ("keyword", str(keyword)))


def returning(counter: Counters, name: str) -> Triggered:
    """When this dies without such a counter, it returns to the battlefield with one."""
    return Triggered(
        when=Dies(This()),
        cond=Not(Matches(It(), Filter(counter=counter.kind))),
        effect=(Put(It(), "battlefield", under=OwnerOf(It()), counters=(counter,)),),
        name=name,
    )


@functools.lru_cache(maxsize=4096)
def mentions(card: Card) -> frozenset[type]:
    """The types of the values that make up a card's abilities, including tokens and quoted abilities."""
    found: set[type] = set()
    collect(card.abilities, found)
    return frozenset(found)


def collect(value: object, found: set[type]) -> None:
    """Add the types of a value and of everything in it."""
    if isinstance(value, tuple | frozenset):
        for member in value:
            collect(member, found)
    elif isinstance(value, Struct):
        found.add(type(value))
        if isinstance(value, Static) and value.lingers is not None:
            found.add(Lingering)
        if isinstance(value, Filter) and value.put_by is not None:
            found.add(Linked)
        if isinstance(value, Keyword):
            held = ability_of_keyword(value)
            if held is not None:
                collect(held.ability, found)
        for name in value.__struct_fields__:
            collect(getattr(value, name), found)
