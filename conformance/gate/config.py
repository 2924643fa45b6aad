"""`conformance.toml`: how to start and grade the engines of a repository, so that a run needs no options.

The file is looked up from the working directory upwards; paths in it are relative to its folder:

    engine = "mine"                        # asked by a plain `conformance run`
    profile = "gate"                       # quick, gate or deep
    divergences = "divergences.yaml"       # where known disagreements of `engine` are listed
    edition = "2024-11-08"                 # the rules to grade by
    max_unsupported = "40%"                # or a number of checks
    jobs = 4
    max_memory = "2 GB"                    # an engine that has more is ended: a crash
    cards = ["cards.jsonl"]                # files of cards that scenarios can use by name
    cards_first = true                     # these before the suite's cards of the same name

    [engines.mine]
    command = "node shim.js"               # or a list of words
    folder = "conformance"                 # the working directory of the command
    environment = {NODE_ENV = "test"}
    deadlines = {start = 20, request = 10} # in seconds

Settings in an engine's own table override the general ones above it. Reading is strict and reports all
problems of the file at once.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.rulebook import RULE, is_known, is_within, rulebook, rules_by_number
from conformance.files.content import content_of
from conformance.files.typed_walk import UNREADABLE, Grammar, ReadFunction, TypedWalk, Unreadable, read_record
from conformance.files.yaml_nodes import MappingNode, Node, ScalarNode, SequenceNode
from conformance.model.printable import printable
from conformance.model.problems import At, Problem, ScenarioError, did_you_mean, list_of_options

FILE_NAME = "conformance.toml"
DIVERGENCES = "divergences.yaml"
"""Default name of the list of known disagreements."""
Profile = Literal["quick", "gate", "deep"]
PROFILES: tuple[Profile, ...] = get_args(Profile)
MOST_JOBS = 256
MOST_CONFIG_BYTES = 100_000
MOST_WRONG = 20
"""Maximum number of problems of a file to show."""
LONGEST_LINE = 1000
"""Lines longer than this are not searched for the place of a key."""
_Kind = TypeVar("_Kind")


class Limit(Struct, frozen=True):
    """An upper limit: a number, or a percentage."""

    number: int
    percent: bool = False

    def __str__(self) -> str:
        """As written in the file: `120` or `40%`."""
        return f"{self.number}{'%' if self.percent else ''}"

    def is_exceeded(self, count: int, of: int) -> bool:
        """Whether `count` out of `of` is over the limit."""
        return count * 100 > self.number * of if self.percent else count > self.number


class UnsupportedLimits(Struct, frozen=True):
    """How many checks may be unsupported: of all checks, and of those about a rule, section or chapter."""

    of_all: Limit | None = None
    of_rules: Mapping[str, Limit] = {}


class Settings(Struct, frozen=True):
    """Settings for grading an engine; None where the file sets nothing."""

    profile: Profile | None = None
    divergences: Path | None = None
    edition: str | None = None
    max_unsupported: UnsupportedLimits | None = None
    jobs: int | None = None
    max_memory: int | None = None
    """In bytes, for the engine's process and everything it starts."""

    def with_defaults(self, general: Settings) -> Settings:
        """These settings, with the general ones as defaults."""
        own = {key: getattr(self, key) for key in self.__struct_fields__ if getattr(self, key) is not None}
        return replace(general, **own)


class Program(Struct, frozen=True):
    """How to start an engine as a child process."""

    argv: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = {}
    start: float | None = None
    """Seconds until the engine must have said hello."""
    request: float | None = None
    """Seconds until a scenario must be answered."""


class Config(Struct, frozen=True):
    """The contents of a configuration file; empty without one."""

    path: Path | None = None
    engine: str | None = None
    """The engine that a plain run tests: one of the engines below, or any other form of `--engine`."""
    settings: Settings = Settings()
    engines: Mapping[str, Program] = {}
    of_engines: Mapping[str, Settings] = {}
    cards: tuple[Path, ...] = ()
    """Files and folders of cards that scenarios can use by name."""
    cards_first: bool = False
    """Whether those come before ours of the same name."""

    def home_of(self, engine: str) -> Path | None:
        """The folder in which this file's default engine is found; None for any other engine."""
        return self.path.parent if self.path and engine == self.engine else None

    def settings_for(self, engine: str) -> Settings:
        """The settings for this engine: its own table, with the general ones as defaults.

        A list of known disagreements belongs to one engine, so the general one applies only to the default
        engine. For that engine the file may leave it out if the list has its default name.
        """
        own = self.of_engines.get(engine, Settings())
        if engine != self.engine or self.path is None:
            return own.with_defaults(replace(self.settings, divergences=None))
        said = own.with_defaults(self.settings)
        usual = self.path.parent / DIVERGENCES
        return said if said.divergences or not usual.exists() else replace(said, divergences=usual)


