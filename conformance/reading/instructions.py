"""Reads what spells and abilities do as they resolve, sentence by sentence."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from conformance.reading.added_phases import phases_come
from conformance.reading.conditions import condition
from conformance.reading.costs import cost_verbs, discard_cost, mana, numbered, tapped_others
from conformance.reading.designations import designation_act, designation_order
from conformance.reading.events import begins
from conformance.reading.grammar import (
    later,
    list_in_sentence,
    memoized_rule,
    one_of,
    parse,
    perhaps,
    rule,
    whether,
    with_separators,
    words,
)
from conformance.reading.library import (
    RestOfThem,
    TakenFromThem,
    TopCards,
    cards_manifested,
    find_steps,
    manifested,
    rest_place,
    search_what,
    searching,
    such_cards,
    taken_such,
    taken_to,
)
from conformance.reading.operations import (
    blockers,
    damage_sources,
    everything_but,
    given,
    multiple,
    verbs,
)
from conformance.reading.phrases import (
    OWNER,
    SUBTYPES_IN_PLURAL,
    cards_and,
    counter_name,
    counter_piles,
    digits,
    each_of,
    everything,
    number,
    picked,
    pile,
    player,
    possessor,
    quantity,
    spoken,
    subject,
    target,
    thing,
    top_card,
    whole_zone,
    with_tail,
)
from conformance.reading.printed_tokens import create
from conformance.reading.references import (
    ChoiceReference,
    PronounReference,
    TargetReference,
    marks_in,
    operations_on,
    with_x,
)
from reference_engine.language.cards import (
    AddMana,
    AddTypes,
    All,
    Amass,
    Attach,
    Beginning,
    Cannot,
    Cast,
    ChangeTarget,
    ChooseInstruction,
    Connive,
    CopySpell,
    Counters,
    CounterSpell,
    Damage,
    Destroy,
    Discard,
    Discover,
    Draw,
    Duration,
    Effect,
    Emblem,
    EndTurn,
    Everyone,
    ExchangeControl,
    Exile,
    Explore,
    ExtraTurn,
    Fight,
    Filter,
    GainControl,
    GainLife,
    GoTo,
    If,
    It,
    LandDrops,
    Later,
    LifeCost,
    LookAt,
    LookThrough,
    LoseGame,
    LoseLife,
    ManaCost,
    May,
    MayPlay,
    Mill,
    Mode,
    Modify,
    Must,
    OneOfInstruction,
    Opponents,
    OwnerOf,
    PhaseOut,
    PreventDamage,
    PropertyOf,
    Put,
    PutCounters,
    Regenerate,
    RemoveCounters,
    Reveal,
    Sacrifice,
    SacrificeCost,
    Saddle,
    Scry,
    SetTypes,
    SkipNext,
    Surveil,
    Switch,
    Tap,
    ThatMuch,
    Transform,
    TurnFace,
    Untap,
    WhenYouDo,
    WinGame,
    Would,
    X,
    You,
)
from reference_engine.language.words import CHOSEN_COLOR, CHOSEN_TYPE

InstructionDraft = list[Any]
"""Instructions, with marks for what is resolved later."""


class IfYouDo(Struct, frozen=True):
    """What follows if a player did what they may do."""

    effect: tuple[Any, ...]
    negated: bool = False


class Otherwise(Struct, frozen=True):
    """What happens if a condition does not hold."""

    effect: tuple[Any, ...]


class CannotBeRegenerated(Struct, frozen=True):
    """What was destroyed can't be regenerated."""


# ------------------------------------------------------------------------------- what players do

a_card = cards_and("card")


life = one_of(
    rule("{n} life{each}", with_tail, n=one_of(digits, rule("X", X)), each=perhaps(each_of)),
    rule("that much life", ThatMuch),
    rule("life equal to {n}", lambda n: n, n=quantity),
)
cards = one_of(
    rule("{n}{each}", with_tail, n=a_card, each=perhaps(each_of)),
    rule("cards equal to {n}", lambda n: n, n=quantity),
)
scried = one_of(digits, rule("X", X))
sacrificed = one_of(
    rule("{what} of [their|his or her] choice", lambda what: what, what=numbered),
    numbered,
)


def sacrifice(who: Any, n: int, what: All) -> Any:
    """Somebody sacrifices a number of objects."""
    return [Sacrifice(what, who, n)]


