"""Evaluates selectors, quantities and conditions: who is meant, how much it is, whether it holds.

Each question is asked of one view of the objects (partial inside the layers, final elsewhere), on behalf of
one object. `Asking` holds that object and what "you", "it" and "the …" refer to.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from typing import Any, assert_never

from msgspec import Struct, structs

from reference_engine.language.cards import (
    Activated,
    Activates,
    ActivePlayer,
    All,
    AllOf,
    AnyEvent,
    AnyOf,
    AnyPlayer,
    AtLeast,
    Attached,
    Attacks,
    BecomesTarget,
    Card,
    CastEvent,
    ChooseInstruction,
    ChosenNumber,
    ChosenPlayer,
    Compare,
    Comparison,
    Condition,
    ControllerOf,
    Count,
    DefendingPlayer,
    Designated,
    Devotion,
    Dies,
    Discards,
    Draws,
    Enters,
    Everyone,
    Exists,
    Filter,
    GainsLife,
    Happened,
    HowOften,
    It,
    ItIs,
    Leaves,
    LosesLife,
    Matches,
    Monarch,
    Not,
    Opponents,
    Others,
    OwnerOf,
    Plays,
    PropertyOf,
    PutIntoGraveyard,
    Quantity,
    Sacrifices,
    Selector,
    SourceOf,
    Sum,
    ThatMuch,
    The,
    This,
    Times,
    Triggered,
    TriggerEvent,
    Turn,
    Was,
    X,
    You,
    parts_of,
)
from reference_engine.language.characteristics import Characteristics, colors_of_symbols, mana_value, names_in
from reference_engine.language.past_events import RECORDED_AS, is_such_an_activation
from reference_engine.language.words import (
    BASIC_LAND_TYPES,
    CHOSEN_COLOR,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    COMBAT_STEPS,
    Color,
    Designation,
    Zone,
)
from reference_engine.layers.board import Board, ChoicesMade, Link, Seat
from reference_engine.layers.past import PastEvent, greatest_for_one
from reference_engine.layers.view import Appearance, Crowd, Status, View

NOBODY: frozenset[str] = frozenset()


class Asking(Struct):
    """The context in which a question is asked.

    Without `you`, "you" is the player who controls `this` in the view, or its owner if it has no controller.
    """

    board: Board
    view: View
    this: str
    you: str | None = None
    it: str | None = None
    names: Mapping[str, tuple[str, ...]] = {}
    x: int | None = None
    was: frozenset[str] = NOBODY
    """Facts about the object's past: kicked, unearthed, cast, …"""
    sources: Mapping[str, str] = {}
    """The source object of each ability that is or was on the stack."""
    controllers: Mapping[str, str] = {}
    """The controller of each ability that is or was on the stack."""
    that_much: int = 0
    """The amount of the event that the trigger saw."""
    slot: tuple[str | int, ...] = ()
    """The ability of `this` that asks; empty if it does not matter which one of its own text."""
    link: Link | None = None
    """The abilities of `this` that it is linked to, if they were noted before."""
    left_with: Mapping[str, frozenset[str]] = {}
    """For each object that is gone, what was attached to it as it left and is still the same object."""
    returned: frozenset[str] = NOBODY
    """What it refers to and is gone, though its card is there again, as a new object (CR 400.7)."""
    anew: frozenset[str] = NOBODY
    """Those of them among objects of which each is meant as what it is now."""
    origins: tuple[tuple[str, str, int], ...] = ()
    """What the words of a lasting effect referred to as it began, and since when that was this object; the
    word for its source is `SOURCE`.
    """

    def your_id(self) -> str:
        """The player whom "you" means."""
        if self.you is not None:
            return self.you
        look, status = self.view.both(self.this)
        return look.controller or status.owner

    def about(self, it: str) -> Asking:
        """The same context with another "it"."""
        return structs.replace(self, it=it)


def seat(board: Board, player: str) -> Seat:
    """The player with this id."""
    return next(seat for seat in board.seats if seat.id == player)


def is_player(board: Board, id: str) -> bool:
    return any(seat.id == id for seat in board.seats)


def opponents_of(board: Board, player: str) -> tuple[str, ...]:
    """CR 102.3: everyone in the game who is not on the player's team; without teams, everyone else."""
    team = seat(board, player).team
    return tuple(
        other.id
        for other in board.seats
        if other.id != player and not other.left and (team is None or other.team != team)
    )


