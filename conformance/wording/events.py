"""Events that triggers wait for, and those that make abilities trigger additional times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from conformance.wording.conditions import STEP_NAMES, condition
from conformance.wording.costs import things_paid
from conformance.wording.english import (
    Noun,
    Setting,
    belonging_to,
    conjugated,
    later_reference,
    objective,
    ordinal,
    possessive,
    pronoun,
    series,
    with_article,
)
from conformance.wording.kinds import only_keys
from conformance.wording.phrases import (
    PlaceNoun,
    ability_activated,
    but_for_itself,
    describe,
    group,
    is_this_alone,
    noun,
    object_of,
    plain_filter,
    states_of,
)
from reference_engine.language.cards import (
    AbilityTriggers,
    Activates,
    ActivePlayer,
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
    BecomesUnattached,
    BecomesUntapped,
    Beginning,
    Blocks,
    CastEvent,
    Chapter,
    ControllerOf,
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
    IsCountered,
    IsDealtDamage,
    It,
    Leaves,
    LeavesGraveyard,
    LosesControl,
    LosesGame,
    LosesLife,
    Nth,
    OneOrMore,
    OwnerOf,
    Plays,
    PutIntoGraveyard,
    Sacrifices,
    Selector,
    SourceOf,
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
from reference_engine.language.words import Zone, roman

THIS_SPELL = Filter(same_as=This())


def event_words(event: TriggerEvent, setting: Setting, each: bool = False) -> tuple[str, Setting]:
    """The event of a trigger, up to the comma, and the setting after it."""
    match event:
        case Enters(who):
            return happens(who, "enter", setting, once=not each)
        case Leaves(who):
            return happens(who, "leave the battlefield", setting, once=not each)
        case Dies(who):
            dying = "die" if noun(who, setting, "some").head == "creature" else PUT_INTO_GRAVEYARD
            return happens(who, dying, setting, once=not each, zone="graveyard")
        case Attacks(who, alone, whom, or_theirs, saddled):
            attacked = " a planeswalker" if or_theirs else ""
            if whom is not None:
                attacked = f" {attacked_words(whom, or_theirs, setting)}"
            attacked += " while saddled" if saddled else ""
            return happens(who, f"attack{' alone' if alone else ''}{attacked}", setting)
        case Blocks(who, what):
            return meets(who, "block", what, setting)
        case BecomesBlocked(who, by):
            return meets(who, "become blocked" if by is None else "become blocked by", by, setting)
        case AttacksUnblocked(who):
            many = setting.several or noun(who, setting, "some").many
            return happens(who, f"attack and {'are' if many else 'is'}n't blocked", setting)
        case BecomesTapped(who):
            return happens(who, "become tapped", setting)
        case BecomesUntapped(who):
            return happens(who, "become untapped", setting)
        case TappedForMana(who, by):
            if by is None:
                return happens(who, "are tapped for mana", setting)
            return taps_for_mana(by, who, setting)
        case BecomesTarget(who, by):
            source = noun(by, setting, "some")
            whose = "" if isinstance(by, Everyone) else f" {source.text} {conjugated('control', source)}"
            targeted = f"become the target of a spell or ability{whose}"
            aimed = Noun("that spell or ability", zone="stack")
            return with_it(aimed, happens(who, targeted, setting, once=not each))
        case UnlocksThisDoor(who):
            opener = noun(who, setting, "some")
            return f"when {opener.text} {conjugated('unlock', opener)} this door", setting
        case FullyUnlocks(who):
            fully = noun(who, setting, "some")
            room: dict[Selector, Noun] = {It(): Noun("that Room", head="Room")}
            begins = setting.manner.when or "whenever"
            said = f"{begins} {fully.text} {conjugated('fully unlock', fully)} a Room"
            return said, setting.with_words(room, room)
        case TurnedFaceUp(who):
            return happens(who, "are turned face up", setting, once=not each)
        case Transforms(who, into):
            return happens(who, f"transform{words_for_other_face(into, setting)}", setting)
        case DealsDamage(who, to, combat):
            harmed = "" if to is None else f" to {object_of(to, setting, 'some')}"
            opening, inside = happens(who, f"deal {'combat ' if combat else ''}damage{harmed}", setting)
            harmed_one = noun(to or Everyone(), setting, "one")
            victim: dict[Selector, Noun] = {
                The("damaged"): harmed_one if isinstance(to, This) else later_reference(harmed_one)
            }
            return opening, inside.with_words(victim, victim)
        case CastEvent(what, by, None) if what == THIS_SPELL:
            return casts_this(by, setting)
        case CastEvent(what, by, aim):
            opening, inside = plays("cast", by, what, "spell", setting)
            aimed_at = "" if aim is None else f" that targets {object_of(aim, setting, 'some')}"
            return opening + aimed_at, inside
        case Plays(what, by):
            return plays("play", by, what, "card", setting)
        case Activates():
            return activates(event, setting)
        case Draws(who):
            drawn = with_it(Noun("that card", zone="hand"), happens(who, "draw a card", setting))
            return with_owner(who, drawn)
        case Discards(who, what):
            thrown = one_or_more(what or Filter(), "card", setting)
            it = later_reference(Noun(thrown, many=setting.several, zone="graveyard"))
            discarded = happens(who, f"discard {thrown}", replace(setting, several=False))
            return with_owner(who, with_it(it, discarded))
        case Cycles(who, what):
            if what is not None and isinstance(what.same_as, This):
                return cycles_this(who, setting)
            cycled = things_paid(what or Filter(), 1, setting, "card")
            return with_it(Noun("that card", zone="graveyard"), happens(who, f"cycle {cycled}", setting))
        case IsDealtDamage(who, combat):
            return happens(who, f"are dealt {'combat ' if combat else ''}damage", setting)
        case GetsCounters():
            return counters_are_put(event, setting)
        case GainsLife(who):
            return happens(who, "gain life", setting)
        case LosesLife(who):
            return happens(who, "lose life", setting)
        case Sacrifices(who, what):
            gone = one_or_more(what, "permanent", setting)
            head = describe(what, setting).noun(False)
            it = later_reference(Noun(gone, many=setting.several, head=head))
            return with_it(it, happens(who, f"sacrifice {gone}", replace(setting, several=False)))
        case Nth(n, CastEvent(what, by)):
            caster = noun(by, setting, "some")
            which = (
                f"{possessive(pronoun(caster))} {ordinal(n)} {describe(what, setting, 'spell').phrase(False)}"
            )
            _, inside = plays("cast", by, what, "spell", setting)
            begins = setting.manner.when or "whenever"
            return f"{begins} {caster.text} {conjugated('cast', caster)} {which} each turn", inside
        case Nth(n, Draws(who)):
            player = noun(who, setting, "some")
            which = f"{possessive(pronoun(player))} {ordinal(n)} card each turn"
            drawn = with_it(Noun("that card", zone="hand"), happens(who, f"draw {which}", setting))
            return with_owner(who, drawn)
        case Nth(n, one):
            opening, inside = event_words(one, setting, each=True)
            return f"{opening} for the {ordinal(n)} time each turn", inside
        case OneOrMore(Attacks(All(controller=You()) as who, False, None)) if setting.manner.attacking:
            _, inside = event_words(event.event, replace(setting, several=True), each=True)
            rest = replace(who, controller=None)
            such = "" if rest == ANY_CREATURE else f" with one or more {group(rest, setting, 'many').text}"
            begins = setting.manner.when or "whenever"
            return f"{begins} you attack{such}", replace(inside, several=False)
        case OneOrMore(one):
            opening, inside = event_words(one, replace(setting, several=True), each=True)
            twice = " together" if setting.several else ""
            return opening + twice, replace(inside, several=False)
        case Beginning():
            return beginning(event, setting)
        case Chapter(n):
            return f"when {setting.itself} reaches chapter {roman(n)}", setting
        case State(cond):
            return f"{'whenever' if each else 'when'} {condition(cond, setting)}", setting.after(cond)
        case PutIntoGraveyard(who):
            thrown = "are put into a graveyard from anywhere"
            return happens(who, thrown, setting, once=not each, zone="graveyard")
        case LeavesGraveyard(All(zones=zones) as who) if zones == {"graveyard"}:
            return leaves_graveyard(who, setting)
        case LeavesGraveyard(who):
            return happens(who, "leave your graveyard", setting, once=not each, zone="graveyard")
        case LosesControl(of, by):
            loser = noun(by, setting, "some")
            lost = noun(of, setting, "some")
            opening = "when" if not each and not isinstance(of, All) else "whenever"
            seen: dict[Selector, Noun] = {It(): later_reference(lost)}
            short: dict[Selector, Noun] = {} if isinstance(of, All) else {of: pronoun(lost)}
            loses = conjugated("lose", loser)
            inside = setting.after(of).with_words({**seen, **short}, seen)
            return f"{opening} {loser.text} {loses} control of {lost.text}", inside
        case BecomesAttached(who, to) if to is not None:
            bearer = noun(to, setting, "some")
            opening, inside = happens(who, f"become attached to {objective(bearer)}", setting)
            met: dict[Selector, Noun] = {It(): later_reference(bearer)}
            return opening, inside.with_words(met, met)
        case BecomesAttached(who):
            return happens(who, "become attached", setting)
        case BecomesUnattached(who):
            opening, inside = happens(who, "become unattached from a permanent", setting)
            host: dict[Selector, Noun] = {It(): Noun("that permanent")}
            return opening, inside.with_words(host, host)
        case IsCountered(what, by):
            return is_countered(by, what, setting)
        case LosesGame(who):
            return happens(who, "lose the game", setting)
        case DaytimeChanges(None):
            return "whenever day becomes night or night becomes day", setting
        case DaytimeChanges(to):
            return f"whenever {'day' if to == 'night' else 'night'} becomes {to}", setting
        case BecomesMonarch(who):
            return happens(who, "become the monarch", setting)
        case AnyEvent(events):
            return any_event(events, setting, each)
        case AbilityTriggers(of):
            return f"whenever a triggered ability of {object_of(of, setting, 'some')} triggers", setting
        case _:
            assert_never(event)


ANY_CREATURE = All(type=frozenset({"Creature"}))
PUT_INTO_GRAVEYARD = "are put into a graveyard from the battlefield"


def happens(
    who: Selector, verb: str, setting: Setting, once: bool = False, zone: Zone = "battlefield"
) -> tuple[str, Setting]:
    """An event that happens to somebody or something; "when" if it can happen only once."""
    how = ""
    if isinstance(who, All) and is_this_alone(who):
        wanted = but_for_itself(who)
        if wanted == Filter() or only_keys(wanted, "tapped", "face_down", "attacking"):
            how = "".join(f" {word}" for word in states_of(wanted))
            who = This()
    if setting.several and isinstance(who, All):
        return happen_to_some(who, verb, setting, zone)
    subject = noun(who, setting, "some")
    alone = isinstance(who, This | Attached | It | The)
    begins = setting.manner.when or ("when" if once and alone else "whenever")
    opening = f"{begins} {subject.text} {conjugated(verb, subject)}{how}"
    seen = replace(subject, zone=zone)
    it: dict[Selector, Noun] = {It(): replace(later_reference(subject), zone=zone)}
    if not alone:
        if setting.manner.that_player and isinstance(who, All) and who.controller is not None:
            it[ControllerOf(It())] = Noun("that player", person="player", head="player")
        return opening, setting.with_words(it, it)
    short = pronoun(seen)
    return opening, setting.with_words({who: short, It(): short}, {**it, who: seen})


def happen_to_some(who: All, verb: str, setting: Setting, zone: Zone) -> tuple[str, Setting]:
    """An event that happens to one or more objects at the same time."""
    subject = group(who, setting, "many")
    begins = setting.manner.when or "whenever"
    opening = f"{begins} one or more {subject.text} {conjugated(verb, subject)}"
    those: dict[Selector, Noun] = {The("those"): replace(later_reference(subject), zone=zone)}
    short: dict[Selector, Noun] = {The("those"): pronoun(subject)}
    return opening, setting.with_words(short, those)


def words_for_other_face(into: Filter | None, setting: Setting) -> str:
    """What a permanent transforms into, if the event says so: " into a non-Human creature"."""
    if into is None:
        return ""
    itself = into == Filter(same_as=This())
    return f" into {setting.itself if itself else things_paid(into, 1, setting)}"


def counters_are_put(event: GetsCounters, setting: Setting) -> tuple[str, Setting]:
    """The event of counters being put on something: "whenever one or more +1/+1 counters are put on it"."""
    who = event.who
    _, inside = happens(who, "get counters", setting)
    if setting.several and isinstance(who, All):
        on = f"one or more {group(who, setting, 'many').text}"
    else:
        on = object_of(who, setting, "some")
    kind = f"{event.counter} " if event.counter is not None else ""
    what = f"{with_article(f'{kind}counter')} is" if event.each else f"one or more {kind}counters are"
    return f"{setting.manner.when or 'whenever'} {what} put on {on}", inside


def leaves_graveyard(who: All, setting: Setting) -> tuple[str, Setting]:
    """The event of such cards leaving a graveyard: "whenever one or more cards leave your graveyard"."""
    whose = "a graveyard" if who.of is None else belonging_to(noun(who.of, setting, "some"), "graveyard")
    cards = describe(plain_filter(who), setting, "card")
    if setting.several:
        those: dict[Selector, Noun] = {The("those"): Noun("those cards", many=True)}
        return f"whenever one or more {cards.phrase(True)} leave {whose}", setting.with_words(those, those)
    it: dict[Selector, Noun] = {It(): Noun("that card")}
    return f"whenever {with_article(cards.phrase(False))} leaves {whose}", setting.with_words(it, it)


def one_or_more(what: Filter, place: PlaceNoun, setting: Setting) -> str:
    """What somebody discards or sacrifices: "a card", "one or more tokens"."""
    if setting.several:
        return f"one or more {describe(what, setting, place).phrase(True)}"
    return things_paid(what, 1, setting, place)


def attacked_words(whom: Selector, or_theirs: bool, setting: Setting) -> str:
    """What is attacked: "you", "you or a planeswalker you control"."""
    player = noun(whom, setting, "some")
    theirs = pronoun(player).text if player.person == "player" else player.text
    theirs = f" or a planeswalker {theirs} control" if or_theirs else ""
    return objective(player) + theirs


def with_it(it: Noun, told: tuple[str, Setting]) -> tuple[str, Setting]:
    """An event after which "it" is something other than its subject."""
    opening, setting = told
    return opening, setting.with_words({It(): it}, {It(): it})


def with_owner(who: Selector, told: tuple[str, Setting]) -> tuple[str, Setting]:
    """An event about a card, after which "that player" is the card's owner."""
    opening, setting = told
    subject = noun(who, setting, "some")
    player: dict[Selector, Noun] = (
        {} if subject.person == "you" else {OwnerOf(It()): later_reference(subject)}
    )
    return opening, setting.with_words(player, player)


