"""Ways to get zone changes, entering, attaching, copying and damage wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import msgspec

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import (
    at_once,
    beginning,
    copying,
    damage,
    entry,
    library,
    moving,
    replacing,
    resolving,
    sagas,
    targets,
    timestamps,
    zones,
)
from reference_engine.game.at_once import AtOnce
from reference_engine.game.events import (
    Damaged,
    GameEvent,
    LifeChanged,
    Moved,
    Regenerated,
    Tapped,
    TurnedFace,
)
from reference_engine.game.game import Game, NewTimestamp, Ref, StackItem, players_in_order, seat_of
from reference_engine.game.game_rules import CR
from reference_engine.game.recall import LastKnown, NamedObjects, still_there
from reference_engine.game.replacing import Candidate, EffectKey
from reference_engine.game.scene import Scene, affected_refs, on_battlefield
from reference_engine.language.cards import (
    All,
    AsEnters,
    Card,
    ChooseInstruction,
    Damage,
    ExileUntilFound,
    Fight,
    Filter,
    GainControl,
    GoTo,
    Keyword,
    LookThrough,
    Operation,
    PreventDamage,
    Quantity,
    Sacrifice,
    Scry,
    Selector,
    Surveil,
    Tap,
    Would,
)
from reference_engine.language.characteristics import Characteristics, HeldAbility
from reference_engine.layers.asking import Asking
from reference_engine.layers.board import ChoicesMade, Lasting, SettledPart, Thing, Things
from reference_engine.layers.evaluation import RuleEffect

# ------------------------------------------------------------------------------------ zones


def counters_follow(game: Game, event: Moved, before: Game) -> Game:
    """An object keeps its counters when it changes zones."""
    after = zones.moved(game, event, before)
    old, new = game.board.things.get(event.id), after.board.things.get(event.id)
    if old is None or new is None or not old.counters:
        return after
    kept = msgspec.structs.replace(new, counters=old.counters)
    return msgspec.structs.replace(after, board=after.board.with_things(kept))


def old_timestamp(game: Game, event: Moved, before: Game) -> Game:
    """A permanent that returns keeps its old timestamp."""
    after = zones.moved(game, event, before)
    old, new = game.board.things.get(event.id), after.board.things.get(event.id)
    if old is None or new is None or old.zone == "stack":
        return after
    kept = msgspec.structs.replace(new, timestamp=old.timestamp)
    return msgspec.structs.replace(after, board=after.board.with_things(kept))


def timestamp_by_creation(game: Game, event: Moved, before: Game) -> Game:
    """Timestamps follow the order in which objects were created, not the order in which they enter."""
    after = zones.moved(game, event, before)
    thing = after.board.things.get(event.id)
    if thing is None or thing.zone != "battlefield":
        return after
    created = msgspec.structs.replace(thing, timestamp=list(after.board.things).index(thing.id))
    return msgspec.structs.replace(after, board=after.board.with_things(created))


def timestamp_by_seat(game: Game, event: Moved, before: Game) -> Game:
    """Timestamps follow the seating order of the controllers, then the order of entry."""
    after = zones.moved(game, event, before)
    thing = after.board.things.get(event.id)
    if thing is None or thing.zone != "battlefield":
        return after
    seat = [seat.id for seat in after.board.seats].index(thing.controller or thing.owner)
    later = msgspec.structs.replace(thing, timestamp=thing.timestamp + 1000000 * seat)
    return msgspec.structs.replace(after, board=after.board.with_things(later))


def filled_from_the_end(game: Game, event: Moved, before: Game) -> Game:
    """The newest permanent takes the place, and the timestamp, of one that has left."""
    after = zones.moved(game, event, before)
    gone = game.board.things.get(event.id)
    if gone is None or event.origin != "battlefield":
        return after
    there = (thing for thing in after.board.things.values() if thing.zone == "battlefield")
    newest = max(there, key=lambda thing: thing.timestamp, default=gone)
    if newest.timestamp <= gone.timestamp:
        return after
    moved_up = msgspec.structs.replace(newest, timestamp=gone.timestamp)
    return msgspec.structs.replace(after, board=after.board.with_things(moved_up))


def all_stays(game: Game, player: str) -> Game:
    """Objects of a player who has lost stay where they are."""
    return game


def ends_with_its_maker(game: Game, player: str) -> Game:
    """Control effects that a player created end when this player leaves, whoever controls the object."""
    kept = tuple(one for one in game.board.effects if one.you != player or not gives_control(one))
    board = msgspec.structs.replace(game.board, effects=kept)
    return zones.left_game(msgspec.structs.replace(game, board=board), player)


def gifts_stay(game: Game, player: str) -> Game:
    """What a player who leaves controls is exiled, also what others gave that player."""
    given = tuple(
        thing.id
        for thing in game.board.things.battlefield
        if thing.owner != player and game.seen.look(thing.id).controller == player
    )
    game = zones.left_game(game, player)
    for id in given:
        game = game.rules.moved(game, Moved(id, "battlefield", "exile", "exiled"), game)
    return game


def gives_control(effect: Lasting) -> bool:
    """Whether an effect gives somebody control of something."""
    return any(isinstance(operation, GainControl) for part in effect.parts for operation in part.does)


def together_as_they_come(game: Game, dated: tuple[NewTimestamp, ...]) -> tuple[Game, tuple[str, ...]]:
    """Objects that enter simultaneously have timestamps in the order of their creation."""
    things = list(game.board.things)
    ids = (one.id for one in dated)
    return game, tuple(sorted(ids, key=lambda id: things.index(id) if id in things else len(things)))


def together_by_seat(game: Game, dated: tuple[NewTimestamp, ...]) -> tuple[Game, tuple[str, ...]]:
    """Objects that enter simultaneously have timestamps in seating order, whoever's turn it is."""
    seats = [seat.id for seat in game.board.seats]
    of = {one.id: one.player for one in dated}
    game, ids = timestamps.timestamp_order(game, dated)
    return game, tuple(sorted(ids, key=lambda id: seats.index(of[id])))


