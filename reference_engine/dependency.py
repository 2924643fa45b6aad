"""CR 613.8: which effect waits for which.

Whether one effect depends on another is found by trying: apply the other to what is there now, and see
whether the one would then exist, read, reach or do something else. What comes out of it in the end
is never compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from reference_engine.at_work import Moment, ability_of
from reference_engine.cards import Layer
from reference_engine.effects import ActiveEffect

if TYPE_CHECKING:
    from reference_engine.rules import Rules

Waits = Mapping[ActiveEffect, frozenset[ActiveEffect]]


def next_effect(waiting: Sequence[ActiveEffect], layer: Layer, moment: Moment) -> ActiveEffect:
    """The effect to apply now: the first in precedence of those that are free to go.

    CR 613.8b: an effect waits for those it depends on, except for those in a loop with it.
    CR 613.8c: so this is asked again after every single effect.
    """
    rules = moment.rules
    waits_for = rules.dependencies(waiting, layer, moment)
    free = [effect for effect in waiting if waits_for[effect] <= rules.loop_of(effect, waits_for)]
    return min(free or waiting, key=rules.precedence)


def precedence(effect: ActiveEffect) -> tuple[bool, tuple[int, ...]]:
    """CR 613.3: what defines characteristics comes first. CR 613.7: then the earlier timestamp."""
    return (not effect.defines, effect.timestamp)


def dependencies(waiting: Sequence[ActiveEffect], layer: Layer, moment: Moment) -> Waits:
    """For each waiting effect, those among the others that it depends on."""
    rules = moment.rules
    return {
        one: frozenset(
            other for other in waiting if other is not one and rules.depends_on(one, other, layer, moment)
        )
        for one in waiting
    }


def depends_on(one: ActiveEffect, other: ActiveEffect, layer: Layer, moment: Moment) -> bool:
    """CR 613.8a: whether applying the other first would change what the one is.

    Its text or existence, what it applies to, or what it does to any of the things it applies to;
    and only among effects that both define characteristics, or neither.
    """
    if one.defines != other.defines or not can_touch(other, one, layer, moment):
        return False
    after = moment_after(other, layer, moment)
    return intent(one, layer, moment) != intent(one, layer, after)


def can_touch(other: ActiveEffect, one: ActiveEffect, layer: Layer, moment: Moment) -> bool:
    """Whether an effect writes anything that decides what another is; if not, trying is no use."""
    shape = one.shape
    decides = shape.does_by[layer]
    if one.key not in moment.begun:
        decides = decides | shape.begins_by
        if not one.sets:
            decides = decides | shape.affects_by[layer]
    return bool(decides & other.shape.writes[layer])


def moment_after(effect: ActiveEffect, layer: Layer, moment: Moment) -> Moment:
    """The moment as it would be if this effect were applied now."""
    rules = moment.rules
    deeds = rules.what_it_does(effect, layer, moment)
    if deeds is None:
        return moment
    return replace(moment, view=rules.carried_out(deeds, moment.view, rules))


def intent(effect: ActiveEffect, layer: Layer, moment: Moment) -> object:
    """What an effect would be if it were applied now: its text, its set, and what it does to each; `None` if nothing."""
    held = None
    if effect.held is not None and effect.key not in moment.begun:
        held = ability_of(effect, moment.view)
        if held is None:
            return None
    deeds = moment.rules.what_it_does(effect, layer, moment)
    if deeds is None:
        return None
    done_to = {(deed.part, id): deed.does for deed in deeds for _, members in deed.crowd for id in members}
    return (None if held is None else held.ability, done_to)


def loop_of(effect: ActiveEffect, waits_for: Waits) -> frozenset[ActiveEffect]:
    """CR 613.8b: the effects in a dependency loop with this one: those that it waits for and that wait for it, however far round."""
    reached = _reached_from(effect, waits_for)
    return frozenset(other for other in reached if effect in _reached_from(other, waits_for))


def _reached_from(effect: ActiveEffect, waits_for: Waits) -> set[ActiveEffect]:
    reached: set[ActiveEffect] = set()
    ahead = list(waits_for[effect])
    while ahead:
        other = ahead.pop()
        if other not in reached:
            reached.add(other)
            ahead.extend(waits_for[other])
    return reached
