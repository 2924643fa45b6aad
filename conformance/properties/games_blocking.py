"""Laws of how many creatures block or are blocked, and of combat that effects change (CR 506, 508–510)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.games_combat import WALL, attacking, battle
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, law, law_of, sort
from conformance.strategies.cards import CREATURES, TARGET
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
    Card,
    Comparison,
    DamageByToughness,
    Filter,
    Must,
    Part,
    PropertyOf,
    RemoveFromCombat,
    Static,
    This,
    You,
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


# ------------------------------------------------------------------------------ how many together

FORBIDDEN_NUMBERS = (
    *(("=", 1), ("=", 2), (">", 1), (">", 2)),
    *(("<", 2), ("<", 3), ("even", 0), ("odd", 0)),
)
"""Numbers of creatures that can't attack or block together; one is alone."""


def is_such(number: int, how: str, n: int) -> bool:
    """Whether a number is one of those with which an effect forbids something."""
    if how in ("even", "odd"):
        return number % 2 == (how == "odd")
    return {"=": number == n, ">": number > n, "<": number < n}[how]


def not_together(do: Literal["attack", "block"], how: Any, n: int, you: bool = False) -> Cannot:
    """An effect that forbids this to such a number of creatures."""
    return Cannot(frozenset({do}), whom=You() if you else None, number=Comparison(how, n))


def seen_to_attack(tale: Tale, ids: Iterable[str], attack: Mapping[str, str], because: str) -> None:
    """Expect these of the creatures to attack, and the others to stay untapped."""
    for id in ids:
        tale.see(id, "attacking", attack.get(id), because)
        tale.see(id, "tapped", id in attack, "CR 508.1f: the creatures that are declared are tapped")


@sort("combat", "steps")
def attacking_together(draw: DrawFn, there: Round) -> Tale:
    """Some of four creatures attack, and an effect says how many can't, of one of them or of all."""
    player, enemy = there.players[:2]
    how, n = draw(st.sampled_from(FORBIDDEN_NUMBERS))
    forbids, about_all = not_together("attack", how, n), draw(st.booleans())
    own = () if about_all else (Static((Part(This(), (forbids,)),)),)
    ids = ["flunky", "bear0", "bear1", "bear2"]
    lie = [Permanent("flunky", creature("Flunky", 2, 2, *own), player)]
    lie += [Permanent(id, BEAR, player) for id in ids[1:]]
    if about_all:
        limit = permanent("Limit", Static((Part(CREATURES, (forbids,)),)))
        lie.append(Permanent("limit", limit, draw(st.sampled_from(there.players))))
    tale = battle(there, lie)
    attack = draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))
    fine = not is_such(len(attack), how, n) or not (about_all or "flunky" in attack)
    because = "CR 508.1c: a restriction on how many creatures attack is obeyed by the whole declaration"
    tale.attempt(attacking(there, *attack), "done" if fine else "rejected", because)
    seen_to_attack(tale, ids, dict.fromkeys(attack, enemy) if fine else {}, because)
    return tale


@sort("combat", "steps", "three players", "planeswalkers", sizes=(3,))
def attacking_one_together(draw: DrawFn, there: Round) -> Tale:
    """Creatures attack two players and a planeswalker, whose controller no more than a number can attack."""
    player, owner, other = there.players
    most = draw(st.integers(1, 2))
    limit = permanent("Limit", Static((Part(CREATURES, (not_together("attack", ">", most, you=True),)),)))
    sage = Card("Test Sage", frozenset({"Planeswalker"}), loyalty=5)
    ids = [f"bear{n}" for n in range(most + draw(st.integers(1, 2)))]
    lie = [Permanent(id, BEAR, player) for id in ids]
    tale = battle(there, [*lie, Permanent("limit", limit, owner), Permanent("sage", sage, owner)])
    because = "CR 508.1c: no more than such a number of creatures can attack this player"
    if draw(st.booleans()):
        tale.attempt(Attack(tuple(Attacker(id, owner) for id in ids), player), "rejected", because)
    elsewhere = {id: draw(st.sampled_from((other, "sage"))) for id in ids[most:]}
    because = "CR 802.3a: a restriction on attacking a player counts the creatures that attack this player"
    if other not in elsewhere.values():
        because = "CR 508.1b: what attacks a planeswalker does not attack the player"
    attack = dict.fromkeys(ids[:most], owner) | elsewhere
    tale.attempt(Attack(tuple(Attacker(*one) for one in attack.items()), player), "done", because)
    seen_to_attack(tale, attack, attack, because)
    return tale