act = one_of(
    rule("draw[s] {n}", lambda n: lambda who: [Draw(n, who)], n=cards),
    rule(
        "discard[s] [your|their] hand",
        lambda: lambda who: [Discard(PropertyOf("hand_size", who), who)],
    ),
    rule("discard[s] {n}", lambda n: lambda who: [Discard(n, who)], n=cards),
    rule("gain[s] {n}", lambda n: lambda who: [GainLife(n, who)], n=life),
    rule("lose[s] {n}", lambda n: lambda who: [LoseLife(n, who)], n=life),
    rule("sacrifice[s] {what}", lambda what: lambda who: sacrifice(who, *what), what=sacrificed),
    rule("mill[s] {n}", lambda n: lambda who: [Mill(n, who)], n=cards),
    rule("scry {n}", lambda n: lambda who: [Scry(n, who)], n=scried),
    rule("scries {n}", lambda n: lambda who: [Scry(n, who)], n=scried),
    rule("surveil[s] {n}", lambda n: lambda who: [Surveil(n, who)], n=scried),
    rule("discover {n}", lambda n: lambda who: [Discover(n)] if who == You() else None, n=scried),
    rule("take[s] an extra turn after this one", lambda: lambda who: [ExtraTurn(who)]),
    rule(
        "skip[s] [your|their] next {what}",
        lambda what: lambda who: [SkipNext(what, who)],
        what=words(
            {
                "turn": "turn",
                "combat phase": "combat",
                "untap step": "untap",
                "upkeep step": "upkeep",
                "draw step": "draw",
            }
        ),
    ),
    designation_act,
    rule("win[s] the game", lambda: lambda who: [WinGame(who)]),
    rule("lose[s] the game", lambda: lambda who: [LoseGame(who)]),
    rule("get[s] an emblem with {has}", lambda has: lambda who: [Emblem(tuple(has), who)], has=given),
    rule(
        "amass {kinds} {n}",
        lambda kinds, n: lambda who: [Amass(n, kinds)] if who == You() else None,
        kinds=words(SUBTYPES_IN_PLURAL),
        n=scried,
    ),
    manifested,
    rule("end the turn", lambda: lambda who: [EndTurn()] if who == You() else None),
    rule(
        "search[es] [your|their] library for {what}, {steps}",
        lambda what, steps: lambda who: None if who == You() else searching(what, {**steps, "who": who}),
        what=search_what,
        steps=find_steps,
    ),
)
"""What a player does, as a function of the player."""

player_act = one_of(act, create)


def actions_of(who: Any, does: list[Any]) -> InstructionDraft | None:
    """What a player does, in order."""
    told: InstructionDraft = []
    for index, do in enumerate(does):
        acted = do(who if index == 0 else same_player(who))
        if acted is None:
            return None
        told += acted
    return told


def mentioned_again(what: Any) -> Any:
    """A thing in the rest of a sentence: a target or a choice is made only once."""
    return PronounReference("it") if isinstance(what, TargetReference | ChoiceReference) else what


def same_player(who: Any) -> Any:
    """A player in the rest of a sentence: a target is chosen only once."""
    return PronounReference("that player") if isinstance(who, TargetReference) else who


# --------------------------------------------------------------------------------- being moved

destination = words(
    {
        "its owner's hand": "hand",
        "their owner's hand": "hand",
        "their owners' hands": "hand",
        "your hand": "hand",
        "the battlefield": "battlefield",
        "its owner's graveyard": "graveyard",
        "your graveyard": "graveyard",
    }
)
moved = one_of(spoken, target, top_card, picked, everything)
under = one_of(
    rule(" under your control", lambda: You()),
    rule(" under its owner's control", lambda: OWNER),
    rule(" under their owner's control", lambda: OWNER),
    rule(" under their owners' control", lambda: OwnerOf(It())),
)
how_returned = one_of(
    rule(" tapped", lambda: {"tapped": True}),
    rule("", lambda: {}),
)


def returned_to_zone(
    what: Any, to: Any, how: dict[str, Any], under: Any, pile: Any = None
) -> InstructionDraft | None:
    """Something that is returned to a zone."""
    if to != "battlefield" and (how or under or pile):
        return None
    more = {} if under is None else {"under": under}
    if pile:
        more["counters"] = pile
    return [Put(what, to, **how, **more)]


