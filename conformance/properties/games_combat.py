"""Laws of combat and damage (CR 120, 506–511): who may attack and block, and the results of damage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import CREATURES, TARGET
from conformance.strategies.decks import (
    ANY_TARGET,
    BEAR,
    CREATURE,
    HAWK,
    MURDER,
    PLAYER,
    creature,
    creature_with_keywords,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Activate,
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
    Activated,
    All,
    Cannot,
    Card,
    Damage,
    Effect,
    Everyone,
    Exists,
    Filter,
    Gain,
    GainControl,
    GainLife,
    Keyword,
    LoseTypes,
    Must,
    Opponents,
    Part,
    SetTypes,
    Static,
    TapThis,
    TargetSpec,
    This,
    You,
)
from reference_engine.language.words import CardType, Color

SPIDER = creature_with_keywords("Spider", 1, 2, "reach")
BRUTE = creature_with_keywords("Brute", 3, 3, "menace")
WALL = creature_with_keywords("Wall", 1, 4, "defender")
SENTRY = creature_with_keywords("Sentry", 2, 2, "vigilance")
ZEALOT = creature("Zealot", 1, 1, Static((Part(This(), (Must("attack"),)),)))
LURE = creature("Lure", 1, 1, Static((Part(This(), (Must("be blocked"),)),)))
EAGER = creature("Eager", 1, 1, Static((Part(This(), (Must("block"),)),)))
COWARD = creature("Coward", 2, 2, Static((Part(This(), (Cannot(frozenset({"block"})),)),)))
GHOST = creature("Ghost", 1, 1, Static((Part(This(), (Cannot(frozenset({"be blocked"})),)),)))
FLYING, VIGILANT = Filter(keyword=frozenset({"flying"})), Filter(keyword=frozenset({"vigilance"}))
DODGER = creature("Dodger", 1, 1, Static((Part(This(), (Cannot(frozenset({"be blocked"}), FLYING),)),)))
DOZER = creature("Dozer", 1, 3, Static((Part(This(), (Cannot(frozenset({"block"}), VIGILANT),)),)))
SHRINES = All(type=frozenset({"Enchantment"}), controller=You())
PILGRIM = creature(
    "Pilgrim", 2, 2, Static((Part(This(), (Cannot(frozenset({"block"}), unless=Exists(SHRINES)),)),))
)
FLIERS = All(type=frozenset({"Creature"}), keyword=frozenset({"flying"}))
TRUCE = permanent("Truce", Static((Part(FLIERS, (Cannot(frozenset({"attack"})),)),)))
PLANESWALKER = TargetSpec(what=All(type=frozenset({"Planeswalker"})))
GALE = permanent("Gale", Static((Part(FLIERS, (Must("attack"),)),)))


def battle(there: Round, lie: Sequence[Permanent], hands: dict[str, list[HeldCard]] | None = None) -> Tale:
    """A game in which attackers are to be declared next."""
    tale = Tale(table(held_by(there, hands or {}), lie, there.sides[0], "beginning of combat"))
    tale.do(Pass("everyone"))
    return tale


def attacking(there: Round, *ids: str) -> Attack:
    """The active player attacks the next one with these."""
    player, enemy = there.players[:2]
    return Attack(tuple(Attacker(id, enemy) for id in ids), player)


# ------------------------------------------------------------------------------------- attacking


@sort("combat", "steps")
def kept_from_attacking(draw: DrawFn, there: Round) -> Tale:
    """Creatures of which a keyword or an effect says that they can't attack."""
    player = there.players[0]
    who = draw(st.sampled_from(("wall", "hawk", "bear")))
    lie = [Permanent("wall", WALL, player), Permanent("hawk", HAWK, player), Permanent("bear", BEAR, player)]
    tale = battle(there, [*lie, Permanent("truce", TRUCE, draw(st.sampled_from(there.players)))])
    because = {
        "wall": "CR 702.3b: a creature with defender can't attack",
        "hawk": "CR 508.1c: an effect says that it can't attack",
        "bear": "CR 508.1c: nothing keeps this one from attacking",
    }
    if who != "bear":
        tale.attempt(attacking(there, who), "rejected", because[who])
    tale.attempt(attacking(there, "bear"), "done", because["bear"])
    return tale


