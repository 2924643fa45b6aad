"""Project-wide rules: imports, citations, card names, paths, and the README's commands.

Each check is a function from a tree of files to complaints. It is tried on small wrong trees first, to show
that it notices problems, and then on our own.
"""

import ast
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from conformance.files.yaml_tree import TEXT_PARSER

pytestmark = pytest.mark.sweep  # sources are read, and none of them runs

ROOT = Path(__file__).parent.parent
# Our packages by import name, with their folders.
PACKAGES = {
    "conformance": "conformance",
    "conformance_adapters": "adapters/conformance_adapters",
    "reference_engine": "reference_engine",
}


class Complaint(NamedTuple):
    """Where something is wrong, and what."""

    file: str
    line: int
    what: str


def write_tree(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


@cache
def tree_of(text: str) -> ast.Module:
    """A source as a tree; several tests look at the same ones."""
    return ast.parse(text)


def files_below(root: Path, pattern: str, *folders: str) -> Iterator[tuple[str, str]]:
    """Name and text of each file that matches, in a stable order."""
    for folder in folders:
        for file in sorted((root / folder).rglob(pattern)):
            yield file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")


# --- imports -------------------------------------------------------------------------------------

LANGUAGE = "reference_engine.language"
REFERENCE = "reference_engine"
MODEL = ("conformance.model", LANGUAGE)
WORDING = (*MODEL, "conformance.wording")
FILES = (*WORDING, "conformance.files")
CHECKS = (*FILES, "conformance.checks")
DATA = (*CHECKS, "conformance.data")
LAWS = (*DATA, "conformance.strategies", "conformance.properties")
PLAY = (*LAWS, "conformance.play")
RESULTS = (*PLAY, "conformance.results")
GATE = (*RESULTS, "conformance.gate")
SEARCH = (*GATE, "conformance.search")
SHARDS = (*FILES, "conformance.shards")
MEASURE = (*SEARCH, *SHARDS, "conformance.mutants", "conformance.measure")
RUN = (*SEARCH, "conformance.run")
CAMPAIGN = (
    *(*RUN, *SHARDS, "conformance.mutants"),
    *("conformance.tell", "conformance.pages", "conformance.campaign"),
)
DRAWN = (*DATA, "conformance.tell", "conformance.pages")
REPORT = (*RUN, "conformance.tell", "conformance.pages", "conformance.report")
COMMANDS_MAY = (
    *(*REPORT, *MEASURE, "conformance.campaign", "conformance.reading"),
    *("conformance.site", "conformance.starters", "conformance.harnesses", "conformance.importing"),
    "conformance.commands",
    "conformance_adapters",
)
# What the strategies that play games on the reference engine may import.
PLAYED_WITH = (*DATA, "conformance.strategies", REFERENCE, "conformance_adapters.in_process")

# What each module may import of ours; the longest name that fits the importer decides. A name stands for the
# module and all below it. The reference engine is reached through an adapter, except by those that need
# its legal actions, its rules, its trace, or its speed; its language of cards is everybody's.
MAY_IMPORT: Mapping[str, Sequence[str]] = {
    "reference_engine": (REFERENCE,),
    "reference_engine.language": (LANGUAGE,),
    "reference_engine.language.subtypes": (),
    "reference_engine.language.words": ("reference_engine.language.subtypes",),
    "reference_engine.layers": (LANGUAGE, "reference_engine.layers"),
    "conformance": ("conformance", LANGUAGE),
    "conformance.model": MODEL,
    "conformance.wording": WORDING,
    "conformance.files": FILES,
    "conformance.checks": CHECKS,
    "conformance.data": DATA,
    "conformance.reading": (*CHECKS, "conformance.reading"),
    "conformance.tell": (*DATA, "conformance.tell", REFERENCE),
    "conformance.strategies": (*DATA, "conformance.strategies", REFERENCE),
    "conformance.strategies.boards": PLAYED_WITH,
    "conformance.strategies.scripts": PLAYED_WITH,
    "conformance.strategies.situations_boards": PLAYED_WITH,
    "conformance.strategies.situations_games": PLAYED_WITH,
    "conformance.properties": LAWS,
    "conformance.properties.boards": (
        *LAWS,
        "conformance.tell",
        REFERENCE,
        "conformance_adapters.in_process",
    ),
    "conformance.properties.games_agreement": (*LAWS, REFERENCE, "conformance_adapters.in_process"),
    "conformance.mutants": (*WORDING, "conformance.mutants", REFERENCE),
    "conformance.play": PLAY,
    "conformance.results": RESULTS,
    "conformance.gate": GATE,
    "conformance.search": SEARCH,
    "conformance.measure": MEASURE,
    "conformance.measure.speed": (*MEASURE, REFERENCE),
    "conformance.run": RUN,
    "conformance.run.diagnosis": (
        *RUN,
        "conformance.mutants",
        "conformance.tell",
        "conformance_adapters.in_process",
        REFERENCE,
    ),
    "conformance.run.reasons": (*RUN, "conformance_adapters.in_process", REFERENCE),
    "conformance.pages": DRAWN,
    "conformance.report": REPORT,
    "conformance.report.html": (*REPORT, "conformance_adapters.in_process"),
    "conformance.site": (*REPORT, "conformance.mutants", "conformance.site", "conformance_adapters"),
    "conformance.starters": ("conformance.starters", *MODEL),
    "conformance.harnesses": (*DATA, "conformance.harnesses"),
    "conformance.shards": SHARDS,
    "conformance.importing": (*PLAY, "conformance.importing"),
    "conformance.campaign": CAMPAIGN,
    "conformance.campaign.report_page": (*CAMPAIGN, "conformance_adapters.in_process"),
    "conformance.campaign.shard": (*CAMPAIGN, "conformance_adapters"),
    "conformance.commands": COMMANDS_MAY,
    "conformance.cli": ("conformance.commands", "conformance.model.version"),
    "conformance.pytest_items": ("conformance", "conformance_adapters", LANGUAGE),
    "conformance_adapters": ("conformance_adapters", "conformance", LANGUAGE),
    "conformance_adapters.in_process": ("conformance_adapters", "conformance", REFERENCE),
    "conformance_adapters.degenerate": ("conformance_adapters", "conformance", REFERENCE),
}


def is_or_is_below(module: str, name: str) -> bool:
    return module == name or module.startswith(name + ".")


@cache
def importing(text: str) -> tuple[ast.AST, ...]:
    """The parts of a source that may import; several tests ask for them."""
    kinds = (ast.Import, ast.ImportFrom, ast.Call)
    return tuple(node for node in ast.walk(tree_of(text)) if isinstance(node, kinds))


def imported_modules(
    text: str, importer: str, is_package: bool, ours: frozenset[str]
) -> Iterator[tuple[int, str]]:
    """Line and name of every module that a module's text imports, wherever in the text it does so."""
    for node in importing(text):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                parents = importer.split(".") + ([""] if is_package else [])
                origin = (
                    ".".join([*parents[: len(parents) - level], *([module] if module else [])])
                    if level
                    else module
                )
                for alias in names:
                    inner = f"{origin}.{alias.name}"
                    yield node.lineno, inner if inner in ours else str(origin)
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name


def module_of(file: str) -> str:
    """The name under which a file of ours is imported."""
    return file.removeprefix("adapters/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def wrong_imports(root: Path) -> list[Complaint]:
    sources = list(files_below(root, "*.py", *PACKAGES.values()))
    ours = frozenset(module_of(name) for name, _ in sources)
    complaints = []
    for name, text in sources:
        importer = module_of(name)
        rule = max((who for who in MAY_IMPORT if is_or_is_below(importer, who)), key=len)
        is_package = name.endswith("/__init__.py")
        for line, target in dict.fromkeys(imported_modules(text, importer, is_package, ours)):
            if any(is_or_is_below(target, package) for package in PACKAGES) and not any(
                is_or_is_below(target, allowed) for allowed in MAY_IMPORT[rule]
            ):
                complaints.append(Complaint(name, line, f"{importer} may not import {target}"))
    return complaints


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("reference_engine/layers/evaluation.py", "import conformance"),
        ("reference_engine/layers/evaluation.py", "from conformance.model.verdict import Pass"),
        ("reference_engine/layers/evaluation.py", "def lazily():\n    import conformance_adapters.stdio"),
        ("reference_engine/language/cards.py", "from ..layers.evaluation import look"),
        ("reference_engine/language/cards.py", "from reference_engine import layers"),
        ("reference_engine/language/words.py", "from reference_engine.layers.evaluation import look"),
        ("conformance/play/runner.py", "from conformance_adapters import connect"),
        ("conformance/play/runner.py", "import importlib\nimportlib.import_module('conformance_adapters')"),
        ("conformance/play/runner.py", "from reference_engine.layers.evaluation import look"),
        ("conformance/play/runner.py", "import reference_engine"),
        ("conformance/model/verdict.py", "from conformance.data.rulebook import rulebook"),
        ("conformance/files/canonical.py", "from conformance.checks import fixtures"),
        ("conformance/data/library.py", "from conformance.strategies.boards import boards"),
        ("conformance/play/runner.py", "from conformance.results.events import FinishedCheck"),
        ("conformance/run/session.py", "from conformance.report.terminal import Terminal"),
        ("conformance/report/terminal.py", "from conformance.commands.engines import connect_engine"),
        ("conformance/commands/running.py", "from reference_engine.layers.evaluation import look"),
        ("conformance/gate/standing.py", "from conformance.search.search import search"),
        ("reference_engine/layers/dependency.py", "from reference_engine.game.game import Game"),
        ("conformance/properties/layers_age.py", "from reference_engine import layers"),
        ("conformance/strategies_of_others.py", "from reference_engine import layers"),
        ("adapters/conformance_adapters/stdio.py", "from reference_engine.layers.evaluation import look"),
        ("adapters/conformance_adapters/__init__.py", "from reference_engine import layers"),
    ],
)
def test_import_against_the_direction_is_noticed(tmp_path: Path, file: str, text: str) -> None:
    write_tree(tmp_path, {"reference_engine/layers/evaluation.py": "", file: text})

    assert [file] == [complaint.file for complaint in wrong_imports(tmp_path)]


