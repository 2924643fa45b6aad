"""Laws of triggered abilities and state-based actions (CR 603, 704): in which order, when, and whether."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.properties.games_returning import BLINK
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, passes, sort
from conformance.strategies.cards import CREATURES, TARGET, in_any_order, several
from conformance.strategies.decks import (
    BEAR,
    CALM,
    CREATURE,
    GROWTH,
    INSIGHT,
    MURDER,
    OTHER_CREATURES,
    PLAYER,
    YOUR_CREATURES,
    creature,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Activate,
    Advance,
    Attack,
    Attacker,
    Block,
    Blocker,
    CastAction,
    ChooseAction,
    Pass,
)
from reference_engine.language.cards import (
    AbilityTriggers,
    Activated,
    Activates,
    AddMana,
    All,
    AsEnters,
    BecomeCopy,
    BecomesTapped,
    BecomesUntapped,
    Card,
    CastEvent,
    CopySpell,
    Count,
    Counters,
    Damage,
    Dies,
    Draw,
    Effect,
    Enters,
    Everyone,
    Exile,
    Exists,
    Filter,
    Gain,
    GainLife,
    GetsCounters,
    It,
    Later,
    LoseLife,
    ManaCost,
    Not,
    OneOrMore,
    Opponents,
    Part,
    PropertyOf,
    PutCounters,
    SacrificeCost,
    Selector,
    State,
    Static,
    Tap,
    TapThis,
    TargetSpec,
    This,
    Times,
    Transform,
    Transforms,
    Triggered,
    TriggersAgain,
    TurnedFaceUp,
    Untap,
    You,
)
from reference_engine.language.words import AbilityClass, Color

WELCOME = permanent("Welcome", Triggered(Enters(CREATURES), (GainLife(1),), name="greet"))
HELLO = permanent("Hello", Triggered(Enters(CREATURES), (GainLife(2),), name="wave"))


# ---------------------------------------------------------------------------------------- their order


@sort(sizes=(2, 3))
def some_of_all(draw: DrawFn, there: Round) -> Tale:
    """Up to two abilities of each of two or three players trigger as one creature enters."""
    return triggers_of_all(draw, there, draw(st.integers(0, 2)))


@sort(sizes=(3, 3, 3, 4))
def two_of_each(draw: DrawFn, there: Round) -> Tale:
    """Two abilities of each of three or four players trigger as one creature enters."""
    return triggers_of_all(draw, there, 2)


def triggers_of_all(draw: DrawFn, there: Round, least: int) -> Tale:
    """Abilities of several players that trigger as one creature enters, a minimum number of each, and each
    player's own in an order that the player chooses.
    """
    caster = there.players[0]
    permanents: list[Permanent] = []
    chosen: dict[str, list[str]] = {}
    for number, player in enumerate(there.players):
        many = draw(st.integers(max(least, int(number == 1)), 2))
        cards = draw(in_any_order((WELCOME, HELLO)))[:many]
        named = [Permanent(f"{card.name[5:].lower()}_{player}", card, player) for card in cards]
        permanents += named
        words = {WELCOME.name: "greet", HELLO.name: "wave"}
        chosen[player] = [f"{words[laid.card.name]} of {laid.id}" for laid in draw(in_any_order(named))]
    entered = draw(in_any_order(permanents))
    tale = Tale(table(held_by(there, {caster: [HeldCard("bear", BEAR)]}), entered, turn=there.sides[0]))
    tale.do(CastAction("bear", caster))
    for side, player in zip(there.sides, there.players, strict=True):
        if len(chosen[player]) > 1:
            tale.do(ChooseAction("order", player if side == player else side, tuple(chosen[player])))
    tale.do(Pass("everyone"))
    stack = tuple(name for player in there.players for name in chosen[player])
    because = (
        "CR 603.3b: the active player puts their triggered abilities on the stack first, each player in the "
        "order they choose, and then the next in turn order"
    )
    tale.see("table", "stack", stack, because)
    tale.see("table", "priority", there.sides[0], "CR 117.5: all that before anybody gets priority")
    return tale


@law_of(
    some_of_all,
    *[two_of_each] * 5,
    rules=("603.3b", "101.4", "117.5"),
    needs=("casting", "steps", "triggers", "choices"),
)
def the_active_players_triggers_are_stacked_first() -> None:
    """Abilities that triggered together are put on the stack player by player, starting with the active
    player, so they resolve in the opposite order.

    It does not check what the abilities do or who controls them.
    """


@law(rules=("603.3b",), needs=("casting", "steps", "triggers", "choices"))
def players_order_their_own_triggers(draw: DrawFn, there: Round) -> Tale:
    """A player whose abilities trigger together chooses their order on the stack.

    Two abilities of one player that trigger together, and the order in which the player wants them.

    It does not check the order among several players.
    """
    caster, owner = there.players[0], draw(st.sampled_from(there.players))
    both = draw(in_any_order((Permanent("welcome", WELCOME, owner), Permanent("hello", HELLO, owner))))
    order = tuple(draw(in_any_order(("greet of welcome", "wave of hello"))))
    tale = Tale(table(held_by(there, {caster: [HeldCard("bear", BEAR)]}), both, turn=there.sides[0]))
    side = next(side for side, player in zip(there.sides, there.players, strict=True) if player == owner)
    tale.do(CastAction("bear", caster), ChooseAction("order", side, order), Pass("everyone"))
    because = (
        "CR 603.3b: each player puts their own triggered abilities on the stack in the order they choose"
    )
    tale.see("table", "stack", order, because)
    return tale


ECHOES = permanent(
    "Echoes",
    Triggered(AbilityTriggers(All(controller=You(), other_than=This())), (GainLife(3),), name="resound"),
)


@law(rules=("603.3b",), needs=("casting", "steps", "triggers"))
def triggers_on_triggers_come_after_all_others(draw: DrawFn, there: Round) -> Tale:
    """An ability that triggers on another ability triggering is put on the stack after all others.

    An ability that triggers on abilities triggering, and others that trigger with it.

    It does not check what the abilities do.
    """
    caster = there.players[0]
    other = there.players[draw(st.integers(1, len(there.players) - 1))]
    lie = [
        Permanent("welcome", WELCOME, caster),
        Permanent("echoes", ECHOES, caster),
        Permanent("hello", HELLO, other),
    ]
    lie = list(draw(in_any_order(lie)))
    tale = Tale(table(held_by(there, {caster: [HeldCard("bear", BEAR)]}), lie, turn=there.sides[0]))
    tale.do(CastAction("bear", caster), Pass("everyone"))
    because = "CR 603.3b: abilities that triggered on another ability triggering are stacked after all others"
    tale.see("table", "stack", ("greet of welcome", "wave of hello", "resound of echoes"), because)
    return tale


# ---------------------------------------------------------------------------------- when, and whether


MOURNING = permanent("Mourning", Triggered(Dies(CREATURES), (GainLife(2),), name="mourn"))


@law(rules=("117.5", "704.3", "704.5f"), needs=("casting", "steps", "triggers"))
def state_based_actions_come_before_triggers(draw: DrawFn, there: Round) -> Tale:
    """Before anybody gets priority, state-based actions are performed, and then triggered abilities are put
    on the stack: those that were waiting together with those that the actions caused.

    A creature without toughness enters: one player has an ability that triggers on that, another one that
    triggers as it dies.
    """
    caster = there.players[0]
    other = there.players[draw(st.integers(1, len(there.players) - 1))]
    frail = creature("Frail", draw(st.integers(0, 3)), 0)
    lie = draw(in_any_order((Permanent("mourning", MOURNING, caster), Permanent("welcome", WELCOME, other))))
    tale = Tale(table(held_by(there, {caster: [HeldCard("frail", frail)]}), lie, turn=there.sides[0]))
    tale.do(CastAction("frail", caster), Pass("everyone"))
    because = (
        "CR 117.5: state-based actions come first, then all that triggered is stacked, the active player's "
        "below"
    )
    tale.see("frail", "zone", "graveyard", "CR 704.5f: a creature with toughness 0 is put into the graveyard")
    tale.see("table", "stack", ("mourn of mourning", "greet of welcome"), because)
    return tale


WEALTH = permanent(
    "Wealth",
    Triggered(
        CastEvent(Filter(type=frozenset({"Instant"})), Everyone()),
        (GainLife(1),),
        cond=Exists(All(type=frozenset({"Creature"}), controller=You())),
        name="prosper",
    ),
)


@law(rules=("603.4",), needs=("casting", "steps", "triggers", "targets"))
def an_intervening_if_is_asked_twice(draw: DrawFn, there: Round) -> Tale:
    """An ability with an intervening "if" does nothing if the condition does not hold when it resolves.

    An ability with an intervening "if" that holds as it triggers, and perhaps no longer as it resolves: what
    makes it trigger destroys a creature, and so does a spell in response, which makes it trigger again.
    """
    caster, owner = there.players[0], draw(st.sampled_from(there.players))
    more = draw(st.integers(0, 1))
    lie = [Permanent("wealth", WEALTH, owner), Permanent("bear", BEAR, owner)]
    lie += [Permanent("other", BEAR, owner)] * more
    hand = [HeldCard("murder", MURDER), HeldCard("murder2", MURDER)]
    tale = Tale(table(held_by(there, {caster: hand}), lie, turn=there.sides[0]))
    for spell_cast in hand:
        tale.do(CastAction(spell_cast.id, caster, targets=(("bear",),)))
    stack = ("murder", "prosper of wealth", "murder2", "prosper of wealth (2)")
    tale.see("table", "stack", stack, "CR 603.4: it triggers, because the condition holds then")
    because = "CR 603.4: an intervening if is asked as the ability triggers and again as it resolves"
    tale.do(Pass("everyone"))
    tale.see(owner, "life", 21, because)
    tale.do(Pass("everyone"), Pass("everyone"))
    tale.see(owner, "life", 21 + more, because)
    return tale


STUDIES = permanent("Studies", Triggered(CastEvent(Filter(), Everyone()), (GainLife(1),), name="study"))
SCORN = permanent(
    "Scorn", Triggered(CastEvent(Filter(), Everyone()), (LoseLife(1, TARGET),), (PLAYER,), name="mock")
)


@law(rules=("603.3", "603.3a", "603.3d", "117.2a", "117.3c"), needs=("casting", "steps", "triggers"))
def a_trigger_is_stacked_before_anybody_acts(draw: DrawFn, there: Round) -> Tale:
    """An ability that triggers on a spell being cast is put on the stack above it before anybody acts; then
    the caster has priority.

    A spell is cast, in one's own turn or another's, and an ability triggers on that, perhaps one for which
    its controller chooses a target.
    """
    caster = draw(st.integers(0, len(there.players) - 1))
    player, owner = there.players[caster], draw(st.sampled_from(there.players))
    aimed = draw(st.sampled_from((False, True) if there.means.allow("targets", "choices") else (False,)))
    card, name = (SCORN, "mock of watch") if aimed else (STUDIES, "study of watch")
    lie = [Permanent("watch", card, owner)]
    tale = Tale(table(held_by(there, {player: [HeldCard("calm", CALM)]}), lie, there.sides[0]))
    tale.do(*passes(there.sides[:caster]))
    victim = draw(st.sampled_from(there.players)) if aimed else owner
    if aimed:
        tale.do(ChooseAction("targets", owner, (victim,), name))
    tale.do(CastAction("calm", player))
    because = "CR 603.3: a triggered ability is put on the stack the next time a player would get priority"
    tale.see("table", "stack", ("calm", name), because)
    because = "CR 117.3c: whoever acted has priority again, whatever triggered"
    if aimed:
        because = "CR 603.3d: to choose for a trigger is not to have priority (CR 117.3c: the caster has it)"
    tale.see("table", "priority", there.sides[caster], because)
    tale.do(Pass("everyone"))
    tale.see("table", "stack", ("calm",), "CR 405.5: the top of the stack resolves first")
    because = "CR 603.3a: the ability is controlled by who controlled its source"
    tale.see(victim, "life", 19 if aimed else 21, because)
    return tale


# ------------------------------------------------------------------- what happens, and what is so


def chimes(many: int) -> tuple[str, ...]:
    """So many triggered abilities of the bell, as the stack names them."""
    return ("chime of bell", *(f"chime of bell ({n})" for n in range(2, many + 1)))[:many]


@sort("casting", "steps", "triggers")
def tapped_again(draw: DrawFn, there: Round) -> Tale:
    """Creatures, some of them tapped, that are all to be tapped or untapped, and an ability that triggers as
    something becomes so.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    tapping = draw(st.sampled_from((True, False)))
    were = draw(several(st.booleans().map(lambda other: tapping != other), 1, 3))
    when = BecomesTapped(CREATURES) if tapping else BecomesUntapped(CREATURES)
    bell = permanent("Bell", Triggered(when, (GainLife(1),), name="chime"))
    told = spell("Lull", Tap(CREATURES)) if tapping else spell("Stir", Untap(CREATURES))
    lie = [Permanent("bell", bell, owner)]
    lie += [
        Permanent(f"bear{n}", BEAR, draw(st.sampled_from(there.players)), tapped=tapped)
        for n, tapped in enumerate(were)
    ]
    tale = Tale(table(held_by(there, {player: [HeldCard("word", told)]}), lie, there.sides[0]))
    tale.do(CastAction("word", player), Pass("everyone"))
    many = sum(tapped != tapping for tapped in were)
    because = "CR 603.2e: what is tapped or untapped already does not become so"
    tale.see("table", "stack", chimes(many), because)
    for laid in lie[1:]:
        tale.see(laid.id, "tapped", tapping, "CR 701.26a: the spell taps or untaps all of them")
    return tale


