"""Replacement and prevention effects in words: "if a creature would die, exile it instead"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from conformance.wording.english import (
    Clause,
    Noun,
    Setting,
    Verb,
    capital,
    conjugated,
    later_reference,
    number,
    objective,
    possessive,
    pronoun,
    run_on,
)
from conformance.wording.kinds import only_keys
from conformance.wording.phrases import PlaceNoun, describe, kind_words, noun, object_of, value
from reference_engine.language.cards import (
    All,
    DealTo,
    DoInstead,
    Everyone,
    Filter,
    GoTo,
    Instruction,
    It,
    Nothing,
    Opponents,
    Others,
    Plus,
    PreventDamage,
    Quantity,
    Selector,
    The,
    TimesAsMany,
    Would,
)
from reference_engine.language.characteristics import references_in

MULTIPLES = {2: ("twice", "double"), 3: ("three times", "triple")}
"""The words for how often something happens and for how much of it, by factor."""


def one_affected(affects: Selector, spoken: Noun, setting: Setting) -> Noun:
    """What an effect affects, one by one: "a creature you control", "a player"."""
    if not isinstance(affects, All | Everyone | Opponents | Others):
        return spoken
    fresh = {who: said for who, said in setting.said.items() if who not in (affects, It())}
    return noun(affects, replace(setting, said=fresh), "some")


def replacement_clause(
    would: Would, affects: Selector, spoken: Noun, setting: Setting, during: str
) -> Clause:
    """A replacement effect: "if you would draw a card, draw two cards instead"."""
    who = one_affected(affects, spoken, setting)
    happens = event_that_would(would, who, setting)
    opening = "the next time" if would.next else "if"
    later = later_reference(who) if who.text != pronoun(who).text else who
    meant = (It(),) if isinstance(affects, All) else (It(), affects)
    inside = setting.with_words(dict.fromkeys(meant, pronoun(who)), dict.fromkeys(meant, later))
    result = replacement_in_words(would, who, inside)
    if would.may:
        chooser = (
            "you" if who.person == "you" else "that player" if who.person == "player" else "its controller"
        )
        result = f"{chooser} may have this happen: {result}"
    return Clause(Noun(f"{opening} {happens}{during},", many=True), (Verb(result),))


def event_that_would(would: Would, who: Noun, setting: Setting) -> str:
    """What would happen, up to the comma."""
    combat = "combat " if would.combat else ""
    kind = f"{would.counter} " if would.counter is not None else ""
    match would.event:
        case "draw":
            return f"{who.text} would draw a card"
        case "discard":
            return f"{who.text} would discard a card"
        case "gain life" | "lose life" as change:
            return f"{who.text} would {change}"
        case "be dealt damage":
            source = source_words(would.by, setting)
            return f"{source} would deal {combat}damage to {objective(who)}"
        case "deal damage":
            return f"{who.text} would deal {combat}damage to a permanent or player"
        case "die" | "be destroyed" as end:
            return f"{who.text} would {end}"
        case "leave":
            return f"{who.text} would leave the battlefield"
        case "be put into a graveyard":
            return f"{who.text} would be put into a graveyard from anywhere"
        case "untap":
            return f"{who.text} would become untapped"
        case "get counters":
            return f"one or more {kind}counters would be put on {objective(who)}"
        case "create tokens":
            return f"one or more tokens would be created under {possessive(who)} control"
        case event:
            assert_never(event)


def replacement_in_words(would: Would, who: Noun, setting: Setting) -> str:
    """What happens instead, including the word "instead"."""
    match would.instead:
        case TimesAsMany(n):
            often, much = MULTIPLES.get(n, (f"{number(n)} times",) * 2)
            return changed_amount(would, who, often, much)
        case Plus(n):
            more = f"plus {plain(n, setting)}"
            return changed_amount(would, who, "", "", more)
        case GoTo(zone, bottom):
            it = objective(pronoun(who))
            owner = f"{possessive(pronoun(who))} owner's" if who.person == "thing" else "its owner's"
            card = "it" if who.person != "thing" else it
            match zone:
                case "exile":
                    return f"exile {card} instead"
                case "hand":
                    return f"return {card} to {owner} hand instead"
                case "library":
                    spot = "the bottom" if bottom else "top"
                    return f"put {card} on {spot} of {owner} library instead"
                case _:
                    return f"put {card} into {owner} {zone} instead"
        case DealTo(to):
            return f"that damage is dealt to {object_of(to, setting, 'some')} instead"
        case DoInstead(effect):
            said = following_sentences(effect, setting)
            return f"{said[0]} instead" if len(said) == 1 else f"instead {run_on(said)}"
        case Nothing():
            return "nothing happens instead"
        case instead:
            assert_never(instead)


def changed_amount(would: Would, who: Noun, often: str, much: str, more: str = "") -> str:
    """A changed amount: "you gain twice that much life instead"."""
    many = f"{often} that many" if often else f"that many {more}"
    kind = f"{would.counter} " if would.counter is not None else ""
    them = pronoun(who)
    match would.event:
        case "gain life" | "lose life":
            verb = conjugated(would.event.split(" ")[0], them)
            amount = f"{often} that much life" if often else f"that much life {more}"
            return f"{them.text} {verb} {amount} instead"
        case "be dealt damage" | "deal damage":
            damage = f"{much} that damage" if much else f"that much damage {more}"
            to = (
                objective(later_reference(who))
                if would.event == "be dealt damage"
                else "that permanent or player"
            )
            return f"it deals {damage} to {to} instead"
        case "get counters":
            return f"{many} {kind}counters are put on {objective(them)} instead"
        case "create tokens":
            return f"{many} of those tokens are created instead"
        case _:
            return f"that happens {often or more} instead"


def plain(n: Quantity, setting: Setting) -> str:
    """A number, or the words for a quantity."""
    return number(n) if isinstance(n, int) else value(n, setting)


def following_sentences(effect: Sequence[Instruction], setting: Setting) -> list[str]:
    """Instructions as sentences without capitals and periods."""
    # The language is recursive: operations contain instructions, and instructions operations.
    from conformance.wording.instructions import sentences_of

    return sentences_of(effect, setting)


def source_words(by: Filter, setting: Setting) -> str:
    """The source of damage: "a source", "a red source", "that creature"."""
    if by == Filter():
        return "a source"
    if by.same_as is not None and only_keys(by, "same_as"):
        return noun(by.same_as, setting, "some").text
    place: PlaceNoun = "permanent" if kind_words(by) else "source"
    words = describe(by, setting, place).phrase(False)
    return f"an {words}" if words[0] in "aeio" else f"a {words}"


def prevented_damage(
    prevention: PreventDamage, affects: Selector, spoken: Noun, setting: Setting, during: str
) -> Clause:
    """A limited prevention effect: "prevent the next 3 damage that would be dealt to you this turn"."""
    who = one_affected(affects, spoken, setting)
    combat = "combat " if prevention.combat else ""
    source = source_words(prevention.by, setting)
    by = "" if prevention.by == Filter() else f" by {source}"
    them = objective(who)
    n = prevention.n
    how_much = str(n) if n is None or isinstance(n, int) else value(n, setting)
    if prevention.next and n is not None:
        text = f"prevent the next {how_much} {combat}damage that would be dealt to {them}{by}{during}"
    elif prevention.next:
        text = f"the next time {source} would deal {combat}damage to {them}{during}, prevent that damage"
    elif prevention.by == Filter() and n is None and "source" not in references_in(prevention.then):
        text = f"if {combat}damage would be dealt to {them}{during}, prevent that damage"
    else:
        some = "that damage" if n is None else f"{how_much} of that damage"
        text = f"if {source} would deal {combat}damage to {them}{during}, prevent {some}"
    if prevention.then:
        known: dict[Selector, Noun] = {It(): pronoun(who), The("source"): Noun("that source")}
        said = following_sentences(prevention.then, setting.with_words(known, known))
        text += "".join(f". {capital(sentence)}" for sentence in said)
    first, _, rest = text.partition(" ")
    return Clause(Noun(first, many=True), (Verb(rest),))
