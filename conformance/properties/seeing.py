"""What an engine shows of a scenario, for laws: nothing that is missing is ever taken for right.

An answer that lacks a look it promised breaks the protocol, a script given up that the rules let go on
breaks the law, and an engine that leaves out what a law asks about has not kept it: such a case cannot be
played. Whatever is shown is compared first.

Laws of boards ask how objects look, and need the whole script for it (`seen`, `expect`, `expect_same`).
Laws of games look on after every action, as far as the engine comes (`begun`, `moments`, `ended`).
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

Keys = frozenset[str]
Looks = Mapping[str, SeenObject]

END = "end"
SIZE: Keys = frozenset({"power", "toughness"})
COLOR_KEYS: Keys = frozenset({"colors"})
SUBTYPES: Keys = frozenset({"subtypes"})
KEYWORD_KEYS: Keys = frozenset({"keywords"})
CONTROL: Keys = frozenset({"controller"})
EVERY_KEY: Keys = SIZE | COLOR_KEYS | SUBTYPES | KEYWORD_KEYS | CONTROL | {"name", "supertypes", "types"}
"""All that the layers decide."""


def begun(play: PlayFunction, scenario: Play) -> Observations:
    """What an engine shows of a scenario, as far as it comes.

    Raises `EngineFailure` for a look or the outcome of a try up to there that is missing.
    """
    observed = play(scenario)
    until = observed.stopped.at if observed.stopped else len(scenario.script) + 1
    for action in (*scenario.script, Look("end"))[:until]:
        if isinstance(action, Look) and action.name not in observed.looks:
            raise EngineFailure("protocol", f"the look {action.name} is missing", lives=True)
        if isinstance(action, Try) and action.name not in observed.tried:
            raise EngineFailure("protocol", f"the outcome of the try {action.name} is missing", lives=True)
    return observed


def ended(observed: Observations, scenario: Play, because: str) -> None:
    """Raises unless the play came to the end of its script, with everything shown on the way that has to be.

    `Broken` where the script was given up against the rules or where nothing is seen of what was done;
    `CannotPlay` where the engine says that it can't go on, or does not show what was asked about.
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
        missing = [] if look is None else sorted(needed(want, look) - facts_at(look, want).keys())
        if missing:
            raise CannotPlay(f"{want.of}: {missing[0]} is not shown at {want.look}")
    not_unable(observed, scenario)


def not_given_up(observed: Observations, scenario: Play, because: str) -> None:
    """Raises `Broken` where the script was given up against the rules."""
    stopped = observed.stopped
    if stopped and stopped.why in ("rejected", "loop"):
        raise Broken(
            f"{stopped_at(scenario, stopped)}: stopped\n  expected  goes on\n"
            f"  observed  {stopped.why}: {stopped.says}\n  {because}"
        )


def not_unable(observed: Observations, scenario: Play) -> None:
    """Raises `CannotPlay` where the engine says that it can't go on."""
    stopped = observed.stopped
    if stopped:
        says = stopped.says or stopped.question
        raise CannotPlay(f"{stopped_at(scenario, stopped)}: {stopped.why} {says}")


def stopped_at(scenario: Play, stopped: Stopped) -> str:
    """What of a script could not be done."""
    return in_short(scenario.script[stopped.at]) if scenario.script else "the setup"


ALWAYS = frozenset(
    {"active", "graveyard", "hand", "library_size", "life", "priority", "stack", "step", "zone"}
)
"""What is shown of the table, of every player and of every object wherever it is, or a law can't be judged.
"""


def needed(want: Want, look: Snapshot) -> frozenset[str]:
    """What has to be shown of what is wanted: on the battlefield all of it."""
    there = look.objects.get(want.of, SeenObject()).zone == "battlefield"
    return want.keys if there else want.keys & ALWAYS


def about(look: Snapshot, of: str) -> SeenTable | SeenPlayer | SeenObject | None:
    """What a look shows of the table, a player or an object."""
    if of == "table":
        return look.table
    return look.players.get(of) or look.objects.get(of)


def facts_at(look: Snapshot, want: Want) -> dict[str, object]:
    """All that is shown of what is wanted."""
    thing = about(look, want.of)
    facts = {key: getattr(thing, key, UNSET) for key in sorted(want.keys)}
    return {key: value for key, value in facts.items() if value is not UNSET}


def fact(look: Snapshot, of: str, key: str) -> object:
    """One thing that is shown; raises `CannotPlay` if it is not."""
    value: object = getattr(about(look, of), key, UNSET)
    if value is UNSET:
        raise CannotPlay(f"{of}: {key} is not shown")
    return value


# --------------------------------------------------------------------------------------- comparing


def expect_equal(expected: object, observed: object, of: str, key: str, when: str, because: str) -> None:
    """Raises `Broken` unless both are the same; `when` that was is told if it is more than the end."""
    if not alike(expected, observed, key):
        at = f"{of}, {when}" if when else of
        raise Broken(
            f"{at}: {key}\n  expected  {worded(expected, key)}\n  observed  {worded(observed, key)}"
            f"\n  {because}"
        )


def worded(value: object, key: str) -> str:
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
    """Raises `Broken` unless two looks show the same, the other perhaps under other names.

    What only one of them shows is not compared; `ended` says what has to be shown.
    """
    names = names or {}
    for want in wants:
        here, there = facts_at(one, want), facts_at(other, replaced(want, names))
        of = names.get(want.of, want.of)
        for key in sorted(here.keys() & there.keys()):
            expect_equal(renamed(here[key], names), there[key], of, key, when, because)


def replaced(want: Want, names: NewNames) -> Want:
    """The same wish of a thing by its other name."""
    return Want(want.look, names.get(want.of, want.of), want.keys)


# ------------------------------------------------------------------------------------------ boards


def seen(
    play: PlayFunction, scenario: Play, keys: Keys = EVERY_KEY, of: Iterable[str] | None = None
) -> Looks:
    """How the objects of a scenario (or some of them) look at the end."""
    return seen_at(play, scenario, keys, of)[END]


def seen_at(
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
    """What an engine shows of a scenario, if it goes through to the end."""
    observed = begun(play, scenario)
    not_given_up(observed, scenario, "CR 117.1a: it is a legal action of the player who has priority")
    not_unable(observed, scenario)
    return observed


def expect(looks: Looks, id: str, because: str, **values: object) -> None:
    """Raises `Broken` if an object does not look like this, and `CannotPlay` if it does not show it."""
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
    """Raises `Broken` at the first difference, and `CannotPlay` if something wanted is not shown.

    Only what is in the first is compared; `names` says what its objects are called in the other.
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
                    f"{id}: {key}\n  one way    {worded(here, key)}\n  the other  {worded(then, key)}\n"
                    f"  {because}"
                )
    if absent:
        raise CannotPlay(absent)


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
