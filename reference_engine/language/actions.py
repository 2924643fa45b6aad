"""Players' decisions: the entries of a script, as plain data.

An action names cards, players and answers, never anything internal to an engine. This module only defines how
actions are written; `reference_engine.game` decides whether they are legal.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from reference_engine.language.words import Step


class Share(Struct, frozen=True, forbid_unknown_fields=True):
    """The amount of a division that goes to one recipient."""

    to: str
    n: int


class CostPaid(Struct, frozen=True, forbid_unknown_fields=True):
    """The choices made in paying a cost.

    `sacrifice`, `discard`, `tap`, `exile`, `return`: which objects; `life`: a Phyrexian symbol paid with
    life; `method`: the alternative cost; `kicked`: the number of times; `additional`: which optional costs;
    `hybrid`: the colour for each hybrid symbol; `reduce_in_order`: whose reductions in which order.
    """

    kind: Literal[
        "sacrifice",
        "discard",
        "tap",
        "exile",
        "return",
        "life",
        "method",
        "kicked",
        "additional",
        "hybrid",
        "reduce_in_order",
    ]
    ids: tuple[str, ...] = ()
    n: int | None = None


class PayStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a payment: activating a mana ability (with the colour chosen), or mana from the pool."""

    activate: str | None = None
    ability: str = "mana"
    choose: str | None = None
    pool: str | None = None


class Pay(Struct, frozen=True, forbid_unknown_fields=True):
    """Pay with exactly these mana abilities, in this order. `undo_mana`: undo them if the action turns
    out to be illegal.
    """

    steps: tuple[PayStep, ...] = ()
    undo_mana: bool = True


class CastAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="cast"):
    """Cast a spell; it ends on the stack, and its caster has priority. Without `pay`, mana is free."""

    what: str
    by: str
    targets: tuple[tuple[str, ...], ...] = ()
    modes: tuple[int, ...] = ()
    x: int | None = None
    divide: tuple[Share, ...] = ()
    face_down: bool = False
    costs: tuple[CostPaid, ...] = ()
    pay: Pay | None = None
    as_: str | None = field(default=None, name="as")
    face: str | None = None
    """The name of the face, half or Adventure that is cast; by default the card itself."""
    decided_by: str | None = None
    """The player who has to be the one to decide on it (CR 723.5); by default whoever it is."""


class Activate(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="activate"):
    """Activate an ability of an object; mana abilities resolve at once."""

    what: str
    ability: str
    by: str
    targets: tuple[tuple[str, ...], ...] = ()
    modes: tuple[int, ...] = ()
    x: int | None = None
    divide: tuple[Share, ...] = ()
    costs: tuple[CostPaid, ...] = ()
    pay: Pay | None = None
    produces: str | None = None
    as_: str | None = field(default=None, name="as")
    decided_by: str | None = None
    """The player who has to be the one to decide on it (CR 723.5); by default whoever it is."""


class PlayAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="play"):
    """Play a land."""

    what: str
    by: str
    face: str | None = None
    """The name of the face that is played; by default the front face."""
    decided_by: str | None = None
    """The player who has to be the one to decide on it (CR 723.5); by default whoever it is."""


class TurnUp(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="turn_up"):
    """Turn a face-down permanent face up, paying the cost; `as` names it if there are several."""

    what: str
    by: str
    costs: tuple[CostPaid, ...] = ()
    pay: Pay | None = None
    as_: Literal["morph", "disguise", "mana cost"] | None = field(default=None, name="as")
    decided_by: str | None = None
    """The player who has to be the one to decide on it (CR 723.5); by default whoever it is."""


class UnlockAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="unlock"):
    """Unlock a locked half of a Room for its mana cost; `door` names the half, if both are locked."""

    what: str
    by: str
    door: str | None = None
    costs: tuple[CostPaid, ...] = ()
    pay: Pay | None = None


