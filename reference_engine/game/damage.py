"""Replacement, prevention, the results of damage, destruction, and what may be attached to what.

`happen` calls `replaced` before an event happens.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from reference_engine.game.entry import as_they_enter, one_option, with_begun
from reference_engine.game.events import (
    CountersChanged,
    Damaged,
    Entering,
    GameEvent,
    LeftCombat,
    LifeChanged,
    Moved,
    Regenerated,
    Tapped,
    TurnedFace,
    Untapped,
    WouldCreate,
    WouldDraw,
)
from reference_engine.game.game import Game, Question, Ref, is_in_game, look_of, opponents_of
from reference_engine.game.mana import letters_of
from reference_engine.game.questions import take_answer, yes_or_no
from reference_engine.game.replacing import (
    arranged_in_libraries,
    controller_of_source,
    is_limited,
    removed_in_vain,
    shielded_in_order,
    without_spent,
)
from reference_engine.game.rule_effects import on_rules
from reference_engine.game.stack import enchant_specs
from reference_engine.game.targets import matches_filter_of_effect
from reference_engine.language.cards import AsEnters, LandsTapFor, PreventDamage, Would
from reference_engine.layers.asking import matches, selection
from reference_engine.layers.board import ChoicesMade, SetCopiable


def replaced(game: Game, events: tuple[GameEvent, ...]) -> tuple[Game, tuple[GameEvent, ...]]:
    """The events that actually happen, given those that would.

    CR 614.6: a replaced event never happens. CR 614.12: how permanents enter the battlefield is determined
    first.
    """
    general = not REPLACED_BY_EFFECTS.isdisjoint(game.mentions)
    if len(events) == 1 and not general and type(events[0]) not in REPLACED_BY_RULES:
        return game, events
    if general and len(events) > 1:
        game, events = shielded_in_order(game, events)
    found: list[GameEvent] = []
    lost: list[LifeChanged] = []
    to_libraries: list[Moved] = []
    for event in events:
        match event:
            case Moved() if game.rules.is_gone_for_good(game, event):
                continue
            case Moved() | Untapped() | LifeChanged() | CountersChanged() | WouldDraw() | WouldCreate():
                game, happens = game.rules.event_after_replacements(game, event)
                if happens is event:
                    found.append(event)
                    continue
                if isinstance(happens, Regenerated):
                    found += game.rules.regeneration(game, happens.id)
                elif happens is not None:
                    found.append(happens)
                if isinstance(happens, Moved) and happens.to == "library" and happens != event:
                    to_libraries.append(happens)
            case Damaged():
                game, results = game.rules.damage_dealt(game, event)
                found += [one for one in results if not isinstance(one, LifeChanged)]
                lost += [one for one in results if isinstance(one, LifeChanged)]
            case _:
                found.append(event)
    game = without_spent(game) if game.spent else game
    if len(to_libraries) > 1:
        game, found = arranged_in_libraries(game, found, to_libraries)
    if Damaged in map(type, found):
        for result in (*game.rules.life_lost_to_damage(lost), *game.rules.lifelink_gains(game, found)):
            game, happens = game.rules.event_after_replacements(game, result)
            found += [] if happens is None else [happens]
    return as_they_enter(game, one_counter_each(found))


def is_gone_for_good(game: Game, event: Moved) -> bool:
    """Whether it is a token that would move again or come back, which it can't (CR 111.8)."""
    thing = None if event.token is not None else game.board.things.get(event.id)
    return thing is not None and thing.token and thing.zone not in ("battlefield", "stack")


def one_counter_each(events: list[GameEvent]) -> tuple[GameEvent, ...]:
    """The events, with one shield counter removed from a permanent however much damage is dealt to it at the
    same time (CR 122.1c: a single prevention effect).
    """
    if len(events) < 2:
        return tuple(events)
    removed = {event for event in events if is_shield_removed(event)}
    once = [event for event in events if event not in removed]
    return (*once, *sorted(removed, key=str))


def is_shield_removed(event: GameEvent) -> bool:
    """Whether a shield counter is removed in place of something else."""
    return isinstance(event, CountersChanged) and event.kind == "shield" and event.by < 0 and bool(event.rule)


