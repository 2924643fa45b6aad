"""Operations of continuous effects.

Operations have two voices: what *is* the case while an effect lasts ("has flying") and what *becomes* the
case as something resolves ("gains flying until end of turn"). They are verbs whose subject is the affected
object or, if the sentence has another subject, clauses of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, assert_never

from msgspec.structs import replace

from conformance.wording.conditions import STEP_NAMES, condition
from conformance.wording.costs import (
    cost_verbs,
    has_dash,
    keyword_words,
)
from conformance.wording.english import (
    IT,
    PRONOUNS,
    SUPERTYPES_IN_ORDER,
    TYPES_IN_ORDER,
    YOU,
    Clause,
    Form,
    Noun,
    Setting,
    Verb,
    belonging_to,
    color_words,
    command,
    conjugated,
    finite,
    number,
    objective,
    plural,
    possessive,
    pronoun,
    series,
    short_head,
    statement,
    subtypes_in_order,
    things_in,
    with_article,
    words_in_order,
)
from conformance.wording.events import event_words
from conformance.wording.kinds import only_keys
from conformance.wording.phrases import (
    PlaceNoun,
    describe,
    for_each,
    group,
    holder,
    kind_spoken_of,
    kind_words,
    letter_and_meaning,
    negative,
    noun,
    object_of,
    required_number,
    value,
)
from conformance.wording.replacing import prevented_damage, replacement_clause
from reference_engine.language.cards import (
    Ability,
    AddColors,
    AddEveryType,
    AddTypes,
    All,
    AlternativeCost,
    AnyColorMana,
    AsThoughFlash,
    AsThoughNoDefender,
    AtLeast,
    Base,
    BecomeCopy,
    BlockedBy,
    BlocksMore,
    Cannot,
    CannotHave,
    Comparison,
    Cost,
    Costs,
    Count,
    Counters,
    CrewPower,
    DamageByToughness,
    Double,
    Duration,
    EntersTapped,
    EntersUnder,
    EntersWith,
    Everyone,
    Filter,
    Gain,
    GainControl,
    HandSize,
    It,
    Keyword,
    LandDrops,
    LandsTapFor,
    Lose,
    LoseAllAbilities,
    LoseTypes,
    MayPlay,
    Modify,
    Must,
    OnlyAsSorcery,
    Operation,
    Opponents,
    Others,
    PreventDamage,
    PropertyOf,
    Quantity,
    ReplaceWord,
    Selector,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetName,
    SetTypes,
    SkipStep,
    Sum,
    Switch,
    TextOf,
    The,
    This,
    Times,
    TriggersAgain,
    Would,
    X,
    You,
)
from reference_engine.language.words import (
    ALL_CREATURE_TYPES,
    CHOSEN_COLOR,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    SPECIAL_SUBTYPES,
    SUBTYPES_OF,
    CardType,
)

# -------------------------------------------------------------------------------- operations

DURATIONS: dict[Duration, str] = {
    "ever": "",
    "end of turn": " until end of turn",
    "this turn": " this turn",
    "your next turn": " until your next turn",
    "end of your next turn": " until the end of your next turn",
    "end of combat": " until end of combat",
    "next untap step": " until the next untap step",
}


class Subject(NamedTuple):
    """What a continuous effect affects, and the state of the sentence about it."""

    affects: Selector
    noun: Noun
    whole: Noun
    """The group as a whole, for use as the object of a verb."""
    setting: Setting
    """Inside the sentence, where "it" is the subject."""
    static: bool
    during: str

    @property
    def its(self) -> str:
        return possessive(pronoun(self.noun))

    @property
    def them(self) -> str:
        return objective(self.whole)


ONE_BY_ONE = (It, All, Everyone, Opponents, Others)
"""Subjects of a sentence in which "it" means each of them, and nothing mentioned before."""


def part_clauses(
    affects: Selector, does: Sequence[Operation], setting: Setting, static: bool, during: str = ""
) -> list[Clause]:
    """What a continuous effect does to what it affects, in as few clauses as possible.

    A group is singular ("each creature") if the sentence needs an "it".
    """
    one_by_one = any(type(thing) is It for thing in things_in(tuple(does))) or any(
        isinstance(op, BecomeCopy | Double | Switch) or (isinstance(op, Cannot) and op.after is not None)
        for op in does
    )
    negative = any(isinstance(op, Cannot | LoseTypes) for op in does)
    plainly: Form = "each" if setting.manner.each else "many" if negative else "subject"
    spoken = noun(affects, setting, "each" if one_by_one else plainly)
    whole = noun(affects, setting, "each" if one_by_one else "all")
    if isinstance(affects, The) and spoken.many and " target " in f" {spoken.text}" and not negative:
        spoken = replace(spoken, text=f"{spoken.text} each")
    if any(isinstance(op, AddTypes | SetTypes) and "Creature" in op.types for op in does):
        spoken = replace(spoken, head="creature")
    inside = setting.about(affects, pronoun(spoken))
    if It() not in setting.full or isinstance(affects, ONE_BY_ONE):
        inside = inside.with_words({It(): pronoun(spoken)})
    clauses: list[Clause] = []
    verbs: list[Verb] = []
    for said in one_after_the_other(does, Subject(affects, spoken, whole, inside, static, during)):
        if isinstance(said, Verb):
            verbs.append(said)
            continue
        clauses += [Clause(spoken, tuple(verbs), during)] if verbs else []
        clauses.append(said)
        spoken, verbs = pronoun(spoken), []
    return [*clauses, Clause(spoken, tuple(verbs), during)] if verbs else clauses


def one_after_the_other(does: Sequence[Operation], subject: Subject) -> Iterator[Verb | Clause]:
    """Operations in words; colour and size join the kind of object: "becomes a 3/3 green Ape creature"."""
    if subject.setting.manner.artifact_creature:
        does = with_creature_types(does)
    kind = next((op for op in does if isinstance(op, AddTypes | SetTypes | SetCreatureTypes)), None)
    colors = next((op for op in does if isinstance(op, SetColors)), None) if kind else None
    size = next((op for op in does if isinstance(op, Base) and takes_size(kind, op)), None)
    given = next((op for op in does if isinstance(op, Gain)), None)
    given = given if kind is not None and subject.setting.manner.having else None
    rest = [op for op in does if op is not colors and op is not size and op is not given]
    for place, operation in enumerate(rest):
        if place:
            subject = subject._replace(whole=pronoun(subject.whole))
        if operation is kind and kind is not None:
            words = identity(kind, colors, size, subject)
            if given is not None:
                has = given_abilities(given.abilities, subject.noun, subject.setting)
                before, found, behind = words.partition(" in addition to ")
                words = f"{before} with {has}{found}{behind}"
            yield Verb(words)
        else:
            yield spoken_operation(operation, subject)
    if not does:
        yield Verb("stay the same")


def with_creature_types(does: Sequence[Operation]) -> Sequence[Operation]:
    """Operations in which an artifact creature gets its creature types together with its card types."""
    match does:
        case [AddTypes(types) as added, SetCreatureTypes(subtypes), *rest] if types == {
            "Artifact",
            "Creature",
        }:
            return [replace(added, subtypes=subtypes), *rest]
        case _:
            return does


def is_size(base: Base) -> bool:
    """Whether both numbers can be written as in a card's corner."""
    return isinstance(base.power, int | X) and isinstance(base.toughness, int | X)


