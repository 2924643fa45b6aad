"""Which changes of expressions make any difference where a check evaluates them ("weak mutation").

A check can notice a change of an expression only if the changed expression has another value than the
original, or raises, at least once while the check runs. So each check is played once more, in a forked
process, with a program that evaluates both: every largest expression that changes nothing (`tools.purity`)
and contains changes is a *site*. There the program evaluates the original, and then, for each change that has
not made a difference in this check yet, the changed expression; it goes on with the value of the original.

All that is uncertain counts as a difference: a changed expression that takes too long, or is evaluated very
often, or has a value that cannot be compared. Changes that are in no site, such as a dropped statement, are
not looked at: they may be noticed by every check that runs their lines.

While a changed expression is evaluated, other sites are left alone, since what happens there is no part of
the check, except in functions that remember what they work out: because the check will find it there later,
they are evaluated as if the check itself had called them.
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import signal
import sys
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from types import FrameType, TracebackType
from typing import Any, BinaryIO, Protocol

import msgspec
from msgspec import Struct

from tools.code_changes import (
    LEFT_ALONE,
    ROOT,
    changes_of,
    forget,
    module_name,
    output_of_fork,
    take_over,
    with_identities,
)
from tools.purity import Function, Package

MOST = 200
"""A change that is evaluated more often in a check counts as making a difference there."""
DEPTH = 3000
"""The limit of recursion: an evaluation at a site is two calls deeper."""
TICK = 0.2
"""A changed expression that takes up to twice this time, in seconds, counts as making a difference."""
DECORATORS = frozenset(("cache", "lru_cache", "cached_property", "once"))
REMEMBERING = frozenset(("starting_appearance", "are_plain"))
"""Functions that remember in their own way what they work out for an object."""
FINDING = {"evaluate": "latest", "copiable_values": "seen", "starting_view": "", "seen": ""}
"""Functions that find what others remember, and the variable for it, if it is found by chance or was worked
out for something else. Here that variable has nothing, so that all that the check asks about is worked out
anew. These functions contain no sites, because what they find depends on what was asked before.
"""
REMEMBERING_CLASSES = frozenset(("View", "Members", "once", "Dependencies", "Trial"))
"""Classes whose methods remember what they work out. They contain no sites, either."""
BUILDING = frozenset(("reference_engine/game/stability.py", "reference_engine/layers/dependency.py"))
"""Modules without sites, because they work with objects that change."""
HARMLESS = REMEMBERING.union(FINDING) | {
    ".__get__",  # of `once`
    *("._deserves_index", "._index_after", ".all", ".index", ".kept_index"),  # of View and Members
    *("evaluate_layers", "effects_after_copying"),  # change only the moment that they make
    "mentions",  # collects in a set that it makes
    *("collect", "collect_more", "collect_from_types"),  # not called elsewhere
    *(".count", ".count_penalties", ".of_card"),  # of objects that only functions of BUILDING have
    *("considered_costs", "cost_paid", "plot"),  # pay with lists of their own
    *("paid_while_resolving", "pay_special_cost"),  # so do these
    "triggered",  # collects in a list that it makes
    "all_steps",  # completes a refusal that it catches
}
"""Names in the engine that change only what they make, or remember what they work out."""
HARMLESS_IN_GAME = frozenset(
    (".after", ".found_for", ".now", ".reason", ".statics", ".forget_abilities", ".spend", ".__missing__")
)
"""Names that do so seen from the game, which has no objects with which the layers work."""


class PassingCheck(Protocol):
    """A check that passes (see `tools.own_mutants.Detector`)."""

    @property
    def holds(self) -> Callable[[], bool]: ...


@functools.cache
def engine(*, in_game: bool) -> Package:
    """The names of the reference engine. Accounts are left out: the game does not use them to decide."""
    files = sorted((ROOT / "reference_engine").rglob("*.py"))
    return Package(
        [file for file in files if file.name != "account.py"],
        HARMLESS | HARMLESS_IN_GAME if in_game else HARMLESS,
    )


def package_for(module: str) -> Package:
    """The names of the engine as this module may use them."""
    return engine(in_game="/game/" in module)


# ------------------------------------------------------------------------------------------- sites


class Site(Struct, eq=False):
    """An expression that changes nothing, where it stands, and its changes."""

    root: ast.expr
    parent: ast.AST
    field: str
    place: int | None
    """Which of the field's nodes it is."""
    is_test: bool
    """Whether only its truth matters."""
    changes: list[str]
    """The ids of the changes."""
    others: list[ast.expr]
    """The changed expressions."""


