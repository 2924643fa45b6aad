"""Abilities and cards: paragraphs of rules text, and a card as a player reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, groupby, repeat
from typing import assert_never

import msgspec
from msgspec.structs import replace

from conformance.wording.choices import choice_words, chosen_noun
from conformance.wording.conditions import STEP_NAMES, condition
from conformance.wording.costs import (
    cost_line,
    cost_verbs,
    has_dash,
    keyword_words,
    named_by_costs,
)
from conformance.wording.english import (
    IT,
    SUPERTYPES_IN_ORDER,
    TYPES_IN_ORDER,
    Noun,
    Setting,
    belonging_to,
    capital,
    color_words,
    finite,
    later_reference,
    number,
    paragraph,
    possessive,
    pronoun,
    run_on,
    sentence,
    series,
    subtypes_in_order,
    things_in,
    with_article,
    words_in_order,
)
from conformance.wording.events import event_words
from conformance.wording.instructions import (
    clauses,
    piles,
    sentences_of,
    with_targets,
)
from conformance.wording.manner import PLAIN_MANNER, Manner
from conformance.wording.operations import (
    Subject,
    exceptions,
    given_abilities,
    identity,
    is_size,
    part_clauses,
    size_words,
    takes_size,
)
from conformance.wording.phrases import (
    NAMED_BY_SUBTYPE,
    describe,
    group,
    head_of,
    kind_words,
    noun,
    player,
    required_number,
    value,
)
from conformance.wording.target_words import limits
from reference_engine.language.cards import (
    Ability,
    Activated,
    AddTypes,
    All,
    AnyOf,
    AsEnters,
    Attached,
    Base,
    Card,
    Chapter,
    ChooseInstruction,
    Condition,
    CopyAsEnters,
    Cost,
    Costs,
    Defines,
    DiscardCost,
    EntersTapped,
    Everyone,
    ExileCost,
    Exists,
    Filter,
    Gain,
    Happened,
    If,
    Instruction,
    It,
    Keyword,
    LevelBar,
    Matches,
    May,
    Mode,
    Not,
    Operation,
    Option,
    Part,
    Quantity,
    Selector,
    SetCreatureTypes,
    SetTypes,
    Spell,
    Static,
    Sum,
    TargetSpec,
    The,
    This,
    Triggered,
    Turn,
    Was,
    X,
    You,
)
from reference_engine.language.words import (
    SUBTYPES_OF,
    CardType,
    Zone,
    kind_of_subtype,
    roman,
)

# --------------------------------------------------------------------------------- abilities


def ability_words(ability: Ability, setting: Setting) -> str:
    """The whole text of an ability; modes are on separate lines, unless it is quoted."""
    match ability:
        case Static():
            return static_words(ability, setting)
        case Defines(does):
            return defines_words(does, setting)
        case Activated():
            return activated_words(ability, setting)
        case Triggered():
            return triggered_words(ability, setting)
        case Spell():
            return spell_words(ability, setting)
        case LevelBar(n, _, abilities):
            reached = f"{cost_line(ability.cost, setting)}: Level {n}"
            return "\n".join([reached, *(ability_words(one, setting) for one in abilities)])
        case AsEnters():
            return paragraph(as_enters_sentences(ability, setting))
        case Keyword():
            said = capital(keyword_words(ability, setting))
            return sentence(said) if ability.costs else said
        case _:
            assert_never(ability)


def static_words(ability: Static, setting: Setting) -> str:
    """A static ability: one sentence, and another for other objects that it affects in the same way."""
    asked = []
    if ability.zones != BATTLEFIELD and not speaks_of_itself(ability):
        asked.append(in_zones(ability.zones, setting))
    opening, unless, inside = "", "", setting
    match ability.cond, ability.parts:
        case Not(cond), [Part(This(), [EntersTapped()])]:
            unless = f" unless {condition(cond, setting)}"
        case Turn(You(), None), [Part(This(), [Costs()])]:
            unless = " during your turn"
        case cond, [Part(This(), [Costs()])] if cond is not None:
            unless = f" {'as long as' if setting.manner.behind else 'if'} {condition(cond, setting)}"
        case Turn(You(), None), parts if not asked and not (setting.manner.behind or setting.manner.in_front):
            opening, asked = "during your turn, ", []
        case cond, [Part(affects), *_] if cond is not None and setting.manner.behind and not asked:
            it = pronoun(noun(affects, setting))
            spoken = setting if isinstance(affects, All) else setting.with_words({affects: it})
            unless = f" as long as {condition(cond, spoken)}"
        case cond, parts if cond is not None:
            asked.append(condition(cond, setting))
            inside = setting_of_mention(cond, parts[0].affects if parts else It(), setting)
    if asked:
        opening = f"as long as {series(asked)}, "
    first, *others = ability.parts or (Part(This(), ()),)
    same = [part for part in others if part.does == first.does and isinstance(part.affects, All)]
    said = [part_words(part, inside) for part in (first, *others) if part not in same]
    sentences_said = [f"{opening}{series(said)}{unless}"]
    if same:
        groups = (noun(part.affects, inside, "many").text for part in same)
        sentences_said.append(f"the same is true for {series(groups)}")
    if ability.lingers:
        sentences_said.append(
            f"if {setting.itself} leaves the battlefield, this effect continues until {ability.lingers}"
        )
    return paragraph(sentences_said)


def part_words(part: Part, setting: Setting) -> str:
    """One part of a static ability, as the rest of a sentence."""
    return " and ".join(map(finite, part_clauses(part.affects, part.does, setting, static=True)))


BATTLEFIELD: frozenset[Zone] = frozenset({"battlefield"})


def speaks_of_itself(ability: Static) -> bool:
    """Whether a static ability is about the spell it is on, so that its zone is implied."""
    return (
        ability.zones <= {"hand", "stack"}
        and "stack" in ability.zones
        and all(isinstance(part.affects, This) for part in ability.parts)
    )


def setting_of_mention(cond: Condition, affects: Selector, setting: Setting) -> Setting:
    """The setting after "as long as enchanted creature is white": the sentence continues with "it"."""
    match cond:
        case Not(part):
            return setting_of_mention(part, affects, setting)
        case Matches(All(top=True) as who):
            return setting.with_words({who: later_reference(noun(who, setting))})
        case Matches(who) if who == affects and not isinstance(who, All):
            return setting.with_words({affects: pronoun(noun(affects, setting))})
        case _:
            return setting


def in_zones(zones: frozenset[Zone], setting: Setting) -> str:
    """Where the object is while its ability functions: "this card is in your graveyard"."""
    your = possessive(noun(You(), setting))
    words: dict[Zone, str] = {
        "battlefield": "on the battlefield",
        "stack": "on the stack",
        "hand": f"in {your} hand",
        "library": f"in {your} library",
        "graveyard": f"in {your} graveyard",
        "exile": "in exile",
        "command": "in the command zone",
    }
    where = [words[zone] for zone in words if zone in zones]
    return f"{setting.itself} is {series(where, 'or') or 'nowhere'}"


def defines_words(does: Sequence[Operation], setting: Setting) -> str:
    """What an object says about its own colours, types, power or toughness."""
    this = noun(This(), setting)
    rest: list[Operation] = []
    said = []
    for operation in does:
        match operation:
            case Base(power, toughness) if not is_size(operation):
                said.append(own_size(this, power, toughness, setting))
            case _:
                rest.append(operation)
    told_first = [part_words(Part(This(), tuple(rest)), setting)] if rest or not said else []
    return paragraph([series([*told_first, *said])])


def own_size(this: Noun, power: Quantity | None, toughness: Quantity | None, setting: Setting) -> str:
    """An object's own power and toughness: "this creature's power is equal to the number of …"."""
    if power is not None and power == toughness:
        return f"{belonging_to(this, 'power and toughness')} are each equal to {value(power, setting)}"
    numbers = [
        f"{name} is {required_number('=', n, setting)}"
        for name, n in (("power", power), ("toughness", toughness))
        if n is not None
    ]
    match toughness:
        case Sum((first, int(more))) if first == power and more >= 0:
            numbers[1] = f"toughness is equal to that number plus {more}"
        case _:
            pass
    return belonging_to(this, " and its ".join(numbers) or "base power and toughness are unchanged")


