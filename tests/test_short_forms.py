"""Short spellings in files mean the same as the canonical form in the same place."""

from typing import Any, get_args

import pytest

from conformance.files import short_forms
from conformance.files.short_forms import card_grammar
from conformance.files.typed_walk import UNREADABLE, TypedWalk
from conformance.files.yaml_tree import tree_of
from conformance.model.scenario import Value
from reference_engine.language.actions import Action, AnswerValue, CostPaid, Pay
from reference_engine.language.cards import (
    Ability,
    All,
    Card,
    Comparison,
    Condition,
    Cost,
    Counters,
    Filter,
    Instruction,
    Operation,
    Quantity,
    Replacement,
    Selector,
    TargetSpec,
    This,
    TriggerEvent,
)
from reference_engine.language.words import OTHER_KEYWORDS, KeywordName

assert short_forms.NOUNS


def read(kind: Any, text: str) -> Any:
    """A text read as a type, or its problems if anything is wrong with it."""
    walk = TypedWalk(card_grammar())
    value = walk.read(kind, tree_of(text, "short"))
    assert walk.faults or value is not UNREADABLE
    return [(fault.what, fault.cure) for fault in walk.faults] if walk.faults else value


CREATURES = "{who: all, type: [Creature]}"
SAME: list[tuple[Any, str, str]] = [
    # selectors
    (Selector, "creatures", CREATURES),
    (Selector, "{all: creatures}", CREATURES),
    (Selector, "permanents", "{who: all}"),
    (Selector, "all", "{who: all}"),
    (Selector, "spells", "{who: all, zones: [stack]}"),
    (Selector, "{all: spells, zones: [stack, hand]}", "{who: all, zones: [stack, hand]}"),
    (Selector, "{all: creature cards, zones: graveyard}", "{who: all, type: [Creature], zones: [graveyard]}"),
    (Selector, "nonbasic lands", "{who: all, type: [Land], without: [{supertype: [Basic]}]}"),
    (Selector, "noncreature artifacts", "{who: all, type: [Artifact], without: [{type: [Creature]}]}"),
    (Selector, "artifact creatures", "{who: all, type: [Artifact, Creature]}"),
    (Selector, "{all: creatures, type: Artifact}", "{who: all, type: [Artifact, Creature]}"),
    (Selector, "untapped white creatures", "{who: all, type: [Creature], color: [white], tapped: false}"),
    (Selector, "{all: nontoken creatures, token: yes}", "{who: all, type: [Creature], token: true}"),
    (
        Selector,
        "{all: nonblack creatures, without: {subtype: Goblin}}",
        "{who: all, type: [Creature], without: [{color: [black]}, {subtype: [Goblin]}]}",
    ),
    (
        Selector,
        "{all: {type: Creature, controller: you}}",
        "{who: all, type: [Creature], controller: {who: you}}",
    ),
    (Selector, "target", "{who: the, name: target}"),
    (Selector, "{the: chosen}", "{who: the, name: chosen}"),
    (Selector, "{controller_of: it}", "{who: controller_of, of: {who: it}}"),
    (Selector, "active player", "{who: active player}"),
    (All, "creatures", CREATURES),
    (This | All, "this", "{who: this}"),
    # filters
    (Filter, "creatures", "{type: [Creature]}"),
    (Filter, "{type: Creature, power: 2}", "{type: [Creature], power: {how: '=', n: 2}}"),
    (Filter, "{power: {'>=': 2}}", "{power: {how: '>=', n: 2}}"),
    (Filter, "{mana_value: odd}", "{mana_value: {how: odd}}"),
    (Comparison, "{count: creatures}", f"{{how: '=', n: {{num: count, of: {CREATURES}}}}}"),
    # targets
    (TargetSpec, "creatures", f"{{what: {CREATURES}}}"),
    (TargetSpec, "{all: creatures}", f"{{what: {CREATURES}}}"),
    (TargetSpec, CREATURES, f"{{what: {CREATURES}}}"),
    (TargetSpec, "any target", "{any_target: true}"),
    (TargetSpec, "players", "{players: everyone}"),
    (TargetSpec, "opponents", "{players: {who: opponents}}"),
    (TargetSpec, "{what: creatures, most: 2}", f"{{what: {CREATURES}, most: 2}}"),
    # quantities and conditions
    (Quantity, "-2", "-2"),
    (Quantity, "+2", "2"),
    (Quantity, "X", "{num: X}"),
    (Quantity, "{sum: [1, X]}", "{num: sum, parts: [1, {num: X}]}"),
    (Quantity, "{property: power, of: it}", "{num: property, what: power, of: {who: it}}"),
    (Condition, "{exists: creatures}", f"{{if: exists, who: {CREATURES}}}"),
    (Condition, "{not: {turn: you}}", "{if: not, part: {if: turn, of: {who: you}}}"),
    (
        Condition,
        "{compare: {count: creatures}, how: '>=', right: 3}",
        f"{{if: compare, left: {{num: count, of: {CREATURES}}}, how: '>=', right: 3}}",
    ),
    (Condition, "{exists: {who: this}}", "{if: exists, who: {who: this}}"),
    # operations
    (Operation, "{base: 1/1}", "{op: base, power: 1, toughness: 1}"),
    (Operation, "{base: {power: 0}}", "{op: base, power: 0}"),
    (Operation, "{modify: -2/-0}", "{op: modify, power: -2, toughness: 0}"),
    (Operation, "switch", "{op: switch}"),
    (Operation, "{switch: {}}", "{op: switch}"),
    (Operation, "{add_types: Creature}", "{op: add_types, types: [Creature]}"),
    (Operation, "{add_types: {subtypes: [Zombie]}}", "{op: add_types, subtypes: [Zombie]}"),
    (
        Operation,
        "{add_types: Creature, subtypes: Zombie}",
        "{op: add_types, types: [Creature], subtypes: [Zombie]}",
    ),
    (Operation, "{set_colors: []}", "{op: set_colors, colors: []}"),
    (Operation, "{gain: [flying, haste]}", "{op: gain, abilities: [{is: keyword, keyword: flying}, haste]}"),
    # costs
    (Cost, "tap", "{cost: tap}"),
    (Cost, '{mana: "{2}"}', '{cost: mana, mana: "{2}"}'),
    (Cost, "{discard: 1}", "{cost: discard, n: 1}"),
    (Cost, "{loyalty: +1}", "{cost: loyalty, n: 1}"),
    (Cost, "sacrifice", "{cost: sacrifice, what: {who: this}}"),
    # counters
    (tuple[Counters, ...], "{+1/+1: 2, charge: X}", "[{kind: +1/+1, n: 2}, {kind: charge, n: {num: X}}]"),
    (tuple[Counters, ...], "+1/+1", "[{kind: +1/+1, n: 1}]"),
    (tuple[Counters, ...], "{kind: charge}", "[{kind: charge, n: 1}]"),
    (tuple[Counters, ...], "{}", "[]"),
    # instructions and events
    (
        Instruction,
        "{affects: target, does: {modify: +3/+3}, until: end of turn}",
        "{then: effect, affects: {who: the, name: target}, "
        "does: [{op: modify, power: 3, toughness: 3}], until: end of turn}",
    ),
    (
        Instruction,
        "{effect: {affects: this, does: switch}}",
        "{then: effect, affects: this, does: [{op: switch}]}",
    ),
    (Instruction, "{damage: 3, to: target}", "{then: damage, n: 3, to: {who: the, name: target}}"),
    (
        Instruction,
        "{if: {exists: creatures}, effect: {draw: 1}, otherwise: [{draw: 2}]}",
        f"{{then: if, cond: {{if: exists, who: {CREATURES}}}, effect: [{{then: draw, n: 1}}], "
        "otherwise: [{then: draw, n: 2}]}",
    ),
    (
        Instruction,
        "{put_counters: {+1/+1: 2}, on: target}",
        "{then: put_counters, counters: [{kind: +1/+1, n: 2}], on: {who: the, name: target}}",
    ),
    (
        Instruction,
        "{create: {name: Saproling, types: Creature, pt: 1/1}, n: 2}",
        "{then: create, token: {name: Saproling, types: [Creature], power: 1, toughness: 1}, n: 2}",
    ),
    (
        Instruction,
        "{search: {name: Forest, tapped: yes}, to: hand}",
        "{then: search, what: {name: Forest, tapped: true}, to: hand}",
    ),
    (TriggerEvent, "dies", "{on: dies, who: {who: this}}"),
    (TriggerEvent, "{beginning: upkeep}", "{on: beginning, step: upkeep, of: {who: you}}"),
    (
        TriggerEvent,
        "{cast: {color: red}, by: everyone}",
        "{on: cast, what: {color: [red]}, by: {who: everyone}}",
    ),
    # abilities
    (Ability, "flying", "{is: keyword, keyword: flying}"),
    (Ability, '{keyword: equip, mana: "{2}"}', '{is: keyword, keyword: equip, mana: "{2}"}'),
    (Ability, '{equip: "{2}"}', '{is: keyword, keyword: equip, mana: "{2}"}'),
    (Ability, '{suspend: 4, mana: "{U}"}', '{is: keyword, keyword: suspend, n: 4, mana: "{U}"}'),
    (Ability, '{suspend: {n: 4, mana: "{U}"}}', '{is: keyword, keyword: suspend, n: 4, mana: "{U}"}'),
    (Ability, "{enchant: creatures}", "{is: keyword, keyword: enchant, what: {type: [Creature]}}"),
    (Ability, "{enchant: players}", "{is: keyword, keyword: enchant, player: {who: everyone}}"),
    (Ability, "{protection: red}", "{is: keyword, keyword: protection, what: {color: [red]}}"),
    (Ability, "{landwalk: Island}", "{is: keyword, keyword: landwalk, what: {subtype: [Island]}}"),
    (Ability, "{landwalk: {subtype: Island}}", "{is: keyword, keyword: landwalk, what: {subtype: [Island]}}"),
    (Ability, "{equip: [{life: 3}]}", "{is: keyword, keyword: equip, costs: [{cost: life, n: 3}]}"),
    (Ability, "{equip: {discard: 1}}", "{is: keyword, keyword: equip, costs: [{cost: discard, n: 1}]}"),
    (
        Ability,
        "{static: {affects: creatures, does: switch, cond: {turn: you}}, zones: hand}",
        f"{{is: static, parts: [{{affects: {CREATURES}, does: [{{op: switch}}]}}], "
        "cond: {if: turn, of: {who: you}}, zones: [hand]}",
    ),
    (
        Ability,
        "{static: [{affects: creatures, does: switch}, {affects: this, does: switch}]}",
        f"{{is: static, parts: [{{affects: {CREATURES}, does: [{{op: switch}}]}}, "
        "{affects: {who: this}, does: [{op: switch}]}]}",
    ),
    # names that abilities have if none is given
    (
        Ability,
        "{activated: {cost: tap, effect: {add_mana: any}}}",
        "{is: activated, cost: [{cost: tap}], effect: [{then: add_mana, mana: any}], name: mana}",
    ),
    (
        Ability,
        "{activated: {cost: tap, effect: {may: {add_mana: any}}}}",
        "{is: activated, cost: [{cost: tap}], name: mana, "
        "effect: [{then: may, effect: [{then: add_mana, mana: any}]}]}",
    ),
    (
        Ability,
        "{activated: {cost: {loyalty: 1}, effect: {add_mana: any}}}",
        "{is: activated, cost: [{cost: loyalty, n: 1}], name: ability, "
        "effect: [{then: add_mana, mana: any}]}",
    ),
    (
        Ability,
        "{activated: {cost: tap, effect: switch_names}}".replace("switch_names", "{draw: 1}"),
        "{is: activated, cost: [{cost: tap}], effect: [{then: draw, n: 1}], name: ability}",
    ),
    (
        Ability,
        "{triggered: dies, effect: {draw: 1}}",
        "{is: triggered, when: {on: dies}, effect: [{then: draw, n: 1}], name: dies}",
    ),
    (
        Ability,
        "{triggered: {beginning: upkeep}}",
        "{is: triggered, when: {on: beginning, step: upkeep}, name: upkeep}",
    ),
    (Ability, "{triggered: dies, name: last}", "{is: triggered, when: {on: dies}, name: last}"),
    # cards
    (Card, "{name: A, types: Creature, pt: 1/3}", "{name: A, types: [Creature], power: 1, toughness: 3}"),
    (
        Card,
        '{name: A, types: Creature, pt: "*/1+*", cost: none}',
        '{name: A, types: [Creature], power: "*", toughness: "1+*"}',
    ),
    (
        Card,
        "{name: A, types: Creature, power: none, toughness: 2}",
        "{name: A, types: [Creature], toughness: 2}",
    ),
    # actions
    (Action, "settle", "{do: settle}"),
    (Action, "{pass: everyone}", "{do: pass, who: everyone}"),
    (Action, "{advance: {to: upkeep, turn: bob}}", "{do: advance, to: upkeep, turn: bob}"),
    (Action, "{cast: a, by: b, targets: [c, d]}", "{do: cast, what: a, by: b, targets: [[c], [d]]}"),
    (Action, "{cast: a, by: b, targets: c}", "{do: cast, what: a, by: b, targets: [[c]]}"),
    (Action, "{cast: a, by: b, divide: {c: 2}}", "{do: cast, what: a, by: b, divide: [{to: c, n: 2}]}"),
    (Action, "{attack: {c: d}, by: b}", "{do: attack, attackers: [{attacker: c, attacks: d}], by: b}"),
    (Action, "{block: {c: d}, by: b}", "{do: block, blockers: [{blocker: c, blocks: [d]}], by: b}"),
    (
        Action,
        "{assign: {c: {d: 2, e: 3}}, by: b}",
        "{do: assign, assignments: [{by: c, shares: [{to: d, n: 2}, {to: e, n: 3}]}], by: b}",
    ),
    (Action, "{call: {Faerie Rogue: rogue}}", "{do: call, tokens: [{name: Faerie Rogue, ids: [rogue]}]}"),
    (Action, "{choose: may, by: b, answer: yes}", "{do: choose, kind: may, by: b, answer: [true]}"),
    (
        Action,
        "{choose: division, by: b, answer: {c: 2}}",
        "{do: choose, kind: division, by: b, answer: [{to: c, n: 2}]}",
    ),
    (Action, "{try: a, action: settle}", "{do: try, name: a, action: {do: settle}}"),
    (
        tuple[CostPaid, ...],
        "{sacrifice: a, kicked: 2, life: yes, method: flashback, discard: [b, c]}",
        "[{kind: sacrifice, ids: [a]}, {kind: kicked, n: 2}, {kind: life}, {kind: method, ids: [flashback]}, "
        "{kind: discard, ids: [b, c]}]",
    ),
    (Pay | None, "auto", "none"),
    (Pay, '[{activate: a}, {pool: "{G}"}]', '{steps: [{activate: a, ability: mana}, {pool: "{G}"}]}'),
    (Pay, "{activate: a}", "{steps: {activate: a}, undo_mana: yes}"),
]


