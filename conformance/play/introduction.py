"""An engine's description of itself, validated, because it decides how the engine is graded."""

from __future__ import annotations

from conformance.data.rulebook import edition_in_force, is_edition, is_known, newest_edition, rulebook
from conformance.model.engine import Engine, EngineFailure, EngineInfo
from conformance.model.features import FEATURES
from conformance.model.problems import did_you_mean, list_of_options


def introduction_of(engine: Engine) -> EngineInfo:
    """The engine's description of itself. Raises `EngineFailure` if there is none or it is invalid."""
    info = engine.describe()
    wrong = problems_of(info)
    if wrong:
        raise EngineFailure("protocol", f"invalid answer to `hello`: {'; '.join(wrong)}")
    return info


def problems_of(info: EngineInfo) -> tuple[str, ...]:
    """What is wrong with an engine's description of itself."""
    wrong = []
    if not info.name.strip():
        wrong.append("it has no name")
    if info.edition is not None and not is_known(info.edition):
        wrong.append(
            f"edition {info.edition!r} is not a date of the rules, which are known from "
            f"{rulebook().editions[0].date} to {newest_edition()}; leave it out for the newest"
        )
    elif info.edition is not None and not is_edition(info.edition):
        wrong.append(
            f"edition {info.edition!r} is not the date of an edition of the rules that we know; "
            f"name the one in force then: {edition_in_force(info.edition)}"
        )
    if not info.takes:
        wrong.append("it takes no cards: `takes` needs `named`, `defined` or `text`")
    if info.steps_with_priority == frozenset():
        wrong.append("it gives priority in no step: name those of `steps_with_priority`, or leave it out")
    for word in sorted(info.lacks - set(FEATURES)):
        cure = did_you_mean(word, FEATURES, otherwise=f"choose one of: {list_of_options(FEATURES, 50)}")
        wrong.append(f"`lacks` names {word!r}, which is not a feature; {cure}")
    return tuple(wrong)
