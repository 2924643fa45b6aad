"""CR 613: from a board to the characteristics of everything on it.

Read this module first. Every object starts with its card's characteristics; then continuous effects apply,
layer by layer. After each change within a layer, `rules.next_effects` is asked again for the next one,
because each effect can change which others exist, whom they affect, and what they do. `dependency` decides
which effect waits for which, `effects` what one operation does to one object, and `view` stores the looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from reference_engine.language.cards import (
    All,
    Cannot,
    CannotHave,
    HandSize,
    Keyword,
    Layer,
    Lose,
    Selector,
    Would,
)
from reference_engine.language.characteristics import Characteristics
from reference_engine.language.words import KeywordName
from reference_engine.layers.asking import (
    SOURCE,
    Asking,
    amount,
    bonus,
    crowd_of,
    holds,
    is_undefined,
    selection,
)
from reference_engine.layers.at_work import (
    PER_EFFECT,
    Effects,
    Moment,
    ability_of,
    are_plain,
    static_effects,
)
from reference_engine.layers.board import Board, FaceDown, Lasting, SetCopiable, Things
from reference_engine.layers.effects import (
    ActiveEffect,
    Aspect,
    DefiniteOperation,
    Grants,
    LayerShare,
    shape_of_settled,
)
from reference_engine.layers.operations import with_chosen_words, with_current_values
from reference_engine.layers.view import Appearance, Crowd, Members, View, starting_view

if TYPE_CHECKING:
    from reference_engine.layers.dependency import Waits
    from reference_engine.layers.rules import Rules


class Deed(Struct):
    """What one effect does now: the operations, and the objects (or players) they apply to."""

    part: int
    crowd: Crowd
    does: tuple[DefiniteOperation, ...]


class PlayerLook(Struct, frozen=True):
    """What effects give a player: hexproof, protection from red, …"""

    keywords: frozenset[Keyword] = frozenset()
    cannot_have: frozenset[KeywordName] = frozenset()


UNCHANGED = PlayerLook()


class RuleEffect(Struct, frozen=True):
    """An effect on the rules of the game: what it changes, and for whom."""

    operation: DefiniteOperation
    affects: frozenset[str] | Selector
    effect: ActiveEffect
    you: str


class LookChange(Struct, frozen=True):
    """A group of objects whose looks changed alike."""

    ids: frozenset[str]
    before: Characteristics
    after: Characteristics


class LayerStep(Struct, frozen=True):
    """One effect applied in one layer: the other waiting effects, who waited for whom, and what changed."""

    layer: Layer
    effect: ActiveEffect
    waiting: tuple[ActiveEffect, ...]
    waits_for: Waits
    began: bool
    """Whether the effect began here; if not, it keeps the set it began with."""
    exists: bool
    """Whether its ability still existed."""
    applied: bool
    """False if its condition did not hold, so that it never began."""
    changes: tuple[LookChange, ...]
    reached: frozenset[str]
    """The objects that it applied to, changed or not."""


class Evaluation(Struct, frozen=True, eq=False):
    """How everything looks after all layers, with the effects on players and on the rules."""

    board: Board
    rules: Rules
    view: View
    index: Mapping[str, Appearance]
    """Each object's appearance, by its id."""
    players: Mapping[str, PlayerLook]
    rules_effects: tuple[RuleEffect, ...]
    steps: tuple[LayerStep, ...]
    copiable: View | None
    """How everything looks after layer 1 (CR 613.2c: its copiable values); `None` if these rules put another
    layer first.
    """
    lasts: bool
    """Whether everything looks the same as long as the objects and the lasting effects stay."""
    work: int
    """How much work it took, in the time that a plain object takes."""
    affected: dict[int, tuple[RuleEffect, tuple[str, ...]]] = field(default_factory=dict)
    """Whom effects on the rules affect, by the effect's identity, as far as it has been asked."""

    def on(self, board: Board) -> Evaluation:
        """The same looks on a board on which only what no effect asks about is different."""
        return replace(self, board=board, affected={})

    def affected_by_rule(self, effect: RuleEffect) -> tuple[str, ...]:
        """The objects or players that an effect on the rules affects; worked out once."""
        known = self.affected.get(id(effect))
        if known is None:
            known = self.affected[id(effect)] = effect, self.rules.affected_by_rule(effect, self)
        return known[1]

    def look(self, id: str) -> Characteristics:
        return self.index[id][0]

    def power(self, id: str) -> int | None:
        """`None` if the object has no power."""
        look = self.look(id)
        return self.rules.shown_number(look.power, look, self.board.things[id].zone)

    def toughness(self, id: str) -> int | None:
        """`None` if the object has no toughness."""
        look = self.look(id)
        return self.rules.shown_number(look.toughness, look, self.board.things[id].zone)

    def asking(self, this: str, you: str | None = None) -> Asking:
        """A context for questions on behalf of an object."""
        return Asking(self.board, self.view, this, you)

    def asking_of(self, effect: RuleEffect) -> Asking:
        """A context for questions on behalf of an effect on the rules."""
        return replace(asking_for(effect.effect, self.board, self.view), you=effect.you)


