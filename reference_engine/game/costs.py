"""Determining and paying the cost of a spell or ability (CR 601.2f–h, 118)."""

from __future__ import annotations

import re
from typing import Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.beginning import with_numbers
from reference_engine.game.events import (
    AttachmentChanged,
    CostStep,
    CountersChanged,
    EffectBegan,
    LifeChanged,
    ManaGone,
    Moved,
    Saddling,
    Tapped,
    Untapped,
)
from reference_engine.game.game import (
    Game,
    MarkedMana,
    Question,
    Ref,
    Rejected,
    StackItem,
    controller_of,
    opponents_of,
    seat_of,
    thing_of,
    ticked,
)
from reference_engine.game.happening import happen, happen_if_any
from reference_engine.game.mana import (
    COLOR_LETTER,
    FREE,
    LETTERS,
    Price,
    at_least,
    increase,
    mana_to_spend,
    price_of,
    symbols_of,
)
from reference_engine.game.pools import marks_among
from reference_engine.game.questions import take_answer
from reference_engine.game.recall import asking_about, ref_after_move
from reference_engine.game.rule_effects import Permission, on_rules
from reference_engine.game.scene import Scene
from reference_engine.game.stack import (
    asking_for,
    everything_like,
    is_aimed_at,
)
from reference_engine.game.targets import named_targets
from reference_engine.language.actions import Activate, CastAction, CostPaid, TurnUp, UnlockAction
from reference_engine.language.cards import (
    All,
    AnyColorMana,
    Cost,
    Costs,
    CrewPower,
    DiscardCost,
    EitherCost,
    ExileCost,
    Filter,
    Keyword,
    LifeCost,
    LoyaltyCost,
    ManaCost,
    MillCost,
    OpponentGainsLifeCost,
    RemoveCountersCost,
    ReturnCost,
    SacrificeCost,
    TapOthers,
    TapThis,
    This,
    UnattachCost,
    UntapThis,
    You,
)
from reference_engine.language.words import (
    MANA_COLOR,
    Zone,
)
from reference_engine.layers.asking import Asking, amount, matches, selection
from reference_engine.layers.board import Lasting, Link, NotModelled, SettledPart, repeatable
from reference_engine.layers.operations import with_chosen_words


class Terms(Struct, frozen=True):
    """The terms on which an instruction lets a card be cast while a spell or ability resolves."""

    scene: Scene
    cost: tuple[Cost, ...] | None = None
    """What is paid rather than the mana cost."""
    such: Filter = Filter()
    """The filter that the spell must match as it is cast."""


class Proposal(Struct, frozen=True):
    """A spell being cast or an ability being activated, with the choices made so far."""

    item: StackItem
    action: CastAction | Activate | TurnUp | UnlockAction
    before: Game
    """The game to which an illegal action returns."""
    origin: Zone
    base: str | None = None
    """The mana cost, or the mana paid instead; `None` is a cost that can't be paid."""
    additional: tuple[Cost, ...] = ()
    """Costs besides the mana cost: printed ones, and announced optional ones."""
    hybrid: tuple[str, ...] = ()
    with_life: int = 0
    price: Price = FREE
    costs: tuple[Cost, ...] = ()
    """The nonmana part of the total cost."""
    produced: str = ""
    """Mana available for the cost: made by the named mana abilities, or named from the pool."""
    marks: tuple[MarkedMana, ...] = ()
    """Those among that mana that are not like other mana (CR 106.6)."""
    terms: Terms | None = None
    """The terms of casting it, if it is cast while something resolves."""
    permission: Permission | None = None
    """The effect that lets the card be cast from where it is, if one has to."""


# ----------------------------------------------------------------------------- the total cost

CostChange = tuple[str, Literal["more", "less", "at least"], Price]
"""A change to a cost: whose effect it is, how it works, and its amount."""
Total = tuple[Price, tuple[CostStep, ...]]
"""A total cost, and the steps that led to it."""


