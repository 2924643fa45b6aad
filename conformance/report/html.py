"""A run as a page to look at: `conformance run --html`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence

from msgspec.structs import replace

from conformance.data.rulebook import chapters, gist_of
from conformance.model.engine import CannotPlay
from conformance.model.printable import shortened
from conformance.model.problems import ScenarioError
from conformance.model.verdict import PartOfVerdict, Unsupported, moment
from conformance.pages.addresses import AddressOf, no_address
from conformance.pages.run import (
    BoardShown,
    CauseShown,
    ChapterShown,
    CheckShown,
    CountsShown,
    DifferenceShown,
    FailureShown,
    ReasonShown,
    RunShown,
    SilenceShown,
    run_page,
)
from conformance.play.selection import cut_at_look
from conformance.report.run_text import SHARED, engine_name
from conformance.results.causes import (
    FailureGroup,
    difference_line,
    failures_by_cause,
    first_difference,
    needs_attention,
    parts_of,
    with_first_difference_first,
)
from conformance.results.events import Diagnosis, FinishedCheck, Run, text_of_verdict
from conformance.results.summary import SCORES, Counts, by_chapter, by_rule, score_of
from conformance.results.unsupported import UnsupportedReason, reason_of, reasons
from conformance.run.diagnosis import can_be_played, first_departure
from conformance.tell.picture import BoardPicture, Tile, Words, picture
from conformance_adapters.in_process import Reference, play_through

MOST_BOARDS = 400
"""Maximum number of failures with a board; the others show only values."""
MOST_TILES = 16
"""Maximum number of tiles of the first board of a cause, besides those that differ."""
MOST_TOLD_APART = 40
"""Maximum number of causes for which to find the deciding step, if the run has not found it."""
MOST_DIFFERENCES = 12
"""Maximum number of differences of one check; the others are counted."""
LONGEST_VALUE = 400
"""Maximum number of characters of one value of the first check of a cause."""
LONGEST_OTHER = 160
"""The same for the further checks of a cause, since there can be thousands."""


def html(run: Run, address: AddressOf = no_address) -> str:
    """The run as a page; `address` leads to the pages of checks."""
    return run_page(run_shown(run), address)


def run_shown(run: Run) -> RunShown:
    """What the page of a run shows."""
    failing = [one for one in run.checked if needs_attention(one) or one.standing in ("stale", "lost")]
    groups = failures_by_cause(failing, run.checked)
    rules = by_rule(run.checked)
    drawing = RunDrawing.of(run)
    return RunShown(
        title=f"Magic rules: {engine_name(run.began.engine)}",
        verdict=verdict_of(run),
        facts=facts_of(run),
        scores=SCORES,
        counts=counts_shown("", "", run.counts),
        causes=tuple(drawing.cause(one, at) for at, one in enumerate(groups)),
        reasons=tuple(ReasonShown(one.says, one.checks) for one in drawing.reasons),
        features=tuple((name, drawing.needed[name]) for name in drawing.features),
        silences=tuple(
            SilenceShown(one.rule, one.unplayed, one.of, one.checks)
            for one in (run.ended.silence.suspicious if run.ended else ())
        ),
        listed=tuple(drawing.check(one, one.note) for one in run.checked if one.standing == "listed"),
        chapters=tuple(
            ChapterShown(
                counts_shown(chapter, chapters().get(chapter, ""), counts),
                tuple(
                    counts_shown(rule, gist_of(rule), of_rule)
                    for rule, of_rule in rules.items()
                    if rule.partition(".")[0] == chapter
                ),
            )
            for chapter, counts in by_chapter(run.checked).items()
        ),
        checks=tuple(
            drawing.check(one, shortened(text_of_verdict(one.verdict), LONGEST_OTHER)) for one in run.checked
        ),
    )


def verdict_of(run: Run) -> str:
    """The result in a sentence."""
    if run.ended and run.ended.says:
        return f"The engine did not start: {run.ended.says}"
    result = f"{run.counts}."
    return result if run.is_whole else f"The run was cut off before its end: {result}"


def facts_of(run: Run) -> tuple[tuple[str, str], ...]:
    """The engine, the rules and the circumstances of the run."""
    began, ended = run.began, run.ended
    chosen = began.chosen
    narrowed = [*chosen.what, *(f"--rule {rule}" for rule in chosen.rules), *chosen.properties]
    narrowed += [f"-k {chosen.word}"] if chosen.word else []
    narrowed += [f"--source {chosen.source}"] if chosen.source else []
    facts = {
        "engine": engine_name(began.engine),
        "command": began.asked,
        "rules of": began.edition,
        "suite": began.suite,
        "began": f"{began.at[:10]} {began.at[11:16]} UTC" if began.at.endswith("+00:00") else began.at,
        "took": f"{ended.seconds:.1f} s" if ended else "",
        "seed": "" if began.seed is None else str(began.seed),
        "search": str(ended.search) if ended and ended.search else "",
        "only": " ".join(narrowed),
    }
    return tuple((name, value) for name, value in facts.items() if value)


def counts_shown(name: str, says: str, counts: Counts) -> CountsShown:
    return CountsShown(name, says, tuple(map(counts.of, SCORES)), counts.total)


class RunDrawing:
    """Draws the checks of a run; numbers their features and reasons, and counts the boards."""

    def __init__(self, run: Run, needed: Counter[str], why: Sequence[UnsupportedReason]) -> None:
        self.run = run
        self.needed = needed
        self.features = tuple(sorted(needed))
        self.reasons = why
        self._feature_numbers = {name: at for at, name in enumerate(self.features)}
        self._reason_numbers = {one.says: at for at, one in enumerate(why)}
        self._boards = 0

    @classmethod
    def of(cls, run: Run) -> RunDrawing:
        needed = Counter(feature for one in run.checked for feature in one.features)
        return cls(run, needed, reasons(one.verdict for one in run.checked))

    def check(self, one: FinishedCheck, says: str = "") -> CheckShown:
        """A check as a row."""
        reason = reason_of(one.verdict) if isinstance(one.verdict, Unsupported) else None
        return CheckShown(
            one.id,
            shortened(one.title, LONGEST_OTHER),
            one.rules,
            one.standing or score_of(one.verdict),
            says,
            tuple(self._feature_numbers[name] for name in one.features),
            None if reason is None else self._reason_numbers[reason],
        )

    def cause(self, group: FailureGroup, at: int) -> CauseShown:
        """A cause, with a picture of the smallest scenario that shows it."""
        smallest = group.smallest
        diagnosed = self.run.diagnosis_of(smallest.id)
        where = diagnosed.where if diagnosed else ()
        if diagnosed is None and at < MOST_TOLD_APART:
            where = deciding_step_of(smallest, self.run.began.edition)
        by_rules, here = sides_of(where, first_difference(smallest, group.rule))
        return CauseShown(
            rule=group.rule,
            says=gist_of(group.rule) or shortened(group.difference, LONGEST_OTHER),
            first=self.failure(smallest, LONGEST_VALUE, MOST_DIFFERENCES, MOST_TILES, group.rule),
            by_rules=by_rules,
            here=here,
            looks=likeness_sentence(diagnosed) if diagnosed else "",
            others=tuple(self.failure(one, LONGEST_OTHER, 1, 0, group.rule) for one in group.failures[1:]),
        )

    def failure(self, one: FinishedCheck, longest: int, most: int, tiles: int, rule: str) -> FailureShown:
        """A failed check, its first difference about the rule first, on a board of the differing objects and
        some others.
        """
        wrong = [part for part in parts_of(with_first_difference_first(one, rule)) if part.outcome == "fail"]
        return FailureShown(
            self.check(one, "" if wrong else shortened(difference_line(one), longest)),
            one.again,
            tuple(difference_shown(part, longest) for part in wrong[:most]),
            len(wrong[most:]),
            stderr=shortened(getattr(one.verdict, "stderr", ""), longest),
            board=self.board(one, tiles),
        )

    def board(self, one: FinishedCheck, tiles: int) -> BoardShown | None:
        """The board of a failure, unless there are enough on the page."""
        if self._boards >= MOST_BOARDS:
            return None
        drawn = board_shown(one, self.run.began.edition, tiles)
        self._boards += drawn is not None
        return drawn


def likeness_sentence(diagnosed: Diagnosis) -> str:
    """What a bug looks like, in a sentence; empty if unknown."""
    if diagnosed.shared:
        return SHARED
    return next((f"looks as if: {one.story} ({one.mutant}, CR {one.breaks})" for one in diagnosed.like), "")


def deciding_step_of(one: FinishedCheck, edition: str) -> tuple[str, ...]:
    """The step of the rules that decided the first difference."""
    if not can_be_played(one):
        return ()
    try:
        return first_departure(one, None, edition)
    except (ScenarioError, CannotPlay):
        return ()


BY_THE_RULES, AND_HERE = "by the rules:", "and here:"
"""How the two sides of a diagnosis begin, if it has both."""


def sides_of(where: Sequence[str], first: PartOfVerdict | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The first difference as two texts: by the rules, and in the engine."""
    if not where:
        return (), ()
    turn = next((at for at, line in enumerate(where) if line.startswith(AND_HERE)), len(where))
    by_rules = without_heading(where[:turn], BY_THE_RULES)
    here = without_heading(where[turn:], AND_HERE)
    if not here and first is not None:
        here = (f"{first.about}: {first.key} {shortened(first.observed, LONGEST_OTHER)}",)
    return by_rules, here