def casts_this(who: Selector, setting: Setting) -> tuple[str, Setting]:
    """Somebody casts this spell itself, which can happen only once."""
    subject = noun(who, setting, "some")
    this = replace(noun(This(), setting, "some"), text="this spell", zone="stack")
    short: dict[Selector, Noun] = {This(): pronoun(this), It(): pronoun(this)}
    opening = f"{setting.manner.when or 'when'} {subject.text} {conjugated('cast', subject)} this spell"
    return opening, setting.with_words(short, {It(): this, This(): this})


def cycles_this(who: Selector, setting: Setting) -> tuple[str, Setting]:
    """Somebody cycles this card itself, which can happen only once."""
    subject = noun(who, setting, "some")
    this = replace(noun(This(), setting, "some"), text="this card", zone="graveyard")
    short: dict[Selector, Noun] = {This(): pronoun(this), It(): pronoun(this)}
    begins = setting.manner.when or "when"
    opening = f"{begins} {subject.text} {conjugated('cycle', subject)} this card"
    return opening, setting.with_words(short, {It(): this, This(): this})


def meets(who: Selector, verb: str, what: Filter | None, setting: Setting) -> tuple[str, Setting]:
    """A creature blocks or becomes blocked, in general or by such a creature."""
    if what is None:
        return happens(who, verb, setting)
    other = describe(what, setting)
    opening, inside = happens(who, f"{verb} {with_article(other.phrase(False))}", setting)
    return with_it(
        replace(later_reference(Noun(other.phrase(False))), text="that creature"), (opening, inside)
    )