def as_printed(game: Game, event: Moved) -> tuple[Game, Moved | None]:
    """As a permanent enters, its printed abilities apply, whatever effects have changed."""
    bare = msgspec.structs.replace(
        game,
        board=msgspec.structs.replace(
            game.board,
            things=Things(
                {
                    id: thing
                    for id, thing in game.board.things.items()
                    if thing.zone != "battlefield" or "Creature" in thing.card.types
                }
            ),
        ),
    )
    after, entered = entry.as_it_enters(bare, event)
    return msgspec.structs.replace(after, board=game.board), entered


def first_host(game: Game, event: Moved, then: Game) -> tuple[Game, str | None]:
    """Nobody chooses what an Aura that was not cast enchants: it is the first possible object."""
    there = (id for id in then.board.things if then.rules.may_be_enchanted(then, event.id, id))
    return game, next(there, None)


def enters_alone(event: Moved) -> Moved | None:
    """An Aura enters without anything to enchant."""
    return event


def nothing_happens_to_others(game: Game, effect: Any, id: str, you: str) -> Game:
    """An entering permanent does nothing to other objects."""
    return game


def chosen_for_any_text(
    game: Game, choice: ChooseInstruction, player: str, id: str, chosen: ChoicesMade, asking: Asking
) -> tuple[Game, ChoicesMade]:
    """What was chosen for an object also counts for text that it gains later."""
    game, chosen = CR.word_chosen(game, choice, player, id, chosen, asking)
    return game, msgspec.structs.replace(chosen, under_by=None)


def untapped_as_ever(game: Game, events: tuple[GameEvent, ...]) -> tuple[Game, tuple[GameEvent, ...]]:
    """No replacement effects: events happen unchanged, and damage is dealt as usual."""
    found: list[GameEvent] = []
    for event in events:
        if isinstance(event, Damaged):
            game, results = game.rules.damage_dealt(game, event)
            found += results
        else:
            found.append(event)
    return entry.as_they_enter(game, (*found, *game.rules.lifelink_gains(game, found)))


