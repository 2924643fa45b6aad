"""Reads conditions: what holds now, and what happened this turn."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from parsy import Parser

from conformance.reading.grammar import (
    later,
    list_in_sentence,
    one_of,
    perhaps,
    rule,
    words,
)
from conformance.reading.phrases import (
    FilterFields,
    article,
    compared,
    digits,
    feature,
    fields,
    itself,
    kinds_counted,
    many,
    number,
    of_whom,
    one,
    one_state,
    past_numbers,
    past_objects,
    player,
    quantity,
    spoken,
    thing,
    top_card,
    with_other,
)
from conformance.reading.references import ANOTHER
from conformance.wording.conditions import A_PERMANENT_CARD_OF_YOURS, STEP_NAMES
from reference_engine.language.cards import (
    All,
    AllOf,
    AnyEvent,
    AnyOf,
    AnyPlayer,
    Attacks,
    CastEvent,
    Compare,
    Condition,
    Count,
    Designated,
    Dies,
    Discards,
    Draws,
    Enters,
    Everyone,
    Exists,
    Filter,
    GainsLife,
    Happened,
    HowOften,
    It,
    ItIs,
    Leaves,
    LosesLife,
    Matches,
    Not,
    Opponents,
    PropertyOf,
    PutIntoGraveyard,
    Sacrifices,
    This,
    Turn,
    Was,
    You,
)

# ------------------------------------------------------------------------------- if it holds

STEP_BY_NAME = {name: step for step, name in STEP_NAMES.items()}
condition = later()
how_many = one_of(
    rule("{n} or more {what}", lambda n, what: (">=", n, what), n=number, what=many),
    rule("{n} or fewer {what}", lambda n, what: ("<=", n, what), n=number, what=many),
    rule("exactly {n} {what}", lambda n, what: ("=", n, what), n=number, what=many),
    rule("no {what}", lambda what: ("=", 0, what), what=many),
    rule("another {what}", lambda what: (">=", 1, with_other(True, what)), what=one),
    rule("{a}{what}", lambda a, what: (">=", 1, what), a=article, what=one),
)


def number_condition(asked: tuple[Any, int, All], controller: Any = None) -> Condition | None:
    """The condition that there are a number of such objects, or that somebody controls them."""
    how, n, what = asked
    if controller is not None:
        if what.controller is not None:
            return None
        what = All(**{**fields(what), "controller": controller})
    if (how, n) == (">=", 1):
        return Exists(what)
    if (how, n) == ("=", 0):
        return Not(Exists(what))
    return Compare(Count(what), how, n)


def controls(who: Any, asked: tuple[Any, int, All]) -> Any:
    """The condition that somebody controls a number of objects."""
    return number_condition(asked, who)


how_much = one_of(
    rule("{n} or more", lambda n: (">=", n), n=number),
    rule("{n} or less", lambda n: ("<=", n), n=number),
    rule("{n} or fewer", lambda n: ("<=", n), n=number),
    rule("exactly {n}", lambda n: ("=", n), n=number),
    rule("no", lambda: ("=", 0)),
)
are = words({" is ": False, "'s ": False, " are ": False, " isn't ": True, " aren't ": True})
state_said = one_of(
    one_state,
    rule("attached to {who}", lambda who: {"attached_to": who}, who=thing),
    rule("[a|an] {what}", lambda what: as_filter(what), what=one),
)


def as_filter(what: All) -> FilterFields:
    """The description of an object, as keys of a filter."""
    return {
        name: getattr(what, name)
        for name in Filter.__struct_fields__
        if getattr(what, name) != getattr(Filter(), name)
    }


def matches(who: Any, negated: bool, what: FilterFields | None) -> Any:
    """The condition that an object fits a description, or does not."""
    if what is None:
        return None
    found = Matches(who, Filter(**what))
    return Not(found) if negated else found


one_player = words(
    {
        "a player": (Everyone(), False),
        "an opponent": (Opponents(), False),
        "each player": (Everyone(), True),
        "each opponent": (Opponents(), True),
    }
)
player_has = one_of(
    rule("has {n} cards in hand", lambda n: Compare(PropertyOf("hand_size", It()), *n), n=how_much),
    rule("has {n} card in hand", lambda n: Compare(PropertyOf("hand_size", It()), *n), n=how_much),
    rule("has {n} life", lambda n: Compare(PropertyOf("life", It()), *n), n=how_much),
    rule("controls {asked}", lambda asked: controls(It(), asked), asked=how_many),
)


def some_player(who: tuple[Any, bool], has: Any) -> Any:
    """The condition that something is true of a player, or of each of them."""
    of, every = who
    if not every and isinstance(has, Exists):
        return None  # "an opponent controls a creature" needs no such words
    return AnyPlayer(of, has, every)


past_condition_later = later()
bare_condition = one_of(
    past_condition_later,
    rule("it's your turn", lambda: Turn(You())),
    rule("it's not your turn", lambda: Not(Turn(You()))),
    rule("it isn't your turn", lambda: Not(Turn(You()))),
    rule("it's an opponent's turn", lambda: Turn(Opponents())),
    rule("[it|~] was kicked", lambda: Was("kicked")),
    rule("[it|~] escaped", lambda: Was("escaped")),
    rule("[it|~] was foretold", lambda: Was("foretold")),
    rule("[it|~] wasn't foretold", lambda: Not(Was("foretold"))),
    rule("its evoke cost was paid", lambda: Was("evoked")),
    rule("its dash cost was paid", lambda: Was("dashed")),
    rule("{who} ha[s|ve] the city's blessing", lambda who: Designated("city's blessing", who), who=player),
    rule(
        "{who} do[es|]n't have the city's blessing",
        lambda who: Not(Designated("city's blessing", who)),
        who=player,
    ),
    rule("you're the monarch", lambda: Designated("monarch")),
    rule("you are the monarch", lambda: Designated("monarch")),
    rule("you aren't the monarch", lambda: Not(Designated("monarch"))),
    rule("you're not the monarch", lambda: Not(Designated("monarch"))),
    rule("{who} is the monarch", lambda who: Designated("monarch", who), who=player),
    rule("{who} isn't the monarch", lambda who: Not(Designated("monarch", who)), who=player),
    rule("[there is|there's] no monarch", lambda: Not(Designated("monarch", Everyone()))),
    rule("it's neither day nor night", lambda: Not(AnyOf((ItIs("day"), ItIs("night"))))),
    rule("it's {what}", lambda what: ItIs(what), what=words({"day": "day", "night": "night"})),
    rule("it isn't {what}", lambda what: Not(ItIs(what)), what=words({"day": "day", "night": "night"})),
    rule("there is a monarch", lambda: Designated("monarch", Everyone())),
    rule("its offspring cost was paid", lambda: Was("offspring")),
    rule("[it|~] wasn't kicked", lambda: Not(Was("kicked"))),
    rule("you cast it from your hand", lambda: Was("cast from hand")),
    rule("you cast it", lambda: Was("cast")),
    rule("{who} {has}", some_player, who=one_player, has=player_has),
    rule(
        "{who} ha[s|ve] {n} cards in hand",
        lambda who, n: Compare(PropertyOf("hand_size", who), *n),
        who=player,
        n=how_much,
    ),
    rule(
        "{who} ha[s|ve] {n} life",
        lambda who, n: Compare(PropertyOf("life", who), *n),
        who=player,
        n=how_much,
    ),
    rule(
        "{who} control[s] {some}",
        lambda who, some: None if len(some) < 2 else AnyOf(tuple(controls(who, asked) for asked in some)),
        who=player,
        some=list_in_sentence(how_many, "or"),
    ),
    rule(
        "{who} control[s] {some}",
        lambda who, some: None if len(some) < 2 else AllOf(tuple(controls(who, asked) for asked in some)),
        who=player,
        some=list_in_sentence(how_many, "and"),
    ),
    rule("{who} control[s] {asked}", controls, who=player, asked=how_many),
    rule(
        "there are {n} {kinds}s among {of}",
        lambda n, kinds, of: Compare(Count(of, kinds), *n) if of.zones else None,
        n=how_much,
        kinds=kinds_counted,
        of=many,
    ),
    rule("[there are|there's|there is] {asked} on the battlefield", number_condition, asked=how_many),
    rule("[there are|there's|there is] {asked}", number_condition, asked=how_many),
    rule("{who}{negated}{what}", matches, who=one_of(spoken, top_card), negated=are, what=state_said),
    rule(
        "{who} has {what}",
        lambda who, what: matches(who, False, what),
        who=spoken,
        what=feature,
    ),
    rule(
        "{left} is {right}",
        lambda left, right: Compare(left, right.how, right.n),
        left=quantity,
        right=compared,
    ),
)
# --------------------------------------------------------------------------- what has happened

so_many_past = one_of(
    rule("{n} or more {what}", lambda n, what: (n, what), n=number, what=many),
    rule("another {what}", lambda what: (1, with_other(True, what)), what=one),
    rule("{a}{what}", lambda a, what: (1, what), a=article, what=one),
)
life_past = one_of(rule("{n} or more life", lambda n: int(n), n=digits), rule("life", lambda: 1))


def plain(what: All) -> Filter:
    """The filter for objects of a description, whatever their zone."""
    return Filter(**as_filter(what))


def done_past(kind: str, who: Any, what: All, zones: frozenset[str]) -> Any:
    """The event that a player does something to such an object."""
    if what.zones != zones:
        return None
    wanted = plain(what)
    match kind:
        case "cast":
            # Among spells, another one is other than this spell, whatever it targets.
            other: Any = wanted.other_than
            other = This() if other == ANOTHER else other
            return CastEvent(replace(wanted, other_than=other), who)
        case "discarded":
            return Discards(who, None if wanted == Filter() else wanted)
        case "drawn":
            return Draws(who) if wanted == Filter() else None
        case _:
            return Sacrifices(who, wanted)


PLACE_OF_DEED = {
    "cast": frozenset({"stack"}),
    "drawn": frozenset[str](),
    "discarded": frozenset[str](),
    "sacrificed": frozenset({"battlefield"}),
}
deed = words({name: name for name in PLACE_OF_DEED})


def event_condition(event: Any, n: int = 1) -> Any:
    """The condition that something happened this turn."""
    return None if event is None else Happened(event, n)


def with_holder(what: All, whose: Any) -> All | None:
    """A group under somebody's control."""
    if whose is None or what.controller is not None:
        return what if whose is None else None
    return All(**{**fields(what), "controller": whose})


