"""Timing, permission and prohibition of casting spells and activating abilities (CR 117.1, 601.3, 602.5).

Each function either refuses an illegal action, or returns whether it is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from reference_engine.game.game import (
    EVER,
    Game,
    Question,
    Rejected,
    StackItem,
    is_active,
    is_main_phase,
    side_of,
    slot_in_use,
)
from reference_engine.game.questions import labels_of, take_answer
from reference_engine.game.rule_effects import Permission, forbidding, is_excepted, on_rules
from reference_engine.language.cards import (
    Activated,
    All,
    AsThoughFlash,
    Cannot,
    Filter,
    MayPlay,
    OnlyAsSorcery,
    Operation,
    TapThis,
    UntapThis,
)
from reference_engine.language.characteristics import HeldAbility, is_loyalty_ability
from reference_engine.language.words import KeywordName
from reference_engine.layers.asking import holds, matches, selection, was_such
from reference_engine.layers.evaluation import RuleEffect

if TYPE_CHECKING:
    from reference_engine.game.costs import Proposal

_Kind = TypeVar("_Kind", bound=Operation)


def require_priority(game: Game, player: str) -> None:
    """CR 117.1: only the player with priority may cast spells, activate abilities, or take special
    actions.
    """
    if game.holder != side_of(game, player) or player in game.lost:
        raise Rejected(f"{player} does not have priority (CR 117.1)")


def could_cast_a_sorcery(game: Game, player: str) -> bool:
    """CR 307.1, 307.5, 117.1a: in the player's own main phase, with priority and an empty stack.

    CR 116.2a, 305.3: it is also when a player can play a land. CR 602.5d, 606.3: or activate abilities that
    have a sorcery's timing, such as loyalty abilities.
    """
    return is_active(game, player) and is_main_phase(game) and not game.stack


# ------------------------------------------------------------------------------------ casting


FROM_GRAVEYARD: tuple[KeywordName, ...] = ("flashback", "escape")
"""Keywords whose cost is paid to cast a card from a graveyard."""
ALLOWED_BY_THEMSELVES: tuple[KeywordName, ...] = (*FROM_GRAVEYARD, "plot", "foretell")
"""Ways of casting a card for which no other effect has to allow its zone."""


def may_cast_from(game: Game, player: str, id: str, method: str | None) -> None:
    """Refuse the casting unless the player may begin to cast the card from its zone.

    CR 601.3: a card may be cast only from a zone that a rule or effect allows: usually the hand.

    CR 702.34a: flashback allows the graveyard. CR 702.81a: so does retrace. CR 702.138a: and escape.
    CR 702.143a, 702.170d: a foretold or plotted card is cast from exile at a later time.
    """
    thing = game.board.things[id]
    look = game.look(id)
    if look.is_a("Land"):
        raise Rejected(f"{id} is a land, which is played, not cast (CR 305.9: never a spell)")
    if method in ("plot", "foretell"):
        ready = game.rules.may_cast_plotted if method == "plot" else game.rules.may_cast_foretold
        if thing.owner != player or not ready(game, player, id):
            raise Rejected(f"{player} can't cast {id} with {method} now")
        return
    again = method in FROM_GRAVEYARD
    if not again and game.rules.permissions(game, player, id):
        return
    why = barred_from_there(game, player, id, again)
    if why is not None:
        raise Rejected(why)


def barred_from_there(game: Game, player: str, id: str, again: bool = False) -> str | None:
    """Why a player could not cast a card from its zone if no effect of something else let them; `None` if
    they could, `again` for a cost that is paid only in a graveyard.
    """
    thing = game.board.things[id]
    if thing.zone == "exile" and thing.playable_by == player:
        barred = thing.face_up == "adventure"
        return f"{id} can't be cast as an Adventure again (CR 715.3d)" if barred else None
    if thing.owner != player:
        return f"{id} is not {player}'s to cast"
    if thing.zone == "hand" and not again:
        return None
    if thing.zone == "graveyard" and (again or game.look(id).has_keyword("retrace")):
        return None
    return f"{player} can't cast {id} from the {thing.zone} that way"


def may_cast_plotted(game: Game, player: str, id: str) -> bool:
    """Whether a player may cast a plotted card now.

    CR 702.170d: in the main phase with an empty stack, on a later turn than the one in which it was plotted.
    """
    there = game.board.things[id].zone == "exile" and "plotted" in game.board.things[id].was
    return there and game.remembers(id).since < game.turn and game.rules.could_cast_a_sorcery(game, player)


def may_cast_foretold(game: Game, player: str, id: str) -> bool:
    """Whether a player may cast a foretold card for its foretell cost, as far as the turn is concerned.

    CR 702.143a: after the turn has ended in which it was foretold; at the times that its type allows.
    """
    there = game.board.things[id].zone == "exile" and "foretold" in game.board.things[id].was
    return there and game.remembers(id).since < game.turn


def permissions(game: Game, player: str, id: str) -> tuple[Permission, ...]:
    """The effects that let a player play a card from its zone, one of each kind, oldest first.

    CR 601.3: a rule or effect has to allow it.
    """
    found: dict[MayPlay, Permission] = {}
    for operation, affected, effect in on_rules(game, MayPlay):
        asking = game.seen.asking_of(effect).about(player)
        meant = player in affected and id in selection(operation.what, asking)
        if meant and not game.rules.is_too_early(game, operation, effect):
            found.setdefault(operation, (operation, effect))
    return tuple(found.values())


def permission_chosen(
    game: Game, player: str, id: str, offered: tuple[Permission, ...], by_itself: bool = False
) -> tuple[Game, Permission | None]:
    """The effect by which a player plays a card, if any.

    CR 118.9a: the caster announces which alternative cost is paid. CR 118.9b: an effect that allows the
    casting may require its own. So the choice among several such effects is the player's, and so is whether
    to use one that makes a difference, if the card could be cast without any (`by_itself`).
    """
    if not offered:
        return game, None
    labels = labels_of([effect.effect.source for _, effect in offered])
    # CR 702.81a: from a graveyard it could be cast by retrace, which costs a land card.
    retraced = game.board.things[id].zone == "graveyard"
    if by_itself and any(retraced or one.cost is not None or one.any_mana or one.does for one, _ in offered):
        labels = (*labels, id)
    if len(labels) < 2:
        return game, offered[0]
    game, answer = take_answer(game, Question("object", player, (id,), labels))
    return game, (*offered, None)[labels.index(str(answer[0]))]


def is_too_early(game: Game, permission: MayPlay, effect: RuleEffect) -> bool:
    """Whether the turn has to end first in which a permission began (CR 702.185a: a warped card)."""
    return permission.later and any(
        effect.effect.key == ("lasting", lasting.id) and lasting.turn == game.turn
        for lasting in game.board.effects
    )


def timing_allows(game: Game, before: Game, item: StackItem) -> bool:
    """Whether this spell may be cast at this time.

    CR 117.1a: an instant whenever its player has priority, anything else as a sorcery. CR 702.8a: with flash,
    whenever an instant could be. CR 601.3b: also as though it had flash. CR 601.3c: if that has a cost, only
    if it will be paid.
    """
    look = game.look(item.id)
    if could_cast_a_sorcery(before, item.controller):
        return True
    # CR 307.5: "only any time they could cast a sorcery" holds for instants, too. CR 601.6: also if it holds
    # only now, as the card is no longer where it was.
    if any(is_only_as_sorcery(one, item.controller) for one in (before, game)):
        return False
    if look.is_a("Instant") or look.has_keyword("flash"):
        return True
    # CR 604.6: an ability that functions in the zone the card is cast from also counts. CR 708.4: of a card
    # cast face down, only the face-down spell is judged.
    face_down = game.board.things[item.id].face_down
    if not face_down and before.seen.look(item.id).has_keyword("flash"):
        return True
    return any(
        can_be_among(game, item, affected, effect) and (not operation.costs or "flash" in item.extras)
        for operation, affected, effect in rules_at_first(game, before, item, AsThoughFlash)
    )


def rules_at_first(
    game: Game, before: Game, item: StackItem, kind: type[_Kind]
) -> Iterator[tuple[_Kind, tuple[str, ...], RuleEffect]]:
    """The effects of one kind by which a player may begin to cast a spell, or not.

    CR 601.3: what makes them apply is looked at before the card is moved, as the number of cards in a hand.
    CR 601.3d, 601.6a: nor is it looked at again for what lets it be cast. The spell's own abilities are
    looked at on the stack. An effect may be about the spell, or about the card where it was (CR 604.6).
    """
    if kind not in game.mentions:
        return
    for seen, own in ((before.seen, False), (game.seen, True)):
        for effect in seen.rules_effects:
            if isinstance(effect.operation, kind) and (effect.effect.source == item.id) == own:
                cards, spells = before.seen.affected_by_rule(effect), game.seen.affected_by_rule(effect)
                yield effect.operation, (*cards, *spells), effect


def can_be_among(game: Game, item: StackItem, affected: tuple[str, ...], effect: RuleEffect) -> bool:
    """Whether a spell is one of those that an effect speaks of, or could be with some X.

    CR 601.3b: choices still to be made for it may be considered.
    """
    spells = effect.affects
    return item.id in affected or (isinstance(spells, All) and hangs_on_open_x(game, item, spells))


def hangs_on_open_x(game: Game, item: StackItem, spells: Filter | All) -> bool:
    """Whether a spell matches or not depending on an X that is still to be chosen for it."""
    open_x = game.board.things[item.id].chosen.x is None and "X" in (game.look(item.id).cost or "")
    return open_x and asks_mana_value(spells)


def asks_mana_value(wanted: Filter | All) -> bool:
    """Whether a filter asks for the mana value of what it matches."""
    return wanted.mana_value is not None or any(map(asks_mana_value, (*wanted.any_of, *wanted.without)))


def require_allowed_x(game: Game, proposal: Proposal) -> None:
    """Refuse an X with which the spell may not be cast now, or from where it was.

    CR 601.6: the casting is illegal if the finished proposal is no longer allowed. CR 202.3e: its mana value
    counts X.
    """
    item = proposal.item
    if proposal.terms is None and not game.rules.timing_allows(game, proposal.before, item):
        raise Rejected(f"{item.id} can't be cast now with X = {item.x} (CR 601.3b)")
    if proposal.permission is not None:
        operation, effect = proposal.permission
        what = operation.what
        spells = Filter(mana_value=what.mana_value, any_of=what.any_of, without=what.without)
        asking = game.seen.asking_of(effect).about(item.controller)
        if asks_mana_value(what) and not matches(spells, item.id, asking):
            raise Rejected(f"nothing lets {item.controller} cast {item.id} from there with X = {item.x}")


def any_time(game: Game, player: str) -> bool:
    """Whether a player can cast spells while something resolves, as far as the time is concerned.

    CR 307.5: who can cast them only as a sorcery could be cast has to have priority, which nobody has then.
    """
    return not is_only_as_sorcery(game, player)


def is_only_as_sorcery(game: Game, player: str) -> bool:
    """Whether a player can cast spells only when a sorcery could be cast (CR 307.5: with priority)."""
    return any(player in affected for _, affected, _ in on_rules(game, OnlyAsSorcery))


def forbidden_to_cast(game: Game, item: StackItem, before: Game | None) -> str | None:
    """The effect that forbids a player to cast this spell, if any.

    CR 601.3: a prohibited spell can't be begun, as things were `before` that. CR 601.3a: unless a choice
    still to be made could lift the prohibition. CR 601.6: nor can it be cast if it is prohibited after all
    choices have been made. CR 702.61a: split second. CR 101.2: "can't" wins.
    """
    if game.rules.split_second(game, item.id):
        return "a spell with split second is on the stack (CR 702.61a)"
    if not game.rules.has_legend_for(game, item):
        return f"{item.controller} controls no legendary creature or planeswalker (CR 205.4e)"
    player = item.controller
    effects = rules_at_first(game, before, item, Cannot) if before is not None else on_rules(game, Cannot)
    for operation, affected, effect in effects:
        if "cast" not in operation.do or (player not in affected and item.id not in affected):
            continue
        # CR 109.5: "you" in the effect is its controller, whoever casts the spell.
        asking = game.seen.asking_of(effect).about(item.id)
        if operation.what is not None:
            open_x = before is not None and hangs_on_open_x(game, item, operation.what)
            if open_x or not matches(operation.what, item.id, asking):
                continue
        if operation.unless is not None and is_excepted(before or game, operation.unless, effect, player):
            continue
        such = operation.what or Filter()
        cast = [past for past in game.spells_cast if past.player == player and was_such(past, such, asking)]
        if operation.after is None or len(cast) >= operation.after:
            return f"{effect.effect.source} forbids it"
    return None


def forbidden_at_once(game: Game, item: StackItem, before: Game | None) -> str | None:
    """CR 601.3a: (until 2018-06) a prohibited spell can't be begun, whatever choices are still to be made."""
    return forbidden_to_cast(game, item, None)


