"""Draws that depend on a seed and on nothing else, and strategies that are made once.

Hypothesis collects the constants of all local source files and sometimes draws one of them. Which files are
local differs between a checkout and an installed wheel, and their constants change with every edit, so the
same seed would draw different cases. Within `constants_left_out`, this thread draws no such constants; other
tests are not affected.

Hypothesis checks and labels a strategy when it first draws from it, which often takes longer than the draw.
A function marked `composite` therefore makes one strategy for the same arguments, however many cases ask, and
what all cases draw comes from the functions here: `sampled_from`, `pick`, `integers`, `booleans`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
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
    """Like Hypothesis' `composite`, but equal arguments, which must be hashable, give the same strategy.

    Hypothesis reads the source of the function, which waits for the first call: most processes import the
    laws and draw from few of them, or from none.
    """

    @cache
    def ready() -> Callable[_Arguments, st.SearchStrategy[_Drawn]]:
        return st.composite(drawn)

    @lru_cache(KEPT, typed=True)
    @wraps(drawn)
    def made(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> st.SearchStrategy[_Drawn]:
        return ready()(*arguments, **named)

    return cast(Callable[_Arguments, st.SearchStrategy[_Drawn]], made)


@lru_cache(KEPT, typed=True)
def integers(least: int, most: int) -> st.SearchStrategy[int]:
    """Numbers between these two, the nearest to 0 first."""
    return st.integers(least, most)


@cache
def booleans() -> st.SearchStrategy[bool]:
    """False or true."""
    return st.booleans()


def sampled_from(options: Sequence[_Drawn]) -> st.SearchStrategy[_Drawn]:
    """One of several options, of which the first is the simplest; for options that recur in many cases."""
    kept = tuple(options)
    try:
        return _kept_samples(kept, tuple(map(type, kept)))
    except TypeError:  # options without a hash
        return st.sampled_from(kept)


@lru_cache(10 * KEPT)
def _kept_samples(options: tuple[_Drawn, ...], types: tuple[type, ...]) -> st.SearchStrategy[_Drawn]:
    """`types` keep apart what is equal and yet not the same, such as 1 and true."""
    return st.sampled_from(options)


def pick(draw: st.DrawFn, options: Sequence[_Drawn]) -> _Drawn:
    """Draw one of several options, of which the first is the simplest; for options of one case."""
    return options[draw(_places(len(options)))]


@cache
def _places(number: int) -> st.SearchStrategy[int]:
    return st.sampled_from(range(number))