class Places:
    """The sites of a module, and where each node of it stands."""

    def __init__(self, tree: ast.Module, package: Package) -> None:
        self._above: dict[int, tuple[ast.AST, str, int | None]] = {}
        self._sites: dict[int, Site] = {}
        self._package = package
        self.remembering: list[Function] = []
        for node in ast.walk(tree):
            for field, place, child in children(node):
                self._above[id(child)] = node, field, place
        for statement in tree.body:
            for owner, one in (
                [(statement.name, member) for member in statement.body]
                if isinstance(statement, ast.ClassDef)
                else [("", statement)]
            ):
                if isinstance(one, ast.FunctionDef):
                    if remembers(one, owner):
                        self.remembering.append(one)
                    if one.name not in FINDING and owner not in REMEMBERING_CLASSES:
                        self._look_at_body(one, one)

    def _look_at_body(self, node: ast.AST, function: Function) -> None:
        """Find the sites in the statements below a node."""
        for field, _, child in children(node):
            if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
                self._look_at_body(child, function)
            elif isinstance(child, ast.expr) and field not in LEFT_ALONE and not is_target(child):
                self._look_at(child, function)

    def _look_at(self, node: ast.expr, function: Function) -> None:
        """Find the sites in an expression."""
        if may_be_site(node) and self._package.is_pure(node, function):
            parent, field, place = self._above[id(node)]
            is_test = field in ("test", "guard", "ifs")
            self._sites[id(node)] = Site(node, parent, field, place, is_test, [], [])
            return
        for field, _, child in children(node):
            if isinstance(node, ast.JoinedStr | ast.FormattedValue) and field != "value":
                for value in [child] if isinstance(child, ast.FormattedValue) and field == "values" else []:
                    self._look_at(value.value, function)
            elif isinstance(child, ast.expr):
                self._look_at(child, function)
            elif isinstance(child, ast.keyword):
                self._look_at(child.value, function)
            elif isinstance(child, ast.comprehension):
                for part in (child.iter, *child.ifs):
                    self._look_at(part, function)

    @property
    def sites(self) -> list[Site]:
        """Those with changes, in the order of the code."""
        return [site for site in self._sites.values() if site.changes]

    def add(self, change: str, node: ast.AST, old: ast.AST, new: ast.AST | None) -> None:
        """Add a change to its site, if it has any, while the changed node has the changed field."""
        if (site := self._sites.get(id(old))) is not None and site.parent is node:
            if isinstance(new, ast.expr):
                site.changes.append(change)
                site.others.append(new)
            return
        way: list[tuple[ast.AST, str, int | None]] = []
        at: ast.AST = node
        while id(at) not in self._sites:
            if id(at) not in self._above or isinstance(at, ast.stmt):
                return
            way.append(self._above[id(at)])
            at = way[-1][0]
        other = copy.copy(node)
        for above, field, place in way:
            other = with_child(above, field, place, other)
        assert isinstance(other, ast.expr)
        self._sites[id(at)].changes.append(change)
        self._sites[id(at)].others.append(other)


def remembers(function: Function, owner: str) -> bool:
    """Whether a function, or what is made of it, remembers what it works out."""
    decorators = {
        one.id if isinstance(one, ast.Name) else one.attr
        for decorator in function.decorator_list
        for one in ast.walk(decorator)
        if isinstance(one, ast.Name | ast.Attribute)
    }
    known = function.name in REMEMBERING or function.name in FINDING or owner in REMEMBERING_CLASSES
    return known or bool(decorators & DECORATORS)


