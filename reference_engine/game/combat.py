"""Combat: declaring attackers and blockers, and dealing combat damage (CR 508–510)."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from reference_engine.game.events import (
    AttackDeclared,
    BecameBlocked,
    BecameUnblocked,
    BlockDeclared,
    Damaged,
    Declared,
    GameEvent,
    NotStriking,
    Tapped,
)
from reference_engine.game.game import (
    Deciding,
    Game,
    Question,
    Rejected,
    Undecided,
    battlefield,
    controller_of,
    defender_of,
    is_active,
    members,
    players_in_order,
    side_of,
    sides_in_order,
    thing_of,
)
from reference_engine.game.happening import happen, with_event
from reference_engine.game.questions import take_answer
from reference_engine.game.rule_effects import forbidding, on_rules
from reference_engine.game.turn import attackers, blockers
from reference_engine.language.actions import Assign, Attack, Attacker, Block, Blocker, Share
from reference_engine.language.cards import (
    AsThoughNoDefender,
    AttacksUnblocked,
    BlockedBy,
    BlocksMore,
    Cannot,
    Comparison,
    Cost,
    DamageByToughness,
    Filter,
    ManaCost,
    Must,
)
from reference_engine.layers.asking import Asking, compares, holds, matches, selection
from reference_engine.layers.board import NotModelled
from reference_engine.layers.evaluation import RuleEffect, evaluate

BlockChoice = dict[str, tuple[str, ...]]
"""The blocking creatures, and the attackers that each of them blocks."""
AttackChoice = dict[str, str]
"""The attacking creatures, and the player or planeswalker that each of them attacks."""


class AttackLimit(NamedTuple):
    """A restriction that depends on how many creatures attack."""

    counted: frozenset[tuple[str, str]]
    """The attacks that it counts: a creature, and what it attacks."""
    forbidden: frozenset[tuple[str, str]]
    """Those of them that are illegal if their number is such."""
    number: Comparison
    asking: Asking

    def is_broken(self, chosen: AttackChoice) -> bool:
        """Whether creatures attack that can't attack in this number."""
        attacks = chosen.items()
        number = len(attacks & self.counted)
        return bool(attacks & self.forbidden) and compares(number, self.number, self.asking)

    def reason(self, chosen: AttackChoice) -> str:
        """Why an attack breaks it."""
        id = next(id for id, what in chosen.items() if (id, what) in self.forbidden)
        number = len(chosen.items() & self.counted)
        return f"{id} can't attack {'alone' if number == 1 else f'as one of {number}'} (CR 508.1c)"


MOST_DECLARATIONS = 50_000
"""The most declarations of attackers or blockers among which the one that obeys most is looked for."""

# ------------------------------------------------------------------------------------- attackers


def is_awaited(game: Game, what: str, by: str) -> bool:
    """Whether the game waits for this declaration by this player or team.

    CR 800.4a: a player who has left the game makes no declaration, even if a teammate remains.
    """
    if game.deciding is None or game.deciding.what != what:
        return False
    return by in (game.deciding.by, *members(game, game.deciding.by))


def possible_attackers(game: Game) -> tuple[str, ...]:
    """The creatures that could attack.

    CR 508.1a: untapped, controlled by the active player, and with haste or controlled continuously since the
    turn began. CR 508.1c: and that no restriction prevents from attacking.
    """
    seen, enemies = game.seen, attackable(game)
    return tuple(
        thing.id
        for thing in battlefield(game)
        if not thing.tapped
        and seen.look(thing.id).is_a("Creature")
        and not seen.look(thing.id).is_a("Battle")
        and is_active(game, controller_of(game, thing.id))
        and not game.rules.is_held_back(game, thing.id)
        and not game.rules.is_sick(game, thing.id)
        and any(game.rules.may_attack(game, thing.id, what) for what in enemies)
    )


def is_held_back(game: Game, id: str) -> bool:
    """Whether defender keeps a creature from attacking.

    CR 508.1c, 702.3b: that is a restriction: the creature can't attack. CR 609.4: unless an effect lets it
    attack as though it didn't have defender.
    """
    freed = (id in affected for _, affected, _ in on_rules(game, AsThoughNoDefender))
    return game.look(id).has_keyword("defender") and not any(freed)


def attackable(game: Game) -> tuple[str, ...]:
    """The players and planeswalkers that may be attacked.

    CR 506.2, 506.3: opponents and their planeswalkers. CR 802.2a: all opponents are defending players;
    CR 805.10a: with shared turns, the players of the other team.
    """
    enemies = tuple(player for player in players_in_order(game) if not is_active(game, player))
    seen = game.seen
    if "Planeswalker" not in seen.view.words_on_battlefield:
        return enemies
    walkers = tuple(
        thing.id
        for thing in battlefield(game)
        if seen.look(thing.id).is_a("Planeswalker") and seen.look(thing.id).controller in enemies
    )
    return enemies + walkers


