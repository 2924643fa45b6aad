"""Reads what continuous effects do: "gets +1/+1 and has flying"."""

from __future__ import annotations

from typing import Any

from parsy import Parser, Result

from conformance.reading.conditions import as_filter, condition
from conformance.reading.costs import keyword
from conformance.reading.grammar import (
    NO,
    Sentence,
    later,
    list_in_sentence,
    matching,
    one_of,
    perhaps,
    rule,
    whether,
    words,
)
from conformance.reading.phrases import (
    color_word,
    digits,
    each_of,
    keyword_name,
    many,
    number,
    one,
    quantity,
    term,
    thing,
    times,
)
from reference_engine.language.cards import (
    AddColors,
    AddEveryType,
    AddTypes,
    All,
    AsThoughNoDefender,
    Base,
    BecomeCopy,
    BlockedBy,
    BlocksMore,
    Cannot,
    Comparison,
    CrewPower,
    DamageByToughness,
    Filter,
    Gain,
    Lose,
    LoseAllAbilities,
    LoseTypes,
    Modify,
    Must,
    Operation,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetTypes,
    Times,
    X,
)
from reference_engine.language.words import BASIC_LAND_TYPES, CHOSEN_COLOR, CHOSEN_TYPE, kind_of_subtype

# ----------------------------------------------------------------------------- power, toughness


def amount(sign: str, n: Any) -> Any:
    """A number with its sign, or X with one."""
    if isinstance(n, int):
        return -n if sign == "-" else n
    return Times(-1, n) if sign == "-" else n


sized = one_of(digits, rule("X", X), rule("Y", lambda: None))
signed = rule("{sign}{n}", amount, sign=words({"+": "+", "-": "-"}), n=sized)
change = rule(
    "{power}/{toughness}", lambda power, toughness: (power, toughness), power=signed, toughness=signed
)


def for_each(size: tuple[Any, Any], unit: Any) -> Operation | None:
    """A bonus for each of something."""
    if not all(isinstance(n, int) for n in size):
        return None
    return Modify(*(multiple(n, unit) for n in size))


def multiple(n: int, unit: Any) -> Any:
    """A number times a unit."""
    return 0 if n == 0 else times(n, unit)


modified = one_of(
    rule("get[s] {size}{unit}", for_each, size=change, unit=each_of),
    rule("get[s] {size}", lambda size: Modify(*size), size=change),
)
corner = rule(
    "{power}/{toughness}", Base, power=one_of(digits, rule("X", X)), toughness=one_of(digits, rule("X", X))
)

# ---------------------------------------------------------------------------------- abilities

quoted = later()
"""An ability in quotation marks."""
given = list_in_sentence(one_of(keyword, quoted))

# ----------------------------------------------------------------------------------- identity

colors = one_of(
    rule("colorless", lambda: frozenset()),
    rule("the chosen color", lambda: frozenset({CHOSEN_COLOR})),
    rule("{colors}", lambda colors: frozenset(colors), colors=list_in_sentence(color_word)),
)


def kind_words(stream: Sentence, index: int) -> Result:
    """Subtypes and card types of one object: "Spirit artifact creature"."""
    for several in (False, True):
        result = term(stream, index, several)
        if result.status and result.value["place"] == "":
            return result
    return NO


identity_words = rule(
    "{size}{supertype}{hue}{kind}",
    lambda size, supertype, hue, kind: (size, supertype, hue, kind),
    size=perhaps(rule("{size} ", lambda size: size, size=corner)),
    supertype=perhaps(rule("legendary ", lambda: "Legendary")),
    hue=perhaps(rule("{hue} ", lambda hue: hue, hue=colors)),
    kind=Parser(kind_words),
)


def additions(
    said: tuple[Any, Any, Any, dict[str, Any]], kept: str, base: Any, has: Any
) -> list[Operation] | None:
    """Types and size in addition to those that an object has."""
    size, supertype, hue, kind = said
    types, subtypes = kind.get("type", frozenset()), kind.get("subtype", frozenset())
    does: list[Operation] = [AddTypes(types, subtypes, frozenset({supertype}) if supertype else frozenset())]
    does += [SetColors(hue)] if hue is not None else []
    does += [one for one in (size, base) if one is not None]
    return does + ([Gain(tuple(has))] if has else [])


def changes_of_type(
    said: tuple[Any, Any, Any, dict[str, Any]],
    base: Any,
    has: Any,
) -> list[Operation] | None:
    """Types and size that replace those of an object."""
    size, supertype, hue, kind = said
    types, subtypes = kind.get("type", frozenset()), kind.get("subtype", frozenset())
    if supertype:
        return None
    does: list[Operation]
    if types:
        does = [SetTypes(types, subtypes)]
    elif subtypes <= set(BASIC_LAND_TYPES):
        does = [SetBasicLandTypes(subtypes)]
    elif {kind_of_subtype(one) for one in subtypes} == {"creature"}:
        does = [SetCreatureTypes(subtypes)]
    else:
        return None
    does += [SetColors(hue)] if hue is not None else []
    does += [one for one in (size, base) if one is not None]
    return does + ([Gain(tuple(has))] if has else [])