def first_replacement(game: Game, event: GameEvent, options: tuple[Candidate, ...]) -> tuple[Game, Candidate]:
    """The oldest applicable effect applies first, without a choice."""
    return game, options[0]


def last_replacement(game: Game, event: GameEvent, options: tuple[Candidate, ...]) -> tuple[Game, Candidate]:
    """The newest applicable effect applies first, without a choice."""
    return game, options[-1]


def active_player_chooses(game: Game, affected: str) -> str:
    """The active player chooses among replacement effects, whoever is affected."""
    return players_in_order(game)[0]


def one_for_all(done: frozenset[EffectKey], key: EffectKey) -> frozenset[EffectKey]:
    """Once one effect has replaced an event, no other does."""
    return EverythingDone()


class EverythingDone(frozenset[EffectKey]):
    """A set of effects to which every effect seems to belong."""

    def __contains__(self, key: object) -> bool:
        return True


def never_used_up(
    game: Game, event: GameEvent, chosen: Candidate, done: frozenset[EffectKey]
) -> tuple[Game, GameEvent | None]:
    """An effect that applies only to the next event applies to every one."""
    after, happens = replacing.replacement_applied(game, event, chosen, done)
    return msgspec.structs.replace(
        after, board=msgspec.structs.replace(after.board, effects=game.board.effects)
    ), happens


def shields_whole(
    game: Game, event: GameEvent, chosen: Candidate, done: frozenset[EffectKey]
) -> tuple[Game, GameEvent | None]:
    """A shield against some damage prevents all of it."""
    operation = chosen.operation
    if isinstance(operation, PreventDamage):
        chosen = msgspec.structs.replace(chosen, operation=msgspec.structs.replace(operation, n=None))
    return replacing.replacement_applied(game, event, chosen, done)


def sends_nowhere_else(
    game: Game, event: GameEvent, chosen: Candidate, done: frozenset[EffectKey]
) -> tuple[Game, GameEvent | None]:
    """An object goes to its original destination, whatever replaces it."""
    if isinstance(chosen.operation, Would) and isinstance(chosen.operation.instead, GoTo):
        return game, event
    return replacing.replacement_applied(game, event, chosen, done)


def both_happen(game: Game, event: GameEvent) -> tuple[Game, GameEvent | None]:
    """The replacement happens in addition to the event."""
    game, happens = replacing.event_after_replacements(game, event)
    return game, event if happens is None else happens


def nothing_hidden(game: Game) -> tuple[Game, tuple[Thing, ...]]:
    """An entering object is still in its old zone while it is determined how it enters."""
    return game, ()


def nothing_afterwards(game: Game) -> Game:
    """Replacement and prevention effects have no further results."""
    return msgspec.structs.replace(game, afterwards=())


# ---------------------------------------------------------------------------------- attaching


def attached_again(game: Game, id: str, host: str) -> bool:
    """Attaching something again to the same object gives it a new timestamp."""
    return game.board.things[id].attached_to == host or moving.moves_to(game, id, host)


def attaches_to_anything(game: Game, id: str, host: str) -> bool:
    """An effect attaches an Aura or Equipment even where it is illegal; it falls off afterwards."""
    return id != host


def enchants_anything(game: Game, id: str, host: str) -> bool:
    """An Aura stays attached, whatever the enchanted object has become."""
    thing = game.board.things.get(host)
    return damage.may_be_enchanted(game, id, host) or (
        thing is not None and thing.zone == "battlefield" and game.board.things[id].attached_to == host
    )


def equips_anything(game: Game, id: str, host: str) -> bool:
    """An Equipment may be attached to any permanent."""
    thing = game.board.things.get(host)
    return thing is not None and thing.zone == "battlefield"


# ------------------------------------------------------------------------------------- damage


def nothing_redirected_away(game: Game, event: Damaged) -> tuple[Game, tuple[GameEvent, ...]]:
    """Damage that is prevented is dealt all the same, without its results for life and loyalty."""
    return game, game.rules.damage_results(game, event)