REPOSITORY = (".git", ".hg", ".jj")
"""Names that mark the root of a repository."""


def found_config(folder: Path) -> Config:
    """The nearest configuration file, from this folder up to the root of its repository.

    Files further up belong to other projects, or other people. Raises `ScenarioError`.
    """
    places = (folder, *folder.parents)
    roots = [place for place in places if any((place / mark).exists() for mark in REPOSITORY)]
    for place in places[: places.index(roots[0]) + 1] if roots else (folder,):
        path = place / FILE_NAME
        if os.path.lexists(path):
            return config_in(content_of(path, most=MOST_CONFIG_BYTES), path)
    return Config()


def command_to_announce(config: Config, engine: str, folder: Path) -> str | None:
    """The command that a configuration file runs for this engine, if that may surprise the user.

    That is the case if the file is in a parent folder or belongs to another user.
    """
    path = config.path
    if path is None or engine == "reference" or engine not in (config.engine, *config.engines):
        return None
    why = "found above this folder" if path.parent != folder else ""
    owner = owner_of(path)
    if owner is not None:
        why = f"which belongs to another user ({owner})"
    program = config.engines.get(engine)
    runs = f"{shlex.join(program.argv)} (in {program.folder})" if program else engine
    return f"{printable(f'{path}, {why}, has this run: {runs}', LONGEST)}" if why else None


LONGEST = 500
"""Maximum number of characters shown of such a command."""


def owner_of(path: Path) -> int | None:
    """The user who owns a file, if it is somebody else; None on systems without users."""
    if sys.platform == "win32":
        return None
    owner = path.stat().st_uid
    return owner if owner != os.getuid() else None


class NoEngine(Exception):
    """No engine was named, and nobody guesses; the message says how to name one."""


def chosen_engine(said: str | None, config: Config, because: str = "") -> str:
    """The engine to test: as named on the command line, or else in the configuration.

    The default is our reference engine, except where its results could be taken for another engine's
    (`because` says why), or where the name is empty, as in a CI job whose variable is not set. Raises
    `NoEngine`.
    """
    name = said or config.engine
    if name:
        return name
    if said is None and not because:
        return "reference"
    names = list_of_options(config.engines)
    where = (
        f"{relative_path(config.path)} {f'has several: {names}' if names else 'names none'}"
        if config.path
        else f"there is no {FILE_NAME} in this folder, nor above it in the repository"
    )
    raise NoEngine(
        f"{because or 'an empty --engine'}: no engine is named; {where}\n"
        '    write --engine "node my_engine.js", or engine = "node my_engine.js" in conformance.toml; '
        "--engine reference selects our reference engine"
    )


