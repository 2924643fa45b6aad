"""Resolves what "it", "that creature" and "target creature" refer to.

While a sentence is parsed, such words become marks in place of a selector. Once a whole ability is known, the
marks are resolved: targets get names, choices become instructions, and every pronoun gets candidates, from
which the wording of the ability selects the one that would be referred to in that way.
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
    Beginning,
    ChooseInstruction,
    ControllerOf,
    Create,
    DealsDamage,
    Discards,
    Draws,
    Exile,
    Instruction,
    It,
    Later,
    May,
    Nth,
    OneOrMore,
    OwnerOf,
    Quantity,
    Selector,
    TargetSpec,
    The,
    This,
    TriggerEvent,
    WhenYouDo,
    X,
)


class PronounReference(Struct, frozen=True):
    """A pronoun, or "that" object: its meaning is resolved later."""

    words: str
    before: tuple[The, ...] = ()
    """The targets, tokens and exiled cards mentioned so far."""


ANOTHER = PronounReference("other")


class TargetReference(Struct, frozen=True):
    """A target where it is first mentioned."""

    spec: TargetSpec


class ChoiceReference(Struct, frozen=True):
    """Something that is chosen where it is mentioned: "return a land you control"."""

    what: All
    least: int = 1
    most: int = 1
    at_random: bool = False


def rebuilt_with(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value with a change applied to every part, outermost first; `None` leaves a part unchanged."""
    new = change(value)
    if new is not None:
        return new
    if isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in in_spoken_order(value)}
        parts = {name: rebuilt_with(part, change) for name, part in fields.items() if not is_plain(part)}
        differing = {name: part for name, part in parts.items() if part is not fields[name]}
        return replace(value, **differing) if differing else value
    if isinstance(value, tuple):
        new_parts = tuple(rebuilt_with(part, change) for part in value)
        return value if all(a is b for a, b in zip(new_parts, value, strict=True)) else new_parts
    return value


def in_spoken_order(value: Struct) -> tuple[str, ...]:
    """The fields of a value in the order in which a sentence mentions them."""
    names = value.__struct_fields__
    if isinstance(value, May) and not value.effect:
        # "… unless its controller pays {2}": the threat comes first.
        return ("otherwise", *(name for name in names if name != "otherwise"))
    # Otherwise the actor comes first.
    return tuple(sorted(names, key=lambda name: name not in ("who", "by")))


def is_plain(value: object) -> bool:
    """Whether a value has no parts."""
    return value is None or isinstance(value, str | int | frozenset)


def marks_in(value: Any, kind: type | tuple[type, ...]) -> list[Any]:
    """All marks of a kind, in order."""
    found: list[Any] = []

    def look(part: Any) -> Any:
        if isinstance(part, kind):
            found.append(part)
        return None

    rebuilt_with(value, look)
    return found


def operations_on(who: Any, does: Sequence[Any]) -> tuple[Any, ...]:
    """Operations on something: for a group, "it" is each object of the group."""
    if not isinstance(who, All):
        return tuple(does)
    each = rebuilt_with(
        tuple(does), lambda part: It() if isinstance(part, PronounReference) and part.words == "it" else None
    )
    return tuple(each)


def with_x(value: Any, meaning: Quantity) -> Any:
    """A value with X replaced by a quantity."""
    return rebuilt_with(value, lambda part: meaning if isinstance(part, X) else None)


NAMES = ("target", "second", "third", "fourth", "fifth")


def with_targets_named(
    effect: Sequence[Instruction],
) -> tuple[tuple[Instruction, ...], tuple[TargetSpec, ...]]:
    """An effect that refers to its targets by name, and the targets.

    "Other" means other than the first target, if one was named before. What a delayed trigger would target
    stays a mark: the language cannot express it.
    """
    specs: list[TargetSpec] = []
    before: list[The] = []

    def spoken(part: Any) -> Any:
        if part == ANOTHER:
            return The(specs[0].name) if specs else None
        return PronounReference(part.words, tuple(before)) if isinstance(part, PronounReference) else None

    def name(part: Any) -> Any:
        match part:
            case WhenYouDo(inner):
                # CR 603.12: a reflexive trigger chooses targets of its own.
                named, targets = with_targets_named(inner)
                return replace(part, effect=named, targets=targets)
            case Later(effect=inner):
                return replace(part, effect=rebuilt_with(inner, spoken))
            case TargetReference(spec):
                number = len(specs)
                own = NAMES[number] if number < len(NAMES) else f"target {number}"
                specs.append(replace(rebuilt_with(spec, name), name=own))
                before.append(The(own))
                return The(own)
            case Create(name=None) | Exile(name=None):
                kind = "token" if isinstance(part, Create) else "exiled"
                # Its name is set only after its parts have been searched, so that this terminates.
                done = rebuilt_with(replace(part, name=kind), name)
                before.append(The(kind))
                return done
            case _:
                return spoken(part)

    return rebuilt_with(tuple(effect), name), tuple(specs)