def test_imports_with_the_direction_are_allowed(tmp_path: Path) -> None:
    tree = {
        "reference_engine/layers/evaluation.py": "from ..language import cards\nfrom .effects import Effect",
        "reference_engine/language/cards.py": "from reference_engine.language.words import Color",
        "reference_engine/language/words.py": "",
        "conformance/model/scenario.py": "from reference_engine.language import cards",
        "conformance/model/verdict.py": "from reference_engine.language.words import Color",
        "conformance/strategies/boards.py": "from reference_engine.layers.evaluation import look",
        "conformance/mutants/layers.py": "from reference_engine.layers import rules\nfrom . import mutant",
        "conformance/tell/explanation_text.py": "from reference_engine.layers.evaluation import look",
        "conformance/cli.py": "from conformance.commands import running",
        "conformance/commands/running.py": "from conformance_adapters import connect\nimport conformance.run",
        "adapters/conformance_adapters/__init__.py": (
            "from .in_process import Reference\nfrom conformance.model import engine"
        ),
        "adapters/conformance_adapters/in_process.py": "from reference_engine.layers.evaluation import look",
    }

    assert [] == wrong_imports(write_tree(tmp_path, tree))


def test_imports_go_the_right_way() -> None:
    assert [] == wrong_imports(ROOT)


