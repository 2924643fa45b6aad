"""Reads the events that triggers wait for."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from conformance.reading.conditions import STEP_BY_NAME, as_filter, condition
from conformance.reading.grammar import list_in_sentence, one_of, perhaps, rule, words
from conformance.reading.phrases import (
    article,
    counter_name,
    fields,
    host,
    itself,
    many,
    of_whom,
    one,
    player,
    some,
    spoken,
    with_other,
)
from conformance.wording.english import ORDINALS
from reference_engine.language.cards import (
    Activates,
    All,
    AnyEvent,
    Attached,
    Attacks,
    AttacksUnblocked,
    BecomesAttached,
    BecomesBlocked,
    BecomesMonarch,
    BecomesTapped,
    BecomesTarget,
    BecomesUntapped,
    Beginning,
    Blocks,
    CastEvent,
    Chapter,
    Cycles,
    DaytimeChanges,
    DealsDamage,
    Dies,
    Discards,
    Draws,
    Enters,
    Everyone,
    Filter,
    FullyUnlocks,
    GainsLife,
    GetsCounters,
    IsDealtDamage,
    It,
    Leaves,
    LeavesGraveyard,
    LosesControl,
    LosesGame,
    LosesLife,
    Nth,
    OneOrMore,
    Opponents,
    Plays,
    PutIntoGraveyard,
    Sacrifices,
    Selector,
    State,
    TappedForMana,
    The,
    This,
    Transforms,
    TriggerEvent,
    TurnedFaceUp,
    UnlocksThisDoor,
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


def event_of_meeting(kind: type[Blocks] | type[BecomesBlocked], what: All) -> Any:
    """The event of blocking such a creature, or of becoming blocked by one."""
    return None if what.zones != {"battlefield"} else lambda who: kind(who, Filter(**as_filter(what)))


def event_of_other_face(what: All) -> Any:
    """The event of transforming into such a permanent."""
    if what.zones != {"battlefield"}:
        return None
    return lambda who: Transforms(who, Filter(**as_filter(what)))


def event_of_fighting(what: All) -> Any:
    """The event of blocking such a creature or becoming blocked by one."""
    if what.zones != {"battlefield"}:
        return None
    other = Filter(**as_filter(what))
    return lambda who: AnyEvent((Blocks(who, other), BecomesBlocked(who, other)))


def attacking_whom(whom: Selector, or_theirs: bool) -> Any:
    """The event of attacking such a player, or such a player or a planeswalker of theirs."""
    return lambda who: Attacks(who, whom=whom, or_theirs=or_theirs)


def leaving_graveyard(of: Any) -> Any:
    """The event of such cards leaving somebody's graveyard."""

    def event_of(who: Any) -> TriggerEvent | None:
        if not isinstance(who, All):
            return LeavesGraveyard(who) if of == You() else None
        if who.zones:
            return None
        there = frozenset({"graveyard"})
        return LeavesGraveyard(All(**{**fields(who), "zones": there, "of": of or None}))

    return event_of