def without_heading(lines: Sequence[str], heading: str) -> tuple[str, ...]:
    """The lines of one side, without its heading."""
    return tuple(
        line if at else line.removeprefix(heading).strip().removeprefix("== ").removesuffix(" ==")
        for at, line in enumerate(lines)
    )


def difference_shown(part: PartOfVerdict, longest: int) -> DifferenceShown:
    cut = [shortened(text, longest) for text in (part.expected, part.observed, part.because)]
    return DifferenceShown(part.about, part.when, part.key, *cut)


def board_shown(one: FinishedCheck, edition: str, tiles: int) -> BoardShown | None:
    """The board by the rules at the first difference; None if there is none to draw.

    It has every tile that differs, and `tiles` others.
    """
    first, fixture = first_difference(one), one.scenario
    if first is None or fixture is None or not fixture.play.players:
        return None
    look = next(
        (expect.look for expect in fixture.expect if moment(fixture, expect.look) == first.when), "end"
    )
    try:
        made = play_through(cut_at_look(fixture.play, look), Reference(edition).rules).explanation()
    except (ScenarioError, CannotPlay):
        return None
    words = Words.of(made)
    wrong: dict[str, tuple[DifferenceShown, ...]] = {}
    for part in parts_of(one):
        if part.outcome == "fail" and part.when == first.when:
            about = words(part.about)
            wrong[about] = (*wrong.get(about, ()), difference_shown(part, LONGEST_OTHER))
    drawn, more = with_few_tiles(picture(made).board, wrong, tiles)
    places = {id for side in drawn.sides for one in side.tiles for id in ids_on(one)}
    places.update(side.player for side in drawn.sides)
    elsewhere = [part for about, parts in wrong.items() if about not in places for part in parts]
    return BoardShown(drawn, wrong, tuple(elsewhere[:MOST_DIFFERENCES]), more)


def ids_on(one: Tile) -> Iterator[str]:
    """The objects of a tile, and of those attached to it."""
    yield from one.ids
    for below in one.attached:
        yield from ids_on(below)


def with_few_tiles(board: BoardPicture, wrong: Container[str], most: int) -> tuple[BoardPicture, int]:
    """The board with every tile that differs and `most` others, and the number of tiles left out."""
    left_out = 0
    sides = []
    for side in board.sides:
        kept = []
        for one in side.tiles:
            differs = any(id in wrong for id in ids_on(one))
            if differs or most > 0:
                kept.append(one)
                most -= not differs
            else:
                left_out += 1
        sides.append(replace(side, tiles=tuple(kept)))
    return replace(board, sides=tuple(sides)), left_out