def with_choices_made(effect: Sequence[Any]) -> tuple[Instruction, ...]:
    """An effect in which an earlier instruction makes the choices."""
    made: list[Any] = []
    for whole in effect:
        picked: list[ChooseInstruction] = []
        inside = {name: getattr(whole, name) for name in ("effect", "otherwise") if hasattr(whole, name)}
        instruction = replace(whole, **{name: with_choices_made(part) for name, part in inside.items()})

        def choose(part: Any, picked: list[ChooseInstruction] = picked) -> Any:
            if not isinstance(part, ChoiceReference):
                return None
            picked.append(
                ChooseInstruction(
                    "object", part.what, least=part.least, most=part.most, at_random=part.at_random
                )
            )
            return The("chosen")

        done = rebuilt_with(instruction, choose)
        made += [*picked, done]
    return tuple(made)


MOST_READINGS = 60


def readings(value: Any, candidates: Callable[[PronounReference], Sequence[Selector]]) -> Iterator[Any]:
    """A value with its pronouns resolved in every way that the candidates allow, likeliest first."""
    spoken = list(dict.fromkeys(marks_in(value, PronounReference)))
    if not spoken:
        yield with_names_needed(value)
        return
    choices = [candidates(mark) for mark in spoken]
    for choice in islice(product(*choices), MOST_READINGS):
        meant = with_meanings(value, dict(zip(spoken, choice, strict=True)))
        yield with_names_needed(with_controllers_before_exile(meant))


def with_controllers_before_exile(value: Any) -> Any:
    """A value in which "its controller" is who controlled an object, not the card in exile that it has become
    (CR 108.4: a card there has no controller).
    """
    exiled = {one.name: one.what for one in marks_in(value, Exile) if one.name is not None}

    def before(part: Any) -> Any:
        known = isinstance(part, ControllerOf) and isinstance(part.of, The) and part.of.name in exiled
        return ControllerOf(exiled[part.of.name]) if known and isinstance(exiled[part.of.name], The) else None

    return rebuilt_with(value, before) if exiled else value


def with_names_needed(value: Any) -> Any:
    """A value in which tokens and exiled cards have names only if something refers to them."""
    used = {one.name for one in marks_in(value, The)}

    def unnamed(part: Any) -> Any:
        if isinstance(part, Create | Exile) and part.name is not None and part.name not in used:
            return rebuilt_with(replace(part, name=None), lambda inner: None)
        return None

    return rebuilt_with(value, unnamed)


def with_meanings(value: Any, known: Mapping[PronounReference, Selector]) -> Any:
    """A value with pronouns replaced by their meanings."""
    return rebuilt_with(value, lambda part: known[part] if isinstance(part, PronounReference) else None)


THOSE = ("those", "damaged")
"""The names that events give to things."""


def speaks_of(when: TriggerEvent | None, name: str) -> bool:
    """Whether an event gives this name to something other than the object itself."""
    if name == "those":
        return bool(marks_in(when, OneOrMore))
    return any(one.to not in (None, This()) for one in marks_in(when, DealsDamage))


def players_of(when: TriggerEvent | None) -> list[Selector]:
    """The players that an event is about, likeliest first."""
    match when:
        case None:
            return [ActivePlayer(), ControllerOf(It())]
        case Beginning():
            return [ActivePlayer()]
        case Draws() | Discards():
            return [OwnerOf(It())]
        case Nth(_, inner) | OneOrMore(inner):
            return players_of(inner)
        case _:
            damaged: list[Selector] = [The("damaged")] if speaks_of(when, "damaged") else []
            return [*damaged, ControllerOf(It()), It()]


def candidates_for(
    targets: Sequence[TargetSpec],
    event_about: Selector | None,
    names: Sequence[str],
    spell: bool,
    when: TriggerEvent | None = None,
) -> Callable[[PronounReference], Sequence[Selector]]:
    """What pronouns may refer to, given these targets, this event and these named objects."""
    aimed: list[Selector] = [The(spec.name) for spec in targets]
    named: list[Selector] = [The(name) for name in names]

    def find(mark: PronounReference) -> Sequence[Selector]:
        before: list[Selector] = [*mark.before[::-1]]
        if mark.words == ANOTHER.words:
            # On a permanent, "other" means other than itself; on a spell, other than its target.
            return aimed[:1] if spell else [This()]
        if mark.words == "that player":
            return [*before, *players_of(when), *(ControllerOf(one) for one in before)]
        event: list[Selector] = [] if event_about is None else [event_about]
        if mark.words.startswith(("that ", "those ")):
            known: list[Selector] = [The(name) for name in THOSE if speaks_of(when, name)]
            known += [It(), Attached(), This()]
            return [*named[::-1], *before, *known]
        if not spell:
            event += [This(), Attached(), *([The("damaged")] if speaks_of(when, "damaged") else [])]
        # A condition that is printed last speaks of a target before our order of the parts mentions it.
        ahead = [one for one in aimed if one not in before]
        return [*named[::-1], *before, *event, *([This()] if spell else []), *ahead]

    return find
