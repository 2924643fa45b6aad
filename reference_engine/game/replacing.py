"""Replacement and prevention effects: which apply, in which order, and what happens instead (CR 614–616).

`event_after_replacements` takes one event that would happen and returns what happens in its place. Other
things that an effect does ("instead draw two cards", "you gain that much life") wait in `game.afterwards` and
follow as soon as the event, or the rest of it, has happened.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.announcing import keywords_chosen
from reference_engine.game.events import (
    BY_MADNESS,
    CountersChanged,
    Damaged,
    Entering,
    EventReplaced,
    GameEvent,
    LifeChanged,
    Moved,
    Prevented,
    Regenerated,
    Untapped,
    WouldCreate,
    WouldDraw,
)
from reference_engine.game.game import (
    Afterwards,
    Game,
    Question,
    Ref,
    controller_of,
    last_board,
    look_of,
)
from reference_engine.game.happening import with_event
from reference_engine.game.questions import take_answer, yes_or_no
from reference_engine.game.rule_effects import forbidding, on_rules, source_of_effect
from reference_engine.game.targets import matches_filter_of_effect
from reference_engine.language.cards import (
    All,
    DealTo,
    DoInstead,
    Exile,
    Filter,
    GoTo,
    Instruction,
    It,
    Nothing,
    Plus,
    PreventDamage,
    Put,
    Selector,
    This,
    TimesAsMany,
    Would,
)
from reference_engine.language.characteristics import references_in
from reference_engine.language.keywords import LinkedAbilities, collect
from reference_engine.language.words import Zone
from reference_engine.layers.asking import Asking, amount, how_many, selection
from reference_engine.layers.board import AFFECTED, Lasting, SettledPart
from reference_engine.layers.evaluation import RuleEffect

EffectKey = tuple[str | int, ...]
Counted = Damaged | WouldCreate | LifeChanged | CountersChanged
"""The events with an amount that an effect can change."""


class Candidate(Struct, frozen=True):
    """A replacement or prevention effect that could apply to an event. Without `operation`, it comes from a
    rule, or is a prevention without a limit.
    """

    key: EffectKey
    label: str
    operation: Would | PreventDamage | None = None
    effect: RuleEffect | None = None


def event_after_replacements(game: Game, event: GameEvent) -> tuple[Game, GameEvent | None]:
    """The event that happens in place of one that would happen; `None` if nothing happens, or only the
    instructions in `game.afterwards`.

    CR 616.1: of several applicable effects, the affected player or the controller of the affected object
    chooses one. CR 616.1f: after it has applied, this is repeated with the effects that now apply. CR 614.5:
    each applies only once to an event and what has replaced it.
    """
    done = game.exempt
    happens: GameEvent | None = event
    while happens is not None and not is_nothing(happens):
        options = tuple([one for one in candidates(game, happens) if one.key not in done])
        if not options:
            return game, happens
        options = before_contained(happens, options)
        game, chosen = game.rules.replacement_chosen(game, happens, options)
        done = game.rules.applied_already(done, chosen.key)
        game, happens = game.rules.replacement_applied(game, happens, chosen, done)
    return game, None


def is_nothing(event: GameEvent) -> bool:
    """CR 614.7a, 120.8: zero damage is no event; nor is a change of life or counters by zero."""
    match event:
        case Moved():  # the most frequent one
            return False
        case Damaged(n=n) | WouldCreate(n=n):
            return n <= 0
        case LifeChanged(by=by) | CountersChanged(by=by):
            return by == 0
        case _:
            return False


def before_contained(event: GameEvent, options: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The effects that may be chosen now.

    CR 616.1g: one that replaces an event comes before those that replace an event contained in it. Being
    destroyed contains the move to the graveyard (CR 701.8a).
    """
    if isinstance(event, Moved):
        return tuple(filter(replaces_destruction, options)) or options
    return options


def replaces_destruction(option: Candidate) -> bool:
    """Whether an effect that applies to a move replaces the destruction, and not only where that leads."""
    if isinstance(option.operation, Would):
        return option.operation.event == "be destroyed"
    return option.key in (("shield",), ("regeneration",))


