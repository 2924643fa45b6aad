"""The list of known disagreements as a file: read strictly, written around what people wrote."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from conformance.data.library import load
from conformance.divergences import HEADING, divergences_in, divergences_of, updated, write
from conformance.gate import Divergence, Divergences, Played
from conformance.model.problems import ScenarioError
from tests.test_runner import check

FILE = """\
# Our list. Ask Ada before you change it.
# It has two heads.

divergences:
  # Layers first.
  - check: L-0031
    rule: "613.8b"      # the judge agrees
    signature: "plains, after setup: subtypes Plains, Swamp"
    digest: 3f2a9c01be77
    added: 2026-01-31
    # Ada is at it.
    reason: >
      effects are applied
      by age alone
    issue: https://example.org/7#why   # open
    expires: 2027-01-01

  # Then priority.

  - check: P-0007
    rule: '117.3b'
    signature: crash
    digest: "123456789012"
    scenario: divergences/P-0007.json
    added: 2026-02-01
    reason: it's "loud"
# Below is written by the tool.
plays:
  # the first of all
  L-0001: passed 99aa01b4c3d2
  L-0031: failed 3f2a9c01be77   # still
  P-0007: failed 123456789012
# The end.
"""
MOON = Divergence(
    "L-0031",
    "613.8b",
    "plains, after setup: subtypes Plains, Swamp",
    "3f2a9c01be77",
    date(2026, 1, 31),
    "effects are applied by age alone",
    "https://example.org/7#why",
    date(2027, 1, 1),
)
LOUD = Divergence(
    "P-0007",
    "117.3b",
    "crash",
    "123456789012",
    date(2026, 2, 1),
    'it\'s "loud"',
    scenario="divergences/P-0007.json",
)
PLAYS = {
    "L-0001": Played("passed", "99aa01b4c3d2"),
    "L-0031": Played("failed", "3f2a9c01be77"),
    "P-0007": Played("failed", "123456789012"),
}
WHOLE = Divergences({"L-0031": MOON, "P-0007": LOUD}, PLAYS)
NEW = Divergence("L-0002", "613.1", 'bear: name "x"', "0123abcd4567", date(2026, 9, 25))


def of(text: str) -> Divergences:
    return divergences_of(text.encode(), "divergences.yaml")


def test_everything_a_list_can_say() -> None:
    assert WHOLE == of(FILE)


@pytest.mark.parametrize(
    "text", ["divergences: []\n", "divergences:\nplays:\n", "plays: {}\n", "divergences:\n"]
)
def test_an_empty_list_is_a_list(text: str) -> None:
    assert Divergences() == of(text)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "reason: it",
            "reasn: it",
            "divergences.yaml:26:5: divergences[1].reasn: unknown key\n    did you mean 'reason'?",
        ),
        (
            "    signature: crash\n",
            "",
            "divergences[1]: no signature\n    `conformance run --update-divergences`",
        ),
        ("2027-01-01", "soon", "divergences.yaml:16:14: divergences[0].expires: 'soon' is no date"),
        ("2027-01-01", "2027-02-30", "'2027-02-30' is no date"),
        ("2027-01-01", "20270101", "'20270101' is no date"),
        ("check: P-0007", "check: L-0031", "divergences[1]: L-0031 is listed already\n    keep one of them"),
        (
            "passed 99",
            "pass 99",
            "plays.L-0001: not what a check was: 'pass 99aa01b4c3d2'\n    write one of passed",
        ),
        ("failed 123456789012\n", "failed\n", "plays.P-0007: not what a check was"),
        ("plays:", "played:", "played: unknown key\n    did you mean 'plays'?"),
        ("reason: it", "reason: [it]\n    #", "divergences[1].reason: this is no text"),
        ("  L-0001: passed", "  L-0001: passed\n   x", "divergences.yaml"),
    ],
)
def test_what_is_wrong_is_said_with_its_place_and_its_cure(old: str, new: str, says: str) -> None:
    assert old in FILE

    with pytest.raises(ScenarioError, match=re.escape(says)):
        of(FILE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- a\n", "this is no map"),
        ("divergences: yes\n", "divergences: this is no list"),
        ("divergences: [3]\n", "divergences[0]: this is no map"),
        ("plays: 3\n", "plays: this is no map"),
        ("a: b: c\n", "not YAML"),
    ],
)
def test_other_things_are_no_list(text: str, says: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(says)):
        of(text)


def test_list_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"No such file.*\n.*--update-divergences"):
        divergences_in(tmp_path / "divergences.yaml")


# -------------------------------------------------------------------------------------- writing


def test_list_that_is_still_true_is_left_as_it_is() -> None:
    assert FILE == updated(FILE, WHOLE)


def test_what_is_measured_is_put_in_its_place_and_every_other_word_stays() -> None:
    moon = replace(MOON, rule="613.9", signature="crash: #", digest="000000000000", scenario="x.json")
    plays = {**PLAYS, "L-0031": Played("failed", "000000000000"), "L-0002": Played("unsupported", "ab")}

    now = updated(FILE, Divergences({"L-0031": moon, "P-0007": LOUD}, dict(sorted(plays.items()))))

    expected = (
        FILE.replace('rule: "613.8b"      # the', 'rule: "613.9"      # the')
        .replace("plains, after setup: subtypes Plains, Swamp", "crash: #")
        .replace("digest: 3f2a9c01be77", 'digest: "000000000000"')
        .replace("failed 3f2a9c01be77   # still", "failed 000000000000   # still")
        .replace("    expires: 2027-01-01\n", "    expires: 2027-01-01\n    scenario: x.json\n")
        .replace("  L-0031: failed", "  L-0002: unsupported ab\n  L-0031: failed")
    )
    assert expected == now


def test_new_entries_come_last_and_those_that_are_gone_go() -> None:
    now = updated(FILE, Divergences({"L-0002": NEW, "P-0007": LOUD}, {"P-0007": PLAYS["P-0007"]}))

    assert "Ada is at it" not in now
    assert "L-0031" not in now
    for comment in (
        "# It has two heads.",
        "# Layers first.",
        "# Then priority.",
        "# Below is",
        "# the first",
        "# The end.",
    ):
        assert comment in now
    assert now.index("P-0007") < now.index("L-0002") < now.index("plays:")
    assert (
        """\
  - check: L-0002
    rule: "613.1"
    signature: "bear: name \\"x\\""
    digest: 0123abcd4567
    added: 2026-09-25
    reason: ""
