"""Carrying out the instructions of a resolving spell or ability (CR 608.2c–m).

`follow` is the entry point: it takes an instruction and the scene that gives its words their meaning. When
several players act at the same time, each chooses first in APNAP order, and then all act simultaneously
(CR 101.4, 608.2e).
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.at_once import AtOnce, is_at_once, sequel
from reference_engine.game.beginning import begin, exchange, with_numbers_settled
from reference_engine.game.changes import without_card
from reference_engine.game.choices import choose, choosers
from reference_engine.game.copying import copy, copy_of_card, items_to_copy, with_other_targets
from reference_engine.game.costs import Wording
from reference_engine.game.events import (
    GameEvent,
    GameOver,
    LeftCombat,
    LevelChanged,
    Moved,
    Revealed,
)
from reference_engine.game.game import (
    DelayedTrigger,
    Game,
    Question,
    Ref,
    StackItem,
    WaitingTrigger,
    is_in_game,
    last_board,
    members,
    players_in_order,
    side_of,
    ticked,
)
from reference_engine.game.happening import (
    did_anything,
    drew,
    each_once,
    happen,
    happen_if_any,
    took_place,
    with_event,
)
from reference_engine.game.library import discovering
from reference_engine.game.mana import kinds_made
from reference_engine.game.moving import (
    add_mana,
    entry,
)
from reference_engine.game.phases import step_added
from reference_engine.game.possible import castable, terms_of, uncounterable
from reference_engine.game.questions import take_answer, yes_or_no
from reference_engine.game.recall import ref_after_move
from reference_engine.game.rule_effects import is_forbidden
from reference_engine.game.scene import (
    SEVERAL,
    Scene,
    affected_refs,
    askers,
    asking_in,
    branch_taken,
    on_battlefield,
    people,
    people_who_left,
    refs_meant,
    with_words,
)
from reference_engine.game.stack import (
    spell_of,
)
from reference_engine.game.state_based import is_in_combat
from reference_engine.game.triggers import speaks_now_of, with_waiting
from reference_engine.language import cards
from reference_engine.language.cards import (
    Ability,
    ActivePlayer,
    AddMana,
    AddTypes,
    All,
    Amass,
    AnyEvent,
    BecomeMonarch,
    Cast,
    ChangeTarget,
    Cloak,
    Connive,
    ControlPlayer,
    CopyCard,
    CopySpell,
    Cost,
    Counters,
    CounterSpell,
    Create,
    DefendingPlayer,
    Discard,
    DiscardCost,
    Discover,
    Draw,
    Effect,
    Emblem,
    EndTurn,
    ExchangeControl,
    ExileCost,
    ExileUntilFound,
    Exists,
    Explore,
    ExtraPhases,
    ExtraStep,
    ExtraTurn,
    Filter,
    ForEachPlayer,
    If,
    Instruction,
    ItBecomes,
    Later,
    LockDoor,
    LookAt,
    Manifest,
    ManifestDread,
    Matches,
    May,
    Not,
    OneOfInstruction,
    OwnerOf,
    Put,
    PutCounters,
    RemoveFromCombat,
    Reveal,
    Selector,
    SetLevel,
    SkipNext,
    The,
    Triggered,
    TurnFace,
    UnlockDoor,
    WhenYouDo,
    WinGame,
    You,
)
from reference_engine.layers.asking import amount, is_player, own_past, selection
from reference_engine.layers.board import Seat, Thing, repeatable
from reference_engine.layers.evaluation import evaluate
from reference_engine.layers.operations import with_chosen_words


def follow(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, Scene]:
    """The game and the scene after one instruction was followed."""
    return follow_each(game, scene, (instruction,))


def follow_each(game: Game, scene: Scene, effect: tuple[Instruction, ...]) -> tuple[Game, Scene]:
    """The game and the scene after several instructions, in order."""
    game, (scene,) = follow_together(game, ((scene, effect),))
    return game, scene


def follow_together(
    game: Game, parts: tuple[tuple[Scene, tuple[Instruction, ...]], ...]
) -> tuple[Game, tuple[Scene, ...]]:
    """The game and the scenes after players have followed their instructions together.

    CR 608.2e: for each action, players choose first, in APNAP order; then all of them act simultaneously.
    """
    scenes = [scene for scene, _ in parts]
    did = [False] * len(parts)
    for number in range(max([len(effect) for _, effect in parts], default=0)):
        if game.turn_ends or game.over:
            break
        acting = [place for place, (_, effect) in enumerate(parts) if number < len(effect)]
        game, after = followed_at_once(game, [(scenes[place], parts[place][1][number]) for place in acting])
        for place, scene in zip(acting, after, strict=True):
            scenes[place] = scene
            did[place] = did[place] or scene.did
    return game, tuple([replace(scene, did=done) for scene, done in zip(scenes, did, strict=True)])


class OwnPart(Struct, frozen=True):
    """What a player does by one instruction: something that happens at the same time as what others do by it,
    or further instructions that the player has chosen to follow.
    """

    scene: Scene
    instruction: Instruction
    events: tuple[GameEvent, ...] = ()
    then: tuple[Instruction, ...] = ()
    did: bool = False
    """Whether anything has happened by it (CR 603.12: "when you do")."""


def followed_at_once(game: Game, step: list[tuple[Scene, Instruction]]) -> tuple[Game, tuple[Scene, ...]]:
    """The game and the scenes after players have each followed one instruction at the same time.

    CR 506.4: what stops being a creature leaves combat at once, also if it is one again when all is done.
    """
    before, shares, settled = game, [], []
    for words, told in step:
        game, scene, instructions = without_condition(game, words, told)
        settled.append((scene, instructions))
    for scene, (instruction, *_) in settled:
        there = game
        game, share = with_choices_made(game, scene, instruction)
        match instruction:
            case Draw():
                did = drew(there, game)
            case Create():
                did = False  # no token is there yet, though other things may have happened instead
            case _:
                did = did_anything(there, game)
        shares.append(replace(share, did=True) if did else share)
    chosen = game
    if events := tuple([event for share in shares for event in share.events]):
        game = happen(game, *each_once(events))
    for place, share in enumerate(shares):
        there = game
        game, scene = sequel(chosen, game, share.scene, share.instruction, share.events)
        did = share.did or took_place(chosen, game, share.events) or did_anything(there, game)
        shares[place] = replace(share, scene=scene, did=did)
    if [share for share in shares if share.then]:
        game, scenes = follow_together(game, tuple((share.scene, share.then) for share in shares))
        shares = [
            replace(share, scene=replace(scene, optional=old.optional), did=share.did or scene.did)
            for share, scene, (old, _) in zip(shares, scenes, step, strict=True)
        ]
    if game.combat is not None and game.board is not before.board:
        game = game.rules.combat_noticed(game)
    after = tuple([scene_after(before, game, share) for share in shares])
    rest = [instructions[1:] for _, instructions in settled]
    if not any(rest):
        return game, after
    game, further = follow_together(game, tuple(zip(after, rest, strict=True)))
    return game, tuple(
        replace(scene, did=scene.did or old.did, optional=old.optional)
        for scene, old in zip(further, after, strict=True)
    )


def with_words_settled(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, Scene, Instruction]:
    """The game, the scene and an instruction in which each word means one thing, before anyone follows it."""
    game, scene = with_active_player(game, scene, instruction)
    game, scene = with_defending_player(game, scene, instruction)
    instruction = with_words(instruction, scene)
    if isinstance(instruction, Effect):
        instruction = with_numbers_settled(game, scene, instruction)
    elif isinstance(instruction, BEGINNING_SOMETHING):
        # CR 608.2h: what was chosen for its source is known now, and the source may be gone later.
        instruction = with_chosen_words(instruction, asking_in(game, scene))
    elif isinstance(instruction, ONE_AFTER_ANOTHER):
        # CR 608.2h: a number is determined only once, whatever the first of several actions changes.
        instruction = replace(instruction, n=amount(instruction.n, asking_in(game, scene)))
    return game, scene, instruction


ONE_AFTER_ANOTHER = (Draw, Connive, Manifest, Cloak, Amass, Discover)
"""Instructions with a number that are followed in several steps, or by one player after another."""

LATER = (Later, WhenYouDo)
"""Instructions whose words are settled as the ability that they create is put on the stack or resolves."""

BEGINNING_SOMETHING = (Put, TurnFace, Create, CopySpell, Emblem)
"""Instructions that give abilities or other characteristics to what they put somewhere, turn or create."""


def with_choices_made(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, OwnPart]:
    """The game after a player has made the choices of an instruction, and what is left to be done.

    What players can only do one after another is done already (CR 608.2f: if an action can't be processed
    simultaneously).
    """
    events: tuple[GameEvent, ...] = ()
    then: tuple[Instruction, ...] = ()
    did = False
    if is_at_once(instruction):
        game, events = game.rules.events_of(game, scene, instruction)
    elif isinstance(instruction, May):
        game, scene, then = may(game, scene, instruction)
        did = scene.did
    elif isinstance(instruction, OneOfInstruction):
        game, then = one_of(game, scene, instruction)
    elif not isinstance(instruction, If):  # its condition has left nothing to be done
        game, scene = follow_instruction(game, scene, instruction)
    return game, OwnPart(scene, instruction, events, then, did)


def without_condition(
    game: Game, scene: Scene, instruction: Instruction
) -> tuple[Game, Scene, tuple[Instruction, ...]]:
    """The game, the scene and the instructions that are followed for one that may have a condition.

    CR 608.2e: the first of them is followed at the same time as what others do by it.
    """
    game, scene, instruction = with_words_settled(game, scene, instruction)
    if not isinstance(instruction, If):
        return game, scene, (instruction,)
    branch = branch_taken(instruction, asking_in(game, scene))
    if not branch:
        return game, scene, (instruction,)
    game, scene, instructions = without_condition(game, scene, branch[0])
    return game, scene, (*instructions, *branch[1:])


def scene_after(before: Game, game: Game, share: OwnPart) -> Scene:
    """The scene after an instruction was followed.

    CR 400.7j: later instructions can find an object that this one moved to a public zone.
    """
    scene = share.scene
    if game.board.things is before.board.things:
        return replace(scene, did=share.did)
    return replace(
        scene,
        did=share.did,
        this=ref_after_move(before, game, scene.this),
        it=None if scene.it is None else ref_after_move(before, game, scene.it),
        names=tuple((n, tuple(ref_after_move(before, game, ref) for ref in refs)) for n, refs in scene.names),
    )


def with_active_player(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, Scene]:
    """The scene in which "the active player" means one particular player.

    CR 805.9: with shared turns there are several; the ability's controller chooses one as it is applied.
    CR 800.4j: there is none if the player has left the game in that turn.
    """
    if ActivePlayer not in game.mentions:
        return game, scene
    there = members(game, game.board.active)
    known = there in ((), (game.board.active,)) or "active player" in dict(scene.names)
    if known or isinstance(instruction, LATER) or not speaks_now_of(instruction, ActivePlayer):
        return game, scene
    game, answer = take_answer(game, Question("player", scene.you, askers(game, scene), there))
    return game, scene.named("active player", (Ref(str(answer[0])),))


def with_defending_player(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, Scene]:
    """The scene in which "defending player" means one particular player.

    CR 508.5a: if there are several, the ability's controller chooses one, except where each of several
    attackers has its own.
    """
    if DefendingPlayer not in game.mentions or isinstance(instruction, LATER):
        return game, scene
    about: object = instruction
    if isinstance(instruction, Effect) and isinstance(instruction.affects, SEVERAL):
        about = instruction.affects
    if not speaks_now_of(about, DefendingPlayer):
        return game, scene
    there = selection(DefendingPlayer(), asking_in(game, scene))
    if len(there) < 2:
        return game, scene
    game, answer = take_answer(game, Question("player", scene.you, askers(game, scene), there))
    return game, scene.named("defending player", (Ref(str(answer[0])),))


def follow_instruction(game: Game, scene: Scene, instruction: Instruction) -> tuple[Game, Scene]:
    """The game and the scene after a player has followed an instruction that nobody follows at the same
    time.
    """
    match instruction:
        case Effect():
            return begin(game, scene, instruction), scene
        case RemoveFromCombat(what):
            ids = on_battlefield(game, affected_refs(game, scene, what))
            return game.rules.removed_from_combat(game, ids), scene
        case Draw(n, who):
            number = repeatable(amount(n, asking_in(game, scene)))
            for player in people(game, scene, who):
                game = game.rules.draw(game, player, number)
            return game, scene
        case CounterSpell(what, name):
            refs = affected_refs(game, scene, what)
            for ref in refs:
                if not uncounterable(game, ref):
                    game = game.rules.countered(game, ref)
            return game, scene.named(name, refs)
        case AddMana():
            return add_mana(game, scene, instruction), scene
        case LookAt(what):
            ids = tuple(ref.id for ref in affected_refs(game, scene, what))
            return with_event(game, Revealed(ids, scene.you, to_all=False)), scene
        case Reveal(what, name):
            refs = affected_refs(game, scene, what)
            if refs:
                game = with_event(game, Revealed(tuple(ref.id for ref in refs), scene.you))
            # CR 708.12: revealing a face-down permanent shows the card itself.
            refs = tuple(replace(ref, revealed=game.board.things[ref.id].face_down) for ref in refs)
            return game, scene.named(name, refs)
        case ExileUntilFound():
            return game.rules.exiled_until_found(game, scene, instruction)
        case Discover():
            return follow_each(game, scene, discovering(instruction))
        case cards.ChooseInstruction():
            return choose(game, scene, instruction)
        case Later():
            return later(game, scene, instruction), scene
        case WhenYouDo():
            return (when_you_do(game, scene, instruction) if scene.did else game), scene
        case CopySpell(what, n, new_targets, but):
            # CR 608.2h: which ones there are is determined once, so that no copy is copied.
            originals = items_to_copy(game, scene, what)
            times = amount(n, asking_in(game, scene))
            repeatable(times * len(originals))
            for item in originals * times:
                game = copy(game, scene, item, new_targets, but)
            return game, scene
        case Cast():
            return cast(game, scene, instruction)
        case CopyCard(what, name):
            copies: list[Ref] = []
            for ref in affected_refs(game, scene, what):
                if ref.id not in game.board.things:
                    continue  # a player
                game, made = copy_of_card(game, ref, scene.you)
                copies.append(made)
            return game, scene.named(name, tuple(copies))
        case ChangeTarget(what, must):
            on_stack = {item.id: item for item in game.stack}
            for ref in affected_refs(game, scene, what):
                if ref.id in on_stack:  # CR 115.7: nothing else has targets that could be changed
                    game = with_other_targets(game, scene, on_stack[ref.id], must)
            return game, scene
        case ExchangeControl():
            return exchange(game, scene, instruction), scene
        case ForEachPlayer(who, effect):
            doing = tuple((replace(scene, you=player), effect) for player in people(game, scene, who))
            return follow_together(game, doing)[0], scene
        case Explore(what):
            return game.rules.explored(game, scene, what)
        case Connive():
            return game.rules.connived(game, scene, instruction)
        case Manifest() | Cloak():
            return game.rules.manifested(game, scene, instruction)
        case UnlockDoor() | LockDoor():
            return game.rules.doors_turned(game, scene, instruction), scene
        case ManifestDread():
            return game.rules.dread_manifested(game, scene, instruction)
        case Amass():
            # CR 701.47a: "the amassed Army" is the one chosen this time.
            return follow_each(game, scene.named("amassed", ()), game.rules.amassing(instruction))
        case Emblem(abilities, who):
            for player in people(game, scene, who):
                game = game.rules.emblem(game, player, abilities)
            return game, scene
        case WinGame(who):
            for player in people(game, scene, who):
                game = game.rules.won(game, player)
            return game, scene
        case BecomeMonarch(who):
            for player in people(game, scene, who):
                game = game.rules.crowned(game, player)
            return game, scene
        case ControlPlayer(who):
            for player in people(game, scene, who):
                game = game.rules.control_promised(game, player, scene.you)
            return game, scene
        case ItBecomes(what):
            return game.rules.daytime_begun(game, what), scene
        case SetLevel(n):
            is_there = game.is_there(scene.this)
            return happen(game, LevelChanged(scene.this.id, n)) if is_there else game, scene
        case ExtraTurn(who):
            sides = tuple(dict.fromkeys(side_of(game, player) for player in people(game, scene, who)))
            return replace(game, extra_turns=game.extra_turns + sides), scene
        case ExtraPhases(phases, yours):
            gets = not yours or game.rules.gets_extra_phases(game, scene.you)
            return game.rules.phases_added(game, phases) if gets else game, scene
        case ExtraStep(step):
            return step_added(game, step), scene
        case SkipNext(what, who):
            told = dict.fromkeys(side_of(game, player) for player in people(game, scene, who))
            return replace(game, to_skip=game.to_skip + tuple((side, what) for side in told)), scene
        case EndTurn():
            return game.rules.turn_ended(game), scene
        case _:
            assert not isinstance(instruction, AtOnce | May | If | OneOfInstruction)
            assert_never(instruction)


def removed_from_combat(game: Game, ids: tuple[str, ...]) -> Game:
    """The game after permanents were removed from combat (CR 506.4: they stop attacking, blocking and
    being attacked).
    """
    there = [id for id in ids if is_in_combat(game, game.board.things[id])]
    return happen_if_any(game, tuple(LeftCombat(id, "an effect removes it") for id in there))


def turned_over_since(game: Game, scene: Scene, id: str) -> bool:
    """Whether a permanent has transformed since its own ability that would transform it was put on the stack.

    CR 701.27f: then it does not transform. What counts for a delayed triggered ability is its creation.
    """
    item = scene.item
    if item.ability is None or scene.this.id != id or not game.is_there(scene.this):
        return False
    return game.remembers(id).turned_over > (item.born if item.created is None else item.created)


def explored(game: Game, scene: Scene, what: Selector) -> tuple[Game, Scene]:
    """The game after permanents explored, one after another.

    CR 701.44a: the controller reveals the top card of their library. CR 701.44c: a permanent that is gone
    explores as it last was, and only the counter has nowhere to go.
    """
    waiting = told_together(game, scene, what)
    while waiting:
        game, ref, waiting = next_of(game, scene, waiting)
        player = controller_then(game, ref)
        game, _ = follow_each(game, replace(scene.named("explorer", (ref,)), you=player), EXPLORING)
    return game, scene


EXPLORED = The("explored")
GROWN = PutCounters((Counters("+1/+1"),), The("explorer"))
EXPLORING: tuple[Instruction, ...] = (
    Reveal(All(zones=frozenset({"library"}), of=You(), top=True), "explored"),
    If(
        Matches(EXPLORED, Filter(type=frozenset({"Land"}))),
        (Put(EXPLORED, "hand"),),
        (GROWN, May((Put(EXPLORED, "graveyard"),))),
    ),
)
"""What to explore means (CR 701.44a: the counter is there also without a card to reveal)."""


def connived(game: Game, scene: Scene, instruction: Connive, every: bool = False) -> tuple[Game, Scene]:
    """The game after permanents connived, one after another.

    CR 701.50a, 701.50e: the controller draws and then discards that many cards, and each nonland card that
    was discarded (or `every` card) is a +1/+1 counter. CR 701.50c: a permanent that is gone connives as it
    last was.
    """
    waiting = told_together(game, scene, instruction.what)
    while waiting:
        game, ref, waiting = next_of(game, scene, waiting)
        player = controller_then(game, ref)
        number = amount(instruction.n, asking_in(game, scene))
        own = replace(scene.named("conniver", (ref,)), you=player)
        game, own = follow_each(game, own, (Draw(number),))
        before = game
        game, own = follow_each(game, own, (Discard(number),))
        thrown = [
            event.id
            for event in game.events[len(before.events) :]
            if isinstance(event, Moved) and event.how == "discarded"
        ]
        grown = sum(every or not before.seen.look(id).is_a("Land") for id in thrown)
        if grown:
            game, _ = follow_each(game, own, (PutCounters((Counters("+1/+1", grown),), The("conniver")),))
    return game, scene


def told_together(game: Game, scene: Scene, what: Selector) -> tuple[Ref, ...]:
    """The permanents, also those that have left, that are told to do something one after another (CR 800.4a:
    nothing of a player who has left the game is there to do it).
    """
    refs = [ref for ref in refs_meant(game, scene, what) if not is_player(game.board, ref.id)]
    return tuple(ref for ref in refs if is_in_game(game, controller_then(game, ref)))


def next_of(game: Game, scene: Scene, waiting: tuple[Ref, ...]) -> tuple[Game, Ref, tuple[Ref, ...]]:
    """The game, the next of several permanents that do the same one after another, and those that remain.

    CR 608.2f, 701.44d: the first player in APNAP order who controls one of them chooses it.
    """
    controllers = {ref.id: controller_then(game, ref) for ref in waiting}
    player = next(player for player in players_in_order(game) if player in controllers.values())
    own = tuple(id for id, controller in controllers.items() if controller == player)
    game, answer = take_answer(game, Question("object", player, askers(game, scene), own))
    ref = next(ref for ref in waiting if ref.id == answer[0])
    return game, ref, tuple(other for other in waiting if other != ref)


def controller_then(game: Game, ref: Ref) -> str:
    """The player who controls a permanent, or did when it left."""
    board = last_board(game, ref)
    seen = game.seen if board is game.board else evaluate(board, game.rules)
    return seen.look(ref.id).controller or board.things[ref.id].owner


def amassing(instruction: Amass) -> tuple[Instruction, ...]:
    """What to amass means.

    CR 701.47a: a player without an Army creature creates a 0/0 black one, then puts the counters on an Army
    creature of their choice, which becomes one of that type too if it is not.
    """
    army = All(type=frozenset({"Creature"}), subtype=frozenset({"Army"}), controller=You())
    kind = frozenset({instruction.kind})
    token = cards.Card(
        name=f"{instruction.kind} Army",
        types=frozenset({"Creature"}),
        subtypes=kind | {"Army"},
        colors=frozenset({"black"}),
        power=0,
        toughness=0,
    )
    amassed = The("amassed")
    return (
        If(Not(Exists(army)), (Create(token),)),
        cards.ChooseInstruction("object", army, name="amassed"),
        PutCounters((Counters("+1/+1", instruction.n),), amassed),
        If(
            Not(Matches(amassed, Filter(subtype=kind))),
            (Effect(amassed, (AddTypes(subtypes=kind),)),),
        ),
    )


def emblem(game: Game, player: str, abilities: tuple[Ability, ...]) -> Game:
    """The game after a player got an emblem.

    CR 114.2: its owner and controller is the player who gets it. CR 114.3: it has nothing but these
    abilities. CR 114.4: they function in the command zone.
    """
    game, now = ticked(game)
    there = tuple(in_the_command_zone(ability) for ability in abilities)
    card = cards.Card(name="emblem", types=frozenset(), abilities=there)
    thing = Thing(id=f"{card.name}#{now}", card=card, owner=player, zone="command")
    return happen(game, Moved(thing.id, None, "command", "created", token=thing))


def in_the_command_zone(ability: Ability) -> Ability:
    """An ability of an emblem, which functions where the emblem is."""
    if isinstance(ability, cards.Static | cards.Activated | Triggered):
        return replace(ability, zones=frozenset({"command"}))
    return ability


def won(game: Game, player: str) -> Game:
    """The game after an effect said that a player wins it, if the player can.

    CR 104.2b: it ends at once. CR 101.2: unless an effect says that the player can't win. A team wins with
    its player.
    """
    if is_forbidden(game, "win the game", player):
        return game
    return happen(game, GameOver(members(game, side_of(game, player)), "CR 104.2b: an effect says so"))


def follow_as_it_enters(game: Game, effect: tuple[Instruction, ...], id: str, you: str) -> Game:
    """The game after instructions about other objects were followed as a permanent enters (CR 614.13:
    other objects).

    CR 107.3m: X is what was chosen for the spell. CR 607.2i: what was paid for it is known, too.
    """
    thing = game.board.things.get(id)
    item = StackItem(
        id=id,
        kind="activated",
        controller=you,
        source=Ref(id),
        born=0,
        name="entry",
        x=None if thing is None else thing.chosen.x,
        was=own_past(id, game.board, game.seen.view),
    )
    scene = Scene(item=item, this=game.ref(id), you=you)
    then, hidden = game.rules.without_what_enters(game)
    then, _ = follow_each(then, scene, effect)
    return with_what_enters(then, hidden, game.board.seats)


def without_what_enters(game: Game) -> tuple[Game, tuple[Thing, ...]]:
    """The game without the cards that are entering the battlefield, and those cards.

    CR 614.13a: none of them can be chosen to change zones. CR 614.13c: nor are they among the cards that are
    milled or exiled from the top of a library.
    """
    hidden = tuple(game.board.things[id] for id in sorted(game.entering) if id in game.board.things)
    board = game.board
    for thing in hidden:
        board = without_card(replace(game, board=board), thing.id)
    return replace(game, board=board), hidden


def with_what_enters(game: Game, hidden: tuple[Thing, ...], seats: tuple[Seat, ...]) -> Game:
    """The game with the cards that are entering the battlefield back in the places that they come from: the
    hands, libraries and graveyards as they were are given.
    """
    ids = frozenset(thing.id for thing in hidden)
    back = tuple(
        replace(
            now,
            hand=with_cards_back(now.hand, then.hand, ids),
            library=with_cards_back(now.library, then.library, ids),
            graveyard=with_cards_back(now.graveyard, then.graveyard, ids),
        )
        for now, then in zip(game.board.seats, seats, strict=True)
    )
    return replace(game, board=replace(game.board.with_things(*hidden), seats=back))


def with_cards_back(now: tuple[str, ...], then: tuple[str, ...], back: frozenset[str]) -> tuple[str, ...]:
    """The cards of a zone with some back that were there: each above the next one that is still there."""
    for place in reversed(range(len(then))):
        if then[place] in back:
            below = next((id for id in then[place:] if id in now), None)
            at = len(now) if below is None else now.index(below)
            now = (*now[:at], then[place], *now[at:])
    return now


def has_left(game: Game, source: Ref) -> bool:
    """Whether an object is no longer on the battlefield; one that has come back is another object.

    CR 400.7: it is a new object in its new zone. CR 702.26d: what is phased out has not left.
    """
    away = (one.thing for one in game.board.phased_out if one.thing.id == source.id)
    thing = game.board.things.get(source.id) or next(away, None)
    return thing is None or thing.born not in (source.born, source.then) or thing.zone != "battlefield"


def returning_from_exile(game: Game) -> Game:
    """The game after the cards exiled until some object left have come back, if it has left.

    CR 610.3: immediately after that event. CR 610.3c: under their owners' control. CR 610.3d: all at once.
    """
    due = tuple(one for one in game.exiled_until if has_left(game, one.leaving))
    if not due:
        return game
    game = replace(game, exiled_until=tuple(one for one in game.exiled_until if one not in due))
    back = Put(The("returning"), "battlefield", under=game.rules.returning_under())
    comes: list[GameEvent] = []
    for one in due:
        item = StackItem(one.leaving.id, "activated", one.you, one.leaving, born=0, name="returning")
        for ref in one.cards:
            if game.is_there(ref) and game.board.things[ref.id].zone == "exile":
                scene = Scene(item, one.leaving, one.you, names=(("returning", (ref,)),))
                game, event = entry(game, scene, back, ref)
                comes += [] if event is None else [event]
    return happen(game, *comes) if comes else game


def returning_under() -> Selector:
    """Who controls what returns (CR 610.3c: its owner)."""
    return OwnerOf(The("returning"))


def followed_afterwards(game: Game) -> Game:
    """The game after the instructions of replacement and prevention effects were followed.

    CR 614.6: they are what happens instead. CR 615.5: or what a prevention effect does besides, immediately
    afterward. CR 614.11a: all that an effect requires is done before anything else goes on. CR 614.5: the
    effects that have applied do not apply again to what they themselves bring about.
    """
    waiting, exempt = game.afterwards, game.exempt
    game = replace(game, afterwards=())
    for one in waiting:
        item = StackItem(
            id=one.source.id,
            kind="activated",
            controller=one.you,
            source=one.source,
            born=0,
            name="replacement",
            slot=one.slot,
            x=one.x,
            that_much=one.that_much,
        )
        names = one.names
        if one.named is not None and one.it.id in game.board.things:
            # CR 400.7j: in exile, which is public, the rest of the effect can find it.
            exiled = (game.ref(one.it.id),) if game.board.things[one.it.id].zone == "exile" else ()
            names = (*names, (one.named, exiled))
        scene = Scene(item=item, this=one.source, you=one.you, it=one.it, names=names)
        game, _ = follow_each(replace(game, exempt=one.exempt), scene, one.effect)
        game = replace(game, exempt=exempt)
    return game


def may(game: Game, scene: Scene, instruction: May) -> tuple[Game, Scene, tuple[Instruction, ...]]:
    """The game and scene after players decided whether to do something optional, and paid its cost, with the
    instructions that follow from that.

    CR 603.5: decided as it resolves. CR 118.12: what is paid then is a cost. CR 800.4f: a player who has left
    the game pays nothing. CR 603.12: "when you do" is about the payment, if there is one.
    """
    gone = people_who_left(game, scene, instruction.who)
    then: tuple[Instruction, ...] = ()
    before, scene = scene.optional, replace(scene, did=False)
    for player in (*people(game, scene, instruction.who), *gone):
        asks = askers(game, scene)
        if player in gone or not game.rules.can_begin(game, scene, instruction.effect):
            wanted = False
        elif instruction.cost:
            costs = instruction.cost * repeatable(amount(instruction.times, asking_in(game, scene)))
            wording = Wording(x=scene.item.x, names=scene.names)
            game, wanted = game.rules.paid_or_not(game, player, costs, asks, scene.this, wording)
            scene = replace(scene, did=scene.did or wanted)
        else:
            game, wanted = yes_or_no(game, player, asks)
        scene = replace(scene, optional=wanted)
        then += instruction.effect if wanted else instruction.otherwise
    return game, scene if then else replace(scene, optional=before), then


def cast(game: Game, scene: Scene, instruction: Cast) -> tuple[Game, Scene]:
    """The game and scene after players have cast cards while something resolves.

    CR 608.2g: by the steps of casting; the spell stays on the stack, and the resolution goes on. CR 101.3: a
    card that can't be cast stays where it is.
    """
    spells: list[Ref] = []
    for player in people(game, scene, instruction.who):
        for ref in affected_refs(game, scene, instruction.what):
            if not castable(game, scene, instruction, player, ref.id):
                continue
            wanted = True
            if not scene.optional and game.rules.need_not_be_cast(game, ref.id):
                game, wanted = yes_or_no(game, player, (ref.id, *askers(game, scene)))
            if wanted:
                game = game.rules.cast_while_resolving(game, player, ref.id, terms_of(scene, instruction))
                spells.append(game.ref(ref.id))
    return game, scene.named(instruction.name, tuple(spells))


def need_not_be_cast(game: Game, id: str) -> bool:
    """Whether a player instructed to cast this card if able may decline.

    CR 118.8c: a mandatory additional cost needs cards with a stated quality from a hidden zone, which nobody
    has to show.
    """
    spell = spell_of(game.look(id))
    return spell is not None and any(asks_for_quality(cost) for cost in spell.additional)


def asks_for_quality(cost: Cost) -> bool:
    """Whether a cost needs cards with a stated quality from a hidden zone (CR 400.2: here a hand)."""
    match cost:
        case DiscardCost(what=All() as what) | ExileCost(what=All() as what, zone="hand"):
            return what != IN_HAND
    return False


IN_HAND = All(zones=frozenset({"hand"}))


def one_of(game: Game, scene: Scene, instruction: OneOfInstruction) -> tuple[Game, tuple[Instruction, ...]]:
    """The game after each player chose one of the options, and the instructions in those (CR 608.2d: chosen
    as it resolves, and not an impossible one; CR 101.3: if there is no other, nothing is done).
    """
    options = instruction.options
    then: tuple[Instruction, ...] = ()
    game, who = choosers(game, scene, instruction.who)
    for player in who:
        option = next((one for one in options if scene.produces in kinds_made(one.effect)), None)
        if option is None:
            possible = tuple(
                n for n, one in enumerate(options, 1) if game.rules.can_begin(game, scene, one.effect)
            )
            if not possible:
                continue
            game, answer = take_answer(game, Question("option", player, askers(game, scene), possible))
            option = options[int(str(answer[0])) - 1]
        then += option.effect
    return game, then


def later(game: Game, scene: Scene, instruction: Later) -> Game:
    """The game with a delayed triggered ability.

    CR 603.7a: it doesn't trigger on earlier events. CR 603.7d, 603.7e: it has the source and controller of
    what created it. CR 603.7c: it keeps referring to the objects meant now.
    """
    delayed = DelayedTrigger(
        when=instruction.when,
        effect=instruction.effect,
        name=instruction.name,
        controller=scene.item.controller,
        source=scene.this,
        created=game.clock,
        cond=instruction.cond,
        it=scene.it,
        names=scene.names,
        x=scene.item.x,
        that_much=scene.item.that_much,
        each=instruction.each,
        this_turn=instruction.each or instruction.this_turn,
        you=scene.you,
    )
    return replace(game, delayed=(*game.delayed, delayed))


def when_you_do(game: Game, scene: Scene, instruction: WhenYouDo) -> Game:
    """The game with a reflexive triggered ability waiting.

    CR 603.12: like a delayed one, but checked at once against what has happened in this resolution; its
    targets are chosen as it is put on the stack. CR 603.7d, 603.7e: it has the source and controller of what
    created it.
    """
    ability = Triggered(when=AnyEvent(()), effect=instruction.effect, targets=instruction.targets)
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
        created=game.clock,
        you=scene.you,
    )
    return with_waiting(game, [waiting])
