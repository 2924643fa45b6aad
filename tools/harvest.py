"""Finds scenarios that distinguish machine-made engines from the reference engine, and stores some of them.

`python -m tools harvest --folder DIR` goes through the changes that `machine-made` tries, in an order drawn
by a seed. For each change it plays scenarios that the laws draw and whose play runs the changed lines, first
those that noticed earlier changes, until scenarios of several laws differ from the reference engine. The
differences are kept in DIR, from which an interrupted search continues. With `--store` it then chooses that
many scenarios, which together notice as many of these changes twice, and run as many lines, as possible, and
stores them in the corpus. They expect the values that differ and what happens in them, each with the rule and
the reason from the account of the play. `--changes FILE` goes through the changes that a file names, such as
the list of those alive that `machine-made` prints, and gives each more time.
"""

from __future__ import annotations

import gc
import heapq
import importlib
import json
import random
import re
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO, TypeVar

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from conformance.data.library import all_fixtures
from conformance.data.loading import checked_json
from conformance.data.rulebook import newest_edition
from conformance.files.canonical import decode, digest, encode
from conformance.measure.corpus import MOST_THINGS, corpus, with_content_id, with_failures_of_blind_engines
from conformance.measure.reach import examples_of
from conformance.model.engine import EngineFailure, suite_version
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import CardInPlay, Expectation, Fixture, Play, Want
from conformance.model.verdict import PassVerdict, judge
from conformance.play.runner import has_expectations
from conformance.properties import DRAWN_ALONE, PROPERTIES
from conformance.run.reasons import Reasons, rules_in
from conformance.search.found import ComparedAnswer, differences, facts, play_for_expectations, value_at
from conformance.search.smaller import without_object, without_unused_cards
from conformance.shards.lists import ListPlan, play_list
from conformance.shards.players import processes
from conformance_adapters.degenerate import as_put
from conformance_adapters.in_process import Reference
from reference_engine.language.actions import Action, Call, ChooseAction, Look, Try
from tools.code_changes import (
    MODULES,
    CodeChange,
    Identity,
    forget,
    identified_changes,
    module_name,
    output_of_fork,
)
from tools.corpus import BLIND, HARVESTED, reason_otherwise, write
from tools.machine_made import changes_to_try, decides_nothing
from tools.own_mutants import lines_noted
from tools.play_cards import COMPANY

MOST_THINGS_OF_FIXTURES = 12
"""Scenarios of fixtures, also varied ones, may be larger at first, because they are reduced later."""
BLOCK = 20
"""Number of changes in a shard."""
TWICE = 2
"""Number of scenarios, of different laws, that should notice each change."""
MOST = 6
"""Number of stored scenarios to note for one change."""
SECONDS, SECONDS_IF_CHOSEN = 1.2, 8.0
"""Processor time for one change, and for one that was named."""
CHANGE_NAMED = re.compile(r"\b(reference_engine/\S+\.py) ([0-9a-f]{12})\b")
"""A change in a list: its module and its id."""
SECONDS_A_PLAY = 2.0
"""A play that takes longer, in seconds of processor time, shows a difference."""
DIFFERENCES = 12
"""Number of differences to note for one scenario."""
KEYS_OF_NAMES = frozenset({"card", "name", "named"})
"""The keys of a scenario whose values are names of cards."""
MOST_EXPECTATIONS = 30
MOST_RULES = 8
PLACES = 3
"""Number of differing values to expect for each change."""
CHANGE_WORTH = 6
"""Value of noticing a change, in lines that no other stored scenario runs."""
LEAST_SECONDS = 0.003
"""Fixed cost of a scenario in the gate, in seconds, besides its play."""

OBJECT_KEYS = frozenset(
    [
        "power",
        "toughness",
        "colors",
        "subtypes",
        "keywords",
        "controller",
        "name",
        "supertypes",
        "types",
        "tapped",
        "zone",
        "counters",
        "attached_to",
        "damage",
        "face_down",
        "attacking",
        "blocking",
        "mana_value",
        "loyalty",
    ]
)
PLAYER_KEYS = frozenset(
    ["life", "library_size", "exile", "pool", "lost", "counters", "hand_size", "land_plays", "keywords"]
)
TABLE_KEYS = frozenset(["stack", "step", "active", "priority", "over", "tokens"])
"""Keys that the rules decide in every scenario. The order of a graveyard and the top of a library are left
out, because players may be free to choose them.
"""


