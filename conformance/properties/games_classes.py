"""Laws of Classes (CR 716): level by level."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.decks import BEAR, YOUR_CREATURES, permanent
from conformance.strategies.scripts import Permanent, table
from reference_engine.language.actions import Activate, Pass
from reference_engine.language.cards import LevelBar, ManaCost, Modify, Part, Static

LEVELS = (2, 3)
TRAINING = permanent(
    "Training",
    *(LevelBar(n, (ManaCost("{1}"),), (Static((Part(YOUR_CREATURES, (Modify(n, 0),)),)),)) for n in LEVELS),
    subtypes=("Class",),
)


@law(rules=("716.2a", "716.2d"), needs=("classes", "activated abilities", "steps", "anthems"))
def a_class_gains_levels_one_by_one(draw: DrawFn, there: Round) -> Tale:
    """A Class gains a level only from the one below and only as a sorcery, and has the abilities of every
    level that it has reached.

    A Class with a bonus for each level, attempts to gain levels in any order, and one in response.

    It does not check abilities of levels other than changes of power.
    """
    player = there.players[0]
    lie = [Permanent("training", TRAINING, player), Permanent("bear", BEAR, player)]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    level = 1
    for wanted in draw(st.lists(st.sampled_from(LEVELS), min_size=1, max_size=4)):
        because = "CR 716.2a: a level is gained only from the one below it"
        outcome = "done" if wanted == level + 1 else "rejected"
        tale.attempt(Activate("training", f"level {wanted}", player), outcome, because)
        if outcome == "rejected":
            continue
        because = "CR 716.2a: a level is gained only as a sorcery, when nothing is on the stack"
        tale.attempt(Activate("training", f"level {wanted}", player), "rejected", because)
        tale.do(Pass("everyone"))
        level = wanted
    because = "CR 716.2a: a Class has the abilities of each level that it has reached"
    tale.see("bear", "power", 2 + sum(n for n in LEVELS if n <= level), because)
    return tale


CLASS_LEVELS: tuple[Property[Any], ...] = (a_class_gains_levels_one_by_one,)