def any_event(events: Sequence[TriggerEvent], setting: Setting, each: bool) -> tuple[str, Setting]:
    """One of several events: "whenever this creature blocks or becomes blocked"."""
    match events:
        case (Blocks(who, Filter() as what), BecomesBlocked(blocked, by)) if (who, what) == (blocked, by):
            becomes = conjugated("become blocked by", noun(who, setting, "some"))
            return meets(who, f"block or {becomes}", what, setting)
        case _:
            pass
    said = [event_words(event, setting, each) for event in events]
    if not said:
        return "when nothing happens", setting
    words = [opening.split(" ") for opening, _ in said]
    if len(words) > 1 and len({opening[1] for opening in words}) > 1:
        return " and ".join(opening for opening, _ in said), said[0][1]
    if len(words) > 1 and {"when", "whenever"} >= {opening[0] for opening in words} != {"when"}:
        words = [["whenever", *opening[1:]] for opening in words]
    shared = 0
    while all(len(opening) > shared + 1 and opening[shared] == words[0][shared] for opening in words):
        shared += 1
    text = " ".join([*words[0][:shared], series((" ".join(opening[shared:]) for opening in words), "or")])
    return text, said[0][1]


def plays(verb: str, by: Selector, what: Filter, place: PlaceNoun, setting: Setting) -> tuple[str, Setting]:
    """Somebody casts a spell or plays a card."""
    who = noun(by, setting, "some")
    said = things_paid(what, 1, setting, place)
    it = Noun(f"that {place}", zone="stack" if place == "spell" else "graveyard")
    new: dict[Selector, Noun] = {It(): it}
    if who.person != "you":
        new[ControllerOf(It())] = later_reference(who)
    begins = setting.manner.when or "whenever"
    return f"{begins} {who.text} {conjugated(verb, who)} {said}", setting.with_words(new, new)