# -------------------------------------------------------------------------------------- damage

much = one_of(
    rule("{n} damage", lambda n: n, n=one_of(digits, rule("X", X))),
    rule("that much damage", ThatMuch),
    rule("damage equal to {n}", lambda n: n, n=quantity),
)
victim = one_of(thing, player)
each_player = words({"each player": Everyone(), "each opponent": Opponents()})


def dealt(by: Any, n: Any, to: Any, each: Any = None) -> InstructionDraft | None:
    """A damage instruction."""
    return [Damage(with_tail(n, each), to, by)]


def divided_damage(by: Any, n: Any, to: Any) -> InstructionDraft:
    """Damage divided among targets."""
    return [Damage(n, to, by, divided=True)]


# ------------------------------------------------------------------------------------- effects

during = words(
    {
        " until end of turn": "end of turn",
        " this turn": "this turn",
        " until your next turn": "your next turn",
        " until the end of your next turn": "end of your next turn",
        " until end of combat": "end of combat",
    }
)


def continuous_effect(who: Any, does: list[Any], until: Any, each: Any = None) -> InstructionDraft | None:
    """A continuous effect with its duration."""
    if each is not None:
        match does:
            case [Modify(power, toughness)] if isinstance(power, int) and isinstance(toughness, int):
                does = [Modify(multiple(power, each), multiple(toughness, each))]
            case _:
                return None
    return [Effect(who, operations_on(who, does), until)]


# ---------------------------------------------------------------------------------------- mana


def mana_added(mana: str, each: Any) -> InstructionDraft:
    """Mana with these symbols, possibly for each of something."""
    return [AddMana(mana)] if each is None else [AddMana(mana, each)]


def either_mana(kinds: list[str]) -> InstructionDraft | None:
    """Mana of one of several kinds."""
    if len(kinds) == 1:
        return None
    return [OneOfInstruction(tuple(Mode((AddMana(kind),)) for kind in kinds))]


mana_words = one_of(
    rule("{kinds}", either_mana, kinds=list_in_sentence(mana, "or")),
    rule("{mana}{each}", mana_added, mana=mana, each=perhaps(each_of)),
    rule("one mana of any color", lambda: [AddMana("any")]),
    rule("X mana of any one color", lambda: [AddMana("any", X())]),
    rule("an amount of {mana} equal to {n}", lambda mana, n: [AddMana(mana, n)], mana=mana, n=quantity),
    rule("{n} mana of any one color", lambda n: [AddMana("any", n)], n=number),
)


# --------------------------------------------------------------------------------------- orders