# ---------------------------------------------------------------------------------- the layers


def evaluate(board: Board, rules: Rules) -> Evaluation:
    """How everything on a board looks; computed once per board, and mostly once for boards with the same
    objects and lasting effects: few effects ask about the time or the players.
    """
    seen = board.seen
    if seen is None or seen.rules is not rules:
        # What is kept refers to a board that keeps nothing: a circle would wait for the garbage collector.
        apart = replace(board)
        shared = board.things.__dict__
        latest: tuple[tuple[Lasting, ...], Evaluation] | None = shared.get("seen")
        if latest is not None and latest[1].rules is rules and latest[0] == board.effects:
            seen = board.__dict__["seen"] = latest[1].on(apart)
        else:
            seen = board.__dict__["seen"] = evaluate_layers(apart, rules)
            if seen.lasts:
                shared["seen"] = board.effects, seen.on(NOWHERE)
    return seen


NOWHERE = Board((), Things())
"""Stands for any board."""


COPYING: tuple[Layer, ...] = ("1a", "1b")
"""The sublayers of copying, which come before all others."""


def evaluate_layers(board: Board, rules: Rules, record: list[LayerStep] | None = None) -> Evaluation:
    """CR 613.1: start from the actual objects, then apply all continuous effects in a series of layers."""
    view = starting_view(board.things)
    if not board.effects and are_plain(board.things, rules):
        seats = {seat.id: UNCHANGED for seat in board.seats}
        return Evaluation(
            board, rules, view, view.kept_index(), seats, (), (), view, lasts=True, work=len(board.things)
        )
    moment = Moment(board, rules, view, {})
    at_work = Effects(moment)
    copiable: View | None = None
    reached = at_work.layers(moment)
    for layer in rules.layers:
        if layer == "1b":
            before, moment.view = moment.view, with_face_down(moment.view, rules)
            if record is not None:
                record += steps_of_face_down(before, moment)
            copiable = moment.view if rules.layers[:2] == COPYING else None
            if moment.view is not before:
                at_work.forget_abilities()
                reached = at_work.layers(moment)
        elif layer in reached:
            apply_layer(layer, moment, at_work, record)
            reached = at_work.layers(moment)
    players = effects_on_players(moment, at_work)
    on_rules = rules.effects_on_rules(moment, at_work)
    return evaluation_after(moment, players, on_rules, tuple(record or ()), copiable, lasts=at_work.last)


def evaluation_after(
    moment: Moment,
    players: Mapping[str, PlayerLook],
    on_rules: tuple[RuleEffect, ...],
    steps: tuple[LayerStep, ...],
    copiable: View | None,
    lasts: bool,
) -> Evaluation:
    """How everything looks at the end of the layers' work."""
    board, view = moment.board, moment.view
    work = moment.work + len(board.things)
    return Evaluation(
        board,
        moment.rules,
        view,
        view.kept_index(),
        players,
        on_rules,
        steps,
        copiable,
        lasts,
        work,
    )


