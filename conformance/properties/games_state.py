"""Laws of state-based actions (CR 704): what is gone before anybody gets priority."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.model.scenario import Number, SeenCounters
from conformance.properties.law import Property
from conformance.properties.small_boards import with_entry
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import CREATURES, TARGET, in_any_order, several
from conformance.strategies.decks import (
    ANY_TARGET,
    BEAR,
    BLADE,
    CALM,
    CREATURE,
    KING,
    MANTLE,
    MURDER,
    MUSTER,
    OTHER_CREATURES,
    RECALL,
    creature,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Activate,
    Advance,
    Call,
    CastAction,
    ChooseAction,
    Pass,
    PlayAction,
    Resolve,
    TokenNames,
    TurnUp,
)
from reference_engine.language.cards import (
    Activated,
    All,
    Card,
    Count,
    Counters,
    Damage,
    Destroy,
    Dies,
    Discard,
    Draw,
    Effect,
    Enters,
    GainLife,
    Keyword,
    LoyaltyCost,
    Modify,
    Part,
    PutCounters,
    Regenerate,
    Static,
    TapThis,
    This,
    Triggered,
    You,
)


def game_with_hand(there: Round, hand: Sequence[HeldCard], lie: Sequence[Permanent]) -> Tale:
    """A game in which the active player has these cards in hand, and casts the first without targets if it
    has none.
    """
    return Tale(table(held_by(there, {there.players[0]: hand}), lie, turn=there.sides[0]))


def casting(tale: Tale, there: Round, what: str, *targets: str) -> None:
    """The active player casts it and it resolves."""
    tale.do(
        CastAction(what, there.players[0], targets=tuple((target,) for target in targets)), Pass("everyone")
    )


def some_bears(draw: DrawFn, there: Round, sizes: Sequence[int]) -> list[Permanent]:
    """Creatures with these toughnesses, each somebody's."""
    return [
        Permanent(f"bear{n}", creature(f"Bear {size}", 1, size), draw(st.sampled_from(there.players)))
        for n, size in enumerate(sizes)
    ]


toughnesses = several(st.integers(1, 4), 1, 3)

# ----------------------------------------------------------------------------------- creatures that die


@law(rules=("704.5f",), needs=("casting", "steps", "anthems"))
def creatures_without_toughness_die(draw: DrawFn, there: Round) -> Tale:
    """Creatures whose toughness becomes 0 or less are put into the graveyard, and no others.

    Creatures of several sizes, and an effect that makes all of them smaller.
    """
    less, sizes = draw(st.integers(1, 3)), draw(toughnesses)
    lie = some_bears(draw, there, sizes)
    wave = spell("Wave", Effect(CREATURES, (Modify(0, -less),), "end of turn"))
    tale = game_with_hand(there, [HeldCard("wave", wave)], lie)
    casting(tale, there, "wave")
    because = "CR 704.5f: a creature with toughness 0 or less is put into its owner's graveyard"
    for laid, size in zip(lie, sizes, strict=True):
        tale.see(laid.id, "zone", "graveyard" if size <= less else "battlefield", because)
    return tale


@law(rules=("704.5g", "120.6"), needs=("casting", "steps"))
def lethal_damage_destroys(draw: DrawFn, there: Round) -> Tale:
    """A creature with damage of at least its toughness is destroyed; with less it keeps the damage.

    Creatures of several sizes, and a spell that deals damage to each.

    It does not check damage from several sources.
    """
    n, sizes = draw(st.integers(1, 3)), draw(toughnesses)
    lie = some_bears(draw, there, sizes)
    tale = game_with_hand(there, [HeldCard("storm", spell("Storm", Damage(n, CREATURES)))], lie)
    casting(tale, there, "storm")
    because = "CR 704.5g: a creature with damage at least equal to its toughness is destroyed"
    for laid, size in zip(lie, sizes, strict=True):
        tale.see(laid.id, "zone", "graveyard" if size <= n else "battlefield", because)
        if size > n:
            tale.see(laid.id, "damage", n, "CR 120.6: damage stays marked on a creature")
    return tale