def is_target(node: ast.expr) -> bool:
    """Whether a node stands for what is assigned to or deleted."""
    return isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)


def may_be_site(node: ast.expr) -> bool:
    """Whether a node can be replaced by another expression, and its value compared with another."""
    return not isinstance(node, ast.Starred | ast.Slice | ast.GeneratorExp | ast.Lambda | ast.FormattedValue)


def children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """The nodes right below a node, each with its field and its place there."""
    for field, value in ast.iter_fields(node):
        if isinstance(value, list):
            for place, child in enumerate(value):
                if isinstance(child, ast.AST):
                    yield field, place, child
        elif isinstance(value, ast.AST):
            yield field, None, value


def with_child(node: ast.AST, field: str, place: int | None, child: ast.AST) -> ast.AST:
    """A copy of a node with another child."""
    other = copy.copy(node)
    put_child(other, field, place, child)
    return other


def put_child(node: ast.AST, field: str, place: int | None, child: ast.AST) -> None:
    """Give a node another child."""
    if place is None:
        setattr(node, field, child)
    else:
        some = list(getattr(node, field))
        some[place] = child
        setattr(node, field, some)


# ----------------------------------------------------------------------------- the program that notes

DONE, NOTE, REMEMBER = "__infection_done__", "__infection_note__", "__infection_remember__"
"""Names of built-ins that the program uses."""


def noting_program(
    module: str, first: int, only: Collection[str] | None = None
) -> tuple[ast.Module, list[list[str]]]:
    """The program of a module that notes which changes make a difference, all or only those with these ids;
    and the ids of the changes of each site, numbered from the first.
    """
    source = (ROOT / module).read_text(encoding="utf-8")
    tree = ast.parse(source)
    places = Places(tree, package_for(module))
    changes = () if module in BUILDING else changes_of(tree, source.splitlines())
    for identity, change in with_identities(module, changes):
        if only is None or identity.id in only:
            places.add(identity.id, change.node, change.old, change.new)
    sites = places.sites
    for number, site in enumerate(sites, first):
        put_child(site.parent, site.field, site.place, noting(site, number))
    for function in places.remembering:
        for node in ast.walk(function):
            if isinstance(node, ast.Assign | ast.AnnAssign) and is_finding(node, function):
                node.value = ast.Constant(None)
        remember = ast.withitem(ast.Name(REMEMBER, ast.Load()))
        function.body = [ast.With([remember], function.body)]
    return ast.fix_missing_locations(tree), [site.changes for site in sites]


