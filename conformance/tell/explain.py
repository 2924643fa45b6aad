"""What was done and why everything looks as it does, in the words of a judge.

First the account of the game (`reference_engine.game.account`), then the layers' own trace, layer by layer:
who was waiting, who waited for whom and why, who went, what it changed; each with its rule. Only what the
reference engine really did is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from conformance.wording import ability_text, keyword_text
from reference_engine.language.cards import Card, Effect, It, Layer, ReplaceWord, Spell
from reference_engine.language.characteristics import Characteristics
from reference_engine.language.words import COLORS
from reference_engine.layers.board import (
    Board,
    CopyValues,
    Lasting,
    SetCopiable,
    SettledOperation,
    SettledPart,
    Thing,
)
from reference_engine.layers.dependency import Reason
from reference_engine.layers.effects import ActiveEffect
from reference_engine.layers.evaluation import Change, RuleEffect, Seen, Step, traced
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
REASONS: Mapping[Reason, str] = {
    "existence": "would decide whether it exists",
    "text": "would change its text",
    "set": "would change what it applies to",
    "operation": "would change what it does",
}


def explain_play(account: Sequence[str], board: Board, rules: Rules, of: str | None = None) -> str:
    """What was done, as the account tells it, and then how everything (or one object) comes to look as it
    does.
    """
    done = "".join(f"  {line}\n" for line in concerning(account, of))
    return (f"What was done\n{done}\n" if done else "") + explain_board(board, rules, of)


def concerning(account: Sequence[str], of: str | None) -> list[str]:
    """The lines of an account that speak of an object, and with each the lines above and below it that
    belong to it; all of them, if no object is named.
    """
    if of is None:
        return list(account)
    speaks_of_it = re.compile(rf"(?<!\w){re.escape(of)}(?!\w)").search
    kept: set[int] = set()
    spoken: set[int] = set()
    above: list[tuple[int, int]] = []
    for number, line in enumerate(account):
        set_in = -1 if line.startswith("== ") else len(line) - len(line.lstrip(" "))
        above = [(other, index) for other, index in above if other < set_in]
        if speaks_of_it(line):
            spoken.add(number)
        if number in spoken or any(index in spoken for _, index in above):
            kept |= {number, *(index for _, index in above)}
        above.append((set_in, number))
    return [line for number, line in enumerate(account) if number in kept]


def explain_board(board: Board, rules: Rules, of: str | None = None) -> str:
    """How everything on a board (or one object) comes to look as it does."""
    seen = traced(board, rules)
    names = Names(board, seen.steps, seen.rules_effects)
    lines = ["The board, oldest first", *(tuple(_board_lines(board)) or ("  nothing",))]
    for layer in LAYER_NAMES:
        steps = [step for step in seen.steps if step.layer == layer and _concerns(step, of)]
        if steps:
            lines += ["", *_layer_lines(layer, steps, rules, names)]
    lines += _rules_lines(seen, names, of)
    lines += ["", "In the end", *(tuple(_result_lines(seen, of)) or ("  nothing on the battlefield",))]
    return "\n".join(lines) + "\n"


def step_lines(seen: Seen, step: Step) -> list[str]:
    """One step of the layers: which effect went, why it did, and what it changed."""
    names = Names(seen.board, seen.steps, seen.rules_effects)
    where = f"layer {seen.rules.label(step.layer, step.effect)}" if step.layer[0].isdigit() else "then"
    who = f"{names.name(step.effect)}{_why_now(step, seen.rules)}"
    return [
        f"{where} ({LAYER_NAMES[step.layer]}): {who}",
        *(f"  {line.strip()}" for line in _change_lines(step)),
    ]


def _concerns(step: Step, of: str | None) -> bool:
    """Whether a step has to do with an object: it changed it, or comes from it, or was in the way of what
    did.
    """
    return of is None or step.effect.source == of or any(of in change.ids for change in step.changes)


def _board_lines(board: Board) -> Iterator[str]:
    there = [thing for thing in board.things.values() if thing.zone in ("battlefield", "stack")]
    for thing in sorted(there, key=lambda thing: thing.timestamp):
        yield f"  {thing.id}: {_as_it_lies(thing)}"
    for effect in sorted(board.effects, key=lambda effect: effect.timestamp):
        yield f"  an effect of {effect.source}, timestamp {effect.timestamp}: {lasting_words(effect)}"


def lasting_words(effect: Lasting) -> str:
    """What an effect that a resolution began does, and to what."""
    return "; ".join(
        f"{_of_whom(part)}: {', '.join(map(operation_words, part.does))}" for part in effect.parts
    )


def _of_whom(part: SettledPart) -> str:
    return ", ".join(sorted(part.affects)) if isinstance(part.affects, frozenset) else "as its text says"


def operation_words(operation: SettledOperation) -> str:
    """One operation of an effect that has begun, in a few words."""
    match operation:
        case CopyValues(values):
            return f"becomes a copy of {values.name or 'a nameless creature'}"
        case SetCopiable(does):
            return f"except that it {', '.join(map(operation_words, does))}"
        case ReplaceWord(_, old, new) if old is not None:
            return f"{old} becomes {new}"
        case _:
            words = ability_text(Spell(effect=(Effect(It(), (operation,)),)), None).rstrip(".")
            return words.removeprefix("It ").removeprefix("Gain ")


def _as_it_lies(thing: Thing) -> str:
    parts = [f"{thing.card.name}, {thing.controller}'s, timestamp {thing.timestamp}"]
    parts += [f"{pile.n} {pile.kind} counter{'' if pile.n == 1 else 's'}" for pile in thing.counters]
    if thing.face_down:
        parts.append("face down")
    if thing.attached_to is not None:
        parts.append(f"attached to {thing.attached_to}")
    return ", ".join(parts)


class Names:
    """How effects are called in an explanation: by their source, and by which of its abilities if there are
    several.
    """

    def __init__(self, board: Board, steps: Iterable[Step], rules_effects: Iterable[RuleEffect]) -> None:
        self.board = board
        self._of_source: dict[str, list[ActiveEffect]] = {}
        for step in steps:
            for effect in (step.effect, *step.waiting):
                self._note(effect)
        for one in rules_effects:
            self._note(one.effect)

    def _note(self, effect: ActiveEffect) -> None:
        known = self._of_source.setdefault(effect.source, [])
        if effect not in known:
            known.append(effect)

    def name(self, effect: ActiveEffect) -> str:
        """A short name for one effect."""
        if effect.key[0] == "counters":
            return f"the {effect.key[2]} counters on {effect.source}"
        alike = self._of_source.get(effect.source, [effect])
        if len(alike) == 1:
            return effect.source
        return f"{effect.source} ({alike.index(effect) + 1})"

    def text(self, effect: ActiveEffect) -> str:
        """What the effect's ability says, where it comes from one."""
        if effect.held is None or effect.source not in self.board.things:
            return ""
        return ability_text(effect.held.ability, self.board.things[effect.source].card)