@sort("casting", "steps", "triggers")
def tapped_from_the_beginning(draw: DrawFn, there: Round) -> Tale:
    """A creature that enters tapped or untapped, and an ability that triggers as something becomes tapped."""
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    sleeps = draw(st.sampled_from((True, False)))
    bell = permanent("Bell", Triggered(BecomesTapped(CREATURES), (GainLife(1),), name="chime"))
    sloth = creature("Sloth", 2, 2, *[AsEnters(tapped=True)] * sleeps)
    seats = held_by(there, {player: [HeldCard("sloth", sloth)]})
    tale = Tale(table(seats, [Permanent("bell", bell, owner)], there.sides[0]))
    tale.do(CastAction("sloth", player), Pass("everyone"))
    tale.see("sloth", "tapped", sleeps, "CR 603.6d: how it enters is part of its entering")
    because = "CR 603.2e: what enters tapped does not become tapped"
    tale.see("table", "stack", (), because)
    return tale


@law_of(
    tapped_again,
    tapped_from_the_beginning,
    rules=("603.2e", "603.6d"),
    needs=("casting", "steps", "triggers"),
)
def becoming_so_is_more_than_being_so() -> None:
    """An ability that triggers when something becomes tapped or untapped needs a change: it ignores
    permanents that already are, and those that enter so.
    """