def activated_words(ability: Activated, setting: Setting) -> str:
    """An activated ability: cost, colon, effect, activation instructions."""
    paid = named_by_costs(ability.cost, setting)
    effect = effect_text(
        ability.effect, ability.targets, ability.modes, limits_of(ability.modes_chosen), paid
    )
    limits_said = []
    if ability.zones != BATTLEFIELD and not says_where(ability, effect):
        limits_said.append(f"if {in_zones(ability.zones, setting)}")
    match ability.cond:
        case None:
            pass
        case Turn(of, step):
            when = belonging_to(noun(of, setting, "some"), STEP_NAMES[step] if step else "turn")
            limits_said.append(f"during {when}")
        case AnyOf((Happened() as one, Exists() as other)):
            limits_said.append(f"if {condition(one, setting)} or if {condition(other, setting)}")
        case cond:
            limits_said.append(f"if {condition(cond, setting)}")
    if ability.sorcery:
        limits_said.append("as a sorcery")
    if ability.once:
        limits_said.append("once each turn")
    orders = [f"activate {series(f'only {limit}' for limit in limits_said)}"] if limits_said else []
    if ability.times is not None:
        times = "twice" if ability.times == 2 else f"{number(ability.times)} times"
        orders.append(f"activate no more than {times} each turn")
    if isinstance(ability.by, Everyone):
        orders.append("any player may activate this ability")
    elif not isinstance(ability.by, You):
        orders.append(f"only {noun(ability.by, setting).text} may activate this ability")
    exhaust = "Exhaust — " if ability.exhaust else ""
    costs = [with_place(cost, ability.zones) for cost in ability.cost]
    return f"{exhaust}{cost_line(costs, setting)}: " + with_orders(effect, orders)