order = one_of(
    phases_come,
    designation_order,
    rule("destroy {what}", lambda what: [Destroy(what)], what=moved),
    rule(
        "exile {what} until ~ leaves the battlefield",
        lambda what: [Exile(what, until_leaves=True)],
        what=moved,
    ),
    rule("exile {what}", lambda what: [Exile(what)], what=one_of(moved, whole_zone)),
    cards_manifested,
    rule("sacrifice {what}", lambda what: [Sacrifice(what)], what=spoken),
    rule("counter {what}", lambda what: [CounterSpell(what)], what=one_of(target, spoken)),
    rule("untap {what}", lambda what: [Untap(what)], what=moved),
    rule("tap {what}", lambda what: [Tap(what)], what=moved),
    rule(
        "tap or untap {what}",
        lambda what: [OneOfInstruction((Mode((Tap(what),)), Mode((Untap(mentioned_again(what)),))))],
        what=moved,
    ),
    rule("transform {what}", lambda what: [Transform(what)], what=thing),
    rule("regenerate {what}", lambda what: [Regenerate(what)], what=thing),
    rule(
        "return {what} to {to}{how}{under}{pile}",
        returned_to_zone,
        what=moved,
        to=destination,
        how=how_returned,
        under=perhaps(under),
        pile=perhaps(rule(" with {pile} on [it|them]", lambda pile: pile, pile=pile)),
    ),
    rule(
        "put {what} onto the battlefield{how}{under}",
        lambda what, how, under: returned_to_zone(what, "battlefield", how, under),
        what=moved,
        how=how_returned,
        under=perhaps(under),
    ),
    rule(
        "return {that} from your graveyard to {to}{how}{pile}",
        lambda that, to, how, pile: returned_to_zone(that, to, how, None, pile),
        that=spoken,
        to=destination,
        how=how_returned,
        pile=perhaps(rule(" with {pile} on [it|them]", lambda pile: pile, pile=pile)),
    ),
    rule("put {what} into {to}", lambda what, to: [Put(what, to)], what=moved, to=destination),
    rule(
        "put {what} on top of [its owner's library|their owners' libraries|your library]",
        lambda what: [Put(what, "library")],
        what=moved,
    ),
    rule(
        "put {what} on the bottom of [its owner's library|their owners' libraries|your library]",
        lambda what: [Put(what, "library", bottom=True)],
        what=moved,
    ),
    rule(
        "shuffle {what} into [its owner's library|their owners' libraries|your library]",
        lambda what: [Put(what, "library", shuffled=True)],
        what=one_of(moved, whole_zone),
    ),
    rule(
        "put {pile} on {what}{each}",
        lambda pile, what, each: None if (p := counter_piles(pile, each)) is None else [PutCounters(p, what)],
        pile=pile,
        what=one_of(thing, picked),
        each=perhaps(each_of),
    ),
    rule(
        "put a number of {kind} counters on {what} equal to {n}",
        lambda kind, what, n: [PutCounters((Counters(kind, n),), what)],
        kind=counter_name,
        what=one_of(thing, picked),
        n=quantity,
    ),
    rule("remove {pile} from {what}", lambda pile, what: [RemoveCounters(pile, what)], pile=pile, what=thing),
    rule("add {mana}", lambda mana: mana, mana=mana_words),
    rule(
        "gain control of {what}{until}",
        lambda what, until: [Effect(what, (GainControl(),), until)],
        what=thing,
        until=perhaps(during, "ever"),
    ),
    rule("search your library for {what}, {steps}", searching, what=search_what, steps=find_steps),
    rule("look at {what}", lambda what: [LookAt(what)], what=one_of(top_card, whole_zone)),
    rule("reveal {what}", lambda what: [Reveal(what)], what=one_of(top_card, whole_zone)),
    rule("attach {what} to {to}", lambda what, to: [Attach(what, to)], what=spoken, to=thing),
    rule("exchange control of {what}", lambda what: [ExchangeControl(what)], what=target),
    rule("copy {what}", lambda what: [CopySpell(what, new_targets=False)], what=one_of(target, spoken)),
    rule("choose new targets for {what}", lambda what: [ChangeTarget(what)], what=one_of(target, spoken)),
    rule(
        "switch {what}power and toughness until end of turn",
        lambda what: [Effect(what, (Switch(),), "end of turn")],
        what=possessor,
    ),
    rule(
        "turn {what} face {face}",
        lambda what, face: [TurnFace(what, face)],
        what=thing,
        face=words({"up": "up", "down": "down"}),
    ),
    rule("choose a color", lambda: [ChooseInstruction("color")]),
    rule("choose a creature type", lambda: [ChooseInstruction("type", of="creature type")]),
    rule(
        "prevent all {kind}damage that would be dealt to {who}{by} this turn",
        lambda kind, who, by: [Effect(who, (PreventDamage(by, combat=kind),), "this turn")],
        kind=whether("combat "),
        who=victim,
        by=damage_sources,
    ),
    rule(
        "prevent the next {n} damage that would be dealt to {to} this turn",
        lambda n, to: [Effect(to, (PreventDamage(n=n, next=True),), "this turn")],
        n=one_of(digits, rule("X", X)),
        to=victim,
    ),
    rule(
        "cast {what} without paying its mana cost",
        lambda what: [Cast(what, cost=())],
        what=one_of(target, spoken),
    ),
    rule("cast {what}", lambda what: [Cast(what)], what=one_of(target, spoken)),
)
later_said = later()
END_OF_COMBAT = Beginning("end of combat", Everyone(), next=True)


def began_until_end(who: Any, does: list[Any]) -> InstructionDraft:
    """An effect whose duration, "until end of turn", comes first."""
    return [Effect(who, operations_on(who, does), "end of turn")]


def may_play_exiled(how: str, what: Any, until: Duration) -> InstructionDraft:
    """You may play or cast exiled cards for some time."""
    cards = All(zones=frozenset({"exile"}), same_as=what)
    return [Effect(You(), (MayPlay(cards, only_cast=how == "cast"),), until)]


