"""Why everything looks as it does, as a value: the reference engine's trace, with the rule of each step.

`explain` turns it into text; programs that draw it read it from here. Nothing here is specific to a
card: each step is one that the layers took, and each note follows from what the step did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from conformance.model.engine import CannotPlay
from conformance.model.observation import Snapshot
from conformance.wording import ability_text, keyword_text
from reference_engine.game.account import AccountLine, reach
from reference_engine.language.cards import (
    AddTypes,
    CannotHave,
    Card,
    Costs,
    Effect,
    EntersTapped,
    GainControl,
    It,
    Layer,
    Lose,
    LoseAllAbilities,
    ReplaceWord,
    SetBasicLandTypes,
    Spell,
    Switch,
    The,
    You,
)
from reference_engine.language.characteristics import Characteristics
from reference_engine.language.words import BASIC_LAND_TYPES, COLORS, CounterKind
from reference_engine.layers.board import (
    Board,
    CopyValues,
    FaceDown,
    Lasting,
    SetCopiable,
    SettledOperation,
    Thing,
    TooLarge,
)
from reference_engine.layers.dependency import DependencyReason
from reference_engine.layers.effects import ActiveEffect
from reference_engine.layers.evaluation import (
    Evaluation,
    LayerStep,
    LookChange,
    effects_after_copying,
    evaluate_with_trace,
)
from reference_engine.layers.rules import Rules

LAYER_NAMES: Mapping[Layer, str] = {
    "1a": "copies",
    "1b": "face down",
    "2": "control",
    "3": "text",
    "4": "types",
    "5": "colours",
    "6": "abilities",
    "7a": "defined power and toughness",
    "7b": "set power and toughness",
    "7c": "modified power and toughness",
    "7d": "switched power and toughness",
    "players": "players",
    "rules": "rules of the game",
}
LAYER_RULES: Mapping[Layer, str] = {
    **{"1a": "613.2a", "1b": "613.2b", "2": "613.1b", "3": "613.1c", "4": "613.1d", "5": "613.1e"},
    **{"6": "613.1f", "7a": "613.4a", "7b": "613.4b", "7c": "613.4c", "7d": "613.4d"},
    **{"players": "613.10", "rules": "613.11"},
}
TYPE_LINE = (
    "Kindred",
    "Enchantment",
    "Artifact",
    "Land",
    "Planeswalker",
    "Battle",
    "Creature",
    "Instant",
    "Sorcery",
)
"""Card types in the order of a printed type line."""


class Note(Struct, frozen=True):
    """A statement, and the rules behind it."""

    says: str
    rules: tuple[str, ...] = ()


class Wait(Struct, frozen=True):
    """One effect depends on another; says whether both are in a loop."""

    who: str
    on: str
    reason: DependencyReason
    loop: bool


class ChangedObjects(Struct, frozen=True):
    """Objects that one step changed in the same way, and how."""

    ids: tuple[str, ...]
    before: Characteristics
    after: Characteristics
    notes: tuple[Note, ...]


class AppliedEffect(Struct, frozen=True):
    """An effect that was applied in a layer."""

    effect: str
    source: str
    says: str
    """The text of its ability, if it is first applied here."""
    waiting: tuple[str, ...]
    """All effects that were waiting, oldest first."""
    waits: tuple[Wait, ...]
    """The dependencies found in this step that are new."""
    elsewhere: bool
    """Whether it only defines values of a card outside the battlefield and the stack."""
    applied: bool
    why: tuple[Note, ...]
    """Why this effect was applied next, or why it does nothing."""
    changes: tuple[ChangedObjects, ...]
    unchanged: tuple[str, ...]
    """Permanents that it was applied to without changing them."""


class LeftOut(Struct, frozen=True):
    """An effect that was never applied although an object had its ability, and why not."""

    effect: str
    source: str
    says: str
    why: tuple[Note, ...]


class LayerAccount(Struct, frozen=True):
    """A layer or sublayer: the effects applied in it, in order, and those left out."""

    layer: Layer
    label: str
    name: str
    rule: str
    applied: tuple[AppliedEffect, ...]
    left_out: tuple[LeftOut, ...] = ()


class OnRules(Struct, frozen=True):
    """An effect on the rules of the game, or on costs."""

    effect: str
    source: str
    says: str
    how: Literal["more", "less", "at least"] | None = None
    """What it does to costs, if it affects costs."""


class BegunEffect(Struct, frozen=True):
    """An effect from a resolution that still lasts."""

    source: str
    timestamp: int
    says: str


class Explanation(Struct, frozen=True):
    """The account of the game, the battlefield, what each layer did, and the result."""

    edition: str
    account: tuple[AccountLine, ...]
    board: tuple[Thing, ...]
    """The permanents, oldest first."""
    emblems: tuple[Thing, ...]
    effects: tuple[BegunEffect, ...]
    layers: tuple[LayerAccount, ...]
    on_rules: tuple[OnRules, ...]
    looks: Mapping[str, Characteristics]
    """The characteristics of every object after all layers."""
    end: Snapshot
    """Everything that a look reports."""
    owners: Mapping[str, str]
    created: Mapping[str, str]
    """Names of the tokens and emblems that the script does not name."""
    stopped: str = ""
    """The action at which the play stopped, and why; empty if it did not stop."""
    blocked: frozenset[str] = frozenset()
    """The attackers that are blocked, also those whose blockers are gone (CR 509.1h: they stay blocked)."""


def explanation(
    account: Sequence[AccountLine],
    board: Board,
    rules: Rules,
    end: Snapshot,
    edition: str,
    created: Mapping[str, str],
    stopped: str = "",
    blocked: frozenset[str] = frozenset(),
) -> Explanation:
    """Explain why everything on a board looks as it does, after the account of the game.

    Raises `CannotPlay` if that would take too long.
    """
    seen = traced_evaluation(board, rules)
    names = EffectNames(board, seen)
    things = sorted(board.things.values(), key=lambda thing: thing.timestamp)
    effects = sorted(board.effects, key=lambda effect: effect.timestamp)
    return Explanation(
        edition=edition,
        account=tuple(account),
        board=tuple(thing for thing in things if thing.zone == "battlefield"),
        emblems=tuple(thing for thing in things if thing.zone == "command"),
        effects=tuple(
            BegunEffect(one.source, one.timestamp, lasting_words(one))
            for one in effects
            if any(part.does and part.affects for part in one.parts)
        ),
        layers=tuple(parts(seen, names)),
        on_rules=tuple(on_rules(seen, names)),
        looks={id: seen.look(id) for id in board.things},
        end=end,
        owners={thing.id: thing.owner for thing in board.things.values()},
        created=created,
        stopped=stopped,
        blocked=blocked,
    )


def traced_evaluation(board: Board, rules: Rules) -> Evaluation:
    """How the layers evaluate a board, step by step. Raises `CannotPlay` if that would take too long."""
    try:
        return evaluate_with_trace(board, rules)
    except TooLarge as beyond:
        raise CannotPlay(f"the explanation would take too long: {beyond.what}\n    use fewer") from None


# ------------------------------------------------------------------------------------ the layers


class EffectNames:
    """Names of effects in an explanation: the source, and which of its abilities if it has several."""

    def __init__(self, board: Board, seen: Evaluation) -> None:
        self.board = board
        self.expected = effects_after_copying(board, seen.rules)
        self._of_source: dict[str, list[ActiveEffect]] = {}
        for step in seen.steps:
            for effect in (step.effect, *step.waiting):
                self._note(effect)
        for one in seen.rules_effects:
            self._note(one.effect)
        for effect in self.expected:
            self._note(effect)

    def _note(self, effect: ActiveEffect) -> None:
        known = self._of_source.setdefault(effect.source, [])
        if effect not in known:
            known.append(effect)

    def name(self, effect: ActiveEffect) -> str:
        """A short name for one effect."""
        if effect.key[0] == "counters":
            return f"the {effect.key[2]} counters on {effect.source}"
        if effect.key[0] == "face down":
            return f"{effect.source}, being face down"
        alike = [one for one in self._of_source.get(effect.source, [effect]) if is_of_a_text(one)]
        if len(alike) < 2 or effect not in alike:
            return effect.source
        return f"{effect.source} ({alike.index(effect) + 1})"

    def text(self, effect: ActiveEffect) -> str:
        """The text of the effect's ability, or what an effect from a resolution does."""
        if effect.key[0] == "lasting":
            return next((lasting_words(one) for one in self.board.effects if one.id == effect.key[1]), "")
        if effect.held is None or effect.source not in self.board.things:
            return ""
        if effect.held.slot[0] == "keyword":
            return str(effect.held.slot[1])
        return f"“{ability_text(effect.held.ability, self.board.things[effect.source].card)}”"


