"""Our own code under mutation: small changes to a module, each tried against the fixtures and the laws.

`python -m tests.own_mutants reference_engine/dependency.py [more modules]` prints each change that no
fixture and no law notices, with its line. Every change is tried in a process of its own, forked from one
that has read the fixtures but not yet the reference engine, so that it costs little more than the play.
"""

from __future__ import annotations

import ast
import copy
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from conformance.library import all_fixtures
from conformance.rulebook import newest_edition
from conformance.scenario import Fixture

SECONDS = 60
"""A change after which nothing ends is noticed, too."""
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
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}
NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}


def changes_of(node: ast.AST) -> Iterator[ast.AST | None]:
    """What may stand in the place of a node; none: nothing at all."""
    kind = type(node)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield with_field(node, "ops", [OTHER[type(node.ops[0])]()])
    elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in OTHER:
        yield with_field(node, "op", OTHER[type(node.op)]())
        if isinstance(node, ast.BoolOp):
            yield from node.values
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.If | ast.While):
        yield with_field(node, "test", ast.Constant(value=isinstance(node, ast.If)))
        if isinstance(node, ast.If):
            yield with_field(node, "test", ast.Constant(value=False))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(value=not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(value=node.value + 1)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in NAMES:
        yield with_field(node, "id", NAMES[node.id])
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield with_field(node, "ifs", node.ifs[1:])
    elif isinstance(node, ast.Return) and node.value is not None:
        yield with_field(node, "value", ast.Constant(value=None))
    elif kind in (ast.Break, ast.Continue):
        yield OTHER[kind]()
    elif isinstance(node, ast.AugAssign | ast.Expr) and not is_text(node):
        yield None


def is_text(node: ast.AST) -> bool:
    """Whether it is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def with_field(node: ast.AST, field: str, value: object) -> ast.AST:
    """The node with another value of a field."""
    other = copy.copy(node)
    setattr(other, field, value)
    return other


def changed(source: str) -> Iterator[tuple[int, str, str]]:
    """Line, what was changed and the whole text, for every change."""
    tree = ast.parse(source)
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns", "decorator_list"):
                continue
            for place, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(node, ast.AST):
                    continue
                for other in changes_of(node):
                    new = ast.Pass() if other is None else other
                    put(parent, field, place, new)
                    told = f"{short(node)}  →  {short(new)}"
                    yield getattr(node, "lineno", getattr(parent, "lineno", 0)), told, text_of(tree)
                    put(parent, field, place, node)


def put(parent: ast.AST, field: str, place: int | None, node: ast.AST) -> None:
    """Put a node in its place."""
    if place is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[place] = node


def text_of(tree: ast.AST) -> str:
    """The program of a tree."""
    return ast.unparse(ast.fix_missing_locations(tree))


def short(node: ast.AST) -> str:
    """A node on a line."""
    return " ".join(text_of(node).split())[:90]


# ------------------------------------------------------------------------------------ trying them


def survives(module: str, text: str, fixtures: list[Fixture]) -> bool:
    """Whether everything passes with another text for a module."""
    child = os.fork()
    if child == 0:
        os._exit(0 if passes(module, text, fixtures) else 1)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def passes(module: str, text: str, fixtures: list[Fixture]) -> bool:
    """Whether every fixture and every law holds; in a process that is thrown away afterwards."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        spec = importlib.util.find_spec(module)
        assert spec is not None
        made = importlib.util.module_from_spec(spec)
        sys.modules[module] = made
        exec(compile(text, module, "exec"), made.__dict__)
        from adapters.in_process import Reference
        from conformance.properties import PROPERTIES
        from conformance.reach import examples_of
        from conformance.runner import answer_to
        from conformance.verdict import Pass, judge

        engine, edition = Reference(), newest_edition()
        for fixture in fixtures:
            answer = answer_to(engine, fixture.play)
            if not isinstance(judge(fixture, answer, edition, checks_understanding=True), Pass):
                return False
        for law in PROPERTIES:
            examples_of(law, engine.play, 10, strict=True)
    except BaseException:
        return False
    return True


def main() -> None:
    """Try every change of the modules named, and print those that nobody notices."""
    from conformance.runner import counts

    edition = newest_edition()
    fixtures = [one for one in all_fixtures().values() if counts(one, edition) and not one.disputed]
    assert not [name for name in sys.modules if name.startswith("reference_engine.layers")]
    for name in sys.argv[1:]:
        source = Path(name).read_text(encoding="utf-8")
        module = name.removesuffix(".py").replace("/", ".")
        assert survives(module, text_of(ast.parse(source)), fixtures), f"{name} fails as it is"
        tried = survivors = 0
        for line, told, text in changed(source):
            tried += 1
            if survives(module, text, fixtures):
                survivors += 1
                print(f"{name}:{line}: {told}", flush=True)
        print(f"{name}: {tried} changes, {survivors} survive", flush=True)


if __name__ == "__main__":
    main()