# The top-level folders that are not packages: nothing can be imported by their names.
NOT_PACKAGES = ("adapters", "docs", "fixtures")


def imports_of_nothing(root: Path) -> list[Complaint]:
    """Imports of our modules that do not exist, which a renaming can leave behind."""
    sources = list(files_below(root, "*.py", *PACKAGES.values(), "tests", "tools"))
    ours = frozenset(module_of(name) for name, _ in sources)
    return [
        Complaint(name, line, f"there is no module {target}")
        for name, text in sources
        for line, target in imported_modules(text, module_of(name), name.endswith("/__init__.py"), ours)
        if target.partition(".")[0] in (*PACKAGES, *NOT_PACKAGES, "tests", "tools") and target not in ours
    ]


def test_import_of_a_module_that_is_not_there_is_noticed(tmp_path: Path) -> None:
    tree = {
        "adapters/conformance_adapters/__init__.py": "",
        "adapters/conformance_adapters/stdio.py": "",
        "tests/__init__.py": "",
        "tests/test_a.py": "from conformance_adapters import stdio\nimport os",
        "tests/test_b.py": "from adapters.stdio import Command\nfrom conformance_adapters.pipes import Lines",
    }

    assert [
        Complaint("tests/test_b.py", 1, "there is no module adapters.stdio"),
        Complaint("tests/test_b.py", 2, "there is no module conformance_adapters.pipes"),
    ] == imports_of_nothing(write_tree(tmp_path, tree))


def test_every_module_of_ours_that_is_imported_is_there() -> None:
    assert [] == imports_of_nothing(ROOT)


# --- packaging -----------------------------------------------------------------------------------