play_or_cast = words({"play": "play", "cast": "cast"})
stays_tapped = one_of(
    rule(
        "{who} doesn't untap during its controller's next untap step",
        lambda who: [Effect(who, (Cannot(frozenset({"untap"})),), "next untap step")],
        who=one_of(spoken, target),
    ),
    rule(
        "{who} don't untap during their controller[s'|'s] next untap step[s]",
        lambda who: [Effect(who, (Cannot(frozenset({"untap"})),), "next untap step")],
        who=one_of(spoken, target),
    ),
)


def began_until_next(who: Any, does: list[Any]) -> InstructionDraft:
    """An effect whose duration, "until your next turn", comes first."""
    return [Effect(who, operations_on(who, does), "your next turn")]


class StillLand(Struct, frozen=True):
    """A land that became a creature is still a land (CR 205.1b: it keeps its types)."""


class NewTargets(Struct, frozen=True):
    """You may choose new targets for a copy."""


statement = memoized_rule(
    one_of(
        rule(
            "{by} deal[s] {n} divided as you choose among {to}", divided_damage, by=spoken, n=much, to=target
        ),
        rule(
            "{by} deal[s] {n} to {to} and {also}",
            lambda by, n, to, also: [Damage(n, to, by, also=also)],
            by=one_of(spoken, target),
            n=much,
            to=one_of(everything, each_player),
            also=one_of(everything, each_player),
        ),
        rule(
            "{by} deal[s] {n} to {to}{each}",
            dealt,
            by=one_of(spoken, target),
            n=much,
            to=victim,
            each=perhaps(each_of),
        ),
        rule(
            "{by} deal[s] damage to {to} equal to {n}",
            dealt,
            by=one_of(spoken, target),
            n=quantity,
            to=victim,
        ),
        rule("{who} {does}", actions_of, who=player, does=with_separators(player_act, " and ", ", then ")),
        rule(
            "{does}",
            lambda does: actions_of(You(), does),
            does=with_separators(player_act, " and ", ", then "),
        ),
        rule(
            "{who} {does} until end of turn and {more} this turn",
            lambda who, does, more: [
                *began_until_end(who, does),
                Effect(mentioned_again(who), operations_on(mentioned_again(who), more), "this turn"),
            ],
            who=subject,
            does=verbs,
            more=verbs,
        ),
        rule(
            "{who} can't be blocked this turn except by {what}",
            lambda who, what: None if (only := everything_but(what)) is None else blocked_only_by(who, only),
            who=subject,
            what=blockers,
        ),
        rule(
            "{who} each {does}{until}{each}",
            continuous_effect,
            who=target,
            does=verbs,
            until=during,
            each=perhaps(each_of),
        ),
        rule(
            "{who} {does}{until}{each}",
            continuous_effect,
            who=subject,
            does=verbs,
            until=during,
            each=perhaps(each_of),
        ),
        rule("{who} {does}{until}", continuous_effect, who=player, does=verbs, until=during),
        stays_tapped,
        rule("{what} explore[s]", lambda what: [Explore(what)], what=one_of(thing, everything)),
        rule(
            "{what} connive[s]{n}",
            lambda what, n: [Connive(what, n)],
            what=one_of(thing, everything),
            n=perhaps(rule(" {n}", lambda n: n, n=scried), 1),
        ),
        rule("{what} become[s] saddled until end of turn", lambda what: [Saddle(what)], what=subject),
        rule("{what} phase[s] out", lambda what: [PhaseOut(what)], what=one_of(thing, everything)),
        rule(
            "{one} fight[s] {other}",
            lambda one, other: [Fight(one, other)],
            one=one_of(spoken, target),
            other=thing,
        ),
        rule(
            "until the end of your next turn, you may {how} {what}",
            lambda how, what: may_play_exiled(how, what, "end of your next turn"),
            how=play_or_cast,
            what=spoken,
        ),
        rule(
            "you may {how} {what} until the end of your next turn",
            lambda how, what: may_play_exiled(how, what, "end of your next turn"),
            how=play_or_cast,
            what=spoken,
        ),
        rule(
            "until end of turn, you may {how} {what}",
            lambda how, what: may_play_exiled(how, what, "end of turn"),
            how=play_or_cast,
            what=spoken,
        ),
        rule(
            "you may {how} {what} this turn",
            lambda how, what: may_play_exiled(how, what, "this turn"),
            how=play_or_cast,
            what=spoken,
        ),
        rule("until end of turn, {who} {does}", began_until_end, who=subject, does=verbs),
        rule("until your next turn, {who} {does}", began_until_next, who=subject, does=verbs),
        order,
        rule(
            "{who} {does}", lambda who, does: [Effect(who, operations_on(who, does))], who=subject, does=verbs
        ),
    )
)
"""What happens, as a clause: an order, or a statement."""


