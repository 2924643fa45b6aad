"""Ways to get wrong what few cards say: events that seldom trigger anything, costs, and timing."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from conformance.mutants.mutant import Heard, Mutant, hearing, mutant
from reference_engine.game import copying, costs, entry, phases, timing
from reference_engine.game.events import ControlChanged, Moved
from reference_engine.game.game import Game, Ref, StackItem
from reference_engine.language import cards
from reference_engine.language.words import Step


def deaf_to(name: str, breaks: str, event: type) -> Mutant:
    """The broken engine in which nothing triggers on one kind of event."""

    def deaf(heard: Heard) -> Heard | None:
        return None if isinstance(heard.when, event) else heard

    words = cards.name_of_event(event()).replace("_", " ")
    return mutant(name, breaks, f"Lets nothing trigger on “{words}”.", triggering=hearing(deaf))


def lost_by_the_new(heard: Heard) -> Heard | None:
    """An ability about losing control of its own permanent is looked for when that is lost already."""
    event = heard.event
    return None if isinstance(event, ControlChanged) and event.id == heard.id else heard


def free_of(kind: type) -> Any:
    """Pay nothing for one kind of cost."""

    def pay(game: Game, cost: cards.Cost, *rest: Any) -> tuple[Game, str, tuple[Ref, ...]]:
        return (game, "", ()) if isinstance(cost, kind) else costs.pay_cost(game, cost, *rest)

    return pay


def never_early(game: Game, before: Game, item: StackItem) -> bool:
    """No effect lets a spell be cast as though it had flash."""
    look = game.seen.look(item.id)
    fast = look.is_a("Instant") or look.has_keyword("flash") or before.seen.look(item.id).has_keyword("flash")
    return timing.timing_allows(game, before, item) and (
        fast or timing.could_cast_a_sorcery(before, item.controller)
    )


def always_early(game: Game, before: Game, item: StackItem) -> bool:
    """No effect keeps an instant from being cast at any time."""
    return game.seen.look(item.id).is_a("Instant") or timing.timing_allows(game, before, item)


def changes_nothing(game: Game, item: StackItem, player: str, who_asks: tuple[str, ...], must: bool) -> Game:
    """A target that has to change stays."""
    return game if must else copying.retargeted(game, item, player, who_asks, must)


def under_its_controller(game: Game, event: Moved) -> tuple[Game, Moved | None]:
    """Whatever an effect says, a permanent enters under the control of the player who puts it there."""
    game, enters = entry.as_it_enters(game, event)
    if enters is None or enters.entering is None or event.entering is None:
        return game, enters
    return game, replace(enters, entering=replace(enters.entering, under=event.entering.under))


def added_in_vain(game: Game, step: Step) -> tuple[Game, Step | None]:
    """A step that is added after a step never comes."""
    return phases.step_ahead(replace(game, ahead=replace(game.ahead, steps=())), step)


SELDOM_MUTANTS: tuple[Mutant, ...] = (
    deaf_to("deaf-to-crowns", "725.1", cards.BecomesMonarch),
    deaf_to("deaf-to-counters", "603.10e", cards.IsCountered),
    deaf_to("deaf-to-thefts", "603.10d", cards.LosesControl),
    deaf_to("deaf-to-losses", "603.10f", cards.LosesGame),
    deaf_to("deaf-to-plays", "601.1a", cards.Plays),
    deaf_to("deaf-to-burials", "603.6c", cards.PutIntoGraveyard),
    deaf_to("deaf-to-falls", "603.10c", cards.BecomesUnattached),
    mutant(
        "lost-too-late", "603.10d", "Looks for what was lost too late.", triggering=hearing(lost_by_the_new)
    ),
    mutant("counters-stay-paid", "118.1", "Removes no counters.", pay_cost=free_of(cards.RemoveCountersCost)),
    mutant("gives-no-life", "118.1", "Gives no life.", pay_cost=free_of(cards.OpponentGainsLifeCost)),
    mutant("never-early", "601.3b", "Lets nothing be cast early.", timing_allows=never_early),
    mutant("always-early", "307.5", "Lets instants be cast at any time.", timing_allows=always_early),
    mutant("targets-stay-put", "115.7a", "Changes no target that has to change.", retargeted=changes_nothing),
    mutant("under-its-controller", "616.1b", "Ignores who is to get it.", as_it_enters=under_its_controller),
    mutant("steps-added-in-vain", "500.9", "Adds no step after a step.", step_ahead=added_in_vain),
)
