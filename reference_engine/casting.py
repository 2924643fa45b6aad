"""Casting spells and activating abilities, step by step (CR 601.2, 602.2).

A proposal goes through the steps in `rules.casting_steps`; each returns the game and the proposal a little
further on, or refuses. Since nothing is changed in place, an illegal proposal leaves the game before it
untouched (CR 733.1: the whole action is reversed).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.actions import Activate, Cast, CostPaid, Pay, PayStep, Share, TurnUp
from reference_engine.asking import amount, holds, matches, selected
from reference_engine.cards import (
    Activated,
    AddMana,
    All,
    AlternativeCost,
    AnyColorMana,
    AsThoughFlash,
    Cost,
    Costs,
    Damage,
    DiscardCost,
    Draw,
    ExileCost,
    Filter,
    If,
    Instruction,
    LifeCost,
    LoyaltyCost,
    ManaCost,
    May,
    MillCost,
    Must,
    OnlyAsSorcery,
    OpponentGainsLifeCost,
    RemoveCountersCost,
    ReturnCost,
    SacrificeCost,
    Search,
    TapOthers,
    TapThis,
    TargetSpec,
    This,
    UnattachCost,
    UntapThis,
    You,
)
from reference_engine.characteristics import Held
from reference_engine.events import (
    AbilityActivated,
    Attached,
    BecameTarget,
    CountersChanged,
    Entering,
    Event,
    LifeChanged,
    ManaGone,
    Moved,
    SpellCast,
    Tapped,
    Untapped,
    happen,
)
from reference_engine.game import (
    Game,
    Memory,
    Question,
    Ref,
    Rejected,
    StackItem,
    Unsupported,
    controller_of,
    in_order,
    is_active,
    is_main_phase,
    opponents_of,
    seat_of,
    side_of,
    thing_of,
    ticked,
    with_memory,
)
from reference_engine.keywords import abilities_of
from reference_engine.mana import (
    COLOR_LETTER,
    FREE,
    LETTERS,
    Price,
    WrongPayment,
    at_least,
    increased,
    letters_of,
    price_of,
    spent,
)
from reference_engine.questions import answered, fits
from reference_engine.recall import Named, following
from reference_engine.rule_effects import forbidding, on_rules, seen_on_rules
from reference_engine.stack import (
    asking_for,
    everything_like,
    how_many,
    modes_of,
    named_targets,
    resolve_target,
    shown_ref,
    specs_of,
    spell_of,
    with_item,
)
from reference_engine.words import MANA_COLOR, Zone


class Proposal(Struct, frozen=True):
    """A spell being cast or an ability being activated, as far as it has come."""

    item: StackItem
    action: Cast | Activate | TurnUp
    before: Game
    """The game to which an illegal action returns."""
    origin: Zone
    base: str | None = None
    """The mana cost, or what is paid in its place; none is a cost that can't be paid."""
    additional: tuple[Cost, ...] = ()
    """Costs besides the mana cost: printed ones, and those whose payment was announced."""
    hybrid: tuple[str, ...] = ()
    with_life: int = 0
    price: Price = FREE
    costs: tuple[Cost, ...] = ()
    """What is to be paid besides mana."""
    produced: str = ""
    """Mana that may pay for it: made by the mana abilities named, or taken from the pool as named."""
    answered_costs: tuple[CostPaid, ...] = ()


Step = Callable[[Game, Proposal], tuple[Game, Proposal]]


# ------------------------------------------------------------------------------ the two beginnings


def cast_spell(game: Game, action: Cast) -> Game:
    """The game after a spell was cast; its caster has priority again.

    CR 601.2: if a step can't be complied with, the casting is illegal and the game returns to the moment
    before it.
    """
    game.rules.require_priority(game, action.by)
    thing = thing_of(game, action.what)
    method = method_of(action.costs)
    game.rules.may_cast_from(game, action.by, thing.id, method)
    try:
        before = game
        game, proposal = game.rules.proposed(game, action, method)
        for step in game.rules.casting_steps:
            game, proposal = step(game, proposal)
    except Rejected as refusal:
        raise game.rules.reversed_action(before, action, refusal) from None
    return game.rules.after_action(game, action.by)


def activate_ability(game: Game, action: Activate) -> Game:
    """The game after an ability was activated, and if it is a mana ability, has resolved.

    CR 602.2: like casting, it is taken back as a whole if a step can't be complied with.
    """
    game.rules.require_priority(game, action.by)
    before = game
    try:
        game = activated(game, action)
    except Rejected as refusal:
        raise game.rules.reversed_action(before, action, refusal) from None
    return game.rules.after_action(game, action.by)


def reversed_action(game: Game, action: Cast | Activate, refusal: Rejected) -> Rejected:
    """The refusal of an illegal action, with the game as the player leaves it.

    CR 733.1: everything is reversed; legal mana abilities activated on the way may be reversed as well, or
    be kept.
    """
    if action.pay is None or action.pay.undo_mana:
        return refusal
    for step in action.pay.steps:
        if step.activate is None:
            continue
        try:
            game = game.rules.mana_ability_used(game, action.by, step)[0]
        except Rejected:
            break
    kept = Rejected(refusal.why)
    kept.kept = game.rules.after_action(game, action.by)
    return kept


def activated(game: Game, action: Activate) -> Game:
    """The game after the steps of activating an ability, without anybody getting priority yet."""
    thing = thing_of(game, action.what)
    held = ability_named(game, action)
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
        was=game.remembers(thing.id).history,
    )
    mana = game.rules.is_mana_ability(held.ability)
    proposal = Proposal(
        item=item,
        action=action,
        before=game,
        origin=thing.zone,
        base="".join(cost.mana for cost in held.ability.cost if isinstance(cost, ManaCost)),
        additional=tuple(cost for cost in held.ability.cost if not isinstance(cost, ManaCost)),
    )
    # CR 602.2a: the ability is created on the stack. CR 605.3b: a mana ability doesn't go there.
    game = replace(game, stack=(*game.stack, item))
    for step in game.rules.casting_steps:
        game, proposal = step(game, proposal)
    if mana:
        game = replace(game, stack=tuple(other for other in game.stack if other.id != item.id))
        return game.rules.resolve_mana_ability(game, proposal.item, action.produces)
    return game


