"""The list of an engine's known disagreements: read strictly, rewritten without touching what people wrote.

People review one file:

    divergences:
      - check: L-0031
        rule: "613.8b"
        signature: "plains, after setup: subtypes Plains, Swamp"
        digest: 3f2a9c01be77
        scenario: divergences/L-0031.json
        added: 2026-09-25
        reason: effects are applied by age alone      # yours
        issue: https://example.org/engine/issues/7    # yours
        expires: 2027-01-01                           # yours

A run keeps everything that people may have written (reasons, issues, comments, the order of entries) and
replaces only what it measures, line by line. A second file beside it, `divergences.plays.yaml`, records the
result of each check when the list was written; only runs write that file:

    plays:
      L-0001: passed 99aa01b4c3d2
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from conformance.files.canonical import encode
from conformance.files.content import content_of
from conformance.files.typed_walk import (
    UNREADABLE,
    Grammar,
    TypedWalk,
    Unreadable,
    description_of_node,
    read_record,
)
from conformance.files.writing import write_file
from conformance.files.yaml_nodes import MappingNode, Node, ScalarNode, SequenceNode, place_of
from conformance.gate.config import relative_path
from conformance.gate.standing import Divergence, Divergences, PlayedBefore, with_own_id
from conformance.model.problems import Problem, ScenarioError, list_of_options
from conformance.model.scenario import Fixture
from conformance.results.summary import SCORES

HEADING = """\
# What this engine is known to get wrong. `conformance run --update-divergences` writes what a run can see;
# reasons, issues, dates of expiry and comments are written by people, and stay.
"""
NEEDED = ("check", "rule", "signature", "digest", "added")
PLAYS_HEADING = """\
# What each check was when the list beside this file was written. If one that was played is not any more, the
# gate fails. `conformance run --update-divergences` writes this file; people need not.
"""
UPDATE_WRITES_IT = "`conformance run --update-divergences` writes it"
STORED = "divergences"
"""The folder beside the list that stores the checks it names."""
_Kind = TypeVar("_Kind")


def divergences_in(path: Path, *, without_plays: bool = False) -> Divergences:
    """The list in a file, with the results recorded in the file beside it.

    That second file must exist: without it, checks that are no longer played would go unnoticed.
    `without_plays` is for callers that are about to write it. Raises `ScenarioError` with the problems of
    both files.
    """
    beside = plays_beside(path)
    listing, problems = parse_as(ListFile, path, UPDATE_WRITES_IT)
    plays: PlaysFile | None = PlaysFile()
    if beside.exists() or not without_plays:
        cure = f"it belongs to {path.name}: commit it too; {UPDATE_WRITES_IT}"
        plays, more = parse_as(PlaysFile, beside, cure)
        problems += more
    if problems or listing is None or plays is None:
        raise ScenarioError(problems)
    return Divergences({one.check: one for one in listing.divergences}, plays.plays)


def plays_beside(path: Path) -> Path:
    """The file beside a list that records the result of each check."""
    return path.parent / f"{path.stem}.plays.yaml"


def parse_divergences(content: str, shown: str) -> Mapping[str, Divergence]:
    """The entries in the text of a list. Raises `ScenarioError` with all its problems."""
    listing, problems = value_of(ListFile, tree_in(content.encode(), shown), shown)
    if listing is None:
        raise ScenarioError(problems)
    return {one.check: one for one in listing.divergences}


# ----------------------------------------------------------------------------------------- reading


class ListFile(Struct, frozen=True):
    """The structure of the list's file."""

    divergences: tuple[Divergence, ...] = ()
    plays: str = ""
    """Belongs in the second file; reading it here reports that."""


class PlaysFile(Struct, frozen=True):
    """The structure of the file beside the list."""

    plays: Mapping[str, PlayedBefore] = {}


def parse_as(kind: type[_Kind], path: Path, cure: str) -> tuple[_Kind | None, list[Problem]]:
    """The contents of a file, or all its problems."""
    shown = relative_path(path)
    try:
        root = tree_in(content_of(path, shown, cure=cure), shown)
    except ScenarioError as error:
        return None, list(error.problems)
    return value_of(kind, root, shown)