REPLACED_BY_EFFECTS = frozenset({Would, PreventDamage})
"""The kinds of effects that replace or prevent events."""

REPLACED_BY_RULES = (Moved, Damaged, Untapped)
"""The events that something other than a replacement or prevention effect can change."""


def discarded_with_madness(game: Game, event: Moved) -> Moved:
    """CR 702.35a: a card with madness that is discarded is exiled instead of going to the graveyard."""
    discarded = event.how == "discarded" and event.origin == "hand" and event.to == "graveyard"
    if discarded and game.look(event.id).has_keyword("madness"):
        return replace(event, to="exile")
    return event


# ---------------------------------------------------------------------------------------- damage


def damage_dealt(game: Game, event: Damaged) -> tuple[Game, tuple[GameEvent, ...]]:
    """Damage after replacement and prevention, with its results.

    CR 120.4: redirection and prevention come first, then the results. CR 120.8: 0 damage is no event.
    """
    game, event = game.rules.redirected(game, event)
    game, happens = game.rules.event_after_replacements(game, event)
    if not isinstance(happens, Damaged):
        return game, () if happens is None else (happens,)
    results: list[GameEvent] = []
    for result in game.rules.damage_results(game, happens):
        if isinstance(result, Damaged | LifeChanged):
            # CR 120.4d: the loss of life is judged once for all damage dealt at the same time.
            results.append(result)
        else:
            # CR 120.4c: replacement effects apply to the results as well.
            game, after = game.rules.event_after_replacements(game, result)
            results += [] if after is None else [after]
    return game, (*results, *removed_in_vain(game, happens))


def redirected(game: Game, event: Damaged) -> tuple[Game, Damaged]:
    """The damage with its recipient unchanged (CR 306.7: it can no longer be redirected to planeswalkers)."""
    return game, event


def redirected_to_planeswalkers(game: Game, event: Damaged) -> tuple[Game, Damaged]:
    """Redirection before April 2018, when noncombat damage to an opponent could be dealt to a planeswalker
    instead.

    CR 306.7: (until 2018-04) the source's controller could have it dealt to a planeswalker of that opponent.
    """
    if event.combat or event.to in game.board.things:
        return game, event
    player = controller_of_source(game, event.source)
    if event.to not in opponents_of(game, player):
        return game, event
    seen = game.seen
    walkers = tuple(
        thing.id
        for thing in game.board.things.values()
        if thing.zone == "battlefield"
        and seen.look(thing.id).is_a("Planeswalker")
        and seen.look(thing.id).controller == event.to
    )
    if not walkers:
        return game, event
    game, wanted = yes_or_no(game, player, (event.source.id,))
    if not wanted:
        return game, event
    game, answer = take_answer(game, Question("replacement", player, (event.source.id,), walkers))
    return game, replace(event, to=str(answer[0]))


def prevented(game: Game, event: Damaged) -> bool:
    """Whether damage is prevented: by protection from its source (CR 702.16e: damage), or by an effect.

    CR 615.1, 615.6: damage that is prevented is not dealt.
    """
    for operation, affected, effect in on_rules(game, PreventDamage):
        concerned = event.to in affected and (event.combat or not operation.combat)
        if is_limited(operation):
            continue
        # CR 400.7c: prevention that applied to a permanent spell's damage also applies to the permanent.
        if concerned and matches_filter_of_effect(game, event.source, operation.by, effect, event.to):
            return True
    if event.to in game.board.things:
        keywords = game.look(event.to).keywords
    else:
        keywords = game.seen.players[event.to].keywords
    return any(
        keyword.keyword == "protection" and game.rules.protects(game, keyword, event.source, event.to)
        for keyword in keywords
    )


def absorbed(game: Game, event: Damaged) -> int:
    """The damage that a creature's absorb abilities prevent.

    CR 702.64b: up to that amount of the damage from each source, each time.
    CR 702.64c: each of several abilities applies.
    """
    if event.to not in game.board.things:
        return 0
    shields = (k.n or 0 for k in game.look(event.to).keywords if k.keyword == "absorb")
    return min(event.n, sum(shields))


