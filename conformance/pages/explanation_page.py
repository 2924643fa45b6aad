"""The page of `conformance explain --html`: the board, the layers, and the script as a timeline."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from conformance.pages.page import page
from conformance.tell.timeline import Timeline


class ExplanationPage(Struct, frozen=True):
    """The contents of the page, and where they come from."""

    title: str
    edition: str
    again: str
    """The command that makes this explanation."""
    text: str
    """The explanation in words."""
    timeline: Timeline
    of: str | None = None
    """The object in focus as the page opens."""
    stopped: str = ""
    cure: str = ""
    """What to write to get past the stop."""
    problems: tuple[str, ...] = ()
    """The problems of the file, on a page that follows the file as it is written."""
    stale: bool = False
    """Whether it explains an earlier state of the file, because the current one cannot be played."""


def explained_page(shown: ExplanationPage, live: str | None = None) -> str:
    """The page of an explanation; `live` is the version of a page that follows its file."""
    return page(
        "explained.html",
        title=shown.title,
        scripts=("stepping.js",),
        live=live,
        shown=shown,
        number=numbers(),
    )


def problems_page(title: str, problems: tuple[str, ...], live: str | None = None) -> str:
    """The page of a file that cannot be played."""
    return page("problems.html", title=title, live=live, problems=problems)


def numbers() -> Callable[[Iterable[str]], str]:
    """A function from names of objects to numbers that stand for them in a page's attributes."""
    known: dict[str, int] = {}
    return lambda names: " ".join(str(known.setdefault(name, len(known))) for name in names)
