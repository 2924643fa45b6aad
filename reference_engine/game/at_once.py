"""Instructions whose events happen simultaneously (CR 608.2e, 608.2f: choices first, then the action)."""

from __future__ import annotations

from typing import Literal, TypeGuard, assert_never, get_args

from msgspec.structs import replace

from reference_engine.game.events import (
    AttachmentChanged,
    BecameSaddled,
    CountersChanged,
    Damaged,
    GameEvent,
    LifeChanged,
    Moved,
    NotDestroyed,
    NotRegenerated,
    PlayerLost,
    Shielded,
    Shuffled,
    Tapped,
    Transformed,
    Untapped,
)
from reference_engine.game.game import (
    ExiledUntil,
    Game,
    Question,
    Ref,
    is_in_game,
    last_board,
    seat_of,
)
from reference_engine.game.happening import happen_if_any, with_event
from reference_engine.game.moving import (
    attach,
    create,
    exiled,
    libraries_shuffled,
    put_into_zone,
    refs_after,
    search,
    turn_faces,
)
from reference_engine.game.phasing import phasing_out
from reference_engine.game.questions import take_answer
from reference_engine.game.rule_effects import is_forbidden
from reference_engine.game.scene import (
    Scene,
    affected_refs,
    amount_for,
    askers,
    asking_in,
    on_battlefield,
    people,
    refs_meant,
    source_of,
)
from reference_engine.game.state_based import over_if_decided
from reference_engine.language import cards
from reference_engine.language.cards import (
    All,
    Attach,
    Create,
    Damage,
    Destroy,
    Discard,
    Exile,
    Fight,
    GainLife,
    Instruction,
    LookThrough,
    LoseGame,
    LoseLife,
    Mill,
    MoveCounters,
    PhaseOut,
    Put,
    PutCounters,
    PutSameCounters,
    Regenerate,
    RemoveCounters,
    Sacrifice,
    Saddle,
    Scry,
    Search,
    Selector,
    Surveil,
    Tap,
    Transform,
    TurnFace,
    Unattach,
    Untap,
)
from reference_engine.layers.asking import amount, how_many

AtOnce = (
    Discard
    | Sacrifice
    | Destroy
    | LoseLife
    | GainLife
    | Damage
    | Tap
    | Untap
    | Saddle
    | PutCounters
    | MoveCounters
    | PutSameCounters
    | RemoveCounters
    | Regenerate
    | Mill
    | Fight
    | Exile
    | Put
    | Create
    | Search
    | Scry
    | Surveil
    | LookThrough
    | TurnFace
    | Transform
    | PhaseOut
    | Attach
    | Unattach
    | LoseGame
)

AT_ONCE = frozenset(get_args(AtOnce))


def is_at_once(instruction: Instruction) -> TypeGuard[AtOnce]:
    """Whether players follow an instruction at the same time."""
    return type(instruction) in AT_ONCE


