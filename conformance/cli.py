"""Arguments in, an exit code out: one small function a command. What it needs it imports itself."""

from __future__ import annotations

from pathlib import Path

import click


@click.group()
def main() -> None:
    """A conformance suite for Magic rules engines: layers, priority, and the reason for every answer."""


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def check(files: tuple[Path, ...]) -> None:
    """Check scenario and card files: each problem with its place and its cure.

    Folders stand for all the files in them. Ends with 0 if nothing is wrong, else with 2.
    """
    from conformance.library import problems_in

    count = 0
    for file in files:
        for path in sorted(file.rglob("*.yaml")) if file.is_dir() else [file]:
            for problem in problems_in(path):
                count += 1
                click.echo(str(problem), err=True)
    if count:
        raise SystemExit(2)
