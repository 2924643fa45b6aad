"""Ways to get the turn and combat wrong, including drawing, discarding and durations."""

from __future__ import annotations

from typing import Any

import msgspec

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import combat, moving, phases, resolving, state_based, turn
from reference_engine.game.events import Damaged, LeftCombat, Moved, Tapped, Untapped
from reference_engine.game.game import Game, Ref, members, seat_of, side_of, sides
from reference_engine.game.happening import happen
from reference_engine.language.actions import Attack, Block
from reference_engine.language.cards import ExtraPhase
from reference_engine.language.words import Step

# ----------------------------------------------------------------------------------- the turn


def no_second_cleanup(game: Game) -> bool:
    """Nobody ever gets priority in the cleanup step, and it is never repeated."""
    return False


def mana_stays(game: Game) -> Game:
    """Mana stays in the pools between steps."""
    return game


def no_first_strike(game: Game) -> bool:
    """There is only one combat damage step, even with first strike."""
    return False


def double_strike_once(game: Game, id: str) -> bool:
    """A creature that dealt first-strike damage does not deal damage again."""
    assert game.combat is not None
    return combat.deals_damage_now(game, id) and not (
        game.board.step == "combat damage" and id in game.combat.struck_first
    )


def out_of_combat_at_once(game: Game) -> Game:
    """Creatures are removed from combat as soon as damage is dealt."""
    begun = combat.begin_damage(game)
    return begun.rules.combat_over(begun) if begun.deciding is None else begun


def any_division(game: Game, id: str, shares: Any) -> None:
    """Damage may be divided without lethal damage to the blockers first."""


def discards_nothing(game: Game) -> Game:
    """Nobody discards in the cleanup step."""
    return game


def discards_as_they_lie(game: Game) -> Game:
    """Nobody chooses what to discard in the cleanup step: the cards held longest go."""
    for player in members(game, game.board.active):
        most = game.rules.maximum_hand_size(game.seen, player)
        hand = seat_of(game, player).hand
        gone = () if most is None else hand[: max(len(hand) - most, 0)]
        game = happen(game, *(Moved(id, "hand", "graveyard", "discarded") for id in gone)) if gone else game
    return game


def still_waiting(game: Game) -> Game:
    """Delayed triggered abilities outlast the turn that limits them."""
    return msgspec.structs.replace(turn.end_of_turn(game), delayed=game.delayed)


def damage_stays(game: Game) -> Game:
    """Effects end with the turn, but damage stays on creatures."""
    healed = turn.end_of_turn(game)
    hurt = [
        msgspec.structs.replace(thing, damage=game.board.things[thing.id].damage)
        for thing in healed.board.things.values()
        if thing.id in game.board.things and game.board.things[thing.id].damage
    ]
    return msgspec.structs.replace(healed, board=healed.board.with_things(*hurt))


def effects_stay(game: Game) -> Game:
    """Damage is removed as the turn ends, but no effect ends."""
    kept = tuple(msgspec.structs.replace(effect, until="ever") for effect in game.board.effects)
    return turn.end_of_turn(
        msgspec.structs.replace(game, board=msgspec.structs.replace(game.board, effects=kept))
    )


def draws_from_below(game: Game, player: str, number: int) -> Game:
    """Cards are drawn from the bottom of the library."""
    for _ in range(number):
        library = seat_of(game, player).library
        if not library:
            return moving.draw(game, player, 1)
        game = happen(game, Moved(library[-1], "library", "hand", "drawn"))
    return game


def nothing_countered(game: Game, ref: Ref) -> Game:
    """A countered object stays on the stack."""
    return game


def draws_nothing(game: Game) -> Game:
    """Nobody draws in the draw step."""
    return game


def untaps_all(game: Game) -> Game:
    """Everybody's permanents untap."""
    ids = tuple(
        thing.id for thing in game.board.things.values() if thing.zone == "battlefield" and thing.tapped
    )
    return happen(game, *(Untapped(id) for id in ids)) if ids else game


def never_skipped(game: Game, step: Step) -> bool:
    """No step is skipped."""
    return False


