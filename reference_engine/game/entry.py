"""How a permanent enters: tapped or not, with counters, as a copy, under whose control, with what chosen.

CR 614.12: what applies as a permanent enters is determined on the board with the permanent already there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.events import CountersChanged, Entering, GameEvent, Moved
from reference_engine.game.game import Game, Question, Ref, Rejected, Undecided, is_active, players
from reference_engine.game.questions import is_prepared, labels_of, take_answer, yes_or_no
from reference_engine.game.replacing import key_of
from reference_engine.game.rule_effects import on_rules
from reference_engine.game.timestamps import in_order_of_difference, in_timestamp_order
from reference_engine.game.zones import moved, piles_of
from reference_engine.language.cards import (
    AsEnters,
    Card,
    Condition,
    CopyAsEnters,
    EntersTapped,
    EntersUnder,
    EntersWith,
    Gain,
    Keyword,
    Operation,
    Quantity,
    This,
    Would,
)
from reference_engine.language.characteristics import HeldAbility, faces_of, printed_characteristics
from reference_engine.language.keywords import ChangesEntering, granted
from reference_engine.language.words import CardType, CounterKind
from reference_engine.layers.asking import (
    Asking,
    choices_mentioned,
    holds,
    how_many,
    matches,
    own_past,
    selection,
    speaks_of_its_object,
)
from reference_engine.layers.board import (
    Board,
    CopyValues,
    Lasting,
    NotModelled,
    SetCopiable,
    SettledPart,
    Thing,
    face_of,
)
from reference_engine.layers.evaluation import RuleEffect, copiable_values, evaluate
from reference_engine.layers.operations import with_chosen_words
from reference_engine.layers.view import View

_Kind = TypeVar("_Kind", bound=Operation)


def as_they_enter(game: Game, events: tuple[GameEvent, ...]) -> tuple[Game, tuple[GameEvent, ...]]:
    """The events, with everything that happens as permanents enter determined and chosen.

    CR 614.12a: choices are made before the permanents enter. CR 101.4: if several players choose, in APNAP
    order.
    """
    coming = tuple([e for e in events if type(e) is Moved and e.to == "battlefield"])
    if not coming:
        return game, events
    staying = {event.id for event in coming if is_no_permanent(game, event)}
    if staying:
        events = tuple(e for e in events if not (isinstance(e, Moved) and e.id in staying))
        coming = tuple(event for event in coming if event.id not in staying)
    settled: list[Moved] = []
    before = game.entering
    if not ENTERING.isdisjoint(game.mentions):
        game = replace(game, entering=before.union([event.id for event in coming]))
    if len(coming) > 1:
        game, coming = in_timestamp_order(*under_their_controllers(game, coming))
    for event in coming:
        game, done = game.rules.as_it_enters(game, event)
        if done is not None:
            settled.append(done)
    if game.entering is not before:
        game = replace(game, entering=before)
    game, settled = in_order_of_difference(game, settled)
    if len(coming) == len(events):
        return game, tuple(settled)
    ids = {event.id for event in coming}
    rest = tuple(e for e in events if not (isinstance(e, Moved) and e.id in ids))
    return game, (*rest, *settled)


def is_no_permanent(game: Game, event: Moved) -> bool:
    """Whether this would put an instant or sorcery onto the battlefield, which can't be.

    CR 400.4a: it remains where it is. CR 111.5: a token that is a copy of one isn't created. Face down, it
    is neither.
    """
    entering = event.entering
    assert entering is not None
    thing = event.token if event.token is not None else game.board.things[event.id]
    if INSTANT_OR_SORCERY.isdisjoint(face_of(thing.card, entering.face_up).types):
        return False
    look = evaluate(board_with(game, event, entering), game.rules).look(event.id)
    return not INSTANT_OR_SORCERY.isdisjoint(look.types)


INSTANT_OR_SORCERY: frozenset[CardType] = frozenset({"Instant", "Sorcery"})


def under_their_controllers(game: Game, coming: tuple[Moved, ...]) -> tuple[Game, tuple[Moved, ...]]:
    """Permanents that enter together, under the control of the players that effects name (CR 616.1b)."""
    controlled: list[Moved] = []
    for event in coming if EntersUnder in game.mentions else ():
        assert event.entering is not None
        game, entering, _ = with_controller(game, event, event.entering)
        controlled.append(replace(event, entering=entering))
    return game, tuple(controlled) or coming


ENTERING = frozenset({AsEnters, EntersTapped, EntersWith, EntersUnder, Would})
"""The kinds of abilities and operations that change how permanents enter."""


def as_it_enters(game: Game, event: Moved) -> tuple[Game, Moved | None]:
    """A permanent's entry with everything that happens as it enters: copying, choices, counters, entering
    tapped; `None` if it can't enter.

    CR 614.12: whether these apply is determined on the board with the permanent on it. CR 712.13, 712.14: the
    face that will be up counts. CR 616.1: who gets it comes first, then becoming a copy, and CR 616.1f: after
    each change it is asked again what applies now.
    """
    assert event.entering is not None
    entering = game.rules.entering_by_night(game, event, event.entering)
    thing = event.token if event.token is not None else game.board.things[event.id]
    if "Battle" in thing.card.types or "Role" in thing.card.subtypes:
        # Their state-based actions are not supported (CR 704.5t–z).
        raise NotModelled(f"a permanent such as {thing.id}: battles and Roles")
    face = face_of(thing.card, entering.face_up)
    hosted = entering.attached_to is not None or "Aura" not in face.subtypes
    plain = hosted and not entering.begins
    if plain and not entering.face_down and not ENTERING & game.mentions:
        return game, replace(event, entering=entering)
    if hosted and as_printed(game, entering, thing):
        return as_it_enters_as_printed(game, event, entering, thing)
    done: frozenset[tuple[str | int, ...]] = frozenset()
    while True:
        game, entering, board = with_controller(game, event, entering)
        look = evaluate(board, game.rules).look(event.id)
        waiting = effects_on_entry(game, event, entering, board, done)
        if not waiting:
            break
        game, chosen = entry_effect_chosen(game, event, entering, waiting, done)
        done |= {_mark(chosen, entering)}
        game, entering = with_entry_effect(game, event, entering, chosen, board, f"entry {len(done)}")
    if look.has_subtype("Aura") and entering.attached_to is None:
        entry = replace(event, entering=entering)
        game, host = game.rules.host_chosen(game, entry, moved(game, entry, game))
        if host is None:
            return game, game.rules.without_host(event)
        entering = replace(entering, attached_to=host)
    entering = replace(entering, counters=entering.counters + entering.with_copy, with_copy=())
    return as_settled(game, event, entering)


def as_settled(game: Game, event: Moved, entering: Entering) -> tuple[Game, Moved]:
    """A permanent's entry once only its counters can still change."""
    if Would in game.mentions and entering.counters:
        board = board_with(game, event, entering)
        game, entering = with_counters_replaced(game, event.id, board, entering)
    return game, replace(event, entering=entering)


