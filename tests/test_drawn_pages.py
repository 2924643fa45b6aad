"""Pages: self-contained, escaped, and drawn from the same trace and events as the text."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from xml.etree.ElementTree import Element, fromstring

import pytest
from click.testing import CliRunner, Result
from jinja2 import UndefinedError
from markupsafe import Markup

from conformance.cli import main
from conformance.commands import explain_and_play
from conformance.data.library import all_fixtures
from conformance.pages.page import environment, legible, pieces
from conformance.pages.svg import svg_of_board
from conformance.tell.picture import Tile, picture
from conformance.tell.timeline import Square, Timeline, stacks_after, stair
from conformance.wording.scripts import action_text
from conformance_adapters.in_process import Playthrough, play_through
from reference_engine.game.game_rules import CR
from tests.sweeping import is_in_share
from tools.golden_picture import FILE, golden_picture


def page_of(folder: Path, *arguments: str) -> str:
    """The page that `explain` writes."""
    out = folder / "page.html"
    result = CliRunner().invoke(main, ["explain", *arguments, "--html", str(out)], catch_exceptions=False)
    assert 0 == result.exit_code, result.output
    return out.read_text(encoding="utf-8")


def play_of(id: str) -> Playthrough:
    return play_through(all_fixtures()[id].play, CR)


def timeline_of(id: str) -> Timeline:
    return play_of(id).timeline(action_text)


class Text(HTMLParser):
    """The text of a page, and its attributes, as a browser would read them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


# ------------------------------------------------------------------------------------- the frame


def test_policy_allows_this_style_and_this_script_alone(tmp_path: Path) -> None:
    page = page_of(tmp_path, "L-0114")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    policy = policy.replace("&#39;", "'")
    assert "default-src 'none'" in policy and "unsafe" not in policy
    for tag in ("style", "script"):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        wanted = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{wanted}'" in policy


def test_page_names_no_address_and_uses_nothing_that_the_policy_forbids(tmp_path: Path) -> None:
    found = Text(page_of(tmp_path, "G-0136")).attributes
    addresses = [value for _, name, value in found if name in ("src", "href", "action", "srcset", "data")]
    assert addresses and all(str(value).startswith(("#", "data:,")) for value in addresses)
    assert [] == [name for _, name, _ in found if name == "style" or name.startswith("on")]


def test_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment().from_string("{{ nowhere }}").render()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("</style><script>alert(1)</script>", "&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
        ('" onclick="x', "&#34; onclick=&#34;x"),
        ("a\u202eb\u0000c", "a\\u202eb\\x00c"),
        ("&amp;", "&amp;amp;"),
        (Markup("<b>ours</b>"), "<b>ours</b>"),
    ],
)
def test_values_are_escaped_and_legible(text: str, shown: str) -> None:
    assert shown == environment().from_string("{{ text }}").render(text=text)


def test_long_text_is_cut() -> None:
    shown = legible("x" * 1_000_000)
    assert isinstance(shown, str) and len(shown) < 5000 and shown.endswith("(1000000 characters)")


def test_pieces_of_a_sentence_put_together_are_the_sentence() -> None:
    text = "it costs {2}{R} (CR 601.2f: in this order), not {oops} (or so)"
    found = list(pieces(text))
    assert [("mana", "2"), ("mana", "R"), ("rules", "CR 601.2f: in this order")] == [
        (kind, piece) for kind, piece in found if kind != "words"
    ]
    around = {"mana": "{%s}", "rules": "(%s)", "words": "%s"}
    assert text == "".join(around[kind] % piece for kind, piece in found)


