"""Compares observations, for laws: a missing observation never counts as right.

An answer without a promised look breaks the protocol. An engine that stops where the rules let the script
continue breaks the law. If an engine omits what a law asks about, the case counts as not played. Whatever the
engine does report is compared first.

Laws of boards ask how objects look after the whole script (`looks_at_end`, `expect`, `expect_same`). Laws of
games look after every action, as far as the engine gets (`observations_so_far`, `moments`, `require_end`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from conformance.model.comparison import alike, in_words
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.observation import Observations, SeenObject, SeenPlayer, SeenTable, Snapshot, Stopped
from conformance.model.renaming import NewNames, renamed
from conformance.model.scenario import Play, Want
from conformance.model.verdict import in_short
from conformance.properties.law import Broken, PlayFunction
from reference_engine.language.actions import Action, ChooseAction, Look, Try
from reference_engine.language.cards import Card, Keyword
from reference_engine.language.characteristics import colors_of_cost

Keys = frozenset[str]
Looks = Mapping[str, SeenObject]

END = "end"
SIZE: Keys = frozenset({"power", "toughness"})
COLOR_KEYS: Keys = frozenset({"colors"})
SUBTYPE_KEYS: Keys = frozenset({"subtypes"})
KEYWORD_KEYS: Keys = frozenset({"keywords"})
CONTROL: Keys = frozenset({"controller"})
EVERY_KEY: Keys = SIZE | COLOR_KEYS | SUBTYPE_KEYS | KEYWORD_KEYS | CONTROL | {"name", "supertypes", "types"}
"""Everything that the layers determine."""


def observations_so_far(play: PlayFunction, scenario: Play) -> Observations:
    """An engine's observations of a scenario, up to the point where it stops.

    Raises `EngineFailure` if a look or the outcome of a try before that point is missing.
    """
    observed = play(scenario)
    until = observed.stopped.at if observed.stopped else len(scenario.script) + 1
    for action in (*scenario.script, Look("end"))[:until]:
        if isinstance(action, Look) and action.name not in observed.looks:
            raise EngineFailure("protocol", f"the look {action.name} is missing", lives=True)
        if isinstance(action, Try) and action.name not in observed.tried:
            raise EngineFailure("protocol", f"the outcome of the try {action.name} is missing", lives=True)
    return observed


def require_end(observed: Observations, scenario: Play, because: str) -> None:
    """Raises unless the engine played the whole script and reported everything required.

    `Broken` if it stopped against the rules, or if an action left no trace; `CannotPlay` if it says that it
    can't continue, or omits something required.
    """
    not_given_up(observed, scenario, because)
    for moment in moments(scenario, observed):
        if moment.one == moment.other and not isinstance(moment.done, Try):
            raise Broken(
                f"table, {done_in_words(moment)}: nothing has changed\n"
                "  CR 117.3: who passes gives priority away, and who acts puts something on the stack or "
                "moves it"
            )
    for want in scenario.wants:
        look = observed.looks.get(want.look)
        if look is None:
            continue
        thing = about(look, want.of)
        missing = [key for key in needed_keys(want, look) if getattr(thing, key, UNSET) is UNSET]
        if missing:
            raise CannotPlay(f"{want.of}: {min(missing)} is not shown at {want.look}")
    not_unable(observed, scenario)


def not_given_up(observed: Observations, scenario: Play, because: str) -> None:
    """Raises `Broken` if the engine stopped against the rules."""
    stopped = observed.stopped
    if stopped and stopped.why in ("rejected", "loop"):
        raise Broken(
            f"{stopped_at(scenario, stopped)}: stopped\n  expected  goes on\n"
            f"  observed  {stopped.why}: {stopped.says}\n  {because}"
        )


def not_unable(observed: Observations, scenario: Play) -> None:
    """Raises `CannotPlay` if the engine says that it can't continue."""
    stopped = observed.stopped
    if stopped:
        says = stopped.says or stopped.question
        raise CannotPlay(f"{stopped_at(scenario, stopped)}: {stopped.why} {says}")


def stopped_at(scenario: Play, stopped: Stopped) -> str:
    """The action at which the engine stopped, in words."""
    return in_short(scenario.script[stopped.at]) if scenario.script else "the setup"


ALWAYS = frozenset(
    {"active", "graveyard", "hand", "library_size", "life", "priority", "stack", "step", "zone"}
)
"""Keys that must be reported of the table, every player and every object in any zone; otherwise a law cannot
be judged.
"""


