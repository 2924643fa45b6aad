"""The reference engine (or a broken variant of it) as an `Engine` in this process.

It begins a game with the setup, passes the script's actions to `advance` one by one, and reports what the
looks ask for. All rule decisions are made in `reference_engine`; this module only translates scenarios.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.rulebook import edition_in_force, rulebook
from conformance.model.engine import CannotPlay, EngineInfo
from conformance.model.observation import (
    Observations,
    SeenObject,
    SeenPlayer,
    SeenTable,
    SeenToken,
    Snapshot,
    Stopped,
    TryOutcome,
)
from conformance.model.problems import Finding, Problem, ScenarioError, arrival_at, place_of_arrival
from conformance.model.renaming import words_in
from conformance.model.scenario import Fixture, Play, SeenCounters, holds_in
from reference_engine.game.account import (
    AccountLine,
    Happening,
    RefusedAction,
    UnfinishedAction,
    account,
    names_of_created,
)
from reference_engine.game.designations import NO_SOURCE
from reference_engine.game.events import GotPriority, StepBegan
from reference_engine.game.game import (
    Game,
    Loop,
    NoStop,
    Rejected,
    StackItem,
    Undecided,
    advance,
    battlefield,
    side_of,
)
from reference_engine.game.game_rules import CR, GameRules
from reference_engine.game.legal import worded_actions
from reference_engine.game.mana import symbols_of
from reference_engine.game.questions import IN_ORDER
from reference_engine.game.stack import item_named, names, shown_ref, stack_by_name
from reference_engine.game.table import ImpossibleSetup, UnsupportedArrival, starting_game
from reference_engine.language.actions import Action, AnswerValue, ChooseAction, Look, Share, Try
from reference_engine.language.cards import Filter, Keyword
from reference_engine.language.characteristics import Characteristics, mana_value
from reference_engine.language.keywords import abilities_of
from reference_engine.language.setup import Setup
from reference_engine.language.words import CHOSEN_COLOR, CHOSEN_NAME, CHOSEN_TYPE, DESIGNATIONS
from reference_engine.layers.asking import choices_mentioned, players_with
from reference_engine.layers.board import ChoicesMade, NotModelled, Pile, Seat, Thing, TooLarge
from reference_engine.layers.operations import reword

if TYPE_CHECKING:
    from conformance.mutants.mutant import Mutant
    from conformance.tell.explanation import Explanation
    from conformance.tell.timeline import AfterAction, Timeline

NAME, VERSION = "reference", "1"
_Seen = TypeVar("_Seen", bound=Struct)


class NoSuchTable(CannotPlay):
    """A setup entry that the rules in force do not allow, or that this engine does not support."""

    def __init__(self, number: int, why: str, cure: str = "remove it") -> None:
        super().__init__(f"{place_of_arrival(number)}: {why}")
        self.number = number
        self.why = why
        self.cure = f"{cure}, or expect nothing of our engine"


class Reference:
    """The reference engine under an edition's rules, or any other rules."""

    def __init__(self, edition: str | None = None, rules: GameRules | None = None, name: str = NAME) -> None:
        self.rules = rules if rules is not None else CR if edition is None else GameRules.on(edition)
        self.name = name

    @property
    def is_newest(self) -> bool:
        """Whether its rules always decide as the newest edition does, regardless of the date."""
        return dataclasses.replace(self.rules, edition=CR.edition) == CR

    def describe(self) -> EngineInfo:
        return EngineInfo(
            name=self.name,
            version=VERSION,
            edition=edition_in_force(self.rules.edition),
            takes=frozenset({"defined"}),
            checks_understanding=True,
        )

    def play(self, play: Play, /) -> Observations:
        """Play a scenario and report the observations at each look.

        A setup that is illegal under an edition's rules is the scenario's fault. One that is illegal only
        because a rule is broken here cannot be played.
        """
        try:
            return play_through(play, self.rules).observations
        except ScenarioError as error:
            if self.rules == GameRules.on(self.rules.edition):
                raise
            said = "; ".join(f"{problem.where}: {problem.what}" for problem in error.problems)
            raise CannotPlay(f"by the rules played here there is no such table: {said}") from None


