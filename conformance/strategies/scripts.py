"""Hypothesis strategies for whole games: a table, and a script found by walking through the game.

A script is drawn one action at a time: the reference engine says who may act, one of the possible actions is
picked, and every question that comes up is answered with a `choose` before the action. The result is a `Play`
that the reference engine plays to its end. The simplest action is always to pass, and the simplest card a
creature without abilities, so that a counterexample shrinks to what a person would have written.

The walk itself (`scripted_action`, `ways`) only needs a function that picks one of several options; a die
would do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple, TypeVar
from unicodedata import normalize

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.checks.fixtures import is_free
from conformance.files.own_words import words_of_the_language
from conformance.model.observation import names_nameless
from conformance.model.problems import ScenarioError, arrival_at
from conformance.model.scenario import Play, Want
from conformance.strategies.cards import in_play, several
from conformance.strategies.decks import deck
from conformance.strategies.draws import booleans, composite, integers, pick, sampled_from
from conformance.strategies.means import EVERYTHING, Means
from conformance_adapters.in_process import NoSuchTable, start_of
from reference_engine.game.events import Moved, Shuffled
from reference_engine.game.game import Game, Rejected, Undecided, advance, members, seat_of, side_of
from reference_engine.game.game_rules import CR
from reference_engine.game.legal import activations, castings, declarations, legal_answers
from reference_engine.game.stack import names
from reference_engine.language.actions import (
    Action,
    Activate,
    Advance,
    Call,
    CastAction,
    ChooseAction,
    Look,
    Pass,
    Pay,
    PayStep,
    PlayAction,
    Resolve,
    Settle,
    TokenNames,
    Try,
)
from reference_engine.language.cards import Activated, Card
from reference_engine.language.keywords import abilities_of
from reference_engine.language.setup import Arrival, Entry, Object, Player, Start
from reference_engine.language.words import Step

_Something = TypeVar("_Something")
Pick = Callable[[Sequence[_Something]], _Something]
"""Picks one of several options, of which the first is the simplest."""

FOUR_PLAYERS = ("alice", "bob", "carol", "dave")
TEAMS = ("heads", "tails")
STARTS: tuple[Step, ...] = (
    *("precombat main", "precombat main", "upkeep", "beginning of combat", "postcombat main", "end"),
)
SOME = 40
"""Maximum number of ways to consider for doing one thing."""

TABLE_KEYS = frozenset({"active", "deciding", "over", "priority", "stack", "step", "tokens"})
PLAYER_KEYS = frozenset({"graveyard", "hand", "library_size", "life", "lost", "pool"})
OBJECT_KEYS = frozenset({"attached_to", "controller", "counters", "tapped", "zone"})
CREATURE_KEYS = OBJECT_KEYS | {"attacking", "blocking", "damage", "power", "toughness"}


# ------------------------------------------------------------------------------------------- the table


def is_invented(card: Card) -> bool:
    """Whether a card is invented."""
    return card.name.startswith("Test ")


class Permanent(NamedTuple):
    """A card on the battlefield at the start, and its state."""

    id: str
    card: Card
    controller: str
    attached_to: str | None = None
    tapped: bool = False
    new: bool = False
    damage: int = 0
    face_down: bool = False
    face: str | None = None


class HeldCard(NamedTuple):
    """A card in a player's zone at the start."""

    id: str
    card: Card


class SeatedPlayer(NamedTuple):
    """A player at the start, with the cards in each zone; library and graveyard from the top."""

    id: str
    hand: Sequence[HeldCard] = ()
    library: Sequence[HeldCard] = ()
    graveyard: Sequence[HeldCard] = ()
    team: str | None = None
    life: int = 20


