"""Ways to get casting and activating wrong: what may be cast, when, at which targets, for which costs."""

from __future__ import annotations

from typing import Any

import msgspec

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import casting, costs, resolving, stack, targets, timing
from reference_engine.game.costs import Proposal, Terms
from reference_engine.game.events import Moved
from reference_engine.game.game import Game, Ref, Rejected, StackItem, side_of
from reference_engine.game.happening import happen
from reference_engine.game.mana import FREE, Price
from reference_engine.game.recall import NamedObjects
from reference_engine.game.rule_effects import Permission
from reference_engine.game.scene import Scene
from reference_engine.language.actions import Activate, CastAction, PayStep
from reference_engine.language.cards import Activated, Cost, Instruction, TapThis, TargetSpec, Triggered
from reference_engine.language.characteristics import HeldAbility
from reference_engine.language.keywords import abilities_of

# ---------------------------------------------------------------------------- casting, activating


def resolves_within(game: Game, player: str, id: str, terms: Terms) -> Game:
    """A spell that is cast during a resolution resolves at once."""
    below = casting.cast_while_resolving(game, player, id, terms)
    return below.rules.resolve_top(below)


def casts_unnoticed(game: Game, player: str, id: str, terms: Terms) -> Game:
    """Nothing triggers on a spell that is cast while something resolves."""
    after = casting.cast_while_resolving(game, player, id, terms)
    return msgspec.structs.replace(after, waiting=game.waiting)


def timely(game: Game, player: str, id: str, terms: Terms) -> Game:
    """During a resolution, only spells that could be cast in response can be cast."""
    after = casting.cast_while_resolving(game, player, id, terms)
    item = after.stack[-1]
    if not game.rules.timing_allows(after, game, item):
        raise Rejected(f"{id} can't be cast now")
    return after


def casts_what_it_likes(game: Game, item: StackItem, terms: Terms) -> bool:
    """Any spell may be cast, whatever kind the instruction asks for."""
    return True


def asks_in_any_case(game: Game, scene: Scene, effect: tuple[Instruction, ...]) -> bool:
    """A player is asked whether to cast a card even if that is impossible."""
    return True


def nothing_is_left_uncast(game: Game, id: str) -> bool:
    """A card that a player is to cast if able is always cast if that is possible."""
    return False


def permits_for_its_own_cost(game: Game, player: str, id: str) -> tuple[Permission, ...]:
    """A card that an effect lets a player cast has its usual cost."""
    return altered(timing.permissions(game, player, id), cost=None)


def permits_lands_too(game: Game, player: str, id: str) -> tuple[Permission, ...]:
    """A land may be played where an effect lets cards be cast."""
    return altered(timing.permissions(game, player, id), only_cast=False)


def permits_its_own_mana_only(game: Game, player: str, id: str) -> tuple[Permission, ...]:
    """Mana pays for its own colour only, whatever the effect that lets a card be cast says."""
    return altered(timing.permissions(game, player, id), any_mana=False)


def permits_the_oldest(game: Game, player: str, id: str) -> tuple[Permission, ...]:
    """Of several effects that let a card be played, nobody chooses: it is the oldest."""
    return timing.permissions(game, player, id)[:1]


def altered(permissions: tuple[Permission, ...], **fields: Any) -> tuple[Permission, ...]:
    """The permissions to play a card with these fields changed."""
    return tuple(
        [(msgspec.structs.replace(operation, **fields), effect) for operation, effect in permissions]
    )


def from_anywhere(game: Game, player: str, id: str, method: str | None) -> None:
    """A card may be cast from any zone."""
    if game.seen.look(id).is_a("Land"):
        timing.may_cast_from(game, player, id, method)


def permits_nothing(game: Game, player: str, id: str) -> tuple[Permission, ...]:
    """No effect lets a card be played from another zone."""
    return ()