class Candidate(Struct, eq=False):
    """A scenario that asks for everything, the right answer, and the lines that its play runs."""

    id: str
    law: str
    play: Play
    expected: Observations
    lines: Mapping[str, int]
    """For each module, a number with a bit for each line."""
    seconds: float


class Detection(Struct, frozen=True):
    """A scenario that notices a change, and where it differs: look, subject, key."""

    scenario: str
    law: str
    differs: tuple[tuple[str, str, str], ...]
    """Empty if the changed engine broke."""


class Harvest(Struct, frozen=True):
    """The scenarios that notice a change."""

    id: str
    what: Identity
    by: tuple[Detection, ...]
    explained: bool = False


# ------------------------------------------------------------------------------------ the scenarios


def with_all_looks(play: Play) -> Play:
    """The scenario, asking for everything after each action."""
    play = replace(play, script=tuple(with_moments(play.script)))
    looks = [*(action.name for action in play.script if isinstance(action, Look)), "end"]
    wants = [
        want
        for look in looks
        for want in (
            *(Want(look, one.id, OBJECT_KEYS) for one in play.objects),
            *(Want(look, player.id, PLAYER_KEYS) for player in play.players),
            Want(look, "table", TABLE_KEYS),
        )
    ]
    return replace(play, wants=tuple(wants))


def with_moments(script: Sequence[Action]) -> Iterator[Action]:
    """The script with a look after each action."""
    names = (f"moment{number}" for number in range(1, len(script) + 1))
    for number, action in enumerate(script):
        yield action
        after = script[number + 1] if number + 1 < len(script) else Look("end")
        if not isinstance(action, Look | ChooseAction | Call) and not isinstance(after, Look):
            yield Look(next(names))


def of_legal_actions(play: Play) -> Play:
    """The scenario, asking for the legal actions at each look."""
    looks = [*(action.name for action in play.script if isinstance(action, Look)), "end"]
    return replace(play, wants=tuple(Want(look, "table", frozenset({"legal"})) for look in looks))


def drawn_plays(
    examples: int, seed: int, engine: Reference, say: Callable[[str], None]
) -> Iterator[tuple[str, Play]]:
    """The stored scenarios, those of fixtures, those that the laws draw, and variants of some that ask for
    the legal actions.
    """
    for number, fixture in enumerate(corpus().values()):
        yield f"stored {number}", fixture.play
    for fixture in all_fixtures().values():
        large = len(fixture.play.objects) > MOST_THINGS_OF_FIXTURES
        if has_expectations(fixture, newest_edition()) and not fixture.disputed and not large:
            yield fixture.id, with_all_looks(fixture.play)
    for law in PROPERTIES:
        some = 0
        most = MOST_THINGS if law in DRAWN_ALONE else MOST_THINGS_OF_FIXTURES
        for plays in examples_of(law, engine.play, examples * law.times, seed):
            for play in plays:
                if len(play.objects) <= most:
                    yield law.name, with_all_looks(play)
                    some += 1
                    if some in (2, 7):
                        yield law.name, of_legal_actions(play)


def candidates(
    examples: int, seed: int, modules: Sequence[str], say: Callable[[str], None]
) -> Iterator[Candidate]:
    """The stored scenarios, and then those that the laws draw, each once and without the big ones."""
    engine = Reference()
    seen: set[str] = set()
    drawn = list(drawn_plays(examples, seed, engine, say))
    say(f"{len(drawn):,} scenarios drawn")
    for law_name, play in drawn:
        name = digest(play)
        if name in seen:
            continue
        seen.add(name)
        begin = time.process_time()
        try:
            expected = engine.play(play)
        except ScenarioError:
            continue
        taken = time.process_time() - begin
        if expected.stopped is None:
            yield Candidate(name, law_name, play, expected, lines_of_play(engine, play, modules), taken)