def table(
    players: Sequence[SeatedPlayer],
    permanents: Sequence[Permanent] = (),
    turn: str | None = None,
    step: Step = "precombat main",
    script: Sequence[Action] = (),
) -> Play:
    """A play that looks at everything at its end; permanents entered in the given order."""
    cards: dict[str, Card] = {}
    objects: list[Object] = []
    for laid in permanents:
        cards[laid.card.name] = laid.card
        objects.append(Object(laid.id, laid.card.name, laid.controller))
    for player in players:
        for held in (*player.hand, *player.library, *player.graveyard):
            cards[held.card.name] = held.card
            objects.append(Object(held.id, held.card.name, player.id))
    play = Play(
        players=tuple(
            Player(
                player.id,
                life=player.life,
                team=player.team,
                hand=tuple(held.id for held in player.hand),
                library=tuple(held.id for held in player.library),
                graveyard=tuple(held.id for held in player.graveyard),
            )
            for player in players
        ),
        start=Start(turn or players[0].team or players[0].id, step),
        cards=tuple(in_play(card, real=not is_invented(card)) for _, card in sorted(cards.items())),
        objects=tuple(objects),
        setup=tuple(
            Arrival(
                (
                    Entry(
                        laid.id,
                        laid.controller,
                        attached_to=laid.attached_to,
                        tapped=laid.tapped,
                        new=laid.new,
                        damage=laid.damage,
                        face_down=laid.face_down,
                        face=laid.face,
                    ),
                )
            )
            for laid in permanents
        ),
        script=tuple(script),
    )
    return replace(play, wants=wants_of(play, "end"))


def wants_of(play: Play, *looks: str) -> tuple[Want, ...]:
    """Everything that the laws compare, at these looks; power and toughness only for creature cards."""
    creatures = {card.definition.name for card in play.cards if "Creature" in card.definition.types}
    wanted = [("table", TABLE_KEYS), *((player.id, PLAYER_KEYS) for player in play.players)]
    wanted += [
        (thing.id, CREATURE_KEYS if thing.card in creatures else OBJECT_KEYS) for thing in play.objects
    ]
    return tuple(Want(look, of, keys) for look in looks for of, keys in wanted)


def with_looks(play: Play) -> Play:
    """The play with looks at everything before its script and after each action.

    The look `at_N` comes after N actions; a `choose` and its action stay together.
    """
    script: list[Action] = [Look("at_0")]
    looks = ["at_0"]
    for number, action in enumerate(play.script, 1):
        script.append(action)
        named = number < len(play.script) and isinstance(play.script[number], Call)
        if not isinstance(action, ChooseAction) and not named:
            looks.append(f"at_{number}")
            script.append(Look(looks[-1]))
    return replace(play, script=tuple(script), wants=wants_of(play, *looks, "end"))


class FreshIds:
    """Creates readable ids: `bolt`, `bolt2`, …"""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def of(self, card: Card) -> str:
        """An unused id, made from a card's name."""
        plain = normalize("NFKD", card.name.removeprefix("Test ").lower())
        letters = (c if c.isalnum() else "_" for c in plain if c.isascii())
        word = re.sub("^[^a-z]*", "", "".join(letters).strip("_")) or "card"
        number = 1
        name = word
        while name in self._given or name in words_of_the_language() or not is_free(name):
            number += 1
            name = f"{word}{number}"
        self._given.add(name)
        return name


TABLE_SIZES = (2, 2, 2, 3, 4)
"""Numbers of players, repeated by frequency."""


