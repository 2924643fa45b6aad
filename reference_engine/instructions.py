"""What each instruction of a resolving spell or ability does (CR 608.2c–m).

`follow` is the one front: an instruction, and the scene in which it is spoken. What several players do at
the same time is chosen by each in APNAP order first and then carried out at once (CR 101.4, 608.2e).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, assert_never

from msgspec import Struct
from msgspec.structs import replace

from reference_engine import cards
from reference_engine.actions import AnswerValue, Share
from reference_engine.asking import Asking, amount, holds, matches, selected
from reference_engine.board import (
    Chosen,
    CopyValues,
    Lasting,
    SetCopiable,
    SettledOperation,
    SettledPart,
    Thing,
)
from reference_engine.cards import (
    AddMana,
    All,
    Attach,
    BecomeCopy,
    ChangeTarget,
    ChosenNumber,
    CopySpell,
    Cost,
    Costs,
    CounterSpell,
    Create,
    Damage,
    Destroy,
    Discard,
    Draw,
    Effect,
    ExchangeControl,
    Exile,
    ExtraTurn,
    ForEachPlayer,
    Gain,
    GainControl,
    GainLife,
    If,
    Instruction,
    It,
    Keyword,
    Later,
    LookAt,
    LoseLife,
    ManaCost,
    May,
    OneOf,
    Operation,
    Put,
    PutCounters,
    Quantity,
    Regenerate,
    RemoveCounters,
    ReplaceWord,
    Reveal,
    Sacrifice,
    Search,
    Selector,
    Tap,
    The,
    This,
    Transform,
    TurnFace,
    Untap,
    You,
)
from reference_engine.characteristics import printed
from reference_engine.effects import mentions_it
from reference_engine.events import (
    Attached,
    Began,
    CountersChanged,
    Damaged,
    Entering,
    Event,
    LifeChanged,
    ManaAdded,
    Moved,
    Revealed,
    Shielded,
    Shuffled,
    Tapped,
    Transformed,
    TriedToDraw,
    Untapped,
    happen,
    told,
)
from reference_engine.game import (
    Delayed,
    Game,
    Memory,
    Question,
    Ref,
    Rejected,
    StackItem,
    Unsupported,
    in_order,
    is_in_game,
    last_board,
    opponents_of,
    players,
    seat_of,
    side_of,
    ticked,
)
from reference_engine.layers import copiable_values
from reference_engine.mana import COLOR_LETTER, letters_of
from reference_engine.questions import answered, yes_or_no
from reference_engine.recall import asking_about, following, still_there
from reference_engine.rule_effects import forbidding, is_forbidden
from reference_engine.stack import (
    enchant_specs,
    everything_like,
    item_of,
    name_of,
    named_targets,
    resolve_target,
    shown_ref,
    with_item,
)
from reference_engine.view import View, status
from reference_engine.words import (
    BASIC_LAND_TYPES,
    CHOSEN_COLOR,
    CHOSEN_TYPE,
    COLORS,
    SUBTYPES_OF,
    Zone,
    kind_of_subtype,
)

T = TypeVar("T")


class Scene(Struct, frozen=True):
    """Who speaks: a resolving spell or ability, with what its words mean by now."""

    item: StackItem
    this: Ref
    you: str
    it: Ref | None = None
    names: tuple[tuple[str, tuple[Ref, ...]], ...] = ()
    colors: tuple[str, ...] | None = None
    type: str | None = None
    number: int | None = None
    produces: str | None = None
    """The mana that the script said a mana ability makes."""

    def named(self, name: str, refs: tuple[Ref, ...]) -> Scene:
        """The scene in which this name means these."""
        return replace(self, names=(*((n, r) for n, r in self.names if n != name), (name, refs)))


def follow(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, Scene]:
    """The game and the scene after one instruction was followed."""
    before = game
    game, scene = done(game, scene, with_words(instruction, scene))
    # CR 400.7j: what the instruction moved to a public zone can still be found there by the rest.
    return game, replace(
        scene,
        this=following(before, game, scene.this),
        it=None if scene.it is None else following(before, game, scene.it),
        names=tuple((n, tuple(following(before, game, ref) for ref in refs)) for n, refs in scene.names),
    )


def done(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, Scene]:
    """The game and the scene after one instruction, whatever kind it is of."""
    match instruction:
        case Discard() | Sacrifice() | Destroy() | LoseLife() | GainLife() | Damage() | Tap() | Untap():
            game, events = game.rules.events_of(game, scene, instruction)
            return (happen(game, *events) if events else game), scene
        case PutCounters() | RemoveCounters() | Regenerate():
            game, events = game.rules.events_of(game, scene, instruction)
            return (happen(game, *events) if events else game), scene
        case Effect():
            return begin(game, scene, instruction), scene
        case Draw(n, who):
            number = amount(n, asked(game, scene))
            for player in people(game, scene, who):
                game = game.rules.draw(game, player, number)
            return game, scene
        case Exile(what, name):
            return move(game, scene, acted_on(game, scene, what), "exile", "exiled", name)
        case Put():
            return put(game, scene, instruction)
        case CounterSpell(what, name):
            refs = acted_on(game, scene, what)
            for ref in refs:
                if not uncounterable(game, ref):
                    game = game.rules.countered(game, ref)
            return game, scene.named(name, refs)
        case TurnFace(what, face, does):
            return turn_faces(game, acted_on(game, scene, what), face == "up", does), scene
        case Transform(what):
            over = [id for id in on_battlefield(game, acted_on(game, scene, what)) if two_faced(game, id)]
            return happen(game, *(Transformed(id) for id in over)) if over else game, scene
        case Create():
            return create(game, scene, instruction)
        case AddMana():
            return add_mana(game, scene, instruction), scene
        case LookAt(what):
            ids = tuple(ref.id for ref in acted_on(game, scene, what))
            return told(game, Revealed(ids, scene.you, to_all=False)), scene
        case Reveal(what, name):
            refs = acted_on(game, scene, what)
            game = told(game, Revealed(tuple(ref.id for ref in refs), scene.you))
            # CR 708.12: of a revealed face-down permanent the card itself is looked at.
            things = game.board.things
            refs = tuple(replace(ref, revealed=ref.id in things and things[ref.id].face_down) for ref in refs)
            return game, scene.named(name, refs)
        case Search():
            return search(game, scene, instruction), scene
        case cards.Choose():
            return choose(game, scene, instruction)
        case May():
            return may(game, scene, instruction)
        case If(cond, effect, otherwise):
            return follow_each(game, scene, effect if holds(cond, asked(game, scene)) else otherwise)
        case Later():
            return later(game, scene, instruction), scene
        case CopySpell(what, n, new_targets, but):
            for _ in range(amount(n, asked(game, scene))):
                for ref in what_to_copy(game, scene, what):
                    game = copy(game, scene, ref, new_targets, but)
            return game, scene
        case ChangeTarget(what, must):
            for ref in acted_on(game, scene, what):
                item = item_of(game, ref.id)
                if item is not None:
                    game = game.rules.retargeted(game, item, scene.you, askers(game, scene), must)
            return game, scene
        case Attach(what, to):
            hosts = acted_on(game, scene, to)
            for ref in acted_on(game, scene, what) if len(hosts) == 1 else ():
                game = game.rules.attach(game, ref.id, hosts[0].id)
            return game, scene
        case ExchangeControl():
            return exchange(game, scene, instruction), scene
        case OneOf(options, who):
            return one_of(game, scene, options, people(game, scene, who))
        case ForEachPlayer(who, effect):
            return for_each_player(game, scene, people(game, scene, who), effect), scene
        case ExtraTurn(who):
            sides = tuple(dict.fromkeys(side_of(game, player) for player in people(game, scene, who)))
            return replace(game, extra_turns=game.extra_turns + sides), scene
        case _:
            assert_never(instruction)


def follow_each(game: Game, scene: Scene, effect: tuple[Instruction, ...]) -> tuple[Game, Scene]:
    """The game and the scene after several instructions, in order."""
    for instruction in effect:
        game, scene = follow(game, scene, instruction)
    return game, scene


def follow_as_it_enters(game: Game, effect: tuple[Instruction, ...], id: str, you: str) -> Game:
    """The game after what happens to others as a permanent enters (CR 614.13: other objects)."""
    item = StackItem(id=id, kind="activated", controller=you, source=Ref(id), born=0, name="entry")
    game, _ = follow_each(game, Scene(item=item, this=game.ref(id), you=you), effect)
    return game


# ---------------------------------------------------------------------------------- whom it means


def asked(game: Game, scene: Scene) -> Asking:
    """A question on behalf of whoever speaks."""
    item = scene.item
    return asking_about(
        game, scene.this, scene.you, scene.it, dict(scene.names), item.x, item.was, item.that_much
    )


def askers(game: Game, scene: Scene) -> tuple[str, ...]:
    """The words under which a script may answer what is asked here."""
    return (name_of(game, scene.item), scene.this.id)


def acted_on(game: Game, scene: Scene, selector: Selector) -> tuple[Ref, ...]:
    """The objects and players that something is done to: those meant that are still there.

    CR 608.2b: illegal targets aren't affected. CR 400.7, 608.2h: nor are objects that are no longer the same.
    """
    match selector:
        case This():
            return still_there(game, (scene.this,))
        case It():
            return () if scene.it is None else still_there(game, (scene.it,))
        case The(name):
            return still_there(game, dict(scene.names).get(name, ()))
        case _:
            return tuple(game.ref(id) for id in selected(selector, asked(game, scene)))


def people(game: Game, scene: Scene, selector: Selector) -> tuple[str, ...]:
    """The players meant, in APNAP order."""
    meant = {ref.id for ref in acted_on(game, scene, selector)}
    if game.board.active in meant:
        meant |= {player for player in players(game) if side_of(game, player) == game.board.active}
    return tuple(player for player in in_order(game) if player in meant)


def with_words(instruction: T, scene: Scene) -> T:
    """An instruction with the words chosen a moment ago in place of "chosen color", "chosen type" and
    "chosen number".
    """
    if scene.colors is None and scene.type is None and scene.number is None:
        return instruction
    return reworded(instruction, scene)


def reworded(value: T, scene: Scene) -> T:
    """Any piece of a card with what was chosen put in."""
    if isinstance(value, frozenset):
        words: set[object] = {reworded(member, scene) for member in value}
        if CHOSEN_COLOR in words and scene.colors is not None:
            words = (words - {CHOSEN_COLOR}) | set(scene.colors)
        if CHOSEN_TYPE in words and scene.type is not None:
            words = (words - {CHOSEN_TYPE}) | {scene.type}
        return frozenset(words)  # type: ignore[return-value]  # the same kind of set
    if isinstance(value, tuple):
        return tuple(reworded(member, scene) for member in value)  # type: ignore[return-value]  # the same shape
    if isinstance(value, ChosenNumber) and scene.number is not None:
        return scene.number  # type: ignore[return-value]  # a quantity for a quantity
    if isinstance(value, Struct):
        fields = {name: reworded(getattr(value, name), scene) for name in value.__struct_fields__}
        return replace(value, **fields)
    if value == CHOSEN_TYPE and scene.type is not None:
        return scene.type  # type: ignore[return-value]  # a word for a word
    return value


# -------------------------------------------------------------------- what can happen all at once

AtOnce = (
    Discard
    | Sacrifice
    | Destroy
    | LoseLife
    | GainLife
    | Damage
    | Tap
    | Untap
    | PutCounters
    | RemoveCounters
    | Regenerate
)


def events_of(game: Game, scene: Scene, instruction: AtOnce) -> tuple[Game, tuple[Event, ...]]:
    """The events of an instruction, which happen at the same time, after every choice in it was made."""
    match instruction:
        case Discard(n, who):
            return discards(game, scene, people(game, scene, who), amount(n, asked(game, scene)))
        case Sacrifice():
            return sacrifices(game, scene, instruction)
        case Destroy(what, for_good):
            ids = tuple(ref.id for ref in acted_on(game, scene, what))
            return game, game.rules.destruction(game, ids, "", for_good)
        case LoseLife(n, who):
            number = amount(n, asked(game, scene))
            return game, tuple(
                LifeChanged(player, -number, "lost") for player in people(game, scene, who) if number > 0
            )
        case GainLife(n, who):
            number = amount(n, asked(game, scene))
            gainers = tuple(p for p in people(game, scene, who) if number > 0 and can_gain_life(game, p))
            return game, tuple(LifeChanged(player, number, "gained") for player in gainers)
        case Damage():
            return game, damage(game, scene, instruction)
        case Tap(what):
            ids = on_battlefield(game, acted_on(game, scene, what))
            return game, tuple(Tapped(id) for id in ids if not game.board.things[id].tapped)
        case Untap(what):
            ids = on_battlefield(game, acted_on(game, scene, what))
            return game, tuple(Untapped(id) for id in ids if game.board.things[id].tapped)
        case PutCounters(counters, on):
            return game, counter_changes(game, scene, counters, on)
        case RemoveCounters(counters, on, every):
            return game, counters_removed(game, scene, counters, on, every)
        case Regenerate(what):
            return game, tuple(Shielded(id) for id in on_battlefield(game, acted_on(game, scene, what)))
        case _:
            assert_never(instruction)


def on_battlefield(game: Game, refs: tuple[Ref, ...]) -> tuple[str, ...]:
    """Those of these that are permanents."""
    things = game.board.things
    return tuple(ref.id for ref in refs if ref.id in things and things[ref.id].zone == "battlefield")


def discards(game: Game, scene: Scene, who: tuple[str, ...], number: int) -> tuple[Game, tuple[Event, ...]]:
    """Each player's choice of cards to discard, made in APNAP order (CR 101.4; 701.9b: the player's own
    choice).
    """
    events: list[Event] = []
    for player in who:
        hand = seat_of(game, player).hand
        n = min(number, len(hand))
        game, cards_chosen = answered(game, Question("cards", player, askers(game, scene), hand, n, n))
        events += [Moved(str(id), "hand", "graveyard", "discarded") for id in cards_chosen]
    return game, tuple(events)


def sacrifices(game: Game, scene: Scene, instruction: Sacrifice) -> tuple[Game, tuple[Event, ...]]:
    """What is sacrificed: what is named, or what each player chooses of their own (CR 701.21a: only what
    one controls).
    """
    who = people(game, scene, instruction.who)
    seen = game.seen
    if not isinstance(instruction.what, All):
        ids = on_battlefield(game, acted_on(game, scene, instruction.what))
        own = tuple(id for id in ids if seen.look(id).controller in who)
        return game, tuple(Moved(id, "battlefield", "graveyard", "sacrificed") for id in own)
    number = amount(instruction.n, asked(game, scene))
    meant = selected(instruction.what, asked(game, scene))
    events: list[Event] = []
    for player in who:
        own = tuple(
            id
            for id in meant
            if game.board.things[id].zone == "battlefield" and seen.look(id).controller == player
        )
        n = min(number, len(own))
        game, answer = answered(game, Question("cards", player, askers(game, scene), own, n, n))
        events += [Moved(str(id), "battlefield", "graveyard", "sacrificed") for id in answer]
    return game, tuple(events)


def damage(game: Game, scene: Scene, instruction: Damage) -> tuple[Event, ...]:
    """Damage to each of those meant, or as it was divided when the targets were chosen (CR 601.2d:
    division).
    """
    refs = acted_on(game, scene, instruction.to)
    sources = source_of(game, scene, instruction.by)
    if instruction.divided:
        shares = {share.to: share.n for share in scene.item.divide}
        amounts = {ref.id: shares.get(ref.id, 0) for ref in refs}
    else:
        number = amount(instruction.n, asked(game, scene))
        if instruction.evenly and refs:
            number //= len(refs)
        amounts = {ref.id: number for ref in refs}
    return tuple(
        Damaged(source, id, n)
        for source in sources
        for id, n in amounts.items()
        if n > 0 and can_be_damaged(game, id)
    )


def source_of(game: Game, scene: Scene, by: Selector) -> tuple[Ref, ...]:
    """The objects that deal the damage, as they are or last were (CR 113.7a: also when gone)."""
    match by:
        case This():
            return (Ref(scene.this.id, scene.this.born),)
        case It():
            return () if scene.it is None else (Ref(scene.it.id, scene.it.born),)
        case The(name):
            return tuple(Ref(ref.id, ref.born) for ref in dict(scene.names).get(name, ()))
        case _:
            return tuple(game.ref(id) for id in selected(by, asked(game, scene)))


def can_be_damaged(game: Game, id: str) -> bool:
    """CR 120.1: damage can be dealt to battles, creatures, planeswalkers, and players."""
    thing = game.board.things.get(id)
    if thing is None:
        return is_in_game(game, id)
    kinds = game.seen.look(id).types
    return thing.zone == "battlefield" and bool({"Creature", "Planeswalker", "Battle"} & kinds)


def can_gain_life(game: Game, player: str) -> bool:
    """Whether nothing says that the player can't gain life (CR 119.7: can't gain life)."""
    return not is_forbidden(game, "gain life", player)


def counter_changes(
    game: Game, scene: Scene, counters: tuple[cards.Counters, ...], on: Selector
) -> tuple[Event, ...]:
    """Counters put on permanents and players."""
    question = asked(game, scene)
    return tuple(
        CountersChanged(id, wanted.kind, n)
        for id in with_counters_on(game, scene, on)
        for wanted in counters
        if (n := amount(wanted.n, question)) > 0
    )


def counters_removed(
    game: Game, scene: Scene, counters: tuple[cards.Counters, ...], on: Selector, every: bool
) -> tuple[Event, ...]:
    """Counters removed, so many or all, but no more than there are."""
    question = asked(game, scene)
    events: list[Event] = []
    for id in with_counters_on(game, scene, on):
        thing = game.board.things.get(id)
        piles = seat_of(game, id).counters if thing is None else thing.counters
        for wanted in counters:
            there = sum(pile.n for pile in piles if pile.kind == wanted.kind)
            n = there if every else min(there, amount(wanted.n, question))
            if n > 0:
                events.append(CountersChanged(id, wanted.kind, -n))
    return tuple(events)


def with_counters_on(game: Game, scene: Scene, on: Selector) -> tuple[str, ...]:
    """The permanents and players that an instruction about counters means."""
    things = game.board.things
    return tuple(
        ref.id
        for ref in acted_on(game, scene, on)
        if ref.id not in things or things[ref.id].zone == "battlefield"
    )


def for_each_player(game: Game, scene: Scene, who: tuple[str, ...], effect: tuple[Instruction, ...]) -> Game:
    """The game after each player has followed the instructions.

    CR 608.2e: for each action the choices come first, in APNAP order; then the action is carried out by all
    at once.
    """
    scenes = {player: replace(scene, you=player) for player in who}
    for instruction in effect:
        if isinstance(instruction, AtOnce):
            events: tuple[Event, ...] = ()
            for player in who:
                game, own = game.rules.events_of(
                    game, scenes[player], with_words(instruction, scenes[player])
                )
                events += own
            before = game
            game = happen(game, *events) if events else game
            for player in who:
                names = tuple(
                    (n, tuple(following(before, game, ref) for ref in refs))
                    for n, refs in scenes[player].names
                )
                scenes[player] = replace(scenes[player], names=names)
        else:
            for player in who:
                game, scenes[player] = follow(game, scenes[player], instruction)
    return game


# -------------------------------------------------------------------------------------- one by one


def draw(game: Game, player: str, number: int) -> Game:
    """The game after a player has drawn cards.

    CR 121.2: one at a time. CR 121.4: from an empty library nothing is drawn, and the next check loses the
    game.
    """
    for _ in range(number):
        if cannot_draw(game, player):
            return game
        library = seat_of(game, player).library
        if not library:
            game = happen(game, TriedToDraw(player))
            continue
        game = happen(game, Moved(library[0], "library", "hand", "drawn"))
        game = replace(game, drawn={**game.drawn, player: game.drawn.get(player, 0) + 1})
    return game


def cannot_draw(game: Game, player: str) -> bool:
    """Whether something keeps a player from drawing (more) cards this turn (CR 121.2b: an individual draw)."""
    return any(
        player in affected and (operation.after is None or game.drawn.get(player, 0) >= operation.after)
        for operation, affected, _ in forbidding(game, "draw")
    )


def move(
    game: Game, scene: Scene, refs: tuple[Ref, ...], to: Zone, how: str, name: str | None
) -> tuple[Game, Scene]:
    """The game after objects went to a zone, and the scene in which a name means what they became there."""
    before = game
    things = game.board.things
    known = tuple(ref for ref in refs if ref.id in things)
    for ref in known:
        if things[ref.id].zone == "stack":
            game = replace(game, stack=tuple(item for item in game.stack if item.id != ref.id))
    game = happen(game, *(Moved(ref.id, things[ref.id].zone, to, how) for ref in known)) if known else game
    if name is not None:
        # CR 400.7j: only in a public zone can it be found by the rest of the effect.
        scene = scene.named(name, became(before, game, known))
    return game, scene


def became(before: Game, after: Game, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """The new objects that these have become."""
    there = (ref for ref in refs if ref.id in after.board.things)
    return tuple(
        Ref(ref.id, after.remembers(ref.id).born)
        for ref in there
        if after.remembers(ref.id).born != before.remembers(ref.id).born
        and after.board.things[ref.id].zone not in ("hand", "library")
    )


def put(game: Game, scene: Scene, instruction: Put) -> tuple[Game, Scene]:
    """The game after objects were put into a zone.

    CR 400.4a: an instant or sorcery card can't enter the battlefield and stays. CR 303.4f: an Aura that is
    put there is attached to something its controller chooses. CR 611.2e: what the instruction says the
    object is or has applies from the moment it enters.
    """
    before = game
    refs = acted_on(game, scene, instruction.what)
    if instruction.to != "battlefield":
        events = tuple(
            Moved(ref.id, game.board.things[ref.id].zone, instruction.to, "put", bottom=instruction.bottom)
            for ref in refs
            if ref.id in game.board.things
        )
        for ref in refs:
            game = replace(game, stack=tuple(item for item in game.stack if item.id != ref.id))
        game = happen(game, *events) if events else game
        if instruction.shuffled:
            libraries = {before.board.things[ref.id].owner for ref in refs if ref.id in before.board.things}
            libraries |= set(owners_meant(game, scene, instruction.what))
            for player in in_order(game):
                game = happen(game, Shuffled(player)) if player in libraries else game
    else:
        comes: list[Event] = []
        for ref in refs:
            game, event = entry(game, scene, instruction, ref)
            if event is not None:
                comes.append(event)
        game = happen(game, *comes) if comes else game
    if instruction.name is not None:
        scene = scene.named(instruction.name, became(before, game, refs))
    return game, scene


def owners_meant(game: Game, scene: Scene, what: Selector) -> tuple[str, ...]:
    """Whose cards an instruction means, even if there are none (CR 701.24c: the library is shuffled all the
    same).
    """
    if isinstance(what, All) and what.of is not None:
        return people(game, scene, what.of)
    return ()


def entry(game: Game, scene: Scene, instruction: Put, ref: Ref) -> tuple[Game, Moved | None]:
    """How one object is put onto the battlefield, if it can be."""
    thing = game.board.things.get(ref.id)
    if thing is None or thing.zone == "battlefield":
        return game, None
    look = game.seen.look(ref.id)
    if {"Instant", "Sorcery"} & look.types:
        return game, None
    question = asked(game, scene).about(ref.id)
    under = selected(instruction.under, question)
    counters = tuple((wanted.kind, amount(wanted.n, question)) for wanted in instruction.counters)
    begins: tuple[Lasting, ...] = ()
    if instruction.does:
        game, begins = as_it_is_put(game, scene, ref.id, instruction.does)
    host = None
    if look.has_subtype("Aura"):
        game, host = aura_host(game, ref, under[0])
        if host is None:
            return game, None
    unearthed = scene.item.slot[:1] == ("keyword",) and scene.item.name == "unearth"
    entering = Entering(
        under=under[0],
        tapped=instruction.tapped,
        counters=counters,
        attached_to=host,
        begins=begins,
        attacking=enters_attacking(game, under[0]) if instruction.attacking else None,
        # CR 702.84a: an unearthed permanent is exiled instead of going anywhere else.
        memory=Memory(history=frozenset({"unearthed"}), leaves_for_exile=True) if unearthed else Memory(),
    )
    return game, Moved(ref.id, thing.zone, "battlefield", "put", entering)


def as_it_is_put(
    game: Game, scene: Scene, id: str, does: tuple[Operation, ...]
) -> tuple[Game, tuple[Lasting, ...]]:
    """The effect that applies to an object from the moment an instruction puts it onto the battlefield."""
    game, now = ticked(game)
    game, operations, names = settled_operations(game, scene, does, asked(game, scene).about(id))
    parts = (SettledPart(frozenset({id}), operations),)
    return game, (Lasting(f"{id} put {now}", scene.this.id, scene.you, now, parts, names=names),)


def aura_host(game: Game, ref: Ref, player: str) -> tuple[Game, str | None]:
    """What an Aura that is put onto the battlefield will enchant; none if there is nothing (CR 303.4f,
    303.4g).
    """
    specs = enchant_specs(game.seen.look(ref.id))
    hosts: list[str] = []
    for spec in specs[:1]:
        asking = asking_about(game, ref, player)
        if spec.what is not None:
            hosts += [
                id for id in selected(spec.what, asking) if game.rules.may_be_enchanted(game, ref.id, id)
            ]
        if spec.players is not None:
            hosts += [id for id in selected(spec.players, asking) if is_in_game(game, id)]
    if not hosts:
        return game, None
    game, answer = answered(game, Question("object", player, (ref.id,), tuple(hosts)))
    return game, str(answer[0])


def enters_attacking(game: Game, controller: str) -> str | None:
    """What a creature put onto the battlefield attacking attacks (CR 508.4: its controller's choice, here
    only one).
    """
    if side_of(game, controller) != game.board.active or game.combat is None:
        return None
    defenders = opponents_of(game, controller)
    if len(defenders) > 1:
        raise Unsupported("a choice of whom a creature that enters attacking attacks")
    return defenders[0]


def uncounterable(game: Game, ref: Ref) -> bool:
    """Whether something says that it can't be countered."""
    return is_forbidden(game, "be countered", ref.id)


