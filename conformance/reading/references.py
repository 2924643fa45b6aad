"""What the words "it", "that creature" and "target creature" stand for in what was read.

While a sentence is read such words become marks in the place of a selector. Once a whole ability is
known the marks are settled: targets get their names, choices become instructions, and for every pronoun
there are candidates, of which the wording of the ability picks the one that is spoken of in that way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.language.cards import (
    ActivePlayer,
    All,
    Attached,
    Choose,
    ControllerOf,
    Instruction,
    It,
    Quantity,
    Selector,
    TargetSpec,
    The,
    This,
    X,
)


class Spoken(Struct, frozen=True):
    """A pronoun, or "that" thing: what it means is settled later."""

    words: str


OTHER = Spoken("other")


class Aimed(Struct, frozen=True):
    """A target where it is first spoken of."""

    spec: TargetSpec


class Picked(Struct, frozen=True):
    """Something that is chosen where it is spoken of: "return a land you control"."""

    what: All
    least: int = 1
    most: int = 1


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value with a change made to every part of it, outermost first; `None` leaves a part as it is."""
    new = change(value)
    if new is not None:
        return new
    if isinstance(value, Struct):
        # In a sentence whoever acts comes first, and so do the targets in it.
        names = sorted(value.__struct_fields__, key=lambda name: name not in ("who", "by"))
        fields = {name: getattr(value, name) for name in names}
        parts = {name: changed(part, change) for name, part in fields.items() if not is_plain(part)}
        differing = {name: part for name, part in parts.items() if part is not fields[name]}
        return replace(value, **differing) if differing else value
    if isinstance(value, tuple):
        new_parts = tuple(changed(part, change) for part in value)
        return value if all(a is b for a, b in zip(new_parts, value, strict=True)) else new_parts
    return value


def is_plain(value: object) -> bool:
    """Whether there is nothing inside a value."""
    return value is None or isinstance(value, str | int | frozenset)


def marks_in(value: Any, kind: type | tuple[type, ...]) -> list[Any]:
    """Every mark of a kind, in order."""
    found: list[Any] = []

    def look(part: Any) -> Any:
        if isinstance(part, kind):
            found.append(part)
        return None

    changed(value, look)
    return found


def with_x(value: Any, meaning: Quantity) -> Any:
    """A value with a quantity in place of X."""
    return changed(value, lambda part: meaning if isinstance(part, X) else None)


NAMES = ("target", "second", "third", "fourth", "fifth")


def with_targets_named(
    effect: Sequence[Instruction],
) -> tuple[tuple[Instruction, ...], tuple[TargetSpec, ...]]:
    """An effect that speaks of its targets by name, and these.

    Something "other" is other than the first target, if one was named before.
    """
    specs: list[TargetSpec] = []

    def name(part: Any) -> Any:
        if part == OTHER and specs:
            return The(specs[0].name)
        if not isinstance(part, Aimed):
            return None
        spec = changed(part.spec, name)
        number = len(specs)
        specs.append(replace(spec, name=NAMES[number] if number < len(NAMES) else f"target {number}"))
        return The(specs[-1].name)

    named = changed(tuple(effect), name)
    return named, tuple(specs)


def with_choices_made(effect: Sequence[Any]) -> tuple[Instruction, ...]:
    """An effect in which what is picked is chosen by an instruction before."""
    made: list[Any] = []
    for whole in effect:
        picked: list[Choose] = []
        inside = {name: getattr(whole, name) for name in ("effect", "otherwise") if hasattr(whole, name)}
        instruction = replace(whole, **{name: with_choices_made(part) for name, part in inside.items()})

        def choose(part: Any, picked: list[Choose] = picked) -> Any:
            if not isinstance(part, Picked):
                return None
            picked.append(Choose("object", part.what, least=part.least, most=part.most))
            return The("chosen")

        done = changed(instruction, choose)
        made += [*picked, done]
    return tuple(made)


MOST_READINGS = 60


def readings(value: Any, candidates: Callable[[Spoken], Sequence[Selector]]) -> Iterator[Any]:
    """A value with its pronouns settled, in every way the candidates allow, the likeliest first."""
    spoken = list(dict.fromkeys(marks_in(value, Spoken)))
    if not spoken:
        yield value
        return
    choices = [candidates(mark) for mark in spoken]
    for choice in islice(product(*choices), MOST_READINGS):
        yield with_spoken(value, dict(zip(spoken, choice, strict=True)))


def with_spoken(value: Any, known: Mapping[Spoken, Selector]) -> Any:
    """A value with what pronouns mean in their place."""
    return changed(value, lambda part: known[part] if isinstance(part, Spoken) else None)


def candidates_for(
    targets: Sequence[TargetSpec], event_about: Selector | None, names: Sequence[str], spell: bool
) -> Callable[[Spoken], Sequence[Selector]]:
    """What pronouns may stand for where these targets, this event and these named things are known."""
    aimed: list[Selector] = [The(spec.name) for spec in targets]
    named: list[Selector] = [The(name) for name in names]

    def find(mark: Spoken) -> Sequence[Selector]:
        if mark == OTHER:
            # What is on the battlefield means others than itself; a spell means others than its target.
            return aimed[:1] if spell else [This()]
        if mark.words == "that player":
            known: list[Selector] = [*aimed, ActivePlayer(), The("damaged"), ControllerOf(It()), It()]
            return [*known, *(ControllerOf(one) for one in aimed)]
        if mark.words.startswith("the "):
            return [*named, *aimed]
        if mark.words.startswith(("that ", "those ")):
            return [*reversed(named), *aimed, It(), The("damaged"), Attached(), This()]
        event: list[Selector] = [] if event_about is None else [event_about, It()]
        return [*reversed(named), *aimed, *event, This(), Attached(), The("damaged"), It()]

    return find