def is_of_a_text(effect: ActiveEffect) -> bool:
    """Whether an effect comes from an ability or a resolution, not from counters or a status."""
    return effect.key[0] not in ("counters", "face down")


def parts(seen: Evaluation, names: EffectNames) -> Iterator[LayerAccount]:
    """The layers in which anything happens."""
    missing: dict[Layer, list[LeftOut]] = {}
    for effect, why in effects_left_out(seen, names):
        one = LeftOut(names.name(effect), effect.source, names.text(effect), why)
        missing.setdefault(next(iter(effect.shape.shares)), []).append(one)
    for layer, name in LAYER_NAMES.items():
        steps = [step for step in seen.steps if step.layer == layer]
        if steps or layer in missing:
            labels = sorted({seen.rules.label(layer, step.effect) for step in steps}) or [layer]
            told = tuple(applied_effects(steps, seen, names))
            absent = tuple(missing.get(layer, ()))
            yield LayerAccount(layer, ", ".join(labels), name, LAYER_RULES[layer], told, absent)


def is_elsewhere(effect: ActiveEffect, seen: Evaluation) -> bool:
    """Whether an effect only defines values of a card outside the battlefield and the stack."""
    thing = seen.board.things.get(effect.source)
    return effect.defines and thing is not None and thing.zone not in ("battlefield", "stack")