def forbids_nothing(game: Game, item: StackItem, before: Game | None) -> str | None:
    """No effect forbids casting a spell; only split second does."""
    return "split second" if game.rules.split_second(game, item.id) else None


def legendary_at_will(game: Game, item: StackItem) -> bool:
    """A legendary spell needs nothing."""
    return True


def activated_again(game: Game, player: str, id: str, held: HeldAbility) -> None:
    """The number of times an ability was activated this turn does not matter."""
    fresh = msgspec.structs.replace(game.remembers(id), used=())
    timing.may_activate(msgspec.structs.replace(game, memory={**game.memory, id: fresh}), player, id, held)


def alike_used_up(game: Game, id: str, held: HeldAbility) -> bool:
    """An ability limited to once a turn is used up if another with the same words was activated."""
    alike = (other for other in abilities_of(game.seen.look(id)) if other.ability == held.ability)
    return any(timing.used_up(game, id, other) for other in alike)


def no_mana_while_paying(game: Game, player: str, step: PayStep, named: str) -> tuple[Game, str]:
    """Mana must be in the pool before a spell is cast."""
    raise Rejected("no mana abilities now")


def tapped_again(
    game: Game, cost: Cost, player: str, source: Ref, *more: Any
) -> tuple[Game, str, tuple[Ref, ...]]:
    """Tapped permanents can be tapped again to pay costs."""
    thing = game.board.things.get(source.id)
    if isinstance(cost, TapThis) and thing is not None and thing.tapped:
        return game, "", ()
    return costs.pay_cost(game, cost, player, source, *more)


def as_they_are_written(costs: tuple[Cost, ...]) -> casting.PaymentOrder:
    """Costs are paid in the order in which they are written, whatever that makes impossible."""
    return (), costs


def players_are_no_target(
    game: Game, item: StackItem, spec: TargetSpec, named: NamedObjects | None = None
) -> tuple[str, ...]:
    """ "Any target" allows only permanents."""
    found = targets.legal_targets(game, item, spec, named)
    return tuple(id for id in found if not spec.any_target or id in game.board.things)


def not_tapped_for_mana(game: Game, item: StackItem, produces: str | None) -> Game:
    """Nothing triggers on a permanent being tapped for mana."""
    after = resolving.resolve_mana_ability(
        msgspec.structs.replace(game, mentions=frozenset()), item, produces
    )
    return msgspec.structs.replace(after, mentions=game.mentions)


def mana_triggers_wait(game: Game) -> Game:
    """Triggered mana abilities go on the stack and resolve from there, like any others."""
    return game


def keeps_mana_made(game: Game, action: CastAction | Activate, refusal: Rejected) -> Rejected:
    """A land tapped for an illegal spell stays tapped, although its player takes that back."""
    if action.pay is None:
        return refusal
    kept = msgspec.structs.replace(action, pay=msgspec.structs.replace(action.pay, undo_mana=False))
    return casting.reversed_action(game, kept, refusal)


def without_step(name: str) -> tuple[Any, ...]:
    """The steps of casting, leaving one out."""
    return tuple(step for step in casting.CASTING_STEPS if step.__name__ != name)


def moved_step(name: str, before: str) -> tuple[Any, ...]:
    """The steps of casting, with one of them moved forward."""
    steps = list(without_step(name))
    step = next(step for step in casting.CASTING_STEPS if step.__name__ == name)
    steps.insert([other.__name__ for other in steps].index(before), step)
    return tuple(steps)


def below_nothing(price: Price, by: Price) -> Price:
    """A reduction also reduces coloured mana once the generic mana is gone."""
    less = max(by.generic - price.generic, 0)
    cheaper = msgspec.structs.replace(price, generic=max(price.generic - by.generic, 0))
    return msgspec.structs.replace(cheaper, pips=cheaper.pips[less:])