def relative_path(path: Path) -> str:
    """A path, relative to the working directory if it is below it."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def config_in(content: bytes, path: Path) -> Config:
    """The configuration in a file. Raises `ScenarioError` with all its problems."""
    import tomllib

    shown = relative_path(path)
    try:
        text = content.decode()
        table = tomllib.loads(text)
    except UnicodeDecodeError:
        raise ScenarioError([Problem(shown, 1, 1, "", "not UTF-8", "save the file as UTF-8")]) from None
    except ValueError as error:  # a number with thousands of digits raises no `TOMLDecodeError`
        raise ScenarioError([not_toml(shown, str(error))]) from None
    except RecursionError:
        what, cure = "lists or tables nested hundreds of levels deep", "no setting needs that"
        raise ScenarioError([Problem(shown, 0, 0, "", what, cure)]) from None
    tree = TomlTree(table)
    walk = TypedWalk(config_grammar(tree, path.parent))
    file = walk.to_the_end(lambda: read_record(ConfigFile, tree.root, walk))
    if isinstance(file, Unreadable) or walk.faults:
        raise ScenarioError(
            Problem(
                shown,
                *place_of(text, at),
                ".".join(str(step + 1) if isinstance(step, int) else step for step in at),
                one.what,
                one.cure,
            )
            for one in walk.faults[:MOST_WRONG]
            for at in [tree.places[id(one.node)]]
        )
    return config_of(file, path)


def config_of(file: ConfigFile, path: Path) -> Config:
    """Convert the parsed file to a `Config`."""
    names = list(file.engines)
    return Config(
        path,
        file.engine or (names[0] if len(names) == 1 else None),
        settings_in(file),
        {
            name: Program(
                table.command,
                table.folder or path.parent,
                table.environment,
                table.deadlines.start,
                table.deadlines.request,
            )
            for name, table in file.engines.items()
        },
        {name: settings_in(table) for name, table in file.engines.items()},
        file.cards,
        file.cards_first,
    )


def settings_in(table: ConfigFile | EngineTable) -> Settings:
    """The settings for grading that a table contains."""
    return Settings(**{key: getattr(table, key) for key in Settings.__struct_fields__})


def not_toml(path: str, says: str) -> Problem:
    """The problem with a file that is not TOML."""
    at = re.search(r"\(at line (\d+), column (\d+)\)", says)
    line, column = (int(at[1]), int(at[2])) if at else (0, 0)
    what = re.sub(r" \(at .*\)$", "", says)
    return Problem(path, line, column, "", f"not TOML: {what}", 'text is written in quotes: engine = "mine"')


def place_of(text: str, at: At) -> tuple[int, int]:
    """Line and column of a key if it can be found, or else of the table that holds it."""
    for length in range(len(at), 0, -1):
        *tables, key = map(str, at[:length])
        here: list[str] = []
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > LONGEST_LINE:
                continue
            header = re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line)
            if header:
                here = [word.strip(" \"'") for word in header[1].split(".")]
                if here == [*tables, key]:
                    return number, 1
            elif here == tables and (found := re.match(rf"\s*(?=[\"']?{re.escape(key)}[\"']?\s*[.=])", line)):
                return number, found.end() + 1
    return 0, 0


# ----------------------------------------------------------------------------------- strict reading


class DeadlinesTable(Struct, frozen=True):
    """How long to wait for an engine, in seconds."""

    start: float | None = None
    request: float | None = None


class EngineTable(Struct, frozen=True):
    """The table of one engine: how to start it, and how to grade it."""

    command: tuple[str, ...]
    folder: Path | None = None
    environment: dict[str, str] = {}
    deadlines: DeadlinesTable = DeadlinesTable()
    profile: Profile | None = None
    divergences: Path | None = None
    edition: str | None = None
    max_unsupported: UnsupportedLimits | None = None
    jobs: int | None = None
    max_memory: int | None = None


class ConfigFile(Struct, frozen=True):
    """The structure of the whole file."""

    engine: str | None = None
    profile: Profile | None = None
    divergences: Path | None = None
    edition: str | None = None
    max_unsupported: UnsupportedLimits | None = None
    jobs: int | None = None
    max_memory: int | None = None
    cards: tuple[Path, ...] = ()
    cards_first: bool = False
    engines: dict[str, EngineTable] = {}


class RefusedValue(Exception):
    """A value that cannot be used; says what is wrong, and the cure."""

    def __init__(self, what: str, cure: str) -> None:
        super().__init__(what)
        self.what, self.cure = what, cure


NAME = re.compile(r"[A-Za-z0-9_-]+")
RESERVED = ("reference",)


class TomlTree:
    """Presents a TOML file as the tree that the typed walk reads; nodes remember values and places."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.values: dict[int, Any] = {}
        self.places: dict[int, At] = {}
        self.root = self.node(table, ())

    def node(self, value: object, at: At) -> Node:
        """The node for a value."""
        made: Node
        if isinstance(value, dict):
            keys = {key: (self.word(key, (*at, key)), self.node(of, (*at, key))) for key, of in value.items()}
            made = MappingNode(0, "", keys)
        elif isinstance(value, list):
            made = SequenceNode(0, "", tuple(self.node(of, (*at, number)) for number, of in enumerate(value)))
        else:
            return self.word(value, at)
        self.values[id(made)], self.places[id(made)] = value, at
        return made

    def word(self, value: object, at: At) -> ScalarNode:
        """The node for a value that is neither a table nor a list."""
        made = ScalarNode(0, "", str(value), not isinstance(value, str))
        self.values[id(made)], self.places[id(made)] = value, at
        return made