def applied_effects(
    steps: Sequence[LayerStep],
    seen: Evaluation,
    names: EffectNames,
) -> Iterator[AppliedEffect]:
    """The steps of one layer; each dependency is reported once, when it is found."""
    told: dict[ActiveEffect, Mapping[ActiveEffect, DependencyReason]] = {}
    for number, step in enumerate(steps):
        waits: list[Wait] = []
        for one in sorted(step.waiting, key=seen.rules.precedence):
            if step.waits_for[one] and told.get(one) != step.waits_for[one]:
                told[one] = step.waits_for[one]
                loop = seen.rules.loop_of(one, step.waits_for)
                waits += [
                    Wait(names.name(one), names.name(other), reason, other in loop)
                    for other, reason in step.waits_for[one].items()
                ]
        yield applied_effect(step, steps[:number], tuple(waits), seen, names)


def applied_effect(
    step: LayerStep,
    before: Sequence[LayerStep],
    waits: tuple[Wait, ...],
    seen: Evaluation,
    names: EffectNames,
) -> AppliedEffect:
    """The account of one step, given the earlier steps of the same layer."""
    elsewhere = is_elsewhere(step.effect, seen)
    others = [one for one in step.waiting if elsewhere or not is_elsewhere(one, seen)]
    in_order = sorted(others, key=seen.rules.precedence)
    changes = sorted(step.changes, key=lambda change: min(change.ids))
    changed = frozenset().union(*(change.ids for change in changes))
    unchanged = (id for id in step.reached - changed if seen.board.things[id].zone == "battlefield")
    return AppliedEffect(
        effect=names.name(step.effect),
        source=step.effect.source,
        says=names.text(step.effect) if step.began else "",
        waiting=tuple(names.name(one) for one in in_order) if len(in_order) > 1 else (),
        waits=waits,
        elsewhere=elsewhere,
        applied=step.applied,
        why=tuple(reasons(step, before, seen, names)),
        changes=tuple(
            ChangedObjects(
                tuple(sorted(change.ids)),
                change.before,
                change.after,
                tuple(differences(change, step, seen, names)),
            )
            for change in changes
        ),
        unchanged=tuple(sorted(unchanged)),
    )


