"""Finding and loading the data that comes with the suite: real cards, fixtures, rule numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from conformance.card_file import cards_in
from conformance.problems import Problem, ScenarioError
from reference_engine.cards import Card


@cache
def fixtures_folder() -> Path:
    """The folder of fixtures: the checkout's own, or the one inside an installed wheel."""
    package = Path(__file__).resolve().parent
    inside, beside = package / "fixtures", package.parent / "fixtures"
    return inside if inside.is_dir() else beside


@cache
def pool() -> Mapping[str, Card]:
    """Every real card we have, by its name."""
    cards: dict[str, Card] = {}
    problems: list[Problem] = []
    for path in sorted((fixtures_folder() / "cards").glob("*.yaml")):
        try:
            for card in cards_in(path):
                if card.name in cards:
                    problems.append(
                        Problem(
                            str(path), 1, 1, card.name, "this card is in another file too", "keep one of them"
                        )
                    )
                cards[card.name] = card
        except ScenarioError as error:
            problems.extend(error.problems)
    if problems:
        raise ScenarioError(problems)
    return cards


def problems_in(path: Path) -> tuple[Problem, ...]:
    """What is wrong with a card or fixture file; nothing if it is fine."""
    try:
        cards_in(path)
    except ScenarioError as error:
        return error.problems
    return ()