def applied_already(done: frozenset[EffectKey], key: EffectKey) -> frozenset[EffectKey]:
    """CR 614.5: the effects that have had their one chance at an event, plus one more."""
    return done | {key}


# ------------------------------------------------------------------------------- which apply


def candidates(game: Game, event: GameEvent) -> Iterator[Candidate]:
    """The effects that would replace or prevent an event, oldest first."""
    labels: list[str] = []

    def labelled(source: str) -> str:
        labels.append(source)
        times = labels.count(source)
        return source if times == 1 else f"{source} ({times})"

    for operation, affected, effect in on_rules(game, Would):
        if game.rules.watches(game, operation, affected, effect, event):
            yield Candidate(key_of(effect, operation), labelled(effect.effect.source), operation, effect)
    match event:
        case Moved(id):
            if game.rules.leaves_for_exile(game, event):
                yield Candidate(("leaves for exile",), labelled(id))
            if game.rules.is_final(game, event):
                yield Candidate(("finality",), labelled(id))
            if game.rules.shielded_by_counter(game, event):
                yield Candidate(("shield",), labelled(affected_by(event)))
            if game.rules.discarded_with_madness(game, event) is not event:
                yield Candidate(("madness",), labelled(id))
            if game.rules.regenerates(game, event):
                yield Candidate(("regeneration",), labelled(id))
        case Damaged():
            for prevention, affected, effect in on_rules(game, PreventDamage):
                if is_limited(prevention) and game.rules.shields(game, prevention, affected, effect, event):
                    yield Candidate(
                        key_of(effect, prevention), labelled(effect.effect.source), prevention, effect
                    )
            if game.rules.prevented(game, event) and is_preventable(game, event):
                yield Candidate(("prevented",), labelled("prevention"))
            elif game.rules.absorbed(game, event) and is_preventable(game, event):
                yield Candidate(("absorbed",), labelled(event.to))
            if game.rules.shielded_by_counter(game, event):
                yield Candidate(("shield",), labelled(affected_by(event)))
        case Untapped(id):
            if game.board.things[id].count("stun"):
                yield Candidate(("stunned",), labelled(id))


def key_of(effect: RuleEffect, operation: Would | PreventDamage) -> EffectKey:
    """A key that distinguishes an effect from all others, even after its shield has shrunk."""
    kind = operation.event if isinstance(operation, Would) else "prevent"
    return (*effect.effect.key, kind)


def watches(
    game: Game, would: Would, affected: tuple[str, ...], effect: RuleEffect, event: GameEvent
) -> bool:
    """Whether a replacement effect watches for this event (CR 614.1: a particular event)."""
    match would.event, event:
        case "draw", WouldDraw(player):
            return player in affected
        case "gain life", LifeChanged(player, by):
            return by > 0 and player in affected
        case "lose life", LifeChanged(player, by):
            return by < 0 and player in affected
        case "be dealt damage", Damaged(source, to, _, combat):
            fits = combat or not would.combat
            return fits and to in affected and matches_filter_of_effect(game, source, would.by, effect, to)
        case "deal damage", Damaged(source, to, _, combat):
            return (combat or not would.combat) and is_source(game, source, affected, effect)
        case "die", Moved(_, "battlefield", "graveyard"):
            return event.id in affected
        case "leave", Moved(_, "battlefield"):
            return event.id in affected
        case "be put into a graveyard", Moved(_, _, "graveyard"):
            return event.id in affected
        case "be destroyed", Moved(how="destroyed"):
            return event.id in affected
        case "discard", Moved(id, how="discarded"):
            return id in affected or game.board.things[id].owner in affected
        case "untap", Untapped(id):
            return id in affected
        case "get counters", CountersChanged(id, kind, by):
            return by > 0 and would.counter in (None, kind) and id in affected
        case "create tokens", WouldCreate(player):
            return player in affected
        case _:
            return False