def takes_size(kind: AddTypes | SetTypes | SetCreatureTypes | None, base: Base) -> bool:
    """Whether power and toughness can be stated together with the kind of object."""
    if kind is None or not is_size(base):
        return False
    return isinstance(kind, SetCreatureTypes) or "Creature" in kind.types


def spoken_operation(operation: Operation, subject: Subject) -> Verb | Clause:
    """One operation: a verb for what is affected, or a clause of its own."""
    setting, it, its, them = subject.setting, subject.noun, subject.its, subject.them
    during = subject.during
    are, have = ("are", "have") if subject.static else ("become", "gain")
    match operation:
        case BecomeCopy(of, but):
            model = objective(noun(of, setting, "some"))
            return Verb(f"{are} {'copies' if it.many else 'a copy'} of {model}", exceptions(but, it, setting))
        case GainControl():
            return control(operation, subject)
        case ReplaceWord():
            return replaced_word(operation, subject)
        case TextOf(of, and_):
            model = objective(noun(of, setting, "some"))
            text = conjugated("have the text", it)
            besides = f" and {text} {given_abilities(and_, it, setting)}" if and_ else ""
            return Verb(f"have the full text of {model}{besides}")
        case SetName(name):
            return Verb(f"have the {name if name == CHOSEN_NAME else f'name {name}'}")
        case AddTypes() | SetTypes() | SetCreatureTypes() | SetBasicLandTypes():
            return Verb(identity(operation, None, None, subject))
        case LoseTypes():
            return lost_types(operation, subject)
        case AddEveryType("creature"):
            return Verb("are every creature type" if subject.static else "gain all creature types")
        case AddEveryType(of):
            return Verb(f"{are} every {of} type in addition to {its} other types")
        case AddColors(colors):
            return Verb(f"{are} {color_words(colors)} in addition to {its} other colors")
        case SetColors(colors):
            return Verb(f"{are} {color_words(colors)}")
        case Gain(abilities):
            if isinstance(subject.affects, All) and subject.affects.subtype and not subject.affects.type:
                # "All Slivers have": permanents of that subtype, whatever their card types.
                it = replace(it, head="permanent")
            return Verb(f"{have} {given_abilities(abilities, it, setting)}")
        case Lose(keywords):
            return Verb(f"lose {series(words_in_order(keywords)) or 'nothing'}")
        case LoseAllAbilities(but):
            return Verb(f"lose all abilities except {but}" if but else "lose all abilities")
        case CannotHave(keywords):
            named = series(words_in_order(keywords), "or") or "anything"
            return Verb(
                f"lose {series(words_in_order(keywords)) or 'nothing'} and can't have or gain {named}"
            )
        case Base(power, toughness):
            return Verb(f"have {base_words(power, toughness, setting)}")
        case Modify(power, toughness):
            return modification(power, toughness, setting)
        case AsThoughNoDefender():
            freely = f"can attack{during} as though {pronoun(it).text} didn't have defender"
            return statement(it, freely) if during else Verb(freely)
        case BlockedBy(least, most):
            limits_said = [f"except by {number(least)} or more creatures"] if least > 1 else []
            if most is not None:
                several = "creature" if most == 1 else "creatures"
                limits_said.append(f"by more than {number(most)} {several}")
            if not limits_said:
                return Verb("can be blocked by any number of creatures")
            return Verb(f"can't be blocked {series(limits_said)}")
        case BlocksMore(n):
            each = "" if during else " each combat"
            more = "an additional creature" if n == 1 else f"{number(n or 0)} additional creatures"
            return Verb("can block any number of creatures" if n is None else f"can block {more}{each}")
        case DamageByToughness():
            return Verb(f"assign combat damage equal to {its} toughness rather than {its} power")
        case Double(what):
            doubled = series(word for word in ("power", "toughness") if word in what) or "nothing"
            return command(YOU, f"double {belonging_to(subject.whole, doubled)}", during=during)
        case Switch() if subject.static:
            return Verb(f"have {its} power and toughness switched")
        case Switch():
            return command(YOU, f"switch {belonging_to(subject.whole, 'power and toughness')}", during=during)
        case HandSize(how, n):
            return hand_size(how, n, subject)
        case LandDrops(plus):
            lands = "an additional land" if plus == 1 else f"{number(plus)} additional lands"
            if subject.during == " this turn":
                return Verb(f"may play {lands}")
            return Verb(f"may play {lands} on each of {its} turns")
        case Costs():
            return changed_costs(operation, subject)
        case AlternativeCost(costs):
            return alternative_cost(costs, subject)
        case Cannot():
            return prohibition(operation, subject)
        case Must("be targeted"):
            group_of = subject.affects if isinstance(subject.affects, All) else None
            flag = them if group_of is None else f"at least one {group(group_of, setting, 'one').text}"
            return statement(Noun(CHOOSING_TARGETS, many=True), f"must choose {flag} if able", during)
        case Must("be blocked", Filter() as by) if not subject.static and during:
            blockers = describe(by, setting).phrase(True)
            return statement(Noun(f"all {blockers} able to block {them}{during}", many=True), "do so")
        case Must("be blocked", Filter() as by):
            blockers = describe(by, setting).phrase(True)
            return Verb(f"must be blocked by all {blockers} able to block {objective(pronoun(it))}")
        case Must(do):
            return Verb("must be blocked if able" if do == "be blocked" else f"{do} each combat if able")
        case MayPlay():
            return may_play(operation, subject)
        case AsThoughFlash(costs):
            return as_though_flash(costs, subject)
        case OnlyAsSorcery():
            return Verb("can cast spells only any time they could cast a sorcery")
        case EntersTapped():
            return Verb("enter tapped")
        case CrewPower(plus):
            crew = conjugated("crew", it)
            return Verb(f"saddle Mounts and {crew} Vehicles as though {its} power were {plus} greater")
        case SkipStep(step):
            return command(
                it, f"skip {its} {plural(STEP_NAMES[step]) if it.many else STEP_NAMES[step]}", during=during
            )
        case AnyColorMana(only, to_activate):
            rest = " and other mana only as though it were colorless mana" if only else ""
            spent = f"may spend {only} mana" if only else "may spend mana"
            where = "" if to_activate is None else f" to pay {activation_costs(to_activate, setting)}"
            return Verb(f"{spent} as though it were mana of any color{rest}{where}")
        case Would():
            return replacement_clause(operation, subject.affects, subject.noun, setting, during)
        case EntersWith(counters):
            return Verb(f"enter with {entering_counters(counters, setting)} on {objective(pronoun(it))}")
        case EntersUnder(player):
            return Verb(f"enter under {belonging_to(noun(player, setting), 'control')} instead")
        case PreventDamage(n=n, next=next, then=then) if n is not None or next or then:
            return prevented_damage(operation, subject.affects, subject.noun, setting, during)
        case PreventDamage(by, combat):
            sources: PlaceNoun = "permanent" if kind_words(by) else "source"
            source = "" if by == Filter() else f" by {describe(by, setting, sources).phrase(True)}"
            if by.same_as is not None and only_keys(by, "same_as"):
                source = f" by {objective(noun(by.same_as, setting))}"
            dealt = f"all {'combat ' if combat else ''}damage that would be dealt to {them}{source}"
            return command(YOU, f"prevent {dealt}", during=during)
        case TriggersAgain(on):
            happens = event_words(on, setting)[0].partition(" ")[2]
            one = object_of(subject.affects, setting, "some") if isinstance(subject.affects, All) else them
            opening = f"if {happens} and that causes a triggered ability of {one} to trigger, that ability"
            return statement(Noun(opening), "trigger an additional time", during)
        case LandsTapFor(mana) if it.person == "thing":
            return statement(
                Noun(f"if mana would be produced by {them}, that mana"), f"are {mana} instead", during
            )
        case LandsTapFor(mana):
            losing = conjugated("would lose unspent mana", it)
            return statement(Noun(f"if {it.text} {losing}, that mana"), f"become {mana} instead", during)
        case _:
            assert_never(operation)