def two_faced(game: Game, id: str) -> bool:
    """Whether a permanent can transform (CR 701.27c: only a double-faced one; 708.2: not while face down)."""
    thing = game.board.things[id]
    return thing.card.back is not None and not thing.face_down


def turn_faces(game: Game, refs: tuple[Ref, ...], up: bool, does: tuple[Operation, ...] = ()) -> Game:
    """The game after permanents were turned face up or down; `does`: what they are besides while face down.

    CR 708.2b: a face-down permanent can't be turned face down. CR 708.11: what happens as it is turned face
    up is chosen while it is.
    """
    events: list[Event] = []
    for id in on_battlefield(game, refs):
        if game.board.things[id].face_down != up:
            continue
        if up and cannot_turn_up(game, id):
            continue
        game, event = game.rules.face_turned(game, id, up)
        events.append(replace(event, hidden_as=does))
    return happen(game, *events) if events else game


def cannot_turn_up(game: Game, id: str) -> bool:
    """Whether something says that it can't be turned face up."""
    return is_forbidden(game, "turn face up", id)


def create(game: Game, scene: Scene, instruction: Create) -> tuple[Game, Scene]:
    """The game after tokens were created (CR 701.7a, 111.2: owned and controlled by who creates them)."""
    number = amount(instruction.n, asked(game, scene))
    events: list[Moved] = []
    for player in people(game, scene, instruction.who):
        if instruction.copy_of is not None:
            for ref in source_of(game, scene, instruction.copy_of):
                for _ in range(number):
                    game, event = copy_token(game, ref, player, instruction.but)
                    events.append(event)
        elif instruction.token is not None:
            for _ in range(number):
                game, event = token(game, player, instruction.token, ())
                events.append(event)
    if instruction.tapped or instruction.attacking:
        events = [created_as(game, event, instruction) for event in events]
    game = happen(game, *events) if events else game
    made = tuple(event.id for event in events)
    game = replace(game, made=game.made + made)
    if instruction.name is not None:
        scene = scene.named(instruction.name, tuple(game.ref(id) for id in made))
    return game, scene