def is_source(game: Game, source: Ref, affected: tuple[str, ...], effect: RuleEffect) -> bool:
    """Whether damage comes from a source that an effect describes, which may be gone by now.

    CR 609.7c: permanents with the property, and anything else that has it. CR 609.7a: a certain permanent,
    also after it has left.
    """
    if isinstance(effect.affects, All):
        wanted = Filter(**{name: getattr(effect.affects, name) for name in Filter.__struct_fields__})
        return matches_filter_of_effect(game, source, wanted, effect, source.id)
    return source.id in affected or (AFFECTED, source.id, source.born) in effect.effect.origins


def is_limited(prevention: PreventDamage) -> bool:
    """Whether a prevention effect is limited to an amount or to the next time, or has additional effects."""
    return prevention.n is not None or prevention.next or bool(prevention.then)


def shields(
    game: Game, prevention: PreventDamage, affected: tuple[str, ...], effect: RuleEffect, event: Damaged
) -> bool:
    """Whether a prevention effect applies to this damage (CR 609.7b: the source is checked now)."""
    fits = event.to in affected and (event.combat or not prevention.combat)
    return fits and matches_filter_of_effect(game, event.source, prevention.by, effect, event.to)


def is_preventable(game: Game, event: Damaged) -> bool:
    """Whether no effect says that this source's damage can't be prevented (CR 615.12: unpreventable)."""
    return not any(
        is_source(game, event.source, affected, effect)
        for _, affected, effect in forbidding(game, "have damage prevented")
    )


def leaves_for_exile(game: Game, event: Moved) -> bool:
    """Whether an object is exiled instead of going anywhere else.

    CR 702.84a: an unearthed permanent that leaves the battlefield. CR 702.34a: a card that was cast for its
    flashback cost and leaves the stack.
    """
    leaves = event.origin in ("battlefield", "stack") and event.to != "exile"
    return leaves and game.remembers(event.id).leaves_for_exile


def is_final(game: Game, event: Moved) -> bool:
    """CR 122.1h: a permanent with a finality counter is exiled instead of going to the graveyard."""
    dies = event.origin == "battlefield" and event.to == "graveyard"
    return dies and game.board.things[event.id].count("finality") > 0


def regenerates(game: Game, event: Moved) -> bool:
    """Whether a regeneration shield could take the place of a destruction.

    CR 701.19a, 614.8: like other replacement effects, unless it can't be regenerated.
    """
    return event.how == "destroyed" and not event.for_good and game.remembers(event.id).shields > 0


def shielded_by_counter(game: Game, event: Moved | Damaged) -> bool:
    """Whether a shield counter takes the place of what would happen to a permanent.

    CR 122.1c: it prevents damage, and replaces destruction by an effect, not by a state-based action.
    """
    match event:
        case Moved(id, origin, how=how, rule=rule):
            threatened = how == "destroyed" and origin == "battlefield" and not rule
        case Damaged(to=id):
            threatened = is_preventable(game, event)
    return threatened and id in game.board.things and game.board.things[id].count("shield") > 0


# ------------------------------------------------------------------------- which of them is chosen


def replacement_chosen(
    game: Game, event: GameEvent, options: tuple[Candidate, ...]
) -> tuple[Game, Candidate]:
    """The effect to apply next, as the affected player or the affected object's controller chooses.

    CR 616.1: nobody has to choose if all orders have the same result.
    """
    alike = are_alike(options) and end_together(game, options)
    if len(options) == 1 or (alike and not is_remembered(game, options)):
        return game, options[0]
    affected = affected_by(event)
    player = game.rules.replacement_chooser(game, affected)
    labels = tuple(option.label for option in options)
    game, answer = take_answer(game, Question("replacement", player, (affected, "replacement"), labels))
    return game, options[labels.index(str(answer[0]))]


EXILING: tuple[EffectKey, ...] = (("leaves for exile",), ("finality",))
"""The effects of rules that exile what would go elsewhere (CR 702.84a, 702.34a, 122.1h), as others do that
come from cards.
"""


