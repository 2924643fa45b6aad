"""Targets: which are legal, choosing them, and dividing something among them (CR 115, 601.2c, 601.2d)."""

from __future__ import annotations

import functools

from msgspec.structs import replace

from reference_engine.game.events import BecameTarget
from reference_engine.game.game import (
    Game,
    Question,
    Ref,
    Rejected,
    StackItem,
    is_in_game,
    opponents_of,
    players,
    players_in_order,
    side_of,
)
from reference_engine.game.happening import happen
from reference_engine.game.questions import take_answer
from reference_engine.game.recall import NamedObjects, asking_about
from reference_engine.game.rule_effects import forbidding, is_excepted, on_rules, source_of_effect
from reference_engine.game.stack import (
    asking_for,
    instructions_of,
    item_named,
    shown_ref,
    with_item,
)
from reference_engine.language.actions import Share
from reference_engine.language.cards import (
    Damage,
    Everyone,
    Filter,
    Instruction,
    Keyword,
    Must,
    PutCounters,
    Quantity,
    TargetSpec,
    The,
)
from reference_engine.language.characteristics import instructions_in, references_in
from reference_engine.layers.asking import amount, how_many, matches, selection
from reference_engine.layers.board import NotModelled
from reference_engine.layers.evaluation import RuleEffect


def legal_targets(
    game: Game, item: StackItem, spec: TargetSpec, named: NamedObjects | None = None
) -> tuple[str, ...]:
    """Everything that is now legal for one instance of the word "target".

    CR 115.2: permanents, unless it specifies another zone, a player, or an object on the stack. CR 115.4:
    "any target" is a creature, planeswalker, battle or player. CR 115.5: never the spell or ability itself.
    """
    asking = asking_for(game, item, named)
    found: list[str] = []
    if spec.any_target:
        kinds = frozenset({"Creature", "Planeswalker", "Battle"})
        seen = game.seen
        found += [
            t.id
            for t in game.board.things.values()
            if t.zone == "battlefield" and seen.look(t.id).types & kinds
        ]
        found += players(game)
    if spec.what is not None:
        found += selection(spec.what, asking)
    if spec.players is not None:
        found += [player for player in selection(spec.players, asking) if is_in_game(game, player)]
    found += [other.id for other in game.stack if other.kind in spec.stack]
    if spec.targeting_one:
        single = {other.id for other in game.stack if sum(len(refs) for refs in other.targets) == 1}
        found = [id for id in found if id in single]
    return tuple([id for id in dict.fromkeys(found) if game.rules.can_be_targeted(game, item, id)])


def can_be_targeted(game: Game, item: StackItem, id: str) -> bool:
    """Whether no rule forbids a spell or ability to target this.

    CR 115.5: not the spell or ability itself. CR 702.11b, 702.18a: hexproof and shroud. CR 702.16b:
    protection. CR 101.2: and whatever else an effect says can't be a target.
    """
    return targeting_forbidden(game, item, id) is None


def targeting_forbidden(game: Game, item: StackItem, id: str) -> str | None:
    """The rule that forbids a spell or ability to target this, if any.

    CR 115.5: itself. CR 702.18a: shroud. CR 702.11b, 702.11c: hexproof, for opponents. CR 702.16b:
    protection.
    """
    if id == item.id:
        return "CR 115.5: not itself"
    seen = game.seen
    thing = game.board.things.get(id)
    if thing is None:
        keywords = seen.players[id].keywords if id in seen.players else frozenset()
        guardian = id
    elif thing.zone == "battlefield":
        look = seen.look(id)
        keywords, guardian = look.keywords, look.controller or thing.owner
    else:
        return None
    for keyword in keywords:
        match keyword.keyword:
            case "shroud":
                return "CR 702.18a: shroud"
            case "hexproof":
                if side_of(game, guardian) != side_of(game, item.controller) and (
                    keyword.what is None or is_like(game, item.source, keyword.what, id)
                ):
                    return "CR 702.11b: hexproof"
            case "protection":
                if game.rules.protects(game, keyword, item.source, id):
                    return "CR 702.16b: protection"
    for operation, affected, effect in forbidding(game, "be targeted"):
        if operation.unless is not None and is_excepted(game, operation.unless, effect, id):
            continue
        if id in affected and (
            operation.what is None or matches_filter_of_effect(game, item.source, operation.what, effect, id)
        ):
            return f"CR 101.2: {effect.effect.source} forbids it"
    return None