def config_grammar(tree: TomlTree, home: Path) -> Grammar:
    """The grammar of a configuration file in this folder."""

    def reader(taken: Callable[[Any], Any]) -> ReadFunction:
        def read(node: Node, walk: TypedWalk) -> Any:
            try:
                return taken(tree.values[id(node)])
            except RefusedValue as refused:
                return walk.fault(node, refused.what, refused.cure)

        return read

    def read_engine(node: Node, walk: TypedWalk) -> Any:
        """The engine that a plain run tests."""
        engines = tree.values[id(tree.root)].get("engines", {})
        return reader(partial(engine_name, names=list(engines) if isinstance(engines, dict) else ()))(
            node, walk
        )

    def read_engines(node: Node, walk: TypedWalk) -> dict[str, EngineTable]:
        """The table of each engine, by name."""
        if not isinstance(node, MappingNode):
            walk.fault(node, f"{shown_value(tree.values[id(node)])} is not a table", "write [engines.NAME]")
            return {}
        tables = {}
        for name, (key, inner) in node.entries.items():
            if not NAME.fullmatch(name):
                walk.fault(key, f"{name!r} is not a valid name", "use letters, digits, - and _")
            elif name in RESERVED:
                walk.fault(key, f"{name!r} is our own engine", "give yours another name")
            elif not isinstance(inner, MappingNode):
                said = shown_value(tree.values[id(inner)])
                walk.fault(key, f"{said} is not a table", f"write [engines.{name}] above its keys")
            else:
                table = read_record(EngineTable, inner, walk)
                if table is not UNREADABLE:
                    tables[name] = table
        return tables

    def read_environment(node: Node, walk: TypedWalk) -> dict[str, str]:
        """The environment variables of an engine."""
        if not isinstance(node, MappingNode):
            said = shown_value(tree.values[id(node)])
            walk.fault(node, f"{said} is not a table", 'write environment = {NAME = "value"}')
            return {}
        return {key: reader(text_of)(value, walk) for key, (_, value) in node.entries.items()}

    settings: dict[str, ReadFunction] = {
        "profile": reader(profile_of),
        "divergences": reader(lambda value: home / text_of(value)),
        "edition": reader(edition_of),
        "max_unsupported": reader(limits_of),
        "jobs": reader(jobs_of),
        "max_memory": reader(memory_of),
    }
    return Grammar(
        fields={
            **{(table, key): read for table in (ConfigFile, EngineTable) for key, read in settings.items()},
            (ConfigFile, "engine"): read_engine,
            (ConfigFile, "engines"): read_engines,
            (ConfigFile, "cards"): reader(partial(paths_of, home=home)),
            (ConfigFile, "cards_first"): reader(yes_or_no),
            (EngineTable, "command"): reader(words_of),
            (EngineTable, "folder"): reader(partial(folder_of, home=home)),
            (EngineTable, "environment"): read_environment,
            (DeadlinesTable, "start"): reader(seconds_of),
            (DeadlinesTable, "request"): reader(seconds_of),
        }
    )


# ---------------------------------------------------------------------------------- kinds of values


