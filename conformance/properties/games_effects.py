"""Laws of what resolving does and how long it lasts: choices, durations, entering, attaching, triggers."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.model.scenario import Value
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import CREATURES, TARGET
from conformance.strategies.decks import (
    ANY_TARGET,
    BEAR,
    BLADE,
    CREATURE,
    FIELD,
    MANTLE,
    MURDER,
    PINGER,
    PLAYER,
    RECALL,
    YOUR_CREATURES,
    anthem,
    creature,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Action,
    Activate,
    Advance,
    CastAction,
    ChooseAction,
    Pass,
    Resolve,
)
from reference_engine.language.cards import (
    Activated,
    ActivePlayer,
    AddTypes,
    All,
    AnyPlayer,
    AsEnters,
    Attach,
    Attached,
    Base,
    BecomeCopy,
    Beginning,
    Card,
    ChooseInstruction,
    Compare,
    CopySpell,
    Count,
    Counters,
    Create,
    Damage,
    Destroy,
    Dies,
    Effect,
    Enters,
    Everyone,
    Exists,
    ExtraTurn,
    Filter,
    Gain,
    GainControl,
    GainLife,
    HandSize,
    Instruction,
    It,
    Keyword,
    Later,
    LoseAllAbilities,
    LoseLife,
    Matches,
    May,
    Modify,
    Operation,
    Part,
    PropertyOf,
    Put,
    PutCounters,
    Sacrifice,
    SacrificeCost,
    SetColors,
    SetTypes,
    SkipStep,
    Static,
    Tap,
    TapThis,
    TargetSpec,
    The,
    This,
    Triggered,
    Untap,
    You,
)
from reference_engine.language.words import CardType, Step

# ------------------------------------------------------------------------------- as it resolves


@sort("casting", "steps", "choices", "colours", "targets")
def colour_chosen(draw: DrawFn, there: Round) -> Tale:
    """A spell whose player chooses a colour."""
    player, color = there.players[0], draw(st.sampled_from(("red", "white", "green")))
    paint = spell(
        "Paint",
        ChooseInstruction("color"),
        Effect(TARGET, (SetColors(frozenset({"chosen color"})),), "end of turn"),
        targets=(CREATURE,),
    )
    tale = Tale(
        table(
            held_by(there, {player: [HeldCard("paint", paint)]}),
            [Permanent("bear", BEAR, player)],
            there.sides[0],
        )
    )
    tale.do(
        CastAction("paint", player, targets=(("bear",),)), ChooseAction("color", player, (color,), "paint")
    )
    tale.do(Pass("everyone"))
    tale.see("bear", "colors", (color,), "CR 608.2d: a player chooses, as the spell resolves")
    return tale


@sort("casting", "steps", "choices")
def paid_as_it_resolves(draw: DrawFn, there: Round) -> Tale:
    """A player may pay something as a spell resolves, or can't."""
    player = there.players[0]
    able, willing = draw(st.booleans()), draw(st.booleans())
    price = SacrificeCost(All(type=frozenset({"Creature"})))
    bargain = spell("Bargain", May((GainLife(3),), cost=(price,), otherwise=(LoseLife(2),)))
    lie = [Permanent("bear", BEAR, player)] * able
    tale = Tale(table(held_by(there, {player: [HeldCard("bargain", bargain)]}), lie, there.sides[0]))
    tale.do(CastAction("bargain", player))
    if able:
        tale.do(ChooseAction("may", player, (willing,), "bargain"))
    tale.do(Pass("everyone"))
    because = "CR 608.2d: who can pay chooses whether to, and who can't has nothing to choose"
    tale.see(player, "life", 23 if able and willing else 18, because)
    return tale


@sort("casting", "steps", "choices")
def allowed_as_it_resolves(draw: DrawFn, there: Round) -> Tale:
    """A player may do something as a spell resolves, before or after something else, or does not."""
    player, willing, n = there.players[0], draw(st.booleans()), draw(st.integers(0, 2))
    parts: tuple[Instruction, ...] = (May((LoseLife(3),)), *[GainLife(n)] * (n > 0))
    pact = spell("Pact", *(parts if draw(st.booleans()) else parts[::-1]))
    tale = Tale(table(held_by(there, {player: [HeldCard("pact", pact)]}), (), there.sides[0]))
    tale.do(CastAction("pact", player), ChooseAction("may", player, (willing,), "pact"), Pass("everyone"))
    because = "CR 608.2d: a player who may do something chooses whether to, as the spell resolves"
    tale.see(player, "life", 20 + n - (3 if willing else 0), because)
    return tale


@law(rules=("701.21a",), needs=("casting", "steps", "targets"))
def nobody_sacrifices_what_is_anothers(draw: DrawFn, there: Round) -> Tale:
    """Players sacrifice only permanents that they control.

    A player is to sacrifice a creature that is that player's, or another's.
    """
    player = there.players[0]
    owner = draw(st.sampled_from(there.players[:2]))
    offer = spell("Offering", Sacrifice(TARGET), targets=(CREATURE,))
    lie = [Permanent("bear", BEAR, owner)]
    tale = Tale(table(held_by(there, {player: [HeldCard("offering", offer)]}), lie, there.sides[0]))
    tale.do(CastAction("offering", player, targets=(("bear",),)), Pass("everyone"))
    because = "CR 701.21a: a player sacrifices only what that player controls"
    tale.see("bear", "zone", "graveyard" if owner == player else "battlefield", because)
    return tale