def with_place(cost: Cost, zones: frozenset[Zone]) -> Cost:
    """The cost; what exiles its own source says from where, which is where the ability works."""
    if isinstance(cost, ExileCost) and isinstance(cost.what, This) and zones and cost.zone not in zones:
        return replace(cost, zone=min(zones))
    return cost


def says_where(ability: Activated, effect: str) -> bool:
    """Whether the cost or the effect says where the object has to be."""
    for cost in ability.cost:
        match with_place(cost, ability.zones):
            case ExileCost(This(), zone=zone) if ability.zones == {zone}:
                return True
            case DiscardCost(what=This()) if ability.zones == {"hand"}:
                return True
            case _:
                pass
    return says_graveyard(ability.zones, effect)


def says_graveyard(zones: frozenset[Zone], effect: str) -> bool:
    """Whether an effect says that the object is in its owner's graveyard, where its ability works."""
    return zones == {"graveyard"} and "this card from your graveyard" in effect


def with_orders(effect: str, orders: Sequence[str]) -> str:
    """The effect followed by instructions; after modes they get a separate line."""
    if not orders:
        return effect
    return ("\n" if "\n" in effect else " ").join([effect, paragraph(orders)])


def triggered_words(ability: Triggered, setting: Setting) -> str:
    """A triggered ability: event, condition, effect; or a chapter with its symbol."""
    if isinstance(ability.when, Chapter) and ability.cond is None:
        effect = effect_text(
            ability.effect, ability.targets, ability.modes, limits_of(ability.modes_chosen), setting
        )
        return f"{roman(ability.when.n)} — {effect}"
    opening, inside = event_words(ability.when, setting)
    inside = inside.mentioning(who for who in inside.full if inside.said[who] != setting.said.get(who))
    body = (ability.effect, ability.targets, ability.modes, limits_of(ability.modes_chosen))
    goes_without_saying = (
        ability.zones == BATTLEFIELD
        or (ability.zones == {"stack"} and opening.endswith("this spell"))
        or says_graveyard(ability.zones, effect_text(*body, setting))
    )
    asked = [] if goes_without_saying else [in_zones(ability.zones, setting)]
    if ability.cond is not None:
        asked.append(condition(ability.cond, inside))
        inside = inside.after(ability.cond)
    if asked:
        opening += f", if {series(asked)}"
    elif ability.effect and isinstance(ability.effect[0], If):
        # CR 603.4: a condition that follows the event is asked before the ability triggers; this one is not.
        inside = replace(inside, manner=replace(inside.manner, behind=True))
    effect = effect_text(*body, inside, f"{opening}, ")
    orders = ["do this only once each turn"] if ability.once else []
    orders += ["this ability triggers only once each turn"] if ability.triggers_once else []
    return with_orders(effect, orders)


