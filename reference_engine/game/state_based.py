"""State-based actions, checked before a player gets priority (CR 704).

`state_based_actions` collects everything that applies; that happens as one event, and the check repeats. Each
kind of action is a function that returns its events.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from reference_engine.game.events import (
    AttachmentChanged,
    Ceased,
    ControlChanged,
    CountersChanged,
    Ended,
    GameEvent,
    LeftCombat,
    Moved,
    PlayerLost,
    happen,
)
from reference_engine.game.game import Game, NotModelled, Question, battlefield, in_order, with_memory
from reference_engine.game.questions import answered
from reference_engine.language.words import Supertype, kind_of_subtype

StateCheck = Callable[[Game], tuple[GameEvent, ...]]


def state_based_actions(game: Game) -> tuple[Game, tuple[GameEvent, ...]]:
    """All state-based actions that apply now, to be performed simultaneously; players make the choices first.

    CR 704.3: all applicable state-based actions are performed simultaneously as a single event.
    """
    events: list[GameEvent] = []
    for check in game.rules.state_based_checks:
        events += check(game)
    for rule in game.rules.uniqueness_rules:
        game, more = rule(game)
        events += more
    return game, once_each(events)


def once_each(events: list[GameEvent]) -> tuple[GameEvent, ...]:
    """The events without duplicates that would move the same object twice (CR 704.7: the same result)."""
    moving: set[str] = set()
    kept: list[GameEvent] = []
    for event in events:
        if isinstance(event, Moved):
            if event.id in moving:
                continue
            moving.add(event.id)
        kept.append(event)
    return tuple(event for event in kept if not (isinstance(event, AttachmentChanged) and event.id in moving))


# ----------------------------------------------------------------------------------------- players


def players_without_life(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5a: a player with 0 or less life loses."""
    return tuple(
        PlayerLost(seat.id, "CR 704.5a: 0 or less life")
        for seat in game.board.seats
        if seat.life <= 0 and seat.id not in game.lost
    )