NOT_AS_PRINTED = frozenset({ChangesEntering, EntersTapped, EntersWith, EntersUnder})
"""What lets other permanents determine more of how one enters than the number of its counters."""
CHANGED_BY_OTHERS = NOT_AS_PRINTED | {Would}
"""What lets other permanents determine how one enters."""


def looks_around(card: Card, spoken_of: frozenset[type]) -> bool:
    """Whether a permanent of this card may enter differently because of what is there, if the cards of the
    table mention these types.
    """
    return bool(ENTERING & spoken_of and CHANGED_BY_OTHERS & spoken_of) or any(
        isinstance(one, AsEnters) and asks(one)
        for face in faces_of(card).values()
        for ability in face.abilities
        for one in granted(ability)
    )


def as_printed(game: Game, entering: Entering, thing: Thing) -> bool:
    """Whether a permanent's printed text alone determines how it enters, except for the number of its
    counters.
    """
    if entering.face_down or entering.begins or thing.card.halves or NOT_AS_PRINTED & game.mentions:
        return False
    return not any(
        isinstance(one, AsEnters) and (one.copy is not None or one.one_of)
        for face in faces_of(thing.card).values()
        for ability in face.abilities
        for one in granted(ability)
    )


def as_it_enters_as_printed(
    game: Game, event: Moved, entering: Entering, thing: Thing
) -> tuple[Game, Moved | None]:
    """Like `as_it_enters`, for a permanent whose own text alone determines how it enters: nothing else is
    evaluated, except what that text refers to.
    """
    face = face_of(thing.card, entering.face_up)
    look = printed_characteristics(face, entering.under)
    own = game.rules.entry_abilities(look)
    done: frozenset[tuple[str | int, ...]] = frozenset()
    while waiting := tuple(held for held in own if _mark(held, entering) not in done):
        game, held = entry_effect_chosen(game, event, entering, waiting, done)
        done |= {_mark(held, entering)}
        assert isinstance(held, HeldAbility)
        assert isinstance(held.ability, AsEnters)
        board = board_with(game, event, entering) if asks(held.ability) else game.board
        game, entering = with_entry_ability(game, event, entering, held.ability, board, f"entry {len(done)}")
    return as_settled(game, event, entering)