@sort("combat", "steps")
def made_to_attack(draw: DrawFn, there: Round) -> Tale:
    """A creature that attacks if able, beside another."""
    player = there.players[0]
    tale = battle(there, [Permanent("zealot", ZEALOT, player), Permanent("bear", BEAR, player)])
    because = "CR 508.1d: a creature that attacks if able has to"
    if draw(st.booleans()):
        tale.attempt(attacking(there, "bear"), "rejected", because)
    who = draw(st.sampled_from((("zealot",), ("bear", "zealot"))))
    tale.attempt(attacking(there, *who), "done", because)
    return tale


@sort("combat", "steps", "abilities")
def driven_to_attack(draw: DrawFn, there: Round) -> Tale:
    """Whatever flies attacks if able, and a creature flies by an effect, or does not."""
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    flies = draw(st.sampled_from((True, False)))
    gift = Keyword("flying" if flies else "vigilance")
    wings = permanent("Wings", Static((Part(CREATURES, (Gain((gift,)),)),)))
    lie = [Permanent("gale", GALE, owner), Permanent("bear", BEAR, player), Permanent("wings", wings, owner)]
    tale = battle(there, list(draw(st.permutations(lie))))
    because = "CR 613.11: who must attack is asked when abilities are settled (CR 508.1d: it has to)"
    tale.attempt(attacking(there), "rejected" if flies else "done", because)
    if flies:
        tale.attempt(attacking(there, "bear"), "done", "CR 508.1c: nothing keeps it from attacking")
    return tale


@sort("combat", "steps")
def watchful(draw: DrawFn, there: Round) -> Tale:
    """A creature with vigilance and one without attack."""
    player = there.players[0]
    tale = battle(there, [Permanent("sentry", SENTRY, player), Permanent("bear", BEAR, player)])
    tale.do(attacking(there, *draw(st.sampled_from((("sentry", "bear"), ("bear", "sentry"))))))
    tale.see("sentry", "tapped", False, "CR 702.20b: attacking doesn't tap a creature with vigilance")
    tale.see("bear", "tapped", True, "CR 508.1f: attacking taps the others")
    return tale


@sort("combat", "steps")
def nobody_attacking(draw: DrawFn, there: Round) -> Tale:
    """Nobody attacks, though a creature might, or because there is none."""
    might = draw(st.booleans())
    tale = battle(there, [Permanent("bear", BEAR, there.players[0])] * might)
    if might:
        tale.do(attacking(there))
    tale.see("table", "step", "declare attackers", "CR 508.2: there is priority though nobody attacks")
    tale.see("table", "priority", there.sides[0], "CR 508.2: and the active player has it")
    tale.do(Pass("everyone"))
    tale.see("table", "step", "end of combat", "CR 508.8: without attackers there is nobody to block")
    return tale


@law_of(
    kept_from_attacking,
    made_to_attack,
    driven_to_attack,
    rules=("508.1c", "508.1d", "613.11", "702.3b"),
    needs=("combat", "steps"),
)
def what_can_attack_does_if_it_must() -> None:
    """A creature that can't attack does not, and one that must attack does if it can.

    It does not check attacks on planeswalkers.
    """


@law_of(watchful, nobody_attacking, rules=("508.1f", "508.2", "508.8", "702.20b"), needs=("combat", "steps"))
def attacking_taps_and_nobody_has_to() -> None:
    """Attacking taps creatures without vigilance; without attackers, players get priority and there is no
    damage step.

    It does not check damage.
    """


# -------------------------------------------------------------------------------------- blocking


@sort("combat", "steps", sizes=(2,))
def evading(draw: DrawFn, there: Round) -> Tale:
    """Creatures with flying and menace, and some that would block them."""
    player, enemy = there.players
    lie = [
        Permanent("hawk", HAWK, player),
        Permanent("brute", BRUTE, player),
        Permanent("ogre", BEAR, player),
    ]
    lie += [
        Permanent("bear", BEAR, enemy),
        Permanent("spider", SPIDER, enemy),
        Permanent("bird", HAWK, enemy),
    ]
    tale = battle(there, lie)
    what, wrong, right = draw(
        st.sampled_from(
            (
                ("hawk", ("bear",), ("spider",)),
                ("hawk", ("bear",), ("bird",)),
                ("brute", ("bear",), ("bear", "spider")),
                ("ogre", (), ("bird",)),
            )
        )
    )
    tale.do(attacking(there, what), Pass("everyone"))
    because = (
        "CR 702.111b: menace needs two blockers"
        if what == "brute"
        else "CR 509.1b: only flying and reach block flying, and nothing keeps them from blocking others"
    )
    first_wrong = draw(st.booleans())
    if wrong and first_wrong:
        tale.attempt(Block(tuple(Blocker(id, (what,)) for id in wrong), enemy), "rejected", because)
    tale.attempt(Block(tuple(Blocker(id, (what,)) for id in right), enemy), "done", because)
    return tale