@sort("activated abilities", "casting", "steps", "targets")
def without_its_source(draw: DrawFn, there: Round) -> Tale:
    """An ability whose source is destroyed in response."""
    player, enemy = there.players[:2]
    hands = {enemy: [HeldCard("murder", MURDER)]}
    tale = Tale(table(held_by(there, hands), [Permanent("pinger", PINGER, player)], there.sides[0]))
    tale.do(Activate("pinger", "ping", player, ((enemy,),)), Pass(there.sides[0]))
    tale.do(CastAction("murder", enemy, targets=(("pinger",),)), Pass("everyone"))
    tale.see("pinger", "zone", "graveyard", "CR 701.8a: it is destroyed")
    tale.do(Pass("everyone"))
    tale.see(enemy, "life", 19, "CR 113.7a: an ability on the stack does not need its source any more")
    return tale


@sort("casting", "steps", "targets", "copies", "choices", sizes=(2, 3))
def copied_elsewhere(draw: DrawFn, there: Round) -> Tale:
    """A spell is copied, and the copy may have another target."""
    player, enemy = there.players[:2]
    bolt = spell("Bolt", Damage(2, TARGET), targets=(ANY_TARGET,))
    twin = spell("Twin", CopySpell(TARGET), targets=(TargetSpec(All(zones=frozenset({"stack"}))),))
    hands = {player: [HeldCard("bolt", bolt)], enemy: [HeldCard("twin", twin)]}
    tale = Tale(table(held_by(there, hands), (), there.sides[0]))
    tale.do(CastAction("bolt", player, targets=((enemy,),)), Pass(there.sides[0]))
    tale.do(CastAction("twin", enemy, targets=(("bolt",),)))
    new = draw(st.sampled_from((player, enemy)))
    tale.do(ChooseAction("targets", enemy, (new,), "copy of bolt"), Pass("everyone"), Pass("everyone"))
    because = "CR 707.10c: who controls the copy may choose new targets for it"
    for who in (player, enemy):
        tale.see(who, "life", 18 if who == new else 20, because)
    return tale


@law_of(
    colour_chosen,
    paid_as_it_resolves,
    allowed_as_it_resolves,
    rules=("608.2d",),
    needs=("casting", "steps", "choices"),
)
def players_choose_as_a_spell_resolves() -> None:
    """The player whom a resolving spell asks makes its choices, and may pay only what is possible.

    It does not check choices of objects.
    """


@law_of(
    without_its_source,
    copied_elsewhere,
    rules=("113.7a", "707.10c"),
    needs=("activated abilities", "casting", "steps", "targets"),
)
def what_is_on_the_stack_does_without_what_it_came_from() -> None:
    """An ability resolves even if its source is gone, and a copy's controller may choose new targets.

    It does not check abilities that use information about their source.
    """


# ---------------------------------------------------------------------------- how long it lasts


@sort("casting", "steps", "anthems", sizes=(2, 3))
def until_ones_next_turn(draw: DrawFn, there: Round) -> Tale:
    """An effect that lasts until its controller's next turn."""
    player, n = there.players[0], draw(st.integers(1, 3))
    vow = spell("Vow", Effect(CREATURES, (Modify(n, n),), "your next turn"))
    seats = held_by(there, {player: [HeldCard("vow", vow)]}, library=2)
    tale = Tale(table(seats, [Permanent("bear", BEAR, player)], there.sides[0]))
    tale.do(CastAction("vow", player), Pass("everyone"), Advance("end", there.sides[1]))
    because = "CR 500.4: it ends as the turn that it waits for begins"
    tale.see("bear", "power", 2 + n, because)
    tale.do(Advance("upkeep", there.sides[0]))
    tale.see("bear", "power", 2, because)
    return tale


@sort("activated abilities", "casting", "steps", "targets", "anthems", "control", "abilities")
def until_end_of_turn(draw: DrawFn, there: Round) -> Tale:
    """An effect of a spell or an ability that lasts until end of turn, with or without another before it."""
    player, owner = there.players[:2]
    kinds: tuple[tuple[Operation, str, Value, Value], ...] = (
        (GainControl(), "controller", player, owner),
        (Modify(2, 2), "power", 4, 2),
        (Gain((Keyword("flying"),)), "keywords", ("flying",), ()),
    )
    does, key, now, then = draw(st.sampled_from(kinds))
    effect: tuple[Instruction, ...] = (Effect(TARGET, (does,), "end of turn"),)
    if draw(st.booleans()):
        effect = (Untap(TARGET), *effect)
    seats = held_by(there, {player: [HeldCard("vow", spell("Vow", *effect, targets=(CREATURE,)))]}, library=2)
    lie = [Permanent("bear", BEAR, owner)]
    if draw(st.booleans()):
        wand = permanent("Wand", Activated((), effect, (CREATURE,), name="wave"), type="Artifact")
        action: Action = Activate("wand", "wave", player, (("bear",),))
        lie.append(Permanent("wand", wand, player))
    else:
        action = CastAction("vow", player, targets=(("bear",),))
    tale = Tale(table(seats, lie, there.sides[0]))
    tale.do(action, Pass("everyone"))
    tale.see("bear", key, now, "CR 611.2a: it lasts as long as it says")
    tale.do(Advance("precombat main", there.sides[1]))
    because = "CR 514.2: what lasts until end of turn ends in the cleanup step"
    tale.see("bear", key, then, because)
    return tale