def may_attack(game: Game, id: str, what: str) -> bool:
    """Whether no restriction prevents a creature from attacking this (CR 508.1c: restrictions)."""
    return all(cost is not None for cost in attack_costs(game, id, what))


def attack_costs(game: Game, id: str, what: str) -> list[tuple[Cost, ...] | None]:
    """The cost that each restriction sets for a creature to attack this; `None` where no cost lifts it."""
    return [
        operation.unless_pays or None
        for operation, affected, effect in forbidding(game, "attack")
        if operation.number is None and id in affected and is_about(game, operation, effect, id, what)
        if not is_lifted(game, operation, effect, id, what)
    ]


def attack_asking(game: Game, effect: RuleEffect, id: str, what: str) -> Asking:
    """A context for an effect's questions about a creature that would attack this."""
    attacking = game.board.with_things(replace(game.board.things[id], against=defender_of(game, what)))
    return evaluate(attacking, game.rules).asking_of(effect).about(id)


def is_about(game: Game, operation: Cannot, effect: RuleEffect, id: str, what: str) -> bool:
    """Whether a restriction on this creature is about attacking this."""
    asking = game.seen.asking_of(effect).about(id)
    return operation.whom is None or what in selection(operation.whom, asking)


def is_lifted(game: Game, operation: Cannot, effect: RuleEffect, id: str, what: str) -> bool:
    """Whether a restriction's condition lets a creature attack this."""
    return operation.unless is not None and holds(operation.unless, attack_asking(game, effect, id, what))


def attack_limits(game: Game, attacks: Sequence[tuple[str, str]]) -> tuple[AttackLimit, ...]:
    """The restrictions on how many creatures attack, for a choice among these attacks.

    CR 508.1c: a declaration that disobeys one is illegal. CR 506.5: a creature attacks alone if no other is
    declared. CR 802.3a, 805.10b: the whole declaration of a player or team counts; for a restriction on
    attacking a player, the creatures that attack that player.
    """
    found = []
    for operation, affected, effect in forbidding(game, "attack"):
        if operation.number is None:
            continue
        counted = [one for one in attacks if is_about(game, operation, effect, *one)]
        forbidden = [one for one in counted if one[0] in affected]
        forbidden = [one for one in forbidden if not is_lifted(game, operation, effect, *one)]
        asking = game.seen.asking_of(effect)
        found.append(AttackLimit(frozenset(counted), frozenset(forbidden), operation.number, asking))
    return tuple(found)


def required_attackers(game: Game) -> tuple[frozenset[str], ...]:
    """For each requirement to attack, the creatures that it affects (CR 508.1d: requirements)."""
    return tuple(
        frozenset({id})
        for operation, affected, _ in on_rules(game, Must)
        if operation.do == "attack"
        for id in affected
    )


def declare_attackers(game: Game, action: Attack) -> Game:
    """Declare attackers; the active side then has priority.

    CR 508.1: the declaration is legal or illegal as a whole. CR 508.1f: attacking creatures tap. CR 702.20b:
    except those with vigilance.
    """
    if not is_awaited(game, "attackers", action.by):
        raise Rejected(f"{action.by} has no attackers to declare now")
    chosen = {attacker.attacker: attacker.attacks for attacker in action.attackers}
    if len(chosen) != len(action.attackers):
        raise Rejected("a creature attacks once")
    possible = game.rules.possible_attackers(game)
    for id, what in chosen.items():
        thing_of(game, id)
        if any(not isinstance(c, ManaCost) for cost in attack_costs(game, id, what) for c in cost or ()):
            # CR 508.1h: without `pay`, mana is free here as everywhere; other costs to attack are
            # unsupported.
            raise NotModelled("a cost to attack that is not mana")
        if id not in possible or what not in attackable(game) or not game.rules.may_attack(game, id, what):
            raise Rejected(f"{id} can't attack {what} (CR 508.1)")
    for limit in game.rules.attack_limits(game, tuple(chosen.items())):
        if limit.is_broken(chosen):
            raise Rejected(limit.reason(chosen))
    if not game.rules.obeys_attack_requirements(game, chosen):
        raise Rejected("a creature that attacks if able does not (CR 508.1d)")
    return attackers_declared(game, chosen)


def free_attacks(game: Game) -> dict[str, tuple[str, ...]]:
    """For each creature that could attack, what it could attack on its own without paying a cost."""
    enemies = attackable(game)
    return {
        id: tuple(what for what in enemies if not attack_costs(game, id, what))
        for id in game.rules.possible_attackers(game)
    }