CHOOSING_TARGETS = (
    "while choosing targets as part of casting a spell or activating an ability, your opponents"
)


def control(operation: GainControl, subject: Subject) -> Clause:
    """Control: "you control enchanted creature", "gain control of target artifact"."""
    who, them = noun(operation.player, subject.setting, "some"), subject.them
    if subject.setting.said.get(It()) == pronoun(subject.noun) and any(
        type(part) is It for part in things_in(operation.player)
    ):
        who = noun(operation.player, subject.setting.with_words({It(): subject.whole}), "some")
        them = objective(pronoun(subject.whole))
    if subject.static:
        return statement(who, f"control {them}", subject.during)
    return command(who, f"gain control of {them}", during=subject.during)


def lost_types(operation: LoseTypes, subject: Subject) -> Verb:
    """Types lost: "isn't a creature", "loses all land types"."""
    types = map(str.lower, words_in_order(operation.types, TYPES_IN_ORDER))
    kinds = [*subtypes_in_order(operation.subtypes), *types]
    lost = [
        *map(str.lower, words_in_order(operation.supertypes, SUPERTYPES_IN_ORDER)),
        *(plural(kind) if subject.noun.many else with_article(kind) for kind in kinds),
    ]
    every = (
        f"lose all {series(f'{kind} types' for kind in words_in_order(operation.every))}"
        if operation.every
        else ""
    )
    if not lost:
        return Verb(every or "lose no types")
    is_not = f"{negative('are', True) if subject.static else 'stop being'} {series(lost, 'or')}"
    return Verb(f"{every} and {conjugated(is_not, subject.noun)}" if every else is_not)


