"""Whatever the language of cards accepts has an effect, or is refused, or is listed with a reason."""

import os
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from msgspec import Struct

from conformance.model.struct_types import types_of
from reference_engine.language.cards import Card, Keyword
from tests import drawn_parts
from tests.drawn_parts import Part, comes_of, defaults_of, every_part, places, rank
from tests.sweeping import parts as parts_of_all

pytestmark = pytest.mark.sweep

LIST = Path(__file__).parent / "data" / "parts_without_effect.yaml"
DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
SAMPLE = 80
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


@cache
def sample() -> list[Part]:
    """Some parts; in the deep profile all of them. A new part displaces at most one from the sample.

    What is listed takes longest, because no game ends the search for an effect. Only the deep profile asks
    whether it has one after all.
    """
    parts = sorted(every_part(), key=lambda part: rank(str(part)))
    known = listed().keys()
    return parts if DEEP else [part for part in parts[:SAMPLE] if str(part) not in known]


def drawn(shard: int) -> list[Part]:
    """Those of the sample that one of the tests tries."""
    return sample()[shard::SHARDS]


@pytest.mark.parametrize("shard", parts_of_all(SHARDS, by_day=SHARDS if DEEP else 1))
def test_part_is_refused_or_changes_a_game_or_is_listed(shard: int) -> None:
    """CR 101.1: what a card says is done, so a part that does nothing is a fault of the language."""
    parts = {str(part): comes_of(part) for part in drawn(shard)}
    without = {part for part, comes in parts.items() if comes in ("nothing", "no place")}
    assert [] == sorted(without - listed().keys())
    if DEEP:
        assert [] == sorted((parts.keys() & listed().keys()) - without)


def test_whole_grammar_is_drawn() -> None:
    """Each kind of struct of a card has a place, and each that a field allows is a value for it."""
    kinds = structs_in(Card)
    assert [] == sorted(kind.__name__ for kind in kinds - places().keys())
    values = {(part.kind, part.field, part.value) for part in every_part()}
    wanted = {
        (kind.__name__, field, value.__name__)
        for kind in kinds
        for field, usual in defaults_of(kind)
        for value in structs_of(types_of(kind)[field])
        if value is not type(usual) and value is not Keyword
    }
    assert [] == sorted(wanted - values)


def structs_of(wanted: Any) -> set[type]:
    """The structs that a type allows."""
    if isinstance(wanted, type) and issubclass(wanted, Struct):
        return {wanted}
    return set[type]().union(*map(structs_of, get_args(wanted)))


def structs_in(kind: type) -> set[type]:
    """A struct and those of which it is made."""
    found, new = set[type](), {kind}
    while new:
        found |= new
        new = {
            one for each in new for wanted in types_of(each).values() for one in structs_of(wanted)
        } - found
    return found


def test_every_part_that_is_listed_can_be_drawn() -> None:
    assert listed().keys() <= {str(part) for part in every_part()}


@pytest.mark.nightly
def test_part_that_check_would_not_refuse_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many modes are chosen, where there are none: refused, because it would do nothing."""
    part = Part("Activated", "modes_chosen", "int")
    assert "refused" == comes_of(part)
    monkeypatch.setattr(drawn_parts, "findings_of_card", lambda card: ())
    assert "nothing" == comes_of(part)
