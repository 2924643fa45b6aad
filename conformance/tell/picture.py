"""The drawing model of an explanation: a board of tiles, and a grid with a column for each layer.

`explain` turns the same `Explanation` into text. These values are immutable words and numbers, so the code
that draws them needs to know nothing of the engine. Objects that look alike in every way are drawn once, and
what does not fit on a page is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal, TypeVar

from msgspec import Struct, UnsetType
from msgspec.structs import replace

from conformance.model.observation import SeenObject, SeenPlayer
from conformance.tell.explanation import (
    LAYER_NAMES,
    LAYER_RULES,
    AppliedEffect,
    ChangedObjects,
    Explanation,
    LayerAccount,
    Note,
    Wait,
    abilities_of,
    as_card,
    colors_of,
    has_size,
    size_of,
    type_line_of,
)
from conformance.tell.explanation_text import REASONS, in_edition
from reference_engine.game.account import namer
from reference_engine.language.cards import Layer
from reference_engine.language.characteristics import Characteristics, printed_characteristics
from reference_engine.language.words import COLORS, Color, KeywordName
from reference_engine.layers.board import Thing

MOST_ROWS = 80
MOST_CARDS = 12
MOST_CHANGES = 6
MOST_IN_A_KNOT = 12
_T = TypeVar("_T")


class LookWords(Struct, frozen=True):
    """The characteristics of an object in words; an empty text for what it does not have."""

    name: str
    types: str
    colors: tuple[Color, ...]
    color_words: str
    size: str
    abilities: tuple[str, ...]
    controller: str
    cost: str


class Tile(Struct, frozen=True):
    """A permanent, or several that look alike, with everything attached to it."""

    ids: tuple[str, ...]
    card: str
    """The name of its card, whatever its name is now."""
    look: LookWords
    printed: LookWords
    timestamps: tuple[int, int]
    """The earliest and the latest, if it stands for several."""
    status: tuple[str, ...]
    """Tapped, face down, token, attacking bob, …"""
    counters: tuple[tuple[str, int], ...]
    damage: int
    loyalty: int | None
    tapped: bool
    face_down: bool
    toughness: int | None = None
    """The toughness to compare the damage with; None if it is not a creature."""
    attached: tuple[Tile, ...] = ()


class Side(Struct, frozen=True):
    """A player: life, cards in other zones, and permanents, oldest first."""

    player: str
    facts: tuple[tuple[str, str], ...]
    """Life, hand, graveyard, …: name and value."""
    tiles: tuple[Tile, ...]
    lost: bool


class Pending(Struct, frozen=True):
    """A spell or ability on the stack."""

    name: str
    kind: str
    controller: str
    source: str
    targets: tuple[str, ...]


class FighterPicture(Struct, frozen=True):
    """A creature in combat, or several that are alike."""

    ids: tuple[str, ...]
    size: str
    keywords: tuple[str, ...]
    """Those that matter in combat."""


class CombatLane(Struct, frozen=True):
    """A lane of combat: an attacker, what it attacks, and what blocks it."""

    attacker: FighterPicture
    whom: str
    blockers: tuple[FighterPicture, ...]
    blocked: bool = False
    """Whether it is blocked, even if nothing blocks it any more."""


class BoardPicture(Struct, frozen=True):
    """The table at one moment: the players with their permanents, and the stack, top first."""

    moment: str
    """Turn, step and who has priority."""
    sides: tuple[Side, ...]
    stack: tuple[Pending, ...]
    effects: tuple[tuple[str, str, int], ...]
    """Effects of resolved spells and abilities: source, what it does, timestamp."""
    combat: tuple[CombatLane, ...] = ()


class Arrow(Struct, frozen=True):
    """One effect waits for another: their positions by age, and whether they are in a loop."""

    start: int
    end: int
    loop: bool


class Knot(Struct, frozen=True):
    """The order of effects that depend on one another: by age, and as applied.

    `applied` has the place of each in the order of application, None for one that was never applied.
    """

    names: tuple[str, ...]
    applied: tuple[int | None, ...]
    arrows: tuple[Arrow, ...]


class EffectCard(Struct, frozen=True):
    """An effect in a layer: applied as a step, or left out (`step` is 0)."""

    step: int
    number: int
    """Its number within its layer, the same as in the text."""
    effect: str
    source: str
    says: str
    waits: tuple[Note, ...]
    why: tuple[Note, ...]
    applied: bool
    note: str
    """A note if it changes nothing."""
    touches: tuple[str, ...]


class Change(Struct, frozen=True):
    """What one step changed about an object; `between` counts changes that are not drawn one by one."""

    step: int
    number: int
    by: str
    source: str
    size: tuple[str, str] | None
    notes: tuple[Note, ...]
    between: int = 0


class Column(Struct, frozen=True):
    """A layer or sublayer, with the effects applied in it, in order."""

    layer: Layer
    label: str
    name: str
    rule: str
    cards: tuple[EffectCard, ...]
    knot: Knot | None
    more: int
    """The number of effects that are not drawn."""


class ObjectRow(Struct, frozen=True):
    """An object, or several alike, with its changes layer by layer."""

    ids: tuple[str, ...]
    cells: tuple[tuple[Change, ...], ...]
    """For each column, what changed."""
    looks: tuple[tuple[int, LookWords], ...]
    """How it looks from each step on, from step 0; the last is how it looks after all layers."""


class Grid(Struct, frozen=True):
    """The layers: columns with effects, rows with objects, and the track of all layers."""

    track: tuple[tuple[str, str, int], ...]
    """Label, name and number of steps of each layer, including those in which nothing happens."""
    columns: tuple[Column, ...]
    rows: tuple[ObjectRow, ...]
    more_rows: int
    steps: int
    unchanged: tuple[str, ...]
    on_rules: tuple[tuple[str, str, str], ...]
    """Effects on the rules of the game and on costs: effect, what it says, and when it applies to costs."""


class Picture(Struct, frozen=True):
    """Everything to draw for one moment."""

    board: BoardPicture
    layers: Grid


def picture(told: Explanation) -> Picture:
    """The drawing model of an explanation."""
    words = Words.of(told)
    return Picture(board_picture(told, words), grid(told, words))


class Words:
    """Rewrites the texts of an explanation: tokens get names, rules get the edition's numbers."""

    def __init__(self, edition: str, named: Callable[[str], str]) -> None:
        self.edition = edition
        self.named = named

    @classmethod
    def of(cls, told: Explanation) -> Words:
        return cls(told.edition, namer(told.created))

    def __call__(self, text: str) -> str:
        return in_edition(self.named(text), self.edition)

    def each(self, texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self, texts))

    def rule(self, number: str) -> str:
        """A citation of a rule, by its number in the edition."""
        return in_edition(f"CR {number}", self.edition)

    def note(self, note: Note) -> Note:
        """The note with its rules as citations."""
        return Note(self(note.says), (self.rule(", ".join(note.rules)),) if note.rules else ())

    def look(self, look: Characteristics, size: str | None = None) -> LookWords:
        return LookWords(
            name=self(look.name or ""),
            types=type_line_of(look),
            colors=tuple(color for color in COLORS if color in look.colors),
            color_words=colors_of(look),
            size=size
            if size is not None
            else size_of(look)
            if has_size(look) or look.is_a("Creature")
            else "",
            abilities=self.each(abilities_of(look, as_card(look))),
            controller=look.controller or "",
            cost=look.cost or "",
        )