def copiable_values(board: Board, id: str, rules: Rules) -> Characteristics:
    """CR 613.2c, 707.2: how an object looks after layer 1: printed values, copy effects, being face down."""
    seen = board.seen
    if seen is not None and seen.rules is rules and seen.copiable is not None:
        return seen.copiable.look(id)
    moment = Moment(board, rules, starting_view(board.things), {})
    at_work = Effects(moment)
    apply_layer("1a", moment, at_work)
    return with_face_down(moment.view, rules).look(id)


def with_face_down(view: View, rules: Rules) -> View:
    """CR 613.2b: after copy effects, face-down permanents and spells get the characteristics that the rules
    or effects give them.
    """
    for look, members in view.groups.items():
        if look[1].face_down and look[1].zone != "exile":
            hidden = combined_change((FaceDown(), SetCopiable(look[1].hidden_as)), rules)
            view = view.changed([(look, members)], hidden)
    return view


def steps_of_face_down(before: View, moment: Moment) -> Iterator[LayerStep]:
    """One step for each face-down object, showing how being face down changed it."""
    shape = shape_of_settled(((None, (FaceDown(),)),))
    for thing in moment.board.things.values():
        if thing.face_down and thing.zone != "exile":
            effect = ActiveEffect(("face down", thing.id), thing.id, shape, (thing.timestamp,))
            change = LookChange(frozenset({thing.id}), before.look(thing.id), moment.view.look(thing.id))
            yield LayerStep("1b", effect, (effect,), {effect: {}}, True, True, True, (change,), change.ids)


def effects_after_copying(board: Board, rules: Rules) -> tuple[ActiveEffect, ...]:
    """The effects of the static abilities that exist after layer 1 alone."""
    moment = Moment(board, rules, starting_view(board.things), {})
    apply_layer("1a", moment, Effects(moment))
    moment.view = with_face_down(moment.view, rules)
    return tuple(static_effects(moment))


def evaluate_with_trace(board: Board, rules: Rules) -> Evaluation:
    """Like `evaluate`, but computed anew with every step recorded."""
    return evaluate_layers(board, rules, [])


def apply_layer(
    layer: Layer, moment: Moment, at_work: Effects, record: list[LayerStep] | None = None
) -> None:
    """CR 613.7, 613.8: apply the effects of one layer, oldest first, except where one waits for another.

    CR 613.8c: after each application the order of the rest is determined again.
    """
    applied: set[ActiveEffect] = set()
    done: tuple[ActiveEffect, ...]
    while waiting := at_work.waiting_in(layer, applied, moment):
        # Without a recorder, effects that cannot influence one another need no new order after each.
        at_once = record is None and (len(waiting) == 1 or independent(waiting, layer))
        if record is not None:
            effect = next(moment.rules.next_effects(waiting, layer, moment))
            record.append(step_of(effect, layer, moment, waiting, record[-1] if record else None))
            done = (effect,)
        elif at_once:
            done = tuple(sorted(waiting, key=moment.rules.precedence))
            for effect in done:
                apply_effect(effect, layer, moment)
        else:
            done = tuple(applied_until_a_look_changes(waiting, layer, moment))
        for effect in done:
            at_work.note(effect, layer)
        if at_once and at_work.are_unchanged:
            break
        applied.update(done)


def applied_until_a_look_changes(
    waiting: list[ActiveEffect], layer: Layer, moment: Moment
) -> Iterator[ActiveEffect]:
    """Apply the next effects, up to the first that changes how something looks.

    An effect that changes nothing leaves the order of the rest as it is, so the order is determined once for
    all of these. No effect waits for them, since an effect waits only for one that would change it
    (CR 613.8a).
    """
    for effect in moment.rules.next_effects(waiting, layer, moment):
        before = moment.view
        apply_effect(effect, layer, moment)
        yield effect
        if moment.view is not before:
            return


GAINED: frozenset[Aspect] = frozenset({"gained"})


