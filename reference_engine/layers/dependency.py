"""CR 613.8: which effect waits for which.

Dependency is found by trial: apply one effect to the present state, and check whether the other would still
exist, have the same text, affect the same objects, and do the same to them. The final results are never
compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.language.cards import Layer
from reference_engine.layers.at_work import PER_EFFECT, Moment, ability_of
from reference_engine.layers.effects import ActiveEffect, DefiniteOperation
from reference_engine.layers.view import Members

DependencyReason = Literal["existence", "text", "set", "operation"]
"""What another effect would change about an effect (CR 613.8a: the four ways to depend)."""
Waits = Mapping[ActiveEffect, Mapping[ActiveEffect, DependencyReason]]
"""For each waiting effect, the effects it depends on, and why."""


def next_effects(waiting: Sequence[ActiveEffect], layer: Layer, moment: Moment) -> Iterator[ActiveEffect]:
    """The effect to apply now: of those that need not wait, the first by `precedence`. After it, the effect
    to apply if that one changed nothing, and so on.

    CR 613.8b: an effect waits for those it depends on, except for those in a dependency loop with it.
    CR 613.8c: the order is determined again after each effect that changes something.
    """
    rules = moment.rules
    waits_for = rules.dependencies(waiting, layer, moment)
    in_order = sorted(waiting, key=rules.precedence)
    loops: dict[ActiveEffect, frozenset[ActiveEffect]] = {}
    anything_free = False
    for effect in in_order:
        if waits_for[effect] and effect not in loops:
            loop = rules.loop_of(effect, waits_for)
            loops |= dict.fromkeys(loop | {effect}, loop)
        if not waits_for[effect] or waits_for[effect].keys() <= loops[effect]:
            anything_free = True
            yield effect
    if not anything_free:
        yield in_order[0]


def precedence(effect: ActiveEffect) -> tuple[bool, tuple[int, ...]]:
    """CR 613.3: characteristic-defining abilities come first. CR 613.7: then the earlier timestamp."""
    return (not effect.defines, effect.timestamp)


def precedence_until_2020(effect: ActiveEffect) -> tuple[bool, bool, tuple[int, ...]]:
    """Like `precedence`, but counters have a sublayer of their own, after other changes to power and
    toughness.
    """
    return (not effect.defines, effect.key[0] == "counters", effect.timestamp)


def label(layer: Layer, effect: ActiveEffect) -> str:
    """The name of the layer or sublayer (CR 613.1, 613.2, 613.4: layers and their sublayers)."""
    return layer


def label_until_2020(layer: Layer, effect: ActiveEffect) -> str:
    """Until 2020-04-17, layer 1 had no sublayers, counters were 7d and switching was 7e."""
    if layer in ("1a", "1b"):
        return "1"
    if layer == "7d":
        return "7e"
    return "7d" if layer == "7c" and effect.key[0] == "counters" else layer


def dependencies(waiting: Sequence[ActiveEffect], layer: Layer, moment: Moment) -> Waits:
    """What each of the effects waiting in a layer waits for (CR 613.8, 613.8b: until those have been
    applied).
    """
    return Dependencies(waiting, trial_of(layer, moment))


class Dependencies(dict[ActiveEffect, Mapping[ActiveEffect, DependencyReason]]):
    """What each waiting effect waits for, and why; computed on first access."""

    def __init__(self, waiting: Sequence[ActiveEffect], trial: Trial) -> None:
        self.waiting = waiting
        self.trial = trial
        self.alike: dict[object, list[ActiveEffect]] = {}
        self.mappings: dict[object, Mapping[ActiveEffect, DependencyReason]] = {}
        for effect in waiting:
            self.alike.setdefault(sort_of(effect), []).append(effect)

    def __missing__(self, one: ActiveEffect) -> Mapping[ActiveEffect, DependencyReason]:
        found: dict[object, DependencyReason] = {}
        idle: list[object] = []
        own = sort_of(one)
        self.trial.moment.spend(1 + len(self.alike) // 10)
        for sort, alike in self.alike.items():
            if self.trial.is_idle(sort):
                idle.append(sort)
                continue
            other = alike[0]
            if other is one:
                if len(alike) == 1:
                    continue
                other = alike[1]
            reason = self.reason(one, own, other, sort)
            if reason is not None:
                found[sort] = reason
        for sort in idle:
            del self.alike[sort]
        waits = self[one] = self.found_for(found, one if own in found else None)
        return waits

    def found_for(
        self, reasons: Mapping[object, DependencyReason], but_for: ActiveEffect | None
    ) -> Mapping[ActiveEffect, DependencyReason]:
        """The waiting effects of these sorts but for one; the same mapping for all that wait for the same."""
        key = but_for, tuple(reasons.items())
        if key not in self.mappings:
            found = {
                other: reason
                for sort, reason in reasons.items()
                for other in self.alike[sort]
                if other is not but_for
            }
            self.mappings[key] = {other: found[other] for other in self.waiting if other in found}
        return self.mappings[key]

    def reason(
        self, one: ActiveEffect, own: object, other: ActiveEffect, sort: object
    ) -> DependencyReason | None:
        """Why `one` waits for `other`, if it does; computed once for all pairs that behave alike (`own` and
        `sort` are their keys).
        """
        reasons, pair = self.trial.reasons, (self.trial.sort_of_one(one, own, other), sort)
        if pair not in reasons:
            reasons[pair] = self.trial.moment.rules.reason_to_wait(one, other, self.trial)
        return reasons[pair]


def reason_to_wait(one: ActiveEffect, other: ActiveEffect, trial: Trial) -> DependencyReason | None:
    """CR 613.8a: what about `one` would change if `other` were applied first; `None` if it does not depend on
    it.

    This is its text or existence, what it applies to, or what it does to any of those things. Both must be in
    the same sublayer, and both or neither from characteristic-defining abilities.
    """
    if one.defines != other.defines or not can_touch(other, one, trial.layer):
        return None
    label = trial.moment.rules.label
    if label(trial.layer, one) != label(trial.layer, other):
        return None
    return difference(trial.now(one), trial.after(one, other))


def difference(now: Intent | None, then: Intent | None) -> DependencyReason | None:
    """The first relevant difference between two intents of one effect."""
    if now is None or then is None:
        return None if now is then else "existence"
    if now == then:
        return None
    if now.text != then.text:
        return "text"
    return "set" if now.affected() != then.affected() else "operation"


def trial_of(layer: Layer, moment: Moment) -> Trial:
    """The trials of this moment; earlier ones are reused as long as the view is the same."""
    trial = moment.trial
    if not isinstance(trial, Trial) or trial.layer != layer or trial.view is not moment.view:
        trial = moment.trial = Trial(layer, moment)
    return trial


class Trial:
    """Trial applications of effects at the present moment, each made once for all effects that behave
    alike.
    """

    def __init__(self, layer: Layer, moment: Moment) -> None:
        self.layer = layer
        self.moment = moment
        self.view = moment.view
        self.reasons: dict[tuple[object, object], DependencyReason | None] = {}
        self._now: dict[object, Intent | None] = {}
        self._moments: dict[object, Moment] = {}

    def sort_of_one(self, one: ActiveEffect, own: object, other: ActiveEffect) -> object:
        """A key shared by effects that respond alike when `other` goes first.

        An effect has a key of its own if its ability may be removed, or if it keeps a set that it began with.
        """
        own_way = "abilities" in other.shape.writes[self.layer] or one.key in self.moment.begun
        return one.key if own_way else own

    def is_idle(self, sort: object) -> bool:
        """Whether effects of this sort are known to change nothing at this moment, so that nothing waits for
        them.
        """
        after = self._moments.get(sort)
        return after is not None and after.view is self.view

    def now(self, one: ActiveEffect) -> Intent | None:
        """What `one` would do if it were applied now."""
        sort = one.key if one.key in self.moment.begun else sort_of(one)
        if sort not in self._now:
            self._now[sort] = intent(one, self.layer, self.moment)
        return self._now[sort]

    def after(self, one: ActiveEffect, other: ActiveEffect) -> Intent | None:
        """What `one` would do if `other` were applied first."""
        sort = sort_of(other)
        if sort not in self._moments:
            self._moments[sort] = moment_after(other, self.layer, self.moment)
            new_sets = self.view.parts_of_groups(list(self._moments[sort].view.groups.items()))
            self.moment.spend(new_sets)
        self.moment.spend(PER_EFFECT)
        after = self._moments[sort]
        return self.now(one) if after.view is self.view else intent(one, self.layer, after)


def sort_of(effect: ActiveEffect) -> object:
    """A key shared by effects that do the same to the same objects; otherwise the effect's own key."""
    alike = effect.held is not None and effect.cond is None and not effect.shape.asks_source
    return effect.shape if alike else effect.key


