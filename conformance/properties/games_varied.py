"""Laws of fixtures in which something is changed: they go as in the reference engine.

Each stored fixture shows a rule once, so an engine may pass all of them with a rule that is right only there.
These laws change what a card says, who has what, and what is done, and compare with the reference engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis.strategies import SearchStrategy

from conformance.model.scenario import Play
from conformance.properties.games_agreement import agree, with_characteristics
from conformance.properties.law import Cases, PlayFunction, Property, holds_for
from conformance.strategies.means import Means
from conformance.strategies.variants import variants

TIMES = 8
"""How many times as many cases as other laws these draw: each fixture is a kind of its own."""


CHAPTERS_ABOUT: Mapping[str, tuple[str, ...]] = {
    "turns": (
        "102",
        "104",
        "116",
        "117",
        "500",
        "501",
        "502",
        "503",
        "504",
        "505",
        "512",
        "513",
        "514",
        "805",
    ),
    "effects": ("105", "107", "109", "113", "202", "205", "208", "604", "611", "612", "613"),
    "copies and faces": ("706", "707", "708", "709", "710", "711", "712", "714", "715", "716", "718"),
    "casting": ("106", "115", "118", "305", "601", "602", "605", "606", "733"),
    "triggers": ("603", "607"),
    "resolutions": ("608", "609", "610", "701"),
    "combats": ("506", "507", "508", "509", "510", "511", "802"),
    "keywords": ("702",),
    "replacements": ("614", "615", "616"),
    "states": (
        "101",
        "111",
        "114",
        "119",
        "120",
        "121",
        "122",
        "301",
        "302",
        "303",
        "306",
        "400",
        "402",
        "405",
        "406",
        "700",
        "704",
        "723",
        "724",
        "725",
        "731",
        "800",
    ),
}
"""The chapters of the rules that fixtures are about; it is the first rule they cite that counts."""


def variants_about(subject: str) -> Cases[Play]:
    """Variants of the fixtures about a subject."""

    def cases(means: Means) -> SearchStrategy[Play]:
        return variants(means, frozenset(CHAPTERS_ABOUT[subject])).map(with_characteristics)

    return cases


@holds_for(
    variants_about("turns"),
    rules=("116.1", "117.1", "500.1"),
    oracle=True,
    needs=("steps",),
    times=TIMES,
)
def varied_turns_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Fixtures about turns and priority, with something changed, go as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    variants_about("effects"),
    rules=("611.3", "613.1"),
    oracle=True,
    needs=("types",),
    times=TIMES,
)
def varied_effects_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Fixtures about continuous effects, with something changed, go as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    variants_about("copies and faces"),
    rules=("707.2", "708.2", "709.4", "712.8"),
    oracle=True,
    needs=("casting",),
    times=TIMES,
)
def varied_copies_and_faces_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Fixtures about copies and cards with several faces or parts, with something changed, go as in the
    reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    variants_about("casting"),
    rules=("601.2", "602.2", "605.3"),
    oracle=True,
    needs=("casting", "targets"),
    times=TIMES,
)
def varied_casting_goes_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Fixtures about casting, activating and costs, with something changed, go as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    variants_about("triggers"),
    rules=("603.2", "607.1"),
    oracle=True,
    needs=("casting", "triggers"),
    times=TIMES,
)
def varied_triggers_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Fixtures about triggered and linked abilities, with something changed, go as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    variants_about("resolutions"),
    rules=("608.2", "610.1"),
    oracle=True,
    needs=("casting",),
    times=TIMES,
)
def varied_resolutions_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Fixtures about what happens as spells and abilities resolve, with something changed, go as in the
    reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    variants_about("combats"),
    rules=("508.1", "509.1", "510.2"),
    oracle=True,
    needs=("combat", "steps"),
    times=TIMES,
)
def varied_combats_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Fixtures about combat, with something changed, go as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    variants_about("keywords"),
    rules=("702.2b", "702.7b", "702.9b", "702.19b"),
    oracle=True,
    needs=("combat", "steps"),
    times=TIMES,
)
def varied_keywords_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Fixtures about keyword abilities, with something changed, go as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    variants_about("replacements"),
    rules=("614.1", "615.1", "616.1"),
    oracle=True,
    needs=("casting", "steps"),
    times=TIMES,
)
def varied_replacements_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Fixtures about replacement and prevention effects, with something changed, go as in the reference
    engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    variants_about("states"),
    rules=("119.3", "120.3", "122.1", "400.1", "704.3"),
    oracle=True,
    needs=("casting", "steps"),
    times=TIMES,
)
def varied_states_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Fixtures about zones, damage, life, counters and state-based actions, with something changed, go as in
    the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


VARIED: tuple[Property[Any], ...] = (
    varied_turns_go_as_the_rules_say,
    varied_effects_go_as_the_rules_say,
    varied_copies_and_faces_go_as_the_rules_say,
    varied_casting_goes_as_the_rules_say,
    varied_triggers_go_as_the_rules_say,
    varied_resolutions_go_as_the_rules_say,
    varied_combats_go_as_the_rules_say,
    varied_keywords_go_as_the_rules_say,
    varied_replacements_go_as_the_rules_say,
    varied_states_go_as_the_rules_say,
)