def total_cost(game: Game, proposal: Proposal) -> Total:
    """The mana to pay and how it was calculated: the mana cost or its alternative, additional costs, and the
    changes by effects.

    CR 601.2f: increases are added, then reductions are applied in the order the player chooses, never below
    {0}; effects that directly affect the total come last.
    """
    item = proposal.item
    more = [cost.mana for cost in proposal.additional if isinstance(cost, ManaCost)]
    price = price_of((proposal.base or "") + "".join(more), item.x or 0, proposal.hybrid, proposal.with_life)
    if more:
        steps = [CostStep("base", proposal.base or "{0}"), *[CostStep("additional", mana) for mana in more]]
        steps[-1] = replace(steps[-1], price=str(price))
    else:
        steps = [CostStep("base", proposal.base or "{0}", price=str(price))]
    if Costs not in game.mentions and not (item.kind == "spell" and game.look(item.id).keywords):
        return price, tuple(steps)
    changes = game.rules.cost_changes(game, item)
    first = [id for paid in proposal.action.costs if paid.kind == "reduce_in_order" for id in paid.ids]
    less = [change for change in changes if change[1] == "less"]
    less.sort(key=lambda change: first.index(change[0]) if change[0] in first else len(first))
    in_order = [change for change in changes if change[1] == "more"]
    in_order += [*less, *(change for change in changes if change[1] == "at least")]
    for source, how, by in in_order:
        match how:
            case "more":
                price = increase(price, by)
            case "less":
                price = game.rules.reduced(price, by)
            case _:
                price = at_least(price, by.total)
        steps.append(CostStep(how, str(by), source, str(price)))
    return price, tuple(steps)


def cost_changes(game: Game, item: StackItem) -> list[CostChange]:
    """The changes to the cost of this spell or ability (CR 601.2f: its total cost includes them)."""
    seen = game.seen
    found: list[CostChange] = []
    changed = item.source.id  # the source of a spell is the spell itself
    for operation, affected, effect in on_rules(game, Costs):
        if changed not in affected:
            continue
        # CR 601.2f: a spell's effect on its own cost may refer to its targets.
        asking = asking_for(game, item, named_targets(item.specs, item.targets))
        if effect.effect.source != item.id:
            asking = seen.asking_of(effect)
        if operation.how == "less" and re.search(r"/[^P]", operation.mana):
            # CR 118.7e: the player would choose a half as the reduction is applied.
            raise NotModelled("a cost that is less by a hybrid symbol")
        if operation.how == "more" and "/" in operation.mana:
            # CR 601.2b: how such symbols of the total cost will be paid is announced.
            raise NotModelled("a cost that is more by a hybrid or Phyrexian symbol")
        if operation.aimed_at is not None and not is_aimed_at(game, item.id, operation.aimed_at, asking):
            continue
        times = repeatable(amount(operation.times, asking.about(changed)))
        found.append((effect.effect.source, operation.how, price_of(operation.mana * times)))
    if item.kind == "spell":
        for keyword in seen.look(item.id).keywords:
            if keyword.keyword == "affinity":
                less = Price(generic=game.rules.counted_for_affinity(game, item, keyword))
                found.append((item.id, "less", less))
    return found


def counted_for_affinity(game: Game, item: StackItem, keyword: Keyword) -> int:
    """CR 702.41a: the spell costs {1} less for each such permanent that its player controls."""
    yours = everything_like(Filter(any_of=(keyword.what or Filter(),), controller=You()))
    return len(selection(yours, asking_for(game, item)))


# ------------------------------------------------------------------------------ mana and life


def paid_by_tapping(game: Game, proposal: Proposal, answers: list[CostPaid]) -> tuple[Game, Price]:
    """The game after creatures were tapped for convoke, and the mana that is left to pay.

    CR 702.51a: a creature tapped for convoke pays for one mana of its colour or one generic mana. The player
    chooses which, so a choice counts that lets the mana at hand pay for the rest.
    """
    player = proposal.action.by
    prices: tuple[Price, ...] = (proposal.price,)
    if proposal.item.kind == "spell" and game.look(proposal.item.id).has_keyword("convoke"):
        for id in used_up(answers, "tap"):
            game, prices = game.rules.convoked(game, player, id, prices)
    if len(prices) == 1:
        return game, prices[0]
    # Where mana may be spent as though it were of another color, it pays for any of these prices alike.
    colored = ((price, mana_to_spend(proposal.produced, replace(price, generic=0))) for price in prices)
    return game, next((price for price, mana in colored if mana is not None), prices[0])


