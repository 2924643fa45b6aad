"""Values of the card language, generated from its types, for tests of what must work on every definition.

`anything(type)` is a Hypothesis strategy for values of a type; `samples(type)` is a short list of values with
different meanings, one for each member if the type is a union.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

from reference_engine.language import cards

WORDS = ("Goblin", "Wall", "Forest", "Aura", "Equipment", "chosen type", "all creature types", "Elf")
MANA = ("{2}", "{X}{R}", "{W/U}", "{C}{C}")
NAMES = ("Test Bolt", "bear", "target", "chosen")
DEPTH = 4
"""Maximum nesting depth of values, not counting required parts."""


def is_struct(wanted: Any) -> bool:
    return isinstance(wanted, type) and issubclass(wanted, Struct)


@cache
def hints(struct: type[Struct]) -> dict[str, Any]:
    """The types of a record's fields, by their names in files."""
    found = get_type_hints(struct)
    return {field.name: found[field.name] for field in fields(struct)}


def texts_for(struct: type[Struct], name: str) -> tuple[str, ...]:
    """Sensible texts for a field."""
    if name in ("mana", "cost", "pool"):
        return MANA
    return WORDS if name in ("subtype", "subtypes", "never", "old", "new") else NAMES


def members(wanted: Any) -> tuple[Any, ...]:
    """The members of a union; anything else is its own only member."""
    return get_args(wanted) if get_origin(wanted) in (Union, types.UnionType) else (wanted,)


def is_finite(wanted: Any, seen: frozenset[Any] = frozenset()) -> bool:
    """Whether a type has values that contain no others of the language."""
    if is_struct(wanted):
        if wanted in seen:
            return False
        required = [field.name for field in fields(wanted) if is_required(field)]
        return all(is_finite(hints(wanted)[name], seen | {wanted}) for name in required)
    if get_origin(wanted) in (Union, types.UnionType):
        return any(is_finite(member, seen) for member in get_args(wanted))
    return True


def is_required(field: Any) -> bool:
    return field.default is NODEFAULT and field.default_factory is NODEFAULT


def anything(wanted: Any, texts: tuple[str, ...] = NAMES, depth: int = DEPTH) -> st.SearchStrategy[Any]:
    """Values of a type."""
    if is_struct(wanted):
        return records(wanted, depth)
    match get_origin(wanted):
        case None:
            plain: dict[Any, st.SearchStrategy[Any]] = {
                int: st.integers(-3, 23),
                str: st.sampled_from(texts),
                bool: st.booleans(),
                type(None): st.none(),
            }
            return plain[wanted]
        case origin if origin is Literal:
            return st.sampled_from(get_args(wanted))
        case origin if origin is frozenset:
            return st.frozensets(anything(get_args(wanted)[0], texts, depth), max_size=2)
        case origin if origin is tuple:
            item = anything(get_args(wanted)[0], texts, depth)
            return st.lists(item, max_size=2 if depth > 0 else 0).map(tuple)
        case _:
            possible = [member for member in members(wanted) if depth > 0 or is_finite(member)]
            return st.deferred(lambda: st.one_of([anything(one, texts, depth) for one in possible]))


@cache
def records(struct: type[Struct], depth: int) -> st.SearchStrategy[Any]:
    """Records with their required keys, and at most three optional ones."""
    own = {field.name: field for field in fields(struct)}

    @st.composite
    def drawn(draw: st.DrawFn) -> Any:
        needed = [name for name, field in own.items() if is_required(field)]
        extra = [name for name in own if name not in needed]
        chosen = (
            draw(st.lists(st.sampled_from(extra), max_size=3, unique=True)) if extra and depth > 0 else []
        )
        values = {
            name: draw(anything(hints(struct)[name], texts_for(struct, name), depth - 1))
            for name in (*needed, *chosen)
        }
        return struct(**values)

    return drawn()


# --------------------------------------------------------------------------------------- samples