def protects(game: Game, keyword: Keyword, source: Ref, protected: str) -> bool:
    """Whether a protection ability applies to this source.

    CR 702.16a: only a source with the stated quality. CR 702.16b, 702.16c, 702.16d, 702.16e, 702.16f: it
    can't target, enchant, equip, damage or block what is protected. CR 702.16k: protection from a player is
    from what the player controls, and from what the player owns and nobody else controls.
    """
    if keyword.player is None:
        return is_like(game, source, keyword.what or Filter(), protected)
    uncontrolled = Filter(owner=keyword.player, without=(Filter(controller=Everyone()),))
    theirs = Filter(any_of=(Filter(controller=keyword.player), uncontrolled))
    return is_like(game, source, theirs, protected)


def keyword_owner(game: Game, protected: str) -> str:
    """The player whom "you" means in an ability of an object or player."""
    thing = game.board.things.get(protected)
    return protected if thing is None else (game.look(protected).controller or thing.owner)


def is_like(game: Game, source: Ref, wanted: Filter, asker: str) -> bool:
    """Whether a source, as it is or last was, matches a filter."""
    this = game.ref(asker) if asker in game.board.things else source
    asking = asking_about(game, this, keyword_owner(game, asker), names={"source": (source,)})
    return source.id in asking.board.things and matches(wanted, source.id, asking)


def matches_filter_of_effect(game: Game, source: Ref, wanted: Filter, effect: RuleEffect, it: str) -> bool:
    """Like `is_like`, for a filter in an effect, which may refer to the effect's controller or target, and to
    what it affects.
    """
    # CR 609.7a: the source that the effect speaks of may be gone.
    origins = effect.effect.origins
    names = {
        name: (*map(game.ref, ids), *(source for one in origins if one == (name, source.id, source.born)))
        for name, ids in effect.effect.names
    }
    this = source_of_effect(game, effect)
    asking = asking_about(game, this, effect.you, names={**names, "source": (source,)}).about(it)
    if source.id == this.id and source.born not in (this.born, this.then):
        # CR 400.7: what the effect calls "this" was another object of the same card.
        asking = replace(asking, this="")
    return source.id in asking.board.things and matches(wanted, source.id, asking)


def resolve_target(game: Game, name: str) -> Ref:
    """The object or player that a script names as a target."""
    item = item_named(game, name)
    if item is not None:
        return Ref(item.id, item.born)
    if name in game.board.things:
        return game.ref(name)
    if is_in_game(game, name):
        return Ref(name)
    raise Rejected(f"there is no {name} to be a target")


def target_limits(
    game: Game, item: StackItem, spec: TargetSpec, named: NamedObjects | None = None
) -> tuple[int, int]:
    """The minimum and maximum number of targets for one instance of the word."""
    if isinstance(spec.least, int) and isinstance(spec.most, int):
        return spec.least, spec.most
    asking = asking_for(game, item, named)
    return how_many(spec.least, asking), how_many(spec.most, asking)


def named_targets(
    specs: tuple[TargetSpec, ...], targets: tuple[tuple[Ref, ...], ...]
) -> dict[str, tuple[Ref, ...]]:
    """The targets under the names by which the text refers to them."""
    named: dict[str, tuple[Ref, ...]] = {}
    for spec, chosen in zip(specs, targets, strict=False):
        named[spec.name] = named.get(spec.name, ()) + chosen
    return named


# ------------------------------------------------------------------------------ choosing them


class NotEnoughTargets(Rejected):
    """There are fewer legal targets than are required."""