class OfAnother(Struct, frozen=True):
    """What other objects do to a permanent as it enters: one effect that gives it counters, or all that make
    it enter tapped.
    """

    source: str
    key: tuple[str | int, ...] | None
    """The effect that gives it counters; `None` if it enters tapped."""


EntryEffect = HeldAbility | OfAnother
"""What changes how a permanent enters: an ability of its own, or of another object."""


def effects_on_entry(
    game: Game, event: Moved, entering: Entering, board: Board, done: frozenset[tuple[str | int, ...]]
) -> tuple[EntryEffect, ...]:
    """The effects on how a permanent enters that may apply next, its own abilities first.

    CR 616.1c: those that make it a copy come before all others. CR 614.12: what has changed the entry already
    counts, counters too. CR 614.5: each effect applies once.
    """
    look = evaluate(board, game.rules).look(event.id)
    own = [held for held in game.rules.entry_abilities(look) if _mark(held, entering) not in done]
    copying = tuple(held for held in own if isinstance(held.ability, AsEnters) and held.ability.copy)
    return copying or (*own, *effects_of_others(game, event, entering, board))


def effects_of_others(game: Game, event: Moved, entering: Entering, board: Board) -> Iterator[OfAnother]:
    """The effects of other objects that change how a permanent enters and have not been applied."""
    if EntersTapped in game.mentions and not entering.tapped:
        for _, effect in itertools.islice(entry_effects(game, event, board, EntersTapped), 1):
            yield OfAnother(effect.effect.source, None)
    if EntersWith in game.mentions:
        for _, effect in entry_effects(game, event, board, EntersWith):
            if (*effect.effect.key, "counters") not in entering.applied:
                yield OfAnother(effect.effect.source, effect.effect.key)


def with_entry_effect(
    game: Game, event: Moved, entering: Entering, chosen: EntryEffect, board: Board, name: str
) -> tuple[Game, Entering]:
    """The entry after one more effect was applied to it."""
    if isinstance(chosen, HeldAbility):
        assert isinstance(chosen.ability, AsEnters)
        return with_entry_ability(game, event, entering, chosen.ability, board, name)
    if chosen.key is None:
        return game, replace(entering, tapped=True)
    given = counters_given(game, event, board, chosen.key)
    applied = entering.applied | {(*chosen.key, "counters")}
    return game, replace(entering, counters=entering.counters + given, applied=applied)


