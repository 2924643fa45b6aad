"""The closed lists of words that cards, scenarios and observations are written in.

Facts of the game only: nothing here decides anything. Creature types are open (a word
that is no other subtype is a creature type), because new ones are printed every year.
"""

from __future__ import annotations

import functools
from typing import Literal, get_args

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
"""How every creature type at once is written in a set of subtypes (CR 205.3m: the list of creature types)."""
CHOSEN_TYPE = "chosen type"
CHOSEN_COLOR = "chosen color"
CHOSEN_NAME = "chosen name"

MANA_COLOR: dict[str, Color] = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
LAND_MANA: dict[str, str] = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}

LAND_TYPES = frozenset(
    {
        *BASIC_LAND_TYPES,
        "Cave",
        "Cloud",
        "Desert",
        "Gate",
        "Lair",
        "Locus",
        "Mine",
        "Planet",
        "Power-Plant",
        "Sphere",
        "Tower",
        "Town",
        "Urza's",
    }
)
ARTIFACT_TYPES = frozenset(
    {
        "Attraction",
        "Blood",
        "Bobblehead",
        "Book",
        "Clue",
        "Contraption",
        "Equipment",
        "Food",
        "Fortification",
        "Gold",
        "Incubator",
        "Infinity",
        "Junk",
        "Lander",
        "Map",
        "Powerstone",
        "Spacecraft",
        "Stone",
        "Treasure",
        "Vehicle",
    }
)
ENCHANTMENT_TYPES = frozenset(
    {
        "Aura",
        "Background",
        "Cartouche",
        "Case",
        "Class",
        "Curse",
        "Plan",
        "Role",
        "Room",
        "Rune",
        "Saga",
        "Shard",
        "Shrine",
    }
)
SPELL_TYPES = frozenset({"Adventure", "Arcane", "Lesson", "Omen", "Trap"})
PLANESWALKER_TYPES = frozenset(
    {"Jace", "Chandra", "Garruk", "Gideon", "Liliana", "Ajani", "Elspeth", "Sorin"}
)
BATTLE_TYPES = frozenset({"Siege"})

SubtypeKind = Literal["land", "artifact", "enchantment", "spell", "planeswalker", "battle", "creature"]

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


@functools.cache
def kind_of_subtype(subtype: str) -> SubtypeKind:
    """Which card type's subtype a word is; a word that is none of the others is a creature type."""
    if subtype in LAND_TYPES:
        return "land"
    if subtype in ARTIFACT_TYPES:
        return "artifact"
    if subtype in ENCHANTMENT_TYPES:
        return "enchantment"
    if subtype in SPELL_TYPES:
        return "spell"
    if subtype in PLANESWALKER_TYPES:
        return "planeswalker"
    if subtype in BATTLE_TYPES:
        return "battle"
    return "creature"
