"""Reads what spells and abilities do as they resolve, clause by clause; `sentences` joins them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from conformance.reading.added_phases import phases_come
from conformance.reading.costs import mana, numbered
from conformance.reading.designations import designation_act, designation_order
from conformance.reading.grammar import (
    later,
    list_in_sentence,
    memoized_rule,
    one_of,
    perhaps,
    rule,
    whether,
    with_separators,
    words,
)
from conformance.reading.library import (
    board_orders,
    find_steps,
    manifested,
    search_what,
    searching,
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
    operations_on,
    with_x,
)
from reference_engine.language.cards import (
    AddMana,
    All,
    Amass,
    AsThoughNoDefender,
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
    Double,
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
    GainControl,
    GainLife,
    It,
    LookAt,
    LoseGame,
    LoseLife,
    MayPlay,
    Mill,
    Mode,
    Modify,
    MoveCounters,
    OneOfInstruction,
    Opponents,
    OwnerOf,
    PhaseOut,
    PreventDamage,
    PropertyOf,
    Put,
    PutCounters,
    PutSameCounters,
    Regenerate,
    RemoveCounters,
    RemoveFromCombat,
    Reveal,
    Sacrifice,
    Saddle,
    Scry,
    SkipNext,
    Surveil,
    Switch,
    Tap,
    ThatMuch,
    Transform,
    TurnFace,
    Unattach,
    Untap,
    WinGame,
    X,
    You,
)

InstructionDraft = list[Any]
"""Instructions, with marks for what is resolved later."""


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
    rule("discard[s] {n} at random", lambda n: lambda who: [Discard(n, who, at_random=True)], n=cards),
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
    rule("{n} mana in any combination of colors", lambda n: [AddMana("any", n, mixed=True)], n=number),
    rule("X mana in any combination of colors", lambda: [AddMana("any", X(), mixed=True)]),
)


# --------------------------------------------------------------------------------------- orders

corner_words = words(
    {
        "power and toughness": frozenset({"power", "toughness"}),
        "power": frozenset({"power"}),
        "toughness": frozenset({"toughness"}),
    }
)


def doubled_counters(kind: Any, what: Any) -> PutCounters:
    """As many counters on something as there are already (CR 701.10e: double the number)."""
    return PutCounters((Counters(kind, PropertyOf("counters", mentioned_again(what), kind)),), what)


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
    board_orders,
    rule("sacrifice {what}", lambda what: [Sacrifice(what)], what=spoken),
    rule("counter {what}", lambda what: [CounterSpell(what)], what=one_of(target, spoken)),
    rule("untap {what}", lambda what: [Untap(what)], what=moved),
    rule("unattach {what}", lambda what: [Unattach(what)], what=moved),
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
    rule(
        "distribute {pile} among {what}",
        lambda pile, what: [PutCounters(pile, what, divided=True)] if len(pile) == 1 else None,
        pile=pile,
        what=target,
    ),
    rule(
        "move {pile} from {of} onto {what}",
        lambda pile, of, what: [MoveCounters(pile, of, what)],
        pile=pile,
        of=thing,
        what=thing,
    ),
    rule(
        "put {of}counters on {what}",
        lambda of, what: [PutSameCounters(of, what)],
        of=possessor,
        what=thing,
    ),
    rule(
        "double the number of {kind} counters on {what}",
        lambda kind, what: [doubled_counters(kind, what)],
        kind=counter_name,
        what=thing,
    ),
    rule(
        "double {of}{what}{until}",
        lambda of, what, until: [Effect(of, (Double(what),), until)],
        of=possessor,
        what=corner_words,
        until=during,
    ),
    rule(
        "double the {what} of {of}{until}",
        lambda of, what, until: [Effect(of, (Double(what),), until)],
        what=corner_words,
        of=one_of(target, everything),
        until=during,
    ),
    rule("remove {what} from combat", lambda what: [RemoveFromCombat(what)], what=one_of(target, spoken)),
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


def blocked_only_by(who: Any, others: Any) -> InstructionDraft:
    """Something can't be blocked this turn by any but such creatures."""
    return [Effect(who, (Cannot(frozenset({"be blocked"}), what=others),), "this turn")]


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
            "{who} can attack this turn as though it didn't have defender",
            lambda who: [Effect(who, (AsThoughNoDefender(),), "this turn")],
            who=subject,
        ),
        rule(
            "{who} {does} until end of turn and can attack this turn as though it didn't have defender",
            lambda who, does: [
                *began_until_end(who, does),
                Effect(mentioned_again(who), (AsThoughNoDefender(),), "this turn"),
            ],
            who=subject,
            does=verbs,
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