def value_or(value: _T | UnsetType, otherwise: _T) -> _T:
    """The reported value, or a default."""
    return otherwise if isinstance(value, UnsetType) else value


# -------------------------------------------------------------------------------------- the board


def board_picture(told: Explanation, words: Words) -> BoardPicture:
    """The table after all layers."""
    table, objects = told.end.table, told.end.objects
    attached: dict[str, list[Thing]] = {}
    there = {thing.id for thing in told.board}
    for thing in told.board:
        if thing.attached_to in there:
            attached.setdefault(str(thing.attached_to), []).append(thing)
    free = [thing for thing in told.board if thing.attached_to not in there]
    tiles: dict[str, list[Tile]] = {player: [] for player in told.end.players}
    for thing in free:
        controller = value_or(objects[thing.id].controller, None) or thing.owner
        tiles.setdefault(controller, []).append(tile(thing, attached, told, words))
    return BoardPicture(
        moment=moment_words(told),
        sides=tuple(
            Side(player, tuple(facts(seat, words)), alike(tiles[player]), seat.lost is True)
            for player, seat in told.end.players.items()
        ),
        stack=tuple(
            pending(name, objects[name], words)
            for name in reversed(value_or(table.stack, ()))
            if name in objects
        ),
        effects=tuple((words(one.source), words(one.says), one.timestamp) for one in told.effects),
        combat=attacks(told, words),
    )


