"""Whatever the language of cards accepts has an effect, or is refused, or is listed with a reason."""

import os
from pathlib import Path

import pytest
import yaml

from tests import drawn_parts
from tests.drawn_parts import Part, comes_of, every_part, rank

LIST = Path(__file__).parent / "data" / "parts_without_effect.yaml"
DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
SAMPLE = 160
SHARDS = 4


def listed() -> dict[str, str]:
    """The parts that change no drawn game, each with the reason."""
    groups = yaml.safe_load(LIST.read_text(encoding="utf-8"))
    return {
        f"{field}: {value}": group["reason"]
        for group in groups
        for field, values in group["parts"].items()
        for value in values
    }


def drawn(shard: int) -> list[Part]:
    """Some parts; in the deep profile all of them. A new part displaces at most one from the sample."""
    parts = sorted(every_part(), key=lambda part: rank(str(part)))
    return (parts if DEEP else parts[:SAMPLE])[shard::SHARDS]


@pytest.mark.parametrize("shard", range(SHARDS))
def test_part_is_refused_or_changes_a_game_or_is_listed(shard: int) -> None:
    """CR 101.1: what a card says is done, so a part that does nothing is a fault of the language."""
    parts = {str(part): comes_of(part) for part in drawn(shard)}
    assert [] == [part for part, comes in parts.items() if comes == "nothing" and part not in listed()]
    if DEEP:
        assert [] == [part for part, comes in parts.items() if comes != "nothing" and part in listed()]


def test_every_part_that_is_listed_can_be_drawn() -> None:
    assert listed().keys() <= {str(part) for part in every_part()}


def test_part_that_check_would_not_refuse_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`counter` beside a property that is not about counters: refused, because it would do nothing."""
    part = Part("PropertyOf", "counter", "str")
    assert "refused" == comes_of(part)
    monkeypatch.setattr(drawn_parts, "findings_of_card", lambda card: ())
    assert "nothing" == comes_of(part)