def entry_effect_chosen(
    game: Game,
    event: Moved,
    entering: Entering,
    options: tuple[EntryEffect, ...],
    done: frozenset[tuple[str | int, ...]],
) -> tuple[Game, EntryEffect]:
    """The effect on how a permanent enters that applies next, as its controller chooses (CR 616.1e).

    Nobody has to choose if all orders have the same result.
    """
    if len(options) < 2 or not any(map(reads, options)):
        return game, options[0]
    labels = labels_of([event.id if isinstance(one, HeldAbility) else one.source for one in options])
    question = Question("replacement", entering.under, (event.id, "replacement"), labels)
    if not is_prepared(game, question) and not entry_order_matters(game, event, entering, done):
        return game, options[0]
    game, answer = take_answer(game, question)
    return game, options[labels.index(str(answer[0]))]


def reads(one: EntryEffect) -> bool:
    """Whether what an effect does as a permanent enters may depend on what another has done by then."""
    if isinstance(one, OfAnother):
        return True
    ability = one.ability
    return isinstance(ability, AsEnters) and (
        asks(ability) or bool(ability.effect) or bool(ability.unless_pays)
    )


MOST_AT_ONCE, MOST_ORDERS = 6, 200
"""If more effects on one entry could be next, or if so many orders have the same result, the order is asked
for all the same.
"""
UNCLEAR = object()
"""In place of what comes of so many effects."""


def entry_order_matters(
    game: Game, event: Moved, entering: Entering, done: frozenset[tuple[str | int, ...]]
) -> bool:
    """Whether effects on how a permanent enters have different results in different orders.

    CR 616.1f: after each, it is asked again which apply.
    """
    results = entry_results(game, event, entering, done)
    first = next(results)
    if first is None or first is UNCLEAR:
        return first is UNCLEAR
    return any(result != first or n == MOST_ORDERS for n, result in enumerate(results))


def entry_results(
    game: Game, event: Moved, entering: Entering, done: frozenset[tuple[str | int, ...]]
) -> Iterator[object]:
    """What comes of each order in which effects may change how a permanent enters, first of the order in
    which they are listed; `None` if the answers do not fit it.

    They may fit another order; if they do not even fit the first one, its question comes up anyway.
    """
    try:
        then, now, board = with_controller(game, event, entering)
        options = effects_on_entry(then, event, now, board, done)
    except (Rejected, Undecided):
        yield None
        return
    if len(options) > MOST_AT_ONCE:
        yield UNCLEAR
        return
    for one in options:
        mark = _mark(one, now)
        try:
            after, changed = with_entry_effect(then, event, now, one, board, str(mark))
        except (Rejected, Undecided):
            yield None
        else:
            yield from entry_results(after, event, changed, done | {mark})
    if not options:
        begun = frozenset((effect.id, effect.parts) for effect in now.begins)
        where = sorted((thing.id, thing.zone, thing.tapped) for thing in then.board.things.values())
        alike = replace(now, begins=(), counters=tuple(sorted(piles_of(now.counters, 0), key=str)))
        yield alike, begun, where, then.board.seats


def with_controller(game: Game, event: Moved, entering: Entering) -> tuple[Game, Entering, Board]:
    """The entry under the control of the player that effects name, if any, and the board with the permanent.

    CR 616.1b: this comes before other effects on how it enters. CR 614.5: each effect applies once.
    """
    while True:
        board = board_with(game, event, entering)
        if EntersUnder not in game.mentions:
            return game, entering, board
        offered = {
            effect.effect.source: (operation, effect)
            for operation, effect in entry_effects(game, event, board, EntersUnder)
            if effect.effect.key not in entering.applied
        }
        if not offered:
            return game, entering, board
        question = Question("replacement", entering.under, (event.id, "replacement"), tuple(offered))
        game, answer = take_answer(game, question)
        operation, effect = offered[str(answer[0])]
        entering = replace(entering, applied=entering.applied | {effect.effect.key})
        asking = evaluate(board, game.rules).asking_of(effect).about(event.id)
        players_meant = selection(operation.player, asking)
        if len(players_meant) == 1:
            under = players_meant[0]
            # CR 506.3b: it attacks only under the control of an attacking player.
            attacked = entering.attacking if is_active(game, under) else None
            entering = replace(entering, under=under, attacking=attacked)