def test_wheel_claims_only_names_of_ours() -> None:
    """`adapters` and `fixtures` are the names of well-known packages, which a wheel would overwrite."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = wheel["tool"]["hatch"]["build"]["targets"]["wheel"]
    inside = [target.partition("/")[0] for target in wheel["force-include"].values()]

    assert sorted(PACKAGES) == sorted(path.rpartition("/")[2] for path in wheel["packages"])
    assert sorted(PACKAGES.values()) == sorted(wheel["packages"])
    assert set(inside) <= PACKAGES.keys()


# --- card names ----------------------------------------------------------------------------------

# Names of cards that are words of the rules as well: land and creature types, and a card type.
WORDS_OF_THE_RULES = frozenset(
    {"Plains", "Island", "Swamp", "Mountain", "Forest", "Conspiracy", "Juggernaut", "Lhurgoyf", "Nightmare"}
)


def pool_names(root: Path) -> frozenset[str]:
    """The name of every real card in the pool; a file of the pool without any is an error."""
    names: set[str] = set()
    for file, text in files_below(root, "*.yaml", "fixtures/cards"):
        match yaml.load(text, Loader=TEXT_PARSER):
            case [{"name": str()}, *_] as cards:
                names |= {card["name"] for card in cards}
            case other:
                raise ValueError(f"{file}: a list of cards is expected, not {type(other).__name__}")
    return frozenset(names)


def name_pattern(name: str) -> str:
    """A pattern for a card's name: one word as printed, several also as `a_name` or `AName`."""
    words = [re.escape(word) for word in re.findall(r"\w+", name.replace("'", "").replace("’", ""))]
    if len(words) == 1:
        return rf"\b{words[0]}\b"
    return r"(?i:" + r"[\W_]*".join(r"[\\'’]*".join(word) for word in words) + ")"


def card_names_in_engine(root: Path) -> list[Complaint]:
    names = sorted(pool_names(root) - WORDS_OF_THE_RULES)
    patterns = [(plain(name), name, re.compile(name_pattern(name))) for name in names]
    return [
        Complaint(file, text.count("\n", 0, found.start()) + 1, f"the engine must not know {name!r}")
        for file, text in files_below(root, "*.py", "reference_engine", "adapters")
        for letters in [plain(text)]
        for in_plain, name, pattern in patterns
        if in_plain in letters
        for found in pattern.finditer(text)
    ]


def plain(text: str) -> str:
    """The letters and digits of a text alone: a name is only looked for where they have it."""
    return "".join(re.findall(r"[^\W_]+", text)).casefold()


@pytest.mark.parametrize(
    "text",
    [
        "if name == 'Blood Moon':",
        "def blood_moon(): ...",
        "class BloodMoon: ...",
        "# Urborg, Tomb of Yawgmoth works in another way",
        "'Titania\\'s Song'",
        "def titanias_song(): ...",
        "'Humility'",
    ],
)
def test_card_name_in_the_engine_is_noticed(tmp_path: Path, text: str) -> None:
    names = ["Blood Moon", "Urborg, Tomb of Yawgmoth", "Titania's Song", "Humility", "Forest"]
    pool = "".join(f'- name: "{name}"\n  types: [Land]\n' for name in names)
    write_tree(tmp_path, {"fixtures/cards/a.yaml": pool, "reference_engine/layers/evaluation.py": text})

    assert ["reference_engine/layers/evaluation.py"] == [
        complaint.file for complaint in card_names_in_engine(tmp_path)
    ]


def test_words_of_the_rules_are_no_card_names(tmp_path: Path) -> None:
    tree = {
        "fixtures/cards/a.yaml": "- name: Forest\n- name: Humility\n",
        "reference_engine/layers/evaluation.py": "BASIC = ('Forest',)  # in all humility",
    }

    assert [] == card_names_in_engine(write_tree(tmp_path, tree))


def test_engine_knows_no_card_by_name() -> None:
    assert [] == card_names_in_engine(ROOT)


# --- citations -----------------------------------------------------------------------------------

NUMBER = r"\d{3}(?:\.\d+[a-z]?)?"
CITATION = re.compile(
    rf"\bCR\s*(?P<rules>{NUMBER}(?:[-–][a-z0-9.]+)?(?:, {NUMBER})*)(?P<gist>: \S|:$)?",
    re.MULTILINE,
)


def known_rules(root: Path) -> frozenset[str]:
    """The numbers of the pinned edition; a chapter is known when one of its rules is."""
    book = yaml.load((root / "fixtures/rulebook.yaml").read_text(encoding="utf-8"), Loader=TEXT_PARSER)
    rules = {record["rule"] for record in book["rules"]}
    return frozenset(rules | {rule.partition(".")[0] for rule in rules})


