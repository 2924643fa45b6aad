"""Which expressions of a package change nothing, so that they may be evaluated once more, or differently.

Decided by names alone, and cautiously: a name is impure if any function or method of this name in the package
assigns to, or calls a method that changes, something that it did not make itself, or mentions an impure name.
What is neither known from the package nor listed here counts as impure, too.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HARMLESS = words(
    """
    abs all any bool callable dict divmod enumerate filter float format frozenset getattr hasattr
    hash id int isinstance issubclass iter len list map max min next pow range repr reversed round
    set slice sorted str sum tuple type zip
    """
) | {name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, Exception)}
"""Built-in functions that change nothing, at most an iterator (see `ITERATORS`)."""
OF_LIBRARIES = words(
    """
    accumulate asdict assert_never astuple attrgetter cast ceil chain combinations compress Counter
    cycle defaultdict deque dropwhile elements fields findall finditer floor from_iterable fullmatch
    gcd get_args get_origin groupby islice itemgetter match most_common pairwise partial
    permutations prod product reduce repeat replace search starmap sub suppress takewhile total
    zip_longest
    """
)
"""Functions and classes of other packages that change nothing."""
METHODS = words(
    """
    __contains__ __eq__ __get__ __getitem__ as_integer_ratio bit_length capitalize casefold center
    copy count difference encode end endswith find format fromkeys get group groups index
    intersection isalnum isalpha isdecimal isdigit isdisjoint islower isnumeric isspace issubset
    issuperset isupper items join keys ljust lower lstrip maketrans partition removeprefix
    removesuffix replace rfind rjust rpartition rsplit rstrip span split splitlines start startswith
    strip swapcase symmetric_difference title translate union upper values zfill
    """
)
"""Methods of built-in types that change nothing."""
CHANGING = words(
    """
    __delitem__ __setattr__ __setitem__ add append appendleft clear close difference_update discard
    extend extendleft insert intersection_update move_to_end pop popitem popleft remove reverse
    rotate send setdefault sort subtract symmetric_difference_update throw update write
    """
)
"""Methods that change what they are called on."""
MAKERS = frozenset(("list", "dict", "set", "defaultdict", "Counter", "deque", "sorted", "bytearray"))
ITERATORS = words(
    """
    accumulate chain combinations compress count cycle dropwhile enumerate filter finditer
    from_iterable groupby islice iter map pairwise permutations product repeat reversed starmap
    takewhile zip
    """
)
"""What they return can be used up."""
MAKING = frozenset(("__init__", "__post_init__", "__new__"))
Function = ast.FunctionDef


class Deeds(Struct):
    """What the functions of a name do: whether any changes something, and which names they mention."""

    changes: str = ""
    names: set[str] = set()
    attributes: set[str] = set()

    def mention(self, node: ast.AST, local: set[str]) -> None:
        """Add what a node mentions: names but local ones, and attributes."""
        self.names |= names_in(node) - local
        self.attributes |= attributes_in(node)


class Package:
    """The names of a package that are impure. `harmless` are names of its functions that count as pure
    whatever they do: those that only remember what they worked out.
    """

    def __init__(self, files: Iterable[Path], harmless: frozenset[str] = frozenset()) -> None:
        self._deeds: defaultdict[str, Deeds] = defaultdict(Deeds)
        """What stands in modules, by name; with a dot before the name, what stands in classes."""
        self.classes: set[str] = set()
        self.iterating: set[str] = set()
        """The functions that return what can be used up."""
        trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
        for node in (node for tree in trees for node in ast.walk(tree)):
            if isinstance(node, ast.ClassDef):
                self.classes.add(node.name)
            elif isinstance(node, ast.FunctionDef) and gives_iterator(node):
                self.iterating.add(node.name)
        for tree in trees:
            self._learn(tree)
        self.impure = self._impure(harmless)

    def _learn(self, tree: ast.Module) -> None:
        for statement in tree.body:
            self._learn_statement(statement, "")

    def _learn_statement(self, statement: ast.stmt, dot: str) -> None:
        """Learn a function; a class, which stands for how it is made; or a field or constant, which stands
        for all that its value mentions.
        """
        match statement:
            case ast.FunctionDef(name=name):
                deeds = self._deeds[dot + name]
                deeds.changes = deeds.changes or foreign_change(statement, self.classes | self.iterating)
                deeds.mention(statement, local_names(statement))
            case ast.ClassDef(name=name, body=body):
                made = {one.name for one in body if isinstance(one, ast.FunctionDef)} & MAKING
                self._deeds[name].attributes |= made
                for member in body:
                    self._learn_statement(member, ".")
            case (
                ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.Assign(targets=[ast.Name(id=name)], value=value)
            ):
                self._deeds[dot + name].mention(value, set())
            case ast.If(body=body):
                for one in body:
                    self._learn_statement(one, dot)
            case _:
                pass

    def _impure(self, harmless: frozenset[str]) -> dict[str, str]:
        """Each impure name, with the reason."""
        impure = {
            name: deeds.changes
            for name, deeds in self._deeds.items()
            if deeds.changes and name not in harmless
        }
        mentioned_by: defaultdict[str, set[str]] = defaultdict(set)
        for name, deeds in self._deeds.items():
            for other in (*deeds.names, *deeds.attributes, *(f".{one}" for one in deeds.attributes)):
                mentioned_by[other].add(name)
        left = list(impure)
        while left:
            name = left.pop()
            for other in mentioned_by[name]:
                if other not in impure and other not in harmless:
                    impure[other] = name
                    left.append(other)
        return impure

    def is_pure(self, expression: ast.expr, inside: Function | None) -> bool:
        """Whether an expression of a function changes nothing."""
        dangerous = doubtful_names(inside, self.iterating) if inside else set()
        return not any(self._is_impure(node, dangerous) for node in ast.walk(expression))

    def _is_impure(self, node: ast.AST, dangerous: set[str]) -> bool:
        match node:
            case ast.Yield() | ast.YieldFrom() | ast.Await() | ast.NamedExpr():
                return True
            case ast.Name(id=name):
                return name in self.impure or name in dangerous
            case ast.Attribute(attr=name):
                return name in self.impure or f".{name}" in self.impure
            case ast.Call(func=called):
                return not self._is_known(called)
            case _:
                return False

    def _is_known(self, called: ast.expr) -> bool:
        """Whether what is called is known; whether it is pure is asked of each name in it."""
        match called:
            case ast.Name(id=name):
                return name in self._deeds or name in HARMLESS or name in OF_LIBRARIES
            case ast.Attribute(attr=name):
                known = name in self._deeds or f".{name}" in self._deeds
                return name not in CHANGING and (known or name in METHODS or name in OF_LIBRARIES)
            case ast.Subscript(value=ast.Name(id=name)):  # `dict[str, int]()`, or a table of functions
                return name in self._deeds or name in HARMLESS or name in OF_LIBRARIES
            case ast.Call():
                return self._is_known(called.func)
            case _:
                return False


def names_in(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def attributes_in(node: ast.AST) -> set[str]:
    return {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}


def local_names(function: Function) -> set[str]:
    """The parameters and variables of a function, or of a function in it."""
    stored = {
        one.id for one in ast.walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
    inner = [one for one in ast.walk(function) if isinstance(one, ast.FunctionDef | ast.Lambda)]
    return stored.union(*(parameters(one) for one in inner))


def gives_iterator(function: Function) -> bool:
    """Whether a function returns what can be used up."""
    told = ast.unparse(function.returns) if function.returns else ""
    return told.startswith(("Iterator", "Iterable", "Generator")) or any(
        isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)
    )


def foreign_change(function: Function, makers: set[str]) -> str:
    """What a function changes that it did not make, in words; empty for nothing."""
    own = names_made(function, makers)
    if function.name in ("__init__", "__new__"):
        own.add("self")
    for node in ast.walk(function):
        match node:
            case ast.Global() | ast.Nonlocal():
                return "a name outside"
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                if root_of(node) not in own:
                    return ast.unparse(node)
            case ast.AugAssign(
                target=ast.Name(id=name), op=ast.Add() | ast.BitOr() | ast.BitAnd() | ast.Sub()
            ):
                if name in parameters(function) and name not in own:
                    return name
            case ast.Call(func=ast.Attribute(attr=name, value=base)) if name in CHANGING:
                if root_of(base) not in own:
                    return ast.unparse(node)
            case ast.Call(func=ast.Name(id="next"), args=[ast.Name(id=name), *_]) if name not in own:
                return f"next({name})"
            case ast.Call(func=ast.Name(id="setattr" | "delattr" | "exec" | "eval" | "vars" | "print")):
                return ast.unparse(node)
            case _:
                pass
    return ""


def root_of(node: ast.expr) -> str:
    """The name that a chain of attributes, items and calls begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def parameters(function: Function | ast.Lambda) -> set[str]:
    a = function.args
    extra = [one for one in (a.vararg, a.kwarg) if one]
    return {one.arg for one in (*a.posonlyargs, *a.args, *a.kwonlyargs, *extra)}


