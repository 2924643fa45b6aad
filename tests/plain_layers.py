"""The simplest possible computation of the layers, to compare with the real one.

No groups, no shortcuts: every object has its own look, every pair of effects is tried against each other, and
everything is determined again after each application.
"""

from __future__ import annotations

from dataclasses import replace

from reference_engine.language.cards import Layer
from reference_engine.language.characteristics import Characteristics, printed_characteristics
from reference_engine.layers.at_work import (
    Moment,
    continues,
    counter_effects,
    lasting_effects,
    static_effects,
)
from reference_engine.layers.board import Board
from reference_engine.layers.dependency import DependencyReason, Trial, difference, intent, moment_after
from reference_engine.layers.effects import ActiveEffect
from reference_engine.layers.evaluation import with_face_down
from reference_engine.layers.rules import CR, Rules
from reference_engine.layers.view import Appearance, Members, View, status


def reason_without_foresight(one: ActiveEffect, other: ActiveEffect, trial: Trial) -> DependencyReason | None:
    """Try every pair, whatever the two read and write, and remember nothing."""
    if one.defines != other.defines:
        return None
    layer, moment = trial.layer, trial.moment
    return difference(intent(one, layer, moment), intent(one, layer, moment_after(other, layer, moment)))


PLAIN: Rules = replace(CR, reason_to_wait=reason_without_foresight)


def plainly(board: Board, rules: Rules = PLAIN) -> dict[str, Characteristics]:
    """How everything on a board looks."""
    looks = {
        thing.id: (printed_characteristics(thing.card, thing.controller), status(thing))
        for thing in board.things.values()
    }
    moment = Moment(board, rules, view_of(looks), {})
    asked: dict[tuple[str | int, ...], ActiveEffect] = {}
    for layer in rules.layers:
        if layer == "1b":
            moment.view = with_face_down(moment.view, rules)
            continue
        applied: set[ActiveEffect] = set()
        while True:
            there = [
                *lasting_effects(board),
                *(effect for thing in board.things.values() for effect in counter_effects(thing)),
            ]
            if layer != "1a":
                there += static_effects(moment)
            gone = [
                effect
                for key, effect in asked.items()
                if key in moment.begun and effect not in there and effect.held and continues(effect)
            ]
            waiting = [
                effect
                for effect in (*there, *gone)
                if layer in effect.shape.shares
                and effect not in applied
                and not refused(effect, moment, asked)
            ]
            if not waiting:
                break
            effect = next(rules.next_effects(waiting, layer, moment))
            applied.add(effect)
            apply(effect, layer, moment)
            asked[effect.key] = effect
    return {id: moment.view.look(id) for id in board.things}


def refused(effect: ActiveEffect, moment: Moment, asked: dict[tuple[str | int, ...], ActiveEffect]) -> bool:
    """Whether the effect's condition was checked before, and failed."""
    return effect.cond is not None and effect.key in asked and effect.key not in moment.begun


def apply(effect: ActiveEffect, layer: Layer, moment: Moment) -> None:
    """Apply one effect in one layer, object by object, and remember its sets of objects."""
    deeds = moment.rules.effect_deeds(effect, layer, moment)
    if deeds is None:
        return
    looks = {id: look for look, members in moment.view.groups.items() for id in members}
    kept = dict(moment.begun.get(effect.key, {}))
    for share in effect.shape.shares[layer]:
        members = [id for deed in deeds if deed.part == share.part for _, ids in deed.crowd for id in ids]
        kept.setdefault(share.part, Members((frozenset(members),)))
    for deed in deeds:
        for id in (id for _, ids in deed.crowd for id in ids):
            seen, its_status = looks[id]
            for operation in deed.does:
                seen = moment.rules.apply_operation(operation, seen)
            looks[id] = (seen, its_status)
    moment.begun[effect.key] = kept
    moment.view = view_of(looks)


def view_of(looks: dict[str, Appearance]) -> View:
    """A new view made from every object's look."""
    groups: dict[Appearance, frozenset[str]] = {}
    for id, look in looks.items():
        groups[look] = groups.get(look, frozenset()) | {id}
    return View(groups)
