"""Reads abilities and cards: a line of text, and all the lines of a card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from conformance.files.short_forms import named_activated, named_triggered
from conformance.reading.conditions import STEP_BY_NAME, condition
from conformance.reading.costs import cost_symbol, cost_verb, cost_verbs, keywords, mana
from conformance.reading.events import ConditionalEvent, subject_of, trigger
from conformance.reading.grammar import matching, one_of, parse, perhaps, rule, whether, words
from conformance.reading.normal import is_spell, normal_form
from conformance.reading.operations import damage_sources, quoted, verbs
from conformance.reading.phrases import (
    counter_name,
    counter_piles,
    digits,
    each_of,
    everything,
    host,
    itself,
    many,
    number,
    one,
    pile,
    player,
    quantity,
    some,
    spoken,
)
from conformance.reading.references import (
    candidates_for,
    marks_in,
    operations_on,
    readings,
    rebuilt_with,
    with_choices_made,
    with_targets_named,
)
from conformance.reading.sentences import body_read, sentences_in, spellings
from conformance.wording.abilities import ability_text
from conformance.wording.events import THIS_SPELL
from conformance.wording.operations import EVERY_CREATURE, WEAKER_CANNOT_BLOCK
from reference_engine.language.cards import (
    Ability,
    Activated,
    AddEveryType,
    AnyOf,
    AsEnters,
    AsThoughFlash,
    Base,
    Cannot,
    Card,
    CastEvent,
    Chapter,
    ChooseInstruction,
    Cloak,
    Comparison,
    CopyAsEnters,
    Costs,
    Counters,
    Defines,
    DiscardCost,
    EntersTapped,
    Everyone,
    Filter,
    Gain,
    GainControl,
    GoTo,
    HandSize,
    Keyword,
    LandDrops,
    LevelBar,
    LifeCost,
    LoyaltyCost,
    ManaCost,
    Manifest,
    ManifestDread,
    Mode,
    Not,
    Operation,
    Opponents,
    Part,
    Plus,
    PreventDamage,
    SetColors,
    SkipStep,
    Spell,
    Static,
    Sum,
    TargetSpec,
    This,
    TimesAsMany,
    Triggered,
    Turn,
    Was,
    Would,
    X,
    You,
)
from reference_engine.language.words import Zone, roman

# ----------------------------------------------------------------------------------- effects


class Body(Struct, frozen=True):
    """What an ability does, with named targets; some pronouns may still be unresolved."""

    effect: tuple[Any, ...]
    targets: tuple[TargetSpec, ...]


def body(text: str) -> Body | None:
    """The meaning of some sentences."""
    told = body_read(text)
    if told is None:
        return None
    named, targets = with_targets_named(told)
    return Body(with_choices_made(named), targets)


def names_in(value: Any) -> list[str]:
    """The names that instructions give to objects."""
    return [
        one.name
        for one in marks_in(value, (ChooseInstruction, Manifest, Cloak, ManifestDread))
        if not isinstance(one, ChooseInstruction) or one.kind in ("object", "player")
    ]


# ---------------------------------------------------------------------------------- abilities


class AbilityText(Struct, frozen=True):
    """A line, with the modes below it."""

    text: str
    modes: tuple[str, ...] = ()


def lines_of(texts: Sequence[str]) -> list[AbilityText]:
    """The lines of a text, with modes attached to the line above."""
    lines: list[AbilityText] = []
    for line in texts:
        if line.startswith("• ") and lines:
            lines[-1] = AbilityText(lines[-1].text, (*lines[-1].modes, line.removeprefix("• ")))
        else:
            lines.append(AbilityText(line))
    return lines


def abilities_of(line: AbilityText, card: Card) -> Iterator[tuple[Ability, ...]]:
    """All readings of a line as abilities, with pronouns resolved."""
    for found in drafts(line, card):
        yield from settled_readings(with_own_name(found, card.name), is_spell(card))


def with_own_name(value: Any, name: str) -> Any:
    """A value in which filters for `~` use the name of this card."""

    def named(part: Any) -> Any:
        return replace(part, name=name) if isinstance(part, Filter) and part.name == "~" else None

    return rebuilt_with(value, named)


def settled_readings(found: tuple[Any, ...], spell: bool) -> Iterator[tuple[Ability, ...]]:
    """Abilities with pronouns resolved in every likely way.

    There are none if the text asks whether another object than this one was cast, kicked or the like, because
    conditions can ask that only of this one.
    """
    targets: list[TargetSpec] = []
    about = when = None
    for ability in found:
        if isinstance(ability, Triggered):
            about, when = subject_of(ability.when), ability.when
            if about not in (None, This()) and marks_in(ability, Was):
                return
        targets += marks_in(ability, TargetSpec)
    yield from readings(found, candidates_for(targets, about, names_in(found), spell, when))


MODES = {
    "choose one —": (1, 1),
    "choose two —": (2, 2),
    "choose three —": (3, 3),
    "choose one or both —": (1, None),
    "choose one or more —": (1, None),
    "choose up to two —": (0, 2),
    "choose any number —": (0, None),
}


def drafts(line: AbilityText, card: Card) -> Iterator[tuple[Any, ...]]:
    """All readings of a line, before pronouns are resolved."""
    text = line.text
    if not line.modes:
        listed_keywords = parse(keywords, keyword_line(text))
        if listed_keywords is not None:
            yield tuple(listed_keywords)
    symbols, dash, effect = text.partition(" — ")
    if dash and re.fullmatch(r"[IVX]+(?:, [IVX]+)*", symbols):
        yield from chapters(symbols.split(", "), effect, line.modes)
        return
    exhaust = text.startswith("Exhaust — ")
    cost, colon, effect = cost_and_effect(text.removeprefix("Exhaust — "))
    if colon and (reached := re.fullmatch(r"Level (\d)", effect)):
        costs = [cost_read(part) for part in cost.split(", ")]
        if None not in costs:
            yield (LevelBar(int(reached[1]), tuple(costs)),)
        return
    if colon:
        for found in activated_readings(cost, effect, line.modes):
            yield tuple(replace(one, exhaust=True) for one in found) if exhaust else found
        return
    lowered = spellings(text)[0]
    if re.match(r"(?:when(?! you next )|whenever|at) ", lowered):
        yield from triggered_readings(lowered, line.modes)
        return
    if not line.modes:
        yield from entering(text)
        yield from statics(text)
    if card.types & {"Instant", "Sorcery"}:
        yield from spells(text, line.modes)


def keyword_line(text: str) -> str:
    """A line of keywords without capital letters, including those at the start of a cost after a dash."""
    text = text[:1].lower() + text[1:].removesuffix(".")
    head, dash, cost = text.partition("—")
    return head + dash + re.sub(r"(^|, )([A-Z])(?=[a-z])", lambda found: found[0].lower(), cost)


def cost_and_effect(text: str) -> tuple[str, str, str]:
    """The cost and effect of an activated ability; colons inside quotation marks do not count."""
    quote = text.find('"')
    at = text.find(": ")
    if at < 0 or (0 <= quote < at):
        return "", "", text
    return text[:at], ":", text[at + 2 :]


def modes_of(texts: Sequence[str]) -> tuple[Mode, ...] | None:
    """The meaning of modes."""
    bodies = [body(text) for text in texts]
    if any(found is None for found in bodies):
        return None
    return tuple(Mode(found.effect, found.targets) for found in bodies if found is not None)


def spells(text: str, modes: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The readings of an instant's or sorcery's effect."""
    additional = parse(additional_cost, text)
    if additional is not None:
        yield (Spell(additional=tuple(additional)),)
        return
    if modes:
        limits = MODES.get(spellings(text)[0])
        found = modes_of(modes)
        if limits is not None and found is not None:
            least, most = limits
            most = len(found) if most is None else most
            yield (Spell(modes=found, modes_chosen=least, modes_most=most if most != least else None),)
        return
    done = body(text)
    if done is not None:
        yield (Spell(done.effect, done.targets),)


