"""What `conformance explain` and `conformance play` do: play a scenario by the rules and explain it.

The explanation is the same value in every form: text, page or picture.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from msgspec import Struct

from conformance.checks.names import KnownNames
from conformance.data.loading import problems_in
from conformance.model.engine import CannotPlay
from conformance.model.problems import ScenarioError, problem_lines
from conformance.play.selection import NoMatch, cut_at_look, no_match, selected_play, title_of
from conformance.tell.explanation import Explanation
from conformance.tell.explanation_text import entries_named, explain, in_edition
from conformance.wording.scripts import action_text
from conformance_adapters.in_process import Playthrough, Reference, findings_when_played, play_through


class ExplainedScenario(Struct, frozen=True):
    """A played scenario, and its explanation."""

    again: str
    """The command that explains it."""
    of: str | None
    title: str
    played: Playthrough
    explanation: Explanation
    stopped: str
    """The action at which the play stopped, and why; empty if it did not."""

    @property
    def text(self) -> str:
        return explain(self.explanation, self.of)

    @property
    def cure(self) -> str:
        """What to write to get past the stop."""
        return self.played.how_to_answer()


def explain_scenario(
    what: str,
    known: KnownNames | None = None,
    of: str | None = None,
    look: str = "end",
    edition: str | None = None,
) -> ExplainedScenario:
    """The explanation of a scenario up to a look; `of` names an object that must exist."""
    play = cut_at_look(selected_play(what, known), look)
    try:
        left = play_through(play, Reference(edition).rules)
    except ScenarioError as error:
        raise ScenarioError(entries_named(error.problems, play, what)) from None
    things, why = left.last.board.things, ""
    if of not in (None, *things):
        raise no_match("object", str(of), things)
    if stopped := left.observations.stopped:
        tried = action_text(play.script[stopped.at]).rstrip(".")
        why = f"action {stopped.at + 1} ({tried}): {stopped.says or stopped.question}"
        why = in_edition(why, left.last.rules.edition)
    options = {"--of": of, "--at": None if look == "end" else look, "--edition": edition}
    given = [word for option, value in options.items() if value is not None for word in (option, value)]
    again = shlex.join(["conformance", "explain", what, *given])
    return ExplainedScenario(again, of, title_of(what, known), left, left.explanation(why), why)


def page_of(
    one: ExplainedScenario, problems: tuple[str, ...] = (), *, stale: bool = False, live: str | None = None
) -> str:
    """An explanation as a page."""
    from conformance.pages.explanation_page import ExplanationPage, explained_page

    shown = ExplanationPage(
        title=one.title,
        edition=one.explanation.edition,
        again=one.again,
        text=one.text,
        timeline=one.played.timeline(action_text),
        of=one.of,
        stopped=one.stopped,
        cure=one.cure,
        problems=problems,
        stale=stale,
    )
    return explained_page(shown, live)


def svg_of(one: ExplainedScenario) -> str:
    """An explanation as a picture: the board, or the way of its object through the layers."""
    from conformance.pages.svg import svg_of_board, svg_of_object
    from conformance.tell.picture import Words, picture

    drawn = picture(one.explanation)
    if one.of is None:
        return svg_of_board(drawn.board, one.title, one.again)
    words = Words.of(one.explanation)
    return svg_of_object(drawn.layers, words(one.of), words.look(one.explanation.looks[one.of]), one.again)


def write_drawings(one: ExplainedScenario, html: Path | None, svg: Path | None) -> list[str]:
    """Write an explanation as a page, as a picture, or both; return the paths of the files."""
    from conformance.report.whole_file import output_replacing

    wanted = [(path, draw) for path, draw in ((html, page_of), (svg, svg_of)) if path is not None]
    for path, draw in wanted:
        with output_replacing(path) as file:
            file.write(draw(one))
    return [str(path) for path, _ in wanted]


class LivePage:
    """Redraws the page of a file while somebody edits it."""

    def __init__(self, file: Path, known: KnownNames | None, of: str | None, edition: str | None) -> None:
        self.file = file
        self._known, self._of, self._edition = known, of, edition
        self._last: ExplainedScenario | None = None

    def draw(self, version: str) -> str:
        """The page of the file with what `check` finds; its last explanation if there is none now."""
        from conformance.pages.explanation_page import problems_page

        problems = tuple(problem_lines(problems_in(self.file, findings_when_played, self._known)))
        try:
            self._last = explain_scenario(str(self.file), self._known, self._of, "end", self._edition)
            stale = False
        except (CannotPlay, NoMatch, OSError, ScenarioError) as error:
            problems, stale = problems or (str(error),), True
        if self._last is None:
            return problems_page(self.file.name, problems, version)
        return page_of(self._last, problems, stale=stale, live=version)


def play_live(page: LivePage) -> None:
    """Serve the page of a file on loopback until Ctrl-C; print its address."""
    try:
        from conformance.pages.server import serve_until_interrupted
    except ModuleNotFoundError as error:
        cure = "pip install 'mtg-conformance[play]'"
        raise NoMatch(f"`conformance play` needs {error.name}\n    {cure}") from None

    def say(address: str) -> None:
        print(f"{address}\nSave {page.file} to draw it anew; Ctrl-C stops it.", flush=True)

    serve_until_interrupted(page.file, page.draw, say)