harmed = one_of(player, some, spoken)
happening = one_of(
    rule("enter[s]", lambda: Enters),
    rule("leave[s] the battlefield", lambda: Leaves),
    rule("die[s]", lambda: Dies),
    rule("[is|are] put into a graveyard from the battlefield", lambda: Dies),
    rule("[is|are] put into a graveyard from anywhere", lambda: PutIntoGraveyard),
    rule("leave[s] {of}graveyard", leaving_graveyard, of=of_whom),
    rule("[is|are] turned face up", lambda: TurnedFaceUp),
    rule(
        "transform[s] into {this}",
        lambda this: lambda who: Transforms(who, Filter(same_as=this)),
        this=itself,
    ),
    rule(
        "transform[s] into {a}{what}",
        lambda a, what: event_of_other_face(what),
        a=article,
        what=one,
    ),
    rule("transform[s]", lambda: Transforms),
    rule("attack[s] alone", lambda: lambda who: Attacks(who, alone=True)),
    rule("attack[s] while saddled", lambda: lambda who: Attacks(who, saddled=True)),
    rule("attack[s] you or a planeswalker you control", lambda: attacking_whom(You(), True)),
    rule("attack[s] {whom}", lambda whom: attacking_whom(whom, False), whom=player),
    rule("attack[s] and [isn't|aren't] blocked", lambda: AttacksUnblocked),
    rule("attack[s]", lambda: Attacks),
    rule(
        "block[s] or become[s] blocked by {a}{what}",
        lambda a, what: event_of_fighting(what),
        a=article,
        what=one,
    ),
    rule("block[s] {a}{what}", lambda a, what: event_of_meeting(Blocks, what), a=article, what=one),
    rule("block[s]", lambda: Blocks),
    rule(
        "become[s] blocked by {a}{what}",
        lambda a, what: event_of_meeting(BecomesBlocked, what),
        a=article,
        what=one,
    ),
    rule("become[s] blocked", lambda: BecomesBlocked),
    rule(
        "become[s] attached to {to}", lambda to: lambda who: BecomesAttached(who, to), to=one_of(some, spoken)
    ),
    rule("become[s] attached", lambda: BecomesAttached),
    rule("become[s] tapped", lambda: BecomesTapped),
    rule("become[s] untapped", lambda: BecomesUntapped),
    rule("[is|are] tapped for mana", lambda: TappedForMana),
    rule(
        "become[s] the target of a spell or ability {by} control[s]",
        lambda by: lambda who: BecomesTarget(who, by),
        by=player,
    ),
    rule("become[s] the target of a spell or ability", lambda: BecomesTarget),
    rule("[is|are] dealt combat damage", lambda: lambda who: IsDealtDamage(who, combat=True)),
    rule("[is|are] dealt damage", lambda: IsDealtDamage),
    rule("deal[s] combat damage to {to}", lambda to: lambda who: DealsDamage(who, to, True), to=harmed),
    rule("deal[s] damage to {to}", lambda to: lambda who: DealsDamage(who, to), to=harmed),
    rule("deal[s] combat damage", lambda: lambda who: DealsDamage(who, combat=True)),
    rule("deal[s] damage", lambda: lambda who: DealsDamage(who)),
)
itself_as_group = rule("{that}", lambda that: All(same_as=This()), that=itself)


abilities_not_meant = words(
    {
        " that isn't a mana ability": ("mana abilities",),
        " that isn't a loyalty ability": ("loyalty abilities",),
        " that isn't a mana or loyalty ability": ("loyalty abilities", "mana abilities"),
    }
)


def activating(only: Any, of: Any, but: Any) -> Any:
    """The event of activating such an ability of such a permanent."""
    return lambda who: Activates(who, of, frozenset(but), only)


def aimed(event: TriggerEvent | None, aim: All) -> TriggerEvent | None:
    """The event of casting a spell with such a target."""
    return replace(event, aimed_at=aim) if isinstance(event, CastEvent) else None


