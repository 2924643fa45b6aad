"""Addresses of the site's pages and of places on them, relative to its root.

They stay the same from one build to the next, so that reports, issues and other pages can link to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

AddressOf = Callable[[str], str]
"""The address of a check on a site by its id; empty if it has none."""


def no_address(id: str) -> str:
    """The empty address that each check has if no site is named."""
    return ""


def check_address(id: str) -> str:
    """The address of a check: a fixture has a page, and a law, whose id is a lowercase name, has a place."""
    return law_address(id) if id[:1].islower() else f"fixtures/{id}.html"


def law_address(name: str) -> str:
    return f"laws.html#{name}"


def rule_address(rule: str) -> str:
    """The address of a rule, or of a chapter."""
    chapter = rule.partition(".")[0]
    return f"rules/{chapter}.html" + (f"#{rule}" if rule != chapter else "")


def mutant_address(name: str) -> str:
    return f"mutants.html#{name}"


def engine_address(key: str) -> str:
    return f"engines/{key}.html"


def card_address(name: str) -> str:
    return f"cards.html#{anchor(name)}"


def doc_address(name: str) -> str:
    """The address of a page of the documentation, by its name without `.md`."""
    return f"docs/{name}.html"


def anchor(heading: str) -> str:
    """The anchor of a heading: lowercase words with hyphens, as GitHub makes them."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def site_root(url: str) -> str:
    """The address of a site, ready to be put before a page's. Raises `ValueError` if it is invalid."""
    try:
        parts = urlsplit(url)
        harmless = (
            parts.scheme in ("http", "https") and parts.hostname and not re.search(r"[\s<>\"'`\\]", url)
        )
    except ValueError:
        harmless = False
    if not harmless or parts.query or parts.fragment:
        raise ValueError(
            f"{url!r} is no address of a site\n    write one like https://example.org/conformance/"
        )
    return url if url.endswith("/") else url + "/"
