"""Agreement with the reference engine on whole games: at every look the same is to be seen."""

from __future__ import annotations

from typing import Any

from conformance.model.scenario import Play
from conformance.model.verdict import in_short
from conformance.properties.games import of_any_cards, watched
from conformance.properties.law import Broken, PlayFunction, Property, holds_for
from conformance.properties.seeing import begun, ended, expect_alike, expect_equal, wanted_at
from conformance.strategies.decks import (
    ALTAR,
    BANNER,
    BEAR,
    BOLT,
    CALM,
    CUB,
    DAWN,
    DUELIST,
    DUSK,
    ELF,
    FIELD,
    FLOOR,
    FORK,
    GROWTH,
    HAWK,
    HERALD,
    LEECH,
    LEVY,
    MARTYR,
    MOURNER,
    MURDER,
    MUSTER,
    NOPE,
    PINGER,
    PLAGUE,
    RAIDER,
    RITE,
    RUNNER,
    SCHOLAR,
    SPRAY,
    STRIKER,
    TAX,
    THRIFT,
    TRAMPLER,
    VIPER,
    WATCHER,
)
from conformance_adapters.in_process import Played, played
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR
from reference_engine.language.actions import Call, Look, Try


def agree(play: PlayFunction, scenario: Play) -> None:
    """Raises `Broken` where an engine first shows something else than the reference engine, with what the
    rules made of the action before it.
    """
    reference = played(scenario, CR)
    observed = begun(play, scenario)
    until = len(scenario.script) + 1 if observed.stopped is None else observed.stopped.at
    done = 0
    try:
        for action in (*scenario.script, Look("end"))[:until]:
            if isinstance(action, Look):
                one, other = (seen.looks[action.name] for seen in (reference.observations, observed))
                expect_alike(one, other, wanted_at(scenario, action.name), action.name, "")
                continue
            done += 1
            if isinstance(action, Try):
                one_way, other_way = (seen.tried[action.name] for seen in (reference.observations, observed))
                expect_equal(one_way, other_way, in_short(action), "tried", "as it was tried", "")
        done += observed.stopped is not None
        ended(observed, scenario, "")
    except Broken as broken:
        raise Broken(f"{broken}".rstrip() + told(reference, done)) from None


def told(reference: Played, done: int) -> str:
    """What the rules made of the last of so many actions, looks not counted, as a judge would tell it."""
    if not done:
        return "\n  before anything is done"
    course = reference.course[:done]
    first = max(n for n, (action, _) in enumerate(course) if not isinstance(action, Call) or n == 0)
    games = [reference.start, *(game for _, game in course[:first] if isinstance(game, Game))]
    # An account begins with two lines on where it begins, which a look has shown.
    lines = Played(reference.observations, games[-1], course[first:]).account()[2:]
    return "".join(f"\n  {line}" for line in (f"{in_short(course[first][0])}, by the rules:", *lines))


@holds_for(of_any_cards, rules=("117.1",), oracle=True)
def any_game_goes_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Whatever is done, at every look the same is to be seen as in the reference engine."""
    agree(play, case)


@holds_for(
    watched((CALM, NOPE, BOLT, GROWTH, FORK, BEAR, SPRAY, MURDER)),
    rules=("117.3", "117.4", "608.2"),
    oracle=True,
)
def responses_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Spells in response to spells resolve, miss their targets and are countered as in the
    reference engine.
    """
    agree(play, case)


@holds_for(
    watched((BEAR, WATCHER, MARTYR, MOURNER, HERALD, MUSTER, SCHOLAR, DAWN, DUSK, MURDER, ALTAR, PLAGUE)),
    rules=("603.3b", "704.3"),
    oracle=True,
    needs=("triggers",),
)
def triggers_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """What enters, dies and is cast triggers, waits and is stacked as in the reference engine."""
    agree(play, case)


@holds_for(
    watched((BEAR, STRIKER, VIPER, TRAMPLER, HAWK, RUNNER, DUELIST, LEECH, RAIDER, BOLT, BANNER)),
    rules=("508.1", "509.1", "510.2"),
    oracle=True,
    needs=("combat",),
)
def combat_goes_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Creatures attack, block and deal damage as in the reference engine."""
    agree(play, case)


@holds_for(watched((BEAR, CALM, FIELD, PINGER)), rules=("117.3", "117.4"), oracle=True)
def priority_goes_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """With plain cards only, priority goes round as in the reference engine."""
    agree(play, case)


@holds_for(
    watched((FIELD, LEVY, CUB, RITE, ELF, TAX, THRIFT, FLOOR), pays=True),
    rules=("601.2f", "601.2g", "601.2h", "733.1"),
    oracle=True,
    needs=("casting", "payments", "activated abilities"),
)
def paying_goes_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """With lands tapped for each spell, spells cost what they cost in the reference engine, and what is not
    paid for is taken back.
    """
    agree(play, case)


@holds_for(
    watched((BEAR, CALM, WATCHER, MARTYR, BOLT, DAWN, RUNNER, MURDER), sizes=(4,)),
    rules=("117.6", "805.4", "805.5", "805.7"),
    oracle=True,
    needs=("three players", "teams"),
)
def tables_of_four_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """With four players, alone or in two teams that share their turns, a game goes as in the reference
    engine.
    """
    agree(play, case)


AGREEMENT: tuple[Property[Any], ...] = (
    any_game_goes_as_the_rules_say,
    responses_go_as_the_rules_say,
    triggers_go_as_the_rules_say,
    combat_goes_as_the_rules_say,
    priority_goes_as_the_rules_say,
    paying_goes_as_the_rules_say,
    tables_of_four_go_as_the_rules_say,
)
