"""All actions that are legal now, and all answers to a question, as a script would write them.

An action is offered if `advance` accepts it, possibly after answers to its questions. Mana is free, as
everywhere without `pay`. Where the possibilities are endless or numerous (X, targets, attackers), `MANY` and
`GREATEST_X` limit them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec.structs import replace

from reference_engine.game.casting import choices_announced, kinds_of_mana, method_of
from reference_engine.game.combat import (
    attackable,
    only_assignment,
    owner_of_strike,
    possible_blocks,
    recipients,
    strikers,
)
from reference_engine.game.costs import Proposal
from reference_engine.game.game import (
    Game,
    Question,
    Ref,
    Rejected,
    StackItem,
    Undecided,
    advance,
    members,
    side_of,
)
from reference_engine.game.rule_effects import seen_on_rules
from reference_engine.game.stack import modes_of, shown_ref, specs_of
from reference_engine.game.targets import how_many, named_targets
from reference_engine.language.actions import (
    Action,
    Activate,
    AnswerValue,
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
    PlayAction,
    Share,
    TurnUp,
)
from reference_engine.language.cards import Activated, AlternativeCost, AsThoughFlash
from reference_engine.language.keywords import abilities_of
from reference_engine.language.words import BASIC_LAND_TYPES, COLORS
from reference_engine.layers.evaluation import Seen

MANY = 200
"""Maximum number of variants offered for one action."""
GREATEST_X = 3
SOME_CREATURE_TYPES = ("Goblin", "Elf", "Saproling")


def legal_actions(game: Game) -> tuple[Action, ...]:
    """Every action that a player could take now, passing first."""
    return tuple(action for action in candidates(game) if is_legal(game, action))


def is_legal(game: Game, action: Action) -> bool:
    """Whether an action is legal now, possibly after answers to its questions."""
    return isinstance(advance(game, action), Game | Undecided)


def worded_actions(game: Game) -> tuple[str, ...]:
    """The legal actions as a look reports them: each once, without its variants."""
    return tuple(dict.fromkeys(worded(action) for action in legal_actions(game)))


def worded(action: Action) -> str:
    """An action in a few words, as in a script."""
    match action:
        case Pass(who):
            return f"pass {who}"
        case PlayAction(what) | TurnUp(what):
            return f"{'play' if isinstance(action, PlayAction) else 'turn_up'} {what}"
        case CastAction(what):
            return f"cast {what}" + (" face_down" if action.face_down else "")
        case Activate(what, ability):
            return f"activate {what} {ability}"
        case Attack(_, by):
            return f"attack {by}"
        case Block(_, by):
            return f"block {by}"
        case Assign(_, by):
            return f"assign {by}"
        case _:
            return type(action).__name__.lower()


def candidates(game: Game) -> Iterator[Action]:
    """Actions worth trying now, including all legal ones."""
    if game.over:
        return
    if game.deciding is not None:
        yield from declarations(game)
        return
    if game.holder is None:
        return
    yield Pass(game.holder)
    for player in members(game, game.holder):
        for thing in tuple(game.board.things.values()):
            if may_be_played(game, thing.id, player):
                if game.seen.look(thing.id).is_a("Land"):
                    yield PlayAction(thing.id, player)
                else:
                    yield from castings(game, thing.id, player)
            yield from activations(game, thing.id, player)
            if thing.face_down and thing.zone == "battlefield":
                yield TurnUp(thing.id, player)


def may_be_played(game: Game, id: str, player: str) -> bool:
    """Whether a card is in a zone from which an effect lets a player play it."""
    thing, look = game.board.things[id], game.seen.look(id)
    again = look.has_keyword("flashback") or look.has_keyword("retrace")
    if thing.owner == player and (thing.zone == "hand" or (thing.zone == "graveyard" and again)):
        return True
    return game.rules.permission(game, player, id) is not None


# --------------------------------------------------------------------------- casting and activating


def castings(game: Game, id: str, player: str) -> Iterator[Action]:
    """The ways of casting a card: methods, modes, kicks, X, targets, divisions."""
    look = game.seen.look(id)
    names = {keyword.keyword for keyword in look.keywords}
    methods: list[str | None] = [None]
    if "flashback" in names and game.board.things[id].zone == "graveyard":
        methods.append("flashback")
    methods += dict.fromkeys(operation.name for operation, _, _ in seen_on_rules(game.seen, AlternativeCost))
    there = on_the_stack(game, id, player)
    methods += [
        operation.name for operation, affected, _ in seen_on_rules(there, AlternativeCost) if id in affected
    ]
    words: list[str] = [word for word in ("buyback", "entwine") if word in names]
    offered = [*seen_on_rules(game.seen, AsThoughFlash), *seen_on_rules(there, AsThoughFlash)]
    words += (
        ["flash"] if any(operation.costs and id in affected for operation, affected, _ in offered) else []
    )
    for method in dict.fromkeys(methods):
        costs: tuple[CostPaid, ...] = (CostPaid("method", (method,)),) if method is not None else ()
        for extra in extras(words, len([k for k in look.keywords if k.keyword == "kicker"])):
            yield from completed(game, CastAction(id, player, costs=costs + extra))
        if "morph" in names and method is None:
            yield CastAction(id, player, face_down=True)


def on_the_stack(game: Game, id: str, player: str) -> Seen:
    """How things would look with a card on the stack, if it may be cast at all; otherwise, how they look
    now.
    """
    if game.mentions.isdisjoint((AlternativeCost, AsThoughFlash)):
        # No card of this game mentions the things looked for there.
        return game.seen
    try:
        there, _ = game.rules.proposed(
            game, CastAction(id, player, costs=(CostPaid("additional", ("flash",)),)), None
        )
    except Rejected:
        return game.seen
    return there.seen


def extras(words: Sequence[str], kickers: int) -> Iterator[tuple[CostPaid, ...]]:
    """The optional additional costs, in all combinations."""
    for chosen in itertools.chain.from_iterable(
        itertools.combinations(words, n) for n in range(len(words) + 1)
    ):
        additional = (CostPaid("additional", chosen),) if chosen else ()
        for times in range(kickers + 1):
            yield (*additional, CostPaid("kicked", n=times)) if times else additional


def activations(game: Game, id: str, player: str) -> Iterator[Action]:
    """The ways of activating the abilities of an object."""
    thing = game.board.things[id]
    for held in abilities_of(game.seen.look(id)):
        ability = held.ability
        if not isinstance(ability, Activated) or thing.zone not in ability.zones:
            continue
        if game.rules.is_mana_ability(ability):
            for kind in kinds_of_mana(ability) or (None,):
                yield Activate(id, ability.name, player, produces=kind)
        else:
            yield from completed(game, Activate(id, ability.name, player))


def completed(game: Game, action: CastAction | Activate) -> Iterator[Action]:
    """An action with every choice of modes, X, targets and division for its announcement."""
    there, proposal = begun(replace(game, answers=()), action)
    if proposal is None:
        return
    found = 0
    for with_modes in moded(there, proposal):
        for with_x in with_numbers(there, with_modes):
            for complete in aimed(there, with_x):
                yield complete
                found += 1
                if found >= MANY:
                    return


def begun(game: Game, action: CastAction | Activate) -> tuple[Game, Proposal | None]:
    """The proposal of an action, with the game in which it is on the stack; `None` if it may not begin."""
    try:
        if isinstance(action, CastAction):
            return game.rules.proposed(game, action, method_of(action.costs))
        return game.rules.announced(game, action)
    except Rejected:
        return game, None


def moded(game: Game, proposal: Proposal) -> Iterator[Proposal]:
    """A proposal with each choice of modes."""
    modes, least, most = modes_of(game, proposal.item)
    entwined = any("entwine" in paid.ids for paid in proposal.action.costs)
    if not modes or entwined:
        yield proposal
        return
    for number in range(least, most + 1):
        for chosen in itertools.combinations(range(1, len(modes) + 1), number):
            yield replace(proposal, action=replace(proposal.action, modes=chosen))


def with_numbers(game: Game, proposal: Proposal) -> Iterator[Proposal]:
    """A proposal with each value of X, if its cost includes X."""
    try:
        choices_announced(game, proposal)
        yield proposal
    except Undecided:
        for x in range(GREATEST_X + 1):
            action, item = replace(proposal.action, x=x), replace(proposal.item, x=x)
            yield replace(proposal, action=action, item=item)
    except Rejected:
        return


def aimed(game: Game, proposal: Proposal) -> Iterator[Action]:
    """The action of a proposal with each choice of targets."""
    try:
        there, announced = choices_announced(game, proposal)
    except (Rejected, Undecided):
        return
    action, specs = announced.action, specs_of(there, announced.item)
    if not specs:
        yield action
        return
    item = replace(announced.item, specs=specs)
    for targets in itertools.islice(target_choices(there, item, ()), MANY):
        names = tuple(tuple(shown_ref(there, ref) for ref in refs) for refs in targets)
        yield replace(action, targets=names)


def target_choices(
    game: Game, item: StackItem, chosen: tuple[tuple[Ref, ...], ...]
) -> Iterator[tuple[tuple[Ref, ...], ...]]:
    """Every choice of targets, one instance of the word "target" after another."""
    if len(chosen) == len(item.specs):
        yield chosen
        return
    spec = item.specs[len(chosen)]
    named = named_targets(item.specs, chosen)
    least, most = how_many(game, item, spec, named)
    legal = game.rules.legal_targets(game, item, spec, named)
    for number in range(least, min(most, len(legal)) + 1):
        for ids in itertools.combinations(legal, number):
            yield from target_choices(game, item, (*chosen, tuple(Ref(id) for id in ids)))


# -------------------------------------------------------------------------------------- declarations


def declarations(game: Game) -> Iterator[Action]:
    """The possible declarations that the game waits for."""
    assert game.deciding is not None
    side = game.deciding.by
    player = members(game, side)[0]
    match game.deciding.what:
        case "attackers":
            ids = game.rules.possible_attackers(game)
            options: list[tuple[str | None, ...]] = [(None, *attackable(game)) for _ in ids]
            for choice in itertools.islice(itertools.product(*options), MANY):
                chosen = zip(ids, choice, strict=True)
                yield Attack(tuple(Attacker(id, what) for id, what in chosen if what is not None), player)
        case "blockers":
            possible = possible_blocks(game, side)
            ids = tuple(possible)
            options = [(None, *possible[id]) for id in ids]
            for choice in itertools.islice(itertools.product(*options), MANY):
                chosen = zip(ids, choice, strict=True)
                yield Block(tuple(Blocker(id, (what,)) for id, what in chosen if what is not None), player)
        case "damage":
            own = [id for id in strikers(game) if side_of(game, owner_of_strike(game, id)) == side]
            open_ones = [id for id in own if only_assignment(game, id) is None]
            ways = [list(itertools.islice(divisions(game, id), MANY)) for id in open_ones]
            for shares in itertools.islice(itertools.product(*ways), MANY):
                yield Assign(
                    tuple(Assignment(id, some) for id, some in zip(open_ones, shares, strict=True)), player
                )
        case _:
            assert_never(game.deciding.what)


def divisions(game: Game, id: str) -> Iterator[tuple[Share, ...]]:
    """The ways of dividing one creature's damage."""
    to = recipients(game, id)
    for numbers in parts_of(game.seen.power(id) or 0, len(to)):
        yield tuple(Share(one, n) for one, n in zip(to, numbers, strict=True) if n)