def limits_of(chosen: int, most: int | None = None, of: int = 0) -> str:
    """The number of modes to choose: "one", "one or both", "two", "one or more"."""
    if most is None or most <= chosen:
        return number(chosen)
    if (chosen, most, of) == (1, 2, 2):
        return "one or both"
    if most == of:
        return f"{number(chosen)} or more" if chosen else "any number"
    return limits(chosen, most)


def effect_text(
    effect: Sequence[Instruction],
    targets: Sequence[TargetSpec],
    modes: Sequence[Mode],
    chosen: str,
    setting: Setting,
    opening: str = "",
) -> str:
    """The effect of a spell or ability as it resolves, including modes."""
    said = with_targets(effect, targets, setting)
    if not modes:
        first, *more = said or ["nothing happens"]
        return paragraph([opening + first, *more])
    bodies = [
        paragraph(with_targets(mode.effect, mode.targets, setting)) or "Nothing happens." for mode in modes
    ]
    head = paragraph([opening + said[0], *said[1:]]) + " Choose" if said else capital(f"{opening}choose")
    if setting.quotes:
        return sentence(f"{head} {chosen} — {series(map(uncapitalized, bodies), 'or')}")
    return "\n".join([f"{head} {chosen} —", *(f"• {body}" for body in bodies)])


def uncapitalized(text: str) -> str:
    """A sentence without its capital and its period, as part of another."""
    return text[:1].lower() + text[1:].removesuffix(".")


def spell_words(ability: Spell, setting: Setting) -> str:
    """An instant or sorcery: additional costs, and the effect."""
    lines = []
    setting = named_by_costs(ability.additional, setting)
    if ability.additional:
        verbs = series(cost_verbs(ability.additional, setting))
        lines.append(sentence(f"as an additional cost to cast this spell, {verbs}"))
    chosen = limits_of(ability.modes_chosen, ability.modes_most, len(ability.modes))
    if ability.effect or ability.targets or ability.modes or not (lines or ability.kicked):
        lines.append(effect_text(ability.effect, ability.targets, ability.modes, chosen, setting))
    if ability.kicked or ability.kicked_targets:
        said = with_targets(ability.kicked, ability.kicked_targets, setting.after(ability.effect))
        lines.append(sentence(f"if this spell was kicked, {run_on(said)}"))
    return (" " if setting.quotes else "\n").join(lines)


def as_enters_sentences(ability: AsEnters, setting: Setting) -> list[str]:
    """What happens as an object enters or is turned face up."""
    this = noun(This(), setting)
    turned = " or is turned face up" if ability.also_turned_up else ""
    opening = f"as {this.text} enters{turned}, "
    it = setting.about(This(), IT)
    said = []
    if ability.choose:
        chosen = series(
            choice_words(choice, setting)
            if isinstance(choice.who, You)
            else finite(clauses(choice, setting)[0])
            for choice in ability.choose
        )
        said.append(f"{opening}{'you may ' if ability.may else ''}choose {chosen}")
    if ability.copy is not None:
        said.append(copy_as_enters(ability, ability.copy, this, turned, setting))
    if ability.one_of:
        said.append(f"{opening}it becomes your choice of {alternatives(ability.one_of, it)}")
    if ability.effect:
        doing = sentences_of((May(ability.effect),) if ability.may else ability.effect, setting)
        said.append(opening + run_on(doing))
    may_have = f"you may have {this.text} enter" if ability.may else f"{this.text} enters"
    if ability.counters:
        pile = piles(ability.counters, it)
        tapped = " tapped" if ability.tapped and not ability.unless_pays else ""
        entering = f"{turned}{tapped} with {pile.text} on it{pile.tail}"
        said.append(f"{may_have}{entering}")
        if isinstance(ability.cond, Was):
            said[-1] = f"if {condition(ability.cond, setting)}, it enters{entering}"
        elif ability.cond is not None:
            said[-1] += f" if {condition(ability.cond, setting)}"
    if ability.otherwise:
        said.append(f"if you don't, it gains {series(keyword_words(one, it) for one in ability.otherwise)}")
    if ability.unless_pays:
        pays = series(cost_verbs(ability.unless_pays, it))
        said += [f"{opening}you may {pays}", "if you don't, it enters tapped"]
    elif ability.tapped and ability.copy is None and not ability.counters:
        said.append(f"{may_have} tapped")
    if ability.cond is not None and not ability.counters and said:
        said[0] = f"if {condition(ability.cond, setting)}, {said[0]}"
    return said or [f"{opening}nothing happens"]