def in_turn_order(board: Board, players: Set[str | None]) -> tuple[str, ...]:
    """These players in turn order, starting with the active player (CR 101.4: APNAP order)."""
    ids = [seat.id for seat in board.seats]
    first = next((n for n, seat in enumerate(board.seats) if board.active in (seat.id, seat.team)), 0)
    return tuple(id for id in ids[first:] + ids[:first] if id in players)


def has_turn(player: str, board: Board) -> bool:
    """Whether it is this player's turn (CR 805.4a: or the player's team's)."""
    return board.active in (player, *(seat.team for seat in board.seats if seat.id == player))


# --------------------------------------------------------------------------------------- who


def selection(selector: Selector, asking: Asking) -> tuple[str, ...]:
    """The objects (in creation order) or players (in turn order) that a selector means."""
    board = asking.board
    match selector:
        case All():
            chosen = NOBODY.union(*[members for _, members in crowd_of(selector, asking)])
            return tuple([id for id in board.things if id in chosen]) if chosen else ()
        case This():
            return (asking.this,)
        case You():
            return (asking.your_id(),)
        case The(name):
            return asking.names.get(name, ())
        case It():
            return () if asking.it is None else (asking.it,)
        case Attached():
            host = host_of(asking.this, board)
            return () if host is None else (host,)
        case Opponents():
            return in_turn_order(board, frozenset(opponents_of(board, asking.your_id())))
        case Everyone():
            # CR 102.1, 800.4a: who has left the game is no player any more.
            return in_turn_order(board, frozenset(seat.id for seat in board.seats if not seat.left))
        case ActivePlayer():
            # CR 805.9: if there are several active players, one of them has been chosen.
            return asking.names.get("active player", (board.active,))
        case DefendingPlayer():
            return asking.names.get("defending player") or defending_players(asking)
        case ChosenPlayer():
            player = choices(asking).player
            return () if player is None else (player,)
        case Monarch():
            # CR 725.5: without a monarch, what depends on one does nothing.
            return () if board.monarch is None else (board.monarch,)
        case Others():
            you = asking.your_id()
            others = (seat.id for seat in board.seats if seat.id != you and not seat.left)
            return in_turn_order(board, frozenset(others))
        case SourceOf(of):
            return tuple(asking.sources.get(id, id) for id in selection(of, asking))
        case ControllerOf(of):
            return _controllers(selection(of, asking), asking)
        case OwnerOf(of):
            things = [board.things[id] for id in selection(of, asking) if id in board.things]
            return in_turn_order(board, frozenset(thing.owner for thing in things))
        case _:
            assert_never(selector)


def defending_players(asking: Asking) -> tuple[str, ...]:
    """The players whom "defending player" may mean.

    CR 508.5: the one that an attacking creature attacks, or attacked: the creature that has the ability or
    carries what has it, or else the one that the ability refers to. CR 506.2: without such a creature,
    whoever defends in this combat. CR 508.5a: if these are several, the ability's controller chooses one.
    """
    things, board = asking.board.things, asking.board
    named = tuple(itertools.chain.from_iterable(asking.names.values()))
    for ids in ((asking.this,), (asking.it,), (host_of(asking.this, board),), named):
        attacked = frozenset(things[id].against for id in ids if id is not None and id in things) - {None}
        if attacked:
            return in_turn_order(board, attacked)
    if board.step not in COMBAT_STEPS:
        return ()
    # CR 800.4a: who has left the game defends no more.
    there = (seat.id for seat in board.seats if not seat.left and not has_turn(seat.id, board))
    return in_turn_order(board, frozenset(there))


def _controllers(ids: tuple[str, ...], asking: Asking) -> tuple[str, ...]:
    """The controllers of objects, and the players themselves among these."""
    things, of_abilities = asking.board.things, asking.controllers
    players = {asking.view.look(id).controller if id in things else of_abilities.get(id, id) for id in ids}
    return in_turn_order(asking.board, players)


