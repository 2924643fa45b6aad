"""An engine that misbehaves in one chosen way, for testing programs that talk to engines.

Run `python -m conformance_adapters.torture MODE` (or the file itself; it imports nothing of ours). Apart from
its one fault, it answers like a simple engine that observes nothing. `MODES` describes each fault.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

MODES: dict[str, str] = {
    "good": "does nothing wrong, and sees nothing",
    "exits-at-once": "ends before it says a word",
    "wrong-version": "speaks another version of the protocol",
    "hello-garbage": "greets with a line that is not JSON",
    "hello-nothing": "never greets",
    "hello-unnamed": "greets without its name",
    "flood-before-hello": "writes a log to stdout before it greets",
    "garbage": "answers a scenario with a line that is not JSON",
    "list": "answers with JSON that is not an object",
    "half-line": "dies in the middle of its answer",
    "no-newline": "answers without ending the line, and waits",
    "two-answers": "answers every scenario twice",
    "other-id": "answers with another number than it was asked",
    "late": "answers after the deadline",
    "never": "never answers",
    "huge-line": "answers with a line of a hundred megabytes",
    "deep": "answers with very deep nesting",
    "nan": "answers with something that is not a number",
    "huge-number": "answers with a number of a thousand digits",
    "fraction": "answers with a fraction",
    "twice": "gives a key twice",
    "not-utf8": "answers in Latin-1",
    "half-character": "answers with half of a character pair",
    "null-byte": "has a null byte in its answer",
    "unknown-key": "answers with a key that nobody knows",
    "wrong-type": "answers with a text where a number belongs",
    "stderr-flood": "writes megabytes to stderr, and answers well",
    "stdout-flood": "writes lines without end to stdout",
    "ignores-the-end": "ignores the end of its input, and signals",
    "grandchild": "starts a child of its own that keeps the pipes",
    "daemon": "starts a process that leaves its family and its session, and never answers a scenario",
    "closes-stdout": "closes its output and lives on",
    "stops-reading": "does not read what it is asked",
    "dies-on-third": "dies on the third scenario",
    "dies-always": "dies on every scenario",
    "dies-on-a-card": "dies on scenarios with a certain card",
    "says-error": "answers that it broke",
    "leaks": "lets one scenario's life total leak into the next",
    "random": "answers at random",
    "by-order": "answers by how many scenarios came before",
    "by-clock": "answers by the clock",
    "claims-all": "claims to have every feature, and refuses every card",
    "denies-features": "says that it lacks steps, and knows who is next after a pass",
    "unasked-looks": "reports looks that nobody asked for",
    "misses-looks": "leaves out every look, and says nothing of it",
    "escapes": "has terminal codes and HTML in everything it says",
    "environment": "reports its working folder and a variable as its name and version",
    "grows": "keeps sixty megabytes more with every scenario, and thinks for a moment",
}

JsonObject = dict[str, object]


def main() -> None:
    """Misbehave in the mode named on the command line."""
    mode = sys.argv[1] if len(sys.argv) > 1 else "good"
    if mode not in MODES:
        sys.exit(f"no mode {mode!r}; choose one of: {', '.join(MODES)}")
    if mode == "exits-at-once":
        sys.exit(3)
    if mode == "flood-before-hello":
        for number in range(1000):
            sys.stdout.write(f"[info] loading card {number}\n")
    if mode == "ignores-the-end":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if mode == "daemon":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        become_two()
    if mode == "grandchild":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    talk(mode)
    while mode == "ignores-the-end":
        time.sleep(1)


def become_two() -> None:
    """Start an orphan process, and write both process ids to the file that an environment variable names."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    os.setsid()
    daemon = os.fork()
    if not daemon:
        os.execv(sys.executable, [sys.executable, "-S", "-E", "-c", "import time; time.sleep(600)"])
    Path(os.environ["TORTURE"]).write_text(f"{os.getppid()} {daemon}\n", encoding="utf-8")
    os._exit(0)


def talk(mode: str) -> None:
    """Answer line by line."""
    count = 0
    kept: list[bytes] = []
    for said in sys.stdin:
        request = json.loads(said)
        if request["say"] == "bye" and mode != "ignores-the-end":
            return
        if request["say"] == "hello":
            greet(mode)
        elif request["say"] == "play":
            count += 1
            if mode == "grows":
                kept.append(b"x" * 60_000_000)
                time.sleep(0.3)
            play(mode, request, count)
        sys.stdout.flush()
        if mode == "stops-reading":
            time.sleep(600)


