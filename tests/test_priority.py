"""Who may act and what passing does, where no fixture says it."""

from __future__ import annotations

import pytest

from tests.playing import of, player, seen, stopped, the_table, tried


@pytest.mark.parametrize(
    ("what", "rule"),
    [
        ("end an effect", "116.2c"),
        ("ignore an effect", "116.2d"),
        ("Circling Vultures", "116.2e"),
        ("suspend", "116.2f"),
        ("companion", "116.2g"),
        ("foretell", "116.2h"),
        ("roll the planar die", "116.2i"),
        ("turn a conspiracy up", "116.2j"),
        ("plot", "116.2k"),
        ("unlock", "116.2m"),
    ],
)
def test_special_actions_that_are_not_played_are_refused_by_name_and_rule(what: str, rule: str) -> None:
    assert ("unsupported", f"the special action {what!r} (CR {rule})") == stopped(
        f"script: [{{special: {what}, by: alice}}]"
    )
    assert "rejected" == stopped(f"script: [{{special: {what}, by: bob}}]")[0]
