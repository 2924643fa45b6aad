"""Finds links of a built site that lead nowhere, and requests to other sites."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import Struct

# Templates and the Markdown renderer escape quotes and angle brackets in every value, so a raw one is ours.
TAG = re.compile(r"<(?P<tag>[a-z][a-z0-9]*)(?P<attributes>(?: [^<>]*)?)>")
ATTRIBUTE = re.compile(r' (?P<name>id|href|src|action)="(?P<value>[^"]*)"')
LOADING = {("link", "href"), ("script", "src"), ("img", "src"), ("form", "action")}
"""Attributes that make a browser send a request or a form."""


class PageLinks(Struct, frozen=True):
    """The anchors of a page, and what it links to: the element, the attribute, the address."""

    anchors: frozenset[str]
    twice: tuple[str, ...]
    """Anchors that two elements have."""
    links: frozenset[tuple[str, str, str]]


def links_in(html: str) -> PageLinks:
    """The anchors and links of a page."""
    anchors: dict[str, int] = {}
    links: set[tuple[str, str, str]] = set()
    for tag in TAG.finditer(html):
        for found in ATTRIBUTE.finditer(tag["attributes"]):
            value = unescape(found["value"])
            if found["name"] == "id":
                anchors[value] = anchors.get(value, 0) + 1
            else:
                links.add((tag["tag"], found["name"], value))
    twice = tuple(anchor for anchor, count in anchors.items() if count > 1)
    return PageLinks(frozenset(anchors), twice, frozenset(links))


def dead_links(folder: Path, also: Mapping[str, str] = {}) -> Iterator[str]:
    """A line for each link that leads nowhere, each anchor used twice, and each request to another site.

    `also`: further addresses that must exist, each with what links to it.
    """
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    pages = {
        name: links_in((folder / name).read_text(encoding="utf-8"))
        for name in sorted(files)
        if name.endswith(".html")
    }
    for name, page in pages.items():
        yield from (f"{name}: two elements are #{anchor}" for anchor in page.twice)
        for tag, attribute, address in sorted(page.links):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if (tag, attribute) in LOADING and address != "data:,":
                    yield f"{name}: <{tag}> would load {address}"
            elif not leads_somewhere(name, address, pages, files):
                yield f"{name}: nothing at {address}"
    for address, source in also.items():
        if not leads_somewhere("", address, pages, files):
            yield f"{source}: nothing at {address}"


def leads_somewhere(name: str, address: str, pages: Mapping[str, PageLinks], files: set[str]) -> bool:
    """Whether a relative address on a page leads to a file, and to an anchor in it if it names one."""
    parts = urlsplit(address)
    path = unquote(parts.path)
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
    anchor = unquote(parts.fragment)
    if target in pages:
        return not anchor or anchor in pages[target].anchors
    return target in files and not anchor
