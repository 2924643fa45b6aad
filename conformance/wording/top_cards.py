"""The top cards of a library that are looked at and put somewhere, in words."""

from __future__ import annotations

from conformance.wording.english import (
    Clause,
    Setting,
    command,
    number,
    possessive,
    pronoun,
    with_article,
)
from conformance.wording.phrases import describe, noun, noun_with_origin
from conformance.wording.target_words import quantity_limits, within_limits
from reference_engine.language.cards import Cloak, Filter, LookThrough, Manifest, ManifestDread, Quantity


def looking_through(instruction: LookThrough, setting: Setting) -> list[str]:
    """Looking at the top cards of a library, and putting each of them somewhere, as sentences."""
    n, what, most = instruction.n, instruction.what, instruction.most
    verb = "reveal" if instruction.reveal else "look at"
    top, tail = number_of_cards(n, setting)
    seen = f"{verb} the top {top} of your library{tail}"
    left = n - most if isinstance(n, int) else 2
    if most == 0 and instruction.rest == "top":
        return [f"{seen}, then put {'it' if n == 1 else 'them'} back in any order"]
    rest = "the other" if left == 1 else "the rest"
    away = f"{rest} {rests_where(instruction.rest, left)}"
    if most == 0:
        return [seen, f"put {away}"]
    where = {
        "hand": "into your hand",
        "graveyard": "into your graveyard",
        "battlefield": f"onto the battlefield{' tapped' if instruction.tapped else ''}",
    }[instruction.to]
    if what == Filter() and not instruction.may:
        return [seen, f"put {number(most)} of them {where} and {away}"]
    found = describe(what, setting, "card")
    least = 0 if instruction.may and most > 1 else most
    words = within_limits(least, most, "", with_article(found.phrase(False)), found.phrase(True))
    it = "it" if most == 1 else "them"
    shown = instruction.to == "hand" and not instruction.reveal and what != Filter()
    taken = (
        f"reveal {words} from among them and put {it} {where}"
        if shown
        else f"put {words} from among them {where}"
    )
    may = "you may " if instruction.may else ""
    return [seen, f"{may}{taken}", f"put {away}"]


def rests_where(rest: str, left: int) -> str:
    """Where the rest of the cards looked at goes."""
    match rest:
        case "graveyard" | "hand":
            return f"into your {rest}"
        case "random":
            return "on the bottom of your library" + (" in a random order" if left != 1 else "")
        case _:
            place = "on top of your library" if rest == "top" else "on the bottom of your library"
            return place + (" in any order" if left != 1 else "")


def number_of_cards(n: Quantity, setting: Setting) -> tuple[str, str]:
    """A number of cards after "the top", and its explanation at the end of the sentence."""
    if isinstance(n, int):
        return "card" if n == 1 else f"{number(n)} cards", ""
    many, tail = quantity_limits(n, n, setting)
    return f"{many} cards", tail.removesuffix(",")


def manifesting(instruction: Manifest | Cloak | ManifestDread, setting: Setting) -> Clause:
    """Putting cards onto the battlefield face down, as a clause."""
    who = noun(instruction.who, setting, "each")
    if isinstance(instruction, ManifestDread):
        return command(who, "manifest dread")
    verb = "cloak" if isinstance(instruction, Cloak) else "manifest"
    if instruction.what is not None:
        return command(who, f"{verb} {noun_with_origin(noun(instruction.what, setting))}")
    top, tail = number_of_cards(instruction.n, setting)
    return command(who, f"{verb} the top {top} of {possessive(pronoun(who))} library", tail)
