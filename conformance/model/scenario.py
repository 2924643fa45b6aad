"""A scenario as a value: the players, the objects in order, the actions, and the expected results.

`Play` is what an engine receives. `Fixture` is a `Play` with its id, rules, sources and expectations, which
no engine ever sees. This is the canonical form: one shape per field, and lists of records instead of maps
keyed by ids. Files may be shorter; `fixture_file` converts them to this form.
"""

from __future__ import annotations

from msgspec import Struct

from reference_engine.language.actions import Action
from reference_engine.language.cards import Card
from reference_engine.language.setup import Arrival, Object, Player, Start


class CardInPlay(Struct, frozen=True, forbid_unknown_fields=True):
    """A card as an engine receives it: definition, generated rules text, and whether it is a real card."""

    definition: Card
    text: str = ""
    real: bool = False


class Want(Struct, frozen=True, forbid_unknown_fields=True):
    """What to report at a look: these keys of an object, a player or the `table`."""

    look: str
    of: str
    keys: frozenset[str]


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that an engine needs to play a scenario."""

    players: tuple[Player, ...]
    start: Start
    cards: tuple[CardInPlay, ...] = ()
    objects: tuple[Object, ...] = ()
    setup: tuple[Arrival, ...] = ()
    script: tuple[Action, ...] = ()
    wants: tuple[Want, ...] = ()


class Holds(Struct, frozen=True, forbid_unknown_fields=True):
    """Editions for which something holds: from the date `since` up to but not including `until`."""

    since: str | None = None
    until: str | None = None


def holds_in(holds: Holds, edition: str) -> bool:
    """Whether something holds in an edition."""
    return (holds.since or "") <= edition and (holds.until is None or edition < holds.until)


class SeenCounters(Struct, frozen=True, forbid_unknown_fields=True):
    """A number of counters of one kind, as observed."""

    kind: str
    n: int


Value = None | bool | int | str | tuple[str | int | SeenCounters, ...]


class Equals(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="equals"):
    """Exactly this value; lists that stand for a set match in any order."""

    value: Value


class Has(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="has"):
    """All of these, possibly among others."""

    values: tuple[str, ...]


class Lacks(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="lacks"):
    """None of these."""

    values: tuple[str, ...]


class InAnyOrder(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="any_order"):
    """A list with exactly these members, in any order."""

    values: tuple[str, ...]


class OneOfTest(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="one_of"):
    """One of these; the rules leave open which."""

    values: tuple[Equals, ...]


class Number(Struct, frozen=True, forbid_unknown_fields=True, tag_field="test", tag="count"):
    """This number of tokens with the name (under that player's control)."""

    name: str
    n: int
    controller: str | None = None


Test = Equals | Has | Lacks | InAnyOrder | OneOfTest | Number


class SourceSays(Struct, frozen=True, forbid_unknown_fields=True):
    """What a source claims instead, and why the expectation differs."""

    value: Value
    reason: str


class Expectation(Struct, frozen=True, forbid_unknown_fields=True):
    """An expected value at a look: of an object, a player or the `table`; for a `try`, the key is `tried`."""

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
    """Name of the broken property."""
    seed: int
    """Seed of the search."""
    looks: str
    """The signature of the bug: as far as possible, equal for different cases of the same bug."""


FOUND_IDS = "F-"
"""Prefix of ids of fixtures that a search found."""


class Fixture(Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario with its id, title and expectations."""

    id: str
    title: str
    rules: tuple[str, ...]
    play: Play
    expect: tuple[Expectation, ...] = ()
    source: tuple[str, ...] = ()
    caught: tuple[str, ...] = ()
    """Reports of real bugs that it would have caught, such as `magefree/mage#6147`."""
    holds: Holds = Holds()
    note: str = ""
    disputed: str = ""
    """Why this fixture is shown but not scored; empty if it is scored."""
    found: Origin | None = None
    """The search that found it, if any."""