"""
        in now
    )


def test_first_list_says_what_it_is() -> None:
    text = updated("", Divergences({"L-0002": NEW}, {"L-0002": Played("failed", NEW.digest)}))

    assert text.startswith(HEADING + "divergences:\n  - check: L-0002\n")
    assert text.endswith("plays:\n  L-0002: failed 0123abcd4567\n")
    assert HEADING + "divergences: []\n" == updated("", Divergences())


def test_list_that_becomes_empty_and_is_filled_again() -> None:
    empty = updated(FILE, Divergences())

    assert "divergences: []\n" in empty
    assert "# Layers first." in empty
    assert Divergences() == of(empty)
    assert Divergences({"L-0002": NEW}) == of(updated(empty, Divergences({"L-0002": NEW})))
    assert WHOLE == of(updated("divergences: []  # none\nplays: {}\n", WHOLE))


@pytest.mark.parametrize(
    "text",
    [
        '# a\ndivergences:\n  # b\n  - {check: L-0031, rule: "613.8b", signature: x, digest: ab, '
        "added: 2026-01-31, reason: mine}  # c\n# d\n",
        "# a\n# b\nplays:\n  L-0031: failed ab # c\n  # d\ndivergences:\n- check: L-0031\n  rule: '613.8b'\n"
        "  signature: x\n  digest: ab\n  added: 2026-01-31\n  reason: mine\n",
        "# a\n# b\n# c\ndivergences:\n- signature: 'x'\n  # d\n  check: L-0031\n  rule: '613.8b'\n"
        "  digest: ab\n  added: 2026-01-31\n  reason: mine\n",
        '# a\n# b\n# c\ndivergences: [{check: L-0031, rule: "613.8b", signature: x, digest: ab, '
        "added: 2026-01-31, reason: mine}] # d\n",
    ],
)
def test_list_in_a_form_of_somebody_s_own_is_written_too(text: str) -> None:
    before = of(text).known["L-0031"]
    now = Divergences({"L-0031": replace(before, signature="y"), "L-0002": NEW}, PLAYS)

    written = updated(text, now)

    assert now == of(written)
    assert written == updated(written, now)
    assert [mark for mark in "abcd" if not re.search(rf"# {mark}\b", written)] == []


def test_line_ends_of_windows_stay() -> None:
    text = FILE.replace("\n", "\r\n")

    assert text == updated(text, WHOLE)


def test_what_is_no_list_is_not_overwritten() -> None:
    with pytest.raises(ScenarioError):
        updated("# notes\nmilk: 2\n", WHOLE)


TEXT = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=30).map(
    lambda text: " ".join(text.split())
)
DIGEST = st.text("0123456789abcdef", min_size=12, max_size=12)
ENTRIES = st.builds(
    Divergence,
    check=st.sampled_from([f"L-{number:04}" for number in range(9)]),
    rule=st.sampled_from(["613.8", "613.10", "704.5aa"]),
    signature=TEXT,
    digest=DIGEST,
    added=st.dates(date(2020, 1, 1)),
    reason=TEXT,
    issue=TEXT,
    expires=st.none() | st.dates(date(2020, 1, 1)),
    scenario=st.sampled_from(["", "divergences/a.json"]),
)
LISTS = st.builds(
    Divergences,
    st.lists(ENTRIES, max_size=4).map(lambda entries: {entry.check: entry for entry in entries}),
    st.dictionaries(
        st.sampled_from([f"L-{number:04}" for number in range(9)]),
        st.builds(Played, st.sampled_from(["passed", "failed", "unsupported", "not run"]), DIGEST),
    ).map(lambda plays: dict(sorted(plays.items()))),
)


@given(LISTS, LISTS)
def test_whatever_is_written_reads_as_it_was_meant(one: Divergences, other: Divergences) -> None:
    kept = {
        id: replace(
            entry,
            **{
                key: getattr(one.known[id], key)
                for key in ("reason", "issue", "expires", "scenario")
                if id in one.known
            },
        )
        for id, entry in other.known.items()
    }
    now = Divergences(kept, other.plays)

    first = updated("", one)
    second = updated(first, now)

    assert one == of(first)
    assert now == of(second)
    assert second == updated(second, now)


# ------------------------------------------------------------------------------------ the file


def test_checks_are_stored_beside_the_list_and_taken_away_with_their_entry(tmp_path: Path) -> None:
    path = tmp_path / "lists" / "divergences.yaml"
    fixture = check(2)

    first = write(path, Divergences(), Divergences({"L-0002": NEW}, PLAYS), {"L-0002": fixture})
    listed = divergences_in(path)

    assert "divergences/L-0002.json" == listed.known["L-0002"].scenario
    assert fixture == load_without_checks(path.parent / "divergences" / "L-0002.json")
    assert str(first).endswith("divergences.yaml is written\n  1 added: L-0002")

    second = write(path, listed, Divergences({}, {"L-0001": Played("unsupported", "a")}), {})

    assert [] == list((path.parent / "divergences").iterdir())
    assert ("L-0002",) == second.gone
    assert ("L-0001", "L-0031", "P-0007") == second.no_longer_played
    assert str(write(path, divergences_in(path), divergences_in(path), {})).endswith(" is written, as it was")
    assert ["divergences", "divergences.yaml"] == sorted(file.name for file in path.parent.iterdir())


def load_without_checks(path: Path) -> object:
    from conformance.files.canonical import decode
    from conformance.model.scenario import Fixture

    return decode(path.read_bytes(), Fixture)


def test_a_stored_check_can_be_played_again(tmp_path: Path) -> None:
    from conformance.data.library import all_fixtures

    fixture = next(iter(all_fixtures().values()))
    entry = replace(NEW, check=fixture.id)

    write(
        tmp_path / "divergences.yaml", Divergences(), Divergences({fixture.id: entry}), {fixture.id: fixture}
    )

    assert fixture == load(tmp_path / "divergences" / f"{fixture.id}.json")