def activates(event: Activates, setting: Setting) -> tuple[str, Setting]:
    """Somebody activates an ability: "whenever you activate an ability that isn't a mana ability"."""
    who = noun(event.who, setting, "some")
    such = ability_activated(event, setting)
    new: dict[Selector, Noun] = {It(): Noun("that ability", zone="stack")}
    if who.person != "you":
        new[ControllerOf(It())] = later_reference(who)
    if event.of is not None:
        new[SourceOf(It())] = later_reference(noun(event.of, setting, "some"))
    begins = setting.manner.when or "whenever"
    return f"{begins} {who.text} {conjugated('activate', who)} {such}", setting.with_words(new, new)


def is_countered(by: Selector, what: Filter, setting: Setting) -> tuple[str, Setting]:
    """Somebody's spell is countered."""
    who = noun(by, setting, "some")
    spell = things_paid(what, 1, setting, "spell")
    whose = "" if isinstance(by, Everyone) else f" {who.text} {conjugated('control', who)}"
    new: dict[Selector, Noun] = {It(): Noun("that spell", zone="stack")}
    if who.person != "you":
        new[ControllerOf(It())] = later_reference(who)
    return f"whenever {spell}{whose} is countered", setting.with_words(new, new)


def taps_for_mana(by: Selector, what: Selector, setting: Setting) -> tuple[str, Setting]:
    """Somebody taps something for mana."""
    who, tapped = noun(by, setting, "some"), noun(what, setting, "some")
    new: dict[Selector, Noun] = {It(): later_reference(tapped)}
    if who.person != "you":
        new[ControllerOf(It())] = later_reference(who)
    return f"whenever {who.text} {conjugated('tap', who)} {tapped.text} for mana", setting.with_words(
        new, new
    )


def beginning(event: Beginning, setting: Setting) -> tuple[str, Setting]:
    """A step begins: "at the beginning of your upkeep", "at the beginning of the next end step"."""
    who = noun(event.of, setting, "each")
    step = STEP_NAMES[event.step]
    everyone = isinstance(event.of, Everyone)
    if event.step == "beginning of combat":
        when = "each combat" if everyone else f"combat on {belonging_to(who, 'turn')}"
        when = (
            ("the next combat" if everyone else f"the next combat on {belonging_to(who, 'turn')}")
            if event.next
            else when
        )
    elif event.next:
        when = f"the next {step}" if everyone else belonging_to(who, f"next {step}")
    else:
        when = f"each {step}" if everyone and event.step == "end" else belonging_to(who, step)
    spoken = later_reference(who)
    if event.step == "end of combat" and event.next and everyone:
        return "at end of combat", setting
    return f"at the beginning of {when}", setting.with_words(
        {ActivePlayer(): spoken}, {ActivePlayer(): spoken}
    )
