"""Casting spells and activating abilities, step by step (CR 601.2, 602.2).

A proposal passes through `rules.casting_steps`; each step refuses it, or returns the game and the proposal
with more of its choices made. Values are immutable, so an illegal proposal leaves the earlier game untouched
(CR 733.1: the whole action is reversed).
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.announcing import (
    BY_STEPS,
    choices_announced,
    cost_in_words,
    method_of,
)
from reference_engine.game.beginning import permission_effects
from reference_engine.game.costs import (
    Proposal,
    Terms,
    Wording,
    nothing_left_over,
    paid_by_tapping,
    pay_life,
    pay_mana,
    wording_of,
)
from reference_engine.game.events import (
    AbilityActivated,
    Announced,
    CostDetermined,
    Cycled,
    Entering,
    GameEvent,
    Moved,
    SpellCast,
)
from reference_engine.game.game import (
    EVER,
    Game,
    Memory,
    Question,
    Ref,
    Rejected,
    StackItem,
    Undecided,
    slot_in_use,
    thing_of,
    ticked,
    with_memory,
    with_use,
)
from reference_engine.game.happening import happen, with_event
from reference_engine.game.mana import (
    kinds_made,
    symbols_of,
)
from reference_engine.game.manifesting import TO_TURN_UP
from reference_engine.game.pools import marks_among, marks_of, marks_since, named_in_pool
from reference_engine.game.questions import fits, is_possible, labels_of, take_answer
from reference_engine.game.recall import ref_after_move
from reference_engine.game.scene import asking_in
from reference_engine.game.stack import (
    shown_ref,
    specs_of,
    stack_with,
    with_item,
    without_ability,
)
from reference_engine.game.targets import with_division, with_targets
from reference_engine.game.timing import (
    ALLOWED_BY_THEMSELVES,
    any_time,
    barred_from_there,
    permission_chosen,
    require_allowed_x,
)
from reference_engine.language.actions import (
    Activate,
    CastAction,
    CostPaid,
    Pay,
    PayStep,
)
from reference_engine.language.cards import (
    Activated,
    Cost,
    DiscardCost,
    ExileCost,
    LeavesGraveyard,
    LoyaltyCost,
    ManaCost,
    MillCost,
    OneOfInstruction,
    Operation,
    RemoveCountersCost,
    ReturnCost,
    SacrificeCost,
    State,
    TapOthers,
    TapThis,
    The,
    UnattachCost,
    UntapThis,
)
from reference_engine.language.characteristics import (
    Characteristics,
    HeldAbility,
    instructions_in,
    is_loyalty_ability,
    playable_faces,
)
from reference_engine.language.keywords import DISGUISED, abilities_of
from reference_engine.layers.asking import cast_by, matching_ids, own_past
from reference_engine.layers.board import NotModelled


def with_face_chosen(game: Game, id: str, name: str | None) -> Game:
    """The game in which a card has only the characteristics of the face chosen to play it.

    CR 709.3a, 712.11c, 715.3a: only the chosen half, face or Adventure is evaluated for whether it can be
    cast. CR 712.12: likewise for a face that is played as a land.
    """
    thing = game.board.things[id]
    faces = playable_faces(thing.card)
    wanted = thing.card.name if name is None else name
    if wanted not in faces:
        say = f"say which: {' or '.join(faces)}" if name is None else f"it has {' and '.join(faces)}"
        raise Rejected(f"{id} can't be played as {wanted} ({say})")
    if faces[wanted] == thing.face_up:
        return game
    return replace(game, board=game.board.with_things(replace(thing, face_up=faces[wanted])))


def shown_in_exile(game: Game, player: str, id: str) -> Game:
    """The game in which a card that lies face down in exile is face up, for a player who wants to play it.

    CR 406.3a: it is turned face up just before the player announces that. CR 406.3b: only a player who may
    look at it can play it.
    """
    thing = game.board.things[id]
    if thing.zone != "exile" or not thing.face_down:
        return game
    if thing.owner != player:
        raise Rejected(f"{player} may not look at {id} (CR 406.3b)")
    return replace(game, board=game.board.with_things(replace(thing, face_down=False)))


CastingStep = Callable[[Game, Proposal], tuple[Game, Proposal]]


def cast_spell(game: Game, action: CastAction) -> Game:
    """The game after a spell was cast; its caster has priority again.

    CR 601.2: if a step can't be followed, the casting is illegal and the game returns to the moment before
    it.
    """
    game.rules.require_priority(game, action.by)
    before, thing = game, thing_of(game, action.what)
    game = game.rules.shown_in_exile(game, action.by, thing.id)
    game = game.rules.with_face_chosen(game, thing.id, action.face)
    method = method_of(action.costs)
    game.rules.may_cast_from(game.rules.as_the_spell(game, action, method), action.by, thing.id, method)
    try:
        game, _ = all_steps(*game.rules.proposed(game, action, method))
    except Rejected as refusal:
        raise game.rules.reversed_action(before, action, refusal) from None
    return game.rules.after_action(game, action.by)


def cast_while_resolving(game: Game, player: str, id: str, terms: Terms) -> Game:
    """The game after a player was instructed to cast a card during a resolution, and cast it.

    CR 608.2g: by the steps of 601.2, except that no player receives priority afterwards.
    CR 709.3, 712.11, 715.3, 718.3: the player chooses one of several faces, of those that can be cast.
    """
    faces = tuple(playable_faces(game.board.things[id].card))
    if len(faces) < 2:
        return cast_face_while_resolving(game, player, id, None, terms)
    attempts = {
        face: functools.partial(cast_face_while_resolving, player=player, id=id, face=face, terms=terms)
        for face in faces
    }
    possible = tuple(face for face in faces if is_possible(game, attempts[face]))
    if not possible:
        raise Rejected(f"no face of {id} can be cast")
    chosen = possible[0]
    if len(possible) > 1:
        game, answer = take_answer(game, Question("name", player, (id,), possible))
        chosen = str(answer[0])
    return attempts[chosen](game)


def cast_face_while_resolving(game: Game, player: str, id: str, face: str | None, terms: Terms) -> Game:
    """The game after a player has cast a card during a resolution, as one of its faces if it has several."""
    if face is not None:
        game = game.rules.with_face_chosen(game, id, face)
    if game.look(id).is_a("Land"):
        raise Rejected(f"{id} is a land, which is played, not cast (CR 305.9: never a spell)")
    action = CastAction(id, player, face=face)
    game, _ = all_steps(*game.rules.proposed(game, action, None, terms))
    return game


def activate_ability(game: Game, action: Activate) -> Game:
    """Activate an ability; a mana ability also resolves.

    CR 602.2: as with casting, the whole activation is reversed if a step can't be followed.
    """
    game.rules.require_priority(game, action.by)
    before = game
    try:
        game = activated(game, action)
    except Rejected as refusal:
        raise game.rules.reversed_action(before, action, refusal) from None
    return game.rules.after_action(game, action.by)


def reversed_action(game: Game, action: CastAction | Activate, refusal: Rejected) -> Rejected:
    """The refusal of an illegal action, with the game that remains after the reversal.

    CR 733.1: everything is reversed; the player may also reverse or keep legal mana abilities activated on
    the way.
    """
    if action.pay is None or action.pay.undo_mana or not refusal.while_paying:
        return refusal
    before, named = game, named_in_pool(action.pay)
    for step in action.pay.steps:
        if step.activate is None:
            continue
        try:
            game, named = game.rules.mana_ability_used(game, action.by, step, named)
        except Rejected:
            break
    if game is before:
        return refusal
    kept = Rejected(refusal.why)
    kept.kept = game.rules.after_action(game, action.by)
    return kept


def activated(game: Game, action: Activate) -> Game:
    """The game after the steps of activating an ability, before a player gets priority."""
    game, proposal = all_steps(*game.rules.announced(game, action))
    assert isinstance(proposal.item.ability, Activated)
    if game.rules.is_mana_ability(proposal.item.ability):
        # CR 605.3b: a mana ability doesn't go on the stack; it resolves at once.
        game = without_ability(game, proposal.item)
        return game.rules.resolve_mana_ability(game, proposal.item, action.produces)
    return game


def all_steps(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """The game and the proposal after every step of casting or activating."""
    steps = game.rules.casting_steps
    for step in steps:
        try:
            game, proposal = step(game, proposal)
        except Rejected as refusal:
            refusal.while_paying = mana_abilities_activated in steps[: steps.index(step) + 1]
            raise
    return game, proposal


def announced(game: Game, action: Activate) -> tuple[Game, Proposal]:
    """CR 602.2a: the ability is created on the stack, with its text and no other characteristics."""
    thing = thing_of(game, action.what)
    game, held = ability_named(game, action)
    assert isinstance(held.ability, Activated)
    game.rules.may_activate(game, action.by, thing.id, held)
    game, now = ticked(game)
    item = StackItem(
        id=f"ability {now}",
        kind="activated",
        controller=action.by,
        source=game.ref(thing.id),
        born=now,
        name=held.ability.name,
        ability=held.ability,
        slot=held.slot,
        alias=action.as_,
        x=action.x,
        was=own_past(thing.id, game.board, game.seen.view),
    )
    proposal = Proposal(
        item=item,
        action=action,
        before=game,
        origin=thing.zone,
        base="".join(cost.mana for cost in held.ability.cost if isinstance(cost, ManaCost)),
        additional=tuple(cost for cost in held.ability.cost if not isinstance(cost, ManaCost)),
    )
    game = with_event(game, Announced(thing.id, action.by), stack=(*game.stack, item))
    return game, proposal


def ability_named(game: Game, action: Activate) -> tuple[Game, HeldAbility]:
    """The activated ability that a script means, and the game with the script's answer about its granting
    source consumed.

    Of abilities with the same words, the first one that is not used up this turn, nor being activated, is
    meant (CR 602.5c: each has its own restriction). If the action fits several different ones, the script has
    to choose.
    """
    if action.what not in game.board.things:
        raise Rejected(f"there is no {action.what}")
    zone = game.board.things[action.what].zone
    there = [
        (held, held.ability)
        for held in abilities_of(game.look(action.what))
        if isinstance(held.ability, Activated)
        and held.ability.name == action.ability
        and zone in held.ability.zones
    ]
    if not there:
        raise Rejected(f"{action.what} has no ability called {action.ability} there")
    if action.produces is not None:
        there = [(held, ability) for held, ability in there if action.produces in kinds_of_mana(ability)]
        if not there:
            raise Rejected(f"{action.ability} of {action.what} makes no {action.produces} mana")
    helds = tuple(held for held, _ in there)
    sources = tuple(granted_by(game, action.what, held) for held in helds)
    which = Question(
        "object",
        action.by,
        (f"{action.ability} of {action.what}", action.what, action.ability),
        tuple(dict.fromkeys(sources)),
    )
    answers = (one.choose.answer for one in game.answers if fits(game, one, which))
    if any(set(answer) <= set(sources) for answer in answers):
        game, (source,) = take_answer(game, which)
        helds = tuple(held for held, of in zip(helds, sources, strict=True) if of == source)
    if len({held.ability for held in helds}) > 1 and all(held.slot[:1] == ("keyword",) for held in helds):
        game, helds = keyword_meant(game, action, helds)
    if len({held.ability for held in helds}) > 1:
        made = tuple(dict.fromkeys(kind for _, ability in there for kind in kinds_of_mana(ability)))
        raise Undecided(which if len(which.options) > 1 else replace(which, kind="color", options=made))
    free = (
        held
        for held in helds
        if not game.rules.used_up(game, action.what, held)
        and not game.rules.is_under_way(game, action.what, held)
    )
    return game, next(free, helds[0])


def keyword_meant(
    game: Game, action: Activate, helds: tuple[HeldAbility, ...]
) -> tuple[Game, tuple[HeldAbility, ...]]:
    """Of the abilities of one keyword that an object has with different costs or numbers, such as its own
    unearth and one that an effect gave it, the one that its player activates (CR 113.2c: each is an ability).
    """
    keywords = {str(keyword): keyword for keyword in game.look(action.what).keywords}
    meant = [keywords[str(held.slot[2])] for held in helds]
    labels = labels_of([cost_in_words(one) or f"{one.keyword} {one.n}" for one in meant])
    question = Question("costs", action.by, (action.what, action.ability), labels)
    game, (answer,) = take_answer(game, question)
    return game, (helds[labels.index(str(answer))],)


def granted_by(game: Game, id: str, held: HeldAbility) -> str:
    """The object whose effect granted an ability to another; that other object if the ability is in its own
    text.
    """
    if held.slot[:1] != ("gained",):
        return id
    if held.slot[1] == "lasting":
        return next(effect.source for effect in game.board.effects if effect.id == held.slot[2])
    return str(held.slot[2] if held.slot[1] == "counters" else held.slot[1])


def kinds_of_mana(ability: Activated) -> tuple[str, ...]:
    """The kinds of mana that an ability can make, each a colour or "colorless"; none if it makes several at
    once.
    """
    for instruction in instructions_in(ability.effect):
        if isinstance(instruction, OneOfInstruction):
            found = [kinds_made(option.effect) for option in instruction.options]
            return tuple(dict.fromkeys(kind for kinds in found for kind in kinds)) if all(found) else ()
    return kinds_made(ability.effect)


def proposed(
    game: Game, action: CastAction, method: str | None, terms: Terms | None = None
) -> tuple[Game, Proposal]:
    """CR 601.2a: the card goes to the top of the stack, and its caster becomes its controller.

    CR 708.4: a card cast face down is turned face down before it is put there.
    CR 601.3: the casting may begin only if nothing forbids it, given how the spell looks there.
    CR 608.2g: an instruction to cast it now (`terms`) needs no permission, and no time for the spell's type.
    """
    before = game
    thing = game.board.things[action.what]
    printed_look = game.look(action.what)
    game, hidden_as = hidden_by(game, action, method, printed_look)
    permission = None
    if terms is None and method not in ALLOWED_BY_THEMSELVES:
        judged = game.rules.as_the_spell(game, action, method)
        offered = game.rules.permissions(judged, action.by, thing.id)
        by_itself = bool(offered) and barred_from_there(judged, action.by, thing.id) is None
        game, permission = permission_chosen(game, action.by, thing.id, offered, by_itself)
    ways = ("cast", "cast from hand") if thing.zone == "hand" and thing.owner == action.by else ("cast",)
    history = frozenset([cast_by(action.by, way) for way in ways])
    if "foretold" in thing.was:
        # CR 702.143c: a spell that was a foretold card was foretold, whatever is paid for it.
        history |= {"foretold"}
    begins = () if permission is None else permission_effects(game, thing.id, permission)
    if method == "bestow" and printed_look.has_keyword("bestow"):
        # CR 702.103b, 702.103d: it is an Aura spell from now on, and judged as one.
        begins += (game.rules.bestowed(thing.id, action.by, game.clock),)
    entering = Entering(
        under=action.by,
        face_down=action.face_down,
        hidden_as=hidden_as,
        face_up=thing.face_up,
        memory=Memory(history=history),
        # CR 400.7h: the rest of the effect that allowed casting it can find the spell. CR 400.7b: and the
        # permanent it becomes.
        begins=begins,
    )
    put = Moved(thing.id, thing.zone, "stack", "cast", entering)
    game = game.rules.moved(game, put, game)
    if not thing.token and not game.mentions.isdisjoint((LeavesGraveyard, State)):
        # CR 603.8: a hand may be empty now. CR 117.2a: what triggers waits until the card is cast.
        game = game.rules.triggered(before, game, (put,))
    born = game.born(thing.id)
    item = StackItem(
        id=thing.id,
        kind="spell",
        controller=action.by,
        source=Ref(thing.id, born),
        born=born,
        alias=action.as_,
        x=action.x,
        copy=thing.token,
        name=thing.id.removeprefix("copy of ") if thing.token else "",
        method=method,
        extras=tuple([id for paid in action.costs if paid.kind == "additional" for id in paid.ids]),
        was=history,
    )
    game = with_event(game, Announced(thing.id, action.by), stack=(*game.stack, item))
    why = game.rules.forbidden_to_cast(game, item, before)
    if why is not None:
        raise Rejected(why)
    if not (game.rules.timing_allows(game, before, item) if terms is None else any_time(game, action.by)):
        raise Rejected(f"{action.by} can't cast {action.what} now (CR 117.1a)")
    return game, Proposal(
        item=item, action=action, before=before, origin=thing.zone, terms=terms, permission=permission
    )


def hidden_by(
    game: Game, action: CastAction, method: str | None, look: Characteristics
) -> tuple[Game, tuple[Operation, ...]]:
    """What a card that is cast face down has then.

    CR 702.168a: with disguise, it has ward {2}. CR 702.37d, 702.168c: the player announces which of the two
    abilities is used.
    """
    if not action.face_down:
        return game, ()
    ways = tuple(word for word in TO_TURN_UP if look.has_keyword(word))
    if method in TO_TURN_UP:
        ways = tuple(word for word in ways if word == method)
    if not ways:
        raise Rejected(f"nothing lets {action.by} cast {action.what} face down (CR 702.37d, 702.168c)")
    game, answer = take_answer(game, Question("costs", action.by, (action.what,), ways))
    return game, DISGUISED if answer == ("disguise",) else ()


def as_the_spell(game: Game, action: CastAction, method: str | None) -> Game:
    """The game in which a card looks in its zone as the spell would that it is to become.

    CR 601.3e: an effect that lets spells with some quality be cast is asked about those characteristics.
    CR 708.4: the face-down spell is judged. CR 702.103d: and so is the Aura that is cast bestowed.
    """
    thing, board = game.board.things[action.what], game.board
    if action.face_down:
        return replace(game, board=board.with_things(replace(thing, face_down=True)))
    if method == "bestow" and game.look(thing.id).has_keyword("bestow"):
        aura = game.rules.bestowed(thing.id, action.by, game.clock)
        return replace(game, board=replace(board, effects=(*board.effects, aura)))
    return game


def targets_announced(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2c: choose a legal object or player for each target; abilities that trigger on this wait."""
    item, action = proposal.item, proposal.action
    assert isinstance(action, BY_STEPS)
    specs = specs_of(game, item)
    if not specs and not action.targets:
        return game, proposal
    aiming = replace(item, specs=specs)
    if any(map(speaks_of_others, specs)):
        considered = game.rules.considered_costs(game, proposal)
        aiming = replace(aiming, names=(*item.names, *considered))
    wanted = action.targets if proposal.terms is None else None
    game, aiming = with_targets(game, aiming, wanted, (action.what,))
    game.rules.obeys_target_requirements(game, aiming)
    item = replace(aiming, names=item.names)
    return with_item(game, item), replace(proposal, item=item)