def with_rules_of(mutant: Mutant, edition: str | None = None) -> GameRules:
    """The rules of an edition, with the decisions a mutant breaks replaced."""
    rules = CR if edition is None else GameRules.on(edition)
    return dataclasses.replace(rules, **replaced_decisions(mutant))


def replaced_decisions(mutant: Mutant) -> dict[str, Any]:
    """The decisions that a mutant replaces, by name."""
    return {
        field.name: getattr(mutant.rules, field.name)
        for field in dataclasses.fields(mutant.rules)
        if getattr(mutant.rules, field.name) != getattr(CR, field.name)
    }


def decisions_used(play: Play, rules: GameRules) -> frozenset[str]:
    """The names of the decisions that a scenario uses; an engine that differs only in others plays it the
    same.

    Decisions that are not functions, such as the order of the layers, are always included.
    """
    every = {field.name: getattr(rules, field.name) for field in dataclasses.fields(rules)}
    met = {name for name, decision in every.items() if not callable(decision)}

    def noting(name: str, decision: Callable[..., Any]) -> Callable[..., Any]:
        def decided(*arguments: Any, **named: Any) -> Any:
            met.add(name)
            return decision(*arguments, **named)

        return decided

    noted: dict[str, Any] = {name: noting(name, every[name]) for name in every if callable(every[name])}
    play_through(play, dataclasses.replace(rules, **noted))
    return frozenset(met)


def blocked_in(game: Game) -> frozenset[str]:
    """The attackers that are blocked."""
    return game.combat.blocked if game.combat is not None else frozenset()


class Playthrough(Struct):
    """A played scenario: the observations, and the game after each action, for explanations."""

    observations: Observations
    start: Game
    course: tuple[tuple[Action, Game | Rejected | Undecided | NotModelled | Loop | NoStop], ...]

    @property
    def last(self) -> Game:
        """The final game: at the end of the script, or where play stopped."""
        return next((game for _, game in reversed(self.course) if isinstance(game, Game)), self.start)

    def account(self) -> tuple[str, ...]:
        """What happened, as a judge would describe it; empty if there were no actions."""
        return tuple(map(str, self.lines()))

    def lines(self) -> tuple[AccountLine, ...]:
        """The account as lines with their events."""
        return self._lines_of([list(happened) for happened in self.happenings()])

    def _lines_of(self, happened: list[list[Happening]]) -> tuple[AccountLine, ...]:
        if not self.course:
            return ()
        from conformance.tell.explanation import lasting_words

        return account((event for events in happened for event in events), self.start.board, lasting_words)

    def _created(self, happened: list[list[Happening]]) -> Mapping[str, str]:
        """Names of the tokens and emblems that the script does not name."""
        return names_of_created(self.start.board, itertools.chain.from_iterable(happened))

    def explanation(self, why_stopped: str = "") -> Explanation:
        """The explanation of the final game."""
        from conformance.tell.explanation import explanation

        rules = self.last.rules
        happened = [list(events) for events in self.happenings()]
        return explanation(
            self._lines_of(happened),
            self.last.board,
            rules,
            self.all_seen(),
            rules.edition,
            self._created(happened),
            why_stopped,
            blocked_in(self.last),
        )

    def timeline(self, says: Callable[[Action], str]) -> Timeline:
        """The script as a timeline; `says` puts an action into words."""
        from conformance.tell.timeline import timeline

        happened = [list(events) for events in self.happenings()]
        sides = {seat.id: side_of(self.start, seat.id) for seat in self.start.board.seats}
        return timeline(self._lines_of(happened), self.after_each(happened, says), sides)

    def after_each(self, happened: list[list[Happening]], says: Callable[[Action], str]) -> list[AfterAction]:
        """The game as the script begins and after each action, with what happened at it."""
        from conformance.tell.explanation import explanation
        from conformance.tell.timeline import AfterAction

        found: list[AfterAction] = []
        game = self.start
        created = self._created(happened)
        for (action, outcome), events in zip([(None, self.start), *self.course], happened, strict=True):
            if isinstance(outcome, Game):
                game = outcome
            elif isinstance(outcome, Rejected):
                game = outcome.kept or game
            told = explanation(
                (),
                game.board,
                game.rules,
                snapshot(game, None),
                game.rules.edition,
                created,
                blocked=blocked_in(game),
            )
            words = "" if action is None else says(action)
            found.append(AfterAction(words, tuple(events), names(game), told))
        return found

    def how_to_answer(self) -> str:
        """What to write into the script to answer the question at which play stopped; empty if there was
        none.
        """
        stopped = self.course[-1][1] if self.course else None
        if not isinstance(stopped, Undecided):
            return ""
        question = stopped.question
        declared = DECLARED.get(question.askers[0])
        if declared is not None and not question.options:
            return f"write `{{{declared}: {{…}}, by: {question.by}}}` above it, or `advance` past it"
        every = question.options if question.kind in IN_ORDER else question.options[: max(question.least, 1)]
        answer = ", ".join(map(written_answer, every)) or "…"
        choose = f"{{choose: {question.kind}, by: {question.by}, answer: [{answer}]}}"
        return f"write `{choose}` above it, for example"

    def all_seen(self) -> Snapshot:
        """A full look at the final game. Raises `CannotPlay` if that would take too long."""
        try:
            return snapshot(self.last, None)
        except TooLarge as beyond:
            raise CannotPlay(beyond.what) from None

    def happenings(self) -> Iterator[Iterator[Happening]]:
        """What happened as the script began, and at each of its actions."""
        board = self.start.board
        yield iter(
            (
                StepBegan(board.step, board.active, self.start.turn),
                GotPriority(board.active, "the scenario begins here"),
            )
        )
        for action, outcome in self.course:
            yield happened_at(action, outcome)


