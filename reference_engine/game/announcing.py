"""What is announced as a spell is cast or an ability activated (CR 601.2b): modes, alternative and additional
costs, X, and how hybrid and Phyrexian symbols are paid.
"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from reference_engine.game.beginning import gained_at
from reference_engine.game.costs import Proposal
from reference_engine.game.events import EffectBegan
from reference_engine.game.game import (
    Game,
    Question,
    Rejected,
    StackItem,
)
from reference_engine.game.happening import happen
from reference_engine.game.mana import (
    Price,
    WrongPayment,
    price_of,
)
from reference_engine.game.questions import labels_of, take_answer
from reference_engine.game.rule_effects import rule_effects_in
from reference_engine.game.stack import (
    modes_of,
    spell_of,
    with_item,
)
from reference_engine.game.timing import ALLOWED_BY_THEMSELVES
from reference_engine.language.actions import (
    Activate,
    CastAction,
    CostPaid,
)
from reference_engine.language.cards import (
    All,
    AlternativeCost,
    AsThoughFlash,
    Cost,
    DiscardCost,
    EitherCost,
    Gain,
    Keyword,
    ManaCost,
    words_for_costs,
)
from reference_engine.language.characteristics import Characteristics, first_instance
from reference_engine.language.words import KeywordName
from reference_engine.layers.asking import given
from reference_engine.layers.board import Lasting, NotModelled, SettledPart
from reference_engine.layers.evaluation import copiable_values

BY_STEPS = (CastAction, Activate)
"""The actions that go through these steps."""


def method_of(costs: tuple[CostPaid, ...]) -> str | None:
    """The alternative cost or way of casting that was announced.

    CR 601.2b, 118.9a: two alternative methods or costs can't be applied to one spell.
    """
    if not costs:
        return None
    methods = tuple(id for paid in costs if paid.kind == "method" for id in paid.ids)
    if len(methods) > 1:
        raise Rejected(f"{' and '.join(methods)}: only one of them (CR 118.9a: one alternative cost)")
    return methods[0] if methods else None


def choices_announced(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """CR 601.2b: modes, alternative and additional costs, X, and the payment of hybrid and Phyrexian
    symbols.
    """
    action, item = proposal.action, proposal.item
    assert isinstance(action, BY_STEPS)
    modes = action.modes
    if isinstance(action, CastAction):
        if proposal.terms is not None:
            game, proposal = ways_chosen(game, proposal)
        game, proposal = with_method(game, proposal)
        game, proposal = with_additional_costs(game, proposal)
        game, proposal = game.rules.costs_chosen(game, proposal)
        item = proposal.item
        thing = game.board.things[item.id]
        if thing.was != item.was:
            game = replace(game, board=game.board.with_things(replace(thing, was=item.was)))
    game = with_item(game, item)
    entwined = "entwine" in item.extras
    if proposal.terms is not None and not entwined:
        game, modes = modes_asked(game, item)
    modes = modes_chosen(game, item, modes, entwined)
    if modes != item.modes:
        item = replace(item, modes=modes)
    mana = proposal.base or ""
    for cost in proposal.additional:
        if isinstance(cost, ManaCost):
            mana += cost.mana
    if "{X}" in mana:
        if item.x is None:
            game, answer = take_answer(game, Question("x", action.by, (action.what,)))
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
    hybrid, with_life = symbols_announced(action.costs)
    price_announced(mana, item.x or 0, hybrid, with_life)
    return with_item(game, item), replace(proposal, item=item, hybrid=hybrid, with_life=with_life)


def symbols_announced(costs: tuple[CostPaid, ...]) -> tuple[tuple[str, ...], int]:
    """The halves of hybrid symbols that will be paid, and the number of Phyrexian symbols paid with life."""
    if not costs:
        return (), 0
    hybrid = tuple(id for paid in costs if paid.kind == "hybrid" for id in paid.ids)
    with_life = sum(99 if paid.n is None else paid.n for paid in costs if paid.kind == "life")
    return hybrid, with_life


def price_announced(mana: str, x: int, hybrid: tuple[str, ...], with_life: int) -> Price:
    """The price of a mana cost with the payment choices announced; refused if its symbols do not allow
    them.
    """
    try:
        return price_of(mana, x, hybrid, with_life)
    except WrongPayment as wrong:
        raise Rejected(str(wrong)) from None


def with_method(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """The proposal with the mana cost, or the announced alternative cost instead (CR 118.9: alternative
    costs).
    """
    item, action = proposal.item, proposal.action
    assert isinstance(action, CastAction)
    look = game.look(item.id)
    price = offered_price(proposal)
    if action.face_down:
        if item.method not in (None, "morph", "disguise") or price is not None:
            other = item.method or "another cost"
            raise Rejected(f"{other} and morph: only one of them (CR 118.9a: one alternative cost)")
        # CR 702.37a, 702.168a: three mana in place of the mana cost.
        return game, replace(proposal, base="{3}")
    if price is not None:
        if item.method is not None:
            raise Rejected(f"{item.id}: another cost is paid already (CR 118.9a: one alternative cost)")
        return game, with_alternative_cost(proposal, price)
    match item.method:
        case None:
            return game, replace(proposal, base=look.cost)
        case "flashback":
            # CR 400.7g: an ability granted to the card in the graveyard also applies to the spell.
            game, [keyword] = keywords_to_pay(game, proposal, "flashback", proposal.before.seen.look(item.id))
            # CR 118.6: without a price of its own it costs what the card does, which may be unpayable.
            has_price = keyword.mana is not None or keyword.costs
            base = keyword.mana or "" if has_price else look.cost
            return game, replace(proposal, base=base, additional=keyword.costs)
        case "bestow" | "evoke" | "dash" | "escape" | "overload" | "warp" as method:
            if method == "warp" and proposal.origin != "hand":
                raise Rejected(f"{item.id} is not in a hand (CR 702.185a: warp)")
            game, keyword = way_to_pay(game, proposal, method)
            # CR 400.7d: the permanent that it becomes knows which cost was paid.
            facts = paid_for(game, item.id, WAYS[method], (keyword,))
            paid = replace(proposal, item=replace(item, was=item.was | facts))
            game = game.rules.way_kept(game, proposal, keyword)
            return game, with_alternative_cost(paid, keyword_costs(keyword.mana, keyword.costs))
        case "plot":
            # CR 702.170d: a plotted card is cast without paying its mana cost.
            return game, replace(proposal, base="")
        case "foretell":
            # CR 702.143a: for the foretell cost of the card, whether or not the spell has it.
            game, keyword = way_to_pay(game, proposal, "foretell")
            return game, with_alternative_cost(proposal, keyword_costs(keyword.mana, keyword.costs))
    # CR 604.6: effects on the card in its previous zone count as well as those on the spell.
    for seen in (game.seen, proposal.before.seen):
        for operation, affected, _ in rule_effects_in(seen, AlternativeCost):
            if operation.name == item.method and item.id in affected:
                return game, with_alternative_cost(proposal, operation.costs)
    raise Rejected(f"{item.id} can't be cast for {item.method}")


def paid_for(game: Game, id: str, what: str, keywords: tuple[Keyword, ...]) -> frozenset[str]:
    """What a spell, and the permanent that it becomes, knows of the costs paid for these keywords.

    CR 607.5: abilities that an effect has given it are linked to one another, and not to those of its own
    text.
    """
    own = copiable_values(game.board, id, game.rules).keywords
    return frozenset({what}) if own.issuperset(keywords) else frozenset({what, given(what)})


WAYS: dict[str, str] = {
    "bestow": "bestowed",
    "evoke": "evoked",
    "dash": "dashed",
    "escape": "escaped",
    "overload": "overloaded",
    "warp": "warped",
}
"""Keywords whose cost can be paid rather than the mana cost, and the word for a spell cast that way."""


OFFERED_BY_SPELLS: tuple[KeywordName, ...] = ("dash", "overload", "warp")
"""Keywords whose cost is offered by an ability of the spell, not by one of the card where it was."""


def way_to_pay(game: Game, proposal: Proposal, method: KeywordName) -> tuple[Game, Keyword]:
    """The keyword of the card whose cost is paid rather than its mana cost.

    CR 702.74a, 702.103a, 702.143a: evoke, bestow and foretell. CR 702.138a: escape, from a graveyard.
    CR 702.96a, 702.109a, 702.185a: overload, dash and warp, which the spell itself may have been given.
    CR 400.7g: what the card was given goes with it to the stack.
    """
    there = proposal.before.seen.look(proposal.item.id)
    if method in OFFERED_BY_SPELLS:
        there = replace(there, keywords=there.keywords | game.look(proposal.item.id).keywords)
    game, [keyword] = keywords_to_pay(game, proposal, method, there)
    return game, keyword


def way_kept(game: Game, proposal: Proposal, keyword: Keyword) -> Game:
    """The game in which a spell, and the permanent that it becomes, has the keyword whose cost is paid, if
    only the card in its previous zone had been given it.

    CR 400.7g: it continues to apply to the spell. CR 611.3d: what it says of the permanent lasts for the rest
    of the game. CR 613.7a: it is as old as it was.
    """
    id = proposal.item.id
    if keyword.keyword not in FOR_THE_PERMANENT or game.look(id).has_keyword(keyword.keyword):
        return game
    since = gained_at(proposal.before, id, keyword)
    if since is None:
        return game
    parts = (SettledPart(frozenset({id}), (Gain((first_instance(keyword),)),)),)
    name = f"{id} {keyword.keyword} {game.clock}"
    return happen(game, EffectBegan(Lasting(name, id, proposal.action.by, since, parts)))


FOR_THE_PERMANENT: tuple[KeywordName, ...] = ("evoke", "dash")
"""Keywords with a cost to be paid rather than the mana cost, and an ability of the permanent."""


def keywords_to_pay(
    game: Game, proposal: Proposal, name: KeywordName, look: Characteristics, many: int = 1
) -> tuple[Game, tuple[Keyword, ...]]:
    """The keywords of this name whose costs a player pays for a spell, as many as are wanted."""
    return keywords_chosen(game, proposal.action.by, proposal.item.id, name, look, many)


def keywords_chosen(
    game: Game, by: str, id: str, name: KeywordName, look: Characteristics, many: int = 1
) -> tuple[Game, tuple[Keyword, ...]]:
    """The keywords of this name whose costs a player pays, as many as are wanted.

    CR 601.2b: if the card or spell has more of them, such as its own flashback and one that an effect gave
    it, the player announces which.
    """
    found = tuple(sorted((k for k in look.keywords if k.keyword == name), key=str))
    if not found:
        raise Rejected(f"{id} has no {name}")
    if len(found) < many:
        raise Rejected(f"{id} does not have {name} {many} times")
    if len(found) == many:
        return game, found
    labels = labels_of([cost_in_words(keyword) or name for keyword in found])
    game, answer = take_answer(game, Question("costs", by, (id, name), labels, many, many))
    return game, tuple(found[labels.index(str(label))] for label in answer)


def cost_in_words(keyword: Keyword) -> str:
    """The word by which a script names one of several keywords: the mana and the kinds of other costs."""
    kinds = [str(cost.__struct_config__.tag) for cost in keyword.costs]
    return " ".join([keyword.mana, *kinds] if keyword.mana else kinds)


def with_alternative_cost(proposal: Proposal, costs: tuple[Cost, ...]) -> Proposal:
    """The proposal with an alternative cost in place of the mana cost."""
    mana = "".join(cost.mana for cost in costs if isinstance(cost, ManaCost))
    others = tuple(cost for cost in costs if not isinstance(cost, ManaCost))
    return replace(proposal, base=mana, additional=others)


def offered_price(proposal: Proposal) -> tuple[Cost, ...] | None:
    """The cost, if any, that the effect allowing the cast requires rather than the mana cost.

    CR 118.9b: such an effect may require a certain alternative cost.
    """
    if proposal.terms is not None:
        return proposal.terms.cost
    return None if proposal.permission is None else proposal.permission[0].cost


def ways_chosen(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """The proposal of a spell cast while something resolves, with its optional costs chosen.

    CR 601.2b: the player announces which additional costs will be paid, and an alternative cost, unless the
    instruction requires one itself.
    """
    item, action = proposal.item, proposal.action
    assert isinstance(action, CastAction) and proposal.terms is not None
    look = game.look(item.id)
    others: tuple[str, ...] = ()
    if proposal.terms.cost is None:
        there = proposal.before.seen.look(item.id)
        others = tuple(
            word
            for word in (*OWN_COSTS, *(("warp",) if proposal.origin == "hand" else ()))
            if there.has_keyword(word) or (word in OFFERED_BY_SPELLS and look.has_keyword(word))
        )
        others += tuple(
            operation.name
            for seen in (game.seen, proposal.before.seen)
            for operation, affected, _ in rule_effects_in(seen, AlternativeCost)
            if item.id in affected
        )
    extras = tuple(word for word in OPTIONAL_COSTS if look.has_keyword(word))
    options = tuple(dict.fromkeys((*others, *extras)))
    question = Question("costs", action.by, (item.id,), options, 0, len(options))
    game, answer = take_answer(game, question)
    methods = tuple(str(word) for word in answer if word in others)
    if len(methods) > 1:
        raise Rejected(f"{' and '.join(methods)}: only one of them (CR 118.9a: one alternative cost)")
    if "bestow" in methods:
        raise NotModelled("bestow for a card cast while something resolves")
    chosen = tuple(str(word) for word in answer if word not in others)
    item = replace(item, method=methods[0] if methods else None, extras=chosen)
    return game, replace(proposal, item=item)


OptionalCost = Literal["kicker", "buyback", "entwine", "offspring"]


OPTIONAL_COSTS: tuple[OptionalCost, ...] = ("kicker", "buyback", "entwine", "offspring")


OWN_COSTS: tuple[KeywordName, ...] = ("evoke", "dash", "overload", "bestow")
"""Keywords with a cost that may be paid rather than the mana cost, wherever the card is cast from."""


def modes_asked(game: Game, item: StackItem) -> tuple[Game, tuple[int, ...]]:
    """The modes that a player chooses for a spell cast while something resolves (CR 601.2b)."""
    printed, least, most = modes_of(game, item)
    if not printed:
        return game, ()
    numbers = tuple(range(1, len(printed) + 1))
    game, answer = take_answer(game, Question("modes", item.controller, (item.id,), numbers, least, most))
    return game, tuple(int(str(number)) for number in answer)


def with_additional_costs(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """The proposal with printed additional costs and the announced optional ones (CR 118.8: additional
    costs).

    CR 702.33a: kicker. CR 702.27a: buyback, which returns the spell to its owner's hand as it resolves.
    CR 702.42a: entwine, for all modes. CR 702.175a: offspring.
    """
    item, action = proposal.item, proposal.action
    look = game.look(item.id)
    spell = spell_of(look)
    costs = proposal.additional + (spell.additional if spell is not None else ())
    wanted = item.extras
    times = wanted.count("kicker")
    for paid in action.costs:
        times += (paid.n or 1) if paid.kind == "kicked" else 0
    if not wanted and not times and proposal.origin != "graveyard":
        return game, replace(proposal, additional=costs) if costs else proposal
    if times:
        game, kickers = keywords_to_pay(game, proposal, "kicker", look, times)
        for keyword in kickers:
            costs += keyword_costs(keyword.mana, keyword.costs)
    for name in ("buyback", "entwine", "offspring"):
        if name in wanted:
            # CR 113.2c, 702.175a: each of several offspring abilities is paid for separately.
            game, keywords = keywords_to_pay(game, proposal, name, look, wanted.count(name))
            for keyword in keywords:
                costs += keyword_costs(keyword.mana, keyword.costs)
            if name == "offspring":  # CR 702.175a: the permanent knows which of them were paid
                facts = paid_for(game, item.id, name, keywords)
                item = replace(item, was=item.was.union(facts, map(str, keywords)))
    if "buyback" in wanted:
        item = replace(item, goes_to="hand")
    if "flash" in wanted:
        costs += flash_costs(game, proposal)
    permitted = proposal.terms is not None or proposal.permission is not None
    if proposal.origin == "graveyard" and item.method not in ALLOWED_BY_THEMSELVES and not permitted:
        # CR 702.81a: retrace: from the graveyard, by also discarding a land card.
        costs += (DiscardCost(1, All(type=frozenset({"Land"}), zones=frozenset({"hand"}))),)
    either = {word for cost in costs if isinstance(cost, EitherCost) for word in words_for_costs(cost)}
    if any(word not in (*OPTIONAL_COSTS, "flash", *either) for word in wanted):
        raise Rejected(f"{item.id} has no additional cost called {', '.join(wanted)}")
    if times:
        item = replace(item, kicked=times, was=item.was | {"kicked"})
    return game, replace(proposal, additional=costs, item=item)


def costs_chosen(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """The proposal with one of the costs of which a player pays either (CR 601.2b: announced with the
    others).
    """
    if not proposal.additional:
        return game, proposal
    costs: list[Cost] = []
    for cost in proposal.additional:
        if not isinstance(cost, EitherCost):
            costs.append(cost)
            continue
        ways = words_for_costs(cost)
        said = [word for word in proposal.item.extras if word in ways]
        if len(said) > 1:
            raise Rejected(f"{' and '.join(said)}: only one of them is paid (CR 601.2b)")
        if not said:
            question = Question("costs", proposal.action.by, (proposal.item.id,), tuple(ways))
            game, answer = take_answer(game, question)
            said = [str(answer[0])]
        costs.append(ways[said[0]])
    return game, replace(proposal, additional=tuple(costs))


def flash_costs(game: Game, proposal: Proposal) -> tuple[Cost, ...]:
    """CR 601.3c: the additional cost for casting this spell as though it had flash."""
    for seen in (game.seen, proposal.before.seen):
        for operation, affected, _ in rule_effects_in(seen, AsThoughFlash):
            if operation.costs and proposal.item.id in affected:
                return operation.costs
    raise Rejected(f"nothing offers {proposal.item.id} as though it had flash for a cost")


def keyword_costs(mana: str | None, costs: tuple[Cost, ...]) -> tuple[Cost, ...]:
    """The mana cost and the other costs of a keyword as one tuple."""
    return (*((ManaCost(mana),) if mana is not None else ()), *costs)


def modes_chosen(game: Game, item: StackItem, modes: tuple[int, ...], entwined: bool) -> tuple[int, ...]:
    """CR 700.2: the announced modes in printed order, as many as the text requires, without duplicates.

    CR 702.42a: with entwine, all of them.
    """
    printed_modes, least, most = modes_of(game, item)
    if entwined:
        every = tuple(range(1, len(printed_modes) + 1))
        if modes and tuple(sorted(modes)) != every:
            raise Rejected(f"{item.source.id}: with entwine all modes are chosen (CR 702.42a)")
        return every
    if not printed_modes:
        if modes:
            raise Rejected(f"{item.source.id} has no modes")
        return ()
    if not least <= len(modes) <= most or len(set(modes)) != len(modes):
        raise Rejected(f"{item.source.id}: {least} to {most} different modes are to be chosen")
    if not all(1 <= number <= len(printed_modes) for number in modes):
        raise Rejected(f"{item.source.id} has modes 1 to {len(printed_modes)}")
    return tuple(sorted(modes))