def counters_given(
    game: Game, event: Moved, board: Board, key: tuple[str | int, ...]
) -> tuple[tuple[CounterKind, int], ...]:
    """The counters that another object's effect makes it enter with (CR 614.1c; 122.6a: as it enters)."""
    after = evaluate(board, game.rules)
    return tuple(
        (counters.kind, counted_before(game, event.id, counters.n, after.asking_of(effect).about(event.id)))
        for operation, effect in entry_effects(game, event, board, EntersWith)
        if effect.effect.key == key
        for counters in operation.counters
    )


def with_counters_replaced(game: Game, id: str, board: Board, entering: Entering) -> tuple[Game, Entering]:
    """The entry with its counters as replacement effects change them.

    CR 122.6: entering with counters is having counters put on it. CR 614.5: an effect applies once to those
    of one kind, whatever gives them. CR 614.12: its own ability counts if it affects only the permanent
    itself.
    """
    kept: list[tuple[CounterKind, int]] = []
    now, exempt = game.board, game.exempt
    too_late = {
        key_of(effect, would)
        for would, _, effect in on_rules(replace(game, board=board), Would)
        if effect.effect.source == id and not is_about_itself(effect)
    }
    for pile in piles_of(entering.counters, 0):
        there = replace(game, board=board, exempt=exempt | too_late)
        there, change = there.rules.event_after_replacements(there, CountersChanged(id, pile.kind, pile.n))
        game = replace(there, board=now, exempt=exempt)
        if isinstance(change, CountersChanged):
            kept.append((pile.kind, change.by))
    return game, replace(entering, counters=tuple(kept))


def host_chosen(game: Game, event: Moved, then: Game) -> tuple[Game, str | None]:
    """The host chosen for an Aura that enters without having been an Aura spell; `None` if there is none.

    CR 303.4f: the player under whose control it enters chooses something that it can legally enchant.
    """
    assert event.entering is not None
    hosts = tuple(
        id for id in (*then.board.things, *players(then)) if game.rules.may_be_enchanted(then, event.id, id)
    )
    if not hosts:
        return game, None
    game, answer = take_answer(game, Question("object", event.entering.under, (event.id,), hosts))
    return game, str(answer[0])


def without_host(event: Moved) -> Moved | None:
    """The event for an Aura that would enter without anything to enchant.

    CR 303.4g: it stays where it is; from the stack it goes to its owner's graveyard; a token isn't created.
    """
    return Moved(event.id, "stack", "graveyard", "put") if event.origin == "stack" else None


def _mark(one: EntryEffect, entering: Entering) -> tuple[str | int, ...]:
    """What tells an effect on how a permanent enters from those that have been applied.

    CR 707.5: the "as enters" abilities of what it copies apply, too, even if they say the same as the one
    that made it a copy. Each of them does so once for each object that it copies (CR 614.5).
    """
    if isinstance(one, OfAnother):
        return (one.source, *(one.key or ()))
    model = () if one.since or entering.model is None else (entering.model,)
    return (*model, *one.slot, hash(one.ability))


def board_with(game: Game, event: Moved, entering: Entering) -> Board:
    """The board as it would be with the permanent on the battlefield."""
    hypothetical = replace(
        event, entering=replace(entering, counters=entering.counters + entering.with_copy, with_copy=())
    )
    board = moved(game, hypothetical, game).board
    game.board.__dict__["foreseen"] = board
    return board