def pay_mana(game: Game, proposal: Proposal, price: Price, answers: list[CostPaid]) -> Game:
    """The game after mana was paid from what was made or named for it; without `pay`, mana is free."""
    player = proposal.action.by
    if proposal.item.kind == "spell" and game.look(proposal.item.id).has_keyword("delve"):
        link = game.rules.linked(game, proposal.item.source, proposal.item.slot)
        game, price = game.rules.delved(game, player, used_up(answers, "exile"), price, link)
    if proposal.action.pay is None:
        return game
    pool = game.pools.get(player, "")
    if any(proposal.produced.count(letter) > pool.count(letter) for letter in proposal.produced):
        raise Rejected(f"{player} does not have that mana in the pool")
    barred = [mark for mark in proposal.marks if not game.rules.may_be_spent(game, proposal, mark)]
    usable = proposal.produced
    for mark in barred:
        usable = usable.replace(mark.letter, "", 1)
    mana = mana_to_spend(usable, price, freedom(game, proposal))
    if mana is None:
        why = "CR 106.6: some mana may be spent only on other things; " if barred else ""
        raise Rejected(
            f"{price} can't be paid with {symbols_of(usable) or 'no mana'} "
            f"({why}CR 601.2h: no partial payment)"
        )
    spent = marks_among(mana, usable, tuple(mark for mark in proposal.marks if mark not in barred))
    if spent is None:
        raise NotModelled("a choice among mana of one color that does different things")
    game = happen(game, ManaGone(player, mana, "spent", spent)) if mana else game
    return game.rules.riders_begun(game, proposal.item, spent) if spent else game


def may_be_spent(game: Game, proposal: Proposal, mark: MarkedMana) -> bool:
    """Whether a mana may be spent on this.

    CR 106.6: the ability that made it may say on what only; a special action is neither a spell nor an
    ability.
    """
    if mark.only is None:
        return True
    if isinstance(proposal.action, CastAction):
        asking = asking_about(game, mark.source, mark.you)
        return mark.only.spells is not None and matches(mark.only.spells, proposal.item.id, asking)
    if isinstance(proposal.action, Activate):
        # The source may have left to pay another part of the cost.
        asking = asking_about(proposal.before, mark.source, mark.you)
        return mark.only.abilities is not None and matches(mark.only.abilities, proposal.action.what, asking)
    return False


def riders_begun(game: Game, item: StackItem, marks: tuple[MarkedMana, ...]) -> Game:
    """The game with what the mana that was spent on a spell does to it.

    CR 106.6a: a separate effect for each mana.
    """
    for mark in marks:
        rider = mark.rider
        asking = asking_about(game, mark.source, mark.you)
        if rider is None or item.kind != "spell" or not matches(rider.what, item.id, asking):
            continue
        game, now = ticked(game)
        # CR 607.2d: the source, which knows what was chosen for it, may be gone by now.
        does = tuple(
            with_numbers(one, asking.about(item.id)) for one in with_chosen_words(rider.does, asking)
        )
        parts = (SettledPart(frozenset({item.id}), does),)
        lasting = Lasting(
            f"mana {now}", mark.source.id, mark.you, now, parts, until=rider.until, turn=game.turn
        )
        game = happen(game, EffectBegan(lasting))
    return game