def needed_keys(want: Want, look: Snapshot) -> frozenset[str]:
    """The wanted keys that must be reported: on the battlefield all of them."""
    there = look.objects.get(want.of, SeenObject()).zone == "battlefield"
    return want.keys if there else want.keys & ALWAYS


def about(look: Snapshot, of: str) -> SeenTable | SeenPlayer | SeenObject | None:
    """The part of a look about the table, a player or an object."""
    if of == "table":
        return look.table
    return look.players.get(of) or look.objects.get(of)


def facts_at(look: Snapshot, want: Want) -> dict[str, object]:
    """The wanted values that a look reports."""
    thing = about(look, want.of)
    facts = {key: getattr(thing, key, UNSET) for key in sorted(want.keys)}
    return {key: value for key, value in facts.items() if value is not UNSET}


def fact(look: Snapshot, of: str, key: str) -> object:
    """One reported value. Raises `CannotPlay` if it is missing."""
    value: object = getattr(about(look, of), key, UNSET)
    if value is UNSET:
        raise CannotPlay(f"{of}: {key} is not shown")
    return value


# --------------------------------------------------------------------------------------- comparing


def expect_equal(expected: object, observed: object, of: str, key: str, when: str, because: str) -> None:
    """Raises `Broken` unless both are the same; `when` is the moment, empty for the end."""
    if not alike(expected, observed, key):
        at = f"{of}, {when}" if when else of
        raise Broken(
            f"{at}: {key}\n  expected  {value_in_words(expected, key)}\n"
            f"  observed  {value_in_words(observed, key)}"
            f"\n  {because}"
        )


def value_in_words(value: object, key: str) -> str:
    """A value as its reader would write it."""
    return in_words(value, key)  # type: ignore[arg-type]  # whatever an engine may report


def expect_alike(
    one: Snapshot,
    other: Snapshot,
    wants: tuple[Want, ...],
    when: str,
    because: str,
    names: NewNames | None = None,
) -> None:
    """Raises `Broken` unless two looks show the same, up to the new names in `names`.

    Values that only one of them reports are not compared; `require_end` checks for missing ones.
    """
    names = names or {}
    for want in wants:
        if not names and about(one, want.of) == about(other, want.of):
            continue
        here, there = facts_at(one, want), facts_at(other, with_new_name(want, names))
        of = names.get(want.of, want.of)
        for key in sorted(here.keys() & there.keys()):
            expect_equal(renamed(here[key], names), there[key], of, key, when, because)


def with_new_name(want: Want, names: NewNames) -> Want:
    """The same wish for the object's new name."""
    return Want(want.look, names.get(want.of, want.of), want.keys)


# ------------------------------------------------------------------------------------------ boards


def looks_at_end(
    play: PlayFunction, scenario: Play, keys: Keys = EVERY_KEY, of: Iterable[str] | None = None
) -> Looks:
    """How the objects of a scenario (or some of them) look at the end."""
    return looks_by_name(play, scenario, keys, of)[END]


def looks_by_name(
    play: PlayFunction, scenario: Play, keys: Keys = EVERY_KEY, of: Iterable[str] | None = None
) -> dict[str, Looks]:
    """How the objects of a scenario (or some of them) look, at each look."""
    ids = tuple(of) if of is not None else tuple(one.id for one in scenario.objects)
    names = (*(action.name for action in scenario.script if isinstance(action, Look)), END)
    wants = tuple(Want(name, id, keys) for name in names for id in ids)
    observed = played_through(play, replace(scenario, wants=wants))
    shown = {name: observed.looks[name].objects for name in names}
    for name, objects in shown.items():
        for id in ids:
            if id not in objects:
                raise CannotPlay(f"it does not show {id} at {name}")
    return {name: {id: objects[id] for id in ids} for name, objects in shown.items()}


def seen_player(play: PlayFunction, scenario: Play, player: str, keys: Keys) -> SeenPlayer:
    """How a player looks at the end."""
    observed = played_through(play, replace(scenario, wants=(Want(END, player, keys),)))
    if player not in observed.looks[END].players:
        raise CannotPlay(f"it does not show {player}")
    return observed.looks[END].players[player]


def played_through(play: PlayFunction, scenario: Play) -> Observations:
    """An engine's observations of a scenario that it plays to the end."""
    observed = observations_so_far(play, scenario)
    not_given_up(observed, scenario, "CR 117.1a: it is a legal action of the player who has priority")
    not_unable(observed, scenario)
    return observed