doing = one_of(
    rule("draw[s] a card", lambda: Draws),
    rule("discard[s] a card", lambda: Discards),
    rule("discard[s] {a}{what}", lambda a, what: card_thrown(what), a=article, what=one),
    rule("discard[s] one or more {what}", lambda what: several_thrown(what), what=many),
    rule("sacrifice[s] one or more {what}", lambda what: several_sacrificed(what), what=many),
    rule("sacrifice[s] {a}{what}", lambda a, what: sacrifice_event(what), a=article, what=one),
    rule("sacrifice[s] another {what}", lambda what: sacrifice_event(with_other(True, what)), what=one),
    rule("cycle[s] {this}", lambda this: lambda who: Cycles(who, Filter(same_as=This())), this=itself),
    rule("cycle[s] a card", lambda: Cycles),
    rule(
        "cycle[s] {a}{what}",
        lambda a, what: lambda who: Cycles(who, Filter(**as_filter(what))),
        a=article,
        what=one,
    ),
    rule(
        "activate[s] {only}ability{of}{but}",
        activating,
        only=words({"an ": None, "a loyalty ": "loyalty abilities"}),
        of=perhaps(rule(" of {of}", lambda of: of, of=one_of(some, spoken)), None),
        but=perhaps(abilities_not_meant, ()),
    ),
    rule("fully unlock[s] a Room", lambda: FullyUnlocks),
    rule("unlock[s] this door", lambda: UnlocksThisDoor),
    rule("gain[s] life", lambda: GainsLife),
    rule("lose[s] life", lambda: LosesLife),
    rule("lose[s] the game", lambda: LosesGame),
    rule("become[s] the monarch", lambda: BecomesMonarch),
    rule(
        "cast[s] {a}{what} that targets {aim}",
        lambda a, what, aim: lambda who: aimed(cast(what, who), aim),
        a=article,
        what=one,
        aim=one_of(some, itself_as_group),
    ),
    rule("cast[s] {a}{what}", lambda a, what: lambda who: cast(what, who), a=article, what=one),
    rule("cast[s] another {what}", lambda what: lambda who: cast(with_other(True, what), who), what=one),
    rule("cast[s] {this}", lambda this: lambda who: CastEvent(Filter(same_as=This()), who), this=itself),
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


def sacrifice_event(what: All | None) -> Any:
    """The event of sacrificing such a permanent."""
    if what is None or what.zones != {"battlefield"}:
        return None
    return lambda who: Sacrifices(who, Filter(**as_filter(what)))


def several_sacrificed(what: All) -> Any:
    """The event of sacrificing one or more such permanents."""
    event = sacrifice_event(what)
    return event and (lambda who: OneOrMore(event(who)))


def several_thrown(what: All) -> Any:
    """The event of discarding one or more such cards."""
    wanted = Filter(**as_filter(what))
    return lambda who: OneOrMore(Discards(who, None if wanted == Filter() else wanted))


def card_thrown(what: All) -> Any:
    """The event of discarding such a card."""
    return lambda who: Discards(who, Filter(**as_filter(what)))


def cast(what: All | None, who: Selector) -> TriggerEvent | None:
    """Somebody casts a spell."""
    if what is None or what.zones != {"stack"}:
        return None
    return CastEvent(Filter(**as_filter(what)), who)


def of_each(who: Selector, kinds: list[Any]) -> TriggerEvent | None:
    """One or several events with the same subject."""
    events = tuple(kind(who) for kind in kinds)
    if None in events or (len(events) > 1 and any(isinstance(one, AnyEvent) for one in events)):
        return None
    if len({meets_another(one) for one in events}) > 1:
        return None  # "that creature" would be a different one after each event
    return events[0] if len(events) == 1 else AnyEvent(events)


def meets_another(event: TriggerEvent) -> bool:
    """Whether an event is about meeting another creature in combat, which is "that creature"."""
    match event:
        case Blocks(_, other) | BecomesBlocked(_, other):
            return other is not None
        case _:
            return False


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
step_name = words(STEP_BY_NAME)
begins = one_of(
    rule("combat on your turn", lambda: Beginning("beginning of combat", You())),
    rule("each combat", lambda: Beginning("beginning of combat", Everyone())),
    rule("the next end step", lambda: Beginning("end", Everyone(), next=True)),
    rule("your next {step}", lambda step: Beginning(step, You(), next=True), step=step_name),
    rule("{of}{step}", lambda of, step: Beginning(step, of), of=turn_of, step=step_name),
)


def of_several(what: All, does: list[Any]) -> TriggerEvent | None:
    """An event that happens to one or more objects."""
    event = of_each(what, does)
    return None if event is None or isinstance(event, AnyEvent) else OneOrMore(event)


def attacked_with(what: All) -> TriggerEvent | None:
    """You attack with one or more such creatures (CR 508.3d)."""
    if what.controller is not None or what.zones != {"battlefield"}:
        return None
    return OneOrMore(Attacks(All(**{**fields(what), "controller": You()})))


kind_of_counter = perhaps(rule("{kind} ", lambda kind: kind, kind=counter_name), "")
nth = words({word: n for n, word in enumerate(ORDINALS) if n})
one_event = one_of(
    rule("[whenever|when] day becomes night or night becomes day", DaytimeChanges),
    rule("[whenever|when] day becomes night", lambda: DaytimeChanges("night")),
    rule("[whenever|when] night becomes day", lambda: DaytimeChanges("day")),
    rule("at the beginning of {begins}", lambda begins: begins, begins=begins),
    rule("[whenever|when] you attack with one or more {what}", attacked_with, what=many),
    rule("[whenever|when] you attack", lambda: attacked_with(All(type=frozenset({"Creature"})))),
    rule(
        "[whenever|when] one or more {what} {does}",
        of_several,
        what=many,
        does=list_in_sentence(happening, "or"),
    ),
    rule(
        "[whenever|when] one or more {kind}counters are put on {who}",
        lambda kind, who: GetsCounters(who, kind or None),
        kind=kind_of_counter,
        who=who,
    ),
    rule(
        "[whenever|when] [a|an] {kind}counter is put on {who}",
        lambda kind, who: GetsCounters(who, kind or None, each=True),
        kind=kind_of_counter,
        who=who,
    ),
    rule(
        "[whenever|when] one or more {kind}counters are put on one or more {what}",
        lambda kind, what: OneOrMore(GetsCounters(what, kind or None)),
        kind=kind_of_counter,
        what=many,
    ),
    rule(
        "[whenever|when] {who} cast[s] [your|their] {n} {what} each turn",
        lambda who, n, what: None if (told := cast(what, who)) is None else Nth(n, told),
        who=player,
        n=nth,
        what=one,
    ),
    rule(
        "[whenever|when] {who} draw[s] [your|their] {n} card each turn",
        lambda who, n: Nth(n, Draws(who)),
        who=player,
        n=nth,
    ),
    rule(
        "[whenever|when] {who} {does} for the {n} time each turn",
        lambda who, does, n: None if (told := of_each(who, [does])) is None else Nth(n, told),
        who=who,
        does=happening,
        n=nth,
    ),
    rule(
        "[whenever|when] {who} {does} for the {n} time each turn",
        lambda who, does, n: None if (told := of_each(who, [does])) is None else Nth(n, told),
        who=player,
        does=doing,
        n=nth,
    ),
    rule(
        "[whenever|when] {who} {does}",
        lambda who, does: of_each(who, does),
        who=who,
        does=list_in_sentence(happening, "or"),
    ),
    rule(
        "[whenever|when] {who} {does}",
        lambda who, does: of_each(who, does),
        who=player,
        does=list_in_sentence(doing, "or"),
    ),
    rule("[whenever|when] {cond}", lambda cond: State(cond), cond=condition),
)
event = one_of(
    rule("{one} and {other}", lambda one, other: AnyEvent((one, other)), one=one_event, other=one_event),
    one_event,
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
        case AnyEvent((first, *_)) | Nth(_, first):
            return subject_of(first)
        case OneOrMore():
            return The("those")
        case Chapter() | UnlocksThisDoor():
            return This()
        case Blocks(_, Filter()) | BecomesBlocked(_, Filter()):
            return It()
        case Cycles(_, Filter(same_as=This())):
            return This()
        case CastEvent() | Plays() | Activates() | Sacrifices() | FullyUnlocks():
            return It()
        case (
            Beginning() | State() | Draws() | Discards() | Cycles() | GainsLife() | LosesLife() | LosesGame()
        ):
            return None
        case _:
            first_field = getattr(when, when.__struct_fields__[0])
            # CR 608.2k: the one that did it, also if the Aura or Equipment is attached to another by then.
            return It() if isinstance(first_field, All | Attached) else first_field