def happened_at(
    action: Action, outcome: Game | Rejected | Undecided | NotModelled | Loop | NoStop
) -> Iterator[Happening]:
    """What happened at one action."""
    if isinstance(outcome, Game):
        yield from outcome.events
    elif isinstance(outcome, Rejected):
        tried = action.action if isinstance(action, Try) else action
        yield RefusedAction(tried, outcome.why, outcome.kept is not None)
        yield from outcome.kept.events if outcome.kept is not None else ()
    elif isinstance(outcome, Undecided) and outcome.so_far is not None:
        yield UnfinishedAction()
        yield from outcome.so_far.events


DECLARED = {"attackers": "attack", "blockers": "block", "damage": "assign"}
"""The action that makes each declaration the game may wait for."""


def written_answer(value: AnswerValue) -> str:
    """An answer as written in a script."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{{{value.to}: {value.n}}}" if isinstance(value, Share) else str(value)


def play_through(play: Play, rules: GameRules) -> Playthrough:
    """Play a scenario from start to end."""
    wants = wants_at_looks(play)
    start = game = start_of(play, rules)
    looks: dict[str, Snapshot] = {}
    tried: dict[str, TryOutcome] = {}
    course: list[tuple[Action, Game | Rejected | Undecided | NotModelled | Loop | NoStop]] = []
    numbers: dict[int, int] = {}
    stopped: Stopped | None = None
    for index, action in enumerate(play.script):
        if type(action) is Look:
            try:
                looks[action.name] = snapshot(game, wants.get(action.name))
            except TooLarge as beyond:
                stopped = stop(index, beyond)
                break
            continue
        called, what = (action.name, action.action) if type(action) is Try else (None, action)
        if type(what) is ChooseAction:
            numbers[game.asked] = index
        outcome = advance(game, what)
        course.append((action, outcome))
        if isinstance(outcome, Game):
            game = outcome
        elif isinstance(outcome, Rejected) and called is not None:
            game = outcome.kept or game
        else:
            stopped = stop(index, outcome)
            break
        if called is not None:
            tried[called] = "done" if isinstance(outcome, Game) else "rejected"
    if stopped is None:
        try:
            looks["end"] = snapshot(game, wants.get("end"))
        except TooLarge as beyond:
            stopped = stop(max(len(play.script) - 1, 0), beyond)
    unused = tuple(numbers[prepared.number] for prepared in game.answers)
    return Playthrough(
        Observations(
            looks=looks,
            tried=tried,
            unused=unused,
            cards={card.definition.name: "defined" for card in play.cards},
            stopped=stopped,
        ),
        start,
        tuple(course),
    )


def stop(at: int, outcome: Rejected | Undecided | NotModelled | Loop | NoStop) -> Stopped:
    """Where and why play ended early."""
    match outcome:
        case Rejected():
            return Stopped(at, "rejected", says=outcome.why)
        case Undecided():
            return Stopped(at, "question", question=str(outcome.question))
        case NotModelled():
            return Stopped(at, "unsupported", says=outcome.what)
        case Loop():
            return Stopped(at, "loop", says="everyone passed a thousand times")
        case NoStop():
            return Stopped(at, "no stop", says=str(outcome))


Wants = Mapping[str, frozenset[str]]


def wants_at_looks(play: Play) -> Mapping[str, Wants]:
    """For each look, the keys wanted of each object, of each player and of the table."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for want in play.wants:
        at = found.setdefault(want.look, {})
        at[want.of] = at[want.of] | want.keys if want.of in at else want.keys
    return found