def events_of(game: Game, scene: Scene, instruction: AtOnce) -> tuple[Game, tuple[GameEvent, ...]]:
    """The simultaneous events of an instruction, after all choices in it were made."""
    match instruction:
        case Discard(n, who):
            number = how_many(n, asking_in(game, scene))
            return game.rules.discards(game, scene, people(game, scene, who), number, instruction.at_random)
        case Sacrifice():
            return sacrifices(game, scene, instruction)
        case Destroy(what, for_good):
            ids = tuple(ref.id for ref in affected_refs(game, scene, what))
            return spared_noted(game, ids, for_good), game.rules.destruction(game, ids, "", for_good)
        case LoseLife(n, who):
            losses = [(player, amount_for(game, scene, n, player)) for player in people(game, scene, who)]
            return game, tuple(LifeChanged(player, -loss, "lost") for player, loss in losses if loss > 0)
        case GainLife(n, who):
            gains = [(player, amount_for(game, scene, n, player)) for player in people(game, scene, who)]
            return game, tuple(
                LifeChanged(player, gain, "gained")
                for player, gain in gains
                if gain > 0 and game.rules.can_gain_life(game, player)
            )
        case Damage():
            return game, damage(game, scene, instruction)
        case Tap(what):
            ids = on_battlefield(game, affected_refs(game, scene, what))
            return game, tuple(Tapped(id) for id in ids if not game.board.things[id].tapped)
        case Untap(what):
            ids = on_battlefield(game, affected_refs(game, scene, what))
            return game, tuple(Untapped(id) for id in ids if game.board.things[id].tapped)
        case Saddle(what):
            # CR 702.171b: only permanents become saddled.
            ids = on_battlefield(game, affected_refs(game, scene, what))
            return game, tuple(BecameSaddled(id) for id in ids)
        case PutCounters(counters, on, divided):
            return game, game.rules.counter_changes(game, scene, counters, on, divided)
        case MoveCounters():
            return game, game.rules.counters_moved(game, scene, instruction)
        case PutSameCounters():
            return game, game.rules.same_counters(game, scene, instruction)
        case RemoveCounters(counters, on, every):
            return game, counters_removed(game, scene, counters, on, every)
        case Mill(n, who):
            return game, game.rules.milled(
                game, people(game, scene, who), how_many(n, asking_in(game, scene))
            )
        case Fight():
            return game, game.rules.fighting(game, scene, instruction)
        case Regenerate(what):
            return game, tuple(Shielded(id) for id in on_battlefield(game, affected_refs(game, scene, what)))
        case Exile():
            return exiled(game, scene, instruction)
        case Put():
            return put_into_zone(game, scene, instruction)
        case Create():
            return create(game, scene, instruction)
        case Search():
            return search(game, scene, instruction)
        case Scry() | Surveil():
            return game.rules.scried(game, scene, instruction)
        case LookThrough():
            return game.rules.looked_through(game, scene, instruction)
        case TurnFace(what, face, does):
            return turn_faces(game, affected_refs(game, scene, what), face == "up", does)
        case Transform(what):
            there = on_battlefield(game, affected_refs(game, scene, what))
            over = [id for id in there if game.rules.can_transform(game, id)]
            return game, tuple(
                Transformed(id) for id in over if not game.rules.turned_over_since(game, scene, id)
            )
        case PhaseOut(what):
            return game, phasing_out(game, on_battlefield(game, affected_refs(game, scene, what)))
        case Attach():
            return attach(game, scene, instruction)
        case Unattach(what):
            ids = on_battlefield(game, affected_refs(game, scene, what))
            held = [id for id in ids if game.board.things[id].attached_to is not None]
            return game, tuple(AttachmentChanged(id, None) for id in held)
        case LoseGame(who):
            why = "CR 104.3e: an effect says so"
            losers = people(game, scene, who)
            return game, tuple(
                PlayerLost(player, why) for player in losers if game.rules.can_lose(game, player)
            )
        case _:
            assert_never(instruction)


def sequel(
    before: Game, game: Game, scene: Scene, instruction: Instruction, events: tuple[GameEvent, ...]
) -> tuple[Game, Scene]:
    """The game and the scene after everything that an instruction brings about once its events, between the
    two games, have happened: libraries are shuffled, and names refer to what has moved.
    """
    name: str | None = None
    match instruction:
        case Exile(name=name, until_leaves=until_leaves):
            if until_leaves:
                there = refs_after(before, game, events)
                cards_there = tuple(ref for ref in there if game.board.things[ref.id].zone == "exile")
                until = ExiledUntil(scene.this, cards_there, scene.you)
                game = replace(game, exiled_until=(*game.exiled_until, until))
        case Put(name=name):
            game = libraries_shuffled(before, game, scene, instruction, events)
        case Create(name=name):
            made = tuple(event.id for event in events if isinstance(event, Moved))
            game = replace(game, made=game.made + tuple(id for id in made if id in game.board.things))
        case Search(to=to, who=who):
            found = [event.id for event in events if isinstance(event, Moved)] if to == "library" else []
            game = happen_if_any(
                game,
                tuple(
                    Shuffled(player, tuple(id for id in seat_of(game, player).library if id in found))
                    for player in people(before, scene, who)
                ),
            )
        case LoseGame():
            game = over_if_decided(game)
    return game, scene if name is None else scene.named(name, refs_after(before, game, events))