def damage_results(game: Game, event: Damaged) -> tuple[GameEvent, ...]:
    """The results of damage.

    CR 120.3a: a player loses life; CR 120.3b: or gets poison counters, if the source has infect. CR 120.3c: a
    planeswalker loses loyalty counters. CR 120.3d: a source with wither or infect gives a creature -1/-1
    counters; CR 120.3e: damage from other sources is marked. CR 120.3g: combat damage of a creature with
    toxic also gives poison counters.
    """
    look = look_of(game, event.source)
    results: list[GameEvent] = []
    thing = game.board.things.get(event.to)
    if thing is None:
        infects = look.has_keyword("infect")
        toxic = sum(k.n or 0 for k in look.keywords if k.keyword == "toxic") if event.combat else 0
        poison = toxic + (event.n if infects else 0)
        results.append(event)
        results += [] if infects else [LifeChanged(event.to, -event.n, "damage")]
        results += [CountersChanged(event.to, "poison", poison)] if poison else []
    else:
        hurt = game.look(event.to)
        creature = hurt.is_a("Creature")
        withers = creature and (look.has_keyword("wither") or look.has_keyword("infect"))
        deadly = look.has_keyword("deathtouch")
        results.append(replace(event, marks=creature and not withers, deathtouch=deadly))
        if hurt.is_a("Planeswalker") and thing.count("loyalty"):
            results.append(CountersChanged(event.to, "loyalty", -min(event.n, thing.count("loyalty"))))
        if withers:
            results.append(CountersChanged(event.to, "-1/-1", event.n))
    return tuple(results)


def life_lost_to_damage(losses: Iterable[LifeChanged]) -> tuple[LifeChanged, ...]:
    """The life that each player loses because of all the damage dealt at the same time.

    CR 510.2: all combat damage is dealt simultaneously. CR 120.4d: then it happens, with its results, as one
    event, in which a player loses life once. Only gains are counted for each source (CR 119.9).
    """
    by_player: dict[str, int] = {}
    for loss in losses:
        by_player[loss.player] = by_player.get(loss.player, 0) + loss.by
    return tuple([LifeChanged(player, by, "damage") for player, by in by_player.items()])


def lifelink_gains(game: Game, events: Iterable[GameEvent]) -> tuple[LifeChanged, ...]:
    """The life gained because sources with lifelink deal this damage at the same time.

    CR 120.3f: as much as the damage. CR 702.15e, 119.9: each source causes one gain, however many objects and
    players it damages.
    """
    dealt: dict[Ref, int] = {}
    for event in events:
        if isinstance(event, Damaged) and look_of(game, event.source).has_keyword("lifelink"):
            dealt[event.source] = dealt.get(event.source, 0) + event.n
    gains: list[LifeChanged] = []
    for source, n in dealt.items():
        player = controller_of_source(game, source)
        if is_in_game(game, player) and game.rules.can_gain_life(game, player):
            gains.append(LifeChanged(player, n, "gained"))
    return tuple(gains)


def destruction(game: Game, ids: tuple[str, ...], rule: str, for_good: bool = False) -> tuple[GameEvent, ...]:
    """The events that happen when permanents would be destroyed.

    CR 701.8a: it would be put into its owner's graveyard, which regeneration replaces (CR 701.19b).
    CR 702.12b: an indestructible permanent isn't destroyed.
    """
    events: list[GameEvent] = []
    for id in ids:
        thing = game.board.things.get(id)
        if thing is None or thing.zone != "battlefield" or game.look(id).has_keyword("indestructible"):
            continue
        events.append(Moved(id, "battlefield", "graveyard", "destroyed", rule=rule, for_good=for_good))
    return tuple(events)


def regeneration(game: Game, id: str) -> tuple[GameEvent, ...]:
    """The events in place of the destruction of a permanent that regenerates.

    CR 701.19a: its damage is removed, its controller taps it, and it is removed from combat.
    """
    thing = game.board.things[id]
    tapped = () if thing.tapped else (Tapped(id),)
    fights = thing.attacking is not None or thing.blocking
    return (*tapped, Regenerated(id), *((LeftCombat(id, "it regenerated"),) if fights else ()))


# -------------------------------------------------------------------------------------- attaching