def considered_costs(game: Game, proposal: Proposal) -> tuple[tuple[str, tuple[Ref, ...]], ...]:
    """The objects that will pay the costs, where targets may depend on them.

    CR 601.5: a player may consider choices that come later, such as the objects used to pay, when announcing
    targets. What leaves the library or is up to chance is no choice.
    """
    player, answers = proposal.action.by, list(proposal.action.costs)
    asks, item = (proposal.action.what,), proposal.item
    considered: list[tuple[str, tuple[Ref, ...]]] = []
    then = game
    chosen, _ = game.rules.order_of_payment(proposal.additional)
    for cost in itertools.chain(*game.rules.costs_that_move_nothing(chosen)):
        if isinstance(cost, (SacrificeCost, DiscardCost, ExileCost, ReturnCost, TapOthers)):
            wording = wording_of(item)
            then, name, refs = game.rules.pay_cost(then, cost, player, item.source, answers, asks, wording)
            considered.append((name, tuple(game.ref(ref.id) for ref in refs)))
    return tuple(considered)


def nothing_considered(game: Game, proposal: Proposal) -> tuple[tuple[str, tuple[Ref, ...]], ...]:
    """CR 601.5: (until 2026-08) a player announcing targets can't consider choices that are made only
    later.
    """
    return ()


