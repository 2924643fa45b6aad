"""Carrying out the instructions of a resolving spell or ability (CR 608.2c–m).

`follow` is the entry point: it takes an instruction and the scene that gives its words their meaning. When
several players act at the same time, each chooses first in APNAP order, and then all act simultaneously
(CR 101.4, 608.2e).
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from reference_engine.game.at_once import AtOnce
from reference_engine.game.beginning import begin, exchange
from reference_engine.game.choices import choose
from reference_engine.game.copying import copy, what_to_copy
from reference_engine.game.events import (
    GameEvent,
    Revealed,
    Transformed,
    did_anything,
    happen,
    told,
)
from reference_engine.game.game import (
    Delayed,
    Game,
    Question,
    Ref,
    StackItem,
    WaitingTrigger,
    members,
    side_of,
)
from reference_engine.game.mana import kinds_made
from reference_engine.game.moving import add_mana, create, move, put, search, turn_faces, two_faced
from reference_engine.game.questions import answered, yes_or_no
from reference_engine.game.recall import following
from reference_engine.game.rule_effects import is_forbidden
from reference_engine.game.scene import Scene, acted_on, asked, askers, on_battlefield, people, with_words
from reference_engine.game.stack import (
    item_of,
)
from reference_engine.game.triggers import speaks_of_that_player, with_waiting
from reference_engine.language import cards
from reference_engine.language.cards import (
    AddMana,
    AnyEvent,
    Attach,
    ChangeTarget,
    CopySpell,
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
    GainLife,
    If,
    Instruction,
    Later,
    LookAt,
    LoseLife,
    May,
    OneOfInstruction,
    Put,
    PutCounters,
    Regenerate,
    RemoveCounters,
    Reveal,
    Sacrifice,
    Search,
    Tap,
    Transform,
    Triggered,
    TurnFace,
    Untap,
    WhenYouDo,
)
from reference_engine.layers.asking import amount, holds


def follow(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, Scene]:
    """The game and the scene after one instruction was followed."""
    before = game
    game, scene = with_active_player(game, scene, instruction)
    game, scene = done(game, scene, with_words(instruction, scene))
    # CR 400.7j: later instructions can find an object that this one moved to a public zone.
    return game, replace(
        scene,
        did=scene.did if isinstance(instruction, WhenYouDo) else did_anything(before, game),
        this=following(before, game, scene.this),
        it=None if scene.it is None else following(before, game, scene.it),
        names=tuple((n, tuple(following(before, game, ref) for ref in refs)) for n, refs in scene.names),
    )


def with_active_player(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, Scene]:
    """The scene with the player known whom "the active player" means.

    CR 805.9: with shared turns there are several; the ability's controller chooses one as it is applied.
    """
    there = members(game, game.board.active)
    known = "active player" in dict(scene.names)
    if len(there) < 2 or known or isinstance(instruction, Later) or not speaks_of_that_player(instruction):
        return game, scene
    game, answer = answered(game, Question("player", scene.you, askers(game, scene), there))
    return game, scene.named("active player", (Ref(str(answer[0])),))


def done(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, Scene]:
    """The game and the scene after one instruction of any kind."""
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
            # CR 708.12: revealing a face-down permanent shows the card itself.
            things = game.board.things
            refs = tuple(replace(ref, revealed=ref.id in things and things[ref.id].face_down) for ref in refs)
            return game, scene.named(name, refs)
        case Search():
            return search(game, scene, instruction), scene
        case cards.ChooseInstruction():
            return choose(game, scene, instruction)
        case May():
            return may(game, scene, instruction)
        case If(cond, effect, otherwise):
            return follow_each(game, scene, effect if holds(cond, asked(game, scene)) else otherwise)
        case Later():
            return later(game, scene, instruction), scene
        case WhenYouDo():
            return (when_you_do(game, scene, instruction) if scene.did else game), scene
        case CopySpell(what, n, new_targets, but):
            for _ in range(amount(n, asked(game, scene))):
                for item in what_to_copy(game, scene, what):
                    game = copy(game, scene, item, new_targets, but)
            return game, scene
        case ChangeTarget(what, must):
            for ref in acted_on(game, scene, what):
                aimed = item_of(game, ref.id)
                if aimed is not None:
                    game = game.rules.retargeted(game, aimed, scene.you, askers(game, scene), must)
            return game, scene
        case Attach(what, to):
            hosts = acted_on(game, scene, to)
            for ref in acted_on(game, scene, what) if len(hosts) == 1 else ():
                game = game.rules.attach(game, ref.id, hosts[0].id)
            return game, scene
        case ExchangeControl():
            return exchange(game, scene, instruction), scene
        case OneOfInstruction(options, who):
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
    """The game after instructions about other objects were followed as a permanent enters (CR 614.13:
    other objects).
    """
    item = StackItem(id=id, kind="activated", controller=you, source=Ref(id), born=0, name="entry")
    game, _ = follow_each(game, Scene(item=item, this=game.ref(id), you=you), effect)
    return game


def for_each_player(game: Game, scene: Scene, who: tuple[str, ...], effect: tuple[Instruction, ...]) -> Game:
    """The game after each player has followed the instructions.

    CR 608.2e: for each action, players choose first, in APNAP order; then all of them act simultaneously.
    """
    scenes = {player: replace(scene, you=player) for player in who}
    for instruction in effect:
        if isinstance(instruction, AtOnce):
            events: tuple[GameEvent, ...] = ()
            acted: set[str] = set()
            for player in who:
                game, own = game.rules.events_of(
                    game, scenes[player], with_words(instruction, scenes[player])
                )
                events += own
                acted |= {player} if own else set()
            before = game
            game = happen(game, *events) if events else game
            for player in who:
                names = tuple(
                    (n, tuple(following(before, game, ref) for ref in refs))
                    for n, refs in scenes[player].names
                )
                scenes[player] = replace(scenes[player], names=names, did=player in acted)
        else:
            for player in who:
                game, scenes[player] = follow(game, scenes[player], instruction)
    return game


def uncounterable(game: Game, ref: Ref) -> bool:
    """Whether an effect says that it can't be countered."""
    return is_forbidden(game, "be countered", ref.id)