# -------------------------------------------------------------------------------------- the table


def start_of(play: Play, rules: GameRules) -> Game:
    """The game at the moment the script begins.

    Raises `ScenarioError` for a setup with which no game can begin, and `NoSuchTable` for one that this
    engine does not support.
    """
    cards = tuple(card.definition for card in play.cards)
    try:
        game = starting_game(Setup(play.players, play.start, cards, play.objects, play.setup), rules)
    except ImpossibleSetup as error:
        raise wrong_setup(error) from None
    except UnsupportedArrival as beyond:
        raise NoSuchTable(beyond.arrival, beyond.what) from None
    except TooLarge as beyond:
        raise NoSuchTable(len(play.setup) - 1, beyond.what, "set up fewer permanents") from None
    return replace(game, unnamed=nameless(play))


def wrong_setup(error: ImpossibleSetup) -> ScenarioError:
    """The error for a scenario with an impossible setup."""
    where = "start" if error.arrival is None else place_of_arrival(error.arrival)
    cure = f"{error.because}; begin" if error.because else "begin"
    return ScenarioError(
        [Problem("scenario", 0, 0, where, error.what, f"{cure} with a board that nothing changes")]
    )


def nameless(play: Play) -> frozenset[str]:
    """Objects that no look or action mentions, so they need not be told apart from others like them."""
    by_list = {"hand", "graveyard", "exile", "library_top"}
    if len({thing.card for thing in play.objects}) == len(play.objects):
        return frozenset()
    if any(want.keys & by_list for want in play.wants):
        return frozenset()
    named = {want.of for want in play.wants} | words_in(play.script)
    return frozenset(thing.id for thing in play.objects) - named


# ------------------------------------------------------------------------------- what is to be seen


def snapshot(game: Game, wants: Wants | None) -> Snapshot:
    """What is observed now: the keys this look asks for, or everything if it names none."""
    if wants is None:
        wants = everything(game)
    objects: dict[str, SeenObject] = {}
    seen_players: dict[str, SeenPlayer] = {}
    table = SeenTable()
    seats = {seat.id: seat for seat in game.board.seats}
    for of, keys in wants.items():
        if of == "table":
            table = seen_table(game, keys)
        elif of in seats:
            seen_players[of] = seen_player(game, seats[of], keys)
        else:
            item = item_named(game, of)
            if of in game.board.things:
                objects[of] = seen_object(game, of, keys, item)
            elif item is not None:
                objects[of] = (
                    seen_object(game, item.id, keys, item)
                    if item.id in game.board.things
                    else seen_ability(game, item, keys)
                )
    return Snapshot(objects, seen_players, table)


def everything(game: Game) -> Wants:
    """All keys of every object, of every player and of the table."""
    wants: dict[str, frozenset[str]] = {"table": EVERY_KEY_OF_TABLE}
    wants |= dict.fromkeys([seat.id for seat in game.board.seats], EVERY_KEY_OF_PLAYER)
    wants |= dict.fromkeys(game.board.things, EVERY_KEY_OF_OBJECT)
    abilities = [name for name, item in stack_by_name(game) if item.kind != "spell"]
    return wants | dict.fromkeys(abilities, EVERY_KEY_OF_OBJECT)


