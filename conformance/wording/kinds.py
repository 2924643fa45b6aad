"""Which keys a filter uses, and how several kinds are said together: "artifact or creature with flying"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from reference_engine.language.cards import Filter
from reference_engine.language.words import CardType

ANY = Filter()
ASKS_NOTHING = {key: getattr(ANY, key) for key in ANY.__struct_fields__}


@lru_cache(5000)
def keys_used(wanted: Filter) -> frozenset[str]:
    """The keys that a filter uses."""
    return frozenset(key for key, nothing in ASKS_NOTHING.items() if getattr(wanted, key) != nothing)


def only_keys(wanted: Filter, *keys: str) -> bool:
    """Whether a filter is not empty and uses only these keys."""
    used = keys_used(wanted)
    return bool(used) and used <= frozenset(keys)


PERMANENT_KINDS = tuple(
    Filter(type=frozenset[CardType]({one}))
    for one in ("Artifact", "Battle", "Creature", "Enchantment", "Land", "Planeswalker")
)
"""The kinds of permanent cards (CR 110.4a: cards with one of the permanent types)."""
HISTORIC_KINDS = (
    Filter(type=frozenset({"Artifact"})),
    Filter(supertype=frozenset({"Legendary"})),
    Filter(subtype=frozenset({"Saga"})),
)
"""What makes an object historic (CR 700.6: legendary, an artifact, or a Saga)."""
OUTLAW_KINDS = tuple(
    Filter(subtype=frozenset({one})) for one in ("Assassin", "Mercenary", "Pirate", "Rogue", "Warlock")
)
"""What makes an object an outlaw (CR 700.12: any of these creature types)."""
WORDS_FOR_ANY = {PERMANENT_KINDS: "permanent", HISTORIC_KINDS: "historic", OUTLAW_KINDS: "outlaw"}
"""Alternatives for which there is a word."""


OF_CREATURES = frozenset({"keyword", "power", "toughness"})
"""What is said of the last of several kinds alone, if these alone are creatures."""


def ends_with_creatures(kinds: Sequence[Filter]) -> bool:
    """Whether the last of several kinds are creatures, and no others."""
    *others, last = kinds or (ANY,)
    return (
        bool(others)
        and "Creature" in last.type
        and all(other.type and "Creature" not in other.type for other in others)
    )


def ends_with_a_type(kinds: Sequence[Filter]) -> bool:
    """Whether only the last of several kinds says a type: "Elf or Soldier creature" would say it of each."""
    *others, last = kinds or (ANY,)
    return (
        bool(others) and only_keys(last, "type", "subtype") and bool(last.type) and bool(last.subtype)
    ) and all(only_keys(other, "subtype") for other in others)


def says_of_all(wanted: Filter) -> bool:
    """Whether something is said of each of several kinds that would be heard of the last one alone."""
    of_creatures = bool(keys_used(wanted) & OF_CREATURES) and ends_with_creatures(wanted.any_of)
    return of_creatures or ends_with_a_type(wanted.any_of)


def said_of_the_last(wanted: Filter) -> Filter:
    """The filter as it is said: what only the last of several kinds has stands behind all of them."""
    last = wanted.any_of[-1] if wanted.any_of else ANY
    own = keys_used(last) & OF_CREATURES
    if not own or not ends_with_creatures(wanted.any_of) or keys_used(wanted) & OF_CREATURES:
        return wanted
    kind = replace(last, **{key: getattr(ANY, key) for key in own})
    return replace(wanted, any_of=(*wanted.any_of[:-1], kind), **{key: getattr(last, key) for key in own})
