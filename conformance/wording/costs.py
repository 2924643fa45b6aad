"""Costs and keywords."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from msgspec.structs import replace

from conformance.wording.english import (
    Noun,
    Setting,
    capital,
    color_words,
    later_reference,
    number,
    objective,
    possessive,
    series,
    with_article,
)
from conformance.wording.kinds import only_keys
from conformance.wording.phrases import (
    PLACES,
    PlaceNoun,
    adjectives,
    describe,
    kind_words,
    names_a_kind,
    noun,
    qualities,
    quantity_of_noun,
)
from reference_engine.language.cards import (
    All,
    Cost,
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
    Selector,
    TapOthers,
    TapThis,
    The,
    This,
    UnattachCost,
    UntapThis,
    You,
)
from reference_engine.language.words import (
    Zone,
)

# ------------------------------------------------------------------------------------- costs


def cost_verbs(costs: Iterable[Cost], setting: Setting) -> list[str]:
    """Costs as actions: "pay {2}", "sacrifice a creature"."""
    return [cost_verb(cost, setting) for cost in costs]


def cost_verb(cost: Cost, setting: Setting) -> str:
    """A cost as an action."""
    this = objective(noun(This(), setting))
    match cost:
        case ManaCost(mana):
            return f"pay {mana}"
        case TapThis():
            return f"tap {this}"
        case UntapThis():
            return f"untap {this}"
        case TapOthers(what, n, power):
            yours = replace(what, tapped=False, controller=what.controller or You())
            if power is not None:
                many = describe(yours, setting, "permanent").phrase(True)
                return f"tap any number of {many} with total power {power} or greater"
            return f"tap {things_paid(yours, n, setting)}"
        case SacrificeCost(what, n):
            return f"sacrifice {this if isinstance(what, This) else things_paid(what, n, setting)}"
        case DiscardCost(n, what):
            cards = this if isinstance(what, This) else things_paid(what or Filter(), n, setting, "card")
            return f"discard {cards}{' at random' if cost.at_random else ''}"
        case ExileCost(what, n, zone):
            return f"exile {paid_from(what, n, zone, setting)}"
        case ReturnCost(what, n):
            things = things_paid(replace(what, controller=what.controller or You()), n, setting)
            hands = "its owner's hand" if n == 1 else "their owners' hands"
            return f"return {things} to {hands}"
        case LifeCost(n):
            return f"pay {n} life"
        case LoyaltyCost(n):
            counters = quantity_of_noun(abs(n), "loyalty counter", setting).text
            return f"{'put' if n >= 0 else 'remove'} {counters} {'on' if n >= 0 else 'from'} {this}"
        case RemoveCountersCost(kind, n):
            return f"remove {quantity_of_noun(n, f'{kind} counter', setting).text} from {this}"
        case UnattachCost():
            return "unattach the Equipment that gave this ability"
        case OpponentGainsLifeCost(n):
            return f"have an opponent gain {n} life"
        case EitherCost(options):
            return series(cost_verbs(options, setting), "or") or "pay nothing"
        case MillCost(n):
            return f"mill {quantity_of_noun(n, 'card', setting).text}"
        case _:
            assert_never(cost)


def named_by_costs(costs: Iterable[Cost], setting: Setting) -> Setting:
    """The setting in which later text can refer to what was sacrificed as a cost."""
    new: dict[Selector, Noun] = {}
    for cost in costs:
        if isinstance(cost, SacrificeCost):
            what = noun(cost.what, setting, "one" if cost.n == 1 else "many")
            new[The(cost.name)] = later_reference(what, "the sacrificed")
    return setting.with_words(new, new)


def things_paid(what: Filter, n: int, setting: Setting, place: PlaceNoun = "permanent") -> str:
    """A number of objects that fit a description."""
    phrase = describe(what, setting, place)
    return with_article(phrase.phrase(False)) if n == 1 else f"{number(n)} {phrase.phrase(True)}"


def paid_from(what: This | All, n: int, zone: Zone, setting: Setting) -> str:
    """The objects exiled as a cost, and their zone."""
    place = PLACES.get(zone, "card")
    things = (
        objective(noun(This(), setting)) if isinstance(what, This) else things_paid(what, n, setting, place)
    )
    where = {
        "battlefield": "",
        "stack": " from the stack",
        "exile": " from exile",
        "command": " from the command zone",
    }
    return things + where.get(zone, f" from {possessive(noun(You(), setting))} {zone}")


def cost_line(costs: Sequence[Cost], setting: Setting) -> str:
    """Costs before a colon: "{2}, {T}, Discard a card"."""
    return ", ".join(cost_symbol(cost, setting) for cost in costs) or "{0}"


def cost_symbol(cost: Cost, setting: Setting) -> str:
    """One cost before a colon: a symbol, or a capitalized instruction."""
    match cost:
        case ManaCost(mana):
            return mana or "{0}"
        case TapThis():
            return "{T}"
        case UntapThis():
            return "{Q}"
        case LoyaltyCost(n):
            return f"{n:+d}".replace("-", "−") if n else "0"
        case _:
            return capital(cost_verb(cost, setting))


# ---------------------------------------------------------------------------------- keywords


def has_dash(ability: Keyword) -> bool:
    """Whether a keyword's cost is more than mana, so that a dash precedes it."""
    return bool(ability.costs) or (ability.keyword == "suspend" and ability.mana is not None)