def to_a_planeswalker(game: Game, event: Damaged) -> tuple[Game, Damaged]:
    """Noncombat damage to a player is dealt to a planeswalker of that player."""
    seen = game.seen
    walkers = (
        thing.id
        for thing in game.board.things.values()
        if thing.zone == "battlefield"
        and seen.look(thing.id).is_a("Planeswalker")
        and seen.look(thing.id).controller == event.to
    )
    instead = None if event.combat else next(walkers, None)
    return game, event if instead is None else msgspec.structs.replace(event, to=instead)


def nothing_prevented(game: Game, event: Damaged) -> bool:
    """No damage is prevented."""
    return False


def protects_from_nothing(game: Game, keyword: Keyword, source: Ref, protected: str) -> bool:
    """Protection has no effect."""
    return False


def protects_from_all_players(game: Game, keyword: Keyword, source: Ref, protected: str) -> bool:
    """Protection from a player is from everything."""
    return targets.is_like(game, source, keyword.what or Filter(), protected)


def without_lifelink(game: Game, events: Iterable[GameEvent]) -> tuple[LifeChanged, ...]:
    """Lifelink has no effect."""
    return ()


def gained_for_each(game: Game, events: Iterable[GameEvent]) -> tuple[LifeChanged, ...]:
    """A source with lifelink causes a gain of life for each object and player that it damages."""
    return tuple([gain for event in events for gain in damage.lifelink_gains(game, (event,))])


def comes_back(game: Game, event: Moved) -> bool:
    """A token that has left the battlefield can come back."""
    return False


def destroyed_for_good(game: Game, ids: tuple[str, ...], rule: str, for_good: bool = False) -> Any:
    """Indestructible permanents are destroyed."""
    there = [id for id in ids if id in game.board.things and game.board.things[id].zone == "battlefield"]
    return tuple(
        Moved(id, "battlefield", "graveyard", "destroyed", rule=rule, for_good=for_good) for id in there
    )


def never_regenerates(game: Game, event: Moved) -> bool:
    """What is destroyed does not regenerate."""
    return False


def regenerates_in_combat(game: Game, id: str) -> tuple[GameEvent, ...]:
    """What regenerates stays in combat, and its becoming tapped goes unnoticed."""
    return (Regenerated(id),)


def anything_is_hurt(game: Game, id: str) -> bool:
    """Damage is dealt to any object, creature or not."""
    thing = game.board.things.get(id)
    return at_once.can_be_damaged(game, id) or (thing is not None and thing.zone == "battlefield")


def life_is_gained(game: Game, player: str) -> bool:
    """Players gain life even if an effect says that they can't."""
    return True


# --------------------------------------------------------------------- what instructions do


def sacrificed_by_anybody(
    game: Game, scene: Scene, instruction: AtOnce
) -> tuple[Game, tuple[GameEvent, ...]]:
    """A player can sacrifice permanents that somebody else controls."""
    if isinstance(instruction, Sacrifice) and not isinstance(instruction.what, All):
        ids = on_battlefield(game, affected_refs(game, scene, instruction.what))
        return game, tuple(Moved(id, "battlefield", "graveyard", "sacrificed") for id in ids)
    return at_once.events_of(game, scene, instruction)


def tapped_anyway(game: Game, scene: Scene, instruction: AtOnce) -> tuple[Game, tuple[GameEvent, ...]]:
    """A tapped permanent that would be tapped becomes tapped again."""
    if isinstance(instruction, Tap):
        ids = on_battlefield(game, affected_refs(game, scene, instruction.what))
        return game, tuple(map(Tapped, ids))
    return at_once.events_of(game, scene, instruction)


def never_settled(
    game: Game, scene: Scene, affects: Selector, does: tuple[Operation, ...]
) -> tuple[Game, tuple[SettledPart, ...], dict[str, tuple[str, ...]]]:
    """A resolved effect on a group also affects objects that join the group later."""
    game, parts, names = beginning.fixed_parts(game, scene, affects, does)
    open_still = isinstance(affects, All) and affects.other_than is None and affects.same_as is None
    if not open_still or any(part.players for part in parts):
        return game, parts, names
    return game, tuple(SettledPart(affects, part.does) for part in parts[:1]), names