@law(rules=("704.5h", "702.2b"), needs=("activated abilities", "steps", "targets"))
def deathtouch_destroys(draw: DrawFn, there: Round) -> Tale:
    """Any damage from a source with deathtouch destroys a creature, however big.

    A creature with or without deathtouch that deals 1 damage to a bigger one.
    """
    deadly, size = draw(st.booleans()), draw(st.integers(2, 4))
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    ping = Activated((TapThis(),), (Damage(1, TARGET),), (CREATURE,), name="ping")
    viper = creature("Viper", 1, 1, *([Keyword("deathtouch")] if deadly else []), ping)
    prey = creature("Prey", 1, size)
    tale = game_with_hand(there, [], [Permanent("viper", viper, player), Permanent("prey", prey, owner)])
    tale.do(Activate("viper", "ping", player, targets=(("prey",),)), Pass("everyone"))
    because = "CR 704.5h: a creature dealt damage by a source with deathtouch is destroyed"
    tale.see("prey", "zone", "graveyard" if deadly else "battlefield", because)
    return tale


@law(rules=("704.3", "117.5"), needs=("casting", "steps", "targets", "anthems"))
def state_based_actions_are_repeated(draw: DrawFn, there: Round) -> Tale:
    """A creature kept alive only by the effect of one that has died is gone before anybody gets priority.

    A creature that lives only by another one's effect, which is destroyed; a chain of several such.

    It does not check the order in which the creatures die.
    """
    owner, many = draw(st.sampled_from(there.players)), draw(st.integers(1, 2))
    lie = [Permanent("lord0", lord(0, 1), owner)]
    lie += [Permanent(f"lord{n}", lord(n, 0), owner) for n in range(1, many + 1)]
    tale = game_with_hand(there, [HeldCard("murder", MURDER)], lie)
    casting(tale, there, "murder", "lord0")
    because = "CR 704.3: state-based actions are checked again and again until none is performed"
    for laid in lie:
        tale.see(laid.id, "zone", "graveyard", because)
    tale.see("table", "priority", there.sides[0], "CR 117.5: and only then somebody gets priority")
    return tale


def lord(number: int, toughness: int) -> Card:
    """A creature of its own subtype that gives the next one +0/+1."""
    following = All(type=frozenset({"Creature"}), name=f"Test Lord {number + 1}")
    return creature(f"Lord {number}", 1, toughness, Static((Part(following, (Modify(0, 1),)),)))


# ------------------------------------------------------------------------ when they are looked for

CARDS_IN_GRAVEYARDS = Count(All(zones=frozenset({"graveyard"})))
CARDS_IN_HAND = Count(All(zones=frozenset({"hand"}), of=You()))
GHOUL = creature("Ghoul", 0, 1, Static((Part(This(), (Modify(0, CARDS_IN_GRAVEYARDS),)),)))
SAGE = creature("Sage", 1, 0, Static((Part(This(), (Modify(0, CARDS_IN_HAND),)),)))


