"""Laws of replacement and prevention effects (CR 614–616)."""

from __future__ import annotations

from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import CREATURES, TARGET
from conformance.strategies.decks import BEAR, CREATURE, MURDER, PLAYER, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Call, CastAction, ChooseAction, Pass, TokenNames
from reference_engine.language.cards import (
    All,
    Card,
    Counters,
    Create,
    Damage,
    Dies,
    DoInstead,
    Draw,
    Effect,
    EntersWith,
    Everyone,
    GainLife,
    GoTo,
    Leaves,
    LoseLife,
    Nothing,
    Operation,
    Part,
    Plus,
    PreventDamage,
    PutCounters,
    Replacement,
    Selector,
    Static,
    TimesAsMany,
    Triggered,
    Would,
    You,
)
from reference_engine.language.words import Zone

Amount = Literal["gain life", "lose life", "be dealt damage", "get counters"]
EVENTS_WITH_AMOUNTS: tuple[Amount, ...] = ("gain life", "lose life", "be dealt damage", "get counters")


def rule(name: str, affects: Selector, *does: Operation) -> Card:
    """An enchantment with this effect."""
    return permanent(name, Static((Part(affects, does),)))


def replacement_of(event: Amount, instead: Replacement) -> Operation:
    """The effect that replaces an event with an amount."""
    return Would(event, instead)


def cause(event: Amount, n: int) -> Card:
    """A spell by which the event happens to a target."""
    match event:
        case "gain life":
            return spell("Cause", GainLife(n, TARGET), targets=(PLAYER,))
        case "lose life":
            return spell("Cause", LoseLife(n, TARGET), targets=(PLAYER,))
        case "be dealt damage":
            return spell("Cause", Damage(n, TARGET), targets=(PLAYER,))
        case "get counters":
            return spell("Cause", PutCounters((Counters("+1/+1", n),), TARGET), targets=(CREATURE,))


def of_event(event: Amount) -> Selector:
    """Whatever the event can happen to."""
    return CREATURES if event == "get counters" else Everyone()


def see_amount(tale: Tale, there: Round, event: Amount, player: str, n: int, because: str) -> None:
    """What is to be seen after the event has happened to this extent, to the player or the player's bear."""
    life = next(seat.life for seat in there.seats if seat.id == player)
    match event:
        case "gain life":
            tale.see(player, "life", life + n, because)
        case "lose life" | "be dealt damage":
            tale.see(player, "life", life - n, because)
        case "get counters":
            tale.see("bear", "power", 2 + n, because)


@law(rules=("614.5", "616.1f"), needs=("casting", "targets", "counters", "steps"))
def each_replacement_applies_once(draw: DrawFn, there: Round) -> Tale:
    """Effects that multiply an event apply once each: two that double make four times as much.

    A spell makes somebody gain or lose life, deals damage or puts counters, with some effects that multiply.

    It does not check effects that replace an event by a different one.
    """
    caster, victim = there.players[0], draw(st.sampled_from(there.players))
    event = draw(st.sampled_from(EVENTS_WITH_AMOUNTS))
    n, factors = draw(st.integers(1, 2)), draw(st.lists(st.integers(2, 3), max_size=3))
    lies = [Permanent("bear", BEAR, victim)] if event == "get counters" else []
    for number, factor in enumerate(factors):
        name = f"Multiplier {'II' if factor == 2 else 'III'}"
        card = rule(name, of_event(event), replacement_of(event, TimesAsMany(factor)))
        lies.append(Permanent(f"effect{number}", card, draw(st.sampled_from(there.players))))
    tale = Tale(table(held_by(there, {caster: [HeldCard("cause", cause(event, n))]}), lies, there.sides[0]))
    target = "bear" if event == "get counters" else victim
    tale.do(CastAction("cause", caster, targets=((target,),)), Pass("everyone"))
    total = n
    for factor in factors:
        total *= factor
    see_amount(tale, there, event, victim, total, "CR 614.5: each effect gets one opportunity")
    return tale