def created_as(game: Game, event: Moved, instruction: Create) -> Moved:
    """A token's creation, tapped or attacking as the instruction says."""
    assert event.entering is not None
    attacked = enters_attacking(game, event.entering.under) if instruction.attacking else None
    return replace(event, entering=replace(event.entering, tapped=instruction.tapped, attacking=attacked))


def token(
    game: Game, player: str, card: cards.Card, operations: tuple[SettledOperation, ...]
) -> tuple[Game, Moved]:
    """The creation of one token."""
    game, now = ticked(game)
    id = f"{card.name}#{now}"
    begins: tuple[Lasting, ...] = ()
    if operations:
        parts = (SettledPart(frozenset({id}), operations),)
        begins = (Lasting(f"{id} copy", id, player, now, parts, leaves_with=id),)
    thing = Thing(id=id, card=card, owner=player, zone="battlefield", token=True)
    return game, Moved(id, None, "battlefield", "created", Entering(under=player, begins=begins), token=thing)


def copy_token(game: Game, ref: Ref, player: str, but: tuple[Operation, ...]) -> tuple[Game, Moved]:
    """The creation of a token that is a copy of an object, as that object is or last was."""
    board = last_board(game, ref)
    values = copiable_values(board, ref.id, game.rules)
    operations: tuple[SettledOperation, ...] = (CopyValues(values),)
    if but:
        operations = (*operations, SetCopiable(but))
    return token(game, player, board.things[ref.id].card, operations)