@sort("casting", "steps", "targets", "anthems")
def saved_by_the_spell_itself(draw: DrawFn, there: Round) -> Tale:
    """A creature is as tough as there are cards in graveyards, and a spell deals damage to it that would be
    lethal if the spell did not lie there afterwards.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    buried, more = draw(st.integers(0, 2)), draw(st.sampled_from((0, 1)))
    shot = spell("Shot", Damage(1 + buried + more, TARGET), targets=(CREATURE,))
    seats = tuple(
        seat._replace(graveyard=[HeldCard(f"card{n}", BEAR) for n in range(buried)])
        if seat.id == player
        else seat
        for seat in held_by(there, {player: [HeldCard("shot", shot)]})
    )
    tale = Tale(table(seats, [Permanent("ghoul", GHOUL, owner)], there.sides[0]))
    tale.see("ghoul", "toughness", 1 + buried, "CR 613.4c: one more for each card there")
    casting(tale, there, "shot", "ghoul")
    because = "CR 704.3: they come as a player would get priority; the spell lies there by then (CR 608.2n)"
    tale.see("ghoul", "zone", "graveyard" if more else "battlefield", because)
    return tale


@sort("casting", "steps", "anthems", sizes=(2,))
def out_of_cards_for_a_moment(draw: DrawFn, there: Round) -> Tale:
    """A creature is as tough as its controller has cards in hand; they are discarded, and others are drawn or
    none.
    """
    there = there._replace(spare=False)
    player, drawn = there.players[0], draw(st.sampled_from((1, 2, 0)))
    wheel = spell("Wheel", Discard(7), *[Draw(drawn)] * bool(drawn))
    hand = [HeldCard("wheel", wheel), *(HeldCard(f"card{n}", BEAR) for n in range(draw(st.integers(1, 2))))]
    seats = held_by(there, {player: hand}, library=3)
    tale = Tale(table(seats, [Permanent("sage", SAGE, player)], there.sides[0]))
    casting(tale, there, "wheel")
    because = "CR 704.4: they pay no attention to what happens while a spell resolves"
    tale.see("sage", "zone", "battlefield" if drawn else "graveyard", because)
    if drawn:
        tale.see("sage", "toughness", drawn, "CR 613.4c: one more for each card there")
    return tale


@law_of(
    saved_by_the_spell_itself,
    out_of_cards_for_a_moment,
    rules=("704.3", "704.4", "608.2n"),
    needs=("casting", "steps", "anthems"),
)
def state_based_actions_wait_for_the_end_of_a_resolution() -> None:
    """State-based actions see creatures as they are after a spell has resolved and gone to the graveyard, not
    before or during the resolution.
    """


# -------------------------------------------------------------------------------- saved from dying

TROLL = creature("Troll", 2, 2, Activated((), (Regenerate(This()),), name="mend"))
WRATH = spell("Wrath", Destroy(CREATURES))
STORM = spell("Storm", Damage(2, CREATURES))


@sort("casting", "steps", "activated abilities")
def regeneration(draw: DrawFn, there: Round) -> Tale:
    """A creature is regenerated, perhaps something else happens, and then it would be destroyed, twice."""
    player = there.players[0]
    between, kill = draw(st.sampled_from((None, CALM, BEAR))), draw(st.sampled_from((WRATH, STORM)))
    hand = [HeldCard("kill", kill), HeldCard("again", WRATH)]
    hand += [HeldCard("between", between)] if between else []
    tale = game_with_hand(there, hand, [Permanent("troll", TROLL, player)])
    tale.do(Activate("troll", "mend", player), Resolve("mend of troll"))
    if between:
        tale.do(CastAction("between", player), Resolve("between"))
    tale.do(CastAction("kill", player), Resolve("kill"))
    because = "CR 701.19a: the next time this turn that it would be destroyed it is not, but tapped"
    tale.see("troll", "zone", "battlefield", because)
    tale.see("troll", "tapped", True, because)
    tale.see("troll", "damage", 0, "CR 701.19a: and all damage is removed from it")
    tale.do(CastAction("again", player), Resolve("again"))
    tale.see("troll", "zone", "graveyard", "CR 701.19a: the next time only")
    return tale


@sort("casting", "steps", "activated abilities")
def shielded_yesterday(draw: DrawFn, there: Round) -> Tale:
    """A creature is regenerated, and the next turn it is destroyed."""
    player, following = there.players[:2]
    seats = held_by(there, {following: [HeldCard("kill", WRATH)]}, library=2)
    tale = Tale(table(seats, [Permanent("troll", TROLL, player)], there.sides[0]))
    tale.do(Activate("troll", "mend", player), Resolve("mend of troll"))
    tale.do(Advance("precombat main", there.sides[1]), CastAction("kill", following), Resolve("kill"))
    tale.see("troll", "zone", "graveyard", "CR 701.19a: the shield is for one turn")
    return tale


@law_of(
    *(regeneration, regeneration, shielded_yesterday),  # most games have the shield at work
    rules=("701.19a",),
    needs=("casting", "steps", "activated abilities"),
)
def a_regeneration_shield_saves_once_in_its_turn() -> None:
    """A regeneration shield replaces the next destruction in the turn, whatever happens before; not the one
    after it, and none in another turn.
    """


GRATEFUL_MOURNER = creature("Mourner", 1, 1, Triggered(Dies(OTHER_CREATURES), (GainLife(1),), name="mourn"))


@law(rules=("704.3", "603.10a"), needs=("casting", "steps", "triggers"))
def what_dies_together_sees_each_other_die(draw: DrawFn, there: Round) -> Tale:
    """Creatures that die at the same time trigger on each other's death.

    Two players' creatures that die at the same time, each with an ability that triggers as
    another dies.

    It does not check what the abilities do.
    """
    one = draw(st.integers(0, len(there.players) - 2))
    other = draw(st.integers(one + 1, len(there.players) - 1))
    lie = [
        Permanent("first", GRATEFUL_MOURNER, there.players[one]),
        Permanent("second", GRATEFUL_MOURNER, there.players[other]),
    ]
    tale = game_with_hand(
        there, [HeldCard("storm", spell("Storm", Damage(1, CREATURES)))], draw(in_any_order(lie))
    )
    casting(tale, there, "storm")
    because = "CR 704.3: all state-based actions are performed at once, so each creature sees the other die"
    tale.see("table", "stack", ("mourn of first", "mourn of second"), because)
    for laid in lie:
        tale.see(laid.id, "zone", "graveyard", "CR 704.5g: each has lethal damage")
    return tale


# ------------------------------------------------------------------------------------- other permanents


@law(rules=("704.5j",), needs=("casting", "steps", "choices"))
def a_player_keeps_one_legend_of_a_name(draw: DrawFn, there: Round) -> Tale:
    """A player with two legendary permanents of one name keeps the one of their choice; two players may have
    one each.

    A second legendary creature of the same name, under the same player's control or another's; which one
    is kept is chosen.
    """
    player = there.players[0]
    owner = draw(st.sampled_from((player, player, *there.players)))
    kept, gone = draw(in_any_order(("king", "king2")))
    tale = game_with_hand(there, [HeldCard("king2", KING)], [Permanent("king", KING, owner)])
    tale.do(CastAction("king2", player))
    if owner == player:
        tale.do(ChooseAction("keep", player, (kept,), "state"))
    tale.do(Pass("everyone"))
    because = "CR 704.5j: of legendary permanents of one name a player controls, the player keeps one"
    tale.see(kept, "zone", "battlefield", because)
    tale.see(gone, "zone", "graveyard" if owner == player else "battlefield", because)
    return tale


CHECKED = "CR 704.3: whenever a player would get priority, state-based actions are checked first"
SHRINKING = Static((Part(CREATURES, (Modify(-1, -1),)),))


@sort("steps", "anthems")
def land_that_shrinks(draw: DrawFn, there: Round) -> Tale:
    """A land is played that makes all creatures smaller."""
    lie = [Permanent("bear", creature("Bear", 1, 1), draw(st.sampled_from(there.players)))]
    blight = permanent("Blight", SHRINKING, type="Land")
    tale = game_with_hand(there, [HeldCard("blight", blight)], lie)
    tale.do(PlayAction("blight", there.players[0]))
    tale.see("bear", "zone", "graveyard", CHECKED)
    return tale


@sort("steps", "anthems", "face down", "special actions")
def creature_that_shrinks(draw: DrawFn, there: Round) -> Tale:
    """A creature is turned face up that makes all creatures smaller."""
    player = there.players[0]
    secret = creature("Secret", 3, 3, Keyword("morph", mana="{1}"), SHRINKING)
    lie = [
        Permanent("secret", secret, player),
        Permanent("bear", creature("Bear", 1, 1), draw(st.sampled_from(there.players))),
    ]
    tale = Tale(with_entry(table(there.seats, lie, there.sides[0]), "secret", face_down=True))
    tale.do(TurnUp("secret", player))
    tale.see("bear", "zone", "graveyard", CHECKED)
    return tale


@law_of(
    land_that_shrinks, creature_that_shrinks, rules=("117.5", "704.3"), needs=("steps", "lands", "anthems")
)
def special_actions_are_followed_by_a_check() -> None:
    """State-based actions are performed after a special action as after anything else, before its player has
    priority again.

    A land that is played, or a creature that is turned face up, leaves another creature with toughness 0.
    """


@law(rules=("603.6a", "704.3"), needs=("casting", "steps", "triggers", "anthems"))
def what_goes_at_once_has_entered(draw: DrawFn, there: Round) -> Tale:
    """A creature that state-based actions put into the graveyard as soon as it has entered has triggered on
    entering all the same.

    A creature with an ability that triggers on its entering, too small or not for an effect that is there.
    """
    player, toughness = there.players[0], draw(st.integers(1, 2))
    greeter = creature("Greeter", 1, toughness, Triggered(Enters(), (GainLife(1),), name="greet"))
    lie = [Permanent("blight", permanent("Blight", SHRINKING), draw(st.sampled_from(there.players)))]
    tale = game_with_hand(there, [HeldCard("greeter", greeter)], lie)
    tale.do(CastAction("greeter", player), Pass("everyone"))
    because = "CR 704.5f: a creature with toughness 0 or less is put into its owner's graveyard"
    tale.see("greeter", "zone", "graveyard" if toughness == 1 else "battlefield", because)
    because = "CR 603.6a: it triggered as it was put onto the battlefield, whatever became of it then"
    tale.see("table", "stack", ("greet of greeter",), because)
    return tale


WORLDS = tuple(
    Card(f"Test {name}", frozenset({"Enchantment"}), "{0}", supertypes=frozenset({"World"}))
    for name in ("Crossroads", "Abyss", "Sphere")
)
PLAIN_CHARM = permanent("Plain Charm")


@law(rules=("704.5k", "205.4f"), needs=("casting", "steps"))
def only_the_newest_world_permanent_stays(draw: DrawFn, there: Round) -> Tale:
    """When a world permanent enters, all older ones go, whoever controls them.

    World permanents enter one after another, whoever controls the first; with another enchantment.
    """
    owner = draw(st.sampled_from(there.players))
    many, other = draw(st.integers(1, 2)), draw(st.booleans())
    lie = [Permanent("world0", WORLDS[0], owner), *[Permanent("charm", PLAIN_CHARM, owner)] * other]
    hand = [HeldCard(f"world{n}", WORLDS[n]) for n in range(1, many + 1)]
    tale = game_with_hand(there, hand, lie)
    because = "CR 704.5k: of world permanents the newest stays, whoever controls them"
    for number, held in enumerate(hand, 1):
        casting(tale, there, held.id)
        for n in range(number + 1):
            tale.see(f"world{n}", "zone", "battlefield" if n == number else "graveyard", because)
    if other:
        tale.see("charm", "zone", "battlefield", "CR 704.5k: it is no world permanent")
    return tale


@law(rules=("704.5m", "704.5n"), needs=("casting", "steps", "targets", "attachments", "anthems", "abilities"))
def auras_fall_off_and_equipment_stays(draw: DrawFn, there: Round) -> Tale:
    """An Aura goes to the graveyard when the enchanted object is gone; an Equipment stays on the battlefield.

    A creature with an Aura or an Equipment on it that is destroyed.

    It does not check an attachment that has become illegal while its object is still there.
    """
    equipped = draw(st.booleans())
    owner = draw(st.sampled_from(there.players))
    card = BLADE if equipped else MANTLE
    lie = [Permanent("bear", BEAR, owner), Permanent("thing", card, owner, attached_to="bear")]
    tale = game_with_hand(there, [HeldCard("murder", MURDER)], lie)
    casting(tale, there, "murder", "bear")
    if equipped:
        because = "CR 704.5n: an Equipment whose creature is gone becomes unattached and stays"
        tale.see("thing", "attached_to", None, because)
    else:
        because = "CR 704.5m: an Aura that is attached to nothing is put into its owner's graveyard"
    tale.see("thing", "zone", "battlefield" if equipped else "graveyard", because)
    return tale


@law(rules=("704.5q",), needs=("casting", "steps", "targets", "counters"))
def opposite_counters_go_in_pairs(draw: DrawFn, there: Round) -> Tale:
    """+1/+1 and -1/-1 counters on one creature are removed in pairs.

    A creature that gets +1/+1 counters and then -1/-1 counters.
    """
    plus, minus = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    up = spell("Boon", PutCounters((Counters("+1/+1", plus),), TARGET), targets=(CREATURE,))
    down = spell("Bane", PutCounters((Counters("-1/-1", minus),), TARGET), targets=(CREATURE,))
    bear = creature("Ogre", 2, 4)
    tale = game_with_hand(
        there,
        [HeldCard("up", up), HeldCard("down", down)],
        [Permanent("ogre", bear, there.players[0])],
    )
    casting(tale, there, "up", "ogre")
    casting(tale, there, "down", "ogre")
    because = "CR 704.5q: as many +1/+1 and -1/-1 counters as there are pairs of them are removed"
    pairs = min(plus, minus)
    left = [SeenCounters("+1/+1", plus - pairs), SeenCounters("-1/-1", minus - pairs)]
    tale.see("ogre", "counters", tuple(one for one in left if one.n), because)
    tale.see("ogre", "power", 2 + plus - minus, "CR 613.4c: counters change power and toughness")
    return tale


@law(rules=("704.5i", "120.3c"), needs=("casting", "steps", "targets", "planeswalkers"))
def planeswalkers_without_loyalty_go(draw: DrawFn, there: Round) -> Tale:
    """Damage takes loyalty from a planeswalker, and one without any is put into the graveyard.

    A planeswalker that is dealt damage, or pays with loyalty.
    """
    loyalty, loss = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    owner = draw(st.sampled_from(there.players))
    walker = Card(
        "Test Walker",
        frozenset({"Planeswalker"}),
        "{0}",
        supertypes=frozenset({"Legendary"}),
        loyalty=loyalty,
        abilities=(Activated((LoyaltyCost(1),), (GainLife(1),), name="plus"),),
    )
    shot = spell("Shot", Damage(loss, TARGET), targets=(ANY_TARGET,))
    tale = game_with_hand(there, [HeldCard("shot", shot)], [Permanent("walker", walker, owner)])
    casting(tale, there, "shot", "walker")
    left = max(loyalty - loss, 0)
    because = "CR 704.5i: a planeswalker with loyalty 0 is put into its owner's graveyard"
    tale.see("walker", "zone", "battlefield" if left else "graveyard", because)
    if left:
        tale.see("walker", "loyalty", left, "CR 120.3c: damage removes as many loyalty counters")
    return tale


# -------------------------------------------------------------------------------- tokens and players


@law(rules=("704.5d", "111.7"), needs=("casting", "steps", "targets", "tokens"))
def tokens_off_the_battlefield_are_gone(draw: DrawFn, there: Round) -> Tale:
    """A token that goes to a hand or a graveyard ceases to exist before anybody gets priority.

    Two tokens, one of which is returned to its owner's hand, or destroyed.

    It does not check abilities that trigger on the token leaving.
    """
    recalled = draw(st.booleans())
    player = there.players[0]
    tale = game_with_hand(
        there,
        [HeldCard("muster", MUSTER), HeldCard("answer", RECALL if recalled else MURDER)],
        [],
    )
    tale.do(CastAction("muster", player), Pass("everyone"), Call((TokenNames("Soldier", ("one", "other")),)))
    tale.see("table", "tokens", Number("Soldier", 2), "CR 111.1: the effect creates two tokens")
    casting(tale, there, "answer", draw(st.sampled_from(("one", "other"))))
    because = "CR 704.5d: a token in any zone but the battlefield ceases to exist"
    tale.see("table", "tokens", Number("Soldier", 1), because)
    hand = (f"spare_{player}",) if there.spare else ()
    tale.see(player, "hand", hand, because)
    tale.see(player, "graveyard", ("answer", "muster"), because)
    return tale


@law(rules=("704.5a", "120.3a", "104.2a"), needs=("casting", "steps", "targets"), sizes=(2, 2, 3))
def a_player_without_life_loses(draw: DrawFn, there: Round) -> Tale:
    """A player whose life is 0 or less loses, and the game is over when one is left.

    Damage to a player who has little life left.

    It does not check the other ways to lose.
    """
    victim, n = draw(st.sampled_from(there.players)), draw(st.integers(1, 4))
    shot = spell("Shot", Damage(n, TARGET), targets=(ANY_TARGET,))
    hands = {there.players[0]: [HeldCard("shot", shot)]}
    seated = tuple(one._replace(life=3 if one.id == victim else 20) for one in held_by(there, hands))
    tale = Tale(table(seated, turn=there.sides[0]))
    casting(tale, there, "shot", victim)
    because = "CR 704.5a: a player with 0 or less life loses the game"
    tale.see(victim, "lost", n >= 3, because)
    tale.see(victim, "life", 3 - n, "CR 120.3a: damage to a player is lost as life")
    tale.see("table", "over", n >= 3 and len(there.players) == 2, "CR 104.2a: the last one left wins")
    return tale


STATE: tuple[Property[Any], ...] = (
    creatures_without_toughness_die,
    lethal_damage_destroys,
    deathtouch_destroys,
    state_based_actions_are_repeated,
    state_based_actions_wait_for_the_end_of_a_resolution,
    a_regeneration_shield_saves_once_in_its_turn,
    what_dies_together_sees_each_other_die,
    special_actions_are_followed_by_a_check,
    what_goes_at_once_has_entered,
    a_player_keeps_one_legend_of_a_name,
    only_the_newest_world_permanent_stays,
    auras_fall_off_and_equipment_stays,
    opposite_counters_go_in_pairs,
    planeswalkers_without_loyalty_go,
    tokens_off_the_battlefield_are_gone,
    a_player_without_life_loses,
)