def every_step(game: Game, step: Step) -> Step | None:
    """Blockers are declared and damage is dealt even if nobody attacks."""
    after = turn.step_after(game, step)
    return "declare blockers" if step == "declare attackers" else after


def oldest_extra_turn(game: Game) -> Game:
    """Of several extra turns, the first one created comes first."""
    return turn.begin_turn(msgspec.structs.replace(game, extra_turns=tuple(reversed(game.extra_turns))))


def oldest_extra_phase(game: Game, added: tuple[ExtraPhase, ...]) -> Game:
    """Phases that are added come after those added before."""
    ahead = game.ahead
    return msgspec.structs.replace(game, ahead=msgspec.structs.replace(ahead, phases=(*ahead.phases, *added)))


def whole_phase(game: Game, step: Step) -> tuple[Game, Step | None]:
    """An added upkeep step is followed by a draw step."""
    follows = step == "upkeep" and game.ahead.last == "upkeep"
    return (game, "draw") if follows else phases.step_ahead(game, step)


def turns_go_on_from_the_extra_turn(game: Game) -> tuple[Game, str]:
    """After an extra turn, the player after the one who took it is next."""
    return turn.next_turn(msgspec.structs.replace(game, in_turn_order=""))


def skips_for_good(game: Game, side: str, what: str) -> tuple[Game, bool]:
    """However often a player is told to skip the next turn or step, one is skipped."""
    told = (side, what)
    rest = tuple(other for other in game.to_skip if other != told)
    return msgspec.structs.replace(game, to_skip=rest), told in game.to_skip


def stack_stays(game: Game) -> Game:
    """An effect that ends the turn leaves the rest of the stack, which resolves in the cleanup step."""
    top = msgspec.structs.replace(game, stack=game.stack[-1:])
    after = resolving.stack_exiled(top)
    return msgspec.structs.replace(after, stack=game.stack[:-1])


def turn_ends_with_triggers(game: Game) -> Game:
    """What has triggered before the turn is ended is still put on the stack."""
    return msgspec.structs.replace(phases.turn_ended(game), waiting=game.waiting)


def effects_outlast_the_turn(game: Game) -> Game:
    """Effects that last until a player's next turn do not end when it begins."""
    return game


def effects_outlast_who_left(game: Game, passed: tuple[str, ...]) -> Game:
    """Effects that last until the next turn of a player who has left do not end."""
    return game


def effects_first(game: Game) -> Game:
    """Effects that last until end of turn end before anybody discards."""
    game = game.rules.discard_to_hand_size(game.rules.end_of_turn(game))
    if game.rules.cleanup_gives_priority(game):
        again = msgspec.structs.replace(game, cleanup_again=True)
        return game.rules.give_priority(again, game.board.active, "broken")
    return game if game.over else game.rules.end_step(game)


def only_with_attackers(game: Game, step: Step) -> Step | None:
    """Blockers are declared only if an attacker is left."""
    gone = step == "declare attackers" and not turn.attackers(game)
    return "end of combat" if gone else turn.step_after(game, step)


# ------------------------------------------------------------------------------- what is noticed


def control_of_creatures_noticed(before: Game, game: Game) -> Game:
    """A planeswalker is still attacked although another player controls it now."""
    after = state_based.control_noticed(before, game)
    still = [
        msgspec.structs.replace(thing, attacking=game.board.things[thing.id].attacking)
        for thing in after.board.things.values()
        if thing.attacking == "nothing" and thing.id in game.board.things
    ]
    return msgspec.structs.replace(after, board=after.board.with_things(*still))


def all_or_nothing(game: Game) -> Game:
    """What stops being a creature or a planeswalker neither blocks nor is attacked any more."""
    after = state_based.combat_noticed(game)
    for id, thing in game.board.things.items():
        left = thing.blocking and not after.board.things[id].blocking
        freed = any(
            other.attacking == id and after.board.things[other.id].attacking == "nothing"
            for other in game.board.things.values()
        )
        if left or freed:
            after = happen(after, LeftCombat(id, "broken"))
    return after