def add_mana(game: Game, scene: Scene, instruction: AddMana) -> Game:
    """The game after mana was added to pools; of "any" the player chooses the colour (CR 106.1b: five
    colours).
    """
    number = amount(instruction.n, asked(game, scene))
    for player in people(game, scene, instruction.who):
        if instruction.mana == "any":
            if scene.produces is not None:
                color: AnswerValue = scene.produces
                letter = COLOR_LETTER.get(str(color), letters_of(str(color)))
                if letter not in ("W", "U", "B", "R", "G"):
                    raise Rejected(f"{color} is no colour of mana")
            else:
                game, answer = answered(game, Question("color", player, askers(game, scene), COLORS))
                letter = COLOR_LETTER[str(answer[0])]
            mana = letter * number
        else:
            mana = letters_of(instruction.mana) * number
        mana = game.rules.mana_as_changed(game, scene.this, mana)
        game = happen(game, ManaAdded(player, mana, scene.this.id)) if mana else game
    return game


def search(game: Game, scene: Scene, instruction: Search) -> Game:
    """The game after players searched their libraries and shuffled.

    CR 701.23b: who searches for a card with a stated quality need not find one.
    """
    for player in people(game, scene, instruction.who):
        question = asking_about(game, scene.this, scene.you)
        library = seat_of(game, player).library
        wanted = everything_like(instruction.what)
        found = selected(replace(wanted, zones=frozenset({"library"})), replace_you(question, player))
        options = tuple(id for id in library if id in found)
        most = min(instruction.n, len(options))
        least = 0 if instruction.what != cards.Filter() else most
        game, answer = answered(game, Question("cards", player, askers(game, scene), options, least, most))
        events: list[Event] = []
        for id in answer:
            entering = None
            if instruction.to == "battlefield":
                entering = Entering(under=player, tapped=instruction.tapped)
            events.append(Moved(str(id), "library", instruction.to, "put", entering))
        game = happen(game, *events) if events else game
        game = happen(game, Shuffled(player))
    return game