def citing_files(root: Path) -> Iterator[tuple[str, str]]:
    yield from files_below(root, "*.py", *PACKAGES.values(), "tests", "tools")
    for folder in sorted((root / "fixtures").glob("*")):
        if folder.name != "refused":  # wrong on purpose
            yield from files_below(root, "*.yaml", f"fixtures/{folder.name}")
    yield from ((f"fixtures/{file.name}", file.read_text()) for file in (root / "fixtures").glob("*.yaml"))
    yield from files_below(root, "*.md", "docs")
    yield from ((name, (root / name).read_text(encoding="utf-8")) for name in ("README.md", "CHANGELOG.md"))


def citations(root: Path) -> Iterator[tuple[Complaint, bool]]:
    """Every rule cited: where and which, and whether in the form we want."""
    for file, text in citing_files(root):
        for found in CITATION.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            in_brackets = text[found.start() - 1] in '("'
            spaced = re.match(r"CR(?: |\n *)\d", found[0]) is not None
            in_form = spaced and (bool(found["gist"]) or in_brackets)
            for rule in found["rules"].split(", "):
                yield Complaint(file, line, re.split("[-–]", rule)[0]), in_form


def unknown_citations(root: Path) -> list[Complaint]:
    known = known_rules(root)
    return [cited for cited, _ in citations(root) if cited.what not in known]


def shapeless_citations(root: Path) -> list[Complaint]:
    """Citations that read neither `CR 613.8b: gist` nor, after the gist, `(CR 613.8b)`.

    Tests are free to quote a part of one.
    """
    return [
        cited for cited, in_form in citations(root) if not in_form and not cited.file.startswith("tests/")
    ]


BOOK = 'rules:\n  - {rule: "613.8b", gist: waits}\n  - {rule: "104.3a", gist: concedes}\n'
PAGES = {"README.md": "", "CHANGELOG.md": "", "fixtures/rulebook.yaml": BOOK}


@pytest.mark.parametrize(
    "file",
    [
        "reference_engine/layers/evaluation.py",
        "conformance/properties/law.py",
        "fixtures/layers/a.yaml",
        "docs/a.md",
    ],
)
@pytest.mark.parametrize("rule", ["613.8d", "613.80b", "613.8", "999"])
def test_citation_of_no_rule_is_noticed(tmp_path: Path, file: str, rule: str) -> None:
    write_tree(tmp_path, PAGES | {file: f"# CR {rule}: gist\n# CR {'613.8b'}: gist\n"})

    assert [Complaint(file, 1, rule)] == unknown_citations(tmp_path)


@pytest.mark.parametrize("cited", ["CR {}", "CR{}: gist", "CR  {}: gist", "CR {}:gist", "CR {}, gist"])
def test_citation_without_prefix_or_gist_is_noticed(tmp_path: Path, cited: str) -> None:
    write_tree(tmp_path, PAGES | {"reference_engine/layers/evaluation.py": f"# {cited.format('613.8b')}"})

    assert ["613.8b"] == [complaint.what for complaint in shapeless_citations(tmp_path)]


def test_good_citations_are_accepted(tmp_path: Path) -> None:
    text = "'''CR {}: the chapter.\n\nCR {}: a gist.'''".format("613", "613.8b")
    write_tree(tmp_path, PAGES | {"reference_engine/layers/evaluation.py": text})

    assert ["613", "613.8b"] == [cited.what for cited, _ in citations(tmp_path)]
    assert [] == unknown_citations(tmp_path) + shapeless_citations(tmp_path)


def test_every_cited_rule_exists() -> None:
    assert [] == unknown_citations(ROOT)


def test_every_citation_has_its_gist() -> None:
    assert [] == shapeless_citations(ROOT)


# --- paths of a machine --------------------------------------------------------------------------

TOPS = ("home", "root", "work", "farm", "Users")
MACHINE_PATH = re.compile(rf"(?:(?<![\w.~*-])/(?:{'|'.join(TOPS)})/|[A-Z]:\\Users\\)\w")
MAY_BE_ONE = (*(f"/{top}/" for top in TOPS), ":\\Users\\")
"""What each path of a machine has; few files have any, and to look for it takes no time."""
OUR_DOT_FOLDERS = frozenset({".ci", ".github"})


