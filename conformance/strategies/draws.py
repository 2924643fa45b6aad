"""Draws that depend on a seed and on nothing else, and strategies that are made once.

Hypothesis collects the constants of all local source files and sometimes draws one of them. Which files are
local differs between a checkout and an installed wheel, and their constants change with every edit, so the
same seed would draw different cases. Within `constants_left_out`, this thread draws no such constants; other
tests are not affected.

Hypothesis checks and labels a strategy when it first draws from it, which often takes longer than the draw.
A function marked `composite` therefore makes one strategy for the same arguments, however many cases ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import HypothesisProvider

_Arguments = ParamSpec("_Arguments")
_Drawn = TypeVar("_Drawn")

KEPT = 200
"""Number of strategies that are kept for each function, for as many different arguments."""

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


def composite(
    drawn: Callable[Concatenate[st.DrawFn, _Arguments], _Drawn],
) -> Callable[_Arguments, st.SearchStrategy[_Drawn]]:
    """Like Hypothesis' `composite`, but equal arguments, which must be hashable, give the same strategy."""
    made = lru_cache(KEPT, typed=True)(st.composite(drawn))
    return cast(Callable[_Arguments, st.SearchStrategy[_Drawn]], made)
