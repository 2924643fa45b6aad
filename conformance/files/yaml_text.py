"""The text of a file, and how texts stand in it: plain, in quotes or as a block.

Patterns, and functions from a place in the file to the text that begins there and the place behind it. What
plain text may hold differs between a line of a block and the inside of brackets. Plain text may be something
else to YAML: a number, a date, yes or no (`other_kind`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import final

from msgspec import Struct

from conformance.model.problems import Problem, ScenarioError

MOST_BYTES = 1_000_000


def text_of(content: bytes | str, path: str) -> str:
    """The file's text, if it is UTF-8 without characters that cannot be seen."""
    if len(content) > MOST_BYTES:
        raise refused(
            path, "", f"the file is longer than {MOST_BYTES:,} bytes", "split it into smaller files"
        )
    try:
        # Text may hold half a character (a lone surrogate) where bytes cannot.
        raw = content.encode() if isinstance(content, str) else content
        text = raw.decode()
    except UnicodeError as error:
        before = error.object[: error.start]  # type: ignore[attr-defined]  # both kinds have them
        raise refused(path, before, "not UTF-8 here", "save the file as UTF-8") from None
    text = text.replace("\r\n", "\n")
    if not text.replace("\n", "").isprintable():
        at = next(place for place, sign in enumerate(text) if sign != "\n" and not sign.isprintable())
        if text[at] == "\t":
            raise refused(path, text[:at], "a tab", "indent with spaces")
        raise refused(
            path,
            text[:at],
            f"an invisible character (U+{ord(text[at]):04X})",
            "take it out, or put a common one in its place",
        )
    return text


def refused(path: str, before: str | bytes, what: str, cure: str) -> ScenarioError:
    """The error for a fault right behind the text `before`."""
    text = before.decode() if isinstance(before, bytes) else before
    line = text.count("\n") + 1
    return ScenarioError([Problem(path, line, len(text) - (text.rfind("\n") + 1) + 1, "", what, cure)])


MANA_WITHOUT_QUOTES = re.compile(r"""(?:^|[\s:,\[{])(?P<mana>(?:\{[0-9A-Z/]{1,3}\})+)(?=[\s,\]}]|$)""")


def cure_for(text: str, line: int) -> str:
    """What most likely went wrong in a line that is not YAML."""
    bare = re.sub(r"""(?<!\S)#.*|"[^"\n]*"|'[^'\n]*'""", "", text)
    there = bare.split("\n")[line - 1]
    mana = MANA_WITHOUT_QUOTES.search(there)
    if mana:
        return f'mana symbols are written in quotes: "{mana["mana"]}"'
    if re.search(r"^[^{\[]*:\s+[^\s{\[][^{\[]*:(?:\s|$)", there):
        return "text with a colon in it is written in quotes"
    if re.search(r"(?:^|[\s\[{,])[@`*&!%]", there):
        return "text that begins with one of @ ` * & ! % is written in quotes"
    if any(bare.count(left) != bare.count(right) for left, right in ("[]", "{}")):
        return "a bracket is not closed, or closed twice"
    return "look at this line and the one before: indentation, brackets, quotes"


class Misuse(Exception):
    """YAML that we do not take: the place in the text, what is wrong there, and the cure if it is known."""


def not_yaml(at: int, what: str) -> Misuse:
    """The error for what is no YAML at all."""
    return Misuse(at, f"not YAML: {what}", None)


# ------------------------------------------------------------------------------------------- plain text

GAP = r"[ \n]*+(?:\#[^\n]*+(?:\n|\Z)[ \n]*+)*"
"""What may stand between two things in brackets: spaces, line ends, comments."""
BLANK = r"[ ]*(?:\#[^\n]*+)?(?:\n|\Z)"
LINE_END = rf"(?:\n|(?:{BLANK})+)([ ]*)(?![ \n\#])"
"""The end of a line, a comment before it, lines with nothing in them; how far the next one is indented."""


def line_of_words(first: str, colon: str, never: str) -> str:
    """A line of plain text: its first sign, which signs a colon in it stands before, what it never holds.

    A `#` behind a space begins a comment, and spaces at the end belong to nothing.
    """
    run = rf"[^\n:\#{never}]*"
    return rf"(?:{first}){run}(?:(?:(?<!\ )\#|{colon}){run})*(?<!\ )"