def _layer_lines(layer: Layer, steps: Sequence[Step], rules: Rules, names: Names) -> Iterator[str]:
    labels = sorted({rules.label(layer, step.effect) for step in steps})
    where = f"Layer {', '.join(labels)}:" if layer[0].isdigit() else "Then"
    yield f"{where} {LAYER_NAMES[layer]}"
    told: dict[ActiveEffect, Mapping[ActiveEffect, Reason]] = {}
    for number, step in enumerate(steps, 1):
        if len(step.waiting) > 1:
            yield f"  waiting: {', '.join(names.name(e) for e in sorted(step.waiting, key=rules.precedence))}"
            for one in step.waiting:
                if step.waits_for[one] and told.get(one) != step.waits_for[one]:
                    told[one] = step.waits_for[one]
                    yield from _wait_lines(one, step, rules, names)
        yield f"  {number}. {names.name(step.effect)}{_why_now(step, rules)}"
        if step.began and names.text(step.effect):
            yield f"     “{names.text(step.effect)}”"
        yield from _change_lines(step)


def _wait_lines(one: ActiveEffect, step: Step, rules: Rules, names: Names) -> Iterator[str]:
    loop = rules.loop_of(one, step.waits_for)
    for other, reason in step.waits_for[one].items():
        if other in loop:
            yield (
                f"    {names.name(one)} and {names.name(other)} are in a dependency loop: {names.name(other)}"
                f" {REASONS[reason]}; in a loop nobody waits (CR 613.8b)"
            )
        else:
            who = f"{names.name(one)} waits for {names.name(other)}"
            yield f"    {who}, which {REASONS[reason]} (CR 613.8a, 613.8b)"


def _why_now(step: Step, rules: Rules) -> str:
    if not step.applied:
        return " does not begin: its condition does not hold"
    notes = []
    if step.effect.defines:
        notes.append("defines characteristics, so it comes first (CR 613.3, 613.4a)")
    if not step.began:
        notes.append("goes on with the objects it began with (CR 613.6)")
    if not step.exists:
        notes.append("though its ability is gone by now")
    older = [other for other in step.waiting if rules.precedence(other) < rules.precedence(step.effect)]
    if older:
        notes.append("before older ones that wait (CR 613.8)")
    elif len(step.waiting) > 1 and not step.effect.defines:
        notes.append("the oldest that is free to go (CR 613.7)")
    return f": {', '.join(notes)}" if notes else ""