def freedom(game: Game, proposal: Proposal) -> tuple[str, bool]:
    """The mana that may be spent on this as though it were of any colour, and whether other mana counts as
    its own colour.

    CR 609.4b: effects may let mana be spent as though it were of another type. CR 602.1e: an effect about an
    activation cost applies to the whole cost, including every increase.
    """
    free, others = "", True
    if proposal.permission is not None and proposal.permission[0].any_mana:
        free = LETTERS
    for operation, affected, effect in on_rules(game, AnyColorMana):
        if proposal.action.by not in affected:
            continue
        if operation.to_activate is not None:
            asking = game.seen.asking_of(effect).about(proposal.action.by)
            if not isinstance(proposal.action, Activate):
                continue
            if proposal.action.what not in selection(operation.to_activate, asking):
                continue
        if operation.only is None:
            free = LETTERS
        else:
            free, others = free + COLOR_LETTER[operation.only], False
    return free, others


def convoked(game: Game, player: str, id: str, prices: tuple[Price, ...]) -> tuple[Game, tuple[Price, ...]]:
    """The game after a creature was tapped to pay for one mana, and what may be left of each of these prices:
    a creature of several colours pays for one or another.

    CR 702.51a: a creature pays for generic mana or for mana of one of its colors.
    """
    thing, look = thing_of(game, id), game.look(id)
    if thing.zone != "battlefield" or thing.tapped or look.controller != player or not look.is_a("Creature"):
        raise Rejected(f"{id} can't be tapped for convoke")
    left: list[Price] = []
    for price in prices:
        letters = [letter for letter in price.pips if MANA_COLOR.get(letter) in look.colors]
        left += [replace(price, pips=price.pips.replace(letter, "", 1)) for letter in letters]
        if price.generic:
            left.append(replace(price, generic=price.generic - 1))
    if not left:
        raise Rejected(f"{id} can't pay for any of {prices[0]}")
    return happen(game, Tapped(id)), tuple(dict.fromkeys(left))


def delved(
    game: Game, player: str, ids: tuple[str, ...], price: Price, link: Link | None
) -> tuple[Game, Price]:
    """The game after cards were exiled from the player's graveyard to pay for generic mana, and what is left
    to pay.

    CR 702.66a: one card for each generic mana. CR 702.66b: of the total cost, increases included. CR 607.2q:
    other abilities of the spell and of the permanent that it becomes may be linked to this one.
    """
    if len(set(ids)) != len(ids) or any(id not in seat_of(game, player).graveyard for id in ids):
        raise Rejected(f"{', '.join(ids)} can't be exiled to delve")
    if len(ids) > price.generic:
        raise Rejected(f"{price} has less generic mana than {len(ids)} cards pay for (CR 702.66a)")
    exiled = tuple(Moved(id, "graveyard", "exile", "exiled", put_by=link) for id in ids)
    game = happen_if_any(game, exiled)
    return game, replace(price, generic=price.generic - len(ids))


def pay_life(game: Game, player: str, n: int) -> Game:
    """CR 119.4: a player can pay life only up to their life total; anyone can pay 0 life."""
    if 0 < n and seat_of(game, player).life < n:
        raise Rejected(f"{player} has less than {n} life to pay (CR 119.4)")
    return happen(game, LifeChanged(player, -n, "paid")) if n else game


# -------------------------------------------------------------------------------- other costs


class Wording(Struct, frozen=True):
    """What the words of a cost refer to: the ability that it belongs to, X, and objects by name."""

    slot: tuple[str | int, ...] = ()
    x: int | None = None
    names: tuple[tuple[str, tuple[Ref, ...]], ...] = ()


NO_REFERENCES = Wording()


def wording_of(item: StackItem) -> Wording:
    """What the costs of a spell or ability may refer to.

    CR 601.2b, 601.2c: X and the targets have been chosen before costs are paid.
    """
    return Wording(item.slot, item.x, (*item.names, *named_targets(item.specs, item.targets).items()))


