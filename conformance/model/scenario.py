"""A scenario as a value: who sits there, what lies on the table and since when, what is done, what is to be
seen.

`Play` is what an engine is sent; `Fixture` is a `Play` with its id, rules, sources and expectations,
which no engine ever sees. This is the canonical form: one shape per field, lists of records instead
of maps keyed by ids. Files may be shorter; `scenario_file` turns them into this.
"""

from __future__ import annotations

from msgspec import Struct

from reference_engine.language.actions import Action
from reference_engine.language.cards import Card
from reference_engine.language.setup import Arrival, Object, Player, Start


class CardInPlay(Struct, frozen=True, forbid_unknown_fields=True):
    """A card as an engine is told of it: its definition, its generated rules text, whether it is a real
    card.
    """

    definition: Card
    text: str = ""
    real: bool = False


class Want(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be reported at a look: of which object or player (or `table`), which keys."""

    look: str
    of: str
    keys: frozenset[str]


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """All that an engine needs to play a scenario."""

    players: tuple[Player, ...]
    start: Start
    cards: tuple[CardInPlay, ...] = ()
    objects: tuple[Object, ...] = ()
    setup: tuple[Arrival, ...] = ()
    script: tuple[Action, ...] = ()
    wants: tuple[Want, ...] = ()


class Holds(Struct, frozen=True, forbid_unknown_fields=True):
    """Editions for which something holds: from the date `since` on, up to but not including `until`."""

    since: str | None = None
    until: str | None = None


def holds_in(holds: Holds, edition: str) -> bool:
    """Whether something holds in an edition: from its first date on, and before its last."""
    return (holds.since or "") <= edition and (holds.until is None or edition < holds.until)


class SeenCounters(Struct, frozen=True, forbid_unknown_fields=True):
    """So many counters of a kind, as seen."""

    kind: str
    n: int


Value = None | bool | int | str | tuple[str | int | SeenCounters, ...]


class Equals(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="equals"):
    """It is exactly this; of a list that is a set, the same members in any order."""

    value: Value


class Has(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="has"):
    """It has all of these among others."""

    values: tuple[str, ...]


class Lacks(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="lacks"):
    """It has none of these."""

    values: tuple[str, ...]


class InAnyOrder(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="any_order"):
    """The list has these members, in whatever order."""

    values: tuple[str, ...]


class OneOf(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="one_of"):
    """It is one of these; the rules leave open which."""

    values: tuple[Equals, ...]


class Number(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="count"):
    """There are so many tokens of that name (under that player's control)."""

    name: str
    n: int
    controller: str | None = None


Test = Equals | Has | Lacks | InAnyOrder | OneOf | Number


class SourceSays(Struct, frozen=True, forbid_unknown_fields=True):
    """What a source has instead, and why the expectation differs."""

    value: Value
    reason: str


class Expectation(Struct, frozen=True, forbid_unknown_fields=True):
    """One fact to be seen at a look: about an object, a player or the `table`; about a `try`, key `tried`."""

    look: str
    about: str
    key: str
    test: Test
    because: str = ""
    holds: Holds = Holds()
    source_says: SourceSays | None = None


class Origin(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a counterexample comes from."""

    law: str
    """The name of the property that the engine breaks in it."""
    seed: int
    """The seed of the search."""
    looks: str
    """How the bug looks, whatever the case: the same for the same bug, as far as one can see."""


class Fixture(Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario with its name and what is expected of it."""

    id: str
    title: str
    rules: tuple[str, ...]
    play: Play
    expect: tuple[Expectation, ...] = ()
    source: tuple[str, ...] = ()
    holds: Holds = Holds()
    note: str = ""
    disputed: str = ""
    """Why this fixture is shown but not scored, if it is not."""
    found: Origin | None = None
    """The search that found it, if a search did."""