additional_cost = rule("As an additional cost to cast ~, {costs}.", lambda costs: costs, costs=cost_verbs)
ORDERS: dict[str, dict[str, Any]] = {
    "activate only as a sorcery": {"sorcery": True},
    "activate only once each turn": {"once": True},
    "activate no more than twice each turn": {"times": 2},
    "activate no more than three times each turn": {"times": 3},
    "activate no more than four times each turn": {"times": 4},
    "any player may activate this ability": {"by": Everyone()},
}
activation_condition = one_of(
    rule(
        "activate only if {one} or if {other}",
        lambda one, other: AnyOf((one, other)),
        one=condition,
        other=condition,
    ),
    rule("activate only if {cond}", lambda cond: cond, cond=condition),
    rule("activate only during your turn", lambda: Turn(You())),
    rule("activate only during your {step}", lambda step: Turn(You(), step), step=words(STEP_BY_NAME)),
    rule("activate only during an opponent's turn", lambda: Turn(Opponents())),
)


def activated_readings(cost: str, effect: str, modes: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The readings of an activated ability."""
    costs = [cost_read(part) for part in cost.split(", ")]
    if any(one_cost is None for one_cost in costs):
        return
    sentences = sentences_in(effect)
    more: dict[str, Any] = {}
    while sentences and (order := order_read(sentences[-1])) is not None:
        more |= order
        sentences.pop()
    if any(isinstance(one_cost, LoyaltyCost) for one_cost in costs) and more:
        return
    if modes:
        limits, found = MODES.get(spellings(effect)[0]), modes_of(modes)
        if limits is not None and found is not None and limits[0] == limits[1]:
            yield (Activated(tuple(costs), modes=found, modes_chosen=limits[0], **more),)
        return
    done = body(". ".join(sentences) + ".")
    if done is not None:
        zones = {} if "zones" in more else zones_of(costs) or implied_zones(effect)
        yield (Activated(tuple(costs), done.effect, done.targets, **more, **zones),)


def zones_of(costs: Sequence[Any]) -> dict[str, Any]:
    """The zone in which an ability can be activated: where its cost can be paid."""
    for cost in costs:
        zone = "hand" if isinstance(cost, DiscardCost) else getattr(cost, "zone", None)
        if getattr(cost, "what", None) == This() and zone in ("graveyard", "hand"):
            return {"zones": frozenset({zone})}
    return {}


def implied_zones(effect: str) -> dict[str, Any]:
    """The zone in which an ability works, if its effect implies one."""
    return {"zones": frozenset({"graveyard"})} if "~ from your graveyard" in effect else {}


def order_read(sentence: str) -> dict[str, Any] | None:
    """The fields that an activation instruction sets; None if it is not one."""
    text = spellings(sentence)[0]
    if text in ORDERS:
        return ORDERS[text]
    first, *others = text.split(" and only ")
    found: dict[str, Any] = {}
    for part in (first, *(f"activate only {other}" for other in others)):
        if part in ORDERS:
            found |= ORDERS[part]
            continue
        cond = parse(activation_condition, part)
        if cond is None or "cond" in found:
            return None
        found["cond"] = cond
    return found


NUMERALS = {roman(n): n for n in range(1, 13)}


def chapters(symbols: Sequence[str], effect: str, modes: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The readings of a Saga's chapters that share a line: an ability for each symbol (CR 714.2c)."""
    if any(symbol not in NUMERALS for symbol in symbols):
        return
    events = [Chapter(NUMERALS[symbol]) for symbol in symbols]
    if modes:
        limits, found = MODES.get(spellings(effect)[0]), modes_of(modes)
        if limits is not None and found is not None and limits[0] == limits[1]:
            yield tuple(Triggered(event, modes=found, modes_chosen=limits[0]) for event in events)
        return
    done = body(effect)
    if done is not None:
        yield tuple(Triggered(event, done.effect, done.targets) for event in events)


def cost_read(text: str) -> Any:
    """One cost before a colon."""
    symbol = parse(cost_symbol, text)
    if symbol is not None:
        return symbol
    loyalty = re.fullmatch(r"[+-]?\d+", text)
    if loyalty:
        return LoyaltyCost(int(text))
    return parse(cost_verb, text[:1].lower() + text[1:])


def triggered_readings(text: str, modes: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The readings of a triggered ability."""
    for waiting, whole in openings(text):
        effect = whole.removesuffix(ONCE).removesuffix(TRIGGERS_ONCE)
        if modes:
            limits, found = MODES.get(effect), modes_of(modes)
            if limits is not None and found is not None and limits[0] == limits[1]:
                yield (Triggered(waiting.when, modes=found, modes_chosen=limits[0], cond=waiting.cond),)
            continue
        done = body(effect)
        if done is not None:
            # An ability that sees its own object leave works where the object was
            # (CR 603.10: such abilities look back in time).
            zones = {} if subject_of(waiting.when) == This() else implied_zones(effect)
            if isinstance(waiting.when, CastEvent) and waiting.when.what == THIS_SPELL:
                zones = {"zones": ON_STACK}
            yield (
                Triggered(
                    waiting.when,
                    done.effect,
                    done.targets,
                    cond=waiting.cond,
                    once=whole.endswith(ONCE),
                    triggers_once=whole.endswith(TRIGGERS_ONCE),
                    **zones,
                ),
            )


ONCE = " Do this only once each turn."
TRIGGERS_ONCE = " This ability triggers only once each turn."


def openings(text: str) -> Iterator[tuple[ConditionalEvent, str]]:
    """A triggered ability's event and effect, split at each comma that is possible."""
    for comma in islice(re.finditer(r", ", text), 6):
        waiting = parse(trigger, text[: comma.end()])
        effect = text[comma.end() :]
        # CR 603.4: an "if" right after the event belongs to it.
        if waiting is not None and not (effect.startswith("if ") and waiting.cond is None):
            yield waiting, effect


# ------------------------------------------------------------------------------------- statics

spell_group = rule(
    "{what}",
    lambda what: what if what.zones == {"stack"} else None,
    what=one_of(rule("all {what}", what=many), many),
)
COST = matching(r"\{(?:\d+|[WUBRGC])\}")


def one_part(who: Any, does: Sequence[Any]) -> list[Part]:
    """One part: these operations on one subject."""
    return [Part(who, operations_on(who, does))]


def own_cost(mana: str, how: Any, each: Any) -> list[Part]:
    """This spell costs more or less."""
    return [Part(This(), (Costs(how, mana, 1 if each is None else each),))]


static_clause = one_of(
    rule(
        "creatures with power less than ~'s power can't block it",
        lambda: one_part(This(), [WEAKER_CANNOT_BLOCK]),
    ),
    rule("{who} {does}", one_part, who=one_of(spoken, everything), does=verbs),
    rule(
        "no more than {n} creature[s] can {does} each combat",
        lambda n, does: one_part(EVERY_CREATURE, [replace(does, number=Comparison(">", n))]),
        n=number,
        does=one_of(
            rule("attack you", lambda: Cannot(frozenset({"attack"}), whom=You())),
            rule("attack", lambda: Cannot(frozenset({"attack"}))),
            rule("block", lambda: Cannot(frozenset({"block"}))),
        ),
    ),
    rule("{who} enter[s] tapped", lambda who: one_part(who, [EntersTapped()]), who=one_of(itself, many)),
    rule("you control {what}", lambda what: one_part(what, [GainControl()]), what=host),
    rule(
        "prevent all {kind}damage that would be dealt to {who}{by}",
        lambda kind, who, by: one_part(who, [PreventDamage(by, combat=kind)]),
        kind=whether("combat "),
        who=one_of(spoken, player, everything),
        by=damage_sources,
    ),
    rule(
        "activated abilities of {who} can't be activated{but}",
        lambda who, but: one_part(who, [Cannot(frozenset({"activate abilities"}), but=but)]),
        who=many,
        but=one_of(
            rule(" unless they're mana abilities", lambda: frozenset({"mana abilities"})),
            rule("", lambda: frozenset()),
        ),
    ),
    rule(
        "if {who} would die, exile it instead",
        lambda who: one_part(who, [Would("die", GoTo("exile"))]),
        who=one_of(spoken, some),
    ),
    rule(
        "if {who} would deal damage to a permanent or player, it deals double that damage instead",
        lambda who: one_part(who, [Would("deal damage", TimesAsMany(2))]),
        who=one_of(spoken, some),
    ),
    rule(
        "if you would gain life, you gain {much} instead",
        lambda much: one_part(You(), [Would("gain life", much)]),
        much=one_of(
            rule("twice that much life", lambda: TimesAsMany(2)),
            rule("that much life plus {n}", Plus, n=digits),
        ),
    ),
    rule("you have no maximum hand size", lambda: one_part(You(), [HandSize("none")])),
    rule("you may play an additional land on each of your turns", lambda: one_part(You(), [LandDrops(1)])),
    rule("you may play two additional lands on each of your turns", lambda: one_part(You(), [LandDrops(2)])),
    rule("skip your draw step", lambda: one_part(You(), [SkipStep("draw")])),
    rule(
        "~ costs {mana} {how} to cast if it targets {aim}",
        lambda mana, how, aim: [Part(This(), (Costs(how, mana, aimed_at=aim),))],
        mana=COST,
        how=matching("more|less"),
        aim=some,
    ),
    rule(
        "~ costs {{X}} {how} to cast, where X is {n}",
        lambda how, n: None if isinstance(n, int | X) else own_cost("{1}", how, n),
        how=matching("more|less"),
        n=quantity,
    ),
    rule(
        "~ costs {mana} {how} to cast{each}",
        own_cost,
        mana=COST,
        how=matching("more|less"),
        each=perhaps(each_of),
    ),
    rule(
        "{what} cost[s] {mana} {how} to cast",
        lambda what, mana, how: one_part(what, [Costs(how, mana)]),
        what=spell_group,
        mana=COST,
        how=matching("more|less"),
    ),
    rule("{who} {does}", one_part, who=player, does=verbs),
)
static_sentence = one_of(
    rule(
        "~ costs {mana} {how} to cast if {cond}",
        lambda mana, how, cond: (own_cost(mana, how, None), cond),
        mana=COST,
        how=matching("more|less"),
        cond=condition,
    ),
    rule(
        "as long as {cond}, {parts}", lambda cond, parts: (parts, cond), cond=condition, parts=static_clause
    ),
    rule("{parts} as long as {cond}", lambda cond, parts: (parts, cond), cond=condition, parts=static_clause),
    rule("during your turn, {parts}", lambda parts: (parts, Turn(You())), parts=static_clause),
    rule("{parts} during your turn", lambda parts: (parts, Turn(You())), parts=static_clause),
    rule(
        "{who} enter[s] tapped unless {cond}",
        lambda who, cond: (one_part(who, [EntersTapped()]), Not(cond)),
        who=itself,
        cond=condition,
    ),
    rule("{parts}", lambda parts: (parts, None), parts=static_clause),
)
ON_STACK: frozenset[Zone] = frozenset({"stack"})
FROM_HAND: frozenset[Zone] = frozenset({"hand", "stack"})
flash = rule(
    "you may cast ~ as though it had flash{costs}",
    lambda costs: AsThoughFlash(costs),
    costs=perhaps(rule(" if you pay {mana} more to cast it", lambda mana: (ManaCost(mana),), mana=mana), ()),
)


own_size = one_of(
    rule("~'s power and toughness are each equal to {n}", lambda n: Base(n, n), n=quantity),
    rule(
        "~'s power is equal to {n} and its toughness is equal to that number plus {more}",
        lambda n, more: Base(n, Sum((n, int(more)))),
        n=quantity,
        more=matching(r"\d+"),
    ),
    rule("~'s power is equal to {power}", Base, power=quantity),
    rule("~'s toughness is equal to {n}", lambda n: Base(None, n), n=quantity),
)


def statics(text: str) -> Iterator[tuple[Any, ...]]:
    """The readings of statements of static abilities."""
    for spelled in spellings(text.removesuffix(".")):
        as_flash = parse(flash, spelled)
        if as_flash is not None:
            yield (Static((Part(This(), (as_flash,)),), zones=FROM_HAND),)
        size = parse(own_size, spelled)
        if size is not None:
            yield (Defines((size,)),)
        found = parse(static_sentence, spelled)
        if found is not None:
            parts, cond = found
            if cond is None and len(parts) == 1 and parts[0].affects == This() and defines(parts[0].does):
                yield (Defines(parts[0].does),)
                continue
            zones: dict[str, Any] = {}
            if all(part.affects == This() for part in parts) and any(
                isinstance(op, Costs) or getattr(op, "do", None) == {"be countered"} or gives_flash(op)
                for part in parts
                for op in part.does
            ):
                zones = {"zones": frozenset({"stack"})}
            yield (Static(tuple(parts), cond, **zones),)


def gives_flash(op: Operation) -> bool:
    """Whether an operation gives flash, which a card has only as it is cast (CR 113.6e: on the stack)."""
    return isinstance(op, Gain) and Keyword("flash") in op.abilities


def defines(does: Sequence[Operation]) -> bool:
    """Whether these operations always define an object's own colours or types (CR 604.3: it defines them)."""
    return all(isinstance(op, SetColors | AddEveryType) for op in does)


# ------------------------------------------------------------------------------------ entering

chooses = one_of(
    rule("choose a color", lambda: ChooseInstruction("color")),
    rule("choose a creature type", lambda: ChooseInstruction("type", of="creature type")),
    rule("choose a card name", lambda: ChooseInstruction("name")),
    rule("choose an opponent", lambda: None),
)
enters = one_of(
    rule(
        "if {cond}, it enters with {pile} on it",
        lambda cond, pile: AsEnters(counters=pile, cond=cond) if isinstance(cond, Was) else None,
        cond=condition,
        pile=pile,
    ),
    rule(
        "~ enters with {pile} on it if {cond}",
        lambda pile, cond: AsEnters(counters=pile, cond=cond),
        pile=pile,
        cond=condition,
    ),
    rule(
        "~ enters{tapped} with {pile} on it{each}",
        lambda tapped, pile, each: (
            None if (p := counter_piles(pile, each)) is None else AsEnters(counters=p, tapped=tapped)
        ),
        tapped=whether(" tapped"),
        pile=pile,
        each=perhaps(each_of),
    ),
    rule(
        "~ enters with X {kind} counters on it, where X is {n}",
        lambda kind, n: AsEnters(counters=(Counters(kind, n),)),
        kind=counter_name,
        n=quantity,
    ),
    rule("~ enters tapped", lambda: AsEnters(tapped=True)),
    rule("as ~ enters, {choice}", lambda choice: AsEnters(choose=(choice,)), choice=chooses),
    rule(
        "as ~ enters, you may pay {n} life. If you don't, it enters tapped",
        lambda n: AsEnters(unless_pays=(LifeCost(int(n)),)),
        n=matching(r"\d+"),
    ),
    rule(
        "you may have ~ enter as a copy of any {what} on the battlefield",
        lambda what: AsEnters(copy=CopyAsEnters(what), may=True),
        what=one,
    ),
)


def entering(text: str) -> Iterator[tuple[Any, ...]]:
    """What happens as an object enters."""
    found = parse(enters, spellings(text.removesuffix("."))[0])
    if found is not None:
        yield (found,)


# -------------------------------------------------------------------------------------- quotes


def quotation(match: re.Match[str]) -> Ability | None:
    """The first reading of an ability in quotation marks."""
    line = AbilityText(match[1])
    holder = Card("", frozenset({"Creature"}))
    first: Ability | None = None
    for found in islice(abilities_of(line, holder), 40):
        if len(found) != 1:
            continue
        (ability,) = found
        if isinstance(ability, Activated):
            ability = named_activated(ability)
        if isinstance(ability, Triggered):
            ability = named_triggered(ability)
        first = first or ability
        text = normal_form(ability_text(ability, holder), "", False)
        if text == normal_form(match[1], "", False):
            return ability
    return first


quoted.become(matching(r'"([^"]+)"', quotation))