def obeys_attack_requirements(game: Game, chosen: AttackChoice) -> bool:
    """Whether no legal declaration obeys more of the requirements.

    CR 508.1d: no player has to pay a cost to obey a requirement, and paying for one excuses no other.
    """
    required = game.rules.required_attackers(game)
    if not required:
        return True
    free = ((id, what) for id, some in free_attacks(game).items() for what in some)
    attacks = tuple(dict.fromkeys((*free, *chosen.items())))
    limits = game.rules.attack_limits(game, attacks)
    if not limits:
        able = {id for id, _ in attacks}
        return all(group & chosen.keys() for group in required if group & able)
    most = max(attacks_obeyed(required, other) for other in attacks_within(limits, attacks))
    return attacks_obeyed(required, chosen) >= most


def attacks_obeyed(required: Sequence[frozenset[str]], chosen: AttackChoice) -> int:
    """The number of requirements that an attack obeys."""
    return sum(bool(group & chosen.keys()) for group in required)


def attacks_within(
    limits: Sequence[AttackLimit], attacks: Sequence[tuple[str, str]]
) -> Iterator[AttackChoice]:
    """The legal choices among these attacks; the first of those that are alike stands for all."""
    options: dict[str, dict[tuple[bool, ...], str]] = {}
    for id, what in attacks:
        options.setdefault(id, {}).setdefault(likeness(limits, id, what), what)
    if math.prod(len(some) + 1 for some in options.values()) > MOST_DECLARATIONS:
        raise NotModelled("too many possible attacks with requirements")
    for choice in itertools.product(*([None, *some.values()] for some in options.values())):
        chosen = {id: what for id, what in zip(options, choice, strict=True) if what is not None}
        if not any(limit.is_broken(chosen) for limit in limits):
            yield chosen


def likeness(limits: Sequence[AttackLimit], id: str, what: str) -> tuple[bool, ...]:
    """What limits say of an attack: the same of all attacks that are alike for them."""
    return tuple((id, what) in some for limit in limits for some in (limit.counted, limit.forbidden))


def attackers_declared(game: Game, chosen: AttackChoice) -> Game:
    """The game after these creatures were declared as attackers."""
    game = replace(game, deciding=None)
    if not chosen:
        return game.rules.no_attackers(game)
    seen = game.seen
    taps = tuple(Tapped(id) for id in chosen if not seen.look(id).has_keyword("vigilance"))
    game = happen(game, *taps) if taps else game
    game = happen(game, *(AttackDeclared(id, what) for id, what in chosen.items()))
    why = "CR 508.2: the active player, once attackers are declared"
    return game.rules.give_priority(game, game.board.active, why)


def no_attackers(game: Game) -> Game:
    """The game in which no creature attacks (CR 508.2: the active player still gets priority)."""
    game = with_event(game, Declared("attackers", game.board.active, none=True))
    return game.rules.give_priority(game, game.board.active, "CR 508.2: the active player; nobody attacks")


# -------------------------------------------------------------------------------------- blockers


def await_blockers(game: Game) -> Game:
    """Wait for the defending players to declare blockers, one after another.

    CR 509.1: before a player gets priority. CR 802.4: several defending players declare in APNAP order.
    """
    assert game.combat is not None
    game = replace(game, combat=replace(game.combat, to_block=sides_in_order(game)))
    return next_to_block(game)


def defending_player(game: Game, attacker: str) -> str:
    """The defending player for an attacker (CR 506.4c: known even if what it attacked is gone, so it may be
    blocked).
    """
    against = game.board.things[attacker].against
    assert against is not None
    return against


def next_to_block(game: Game) -> Game:
    """Wait for the next defending side that has a choice, or proceed when all have declared blockers."""
    assert game.combat is not None
    for number, side in enumerate(game.combat.to_block):
        if any(possible_blocks(game, side).values()):
            game = replace(game, combat=replace(game.combat, to_block=game.combat.to_block[number:]))
            game = with_event(game, Declared("blockers", side))
            return replace(game, deciding=Deciding("blockers", side), holder=None)
    return blocks_complete(game)


def possible_blocks(game: Game, side: str) -> dict[str, tuple[str, ...]]:
    """For each creature that may block, the attackers that it could block on its own.

    CR 509.1a: it must be untapped, and its player's side under attack.
    """
    seen = game.seen
    found: dict[str, tuple[str, ...]] = {}
    coming = tuple(id for id in attackers(game) if side_of(game, defending_player(game, id)) == side)
    for thing in battlefield(game):
        look = seen.look(thing.id)
        if thing.tapped or not look.is_a("Creature") or look.is_a("Battle"):
            continue
        if side_of(game, controller_of(game, thing.id)) != side:
            continue
        found[thing.id] = tuple(id for id in coming if game.rules.may_block(game, thing.id, id))
    return found


