"""Draws that depend on a seed and on nothing else.

Hypothesis collects the constants of all local source files and sometimes draws one of them. Which files are
local differs between a checkout and an installed wheel, and their constants change with every edit, so the
same seed would draw different cases. Within `constants_left_out`, this thread draws no such constants; other
tests are not affected.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from hypothesis.internal.conjecture.providers import HypothesisProvider

_left_out: ContextVar[bool] = ContextVar("left_out", default=False)
_draw_constant = getattr(HypothesisProvider, "_maybe_draw_constant", None)


@contextmanager
def constants_left_out() -> Iterator[None]:
    """Draw no constants in this thread."""
    before = _left_out.set(True)
    try:
        yield
    finally:
        _left_out.reset(before)


def _maybe_draw_constant(self: HypothesisProvider, *arguments: Any, **named: Any) -> Any:
    assert _draw_constant is not None
    return None if _left_out.get() else _draw_constant(self, *arguments, **named)


if _draw_constant is not None:  # versions before Hypothesis 6.131 draw no constants of files
    HypothesisProvider._maybe_draw_constant = _maybe_draw_constant  # type: ignore[method-assign]  # on purpose