@sort("activated abilities", "casting", "steps", "targets", "anthems")
def as_long_as_tapped(draw: DrawFn, there: Round) -> Tale:
    """An effect that lasts as long as its source is tapped."""
    player, n = there.players[0], draw(st.integers(1, 3))
    helps = Effect(TARGET, (Modify(n, 0),), as_long_as=Matches(This(), Filter(tapped=True)))
    guide = creature("Guide", 1, 1, Activated((TapThis(),), (helps,), (CREATURE,), name="guide"))
    wake = spell("Wake", Untap(TARGET), targets=(CREATURE,))
    lie = [Permanent("guide", guide, player), Permanent("bear", BEAR, draw(st.sampled_from(there.players)))]
    tale = Tale(table(held_by(there, {player: [HeldCard("wake", wake)]}), lie, there.sides[0]))
    tale.do(Activate("guide", "guide", player, (("bear",),)), Pass("everyone"))
    because = 'CR 611.2b: what lasts "for as long as" something holds ends when it no longer does'
    tale.see("bear", "power", 2 + n, because)
    tale.do(CastAction("wake", player, targets=(("guide",),)), Pass("everyone"))
    tale.see("bear", "power", 2, because)
    return tale


@sort("casting", "steps", "choices", sizes=(2,))
def last_cards_drawn(draw: DrawFn, there: Round) -> Tale:
    """A maximum hand size that lasts until end of turn."""
    player, most = there.players[0], draw(st.integers(0, 2))
    squeeze = spell("Squeeze", Effect(You(), (HandSize("set", most),), "end of turn"))
    hand = [HeldCard(f"card{n}", BEAR) for n in range(3)]
    seats = held_by(there._replace(spare=False), {player: [HeldCard("squeeze", squeeze), *hand]}, library=2)
    tale = Tale(table(seats, (), there.sides[0]))
    gone = tuple(held.id for held in hand[most:])
    tale.do(CastAction("squeeze", player), Pass("everyone"), ChooseAction("cards", player, gone, "cleanup"))
    tale.do(Advance("upkeep", there.sides[1]))
    because = "CR 514.1: cards are discarded before effects end"
    for number, held in enumerate(hand):
        tale.see(held.id, "zone", "hand" if number < most else "graveyard", because)
    return tale


@sort("steps", sizes=(2, 3))
def skipping(draw: DrawFn, there: Round) -> Tale:
    """A player skips a step."""
    other = there.players[1]
    skipped: Step = draw(st.sampled_from(("draw", "upkeep")))
    idle = permanent("Idle Hour", Static((Part(You(), (SkipStep(skipped),)),)))
    seats = held_by(there, {}, library=2)
    tale = Tale(table(seats, [Permanent("idle", idle, other)], there.sides[0], "end"))
    tale.do(Advance("precombat main" if skipped == "draw" else "draw", there.sides[1]))
    because = "CR 500.11: a step that is skipped is passed over, and nothing happens in it"
    tale.see(other, "library_size", 2 if skipped == "draw" else 1, because)
    return tale


@sort("casting", "steps", "targets", "three players", sizes=(3,))
def turns_promised(draw: DrawFn, there: Round) -> Tale:
    """Two players are given extra turns."""
    player = there.players[0]
    gift = spell("Gift", ExtraTurn(TARGET), targets=(PLAYER,))
    seats = held_by(there, {player: [HeldCard("gift1", gift), HeldCard("gift2", gift)]}, library=3)
    first, second = draw(st.sampled_from((there.players[1:], there.players[:0:-1])))
    tale = Tale(table(seats, (), there.sides[0]))
    for id, whom in (("gift1", first), ("gift2", second)):
        tale.do(CastAction(id, player, targets=((whom,),)), Pass("everyone"))
    because = "CR 500.7: of several extra turns the one made last is taken first"
    tale.do(Advance("upkeep"))
    tale.see("table", "active", second, because)
    return tale


GUIDE = creature(
    "Guide",
    1,
    1,
    Static((Part(CREATURES, (Modify(1, 0),)),), cond=Matches(This(), Filter(tapped=True))),
)