def tree_in(content: bytes, shown: str) -> Node:
    """The tree of a file's contents; YAML is imported only for a run with a list."""
    from conformance.files.yaml_tree import tree_of

    return tree_of(content, shown)


def value_of(kind: type[_Kind], root: Node, shown: str) -> tuple[_Kind | None, list[Problem]]:
    """The contents of a tree, or all its problems."""
    walk = TypedWalk(GRAMMAR)
    value = walk.to_the_end(lambda: read_record(kind, root, walk))
    problems = [
        Problem(shown, one.node.line, one.node.column, place_of(root, one.node), one.what, one.cure)
        for one in walk.faults
    ]
    return (None if isinstance(value, Unreadable) or problems else value), problems


def read_line(node: Node, walk: TypedWalk) -> str | Unreadable:
    """A text on one line; a digest may look like a number."""
    if isinstance(node, ScalarNode):
        return " ".join(node.text.split())
    return walk.fault(node, f"{description_of_node(node)} where text is expected", "write one text here")


def read_day(node: Node, walk: TypedWalk) -> date | Unreadable:
    text = read_line(node, walk)
    if isinstance(text, Unreadable):
        return text
    try:
        if len(text) == 10:
            return date.fromisoformat(text)
    except ValueError:
        pass
    return walk.fault(node, f"{text!r} is not a date", "write a date like 2027-01-31")


def read_entries(node: Node, walk: TypedWalk) -> tuple[Divergence, ...]:
    """The entries of a list, one per check; entries that cannot be read are reported and left out."""
    known: dict[str, Divergence] = {}
    if isinstance(node, SequenceNode):
        for item in node.items:
            entry = read_record(Divergence, item, walk)
            if entry is UNREADABLE:
                continue
            if entry.check in known:
                walk.fault(item, f"{entry.check} is listed already", "keep one of them")
            known[entry.check] = entry
    elif not is_empty(node):
        walk.fault(
            node,
            f"{description_of_node(node)} where a list is expected",
            "begin each entry with `- check:`",
        )
    return tuple(known.values())


def read_plays(node: Node, walk: TypedWalk) -> dict[str, PlayedBefore]:
    """The recorded result of each check, by id."""
    if isinstance(node, MappingNode):
        return {id: read_played(value, walk) for id, (_, value) in node.entries.items()}
    if not is_empty(node):
        walk.fault(node, f"{description_of_node(node)} where a map is expected", "write `key: value` lines")
    return {}


def read_played(node: Node, walk: TypedWalk) -> PlayedBefore:
    """The recorded result of a check: `passed 99aa01b4c3d2`."""
    text = read_line(node, walk)
    was, _, digest = text.rpartition(" ") if isinstance(text, str) else ("", "", "")
    for score in SCORES:
        if was == score and digest:
            return PlayedBefore(score, digest)
    cure = f"write one of {', '.join(SCORES)}, and the digest of the check behind it"
    walk.fault(node, f"not what a check was: {text!r}", cure)
    return PlayedBefore("not run", "")


def misplaced_plays(node: Node, walk: TypedWalk) -> Unreadable:
    """Report recorded results that are in the list that people review."""
    cure = "move these lines to the file next to this one that ends in .plays.yaml"
    return walk.fault(node, "not in this file", cure)


def is_empty(node: Node) -> bool:
    """Whether a key has no value."""
    return isinstance(node, ScalarNode) and node.plain and not node.text


GRAMMAR = Grammar(
    readers={str: read_line, date: read_day},
    fields={
        (ListFile, "divergences"): read_entries,
        (ListFile, "plays"): misplaced_plays,
        (PlaysFile, "plays"): read_plays,
    },
)


# ----------------------------------------------------------------------------------------- writing


