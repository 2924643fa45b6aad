"""Laws of how many creatures block or are blocked, and of combat that effects change (CR 506, 508–510)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.games_combat import WALL, attacking, battle
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, law, law_of, sort
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import BEAR, CREATURE, YOUR_CREATURES, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent
from reference_engine.language.actions import (
    Advance,
    Assign,
    Assignment,
    Attack,
    Attacker,
    Block,
    Blocker,
    CastAction,
    Pass,
    Share,
)
from reference_engine.language.cards import (
    AsThoughNoDefender,
    BlockedBy,
    BlocksMore,
    Cannot,
    Comparison,
    DamageByToughness,
    Filter,
    Part,
    PropertyOf,
    RemoveFromCombat,
    Static,
    This,
)


@sort("combat", "steps", sizes=(2,))
def blockers_of_one(draw: DrawFn, there: Round) -> Tale:
    """A creature that can be blocked only by so many creatures, and several that would block it."""
    player, enemy = there.players
    least, most = draw(st.sampled_from(((2, None), (3, None), (1, 1), (1, 2))))
    giant = creature("Giant", 9, 9, Static((Part(This(), (BlockedBy(least, most),)),)))
    lie = [Permanent("giant", giant, player), Permanent("ogre", BEAR, player)]
    lie += [Permanent(f"post{n}", BEAR, enemy) for n in range(3)]
    tale = battle(there, lie)
    tale.do(attacking(there, "giant", "ogre"), Pass("everyone"))
    number, what = draw(st.integers(1, 3)), draw(st.sampled_from(("giant", "ogre")))
    fine = what == "ogre" or (number >= least and (most is None or number <= most))
    because = "CR 509.1b: an effect says how many creatures may block it, and says nothing about others"
    block = Block(tuple(Blocker(f"post{n}", (what,)) for n in range(number)), enemy)
    tale.attempt(block, "done" if fine else "rejected", because)
    for n in range(number):
        tale.see(f"post{n}", "blocking", (what,) if fine else (), because)
    return tale


@sort("combat", "steps", sizes=(2,))
def blocked_by_one(draw: DrawFn, there: Round) -> Tale:
    """A creature that can block additional creatures blocks one, two or three of them."""
    player, enemy = there.players
    more: tuple[int | None, ...] = draw(st.sampled_from(((1,), (2,), (None,), (1, 1), ())))
    bastion = creature("Bastion", 0, 9, *(Static((Part(This(), (BlocksMore(n),)),)) for n in more))
    lie = [Permanent(f"bear{n}", BEAR, player) for n in range(3)] + [Permanent("bastion", bastion, enemy)]
    tale = battle(there, lie)
    ids = [f"bear{n}" for n in range(3)]
    tale.do(attacking(there, *ids), Pass("everyone"))
    number = draw(st.integers(1, 3))
    fine = None in more or number <= 1 + sum(n or 0 for n in more)
    because = "CR 509.1a: a creature blocks one attacker, and as many more as effects say"
    blocked = tuple(ids[:number])
    block = Block((Blocker("bastion", blocked),), enemy)
    tale.attempt(block, "done" if fine else "rejected", because)
    if fine:
        tale.see("bastion", "blocking", blocked, because)
        tale.do(Advance("postcombat main"))
        because = "CR 509.1h: all of them are blocked, and the others are not"
        tale.see(enemy, "life", 20 - 2 * (3 - number), because)
    return tale


@sort("combat", "steps", sizes=(2,))
def too_weak_to_block(draw: DrawFn, there: Round) -> Tale:
    """Creatures with less power than an attacker can't block it."""
    player, enemy = there.players
    mine, theirs = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    weaker = Filter(power=Comparison("<", PropertyOf("power", This())))
    wolf = creature("Wolf", mine, 5, Static((Part(This(), (Cannot(frozenset({"be blocked"}), weaker),)),)))
    lie = [Permanent("wolf", wolf, player), Permanent("ogre", BEAR, player)]
    tale = battle(there, [*lie, Permanent("post", creature("Post", theirs, 5), enemy)])
    tale.do(attacking(there, "wolf", "ogre"), Pass("everyone"))
    what = draw(st.sampled_from(("wolf", "wolf", "ogre")))
    fine = theirs >= mine or what == "ogre"
    because = "CR 509.1b: an effect says that creatures with less power than its source can't block it"
    tale.attempt(Block((Blocker("post", (what,)),), enemy), "done" if fine else "rejected", because)
    tale.see("post", "blocking", (what,) if fine else (), because)
    return tale


