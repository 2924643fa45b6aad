"""Finds scenarios in which conditions of the reference engine come out as in hardly any other; stores some.

`python -m tools outcomes --variants N --store K` plays every fixture and stored scenario on the reference
engine and takes note of each condition: whether it held, which member of a list it was, whether two numbers
were equal or one apart, and which operands of `and` and `or` decided. A wrong operand, boundary or list can
only be noticed by a scenario in which it decides. Then it draws varied fixtures, also variants of those that
showed something new, and stores those that add most of what fewer than `ENOUGH` scenarios show.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import operator
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from conformance.data.library import all_fixtures
from conformance.measure.corpus import corpus
from conformance.model.engine import CannotPlay
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Play
from conformance.properties.games_varied import CHAPTERS_ABOUT, VARIED
from conformance.strategies.means import EVERYTHING
from conformance.strategies.variants import plays_by_chapter, variant
from conformance_adapters.in_process import Reference
from tools.code_changes import MODULES, ROOT, forget, module_name, take_over
from tools.corpus import OF_OUTCOMES
from tools.harvest import (
    LEAST_SECONDS,
    MOST_THINGS_OF_FIXTURES,
    Candidate,
    most_worth_first,
    with_all_looks,
    write_some,
)

ENOUGH = 3
"""Number of scenarios that should show an outcome."""
WORTH = (1.0, 0.4, 0.15)
"""Value of showing an outcome that no, one or two other scenarios show."""
SLOWER = 3
"""How many times as long a play takes while notes are taken."""
GROWN = 0.4
"""Share of the variants that are drawn from earlier ones with a new outcome."""
MOST_ACTIONS = 16
"""The length of a script that may be varied again."""
CODES = 16
"""The number of outcomes that a condition can have."""
DECIDES, OTHERWISE, EQUAL, LESS, MORE, NONE_OF_THEM = 4, 2, 3, 4, 5, 15
MOST_OPERANDS = 10
RAISES = object()
"""The value of an operand that cannot be worked out alone."""
COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}
CHANGING = frozenset(
    {"next", "pop", "popitem", "append", "extend", "insert", "add", "setdefault", "update", "remove", "super"}
)
"""Functions that change something or need their place: operands with them are not worked out alone."""


class Notes:
    """Takes note of the outcomes of conditions. The instrumented code calls its methods."""

    def __init__(self) -> None:
        self.taking = False
        self.met: set[int] = set()

    def note(self, condition: int, code: int) -> None:
        """Note one outcome of a condition."""
        if self.taking:
            self.met.add(condition * CODES + code)

    def truth(self, condition: int, value: Any) -> Any:
        """The value, noting whether it is true."""
        self.note(condition, 1 if value else 0)
        return value

    def order(self, condition: int, kind: str, one: Any, other: Any) -> Any:
        """A comparison of sizes, noting what separates `<` from `<=`."""
        holds = COMPARE[kind](one, other)
        self.truth(condition, holds)
        if self.taking and isinstance(one, int) and isinstance(other, int) and abs(one - other) <= 1:
            self.note(condition, EQUAL if one == other else LESS if one < other else MORE)
        return holds

    def member(self, condition: int, value: Any, among: Sequence[Any]) -> bool:
        """Whether a value is one of a few, noting which."""
        if value not in among:
            self.note(condition, NONE_OF_THEM)
            return False
        self.note(condition, min(among.index(value), NONE_OF_THEM - 1))
        return True

    def joined(self, condition: int, every: bool, operands: Sequence[Callable[[], Any]]) -> Any:
        """Operands of `and` (`every`) or `or`, noting which of them decide."""
        values: list[Any] = []
        for operand in operands:
            values.append(operand())
            if bool(values[-1]) != every:
                break
        value = values[-1]
        if not self.taking:
            return value
        self.taking = False
        try:
            values += [value_alone(operand) for operand in operands[len(values) :]]
        finally:
            self.taking = True
        self.truth(condition, value)
        for place in range(min(len(values), MOST_OPERANDS)):
            if differs(first_that_decides(every, values[:place] + values[place + 1 :]), value):
                self.note(condition, DECIDES + place)
        if differs(first_that_decides(not every, values), value):
            self.note(condition, OTHERWISE)
        return value

    def end(self, condition: int, several: Sequence[Any], place: int) -> Any:
        """The first or last of several, noting whether these differ."""
        if self.taking and isinstance(several, tuple | list) and several and several[0] != several[-1]:
            self.note(condition, 1)
        return several[place]


def value_alone(operand: Callable[[], Any]) -> Any:
    """The value of an operand that was not asked for."""
    try:
        return operand()
    except Exception:  # it may be asked only if those before it hold
        return RAISES


def first_that_decides(every: bool, values: Iterable[Any]) -> Any:
    """The value of `and` or `or`."""
    value: Any = RAISES
    for value in values:
        if value is RAISES or bool(value) != every:
            return value
    return value


def differs(other: Any, value: Any) -> bool:
    """Whether a condition would have come out differently."""
    if other is value:
        return False
    if other is RAISES or isinstance(other, bool) or isinstance(value, bool):
        return other is RAISES or bool(other) != bool(value)
    return bool(other != value)


# ------------------------------------------------------------------------------ the instrumented code

CALLED = "_notes"
"""The name by which instrumented code finds the notes."""


class NotingCode(ast.NodeTransformer):
    """Code in which each condition is noted."""

    def __init__(self, first: int) -> None:
        self.conditions = first
        self._within = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function: its decorators and annotations stay."""
        self._within += 1
        node.body = [self.visit(statement) for statement in node.body]
        self._within -= 1
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """A declaration: its annotation stays."""
        node.value = node.value and self.visit(node.value)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        """A condition of a statement."""
        return self._tested(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        """A condition of a loop."""
        return self._tested(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """A condition of an expression."""
        return self._tested(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """The filters of a comprehension."""
        self.generic_visit(node)
        if self._within:
            node.ifs = [self._noted("truth", one) for one in node.ifs]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`and` and `or`."""
        if not self._within or any(map(cannot_be_asked_alone, ast.walk(node))):
            return self.generic_visit(node)
        alone = [ast.Lambda(NO_ARGUMENTS, self.visit(value)) for value in node.values]
        every = ast.Constant(isinstance(node.op, ast.And))
        return self._noted("joined", every, ast.Tuple(list(alone), ast.Load()))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """A comparison."""
        self.generic_visit(node)
        if not self._within or len(node.ops) != 1:
            return node
        [kind], [other] = node.ops, node.comparators
        if type(kind).__name__ in COMPARE:
            return self._noted("order", ast.Constant(type(kind).__name__), node.left, other)
        if isinstance(kind, ast.In | ast.NotIn) and isinstance(other, ast.Tuple | ast.List):
            among = self._noted("member", node.left, other)
            return ast.UnaryOp(ast.Not(), among) if isinstance(kind, ast.NotIn) else among
        return self._noted("truth", node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """The first or last of several."""
        self.generic_visit(node)
        place = ast.unparse(node.slice)
        if not self._within or not isinstance(node.ctx, ast.Load) or place not in ("0", "-1"):
            return node
        return self._noted("end", node.value, node.slice)

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """A case of a match."""
        self.generic_visit(node)
        if node.guard is not None:
            node.guard = self._noted("truth", node.guard)
        node.body.insert(0, ast.Expr(self._noted("note", ast.Constant(0))))
        return node

    def _tested(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        if self._within:
            node.test = self._noted("truth", node.test)
        return node  # type: ignore[no-any-return]  # a statement or an expression

    def _noted(self, how: str, *arguments: ast.expr) -> ast.expr:
        self.conditions += 1
        notes = ast.Attribute(ast.Name(CALLED, ast.Load()), how, ast.Load())
        return ast.Call(notes, [ast.Constant(self.conditions), *arguments], [])


NO_ARGUMENTS = ast.arguments([], [], None, [], [], None, [])


def cannot_be_asked_alone(node: ast.AST) -> bool:
    """Whether working out an expression with this in it changes something."""
    if isinstance(node, ast.Call):
        called = node.func
        name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
        return name in CHANGING
    return isinstance(node, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await)


def instrument(modules: Sequence[str] = MODULES) -> Notes:
    """Take notes in these modules from now on, in this process, whenever they are asked for."""
    notes, conditions = Notes(), 0
    setattr(builtins, CALLED, notes)
    for module in modules:
        name = module_name(module)
        there = vars(importlib.import_module(name))
        code = NotingCode(conditions)
        program = code.visit(ast.parse((ROOT / module).read_text(encoding="utf-8")))
        conditions = code.conditions
        take_over(there, compile(ast.fix_missing_locations(program), name, "exec"), name)
    return notes


# ------------------------------------------------------------------------------------- the search


class RareScenario(Struct, frozen=True):
    """A scenario, the law that draws it, and the outcomes in it that few others show."""

    law: str
    play: Play
    rare: frozenset[int]
    seconds: float


def outcomes_of(play: Play, notes: Notes, engine: Reference) -> frozenset[int]:
    """What the conditions came to in a scenario; empty if it stops early."""
    forget("reference_engine")
    notes.met, notes.taking = set(), True
    try:
        stopped = engine.play(play).stopped
    finally:
        notes.taking = False
    return frozenset() if stopped else frozenset(notes.met)


def outcomes_of_suite(notes: Notes, engine: Reference) -> Counter[int]:
    """How many fixtures and stored scenarios show each outcome."""
    counts: Counter[int] = Counter()
    for fixture in (*all_fixtures().values(), *corpus().values()):
        counts.update(outcomes_of(fixture.play, notes, engine))
    return counts


def fixtures_to_vary() -> list[tuple[str, Play]]:
    """The fixtures to vary, each with the name of the law that varies it."""
    laws = zip(VARIED, CHAPTERS_ABOUT.values(), strict=True)
    law_about = {chapter: law.name for law, chapters in laws for chapter in chapters}
    return [(law_about[chapter], play) for chapter, plays in plays_by_chapter().items() for play in plays]


def drawn_variants(
    many: int, seed: int, counts: Counter[int], notes: Notes, engine: Reference, say: Callable[[str], None]
) -> Iterator[RareScenario]:
    """Varied fixtures that show what few scenarios show."""
    bases = fixtures_to_vary()
    grown: list[tuple[str, Play]] = []
    dice = random.Random(seed)
    new: set[int] = set()
    for number in range(1, many + 1):
        law, base = dice.choice(grown if grown and dice.random() < GROWN else bases)
        begin = time.process_time()
        play = variant(dice.randbytes(6), (base,), EVERYTHING)
        asked = with_all_looks(play)
        if len(play.objects) <= MOST_THINGS_OF_FIXTURES:
            try:
                met = outcomes_of(asked, notes, engine)
            except (CannotPlay, ScenarioError):
                met = frozenset()
            rare = frozenset(one for one in met if counts[one] < ENOUGH)
            if any(not counts[one] and one not in new for one in rare):
                new |= {one for one in rare if not counts[one]}
                if len(play.script) <= MOST_ACTIONS:
                    grown.append((law, play))
            if rare:
                yield RareScenario(law, asked, rare, (time.process_time() - begin) / SLOWER)
        if not number % 5000:
            say(f"{number:,} drawn, {len(new)} outcomes are new")


def most_worth(shown: Sequence[RareScenario], counts: Counter[int]) -> Iterator[RareScenario]:
    """The scenarios that add most for their time, one after the other."""

    def worth(one: RareScenario) -> float:
        some = (counts[outcome] for outcome in one.rare)
        return sum(WORTH[times] for times in some if times < ENOUGH) / (LEAST_SECONDS + one.seconds)

    for place in most_worth_first(range(len(shown)), lambda place: worth(shown[place])):
        yield shown[place]
        counts.update(shown[place].rare)


def search_and_store(many: int, seed: int, store: int, folder: Path, say: Callable[[str], None]) -> str:
    """Draw variants, and store those that show what few scenarios show."""
    notes, engine = instrument(), Reference()
    counts = outcomes_of_suite(notes, engine)
    seldom = sum(times < ENOUGH for times in counts.values())
    say(f"the suite shows {len(counts):,} outcomes, {seldom:,} of them seldom")
    shown = list(drawn_variants(many, seed, counts, notes, engine, say))
    some = (
        (Candidate("", one.law, one.play, engine.play(one.play), {}, one.seconds), ())
        for one in most_worth(shown, counts)
    )
    stored = write_some(some, store, folder, OF_OUTCOMES)
    return f"{len(shown):,} of {many:,} variants show what few scenarios show; {stored} are stored"