with_base = perhaps(rule(" with base power and toughness {size}", lambda size: size, size=corner))
with_abilities = perhaps(rule(" with {given}", lambda given: given, given=given), ())
a_or = matching(r"(?:an? )?", lambda match: match[0])
being = one_of(
    rule(
        "{a}{said}{has}{base} in addition to [its|their] other {kept}",
        lambda a, said, has, base, kept: additions(said, kept, base, has),
        a=a_or,
        said=identity_words,
        has=with_abilities,
        base=with_base,
        kept=words(
            {"types": "types", "creature types": "some", "land types": "some", "colors and types": "both"}
        ),
    ),
    rule("{hue} in addition to [its|their] other colors", lambda hue: [AddColors(hue)], hue=colors),
    rule(
        "the chosen type in addition to [its|their] other creature types",
        lambda: [AddTypes(subtypes=frozenset({CHOSEN_TYPE}))],
    ),
    rule("every creature type", lambda: [AddEveryType("creature")]),
    rule(
        "every basic land type in addition to [its|their] other types",
        lambda: [AddEveryType("basic land")],
    ),
    rule(
        "a copy of {what}",
        lambda what: [BecomeCopy(what)],
        what=thing,
    ),
    rule(
        "{a}{said}{base}{has}",
        lambda a, said, base, has: changes_of_type(said, base, has),
        a=a_or,
        said=identity_words,
        base=with_base,
        has=with_abilities,
    ),
    rule("the chosen type", lambda: [SetCreatureTypes(frozenset({CHOSEN_TYPE}))]),
    rule("the chosen land type", lambda: [SetBasicLandTypes(frozenset({CHOSEN_TYPE}))]),
    rule("legendary", lambda: [AddTypes(supertypes=frozenset({"Legendary"}))]),
    rule("{hue}", lambda hue: [SetColors(hue)], hue=colors),
)

damage_sources = perhaps(
    rule(" by {what}", lambda what: Filter(**as_filter(what)) if what.zones else None, what=many), Filter()
)
"""The sources whose damage is prevented."""


ARTIFACT_CREATURE = SetTypes(frozenset({"Artifact", "Creature"}))


def artifact_creature_kept(what: list[Operation]) -> list[Operation]:
    """What becomes an artifact creature keeps its other types (CR 205.1b), but not its creature types."""
    does: list[Operation] = []
    for op in what:
        if isinstance(op, SetTypes) and op.types == {"Artifact", "Creature"}:
            does.append(AddTypes(op.types))
            does += [SetCreatureTypes(op.subtypes)] if op.subtypes else []
        else:
            does.append(op)
    return does


# ------------------------------------------------------------------------------- prohibitions

