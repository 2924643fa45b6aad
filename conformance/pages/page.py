"""The frame of every page: one file that loads nothing else, whatever its contents.

`page` fills a template of `conformance/pages/templates/`. The stylesheet and the scripts are put into the
file, and its Content-Security-Policy lets the browser use exactly these and load nothing. The pages of a site
share their stylesheet and scripts: `site_page` lets the browser use files of the site, and nothing else.
Templates escape every value, refuse a value that is missing, and show characters that would confuse a reader
(controls, directions) by their code. A value reaches a page only through a template; no other module writes
HTML, except `markdown`, which renders our documentation.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from conformance.model.printable import harmless, shortened

LONGEST = 4000
"""Maximum number of characters shown of one text."""


def page(
    template: str, *, title: str, scripts: tuple[str, ...] = (), live: str | None = None, **values: object
) -> str:
    """A page from a template that extends `page.html`.

    `scripts` are files beside the stylesheet. A `live` page is served by our own server; it alone may talk to
    that server, which recognizes it by this version.
    """
    live_too = () if live is None else ("live.js",)
    style, script = asset("style.css"), "".join(map(asset, (*scripts, *live_too)))
    frame = {"title": title, "live": live, "root": None, "policy": policy(style, script, live is not None)}
    return fill_template(template, {**values, **frame, "style": Markup(style), "script": Markup(script)})


SITE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'self'"
)


def site_page(
    template: str, *, title: str, root: str, scripts: tuple[str, ...] = (), **values: object
) -> str:
    """A page of a site, from a template that extends `site/page.html`; `root` leads to the site's files."""
    frame = {"title": title, "live": None, "root": root, "scripts": scripts, "policy": SITE_POLICY}
    return fill_template(f"site/{template}", {**values, **frame})


def fill_drawing(template: str, **values: object) -> str:
    """A picture from a template of SVG; its texts are escaped as on a page."""
    return fill_template(template, values)


def fill_template(template: str, values: Mapping[str, object]) -> str:
    """The text of a template, filled with these values."""
    text: str = environment().get_template(template).render(values)
    return text


def policy(style: str, script: str, live: bool) -> str:
    """A Content-Security-Policy that allows this style and this script, and nothing else."""
    allowed = {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": f"'sha256-{digest(style)}'",
        "script-src": f"'sha256-{digest(script)}'",
        "connect-src": "'self'" if live else "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{what} {where}" for what, where in allowed.items())


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


@cache
def asset(name: str) -> str:
    """The text of a stylesheet or script that pages include."""
    return files("conformance.pages").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """The templates, with escaping always on."""
    made = Environment(
        loader=PackageLoader("conformance.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=legible,
    )
    made.filters["pieces"] = pieces
    return made


def legible(value: object) -> object:
    """A value that is safe to show: text without confusing characters, and of limited length."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return harmless(shortened(value, LONGEST))
    return value


PIECE = re.compile(r"\((?P<rules>CR \d{3}[^()]*)\)|\{(?P<mana>[0-9A-Z/]{1,5})\}")


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """The pieces of one of our sentences: `words`, `rules` (what stands in brackets) and `mana` symbols."""
    text = shortened(text, LONGEST)
    at = 0
    for found in PIECE.finditer(text):
        if found.start() > at:
            yield "words", text[at : found.start()]
        kind = str(found.lastgroup)
        yield kind, found[kind]
        at = found.end()
    if at < len(text):
        yield "words", text[at:]
