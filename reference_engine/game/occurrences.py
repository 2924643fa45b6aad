"""Which events meet a trigger condition, and what "it" and other names in the ability mean then."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.events import (
    AbilityActivated,
    AttackDeclared,
    BecameBlocked,
    BecameMonarch,
    BecameTarget,
    BecameUnblocked,
    BlockDeclared,
    ControlChanged,
    CountersChanged,
    Cycled,
    Damaged,
    DaytimeChanged,
    DoorTurned,
    GameEvent,
    LandPlayed,
    LifeChanged,
    ManaTapped,
    Moved,
    PlayerLost,
    SpellCast,
    StepBegan,
    Tapped,
    Transformed,
    TurnedFace,
    Untapped,
)
from reference_engine.game.game import Game, Ref, battlefield, last_board, side_of
from reference_engine.game.history import records_as_it_left, records_so_far
from reference_engine.game.stack import is_aimed_at
from reference_engine.language import cards
from reference_engine.language.past_events import activation_kind, is_of_players, is_such_an_activation
from reference_engine.layers.asking import Asking, matches, selection, was_like
from reference_engine.layers.evaluation import evaluate


class AttachmentBegan(Struct, frozen=True):
    """Something became attached to a permanent or player, through any event."""

    id: str
    host: str


class AttachmentEnded(Struct, frozen=True):
    """Something stopped being attached to a permanent, through any event."""

    id: str
    host: str


class LeftWithPlayer(Struct, frozen=True):
    """A permanent left the battlefield because a player left the game."""

    id: str


class NthOfSeveral(cards.Nth, frozen=True):
    """One of several events that are counted together (CR 603.2: any of them can be the second)."""

    among: cards.AnyEvent


Occurring = GameEvent | AttachmentBegan | AttachmentEnded | LeftWithPlayer


def ref_across_move(before: Game, after: Game, id: str) -> Ref:
    """A reference to an object of an event, which still finds it after a move to a public zone
    (CR 400.7e).
    """
    old = before.ref(id)
    new = after.board.things.get(id)
    if new is None or new.zone in ("hand", "library") or after.born(id) == old.born:
        return old
    return Ref(id, old.born, after.born(id))


Occurrence = tuple[Ref | None, tuple[tuple[str, tuple[Ref, ...]], ...]]


def occurrence_of(
    when: cards.TriggerEvent, event: Occurring, asking: Asking, before: Game, after: Game
) -> Occurrence | None:
    """What "it" and other names refer to, if an event meets a trigger condition; otherwise `None`."""
    if type(when) is cards.OneOrMore:
        return occurrence_of(when.event, event, asking, before, after)
    if isinstance(when, cards.Nth):
        occurrence = occurrence_of(when.event, event, asking, before, after)
        if occurrence is None or isinstance(event, AttachmentBegan | AttachmentEnded):
            return None
        records = (
            records_as_it_left(before, after, event.id)
            if isinstance(event, LeftWithPlayer)
            else records_so_far(before, after, event)
        )
        counted = when.among if isinstance(when, NthOfSeveral) else when.event
        so_far = [past for past in records if was_like(past, counted, asking)]
        if is_of_players(counted):
            so_far = [past for past in so_far if past.player == so_far[-1].player]
        return occurrence if len(so_far) == when.n else None
    match event:
        case Moved():
            return occurrence_of_move(when, event, asking, before, after)
        case AttackDeclared() | BlockDeclared() | BecameBlocked() | BecameUnblocked():
            return occurrence_in_combat(when, event, asking, before, after)
        case _:
            return occurrence_of_another_event(when, event, asking, before, after)


def chapter_reached(when: cards.Chapter, id: str, was: int, after: Game) -> Occurrence | None:
    """The occurrence of a chapter, if a Saga that had `was` lore counters has reached it now."""
    return (after.ref(id), ()) if was < when.n <= after.board.things[id].count("lore") else None


def counters_put(when: cards.GetsCounters, event: Occurring) -> int:
    """The number of counters, of the kind that an ability is about, that an event puts on something.

    CR 122.6: those with which a permanent enters the battlefield are put on it, too.
    """
    match event:
        case CountersChanged(_, kind, by) if by > 0:
            return by if when.counter in (None, kind) else 0
        case Moved(_, _, "battlefield", entering=entering) if entering is not None:
            return sum(n for kind, n in entering.counters if n > 0 and when.counter in (None, kind))
        case _:
            return 0


def occurrence_of_move(
    when: cards.TriggerEvent, event: Moved, asking: Asking, before: Game, after: Game
) -> Occurrence | None:
    """`occurrence_of` for a zone change."""
    match when, event:
        case cards.Enters(who), Moved(id, _, "battlefield") if id in selection(who, asking):
            return after.ref(id), ()
        case cards.Leaves(who), Moved(id, "battlefield", _) if id in selection(who, asking):
            return ref_across_move(before, after, id), ()
        case cards.Dies(who), Moved(id, "battlefield", "graveyard") if id in selection(who, asking):
            return ref_across_move(before, after, id), ()
        case cards.Sacrifices(who, what), Moved(id, "battlefield", _, "sacrificed"):
            player = before.seen.look(id).controller or before.board.things[id].owner
            if player in selection(who, asking) and matches(what, id, asking):
                return ref_across_move(before, after, id), player_named(player)
            return None
        case cards.Draws(who), Moved(id, _, "hand", "drawn"):
            player = after.board.things[id].owner
            return (after.ref(id), player_named(player)) if player in selection(who, asking) else None
        case cards.Discards(who, what), Moved(id, "hand", _, "discarded"):
            player = after.board.things[id].owner
            such = what is None or matches(what, id, asking)
            return (
                (after.ref(id), player_named(player)) if such and player in selection(who, asking) else None
            )
        case cards.PutIntoGraveyard(who), Moved(id, _, "graveyard") if id in selection(who, asking):
            return after.ref(id), ()
        case cards.LeavesGraveyard(who), Moved(id, "graveyard", to) if to != "graveyard":
            return (ref_across_move(before, after, id), ()) if id in selection(who, asking) else None
        case cards.IsCountered(what, by), Moved(id, "stack", _, "countered"):
            caster = before.seen.look(id).controller
            if caster in selection(by, asking) and matches(what, id, asking):
                return ref_across_move(before, after, id), ()
            return None
        case cards.UnlocksThisDoor(who), Moved(id, _, "battlefield") if id == asking.this:
            return (after.ref(id), ()) if asking.you in selection(who, asking) else None
        case cards.GetsCounters(who), Moved(id, _, "battlefield") if counters_put(when, event):
            return (after.ref(id), ()) if id in selection(who, asking) else None
        case cards.Chapter(), Moved(id, _, "battlefield") if id == asking.this:
            # CR 714.2b: a counter that a Saga enters with is put on it, too.
            return chapter_reached(when, id, 0, after)
        case _:
            return None


def occurrence_in_combat(
    when: cards.TriggerEvent,
    event: AttackDeclared | BlockDeclared | BecameBlocked | BecameUnblocked,
    asking: Asking,
    before: Game,
    after: Game,
) -> Occurrence | None:
    """`occurrence_of` for attacking and blocking."""
    match when, event:
        case cards.Attacks(who, alone), AttackDeclared(id, what) if id in selection(who, asking):
            attacked = None if when.whom is None else player_attacked(when, what, asking)
            if when.whom is not None and attacked is None:
                return None
            if when.saddled and not after.board.things[id].saddled:
                return None
            if alone and not attacks_alone(before, after):
                return None
            # CR 603.2c: "one or more attack a player" happens once for each player.
            return after.ref(id), () if attacked is None else (("attacked", (after.ref(attacked),)),)
        case cards.Blocks(who, None), BlockDeclared(id, _, False) if id in selection(who, asking):
            return after.ref(id), ()
        case cards.BecomesBlocked(who, None), BecameBlocked(id) if id in selection(who, asking):
            return after.ref(id), ()
        # CR 509.3g: as blockers are declared, if none was declared for it.
        case cards.AttacksUnblocked(who), BecameUnblocked(id) if id in selection(who, asking):
            return after.ref(id), ()
        # CR 509.3b, 509.3d: for each creature that it blocks, or that blocks it.
        case cards.Blocks(who, cards.Filter() as what), BlockDeclared(id, other):
            return (after.ref(other), ()) if are_meant_in_combat(who, id, what, other, asking) else None
        case cards.BecomesBlocked(who, cards.Filter() as by), BlockDeclared(id, other):
            return (after.ref(id), ()) if are_meant_in_combat(who, other, by, id, asking) else None
        case _:
            return None


def asking_as_it_last_was(game: Game, ref: Ref, asking: Asking) -> Asking:
    """The same questions about the board on which an object was last seen.

    CR 106.12a: being tapped for mana triggers only once the mana is made. A permanent that was sacrificed to
    pay for it is gone by then, and only its last known information tells what was tapped.
    """
    board = last_board(game, ref)
    if board is game.board:
        return asking
    return replace(asking, board=board, view=evaluate(board, game.rules).view)


def occurrence_of_another_event(
    when: cards.TriggerEvent, event: Occurring, asking: Asking, before: Game, after: Game
) -> Occurrence | None:
    """`occurrence_of` for the events that are neither zone changes nor attacks nor blocks."""
    match when, event:
        case cards.Beginning(step, of), StepBegan(began, active):
            # CR 800.4j: a turn goes on without its player, who is nobody that could be selected any more.
            each = isinstance(of, cards.Everyone)
            theirs = each or any(side_of(after, player) == active for player in selection(of, asking))
            return (None, ()) if step == began and theirs else None
        case cards.BecomesAttached(who, to), AttachmentBegan(id, host) if id in selection(who, asking):
            return (after.ref(host), ()) if to is None or host in selection(to, asking) else None
        case cards.BecomesUnattached(who), AttachmentEnded(id, host) if id in selection(who, asking):
            return ref_across_move(before, after, host), ()
        case cards.Leaves(who), LeftWithPlayer(id) if id in selection(who, asking):
            return ref_across_move(before, after, id), ()
        case cards.LosesGame(who), PlayerLost(player) if player in selection(who, asking):
            return Ref(player), player_named(player)
        case cards.DaytimeChanges(to), DaytimeChanged(new, was) if was is not None and to in (None, new):
            # CR 731.1a: only if the game had the other designation before.
            return None, ()
        case cards.BecomesMonarch(who), BecameMonarch(player) if player in selection(who, asking):
            return Ref(player), ()
        case cards.LosesControl(of, by), ControlChanged(id, old):
            if id in selection(of, asking) and old in selection(by, asking):
                return after.ref(id), ()
            return None
        case cards.BecomesTapped(who), Tapped(id) if id in selection(who, asking):
            return after.ref(id), ()
        case cards.BecomesUntapped(who), Untapped(id) if id in selection(who, asking):
            return after.ref(id), ()
        case cards.TappedForMana(who, by), ManaTapped(source, player):
            tapped = source.id in selection(who, asking_as_it_last_was(after, source, asking))
            if tapped and (by is None or player in selection(by, asking)):
                # CR 400.7: no zone change triggered it, so it does not find where a cost has put its object.
                return Ref(source.id, source.born), player_named(player)
            return None
        case cards.BecomesTarget(who, by), BecameTarget(id, item, player):
            if id in selection(who, asking) and player in selection(by, asking):
                return Ref(item, born_of(after, item)), player_named(player)
            return None
        case cards.TurnedFaceUp(who), TurnedFace(id, True) if id in selection(who, asking):
            return after.ref(id), ()
        case cards.Transforms(who, into), Transformed(id) if id in selection(who, asking):
            return (after.ref(id), ()) if into is None or matches(into, id, asking) else None
        case cards.UnlocksThisDoor(who), DoorTurned(id, _, by, True) if id == asking.this:
            return (after.ref(id), ()) if by in selection(who, asking) else None
        case cards.FullyUnlocks(who), DoorTurned(id, _, by, True) if by in selection(who, asking):
            return (after.ref(id), ()) if after.rules.is_fully_unlocked(after, id) else None
        case cards.DealsDamage(who, to, combat), Damaged():
            if (combat and not event.combat) or event.source.id not in selection(who, asking):
                return None
            if to is not None and event.to not in selection(to, asking):
                return None
            return event.source, () if to is None else (("damaged", (after.ref(event.to),)),)
        case cards.IsDealtDamage(who, combat), Damaged(_, to):
            if (combat and not event.combat) or to not in selection(who, asking):
                return None
            return after.ref(to), ()
        case cards.Cycles(who, what), Cycled(id, player):
            such = what is None or matches(what, id, asking)
            return (
                (after.ref(id), player_named(player)) if such and player in selection(who, asking) else None
            )
        case cards.CastEvent(aimed_at=cards.All() as aim), SpellCast(id) if not is_aimed_at(
            after, id, aim, asking
        ):
            return None
        case cards.CastEvent(what, by) | cards.Plays(what, by), SpellCast(id, player):
            if player in selection(by, asking) and matches(what, id, asking):
                return after.ref(id), player_named(player)
            return None
        case cards.Plays(what, by), LandPlayed(id, player):
            if player in selection(by, asking) and matches(what, id, asking):
                return after.ref(id), player_named(player)
            return None
        case cards.Activates(who), AbilityActivated(by=player) if player in selection(who, asking):
            such = is_such_an_ability(when, event, asking, after)
            return (event.item, ()) if such else None
        case cards.GainsLife(who), LifeChanged(player, by, "gained"):
            return (Ref(player), player_named(player)) if player in selection(who, asking) else None
        case cards.LosesLife(who), LifeChanged(player, by) if by < 0:
            return (Ref(player), player_named(player)) if player in selection(who, asking) else None
        case cards.GetsCounters(who), CountersChanged(id) if counters_put(when, event):
            return (after.ref(id), ()) if id in selection(who, asking) else None
        case cards.Chapter(), CountersChanged(id, "lore") if id == asking.this:
            return chapter_reached(when, id, before.board.things[id].count("lore"), after)
        case _:
            return None


def is_such_an_ability(when: cards.Activates, event: AbilityActivated, asking: Asking, after: Game) -> bool:
    """Whether an ability that was activated is one that another ability waits for.

    CR 603.10: its source is looked at once the costs are paid. CR 113.7a: one that has left to pay for it is
    looked at as it last was.
    """
    if not is_such_an_activation(activation_kind(event.mana, event.loyalty), when):
        return False
    source = event.source.id
    return when.of is None or source in selection(when.of, asking_as_it_last_was(after, event.source, asking))


def are_meant_in_combat(
    who: cards.Selector, one: str, what: cards.Filter, other: str, asking: Asking
) -> bool:
    """Whether a creature is one that an ability is about, and the other one in combat with it matches the
    filter.
    """
    return one in selection(who, asking) and matches(what, other, asking)


def player_attacked(when: cards.Attacks, attacked: str, asking: Asking) -> str | None:
    """The player asked for whom a creature attacks, or (if the ability says so) whose planeswalker
    (CR 508.2a: as it is declared).
    """
    assert when.whom is not None
    whom = selection(when.whom, asking)
    if attacked in whom:
        return attacked
    # What is attacked and is no player is a planeswalker.
    if not when.or_theirs or attacked not in asking.board.things:
        return None
    controller = asking.view.look(attacked).controller
    return controller if controller in whom else None


def attacks_alone(before: Game, after: Game) -> bool:
    """CR 506.5, 702.83b: a creature attacks alone if it is the only one that was declared as an attacker."""
    attacked = (thing.id for thing in battlefield(before) if thing.attacking is not None)
    attack = {thing.id for thing in battlefield(after) if thing.attacking is not None}
    return len(attack.difference(attacked)) == 1


def player_named(player: str) -> tuple[tuple[str, tuple[Ref, ...]], ...]:
    """The player that an event was about, under the name by which abilities refer to them."""
    return (("player", (Ref(player),)),)


def born_of(game: Game, id: str) -> int:
    """Distinguishes an object on the stack from earlier objects of the same card."""
    return next((item.born for item in game.stack if item.id == id), 0)