class ObligedCreatures(NamedTuple):
    """Creatures that attack or block together, some because they have to."""

    lie: list[Permanent]
    """They, and what limits their number, if that is not said by those that have to."""
    ids: list[str]
    many: int
    """How many have to: the first of them."""
    most: int | None
    """How many can do it together; `None` if those that have to can't alone."""

    @property
    def obeyed(self) -> int:
        """How many requirements can be obeyed."""
        if self.most is not None:
            return min(self.most, self.many)
        return self.many if len(self.ids) > 1 else 0

    def is_legal(self, chosen: Sequence[str]) -> bool:
        """Whether no restriction forbids that these do it together."""
        if self.most is not None:
            return len(chosen) <= self.most
        return len(chosen) != 1 or chosen[0] not in self.ids[: self.many]

    def is_fine(self, chosen: Sequence[str]) -> bool:
        """Whether that is legal and obeys as many requirements as can be."""
        obeying = sum(id in self.ids[: self.many] for id in chosen)
        return self.is_legal(chosen) and obeying >= self.obeyed

    def good(self) -> list[str]:
        """A choice that obeys as many requirements as can be; who can't alone takes a companion along."""
        return self.ids[: self.obeyed + (self.obeyed == self.many == 1 and self.most is None)]


def obliged_creatures(
    draw: DrawFn, do: Literal["attack", "block"], who: str, owner: str, numbers: tuple[int, int]
) -> ObligedCreatures:
    """Some creatures of a player have to attack or block, and no more than a number can, or none of them can
    alone; at most so many have to, and so many are there besides.
    """
    most, many = draw(st.sampled_from((1, 2, None))), draw(st.integers(1, numbers[0]))
    forbids = not_together(do, ">", most) if most else not_together(do, "=", 1)
    must = Static((Part(This(), (Must(do), *((forbids,) if most is None else ()))),))
    lie = [Permanent(f"eager{i}", creature("Eager", 1, 1, must), who) for i in range(many)]
    lie += [Permanent(f"bear{i}", BEAR, who) for i in range(draw(st.integers(0, numbers[1])))]
    ids = [one.id for one in lie]
    if most is not None:
        lie.append(Permanent("limit", permanent("Limit", Static((Part(CREATURES, (forbids,)),))), owner))
    return ObligedCreatures(lie, ids, many, most)


@sort("combat", "steps")
def made_to_attack_together(draw: DrawFn, there: Round) -> Tale:
    """Some creatures have to attack, and no more than a number can, or none of them can attack alone."""
    player = there.players[0]
    creatures = obliged_creatures(draw, "attack", player, player, (3, 2))
    tale = battle(there, creatures.lie)
    attack = draw(st.lists(st.sampled_from(creatures.ids), unique=True))
    because = "CR 508.1d: as many requirements are obeyed as can be without breaking a restriction"
    if not creatures.is_legal(attack):
        because = "CR 508.1c: no requirement excuses what breaks a restriction"
    fine = creatures.is_fine(attack)
    tale.attempt(attacking(there, *attack), "done" if fine else "rejected", because)
    if not fine:
        because = "CR 508.1d: this obeys as many requirements as can be, and every restriction"
        attack = creatures.good()
        tale.attempt(attacking(there, *attack), "done", because)
    seen_to_attack(tale, creatures.ids, dict.fromkeys(attack, there.players[1]), because)
    return tale


