"""Checks of what says how many, how often, or which of several: of costs, blockers, counters and mana."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from conformance.model.card_parts import PlacedParts
from conformance.model.problems import At, Finding
from reference_engine.language.cards import (
    Activated,
    AddMana,
    BlockedBy,
    BlocksMore,
    Cannot,
    ChooseInstruction,
    Damage,
    DiscardCost,
    Double,
    Effect,
    EitherCost,
    May,
    PutCounters,
    Spell,
    Spending,
    The,
    This,
    words_for_costs,
)


def wrong_limits(parts: PlacedParts) -> Iterator[Finding]:
    """Limits and choices that say nothing, or that stand where nobody is asked."""
    for at, part in parts:
        wrong_in_it = WRONG_IN.get(type(part))
        if wrong_in_it is not None:
            yield from wrong_in_it(part, at)
        for field in part.__struct_fields__:
            for number, inner in enumerate(members_of(part, field)):
                place = (*at, field, number)
                if type(inner) is EitherCost and (type(part), field) not in CHOSEN_FROM:
                    what = "nobody chooses between costs here"
                    yield Finding(place, what, "write one cost, or a cost of `may`")
                if type(inner) is Double and type(part) is not Effect:
                    yield Finding(place, "this doubles again and again", "write it as an effect: affects: …")


def members_of(part: Any, field: str) -> tuple[Any, ...]:
    """What a list of a part has; empty if the field is no list."""
    value = getattr(part, field)
    return value if isinstance(value, tuple) else ()


CHOSEN_FROM = {(Spell, "additional"), (May, "cost")}
"""Where a player chooses between costs (CR 601.2b: as a spell is cast; CR 608.2d: as something resolves)."""


def wrong_either(cost: EitherCost, at: At) -> Iterator[Finding]:
    """A choice between costs needs two, and a script needs a different word for each."""
    if len(cost.options) < 2:
        yield Finding((*at, "options"), "no choice between costs", "write two or more")
    elif len(words_for_costs(cost)) < len(cost.options):
        yield Finding((*at, "options"), "two costs that a script could not tell apart", "write one of a kind")
    elif any(isinstance(option, EitherCost) for option in cost.options):
        yield Finding((*at, "options"), "a choice within a choice", "write one list of costs")


def no_limit_on_blockers(operation: BlockedBy, at: At) -> Iterator[Finding]:
    """A number of blockers that rules nothing out, or everything."""
    if operation.least < 2 and operation.most is None:
        yield Finding(at, "any number of creatures can block it anyway", "write {blocked_by: 2}, or most: 1")
    elif operation.most is not None and operation.most < max(operation.least, 1):
        yield Finding((*at, "most"), "nothing can block it", "write {cannot: be blocked}")


COMPARED = {"=": operator.eq, ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


def no_limit_together(operation: Cannot, at: At) -> Iterator[Finding]:
    """A number of creatures that rules nothing out, or everything: at least one attacks or blocks."""
    wanted = operation.number
    if wanted is None or not isinstance(wanted.n, int) or wanted.how not in COMPARED:
        return
    forbidden = [COMPARED[wanted.how](number, wanted.n) for number in range(1, max(wanted.n, 1) + 2)]
    if all(forbidden):
        yield Finding((*at, "number"), "that is any number of creatures", "remove number")
    elif not any(forbidden):
        yield Finding((*at, "number"), "that is no number of creatures", "remove this, or write 1 or more")


def nothing_doubled(operation: Double, at: At) -> Iterator[Finding]:
    """An effect that doubles neither power nor toughness."""
    if not operation.what:
        yield Finding((*at, "what"), "nothing to double", "write power, toughness or both")


def no_more_blocks(operation: BlocksMore, at: At) -> Iterator[Finding]:
    """A creature that blocks no additional creature."""
    if operation.n is not None and operation.n < 1:
        yield Finding((*at, "n"), "no additional creature", "write 1 or more, or nothing for any number")


def not_more_than_once(ability: Activated, at: At) -> Iterator[Finding]:
    """A maximum number of activations that another key says."""
    if ability.times is not None and ability.times < 2:
        yield Finding((*at, "times"), f"{ability.times} each turn", "write once: yes, or 2 or more")
    elif ability.times is not None and (ability.once or ability.exhaust):
        key = "once" if ability.once else "exhaust"
        yield Finding((*at, "times"), f"times beside {key}", "write only one of them")


def wrong_distribution(instruction: PutCounters, at: At) -> Iterator[Finding]:
    """CR 601.2d: counters of one kind are distributed among targets."""
    if instruction.divided and len(instruction.counters) != 1:
        yield Finding((*at, "counters"), "several kinds of counters to distribute", "write one kind")
    if instruction.divided and not isinstance(instruction.on, The):
        yield Finding((*at, "on"), "these are no targets to divide among", "write target, with targets: …")


def wrong_division(instruction: Damage, at: At) -> Iterator[Finding]:
    """CR 601.2d: damage is divided among targets."""
    if instruction.divided and not isinstance(instruction.to, The):
        yield Finding((*at, "to"), "these are no targets to divide among", "write target, with targets: …")


def wrong_mana(instruction: AddMana, at: At) -> Iterator[Finding]:
    """Mana of several chosen colours that is of a stated kind."""
    if instruction.mixed and instruction.mana != "any":
        yield Finding((*at, "mixed"), "its colours are stated", "write {add_mana: any, mixed: yes}")
    if instruction.mixed and instruction.n == 1:
        yield Finding((*at, "mixed"), "one mana has one colour", "remove mixed, or write n: 2")


def spent_on_nothing(only: Spending, at: At) -> Iterator[Finding]:
    """Mana that can't be spent."""
    if only.spells is None and only.abilities is None:
        yield Finding(at, "this mana can't be spent on anything", "add spells: …, or abilities: …")


def random_words(choice: ChooseInstruction, at: At) -> Iterator[Finding]:
    """Chance chooses among objects only."""
    if choice.at_random and choice.kind != "object":
        yield Finding((*at, "at_random"), f"a random {choice.kind}", "choose an object at random")


def random_this(cost: DiscardCost, at: At) -> Iterator[Finding]:
    """A card that is discarded anyway is not chosen by chance."""
    if cost.at_random and isinstance(cost.what, This):
        yield Finding((*at, "at_random"), "there is only this card", "remove at_random")


WRONG_IN: dict[type, Callable[[Any, At], Iterator[Finding]]] = {
    Activated: not_more_than_once,
    AddMana: wrong_mana,
    BlockedBy: no_limit_on_blockers,
    BlocksMore: no_more_blocks,
    Cannot: no_limit_together,
    ChooseInstruction: random_words,
    Damage: wrong_division,
    DiscardCost: random_this,
    Double: nothing_doubled,
    EitherCost: wrong_either,
    PutCounters: wrong_distribution,
    Spending: spent_on_nothing,
}
