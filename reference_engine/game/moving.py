"""Instructions that move, create, turn or attach objects, or add mana."""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.beginning import settled_operations, with_numbers
from reference_engine.game.combat import attackable
from reference_engine.game.copying import as_a_copy
from reference_engine.game.events import (
    AttachmentChanged,
    Entering,
    GameEvent,
    ManaAdded,
    Moved,
    Revealed,
    Shuffled,
    TriedToDraw,
    WouldCreate,
    WouldDraw,
)
from reference_engine.game.game import (
    Game,
    MarkedMana,
    Memory,
    Question,
    Ref,
    controller_of,
    is_in_game,
    last_board,
    players_in_order,
    seat_of,
    side_of,
    ticked,
)
from reference_engine.game.happening import happen, happen_if_any, with_event
from reference_engine.game.library import in_any_order
from reference_engine.game.mana import (
    COLOR_LETTER,
    letters_of,
)
from reference_engine.game.questions import take_answer
from reference_engine.game.rule_effects import forbidding, is_excepted, is_forbidden
from reference_engine.game.scene import (
    Scene,
    affected_refs,
    askers,
    asking_in,
    on_battlefield,
    people,
    source_of,
    speaking_of,
    with_comparisons_settled,
)
from reference_engine.game.stack import everything_like, without_item
from reference_engine.language import cards
from reference_engine.language.cards import (
    AddMana,
    All,
    Attach,
    Create,
    Exile,
    Operation,
    Put,
    Search,
    Selector,
    Would,
)
from reference_engine.language.words import (
    COLORS,
)
from reference_engine.layers.asking import amount, selection
from reference_engine.layers.board import (
    Lasting,
    SettledOperation,
    SettledPart,
    Thing,
    repeatable,
)
from reference_engine.layers.effects import mentions_it


def would_happen(game: Game, event: WouldDraw | WouldCreate) -> tuple[Game, GameEvent | None]:
    """Apply replacement effects to an event that consists of others; return the game just before it, and the
    event, or `None` if it no longer happens.
    """
    game, happens = game.rules.event_after_replacements(game, event)
    return game.rules.followed_afterwards(game) if game.afterwards else game, happens


def draw(game: Game, player: str, number: int) -> Game:
    """The game after a player has drawn cards.

    CR 121.1: the top card of the library, into the hand. CR 121.2: one at a time. CR 121.4, 704.5b: nothing
    is drawn from an empty library, and the player loses at the next check.
    """
    for _ in range(number):
        if not can_draw(game, player, 1):
            return game
        if Would in game.mentions:
            # CR 614.11: a draw can be replaced even if the library is empty.
            game, draws = would_happen(game, WouldDraw(player))
            if draws is None:
                continue
        library = seat_of(game, player).library
        if not library:
            game = happen(game, TriedToDraw(player))
            continue
        game = happen(game, Moved(library[0], "library", "hand", "drawn"))
        game = replace(game, drawn={**game.drawn, player: game.drawn.get(player, 0) + 1})
    return game


def can_draw(game: Game, player: str, number: int) -> bool:
    """Whether no effect prevents a player from drawing that many (more) cards this turn (CR 121.2b: checked
    for each draw, and for all of them together where a player may choose to draw).
    """
    return not any(
        player in affected
        and (operation.after is None or game.drawn.get(player, 0) + number > operation.after)
        and not (operation.unless is not None and is_excepted(game, operation.unless, effect, player))
        for operation, affected, effect in forbidding(game, "draw")
    )


def exiled(game: Game, scene: Scene, instruction: Exile) -> tuple[Game, tuple[Moved, ...]]:
    """The moves of objects into exile.

    CR 610.3: until the source leaves the battlefield. CR 610.3a, 610.3b: if it has left by now, nothing is
    exiled.
    """
    if instruction.until_leaves and game.rules.has_left(game, scene.this):
        return game, ()
    things = game.board.things
    link = game.rules.linked(game, scene.this, scene.item.slot)
    ids = [ref.id for ref in affected_refs(game, scene, instruction.what) if ref.id in things]
    for id in ids:
        game = without_item(game, id)
    return game, tuple(Moved(id, things[id].zone, "exile", "exiled", put_by=link) for id in ids)