class Special(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="special"):
    """Another special action, by name."""

    what: Literal[
        "end an effect",
        "ignore an effect",
        "Circling Vultures",
        "suspend",
        "companion",
        "foretell",
        "roll the planar die",
        "turn a conspiracy up",
        "plot",
    ]
    by: str
    source: str | None = None
    decided_by: str | None = None
    """The player who has to be the one to decide on it (CR 723.5); by default whoever it is."""


class Pass(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="pass"):
    """One player (or team) passes; with `everyone`, all pass, from the holder on, until an object has
    resolved or a step has ended.
    """

    who: str
    decided_by: str | None = None
    """The player who has to be the one to decide on it (CR 723.5); by default whoever it is."""


class Resolve(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="resolve"):
    """Everyone passes until this object has left the stack and a player has priority again."""

    what: str


class Settle(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="settle"):
    """Everyone passes until the stack is empty."""


class Advance(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="advance"):
    """Everyone passes until someone first gets priority in that step (of that player's turn), strictly
    after now.
    """

    to: Step
    turn: str | None = None


class Attacker(Struct, frozen=True, forbid_unknown_fields=True):
    """A creature and what it attacks: a player or a planeswalker."""

    attacker: str
    attacks: str


class Blocker(Struct, frozen=True, forbid_unknown_fields=True):
    """A creature and the attackers it blocks."""

    blocker: str
    blocks: tuple[str, ...]


class Assignment(Struct, frozen=True, forbid_unknown_fields=True):
    """The division of one creature's combat damage."""

    by: str
    shares: tuple[Share, ...]


class Attack(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="attack"):
    """Declare exactly these attackers."""

    attackers: tuple[Attacker, ...]
    by: str
    decided_by: str | None = None
    """The player who has to be the one to decide on it (CR 723.5); by default whoever it is."""


class Block(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="block"):
    """Declare exactly these blockers."""

    blockers: tuple[Blocker, ...]
    by: str
    decided_by: str | None = None
    """The player who has to be the one to decide on it (CR 723.5); by default whoever it is."""


class Assign(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="assign"):
    """Divide combat damage."""

    assignments: tuple[Assignment, ...]
    by: str
    decided_by: str | None = None
    """The player who has to be the one to decide on it (CR 723.5); by default whoever it is."""


ChoiceKind = Literal[
    "targets",
    "order",
    "timestamps",
    "cards",
    "random",
    "keep",
    "object",
    "player",
    "replacement",
    "copy",
    "color",
    "type",
    "name",
    "word",
    "number",
    "x",
    "may",
    "modes",
    "option",
    "costs",
    "division",
    "pile",
    "damage_order",
]
AnswerValue = str | int | bool | Share


class ChooseAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="choose"):
    """An answer, given in advance, to a question of this kind that this asker puts to this player.

    The answer consists of ids for targets, order, timestamps, cards, keep, object, player, replacement, copy,
    and for random (what chance chooses); words for color, type, name, word (old, new) and costs; numbers for
    number, x, modes and option; yes or no for may; shares for division.
    """

    kind: ChoiceKind
    by: str
    answer: tuple[AnswerValue, ...]
    for_: str | None = field(default=None, name="for")
    decided_by: str | None = None
    """The player who has to be the one to decide on it (CR 723.5); by default whoever it is."""


class TokenNames(Struct, frozen=True, forbid_unknown_fields=True):
    """Ids for the newly made tokens of one name."""

    name: str
    ids: tuple[str, ...]


class Call(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="call"):
    """Give ids to the tokens made by the previous action."""

    tokens: tuple[TokenNames, ...]


class Look(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="look"):
    """Take a snapshot at this point."""

    name: str


class Try(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="try"):
    """Try an action, and check whether it was `done` or `rejected`."""

    name: str
    action: Action


Action = (
    CastAction
    | Activate
    | PlayAction
    | TurnUp
    | UnlockAction
    | Special
    | Pass
    | Resolve
    | Settle
    | Advance
    | Attack
    | Block
    | Assign
    | ChooseAction
    | Call
    | Look
    | Try
)