@law(rules=("611.3a", "613.5"), needs=("casting", "targets", "anthems"))
def being_tapped_counts_at_once(draw: DrawFn, there: Round) -> Tale:
    """An effect "as long as this is tapped" begins the moment the permanent is tapped and ends the moment it
    is untapped.

    A creature that makes all bigger as long as it is tapped is tapped or untapped by a spell.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    before, after = draw(st.booleans()), draw(st.booleans())
    turning = spell("Turning", Tap(TARGET) if after else Untap(TARGET), targets=(CREATURE,))
    lie = [Permanent("guide", GUIDE, owner, tapped=before), Permanent("bear", BEAR, player)]
    tale = Tale(table(held_by(there, {player: [HeldCard("turning", turning)]}), lie, there.sides[0]))
    because = "CR 613.5: the layers are applied all the time (CR 611.3a: and to what is so at the moment)"
    tale.see("bear", "power", 3 if before else 2, because)
    tale.do(CastAction("turning", player, targets=(("guide",),)), Resolve("turning"))
    tale.see("bear", "power", 3 if after else 2, because)
    return tale


@law_of(
    until_end_of_turn,
    until_ones_next_turn,
    as_long_as_tapped,
    last_cards_drawn,
    rules=("500.4", "514.1", "514.2", "611.2a", "611.2b"),
    needs=("casting", "steps", "anthems"),
)
def effects_last_as_long_as_they_say() -> None:
    """An effect lasts for exactly its duration: until end of turn, until a turn begins, as long as a
    condition holds, or until after the discard of the cleanup step.
    """


@law_of(skipping, turns_promised, rules=("500.7", "500.11"), needs=("steps",))
def steps_are_skipped_and_turns_are_added() -> None:
    """A skipped step does not happen, and of several extra turns the newest is taken first.

    It does not check skipped turns or phases.
    """


# ------------------------------------------------------------------------------- what enters


@sort("casting", "steps", "targets", "counters")
def back_without_counters(draw: DrawFn, there: Round) -> Tale:
    """A creature with counters leaves and comes back."""
    player, n = there.players[0], draw(st.integers(1, 3))
    feed = spell("Feed", PutCounters((Counters("+1/+1", n),), TARGET), targets=(CREATURE,))
    hand = [HeldCard("feed", feed), HeldCard("recall", RECALL)]
    tale = Tale(table(held_by(there, {player: hand}), [Permanent("bear", BEAR, player)], there.sides[0]))
    for id in ("feed", "recall"):
        tale.do(CastAction(id, player, targets=(("bear",),)), Pass("everyone"))
    tale.do(CastAction("bear", player), Pass("everyone"))
    because = "CR 122.2: counters on an object cease to exist as it changes zones"
    tale.see("bear", "power", 2, because)
    return tale


@sort("casting", "steps", "counters", "abilities")
def entering_without_abilities(draw: DrawFn, there: Round) -> Tale:
    """A creature that enters with counters, where creatures may have no abilities."""
    player, n = there.players[0], draw(st.integers(1, 3))
    silent = draw(st.booleans())
    hydra = creature("Hydra", 1, 1, AsEnters(counters=(Counters("+1/+1", n),)))
    silence = permanent("Silence", Static((Part(CREATURES, (LoseAllAbilities(),)),)))
    lie = [Permanent("silence", silence, draw(st.sampled_from(there.players)))] * silent
    tale = Tale(table(held_by(there, {player: [HeldCard("hydra", hydra)]}), lie, there.sides[0]))
    tale.do(CastAction("hydra", player), Pass("everyone"))
    because = "CR 614.12: how it enters is seen from how it would be on the battlefield"
    tale.see("hydra", "power", 1 if silent else 1 + n, because)
    return tale


@sort("casting", "steps", "triggers")
def promised_as_it_enters(draw: DrawFn, there: Round) -> Tale:
    """Something is arranged for later as a creature enters."""
    player, n = there.players[0], draw(st.integers(1, 3))
    later = Later(Beginning("end", Everyone(), next=True), (LoseLife(n),), name="debt")
    debtor = creature("Debtor", 2, 2, AsEnters(effect=(later,)))
    seats = held_by(there, {player: [HeldCard("debtor", debtor)]}, library=1)
    tale = Tale(table(seats, (), there.sides[0]))
    tale.do(CastAction("debtor", player), Pass("everyone"), Advance("end", there.sides[0]), Pass("everyone"))
    because = "CR 614.13: an effect may do more as a permanent enters (CR 603.7: later, if it says so)"
    tale.see(player, "life", 20 - n, because)
    return tale


@sort("casting", "steps", "attachments", "anthems", "choices")
def auras_put(draw: DrawFn, there: Round) -> Tale:
    """An Aura is put onto the battlefield from a hand, with several creatures there or none."""
    player, many = there.players[0], draw(st.sampled_from((2, 3, 0)))
    own = All(type=frozenset({"Enchantment"}), zones=frozenset({"hand"}), of=You())
    lower = spell("Lower", Put(own, "battlefield", You()))
    seats = held_by(there, {player: [HeldCard("lower", lower), HeldCard("mantle", MANTLE)]})
    lie = [Permanent(f"bear{n}", BEAR, draw(st.sampled_from(there.players))) for n in range(many)]
    tale = Tale(table(seats, lie, there.sides[0]))
    tale.do(CastAction("lower", player))
    if not many:
        tale.do(Pass("everyone"))
        because = "CR 303.4g: an Aura that could enchant nothing stays where it is"
        tale.see("mantle", "zone", "hand", because)
        return tale
    host = draw(st.sampled_from([laid.id for laid in reversed(lie)]))
    tale.do(ChooseAction("object", player, (host,), "mantle"), Pass("everyone"))
    because = "CR 303.4f: who puts it there chooses what it enchants"
    tale.see("mantle", "attached_to", host, because)
    return tale


@sort("casting", "steps", "attachments", "anthems")
def auras_cast(draw: DrawFn, there: Round) -> Tale:
    """An Aura spell with one of several creatures as its target."""
    player = there.players[0]
    lie = [Permanent(f"bear{n}", BEAR, draw(st.sampled_from(there.players))) for n in range(3)]
    tale = Tale(table(held_by(there, {player: [HeldCard("mantle", MANTLE)]}), lie, there.sides[0]))
    host = draw(st.sampled_from(("bear2", "bear1", "bear0")))
    tale.do(CastAction("mantle", player, targets=((host,),)), Pass("everyone"))
    tale.see("mantle", "attached_to", host, "CR 608.3c: it enters attached to what was its target")
    return tale


@sort("casting", "steps", "counters")
def stun_counters(draw: DrawFn, there: Round) -> Tale:
    """A tapped creature with a stun counter, or without one, is to untap."""
    player, with_one = there.players[0], draw(st.booleans())
    bind = spell("Bind", PutCounters((Counters("stun", 1),), CREATURES))
    wake = spell("Wake", Untap(CREATURES))
    seats = held_by(there, {player: [HeldCard("bind", bind), HeldCard("wake", wake)]})
    tale = Tale(table(seats, [Permanent("bear", BEAR, player, tapped=True)], there.sides[0]))
    for id in ("bind", "wake") if with_one else ("wake",):
        tale.do(CastAction(id, player), Pass("everyone"))
    because = "CR 614.6: it loses a stun counter instead, and never becomes untapped"
    tale.see("bear", "tapped", with_one, because)
    return tale


@law_of(
    back_without_counters,
    entering_without_abilities,
    rules=("122.2", "614.12"),
    needs=("casting", "steps", "targets", "counters"),
)
def what_enters_is_as_it_would_be_there() -> None:
    """A permanent enters without its former counters; the counters it enters with depend on the abilities it
    would have on the battlefield.

    It does not check creatures that enter at the same time.
    """


@law_of(
    promised_as_it_enters,
    stun_counters,
    rules=("603.7", "614.6", "614.13"),
    needs=("casting", "steps", "triggers"),
)
def what_happens_instead_is_all_that_happens() -> None:
    """A replacement happens with everything that belongs to it, and the replaced event does not happen."""


@law_of(
    auras_put,
    auras_cast,
    rules=("303.4f", "303.4g", "608.3c"),
    needs=("casting", "steps", "attachments", "anthems"),
)
def auras_enter_attached_to_what_was_chosen() -> None:
    """An Aura enters attached to its target, or to what its controller chooses if it was not cast; if there
    is nothing to enchant, it stays where it is.

    It does not check Auras that enchant players or other permanents.
    """


@sort("casting", "steps", "attachments", "targets")
def auras_moved(draw: DrawFn, there: Round) -> Tale:
    """A spell attaches an Aura to a creature that may have protection from it."""
    player, guarded = there.players[0], draw(st.booleans())
    mantle = permanent(
        "Robe", Keyword("enchant", what=Filter(type=frozenset({"Creature"}))), subtypes=("Aura",)
    )
    mantle = replace(mantle, cost="{W}")
    guard = Keyword("protection", what=Filter(color=frozenset({"white" if guarded else "red"})))
    auras = TargetSpec(All(type=frozenset({"Enchantment"})), name="aura")
    move = spell(
        "Move", Attach(The("aura"), The("host")), targets=(auras, TargetSpec(CREATURES, name="host"))
    )
    lie = [Permanent("bear", BEAR, player), Permanent("monk", creature("Monk", 1, 1, guard), player)]
    lie += [Permanent("robe", mantle, player, attached_to="bear")]
    tale = Tale(table(held_by(there, {player: [HeldCard("move", move)]}), lie, there.sides[0]))
    tale.do(CastAction("move", player, targets=(("robe",), ("monk",))), Pass("everyone"))
    because = "CR 701.3b: what can't be attached to something stays where it is"
    tale.see("robe", "attached_to", "bear" if guarded else "monk", because)
    return tale


@law(rules=("800.4a",), needs=("casting", "steps", "targets", "anthems", "three players"), sizes=(3,))
def what_is_a_players_goes_with_the_player(draw: DrawFn, there: Round) -> Tale:
    """When a player leaves the game, that player's cards leave too, and nobody else's.

    One of three players loses, who owns what strengthens all creatures.

    It does not check spells and abilities on the stack.
    """
    player, loser = there.players[0], draw(st.sampled_from(there.players[1:]))
    bolt = spell("Bolt", Damage(20, TARGET), targets=(PLAYER,))
    crown = anthem("Crown", 1, 1, CREATURES)
    seats = held_by(there, {player: [HeldCard("bolt", bolt)]})
    lie = [Permanent("bear", BEAR, player), Permanent("crown", crown, loser)]
    tale = Tale(table(seats, lie, there.sides[0]))
    tale.see("bear", "power", 3, "CR 611.3a: it is strengthened as long as that permanent is there")
    tale.do(CastAction("bolt", player, targets=((loser,),)), Pass("everyone"))
    because = "CR 800.4a: all that a player owns leaves the game with that player"
    tale.see("bear", "power", 2, because)
    return tale


@law(rules=("800.4a",), needs=("casting", "steps", "targets", "control", "three players"), sizes=(3,))
def control_ends_with_the_player_who_has_it(draw: DrawFn, there: Round) -> Tale:
    """When a player leaves the game, effects that give this player control end; effects that the player
    created do not.

    A player gives somebody's creature, perhaps stolen before, to a third; one of these two then loses.
    """
    giver, owner, receiver = there.players[0], *draw(st.permutations(there.players[1:]))
    stolen, loser = draw(st.booleans()), draw(st.sampled_from((receiver, giver)))
    theft = spell("Theft", Effect(TARGET, (GainControl(),)), targets=(CREATURE,))
    receivers = TargetSpec(players=Everyone(), name="receiver")
    gift = spell("Gift", Effect(TARGET, (GainControl(The("receiver")),)), targets=(CREATURE, receivers))
    bolt = spell("Bolt", Damage(20, TARGET), targets=(PLAYER,))
    hands = {giver: [HeldCard("theft", theft), HeldCard("gift", gift)], owner: [HeldCard("bolt", bolt)]}
    tale = Tale(table(held_by(there, hands), [Permanent("bear", BEAR, owner)], there.sides[0]))
    if stolen:
        tale.do(CastAction("theft", giver, targets=(("bear",),)), Resolve("theft"))
    tale.do(CastAction("gift", giver, targets=(("bear",), (receiver,))), Resolve("gift"))
    tale.do(*(Pass(player) for player in there.players[: there.players.index(owner)]))
    tale.do(CastAction("bolt", owner, targets=((loser,),)), Resolve("bolt"))
    if loser == giver:
        because = "CR 800.4a: only effects that give control to the player who left end; the gift was not one"
        tale.see("bear", "controller", receiver, because)
    else:
        because = "CR 800.4a: the effect that gave control to the player who left ends, whoever began it"
        tale.see("bear", "controller", giver if stolen else owner, because)
    return tale


# ------------------------------------------------------------------------------- what is attached


@sort("casting", "steps", "attachments", "anthems", "abilities", "types", "targets")
def no_longer_fitting(draw: DrawFn, there: Round) -> Tale:
    """What is attached, or what it is attached to, becomes something else."""
    player = there.players[0]
    what = draw(st.sampled_from(("mantle", "blade")))
    card = MANTLE if what == "mantle" else BLADE
    stone = spell(
        "Stone", Effect(TARGET, (SetTypes(frozenset({"Artifact"})),), "end of turn"), targets=(CREATURE,)
    )
    lie = [Permanent("bear", BEAR, player), Permanent(what, card, player, attached_to="bear")]
    tale = Tale(table(held_by(there, {player: [HeldCard("stone", stone)]}), lie, there.sides[0]))
    tale.do(CastAction("stone", player, targets=(("bear",),)), Pass("everyone"))
    if what == "mantle":
        because = "CR 303.4c: an Aura on what it can't enchant goes to the graveyard"
        tale.see("mantle", "zone", "graveyard", because)
    else:
        because = "CR 301.5: an Equipment is on a creature or on nothing"
        tale.see("blade", "attached_to", None, because)
    return tale


@sort(
    "casting",
    "steps",
    "attachments",
    "anthems",
    "abilities",
    "types",
    "activated abilities",
    "set power and toughness",
)
def walking_equipment(draw: DrawFn, there: Round) -> Tale:
    """An Equipment that has become a creature, or has not, is to equip one."""
    player, wakes = there.players[0], draw(st.booleans())
    does = (AddTypes(types=frozenset({"Creature"})), Base(1, 1))
    forge = spell("Forge", Effect(All(type=frozenset({"Artifact"})), does, "end of turn"))
    lie = [Permanent("bear", BEAR, player), Permanent("blade", BLADE, player)]
    tale = Tale(table(held_by(there, {player: [HeldCard("forge", forge)]}), lie, there.sides[0]))
    if wakes:
        tale.do(CastAction("forge", player), Pass("everyone"))
    tale.do(Activate("blade", "equip", player, (("bear",),)), Pass("everyone"))
    because = "CR 301.5c: an Equipment that is a creature can't equip another"
    tale.see("blade", "attached_to", None if wakes else "bear", because)
    return tale


@law_of(
    no_longer_fitting,
    walking_equipment,
    auras_moved,
    rules=("301.5", "301.5c", "303.4c", "701.3b"),
    needs=("casting", "steps", "attachments", "targets"),
)
def things_are_attached_only_to_what_they_may_be() -> None:
    """An Aura or Equipment is never attached to something illegal, and a creature is never attached to
    anything.
    """


# ----------------------------------------------------------------------------- what triggers


@sort("casting", "steps", "triggers", "tokens")
def several_at_once(draw: DrawFn, there: Round) -> Tale:
    """Several creatures enter together, and an ability triggers on each."""
    player, many = there.players[0], draw(st.integers(1, 3))
    soldier = Card("Soldier", frozenset({"Creature"}), subtypes=frozenset({"Soldier"}), power=1, toughness=1)
    muster = spell("Muster", Create(soldier, many), type="Sorcery")
    watcher = creature("Host", 1, 1, Triggered(Enters(CREATURES), (GainLife(1),), name="greet"))
    owner = draw(st.sampled_from(there.players))
    seats = held_by(there, {player: [HeldCard("muster", muster)]})
    tale = Tale(table(seats, [Permanent("host", watcher, owner)], there.sides[0]))
    tale.do(CastAction("muster", player), Pass("everyone"))
    names = ("greet of host", *(f"greet of host ({n})" for n in range(2, many + 1)))
    tale.see("table", "stack", names, "CR 603.2c: an ability triggers once for each thing of its kind")
    return tale


@sort("casting", "steps", "triggers", "targets")
def without_a_target(draw: DrawFn, there: Round) -> Tale:
    """An ability triggers that has something to target, or nothing."""
    player, there_is = there.players[0], draw(st.booleans())
    relic = All(type=frozenset({"Artifact"}))
    herald = creature(
        "Herald", 1, 1, Triggered(Enters(), (Sacrifice(TARGET),), (TargetSpec(relic),), name="claim")
    )
    lie = [Permanent("relic", permanent("Relic", type="Artifact"), there.players[1])] * there_is
    tale = Tale(table(held_by(there, {player: [HeldCard("herald", herald)]}), lie, there.sides[0]))
    tale.do(CastAction("herald", player), Pass("everyone"))
    because = "CR 603.3d: an ability without a legal target is removed, and never on the stack"
    tale.see("table", "stack", ("claim of herald",) if there_is else (), because)
    return tale


@sort("steps", "triggers", "teams", sizes=(4,))
def for_each_of_a_team(draw: DrawFn, there: Round) -> Tale:
    """An ability triggers at the beginning of each player's upkeep, and speaks of that player."""
    dawn = permanent(
        "Dawn", Triggered(Beginning("upkeep", Everyone()), (GainLife(1, ActivePlayer()),), name="morning")
    )
    owner = draw(st.sampled_from(there.players))
    seats = held_by(there, {}, library=1)
    tale = Tale(table(seats, [Permanent("dawn", dawn, owner)], there.sides[0], "end"))
    tale.do(Advance("upkeep", there.sides[1]))
    many = sum(seat.team == there.sides[1] for seat in there.seats) or 1
    names = ("morning of dawn", "morning of dawn (2)")[:many]
    because = "CR 805.4d: in a turn that a team shares it triggers once for each of its players"
    tale.see("table", "stack", names, because)
    return tale