def flat(parts: list[InstructionDraft]) -> InstructionDraft:
    """Instructions of several clauses in order."""
    return [instruction for part in parts for instruction in part]


statements = rule("{parts}", flat, parts=with_separators(statement, ", then ", " and ", ", and "))
where_x = rule(", where X is {n}", lambda n: n, n=quantity)


def with_x_explained(told: InstructionDraft, n: Any) -> InstructionDraft:
    """Instructions with X explained at the end."""
    if n is None:
        return told
    known = with_x(tuple(told), n)
    return [
        replace(one, does=operations_on(one.affects, one.does))
        if isinstance(
            one,
            Effect,
        )
        else one
        for one in known
    ]


said = rule("{told}{n}", with_x_explained, told=statements, n=perhaps(where_x))

# ------------------------------------------------------------------------------------ sentences

may_order = one_of(
    rule("have {by} deal {n} to {to}", dealt, by=spoken, n=much, to=victim),
    rule("have {who} {does}{until}", continuous_effect, who=subject, does=verbs, until=during),
    rule("{told}", lambda told: told, told=said),
)


def may(who: Any, told: InstructionDraft) -> InstructionDraft:
    """Somebody may do something."""
    return [May(tuple(told), who)]


def may_act(who: Any, does: list[Any]) -> InstructionDraft | None:
    """Another player may do something themselves."""
    acted = None if who == You() else actions_of(who, does)
    return None if acted is None else [May(tuple(acted), who)]


def may_pay(who: Any, costs: list[Any]) -> InstructionDraft:
    """Somebody may pay something; the next sentence says what for."""
    return [May((), who, tuple(costs))]


def later_on(when: Any, told: InstructionDraft) -> InstructionDraft:
    """Something that happens at a later time."""
    return [Later(when, tuple(told))]


pays = list_in_sentence(
    one_of(
        rule("pay[s] {mana}", ManaCost, mana=mana),
        rule("pay[s] {n} life", LifeCost, n=digits),
        rule("discard[s] {what}", lambda what: discard_cost(*what), what=numbered),
        rule("tap[s] {what}", lambda what: tapped_others(*what), what=numbered),
        rule("sacrifice[s] {what}", lambda what: SacrificeCost(what[1], what[0]), what=numbered),
    )
)


def unless(told: InstructionDraft, who: Any, costs: list[Any]) -> InstructionDraft:
    """Something that happens unless somebody pays."""
    return [May((), who, tuple(costs), tuple(told))]


def if_so(cond: Any, told: InstructionDraft) -> InstructionDraft:
    """What happens if a condition holds."""
    return [If(cond, tuple(told))]


number_or_x = one_of(number, rule("X", X))


def put_on_top_or_bottom(who: Any) -> InstructionDraft:
    """The owner of something puts it on the top or bottom of their library."""
    it: Any = PronounReference("it")
    top, bottom = Mode((Put(it, "library"),)), Mode((Put(it, "library", bottom=True),))
    return [OneOfInstruction((top, bottom), OwnerOf(who))]


def blocked_only_by(who: Any, others: Filter) -> InstructionDraft:
    """Something can't be blocked this turn by any but such creatures."""
    return [Effect(who, (Cannot(frozenset({"be blocked"}), what=others),), "this turn")]


def blocked_by_all(who: Any) -> InstructionDraft:
    """Every creature that is able to blocks something this turn."""
    every = Filter(type=frozenset({"Creature"}))
    return [Effect(who, (Must("be blocked", by=every),), "this turn")]