def method_of(costs: tuple[CostPaid, ...]) -> str | None:
    """The alternative cost or way of casting that was announced.

    CR 601.2b, 118.9a: two alternative methods or costs can't be applied to one spell.
    """
    methods = tuple(id for paid in costs if paid.kind == "method" for id in paid.ids)
    if len(methods) > 1:
        raise Rejected(f"{' and '.join(methods)}: only one of them (CR 118.9a: one alternative cost)")
    return methods[0] if methods else None


# ----------------------------------------------------------------------------- may it be begun?


def require_priority(game: Game, player: str) -> None:
    """CR 117.1: only who has priority may cast spells, activate abilities, or take special actions."""
    seat_of(game, player)
    if game.holder != side_of(game, player) or player in game.lost:
        raise Rejected(f"{player} does not have priority")


def may_cast_from(game: Game, player: str, id: str, method: str | None) -> None:
    """CR 601.3: a card may be cast only from where a rule or effect lets its player cast it: usually the
    hand.

    CR 702.34a: flashback is for the graveyard. CR 702.81a: so is retrace.
    """
    thing = game.board.things[id]
    look = game.seen.look(id)
    if look.is_a("Land"):
        raise Rejected(f"{id} is a land, which is played, not cast (CR 305.9: never a spell)")
    if thing.owner != player:
        raise Rejected(f"{id} is not {player}'s to cast")
    if thing.zone == "hand" and method != "flashback":
        return
    if thing.zone == "graveyard" and method == "flashback" and look.has_keyword("flashback"):
        return
    if thing.zone == "graveyard" and method is None and look.has_keyword("retrace"):
        return
    raise Rejected(f"{player} can't cast {id} from the {thing.zone} that way")


def could_cast_a_sorcery(game: Game, player: str) -> bool:
    """CR 307.5, 117.1a: the player's own main phase, with priority and an empty stack."""
    return is_active(game, player) and is_main_phase(game) and not game.stack


def timing_allows(game: Game, before: Game, item: StackItem) -> bool:
    """Whether it is a time at which this spell may be cast.

    CR 117.1a: an instant any time its player has priority, anything else as a sorcery. CR 702.8a: flash is
    any time. CR 601.3b: as though it had flash.
    """
    look = game.seen.look(item.id)
    if could_cast_a_sorcery(before, item.controller):
        return True
    if any(item.controller in affected for _, affected, _ in on_rules(game, OnlyAsSorcery)):
        return False
    # CR 604.6: also an ability that works where the card could be cast from.
    if look.is_a("Instant") or look.has_keyword("flash") or before.seen.look(item.id).has_keyword("flash"):
        return True
    return any(item.id in affected for _, affected, _ in on_rules(game, AsThoughFlash))


def forbidden_to_cast(game: Game, item: StackItem, begun: bool) -> str | None:
    """What forbids a player to cast this spell, if something does.

    CR 601.3: what is prohibited can't be begun. CR 601.3a: if it hangs on a choice still to be made
    (`begun`), it may be. CR 702.61a: split second. CR 101.2: what says "can't" wins.
    """
    if game.rules.split_second(game, item.id):
        return "a spell with split second is on the stack"
    player = item.controller
    for operation, affected, effect in forbidding(game, "cast"):
        if player not in affected and item.id not in affected:
            continue
        asking = asking_for(game, item).about(item.id)
        if operation.what is not None:
            open_x = (
                not begun
                and operation.what.mana_value is not None
                and "X" in (game.seen.look(item.id).cost or "")
            )
            if open_x or not matches(operation.what, item.id, asking):
                continue
        if operation.unless is not None and holds(operation.unless, asking):
            continue
        cast = sum(who == player for who, _ in game.spells_cast)
        if operation.after is None or cast >= operation.after:
            return f"{effect.effect.source} forbids it"
    return None


def split_second(game: Game, but: str | None = None) -> bool:
    """CR 702.61a: while a spell with split second is on the stack, no spells are cast and no other than
    mana abilities activated.
    """
    return any(
        item.kind == "spell" and item.id != but and game.seen.look(item.id).has_keyword("split second")
        for item in game.stack
    )


def may_activate(game: Game, player: str, id: str, held: Held) -> None:
    """Whether a player may begin to activate an ability; refuses if not.

    CR 602.2: only its controller, unless it says otherwise. CR 602.5: not if it is prohibited. CR 602.5a,
    302.6: summoning sickness. CR 602.5b: restrictions follow the object. CR 602.5d: only as a sorcery. CR
    606.3: loyalty.
    """
    ability = held.ability
    assert isinstance(ability, Activated)
    thing = game.board.things[id]
    asking = game.seen.asking(id, controller_of(game, id))
    if player not in selected(ability.by, asking):
        raise Rejected(f"{player} may not activate abilities of {id}")
    mana = game.rules.is_mana_ability(ability)
    loyal = any(isinstance(cost, LoyaltyCost) for cost in ability.cost)
    if not mana and game.rules.split_second(game):
        raise Rejected("a spell with split second is on the stack (CR 702.61a)")
    if (ability.sorcery or loyal) and not game.rules.could_cast_a_sorcery(game, player):
        raise Rejected(f"{ability.name} of {id} may be activated only as a sorcery")
    memory = game.remembers(id)
    if loyal and (game.turn, ("loyalty",)) in memory.used:
        raise Rejected(f"a loyalty ability of {id} was activated this turn (CR 606.3)")
    if ability.once and (game.turn, held.slot) in memory.used:
        raise Rejected(f"{ability.name} of {id} was activated this turn")
    if any(isinstance(cost, TapThis | UntapThis) for cost in ability.cost) and game.rules.is_sick(game, id):
        raise Rejected(f"{id} came under {player}'s control too lately for {{T}} (CR 302.6)")
    if ability.cond is not None and not holds(ability.cond, asking):
        raise Rejected(f"the condition of {ability.name} of {id} does not hold")
    for operation, affected, effect in forbidding(game, "activate abilities"):
        if (mana and "mana abilities" in operation.but) or (loyal and "loyalty abilities" in operation.but):
            continue
        concerned = operation.what is None or matches(operation.what, id, asking)
        if id in affected or (player in affected and concerned):
            raise Rejected(f"{effect.effect.source} forbids it")
    if thing.zone not in ability.zones:
        raise Rejected(f"{ability.name} of {id} does not function in the {thing.zone}")