def can_touch(other: ActiveEffect, one: ActiveEffect, layer: Layer) -> bool:
    """Whether an effect writes anything that may determine what another does; if not, no trial is needed."""
    return not other.shape.writes[layer].isdisjoint(one.shape.decided_by[layer])


def moment_after(effect: ActiveEffect, layer: Layer, moment: Moment) -> Moment:
    """The moment as it would be after applying this effect."""
    rules = moment.rules
    deeds = rules.effect_deeds(effect, layer, moment)
    if deeds is None:
        return moment
    return replace(moment, view=rules.carried_out(deeds, moment.view, rules))


class Intent(Struct, frozen=True):
    """What an effect would do if it were applied now: its text, and the objects to which each of its parts
    applies each list of operations.
    """

    text: object
    done_to: Mapping[tuple[int, tuple[DefiniteOperation, ...]], Members]

    def affected(self) -> Mapping[int, frozenset[str]]:
        """The objects that each part applies to."""
        found: dict[int, frozenset[str]] = {}
        for (part, _), members in self.done_to.items():
            found[part] = found.get(part, frozenset()) | members.all
        return found


def intent(effect: ActiveEffect, layer: Layer, moment: Moment) -> Intent | None:
    """What an effect would do if it were applied now; `None` if it does not exist."""
    text = None
    if effect.held is not None and effect.key not in moment.begun:
        held = ability_of(effect, moment.view)
        if held is None:
            return None
        text = held.ability
    deeds = moment.rules.effect_deeds(effect, layer, moment)
    if deeds is None:
        return None
    done_to: dict[tuple[int, tuple[DefiniteOperation, ...]], list[frozenset[str]]] = {}
    for deed in deeds:
        parts = [members for _, members in deed.crowd]
        if parts:
            done_to.setdefault((deed.part, deed.does), []).extend(parts)
    return Intent(text, {done: Members(parts) for done, parts in done_to.items()})


def loop_of(effect: ActiveEffect, waits_for: Waits) -> frozenset[ActiveEffect]:
    """CR 613.8b: the effects in a dependency loop with this one: those that it waits for and that wait for
    it, directly or through others.
    """
    waited_for_by: dict[ActiveEffect, list[ActiveEffect]] = {}
    for other in (reached := _reached(effect, waits_for.__getitem__)):
        for further in waits_for[other]:
            waited_for_by.setdefault(further, []).append(other)
    if effect not in reached:
        return frozenset()
    return reached & _reached(effect, lambda other: waited_for_by.get(other, ()))


def _reached(
    effect: ActiveEffect, next_ones: Callable[[ActiveEffect], Iterable[ActiveEffect]]
) -> frozenset[ActiveEffect]:
    """The effects that can be reached in one or more steps."""
    reached: set[ActiveEffect] = set()
    ahead = list(next_ones(effect))
    while ahead:
        other = ahead.pop()
        if other not in reached:
            reached.add(other)
            ahead.extend(next_ones(other))
    return frozenset(reached)