def lines_of_play(engine: Reference, play: Play, modules: Sequence[str]) -> dict[str, int]:
    """The lines of each module that playing a scenario runs."""
    forget("reference_engine")
    with lines_noted(modules) as lines:
        engine.play(play)
    return {module: bits(run) for module, run in lines.items()}


def bits(lines: Iterable[int]) -> int:
    """A number with a bit for each line."""
    number = 0
    for line in lines:
        number |= 1 << line
    return number


# ----------------------------------------------------------------------------------- changed engines


class PlayTimeout(BaseException):
    """A play takes too much processor time."""


def too_long(number: int, frame: FrameType | None) -> None:
    raise PlayTimeout


def answer_of(engine: Reference, play: Play) -> Observations | EngineFailure:
    """The answer of a changed engine, which may break in any way."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS_A_PLAY)
    try:
        return engine.play(play)
    except (Exception, PlayTimeout) as error:
        return EngineFailure("crash", type(error).__name__)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def noticing(
    change: CodeChange, module: str, some: Sequence[Candidate], stored: int, seconds: float
) -> list[Detection]:
    """The scenarios that notice a change. Of the first `stored` ones, a few more are found than needed."""

    def work(told: BinaryIO) -> None:
        signal.signal(signal.SIGPROF, too_long)
        name = module_name(module)
        change.take_over(sys.modules[name])
        forget("reference_engine")
        engine, begin = Reference(), time.process_time()
        found: list[Detection] = []
        for number, one in enumerate(some):
            if len(found) >= (MOST if number < stored else TWICE):
                break
            if time.process_time() - begin > (seconds if number >= stored else 2 * seconds):
                break
            if number >= stored and any(one.law == other.law for other in found):
                continue
            noticed = noticed_by(engine, one)
            if noticed:
                found.append(noticed)
                told.write(msgspec.json.encode(noticed) + b"\n")

    found = []
    for line in output_of_fork(work)[0].splitlines():
        try:
            found.append(msgspec.json.decode(line, type=Detection))
        except msgspec.MsgspecError:
            continue
    return found


def noticed_by(engine: Reference, one: Candidate) -> Detection | None:
    """Whether a changed engine differs in a scenario, and where."""
    answer = answer_of(engine, one.play)
    if isinstance(answer, EngineFailure):
        return Detection(one.id, one.law, ())
    if answer.looks == one.expected.looks and answer.tried == one.expected.tried and not answer.stopped:
        return None
    wrong = decided_differences(ComparedAnswer(one.play, answer, one.expected), "")
    places = tuple((each.look, each.about, each.key) for each in wrong[:DIFFERENCES])
    return Detection(one.id, one.law, places) if places else None


def decided_differences(compared: ComparedAnswer, because: str) -> list[Expectation]:
    """The differences that the rules decide; for objects outside the battlefield, only their zone."""
    looks = compared.expected.looks

    def counts(one: Expectation) -> bool:
        if one.key in ("tried", "zone") or one.look not in looks or one.about not in looks[one.look].objects:
            return True
        return value_at(looks[one.look], one.about, "zone") in ("battlefield", UNSET)

    return [one for one in differences(compared, because) if counts(one)]


# ------------------------------------------------------------------------------------- the search


def search_changes(
    pool: Sequence[Candidate],
    front: list[Candidate],
    wanted: frozenset[str],
    modules: Sequence[str],
    seed: int,
    seconds: float,
) -> Iterator[Harvest]:
    """What notices each of these changes. The scenarios of `front` are tried first; those that notice
    something move to its beginning.
    """
    dice = random.Random(seed)
    order = sorted(pool, key=lambda one: (len(one.play.objects) + len(one.play.script), dice.random()))
    by_id = {one.id: one for one in (*front, *pool)}
    for module in modules:
        name = module_name(module)
        for identity, change in identified_changes(module):
            if identity.id not in wanted:
                continue
            if decides_nothing(identity):
                yield Harvest(identity.id, identity, (), explained=True)
                continue
            there = bits(change.lines)
            first = [one for one in front if one.lines[name] & there]
            met = {one.id for one in first}
            rest = [one for one in order if one.lines[name] & there and one.id not in met]
            dice.shuffle(rest)
            rest.sort(key=lambda one: one.seconds > 0.004)
            by = noticing(change, module, [*first, *rest], len(first), seconds)
            for noticed in reversed(by):
                one = by_id[noticed.scenario]
                if one in front:
                    front.remove(one)
                front.insert(0, one)
            yield Harvest(identity.id, identity, tuple(by))


def drawn_pool(
    examples: int, seed: int, modules: Sequence[str], say: Callable[[str], None]
) -> tuple[list[Candidate], list[Candidate]]:
    """The stored scenarios, and those that laws draw."""
    names = [module_name(module) for module in modules]
    for name in names:
        importlib.import_module(name)
    every = list(candidates(examples, seed, names, say))
    stored = [one for one in every if one.law.startswith("stored ")]
    say(f"{len(stored):,} scenarios are stored, {len(every) - len(stored):,} are new")
    return stored, [one for one in every if not one.law.startswith("stored ")]


def search_and_store(
    work: Path | None,
    part: tuple[int, int],
    sample: int,
    seed: int,
    examples: int,
    store: int,
    folder: Path,
    modules: Sequence[str] = MODULES,
    *,
    named: Path | None = None,
) -> str:
    """Search changes in the order drawn by the seed, so that a part of the work covers a part of each module;
    then store scenarios. The folder `work` keeps what was found. `named` lists the changes to search.
    """
    stored, pool = drawn_pool(examples, seed, modules, print)
    by_id = {one.id: one for one in pool}
    front = list(stored)
    every: Sequence[str] = changes_to_try(None, seed, modules)
    if named is not None:
        wanted = {" ".join(found) for found in CHANGE_NAMED.findall(named.read_text(encoding="utf-8"))}
        every = [item for item in every if item in wanted]
    seconds = SECONDS if named is None else SECONDS_IF_CHOSEN
    items = tuple(random.Random(seed).sample(every, min(sample, len(every))))
    settings = f"seed {seed}, {examples} examples" + (f", {named}" if named else "")
    plan = ListPlan(suite_version(), "python -m tools harvest", settings, items, BLOCK, part)
    results: list[Harvest] = []

    def tell(_: tuple[str, ...], result: bytes) -> None:
        found = msgspec.json.decode(result, type=list[Harvest])
        results.extend(found)
        for noticed in (noticed for one in found for noticed in one.by):
            if noticed.scenario in by_id and by_id[noticed.scenario] not in front:
                front.insert(0, by_id[noticed.scenario])

    def searched(some: tuple[str, ...]) -> bytes:
        some_ids = frozenset(item.split()[1] for item in some)
        return msgspec.json.encode(list(search_changes(pool, front, some_ids, modules, seed, seconds)))

    gc.freeze()
    play_list(plan, searched, partial(processes, 1), work, tell)
    write_some(chosen_scenarios(results, pool, stored), store, folder)
    return summary(results)


# ------------------------------------------------------------------------------------- the choice


def chosen_scenarios(
    results: Sequence[Harvest], pool: Sequence[Candidate], stored: Sequence[Candidate]
) -> Iterator[tuple[Candidate, tuple[tuple[str, str, str], ...]]]:
    """A small number of scenarios that notice the changes twice and run lines that no stored scenario runs,
    each with the places where it differs. The next one is always the one that adds most for its time.
    """
    noticing: dict[str, list[tuple[str, Detection]]] = defaultdict(list)
    need: dict[str, int] = {}
    kept = {one.id for one in stored}
    for result in results:
        by_stored = {noticed.law for noticed in result.by if noticed.scenario in kept}
        need[result.id] = max(0, TWICE - len(by_stored))
        for noticed in result.by:
            if noticed.scenario not in kept:
                noticing[noticed.scenario].append((result.id, noticed))
    once, twice = Lines(), Lines()
    for one in stored:
        twice.add(once.add(one.lines))

    def worth(one: Candidate) -> float:
        changes = sum(need[change] > 0 for change, _ in noticing[one.id])
        lines = once.new(one.lines) + twice.new(one.lines) / 4
        return (CHANGE_WORTH * changes + lines) / (LEAST_SECONDS + one.seconds)

    left = {one.id: one for one in pool}
    for id in most_worth_first(left, lambda id: worth(left[id])):
        twice.add(once.add(left[id].lines))
        places: dict[tuple[str, str, str], None] = {}
        for change, noticed in noticing[id]:
            if need[change] > 0:
                need[change] -= 1
                places |= dict.fromkeys(noticed.differs[:PLACES])
        yield left[id], tuple(places)


_Thing = TypeVar("_Thing", bound=Hashable)


def most_worth_first(things: Iterable[_Thing], worth: Callable[[_Thing], float]) -> Iterator[_Thing]:
    """The things in the order of what each is worth when its turn comes; those worth nothing are left out.

    What is chosen may only make the others worth less.
    """
    every = tuple(things)
    worths = [(-worth(one), place) for place, one in enumerate(every)]
    heapq.heapify(worths)
    while worths:
        _, place = heapq.heappop(worths)
        now = -worth(every[place])
        if now and worths and now > worths[0][0]:
            heapq.heappush(worths, (now, place))
        elif now:
            yield every[place]


def write_some(
    chosen: Iterable[tuple[Candidate, tuple[tuple[str, str, str], ...]]],
    many: int,
    folder: Path,
    note: str = HARVESTED,
    *,
    real: bool = False,
) -> int:
    """Store the first scenarios that can be stored; returns their number."""
    stored: set[str] = set()
    for one, places in chosen:
        if len(stored) == many:
            break
        fixture = stored_fixture(one, places, note, real=real)
        if fixture is not None:
            write(fixture, folder)
            stored.add(fixture.id)
    return len(stored)


class Lines:
    """Lines of modules that some scenario runs."""

    def __init__(self) -> None:
        self._lines: Counter[str] = Counter()

    def new(self, lines: Mapping[str, int]) -> int:
        """The number of these lines that are new."""
        return sum((there & ~self._lines[module]).bit_count() for module, there in lines.items())

    def add(self, lines: Mapping[str, int]) -> dict[str, int]:
        """Add these lines; return those of them that were already there."""
        before = {module: there & self._lines[module] for module, there in lines.items()}
        for module, there in lines.items():
            self._lines[module] |= there
        return before


def stored_fixture(
    one: Candidate, places: Iterable[tuple[str, str, str]], note: str = HARVESTED, *, real: bool = False
) -> Fixture | None:
    """The scenario, expecting the values at these places and what happens in it, each with its reason; `None`
    if it cannot be stored. `real` keeps real cards, and then the scenario may be larger.
    """
    engine = Reference()
    known = all_fixtures().get(one.law)
    law = next((law for law in PROPERTIES if law.name == one.law), None)
    title = known.title if known else law.says.rstrip(".") if law else ""
    rule = (known or law).rules[0]  # type: ignore[union-attr]  # it is one of them
    wanted = [*dict.fromkeys((*places, *places_of_change(one.play, one.expected)))][:MOST_EXPECTATIONS]
    play = small_enough(one.play, wanted, engine, MOST_THINGS_OF_FIXTURES if real else MOST_THINGS)
    if play is None:
        return None
    if real:
        title = title_of(play)
    expected = engine.play(play)
    reasons = Reasons(play)
    every = {(each.look, each.about, each.key): each for each in facts(play, expected, "")}
    expect = [replace(every[at], because=reasons.of(every[at])) for at in wanted if at in every]
    expect = [
        replace(each, because=each.because or reason_otherwise(each, rule))
        for each in expect
        if each.because or (each.look, each.about, each.key) in places
    ]
    if not expect:
        return None
    cited = rules_in(each.because for each in expect)[:MOST_RULES]
    fixture = Fixture("", title, cited, play_for_expectations(play, expect), tuple(expect), note=note)
    whole = with_failures_of_blind_engines(fixture, play, engine, BLIND)
    if whole is None:
        return None
    reasons = Reasons(whole.play)
    explained_all = tuple(
        replace(each, because=each.because or reasons.of(each) or reason_otherwise(each, rule))
        for each in whole.expect
    )
    whole = replace(whole, expect=explained_all)
    whole = with_content_id(whole if real else invented(whole))
    try:
        checked_json(encode(whole), whole.id)
        answer = engine.play(whole.play)
    except ScenarioError:  # what is shown cannot be written as an expectation, or two cards share a name now
        return None
    verdict = judge(whole, answer, newest_edition(), checks_understanding=True)
    return whole if isinstance(verdict, PassVerdict) else None


def title_of(play: Play) -> str:
    """What a scenario of real cards is about: all of its cards but their company."""
    names = {one.card for one in play.objects} - set(COMPANY)
    return f"{', '.join(sorted(names))}: what they say happens"


def invented(fixture: Fixture) -> Fixture:
    """The fixture with invented cards in place of real ones, since a real card may be corrected later.

    They equal the real cards, except that their names begin with Test.
    """
    names = {card.definition.name: f"Test {card.definition.name}" for card in fixture.play.cards if card.real}

    def renamed(value: Any, key: str = "") -> Any:
        if isinstance(value, str):
            return names.get(value, value) if key in KEYS_OF_NAMES else value
        if isinstance(value, list):
            return [renamed(member, key) for member in value]
        if isinstance(value, dict):
            expects = value.get("key") == "name"  # then it is the expected value
            return {
                inside: renamed(member, "name" if expects or key == "name" else inside)
                for inside, member in value.items()
            }
        return value

    other = decode(json.dumps(renamed(json.loads(encode(fixture)))).encode(), Fixture)
    cards = tuple(CardInPlay(card.definition) for card in other.play.cards)
    return replace(other, play=replace(other.play, cards=cards))


def places_of_change(play: Play, expected: Observations) -> Iterator[tuple[str, str, str]]:
    """The places where something differs from the previous look, or from the setup."""
    last = {(each.about, each.key): each.test for each in facts(play, beginning(play), "")}
    for each in expectations_of_everything(play, expected):
        at = (each.about, each.key)
        if last.get(at) != each.test:
            last[at] = each.test
            yield each.look, each.about, each.key


def beginning(play: Play) -> Observations:
    """Everything as set up, at the first look."""
    looks = [action.name for action in play.script if isinstance(action, Look)]
    return Observations({(looks or ["end"])[0]: as_put(play)})


def expectations_of_everything(play: Play, expected: Observations) -> list[Expectation]:
    """All that the rules decide in a scenario."""
    return decided_differences(ComparedAnswer(play, EngineFailure("crash", ""), expected), "")


def small_enough(
    play: Play, places: Sequence[tuple[str, str, str]], engine: Reference, most: int = MOST_THINGS
) -> Play | None:
    """The play without the rest of its script and, if it is too large to read, without objects that the
    expectations do not depend on; `None` if it remains too large.
    """
    looks = {look for look, _, key in places if key != "tried"}
    tries = {about for _, about, key in places if key == "tried"}
    if "end" not in looks:
        last = max(
            number
            for number, action in enumerate(play.script, 1)
            if (isinstance(action, Look) and action.name in looks)
            or (isinstance(action, Try) and action.name in tries)
        )
        play = replace(play, script=play.script[:last])

    def shown(some: Play) -> list[Expectation] | None:
        try:
            seen = engine.play(some)
        except Exception:  # what was removed was needed
            return None
        if seen.stopped or seen.unused:
            return None
        every = {(each.look, each.about, each.key): each for each in facts(some, seen, "")}
        return [every[place] for place in places if place in every]

    wanted = shown(play)
    about = {about for _, about, _ in places}
    for thing in reversed(play.objects):
        if len(play.objects) <= most:
            break
        if thing.id not in about:
            smaller = without_unused_cards(without_object(play, thing.id))
            if shown(smaller) == wanted:
                play = smaller
    return play if len(play.objects) <= most and wanted else None


def summary(results: Sequence[Harvest]) -> str:
    """The number of changes noticed once and twice."""
    counted = [one for one in results if not one.explained]
    once = sum(bool(one.by) for one in counted)
    twice = sum(len({noticed.law for noticed in one.by}) >= TWICE for one in counted)
    return f"{len(counted)} changes, {once} noticed, {twice} of them twice"