def project_files(root: Path) -> Iterator[Path]:
    """Every file that is the project's own: no environments, caches, builds or `.git`."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if (not name.startswith(".") or name in OUR_DOT_FOLDERS)
            and name not in {"__pycache__", "build", "dist", "htmlcov"}
            and not (Path(folder) / name / "pyvenv.cfg").exists()
        )
        yield from (Path(folder) / name for name in sorted(files) if name != ".git")


def machine_paths(root: Path) -> list[Complaint]:
    complaints = []
    for file in project_files(root):
        text = file.read_bytes().decode("utf-8", errors="replace")
        if not any(part in text for part in MAY_BE_ONE):
            continue
        for found in MACHINE_PATH.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            complaints.append(Complaint(file.relative_to(root).as_posix(), line, found[0]))
    return complaints


@pytest.mark.parametrize("path", ["/{}/main/x", "see /{}/me.", '"/{}/a"', "file:///{}/a"])
@pytest.mark.parametrize("top", ["home", "root", "work", "Users"])
def test_path_of_a_machine_is_noticed(tmp_path: Path, path: str, top: str) -> None:
    write_tree(tmp_path, {name: path.format(top) for name in ("docs/a.md", ".tox/log", ".git")})

    assert ["docs/a.md"] == [complaint.file for complaint in machine_paths(tmp_path)]


def test_other_paths_are_no_paths_of_a_machine(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.md": "at home/work/ or ./work/x, tests/work/y, /usr/bin/env, and/or"})

    assert [] == machine_paths(tmp_path)


def test_no_file_mentions_a_path_of_a_machine() -> None:
    assert [] == machine_paths(ROOT)


# --- what messages name --------------------------------------------------------------------------

OF_THE_CHECKOUT = re.compile(r"(?<![\w/.])(?:adapters|docs|fixtures|tests)/\w+(?:[./-]\w+)*")


def texts_for_users(text: str, is_front: bool) -> Iterator[tuple[int, str]]:
    """Line and text of every string that a user may see; docstrings are those of commands (`is_front`)."""
    tree = tree_of(text)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(said)) if is_front or id(node) not in docstrings:
                yield node.lineno, said


def files_only_of_the_checkout(root: Path) -> list[Complaint]:
    """Messages that name a file which an installed suite does not have."""
    folders = (PACKAGES["conformance"], PACKAGES["conformance_adapters"])
    sources = [
        (name, line, said)
        for name, text in files_below(root, "*.py", *folders)
        # The site is built from a checkout alone, and its addresses look like files of one.
        if not name.startswith("conformance/site/")
        for line, said in texts_for_users(text, name.startswith(COMMANDS))
    ]
    sources += [(name, 1, text) for name, text in files_below(root, "*.md", "conformance/starters")]
    return [
        Complaint(name, line, found)
        for name, line, said in sources
        for found in OF_THE_CHECKOUT.findall(said)
    ]


def test_message_that_names_a_file_of_the_checkout_is_noticed(tmp_path: Path) -> None:
    tree = {
        "conformance/run/doctor.py": '"""See docs/protocol.md."""\nCURE = f"see docs/protocol.md, {1}"',
        "conformance/commands/running.py": 'def run():\n    """Plays fixtures/layers."""',
        "conformance/starters/README.md": "docs/cards.md",
        "adapters/conformance_adapters/wire.py": "# tests/golden\nURL = 'a/docs/b conformance/fixtures/x'",
    }

    assert [
        Complaint("conformance/commands/running.py", 2, "fixtures/layers"),
        Complaint("conformance/run/doctor.py", 2, "docs/protocol.md"),
        Complaint("conformance/starters/README.md", 1, "docs/cards.md"),
    ] == files_only_of_the_checkout(write_tree(tmp_path, tree))


def test_messages_name_only_what_an_installed_suite_has() -> None:
    assert [] == files_only_of_the_checkout(ROOT)


# --- names and commands --------------------------------------------------------------------------


def test_no_module_is_a_drawer_for_odds_and_ends() -> None:
    stems = {Path(name).stem for name, _ in files_below(ROOT, "*.py", *PACKAGES.values())}

    assert set() == stems & {"utils", "util", "helpers", "common", "base", "manager"}


def test_every_module_says_what_it_is_for() -> None:
    sources = list(files_below(ROOT, "*.py", *PACKAGES.values(), "tests", "tools"))

    assert set(PACKAGES.values()) <= {name.rpartition("/")[0] for name, _ in sources}
    assert [] == [name for name, text in sources if not ast.get_docstring(tree_of(text))]


STARTERS = "conformance/starters/"
# Why a module or name may be imported under another name.
RENAMINGS = {
    ("hypothesis", "strategies", "st"): "as Hypothesis's own documentation writes it",
    ("", "xml.etree.ElementTree", "ET"): "as Python's own documentation writes it",
}


def names_of_types(text: str) -> Iterator[tuple[int, str]]:
    """The public classes and aliases of a module (not its constants), with their lines."""
    for statement in tree_of(text).body:
        match statement:
            case ast.ClassDef(name=name):
                names = [name]
            case ast.Assign(targets=targets):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case _:
                continue
        yield from ((statement.lineno, name) for name in names if name[0].isupper() and not name.isupper())


def names_of_two_things(root: Path) -> list[Complaint]:
    """Classes and aliases whose name another module uses for something else.

    A starter is a program of its own, which engine authors copy: its names meet none of ours.
    """
    first: dict[str, str] = {}
    complaints = []
    for file, text in files_below(root, "*.py", *PACKAGES.values()):
        for line, name in names_of_types(text):
            if not file.startswith(STARTERS) and first.setdefault(name, file) != file:
                complaints.append(Complaint(file, line, f"{name} stands in {first[name]} too"))
    return complaints


def constants_of_two_values(root: Path) -> list[Complaint]:
    """Constants that one module imports from another although a third has its own of that name.

    The laws and the broken engines of a chapter are both listed under its name, and `CR` is the rules, of the
    layers and of the game.
    """
    places: dict[str, dict[str, int]] = {}
    for file, text in files_below(root, "*.py", *PACKAGES.values()):
        for statement in tree_of(text).body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    if name.isupper() and not name.startswith("_") and not file.startswith(STARTERS):
                        places.setdefault(name, {})[file] = statement.lineno
    sources = list(files_below(root, "*.py", *PACKAGES.values(), "tests", "tools"))
    imported = {
        (str(node.module), alias.name)
        for _, text in sources
        for node in importing(text)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    complaints = []
    for name, files in places.items():
        chapters = {file.rpartition("/")[0] for file in files} == {
            "conformance/mutants",
            "conformance/properties",
        }
        for file, line in files.items():
            others = sorted(files.keys() - {file})
            if others and (module_of(file), name) in imported and not chapters and name != "CR":
                what = f"{name} is imported from here, and stands in {others[0]} too: rename one"
                complaints.append(Complaint(file, line, what))
    return complaints


PARTICIPLE = (
    r"(?!.*[nps]eed$|deed$)(?:[a-z]+ed|known|said|shown|told|seen|done|made|found|held|kept|come|gone|given"
    r"|taken|put|left|lost|met|paid|sent|thought|drawn|chosen|cut|hidden|broken|built|brought|begun|meant"
    r"|spent|struck|understood|written|lain|laid|fed|bound|caught)"
)
"""Past participles: the regular ones, and those irregular ones that have been names."""
CLAUSE = r"(?:what|where|whose|those|so_many|how_much|not_such)_.*|.*_(?:told|said|aloud)"
"""Clauses in place of a noun or a verb."""
CLAIMS = ("conformance/properties/", "conformance/mutants/", "tools/walks.py")
"""Laws are sentences, and a wrong decision is named by what is wrong with it."""
COMMANDS = ("conformance/cli.py", "conformance/commands/", "tools/__main__.py")
"""Their functions are named after the commands."""
SCRIPT_WORDS = "reference_engine/language/"
"""Its types are the words of files and of players."""
GAME_EVENTS = "reference_engine/game/events.py"
"""Its types are what happened."""
OUTCOMES = {"Broken", "Disputed", "Interrupted", "Rejected", "Stopped", "Undecided", "Unsupported"}
"""Outcomes of an action, a check or a run."""


def returns_its_argument(function: ast.FunctionDef) -> bool:
    """Whether a function returns a value of the type of its first argument, or that and more."""
    if not function.args.args or function.returns is None or function.args.args[0].annotation is None:
        return False
    given, returned = ast.unparse(function.args.args[0].annotation), ast.unparse(function.returns)
    return returned == given or returned.startswith((f"tuple[{given},", f"{given} |"))


def bare_participles(root: Path) -> list[Complaint]:
    """Public names that do not say what they stand for: `shown`, `Checked`, `what_it_does`.

    A participle may name a function that returns its argument changed, as `sorted` does.
    """
    decisions = {
        statement.target.id
        for file in ("game/game_rules.py", "layers/rules.py")
        if (root / "reference_engine" / file).exists()
        for definition in ast.parse((root / "reference_engine" / file).read_text(encoding="utf-8")).body
        if isinstance(definition, ast.ClassDef)
        for statement in definition.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }
    complaints = []
    for file, text in files_below(root, "*.py", *PACKAGES.values(), "tools"):
        if file.startswith(STARTERS):
            continue
        for node in tree_of(text).body:
            match node:
                case ast.ClassDef(name=name):
                    allowed = file.startswith((SCRIPT_WORDS, GAME_EVENTS)) or name in OUTCOMES
                case ast.FunctionDef(name=name):
                    allowed = (
                        returns_its_argument(node) or file.startswith(COMMANDS) or node.name in decisions
                    )
                case _:
                    continue
            first_lower = name[0].lower() + name[1:]
            participle = not allowed and re.fullmatch(PARTICIPLE, first_lower)
            clause = not file.startswith(CLAIMS) and re.fullmatch(CLAUSE, first_lower)
            if participle or clause:
                complaints.append(Complaint(file, node.lineno, f"{name} does not say what it is"))
    return complaints


def renaming_imports(root: Path) -> list[Complaint]:
    """Imports that give a thing a second name."""
    return [
        Complaint(file, node.lineno, f"{alias.name} as {alias.asname}")
        for file, text in files_below(root, "*.py", *PACKAGES.values(), "tools")
        for node in importing(text)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if alias.asname
        and ((node.module or "") if isinstance(node, ast.ImportFrom) else "", alias.name, alias.asname)
        not in RENAMINGS
    ]


@pytest.mark.parametrize(
    "second", ["class Step:\n    pass\n", "Step = str | None\n", "Step: TypeAlias = str | None\n"]
)
def test_name_of_two_things_is_noticed(tmp_path: Path, second: str) -> None:
    files = {"conformance/model/one.py": "class Step:\n    pass\n", "reference_engine/game/two.py": second}

    assert [Complaint("reference_engine/game/two.py", 1, "Step stands in conformance/model/one.py too")] == (
        names_of_two_things(write_tree(tmp_path, files))
    )


def test_constant_of_two_values_is_noticed(tmp_path: Path) -> None:
    files = {
        "conformance/model/one.py": "MOST = 3\n",
        "conformance/model/two.py": "MOST = 4\n",
        "conformance/model/three.py": "from conformance.model.one import MOST\n",
    }

    what = "MOST is imported from here, and stands in conformance/model/two.py too: rename one"
    assert [Complaint("conformance/model/one.py", 1, what)] == (
        constants_of_two_values(write_tree(tmp_path, files))
    )


@pytest.mark.parametrize(
    "text",
    [
        "class Seen:\n    pass\n",
        "def shown(file: str) -> int: ...\n",
        "def checked(file: str): ...\n",
        "def told() -> str: ...\n",
        "def what_it_does(text: str) -> str: ...\n",
        "def kinds_said(text: str) -> str: ...\n",
    ],
)
def test_bare_participle_is_noticed(tmp_path: Path, text: str) -> None:
    root = write_tree(tmp_path, {"conformance/model/one.py": text})

    assert ["conformance/model/one.py"] == [complaint.file for complaint in bare_participles(root)]


def test_participle_of_the_changed_argument_is_allowed(tmp_path: Path) -> None:
    files = {
        "conformance/model/one.py": "def shortened(text: str) -> str: ...\ndef seed(n: int) -> str: ...\n",
        "reference_engine/game/two.py": "def moved(game: Game, to: Zone) -> tuple[Game, Moved]: ...\n",
        "reference_engine/game/events.py": "class Moved:\n    pass\n",
    }

    assert [] == bare_participles(write_tree(tmp_path, files))


def test_renaming_import_is_noticed(tmp_path: Path) -> None:
    write_tree(tmp_path, {"tools/one.py": "import json\nfrom datetime import date as day\n"})

    assert [Complaint("tools/one.py", 2, "date as day")] == renaming_imports(tmp_path)


def test_a_class_or_alias_name_stands_for_one_thing() -> None:
    assert [] == names_of_two_things(ROOT)


def test_a_shared_constant_has_one_value() -> None:
    assert [] == constants_of_two_values(ROOT)


def test_names_say_what_they_stand_for() -> None:
    assert [] == bare_participles(ROOT)


def test_imports_rename_nothing_without_a_reason() -> None:
    assert [] == renaming_imports(ROOT)


def test_ci_runs_the_command_that_the_readme_gives() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [
        line
        for block in re.findall(r"^```sh\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]
    run_suite, [pass_tests] = commands[0], [line for line in commands if "/tox " in line]

    assert run_suite.startswith("python3 -m venv .venv && ") and run_suite.endswith("/conformance run")
    assert pass_tests.startswith("python3 -m venv .venv && ")
    assert pass_tests in (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert os.access(ROOT / ".ci/run", os.X_OK)