def _change_lines(step: Step) -> Iterator[str]:
    if step.applied and not step.changes:
        yield "     changes nothing"
    for change in sorted(step.changes, key=lambda change: min(change.ids)):
        ids = sorted(change.ids)
        who = ", ".join(ids) if len(ids) <= 6 else f"{', '.join(ids[:5])} and {len(ids) - 5} more"
        yield f"     {who}: {'; '.join(_differences(change))}"


def _differences(change: Change) -> Iterator[str]:
    before, after = change.before, change.after
    if before.name != after.name:
        yield f"name {before.name or 'none'} → {after.name or 'none'}"
    if before.controller != after.controller:
        yield f"controller {before.controller} → {after.controller}"
    if type_line_of(before) != type_line_of(after):
        yield f"{type_line_of(before)} → {type_line_of(after)}"
    if before.colors != after.colors:
        yield f"{colors_of(before)} → {colors_of(after)}"
    lost = [*abilities_of(before)]
    gained = [*abilities_of(after)]
    for text in [t for t in lost if t not in gained]:
        yield f"loses {text}"
    for text in [t for t in gained if t not in lost]:
        yield f"gains {text}"
    if after.cannot_have - before.cannot_have:
        yield f"can't have {', '.join(sorted(after.cannot_have - before.cannot_have))}"
    if (before.power, before.toughness) != (after.power, after.toughness):
        yield f"{size_of(before)} → {size_of(after)}"


def _rules_lines(seen: Seen, names: Names, of: str | None) -> Iterator[str]:
    """Effects on the rules of the game, which come after all objects."""
    told: list[ActiveEffect] = []
    for one in seen.rules_effects:
        if one.effect not in told and of in (None, one.effect.source):
            told.append(one.effect)
    if told:
        yield ""
        yield "Then the rules of the game, by timestamp (CR 613.11)"
    for number, effect in enumerate(told, 1):
        yield f"  {number}. {names.name(effect)}"
        if names.text(effect):
            yield f"     “{names.text(effect)}”"


def _result_lines(seen: Seen, of: str | None) -> Iterator[str]:
    for thing in seen.board.things.values():
        if thing.zone != "battlefield" and thing.id == of:
            where = "on the stack" if thing.zone == "stack" else f"in {thing.owner}'s {thing.zone}"
            yield f"  {thing.id}: {thing.card.name}, {where}"
        if thing.zone != "battlefield" or (of is not None and thing.id != of):
            continue
        look = seen.look(thing.id)
        parts = [look.name or "no name", colors_of(look), type_line_of(look)]
        if seen.power(thing.id) is not None:
            parts.append(f"{seen.power(thing.id)}/{seen.toughness(thing.id)}")
        if look.controller != thing.controller:
            parts.append(f"controlled by {look.controller}")
        parts.append("; ".join(abilities_of(look, _as_card(look))) or "no abilities")
        yield f"  {thing.id}: {', '.join(parts)}"
    for player, given in seen.players.items():
        words = sorted(keyword_text(keyword) for keyword in given.keywords)
        size = seen.rules.maximum_hand_size(seen, player)
        if size != 7:
            words.append("no maximum hand size" if size is None else f"maximum hand size {size}")
        if words and of is None:
            yield f"  {player}: {', '.join(words)}"


def type_line_of(look: Characteristics) -> str:
    """Supertypes, card types and subtypes as on a card."""
    front = " ".join([*sorted(look.supertypes), *sorted(look.types, key=_type_order)])
    subtypes = " ".join(sorted(look.shown_subtypes))
    return f"{front} — {subtypes}" if subtypes else front or "no types"


def _type_order(card_type: str) -> int:
    return TYPE_LINE.index(card_type)


def colors_of(look: Characteristics) -> str:
    """Its colours in words."""
    return " and ".join(color for color in COLORS if color in look.colors) or "colourless"


def size_of(look: Characteristics) -> str:
    """Power and toughness as the layers have them so far."""
    return f"{look.power or 0}/{look.toughness or 0}"


def abilities_of(look: Characteristics, card: Card | None = None) -> tuple[str, ...]:
    """Its abilities, keywords by name and others quoted as they stand on this card, or as anything's."""
    keywords = sorted(keyword_text(keyword) for keyword in look.keywords)
    return (*keywords, *(f"“{ability_text(held.ability, card)}”" for held in look.abilities))


def _as_card(look: Characteristics) -> Card:
    """What it looks like, as a card, for the words in which its abilities speak of it."""
    abilities = (*look.keywords, *(held.ability for held in look.abilities))
    return Card(name=look.name or "", types=look.types, subtypes=look.shown_subtypes, abilities=abilities)