def alternative_cost(costs: Sequence[Cost], subject: Subject) -> Clause:
    """Spells that may be cast for another cost, or for free."""
    who, spells, several = caster(subject)
    if not costs:
        price = "their mana costs" if several else "its mana cost"
        return statement(who, f"may cast {spells} without paying {price}", subject.during)
    pays = series(cost_verbs(costs, subject.setting))
    price = f"the mana cost of {spells}" if several else belonging_to(Noun(spells), "mana cost")
    return statement(who, f"may {pays} rather than pay {price}", subject.during)


def may_play(permission: MayPlay, subject: Subject) -> Verb:
    """Permission to play cards from where they are: at what cost, and with what changes."""
    does, setting = permission.does, subject.setting
    cards = noun(permission.what, setting, "many")
    play = "cast" if permission.only_cast else "play"
    price = ""
    if permission.cost is not None:
        whose = "their mana costs" if cards.many else "its mana cost"
        price = f" without paying {whose}"
        if permission.cost:
            paid = series(verb.replace("pay", "paying", 1) for verb in cost_verbs(permission.cost, setting))
            price = f" by {paid} rather than paying {whose}"
    afterwards = " after the current turn has ended" if permission.later else ""
    played = Noun("each one played this way")
    inside = subject.setting.with_words({It(): played}, {It(): played})
    said = [*map(finite, part_clauses(It(), does, inside, static=True))] if does else []
    besides = f", and {series(said)}" if said else ""
    if permission.any_mana:
        them = "those spells" if cards.many else "it"
        besides += f", and mana of any type can be spent to cast {them}"
    return Verb(f"may {play} {objective(cards)}{afterwards}{price}{besides}")


def activation_costs(whose: Selector, setting: Setting) -> str:
    """The activation costs of abilities."""
    return f"the activation costs of abilities of {objective(noun(whose, setting, 'some'))}"


def as_though_flash(costs: Sequence[Cost], subject: Subject) -> Clause:
    """Spells that may be cast as though they had flash, possibly for an additional cost."""
    who, spells, several = caster(subject)
    them = "them" if several else "it"
    paid = series(
        f"{verb} more" if verb.startswith("pay {") else verb for verb in cost_verbs(costs, subject.setting)
    )
    price = f" if {pronoun(who).text} {paid} to cast {them}" if costs else ""
    return statement(
        who, f"may cast {spells} as though {'they' if several else 'it'} had flash{price}", subject.during
    )


def exceptions(but: Sequence[Operation], copy: Noun, setting: Setting, more: Sequence[str] = ()) -> str:
    """How a copy differs: ", except it's an artifact in addition to its other types"."""
    inside = setting.with_words({It(): pronoun(copy)})
    said = [*map(finite, part_clauses(It(), but, inside, static=True))] if but else []
    return f", except {series([*said, *more])}" if said or more else ""