@sort("combat", "steps", sizes=(2,))
def to_be_blocked(draw: DrawFn, there: Round) -> Tale:
    """A creature that must be blocked if able, beside another."""
    player, enemy = there.players
    lie = [Permanent("lure", LURE, player), Permanent("ogre", BEAR, player), Permanent("bear", BEAR, enemy)]
    tale = battle(there, lie)
    tale.do(attacking(there, "lure", "ogre"), Pass("everyone"))
    because = "CR 509.1c: what must be blocked if able is, before anything else"
    if draw(st.booleans()):
        tale.attempt(Block((Blocker("bear", ("ogre",)),), enemy), "rejected", because)
    tale.attempt(Block((Blocker("bear", ("lure",)),), enemy), "done", because)
    return tale


@sort("combat", "steps", sizes=(2,))
def kept_from_blocking(draw: DrawFn, there: Round) -> Tale:
    """Creatures of which an effect says that they can't block, or can't be blocked, at all or by some."""
    player, enemy = there.players
    whose = draw(st.sampled_from(there.players))
    lie = [Permanent("bear", BEAR, player), Permanent("sentry", SENTRY, player)]
    lie += [Permanent("ghost", GHOST, player), Permanent("dodger", DODGER, player)]
    lie += [Permanent("post", BEAR, enemy), Permanent("bird", HAWK, enemy)]
    lie += [Permanent("coward", COWARD, enemy), Permanent("dozer", DOZER, enemy)]
    lie += [Permanent("pilgrim", PILGRIM, enemy), Permanent("shrine", permanent("Shrine"), whose)]
    tale = battle(there, lie)
    tale.do(attacking(there, "bear", "sentry", "ghost", "dodger"), Pass("everyone"))
    blocker, attacker, allowed = draw(
        st.sampled_from(
            (
                ("coward", "bear", False),
                ("post", "bear", True),
                ("post", "ghost", False),
                ("bird", "dodger", False),
                ("post", "dodger", True),
                ("dozer", "sentry", False),
                ("dozer", "bear", True),
                ("pilgrim", "bear", whose == enemy),
            )
        )
    )
    because = (
        "CR 509.1b: what effects forbid here are other blocks"
        if allowed
        else "CR 509.1b: an effect says that it can't block this one"
    )
    block = Block((Blocker(blocker, (attacker,)),), enemy)
    tale.attempt(block, "done" if allowed else "rejected", because)
    if not allowed:
        tale.attempt(Block((), enemy), "done", "CR 509.1a: a player may block with nothing")
    return tale


@sort("combat", "steps", sizes=(2,))
def made_to_block(draw: DrawFn, there: Round) -> Tale:
    """A creature that blocks if able, beside another, and an attacker that it may be able to block."""
    player, enemy = there.players
    what = draw(st.sampled_from(("bear", "hawk")))
    lie = [Permanent("bear", BEAR, player), Permanent("hawk", HAWK, player)]
    lie += [Permanent("eager", EAGER, enemy), Permanent("spider", SPIDER, enemy)]
    tale = battle(there, lie)
    tale.do(attacking(there, what), Pass("everyone"))
    others = draw(st.sampled_from(((), (Blocker("spider", (what,)),))))
    if what == "bear":
        because = "CR 509.1c: it could block, and another blocker is none in its place"
        tale.attempt(Block(others, enemy), "rejected", because)
        others = (Blocker("eager", (what,)), *others)
    because = "CR 509.1c: every requirement that can be obeyed is obeyed"
    tale.attempt(Block(others, enemy), "done", because)
    return tale