def with_targets(
    game: Game, item: StackItem, wanted: tuple[tuple[str, ...], ...] | None, askers: tuple[str, ...]
) -> tuple[Game, StackItem]:
    """The spell or ability with its targets, checked one instance of the word "target" after another.

    CR 601.2c, 603.3d: as many as it asks for are chosen, as the spell is cast or the ability is put on the
    stack. CR 115.3: one instance can't have the same target twice, but different instances can.

    Without `wanted`, the script is asked for every target; with it, only for required ones that were left out
    entirely.
    """
    specs = item.specs
    if wanted is not None and len(wanted) > len(specs):
        raise Rejected(f"{item.source.id} has {len(specs)} targets, not {len(wanted)}")
    asks = wanted is None or not wanted
    chosen: list[tuple[Ref, ...]] = []
    for number, spec in enumerate(specs):
        named = named_targets(specs, tuple(chosen))
        least, most = target_limits(game, item, spec, named)
        legal = game.rules.legal_targets(game, item, spec, named)
        if len(legal) < least:
            raise NotEnoughTargets(f"there are not enough legal targets for {item.source.id}")
        refs: tuple[Ref, ...] = ()
        if not asks and wanted is not None and number < len(wanted):
            refs = tuple([resolve_target(game, name) for name in wanted[number]])
        elif asks and (wanted is None or least > 0):
            game, chooser = chooser_of(game, item, spec, named, askers)
            question = Question(
                "targets", chooser, askers, script_names(game, legal), least, min(most, len(legal))
            )
            game, answer = take_answer(game, question)
            refs = tuple(resolve_target(game, str(name)) for name in answer)
        if not least <= len(refs) <= most:
            raise Rejected(f"{item.source.id}: {least} to {most} targets are to be chosen, not {len(refs)}")
        if len(refs) > 1 and len({ref.id for ref in refs}) != len(refs):
            raise Rejected("the same target twice (CR 115.3)")
        for ref in refs:
            if ref.id not in legal:
                why = targeting_forbidden(game, item, ref.id) or "CR 601.2c"
                raise Rejected(f"{shown_ref(game, ref)} is no legal target for {item.source.id} ({why})")
        chosen.append(refs)
    item = replace(item, targets=tuple(chosen))
    game = with_item(game, item)
    aims = dict.fromkeys([ref.id for refs in chosen for ref in refs])
    if aims:
        game = happen(game, *[BecameTarget(id, item.id, item.controller) for id in aims])
    return game, item


def chooser_of(
    game: Game, item: StackItem, spec: TargetSpec, named: NamedObjects, askers: tuple[str, ...]
) -> tuple[Game, str]:
    """The player who chooses a target: the controller, unless the text says otherwise.

    CR 601.7: an opponent makes a choice that the controller would normally make. CR 601.7a: the controller
    decides which opponent. CR 800.4g: another opponent makes the choice of one who has left the game.
    """
    who = selection(spec.by, asking_for(game, item, named))
    there = players_in_order(game)
    those = tuple(player for player in there if player in who or side_of(game, player) in who)
    options = those or opponents_of(game, item.controller)
    game, answer = take_answer(game, Question("player", item.controller, askers, options))
    return game, str(answer[0])


def script_names(game: Game, ids: tuple[str, ...]) -> tuple[str, ...]:
    """The script's names for these objects."""
    return tuple(shown_ref(game, Ref(id)) for id in ids)