def entering_counters(counters: Sequence[Counters], setting: Setting) -> str:
    """Additional counters that something enters with: "an additional +1/+1 counter"."""
    # The language is recursive: operations contain instructions, and instructions operations.
    from conformance.wording.instructions import piles

    return piles(counters, setting, "additional ").text


def given_abilities(abilities: Sequence[Ability], whose: Noun, setting: Setting) -> str:
    """Abilities that an object has: keywords by name, others quoted."""
    this = Noun(f"this {short_head(whose)}", head=whose.head, zone=whose.zone)
    named = [keyword_words(a, setting) for a in abilities if isinstance(a, Keyword) and not has_dash(a)]
    quoted = [quotation(a, this, setting) for a in abilities if not isinstance(a, Keyword) or has_dash(a)]
    return series([*named, *quoted]) or "no further abilities"


def quotation(ability: Ability, this: Noun, setting: Setting) -> str:
    """A quoted ability of another object."""
    known: dict[Selector, Noun] = {who: said for who, said in setting.full.items() if isinstance(who, The)}
    known[This()] = this
    inner = Setting(known, known, this.text, setting.quotes + 1, setting.letters, setting.manner)
    mark = "'" if setting.quotes % 2 else '"'
    # The language is recursive: abilities contain operations, and operations abilities.
    from conformance.wording.abilities import ability_words

    return f"{mark}{ability_words(ability, inner)}{mark}"


def identity(
    kind: AddTypes | SetTypes | SetCreatureTypes | SetBasicLandTypes,
    colors: SetColors | None,
    size: Base | None,
    subject: Subject,
) -> str:
    """What something is: "is a 1/1 green Saproling creature in addition to its other types"."""
    are = "are" if subject.static else "become"
    hue = [color_words(colors.colors)] if colors else []
    pt = size_words(size) if size else ""
    behind = f" with base power and toughness {pt}" if size else ""
    stated = subject.setting.manner.stated
    pt, later = ("", behind) if stated else (pt, "")
    match kind:
        case AddTypes(types, subtypes, supertypes):
            states = map(str.lower, words_in_order(supertypes, SUPERTYPES_IN_ORDER))
            what = kinds_in_words([pt, *states, *hue], subtypes, types, subject.noun)
            kinds = {kind_spoken_of(word) for word in subtypes}
            kept = f"{kinds.pop()} types" if not types and kinds in ({"creature"}, {"land"}) else "types"
            besides = f" in addition to {subject.its} other {kept}" if types or subtypes else ""
            manner = subject.setting.manner
            if "Creature" in types and (manner.still or (manner.artifact_creature and "Artifact" in types)):
                besides = ""
            return f"{are} {what}{later}{besides}"
        case SetTypes(types, subtypes):
            what = kinds_in_words([pt, *hue], subtypes, types, subject.noun)
            return f"{are} {what if types or subtypes else 'no card type'}{later}"
        case SetCreatureTypes(subtypes):
            what = kinds_in_words(hue, subtypes, (), subject.noun)
            return f"{are} {what if subtypes else series([*hue, 'no creature type'])}{behind}"
        case SetBasicLandTypes(subtypes):
            return f"{are} {kinds_in_words([], subtypes, (), subject.noun) if subtypes else 'no land type'}"
        case _:
            assert_never(kind)


def kinds_in_words(
    before: Sequence[str], subtypes: Iterable[str], types: Iterable[CardType], whose: Noun
) -> str:
    """Kinds of object: "1/1 green Saproling creatures and Forest lands"."""
    plain = [word for word in subtypes_in_order(subtypes) if word not in SPECIAL_SUBTYPES]
    named = words_in_order(types, TYPES_IN_ORDER)
    sorts: dict[str, CardType] = {SUBTYPES_OF[card_type]: card_type for card_type in reversed(named)}
    groups = [[*plain, *map(str.lower, named)]] if plain or named else []
    kinds = {kind_spoken_of(word) for word in plain}
    if len(kinds) > 1 and kinds <= set(sorts):
        groups = [
            [*(word for word in plain if sorts.get(kind_spoken_of(word)) == card_type), card_type.lower()]
            for card_type in words_in_order(types, ("Creature",))
        ]
    words = [" ".join(filter(None, [*(before if i == 0 else ()), *some])) for i, some in enumerate(groups)]
    said = [plural(text) if whose.many else with_article(text) for text in words]
    special = {CHOSEN_TYPE: f"the {CHOSEN_TYPE}", ALL_CREATURE_TYPES: "every creature type"}
    adjectives_only = [] if groups else list(filter(None, before))
    return (
        series([*adjectives_only, *said, *(special[word] for word in sorted(set(subtypes) & set(special)))])
        or "nothing more"
    )


def size_words(base: Base) -> str:
    """Power and toughness as in a card's corner: "1/1"."""
    return "/".join("X" if isinstance(n, X) else str(n) for n in (base.power, base.toughness))


