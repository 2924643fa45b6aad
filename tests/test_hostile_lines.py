"""No output of an engine can block us or fill the memory: it is read quickly, or refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.files.strict_json import MOST_JSON_BYTES, MOST_OFFENCES, MOST_SIGNS
from conformance.model.problems import ScenarioError
from conformance_adapters import wire
from tests import hostile_lines
from tests.hostile_lines import LINES

SECONDS = 3
MEGABYTES = 300


def test_lines_are_as_long_as_may_be() -> None:
    assert (MOST_JSON_BYTES, MOST_SIGNS) == (hostile_lines.LONGEST, hostile_lines.MOST_SIGNS)
    assert wire.LONGEST_LINE == MOST_JSON_BYTES


@pytest.mark.parametrize("name", LINES)
def test_line_is_judged_at_once_and_in_little_room(name: str) -> None:
    read = subprocess.run(
        [sys.executable, "-m", "tests.hostile_lines", name],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        check=True,
    )
    seconds, memory, says = json.loads(read.stdout)

    assert seconds < SECONDS
    assert memory < MEGABYTES * 1_000_000
    assert len(says) < 500


def test_no_more_offences_are_kept_than_somebody_reads() -> None:
    line = b'{"id":1,"unused":[' + b"1.5," * 100_000 + b"1]}"

    with pytest.raises(ScenarioError) as refused:
        wire.answer(line)

    assert MOST_OFFENCES == len(refused.value.problems)
    assert "unused[1]: 1.5 is not a whole number" in str(refused.value)


@pytest.mark.parametrize(
    ("question", "longest"), [(0, 1024 * 1024), (20_000, 2_000_000), (10**7, 16 * 1024 * 1024)]
)
def test_answer_may_be_longer_if_the_question_was(question: int, longest: int) -> None:
    assert longest == wire.longest_answer(b"x" * question)
