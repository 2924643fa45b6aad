"""Instructions about the top cards of a library.

Players mill, scry, surveil, look through them, or exile them one after another until a certain card is found
(CR 701.17a, 701.22a, 701.25a, 701.57a).
"""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.events import Entering, GameEvent, LibraryArranged, Moved, Revealed
from reference_engine.game.game import Game, Question, Ref, seat_of
from reference_engine.game.happening import happen, with_event
from reference_engine.game.questions import take_answer
from reference_engine.game.scene import Scene, askers, asking_in, people
from reference_engine.language.cards import (
    Cast,
    Comparison,
    Discover,
    ExileUntilFound,
    Filter,
    Instruction,
    LookThrough,
    May,
    Put,
    Scry,
    Surveil,
    The,
)
from reference_engine.language.keywords import TO_THE_BOTTOM
from reference_engine.language.words import CardType, Zone
from reference_engine.layers.asking import how_many, matches


def milled(game: Game, who: tuple[str, ...], number: int) -> tuple[GameEvent, ...]:
    """The cards that players mill.

    CR 701.17a: from the top of the library. CR 701.17b: as many as there are.
    """
    return tuple(
        Moved(id, "library", "graveyard", "milled")
        for player in who
        for id in seat_of(game, player).library[:number]
    )


def scried(game: Game, scene: Scene, instruction: Scry | Surveil) -> tuple[Game, tuple[GameEvent, ...]]:
    """The events of players scrying or surveilling.

    CR 701.22a: any of the cards go to the bottom, the rest on top, each in any order. CR 701.25a: they go to
    the graveyard if it is surveil. CR 701.22c: players choose in APNAP order, and then the cards move
    simultaneously.
    """
    number = how_many(instruction.n, asking_in(game, scene))
    events: list[GameEvent] = []
    for player in people(game, scene, instruction.who):
        top = seat_of(game, player).library[:number]
        if not top:
            continue
        game = with_event(game, Revealed(top, player, to_all=False))
        game, chosen = game.rules.cards_put_away(game, scene, player, top)
        game, above = in_any_order(game, scene, player, tuple(id for id in top if id not in chosen))
        if isinstance(instruction, Surveil):
            events += [Moved(id, "library", "graveyard", "put") for id in chosen]
            events.append(LibraryArranged(player, above, ()))
        else:
            game, below = in_any_order(game, scene, player, chosen)
            events.append(LibraryArranged(player, above, below))
    return game, tuple(events)


def cards_put_away(
    game: Game, scene: Scene, player: str, top: tuple[str, ...]
) -> tuple[Game, tuple[str, ...]]:
    """Those of the top cards that a player puts on the bottom or into the graveyard (CR 701.22a, 701.25a:
    any of them).
    """
    question = Question("cards", player, askers(game, scene), top, 0, len(top))
    game, answer = take_answer(game, question)
    return game, tuple(map(str, answer))


def in_any_order(game: Game, scene: Scene, player: str, ids: tuple[str, ...]) -> tuple[Game, tuple[str, ...]]:
    """Cards in the order that a player chooses, from top to bottom (CR 401.4: their owner arranges them)."""
    game, answer = take_answer(game, Question("order", player, askers(game, scene), ids))
    return game, tuple(map(str, answer))


def looked_through(game: Game, scene: Scene, instruction: LookThrough) -> tuple[Game, tuple[GameEvent, ...]]:
    """The events by which a player who has looked at the top cards of their library puts each of them
    somewhere.

    CR 608.2d: the player chooses as the instruction is followed. CR 401.4: cards that go back to the library
    are arranged by their owner. CR 607.2c: other abilities may speak of what this one has put onto the
    battlefield.
    """
    player = scene.you
    link = game.rules.linked(game, scene.this, scene.item.slot)
    number = how_many(instruction.n, asking_in(game, scene))
    top = seat_of(game, player).library[:number]
    if not top:
        return game, ()
    game = with_event(game, Revealed(top, player, to_all=instruction.reveal))
    about = asking_in(game, scene)
    such = tuple(id for id in top if matches(instruction.what, id, about))
    most = min(instruction.most, len(such))
    question = Question("cards", player, askers(game, scene), such, 0 if instruction.may else most, most)
    game, answer = take_answer(game, question)
    taken = tuple(map(str, answer))
    rest = tuple(id for id in top if id not in taken)
    events: list[GameEvent] = []
    for id in taken:
        entering = (
            Entering(under=player, tapped=instruction.tapped) if instruction.to == "battlefield" else None
        )
        events.append(Moved(id, "library", instruction.to, "put", entering, put_by=link))
    if instruction.rest in ("graveyard", "hand"):
        zone: Zone = "graveyard" if instruction.rest == "graveyard" else "hand"
        events += [Moved(id, "library", zone, "put") for id in rest]
    elif instruction.rest == "random":
        return at_random(game, player, rest), (*events, LibraryArranged(player, (), rest))
    else:
        game, rest = in_any_order(game, scene, player, rest)
        on_top = instruction.rest == "top"
        events.append(LibraryArranged(player, rest if on_top else (), () if on_top else rest))
    return game, tuple(events)


def at_random(game: Game, player: str, ids: tuple[str, ...]) -> Game:
    """The game in which nobody knows the order of a library, if several cards are put there at random."""
    return replace(game, shuffled=game.shuffled | {player}) if len(ids) > 1 else game


def exiled_until_found(game: Game, scene: Scene, instruction: ExileUntilFound) -> tuple[Game, Scene]:
    """The game after cards were exiled from the top of a library until such a card was among them.

    CR 609.3: if there is none, all of them are exiled. CR 701.57a, 702.85a: discover and cascade do this.
    """
    exiled: list[Ref] = []
    found: tuple[Ref, ...] = ()
    link = game.rules.linked(game, scene.this, scene.item.slot)
    for id in seat_of(game, scene.you).library:
        game = happen(game, Moved(id, "library", "exile", "exiled", put_by=link))
        thing = game.board.things.get(id)
        if thing is not None and thing.zone == "exile":
            exiled.append(game.ref(id))
            if matches(instruction.what, id, asking_in(game, scene)):
                found = (game.ref(id),)
                break
    return game, scene.named("exiled", tuple(exiled)).named(instruction.name, found)


LAND: frozenset[CardType] = frozenset({"Land"})


def discovering(instruction: Discover) -> tuple[Instruction, ...]:
    """What to discover means.

    CR 701.57a: exile cards until one is a nonland card with that mana value or less; it may be cast without
    paying its mana cost if the resulting spell has such a mana value, and otherwise goes to the hand; the
    rest goes to the bottom in a random order.
    """
    fits = Filter(mana_value=Comparison("<=", instruction.n))
    found = The("found")
    return (
        ExileUntilFound(replace(fits, without=(Filter(type=LAND),))),
        May((Cast(found, cost=(), such=fits),), otherwise=(Put(found, "hand"),)),
        TO_THE_BOTTOM,
    )