@sort("casting", "steps", "triggers", "attachments", "targets")
def aura_with_its_host(draw: DrawFn, there: Round) -> Tale:
    """An Aura's ability triggers as what it enchants dies, and the Aura goes with it."""
    player = there.players[0]
    rancor = permanent(
        "Ghost",
        Keyword("enchant", what=Filter(type=frozenset({"Creature"}))),
        Triggered(Dies(Attached()), (Put(This(), "hand"),), name="return"),
        subtypes=("Aura",),
    )
    seats = held_by(there, {player: [HeldCard("murder", MURDER)]})
    lie = [Permanent("bear", BEAR, there.players[1]), Permanent("ghost", rancor, player, attached_to="bear")]
    tale = Tale(table(seats, lie, there.sides[0]))
    tale.do(CastAction("murder", player, targets=(("bear",),)), Pass("everyone"), Pass("everyone"))
    because = "CR 400.7f: the ability finds the Aura in the graveyard, where it went with its host"
    tale.see("ghost", "zone", "hand", because)
    return tale


@sort("casting", "steps", "triggers")
def condition_not_met(draw: DrawFn, there: Round) -> Tale:
    """An ability with an intervening "if", which holds or not as what the ability waits for happens."""
    player, met = there.players[0], draw(st.booleans())
    proud = Triggered(
        Enters(CREATURES), (GainLife(1),), cond=Exists(All(type=frozenset({"Artifact"}))), name="boast"
    )
    lie = [Permanent("proud", permanent("Proud", proud), draw(st.sampled_from(there.players)))]
    lie += [Permanent("relic", permanent("Relic", type="Artifact"), there.players[1])] * met
    tale = Tale(table(held_by(there, {player: [HeldCard("bear", BEAR)]}), lie, there.sides[0]))
    tale.do(CastAction("bear", player), Pass("everyone"))
    because = "CR 603.4: an ability with an intervening if triggers only if that is so"
    tale.see("table", "stack", ("boast of proud",) if met else (), because)
    return tale