sentence = one_of(
    rule("if you do, {told}", lambda told: [IfYouDo(tuple(told))], told=later_said),
    rule("then {told}", lambda told: told, told=later_said),
    rule("then if {cond}, {told}", if_so, cond=condition, told=later_said),
    rule("if they do, {told}", lambda told: [IfYouDo(tuple(told))], told=later_said),
    rule("if that player does, {told}", lambda told: [IfYouDo(tuple(told))], told=later_said),
    rule("[if you don't|if they don't], {told}", lambda told: [IfYouDo(tuple(told), True)], told=later_said),
    rule("when you do, {told}", lambda told: [WhenYouDo(tuple(told))], told=later_said),
    rule("otherwise, {told}", lambda told: [Otherwise(tuple(told))], told=later_said),
    rule("[it|they] can't be regenerated", lambda: [CannotBeRegenerated()]),
    rule(
        "look at the top {n} cards of your library, then put them back in any order",
        lambda n: [LookThrough(n, most=0, rest="top")],
        n=number_or_x,
    ),
    rule("look at the top {n} cards of your library", lambda n: [TopCards(n)], n=number_or_x),
    rule("reveal the top {n} cards of your library", lambda n: [TopCards(n, True)], n=number_or_x),
    rule(
        "put {n} of them {to} and [the rest|the other] {rest}",
        lambda n, to, rest: [TakenFromThem((*to, ("most", n)), rest)],
        n=number,
        to=taken_to,
        rest=rest_place,
    ),
    rule(
        "{may}reveal {what} from among them and put [it|them] into your hand",
        lambda may, what: taken_such(may, what, ()),
        may=whether("you may "),
        what=such_cards,
    ),
    rule(
        "{may}put {what} from among them {to}",
        lambda may, what, to: taken_such(may, what, to),
        may=whether("you may "),
        what=such_cards,
        to=taken_to,
    ),
    rule("put [the rest|the other] {rest}", lambda rest: [RestOfThem(rest)], rest=rest_place),
    rule("you may choose new targets for the copy", lambda: [NewTargets()]),
    rule("[it's still a land|they're still lands]", lambda: [StillLand()]),
    rule(
        "{who} puts it on their choice of the top or bottom of their library",
        put_on_top_or_bottom,
        who=one_of(
            rule("{what}'s owner", lambda what: what, what=target),
            rule("the owner of {what}", lambda what: what, what=target),
        ),
    ),
    rule("you may play an additional land this turn", lambda: [Effect(You(), (LandDrops(1),), "this turn")]),
    rule("all creatures able to block {who} this turn do so", blocked_by_all, who=one_of(spoken, target)),
    rule("at the beginning of {when}, {told}", later_on, when=begins, told=said),
    rule(
        "{told} at the beginning of {when}",
        lambda told, when: later_on(when, told),
        told=statements,
        when=begins,
    ),
    rule("{told} at end of combat", lambda told: later_on(END_OF_COMBAT, told), told=statements),
    rule(
        "if {who} would die this turn, exile it instead",
        lambda who: [Effect(who, (Would("die", GoTo("exile")),), "this turn")],
        who=one_of(spoken, target),
    ),
    rule(
        "{told}, then {who} may {does}",
        lambda told, who, does: [*told, *may(who, does)],
        told=statements,
        who=player,
        does=may_order,
    ),
    rule("if {cond}, {told}", if_so, cond=condition, told=later_said),
    rule("{told} if {cond}", lambda told, cond: if_so(cond, told), told=statements, cond=condition),
    rule("{who} may {costs}", may_pay, who=player, costs=cost_verbs),
    rule("{who} may {does}", may_act, who=player, does=with_separators(player_act, " and ", ", then ")),
    rule("{who} may {told}", may, who=player, told=may_order),
    rule("{told} unless {who} {costs}", unless, told=statements, who=player, costs=pays),
    said,
)
"""One sentence of an effect, without its period."""
later_said.become(
    one_of(
        rule("{who} may {costs}", may_pay, who=player, costs=cost_verbs),
        rule("{who} may {does}", may_act, who=player, does=with_separators(player_act, " and ", ", then ")),
        rule("{who} may {told}", may, who=player, told=may_order),
        said,
    )
)


CHOICES = {
    "the color of your choice": ("the chosen color", ChooseInstruction("color")),
    "the creature type of your choice": (
        "the chosen type",
        ChooseInstruction("type", of="creature type"),
    ),
    "the basic land type of your choice": (
        "the chosen land type",
        ChooseInstruction("type", of="basic land type"),
    ),
}
"""What is chosen where it is used, in words for something chosen before."""