def names_made(function: Function, makers: set[str]) -> set[str]:
    """The local names that only ever stand for what the function made itself."""
    made, other = set[str](), parameters(function)
    counted: set[int] = set()
    for target, value in assignments(function):
        counted.add(id(target))
        (made if is_made(value, makers) else other).add(target.id)
    for node in ast.walk(function):
        match node:
            case ast.AugAssign(target=ast.Name() as target):
                counted.add(id(target))
            case ast.AnnAssign(target=ast.Name() as target, value=None):
                counted.add(id(target))
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                other.add(name)
            case ast.ExceptHandler(name=str(name)):
                other.add(name)
            case _:
                pass
    others = (one for one in ast.walk(function) if isinstance(one, ast.Name) and id(one) not in counted)
    return made - other - {one.id for one in others if isinstance(one.ctx, ast.Store)}


def assignments(function: Function) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The names that a function assigns a value of their own, with the value."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[*targets], value=value):
                for target in targets:
                    if isinstance(target, ast.Name):
                        yield target, value
                    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                        for one, its in zip(target.elts, value.elts, strict=False):
                            if isinstance(one, ast.Name):
                                yield one, its
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                yield target, value
            case _:
                pass


def is_made(value: ast.expr, makers: set[str]) -> bool:
    """Whether an expression makes a new value."""
    match value:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp() | ast.SetComp():
            return True
        case ast.Constant() | ast.GeneratorExp():
            return True
        case ast.BinOp(op=ast.Mult(), left=left):
            return is_made(left, makers)
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Subscript(value=ast.Name(id=name))):
            return name in MAKERS or name in makers or name == "iter"
        case ast.Call(func=ast.Attribute(attr=name)):
            return name == "copy" or name in MAKERS
        case _:
            return False