def refs_after(before: Game, after: Game, moves: tuple[GameEvent, ...]) -> tuple[Ref, ...]:
    """The objects that have moved, where the rest of an effect can find them.

    CR 400.7j: only in a public zone.
    """
    ids = [event.id for event in moves if isinstance(event, Moved) and event.id in after.board.things]
    return tuple(
        after.ref(id)
        for id in ids
        if after.born(id) != before.born(id) and after.board.things[id].zone not in ("hand", "library")
    )


# --------------------------------------------------------- onto the battlefield and elsewhere


def put_into_zone(game: Game, scene: Scene, instruction: Put) -> tuple[Game, tuple[GameEvent, ...]]:
    """The moves of objects that are put into a zone.

    CR 611.2e: characteristics the instruction gives the object apply from the moment it enters.
    """
    refs = affected_refs(game, scene, instruction.what)
    if instruction.to == "battlefield":
        comes: list[GameEvent] = []
        for ref in refs:
            game, event = entry(game, scene, instruction, ref)
            comes += [] if event is None else [event]
        return game, tuple(comes)
    things = game.board.things
    moves = tuple(
        Moved(ref.id, things[ref.id].zone, instruction.to, "put", bottom=instruction.bottom)
        for ref in refs
        if ref.id in things
    )
    for ref in refs:
        game = without_item(game, ref.id)
    if instruction.to == "library" and not (instruction.at_random or instruction.shuffled):
        game, moves = arranged_by_owners(game, scene, moves, instruction.bottom)
    return game, moves


def libraries_shuffled(
    before: Game, game: Game, scene: Scene, instruction: Put, moves: tuple[GameEvent, ...]
) -> Game:
    """The game after libraries into which objects were put have been shuffled, if the instruction says so.

    CR 401.4: nobody knows the order of cards put there at random.
    """
    owners = {before.board.things[event.id].owner for event in moves if isinstance(event, Moved)}
    if instruction.at_random and instruction.to == "library" and len(moves) > 1:
        game = replace(game, shuffled=game.shuffled | owners)
    if instruction.shuffled:
        owners |= set(owners_meant(game, scene, instruction.what))
        game = happen_if_any(
            game, tuple(Shuffled(player) for player in players_in_order(game) if player in owners)
        )
    return game


def arranged_by_owners(
    game: Game, scene: Scene, events: tuple[Moved, ...], bottom: bool
) -> tuple[Game, tuple[Moved, ...]]:
    """The moves of cards that are put into libraries at the same time, in an order that puts each library's
    cards into the order that their owner chooses (CR 401.4).
    """
    ordered: list[Moved] = []
    for player in players_in_order(game):
        own = {event.id: event for event in events if game.board.things[event.id].owner == player}
        cards_of = tuple(id for id in own if not game.board.things[id].token)
        game, order = in_any_order(game, scene, player, cards_of)
        # The last one to be put on top is the topmost.
        moved = [own[id] for id in order]
        ordered += moved if bottom else reversed(moved)
        ordered += [event for id, event in own.items() if id not in cards_of]
    return game, tuple(ordered)


def owners_meant(game: Game, scene: Scene, what: Selector) -> tuple[str, ...]:
    """The owners of the cards an instruction means, even without any cards (CR 701.24c: the library is
    shuffled anyway).
    """
    match what:
        case All(of=of) if of is not None:
            return people(game, scene, of)
        case _:
            return ()