def are_alike(options: tuple[Candidate, ...]) -> bool:
    """Whether all of these effects do the same, so that their order does not matter."""
    operations = [one.operation for one in options]
    if any(one.operation is None and one.key not in EXILING for one in options):
        return False
    if any(does_anything(one) for one in operations):
        return False
    if len(set(operations)) == 1:
        # If they apply only once, it does not matter which one is used up.
        return True
    if any(isinstance(one, Would) and one.next for one in operations):
        return False
    exile = GoTo("exile")
    changes = [
        operation.instead if isinstance(operation, Would) else (exile if operation is None else operation)
        for operation in operations
    ]
    if all(isinstance(change, TimesAsMany) for change in changes):
        return True
    if all(isinstance(change, Plus) for change in changes):
        return True
    if any(one.key == ("leaves for exile",) for one in options):
        # CR 702.34a, 702.84a: it is exiled, wherever else it would go by then. CR 614.5: but once, and what
        # still leaves may go elsewhere then.
        leaving = [one.instead for one in operations if isinstance(one, Would) and one.event == "leave"]
        return all(isinstance(change, GoTo) for change in changes) and all(one == exile for one in leaving)
    return all(isinstance(change, GoTo | Nothing) and change == changes[0] for change in changes)


def duration_of(game: Game, option: Candidate) -> object:
    """How long an effect lasts, as far as another one may last longer."""
    for lasting in game.board.effects:
        if option.effect is not None and option.effect.effect.key == ("lasting", lasting.id):
            until = "end of turn" if lasting.until == "this turn" else lasting.until
            your = (lasting.you, lasting.turn) if "your" in until else None
            return until, your, lasting.as_long_as
    return None


def end_together(game: Game, options: tuple[Candidate, ...]) -> bool:
    """Whether it does not matter which of these effects is used up, because all would last equally long."""
    limited = [one for one in options if one.operation is not None and one.operation.next]
    return len({duration_of(game, one) for one in limited}) < 2


def is_remembered(game: Game, options: tuple[Candidate, ...]) -> bool:
    """Whether it matters which of these effects applies, because another ability of its source refers to
    what it exiles (CR 614.14: they are linked).
    """
    if LinkedAbilities not in game.mentions:
        return False
    sources = {
        one.effect.effect.source
        for one in options
        if one.effect is not None
        and isinstance(one.operation, Would)
        and isinstance(one.operation.instead, GoTo)
    }
    return len(sources) > 1 and any(refers_to_what_it_exiled(game, id) for id in sources)


def refers_to_what_it_exiled(game: Game, id: str) -> bool:
    """Whether an object has an ability that refers to what another of its abilities exiled."""
    found: set[type] = set()
    if id in game.board.things:
        collect(tuple(held.ability for held in game.look(id).abilities), found)
    return LinkedAbilities in found


def does_anything(operation: Would | PreventDamage | None) -> bool:
    """Whether an effect is optional, or has instructions in which "this" and "you" refer to its own source
    and controller.
    """
    if isinstance(operation, PreventDamage):
        return bool(operation.then)
    return isinstance(operation, Would) and (
        operation.may or isinstance(operation.instead, DoInstead | DealTo)
    )


def affected_by(event: GameEvent) -> str:
    """The object or player that an event affects."""
    match event:
        case WouldDraw(player) | LifeChanged(player) | WouldCreate(player):
            return player
        case Damaged(to=to):
            return to
        case Moved(id) | Untapped(id) | CountersChanged(id):
            return id
        case _:
            raise ValueError(f"{type(event).__name__} affects nothing that could be replaced")


def replacement_chooser(game: Game, affected: str) -> str:
    """CR 616.1: the affected player, or the affected object's controller, or its owner if it has none."""
    return controller_of(game, affected) if affected in game.board.things else affected


# ------------------------------------------------------------------------------ what they do