@sort("combat", "steps", sizes=(2,))
def divided_by_a_blocker(draw: DrawFn, there: Round) -> Tale:
    """A creature that blocks two attackers divides its damage between them."""
    player, enemy = there.players
    power, first = draw(st.integers(2, 4)), draw(st.integers(0, 2))
    bastion = creature("Bastion", power, 9, Static((Part(This(), (BlocksMore(1),)),)))
    lie = [Permanent(f"wall{n}", creature("Wall", 1, 9), player) for n in range(2)]
    tale = battle(there, [*lie, Permanent("bastion", bastion, enemy)])
    tale.do(attacking(there, "wall0", "wall1"), Pass("everyone"))
    tale.do(Block((Blocker("bastion", ("wall0", "wall1")),), enemy), Pass("everyone"))
    shares = (first, power - first)
    given = tuple(Share(f"wall{n}", share) for n, share in enumerate(shares) if share)
    tale.do(Assign((Assignment("bastion", given),), enemy))
    for n, share in enumerate(shares):
        because = "CR 510.1d: a blocker divides its damage among what it blocks as its controller chooses"
        tale.see(f"wall{n}", "damage", share, because)
    tale.see("bastion", "damage", 2, "CR 510.1c: each of the two deals its damage to it")
    return tale


@law_of(
    blockers_of_one,
    blocked_by_one,
    too_weak_to_block,
    divided_by_a_blocker,
    rules=("509.1a", "509.1b", "509.1h", "510.1d"),
    needs=("combat", "steps"),
)
def as_many_block_as_may() -> None:
    """As many creatures block a creature as effects allow, a creature blocks as many attackers as it may, and
    divides its damage among them.
    """


@law(rules=("609.4", "702.3b"), needs=("combat", "steps"))
def defenders_attack_if_an_effect_lets_them(draw: DrawFn, there: Round) -> Tale:
    """A creature with defender attacks if an effect of its controller lets it, and otherwise not.

    Somebody has an enchantment about their own creatures.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    frees = permanent("Frees", Static((Part(YOUR_CREATURES, (AsThoughNoDefender(),)),)))
    tale = battle(there, [Permanent("wall", WALL, player), Permanent("frees", frees, owner)])
    because = "CR 609.4: it attacks as though it didn't have defender, if the effect is about it"
    freed = owner == player
    tale.attempt(attacking(there, "wall"), "done" if freed else "rejected", because)
    tale.see("wall", "attacking", there.players[1] if freed else None, because)
    tale.see("wall", "keywords", ("defender",), "CR 609.4: it still has defender")
    return tale


@law(rules=("506.4",), needs=("combat", "steps", "casting", "targets"), sizes=(2,))
def what_an_effect_removes_fights_no_more(draw: DrawFn, there: Round) -> Tale:
    """A creature that an effect removes from combat deals and is dealt no combat damage.

    The attacker or its blocker is removed from combat.
    """
    player, enemy = there.players
    cloak = spell("Cloak", RemoveFromCombat(TARGET), targets=(CREATURE,))
    lie = [
        Permanent("ogre", creature("Ogre", 2, 5), player),
        Permanent("post", creature("Post", 1, 5), enemy),
    ]
    tale = battle(there, lie, {player: [HeldCard("cloak", cloak)]})
    tale.do(Attack((Attacker("ogre", enemy),), player), Pass("everyone"))
    tale.do(Block((Blocker("post", ("ogre",)),), enemy))
    who = draw(st.sampled_from(("ogre", "post", None)))
    if who is not None:
        tale.do(CastAction("cloak", player, targets=((who,),)), Pass("everyone"))
    tale.do(Advance("postcombat main"))
    because = "CR 506.4: what was removed from combat deals and is dealt no combat damage"
    tale.see("ogre", "damage", 1 if who is None else 0, because)
    tale.see("post", "damage", 2 if who is None else 0, because)
    tale.see(enemy, "life", 20, "CR 509.1h: the attacker stays blocked, if it is still there")
    return tale


@law(rules=("510.1a",), needs=("combat", "steps"))
def toughness_counts_where_an_effect_says_so(draw: DrawFn, there: Round) -> Tale:
    """A creature assigns combat damage equal to its toughness if an effect says so, and otherwise its power.

    Somebody has an enchantment about their own creatures.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    power, toughness = draw(st.integers(0, 3)), draw(st.integers(1, 4))
    doran = permanent("Tree", Static((Part(YOUR_CREATURES, (DamageByToughness(),)),)))
    lie = [Permanent("snail", creature("Snail", power, toughness), player), Permanent("tree", doran, owner)]
    tale = battle(there, lie)
    tale.do(attacking(there, "snail"), Advance("postcombat main"))
    because = "CR 510.1a: as much damage as its power, or its toughness if an effect about it says so"
    enemy = there.players[1]
    tale.see(enemy, "life", 20 - (toughness if owner == player else power), because)
    return tale


BLOCKING: tuple[Property[Any], ...] = (
    as_many_block_as_may,
    defenders_attack_if_an_effect_lets_them,
    what_an_effect_removes_fights_no_more,
    toughness_counts_where_an_effect_says_so,
)