def independent(waiting: list[ActiveEffect], layer: Layer) -> bool:
    """Whether no waiting effect can change what another is, affects or does, nor which others exist."""
    shapes = {effect.shape for effect in waiting}
    written = frozenset().union(*(shape.writes[layer] for shape in shapes))
    # CR 613.1a: copy effects come before all static abilities, so abilities that they bring wait for nothing.
    others = frozenset[Aspect]() if layer == "1a" else GAINED
    return written.isdisjoint(others.union(*(shape.decided_by[layer] for shape in shapes)))


def apply_effect(effect: ActiveEffect, layer: Layer, moment: Moment) -> tuple[Deed, ...] | None:
    """Apply the part of one effect that works in this layer; return what it does, or `None` if it does not
    begin.

    CR 613.6: an effect keeps affecting the objects it applied to in its first layer.
    """
    before = moment.view
    moment.spend(PER_EFFECT + len(before.groups) // 50)
    deeds = moment.rules.effect_deeds(effect, layer, moment)
    if deeds is not None:
        moment.view = moment.rules.carried_out(deeds, before, moment.rules)
        keep_sets(effect, layer, deeds, moment)
        if effect.shape.last != layer:
            moment.spend(sum(map(before.parts_of_groups, (deed.crowd for deed in deeds))))
    return deeds


def step_of(
    effect: ActiveEffect,
    layer: Layer,
    moment: Moment,
    waiting: list[ActiveEffect],
    previous: LayerStep | None,
) -> LayerStep:
    """Apply an effect, and return a record of it."""
    waits_for = waits_left(previous, waiting, layer)
    if waits_for is None:
        found = moment.rules.dependencies(waiting, layer, moment)
        waits_for = {one: found[one] for one in waiting}
    began = effect.key not in moment.begun
    exists = effect.held is None or ability_of(effect, moment.view) is not None
    before = moment.view
    deeds = apply_effect(effect, layer, moment)
    changes = tuple(differences(before, moment.view, deeds or ()))
    reached = frozenset().union(*(ids for deed in deeds or () for _, ids in deed.crowd))
    return LayerStep(
        layer, effect, tuple(waiting), waits_for, began, exists, deeds is not None, changes, reached
    )


def waits_left(previous: LayerStep | None, waiting: list[ActiveEffect], layer: Layer) -> Waits | None:
    """What each effect still waits for after a step that changed nothing; None if it has to be found anew."""
    if previous is None or previous.layer != layer or previous.changes:
        return None
    gone = previous.effect
    if [one for one in previous.waiting if one is not gone] != waiting:
        return None
    return {
        one: {other: reason for other, reason in waits.items() if other is not gone} if waits else waits
        for one, waits in previous.waits_for.items()
        if one is not gone
    }


def asking_for(effect: ActiveEffect, board: Board, view: View) -> Asking:
    """A context for questions on behalf of an effect."""
    return Asking(
        board,
        view,
        source_there(effect, board),
        effect.you,
        names=dict(effect.names),
        x=effect.x,
        that_much=effect.that_much,
        slot=() if effect.held is None else effect.held.slot,
        link=effect.link,
        origins=() if effect.born is None else ((SOURCE, effect.source, effect.born[0]), *effect.origins),
    )


def source_there(effect: ActiveEffect, board: Board) -> str:
    """The source of an effect; no object if its card has become another one since (CR 400.7)."""
    thing = board.things.get(effect.source)
    is_another = thing is not None and effect.born is not None and thing.born not in effect.born
    return "" if is_another else effect.source


def effect_deeds(effect: ActiveEffect, layer: Layer, moment: Moment) -> tuple[Deed, ...] | None:
    """What an effect would do now in this layer; `None` if its condition keeps it from beginning.

    CR 604.2: a static ability's effect is active only while the ability says so. CR 613.6: the condition of
    an effect that began in an earlier layer is not checked again.
    """
    asking = asking_for(effect, moment.board, moment.view)
    if effect.key not in moment.begun and effect.cond is not None and not holds(effect.cond, asking):
        return None
    deeds: list[Deed] = []
    for share in effect.shape.shares[layer]:
        crowd = moment.rules.affected(share, settled_set(effect, share, moment), asking)
        if not share.asks_it:
            deeds.append(Deed(share.part, crowd, current_operations(share, effect, asking)))
            continue
        for look, members in crowd:
            for some in [frozenset({id}) for id in members] if share.asks_each else [members]:
                does = current_operations(share, effect, asking.about(min(some)))
                deeds.append(Deed(share.part, [(look, some)], does))
    return tuple(deeds)


def current_operations(
    share: LayerShare, effect: ActiveEffect, asking: Asking
) -> tuple[DefiniteOperation, ...]:
    """What an effect does now to some of the objects that it applies to."""
    return tuple(
        [
            with_current_values(operation, effect, asking, before)
            for operation, before in zip(share.does, share.granted_before, strict=True)
        ]
    )


def settled_set(effect: ActiveEffect, share: LayerShare, moment: Moment) -> Members | None:
    """The objects already fixed for this part of an effect, or `None`.

    CR 611.2c: fixed at a resolution. CR 613.6: fixed in an earlier layer.
    """
    if effect.sets:
        fixed = effect.sets[share.part]
        return None if fixed is None else Members((fixed,))
    return moment.begun.get(effect.key, {}).get(share.part)


def affected(share: LayerShare, settled: Members | None, asking: Asking) -> Crowd:
    """Whom an effect affects now: its fixed set, or everything that its selector means at this moment.

    CR 611.2c: that of a spell or ability that has resolved was fixed as the effect began. CR 611.3a: a static
    ability's effect isn't locked in before it begins.
    """
    if settled is not None:
        return asking.view.crowd_of(settled)
    if isinstance(share.affects, All):
        return crowd_of(share.affects, asking)
    assert share.affects is not None
    return asking.view.crowd(frozenset(selection(share.affects, asking)))


def carried_out(deeds: tuple[Deed, ...], view: View, rules: Rules) -> View:
    for deed in deeds:
        crowd = deed.crowd if len(deeds) == 1 else _as_they_are_now(deed.crowd, view)
        view = view.changed(crowd, combined_change(deed.does, rules))
    return view


def combined_change(
    operations: tuple[DefiniteOperation, ...], rules: Rules
) -> Callable[[Characteristics], Characteristics]:
    """A function that applies these operations in order to a look."""

    def after_all(look: Characteristics) -> Characteristics:
        for operation in operations:
            look = rules.apply_operation(operation, look)
        return look

    return after_all


def _as_they_are_now(crowd: Crowd, view: View) -> Crowd:
    return view.crowd(frozenset().union(*(members for _, members in crowd)))


def keep_sets(effect: ActiveEffect, layer: Layer, deeds: tuple[Deed, ...], moment: Moment) -> None:
    """Record that an effect has begun, and its sets for the layers still to come (CR 613.6: the same set in
    each).
    """
    kept = moment.begun.setdefault(effect.key, {})
    if effect.shape.last == layer:
        return
    for share in effect.shape.shares[layer]:
        crowds = (deed.crowd for deed in deeds if deed.part == share.part)
        kept.setdefault(share.part, Members(members for crowd in crowds for _, members in crowd))


def differences(before: View, after: View, deeds: tuple[Deed, ...]) -> Iterator[LookChange]:
    """What the deeds changed, grouped by objects that changed alike."""
    touched = frozenset().union(*(members for deed in deeds for _, members in deed.crowd))
    seen: dict[tuple[Characteristics, Characteristics], set[str]] = {}
    for look, members in before.crowd(touched):
        for new, some in after.crowd(members):
            if new[0] != look[0]:
                seen.setdefault((look[0], new[0]), set()).update(some)
    for (old, new_look), ids in seen.items():
        yield LookChange(frozenset(ids), old, new_look)


# ------------------------------------------------------------------- after all the objects


def effects_on_players(moment: Moment, at_work: Effects) -> Mapping[str, PlayerLook]:
    """CR 613.10: effects that give players abilities apply by timestamp, after all objects are done."""
    looks = {seat.id: UNCHANGED for seat in moment.board.seats}
    if "players" not in at_work.layers(moment):
        return looks
    for effect, share, affects, asking in _after_objects("players", moment, at_work):
        ids = affects if isinstance(affects, frozenset) else selection(affects, asking)
        for id in looks.keys() & ids:
            for operation in current_operations(share, effect, asking):
                looks[id] = _player_after(looks[id], operation)
    return looks


def _player_after(look: PlayerLook, operation: DefiniteOperation) -> PlayerLook:
    match operation:
        case Grants(keywords):
            allowed = frozenset(k for k in keywords if k.keyword not in look.cannot_have)
            return PlayerLook(look.keywords | allowed, look.cannot_have)
        case Lose(keywords):
            kept = frozenset(held for held in look.keywords if held.keyword not in keywords)
            return PlayerLook(kept, look.cannot_have)
        case _:
            assert isinstance(operation, CannotHave)
            lost = operation.keywords
            kept = frozenset(held for held in look.keywords if held.keyword not in lost)
            return PlayerLook(kept, look.cannot_have | lost)


def effects_on_rules(moment: Moment, at_work: Effects) -> tuple[RuleEffect, ...]:
    """CR 613.11: effects on the rules of the game come last, by timestamp. Effects on costs are ordered where
    the cost is determined. CR 607.2d: a prohibition knows what was chosen for its source; CR 607.5a: what
    refers to an undefined choice does nothing. (Inside a replacement, the choice may be one that it offers.)
    """
    if "rules" not in at_work.layers(moment):
        return ()
    return tuple(
        RuleEffect(
            with_chosen_words(operation, asking) if isinstance(operation, Cannot) else operation,
            affects,
            effect,
            asking.your_id(),
        )
        for effect, share, affects, asking in _after_objects("rules", moment, at_work)
        for operation in share.does
        if isinstance(operation, Would) or not is_undefined(operation, asking)
    )


def _after_objects(
    layer: Layer, moment: Moment, at_work: Effects
) -> Iterator[tuple[ActiveEffect, LayerShare, frozenset[str] | Selector, Asking]]:
    """The effect parts that apply after the objects, by timestamp, and whom each affects."""
    waiting = at_work.waiting_in(layer, set(), moment)
    for effect in sorted(waiting, key=moment.rules.precedence):
        asking = asking_for(effect, moment.board, moment.view)
        if effect.cond is None or effect.key in moment.begun or holds(effect.cond, asking):
            for share in effect.shape.shares[layer]:
                settled = settled_set(effect, share, moment)
                affects = share.affects if settled is None else settled.all
                assert affects is not None
                yield effect, share, affects, asking


USUAL_HAND_SIZE = 7
"""CR 402.2: the maximum hand size of a player whom no effect changes."""


def maximum_hand_size(seen: Evaluation, player: str) -> int | None:
    """CR 613.11: the usual size (CR 402.2: seven), changed by effects in timestamp order; `None` if there is
    no maximum.

    CR 107.1b: a negative size becomes 0.
    """
    size = changed_hand_size(seen, player)
    return None if size is None else max(size, 0)


def changed_hand_size(seen: Evaluation, player: str) -> int | None:
    """The maximum hand size before negative values become 0."""
    size: int | None = USUAL_HAND_SIZE
    for effect in seen.rules_effects:
        operation = effect.operation
        if not isinstance(operation, HandSize) or player not in seen.affected_by_rule(effect):
            continue
        asking = seen.asking_of(effect).about(player)
        match operation.how:
            case "set":
                size = amount(operation.n, asking)
            case "plus":
                size = None if size is None else size + bonus(operation.n, asking)
            case "none":
                size = None
    return size


def affected_by_rule(effect: RuleEffect, seen: Evaluation) -> tuple[str, ...]:
    """The objects or players that an effect on the rules affects now.

    CR 613.11: as all objects look after the layers.
    """
    if isinstance(effect.affects, frozenset):
        # CR 702.26b: an effect finds nothing that is phased out.
        away = frozenset(one.thing.id for one in seen.board.phased_out)
        return tuple(sorted(effect.affects - away))
    return selection(effect.affects, asking_for(effect.effect, seen.board, seen.view))
