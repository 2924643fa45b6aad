"""Laws of the turn and combat (CR 500–514, 302.6): what steps do by themselves, who may
attack, who dies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import CREATURES, TARGET, in_any_order, several, subset
from conformance.strategies.decks import (
    BEAR,
    CALM,
    CREATURE,
    FIELD,
    LEASH,
    PLAYER,
    THEFT,
    anthem,
    creature,
    grows,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Action,
    Activate,
    Advance,
    Assign,
    Assignment,
    Attack,
    Attacker,
    Block,
    Blocker,
    CastAction,
    ChooseAction,
    Pass,
    Share,
)
from reference_engine.language.cards import (
    Activated,
    Beginning,
    Card,
    Damage,
    Discards,
    Effect,
    Everyone,
    GainLife,
    HandSize,
    Keyword,
    Modify,
    Part,
    Static,
    TapThis,
    Triggered,
    You,
)
from reference_engine.language.words import KeywordName, Step

# ---------------------------------------------------------------------------------------------- combat


class Fighter(NamedTuple):
    """A creature in combat."""

    power: int
    toughness: int
    keywords: frozenset[KeywordName]

    def card(self, name: str) -> Card:
        """Its card."""
        return creature(name, self.power, self.toughness, *map(Keyword, sorted(self.keywords)))

    @property
    def strikes_first(self) -> bool:
        """Whether it deals damage in the first of two steps."""
        return bool(self.keywords & {"first strike", "double strike"})

    @property
    def strikes_later(self) -> bool:
        """Whether it deals damage in the second, or only, step."""
        return "first strike" not in self.keywords or "double strike" in self.keywords

    def survives(self, other: Fighter, hits: int) -> bool:
        """Whether it survives this many hits by another creature."""
        return not (hits and other.power and ("deathtouch" in other.keywords)) and (
            hits * other.power < self.toughness
        )


fighters = st.builds(
    Fighter,
    st.integers(1, 3),
    st.integers(1, 3),
    subset(("first strike", "double strike", "deathtouch"), 2, least=0),
)


@law(rules=("510.4", "702.4b", "702.7b", "510.2"), needs=("combat", "steps"), sizes=(2,))
def who_strikes_first_may_live(draw: DrawFn, there: Round) -> Tale:
    """A creature with first strike deals its damage first, and what dies of it deals none; double strike
    deals damage twice.

    A creature that attacks and one that blocks it, with or without first strike, double strike and
    deathtouch.

    It does not check creatures that gain or lose first strike between the two damage steps.
    """
    one, other = draw(fighters), draw(fighters)
    player, enemy = there.players
    lie = [
        Permanent("raider", one.card("Attacker"), player),
        Permanent("guard", other.card("Blocker"), enemy),
    ]
    tale = Tale(table(there.seats, lie, there.sides[0], "beginning of combat"))
    tale.do(Pass("everyone"), Attack((Attacker("raider", enemy),), player), Pass("everyone"))
    tale.do(Block((Blocker("guard", ("raider",)),), enemy), Advance("end of combat"))
    hit_first = int(one.strikes_first), int(other.strikes_first)
    lives_first = one.survives(other, hit_first[1]), other.survives(one, hit_first[0])
    hits = (
        hit_first[0] + int(one.strikes_later and lives_first[0]),
        hit_first[1] + int(other.strikes_later and lives_first[1]),
    )
    because = (
        "CR 510.4: first strike and double strike deal damage in a step of their own, before the others "
        "(CR 702.4b: double strike in both; CR 510.2: all damage of a step at once)"
    )
    for id, lives in (("raider", one.survives(other, hits[1])), ("guard", other.survives(one, hits[0]))):
        tale.see(id, "zone", "battlefield" if lives else "graveyard", because)
    return tale


@law(rules=("511.3", "702.4b", "508.1f"), needs=("combat", "steps"), sizes=(2,))
def attackers_stay_until_combat_ends(draw: DrawFn, there: Round) -> Tale:
    """Unblocked creatures deal their damage to the player, and are attacking until the end of combat step is
    over.

    Several creatures that attack and are not blocked, looked at before they leave combat.
    """
    player, enemy = there.players
    many = draw(several(fighters, 1, 2))
    lie = [Permanent(f"fighter{n}", one.card(f"Fighter {n}"), player) for n, one in enumerate(many)]
    tale = Tale(table(there.seats, lie, there.sides[0], "beginning of combat"))
    tale.do(Pass("everyone"), Attack(tuple(Attacker(laid.id, enemy) for laid in lie), player))
    for laid in lie:
        tale.see(laid.id, "tapped", True, "CR 508.1f: attacking creatures are tapped")
    tale.do(Advance("end of combat"))
    damage = sum(one.power * (one.strikes_first + one.strikes_later) for one in many)
    because = "CR 702.4b: who has double strike deals damage in both steps, anyone else once"
    tale.see(enemy, "life", 20 - damage, because)
    for laid in lie:
        staying = "CR 511.3: creatures are removed from combat only as the end of combat step ends"
        tale.see(laid.id, "attacking", enemy, staying)
    tale.do(Pass("everyone"))
    for laid in lie:
        tale.see(laid.id, "attacking", None, "CR 511.3: as the step ends they are removed from combat")
    return tale


@law(rules=("510.1c", "702.19b", "702.2c"), needs=("combat", "steps"), sizes=(2,))
def trample_goes_on_after_lethal_damage(draw: DrawFn, there: Round) -> Tale:
    """A creature with trample must assign lethal damage to its blockers before the player gets the rest; with
    deathtouch, 1 is lethal.

    A creature with trample that is blocked, and a division of its damage.

    It does not check damage that the blockers have already been dealt.
    """
    player, enemy = there.players
    deadly, toughness = draw(st.booleans()), draw(st.integers(2, 3))
    power = toughness + draw(st.integers(1, 2))
    keywords: tuple[KeywordName, ...] = ("trample", "deathtouch") if deadly else ("trample",)
    trampler = Fighter(power, 5, frozenset(keywords)).card("Trampler")
    wall = creature("Wall", 0, toughness)
    to_wall = draw(st.integers(0, power))
    lie = [Permanent("trampler", trampler, player), Permanent("wall", wall, enemy)]
    tale = Tale(table(there.seats, lie, there.sides[0], "beginning of combat"))
    tale.do(Pass("everyone"), Attack((Attacker("trampler", enemy),), player), Pass("everyone"))
    tale.do(Block((Blocker("wall", ("trampler",)),), enemy), Pass("everyone"))
    shares = [Share("wall", to_wall), Share(enemy, power - to_wall)]
    division = Assignment("trampler", tuple(share for share in shares if share.n))
    enough = to_wall >= (1 if deadly else toughness)
    because = (
        "CR 702.19b: what a creature with trample deals beyond lethal damage to its blockers may go to the "
        "player; "
        "CR 510.1c: and no less to them"
    )
    tale.attempt(Assign((division,), player), "done" if enough else "rejected", because)
    tale.see(enemy, "life", 20 - power + to_wall if enough else 20, because)
    return tale


# --------------------------------------------------------------------------------- summoning sickness


@law(rules=("302.6", "702.10b"), needs=("combat", "steps", "casting", "activated abilities"), sizes=(2,))
def what_came_this_turn_is_sick(draw: DrawFn, there: Round) -> Tale:
    """A creature that came under its controller's control this turn can neither attack nor be tapped for an
    ability, unless it has haste.

    A creature that its controller has had since before the turn, or since a moment ago, and that attacks or
    is tapped for its ability.

    It does not check blocking, or abilities without a tap symbol.
    """
    player, enemy = there.players
    ways = ["there", "cast"]
    ways += ["taken"] if there.means.allow("control", "targets") else []
    ways += ["leashed"] if there.means.allow("control", "targets", "attachments") else []
    how = draw(st.sampled_from(ways))
    hasty, attacks = draw(st.booleans()), draw(st.booleans())
    tap = Activated((TapThis(),), (GainLife(1),), name="rest")
    soldier = creature("Soldier", 1, 1, *([Keyword("haste")] if hasty else []), tap)
    takers = {"taken": [HeldCard("theft", THEFT)], "leashed": [HeldCard("leash", LEASH)]}
    hand = {"there": [], "cast": [HeldCard("soldier", soldier)], **takers}[how]
    lie = [] if how == "cast" else [Permanent("soldier", soldier, player if how == "there" else enemy)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    if how == "cast":
        tale.do(CastAction("soldier", player), Pass("everyone"))
    if how in takers:
        tale.do(CastAction(hand[0].id, player, targets=(("soldier",),)), Pass("everyone"))
    if attacks:
        tale.do(Pass("everyone"), Pass("everyone"))
    action: Action = Activate("soldier", "rest", player)
    if attacks:
        action = Attack((Attacker("soldier", enemy),), player)
    because = (
        "CR 302.6: a creature attacks, or is tapped for its ability, only if its controller has controlled it"
        " since "
        "the turn began, unless it has haste"
    )
    able = hasty or how == "there"
    tale.attempt(action, "done" if able else "rejected", because)
    tale.see("soldier", "tapped", able, "CR 508.1f: attackers are tapped; CR 602.2b: costs are paid")
    return tale


# -------------------------------------------------------------------------------------------- the turn


@law(rules=("514.1", "402.2"), needs=("steps", "choices"))
def the_active_player_discards_to_seven(draw: DrawFn, there: Round) -> Tale:
    """At the end of the turn the active player discards down to seven cards of their choice.

    A hand of up to nine cards at the end of the turn, and what is discarded of it.
    """
    player = there.players[0]
    many = draw(st.sampled_from((8, 9, 7)))
    there = there._replace(spare=False)
    hand = [HeldCard("calm", CALM), *(HeldCard(f"card{n}", BEAR) for n in range(many - 1))]
    gone = draw(in_any_order([held.id for held in hand]))[: max(many - 7, 0)]
    tale = Tale(table(held_by(there, {player: hand}, library=2), (), there.sides[0], "end"))
    if gone:
        tale.do(ChooseAction("cards", player, tuple(gone), "cleanup"))
    tale.do(Advance("upkeep"))
    because = "CR 514.1: in the cleanup step the active player discards down to the maximum hand size"
    kept = tuple(held.id for held in hand if held.id not in gone)
    tale.see(player, "hand", kept, because)
    for id in gone:
        tale.see(id, "zone", "graveyard", because)
    return tale


CAREFREE = creature("Carefree", 2, 2, Static((Part(You(), (HandSize("set", 0),)),)))
"""A creature whose controller can keep no cards."""


@sort("casting", "steps", "targets", "anthems")
def deaths_in_cleanup(draw: DrawFn, there: Round) -> Tale:
    """A creature that lives only until the end of the turn, or longer."""
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    toughness = draw(st.sampled_from((1, 1, 2)))
    plague, surge = anthem("Plague", -1, -1, CREATURES), spell("Surge", grows(1, 1), targets=(CREATURE,))
    hands = {player: [HeldCard("surge", surge), HeldCard("plague", plague)]}
    bear = creature("Cub", 2, toughness)
    tale = Tale(table(held_by(there, hands, library=2), [Permanent("cub", bear, owner)], there.sides[0]))
    tale.do(CastAction("surge", player, targets=(("cub",),)), Pass("everyone"))
    tale.do(CastAction("plague", player), Pass("everyone"), Advance("end"), Pass("everyone"))
    because = (
        "CR 514.3a: if a state-based action is performed in the cleanup step, players get priority in it"
    )
    dies = toughness == 1
    tale.see(
        "cub", "zone", "graveyard" if dies else "battlefield", "CR 514.2: the effect ends in the cleanup step"
    )
    tale.see("table", "step", "cleanup" if dies else "upkeep", because)
    tale.see("table", "priority", there.sides[0 if dies else 1], because)
    if dies:
        tale.do(Pass("everyone"))
        tale.see("table", "step", "upkeep", "CR 514.3a: then another cleanup step, and the turn is over")
    return tale


@sort("steps", "triggers")
def triggers_in_cleanup(draw: DrawFn, there: Round) -> Tale:
    """A player has to discard a card in the cleanup step, or has none, and something triggers on that."""
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    there, some = there._replace(spare=False), draw(st.sampled_from((True, True, True, False)))
    grief = permanent("Grief", Triggered(Discards(Everyone()), (GainLife(1),), name="mourn"))
    lie = [Permanent("fool", CAREFREE, player), Permanent("grief", grief, owner)]
    hands = {player: [HeldCard("card", BEAR)]} if some else {}
    tale = Tale(table(held_by(there, hands, library=2), lie, there.sides[0], "end"))
    tale.do(Pass("everyone"))
    because = "CR 514.3a: what triggered in the cleanup step is stacked, and players get priority"
    tale.see("table", "step", "cleanup" if some else "upkeep", because)
    if some:
        tale.see("table", "stack", ("mourn of grief",), because)
        tale.see("table", "priority", there.sides[0], because)
        tale.do(Pass("everyone"), Pass("everyone"))
        tale.see("table", "step", "upkeep", "CR 514.3a: then another cleanup step, and the turn is over")
    return tale


@law_of(
    deaths_in_cleanup,
    triggers_in_cleanup,
    rules=("514.2", "514.3", "514.3a"),
    needs=("casting", "steps", "targets", "anthems"),
)
def cleanup_is_repeated_when_something_happens() -> None:
    """Players get priority in the cleanup step only if something happens in it; then there is another cleanup
    step.
    """


@law(rules=("514.2", "120.6"), needs=("casting", "steps", "targets", "anthems"))
def damage_wears_off_as_effects_end(draw: DrawFn, there: Round) -> Tale:
    """In the cleanup step, after the discard, damage is removed and effects until end of turn end
    simultaneously, so nothing dies in between.

    A creature made bigger until end of turn and damaged more than it could bear without that; perhaps a card
    has to be discarded as the turn ends.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    more, n, discards = draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.booleans())
    ordeal = spell("Ordeal", Damage(n, TARGET), grows(more, more), targets=(CREATURE,))
    hand = [HeldCard("ordeal", ordeal)]
    lie = [Permanent("bear", BEAR, owner)]
    if discards:
        there = there._replace(spare=False)
        hand, lie = [*hand, HeldCard("card", BEAR)], [Permanent("bear", CAREFREE, player)]
    tale = Tale(table(held_by(there, {player: hand}, library=2), lie, there.sides[0]))
    tale.do(CastAction("ordeal", player, targets=(("bear",),)), Pass("everyone"))
    lives = n < 2 + more
    tale.see("bear", "zone", "battlefield" if lives else "graveyard", "CR 704.5g: lethal damage destroys")
    if lives:
        tale.see("bear", "damage", n, "CR 120.6: damage stays marked until the cleanup step")
        tale.see("bear", "power", 2 + more, "CR 613.4c: until end of turn")
        tale.do(Advance("precombat main"))
        because = "CR 514.2: damage wears off and what lasts until end of turn ends at the same time"
        tale.see("bear", "zone", "battlefield", because)
        tale.see("bear", "damage", 0, because)
        tale.see("bear", "power", 2, because)
    return tale