def replacement_applied(
    game: Game, event: GameEvent, chosen: Candidate, done: frozenset[EffectKey]
) -> tuple[Game, GameEvent | None]:
    """The event after one effect was applied to it; `None` if it does not happen (CR 614.6: never)."""
    match chosen.operation:
        case Would():
            return replaced_by(game, event, chosen, done)
        case PreventDamage():
            assert isinstance(event, Damaged)
            return prevented_by(game, event, chosen)
        case None:
            pass
    if chosen.key == ("shield",):
        # CR 122.1c: a shield counter is removed instead of the destruction, or as damage is prevented.
        if isinstance(event, Damaged):
            game = with_event(game, Prevented(event.source.id, event.to, event.n))
        return game, shield_counter_removed(affected_by(event))
    match event:
        case Damaged(source, to, n):
            # CR 702.16e: protection prevents all of it. CR 702.64b: absorb prevents some of it.
            less = n if chosen.key == ("prevented",) else min(n, game.rules.absorbed(game, event))
            game = with_event(game, Prevented(source.id, to, less))
            return game, replace(event, n=n - less) if less < n else None
        case Moved(id) if chosen.key == ("regeneration",):
            # CR 701.19a, 614.8: it regenerates instead of being destroyed.
            return game, Regenerated(id)
        case Moved(id) if chosen.key == ("madness",):
            # CR 616.1: one of several madness abilities exiles it. CR 702.35a: only that one triggers.
            player, look = game.rules.replacement_chooser(game, id), game.look(id)
            game, [keyword] = keywords_chosen(game, player, id, "madness", look)
            return game, replace(event, to="exile", rule=BY_MADNESS, madness=str(keyword))
        case Moved():
            # CR 122.1h, 702.34a, 702.84a: whatever else exiles it does so by itself.
            return game, replace(event, to="exile", how=way_instead(event, "exiled instead"))
        case _:
            return game, CountersChanged(affected_by(event), "stun", -1)


def shield_counter_removed(id: str) -> CountersChanged:
    """The removal of a shield counter (CR 122.1c)."""
    return CountersChanged(id, "shield", -1, "CR 122.1c: a shield counter")


def removed_in_vain(game: Game, event: Damaged) -> tuple[CountersChanged, ...]:
    """A shield counter that damage takes away without being prevented.

    CR 615.12: damage that can't be prevented still causes what a prevention effect does besides. The counter
    would have prevented any other.
    """
    thing = game.board.things.get(event.to)
    shielded = thing is not None and thing.count("shield") > 0
    return (shield_counter_removed(event.to),) if shielded else ()


def replaced_by(
    game: Game, event: GameEvent, chosen: Candidate, done: frozenset[EffectKey]
) -> tuple[Game, GameEvent | None]:
    """The event as a replacement effect changes it."""
    would, effect = chosen.operation, chosen.effect
    assert isinstance(would, Would) and effect is not None
    affected = affected_by(event)
    asking = asking_of(game, effect, affected)
    if would.may:
        game, wanted = yes_or_no(game, decider(game, would, event), (chosen.label, affected))
        if not wanted:
            return game, event
    happens: GameEvent | None
    match would.instead:
        case TimesAsMany(n):
            assert isinstance(event, Counted)
            happens = with_number(event, number_of(event) * n)
        case Plus(n):
            # CR 107.1b: fewer than none is none, so a gain never becomes a loss.
            assert isinstance(event, Counted)
            happens = with_number(event, max(0, number_of(event) + amount(n, asking)))
        case GoTo(zone, bottom):
            assert isinstance(event, Moved)
            happens = sent_elsewhere(game, event, zone, effect, would, bottom)
        case DealTo(to):
            assert isinstance(event, Damaged)
            happens = redirected_to(game, event, selection(to, asking))
            if happens is None:
                return game, event
        case DoInstead(instructions):
            happens, rest, named = moved_instead(game, event, effect, would, instructions)
            game = with_afterwards(game, effect, event, rest, number_of(event), done, named)
        case Nothing():
            happens = None
    game = with_event(game, EventReplaced(effect.effect.source, affected))
    match would, event:
        case Would(event="deal damage", next=True), Damaged(source):
            game = replace(game, spent=(*game.spent, (effect.effect.key, source.id, would)))
        case Would(next=True), _:
            game = without_shield(game, effect.effect.key, affected, would, None)
    return game, happens


