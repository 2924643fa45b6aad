"""`conformance play`: one page on loopback, redrawn when its file is saved, and nothing else."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec import Struct

from conformance.cli import main
from tests.children import unmeasured

BOARD = """
setup:
  - {id: opalescence, card: Opalescence, controller: alice}
  - {id: humility, card: Humility, controller: bob}
"""
PATIENCE = 60


class Served(Struct):
    """A running command: its process, its file, and where its page is."""

    process: subprocess.Popen[str]
    file: Path
    host: str
    path: str

    def save(self, text: str) -> None:
        """Save the file at once, as an editor does."""
        beside = self.file.with_suffix(".new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(self.file)

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, timeout=PATIENCE)

    def ask(self, path: str, method: str = "GET", host: str | None = None) -> tuple[int, str]:
        """The status and the text of an answer."""
        connection = self.connection()
        connection.request(method, path, headers={} if host is None else {"Host": host})
        answer = connection.getresponse()
        text = answer.read().decode("utf-8")
        connection.close()
        return answer.status, text


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """The running command. In the end it is killed, so there would be nothing left of what it measures."""
    yield from serving(tmp_path, unmeasured())


@pytest.fixture
def measured(tmp_path: Path) -> Iterator[Served]:
    """The running command, of which coverage is measured if it ends by itself."""
    yield from serving(tmp_path, dict(os.environ))


def serving(tmp_path: Path, environment: dict[str, str]) -> Iterator[Served]:
    """The running command, until it is killed."""
    file = tmp_path / "board.yaml"
    file.write_text(BOARD, encoding="utf-8")
    # Where the tests run in the background of a script, SIGINT is ignored, and children would ignore it, too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [sys.executable, "-m", "conformance", "play", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    signal.signal(signal.SIGINT, before)
    assert process.stdout is not None and process.stderr is not None
    address = urlsplit(process.stdout.readline().strip())
    assert "127.0.0.1" == address.hostname, process.stderr.read()
    yield Served(process, file, address.netloc, address.path)
    process.kill()
    process.communicate()


def test_page_is_served_under_its_token_alone_and_may_talk_to_nobody_but_its_server(served: Served) -> None:
    status, page = served.ask(served.path)
    assert (200, True) == (status, "Enchantment Creature" in page)
    assert "connect-src &#39;self&#39;" in page and "default-src &#39;none&#39;" in page
    assert len(served.path.strip("/")) > 20
    others = ("/", "/favicon.ico", served.path[:-2] + "/", served.path + "../", served.path + "style.css")
    assert {404} == {served.ask(path)[0] for path in others}
    assert 405 == served.ask(served.path, "POST")[0]
    assert 404 == served.ask(served.path, host="evil.example")[0]


def next_version(answer: http.client.HTTPResponse) -> str:
    """The next message of a stream of events."""
    line = answer.readline().decode("utf-8")
    assert "\n" == answer.readline().decode("utf-8")
    return line.removeprefix("data: ").strip()


def test_page_is_drawn_again_when_the_file_is_saved(served: Served) -> None:
    connection = served.connection()
    connection.request("GET", f"{served.path}changes")
    changes = connection.getresponse()
    assert "0" == next_version(changes)
    served.save(f"{BOARD}  - {{id: bear, card: Grizly Bears, controller: bob}}\n")
    assert "1" == next_version(changes)
    _, page = served.ask(served.path)
    assert "did you mean &#39;Grizzly Bears&#39;?" in page
    assert "the explanation as it was before" in page and "Enchantment Creature" in page
    served.save(f"{BOARD}  - {{id: bear, card: Grizzly Bears, controller: bob}}\n")
    assert "2" == next_version(changes)
    _, page = served.ask(served.path)
    assert "Grizzly Bears" in page and "did you mean" not in page
    connection.close()


def test_file_that_cannot_be_played_yet_has_a_page_too(served: Served) -> None:
    served.file.unlink()
    connection = served.connection()
    connection.request("GET", f"{served.path}changes")
    changes = connection.getresponse()
    while "1" != next_version(changes):
        pass
    assert "no such file" in served.ask(served.path)[1].casefold()
    connection.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
def test_interruption_ends_it_though_somebody_listens(measured: Served) -> None:
    connection = measured.connection()
    connection.request("GET", f"{measured.path}changes")
    assert "0" == next_version(connection.getresponse())
    measured.process.send_signal(signal.SIGINT)
    _, err = measured.process.communicate(timeout=PATIENCE)
    assert (0, "") == (measured.process.returncode, err)
    connection.close()


def test_without_its_server_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from click.testing import CliRunner

    monkeypatch.setitem(sys.modules, "aiohttp", None)
    monkeypatch.delitem(sys.modules, "conformance.pages.server", raising=False)
    file = tmp_path / "board.yaml"
    file.write_text(BOARD, encoding="utf-8")
    result = CliRunner().invoke(main, ["play", str(file)])
    assert 2 == result.exit_code
    assert "pip install 'mtg-conformance[play]'" in result.output
