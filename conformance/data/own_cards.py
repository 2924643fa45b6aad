"""The user's own cards, by their real names, in addition to the cards that come with the suite.

A file of definitions is YAML as in `fixtures/cards/`, a list in canonical JSON, or JSON lines: what
`conformance cards read --out` writes. A card with the name of one of ours replaces ours only if asked to.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from conformance.checks.names import KnownNames
from conformance.data.card_file import PlacedCard, placed_cards
from conformance.data.library import path_for_display
from conformance.data.loading import known_names
from conformance.model.problems import MOST_KEPT, Problem, ScenarioError, list_of_options
from conformance.wording import card_text
from reference_engine.language.cards import Card

SUFFIXES = (".yaml", ".yml", ".json", ".jsonl")
MOST_NAMED = 10
"""Maximum number of differing cards to name."""


class OwnCards(Mapping[str, Card]):
    """Cards by name. Each is checked on first use, because only a few of many are used."""

    def __init__(self, placed: Mapping[str, PlacedCard]) -> None:
        self._placed = placed
        self._sound: set[str] = set()

    def __getitem__(self, name: str) -> Card:
        """The card with this name. Raises `ScenarioError` if it is invalid."""
        one = self._placed[name]
        if name not in self._sound:
            problems = list(one.problems())
            if problems:
                raise ScenarioError(problems)
            self._sound.add(name)
        return one.card

    def __contains__(self, name: object) -> bool:
        return name in self._placed

    def __iter__(self) -> Iterator[str]:
        return iter(self._placed)

    def __len__(self) -> int:
        return len(self._placed)


def own_cards(paths: Iterable[Path]) -> OwnCards:
    """The cards in these files, and in the files of these folders.

    Raises `ScenarioError` with the problems of all files; a card in JSON is checked when it is used.
    """
    placed: dict[str, PlacedCard] = {}
    problems: list[Problem] = []
    for file in (file for path in paths for file in files_at(path)):
        try:
            for one in placed_cards(file):
                first = placed.setdefault(one.card.name, one)
                if first.card != one.card:
                    what = f"{first.path} has another {one.card.name}"
                    problems.append(Problem(one.path, one.line, 0, one.card.name, what, "keep one of them"))
        except ScenarioError as error:
            problems.extend(error.problems)
    if problems:
        raise ScenarioError(problems[:MOST_KEPT])
    return OwnCards(placed)


def files_at(path: Path) -> Sequence[Path]:
    """The file, or the files of cards in a folder, sorted."""
    if not path.is_dir():
        return (path,)
    files = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
    if not files:
        what, cure = "no cards in this folder", f"files of cards end in {', '.join(SUFFIXES)}"
        raise ScenarioError([Problem(path_for_display(path), 0, 0, "", what, cure)])
    return files


def known_names_with(own: OwnCards, *, first: bool) -> KnownNames:
    """What fixtures may refer to if these cards are added; `first`: they take precedence over ours."""
    known = known_names()
    ours, theirs = dict(known.cards), own
    both: ChainMap[str, Card] = ChainMap(theirs, ours) if first else ChainMap(ours, theirs)  # type: ignore[arg-type]  # nobody writes to it
    return replace(known, cards=both)


def differences_from_ours(own: OwnCards, *, first: bool) -> str | None:
    """One line about the cards that differ from ours of the same name; None if there are none."""
    ours = known_names().cards
    differing = [name for name in sorted(own) if name in ours and differ(ours[name], own[name])]
    if not differing:
        return None
    used = "yours are used" if first else "ours are used, unless you add --cards-first"
    count = "1 card differs" if len(differing) == 1 else f"{len(differing)} cards differ"
    return f"{count} from ours of the same name, {used}: {list_of_options(differing, MOST_NAMED)}"


def differ(card: Card, other: Card) -> bool:
    """Whether two definitions say different things; the names of abilities are only for scripts."""
    return card != other and card_text(card) != card_text(other)
