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
FaceUp = Literal["front", "back", "adventure", "left", "right", "prototyped"]
"""Which of a card's sets of characteristics an object has now."""
Half = Literal["left", "right"]
"""A half of a split card or Room."""
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
    "age",
    "fade",
    "lore",
    "time",
    "poison",
    "stun",
    "finality",
    "shield",
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
    "absorb",
    "affinity",
    "afflict",
    "afterlife",
    "annihilator",
    "ascend",
    "battle cry",
    "bestow",
    "bushido",
    "buyback",
    "cascade",
    "changeling",
    "convoke",
    "crew",
    "cumulative upkeep",
    "cycling",
    "dash",
    "daybound",
    "deathtouch",
    "defender",
    "delve",
    "devoid",
    "disguise",
    "double strike",
    "echo",
    "enchant",
    "entwine",
    "equip",
    "escape",
    "evoke",
    "exalted",
    "fabricate",
    "fading",
    "fear",
    "first strike",
    "flanking",
    "flash",
    "flashback",
    "flying",
    "foretell",
    "haste",
    "hexproof",
    "horsemanship",
    "indestructible",
    "infect",
    "ingest",
    "intimidate",
    "job select",
    "kicker",
    "landwalk",
    "lifelink",
    "living weapon",
    "madness",
    "menace",
    "mentor",
    "mobilize",
    "modular",
    "morph",
    "nightbound",
    "ninjutsu",
    "offspring",
    "outlast",
    "overload",
    "persist",
    "phasing",
    "plot",
    "poisonous",
    "protection",
    "prototype",
    "provoke",
    "prowess",
    "reach",
    "reconfigure",
    "retrace",
    "riot",
    "saddle",
    "shadow",
    "shroud",
    "skulk",
    "splice",
    "split second",
    "storm",
    "suspend",
    "toxic",
    "trample",
    "undying",
    "unearth",
    "unleash",
    "vigilance",
    "ward",
    "warp",
    "wither",
]
Designation = Literal["city's blessing", "monarch"]
"""What a player can be or have for the rest of the game, or until another player is or has it."""
AbilityClass = Literal["mana abilities", "loyalty abilities"]
Daytime = Literal["day", "night"]
"""The designations that the game itself can have; it begins with neither."""
WordKind = Literal["color", "basic land type", "creature type"]
BasicLandType = Literal["Plains", "Island", "Swamp", "Mountain", "Forest"]

COLORS: tuple[Color, ...] = get_args(Color)
STEPS: tuple[Step, ...] = get_args(Step)
COMBAT_STEPS = STEPS[STEPS.index("beginning of combat") : STEPS.index("end of combat") + 1]
DESIGNATIONS: tuple[Designation, ...] = get_args(Designation)
BASIC_LAND_TYPES: tuple[BasicLandType, ...] = get_args(BasicLandType)
ALL_CREATURE_TYPES = "all creature types"
"""The spelling of every creature type at once in a set of subtypes (CR 205.3m: the list of creature
types).
"""
CHOSEN_TYPE = "chosen type"
SPECIAL_SUBTYPES = frozenset({ALL_CREATURE_TYPES, CHOSEN_TYPE})
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


ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
MOST_ROMAN = 39
"""Beyond this, Roman numerals need other letters."""


def roman(n: int) -> str:
    """A number as chapter symbols write it (CR 714.2a: Roman numerals); one that no Saga has, in digits."""
    if not 1 <= n <= MOST_ROMAN:
        return str(n)
    left, written = n, ""
    for value, numeral in ROMAN:
        written += numeral * (left // value)
        left %= value
    return written


def kind_of_subtype(subtype: str) -> SubtypeKind | None:
    """The kind of a subtype; `None` if the word is not a subtype (CR 205.3: closed lists)."""
    return "creature" if subtype == ALL_CREATURE_TYPES else KIND_OF.get(subtype)


OTHER_KEYWORDS: dict[str, str] = {
    **dict.fromkeys(
        (
            "aftermath",
            "amplify",
            "assist",
            "aura swap",
            "awaken",
            "backup",
            "bargain",
            "blitz",
            "bloodthirst",
            "boast",
            "casualty",
            "champion",
            "cipher",
            "cleave",
            "companion",
            "compleated",
            "conspire",
            "craft",
            "decayed",
            "demonstrate",
            "dethrone",
            "devour",
            "disturb",
            "dredge",
            "embalm",
            "emerge",
            "encore",
            "enlist",
            "epic",
            "escalate",
            "eternalize",
            "evolve",
            "exploit",
            "extort",
            "firebending",
            "for mirrodin!",
            "forecast",
            "fortify",
            "freerunning",
            "frenzy",
            "fuse",
            "gift",
            "graft",
            "gravestorm",
            "harmonize",
            "haunt",
            "hidden agenda",
            "hideaway",
            "impending",
            "improvise",
            "increment",
            "jump-start",
            "level up",
            "living metal",
            "max speed",
            "mayhem",
            "megamorph",
            "melee",
            "miracle",
            "more than meets the eye",
            "myriad",
            "offering",
            "paradigm",
            "partner",
            "prowl",
            "rampage",
            "ravenous",
            "read ahead",
            "rebound",
            "recover",
            "reinforce",
            "renown",
            "replicate",
            "ripple",
            "scavenge",
            "sneak",
            "solved",
            "soulbond",
            "soulshift",
            "space sculptor",
            "spectacle",
            "spree",
            "squad",
            "start your engines!",
            "station",
            "sunburst",
            "surge",
            "tiered",
            "training",
            "trample over planeswalkers",
            "transfigure",
            "transmute",
            "tribute",
            "umbra armor",
            "undaunted",
            "vanishing",
            "visit",
            "web-slinging",
        ),
        "the language has no word for it",
    ),
    "banding": "blocks and damage are never declared for a band here (CR 702.22: banding)",
    "exhaust": "an activated ability has exhaust: yes instead",
    "mutate": "no permanent here is made of several cards (CR 702.140: mutate)",
}
"""The other keyword abilities of the rules, which cards here can't have, each with the reason."""
