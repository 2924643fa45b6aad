"""Compares expected with observed values, and formats both for people.

Values that stand for a set are compared in any order; the stack, graveyards and targets are lists, whose
order counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import TypeGuard, assert_never

from msgspec import UnsetType

from conformance.model.observation import SeenToken
from conformance.model.scenario import (
    Equals,
    Has,
    InAnyOrder,
    Lacks,
    Number,
    OneOfTest,
    SeenCounters,
    Test,
    Value,
)
from reference_engine.language.words import ALL_CREATURE_TYPES, kind_of_subtype

Member = str | int | SeenCounters | SeenToken
Reported = None | bool | int | str | frozenset[str] | tuple[Member, ...]
"""The values that an engine may report under any key."""

LISTS = frozenset({"stack", "graveyard", "targets"})
"""The keys whose order counts; multiple values under any other key are a set."""

FULL_LIST = 150
"""Number of creature types that counts as all creature types.

Engines know different types, because new ones are printed every year, and only an effect that gives every
type gives more than a few.
"""


def agrees(test: Test, key: str, seen: Reported) -> bool:
    """Whether the observed value of a key passes a test."""
    match test:
        case Equals(value):
            return is_value(value, key, seen)
        case OneOfTest(values):
            return any(is_value(each.value, key, seen) for each in values)
        case Has(values):
            return are_several(seen) and has_all(values, key, seen)
        case Lacks(values):
            return are_several(seen) and not any(has_all((value,), key, seen) for value in values)
        case InAnyOrder(values):
            return are_several(seen) and Counter[object](values) == Counter[object](seen)
        case Number(name, n, controller):
            return n == number_of_tokens(seen, name, controller)
        case _:
            assert_never(test)


def is_value(value: Value, key: str, seen: Reported) -> bool:
    """Whether the observed value is exactly the expected one; 1 differs from yes, an empty list from none."""
    if not isinstance(value, tuple):
        return type(value) is type(seen) and value == seen
    if not are_several(seen):
        return False
    if key in LISTS:
        return value == tuple(seen)
    if key == "subtypes":
        return with_one_word_for_all(value) == with_one_word_for_all(seen)
    return Counter[object](value) == Counter[object](seen)


def alike(one: object, other: object, key: str) -> bool:
    """Whether two observed values of a key are equal: a full list of creature types counts as one word, and
    tokens have no order.
    """
    if key == "tokens" and isinstance(one, tuple) and isinstance(other, tuple):
        return Counter(one) == Counter(other)
    if key == "subtypes" and isinstance(one, frozenset) and isinstance(other, frozenset):
        return with_one_word_for_all(one) == with_one_word_for_all(other)
    return one == other


def has_all(values: Iterable[str], key: str, seen: Collection[Member]) -> bool:
    """Whether all these values were observed; an object with all creature types has each of them."""
    if key == "subtypes":
        seen = with_one_word_for_all(seen)
        if ALL_CREATURE_TYPES in seen:
            values = (value for value in values if not may_be_creature_type(value))
    return all(value in seen for value in values)


def are_several(seen: Reported) -> TypeGuard[frozenset[str] | tuple[Member, ...]]:
    """Whether a set or a list was observed, even an empty one."""
    return isinstance(seen, frozenset | tuple)


def number_of_tokens(seen: Reported, name: str, controller: str | None) -> int:
    """Number of observed tokens with this name and, if given, this controller.

    CR 111.4: a token that its effect does not name is called by its subtypes and the word Token. The name may
    omit that word here.
    """
    return sum(
        token.name is not None
        and token.name.removesuffix(" Token") == name.removesuffix(" Token")
        and controller in (None, token.controller)
        for token in (seen if are_several(seen) else ())
        if isinstance(token, SeenToken)
    )


def with_one_word_for_all(subtypes: Iterable[Member]) -> frozenset[Member]:
    """The subtypes, with a full list of creature types replaced by one word."""
    words = frozenset(subtypes)
    creature_types = {word for word in words if isinstance(word, str) and may_be_creature_type(word)}
    if ALL_CREATURE_TYPES in words or len(creature_types) >= FULL_LIST:
        return words - creature_types | {ALL_CREATURE_TYPES}
    return words


def may_be_creature_type(word: str) -> bool:
    """Whether this word can be in an engine's full list of creature types; it may know newer types."""
    return kind_of_subtype(word) in ("creature", None)


# ------------------------------------------------------------------------------------ in words


def in_words(value: Value | Reported | UnsetType, key: str) -> str:
    """A value as written in a file; `[]` is an empty list, `none` is no value."""
    match value:
        case UnsetType():
            return "not reported"
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case frozenset() | tuple():
            several = with_one_word_for_all(value) if key == "subtypes" else value
            said = [member_in_words(member) for member in several]
            return ", ".join(said if key in LISTS else sorted(said)) or "[]"
        case _:
            return str(value)


def member_in_words(member: Member) -> str:
    """One member of a list or set, as written in a file."""
    match member:
        case SeenCounters(kind, n):
            return f"{n} {kind}"
        case SeenToken(name, controller):
            return f"{name} of {controller}"
        case _:
            return str(member)


def test_in_words(test: Test, key: str) -> str:
    """A test as reports show it."""
    match test:
        case Equals(value):
            return in_words(value, key)
        case OneOfTest(values):
            return " or ".join(in_words(each.value, key) for each in values)
        case Has(values):
            return f"{', '.join(values)} among others"
        case Lacks(values):
            return f"none of {', '.join(values)}" if len(values) > 1 else f"no {values[0]}"
        case InAnyOrder(values):
            return f"{', '.join(values)} in any order"
        case Number(name, n, controller):
            return f"{n} tokens named {name}" + (f", controlled by {controller}" if controller else "")
        case _:
            assert_never(test)


def observed_in_words(test: Test, key: str, seen: Reported | UnsetType) -> str:
    """The observed value, in the form of the test that it is reported with."""
    if isinstance(test, Number) and not isinstance(seen, UnsetType):
        return str(number_of_tokens(seen, test.name, test.controller))
    return in_words(seen, key)