def set_before_reduced(game: Game, proposal: Proposal) -> costs.Total:
    """A minimum cost is applied before reductions, which can then go below it."""
    price, steps = costs.total_cost(game, proposal)
    least = [by.total for _, how, by in costs.cost_changes(game, proposal.item) if how == "at least"]
    less = sum(by.generic for _, how, by in costs.cost_changes(game, proposal.item) if how == "less")
    if not least or not less:
        return price, steps
    return msgspec.structs.replace(price, generic=max(price.generic - less, 0)), steps


def sorceries_in_any_main_phase(game: Game, player: str) -> bool:
    """A sorcery may be cast with something on the stack."""
    own = side_of(game, player) in (game.board.active,)
    return own and game.board.step in ("precombat main", "postcombat main")


def timing_ignored(game: Game, before: Game, item: StackItem) -> bool:
    """Any spell may be cast at any time."""
    return True


def never_sick(game: Game, id: str) -> bool:
    """Creatures may attack and tap right after they enter."""
    return False


def control_does_not_matter(game: Game, id: str) -> bool:
    """Only entering causes summoning sickness, not a change of control."""
    memory = game.remembers(id)
    lately = memory.since >= game.recent.get(side_of(game, game.board.things[id].owner), 0)
    return timing.is_sick(game, id) and memory.under == game.board.things[id].owner and lately


def mana_uses_the_stack(ability: Activated) -> bool:
    """Mana abilities are abilities like any other."""
    return False


def mana_triggers_use_the_stack(ability: Triggered) -> bool:
    """A trigger on tapping for mana is a triggered ability like any other."""
    return False


def splits_nothing(game: Game, but: str | None = None) -> bool:
    """Split second restricts nobody."""
    return False


def flagbearers_ignored(game: Game, item: StackItem) -> None:
    """No object has to be chosen as a target."""


def targets_whatever(game: Game, item: StackItem, id: str) -> bool:
    """Hexproof, shroud and protection prevent no targets."""
    return True


def x_not_known_yet(
    game: Game, item: StackItem, spec: TargetSpec, named: NamedObjects | None = None
) -> tuple[str, ...]:
    """Targets are chosen while X is still 0."""
    return targets.legal_targets(game, msgspec.structs.replace(item, x=0), spec, named)