@law(rules=("802.4",), needs=("combat", "steps", "three players"), sizes=(3,))
def players_block_in_turn_order(draw: DrawFn, there: Round) -> Tale:
    """If several players are attacked, they declare blockers in turn order.

    Two players are attacked, and both could block.
    """
    player, second, third = there.players
    lie = [Permanent("bear", BEAR, player), Permanent("ogre", BEAR, player)]
    lie += [Permanent("post", BEAR, second), Permanent("wall", BEAR, third)]
    tale = battle(there, lie)
    tale.do(Attack((Attacker("bear", second), Attacker("ogre", third)), player), Pass("everyone"))
    because = "CR 802.4: the next player in turn order blocks first"
    if draw(st.booleans()):
        tale.attempt(Block((Blocker("wall", ("ogre",)),), third), "rejected", because)
    tale.attempt(Block((Blocker("post", ("bear",)),), second), "done", because)
    return tale


@law_of(
    evading,
    kept_from_blocking,
    to_be_blocked,
    made_to_block,
    rules=("509.1b", "509.1c", "702.111b"),
    needs=("combat", "steps"),
)
def what_can_block_does_if_it_must() -> None:
    """A creature that can't block or be blocked does not and is not, and one that must block or be blocked
    does or is if possible.

    It does not check creatures that can block more than one attacker.
    """


@law(rules=("508.2", "509.1", "509.2"), needs=("combat", "steps"), sizes=(2, 3))
def the_active_player_acts_after_declarations(draw: DrawFn, there: Round) -> Tale:
    """After attackers and after blockers are declared, the active player has priority; nobody has it during a
    declaration.

    A creature attacks, and another one blocks it or does not.

    It does not check who has priority after a pass.
    """
    player, enemy = there.players[:2]
    tale = battle(there, [Permanent("bear", BEAR, player), Permanent("post", BEAR, enemy)])
    tale.do(attacking(there, "bear"))
    because = "CR 508.2: after attackers are declared the active player has priority"
    tale.see("table", "step", "declare attackers", because)
    tale.see("table", "priority", there.sides[0], because)
    tale.do(Pass("everyone"))
    because = "CR 509.1: the defending player declares blockers before anybody has priority"
    tale.see("table", "priority", None, because)
    blocks = draw(st.sampled_from(((Blocker("post", ("bear",)),), ())))
    tale.do(Block(blocks, enemy))
    because = "CR 509.2: after blockers are declared the active player has priority, not who declared them"
    tale.see("table", "step", "declare blockers", because)
    tale.see("table", "priority", there.sides[0], because)
    return tale


# -------------------------------------------------------------------------------- leaving combat


@law(rules=("506.4",), needs=("combat", "steps", "casting", "targets", "control", "types"), sizes=(2,))
def what_leaves_combat_deals_no_combat_damage(draw: DrawFn, there: Round) -> Tale:
    """An attacker that changes control or stops being a creature is removed from combat.

    An attacker that somebody takes, or that is no creature any more.
    """
    player, enemy = there.players
    taken = draw(st.booleans())
    does = (GainControl(),) if taken else (SetTypes(frozenset({"Artifact"})),)
    hush = spell("Change", Effect(TARGET, does, "end of turn"), targets=(CREATURE,))
    tale = battle(there, [Permanent("bear", BEAR, player)], {enemy: [HeldCard("change", hush)]})
    tale.do(attacking(there, "bear"))
    tale.see("bear", "attacking", enemy, "CR 508.1k: what was chosen as an attacker is attacking")
    tale.do(Pass(there.sides[0]), CastAction("change", enemy, targets=(("bear",),)), Pass("everyone"))
    because = (
        "CR 506.4: its controller has changed, so it is removed from combat"
        if taken
        else "CR 506.4: it is no creature any more, so it is removed from combat"
    )
    tale.see("bear", "attacking", None, because)
    tale.do(Advance("postcombat main"))
    tale.see(enemy, "life", 20, because)
    return tale


@law(rules=("508.8", "506.1", "506.4"), needs=("combat", "steps", "casting", "targets", "types"), sizes=(2,))
def combat_goes_on_without_its_attackers(draw: DrawFn, there: Round) -> Tale:
    """The steps for blockers and damage take place if a creature was declared as an attacker, even if none
    is left.

    Somebody destroys the only attacker, or it stops being a creature.
    """
    player, enemy = there.players
    becomes = spell("Change", Effect(TARGET, (SetTypes(frozenset({"Artifact"})),)), targets=(CREATURE,))
    end = draw(st.sampled_from((MURDER, becomes)))
    who = draw(st.sampled_from(there.players))
    lie = [Permanent("bear", BEAR, player), Permanent("post", BEAR, enemy)]
    tale = battle(there, lie, {who: [HeldCard("change", end)]})
    tale.do(attacking(there, "bear"))
    if who == enemy:
        tale.do(Pass(there.sides[0]))
    tale.do(CastAction("change", who, targets=(("bear",),)), Pass("everyone"), Pass("everyone"))
    because = "CR 508.8: a creature was declared as an attacker, so no step is skipped though it is gone"
    tale.see("table", "step", "declare blockers", because)
    tale.do(Pass("everyone"))
    tale.see("table", "step", "combat damage", because)
    return tale


