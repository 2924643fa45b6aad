"""Curves that only rise, such as causes found against cases played, as one picture."""

from __future__ import annotations

from msgspec import Struct

from conformance.pages.page import fill_drawing

WIDTH, HEIGHT = 560, 220
"""The size of the field in which curves are drawn."""
LEFT, TOP = 56, 44


class CurveShown(Struct, frozen=True):
    """A curve: its name and its points, from left to right."""

    name: str
    points: tuple[tuple[int, int], ...]


class CurveDrawn(Struct, frozen=True):
    """A curve in the picture."""

    name: str
    path: str
    end: str
    """The value at its end, in words."""


def svg_of_curves(title: str, curves: tuple[CurveShown, ...]) -> str:
    """The curves as a picture; each has a pattern of dashes of its own, so that no colour is needed."""
    right = max((x for one in curves for x, _ in one.points), default=0) or 1
    most = max((y for one in curves for _, y in one.points), default=0) or 1

    def place(x: int, y: int) -> str:
        return f"{LEFT + WIDTH * x / right:.1f},{TOP + HEIGHT * (1 - y / most):.1f}"

    drawn = tuple(
        CurveDrawn(one.name, " ".join(place(*point) for point in one.points), f"{one.points[-1][1]:,}")
        for one in curves
        if one.points
    )
    return fill_drawing(
        "curves.svg",
        title=title,
        curves=drawn,
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        top=TOP,
        right=f"{right:,}",
        most=f"{most:,}",
    )