def updated_text(content: str, now: Mapping[str, Divergence], shown: str = "divergences.yaml") -> str:
    """The text of the list with its entries updated, and everything that people wrote kept.

    An entry that is no longer listed is removed, together with the comments inside it. Raises `ScenarioError`
    if the text is not a list.
    """
    if content.strip():
        parse_divergences(content, shown)
    lines = content.replace("\r\n", "\n").split("\n") if content.strip() else []
    before, entries, after = sections(lines)
    text = "\n".join([*(before or HEADING.rstrip("\n").split("\n")), *written_entries(entries, now), *after])
    text = text.rstrip("\n") + "\n"
    assert parse_divergences(text, shown) == now, "the text does not say what was meant"
    return text.replace("\n", "\r\n") if "\r\n" in content else text


def plays_text(plays: Mapping[str, PlayedBefore]) -> str:
    """The text of the file beside the list: the result of each check, sorted by id."""
    lines = [f"  {id}: {played.was} {played.digest}\n" for id, played in sorted(plays.items())]
    return f"{PLAYS_HEADING}plays:{'' if lines else ' {}'}\n{''.join(lines)}"


def sections(lines: Sequence[str]) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """The lines of a file in three parts: before the list, the list, and the comments after it."""
    start = next(
        (number for number, line in enumerate(lines) if re.match(r"divergences\s*:", line)), len(lines)
    )
    end = len(lines)
    while end > start + 1 and re.match(r"#|\s*$", lines[end - 1]):
        end -= 1
    return lines[:start], lines[start:end], lines[end:]


def written_entries(lines: Sequence[str], now: Mapping[str, Divergence]) -> Iterator[str]:
    """The updated list: remaining entries keep their place and wording, new ones follow."""
    comment = re.search(r"[\]:]\s+(#.*)$", lines[0]) if lines else None
    yield f"divergences:{'' if now else ' []'}{f'  {comment[1]}' if comment else ''}"
    dashes = [len(line) - len(line.lstrip(" ")) for line in lines[1:] if line.lstrip(" ").startswith("- ")]
    margin = " " * min(dashes, default=2)
    left = dict(now)
    for block in blocks(lines[1:]):
        id = check_of_entry(block)
        if id is None:
            yield from block
        elif id in left:
            yield from renewed_block(block, left.pop(id), margin)
    for entry in left.values():
        yield from new_block(entry, margin)


def blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """The lines in blocks: one for each entry, and one for each line between entries."""
    block: list[str] = []
    dash = 0
    for line in lines:
        begins = re.match(r"( *)- ", line)
        if begins and (not block or len(begins[1]) <= dash):
            yield from entry_and_blank_lines(block)
            block, dash = [line], len(begins[1])
        elif block and (not line.strip() or len(line) - len(line.lstrip(" ")) > dash):
            block.append(line)
        else:
            yield from entry_and_blank_lines(block)
            block = []
            yield [line]
    yield from entry_and_blank_lines(block)


def entry_and_blank_lines(block: Sequence[str]) -> Iterator[list[str]]:
    """An entry, and each of the blank lines after it."""
    end = len(block)
    while end and not block[end - 1].strip():
        end -= 1
    if end:
        yield list(block[:end])
    yield from ([line] for line in block[end:])


VALUE = r"""(?P<value>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^"'#\s][^#]*?|)"""
FIELD_LINE = r"(?P<head>\s*(?:- +)?{key}:)\s*" + VALUE + r"(?P<tail>\s+#.*|\s*)$"


def check_of_entry(block: Sequence[str]) -> str | None:
    """The check of an entry; None if the block is not an entry."""
    for line in block:
        found = re.match(r"\s*(?:- +)?(?:\{\s*)?check:\s*[\"']?([\w.-]+)", line)
        if found and block[0].lstrip().startswith("- "):
            return found[1]
    return None


def renewed_block(block: Sequence[str], entry: Divergence, margin: str) -> list[str]:
    """An entry with its measured values updated; one in an unusual form is rewritten."""
    lines = list(block)
    missing = []
    for key, value in fields(entry):
        for number, line in enumerate(lines):
            found = re.match(FIELD_LINE.format(key=key), line)
            if found:
                if text_of(found["value"]) != text_of(value):
                    lines[number] = f"{found['head']} {value}{found['tail'].rstrip()}"
                break
        else:
            missing.append(f"{key}: {value}")
    if any(line.startswith(NEEDED) for line in missing):
        comments = [line for line in block if line.lstrip().startswith("#")]
        behind = re.search(r"[}\s](#.*)$", block[-1])
        return [
            *comments,
            *([margin + behind[1]] if behind and not comments else []),
            *new_block(entry, margin),
        ]
    return [*lines, *(f"{margin}  {line}" for line in missing)]