def copy_as_enters(ability: AsEnters, copy: CopyAsEnters, this: Noun, turned: str, setting: Setting) -> str:
    """Entering as a copy of something."""
    what = group(copy.of, setting, "one")
    on_battlefield = " on the battlefield" if what.zone == "battlefield" else ""
    model = f"any {what.text}" + (on_battlefield if copy.of.controller is None else "")
    more = []
    for extra in copy.counters:
        kind = with_article(describe(extra.what, setting).phrase(False))
        pile = piles(extra.counters, setting, "additional ")
        more.append(f"it enters with {pile.text} on it if it's {kind}{pile.tail}")
    except_for = exceptions(copy.but, replace(IT, head=what.head), setting, more)
    if turned:
        becomes = "you may have it become" if ability.may else "it becomes"
        return f"as {this.text} enters{turned}, {becomes} a copy of {model}{except_for}"
    enters = f"you may have {this.text} enter" if ability.may else f"{this.text} enters"
    return f"{enters}{' tapped' if ability.tapped else ''} as a copy of {model}{except_for}"


ADDED = " in addition to its other types"


def alternatives(several: Sequence[Option], setting: Setting) -> str:
    """What something may become: "a 3/3 creature, or a 2/2 creature with flying"."""
    said = [alternative(option, setting) for option in several]
    if len(said) > 1 and all(ADDED in text for text in said):
        return series((text.replace(ADDED, "") for text in said), "or") + ADDED
    return series(said, "or")


def alternative(option: Option, setting: Setting) -> str:
    """One alternative: "5/1", "a 1/6 Wall artifact creature in addition to its other types with defender"."""
    does = option.does
    kind = next((op for op in does if isinstance(op, AddTypes | SetTypes | SetCreatureTypes)), None)
    size = next((op for op in does if isinstance(op, Base) and is_size(op)), None)
    if kind is not None and size is not None and not takes_size(kind, size):
        size = None
    given = [ability for op in does if isinstance(op, Gain) for ability in op.abilities]
    if all(op is kind or op is size or isinstance(op, Gain) for op in does) and (kind or size):
        what = size_words(size) if size else ""
        if kind is not None:
            itself = Subject(It(), IT, IT, setting.with_words({It(): IT}), static=True, during="")
            what = identity(kind, None, size, itself).removeprefix("are ")
        return what + (f" with {given_abilities(given, IT, setting)}" if given else "")
    clauses_said = part_clauses(It(), does, setting.with_words({It(): IT}), static=True)
    return f"something of which this is true: {series(map(finite, clauses_said))}"


# ------------------------------------------------------------------------------------- cards


