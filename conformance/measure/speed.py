"""Benchmarks: how the time of the reference engine's layers grows with the board, and how fast it plays.

There are three kinds of board, in which a tenth of the creatures have a static effect on all (other)
creatures: *anthems* ("creatures get +1/+1"), *lords* ("other creatures get +1/+1 and have haste"), and
*diverse* (many different creatures, with every operation of the language in turn). The results are medians of
several runs, and the exponent with which time grows from one size to the next.
"""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.library import all_fixtures, pool
from conformance.model.scenario import CardInPlay, Play, Want
from conformance.strategies.cards import CREATURES
from reference_engine.language.actions import Action, CastAction, Resolve
from reference_engine.language.cards import (
    Activated,
    AddColors,
    AddEveryType,
    AddMana,
    AddTypes,
    All,
    Base,
    CannotHave,
    Card,
    Filter,
    Gain,
    GainControl,
    Keyword,
    Lose,
    LoseAllAbilities,
    LoseTypes,
    Modify,
    Operation,
    Part,
    ReplaceWord,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetName,
    SetTypes,
    Static,
    Switch,
    TapThis,
    TextOf,
    This,
)
from reference_engine.language.setup import Arrival, Entry, Object, Player, Start
from reference_engine.language.words import COLORS, KeywordName
from reference_engine.layers.board import Board, Seat, Thing, Things
from reference_engine.layers.evaluation import evaluate_layers
from reference_engine.layers.rules import CR

BOARD_SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000)
BOARD_KINDS = ("anthems", "lords", "diverse")
SECONDS = 10.0
"""Approximate total time for all boards."""


class Timing(Struct, frozen=True):
    """The median time to evaluate one board."""

    kind: str
    size: int
    seconds: float


def layer_timings() -> Iterator[Timing]:
    """Each kind of board at each size; bigger ones run fewer times, to stay within the time."""
    share = SECONDS / len(BOARD_KINDS) / len(BOARD_SIZES)
    for kind in BOARD_KINDS:
        for size in BOARD_SIZES:
            board = board_of(kind, size)
            yield Timing(kind, size, median_of(partial(evaluate_layers, board, CR), share))


def median_of(work: Callable[[], object], seconds: float) -> float:
    """The median time of some work."""
    return statistics.median(times_of(work, seconds))


def times_of(work: Callable[[], object], seconds: float) -> list[float]:
    """The times of repeated work: at least three runs, for about `seconds`."""
    times: list[float] = []
    while len(times) < 3 or (sum(times) < seconds / 2 and len(times) < 2000):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
        if times[-1] > seconds:
            break
    return times


def growth(earlier: Timing, later: Timing) -> float:
    """The exponent with which time grew; 1 means proportional to the size."""
    return math.log(later.seconds / earlier.seconds) / math.log(later.size / earlier.size)


# -------------------------------------------------------------------------------------- games

WALK_THROUGH = ("G-0141", "G-0145")
"""Fixtures that follow a turn from its first step, as their source does."""


class EngineSpeed(Struct, frozen=True):
    """How many times per second an engine plays a scenario: median and best."""

    name: str
    median: float
    best: float


def game_rates(play: Callable[[Play], object], seconds: float = 3.0) -> Iterator[EngineSpeed]:
    """How fast an engine plays the fixed scenarios."""
    for name, scenario in small_scripts().items():
        tables = itertools.cycle(variants(scenario))
        times = times_of(partial(on_next_table, play, tables), seconds)
        yield EngineSpeed(name, 1 / statistics.median(times), 1 / min(times))


def on_next_table(play: Callable[[Play], object], tables: Iterator[Play]) -> object:
    """What an engine answers to the next scenario."""
    return play(next(tables))


def variants(play: Play) -> tuple[Play, Play]:
    """A scenario twice, the second time with one life more, so that no engine gains by keeping the table."""
    first, *others = play.players
    return play, replace(play, players=(replace(first, life=first.life + 1), *others))


def small_scripts() -> dict[str, Play]:
    """The fixed scenarios by name."""
    fixtures = all_fixtures()
    walks = {f"{id} {fixtures[id].title}": fixtures[id].play for id in WALK_THROUGH}
    return {"a creature, an anthem and Giant Growth cast and resolved, one look": one_spell_play()} | walks


def one_spell_play() -> Play:
    """Two permanents and one spell, all cast and resolved."""
    cards = [pool()[name] for name in ("Grizzly Bears", "Glorious Anthem", "Giant Growth")]
    ids = ("bear", "anthem", "growth")
    script: list[Action] = []
    for id in ids:
        script += [CastAction(id, "alice", targets=(("bear",),) if id == "growth" else ()), Resolve(id)]
    return Play(
        players=(Player("alice", hand=ids), Player("bob")),
        start=Start("alice"),
        cards=tuple(CardInPlay(card, real=True) for card in cards),
        objects=tuple(Object(id, card.name, "alice") for id, card in zip(ids, cards, strict=True)),
        script=tuple(script),
        wants=(Want("end", "bear", frozenset({"power", "toughness"})),),
    )


