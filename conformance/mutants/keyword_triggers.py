"""Ways to get wrong what a keyword ability says: whom it is about, how often, and what it brings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from conformance.mutants.mutant import Heard, Mutant, hearing, mutant
from reference_engine.game import stacking
from reference_engine.game.game import Game, WaitingTrigger
from reference_engine.language.cards import (
    All,
    BecomesBlocked,
    Comparison,
    Create,
    Effect,
    Exile,
    Filter,
    If,
    Matches,
    May,
    PropertyOf,
    RemoveCounters,
    Sacrifice,
    TargetSpec,
    This,
    Triggered,
    Untap,
    You,
)
from reference_engine.language.characteristics import HeldAbility
from reference_engine.language.words import Zone
from reference_engine.layers import at_work

Slot = tuple[str | int, ...]


def is_of(word: str, slot: Slot) -> bool:
    """Whether an ability in this slot is that of a keyword."""
    return slot[:2] == ("keyword", word)


def put_otherwise(
    word: str, change: Callable[[Triggered], Triggered]
) -> Callable[[Game, WaitingTrigger], Game]:
    """Put a keyword's triggered ability on the stack in a changed form, and all others as they are."""

    def put(game: Game, waiting: WaitingTrigger) -> Game:
        if is_of(word, waiting.slot):
            waiting = replace(waiting, ability=change(waiting.ability))
        return stacking.trigger_put_on_stack(game, waiting)

    return put


def not_weaker(ability: Triggered) -> Triggered:
    """Mentor also helps creatures that are as strong."""
    (spec,) = ability.targets
    assert isinstance(spec.what, All)
    as_strong = replace(spec.what, power=Comparison("<=", PropertyOf("power", This())), other_than=This())
    return replace(ability, targets=(TargetSpec(what=as_strong),))


def still_tapped(ability: Triggered) -> Triggered:
    """Provoke untaps nothing."""
    (provoked,) = ability.effect
    assert isinstance(provoked, May)
    rest = tuple(one for one in provoked.effect if not isinstance(one, Untap))
    return replace(ability, effect=(replace(provoked, effect=rest),))


def unforced(ability: Triggered) -> Triggered:
    """Provoke makes nothing block."""
    (provoked,) = ability.effect
    assert isinstance(provoked, May)
    rest = tuple(one for one in provoked.effect if not isinstance(one, Effect))
    return replace(ability, effect=(replace(provoked, effect=rest),))


def from_the_own_library(ability: Triggered) -> Triggered:
    """Ingest exiles a card of the creature's controller."""
    (exile,) = ability.effect
    assert isinstance(exile, Exile)
    assert isinstance(exile.what, All)
    return replace(ability, effect=(replace(exile, what=replace(exile.what, of=You())),))


def one_spirit(ability: Triggered) -> Triggered:
    """Afterlife creates one Spirit, whatever its number."""
    (spirits,) = ability.effect
    assert isinstance(spirits, Create)
    return replace(ability, effect=(Create(spirits.token),))


def helpers_as_well(ability: Triggered) -> Triggered:
    """Fabricate creates Servos in any case."""
    (choice,) = ability.effect
    assert isinstance(choice, May)
    return replace(ability, effect=(replace(choice, effect=(*choice.effect, *choice.otherwise)),))


def gone_with_the_last(ability: Triggered) -> Triggered:
    """What fades is sacrificed with its last counter, as if it were vanishing."""
    (faded,) = ability.effect
    assert isinstance(faded, If)
    (fewer,) = faded.effect
    assert isinstance(fewer, RemoveCounters)
    stays = If(Matches(This(), Filter(counter="fade")), (), (Sacrifice(This()),))
    return replace(ability, effect=(fewer, stays))


def by_each_blocker(heard: Heard) -> Heard:
    """Afflict triggers once for each creature that blocks."""
    if isinstance(heard.when, BecomesBlocked) and is_of("afflict", heard.held.slot):
        return heard._replace(when=BecomesBlocked(heard.when.who, Filter()))
    return heard


def unleashed_and_blocking(held: HeldAbility, zone: Zone) -> bool:
    """A counter keeps no unleashed creature from blocking."""
    return not is_of("unleash", held.slot) and at_work.functions(held, zone)


def keyword_mutant(name: str, breaks: str, story: str, word: str, change: Any) -> Mutant:
    """The broken engine that puts a keyword's triggered ability on the stack in a changed form."""
    return mutant(name, breaks, story, trigger_put_on_stack=put_otherwise(word, change))


KEYWORD_TRIGGERS: tuple[Mutant, ...] = (
    keyword_mutant("mentors-equals", "702.134a", "Mentors creatures as strong.", "mentor", not_weaker),
    keyword_mutant("provoked-tapped", "702.39a", "Leaves tapped who is provoked.", "provoke", still_tapped),
    keyword_mutant("provoked-in-vain", "702.39a", "Lets who is provoked stay away.", "provoke", unforced),
    mutant("afflicts-again", "702.130a", "Afflicts for each blocker.", triggering=hearing(by_each_blocker)),
    keyword_mutant("ingests-its-own", "702.115a", "Ingests its own cards.", "ingest", from_the_own_library),
    keyword_mutant("one-spirit", "702.135a", "Has one life after any.", "afterlife", one_spirit),
    keyword_mutant("fabricates-both", "702.123a", "Fabricates in any case.", "fabricate", helpers_as_well),
    keyword_mutant("fades-at-last", "702.32a", "Fades with its last counter.", "fading", gone_with_the_last),
    mutant("unleashed-blockers", "702.98a", "Blocks unleashed.", functions=unleashed_and_blocking),
)