def turns_up_anyway(game: Game, id: str) -> bool:
    """An effect turns a permanent face up although another says that it can't be."""
    return False


def nothing_chosen(game: Game, id: str, up: bool) -> tuple[Game, TurnedFace]:
    """Nothing is chosen when a permanent is turned face up."""
    return game, TurnedFace(id, up)


def lasts_for_ever(*_: Any, **__: Any) -> bool:
    """A "for as long as" duration does not end."""
    return True


def never_pays(game: Game, *_: Any, **__: Any) -> tuple[Game, bool]:
    """Nobody pays optional costs of effects."""
    return game, False


def makes_what_is_printed(game: Game, source: Ref, mana: str) -> str:
    """A land produces the mana of its own ability, whatever a replacement effect says."""
    return mana


# -------------------------------------------------------------------------------------- copies


def copier_of_old(
    game: Game, item: StackItem, controller: str, but: tuple[Operation, ...] = ()
) -> tuple[Game, StackItem]:
    """A copy of a spell is controlled by the original's controller."""
    return copying.copied(game, item, item.controller, but)


def only_what_is_there(game: Game, scene: Scene, of: Selector, asking: Asking) -> tuple[Ref, ...]:
    """A permanent cannot become a copy of an object that has left."""
    return still_there(game, beginning.referred_to(game, scene, of, asking))


def nothing_noticed(game: Game, before: StackItem) -> Game:
    """Nothing becomes the target of a copy, or of a spell whose targets are changed."""
    return game


def targets_stay(game: Game, item: StackItem, player: str, who_asks: tuple[str, ...], must: bool) -> Game:
    """Nobody chooses new targets."""
    return game


def host_forgotten(game: Game, item: StackItem) -> Game:
    """An Aura spell enters attached to the first object that it can enchant."""
    lax = msgspec.structs.replace(game, rules=replace(game.rules, host_chosen=first_host))
    after = resolving.resolve_permanent(lax, msgspec.structs.replace(item, targets=()))
    return msgspec.structs.replace(after, rules=game.rules)


def gone_with_its_source(game: Game) -> Game:
    """An ability on the stack does nothing once its source is gone."""
    item = game.stack[-1]
    if item.kind == "spell" or game.is_there(item.source):
        return resolving.resolve_top(game)
    return resolving.off_the_stack(game, item, "graveyard", "removed")


def mills_from_below(game: Game, who: tuple[str, ...], number: int) -> tuple[GameEvent, ...]:
    """Players mill the bottom cards of their libraries."""
    return tuple(
        Moved(id, "library", "graveyard", "milled")
        for player in who
        for id in seat_of(game, player).library[::-1][:number]
    )


def nothing_put_away(
    game: Game, scene: Scene, player: str, top: tuple[str, ...]
) -> tuple[Game, tuple[str, ...]]:
    """Whatever a player chooses to put away while scrying stays on top."""
    game, _ = library.cards_put_away(game, scene, player, top)
    return game, ()


def lands_are_discovered(game: Game, scene: Scene, instruction: ExileUntilFound) -> tuple[Game, Scene]:
    """A land ends the search for a card of some mana value."""
    anything = msgspec.structs.replace(instruction.what, without=())
    return library.exiled_until_found(game, scene, msgspec.structs.replace(instruction, what=anything))


def everything_is_taken(
    game: Game, scene: Scene, instruction: LookThrough
) -> tuple[Game, tuple[GameEvent, ...]]:
    """A player may take any of the top cards, whatever the effect says."""
    return library.looked_through(game, scene, msgspec.structs.replace(instruction, what=Filter()))


def one_fights(game: Game, scene: Scene, instruction: Fight) -> tuple[GameEvent, ...]:
    """Only the first of two creatures that fight deals damage."""
    return at_once.fighting(game, scene, instruction)[:1]


def surveils_as_scrying(
    game: Game, scene: Scene, instruction: Scry | Surveil
) -> tuple[Game, tuple[GameEvent, ...]]:
    """Surveil puts cards on the bottom, too."""
    return library.scried(game, scene, Scry(instruction.n, instruction.who))


