"""Counts the work that fixed tasks take, so that a slow drift is noticed on any machine.

It counts calls of our own functions, which do not depend on the clock and hardly on the Python version.
`python -m tools work` stores them in `tests/data/work.json`, and `tests/test_work.py` names what grew.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import FrameType

from conformance.data.compiled import fixtures_folder
from conformance.data.library import all_fixtures
from conformance.data.loading import read_file
from conformance.measure.speed import BOARD_KINDS, WALK_THROUGH, board_of, one_spell_play
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.model.verdict import judge
from conformance_adapters import wire
from conformance_adapters.in_process import Reference
from reference_engine.game.table import starting_game
from reference_engine.layers.evaluation import evaluate_layers
from reference_engine.layers.rules import CR

STORED = Path(__file__).parent.parent / "tests" / "data" / "work.json"
ALLOWED = 1.05
"""Maximum ratio of a task's work to the stored work."""
OURS = tuple(
    str(Path(sys.modules[name].__file__ or "").parent) for name in ("conformance", "reference_engine")
)

Work = Mapping[str, int]
"""Number of calls of each function."""


def tasks() -> Iterator[tuple[str, Callable[[], object]]]:
    """The tasks by name: playing, the layers, the wire, judging and reading files."""
    reference, fixtures = Reference(), all_fixtures()
    plays = {"three spells": one_spell_play()} | {id: fixtures[id].play for id in WALK_THROUGH}
    for name, play in plays.items():
        yield f"game: {name}", partial(played_on_a_new_table, reference, play)
    for kind in BOARD_KINDS:
        yield f"layers: 300 {kind}", partial(evaluate_layers, board_of(kind, 300), CR)
    spell = plays["three spells"]
    answer = wire.line(wire.answer_with(1, reference.play(spell)))
    yield "wire: asking", lambda: wire.line(wire.PlayThis(1, spell))
    yield "wire: reading the answer", lambda: wire.answer(answer).observations(spell)
    judged = [fixture for fixture in fixtures.values() if fixture.id.startswith("L-00")]
    yield "run: judging boards", lambda: [judge(one, reference.play(one.play), CR.edition) for one in judged]
    files = sorted((fixtures_folder() / "layers" / "basics").glob("*.yaml"))[:10]
    yield "files: reading ten", lambda: [read_file(path) for path in files]


def played_on_a_new_table(reference: Reference, play: Play) -> Observations:
    """What is seen of a scenario whose table was not set up for the one before."""
    starting_game.cache_clear()
    return reference.play(play)


def work_of(task: Callable[[], object]) -> Work:
    """Number of calls of each of our functions by a task, once all caches are filled."""
    task()
    task()
    calls: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        # Comprehensions and generators are frames of their own in some versions of Python only.
        if event == "call" and code.co_filename.startswith(OURS) and "<" not in code.co_name:
            calls[f"{Path(code.co_filename).stem}.{code.co_qualname}"] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        task()
    finally:
        sys.setprofile(before)
    return dict(sorted(calls.items()))


def grown(now: Work, stored: Work, most: int = 8) -> tuple[str, ...]:
    """The functions called more often than stored, if all calls together rose by more than is allowed."""
    if sum(now.values()) <= sum(stored.values()) * ALLOWED:
        return ()
    more = {name: n - stored.get(name, 0) for name, n in now.items() if n > stored.get(name, 0)}
    worst = sorted(more, key=lambda name: (-more[name], name))[:most]
    return tuple(f"{name}: {stored.get(name, 0)} calls before, {now[name]} now" for name in worst)


def write() -> Path:
    """Store what every task takes now."""
    counted = {name: work_of(task) for name, task in tasks()}
    STORED.write_text(json.dumps(counted, indent=1) + "\n", encoding="utf-8")
    return STORED
