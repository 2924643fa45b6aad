"""The command line: which command is in which module of `conformance/commands`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from conformance.model.version import VERSION

AFTER_CTRL_C = 130
"""The exit code after Ctrl-C: what a shell reports for SIGINT."""
COMMANDS: Mapping[str, str] = {
    "bench": "measuring:bench",
    "campaign": "campaigns:campaign",
    "cards": "cards:cards",
    "check": "files:check",
    "compare": "running:compare",
    "docs": "browsing:docs",
    "doctor": "authors:doctor",
    "explain": "browsing:explain",
    "export": "files:export",
    "import": "importing:import_",
    "init-adapter": "authors:init_adapter",
    "list": "browsing:list_",
    "mutants": "measuring:mutants",
    "play": "browsing:play",
    "promote": "files:promote",
    "reach": "measuring:reach",
    "record": "authors:record",
    "rules": "browsing:rules",
    "run": "running:run",
    "show": "browsing:show",
    "site": "files:site",
}
"""Each command's module and function."""


class ImportedCommands(click.Group):
    """A group that imports a command's module when the command is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, as help lists them."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, or None."""
        if cmd_name in COMMANDS:
            return imported_command(cmd_name)
        self.commands = {name: imported_command(name) for name in COMMANDS}  # Click suggests one of them
        return None

    def make_context(self, *arguments: Any, **named: Any) -> click.Context:
        """Read the command line."""
        with interruption_as_exit_code():
            return super().make_context(*arguments, **named)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command."""
        with interruption_as_exit_code():
            return super().invoke(ctx)


@contextmanager
def interruption_as_exit_code() -> Iterator[None]:
    """An interruption has an exit code of its own: Click's means that an engine failed."""
    try:
        yield
    except KeyboardInterrupt as stop:
        raise SystemExit(getattr(stop, "exit_code", AFTER_CTRL_C)) from None


def imported_command(name: str) -> click.Command:
    """One of our commands, from its module."""
    module, _, function = COMMANDS[name].partition(":")
    command = getattr(import_module(f"conformance.commands.{module}"), function)
    assert isinstance(command, click.Command)
    return command


@click.group(cls=ImportedCommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="%(version)s")
def main() -> None:
    """Conformance tests for Magic rules engines: layers, priority, and the reason for every result."""
