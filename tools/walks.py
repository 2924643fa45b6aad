"""Random walks through games by legal actions, and the laws that hold at every moment.

`python -m tools walks 20000` plays that many games with cards of the whole pool and prints the result; a
second number is the seed of the first walk, so that several processes can share the work.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.library import pool
from conformance.model.scenario import CardInPlay, Play, Want
from conformance.strategies.scripts import possible_play
from conformance_adapters.in_process import everything, play_through, snapshot, start_of
from reference_engine.game.events import AllPassed, Resolved, StepEnded
from reference_engine.game.game import (
    Game,
    Rejected,
    Undecided,
    advance,
    members,
    side_of,
    sides,
)
from reference_engine.game.game_rules import CR
from reference_engine.game.legal import legal_actions, legal_answers
from reference_engine.game.questions import GREATEST_X, MOST_COMPLETIONS
from reference_engine.game.rule_effects import rule_effects_in
from reference_engine.game.stack import names
from reference_engine.language.actions import (
    Action,
    Activate,
    Assign,
    Assignment,
    Attack,
    Attacker,
    Block,
    Blocker,
    CastAction,
    ChooseAction,
    CostPaid,
    Pass,
    Pay,
    PayStep,
    PlayAction,
    Share,
    Try,
    TurnUp,
)
from reference_engine.language.cards import Activated, AlternativeCost
from reference_engine.language.keywords import abilities_of
from reference_engine.language.setup import Arrival, Entry, Object, Player, Start
from reference_engine.language.words import COLORS, Step
from reference_engine.layers.board import NotModelled

LANDS = ("Plains", "Island", "Swamp", "Mountain", "Forest")
NAMES = ("alice", "bob", "carol", "dave")
STEPS: tuple[Step, ...] = ("upkeep", "precombat main", "precombat main", "beginning of combat", "end")

# --------------------------------------------------------------------------------------------- the table


@cache
def names_to_deal() -> tuple[str, ...]:
    """The cards of the pool except basic lands, which every deck gets anyway."""
    return tuple(name for name in pool() if name not in LANDS)


def dealt(dice: random.Random) -> Play:
    """A table of two to four players (or two teams of two) with permanents, hands, libraries and
    graveyards, from a few cards of the pool. The looks at hands make all cards distinguishable.
    """
    seats = dice.choice((2, 2, 2, 3, 4, 4))
    teams = seats == 4 and dice.random() < 0.6
    deck = [*dice.sample(names_to_deal(), 8), *dice.sample(LANDS, 3)]
    lasting = [name for name in deck if not pool()[name].types & {"Instant", "Sorcery"}]
    objects: list[Object] = []
    entries: list[Entry] = []
    players: list[Player] = []

    def cards(owner: str, least: int, most: int, out_of: Sequence[str] = deck) -> tuple[str, ...]:
        first = len(objects)
        for _ in range(dice.randint(least, most)):
            objects.append(Object(f"c{len(objects)}", dice.choice(out_of), owner))
        return tuple(thing.id for thing in objects[first:])

    for number, name in enumerate(NAMES[:seats]):
        for id in cards(name, 1, 4, lasting):
            hosts = [entry.id for entry in entries]
            attached = dice.choice(hosts) if hosts and dice.random() < 0.3 else None
            entries.append(Entry(id, name, attached_to=attached, face_down=dice.random() < 0.05))
        players.append(
            Player(
                name,
                life=dice.choice((3, 20)),
                hand=cards(name, 2, 5),
                library=cards(name, 2, 8),
                graveyard=cards(name, 0, 2),
                team=("heads" if number < 2 else "tails") if teams else None,
            )
        )
    return possible_play(
        Play(
            players=tuple(players),
            start=Start(dice.choice(("heads", "tails") if teams else NAMES[:seats]), dice.choice(STEPS)),
            cards=tuple(CardInPlay(pool()[name], real=True) for name in sorted(set(deck))),
            objects=tuple(objects),
            setup=tuple(Arrival((entry,)) for entry in entries),
            wants=(Want("end", NAMES[0], frozenset({"hand"})),),
        )
    )


# ---------------------------------------------------------------------------------------------- the walk


class WalkMoment(Struct, frozen=True):
    """A moment of a walk: the game, the possible actions, the chosen action with its answers, and the
    next game.
    """

    game: Game
    offered: tuple[Action, ...]
    action: Action
    answers: tuple[ChooseAction, ...]
    after: Game


class BrokenWalk(AssertionError):
    """A law does not hold."""


class CannotGoOn(Exception):
    """The walk reached something that the engine does not support."""


def walk(play: Play, dice: random.Random, decisions: int = 30) -> Iterator[WalkMoment]:
    """The moments of a walk: from a table on, one random legal action after another."""
    game = start_of(play, CR)
    for _ in range(decisions):
        if game.over:
            return
        offered = legal_actions(game)
        if not offered:
            raise BrokenWalk("nobody can do anything")
        others = [action for action in offered if not isinstance(action, Pass)]
        action = dice.choice(others if others and dice.random() < 0.6 else offered)
        answers, after = take_action(game, action, dice)
        yield WalkMoment(game, offered, action, answers, after)
        game = after


def take_action(game: Game, action: Action, dice: random.Random) -> tuple[tuple[ChooseAction, ...], Game]:
    """The game after an offered action, with random answers to its questions."""
    answers: list[ChooseAction] = []
    for _ in range(60):
        outcome = advance(game, action)
        if isinstance(outcome, Game):
            return tuple(answers), outcome
        if isinstance(outcome, NotModelled):
            raise CannotGoOn(outcome.what)
        if not isinstance(outcome, Undecided):
            raise BrokenWalk(f"offered: {action}, answered {answers}: {outcome!r}")
        legal = legal_answers(game, outcome.question)
        if not legal:
            raise BrokenWalk(f"{action}: nothing can be answered to {outcome.question!r}")
        answers.append(dice.choice(legal))
        ready = advance(game, answers[-1])
        assert isinstance(ready, Game)
        game = ready
    raise BrokenWalk(f"{action} never stops asking")


# ---------------------------------------------------------------------------------------------- the laws

Law = Callable[[WalkMoment, random.Random], None]


def one_side_may_act(moment: WalkMoment, dice: random.Random) -> None:
    """CR 117.1: exactly one side has priority, or someone must make a declaration, or the game is over."""
    after = moment.after
    if after.over:
        return
    if (after.holder is None) == (after.deciding is None):
        raise BrokenWalk(f"priority: {after.holder}, deciding: {after.deciding}")
    if (after.holder or (after.deciding and after.deciding.by)) not in sides(after):
        raise BrokenWalk(f"{after.holder or after.deciding} is not in the game")


def cards_are_kept(moment: WalkMoment, dice: random.Random) -> None:
    """As long as nobody leaves, no card is lost or created; each is in exactly one place, the zone that it
    names.
    """
    game, after = moment.game, moment.after
    if game.lost == after.lost and cards_in(game) != cards_in(after):
        raise BrokenWalk(f"cards changed: {cards_in(game) ^ cards_in(after)}")
    listed = [
        (id, zone)
        for seat in after.board.seats
        if seat.id not in after.lost
        for zone, ids in (("hand", seat.hand), ("library", seat.library), ("graveyard", seat.graveyard))
        for id in ids
    ]
    there = [
        (thing.id, thing.zone)
        for thing in after.board.things.values()
        if thing.zone in ("hand", "library", "graveyard") and thing.owner not in after.lost
    ]
    if sorted(listed) != sorted(there):
        raise BrokenWalk(f"lists of zones: {set(listed) ^ set(there)}")
    spells = [item.id for item in after.stack if item.kind == "spell"]
    on_stack = [thing.id for thing in after.board.things.values() if thing.zone == "stack"]
    if sorted(spells) != sorted(on_stack):
        raise BrokenWalk(f"spells: {set(spells) ^ set(on_stack)}")


def cards_in(game: Game) -> frozenset[str]:
    """All cards, in any zone, of the players still in the game; tokens and copies do not count."""
    copies = {item.id for item in game.stack if item.copy}
    return frozenset(
        thing.id
        for thing in game.board.things.values()
        if not thing.token and thing.owner not in game.lost and thing.id not in copies
    )


def last_in_first_out(moment: WalkMoment, dice: random.Random) -> None:
    """CR 405.2, 405.5: new objects go on top of the stack; only the top resolves, and nothing changes
    position.
    """
    before = [item.born for item in moment.game.stack]
    after = [item.born for item in moment.after.stack]
    if isinstance(moment.action, Pass):
        if any(isinstance(event, Resolved) for event in moment.after.events):
            if before[-1] in after:
                raise BrokenWalk("what has resolved is still on the stack")
            before = [born for born in before if born in after]
        elif after[: len(before)] != before:
            raise BrokenWalk("a pass changed the stack")
    elif moment.game.lost != moment.after.lost:
        before = [born for born in before if born in after]
    if after[: len(before)] != before:
        raise BrokenWalk(f"the stack was {before}, and is {after}")


def all_passing_does_one_thing(moment: WalkMoment, dice: random.Random) -> None:
    """CR 117.4, 405.5, 500.2: if all pass, either the top of the stack resolves or the step ends, and
    nothing else.
    """
    game = moment.game
    if game.deciding is not None or dice.random() < 0.5:
        return
    after = advance(game, Pass("everyone"))
    if not isinstance(after, Game):
        return
    resolved = [event for event in after.events if isinstance(event, Resolved)]
    ended = [event for event in after.events if isinstance(event, StepEnded)]
    together = sum(isinstance(event, AllPassed) for event in after.events)
    if together != 1:
        raise BrokenWalk(f"all passed {together} times")
    if game.stack and (len(resolved), len(ended)) != (1, 0):
        raise BrokenWalk(f"with a stack {len(resolved)} objects resolved and {len(ended)} steps ended")
    if not game.stack and (resolved or not ended or ended[0].step != game.board.step):
        raise BrokenWalk(f"without a stack {len(resolved)} objects resolved, {ended} ended")


def offered_is_what_is_accepted(moment: WalkMoment, dice: random.Random, many: int | None = None) -> None:
    """Offered actions can be done with some answers; other actions are rejected, and change nothing.

    Tries `many` of the conceivable actions; by default only a few, and not every time.
    """
    game, offered = moment.game, moment.offered
    if many is None and dice.random() < 0.5:
        return
    for action in dice.sample(offered, min(2, len(offered))):
        if not is_accepted(game, action):
            raise BrokenWalk(f"offered, but no answers make it legal: {action}")
    plain = conceivable(game)
    ways = Counter(map(way, offered))
    tried = [
        *dice.sample(plain, min(many or 20, len(plain))),
        *(with_a_detail_changed(moment, dice) for _ in range(10)),
    ]
    for action in tried:
        if ways[way(action)] >= MOST_COMPLETIONS or any(covers(game, one, action) for one in offered):
            continue
        outcome = advance(game, action)
        if isinstance(outcome, Rejected) and outcome.kept is not None:
            raise BrokenWalk(f"rejected, but something was kept: {action}")
        if is_accepted(game, action):
            raise BrokenWalk(f"accepted, but not offered: {action}")


def what_is_paid_for_nothing_is_kept(moment: WalkMoment, dice: random.Random) -> None:
    """CR 733.1: after an illegal payment nothing has changed, except perhaps through its mana abilities."""
    game = moment.game
    spells = [action for action in moment.offered if isinstance(action, CastAction)]
    if not spells:
        return
    spell = dice.choice(spells)
    lands = [
        action.what
        for action in moment.offered
        if isinstance(action, Activate)
        and action.by == spell.by
        and game.board.things[action.what].card.name in LANDS
    ]
    tapped = [id for id in dict.fromkeys(lands) if dice.random() < 0.5]
    steps = tuple(map(PayStep, tapped))
    undone = advance(game, replace(spell, pay=Pay(steps, undo_mana=True)))
    if isinstance(undone, Rejected) and undone.kept is not None:
        raise BrokenWalk(f"undone, and kept all the same: {spell}")
    refused = advance(game, replace(spell, pay=Pay(steps, undo_mana=False)))
    if not isinstance(refused, Rejected):
        return
    alone = game
    for id in tapped:
        after = advance(alone, Activate(id, "mana", spell.by))
        if not isinstance(after, Game):
            return
        alone = after
    if not tapped:
        if refused.kept is not None:
            raise BrokenWalk(f"no mana ability was activated for {spell}, but something was kept")
        return
    if refused.kept is None:
        raise BrokenWalk(f"the mana for {spell} is gone: {refused}")
    if snapshot(refused.kept, None) != snapshot(alone, None):
        raise BrokenWalk(f"after {spell} with {steps} more is kept than mana abilities, or less: {refused}")


LAWS: tuple[Law, ...] = (
    one_side_may_act,
    cards_are_kept,
    last_in_first_out,
    all_passing_does_one_thing,
    offered_is_what_is_accepted,
    what_is_paid_for_nothing_is_kept,
)


def the_same_script_gives_the_same_looks(
    play: Play, moments: Sequence[WalkMoment], dice: random.Random
) -> None:
    """A walk written as a scenario and played leads to the same game, and attempts that are rejected on
    the way change nothing.
    """
    last = moments[-1].after
    wants = tuple(Want("end", of, keys) for of, keys in everything(last).items())
    script: list[Action] = []
    tries: list[str] = []
    for number, moment in enumerate(moments):
        wrong = dice.choice(conceivable(moment.game)) if dice.random() < 0.3 else None
        if wrong is not None and isinstance(advance(moment.game, wrong), Rejected):
            tries.append(f"wrong{number}")
            script.append(Try(tries[-1], wrong))
        script += [*moment.answers, moment.action]
    seen = play_through(replace(play, script=tuple(script), wants=wants), CR).observations
    if seen.stopped is not None:
        raise BrokenWalk(f"the same script stops: {seen.stopped}")
    if seen.tried != dict.fromkeys(tries, "rejected"):
        raise BrokenWalk(f"what was tried in vain is done: {seen.tried}")
    if seen.unused or seen.looks["end"] != snapshot(last, None):
        raise BrokenWalk("the same script leads to something else")


# ------------------------------------------------------------------------------- what can be conceived


def conceivable(game: Game) -> list[Action]:
    """Every conceivable action, legal or not: each player casting, playing and turning up every card,
    activating every ability, passing and declaring.
    """
    players = tuple(seat.id for seat in game.board.seats)
    there = tuple(game.board.things)
    abilities = sorted({name for id in there for name in ability_names(game, id)})
    methods = methods_in(game)
    coming = [thing.id for thing in game.board.things.values() if thing.attacking is not None]
    found: list[Action] = [Pass(who) for who in dict.fromkeys((*players, *game.sides, "nobody"))]
    for by in players:
        found += [Attack((), by), Block((), by)]
        for id in there:
            found += [
                CastAction(id, by),
                CastAction(id, by, face_down=True),
                PlayAction(id, by),
                TurnUp(id, by),
            ]
            found += [CastAction(id, by, costs=(CostPaid("method", (one,)),)) for one in methods]
            found += [Activate(id, ability, by) for ability in abilities]
            found += [Attack((Attacker(id, what),), by) for what in (*players, id)]
            found += [Block((Blocker(id, (what,)),), by) for what in coming]
            found.append(Assign((Assignment(id, (Share(by, 1),)),), by))
    return found


def ability_names(game: Game, id: str) -> list[str]:
    """The activated abilities that an object has or is printed with."""
    thing = game.board.things[id]
    has = [held.ability for held in abilities_of(game.seen.look(id))]
    return [one.name for one in (*has, *thing.card.abilities) if isinstance(one, Activated)]


def methods_in(game: Game) -> tuple[str, ...]:
    """The alternative casting methods that anything in this game could allow."""
    return tuple(
        dict.fromkeys(["flashback", *(op.name for op, _, _ in rule_effects_in(game.seen, AlternativeCost))])
    )


def with_a_detail_changed(moment: WalkMoment, dice: random.Random) -> Action:
    """An offered action with one detail changed."""
    game, action = moment.game, dice.choice(moment.offered)
    players = tuple(seat.id for seat in game.board.seats)
    there = tuple(game.board.things)
    named = (*there, *players, *names(game), "nobody")
    match action:
        case CastAction() | Activate() if action.targets and dice.random() < 0.7:
            at = dice.randrange(len(action.targets))
            aims = [*action.targets[at]]
            aims[dice.randrange(len(aims) + 1) :] = [dice.choice(named)]
            return replace(action, targets=(*action.targets[:at], tuple(aims), *action.targets[at + 1 :]))
        case CastAction() if dice.random() < 0.6:
            cost = dice.choice(
                (
                    CostPaid("method", (dice.choice(methods_in(game)),)),
                    CostPaid("kicked", n=dice.randint(1, 2)),
                    CostPaid("additional", (dice.choice(("buyback", "entwine")),)),
                )
            )
            return replace(action, costs=(*action.costs, cost))
        case Activate(produces=str()) if dice.random() < 0.5:
            return replace(action, produces=dice.choice(COLORS))
        case CastAction() | Activate() if dice.random() < 0.5:
            other_modes = tuple(dice.sample((1, 2, 3, 4), dice.randint(0, 2)))
            return dice.choice(
                (
                    replace(action, x=dice.choice((-1, None, GREATEST_X))),
                    replace(action, modes=other_modes),
                    replace(action, targets=(*action.targets, (dice.choice(named),))),
                )
            )
        case Attack(attackers) if dice.random() < 0.8:
            more = Attacker(dice.choice(there), dice.choice(named))
            return replace(action, attackers=(*attackers[1:], more))
        case Block(blockers) if dice.random() < 0.8:
            facing = Blocker(dice.choice(there), tuple(dice.sample(there, dice.randint(1, 2))))
            return replace(action, blockers=(*blockers[1:], facing))
        case Assign(assignments) if assignments and dice.random() < 0.8:
            shares = [
                replace(share, n=max(0, share.n + dice.choice((-1, 0, 1)))) for share in assignments[0].shares
            ]
            return replace(
                action, assignments=(replace(assignments[0], shares=tuple(shares)), *assignments[1:])
            )
        case Pass():
            return Pass(dice.choice((*players, *game.sides)))
        case _:
            return replace(action, by=dice.choice(players))


def way(action: Action) -> tuple[object, ...]:
    """An action without the choices of which only a sample is offered."""
    match action:
        case CastAction():
            return (CastAction, action.what, action.by)
        case Activate():
            return (Activate, action.what, action.by, action.ability)
        case _:
            return (type(action),)


def covers(game: Game, offered: Action, wanted: Action) -> bool:
    """Whether an offered action is the wanted one, up to the choices left open.

    CR 805.10: a team declares together; any of its players may make the declaration.
    """
    if isinstance(offered, CastAction | Activate) and isinstance(wanted, CastAction | Activate):
        return (
            way(offered) == way(wanted)
            and announced_parts(offered) == announced_parts(wanted)
            and (not wanted.modes or sorted(wanted.modes) == modes_of(offered, len(wanted.modes)))
            and (wanted.x is None or wanted.x == (offered.x or 0) or wanted.x > GREATEST_X)
            and (not wanted.targets or aims_of(wanted) == aims_of(offered))
        )
    if isinstance(offered, Declaration) and isinstance(wanted, Declaration):
        return wanted.by in members(game, side_of(game, offered.by)) and parts_of(offered) == parts_of(wanted)
    return offered == wanted


Declaration = Attack | Block | Assign


def parts_of(action: Declaration) -> tuple[object, ...]:
    """A declaration's parts, regardless of order."""
    match action:
        case Attack(attackers):
            return (Attack, frozenset(attackers))
        case Block(blockers):
            return (Block, frozenset(blockers))
        case Assign(assignments):
            return (
                Assign,
                frozenset((one.by, frozenset(s for s in one.shares if s.n)) for one in assignments),
            )


