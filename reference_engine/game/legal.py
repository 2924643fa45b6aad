"""All actions that are legal now, and all answers to a question, as a script would write them.

An action is offered if `advance` accepts it, possibly after answers to its questions. Mana is free, as
everywhere without `pay`. `MOST_COMPLETIONS` and `GREATEST_X` limit endless or numerous possibilities (X,
targets, attackers).
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from typing import assert_never

from msgspec.structs import replace

from reference_engine.game.announcing import choices_announced, method_of
from reference_engine.game.casting import kinds_of_mana
from reference_engine.game.combat import (
    attackable,
    groups_to_block,
    only_assignment,
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
    controller_of,
    members,
    side_of,
)
from reference_engine.game.questions import (
    GREATEST_X,
    MOST_COMPLETIONS,
    parts_of,
    possible_answers,
    with_answer,
)
from reference_engine.game.rooms import halves_by_name
from reference_engine.game.rule_effects import rule_effects_in
from reference_engine.game.stack import modes_of, shown_ref, specs_of, spell_of
from reference_engine.game.targets import named_targets, target_limits
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
    PlayAction,
    Share,
    TurnUp,
    UnlockAction,
)
from reference_engine.language.cards import (
    Activated,
    AlternativeCost,
    AsThoughFlash,
    EitherCost,
    Gain,
    Keyword,
    Spell,
    Static,
    words_for_costs,
)
from reference_engine.language.characteristics import BOTH, playable_faces
from reference_engine.language.keywords import abilities_of
from reference_engine.language.words import KeywordName
from reference_engine.layers.evaluation import Evaluation

LegalAction = Pass | PlayAction | TurnUp | UnlockAction | CastAction | Activate | Attack | Block | Assign
"""An action that may be offered to a player; what the script alone does, such as looking, is none."""


def legal_actions(game: Game) -> tuple[LegalAction, ...]:
    """Every action that a player could take now, passing first."""
    return tuple(action for action in dict.fromkeys(candidates(game)) if is_legal(game, action))


def is_legal(game: Game, action: Action) -> bool:
    """Whether an action is legal now, possibly after answers to its questions."""
    return isinstance(advance(game, action), Game | Undecided)


def worded_actions(game: Game) -> tuple[str, ...]:
    """The legal actions as a look reports them: each once, without its variants."""
    return tuple(dict.fromkeys(action_text(action) for action in legal_actions(game)))


def action_text(action: LegalAction) -> str:
    """An action in a few words, as in a script."""
    match action:
        case Pass(who):
            return f"pass {who}"
        case PlayAction(what):
            return f"play {what}" + (f" {action.face}" if action.face is not None else "")
        case TurnUp(what):
            return f"turn_up {what}" + (f" {action.as_}" if action.as_ is not None else "")
        case UnlockAction(what):
            return f"unlock {what} {action.door}"
        case CastAction(what):
            face = f" {action.face}" if action.face is not None else ""
            return f"cast {what}{face}" + (" face_down" if action.face_down else "")
        case Activate(what, ability):
            return f"activate {what} {ability}"
        case Attack(_, by):
            return f"attack {by}"
        case Block(_, by):
            return f"block {by}"
        case Assign(_, by):
            return f"assign {by}"
        case _:
            assert_never(action)


def candidates(game: Game) -> Iterator[LegalAction]:
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
            if thing.zone == "exile" and thing.face_down and thing.owner != player:
                continue
            shown = game.rules.shown_in_exile(game, player, thing.id)
            for name, face in playable_faces(thing.card).items():
                there = game.rules.with_face_chosen(shown, thing.id, name) if face != "front" else shown
                said = None if face == "front" else name
                if may_be_played(there, thing.id, player):
                    if there.seen.look(thing.id).is_a("Land"):
                        yield PlayAction(thing.id, player, said)
                    else:
                        yield from castings(there, thing.id, player, said)
            yield from activations(game, thing.id, player)
            if thing.zone == "battlefield":
                locked = halves_by_name(game.look(thing.id), BOTH - thing.unlocked)
                yield from (UnlockAction(thing.id, player, name) for name in locked)
            if thing.face_down and thing.zone == "battlefield":
                ways = game.rules.ways_to_turn_up(game, thing.id)
                yield from (
                    TurnUp(thing.id, player, as_=way if len(ways) > 1 else None)  # type: ignore[arg-type]  # one of its words
                    for way in ways or (None,)
                )


def may_be_played(game: Game, id: str, player: str) -> bool:
    """Whether a card is in a zone from which an effect lets a player play it, in one way or another."""
    thing, look = game.board.things[id], game.look(id)
    again = any(look.has_keyword(word) for word in ("flashback", "retrace", "escape"))
    if thing.zone == "exile" and thing.playable_by == player:
        return True
    if thing.zone == "exile" and thing.was & {"plotted", "foretold"}:
        return thing.owner == player
    if thing.owner == player and (thing.zone == "hand" or (thing.zone == "graveyard" and again)):
        return True
    ways = (
        (False, None),
        (look.has_keyword("morph") or look.has_keyword("disguise"), None),
        (False, "bestow"),
    )
    return any(
        game.rules.permissions(
            game.rules.as_the_spell(game, CastAction(id, player, face_down=hidden), word), player, id
        )
        for hidden, word in ways
    )


# --------------------------------------------------------------------------- casting and activating


def words_granted(game: Game) -> set[KeywordName]:
    """The keywords that static abilities of permanents grant."""
    statics = (held.ability for (look, _), _ in game.seen.view.on_battlefield for held in look.abilities)
    operations = (op for one in statics if isinstance(one, Static) for part in one.parts for op in part.does)
    gained = (ability for op in operations if isinstance(op, Gain) for ability in op.abilities)
    return {ability.keyword for ability in gained if isinstance(ability, Keyword)}


def castings(game: Game, id: str, player: str, face: str | None = None) -> Iterator[LegalAction]:
    """The ways of casting a card: methods, modes, kicks, X, targets, divisions."""
    look = game.look(id)
    names = {keyword.keyword for keyword in look.keywords}
    # CR 702.96a, 702.109a, 702.185a: others may be given to the spell.
    if Gain in game.mentions:
        names |= words_granted(game)
    methods: list[str | None] = [None]
    buried = game.board.things[id].zone == "graveyard"
    methods += ["plot"] if "plotted" in game.board.things[id].was else []
    methods += ["foretell"] if "foretold" in game.board.things[id].was else []
    methods += [word for word in ("flashback", "escape") if word in names and buried]
    methods += [word for word in ("bestow", "evoke", "dash", "overload") if word in names]
    methods += dict.fromkeys(
        operation.name for operation, _, _ in rule_effects_in(game.seen, AlternativeCost)
    )
    methods += ["warp"] if "warp" in names and game.board.things[id].zone == "hand" else []
    there = on_the_stack(game, id, player)
    methods += [
        operation.name for operation, affected, _ in rule_effects_in(there, AlternativeCost) if id in affected
    ]
    words: list[str] = [word for word in ("buyback", "entwine", "offspring") if word in names]
    offered = [*rule_effects_in(game.seen, AsThoughFlash), *rule_effects_in(there, AsThoughFlash)]
    words += (
        ["flash"] if any(operation.costs and id in affected for operation, affected, _ in offered) else []
    )
    spell = spell_of(there.look(id)) or Spell()
    either = [tuple(words_for_costs(cost)) for cost in spell.additional if isinstance(cost, EitherCost)]
    for method in dict.fromkeys(methods):
        costs: tuple[CostPaid, ...] = (CostPaid("method", (method,)),) if method is not None else ()
        for extra in extras(words, len([k for k in look.keywords if k.keyword == "kicker"]), either):
            yield from completions(game, CastAction(id, player, costs=costs + extra, face=face))
        if names & {"morph", "disguise"} and method is None:
            yield CastAction(id, player, face_down=True, face=face)


def on_the_stack(game: Game, id: str, player: str) -> Evaluation:
    """How things would look with a card on the stack, if it may be cast at all; otherwise, how they look
    now.
    """
    if game.mentions.isdisjoint((AlternativeCost, AsThoughFlash)):
        # No card of this game mentions an effect that could apply only on the stack.
        return game.seen
    try:
        there, _ = game.rules.proposed(
            game, CastAction(id, player, costs=(CostPaid("additional", ("flash",)),)), None
        )
    except Rejected:
        return game.seen
    return there.seen


def extras(
    words: Sequence[str], kickers: int, either: Sequence[tuple[str, ...]] = ()
) -> Iterator[tuple[CostPaid, ...]]:
    """The optional additional costs in all combinations, with each choice of those that need one."""
    optional = itertools.chain.from_iterable(itertools.combinations(words, n) for n in range(len(words) + 1))
    for chosen in ((*some, *ways) for some in optional for ways in itertools.product(*either)):
        additional = (CostPaid("additional", chosen),) if chosen else ()
        for times in range(kickers + 1):
            yield (*additional, CostPaid("kicked", n=times)) if times else additional


def activations(game: Game, id: str, player: str) -> Iterator[LegalAction]:
    """The ways of activating the abilities of an object."""
    thing = game.board.things[id]
    for held in abilities_of(game.look(id)):
        ability = held.ability
        if not isinstance(ability, Activated) or thing.zone not in ability.zones:
            continue
        if game.rules.is_mana_ability(ability):
            for kind in kinds_of_mana(ability) or (None,):
                yield Activate(id, ability.name, player, produces=kind)
        else:
            yield from completions(game, Activate(id, ability.name, player))


def completions(game: Game, action: CastAction | Activate) -> Iterator[LegalAction]:
    """An action with every choice of modes, X, targets and division for its announcement."""
    found = 0
    for there, proposal in proposals(replace(game, answers=()), action):
        for with_modes in mode_choices(there, proposal):
            for then, with_x in with_costs_and_numbers(there, with_modes):
                for complete in targeted_actions(then, with_x):
                    yield complete
                    found += 1
                    if found >= MOST_COMPLETIONS:
                        return


def proposals(game: Game, action: CastAction | Activate) -> Iterator[tuple[Game, Proposal]]:
    """The proposals that an action may mean: several if an object has different abilities of one name, and
    the script has to choose between their sources.
    """
    chosen = [game]
    try:
        begin_proposal(game, action)
    except Undecided as which:
        ready = [advance(game, choose) for choose in legal_answers(game, which.question)]
        chosen = [one for one in ready if isinstance(one, Game)]
    for one in chosen:
        with contextlib.suppress(Undecided):
            there, proposal = begin_proposal(one, action)
            if proposal is not None:
                yield there, proposal


def begin_proposal(game: Game, action: CastAction | Activate) -> tuple[Game, Proposal | None]:
    """The proposal of an action, with the game in which it is on the stack; `None` if it may not begin."""
    try:
        if isinstance(action, CastAction):
            return game.rules.proposed(game, action, method_of(action.costs))
        return game.rules.announced(game, action)
    except Rejected:
        return game, None


def mode_choices(game: Game, proposal: Proposal) -> Iterator[Proposal]:
    """A proposal with each choice of modes."""
    modes, least, most = modes_of(game, proposal.item)
    if not modes or "entwine" in proposal.item.extras:
        yield proposal
        return
    for number in range(least, most + 1):
        for chosen in itertools.combinations(range(1, len(modes) + 1), number):
            yield replace(proposal, action=replace(proposal.action, modes=chosen))


def with_costs_and_numbers(game: Game, proposal: Proposal) -> Iterator[tuple[Game, Proposal]]:
    """A proposal with each choice of costs that has to be made, and each value of X if its cost includes X;
    with the game in which these choices are prepared.
    """
    try:
        choices_announced(game, proposal)
        yield game, proposal
    except Undecided as which:
        if which.question.kind == "x":
            for x in range(GREATEST_X + 1):
                action, item = replace(proposal.action, x=x), replace(proposal.item, x=x)
                yield game, replace(proposal, action=action, item=item)
            return
        for answer in itertools.islice(possible_answers(which.question), MOST_COMPLETIONS):
            yield from with_costs_and_numbers(with_answer(game, which.question, answer), proposal)
    except Rejected:
        return


def targeted_actions(game: Game, proposal: Proposal) -> Iterator[LegalAction]:
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
    for targets in itertools.islice(target_choices(there, item, ()), MOST_COMPLETIONS):
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
    least, most = target_limits(game, item, spec, named)
    legal = game.rules.legal_targets(game, item, spec, named)
    for number in range(least, min(most, len(legal)) + 1):
        for ids in itertools.combinations(legal, number):
            yield from target_choices(game, item, (*chosen, tuple(Ref(id) for id in ids)))


# -------------------------------------------------------------------------------------- declarations


def declarations(game: Game) -> Iterator[LegalAction]:
    """The possible declarations that the game waits for."""
    assert game.deciding is not None
    side = game.deciding.by
    player = members(game, side)[0]
    match game.deciding.what:
        case "attackers":
            ids = game.rules.possible_attackers(game)
            options: list[tuple[str | None, ...]] = [(None, *attackable(game)) for _ in ids]
            for choice in itertools.islice(itertools.product(*options), MOST_COMPLETIONS):
                chosen = zip(ids, choice, strict=True)
                yield Attack(tuple(Attacker(id, what) for id, what in chosen if what is not None), player)
        case "blockers":
            possible = possible_blocks(game, side)
            ids = tuple(possible)
            groups = [groups_to_block(game, id, possible[id]) for id in ids]
            for blocks in itertools.islice(itertools.product(*groups), MOST_COMPLETIONS):
                blocking = zip(ids, blocks, strict=True)
                yield Block(tuple(Blocker(id, what) for id, what in blocking if what), player)
        case "damage":
            own = [id for id in strikers(game) if side_of(game, controller_of(game, id)) == side]
            open_ones = [id for id in own if only_assignment(game, id) is None]
            ways = [list(itertools.islice(divisions(game, id), MOST_COMPLETIONS)) for id in open_ones]
            for shares in itertools.islice(itertools.product(*ways), MOST_COMPLETIONS):
                yield Assign(
                    tuple(Assignment(id, some) for id, some in zip(open_ones, shares, strict=True)), player
                )
        case _:
            assert_never(game.deciding.what)


def divisions(game: Game, id: str) -> Iterator[tuple[Share, ...]]:
    """The ways of dividing one creature's damage."""
    to = recipients(game, id)
    for numbers in parts_of(game.rules.combat_damage_of(game, id), len(to)):
        yield tuple(Share(one, n) for one, n in zip(to, numbers, strict=True) if n)


# --------------------------------------------------------------------------------------- answers


def legal_answers(game: Game, question: Question) -> tuple[ChooseAction, ...]:
    """The legal answers to a question, each as the action that gives it."""
    del game  # the question holds all the options
    found = (
        ChooseAction(question.kind, question.by, answer, question.askers[0])
        for answer in itertools.islice(possible_answers(question), MOST_COMPLETIONS)
    )
    return tuple(found)


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