def crowd_of(selector: All, asking: Asking) -> Crowd:
    """The objects that `All` means, grouped by look.

    CR 108.2b: a token is no card, so none is meant where cards are: in a graveyard, in exile.
    """
    if asking.returned:
        # CR 400.7: what its card has become is another object.
        asking = structs.replace(asking, anew=asking.returned)
    found: Crowd = []
    of = frozenset(selection(selector.of, asking)) if selector.of is not None else None
    pool = _tops(selector, asking) if selector.top else None
    types, (of_looks, asks_more) = selector.type, criteria(selector)
    for look, members in asking.view.in_zones(selector.zones):
        seen, status = look
        if not types <= seen.types:
            continue
        if status.token and status.zone not in NOT_ONLY_FOR_CARDS:
            continue
        if of is not None and status.owner not in of:
            continue
        for is_so, value in of_looks:
            if not is_so(value, seen, status, asking):
                break
        else:
            some = members if pool is None else members & pool
            if asks_more:
                some = matching_members(selector, look, some, asking)
            if some:
                found.append((look, some))
    return found


NOT_ONLY_FOR_CARDS = ("battlefield", "stack")
"""The zones in which tokens and copies of spells are."""


def _tops(selector: All, asking: Asking) -> frozenset[str]:
    tops: set[str] = set()
    for player in asking.board.seats:
        for zone in selector.zones:
            cards = {"graveyard": player.graveyard, "library": player.library, "hand": player.hand}.get(
                zone, ()
            )
            tops.update(cards[:1])
    return frozenset(tops)


def matches(wanted: Filter, id: str, asking: Asking) -> bool:
    """Whether an object matches a filter. Does not check its zone."""
    look = appearance(id, asking)
    return look is not None and bool(matching_ids(wanted, look, frozenset({id}), asking))


def appearance(id: str, asking: Asking) -> Appearance | None:
    """An object's characteristics and status; None for an ability on the stack, which has none."""
    try:
        return asking.view.both(id)
    except KeyError:
        return None


def matching_ids(wanted: Filter, look: Appearance, members: frozenset[str], asking: Asking) -> frozenset[str]:
    """Those of some objects with the same look that match a filter."""
    seen, status = look
    if not wanted.type <= seen.types:
        return NOBODY
    of_looks, asks_more = criteria(wanted)
    for is_so, value in of_looks:
        if not is_so(value, seen, status, asking):
            return NOBODY
    return matching_members(wanted, look, members, asking) if asks_more else members


def matching_members(
    wanted: Filter, look: Appearance, members: frozenset[str], asking: Asking
) -> frozenset[str]:
    """Those of some objects with the same look that match what a filter asks besides its criteria."""
    status = look[1]
    if wanted.any_of:
        members = NOBODY.union(*(matching_ids(other, look, members, asking) for other in wanted.any_of))
    for other in wanted.without:
        if is_undefined(other, asking):
            return NOBODY
        members = members - matching_ids(other, look, members, asking)
    if wanted.other_than is not None:
        excluded = objects_meant(wanted.other_than, asking)
        # If nothing is left out, the set itself, which `Members` recognises, and no copy.
        members = members if members.isdisjoint(excluded) else members - excluded
    if wanted.same_as is not None:
        members = members & objects_meant(wanted.same_as, asking)
    if wanted.in_combat_with is not None:
        others = frozenset(selection(wanted.in_combat_with, asking))
        members = frozenset(id for id in members if in_combat_with(id, asking.board) & others)
    if wanted.damaged_by is not None:
        sources = selection(wanted.damaged_by, asking)
        meant = meant_as_it_began(wanted.damaged_by, asking)
        members = frozenset(id for id in members if was_damaged_by(id, sources, asking.board, meant))
    if wanted.saddler_of is not None:
        mounts = selection(wanted.saddler_of, asking)
        members = frozenset(id for id in members if has_saddled(id, mounts, asking.board))
    if wanted.attached_to is not None:
        members = attached_to(selection(wanted.attached_to, asking), members, asking)
    if wanted.host_of is not None:
        attached = selection(wanted.host_of, asking)
        members = members & frozenset(host_of(id, asking.board) for id in attached)
    if wanted.put_by is not None:
        links = {_linked_to(id, asking) for id in selection(wanted.put_by, asking)}
        members = members if status.put_by in links - {None} else NOBODY
    if wanted.unblocked is not None:
        members = frozenset(id for id in members if wanted.unblocked == (id in asking.board.unblocked))
    return members


