"""Ways to get the city's blessing and the monarch wrong."""

from __future__ import annotations

from msgspec.structs import replace

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import designations, history, triggers
from reference_engine.game.events import BecameMonarch, GameEvent, PlayerLost, SpellCast
from reference_engine.game.game import Game, WaitingTrigger, next_side
from reference_engine.game.occurrences import Occurring
from reference_engine.language.cards import Beginning, Draw, Monarch, Triggered
from reference_engine.language.designations import OF_THE_MONARCH
from reference_engine.language.keywords import Ascending

DRAWING, USURPING = OF_THE_MONARCH


def by_nine(game: Game, player: str) -> Game:
    """Nine permanents are enough for the city's blessing."""
    return designations.ascended(game, player, many=9)


def as_long_as_there_are_ten(game: Game) -> Game:
    """The city's blessing is lost with the tenth permanent."""
    if Ascending not in game.mentions:
        return game
    kept = frozenset(p for p in game.board.blessed if designations.permanents_of(game, p) >= 10)
    return designations.blessings_noticed(replace(game, board=replace(game.board, blessed=kept)))


def not_yet(game: Game) -> Game:
    """Nobody gets the blessing before abilities have triggered."""
    return game


def blessed_afterwards(before: Game, after: Game, events: tuple[GameEvent, ...]) -> Game:
    """The blessing comes once abilities have triggered."""
    return designations.blessings_noticed(triggers.triggered(before, after, events))


def ascended_on_casting(before: Game, after: Game, events: tuple[GameEvent, ...]) -> Game:
    """A spell with ascend gives the blessing as it is cast."""
    for event in events:
        if isinstance(event, SpellCast) and after.seen.look(event.id).has_keyword("ascend"):
            after = after.rules.ascended(after, event.by)
    return history.recorded(before, after, events)


def once_and_for_all(game: Game, player: str) -> Game:
    """The first monarch stays the monarch."""
    return game if game.board.monarch is not None else designations.crowned(game, player)


def heirless(game: Game, events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
    """Nobody becomes the monarch as the monarch leaves."""
    return events


def next_after_the_monarch(game: Game, events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
    """The next player after the monarch succeeds, whosever turn it is."""
    lost = any(isinstance(event, PlayerLost) and event.player == game.board.monarch for event in events)
    monarch = game.board.monarch
    if not lost or monarch not in game.sides or len(game.sides) - len(game.lost) < 2:
        return events
    return (*events, BecameMonarch(next_side(game, monarch)))


def with_abilities(*abilities: Triggered) -> object:
    """`monarch_triggers`, with other abilities of the monarch."""

    def monarch_triggers(before: Game, after: Game, events: list[Occurring]) -> list[WaitingTrigger]:
        return designations.monarch_triggers(before, after, events, abilities)

    return monarch_triggers


DESIGNATION_MUTANTS: tuple[Mutant, ...] = (
    mutant("blessed-by-nine", "702.131b", "Gives the blessing for nine permanents.", ascended=by_nine),
    mutant(
        "blessing-of-the-moment",
        "702.131b",
        "Takes the blessing away with the tenth permanent.",
        blessings_noticed=as_long_as_there_are_ten,
    ),
    mutant(
        "blessed-after-triggers",
        "702.131d",
        "Lets abilities trigger before the blessing comes.",
        blessings_noticed=not_yet,
        triggered=blessed_afterwards,
    ),
    mutant(
        "blessed-on-casting",
        "702.131a",
        "Gives the blessing of a spell as it is cast.",
        recorded=ascended_on_casting,
    ),
    mutant("monarch-for-good", "725.3", "Keeps the first monarch.", crowned=once_and_for_all),
    mutant(
        "idle-monarch",
        "725.2",
        "Gives the monarch no card.",
        monarch_triggers=with_abilities(USURPING),
    ),
    mutant(
        "new-monarch-draws",
        "725.2",
        "Lets whoever is the monarch by then draw.",
        monarch_triggers=with_abilities(
            Triggered(Beginning("end", Monarch()), (Draw(1, Monarch()),), name="end"), USURPING
        ),
    ),
    mutant(
        "crown-by-any-damage",
        "725.2",
        "Gives the crown for damage outside of combat.",
        monarch_triggers=with_abilities(
            DRAWING, replace(USURPING, when=replace(USURPING.when, combat=False))
        ),
    ),
    mutant("crown-is-lost", "725.4", "Loses the crown with the monarch.", with_successor=heirless),
    mutant(
        "crown-to-the-next",
        "725.4",
        "Hands the crown to the next after the monarch.",
        with_successor=next_after_the_monarch,
    ),
)
