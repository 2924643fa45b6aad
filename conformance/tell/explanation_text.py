"""Explains what happened and why everything looks as it does, as a judge would.

First comes the account of the game (`reference_engine.game.account`), then the trace of the layers, one by
one: which effects were waiting, which waited for which and why, which was applied, what it changed, what was
left out, each with its rule. At the end comes everything that a look reports. The explanation is a value
(`explanation`); this module turns it into text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import UnsetType
from msgspec.structs import replace

from conformance.data.rulebook import newest_edition, number_in
from conformance.model.observation import SeenObject, SeenPlayer
from conformance.model.problems import Problem, arrival_at
from conformance.model.scenario import Play
from conformance.tell.explanation import (
    LAYER_NAMES,
    AppliedEffect,
    EffectNames,
    Explanation,
    LayerAccount,
    LeftOut,
    Note,
    Wait,
    abilities_of,
    applied_effect,
    as_card,
    colors_of,
    counters_in_words,
    steps_about,
    type_line_of,
)
from conformance.wording import ability_text
from reference_engine.game.account import AccountLine, namer
from reference_engine.game.events import AllPassed, GotPriority, Passed, StepBegan
from reference_engine.layers.board import Thing
from reference_engine.layers.dependency import DependencyReason
from reference_engine.layers.evaluation import USUAL_HAND_SIZE, Evaluation, LayerStep

REASONS: Mapping[DependencyReason, str] = {
    "existence": "would decide whether it exists",
    "text": "would change its text",
    "set": "would change what it applies to",
    "operation": "would change what it does",
}


def explain(told: Explanation, of: str | None = None) -> str:
    """An explanation as text: what happened, and why everything (or one object) looks as it does."""
    spoken = of if of is None else told.created.get(of, of)
    blocks = [
        ["What was done", *(f"  {line}" for line in lines_about(fold_passes(told.account), spoken))],
        ["The board, oldest first", *(_board_lines(told) or ["  nothing"])],
        *(list(_part_lines(part, of)) for part in told.layers),
        list(_rules_lines(told, of)),
        list(_costs_lines(told, of)),
        ["In the end", *(list(_end_lines(told, of)) or ["  nothing"])],
    ]
    if not told.account:
        del blocks[0]
    elif told.stopped:
        blocks[0].append(f"  the play stops here: {told.stopped}")
    text = "\n\n".join("\n".join(block) for block in blocks if block) + "\n"
    return in_edition(namer(told.created)(text), told.edition)


CITATIONS_IN_TEXT = re.compile(r"\bCR \d{3}\.\d+[a-z]*(?:(?:, | and )\d{3}\.\d+[a-z]*)*")


def in_edition(text: str, edition: str) -> str:
    """The text with rule numbers of an edition.

    A rule that did not exist yet keeps today's number, with a note.
    """
    if edition >= newest_edition():
        return text

    def number(found: re.Match[str]) -> str:
        return number_in(found[0], edition) or f"{found[0]} of {newest_edition()}"

    return CITATIONS_IN_TEXT.sub(lambda found: re.sub(r"\d{3}\.\d+[a-z]*", number, found[0]), text)


def entries_named(problems: Sequence[Problem], play: Play, file: str) -> list[Problem]:
    """Problems of a setup that show in play, with the names of entering objects in place of numbers."""
    named: list[Problem] = []
    for problem in problems:
        number = arrival_at(problem.where)
        entries = () if number is None else play.setup[number].entries
        where = f"setup, {' and '.join(entry.id for entry in entries)}" if entries else problem.where
        named.append(replace(problem, path=file, where=where))
    return named


def step_lines(seen: Evaluation, step: LayerStep) -> list[str]:
    """One step of the layers: the effect, why it was applied, and what it changed."""
    names = EffectNames(seen.board, seen)
    before = [one for one in seen.steps[: seen.steps.index(step)] if one.layer == step.layer]
    told = applied_effect(step, before, (), seen, names)
    where = f"layer {seen.rules.label(step.layer, step.effect)}" if step.layer[0].isdigit() else "then"
    return [
        f"{where} ({LAYER_NAMES[step.layer]}): {told.effect}{_why(told)}",
        *(f"  {line.strip()}" for line in _change_lines(told)),
    ]


# ------------------------------------------------------------------------------- what was done


def fold_passes(account: Sequence[AccountLine]) -> tuple[AccountLine, ...]:
    """An account without passes in which nobody acts.

    A round of passes becomes one line, and so does a step in which nothing else happens.
    """
    rounds = list(_with_rounds_folded(account))
    kept: list[AccountLine] = []
    for line in rounds:
        if (
            kept
            and isinstance(line.event, AllPassed)
            and line.event.empty_stack
            and isinstance(kept[-1].event, StepBegan)
        ):
            heading = kept.pop().text.removesuffix(" ==")
            kept.append(AccountLine(0, f"{heading}: everyone passes ==", line.event))
        else:
            kept.append(line)
    return tuple(kept)


def _with_rounds_folded(account: Sequence[AccountLine]) -> Iterator[AccountLine]:
    number = 0
    while number < len(account):
        line = account[number]
        end = _end_of_round(account, number)
        if end is not None:
            yield replace(account[end], text=account[end].text.replace("all have passed", "everyone passes"))
            number = end
        elif not (isinstance(line.event, GotPriority) and _passes_quietly(account, number + 1)):
            yield line
        number += 1


def _end_of_round(account: Sequence[AccountLine], start: int) -> int | None:
    """The last line of a round of passes in which nobody acts or has floating mana; None if it is not one."""
    passes = 0
    for number in range(start, len(account)):
        if isinstance(account[number].event, AllPassed):
            return number if passes else None
        if _passes_quietly(account, number):
            passes += 1
        elif not isinstance(account[number].event, GotPriority):
            return None
    return None


def _passes_quietly(account: Sequence[AccountLine], number: int) -> bool:
    event = account[number].event if number < len(account) else None
    return isinstance(event, Passed) and not event.floating


def lines_about(account: Sequence[AccountLine], of: str | None) -> list[str]:
    """The lines of an account that mention an object, each with the lines that belong to it.

    All lines, if no object is named.
    """
    if of is None:
        return [str(line) for line in account]
    speaks_of_it = re.compile(rf"(?<!\w){re.escape(of)}(?!\w)").search
    kept: set[int] = set()
    spoken: set[int] = set()
    above: list[tuple[int, int]] = []
    for number, line in enumerate(account):
        set_in = -1 if line.text.startswith("== ") else line.depth
        above = [(other, index) for other, index in above if other < set_in]
        if speaks_of_it(line.text):
            spoken.add(number)
        if number in spoken or any(index in spoken for _, index in above):
            kept |= {number, *(index for _, index in above)}
        above.append((set_in, number))
    return [str(line) for number, line in enumerate(account) if number in kept]


# -------------------------------------------------------------------------------- the layers


def _board_lines(told: Explanation) -> list[str]:
    return [
        *(f"  {thing.id}: {_as_it_lies(thing)}" for thing in told.board),
        *(f"  {one.id}, timestamp {one.timestamp}: {_texts(one)}" for one in told.emblems),
        *(f"  an effect of {one.source}, timestamp {one.timestamp}: {one.says}" for one in told.effects),
    ]


def _texts(emblem: Thing) -> str:
    """What an emblem says."""
    return "; ".join(f"“{ability_text(ability, emblem.card)}”" for ability in emblem.card.abilities)


def _as_it_lies(thing: Thing) -> str:
    parts = [f"{thing.card.name}, {thing.controller}'s, timestamp {thing.timestamp}"]
    parts += [counters_in_words(pile.n, pile.kind) for pile in thing.counters]
    if thing.face_down:
        parts.append("face down")
    chosen = thing.chosen
    words = (chosen.color, chosen.type, chosen.name, chosen.number, chosen.player)
    parts += [f"chosen: {', '.join(str(word) for word in words if word is not None)}"] if any(words) else []
    if thing.attached_to is not None:
        parts.append(f"attached to {thing.attached_to}")
    return ", ".join(parts)


def _noted(note: Note) -> str:
    """A note, followed by its rules."""
    return f"{note.says} (CR {', '.join(note.rules)})" if note.rules else note.says


def _part_lines(part: LayerAccount, of: str | None) -> Iterator[str]:
    steps = (
        tuple(one for one in part.applied if not one.elsewhere)
        if of is None
        else tuple(steps_about(part, of))
    )
    absent = [one for one in part.left_out if of in (None, one.source)]
    if not steps and not absent:
        return
    where = f"Layer {part.label}:" if part.layer[0].isdigit() else "Then"
    yield f"{where} {part.name} (CR {part.rule})"
    for number, step in enumerate(steps, 1):
        if step.waiting:
            yield f"  waiting: {', '.join(step.waiting)}"
            yield from _wait_lines(step.waits)
        yield f"  {number}. {step.effect}{_why(step)}"
        if step.says:
            yield f"     {step.says}"
        yield from _change_lines(step)
    yield from (line for one in absent for line in _left_out_lines(one))


def _wait_lines(waits: Sequence[Wait]) -> Iterator[str]:
    for wait in waits:
        if not wait.loop:
            reason = REASONS[wait.reason]
            yield f"    {wait.who} waits for {wait.on}, which {reason} (CR 613.8a, 613.8b)"
    looped = [wait for wait in waits if wait.loop]
    for wait in looped:
        yield f"    {wait.who} depends on {wait.on}, which {REASONS[wait.reason]} (CR 613.8a)"
    if looped:
        yield "    that is a loop, in which nobody waits: the oldest goes first (CR 613.8b)"


def _why(step: AppliedEffect) -> str:
    notes = "; ".join(map(_noted, step.why))
    if not step.applied:
        return f" {notes}"
    return f": {notes}" if notes else ""


def _left_out_lines(one: LeftOut) -> Iterator[str]:
    yield f"  {one.effect} is not applied: {'; '.join(map(_noted, one.why))}"
    if one.says:
        yield f"     {one.says}"


def _change_lines(step: AppliedEffect) -> Iterator[str]:
    if step.applied and not step.changes:
        about = (
            f" about {_listed(step.unchanged)}" if step.unchanged else ": there is nothing that it applies to"
        )
        yield f"     changes nothing{about}"
    for change in step.changes:
        if not change.notes:  # what has changed is nothing that a look reports
            continue
        yield f"     {_listed(change.ids)}: {'; '.join(map(_noted, change.notes))}"


def _listed(ids: Sequence[str]) -> str:
    """A list of objects, cut to a readable length."""
    return ", ".join(ids) if len(ids) <= 6 else f"{', '.join(ids[:5])} and {len(ids) - 5} more"


def _rules_lines(told: Explanation, of: str | None) -> Iterator[str]:
    """Effects on the rules of the game, which come after all objects."""
    found = [one for one in told.on_rules if one.how is None and of in (None, one.source)]
    if found:
        yield "Then the rules of the game, by timestamp (CR 613.11)"
    for number, one in enumerate(found, 1):
        yield f"  {number}. {one.effect}"
        if one.says:
            yield f"     {one.says}"


def _costs_lines(told: Explanation, of: str | None) -> Iterator[str]:
    """Effects on costs, in the order in which a cost is determined."""
    found = [one for one in told.on_rules if one.how is not None and of in (None, one.source)]
    if found:
        yield "Costs, not by timestamp but as each is worked out (CR 613.11, 601.2f)"
        yield "  the mana cost or what is paid in its place, and additional costs; then"
    for number, one in enumerate(found, 1):
        assert one.how is not None
        yield f"  {number}. {one.effect}: {HOW_COST[one.how]}"
        if one.says:
            yield f"     {one.says}"


HOW_COST = {
    "more": "increases are added",
    "less": "reductions are taken off, in the order that the player chooses",
    "at least": "what the total is at least comes last",
}

# ------------------------------------------------------------------------------------ the end


_T = TypeVar("_T")


def _given(value: _T | UnsetType, otherwise: _T) -> _T:
    """The reported value, or a default."""
    return otherwise if isinstance(value, UnsetType) else value


def _end_lines(told: Explanation, of: str | None) -> Iterator[str]:
    """Everything that a look reports: turn, players, stack and battlefield."""
    objects = told.end.objects
    if of is not None:
        yield from (f"  {id}: {_object_words(id, objects[id], told)}" for id in (of,) if id in objects)
        return
    if told.account:
        yield f"  {_table_words(told)}"
    yield from (f"  {player}: {_player_words(seat)}" for player, seat in told.end.players.items())
    stack = [name for name in reversed(_given(told.end.table.stack, ())) if name in objects]
    others = [id for id, seen in objects.items() if seen.zone == "battlefield"]
    yield from (f"  {id}: {_object_words(id, objects[id], told)}" for id in (*stack, *others))


def _table_words(told: Explanation) -> str:
    table = told.end.table
    if table.over:
        return "the game is over"
    step = f"turn of {table.active}, {table.step}"
    if _given(table.deciding, None):
        return f"{step}: {table.deciding} is to decide"
    return f"{step}: {table.priority or 'nobody'} has priority"


DESIGNATIONS_IN_WORDS = {"city's blessing": "has the city's blessing", "monarch": "is the monarch"}


def _player_words(seat: SeenPlayer) -> str:
    hand, graveyard = sorted(_given(seat.hand, frozenset())), _given(seat.graveyard, ())
    parts = [f"{seat.life} life", f"hand: {_cards(hand)}"]
    parts += [f"graveyard, top first: {_cards(graveyard)}"] if graveyard else []
    exile = sorted(_given(seat.exile, frozenset()))
    parts += [f"exile: {_cards(exile)}"] if exile else []
    size = _given(seat.library_size, 0)
    parts += [f"library: {size} card{'s'[: size - 1]}"] if size else []
    parts += [counters_in_words(pile.n, pile.kind) for pile in _given(seat.counters, ())]
    parts += [f"{seat.pool} floating"] if _given(seat.pool, "") else []
    parts += sorted(_given(seat.keywords, frozenset()))
    parts += [DESIGNATIONS_IN_WORDS[one] for one in sorted(_given(seat.designations, frozenset()))]
    maximum = _given(seat.hand_size, USUAL_HAND_SIZE)
    if maximum != USUAL_HAND_SIZE:
        parts.append("no maximum hand size" if maximum is None else f"maximum hand size {maximum}")
    parts += ["has lost the game"] if seat.lost is True else []
    return "; ".join(parts)


def _cards(ids: Sequence[str]) -> str:
    """The number of cards, with their names."""
    if not ids:
        return "no cards"
    return f"{len(ids)} card{'s'[: len(ids) - 1]} ({', '.join(ids)})"


def _object_words(id: str, seen: SeenObject, told: Explanation) -> str:
    name = seen.name or "no name"
    if seen.zone == "stack":
        return f"{name if seen.kind == 'spell' else seen.kind}, on the stack{_on_stack(seen)}"
    look = told.looks[id]
    if seen.zone != "battlefield":
        where = "in exile" if seen.zone == "exile" else f"in {seen.owner}'s {seen.zone}"
        size = f", {seen.power}/{seen.toughness}" if seen.power is not None else ""
        return f"{name}, {where}, {colors_of(look)}, {type_line_of(look)}{size}"
    parts = [name, colors_of(look), type_line_of(look)]
    if seen.power is not None:
        parts.append(f"{seen.power}/{seen.toughness}")
    parts += [f"loyalty {seen.loyalty}"] if seen.loyalty is not None else []
    parts += [f"{seen.damage} damage"] if seen.damage else []
    parts += [counters_in_words(pile.n, pile.kind) for pile in _given(seen.counters, ())]
    parts += [word for word, so in (("tapped", seen.tapped), ("face down", seen.face_down)) if so is True]
    parts += [f"attached to {seen.attached_to}"] if seen.attached_to is not None else []
    parts += [f"attacking {seen.attacking}"] if seen.attacking is not None else []
    parts += [f"blocking {', '.join(blocked)}" for blocked in (_given(seen.blocking, ()),) if blocked]
    parts += [f"controlled by {seen.controller}"] if seen.controller != seen.owner else []
    parts.append("; ".join(abilities_of(look, as_card(look))) or "no abilities")
    return ", ".join(parts)


def _on_stack(seen: SeenObject) -> str:
    """The controller, source and targets of something on the stack."""
    parts = [f", {seen.controller}'s"]
    if seen.kind in ("activated", "triggered") and seen.source is not None:  # the monarch's have none
        parts.append(f", of {seen.source}")
    targets = _given(seen.targets, ())
    return "".join(parts) + (f", targeting {' and '.join(targets)}" if targets else "")
