"""Serves one page on loopback and tells it when to load again: `conformance play`.

The address has a random port and a random token. A request without the token gets nothing, and neither does a
page of another site whose host name points to this machine. Nothing but the page is served.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from aiohttp import web
from msgspec import Struct

EVERY = 0.1
"""Seconds between two checks of the file; it is drawn when two in a row find it alike, not half saved."""
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
DrawPage = Callable[[str], str]
"""Draws the page of the file as it is now; the page carries the given version."""
PrintLine = Callable[[str], None]


class Sight(Struct):
    """The page as last drawn."""

    version: int = 0
    html: str = ""


def serve_until_interrupted(file: Path, draw: DrawPage, say: PrintLine) -> None:
    """Serve the page of a file, redrawn whenever it is saved, until Ctrl-C; `say` gets the address."""
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(file, draw, say))


async def serve(file: Path, draw: DrawPage, say: PrintLine) -> None:
    """Serve the page of a file until this task is cancelled."""
    sight, redrawn = Sight(), asyncio.Condition()
    token = secrets.token_urlsafe(16)
    application = web.Application()
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.2)
    hosts: set[str] = set()
    for path, answer in ((f"/{token}/", page_answer), (f"/{token}/changes", changes_answer)):
        application.router.add_get(path, answer_of(answer, sight, redrawn, hosts), allow_head=False)
    drawn = seen = mark_of(file)
    sight.html = await asyncio.to_thread(draw, "0")
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        hosts |= {f"127.0.0.1:{port}", f"localhost:{port}"}
        say(f"http://127.0.0.1:{port}/{token}/")
        while True:
            await asyncio.sleep(EVERY)
            seen, before = mark_of(file), seen
            if seen == before != drawn:
                drawn = seen
                html = await asyncio.to_thread(draw, str(sight.version + 1))
                async with redrawn:
                    sight.html, sight.version = html, sight.version + 1
                    redrawn.notify_all()
    finally:
        await runner.cleanup()


def mark_of(file: Path) -> tuple[int, int, int] | None:
    """A value that changes when the file is saved; None while the file is missing."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


RequestAnswer = Callable[[web.Request, Sight, asyncio.Condition], Awaitable[web.StreamResponse]]


def answer_of(
    answer: RequestAnswer, sight: Sight, redrawn: asyncio.Condition, hosts: set[str]
) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """An answer that only requests to this server's own host name get."""

    async def answer_if_ours(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Host") not in hosts:
            raise web.HTTPNotFound(headers=HEADERS)
        return await answer(request, sight, redrawn)

    return answer_if_ours


async def page_answer(request: web.Request, sight: Sight, redrawn: asyncio.Condition) -> web.StreamResponse:
    """The page as last drawn."""
    return web.Response(text=sight.html, content_type="text/html", charset="utf-8", headers=HEADERS)


async def changes_answer(
    request: web.Request, sight: Sight, redrawn: asyncio.Condition
) -> web.StreamResponse:
    """The number of the page's version, and each later one as soon as it is drawn."""
    stream = web.StreamResponse(headers={**HEADERS, "Content-Type": "text/event-stream"})
    await stream.prepare(request)
    with suppress(ConnectionError):
        while True:
            sent = sight.version
            await stream.write(f"data: {sent}\n\n".encode())
            async with redrawn:
                while sight.version == sent:
                    await redrawn.wait()
    return stream