def players_who_drew_from_nothing(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5b: a player who tried to draw from an empty library since the last check loses."""
    return tuple(
        PlayerLost(seat.id, "CR 704.5b: drew from an empty library")
        for seat in game.board.seats
        if seat.id in game.drew_from_empty and seat.id not in game.lost
    )


def poisoned_players(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5c: a player with ten or more poison counters loses."""
    return tuple(
        PlayerLost(seat.id, "CR 704.5c: ten poison counters")
        for seat in game.board.seats
        if seat.id not in game.lost and sum(p.n for p in seat.counters if p.kind == "poison") >= 10
    )


# ----------------------------------------------------------------------------------------- objects


def misplaced_tokens_and_copies(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5d: a token that is not on the battlefield ceases to exist. CR 704.5e: so does a copy of a spell
    that is not on the stack.
    """
    return tuple(
        Ceased(thing.id)
        for thing in game.board.things.values()
        if thing.token and thing.zone not in ("battlefield", "stack")
    )


def creatures_without_toughness(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5f: a creature with toughness 0 or less is put into its owner's graveyard."""
    seen = game.seen
    return tuple(
        Moved(thing.id, "battlefield", "graveyard", "put", rule="CR 704.5f: toughness 0 or less")
        for thing in battlefield(game)
        if seen.look(thing.id).is_a("Creature") and (seen.toughness(thing.id) or 0) <= 0
    )


def creatures_with_lethal_damage(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5g: a creature whose damage is at least its toughness is destroyed."""
    seen = game.seen
    hurt = tuple(
        thing.id
        for thing in battlefield(game)
        if thing.damage > 0
        and seen.look(thing.id).is_a("Creature")
        and 0 < (seen.toughness(thing.id) or 0) <= thing.damage
    )
    return game.rules.destruction(game, hurt, "CR 704.5g: lethal damage") if hurt else ()


def indestructible_with_lethal_damage(game: Game) -> tuple[str, ...]:
    """The creatures that lethal damage does not destroy (CR 702.12b: indestructible)."""
    seen = game.seen
    return tuple(
        thing.id
        for thing in battlefield(game)
        if thing.damage > 0
        and seen.look(thing.id).has_keyword("indestructible")
        and 0 < (seen.toughness(thing.id) or 0) <= thing.damage
    )


def creatures_touched_by_death(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5h: a creature dealt damage by a source with deathtouch since the last check is destroyed."""
    if not game.deathtouched:
        return ()
    seen = game.seen
    touched = tuple(
        ref.id
        for ref in sorted(game.deathtouched, key=lambda ref: ref.id)
        if game.is_there(ref)
        and ref.id in game.board.things
        and seen.look(ref.id).is_a("Creature")
        and (seen.toughness(ref.id) or 0) > 0
        and not 0 < (seen.toughness(ref.id) or 0) <= game.board.things[ref.id].damage
    )
    return game.rules.destruction(game, touched, "CR 704.5h: damage from a source with deathtouch")


def planeswalkers_without_loyalty(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5i: a planeswalker with loyalty 0 is put into its owner's graveyard."""
    seen = game.seen
    return tuple(
        Moved(thing.id, "battlefield", "graveyard", "put", rule="CR 704.5i: loyalty 0")
        for thing in battlefield(game)
        if thing.count("loyalty") == 0 and seen.look(thing.id).is_a("Planeswalker")
    )


def attachments(game: Game) -> tuple[GameEvent, ...]:
    """Auras and Equipment attached illegally, and Auras attached to nothing.

    CR 704.5m: such an Aura goes to its owner's graveyard. CR 704.5n: such an Equipment becomes unattached.
    CR 704.5p: so does an attached creature, and anything that is neither an Aura nor an Equipment.
    """
    seen = game.seen
    events: list[GameEvent] = []
    for thing in battlefield(game):
        look = seen.look(thing.id)
        host = thing.attached_to
        if look.has_subtype("Aura") and look.is_a("Enchantment"):
            if look.is_a("Creature") and host is not None:
                events.append(AttachmentChanged(thing.id, None, "CR 704.5p: a creature can't be attached"))
            elif host is None or not game.rules.may_be_enchanted(game, thing.id, host):
                rule = "CR 704.5m: an Aura attached to nothing, or to what it can't enchant"
                events.append(Moved(thing.id, "battlefield", "graveyard", "put", rule=rule))
        elif host is not None:
            if look.is_a("Creature") or not look.has_subtype("Equipment"):
                events.append(AttachmentChanged(thing.id, None, "CR 704.5p: it can't be attached"))
            elif not game.rules.may_be_equipped(game, thing.id, host):
                events.append(AttachmentChanged(thing.id, None, "CR 704.5n: it can't equip that"))
    return tuple(events)


def annihilating_counters(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5q: +1/+1 and -1/-1 counters on the same permanent are removed in pairs."""
    events: list[GameEvent] = []
    rule = "CR 704.5q: +1/+1 and -1/-1 counters are removed in pairs"
    for thing in battlefield(game):
        n = min(thing.count("+1/+1"), thing.count("-1/-1")) if thing.counters else 0
        if n:
            events += [
                CountersChanged(thing.id, "+1/+1", -n, rule),
                CountersChanged(thing.id, "-1/-1", -n, rule),
            ]
    return tuple(events)


def what_is_not_played(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5s–z: the engine does not support battles, Sagas, dungeons and Roles, and says so."""
    for thing in battlefield(game):
        if "Battle" in thing.card.types or {"Saga", "Role"} & thing.card.subtypes:
            raise NotModelled(f"a permanent such as {thing.id}: battles, Sagas and Roles")
    return ()


STATE_BASED_CHECKS: tuple[StateCheck, ...] = (
    players_without_life,
    players_who_drew_from_nothing,
    poisoned_players,
    misplaced_tokens_and_copies,
    creatures_without_toughness,
    creatures_with_lethal_damage,
    creatures_touched_by_death,
    planeswalkers_without_loyalty,
    attachments,
    annihilating_counters,
    what_is_not_played,
)

# ---------------------------------------------------------------------------------- uniqueness rules


def legend_rule(game: Game) -> tuple[Game, tuple[GameEvent, ...]]:
    """CR 704.5j: of the legendary permanents with the same name that a player controls, the player keeps
    one.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for id, look in with_supertype(game, "Legendary"):
        if look is not None:
            groups.setdefault((controller(game, id), look), []).append(id)
    return keep_one(game, groups, "CR 704.5j: the legend rule")


def planeswalker_rule(game: Game) -> tuple[Game, tuple[GameEvent, ...]]:
    """CR 306.4: (until 2017-09) of the planeswalkers that share a type, their controller keeps one."""
    groups: dict[tuple[str, str], list[str]] = {}
    seen = game.seen
    for thing in battlefield(game):
        look = seen.look(thing.id)
        if look.is_a("Planeswalker"):
            for subtype in sorted(word for word in look.subtypes if kind_of_subtype(word) == "planeswalker"):
                groups.setdefault((controller(game, thing.id), subtype), []).append(thing.id)
    return keep_one(game, groups, "CR 306.4: the planeswalker uniqueness rule")


def world_rule(game: Game) -> tuple[Game, tuple[GameEvent, ...]]:
    """CR 704.5k: of all world permanents, only the one that has been a world for the shortest time stays; in
    a tie, none.

    The time since it entered is used, because no card here becomes a world permanent later.
    """
    worlds = [id for id, _ in with_supertype(game, "World")]
    if len(worlds) < 2:
        return game, ()
    moments = [game.remembers(id).moment for id in worlds]
    newest = max(moments)
    rule = "CR 704.5k: the world rule"
    return game, tuple(
        Moved(id, "battlefield", "graveyard", "put", rule=rule)
        for id, moment in zip(worlds, moments, strict=True)
        if moment != newest or moments.count(newest) > 1
    )


def with_supertype(game: Game, supertype: Supertype) -> list[tuple[str, str | None]]:
    """The permanents with a supertype, and their names."""
    seen = game.seen
    return [
        (id, look.name)
        for (look, status), ids in seen.view.groups.items()
        if supertype in look.supertypes and status.zone == "battlefield"
        for id in sorted(ids, key=lambda id: game.board.things[id].timestamp)
    ]


def controller(game: Game, id: str) -> str:
    """The controller of a permanent."""
    return game.seen.look(id).controller or game.board.things[id].owner


def keep_one(
    game: Game, groups: dict[tuple[str, str], list[str]], rule: str
) -> tuple[Game, tuple[GameEvent, ...]]:
    """The controller of each group keeps one object; the rest go to their owners' graveyards."""
    events: list[GameEvent] = []
    too_many = [(player, ids) for (player, _), ids in groups.items() if len(ids) > 1]
    if not too_many:
        return game, ()
    order = in_order(game)
    for player, ids in sorted(too_many, key=lambda group: order.index(group[0])):
        question = Question("keep", player, ("state", *ids), tuple(ids))
        game, answer = answered(game, question)
        events += [
            Moved(id, "battlefield", "graveyard", "put", rule=rule)
            for id in ids
            if id not in map(str, answer)
        ]
    return game, tuple(events)


UNIQUENESS_RULES = (legend_rule, world_rule)


# ----------------------------------------------------------------- what the game notices meanwhile


def noticed(game: Game) -> Game:
    """Record what changed since a player last had priority.

    CR 506.4: some objects leave combat. CR 611.2b: effects whose duration is over end.
    """
    if game.combat is not None:
        game = game.rules.combat_noticed(game)
    return game.rules.durations_noticed(game)


def control_noticed(game: Game) -> Game:
    """Record since when each permanent has had its present controller (CR 302.6: continuously)."""
    seen = game.seen
    for thing in battlefield(game):
        memory = game.remembers(thing.id)
        now = seen.look(thing.id).controller
        if memory.under != now:
            game = with_memory(game, thing.id, replace(memory, under=now, since=game.turn))
            game = happen(game, ControlChanged(thing.id, memory.under, now))
            if thing.attacking is not None or thing.blocking:
                game = happen(game, LeftCombat(thing.id, "its controller changed"))
    return game


def combat_noticed(game: Game) -> Game:
    """Remove from combat everything that can't be in it any more (CR 506.4: removed from combat)."""
    seen = game.seen
    for thing in battlefield(game):
        if thing.attacking is None and not thing.blocking:
            continue
        if not seen.look(thing.id).is_a("Creature"):
            game = happen(game, LeftCombat(thing.id, "it is no creature any more"))
        elif no_longer_a_planeswalker(game, thing.attacking):
            game = happen(game, LeftCombat(str(thing.attacking), "it is no planeswalker any more"))
    return game


def no_longer_a_planeswalker(game: Game, id: str | None) -> bool:
    """Whether the attacked permanent has stopped being a planeswalker."""
    return id is not None and id in game.board.things and not game.seen.look(id).is_a("Planeswalker")


def durations_noticed(game: Game) -> Game:
    """End the effects whose "for as long as" is no longer true (CR 611.2b: the duration)."""
    over = frozenset(
        effect.id
        for effect in game.board.effects
        if effect.as_long_as is not None
        and effect.id in game.tied
        and not game.rules.lasts(
            game,
            game.tied[effect.id],
            effect.you,
            effect.as_long_as,
            named={name: tuple(game.ref(id) for id in ids) for name, ids in effect.names},
        )
    )
    return happen(game, Ended(over, "their duration is over (CR 611.2a)")) if over else game
