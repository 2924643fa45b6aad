"""State-based actions, checked before a player gets priority (CR 704).

`state_based_actions` collects everything that applies; that happens as one event, and the check repeats. Each
kind of action is a function that returns its events.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Literal, TypeVar

from msgspec.structs import replace

from reference_engine.game.attaching import is_bestowed
from reference_engine.game.beginning import still_asking
from reference_engine.game.events import (
    AttachmentChanged,
    Ceased,
    ControlChanged,
    CountersChanged,
    Ended,
    GameEvent,
    GameOver,
    LeftCombat,
    Moved,
    PlayerLost,
)
from reference_engine.game.game import (
    Game,
    Question,
    battlefield,
    controller_of,
    members,
    players_in_order,
    sides,
)
from reference_engine.game.happening import happen
from reference_engine.game.questions import take_answer
from reference_engine.game.rule_effects import is_forbidden
from reference_engine.game.sagas import finished_sagas
from reference_engine.game.stack import with_item
from reference_engine.game.turn import attackers
from reference_engine.language.words import Supertype, kind_of_subtype
from reference_engine.layers.board import Mark, Thing

StateCheck = Callable[[Game], tuple[GameEvent, ...]]
_Check = TypeVar("_Check", bound=Callable[[Game], object])


def state_based_actions(game: Game) -> tuple[Game, tuple[GameEvent, ...]]:
    """All state-based actions that apply now, to be performed simultaneously; players make the choices first.

    CR 704.3: all applicable state-based actions are performed simultaneously as a single event.
    """
    words, marks = game.seen.view.words_on_battlefield, game.board.things.marks
    events: list[GameEvent] = []
    for check in concerning(game.rules.state_based_checks, words, marks):
        events += check(game)
    for rule in concerning(game.rules.uniqueness_rules, words, marks):
        game, more = rule(game)
        events += more
    return game, once_each(events) if events else ()


@functools.lru_cache(maxsize=1024)
def concerning(
    checks: tuple[_Check, ...], words: frozenset[str], marks: frozenset[Mark]
) -> tuple[_Check, ...]:
    """The checks without those that are only about something that is not there."""
    there = {*words, *marks}
    return tuple(check for check in checks if check not in ABOUT or not there.isdisjoint(ABOUT[check]))


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
    dead: tuple[GameEvent, ...] = ()
    for seat in game.board.seats:
        if seat.life <= 0 and may_lose(game, seat.id):
            dead += (PlayerLost(seat.id, "CR 704.5a: 0 or less life"),)
    return dead


def may_lose(game: Game, player: str) -> bool:
    """Whether a player is still in the game and nothing keeps them there."""
    return player not in game.lost and game.rules.can_lose(game, player)


def can_lose(game: Game, player: str) -> bool:
    """Whether no effect says that a player can't lose the game (CR 101.2: "can't" wins)."""
    return not is_forbidden(game, "lose the game", player)