def replace_you(asking: Asking, you: str) -> Asking:
    """The same question on behalf of another player."""
    return Asking(asking.board, asking.view, asking.this, you, asking.it, asking.names, asking.x, asking.was)


# ------------------------------------------------------------------------------- choices, conditions


def choose(game: Game, scene: Scene, instruction: cards.Choose) -> tuple[Game, Scene]:
    """The game and scene after a player chose something while the effect is applied (CR 608.2d: announced
    then).
    """
    for player in people(game, scene, instruction.who):
        match instruction.kind:
            case "object":
                assert instruction.what is not None
                refs = acted_on(game, scene, instruction.what)
                options = tuple(ref.id for ref in refs)
                most = min(instruction.most, len(options))
                question = Question(
                    "object", player, askers(game, scene), options, min(instruction.least, most), most
                )
                game, answer = answered(game, question)
                scene = with_chosen(scene, instruction.name, tuple(game.ref(str(id)) for id in answer))
            case "player":
                options = people(game, scene, instruction.what) if instruction.what else players(game)
                game, answer = answered(game, Question("player", player, askers(game, scene), options))
                scene = with_chosen(scene, instruction.name, tuple(Ref(str(id)) for id in answer))
            case _:
                asking = asked(game, scene)
                game, words = game.rules.words_chosen(game, instruction, player, askers(game, scene), asking)
                if instruction.kind == "color":
                    scene = replace(scene, colors=tuple(str(word) for word in words))
                elif instruction.kind == "number":
                    scene = replace(scene, number=int(str(words[0])))
                elif instruction.kind == "type":
                    scene = replace(scene, type=str(words[0]))
                else:
                    raise Unsupported(f"choosing a {instruction.kind} while something resolves")
    return game, scene


