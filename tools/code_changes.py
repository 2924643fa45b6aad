"""Small changes of code: every change of a module, its name, and a process that takes over the changed code.

Imports nothing that checks use, so that a changed engine starts fast (`machine_engine`).
"""

from __future__ import annotations

import ast
import copy
import functools
import hashlib
import importlib
import inspect
import os
import re
import resource
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

ROOT = Path(__file__).parent.parent
OURS = ("conformance", "conformance_adapters", "reference_engine")
BYTES = 6 << 30
"""Memory limit, so that a change cannot use it all up."""
MODULES = tuple(
    path.relative_to(ROOT).as_posix()
    for room in ("layers", "game")
    for path in sorted((ROOT / "reference_engine" / room).glob("*.py"))
    if path.name not in ("__init__.py", "account.py")
)
"""The modules that make decisions: the language of cards makes none, and accounts only describe what
happened.
"""

# ------------------------------------------------------------------------------------ the changes

OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}
NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
LEFT_ALONE = ("annotation", "returns", "decorator_list", "exc")
"""Types and messages of refusals: they contain no rule."""
NOTHING = ast.Constant(value=None)


class CodeChange(Struct, frozen=True, dict=True):
    """A change of a module: its place in words, and the changed program (valid until the next one is
    requested).
    """

    function: str
    line: int
    text: str
    """The unchanged line."""
    told: str
    program: ast.Module
    lines: frozenset[int]
    """The lines of its statement, or for a constant, those that name it."""
    names: frozenset[str] = frozenset()
    """The names of the constant that it changes."""
    alone: ast.FunctionDef | None = None
    """The changed function, if nothing else of the module's values depends on it."""
    node: ast.AST = NOTHING
    """The node with the changed field, where a new part (`None`: nothing) is in the place of an old one."""
    old: ast.AST = NOTHING
    new: ast.AST | None = None

    @functools.cached_property
    def code(self) -> CodeType:
        """The changed program, compiled."""
        return compile(self.program, "changed", "exec")

    @functools.cached_property
    def part(self) -> CodeType | None:
        """What has changed, compiled, if that is a function alone."""
        return None if self.alone is None else compile(ast.Module([self.alone], []), "changed", "exec")

    def take_over(self, module: ModuleType) -> None:
        """Replace what has changed in a module, wherever it is used."""
        there, made = vars(module), dict[str, Any]()
        if self.part is None:
            take_over(there, self.code, module.__name__)
        else:
            exec(self.part, dict(there), made)
            take_over_names(there, made, module.__name__)


class CodePlace(Struct, frozen=True):
    """A field of a node, in a statement of a function or in the value of a module constant."""

    function: str
    statement: ast.stmt
    node: ast.AST
    field: str


def changes(source: str) -> Iterator[CodeChange]:
    """Every change of a module."""
    return changes_of(ast.parse(source), source.splitlines())


def changes_of(tree: ast.Module, lines: list[str]) -> Iterator[CodeChange]:
    """Every change of a module's tree, each made in this tree until the next one is requested."""
    used = names_used_at_import(tree)
    for statement in tree.body:
        independent = isinstance(statement, ast.FunctionDef) and statement.name not in used
        alone = statement if isinstance(statement, ast.FunctionDef) and independent else None
        for place in places(statement):
            node, field = place.node, place.field
            was = getattr(node, field)
            inside = place.statement
            names = frozenset[str]() if place.function else names_assigned(inside)
            run = lines_of(inside) if place.function else lines_naming(names, lines)
            for old, new, value in changed_fields(node, field, was):
                at = getattr(old, "lineno", getattr(node, "lineno", inside.lineno))
                told = f"{short(old)}  →  {short(new)}"
                if new is not None:
                    ast.fix_missing_locations(ast.copy_location(new, old))
                setattr(node, field, value)
                text = lines[at - 1].strip()
                yield CodeChange(place.function, at, text, told, tree, run, names, alone, node, old, new)
                setattr(node, field, was)


def names_used_at_import(tree: ast.Module) -> frozenset[str]:
    """The names that a module uses while it is imported: all but those in bodies of functions."""
    parts: list[ast.AST] = list(tree.body)
    names: set[str] = set()
    while parts:
        part = parts.pop()
        if isinstance(part, ast.Name):
            names.add(part.id)
        body = part.body if isinstance(part, ast.FunctionDef) else []
        parts += [one for one in ast.iter_child_nodes(part) if one not in body]
    return frozenset(names)


def names_assigned(statement: ast.stmt) -> frozenset[str]:
    """The names that a statement of a module assigns; those inside of its value are not the module's."""
    return frozenset(
        node.id
        for field, part in ast.iter_fields(statement)
        if field in ("target", "targets")
        for target in (part if isinstance(part, list) else [part])
        for node in ast.walk(target)
        if isinstance(node, ast.Name)
    )


def lines_naming(names: frozenset[str], lines: list[str]) -> frozenset[int]:
    """The lines that use one of these names."""
    word = re.compile(rf"\b({'|'.join(sorted(names))})\b")
    return frozenset(number for number, line in enumerate(lines, 1) if word.search(line))