# --------------------------------------------------------------------------------------- counters


def about_counters(draw: DrawFn, there: Round) -> tuple[Card, str]:
    """A permanent with an ability about counters on your creatures, and what each occurrence is about."""
    each = draw(st.sampled_from(("creature", "counter", "event")))
    put = GetsCounters(YOUR_CREATURES, "+1/+1", each=each == "counter")
    when = OneOrMore(put) if each == "event" else put
    return permanent("Bell", Triggered(when, (GainLife(1),), name="chime")), each


def times_heard(each: str, creatures: int, n: int) -> int:
    """How often it triggers if `n` counters are put on each of so many creatures at the same time."""
    return {"creature": creatures, "counter": creatures * n, "event": min(creatures, 1)}[each]


@sort("casting", "steps", "triggers", "counters")
def counters_put_on_all(draw: DrawFn, there: Round) -> Tale:
    """A spell that puts counters on all creatures, some of them of another player."""
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    n, whose = draw(st.integers(1, 3)), [owner, owner, *draw(several(st.sampled_from(there.players), 0, 2))]
    bell, each = about_counters(draw, there)
    told = spell("Rain", PutCounters((Counters("+1/+1", n),), CREATURES))
    lie = [Permanent("bell", bell, owner)]
    lie += [Permanent(f"bear{number}", BEAR, one) for number, one in enumerate(whose)]
    tale = Tale(table(held_by(there, {player: [HeldCard("word", told)]}), lie, there.sides[0]))
    tale.do(CastAction("word", player), Pass("everyone"))
    many = times_heard(each, sum(one == owner for one in whose), n)
    tale.see("table", "stack", chimes(many), f"CR 603.2c: it triggers once for each {each}")
    return tale