@sort("combat", "steps", "casting", "targets", "planeswalkers", "control")
def taken_planeswalker(draw: DrawFn, there: Round) -> Tale:
    """A planeswalker is attacked, and its attacker's controller takes it."""
    player, enemy = there.players[:2]
    take = spell("Change", Effect(TARGET, (GainControl(),), "end of turn"), targets=(PLANESWALKER,))
    walker = Card("Test Walker", frozenset({"Planeswalker"}), "{0}", loyalty=draw(st.integers(3, 5)))
    lie = [Permanent("bear", BEAR, player), Permanent("walker", walker, enemy)]
    tale = battle(there, lie, {player: [HeldCard("change", take)]})
    tale.do(Attack((Attacker("bear", "walker"),), player))
    tale.do(CastAction("change", player, targets=(("walker",),)), Pass("everyone"))
    because = "CR 506.4: its controller has changed, so the planeswalker is not attacked any more"
    tale.see("bear", "attacking", "nothing", because)
    tale.do(Advance("postcombat main"))
    tale.see("walker", "loyalty", walker.loyalty, because)
    tale.see(enemy, "life", 20, "CR 506.4c: the creature attacks nothing, also not the player")
    return tale


@sort("combat", "steps", "casting", "targets", "planeswalkers", "types")
def planeswalker_that_blocks(draw: DrawFn, there: Round) -> Tale:
    """A creature that is a planeswalker is attacked and blocks, and loses one of these types."""
    player, enemy = there.players[:2]
    lost: CardType = draw(st.sampled_from(("Creature", "Planeswalker")))
    change = spell(
        "Change", Effect(TARGET, (LoseTypes(frozenset({lost})),), "end of turn"), targets=(CREATURE,)
    )
    both = frozenset[CardType]({"Planeswalker", "Creature"})
    walker = Card("Test Walker", both, "{0}", power=1, toughness=5, loyalty=5)
    lie = [Permanent("bear", BEAR, player), Permanent("other", BEAR, player)]
    tale = battle(there, [*lie, Permanent("walker", walker, enemy)], {player: [HeldCard("change", change)]})
    tale.do(Attack((Attacker("bear", "walker"), Attacker("other", enemy)), player), Pass("everyone"))
    tale.do(Block((Blocker("walker", ("other",)),), enemy))
    tale.do(CastAction("change", player, targets=(("walker",),)), Pass("everyone"))
    because = "CR 506.4d: it goes on being the one of the two that it still is"
    stays = lost == "Creature"
    tale.see("bear", "attacking", "walker" if stays else "nothing", because)
    tale.see("walker", "blocking", () if stays else ("other",), because)
    return tale


@law_of(
    taken_planeswalker,
    planeswalker_that_blocks,
    rules=("506.4", "506.4c", "506.4d"),
    needs=("combat", "steps", "casting", "targets", "planeswalkers", "control"),
)
def an_attacked_planeswalker_leaves_combat() -> None:
    """A planeswalker stops being attacked when its controller changes or it stops being a planeswalker; if it
    also blocks, it leaves combat only in the role that it can no longer have.
    """


# ---------------------------------------------------------------------------------------- damage


@sort("combat", "steps")
def life_linked(draw: DrawFn, there: Round) -> Tale:
    """A creature with lifelink attacks."""
    power = draw(st.integers(1, 4))
    player, enemy = there.players[:2]
    tale = battle(there, [Permanent("leech", creature("Leech", power, 1, Keyword("lifelink")), player)])
    tale.do(attacking(there, "leech"), Advance("postcombat main"))
    tale.see(player, "life", 20 + power, "CR 120.3f: the damage that was dealt is life for its controller")
    tale.see(enemy, "life", 20 - power, "CR 120.3a: and life lost for the player")
    return tale