@law(rules=("514.2", "611.2a"), needs=("casting", "steps", "targets", "control"))
def what_is_taken_for_a_turn_goes_back(draw: DrawFn, there: Round) -> Tale:
    """A creature taken until end of turn returns to its owner's control in the next turn, and not before.

    A creature taken over until end of turn.
    """
    player = there.players[0]
    owner = draw(st.sampled_from(there.players[1:]))
    lie = [Permanent("bear", BEAR, owner, tapped=draw(st.booleans()))]
    tale = Tale(table(held_by(there, {player: [HeldCard("theft", THEFT)]}, library=2), lie, there.sides[0]))
    tale.do(CastAction("theft", player, targets=(("bear",),)), Pass("everyone"))
    tale.see("bear", "controller", player, "CR 611.2a: an effect lasts as long as it says")
    tale.do(Advance("end"))
    tale.see("bear", "controller", player, "CR 514.2: until end of turn is until the cleanup step")
    tale.do(Advance("upkeep"))
    because = "CR 514.2: what lasts until end of turn ends in the cleanup step"
    tale.see("bear", "controller", owner, because)
    return tale


@law(rules=("502.3", "502.4", "504.1", "121.1"), needs=("steps",))
def a_turn_begins_with_untapping_and_drawing(draw: DrawFn, there: Round) -> Tale:
    """The next player untaps only their own permanents, nobody has priority before the upkeep, and then the
    player draws one card.

    Tapped permanents of all players, and the next player's turn.
    """
    there = there._replace(spare=False)
    lie = [
        Permanent(f"{card}_{player}", FIELD if card == "land" else BEAR, player, tapped=True)
        for player in there.players
        for card in sorted(draw(subset(("land", "bear"), least=0)))
    ]
    tale = Tale(table(held_by(there, {}, library=2), lie, there.sides[0], "end"))
    following = there.players[1]
    tale.do(Pass("everyone"))
    tale.see("table", "step", "upkeep", "CR 502.4: nobody gets priority in the untap step")
    tale.see("table", "active", there.sides[1], "CR 500.1: the next player's turn")
    for laid in lie:
        because = "CR 502.3: the active player untaps their own permanents, and nobody else theirs"
        tale.see(laid.id, "tapped", laid.controller != following, because)
    tale.do(Pass("everyone"))
    because = "CR 504.1: the active player draws before anybody gets priority (CR 121.1: the top card)"
    tale.see("table", "step", "draw", because)
    for player in there.players:
        drawn = (f"{player}_card0",) if player == following else ()
        tale.see(player, "hand", drawn, because)
        tale.see(player, "library_size", 1 if player == following else 2, because)
    return tale


