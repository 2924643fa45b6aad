"""The closed lists of words for cards, scenarios and observations.

They only state facts of the game. The subtypes are in `subtypes`.
"""

from __future__ import annotations

from typing import Literal, get_args

from reference_engine.language.subtypes import KIND_OF, SubtypeKind

Color = Literal["white", "blue", "black", "red", "green"]
ColorWord = Literal["white", "blue", "black", "red", "green", "chosen color"]
CardType = Literal[
    "Artifact",
    "Battle",
    "Creature",
    "Enchantment",
    "Instant",
    "Kindred",
    "Land",
    "Planeswalker",
    "Sorcery",
]
Supertype = Literal["Basic", "Legendary", "Snow", "World"]
Zone = Literal["battlefield", "stack", "hand", "library", "graveyard", "exile", "command"]
Step = Literal[
    "untap",
    "upkeep",
    "draw",
    "precombat main",
    "beginning of combat",
    "declare attackers",
    "declare blockers",
    "first-strike damage",
    "combat damage",
    "end of combat",
    "postcombat main",
    "end",
    "cleanup",
]
CounterKind = Literal[
    "+1/+1",
    "-1/-1",
    "+1/+0",
    "+0/+1",
    "-0/-1",
    "-1/-0",
    "+2/+2",
    "-2/-2",
    "loyalty",
    "charge",
    "flood",
    "fade",
    "time",
    "poison",
    "stun",
    "flying",
    "first strike",
    "deathtouch",
    "haste",
    "hexproof",
    "indestructible",
    "lifelink",
    "menace",
    "reach",
    "trample",
    "vigilance",
]
KeywordName = Literal[
    "affinity",
    "buyback",
    "changeling",
    "convoke",
    "cycling",
    "deathtouch",
    "defender",
    "devoid",
    "double strike",
    "echo",
    "enchant",
    "entwine",
    "equip",
    "fear",
    "first strike",
    "flash",
    "flashback",
    "flying",
    "haste",
    "hexproof",
    "indestructible",
    "intimidate",
    "kicker",
    "landwalk",
    "lifelink",
    "menace",
    "morph",
    "persist",
    "protection",
    "prowess",
    "reach",
    "retrace",
    "shadow",
    "shroud",
    "splice",
    "split second",
    "storm",
    "suspend",
    "trample",
    "undying",
    "unearth",
    "vigilance",
    "wither",
]
WordKind = Literal["color", "basic land type", "creature type"]
BasicLandType = Literal["Plains", "Island", "Swamp", "Mountain", "Forest"]

COLORS: tuple[Color, ...] = get_args(Color)
STEPS: tuple[Step, ...] = get_args(Step)
BASIC_LAND_TYPES: tuple[BasicLandType, ...] = get_args(BasicLandType)
ALL_CREATURE_TYPES = "all creature types"
"""The spelling of every creature type at once in a set of subtypes (CR 205.3m: the list of creature
types).
"""
CHOSEN_TYPE = "chosen type"
CHOSEN_COLOR = "chosen color"
CHOSEN_NAME = "chosen name"

MANA_COLOR: dict[str, Color] = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
LAND_MANA: dict[str, str] = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}

SUBTYPES_OF: dict[CardType, SubtypeKind] = {
    "Artifact": "artifact",
    "Battle": "battle",
    "Creature": "creature",
    "Enchantment": "enchantment",
    "Instant": "spell",
    "Kindred": "creature",
    "Land": "land",
    "Planeswalker": "planeswalker",
    "Sorcery": "spell",
}


def kind_of_subtype(subtype: str) -> SubtypeKind | None:
    """The kind of a subtype; `None` if the word is not a subtype (CR 205.3: closed lists)."""
    return "creature" if subtype == ALL_CREATURE_TYPES else KIND_OF.get(subtype)
