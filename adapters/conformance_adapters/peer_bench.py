"""Measures engines beside one another: the same work on each in turn, through the same kind of pipe.

Every engine runs in processes of its own. In each round each engine plays each work for a while, and the next
round begins with the next engine, so that other load on the machine affects all of them equally. A scenario
is measured only if it is played by every engine that plays any scenario of the same work.

Rounds are shards of a list of work (`conformance.shards.lists`), so they can be kept, continued and joined.
Because time is what they measure, they are played one after another in this process, never side by side, and
rounds of different machines are not put into one report.

The empty engine stands for the hardware's limit: a child that finds the stored answer to each line and sends
it. What the suite itself does (writing, reading and checking lines) is the same for all.
"""

from __future__ import annotations

import contextlib
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import msgspec
import psutil
from msgspec import Struct

from conformance.data.library import all_fixtures
from conformance.measure.speed import board_to_look_at, small_scripts, variants
from conformance.model.engine import CannotPlay, Engine, EngineFailure, EngineInfo, close, suite_version
from conformance.model.peer_report import EMPTY_ENGINE, PeerReport, PeerStart, PeerTiming
from conformance.model.scenario import Play
from conformance.shards.folder import ShardsError
from conformance.shards.lists import ListPlan, play_list
from conformance.shards.players import processes
from conformance_adapters import wire
from conformance_adapters.in_process import Reference
from conformance_adapters.stdio import Command, StdioEngine

PEER_ROUNDS = 5
SECONDS_OF_A_TURN = 0.3
"""Seconds for which an engine plays one work in a round; it plays each scenario at least once."""
SIZES_TO_SET_UP = (10, 100, 1_000)
"""Numbers of creatures on the boards."""
ONE_FIXTURE_IN = 40
"""Sampling interval of the gate: every fortieth fixture is played."""
EMPTY_CHILD = """
import re, sys
answers = dict(line.rstrip(b"\\n").split(b"\\t", 1) for line in open(sys.argv[1], "rb"))
number = re.compile(rb'"id":([0-9]+)')
for line in sys.stdin.buffer:
    found = number.search(line)
    if b'"say":"bye"' in line[:20]:
        break
    if found is None or b'"say":"hello"' in line[:20]:
        answer = answers[b""]
    else:
        asked = line[: found.start()] + line[found.end() :].rstrip(b"\\n")
        answer = answers[asked].replace(b'"id":0', found[0], 1)
    sys.stdout.buffer.write(answer + b"\\n")
    sys.stdout.buffer.flush()
"""
"""A child that answers each line with the stored answer to that line."""


class Work(Struct, frozen=True):
    """Scenarios that are measured together."""

    name: str
    plays: tuple[Play, ...]


def all_work(sizes: Sequence[int] = SIZES_TO_SET_UP, every: int = ONE_FIXTURE_IN) -> tuple[Work, ...]:
    """Three small scripts, growing boards of two kinds, and a sample of the gate."""
    scripts = (Work(name, variants(play)) for name, play in small_scripts().items())
    boards = (
        Work(f"{size:,} creatures with {kind}, set up and looked at", variants(board_to_look_at(kind, size)))
        for kind in ("anthems", "lords")
        for size in sizes
    )
    sample = tuple(fixture.play for fixture in list(all_fixtures().values())[::every])
    return (*scripts, *boards, Work("a sample of the gate", sample))


class Peer:
    """An engine being measured, with the processes that belong to it."""

    def __init__(self, name: str, engine: Engine) -> None:
        self.name = name
        self.engine = engine
        self.roots: set[int] = set()

    @contextmanager
    def starting(self) -> Iterator[None]:
        """Count the processes that start in this block as this engine's."""
        before = children_of_ours()
        try:
            yield
        finally:
            self.roots |= children_of_ours() - before

    def plays(self, play: Play) -> float | None:
        """Seconds for a play; `None` if the engine does not play it."""
        begin = time.perf_counter()
        try:
            with self.starting():
                seen = self.engine.play(play)
        except (CannotPlay, EngineFailure):
            return None
        took = time.perf_counter() - begin
        return None if seen.stopped is not None and seen.stopped.why == "unsupported" else took

    def processor_time(self) -> float:
        """Processor time of all its processes so far."""
        total = 0.0
        for pid in self.roots:
            with contextlib.suppress(psutil.Error):
                root = psutil.Process(pid)
                for process in (root, *root.children(recursive=True)):
                    with contextlib.suppress(psutil.Error):
                        times = process.cpu_times()
                        total += times.user + times.system
        return total


