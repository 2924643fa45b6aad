"""Explains each value that the reference engine observes in a scenario: a rule, and what it did there.

A law that compares with the reference engine knows no reason of its own. Its counterexamples take theirs from
the account of the play.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from conformance.data.rulebook import rules_by_number
from conformance.model.scenario import Expectation, Play
from conformance.properties.boards import why
from conformance.properties.seeing import EVERY_KEY
from conformance_adapters.in_process import Playthrough, play_through
from reference_engine.game.account import AccountLine
from reference_engine.game.events import (
    AbilityActivated,
    AllPassed,
    AttachmentChanged,
    AttackDeclared,
    BlockDeclared,
    Ceased,
    Copied,
    Countered,
    CountersChanged,
    Damaged,
    DamageRemoved,
    Declared,
    DoesNotResolve,
    GameOver,
    GotPriority,
    LandPlayed,
    LeftCombat,
    LifeChanged,
    ManaAdded,
    ManaGone,
    ManaTapped,
    ManaTriggerResolves,
    Moved,
    Passed,
    PlayerLost,
    PutOnStack,
    Resolves,
    SpellCast,
    StepBegan,
    Tapped,
    TurnedFace,
    Untapped,
)
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR, GameRules
from reference_engine.language.actions import Look, Try

REFUSAL = re.compile(r"which is illegal: (?P<why>.*) \(CR (?P<rule>\d{3}\.\d+[a-z]*)\)$")
DONE = (
    SpellCast,
    AbilityActivated,
    LandPlayed,
    AttackDeclared,
    BlockDeclared,
    TurnedFace,
    Passed,
    Declared,
)
RULE_WITH_GIST = re.compile(r"\(CR (?P<rule>\d{3}\.\d+[a-z]*): (?P<gist>[^()]*)\)")
OF_THE_LAYERS = EVERY_KEY
"""The keys whose values the layers determine."""
EVENTS: Mapping[str, tuple[type, ...]] = {
    "stack": (
        *(SpellCast, AbilityActivated, PutOnStack, Copied, Resolves, DoesNotResolve, Countered, Moved),
        ManaTriggerResolves,
    ),
    "step": (StepBegan, AllPassed),
    "active": (StepBegan,),
    "priority": (GotPriority, AllPassed, StepBegan, Declared),
    "over": (GameOver, PlayerLost),
    "tokens": (Moved, Ceased),
    "zone": (Moved, SpellCast, LandPlayed, Ceased),
    "tapped": (Tapped, Untapped, AttackDeclared, ManaTapped, AbilityActivated),
    "counters": (CountersChanged,),
    "attached_to": (AttachmentChanged, Moved),
    "damage": (Damaged, DamageRemoved),
    "face_down": (TurnedFace,),
    "attacking": (AttackDeclared, LeftCombat),
    "blocking": (BlockDeclared, LeftCombat),
    "life": (LifeChanged, Damaged),
    "lost": (PlayerLost,),
    "pool": (ManaAdded, ManaGone, AbilityActivated),
    "land_plays": (LandPlayed, StepBegan),
    "library_size": (Moved,),
    "exile": (Moved,),
}
"""The events that change the value of a key."""
TABLE = "table"


class Reasons:
    """The reasons for the values observed in a scenario, from the account of its play."""

    def __init__(self, play: Play, rules: GameRules = CR) -> None:
        self._play = play
        self._rules = rules

    @cached_property
    def _whole(self) -> Playthrough:
        return play_through(self._play, self._rules)

    @cached_property
    def _moments(self) -> Mapping[str, int]:
        """The number of actions before each look, and up to each try."""
        found, done = {}, 0
        for action in self._play.script:
            if isinstance(action, Look):
                found[action.name] = done
            else:
                done += 1
                if isinstance(action, Try):
                    found[f"try {action.name}"] = done
        return {**found, "end": done}

    def of(self, one: Expectation) -> str:
        """The reason for an expected value: a rule, and what happened; empty if the account has none."""
        moment = f"try {one.about}" if one.key == "tried" else one.look
        number = self._moments[moment]
        if one.key in OF_THE_LAYERS and one.about in self._game(number).board.things:
            first, *_ = why(self._game(number).board, one.about, one.key).splitlines()
            return first.strip()
        lines = self._account(number)
        if one.key == "tried":
            return self._reason_of_try(lines)
        speaks = re.compile(rf"(?<!\w){re.escape(one.about)}(?!\w)").search
        for place in range(len(lines) - 1, -1, -1):
            line = lines[place]
            if isinstance(line.event, EVENTS.get(one.key, ())) and (one.about == TABLE or speaks(line.text)):
                return self._rule_of_line(lines, place)
        return ""

    def _game(self, number: int) -> Game:
        """The game after this many actions."""
        games = (game for _, game in reversed(self._whole.course[:number]) if isinstance(game, Game))
        return next(games, self._whole.start)

    def _account(self, number: int) -> tuple[AccountLine, ...]:
        """The account of this many actions."""
        whole = self._whole
        return Playthrough(whole.observations, whole.start, whole.course[:number]).lines()

    def _reason_of_try(self, lines: tuple[AccountLine, ...]) -> str:
        """Why the last action was done or refused."""
        for place in range(len(lines) - 1, -1, -1):
            text = lines[place].text
            refused = REFUSAL.search(text)
            if refused and refused["rule"] in rules_by_number():
                return f"CR {refused['rule']}: {refused['why']}"
            if isinstance(lines[place].event, DONE):
                return self._rule_of_line(lines, place)
        return ""

    def _rule_of_line(self, lines: tuple[AccountLine, ...], place: int) -> str:
        """The rule of a line of the account, or of the line that it belongs to; empty if it has none."""
        said, depth = plain(lines[place].text), lines[place].depth
        for above in range(place, -1, -1):
            line = lines[above]
            if above != place and line.depth >= depth:
                continue
            depth = line.depth
            cited = RULE_WITH_GIST.search(line.text)
            if cited and cited["rule"] in rules_by_number():
                return f"CR {cited['rule']}: {cited['gist']} ({said})"
            if isinstance(line.event, Resolves):
                return f"CR 608.2c: its instructions are followed in order ({said})"
            if depth == 0:
                break
        return ""


def reasons_by(edition: str) -> Callable[[Play], Callable[[Expectation], str]]:
    """How to find the reasons for what the rules of an edition say about a scenario."""
    rules = GameRules.on(edition)
    return lambda play: Reasons(play, rules).of


def plain(text: str) -> str:
    """A line of an account without its rules and brackets."""
    text = re.sub(r"\s*\([^()]*\)", "", text)
    return text.strip(" =").replace("(", "").replace(")", "")


def rules_in(reasons: Iterable[str]) -> tuple[str, ...]:
    """The rules that these reasons cite, each once."""
    cited = (rule for reason in reasons for rule in re.findall(r"CR (\d{3}\.\d+[a-z]*)", reason))
    return tuple(dict.fromkeys(rule for rule in cited if rule in rules_by_number()))