def objects_meant(selector: Selector, asking: Asking) -> frozenset[str]:
    """The objects that a filter speaks of, without those whose cards are other objects by now."""
    ids = frozenset(selection(selector, asking))
    return ids - asking.anew if isinstance(selector, This | It | The) else ids


def _linked_to(id: str, asking: Asking) -> Link | None:
    if asking.link is not None and id == asking.this:
        return asking.link
    return link_of(id, asking.slot, asking.board, asking.view)


def link_of(id: str, slot: tuple[str | int, ...], board: Board, view: View) -> Link | None:
    """The group of linked abilities that the ability in this slot belongs to; `None` if the object is no
    longer known.
    """
    thing = board.things.get(id)
    if thing is None:
        return None
    granted = _granted_with(slot, id, board)
    return Link(id, thing.born, () if granted else view.look(id).text_by, granted)


def _granted_with(slot: tuple[str | int, ...], id: str, board: Board) -> tuple[str | int, ...]:
    """The effect that granted this ability to an object; empty if the ability is printed on it.

    CR 607.1a: an ability that the object grants to itself counts as printed on it.
    """
    while slot[:2] == ("gained", id):
        slot = slot[2:-1]
    if slot[:1] != ("gained",) or any((e.id, e.source) == (slot[2], id) for e in board.effects):
        return ()
    return slot[:-1]


def host_of(id: str, board: Board) -> str | None:
    """What an object is attached to."""
    return board.things[id].attached_to if id in board.things else None


def attached_to(hosts: tuple[str, ...], members: frozenset[str], asking: Asking) -> frozenset[str]:
    """Those of some objects that are attached to one of these, or were as it left.

    CR 608.2h: what was attached to an object that is gone belongs to its last known information.
    """
    left = NOBODY.union(*(asking.left_with[host] for host in hosts if host in asking.left_with))
    there = frozenset(hosts) - asking.left_with.keys()
    return frozenset(id for id in members if id in left or host_of(id, asking.board) in there)


SOURCE = "this"
"""The name of an effect's own source among what it refers to."""


def meant_as_it_began(selector: Selector, asking: Asking) -> frozenset[tuple[str, int]]:
    """What a word of a lasting effect referred to as the effect began, whatever has become of that since."""
    match selector:
        case This():
            word = SOURCE
        case The(word):
            pass
        case _:
            return frozenset()
    return frozenset((id, born) for name, id, born in asking.origins if name == word)


def was_damaged_by(
    id: str, sources: Collection[str], board: Board, gone: Collection[tuple[str, int]] = ()
) -> bool:
    """Whether one of these has dealt damage to an object this turn.

    CR 400.7: not if it is a new object since. CR 608.2h: what an effect of a spell or ability means has dealt
    its damage although it is `gone`.
    """
    things = board.things
    return any(
        (by, born) in gone or (by in sources and (by not in things or things[by].born == born))
        for by, born in board.damaged.get(id, ())
    )


def has_saddled(id: str, mounts: Iterable[str], board: Board) -> bool:
    """Whether an object saddled one of these this turn (CR 702.171c: was tapped to pay for that)."""
    thing, there = board.things.get(id), board.things
    return thing is not None and any(
        mount in there and (id, thing.born) in there[mount].saddled_by for mount in mounts
    )


def in_combat_with(id: str, board: Board) -> frozenset[str]:
    """The creatures that an object is blocking or blocked by."""
    blocked = board.things[id].blocking if id in board.things else ()
    return frozenset(blocked) | {other.id for other in board.things.values() if id in other.blocking}