def ability_text(ability: Ability, card: Card | None = None, manner: Manner = PLAIN_MANNER) -> str:
    """An ability in the words of its card; without a card, in general words."""
    if card is not None and not card.types and isinstance(ability, Static | Activated | Triggered):
        # CR 114.4: an emblem's abilities function where it is, and need not say so.
        ability = replace(ability, zones=BATTLEFIELD)
    zones = ability.zones if isinstance(ability, Static | Activated | Triggered) else BATTLEFIELD
    this = this_noun(card, zones)
    itself = this.text
    if card is not None and isinstance(ability, Spell | Defines) and this.zone == "stack":
        this = replace(this, text=card.name)
    entering = [other for other in card.abilities if isinstance(other, AsEnters)] if card is not None else ()
    choices = tuple(choice for other in entering for choice in other.choose)
    return ability_in_words(ability, this, itself, host_noun(card), choices, manner)


@lru_cache(maxsize=10_000)
def ability_in_words(
    ability: Ability,
    this: Noun,
    itself: str,
    host: Noun,
    choices: tuple[ChooseInstruction, ...],
    manner: Manner,
) -> str:
    """An ability in words, given everything that the words take from its card.

    `this` and `itself` are what the card calls itself, `host` is what it is attached to, and `choices` are
    made as it enters.
    """
    letters = "YZW" if speaks_of_x(ability) else "XYZ"
    setting = Setting(
        {This(): this, Attached(): host}, {This(): this}, itself, letters=letters, manner=manner
    )
    for choice in choices:
        chosen = chosen_noun(choice, setting)
        setting = setting.with_words({The(choice.name): chosen}, {The(choice.name): chosen})
    return ability_words(ability, setting)


@lru_cache(4096)
def keyword_text(keyword: Keyword) -> str:
    """A keyword as scenarios write it, with its argument: "flying", "protection from red", "islandwalk"."""
    this = this_noun(None)
    return keyword_words(
        keyword, Setting({This(): this, Attached(): host_noun(None)}, {This(): this}, this.text)
    )


def speaks_of_x(ability: Ability) -> bool:
    """Whether an ability itself mentions X; abilities and cards that it gives or makes do not count."""
    written = msgspec.json.encode(ability)
    if b'"X"' not in written and b"{X}" not in written:
        # Nothing inside the ability mentions it either.
        return False
    fields = tuple(getattr(ability, name) for name in ability.__struct_fields__)
    return any(isinstance(part, X) or (isinstance(part, str) and "{X}" in part) for part in things_in(fields))


SELF_ORDER: tuple[CardType, ...] = (
    "Creature",
    "Planeswalker",
    "Battle",
    "Land",
    "Artifact",
    "Enchantment",
    "Instant",
    "Sorcery",
    "Kindred",
)
"""The order in which card types are used to name an object: "this creature" before "this artifact"."""


def this_noun(card: Card | None, zones: frozenset[Zone] = BATTLEFIELD) -> Noun:
    """How an object refers to itself: "this creature", "this Aura", "this card" if it is not a permanent."""
    if card is None:
        return Noun("this permanent")
    return own_noun(card.types, card.subtypes, zones)


@lru_cache(4096)
def own_noun(types: frozenset[CardType], subtypes: frozenset[str], zones: frozenset[Zone]) -> Noun:
    """How objects of these types refer to themselves."""
    own = [word for word in NAMED_BY_SUBTYPE if word in subtypes and "Creature" not in types]
    kinds = own or [word.lower() for word in words_in_order(types, SELF_ORDER)]
    head = kinds[0] if kinds else "emblem"
    never_there = head in ("instant", "sorcery")
    if zones == {"stack"} or (never_there and zones == BATTLEFIELD):
        return Noun("this spell", head=head, zone="stack")
    if "battlefield" not in zones or never_there:
        return Noun("this card", head=head, zone="graveyard")
    return Noun(f"this {head}", head=head)


def host_noun(card: Card | None) -> Noun:
    """The object that an Aura or Equipment is attached to: "enchanted creature", "equipped creature"."""
    subtypes = card.subtypes if card is not None else frozenset()
    for ability in card.abilities if card is not None else ():
        if isinstance(ability, Keyword) and ability.keyword == "enchant":
            if ability.player is not None and ability.what is None:
                return player("enchanted player")
            what = ability.what or Filter()
            named = kind_words(what)
            return Noun(f"enchanted {named[0] if len(named) == 1 else head_of(what)}", head=head_of(what))
    if "Equipment" in subtypes:
        return Noun("equipped creature", head="creature")
    if has_bestow(card):
        return Noun("enchanted creature", head="creature")
    return Noun("enchanted permanent" if "Aura" in subtypes else "attached permanent")