def is_sick(game: Game, id: str) -> bool:
    """Whether a creature came under its controller's control too lately to attack or to use {T} or {Q}.

    CR 302.6: it must have been under that player's control continuously since the player's most recent turn
    began. CR 702.10b, 702.10c: haste makes it not matter.
    """
    look = game.seen.look(id)
    if not look.is_a("Creature") or look.has_keyword("haste") or game.board.things[id].zone != "battlefield":
        return False
    memory = game.remembers(id)
    controller = look.controller or game.board.things[id].owner
    since = memory.since if memory.under == controller else game.turn
    return since >= game.recent.get(side_of(game, controller), 0)


def is_mana_ability(ability: Activated) -> bool:
    """CR 605.1a: no target, could add mana, is no loyalty ability, and moves no card to or from a library."""
    return (
        not ability.targets
        and not any(mode.targets for mode in ability.modes)
        and any(adds_mana(instruction) for instruction in ability.effect)
        and not any(isinstance(cost, LoyaltyCost | MillCost) for cost in ability.cost)
        and not any(isinstance(instruction, Draw | Search) for instruction in ability.effect)
    )


def adds_mana(instruction: Instruction) -> bool:
    """Whether an instruction could add mana."""
    match instruction:
        case AddMana():
            return True
        case If(_, effect, otherwise):
            return any(adds_mana(part) for part in effect + otherwise)
        case May():
            return any(adds_mana(part) for part in instruction.effect + instruction.otherwise)
        case _:
            return False


def ability_named(game: Game, action: Activate) -> Held:
    """The activated ability of an object that a script means."""
    found = [
        held
        for held in abilities_of(game.seen.look(action.what))
        if isinstance(held.ability, Activated) and held.ability.name == action.ability
    ]
    there = [
        h
        for h in found
        if isinstance(h.ability, Activated) and game.board.things[action.what].zone in h.ability.zones
    ]
    if not there:
        raise Rejected(f"{action.what} has no ability called {action.ability} there")
    if len(there) == 1:
        return there[0]
    if action.produces is not None:
        letter = COLOR_LETTER.get(action.produces, letters_of(action.produces) or action.produces)
        for held in there:
            if isinstance(held.ability, Activated) and could_make(held.ability, letter):
                return held
    if len({h.ability for h in there}) == 1:
        return there[0]
    raise Rejected(f"{action.what} has {len(there)} abilities called {action.ability}: say what it produces")


def could_make(ability: Activated, letters: str) -> bool:
    """Whether a mana ability can make this mana."""
    return any(
        isinstance(instruction, AddMana)
        and (instruction.mana == "any" or letters_of(instruction.mana) == letters)
        for instruction in ability.effect
    )


# -------------------------------------------------------------------------------------- the steps


def proposed(game: Game, action: Cast, method: str | None) -> tuple[Game, Proposal]:
    """CR 601.2a: the card goes to the top of the stack, its caster becomes its controller.

    CR 708.4: a card cast face down is turned face down before it is put there.
    CR 601.3: the proposal is begun only if nothing forbids it, looking at the spell as it is there.
    """
    before = game
    thing = game.board.things[action.what]
    printed_look = game.seen.look(action.what)
    if action.face_down and not printed_look.has_keyword("morph"):
        raise Rejected(f"nothing lets {action.by} cast {action.what} face down (CR 702.37d)")
    history = frozenset({"cast", "cast from hand"} if thing.zone == "hand" else {"cast"})
    entering = Entering(
        under=action.by, face_down=action.face_down, memory=Memory(history=history), settled=True
    )
    game = game.rules.moved(game, Moved(thing.id, thing.zone, "stack", "cast", entering), game)
    born = game.remembers(thing.id).born
    item = StackItem(
        id=thing.id,
        kind="spell",
        controller=action.by,
        source=Ref(thing.id, born),
        born=born,
        alias=action.as_,
        x=action.x,
        method=method,
        was=history,
    )
    game = replace(game, stack=(*game.stack, item))
    why = game.rules.forbidden_to_cast(game, item, False)
    if why is not None:
        raise Rejected(why)
    if not game.rules.timing_allows(game, before, item):
        raise Rejected(f"{action.by} can't cast {action.what} now (CR 117.1a)")
    return game, Proposal(item=item, action=action, before=before, origin=thing.zone)