def spared_noted(game: Game, ids: tuple[str, ...], for_good: bool) -> Game:
    """Note for the account which permanents are indestructible (CR 702.12b: not destroyed), and which
    have a regeneration shield that can't be used.
    """
    there = on_battlefield(game, tuple(game.ref(id) for id in ids))
    lasting = tuple(id for id in there if game.look(id).has_keyword("indestructible"))
    shielded = tuple(id for id in there if for_good and id not in lasting and game.remembers(id).shields)
    game = with_event(game, NotDestroyed(lasting)) if lasting else game
    return with_event(game, NotRegenerated(shielded)) if shielded else game


def discards(
    game: Game, scene: Scene, who: tuple[str, ...], number: int, at_random: bool
) -> tuple[Game, tuple[GameEvent, ...]]:
    """The cards that each player discards, chosen in APNAP order (CR 101.4).

    CR 701.9b: the player's own choice, unless the effect says that it is random; then the script tells it.
    """
    events: list[GameEvent] = []
    for player in who:
        hand = seat_of(game, player).hand
        n = min(number, len(hand))
        kind: Literal["random", "cards"] = "random" if at_random else "cards"
        game, cards_chosen = take_answer(game, Question(kind, player, askers(game, scene), hand, n, n))
        events += [Moved(str(id), "hand", "graveyard", "discarded") for id in cards_chosen]
    return game, tuple(events)


def sacrifices(game: Game, scene: Scene, instruction: Sacrifice) -> tuple[Game, tuple[GameEvent, ...]]:
    """The sacrifices: of named permanents, or of those that each player chooses.

    CR 701.21a: players sacrifice only permanents that they control. CR 101.4: they choose in APNAP order.
    """
    events: list[GameEvent] = []
    for player in people(game, scene, instruction.who):
        own = to_sacrifice(game, scene, instruction, player)
        if isinstance(instruction.what, All):
            n = min(how_many(instruction.n, asking_in(game, scene)), len(own))
            game, answer = take_answer(game, Question("cards", player, askers(game, scene), own, n, n))
            own = tuple(str(id) for id in answer)
        events += [Moved(id, "battlefield", "graveyard", "sacrificed") for id in own]
    return game, tuple(events)


def to_sacrifice(game: Game, scene: Scene, instruction: Sacrifice, player: str) -> tuple[str, ...]:
    """The permanents that a player would sacrifice, or chooses from (CR 701.21a: only what one controls)."""
    meant = on_battlefield(game, affected_refs(game, scene, instruction.what))
    return tuple(id for id in meant if game.look(id).controller == player)


