"""The documentation that is installed with the suite, by page."""

from __future__ import annotations

from pathlib import Path

from conformance.model.problems import did_you_mean


class NoSuchPage(Exception):
    """There is no documentation page with this name."""


def docs_folder() -> Path:
    """The folder of pages: in the checkout, or inside the installed wheel."""
    package = Path(__file__).resolve().parent.parent
    inside, beside = package / "docs", package.parent / "docs"
    return inside if inside.is_dir() else beside


def titles() -> dict[str, str]:
    """The title of each page by name, sorted."""
    return {page.stem: title_of(page) for page in sorted(docs_folder().glob("*.md"))}


def title_of(page: Path) -> str:
    """The heading of a page."""
    with page.open(encoding="utf-8") as lines:
        return next(lines, "").lstrip("# ").strip()


def page_called(name: str) -> str:
    """The text of a page. Raises `NoSuchPage` if there is none with this name."""
    known = titles()
    plain = name.removeprefix("docs/").removesuffix(".md")
    if plain not in known:
        cure = did_you_mean(plain, known, otherwise=f"choose one of: {', '.join(known)}")
        raise NoSuchPage(f"no page {name!r}\n    {cure}")
    return (docs_folder() / f"{plain}.md").read_text(encoding="utf-8")
