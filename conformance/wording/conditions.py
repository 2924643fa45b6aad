"""Conditions as clauses: what holds now, and what happened this turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, assert_never

from msgspec.structs import replace

from conformance.wording.english import (
    PRONOUNS,
    Setting,
    belonging_to,
    conjugated,
    number,
    objective,
    plural,
    possessive,
    pronoun,
    series,
    things_in,
    with_article,
)
from conformance.wording.kinds import ANY, PERMANENT_KINDS, only_keys
from conformance.wording.phrases import (
    KINDS_COUNTED,
    PAST_VERBS,
    PLACES,
    PlaceNoun,
    ability_activated,
    clause_about,
    describe,
    group,
    has_done,
    negative,
    noun,
    past_deed,
    past_verb,
    plain_filter,
    predicates,
    required_number,
    tag_of_event,
    value,
    without_holder,
)
from reference_engine.language.cards import (
    Activates,
    All,
    AllOf,
    AnyEvent,
    AnyOf,
    AnyPlayer,
    Attached,
    Attacks,
    CastEvent,
    Compare,
    Condition,
    Count,
    Designated,
    Discards,
    Draws,
    Everyone,
    Exists,
    ExtraPhase,
    Filter,
    GainsLife,
    Happened,
    It,
    ItIs,
    LosesLife,
    Matches,
    Not,
    Plays,
    PropertyOf,
    PutIntoGraveyard,
    Sacrifices,
    Selector,
    This,
    TriggerEvent,
    Turn,
    Was,
    You,
)
from reference_engine.language.words import (
    Designation,
    Step,
)

# ------------------------------------------------------------------------------- if it holds

STEP_NAMES: dict[Step, str] = {
    "untap": "untap step",
    "upkeep": "upkeep",
    "draw": "draw step",
    "precombat main": "precombat main phase",
    "beginning of combat": "beginning of combat step",
    "declare attackers": "declare attackers step",
    "declare blockers": "declare blockers step",
    "first-strike damage": "first-strike combat damage step",
    "combat damage": "combat damage step",
    "end of combat": "end of combat step",
    "postcombat main": "postcombat main phase",
    "end": "end step",
    "cleanup": "cleanup step",
}


PHASES_ADDED: dict[ExtraPhase, str] = {
    "beginning": "additional beginning phase",
    "upkeep": "additional upkeep step",
    "combat": "additional combat phase",
    "main": "additional main phase",
    "end": "additional end step",
}


def condition(asked: Condition, setting: Setting, negated: bool = False) -> str:
    """A condition as a clause: "you control three or more artifacts", "it isn't your turn"."""
    match asked:
        case Compare():
            return comparison(asked, setting, negated)
        case Matches(who, what):
            return match_clause(who, what, setting, negated)
        case Exists(who):
            return existence(who, setting, negated)
        case Turn(of, step):
            whose = belonging_to(noun(of, setting, "some"), STEP_NAMES[step] if step else "turn")
            return f"it's not {whose}" if negated else f"it's {whose}"
        case Was(what):
            it = noun(This(), setting)
            if what in ("cast", "cast from hand"):
                done = "didn't cast" if negated else "cast"
                it = pronoun(it) if it.text not in PRONOUNS else it
                from_hand = " from your hand" if what == "cast from hand" else ""
                return f"you {done} {objective(it)}{from_hand}"
            done = what
            if what in COSTS_PAID:
                return f"{possessive(it)} {COSTS_PAID[what]} cost {negative('was', negated)} paid"
            if what == "escaped":
                return f"{it.text} {'didn’t escape' if negated else 'escaped'}".replace("’", "'")
            spoken = it.text if it.text in PRONOUNS else setting.itself
            return f"{spoken} {conjugated(negative('were', negated), it)} {done}"
        case Happened(CastEvent(what, by, None), n, True):
            return cast_last_turn(what, by, n, setting, negated)
        case Happened(event, n, last_turn):
            said = past_clause(event, n, setting, negated)
            return f"{said.removesuffix(' this turn')} last turn" if last_turn else said
        case ItIs(what):
            return f"it isn't {what}" if negated else f"it's {what}"
        case AnyOf((ItIs("day"), ItIs("night"))) if negated:
            return "it's neither day nor night"
        case Designated(what, who):
            return designation_clause(what, who, setting, negated)
        case AnyPlayer(of, cond, every):
            # "A player has no cards in hand", and for all of them "each player has …".
            one = noun(of, setting, "each" if every != negated else "some")
            said = condition(cond, setting.with_words({It(): one}), negated)
            about_it = It() in things_in(cond) and not isinstance(cond, AnyPlayer)
            return said if about_it else f"for {one.text}, {said}"
        case Not(part):
            return condition(part, setting, not negated)
        case AllOf(parts):
            return conditions(parts, "or" if negated else "and", setting, negated)
        case AnyOf(parts):
            return conditions(parts, "and" if negated else "or", setting, negated)
        case _:
            assert_never(asked)


def designation_clause(what: Designation, who: Selector, setting: Setting, negated: bool) -> str:
    """A clause: a player has a designation: "you're the monarch", "you don't have the city's blessing"."""
    if what == "monarch" and who == Everyone():
        return "there is no monarch" if negated else "there is a monarch"
    subject = noun(who, setting, "some")
    if what == "monarch" and subject.person == "you" and not negated:
        return "you're the monarch"
    if what == "monarch":
        return clause_about(subject, [f"{conjugated(negative('are', negated), subject)} the monarch"])
    has = conjugated("don't", subject) + " have" if negated else conjugated("have", subject)
    return f"{subject.text} {has} the {what}"


def cast_last_turn(what: Filter, by: Selector, n: int, setting: Setting, negated: bool) -> str:
    """A clause about spells of the last turn: "no spells were cast last turn"."""
    if negated and n == 1 and by == Everyone():
        return f"no {describe(what, setting, 'spell').phrase(True)} were cast last turn"
    some = number_of_such(what, n, "spell", setting)
    return f"{past_deed(by, 'cast', some, setting, negated)} last turn"


COSTS_PAID = {"evoked": "evoke", "dashed": "dash", "offspring": "offspring"}
"""Keywords whose cost was paid, by the word that a card uses for itself if it was."""


def conditions(parts: Sequence[Condition], word: str, setting: Setting, negated: bool) -> str:
    """Several conditions; a list nested in the other kind of list says "both" or "either"."""
    held = "" if negated else controlled_together(parts, word, setting)
    if held:
        return held
    if not parts:
        return "there is a player" if word == "and" else "there are no players"
    clauses = []
    for part in parts:
        inner = list_word(part, negated)
        opening = {"and": "both ", "or": "either "}[inner] if inner not in (None, word) else ""
        clauses.append(opening + condition(part, setting, negated))
    return series(clauses, word)


def controlled_together(parts: Sequence[Condition], word: str, setting: Setting) -> str:
    """Several groups that one player controls, in one clause; empty if the conditions have another form."""
    things = [part.who for part in parts if isinstance(part, Exists) and isinstance(part.who, All)]
    owners = {thing.controller for thing in things}
    if (
        len(things) < max(2, len(parts))
        or len(owners) > 1
        or None in owners
        or any(one.top for one in things)
    ):
        return ""
    owner = noun(owners.pop() or You(), setting, "some")
    held = series((group(replace(thing, controller=None), setting, "some").text for thing in things), word)
    return f"{owner.text} {conjugated('control', owner)} {held}"


def list_word(part: Condition, negated: bool) -> Literal["and", "or"] | None:
    """The word that joins the parts of a condition, if it has several."""
    match part:
        case Not(inner):
            return list_word(inner, not negated)
        case AllOf((_, _, *_)):
            return "or" if negated else "and"
        case AnyOf((_, _, *_)):
            return "and" if negated else "or"
        case _:
            return None


def comparison(asked: Compare, setting: Setting, negated: bool) -> str:
    """A comparison of two quantities, as a clause."""
    left, how, right = asked.left, asked.how, asked.right
    if negated and isinstance(right, int) and how != "=":
        how, right, negated = ("<=", right - 1, False) if how == ">=" else (">=", right + 1, False)
    match left, right:
        case Count(All() as who, "objects"), int(n) if not who.top:
            return count_clause(who, how, n, setting, negated)
        case Count(All() as who, kinds), int(n) if kinds in KINDS_COUNTED:
            there = negative("are", negated)
            among = group(who, setting, "many").text
            return f"there {there} {amount_words(how, n, KINDS_COUNTED[kinds])} among {among}"
        case PropertyOf("hand_size" | "life" as what, of), int(n) if not noun(of, setting).many:
            it = noun(of, setting)
            things = (
                f"{amount_words(how, n, 'card')} in hand"
                if what == "hand_size"
                else f"{required_number(how, n, setting)} life"
            )
            verb = conjugated("don't", it) + " have" if negated else conjugated("have", it)
            return f"{it.text} {verb} {things}"
        case _:
            is_ = "isn't" if negated else "is"
            return f"{value(left, setting)} {is_} {required_number(how, right, setting)}"


def amount_words(how: str, n: int, one: str) -> str:
    """A number, or more, or fewer: "three or more cards", "no cards", "exactly two cards"."""
    if n == 0 and how != ">=":
        return f"no {plural(one)}"
    more = {"=": "", ">=": " or more", "<=": " or fewer"}[how]
    exactly = "exactly " if how == "=" else ""
    return f"{exactly}{number(n)}{more} {one if n == 1 and how == '=' else plural(one)}"


def count_clause(who: All, how: str, n: int, setting: Setting, negated: bool) -> str:
    """A clause: there is a number of such objects, or a player controls a number of them."""
    if n == 0 and how != ">=" and negated:
        how, n, negated = ">=", 1, False
    owner = noun(who.controller, setting, "some") if who.controller is not None else None
    free = replace(who, controller=None)
    if (how, n) == (">=", 1):
        things = group(free, setting, "some").text
    else:
        one, many = (group(free, setting, form).text for form in ("one", "many"))
        things = amount_words(how, n, "\0").replace(plural("\0"), many).replace("\0", one)
    if owner is not None:
        verb = conjugated("don't", owner) + " control" if negated else conjugated("control", owner)
        return f"{owner.text} {verb} {things}"
    there = negative("is" if things.startswith(("a ", "an ", "another ")) else "are", negated)
    return f"there {there} {things}" + (" on the battlefield" if who.zones <= {"battlefield"} else "")


def existence(who: Selector, setting: Setting, negated: bool) -> str:
    """A clause: at least one such object exists."""
    match who:
        case All(top=True) if plain_filter(who) != ANY:
            return match_clause(
                All(zones=who.zones, of=who.of, top=True), plain_filter(who), setting, negated
            )
        case All():
            return count_clause(
                replace(who, top=False), "=" if negated else ">=", 0 if negated else 1, setting, False
            )
        case This():
            remains = "isn't on the battlefield" if negated else "remains on the battlefield"
            return clause_about(noun(who, setting), [remains])
        case Attached():
            it = noun(This(), setting)
            return clause_about(it, ["isn't attached to anything" if negated else "is attached to something"])
        case _:
            it = noun(who, setting, "subject")
            return clause_about(it, [conjugated("don't exist" if negated else "exist", it)])


def match_clause(who: Selector, what: Filter, setting: Setting, negated: bool) -> str:
    """A clause: an object fits a filter."""
    it = noun(who, setting, "subject")
    if what.controller is not None and only_keys(what, "controller"):
        owner = noun(what.controller, setting, "some")
        verb = conjugated("don't", owner) + " control" if negated else conjugated("control", owner)
        return f"{owner.text} {verb} {objective(it)}"
    said = predicates(what, it, setting, PLACES.get(it.zone, "card"), negated)
    return clause_about(it, said, "or" if negated else "and")


# ------------------------------------------------------------------------- what has happened


def past_clause(event: TriggerEvent, n: int, setting: Setting, negated: bool) -> str:
    """Something that happened this turn as a clause: "you gained 3 or more life this turn"."""
    match event:
        case PutIntoGraveyard(who) if who == A_PERMANENT_CARD_OF_YOURS and n == 1:
            return "you haven't descended this turn" if negated else "you descended this turn"
        case AnyEvent((GainsLife(who), LosesLife(other))) if who == other:
            return f"{past_deed(who, 'gained or lost', life(n), setting, negated)} this turn"
        case AnyEvent(()):
            return "nothing happened this turn"
        case AnyEvent(events):
            return series((past_clause(one, n, setting, negated) for one in events), "or")
        case GainsLife(who):
            return f"{past_deed(who, 'gained', life(n), setting, negated)} this turn"
        case LosesLife(who):
            return f"{past_deed(who, 'lost', life(n), setting, negated)} this turn"
        case CastEvent(what, by):
            some = number_of_such(what, n, "spell", setting)
            return f"{has_done(by, 'cast', some, setting, negated)} this turn"
        case Plays(what, by):
            some = number_of_such(what, n, "card", setting)
            return f"{has_done(by, 'played', some, setting, negated)} this turn"
        case Activates(who):
            some = ability_activated(event, setting, n)
            return f"{has_done(who, 'activated', some, setting, negated)} this turn"
        case Draws(who):
            some = number_of_such(ANY, n, "card", setting)
            return f"{has_done(who, 'drawn', some, setting, negated)} this turn"
        case Discards(who, what):
            some = number_of_such(what or ANY, n, "card", setting)
            return f"{has_done(who, 'discarded', some, setting, negated)} this turn"
        case Sacrifices(who, what):
            some = number_of_such(what, n, "permanent", setting)
            return f"{past_deed(who, 'sacrificed', some, setting, negated)} this turn"
        case Attacks(All() as who, _, None) if who.controller == You():
            rest = replace(plain_filter(who), controller=None)
            some = (
                ""
                if (rest, n) == (A_CREATURE, 1)
                else f" with {number_of_such(rest, n, 'permanent', setting)}"
            )
            return f"{past_deed(You(), 'attacked', some.strip(), setting, negated)} this turn"
        case _:
            return f"{object_did(event, n, setting, negated)} this turn"


A_PERMANENT_CARD_OF_YOURS = All(any_of=PERMANENT_KINDS, token=False, zones=frozenset({"graveyard"}), of=You())
"""What is put into your graveyard if you descended (CR 700.11); a token is no card (CR 108.2b)."""
A_CREATURE = Filter(type=frozenset({"Creature"}))


def life(n: int) -> str:
    """An amount of life, or more."""
    return "life" if n == 1 else f"{n} or more life"


def number_of_such(what: Filter, n: int, place: PlaceNoun, setting: Setting) -> str:
    """At least this many objects of a description: "another spell", "two or more cards"."""
    phrase = describe(what, setting, place)
    return with_article(phrase.phrase(False)) if n == 1 else f"{number(n)} or more {phrase.phrase(True)}"


def object_did(event: TriggerEvent, n: int, setting: Setting, negated: bool) -> str:
    """What objects did or what was done to them: "a creature died under your control"."""
    if type(event) not in PAST_VERBS:
        return f"there {negative('was', negated)} such an event as {tag_of_event(event)}"
    who = getattr(event, event.__struct_fields__[0])
    verb = past_verb(event, who, setting)
    if not isinstance(who, All):
        it = noun(who, setting)
        often = "" if n == 1 else f" {number(n)} or more times"
        return f"{it.text} didn't {present_of(verb)}{often}" if negated else f"{it.text} {verb}{often}"
    free, whose = without_holder(who, event, setting)
    if negated:
        return f"no {group(free, setting, 'many').text} {verb}{whose}"
    if n == 1:
        return f"{group(free, setting, 'some').text} {verb}{whose}"
    return f"{number(n)} or more {group(free, setting, 'many').text} {verb}{whose}".replace(" was ", " were ")


def present_of(verb: str) -> str:
    """The infinitive of a verb in the past tense."""
    known = dict(PAST_VERBS.values())
    return {**known, "entered": "enter"}.get(verb, verb.replace("was ", "get ", 1))