def damage(game: Game, scene: Scene, instruction: Damage) -> tuple[GameEvent, ...]:
    """Damage to each recipient, or as divided when the targets were chosen (CR 601.2d: division).

    CR 120.1, 120.1a: only players, creatures, planeswalkers and battles can be dealt damage.
    """
    refs = affected_refs(game, scene, instruction.to)
    if instruction.also is not None:
        refs = tuple(dict.fromkeys((*refs, *affected_refs(game, scene, instruction.also))))
    sources = source_of(game, scene, instruction.by)
    if instruction.divided:
        shares = {share.to: share.n for share in scene.item.divide}
        amounts = {ref.id: shares.get(ref.id, 0) for ref in refs}
    elif instruction.evenly:
        number = amount(instruction.n, asking_in(game, scene))
        amounts = {ref.id: number // len(refs) for ref in refs}
    else:
        amounts = {ref.id: amount_for(game, scene, instruction.n, ref.id) for ref in refs}
    return tuple(
        Damaged(source, id, n)
        for source in sources
        for id, n in amounts.items()
        if n > 0 and game.rules.can_be_damaged(game, id)
    )


def fighting(game: Game, scene: Scene, instruction: Fight) -> tuple[GameEvent, ...]:
    """The damage that two creatures deal to each other as they fight.

    CR 701.14a: each deals damage equal to its power to the other. CR 701.14b: none, unless both are creatures
    on the battlefield. CR 701.14c: a creature that fights itself deals itself twice that damage. CR 701.14d:
    it is no combat damage.
    """
    fighting = fighters(game, scene, instruction.one, instruction.other)
    if not fighting:
        return ()
    one, other = fighting
    powers = [game.look(ref.id).power or 0 for ref in fighting]
    if one.id == other.id:
        return (Damaged(one, one.id, 2 * powers[0]),) if powers[0] > 0 else ()
    dealt = ((one, other.id, powers[0]), (other, one.id, powers[1]))
    return tuple(Damaged(source, to, n) for source, to, n in dealt if n > 0)


def fighters(game: Game, scene: Scene, one: Selector, other: Selector) -> tuple[Ref, ...]:
    """The two creatures on the battlefield that fight, or twice the same; none if one of them is no creature
    or is not there (CR 701.14b, 701.14c).
    """
    both = [on_battlefield(game, affected_refs(game, scene, who)) for who in (one, other)]
    if all(len(ids) == 1 and game.look(ids[0]).is_a("Creature") for ids in both):
        return tuple(game.ref(id) for ids in both for id in ids)
    return ()


def can_be_damaged(game: Game, id: str) -> bool:
    """CR 120.1: damage can be dealt to battles, creatures, planeswalkers, and players."""
    thing = game.board.things.get(id)
    if thing is None:
        return is_in_game(game, id)
    kinds = game.look(id).types
    return thing.zone == "battlefield" and bool({"Creature", "Planeswalker", "Battle"} & kinds)


def can_gain_life(game: Game, player: str) -> bool:
    """Whether no effect says that the player can't gain life (CR 119.7, 101.2: "can't" wins)."""
    return not is_forbidden(game, "gain life", player)


def counter_changes(
    game: Game, scene: Scene, counters: tuple[cards.Counters, ...], on: Selector, divided: bool
) -> tuple[GameEvent, ...]:
    """Counters put on permanents and players, or as divided when the targets were chosen (CR 601.2d)."""
    if divided:
        there, (kind,) = with_counters_on(game, scene, on), [wanted.kind for wanted in counters]
        return tuple(CountersChanged(one.to, kind, one.n) for one in scene.item.divide if one.to in there)
    return tuple(
        CountersChanged(id, wanted.kind, n)
        for id in with_counters_on(game, scene, on)
        for wanted in counters
        if (n := amount_for(game, scene, wanted.n, id)) > 0
    )


def counters_moved(game: Game, scene: Scene, instruction: MoveCounters) -> tuple[GameEvent, ...]:
    """Counters that go from one permanent to another.

    CR 122.5: they are removed from the one and put on the other, or neither: not onto the same object, and
    only such counters as are there. CR 609.3: fewer, if there are fewer.
    """
    ids = with_counters_on(game, scene, instruction.of), with_counters_on(game, scene, instruction.on)
    if any(len(some) != 1 for some in ids) or ids[0] == ids[1]:
        return ()
    (one,), (other,) = ids
    question = asking_in(game, scene)
    events: list[GameEvent] = []
    for wanted in instruction.counters:
        n = min(amount(wanted.n, question), game.board.things[one].count(wanted.kind))
        if n > 0:
            events += [CountersChanged(one, wanted.kind, -n), CountersChanged(other, wanted.kind, n)]
    return tuple(events)


def same_counters(game: Game, scene: Scene, instruction: PutSameCounters) -> tuple[GameEvent, ...]:
    """As many counters of each kind as an object has or last had (CR 122.8: they are put, not moved)."""
    events: list[GameEvent] = []
    for ref in refs_meant(game, scene, instruction.of):
        thing = last_board(game, ref).things.get(ref.id)
        for pile in () if thing is None else thing.counters:
            on = with_counters_on(game, scene, instruction.on)
            events += [CountersChanged(id, pile.kind, pile.n) for id in on]
    return tuple(events)


def counters_removed(
    game: Game, scene: Scene, counters: tuple[cards.Counters, ...], on: Selector, every: bool
) -> tuple[GameEvent, ...]:
    """The removal of some or all counters, limited to those that are there."""
    question = asking_in(game, scene)
    events: list[GameEvent] = []
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
    """The objects and players that an instruction about counters affects."""
    return tuple(ref.id for ref in affected_refs(game, scene, on))