def entry_effects(
    game: Game, event: Moved, board: Board, kind: type[_Kind]
) -> Iterator[tuple[_Kind, RuleEffect]]:
    """The effects of a kind that change how a permanent enters.

    CR 614.12: its own ability counts if it affects only the permanent itself, as do existing effects.
    """
    there = {effect.effect.key for effect in game.seen.rules_effects}
    after = evaluate(board, game.rules)
    for effect in after.rules_effects:
        if (
            isinstance(effect.operation, kind)
            and event.id in after.affected_by_rule(effect)
            and (effect.effect.key in there or is_about_itself(effect))
        ):
            yield effect.operation, effect


def is_about_itself(effect: RuleEffect) -> bool:
    """Whether an effect comes from an ability that affects only its own source."""
    return any(isinstance(share.affects, This) for share in effect.effect.shape.shares.get("rules", ()))


def with_entry_ability(
    game: Game, event: Moved, entering: Entering, ability: AsEnters, board: Board, name: str
) -> tuple[Game, Entering]:
    """The entry after one of its "as this enters" abilities was applied."""
    id, you = event.id, entering.under
    asking = (
        evaluate(board, game.rules).asking(id, you) if asks(ability) else Asking(board, View({}), id, you)
    )
    asking = replace(asking, x=entering.chosen.x)  # CR 107.3m: that of its spell
    if ability.cond is not None and not entry_condition_holds(game, ability.cond, asking):
        return game, entering
    if ability.may and ability.copy is None:
        game, wanted = yes_or_no(game, you, (id,))
        if not wanted:
            return game, with_otherwise(entering, id, ability.otherwise, name)
    if ability.copy is not None:
        game, entering, copied = with_copy(game, event, entering, ability.copy, ability.may, asking, name)
        if ability.may and not copied:
            return game, entering
        if copied:
            # CR 707.9e: counters from one copy effect are not added if another copy effect follows.
            entering = replace(entering, with_copy=())
            copying = evaluate(board_with(game, event, entering), game.rules).asking(id, you)
            copying = replace(copying, x=asking.x)
            for extra in ability.copy.counters:
                if matches(extra.what, id, copying):
                    more = tuple((c.kind, counted_before(game, id, c.n, copying)) for c in extra.counters)
                    entering = replace(entering, with_copy=entering.with_copy + more)
    if ability.one_of:
        game, number = one_option(game, you, id, len(ability.one_of))
        entering = with_begun(entering, id, you, SetCopiable(ability.one_of[number - 1].does), name)
    for choice in ability.choose:
        game, chosen = game.rules.word_chosen(game, choice, you, id, entering.chosen, asking)
        entering = replace(entering, chosen=chosen)
    if ability.choose and ability.counters:
        # CR 614.12a: the choices are made before it is there, so the counters can depend on them.
        after = evaluate(board_with(game, event, entering), game.rules).asking(id, you)
        asking = replace(after, x=asking.x)
    for counters in ability.counters:
        n = counted_before(game, id, counters.n, asking)
        entering = replace(entering, counters=(*entering.counters, (counters.kind, n)))
    if ability.unless_pays and not entering.tapped:
        game, paid = game.rules.paid_or_not(game, you, ability.unless_pays, (id,), Ref(id))
        entering = replace(entering, tapped=not paid)
    if ability.tapped:
        entering = replace(entering, tapped=True)
    if ability.effect:
        # CR 614.13: something may happen to other objects as it enters; this happens before it is there.
        game = game.rules.follow_as_it_enters(game, ability.effect, id, you)
    return game, entering


def counted_before(game: Game, id: str, quantity: Quantity, asking: Asking) -> int:
    """How many counters a permanent enters with.

    CR 614.12: what is asked of the permanent itself is asked of it as it would exist on the battlefield.
    Everything else is counted before it is there, while its card is still where it was.
    """
    if isinstance(quantity, int) or speaks_of_its_object(quantity):
        return how_many(quantity, asking)
    now, entered = game.board, asking.board.things[id]
    if id in now.things:
        now = now.with_things(replace(now.things[id], chosen=replace(entered.chosen, under_by=None)))
    elif choices_mentioned(quantity):
        return how_many(quantity, asking)  # a token, which is nowhere else
    return how_many(quantity, replace(asking, board=now, view=evaluate(now, game.rules).view))