def has_legend_for(game: Game, item: StackItem) -> bool:
    """Whether nothing is missing that a legendary spell needs.

    CR 205.4e: a legendary instant or sorcery is cast only by a player who controls a legendary creature or
    planeswalker.
    """
    spell = game.look(item.id)
    if "Legendary" not in spell.supertypes or not (spell.is_a("Instant") or spell.is_a("Sorcery")):
        return True
    looks = [game.look(id) for id, thing in game.board.things.items() if thing.zone == "battlefield"]
    return any(
        look.controller == item.controller
        and "Legendary" in look.supertypes
        and (look.is_a("Creature") or look.is_a("Planeswalker"))
        for look in looks
    )


def split_second(game: Game, but: str | None = None) -> bool:
    """CR 702.61a: while a spell with split second is on the stack, players can't cast spells or activate
    abilities other than mana abilities.
    """
    for item in game.stack:
        if item.kind == "spell" and item.id != but and game.look(item.id).has_keyword("split second"):
            return True
    return False


# --------------------------------------------------------------------------------- activating


def may_activate(game: Game, player: str, id: str, held: HeldAbility) -> None:
    """Refuse the activation unless the player may begin to activate this ability.

    CR 602.2: only its controller may, unless it says otherwise. CR 602.5: not if it is prohibited.
    CR 602.5a, 302.6: summoning sickness. CR 602.5b: restrictions follow the object. CR 602.5d: only as a
    sorcery. CR 605.3c: no mana ability within itself. CR 606.3: loyalty.
    """
    ability = held.ability
    assert isinstance(ability, Activated)
    thing = game.board.things[id]
    if player not in selection(ability.by, game.seen.asking(id)):
        raise Rejected(f"{player} may not activate abilities of {id} (CR 602.2)")
    mana = game.rules.is_mana_ability(ability)
    loyal = is_loyalty_ability(ability)
    if not mana and game.rules.split_second(game):
        raise Rejected("a spell with split second is on the stack (CR 702.61a)")
    if game.rules.is_under_way(game, id, held):
        raise Rejected(f"{ability.name} of {id} has not resolved yet (CR 605.3c)")
    if (ability.sorcery or loyal) and not game.rules.could_cast_a_sorcery(game, player):
        raise Rejected(f"{ability.name} of {id} may be activated only as a sorcery (CR 602.5d)")
    memory = game.remembers(id)
    if loyal and (game.turn, ("loyalty",)) in memory.used:
        raise Rejected(f"a loyalty ability of {id} was activated this turn (CR 606.3)")
    if ability.exhaust and game.rules.is_exhausted(game, id, held):
        raise Rejected(f"{ability.name} of {id} was activated before (CR 702.177a)")
    if (ability.once or ability.times is not None) and game.rules.used_up(game, id, held):
        raise Rejected(f"{ability.name} of {id} was activated this turn (CR 602.5b)")
    if any(isinstance(cost, (TapThis, UntapThis)) for cost in ability.cost) and game.rules.is_sick(game, id):
        raise Rejected(f"{id} came under {player}'s control too lately for {{T}} (CR 302.6)")
    if ability.cond is not None and not holds(ability.cond, game.seen.asking(id, player)):
        raise Rejected(f"the condition of {ability.name} of {id} does not hold")
    for operation, affected, effect in forbidding(game, "activate abilities"):
        if (mana and "mana abilities" in operation.but) or (loyal and "loyalty abilities" in operation.but):
            continue
        # CR 109.2: "abilities of creatures" are those of permanents, not those of creature cards elsewhere.
        concerned = operation.what is None or (
            thing.zone == "battlefield" and matches(operation.what, id, game.seen.asking_of(effect).about(id))
        )
        if operation.unless is not None and is_excepted(game, operation.unless, effect, player):
            continue
        if id in affected or (player in affected and concerned):
            raise Rejected(f"{effect.effect.source} forbids it (CR 101.2)")