def doubtful_names(function: Function, iterating: set[str]) -> set[str]:
    """The names of a function that may stand for what can be used up, or for a function that is not known."""
    found = {"super", "locals", "vars", "globals"}
    a = function.args
    for one in (*a.posonlyargs, *a.args, *a.kwonlyargs):
        told = ast.unparse(one.annotation) if one.annotation else ""
        if any(word in told for word in ("Iterator", "Iterable", "Generator", "Callable")):
            found.add(one.arg)
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value) if may_be_used_up(value, iterating):
                found |= {
                    one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)
                }
            case ast.AnnAssign(target=ast.Name(id=name), value=value, annotation=annotation):
                told = ast.unparse(annotation)
                if "Callable" in told or "Itera" in told or (value and may_be_used_up(value, iterating)):
                    found.add(name)
            case ast.NamedExpr(target=ast.Name(id=name), value=value) if may_be_used_up(value, iterating):
                found.add(name)
            case ast.Lambda() | ast.FunctionDef() if node is not function:
                found |= parameters_of_callables(node)
            case ast.withitem(optional_vars=ast.Name(id=name)):
                found.add(name)
            case _:
                pass
    return found


def parameters_of_callables(node: ast.Lambda | ast.FunctionDef) -> set[str]:
    return {
        one.arg
        for one in node.args.args
        if one.annotation and any(word in ast.unparse(one.annotation) for word in ("Callable", "Itera"))
    }


def may_be_used_up(value: ast.expr, iterating: set[str]) -> bool:
    """Whether the value of an expression may be an iterator."""
    match value:
        case ast.GeneratorExp():
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in ITERATORS or name in iterating
        case ast.IfExp(body=body, orelse=orelse):
            return may_be_used_up(body, iterating) or may_be_used_up(orelse, iterating)
        case ast.BoolOp(values=values):
            return any(may_be_used_up(one, iterating) for one in values)
        case ast.Tuple(elts=elts):
            return any(may_be_used_up(one, iterating) for one in elts)
        case _:
            return False