def may_block(game: Game, blocker: str, attacker: str) -> bool:
    """Whether no restriction prevents a creature from blocking an attacker (CR 509.1b: evasion abilities are
    cumulative).
    """
    seen = game.seen
    look, facing = seen.look(blocker), seen.look(attacker)
    for keyword in facing.keywords:
        match keyword.keyword:
            # CR 702.9b: flying, and CR 702.17b: reach.
            case "flying" if not (look.has_keyword("flying") or look.has_keyword("reach")):
                return False
            # CR 702.36b: fear.
            case "fear" if not (look.is_a("Artifact") or "black" in look.colors):
                return False
            # CR 702.13b: intimidate.
            case "intimidate" if not (look.is_a("Artifact") or look.colors & facing.colors):
                return False
            # CR 702.28b: shadow. CR 702.31b: horsemanship.
            case ("shadow" | "horsemanship") as alike if not look.has_keyword(alike):
                return False
            # CR 702.118b: skulk.
            case "skulk" if (seen.power(blocker) or 0) > (seen.power(attacker) or 0):
                return False
            case "landwalk":
                # CR 702.14c: landwalk. CR 805.10e: the defending player is the one this creature attacks.
                defender = defending_player(game, attacker)
                assert keyword.what is not None
                if has_land(game, defender, keyword.what):
                    return False
            case "protection":
                # CR 702.16f: the quality that it has protection from does not block it.
                if game.rules.protects(game, keyword, game.ref(blocker), attacker):
                    return False
    # CR 702.28b: nor does a creature with shadow block one without.
    if look.has_keyword("shadow") and not facing.has_keyword("shadow"):
        return False
    for operation, affected, effect in on_rules(game, Cannot):
        if operation.number is not None:
            continue
        for deed, one, other in (("block", blocker, attacker), ("be blocked", attacker, blocker)):
            if deed not in operation.do or one not in affected:
                continue
            asking = seen.asking_of(effect).about(one)
            concerned = operation.what is None or matches(operation.what, other, asking)
            if concerned and not (operation.unless is not None and holds(operation.unless, asking)):
                if operation.unless_pays:
                    raise NotModelled("a cost to block (CR 509.1d)")
                return False
    return True


def has_land(game: Game, player: str, what: Filter) -> bool:
    """Whether a player controls such a land (CR 702.14c: landwalk)."""
    seen = game.seen
    return any(
        matches(what, id, seen.asking(id, player))
        for (look, _), ids in seen.view.on_battlefield
        if look.controller == player and look.is_a("Land")
        for id in ids
    )


def declare_blockers(game: Game, action: Block) -> Game:
    """Declare the blockers of one defending side.

    CR 509.1: the declaration is legal or illegal as a whole. CR 509.1a, 509.1b: of untapped creatures, within
    the restrictions. CR 509.1c: it must obey as many requirements as possible without violating restrictions.
    """
    if not is_awaited(game, "blockers", action.by):
        raise Rejected(f"{action.by} has no blockers to declare now")
    side = side_of(game, action.by)
    possible = possible_blocks(game, side)
    chosen: BlockChoice = {}
    for blocker in action.blockers:
        id, what = blocker.blocker, blocker.blocks
        most = game.rules.most_blocked(game, id)
        if not what or len(set(what)) != len(what) or id in chosen or (most is not None and len(what) > most):
            raise Rejected(f"{id} can't block {' and '.join(what)} (CR 509.1a)")
        if any(one not in possible.get(id, ()) for one in what):
            raise Rejected(f"{id} can't block {' and '.join(what)} (CR 509.1)")
        chosen[id] = what
    if not game.rules.keeps_block_limits(game, chosen, block_limits(game)):
        together = "alone" if len(chosen) == 1 else f"as one of {len(chosen)}"
        raise Rejected(f"a creature can't block {together} (CR 509.1b)")
    if not game.rules.keeps_restrictions(game, chosen):
        raise Rejected("a creature can't be blocked by that many creatures (CR 509.1b)")
    if requirements_obeyed(game, chosen) < max(
        (requirements_obeyed(game, other) for other in legal_blocks(game, possible)), default=0
    ):
        raise Rejected("a creature that blocks or is blocked if able is not (CR 509.1c)")
    return blockers_declared(game, chosen)


