"""Links: from names in plain words to the pages of the site, and from files to copies of them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from urllib.parse import urlsplit

from msgspec import Struct

from conformance.pages.addresses import (
    check_address,
    engine_address,
    law_address,
    rule_address,
)

NAMED = re.compile(
    r"(?P<rule>(?:CR )?(?<![\w.])\d{3}\.\d+[a-z]{0,2}(?![\w.]*\d))"
    r"|(?P<chapter>CR \d{3})(?![.\d])"
    r"|(?<![\w-])(?P<check>[A-Z]-[0-9a-f]{4,16}(?:\.\d\d)?)(?!\w)"
    r"|(?<![\w-])(?P<finding>[A-Z]\d{2,3})(?!\w)"
    r"|(?P<law>\b[a-z]+(?:_[a-z]+)+\b)"
)
"""Matches what may be the name of something that the site has a page or section for."""


class SiteLinks(Struct, frozen=True, dict=True):
    """Everything on the site that a text can name. Addresses are relative to the site's root."""

    checks: frozenset[str]
    rules: frozenset[str]
    laws: frozenset[str]
    findings: Mapping[str, str]
    """For each finding, the key of its engine."""
    documents: Mapping[str, str]
    """For each page of the documentation, by its path in the repository, its address."""
    sections: Mapping[str, str] = {}
    """Addresses of sections that have a page of their own, by path and anchor."""

    @cached_property
    def chapters(self) -> frozenset[str]:
        return frozenset(rule.partition(".")[0] for rule in self.rules)

    def pieces(self, text: str, root: str = "") -> Iterator[tuple[str, str]]:
        """The pieces of a text, each with the address of what it names; empty if it names nothing."""
        at = 0
        for found in NAMED.finditer(text):
            target = self.address_of(str(found.lastgroup), found[0])
            if target:
                if found.start() > at:
                    yield text[at : found.start()], ""
                yield found[0], root + target
                at = found.end()
        if at < len(text):
            yield text[at:], ""

    def address_of(self, kind: str, name: str) -> str:
        """The address of something by kind and name; empty if the site does not have it."""
        number = name.removeprefix("CR ")
        match kind:
            case "rule" if number in self.rules:
                return rule_address(number)
            case "chapter" if number in self.chapters:
                return rule_address(number)
            case "check" if name in self.checks:
                return check_address(name)
            case "finding" if name in self.findings:
                return f"{engine_address(self.findings[name])}#{name}"
            case "law" if name in self.laws:
                return law_address(name)
            case _:
                return ""

    def from_file(self, link: str, place: str, root: str) -> str:
        """The address on the site for a link in a file; files that are not pages are copied to `files/`."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            return link
        path = (
            posixpath.normpath(posixpath.join(posixpath.dirname(place), parts.path)) if parts.path else place
        )
        whole = f"{path}#{parts.fragment}" if parts.fragment else path
        if whole in self.sections:
            return root + self.sections[whole]
        if path in self.documents:
            anchor = f"#{parts.fragment}" if parts.fragment else ""
            return root + self.documents[path] + anchor
        return f"{root}files/{path}"