def may_be_attached(game: Game, id: str, host: str) -> bool:
    """Whether something can be attached to an object or player.

    CR 701.3a: only what it could enchant or equip. CR 303.4d: an Aura that is a creature can't enchant
    anything. CR 301.5c: an Equipment that is a creature can't equip anything unless it has reconfigure.
    """
    look = game.look(id)
    reconfigures = look.has_subtype("Equipment") and look.has_keyword("reconfigure")
    if (look.is_a("Creature") and not reconfigures) or id == host:
        return False
    if look.has_subtype("Aura"):
        return game.rules.may_be_enchanted(game, id, host)
    if look.has_subtype("Equipment"):
        return game.rules.may_be_equipped(game, id, host)
    return False


def may_be_enchanted(game: Game, id: str, host: str) -> bool:
    """CR 303.4c, 702.5a, 702.5c: all its enchant abilities must allow it. CR 702.16c: and so must protection.

    CR 303.4f: only such a host can be chosen for an Aura that enters without having been cast.
    """
    if id == host:
        return False
    specs = enchant_specs(game.look(id))
    if not specs:
        return False
    thing = game.board.things.get(host)
    asking = game.seen.asking(id)
    for spec in specs:
        if thing is None:
            if spec.players is None or host not in selection(spec.players, asking):
                return False
        elif spec.what is None or thing.zone not in spec.what.zones or not matches(spec.what, host, asking):
            return False
    return not protected_from(game, host, id)


def may_be_equipped(game: Game, id: str, host: str) -> bool:
    """CR 301.5: only a creature on the battlefield, unless protection forbids it (CR 702.16d)."""
    thing = game.board.things.get(host)
    if thing is None or thing.zone != "battlefield" or not game.look(host).is_a("Creature"):
        return False
    return not protected_from(game, host, id)


def protected_from(game: Game, host: str, id: str) -> bool:
    """Whether a permanent or player has protection from an Aura or Equipment."""
    keywords = game.look(host).keywords if host in game.board.things else game.seen.players[host].keywords
    return any(
        keyword.keyword == "protection" and game.rules.protects(game, keyword, game.ref(id), host)
        for keyword in keywords
    )


# ---------------------------------------------------------------------------------- turning face up


def face_turned(game: Game, id: str, up: bool) -> tuple[Game, TurnedFace]:
    """The event of turning a permanent face up or down, with the choices made as it is turned up.

    CR 708.11: an "as it is turned face up" ability applies while it is being turned up, not afterward.
    CR 708.8: entering abilities don't apply, because it is already on the battlefield.
    """
    if not up or AsEnters not in game.mentions:
        return game, TurnedFace(id, up)
    thing = game.board.things[id]
    board = game.board.with_things(replace(thing, face_down=False))
    shown = replace(game, board=board)
    look = shown.seen.look(id)
    controller = look.controller or thing.owner
    entering = Entering(under=controller, chosen=ChoicesMade())
    for number, held in enumerate(look.abilities):
        ability = held.ability
        if not (isinstance(ability, AsEnters) and ability.also_turned_up):
            continue
        if ability.one_of:
            game, option = one_option(game, controller, id, len(ability.one_of))
            does = SetCopiable(ability.one_of[option - 1].does)
            entering = with_begun(entering, id, controller, does, f"turned up {number} {game.clock}")
        for choice in ability.choose:
            asking = shown.seen.asking(id, controller)
            game, chosen = game.rules.word_chosen(game, choice, controller, id, entering.chosen, asking)
            entering = replace(entering, chosen=chosen)
    chosen_now = entering.chosen if entering.chosen != ChoicesMade() else None
    return game, TurnedFace(id, up, chosen_now, entering.begins)


# ----------------------------------------------------------------------------------------- mana


def mana_as_changed(game: Game, source: Ref, mana: str) -> str:
    """The mana that a permanent actually makes, if an effect changes its kind.

    CR 614.1a: "instead" makes it a replacement effect. CR 614.6: so the mana that would be made isn't.
    """
    for operation, affected, _ in on_rules(game, LandsTapFor):
        if source.id in affected:
            mana = letters_of(operation.mana) * len(mana)
    return mana