EVERY_KEY_OF_TABLE = frozenset(SeenTable.__struct_fields__) - {"legal"}
EVERY_KEY_OF_PLAYER = frozenset(SeenPlayer.__struct_fields__)
EVERY_KEY_OF_OBJECT = frozenset(SeenObject.__struct_fields__)


def seen_table(game: Game, keys: frozenset[str]) -> SeenTable:
    return SeenTable(**{key: see(game) for key, see in ways_to_see_table(keys)})


@functools.lru_cache(maxsize=1024)
def ways_to_see_table(keys: frozenset[str]) -> tuple[tuple[str, Callable[[Game], Any]], ...]:
    """How to see these keys of the table."""
    return tuple((key, SEEN_OF_TABLE[key]) for key in keys if key in SEEN_OF_TABLE)


def tokens_seen(game: Game) -> tuple[SeenToken, ...]:
    """The observed tokens on the battlefield."""
    return tuple(
        SeenToken(game.seen.look(thing.id).name, game.seen.look(thing.id).controller or thing.owner)
        for thing in battlefield(game)
        if thing.token
    )


SEEN_OF_TABLE: Mapping[str, Callable[[Game], Any]] = {
    "turn": lambda game: game.board.active,
    "active": lambda game: game.board.active,
    "step": lambda game: game.board.step,
    "priority": lambda game: game.holder,
    "deciding": lambda game: None if game.deciding is None else game.deciding.by,
    "stack": names,
    "over": lambda game: game.over,
    "tokens": tokens_seen,
    "daytime": lambda game: game.board.daytime,
    "legal": worded_actions,
}
"""How to see each thing that can be observed of the table."""


def seen_player(game: Game, seat: Seat, keys: frozenset[str]) -> SeenPlayer:
    if seat.id in game.shuffled and seat.library:
        # Nobody knows which card is on top.
        keys = keys - {"library_top"}
    return SeenPlayer(**{key: see(game, seat) for key, see in ways_to_see_player(keys)})


@functools.lru_cache(maxsize=1024)
def ways_to_see_player(keys: frozenset[str]) -> tuple[tuple[str, Callable[[Game, Seat], Any]], ...]:
    """How to see these keys of a player."""
    return tuple((key, SEEN_OF_PLAYER[key]) for key in keys if key in SEEN_OF_PLAYER)


def exile_seen(game: Game, seat: Seat) -> frozenset[str]:
    """The observed cards of a player in exile."""
    things = game.board.things.values()
    return frozenset(thing.id for thing in things if thing.zone == "exile" and thing.owner == seat.id)


def land_plays_seen(game: Game, seat: Seat) -> int:
    """How many more lands a player may play this turn."""
    allowed = game.rules.land_plays(game, seat.id) - game.lands_played.get(seat.id, 0)
    return max(allowed, 0) if side_of(game, seat.id) == game.board.active else 0


def player_keywords_seen(game: Game, seat: Seat) -> frozenset[str]:
    """The observed keywords of a player."""
    keywords = game.seen.players[seat.id].keywords
    if not keywords:
        return frozenset()
    from conformance.wording import keyword_text

    return frozenset(keyword_text(keyword) for keyword in keywords)


def designations_seen(game: Game, seat: Seat) -> frozenset[str]:
    """The observed designations of a player."""
    return frozenset(what for what in DESIGNATIONS if seat.id in players_with(what, game.board))


SEEN_OF_PLAYER: Mapping[str, Callable[[Game, Seat], Any]] = {
    "life": lambda game, seat: seat.life,
    "hand": lambda game, seat: frozenset(seat.hand),
    "library_size": lambda game, seat: len(seat.library),
    "graveyard": lambda game, seat: seat.graveyard,
    "exile": exile_seen,
    "counters": lambda game, seat: counters_seen(seat.counters),
    "pool": lambda game, seat: symbols_of(game.pools.get(seat.id, "")),
    "lost": lambda game, seat: seat.id in game.lost,
    "library_top": lambda game, seat: seat.library[0] if seat.library else None,
    "hand_size": lambda game, seat: game.rules.maximum_hand_size(game.seen, seat.id),
    "land_plays": land_plays_seen,
    "keywords": player_keywords_seen,
    "designations": designations_seen,
    "decided_by": lambda game, seat: game.rules.decider(game, seat.id),
}
"""How to see each thing that can be observed of a player."""