def reasons(
    step: LayerStep, before: Sequence[LayerStep], seen: Evaluation, names: EffectNames
) -> Iterator[Note]:
    """Why this effect was applied next, and why it applies at all."""
    effect, precedence = step.effect, seen.rules.precedence
    if not step.applied:
        yield Note("does not begin: its condition does not hold", ("611.3a",))
        return
    others = [other for other in step.waiting if other != effect and not is_elsewhere(other, seen)]
    older = [other for other in others if precedence(other) < precedence(effect)]
    loop = seen.rules.loop_of(effect, step.waits_for)
    waited = effects_waited_for(effect, before, seen)
    awaited = [done.effect for done in before if done.effect in waited]
    if effect.defines and any(not other.defines for other in others):
        yield Note("defines characteristics, so it comes first", ("613.3",))
    elif effect.defines and step.layer != "7a":
        yield Note("defines characteristics", ("604.3",))
    if not step.began:
        gone = "" if step.exists else ", though its ability is gone by now"
        yield Note(f"goes on with the objects it began with{gone}", ("613.6",))
    if awaited:
        listed = " and ".join(names.name(other) for other in dict.fromkeys(awaited))
        yield Note(f"just after {listed}, for which it waited", ("613.8b",))
    elif waited:
        yield Note("depends on nothing any more", ("613.8c",))
    if older:
        yield Note("before older ones that wait", ("613.8b",))
    elif loop:
        yield Note("the oldest in the loop", ("613.8b", "613.7"))
    elif others and not effect.defines:
        free = any(step.waits_for[other] for other in others)
        yield Note("the oldest that is free to go" if free else "the oldest", ("613.7",))
    for operation in operations_of_step(step):
        if isinstance(operation, CopyValues):
            yield Note(
                "takes copiable values alone: no counters, no other effects, no status but being face down",
                ("707.2",),
            )
        elif isinstance(operation, FaceDown):
            yield Note("only what being face down lists counts, and it is copiable", ("708.2",))


def effects_waited_for(
    effect: ActiveEffect, before: Sequence[LayerStep], seen: Evaluation
) -> frozenset[ActiveEffect]:
    """The effects that an effect had to wait for in earlier steps of a layer; none in a loop."""
    return frozenset(
        other
        for step in before
        if effect in step.waits_for
        for other in step.waits_for[effect].keys() - seen.rules.loop_of(effect, step.waits_for)
    )


def operations_of_step(step: LayerStep) -> tuple[SettledOperation, ...]:
    """The operations of an effect in the layer of a step."""
    return tuple(op for share in step.effect.shape.shares[step.layer] for op in share.does)


# ------------------------------------------------------------------------- what is never applied


def effects_left_out(seen: Evaluation, names: EffectNames) -> Iterator[tuple[ActiveEffect, tuple[Note, ...]]]:
    """The effects of static abilities that existed but were never applied, and why not.

    CR 613.6: an effect goes on without its ability only if it has begun.
    """
    done = {step.effect.key for step in seen.steps} | {one.effect.key for one in seen.rules_effects}
    waited = {one.key: one for step in seen.steps for one in step.waiting}
    expected = {one.key: one for one in names.expected if one.shape.shares}
    for key, effect in {**expected, **waited}.items():
        if key in done or is_about_entering(effect):
            continue
        thief = next((step for step in seen.steps if removes_ability_of(step, effect)), None)
        if thief is None:
            continue
        where = f"in layer {seen.rules.label(thief.layer, thief.effect)}"
        took = Note(f"{names.name(thief.effect)} has taken its ability {where}", rules_of_taking(thief))
        if key in waited:
            yield effect, (took, Note("so after the wait nothing of it is left to apply", ("613.8b",)))
        else:
            yield effect, (took, Note("only what has begun goes on without its ability", ("613.6",)))


def is_about_entering(effect: ActiveEffect) -> bool:
    """Whether an effect only changes how its object enters, and so does nothing afterwards."""
    operations = [op for shares in effect.shape.shares.values() for share in shares for op in share.does]
    return all(isinstance(operation, EntersTapped) for operation in operations)


def removes_ability_of(step: LayerStep, effect: ActiveEffect) -> bool:
    """Whether a step removes the ability of an effect from its source."""
    return any(
        effect.source in change.ids and has(change.before, effect) and not has(change.after, effect)
        for change in step.changes
    )


