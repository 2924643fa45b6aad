"""Ways to get day and night wrong."""

from __future__ import annotations

from msgspec.structs import replace

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import daytime, turn
from reference_engine.game.events import Entering, Moved
from reference_engine.game.game import Game
from reference_engine.game.moving import two_faced
from reference_engine.language.words import Daytime


def only_once(game: Game, to: Daytime) -> Game:
    """What it has become, day or night, it stays."""
    return game if game.board.daytime is not None else daytime.daytime_begun(game, to)


def nothing_turns(game: Game, to: Daytime) -> tuple[str, ...]:
    """Nothing turns over with day and night."""
    return ()


def neither(game: Game) -> Daytime | None:
    """Permanents with daybound or nightbound make it neither day nor night."""
    return None


def day_first(game: Game) -> Daytime | None:
    """A permanent with nightbound makes it day, too."""
    return "day" if daytime.first_daytime(game) else None


def too_late(game: Game) -> Game:
    """What gets its daybound back by night keeps its front up."""
    return game if game.board.daytime is not None else daytime.daytime_noticed(game)


def by_all_spells(game: Game) -> Game:
    """Spells of every player count, whosever turn it was."""
    _, spells = game.turn_before
    whoever = tuple(replace(past, player=game.board.seats[0].id) for past in spells)
    first = game.board.seats[0].team or game.board.seats[0].id
    return daytime.daytime_checked(replace(game, turn_before=(first, whoever)))


def by_one_spell(game: Game) -> Game:
    """One spell makes day of night."""
    return daytime.daytime_checked(game, many=1)


def unchecked(game: Game) -> Game:
    """Nothing is checked before permanents untap."""
    return game


def untapped_first(game: Game) -> Game:
    """Permanents untap before it becomes day or night."""
    return daytime.daytime_checked(turn.untap(game))


def front_up(game: Game, event: Moved, entering: Entering) -> Entering:
    """What has daybound enters with its front up by night, and turns over then."""
    return entering


def by_anything(game: Game, id: str) -> bool:
    """Anything can transform a permanent with daybound."""
    return two_faced(game, id)


DAYTIME_MUTANTS: tuple[Mutant, ...] = (
    mutant("day-for-good", "731.1a", "Keeps what it has become first.", daytime_begun=only_once),
    mutant("unbound", "702.145b", "Turns nothing over with day and night.", turning_over=nothing_turns),
    mutant("neither-for-good", "702.145d", "Lets daybound make no day.", first_daytime=neither),
    mutant("nightbound-makes-day", "702.145g", "Makes it day for nightbound, too.", first_daytime=day_first),
    mutant("turns-too-late", "702.145c", "Turns over only as night falls.", daytime_noticed=too_late),
    mutant(
        "spells-of-anybody", "731.2a", "Counts the spells of every player.", daytime_checked=by_all_spells
    ),
    mutant("day-by-one-spell", "731.2b", "Makes it day for one spell.", daytime_checked=by_one_spell),
    mutant(
        "untaps-before-nightfall",
        "502.2",
        "Untaps permanents before night falls.",
        daytime_checked=unchecked,
        untap=untapped_first,
    ),
    mutant("enters-by-day", "702.145b", "Lets it enter with its front up.", entering_by_night=front_up),
    mutant(
        "transforms-again", "701.27f", "Transforms again.", turned_over_since=lambda game, scene, id: False
    ),
    mutant("transforms-anyway", "702.145b", "Transforms what has daybound.", can_transform=by_anything),
)