def lines_of(statement: ast.stmt) -> frozenset[int]:
    """Lines at least one of which runs whenever a statement does; of a compound one, those before its
    body.
    """
    end = (statement.end_lineno or statement.lineno) + 1
    if isinstance(statement, ast.Match):
        end = statement.cases[0].pattern.lineno
    elif not isinstance(statement, ast.FunctionDef) and hasattr(statement, "body"):
        end = statement.body[0].lineno
    return frozenset(range(statement.lineno, end))


def places(node: ast.stmt, owner: str = "") -> Iterator[CodePlace]:
    """The places to change in a statement of a module or class: functions, and module constants."""
    if isinstance(node, ast.ClassDef):
        for member in node.body:
            if isinstance(member, ast.FunctionDef):
                yield from places(member, f"{node.name}.")
    elif isinstance(node, ast.FunctionDef):
        yield from places_in(node, owner + node.name, node)
    elif is_constant(node):
        yield from places_in(node, "", node)


def places_in(node: ast.AST, function: str, statement: ast.stmt) -> Iterator[CodePlace]:
    """The places to change in a node."""
    if isinstance(node, ast.stmt):
        statement = node
    for field, value in ast.iter_fields(node):
        if field not in LEFT_ALONE:
            yield CodePlace(function, statement, node, field)
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from places_in(child, function, statement)


def is_constant(node: ast.AST) -> bool:
    """Whether a module statement assigns plain data to a name."""
    return isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
        node.value, ast.Constant | ast.Dict | ast.Tuple
    )


def changed_fields(
    node: ast.AST, field: str, value: object
) -> Iterator[tuple[ast.AST, ast.AST | None, object]]:
    """The parts of a field that can change, their replacements, and the resulting field values."""
    if isinstance(value, ast.AST):
        for other in replacements_for(node, field, value):
            yield value, other, other
    elif isinstance(value, list):
        for place, old in enumerate(value):
            if not isinstance(old, ast.AST):
                continue
            for other in replacements_for(node, field, old):
                some = [] if other is None else [other]
                yield old, other, value[:place] + some + value[place + 1 :]


def replacements_for(owner: ast.AST, field: str, node: ast.AST) -> Iterator[ast.AST | None]:
    """The replacements for a node; `None` deletes it."""
    match owner, field:
        case (ast.If(), "test") | (ast.While(), "test"):
            yield ast.Constant(value=False)
            if isinstance(owner, ast.If):
                yield ast.Constant(value=True)
        case (ast.Call(), "args"):
            yield None
            if not is_nothing(node):
                yield NOTHING
        case (ast.Call(), "keywords") | (ast.comprehension(), "ifs") | (ast.Slice(), _):
            yield None
        case (ast.match_case(), "guard"):
            yield None
        case (ast.Match(cases=cases), "cases") if len(cases) > 1:
            yield None
        case (ast.Assign() | ast.AnnAssign() | ast.Return() | ast.Lambda(), "value" | "body"):
            if not is_nothing(node):
                yield NOTHING
    if isinstance(node, ast.stmt):
        yield from replacements_for_statement(node)
    elif not is_text(owner):
        yield from replacements_for_expression(node)


def replacements_for_statement(node: ast.stmt) -> Iterator[ast.AST]:
    """The replacements for a statement."""
    if isinstance(node, ast.Break | ast.Continue):
        yield OTHER[type(node)]()
    elif isinstance(node, ast.AugAssign | ast.Raise | ast.Delete | ast.Expr) and not is_text(node):
        yield ast.Pass()


def is_text(node: ast.AST) -> bool:
    """Whether a node is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def replacements_for_expression(node: ast.AST) -> Iterator[ast.AST]:
    """The replacements for an expression."""
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                yield with_field(node, "ops", [*ops[:place], OTHER[type(op)](), *ops[place + 1 :]])
        case ast.BoolOp(op=op, values=values):
            yield with_field(node, "op", OTHER[type(op)]())
            for place in range(len(values)):
                rest = values[:place] + values[place + 1 :]
                yield rest[0] if len(rest) == 1 else with_field(node, "values", rest)
        case ast.BinOp(op=op, left=left, right=right):
            if type(op) in OTHER:
                yield with_field(node, "op", OTHER[type(op)]())
            yield left
            yield right
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.IfExp(body=body, orelse=orelse):
            yield body
            yield orelse
        case ast.Constant(value=bool(value)):
            yield ast.Constant(value=not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value=value + 1)
        case ast.Constant(value=str(value)):
            yield ast.Constant(value=value + " or other")
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield with_field(node, "id", NAMES[name])


def is_nothing(node: ast.AST) -> bool:
    """Whether a node is `None` already."""
    return isinstance(node, ast.Constant) and node.value is None


def with_field(node: ast.AST, field: str, value: object) -> ast.AST:
    other = copy.copy(node)
    setattr(other, field, value)
    return other


def short(node: ast.AST | None) -> str:
    """A node in one line."""
    text = "nothing" if node is None else ast.unparse(node)
    return " ".join(text.split())[:100]


def take_over(there: dict[str, Any], code: CodeType, name: str) -> None:
    """Replace functions and constants of a module by those of a changed program, wherever they are used."""
    made = ModuleType(name)
    exec(code, made.__dict__)
    take_over_names(there, vars(made), name)


def import_changed(code: CodeType, name: str) -> None:
    """Import a changed module after forgetting all our imported modules, so that those using it get the
    changed one.

    This also shows changes to what is built at import: patterns, readers, tables.
    """
    for one in [one for one in sys.modules if one.split(".", maxsplit=1)[0] in OURS]:
        del sys.modules[one]
    package, _, last = name.rpartition(".")
    made = ModuleType(name)
    setattr(importlib.import_module(package), last, made)
    sys.modules[name] = made
    exec(code, made.__dict__)


def output_of_fork(work: Callable[[BinaryIO], None]) -> tuple[bytes, int]:
    """What a forked process writes as it works, and how it ended (0 if it finished). It prints nothing, and
    its memory is limited.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
            with os.fdopen(writing, "wb", buffering=0) as told:
                work(told)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        text = told.read()
    return text, os.waitpid(child, 0)[1]