@functools.lru_cache(maxsize=1024)
def speaks_of_others(value: object) -> bool:
    """Whether a target's description refers to something else by name: another target, or what was paid."""
    if isinstance(value, The):
        return True
    if isinstance(value, Struct):
        return any(speaks_of_others(getattr(value, name)) for name in value.__struct_fields__)
    return isinstance(value, (tuple, frozenset)) and any(speaks_of_others(member) for member in value)


def division_announced(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2d: the division among the targets, at least one to each."""
    assert isinstance(proposal.action, BY_STEPS)
    game, item = with_division(game, proposal.item, proposal.action.divide, (proposal.action.what,))
    return game, proposal if item is proposal.item else replace(proposal, item=item)


def legality_checked(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2e: check once more whether the proposed spell is legal, with everything announced."""
    if proposal.item.kind == "spell":
        why = game.rules.forbidden_to_cast(game, proposal.item, None)
        if why is not None:
            raise Rejected(why)
    if proposal.item.kind == "spell" and proposal.item.x is not None:
        require_allowed_x(game, proposal)
    if proposal.terms is not None and not game.rules.meets_terms(game, proposal.item, proposal.terms):
        raise Rejected(f"{proposal.item.id} is not a spell that may be cast this way (CR 601.3)")
    return game, proposal


def meets_terms(game: Game, item: StackItem, terms: Terms) -> bool:
    """Whether a spell is one that the instruction lets a player cast.

    CR 601.3: the effect allows such spells only; the spell is judged with the choices made for it, and not as
    the card that the instruction found.
    """
    spell = game.seen.view.both(item.id)
    return bool(matching_ids(terms.such, spell, frozenset({item.id}), asking_in(game, terms.scene)))


def cost_determined(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2f: the total cost, which is then locked in."""
    if proposal.base is None:
        raise Rejected(f"{proposal.item.id} has no mana cost, which can't be paid (CR 118.6)")
    price, steps = game.rules.total_cost(game, proposal)
    others = tuple([cost for cost in proposal.additional if not isinstance(cost, ManaCost)])
    item = replace(proposal.item, paid=str(price))
    hidden = isinstance(proposal.action, CastAction) and proposal.action.face_down
    method = "morph" if hidden else item.method
    kind: Literal["spell", "ability"] = "spell" if item.kind == "spell" else "ability"
    game = with_event(game, CostDetermined(steps, method, item.x, kind), stack=stack_with(game, item))
    return game, replace(proposal, price=price, costs=others, item=item)


def mana_abilities_activated(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2g: the player may activate mana abilities before paying a cost that includes mana."""
    pay = proposal.action.pay
    if pay is None:
        return game, proposal
    if proposal.price.total == 0 and any(step.activate for step in pay.steps):
        raise Rejected("no mana is to be paid, so no mana abilities can be activated now (CR 601.2g)")
    player, named = proposal.action.by, named_in_pool(pay)
    if proposal.price.total == 0:
        return game, replace(proposal, produced=named)
    marks = marks_among(named, game.pools.get(player, ""), marks_of(game, player))
    if marks is None:
        raise NotModelled("a choice among mana of one color that may be spent on different things")
    for step in pay.steps:
        if step.activate is not None:
            there = game
            game, named = game.rules.mana_ability_used(game, player, step, named)
            marks = marks_since(marks, there, game, player)
    return game, replace(proposal, produced=named, marks=marks)


def mana_ability_used(game: Game, player: str, step: PayStep, named: str) -> tuple[Game, str]:
    """The game after a mana ability was activated for a payment, and all the mana then meant for the payment.

    CR 601.2g: before costs are paid. CR 605.3a: also while casting, activating or resolving something,
    whenever a mana payment is asked for. If the mana ability itself costs mana, it is paid with mana meant
    for the payment before.
    """
    assert step.activate is not None
    others = Counter(game.pools.get(player, "")) - Counter(named)
    from_pool = Pay((PayStep(pool=symbols_of(named)),) if named else ())
    action = Activate(step.activate, step.ability, player, produces=step.choose, pay=from_pool)
    _, held = ability_named(game, action)
    assert isinstance(held.ability, Activated)
    if not game.rules.is_mana_ability(held.ability):
        raise Rejected(f"{step.ability} of {step.activate} is no mana ability")
    game = activated(game, action)
    return game, "".join((Counter(game.pools.get(player, "")) - others).elements())


def cost_paid(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2h: the total cost is paid as a whole, or not at all."""
    item, player, unpaid = proposal.item, proposal.action.by, game
    answers = list(proposal.action.costs)
    staying, moving, after_mana = in_order_of_payment(game, proposal.costs)
    game, paid = with_costs_paid(game, proposal, staying, answers)
    game, price = paid_by_tapping(game, proposal, answers)
    game, more = with_costs_paid(game, proposal, moving, answers)
    if game.rules.is_cycling(item):
        game = happen(game, Cycled(item.source.id, player))
    game = pay_mana(game, proposal, price, answers)
    # CR 119.4: life is paid by losing it; CR 107.4f: also for Phyrexian mana symbols.
    if proposal.price.life:
        game = pay_life(game, player, proposal.price.life)
    game, _ = with_costs_paid(game, proposal, after_mana, answers)
    nothing_left_over(answers)
    # CR 400.7j: its effects find the source where its own cost has put it, and not where another cost did.
    source = ref_after_move(unpaid, game, item.source)
    if source == item.source and not (paid or more):
        return game, proposal
    item = replace(item, source=source, names=(*item.names, *paid, *more))
    return with_item(game, item), replace(proposal, item=item)


def in_order_of_payment(
    game: Game, costs: tuple[Cost, ...]
) -> tuple[tuple[Cost, ...], tuple[Cost, ...], tuple[Cost, ...]]:
    """The costs other than mana that are paid before the mana, those that leave every object where it is
    first, and those that are paid after it.
    """
    if not costs:
        return (), (), ()
    before_mana, after_mana = game.rules.order_of_payment(costs)
    return *game.rules.costs_that_move_nothing(before_mana), after_mana


def with_costs_paid(
    game: Game, proposal: Proposal, costs: tuple[Cost, ...], answers: list[CostPaid]
) -> tuple[Game, list[tuple[str, tuple[Ref, ...]]]]:
    """The game after some costs other than mana were paid, and the objects used for them, by name."""
    paid: list[tuple[str, tuple[Ref, ...]]] = []
    if not costs:
        return game, paid
    item, terms = proposal.item, proposal.terms
    for cost in costs:
        asks, wording = (proposal.action.what,), wording_of(item)
        if terms is not None and cost in (terms.cost or ()):
            # The words of a cost that an instruction asks for are those of the instruction.
            wording = Wording(x=terms.scene.item.x, names=terms.scene.names)
        game, name, refs = game.rules.pay_cost(
            game, cost, proposal.action.by, item.source, answers, asks, wording
        )
        if refs:
            paid.append((name, refs))
    return game, paid


def is_cycling(item: StackItem) -> bool:
    """Whether its card was cycled to pay for this.

    CR 702.29c: a card is cycled when it is discarded to pay for a cycling ability. CR 702.29f: typecycling
    abilities are cycling abilities.
    """
    return item.slot[:2] == ("keyword", "cycling")


PaymentOrder = tuple[tuple[Cost, ...], tuple[Cost, ...]]
"""The costs other than mana that are paid before the mana, and those that are paid after it."""


def libraries_last(costs: tuple[Cost, ...]) -> PaymentOrder:
    """CR 601.2h: costs that move cards out of a library, or leave something to chance, are paid after all
    others.
    """
    last = tuple([cost for cost in costs if comes_last(cost)])
    return tuple([cost for cost in costs if not comes_last(cost)]), last


def comes_last(cost: Cost) -> bool:
    """Whether a cost moves cards out of a library or involves chance."""
    if isinstance(cost, DiscardCost):
        return cost.at_random
    return isinstance(cost, MillCost) or (isinstance(cost, ExileCost) and cost.zone == "library")


STAYING = (TapThis, UntapThis, TapOthers, LoyaltyCost, RemoveCountersCost, UnattachCost)
"""The costs that tap or change permanents, which stay where they are."""


def costs_that_move_nothing(costs: tuple[Cost, ...]) -> tuple[tuple[Cost, ...], tuple[Cost, ...]]:
    """The costs that leave every object where it is, and the others.

    CR 601.2h: a player pays in any order. What is tapped first can be sacrificed for another cost then, and
    no order makes more payments possible than this one.
    """
    staying = tuple([cost for cost in costs if isinstance(cost, STAYING)])
    return staying, tuple([cost for cost in costs if not isinstance(cost, STAYING)])


def as_printed(costs: tuple[Cost, ...]) -> PaymentOrder:
    """CR 601.2h: (until 2021-07) in any order; the engine uses the written order, and mana comes last."""
    return costs, ()


def became_cast(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2i: the spell becomes cast, or the ability activated, and abilities trigger on that."""
    item = proposal.item
    aims = tuple([shown_ref(game, ref) for refs in item.targets for ref in refs])
    event: GameEvent
    if item.kind == "spell":
        memory = game.remembers(item.id)
        # CR 702.34a: if the flashback cost was paid, the card is exiled whenever it would leave the stack.
        exiled = item.method == "flashback"
        if (memory.history, memory.leaves_for_exile) != (item.was, exiled):
            game = with_memory(game, item.id, replace(memory, history=item.was, leaves_for_exile=exiled))
        event = SpellCast(
            item.id,
            item.controller,
            str(proposal.price),
            ways_announced(game, item),
            aims,
            item.modes,
            item.x,
            item.divide,
            item.alias,
            item.copy,
        )
    else:
        assert isinstance(item.ability, Activated)
        game = noted_use(game, item)
        event = AbilityActivated(
            item.source.id,
            item.name,
            item.controller,
            str(proposal.price),
            Ref(item.id, item.born),
            item.source,
            game.rules.is_mana_ability(item.ability),
            is_loyalty_ability(item.ability),
            aims,
            item.modes,
            item.x,
            item.divide,
            item.alias,
        )
    return happen(game, event), proposal


def ways_announced(game: Game, item: StackItem) -> tuple[str, ...]:
    """Words for how a spell was cast; empty if it was cast the normal way."""
    face_down = ("face down",) if game.board.things[item.id].face_down else ()
    method = (f"with {item.method}",) if item.method is not None else ()
    times = "" if item.kicked == 1 else f" {item.kicked} times"
    return (*face_down, *method, *((f"kicked{times}",) if item.kicked else ()))


def noted_use(game: Game, item: StackItem) -> Game:
    """Record that an ability with a restriction was used.

    CR 602.5b: the restriction stays with the object. CR 602.5c: it affects only this ability of the object.
    """
    assert isinstance(item.ability, Activated)
    slots: list[tuple[str | int, ...]] = []
    if item.ability.once or item.ability.times is not None:
        slots.append(slot_in_use(game, item.source.id, item.slot))
    if is_loyalty_ability(item.ability):
        slots.append(("loyalty",))
    if item.ability.exhaust:
        game = with_use(game, item.source, slot_in_use(game, item.source.id, item.slot), turn=EVER)
    return with_use(game, item.source, *slots)


CASTING_STEPS: tuple[CastingStep, ...] = (
    choices_announced,
    targets_announced,
    division_announced,
    legality_checked,
    cost_determined,
    mana_abilities_activated,
    cost_paid,
    became_cast,
)
"""CR 601.2b–i, in order; CR 602.2b: the same for abilities."""

STEPS_UNTIL_2015 = tuple(step for step in CASTING_STEPS if step is not legality_checked)
"""Until 2015-07, checking the proposed spell was not a step of its own."""