def shown_value(value: object) -> str:
    """A value as written in the file."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if len(repr(value)) <= 60 else f"{repr(value)[:60]}…"


def text_of(value: object) -> str:
    """A text that is not empty."""
    if not isinstance(value, str):
        raise RefusedValue(f"{shown_value(value)} is not text", f'write it in quotes: "{value}"')
    if not value or "\0" in value:
        raise RefusedValue(
            "an empty text" if not value else "a null character", "write a value, or remove the key"
        )
    return value


def engine_name(value: object, names: Iterable[str]) -> str:
    """The engine that a plain run tests."""
    name, names = text_of(value), tuple(names)
    if name in (*names, *RESERVED) or any(mark in name for mark in ": /\\"):
        return name
    cure = did_you_mean(
        name, (*names, *RESERVED), otherwise=f"write a table [engines.{name}] with its command"
    )
    raise RefusedValue(f"no engine {name!r}", cure)


def words_of(value: object) -> tuple[str, ...]:
    """A command, given as a list of words or as one shell-like line."""
    cure = 'write command = "node shim.js" or command = ["node", "shim.js"]'
    if isinstance(value, str):
        try:
            words = shlex.split(value)
        except ValueError as error:
            raise RefusedValue(
                f"{value!r}: {error}", "quote it as for a shell, or write a list of words"
            ) from None
    elif isinstance(value, list):
        words = [text_of(word) for word in value]
    else:
        raise RefusedValue(f"{shown_value(value)} is not a command", cure)
    if not words:
        raise RefusedValue("no command", cure)
    if words[0].startswith("python:"):
        cure = f'write engine = "{words[0]}" above the tables; an object in our process has no command'
        raise RefusedValue(f"{words[0]!r} is an engine in Python, not a program", cure)
    return tuple(words)


def folder_of(value: object, home: Path) -> Path:
    """An existing folder, relative to the folder of the file."""
    folder = home / text_of(value)
    if not folder.is_dir():
        raise RefusedValue(f"{value}: no such folder", "paths are relative to this file")
    return folder


def paths_of(value: object, home: Path) -> tuple[Path, ...]:
    """Files and folders, relative to the folder of the file."""
    return tuple(home / text_of(one) for one in (value if isinstance(value, list) else [value]))


def yes_or_no(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise RefusedValue(f"{shown_value(value)} is neither true nor false", "write true or false")
    return value


def seconds_of(value: object) -> float:
    """A time limit in seconds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 3600:
        raise RefusedValue(
            f"{shown_value(value)} is not a timeout", "write seconds, more than 0 and up to 3600"
        )
    return float(value)


def profile_of(value: object) -> Profile:
    """One of the profiles."""
    for profile in PROFILES:
        if value == profile:
            return profile
    cure = did_you_mean(str(value), PROFILES, otherwise=f"choose one of: {', '.join(PROFILES)}")
    raise RefusedValue(f"no profile {shown_value(value)}", cure)


def edition_of(value: object) -> str:
    """The date of a known edition of the rules."""
    book = rulebook()
    first, newest = book.editions[0].date, book.newest
    date = str(value)  # TOML has dates, which are written without quotes
    if not is_known(date):
        raise RefusedValue(
            f"no rules of {shown_value(value)}",
            f"the rules are known from {first} to {newest}; write a date like {newest}",
        )
    return date


ALL = "all"
"""The key of the limit for all checks."""


def limits_of(value: object) -> UnsupportedLimits:
    """One limit for all checks, a table of limits by rule, or a sequence of options `N%`, `RULE=N%`."""
    if isinstance(value, tuple):
        pairs = [part.rpartition("=") for part in value]
        keys = [rule.strip() or ALL for rule, _, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                raise RefusedValue(f"two limits for {key}", "keep one of them")
        value = {key: limit.strip() for key, (_, _, limit) in zip(keys, pairs, strict=True)}
    if not isinstance(value, dict):
        value = {ALL: value}
    limits = {key: limit_of(limit) for key, limit in value.items()}
    of_all = limits.pop(ALL, None)
    for rule in limits:
        if not RULE.fullmatch(rule) or not any(is_within(known, rule) for known in rules_by_number()):
            cure = did_you_mean(
                rule, rules_by_number(), otherwise='write a chapter or a rule, as in 613 = "5%"'
            )
            raise RefusedValue(f"no rule {rule!r}", cure)
    return UnsupportedLimits(of_all, limits)


def limit_of(value: object) -> Limit:
    """A number, or a percentage."""
    said = re.fullmatch(r"(\d{1,6}) ?(%?)", str(value))
    if isinstance(value, bool) or not said or (said[2] and int(said[1]) > 100):
        raise RefusedValue(
            f"{shown_value(value)} is not a limit", 'write a number of checks, or a share: "40%"'
        )
    return Limit(int(said[1]), bool(said[2]))


def jobs_of(value: object) -> int:
    """Number of engine processes to run in parallel."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_JOBS:
        raise RefusedValue(
            f"{shown_value(value)} is not a number of jobs", f"write a number from 1 to {MOST_JOBS}"
        )
    return value


UNITS = {"MB": 1_000_000, "GB": 1_000_000_000}


def memory_of(value: object) -> int:
    """An amount of memory, in bytes."""
    said = re.fullmatch(r"([1-9]\d{0,5}) ?(MB|GB)", str(value))
    if not said:
        raise RefusedValue(
            f"{shown_value(value)} is not an amount of memory", 'write it like "500 MB" or "2 GB"'
        )
    return int(said[1]) * UNITS[said[2]]