def entry(game: Game, scene: Scene, instruction: Put, ref: Ref) -> tuple[Game, Moved | None]:
    """The event of putting one object onto the battlefield, if possible.

    CR 800.4b: under the control of a player who has left the game it is not, and remains where it is.
    """
    thing = game.board.things.get(ref.id)
    if thing is None or thing.zone == "battlefield":
        return game, None
    question = speaking_of(game, scene, instruction.what, ref.id)
    # CR 110.2a: by default, the effect's controller controls it.
    under = selection(instruction.under, question) or (scene.you,)
    if not is_in_game(game, under[0]):
        return game, None
    counters = tuple((wanted.kind, amount(wanted.n, question)) for wanted in instruction.counters)
    begins: tuple[Lasting, ...] = ()
    if instruction.does:
        game, begins = as_it_is_put(game, scene, ref.id, instruction.does)
    attacked = None
    if instruction.attacking:
        game, attacked = ninja_attacks(game, scene) or enters_attacking(game, under[0], ref.id)
    unearthed = scene.item.slot[:1] == ("keyword",) and scene.item.name == "unearth"
    entering = Entering(
        under=under[0],
        tapped=instruction.tapped,
        counters=counters,
        begins=begins,
        attacking=attacked,
        # CR 702.84a: an unearthed permanent is exiled instead of going anywhere else.
        memory=Memory(history=frozenset({"unearthed"}), leaves_for_exile=True) if unearthed else Memory(),
    )
    link = game.rules.linked(game, scene.this, scene.item.slot)
    return game, Moved(ref.id, thing.zone, "battlefield", "put", entering, put_by=link)


def as_it_is_put(
    game: Game, scene: Scene, id: str, does: tuple[Operation, ...]
) -> tuple[Game, tuple[Lasting, ...]]:
    """The effect that applies to an object from the moment an instruction puts it onto the battlefield."""
    game, now = ticked(game)
    game, operations, names = settled_operations(game, scene, does, asking_in(game, scene).about(id))
    parts = (SettledPart(frozenset({id}), operations),)
    return game, (Lasting(f"{id} put {now}", scene.this.id, scene.you, now, parts, names=names),)


def ninja_attacks(game: Game, scene: Scene) -> tuple[Game, str | None] | None:
    """CR 702.49c: a creature put there by ninjutsu attacks what the returned creature was attacking."""
    returned = dict(scene.names).get("returned", ())
    if scene.item.slot[:2] != ("keyword", "ninjutsu") or not returned or game.combat is None:
        return None
    attacked = last_board(game, returned[0]).things[returned[0].id].attacking
    return game, attacked if attacked in attackable(game) else None


def enters_attacking(game: Game, controller: str, id: str) -> tuple[Game, str | None]:
    """The player or planeswalker attacked by a creature that is put onto the battlefield attacking, as chosen
    by its controller.

    CR 508.4: a defending player, or a planeswalker of one. CR 506.3b: none, unless its controller is an
    attacking player.
    """
    if side_of(game, controller) != game.board.active or game.combat is None:
        return game, None
    game, answer = take_answer(game, Question("object", controller, (id, "combat"), attackable(game)))
    return game, str(answer[0])


def create(game: Game, scene: Scene, instruction: Create) -> tuple[Game, tuple[GameEvent, ...]]:
    """The creation of tokens (CR 701.7a, 111.2: owned and controlled by their creator)."""
    number = amount(instruction.n, asking_in(game, scene))
    card = instruction.token and game.rules.token_defined(game, scene, instruction.token, instruction.size)
    events: list[Moved] = []
    for player in people(game, scene, instruction.who):
        if instruction.copy_of is not None:
            for ref in source_of(game, scene, instruction.copy_of):
                game, n = tokens_created(game, player, number)
                for _ in range(n):
                    game, event = copy_token(game, ref, player, instruction.but)
                    events.append(event)
        elif card is not None:
            game, n = tokens_created(game, player, number)
            for _ in range(n):
                game, event = token(game, player, card, ())
                events.append(event)
    link = game.rules.linked(game, scene.this, scene.item.slot)
    events = [replace(event, put_by=link) for event in events]
    if instruction.tapped or instruction.attacking:
        for number, event in enumerate(events):
            game, events[number] = token_creation(game, event, instruction)
    return game, tuple(events)