under = perhaps(rule(" under {whose}control", lambda whose: whose, whose=of_whom), None)
object_past = one_of(
    rule("died{whose}", lambda whose: (Dies, whose), whose=under),
    rule("entered the battlefield{whose}", lambda whose: (Enters, whose), whose=under),
    rule("entered{whose}", lambda whose: (Enters, whose), whose=under),
    rule("left the battlefield{whose}", lambda whose: (Leaves, whose), whose=under),
    rule("attacked", lambda: (Attacks, None)),
)


def objects_past(some: tuple[int, All], does: tuple[Any, Any]) -> Any:
    """The condition that objects did something this turn."""
    (n, what), (kind, whose) = some, does
    group = with_holder(what, whose)
    if what.zones != {"battlefield"} or group is None:
        return None
    return event_condition(kind(group), n)


def attacked_with(some: tuple[int, All] | None) -> Any:
    """The condition that you attacked this turn, with such creatures."""
    if some is None:
        return event_condition(Attacks(All(type=frozenset({"Creature"}), controller=You())))
    n, what = some
    mine = with_holder(what, You())
    # With several creatures: one that attacks in two combats is one creature, and we count attacks.
    return None if mine is None or n > 1 else event_condition(Attacks(mine), n)


player_past = one_of(
    rule(
        "gained or lost {n}",
        lambda n: (lambda who: AnyEvent((GainsLife(who), LosesLife(who))), n),
        n=life_past,
    ),
    rule("gained {n}", lambda n: (GainsLife, n), n=life_past),
    rule("lost {n}", lambda n: (LosesLife, n), n=life_past),
    rule(
        "{kind} {some}",
        lambda kind, some: (lambda who: done_past(kind, who, some[1], PLACE_OF_DEED[kind]), some[0]),
        kind=deed,
        some=so_many_past,
    ),
)


