"""Lines with which an engine could block us or fill the memory, and the cost of reading one.

`python -m tests.hostile_lines NAME...` reads each of these lines (or else all) as an answer in a process of
its own, and prints the seconds of processor time and the bytes of memory used; a file it checks.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import random
import resource
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

LONGEST = 16 * 1024 * 1024
MOST_SIGNS = 1_000_000


def full(begin: str, part: str, end: str = "") -> bytes:
    """A line of maximum length: a beginning, as many repetitions of a part as fit, and an end."""
    room = LONGEST - len(begin.encode()) - len(end.encode())
    return begin.encode() + part.encode() * (room // len(part.encode())) + end.encode()


def counted(begin: str, part: str, end: str, most: int = LONGEST) -> bytes:
    """The same with commas between the parts, and with `#` in each part replaced by its number."""
    before, number, after = part.partition("#")
    room = most - len(begin) - len(end)
    if not number:
        return (begin + ",".join([part] * (room // len(f"{part},"))) + end).encode()
    count = 0
    for digits in range(1, len(str(most))):
        numbers = 10**digits - count
        fit = min(numbers, room // (len(part) + digits))
        count += fit
        room -= fit * (len(part) + digits)
        if fit < numbers:
            break
    between = f"{after},{before}"
    return (begin + before + between.join(map(str, range(count))) + after + end).encode()


def drawn(seed: int) -> bytes:
    """A line of random pieces of JSON, with as many bytes, or quotes, commas and brackets, as allowed."""
    draw = random.Random(seed)
    signs = ['{"id":', '"looks":', "{", "}", "[", "]", ",", ":", '"', "\\", '\\"', "\\u0000", "\\ud800"]
    signs += [
        "1",
        "-",
        "1.5",
        "1e9",
        "NaN",
        "null",
        "true",
        " ",
        "\n",
        "\t",
        "é",
        "\U0001f409",
        "\ufeff",
        "/*",
    ]
    some = draw.sample(signs, draw.randint(1, 5))
    part = "".join(draw.choice(some) for _ in range(100_000)).encode()
    counted = sum(part.count(sign) for sign in (b'"', b",", b"[", b"{"))
    size = min(LONGEST, (MOST_SIGNS - 10) * len(part) // max(counted, 1))
    return (b'{"id":1,"looks":' * draw.randint(0, 1) + part * (size // len(part) + 1))[:size]


SEEDS = range(12)
LINES: Mapping[str, Callable[[], bytes]] = {
    "one key, again and again": lambda: full('{"id":1', ',"id":1', "}"),
    "the last of many keys twice": lambda: counted('{"a":0,"a":0,', '"#":0', "}"),
    "many keys, each twice": lambda: counted("{", '"#":{"a":0,"a":0}', "}"),
    "brackets and a text that never ends": lambda: full("[" * 201 + '"', '\\"'),
    "as many quotes in it as are read": lambda: full("[" * 201 + '"', '\\"')[:1_900_000],
    "the same with a backslash at its end": lambda: full("[" * 201 + '"', '\\"')[:1_900_000] + b"\\",
    "quotes that are never closed": lambda: full("[" * 201, '"a\\"'),
    "fractions": lambda: full('{"id":1,"unused":[1', ",1.5", "]}"),
    "numbers that are none": lambda: full('{"id":1,"unused":[1', ",NaN", "]}"),
    "numbers too long": lambda: full('{"id":1,"unused":[1', f",{'9' * 16}", "]}"),
    "null characters": lambda: full('{"id":1,"error":["', '","\\u0000', '"]}'),
    "halves of characters as keys": lambda: counted('{"id":1,', '"\\ud800#":0', "}"),
    "one unknown key": lambda: full('{"id":1,"', "k", '":1}'),
    "one unknown key of dragons": lambda: full('{"id":1,"', "\U0001f409", '":1}'),
    "unknown keys": lambda: counted('{"id":1,', '"#k":1', "}"),
    "players": lambda: counted('{"id":1,"looks":{"end":{"players":{', '"#":{}', "}}}}"),
    "objects": lambda: counted('{"id":1,"looks":{"end":{"objects":{', '"#":{}', "}}}}"),
    "looks": lambda: counted('{"id":1,"looks":{', '"#":{}', "}}"),
    "as many looks as are read": lambda: counted('{"id":1,"looks":{', '"#":{}', "}}", 2_700_000),
    "as many objects as are read": lambda: counted(
        '{"id":1,"looks":{"end":{"objects":{', '"#":{"power":1}', "}}}}", 3_000_000
    ),
    "as many doubles as are read": lambda: counted("{", '"#":{"a":0,"a":0}', "}", 2_500_000),
    "as many fractions as are read": lambda: full('{"id":1,"unused":[1', ",1.5", "]}")[:3_900_000] + b"]}",
    "as many null characters as are read": lambda: counted(
        '{"id":1,"unused":[', '"\\u0000"', "]}", 2_900_000
    ),
    "as many wrong texts as are read": lambda: counted('{"id":1,"unused":[', '"#"', "]}", 2_600_000),
    "tries": lambda: counted('{"id":1,"tried":{', '"#":"done"', "}}"),
    "a stack": lambda: counted('{"id":1,"looks":{"end":{"table":{"stack":[', '"#"', "]}}}}"),
    "a stack of long texts": lambda: full(
        '{"id":1,"looks":{"end":{"table":{"stack":["', f'{"é" * 49_000}","', '"]}}}}'
    ),
    "a stack of dragons": lambda: full(
        '{"id":1,"looks":{"end":{"table":{"stack":["', "\U0001f409" + "a" * 99_000 + '","', '"]}}}}'
    ),
    "one error": lambda: full('{"id":1,"error":"', "no ", '"}'),
    "a word that is none": lambda: full('{"id":1,"tried":{"a":"', "done", '"}}'),
    "one number": lambda: full('{"id":', "9", "}"),
    "one fraction": lambda: full('{"id":1.', "9", "}"),
    "spaces": lambda: full("", " "),
    "spaces and an answer": lambda: full('{"id":1', " ", "}"),
    "backslashes": lambda: full('{"id":"', "\\"),
    "quotes": lambda: full("", '"'),
    "commas": lambda: full("[", ","),
    "colons": lambda: full("{", ":"),
    "empty lists": lambda: full("[[]", ",[]", "]"),
    "empty maps": lambda: full("[{}", ",{}", "]"),
    "open brackets": lambda: full("", "["),
    "open maps": lambda: full("", '{"a":'),
    "nested to the limit, many times": lambda: full("[0", "," + "[" * 190 + "]" * 190, "]"),
    "bytes that are no text": lambda: b"\xff" * LONGEST,
    "cut off in a character": lambda: full('{"id":1,"error":"', "é") + b"\xc3",
    "null bytes": lambda: b"\0" * LONGEST,
    **{f"drawn {seed}": (lambda seed=seed: drawn(seed)) for seed in SEEDS},  # type: ignore[misc]  # a lambda
}


def cost_of_reading(line: bytes) -> tuple[float, int, str]:
    """The seconds and bytes used by this process to read a line, and the resulting message."""
    from conformance.model.problems import ScenarioError
    from conformance_adapters import wire

    before = processor_time()
    try:
        wire.answer(line)
        says = ""
    except ScenarioError as error:
        says = wire.in_short(error, line)
    return processor_time() - before, most_memory(), says


def cost_of_checking(path: str) -> tuple[float, int, str]:
    """The seconds and bytes used by this process to check a file, and an empty message."""
    from conformance.cli import main

    before = processor_time()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main(["check", path])
    return processor_time() - before, most_memory(), ""


def processor_time() -> float:
    """The seconds of processor time that this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def most_memory() -> int:
    """The peak memory of this process in bytes.

    On Linux `getrusage` includes the parent process's peak; the process's own status file does not.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def print_costs(asked: Sequence[str]) -> None:
    """Print what each line or file costs, each in a process of its own, which finds our modules imported."""
    for module in ("conformance.cli", "conformance_adapters.wire"):
        importlib.import_module(module)
    for what in asked:
        sys.stdout.flush()
        if child := os.fork():
            _, status = os.waitpid(child, 0)
            assert status == 0, what
            continue
        cost = cost_of_checking(what) if what.endswith(".json") else cost_of_reading(LINES[what]())
        print(json.dumps((what, *cost)), flush=True)
        os._exit(0)


if __name__ == "__main__":
    print_costs(sys.argv[1:] or list(LINES))