def is_finding(statement: ast.Assign | ast.AnnAssign, function: Function) -> bool:
    """Whether a statement looks for what was worked out for something else (see `FINDING`)."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [one.id for one in targets if isinstance(one, ast.Name)] == [FINDING.get(function.name)]


def noting(site: Site, number: int) -> ast.expr:
    """An expression with the value of a site, which notes what differs until all its changes have."""
    every = [site.root, *site.others]
    if site.is_test:
        every = [ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), one)) for one in every]
    args = ast.arguments([], [ast.arg("__n__")], None, [], [], None, [])
    note = ast.Call(
        ast.Name(NOTE, ast.Load()),
        [ast.Constant(number), ast.Lambda(args, expression_with_number(every, 0))],
        [],
    )
    done = ast.Subscript(ast.Name(DONE, ast.Load()), ast.Constant(number), ast.Load())
    return ast.copy_location(ast.IfExp(done, site.root, note), site.root)


def expression_with_number(every: Sequence[ast.expr], first: int) -> ast.expr:
    """The expression whose number, counted from the first, `__n__` is."""
    if len(every) == 1:
        return every[0]
    half = len(every) // 2
    below = ast.Compare(ast.Name("__n__", ast.Load()), [ast.Lt()], [ast.Constant(first + half)])
    return ast.IfExp(
        below, expression_with_number(every[:half], first), expression_with_number(every[half:], first + half)
    )


class TooLong(BaseException):
    """A changed expression takes too long."""


class Notes:
    """What is noted while a check is played: which changes of which site have made a difference.

    The changes of all sites are numbered in their order; at its site, a change has a number from 1.
    """

    def __init__(self) -> None:
        self.done = bytearray()
        """For each site, whether nothing is left to note there in this check."""
        self._counts: list[int] = []
        self._starts: list[int] = []
        self._left: dict[int, dict[int, int]] = {}
        """For each site, the changes that have not made a difference, and how often each was evaluated."""
        self.found: list[int] = []
        self.at_import: set[int] = set()
        """The sites that are evaluated while modules are imported."""
        self.importing = True
        self._trying: tuple[int, int] | None = None
        """The site and the change that are being evaluated."""
        self._outside: list[tuple[int, int] | None] = []
        self._serial = self._depth = 0
        self._last_tick: int | None = None

    def start(self, counts: Sequence[int]) -> None:
        """Begin to note, with the number of changes of each site."""
        self._counts, self._starts = list(counts), [0, *accumulate(counts)]
        self.importing = False
        signal.signal(signal.SIGVTALRM, self._tick)
        signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)

    def stop(self) -> None:
        """End the clock."""
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    @property
    def is_idle(self) -> bool:
        """Whether no changed expression is being evaluated."""
        return self._trying is None and not self._outside and not self._depth

    def start_check(self) -> None:
        """Forget what was noted."""
        self.done[:] = bytes(len(self._counts))
        self._left.clear()
        self.found.clear()
        self._outside.clear()
        self._trying = None
        self._depth = 0

    def _tick(self, number: int, frame: FrameType | None) -> None:
        """Interrupt a changed expression that was being evaluated at the last tick already."""
        last, self._last_tick = self._last_tick, self._serial if self._depth else None
        if self._depth and last == self._serial:
            self._last_tick = None
            raise TooLong

    def note(self, site: int, value_of: Callable[[int], Any]) -> Any:
        """The value of a site; notes which of its changes make a difference to it."""
        if self.importing:
            self.at_import.add(site)
            return value_of(0)
        trying = self._trying
        if trying is not None and trying[0] != site:
            return value_of(0)
        left = self._left.get(site)
        if left is None:
            left = self._left[site] = dict.fromkeys(range(1, self._counts[site] + 1), 0)
        raised: Exception | None = None
        value: Any = None
        is_new = False
        try:
            value = value_of(0)
            is_new = sys.getrefcount(value) == NEW
        except Exception as error:  # raised again below, once the changes have been compared with it
            raised = error
        for change in list(left) if trying is None else (trying[1],):
            times = left.get(change)
            if times is None:
                continue
            left[change] = times + 1
            differs = times >= MOST or self._differs(value_of, site, change, value, raised, is_new=is_new)
            if differs and left.pop(change, None) is not None:  # if not, it was noted deeper down
                self.found.append(self._starts[site] + change - 1)
        if not left:
            self.done[site] = 1
        if raised is not None:
            raise raised
        return value

    def _differs(
        self,
        value_of: Callable[[int], Any],
        site: int,
        change: int,
        value: object,
        raised: Exception | None,
        *,
        is_new: bool,
    ) -> bool:
        """Whether the changed expression has another value, or raises something else."""
        before, outside = self._trying, len(self._outside)
        self._trying = site, change
        if not self._depth:
            self._serial += 1
        self._depth += 1
        try:
            other = value_of(change)
            is_new = is_new and sys.getrefcount(other) == NEW
            return raised is not None or not are_alike(value, other, are_new=is_new)
        except (Exception, TooLong) as error:
            return raised is None or not are_alike(raised, error)
        finally:
            self._trying = before
            del self._outside[outside:]
            self._depth -= 1

    def __enter__(self) -> None:
        """Note everything in what follows, because it will be remembered."""
        self._outside.append(self._trying)
        self._trying = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._trying = self._outside.pop()


SIMPLE = (str, int, bool, float, bytes, type(None))
NEW = 2
"""The number of references to a value that nothing else refers to, as `sys.getrefcount` tells it."""


def are_alike(one: Any, other: Any, *, are_new: bool = False, are_fixed: bool = False) -> bool:
    """Whether nothing can tell two values apart, now or later, but whether they are the same object: not even
    their order, or a field that `==` ignores.

    What can be changed is alike only if nothing else refers to it yet, or if it is part of a value that never
    changes.
    """
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in SIMPLE:
        return bool(one == other)
    if isinstance(one, Struct):
        fields = one.__struct_fields__
        return (
            one.__struct_config__.frozen
            and bool(one == other)
            and all(are_alike(getattr(one, field), getattr(other, field), are_fixed=True) for field in fields)
        )
    if isinstance(one, Exception):
        return are_alike(one.args, other.args) and are_alike(vars(one), vars(other), are_new=True)
    if isinstance(one, dict | list | set):
        if not (are_new or are_fixed):
            return False
    elif not isinstance(one, tuple | frozenset):
        return False
    parts = ([*one.items()], [*other.items()]) if isinstance(one, dict) else (one, other)
    return len(one) == len(other) and all(
        are_alike(part, its, are_fixed=are_fixed) for part, its in zip(*parts, strict=True)
    )


# ---------------------------------------------------------------------------------------- all checks


Differing = Mapping[tuple[str, str], Sequence[int]]
"""For each change of a site, by the name of its module and its id: the numbers of the checks in which it
makes a difference.
"""


def differences(
    kinds: Mapping[str, Sequence[PassingCheck]], modules: Sequence[str], only: Collection[str] | None = None
) -> dict[str, Differing]:
    """In which checks of each kind each change of a site makes a difference, all or only those with these
    ids. In a check that does not pass meanwhile, all count as making a difference.
    """
    told, status = output_of_fork(functools.partial(note_differences, kinds, modules, only))
    assert status == 0, "could not note in which checks each change makes a difference"
    noted = msgspec.msgpack.decode(told, type=dict[str, list[tuple[str, str, bytes]]])
    return {
        kind: {(module_name(module), change): array("I", numbers) for module, change, numbers in some}
        for kind, some in noted.items()
    }


def passes(check: PassingCheck) -> bool:
    """Whether a check passes now."""
    try:
        return check.holds()
    except Exception:  # then it does not pass, and every change counts as making a difference
        return False


def note_differences(
    kinds: Mapping[str, Sequence[PassingCheck]],
    modules: Sequence[str],
    only: Collection[str] | None,
    told: BinaryIO,
) -> None:
    """Write the numbers of the checks of each kind in which each change makes a difference. Changes the
    modules of this process.
    """
    notes = Notes()
    vars(builtins).update({DONE: notes.done, NOTE: notes.note, REMEMBER: notes})
    sys.setrecursionlimit(DEPTH)
    sites: list[list[str]] = []
    changes: list[tuple[str, str]] = []
    for module in modules:
        program, of_module = noting_program(module, len(sites), only)
        sites += of_module
        changes += [(module, change) for some in of_module for change in some]
        notes.done.extend(bytes(len(of_module)))
        name = module_name(module)
        take_over(vars(sys.modules[name]), compile(program, "noting", "exec"), name)
    left_out = {change for site in notes.at_import for change in sites[site]}
    notes.start([len(some) for some in sites])
    noted: dict[str, list[tuple[str, str, bytes]]] = {}
    for kind, checks in kinds.items():
        found = [array("I") for _ in changes]
        for number, check in enumerate(checks):
            forget("reference_engine")
            notes.start_check()
            is_undisturbed = passes(check) and notes.is_idle
            for change in notes.found if is_undisturbed else range(len(changes)):
                found[change].append(number)
        noted[kind] = [
            (module, change, some.tobytes())
            for (module, change), some in zip(changes, found, strict=True)
            if change not in left_out
        ]
    notes.stop()
    left = memoryview(msgspec.msgpack.encode(noted))
    while left:
        left = left[told.write(left) :]