IN_COMBAT: frozenset[KeywordName] = frozenset(
    {
        *("deathtouch", "double strike", "first strike", "flying", "indestructible", "infect", "lifelink"),
        *("menace", "protection", "reach", "shadow", "toxic", "trample", "wither"),
    }
)
"""Keywords that matter in combat."""


def attacks(told: Explanation, words: Words) -> tuple[CombatLane, ...]:
    """The lanes of combat, in the order of the board; attackers that are alike and unblocked share one."""
    blockers: dict[str, list[FighterPicture]] = {}
    for thing in told.board:
        for attacker in thing.blocking:
            blockers.setdefault(attacker, []).append(fighter(thing, told, words))
    lanes: dict[CombatLane, CombatLane] = {}
    for thing in told.board:
        if thing.attacking is None:
            continue
        lane = CombatLane(
            fighter(thing, told, words),
            words(thing.attacking),
            tuple(blockers.get(thing.id, ())),
            thing.id in told.blocked,
        )
        kind = lane if lane.blockers else replace(lane, attacker=replace(lane.attacker, ids=()))
        before = lanes[kind].attacker.ids if kind in lanes else ()
        lanes[kind] = replace(lane, attacker=replace(lane.attacker, ids=(*before, *lane.attacker.ids)))
    return tuple(lanes.values())


def fighter(thing: Thing, told: Explanation, words: Words) -> FighterPicture:
    """A creature in combat."""
    seen = told.end.objects[thing.id]
    size = "" if value_or(seen.power, None) is None else f"{seen.power}/{seen.toughness}"
    keywords = sorted(value_or(seen.keywords, frozenset()) & IN_COMBAT)
    return FighterPicture((words(thing.id),), size, tuple(keywords))


def moment_words(told: Explanation) -> str:
    """The turn, the step, and who has priority or is to decide."""
    table = told.end.table
    if table.over is True:
        return "the game is over"
    where = f"{table.active}’s {table.step}"
    if value_or(table.deciding, None):
        return f"{where}: {table.deciding} is to decide"
    return f"{where}: {value_or(table.priority, None) or 'nobody'} has priority"


def facts(seat: SeenPlayer, words: Words) -> Iterator[tuple[str, str]]:
    """The facts about a player, other than permanents."""
    yield "life", str(value_or(seat.life, 0))
    hand = sorted(value_or(seat.hand, frozenset()))
    yield "hand", short_list(words.each(hand)) or "empty"
    library = value_or(seat.library_size, 0)
    yield "library", f"{library} card{'' if library == 1 else 's'}"
    if graveyard := value_or(seat.graveyard, ()):
        yield "graveyard", short_list(words.each(graveyard))
    if exile := sorted(value_or(seat.exile, frozenset())):
        yield "exile", short_list(words.each(exile))
    if pool := value_or(seat.pool, ""):
        yield "floating", pool
    for pile in value_or(seat.counters, ()):
        yield f"{pile.kind} counters", str(pile.n)
    if keywords := sorted(value_or(seat.keywords, frozenset())):
        yield "has", ", ".join(keywords)