@sort("activated abilities", "steps")
def damage_to_all(draw: DrawFn, there: Round) -> Tale:
    """A creature with lifelink deals damage to every permanent."""
    player, other = there.players[0], draw(st.sampled_from(there.players))
    burns = Activated((TapThis(),), (Damage(1, All()),), name="burn")
    leech = creature("Leech", 1, 3, Keyword("lifelink"), burns)
    many, relics = draw(st.integers(0, 2)), draw(st.integers(1, 2))
    lie = [Permanent("leech", leech, player)]
    lie += [Permanent(f"wall{n}", creature("Wall", 0, 3), other) for n in range(many)]
    lie += [Permanent(f"relic{n}", permanent("Relic", type="Artifact"), other) for n in range(relics)]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    tale.do(Activate("leech", "burn", player), Pass("everyone"))
    because = (
        "CR 120.1: damage is dealt to creatures, planeswalkers, battles and players, and to nothing else"
    )
    tale.see(player, "life", 21 + many, because)
    return tale


@sort("casting", "steps", "targets")
def indestructible(draw: DrawFn, there: Round) -> Tale:
    """Something would destroy a creature that is indestructible, or one that is not."""
    player, own = there.players[0], draw(st.booleans())
    rock = creature("Rock", 1, 1, *[Keyword("indestructible")] * own)
    lie = [Permanent("rock", rock, draw(st.sampled_from(there.players)))]
    tale = Tale(table(held_by(there, {player: [HeldCard("murder", MURDER)]}), lie, there.sides[0]))
    tale.do(CastAction("murder", player, targets=(("rock",),)), Pass("everyone"))
    because = "CR 702.12b: what is indestructible can't be destroyed, and what is not can"
    tale.see("rock", "zone", "battlefield" if own else "graveyard", because)
    return tale


@sort("casting", "steps")
def protected_creature(draw: DrawFn, there: Round) -> Tale:
    """A red spell deals damage to all creatures, one with protection from a colour or from opponents."""
    player, n = there.players[0], draw(st.integers(1, 2))
    colors: tuple[Color | None, ...] = ("red", "red", "blue", None)
    color, owner = draw(st.sampled_from(colors)), draw(st.sampled_from(there.players))
    if color is None:
        guard, shielded = Keyword("protection", player=Opponents()), owner != player
        because = "CR 702.16k: protection from a player is from what that player controls"
    else:
        guard, shielded = Keyword("protection", what=Filter(color=frozenset({color}))), color == "red"
        because = (
            "CR 702.16e: protection prevents damage from sources of that quality "
            "(CR 120.4: before it is dealt; CR 702.16a: of the stated quality only)"
        )
    lie = [Permanent("monk", creature("Monk", 1, 4, guard), owner)]
    lie += [Permanent("wall", creature("Wall", 1, 4), draw(st.sampled_from(there.players)))]
    storm = spell("Fire", Damage(n, CREATURES), cost="{R}")
    tale = Tale(table(held_by(there, {player: [HeldCard("fire", storm)]}), lie, there.sides[0]))
    tale.do(CastAction("fire", player), Pass("everyone"))
    tale.see("monk", "damage", 0 if shielded else n, because)
    tale.see("wall", "damage", n, because)
    return tale


@sort("casting", "steps")
def barred_from_life(draw: DrawFn, there: Round) -> Tale:
    """A player who can't gain life would."""
    player, n = there.players[0], draw(st.integers(1, 3))
    owner = draw(st.sampled_from(there.players))
    blight = permanent("Blight", Static((Part(Everyone(), (Cannot(frozenset({"gain life"})),)),)))
    lie = [Permanent("blight", blight, owner)] if draw(st.sampled_from((True, True, False))) else []
    tale = Tale(
        table(held_by(there, {player: [HeldCard("feast", spell("Feast", GainLife(n)))]}), lie, there.sides[0])
    )
    tale.do(CastAction("feast", player), Pass("everyone"))
    tale.see(player, "life", 20 if lie else 20 + n, "CR 101.2: who can't gain life gains none")
    return tale


