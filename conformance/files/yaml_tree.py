"""The first step of loading: text to a tree of nodes (`yaml_nodes`), each with its place.

Scalars stay text; what they mean is decided by the type wanted at their place (`typed_walk`).
Of YAML only what a reader can see through is read: maps and lists, in lines or in brackets, words, text in
quotes or below a `|` or `>` (`yaml_text`), and comments. Anchors, aliases, tags, merge keys, directives,
second documents, tabs and keys given twice are refused.

The functions go from a place in the text to the node that begins there and the place behind it. Most lines
and pairs are of the few usual forms, and each of these is found in one go.
"""

from __future__ import annotations

import re

from conformance.files.yaml_nodes import Entries, Mapping, Node, Scalar, Sequence, Standing
from conformance.files.yaml_text import (
    BRACKETS,
    GAP,
    IN_BLOCK,
    IN_FLOW,
    INDICATORS,
    LINE_END,
    WORDS_IN_BLOCK,
    Misuse,
    Surroundings,
    block_of_text,
    cure_for,
    not_yaml,
    plain_text,
    quoted_text,
    text_of,
)
from conformance.model.problems import Problem, ScenarioError

MOST_DEEP = 40
MOST_KEY = 1024
"""YAML looks no further for the colon behind a key."""
Twice = list[tuple[Scalar, Scalar]]
"""The keys that were given twice: the later one, and the one that is kept."""


def tree_of(content: bytes | str, path: str) -> Node:
    """The one document in a file as a tree. Raises `ScenarioError` if it is not plain, strict YAML."""
    text = text_of(content, path)
    twice: Twice = []
    broken: list[Problem] = []
    try:
        tree = document(text, twice)
    except Misuse as misuse:
        at, what, cure = misuse.args
        there = Standing(at, text)
        broken = [Problem(path, there.line, there.column, "", what, cure or cure_for(text, there.line))]
    problems = [
        Problem(
            path,
            key.line,
            key.column,
            "",
            f"{key.text!r} is given twice",
            f"it stands in line {first.line} already: keep one",
        )
        for key, first in twice
    ]
    if problems or broken:
        raise ScenarioError([*problems, *broken])
    return tree


# ------------------------------------------------------------------------------------------ documents

BEGINNING = re.compile(rf"(?:{GAP}(?<![^\n])---(?![^ \n])[ ]*(?:(?=\#|\n)|\Z))?{GAP}")
"""What may stand before the document: comments, and one line of ---."""
MARKER = re.compile(r"\n(---|\.\.\.)(?![^ \n])")


def document(text: str, twice: Twice) -> Node:
    """The tree of the only document; keys given twice are noted, and the first of them kept."""
    beginning = BEGINNING.match(text)
    assert beginning is not None  # it may be empty
    at = beginning.end()
    # Behind a line end put in front of it all, the line end before a marker stands where the marker stood.
    marker = MARKER.search("\n" + text, at)
    source = text[: marker.start()] if marker else text
    if at == len(source):
        what = f"nothing before this {marker[1]}" if marker else "nothing in this file"
        raise Misuse(at if marker else 0, what, "write a scenario or a list of cards")
    column = len(source[:at].rpartition("\n")[2])
    if source[at] == "%":
        raise Misuse(at, "a YAML directive", "take the line with % out")
    tree, at, below = block_node(source, at, column, -1, 1, twice)
    if below >= 0:
        raise not_yaml(at, "indented like nothing above it" if below < column else "something behind the end")
    if marker:
        cure = f"write one document a file, without a line of {marker[1]}"
        raise Misuse(marker.start(), "a second document", cure)
    return tree


# ------------------------------------------------------------------------------------------- in lines

