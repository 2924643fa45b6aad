"""What files may say shorter than the canonical form does, type by type (docs/scenario.md shows each).

Nouns for selectors and filters, `1/1` for power and toughness, maps keyed by an id or a kind of counter,
bare keywords, a continuous effect without its tag. Importing this module tells `typed_walk` of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, get_args

import msgspec

from conformance.files.typed_walk import (
    ALSO_KNOWN,
    BARE,
    BOOLEANS,
    BROKEN,
    FIELD_READERS,
    FINISHED,
    INTEGER,
    KEYED,
    PRINCIPAL,
    READERS,
    UNTAGGED,
    Entries,
    Family,
    Faults,
    Keyed,
    built,
    described,
    fault,
    is_none,
    read_integer,
    read_record,
    read_text,
    reader_of,
    record_of,
)
from conformance.files.yaml_nodes import Mapping, Node, Scalar, Sequence
from conformance.model.problems import did_you_mean, listed
from conformance.model.scenario import SeenCounters, TimestampOrder, Value
from conformance.model.struct_types import types_of
from reference_engine.language import actions
from reference_engine.language.cards import (
    Activated,
    AddMana,
    All,
    Base,
    Beginning,
    Card,
    Comparison,
    Cost,
    Counters,
    Effect,
    Everyone,
    FaceDown,
    Filter,
    Keyword,
    LoyaltyCost,
    Modify,
    Opponents,
    Part,
    Quantity,
    Static,
    TargetSpec,
    The,
    Triggered,
)
from reference_engine.language.characteristics import adds_mana
from reference_engine.language.words import COLORS, CardType, CounterKind, KeywordName, Supertype

# -------------------------------------------------------------------------------------------- nouns

PLURALS = {
    "artifacts": "Artifact",
    "battles": "Battle",
    "creatures": "Creature",
    "enchantments": "Enchantment",
    "lands": "Land",
    "planeswalkers": "Planeswalker",
}
NOUNS = (*PLURALS, "permanents", "spells", "cards")
WORDS_OF_KEY: dict[str, tuple[str, ...]] = {
    "type": get_args(CardType),
    "supertype": get_args(Supertype),
    "color": COLORS,
}
YES_OR_NO = ("tapped", "token", "attacking", "blocking", "unblocked", "colorless", "multicolored")
ADJECTIVES: dict[str, tuple[str, Any]] = {
    **{word.lower(): (key, word) for key, words in WORDS_OF_KEY.items() for word in words},
    **{f"non{word.lower()}": (f"not {key}", word) for key, words in WORDS_OF_KEY.items() for word in words},
    **{word: (word, True) for word in YES_OR_NO},
    **{f"non{word}": (word, False) for word in YES_OR_NO},
    "untapped": ("tapped", False),
}
"""An adjective, and what it asks of which key of a filter: `nonbasic`, `artifact`, `tapped`, `white`."""


@cache
def noun(text: str) -> Filter | None:
    """What a noun with its adjectives says; None if it is no noun."""
    *adjectives, last = text.split(" ")
    if last not in NOUNS or any(word not in ADJECTIVES for word in adjectives):
        return None
    said = [ADJECTIVES[word] for word in adjectives]
    if last in PLURALS:
        said.append(("type", PLURALS[last]))
    keys: dict[str, Any] = {
        **{key: frozenset(word for of, word in said if of == key) for key in WORDS_OF_KEY},
        **{key: value for key, value in said if isinstance(value, bool)},
        "without": [{key.removeprefix("not "): [word]} for key, word in said if key.startswith("not ")],
    }
    return msgspec.convert(keys, Filter)


def everything(node: Scalar, entries: Entries, whole: Node, faults: Faults) -> Any:
    """`All` from a noun, narrowed by further keys of its own."""
    said = noun(node.text)
    if said is None:
        return fault(
            faults,
            node,
            f"{node.text!r} is no noun for objects",
            did_you_mean(
                node.text,
                NOUNS,
                otherwise=f"write one of {listed(NOUNS)}, with an adjective if need be: nonbasic lands",
            ),
        )
    more = built(All, entries, whole, faults)
    zones_said = any(key.text == "zones" for key, _ in entries)
    if node.text.endswith("cards") and not zones_said:
        return fault(faults, node, "cards in which zone?", "say it: {all: cards, zones: graveyard}")
    if more is BROKEN:
        return BROKEN
    zones = frozenset({"stack"}) if node.text.endswith("spells") and not zones_said else more.zones
    return narrowed(msgspec.structs.replace(more, zones=zones), said)


@lru_cache(maxsize=10_000)
def narrowed(thing: Any, by: Filter) -> Any:
    """A filter that also asks what the noun says."""
    both = {}
    for key in Filter.__struct_fields__:
        ours, theirs = getattr(thing, key), getattr(by, key)
        if isinstance(theirs, frozenset):
            both[key] = ours | theirs
        elif isinstance(theirs, tuple):
            both[key] = theirs + ours
        else:
            both[key] = theirs if ours is None else ours
    return msgspec.structs.replace(thing, **both)


def read_all(value: Node, entries: Entries, whole: Node, faults: Faults) -> Any:
    """`{all: NOUN, further keys}`."""
    return everything(value, entries, whole, faults) if type(value) is Scalar else None


def read_selector_word(node: Scalar, family: Family, faults: Faults) -> Any:
    """A selector of one word that is no tag: `target`, or a noun."""
    if node.text == "target" and "the" in family.members:
        return The("target")
    if noun(node.text) is not None and "all" in family.members:
        return everything(node, (), node, faults)
    if "the" in family.members and re.fullmatch("[a-z][a-z0-9_]*", node.text):
        return fault(
            faults,
            node,
            f"{node.text!r} is not a selector",
            did_you_mean(
                node.text,
                (*family.members, *ALSO_KNOWN["who"]),
                otherwise=f"what was named before is {{the: {node.text}}}",
            ),
        )
    return None


def read_filter(node: Node, faults: Faults) -> Any:
    """A filter: its keys, or a noun."""
    if type(node) is Scalar:
        said = noun(node.text)
        if said is None:
            return fault(
                faults,
                node,
                f"{node.text!r} is no noun for objects",
                did_you_mean(
                    node.text, NOUNS, otherwise="write keys of a filter: {type: Creature, subtype: Goblin}"
                ),
            )
        return said
    if type(node) is Mapping and "all" in node.entries:
        return fault(
            faults,
            node.entries["all"][0],
            "'all' stands before objects; here is asked what they are like",
            "write a noun alone, or the keys: {type: Creature, subtype: Goblin}",
        )
    return read_record(Filter, node, faults)


def read_comparison(node: Node, faults: Faults) -> Any:
    """A comparison: `{">=": 2}`, `odd`, or a quantity that it has to equal."""
    if type(node) is Mapping:
        if len(node.entries) == 1:
            [(key, value)] = node.entries.values()
            if key.text in ("=", ">=", "<="):
                n = reader_of(Quantity)(value, faults)
                return BROKEN if n is BROKEN else Comparison(key.text, n)  # type: ignore[arg-type]  # one of them
        if "how" in node.entries:
            return read_record(Comparison, node, faults)
    if type(node) is Scalar and node.text in ("even", "odd"):
        return Comparison(node.text)  # type: ignore[arg-type]  # one of them
    n = reader_of(Quantity)(node, faults)
    return BROKEN if n is BROKEN else Comparison("=", n)


PLAYERS: dict[str, Everyone | Opponents] = {
    "players": Everyone(),
    "everyone": Everyone(),
    "opponents": Opponents(),
}


def read_target(node: Node, faults: Faults) -> Any:
    """What a target may be: a noun, `any target`, players, a selector, or all its keys."""
    if type(node) is Scalar:
        if node.text == "any target":
            return TargetSpec(any_target=True)
        if node.text in PLAYERS:
            return TargetSpec(players=PLAYERS[node.text])
    if type(node) is Scalar or (type(node) is Mapping and {"all", "who"} & node.entries.keys()):
        what = reader_of(All)(node, faults)
        return BROKEN if what is BROKEN else TargetSpec(what=what)
    return read_record(TargetSpec, node, faults)


ALSO_KNOWN["who"] = ("target", *NOUNS)
READERS[Filter] = read_filter
READERS[Comparison] = read_comparison
READERS[TargetSpec] = read_target
PRINCIPAL[All] = read_all
BARE["who"] = read_selector_word

# ------------------------------------------------------------------------------ power and toughness

STAR = re.compile(r"(?:[0-9]+[+-])?\*(?:[+-][0-9]+)?")


def read_printed_number(node: Node, faults: Faults) -> Any:
    """A printed power or toughness: a number, or something with a star."""
    if type(node) is Scalar and (STAR.fullmatch(node.text) or is_none(node)):
        return None if is_none(node) else node.text
    return read_integer(node, faults)


def read_card(node: Node, faults: Faults) -> Any:
    """A card; `pt: 1/3` is its power and toughness."""
    if type(node) is not Mapping or "pt" not in node.entries:
        return read_record(Card, node, faults)
    key, value = node.entries["pt"]
    given: dict[str, Any] = {"power": BROKEN, "toughness": BROKEN}
    halves = value.text.split("/") if type(value) is Scalar else []
    if len(halves) == 2:
        for name, half in zip(given, halves, strict=True):
            given[name] = half if STAR.fullmatch(half) else int(half) if INTEGER.fullmatch(half) else BROKEN
    if BROKEN in given.values():
        fault(faults, value, f"{described(value)} is no power and toughness", 'write pt: 2/2 or pt: "*/1+*"')
    rest = [entry for name, entry in node.entries.items() if name != key.text]
    return built(Card, rest, node, faults, given)


def read_power_and_toughness(cls: type, pattern: str, example: str) -> Callable[..., Any]:
    """The reader of `{base: 1/1}` and the like."""

    def read(value: Node, entries: Entries, whole: Node, faults: Faults) -> Any:
        if type(value) is not Scalar:
            return None
        found = re.fullmatch(pattern, value.text)
        if not found:
            return fault(
                faults,
                value,
                f"{value.text!r} is no power and toughness",
                f"write {example}, or one of the two: {{power: …}}",
            )
        power, toughness = map(int, found.groups())
        return built(cls, entries, whole, faults, {"power": power, "toughness": toughness})

    return read


FIELD_READERS[Card, "power"] = read_printed_number
FIELD_READERS[Card, "toughness"] = read_printed_number
READERS[Card] = read_card
PRINCIPAL[Base] = read_power_and_toughness(Base, r"(-?[0-9]{1,9})/(-?[0-9]{1,9})", "1/1")
PRINCIPAL[FaceDown] = read_power_and_toughness(FaceDown, r"([0-9]{1,9})/([0-9]{1,9})", "2/2")
PRINCIPAL[Modify] = read_power_and_toughness(Modify, r"([+-][0-9]{1,9})/([+-][0-9]{1,9})", "+1/+1")

# --------------------------------------------------------------------------------------------- mana

MANA = re.compile(r"(?:\{(?:[0-9]+|[WUBRGCSXYZTQ]|[0-9WUBRGC](?:/[WUBRGP]){1,2})\})*")


def read_mana(node: Node, faults: Faults) -> Any:
    """Mana symbols, each in braces."""
    text = read_text(node, faults)
    if text is BROKEN or MANA.fullmatch(str(text)):
        return text
    return fault(faults, node, f"{text!r} is no mana", 'write symbols in braces and quotes: "{2}{W}{W}"')


def read_mana_or_any(node: Node, faults: Faults) -> Any:
    """Mana symbols, or `any`."""
    return "any" if type(node) is Scalar and node.text == "any" else read_mana(node, faults)


def read_mana_or_none(node: Node, faults: Faults) -> Any:
    """Mana symbols, or none."""
    return None if is_none(node) else read_mana(node, faults)


FIELD_READERS[Card, "cost"] = read_mana_or_none
FIELD_READERS[Keyword, "mana"] = read_mana_or_none
FIELD_READERS[AddMana, "mana"] = read_mana_or_any
FIELD_READERS[actions.PayStep, "pool"] = read_mana_or_none

# ---------------------------------------------------------------------------- effects and abilities


def read_effect(node: Mapping, family: Family, faults: Faults) -> Any:
    """A continuous effect as an instruction, which needs no tag."""
    if "effect" in family.members and {"affects", "does"} & node.entries.keys():
        return built(Effect, node.entries.values(), node, faults)
    return None


def read_static(value: Node, entries: Entries, whole: Node, faults: Faults) -> Any:
    """A static ability of one part: `{static: {affects: …, does: …, cond: …}}`."""
    if type(value) is not Mapping or not {"affects", "does"} & value.entries.keys():
        return None
    of_part = [entry for key, entry in value.entries.items() if key in record_of(Part).fields]
    rest = [entry for key, entry in value.entries.items() if key not in record_of(Part).fields]
    part = built(Part, of_part, value, faults)
    parts = BROKEN if part is BROKEN else (part,)
    return built(Static, [*rest, *entries], whole, faults, {"parts": parts})


KEYWORDS: tuple[str, ...] = get_args(KeywordName)
COST_TAGS = frozenset(str(cls.__struct_config__.tag) for cls in get_args(Cost))


def read_keyword_word(node: Scalar, family: Family, faults: Faults) -> Any:
    """A bare keyword."""
    if node.text in KEYWORDS:
        return Keyword(node.text)  # type: ignore[arg-type]  # one of them
    if node.text.endswith("walk"):
        land = node.text.removesuffix("walk").capitalize()
        return fault(
            faults, node, f"{node.text!r} is landwalk of a kind", f"write {{landwalk: {{subtype: {land}}}}}"
        )
    return None


def read_keyword(node: Mapping, family: Family, faults: Faults) -> Any:
    """`{KEYWORD: value}`: its cost in mana, its number, its costs, or what it is about."""
    named = [key for key in node.entries if key in KEYWORDS]
    if len(named) != 1:
        return None
    key, value = node.entries[named[0]]
    rest = [entry for name, entry in node.entries.items() if name != key.text]
    given = about_keyword(value, faults)
    return built(Keyword, rest, node, faults, {"keyword": key.text, **given})


def about_keyword(value: Node, faults: Faults) -> dict[str, Any]:
    """What the value of `{KEYWORD: value}` says, as fields of the keyword."""
    match value:
        case Sequence():
            return {"costs": reader_of(tuple[Cost, ...])(value, faults)}
        case Mapping(entries=entries) if entries.keys() & COST_TAGS - {"mana"}:
            return {"costs": reader_of(tuple[Cost, ...])(value, faults)}
        case Mapping(entries=entries) if entries.keys() & {"mana", "n", "what", "costs", "player"}:
            whole = built(Keyword, entries.values(), value, faults, {"keyword": "flying"})
            names = Keyword.__struct_fields__[1:]
            return {"what": BROKEN} if whole is BROKEN else {name: getattr(whole, name) for name in names}
        case Mapping():
            return {"what": read_filter(value, faults)}
        case Scalar(text=text):
            if value.plain and INTEGER.fullmatch(text):
                return {"n": int(text)}
            if text.startswith("{"):
                return {"mana": read_mana(value, faults)}
            if text in PLAYERS:
                return {"player": PLAYERS[text]}
            if text in COLORS:
                return {"what": msgspec.convert({"color": [text]}, Filter)}
            if text[:1].isupper():
                return {"what": Filter(subtype=frozenset({text}))}
            return {"what": read_filter(value, faults)}


def named_activated(ability: Activated) -> Activated:
    """An activated ability with the name it has if none is given.

    CR 605.1a: without a target, able to add mana, no loyalty ability: then it is a mana ability.
    """
    if (
        ability.name == "ability"
        and not ability.targets
        and any(map(adds_mana, ability.effect))
        and not any(isinstance(cost, LoyaltyCost) for cost in ability.cost)
    ):
        return msgspec.structs.replace(ability, name="mana")
    return ability


def named_triggered(ability: Triggered) -> Triggered:
    """A triggered ability with the name it has if none is given: its event, or the step that begins."""
    if ability.name:
        return ability
    event = ability.when
    name = event.step if isinstance(event, Beginning) else str(event.__struct_config__.tag)
    return msgspec.structs.replace(ability, name=name)


UNTAGGED["then"] = read_effect
PRINCIPAL[Static] = read_static
BARE["is"] = read_keyword_word
UNTAGGED["is"] = read_keyword
ALSO_KNOWN["is"] = KEYWORDS
FINISHED[Activated] = named_activated
FINISHED[Triggered] = named_triggered

# -------------------------------------------------------------------- maps keyed by an id or a word


def keyed_by(cls: type, key_kind: Any, value_kind: Any) -> Keyed:
    """How records of two fields are written as a map."""

    read_first, read_second = reader_of(key_kind), reader_of(value_kind)

    def read(key: Scalar, value: Node, faults: Faults) -> Any:
        first, second = read_first(key, faults), read_second(value, faults)
        return BROKEN if first is BROKEN or second is BROKEN else cls(first, second)

    return Keyed(cls, read)


def read_counters(node: Node, faults: Faults) -> Any:
    """Counters of a kind: as a record, or by the kind alone if it is one."""
    if type(node) is Scalar:
        kind = reader_of(CounterKind)(node, faults)
        return BROKEN if kind is BROKEN else Counters(kind)
    return read_record(Counters, node, faults)


def cost_paid(key: Scalar, value: Node, faults: Faults) -> Any:
    """How one kind of cost is paid: `sacrifice: redcap`, `kicked: 2`, `method: flashback`, `life: yes`."""
    kind = reader_of(record_kind)(key, faults)
    if type(value) is Mapping:
        return (
            BROKEN
            if kind is BROKEN
            else built(actions.CostPaid, value.entries.values(), value, faults, {"kind": kind})
        )
    ids: Any = ()
    n: Any = None
    if type(value) is Scalar and value.plain and INTEGER.fullmatch(value.text):
        n = int(value.text)
    elif not (type(value) is Scalar and value.plain and BOOLEANS.get(value.text)):
        ids = reader_of(tuple[str, ...])(value, faults)
    return BROKEN if kind is BROKEN or ids is BROKEN else actions.CostPaid(kind, ids, n)


record_kind = types_of(actions.CostPaid)["kind"]

READERS[Counters] = read_counters
KEYED[Counters] = keyed_by(Counters, CounterKind, Quantity)
KEYED[SeenCounters] = keyed_by(SeenCounters, str, int)
KEYED[TimestampOrder] = keyed_by(TimestampOrder, str, tuple[str, ...])
KEYED[actions.Share] = keyed_by(actions.Share, str, int)
KEYED[actions.Attacker] = keyed_by(actions.Attacker, str, str)
KEYED[actions.Blocker] = keyed_by(actions.Blocker, str, tuple[str, ...])
KEYED[actions.Assignment] = keyed_by(actions.Assignment, str, tuple[actions.Share, ...])
KEYED[actions.TokenNames] = keyed_by(actions.TokenNames, str, tuple[str, ...])
KEYED[actions.CostPaid] = Keyed(actions.CostPaid, cost_paid)

# ----------------------------------------------------------------------------- payments and answers


def read_pay(node: Node, faults: Faults) -> Any:
    """A payment: `auto`, its steps, or all its keys."""
    if type(node) is Scalar:
        if node.text == "auto":
            return None
        return fault(faults, node, f"{node.text!r} is no payment", "write auto, or a list of steps")
    if type(node) is Mapping and {"steps", "undo_mana"} & node.entries.keys():
        return read_record(actions.Pay, node, faults)
    steps = reader_of(tuple[actions.PayStep, ...])(node, faults)
    return BROKEN if steps is BROKEN else actions.Pay(steps)


def read_answer_value(node: Node, faults: Faults) -> Any:
    """One answer: a number, yes or no, an id or a word, or a share."""
    if type(node) is not Scalar:
        return read_record(actions.Share, node, faults)
    if node.plain and INTEGER.fullmatch(node.text):
        return int(node.text)
    if node.plain and node.text in BOOLEANS:
        return BOOLEANS[node.text]
    return read_text(node, faults)


def read_value(node: Node, faults: Faults) -> Any:
    """Any value that can be seen: none, yes or no, a number, a text, or a list."""
    if is_none(node):
        return None
    if type(node) is Sequence:
        values = [
            read_record(SeenCounters, item, faults)
            if type(item) is Mapping
            else read_answer_value(item, faults)
            for item in node.items
        ]
        return BROKEN if BROKEN in values else tuple(values)
    if type(node) is Mapping:
        return fault(faults, node, "a map where a value is wanted", "write a word, a number or a list")
    return read_answer_value(node, faults)


READERS[actions.Pay] = read_pay
READERS[actions.AnswerValue] = read_answer_value
KEYED[actions.AnswerValue] = keyed_by(actions.Share, str, int)
READERS[Value] = read_value