def token_defined(game: Game, scene: Scene, card: cards.Card, size: cards.Quantity | None) -> cards.Card:
    """A token as the effect that creates it defines it.

    CR 111.3: a number that is its power and toughness becomes a characteristic of it as it is created.
    """
    if size is None:
        return card
    number = amount(size, asking_in(game, scene))
    return replace(card, power=number, toughness=number)


def tokens_created(game: Game, player: str, number: int) -> tuple[Game, int]:
    """The number of tokens that a player creates (CR 614.16: after replacement effects)."""
    if Would not in game.mentions:
        return game, repeatable(number)
    game, event = would_happen(game, WouldCreate(player, number))
    return game, repeatable(event.n) if isinstance(event, WouldCreate) else 0


def token_creation(game: Game, event: Moved, instruction: Create) -> tuple[Game, Moved]:
    """A token's creation, tapped or attacking if the instruction says so."""
    assert event.entering is not None
    attacked = None
    if instruction.attacking:
        game, attacked = enters_attacking(game, event.entering.under, event.id)
    entering = replace(event.entering, tapped=instruction.tapped, attacking=attacked)
    return game, replace(event, entering=entering)


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
    """The creation of a token copy of an object, as that object is or last was."""
    board = last_board(game, ref)
    thing = board.things[ref.id]
    # CR 708.2: a face-down permanent has no faces to copy.
    card = replace(thing.card, back=None) if thing.face_down else thing.card
    game, event = token(game, player, card, as_a_copy(board, ref.id, game.rules, but))
    assert event.entering is not None
    # CR 707.8a: it enters with the same face up.
    entering = replace(event.entering, face_up="front" if thing.face_down else thing.face_up)
    return game, replace(event, entering=entering)


def search(game: Game, scene: Scene, instruction: Search) -> tuple[Game, tuple[GameEvent, ...]]:
    """The moves of the cards that players find in their libraries.

    CR 701.23b: a player searching for a card with a stated quality need not find one. CR 701.23i: all players
    who search decide before any card moves. CR 607.2a, 607.2c: other abilities may speak of what this one has
    exiled or put onto the battlefield.
    """
    events: list[GameEvent] = []
    link = game.rules.linked(game, scene.this, scene.item.slot)
    wanted = replace(everything_like(instruction.what), zones=frozenset({"library"}))
    for player in people(game, scene, instruction.who):
        library = seat_of(game, player).library
        found = selection(wanted, asking_in(game, scene))
        options = tuple(id for id in library if id in found)
        most = min(instruction.n, len(options))
        least = 0 if instruction.what != cards.Filter() else most
        game, answer = take_answer(game, Question("cards", player, askers(game, scene), options, least, most))
        for id in answer:
            entering = None
            if instruction.to == "battlefield":
                entering = Entering(under=player, tapped=instruction.tapped)
            events.append(Moved(str(id), "library", instruction.to, "put", entering, put_by=link))
    return game, tuple(events)


# --------------------------------------------------------------------- permanents on the battlefield


def two_faced(game: Game, id: str) -> bool:
    """Whether a permanent can transform (CR 701.27c: only a double-faced one; 708.2: not while face down).

    CR 712.10: not into an instant or sorcery.
    """
    thing = game.board.things[id]
    other = thing.card if thing.transformed else thing.card.back
    return other is not None and not other.types & {"Instant", "Sorcery"} and not thing.face_down


def turn_faces(
    game: Game, refs: tuple[Ref, ...], up: bool, does: tuple[Operation, ...] = ()
) -> tuple[Game, tuple[GameEvent, ...]]:
    """The events of permanents being turned face up or down; `does` gives their characteristics while face
    down.

    CR 708.2b: a face-down permanent can't be turned face down. CR 712.16: nor can a double-faced one.
    CR 708.11: choices for turning face up are made as it is turned.
    """
    events: list[GameEvent] = []
    for id in on_battlefield(game, refs):
        thing = game.board.things[id]
        if thing.face_down != up or (not up and thing.card.back is not None):
            continue
        # CR 101.2: what can't be turned face up stays as it is.
        if up and game.rules.cannot_turn_up(game, id):
            continue
        # CR 701.40g, 701.58g: a manifested or cloaked instant or sorcery card is only revealed.
        if up and game.rules.stays_face_down(game, id):
            game = with_event(game, Revealed((id,), game.look(id).controller or ""))
            continue
        game, event = game.rules.face_turned(game, id, up)
        events.append(replace(event, hidden_as=does))
    return game, tuple(events)


