"""The page about the scenario language: every example on it loads, and comes out as it says."""

import re
from pathlib import Path

import pytest

from conformance.data.reading import checked
from conformance.data.rulebook import newest_edition
from conformance.files.yaml_tree import tree_of
from conformance.model.scenario import Fixture
from conformance.model.verdict import Pass, judge
from conformance.runner import answer_to
from conformance_adapters.in_process import Reference

PAGE = Path(__file__).parent.parent / "docs" / "scenario.md"
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
HEADING = 'id: L-9999\ntitle: An example\nrules: ["613.1"]\n'


def example(number: int) -> list[Fixture]:
    """The fixtures that an example on the page stands for."""
    text = EXAMPLES[number]
    whole = text if text.startswith("id:") else HEADING + text
    name = f"example {number + 1}"
    return [one.fixture for one in checked(tree_of(whole, name), name)]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example_on_the_page_comes_out_as_it_says(number: int) -> None:
    for fixture in example(number):
        assert fixture.expect
        assert isinstance(judge(fixture, answer_to(Reference(), fixture.play), newest_edition()), Pass)