def keyword_words(ability: Keyword, setting: Setting) -> str:
    """A keyword as it appears in a list: "flying", "protection from red", "equip {2}"."""
    name = keyword_name(ability, setting)
    if ability.keyword == "prototype":
        return f"{name} {ability.mana or '{0}'} — {ability.power or 0}/{ability.toughness or 0}"
    if ability.n is not None:
        name += f" {ability.n}"
    mana = [ability.mana or "{0}"] if ability.mana is not None else []
    if has_dash(ability):
        return f"{name}—{', '.join([*mana, *(cost_symbol(cost, setting) for cost in ability.costs)])}"
    return " ".join([name, *mana])


def keyword_name(ability: Keyword, setting: Setting) -> str:
    """A keyword with its subject, without number or cost."""
    name, what = ability.keyword, ability.what
    who = "" if ability.player is None else noun(ability.player, setting, "each").text
    match name:
        case "enchant":
            hosts = [] if what is None else [describe(what, setting).phrase(False)]
            hosts += [] if ability.player is None else [noun(ability.player, setting, "one").text]
            return f"enchant {series(hosts, 'or') or 'permanent'}"
        case "protection" | "hexproof":
            shields = [] if what is None else shielded_from(what, setting)
            shields += [who] if who else []
            if not shields:
                return "protection from everything" if name == "protection" else name
            return f"{name} {series(f'from {one}' for one in shields)}"
        case "landwalk":
            said = landwalk(what, setting)
        case "affinity":
            said = f"affinity for {'everything' if what is None else describe(what, setting).phrase(True)}"
        case "cycling" if what is not None:
            said = landwalk(what, setting).removesuffix("walk") + "cycling"
        case "splice":
            said = f"splice onto {'anything' if what is None else quality(what, setting)}"
        case "equip" if what is not None:
            said = f"equip {describe(what, setting).phrase(False)}"
        case _:
            said = name if what is None else f"{name} for {describe(what, setting).phrase(True)}"
    return said + (f" for {who}" if who else "")


def quality(what: Filter, setting: Setting) -> str:
    """A kind of spell, in one word if possible: "Arcane"."""
    return (
        " ".join(kind_words(what)) if names_a_kind(what) else describe(what, setting, "spell").phrase(False)
    )


def landwalk(what: Filter | None, setting: Setting) -> str:
    """The name of a landwalk ability: "islandwalk", "nonbasic landwalk"."""
    if what is None:
        return "landwalk"
    kinds = [word for word in kind_words(what) if word != "land"] or ["land"]
    behind = " ".join(qualities(what, setting, "permanent", several=True))
    before = adjectives(what, "permanent")
    walk = " ".join(filter(None, [before, *kinds[:-1], kinds[-1].lower() + "walk"]))
    return f"{walk} (lands {behind})" if behind else walk


def shielded_from(what: Filter, setting: Setting) -> list[str]:
    """What protection is from: "red", "the chosen color", "creatures", "black" and "red"."""
    if what == Filter():
        return ["everything"]
    if only_keys(what, "any_of"):
        return [one for other in what.any_of for one in shielded_from(other, setting)]
    if only_keys(what, "color") and len(what.color) == 1:
        return [color_words(what.color)]
    if what in (Filter(colorless=True), Filter(multicolored=True)):
        return [adjectives(what, "object")]
    if what.shares_color_with is not None and only_keys(what, "shares_color_with"):
        return [f"the colors of {objective(noun(what.shares_color_with, setting, 'many'))}"]
    return [describe(what, setting, "permanent" if kind_words(what) else "object").phrase(True)]
