"""Expectations taken from an engine's own answer, marked until a person has read them.

Such a scenario says what an engine shows, not what is right. The mark makes it *disputed*: its results are
shown and never scored, so an engine cannot be evidence of itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from conformance.checks.fixtures import findings_of
from conformance.checks.names import KnownNames
from conformance.model.observation import Observations, SeenObject, SeenPlayer, Snapshot
from conformance.model.scenario import Equals, Expectation, Fixture, InAnyOrder, Play, Want
from reference_engine.language.actions import Look

MARK = "the reference engine filled in these expectations; read them, then remove this line"
KEYS_OF_PERMANENTS = (
    *("controller", "colors", "types", "subtypes", "power", "toughness", "loyalty"),
    *("keywords", "counters", "tapped", "attached_to", "damage"),
)
KEYS_OF_PLAYERS = ("life", "hand", "library_size", "graveyard", "exile", "lost")
KEYS_OF_THE_TABLE = ("active", "step", "priority", "stack", "over")


def with_wants(play: Play) -> Play:
    """The play, asking at each look for everything that can be filled in."""
    looks = [*(action.name for action in play.script if isinstance(action, Look)), "end"]
    wants = [want for look in looks for want in wants_at(look, play)]
    return replace(play, wants=tuple(wants))


def wants_at(look: str, play: Play) -> Iterator[Want]:
    """What to report at a look."""
    yield Want(look, "table", frozenset(KEYS_OF_THE_TABLE))
    for player in play.players:
        yield Want(look, player.id, frozenset(KEYS_OF_PLAYERS))
    for one in play.objects:
        yield Want(look, one.id, frozenset({"zone", *KEYS_OF_PERMANENTS}))


def filled(fixture: Fixture, seen: Observations, known: KnownNames) -> Fixture:
    """The fixture, expecting what was seen, without what only repeats its input."""
    expect = [one for look, snapshot in seen.looks.items() for one in expected_at(look, snapshot)]
    full = replace(fixture, expect=tuple(expect), disputed=MARK)
    repeated = {one.at[1] for one in findings_of(full, known) if one.at[:1] == ("expect",)}
    return replace(full, expect=tuple(one for at, one in enumerate(expect) if at not in repeated))


def expected_at(look: str, snapshot: Snapshot) -> Iterator[Expectation]:
    """An expectation for each value that was seen at a look.

    CR 104.1: a game that is over ends at once. What an engine leaves lying about then is its own affair.
    """
    over = snapshot.table.over is True
    for key in ("over",) if over else KEYS_OF_THE_TABLE:
        value = getattr(snapshot.table, key)
        if value is not UNSET:
            yield expectation(look, "table", key, value)
    every: dict[str, SeenObject | SeenPlayer] = {**snapshot.players, **({} if over else snapshot.objects)}
    for about, seen in every.items():
        for key in ("life", "lost") if over else keys_of_interest(seen):
            value = getattr(seen, key)
            if value is not UNSET:
                yield expectation(look, about, key, value)


def keys_of_interest(seen: SeenObject | SeenPlayer) -> tuple[str, ...]:
    """The keys that are worth an expectation: a card outside of the battlefield only has its zone."""
    if isinstance(seen, SeenPlayer):
        return KEYS_OF_PLAYERS
    if seen.zone != "battlefield":
        return ("zone",)
    sized = () if seen.power is None else ("power", "toughness")
    rest = [key for key in KEYS_OF_PERMANENTS if key not in ("power", "toughness")]
    return (
        "zone",
        *sized,
        *(key for key in rest if getattr(seen, key) not in (None, (), frozenset(), False, 0)),
    )


def expectation(look: str, about: str, key: str, value: object) -> Expectation:
    """An expectation of this value. CR 404.3: a graveyard's order is partly its owner's choice."""
    if key == "graveyard" and isinstance(value, tuple) and len(value) > 1:
        return Expectation(look, about, key, InAnyOrder(value))
    listed = tuple(sorted(value)) if isinstance(value, frozenset) else value
    return Expectation(look, about, key, Equals(listed))  # type: ignore[arg-type]  # a value of a look
