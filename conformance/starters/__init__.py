"""Shims to start from, one source file in each language, and the README that goes with it. Imports the
model.

Each speaks the protocol and plays the first three rungs of the ladder with a small engine of its own, so that
its author sees something pass, fail and be unsupported before writing a line. The sources lie beside this
file, each in the folder of its language.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template

from msgspec import Struct

from conformance.model.problems import did_you_mean

HERE = Path(__file__).parent


class Starter(Struct, frozen=True):
    """What differs between languages: the file, how to build and run it, and the line left to write."""

    file: str
    needs: str
    run: str
    line: str
    """The text after `// ` in the source; writing it makes G-0058 pass."""
    build: str = ""
    also: str = ""
    """A section of the README for this language only."""


IN_PYTHON = """\
## In the suite's process, or in its own

`python:engine:Engine` means: import `engine` from this folder and call `Engine`. Your engine then lives in
the suite's own process, with the suite's Python. What it prints comes to your terminal, a debugger stops in
it, and an exception is reported as a crash with the place in your code.

An engine that needs another Python, or may hang, runs as a process of its own from the same file, with a
deadline for each answer:

```sh
conformance doctor --engine "python3 engine.py"
```

"""
STARTERS: Mapping[str, Starter] = {
    "python": Starter(
        "engine.py",
        "Python 3.11",
        "python:engine:Engine",
        "else: self.lost.add(player)",
        also=IN_PYTHON,
    ),
    "javascript": Starter("engine.js", "Node 18", "node engine.js", "else this.lost.add(player);"),
    "go": Starter(
        "engine.go",
        "Go 1.21",
        "./engine",
        "g.lost[player] = true",
        "go build -o engine engine.go",
    ),
    "rust": Starter(
        "engine.rs",
        "Rust 1.70",
        "./engine",
        "else { self.lost.insert(player.to_string()); }",
        "rustc --edition 2021 -O engine.rs",
    ),
    "java": Starter(
        "Engine.java", "Java 17", "java -cp . Engine", "else lost.add(player);", "javac Engine.java"
    ),
    "kotlin": Starter(
        "Engine.kt",
        "Kotlin 1.9",
        "java -jar engine.jar",
        "else lost.add(player)",
        "kotlinc Engine.kt -include-runtime -d engine.jar",
    ),
}


class NoStarter(Exception):
    """There is no such starter, or it would overwrite something."""


def write_starter(language: str, folder: Path) -> tuple[Path, ...]:
    """Write a language's starter into a folder; returns the files written. Raises `NoStarter`."""
    starter = STARTERS.get(language.lower())
    if starter is None:
        cure = did_you_mean(language, STARTERS, otherwise=f"choose one of: {', '.join(STARTERS)}")
        raise NoStarter(f"no starter in {language!r}\n    {cure}")
    contents = {
        folder / starter.file: (HERE / language.lower() / starter.file).read_text(encoding="utf-8"),
        folder / "README.md": readme(language.lower(), starter),
    }
    for path in contents:
        if path.exists():
            raise NoStarter(f"{path} is there already\n    name another folder, or move it away")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, content in contents.items():
            path.write_text(content, encoding="utf-8")
    except OSError as error:
        raise NoStarter(f"{folder} cannot be written: {error.strerror}\n    name another folder") from None
    return tuple(contents)


def readme(language: str, starter: Starter) -> str:
    """The README of a language's starter."""
    build = f"Build it (again after each change):\n\n```sh\n{starter.build}\n```\n\n" if starter.build else ""
    return Template((HERE / "README.md").read_text(encoding="utf-8")).substitute(
        file=starter.file,
        needs=starter.needs,
        run=starter.run,
        line=starter.line,
        build=build,
        also=starter.also,
        language=language,
    )
