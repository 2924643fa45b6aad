"""Our documentation, from Markdown to HTML: with anchors, and with links to the rest of the site.

HTML in a page is shown as text. A table scrolls on its own where it is too wide. No element has a `style`,
which the Content-Security-Policy of a page would refuse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from conformance.pages.addresses import anchor

LinkedPieces = Callable[[str], Iterator[tuple[str, str]]]
"""Splits a text into pieces, each with the address that it links to; empty without a link."""
FINDING = re.compile(r"([A-Z]\d{2,3})\. ")
"""The beginning of a heading that describes a finding: its number."""


class Section(Struct, frozen=True):
    """A heading, its anchor, and the text below it."""

    level: int
    heading: str
    anchor: str
    texts: tuple[str, ...]


MOST_IN_A_LINE = 12
"""Length up to which a cell of a table, such as a date, stays on one line."""


class MarkdownPage(Struct, frozen=True):
    """A page of Markdown, parsed."""

    tokens: tuple[Any, ...]

    @property
    def title(self) -> str:
        """The first heading."""
        return next((plain_text(token) for _, token in self.headings()), "")

    def headings(self) -> Iterator[tuple[Any, Any]]:
        """Where each heading opens, and its words."""
        return ((opens, words) for opens, words in pairwise(self.tokens) if opens.type == "heading_open")

    def sections(self) -> tuple[Section, ...]:
        """All headings in order, with the text below each, in plain words."""
        found: list[tuple[Section, list[str]]] = []
        for before, token in pairwise((None, *self.tokens)):
            if before is not None and before.type == "heading_open":
                heading = Section(int(before.tag[1:]), plain_text(token), str(before.attrGet("id")), ())
                found.append((heading, []))
            elif token is not None and token.type in ("inline", "fence", "code_block") and found:
                found[-1][1].append(plain_text(token))
        return tuple(replace(heading, texts=tuple(texts)) for heading, texts in found)

    def below_heading(self) -> MarkdownPage:
        """The page without its first heading, which the frame of a page shows."""
        at = next((at for at, token in enumerate(self.tokens) if token.type == "heading_close"), -1)
        return MarkdownPage(self.tokens[at + 1 :])

    def first_sentence(self) -> str:
        """The first sentence of its first paragraph that is not a picture; empty if there is none."""
        for token, following in pairwise(self.tokens):
            if token.type == "paragraph_open" and any(one.type == "text" for one in following.children or ()):
                sentence, stop, _ = plain_text(following).partition(". ")
                return sentence + stop.rstrip()
        return ""

    def findings(self) -> tuple[str, ...]:
        """The numbers of the findings that it describes."""
        return tuple(
            str(opens.attrGet("id")) for opens, words in self.headings() if FINDING.match(plain_text(words))
        )

    def anchors(self) -> tuple[str, ...]:
        """The anchors of its headings."""
        return tuple(str(token.attrs["id"]) for token in self.tokens if "id" in token.attrs)

    def targets(self) -> tuple[str, ...]:
        """The targets of its links and images."""
        inside = (child for token in self.tokens for child in token.children or ())
        return tuple(
            str(child.attrs.get("href", child.attrs.get("src")))
            for child in inside
            if child.type in ("link_open", "image")
        )

    def tables(self) -> Iterator[list[dict[str, str]]]:
        """Each table, as rows with a text for each column."""
        cells: list[list[str]] = []
        for token, following in pairwise(self.tokens):
            if token.type == "table_open":
                cells = []
            elif token.type == "tr_open":
                cells.append([])
            elif token.type in ("th_open", "td_open"):
                cells[-1].append(plain_text(following))
            elif token.type == "table_close":
                heading, *rows = cells
                yield [dict(zip(heading, row, strict=False)) for row in rows]

    def html(self, address: Callable[[str], str], pieces: LinkedPieces) -> Markup:
        """The page as HTML. `address` maps the target of a link; `pieces` finds links in plain words."""
        return Markup(parser().renderer.render(linked(self.tokens, address, pieces), parser().options, {}))


@cache
def parser() -> MarkdownIt:
    """The parser: CommonMark and tables, and no HTML."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.add_render_rule("table_open", table_open)
    made.add_render_rule("table_close", table_close)
    return made


def table_open(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return '<div class="scroll" tabindex="0" role="region" aria-label="A table"><table class="figures">\n'


def table_close(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return "</table></div>\n"


def document(text: str) -> MarkdownPage:
    """The page in a text; each heading has an anchor, and that of a finding is its number."""
    tokens = parser().parse(text)
    taken: dict[str, int] = {}
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            finding = FINDING.match(plain_text(following))
            name = finding[1] if finding else anchor(plain_text(following))
            again = taken.get(name, -1) + 1
            taken[name] = again
            token.attrSet("id", f"{name}-{again}" if again else name)
        elif token.type in ("th_open", "td_open"):
            of = ["right"] if token.attrs.pop("style", None) == "text-align:right" else []
            of += ["brief"] if len(plain_text(following)) <= MOST_IN_A_LINE else []
            if of:
                token.attrSet("class", " ".join(of))
    return MarkdownPage(tuple(tokens))


def plain_text(token: Token | None) -> str:
    """The words of a token without their markup."""
    if token is None:
        return ""
    if token.children is None:
        return token.content
    return "".join(" " if one.type in ("softbreak", "hardbreak") else one.content for one in token.children)


def linked(tokens: Sequence[Token], address: Callable[[str], str], pieces: LinkedPieces) -> list[Token]:
    """The tokens with their link targets mapped, and with links added to plain words."""
    return [
        token
        if token.children is None
        else token.copy(children=[*with_links(token.children, address, pieces)])
        for token in tokens
    ]


def with_links(
    children: Sequence[Token], address: Callable[[str], str], pieces: LinkedPieces
) -> Iterator[Token]:
    inside = 0
    for child in children:
        inside += child.type == "link_open"
        inside -= child.type == "link_close"
        if child.type == "link_open":
            yield child.copy(attrs={**child.attrs, "href": address(str(child.attrGet("href")))})
        elif child.type == "image":
            yield child.copy(attrs={**child.attrs, "src": address(str(child.attrGet("src")))})
        elif child.type in ("text", "code_inline") and not inside:
            yield from pieces_as_tokens(child, pieces)
        else:
            yield child


def pieces_as_tokens(child: Token, pieces: LinkedPieces) -> Iterator[Token]:
    """A text, split where something in it is linked. Code is linked only as a whole."""
    cut = [*pieces(child.content)]
    if child.type == "code_inline" and len(cut) != 1:
        cut = [(child.content, "")]
    for text, target in cut:
        one = child.copy(content=text)
        if target:
            yield Token("link_open", "a", 1, attrs={"href": target})
            yield one
            yield Token("link_close", "a", -1)
        else:
            yield one