def pay_cost(
    game: Game,
    cost: Cost,
    player: str,
    source: Ref,
    answers: list[CostPaid],
    askers: tuple[str, ...],
    wording: Wording = NO_REFERENCES,
) -> tuple[Game, str, tuple[Ref, ...]]:
    """The game after one nonmana cost was paid, a name for the objects used, and the objects.

    CR 118.3: a cost that can't be paid in full can't be paid at all.
    """
    this, slot = source.id, wording.slot
    # CR 400.7: what has left and come back since is another object.
    thing = game.board.things.get(this) if game.is_there(source) else None
    match cost:
        case TapThis():
            if thing is None or thing.tapped or thing.zone != "battlefield":
                raise Rejected(f"{this} can't be tapped (CR 118.3)")
            return happen(game, Tapped(this)), "", ()
        case UntapThis():
            if thing is None or not thing.tapped:  # CR 110.5d: only permanents are tapped
                raise Rejected(f"{this} can't be untapped (CR 118.3)")
            return happen(game, Untapped(this)), "", ()
        case EitherCost():
            raise NotModelled("a choice between costs here")
        case TapOthers(what, n, power):
            there = yours(game, player, everything_like(what), source, wording)
            options = tuple([id for id in there if not game.board.things[id].tapped])
            if power is not None:
                # CR 702.122a: crew. CR 702.171a: saddle.
                strength = {id: game.rules.power_to_ride(game, source, slot, id) for id in options}
                game, ids = tapped_for_power(game, strength, power, player, answers, askers)
                # CR 702.171c: what is tapped for this saddles the Mount.
                saddling = game.rules.saddling(game, source, slot, ids)
                game = happen(game, *(Tapped(id) for id in ids), *saddling)
                return game, "tapped", refs_of(game, ids)
            game, ids = objects_for_cost(game, "tap", options, n, player, answers, askers)
            return happen(game, *(Tapped(id) for id in ids)), "tapped", refs_of(game, ids)
        case SacrificeCost(what, n, name):
            if isinstance(what, This) and (thing is None or thing.zone != "battlefield"):
                raise Rejected(f"{this} can't be sacrificed (CR 118.3)")
            options = yours(game, player, what, source, wording)
            if isinstance(what, This) and game.look(this).controller != player:
                raise Rejected(f"{player} can't sacrifice {this}, which another controls (CR 701.21a)")
            game, ids = objects_for_cost(game, "sacrifice", options, n, player, answers, askers)
            game, _, refs = moved_for_cost(game, ids, "graveyard", "sacrificed")
            return game, name, refs
        case DiscardCost(n, what):
            # CR 701.9a: discarded from the hand. CR 702.29a: cycling discards the card itself.
            hand = seat_of(game, player).hand
            if what is not None:
                chosen = selection(what, asking_to_pay(game, player, source, wording))
                options = tuple(id for id in hand if id in chosen)
            else:
                options = hand
            if cost.at_random:
                game, ids = discarded_at_random(game, options, n, player, askers)
            else:
                game, ids = objects_for_cost(game, "discard", options, n, player, answers, askers)
            return moved_for_cost(game, ids, "graveyard", "discarded")
        case ExileCost(what, n, zone):
            if isinstance(what, This):
                options = (this,) if thing is not None else ()
            else:
                asking = asking_to_pay(game, player, source, wording)
                chosen = selection(replace(what, zones=frozenset({zone})), asking)
                # CR 118.3: theirs are the permanents they control, and the cards elsewhere that they own.
                options = tuple(id for id in chosen if controller_of(game, id) == player)
            game, ids = objects_for_cost(game, "exile", options, n, player, answers, askers)
            return moved_for_cost(game, ids, "exile", "exiled", game.rules.linked(game, source, slot))
        case ReturnCost(what, n):
            options = yours(game, player, everything_like(what), source, wording)
            game, ids = objects_for_cost(game, "return", options, n, player, answers, askers)
            return moved_for_cost(game, ids, "hand", "returned")
        case LifeCost(n):
            return pay_life(game, player, n), "", ()
        case LoyaltyCost(n):
            # CR 606.4: put on or remove loyalty counters. CR 606.6: at least as many as are removed must be
            # there.
            if thing is None or thing.count("loyalty") + n < 0:
                raise Rejected(f"{this} does not have {-n} loyalty counters (CR 606.6)")
            return (happen(game, CountersChanged(this, "loyalty", n)) if n else game), "", ()
        case RemoveCountersCost(kind, n):
            if thing is None or thing.count(kind) < n:
                raise Rejected(f"{this} does not have {n} {kind} counters (CR 118.3)")
            return happen(game, CountersChanged(this, kind, -n)), "", ()
        case MillCost(n):
            library = seat_of(game, player).library
            if len(library) < n:
                raise Rejected(f"{player} has fewer than {n} cards in the library (CR 701.17b)")
            return moved_for_cost(game, library[:n], "graveyard", "milled")
        case UnattachCost():
            return unattached_for_cost(game, slot), "", ()
        case OpponentGainsLifeCost(n):
            return opponent_gains_life(game, player, n, askers), "", ()
        case ManaCost():
            raise NotModelled("mana paid here")
        case _:
            assert_never(cost)