def counters_seen(piles: tuple[Pile, ...]) -> tuple[SeenCounters, ...]:
    """The observed counters, sorted by kind."""
    if not piles:
        return ()
    return tuple(
        SeenCounters(pile.kind, pile.n) for pile in sorted(piles, key=lambda pile: pile.kind) if pile.n
    )


def seen_object(game: Game, id: str, keys: frozenset[str], item: StackItem | None) -> SeenObject:
    """The observed properties of an object; worked out once while the object and its look stay the same."""
    thing, look = game.board.things[id], game.seen.look(id)
    if item is not None:
        return SeenObject(**object_values(game, thing, look, keys), **stack_values(game, item, keys))
    memory = thing.__dict__
    known: tuple[Characteristics, frozenset[str], GameRules, SeenObject] | None = memory.get("observed")
    if known is not None and known[0] is look and known[1] == keys and known[2] is game.rules:
        return known[3]
    seen = SeenObject(**object_values(game, thing, look, keys))
    memory["observed"] = (look, keys, game.rules, seen)
    return seen


def object_values(game: Game, thing: Thing, look: Characteristics, keys: frozenset[str]) -> dict[str, Any]:
    """Those of these properties that an object has anywhere."""
    of_thing, of_look, others = ways_to_see_object(keys)
    values = {key: getattr(thing, key) for key in of_thing}
    for key in of_look:
        values[key] = getattr(look, key)
    for key, see in others:
        values[key] = see(game, thing, look)
    return values


WayToSeeObject = Callable[[Game, Thing, Characteristics], Any]


@functools.lru_cache(maxsize=1024)
def ways_to_see_object(
    keys: frozenset[str],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, WayToSeeObject], ...]]:
    """How to see these keys of an object: those of the object itself, those of its look, and the others."""
    return (
        tuple(key for key in SEEN_OF_THING if key in keys),
        tuple(key for key in SEEN_OF_LOOK if key in keys),
        tuple((key, SEEN_OF_OBJECT[key]) for key in keys if key in SEEN_OF_OBJECT),
    )


def controller_seen(game: Game, thing: Thing, look: Characteristics) -> str | None:
    """The observed controller: objects outside the battlefield and the stack have none."""
    return look.controller or thing.owner if thing.zone in ("battlefield", "stack") else None


def keywords_seen(game: Game, thing: Thing, look: Characteristics) -> frozenset[str]:
    """The observed keywords of an object."""
    if not look.keywords:
        return frozenset()
    from conformance.wording import keyword_text

    # CR 607.5a: an ability that refers to a choice that was never made does nothing.
    chosen = thing.chosen.for_text(look.text_by)
    known = (with_choice(keyword, chosen) for keyword in look.keywords)
    return frozenset(
        keyword_text(one) for keyword in known if keyword is not None for one in each_of_shorthand(keyword)
    )


def each_of_shorthand(keyword: Keyword) -> tuple[Keyword, ...]:
    """The abilities for which one keyword stands.

    CR 702.16g, 702.11f: protection or hexproof from one thing and from another is two abilities.
    """
    if keyword.keyword not in ("protection", "hexproof") or not isinstance(keyword.what, Filter):
        return (keyword,)
    parts = keyword.what.any_of
    if not parts or keyword.what != Filter(any_of=parts):
        return (keyword,)
    return tuple(replace(keyword, what=one) for one in parts)


def abilities_seen(game: Game, thing: Thing, look: Characteristics) -> tuple[str, ...]:
    """The names of an object's abilities."""
    if not look.abilities and not look.keywords:
        return ()
    named = (getattr(held.ability, "name", "") for held in abilities_of(look))
    return tuple(name for name in named if name)