def counted_past(event: Any) -> Any:
    """The number of times that something happened this turn."""
    return None if event is None else HowOften(event)


def counted_objects_past(what: All, does: tuple[Any, Any]) -> Any:
    """The number of objects that did something this turn."""
    found = objects_past((1, what), does)
    # One that attacks in two combats is one creature, and we count attacks.
    return None if found is None or isinstance(found.event, Attacks) else HowOften(found.event)


def past_group(form: Parser) -> Parser:
    """What was done this turn as a noun phrase: "spells you've cast", "creature that died"."""
    return one_of(
        rule(
            "{what} you've {kind}",
            lambda what, kind: counted_past(done_past(kind, You(), what, PLACE_OF_DEED[kind])),
            what=form,
            kind=deed,
        ),
        rule("{what} that {does}", counted_objects_past, what=form, does=object_past),
    )


past_objects.become(past_group(one))
past_numbers.become(past_group(many))
past_condition = one_of(
    rule(
        "no {what} were cast last turn",
        lambda what: (
            None
            if (told := done_past("cast", Everyone(), what, PLACE_OF_DEED["cast"])) is None
            else Not(Happened(told, last_turn=True))
        ),
        what=many,
    ),
    rule(
        "{who} cast {some} last turn",
        lambda who, some: (
            None
            if (told := done_past("cast", who, some[1], PLACE_OF_DEED["cast"])) is None
            else Happened(told, some[0], last_turn=True)
        ),
        who=player,
        some=so_many_past,
    ),
    rule("you descended this turn", lambda: event_condition(PutIntoGraveyard(A_PERMANENT_CARD_OF_YOURS))),
    rule("you attacked this turn", lambda: attacked_with(None)),
    rule("you['ve|] attacked with {some} this turn", attacked_with, some=so_many_past),
    rule(
        "you['ve|] {does} this turn", lambda does: event_condition(does[0](You()), does[1]), does=player_past
    ),
    rule(
        "you haven't {does} this turn",
        lambda does: Not(event_condition(does[0](You()), does[1])),
        does=player_past,
    ),
    rule(
        "{who} ha[s|ve] {does} this turn",
        lambda who, does: event_condition(does[0](who), does[1]),
        who=player,
        does=player_past,
    ),
    rule(
        "{who} {does} this turn",
        lambda who, does: event_condition(does[0](who), does[1]),
        who=player,
        does=player_past,
    ),
    rule("{who} attacked this turn", lambda who: event_condition(Attacks(who)), who=itself),
    rule("{who} entered this turn", lambda who: event_condition(Enters(who)), who=itself),
    rule("{some} {does} this turn", objects_past, some=so_many_past, does=object_past),
    rule(
        "no {what} {does} this turn",
        lambda what, does: None if (found := objects_past((1, what), does)) is None else Not(found),
        what=many,
        does=object_past,
    ),
    rule(
        "{some} was put into {of}graveyard from anywhere this turn",
        lambda some, of: event_condition(
            PutIntoGraveyard(All(**{**fields(some[1]), "zones": frozenset({"graveyard"}), "of": of}))
            if some[1].zones == frozenset()
            else None,
            some[0],
        ),
        some=so_many_past,
        of=of_whom,
    ),
)
past_condition_later.become(past_condition)
condition.become(
    one_of(
        rule("{one} and {two}", lambda one, two: AllOf((one, two)), one=bare_condition, two=bare_condition),
        rule("{one} or {two}", lambda one, two: AnyOf((one, two)), one=bare_condition, two=bare_condition),
        bare_condition,
    )
)