Found = tuple[Node, int, int]
"""A node, the place of what stands below it, and how far that is indented (-1: the file ends there)."""
BEHIND = rf"(?:[ ]+(?=[^ \n\#])|(?=[ \n]|\Z){LINE_END})"
"""Behind a `-` or a colon: spaces up to something in the same line, or else all up to the next line."""
ITEM = re.compile(rf"-{BEHIND}")
KEY = re.compile(
    rf"""(?:{WORDS_IN_BLOCK}|"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\n]|'')*')(?P<spaces>[ ]*):{BEHIND}"""
)
USUAL_KEY = "([A-Za-z0-9_]{1,100})"
USUAL_QUOTES = r'"([^"\\\n]*)"'
USUAL_LINE = re.compile(
    rf"{USUAL_KEY}:(?=[ \n])"
    rf"(?:[ ](?:([^ \n{INDICATORS}][^\n:\#]*)(?<!\ )|{USUAL_QUOTES}|(?=[\[{{])))?"
    r"(?:\n([ ]*)(?=[^ \n\#]))?"
)
"""The usual line of a map: a key of one word; behind its colon a line of text, nothing, or a bracket."""
REST_OF_LINE = re.compile(LINE_END)
BEHIND_COLON = re.compile(BEHIND)


def block_node(source: str, at: int, column: int, indent: int, depth: int, twice: Twice) -> Found:
    """What begins at a place at the start of a line, or behind the `-` of an item."""
    if ITEM.match(source, at):
        return block_sequence(source, at, column, depth, twice)
    if KEY.match(source, at):
        return block_mapping(source, at, column, depth, twice)
    return one_thing(source, at, indent, depth, twice)


def block_mapping(source: str, start: int, column: int, depth: int, twice: Twice) -> Found:
    """A map, each key at the start of a line."""
    if depth > MOST_DEEP:
        raise too_deep(start)
    entries: Entries = {}
    value: Node
    at, below = start, column
    while below == column:
        line = USUAL_LINE.match(source, at)
        if line is None:
            key, behind = block_key(source, at)
            value, at, below = block_value(source, behind, column, depth + 1, twice)
        else:
            word, words, quoted, margin = line.groups()
            key = Scalar(at, source, word, True)
            if margin is None or len(margin) > column or (words is None and quoted is None):
                value, at, below = block_value(source, line.end(1) + 1, column, depth + 1, twice)
            else:
                value = (
                    Scalar(line.start(2), source, words, True)
                    if quoted is None
                    else Scalar(line.start(3) - 1, source, quoted, False)
                )
                at, below = line.end(), len(margin)
        if key.text in entries:
            twice.append((key, entries[key.text][0]))
        else:
            entries[key.text] = (key, value)
    if below > column:
        raise not_yaml(at, "indented like nothing above it")
    return Mapping(start, source, entries), at, below


def block_key(source: str, at: int) -> tuple[Scalar, int]:
    """A key, which may be any text on one line, and the place behind its colon."""
    found = KEY.match(source, at)
    key, _ = key_at(source, at, IN_BLOCK)
    if found is None or found.end("spaces") - at > MOST_KEY:
        raise not_yaml(at, "a line of a map without a key and a colon")
    return key, found.end("spaces") + 1


def block_value(source: str, at: int, column: int, depth: int, twice: Twice) -> Found:
    """The value behind a colon or below it, in a map whose keys stand in a column."""
    behind = BEHIND_COLON.match(source, at)
    assert behind is not None  # or the colon had ended no key
    if behind[1] is None:
        return one_thing(source, behind.end(), column, depth, twice)
    below_at, below = start_of_line(behind)
    if below > column:
        return block_node(source, below_at, below, column, depth, twice)
    if below == column and ITEM.match(source, below_at):
        # The items of a list may stand right below the key.
        return block_sequence(source, below_at, column, depth, twice)
    return Scalar(at, source, "", True), below_at, below


def block_sequence(source: str, start: int, column: int, depth: int, twice: Twice) -> Found:
    """A list, each item behind a `-` at the start of a line."""
    if depth > MOST_DEEP:
        raise too_deep(start)
    items: list[Node] = []
    item: Node
    at, below = start, column
    while below == column and (dash := ITEM.match(source, at)):
        inner = dash.end()
        if dash[1] is not None:
            item = Scalar(at + 1, source, "", True)
            at, below = start_of_line(dash)
            if below > column:
                item, at, below = block_node(source, at, below, column, depth + 1, twice)
        elif source[inner] in "[{":
            item, at, below = one_thing(source, inner, column, depth + 1, twice)
        else:
            item, at, below = block_node(source, inner, column + inner - at, column, depth + 1, twice)
        items.append(item)
    if below > column:
        raise not_yaml(at, "indented like nothing above it")
    return Sequence(start, source, tuple(items)), at, below


