"""No output of an engine can block us or fill the memory: it is read quickly, or refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import Struct

from conformance.files.json_tree import MOST_SIGNS_OF_A_FILE, json_tree_of
from conformance.files.strict_json import MOST_JSON_BYTES, MOST_OFFENCES, MOST_SIGNS
from conformance.model.problems import ScenarioError
from conformance_adapters import wire
from tests import hostile_lines
from tests.conftest import IN_CHILDREN
from tests.hostile_lines import LINES
from tests.shared import made_once

BY_NIGHT = [name for name in LINES if name.startswith("drawn ")][4:]
BY_DAY = [name for name in LINES if name not in BY_NIGHT]
SECONDS = 3
MEMORY = 300_000_000


def test_lines_are_as_long_as_may_be() -> None:
    assert (MOST_JSON_BYTES, MOST_SIGNS) == (hostile_lines.LONGEST, hostile_lines.MOST_SIGNS)
    assert wire.LONGEST_LINE == MOST_JSON_BYTES


@pytest.mark.sweep
@pytest.mark.parametrize(
    "name", [*BY_DAY, *(pytest.param(one, marks=pytest.mark.nightly) for one in BY_NIGHT)]
)
def test_line_is_judged_at_once_and_in_little_room(name: str) -> None:
    if name in BY_DAY:
        cost = made_once("hostile lines", lambda: costs_of(*BY_DAY))[name]
    else:
        cost = made_once("hostile lines by night", lambda: costs_of(*BY_NIGHT))[name]

    assert len(cost.says) < 500
    assert cost.seconds < SECONDS
    assert cost.memory < MEMORY


class Cost(Struct, frozen=True):
    """The processor time and the peak memory of reading a line or a file, and the resulting message."""

    seconds: float
    memory: int
    says: str


def costs_of(*asked: str | Path) -> dict[str, Cost]:
    """The cost of each of these lines and files.

    Coverage is not measured in that process: that would take three times as long as what is timed.
    """
    judged = subprocess.run(
        [sys.executable, "-m", "tests.hostile_lines", *map(str, asked)],
        cwd=Path(__file__).parent.parent,
        env={name: value for name, value in os.environ.items() if name != IN_CHILDREN},
        capture_output=True,
        check=True,
    )
    said = map(json.loads, judged.stdout.splitlines())
    return {what: Cost(*cost) for what, *cost in said}


def full_of(part: str, begin: str = '{"players":["alice","bob"],"expect":[', end: str = "1]}") -> str:
    """A scenario file with as many signs as may be; `#` in the part is the number of its copy."""
    signs = sum(map(part.count, '",[{'))
    copies = (MOST_SIGNS_OF_A_FILE - 100) // signs
    return begin + "".join(part.replace("#", str(number)) for number in range(copies)) + end


FILES = {
    "words": full_of("true,"),
    "lists": full_of("[[1]],"),
    "objects": full_of('{"a":1},'),
    "looks": full_of('"l#":[{"of":"alice","life":1}],', '{"players":["alice"],"expect":{', '"end":[]}}'),
    "script": full_of('"settle",', '{"players":["alice","bob"],"script":[', '"settle"]}'),
    "hand": full_of('{"a#":"Forest"},', '{"players":{"bob":{},"alice":{"hand":[', '{"b":"Forest"}]}}}'),
}


@pytest.mark.sweep
def test_files_are_checked_at_once_and_in_little_room(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.json" for name in FILES]
    for file in files:
        file.write_text(FILES[file.stem], encoding="utf-8")

    costs = costs_of(*files)

    assert len(FILES) == len(costs)
    assert [] == [name for name, cost in costs.items() if cost.seconds >= SECONDS or cost.memory >= MEMORY]


def test_file_with_more_signs_is_refused() -> None:
    with pytest.raises(ScenarioError) as refused:
        json_tree_of(full_of("true,").replace("1]}", "true," * 200 + "1]}").encode(), "a.json")

    assert "more than 165,000 quotation marks, commas and brackets" in str(refused.value)


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