def has(look: Characteristics, effect: ActiveEffect) -> bool:
    """Whether an object with these characteristics has the ability of an effect."""
    if effect.held is None:
        return False
    slot = effect.held.slot
    if slot[0] == "keyword":
        return any(held.keyword == slot[1] for held in look.keywords)
    return any(held.slot == slot for held in look.abilities)


def rules_of_taking(step: LayerStep) -> tuple[str, ...]:
    """The rules by which a step removes abilities."""
    rules: list[str] = []
    for operation in operations_of_step(step):
        match operation:
            case SetBasicLandTypes():
                rules.append("305.7")
            case LoseAllAbilities() | Lose():
                rules.append("613.1f")
            case CannotHave():
                rules.append("113.11")
            case CopyValues():
                rules.append("707.2")
            case _:
                pass
    return tuple(dict.fromkeys(rules))


# ------------------------------------------------------------------------------ what is changed


def differences(change: LookChange, step: LayerStep, seen: Evaluation, names: EffectNames) -> Iterator[Note]:
    """What changed about the objects of a step, and the rules for it."""
    before, after = change.before, change.after
    sets_land_types = any(isinstance(one, SetBasicLandTypes) for one in operations_of_step(step))
    if before.name != after.name:
        yield Note(f"name {before.name or 'none'} → {after.name or 'none'}")
    if before.controller != after.controller:
        yield Note(f"controller {before.controller} → {after.controller}")
    if type_line_of(before) != type_line_of(after):
        yield Note(f"{type_line_of(before)} → {type_line_of(after)}")
    if before.colors != after.colors:
        yield Note(f"{colors_of(before)} → {colors_of(after)}")
    yield from ability_differences(before, after, sets_land_types)
    stays = [*sorted(before.supertypes), *sorted(before.types - {"Land"}, key=TYPE_LINE.index)]
    if sets_land_types and stays:
        yield Note(f"stays {' '.join(stays)}, as only land types are set", ("305.7",))
    if adds_land_types(step) and before.is_a("Land"):
        yield Note("keeps its land types and abilities, as the type is an addition", ("305.7",))
    if after.cannot_have - before.cannot_have:
        yield Note(f"can't have {', '.join(sorted(after.cannot_have - before.cannot_have))}", ("113.11",))
    if size_of(before) != size_of(after):
        valueless = () if has_size(after) else ("208.5",)
        yield Note(
            f"{size_of(before)} → {size_of(after)}", ("208.3",) if size_of(after) == NO_SIZE else valueless
        )
    elif has_size(before) != has_size(after):
        yield Note(f"{size_of(after)}, as it was without a value", ("208.5",))
    yield from notes_of_late_removal(change, step, seen, names)


def ability_differences(
    before: Characteristics, after: Characteristics, sets_land_types: bool
) -> Iterator[Note]:
    """The abilities that an object loses and gains."""
    had, has_now = Counter(abilities_of(before)), Counter(abilities_of(after))
    lost = [*(had - has_now)]
    gained = [f"another {text}" if text in had else text for text in has_now - had]
    if lost:
        yield Note(f"loses {'; '.join(lost)}", ("305.7",) if sets_land_types else ())
    mana = {held.slot for held in after.abilities} - {held.slot for held in before.abilities}
    of_land_types = bool(mana) and all(slot[0] == "land" for slot in mana)
    if gained:
        yield Note(f"gains {'; '.join(gained)}", ("305.6",) if of_land_types else ())


def adds_land_types(step: LayerStep) -> bool:
    """Whether a step gives basic land types in addition to others."""
    return any(
        isinstance(one, AddTypes) and any(word in BASIC_LAND_TYPES for word in one.subtypes)
        for one in operations_of_step(step)
    )


def notes_of_late_removal(
    change: LookChange, step: LayerStep, seen: Evaluation, names: EffectNames
) -> Iterator[Note]:
    """Notes that a step removes the abilities of effects that have already been applied."""
    earlier = [other for other in seen.steps[: seen.steps.index(step)] if other.applied]
    for id in sorted(change.ids):
        for other in dict.fromkeys(one.effect for one in earlier if one.effect.source == id):
            if not (has(change.before, other) and not has(change.after, other)):
                continue
            layers = [seen.rules.label(one.layer, one.effect) for one in earlier if one.effect == other]
            listed = " and ".join(dict.fromkeys(layers))
            says = f"too late to stop what {names.name(other)} did in layer {listed}"
            yield Note(says, ("613.1", "613.6") if other.shape.last != layers[-1] else ("613.1",))