def decider(game: Game, would: Would, event: GameEvent) -> str:
    """The player who decides on an optional effect: the one whom it affects, or whose object it affects."""
    match would.event, event:
        case "deal damage", Damaged(source):
            return controller_of_source(game, source)
        case _:
            return game.rules.replacement_chooser(game, affected_by(event))


def controller_of_source(game: Game, source: Ref) -> str:
    """The controller of a source of damage, or its last known controller."""
    board = last_board(game, source)
    thing = board.things.get(source.id)
    return "" if thing is None else (look_of(game, source).controller or thing.owner)


def slot_of(effect: RuleEffect) -> tuple[str | int, ...]:
    """The place of a static ability among its object's abilities (CR 607.1: linked abilities)."""
    held = effect.effect.held
    return () if held is None else held.slot


def sent_elsewhere(
    game: Game, event: Moved, zone: Zone, effect: RuleEffect, would: Would, bottom: bool = False
) -> Moved:
    """A move to another zone instead.

    CR 110.2a: what is put onto the battlefield is controlled by the player who puts it there, here its owner.
    CR 614.14: another ability may refer to what this one exiled. CR 614.6: a destruction never happens then.
    """
    entering = Entering(under=game.board.things[event.id].owner) if zone == "battlefield" else None
    link = game.rules.linked(game, source_of_effect(game, effect), slot_of(effect))
    how = "not destroyed" if would.event == "be destroyed" else way_instead(event, "moved instead")
    return replace(event, to=zone, bottom=bottom, entering=entering, how=how, put_by=link)


def moved_instead(
    game: Game, event: GameEvent, effect: RuleEffect, would: Would, instructions: tuple[Instruction, ...]
) -> tuple[Moved | None, tuple[Instruction, ...], str | None]:
    """The move in place of a move, if that is the first of the instructions; with those that follow, and what
    they call the object.

    CR 614.6: it happens at the time of the original event, together with all else that happens then.
    """
    if isinstance(event, Moved):
        match instructions:
            case (Exile(what, named, until_leaves=False), *rest) if is_the_one(game, event, what, effect):
                return sent_elsewhere(game, event, "exile", effect, would), tuple(rest), named
            case (Put(what, "hand" | "library" as zone, bottom=bottom, shuffled=False), *rest) if is_the_one(
                game, event, what, effect
            ):
                return sent_elsewhere(game, event, zone, effect, would, bottom), tuple(rest), None
    return None, instructions, None


def is_the_one(game: Game, event: Moved, what: Selector, effect: RuleEffect) -> bool:
    """Whether an instruction of a replacement effect is about the very object that would move."""
    this = isinstance(what, This) and source_of_effect(game, effect) == game.ref(event.id)
    return this or isinstance(what, It)


def way_instead(event: Moved, otherwise: str) -> str:
    """How an object moves to another zone instead: one that is discarded, sacrificed or countered still is,
    wherever it goes (CR 701.9a, 701.21a, 701.6a).
    """
    return event.how if event.how in ("discarded", "sacrificed", "countered") else otherwise


def redirected_to(game: Game, event: Damaged, recipients: tuple[str, ...]) -> Damaged | None:
    """The same damage dealt to another object or player; `None` if that is impossible.

    CR 614.9: nothing is redirected to what can't be dealt damage, or is gone.
    """
    if len(recipients) != 1 or not game.rules.can_be_damaged(game, recipients[0]):
        return None
    return replace(event, to=recipients[0])


def prevented_by(game: Game, event: Damaged, chosen: Candidate) -> tuple[Game, Damaged | None]:
    """The damage left after a prevention effect.

    CR 615.7: a shield with an amount shrinks by what it prevents. CR 615.10: a static ability's amount counts
    for each event. CR 615.5: its additional effect follows immediately, as an event of its own, to which
    whatever else has changed the damage can apply too. CR 615.12: damage that can't be prevented also causes
    it, but nothing is prevented or used up.
    """
    prevention, effect = chosen.operation, chosen.effect
    assert isinstance(prevention, PreventDamage) and effect is not None
    most = event.n
    if prevention.n is not None:
        # CR 107.1b: never less than nothing.
        most = how_many(prevention.n, asking_of(game, effect, event.to))
    n = min(most, event.n) if is_preventable(game, event) else 0
    if prevention.then:
        counts_for = effect.effect.key if prevents_together(prevention) else None
        done = applied_already(game.exempt, chosen.key)
        game = with_afterwards(game, effect, event, prevention.then, n, done, counts_for=counts_for)
    if n == 0:
        return game, event
    game = with_event(game, Prevented(event.source.id, event.to, n))
    if prevention.next:
        rest = None if most == n else replace(prevention, n=most - n)
        game = without_shield(game, effect.effect.key, event.to, prevention, rest)
    return game, replace(event, n=event.n - n) if n < event.n else None