def with_chosen(scene: Scene, name: str, refs: tuple[Ref, ...]) -> Scene:
    """The scene with these chosen as well, under a name that may already mean others."""
    before = dict(scene.names).get(name, ())
    return scene.named(name, before + tuple(ref for ref in refs if ref not in before))


def words_chosen(
    game: Game, choice: cards.Choose, player: str, who_asks: tuple[str, ...], asking: Asking
) -> tuple[Game, tuple[AnswerValue, ...]]:
    """The words or the number that a player chose."""
    options: tuple[AnswerValue, ...] = ()
    match choice.kind, choice.of:
        case "color", _:
            options = COLORS
        case "type", "basic land type":
            options = BASIC_LAND_TYPES
        case "type", "card type":
            options = tuple(SUBTYPES_OF)
        case "type", "color":
            options = COLORS
        case "word", "color":
            options = COLORS
        case "word", "basic land type":
            options = BASIC_LAND_TYPES
    options = tuple(word for word in options if word not in choice.never)
    question = Question(choice.kind, player, who_asks, options, choice.least, choice.most)
    game, answer = answered(game, question)
    for word in answer:
        if word in choice.never:
            raise Rejected(f"{word} can't be chosen here")
        if (
            choice.kind == "name"
            and choice.among is not None
            and not_such_a_card(game, str(word), choice.among)
        ):
            raise Rejected(f"{word} is not the name of such a card")
        if choice.kind == "type" and not options and kind_of_subtype(str(word)) != "creature":
            raise Rejected(f"{word} is no creature type (CR 205.3m)")
        if choice.kind == "number" and not (isinstance(word, int) and word >= 0):
            raise Rejected(f"{word} is no number that can be chosen (CR 107.1)")
    return game, answer


def not_such_a_card(game: Game, name: str, among: cards.Filter) -> bool:
    """Whether a card of this name is known in this game and is not as the filter says (CR 201.4: choosing a
    name).
    """
    there = [thing for thing in game.board.things.values() if thing.card.name == name]
    view = View({(printed(thing.card), status(thing)): frozenset({thing.id}) for thing in there[:1]})
    return bool(there) and not matches(among, there[0].id, Asking(game.board, view, there[0].id))


def word_chosen(
    game: Game, choice: cards.Choose, player: str, id: str, chosen: Chosen, asking: Asking
) -> tuple[Game, Chosen]:
    """What is remembered of an object after something was chosen for it as it enters (CR 607.2d: linked
    abilities).
    """
    if choice.kind == "player":
        options = (
            tuple(p for p in in_order(game) if p in selected(choice.what, asking))
            if choice.what is not None
            else players(game)
        )
        game, answer = answered(game, Question("player", player, (id,), options))
        return game, replace(chosen, player=str(answer[0]))
    if choice.kind == "object":
        raise Unsupported("choosing an object as a permanent enters")
    game, words = game.rules.words_chosen(game, choice, player, (id,), asking)
    word = words[0]
    match choice.kind:
        case "color":
            return game, replace(chosen, color=str(word))
        case "word":
            if choice.of == "color":
                return game, replace(chosen, color=str(word))
            return game, replace(chosen, type=str(word))
        case "type":
            return game, replace(chosen, type=str(word))
        case "name":
            return game, replace(chosen, name=str(word))
        case _:
            return game, replace(chosen, number=int(str(word)))


def may(game: Game, scene: Scene, instruction: May) -> tuple[Game, Scene]:
    """The game and scene after players decided on something optional, and paid for it if it costs something.

    CR 603.5: decided as it resolves. CR 118.12: what is paid then is a cost.
    """
    for player in people(game, scene, instruction.who):
        game, wanted = yes_or_no(game, player, askers(game, scene))
        if wanted and instruction.cost:
            game = paid_while_resolving(game, player, instruction.cost, askers(game, scene), scene.this)
        game, scene = follow_each(game, scene, instruction.effect if wanted else instruction.otherwise)
    return game, scene


def paid_or_not(
    game: Game, player: str, costs: tuple[Cost, ...], who_asks: tuple[str, ...]
) -> tuple[Game, bool]:
    """Whether a player pays a cost that something offers, and the game after it."""
    try:
        after = paid_while_resolving(game, player, costs, who_asks, Ref(who_asks[0]))
    except Rejected:
        return game, False
    game, wanted = yes_or_no(game, player, who_asks)
    if not wanted:
        return game, False
    del after
    return paid_while_resolving(game, player, costs, who_asks, Ref(who_asks[0])), True


def paid_while_resolving(
    game: Game, player: str, costs: tuple[Cost, ...], who_asks: tuple[str, ...], source: Ref
) -> Game:
    """The game after a cost was paid during a resolution. Mana for it is free, as everywhere without `pay`."""
    for cost in costs:
        if isinstance(cost, ManaCost):
            continue
        game, _, _ = game.rules.pay_cost(game, cost, player, source, [], who_asks)
    return game