@law(rules=("616.1", "616.1e", "616.1f"), needs=("casting", "targets", "counters", "choices", "steps"))
def the_affected_player_chooses_what_applies_first(draw: DrawFn, there: Round) -> Tale:
    """Of two effects on an event the affected player, or the affected object's controller, chooses which
    applies first.

    One effect doubles an event and one adds to it; the spell and the effects may be anybody's.
    """
    caster, victim = there.players[0], draw(st.sampled_from(there.players))
    event = draw(st.sampled_from(EVENTS_WITH_AMOUNTS))
    n, more = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    doubler = rule("Doubler", of_event(event), replacement_of(event, TimesAsMany(2)))
    adder = rule("Adder", of_event(event), replacement_of(event, Plus(more)))
    lies = [
        Permanent("doubler", doubler, draw(st.sampled_from(there.players))),
        Permanent("adder", adder, draw(st.sampled_from(there.players))),
    ]
    if draw(st.booleans()):
        lies.reverse()
    lies += [Permanent("bear", BEAR, victim)] if event == "get counters" else []
    tale = Tale(table(held_by(there, {caster: [HeldCard("cause", cause(event, n))]}), lies, there.sides[0]))
    first = draw(st.sampled_from(("doubler", "adder")))
    target = "bear" if event == "get counters" else victim
    tale.do(
        ChooseAction("replacement", victim, (first,)),
        CastAction("cause", caster, targets=((target,),)),
        Pass("everyone"),
    )
    total = n * 2 + more if first == "doubler" else (n + more) * 2
    because = "CR 616.1: the affected player or the object's controller chooses which applies first"
    see_amount(tale, there, event, victim, total, because)
    return tale


@law(rules=("614.6", "614.1a", "614.4"), needs=("casting", "targets", "triggers", "steps"))
def a_replaced_event_leaves_no_trace(draw: DrawFn, there: Round) -> Tale:
    """A creature that goes elsewhere instead of dying has not died: abilities trigger on its leaving, not on
    its death.

    A creature is destroyed, perhaps with an effect that sends it to another zone instead, present or not.

    It does not check an object that leaves from a zone other than the battlefield.
    """
    caster, victim = there.players[0], there.players[1]
    zone: Zone = draw(st.sampled_from(("exile", "hand", "graveyard")))
    witness = creature(
        "Witness",
        1,
        1,
        Triggered(Dies(CREATURES), (GainLife(1),), name="mourn"),
        Triggered(Leaves(BEARS), (LoseLife(1),), name="miss"),
    )
    lies = [Permanent("bear", BEAR, victim)]
    if zone != "graveyard":
        effect = rule("Elsewhere", CREATURES, Would("die", GoTo(zone)))
        lies.append(Permanent("effect", effect, draw(st.sampled_from(there.players))))
    mourns = draw(st.booleans())
    watcher = creature(
        "Watcher", 1, 1, *(ability for ability in witness.abilities if is_death(ability) == mourns)
    )
    lies.append(Permanent("watcher", watcher, caster))
    hands = {caster: [HeldCard("murder", MURDER)]}
    tale = Tale(table(held_by(there, hands), lies, there.sides[0]))
    tale.do(CastAction("murder", caster, targets=(("bear",),)), Pass("everyone"))
    because = "CR 614.6: a replaced event never happens; what happens instead may trigger abilities"
    tale.see("bear", "zone", zone, because)
    died = zone == "graveyard"
    stack = () if mourns and not died else ("mourn of watcher",) if mourns else ("miss of watcher",)
    tale.see("table", "stack", stack, because)
    return tale


def is_death(ability: object) -> bool:
    """Whether an ability waits for something to die."""
    return isinstance(ability, Triggered) and isinstance(ability.when, Dies)


BEARS = All(type=frozenset({"Creature"}), name=BEAR.name)


@law(rules=("615.7", "615.6", "615.10"), needs=("casting", "targets", "steps"))
def a_shield_prevents_so_much_and_no_more(draw: DrawFn, there: Round) -> Tale:
    """A shield prevents its amount of damage in total; a static ability prevents its amount each time damage
    is dealt.

    Some spells deal damage to somebody who is shielded against some of it, or against some of each.

    It does not check damage to planeswalkers or battles.
    """
    caster, victim = there.players[0], draw(st.sampled_from(there.players))
    hits, amount = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)), draw(st.integers(1, 5))
    used_up = draw(st.booleans())
    hands = [
        HeldCard(f"hit{number}", spell(f"Hit {'I' * n}", Damage(n, TARGET), targets=(PLAYER,)))
        for number, n in enumerate(hits)
    ]
    shield = spell(
        "Shield",
        Effect(TARGET, (PreventDamage(n=amount, next=True),), until="this turn"),
        targets=(PLAYER,),
    )
    lies = []
    if not used_up:
        shell = rule("Shell", Everyone(), PreventDamage(n=amount))
        lies.append(Permanent("shell", shell, draw(st.sampled_from(there.players))))
    seats = held_by(there, {caster: [*hands, HeldCard("shield", shield)]})
    tale = Tale(table(seats, lies, there.sides[0]))
    if used_up:
        tale.do(CastAction("shield", caster, targets=((victim,),)), Pass("everyone"))
    life, left = next(seat.life for seat in there.seats if seat.id == victim), amount
    for number, n in enumerate(hits):
        tale.do(CastAction(f"hit{number}", caster, targets=((victim,),)), Pass("everyone"))
        prevented = min(n, left)
        left -= prevented if used_up else 0
        life -= n - prevented
        because = (
            "CR 615.7: each damage prevented reduces the shield, and what is left is dealt"
            if used_up
            else "CR 615.10: only its amount of each damage is prevented"
        )
        tale.see(victim, "life", life, because)
    return tale