def short_list(names: Sequence[str], most: int = 8) -> str:
    """A list of names, cut to a readable length."""
    return (
        ", ".join(names)
        if len(names) <= most
        else f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    )


def tile(thing: Thing, attached: Mapping[str, Sequence[Thing]], told: Explanation, words: Words) -> Tile:
    """One permanent, with everything attached to it."""
    seen = told.end.objects[thing.id]
    look = told.looks[thing.id]
    size = "" if value_or(seen.power, None) is None else f"{seen.power}/{seen.toughness}"
    return Tile(
        ids=(words(thing.id),),
        card=words(thing.card.name),
        look=words.look(look, size),
        printed=words.look(printed_characteristics(thing.face, thing.controller)),
        timestamps=(thing.timestamp, thing.timestamp),
        status=words.each(status(thing, seen)),
        counters=tuple((pile.kind, pile.n) for pile in thing.counters if pile.n),
        damage=thing.damage,
        loyalty=value_or(seen.loyalty, None),
        tapped=thing.tapped,
        face_down=thing.face_down,
        toughness=value_or(seen.toughness, None),
        attached=alike([tile(one, attached, told, words) for one in attached.get(thing.id, ())]),
    )


def status(thing: Thing, seen: SeenObject) -> Iterator[str]:
    """The status of a permanent, and what was chosen for it, in words."""
    yield from (word for word, so in (("tapped", thing.tapped), ("face down", thing.face_down)) if so)
    yield from ["token"] if thing.token else []
    yield from ["other face up"] if thing.transformed else []
    yield from [f"level {thing.level}"] if "Class" in thing.face.subtypes or thing.level > 1 else []
    yield from [f"attacking {thing.attacking}"] if thing.attacking is not None else []
    yield from [f"blocking {', '.join(thing.blocking)}"] if thing.blocking else []
    if value_or(seen.controller, thing.owner) != thing.owner:
        yield f"owned by {thing.owner}"
    chosen = thing.chosen
    for word in (chosen.color, chosen.type, chosen.name, chosen.number, chosen.player):
        if word is not None:
            yield f"chosen: {word}"


