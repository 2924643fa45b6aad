"""Tricky situations occur in the drawn scenarios at least as often as required."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, get_args

import pytest
from click.testing import CliRunner
from msgspec import Struct

from conformance import properties
from conformance.cli import main
from conformance.data.library import real_cards
from conformance.measure.reach import SituationRate, examples_of, rates_among, situation_rates
from conformance.measure.search_cost import costs, line
from conformance.model.card_parts import parts_with_places
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.properties import DRAWN_ALONE, LAYERS, PROPERTIES, Property
from conformance.properties.boards import BOARDS
from conformance.properties.seeing import ShowsNothing
from conformance.strategies import SITUATIONS, Situation, situations_boards, situations_games
from conformance_adapters.in_process import Reference
from reference_engine.language import cards as language
from reference_engine.language.cards import Card
from reference_engine.language.words import KeywordName
from tests.drawn import plays_of
from tools.ignored_words import word_of

LAW = next(law for law in PROPERTIES if law.name == "two_switches_cancel")


def test_situations_are_many_and_each_has_a_floor() -> None:
    assert len(SITUATIONS) >= 40
    assert len({one.name for one in SITUATIONS}) == len(SITUATIONS)
    assert all(one.floor > 0 and one.says.endswith(".") for one in SITUATIONS)


def test_what_always_and_what_never_holds_is_counted_so() -> None:
    always = Situation("always", "It is so.", 1000, lambda play: True)
    never = Situation("never", "It is not so.", 1, lambda play: False)
    first, second = situation_rates([always, never], [LAW], Reference().play, examples=5)

    assert (1000, True) == (first.per_thousand, first.is_enough)
    assert (0, False) == (second.per_thousand, second.is_enough)


def test_the_same_seed_draws_the_same() -> None:
    assert examples_of(LAW, Reference().play, 8) == examples_of(LAW, Reference().play, 8)


@pytest.fixture(scope="module")
def drawn_by_laws() -> dict[str, list[tuple[Play, ...]]]:
    """What each law plays in a few cases."""
    return {law.name: plays_of(law) for law in PROPERTIES}


STAND_FOR_OTHERS = {
    "then unattach": "what the keyword reconfigure does",
    "then set_level": "what the levels of a Class do",
}
"""Words that no card has to have, and why."""

NEVER_USED = {
    "keyword splice": "the script has no place for revealed cards; see 612.10 among what is not applicable",
    "keyword suspend": "its time counters are not counted; see 702.62 among what is not applicable",
}
"""Keywords that no invented card of a law has to have, and why."""


def words_on(cards: Collection[Card]) -> set[str]:
    """The words that cards have."""
    return {word_of(part) for card in cards for _, part in parts_with_places(card)}


@pytest.mark.sweep
def test_every_word_is_on_an_invented_card_of_some_law_or_on_a_real_card(
    drawn_by_laws: dict[str, list[tuple[Play, ...]]],
) -> None:
    """Crowds and whole games draw any real card, but a keyword has to be on an invented one as well."""
    kinds = (one for one in vars(language).values() if isinstance(one, type) and issubclass(one, Struct))
    tagged = (one.__struct_config__ for one in kinds if not one.__name__.endswith("Kind"))
    words = {f"{one.tag_field} {one.tag}" for one in tagged if one.tag_field and one.tag} - {"is keyword"}
    keywords = {f"keyword {word}" for word in get_args(KeywordName)}
    plays = [play for examples in drawn_by_laws.values() for several in examples for play in several]
    invented = {one.definition for play in plays for one in play.cards if not one.real}
    known = words_on(invented)
    for law in PROPERTIES:
        if keywords - known <= set(NEVER_USED):
            break
        if law.check.__module__.startswith("conformance.properties.games_keyword"):
            more = [play for several in examples_of(law, Reference().play, 24) for play in several]
            known |= words_on({one.definition for play in more for one in play.cards if not one.real})

    assert len(words) > 200
    assert len(keywords) > 90
    # A varied fixture may have a word that no card has to have.
    assert words - known - words_on(real_cards().values()) <= set(STAND_FOR_OTHERS) <= words
    assert set(NEVER_USED) == keywords - known


@pytest.mark.sweep
def test_every_situation_arises_as_often_as_it_must(drawn_by_laws: dict[str, list[tuple[Play, ...]]]) -> None:
    """Each situation arises more often among the laws of boards (or of games) alone than among all laws that
    draw everything, for which the floors are. Each example is played once for all situations that are asked
    of it.
    """
    games = [law for law in DRAWN_ALONE if law.check.__module__.startswith("conformance.properties.games")]
    often = [one for one in SITUATIONS if one.floor >= 20]
    assert len(often) > 10
    asked: list[tuple[Collection[Property[Any]], Sequence[Situation]]] = [
        (DRAWN_ALONE, often),
        (games, situations_games.GAME_SITUATIONS),
        (LAYERS + BOARDS, situations_boards.BOARD_SITUATIONS),
    ]
    arisen: dict[str, list[set[str]]] = {}
    for law in DRAWN_ALONE:
        wanted = {one.name: one for laws, some in asked if law in laws for one in some}
        arisen[law.name] = [
            {rate.situation.name for rate in rates_among([*wanted.values()], [plays]) if rate.per_thousand}
            for plays in drawn_by_laws[law.name]
        ]
    for laws, situations in asked:
        examples = [names for law in laws for names in arisen[law.name]]
        counted = Counter(name for names in examples for name in names)
        found = [SituationRate(one, 1000 * counted[one.name] / len(examples)) for one in situations]
        assert [] == [(one.situation.name, one.per_thousand) for one in found if not one.is_enough]


@pytest.mark.sweep
def test_command_ends_with_how_many_are_too_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(properties, "DRAWN_ALONE", DRAWN_ALONE[::10])
    done = CliRunner().invoke(main, ["reach", "--examples", "1"])

    assert done.output.splitlines()[-1].startswith(f"{len(SITUATIONS)} situations, ")
    assert (
        1 if "too rare:" in done.output or not done.output.endswith(" 0 too rare\n") else 0
    ) == done.exit_code


def test_costs_are_reported_of_each_property_and_of_all() -> None:
    one, whole = costs([LAW], Reference().play, 5)

    assert (LAW.name, "all together") == (one.name, whole.name)
    assert one.cases == whole.cases > 0
    assert 0 <= one.lost < 1
    assert "times drawing alone" in line(one)


def test_costs_are_reported_of_a_law_of_which_a_case_shows_nothing() -> None:
    def shows_nothing(play: Play) -> Observations:
        raise ShowsNothing("it is hidden")

    one, _ = costs([LAW], shows_nothing, 5)

    assert 5 == one.cases