@pytest.mark.sweep
def test_other_commands_do_not_import_what_makes_pages() -> None:
    program = (
        "import sys; from click.testing import CliRunner; from conformance.cli import main;"
        "CliRunner().invoke(main, ['explain', 'L-0114']); print('jinja2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "False" == done.stdout.strip()


# ------------------------------------------------------------------------------ what is drawn


def test_page_says_without_its_script_what_the_text_says(tmp_path: Path) -> None:
    page = page_of(tmp_path, "L-0114").partition('<details class="in-words">')[0]
    said = " ".join(" ".join(Text(page).parts).split())
    assert "urborg waits for moon, which would decide whether it exists" in said
    assert "is not applied" in said
    assert "Legendary Land → Legendary Land — Mountain" in said


def tiles(found: tuple[Tile, ...]) -> list[str]:
    """The objects of these tiles and of everything attached to them."""
    return [id for tile in found for id in (*tile.ids, *tiles(tile.attached))]


@pytest.mark.parametrize("id", ["L-0114", "L-0143", "G-0097", "G-0136", "G-0145", "L-0148"])
def test_board_has_every_permanent_once(id: str) -> None:
    left = play_of(id)
    drawn = left.timeline(action_text).boards[-1]
    there = [thing.id for thing in left.last.board.things.values() if thing.zone == "battlefield"]
    assert sorted(there) == sorted(one for side in drawn.sides for one in tiles(side.tiles))


NOT_REBUILT = {
    **dict.fromkeys(("G-0242", "G-0327"), "a casting or activation is tried, and taken back"),
    **dict.fromkeys(("G-0806", "G-3011", "G-5161"), "what a player owns or controls leaves with them"),
    **dict.fromkeys(("G-1304", "G-2153", "G-3220"), "an ability is on the stack as its source gets a name"),
    "G-2684": "a copy of a copy is named anew",
}
"""Fixtures in which the stack made of events is not that of the game, with the reason."""


def with_scripts() -> Iterator[object]:
    """A share of the fixtures with scripts, the same ones whatever is added, and those known to differ."""
    for id, fixture in sorted(all_fixtures().items()):
        if id in NOT_REBUILT:
            yield pytest.param(id, marks=pytest.mark.xfail(reason=NOT_REBUILT[id], strict=True))
        elif fixture.play.script and is_in_share(id, 18):
            yield id


@pytest.mark.sweep
@pytest.mark.parametrize("id", [*with_scripts()])
def test_stack_made_of_events_is_the_stack_of_the_game(id: str) -> None:
    """The stack rebuilt from events agrees with the game's stack after each action."""
    left = play_of(id)
    moments = left.after_each([list(events) for events in left.happenings()], action_text)
    for before, after in pairwise(moments):
        *_, last = (before.stack, *stacks_after(before.stack, after).values())
        assert [plain(name) for name in last] == [plain(name) for name in after.stack], after.says


def plain(name: str) -> str:
    """The name of something on the stack without its number among others of that name."""
    return re.sub(r" \(\d+\)$", "", name)


def test_what_is_put_on_the_stack_is_there_on_the_lines_of_its_details() -> None:
    beats = [beat for act in timeline_of("G-0137").acts for beat in act.beats]
    put = next(number for number, beat in enumerate(beats) if "puts enters of redcap" in beat.text)
    assert ("grenade", "enters of redcap") == beats[put].stack == beats[put + 1].stack


def test_timeline_has_the_lines_of_the_account_in_order() -> None:
    told = timeline_of("G-0136")
    lines = [beat.text for act in told.acts for beat in act.beats]
    assert "turn 2, alice's precombat main" == lines[0]
    assert "alice gets priority (CR 117.3b: the active player, after a resolution)" == lines[-1]
    assert lines.index("grenade resolves") > lines.index("enters of redcap resolves")


def test_line_touches_the_objects_of_its_event_and_no_others() -> None:
    touched = {
        beat.text.partition(" (")[0]: beat.touches for act in timeline_of("G-0136").acts for beat in act.beats
    }
    assert ("grenade",) == touched["alice casts grenade"]
    assert ("redcap",) == touched["redcap"] == touched["alice puts persist of redcap on the stack"]
    assert ("redcap",) == touched["enters of redcap resolves"] == touched["redcap deals 1 damage to bob"]
    assert () == touched["bob loses 1 life"]


def test_illegal_attempt_has_a_mark_in_its_lane() -> None:
    tried = [
        beat
        for id in ("G-0063", "G-0038")
        for act in timeline_of(id).acts
        for beat in act.beats
        if beat.kind == "rejected" and beat.depth == 0
    ]
    assert tried and all("tries" in beat.marks for beat in tried)


def test_cost_is_a_staircase_that_ends_with_the_total() -> None:
    beats = [beat for act in timeline_of("G-0263").acts for beat in act.beats]
    stairs = [beat.stair for beat in beats if beat.stair][:5]
    assert (Square("R"), Square("1")) == stairs[0]
    assert (Square("R"), Square("1"), Square("1", "more")) == stairs[1]
    assert (Square("R"), Square("1"), Square("1", "less")) == stairs[2]
    assert (Square("R"), Square("1", "less")) == stairs[3]
    assert (Square("R"), Square("1", "more"), Square("1", "more")) == stairs[4]
    total = next(beat for beat in beats if beat.kind == "cost")
    assert "{2}{R}" in total.text and not total.stair


def test_stair_of_a_large_or_odd_cost() -> None:
    assert (Square("1000"),) == stair("", "{1000}")
    assert (Square("X"), Square("G/U"), Square("1")) == stair("", "{X}{1}{G/U}")
    assert () == stair("", "{0}")


def test_damage_stands_against_toughness() -> None:
    beats = [beat for act in timeline_of("G-0942").acts for beat in act.beats if beat.harm is not None]
    harms = [(beat.text, beat.harm) for beat in beats]
    [(first, post1), (second, post2)] = harms
    assert "trampler deals 1 combat damage to post1" in first and "post2" in second
    assert post1 is not None and post2 is not None
    assert [(1, 1, 2), (2, 2, 2)] == [(one.dealt, one.marked, one.toughness) for one in (post1, post2)]


def test_damage_after_something_that_may_change_a_toughness_is_not_measured() -> None:
    beats = [beat for act in timeline_of("G-0136").acts for beat in act.beats if " damage to " in beat.text]
    assert beats
    marked = [beat.harm for beat in beats if beat.harm is not None]
    assert all(one.marked >= one.dealt > 0 for one in marked)
    assert len(marked) < len(beats)


def test_combat_has_a_lane_for_each_attacker() -> None:
    lanes = [board.combat for board in timeline_of("G-0942").boards if board.combat]
    assert 3 <= len(lanes)
    [attacked] = lanes[0]
    assert (("trampler",), "3/5", ("trample",)) == (
        attacked.attacker.ids,
        attacked.attacker.size,
        attacked.attacker.keywords,
    )
    assert ("bob", ()) == (attacked.whom, attacked.blockers)
    [blocked] = lanes[-2]
    assert [("post1",), ("post2",)] == [one.ids for one in blocked.blockers]


def test_attacker_stays_blocked_when_its_blocker_is_gone(tmp_path: Path) -> None:
    shown = explained(
        tmp_path,
        """
        players: {alice: {}, bob: {hand: [{bolt: Lightning Bolt}]}}
        start: {turn: alice, step: beginning of combat}
        setup:
          - {id: ogre, card: Gray Ogre, controller: alice}
          - {id: bear, card: Grizzly Bears, controller: bob}
        script:
          - {pass: everyone}
          - {attack: {ogre: bob}, by: alice}
          - {pass: everyone}
          - {block: {bear: [ogre]}, by: bob}
          - {pass: alice}
          - {cast: bolt, by: bob, targets: [bear]}
          - {pass: everyone}
        """,
    )
    last = shown.played.timeline(action_text).boards[-1]
    assert [((), True)] == [(one.blockers, one.blocked) for one in last.combat]


def test_attackers_that_are_alike_share_a_lane(tmp_path: Path) -> None:
    shown = explained(
        tmp_path,
        """
        start: {turn: alice, step: beginning of combat}
        setup:
          - {id: bear1, card: Grizzly Bears, controller: alice}
          - {id: bear2, card: Grizzly Bears, controller: alice}
          - {id: giant, card: Hill Giant, controller: alice}
        script:
          - {pass: everyone}
          - {attack: {bear1: bob, bear2: bob, giant: bob}, by: alice}
        """,
    )
    lanes = shown.played.timeline(action_text).boards[-1].combat
    assert [("bear1", "bear2"), ("giant",)] == [one.attacker.ids for one in lanes]


def explained(folder: Path, text: str) -> explain_and_play.ExplainedScenario:
    """What `explain` shows for a file with this text."""
    file = folder / "board.yaml"
    file.write_text(dedent(text), encoding="utf-8")
    return explain_and_play.explain_scenario(str(file))


def result_of(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explain", *arguments])


def test_play_that_stops_is_drawn_as_far_as_it_goes(tmp_path: Path) -> None:
    board, out = tmp_path / "board.yaml", tmp_path / "page.html"
    board.write_text("script: [{pass: alice}, {pass: alice}]\n", encoding="utf-8")
    result = result_of(str(board), "--html", str(out))
    assert 2 == result.exit_code and "the play stops at action 2" in result.output
    said = " ".join(" ".join(Text(out.read_text(encoding="utf-8")).parts).split())
    assert "The play stops at action 2 (Alice passes)" in said


def test_objects_that_look_alike_are_drawn_once(tmp_path: Path) -> None:
    board = tmp_path / "board.yaml"
    entries = "".join(f"  - {{id: bear{n}, card: Grizzly Bears, controller: alice}}\n" for n in range(300))
    board.write_text(
        f"setup:\n{entries}  - {{id: anthem, card: Glorious Anthem, controller: alice}}\n", encoding="utf-8"
    )
    page = page_of(tmp_path, str(board))
    assert "× 300" in page and "and 297 more" in page
    assert 1 == page.count('<span class="sizes">')
    assert len(page) < 200_000


@pytest.mark.sweep
def test_grid_leaves_out_what_would_fill_no_page(tmp_path: Path) -> None:
    """The grid would be quadratic: each of these changes all the others, so no two look alike on the way."""
    from conformance.play.selection import selected_play

    board = tmp_path / "board.yaml"
    entries = "".join(f"  - {{id: lord{n}, card: Test Lord, controller: alice}}\n" for n in range(90))
    others = "{all: creatures, other_than: this}"
    static = f"{{static: {{affects: {others}, does: {{modify: +1/+1}}}}}}"
    lord = f"{{name: Test Lord, types: [Creature], pt: 1/1, abilities: [{static}]}}"
    board.write_text(f"cards: [{lord}]\nsetup:\n{entries}", encoding="utf-8")
    left = play_through(selected_play(str(board)), CR)
    layers = left.timeline(action_text).layers[-1]
    assert layers.more_rows > 0
    assert max(len(cell) for row in layers.rows for cell in row.cells) < 30
    assert sum(column.more for column in layers.columns) > 0


def test_objects_final_size_is_the_one_that_a_look_reports() -> None:
    for id in ("L-0192", "L-0193", "L-0025", "L-0011"):
        left = play_of(id)
        seen = left.all_seen().objects
        for row in left.timeline(action_text).layers[-1].rows:
            power = seen[row.ids[0]].power
            wanted = f"{power}/{seen[row.ids[0]].toughness}" if isinstance(power, int) else ""
            assert wanted == row.looks[-1][1].size


# ------------------------------------------------------------------------------------ pictures


def test_picture_of_the_readme_is_current_and_shown_first() -> None:
    assert golden_picture() == FILE.read_text(encoding="utf-8")
    shown = (FILE.parent.parent / "README.md").read_text(encoding="utf-8").split("\n\n")[1]
    assert shown.startswith("![") and shown.endswith("(docs/humility.svg)")


def picture_of(folder: Path, *arguments: str) -> Element:
    """The picture that `explain` draws, as XML."""
    out = folder / "picture.svg"
    assert 0 == result_of(*arguments, "--svg", str(out)).exit_code
    return fromstring(out.read_text(encoding="utf-8"))


def words_on(picture: Element) -> list[str]:
    return ["".join(text.itertext()) for text in picture.iter("{http://www.w3.org/2000/svg}text")]


def test_picture_of_an_object_has_each_of_its_steps(tmp_path: Path) -> None:
    words = words_on(picture_of(tmp_path, "L-0193", "--of", "humility"))
    assert ["4", "6", "7b"] == [word for word in words if re.fullmatch(r"\d[a-d]?", word)]
    sizes = [word for word in words if re.fullmatch(r"\d/\d( →)?", word)]
    assert ["4/4", "0/0 →", "1/1", "4/4 →", "1/1"] == sizes


def test_picture_of_an_object_that_nothing_changes(tmp_path: Path) -> None:
    assert "printed: Basic Land — Plains, colourless" in words_on(
        picture_of(tmp_path, "L-0114", "--of", "plains1")
    )


def test_picture_of_a_board_has_every_permanent_inside_it(tmp_path: Path) -> None:
    drawn = picture_of(tmp_path, "L-0142")
    assert {"elves", "third", "fourth", "first", "second", "face down"} <= set(words_on(drawn))
    width, height = float(drawn.attrib["width"]), float(drawn.attrib["height"])
    for text in drawn.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 < float(text.attrib["x"]) < width and 0 < float(text.attrib["y"]) < height


def test_picture_of_hostile_words_is_one_that_a_reader_accepts() -> None:
    left = explain_and_play.explain_scenario("L-0114")
    hostile = "]]></title><script>alert(1)</script>\u0000\u0008\u202e" + "x" * 100_000
    drawn = svg_of_board(picture(left.explanation).board, hostile, hostile)
    assert [] == list(fromstring(drawn).iter("{http://www.w3.org/2000/svg}script"))
    assert len(drawn) < 40_000
