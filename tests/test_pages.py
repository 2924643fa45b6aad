"""The documentation included in the suite, shown on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main

DOCS = Path(__file__).parent.parent / "docs"


def docs(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["docs", *arguments], catch_exceptions=False)


def test_every_page_is_listed_with_its_title() -> None:
    lines = docs().stdout.splitlines()

    assert sorted(page.stem for page in DOCS.glob("*.md")) == [line.split()[0] for line in lines]
    assert (
        "What goes over the wire"
        == next(line for line in lines if line.startswith("protocol ")).split("  ")[-1]
    )


@pytest.mark.parametrize("name", ["protocol", "protocol.md", "docs/protocol.md"])
def test_page_is_printed_as_it_is(name: str) -> None:
    assert (DOCS / "protocol.md").read_text(encoding="utf-8") == docs(name).stdout


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("protocl", "did you mean 'protocol'?"),
        ("zzz", "choose one of: "),
        ("../README", "no page '../README'"),
    ],
)
def test_page_that_does_not_exist(name: str, says: str) -> None:
    result = docs(name)

    assert 2 == result.exit_code
    assert says in result.stderr