@sort("casting", "steps", "triggers", "counters")
def counters_put_as_it_enters(draw: DrawFn, there: Round) -> Tale:
    """A creature that enters with counters, or without any."""
    player, n = there.players[0], draw(st.sampled_from((2, 1, 3, 0)))
    owner = draw(st.sampled_from((player, *there.players)))
    bell, each = about_counters(draw, there)
    sprout = creature("Sprout", 2, 2, *[AsEnters(counters=(Counters("+1/+1", n),))] * (n > 0))
    seats = held_by(there, {player: [HeldCard("sprout", sprout)]})
    tale = Tale(table(seats, [Permanent("bell", bell, owner)], there.sides[0]))
    tale.do(CastAction("sprout", player), Pass("everyone"))
    many = times_heard(each, int(player == owner and n > 0), n)
    because = "CR 122.6: the counters that it is given as it enters are put on it"
    tale.see("table", "stack", chimes(many), because)
    return tale


@law_of(
    counters_put_on_all,
    counters_put_as_it_enters,
    rules=("122.6", "603.2c"),
    needs=("casting", "steps", "triggers", "counters"),
)
def counters_are_heard_as_the_ability_says() -> None:
    """An ability about counters being put on creatures triggers once for each creature, for each counter or
    for all of them at once, as it says, and also for counters that a creature enters with.
    """


# -------------------------------------------------------------------------------------- activations

GLOW = Activated((ManaCost("{0}"),), (GainLife(2),), by=Everyone(), name="glow")
BURN_OUT = Activated((SacrificeCost(This()),), (GainLife(2),), name="glow")
SHINE = Activated((TapThis(),), (AddMana("{G}"),), by=Everyone(), name="mana")
LAMPS = (permanent("Lamp", GLOW, type="Artifact"), creature("Imp", 1, 1, GLOW))
MATCHES = (creature("Spark", 1, 1, BURN_OUT), permanent("Match", BURN_OUT, type="Artifact"))
PRISMS = (permanent("Prism", SHINE, type="Artifact"), creature("Firefly", 1, 1, SHINE))
"""Permanents whose ability any player may activate who can pay for it."""
MANA_ABILITIES: frozenset[AbilityClass] = frozenset({"mana abilities"})
SOME_PLAYERS: tuple[Selector, ...] = (Everyone(), You(), Opponents())


def about_activations(draw: DrawFn) -> Activates:
    """An event about some abilities that some players activate."""
    of, but = draw(st.sampled_from((CREATURES, None))), draw(st.sampled_from((MANA_ABILITIES, frozenset())))
    return Activates(draw(st.sampled_from(SOME_PLAYERS)), of, but)


def is_heard(when: Activates, device: Card, by_its_controller: bool) -> bool:
    """Whether an ability triggers on the ability of such a device being activated by its own controller, or
    by an opponent of that player.
    """
    meant = when.who == Everyone() or (when.who == You()) == by_its_controller
    such = when.of is None or "Creature" in device.types
    return meant and such and not (device in PRISMS and MANA_ABILITIES <= when.but)


def activation(draw: DrawFn, there: Round, devices: tuple[Card, ...], because: str) -> Tale:
    """A player activates an ability of one of these permanents, which may be another player's."""
    at = draw(st.integers(0, len(there.players) - 1))
    player, owner = there.players[at], draw(st.sampled_from(there.players))
    when, device = about_activations(draw), draw(st.sampled_from(devices))
    bell = permanent("Bell", Triggered(when, (GainLife(1),), name="chime"))
    # CR 701.21a: only its controller can sacrifice it.
    holder = player if device in MATCHES else draw(st.sampled_from(there.players))
    lie = [Permanent("bell", bell, owner), Permanent("thing", device, holder)]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    tale.do(*passes(there.sides[:at]), Activate("thing", "mana" if device in PRISMS else "glow", player))
    activated = () if device in PRISMS else ("glow of thing",)
    if device in PRISMS:
        tale.see("thing", "tapped", True, because)
    tale.see("table", "stack", (*activated, *chimes(is_heard(when, device, player == owner))), because)
    return tale


