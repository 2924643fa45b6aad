"""Campaigns on a real cluster of processes, with everything killed that can be killed."""

from __future__ import annotations

import functools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import psutil
import pytest

from conformance.campaign import course, store
from conformance.campaign.plan import CampaignEngine, CampaignPlan
from conformance.campaign.shard import play_encoded
from conformance.model.engine import suite_version
from conformance.shards.folder import ShardsError, is_running
from conformance.shards.players import OneByOne

pytestmark = pytest.mark.sweep

pytest.importorskip("distributed")

ENGINE = "mutant:timestamps-only"
CASES = 100


def some_laws() -> tuple[str, ...]:
    """Two laws that the broken engine breaks, and one that it keeps."""
    from conformance.properties import PROPERTIES

    names = [law.name for law in PROPERTIES]
    broken = [name for name in names if "depend" in name][:2]
    return tuple(name for name in names if name in (names[0], *broken))


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "conformance", "campaign", *arguments]


def starting(folder: Path, engine: str, cases: int, *more: str, block: int = 10) -> list[str]:
    laws = [word for law in some_laws() for word in ("--property", law)]
    amount = ["--cases", str(cases), "--block", str(block), "--workers", "2"]
    return command("start", str(folder), "--engine", engine, *amount, *laws, *more)


@functools.cache
def undisturbed() -> tuple[Any, ...]:
    """What the same campaign counts if nothing disturbs it, played in this process."""
    plan = CampaignPlan(
        suite_version(), (CampaignEngine(ENGINE),), some_laws(), seed=0, cases=CASES, block=10
    )
    with tempfile.TemporaryDirectory() as folder:
        store.create(Path(folder), plan)
        with store.open_to_write(Path(folder)) as campaign:
            course.play(campaign, OneByOne(play_encoded), lambda _: None)
        return outcome(Path(folder))