def one_target_announced(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """Only the first of several targets is kept."""
    game, proposal = casting.targets_announced(game, proposal)
    kept = tuple(chosen[:1] for chosen in proposal.item.targets)
    item = msgspec.structs.replace(proposal.item, targets=kept)
    return stack.with_item(game, item), msgspec.structs.replace(proposal, item=item)


def counted_in_hand(game: Game, proposal: Proposal) -> costs.Total:
    """The cost of a spell is determined while it still counts as a card in hand."""
    if proposal.origin != "hand":
        return costs.total_cost(game, proposal)
    card = msgspec.structs.replace(game.board.things[proposal.item.id], id="the card", zone="hand")
    board = msgspec.structs.replace(game.board, things=game.board.things.having(card))
    still = msgspec.structs.replace(game, board=board)
    return costs.total_cost(still, proposal)


def free_of_everything(game: Game, proposal: Proposal) -> costs.Total:
    """A spell cast without paying its mana cost has no mana costs at all."""
    return (FREE, ()) if proposal.base == "" else costs.total_cost(game, proposal)


def graveyard_anyway(game: Game) -> Game:
    """A spell's card goes to the graveyard, wherever its effect has put it."""
    item, after = game.stack[-1], resolving.resolve_top(game)
    if item.kind != "spell" or item.copy or after.board.things[item.id].zone not in ("hand", "library"):
        return after
    return happen(after, Moved(item.id, after.board.things[item.id].zone, "graveyard", "resolved"))


def changed_for_spells(game: Game, item: StackItem) -> list[costs.CostChange]:
    """Only costs of spells change."""
    return costs.cost_changes(game, item) if item.kind == "spell" else []


CASTING: tuple[Mutant, ...] = (
    mutant("from-anywhere", "601.3", "Lets cards be cast from anywhere.", may_cast_from=from_anywhere),
    mutant(
        "judged-as-a-card",
        "601.3e",
        "Judges a card as it is, not as the spell it would be.",
        as_the_spell=lambda game, action, method: game,
    ),
    mutant("permits-nothing", "601.3", "Lets cards be cast from the hand only.", permissions=permits_nothing),
    mutant(
        "permits-the-oldest",
        "118.9a",
        "Plays a card by the oldest effect that allows it, whichever its player wants.",
        permissions=permits_the_oldest,
    ),
    mutant(
        "forbids-nothing",
        "601.3",
        "Lets spells be cast that an effect forbids.",
        forbidden_to_cast=forbids_nothing,
    ),
    mutant(
        "activated-again",
        "602.5b",
        "Lets an ability be activated twice that is for once a turn.",
        may_activate=activated_again,
    ),
    mutant(
        "alike-used-up",
        "602.5c",
        "Counts abilities with the same words as one where they are for once a turn.",
        used_up=alike_used_up,
    ),
    mutant(
        "no-mana-while-paying",
        "605.3a",
        "Lets no mana ability be activated while a spell is paid for.",
        mana_ability_used=no_mana_while_paying,
    ),
    mutant(
        "mana-within-itself",
        "605.3c",
        "Lets a mana ability be activated to pay for itself.",
        is_under_way=timing.within_itself,
    ),
    mutant(
        "library-first",
        "601.2h",
        "Pays costs in the order in which they are printed.",
        order_of_payment=casting.as_printed,
    ),
    mutant(
        "costs-as-written",
        "601.2h",
        "Pays costs in the order in which they are written, even if that is impossible.",
        costs_that_move_nothing=as_they_are_written,
    ),
    mutant(
        "payment-not-considered",
        "601.5",
        "Lets no target hang on what will pay for the spell.",
        considered_costs=casting.nothing_considered,
    ),
    mutant("tapped-again", "118.3", "Taps what is tapped to pay for something.", pay_cost=tapped_again),
    mutant(
        "players-are-no-target",
        "115.4",
        "Takes any target for any permanent.",
        legal_targets=players_are_no_target,
    ),
    mutant(
        "not-tapped-for-mana",
        "106.12a",
        "Forgets that a permanent was tapped for mana.",
        resolve_mana_ability=not_tapped_for_mana,
    ),
    mutant(
        "mana-triggers-wait",
        "605.4a",
        "Lets triggered mana abilities wait for the stack.",
        resolve_mana_triggers=mana_triggers_wait,
    ),
    mutant(
        "rewind-keeps-tapped-land",
        "733.1",
        "Leaves a land tapped that paid for nothing.",
        reversed_action=keeps_mana_made,
    ),
    mutant(
        "targets-after-costs",
        "601.2",
        "Chooses targets after costs are paid.",
        casting_steps=moved_step("cost_paid", "targets_announced"),
    ),
    mutant(
        "no-legality-check",
        "601.2e",
        "Does not check whether the proposed spell is legal.",
        casting_steps=without_step("legality_checked"),
    ),
    mutant(
        "reduction-eats-colours",
        "601.2f",
        "Reduces coloured mana by a generic reduction.",
        reduced=below_nothing,
    ),
    mutant(
        "least-before-less",
        "601.2f",
        "Applies a least total before reductions.",
        total_cost=set_before_reduced,
    ),
    mutant(
        "abilities-cost-the-same",
        "601.2f",
        "Changes no costs of abilities.",
        cost_changes=changed_for_spells,
    ),
    mutant("sorcery-any-time", "117.1a", "Lets sorceries be cast at any time.", timing_allows=timing_ignored),
    mutant(
        "sorcery-on-a-stack",
        "602.5d",
        "Lets abilities with a sorcery's timing be activated over a stack.",
        could_cast_a_sorcery=sorceries_in_any_main_phase,
    ),
    mutant("never-sick", "302.6", "Forgets summoning sickness.", is_sick=never_sick),
    mutant(
        "sickness-ignores-control",
        "302.6",
        "Lets a creature that was just taken attack.",
        is_sick=control_does_not_matter,
    ),
    mutant(
        "mana-on-the-stack",
        "605.3b",
        "Puts mana abilities on the stack.",
        is_mana_ability=mana_uses_the_stack,
    ),
    mutant(
        "mana-triggers-on-the-stack",
        "605.4a",
        "Puts triggered mana abilities on the stack.",
        is_triggered_mana_ability=mana_triggers_use_the_stack,
    ),
    mutant(
        "legendary-sorceries-at-will",
        "205.4e",
        "Lets a legendary sorcery be cast by a player without a legendary creature or planeswalker.",
        has_legend_for=legendary_at_will,
    ),
    mutant(
        "no-split-second", "702.61a", "Lets players respond to split second.", split_second=splits_nothing
    ),
    mutant(
        "no-flagbearers",
        "601.2c",
        "Lets targets be chosen past a Flagbearer.",
        obeys_target_requirements=flagbearers_ignored,
    ),
    mutant(
        "targets-anything",
        "702.11b",
        "Lets what can't be targeted be targeted.",
        can_be_targeted=targets_whatever,
    ),
    mutant("targets-before-x", "601.2", "Asks for targets before X.", legal_targets=x_not_known_yet),
    mutant(
        "first-target-only",
        "601.2c",
        "Takes one target each time that the word is said, for however many.",
        casting_steps=tuple(
            one_target_announced if step is casting.targets_announced else step
            for step in casting.CASTING_STEPS
        ),
    ),
    mutant(
        "counted-in-hand", "601.2a", "Counts the spell among the cards in hand.", total_cost=counted_in_hand
    ),
    mutant(
        "free-of-everything",
        "118.9d",
        "Asks no more of what is cast for nothing.",
        total_cost=free_of_everything,
    ),
    mutant(
        "resolves-what-it-casts",
        "608.2g",
        "Lets a spell that is cast during a resolution resolve at once.",
        cast_while_resolving=resolves_within,
    ),
    mutant(
        "casts-unnoticed",
        "601.2i",
        "Lets nothing trigger on a spell that is cast during a resolution.",
        cast_while_resolving=casts_unnoticed,
    ),
    mutant(
        "casts-in-time-only",
        "608.2g",
        "Casts a sorcery or creature during a resolution only when its controller could otherwise.",
        cast_while_resolving=timely,
    ),
    mutant(
        "casts-what-it-likes",
        "601.3",
        "Casts any card during a resolution, whatever the instruction asks for.",
        meets_terms=casts_what_it_likes,
    ),
    mutant(
        "asks-to-cast-anyway",
        "608.2d",
        "Asks whether to do what cannot be done, such as to cast a card that cannot be cast.",
        can_begin=asks_in_any_case,
    ),
    mutant(
        "must-show-and-cast",
        "118.8c",
        "Makes a player cast a card that needs a card with some quality from the hand.",
        need_not_be_cast=nothing_is_left_uncast,
    ),
    mutant(
        "permission-changes-no-cost",
        "118.9",
        "Takes the mana cost of a card for which an effect requires another cost.",
        permissions=permits_for_its_own_cost,
    ),
    mutant(
        "permission-covers-lands",
        "601.1a",
        "Lets a land be played that may only be cast.",
        permissions=permits_lands_too,
    ),
    mutant(
        "permission-changes-no-mana",
        "609.4b",
        "Takes no mana of another colour for a card that may be cast with any.",
        permissions=permits_its_own_mana_only,
    ),
    mutant(
        "graveyard-anyway",
        "608.2n",
        "Puts each spell into the graveyard in the end.",
        resolve_top=graveyard_anyway,
    ),
)