# ------------------------------------------------------------------------------ after all layers


def on_rules(seen: Evaluation, names: EffectNames) -> Iterator[OnRules]:
    """The effects on the rules of the game.

    Those on costs come last, in the order in which a cost is determined.
    """
    told: list[tuple[str, OnRules]] = []
    for one in seen.rules_effects:
        if not one.affects:
            continue  # what it affected is gone
        how = one.operation.how if isinstance(one.operation, Costs) else None
        this = OnRules(names.name(one.effect), one.effect.source, names.text(one.effect), how)
        if this not in (other for _, other in told):
            told.append((how or "", this))
    yield from (this for _, this in sorted(told, key=lambda pair: COST_ORDER.index(pair[0])))


COST_ORDER = ("", "more", "less", "at least")
"""CR 601.2f: increases, then reductions, then what sets the total."""


# ------------------------------------------------------------------------------------ in words


def lasting_words(effect: Lasting) -> str:
    """What an effect from a resolution does, and to what."""
    return "; ".join(
        f"{reach(part)}: {', '.join(operation_words(one, effect.you) for one in part.does)}"
        for part in effect.parts
    )


def operation_words(operation: SettledOperation, you: str) -> str:
    """One operation of a lasting effect, in a few words."""
    match operation:
        case CopyValues(values):
            return f"becomes a copy of {values.name or 'a nameless creature'}"
        case SetCopiable(does):
            return f"except that it {', '.join(operation_words(one, you) for one in does)}"
        case FaceDown():
            return "is a face-down 2/2 creature"
        case ReplaceWord(_, old, new) if old is not None:
            return f"{old} becomes {new}"
        case GainControl(You()):
            return f"{you} controls it"
        case GainControl(The(player)):
            return f"{player} controls it"
        case Switch():
            return "power and toughness are switched"
        case _:
            words = ability_text(Spell(effect=(Effect(It(), (operation,)),)), None).rstrip(".")
            return words.removeprefix("It ").removeprefix("Gain ")


def type_line_of(look: Characteristics) -> str:
    """Supertypes, card types and subtypes, as on a card."""
    front = " ".join([*sorted(look.supertypes), *sorted(look.types, key=TYPE_LINE.index)])
    subtypes = " ".join(sorted(look.shown_subtypes))
    return f"{front} — {subtypes}" if subtypes else front or "no types"


def colors_of(look: Characteristics) -> str:
    """The colours in words."""
    return " and ".join(color for color in COLORS if color in look.colors) or "colourless"


NO_SIZE = "no power or toughness"


def has_size(look: Characteristics) -> bool:
    """Whether the layers have set a power or toughness so far."""
    return look.power is not None or look.toughness is not None


def size_of(look: Characteristics) -> str:
    """Power and toughness so far.

    CR 208.3: creatures have them; CR 208.5: 0 if nothing sets them.
    """
    if look.is_a("Creature") or has_size(look):
        return f"{look.power or 0}/{look.toughness or 0}"
    return NO_SIZE


def abilities_of(look: Characteristics, card: Card | None = None) -> tuple[str, ...]:
    """The abilities: keywords by name, others quoted in the words of this card (or of any card)."""
    keywords = sorted(keyword_text(keyword) for keyword in look.keywords)
    return (*keywords, *(f"“{ability_text(held.ability, card)}”" for held in look.abilities))


def as_card(look: Characteristics) -> Card:
    """The characteristics as a card, for the wording of abilities."""
    abilities = (*look.keywords, *(held.ability for held in look.abilities))
    return Card(name=look.name or "", types=look.types, subtypes=look.shown_subtypes, abilities=abilities)


def counters_in_words(n: int, kind: CounterKind | str) -> str:
    """A number of counters of one kind."""
    return f"{n} {kind} counter{'' if n == 1 else 's'}"


def steps_about(part: LayerAccount, of: str) -> Iterable[AppliedEffect]:
    """The steps of a layer that concern an object: those that change it or come from it."""
    return (
        one for one in part.applied if one.source == of or any(of in change.ids for change in one.changes)
    )