def alike(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    """The tiles in order, merging those that differ only in name and age."""
    found: dict[Tile, list[Tile]] = {}
    for one in tiles:
        found.setdefault(without_name(one), []).append(one)
    return tuple(
        same[0]
        if len(same) == 1
        else Tile(
            **{
                **{field: getattr(same[0], field) for field in Tile.__struct_fields__},
                "ids": tuple(id for one in same for id in one.ids),
                "timestamps": (same[0].timestamps[0], same[-1].timestamps[1]),
            }
        )
        for same in found.values()
    )


def without_name(one: Tile) -> Tile:
    """The tile without the object's identity, to find equal ones; a tile with attachments equals no other."""
    if one.attached:
        return one
    return Tile(
        **{
            **{field: getattr(one, field) for field in Tile.__struct_fields__},
            "ids": (),
            "timestamps": (0, 0),
        }
    )


def pending(name: str, seen: SeenObject, words: Words) -> Pending:
    """A spell or ability on the stack."""
    return Pending(
        name=words(name),
        kind=value_or(seen.kind, "spell"),
        controller=value_or(seen.controller, None) or "",
        source=words(value_or(seen.source, None) or ""),
        targets=words.each(value_or(seen.targets, ())),
    )


# ------------------------------------------------------------------------------------- the layers


def grid(told: Explanation, words: Words) -> Grid:
    """The layers: the effects applied in each, and the result for every object that changed."""
    numbered = list(with_steps(told.layers))
    columns = tuple(column(part, steps, words) for part, steps in numbered)
    rows, more = rows_of(told, numbered, words)
    changed = {id for row in rows for id in row.ids}
    return Grid(
        track=tuple(track(told.layers)),
        columns=columns,
        rows=rows[:MOST_ROWS],
        more_rows=more,
        steps=sum(len(steps) for _, steps in numbered),
        unchanged=tuple(id for id in words.each(thing.id for thing in told.board) if id not in changed),
        on_rules=tuple(
            (words(one.effect), words(one.says), WHEN_COSTS[one.how] if one.how else "")
            for one in told.on_rules
        ),
    )


WHEN_COSTS: Mapping[Literal["more", "less", "at least"], str] = {
    "more": "increases costs, first",
    "less": "reduces costs, after increases",
    "at least": "sets the least a cost can be, last",
}
"""CR 601.2f: the order in which a total cost is determined."""

Numbered = tuple[LayerAccount, Sequence[tuple[int, int, AppliedEffect]]]
"""A layer, and its steps: the number among all steps, the number in the layer, and what was applied."""


def with_steps(layers: Sequence[LayerAccount]) -> Iterator[Numbered]:
    """The layers with their steps numbered, without those about cards that no one sees."""
    done = 0
    for part in layers:
        here = [one for one in part.applied if not one.elsewhere]
        if here or part.left_out:
            yield part, [(done + number, number, one) for number, one in enumerate(here, 1)]
            done += len(here)


def track(layers: Sequence[LayerAccount]) -> Iterator[tuple[str, str, int]]:
    """Every layer, with the number of its steps."""
    steps = {part.layer: sum(not one.elsewhere for one in part.applied) for part in layers}
    labels = {part.layer: part.label for part in layers}
    for layer, name in LAYER_NAMES.items():
        if layer[0].isdigit() or steps.get(layer):
            yield labels.get(layer, layer), name, steps.get(layer, 0)


def column(part: LayerAccount, steps: Sequence[tuple[int, int, AppliedEffect]], words: Words) -> Column:
    """One layer: its effects as cards, those left out last."""
    cards = [card(step, number, one, words) for step, number, one in steps]
    for absent in part.left_out:
        why = tuple(map(words.note, absent.why))
        cards.append(
            EffectCard(
                0, 0, words(absent.effect), words(absent.source), words(absent.says), (), why, False, "", ()
            )
        )
    return Column(
        layer=part.layer,
        label=part.label,
        name=LAYER_NAMES[part.layer],
        rule=words.rule(LAYER_RULES[part.layer]),
        cards=tuple(cards[:MOST_CARDS]),
        knot=knot([one for _, _, one in steps], words),
        more=max(len(cards) - MOST_CARDS, 0),
    )


def card(step: int, number: int, one: AppliedEffect, words: Words) -> EffectCard:
    """One applied effect."""
    note = ""
    if one.applied and not one.changes:
        note = (
            f"changes nothing about {short_list(words.each(one.unchanged))}"
            if one.unchanged
            else "finds nothing to apply to"
        )
    return EffectCard(
        step=step,
        number=number,
        effect=words(one.effect),
        source=words(one.source),
        says=words(one.says),
        waits=tuple(words.note(wait_words(wait)) for wait in one.waits),
        why=tuple(map(words.note, one.why)),
        applied=one.applied,
        note=note,
        touches=words.each(id for change in one.changes for id in change.ids),
    )


def wait_words(wait: Wait) -> Note:
    """A dependency in words."""
    if wait.loop:
        says = f"loop: {wait.who} depends on {wait.on}, which {REASONS[wait.reason]}; nobody waits"
        return Note(says, ("613.8a", "613.8b"))
    return Note(f"{wait.who} waits for {wait.on}, which {REASONS[wait.reason]}", ("613.8a", "613.8b"))


def knot(steps: Sequence[AppliedEffect], words: Words) -> Knot | None:
    """The order of a layer's effects that depend on each other; None if there are none or too many."""
    waits = list(dict.fromkeys(wait for one in steps for wait in one.waits))
    tied = {name for wait in waits for name in (wait.who, wait.on)}
    names = [name for name in (steps[0].waiting if steps else ()) if name in tied]
    names += [name for one in steps for name in one.waiting if name in tied and name not in names]
    names = list(dict.fromkeys(names))
    if not waits or len(names) > MOST_IN_A_KNOT:
        return None
    order = [name for name in dict.fromkeys(one.effect for one in steps) if name in tied]
    return Knot(
        names=words.each(names),
        applied=tuple(order.index(name) if name in order else None for name in names),
        arrows=tuple(Arrow(names.index(wait.who), names.index(wait.on), wait.loop) for wait in waits),
    )


def rows_of(
    told: Explanation, numbered: Sequence[Numbered], words: Words
) -> tuple[tuple[ObjectRow, ...], int]:
    """The objects that changed, and how many of them are not drawn; those that changed alike share a row."""
    changes: dict[str, list[tuple[int, int, int, AppliedEffect, ChangedObjects]]] = {}
    for at, (_, steps) in enumerate(numbered):
        for step, number, one in steps:
            for change in one.changes:
                for id in change.ids:
                    changes.setdefault(id, []).append((at, step, number, one, change))
    age = {thing.id: place for place, thing in enumerate(told.board)}
    groups: dict[tuple[object, ...], list[str]] = {}
    for id in sorted(changes, key=lambda id: (age.get(id, len(age)), id)):
        way = tuple((step, change.before, change.after) for _, step, _, _, change in changes[id])
        groups.setdefault((way, seen_size(told, id)), []).append(id)
    every = list(groups.values())
    rows = tuple(
        row(words.each(ids), changes[ids[0]], len(numbered), seen_size(told, ids[0]), words)
        for ids in every[:MOST_ROWS]
    )
    return rows, sum(map(len, every[MOST_ROWS:]))


def seen_size(told: Explanation, id: str) -> str:
    """The power and toughness that a look reports, empty if it has none."""
    seen = told.end.objects.get(id)
    if seen is None or value_or(seen.power, None) is None:
        return ""
    return f"{seen.power}/{seen.toughness}"


def row(
    ids: tuple[str, ...],
    changes: Sequence[tuple[int, int, int, AppliedEffect, ChangedObjects]],
    columns: int,
    size: str,
    words: Words,
) -> ObjectRow:
    """The row of one object, or of several alike."""
    cells: list[tuple[Change, ...]] = [()] * columns
    for at, here in groupby(changes, key=lambda one: one[0]):
        cells[at] = tuple(shorten_changes(list(here), words))
    looks = [(0, words.look(changes[0][4].before))]
    looks += [(step, words.look(change.after)) for _, step, _, _, change in changes_to_draw(changes)]
    last = changes[-1][4].after
    looks[-1] = (looks[-1][0], words.look(last, size))
    return ObjectRow(ids, tuple(cells), tuple(looks))


def changes_to_draw(changes: Sequence[_T]) -> Sequence[_T]:
    """The changes to draw one by one: all of them, or the first and the last."""
    half = MOST_CHANGES // 2
    return changes if len(changes) <= MOST_CHANGES else [*changes[:half], *changes[-half:]]


def shorten_changes(
    changes: Sequence[tuple[int, int, int, AppliedEffect, ChangedObjects]], words: Words
) -> Iterator[Change]:
    """The changes of one layer; of too many, the first and the last, with one entry for the others."""
    half = MOST_CHANGES // 2
    for place, (_, step, number, one, change) in enumerate(changes):
        if len(changes) > MOST_CHANGES and half <= place < len(changes) - half:
            if place == half:
                last = changes[-half - 1][4]
                sizes = (size_of(change.before), size_of(last.after))
                yield Change(
                    step, number, "", "", sizes if sizes[0] != sizes[1] else None, (), len(changes) - 2 * half
                )
            continue
        sizes = (size_of(change.before), size_of(change.after))
        told = [note for note in change.notes if note.says != " → ".join(sizes) or note.rules]
        yield Change(
            step=step,
            number=number,
            by=words(one.effect),
            source=words(one.source),
            size=sizes if sizes[0] != sizes[1] and len(told) < len(change.notes) else None,
            notes=tuple(map(words.note, told)),
        )