def parts_of(total: int, places: int, least: int = 0) -> Iterator[tuple[int, ...]]:
    """The ways of writing a number as a sum of `places` numbers."""
    if places == 1:
        if total >= least:
            yield (total,)
        return
    for first in range(total, least - 1, -1):
        for rest in parts_of(total - first, places - 1, least):
            yield (first, *rest)


# --------------------------------------------------------------------------------------- answers


def legal_answers(game: Game, question: Question) -> tuple[ChooseAction, ...]:
    """The legal answers to a question, each as the action that gives it."""
    del game  # the question holds all the options
    found = (
        ChooseAction(question.kind, question.by, answer, question.askers[0])
        for answer in itertools.islice(answers(question), MANY)
    )
    return tuple(found)


def answers(question: Question) -> Iterator[tuple[AnswerValue, ...]]:
    """Every legal answer to a question, or a few examples if there are infinitely many."""
    options = question.options
    match question.kind:
        case "order" | "timestamps" | "damage_order":
            yield from itertools.permutations(options)
        case "number" | "x":
            yield from ((n,) for n in range(GREATEST_X + 1))
        case "word":
            for words in (COLORS, BASIC_LAND_TYPES) if options else (SOME_CREATURE_TYPES,):
                if not options or words[0] in options:
                    yield from itertools.permutations(words, question.most)
        case "name" | "type" if not options:
            yield from ((word,) for word in question.such_as)
        case "division":
            for numbers in parts_of(question.total, len(options), 1):
                yield tuple(Share(str(one), n) for one, n in zip(options, numbers, strict=True))
        case _:
            for number in range(question.least, min(question.most, len(options)) + 1):
                yield from itertools.combinations(options, number)


def next_states(game: Game, action: Action) -> Iterator[tuple[tuple[ChooseAction, ...], Game]]:
    """Every game that an action leads to, with the answers given on the way; unsupported outcomes are
    left out.
    """
    outcome = advance(game, action)
    if isinstance(outcome, Game):
        yield (), outcome
    elif isinstance(outcome, Undecided):
        for choose in legal_answers(game, outcome.question):
            ready = advance(game, choose)
            if isinstance(ready, Game):
                for given, after in next_states(ready, action):
                    yield (choose, *given), after