def cannot_turn_up(game: Game, id: str) -> bool:
    """Whether an effect says that a permanent can't be turned face up (CR 101.2: "can't" wins)."""
    return is_forbidden(game, "turn face up", id)


def stays_face_down(game: Game, id: str) -> bool:
    """Whether a permanent that would be turned face up is only revealed.

    CR 701.40g, 701.58g: an instant or sorcery card stays face down.
    """
    return not game.board.things[id].card.types.isdisjoint({"Instant", "Sorcery"})


def attach(game: Game, scene: Scene, instruction: Attach) -> tuple[Game, tuple[GameEvent, ...]]:
    """The events of objects being attached.

    CR 301.5c, 303.4d: to one thing only; if there are several, its controller chooses.
    """
    hosts = tuple(ref.id for ref in affected_refs(game, scene, instruction.to))
    events: list[GameEvent] = []
    for ref in affected_refs(game, scene, instruction.what) if hosts else ():
        question = Question("object", controller_of(game, ref.id), askers(game, scene), hosts)
        game, answer = take_answer(game, question)
        if game.rules.moves_to(game, ref.id, str(answer[0])):
            events.append(AttachmentChanged(ref.id, str(answer[0])))
    return game, tuple(events)


def moves_to(game: Game, id: str, host: str) -> bool:
    """Whether an object that is to be attached to another moves there.

    CR 701.3a: to attach it is to take it from where it is and put it there. CR 701.3b: if it can't be
    attached there, or already is, it does not move.
    """
    thing = game.board.things[id]
    if thing.zone != "battlefield" or thing.attached_to == host:
        return False
    return game.rules.may_be_attached(game, id, host)


def add_mana(game: Game, scene: Scene, instruction: AddMana) -> Game:
    """The game after mana was added to pools; for "any colour" the player chooses (CR 106.1b: five
    colours).

    CR 106.4: the mana stays there until it is spent or the pool empties.
    """
    number = repeatable(amount(instruction.n, asking_in(game, scene)))
    for player in people(game, scene, instruction.who):
        if instruction.mana == "any" and instruction.mixed:
            mana = ""
            for _ in range(number):
                question = Question("color", player, askers(game, scene), COLORS)
                game, answer = take_answer(game, question)
                mana += COLOR_LETTER[str(answer[0])]
        elif instruction.mana == "any":
            if scene.produces is not None:
                color = scene.produces
            else:
                game, answer = take_answer(game, Question("color", player, askers(game, scene), COLORS))
                color = str(answer[0])
            mana = COLOR_LETTER[color] * number
        else:
            mana = letters_of(instruction.mana) * number
        mana = game.rules.mana_as_changed(game, scene.this, mana)
        marks = marked_mana(game, scene, instruction, mana)
        game = happen(game, ManaAdded(player, mana, scene.this.id, marks)) if mana else game
    return game


def marked_mana(game: Game, scene: Scene, instruction: AddMana, mana: str) -> tuple[MarkedMana, ...]:
    """What distinguishes the mana of an instruction from other mana.

    CR 106.6a: it applies to all the mana that is produced. CR 608.2h: its numbers are determined now.
    """
    if instruction.only is None and instruction.rider is None:
        return ()
    asking = asking_in(game, scene)
    only = with_comparisons_settled(instruction.only, asking)
    rider = with_comparisons_settled(instruction.rider, asking)
    if rider is not None:
        does = tuple(one if mentions_it(one) else with_numbers(one, asking) for one in rider.does)
        rider = replace(rider, does=does)
    return tuple(MarkedMana(letter, scene.this, scene.you, only, rider) for letter in mana)