Criterion = Callable[[Any, Characteristics, Status, Asking], bool]
CRITERIA: dict[str, Criterion] = {
    "subtype": lambda words, seen, _, asking: all(seen.has_subtype(_word(word, asking)) for word in words),
    "supertype": lambda supertypes, seen, _, __: supertypes <= seen.supertypes,
    "color": lambda words, seen, _, asking: all(_word(word, asking) in seen.colors for word in words),
    "colorless": lambda yes, seen, _, __: yes == (not seen.colors),
    "multicolored": lambda yes, seen, _, __: yes == (len(seen.colors) > 1),
    "shares_color_with": lambda others, seen, _, asking: any(
        look[0].colors & seen.colors for id in selection(others, asking) if (look := appearance(id, asking))
    ),
    "keyword": lambda keywords, seen, _, __: all(seen.has_keyword(keyword) for keyword in keywords),
    "no_abilities": lambda yes, seen, _, __: yes == (not seen.abilities and not seen.keywords),
    "name": lambda name, seen, _, asking: _word(name, asking) in names_in(seen.name),
    "controller": lambda player, seen, _, asking: seen.controller in selection(player, asking),
    "power": lambda wanted, seen, status, asking: compares(_size(seen.power, seen, status), wanted, asking),
    "toughness": lambda wanted, seen, status, asking: compares(
        _size(seen.toughness, seen, status), wanted, asking
    ),
    "mana_value": lambda wanted, seen, status, asking: compares(
        mana_value(seen.cost or seen.front_cost, status.x), wanted, asking
    ),
    "mana_cost": lambda cost, seen, _, __: cost == seen.cost,
    "owner": lambda player, _, status, asking: status.owner in selection(player, asking),
    "tapped": lambda yes, _, status, __: yes == status.tapped,
    "token": lambda yes, _, status, __: yes == status.token,
    "face_down": lambda yes, _, status, __: yes == status.face_down,
    "attacking": lambda yes, _, status, __: yes == status.attacking,
    "blocking": lambda yes, _, status, __: yes == status.blocking,
    "saddled": lambda yes, _, status, __: yes == status.saddled,
    "counter": lambda wanted, _, status, __: any(kind == wanted for kind, _ in status.counters),
}


@functools.lru_cache(maxsize=4096)
def criteria(wanted: Filter) -> tuple[tuple[tuple[Criterion, object], ...], bool]:
    """The criteria that a filter sets besides types, each with the value it requires; and whether it asks
    anything else.
    """
    given = {name: getattr(wanted, name) for name in Filter.__struct_fields__ if name != "type"}
    asked = {name: value for name, value in given.items() if value not in (None, frozenset(), ())}
    of_looks = tuple((CRITERIA[name], asked[name]) for name in CRITERIA if name in asked)
    return of_looks, len(asked) > len(of_looks)


def choices(asking: Asking) -> ChoicesMade:
    """The choices made for this object that apply to the abilities it has now (CR 607.2d: linked
    abilities).
    """
    thing = asking.board.things.get(asking.this)
    if thing is None:
        return ChoicesMade()
    return thing.chosen.for_text(asking.view.look(asking.this).text_by)


CHOSEN_WORDS = frozenset({"color", "type", "name"})
"""The choices of a word, which stands in place of *chosen color* and the like."""
PLACEHOLDERS: dict[object, str] = {
    CHOSEN_COLOR: "color",
    CHOSEN_TYPE: "type",
    CHOSEN_NAME: "name",
    ChosenPlayer(): "player",
    ChosenNumber(): "number",
}


def is_undefined(
    value: object, asking: Asking, of: frozenset[str] = frozenset(PLACEHOLDERS.values())
) -> bool:
    """Whether a value contains a placeholder for a choice that was never made.

    CR 607.5a: an ability that refers to an undefined choice does nothing.
    """
    mentioned = choices_mentioned(value) & of
    if not mentioned:
        return False
    chosen = choices(asking)
    return any(getattr(chosen, name) is None for name in mentioned)


@functools.lru_cache(maxsize=4096)
def choices_mentioned(value: object) -> frozenset[str]:
    """The choices for its source that a value contains a placeholder for."""
    if isinstance(value, str | ChosenPlayer | ChosenNumber):
        return frozenset({PLACEHOLDERS[value]}) if value in PLACEHOLDERS else frozenset()
    if isinstance(value, Struct):
        parts = [getattr(value, name) for name in value.__struct_fields__]
    else:
        parts = list(value) if isinstance(value, tuple | frozenset) else []
    return frozenset().union(*map(choices_mentioned, parts)) - choices_offered(value)


def choices_offered(value: object) -> frozenset[str]:
    """The choices that an ability or a card offers itself.

    CR 607.1: what it says of "the chosen color" is about the color chosen because of its own text, and not
    about one chosen for what gives the ability or makes the token.
    """
    return frozenset(chosen_inside(value)) if isinstance(value, OFFERING) else frozenset()