def children_of_ours() -> set[int]:
    """The processes that this one has started."""
    return {child.pid for child in psutil.Process().children()}


class Measurement(Struct):
    """The measurements so far of one engine on one work."""

    engine: str
    work: str
    times: list[float] = []
    processor: float = 0.0
    ours: float = 0.0


class PeerRound(Struct, frozen=True):
    """One round: each engine at each work for a while."""

    machine: str
    load: float | None
    starts: tuple[PeerStart, ...]
    """The startup of the engines that played this round."""
    not_played: tuple[tuple[str, str], ...]
    """Engines, each with a work that it does not play, or at which it failed in this round."""
    numbers: tuple[tuple[str, int], ...]
    measured: tuple[Measurement, ...]


def peer_report(
    engines: Mapping[str, Engine],
    work: Sequence[Work],
    rounds: int,
    described: Callable[[Engine, str], EngineInfo],
    turn: float = SECONDS_OF_A_TURN,
    folder: Path | None = None,
    part: tuple[int, int] = (1, 1),
) -> PeerReport:
    """The report on these engines and the empty engine.

    `described` returns an engine's description of itself. A folder keeps rounds and continues from them.
    Raises `ShardsError` if not all rounds could be played, or if they cannot be put into one report.
    """
    found: list[PeerRound] = []

    def tell(_: tuple[str, ...], result: bytes) -> None:
        found.append(msgspec.json.decode(result, type=PeerRound))

    with ExitStack() as ended:
        # Nothing starts before the first round is asked for: a folder may have them all.
        field: list[Field] = []

        def played(numbers: tuple[str, ...]) -> bytes:
            if not field:
                field.append(ended.enter_context(started_field(engines, work, described)))
            return msgspec.json.encode(field[0].round(int(numbers[0]), turn))

        settings = msgspec.json.encode(([*engines], [one.name for one in work], turn)).decode()
        items = tuple(map(str, range(rounds)))
        plan = ListPlan(suite_version(), "conformance bench peers", settings, items, part=part)
        ending = play_list(plan, played, partial(processes, 1), folder, tell)
    if ending != "done" or not found:
        why = ending if ending != "done" else f"part {part[0]} of {part[1]} has no rounds"
        raise ShardsError(f"{why}\n    the same command with the same folder continues")
    return report_on(found)


class Field(Struct, frozen=True):
    """The engines that are measured, started and warm, and what they play."""

    peers: Sequence[Peer]
    starts: tuple[PeerStart, ...]
    playable: Mapping[str, tuple[tuple[Play, ...], list[Peer]]]

    def round(self, number: int, turn: float) -> PeerRound:
        """Play one round."""
        measured, failed = [], set()
        for name, (plays, able) in self.playable.items():
            first = number % max(len(able), 1)
            for peer in able[first:] + able[:first]:
                found = Measurement(peer.name, name)
                try:
                    take_turn(peer, plays, turn, found)
                    measured.append(found)
                except EngineFailure:
                    failed.add((peer.name, name))
        return PeerRound(
            machine=f"{platform.node()}, {os.cpu_count()} cores",
            load=os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else None,
            starts=self.starts,
            not_played=tuple(
                (peer.name, name)
                for name, (_, able) in self.playable.items()
                for peer in self.peers
                if peer not in able or (peer.name, name) in failed
            ),
            numbers=tuple((name, len(plays)) for name, (plays, _) in self.playable.items()),
            measured=tuple(measured),
        )


@contextmanager
def started_field(
    engines: Mapping[str, Engine], work: Sequence[Work], described: Callable[[Engine, str], EngineInfo]
) -> Iterator[Field]:
    """These engines and the empty engine, started and warm."""
    with empty_engine([play for one in work for play in one.plays]) as empty:
        peers = [Peer(name, engine) for name, engine in {**engines, EMPTY_ENGINE: empty}.items()]
        starts = tuple(start_of_peer(peer, work, described) for peer in peers)
        yield Field(peers, starts, {one.name: playable_by(peers, one) for one in work})