def text_of(value: str) -> str:
    """The text of a YAML value, for comparison only."""
    if value.startswith('"'):
        return str(json.loads(value))
    return value[1:-1].replace("''", "'") if value.startswith("'") else value


def fields(entry: Divergence) -> Iterator[tuple[str, str]]:
    """The keys and YAML values of an entry that a run writes."""
    yield "check", entry.check
    yield "rule", json.dumps(entry.rule)
    yield "signature", json.dumps(entry.signature, ensure_ascii=False)
    yield "digest", quoted_if_number(entry.digest)
    if entry.scenario:
        yield "scenario", entry.scenario
    yield "added", str(entry.added)


def quoted_if_number(digest: str) -> str:
    """The digest, quoted if YAML would read it as a number."""
    return digest if re.search("[a-df]", digest) else json.dumps(digest)


def new_block(entry: Divergence, margin: str) -> list[str]:
    """The lines of a new entry."""
    said = [("reason", entry.reason), ("issue", entry.issue), ("expires", str(entry.expires or ""))]
    rest = [(key, json.dumps(text, ensure_ascii=False)) for key, text in said if text or key == "reason"]
    first, *lines = (f"{key}: {value}" for key, value in [*fields(entry), *rest])
    return [f"{margin}- {first}", *(f"{margin}  {line}" for line in lines)]


class Update(Struct, frozen=True):
    """What rewriting the list changed."""

    path: Path
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    no_longer_played: tuple[str, ...] = ()

    def __str__(self) -> str:
        """A summary in a few lines."""
        said = {
            "added": self.added,
            "changed": self.changed,
            "taken out": self.gone,
            "no longer counted on": self.no_longer_played,
        }
        lines = [f"  {len(ids)} {word}: {list_of_options(ids, 12)}" for word, ids in said.items() if ids]
        path = relative_path(self.path)
        files = f"{path} and {plays_beside(self.path).name} are written"
        return "\n".join([files + ("" if lines else ", as they were"), *lines])


def write(path: Path, before: Divergences, now: Divergences, fixtures: Mapping[str, Fixture]) -> Update:
    """Write the list and, beside it, the checks that it names and the recorded results.

    Raises `ScenarioError` or `OSError`. A property without a single counterexample has no check to store.
    """
    stored = {id: f"{STORED}/{id}.json" for id in now.known if fixtures[id].play.players}
    known = {id: replace(entry, scenario=stored.get(id, "")) for id, entry in now.known.items()}
    text = path.read_bytes().decode() if path.exists() else ""
    content = updated_text(text, known, relative_path(path)).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    if stored:
        (path.parent / STORED).mkdir(exist_ok=True)
    for id, name in stored.items():
        write_file(path.parent / name, encode(with_own_id(fixtures[id])) + b"\n")
    replace_file(plays_beside(path), plays_text(now.plays).encode())
    replace_file(path, content)
    gone = sorted(set(before.known) - set(now.known))
    for id in gone:
        if before.known[id].scenario == f"{STORED}/{id}.json":
            (path.parent / STORED / f"{id}.json").unlink(missing_ok=True)
    played = ("passed", "failed")
    return Update(
        path,
        added=tuple(id for id in now.known if id not in before.known),
        changed=tuple(
            id
            for id, entry in now.known.items()
            if id in before.known and before.known[id].signature != entry.signature
        ),
        gone=tuple(gone),
        no_longer_played=tuple(
            id
            for id, was in before.plays.items()
            if was.was in played and (id not in now.plays or now.plays[id].was not in played)
        ),
    )


def replace_file(path: Path, content: bytes) -> None:
    """Replace a file's content atomically."""
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        write_file(beside, content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