def control_unnoticed(before: Game, game: Game) -> Game:
    """An attacker continues to attack although another player controls it now."""
    after = state_based.control_noticed(before, game)
    still = [
        msgspec.structs.replace(
            thing,
            attacking=game.board.things[thing.id].attacking,
            blocking=game.board.things[thing.id].blocking,
        )
        for thing in after.board.things.values()
        if thing.id in game.board.things and game.board.things[thing.id].attacking
    ]
    return msgspec.structs.replace(after, board=after.board.with_things(*still))


def combat_unnoticed(game: Game) -> Game:
    """A permanent that is no longer a creature continues to attack and block."""
    return game


def durations_unnoticed(game: Game) -> Game:
    """Nothing checks whether "for as long as" still holds."""
    return game


# ------------------------------------------------------------------------------------- combat


def anything_attacks(game: Game) -> tuple[str, ...]:
    """Defender prevents nothing from attacking."""
    seen = game.seen
    walls = (
        thing.id
        for thing in game.board.things.values()
        if thing.zone == "battlefield"
        and seen.look(thing.id).has_keyword("defender")
        and seen.look(thing.id).is_a("Creature")
        and seen.look(thing.id).controller in members(game, game.board.active)
        and not thing.tapped
        and not game.rules.is_sick(game, thing.id)
    )
    return (*combat.possible_attackers(game), *walls)


def attacks_anything(game: Game, id: str, what: str) -> bool:
    """No restriction prevents a creature from attacking."""
    return True


def nobody_has_to(game: Game) -> tuple[frozenset[str], ...]:
    """No creature has to attack."""
    return ()


def vigilance_taps(game: Game, action: Attack) -> Game:
    """Attacking taps creatures with vigilance too."""
    after = combat.declare_attackers(game, action)
    up = [one.attacker for one in action.attackers if not after.board.things[one.attacker].tapped]
    return happen(after, *map(Tapped, up)) if up else after


def no_priority_without_attackers(game: Game) -> Game:
    """The declare attackers step ends at once if nobody attacks."""
    return game.rules.end_step(msgspec.structs.replace(game, deciding=None))


def blocks_by_seat(game: Game) -> Game:
    """Defending players declare blockers in seating order, not in turn order."""
    begun = combat.await_blockers(game)
    order = turn.attackers(game)
    if begun.combat is None or begun.deciding is None or len(begun.combat.to_block) < 2:
        return begun
    seats = [seat.id for seat in game.board.seats]
    there = {combat.defending_player(game, id) for id in order}
    by_seat = tuple(side for side in seats if side in there and side in sides(game))
    return combat.next_to_block(
        msgspec.structs.replace(
            begun, deciding=None, combat=msgspec.structs.replace(begun.combat, to_block=by_seat)
        )
    )


def blocker_acts_first(game: Game, action: Block) -> Game:
    """The player who declared blockers has priority afterwards."""
    after = combat.declare_blockers(game, action)
    return after if after.holder is None else msgspec.structs.replace(after, holder=side_of(game, action.by))


def blocks_anything(game: Game, blocker: str, attacker: str) -> bool:
    """Any creature may block any other."""
    return True


def one_blocks_menace(game: Game, action: Block) -> Game:
    """One creature is enough to block a creature with menace, and nobody has to block."""
    awaited = combat.is_awaited(game, "blockers", action.by)
    possible = combat.possible_blocks(game, game.deciding.by) if game.deciding and awaited else {}
    chosen: combat.BlockChoice = {one.blocker: one.blocks for one in action.blockers if len(one.blocks) == 1}
    fine = len(chosen) == len(action.blockers) and all(
        what[0] in possible.get(id, ()) for id, what in chosen.items()
    )
    return (
        combat.blockers_declared(game, chosen) if awaited and fine else combat.declare_blockers(game, action)
    )


def in_the_order_of_blocking(game: Game) -> Game:
    """An attacker deals lethal damage to its blockers one by one, in the order of declaration."""
    order = tuple((id, combat.blockers_of(game, id)) for id in turn.attackers(game))
    assert game.combat is not None
    return msgspec.structs.replace(game, combat=msgspec.structs.replace(game.combat, order=order))