@law(rules=("614.11", "614.11a", "614.5", "614.10"), needs=("casting", "steps"))
def each_draw_is_replaced_by_itself(draw: DrawFn, there: Round) -> Tale:
    """Each of several draws is replaced by itself, even without a card to draw: by two draws, by something
    else, or by nothing.

    A spell draws cards, with some effects that replace a draw by two, and perhaps one that replaces it by
    life or by nothing.
    """
    player, n = there.players[0], draw(st.integers(1, 2))
    twice = draw(st.integers(0, 2))
    other: Replacement | None = draw(
        st.sampled_from((None, DoInstead((GainLife(3),)), Nothing())) if not twice else st.none()
    )
    reflection = rule("Reflection", You(), Would("draw", DoInstead((Draw(2),))))
    lies = [Permanent(f"reflection{number}", reflection, player) for number in range(twice)]
    if other is not None:
        lies.append(Permanent("sage", rule("Sage", You(), Would("draw", other)), player))
    cards = 0 if other is not None else 8
    study = spell("Study", Draw(n))
    seats = held_by(there, {player: [HeldCard("study", study)]}, library=cards)
    tale = Tale(table(seats, lies, there.sides[0]))
    if twice == 2:
        tale.do(*[ChooseAction("replacement", player, ("reflection0",))] * n)
    tale.do(CastAction("study", player), Pass("everyone"))
    drawn = 0 if other is not None else n * 2**twice
    because = "CR 614.11a: each draw of a sequence is replaced by itself; CR 614.5: each effect once"
    tale.see(player, "library_size", cards - drawn, because)
    life = next(seat.life for seat in there.seats if seat.id == player)
    gained = 3 * n if isinstance(other, DoInstead) else 0
    tale.see(player, "life", life + gained, because)
    tale.see(player, "lost", False, "CR 614.11: a replaced draw needs no card in the library")
    return tale


@law(rules=("614.16", "616.1g", "614.1c"), needs=("casting", "tokens", "counters", "steps"))
def tokens_and_counters_are_multiplied(draw: DrawFn, there: Round) -> Tale:
    """Effects on tokens apply as they are created, then effects on counters to those with which each enters.

    A spell creates tokens; effects multiply them, let them enter with counters, and multiply those.

    It does not check counters that are put on a permanent later.
    """
    player, n = there.players[0], draw(st.integers(1, 2))
    more_tokens, more_counters = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    given = draw(st.integers(0, 2))
    bird = Card("Bird", frozenset({"Creature"}), subtypes=frozenset({"Bird"}), power=1, toughness=1)
    flock = rule("Flock", You(), Would("create tokens", TimesAsMany(2)))
    growth = rule("Growth", CREATURES, Would("get counters", TimesAsMany(2)))
    lies = [Permanent(f"flock{number}", flock, player) for number in range(more_tokens)]
    lies += [Permanent(f"growth{number}", growth, player) for number in range(more_counters)]
    from_others = rule("Gift", CREATURES, EntersWith((Counters("+1/+1"),)))
    lies += [Permanent(f"gift{number}", from_others, player) for number in range(given)]
    roost = spell("Roost", Create(bird, n), type="Sorcery")
    tale = Tale(table(held_by(there, {player: [HeldCard("roost", roost)]}), lies, there.sides[0]))
    tale.do(CastAction("roost", player), Pass("everyone"))
    number = n * 2**more_tokens
    names = tuple(f"bird{one}" for one in range(number))
    tale.do(Call((TokenNames("Bird", names),)))
    counters = given * 2**more_counters
    because = "CR 614.16: also what a replacement effect creates or puts is multiplied"
    for name in names:
        tale.see(name, "power", 1 + counters, because)
    return tale


REPLACING: tuple[Property[Any], ...] = (
    each_replacement_applies_once,
    the_affected_player_chooses_what_applies_first,
    a_replaced_event_leaves_no_trace,
    a_shield_prevents_so_much_and_no_more,
    each_draw_is_replaced_by_itself,
    tokens_and_counters_are_multiplied,
)