@law_of(
    several_at_once,
    for_each_of_a_team,
    rules=("603.2c", "805.4d"),
    needs=("casting", "steps", "triggers", "tokens"),
)
def abilities_trigger_once_for_each_cause() -> None:
    """An ability triggers once for each object that enters, and once for each player of a team whose step
    begins.
    """


@law_of(
    without_a_target,
    condition_not_met,
    aura_with_its_host,
    rules=("400.7f", "603.3d", "603.4"),
    needs=("casting", "steps", "triggers"),
)
def abilities_are_stacked_if_they_can_do_something() -> None:
    """A triggered ability without a legal target, or whose condition does not hold, is not put on the stack;
    it can still find objects that are gone.

    It does not check the order of abilities on the stack.
    """


SWEEP = spell("Sweep", Destroy(CREATURES))


@law(rules=("400.7e", "603.10a"), needs=("casting", "steps", "triggers"))
def an_ability_finds_its_card_where_its_own_death_put_it(draw: DrawFn, there: Round) -> Tale:
    """An ability of a creature that died finds its card in the graveyard if that creature's own death
    triggered it, and not if another creature's did at the same time.
    """
    player, own = there.players[0], draw(st.booleans())
    watched = This() if own else replace(CREATURES, other_than=This())
    phoenix = creature("Phoenix", 1, 1, Triggered(Dies(watched), (Put(This(), "hand"),), name="return"))
    lie = [
        Permanent("phoenix", phoenix, player),
        Permanent("bear", BEAR, draw(st.sampled_from(there.players))),
    ]
    seats = held_by(there, {player: [HeldCard("sweep", SWEEP)]})
    tale = Tale(table(seats, draw(st.permutations(lie)), there.sides[0]))
    tale.do(CastAction("sweep", player), Pass("everyone"))
    because = "CR 603.10a: both died at the same time, and the ability looks back"
    tale.see("table", "stack", ("return of phoenix",), because)
    tale.do(Pass("everyone"))
    because = "CR 400.7e: a card is found where the move that triggered the ability put it, and only then"
    tale.see("phoenix", "zone", "hand" if own else "graveyard", because)
    return tale