def one_thing(source: str, at: int, indent: int, depth: int, twice: Twice) -> Found:
    """Text, or something in brackets, and nothing behind it in its last line."""
    node: Node
    sign = source[at]
    if sign == "{":
        node, end = flow_mapping(source, at, depth, twice)
    elif sign == "[":
        node, end = flow_sequence(source, at, depth, twice)
    elif sign in "|>":
        text, end = block_of_text(source, at, indent)
        node = Scalar(at, source, text, False)
    else:
        node, end = text_at(source, at, IN_BLOCK, indent)
    line_end = REST_OF_LINE.match(source, end)
    if line_end is None:
        raise not_the_end(source, end, node)
    return node, *start_of_line(line_end)


def not_the_end(source: str, end: int, node: Node) -> Misuse:
    """The error for what stands behind the end of a value, in the same line."""
    colon = COLON.match(source, end)
    if colon is None:
        return not_yaml(end, f"something behind the {'text' if type(node) is Scalar else 'brackets'}")
    if type(node) is Scalar:
        return not_yaml(colon.end() - 1, "a second colon, behind a value")
    return no_word(node.at)


def start_of_line(line_end: re.Match[str]) -> tuple[int, int]:
    """Where the next line with something in it begins, and its column (-1: there is none)."""
    at = line_end.end()
    return at, len(line_end[1]) if at < len(line_end.string) else -1


# ----------------------------------------------------------------------------------------- in brackets

USUAL_TEXT = rf"([^ \n{INDICATORS}][^\n:\#{BRACKETS}]*)(?<!\ )|{USUAL_QUOTES}"
USUAL_PAIR = re.compile(rf"[ \n]*{USUAL_KEY}:[ ]+(?:(?:{USUAL_TEXT})([,}}])|(?=[\[{{]))")
"""The usual pair in a map: a key of one word; a line of text, or a bracket."""
USUAL_MEMBER = re.compile(rf"[ \n]*(?:(?:{USUAL_TEXT})([,\]])|(?=[\[{{]))")
"""The usual member of a list: a line of text, or a bracket."""
TO_NEXT = re.compile(GAP)
COLON = re.compile(r"[ ]*:(?![^ \n])")
COLON_BEHIND_QUOTES = re.compile(r"[ ]*:")


def flow_mapping(source: str, start: int, depth: int, twice: Twice) -> tuple[Mapping, int]:
    """A map in braces, and the place behind it."""
    if depth > MOST_DEEP:
        raise too_deep(start)
    entries: Entries = {}
    value: Node
    at, sign = start + 1, ","
    while sign == ",":
        pair = USUAL_PAIR.match(source, at)
        if pair is None:
            at = to_next(source, at)
            if source.startswith("}", at):
                return Mapping(start, source, entries), at + 1
            key, value, at = flow_pair(source, at, depth, twice)
            sign, at = sign_behind(source, at, start, "}")
        else:
            word, words, quoted, sign = pair.groups()
            key, at = Scalar(pair.start(1), source, word, True), pair.end()
            if words is not None:
                value = Scalar(pair.start(2), source, words, True)
            elif quoted is not None:
                value = Scalar(pair.start(3) - 1, source, quoted, False)
            else:
                read = flow_mapping if source[at] == "{" else flow_sequence
                value, at = read(source, at, depth + 1, twice)
                sign, at = sign_behind(source, at, start, "}")
        if key.text in entries:
            twice.append((key, entries[key.text][0]))
        else:
            entries[key.text] = (key, value)
    return Mapping(start, source, entries), at