SEEN_OF_THING = ("zone", "owner", "tapped", "face_down", "attached_to", "attacking", "blocking", "damage")
"""What can be observed of an object as it is, under the same names."""
SEEN_OF_LOOK = ("name", "cost", "colors", "types", "supertypes")
"""What can be observed of how an object looks, under the same names."""
SEEN_OF_OBJECT: Mapping[str, WayToSeeObject] = {
    "controller": controller_seen,
    "mana_value": lambda game, thing, look: mana_value(*game.seen.view.cost_and_x(thing.id)),
    "subtypes": lambda game, thing, look: look.shown_subtypes,
    "power": lambda game, thing, look: game.rules.shown_number(look.power, look, thing.zone),
    "toughness": lambda game, thing, look: game.rules.shown_number(look.toughness, look, thing.zone),
    "loyalty": lambda game, thing, look: loyalty_of(thing, look),
    "counters": lambda game, thing, look: counters_seen(thing.counters),
    "keywords": keywords_seen,
    "abilities": abilities_seen,
}
"""How to see what else can be observed of an object anywhere; `stack_values` has the rest."""


def loyalty_of(thing: Thing, look: Characteristics) -> int | None:
    """The loyalty of a planeswalker: its counters on the battlefield, elsewhere the printed number
    (CR 306.5c).
    """
    if not look.is_a("Planeswalker"):
        return None
    return thing.count("loyalty") if thing.zone == "battlefield" else look.loyalty


def seen_ability(game: Game, item: StackItem, keys: frozenset[str]) -> SeenObject:
    """The observed properties of an ability on the stack."""
    # CR 602.2a, 603.3: the text of the ability and no other characteristics.
    nothing: dict[str, Any] = dict.fromkeys(("colors", "types", "subtypes", "supertypes"), frozenset())
    nothing |= {"zone": "stack", "controller": item.controller, "name": None, "cost": None, "mana_value": 0}
    values = {key: value for key, value in nothing.items() if key in keys}
    return SeenObject(**values, **stack_values(game, item, keys))


def stack_values(game: Game, item: StackItem, keys: frozenset[str]) -> dict[str, Any]:
    """Those of these properties that an object has because it is on the stack."""
    values = {
        "kind": "copy" if item.copy else item.kind,
        "source": None if item.source == NO_SOURCE else item.source.id,
        "targets": tuple(shown_ref(game, ref) for refs in item.targets for ref in refs),
        "paid": item.paid,
    }
    return {key: value for key, value in values.items() if key in keys}


def with_choice(keyword: Keyword, chosen: ChoicesMade) -> Keyword | None:
    """A keyword with the words chosen for its object filled in; `None` if it needs a choice that was not
    made.
    """
    words = ((CHOSEN_COLOR, chosen.color), (CHOSEN_TYPE, chosen.type), (CHOSEN_NAME, chosen.name))
    for placeholder, word in words if choices_mentioned(keyword) else ():
        keyword = reword(keyword, placeholder, word or placeholder)
    return None if choices_mentioned(keyword) else keyword


# ------------------------------------------------------------------- what only playing it shows


def findings_when_played(fixture: Fixture) -> tuple[Finding, ...]:
    """Problems with a fixture that show only when it is played under the newest rules it holds for."""
    from conformance.checks.fixtures import findings_of_expectations, findings_of_play

    rules = newest_rules_for(fixture)
    try:
        seen = play_through(fixture.play, rules).observations
    except ScenarioError as error:
        return tuple(Finding(place(problem.where), problem.what, problem.cure) for problem in error.problems)
    except NoSuchTable as error:
        what = f"the reference engine does not play {error.why}"
        return (Finding(("play", "setup", error.number), what, error.cure),)
    return (*findings_of_play(fixture, seen), *findings_of_expectations(fixture, seen, rules.edition))


def newest_rules_for(fixture: Fixture) -> GameRules:
    if holds_in(fixture.holds, CR.edition):
        return CR
    dates = (edition.date for edition in reversed(rulebook().editions))
    date = next((date for date in dates if holds_in(fixture.holds, date)), fixture.holds.since)
    return GameRules.on(date) if date else CR


def place(where: str) -> tuple[str | int, ...]:
    """A path in a play, parsed from its text."""
    number = arrival_at(where)
    return ("play", where) if number is None else ("play", "setup", number)