def base_words(power: Quantity | None, toughness: Quantity | None, setting: Setting) -> str:
    """Base power and toughness, or one of them."""
    if isinstance(power, int | X) and isinstance(toughness, int | X):
        return f"base power and toughness {size_words(Base(power, toughness))}"
    if power is not None and power == toughness:
        return f"base power and toughness each equal to {value(power, setting)}"
    said = [
        f"base {name} {required_number('=', n, setting)}"
        for name, n in (("power", power), ("toughness", toughness))
        if n is not None
    ]
    return series(said) or "unchanged base power and toughness"


def modification(power: Quantity, toughness: Quantity, setting: Setting) -> Verb:
    """Changes of power and toughness: "get +1/+1 for each …", "get +X/+0, where X is …"."""
    units = [(0, "") if n == 0 else for_each(n, setting) for n in (power, toughness)]
    tails = {unit[1] for unit in units if unit is not None and unit[0]}
    if None not in units and len(tails) == 1:
        up, out = (unit[0] if unit else 0 for unit in units)
        return Verb(f"get {number_with_sign(up)}/{number_with_sign(out)}", tails.pop())
    letters: dict[str, str] = {}
    said = []
    for n in (power, toughness):
        taken = taken_away(n)
        amount = n if taken is None else taken
        if isinstance(n, int):
            said.append(number_with_sign(n))
            continue
        name = "X"
        if not isinstance(amount, X):
            spoken = value(amount, setting)
            name = letters.setdefault(spoken, setting.letters[len(letters)])
        said.append(f"{'+' if taken is None else '-'}{name}")
    if any(text.startswith("-") for text in said):
        said = ["-0" if text == "+0" else text for text in said]
    where = series(f"{name} is {spoken}" for spoken, name in letters.items())
    return Verb(f"get {'/'.join(said)}", f", where {where}" if where else "")


def taken_away(n: Quantity) -> Quantity | None:
    """What is taken away, if a change is a negative multiple of a quantity: "-X", not "+X"."""
    if not isinstance(n, Times) or n.n >= 0:
        return None
    return n.by if n.n == -1 else replace(n, n=-n.n)


def number_with_sign(n: int) -> str:
    """A number with its sign."""
    return f"{n:+d}"


def hand_size(how: str, n: Quantity, subject: Subject) -> Verb | Clause:
    """A maximum hand size that is set, changed, or removed."""
    if how == "none":
        return Verb("have no maximum hand size")
    words = number(n) if isinstance(n, int) else value(n, subject.setting)
    if how == "set":
        text = f"are {words}" if isinstance(n, int | X) else f"are equal to {words}"
    elif isinstance(n, int) and n < 0:
        text = f"are reduced by {number(-n)}"
    else:
        text = f"are increased by {words}"
    size = belonging_to(subject.noun, "maximum hand sizes" if subject.noun.many else "maximum hand size")
    return Clause(Noun(size, subject.noun.many), (Verb(text),), subject.during)


def replaced_word(operation: ReplaceWord, subject: Subject) -> Clause:
    """A change of text: "replacing all instances of one color word with another"."""
    kinds: Sequence[str] = words_in_order(operation.kinds, ("color",)) or ["word"]
    pairs = dict.fromkeys(word_pair(kind, operation) for kind in kinds)
    text = f"the text of {subject.them}" if subject.whole.text not in PRONOUNS else f"{subject.its} text"
    if subject.static:
        (old, new), *more = pairs
        others = "".join(f" or all instances of {a} with {b}" for a, b in more)
        whole = Noun(f"all instances of {old} in {text}", many=True)
        return statement(whole, f"are replaced with {new}{others}", subject.during)
    words = series((f"{old} with {new}" for old, new in pairs), "or")
    change = f"change {text} by replacing all instances of {words}"
    return command(noun(You(), subject.setting), change, during=subject.during)


def word_pair(kind: str, operation: ReplaceWord) -> tuple[str, str]:
    """The word to replace and the new one; a word to be chosen is described by its kind."""
    named = kind if kind.endswith(("word", "type")) else f"{kind} word"
    old, new = operation.old, operation.new
    chosen = {
        None: "another" if old is None else f"another {named}",
        CHOSEN_COLOR: f"the {CHOSEN_COLOR} word",
        CHOSEN_TYPE: f"the {CHOSEN_TYPE}",
    }
    never = f" that isn't {series(words_in_order(operation.never), 'or')}" if operation.never else ""
    return {None: f"one {named}", "any": f"any {named}"}.get(old, old or ""), chosen.get(
        new, new or ""
    ) + never


def caster(subject: Subject) -> tuple[Noun, str, bool]:
    """Who casts the spells that an effect is about, the noun for them, and whether it is plural."""
    affects, setting = subject.affects, subject.setting
    if not isinstance(affects, All):
        return YOU, "this spell" if isinstance(affects, This) else subject.them, subject.noun.many
    if affects.zones == {"hand"} and affects.of is not None:
        hand = f"from {possessive(noun(affects.of, setting))} hand"
        return noun(affects.of, setting), f"{describe(affects, setting, 'spell').phrase(True)} {hand}", True
    who = noun(affects.controller or Everyone(), setting, "subject")
    return who, group(replace(affects, controller=None), setting, "many").text, True