def take_over_names(there: dict[str, Any], made: dict[str, Any], name: str) -> None:
    """Like `take_over`, for the names of a module or class."""
    for key, value in made.items():
        old, new = unwrapped(there.get(key)), unwrapped(value)
        if isinstance(new, FunctionType) and isinstance(old, FunctionType):
            if new.__module__ == name:
                old.__code__, old.__defaults__ = new.__code__, new.__defaults__
                old.__kwdefaults__ = new.__kwdefaults__
        elif isinstance(new, type):
            if new.__module__ == name:
                take_over_names(dict(vars(old)), dict(vars(new)), name)
        elif isinstance(new, int | str | tuple | dict | None) and not key.startswith("__"):
            constant = with_own_parts_of(there, new, name)
            for module in modules_with(key, there.get(key), name.split(".", maxsplit=1)[0]):
                setattr(module, key, constant)
            there[key] = constant


def with_own_parts_of(there: dict[str, Any], value: object, name: str) -> object:
    """A constant of a changed module, with the functions that took over the changed code and the classes that
    are in use, in place of new ones.
    """
    if isinstance(value, tuple):
        return tuple(with_own_parts_of(there, one, name) for one in value)
    if isinstance(value, dict):
        return {
            with_own_parts_of(there, key, name): with_own_parts_of(there, one, name)
            for key, one in value.items()
        }
    if isinstance(value, FunctionType | type) and value.__module__ == name:
        return there.get(value.__name__, value)
    return value


def modules_with(key: str, value: object, package: str) -> list[ModuleType]:
    """The modules of a package in which a name stands for this very value: its own, and those that import
    it.
    """
    return [module for module in modules_of(package) if vars(module).get(key, module) is value]


def modules_of(package: str) -> list[ModuleType]:
    """The modules of a package that have been imported."""
    return [module for name, module in sys.modules.items() if name.split(".", maxsplit=1)[0] == package]


def unwrapped(value: object) -> object:
    """The function inside a property, class method or cache."""
    if isinstance(value, property):
        return value.fget
    if isinstance(value, classmethod | staticmethod):
        value = value.__func__
    elif hasattr(value, "__get__") and hasattr(value, "func"):  # a cached property, or a `once`
        value = value.func
    return inspect.unwrap(value) if callable(value) and not isinstance(value, type) else value


def forget(package: str) -> None:
    """Empty all caches of a package."""
    for cache in caches(package, len(modules_of(package))):
        cache.cache_clear()


@functools.cache
def caches(package: str, modules: int) -> tuple[functools._lru_cache_wrapper[Any], ...]:
    """The caches of a package of which this number of modules have been imported, each at least once."""
    return tuple(
        one
        for module in modules_of(package)
        for value in vars(module).values()
        for member in ((value, *vars(value).values()) if isinstance(value, type) else (value,))
        for one in (member.__func__ if isinstance(member, staticmethod) else member,)
        if isinstance(one, functools._lru_cache_wrapper)
    )


def module_name(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".")


# ------------------------------------------------------------------------------------ their names


class Identity(Struct, frozen=True):
    """Identifies a change; `again` numbers equal changes in equal lines of a function."""

    module: str
    function: str
    line: str
    change: str
    again: int = 0

    @property
    def id(self) -> str:
        """A short name that stays the same as long as the code does."""
        return hashlib.sha256("\0".join(map(str, msgspec.structs.astuple(self))).encode()).hexdigest()[:12]


def identified_changes(module: str) -> Iterator[tuple[Identity, CodeChange]]:
    """Every change of a module; each is valid until the next one is requested."""
    return with_identities(module, changes((ROOT / module).read_text(encoding="utf-8")))


def with_identities(module: str, changes: Iterable[CodeChange]) -> Iterator[tuple[Identity, CodeChange]]:
    """All changes of a module in their order, each with its identity."""
    met: Counter[tuple[str, str, str]] = Counter()
    for change in changes:
        key = (change.function, change.text, change.told)
        yield Identity(module, *key, met[key]), change
        met[key] += 1