@lru_cache(maxsize=20_000)
def sentence_read(text: str) -> tuple[Any, ...] | None:
    """The meaning of a sentence without its period; `None` if the grammar does not cover it."""
    for words_of_choice, (chosen, choice) in CHOICES.items():
        if words_of_choice in text:
            told = sentence_read(text.replace(words_of_choice, chosen))
            # What a target must be is chosen before, as the spell is cast.
            aimed = [one.spec.what for one in marks_in(told, TargetReference) if one.spec.what is not None]
            early = any({CHOSEN_COLOR, CHOSEN_TYPE} & (what.color | what.subtype) for what in aimed)
            return None if told is None or early else (choice, *told)
    for spelled in spellings(text):
        told = parse(sentence, spelled)
        if told is not None:
            return tuple(told)
    return None


def spellings(text: str) -> tuple[str, ...]:
    """Spellings of a sentence inside another: without its capital letter, unless that belongs to a name."""
    return (text[:1].lower() + text[1:], text) if text[:1].isupper() else (text,)


def body_read(text: str) -> tuple[Any, ...] | None:
    """The meaning of several sentences, in order."""
    told: list[Any] = []
    for one_sentence in sentences_in(text):
        read = sentence_read(one_sentence)
        if read is None:
            return None
        for piece in read:
            if not add_piece(told, piece):
                return None
    return None if told and isinstance(told[-1], TopCards | RestOfThem) else tuple(told)


def sentences_in(text: str) -> list[str]:
    """The sentences of a text without their periods; quotations are not split."""
    found, start, quoted = [], 0, False
    for index, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        ends = letter == "." and not quoted and text[index + 1 : index + 2] in ("", " ")
        quote_ends = (
            letter == '"'
            and not quoted
            and text[index - 1] == "."
            and text[index + 1 : index + 2] in ("", " ")
        )
        if (
            ends
            or (quote_ends and text[index + 2 : index + 3].isupper())
            or (quote_ends and index + 1 == len(text))
        ):
            found.append(text[start : index + (0 if ends else 1)].strip())
            start = index + 1
    rest = text[start:].strip()
    return [*found, rest] if rest else found


def add_piece(told: list[Any], piece: Any) -> bool:
    """Add the meaning of a sentence to the earlier ones; False if it does not fit them."""
    before = told[-1] if told else None
    match piece, before:
        case TakenFromThem(fields, rest), TopCards(n, reveal):
            looked = LookThrough(n, reveal=reveal, **dict(fields))
            told[-1] = looked if rest is None else replace(looked, rest=rest)
            if rest is None:
                told.append(RestOfThem(""))
        case RestOfThem(rest), RestOfThem(""):
            told[-2:] = [replace(told[-2], rest=rest)]
        case RestOfThem(rest), TopCards(n, reveal):
            told[-1] = LookThrough(n, most=0, rest=rest, reveal=reveal)
        case IfYouDo(effect, False), May(first, who, cost, ()):
            told[-1] = May((*first, *effect), who, cost)
        case IfYouDo(effect, True), May(first, who, cost, ()):
            told[-1] = May(first, who, cost, effect)
        case WhenYouDo(), May(first, who, cost, ()):
            told[-1] = May((*first, piece), who, cost)
        case Otherwise(effect), If(cond, first, ()):
            told[-1] = If(cond, first, effect)
        case CannotBeRegenerated(), Destroy(what, False):
            told[-1] = Destroy(what, for_good=True)
        case StillLand(), Effect(_, does, _) if any(isinstance(op, SetTypes) for op in does):
            kept = (AddTypes(op.types, op.subtypes) if isinstance(op, SetTypes) else op for op in does)
            told[-1] = replace(before, does=tuple(kept))
        case NewTargets(), CopySpell():
            told[-1] = replace(before, new_targets=True)
        case ((TakenFromThem() | RestOfThem()), _):
            return False
        case _, (TopCards() | RestOfThem()):
            return False
        case (
            (IfYouDo() | Otherwise() | CannotBeRegenerated() | NewTargets() | WhenYouDo() | StillLand()),
            _,
        ):
            return False
        case _:
            told.append(piece)
    return True