def damage_to_the_first_group(
    game: Game, scene: Scene, instruction: AtOnce
) -> tuple[Game, tuple[GameEvent, ...]]:
    """Damage to each creature and each player is dealt to the creatures only."""
    if isinstance(instruction, Damage):
        instruction = msgspec.structs.replace(instruction, also=None)
    return at_once.events_of(game, scene, instruction)


def smallest_token(game: Game, scene: Scene, card: Card, size: Quantity | None) -> Card:
    """A token keeps the power and toughness it is written with."""
    return card


def without_conditions(look: Characteristics) -> tuple[HeldAbility, ...]:
    """What happens as a permanent enters happens whatever the condition."""
    return tuple(
        msgspec.structs.replace(held, ability=msgspec.structs.replace(held.ability, cond=None))
        if isinstance(held.ability, AsEnters)
        else held
        for held in sagas.entry_abilities(look)
    )


def only_destruction_is_death(
    game: Game, would: Would, affected: tuple[str, ...], effect: RuleEffect, event: GameEvent
) -> bool:
    """What would die is replaced only if it is destroyed."""
    if would.event == "die" and isinstance(event, Moved) and event.how != "destroyed":
        return False
    return replacing.watches(game, would, affected, effect, event)


def prevented_from_any_source(
    game: Game, prevention: PreventDamage, affected: tuple[str, ...], effect: RuleEffect, event: Damaged
) -> bool:
    """Damage is prevented whatever its source is."""
    return event.to in affected and (event.combat or not prevention.combat)


def nothing_is_known_last(game: Game, this: Ref, it: Ref | None, names: NamedObjects) -> LastKnown:
    """What is gone is asked about as it is now."""
    return {}


