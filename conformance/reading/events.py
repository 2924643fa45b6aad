"""Reads the events that triggers wait for."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from conformance.reading.grammar import listed, one_of, perhaps, rule, words
from conformance.reading.phrases import (
    STEPS,
    article,
    as_filter,
    condition,
    host,
    itself,
    one,
    player,
    some,
    spoken,
    with_other,
)
from reference_engine.language.cards import (
    All,
    AnyEvent,
    Attached,
    Attacks,
    BecomesBlocked,
    BecomesTapped,
    BecomesTarget,
    BecomesUntapped,
    Beginning,
    Blocks,
    CastEvent,
    DealsDamage,
    Dies,
    Discards,
    Draws,
    Enters,
    Everyone,
    Filter,
    GainsLife,
    It,
    Leaves,
    LosesControl,
    LosesGame,
    Opponents,
    Plays,
    PutIntoGraveyard,
    Selector,
    State,
    TappedForMana,
    This,
    TriggerEvent,
    TurnedFaceUp,
    You,
)

who = one_of(
    rule("{this} or another {what}", lambda this, what: this_and(what), this=itself, what=one),
    itself,
    host,
    some,
    spoken,
)


def this_and(what: All) -> All | None:
    """This, or another object that fits a description, as one group."""
    if what.other_than is not None:
        return None
    return All(any_of=(Filter(**as_filter(what)), Filter(same_as=This())), zones=what.zones)


harmed = one_of(player, some, spoken)
happening = one_of(
    rule("enter[s]", lambda: Enters),
    rule("leave[s] the battlefield", lambda: Leaves),
    rule("die[s]", lambda: Dies),
    rule("[is|are] put into a graveyard from the battlefield", lambda: Dies),
    rule("[is|are] put into a graveyard from anywhere", lambda: PutIntoGraveyard),
    rule("[is|are] turned face up", lambda: TurnedFaceUp),
    rule("attack[s]", lambda: Attacks),
    rule("block[s]", lambda: Blocks),
    rule("become[s] blocked", lambda: BecomesBlocked),
    rule("become[s] tapped", lambda: BecomesTapped),
    rule("become[s] untapped", lambda: BecomesUntapped),
    rule("[is|are] tapped for mana", lambda: TappedForMana),
    rule(
        "become[s] the target of a spell or ability {by} control[s]",
        lambda by: lambda who: BecomesTarget(who, by),
        by=player,
    ),
    rule("become[s] the target of a spell or ability", lambda: BecomesTarget),
    rule("deal[s] combat damage to {to}", lambda to: lambda who: DealsDamage(who, to, True), to=harmed),
    rule("deal[s] damage to {to}", lambda to: lambda who: DealsDamage(who, to), to=harmed),
    rule("deal[s] combat damage", lambda: lambda who: DealsDamage(who, combat=True)),
    rule("deal[s] damage", lambda: lambda who: DealsDamage(who)),
)
doing = one_of(
    rule("draw[s] a card", lambda: Draws),
    rule("discard[s] a card", lambda: Discards),
    rule("gain[s] life", lambda: GainsLife),
    rule("lose[s] the game", lambda: LosesGame),
    rule("cast[s] {a}{what}", lambda a, what: lambda who: cast(what, who), a=article, what=one),
    rule("cast[s] another {what}", lambda what: lambda who: cast(with_other(True, what), who), what=one),
    rule("play[s] a card", lambda: lambda who: Plays(by=who)),
    rule(
        "play[s] {a}{what}",
        lambda a, what: lambda who: Plays(Filter(**as_filter(what)), who),
        a=article,
        what=one,
    ),
    rule(
        "tap[s] {a}{what} for mana", lambda a, what: lambda who: TappedForMana(what, who), a=article, what=one
    ),
    rule("lose[s] control of {what}", lambda what: lambda who: LosesControl(what, who), what=spoken),
)


def cast(what: All | None, who: Selector) -> TriggerEvent | None:
    """Somebody casts a spell."""
    if what is None or what.zones != {"stack"}:
        return None
    return CastEvent(Filter(**as_filter(what)), who)


def of_each(who: Selector, kinds: list[Any]) -> TriggerEvent | None:
    """One or several events with the same subject."""
    events = tuple(kind(who) for kind in kinds)
    if None in events:
        return None
    return events[0] if len(events) == 1 else AnyEvent(events)


turn_of = one_of(
    words(
        {
            "your ": You(),
            "each player's ": Everyone(),
            "each opponent's ": Opponents(),
            "each ": Everyone(),
            "enchanted player's ": Attached(),
        }
    ),
)
step_name = words(STEPS)
begins = one_of(
    rule("combat on your turn", lambda: Beginning("beginning of combat", You())),
    rule("each combat", lambda: Beginning("beginning of combat", Everyone())),
    rule("the next end step", lambda: Beginning("end", Everyone(), next=True)),
    rule("your next {step}", lambda step: Beginning(step, You(), next=True), step=step_name),
    rule("{of}{step}", lambda of, step: Beginning(step, of), of=turn_of, step=step_name),
)


event = one_of(
    rule("at the beginning of {begins}", lambda begins: begins, begins=begins),
    rule(
        "[whenever|when] {who} {does}",
        lambda who, does: of_each(who, does),
        who=who,
        does=listed(happening, "or"),
    ),
    rule(
        "[whenever|when] {who} {does}",
        lambda who, does: of_each(who, does),
        who=player,
        does=listed(doing, "or"),
    ),
    rule("[whenever|when] {cond}", lambda cond: State(cond), cond=condition),
)
"""The event of a trigger, up to the comma."""


class ConditionalEvent(Struct, frozen=True):
    """An event, and the condition after it."""

    when: TriggerEvent
    cond: Any = None


trigger = rule(
    "{when}{cond}, ",
    lambda when, cond: ConditionalEvent(when, cond or None),
    when=event,
    cond=perhaps(rule(", if {cond}", lambda cond: cond, cond=condition), ""),
)


def subject_of(when: TriggerEvent) -> Selector | None:
    """What "it" means after an event."""
    match when:
        case AnyEvent((first, *_)):
            return subject_of(first)
        case CastEvent() | Plays():
            return It()
        case Beginning() | State() | Draws() | Discards() | GainsLife() | LosesGame():
            return None
        case _:
            first_field = getattr(when, when.__struct_fields__[0])
            return It() if isinstance(first_field, All) else first_field
