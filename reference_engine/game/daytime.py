"""Day and night (CR 731), and the permanents that turn over with them (CR 702.145a).

`happen` asks after each event whether anything follows from a permanent with daybound or nightbound.
"""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.entry import board_with
from reference_engine.game.events import DaytimeChanged, Entering, Moved, Transformed
from reference_engine.game.game import Game, battlefield, side_of
from reference_engine.game.happening import happen
from reference_engine.game.moving import two_faced
from reference_engine.language.keywords import DayAndNight
from reference_engine.language.words import Daytime, KeywordName
from reference_engine.layers.evaluation import evaluate

TURNING: dict[Daytime, KeywordName] = {"night": "daybound", "day": "nightbound"}
"""The keyword with which permanents turn over as it becomes day or night."""


def daytime_begun(game: Game, to: Daytime) -> Game:
    """The game after it has become day or night.

    CR 731.1: these are designations of the game. CR 731.1a: the game loses the other designation.
    CR 702.145b, 702.145e: permanents with daybound turn over as it becomes night, and those with nightbound
    as it becomes day, and so at the same time.
    """
    if game.board.daytime == to:
        return game
    over = (Transformed(id) for id in game.rules.turning_over(game, to))
    return happen(game, DaytimeChanged(to, game.board.daytime), *over)


def turning_over(game: Game, to: Daytime) -> tuple[str, ...]:
    """The permanents that can't have the face up that they have, if it is day or night.

    CR 702.145c: daybound with the front face up by night. CR 702.145f: nightbound with the back up by day.
    """
    if DayAndNight not in game.mentions:
        return ()
    looks, keyword = game.seen, TURNING[to]
    return tuple(
        thing.id
        for thing in battlefield(game)
        if thing.transformed == (to == "day")
        and two_faced(game, thing.id)
        and looks.look(thing.id).has_keyword(keyword)
    )


def daytime_noticed(game: Game) -> Game:
    """The game after everything that follows at once from permanents with daybound or nightbound.

    CR 702.145d, 702.145g: if it is neither day nor night, it becomes day if anything has daybound, and night
    if only nightbound is there. CR 702.145c, 702.145f: permanents with the wrong face up turn over, without a
    state-based action.
    """
    if DayAndNight not in game.mentions:
        return game
    daytime = game.board.daytime
    if daytime is None:
        first = game.rules.first_daytime(game)
        return game if first is None else game.rules.daytime_begun(game, first)
    over = game.rules.turning_over(game, daytime)
    return happen(game, *(Transformed(id) for id in over)) if over else game


def first_daytime(game: Game) -> Daytime | None:
    """What it becomes, if it is neither day nor night.

    CR 702.145d: day if anything has daybound. CR 702.145g: night if only nightbound is there.
    """
    looks = [look for (look, _), _ in game.seen.view.on_battlefield]
    if any(look.has_keyword("daybound") for look in looks):
        return "day"
    return "night" if any(look.has_keyword("nightbound") for look in looks) else None


def daytime_checked(game: Game, many: int = 2) -> Game:
    """The game after the second part of the untap step, which looks back at the turn before.

    CR 502.2, 731.2a: day becomes night if its active player cast no spell. CR 731.2b: night becomes day if
    that player cast two or more. Of a team, all players count for the one, and any of them for the other.
    CR 731.2c: if it is neither, nothing is checked.
    """
    if game.board.daytime is None:
        return game
    side, spells = game.turn_before
    casters = [past.player for past in spells if side_of(game, past.player) == side]
    if game.board.daytime == "day" and not casters:
        return game.rules.daytime_begun(game, "night")
    if game.board.daytime == "night" and any(casters.count(one) >= many for one in set(casters)):
        return game.rules.daytime_begun(game, "day")
    return game


def entering_by_night(game: Game, event: Moved, entering: Entering) -> Entering:
    """How a permanent enters: with its back face up, if it is night and it has daybound.

    CR 702.145b: only if it is a double-faced card. CR 614.12: as it would be on the battlefield.
    """
    thing = event.token if event.token is not None else game.board.things[event.id]
    front = entering.face_up == "front" and not entering.face_down
    if game.board.daytime != "night" or DayAndNight not in game.mentions or not front:
        return entering
    if thing.token or thing.card.back is None or thing.card.modal:
        return entering
    look = evaluate(board_with(game, event, entering), game.rules).look(event.id)
    return replace(entering, face_up="back") if look.has_keyword("daybound") else entering


def can_transform(game: Game, id: str) -> bool:
    """Whether instructions can transform a permanent.

    CR 701.27a: it is turned over. CR 701.27c: only if it is double-faced. CR 702.145b, 702.145e: one with
    daybound or nightbound transforms only because of that.
    """
    look = game.look(id)
    bound = look.has_keyword("daybound") or look.has_keyword("nightbound")
    return two_faced(game, id) and not bound
