"""Games walked at random through legal actions: `python -m tests.walks 20000` walks many and says how it
went.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator

from adapters.in_process import starting_game
from conformance.library import pool
from conformance.scenario import Arrival, CardInPlay, Entry, Object, Play, Player, Start
from reference_engine.actions import Action, AnswerValue, Cast, Choose, Pass, Share
from reference_engine.actions import Play as PlayLand
from reference_engine.game import Game, Question, Undecided, advance
from reference_engine.game_rules import CR
from reference_engine.legal import legal_actions

SPELLS = (
    "Lightning Bolt",
    "Giant Growth",
    "Grizzly Bears",
    "Llanowar Elves",
    "Goblin Guide",
    "Murderous Redcap",
    "Serra Angel",
    "Glorious Anthem",
    "Control Magic",
    "Cancel",
    "Village Rites",
    "Soul Warden",
    "Doomed Traveler",
    "Raise the Alarm",
    "Act of Treason",
    "Holy Strength",
    "Bonesplitter",
    "Kitchen Finks",
    "Young Pyromancer",
    "Blood Artist",
    "Mogg Fanatic",
    "Disenchant",
    "Wake Thrasher",
    "Geistflame",
)
LANDS = ("Plains", "Island", "Swamp", "Mountain", "Forest")
NAMES = ("alice", "bob", "carol", "dave")


def dealt(dice: random.Random) -> Play:
    """A table of two to four players (or two teams of two) with some permanents, cards in hand and
    libraries.
    """
    seats = dice.choice((2, 2, 2, 3, 4))
    teams = seats == 4 and dice.random() < 0.5
    objects: list[Object] = []
    entries: list[Arrival] = []
    players: list[Player] = []

    def card(name: str, owner: str) -> str:
        objects.append(Object(f"c{len(objects)}", name, owner))
        return objects[-1].id

    for number, name in enumerate(NAMES[:seats]):
        for _ in range(dice.randint(1, 3)):
            permanent = dice.choice(("Grizzly Bears", "Serra Angel", "Soul Warden", "Mogg Fanatic", *LANDS))
            entries.append(Arrival((Entry(card(permanent, name), name),)))
        hand = tuple(card(dice.choice(SPELLS + LANDS), name) for _ in range(dice.randint(2, 5)))
        library = tuple(card(dice.choice(SPELLS + LANDS), name) for _ in range(dice.randint(3, 8)))
        team = ("heads" if number < 2 else "tails") if teams else None
        players.append(Player(name, hand=hand, library=library, team=team))
    cards = pool()
    used = sorted({thing.card for thing in objects})
    return Play(
        players=tuple(players),
        start=Start("heads" if teams else "alice"),
        cards=tuple(CardInPlay(cards[name], real=True) for name in used),
        objects=tuple(objects),
        setup=tuple(entries),
    )


def an_answer(question: Question, dice: random.Random) -> tuple[AnswerValue, ...]:
    """Some legal answer."""
    options = list(question.options or question.such_as)
    if question.kind in ("order", "timestamps", "damage_order"):
        dice.shuffle(options)
        return tuple(options)
    if question.kind == "division":
        shares = [1] * len(options)
        for _ in range(question.total - len(options)):
            shares[dice.randrange(len(shares))] += 1
        return tuple(Share(str(to), n) for to, n in zip(options, shares, strict=True))
    return tuple(dice.sample(options, min(len(options), dice.randint(question.least, question.most))))


def taken(game: Game, action: Action, dice: random.Random) -> Game:
    """The game after an action, every question on the way answered somehow."""
    for _ in range(50):
        outcome = advance(game, action)
        if isinstance(outcome, Game):
            return outcome
        assert isinstance(outcome, Undecided), f"{action}: {outcome}"
        question = outcome.question
        choose = Choose(question.kind, question.by, an_answer(question, dice), question.askers[0])
        prepared = advance(game, choose)
        assert isinstance(prepared, Game), f"{choose}: {prepared}"
        game = prepared
    raise AssertionError(f"{action} asks for ever")


def walk(seed: int, decisions: int = 40) -> Iterator[tuple[Game, Action]]:
    """A game and the action taken in it, again and again."""
    dice = random.Random(seed)
    game = starting_game(dealt(dice), CR)
    for _ in range(decisions):
        if game.over:
            return
        offered = list(legal_actions(game))
        assert offered, f"seed {seed}: nobody can do anything"
        others = [action for action in offered if not isinstance(action, Pass)]
        action = dice.choice(others) if others and dice.random() < 0.6 else dice.choice(offered)
        yield game, action
        game = taken(game, action, dice)


def not_offered(game: Game, dice: random.Random) -> Action | None:
    """Something that nobody may do now: a card cast or played by a player who does not own it or has not
    priority.
    """
    hands = [(seat.id, id) for seat in game.board.seats for id in seat.hand]
    strangers = [seat.id for seat in game.board.seats if game.holder not in (seat.id, seat.team)]
    if not hands or not strangers:
        return None
    _, id = dice.choice(hands)
    by = dice.choice(strangers)
    if "Land" in game.board.things[id].card.types:
        return PlayLand(id, by)
    return Cast(id, by)


def cards_in(game: Game) -> frozenset[str]:
    """The cards there are, in whatever zone, of the players who are still there; tokens and copies are
    none.
    """
    copies = {item.id for item in game.stack if item.copy}
    return frozenset(
        thing.id
        for thing in game.board.things.values()
        if not thing.token and thing.owner not in game.lost and thing.id not in copies
    )


def main() -> None:
    """Walk as many games as the command line says."""
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    begin, decisions = time.monotonic(), 0
    for seed in range(many):
        try:
            decisions += sum(1 for _ in walk(seed))
        except Exception:
            print(f"seed {seed}", flush=True)
            raise
    print(f"{many} walks, {decisions} decisions, {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
