"""The list of known disagreements as a file: read strictly, updated without losing what people wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from conformance.data.library import load
from conformance.gate.divergences import (
    HEADING,
    PLAYS_HEADING,
    divergences_in,
    parse_divergences,
    plays_beside,
    plays_text,
    updated_text,
    write,
)
from conformance.gate.standing import Divergence, Divergences, PlayedBefore
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
# The end.
"""
BESIDE = """\
plays:
  L-0001: passed 99aa01b4c3d2
  L-0031: failed 3f2a9c01be77
  P-0007: failed 123456789012
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
    "L-0001": PlayedBefore("passed", "99aa01b4c3d2"),
    "L-0031": PlayedBefore("failed", "3f2a9c01be77"),
    "P-0007": PlayedBefore("failed", "123456789012"),
}
KNOWN = {"L-0031": MOON, "P-0007": LOUD}
NEW = Divergence("L-0002", "613.1", 'bear: name "x"', "0123abcd4567", date(2026, 9, 25))


def of(text: str) -> Mapping[str, Divergence]:
    return parse_divergences(text, "divergences.yaml")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read_from(home: Path, listed: str, beside: str | None = BESIDE) -> Divergences:
    path = home / "divergences.yaml"
    path.write_text(listed, encoding="utf-8")
    if beside is not None:
        plays_beside(path).write_text(beside, encoding="utf-8")
    return divergences_in(path)


def test_everything_a_list_can_say(home: Path) -> None:
    assert Divergences(KNOWN, PLAYS) == read_from(home, FILE)


@pytest.mark.parametrize("text", ["divergences: []\n", "divergences:\n"])
@pytest.mark.parametrize("beside", ["plays: {}\n", "plays:\n"])
def test_an_empty_list_is_a_list(home: Path, text: str, beside: str) -> None:
    assert Divergences() == read_from(home, text, beside)


def test_list_without_its_second_file_would_lose_checks_in_silence(home: Path) -> None:
    with pytest.raises(ScenarioError, match=r"divergences\.plays\.yaml: No such file.*\n.*commit it too"):
        read_from(home, FILE, None)

    assert Divergences(KNOWN) == divergences_in(home / "divergences.yaml", without_plays=True)


def test_what_is_wrong_with_both_files_is_reported_at_once(home: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_from(home, FILE.replace("2027-01-01", "soon"), BESIDE.replace("passed", "pass"))

    assert ["divergences.plays.yaml", "divergences.yaml"] == [one.path for one in caught.value.problems]


def test_plays_in_the_list_itself_belong_into_the_second_file() -> None:
    with pytest.raises(ScenarioError, match=r"plays: not in this file\n.*that ends in \.plays\.yaml"):
        of(FILE + BESIDE)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "reason: it",
            "reasn: it",
            "divergences.yaml:26:5: divergences[2]: unknown key 'reasn'\n    did you mean 'reason'?",
        ),
        (
            "    signature: crash\n",
            "",
            "divergences[2]: divergence without signature\n    add signature: …",
        ),
        ("2027-01-01", "soon", "divergences.yaml:16:14: divergences[1].expires: 'soon' is not a date"),
        ("2027-01-01", "2027-02-30", "'2027-02-30' is not a date"),
        ("2027-01-01", "20270101", "'20270101' is not a date"),
        ("check: P-0007", "check: L-0031", "divergences[2]: L-0031 is listed already\n    keep one of them"),
        ("reason: it", "reason: [it]\n    #", "divergences[2].reason: a list where text is expected"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place_and_its_cure(old: str, new: str, says: str) -> None:
    assert old in FILE

    with pytest.raises(ScenarioError, match=re.escape(says)):
        of(FILE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "passed 99",
            "pass 99",
            "plays.L-0001: not what a check was: 'pass 99aa01b4c3d2'\n    write one of passed",
        ),
        ("failed 123456789012\n", "failed\n", "plays.P-0007: not what a check was"),
        ("plays:", "played:", "unknown key 'played'\n    did you mean 'plays'?"),
        ("  L-0001: passed", "  L-0001: passed\n   x", "divergences.plays.yaml"),
        (BESIDE, "plays: 3\n", "plays: '3' where a map is expected"),
        (BESIDE, FILE, "unknown key 'divergences'\n    the keys here are: plays"),
    ],
)
def test_what_is_wrong_with_the_second_file_is_reported_like_that_too(
    home: Path, old: str, new: str, says: str
) -> None:
    assert old in BESIDE

    with pytest.raises(ScenarioError, match=re.escape(says)):
        read_from(home, FILE, BESIDE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- a\n", "a list where a map is expected"),
        ("divergences: yes\n", "divergences: 'yes' where a list is expected"),
        ("divergences: [3]\n", "divergences[1]: '3' where a map is expected"),
        ("a: b: c\n", "not YAML"),
    ],
)
def test_other_things_are_no_list(text: str, says: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(says)):
        of(text)


def test_list_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"No such file.*\n.*--update-divergences"):
        divergences_in(tmp_path / "divergences.yaml")


# -------------------------------------------------------------------------------------- writing


def test_list_that_is_still_true_is_left_as_it_is() -> None:
    assert FILE == updated_text(FILE, KNOWN)


def test_what_is_measured_is_put_in_its_place_and_every_other_word_stays() -> None:
    moon = replace(MOON, rule="613.9", signature="crash: #", digest="000000000000", scenario="x.json")

    now = updated_text(FILE, {"L-0031": moon, "P-0007": LOUD})

    expected = (
        FILE.replace('rule: "613.8b"      # the', 'rule: "613.9"      # the')
        .replace("plains, after setup: subtypes Plains, Swamp", "crash: #")
        .replace("digest: 3f2a9c01be77", 'digest: "000000000000"')
        .replace("    expires: 2027-01-01\n", "    expires: 2027-01-01\n    scenario: x.json\n")
    )
    assert expected == now


def test_new_entries_come_last_and_those_that_are_gone_go() -> None:
    now = updated_text(FILE, {"L-0002": NEW, "P-0007": LOUD})

    assert "Ada is at it" not in now
    assert "L-0031" not in now
    for comment in (
        "# It has two heads.",
        "# Layers first.",
        "# Then priority.",
        "# The end.",
    ):
        assert comment in now
    assert now.index("P-0007") < now.index("L-0002") < now.index("# The end.")
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
    text = updated_text("", {"L-0002": NEW})

    assert text.startswith(HEADING + "divergences:\n  - check: L-0002\n")
    assert HEADING + "divergences: []\n" == updated_text("", {})
    assert PLAYS_HEADING + BESIDE == plays_text(PLAYS)
    assert PLAYS_HEADING + "plays: {}\n" == plays_text({})


def test_list_that_becomes_empty_and_is_filled_again() -> None:
    empty = updated_text(FILE, {})

    assert "divergences: []\n" in empty
    assert "# Layers first." in empty
    assert {} == of(empty)
    assert {"L-0002": NEW} == of(updated_text(empty, {"L-0002": NEW}))
    assert KNOWN == of(updated_text("divergences: []  # none\n", KNOWN))


@pytest.mark.parametrize(
    "text",
    [
        '# a\ndivergences:\n  # b\n  - {check: L-0031, rule: "613.8b", signature: x, digest: ab, '
        "added: 2026-01-31, reason: mine}  # c\n# d\n",
        "# a\n# b\ndivergences: # c\n- check: L-0031\n  rule: '613.8b'\n"
        "  signature: x\n  digest: ab\n  added: 2026-01-31\n  reason: mine\n# d\n",
        "# a\n# b\n# c\ndivergences:\n- signature: 'x'\n  # d\n  check: L-0031\n  rule: '613.8b'\n"
        "  digest: ab\n  added: 2026-01-31\n  reason: mine\n",
        '# a\n# b\n# c\ndivergences: [{check: L-0031, rule: "613.8b", signature: x, digest: ab, '
        "added: 2026-01-31, reason: mine}] # d\n",
    ],
)
def test_list_in_a_form_of_somebody_s_own_is_written_too(text: str) -> None:
    now = {"L-0031": replace(of(text)["L-0031"], signature="y"), "L-0002": NEW}

    written = updated_text(text, now)

    assert now == of(written)
    assert written == updated_text(written, now)
    assert [mark for mark in "abcd" if not re.search(rf"# {mark}\b", written)] == []


def test_line_ends_of_windows_stay() -> None:
    text = FILE.replace("\n", "\r\n")

    assert text == updated_text(text, KNOWN)


def test_a_file_that_is_not_a_list_is_not_overwritten() -> None:
    with pytest.raises(ScenarioError):
        updated_text("# notes\nmilk: 2\n", KNOWN)


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
LISTS = st.lists(ENTRIES, max_size=4).map(lambda entries: {entry.check: entry for entry in entries})


@pytest.mark.sweep
@given(LISTS, LISTS)
def test_whatever_is_written_reads_as_it_was_meant(
    one: Mapping[str, Divergence], other: Mapping[str, Divergence]
) -> None:
    kept = ("reason", "issue", "expires", "scenario")
    now = {
        id: replace(entry, **{key: getattr(one[id], key) for key in kept if id in one})
        for id, entry in other.items()
    }

    first = updated_text("", one)
    second = updated_text(first, now)

    assert one == of(first)
    assert now == of(second)
    assert second == updated_text(second, now)


# ------------------------------------------------------------------------------------ the file


def test_checks_are_stored_beside_the_list_and_taken_away_with_their_entry(tmp_path: Path) -> None:
    path = tmp_path / "lists" / "divergences.yaml"
    fixture = check(2)

    first = write(path, Divergences(), Divergences({"L-0002": NEW}, PLAYS), {"L-0002": fixture})
    listed = divergences_in(path)

    assert "divergences/L-0002.json" == listed.known["L-0002"].scenario
    assert PLAYS == listed.plays
    assert fixture == load_without_checks(path.parent / "divergences" / "L-0002.json")
    assert str(first).endswith("divergences.yaml and divergences.plays.yaml are written\n  1 added: L-0002")

    second = write(path, listed, Divergences({}, {"L-0001": PlayedBefore("unsupported", "a")}), {})

    assert [] == list((path.parent / "divergences").iterdir())
    assert ("L-0002",) == second.gone
    assert ("L-0001", "L-0031", "P-0007") == second.no_longer_played
    assert str(write(path, divergences_in(path), divergences_in(path), {})).endswith(
        " are written, as they were"
    )
    assert ["divergences", "divergences.plays.yaml", "divergences.yaml"] == sorted(
        file.name for file in path.parent.iterdir()
    )


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