def players_who_drew_from_nothing(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5b: a player who tried to draw from an empty library since the last check loses."""
    if not game.drew_from_empty:
        return ()
    return tuple(
        PlayerLost(seat.id, "CR 704.5b: drew from an empty library")
        for seat in game.board.seats
        if seat.id in game.drew_from_empty and may_lose(game, seat.id)
    )


def poisoned_players(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5c: a player with ten or more poison counters loses."""
    poisoned: tuple[GameEvent, ...] = ()
    for seat in game.board.seats:
        if seat.counters:
            n = sum(pile.n for pile in seat.counters if pile.kind == "poison")
            if n >= 10 and may_lose(game, seat.id):
                poisoned += (PlayerLost(seat.id, "CR 704.5c: ten poison counters"),)
    return poisoned


def over_if_decided(game: Game) -> Game:
    """The game, over if at most one side is left (CR 104.2a: it wins; 104.4a: without any, it is a draw)."""
    left = sides(game)
    if len(left) > 1 or len(game.sides) == 1:
        return game
    return happen(game, GameOver(tuple(player for side in left for player in members(game, side))))


# ----------------------------------------------------------------------------------------- objects


def misplaced_tokens_and_copies(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5d: a token that is not on the battlefield ceases to exist. CR 704.5e: so does a copy of a spell
    that is not on the stack.
    """
    tokens = [thing for thing in game.board.things.values() if thing.token]
    return tuple([Ceased(token.id) for token in tokens if token.zone not in ("battlefield", "stack")])


def creatures_without_toughness(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5f: a creature with toughness 0 or less is put into its owner's graveyard."""
    shown_number = game.rules.shown_number
    without: set[str] = set()
    for (look, _), ids in game.seen.view.on_battlefield:
        if "Creature" in look.types and (shown_number(look.toughness, look, "battlefield") or 0) <= 0:
            without |= ids
    if not without:
        return ()
    return tuple(
        Moved(thing.id, "battlefield", "graveyard", "put", rule="CR 704.5f: toughness 0 or less")
        for thing in battlefield(game)
        if thing.id in without
    )


def creatures_with_lethal_damage(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5g: a creature whose damage is at least its toughness is destroyed."""
    hurt = tuple(lethally_damaged(game))
    return game.rules.destruction(game, hurt, "CR 704.5g: lethal damage") if hurt else ()


def lethally_damaged(game: Game) -> list[str]:
    """The creatures with damage marked on them that is at least their toughness (CR 208.3: what is no
    creature has no toughness).
    """
    damaged = [thing for thing in battlefield(game) if thing.damage > 0]
    return [t.id for t in damaged if 0 < (game.seen.toughness(t.id) or 0) <= t.damage]


def indestructible_with_lethal_damage(game: Game) -> tuple[str, ...]:
    """The creatures that lethal damage does not destroy (CR 702.12b: indestructible)."""
    if "damage" not in game.board.things.marks:
        return ()
    return tuple(id for id in lethally_damaged(game) if game.look(id).has_keyword("indestructible"))


def creatures_touched_by_death(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5h: a creature dealt damage by a source with deathtouch since the last check is destroyed.

    CR 208.3: what is no creature has no toughness.
    """
    if not game.deathtouched:
        return ()
    seen = game.seen
    touched = tuple(
        ref.id
        for ref in sorted(game.deathtouched, key=lambda ref: ref.id)
        if game.is_there(ref)
        and ref.id in game.board.things
        and (seen.toughness(ref.id) or 0) > game.board.things[ref.id].damage
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
    CR 702.103f: and so does a bestowed Aura.
    """
    seen = game.seen
    events: list[GameEvent] = []
    for thing in battlefield(game):
        host = thing.attached_to
        look = seen.look(thing.id)
        if look.has_subtype("Aura") and look.is_a("Enchantment"):
            if look.is_a("Creature") and host is not None:
                events.append(AttachmentChanged(thing.id, None, "CR 704.5p: a creature can't be attached"))
            elif host is not None and game.rules.may_be_enchanted(game, thing.id, host):
                continue
            elif host is not None and is_bestowed(game.board, thing.id):
                rule = "CR 702.103f: a bestowed Aura becomes unattached from what it can't enchant"
                events.append(AttachmentChanged(thing.id, None, rule))
            else:
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
    finished_sagas,
)

# ---------------------------------------------------------------------------------- uniqueness rules


def legend_rule(game: Game) -> tuple[Game, tuple[GameEvent, ...]]:
    """CR 704.5j: of the legendary permanents with the same name that a player controls, the player keeps
    one.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for id, look in with_supertype(game, "Legendary"):
        if look is not None:
            groups.setdefault((controller_of(game, id), look), []).append(id)
    return keep_one(game, groups, "CR 704.5j: the legend rule")


def not_legendary_beside_legends(game: Game) -> tuple[str, ...]:
    """The permanents that the legend rule ignores although their controller has several with that name, one
    of them legendary or printed as legendary (CR 704.5j: only legendary permanents).
    """
    things = game.board.things
    if "legend" not in things.marks:
        return ()
    named: dict[tuple[str, str], list[tuple[str, bool]]] = {}
    for (look, _), ids in game.seen.view.on_battlefield:
        if look.name is not None:
            for id in ids:
                of = (look.controller or things[id].owner, look.name)
                named.setdefault(of, []).append((id, "Legendary" in look.supertypes))
    return tuple(
        id
        for same in named.values()
        if len(same) > 1
        and any(legendary or "Legendary" in things[id].card.supertypes for id, legendary in same)
        for id, legendary in sorted(same, key=lambda one: things[one[0]].timestamp)
        if not legendary
    )


def planeswalker_rule(game: Game) -> tuple[Game, tuple[GameEvent, ...]]:
    """CR 306.4: (until 2017-09) of the planeswalkers that share a type, their controller keeps one."""
    groups: dict[tuple[str, str], list[str]] = {}
    seen = game.seen
    for thing in battlefield(game):
        look = seen.look(thing.id)
        if look.is_a("Planeswalker"):
            for subtype in sorted(word for word in look.subtypes if kind_of_subtype(word) == "planeswalker"):
                groups.setdefault((controller_of(game, thing.id), subtype), []).append(thing.id)
    return keep_one(game, groups, "CR 306.4: the planeswalker uniqueness rule")


def world_rule(game: Game) -> tuple[Game, tuple[GameEvent, ...]]:
    """CR 704.5k: of all world permanents, only the one that has been a world for the shortest time stays; in
    a tie, none.
    """
    worlds = [id for id, _ in with_supertype(game, "World")]
    if len(worlds) < 2:
        return game, ()
    moments = [max(game.remembers(id).moment, game.no_worlds.get(id, 0)) for id in worlds]
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
        for (look, _), ids in seen.view.on_battlefield
        if supertype in look.supertypes
        for id in sorted(ids, key=lambda id: game.board.things[id].timestamp)
    ]


def keep_one(
    game: Game, groups: dict[tuple[str, str], list[str]], rule: str
) -> tuple[Game, tuple[GameEvent, ...]]:
    """The controller of each group keeps one object; the rest go to their owners' graveyards."""
    events: list[GameEvent] = []
    too_many = [(player, ids) for (player, _), ids in groups.items() if len(ids) > 1]
    if not too_many:
        return game, ()
    order = players_in_order(game)
    for player, ids in sorted(too_many, key=lambda group: order.index(group[0])):
        question = Question("keep", player, ("state", *ids), tuple(ids))
        game, answer = take_answer(game, question)
        events += [
            Moved(id, "battlefield", "graveyard", "put", rule=rule)
            for id in ids
            if id not in map(str, answer)
        ]
    return game, tuple(events)


UNIQUENESS_RULES = (legend_rule, world_rule)

ABOUT: Mapping[Callable[[Game], object], frozenset[str]] = {
    misplaced_tokens_and_copies: frozenset({"token"}),
    creatures_without_toughness: frozenset({"Creature"}),
    creatures_with_lethal_damage: frozenset({"damage"}),
    planeswalkers_without_loyalty: frozenset({"Planeswalker"}),
    attachments: frozenset({"Aura", "attached"}),
    annihilating_counters: frozenset({"counters"}),
    finished_sagas: frozenset({"Saga"}),
    legend_rule: frozenset({"Legendary"}),
    planeswalker_rule: frozenset({"Planeswalker"}),
    world_rule: frozenset({"World"}),
}
"""What a check is about: any of these words on a permanent, or any of these marks on an object."""


# ----------------------------------------------------------------- what the game notices meanwhile


def noticed(game: Game) -> Game:
    """Record what changed since a player last had priority.

    CR 506.4: some objects leave combat. CR 508.8: whether a creature attacked in this combat. CR 611.2b:
    effects whose duration is over end.
    """
    if game.combat is not None:
        game = game.rules.combat_noticed(game)
    return game.rules.durations_noticed(game)


def control_noticed(before: Game, game: Game) -> Game:
    """Record since when each permanent has had its present controller (CR 302.6: continuously).

    All that changed controllers did so at the same time. CR 506.4: what changes its controller is removed
    from combat. CR 603.10d: abilities about losing control look back to before the events that changed it.
    CR 608.2c: who controls a spell now follows its instructions, so that is recorded, too.
    """
    seen = game.seen
    for item in game.stack:
        if item.kind == "spell" and item.controller != controller_of(game, item.id):
            game = with_item(game, replace(item, controller=controller_of(game, item.id)))
    changes = [
        ControlChanged(thing.id, memory.under, now)
        for thing in battlefield(game)
        if (memory := game.remembers(thing.id)).under != (now := seen.look(thing.id).controller)
    ]
    if not changes:
        return game
    game = happen(game, *changes, since=before)
    for change in changes:
        thing = game.board.things[change.id]
        if is_in_combat(game, thing):
            game = happen(game, LeftCombat(thing.id, "its controller changed"))
        if change.new in game.lost:
            # CR 800.4c: the player who controls it by default has left the game.
            game = happen(game, Moved(thing.id, "battlefield", "exile", "exiled"))
    return game


def combat_noticed(game: Game) -> Game:
    """Remove from combat everything that can't be in it any more, and record that a creature attacks.

    CR 506.4: what is no longer a creature, or no longer a planeswalker under attack, is removed. CR 508.8:
    the later steps take place if any creature was an attacker, even if none is left.
    """
    seen = game.seen
    for id in [thing.id for thing in battlefield(game) if thing.attacking is not None or thing.blocking]:
        thing = game.board.things[id]
        if not seen.look(thing.id).is_a("Creature"):
            stays: Literal["blocking", "attacked"] | None = (
                None if no_longer_a_planeswalker(game, thing.id) else "attacked"
            )
            game = happen(game, LeftCombat(thing.id, "it is no creature any more", stays))
        elif no_longer_a_planeswalker(game, thing.attacking):
            # CR 506.4d: if it also blocks, it goes on doing so as long as it is a creature.
            attacked = str(thing.attacking)
            game = happen(game, LeftCombat(attacked, "it is no planeswalker any more", "blocking"))
    if attackers(game):
        assert game.combat is not None
        return replace(game, combat=replace(game.combat, attacked=True))
    return game


def is_in_combat(game: Game, thing: Thing) -> bool:
    """Whether a permanent attacks, blocks or is attacked."""
    return (
        thing.attacking is not None
        or bool(thing.blocking)
        or any(other.attacking == thing.id for other in battlefield(game))
    )


def no_longer_a_planeswalker(game: Game, id: str | None) -> bool:
    """Whether the attacked permanent has stopped being a planeswalker."""
    return id is not None and id in game.board.things and not game.look(id).is_a("Planeswalker")


def durations_noticed(game: Game) -> Game:
    """CR 611.2a, 611.2b: end the effects whose "for as long as" condition is no longer true."""
    if not game.tied:
        return game
    over = frozenset(
        effect.id
        for effect in game.board.effects
        if effect.as_long_as is not None
        and effect.id in game.tied
        and not game.rules.lasts(game, game.tied[effect.id], effect.as_long_as, still_asking(game, effect))
    )
    return happen(game, Ended(over, "their duration is over (CR 611.2a)")) if over else game