def strikes_again(game: Game) -> Game:
    """A creature that dealt first-strike damage deals damage in the second step, too."""
    return game


def one_after_another(game: Game) -> Game:
    """Combat damage is dealt one creature at a time, attackers first; a creature that dies deals none."""
    assert game.combat is not None
    announced = dict(game.combat.assigned)
    for id in combat.strikers(game):
        thing = game.board.things.get(id)
        if thing is None or thing.zone != "battlefield":
            continue
        for share in announced.get(id) or combat.only_assignment(game, id) or ():
            if share.n > 0 and game.rules.can_be_damaged(game, share.to):
                game = happen(game, Damaged(game.ref(id), share.to, share.n, combat=True))
        game, _ = game.rules.check_state(game)
    return game if game.over else game.rules.give_priority(game, game.board.active, "broken")


def still_attacking(game: Game) -> Game:
    """Creatures continue to attack and block after combat."""
    return msgspec.structs.replace(game, combat=None)


TURN: tuple[Mutant, ...] = (
    mutant(
        "cleanup-not-repeated",
        "514.3a",
        "Never repeats the cleanup step.",
        cleanup_gives_priority=no_second_cleanup,
    ),
    mutant("no-discard", "514.1", "Does not discard down to seven.", discard_to_hand_size=discards_nothing),
    mutant(
        "discards-as-they-lie",
        "514.1",
        "Lets nobody choose what to discard down to seven.",
        discard_to_hand_size=discards_as_they_lie,
    ),
    mutant(
        "damage-stays", "514.2", "Leaves damage on creatures from turn to turn.", end_of_turn=damage_stays
    ),
    mutant("effects-stay", "514.2", "Lets nothing end with the turn.", end_of_turn=effects_stay),
    mutant(
        "still-waiting",
        "603.7b",
        "Goes on waiting in later turns for what was to happen this turn.",
        end_of_turn=still_waiting,
    ),
    mutant("draws-from-below", "121.1", "Draws from the bottom of the library.", draw=draws_from_below),
    mutant("counters-nothing", "701.6a", "Lets what was countered resolve.", countered=nothing_countered),
    mutant("no-draw", "504.1", "Draws no card in the draw step.", draw_for_turn=draws_nothing),
    mutant("all-untap", "502.3", "Untaps everybody's permanents.", untap=untaps_all),
    mutant("mana-stays", "500.5", "Keeps mana from step to step.", empty_mana=mana_stays),
    mutant("no-first-strike", "510.4", "Ignores first strike.", two_damage_steps=no_first_strike),
    mutant(
        "double-strike-once",
        "702.4b",
        "Lets double strike deal damage once.",
        deals_damage_now=double_strike_once,
    ),
    mutant(
        "combat-ends-early",
        "511.3",
        "Removes attackers from combat after damage.",
        begin_damage=out_of_combat_at_once,
    ),
    mutant("any-division", "510.1c", "Lets trample damage be divided anyhow.", check_assignment=any_division),
    mutant("never-skips", "500.11", "Skips no step.", is_skipped=never_skipped),
    mutant("every-step", "508.8", "Goes through all of combat though nobody attacks.", step_after=every_step),
    mutant(
        "oldest-extra-turn",
        "500.7",
        "Takes extra turns in the order of their making.",
        begin_turn=oldest_extra_turn,
    ),
    mutant(
        "oldest-extra-phase",
        "500.8",
        "Takes added phases in the order of their making.",
        phases_added=oldest_extra_phase,
    ),
    mutant("whole-phase", "500.10", "Adds a draw step to an added upkeep step.", step_ahead=whole_phase),
    mutant(
        "extra-phase-for-anybody",
        "500.10a",
        "Adds a phase to another player's turn.",
        gets_extra_phases=lambda game, player: True,
    ),
    mutant(
        "goes-on-from-the-extra-turn",
        "500.7",
        "Goes on with the player after the one who took the extra turn.",
        next_turn=turns_go_on_from_the_extra_turn,
    ),
    mutant(
        "skips-once",
        "614.10a",
        "Skips one turn or step for several effects.",
        next_one_skipped=skips_for_good,
    ),
    mutant(
        "stack-outlasts-the-turn",
        "724.1b",
        "Exiles only what is resolving if the turn is ended.",
        stack_exiled=stack_stays,
    ),
    mutant(
        "triggers-outlast-the-turn",
        "724.1a",
        "Keeps what has triggered before the turn is ended.",
        turn_ended=turn_ends_with_triggers,
    ),
    mutant(
        "outlasts-the-turn",
        "500.4",
        "Lets effects that last until a turn go on in it.",
        durations_until_next_turn=effects_outlast_the_turn,
    ),
    mutant(
        "outlasts-who-left",
        "800.4m",
        "Never ends what lasts until the next turn of a player who has left.",
        durations_of_players_gone=effects_outlast_who_left,
    ),
    mutant("effects-first", "514.1", "Ends effects before anybody discards.", clean_up=effects_first),
    mutant(
        "attacks-for-another",
        "506.4",
        "Leaves an attacker in combat that changes its controller.",
        control_noticed=control_unnoticed,
    ),
    mutant(
        "attacked-for-another",
        "506.4",
        "Leaves a planeswalker under attack that changes its controller.",
        control_noticed=control_of_creatures_noticed,
    ),
    mutant(
        "leaves-combat-altogether",
        "506.4d",
        "Takes out of combat altogether what was a blocking creature and an attacked planeswalker.",
        combat_noticed=all_or_nothing,
    ),
    mutant(
        "short-combat",
        "508.8",
        "Skips the steps for blockers and damage once no attacker is left.",
        step_after=only_with_attackers,
    ),
    mutant(
        "attacks-as-a-land",
        "506.4",
        "Leaves in combat what is no creature any more.",
        combat_noticed=combat_unnoticed,
    ),
    mutant(
        "duration-unnoticed",
        "611.2b",
        "Does not notice that a duration is over.",
        durations_noticed=durations_unnoticed,
    ),
    mutant(
        "walls-attack",
        "702.3b",
        "Ignores defender.",
        possible_attackers=anything_attacks,
    ),
    mutant("attacks-anything", "508.1c", "Ignores restrictions on attacking.", may_attack=attacks_anything),
    mutant("nobody-has-to", "508.1d", "Ignores requirements to attack.", required_attackers=nobody_has_to),
    mutant("vigilance-taps", "702.20b", "Ignores vigilance.", declare_attackers=vigilance_taps),
    mutant(
        "no-priority-without-attackers",
        "508.2",
        "Ends the declare attackers step at once if nobody attacks.",
        no_attackers=no_priority_without_attackers,
    ),
    mutant("blocks-by-seat", "802.4", "Asks defending players by seat.", await_blockers=blocks_by_seat),
    mutant(
        "blocker-acts-first",
        "509.2",
        "Gives priority to whoever declared blockers.",
        declare_blockers=blocker_acts_first,
    ),
    mutant("blocks-anything", "509.1b", "Ignores evasion.", may_block=blocks_anything),
    mutant(
        "one-blocks-menace",
        "509.1c",
        "Checks no declaration of blockers as a whole.",
        declare_blockers=one_blocks_menace,
    ),
    mutant(
        "damage-in-order",
        "510.1c",
        "Still has blockers damaged in an announced order.",
        damage_order_announced=in_the_order_of_blocking,
        check_assignment=combat.check_assignment_in_order,
    ),
    mutant(
        "strikes-again", "510.4", "Lets first strike deal damage twice.", first_strikers_noted=strikes_again
    ),
    mutant(
        "one-after-another",
        "510.2",
        "Deals combat damage one creature after another.",
        deal_combat_damage=one_after_another,
    ),
    mutant(
        "still-attacking", "511.3", "Leaves creatures attacking after combat.", combat_over=still_attacking
    ),
)