def most_blocked(game: Game, id: str) -> int | None:
    """The number of attackers that a creature can block; `None` if it can block any number.

    CR 509.1a: one, unless effects let it block more; each of them counts.
    """
    more = [operation.n for operation, affected, _ in on_rules(game, BlocksMore) if id in affected]
    return None if None in more else 1 + sum(n or 0 for n in more)


def keeps_restrictions(game: Game, chosen: BlockChoice) -> bool:
    """Whether a block as a whole obeys the restrictions on the number of blockers.

    CR 702.111b: menace requires two or more. CR 509.1b: effects may require a number, or limit it.
    """
    blocked = Counter(attacker for what in chosen.values() for attacker in what)
    if any(n == 1 and game.look(attacker).has_keyword("menace") for attacker, n in blocked.items()):
        return False
    return not any(
        n < operation.least or (operation.most is not None and n > operation.most)
        for operation, affected, _ in on_rules(game, BlockedBy)
        for attacker, n in blocked.items()
        if attacker in affected
    )


BlockLimit = tuple[Cannot, tuple[str, ...], RuleEffect]
"""A restriction that depends on how many creatures block."""


def block_limits(game: Game) -> tuple[BlockLimit, ...]:
    """The restrictions on how many creatures block."""
    return tuple(limit for limit in forbidding(game, "block") if limit[0].number is not None)


def keeps_block_limits(game: Game, chosen: BlockChoice, limits: Sequence[BlockLimit]) -> bool:
    """Whether a block obeys these restrictions on how many creatures block.

    CR 509.1b: "can't block alone", or a limit for all. CR 506.5: a creature blocks alone if it is the only
    one declared as a blocker. CR 802.4b, 805.10d: what other players or teams block with does not count.
    """
    for operation, affected, effect in limits:
        assert operation.number is not None
        asking = game.seen.asking_of(effect)
        counted = [
            id
            for id, blocked in chosen.items()
            if operation.what is None or any(matches(operation.what, one, asking) for one in blocked)
        ]
        if compares(len(counted), operation.number, asking) and any(
            operation.unless is None or not holds(operation.unless, asking.about(id))
            for id in counted
            if id in affected
        ):
            return False
    return True


def requirements_obeyed(game: Game, chosen: BlockChoice) -> int:
    """The number of requirements that a block obeys (CR 509.1c: requirements)."""
    obeyed = 0
    blocked = {attacker for what in chosen.values() for attacker in what}
    for operation, affected, effect in on_rules(game, Must):
        match operation.do, operation.by:
            case "block", _:
                obeyed += sum(id in affected for id in chosen)
            case "be blocked", None:
                obeyed += sum(id in affected for id in blocked)
            case "be blocked", Filter() as by:
                asking = game.seen.asking_of(effect)
                obeyed += sum(
                    one in affected and matches(by, id, asking.about(one))
                    for id, what in chosen.items()
                    for one in what
                )
    return obeyed