def report_on(rounds: Sequence[PeerRound]) -> PeerReport:
    """The report on these rounds. Raises `ShardsError` if they cannot be compared."""
    first, last = rounds[0], rounds[-1]
    for one in rounds:
        if one.machine != first.machine:
            raise ShardsError(
                f"rounds of two machines: {first.machine} and {one.machine}"
                "\n    compare engines on one machine; make a report for each"
            )
        if one.numbers != first.numbers:
            raise ShardsError(
                "the engines did not play the same scenarios in all rounds"
                "\n    measure again in another folder"
            )
    not_played = tuple(dict.fromkeys(pair for one in rounds for pair in one.not_played))
    whole: dict[tuple[str, str], Measurement] = {}
    for engine, work in ((peer.engine, name) for name, _ in first.numbers for peer in first.starts):
        parts = [one for each in rounds for one in each.measured if (one.engine, one.work) == (engine, work)]
        if parts and (engine, work) not in not_played:
            whole[engine, work] = Measurement(
                engine,
                work,
                [seconds for one in parts for seconds in one.times],
                sum(one.processor for one in parts),
                sum(one.ours for one in parts),
            )
    return PeerReport(
        rounds=len(rounds),
        load=last.load,
        starts=first.starts,
        timings=tuple(timing(engine, work, found) for (engine, work), found in whole.items()),
        not_played=not_played,
        numbers=first.numbers,
    )


def start_of_peer(
    peer: Peer, work: Sequence[Work], described: Callable[[Engine, str], EngineInfo]
) -> PeerStart:
    """The startup of an engine: the time until it has described itself, and the time of its first play."""
    begin = time.perf_counter()
    with peer.starting():
        info = described(peer.engine, peer.name)
    start = time.perf_counter() - begin
    plays = (play for one in work for play in one.plays)
    first = next((took for play in plays if (took := peer.plays(play)) is not None), None)
    return PeerStart(peer.name, f"{info.name} {info.version}", start, first)


def playable_by(peers: Sequence[Peer], work: Work) -> tuple[tuple[Play, ...], list[Peer]]:
    """The scenarios of some work to measure, and the engines that play them. Plays everything once, as a
    warm-up.
    """
    played = {peer.name: {n for n, play in enumerate(work.plays) if peer.plays(play)} for peer in peers}
    able = [peer for peer in peers if played[peer.name]]
    common = set(range(len(work.plays))).intersection(*(played[peer.name] for peer in able))
    return tuple(work.plays[n] for n in sorted(common)), able if common else []


def take_turn(peer: Peer, plays: Sequence[Play], turn: float, found: Measurement) -> None:
    """Let an engine play for `turn` seconds, and add the measurements to `found`.

    Raises `EngineFailure` if it crashes or hangs.
    """
    before, ours, until = peer.processor_time(), time.process_time(), time.perf_counter() + turn
    times: list[float] = []
    while not times or time.perf_counter() < until:
        for play in plays:
            begin = time.perf_counter()
            with contextlib.suppress(CannotPlay):
                peer.engine.play(play)
            times.append(time.perf_counter() - begin)
    found.ours += time.process_time() - ours
    found.processor += peer.processor_time() - before
    found.times = [*found.times, *times]


def timing(peer: str, work: str, found: Measurement) -> PeerTiming:
    """The figures of one engine for one work."""
    times = sorted(found.times)
    tenth = len(times) // 10
    return PeerTiming(
        engine=peer,
        work=work,
        plays=len(times),
        median=statistics.median(times),
        fast=times[tenth],
        slow=times[-1 - tenth],
        processor=found.processor / len(times),
        ours=found.ours / len(times),
    )


@contextmanager
def empty_engine(plays: Sequence[Play]) -> Iterator[Engine]:
    """An engine that knows the reference engine's answers to these scenarios, and does nothing else."""
    reference = Reference()
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "answers"
        with stored.open("wb") as file:
            welcome = wire.line(wire.Welcome(wire.PROTOCOL, "empty", "1"))
            file.write(b"\t" + welcome)
            for play in plays:
                asked = wire.line(wire.PlayThis(0, play)).rstrip(b"\n").replace(b'"id":0', b"", 1)
                file.write(asked + b"\t" + wire.line(wire.answer_with(0, reference.play(play))))
        engine = StdioEngine(
            Command((sys.executable, "-S", "-E", "-c", EMPTY_CHILD, str(stored))), suite_version()
        )
        try:
            yield engine
        finally:
            close(engine)