@pytest.mark.parametrize(("kind", "short", "canonical"), SAME, ids=lambda value: str(value)[:60])
def test_short_form_means_the_canonical_one(kind: Any, short: str, canonical: str) -> None:
    expected = read(kind, canonical)
    assert not isinstance(expected, list)
    assert expected == read(kind, short)


@pytest.mark.parametrize(
    ("text", "value"),
    [("none", None), ("yes", True), ("3", 3), ("bear", "bear"), ("[a, 2, {kind: charge, n: 1}]", 3)],
)
def test_any_value_that_can_be_seen(text: str, value: object) -> None:
    seen = read(Value, text)
    assert value == (len(seen) if isinstance(seen, tuple) else seen)


SELECTORS = (
    "this, attached, it, the, all, you, opponents, everyone, active player, defending player, "
    "chosen player, monarch, controller_of, owner_of, source_of, others"
)
QUANTITIES = "X, chosen number, count, property, sum, times, at_least, that much, devotion, how_often"
WRONG: list[tuple[Any, str, str, str]] = [
    (Selector, "[this]", "a list where a selector is expected", "write a single value here, not a list"),
    (
        Selector,
        "{}",
        "an empty map where a selector is expected",
        f"write {{TAG: value}} with one of: {SELECTORS}",
    ),
    (Selector, "{who: [all]}", "a list where a word is expected", "write who: and a tag"),
    (Selector, "{who: {a: b}}", "a map where a word is expected", "write who: and a tag"),
    (Selector, "{who: }", "'' is not a selector", f"choose one of: {SELECTORS}"),
    (Selector, "controller_of", "controller_of without of", "add of: …"),
    (Selector, '"2"', "'2' is not a selector", f"choose one of: {SELECTORS}"),
    (Selector, "{who: creatures}", "'creatures' is not a selector", f"choose one of: {SELECTORS}"),
    (Selector, "{all: creature cards}", "cards in which zone?", "write {all: cards, zones: graveyard}"),
    (Selector, "{all: creatures, colour: white}", "unknown key 'colour'", "did you mean 'color'?"),
    (Selector, "lamb", "'lamb' is not a selector", "what was named before is {the: lamb}"),
    (Selector, "no", "no without quotes is yes or no to YAML", 'write it in quotes: "no"'),
    (This | All, "target", "'target' is not a selector", "choose one of: this, all"),
    (Selector, "{W}", "{W} has no effect here", 'mana is written "{W}"'),
    (Selector, "{who: controller_of}", "controller_of without of", "add of: …"),
    (Selector, "{thsi}", "{thsi} has no effect here", "did you mean 'this'?"),
    (
        Filter,
        "bears",
        "'bears' is not a noun for objects",
        "write keys of a filter: {type: Creature, subtype: Goblin}",
    ),
    (
        Filter,
        "{all: creatures}",
        "'all' selects objects, but a filter is expected here",
        "write a noun alone, or the keys: {type: Creature, subtype: Goblin}",
    ),
    (
        Filter,
        "[creatures]",
        "a list where a map is expected (filter)",
        "write {type, subtype, supertype, …} with some of: "
        + ", ".join((*Filter.__struct_encode_fields__[:30], "…")),  # a long list is cut
    ),
    (Comparison, "{n: 2}", "no quantity has the keys n", f"write {{TAG: value}} with one of: {QUANTITIES}"),
    (Comparison, "{'>=': two}", "'two' is not a quantity", f"choose one of: {QUANTITIES}"),
    (
        TargetSpec,
        "{all: bears}",
        "'bears' is not a noun for objects",
        "write one of artifacts, battles, creatures, enchantments, lands, planeswalkers, permanents, spells, "
        "cards, with an adjective if needed: nonbasic lands",
    ),
    (TargetSpec, "{most: 2, wat: creatures}", "unknown key 'wat'", "did you mean 'what'?"),
    (Quantity, "2.5", "'2.5' where a whole number is expected", "write digits, such as 2"),
    (Quantity, "+X", "'+X' where a whole number is expected", "write digits, such as 2"),
    (Quantity, "true", "true without quotes is yes or no to YAML", 'write it in quotes: "true"'),
    (
        Operation,
        "{base: {power: 1}, modify: {power: 2}}",
        "two things in one map: base and modify",
        "write each as a map of its own, in a list",
    ),
    (Quantity, "{counts: creatures}", "no quantity has the keys counts", "did you mean 'count'?"),
    (Operation, "{base: 1}", "'1' is not a power and toughness", "write 1/1, or one of the two: {power: …}"),
    (Operation, "{switch: 1/1}", "switch takes no value", "write switch alone"),
    (Operation, "{base: {power: 1}, power: 2}", "'power' is given twice", "keep one of the two"),
    (
        Operation,
        "{add_types: {typs: Creature}}",
        "a map where text is expected",
        "write one word or a text in quotes",
    ),
    (Ability, "islandwalk", "'islandwalk' is a kind of landwalk", "write {landwalk: {subtype: Island}}"),
    (
        Ability,
        "{dredge: 1}",
        "'dredge' is a keyword that no card can have here: the language has no word for it",
        "write its abilities in full, if the language has the words",
    ),
    (
        Ability,
        "banding",
        "'banding' is a keyword that no card can have here: blocks and damage are never declared for a band "
        "here (CR 702.22: banding)",
        "did you mean 'fading'?",
    ),
    (Ability, "foretel", "'foretel' is not an ability", "did you mean 'foretell'?"),
    (Ability, "{trainning: 2}", "no ability has the keys trainning", "did you mean 'training'?"),
    (Ability, "bestowe", "'bestowe' is not an ability", "did you mean 'bestow'?"),
    (Ability, "{flying: yes, haste: yes}", "no ability has the keys flying, haste", "did you mean 'flying'?"),
    (Ability, '{equip: {mana: "2"}}', "'2' is not mana", 'write symbols in braces and quotes: "{2}{W}{W}"'),
    (Ability, "{static: {affects: creatures}}", "part without does", "add does: …"),
    (
        Instruction,
        "{if: {turn: you}, cond: {turn: you}, effect: {draw: 1}, otherwise: {draw: 1}}",
        "'cond' is given twice",
        "keep one of the two",
    ),
    (
        Instruction,
        "{if: {exist: creatures}, effect: {draw: 1}}",
        "no condition has the keys exist",
        "did you mean 'exists'?",
    ),
    (Action, "{do: settle, at: 3}", "unknown key 'at'", "no keys are allowed here"),
    (Instruction, "{affects: creatures}", "effect without does", "add does: …"),
    (
        Instruction,
        "{destroy: creatures, exile: lands}",
        "two things in one map: destroy and exile",
        "write each as a map of its own, in a list",
    ),
    (Instruction, "desroy", "'desroy' is not an instruction", "did you mean 'destroy'?"),
    (Condition, "exist", "'exist' is not a condition", "did you mean 'exists'?"),
    (Replacement, "nothin", "'nothin' is not a replacement", "did you mean 'nothing'?"),
    (
        Replacement,
        "twice",
        "'twice' is not a replacement",
        "choose one of: times, plus, go_to, deal_to, do, nothing",
    ),
    (TriggerEvent, "deis", "'deis' is not an event", "did you mean 'dies'?"),
    (Operation, "swich", "'swich' is not an operation", "did you mean 'switch'?"),
    (Ability, "flyin", "'flyin' is not an ability", "did you mean 'flying'?"),
    (Action, "setle", "'setle' is not an action", "did you mean 'settle'?"),
    (Cost, "discrd", "'discrd' is not a cost", "did you mean 'discard'?"),
    (
        Instruction,
        "{desroy: creatures}",
        "no instruction has the keys desroy",
        "did you mean 'destroy'?",
    ),
    (Cost, "{mana: 2}", "2 without quotes is a number to YAML", 'write it in quotes: "2"'),
    (tuple[Counters, ...], "{+1: 2}", "+1 without quotes is a number to YAML", 'write it in quotes: "+1"'),
    (
        tuple[Counters, ...],
        "poisonous",
        "'poisonous' is not one of the words allowed here",
        "did you mean 'poison'?",
    ),
    (
        tuple[CostPaid, ...],
        "{kiked: {n: 2}}",
        "'kiked' is not one of the words allowed here",
        "did you mean 'kicked'?",
    ),
    (Pay, "{steps: [{activat: a}]}", "unknown key 'activat'", "did you mean 'activate'?"),
    (tuple[AnswerValue, ...], "[{to: a}]", "share without n", "add n: …"),
    (Value, "{a: b}", "a map where a value is expected", "write a word, a number or a list"),
    (Value, "[{kind: a}]", "seen counters without n", "add n: …"),
    (bool, "[yes]", "a list where yes or no is expected", "write yes or no"),
    (bool, "{yes: no}", "a map where yes or no is expected", "write yes or no"),
    (int, "[2]", "a list where a whole number is expected", "write digits, such as 2"),
    (int, "'2'", "a number in quotes", "write 2 without them"),
    (int, "-02", "-02 begins with 0", "write -2"),
    (int, "+1234567890", "a number of more than nine digits", "write a smaller one"),
    (int, "x" * 80, f"'{'x' * 80}' where a whole number is expected", "write digits, such as 2"),
    (int, "x" * 81, f"'{'x' * 80} …' where a whole number is expected", "write digits, such as 2"),
    (bool, "'yes'", "yes in quotes is text", "write yes without them"),
    (bool, "'on'", "'on' where yes or no is expected", "write yes or no"),
    (Filter, "{name: }", "nothing is written here", 'write a value, or "" for empty text'),
    (str, "[a]", "a list where text is expected", "write one word or a text in quotes"),
    (str, "{0}", "{0} without quotes is a map to YAML", 'write it in quotes: "{0}"'),
    (str, "{'0'}", "a map where text is expected", "write one word or a text in quotes"),
    (str, "{0: ''}", "a map where text is expected", "write one word or a text in quotes"),
    (str, "{0: [a]}", "a map where text is expected", "write one word or a text in quotes"),
    (str, "{0, 1}", "a map where text is expected", "write one word or a text in quotes"),
    (Filter, "{color: [red, blue, red]}", "'red' is in this list twice", "keep one of them"),
    (
        tuple[Counters, ...],
        "'poisonous'",
        "'poisonous' is not one of the words allowed here",
        "did you mean 'poison'?",
    ),
    (int, "{a: b}", "a map where a whole number is expected", "write digits, such as 2"),
    (int, '""', "nothing where a whole number is expected", "write digits, such as 2"),
    (str, "{a: b}", "a map where text is expected", "write one word or a text in quotes"),
    (
        Card,
        "{name: A, types: Creature, pt: [1, 1]}",
        "a list is not a power and toughness",
        'write pt: 2/2 or pt: "*/1+*"',
    ),
    (Card, "{name: A, types: Creature, pt: 1/1, power: 1}", "'power' is given twice", "keep one of the two"),
    (
        Card,
        "{name: A, types: Creature, power: big, toughness: 1}",
        "'big' where a whole number is expected",
        "write digits, such as 2",
    ),
]