def groups_to_block(game: Game, id: str, possible: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The groups of attackers that a creature can block at the same time, none first."""
    most = game.rules.most_blocked(game, id)
    numbers = range(len(possible) + 1) if most is None else range(min(most, len(possible)) + 1)
    return [group for number in numbers for group in itertools.combinations(possible, number)]


def legal_blocks(game: Game, possible: dict[str, tuple[str, ...]]) -> list[BlockChoice]:
    """All blocks that obey the restrictions; computed only when a creature must block or be blocked."""
    if Must not in game.mentions:
        return []
    ids = [id for id, some in possible.items() if some]
    choices = [groups_to_block(game, id, possible[id]) for id in ids]
    if math.prod(map(len, choices)) > MOST_DECLARATIONS:
        raise NotModelled("too many possible blocks with requirements")
    found, limits = [], block_limits(game)
    for combination in itertools.product(*choices):
        block = {id: what for id, what in zip(ids, combination, strict=True) if what}
        fine = game.rules.keeps_block_limits(game, block, limits)
        if fine and game.rules.keeps_restrictions(game, block):
            found.append(block)
    return found


def blockers_declared(game: Game, chosen: BlockChoice) -> Game:
    """The game after one side's blockers were declared."""
    assert game.combat is not None
    side, *others = game.combat.to_block
    game = replace(game, deciding=None, combat=replace(game.combat, to_block=tuple(others)))
    if chosen:
        # CR 509.1g, 509.1h: they become blocking creatures, and what they block becomes blocked.
        events: list[GameEvent] = [
            BlockDeclared(id, one, also=one != what[0]) for id, what in chosen.items() for one in what
        ]
        blocked = dict.fromkeys(one for what in chosen.values() for one in what)
        game = happen(game, *events, *(BecameBlocked(id) for id in blocked))
    else:
        game = with_event(game, Declared("blockers", side, none=True))
    return next_to_block(game)


def blocks_complete(game: Game) -> Game:
    """Complete the declaration: attackers without blockers become unblocked (CR 509.1h), and players get
    priority.
    """
    assert game.combat is not None
    free = tuple(id for id in attackers(game) if id not in game.combat.blocked)
    game = replace(game, board=replace(game.board, unblocked=frozenset(free)))
    game = game.rules.unblocked_noticed(game, free)
    game = game.rules.damage_order_announced(game)
    why = "CR 509.2: the active player, once blockers are declared"
    return game.rules.give_priority(game, game.board.active, why)


def unblocked_noticed(game: Game, free: tuple[str, ...]) -> Game:
    """Let abilities trigger on creatures that attack and aren't blocked.

    CR 509.3g: no creature was declared as a blocker for them, however they came to attack.
    """
    awaited = bool(free) and AttacksUnblocked in game.mentions
    return happen(game, *(BecameUnblocked(id) for id in free)) if awaited else game


def no_damage_order(game: Game) -> Game:
    """Give blockers no order (CR 510.1c: damage is divided freely among them)."""
    return game


def damage_order_chosen(game: Game) -> Game:
    """The damage assignment order of editions before November 2024.

    CR 509.2: (until 2024-11) the active player announces an order of the blockers of each attacker that has
    several.
    """
    assert game.combat is not None
    order: list[tuple[str, tuple[str, ...]]] = []
    for attacker in attackers(game):
        there = blockers_of(game, attacker)
        if len(there) < 2:
            continue
        player = controller_of(game, attacker)
        question = Question("damage_order", player, (attacker, "combat"), there, len(there), len(there))
        game, answer = take_answer(game, question)
        order.append((attacker, tuple(str(id) for id in answer)))
    assert game.combat is not None
    return replace(game, combat=replace(game.combat, order=tuple(order)))


def blockers_of(game: Game, attacker: str) -> tuple[str, ...]:
    """The creatures blocking an attacker."""
    return tuple(thing.id for thing in battlefield(game) if attacker in thing.blocking)


# ---------------------------------------------------------------------------------- combat damage


def first_strikers_noted(game: Game) -> Game:
    """Record which creatures have first strike or double strike as the first damage step begins.

    CR 510.4, 702.4b, 702.7b: by what they have then.
    """
    assert game.combat is not None
    seen = game.seen
    first = frozenset(
        id
        for id in attackers(game) + blockers(game)
        if seen.look(id).has_keyword("first strike") or seen.look(id).has_keyword("double strike")
    )
    return replace(game, combat=replace(game.combat, struck_first=first))


def deals_damage_now(game: Game, id: str) -> bool:
    """Whether a creature assigns combat damage in this step.

    CR 510.1, 510.1a: each attacking and each blocking creature does, in its step. CR 510.4, 702.4b, 702.7c:
    in the first of two steps, creatures with first strike or double strike do; in the second, those that had
    neither then, and those that have double strike now.
    """
    assert game.combat is not None
    if game.board.step == "first-strike damage":
        return id in game.combat.struck_first
    return id not in game.combat.struck_first or game.look(id).has_keyword("double strike")


def begin_damage(game: Game) -> Game:
    """Deal combat damage, or wait for a player to divide some.

    CR 510.1: players announce how damage is assigned before any is dealt.
    """
    assert game.combat is not None
    game = replace(game, combat=replace(game.combat, assigned=()))
    return assigned_or_dealt(game)


def assigned_or_dealt(game: Game) -> Game:
    """Wait for the next side that has damage to divide, or deal all damage.

    CR 510.1: the active player's side announces first, then the defending one.
    """
    assert game.combat is not None
    announced = dict(game.combat.assigned)
    for side in sides_in_order(game):
        for id in strikers(game):
            if id in announced or side_of(game, controller_of(game, id)) != side:
                continue
            if only_assignment(game, id) is None:
                game = with_event(game, Declared("damage", side))
                return replace(game, deciding=Deciding("damage", side), holder=None)
    return game.rules.deal_combat_damage(game)


def strikers(game: Game) -> tuple[str, ...]:
    """The creatures that assign combat damage in this step (CR 510.1a: none that would assign 0 or less)."""
    return tuple(
        id
        for id in attackers(game) + blockers(game)
        if game.rules.deals_damage_now(game, id) and game.rules.combat_damage_of(game, id) > 0
    )


def combat_damage_of(game: Game, id: str) -> int:
    """The combat damage that a creature assigns.

    CR 510.1a: as much as its power, unless an effect says that its toughness counts instead.
    """
    if any(id in affected for _, affected, _ in on_rules(game, DamageByToughness)):
        return game.seen.toughness(id) or 0
    return game.seen.power(id) or 0


def recipients(game: Game, id: str) -> tuple[str, ...]:
    """The players and permanents to which a creature may assign its combat damage.

    CR 510.1b: an unblocked attacker, to what it attacks. CR 510.1c: a blocked attacker, to its blockers.
    CR 702.19b: with trample, also to what it attacks. CR 510.1d: a blocker, to the creatures it blocks.
    """
    thing = game.board.things[id]
    if thing.attacking is None:
        return tuple(other for other in thing.blocking if other != "nothing")
    what = () if thing.attacking == "nothing" else (thing.attacking,)
    assert game.combat is not None
    if id not in game.combat.blocked:
        return what
    there = blockers_of(game, id)
    if game.look(id).has_keyword("trample"):
        return there + what
    return there


def only_assignment(game: Game, id: str) -> tuple[Share, ...] | None:
    """The only legal way to assign a creature's damage; `None` if there are several."""
    to = recipients(game, id)
    if not to:
        return ()
    amount = game.rules.combat_damage_of(game, id)
    if len(to) == 1 or leaves_nothing(game, id, to, amount):
        return (Share(to[0], amount),)
    return None


def leaves_nothing(game: Game, id: str, to: tuple[str, ...], amount: int) -> bool:
    """Whether all damage of a creature with trample goes to its only blocker, which blocks nothing else.

    CR 702.19b: what it attacks is assigned only what is more than lethal damage.
    """
    if (
        len(to) != 2
        or game.board.things[id].attacking not in to
        or game.board.things[to[0]].blocking != (id,)
    ):
        return False
    return not has_lethal(game, to[0], {id: (Share(to[0], amount - 1),)})


def assign_damage(game: Game, action: Assign) -> Game:
    """A side announces how its creatures' damage is divided (CR 510.1, 510.1e: checked in total)."""
    if not is_awaited(game, "damage", action.by):
        raise Rejected(f"{action.by} has no damage to divide now")
    assert game.combat is not None
    given = {assignment.by: assignment.shares for assignment in action.assignments}
    side = side_of(game, action.by)
    own = tuple(id for id in strikers(game) if side_of(game, controller_of(game, id)) == side)
    shares: dict[str, tuple[Share, ...]] = {}
    for id in own:
        forced = only_assignment(game, id)
        if id in given:
            shares[id] = given[id]
        elif forced is not None:
            shares[id] = forced
        else:
            raise Rejected(f"the damage of {id} has to be divided")
    if any(id not in own for id in given):
        raise Rejected("that creature assigns no damage now")
    for id in own:
        game.rules.check_assignment(game, id, shares)
    game = replace(
        game, deciding=None, combat=replace(game.combat, assigned=(*game.combat.assigned, *shares.items()))
    )
    return assigned_or_dealt(game)


def check_assignment(game: Game, id: str, shares: dict[str, tuple[Share, ...]]) -> None:
    """Refuse an illegal division of one creature's damage.

    CR 510.1a: exactly its power. CR 510.1c, 510.1d: freely among its blockers, or what it blocks. CR 702.19b:
    with trample, to what it attacks only when all blockers are assigned lethal damage.
    """
    to, mine = recipients(game, id), shares[id]
    amount = game.rules.combat_damage_of(game, id)
    if sum(share.n for share in mine) != amount or any(share.n < 0 for share in mine):
        raise Rejected(f"{id} assigns {amount} damage (CR 510.1a)")
    if any(share.to not in to for share in mine) or len({share.to for share in mine}) != len(mine):
        raise Rejected(f"{id} can't assign damage to that (CR 510.1)")
    there = blockers_of(game, id)
    if any(share.to not in there and share.n > 0 for share in mine):
        for blocker in there:
            if not has_lethal(game, blocker, shares):
                raise Rejected(f"{blocker} is not assigned lethal damage (CR 702.19b)")


def check_assignment_in_order(game: Game, id: str, shares: dict[str, tuple[Share, ...]]) -> None:
    """Refuse an illegal division under the damage assignment order of editions before November 2024.

    CR 510.1c: (until 2024-11) a blocker may be assigned damage only if all blockers ahead of it in the order
    are assigned lethal damage.
    """
    check_assignment(game, id, shares)
    assert game.combat is not None
    order = dict(game.combat.order).get(id, ())
    amounts = {share.to: share.n for share in shares[id]}
    there = [blocker for blocker in order if blocker in blockers_of(game, id)]
    for ahead, behind in itertools.pairwise(there):
        if amounts.get(behind, 0) > 0 and not has_lethal(game, ahead, shares):
            raise Rejected(f"{ahead} comes before {behind} and is not assigned lethal damage (CR 510.1c)")


def has_lethal(game: Game, id: str, shares: dict[str, tuple[Share, ...]]) -> bool:
    """Whether a creature is assigned lethal damage, counting marked damage and what other creatures assign to
    it.

    CR 702.2c: any damage from a creature with deathtouch is lethal.
    """
    assigned = [
        (by, share.n) for by, some in shares.items() for share in some if share.to == id and share.n > 0
    ]
    if any(game.look(by).has_keyword("deathtouch") for by, _ in assigned):
        return True
    marked = game.board.things[id].damage
    return marked + sum(n for _, n in assigned) >= (game.seen.toughness(id) or 0)


def deal_combat_damage(game: Game) -> Game:
    """Deal all combat damage of this step (CR 510.2: simultaneously)."""
    assert game.combat is not None
    announced = dict(game.combat.assigned)
    events: list[GameEvent] = []
    for id in strikers(game):
        for share in announced.get(id) or only_assignment(game, id) or ():
            if share.n > 0 and game.rules.can_be_damaged(game, share.to):
                events.append(Damaged(game.ref(id), share.to, share.n, combat=True))
    if game.combat.struck_first:
        # CR 510.4: in the second step, creatures with first strike deal none.
        in_combat = (*attackers(game), *blockers(game))
        silent = tuple(id for id in in_combat if not game.rules.deals_damage_now(game, id))
        game = with_event(game, NotStriking(silent)) if silent else game
    game = nothing_to_strike_noted(game, announced)
    game = happen(game, *events) if events else game
    why = "CR 510.3: the active player, once combat damage is dealt"
    return game.rules.give_priority(game, game.board.active, why)


def nothing_to_strike_noted(game: Game, announced: Mapping[str, tuple[Share, ...]]) -> Game:
    """Note for the account which creatures have nothing to assign damage to (CR 510.1b: what they attack;
    CR 510.1c: their blockers; CR 510.1d: the creatures they block).
    """
    idle = tuple(id for id in strikers(game) if not (announced.get(id) or only_assignment(game, id)))
    attack = tuple(id for id in idle if game.board.things[id].attacking is not None)
    block = tuple(id for id in idle if id not in attack)
    game = with_event(game, NotStriking(attack, "attacks nothing")) if attack else game
    return with_event(game, NotStriking(block, "blocks nothing")) if block else game


# ------------------------------------------------------------------------ without a declaration


def declare_least(game: Game) -> Game:
    """The default declaration, with only the creatures that must attack or block.

    If a required creature could attack several players, or must block in one of several ways, the script has
    to choose.
    """
    assert game.deciding is not None
    side = game.deciding.by
    player = members(game, side)[0]
    match game.deciding.what:
        case "attackers":
            chosen = []
            for id, what in least_attack(game, player).items():
                if len(what) > 1:
                    raise Undecided(Question("object", player, (id, "combat"), what))
                chosen.append(Attacker(id, what[0]))
            return game.rules.declare_attackers(game, Attack(tuple(chosen), player))
        case "blockers":
            blocks = legal_blocks(game, possible_blocks(game, side)) or [{}]
            best = max(requirements_obeyed(game, block) for block in blocks)
            size = [sum(map(len, block.values())) for block in blocks]
            good = [n for n, block in enumerate(blocks) if requirements_obeyed(game, block) == best]
            fewest = min(size[n] for n in good)
            least = [blocks[n] for n in good if size[n] == fewest]
            if len(least) > 1:
                raise Undecided(Question("object", player, ("combat",)))
            wanted = tuple(Blocker(id, what) for id, what in least[0].items())
            return game.rules.declare_blockers(game, Block(wanted, player))
        case "damage":
            raise Undecided(Question("division", player, ("combat",)))


def least_attack(game: Game, player: str) -> dict[str, tuple[str, ...]]:
    """The fewest creatures that obey as many requirements as possible, each with what it may attack."""
    required = game.rules.required_attackers(game)
    if not required:
        return {}
    free = {id: what for id, what in free_attacks(game).items() if what}
    attacks = tuple((id, what) for id, some in free.items() for what in some)
    limits = game.rules.attack_limits(game, attacks)
    if not limits:
        return {id: what for id, what in free.items() if any(id in group for group in required)}
    legal = list(attacks_within(limits, attacks))
    most = max(attacks_obeyed(required, one) for one in legal)
    good = [one for one in legal if attacks_obeyed(required, one) == most]
    fewest = min(map(len, good))
    least, *others = [one for one in good if len(one) == fewest]
    if others:
        raise Undecided(Question("object", player, ("combat",)))
    return {
        id: tuple(other for other in free[id] if likeness(limits, id, other) == likeness(limits, id, what))
        for id, what in least.items()
    }
