"""Asks other engines about the reference engine: where do two of them answer alike, and unlike it?

`python -m tools outvoted ENGINE ENGINE ENGINE` draws variants of the fixtures and plays each on all engines;
with `--real` those of fixtures that have real cards only, which more engines can play. An answer that two
engines give and the reference engine does not is either a bug that they share or one of ours, so each is for
reading. What differs first counts, since much of what follows does so in any case.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import indent

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.library import pool
from conformance.files.shortening import short_file
from conformance.model.engine import CannotPlay, EngineFailure, EngineInfo
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.play.introduction import introduction_of
from conformance.properties.games_agreement import FirstDifference, agree, with_characteristics
from conformance.properties.law import PlayFunction
from conformance.search.promote import cards_of
from conformance.strategies.means import Means
from conformance.strategies.variants import looked_at, varied_fixtures
from conformance_adapters import connect
from reference_engine.language.actions import Look

ENOUGH = 2
"""Number of engines whose answer counts against that of the reference engine."""
EVERY = 500
"""Number of scenarios after which the report says how far it is."""


class Poll(Struct, frozen=True):
    """What the engines answer to one scenario."""

    play: Play
    differences: Mapping[str, str]
    """For each engine that played it, how it first differs from the reference engine; empty if nowhere."""

    @property
    def outvoted(self) -> Mapping[str, tuple[str, ...]]:
        """The differences that enough engines have, with their names."""
        alike: dict[str, list[str]] = {}
        for engine, says in self.differences.items():
            if says:
                alike.setdefault(says, []).append(engine)
        return {says: tuple(engines) for says, engines in alike.items() if len(engines) >= ENOUGH}


def has_real_cards_only(play: Play) -> bool:
    """Whether every engine may know the cards by name."""
    return all(card.real for card in play.cards)


def means_of_some(infos: Iterable[EngineInfo]) -> Means:
    """What at least one of these engines can do."""
    lacks = [info.lacks for info in infos]
    return Means(lacks=frozenset.intersection(*lacks), real=tuple(pool().values()))


def polls(
    engines: Mapping[str, PlayFunction], means: Means, number: int, seed: int, *, real: bool
) -> Iterator[Poll]:
    """That many scenarios as the engines answer them, all cards of which are real if `real`."""
    some = [play for play in varied_fixtures() if not real or has_real_cards_only(play)]
    dice = random.Random(seed)
    while number:
        play = with_characteristics(looked_at(dice.randbytes(6), some, means))
        if not real or has_real_cards_only(play):
            number -= 1
            said = {name: difference(engine, play) for name, engine in engines.items()}
            yield Poll(play, {name: says for name, says in said.items() if says is not None})


def difference(engine: PlayFunction, play: Play) -> str | None:
    """How an engine first differs from the reference engine; empty if nowhere, None if it can't play this."""
    try:
        agree(engine, play)
    except FirstDifference as first:
        return str(first)
    except (CannotPlay, ScenarioError, EngineFailure):
        return None
    return ""


def report(asked: Sequence[str], number: int, seed: int, *, real: bool) -> Iterator[str]:
    """Each new difference of several engines as it is found, and how many scenarios had one."""
    engines = {name: connect(name) for name in asked}
    means = means_of_some(map(introduction_of, engines.values()))
    play_functions: dict[str, PlayFunction] = {name: engine.play for name, engine in engines.items()}
    yield from report_on(polls(play_functions, means, number, seed, real=real), number)


def scenario_text(play: Play) -> str:
    """A scenario as a file would have it, without what it asks."""
    played = replace(play, script=tuple(one for one in play.script if not isinstance(one, Look)))
    scenario = Fixture("G-0000", "What several engines say otherwise", (), played, ())
    return indent(short_file(scenario, cards_of(play)), "    ")


def report_on(every: Iterable[Poll], number: int) -> Iterator[str]:
    """The report on these scenarios."""
    seen: dict[str, int] = {}
    several = differing = outvoted = 0
    for count, one in enumerate(every, 1):
        several += len(one.differences) >= ENOUGH
        differing += any(one.differences.values())
        outvoted += bool(one.outvoted)
        for says, engines in one.outvoted.items():
            what = says.partition("\n  before anything")[0].partition(", by the rules:")[0]
            seen[what] = seen.get(what, 0) + 1
            if seen[what] == 1:
                yield f"{', '.join(engines)}: {says}\n{scenario_text(one.play)}"
        if count % EVERY == 0 or count == number:
            yield (
                f"{count} scenarios: {several} judged by {ENOUGH} engines or more, {differing} with a "
                f"difference, {outvoted} with one that {ENOUGH} engines share"
            )