def chosen_inside(value: object) -> Iterator[str]:
    """The kinds of what a player chooses by any part of this, but for parts with choices of their own."""
    if isinstance(value, ChooseInstruction):
        yield value.kind
    for part in parts_of(value):
        if not isinstance(part, OFFERING):
            yield from chosen_inside(part)


OFFERING = (Activated, Triggered, Card)
"""What can be given or made by an effect, with choices of its own."""


def speaks_of_its_object(value: object) -> bool:
    """Whether a value asks something about "this" or "it", other than to leave it out."""
    if isinstance(value, This | It):
        return True
    if isinstance(value, Struct):
        fields = [name for name in value.__struct_fields__ if name != "other_than"]
        return any(speaks_of_its_object(getattr(value, name)) for name in fields)
    return isinstance(value, tuple) and any(map(speaks_of_its_object, value))


def _word(word: str, asking: Asking) -> str:
    """A word, or the word chosen for this object if it is a placeholder."""
    if word == CHOSEN_COLOR:
        return choices(asking).color or ""
    if word == CHOSEN_TYPE:
        return choices(asking).type or ""
    if word == CHOSEN_NAME:
        return choices(asking).name or ""
    return word


def shown_number(number: int | None, look: Characteristics, zone: Zone) -> int | None:
    """An object's power or toughness as the rules see it.

    CR 208.3: a noncreature permanent has none. CR 208.5: a creature without a value has 0.
    """
    if look.is_a("Creature"):
        return number or 0
    return None if zone == "battlefield" else number


def _size(number: int | None, seen: Characteristics, status: Status) -> int:
    """A power or toughness to reckon with (CR 107.2: 0 if the object has none)."""
    return shown_number(number, seen, status.zone) or 0


def compares(n: int, comparison: Comparison, asking: Asking) -> bool:
    """Whether a number compares as wanted."""
    if comparison.how in ("even", "odd"):
        return n % 2 == (comparison.how == "odd")
    if not isinstance(comparison.n, int) and is_undefined(comparison.n, asking):
        return False
    return comparison_holds(n, comparison.how, amount(comparison.n, asking))


def comparison_holds(left: int, how: str, right: int) -> bool:
    match how:
        case "=":
            return left == right
        case ">":
            return left > right
        case "<":
            return left < right
        case _:
            return left >= right if how == ">=" else left <= right


# ---------------------------------------------------------------------------------- how much


def how_many(quantity: Quantity, asking: Asking) -> int:
    """How many things a quantity means (CR 107.1b: never fewer than none)."""
    return max(0, amount(quantity, asking))


def bonus(quantity: Quantity, asking: Asking) -> int:
    """How much a quantity adds to a size.

    CR 107.1b: if what is added, or with a minus sign taken away, is calculated as less than nothing, it is 0.
    """
    match quantity:
        case int():
            return quantity
        case Times(n, by):
            return n * how_many(by, asking)
        case _:
            return how_many(quantity, asking)


def amount(quantity: Quantity, asking: Asking) -> int:
    """The current value of a quantity (CR 607.5a: nothing if any part refers to an undefined choice)."""
    if isinstance(quantity, int):
        return quantity
    return 0 if is_undefined(quantity, asking) else _amount(quantity, asking)


def _amount(quantity: Quantity, asking: Asking) -> int:
    match quantity:
        case int():
            return quantity
        case X():
            # CR 107.3: for a permanent, X is 0, whatever was chosen as its spell was cast.
            return asking.x or 0
        case ChosenNumber():
            number = choices(asking).number
            assert number is not None  # as `amount` and `holds` make sure
            return number
        case Count(of, distinct):
            return _count(of, distinct, asking)
        case PropertyOf():
            return _property(quantity, asking)
        case Sum(parts):
            return sum(_amount(part, asking) for part in parts)
        case Times(n, by):
            return n * _amount(by, asking)
        case AtLeast(parts):
            return max(_amount(part, asking) for part in parts)
        case ThatMuch():
            return asking.that_much
        case Devotion(to):
            return _devotion(to, asking)
        case HowOften(event):
            return sum(past.n for past in past_events(event, asking))
        case _:
            assert_never(quantity)


