"""Decodes the text of a file, diagnoses invalid YAML, and finds words that YAML does not read as text."""

from __future__ import annotations

import re
from functools import lru_cache

from conformance.model.problems import Problem, ScenarioError

MOST_YAML_BYTES = 1_000_000


def text_of(content: bytes | str, path: str) -> str:
    """The file's text, if it is UTF-8 without invisible characters."""
    if len(content) > MOST_YAML_BYTES:
        raise syntax_error(
            path, "", f"the file is longer than {MOST_YAML_BYTES:,} bytes", "split it into smaller files"
        )
    try:
        # Text may contain lone surrogates, which bytes cannot.
        raw = content.encode() if isinstance(content, str) else content
        text = raw.decode()
    except UnicodeError as error:
        before = error.object[: error.start]  # type: ignore[attr-defined]  # both kinds have them
        raise syntax_error(path, before, "not UTF-8 here", "save the file as UTF-8") from None
    text = text.replace("\r\n", "\n")
    if not text.replace("\n", "").isprintable():
        at = next(place for place, sign in enumerate(text) if sign != "\n" and not sign.isprintable())
        if text[at] == "\t":
            raise syntax_error(path, text[:at], "a tab", "indent with spaces")
        raise syntax_error(
            path,
            text[:at],
            f"an invisible character (U+{ord(text[at]):04X})",
            "remove it, or replace it with a common one",
        )
    return text


def syntax_error(path: str, before: str | bytes, what: str, cure: str) -> ScenarioError:
    """The error for a fault right after the text `before`."""
    text = before.decode() if isinstance(before, bytes) else before
    line = text.count("\n") + 1
    return ScenarioError([Problem(path, line, len(text) - (text.rfind("\n") + 1) + 1, "", what, cure)])


MANA_WITHOUT_QUOTES = re.compile(r"""(?:^|[\s:,\[{])(?P<mana>(?:\{[0-9A-Z/]{1,3}\})+)(?=[\s,\]}]|$)""")


def cure_for(text: str, line: int) -> str:
    """The cure for the likely mistake in a line that is not YAML."""
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


@lru_cache(4096)
def other_kind(text: str) -> str | None:
    """What YAML takes a plain word for, if not text: yes or no, a number, a date, nothing."""
    if text in OTHER_WORDS:
        return OTHER_WORDS[text]
    if NUMBER.fullmatch(text):
        return "a number"
    return "a date" if DATE.fullmatch(text) else None