def limited_blocks(
    draw: DrawFn, there: Round, forbidden: tuple[str, int], numbers: Sequence[int], because: Sequence[str]
) -> Tale:
    """Each defending player blocks with some number of creatures, which an effect may forbid."""
    player, *enemies = there.players
    how, n = forbidden
    limit = permanent("Limit", Static((Part(CREATURES, (not_together("block", how, n),)),)))
    lie = [Permanent("limit", limit, player)]
    lie += [Permanent(f"giant_{enemy}", creature("Giant", 3, 9), player) for enemy in enemies]
    lie += [Permanent(f"{enemy}{i}", BEAR, enemy) for enemy in enemies for i in range(3)]
    tale = battle(there, lie)
    tale.do(Attack(tuple(Attacker(f"giant_{enemy}", enemy) for enemy in enemies), player), Pass("everyone"))
    for enemy, why in zip(enemies, because, strict=True):
        number = draw(st.sampled_from(numbers))
        block = Block(tuple(Blocker(f"{enemy}{i}", (f"giant_{enemy}",)) for i in range(number)), enemy)
        fine = not is_such(number, how, n)
        tale.attempt(block, "done" if fine else "rejected", why)
        for i in range(3):
            tale.see(f"{enemy}{i}", "blocking", (f"giant_{enemy}",) if fine and i < number else (), why)
        if not fine:
            tale.do(Block((), enemy))
    return tale


WHOLE_BLOCK = "CR 509.1b: a restriction on how many creatures block is obeyed by all that are declared"


@sort("combat", "steps", sizes=(2,))
def blocking_together(draw: DrawFn, there: Round) -> Tale:
    """Some creatures block, and an effect says how many can't."""
    return limited_blocks(draw, there, draw(st.sampled_from(FORBIDDEN_NUMBERS)), (1, 2, 3), (WHOLE_BLOCK,))


@sort("combat", "steps", "three players", sizes=(3,))
def blocking_one_after_another(draw: DrawFn, there: Round) -> Tale:
    """Creatures of two players block, and an effect says how many can't."""
    forbidden = draw(st.sampled_from(((">", 1), (">", 2), ("=", 1))))
    because = (WHOLE_BLOCK, "CR 802.4b: what another player blocks with is ignored")
    return limited_blocks(draw, there, forbidden, (1, 2), because)


@sort("combat", "steps", sizes=(2,))
def made_to_block_together(draw: DrawFn, there: Round) -> Tale:
    """Some creatures have to block, and no more than a number can, or none of them can block alone."""
    player, enemy = there.players
    creatures = obliged_creatures(draw, "block", enemy, player, (2, 1))
    tale = battle(there, [*creatures.lie, Permanent("giant", creature("Giant", 3, 9), player)])
    tale.do(attacking(there, "giant"), Pass("everyone"))
    block = draw(st.lists(st.sampled_from(creatures.ids), unique=True))
    because = "CR 509.1c: as many requirements are obeyed as can be without breaking a restriction"
    if not creatures.is_legal(block):
        because = "CR 509.1b: no requirement excuses what breaks a restriction"
    fine = creatures.is_fine(block)
    declared = Block(tuple(Blocker(id, ("giant",)) for id in block), enemy)
    tale.attempt(declared, "done" if fine else "rejected", because)
    if not fine:
        because = "CR 509.1c: this obeys as many requirements as can be, and every restriction"
        block = creatures.good()
        tale.attempt(Block(tuple(Blocker(id, ("giant",)) for id in block), enemy), "done", because)
    for id in creatures.ids:
        tale.see(id, "blocking", ("giant",) if id in block else (), because)
    return tale


@law_of(
    attacking_together,
    attacking_one_together,
    made_to_attack_together,
    rules=("508.1c", "506.5", "508.1b", "508.1d", "802.3a"),
    needs=("combat", "steps"),
)
def creatures_attack_in_no_forbidden_number() -> None:
    """Creatures attack in no number that an effect forbids, and of those that have to, as many do as can.

    An effect is about one of the creatures or about all, and about the whole attack or what attacks one
    player.
    """


@law_of(
    blocking_together,
    blocking_one_after_another,
    made_to_block_together,
    rules=("509.1b", "506.5", "509.1c", "802.4b"),
    needs=("combat", "steps"),
)
def creatures_block_in_no_forbidden_number() -> None:
    """Creatures block in no number that an effect forbids, and of those that have to, as many do as can.

    Each of two defending players is asked for their own creatures.
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
    creatures_attack_in_no_forbidden_number,
    creatures_block_in_no_forbidden_number,
    defenders_attack_if_an_effect_lets_them,
    what_an_effect_removes_fights_no_more,
    toughness_counts_where_an_effect_says_so,
)