def _devotion(to: frozenset[Color], asking: Asking) -> int:
    """CR 700.5: the number of mana symbols of those colours among the mana costs of your permanents."""
    yours = crowd_of(All(controller=You()), asking)
    return sum(
        len(members) * sum(bool(colors & to) for colors in colors_of_symbols(look.cost))
        for (look, _), members in yours
    )


def _count(of: Selector, distinct: str, asking: Asking) -> int:
    if distinct == "objects":
        return len(selection(of, asking))
    crowd = crowd_of(of, asking) if isinstance(of, All) else asking.view.crowd(selection(of, asking))
    looks = [look for (look, _), _ in crowd]
    match distinct:
        case "card types":
            return len({card_type for look in looks for card_type in look.types})
        case "colors":
            return len({color for look in looks for color in look.colors})
        case "names":
            return len({look.name for look in looks if look.name is not None})
        case _:
            return len({t for t in BASIC_LAND_TYPES if any(look.has_subtype(t) for look in looks)})


def _property(quantity: PropertyOf, asking: Asking) -> int:
    values = [_property_of(quantity, id, asking) for id in selection(quantity.of, asking)]
    return max(values, default=0) if quantity.over == "greatest" else sum(values)


def _property_of(quantity: PropertyOf, id: str, asking: Asking) -> int:
    """The number; 0 for what does not have it, as a player has no power."""
    if is_player(asking.board, id):
        player = seat(asking.board, id)
        if quantity.what == "counters":
            return sum(pile.n for pile in player.counters if pile.kind == quantity.counter)
        # CR 608.2h: of a player who has left the game, what was known last.
        return {"hand_size": len(player.hand) + player.last_hand, "life": player.life}.get(quantity.what, 0)
    seen = appearance(id, asking)
    if seen is None:
        return 0
    look, status = seen
    match quantity.what:
        case "power":
            return _size(look.power, look, status)
        case "toughness":
            return _size(look.toughness, look, status)
        case "mana_value":
            return mana_value(look.cost or look.front_cost, status.x)
        case "counters":
            return sum(n for kind, n in status.counters if kind == quantity.counter)
        case "loyalty":
            return sum(n for kind, n in status.counters if kind == "loyalty")
        case "damage":
            return status.damage
        case "level":
            return status.level
        case _:
            return 0


# --------------------------------------------------------------------------------- if it holds


def holds(condition: Condition, asking: Asking) -> bool:
    """Whether a condition holds (CR 607.5a: never if it refers to an undefined choice, not even one that says
    "no" or compares with a number).
    """
    return not is_undefined(condition, asking) and _holds(condition, asking)


def _holds(condition: Condition, asking: Asking) -> bool:
    match condition:
        case Compare(left, how, right):
            return comparison_holds(_amount(left, asking), how, _amount(right, asking))
        case Matches(who, what):
            ids = [id for id in selection(who, asking) if id in asking.board.things]
            return bool(ids) and all(matches(what, id, asking) for id in ids)
        case Exists(who):
            return bool(selection(who, asking))
        case Turn(of, step):
            yours = any(has_turn(player, asking.board) for player in selection(of, asking))
            return yours and (step is None or step == asking.board.step)
        case Was("cast" | "cast from hand" as way):
            done = cast_by(asking.your_id(), way)
            return done in asking.was or done in own_past(asking.this, asking.board, asking.view)
        case Was(what):
            return what in asking.was or what in own_past(asking.this, asking.board, asking.view)
        case Happened(event, n, last_turn):
            return greatest_for_one(past_events(event, asking, last_turn), event) >= n
        case Designated(what, who):
            return any(player in players_with(what, asking.board) for player in selection(who, asking))
        case ItIs(what):
            return asking.board.daytime == what
        case AnyPlayer(of, cond, every):
            each = (_holds(cond, asking.about(player)) for player in selection(of, asking))
            return all(each) if every else any(each)
        case Not(part):
            return not _holds(part, asking)
        case AllOf(parts):
            return all(_holds(part, asking) for part in parts)
        case AnyOf(parts):
            return any(_holds(part, asking) for part in parts)
        case _:
            assert_never(condition)


OF_ITS_COSTS = frozenset({"kicked", "offspring", "evoked", "dashed"})
"""Facts about an object's past that its text has made possible."""


