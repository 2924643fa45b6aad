"""Tokens that the rules define by name: "create a Treasure token"."""

from __future__ import annotations

from reference_engine.language.cards import (
    Ability,
    Activated,
    AddMana,
    Card,
    Cost,
    DiscardCost,
    Draw,
    Filter,
    GainLife,
    Instruction,
    ManaCost,
    SacrificeCost,
    Search,
    TapThis,
)


def artifact(name: str, cost: tuple[Cost, ...], *effect: Instruction, ability: str = "ability") -> Card:
    """A colourless artifact token with this name and subtype, which is sacrificed for its effect."""
    used: Ability = Activated((*cost, SacrificeCost()), effect, name=ability)
    return Card(
        name, frozenset({"Artifact"}), subtypes=frozenset({name}), colors=frozenset(), abilities=(used,)
    )


# CR 111.10: each of these names stands for a token with these characteristics.
PREDEFINED = {
    token.name: token
    for token in (
        artifact("Treasure", (TapThis(),), AddMana("any"), ability="mana"),
        artifact("Food", (ManaCost("{2}"), TapThis()), GainLife(3)),
        artifact("Gold", (), AddMana("any"), ability="mana"),
        artifact("Clue", (ManaCost("{2}"),), Draw(1)),
        artifact("Blood", (ManaCost("{1}"), TapThis(), DiscardCost()), Draw(1)),
        artifact(
            "Lander",
            (ManaCost("{2}"), TapThis()),
            Search(
                Filter(type=frozenset({"Land"}), supertype=frozenset({"Basic"})), "battlefield", tapped=True
            ),
        ),
    )
}
"""The predefined tokens that the language can express, by name."""


def is_predefined(token: Card) -> bool:
    """Whether a token is one of those that the name defines."""
    known = PREDEFINED.get(token.name)
    return known is not None and without_names(known) == without_names(token)


def without_names(token: Card) -> tuple[object, ...]:
    """A token without the names that scripts use for its abilities."""
    abilities = tuple(
        (one.cost, one.effect, one.targets) if isinstance(one, Activated) else one for one in token.abilities
    )
    rest = (token.types, token.subtypes, token.supertypes, token.colors, token.power, token.toughness)
    return (*rest, abilities)