def may(game: Game, scene: Scene, instruction: May) -> tuple[Game, Scene]:
    """The game and scene after players decided whether to do something optional, and paid its cost.

    CR 603.5: decided as it resolves. CR 118.12: what is paid then is a cost.
    """
    for player in people(game, scene, instruction.who):
        asks = askers(game, scene)
        if instruction.cost:
            game, wanted = game.rules.paid_or_not(game, player, instruction.cost, asks, scene.this)
            scene = replace(scene, did=True)
        else:
            game, wanted = yes_or_no(game, player, asks)
        game, scene = follow_each(game, scene, instruction.effect if wanted else instruction.otherwise)
    return game, scene


def one_of(
    game: Game, scene: Scene, options: tuple[cards.Mode, ...], who: tuple[str, ...]
) -> tuple[Game, Scene]:
    """The game and scene after each player chose one of the options (CR 608.2d: chosen as it resolves)."""
    for player in who:
        option = next((one for one in options if scene.produces in kinds_made(one.effect)), None)
        if option is None:
            numbers = tuple(range(1, len(options) + 1))
            game, answer = answered(game, Question("option", player, askers(game, scene), numbers))
            option = options[int(str(answer[0])) - 1]
        game, scene = follow_each(game, scene, option.effect)
    return game, scene


def later(game: Game, scene: Scene, instruction: Later) -> Game:
    """The game with a delayed triggered ability.

    CR 603.7a: it doesn't trigger on earlier events. CR 603.7d, 603.7e: it has the source and controller of
    what created it. CR 603.7c: it keeps referring to the objects meant now.
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
        this_turn=instruction.each or instruction.this_turn,
    )
    return replace(game, delayed=(*game.delayed, delayed))


def when_you_do(game: Game, scene: Scene, instruction: WhenYouDo) -> Game:
    """The game with a reflexive triggered ability waiting.

    CR 603.12: like a delayed one, but checked at once against what has happened in this resolution; its
    targets are chosen as it is put on the stack. CR 603.7d, 603.7e: it has the source and controller of what
    created it.
    """
    ability = Triggered(
        when=AnyEvent(()), effect=instruction.effect, targets=instruction.targets, name=instruction.name
    )
    item = scene.item
    waiting = WaitingTrigger(
        ability=ability,
        name=instruction.name,
        controller=item.controller,
        source=scene.this,
        slot=item.slot,
        it=scene.it,
        names=scene.names,
        x=item.x,
        that_much=item.that_much,
    )
    return with_waiting(game, [waiting])