def unattached_for_cost(game: Game, slot: tuple[str | int, ...]) -> Game:
    """The game after the Equipment that granted an ability was unattached as a cost (CR 701.3d: to
    unattach).
    """
    equipment = str(slot[1]) if slot[:1] == ("gained",) else ""
    thing = game.board.things.get(equipment)
    if thing is None or thing.attached_to is None:
        raise Rejected("there is nothing to unattach")
    return happen(game, AttachmentChanged(equipment, None))


def opponent_gains_life(game: Game, player: str, n: int, askers: tuple[str, ...]) -> Game:
    """The game after an opponent gained life as a cost (CR 119.7: impossible if no opponent can gain
    life).
    """
    able = tuple(other for other in opponents_of(game, player) if game.rules.can_gain_life(game, other))
    if not able:
        raise Rejected("no opponent can gain life")
    game, answer = take_answer(game, Question("player", player, askers, able))
    return happen(game, LifeChanged(str(answer[0]), n, "gained"))


def asking_to_pay(game: Game, player: str, source: Ref, wording: Wording) -> Asking:
    """A context for questions about what can be used to pay a cost."""
    return asking_about(game, source, player, source, dict(wording.names), wording.x)


def yours(game: Game, player: str, what: All | This, source: Ref, wording: Wording) -> tuple[str, ...]:
    """A player's permanents that a cost describes."""
    such = selection(what, asking_to_pay(game, player, source, wording))
    return tuple([id for id in such if game.look(id).controller == player])


def objects_for_cost(
    game: Game,
    kind: Literal["sacrifice", "discard", "tap", "exile", "return"],
    options: tuple[str, ...],
    n: int,
    player: str,
    answers: list[CostPaid],
    askers: tuple[str, ...],
) -> tuple[Game, tuple[str, ...]]:
    """The `n` objects used for a cost: those named by the action, or by an answer given beforehand."""
    if len(options) < n:
        raise Rejected(f"{player} can't {kind} {n} of those (CR 118.3)")
    for given in answers:
        ids, rest = given.ids[:n], given.ids[n:]
        # What leaves no choice need not be named beside the rest.
        named = len(options) > n or not ids or not set(ids).isdisjoint(options)
        if given.kind == kind and named:
            # CR 118.10: an object can't pay two costs.
            answers[answers.index(given)] = replace(given, ids=rest)
            if len(ids) != n or len(set(ids)) != n or any(id not in options for id in ids):
                raise Rejected(f"{player} can't {kind} {', '.join(ids)} for this")
            return game, ids
    game, answer = take_answer(game, Question("cards", player, askers, options, n, n))
    return game, tuple(str(id) for id in answer)


def used_up(answers: list[CostPaid], kind: str) -> tuple[str, ...]:
    """All objects that the action names for this and that have paid nothing yet."""
    named = [paid for paid in answers if paid.kind == kind]
    answers[:] = [paid for paid in answers if paid.kind != kind]
    return tuple(id for paid in named for id in paid.ids)


def nothing_left_over(answers: list[CostPaid]) -> None:
    """Refuse an action that names objects for a cost that it does not have (CR 601.2h: the total cost is
    paid, and nothing else).
    """
    for paid in answers:
        if paid.kind in OBJECTS_NAMED and paid.ids:
            raise Rejected(f"there is no such cost: {paid.kind} {', '.join(paid.ids)}")