@law(rules=("117.3a", "503.1a", "603.3"), needs=("steps", "triggers"))
def the_active_player_acts_first_whatever_triggered(draw: DrawFn, there: Round) -> Tale:
    """At the beginning of a step the active player has priority, whoever's abilities triggered.

    A step of the next turn in which something triggers as it begins.

    It does not check steps in which nothing triggers.
    """
    owner, step = draw(st.sampled_from(there.players)), draw(st.sampled_from(STEPS_WITH_TRIGGERS))
    rise = Triggered(Beginning(step, Everyone()), (GainLife(1, Everyone()),), name="rise")
    lie = [Permanent("sun", permanent("Sun", rise), owner)]
    tale = Tale(table(held_by(there, {}, library=2), lie, there.sides[0], "end"))
    tale.do(Advance(step, there.sides[1]))
    because = "CR 117.3a: the active player has priority first, once what triggered is on the stack"
    tale.see("table", "step", step, because)
    tale.see("table", "priority", there.sides[1], because)
    return tale


@law(rules=("800.4m",), needs=("casting", "steps", "targets", "anthems", "three players"), sizes=(3,))
def what_waits_for_a_player_who_left_ends_with_the_turn(draw: DrawFn, there: Round) -> Tale:
    """What lasts until the next turn of a player who has left the game ends when that turn would have begun.

    The second of three players begins such an effect in the first one's turn, and somebody makes them lose.
    """
    first, second, third = there.players
    more = draw(st.integers(1, 4))
    shelter = spell("Shelter", Effect(TARGET, (Modify(0, more),), "your next turn"), targets=(CREATURE,))
    doom = spell("Doom", Damage(20, TARGET), targets=(PLAYER,))
    owner = draw(st.sampled_from((first, third)))
    hands = {second: [HeldCard("shelter", shelter)], third: [HeldCard("doom", doom)]}
    tale = Tale(table(held_by(there, hands), [Permanent("bear", BEAR, owner)], first))
    tale.do(Pass(first), CastAction("shelter", second, targets=(("bear",),)), Pass("everyone"))
    tale.do(Pass(first), Pass(second), CastAction("doom", third, targets=((second,),)), Pass("everyone"))
    tale.see("bear", "toughness", 2 + more, "CR 800.4m: the effect does not expire as the player leaves")
    tale.do(Advance("upkeep", third))
    tale.see("bear", "toughness", 2, "CR 800.4m: that turn would have come before this one")
    return tale


STEPS_WITH_TRIGGERS: tuple[Step, ...] = ("upkeep", "draw", "end", "beginning of combat")


TURN: tuple[Property[Any], ...] = (
    who_strikes_first_may_live,
    attackers_stay_until_combat_ends,
    trample_goes_on_after_lethal_damage,
    what_came_this_turn_is_sick,
    the_active_player_discards_to_seven,
    cleanup_is_repeated_when_something_happens,
    damage_wears_off_as_effects_end,
    what_is_taken_for_a_turn_goes_back,
    a_turn_begins_with_untapping_and_drawing,
    the_active_player_acts_first_whatever_triggered,
    what_waits_for_a_player_who_left_ends_with_the_turn,
)