def choices_announced(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2b: modes, alternative and additional costs, X, and how hybrid and Phyrexian symbols will be
    paid.
    """
    action, item = proposal.action, proposal.item
    assert not isinstance(action, TurnUp)
    if isinstance(action, Cast):
        proposal = with_method(game, proposal)
        proposal = with_additional_costs(game, proposal)
        item = proposal.item
    game = with_item(game, item)
    entwined = any(paid.kind == "additional" and "entwine" in paid.ids for paid in action.costs)
    item = replace(item, modes=modes_chosen(game, item, action.modes, entwined))
    mana = (proposal.base or "") + "".join(c.mana for c in proposal.additional if isinstance(c, ManaCost))
    if "{X}" in mana:
        if item.x is None:
            game, answer = answered(game, Question("x", action.by, (action.what,)))
            item = replace(item, x=int(str(answer[0])))
        if (item.x or 0) < 0:
            raise Rejected("X can't be negative (CR 107.1b)")
    elif item.x:
        raise Rejected(f"there is no X in the cost of {action.what} as it is paid (CR 107.3b: X is 0 then)")
    if item.x is not None and item.kind == "spell":
        thing = game.board.things[item.id]
        game = replace(
            game, board=game.board.with_things(replace(thing, chosen=replace(thing.chosen, x=item.x)))
        )
    hybrid = tuple(id for paid in action.costs if paid.kind == "hybrid" for id in paid.ids)
    with_life = sum(
        paid.n if paid.n is not None else 99
        for paid in action.costs
        if paid.kind == "life" and (paid.n is None or paid.n > 0)
    )
    try:
        price_of(mana, item.x or 0, hybrid, with_life)
    except WrongPayment as wrong:
        raise Rejected(str(wrong)) from None
    proposal = replace(proposal, item=item, hybrid=hybrid, with_life=with_life)
    return with_item(game, item), proposal


def with_method(game: Game, proposal: Proposal) -> Proposal:
    """The proposal with the mana cost, or the alternative cost announced in its place (CR 118.9:
    alternative costs).
    """
    item, action = proposal.item, proposal.action
    assert isinstance(action, Cast)
    look = game.seen.look(item.id)
    if action.face_down:
        if item.method not in (None, "morph"):
            raise Rejected(f"{item.method} and morph: only one of them (CR 118.9a: one alternative cost)")
        # CR 702.37a: three mana in place of the mana cost.
        return replace(proposal, base="{3}")
    match item.method:
        case None:
            return replace(proposal, base=look.cost)
        case "flashback":
            # CR 400.7g: an ability granted to the card in the graveyard goes on applying to the spell.
            there = proposal.before.seen.look(item.id)
            keyword = next(k for k in there.keywords if k.keyword == "flashback")
            # CR 702.34a: if the flashback cost was paid, it is exiled whenever it would leave the stack.
            item = replace(item, goes_to="exile")
            mana = keyword.mana if keyword.mana is not None or keyword.costs else look.cost
            return replace(proposal, base=mana or "", additional=keyword.costs, item=item)
    # CR 604.6: an effect on the card where it is cast from counts as well as one on the spell.
    for seen in (game.seen, proposal.before.seen):
        for operation, affected, _ in seen_on_rules(seen, AlternativeCost):
            if operation.name == item.method and item.id in affected:
                mana = "".join(cost.mana for cost in operation.costs if isinstance(cost, ManaCost))
                others = tuple(cost for cost in operation.costs if not isinstance(cost, ManaCost))
                return replace(proposal, base=mana, additional=others)
    raise Rejected(f"{item.id} can't be cast for {item.method}")


def with_additional_costs(game: Game, proposal: Proposal) -> Proposal:
    """The proposal with printed additional costs, and the optional ones that were announced (CR 118.8:
    additional costs).

    CR 702.33a: kicker. CR 702.27a: buyback, with which the spell goes to hand as it resolves.
    """
    item, action = proposal.item, proposal.action
    look = game.seen.look(item.id)
    spell = spell_of(look)
    costs = proposal.additional + (spell.additional if spell is not None else ())
    wanted = [id for paid in action.costs if paid.kind == "additional" for id in paid.ids]
    times = sum(paid.n or 1 for paid in action.costs if paid.kind == "kicked") + wanted.count("kicker")
    kickers = sorted((k for k in look.keywords if k.keyword == "kicker"), key=str)
    if times > len(kickers):
        raise Rejected(f"{item.id} can't be kicked {times} times")
    for keyword in kickers[:times]:
        costs += keyword_costs(keyword.mana, keyword.costs)
    buyback = next((k for k in look.keywords if k.keyword == "buyback"), None)
    if "buyback" in wanted:
        if buyback is None:
            raise Rejected(f"{item.id} has no buyback")
        costs += keyword_costs(buyback.mana, buyback.costs)
        item = replace(item, goes_to="hand")
    if "entwine" in wanted:
        # CR 702.42a: choose all modes by paying more.
        entwine = next((k for k in look.keywords if k.keyword == "entwine"), None)
        if entwine is None:
            raise Rejected(f"{item.id} has no entwine")
        costs += keyword_costs(entwine.mana, entwine.costs)
    if proposal.origin == "graveyard" and item.method is None:
        # CR 702.81a: retrace: from the graveyard, by discarding a land card besides.
        costs += (DiscardCost(1, All(type=frozenset({"Land"}), zones=frozenset({"hand"}))),)
    if any(word not in ("kicker", "buyback", "entwine") for word in wanted):
        raise Rejected(f"{item.id} has no additional cost called {', '.join(wanted)}")
    if times:
        item = replace(item, kicked=times, was=item.was | {"kicked"})
    return replace(proposal, additional=costs, item=item)


def keyword_costs(mana: str | None, costs: tuple[Cost, ...]) -> tuple[Cost, ...]:
    """A keyword's cost."""
    return (*((ManaCost(mana),) if mana is not None else ()), *costs)


def modes_chosen(game: Game, item: StackItem, modes: tuple[int, ...], entwined: bool) -> tuple[int, ...]:
    """CR 700.2: the modes announced, in printed order; as many as the text says, none of them twice.

    CR 702.42a: with entwine, all of them.
    """
    printed_modes, least, most = modes_of(game, item)
    if entwined:
        return tuple(range(1, len(printed_modes) + 1))
    if not printed_modes:
        if modes:
            raise Rejected(f"{item.source.id} has no modes")
        return ()
    if not least <= len(modes) <= most or len(set(modes)) != len(modes):
        raise Rejected(f"{item.source.id}: {least} to {most} different modes are to be chosen")
    if not all(1 <= number <= len(printed_modes) for number in modes):
        raise Rejected(f"{item.source.id} has modes 1 to {len(printed_modes)}")
    return tuple(sorted(modes))


def targets_announced(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2c: a legal object or player for each target; what becomes a target triggers, and waits."""
    item, action = proposal.item, proposal.action
    assert not isinstance(action, TurnUp)
    specs = specs_of(game, item)
    game, item = with_targets(game, replace(item, specs=specs), action.targets, (action.what,))
    if specs and Must in game.mentions:
        game.rules.obeys_target_requirements(game, item)
    return game, replace(proposal, item=item)


class NotEnoughTargets(Rejected):
    """There are fewer legal targets than are required."""


def with_targets(
    game: Game, item: StackItem, wanted: tuple[tuple[str, ...], ...] | None, askers: tuple[str, ...]
) -> tuple[Game, StackItem]:
    """The spell or ability with its targets, checked one instance of the word "target" after the other.

    CR 115.3: the same target not twice for one instance, but once for each instance. Without `wanted` every
    target is a question; with it, only those that are required and were left out altogether.
    """
    specs = item.specs
    if wanted is not None and len(wanted) > len(specs):
        raise Rejected(f"{item.source.id} has {len(specs)} targets, not {len(wanted)}")
    asks = wanted is None or not wanted
    given = None if not asks else answer_for_all(game, item, askers)
    if given is not None:
        game, wanted = given
        asks = False
    chosen: list[tuple[Ref, ...]] = []
    for number, spec in enumerate(specs):
        named = named_targets(specs, tuple(chosen))
        least, most = how_many(game, item, spec, named)
        legal = game.rules.legal_targets(game, item, spec, named)
        if len(legal) < least:
            raise NotEnoughTargets(f"there are not enough legal targets for {item.source.id}")
        refs: tuple[Ref, ...] = ()
        if not asks and wanted is not None and number < len(wanted):
            refs = tuple(resolve_target(game, name) for name in wanted[number])
        elif asks and (wanted is None or least > 0):
            game, chooser = chooser_of(game, item, spec, named, askers)
            question = Question("targets", chooser, askers, shown(game, legal), least, min(most, len(legal)))
            game, answer = answered(game, question)
            refs = tuple(resolve_target(game, str(name)) for name in answer)
        if not least <= len(refs) <= most:
            raise Rejected(f"{item.source.id}: {least} to {most} targets are to be chosen, not {len(refs)}")
        if len({ref.id for ref in refs}) != len(refs):
            raise Rejected("the same target twice (CR 115.3)")
        for ref in refs:
            if ref.id not in legal:
                raise Rejected(f"{ref.id} is no legal target for {item.source.id}")
        chosen.append(refs)
    item = replace(item, targets=tuple(chosen))
    game = with_item(game, item)
    aims = dict.fromkeys(ref.id for refs in chosen for ref in refs)
    if aims:
        game = happen(game, *(BecameTarget(id, item.id, item.controller) for id in aims))
    return game, item


def chooser_of(
    game: Game, item: StackItem, spec: TargetSpec, named: Named, askers: tuple[str, ...]
) -> tuple[Game, str]:
    """Who chooses a target: the controller, unless it says otherwise.

    CR 601.7: an opponent does what the controller would normally do. CR 601.7a: the controller decides
    which opponent.
    """
    who = selected(spec.by, asking_for(game, item, named))
    those = tuple(player for player in in_order(game) if player in who or side_of(game, player) in who)
    if not those:
        return game, item.controller
    game, answer = answered(game, Question("player", item.controller, askers, those))
    return game, str(answer[0])


def shown(game: Game, ids: tuple[str, ...]) -> tuple[str, ...]:
    """These objects as the script calls them."""
    return tuple(shown_ref(game, Ref(id)) for id in ids)


def answer_for_all(
    game: Game, item: StackItem, askers: tuple[str, ...]
) -> tuple[Game, tuple[tuple[str, ...], ...]] | None:
    """One prepared answer that has the targets for several instances of the word, one after the other."""
    numbers = [spec.most for spec in item.specs if isinstance(spec.most, int) and spec.least == spec.most]
    total = sum(numbers)
    if len(numbers) < 2 or len(numbers) != len(item.specs):
        return None
    question = Question("targets", item.controller, askers, (), total, total)
    for prepared in game.answers:
        answer = prepared.choose.answer
        if fits(game, prepared, question):
            if len(answer) != total:
                return None
            rest = iter(str(name) for name in answer)
            wanted = tuple(tuple(next(rest) for _ in range(n)) for n in numbers)
            return replace(game, answers=tuple(p for p in game.answers if p is not prepared)), wanted
    return None


def obeys_target_requirements(game: Game, item: StackItem) -> None:
    """Refuse targets that leave out what has to be targeted if it can be.

    CR 601.2c: of the effects that say something must be chosen as a target, as many as possible are obeyed.
    """
    required = [
        frozenset(affected)
        for operation, affected, effect in on_rules(game, Must)
        if operation.do == "be targeted" and item.controller in opponents_of(game, effect.you)
    ]
    if not required:
        return
    chosen = {ref.id for refs in item.targets for ref in refs}
    obeyed = sum(bool(group & chosen) for group in required)
    slots: list[frozenset[str]] = []
    for spec, refs in zip(item.specs, item.targets, strict=True):
        legal = frozenset(game.rules.legal_targets(game, item, spec, {}))
        slots += [legal] * len(refs)
    if obeyed < most_obeyed(slots, required):
        raise Rejected("something that must be targeted if able is not (CR 601.2c)")


def most_obeyed(slots: list[frozenset[str]], required: list[frozenset[str]]) -> int:
    """How many of these groups can each have a member among the targets."""
    if not slots:
        return 0
    first, rest = slots[0], slots[1:]
    best = most_obeyed(rest, required)
    for id in sorted({member for group in required for member in group & first}):
        now = [group for group in required if id in group]
        later = [group for group in required if id not in group]
        best = max(best, len(now) + most_obeyed(rest, later))
    return best


def division_announced(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2d: how something is divided among the targets, at least one to each."""
    assert not isinstance(proposal.action, TurnUp)
    game, item = with_division(game, proposal.item, proposal.action.divide, (proposal.action.what,))
    return game, replace(proposal, item=item)


def with_division(
    game: Game, item: StackItem, given: tuple[Share, ...], askers: tuple[str, ...]
) -> tuple[Game, StackItem]:
    """The spell or ability with its division among targets, if it divides something."""
    instruction = next((i for i in instructions_of(game, item) if isinstance(i, Damage) and i.divided), None)
    if instruction is None:
        if given:
            raise Rejected(f"{item.source.id} divides nothing")
        return game, item
    targets = tuple(ref for refs in item.targets for ref in refs)
    total = amount(instruction.n, asking_for(game, item, named_targets(item.specs, item.targets)))
    game, shares = shares_of(game, item, targets, total, given, askers)
    item = replace(item, divide=shares)
    return with_item(game, item), item


def shares_of(
    game: Game,
    item: StackItem,
    targets: tuple[Ref, ...],
    total: int,
    given: tuple[Share, ...],
    askers: tuple[str, ...],
) -> tuple[Game, tuple[Share, ...]]:
    """The division among the targets, as given or as chosen."""
    if len(targets) == 1 and not given:
        return game, (Share(targets[0].id, total),)
    if not given and targets:
        game, answer = answered(
            game, Question("division", item.controller, askers, least=len(targets), most=len(targets))
        )
        given = tuple(share for share in answer if isinstance(share, Share))
    resolved = tuple(Share(resolve_target(game, share.to).id, share.n) for share in given)
    if sorted(share.to for share in resolved) != sorted(ref.id for ref in targets):
        raise Rejected("each target gets a share (CR 601.2d)")
    if sum(share.n for share in resolved) != (total if targets else 0) or any(
        share.n < 1 for share in resolved
    ):
        raise Rejected(f"{total} is to be divided, at least one to each (CR 601.2d)")
    return game, resolved


def instructions_of(game: Game, item: StackItem) -> tuple[Instruction, ...]:
    """What a spell or ability will do, given its modes and whether it was kicked."""
    if item.kind == "spell":
        spell = spell_of(game.seen.look(item.id))
        if spell is None:
            return ()
        modes = tuple(i for number in item.modes for i in spell.modes[number - 1].effect)
        return spell.effect + modes + (spell.kicked if item.kicked else ())
    assert item.ability is not None
    modes = tuple(i for number in item.modes for i in item.ability.modes[number - 1].effect)
    return item.ability.effect + modes


def legality_checked(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2e: the proposed spell is checked once more, with everything announced."""
    if proposal.item.kind == "spell":
        why = game.rules.forbidden_to_cast(game, proposal.item, True)
        if why is not None:
            raise Rejected(why)
    return game, proposal


def cost_determined(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2f: the total cost, which is then locked in."""
    if proposal.base is None:
        raise Rejected(f"{proposal.item.id} has no mana cost, which can't be paid (CR 118.6)")
    price = game.rules.total_cost(game, proposal)
    others = tuple(cost for cost in proposal.additional if not isinstance(cost, ManaCost))
    item = replace(proposal.item, paid=str(price))
    return with_item(game, item), replace(proposal, price=price, costs=others, item=item)


def total_cost(game: Game, proposal: Proposal) -> Price:
    """The mana to pay: the mana cost or what replaces it, and additional costs; then changed by effects.

    CR 601.2f: increases are added, then reductions taken off in the order the player chooses, never below
    {0}; then come effects that directly affect the total.
    """
    item = proposal.item
    mana = (proposal.base or "") + "".join(c.mana for c in proposal.additional if isinstance(c, ManaCost))
    price = price_of(mana, item.x or 0, proposal.hybrid, proposal.with_life)
    if Costs not in game.mentions and not (item.kind == "spell" and game.seen.look(item.id).keywords):
        return price
    changes = cost_changes(game, item)
    for _, how, by in changes:
        if how == "more":
            price = increased(price, by)
    first = [id for paid in proposal.action.costs if paid.kind == "reduce_in_order" for id in paid.ids]
    less = [(source, by) for source, how, by in changes if how == "less"]
    less.sort(key=lambda pair: first.index(pair[0]) if pair[0] in first else len(first))
    for _, by in less:
        price = game.rules.reduced(price, by)
    for _, how, by in changes:
        if how == "at least":
            price = at_least(price, by.total)
    return price


def cost_changes(game: Game, item: StackItem) -> list[tuple[str, str, Price]]:
    """What changes the cost of this spell or ability: whose effect, how, and by how much."""
    seen = game.seen
    found: list[tuple[str, str, Price]] = []
    for operation, affected, effect in on_rules(game, Costs):
        if (item.id if item.kind == "spell" else item.source.id) not in affected:
            continue
        # CR 601.2f: what the spell says of its own cost may speak of its targets.
        asking = asking_for(game, item, named_targets(item.specs, item.targets))
        if effect.effect.source != item.id:
            asking = seen.asking(effect.effect.source, effect.you)
        times = amount(operation.times, asking)
        found.append((effect.effect.source, operation.how, price_of(operation.mana * times)))
    if item.kind == "spell":
        for keyword in seen.look(item.id).keywords:
            if keyword.keyword == "affinity":
                # CR 702.41a: it costs {1} less for each such permanent you control.
                asking = asking_for(game, item)
                yours = everything_like(Filter(any_of=(keyword.what or Filter(),), controller=You()))
                found.append((item.id, "less", Price(generic=len(selected(yours, asking)))))
    return found


def mana_abilities_activated(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2g: mana abilities are activated before costs are paid, if mana has to be paid."""
    pay = proposal.action.pay
    if pay is None:
        return game, proposal
    if proposal.price.total == 0 and any(step.activate for step in pay.steps):
        raise Rejected("no mana is to be paid, so no mana abilities can be activated now (CR 601.2g)")
    usable = ""
    for step in pay.steps:
        if step.pool is not None:
            usable += letters_of(step.pool)
            continue
        game, made = game.rules.mana_ability_used(game, proposal.action.by, step)
        usable += made
    return game, replace(proposal, produced=usable)


def mana_ability_used(game: Game, player: str, step: PayStep) -> tuple[Game, str]:
    """The game after a mana ability was activated for a payment, and the mana it made for the player.

    CR 605.3a: also in the middle of casting, activating or resolving something, when mana is to be paid.
    """
    assert step.activate is not None
    before = game.pools.get(player, "")
    action = Activate(step.activate, step.ability, player, produces=step.choose, pay=Pay())
    held = ability_named(game, action)
    assert isinstance(held.ability, Activated)
    if not game.rules.is_mana_ability(held.ability):
        raise Rejected(f"{step.ability} of {step.activate} is no mana ability")
    game = activated(game, action)
    after = game.pools.get(player, "")
    for letter in before:
        after = after.replace(letter, "", 1)
    return game, after


def cost_paid(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2h: the total cost is paid as a whole, or not at all; what moves cards out of a library comes
    last.
    """
    item, player = proposal.item, proposal.action.by
    paid: list[tuple[str, tuple[Ref, ...]]] = []
    answers = list(proposal.action.costs)
    for cost in sorted(proposal.costs, key=lambda cost: isinstance(cost, MillCost)):
        asks = (proposal.action.what,)
        game, name, refs = game.rules.pay_cost(game, cost, player, item.source, answers, asks, item.slot)
        if refs:
            paid.append((name, refs))
    game = pay_mana(game, proposal, answers)
    if proposal.price.life:
        game = pay_life(game, player, proposal.price.life)
    if item.kind == "activated":
        source = following(proposal.before, game, item.source)
        item = replace(item, source=source)
    item = replace(item, names=(*item.names, *paid))
    return with_item(game, item), replace(proposal, item=item)


def pay_mana(game: Game, proposal: Proposal, answers: list[CostPaid]) -> Game:
    """The game after the mana was paid from what was made or named for it; without `pay`, mana is free.

    CR 702.51a: a creature tapped for convoke pays for one mana of its colour or one generic.
    """
    player, price = proposal.action.by, proposal.price
    if proposal.item.kind == "spell" and game.seen.look(proposal.item.id).has_keyword("convoke"):
        for id in [id for paid in answers if paid.kind == "tap" for id in paid.ids]:
            game, price = convoked(game, player, id, price)
    if proposal.action.pay is None:
        return game
    pool = game.pools.get(player, "")
    if any(proposal.produced.count(letter) > pool.count(letter) for letter in proposal.produced):
        raise Rejected(f"{player} does not have that mana in the pool")
    mana = spent(proposal.produced, price, freedom(game, player))
    if mana is None:
        raise Rejected(
            f"{price} can't be paid with {proposal.produced or 'no mana'} (CR 601.2h: no partial payment)"
        )
    return happen(game, ManaGone(player, mana, "spent")) if mana else game


def freedom(game: Game, player: str) -> tuple[str, bool]:
    """Which mana a player may spend as though it were of any colour, and whether other mana counts as its
    colour.

    CR 609.4b: effects may let mana be spent as though it were of another type.
    """
    free, others = "", True
    for operation, affected, _ in on_rules(game, AnyColorMana):
        if player in affected and operation.only is None:
            free = LETTERS
        elif player in affected and operation.only is not None:
            free, others = free + COLOR_LETTER[operation.only], False
    return free, others


def convoked(game: Game, player: str, id: str, price: Price) -> tuple[Game, Price]:
    """The game after a creature was tapped to pay for one mana."""
    thing, look = thing_of(game, id), game.seen.look(id)
    if thing.zone != "battlefield" or thing.tapped or look.controller != player or not look.is_a("Creature"):
        raise Rejected(f"{id} can't be tapped for convoke")
    for letter in price.pips:
        if MANA_COLOR.get(letter) in look.colors:
            return happen(game, Tapped(id)), replace(price, pips=price.pips.replace(letter, "", 1))
    if price.generic == 0:
        raise Rejected(f"{id} can't pay for any of {price}")
    return happen(game, Tapped(id)), replace(price, generic=price.generic - 1)


def pay_life(game: Game, player: str, n: int) -> Game:
    """CR 119.4: life can be paid only by who has at least so much."""
    if seat_of(game, player).life < n:
        raise Rejected(f"{player} has less than {n} life to pay")
    return happen(game, LifeChanged(player, -n, "paid")) if n else game


def pay_cost(
    game: Game,
    cost: Cost,
    player: str,
    source: Ref,
    answers: list[CostPaid],
    askers: tuple[str, ...],
    slot: tuple[str | int, ...] = (),
) -> tuple[Game, str, tuple[Ref, ...]]:
    """The game after one cost that is not mana was paid, and what was used for it, under a name.

    CR 118.3: a cost that can't be paid in full can't be paid at all.
    """
    this = source.id
    thing = game.board.things.get(this)
    match cost:
        case TapThis():
            if thing is None or thing.tapped or thing.zone != "battlefield":
                raise Rejected(f"{this} can't be tapped")
            return happen(game, Tapped(this)), "", ()
        case UntapThis():
            if thing is None or not thing.tapped or thing.zone != "battlefield":
                raise Rejected(f"{this} can't be untapped")
            return happen(game, Untapped(this)), "", ()
        case TapOthers(what, n):
            options = yours(game, player, everything_like(what), lambda id: not game.board.things[id].tapped)
            game, ids = picked(game, "tap", options, n, player, answers, askers)
            return happen(game, *(Tapped(id) for id in ids)), "tapped", refs_of(game, ids)
        case SacrificeCost(what, n, name):
            options = (
                (this,) if isinstance(what, This) else yours(game, player, what, lambda id: True, source)
            )
            if isinstance(what, This) and (thing is None or thing.zone != "battlefield"):
                raise Rejected(f"{this} can't be sacrificed")
            game, ids = picked(game, "sacrifice", options, n, player, answers, askers)
            game, _, refs = moved_for_cost(game, ids, "graveyard", "sacrificed")
            return game, name, refs
        case DiscardCost(n, what):
            hand = seat_of(game, player).hand
            if isinstance(what, This):
                options = tuple(id for id in hand if id == this)
            elif what is not None:
                chosen = selected(what, game.seen.asking(this, player))
                options = tuple(id for id in hand if id in chosen)
            else:
                options = tuple(id for id in hand if id != this)
            game, ids = picked(game, "discard", options, n, player, answers, askers)
            return moved_for_cost(game, ids, "graveyard", "discarded")
        case ExileCost(what, n, zone):
            if isinstance(what, This):
                options = (this,)
            else:
                chosen = selected(replace(what, zones=frozenset({zone})), game.seen.asking(this, player))
                options = tuple(id for id in chosen if id != this and game.board.things[id].owner == player)
            game, ids = picked(game, "exile", options, n, player, answers, askers)
            return moved_for_cost(game, ids, "exile", "exiled")
        case ReturnCost(what, n):
            options = yours(game, player, everything_like(what), lambda id: True, source)
            game, ids = picked(game, "return", options, n, player, answers, askers)
            return moved_for_cost(game, ids, "hand", "returned")
        case LifeCost(n):
            return pay_life(game, player, n), "", ()
        case LoyaltyCost(n):
            # CR 606.4: put on or remove loyalty counters. CR 606.6: as many as are to be removed must be
            # there.
            if thing is None or thing.count("loyalty") + n < 0:
                raise Rejected(f"{this} does not have {-n} loyalty counters")
            return (happen(game, CountersChanged(this, "loyalty", n)) if n else game), "", ()
        case RemoveCountersCost(kind, n):
            if thing is None or thing.count(kind) < n:
                raise Rejected(f"{this} does not have {n} {kind} counters")
            return happen(game, CountersChanged(this, kind, -n)), "", ()
        case MillCost(n):
            library = seat_of(game, player).library
            if len(library) < n:
                raise Rejected(f"{player} has fewer than {n} cards in the library")
            return moved_for_cost(game, library[:n], "graveyard", "milled")
        case UnattachCost():
            return unattached_for_cost(game, slot), "", ()
        case OpponentGainsLifeCost(n):
            return opponent_gains_life(game, player, n, askers), "", ()
        case ManaCost():
            raise Unsupported("mana paid here")
        case _:
            assert_never(cost)


def unattached_for_cost(game: Game, slot: tuple[str | int, ...]) -> Game:
    """The game after the Equipment that granted an ability was unattached to pay for it (CR 701.3d: to
    unattach).
    """
    equipment = str(slot[1]) if slot[:1] == ("gained",) else ""
    thing = game.board.things.get(equipment)
    if thing is None or thing.attached_to is None:
        raise Rejected("there is nothing to unattach")
    return happen(game, Attached(equipment, None))


def opponent_gains_life(game: Game, player: str, n: int, askers: tuple[str, ...]) -> Game:
    """The game after an opponent gained life as a cost (CR 119.7: it can't be paid if none can gain life)."""
    able = tuple(other for other in opponents_of(game, player) if game.rules.can_gain_life(game, other))
    if not able:
        raise Rejected("no opponent can gain life")
    game, answer = answered(game, Question("player", player, askers, able))
    return happen(game, LifeChanged(str(answer[0]), n, "gained"))


def yours(
    game: Game, player: str, what: All, wanted: Callable[[str], bool], source: Ref | None = None
) -> tuple[str, ...]:
    """The permanents of a player that are as wanted."""
    this = source.id if source is not None else next(iter(game.board.things))
    seen = game.seen
    asking = seen.asking(this, player)
    return tuple(
        id
        for id in selected(what, asking)
        if game.board.things[id].zone == "battlefield" and seen.look(id).controller == player and wanted(id)
    )


def picked(
    game: Game,
    kind: Literal["sacrifice", "discard", "tap", "exile", "return"],
    options: tuple[str, ...],
    n: int,
    player: str,
    answers: list[CostPaid],
    askers: tuple[str, ...],
) -> tuple[Game, tuple[str, ...]]:
    """The objects used for a cost: as the action says, or as prepared; so many of those that may be used."""
    if len(options) < n:
        raise Rejected(f"{player} can't {kind} {n} of those (CR 118.3)")
    for given in answers:
        if given.kind == kind:
            # CR 118.10: what pays for one cost pays for no other.
            ids, rest = given.ids[:n], given.ids[n:]
            answers[answers.index(given)] = replace(given, ids=rest)
            if len(ids) != n or len(set(ids)) != n or any(id not in options for id in ids):
                raise Rejected(f"{player} can't {kind} {', '.join(ids)} for this")
            return game, ids
    game, answer = answered(game, Question("cards", player, askers, options, n, n))
    return game, tuple(str(id) for id in answer)


def refs_of(game: Game, ids: tuple[str, ...]) -> tuple[Ref, ...]:
    """These objects as they are now."""
    return tuple(game.ref(id) for id in ids)


def moved_for_cost(game: Game, ids: tuple[str, ...], to: Zone, how: str) -> tuple[Game, str, tuple[Ref, ...]]:
    """The game after objects were moved to pay a cost; the effect can find them in a public zone (CR
    400.7j: costs).
    """
    before, refs = game, refs_of(game, ids)
    zones = game.board.things
    game = happen(game, *(Moved(id, zones[id].zone, to, how) for id in ids))
    return game, how, tuple(following(before, game, ref) for ref in refs)


def became_cast(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2i: the spell becomes cast, or the ability activated, and what waits for that triggers."""
    item = proposal.item
    event: Event
    if item.kind == "spell":
        memory = game.remembers(item.id)
        game = with_memory(
            game, item.id, replace(memory, history=item.was, kicked=item.kicked, costs=item.names)
        )
        event = SpellCast(item.id, item.controller, str(proposal.price), proposal.origin == "hand")
    else:
        assert isinstance(item.ability, Activated)
        game = noted_use(game, item)
        event = AbilityActivated(
            item.source.id,
            item.name,
            item.controller,
            str(proposal.price),
            game.rules.is_mana_ability(item.ability),
        )
    return happen(game, event), proposal


def noted_use(game: Game, item: StackItem) -> Game:
    """The game remembering that an ability with a restriction was used.

    CR 602.5b: the restriction stays with the object. CR 602.5c: and concerns only this ability of it.
    """
    assert isinstance(item.ability, Activated)
    slots: list[tuple[str | int, ...]] = []
    if item.ability.once:
        slots.append(item.slot)
    if any(isinstance(cost, LoyaltyCost) for cost in item.ability.cost):
        slots.append(("loyalty",))
    if not slots or not game.is_there(item.source):
        return game
    memory = game.remembers(item.source.id)
    used = tuple(use for use in memory.used if use[0] == game.turn) + tuple(
        (game.turn, slot) for slot in slots
    )
    return with_memory(game, item.source.id, replace(memory, used=used))


CASTING_STEPS: tuple[Step, ...] = (
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