def cast_by(player: str, way: str) -> str:
    """The fact about an object's past that this player cast it (`way`: from their own hand).

    CR 109.5: "if you cast it" is true for the player who cast it, and not for another who controls it now.
    """
    return f"{way} by {player}"


def given(what: str) -> str:
    """The fact about an object's past that a cost was paid for an ability that an effect had given it."""
    return f"{what} for what was given"


def own_past(id: str, board: Board, view: View) -> frozenset[str]:
    """What the abilities that an object has now know of its past.

    CR 607.2i: whether a kicker cost or the like was paid, only abilities printed with it know; for those that
    the object has copied, nothing was paid. CR 607.5: those that an effect had given it know of their own.
    """
    thing = board.things.get(id)
    if thing is None:
        return frozenset()
    linked = frozenset(what for what in OF_ITS_COSTS if given(what) not in thing.was)
    return thing.was - linked if view.look(id).text_by else thing.was


def players_with(what: Designation, board: Board) -> frozenset[str]:
    """The players with this designation."""
    if what == "monarch":
        return frozenset() if board.monarch is None else frozenset({board.monarch})
    return board.blessed


# ------------------------------------------------------------------------- what has happened


def past_events(event: TriggerEvent, asking: Asking, last_turn: bool = False) -> list[PastEvent]:
    """The events of this turn, or of the last one, that match this trigger condition, in order.

    CR 608.2i: what players did who have left the game can be found.
    """
    recorded = asking.board.past_before if last_turn else asking.board.past
    if any(seat.left for seat in asking.board.seats):
        seats = tuple(structs.replace(seat, left=False) for seat in asking.board.seats)
        asking = structs.replace(asking, board=structs.replace(asking.board, seats=seats))
    return [past for past in recorded if was_like(past, event, asking)]


def was_like(past: PastEvent, event: TriggerEvent, asking: Asking) -> bool:
    """Whether a past event matches a trigger condition.

    CR 608.2i: an effect that looks back finds the objects as they were then, whatever they have become.
    """
    if isinstance(event, AnyEvent):
        return any(was_like(past, one, asking) for one in event.events)
    if past.kind not in RECORDED_AS.get(type(event), ()):
        return False
    match event:
        case CastEvent(aimed_at=All()):
            # What an earlier spell was aimed at is not recorded.
            return False
        case CastEvent(what, by) | Plays(what, by):
            return past.player in selection(by, asking) and was_such(past, what, asking)
        case Activates(who, of):
            such = is_such_an_activation(past.kind, event) and (of is None or _was_one_of(past, of, asking))
            return such and past.player in selection(who, asking)
        case Discards(who, what):
            such = what is None or was_such(past, what, asking)
            return such and past.player in selection(who, asking)
        case Sacrifices(who, what):
            return past.player in selection(who, asking) and was_such(past, what, asking)
        case Draws(who) | GainsLife(who) | LosesLife(who):
            return past.player in selection(who, asking)
        case Attacks(who, _, whom):
            against = whom is None or past.against in selection(whom, asking)
            return against and _was_one_of(past, who, asking)
        case BecomesTarget(who, by):
            return past.player in selection(by, asking) and _was_one_of(past, who, asking)
        case Enters(who) | Leaves(who) | Dies(who) | PutIntoGraveyard(who):
            return _was_one_of(past, who, asking)
        case _:
            return False


def _was_one_of(past: PastEvent, who: Selector, asking: Asking) -> bool:
    """Whether an object was one of these when it happened."""
    if not isinstance(who, All):
        thing = asking.board.things.get(past.id)
        same = thing is None or thing.born == past.born
        return same and past.id in selection(who, asking)
    if past.look is None or (who.of is not None and past.look[1].owner not in selection(who.of, asking)):
        return False
    if past.look[1].token and who.zones.isdisjoint(NOT_ONLY_FOR_CARDS):
        return False  # CR 108.2b: it is no card
    return was_such(past, who, asking)


def was_such(past: PastEvent, wanted: Filter, asking: Asking) -> bool:
    """Whether an object matched a filter when it happened. An object that it has become since is another
    one (CR 400.7: a new object).
    """
    if past.look is None:
        return False
    thing = asking.board.things.get(past.id)
    id = past.id if thing is None or thing.born == past.born else f"{past.id} before"
    return bool(matching_ids(wanted, past.look, frozenset({id}), asking))