def flow_pair(source: str, at: int, depth: int, twice: Twice) -> tuple[Scalar, Node, int]:
    """A key and its value, each of which may be anything; a key alone has the empty value."""
    key, at = key_at(source, at, IN_FLOW)
    colon = (COLON if key.plain else COLON_BEHIND_QUOTES).match(source, at)
    if colon and "\n" not in source[key.at : at] and colon.end() - 1 - key.at <= MOST_KEY:
        at = to_next(source, colon.end())
        if source[at : at + 1] not in (",", "}"):
            value, at = flow_node(source, at, depth + 1, twice)
            return key, value, at
    at = to_next(source, at)
    return key, Scalar(at, source, "", True), at


def flow_sequence(source: str, start: int, depth: int, twice: Twice) -> tuple[Sequence, int]:
    """A list in brackets, and the place behind it."""
    if depth > MOST_DEEP:
        raise too_deep(start)
    items: list[Node] = []
    item: Node
    at, sign = start + 1, ","
    while sign == ",":
        member = USUAL_MEMBER.match(source, at)
        if member is None:
            at = to_next(source, at)
            if source.startswith("]", at):
                return Sequence(start, source, tuple(items)), at + 1
            item, at = flow_node(source, at, depth + 1, twice)
            sign, at = sign_behind(source, at, start, "]")
        else:
            words, quoted, sign = member.groups()
            at = member.end()
            if words is not None:
                item = Scalar(member.start(1), source, words, True)
            elif quoted is not None:
                item = Scalar(member.start(2) - 1, source, quoted, False)
            else:
                item, at = flow_node(source, at, depth + 1, twice)
                sign, at = sign_behind(source, at, start, "]")
        items.append(item)
    return Sequence(start, source, tuple(items)), at


def flow_node(source: str, at: int, depth: int, twice: Twice) -> tuple[Node, int]:
    """Anything that may stand in brackets, and the place behind it."""
    sign = source[at : at + 1]
    if sign == "{":
        return flow_mapping(source, at, depth, twice)
    if sign == "[":
        return flow_sequence(source, at, depth, twice)
    return text_at(source, at, IN_FLOW, -1)


def sign_behind(source: str, at: int, start: int, closing: str) -> tuple[str, int]:
    """The comma or bracket behind something in brackets, which begin at `start`, and the place behind it."""
    at = to_next(source, at)
    sign = source[at : at + 1]
    if sign in (",", closing):
        return sign, at + 1
    if not sign:
        raise not_yaml(start, "a bracket that is never closed")
    if sign == ":" and closing == "]":
        raise Misuse(at, "a colon in a list", "a pair in a list stands in braces: [{key: value}]")
    raise not_yaml(at, f"no , or {closing} before this")


def to_next(source: str, at: int) -> int:
    """The place of the next thing in brackets."""
    found = TO_NEXT.match(source, at)
    assert found is not None  # it may be empty
    return found.end()


# ------------------------------------------------------------------------------------ text and keys


def text_at(source: str, at: int, where: Surroundings, indent: int) -> tuple[Scalar, int]:
    """The text that begins at a place, and the place behind it."""
    in_quotes = source[at : at + 1] in ('"', "'")
    text, end = quoted_text(source, at) if in_quotes else plain_text(source, at, where, indent)
    return Scalar(at, source, text, not in_quotes), end


def key_at(source: str, at: int, where: Surroundings) -> tuple[Scalar, int]:
    """The text of a key, and the place behind it."""
    if source[at : at + 1] in ("[", "{"):
        raise no_word(at)
    key, end = text_at(source, at, where, -1)
    if key.text == "<<" and key.plain:
        raise Misuse(at, "a merge key (<<)", "write the keys out")
    return key, end


def no_word(at: int) -> Misuse:
    """The error for a list or a map as a key."""
    return Misuse(
        at, "a key that is no word", "a key is one word; text with brackets in it is written in quotes"
    )


def too_deep(at: int) -> Misuse:
    """The error for a list or map deeper than a reader would follow."""
    return Misuse(at, f"more than {MOST_DEEP} levels deep", "say it with less nesting")