@composite
def seats(draw: DrawFn, means: Means, sizes: Sequence[int] = TABLE_SIZES) -> tuple[SeatedPlayer, ...]:
    """Two players, or three, four or two teams of two if the engine supports them."""
    can = tuple(n for n in sizes if n == 2 or means.allow("three players")) or (2,)
    number = draw(sampled_from(can))
    teams = number == 4 and means.allow("teams") and draw(booleans())
    return tuple(
        SeatedPlayer(name, team=TEAMS[n // 2] if teams else None)
        for n, name in enumerate(FOUR_PLAYERS[:number])
    )


@composite
def tables(
    draw: DrawFn, means: Means, cards: tuple[Card, ...] | None = None, sizes: Sequence[int] = TABLE_SIZES
) -> Play:
    """Tables at the start of a game: players, a few permanents, hands, libraries of plain cards."""
    cards = cards or deck(means)
    lasting = tuple(card for card in cards if not card.types & {"Instant", "Sorcery"})
    called = FreshIds()
    there = draw(seats(means, sizes))
    permanents: list[Permanent] = []
    players: list[SeatedPlayer] = []
    some = several(sampled_from(cards), 1, 3) if cards else st.just(())
    on_table = several(sampled_from(lasting), 0, 2) if lasting else st.just(())
    for player in there:
        permanents += [
            Permanent(called.of(card), card, player.id, attached_to=host(card, permanents), new=draw(flip()))
            for card in draw(on_table)
        ]
        hand = tuple(HeldCard(called.of(card), card) for card in draw(some))
        library = tuple(HeldCard(called.of(card), card) for card in cards[:1] * 3)
        players.append(player._replace(hand=hand, library=library))
    turn = draw(sampled_from(tuple(dict.fromkeys(player.team or player.id for player in there))))
    if draw(booleans()):
        permanents.reverse()
    return possible_play(table(players, permanents, turn, draw(sampled_from(STARTS))))


@cache
def flip() -> st.SearchStrategy[bool]:
    """Occasionally true."""
    return st.integers(0, 4).map(lambda n: n == 4)


def host(card: Card, permanents: Sequence[Permanent]) -> str | None:
    """What to attach an Aura to."""
    if "Aura" not in card.subtypes:
        return None
    return next((laid.id for laid in permanents if "Creature" in laid.card.types), None)


def possible_play(play: Play) -> Play:
    """The play without impossible entries: an unattached Aura, a second legend."""
    while True:
        try:
            start_of(play, CR)
        except ScenarioError as error:
            number = arrival_at(error.problems[0].where)
            assert number is not None
            [gone] = play.setup[number].entries
            play = replace(
                play,
                setup=play.setup[:number] + play.setup[number + 1 :],
                objects=tuple(thing for thing in play.objects if thing.id != gone.id),
                wants=tuple(want for want in play.wants if want.of != gone.id),
            )
        else:
            return play


def can_begin(play: Play) -> bool:
    """Whether the reference engine can begin with this table."""
    try:
        start_of(play, CR)
    except (ScenarioError, NoSuchTable):
        return False
    return True


# -------------------------------------------------------------------------------------------- the walk


class ScriptedAction(NamedTuple):
    """What one action added to a script, and the game after it."""

    actions: tuple[Action, ...]
    game: Game


def scripted_action(
    game: Game, action: Action, pick: Pick[ChooseAction], tokens: int, means: Means
) -> ScriptedAction | None:
    """An action with the answers to all its questions, and names for its tokens; None if it is illegal.

    None also if it says what an engine with these means cannot be told: which costs are paid.
    """
    if isinstance(action, CastAction | Activate) and action.costs and not means.allow("payments"):
        return None
    answers: tuple[ChooseAction, ...] = ()
    for _ in range(SOME):
        outcome = advance(game, action)
        if isinstance(outcome, Game):
            called = tokens_called(outcome, tokens)
            if called is None:
                return ScriptedAction((*answers, action), outcome)
            named = advance(outcome, called)
            able = means.allow("tokens") and isinstance(named, Game)
            return ScriptedAction((*answers, action, called), named) if able else None  # type: ignore[arg-type]  # a game
        if not isinstance(outcome, Undecided) or not means.allow("choices"):
            return None
        options = tuple(choose for choose in legal_answers(game, outcome.question)[:SOME] if can_say(choose))
        if not options:
            return None
        answers = (*answers, pick(options))
        ready = advance(game, answers[-1])
        assert isinstance(ready, Game)
        game = ready
    return None


def can_say(choose: ChooseAction) -> bool:
    """Whether a script can give this answer: declining to copy is the answer "no" to another question, and
    what the script gives no name cannot be said.
    """
    return (choose.kind != "copy" or bool(choose.answer)) and not names_nameless(choose.answer)


def tokens_called(game: Game, before: int) -> Call | None:
    """Names for the tokens that the last action made and that still exist."""
    made: dict[str, list[str]] = {}
    for number, id in enumerate(made_now(game), before + 1):
        name = game.seen.look(id).name
        made.setdefault(name or "", []).append(f"token{number}")
    if not made:
        return None
    return Call(tuple(TokenNames(name, tuple(ids)) for name, ids in made.items()))


def made_now(game: Game) -> list[str]:
    """The tokens that the last action made and that still exist."""
    return [id for id in game.made if id in game.board.things]


def things_to_do(game: Game, means: Means) -> tuple[tuple[str, str], ...]:
    """What the player with priority might use, and how: play, cast or activate it."""
    found: list[tuple[str, str]] = []
    for player in members(game, game.holder) if game.holder else ():
        slow = game.rules.could_cast_a_sorcery(game, player)
        for seat in game.board.seats:
            for id in seat.hand if seat.id == player else ():
                look = game.seen.look(id)
                if look.is_a("Land"):
                    if slow and means.allow("lands"):
                        found.append(("play", id))
                elif means.allow("casting") and (slow or look.is_a("Instant") or look.has_keyword("flash")):
                    found.append(("cast", id))
        if means.allow("activated abilities"):
            for thing in game.board.things.values():
                look = game.seen.look(thing.id)
                if (
                    thing.zone == "battlefield"
                    and look.controller == player
                    and any(isinstance(held.ability, Activated) for held in abilities_of(look))
                ):
                    found.append(("activate", thing.id))
    return tuple(found)


def ways(game: Game, how: str, id: str) -> tuple[Action, ...]:
    """Some ways of using an object: its modes, targets and abilities."""
    thing = game.board.things[id]
    match how:
        case "play":
            return (PlayAction(id, thing.owner),)
        case "cast":
            return tuple(islice(castings(game, id, thing.owner), SOME))
        case _:
            player = game.seen.look(id).controller or thing.owner
            return tuple(islice(activations(game, id, player), SOME))


def makes_mana(game: Game, id: str, player: str) -> bool:
    """Whether an object has a simple mana ability that a player could activate."""
    look = game.seen.look(id)
    return look.controller == player and any(
        isinstance(held.ability, Activated) and held.ability.name == "mana" for held in abilities_of(look)
    )


def passings(game: Game, means: Means) -> tuple[Action, ...]:
    """The ways to continue without doing anything, plainest first."""
    assert game.holder is not None
    if not means.allow("steps"):
        return ()
    if game.stack:
        top: tuple[Action, ...] = (Resolve(names(game)[-1]),) if means.allow("casting") else ()
        return (Pass(game.holder), Pass(game.holder), Pass("everyone"), *top, Settle())
    later: dict[Step, Step] = {
        "upkeep": "draw",
        "draw": "precombat main",
        "precombat main": "beginning of combat",
        "beginning of combat": "postcombat main",
        "end": "upkeep",
    }
    return (Pass(game.holder), Pass("everyone"), Pass("everyone"), Advance(later.get(game.board.step, "end")))


def wrong_actions(game: Game) -> Iterator[Action]:
    """Actions that are usually illegal now.

    Without priority, at the wrong time, with somebody else's card, with an illegal target.
    """
    holders = members(game, game.holder) if game.holder else ()
    for seat in game.board.seats:
        if side_of(game, seat.id) != game.holder and seat.id not in game.lost:
            yield Pass(side_of(game, seat.id))
        for id in seat.hand:
            look = game.seen.look(id)
            by = (*holders, seat.id)
            if look.is_a("Land"):
                yield from (PlayAction(id, player) for player in by)
            else:
                yield from (CastAction(id, player) for player in by)
                yield CastAction(id, seat.id, targets=((id,),))
    for thing in game.board.things.values():
        if thing.zone == "battlefield":
            for held in abilities_of(game.seen.look(thing.id)):
                if isinstance(held.ability, Activated):
                    yield from (Activate(thing.id, held.ability.name, seat.id) for seat in game.board.seats)


def cards_come_by_chance(before: Game, after: Game) -> bool:
    """Whether cards have left a library whose order nobody knows, so that nobody can say which ones."""
    for player in after.shuffled:
        library = seat_of(before, player).library
        left = set(library) - set(seat_of(after, player).library)
        if left and player in before.shuffled and len(library) > 1:
            return True
        is_shuffled = False
        for one in after.events:
            is_shuffled |= isinstance(one, Shuffled) and one.player == player
            if is_shuffled and isinstance(one, Moved) and one.id in left and one.origin == "library":
                return True
    return False


class ScriptWalk:
    """A script under construction: the actions so far, and the game after them."""

    def __init__(self, draw: DrawFn, play: Play, means: Means, *, pays: bool = False) -> None:
        self.draw = draw
        self.means = means
        self.pays = pays and means.allow("payments")
        """Whether spells are paid for by tapping lands (as many as there may be), not free."""
        self.game = start_of(play, CR)
        self.script: list[Action] = []
        self.tokens = 0
        self.tries = 0

    def pick(self, options: Sequence[_Something]) -> _Something:
        """Draw one of several options."""
        return options[0] if len(options) == 1 else pick(self.draw, options)

    def number(self, least: int, most: int) -> int:
        """Draw a number."""
        return self.draw(integers(least, most))

    def take(self, action: Action) -> bool:
        """Take an action, if it is legal and does not depend on the order of a shuffled library."""
        done = scripted_action(self.game, action, self.pick, self.tokens, self.means)
        if done is None or cards_come_by_chance(self.game, done.game):
            return False
        self.script += done.actions
        if isinstance(done.actions[-1], Call):
            self.tokens += sum(len(one.ids) for one in done.actions[-1].tokens)
        self.game = done.game
        return True

    def act(self) -> bool:
        """Take an action other than passing, if there is any."""
        things = things_to_do(self.game, self.means)
        if not things:
            return False
        possible = ways(self.game, *self.pick(things))
        if not possible:
            return False
        action = self.pick(possible)
        if self.pays and isinstance(action, CastAction):
            action = replace(action, pay=self.payment(action.by))
            return self.take(action) or self.try_action(action)
        return self.take(action)

    def payment(self, player: str) -> Pay:
        """Some of the mana abilities that a player can activate now."""
        able = [
            thing.id
            for thing in self.game.board.things.values()
            if thing.zone == "battlefield" and not thing.tapped and makes_mana(self.game, thing.id, player)
        ]
        many = self.number(0, len(able))
        return Pay(tuple(PayStep(activate=id) for id in able[:many]))

    def go_on(self) -> bool:
        """Pass in some way, or make the declaration that the game waits for; False at the end of the walk."""
        if self.game.deciding is not None:
            if not self.means.allow("combat"):
                return False
            return self.take(self.pick(tuple(islice(declarations(self.game), SOME))))
        passes = passings(self.game, self.means)
        return bool(passes) and self.take(self.pick(passes))

    def attempt(self) -> None:
        """Try something that may well be illegal; if it turns out legal, it is kept."""
        wrong = tuple(islice(wrong_actions(self.game), SOME))
        if wrong:
            self.try_action(self.pick(wrong))

    def try_action(self, action: Action) -> bool:
        """Try an action; False if that would leave a question open, or the engine does not support it."""
        outcome = advance(self.game, action)
        legal = isinstance(outcome, Game) and not made_now(outcome)
        if not legal and not isinstance(outcome, Rejected):
            return False
        if not self.means.allow(*FEATURE_OF.get(type(action), ())):
            return False
        self.tries += 1
        self.script.append(Try(f"try{self.tries}", action))
        if isinstance(outcome, Game):
            self.game = outcome
        elif isinstance(outcome, Rejected):
            self.game = outcome.kept or self.game
        return True

    def walk(self, most: int) -> None:
        """Take up to `most` steps.

        One step in ten tries something illegal; the others act and pass about equally often.
        """
        for _ in range(self.number(1, most)):
            if self.game.over:
                return
            kind = self.number(0, 9)
            if kind == 9:
                self.attempt()
            elif not (kind >= 4 and self.game.holder and self.act()) and not self.go_on():
                return


FEATURE_OF: dict[type[Action], tuple[str, ...]] = {
    CastAction: ("casting",),
    PlayAction: ("lands",),
    Activate: ("activated abilities",),
    Pass: ("steps",),
}
"""The features that an engine needs for an action."""


@composite
def games(
    draw: DrawFn,
    means: Means = EVERYTHING,
    cards: tuple[Card, ...] | None = None,
    *,
    sizes: Sequence[int] = TABLE_SIZES,
    pays: bool = False,
    most: int = 14,
) -> Play:
    """A table and a script that the reference engine plays to its end; the only look is at the end."""
    play = draw(tables(means, cards, sizes))
    walk = ScriptWalk(draw, play, means, pays=pays)
    walk.walk(most)
    return replace(play, script=tuple(walk.script))
