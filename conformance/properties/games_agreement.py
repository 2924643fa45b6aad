"""Agreement with the reference engine on whole games: at every look the same is to be seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adapters.in_process import Played, played
from conformance.properties.games import watched
from conformance.properties.law import Player, Property, holds_for
from conformance.properties.seeing import begun, ended, expect_alike, expect_equal, wanted_at
from conformance.scenario import Play
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
from conformance.verdict import in_short
from reference_engine.account import account
from reference_engine.actions import Choose, Look, Try
from reference_engine.game import Game, Rejected
from reference_engine.game_rules import CR


def agree(play: Player, scenario: Play) -> None:
    """Raises `Broken` where an engine first shows something else than the reference engine, with what the
    rules made of the action before it.
    """
    reference = played(scenario, CR)
    observed = begun(play, scenario)
    told = accounts(reference)
    because = ""
    for index, action in enumerate((*scenario.script, Look("end"))):
        if not isinstance(action, Look):
            because = next(told)
        if observed.stopped is not None and observed.stopped.at == index:
            break
        if isinstance(action, Try):
            expected = reference.observations.tried[action.name]
            seen = observed.tried[action.name]
            expect_equal(expected, seen, in_short(action), "tried", "as it was tried", because)
        elif isinstance(action, Look):
            one, other = reference.observations.looks[action.name], observed.looks[action.name]
            expect_alike(one, other, wanted_at(scenario, action.name), action.name, because)
    ended(observed, scenario, because.lstrip())


def accounts(reference: Played) -> Iterator[str]:
    """For each action but looks, what the rules made of it, as a judge would tell it."""
    game = reference.start
    for action, outcome in reference.course:
        if isinstance(outcome, Game):
            lines = account(outcome.events, game.board)
            game = outcome
        else:
            assert isinstance(outcome, Rejected)
            lines = (f"it is rejected: {outcome.why}",)
        if not isinstance(action, Choose):
            lines = (f"{in_short(action)}, by the rules:", *lines)
        yield "\n".join(f"  {line}" for line in lines)


@holds_for(watched(), rules=("117.1",), oracle=True)
def any_game_goes_as_the_rules_say(play: Player, case: Play) -> None:
    """Whatever is done, at every look the same is to be seen as in the reference engine."""
    agree(play, case)


@holds_for(
    watched((CALM, NOPE, BOLT, GROWTH, FORK, BEAR, SPRAY, MURDER)),
    rules=("117.3", "117.4", "608.2"),
    oracle=True,
)
def responses_go_as_the_rules_say(play: Player, case: Play) -> None:
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
def triggers_go_as_the_rules_say(play: Player, case: Play) -> None:
    """What enters, dies and is cast triggers, waits and is stacked as in the reference engine."""
    agree(play, case)


@holds_for(
    watched((BEAR, STRIKER, VIPER, TRAMPLER, HAWK, RUNNER, DUELIST, LEECH, RAIDER, BOLT, BANNER)),
    rules=("508.1", "509.1", "510.2"),
    oracle=True,
    needs=("combat",),
)
def combat_goes_as_the_rules_say(play: Player, case: Play) -> None:
    """Creatures attack, block and deal damage as in the reference engine."""
    agree(play, case)


@holds_for(watched((BEAR, CALM, FIELD, PINGER)), rules=("117.3", "117.4"), oracle=True)
def priority_goes_as_the_rules_say(play: Player, case: Play) -> None:
    """With plain cards only, priority goes round as in the reference engine."""
    agree(play, case)


@holds_for(
    watched((FIELD, LEVY, CUB, RITE, ELF, TAX, THRIFT, FLOOR), pays=True),
    rules=("601.2f", "601.2g", "601.2h", "733.1"),
    oracle=True,
    needs=("casting", "payments", "activated abilities"),
)
def paying_goes_as_the_rules_say(play: Player, case: Play) -> None:
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
def tables_of_four_go_as_the_rules_say(play: Player, case: Play) -> None:
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