def entry_condition_holds(game: Game, cond: Condition, asking: Asking) -> bool:
    """Whether the condition of an "as this enters" ability holds.

    CR 614.12: what it was before and how it would look count; all else is looked at before it is there.
    """
    elsewhere = evaluate(game.board.without_thing(asking.this), game.rules)
    before = elsewhere.asking(asking.this, asking.you)
    past = own_past(asking.this, asking.board, asking.view)
    # CR 614.12a: what was chosen for it is chosen before it is there.
    return holds(with_chosen_words(cond, asking), replace(before, was=past, x=asking.x))


def asks(ability: AsEnters) -> bool:
    """Whether what an ability does as its permanent enters depends on how everything looks."""
    if ability.copy or ability.choose or ability.cond is not None:
        return True
    return not all(isinstance(one.n, int) for one in ability.counters)


def with_otherwise(entering: Entering, id: str, keywords: tuple[Keyword, ...], name: str) -> Entering:
    """The entry with what the object gains if its controller does not choose the rest.

    CR 702.136a: it gains an ability; unlike what it enters as, this is not copiable.
    """
    if not keywords:
        return entering
    parts = (SettledPart(frozenset({id}), (Gain(keywords),)),)
    begun = Lasting(f"{id} {name}", id, entering.under, 0, parts)
    return replace(entering, begins=(*entering.begins, begun))


def with_copy(
    game: Game,
    event: Moved,
    entering: Entering,
    copy: CopyAsEnters,
    optional: bool,
    asking: Asking,
    name: str,
) -> tuple[Game, Entering, bool]:
    """The entry as a copy of a chosen permanent, with exceptions, and whether it became a copy.

    CR 707.5: it enters as a copy, so the copied object also determines how it enters. CR 707.6: choices are
    not copied. CR 707.9a, 707.9b: exceptions become part of the copiable values. Where copying is optional,
    naming an object means yes; a plain "no" is also allowed.
    """
    models = tuple(id for id in selection(copy.of, asking) if id != event.id)
    if optional and is_prepared(game, Question("may", entering.under, (event.id,), (True, False))):
        game, wanted = yes_or_no(game, entering.under, (event.id,))
        if not wanted:
            return game, entering, False
        optional = False
    question = Question("copy", entering.under, (event.id,), models, 0 if optional else 1, 1)
    game, answer = take_answer(game, question)
    if not answer:
        return game, entering, False
    model, effect = str(answer[0]), f"{event.id} {name} {game.clock}"
    acquired = (model, game.born(model), effect)
    values = replace(copiable_values(game.board, model, game.rules), text_by=acquired)
    operations: tuple[CopyValues | SetCopiable, ...] = (CopyValues(values),)
    if copy.but:
        operations = (*operations, SetCopiable(copy.but))
    begun = Lasting(
        id=effect,
        source=event.id,
        you=entering.under,
        timestamp=game.clock,
        parts=(SettledPart(frozenset({event.id}), operations),),
        leaves_with=event.id,
    )
    return game, replace(entering, begins=(*entering.begins, begun), model=model), True


def with_begun(entering: Entering, id: str, you: str, operation: SetCopiable, name: str) -> Entering:
    """The entry with an effect that begins as the object enters and ends with the object."""
    begun = Lasting(
        id=f"{id} {name}",
        source=id,
        you=you,
        timestamp=0,
        parts=(SettledPart(frozenset({id}), (operation,)),),
        leaves_with=id,
    )
    return replace(entering, begins=(*entering.begins, begun))


def one_option(game: Game, player: str, id: str, options: int) -> tuple[Game, int]:
    """The printed alternative that a player takes, counted from 1."""
    game, answer = take_answer(game, Question("option", player, (id,), tuple(range(1, options + 1))))
    return game, int(answer[0])  # type: ignore[arg-type]  # the options are numbers
