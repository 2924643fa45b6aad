"""The commands that show what is in the suite: `list`, `show`, `explain`, `play`, `rules` and `docs`."""

from __future__ import annotations

from pathlib import Path

import click

from conformance.commands.arguments import known_names_for, usage_errors_explained
from conformance.run.options import EDITION, cards_options, chosen_options


@click.command(
    "list",
    epilog="""\b
Examples:
  conformance list --rule 613.8
  conformance list --source 002-L4
  conformance list -k humility""",
)
@chosen_options
def list_(what: tuple[str, ...], rules: tuple[str, ...], word: str, source: str) -> None:
    """List fixtures and properties with the rules they test.

    Each has a line with its id, title, rules, and the parts of the source documents that it shows.
    """
    from conformance.play.selection import selected_fixtures, selected_properties
    from conformance.report.console import terminal, write_lines
    from conformance.report.listings import lines_of_list
    from conformance.search.law_checks import fixture_without_counterexample

    with usage_errors_explained():
        chosen = [one.fixture for one in selected_fixtures(what, rules, word, source)]
        laws = () if what else selected_properties((), rules, word, source)
    write_lines(lines_of_list(sorted(chosen, key=lambda fixture: fixture.id)), terminal())
    write_lines(lines_of_list([fixture_without_counterexample(law) for law in laws]), terminal())


@click.command(
    epilog="""\b
Examples:
  conformance show L-0031
  conformance show two_switches_cancel
  conformance show my_board.yaml"""
)
@click.argument("what", nargs=-1, required=True, metavar="[ID | FILE | FOLDER | PROPERTY]...")
@cards_options
def show(what: tuple[str, ...], cards: tuple[Path, ...], cards_first: bool) -> None:
    """Describe a fixture or a property in words.

    For a fixture: the board, the text of its cards, the script, and the expected results with their reasons.
    For a property: its statement, its rules, what it needs, the broken engines that break one of its rules,
    and an example.
    """
    from conformance.model.problems import near
    from conformance.play.selection import NoMatch, every_property, no_match, selected_boards
    from conformance.report.console import terminal, write_lines
    from conformance.report.listings import lines_of_property
    from conformance.wording import scenario_text

    properties = {law.name: law for law in every_property()}
    laws = [properties[word] for word in what if word in properties]
    fixtures = [word for word in what if word not in properties]
    with usage_errors_explained():
        try:
            chosen = selected_boards(fixtures, known_names_for(cards, cards_first))
        except NoMatch:
            for word in fixtures:
                if near(word, properties):
                    raise no_match("property", word, properties) from None
            raise
    for one in chosen:
        write_lines(scenario_text(one).splitlines(), terminal())
    if laws:
        from conformance.measure.reach import readable_example
        from conformance.mutants import MUTANTS
        from conformance_adapters.in_process import Reference

        for law in laws:
            breakers = [mutant.name for mutant in MUTANTS if mutant.breaks in law.rules]
            write_lines(lines_of_property(law, readable_example(law, Reference().play), breakers), terminal())


@click.command(
    epilog="""\b
Examples:
  conformance explain L-0031
  conformance explain my_board.yaml --of bear
  conformance explain L-0001 --at switched"""
)
@click.argument("what", metavar="ID | FILE")
@click.option("--of", metavar="OBJECT", help="Explain only this object.")
@click.option(
    "--at", "look", default="end", show_default=True, metavar="LOOK", help="Explain the state at this look."
)
@EDITION
@cards_options
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write an HTML page instead, with drawings of the board, the layers and the script.",
)
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the board instead, or with --of the object's path through the layers.",
)
def explain(
    what: str,
    of: str | None,
    look: str,
    edition: str | None,
    cards: tuple[Path, ...],
    cards_first: bool,
    html: Path | None,
    svg: Path | None,
) -> None:
    """Explain what happens in a scenario, and why.

    A file needs a setup, a script, or both, but no title and no expectations. The explanation starts with
    an account of the play, as a judge would give it: what goes on the stack and why, how each cost is
    calculated, what each round of passes leads to, and what does not happen. Then come the layers: the order
    of the effects, the reasons for it, and what each effect changes. The resulting state comes last. Each
    step cites its rule.
    """
    from conformance.commands import explain_and_play
    from conformance.play.selection import NoMatch
    from conformance.report.console import terminal, write_lines

    with usage_errors_explained():
        told = explain_and_play.explain_scenario(what, known_names_for(cards, cards_first), of, look, edition)
        drawings = explain_and_play.write_drawings(told, html, svg)
        write_lines(drawings or told.text.splitlines(), terminal())
        if told.stopped:
            raise NoMatch(f"the play stops at {told.stopped}" + (f"\n    {told.cure}" if told.cure else ""))


@click.command(
    epilog="""\b
Example:
  conformance play my_board.yaml"""
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--of", metavar="OBJECT", help="Explain only this object in words.")
@EDITION
@cards_options
def play(file: Path, of: str | None, edition: str | None, cards: tuple[Path, ...], cards_first: bool) -> None:
    """Show a page that follows a file as you write it.

    Prints the address of a page like that of `explain --html`, drawn anew whenever the file is saved, with
    what `check` finds in it. The page is served to this machine alone. Ctrl-C stops it.
    """
    from conformance.commands.explain_and_play import LivePage, play_live

    with usage_errors_explained():
        play_live(LivePage(file, known_names_for(cards, cards_first), of, edition))


@click.command(
    epilog="""\b
Examples:
  conformance rules --chapter 613
  conformance rules --gaps"""
)
@click.option(
    "--chapter",
    "chapters",
    multiple=True,
    metavar="RULE",
    help="Only this chapter or rule, such as 613, 613.8 or 613.8b.",
)
@click.option("--gaps", is_flag=True, help="Only rules that no fixture or property tests.")
def rules(chapters: tuple[str, ...], gaps: bool) -> None:
    """List rules with the fixtures and properties that test them.

    Each rule of the chapters we cover has a line with its gist, followed by its fixtures and properties.
    If no scenario can show a rule, the reason is given instead.
    """
    from conformance.data.rulebook import CHAPTERS, CITED_CHAPTERS, coverage
    from conformance.play.selection import check_rule, selected_fixtures
    from conformance.properties import PROPERTIES
    from conformance.report.console import terminal, write_lines
    from conformance.report.listings import lines_of_coverage

    with usage_errors_explained():
        for chapter in chapters:
            check_rule(chapter)
        fixtures = [one.fixture for one in selected_fixtures()]
    covered = coverage(fixtures, PROPERTIES, chapters or (*CHAPTERS, *CITED_CHAPTERS))
    write_lines(lines_of_coverage([rule for rule in covered if rule.is_gap or not gaps]), terminal())


@click.command(
    epilog="""\b
Examples:
  conformance docs
  conformance docs protocol"""
)
@click.argument("page", required=False)
def docs(page: str | None) -> None:
    """List the documentation pages, or print one."""
    from conformance.data.documents import page_called, titles
    from conformance.report.console import terminal, write_lines

    with usage_errors_explained():
        if page:
            lines = page_called(page).splitlines()
        else:
            known = titles()
            width = max(map(len, known))
            lines = [f"{name:{width}}  {title}" for name, title in known.items()]
    write_lines(lines, terminal())