def board_to_look_at(kind: str, size: int) -> Play:
    """A board of bears, every tenth with a static effect on all creatures, and a look at the first."""
    real = kind == "anthems"
    plain = pool()["Grizzly Bears"] if real else PLAIN_BEAR
    carrier = pool()["Glorious Anthem"] if real else LORD
    cards = {f"c{n}": carrier if n % 10 == 1 else plain for n in range(size)}
    return Play(
        players=(Player("alice"), Player("bob")),
        start=Start("alice"),
        cards=(CardInPlay(plain, real=real), CardInPlay(carrier, real=real)),
        objects=tuple(Object(id, card.name, "alice") for id, card in cards.items()),
        setup=tuple(Arrival((Entry(id, "alice"),)) for id in cards),
        wants=(Want("end", "c0", frozenset({"power", "toughness"})),),
    )


# ------------------------------------------------------------------------------------ boards


def board_of(kind: str, size: int) -> Board:
    """A board of `size` creatures, every tenth with a static effect."""
    carriers = {"anthems": (ANTHEM,), "lords": (LORD,), "diverse": DIVERSE_CARRIERS}[kind]
    others = DIVERSE_CREATURES if kind == "diverse" else (PLAIN_BEAR,)
    things: dict[str, Thing] = {}
    for number in range(size):
        card = carriers[number // 10 % len(carriers)] if number % 10 == 0 else others[number % len(others)]
        player = "alice" if number % 2 == 0 or kind != "diverse" else "bob"
        id = f"c{number}"
        things[id] = Thing(id, card, player, "battlefield", number + 1, player)
    return Board((Seat("alice"), Seat("bob")), Things(things), active="alice")


OTHERS = All(type=frozenset({"Creature"}), other_than=This())


def creature(name: str, power: int, toughness: int, **more: object) -> Card:
    """A creature card of a benchmark."""
    return Card(name, frozenset({"Creature"}), cost="{1}{G}", power=power, toughness=toughness, **more)  # type: ignore[arg-type]  # fields of a card


def carrier(name: str, affects: All, *does: Operation) -> Card:
    """A 1/1 creature with one static ability."""
    return creature(name, 1, 1, abilities=(Static((Part(affects, does),)),))


PLAIN_BEAR = creature("Test Bear", 2, 2)
ANTHEM = carrier("Test Anthem", CREATURES, Modify(1, 1))
LORD = carrier("Test Lord", OTHERS, Modify(1, 1), Gain((Keyword("haste"),)))


def creatures_of_type(subtype: str) -> All:
    """All creatures of a type."""
    return All(type=frozenset({"Creature"}), subtype=frozenset({subtype}))


TYPES = ("Bear", "Elf", "Goblin", "Zombie", "Wall")
KEYWORDS: tuple[KeywordName, ...] = ("flying", "trample", "vigilance", "reach")
DIVERSE_CREATURES = tuple(
    creature(
        f"Test Creature {power}{toughness}{subtype}",
        power,
        toughness,
        subtypes=frozenset({subtype}),
        colors=frozenset({COLORS[(power + toughness) % 5]}),
        abilities=(Keyword(KEYWORDS[power % 4]),) if toughness % 2 else (),
    )
    for power in range(4)
    for toughness in range(1, 4)
    for subtype in TYPES
)
GRANTED = Activated((TapThis(),), (AddMana("{G}"),), name="mana")
DIVERSE_OPERATIONS: tuple[tuple[All, Operation], ...] = (
    (creatures_of_type("Elf"), GainControl()),
    (CREATURES, ReplaceWord(frozenset({"creature type"}), "Bear", "Elf")),
    (creatures_of_type("Wall"), TextOf(All(zones=frozenset({"graveyard"}), top=True))),
    (creatures_of_type("Zombie"), SetName("Test Name")),
    (CREATURES, AddTypes(subtypes=frozenset({"Goblin"}))),
    (creatures_of_type("Goblin"), SetTypes(frozenset({"Creature", "Artifact"}))),
    (creatures_of_type("Zombie"), LoseTypes(subtypes=frozenset({"Zombie"}))),
    (creatures_of_type("Elf"), SetCreatureTypes(frozenset({"Elf"}))),
    (All(type=frozenset({"Land"})), SetBasicLandTypes(frozenset({"Island"}))),
    (CREATURES, AddEveryType("creature")),
    (CREATURES, AddColors(frozenset({"red"}))),
    (creatures_of_type("Bear"), SetColors(frozenset({"blue"}))),
    (OTHERS, Gain((Keyword("flying"),))),
    (creatures_of_type("Goblin"), Gain((GRANTED,))),
    (CREATURES, Lose(frozenset({"trample"}))),
    (All(type=frozenset({"Creature"}), color=frozenset({"green"})), LoseAllAbilities()),
    (OTHERS, CannotHave(frozenset({"reach"}))),
    (creatures_of_type("Wall"), Base(0, 4)),
    (OTHERS, Modify(1, 1)),
    (All(type=frozenset({"Creature"}), without=(Filter(color=frozenset({"red"})),)), Switch()),
)
DIVERSE_CARRIERS = tuple(
    carrier(f"Test Carrier {number}", affects, operation)
    for number, (affects, operation) in enumerate(DIVERSE_OPERATIONS)
)
