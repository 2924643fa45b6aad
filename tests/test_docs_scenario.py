"""The page about the scenario language: every example on it loads."""

import re
from pathlib import Path

import pytest

from conformance.library import checked
from conformance.yaml_tree import tree_of

PAGE = Path(__file__).parent.parent / "docs" / "scenario.md"
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
HEADING = 'id: L-9999\ntitle: An example\nrules: ["613.1"]\n'


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example_on_the_page_loads(number: int) -> None:
    text = EXAMPLES[number]
    whole = text if text.startswith("id:") else HEADING + text
    name = f"example {number + 1}"
    assert all(one.fixture.expect for one in checked(tree_of(whole, name), name))