@sort("casting", "steps", "targets", "planeswalkers", sizes=(2,))
def beside_a_planeswalker(draw: DrawFn, there: Round) -> Tale:
    """A player who controls a planeswalker is dealt damage."""
    player, enemy = there.players
    n = draw(st.integers(1, 3))
    walker = Card("Test Walker", frozenset({"Planeswalker"}), "{0}", loyalty=5)
    bolt = spell("Bolt", Damage(n, TARGET), targets=(PLAYER,))
    seats = held_by(there, {player: [HeldCard("bolt", bolt)]})
    tale = Tale(table(seats, [Permanent("walker", walker, enemy)], there.sides[0]))
    tale.do(CastAction("bolt", player, targets=((enemy,),)), Pass("everyone"))
    because = "CR 306.7: damage to a player is dealt to that player, not to a planeswalker"
    tale.see(enemy, "life", 20 - n, because)
    tale.see("walker", "loyalty", 5, because)
    return tale


@sort("combat", "steps", sizes=(2,))
def divided_freely(draw: DrawFn, there: Round) -> Tale:
    """A creature that two others block deals its damage to them as its controller likes."""
    player, enemy = there.players
    power, first = draw(st.integers(2, 4)), draw(st.integers(0, 4))
    shares = (min(first, power), power - min(first, power))
    lie = [Permanent("ogre", creature("Ogre", power, 9), player)]
    lie += [Permanent(f"wall{n}", creature("Wall", 0, 5), enemy) for n in range(2)]
    tale = battle(there, lie)
    tale.do(attacking(there, "ogre"), Pass("everyone"))
    tale.do(Block((Blocker("wall0", ("ogre",)), Blocker("wall1", ("ogre",))), enemy), Pass("everyone"))
    given = tuple(Share(f"wall{n}", share) for n, share in enumerate(shares) if share)
    tale.do(Assign((Assignment("ogre", given),), player))
    because = "CR 510.1c: it divides its damage among its blockers as its controller chooses"
    for n, share in enumerate(shares):
        tale.see(f"wall{n}", "damage", share, because)
    return tale


@sort("casting", "targets")
def at_any_target(draw: DrawFn, there: Round) -> Tale:
    """A spell with "any target" is aimed at a creature, a player or something else."""
    player, enemy = there.players[:2]
    at = draw(st.sampled_from(("relic", enemy, "bear")))
    bolt = spell("Bolt", Damage(1, TARGET), targets=(ANY_TARGET,))
    lie = [Permanent("bear", BEAR, enemy), Permanent("relic", permanent("Relic", type="Artifact"), enemy)]
    tale = Tale(table(held_by(there, {player: [HeldCard("bolt", bolt)]}), lie, there.sides[0]))
    because = "CR 115.4: any target is a creature, planeswalker, battle or player"
    tale.attempt(
        CastAction("bolt", player, targets=((at,),)), "rejected" if at == "relic" else "done", because
    )
    return tale


@law_of(
    life_linked,
    damage_to_all,
    divided_freely,
    at_any_target,
    rules=("115.4", "120.1", "120.3f", "510.1c"),
    needs=("combat", "steps"),
)
def damage_is_dealt_where_it_may_be() -> None:
    """Damage is dealt only to what can be dealt damage, divided as chosen; lifelink gains that much life."""


@law_of(
    indestructible,
    protected_creature,
    rules=("120.4", "702.12b", "702.16a", "702.16e", "702.16k"),
    needs=("casting", "steps"),
)
def what_is_protected_is_not_hurt() -> None:
    """Protection prevents damage from what it names, and an indestructible permanent is not destroyed.

    It does not check protection from targets, blockers and attachments.
    """


@law_of(barred_from_life, beside_a_planeswalker, rules=("101.2", "306.7"), needs=("casting", "steps"))
def life_is_gained_and_lost_by_whom_it_is_said() -> None:
    """A player who can't gain life gains none, and damage to a player is not dealt to a planeswalker.

    It does not check life that is paid.
    """


COMBAT: tuple[Property[Any], ...] = (
    what_can_attack_does_if_it_must,
    attacking_taps_and_nobody_has_to,
    what_can_block_does_if_it_must,
    players_block_in_turn_order,
    the_active_player_acts_after_declarations,
    what_leaves_combat_deals_no_combat_damage,
    combat_goes_on_without_its_attackers,
    an_attacked_planeswalker_leaves_combat,
    damage_is_dealt_where_it_may_be,
    what_is_protected_is_not_hurt,
    life_is_gained_and_lost_by_whom_it_is_said,
)