def dyer(name: str, kind: CardType) -> Card:
    """A creature for which a colour is chosen, and that gives it to all of a card type."""
    dyed = Static((Part(All(type=frozenset({kind})), (SetColors(frozenset({"chosen color"})),)),))
    return creature(name, 2, 2, AsEnters(choose=(ChooseInstruction("color"),)), dyed)


SHAPE = spell(
    "Shape",
    Effect(The("one"), (BecomeCopy(The("other")),), "end of turn"),
    targets=(TargetSpec(what=CREATURES, name="one"), TargetSpec(what=CREATURES, name="other")),
)


@law(
    rules=("607.5", "607.5a", "707.2"), needs=("casting", "steps", "choices", "copies", "colours", "targets")
)
def what_was_chosen_was_for_one_ability(draw: DrawFn, there: Round) -> Tale:
    """A choice made as a creature entered counts only for the ability that asked for it, not for the text of
    another creature that it copies.

    A creature for which a colour was chosen becomes a copy of another that chose one as well.
    """
    player = there.players[0]
    colors = draw(st.sampled_from((("red", "white"), ("white", "green"), ("green", "red"))))
    cards = {"gardener": dyer("Gardener", "Land"), "smith": dyer("Smith", "Artifact")}
    dyes = {"gardener": "field", "smith": "relic"}
    older, newer = draw(st.sampled_from((("gardener", "smith"), ("smith", "gardener"))))
    chosen = {older: colors[0], newer: colors[1]}
    hand = [*(HeldCard(id, card) for id, card in cards.items()), HeldCard("shape", SHAPE)]
    lie = [Permanent("field", FIELD, player), Permanent("relic", permanent("Relic", type="Artifact"), player)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    for id in (older, newer):
        tale.do(CastAction(id, player), ChooseAction("color", player, (chosen[id],), id), Pass("everyone"))
    for id in (older, newer):
        because = "CR 614.12a: the colour that was chosen as its creature entered"
        tale.see(dyes[id], "colors", (chosen[id],), because)
    tale.do(CastAction("shape", player, targets=((newer,), (older,))), Pass("everyone"))
    because = "CR 607.5a: what was chosen for one ability is not chosen for another that a copy has"
    tale.see(dyes[older], "colors", (chosen[older],), because)
    return tale


@law(rules=("614.1c",), needs=("casting", "steps", "counters"))
def counters_come_along_only_under_the_condition(draw: DrawFn, there: Round) -> Tale:
    """A permanent that enters with counters under a condition has them only if the condition holds then.

    A creature that enters with counters if its controller has such another creature; zero or one of these.
    """
    player, n = there.players[0], draw(st.integers(1, 3))
    meets = draw(st.booleans())
    pack = AsEnters(
        counters=(Counters("+1/+1", n),),
        cond=Exists(All(type=frozenset({"Creature"}), controller=You(), other_than=This())),
    )
    hand = [HeldCard("wolf", creature("Wolf", 1, 1, pack))]
    lie = [Permanent("bear", BEAR, player if meets else there.players[1])]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(CastAction("wolf", player), Pass("everyone"))
    because = "CR 614.1c: it enters with them" if meets else "CR 614.1c: only if the condition holds"
    tale.see("wolf", "power", 1 + n if meets else 1, because)
    return tale


@law(rules=("611.3a",), needs=("steps", "anthems"))
def each_player_means_every_one(draw: DrawFn, there: Round) -> Tale:
    """An effect that applies as long as something is true of each player applies only while it is true of
    every one of them, and one about any player as soon as it is true of one.

    Some of the players have cards in hand.
    """
    player = there.players[0]
    holders = draw(st.sets(st.sampled_from([seat.id for seat in there.seats])))
    every = draw(st.booleans())
    full = AnyPlayer(Everyone(), Compare(PropertyOf("hand_size", It()), ">=", 2), every)
    proud = creature("Proud", 1, 1, Static((Part(This(), (Modify(4, 0),)),), full))
    hands = {id: [HeldCard(f"{id}_{k}", BEAR) for k in range(2)] for id in sorted(holders)}
    tale = Tale(table(held_by(there, hands), [Permanent("proud", proud, player)], there.sides[0]))
    applies = len(holders) == len(there.seats) if every else bool(holders)
    because = "CR 611.3a: the effect applies to what its text says, while it says so"
    tale.see("proud", "power", 5 if applies else 1, because)
    return tale


@law(rules=("111.3",), needs=("casting", "steps", "targets", "tokens", "anthems"))
def a_token_has_the_size_that_is_told(draw: DrawFn, there: Round) -> Tale:
    """A token created with a power and toughness equal to a number has them from then on, whatever becomes of
    that number.

    One to three creatures, counted as the token is created, of which one then goes away.
    """
    player, n = there.players[0], draw(st.integers(1, 3))
    ooze = Card("Ooze", frozenset({"Creature"}), subtypes=frozenset({"Ooze"}), power=0, toughness=0)
    split = spell("Split", Create(ooze, size=Count(YOUR_CREATURES)), type="Sorcery")
    total = PropertyOf("power", All(subtype=frozenset({"Ooze"})))
    scale = creature("Scale", 0, 1, Static((Part(This(), (Modify(total, 0),)),)))
    lie = [Permanent(f"bear{k}", BEAR, player) for k in range(n)]
    lie.append(Permanent("scale", scale, there.players[1]))
    hand = [HeldCard("split", split), HeldCard("murder", MURDER)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(CastAction("split", player), Pass("everyone"))
    tale.do(CastAction("murder", player, targets=(("bear0",),)), Pass("everyone"))
    tale.see("scale", "power", n, "CR 111.3: the number is a characteristic of the token")
    return tale


@law(rules=("120.3a", "120.3e"), needs=("casting", "steps"))
def damage_reaches_each_group(draw: DrawFn, there: Round) -> Tale:
    """A spell that deals damage to each creature and each player deals as much to all of them.

    One to three damage, and creatures of any player.
    """
    player, n = there.players[0], draw(st.integers(1, 3))
    quake = spell("Quake", Damage(n, All(type=frozenset({"Creature"})), also=Everyone()), type="Sorcery")
    owners = draw(st.lists(st.sampled_from(there.players), min_size=1, max_size=3))
    lie = [Permanent(f"wall{k}", creature("Wall", 0, 9), owner) for k, owner in enumerate(owners)]
    tale = Tale(table(held_by(there, {player: [HeldCard("quake", quake)]}), lie, there.sides[0]))
    tale.do(CastAction("quake", player), Pass("everyone"))
    for k in range(len(owners)):
        tale.see(f"wall{k}", "damage", n, "CR 120.3e: the damage is marked on each creature")
    for seat in there.seats:
        if seat.team is None:
            tale.see(seat.id, "life", 20 - n, "CR 120.3a: and each player loses that much life")
    return tale


EFFECTS: tuple[Property[Any], ...] = (
    players_choose_as_a_spell_resolves,
    nobody_sacrifices_what_is_anothers,
    what_is_on_the_stack_does_without_what_it_came_from,
    effects_last_as_long_as_they_say,
    being_tapped_counts_at_once,
    steps_are_skipped_and_turns_are_added,
    what_enters_is_as_it_would_be_there,
    what_was_chosen_was_for_one_ability,
    what_happens_instead_is_all_that_happens,
    auras_enter_attached_to_what_was_chosen,
    what_is_a_players_goes_with_the_player,
    control_ends_with_the_player_who_has_it,
    things_are_attached_only_to_what_they_may_be,
    abilities_trigger_once_for_each_cause,
    abilities_are_stacked_if_they_can_do_something,
    an_ability_finds_its_card_where_its_own_death_put_it,
    counters_come_along_only_under_the_condition,
    each_player_means_every_one,
    a_token_has_the_size_that_is_told,
    damage_reaches_each_group,
)