COLON_IN_BLOCK = r":(?=[^ \n])"
COLON_IN_FLOW = r":(?=[^ \n,?\[\]{}])"
BRACKETS = r",\[\]{}"
INDICATORS = rf"""\-?:{BRACKETS}\#&*!|>'"%@`"""
"""What plain text does not begin with, unless something else follows at once."""
WORDS_IN_BLOCK = line_of_words(rf"[^ \n{INDICATORS}]|[-?:](?=[^ \n])", COLON_IN_BLOCK, "")
WORDS_IN_FLOW = line_of_words(rf"[^ \n{INDICATORS}]|-(?=[^ \n])", COLON_IN_FLOW, BRACKETS)
FURTHER_IN_BLOCK = line_of_words(rf"[^ \n:\#]|{COLON_IN_BLOCK}", COLON_IN_BLOCK, "")
FURTHER_IN_FLOW = line_of_words(rf"[^ \n:\#{BRACKETS}]|{COLON_IN_FLOW}", COLON_IN_FLOW, BRACKETS)
LINES_BETWEEN = r"[ ]*(\n(?:[ ]*\n)*)([ ]*)"


@final
class Surroundings(Struct, frozen=True, eq=False):
    """How plain text begins and goes on in further lines: in a block, or in brackets."""

    words: re.Pattern[str]
    further: re.Pattern[str]


IN_BLOCK = Surroundings(re.compile(WORDS_IN_BLOCK), re.compile(f"{LINES_BETWEEN}({FURTHER_IN_BLOCK})"))
IN_FLOW = Surroundings(re.compile(WORDS_IN_FLOW), re.compile(f"{LINES_BETWEEN}({FURTHER_IN_FLOW})"))


def plain_text(source: str, at: int, where: Surroundings, indent: int) -> tuple[str, int]:
    """Plain text, and further lines of it that are indented by more than `indent`."""
    found = where.words.match(source, at)
    if found is None:
        raise no_text(source, at)
    lines, end = [found[0]], found.end()
    while (more := where.further.match(source, end)) and len(more[2]) > indent:
        lines.extend((folded(more[1]), more[3]))
        end = more.end()
    return "".join(lines), end


def folded(line_ends: str) -> str:
    """What line ends within a text mean: one a space, more of them one less."""
    return "\n" * (line_ends.count("\n") - 1) or " "


NAME = re.compile(r"[&*]([0-9A-Za-z_-]+)")
TAG = re.compile(r"![^ \n,\[\]{}]*")


def no_text(source: str, at: int) -> Misuse:
    """The error where text should begin and something else does."""
    sign, name = source[at : at + 1], NAME.match(source, at)
    if name and sign == "*":
        return Misuse(at, f"an alias (*{name[1]})", "write it out again; text with a * needs quotes")
    if name:
        return Misuse(at, f"an anchor (&{name[1]})", "take it out; text with a & needs quotes")
    if tag := TAG.match(source, at):
        return Misuse(at, f"a YAML tag ({tag[0]})", "take it out; the place says what is meant")
    if sign in ("?", ":", "|", ">"):
        cure = f"write a key alone before its colon; text that begins with a {sign} needs quotes"
        return Misuse(at, f"a {sign} where a word or text should begin", cure)
    return not_yaml(at, f"{sign or 'the end'} where a word or text should begin")


# ---------------------------------------------------------------------------------------- text in quotes

QUOTED = {
    '"': re.compile(r'"([^"\\]*(?:\\[\s\S][^"\\]*)*)"'),
    "'": re.compile(r"'([^']*(?:''[^']*)*)'"),
}
IN_SINGLE_QUOTES = re.compile(r"(?P<lines>[ ]*\n[ \n]*)|(?P<spaces>[ ]+)|''")
IN_DOUBLE_QUOTES = re.compile(
    r"""(?P<lines>[ ]*\n[ \n]*) | (?P<spaces>[ ]+) | \\(?:
        x(?P<x>[0-9A-Fa-f]{2}) | u(?P<u>[0-9A-Fa-f]{4}) | U(?P<U>[0-9A-Fa-f]{8})
        | (?P<joined>\n[ \n]*) | (?P<sign>[\s\S])
    )""",
    re.VERBOSE,
)
SIGNS = {"n": "\n", " ": " ", '"': '"', "/": "/", "\\": "\\"}
INVISIBLE = "0abtvfreN_LP"


