"""Reads what is done with cards of a library: searching it, and looking at the top cards."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from conformance.reading.conditions import as_filter
from conformance.reading.grammar import one_of, rule, whether, words
from conformance.reading.phrases import article, many, number, one, picked, spoken, target
from reference_engine.language.cards import (
    All,
    Cloak,
    Filter,
    Manifest,
    ManifestDread,
    Search,
    UnlockDoor,
    X,
)

# -------------------------------------------------------------------------------------- search

search_what = one_of(
    rule("{a}{what}", lambda a, what: (1, what), a=article, what=one),
    rule("up to {n} {what}", lambda n, what: (n, what), n=number, what=many),
)
find_steps = one_of(
    rule(
        "put [it|them|that card] onto the battlefield{tapped}, then shuffle[s]",
        lambda tapped: {"to": "battlefield", "tapped": tapped},
        tapped=whether(" tapped"),
    ),
    rule("put[s] [it|them|that card] into [your|their] hand, then shuffle[s]", lambda: {"to": "hand"}),
    rule("put [it|them|that card] into your graveyard, then shuffle[s]", lambda: {"to": "graveyard"}),
    rule("exile [it|them|that card], then shuffle[s]", lambda: {"to": "exile"}),
    rule("reveal [it|them|that card], put [it|them] into your hand, then shuffle", lambda: {"to": "hand"}),
    rule("then shuffle and put it on top", lambda: {"to": "library"}),
    rule("reveal it, then shuffle and put it on top", lambda: {"to": "library"}),
)


def searching(what: tuple[int, All], steps: dict[str, Any]) -> list[Any] | None:
    """A search of a library."""
    n, wanted = what
    if wanted.zones:
        return None
    return [Search(Filter(**as_filter(wanted)), n=n, **steps)]


# ------------------------------------------------------------------------------- the top cards


class TopCards(Struct, frozen=True):
    """Cards that somebody looks at; the next sentences say where they go."""

    n: Any
    reveal: bool = False


class TakenFromThem(Struct, frozen=True):
    """Some of the cards looked at, and where they go; `rest` if the sentence also has the rest."""

    fields: tuple[tuple[str, Any], ...]
    rest: Any = None


class RestOfThem(Struct, frozen=True):
    """Where the rest of the cards looked at goes."""

    rest: Any


taken_to = words(
    {
        "into your hand": (("to", "hand"),),
        "into your graveyard": (("to", "graveyard"),),
        "onto the battlefield tapped": (("to", "battlefield"), ("tapped", True)),
        "onto the battlefield": (("to", "battlefield"),),
    }
)
rest_place = words(
    {
        "into your graveyard": "graveyard",
        "into your hand": "hand",
        "on the bottom of your library in a random order": "random",
        "on the bottom of your library in any order": "bottom",
        "on the bottom of your library": "bottom",
        "on top of your library in any order": "top",
        "on top of your library": "top",
    }
)
such_cards = one_of(
    rule("{a}{what}", lambda a, what: (1, what), a=article, what=one),
    rule("up to {n} {what}", lambda n, what: (n, what), n=number, what=many),
)


def taken_such(may: bool, what: tuple[int, All], to: tuple[tuple[str, Any], ...]) -> list[Any] | None:
    """Cards of some description among those looked at."""
    most, wanted = what
    if wanted.zones:
        return None
    fields = (("what", Filter(**as_filter(wanted))), ("may", may), ("most", most))
    return [TakenFromThem((*to, *fields))]


# -------------------------------------------------------------------------------- put in face down


manifests = words({"manifest": Manifest, "manifests": Manifest, "cloak": Cloak, "cloaks": Cloak})
number_of_top_cards = one_of(
    rule("card", lambda: 1), rule("{n} cards", lambda n: n, n=number), rule("X cards", X)
)
manifested = one_of(
    rule("manifest[s] dread", lambda: lambda who: [ManifestDread(who)]),
    rule(
        "{verb} the top {n} of [your|their] library",
        lambda verb, n: lambda who: [verb(n, who=who)],
        verb=manifests,
        n=number_of_top_cards,
    ),
)
"""Cards that a player puts onto the battlefield face down, as a function of the player."""
cards_manifested = rule(
    "{verb} {what}",
    lambda verb, what: [verb(what=what)],
    verb=words({"manifest": Manifest, "cloak": Cloak}),
    what=one_of(spoken, target, picked),
)
doors_unlocked = rule(
    "unlock a locked door of {what}", lambda what: [UnlockDoor(what)], what=one_of(spoken, target, picked)
)
board_orders = one_of(cards_manifested, doors_unlocked)
"""Orders that put cards onto the battlefield face down, or unlock what is there."""