@sort("casting", "steps", "triggers", "activated abilities")
def a_player_activates_an_ability(draw: DrawFn, there: Round) -> Tale:
    """A player activates an ability of a permanent of anybody."""
    because = "CR 113.8: whoever activates an ability, whose source it may be, has activated it"
    return activation(draw, there, LAMPS, because)


@sort("casting", "steps", "triggers", "activated abilities")
def a_permanent_is_sacrificed_for_its_ability(draw: DrawFn, there: Round) -> Tale:
    """A player activates an ability of a permanent that is sacrificed to pay for it."""
    because = "CR 113.7a: what was sacrificed to pay for its ability is looked at as it last was"
    return activation(draw, there, MATCHES, because)


@sort("casting", "steps", "triggers", "activated abilities")
def a_mana_ability_is_activated(draw: DrawFn, there: Round) -> Tale:
    """A player activates a mana ability of a permanent of anybody."""
    return activation(draw, there, PRISMS, "CR 605.1a: this is a mana ability")


@sort("casting", "steps", "triggers", "activated abilities", "copies", "targets")
def an_ability_is_copied(draw: DrawFn, there: Round) -> Tale:
    """A player activates an ability, and a player copies it."""
    at = draw(st.integers(0, len(there.players) - 1))
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    when, device = about_activations(draw), draw(st.sampled_from(LAMPS))
    bell = permanent("Bell", Triggered(when, (GainLife(1),), name="chime"))
    ability = TargetSpec(stack=frozenset({"activated"}))
    echo = spell("Echo", CopySpell(TARGET, new_targets=False), targets=(ability,))
    lie = [Permanent("bell", bell, owner), Permanent("thing", device, player)]
    tale = Tale(table(held_by(there, {there.players[at]: [HeldCard("echo", echo)]}), lie, there.sides[0]))
    tale.do(Activate("thing", "glow", player), *passes(there.sides[:at]))
    tale.do(CastAction("echo", there.players[at], targets=(("glow of thing",),)), Pass("everyone"))
    heard = chimes(is_heard(when, device, player == owner))
    because = "CR 707.10: the copy is put on the stack, and is not activated"
    tale.see("table", "stack", ("glow of thing", *heard, "copy of glow of thing"), because)
    return tale


@law_of(
    a_player_activates_an_ability,
    *[a_permanent_is_sacrificed_for_its_ability] * 2,
    *[a_mana_ability_is_activated] * 2,
    an_ability_is_copied,
    rules=("113.7a", "113.8", "605.1a", "707.10"),
    needs=("casting", "steps", "triggers", "activated abilities", "copies", "targets"),
    times=2,
)
def activations_are_heard_as_the_ability_says() -> None:
    """An ability about abilities being activated triggers on those that such players activate of such
    permanents, of mana abilities only if it means them, and not on copies.
    """


# ------------------------------------------------------------------------------------ transforming

RED: frozenset[Color] = frozenset({"red"})
WOLF = Card(
    "Test Wolf", frozenset({"Creature"}), colors=RED, subtypes=frozenset({"Wolf"}), power=3, toughness=3
)
TALE = Card("Test Story", frozenset({"Enchantment"}), colors=RED)
TWO_FACED = (replace(creature("Pup", 1, 1), back=WOLF), replace(creature("Teller", 1, 1), back=TALE))
OTHERS = (BEAR, permanent("Field", type="Land"))
KINDS: tuple[Filter | None, ...] = (
    None,
    Filter(type=frozenset({"Creature"})),
    Filter(type=frozenset({"Enchantment"})),
)