def announced_parts(action: CastAction | Activate) -> tuple[object, ...]:
    """The announced parts of an action."""
    if isinstance(action, CastAction):
        return (action.face_down, frozenset(action.costs))
    return (frozenset(action.costs),)


def modes_of(action: CastAction | Activate, many: int) -> list[int]:
    """The modes chosen; with entwine, all that there are (CR 702.42a: every mode)."""
    entwined = any("entwine" in paid.ids for paid in action.costs)
    return list(range(1, many + 1)) if entwined else sorted(action.modes)


def aims_of(action: CastAction | Activate) -> list[list[str]]:
    """The targets, regardless of order."""
    return [sorted(aims) for aims in action.targets]


def is_accepted(game: Game, action: Action, tries: int = 200) -> bool:
    """Whether an action is possible with some legal answers to its questions."""
    open_ones = [game]
    while open_ones and tries:
        tries -= 1
        now = open_ones.pop()
        outcome = advance(now, action)
        if isinstance(outcome, Game):
            return True
        if isinstance(outcome, Undecided):
            ready = [advance(now, choose) for choose in reversed(legal_answers(now, outcome.question))]
            open_ones += [one for one in ready if isinstance(one, Game)]
    return False


# ------------------------------------------------------------------------------------------------- walks


def lawful_walk(seed: int, decisions: int = 30) -> tuple[Play, list[WalkMoment]]:
    """A walk whose every moment keeps all laws; raises `BrokenWalk` at the first that does not."""
    dice = random.Random(seed)
    play = dealt(dice)
    moments: list[WalkMoment] = []
    try:
        for moment in walk(play, dice, decisions):
            moments.append(moment)
            for law in LAWS:
                law(moment, dice)
    except CannotGoOn:
        pass
    if moments:
        the_same_script_gives_the_same_looks(play, moments, dice)
    return play, moments


def walk_many(many: int, first: int) -> bool:
    """Play `many` walks starting from this seed, print the results, and return whether all went well."""
    begin, decisions, broken = time.process_time(), 0, 0
    used: set[str] = set()
    for seed in range(first, first + many):
        try:
            play, moments = lawful_walk(seed)
        except Exception as error:  # whatever a walk breaks is a find: it is printed and counted
            broken += 1
            print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
            continue
        decisions += len(moments)
        names_of = {thing.id: thing.card for thing in play.objects}
        used |= {
            names_of[moment.action.what]
            for moment in moments
            if isinstance(moment.action, CastAction | PlayAction | Activate)
            and moment.action.what in names_of
        }
    print(
        f"{many} walks, {decisions} decisions, {len(used)} of {len(pool())} cards cast, played or activated, "
        f"{broken} walks broke a law, {time.process_time() - begin:.0f} s"
    )
    return not broken