def write(text: str) -> None:
    """Write one line."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def greet(mode: str) -> None:
    """The answer to `hello`."""
    welcome: JsonObject = {
        "protocol": 1,
        "name": "torture",
        "version": "1",
        "takes": ["defined"],
        "lacks": [],
    }
    if mode == "hello-garbage":
        write("Welcome to my engine!")
    elif mode == "hello-nothing":
        time.sleep(600)
    else:
        if mode == "wrong-version":
            welcome["protocol"] = 99
        if mode == "denies-features":
            welcome["lacks"] = ["steps"]
        if mode == "hello-unnamed":
            del welcome["name"]
        if mode == "escapes":
            welcome |= {"name": "\x1b[31mred\x1b[0m<script>alert(1)</script>", "version": "\x07\u202e1"}
        if mode == "environment":
            welcome |= {"name": str(Path.cwd()), "version": os.environ.get("TORTURE", "")}
        write(json.dumps(welcome))


def life_total_answer(request: JsonObject, life: int | None = None) -> JsonObject:
    """An answer that reports a player's life total and nothing else."""
    scenario = request["scenario"]
    assert isinstance(scenario, dict)
    player = scenario["players"][0]
    looks = {want["look"] for want in scenario.get("wants", ())} | {"end"}
    life = player.get("life", 20) if life is None else life
    return {
        "id": request["id"],
        "looks": {look: {"players": {player["id"]: {"life": life}}} for look in sorted(looks)},
    }


def after_a_pass(request: JsonObject) -> JsonObject:
    """An answer that reports who has priority after a single pass, and cannot play anything else."""
    scenario = request["scenario"]
    assert isinstance(scenario, dict)
    seats = [player["id"] for player in scenario["players"]]
    match scenario.get("script", []):
        case [{"do": "pass", "who": who}] if who in seats:
            following = seats[(seats.index(who) + 1) % len(seats)]
            table = {"priority": following, "step": scenario["start"].get("step", "precombat main")}
            return {"id": request["id"], "looks": {"end": {"table": table}}}
        case _:
            return {"id": request["id"], "stopped": {"at": 0, "why": "unsupported", "says": "not that"}}


LATIN = b'{"id": 1, "error": "caf\xe9"}\n'


def play(mode: str, request: JsonObject, count: int) -> None:
    """The answer to `play`."""
    good = life_total_answer(request)
    id = request["id"]
    raw: dict[str, Callable[[], str]] = {
        "garbage": lambda: "Traceback (most recent call last):",
        "list": lambda: "[]",
        "deep": lambda: f'{{"id": {id}, "looks": {"[" * 50_000}{"]" * 50_000}}}',
        "nan": lambda: f'{{"id": {id}, "looks": NaN}}',
        "huge-number": lambda: f'{{"id": {"9" * 1000}}}',
        "fraction": lambda: f'{{"id": {id}.5}}',
        "twice": lambda: f'{{"id": {id}, "id": {id}}}',
        "half-character": lambda: f'{{"id": {id}, "error": "\\ud800"}}',
        "null-byte": lambda: f'{{"id": {id}}}\0',
        "unknown-key": lambda: json.dumps({**good, "score": 7}),
        "wrong-type": lambda: json.dumps(
            {"id": id, "looks": {"end": {"players": {"alice": {"life": "20"}}}}}
        ),
        "other-id": lambda: json.dumps({**good, "id": 77}),
        "says-error": lambda: json.dumps({"id": id, "error": "a null pointer, of all things"}),
        "random": lambda: json.dumps(life_total_answer(request, random.randrange(10**9))),
        "by-order": lambda: json.dumps(life_total_answer(request, count)),
        "leaks": lambda: json.dumps(life_total_answer(request, 20 + count)),
        "by-clock": lambda: json.dumps(life_total_answer(request, time.time_ns() % 10**9)),
        "claims-all": lambda: json.dumps(
            {"id": id, "stopped": {"at": 0, "why": "unsupported", "says": "no such card"}}
        ),
        "denies-features": lambda: json.dumps(after_a_pass(request)),
        "misses-looks": lambda: json.dumps({"id": id}),
        "unasked-looks": lambda: json.dumps(
            {**good, "looks": {**good["looks"], "dream": {}}}  # type: ignore[dict-item]  # a map of looks
        ),
        "escapes": lambda: json.dumps(
            {"id": id, "error": "\x1b[2J\x1b[31m<img src=x onerror=alert(1)>\u202e\x07"}
        ),
    }
    match mode:
        case "half-line":
            sys.stdout.write('{"id": 1, "lo')
            sys.stdout.flush()
            os._exit(1)
        case "no-newline":
            sys.stdout.write(json.dumps(good))
            sys.stdout.flush()
            time.sleep(600)
        case "late":
            time.sleep(30)
            write(json.dumps(good))
        case "never" | "daemon":
            time.sleep(600)
        case "huge-line":
            for _ in range(100):
                sys.stdout.write("x" * 1024 * 1024)
            write("")
        case "not-utf8":
            sys.stdout.buffer.write(LATIN)
        case "two-answers":
            write(json.dumps(good))
            write(json.dumps(good))
        case "stderr-flood":
            for _ in range(200):
                sys.stderr.write("a log line of an engine that says too much\n" * 1000)
            write(json.dumps(good))
        case "stdout-flood":
            while True:
                write("[info] thinking")
        case "closes-stdout":
            os.close(1)
            time.sleep(600)
        case "dies-on-third" if count == 3:
            os._exit(9)
        case "dies-always":
            os._exit(9)
        case "dies-on-a-card" if "Test Deadly Card" in json.dumps(request):
            os._exit(9)
        case _:
            write(raw[mode]() if mode in raw else json.dumps(good))


if __name__ == "__main__":
    main()