@law(rules=("701.27a", "701.27b", "701.27c", "701.27e"), needs=("casting", "steps", "triggers"))
def transforming_is_heard_by_what_it_leads_to(draw: DrawFn, there: Round) -> Tale:
    """An ability about permanents transforming triggers on each that does, by what it is right after that,
    and one about permanents being turned face up does not.

    All permanents are to transform, of which some have two faces. Either face may be up.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    into, who = draw(st.sampled_from(KINDS)), draw(st.sampled_from((All(controller=You()), All())))
    turned_up = draw(st.sampled_from((False, False, True)))
    when = TurnedFaceUp(All()) if turned_up else Transforms(who, into)
    bell = permanent("Bell", Triggered(when, (GainLife(1),), name="chime"))
    cards = [draw(st.sampled_from(TWO_FACED)), *draw(several(st.sampled_from((*TWO_FACED, *OTHERS)), 0, 3))]
    lie = [Permanent("bell", bell, owner)]
    for number, card in enumerate(cards):
        up = draw(st.sampled_from((card, card.back)))
        holder = draw(st.sampled_from(there.players))
        lie.append(Permanent(f"thing{number}", card, holder, face=None if up is None else up.name))
    moon = spell("Moon", Transform(All()))
    tale = Tale(table(held_by(there, {player: [HeldCard("moon", moon)]}), lie, there.sides[0]))
    tale.do(CastAction("moon", player), Pass("everyone"))
    heard = 0
    for one in lie[1:]:
        after = other_face(one.card, one.face)
        of_theirs = who == All() or one.controller == owner
        such = into is None or into.type <= after.types
        heard += not turned_up and one.card.back is not None and of_theirs and such
        tale.see(one.id, "name", after.name, "CR 701.27a, 701.27c: what has two faces is turned over")
    because = "CR 701.27e: it triggers on what they are once they have transformed"
    if turned_up:
        because = "CR 701.27b: to transform is not to be turned face up"
    tale.see("table", "stack", chimes(heard), because)
    return tale


def other_face(card: Card, up: str | None) -> Card:
    """The face of a card that is up once it has been turned over, if it has two."""
    return card if card.back is None or up == card.back.name else card.back


# ------------------------------------------------------------------------------------------ states


@law(rules=("603.8", "704.4"), needs=("casting", "steps", "triggers", "targets"))
def a_state_that_holds_for_a_moment_is_noticed(draw: DrawFn, there: Round) -> Tale:
    """An ability that triggers while a condition holds triggers even if it held only for a moment of a
    resolution.

    A player's creatures, one of which is exiled and returned by a spell, under an ability that triggers while
    the player controls no creature.
    """
    player, caster = draw(st.sampled_from(there.players)), there.players[0]
    more = draw(st.integers(0, 1))
    dirge = permanent("Dirge", Triggered(State(Not(Exists(YOUR_CREATURES))), (GainLife(1),), name="lament"))
    lie = [
        Permanent("dirge", dirge, player),
        Permanent("bear", BEAR, player),
        *[Permanent("other", BEAR, player)] * more,
    ]
    tale = Tale(table(held_by(there, {caster: [HeldCard("blink", BLINK)]}), lie, there.sides[0]))
    tale.do(CastAction("blink", caster, targets=(("bear",),)))
    tale.see("table", "stack", ("blink",), "CR 603.8: there is a creature yet")
    tale.do(Pass("everyone"))
    because = "CR 603.8: it triggers as soon as the condition is true, also within a resolution"
    tale.see("table", "stack", () if more else ("lament of dirge",), because)
    tale.see("bear", "zone", "battlefield", "CR 608.2c: all of a spell is followed, in its order")
    return tale


EMPTY_HANDED = Not(Exists(All(zones=frozenset({"hand"}), of=You())))


@law(rules=("603.8",), needs=("casting", "steps", "triggers"))
def a_state_trigger_waits_for_its_own_ability(draw: DrawFn, there: Round) -> Tale:
    """A state trigger triggers once before anybody acts, and again only if the state still holds once the
    ability has left the stack.

    A player's last card is cast under an ability that triggers while there are none in hand, and that may
    change nothing about this.
    """
    there = there._replace(spare=False)
    player, mends = there.players[0], draw(st.booleans())
    cup = permanent("Cup", Triggered(State(EMPTY_HANDED), (Draw(1) if mends else GainLife(1),), name="fill"))
    seats = held_by(there, {player: [HeldCard("calm", CALM)]}, library=2)
    tale = Tale(table(seats, [Permanent("cup", cup, player)], there.sides[0]))
    tale.do(CastAction("calm", player))
    because = "CR 603.8: a state trigger does not trigger again while its ability is on the stack"
    tale.see("table", "stack", ("calm", "fill of cup"), because)
    tale.do(Pass("everyone"))
    because = "CR 603.8: once it has left the stack it triggers again if the condition is still true"
    tale.see("table", "stack", ("calm",) if mends else ("calm", "fill of cup"), because)
    return tale


@law(rules=("603.8",), needs=("combat", "steps", "triggers"), sizes=(2,))
def a_state_is_noticed_without_an_event(draw: DrawFn, there: Round) -> Tale:
    """An ability that waits for a state triggers as soon as the state is true, even if no event caused it.

    An ability triggers while some creature is unblocked; an attacker is blocked, or is not.

    It does not check what the ability does.
    """
    attacker, defender = there.players
    who, blocked = draw(st.sampled_from(there.players)), draw(st.booleans())
    free = State(Exists(All(type=frozenset({"Creature"}), unblocked=True)))
    watch = permanent("Watch", Triggered(free, (GainLife(1),), name="cheer"))
    lie = [
        Permanent("watch", watch, who),
        Permanent("bear", BEAR, attacker),
        Permanent("wall", BEAR, defender),
    ]
    tale = Tale(table(there.seats, lie, there.sides[0], "beginning of combat"))
    tale.do(Pass("everyone"), Attack((Attacker("bear", defender),), attacker), Pass("everyone"))
    tale.do(Block((Blocker("wall", ("bear",)),) if blocked else (), defender))
    because = "CR 603.8: it triggers as soon as its state is true, and is put on the stack before priority"
    tale.see("table", "stack", () if blocked else ("cheer of watch",), because)
    return tale


GONG = permanent(
    "Gong",
    Static((Part(All(controller=You()), (TriggersAgain(Enters(CREATURES)),)),)),
    type="Artifact",
)


@law(rules=("603.2d",), needs=("casting", "steps", "triggers"))
def abilities_trigger_additional_times(draw: DrawFn, there: Round) -> Tale:
    """Each effect that makes its controller's abilities trigger an additional time does so once for each of
    them.

    An ability that triggers as a creature enters, and effects that make it trigger additional times.

    It does not check targets and choices of the additional abilities.
    """
    caster, owner = there.players[0], draw(st.sampled_from(there.players))
    others = draw(several(st.sampled_from(there.players), 1, 2))
    lie = [
        Permanent("welcome", WELCOME, owner),
        *(Permanent(f"gong{n}", GONG, who) for n, who in enumerate(others, 1)),
    ]
    tale = Tale(
        table(held_by(there, {caster: [HeldCard("bear", BEAR)]}), draw(in_any_order(lie)), there.sides[0])
    )
    tale.do(CastAction("bear", caster), Pass("everyone"))
    times = 1 + others.count(owner)
    names = ("greet of welcome", *(f"greet of welcome ({n})" for n in range(2, times + 1)))
    because = "CR 603.2d: an ability triggers once, and an additional time for each effect that says so"
    tale.see("table", "stack", names, because)
    return tale


@law(rules=("603.7b",), needs=("casting", "steps", "triggers", "choices"))
def a_delayed_trigger_triggers_once(draw: DrawFn, there: Round) -> Tale:
    """A delayed ability triggers only once, even if several such events happen together; its controller
    chooses one of them.

    A delayed ability that waits for a creature to die, and several that die at once.
    """
    caster = there.players[0]
    powers = draw(in_any_order((1, 2, 3, 4)))[: draw(st.integers(2, 3))]
    lie = [
        Permanent(
            f"bear{n}",
            creature(f"Bear {n}", n, 1),
            draw(st.sampled_from(there.players)),
        )
        for n in powers
    ]
    last = Later(Dies(CREATURES), (GainLife(PropertyOf("power", It())),), name="mourn")
    hand = [
        HeldCard("eulogy", spell("Eulogy", last)),
        HeldCard("storm", spell("Storm", Damage(1, CREATURES))),
    ]
    chosen = draw(st.sampled_from(powers))
    tale = Tale(table(held_by(there, {caster: hand}), lie, there.sides[0]))
    tale.do(CastAction("eulogy", caster), Pass("everyone"), CastAction("storm", caster))
    tale.do(ChooseAction("object", caster, (f"bear{chosen}",), "mourn of eulogy"), Pass("everyone"))
    because = (
        "CR 603.7b: a delayed ability triggers once, and its controller chooses on which of several events"
    )
    tale.see("table", "stack", ("mourn of eulogy",), because)
    tale.do(Pass("everyone"))
    tale.see(caster, "life", 20 + chosen, because)
    return tale


@law(rules=("514.2", "603.7b"), needs=("casting", "steps", "triggers", "targets"))
def a_delayed_trigger_waits_no_longer_than_it_says(draw: DrawFn, there: Round) -> Tale:
    """A delayed ability for this turn triggers on an event of this turn, not of a later one.

    A delayed ability that waits for a creature to die, and a creature that dies this turn or in the next.
    """
    caster, n = there.players[0], draw(st.integers(1, 4))
    later = draw(st.booleans())
    wait = Later(Dies(CREATURES), (GainLife(n),), name="mourn", this_turn=True)
    hand = [
        HeldCard("vigil", spell("Vigil", wait)),
        HeldCard("doom", MURDER),
    ]
    lie = [Permanent("bear", BEAR, draw(st.sampled_from(there.players)))]
    tale = Tale(table(held_by(there, {caster: hand}, library=2), lie, there.sides[0]))
    tale.do(CastAction("vigil", caster), Pass("everyone"))
    if later:
        tale.do(Advance("upkeep", there.sides[1]), *passes(there.sides[1:]))
    tale.do(CastAction("doom", caster, targets=(("bear",),)), Pass("everyone"))
    because = "CR 603.7b, 514.2: what waits this turn waits until the cleanup step"
    tale.see("bear", "zone", "graveyard", "CR 701.8a: it is destroyed")
    tale.see("table", "stack", () if later else ("mourn of vigil",), because)
    return tale


@law(rules=("608.2h", "707.2"), needs=("casting", "steps", "triggers", "targets", "copies"))
def a_trigger_copies_what_has_left(draw: DrawFn, there: Round) -> Tale:
    """A creature becomes a copy of the creature that its ability triggered on, even if that one has left.

    A creature that becomes a copy of whatever else enters, and one that enters and may die before the ability
    resolves.
    """
    player, power = there.players[0], draw(st.integers(2, 5))
    copying = Triggered(Enters(OTHER_CREATURES), (Effect(This(), (BecomeCopy(It()),)),), name="mimic")
    mimic = Permanent("mimic", creature("Mimic", 1, 1, copying), draw(st.sampled_from(there.players)))
    hand = [HeldCard("model", creature("Model", power, 2)), HeldCard("doom", MURDER)]
    tale = Tale(table(held_by(there, {player: hand}), [mimic], there.sides[0]))
    tale.do(CastAction("model", player), Pass("everyone"))
    if draw(st.booleans()):
        tale.do(CastAction("doom", player, targets=(("model",),)), Pass("everyone"))
        tale.see("model", "zone", "graveyard", "CR 701.8a: it is destroyed")
    tale.do(Pass("everyone"))
    because = "CR 608.2h: it copies the creature as it last existed on the battlefield"
    tale.see("mimic", "power", power, because)
    tale.see("mimic", "name", "Test Model", because)
    return tale


CARD_IN_GRAVEYARD = TargetSpec(what=All(zones=frozenset({"graveyard"})))
EXILED_BY_THIS = Count(All(zones=frozenset({"exile"}), put_by=This()))


def pair(take: str, count: str, worth: int) -> tuple[Activated, Activated]:
    """An ability that exiles a card, and one that counts what it exiled."""
    return (
        Activated((), (Exile(TARGET),), (CARD_IN_GRAVEYARD,), name=take),
        Activated((), (GainLife(Times(worth, EXILED_BY_THIS)),), name=count),
    )


@law(rules=("607.5",), needs=("casting", "steps", "targets", "activated abilities", "abilities"))
def pairs_of_abilities_keep_to_themselves(draw: DrawFn, there: Round) -> Tale:
    """Of two pairs of linked abilities that a creature gained, each refers only to its own other half.

    A creature that gains two pairs of linked abilities, and uses both.
    """
    player = there.players[0]
    one, other = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    gifts = {"silver": pair("take", "count", 1), "golden": pair("seize", "reckon", 10)}
    hand = [
        HeldCard(
            id, spell(id.capitalize(), Effect(TARGET, (Gain(gift),), "end of turn"), targets=(CREATURE,))
        )
        for id, gift in gifts.items()
    ]
    dead = [HeldCard(f"card{n}", BEAR) for n in range(one + other)]
    seated = tuple(
        seat._replace(graveyard=dead) if seat.id == player else seat
        for seat in held_by(there, {player: hand})
    )
    tale = Tale(table(seated, [Permanent("bear", BEAR, player)], there.sides[0]))
    for held in hand:
        tale.do(CastAction(held.id, player, targets=(("bear",),)), Pass("everyone"))
    for number, held in enumerate(dead):
        ability = "take" if number < one else "seize"
        tale.do(Activate("bear", ability, player, targets=((held.id,),)), Pass("everyone"))
    because = "CR 607.5: linked abilities that an object acquired together are linked with each other only"
    for ability, life in (("count", 20 + one), ("reckon", 20 + one + 10 * other)):
        tale.do(Activate("bear", ability, player), Pass("everyone"))
        tale.see(player, "life", life, because)
    return tale


@law(rules=("115.9b",), needs=("casting", "steps", "targets", "triggers", "anthems"))
def a_spell_without_such_a_target_triggers_nothing(draw: DrawFn, there: Round) -> Tale:
    """An ability about spells that target a kind of object triggers only if one of the targets of the spell
    is of that kind.

    A spell that targets a creature of its caster, one of another player, or nothing.
    """
    player, other = there.players[:2]
    yours = All(type=frozenset({"Creature"}), controller=You())
    hero = creature("Hero", 2, 2, Triggered(CastEvent(aimed_at=yours), (GainLife(3),), name="heroic"))
    aim = draw(st.sampled_from(("theirs", "mine", "nothing")))
    card = INSIGHT if aim == "nothing" else GROWTH
    lie = [Permanent("hero", hero, player), Permanent("mine", BEAR, player), Permanent("theirs", BEAR, other)]
    tale = Tale(table(held_by(there, {player: [HeldCard("spell", card)]}, library=2), lie, there.sides[0]))
    tale.do(CastAction("spell", player, targets=() if aim == "nothing" else ((aim,),)), Pass("everyone"))
    if aim == "mine":
        tale.do(Pass("everyone"))
    because = "CR 115.9b: it has such a target" if aim == "mine" else "CR 115.9b: it has no such target"
    tale.see(player, "life", 23 if aim == "mine" else 20, because)
    return tale


TRIGGERS: tuple[Property[Any], ...] = (
    the_active_players_triggers_are_stacked_first,
    players_order_their_own_triggers,
    triggers_on_triggers_come_after_all_others,
    state_based_actions_come_before_triggers,
    an_intervening_if_is_asked_twice,
    a_trigger_is_stacked_before_anybody_acts,
    becoming_so_is_more_than_being_so,
    counters_are_heard_as_the_ability_says,
    activations_are_heard_as_the_ability_says,
    transforming_is_heard_by_what_it_leads_to,
    a_state_that_holds_for_a_moment_is_noticed,
    a_state_is_noticed_without_an_event,
    a_state_trigger_waits_for_its_own_ability,
    abilities_trigger_additional_times,
    a_delayed_trigger_triggers_once,
    a_delayed_trigger_waits_no_longer_than_it_says,
    a_trigger_copies_what_has_left,
    pairs_of_abilities_keep_to_themselves,
    a_spell_without_such_a_target_triggers_nothing,
)
