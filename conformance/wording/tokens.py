"""Tokens that the rules define by name: "create a Treasure token"."""

from __future__ import annotations

from reference_engine.language.cards import (
    Ability,
    Activated,
    AddMana,
    All,
    Card,
    Cost,
    Counters,
    DiscardCost,
    Draw,
    Explore,
    Filter,
    GainLife,
    Instruction,
    ManaCost,
    PutCounters,
    SacrificeCost,
    Search,
    TapThis,
    TargetSpec,
    The,
    You,
)


def artifact(
    name: str, cost: tuple[Cost, ...], *effect: Instruction, ability: str = "ability", aim: All | None = None
) -> Card:
    """A colourless artifact token with this name and subtype, which is sacrificed for its effect; one that
    has a target is activated only as a sorcery.
    """
    targets = () if aim is None else (TargetSpec(aim),)
    used: Ability = Activated(
        (*cost, SacrificeCost()), effect, targets, sorcery=aim is not None, name=ability
    )
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
            "Map",
            (ManaCost("{1}"), TapThis()),
            Explore(The("target")),
            aim=All(type=frozenset({"Creature"}), controller=You()),
        ),
        artifact(
            "Mutagen",
            (ManaCost("{1}"), TapThis()),
            PutCounters((Counters("+1/+1"),), The("target")),
            aim=All(type=frozenset({"Creature"})),
        ),
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
        (one.cost, one.effect, one.targets, one.sorcery) if isinstance(one, Activated) else one
        for one in token.abilities
    )
    rest = (token.types, token.subtypes, token.supertypes, token.colors, token.power, token.toughness)
    return (*rest, abilities)