@pytest.mark.parametrize(("kind", "text", "what", "cure"), WRONG, ids=lambda value: str(value)[:60])
def test_wrong_short_form_says_what_and_how_to_mend_it(kind: Any, text: str, what: str, cure: str) -> None:
    faults = read(kind, text)
    assert [(what, cure)] == faults


def test_everything_that_is_wrong_with_a_map_is_reported() -> None:
    unknown, twice = ("unknown key 'toughnes'", "did you mean 'toughness'?"), "keep one of the two"
    assert [("'power' is given twice", twice), unknown] == read(
        Operation, "{base: {power: 1}, power: 2, toughnes: 3}"
    )


def test_each_wrong_word_of_a_set_is_reported_once() -> None:
    wrong = ("'rd' is not one of the words allowed here", "did you mean 'red'?")
    assert [wrong, wrong] == read(Filter, "{color: [rd, rd]}")


@pytest.mark.parametrize(
    ("text", "value"),
    [("none", None), ("null", None), ("'none'", "none"), ("'2'", "2"), ("nothing", "nothing")],
)
def test_none_without_quotes_is_nothing(text: str, value: str | None) -> None:
    assert value == read(str | None, text)


def test_type_that_no_reader_knows_is_our_mistake() -> None:
    with pytest.raises(TypeError, match="no reader"):
        card_grammar().reader_of(int | bytes)


def test_a_keyword_of_the_game_is_known_or_refused_by_name() -> None:
    assert set() == OTHER_KEYWORDS.keys() & set(get_args(KeywordName))
