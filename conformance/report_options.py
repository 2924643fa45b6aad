"""The options of a command that writes reports; apart from `reports`, so that help comes at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., object])

OPTIONS = {
    "json": "Write each event of the run as a line of JSON, as it comes.",
    "junit": "Write the results as JUnit XML.",
    "markdown": "Write a summary as Markdown; $GITHUB_STEP_SUMMARY is added to.",
    "badge": "Write a badge: a picture as FILE.svg, or FILE.json for shields.io.",
}


def report_options(command: Command) -> Command:
    """A command with an option for each report: `json`, `junit`, and so on."""
    for name, help in reversed(OPTIONS.items()):
        file = click.Path(dir_okay=False, path_type=Path)
        command = click.option(f"--{name}", metavar="FILE", type=file, help=help)(command)
    return command
