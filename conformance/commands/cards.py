"""The commands about cards: `cards list`, `cards show` and `cards read`."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import click

from conformance.commands.arguments import usage_errors_explained


class ListByDefault(click.Group):
    """A group whose default command is `list`, for arguments that do not begin with the name of a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Like any group, but with `list` inserted if no command is named."""
        named = args[:1] and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else ["list", *args])


@click.group(
    cls=ListByDefault,
    epilog="""\b
Examples:
  conformance cards
  conformance cards "basic land"
  conformance cards --names
  conformance cards --used --names
  conformance cards show Blood Moon""",
)
def cards() -> None:
    """List, show and read cards.

    `cards [WORD]` is short for `cards list [WORD]`.
    """


@cards.command("list")
@click.argument("words", nargs=-1, metavar="[WORD]")
@click.option("--names", is_flag=True, help="Print only the names, one per line.")
@click.option("--used", is_flag=True, help="List only the cards that the suite's fixtures use.")
def list_cards(words: tuple[str, ...], names: bool, used: bool) -> None:
    """List the real cards that scenarios can use by name.

    WORD selects the cards that contain it in their name, cost, type line or rules text.
    """
    from conformance.data.card_index import cards_with, lines_of_cards
    from conformance.data.library import real_cards
    from conformance.play.selection import every_fixture
    from conformance.report.console import terminal, write_lines

    with usage_errors_explained():
        cards = real_cards()
        if used:
            in_play = [card for fixture in every_fixture() for card in fixture.play.cards]
            cards = {card.definition.name: card.definition for card in in_play if card.real}
        found = cards_with(" ".join(words), cards)
    write_lines((card.name for card in found) if names else lines_of_cards(found), terminal())


@cards.command("show")
@click.argument("words", nargs=-1, required=True, metavar="NAME")
def show_card(words: tuple[str, ...]) -> None:
    """Show a real card: its rules text and its definition.

    A scenario can define a similar card of its own under `cards:`, named `Test …`.
    """
    from conformance.data.card_index import card_called, page_of_card
    from conformance.data.library import real_cards
    from conformance.report.console import terminal, write_lines

    with usage_errors_explained():
        card = card_called(" ".join(words), real_cards())
    write_lines(page_of_card(card), terminal())


@cards.command(
    epilog="""\b
Examples:
  conformance cards read oracle-cards.json --out cards.jsonl
  conformance cards read AtomicCards.json --top 100

\b
Exits with 0, or with 2 if the file cannot be read."""
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the definitions to this file: JSON or JSON lines if its name ends in .json or .jsonl, "
    "otherwise YAML.",
)
@click.option(
    "--top", default=20, show_default=True, type=click.IntRange(0), help="Number of patterns to show."
)
@click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="Number of processes.  [default: one per core]"
)
def read(file: Path, out: Path | None, top: int, jobs: int | None) -> None:
    """Convert printed cards to definitions.

    FILE is a bulk file from Scryfall (oracle cards) or MTGJSON (AtomicCards), or has one such card per line.
    A card counts as read only if the text generated from its definition equals the printed text, both in a
    normal form (`conformance docs reading`). Lists the patterns that keep the most cards from being read,
    then the counts.
    """
    from conformance.reading import printed_cards, read_into
    from conformance.reading.outcome import form_of, lines_of
    from conformance.report.console import terminal, write_lines
    from conformance.report.progress import of_file
    from conformance.report.whole_file import output_replacing

    with usage_errors_explained(), ExitStack() as opened:
        source = opened.enter_context(file.open("rb"))
        target = None if out is None else opened.enter_context(output_replacing(out))
        printed = of_file(source, printed_cards(source, str(file)), terminal())
        outcome = read_into(printed, target, form_of(out), str(out), jobs or os.cpu_count() or 1)
    write_lines(lines_of(outcome, top), terminal())
