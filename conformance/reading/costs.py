"""Reads costs and keywords."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from conformance.reading.conditions import as_filter
from conformance.reading.grammar import list_in_sentence, matching, one_of, rule, with_separators, words
from conformance.reading.phrases import article, counter_name, digits, itself, many, number, one
from reference_engine.language.cards import (
    All,
    Cost,
    DiscardCost,
    EitherCost,
    Everyone,
    ExileCost,
    Filter,
    Keyword,
    LifeCost,
    LoyaltyCost,
    ManaCost,
    MillCost,
    Opponents,
    RemoveCountersCost,
    ReturnCost,
    SacrificeCost,
    TapOthers,
    TapThis,
    This,
    UntapThis,
    You,
)
from reference_engine.language.keywords import NUMBERED
from reference_engine.language.words import COLORS, KeywordName

mana = matching(r"(?:\{(?:[WUBRGCXS]|\d+|[WUBRG2C]/[WUBRGP](?:/P)?)\})+")
numbered = one_of(
    rule("another {what}", lambda what: (1, other_than_this(what)), what=one),
    rule("{a}{what}", lambda a, what: (1, what), a=article, what=one),
    rule("{n} other {what}", lambda n, what: (n, other_than_this(what)), n=number, what=many),
    rule("{n} {what}", lambda n, what: (n, what), n=number, what=many),
)
"""A number of objects that fit a description."""


def other_than_this(what: All) -> All | None:
    """A description of objects other than this one."""
    return None if what.other_than is not None else plain(what, other_than=This())


def plain(what: All, **more: Any) -> All:
    """A group with some fields replaced."""
    return All(**{**{name: getattr(what, name) for name in what.__struct_fields__}, **more})


def yours(what: All) -> Filter | None:
    """The filter for objects of yours, which a cost implies."""
    keys = as_filter(what)
    if keys.get("controller") != You():
        return None
    return Filter(**{key: value for key, value in keys.items() if key != "controller"})


def tapped_others(n: int, what: All) -> Cost | None:
    """Untapped permanents of yours as a cost."""
    wanted = yours(what)
    if wanted is None or wanted.tapped is not False:
        return None
    return TapOthers(
        Filter(**{k: v for k, v in as_filter(plain(what, tapped=None)).items() if k != "controller"}), n
    )


def return_cost(n: int, what: All) -> Cost | None:
    """Permanents of yours returned as a cost."""
    wanted = yours(what)
    return None if wanted is None else ReturnCost(wanted, n)


def discard_cost(n: int, what: All) -> DiscardCost | None:
    """Cards discarded as a cost."""
    if what.zones:
        return None
    if as_filter(what):
        return DiscardCost(n, plain(what, zones=frozenset({"hand"})))
    return DiscardCost(n)


def exile_cost(n: int, what: All) -> Cost | None:
    """Cards exiled as a cost from a zone of yours."""
    if len(what.zones) != 1 or what.of != You():
        return None
    (zone,) = what.zones
    return ExileCost(plain(what, of=None), n, zone)


cost_verb = one_of(
    rule("pay {mana}", ManaCost, mana=mana),
    rule("pay {n} life", LifeCost, n=digits),
    rule("tap {that}", lambda that: TapThis(), that=itself),
    rule("tap {what}", lambda what: tapped_others(*what), what=numbered),
    rule("untap {that}", lambda that: UntapThis(), that=itself),
    rule("sacrifice {that}", lambda that: SacrificeCost(), that=itself),
    rule("sacrifice it", SacrificeCost),
    rule("sacrifice {what}", lambda what: SacrificeCost(what[1], what[0]), what=numbered),
    rule("discard {that}", lambda that: DiscardCost(1, This()), that=itself),
    rule(
        "discard {what} at random",
        lambda what: None if (cost := discard_cost(*what)) is None else replace(cost, at_random=True),
        what=numbered,
    ),
    rule("discard {what}", lambda what: discard_cost(*what), what=numbered),
    rule(
        "exile {that} from your {zone}",
        lambda that, zone: ExileCost(This(), 1, zone),
        that=itself,
        zone=words({"graveyard": "graveyard", "hand": "hand"}),
    ),
    rule("exile {that}", lambda that: ExileCost(This(), 1, "battlefield"), that=itself),
    rule("exile {what}", lambda what: exile_cost(*what), what=numbered),
    rule(
        "return {what} to [its owner's hand|their owner's hand|their owners' hands]",
        lambda what: return_cost(*what),
        what=numbered,
    ),
    rule("return {that} to its owner's hand", lambda that: None, that=itself),
    rule(
        "remove {n} {kind} counters from {that}",
        lambda n, kind, that: RemoveCountersCost(kind, n),
        n=number,
        kind=counter_name,
        that=itself,
    ),
    rule(
        "remove {a}{kind} counter from {that}",
        lambda a, kind, that: RemoveCountersCost(kind, 1),
        a=article,
        kind=counter_name,
        that=itself,
    ),
    rule("mill a card", lambda: MillCost(1)),
    rule("mill {n} cards", MillCost, n=number),
)
"""A cost as an action: "pay {2}", "sacrifice a creature"."""

loyalty = matching(r"([+-]?)(\d+)(?=:)", lambda match: LoyaltyCost(int(match[0])))
cost_symbol = one_of(
    rule("{{T}}", TapThis),
    rule("{{Q}}", UntapThis),
    rule("{mana}", ManaCost, mana=mana),
    loyalty,
)


either_cost = rule(
    "{options}",
    lambda options: EitherCost(tuple(options)) if len(options) > 1 else None,
    options=list_in_sentence(cost_verb, "or"),
)
cost_verbs = list_in_sentence(one_of(either_cost, cost_verb))

# ---------------------------------------------------------------------------------- keywords

PLAIN_KEYWORDS: tuple[KeywordName, ...] = (
    *(
        "ascend",
        "battle cry",
        "daybound",
        "nightbound",
        "exalted",
        "flanking",
        "horsemanship",
        "infect",
        "job select",
        "living weapon",
        "riot",
        "skulk",
        "phasing",
    ),
    *("changeling", "convoke", "deathtouch", "defender", "devoid", "double strike", "fear", "first strike"),
    *("flash", "flying", "haste", "hexproof", "indestructible", "intimidate", "lifelink", "menace"),
    *(
        "cascade",
        "persist",
        "prowess",
        "reach",
        "retrace",
        "shadow",
        "shroud",
        "split second",
        "storm",
        "trample",
    ),
    *("cascade", "undying", "vigilance", "wither"),
    *("delve", "ingest", "mentor", "provoke", "unleash"),
)
WITH_MANA: tuple[KeywordName, ...] = (
    *("buyback", "cumulative upkeep", "cycling", "echo", "entwine", "equip", "flashback", "kicker", "morph"),
    *("dash", "disguise", "escape", "evoke", "madness", "ninjutsu", "overload", "plot", "unearth", "ward"),
    *("bestow", "foretell", "offspring", "outlast", "reconfigure", "warp"),
)
landwalk_kind = words(
    {
        **{
            f"{word}walk": Filter(subtype=frozenset({word.capitalize()}))
            for word in ("plains", "island", "swamp", "mountain", "forest", "desert")
        },
        "nonbasic landwalk": Filter(
            type=frozenset({"Land"}), without=(Filter(supertype=frozenset({"Basic"})),)
        ),
        "legendary landwalk": Filter(type=frozenset({"Land"}), supertype=frozenset({"Legendary"})),
        "snow landwalk": Filter(type=frozenset({"Land"}), supertype=frozenset({"Snow"})),
    }
)
cycling_kind = words(
    {
        **{
            f"{word}cycling": Filter(subtype=frozenset({word.capitalize()}))
            for word in ("plains", "island", "swamp", "mountain", "forest")
        },
        "wizardcycling": Filter(subtype=frozenset({"Wizard"})),
        "slivercycling": Filter(subtype=frozenset({"Sliver"})),
        "basic landcycling": Filter(type=frozenset({"Land"}), supertype=frozenset({"Basic"})),
        "landcycling": Filter(type=frozenset({"Land"})),
        "artifact landcycling": Filter(type=frozenset({"Artifact", "Land"})),
    }
)
shield = one_of(
    rule("everything", lambda: "everything"),
    rule("the chosen color", lambda: Filter(color=frozenset({"chosen color"}))),
    rule("multicolored", lambda: Filter(multicolored=True)),
    words({color: Filter(color=frozenset({color})) for color in COLORS}),
    rule("each opponent", lambda: Opponents()),
    rule("{what}", lambda what: Filter(**as_filter(what)), what=many),
)


def protection(name: Any, shields: list[Any]) -> Keyword | None:
    """Protection or hexproof from some things."""
    if shields == ["everything"]:
        return Keyword(name, what=None if name == "protection" else Filter())
    if "everything" in shields:
        return None
    if len(shields) == 1 and isinstance(shields[0], Opponents):
        return Keyword(name, player=shields[0])
    if any(not isinstance(one, Filter) for one in shields):
        return None
    return Keyword(name, what=shields[0] if len(shields) == 1 else Filter(any_of=tuple(shields)))


from_each = list_in_sentence(rule("from {what}", lambda what: what, what=shield))
keyword = one_of(
    rule(
        "{kind} {mana}", lambda kind, mana: Keyword("cycling", mana, what=kind), kind=cycling_kind, mana=mana
    ),
    rule("{kind}", lambda kind: Keyword("landwalk", what=kind), kind=landwalk_kind),
    rule("protection {shields}", lambda shields: protection("protection", shields), shields=from_each),
    rule("hexproof {shields}", lambda shields: protection("hexproof", shields), shields=from_each),
    rule("affinity for {what}", lambda what: Keyword("affinity", what=Filter(**as_filter(what))), what=many),
    rule("enchant player", lambda: Keyword("enchant", player=Everyone())),
    rule("enchant opponent", lambda: Keyword("enchant", player=Opponents())),
    rule("enchant {what}", lambda what: Keyword("enchant", what=Filter(**as_filter(what))), what=one),
    rule("suspend {n}-{mana}", lambda n, mana: Keyword("suspend", mana, n), n=digits, mana=mana),
    rule("suspend {n}—{mana}", lambda n, mana: Keyword("suspend", mana, n), n=digits, mana=mana),
    rule(
        "splice onto Arcane {mana}",
        lambda mana: Keyword("splice", mana, what=Filter(subtype=frozenset({"Arcane"}))),
        mana=mana,
    ),
    rule(
        "equip {what} {mana}",
        lambda what, mana: Keyword("equip", mana, what=Filter(**as_filter(what))),
        what=one,
        mana=mana,
    ),
    rule(
        "prototype {mana} — {power}/{toughness}",
        lambda mana, power, toughness: Keyword("prototype", mana, power=power, toughness=toughness),
        mana=mana,
        power=digits,
        toughness=digits,
    ),
    rule(
        "{name} {mana}",
        lambda name, mana: Keyword(name, mana),
        name=words({name: name for name in WITH_MANA}),
        mana=mana,
    ),
    rule(
        "{name}—{costs}",
        lambda name, costs: with_costs(name, costs),
        name=words({name: name for name in WITH_MANA}),
        costs=with_separators(one_of(cost_symbol, matching(r"(?=[A-Z])", lambda m: None), cost_verb), ", "),
    ),
    rule(
        "{name} {n}",
        lambda name, n: Keyword(name, n=n),
        name=words({name: name for name in sorted(NUMBERED)}),
        n=digits,
    ),
    words({name: Keyword(name) for name in PLAIN_KEYWORDS}),
)


def with_costs(name: Any, costs: list[Cost]) -> Keyword:
    """A keyword with a cost that is more than mana."""
    first, *rest = costs
    if isinstance(first, ManaCost) and rest:
        return Keyword(name, first.mana, costs=tuple(rest))
    return Keyword(name, costs=tuple(costs))


keywords = with_separators(keyword, ", ", "; ")
"""Keywords on a line of their own."""
