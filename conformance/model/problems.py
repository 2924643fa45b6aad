"""Problems of a file, reported so that the author can fix them: where, what, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from conformance.model.printable import harmless


class Problem(Struct, frozen=True, order=True):
    """A problem of a file: the place, the fault in the author's own terms, and the cure."""

    path: str
    line: int
    column: int
    where: str
    what: str
    cure: str

    def __str__(self) -> str:
        """`path:line:column: where: what`, with the cure on the next line."""
        place = [str(part) for part in (self.path, self.line, self.column) if part]
        says = [":".join(place), self.where, self.what]
        return harmless(f"{': '.join(part for part in says if part)}\n    {self.cure}")


At = tuple[str | int, ...]
"""A place in a canonical value: `("play", "setup", 0, "entries", 0, "controller")`."""


def place_of_arrival(number: int) -> str:
    """The place of an arrival in a setup as shown to people, counted from 1."""
    return f"setup[{number + 1}]"


def arrival_at(where: str) -> int | None:
    """The index of the arrival that a place names; None if it names something else."""
    found = re.fullmatch(r"setup\[([0-9]+)\]", where)
    return int(found[1]) - 1 if found else None


class Finding(Struct, frozen=True):
    """A problem in a canonical value: its place, what is wrong, and the cure."""

    at: At
    what: str
    cure: str
    certain: bool = True
    """False if any part of the file that could not be read might resolve the problem."""
    hangs_on_expect: bool = False
    """True if an expectation that could not be read might resolve it."""
    name: str = ""
    """The name that it is about, if any: only an unread part that mentions the name might resolve it."""

    def within(self, *outer: str | int) -> Finding:
        """The same finding, with its place in a value that contains this one."""
        return replace(self, at=(*outer, *self.at))


MOST_KEPT = 200
"""Maximum number of problems of a file to look for."""
MOST_SHOWN = 20
"""Maximum number of problems of a file to show."""


class ScenarioError(Exception):
    """An invalid file: our mistake or its author's, never an engine's."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(problem_lines(self.problems)))


def problem_lines(problems: Iterable[Problem]) -> Iterator[str]:
    """The lines that report problems: the first ones of each file, and the number of the others."""
    for path, every in groupby(sorted(problems), key=lambda problem: problem.path):
        of_file = list(every)
        yield from map(str, of_file[:MOST_SHOWN])
        if len(of_file) > MOST_SHOWN:
            yield harmless(f"{path}: {number_left(of_file)} more problems")


def number_left(problems: Sequence[Problem]) -> str:
    """How many of a file's problems are not shown."""
    least = "at least " if len(problems) >= MOST_KEPT else ""
    return f"{least}{len(problems) - MOST_SHOWN}"


LONGEST_WORD = 100
"""Maximum length of a word to compare with known ones: nobody misspells longer ones, and it is slow."""


LEAST_LIKENESS = 0.65
"""The share of signs, in order, that a known word and a misspelled one have in common at least."""


def near(word: str, known: Iterable[str]) -> str | None:
    """The known word that is most similar to this one, if any is similar enough."""
    from difflib import get_close_matches  # most runs never look for similar words

    if len(word) > LONGEST_WORD:
        return None
    plain, same_letters = word.casefold(), without_case(frozenset(known))
    similar = [option for option in same_letters if may_be_like(plain, option)]
    if found := get_close_matches(plain, similar, n=1, cutoff=LEAST_LIKENESS):
        return same_letters[found[0]]
    longer = [option for option in same_letters if len(word) > 3 and option.startswith(plain)]
    return same_letters[min(longer)] if longer else None


@lru_cache(maxsize=8)
def without_case(known: frozenset[str]) -> Mapping[str, str]:
    """Each known word under its form without case, in order."""
    same_letters = {option.casefold(): option for option in sorted(known, reverse=True)}
    return dict(sorted(same_letters.items()))


def may_be_like(word: str, option: str) -> bool:
    """Whether an option has enough of a word's signs, in whatever order.

    `difflib` asks the same and takes far longer for it: a pool has thousands of names.
    """
    both, left = len(word) + len(option), option
    if 2 * min(len(word), len(option)) < LEAST_LIKENESS * both:
        return False
    for sign in word:
        left = left.replace(sign, "", 1)
    return 2 * (len(option) - len(left)) >= LEAST_LIKENESS * both


def did_you_mean(word: str, known: Iterable[str], *, otherwise: str) -> str:
    """The cure for an unknown word: the nearest known one, or else the alternative."""
    nearest = near(word, known)
    return f"did you mean {nearest!r}?" if nearest else otherwise


def list_of_options(words: Iterable[str], most: int = 30) -> str:
    """Words as a list to choose from, cut off after `most`."""
    every = list(words)
    return ", ".join(every[:most]) + (", …" if len(every) > most else "")