ZONES: tuple[Mutant, ...] = (
    mutant("mills-from-below", "701.17a", "Mills from the bottom of the library.", milled=mills_from_below),
    mutant(
        "surveils-as-scrying",
        "701.25a",
        "Puts surveilled cards on the bottom instead of into the graveyard.",
        scried=surveils_as_scrying,
    ),
    mutant("nothing-put-away", "701.22a", "Leaves scried cards on top.", cards_put_away=nothing_put_away),
    mutant(
        "lands-are-discovered",
        "701.57a",
        "Ends the search for a card to discover at a land.",
        exiled_until_found=lands_are_discovered,
    ),
    mutant(
        "everything-is-taken",
        "608.2d",
        "Lets any of the top cards be taken.",
        looked_through=everything_is_taken,
    ),
    mutant("one-fights", "701.14a", "Lets only one of two creatures fight.", fighting=one_fights),
    mutant("counters-follow", "122.2", "Leaves counters on what changes zones.", moved=counters_follow),
    mutant(
        "old-timestamp", "613.7d", "Gives back the timestamp it had to what returns.", moved=old_timestamp
    ),
    mutant("by-list", "613.7d", "Orders effects as their objects were made.", moved=timestamp_by_creation),
    mutant("by-seat", "613.7d", "Orders effects by their controllers' seats.", moved=timestamp_by_seat),
    mutant(
        "filled-from-the-end",
        "613.7d",
        "Fills the gap that a permanent leaves with the newest, and goes by places.",
        moved=filled_from_the_end,
    ),
    mutant("all-stays", "800.4a", "Leaves what belonged to a player who has left.", left_game=all_stays),
    mutant(
        "control-ends-with-its-maker",
        "800.4a",
        "Ends the control effects of a player who leaves, also those for others.",
        left_game=ends_with_its_maker,
    ),
    mutant(
        "gifts-stay",
        "800.4a",
        "Exiles what others gave to a player who leaves.",
        left_game=gifts_stay,
    ),
    mutant(
        "copies-what-is-there",
        "608.2h",
        "Lets nothing become a copy of what has left.",
        referred_to=only_what_is_there,
    ),
    mutant(
        "together-as-created",
        "613.7m",
        "Orders what enters together as the objects were created.",
        timestamp_order=together_as_they_come,
    ),
    mutant(
        "together-by-seat", "613.7m", "Orders what enters together by seat.", timestamp_order=together_by_seat
    ),
    mutant(
        "enters-as-printed",
        "614.12",
        "Asks the printed card what happens as a permanent enters.",
        as_it_enters=as_printed,
    ),
    mutant("first-host", "303.4f", "Chooses itself what an Aura enchants.", host_chosen=first_host),
    mutant("aura-alone", "303.4g", "Lets an Aura enter on its own.", without_host=enters_alone),
    mutant(
        "others-left-out",
        "614.13",
        "Forgets what happens to others as a permanent enters.",
        follow_as_it_enters=nothing_happens_to_others,
    ),
    mutant(
        "chosen-for-any-text",
        "607.5",
        "Keeps what was chosen for abilities that a copy no longer has.",
        word_chosen=chosen_for_any_text,
    ),
    mutant(
        "only-destruction-is-death",
        "614.6",
        "Replaces what would die only if it is destroyed.",
        watches=only_destruction_is_death,
    ),
    mutant(
        "prevented-from-any-source",
        "615.9",
        "Prevents damage from other sources as well.",
        shields=prevented_from_any_source,
    ),
    mutant(
        "asked-as-it-is-now",
        "608.2h",
        "Asks about what has gone as it is now.",
        last_known=nothing_is_known_last,
    ),
    mutant(
        "oldest-replacement-first",
        "616.1",
        "Lets the oldest of several replacement effects apply first.",
        replacement_chosen=first_replacement,
    ),
    mutant(
        "newest-replacement-first",
        "616.1",
        "Lets the newest of several replacement effects apply first.",
        replacement_chosen=last_replacement,
    ),
    mutant(
        "active-player-replaces",
        "616.1",
        "Asks the active player which replacement effect applies.",
        replacement_chooser=active_player_chooses,
    ),
    mutant(
        "one-replacement-only",
        "616.1f",
        "Lets one replacement effect apply to an event and no other.",
        applied_already=one_for_all,
    ),
    mutant(
        "shields-for-ever",
        "615.7",
        "Uses no shield up.",
        replacement_applied=never_used_up,
    ),
    mutant(
        "shields-against-all",
        "615.7",
        "Prevents all damage where some of it would be prevented.",
        replacement_applied=shields_whole,
    ),
    mutant(
        "dies-all-the-same",
        "614.6",
        "Puts objects into the graveyard that should go elsewhere instead.",
        replacement_applied=sends_nowhere_else,
    ),
    mutant(
        "besides-and-not-instead",
        "614.6",
        "Lets a replaced event happen besides what replaces it.",
        event_after_replacements=both_happen,
    ),
    mutant(
        "prevents-and-no-more",
        "615.5",
        "Forgets what replacement and prevention effects do besides.",
        followed_afterwards=nothing_afterwards,
    ),
    mutant(
        "moves-itself-as-it-enters",
        "614.13c",
        "Lets what happens as a card enters move that card.",
        without_what_enters=nothing_hidden,
    ),
    mutant("nothing-instead", "614.6", "Lets a replaced event happen.", replaced=untapped_as_ever),
    mutant(
        "attached-again",
        "701.3b",
        "Attaches anew what is attached to its host already.",
        moves_to=attached_again,
    ),
    mutant(
        "attaches-anything",
        "701.3b",
        "Moves what can't be attached there, so that it falls off.",
        may_be_attached=attaches_to_anything,
    ),
    mutant(
        "enchants-anything",
        "303.4c",
        "Leaves an Aura on what it may not enchant any more.",
        may_be_enchanted=enchants_anything,
    ),
    mutant(
        "equips-anything", "301.5", "Lets what is no creature be equipped.", may_be_equipped=equips_anything
    ),
    mutant(
        "damage-unprevented",
        "120.4",
        "Deals damage before it asks what prevents it.",
        damage_dealt=nothing_redirected_away,
    ),
    mutant("prevents-nothing", "702.16e", "Prevents no damage.", prevented=nothing_prevented),
    mutant("protects-from-nothing", "702.16", "Ignores protection.", protects=protects_from_nothing),
    mutant(
        "protects-from-all-players",
        "702.16k",
        "Takes protection from a player for protection from everything.",
        protects=protects_from_all_players,
    ),
    mutant(
        "damage-to-planeswalkers",
        "306.7",
        "Lets damage to a player be dealt to a planeswalker.",
        redirected=to_a_planeswalker,
    ),
    mutant(
        "life-lost-to-each",
        "510.2",
        "Lets a player lose life once for each source of damage that is dealt at the same time.",
        life_lost_to_damage=tuple,
    ),
    mutant("no-lifelink", "120.3f", "Ignores lifelink.", lifelink_gains=without_lifelink),
    mutant(
        "lifelink-for-each",
        "702.15e",
        "Gains life once for each object or player that a source with lifelink damages.",
        lifelink_gains=gained_for_each,
    ),
    mutant(
        "tokens-come-back",
        "111.8",
        "Lets a token that has left the battlefield come back.",
        is_gone_for_good=comes_back,
    ),
    mutant("never-regenerates", "701.19a", "Regenerates nothing.", regenerates=never_regenerates),
    mutant(
        "regenerates-in-combat",
        "701.19a",
        "Leaves what regenerates in combat, and notices nothing of its being tapped.",
        regeneration=regenerates_in_combat,
    ),
    mutant("nothing-lasts", "702.12b", "Destroys what is indestructible.", destruction=destroyed_for_good),
    mutant(
        "hurts-anything", "120.1", "Deals damage to what is no creature.", can_be_damaged=anything_is_hurt
    ),
    mutant("gains-all-the-same", "101.2", "Lets players gain life who can't.", can_gain_life=life_is_gained),
    mutant(
        "sacrifices-for-others",
        "701.21a",
        "Lets a player sacrifice what another controls.",
        events_of=sacrificed_by_anybody,
    ),
    mutant(
        "one-group-only",
        "120.3a",
        "Deals damage to the first of two groups only.",
        events_of=damage_to_the_first_group,
    ),
    mutant(
        "tokens-without-size",
        "111.3",
        "Creates a token without the size that the effect gives it.",
        token_defined=smallest_token,
    ),
    mutant(
        "enters-with-counters-anyway",
        "614.1c",
        "Does not ask for the condition under which a permanent enters with counters.",
        entry_abilities=without_conditions,
    ),
    mutant("tapped-anyway", "603.2e", "Lets what is tapped already become tapped.", events_of=tapped_anyway),
    mutant(
        "never-settled",
        "611.2c",
        "Lets a spell's effect reach what comes after it has resolved.",
        fixed_parts=never_settled,
    ),
    mutant("turns-up-anyway", "101.2", "Turns up what can't be turned up.", cannot_turn_up=turns_up_anyway),
    mutant(
        "nothing-chosen", "708.11", "Forgets what is chosen as it is turned up.", face_turned=nothing_chosen
    ),
    mutant("lasts-for-ever", "611.2b", "Lets no effect end for its duration's sake.", lasts=lasts_for_ever),
    mutant("never-pays", "118.12", "Never asks whether a player pays.", paid_or_not=never_pays),
    mutant(
        "makes-what-is-printed",
        "614.6",
        "Ignores what says that lands make other mana.",
        mana_as_changed=makes_what_is_printed,
    ),
    mutant(
        "copier-of-old", "707.10", "Leaves a copy to whoever controls the original.", copied=copier_of_old
    ),
    mutant(
        "new-aims-unnoticed",
        "603.2e",
        "Lets nothing become the target of a copy, or of what has its targets changed.",
        aims_noticed=nothing_noticed,
    ),
    mutant("targets-stay", "707.10c", "Lets nobody choose new targets.", retargeted=targets_stay),
    mutant(
        "host-forgotten",
        "608.3c",
        "Forgets what an Aura spell targeted.",
        resolve_permanent=host_forgotten,
    ),
    mutant(
        "gone-with-its-source",
        "113.7a",
        "Lets an ability vanish with its source.",
        resolve_top=gone_with_its_source,
    ),
)