def changed_costs(operation: Costs, subject: Subject) -> Clause:
    """Spells, or abilities of permanents, with changed costs: more, less, or at least this much."""
    how, mana, times = operation.how, operation.mana, operation.times
    affects, setting = subject.affects, subject.setting
    whose = subject.noun
    if isinstance(affects, This):
        whose, act = replace(whose, text="this spell"), "cast"
    elif (isinstance(affects, All) and affects.zones <= {"battlefield"}) or whose.zone == "battlefield":
        whose, act = Noun(f"activated abilities of {objective(subject.whole)}", many=True), "activate"
    else:
        whose, act = replace(whose, text=re.sub(r"\bcontrol(s?)\b", r"cast\1", whose.text)), "cast"
    tail = times_over(times, setting)
    if mana == "{1}" and tail.startswith(", a number of times"):
        letter, tail = letter_and_meaning(times, setting)
        mana = f"{{{letter}}}"
    if how == "at least":
        generic = re.fullmatch(r"\{(\d+)\}", mana)
        least = f"{number(int(generic[1]))} mana" if generic else mana
        if isinstance(affects, All) and act == "cast":
            one = group(affects, setting, "each").text
            whose = Noun(re.sub(r"\bcontrol(s?)\b", r"cast\1", one))
        would = f"that would cost less than {least} to {act}"
        return Clause(
            replace(whose, text=f"{whose.text} {would}"),
            (Verb(f"cost {least} to {act}", tail),),
            subject.during,
        )
    if operation.aimed_at is not None:
        them = "they target" if whose.many else "it targets"
        tail += f" if {them} {object_of(operation.aimed_at, setting, 'some')}"
    return Clause(whose, (Verb(f"cost {mana} {how} to {act}", tail),), subject.during)


def times_over(times: Quantity, setting: Setting) -> str:
    """How many times a change of costs applies, unless once."""
    if times == 1:
        return ""
    each = for_each(times, setting)
    if each is not None and each[0] == 1:
        return each[1]
    match times:
        case AtLeast((Sum((Count(The()), -1)), 0)):
            return " for each target beyond the first"
        case _:
            pass
    return (
        f", {number(times)} times"
        if isinstance(times, int)
        else f", a number of times equal to {value(times, setting)}"
    )


FORBIDDEN: dict[str, tuple[str, str, PlaceNoun, str]] = {
    "attack": ("attack", "attack alongside {}", "permanent", ""),
    "block": ("block", "block {}", "permanent", ""),
    "be blocked": ("be blocked", "be blocked by {}", "permanent", ""),
    "untap": ("become untapped", "untap {}", "permanent", ""),
    "activate abilities": ("activate abilities", "activate abilities of {}", "permanent", "ability"),
    "cast": ("cast spells", "cast {}", "spell", "spell"),
    "play lands": ("play lands", "play {}", "card", "land"),
    "gain life": ("gain life", "gain life from {}", "source", ""),
    "draw": ("draw cards", "draw {}", "card", "card"),
    "be countered": ("be countered", "be countered by {}", "spell", ""),
    "be targeted": (
        "be the target of spells or abilities",
        "be the target of {} or their abilities",
        "source",
        "",
    ),
    "have damage prevented": ("have damage they deal prevented", "have {} prevented", "source", ""),
    "turn face up": ("be turned face up", "turn {} face up", "permanent", ""),
    "lose the game": ("lose the game", "lose the game", "permanent", ""),
    "win the game": ("win the game", "win the game", "permanent", ""),
}
"""Prohibitions: alone, with objects, the kind of these objects, and the noun for counting."""


def prohibition(operation: Cannot, subject: Subject) -> Verb | Clause:
    """Something that can't be done, or is limited in number or by a condition."""
    it = subject.noun
    behind = f" except {series(words_in_order(operation.but))}" if operation.but else ""
    if operation.unless is not None:
        behind += f" unless {condition(operation.unless, subject.setting)}"
    if operation.number is not None:
        return limited_together(operation, operation.number, behind, subject)
    if operation.unless_pays:
        payer = pronoun(it) if it.person != "thing" else holder(pronoun(it), "controller")
        pays = series(conjugated(verb, payer) for verb in cost_verbs(operation.unless_pays, subject.setting))
        behind += f" unless {payer.text} {pays}"
    if operation == WEAKER_CANNOT_BLOCK and subject.affects == This():
        again = subject.setting.spoken("again")
        weaker = describe(operation.what or Filter(), again, "permanent").phrase(True)
        return statement(Noun(weaker, many=True), f"can't block {objective(pronoun(it))}", subject.during)
    alone = operation.after is None and operation.what is None and operation.whom is None
    only = only_with(operation, subject)
    if only:
        before, found, allowed = only.partition(" except by ")
        return Verb(before, found + allowed)
    if operation.do == {"activate abilities"} and it.person == "thing" and alone:
        whose = subject.them.removeprefix("all ")
        behind = f" unless they're {series(words_in_order(operation.but))}" if operation.but else behind
        abilities = Noun(f"activated abilities of {whose}", many=True)
        return statement(abilities, f"can't be activated{behind}", subject.during)
    said = [forbidden(do, operation, subject) for do in words_in_order(operation.do, tuple(FORBIDDEN))]
    return Verb(f"can't {series(said, 'or') or 'do nothing'}{behind}")


