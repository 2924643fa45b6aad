"""Arguments that several commands take, and the error for invalid ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from conformance.report.console import write_error

if TYPE_CHECKING:
    from conformance.checks.names import KnownNames
    from conformance.gate.config import Config


class Usage(click.ClickException):
    """The arguments are invalid; the command exits with 2."""

    exit_code = 2

    def show(self, file: IO[str] | None = None) -> None:
        """Print only the reason, so that the line begins with the file's name and editors can follow it."""
        write_error(self.message)


@contextmanager
def usage_errors_explained() -> Iterator[None]:
    """End the command with the reason if an argument is invalid, or a file cannot be read or written."""
    try:
        yield
    except OSError as error:
        if error.filename is None:  # not about a file: nobody reads our pipe any more
            raise
        raise Usage(f"{error.filename}: {error.strerror}") from None
    except Exception as error:  # which types these are is imported only now; all others go on
        if isinstance(error, faults_of_users()):
            raise Usage(str(error)) from None
        raise


def faults_of_users() -> tuple[type[Exception], ...]:
    """The exceptions that a user's input can cause; imported only once one is raised."""
    from conformance.data.card_index import NoSuchCard
    from conformance.data.documents import NoSuchPage
    from conformance.gate.config import NoEngine
    from conformance.model.engine import CannotPlay
    from conformance.model.problems import ScenarioError
    from conformance.play.journal import JournalError
    from conformance.play.selection import NoMatch
    from conformance.run.session import Refusal
    from conformance_adapters import UnknownEngine

    return (
        *(NoMatch, NoSuchCard, NoSuchPage),
        *(UnknownEngine, NoEngine, ScenarioError, CannotPlay, JournalError, Refusal),
    )


SEED = click.option(
    "--seed",
    type=int,
    metavar="N",
    default=0,
    show_default=True,
    help="Seed of the random generator.",
)


def known_names_for(cards: tuple[Path, ...], first: bool, config: Config | None = None) -> KnownNames | None:
    """What scenarios can use, with the cards of these files, or of those that conformance.toml names.

    None if there are none. Prints which of them differ from ours of the same name.
    """
    from conformance.gate.config import found_config

    with usage_errors_explained():
        config = config or found_config(Path.cwd())
        if not cards and not config.cards:
            return None
        from conformance.data.own_cards import differences_from_ours, known_names_with, own_cards

        own = own_cards(cards or config.cards)
        first = first or (config.cards_first and not cards)
        differences = differences_from_ours(own, first=first)
        if differences:
            write_error(differences)
        return known_names_with(own, first=first)
