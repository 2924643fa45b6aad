"""Ways to get manifested and cloaked cards wrong."""

from __future__ import annotations

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import manifesting
from reference_engine.game.events import Entering, Moved
from reference_engine.game.game import Game, Ref, seat_of
from reference_engine.game.happening import happen
from reference_engine.game.scene import Scene, affected_refs, asking_in, people
from reference_engine.language.cards import Cloak, Cost, Manifest, ManifestDread
from reference_engine.layers.asking import amount

Ways = dict[str, tuple[str, tuple[Cost, ...]]]


def all_at_once(game: Game, scene: Scene, instruction: Manifest | Cloak) -> tuple[Game, Scene]:
    """All cards that are manifested enter together."""
    done: list[Ref] = []
    for player in people(game, scene, instruction.who):
        entering = game.rules.face_down_entry(player, isinstance(instruction, Cloak))
        if instruction.what is None:
            number = max(amount(instruction.n, asking_in(game, scene)), 0)
            ids = seat_of(game, player).library[:number]
        else:
            ids = tuple(ref.id for ref in affected_refs(game, scene, instruction.what))
        events = [Moved(id, game.board.things[id].zone, "battlefield", "put", entering) for id in ids]
        game = happen(game, *events) if events else game
        done += [game.ref(id) for id in ids]
    return game, scene.named(instruction.name, tuple(done))


def without_ward(player: str, cloaked: bool) -> Entering:
    """A cloaked card has no ward."""
    return manifesting.face_down_entry(player, False)


def always_with_ward(player: str, cloaked: bool) -> Entering:
    """A manifested card has ward, too."""
    return manifesting.face_down_entry(player, True)


def face_up(player: str, cloaked: bool) -> Entering:
    """A manifested card enters face up."""
    return Entering(under=player)


def any_card(game: Game, id: str) -> Ways:
    """A manifested card of any kind is turned face up for its mana cost."""
    thing = game.board.things[id]
    ways = manifesting.ways_to_turn_up(game, id)
    return {**ways, "mana cost": (thing.card.cost or "", ())} if thing.manifested else ways


def morph_alone(game: Game, id: str) -> Ways:
    """A manifested card is turned face up for a cost of morph or disguise alone."""
    return {way: cost for way, cost in manifesting.ways_to_turn_up(game, id).items() if way != "mana cost"}


def mana_cost_alone(game: Game, id: str) -> Ways:
    """A manifested card is turned face up for its mana cost alone."""
    ways = manifesting.ways_to_turn_up(game, id)
    return {way: ways[way] for way in ways if way == "mana cost" or not game.board.things[id].manifested}


def for_nothing(game: Game, id: str) -> Ways:
    """A manifested creature is turned face up for nothing."""
    ways = manifesting.ways_to_turn_up(game, id)
    return {way: ("", ()) if way == "mana cost" else cost for way, cost in ways.items()}


def other_card_kept(game: Game, scene: Scene, instruction: ManifestDread) -> tuple[Game, Scene]:
    """The other of the two cards stays on top of the library."""
    before = {player: set(seat_of(game, player).graveyard) for player in people(game, scene, instruction.who)}
    game, scene = manifesting.dread_manifested(game, scene, instruction)
    for player, there in before.items():
        back = [id for id in seat_of(game, player).graveyard if id not in there]
        events = [Moved(id, "graveyard", "library", "put") for id in back]
        game = happen(game, *events) if events else game
    return game, scene


def any_card_turned(game: Game, id: str) -> bool:
    """A manifested instant or sorcery card is turned face up like any other."""
    return False


MANIFESTING_MUTANTS: tuple[Mutant, ...] = (
    mutant("manifests-face-up", "701.40a", "Manifests cards face up.", face_down_entry=face_up),
    mutant("manifests-with-ward", "701.40a", "Gives all of them ward.", face_down_entry=always_with_ward),
    mutant("cloaks-without-ward", "701.58a", "Gives cloaked cards no ward.", face_down_entry=without_ward),
    mutant(
        "manifests-unmasked-as-anything",
        "701.40b",
        "Turns any manifested card face up for its mana cost.",
        ways_to_turn_up=any_card,
    ),
    mutant(
        "manifests-stay-down",
        "701.40b",
        "Turns manifested cards face up for morph and disguise alone.",
        ways_to_turn_up=morph_alone,
    ),
    mutant(
        "manifests-without-morph",
        "701.40c",
        "Turns manifested cards face up for their mana cost alone.",
        ways_to_turn_up=mana_cost_alone,
    ),
    mutant(
        "manifests-turned-up-for-nothing",
        "701.40b",
        "Turns manifested creatures face up for nothing.",
        ways_to_turn_up=for_nothing,
    ),
    mutant("manifests-together", "701.40e", "Manifests several cards at once.", manifested=all_at_once),
    mutant(
        "manifested-spells-revealed-for-good",
        "701.40g",
        "Turns manifested instants and sorceries face up.",
        stays_face_down=any_card_turned,
    ),
    mutant(
        "dread-without-the-other-card",
        "701.62a",
        "Leaves the card that was not manifested on top of the library.",
        dread_manifested=other_card_kept,
    ),
)
