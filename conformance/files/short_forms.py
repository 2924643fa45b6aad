"""The short forms that files may use in place of the canonical form, by type (see docs/scenario.md).

Nouns for selectors and filters, `1/1` for power and toughness, maps keyed by an id or a kind of counter, bare
keywords, a continuous effect without its tag. `card_grammar` gathers them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, get_args

import msgspec
from msgspec import Struct

from conformance.files.typed_walk import (
    BOOLEANS,
    INTEGER,
    UNREADABLE,
    EntryPairs,
    Family,
    Grammar,
    KeyedRecords,
    TypedWalk,
    build_struct,
    description_of_node,
    is_none,
    read_integer,
    read_record,
    read_text,
)
from conformance.files.yaml_nodes import MappingNode, Node, ScalarNode, SequenceNode
from conformance.model.problems import did_you_mean, list_of_options
from conformance.model.scenario import SeenCounters, Value
from conformance.model.struct_types import types_of
from reference_engine.language import actions
from reference_engine.language.cards import (
    Activated,
    AddMana,
    All,
    Base,
    Card,
    Comparison,
    Cost,
    Counters,
    Effect,
    Everyone,
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
    name_of_event,
)
from reference_engine.language.characteristics import adds_mana
from reference_engine.language.setup import TimestampOrder
from reference_engine.language.words import (
    COLORS,
    OTHER_KEYWORDS,
    CardType,
    CounterKind,
    KeywordName,
    Supertype,
)

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
SELECTOR_WORDS = ("target", *NOUNS)
WORDS_OF_KEY: dict[str, tuple[str, ...]] = {
    "type": get_args(CardType),
    "supertype": get_args(Supertype),
    "color": COLORS,
}
YES_OR_NO = (
    *("tapped", "token", "attacking", "blocking", "unblocked", "saddled", "colorless", "multicolored"),
)
ADJECTIVES: dict[str, tuple[str, Any]] = {
    **{word.lower(): (key, word) for key, words in WORDS_OF_KEY.items() for word in words},
    **{f"non{word.lower()}": (f"not {key}", word) for key, words in WORDS_OF_KEY.items() for word in words},
    **{word: (word, True) for word in YES_OR_NO},
    **{f"non{word}": (word, False) for word in YES_OR_NO},
    "untapped": ("tapped", False),
    "unsaddled": ("saddled", False),
}
"""The key and value of a filter that each adjective stands for: `nonbasic`, `artifact`, `tapped`, `white`."""


@lru_cache(4096)
def noun(text: str) -> Filter | None:
    """The filter for a noun with its adjectives; None if it is not a noun."""
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


def everything(node: ScalarNode, entries: EntryPairs, whole: Node, walk: TypedWalk) -> Any:
    """`All` from a noun, narrowed by further keys."""
    said = noun(node.text)
    if said is None:
        return walk.fault(
            node,
            f"{node.text!r} is not a noun for objects",
            did_you_mean(
                node.text,
                NOUNS,
                otherwise=f"write one of {list_of_options(NOUNS)}, "
                "with an adjective if needed: nonbasic lands",
            ),
        )
    more = build_struct(All, entries, whole, walk)
    zones_said = any(key.text == "zones" for key, _ in entries)
    if node.text.endswith("cards") and not zones_said:
        return walk.fault(node, "cards in which zone?", "write {all: cards, zones: graveyard}")
    if more is UNREADABLE:
        return UNREADABLE
    zones = frozenset({"stack"}) if node.text.endswith("spells") and not zones_said else more.zones
    return narrow_filter(msgspec.structs.replace(more, zones=zones), said)


@lru_cache(maxsize=10_000)
def narrow_filter(thing: Any, by: Filter) -> Any:
    """A filter that also requires what the noun says."""
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


def read_all(value: Node, entries: EntryPairs, whole: Node, walk: TypedWalk) -> Any:
    """`{all: NOUN, further keys}`."""
    return everything(value, entries, whole, walk) if type(value) is ScalarNode else None


def read_selector_word(node: ScalarNode, family: Family, walk: TypedWalk) -> Any:
    """A selector in one word that is not a tag: `target`, or a noun."""
    if node.text == "target" and "the" in family.members:
        return The("target")
    if noun(node.text) is not None and "all" in family.members:
        return everything(node, (), node, walk)
    if "the" in family.members and re.fullmatch("[a-z][a-z0-9_]*", node.text):
        return walk.fault(
            node,
            f"{node.text!r} is not a selector",
            did_you_mean(
                node.text,
                (*family.members, *SELECTOR_WORDS),
                otherwise=f"what was named before is {{the: {node.text}}}",
            ),
        )
    return None


def read_filter(node: Node, walk: TypedWalk) -> Any:
    """A filter: its keys, or a noun."""
    if type(node) is ScalarNode:
        said = noun(node.text)
        if said is None:
            return walk.fault(
                node,
                f"{node.text!r} is not a noun for objects",
                did_you_mean(
                    node.text, NOUNS, otherwise="write keys of a filter: {type: Creature, subtype: Goblin}"
                ),
            )
        return said
    if type(node) is MappingNode and "all" in node.entries:
        return walk.fault(
            node.entries["all"][0],
            "'all' selects objects, but a filter is expected here",
            "write a noun alone, or the keys: {type: Creature, subtype: Goblin}",
        )
    return read_record(Filter, node, walk)


def read_comparison(node: Node, walk: TypedWalk) -> Any:
    """A comparison: `{">=": 2}`, `odd`, or a quantity for equality."""
    if type(node) is MappingNode:
        if len(node.entries) == 1:
            [(key, value)] = node.entries.values()
            if key.text in ("=", ">=", "<=", ">", "<"):
                n = walk.read(Quantity, value)
                return UNREADABLE if n is UNREADABLE else Comparison(key.text, n)  # type: ignore[arg-type]  # one of them
        if "how" in node.entries:
            return read_record(Comparison, node, walk)
    if type(node) is ScalarNode and node.text in ("even", "odd"):
        return Comparison(node.text)  # type: ignore[arg-type]  # one of them
    n = walk.read(Quantity, node)
    return UNREADABLE if n is UNREADABLE else Comparison("=", n)


PLAYER_WORDS: dict[str, Everyone | Opponents] = {
    "players": Everyone(),
    "everyone": Everyone(),
    "opponents": Opponents(),
}


def read_target(node: Node, walk: TypedWalk) -> Any:
    """The legal targets: a noun, `any target`, players, a selector, or all keys."""
    if type(node) is ScalarNode:
        if node.text == "any target":
            return TargetSpec(any_target=True)
        if node.text in PLAYER_WORDS:
            return TargetSpec(players=PLAYER_WORDS[node.text])
    if type(node) is ScalarNode or (type(node) is MappingNode and {"all", "who"} & node.entries.keys()):
        what = walk.read(All, node)
        return UNREADABLE if what is UNREADABLE else TargetSpec(what=what)
    return read_record(TargetSpec, node, walk)


# ------------------------------------------------------------------------------ power and toughness

STAR = re.compile(r"(?:[0-9]+[+-])?\*(?:[+-][0-9]+)?")


def read_printed_number(node: Node, walk: TypedWalk) -> Any:
    """A printed power or toughness: a number, or an expression with a star."""
    if type(node) is ScalarNode and (STAR.fullmatch(node.text) or is_none(node)):
        return None if is_none(node) else node.text
    return read_integer(node, walk)


def read_card(node: Node, walk: TypedWalk) -> Any:
    """A card; `pt: 1/3` gives power and toughness."""
    if type(node) is not MappingNode or "pt" not in node.entries:
        return read_record(Card, node, walk)
    key, value = node.entries["pt"]
    given: dict[str, Any] = {"power": UNREADABLE, "toughness": UNREADABLE}
    halves = value.text.split("/") if type(value) is ScalarNode else []
    if len(halves) == 2:
        for name, half in zip(given, halves, strict=True):
            given[name] = (
                half if STAR.fullmatch(half) else int(half) if INTEGER.fullmatch(half) else UNREADABLE
            )
    if UNREADABLE in given.values():
        walk.fault(
            value,
            f"{description_of_node(value)} is not a power and toughness",
            'write pt: 2/2 or pt: "*/1+*"',
        )
    rest = [entry for name, entry in node.entries.items() if name != key.text]
    return build_struct(Card, rest, node, walk, given)


def read_power_and_toughness(cls: type, pattern: str, example: str) -> Callable[..., Any]:
    """A reader of `{base: 1/1}` and similar forms."""

    def read(value: Node, entries: EntryPairs, whole: Node, walk: TypedWalk) -> Any:
        if type(value) is not ScalarNode:
            return None
        found = re.fullmatch(pattern, value.text)
        if not found:
            return walk.fault(
                value,
                f"{value.text!r} is not a power and toughness",
                f"write {example}, or one of the two: {{power: …}}",
            )
        power, toughness = map(int, found.groups())
        return build_struct(cls, entries, whole, walk, {"power": power, "toughness": toughness})

    return read


# --------------------------------------------------------------------------------------------- mana

MANA = re.compile(r"(?:\{(?:[0-9]+|[WUBRGCSXYZTQ]|[0-9WUBRGC](?:/[WUBRGP]){1,2})\})*")


def read_mana(node: Node, walk: TypedWalk) -> Any:
    """Mana symbols, each in braces."""
    text = read_text(node, walk)
    if text is UNREADABLE or MANA.fullmatch(str(text)):
        return text
    return walk.fault(node, f"{text!r} is not mana", 'write symbols in braces and quotes: "{2}{W}{W}"')


def read_mana_or_any(node: Node, walk: TypedWalk) -> Any:
    """Mana symbols, or `any`."""
    return "any" if type(node) is ScalarNode and node.text == "any" else read_mana(node, walk)


def read_mana_or_none(node: Node, walk: TypedWalk) -> Any:
    """Mana symbols, or none."""
    return None if is_none(node) else read_mana(node, walk)


# ---------------------------------------------------------------------------- effects and abilities


def read_effect(node: MappingNode, family: Family, walk: TypedWalk) -> Any:
    """A continuous effect as an instruction, which needs no tag."""
    if "effect" in family.members and {"affects", "does"} & node.entries.keys():
        return build_struct(Effect, node.entries.values(), node, walk)
    return None


def read_static(value: Node, entries: EntryPairs, whole: Node, walk: TypedWalk) -> Any:
    """A static ability of one part: `{static: {affects: …, does: …, cond: …}}`."""
    if type(value) is not MappingNode or not {"affects", "does"} & value.entries.keys():
        return None
    of_part = [entry for key, entry in value.entries.items() if key in walk.grammar.record_of(Part).fields]
    rest = [entry for key, entry in value.entries.items() if key not in walk.grammar.record_of(Part).fields]
    part = build_struct(Part, of_part, value, walk)
    parts = UNREADABLE if part is UNREADABLE else (part,)
    return build_struct(Static, [*rest, *entries], whole, walk, {"parts": parts})


KEYWORD_NAMES: tuple[str, ...] = get_args(KeywordName)
COST_TAGS = frozenset(str(cls.__struct_config__.tag) for cls in get_args(Cost))


def read_keyword_word(node: ScalarNode, family: Family, walk: TypedWalk) -> Any:
    """A bare keyword."""
    if node.text in KEYWORD_NAMES:
        return Keyword(node.text)  # type: ignore[arg-type]  # one of them
    if node.text in OTHER_KEYWORDS:
        return unknown_keyword(node, node.text, walk)
    if node.text.endswith("walk"):
        land = node.text.removesuffix("walk").capitalize()
        return walk.fault(
            node, f"{node.text!r} is a kind of landwalk", f"write {{landwalk: {{subtype: {land}}}}}"
        )
    return None


def read_keyword(node: MappingNode, family: Family, walk: TypedWalk) -> Any:
    """`{KEYWORD: value}`: its mana cost, its number, its costs, or its subject."""
    named = [key for key in node.entries if key in KEYWORD_NAMES]
    if not named and len(node.entries) == 1 and node.entries.keys() & OTHER_KEYWORDS.keys():
        ((word, (key, _)),) = node.entries.items()
        return unknown_keyword(key, word, walk)
    if len(named) != 1:
        return None
    key, value = node.entries[named[0]]
    rest = [entry for name, entry in node.entries.items() if name != key.text]
    given = about_keyword(value, walk)
    return build_struct(Keyword, rest, node, walk, {"keyword": key.text, **given})


def unknown_keyword(node: ScalarNode, word: str, walk: TypedWalk) -> Any:
    """The fault for a keyword of the game that the language does not have."""
    nearest = did_you_mean(
        word, KEYWORD_NAMES, otherwise="write its abilities in full, if the language has the words"
    )
    return walk.fault(
        node, f"{word!r} is a keyword that no card can have here: {OTHER_KEYWORDS[word]}", nearest
    )


def about_keyword(value: Node, walk: TypedWalk) -> dict[str, Any]:
    """The fields of a keyword that the value in `{KEYWORD: value}` stands for."""
    match value:
        case SequenceNode():
            return {"costs": walk.read(tuple[Cost, ...], value)}
        case MappingNode(entries=entries) if entries.keys() & COST_TAGS - {"mana"}:
            return {"costs": walk.read(tuple[Cost, ...], value)}
        case MappingNode(entries=entries) if entries.keys() & {"mana", "n", "what", "costs", "player"}:
            whole = build_struct(Keyword, entries.values(), value, walk, {"keyword": "flying"})
            names = Keyword.__struct_fields__[1:]
            return (
                {"what": UNREADABLE}
                if whole is UNREADABLE
                else {name: getattr(whole, name) for name in names}
            )
        case MappingNode():
            return {"what": read_filter(value, walk)}
        case ScalarNode(text=text):
            if value.plain and INTEGER.fullmatch(text):
                return {"n": int(text)}
            if text.startswith("{"):
                return {"mana": read_mana(value, walk)}
            if text in PLAYER_WORDS:
                return {"player": PLAYER_WORDS[text]}
            if text in COLORS:
                return {"what": msgspec.convert({"color": [text]}, Filter)}
            if text[:1].isupper():
                return {"what": Filter(subtype=frozenset({text}))}
            return {"what": read_filter(value, walk)}


def named_activated(ability: Activated) -> Activated:
    """An activated ability with its default name if it has none.

    CR 605.1a: without a target, able to add mana, no loyalty ability: then it is a mana ability.
    """
    if (
        ability.name == "ability"
        and not ability.targets
        and adds_mana(ability.effect)
        and not any(isinstance(cost, LoyaltyCost) for cost in ability.cost)
    ):
        return msgspec.structs.replace(ability, name="mana")
    return ability


def named_triggered(ability: Triggered) -> Triggered:
    """A triggered ability with its default name if it has none: its event, or the step that begins."""
    if ability.name:
        return ability
    return msgspec.structs.replace(ability, name=name_of_event(ability.when))


# -------------------------------------------------------------------- maps keyed by an id or a word


def keyed_by(cls: type[Struct], key_kind: Any, value_kind: Any) -> KeyedRecords:
    """How to write records with two fields as a map."""

    def read(key: ScalarNode, value: Node, walk: TypedWalk) -> Any:
        empty = walk.grammar.record_of(cls).empty
        values = (walk.read(key_kind, key), walk.read(value_kind, value))
        fields = [
            empty.get(name, value) if value is UNREADABLE else value
            for name, value in zip(cls.__struct_fields__, values, strict=True)
        ]
        return UNREADABLE if UNREADABLE in fields else cls(*fields)

    return KeyedRecords(cls, read)


def read_counters(node: Node, walk: TypedWalk) -> Any:
    """Counters of one kind: a record, or just the kind for a single counter."""
    if type(node) is ScalarNode:
        kind = walk.read(CounterKind, node)
        return UNREADABLE if kind is UNREADABLE else Counters(kind)
    return read_record(Counters, node, walk)


def cost_paid(key: ScalarNode, value: Node, walk: TypedWalk) -> Any:
    """How one kind of cost is paid: `sacrifice: redcap`, `kicked: 2`, `method: flashback`, `life: yes`."""
    kind = walk.read(record_kind, key)
    if type(value) is MappingNode:
        return (
            UNREADABLE
            if kind is UNREADABLE
            else build_struct(actions.CostPaid, value.entries.values(), value, walk, {"kind": kind})
        )
    ids: Any = ()
    n: Any = None
    if type(value) is ScalarNode and value.plain and INTEGER.fullmatch(value.text):
        n = int(value.text)
    elif not (type(value) is ScalarNode and value.plain and BOOLEANS.get(value.text)):
        ids = walk.read(tuple[str, ...], value)
    return UNREADABLE if kind is UNREADABLE or ids is UNREADABLE else actions.CostPaid(kind, ids, n)


record_kind = types_of(actions.CostPaid)["kind"]


# ----------------------------------------------------------------------------- payments and answers


def read_pay(node: Node, walk: TypedWalk) -> Any:
    """A payment: `auto`, its steps, or all its keys."""
    if type(node) is ScalarNode:
        if node.text == "auto":
            return None
        return walk.fault(node, f"{node.text!r} is not a payment", "write auto, or a list of steps")
    if type(node) is MappingNode and {"steps", "undo_mana"} & node.entries.keys():
        return read_record(actions.Pay, node, walk)
    steps = walk.read(tuple[actions.PayStep, ...], node)
    return UNREADABLE if steps is UNREADABLE else actions.Pay(steps)


def read_answer_value(node: Node, walk: TypedWalk) -> Any:
    """One answer: a number, yes or no, an id or a word, or a share."""
    if type(node) is not ScalarNode:
        return read_record(actions.Share, node, walk)
    if node.plain and INTEGER.fullmatch(node.text):
        return int(node.text)
    if node.plain and node.text in BOOLEANS:
        return BOOLEANS[node.text]
    return read_text(node, walk)


def read_value(node: Node, walk: TypedWalk) -> Any:
    """Any value that can be observed: none, yes or no, a number, a text, or a list."""
    if is_none(node):
        return None
    if type(node) is SequenceNode:
        values = [
            read_record(SeenCounters, item, walk)
            if type(item) is MappingNode
            else read_answer_value(item, walk)
            for item in node.items
        ]
        return UNREADABLE if UNREADABLE in values else tuple(values)
    if type(node) is MappingNode:
        return walk.fault(node, "a map where a value is expected", "write a word, a number or a list")
    return read_answer_value(node, walk)


# ------------------------------------------------------------------------------------------- the grammar


@cache
def card_grammar() -> Grammar:
    """The grammar of cards, actions and values."""
    return Grammar(
        readers={
            Filter: read_filter,
            Comparison: read_comparison,
            TargetSpec: read_target,
            Card: read_card,
            Counters: read_counters,
            actions.Pay: read_pay,
            actions.AnswerValue: read_answer_value,
            Value: read_value,
        },
        fields={
            (Card, "power"): read_printed_number,
            (Card, "toughness"): read_printed_number,
            (Card, "cost"): read_mana_or_none,
            (Keyword, "mana"): read_mana_or_none,
            (AddMana, "mana"): read_mana_or_any,
            (actions.PayStep, "pool"): read_mana_or_none,
        },
        keyed={
            Counters: keyed_by(Counters, CounterKind, Quantity),
            SeenCounters: keyed_by(SeenCounters, str, int),
            TimestampOrder: keyed_by(TimestampOrder, str, tuple[str, ...]),
            actions.Share: keyed_by(actions.Share, str, int),
            actions.Attacker: keyed_by(actions.Attacker, str, str),
            actions.Blocker: keyed_by(actions.Blocker, str, tuple[str, ...]),
            actions.Assignment: keyed_by(actions.Assignment, str, tuple[actions.Share, ...]),
            actions.TokenNames: keyed_by(actions.TokenNames, str, tuple[str, ...]),
            actions.CostPaid: KeyedRecords(actions.CostPaid, cost_paid),
            actions.AnswerValue: keyed_by(actions.Share, str, int),
        },
        bare={
            "who": read_selector_word,
            "is": read_keyword_word,
        },
        untagged={
            "then": read_effect,
            "is": read_keyword,
        },
        principal={
            All: read_all,
            Base: read_power_and_toughness(Base, r"(-?[0-9]{1,9})/(-?[0-9]{1,9})", "1/1"),
            Modify: read_power_and_toughness(Modify, r"([+-][0-9]{1,9})/([+-][0-9]{1,9})", "+1/+1"),
            Static: read_static,
        },
        finished={
            Activated: named_activated,
            Triggered: named_triggered,
        },
        also_known={
            "who": SELECTOR_WORDS,
            "is": (*KEYWORD_NAMES, *OTHER_KEYWORDS),
        },
    )