def limited_together(operation: Cannot, limit: Comparison, behind: str, subject: Subject) -> Verb | Clause:
    """A prohibition for some numbers of creatures: of attacking alone, or of attacking with many others."""
    deeds = words_in_order(operation.do, tuple(FORBIDDEN))
    spoken = [forbidden(do, operation, subject) for do in deeds]
    said, setting, how, n = series(spoken, "or") or "do nothing", subject.setting, limit.how, limit.n
    if how == ">" and isinstance(n, int) and subject.affects == EVERY_CREATURE:
        most = f"no more than {number(n)} {'creature' if n == 1 else 'creatures'}"
        each = "" if subject.during else " each combat"
        can = f" and {most} ".join(f"can {words}" for words in spoken)
        return statement(Noun(most, many=True), f"{can}{each}{behind}", subject.during)
    if (how, n) == ("=", 1):
        return Verb(f"can't {said} alone{behind}")
    if (how, n) == (">", 1):
        return Verb(f"can only {said} alone{behind}")
    if how == "<" and isinstance(n, int) and n > 2 and len(spoken) == 1 and not behind:
        return Verb(f"can't {said} unless at least {number(n - 1)} other creatures {said}")
    together = series((so_many(limit, words, setting) for words in spoken), "or")
    return Verb(f"can't {said} if {together}{behind}")


def so_many(limit: Comparison, act: str, setting: Setting) -> str:
    """That a number of creatures do something: "more than two creatures attack"."""
    how, n = limit.how, limit.n
    if how in ("even", "odd"):
        return f"an {how} number of creatures {act}"
    if not isinstance(n, int):
        return f"the number of creatures that {act} is {required_number(how, n, setting)}"
    size = number(n)
    before = {"=": "exactly ", ">": "more than ", "<": "fewer than "}.get(how, "")
    behind = {">=": " or more", "<=": " or fewer"}.get(how, "")
    one = n == 1 and not behind
    return f"{before}{size}{behind} {f'creature {conjugated(act, IT)}' if one else f'creatures {act}'}"


EVERY_CREATURE = All(type=frozenset({"Creature"}))
NOTHING_ELSE = Cannot(frozenset())
WEAKER = Filter(type=frozenset({"Creature"}), power=Comparison("<", PropertyOf("power", This())))
WEAKER_CANNOT_BLOCK = Cannot(frozenset({"be blocked"}), WEAKER)
"""What cards say about the creatures that can't block, rather than about the one that can't be blocked."""


def only_with(operation: Cannot, subject: Subject) -> str:
    """A prohibition with exceptions: "can block only creatures with flying".

    Also untapping, which only the untap step does.
    """
    if operation != replace(NOTHING_ELSE, do=operation.do, what=operation.what):
        return ""
    if operation.do == {"untap"} and operation.what is None and subject.static:
        if subject.affects == This():
            return "don't untap during your untap step"
        whose = "their controllers' untap steps" if subject.noun.many else "its controller's untap step"
        return f"don't untap during {whose}"
    wanted = operation.what
    if wanted is None or len(wanted.without) != 1 or not only_keys(wanted, "type", "without"):
        return ""
    allowed_ones = replace(wanted.without[0], type=wanted.without[0].type | wanted.type)
    named = describe(allowed_ones, subject.setting, "permanent").phrase(True)
    if operation.do == {"block"}:
        return f"can block only {named}"
    return f"can't be blocked except by {named}" if operation.do == {"be blocked"} else ""


def forbidden(do: str, operation: Cannot, subject: Subject) -> str:
    """One forbidden action, after "can't"."""
    it, setting, after = subject.noun, subject.setting, operation.after
    alone, about, place, unit = FORBIDDEN[do]
    if it.person == "thing" and do in ("activate abilities", "cast"):
        abilities = f"have {subject.its} activated abilities activated"
        alone = "be cast" if do == "cast" else abilities
    what = None if operation.what is None else describe(operation.what, setting, place)
    said = alone if what is None else about.format(what.phrase(True))
    if operation.whom is not None:
        said += f" {objective(noun(operation.whom, setting))}"
    if after is None:
        return said
    if unit and it.person != "thing":
        one, many = (unit, plural(unit)) if what is None else (what.phrase(False), what.phrase(True))
        return f"{about.split()[0]} more than {number(after)} {one if after == 1 else many} each turn"
    return f"{said} more than {'once' if after == 1 else f'{number(after)} times'} each turn"