unless = one_of(
    rule(" unless {cond}", lambda cond: {"unless": cond}, cond=condition),
    rule("", lambda: {}),
)
blockers = one_of(
    rule("{what}", lambda what: Filter(**as_filter(what)), what=many),
)
FORBIDDEN = {
    "attack or block": ("attack", "block"),
    "attack": ("attack",),
    "block": ("block",),
    "be blocked": ("be blocked",),
    "be countered": ("be countered",),
    "lose the game": ("lose the game",),
    "win the game": ("win the game",),
    "be the target of spells or abilities": ("be targeted",),
}
each_combat = whether(" each combat")
together = words(
    {
        "attack or block": frozenset({"attack", "block"}),
        "attack": frozenset({"attack"}),
        "block": frozenset({"block"}),
    }
)
"""What creatures do together."""
forbidden = one_of(
    rule("can't be blocked by more than one creature", lambda: [BlockedBy(most=1)]),
    rule("can't be blocked by more than {n} creatures", lambda n: [BlockedBy(most=n)], n=number),
    rule("can't be blocked except by {n} or more creatures", lambda n: [BlockedBy(n)], n=number),
    rule("can block an additional creature{each}", lambda each: [BlocksMore(1)], each=each_combat),
    rule(
        "can block {n} additional creatures{each}",
        lambda n, each: [BlocksMore(n)],
        n=number,
        each=each_combat,
    ),
    rule("can block any number of creatures", lambda: [BlocksMore()]),
    rule("can attack as though [it|they] didn't have defender", lambda: [AsThoughNoDefender()]),
    rule(
        "assign[s] combat damage equal to [its|their] toughness rather than [its|their] power",
        lambda: [DamageByToughness()],
    ),
    rule(
        "can't be blocked by {what}",
        lambda what: [Cannot(frozenset({"be blocked"}), what=what)],
        what=blockers,
    ),
    rule(
        "can't be blocked except by {what}",
        lambda what: [Cannot(frozenset({"be blocked"}), what=everything_but(what))],
        what=blockers,
    ),
    rule("can't block {what}", lambda what: [Cannot(frozenset({"block"}), what=what)], what=blockers),
    rule(
        "can block only {what}",
        lambda what: [Cannot(frozenset({"block"}), what=everything_but(what))],
        what=blockers,
    ),
    rule("can't cast {what}", lambda what: cannot_cast(what), what=many),
    rule("can't cast more than one {what} each turn", lambda what: cannot_cast(what, 1), what=one),
    rule("can't play lands", lambda: [Cannot(frozenset({"play lands"}))]),
    rule("can't {do} alone", lambda do: [Cannot(do, number=Comparison("=", 1))], do=together),
    rule("can only {do} alone", lambda do: [Cannot(do, number=Comparison(">", 1))], do=together),
    rule(
        "can't attack unless at least {n} other creatures attack",
        lambda n: [Cannot(frozenset({"attack"}), number=Comparison("<", n + 1))],
        n=number,
    ),
    rule(
        "can't block unless at least {n} other creatures block",
        lambda n: [Cannot(frozenset({"block"}), number=Comparison("<", n + 1))],
        n=number,
    ),
    rule(
        "can't {do}{unless}",
        lambda do, unless: [Cannot(frozenset(do), **unless)],
        do=words(FORBIDDEN),
        unless=unless,
    ),
    rule(
        "doesn't untap during its controller's untap step",
        lambda: [Cannot(frozenset({"untap"}))],
    ),
    rule("doesn't untap during your untap step", lambda: [Cannot(frozenset({"untap"}))]),
    rule("don't untap during their controllers' untap steps", lambda: [Cannot(frozenset({"untap"}))]),
    rule("attack[s] each combat if able", lambda: [Must("attack")]),
    rule("block[s] each combat if able", lambda: [Must("block")]),
    rule("attack[s] this turn if able", lambda: None),
    rule("must be blocked if able", lambda: [Must("be blocked")]),
    rule(
        "can't attack or block, and its activated abilities can't be activated",
        lambda: [Cannot(frozenset({"attack", "block"})), Cannot(frozenset({"activate abilities"}))],
    ),
)


def cannot_cast(what: All, after: int | None = None) -> list[Operation] | None:
    """A prohibition on casting such spells, or on casting more than that many of them each turn."""
    if what.zones != {"stack"}:
        return None
    wanted = Filter(**as_filter(what))
    return [Cannot(frozenset({"cast"}), what=None if wanted == Filter() else wanted, after=after)]


def everything_but(what: Filter) -> Filter | None:
    """The filter for creatures without this quality."""
    if not what.type and what.subtype:
        return Filter(without=(what,))
    if what.type != {"Creature"}:
        return None
    rest = {
        key: getattr(what, key)
        for key in Filter.__struct_fields__
        if getattr(what, key) != getattr(Filter(), key)
    }
    rest.pop("type")
    if not rest:
        return None
    return Filter(type=frozenset({"Creature"}), without=(Filter(**rest),))


# --------------------------------------------------------------------------------------- verbs

verb = one_of(
    rule("{op}", lambda op: [op], op=modified),
    rule("[gain|have|has]{s} {given}", lambda s, given: [Gain(tuple(given))], s=matching("s?"), given=given),
    rule("lose[s] all abilities", lambda: [LoseAllAbilities()]),
    rule("lose[s] {names}", lambda names: [Lose(frozenset(names))], names=list_in_sentence(keyword_name)),
    rule("[has|have] base power and toughness {size}", lambda size: [size], size=corner),
    rule("[has|have] base power {n}", lambda n: [Base(power=n)], n=digits),
    rule("[has|have] base toughness {n}", lambda n: [Base(toughness=n)], n=digits),
    rule(
        "[has|have] base power and toughness each equal to {n}",
        lambda n: [Base(n, n)],
        n=quantity,
    ),
    rule(
        "saddle[s] Mounts and crew[s] Vehicles as though [its|their] power were {n} greater",
        lambda n: [CrewPower(n)],
        n=digits,
    ),
    rule("gain[s] all creature types", lambda: [AddEveryType("creature")]),
    rule("[become|becomes] {what}", artifact_creature_kept, what=being),
    rule(
        "[is|are] {what}",
        # With a subtype more follows: what else it loses.
        lambda what: artifact_creature_kept(what) if what == [ARTIFACT_CREATURE] else what,
        what=being,
    ),
    rule(
        "[isn't|aren't] {what}",
        lambda what: what,
        what=one_of(
            rule("a creature", lambda: [LoseTypes(frozenset({"Creature"}))]),
            rule("creatures", lambda: [LoseTypes(frozenset({"Creature"}))]),
            rule("legendary", lambda: [LoseTypes(supertypes=frozenset({"Legendary"}))]),
        ),
    ),
    forbidden,
)
verbs = rule("{said}", lambda said: [op for does in said for op in does], said=list_in_sentence(verb))
"""One or more verbs with the same subject: "gets +1/+1 and has flying"."""