def prevents_together(prevention: PreventDamage) -> bool:
    """Whether a prevention effect treats all damage that one object or player would be dealt at the same time
    as one event, so that what it does besides happens once.

    CR 615.13: a prevention effect is applied to one or more simultaneous damage events. CR 700.1: its text
    decides what is one event. If it speaks of certain sources, or does something to the source, that is the
    damage of each; CR 615.10: so it is if a static ability prevents an amount; CR 615.8: or if it is about
    the next time. CR 615.7: for the next amount, the number of sources does not matter.
    """
    if "source" in references_in(prevention.then):
        return False
    if prevention.next:
        return prevention.n is not None
    return prevention.n is None and prevention.by == Filter()


def number_of(event: GameEvent) -> int:
    """The amount of an event: damage, life, counters, tokens."""
    match event:
        case Damaged(n=n) | WouldCreate(n=n):
            return n
        case LifeChanged(by=by) | CountersChanged(by=by):
            return abs(by)
        case _:
            return 1


def with_number(event: Counted, n: int) -> GameEvent:
    """An event with another amount."""
    match event:
        case Damaged() | WouldCreate():
            return replace(event, n=n)
        case LifeChanged(by=by) | CountersChanged(by=by):
            return replace(event, by=n if by > 0 else -n)


def asking_of(game: Game, effect: RuleEffect, it: str) -> Asking:
    """A context for the questions of a replacement effect about what it affects."""
    return game.seen.asking_of(effect).about(it)


def with_afterwards(
    game: Game,
    effect: RuleEffect,
    event: GameEvent,
    instructions: tuple[Instruction, ...],
    n: int,
    done: frozenset[EffectKey],
    named: str | None = None,
    counts_for: EffectKey | None = None,
) -> Game:
    """The game in which instructions follow the event that is happening. They call `named` what it exiles.

    They follow once, with all the damage that was prevented, if the effect `counts_for` has done the same to
    other damage of this event.
    """
    affected = affected_by(event)
    names = tuple((name, tuple(game.ref(id) for id in ids)) for name, ids in effect.effect.names)
    later = Afterwards(
        effect=instructions,
        source=source_of_effect(game, effect),
        you=effect.you,
        it=game.ref(affected),
        that_much=n,
        names=(*names, ("source", (event.source,))) if isinstance(event, Damaged) else names,
        x=effect.effect.x,
        slot=slot_of(effect),
        exempt=done,
        named=named,
        counts_for=counts_for,
    )
    for place, one in enumerate(game.afterwards):
        if counts_for is not None and (one.counts_for, one.it) == (counts_for, later.it):
            both = replace(one, that_much=one.that_much + n)
            return replace(game, afterwards=(*game.afterwards[:place], both, *game.afterwards[place + 1 :]))
    return replace(game, afterwards=(*game.afterwards, later))


def without_shield(
    game: Game,
    key: EffectKey,
    affected: str,
    old: Would | PreventDamage,
    new: Would | PreventDamage | None,
) -> Game:
    """The game after an effect that is limited in number or amount was used on something.

    CR 615.11: an effect that shields several objects has a shield for each of them.
    """
    kept = tuple(
        after
        for lasting in game.board.effects
        if (after := used(lasting, affected, old, new) if key == ("lasting", lasting.id) else lasting).parts
    )
    return replace(game, board=replace(game.board, effects=kept))