def running(arguments: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def outcome(folder: Path) -> tuple[Any, ...]:
    """What a campaign counted, without the times it took."""
    with store.open_to_read(folder) as campaign:
        totals = [(one.engine, one.shards, one.aside, one.cases, one.plays) for one in campaign.totals()]
        return totals, [(one.kind, one.rule, one.difference, one.times) for one in campaign.causes()]


def until_some_shards(folder: Path, client: subprocess.Popen[bytes], least: int) -> None:
    """Wait until the campaign has counted this many shards."""
    while client.poll() is None:
        try:
            with store.open_to_read(folder) as campaign:
                if sum(one.shards for one in campaign.totals()) >= least:
                    return
        except ShardsError:
            pass
        time.sleep(0.1)


def workers_of(client: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The worker processes of a client."""
    try:
        children = psutil.Process(client.pid).children(recursive=True)
        return [one for one in children if "spawn_main" in " ".join(one.cmdline())]
    except psutil.Error:
        return []


@pytest.mark.nightly
def test_workers_and_clients_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    disturbed = tmp_path / "disturbed"
    client = running(starting(disturbed, ENGINE, CASES), tmp_path)
    until_some_shards(disturbed, client, 4)
    for worker in workers_of(client)[:1]:
        worker.kill()
    until_some_shards(disturbed, client, 6)
    client.send_signal(signal.SIGKILL)
    client.wait()
    resumed = subprocess.run(command("resume", str(disturbed), "--workers", "2"), cwd=tmp_path, check=False)

    assert resumed.returncode == 0
    assert outcome(disturbed) == undisturbed()
    assert undisturbed()[1]


@pytest.mark.nightly
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=str)
def test_interrupted_client_says_how_to_go_on(tmp_path: Path, sent: signal.Signals, code: int) -> None:
    folder = tmp_path / "campaign"
    client = subprocess.Popen(
        starting(folder, ENGINE, 100_000), cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True
    )
    until_some_shards(folder, client, 2)
    if sent == signal.SIGINT:
        os.killpg(client.pid, sent)  # as a terminal does
    else:
        client.send_signal(sent)
    _, said = client.communicate(timeout=300)

    assert client.returncode == code
    assert b"campaign resume" in said
    assert b"Traceback" not in said
    assert not is_running(folder)


@pytest.mark.nightly
def test_engine_that_does_not_start_is_named_and_holds_up_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    toml = f"[engines.dies]\ncommand = {json.dumps([sys.executable, '-c', 'import sys; sys.exit(3)'])}\n"
    (tmp_path / "conformance.toml").write_text(toml)

    arguments = starting(folder, f"dies,{ENGINE}", 60)
    assert subprocess.run(arguments, cwd=tmp_path, check=False).returncode == 0

    with store.open_to_read(folder) as campaign:
        dead, alive = campaign.totals()
        reasons = campaign.reasons("dies")
    assert (0, 6) == (dead.cases, alive.shards)
    assert 50 < alive.cases <= 60  # a shard ends early once it has found three bugs
    assert "no engine" in reasons[0][0]


@pytest.mark.nightly
def test_scheduler_that_is_killed_ends_the_client_and_another_goes_on(tmp_path: Path) -> None:
    disturbed = tmp_path / "disturbed"
    scheduler, worker, address = cluster(tmp_path)
    client = running(at(address, starting(disturbed, ENGINE, CASES)), tmp_path)
    until_some_shards(disturbed, client, 3)
    for process in (scheduler, worker):
        process.kill()
        process.wait()

    assert client.wait(timeout=120) == 3
    resumed = subprocess.run(command("resume", str(disturbed), "--workers", "1"), cwd=tmp_path, check=False)
    assert resumed.returncode == 0
    assert outcome(disturbed) == undisturbed()


@pytest.mark.nightly
def test_lost_connection_ends_the_client_and_the_same_cluster_goes_on(tmp_path: Path) -> None:
    disturbed = tmp_path / "disturbed"
    scheduler, worker, address = cluster(tmp_path)
    try:
        with relay(address) as (through, cut):
            client = running(at(through, starting(disturbed, ENGINE, CASES)), tmp_path)
            until_some_shards(disturbed, client, 3)
            cut()
            assert client.wait(timeout=120) == 3
        again = command("resume", str(disturbed), "--scheduler", address)
        assert subprocess.run(again, cwd=tmp_path, check=False).returncode == 0
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    assert outcome(disturbed) == undisturbed()


def at(address: str, arguments: list[str]) -> list[str]:
    """The same command, on the cluster at this address."""
    where = arguments.index("--workers")
    return [*arguments[:where], "--scheduler", address, *arguments[where + 2 :]]


@contextmanager
def relay(address: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """A way to this address that can be cut: its own address, and the cut."""
    host, port = address.removeprefix("tcp://").rsplit(":", 1)
    listener = socket.create_server(("127.0.0.1", 0))
    ends: list[socket.socket] = [listener]

    def carry(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while some := source.recv(1 << 16):
                sink.sendall(some)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

    def accept() -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection((host, int(port)))
                ends.extend((near, far))
                for pair in ((near, far), (far, near)):
                    Thread(target=carry, args=pair, daemon=True).start()

    def cut() -> None:
        for one in ends:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    Thread(target=accept, daemon=True).start()
    try:
        yield f"tcp://127.0.0.1:{listener.getsockname()[1]}", cut
    finally:
        cut()


def cluster(folder: Path) -> tuple[subprocess.Popen[bytes], subprocess.Popen[bytes], str]:
    """A scheduler and a worker of their own, on loopback."""
    file = folder / "scheduler.json"
    quiet = {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "cwd": folder,
        "env": dict(os.environ),
    }
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    scheduler = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_scheduler", *options], **quiet)  # type: ignore[call-overload]  # options as a dict
    while not file.exists() or not file.read_text().endswith("}"):
        assert scheduler.poll() is None
        time.sleep(0.1)
    of_worker = ["--scheduler-file", str(file), "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    worker = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_worker", *of_worker], **quiet)  # type: ignore[call-overload]  # the same
    return scheduler, worker, json.loads(file.read_text())["address"]
