"""Mistakes in asking how an object looks: one place of the engine takes one of its characteristics from its
card, or its owner for its controller.

Such a place is named by the functions at work there. Only where effects have made an object look otherwise
can the mistake be made, so a play that asks about plain objects alone meets none.
"""

from __future__ import annotations

import contextlib
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

from msgspec.structs import replace

from reference_engine.game.game import Game
from reference_engine.language.characteristics import Characteristics
from reference_engine.layers.board import Thing
from reference_engine.layers.evaluation import Evaluation
from reference_engine.layers.view import Appearance, Crowd, View, starting_appearance
from tools.met_in_play import PASSED_OVER

ASPECTS = ("name", "colors", "supertypes", "types", "subtypes", "power", "toughness", "keywords", "abilities")
"""The characteristics that may be taken from the card."""
ASKING = ("asking.py", "view.py", "evaluation.py")
"""Modules of the layers that others ask about looks."""
WORKING = frozenset(
    {"apply_layer", "effects_on_players", "evaluate_layers", "evaluation_after", "with_face_down"}
)
"""Functions that work out how everything looks, which is not asking."""
MOST_NAMES = 2


def asked_by(frame: FrameType | None) -> str | None:
    """The functions of the game that ask about a look, the innermost first.

    `None` if the layers ask, or somebody outside of the engine.
    """
    names: list[str] = []
    while frame is not None and len(names) < MOST_NAMES:
        code = frame.f_code
        folder, _, module = code.co_filename.rpartition("/")
        if folder.endswith("reference_engine/layers"):
            if module not in ASKING or code.co_name in WORKING:
                return None
        elif folder.endswith("reference_engine/game"):
            if code.co_name not in PASSED_OVER and code.co_name.isidentifier():
                names.append(code.co_name)
        elif not names:
            return None
        frame = frame.f_back
    return " in ".join(names) or None


def taken_wrongly(
    look: Characteristics, thing: Thing, place: str, makes: Callable[[str], bool]
) -> Characteristics:
    """A look of an object with the mistakes that are made in it at this place."""
    printed = starting_appearance(thing)[0]
    wrong: dict[str, Any] = {
        key: getattr(printed, key)
        for key in ASPECTS
        if getattr(look, key) != getattr(printed, key) and makes(f"{key} as printed in {place}")
    }
    if look.controller not in (None, thing.owner) and makes(f"owner for controller in {place}"):
        wrong["controller"] = thing.owner
    return replace(look, **wrong) if wrong else look


def things_asked_about(frame: FrameType | None) -> Any:
    """The objects that a question about looks is asked of; `None` if it is not known."""
    for _ in range(3):
        if frame is None:
            return None
        asking = frame.f_locals.get("asking")
        if asking is not None:
            return asking.board.things
        frame = frame.f_back
    return None


@contextlib.contextmanager
def looks_taken_wrongly(makes: Callable[[str], bool]) -> Iterator[None]:
    """In this context, the engine makes these mistakes whenever it asks how an object looks."""

    def game_look(game: Game, id: str) -> Characteristics:
        look = game.seen.index[id][0]
        place = asked_by(sys._getframe(1))
        return look if place is None else taken_wrongly(look, game.board.things[id], place, makes)

    def evaluation_look(seen: Evaluation, id: str) -> Characteristics:
        look = seen.index[id][0]
        place, thing = asked_by(sys._getframe(1)), seen.board.things.get(id)
        return look if place is None or thing is None else taken_wrongly(look, thing, place, makes)

    def both(view: View, id: str) -> Appearance:
        look, status = right_both(view, id)
        frame = sys._getframe(1)
        place = asked_by(frame)
        things = None if place is None else things_asked_about(frame)
        if place is None or things is None or id not in things:
            return look, status
        return taken_wrongly(look, things[id], place, makes), status

    def in_zones(view: View, zones: Any) -> Crowd:
        crowd = right_in_zones(view, zones)
        frame = sys._getframe(1)
        place = asked_by(frame)
        things = None if place is None else things_asked_about(frame)
        if place is None or things is None:
            return crowd
        return regrouped(crowd, lambda look, id: taken_wrongly(look, things[id], place, makes))

    right_both, right_in_zones = View.both, View.in_zones
    right_game, right_evaluation = Game.look, Evaluation.look
    patched: Iterable[tuple[type, str, Any, Any]] = (
        (Game, "look", game_look, right_game),
        (Evaluation, "look", evaluation_look, right_evaluation),
        (View, "both", both, right_both),
        (View, "in_zones", in_zones, right_in_zones),
    )
    for kind, name, wrong, _ in patched:
        setattr(kind, name, wrong)
    try:
        yield
    finally:
        for kind, name, _, right in patched:
            setattr(kind, name, right)


def regrouped(crowd: Crowd, changed: Callable[[Characteristics, str], Characteristics]) -> Crowd:
    """A crowd in which some objects look otherwise."""
    groups: dict[Appearance, set[str]] = defaultdict(set)
    for (look, status), members in crowd:
        for id in members:
            groups[changed(look, id), status].add(id)
    return [(look, frozenset(members)) for look, members in groups.items()]