def without_spent(game: Game) -> Game:
    """The game without the effects on the next damage of a source that has now dealt it."""
    for key, source, would in game.spent:
        game = without_shield(game, key, source, would, None)
        effects = tuple(
            replace(one, origins=tuple(origin for origin in one.origins if origin[:2] != (AFFECTED, source)))
            if key == ("lasting", one.id)
            else one
            for one in game.board.effects
        )
        game = replace(game, board=replace(game.board, effects=effects))
    return replace(game, spent=())


def used(
    lasting: Lasting, affected: str, old: Would | PreventDamage, new: Would | PreventDamage | None
) -> Lasting:
    """A lasting effect after it was used on one of the things that it affects.

    CR 615.11: what has a shield was fixed as the effect began.
    """
    parts: list[SettledPart] = []
    for part in lasting.parts:
        if not isinstance(part.affects, frozenset) or affected not in part.affects or old not in part.does:
            parts.append(part)
            continue
        does = tuple(new if one == old else one for one in part.does if one != old or new is not None)
        if part.affects != {affected}:
            parts.append(replace(part, affects=part.affects - {affected}))
        if does:
            parts.append(replace(part, affects=frozenset({affected}), does=does))
    return replace(lasting, parts=tuple(parts))


# ------------------------------------------------------------------------ several at the same time


def shielded_in_order(game: Game, events: tuple[GameEvent, ...]) -> tuple[Game, tuple[GameEvent, ...]]:
    """The simultaneous events, ordered by how shields with an amount are used up by damage.

    CR 615.7: of damage from several sources at the same time, the player or the permanent's controller
    chooses which damage the shield prevents.
    """
    damage = [event for event in events if isinstance(event, Damaged)]
    recipients = [certain_recipient(game, event) for event in damage]
    for to in dict.fromkeys(recipients):
        dealt = tuple(
            event
            for event, recipient in zip(damage, recipients, strict=True)
            if recipient == to and has_shield(game, replace(event, to=to))
        )
        sources = tuple(dict.fromkeys(event.source.id for event in dealt))
        chooser = game.rules.replacement_chooser(game, to)
        game, order = take_answer(
            game, Question("order", chooser, (to, "replacement"), sources, len(sources), len(sources))
        )
        ranked = iter(sorted(dealt, key=lambda event: order.index(event.source.id)))
        events = tuple(next(ranked) if event in dealt else event for event in events)
    return game, events


def arranged_in_libraries(
    game: Game, events: list[GameEvent], moves: list[Moved]
) -> tuple[Game, list[GameEvent]]:
    """The simultaneous events, of which these moves put cards into libraries in the order that their owner
    chooses (CR 401.4), whatever else the cards would have done.
    """
    things = game.board.things
    cards = [move for move in moves if not things[move.id].token]
    for player, bottom in dict.fromkeys((things[move.id].owner, move.bottom) for move in cards):
        own = [move for move in cards if (things[move.id].owner, move.bottom) == (player, bottom)]
        ids = tuple(move.id for move in own)
        game, answer = take_answer(game, Question("order", player, ids, ids))
        # The last one to be put on top is the topmost.
        order = answer if bottom else tuple(reversed(answer))
        ranked = iter(sorted(own, key=lambda move: order.index(move.id)))
        events = [next(ranked) if event in own else event for event in events]
    return game, events


def certain_recipient(game: Game, event: Damaged) -> str:
    """Who will be dealt this damage, as far as it is redirected without anybody's choice (CR 614.9)."""
    done = game.exempt
    while DealTo in game.mentions:
        options = [one for one in candidates(game, event) if one.key not in done]
        match options:
            case [Candidate(key, _, Would(instead=DealTo(wanted), may=False), RuleEffect() as effect)]:
                to = selection(wanted, asking_of(game, effect, event.to))
                event, done = redirected_to(game, event, to) or event, done | {key}
            case _:
                break
    return event.to


def has_shield(game: Game, event: Damaged) -> bool:
    """Whether a shield that is used up applies to this damage."""
    return any(
        prevention.next and game.rules.shields(game, prevention, affected, effect, event)
        for prevention, affected, effect in on_rules(game, PreventDamage)
    )