def obeys_target_requirements(game: Game, item: StackItem) -> None:
    """Refuse targets that leave out something that must be targeted if able.

    CR 601.2c: as many as possible of the effects that require something to be chosen as a target are obeyed.
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
    for number, (spec, refs) in enumerate(zip(item.specs, item.targets, strict=True)):
        named = named_targets(item.specs, item.targets[:number])
        slots += [frozenset(game.rules.legal_targets(game, item, spec, named))] * len(refs)
    if obeyed < greatest_number_obeyed(slots, required):
        raise Rejected("something that must be targeted if able is not (CR 601.2c)")


def greatest_number_obeyed(slots: list[frozenset[str]], required: list[frozenset[str]]) -> int:
    """The greatest number of these groups that can each have a member among the targets."""
    if not slots:
        return 0
    first, rest = slots[0], slots[1:]
    best = greatest_number_obeyed(rest, required)
    for id in sorted({member for group in required for member in group & first}):
        now = [group for group in required if id in group]
        later = [group for group in required if id not in group]
        best = max(best, len(now) + greatest_number_obeyed(rest, later))
    return best


# ----------------------------------------------------------------------------------- dividing


def with_division(
    game: Game, item: StackItem, given: tuple[Share, ...], askers: tuple[str, ...]
) -> tuple[Game, StackItem]:
    """The spell or ability with its division among targets, if it divides anything."""
    instruction = division_of(game, item)
    if instruction is None:
        if given:
            raise Rejected(f"{item.source.id} divides nothing")
        return game, item
    targets = divided_among(instruction, item.specs, item.targets)
    total = to_divide(game, item, instruction)
    game, shares = shares_of(game, item, targets, total, given, askers)
    item = replace(item, divide=shares)
    return with_item(game, item), item


def division_of(game: Game, item: StackItem) -> Damage | PutCounters | None:
    """The instruction of a spell or ability that divides something, if there is one."""
    return dividing(instructions_of(game, item))


@functools.lru_cache(maxsize=4096)
def dividing(effect: tuple[Instruction, ...]) -> Damage | PutCounters | None:
    """The first of these instructions, or of those inside them, that divides something."""
    does = instructions_in(effect)
    return next((one for one in does if isinstance(one, (Damage, PutCounters)) and one.divided), None)


def to_divide(game: Game, item: StackItem, instruction: Damage | PutCounters) -> int:
    """How much an instruction divides."""
    named = named_targets(item.specs, item.targets)
    return amount(amount_to_divide(instruction), asking_for(game, item, named))


def amount_to_divide(instruction: Damage | PutCounters) -> Quantity:
    """What an instruction divides, as it is written."""
    return instruction.n if isinstance(instruction, Damage) else instruction.counters[0].n


def too_little_to_divide(game: Game, item: StackItem) -> bool:
    """Whether an ability has less to divide than targets that have to be chosen for it.

    CR 603.3d: then no legal choice can be made (CR 601.2d: at least one to each). An amount that depends on a
    target is not known before that is chosen.
    """
    instruction = division_of(game, item)
    if instruction is None:
        return False
    if not references_in(amount_to_divide(instruction)).isdisjoint(spec.name for spec in item.specs):
        return False
    among = receivers(instruction).name
    specs = [spec for spec in item.specs if spec.name == among]
    return to_divide(game, item, instruction) < sum(target_limits(game, item, spec)[0] for spec in specs)


def receivers(instruction: Damage | PutCounters) -> The:
    """The targets to which damage is dealt, or on which counters are put."""
    among = instruction.to if isinstance(instruction, Damage) else instruction.on
    assert isinstance(among, The), "only targets share something (CR 601.2d)"
    return among


def divided_among(
    instruction: Damage | PutCounters, specs: tuple[TargetSpec, ...], targets: tuple[tuple[Ref, ...], ...]
) -> tuple[Ref, ...]:
    """The targets among which something is divided; targets for anything else get no share of it."""
    named, among = named_targets(specs, targets), receivers(instruction).name
    if among not in named:
        raise NotModelled("something divided among what are no targets")
    return named[among]


def shares_of(
    game: Game,
    item: StackItem,
    targets: tuple[Ref, ...],
    total: int,
    given: tuple[Share, ...],
    askers: tuple[str, ...],
) -> tuple[Game, tuple[Share, ...]]:
    """The division among the targets, as given or as chosen."""
    if total < len(targets):
        raise Rejected(f"{total} is too little (CR 601.2d: at least one to each target)")
    if len(targets) == 1 and not given:
        return game, (Share(targets[0].id, total),)
    if not given and targets:
        there = script_names(game, tuple(ref.id for ref in targets))
        n = len(there)
        question = Question("division", item.controller, askers, there, n, n, total)
        game, answer = take_answer(game, question)
        given = tuple(share for share in answer if isinstance(share, Share))
    resolved = tuple(Share(resolve_target(game, share.to).id, share.n) for share in given)
    if sorted(share.to for share in resolved) != sorted(ref.id for ref in targets):
        raise Rejected("each target gets a share (CR 601.2d)")
    if sum(share.n for share in resolved) != (total if targets else 0) or any(
        share.n < 1 for share in resolved
    ):
        raise Rejected(f"{total} is to be divided, at least one to each (CR 601.2d)")
    return game, resolved