def one_of(
    game: Game, scene: Scene, options: tuple[cards.Mode, ...], who: tuple[str, ...]
) -> tuple[Game, Scene]:
    """The game and scene after players each took one printed alternative (CR 608.2d: chosen as it
    resolves).
    """
    for player in who:
        numbers = tuple(range(1, len(options) + 1))
        game, answer = answered(game, Question("option", player, askers(game, scene), numbers))
        game, scene = follow_each(game, scene, options[int(str(answer[0])) - 1].effect)
    return game, scene


def later(game: Game, scene: Scene, instruction: Later) -> Game:
    """The game with a delayed triggered ability.

    CR 603.7a: it doesn't trigger on what happened before. CR 603.7d, 603.7e: its source and controller are
    those of what made it. CR 603.7c: it goes on referring to the objects meant now.
    """
    delayed = Delayed(
        when=instruction.when,
        effect=instruction.effect,
        name=instruction.name,
        controller=scene.you,
        source=scene.this,
        cond=instruction.cond,
        it=scene.it,
        names=scene.names,
        x=scene.item.x,
        each=instruction.each,
        this_turn=instruction.each,
    )
    return replace(game, delayed=(*game.delayed, delayed))


# ------------------------------------------------------------------------------ copies, new targets


def what_to_copy(game: Game, scene: Scene, what: Selector) -> tuple[Ref, ...]:
    """The spells and abilities on the stack that are copied."""
    return tuple(ref for ref in acted_on(game, scene, what) if item_of(game, ref.id) is not None)


def copy(game: Game, scene: Scene, ref: Ref, new_targets: bool, but: tuple[Operation, ...]) -> Game:
    """The game with one copy of a spell or ability, for which new targets may have been chosen."""
    item = item_of(game, ref.id)
    assert item is not None
    game, copied = game.rules.copied(game, item, scene.you, but)
    if new_targets and any(copied.targets):
        asks = (*askers(game, scene), name_of(game, copied))
        game = game.rules.retargeted(game, copied, scene.you, asks, False)
    return game


def retargeted(game: Game, item: StackItem, player: str, who_asks: tuple[str, ...], must: bool) -> Game:
    """The game after new targets may have been chosen for a spell or ability.

    CR 115.7d, 707.10c: any number of targets may be left unchanged, even illegal ones; new ones must be
    legal. CR 115.7a: where it says "change", to another legal target, or not at all if there is none. CR
    115.7f: a division stays as it was.
    """
    chosen: list[tuple[Ref, ...]] = []
    for spec, refs in zip(item.specs, item.targets, strict=True):
        named = named_targets(item.specs, tuple(chosen))
        legal = game.rules.legal_targets(game, item, spec, named)
        old_ids = tuple(ref.id for ref in refs)
        if must:
            others = tuple(id for id in legal if id not in old_ids)
            options = others if len(others) >= len(refs) else old_ids
        else:
            options = tuple(dict.fromkeys((*old_ids, *legal)))
        shown = tuple(shown_ref(game, Ref(id)) for id in options)
        game, answer = answered(game, Question("targets", player, who_asks, shown, len(refs), len(refs)))
        by_name = dict(zip(shown, options, strict=True))
        now = tuple(
            next((old for old in refs if old.id == by_name[str(name)]), None)
            or resolve_target(game, str(name))
            for name in answer
        )
        chosen.append(now)
    moved = {
        old.id: new.id
        for olds, news in zip(item.targets, chosen, strict=True)
        for old, new in zip(olds, news, strict=True)
    }
    divide = tuple(Share(moved.get(share.to, share.to), share.n) for share in item.divide)
    return with_item(game, replace(item, targets=tuple(chosen), divide=divide))


def attach(game: Game, id: str, host: str) -> Game:
    """The game after an attempt to attach one thing to another.

    CR 701.3b: to something it can't be attached to, or is attached to already, it does not move.
    """
    thing = game.board.things[id]
    if thing.zone != "battlefield" or thing.attached_to == host:
        return game
    if not game.rules.may_be_attached(game, id, host):
        return game
    return happen(game, Attached(id, host))


def exchange(game: Game, scene: Scene, instruction: ExchangeControl) -> Game:
    """The game after two permanents have changed controllers, unless that is impossible (CR 701.12b: all or
    nothing).
    """
    ones = on_battlefield(game, acted_on(game, scene, instruction.one))
    if instruction.other is None:
        ones, others = ones[:1], ones[1:]
    else:
        others = on_battlefield(game, acted_on(game, scene, instruction.other))
    if len(ones) != 1 or len(others) != 1:
        return game
    one, other = ones[0], others[0]
    first, second = game.seen.look(one).controller, game.seen.look(other).controller
    if first is None or second is None or first == second:
        return game
    game, now = ticked(game)
    effect = Lasting(
        id=f"exchange {now}",
        source=scene.this.id,
        you=scene.you,
        timestamp=now,
        parts=(
            SettledPart(frozenset({one}), (GainControl(The(second)),)),
            SettledPart(frozenset({other}), (GainControl(The(first)),)),
        ),
        until=instruction.until,
        names=((first, (first,)), (second, (second,))),
    )
    return happen(game, Began(effect))


# -------------------------------------------------------------------------- continuous effects begin


def begin(game: Game, scene: Scene, effect: Effect) -> Game:
    """The game in which a continuous effect of a resolving spell or ability has begun.

    CR 611.2b: a duration that is over already never begins. CR 611.2c: if it changes characteristics or
    control its set is fixed now; if it only changes rules it is not. CR 611.2d: its variables are settled
    now.
    """
    if effect.as_long_as is not None and not lasts(game, scene.this, scene.you, effect.as_long_as, scene):
        return game
    game, now = ticked(game)
    stays_open = not is_fixed(effect.affects)
    on_rules = tuple(op for op in effect.does if op.layer == "rules" and stays_open)
    on_others = tuple(op for op in effect.does if op not in on_rules)
    game, parts, names = game.rules.fixed_parts(game, scene, effect.affects, on_others)
    if on_rules:
        game, operations, named = settled_operations(game, scene, on_rules, asked(game, scene))
        parts = (*parts, SettledPart(effect.affects, operations))
        names |= dict(named)
    if on_rules or effect.as_long_as is not None:
        names = {n: tuple(ref.id for ref in refs) for n, refs in scene.names} | names
    if not parts:
        return game
    lasting = Lasting(
        id=f"effect {now}",
        source=scene.this.id,
        you=scene.you,
        timestamp=now,
        parts=parts,
        until=effect.until,
        as_long_as=effect.as_long_as,
        names=tuple(names.items()),
        x=scene.item.x,
    )
    if effect.as_long_as is not None:
        game = replace(game, tied={**game.tied, lasting.id: scene.this})
    return happen(game, Began(lasting))


