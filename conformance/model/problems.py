"""What is wrong with a file, said so that its writer can mend it: where, what, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from conformance.model.printable import harmless


class Problem(Struct, frozen=True, order=True):
    """One thing wrong with a file: the place, the fault in the reader's own words, and the cure."""

    path: str
    line: int
    column: int
    where: str
    what: str
    cure: str

    def __str__(self) -> str:
        """As STYLE.md has it: `path:line:column: where: what`, and the cure below."""
        place = [str(part) for part in (self.path, self.line, self.column) if part]
        says = [":".join(place), self.where, self.what]
        return harmless(f"{': '.join(part for part in says if part)}\n    {self.cure}")


At = tuple[str | int, ...]
"""A place in a canonical value: `("play", "setup", 0, "entries", 0, "controller")`."""


class Finding(Struct, frozen=True):
    """Something wrong with a canonical value: where in it, what, and the cure."""

    at: At
    what: str
    cure: str
    certain: bool = True
    """Whether it is wrong whatever else the file says; what cannot be read of it may not explain it away."""
    hangs_on_expect: bool = False
    """Whether an expectation that cannot be read may explain it away; others may not be asked then."""

    def within(self, *outer: str | int) -> Finding:
        """The same finding in a value that holds this one."""
        return Finding((*outer, *self.at), self.what, self.cure, self.certain, self.hangs_on_expect)


class ScenarioError(Exception):
    """A file that cannot be taken as it is: our mistake or its writer's, never an engine's."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(map(str, self.problems)))


LONGEST_WORD = 100
"""Nobody misspells a longer one, and looking for its like would take long."""


def near(word: str, known: Iterable[str]) -> str | None:
    """The known word that this one was most likely meant to be, if there is one."""
    from difflib import get_close_matches  # most runs need no help with spelling

    if len(word) > LONGEST_WORD:
        return None
    same_letters = {option.casefold(): option for option in sorted(known, reverse=True)}
    found = get_close_matches(word.casefold(), sorted(same_letters), n=1, cutoff=0.65)
    if found:
        return same_letters[found[0]]
    longer = [option for option in same_letters if len(word) > 3 and option.startswith(word.casefold())]
    return same_letters[min(longer)] if longer else None


def did_you_mean(word: str, known: Iterable[str], *, otherwise: str) -> str:
    """A cure for an unknown word: the nearest one known, or else what is said instead."""
    nearest = near(word, known)
    return f"did you mean {nearest!r}?" if nearest else otherwise


def listed(words: Iterable[str], most: int = 30) -> str:
    """Words as a list to choose from; of a long one only its beginning."""
    every = list(words)
    return ", ".join(every[:most]) + (", …" if len(every) > most else "")