def has_bestow(card: Card | None) -> bool:
    """Whether a card can be an Aura that enchants a creature."""
    abilities = card.abilities if card is not None else ()
    return any(isinstance(one, Keyword) and one.keyword == "bestow" for one in abilities)


def is_listed(ability: Ability) -> bool:
    """Whether an ability is printed in a list of keywords."""
    if not isinstance(ability, Keyword) or ability.keyword == "enchant":
        return False
    return (ability.mana is None or ability.keyword == "ward") and not has_dash(ability)


def rules_text(card: Card, manners: Sequence[Manner] = ()) -> str:
    """A card's rules text: one paragraph per ability, with plain keywords together on one line.

    `manners` are those of the abilities, in order; abilities without one use the default.
    """
    if card.halves:
        return HALVES.join(rules_text(half) for half in card.halves)
    paragraphs: list[str] = []
    said = list(zip(card.abilities, chain(manners, repeat(PLAIN_MANNER)), strict=False))
    for run, some in groupby(said, lambda pair: is_listed(pair[0])):
        texts = [ability_text(ability, card, manner) for ability, manner in some]
        paragraphs += (
            [", ".join([texts[0], *map(uncapitalized, texts[1:])])] if run else joined_chapters(texts)
        )
    return "\n".join(paragraphs)


HALVES = "\n//\n"
"""Separator between the texts of a card's faces or halves."""
CHAPTER = re.compile(r"([IVX]+) — (.*)", re.DOTALL)


def joined_chapters(texts: Sequence[str]) -> list[str]:
    """The paragraphs, with chapters of the same effect on one line: "I, II — Draw a card." (CR 714.2c)."""
    said: list[str] = []
    last = ""
    for text in texts:
        chapter = CHAPTER.fullmatch(text)
        if chapter and chapter[2] == last:
            symbols, _ = said[-1].split(" — ", 1)
            said[-1] = f"{symbols}, {chapter[1]} — {last}"
        else:
            said.append(text)
        last = chapter[2] if chapter else ""
    return said


def type_line(card: Card) -> str:
    """Supertypes, card types and subtypes: "Legendary Creature — Human Wizard"."""
    types = words_in_order(card.types, TYPES_IN_ORDER)
    kinds = [SUBTYPES_OF[card_type] for card_type in types]
    subtypes = sorted(
        subtypes_in_order(card.subtypes), key=lambda word: place_in(kinds, kind_of_subtype(word))
    )
    return " ".join(
        [
            *words_in_order(card.supertypes, SUPERTYPES_IN_ORDER),
            *types,
            *(["—", *subtypes] if subtypes else []),
        ]
    )


def place_in(kinds: Sequence[str], kind: str | None) -> int:
    """Position of a kind of subtype on a type line: in the order of the card types."""
    return kinds.index(kind) if kind in kinds else len(kinds)


def card_text(card: Card) -> str:
    """A card as a player reads it: name and cost, type line, rules text, power and toughness."""
    if card.halves:
        return HALVES.join([card.name, *map(card_text, card.halves)])
    lines = [f"{card.name} {card.cost or ''}".strip()]
    if card.colors is not None:
        lines.append(f"Color indicator: {color_words(card.colors)}")
    lines += [type_line(card), rules_text(card)]
    if card.power is not None or card.toughness is not None:
        lines.append(printed_size(card))
    if card.loyalty is not None:
        lines.append(f"Loyalty: {card.loyalty}")
    if card.back is not None:
        lines += ["// modal" if card.modal else "//", card_text(card.back)]
    if card.adventure is not None:
        lines += ["//", card_text(card.adventure)]
    return "\n".join(filter(None, lines))


def printed_size(card: Card) -> str:
    """Power and toughness as printed; a dash where there is none."""
    return "/".join("–" if n is None else str(n) for n in (card.power, card.toughness))