CREATURES = cards.All(type=frozenset({"Creature"}))
YOURS = cards.All(type=frozenset({"Land"}), controller=cards.You())
YOUR_TURN = cards.Turn(cards.You())
BOOST = cards.Part(CREATURES, (cards.Modify(1, 1),))
OX = cards.Card("Ox", frozenset({"Creature"}), subtypes=frozenset({"Ox"}), power=1, toughness=1)
TELLING: dict[type[Struct], Any] = {
    type(value): value
    for value in (
        cards.Filter(type=frozenset({"Artifact"})),
        CREATURES,
        BOOST,
        OX,
        cards.Count(YOURS),
        cards.PropertyOf("power", cards.Attached()),
        cards.Sum((cards.Count(YOURS), 2)),
        cards.Times(2, cards.Count(YOURS)),
        cards.AtLeast((cards.Count(YOURS), 2)),
        cards.Compare(cards.Count(YOURS), ">=", 5),
        cards.Matches(cards.This(), cards.Filter(tapped=True)),
        cards.Exists(YOURS),
        cards.AnyPlayer(cards.Opponents(), cards.Compare(cards.PropertyOf("life", cards.It()), "<=", 10)),
        cards.Not(YOUR_TURN),
        cards.AllOf((YOUR_TURN, cards.Was("kicked"))),
        cards.AnyOf((YOUR_TURN, cards.Was("kicked"))),
        cards.Base(4, 6),
        cards.Modify(1, 1),
        cards.SetBasicLandTypes(frozenset({"Mountain"})),
        cards.Gain((cards.Keyword("flying"),)),
        cards.Cannot(frozenset({"block"})),
        cards.ReplaceWord(frozenset({"creature type"})),
        cards.Effect(cards.Attached(), (cards.Modify(1, 1),)),
        cards.BlockedBy(2, 3),
        cards.BlocksMore(1),
        cards.Double(frozenset({"power"})),
        cards.EitherCost((cards.LifeCost(2), cards.MillCost(3))),
        cards.AddMana("any", 2),
        cards.Spending(cards.Filter(type=frozenset({"Artifact"}))),
        cards.ManaRider((cards.Gain((cards.Keyword("flying"),)),)),
        cards.Put(cards.This(), "battlefield"),
        cards.Create(OX),
        cards.ChooseInstruction("object", CREATURES),
        cards.May((cards.Draw(1),)),
        cards.If(YOUR_TURN, (cards.Draw(1),)),
        cards.Later(cards.Beginning("end", cards.Everyone(), next=True), (cards.Draw(1),)),
        cards.WhenYouDo((cards.Draw(1),)),
        cards.OneOfInstruction((cards.Mode((cards.Draw(1),)), cards.Mode((cards.Discard(1),)))),
        cards.ForEachPlayer(cards.Everyone(), (cards.Draw(1),)),
        cards.State(YOUR_TURN),
        cards.AnyEvent((cards.Enters(), cards.Dies())),
        cards.Nth(2, cards.Draws()),
        cards.OneOrMore(cards.Dies(CREATURES)),
        cards.Happened(cards.GainsLife(), 3),
        cards.HowOften(cards.Draws()),
        cards.TargetSpec(what=CREATURES),
        cards.Mode((cards.Draw(1),)),
        cards.Static((BOOST,)),
        cards.Defines((cards.SetColors(frozenset()),)),
        cards.Activated((cards.TapThis(),), (cards.Draw(1),)),
        cards.Triggered(cards.Enters(), (cards.Draw(1),)),
        cards.Spell((cards.Draw(1),)),
        cards.AsEnters(copy=cards.CopyAsEnters(CREATURES)),
        cards.Option((cards.Base(1, 1),)),
        cards.Keyword("equip"),
    )
}
"""Examples more telling than the first choice for everything."""


def samples(wanted: Any, texts: tuple[str, ...] = NAMES) -> list[Any]:
    """A few values of a type with different meanings; for a union, one for each member."""
    if is_struct(wanted):
        return [example(wanted)]
    match get_origin(wanted):
        case None:
            plain: dict[Any, list[Any]] = {
                int: [2, 3],
                str: list(texts[:2]),
                bool: [False, True],
                type(None): [None],
            }
            return plain[wanted]
        case origin if origin is Literal:
            return list(get_args(wanted))
        case origin if origin is frozenset:
            items = samples(get_args(wanted)[0], texts)
            return [frozenset(items[:1]), frozenset(items[1:2]), frozenset(items[:2])]
        case origin if origin is tuple:
            items = samples(get_args(wanted)[0], texts)
            return [(items[0],), tuple(items[:2])] if len(items) > 1 else [(items[0],)]
        case _:
            return [value for member in members(wanted) for value in samples(member, texts)]


@cache
def example(struct: type[Struct]) -> Any:
    """One value of a record: a telling one if given, otherwise the first choice for every required field."""
    if struct in TELLING:
        return TELLING[struct]
    needed = [field for field in fields(struct) if is_required(field)]
    return struct(
        **{one.name: first_of(hints(struct)[one.name], texts_for(struct, one.name)) for one in needed}
    )


def first_of(wanted: Any, texts: tuple[str, ...]) -> Any:
    """The first sample of a type that needs no other sample of itself."""
    return next(value for member in members(wanted) if is_finite(member) for value in samples(member, texts))


def varied(struct: type[Struct], name: str, base: Any = None) -> Iterator[Any]:
    """A record (by default its example) with one field varied over all samples and its default."""
    base = example(struct) if base is None else base
    yield base
    for value in samples(hints(struct)[name], texts_for(struct, name)):
        if value != getattr(base, name):
            yield replace(base, **{name: value})