def is_fixed(affects: Selector) -> bool:
    """Whether a selector means certain objects or players, not all that are of some kind."""
    return isinstance(affects, This | It | The) or (isinstance(affects, All) and affects.same_as is not None)


def fixed_parts(
    game: Game, scene: Scene, affects: Selector, does: tuple[Operation, ...]
) -> tuple[Game, tuple[SettledPart, ...], dict[str, tuple[str, ...]]]:
    """The parts of an effect for the objects or players that it affects from now on, and only those.

    CR 611.2c: the set is fixed as the effect begins. CR 113.11: what can't have an ability doesn't get it,
    not even when it could have it later.
    """
    parts: list[SettledPart] = []
    names: dict[str, tuple[str, ...]] = {}
    ids = tuple(ref.id for ref in acted_on(game, scene, affects)) if does else ()
    groups = [(id,) for id in ids] if any(mentions_it(operation) for operation in does) else [ids]
    for group in groups:
        question = asked(game, scene)
        if len(groups) > 1 or len(group) == 1:
            question = question.about(group[0])
        game, operations, named = settled_operations(game, scene, does, question)
        names |= dict(named)
        of_players = any(id not in game.board.things for id in group)
        for some, wanted in by_what_they_can_have(game, group, operations):
            if some and wanted:
                parts.append(SettledPart(frozenset(some), wanted, of_players))
    return game, tuple(parts), names


def by_what_they_can_have(
    game: Game, ids: tuple[str, ...], operations: tuple[SettledOperation, ...]
) -> list[tuple[tuple[str, ...], tuple[SettledOperation, ...]]]:
    """The objects in groups, each with the operations without the keywords that it can't have."""
    gained = {
        a.keyword for op in operations if isinstance(op, Gain) for a in op.abilities if isinstance(a, Keyword)
    }
    barred: dict[frozenset[str], list[str]] = {}
    for id in ids:
        look = game.seen.look(id) if id in game.board.things else game.seen.players[id]
        barred.setdefault(frozenset(look.cannot_have) & gained, []).append(id)
    return [
        (tuple(some), tuple(op for op in (without(op, words) for op in operations) if op is not None))
        for words, some in barred.items()
    ]


def without(operation: SettledOperation, words: frozenset[str]) -> SettledOperation | None:
    """An operation without granting these keywords; none if nothing is left of it."""
    if not isinstance(operation, Gain) or not words:
        return operation
    kept = tuple(a for a in operation.abilities if not (isinstance(a, Keyword) and a.keyword in words))
    return Gain(kept) if kept else None


def lasts(
    game: Game,
    this: Ref,
    you: str,
    condition: cards.Condition,
    scene: Scene | None = None,
    named: Mapping[str, tuple[Ref, ...]] | None = None,
) -> bool:
    """Whether the condition of a "for as long as" holds; of an object that is gone nothing holds any more."""
    if speaks_of_this(condition):
        thing = game.board.things.get(this.id)
        if thing is None or thing.zone != "battlefield" or not game.is_there(this):
            return False
    asking = asked(game, scene) if scene is not None else asking_about(game, this, you, names=named)
    return holds(condition, asking)


def speaks_of_this(value: object) -> bool:
    """Whether a condition is about the object it is on."""
    if isinstance(value, This):
        return True
    if isinstance(value, Struct):
        return any(speaks_of_this(getattr(value, name)) for name in value.__struct_fields__)
    return isinstance(value, tuple) and any(speaks_of_this(member) for member in value)


def settled_operations(
    game: Game, scene: Scene, does: tuple[Operation, ...], asking: Asking
) -> tuple[Game, tuple[SettledOperation, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    """What an effect does, with everything that is fixed as it begins worked out (CR 611.2d: variables)."""
    settled: list[SettledOperation] = []
    names: dict[str, tuple[str, ...]] = {}
    for operation in does:
        match operation:
            case BecomeCopy(of, but):
                models = selected(of, asking)
                if models:
                    # CR 707.2b: the values are those of this moment.
                    settled.append(CopyValues(copiable_values(game.board, models[0], game.rules)))
                    if but:
                        settled.append(SetCopiable(but))
            case GainControl(player):
                who = selected(player, asking)
                if isinstance(player, You):
                    settled.append(operation)
                elif who:
                    settled.append(GainControl(The(who[0])))
                    names[who[0]] = (who[0],)
            case ReplaceWord(_, old, new):
                complete = operation
                if old is None or new is None:
                    game, complete = words_replaced(game, scene, operation)
                settled.append(complete)
            case Costs():
                settled.append(operation)
            case _:
                settled.append(with_numbers(operation, asking))
    return game, tuple(settled), tuple(names.items())


QUANTITIES = ("power", "toughness", "n")


def with_numbers(operation: Operation, asking: Asking) -> Operation:
    """An operation with its quantities as numbers; abilities that it quotes keep theirs."""
    fields: dict[str, int] = {}
    for name in QUANTITIES:
        value: Quantity | None = getattr(operation, name, None)
        if value is not None and not isinstance(value, int):
            fields[name] = amount(value, asking)
    return replace(operation, **fields) if fields else operation


def words_replaced(game: Game, scene: Scene, operation: ReplaceWord) -> tuple[Game, ReplaceWord]:
    """The word to replace, and its replacement if it is not given, chosen as the effect begins (CR 612.2:
    of one kind).
    """
    wanted = 1 if operation.new is not None else 2
    question = Question("word", scene.you, askers(game, scene), least=wanted, most=wanted)
    game, answer = answered(game, question)
    old = str(answer[0])
    new = operation.new if operation.new is not None else str(answer[1])
    kinds = {kind_of_word(old), kind_of_word(new)}
    if len(kinds) != 1 or not kinds <= operation.kinds or new in operation.never:
        raise Rejected(
            f"{old} can't be replaced by {new}: one of {', '.join(sorted(operation.kinds))} by another"
        )
    return game, replace(operation, old=old, new=new)


def kind_of_word(word: str) -> str:
    """Which kind of word it is that a text-changing effect may replace."""
    if word in COLORS:
        return "color"
    if word in BASIC_LAND_TYPES:
        return "basic land type"
    return "creature type" if kind_of_subtype(word) == "creature" else "other"