def expect(looks: Looks, id: str, because: str, **values: object) -> None:
    """Raises `Broken` if an object has other values than these, and `CannotPlay` if they are missing."""
    absent = None
    for key, expected in values.items():
        observed = getattr(looks[id], key)
        if observed is UNSET:
            absent = absent or f"it does not show {key} of {id}"
        else:
            expect_equal(expected, observed, id, key, "", because)
    if absent:
        raise CannotPlay(absent)


def expect_same(
    one: Looks, other: Looks, because: str, keys: Keys = EVERY_KEY, names: NewNames | None = None
) -> None:
    """Raises `Broken` at the first difference, and `CannotPlay` if a wanted value is missing.

    Compares the objects in `one`; `names` has their names in `other`.
    """
    absent = None
    for id, look in one.items():
        there = other[names[id] if names else id]
        for key in sorted(keys):
            here, then = getattr(look, key), getattr(there, key)
            if here is UNSET or then is UNSET:
                absent = absent or f"it does not show {key} of {id}"
            elif not alike(here, then, key):
                raise Broken(
                    f"{id}: {key}\n  one way    {value_in_words(here, key)}\n"
                    f"  the other  {value_in_words(then, key)}\n"
                    f"  {because}"
                )
    if absent:
        raise CannotPlay(absent)


class ShowsNothing(CannotPlay):
    """An engine can play a case, but the case cannot tell whether it keeps the law."""


def shows_effects(scenario: Play, looks: Looks) -> None:
    """Raises `ShowsNothing` if everything on the battlefield looks as it is printed.

    A law that only compares an engine's answers calls this last, because an engine that applies no effect
    gives equal answers too: where nothing shows an effect, it has not kept the law.
    """
    cards = {one.definition.name: one.definition for one in scenario.cards}
    named = {one.id: cards[one.card] for one in scenario.objects if one.card in cards}
    entries = [entry for arrival in scenario.setup for entry in arrival.entries]
    if not any(
        is_changed(named[entry.id], entry.controller, looks[entry.id])
        for entry in entries
        if entry.id in named and entry.id in looks
    ):
        raise ShowsNothing("everything looks as printed, so nothing shows that any effect applies")


def is_changed(card: Card, controller: str, look: SeenObject) -> bool:
    """Whether a permanent is shown otherwise than its card, or under another player's control."""
    sized = "Creature" in card.types
    printed: dict[str, object] = {
        "name": card.name,
        "types": card.types,
        "subtypes": card.subtypes,
        "supertypes": card.supertypes,
        "colors": card.colors if card.colors is not None else colors_of_cost(card.cost),
        "controller": controller,
    }
    for key in sorted(SIZE):
        size = getattr(card, key)
        if size is None or isinstance(size, int):  # any number may be what a card's text defines
            printed[key] = size if sized else None
    words = {ability.keyword for ability in card.abilities if isinstance(ability, Keyword)}
    shown = look.keywords if look.keywords is not UNSET else words
    begin = {word for word in words if any(keyword.startswith(word) for keyword in shown)}
    return (
        begin != words
        or any(not keyword.startswith(tuple(words)) for keyword in shown)
        or any(
            value is not UNSET and not alike(printed[key], value, key)
            for key, value in ((key, getattr(look, key)) for key in printed)
        )
    )


# ----------------------------------------------------------------------------------------- moments


class Interval(NamedTuple):
    """What was done between two looks, one right after the other, and what they show."""

    before: str
    done: Action
    after: str
    one: Snapshot
    other: Snapshot


def moments(scenario: Play, observed: Observations) -> Iterator[Interval]:
    """Every action between two looks that were shown; with a look after each action, every action."""
    before: str | None = None
    done: list[Action] = []
    for action in (*scenario.script, Look("end")):
        if not isinstance(action, Look):
            done.append(action)
            continue
        if action.name not in observed.looks:
            return
        real = [one for one in done if not isinstance(one, ChooseAction)]
        if before is not None and len(real) == 1:
            there = observed.looks
            yield Interval(before, real[0], action.name, there[before], there[action.name])
        before, done = action.name, []


def done_in_words(moment: Interval) -> str:
    """When a moment was, in words."""
    return f"after {in_short(moment.done)} ({moment.after})"


def wanted_at(scenario: Play, look: str) -> tuple[Want, ...]:
    """What is wanted at a look."""
    return tuple(want for want in scenario.wants if want.look == look)