def quoted_text(source: str, at: int) -> tuple[str, int]:
    """Text in quotes, which may go over several lines."""
    found = QUOTED[source[at]].match(source, at)
    if found is None:
        raise not_yaml(at, "a quote that is never closed")
    inside = found[1]
    if source[at] == "'":
        return IN_SINGLE_QUOTES.sub(lambda one: spaced(one) or "'", inside), found.end()
    return IN_DOUBLE_QUOTES.sub(lambda one: spaced(one) or meant(one, at), inside), found.end()


def spaced(found: re.Match[str]) -> str | None:
    """What spaces and line ends in quotes mean, if it is them that were found."""
    return folded(found["lines"]) if found["lines"] else found["spaces"]


def meant(escape: re.Match[str], at: int) -> str:
    """What an escape sequence means, in the text in quotes that begins at a place."""
    if escape["joined"]:
        return "\n" * (escape["joined"].count("\n") - 1)
    number, sign = escape["x"] or escape["u"] or escape["U"], escape["sign"]
    if (number and not is_character(int(number, 16))) or (
        sign and sign not in SIGNS and sign not in INVISIBLE
    ):
        raise not_yaml(at, f"{escape[0]} in quotes means nothing")
    text = chr(int(number, 16)) if number else SIGNS.get(sign, "\0")
    if text != "\n" and not text.isprintable():
        raise Misuse(at, "an invisible character in text", "take the escape sequence out")
    return text


def is_character(number: int) -> bool:
    """Whether a number is one of a character, not beyond them all or half of one."""
    return number < 0xD800 or 0xE000 <= number <= 0x10FFFF


# -------------------------------------------------------------------------------------- text as a block

BLOCK = re.compile(r"(?P<how>[|>])(?P<ends>-?)[ ]*\n(?P<margin>[ ]*)[^ \n]")


def block_of_text(source: str, at: int, indent: int) -> tuple[str, int]:
    """The lines below a `|`, or below a `>` and joined; all are indented by more than `indent`."""
    found = BLOCK.match(source, at)
    if found is None or len(found["margin"]) <= max(indent, 0):
        cure = f"write them indented by spaces alone; text that begins with a {source[at]} needs quotes"
        raise Misuse(at, f"no lines of text right below this {source[at]}", cure)
    margin = found["margin"]
    below = re.compile(rf"(?:(?:{margin}[^\n]*|[ ]*)(?:\n|\Z))+").match(source, found.start("margin"))
    assert below is not None  # the first line has been seen
    lines = "\n".join(line[len(margin) :] for line in below[0].split("\n"))
    text = lines.rstrip("\n")
    last = lines[len(text) :][:1] if not found["ends"] else ""
    if found["how"] == ">":
        if "\n " in text:
            raise Misuse(at, "a line of text further to the right", "indent all lines below the > alike")
        text = re.sub("\n+", lambda ends: folded(ends[0]), text)
    return text + last, below.end() - below[0].endswith("\n")


# ------------------------------------------------------------------- what text is to YAML if it is not text

OTHER_WORDS = {
    **dict.fromkeys("yYnN", "yes or no"),
    **{
        said: "yes or no"
        for word in ("yes", "no", "true", "false", "on", "off")
        for said in (word, word.capitalize(), word.upper())
    },
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), "nothing at all"),
    "<<": "a merge key",
    "=": "a default value",
}
DIGITS = "[0-9][0-9_]*"
NUMBER = re.compile(
    rf"""(?=[-+.0-9]) (?: [-+]?{DIGITS}(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)? | \.{DIGITS}(?:[eE][-+][0-9]+)?
    | [-+]?0b[01_]+ | 0o[0-7]+ | [-+]?0x[0-9a-fA-F_]+
    | [-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+ | [-+]?{DIGITS}(?::[0-5]?[0-9])+\.[0-9_]*
    | [-+]?\.(?:inf|Inf|INF) | \.(?:nan|NaN|NAN) )""",
    re.VERBOSE,
)
DATE = re.compile(
    r"""[0-9]{4}-[0-9]{2}-[0-9]{2}
    | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ ]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?
      [ ]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?)?""",
    re.VERBOSE,
)


@cache
def other_kind(text: str) -> str | None:
    """What a plain text means to YAML if it is not text: yes or no, a number, a date, nothing."""
    if text in OTHER_WORDS:
        return OTHER_WORDS[text]
    if NUMBER.fullmatch(text):
        return "a number"
    return "a date" if DATE.fullmatch(text) else None