OBJECTS_NAMED = frozenset({"sacrifice", "discard", "tap", "exile", "return"})
"""How costs are paid with objects."""


def discarded_at_random(
    game: Game, options: tuple[str, ...], n: int, player: str, askers: tuple[str, ...]
) -> tuple[Game, tuple[str, ...]]:
    """The cards that chance chooses to be discarded for a cost, as the script says (CR 701.9b)."""
    if len(options) < n:
        raise Rejected(f"{player} can't discard {n} of those (CR 118.3)")
    game, answer = take_answer(game, Question("random", player, askers, options, n, n))
    return game, tuple(str(id) for id in answer)


def tapped_for_power(
    game: Game,
    strength: dict[str, int],
    power: int,
    player: str,
    answers: list[CostPaid],
    askers: tuple[str, ...],
) -> tuple[Game, tuple[str, ...]]:
    """The creatures that are tapped for their total power: those named by the action, or by an answer given
    beforehand. `strength` has the power of each that could be tapped.

    CR 702.122a, 702.171a: any number of them, with at least that total power.
    """
    options = tuple(strength)
    if sum(max(n, 0) for n in strength.values()) < power:
        raise Rejected(f"{player} can't tap creatures with total power {power} (CR 118.3)")
    given = next((given for given in answers if given.kind == "tap"), None)
    if given is None:
        game, answer = take_answer(game, Question("cards", player, askers, options, 1, len(options)))
        ids = tuple(str(id) for id in answer)
    else:
        ids = given.ids
        answers.remove(given)
    if len(set(ids)) != len(ids) or any(id not in options for id in ids):
        raise Rejected(f"{player} can't tap {', '.join(ids)} for this")
    if sum(strength[id] for id in ids) < power:
        raise Rejected(f"the total power of {', '.join(ids)} is less than {power} (CR 702.122a)")
    return game, ids


RIDDEN: dict[tuple[str | int, ...], str] = {("keyword", "crew"): "Vehicle", ("keyword", "saddle"): "Mount"}
"""The subtype of the permanents that creatures are tapped to ride, for each such ability."""


def power_to_ride(game: Game, source: Ref, slot: tuple[str | int, ...], id: str) -> int:
    """The power with which a creature is tapped to pay for an ability.

    Some creatures saddle Mounts and crew Vehicles as though their power were greater (CR 702.122a, 702.171a:
    as they are tapped for that).
    """
    power = game.seen.power(id) or 0
    if slot[:2] not in RIDDEN or not game.is_there(source):
        return power
    if not game.look(source.id).has_subtype(RIDDEN[slot[:2]]):
        return power
    return power + sum(one.plus for one, affected, _ in on_rules(game, CrewPower) if id in affected)


def saddling(
    game: Game, source: Ref, slot: tuple[str | int, ...], ids: tuple[str, ...]
) -> tuple[Saddling, ...]:
    """The event of creatures saddling a permanent, if they are tapped for that.

    CR 702.171c: a creature saddles a permanent as it is tapped to pay for the permanent's saddle ability.
    """
    if slot[:2] != ("keyword", "saddle") or not game.is_there(source):
        return ()
    return (Saddling(source.id, tuple(game.ref(id) for id in ids)),)


def refs_of(game: Game, ids: tuple[str, ...]) -> tuple[Ref, ...]:
    """References to these objects as they are now."""
    return tuple(game.ref(id) for id in ids)


def moved_for_cost(
    game: Game, ids: tuple[str, ...], to: Zone, how: str, link: Link | None = None
) -> tuple[Game, str, tuple[Ref, ...]]:
    """The game after objects were moved to pay a cost; the effect can find them in a public zone
    (CR 400.7j: costs).
    """
    before, refs = game, refs_of(game, ids)
    zones = game.board.things
    game = happen(game, *(Moved(id, zones[id].zone, to, how, put_by=link) for id in ids))
    return game, how, tuple(ref_after_move(before, game, ref) for ref in refs)
