"""Manifesting and cloaking cards (CR 701.40, 701.58, 701.62), and what face-down permanents can be turned up
for.
"""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.events import Entering, Moved, Revealed
from reference_engine.game.game import Game, Question, Ref, seat_of
from reference_engine.game.happening import happen, with_event
from reference_engine.game.questions import take_answer
from reference_engine.game.scene import Scene, affected_refs, askers, asking_in, people
from reference_engine.language.cards import Cloak, Cost, Manifest, ManifestDread
from reference_engine.language.characteristics import Characteristics
from reference_engine.language.keywords import DISGUISED
from reference_engine.language.words import KeywordName
from reference_engine.layers.asking import how_many


def manifested(game: Game, scene: Scene, instruction: Manifest | Cloak) -> tuple[Game, Scene]:
    """The game after players have manifested or cloaked cards, which get a name.

    CR 701.40e, 701.58e: cards from a library are put onto the battlefield one at a time.
    """
    done: tuple[Ref, ...] = ()
    for player in people(game, scene, instruction.who):
        if instruction.what is None:
            number = how_many(instruction.n, asking_in(game, scene))
            refs = tuple(game.ref(id) for id in seat_of(game, player).library[:number])
        else:
            refs = affected_refs(game, scene, instruction.what)
        # CR 701.58a: only a cloaked card has ward {2}.
        cloaked = isinstance(instruction, Cloak)
        game, put = put_face_down(game, scene, player, refs, cloaked)
        done += put
    return game, scene.named(instruction.name, done)


def put_face_down(
    game: Game, scene: Scene, player: str, refs: tuple[Ref, ...], cloaked: bool
) -> tuple[Game, tuple[Ref, ...]]:
    """The game after a player has put cards onto the battlefield face down, one after another, and those that
    are there now.
    """
    link = game.rules.linked(game, scene.this, scene.item.slot)
    done: list[Ref] = []
    for ref in refs:
        thing = game.board.things.get(ref.id)
        if thing is None or thing.zone in ("battlefield", "stack"):
            continue
        entering = game.rules.face_down_entry(player, cloaked)
        game = happen(game, Moved(ref.id, thing.zone, "battlefield", "put", entering, put_by=link))
        if game.board.things[ref.id].zone == "battlefield":
            done.append(game.ref(ref.id))
    return game, tuple(done)


def face_down_entry(player: str, cloaked: bool) -> Entering:
    """How a manifested or cloaked card enters.

    CR 701.40a: face down, as a 2/2 creature (CR 708.2a). CR 701.58a: with ward {2} if it is cloaked.
    """
    return Entering(under=player, face_down=True, hidden_as=DISGUISED if cloaked else (), manifested=True)


def dread_manifested(game: Game, scene: Scene, instruction: ManifestDread) -> tuple[Game, Scene]:
    """The game after players have manifested dread.

    CR 701.62a: a player looks at the top two cards, manifests one of them, and then puts those that were not
    manifested into the graveyard.
    """
    done: tuple[Ref, ...] = ()
    for player in people(game, scene, instruction.who):
        top = seat_of(game, player).library[:2]
        if not top:
            continue
        game = with_event(game, Revealed(top, player, to_all=False))
        game, answer = take_answer(game, Question("cards", player, askers(game, scene), top))
        game, put = put_face_down(game, scene, player, (game.ref(str(answer[0])),), False)
        done += put
        rest = [id for id in top if id not in {ref.id for ref in put}]
        away = [Moved(id, "library", "graveyard", "put") for id in rest]
        game = happen(game, *away) if away else game
    return game, scene.named(instruction.name, done)


def ways_to_turn_up(game: Game, id: str) -> dict[str, tuple[str, tuple[Cost, ...]]]:
    """The ways in which its controller may turn a face-down permanent face up, with the mana and other costs
    of each.

    CR 702.37e, 702.168d: for the morph or disguise cost that it would have face up. CR 701.40b, 701.58b: a
    manifested or cloaked creature card for its mana cost, if it has one. CR 701.40c, 701.40d: for either.
    CR 701.40b: without any of these it can't be turned face up this way.
    """
    thing = game.board.things[id]
    ways: dict[str, tuple[str, tuple[Cost, ...]]] = {}
    for keyword in look_face_up(game, id).keywords:
        if keyword.keyword in TO_TURN_UP:
            ways.setdefault(keyword.keyword, (keyword.mana or "", keyword.costs))
    if thing.manifested and "Creature" in thing.card.types and thing.card.cost is not None:
        ways["mana cost"] = (thing.card.cost, ())
    return ways


TO_TURN_UP: tuple[KeywordName, ...] = ("morph", "disguise")
"""Keywords with a cost to turn a permanent face up."""


def look_face_up(game: Game, id: str) -> Characteristics:
    """How a face-down permanent would look face up."""
    thing = game.board.things[id]
    return replace(game, board=game.board.with_things(replace(thing, face_down=False))).seen.look(id)
