"""The language in which every card, real or invented, is written: closed, typed, plain data.

Nothing here makes decisions; other modules (`layers`, `stack`, …) read these values. The families refer to
one another (an effect may grant an ability, an ability has effects), so the whole language is one module, in
this order: filters and selectors (who), quantities and conditions, operations (what a continuous effect
does), costs, instructions (what happens as something resolves), events (what a trigger waits for), abilities,
cards.

Each family is a union with a tag key of its own: `who`, `num`, `if`, `op`, `cost`, `then`, `on`, `is`. The
first field of a member is its principal one: in a file, the short spelling `{TAG: value}` fills it.
"""

from __future__ import annotations

from types import NoneType
from typing import ClassVar, Literal

from msgspec import Struct, field
from msgspec.structs import astuple

from reference_engine.language.words import (
    AbilityClass,
    CardType,
    Color,
    ColorWord,
    CounterKind,
    Daytime,
    Designation,
    KeywordName,
    Step,
    Supertype,
    WordKind,
    Zone,
    roman,
)

Layer = Literal["1a", "1b", "2", "3", "4", "5", "6", "7a", "7b", "7c", "7d", "players", "rules"]

# ---------------------------------------------------------------------------------- families


class CardData(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """Base class of everything in a card's definition; unknown keys are refused."""


class SelectorKind(CardData, frozen=True, tag_field="who"):
    """Objects or players."""


class QuantityKind(CardData, frozen=True, tag_field="num"):
    """A number."""


class ConditionKind(CardData, frozen=True, tag_field="if"):
    """Something that holds or does not."""


class OperationKind(CardData, frozen=True, tag_field="op"):
    """What a continuous effect does to an object or a player, in its layer."""

    layer: ClassVar[Layer]


class CostKind(CardData, frozen=True, tag_field="cost"):
    """Something that is paid."""


class ReplacementKind(CardData, frozen=True, tag_field="rather"):
    """What happens instead of an event."""


class InstructionKind(CardData, frozen=True, tag_field="then"):
    """What happens as something resolves."""


class EventKind(CardData, frozen=True, tag_field="on"):
    """What a trigger waits for."""


class AbilityKind(CardData, frozen=True, tag_field="is"):
    """An ability."""


# --------------------------------------------------------------------------------------- who


class Comparison(CardData, frozen=True):
    """A comparison with a number: `{how: ">=", n: 2}`."""

    how: Literal["=", ">=", "<=", ">", "<", "even", "odd"]
    n: Quantity = 0


class Filter(CardData, frozen=True):
    """A description that an object must match: every given key, and every word of a list."""

    type: frozenset[CardType] = frozenset()
    subtype: frozenset[str] = frozenset()
    supertype: frozenset[Supertype] = frozenset()
    color: frozenset[ColorWord] = frozenset()
    colorless: bool | None = None
    multicolored: bool | None = None
    keyword: frozenset[KeywordName] = frozenset()
    name: str | None = None
    controller: Selector | None = None
    owner: Selector | None = None
    other_than: Selector | None = None
    same_as: Selector | None = None
    tapped: bool | None = None
    token: bool | None = None
    face_down: bool | None = None
    attacking: bool | None = None
    blocking: bool | None = None
    saddled: bool | None = None
    unblocked: bool | None = None
    in_combat_with: Selector | None = None
    """Blocking it or blocked by it."""
    damaged_by: Selector | None = None
    """Dealt damage by it this turn."""
    saddler_of: Selector | None = None
    """It saddled one of these this turn: was tapped to pay for its saddle ability."""
    attached_to: Selector | None = None
    """Attached to one of these."""
    host_of: Selector | None = None
    """One of these is attached to it."""
    put_by: Selector | None = None
    """Put where it is by a linked ability: exiled with it, created with it."""
    shares_color_with: Selector | None = None
    """Shares a colour with one of these."""
    power: Comparison | None = None
    toughness: Comparison | None = None
    mana_value: Comparison | None = None
    mana_cost: str | None = None
    """Its mana cost is exactly this one (CR 202.1: the symbols, not their total)."""
    counter: CounterKind | None = None
    no_abilities: bool | None = None
    any_of: tuple[Filter, ...] = ()
    without: tuple[Filter, ...] = ()


class All(Filter, frozen=True, tag_field="who", tag="all"):
    """Everything in the given zones (by default the battlefield) that matches the filter.

    `of` limits hand, library and graveyard to those of certain players; `top` takes only the top card.
    """

    zones: frozenset[Zone] = frozenset({"battlefield"})
    of: Selector | None = None
    top: bool = False


class This(SelectorKind, frozen=True, tag="this"):
    """The object that has the ability or effect."""


class Attached(SelectorKind, frozen=True, tag="attached"):
    """What this object is attached to: the enchanted or equipped permanent, or the enchanted player."""


class It(SelectorKind, frozen=True, tag="it"):
    """The object in question: the one a trigger saw, or the one an effect is being applied to."""


class The(SelectorKind, frozen=True, tag="the"):
    """Something named earlier by this word: a target, or a thing chosen, revealed, moved or created."""

    name: str


class You(SelectorKind, frozen=True, tag="you"):
    """The controller of the ability, spell or effect."""


class Opponents(SelectorKind, frozen=True, tag="opponents"):
    """Every player who is not on your side."""


class Everyone(SelectorKind, frozen=True, tag="everyone"):
    """Every player."""


class ActivePlayer(SelectorKind, frozen=True, tag="active player"):
    """The player whose turn it is."""


class DefendingPlayer(SelectorKind, frozen=True, tag="defending player"):
    """The player whom the creature that an ability is about is attacking, or was (CR 508.5)."""


class ChosenPlayer(SelectorKind, frozen=True, tag="chosen player"):
    """The player chosen as this object entered."""


class Monarch(SelectorKind, frozen=True, tag="monarch"):
    """The player who is the monarch (CR 725.1: a designation; nobody, if there is none)."""


class ControllerOf(SelectorKind, frozen=True, tag="controller_of"):
    """The controller of an object."""

    of: Selector


class OwnerOf(SelectorKind, frozen=True, tag="owner_of"):
    """The owner of an object."""

    of: Selector


class SourceOf(SelectorKind, frozen=True, tag="source_of"):
    """The source of an ability."""

    of: Selector


class Others(SelectorKind, frozen=True, tag="others"):
    """Every player but you."""


Selector = (
    This
    | Attached
    | It
    | The
    | All
    | You
    | Opponents
    | Everyone
    | ActivePlayer
    | DefendingPlayer
    | ChosenPlayer
    | Monarch
    | ControllerOf
    | OwnerOf
    | SourceOf
    | Others
)

# -------------------------------------------------------------------------------- quantities


class X(QuantityKind, frozen=True, tag="X"):
    """The value announced for X."""


class ChosenNumber(QuantityKind, frozen=True, tag="chosen number"):
    """The number chosen for this object."""


class Count(QuantityKind, frozen=True, tag="count"):
    """The number of objects, or the number of different values of a property among them."""

    of: Selector
    distinct: Literal["objects", "card types", "colors", "names", "basic land types"] = "objects"


class PropertyOf(QuantityKind, frozen=True, tag="property"):
    """A number read from an object; for several objects, the sum or the greatest."""

    what: Literal[
        "power", "toughness", "mana_value", "counters", "life", "hand_size", "loyalty", "damage", "level"
    ]
    of: Selector = This()
    counter: CounterKind | None = None
    over: Literal["sum", "greatest"] = "sum"


class Sum(QuantityKind, frozen=True, tag="sum"):
    """Several quantities added."""

    parts: tuple[Quantity, ...]


class Times(QuantityKind, frozen=True, tag="times"):
    """A quantity multiplied by a number (-1 makes it negative)."""

    n: int
    by: Quantity


class AtLeast(QuantityKind, frozen=True, tag="at_least"):
    """The greatest of several quantities."""

    parts: tuple[Quantity, ...]


class ThatMuch(QuantityKind, frozen=True, tag="that much"):
    """The amount of the triggering event: damage dealt, life gained."""


class Devotion(QuantityKind, frozen=True, tag="devotion"):
    """The number of mana symbols of these colours in the mana costs of your permanents."""

    to: frozenset[Color]


class HowOften(QuantityKind, frozen=True, tag="how_often"):
    """The number of times that this has happened this turn; for gaining and losing life, the amount."""

    event: TriggerEvent


Quantity = (
    int | X | ChosenNumber | Count | PropertyOf | Sum | Times | AtLeast | ThatMuch | Devotion | HowOften
)

# -------------------------------------------------------------------------------- conditions


class Compare(ConditionKind, frozen=True, tag="compare"):
    """A comparison of two quantities."""

    left: Quantity
    how: Literal["=", ">=", "<="]
    right: Quantity


class Matches(ConditionKind, frozen=True, tag="matches"):
    """The object matches the filter."""

    who: Selector
    what: Filter


class Exists(ConditionKind, frozen=True, tag="exists"):
    """There is at least one such object."""

    who: Selector


class Turn(ConditionKind, frozen=True, tag="turn"):
    """It is the turn of that player (and, if a step is given, that step)."""

    of: Selector
    step: Step | None = None


class Was(ConditionKind, frozen=True, tag="was"):
    """A fact about this object's past: it was kicked, unearthed, …; `cast`: you cast it (`cast from hand`:
    from your hand).
    """

    what: Literal[
        "kicked",
        "unearthed",
        "cast",
        "cast from hand",
        "evoked",
        "dashed",
        "escaped",
        "foretold",
        "offspring",
    ]


class Happened(ConditionKind, frozen=True, tag="happened"):
    """This has happened this turn, at least `n` times to the same player, or to objects; for life, at least
    that amount. With `last_turn`, it happened in the turn before this one.
    """

    event: TriggerEvent
    n: int = 1
    last_turn: bool = False


class Designated(ConditionKind, frozen=True, tag="designated"):
    """At least one of these players has this designation (CR 702.131c, 725.1)."""

    what: Designation
    who: Selector = You()


class ItIs(ConditionKind, frozen=True, tag="it_is"):
    """It is day, or it is night (CR 731.1: or it is neither)."""

    what: Daytime


class AnyPlayer(ConditionKind, frozen=True, tag="any_player"):
    """For at least one of these players (`every`: for each of them), who is "it", the condition holds."""

    of: Selector
    cond: Condition
    every: bool = False


class Not(ConditionKind, frozen=True, tag="not"):
    """The condition does not hold."""

    part: Condition


class AllOf(ConditionKind, frozen=True, tag="all_of"):
    """Every one of the conditions holds."""

    parts: tuple[Condition, ...]


class AnyOf(ConditionKind, frozen=True, tag="any_of"):
    """At least one of the conditions holds."""

    parts: tuple[Condition, ...]


Condition = (
    Compare | Matches | Exists | Turn | Was | Happened | Designated | ItIs | AnyPlayer | Not | AllOf | AnyOf
)

# -------------------------------------------------------------------------------- operations


class BecomeCopy(OperationKind, frozen=True, tag="become_copy"):
    """Take the copiable values of another object, with exceptions that also become copiable.

    CR 707.2: copiable values only; no counters, stickers, status or later effects.
    CR 707.9: the exceptions are part of the copy.
    """

    of: Selector
    but: tuple[Operation, ...] = ()
    layer: ClassVar[Layer] = "1a"


class GainControl(OperationKind, frozen=True, tag="control"):
    """The player controls the object."""

    player: Selector = You()
    layer: ClassVar[Layer] = "2"


class ReplaceWord(OperationKind, frozen=True, tag="replace_word"):
    """Replace one word by another of its kind, in rules text and type line.

    CR 612.2: only where the word is used as that kind of word, never in a name.
    `old` and `new` are chosen as the effect begins when left out. The old word `any` is every colour word and
    basic land type of these kinds.
    """

    kinds: frozenset[WordKind]
    old: str | None = None
    new: str | None = None
    never: frozenset[str] = frozenset()
    """Words that the new word can't be."""
    layer: ClassVar[Layer] = "3"


class TextOf(OperationKind, frozen=True, tag="text_of"):
    """Have the full text of another object, with these additional abilities (CR 612.6: including name,
    cost, colour, P/T).
    """

    of: Selector
    and_: tuple[Ability, ...] = field(default=(), name="and")
    layer: ClassVar[Layer] = "3"


class SetName(OperationKind, frozen=True, tag="set_name"):
    """Have only this name (CR 612.8: a new name replaces the old ones)."""

    name: str
    layer: ClassVar[Layer] = "3"


class AddTypes(OperationKind, frozen=True, tag="add_types"):
    """Be these as well: card types, subtypes, supertypes."""

    types: frozenset[CardType] = frozenset()
    subtypes: frozenset[str] = frozenset()
    supertypes: frozenset[Supertype] = frozenset()
    layer: ClassVar[Layer] = "4"


class SetTypes(OperationKind, frozen=True, tag="set_types"):
    """Have only these card types, plus these subtypes.

    CR 205.1a: subtypes that belong to none of the new card types are removed; given subtypes replace those of
    their own kind.
    """

    types: frozenset[CardType]
    subtypes: frozenset[str] = frozenset()
    layer: ClassVar[Layer] = "4"


class LoseTypes(OperationKind, frozen=True, tag="lose_types"):
    """Stop having these card types, subtypes, supertypes, or all types of a kind."""

    types: frozenset[CardType] = frozenset()
    subtypes: frozenset[str] = frozenset()
    supertypes: frozenset[Supertype] = frozenset()
    every: frozenset[Literal["creature", "land"]] = frozenset()
    layer: ClassVar[Layer] = "4"


class SetCreatureTypes(OperationKind, frozen=True, tag="set_creature_types"):
    """Have only these creature types; other subtypes stay (CR 205.1a: set subtypes replace those of their
    kind).
    """

    subtypes: frozenset[str]
    layer: ClassVar[Layer] = "4"


class SetBasicLandTypes(OperationKind, frozen=True, tag="basic_land_type"):
    """Have this basic land type instead of all land types.

    CR 305.7: the object also loses the abilities of its own text and the mana abilities of its old types, in
    the layer for types; abilities granted to it stay.
    """

    subtypes: frozenset[str]
    layer: ClassVar[Layer] = "4"


class AddEveryType(OperationKind, frozen=True, tag="every_type"):
    """Have every type of a kind as well."""

    of: Literal["creature", "basic land"]
    layer: ClassVar[Layer] = "4"


class AddColors(OperationKind, frozen=True, tag="add_colors"):
    """Be of these colours as well."""

    colors: frozenset[ColorWord]
    layer: ClassVar[Layer] = "5"


class SetColors(OperationKind, frozen=True, tag="set_colors"):
    """Have exactly these colours; an empty set means colourless."""

    colors: frozenset[ColorWord]
    layer: ClassVar[Layer] = "5"


class Gain(OperationKind, frozen=True, tag="gain"):
    """Gain these abilities: keywords, or quoted abilities."""

    abilities: tuple[Ability, ...]
    layer: ClassVar[Layer] = "6"


class Lose(OperationKind, frozen=True, tag="lose"):
    """Lose every instance of these keyword abilities."""

    keywords: frozenset[KeywordName]
    layer: ClassVar[Layer] = "6"


class LoseAllAbilities(OperationKind, frozen=True, tag="lose_all_abilities"):
    """Lose all abilities (`but: mana abilities`: except mana abilities)."""

    but: Literal["mana abilities"] | None = None
    layer: ClassVar[Layer] = "6"


class CannotHave(OperationKind, frozen=True, tag="cannot_have"):
    """Lose these keyword abilities and be unable to gain them (CR 113.11: adding one has no effect)."""

    keywords: frozenset[KeywordName]
    layer: ClassVar[Layer] = "6"


class Base(OperationKind, frozen=True, tag="base"):
    """Have this base power and toughness, or only one of them."""

    power: Quantity | None = None
    toughness: Quantity | None = None
    layer: ClassVar[Layer] = "7b"


class Modify(OperationKind, frozen=True, tag="modify"):
    """Get +N/+N."""

    power: Quantity = 0
    toughness: Quantity = 0
    layer: ClassVar[Layer] = "7c"


class Double(OperationKind, frozen=True, tag="double"):
    """Double power, toughness, or both: get +X/+Y, with what they are as the effect begins.

    CR 701.10c: with a negative value, it gets that much more negative.
    """

    what: frozenset[Literal["power", "toughness"]]
    layer: ClassVar[Layer] = "7c"


class Switch(OperationKind, frozen=True, tag="switch"):
    """Switch power and toughness."""

    layer: ClassVar[Layer] = "7d"


class HandSize(OperationKind, frozen=True, tag="hand_size"):
    """Set, change or remove the player's maximum hand size."""

    how: Literal["set", "plus", "none"]
    n: Quantity = 0
    layer: ClassVar[Layer] = "rules"


class LandDrops(OperationKind, frozen=True, tag="land_drops"):
    """The player may play more lands on each of their turns."""

    plus: int
    layer: ClassVar[Layer] = "rules"


class Costs(OperationKind, frozen=True, tag="costs"):
    """The affected spells or abilities cost more, cost less, or have a minimum cost.

    CR 601.2f: increases, then reductions, then effects that set the total; never by timestamp.
    """

    how: Literal["more", "less", "at least"]
    mana: str
    times: Quantity = 1
    aimed_at: All | None = None
    """Only if it has such a target."""
    layer: ClassVar[Layer] = "rules"


class AlternativeCost(OperationKind, frozen=True, tag="alternative_cost"):
    """The affected spells may be cast for this cost rather than their mana cost (an empty list: for free)."""

    costs: tuple[Cost, ...]
    name: str
    layer: ClassVar[Layer] = "rules"


class Cannot(OperationKind, frozen=True, tag="cannot"):
    """The affected objects or players can't do one of these things, or can't have it done to them."""

    do: frozenset[
        Literal[
            "attack",
            "block",
            "be blocked",
            "untap",
            "activate abilities",
            "cast",
            "play lands",
            "gain life",
            "draw",
            "be countered",
            "have damage prevented",
            "be targeted",
            "turn face up",
            "lose the game",
            "win the game",
        ]
    ]
    what: Filter | None = None
    """The spells that can't be cast, the creatures that can't block it, …"""
    whom: Selector | None = None
    """Those it can't attack."""
    but: frozenset[AbilityClass] = frozenset()
    """The abilities that can still be activated."""
    after: int | None = None
    """The maximum number each turn."""
    number: Comparison | None = None
    """How many creatures attack (`whom`), or block (`what`), where they can't: `=` 1 is "alone"."""
    unless: Condition | None = None
    unless_pays: tuple[Cost, ...] = ()
    layer: ClassVar[Layer] = "rules"


class Must(OperationKind, frozen=True, tag="must"):
    """The affected objects must do this if able; `be targeted`: by opponents' spells and abilities."""

    do: Literal["attack", "block", "be blocked", "be targeted"]
    by: Filter | None = None
    """Blocked by all of these that are able to block."""
    layer: ClassVar[Layer] = "rules"


class MayPlay(OperationKind, frozen=True, tag="may_play"):
    """The affected players may play these cards from their present zone; a card so played gains the given
    characteristics and abilities.

    CR 601.1a: a card is cast as a spell, or played as a land. CR 400.7h, 400.7i: the gained characteristics
    apply to the spell, to the permanent that it becomes, and to the land.
    """

    what: All
    does: tuple[Operation, ...] = ()
    cost: tuple[Cost, ...] | None = None
    """What is paid rather than the mana cost (an empty list: nothing)."""
    only_cast: bool = False
    """Cards may be cast, and lands may not be played."""
    later: bool = False
    """Only after the turn in which the effect began."""
    any_mana: bool = False
    """Mana may be spent as though it were of any colour to cast them."""
    layer: ClassVar[Layer] = "rules"


class AsThoughFlash(OperationKind, frozen=True, tag="as_though_flash"):
    """The affected spells may be cast as though they had flash (`costs`: only by paying these additional
    costs).
    """

    costs: tuple[Cost, ...] = ()
    layer: ClassVar[Layer] = "rules"


class AsThoughNoDefender(OperationKind, frozen=True, tag="as_though_no_defender"):
    """The affected creatures can attack as though they didn't have defender (CR 609.4: for that alone)."""

    layer: ClassVar[Layer] = "rules"


class BlockedBy(OperationKind, frozen=True, tag="blocked_by"):
    """The affected creatures can be blocked only by that many creatures, or not at all."""

    least: int = 1
    most: int | None = None
    layer: ClassVar[Layer] = "rules"


class BlocksMore(OperationKind, frozen=True, tag="blocks_more"):
    """The affected creatures can block that many additional creatures; without a number, any number."""

    n: int | None = None
    layer: ClassVar[Layer] = "rules"


class DamageByToughness(OperationKind, frozen=True, tag="damage_by_toughness"):
    """The affected creatures assign combat damage equal to their toughness rather than their power."""

    layer: ClassVar[Layer] = "rules"


class OnlyAsSorcery(OperationKind, frozen=True, tag="only_as_sorcery"):
    """The affected players may cast spells only when they could cast a sorcery."""

    layer: ClassVar[Layer] = "rules"


class EntersTapped(OperationKind, frozen=True, tag="enters_tapped"):
    """The affected objects enter the battlefield tapped."""

    layer: ClassVar[Layer] = "rules"


class SkipStep(OperationKind, frozen=True, tag="skip_step"):
    """The affected players skip this step."""

    step: Step
    layer: ClassVar[Layer] = "rules"


class CrewPower(OperationKind, frozen=True, tag="crew_power"):
    """The affected creatures saddle Mounts and crew Vehicles as though their power were this much greater."""

    plus: int
    layer: ClassVar[Layer] = "rules"


class AnyColorMana(OperationKind, frozen=True, tag="any_color_mana"):
    """The affected players may spend mana as though it were mana of any colour.

    `only`: mana of this colour, and other mana only as though it were colourless. `to_activate`: only to pay
    the activation costs of these (CR 602.1e: the whole cost, including increases).
    """

    only: Color | None = None
    to_activate: Selector | None = None
    layer: ClassVar[Layer] = "rules"


class LandsTapFor(OperationKind, frozen=True, tag="mana_becomes"):
    """Mana that the affected permanents would make, or the affected players would keep, is of this kind
    instead.
    """

    mana: str
    layer: ClassVar[Layer] = "rules"


class PreventDamage(OperationKind, frozen=True, tag="prevent_damage"):
    """Damage that matching sources would deal to the affected is prevented."""

    by: Filter = Filter()
    combat: bool = False
    n: Quantity | None = None
    """Only this much of it."""
    next: bool = False
    """Only the next damage: a shield, used up by the next time, or by `n` damage (CR 615.7, 615.8)."""
    then: tuple[Instruction, ...] = ()
    """What happens in addition (CR 615.5); `that much` is the damage prevented, `the source` dealt it."""
    layer: ClassVar[Layer] = "rules"


ReplacedEvent = Literal[
    "draw",
    "gain life",
    "lose life",
    "be dealt damage",
    "deal damage",
    "die",
    "leave",
    "be put into a graveyard",
    "be destroyed",
    "discard",
    "untap",
    "get counters",
    "create tokens",
]
"""What would happen to an object or player, or what it would do; a draw or discard is that of one card."""


class TimesAsMany(ReplacementKind, frozen=True, tag="times"):
    """The amount of damage, life, counters or tokens is multiplied."""

    n: int


class Plus(ReplacementKind, frozen=True, tag="plus"):
    """That much plus `n`."""

    n: Quantity


class GoTo(ReplacementKind, frozen=True, tag="go_to"):
    """The object goes to this zone."""

    zone: Zone
    bottom: bool = False


class DealTo(ReplacementKind, frozen=True, tag="deal_to"):
    """The damage is dealt to this object or player (CR 614.9: redirection)."""

    to: Selector


class DoInstead(ReplacementKind, frozen=True, tag="do"):
    """These instructions are followed. `it` is the affected object or player, `that much` the amount."""

    effect: tuple[Instruction, ...]


class Nothing(ReplacementKind, frozen=True, tag="nothing"):
    """Nothing happens (CR 614.10: skipped)."""


Replacement = TimesAsMany | Plus | GoTo | DealTo | DoInstead | Nothing


class Would(OperationKind, frozen=True, tag="would"):
    """If this would happen to an affected object or player, something else happens instead (CR 614.1a)."""

    event: ReplacedEvent
    instead: Replacement
    by: Filter = Filter()
    """The sources of damage."""
    combat: bool = False
    """Combat damage only."""
    counter: CounterKind | None = None
    """Counters of this kind only."""
    next: bool = False
    """Only the next time."""
    may: bool = False
    """Only if the affected player, or the object's controller, chooses to."""
    layer: ClassVar[Layer] = "rules"


class EntersWith(OperationKind, frozen=True, tag="enters_with"):
    """The affected objects enter the battlefield with these counters (CR 614.1c)."""

    counters: tuple[Counters, ...]
    layer: ClassVar[Layer] = "rules"


class EntersUnder(OperationKind, frozen=True, tag="enters_under"):
    """The affected objects enter the battlefield under this player's control instead."""

    player: Selector = You()
    layer: ClassVar[Layer] = "rules"


class TriggersAgain(OperationKind, frozen=True, tag="triggers_again"):
    """Abilities of affected objects that trigger on such an event trigger an additional time."""

    on: TriggerEvent
    layer: ClassVar[Layer] = "rules"


Operation = (
    BecomeCopy
    | GainControl
    | ReplaceWord
    | TextOf
    | SetName
    | AddTypes
    | SetTypes
    | LoseTypes
    | SetCreatureTypes
    | SetBasicLandTypes
    | AddEveryType
    | AddColors
    | SetColors
    | Gain
    | Lose
    | LoseAllAbilities
    | CannotHave
    | Base
    | Modify
    | Double
    | Switch
    | HandSize
    | LandDrops
    | Costs
    | AlternativeCost
    | Cannot
    | Must
    | MayPlay
    | AsThoughFlash
    | AsThoughNoDefender
    | BlockedBy
    | BlocksMore
    | DamageByToughness
    | OnlyAsSorcery
    | EntersTapped
    | SkipStep
    | CrewPower
    | AnyColorMana
    | LandsTapFor
    | PreventDamage
    | Would
    | EntersWith
    | EntersUnder
    | TriggersAgain
)


class Part(CardData, frozen=True):
    """Whom a part of a continuous effect affects, and what it does to each of them."""

    affects: Selector
    does: tuple[Operation, ...]


# ------------------------------------------------------------------------------------- costs


class ManaCost(CostKind, frozen=True, tag="mana"):
    """Pay mana."""

    mana: str


class TapThis(CostKind, frozen=True, tag="tap"):
    """{T}: tap this permanent."""


class UntapThis(CostKind, frozen=True, tag="untap"):
    """{Q}: untap this permanent."""


class TapOthers(CostKind, frozen=True, tag="tap_others"):
    """Tap untapped permanents of yours."""

    what: Filter
    n: int = 1
    power: int | None = None
    """Any number of them with at least this total power, instead of `n`."""


class SacrificeCost(CostKind, frozen=True, tag="sacrifice"):
    """Sacrifice this, or permanents of yours that match the filter."""

    what: This | All = This()
    n: int = 1
    name: str = "sacrificed"


class DiscardCost(CostKind, frozen=True, tag="discard"):
    """Discard cards, or this card."""

    n: int = 1
    what: This | All | None = None
    at_random: bool = False


class ExileCost(CostKind, frozen=True, tag="exile"):
    """Exile this card, or cards from a zone of yours."""

    what: This | All = This()
    n: int = 1
    zone: Zone = "hand"


class ReturnCost(CostKind, frozen=True, tag="return"):
    """Return permanents of yours to their owners' hands."""

    what: Filter
    n: int = 1


class LifeCost(CostKind, frozen=True, tag="life"):
    """Pay life."""

    n: int


class LoyaltyCost(CostKind, frozen=True, tag="loyalty"):
    """Put on or remove loyalty counters."""

    n: int


class RemoveCountersCost(CostKind, frozen=True, tag="remove_counters"):
    """Remove counters of a kind from this permanent."""

    kind: CounterKind
    n: int = 1


class MillCost(CostKind, frozen=True, tag="mill"):
    """Put cards from the top of your library into your graveyard."""

    n: int


class UnattachCost(CostKind, frozen=True, tag="unattach"):
    """Unattach the Equipment that granted this ability."""


class OpponentGainsLifeCost(CostKind, frozen=True, tag="opponent_gains_life"):
    """Have an opponent of your choice gain life."""

    n: int


class EitherCost(CostKind, frozen=True, tag="either"):
    """Pay one of several costs, which the player chooses (CR 601.2b: as it announces the others)."""

    options: tuple[Cost, ...]


Cost = (
    ManaCost
    | TapThis
    | UntapThis
    | TapOthers
    | SacrificeCost
    | DiscardCost
    | ExileCost
    | ReturnCost
    | LifeCost
    | LoyaltyCost
    | RemoveCountersCost
    | MillCost
    | UnattachCost
    | OpponentGainsLifeCost
    | EitherCost
)


def words_for_costs(either: EitherCost) -> dict[str, Cost]:
    """The word by which a script says that it pays this cost, and not one of the others."""
    return {str(cost.__struct_config__.tag): cost for cost in either.options}


# ------------------------------------------------------------------------------ instructions

Duration = Literal[
    "ever",
    "end of turn",
    "this turn",
    "your next turn",
    "end of your next turn",
    "end of combat",
    "next untap step",
]
"""Until when a continuous effect lasts; the next untap step is that of the controller of each permanent."""


class Counters(CardData, frozen=True):
    """A number of counters of one kind."""

    kind: CounterKind
    n: Quantity = 1


class Effect(InstructionKind, frozen=True, tag="effect"):
    """Begin a continuous effect. In a file it has no tag.

    CR 611.2c: the affected set is fixed now if the effect changes characteristics or control.
    CR 611.2b: it never begins if `as_long_as` does not hold now.
    """

    affects: Selector
    does: tuple[Operation, ...]
    until: Duration = "ever"
    as_long_as: Condition | None = None


class Damage(InstructionKind, frozen=True, tag="damage"):
    """Deal damage."""

    n: Quantity
    to: Selector
    by: Selector = This()
    divided: bool = False
    evenly: bool = False
    """Divided evenly, rounded down."""
    also: Selector | None = None
    """Others to whom as much is dealt at the same time."""


class Draw(InstructionKind, frozen=True, tag="draw"):
    """Draw cards."""

    n: Quantity
    who: Selector = You()


class Discard(InstructionKind, frozen=True, tag="discard"):
    """Discard cards of the player's choice, or at random."""

    n: Quantity
    who: Selector = You()
    at_random: bool = False


class GainLife(InstructionKind, frozen=True, tag="gain_life"):
    """Gain life."""

    n: Quantity
    who: Selector = You()


class LoseLife(InstructionKind, frozen=True, tag="lose_life"):
    """Lose life."""

    n: Quantity
    who: Selector = You()


class Destroy(InstructionKind, frozen=True, tag="destroy"):
    """Destroy permanents."""

    what: Selector
    for_good: bool = False
    """They can't be regenerated."""


class Exile(InstructionKind, frozen=True, tag="exile"):
    """Exile objects (`until_leaves`: CR 610.3: until this leaves the battlefield, when they come back)."""

    what: Selector
    name: str | None = None
    until_leaves: bool = False


class Sacrifice(InstructionKind, frozen=True, tag="sacrifice"):
    """Sacrifice a named permanent; or each of these players sacrifices permanents that match the filter."""

    what: Selector
    who: Selector = You()
    n: Quantity = 1


class CounterSpell(InstructionKind, frozen=True, tag="counter"):
    """Counter a spell or ability."""

    what: Selector
    name: str = "countered"


class Tap(InstructionKind, frozen=True, tag="tap"):
    """Tap permanents."""

    what: Selector


class Untap(InstructionKind, frozen=True, tag="untap"):
    """Untap permanents."""

    what: Selector


class Saddle(InstructionKind, frozen=True, tag="saddle"):
    """Permanents become saddled until end of turn (CR 702.171b: a designation)."""

    what: Selector


class TurnFace(InstructionKind, frozen=True, tag="turn"):
    """Turn permanents face up or face down."""

    what: Selector
    face: Literal["up", "down"]
    does: tuple[Operation, ...] = ()
    """Its characteristics while face down, instead of the usual ones (CR 708.2a)."""


class Transform(InstructionKind, frozen=True, tag="transform"):
    """Turn double-faced permanents over to their other face (CR 701.27: transform)."""

    what: Selector


class PhaseOut(InstructionKind, frozen=True, tag="phase_out"):
    """Permanents phase out until their controller's next untap step (CR 702.26b)."""

    what: Selector


class Put(InstructionKind, frozen=True, tag="put"):
    """Move objects to a zone; onto the battlefield under `under`'s control."""

    what: Selector
    to: Zone
    under: Selector = You()
    tapped: bool = False
    attacking: bool = False
    bottom: bool = False
    shuffled: bool = False
    """Into a library, which is then shuffled."""
    at_random: bool = False
    """In a random order."""
    counters: tuple[Counters, ...] = ()
    does: tuple[Operation, ...] = ()
    """Characteristics that the object enters with (CR 611.2e: they apply as it enters)."""
    name: str | None = None


class PutCounters(InstructionKind, frozen=True, tag="put_counters"):
    """Put counters on a permanent or player (`divided`: CR 601.2d: distributed among targets)."""

    counters: tuple[Counters, ...]
    on: Selector
    divided: bool = False


class MoveCounters(InstructionKind, frozen=True, tag="move_counters"):
    """Move counters from one permanent onto another (CR 122.5: all that it takes, or nothing)."""

    counters: tuple[Counters, ...]
    of: Selector
    on: Selector


class PutSameCounters(InstructionKind, frozen=True, tag="put_same_counters"):
    """Put on a permanent as many counters of each kind as another one has or had (CR 122.8)."""

    of: Selector
    on: Selector


class RemoveCounters(InstructionKind, frozen=True, tag="remove_counters"):
    """Remove counters from a permanent or player; `every`: all counters of those kinds."""

    counters: tuple[Counters, ...]
    on: Selector
    every: bool = False


class Create(InstructionKind, frozen=True, tag="create"):
    """Create tokens: as defined, or as copies of an object."""

    token: Card | None = None
    n: Quantity = 1
    who: Selector = You()
    copy_of: Selector | None = None
    but: tuple[Operation, ...] = ()
    tapped: bool = False
    attacking: bool = False
    name: str | None = None
    size: Quantity | None = None
    """The power and toughness of each token, if the definition of the token cannot say it."""


class Spending(CardData, frozen=True):
    """What mana may be spent on: spells that match, and abilities of sources that match."""

    spells: Filter | None = None
    abilities: Filter | None = None


class ManaRider(CardData, frozen=True):
    """What mana does to the spell that it is spent on, if the spell matches."""

    does: tuple[Operation, ...]
    what: Filter = Filter()
    until: Duration = "ever"


class AddMana(InstructionKind, frozen=True, tag="add_mana"):
    """Add mana: symbols, or `any` for one mana of a chosen colour."""

    mana: str
    n: Quantity = 1
    who: Selector = You()
    mixed: bool = False
    """With `any`, whether each mana may be of another colour ("in any combination of colors")."""
    only: Spending | None = None
    """What it may be spent on, if not on everything (CR 106.6)."""
    rider: ManaRider | None = None


class LookAt(InstructionKind, frozen=True, tag="look_at"):
    """Look at cards without changing anything."""

    what: Selector


class Reveal(InstructionKind, frozen=True, tag="reveal"):
    """Reveal cards."""

    what: Selector
    name: str = "revealed"


class Mill(InstructionKind, frozen=True, tag="mill"):
    """Put cards from the top of a library into its owner's graveyard (CR 701.17a)."""

    n: Quantity
    who: Selector = You()


class Scry(InstructionKind, frozen=True, tag="scry"):
    """Look at the top cards of one's library, and put any of them on the bottom (CR 701.22a)."""

    n: Quantity
    who: Selector = You()


class Surveil(InstructionKind, frozen=True, tag="surveil"):
    """Look at the top cards of one's library, and put any of them into the graveyard (CR 701.25a)."""

    n: Quantity
    who: Selector = You()


class LookThrough(InstructionKind, frozen=True, tag="look_through"):
    """Look at the top cards of your library, put some of them somewhere, and the rest somewhere else."""

    n: Quantity
    what: Filter = Filter()
    """Which of them may be taken."""
    most: int = 1
    """How many of them are taken."""
    may: bool = False
    """Whether fewer may be taken."""
    to: Literal["hand", "battlefield", "graveyard"] = "hand"
    tapped: bool = False
    rest: Literal["top", "bottom", "random", "graveyard", "hand"] = "bottom"
    """Where the rest goes; `random`: to the bottom in a random order."""
    reveal: bool = False
    """Whether all of them are revealed."""


class ExileUntilFound(InstructionKind, frozen=True, tag="exile_until"):
    """Exile cards from the top of your library until you exile such a card, which gets a name; `exiled` are
    all of them.
    """

    what: Filter
    name: str = "found"


class Discover(InstructionKind, frozen=True, tag="discover"):
    """Discover a number (CR 701.57a: exile cards until one can be cast for free, or goes to the hand)."""

    n: Quantity


class Fight(InstructionKind, frozen=True, tag="fight"):
    """Two creatures deal damage equal to their power to each other (CR 701.14a)."""

    one: Selector
    other: Selector


class Search(InstructionKind, frozen=True, tag="search"):
    """Search a library for cards that match the filter, put them somewhere, then shuffle.

    With `to: library`, the library is shuffled first, and they are put on top of it.
    """

    what: Filter
    to: Zone
    n: int = 1
    tapped: bool = False
    who: Selector = You()


class ChooseInstruction(InstructionKind, frozen=True, tag="choose"):
    """A player chooses something, which gets a name for later reference."""

    kind: Literal["object", "player", "color", "type", "name", "word", "number"]
    what: Selector | None = None
    who: Selector = You()
    least: int = 1
    most: int = 1
    name: str = "chosen"
    of: Literal["creature type", "basic land type", "color"] | None = None
    """The kind of word for a choice of a type or word."""
    at_random: bool = False
    """Whether chance chooses, not the player."""
    never: frozenset[str] = frozenset()
    """What can't be chosen."""
    among: Filter | None = None
    """The cards from which a card name may be chosen."""


class May(InstructionKind, frozen=True, tag="may"):
    """A player may have this happen, paying the cost if there is one."""

    effect: tuple[Instruction, ...]
    who: Selector = You()
    cost: tuple[Cost, ...] = ()
    otherwise: tuple[Instruction, ...] = ()
    times: Quantity = 1
    """How many times the cost is paid: all of them or nothing (CR 702.24a: no partial payment)."""


class If(InstructionKind, frozen=True, tag="if"):
    """Follow one list of instructions if the condition holds, otherwise the other."""

    cond: Condition
    effect: tuple[Instruction, ...]
    otherwise: tuple[Instruction, ...] = ()


class Later(InstructionKind, frozen=True, tag="later"):
    """Create a delayed triggered ability that triggers once (`this_turn`: the next time this turn), or
    `each` time this turn (CR 603.7b: with a duration).
    """

    when: TriggerEvent
    effect: tuple[Instruction, ...]
    cond: Condition | None = None
    name: str = "later"
    each: bool = False
    this_turn: bool = False


class WhenYouDo(InstructionKind, frozen=True, tag="when_you_do"):
    """Create an ability that triggers immediately if the previous instruction was carried out (CR 603.12:
    reflexive).
    """

    effect: tuple[Instruction, ...]
    targets: tuple[TargetSpec, ...] = ()
    name: str = "when you do"


class CopySpell(InstructionKind, frozen=True, tag="copy_spell"):
    """Copy a spell or ability on the stack; you may choose new targets for the copy."""

    what: Selector
    n: Quantity = 1
    new_targets: bool = True
    but: tuple[Operation, ...] = ()


class Cast(InstructionKind, frozen=True, tag="cast"):
    """Cast a card, if able, while this resolves (CR 608.2g: no player gets priority).

    Several cards are cast one after another, in the order in which they were chosen.
    """

    what: Selector
    who: Selector = You()
    cost: tuple[Cost, ...] | None = None
    """What is paid rather than the mana cost (an empty list: nothing)."""
    such: Filter = Filter()
    """The filter that the spell must match as it is cast."""
    name: str = "cast"


class CopyCard(InstructionKind, frozen=True, tag="copy_card"):
    """Copy a card in the zone it is in, for the copy to be cast (CR 707.12)."""

    what: Selector
    name: str = "copy"


class ChangeTarget(InstructionKind, frozen=True, tag="change_target"):
    """Choose new targets for a spell or ability; `must`: change its target to another (CR 115.7a)."""

    what: Selector
    must: bool = False


class Attach(InstructionKind, frozen=True, tag="attach"):
    """Attach an Aura or Equipment to something."""

    what: Selector
    to: Selector


class Unattach(InstructionKind, frozen=True, tag="unattach"):
    """Permanents stop being attached, and stay on the battlefield (CR 701.3d)."""

    what: Selector


class ExchangeControl(InstructionKind, frozen=True, tag="exchange_control"):
    """Two permanents change controllers with each other, or neither does."""

    one: Selector
    other: Selector | None = None
    """Omitted if `one` names both."""
    until: Duration = "ever"


class OneOfInstruction(InstructionKind, frozen=True, tag="one_of"):
    """A player chooses one printed alternative as this instruction is followed."""

    options: tuple[Mode, ...]
    who: Selector = You()


class ForEachPlayer(InstructionKind, frozen=True, tag="for_each"):
    """Each of these players follows the instructions, with `you` meaning that player."""

    who: Selector
    effect: tuple[Instruction, ...]


class RemoveFromCombat(InstructionKind, frozen=True, tag="remove_from_combat"):
    """Remove creatures from combat (CR 506.4)."""

    what: Selector


class Regenerate(InstructionKind, frozen=True, tag="regenerate"):
    """Put a regeneration shield on a permanent for this turn."""

    what: Selector


class Explore(InstructionKind, frozen=True, tag="explore"):
    """Permanents explore (CR 701.44a: reveal a card; a land goes to the hand, anything else brings a +1/+1
    counter, and may go to the graveyard).
    """

    what: Selector


class Connive(InstructionKind, frozen=True, tag="connive"):
    """Permanents connive (CR 701.50a: draw and discard; a +1/+1 counter for each nonland card discarded)."""

    what: Selector
    n: Quantity = 1


class Amass(InstructionKind, frozen=True, tag="amass"):
    """Amass a creature type (CR 701.47a: an Army that you control gets counters and that type); the Army is
    `{the: amassed}`.
    """

    n: Quantity
    kind: str = "Zombie"


class Manifest(InstructionKind, frozen=True, tag="manifest"):
    """Put cards onto the battlefield face down, one after another, as 2/2 creatures that can be turned up for
    their mana cost (CR 701.40a): from the top of a library, or `what`.
    """

    n: Quantity = 1
    what: Selector | None = None
    who: Selector = You()
    name: str = "manifested"


class Cloak(InstructionKind, frozen=True, tag="cloak"):
    """Manifest cards as creatures with ward {2} (CR 701.58a)."""

    n: Quantity = 1
    what: Selector | None = None
    who: Selector = You()
    name: str = "cloaked"


class ManifestDread(InstructionKind, frozen=True, tag="manifest_dread"):
    """Manifest one of the top two cards of a library, and put the other into the graveyard (CR 701.62a)."""

    who: Selector = You()
    name: str = "manifested"


class UnlockDoor(InstructionKind, frozen=True, tag="unlock_door"):
    """Unlock a locked half of each of these Rooms (CR 709.5f)."""

    what: Selector


class LockDoor(InstructionKind, frozen=True, tag="lock_door"):
    """Lock an unlocked half of each of these Rooms (CR 709.5g)."""

    what: Selector


class Emblem(InstructionKind, frozen=True, tag="emblem"):
    """Get an emblem with these abilities (CR 114.1, 114.4: in the command zone, where they function)."""

    abilities: tuple[Ability, ...]
    who: Selector = You()


class WinGame(InstructionKind, frozen=True, tag="win_game"):
    """A player wins the game (CR 104.2b)."""

    who: Selector = You()


class LoseGame(InstructionKind, frozen=True, tag="lose_game"):
    """Players lose the game (CR 104.3e)."""

    who: Selector = You()


class BecomeMonarch(InstructionKind, frozen=True, tag="become_monarch"):
    """A player becomes the monarch, and whoever was it is not any more (CR 725.3)."""

    who: Selector = You()


class ItBecomes(InstructionKind, frozen=True, tag="it_becomes"):
    """It becomes day, or it becomes night (CR 731.1)."""

    what: Daytime


class ControlPlayer(InstructionKind, frozen=True, tag="control_player"):
    """You control these players during their next turn (CR 723.1)."""

    who: Selector


class SetLevel(InstructionKind, frozen=True, tag="set_level"):
    """This permanent's level becomes a number (CR 716.2a: by the ability of a class level bar)."""

    n: int


class ExtraTurn(InstructionKind, frozen=True, tag="extra_turn"):
    """Take an extra turn after this one."""

    who: Selector = You()


ExtraPhase = Literal["beginning", "upkeep", "combat", "main", "end"]
"""A phase that is added to a turn; an added upkeep or end step is a phase without other steps."""


class ExtraPhases(InstructionKind, frozen=True, tag="extra_phases"):
    """Add phases after this phase, in this order (CR 500.8)."""

    phases: tuple[ExtraPhase, ...]
    yours: bool = False
    """Whether you get them: in your own turn only (CR 500.10a)."""


class ExtraStep(InstructionKind, frozen=True, tag="extra_step"):
    """Add a step of this kind after this step (CR 500.9)."""

    step: Literal["upkeep", "end"]


class SkipNext(InstructionKind, frozen=True, tag="skip_next"):
    """Players skip their next turn, combat phase or step of a kind (CR 614.10a: the next not skipped)."""

    what: Literal["turn", "combat", "untap", "upkeep", "draw"]
    who: Selector = You()


class EndTurn(InstructionKind, frozen=True, tag="end_turn"):
    """End the turn (CR 724.1)."""


Instruction = (
    Effect
    | Damage
    | Draw
    | Discard
    | GainLife
    | LoseLife
    | Destroy
    | Exile
    | Sacrifice
    | CounterSpell
    | Tap
    | Untap
    | Saddle
    | TurnFace
    | Transform
    | PhaseOut
    | Put
    | PutCounters
    | MoveCounters
    | PutSameCounters
    | RemoveCounters
    | Create
    | AddMana
    | LookAt
    | Reveal
    | Mill
    | Scry
    | Surveil
    | LookThrough
    | ExileUntilFound
    | Discover
    | Fight
    | Search
    | ChooseInstruction
    | May
    | If
    | Later
    | WhenYouDo
    | CopySpell
    | Cast
    | CopyCard
    | ChangeTarget
    | Attach
    | Unattach
    | ExchangeControl
    | OneOfInstruction
    | ForEachPlayer
    | RemoveFromCombat
    | Regenerate
    | ExtraTurn
    | ExtraPhases
    | ExtraStep
    | SkipNext
    | EndTurn
    | SetLevel
    | Explore
    | Connive
    | Amass
    | Manifest
    | Cloak
    | ManifestDread
    | UnlockDoor
    | LockDoor
    | Emblem
    | WinGame
    | LoseGame
    | BecomeMonarch
    | ItBecomes
    | ControlPlayer
)

# ------------------------------------------------------------------------------------ events


class Enters(EventKind, frozen=True, tag="enters"):
    """It enters the battlefield."""

    who: Selector = This()


class Leaves(EventKind, frozen=True, tag="leaves"):
    """It leaves the battlefield."""

    who: Selector = This()


class Dies(EventKind, frozen=True, tag="dies"):
    """It is put into a graveyard from the battlefield."""

    who: Selector = This()


class Attacks(EventKind, frozen=True, tag="attacks"):
    """It is declared as an attacker (`alone`: CR 506.5: and no other creature is; `whom`: attacking such a
    player; `saddled`: while it is saddled).
    """

    who: Selector = This()
    alone: bool = False
    whom: Selector | None = None
    or_theirs: bool = False
    """Or a planeswalker that such a player controls."""
    saddled: bool = False


class Blocks(EventKind, frozen=True, tag="blocks"):
    """It is declared as a blocker (`what`: blocking such a creature, which is "it"; CR 509.3b: once for
    each).
    """

    who: Selector = This()
    what: Filter | None = None


class BecomesBlocked(EventKind, frozen=True, tag="becomes_blocked"):
    """It becomes blocked (`by`: by such a creature, which is "it"; CR 509.3d: once for each)."""

    who: Selector = This()
    by: Filter | None = None


class AttacksUnblocked(EventKind, frozen=True, tag="attacks_unblocked"):
    """It attacks and isn't blocked: it becomes an unblocked creature (CR 509.3g)."""

    who: Selector = This()


class BecomesTapped(EventKind, frozen=True, tag="becomes_tapped"):
    """It becomes tapped."""

    who: Selector = This()


class BecomesUntapped(EventKind, frozen=True, tag="becomes_untapped"):
    """It becomes untapped."""

    who: Selector = This()


class TappedForMana(EventKind, frozen=True, tag="tapped_for_mana"):
    """It is tapped for mana (`by`: by such a player)."""

    who: Selector = This()
    by: Selector | None = None


class BecomesTarget(EventKind, frozen=True, tag="becomes_target"):
    """It becomes the target of a spell or ability (controlled by `by`)."""

    who: Selector = This()
    by: Selector = Everyone()


class UnlocksThisDoor(EventKind, frozen=True, tag="unlocks_this_door"):
    """Somebody unlocks the half of a Room that has this ability, also as the Room enters (CR 709.5h)."""

    who: Selector = You()


class FullyUnlocks(EventKind, frozen=True, tag="fully_unlocks"):
    """Somebody unlocks the last locked half of a Room (CR 709.5i)."""

    who: Selector = You()


class TurnedFaceUp(EventKind, frozen=True, tag="turned_up"):
    """It is turned face up."""

    who: Selector = This()


class Transforms(EventKind, frozen=True, tag="transforms"):
    """It transforms (`into`: into such an object; CR 701.27e: as it is right after that)."""

    who: Selector = This()
    into: Filter | None = None


class DealsDamage(EventKind, frozen=True, tag="deals_damage"):
    """It deals damage (to such a player or permanent, or to all that it damages at the same time together;
    `combat`: combat damage).
    """

    who: Selector = This()
    to: Selector | None = None
    combat: bool = False


class IsDealtDamage(EventKind, frozen=True, tag="is_dealt_damage"):
    """It is dealt damage (by all sources that deal it at the same time together; `combat`: combat damage)."""

    who: Selector = This()
    combat: bool = False


class GetsCounters(EventKind, frozen=True, tag="gets_counters"):
    """One or more counters are put on it (`counter`: of this kind; CR 122.6: also as it enters the
    battlefield). `each`: a counter is put on it, which is an event for each counter.
    """

    who: Selector = This()
    counter: CounterKind | None = None
    each: bool = False


class CastEvent(EventKind, frozen=True, tag="cast"):
    """A player casts a spell that matches the filter."""

    what: Filter = Filter()
    by: Selector = You()
    aimed_at: All | None = None
    """Only a spell that has such a target."""


class Plays(EventKind, frozen=True, tag="plays"):
    """A player plays a card: casts it, or plays it as a land (CR 601.1a)."""

    what: Filter = Filter()
    by: Selector = You()


class Activates(EventKind, frozen=True, tag="activates"):
    """A player activates an ability of an object in any zone (`of`: of such an object)."""

    who: Selector = You()
    of: Selector | None = None
    but: frozenset[AbilityClass] = frozenset()
    """The abilities that are not meant."""
    only: Literal["loyalty abilities"] | None = None


class Draws(EventKind, frozen=True, tag="draws"):
    """A player draws a card."""

    who: Selector = You()


class Discards(EventKind, frozen=True, tag="discards"):
    """A player discards a card (`what`: such a card)."""

    who: Selector = You()
    what: Filter | None = None


class Cycles(EventKind, frozen=True, tag="cycles"):
    """A player cycles a card (CR 702.29c: discards it to pay for a cycling ability; `what`: such a card)."""

    who: Selector = You()
    what: Filter | None = None


class GainsLife(EventKind, frozen=True, tag="gains_life"):
    """A player gains life."""

    who: Selector = You()


class LosesLife(EventKind, frozen=True, tag="loses_life"):
    """A player loses life in any way (CR 119.2, 119.4: including damage and paying life)."""

    who: Selector = You()


class Sacrifices(EventKind, frozen=True, tag="sacrifices"):
    """A player sacrifices a permanent (`what`: such a permanent)."""

    who: Selector = You()
    what: Filter = Filter()


class Beginning(EventKind, frozen=True, tag="beginning"):
    """A step of some players' turns begins (`next`: the next one)."""

    step: Step
    of: Selector = You()
    next: bool = False


class Chapter(EventKind, frozen=True, tag="chapter"):
    """The lore counters on this reach a number, from fewer (CR 714.2b: the chapter symbol of a Saga)."""

    n: int


class State(EventKind, frozen=True, tag="state"):
    """The condition is true (CR 603.8: once, until its ability has left the stack)."""

    cond: Condition


class AbilityTriggers(EventKind, frozen=True, tag="ability_triggers"):
    """A triggered ability of such a permanent triggers (CR 603.3b: stacked in a second round)."""

    of: Selector


class PutIntoGraveyard(EventKind, frozen=True, tag="put_into_graveyard"):
    """It is put into a graveyard from anywhere."""

    who: Selector = This()


class LeavesGraveyard(EventKind, frozen=True, tag="leaves_graveyard"):
    """It leaves a graveyard, for any other zone."""

    who: Selector = This()


class LosesControl(EventKind, frozen=True, tag="loses_control"):
    """A player loses control of it."""

    of: Selector = This()
    by: Selector = You()


class BecomesAttached(EventKind, frozen=True, tag="becomes_attached"):
    """It becomes attached, to such a permanent or player if `to` is given, which is "it" (CR 701.3b: not to
    the one that it is attached to already).
    """

    who: Selector = This()
    to: Selector | None = None


class BecomesUnattached(EventKind, frozen=True, tag="becomes_unattached"):
    """It stops being attached to a permanent (CR 701.3d: also by leaving); `it` is that permanent."""

    who: Selector = This()


class IsCountered(EventKind, frozen=True, tag="countered"):
    """A player's spell is countered."""

    what: Filter = Filter()
    by: Selector = You()
    """The player whose spell it is."""


class LosesGame(EventKind, frozen=True, tag="loses_game"):
    """A player loses the game."""

    who: Selector = Everyone()


class BecomesMonarch(EventKind, frozen=True, tag="becomes_monarch"):
    """A player becomes the monarch."""

    who: Selector = You()


class DaytimeChanges(EventKind, frozen=True, tag="daytime_changes"):
    """Day becomes night or night becomes day (CR 731.1a); `to`: only the one, or only the other."""

    to: Daytime | None = None


class Nth(EventKind, frozen=True, tag="nth"):
    """An event happens for the first, second, … time each turn."""

    n: int
    event: TriggerEvent


class OneOrMore(EventKind, frozen=True, tag="one_or_more"):
    """An event happens to one or more at the same time, which are `{the: those}` (CR 603.2c: it triggers
    once, however many there are).
    """

    event: TriggerEvent


class AnyEvent(EventKind, frozen=True, tag="any_of"):
    """One of these events happens."""

    events: tuple[TriggerEvent, ...]


TriggerEvent = (
    Enters
    | Leaves
    | Dies
    | Attacks
    | Blocks
    | BecomesBlocked
    | AttacksUnblocked
    | BecomesTapped
    | BecomesUntapped
    | TappedForMana
    | BecomesTarget
    | UnlocksThisDoor
    | FullyUnlocks
    | TurnedFaceUp
    | Transforms
    | DealsDamage
    | IsDealtDamage
    | GetsCounters
    | CastEvent
    | Plays
    | Activates
    | Draws
    | Discards
    | Cycles
    | GainsLife
    | LosesLife
    | Sacrifices
    | Beginning
    | Chapter
    | State
    | AbilityTriggers
    | PutIntoGraveyard
    | LeavesGraveyard
    | LosesControl
    | BecomesAttached
    | BecomesUnattached
    | IsCountered
    | LosesGame
    | BecomesMonarch
    | DaytimeChanges
    | Nth
    | OneOrMore
    | AnyEvent
)


def name_of_event(event: TriggerEvent) -> str:
    """The name that an event gives to the ability it triggers: its tag, the step that begins, the chapter, or
    the names of all events that can trigger it.
    """
    match event:
        case AnyEvent(events):
            return " or ".join(dict.fromkeys(map(name_of_event, events)))
        case Nth(_, event) | OneOrMore(event):
            return name_of_event(event)
        case Beginning(step):
            return step
        case Chapter(n):
            return f"chapter {roman(n)}"
        case _:
            return str(event.__struct_config__.tag).replace("_", " ")


# --------------------------------------------------------------------------------- abilities


class TargetSpec(CardData, frozen=True):
    """One printed instance of the word "target": what it may be, how many, and its name.

    `what` allows an object, `players` a player; with both, either. `any_target` is a creature, planeswalker,
    battle or player. `stack` allows abilities on the stack.
    """

    what: All | None = None
    players: Selector | None = None
    any_target: bool = False
    stack: frozenset[Literal["activated", "triggered"]] = frozenset()
    name: str = "target"
    least: Quantity = 1
    most: Quantity = 1
    by: Selector = You()
    """The player who chooses."""
    targeting_one: bool = False
    """A spell or ability with a single target."""


class Mode(CardData, frozen=True):
    """One printed mode."""

    effect: tuple[Instruction, ...]
    targets: tuple[TargetSpec, ...] = ()


class Static(AbilityKind, frozen=True, tag="static"):
    """A statement that is true while the ability functions; its parts are one effect (CR 611.3: static
    abilities).
    """

    parts: tuple[Part, ...]
    cond: Condition | None = None
    zones: frozenset[Zone] = frozenset({"battlefield"})
    lingers: Literal["end of turn"] | None = None
    """How long the effect continues after the object leaves the battlefield."""


class Defines(AbilityKind, frozen=True, tag="defines"):
    """An object's statement about its own colours, subtypes, power or toughness, without a condition.

    CR 604.3a: whether it is characteristic-defining depends on how the object got it.
    """

    does: tuple[Operation, ...]


class Activated(AbilityKind, frozen=True, tag="activated"):
    """[Cost]: [Effect.] [Activation instructions.]"""

    cost: tuple[Cost, ...]
    effect: tuple[Instruction, ...] = ()
    targets: tuple[TargetSpec, ...] = ()
    modes: tuple[Mode, ...] = ()
    modes_chosen: int = 1
    sorcery: bool = False
    once: bool = False
    times: int | None = None
    """The number of times that it can be activated each turn, if it is more than once."""
    exhaust: bool = False
    """Whether it can be activated only once, in whatever turn (CR 702.177a)."""
    by: Selector = You()
    """The player who may activate it."""
    cond: Condition | None = None
    zones: frozenset[Zone] = frozenset({"battlefield"})
    name: str = "ability"


class Triggered(AbilityKind, frozen=True, tag="triggered"):
    """When, whenever or at an event, this happens; `cond` is an intervening "if" (CR 603.4)."""

    when: TriggerEvent
    effect: tuple[Instruction, ...] = ()
    targets: tuple[TargetSpec, ...] = ()
    modes: tuple[Mode, ...] = ()
    modes_chosen: int = 1
    cond: Condition | None = None
    zones: frozenset[Zone] = frozenset({"battlefield"})
    once: bool = False
    """Its controller does this only once each turn (CR 603.2h: after that it does not trigger)."""
    triggers_once: bool = False
    """It triggers only once each turn, even if the ability then does nothing."""
    name: str = ""


class Spell(AbilityKind, frozen=True, tag="spell"):
    """The effect of an instant or sorcery as it resolves, and its additional costs."""

    effect: tuple[Instruction, ...] = ()
    targets: tuple[TargetSpec, ...] = ()
    modes: tuple[Mode, ...] = ()
    modes_chosen: int = 1
    modes_most: int | None = None
    additional: tuple[Cost, ...] = ()
    kicked: tuple[Instruction, ...] = ()
    kicked_targets: tuple[TargetSpec, ...] = ()
    """Additional targets and instructions if it was kicked."""


class CountersIf(CardData, frozen=True):
    """Counters for objects that match the filter."""

    what: Filter
    counters: tuple[Counters, ...]


class CopyAsEnters(CardData, frozen=True):
    """Enter as a copy of one of these, with exceptions, and with counters if the copy matches."""

    of: All
    but: tuple[Operation, ...] = ()
    counters: tuple[CountersIf, ...] = ()


class Option(CardData, frozen=True):
    """One printed alternative for what an object becomes as it enters."""

    does: tuple[Operation, ...]


class AsEnters(AbilityKind, frozen=True, tag="as_enters"):
    """What happens as the object enters (or is turned face up), before it is there (CR 614.1c, 614.12)."""

    choose: tuple[ChooseInstruction, ...] = ()
    copy: CopyAsEnters | None = None
    one_of: tuple[Option, ...] = ()
    effect: tuple[Instruction, ...] = ()
    counters: tuple[Counters, ...] = ()
    tapped: bool = False
    unless_pays: tuple[Cost, ...] = ()
    """Costs that prevent it from entering tapped."""
    may: bool = False
    cond: Condition | None = None
    """Only if this is so as the object enters."""
    also_turned_up: bool = False
    otherwise: tuple[Keyword, ...] = ()
    """The keywords that it gains if its controller does not choose the rest."""


class Keyword(AbilityKind, frozen=True, tag="keyword"):
    """A printed keyword ability. In a file, the bare keyword stands for it.

    `mana`: its cost (equip, kicker, …); `costs`: a nonmana cost; `n`: its number; `what`: the quality for
    protection, the land for landwalk, what an Aura enchants, what affinity counts; `player`: enchant player;
    `power` and `toughness`: those of a prototype.
    """

    keyword: KeywordName
    mana: str | None = None
    n: int | None = None
    what: Filter | None = None
    costs: tuple[Cost, ...] = ()
    player: Selector | None = None
    power: int | None = None
    toughness: int | None = None


class LevelBar(AbilityKind, frozen=True, tag="level"):
    """A class level bar: an ability to reach this level from the one below, and the abilities of this level.

    CR 716.2a: the first is activated only as a sorcery; the Class has the others from this level on.
    """

    n: int
    cost: tuple[Cost, ...]
    abilities: tuple[Ability, ...] = ()


Ability = LevelBar | Static | Defines | Activated | Triggered | Spell | AsEnters | Keyword

# ------------------------------------------------------------------------------------- cards


class Card(CardData, frozen=True):
    """A card as printed, or a token as defined.

    `colors` is a colour indicator (or a token's colours); without it, the mana cost determines the colours. A
    star in power or toughness is defined by an ability.
    """

    name: str
    types: frozenset[CardType]
    cost: str | None = None
    supertypes: frozenset[Supertype] = frozenset()
    subtypes: frozenset[str] = frozenset()
    colors: frozenset[Color] | None = None
    power: int | str | None = None
    toughness: int | str | None = None
    loyalty: int | None = None
    abilities: tuple[Ability, ...] = ()
    back: Card | None = None
    """The other face of a double-faced card; without `modal` it has no mana cost of its own."""
    modal: bool = False
    """Whether a player who plays this double-faced card chooses a face (CR 712.3: modal double-faced)."""
    adventure: Card | None = None
    """What this card is while it is cast as an Adventure (CR 715.2: alternative characteristics)."""
    halves: tuple[Card, ...] = ()
    """The two halves of a split card or Room, whose name is both names, with // between them (CR 709.4: the
    card itself has their combined characteristics).
    """


# ------------------------------------------------------------------------------------- their parts


def parts_of(value: object) -> list[object]:
    """The values that a part of a card is made of, but for words, numbers and what is empty."""
    if type(value) is tuple:
        return [part for part in filter(None, value) if type(part) not in LEAVES]
    if isinstance(value, Struct):
        return [part for part in filter(None, astuple(value)) if type(part) not in LEAVES]
    return []


LEAVES = frozenset({NoneType, bool, int, str, frozenset})
"""The types of words, of numbers, and of sets, which contain only words."""
