"""What of an instruction is possible: whether a player may choose to begin with it (CR 608.2d)."""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.at_once import fighters, to_sacrifice
from reference_engine.game.costs import Terms
from reference_engine.game.game import Game, Ref, seat_of
from reference_engine.game.moving import can_draw
from reference_engine.game.questions import is_possible
from reference_engine.game.rule_effects import is_forbidden
from reference_engine.game.scene import Scene, affected_refs, asking_in, branch_taken, on_battlefield, people
from reference_engine.language import cards
from reference_engine.language.cards import (
    All,
    Attach,
    Cast,
    CounterSpell,
    Destroy,
    Discard,
    Draw,
    Exile,
    Fight,
    ForEachPlayer,
    GainLife,
    If,
    Instruction,
    It,
    Mill,
    MoveCounters,
    Put,
    PutCounters,
    RemoveCounters,
    Sacrifice,
    Tap,
    The,
    This,
    Transform,
    Unattach,
    Untap,
)
from reference_engine.layers.asking import how_many


def can_begin(game: Game, scene: Scene, effect: tuple[Instruction, ...]) -> bool:
    """Whether an optional action may be chosen.

    CR 608.2d: nobody can choose to do what is impossible, here to cast a card that can't be cast, to begin
    by choosing one of objects of which there are none, to discard or sacrifice more than there is, to gain
    life that can't be gained, or to do something to an object that is not there. CR 121.2b, 121.3: nor to
    draw what can't be drawn, though an empty library is no obstacle. CR 701.17b: nor to mill more than there
    is. CR 701.26a, 701.26b: only what is untapped can be tapped, and what is tapped untapped. CR 701.14b:
    only two creatures can fight. CR 701.27c: only a double-faced permanent can transform.
    """
    match effect[0] if effect else None:
        case Draw(n, who):
            number = how_many(n, asking_in(game, scene))
            return any(can_draw(game, player, number) for player in people(game, scene, who))
        case Mill(n, who):
            number = how_many(n, asking_in(game, scene))
            return any(len(seat_of(game, player).library) >= number for player in people(game, scene, who))
        case GainLife(_, who):
            return any(game.rules.can_gain_life(game, player) for player in people(game, scene, who))
        case Tap(what) | Untap(what) as first if not isinstance(what, All):
            there = on_battlefield(game, affected_refs(game, scene, what))
            return any(game.board.things[id].tapped == isinstance(first, Untap) for id in there)
        case (
            RemoveCounters(every=False)
            | MoveCounters()
            | Transform(The() | This() | It())
            | Unattach(The() | This() | It())
        ) as first:
            _, events = game.rules.events_of(game, scene, first)
            return bool(events)
        case CounterSpell(what):
            return any(not uncounterable(game, ref) for ref in affected_refs(game, scene, what))
        case Fight(one, other):
            return bool(fighters(game, scene, one, other))
        case Attach(what, to):
            hosts = affected_refs(game, scene, to)
            return any(
                game.rules.moves_to(game, ref.id, host.id)
                for ref in affected_refs(game, scene, what)
                for host in hosts
            )
        case Exile(what) | Put(what) | Destroy(what) | PutCounters(_, what) if not isinstance(what, All):
            return bool(affected_refs(game, scene, what))
        case Cast() as first:
            return any(
                castable(game, scene, first, player, ref.id)
                for player in people(game, scene, first.who)
                for ref in affected_refs(game, scene, first.what)
            )
        case cards.ChooseInstruction("object", cards.All() as what, least=least) if least > 0:
            return bool(affected_refs(game, scene, what))
        case If() as first:
            return can_begin(game, scene, branch_taken(first, asking_in(game, scene)))
        case ForEachPlayer(who, effect):
            everyone = people(game, scene, who)
            return any(can_begin(game, replace(scene, you=player), effect) for player in everyone)
        case Discard(n, who):
            number = how_many(n, asking_in(game, scene))
            return any(len(seat_of(game, player).hand) >= number for player in people(game, scene, who))
        case Sacrifice(_, who, n) as first:
            number = how_many(n, asking_in(game, scene))
            return any(
                len(to_sacrifice(game, scene, first, player)) >= number for player in people(game, scene, who)
            )
    return True


def uncounterable(game: Game, ref: Ref) -> bool:
    """Whether an effect says that it can't be countered."""
    return is_forbidden(game, "be countered", ref.id)


def castable(game: Game, scene: Scene, instruction: Cast, player: str, id: str) -> bool:
    """Whether a player could follow the instruction to cast this card, with some choices for the spell. What
    is no card, such as a player who is the target, can't be cast (CR 101.3).
    """
    if id not in game.board.things:
        return False
    terms = terms_of(scene, instruction)
    return is_possible(game, lambda then: then.rules.cast_while_resolving(then, player, id, terms))


def terms_of(scene: Scene, instruction: Cast) -> Terms:
    """The terms on which an instruction lets a card be cast."""
    return Terms(scene, instruction.cost, instruction.such)