def used_up(game: Game, id: str, held: HeldAbility) -> bool:
    """Whether an ability was already activated this turn as often as it can be.

    CR 602.5b: the restriction stays with the object, whoever controls it. CR 602.5c: the restriction is on
    the ability as acquired from one object; an ability with the same words from another object is separate.
    """
    most = held.ability.times if isinstance(held.ability, Activated) else None
    used = game.remembers(id).used.count((game.turn, slot_in_use(game, id, held.slot)))
    return used >= (1 if most is None else most)


def is_under_way(game: Game, id: str, held: HeldAbility) -> bool:
    """Whether a player has begun to activate a mana ability that has not resolved yet.

    CR 605.3c: it can't be activated again before it has, as to pay for itself.
    """
    assert isinstance(held.ability, Activated)
    mana = game.rules.is_mana_ability(held.ability)
    return mana and any(item.source == game.ref(id) and item.slot == held.slot for item in game.stack)


def within_itself(game: Game, id: str, held: HeldAbility) -> bool:
    """CR 605.3c: (until 2016-07) a mana ability could be activated while it was being activated."""
    return False


def is_exhausted(game: Game, id: str, held: HeldAbility) -> bool:
    """Whether an ability that can be activated only once was activated before (CR 702.177a: in any turn)."""
    return (EVER, slot_in_use(game, id, held.slot)) in game.remembers(id).used


def is_sick(game: Game, id: str) -> bool:
    """Whether a creature came under its controller's control too recently to attack or to use {T} or {Q}.

    CR 302.6: it must have been under that player's control continuously since the player's most recent turn
    began. CR 508.1a, 602.5a: so the rules for attacking and for activating say. CR 702.10b, 702.10c: unless
    it has haste.
    """
    look = game.look(id)
    if not look.is_a("Creature") or look.has_keyword("haste") or game.board.things[id].zone != "battlefield":
        return False
    memory = game.remembers(id)
    controller = look.controller or game.board.things[id].owner
    since = memory.since if memory.under == controller else game.turn
    return since >= game.recent[side_of(game, controller)]
