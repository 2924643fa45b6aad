"""Every file in `fixtures/refused` gets exactly the message in its first lines."""

from pathlib import Path

import pytest

from conformance.data.compiled import fixtures_folder
from conformance.data.loading import problems_in
from conformance_adapters.in_process import findings_when_played

FILES = sorted((fixtures_folder() / "refused").glob("*.yaml"))
PLAYED = sorted((fixtures_folder() / "refused/played").glob("*.yaml"))


def message_in(path: Path) -> str:
    """The message that a file must get: its comment lines at the top."""
    lines = path.read_bytes().decode(errors="replace").split("\n")
    message = [line.removeprefix("# ") for line in lines if line.startswith("# ")]
    return "\n".join(message[: next(n for n, line in enumerate(lines) if not line.startswith("# "))])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_wrong_file_gets_its_message(path: Path) -> None:
    expected = message_in(path)
    observed = [str(problem).split(".yaml:", 1)[1] for problem in problems_in(path)]
    assert expected == "\n".join(observed)


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_what_only_playing_shows_gets_its_message(path: Path) -> None:
    assert () == problems_in(path)
    observed = [str(problem).split(".yaml:", 1)[1] for problem in problems_in(path, findings_when_played)]
    assert len(observed) == 1
    assert observed[0].startswith(message_in(path))


def test_there_are_many() -> None:
    assert len(FILES) >= 60
