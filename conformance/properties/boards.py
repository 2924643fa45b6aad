"""Laws of any board: what must not matter does not, and what must is as the reference engine has it.

Laws of the first kind need no oracle. They change something and expect to see the same. An engine that
applies no effect at all would see the same too, so a board on which everything looks as printed counts as
not played. What they can ask besides, they ask: every permanent is called what its card says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec import UNSET
from msgspec.structs import replace

from conformance.model.comparison import alike
from conformance.model.engine import CannotPlay
from conformance.model.features import features_of
from conformance.model.renaming import renamed_play
from conformance.model.scenario import Play, Want
from conformance.properties.law import Broken, PlayFunction, Property, holds_for
from conformance.properties.seeing import (
    END,
    EVERY_KEY,
    Keys,
    Looks,
    expect,
    expect_same,
    looks_at_end,
    looks_by_name,
    shows_effects,
    value_in_words,
)
from conformance.properties.small_boards import mirrored, with_actions, with_card_in, with_spell
from conformance.strategies.boards import (
    ATTACHED,
    COPIED,
    LASTING,
    PLAIN_TWISTS,
    TEST_BEAR,
    boards,
    invented_boards,
    real_boards,
    stands,
    without_arrival,
)
from conformance.strategies.cards import EXILE, in_any_order, in_play
from conformance.strategies.draws import composite
from conformance.strategies.encounters import (
    encounters,
    encounters_face_down,
    encounters_of_copies,
    encounters_of_shapes,
)
from conformance.strategies.focused import focused_boards, rivals
from conformance.strategies.means import Means
from conformance.tell.explanation import LAYER_RULES
from conformance.tell.explanation_text import step_lines
from conformance_adapters.in_process import play_through
from reference_engine.game.game_rules import CR
from reference_engine.language.actions import Advance, CastAction, Look, Resolve
from reference_engine.language.cards import Card
from reference_engine.language.setup import Arrival, Entry, Object, Player
from reference_engine.layers.board import Board
from reference_engine.layers.evaluation import LayerStep, evaluate_with_trace

MOVED = frozenset({"copies", "face down", "text change"})
"""Features with which a permanent may be called otherwise than its card."""
STATUS: Keys = frozenset({"zone", "tapped", "face_down", "counters", "attached_to"})


def known_looks(play: PlayFunction, scenario: Play) -> Looks:
    """How everything on a board looks; each permanent is called what its card says, where nothing changes
    names.
    """
    looks = looks_at_end(play, scenario, EVERY_KEY)
    if not features_of(scenario) & MOVED:
        because = "CR 613.1: an object starts with what is printed, and nothing here changes names"
        for thing in scenario.objects:
            expect(looks, thing.id, because, name=thing.card)
    return looks


# ------------------------------------------------------------------------------ what must not matter


def any_boards(means: Means) -> SearchStrategy[Play]:
    """Boards of every kind, plain ones and those on which effects meet."""
    return st.one_of(focused_boards(means), boards(means))


@holds_for(any_boards, rules=("613.5",))
def asking_again_changes_nothing(play: PlayFunction, case: Play) -> None:
    """The same board played twice looks the same.

    Every engine that answers from the board alone keeps it, as all our broken engines do; it exists for
    engines that do not.
    """
    first = known_looks(play, case)
    expect_same(first, known_looks(play, case), "CR 613.5: the result follows from the board alone")
    shows_effects(case, first)


def renamings(means: Means) -> SearchStrategy[tuple[Play, dict[str, str]]]:
    """A board, and other ids for its objects."""
    return any_boards(means).flatmap(
        lambda play: in_any_order([f"q{n}" for n in range(len(play.objects))]).map(
            lambda ids: (play, dict(zip([one.id for one in play.objects], ids, strict=True)))
        )
    )


@holds_for(renamings, rules=("613.7",))
def names_of_objects_do_not_matter(play: PlayFunction, case: tuple[Play, dict[str, str]]) -> None:
    """Renaming the ids of objects changes nothing.

    It does not check that either is right, only that they agree.
    """
    scenario, names = case
    because = "CR 613.7: timestamps decide, and ids are nothing of the game's"
    first = known_looks(play, scenario)
    expect_same(first, known_looks(play, renamed_play(scenario, names)), because, names=names)
    shows_effects(scenario, first)


def reorderings(means: Means) -> SearchStrategy[tuple[Play, tuple[Object, ...]]]:
    """A board, and another order in which its objects are created."""
    return any_boards(means).flatmap(
        lambda play: in_any_order(play.objects).map(lambda objects: (play, tuple(objects)))
    )


@holds_for(reorderings, rules=("613.7d",))
def the_order_of_creation_does_not_matter(play: PlayFunction, case: tuple[Play, tuple[Object, ...]]) -> None:
    """Only the order in which objects entered counts, not the order in which they were created.

    Every broken engine of ours keeps it: their boards have the permanents in order of entry.
    """
    scenario, objects = case
    because = "CR 613.7d: an object's timestamp is from entering its zone"
    first = known_looks(play, scenario)
    expect_same(first, known_looks(play, replace(scenario, objects=objects)), because)
    shows_effects(scenario, first)


def of_both_players(means: Means) -> SearchStrategy[Play]:
    """Boards of every kind, and such on which it matters whose an effect is."""
    return st.one_of(rivals(means), any_boards(means))


@holds_for(of_both_players, rules=("613.7", "109.5"))
def seats_do_not_matter(play: PlayFunction, case: Play) -> None:
    """Exchanging the players' seats does not change the board.

    It does not check that either is right, only that they agree.
    """
    because = (
        "CR 613.7: timestamps decide, not seats (CR 109.5: and you are who controls an object, wherever "
        "that player sits)"
    )
    first = known_looks(play, case)
    expect_same(first, known_looks(play, mirrored(case)), because)
    shows_effects(case, first)


def closed_boards(means: Means) -> SearchStrategy[Play]:
    """Boards of invented cards, which ask for nothing but what is on the battlefield."""
    return st.one_of(invented_boards(means), focused_boards(means)) if means.invented else st.nothing()


IDLE = Card("Test Idle Card", frozenset({"Sorcery"}), cost="{0}")


@holds_for(closed_boards, rules=("611.3a", "613.1"))
def something_irrelevant_changes_nothing(play: PlayFunction, case: Play) -> None:
    """A card in a library that no effect mentions changes nothing.

    It does not check that either is right, only that they agree.
    """
    more = with_card_in(case, "library", "idle", IDLE, case.players[0].id)
    because = "CR 611.3a: an effect applies to what its text says, and to nothing else"
    first = known_looks(play, case)
    expect_same(first, looks_at_end(play, more), because)
    shows_effects(case, first)


@holds_for(closed_boards, rules=("611.3a", "613.5"), needs=("casting",))
def a_second_look_shows_the_same(play: PlayFunction, case: Play) -> None:
    """After a spell without effect has resolved, everything looks as before.

    It does not check that either is right, only that they agree.
    """
    later = with_spell(with_actions(case, Look("before")), "idle", IDLE)
    ids = [one.id for one in case.objects]
    looks = looks_by_name(play, later, EVERY_KEY, ids)
    because = "CR 613.5: what an object looks like follows from the board, and that is the same"
    first = known_looks(play, case)
    expect_same(first, looks["before"], because)
    expect_same(looks["before"], looks[END], because)
    shows_effects(case, first)


@holds_for(closed_boards, rules=("611.3b", "613.5"), needs=("steps",))
def waiting_changes_nothing(play: PlayFunction, case: Play) -> None:
    """Later in the same turn, if nobody has done anything, everything looks as before.

    It exists for engines that keep a turn's effects by the step.
    """
    later = with_actions(case, Look("before"), Advance("postcombat main"), Look("after"), Advance("end"))
    ids = [one.id for one in case.objects]
    looks = looks_by_name(play, later, EVERY_KEY, ids)
    because = "CR 611.3b: effects are there as long as their objects are, and nothing has come or gone"
    first = known_looks(play, case)
    expect_same(first, looks["before"], because)
    expect_same(looks["before"], looks["after"], because)
    expect_same(looks["after"], looks[END], because)
    shows_effects(case, first)


@composite
def seats_added(draw: DrawFn, means: Means) -> tuple[Play, int]:
    """A board of two players, and where a third one sits."""
    return draw(st.one_of(rivals(means), closed_boards(means))), draw(st.integers(0, 2))


@holds_for(
    lambda means: seats_added(means) if means.invented else st.nothing(),
    rules=("611.3a", "109.5", "102.1"),
    needs=("three players",),
)
def a_player_without_anything_changes_nothing(play: PlayFunction, case: tuple[Play, int]) -> None:
    """A third player who controls nothing changes nothing on the board.

    It exists for engines that know only one opponent.
    """
    scenario, place = case
    players = (*scenario.players[:place], Player("carol"), *scenario.players[place:])
    because = "CR 611.3a: an effect applies to what its text says, and the third player has none of it"
    first = known_looks(play, scenario)
    expect_same(first, looks_at_end(play, replace(scenario, players=players)), because)
    shows_effects(scenario, first)


class BoardAndPermanent(NamedTuple):
    """A board, and one of its permanents."""

    play: Play
    at: int


def cuts(means: Means) -> SearchStrategy[BoardAndPermanent]:
    """A board of permanents that stand without each other, and one of them."""
    return invented_boards(means, PLAIN_TWISTS, 1).flatmap(
        lambda play: st.integers(0, len(play.setup) - 1).map(lambda at: BoardAndPermanent(play, at))
    )


@holds_for(cuts, rules=("613.7d", "601.2a", "608.3"), needs=("casting",))
def a_permanent_that_is_cast_is_as_if_it_were_put_there(play: PlayFunction, case: BoardAndPermanent) -> None:
    """A board looks the same whether its permanents were cast one by one or were there from the start.

    It does not check that either is right, only that they agree.
    """
    played_out, cast = step_by_step(case)
    because = "CR 613.7d: a permanent's timestamp is from entering the battlefield, in whatever way"
    once = known_looks(play, case.play)
    looks = looks_at_end(play, played_out, EVERY_KEY)
    expect_same({id: look for id, look in once.items() if id not in cast}, looks, because)
    expect_same({id: once[id] for id in cast}, looks, because)


def step_by_step(case: BoardAndPermanent) -> tuple[Play, frozenset[str]]:
    """The board with its newest permanents cast in the script, as far back as one player can, and which."""
    play = case.play
    cards = {one.definition.name: one.definition for one in play.cards}
    named = {one.id: one for one in play.objects}
    ids: list[str] = []
    turn = play.setup[-1].entries[0].controller
    for number in range(len(play.setup) - 1, case.at - 1, -1):
        entry = play.setup[number].entries[0]
        owned = named[entry.id].owner == entry.controller == turn
        if not owned or entry.tapped or "Land" in cards[named[entry.id].card].types:
            break
        ids.insert(0, entry.id)
    kept = play.setup[: len(play.setup) - len(ids)]
    players = tuple(
        replace(seat, hand=(*seat.hand, *ids)) if seat.id == turn else seat for seat in play.players
    )
    start = replace(play.start, turn=turn)
    script = tuple(action for id in ids for action in (CastAction(id, turn), Resolve(id)))
    return replace(play, setup=kept, players=players, start=start, script=script), frozenset(ids)


class BoardWithoutPermanent(NamedTuple):
    """A board, one of its permanents, and the board without it."""

    play: Play
    id: str
    without: Play


@composite
def removals(draw: DrawFn, means: Means) -> BoardWithoutPermanent:
    """A permanent without which the board stands as well, and is not empty."""
    play = draw(
        st.one_of(
            rivals(means, PLAIN_TWISTS),
            focused_boards(means, PLAIN_TWISTS),
            invented_boards(means, PLAIN_TWISTS, 1),
        ),
    )
    if len(play.setup) == 1:
        play = with_company(play)
    at = draw(st.integers(0, len(play.setup) - 1))
    without = without_arrival(play, at)
    if not stands(without):
        at = len(play.setup) - 1  # without its newest permanent any board stands as it stood before
        without = without_arrival(play, at)
    return BoardWithoutPermanent(play, play.setup[at].entries[0].id, without)


def with_company(play: Play) -> Play:
    """The board with a plain creature that entered before all else."""
    entry = Entry("bear", play.players[0].id)
    return replace(
        play,
        cards=(*play.cards, in_play(TEST_BEAR)),
        objects=(*play.objects, Object(entry.id, TEST_BEAR.name, entry.controller)),
        setup=(Arrival((entry,)), *play.setup),
    )


def removals_for(means: Means) -> SearchStrategy[BoardWithoutPermanent]:
    """Removals on boards of invented cards."""
    return removals(means) if means.invented else st.nothing()


@holds_for(removals_for, rules=("611.3b", "613.7d"), needs=("casting", "targets"))
def what_is_gone_leaves_no_trace(play: PlayFunction, case: BoardWithoutPermanent) -> None:
    """A board from which a permanent was exiled looks as if the permanent had never been there.

    It does not check that either is right, only that they agree.
    """
    exiled = with_spell(case.play, "exile", EXILE, case.id)
    looks = looks_at_end(play, exiled, EVERY_KEY | {"zone"})
    expect(looks, case.id, "CR 608.2c: the spell's instructions are followed", zone="exile")
    because = (
        "CR 611.3b: a static ability's effect lasts as long as its object is on the battlefield (CR 613.7d: "
        "and all that stays is as old as when it entered)"
    )
    expect_same(known_looks(play, case.without), looks, because)


# ------------------------------------------------------------------------------------ agreement


def agree(play: PlayFunction, scenario: Play, permanents: bool = False) -> None:
    """Raises `Broken` where an engine shows something else at the end than the reference engine does: of all
    there is, or of what lies on the board alone.
    """
    there = {entry.id for arrival in scenario.setup for entry in arrival.entries}
    ids = [one.id for one in scenario.objects if one.id in there or not permanents]
    keys = EVERY_KEY | STATUS
    reference = play_through(replace(scenario, wants=tuple(Want(END, id, keys) for id in ids)), CR)
    expected = reference.observations.looks[END].objects
    observed = looks_at_end(play, scenario, keys, ids)
    absent = None
    for id in ids:
        for key in sorted(keys):
            there, here = getattr(expected[id], key), getattr(observed[id], key)
            if here is UNSET:
                absent = absent or f"it does not show {key} of {id}"
            elif not alike(here, there, key):
                raise Broken(
                    f"{id}: {key}\n  expected  {value_in_words(there, key)}\n"
                    f"  observed  {value_in_words(here, key)}\n" + why(reference.last.board, id, key)
                )
    if absent:
        raise CannotPlay(absent)


def why(board: Board, id: str, key: str) -> str:
    """Which effect, by the reference engine, made this of an object last, and why it came when it did."""
    seen_by_reference = evaluate_with_trace(board, CR)
    steps = [
        step
        for step in seen_by_reference.steps
        if any(
            id in change.ids and getattr(change.before, key, None) != getattr(change.after, key, None)
            for change in step.changes
        )
    ]
    if not steps:
        return "  CR 613.1: it starts with what is printed, and no effect changes that"
    first, *others = step_lines(seen_by_reference, steps[-1])
    decided = f"  CR {LAYER_RULES[steps[-1].layer]}: the last to change it is {first}"
    waited = waits_before(seen_by_reference.steps, steps[-1])
    return "\n".join([decided, *(f"    {line}" for line in others), *waited])


def waits_before(steps: tuple[LayerStep, ...], last: LayerStep) -> Iterator[str]:
    """That effects waited for others in the layer in which an object was changed last, if any did."""
    waiting = [step for step in steps if step.layer == last.layer and any(step.waits_for.values())]
    looped = any(CR.loop_of(effect, step.waits_for) for step in waiting for effect in step.waiting)
    if waiting:
        yield "    CR 613.8a: in this layer effects depend on others (CR 613.8b: and wait for them)"
    if looped:
        yield "    CR 613.8b: some of them are in a loop, in which nobody waits"


@holds_for(boards, rules=("613.1",), oracle=True)
def any_board_looks_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Boards of invented cards look as in the reference engine, however their objects entered.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(focused_boards, rules=("613.7", "613.8"), oracle=True)
def where_effects_meet_all_looks_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Boards with dependencies, loops, definitions, quantities and effects in several layers look as in the
    reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(real_boards, rules=("613.1",), oracle=True)
def real_cards_look_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Boards of real cards look as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(encounters, rules=("613.1", "613.7", "613.8"), oracle=True)
def where_real_cards_meet_all_looks_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Boards on which real cards work in one sublayer, or one changes what another depends on, look as in the
    reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case, permanents=True)


@holds_for(encounters_of_copies, rules=("707.2", "613.2", "613.2b"), oracle=True)
def what_real_cards_copy_looks_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Boards on which real cards copy creatures, face up or face down, look as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case, permanents=True)


@holds_for(encounters_face_down, rules=("708.2a", "613.2b"), oracle=True, needs=("face down",))
def what_real_cards_turn_over_looks_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Boards on which real cards turn creatures face down or up, also after a choice as they entered, look as
    in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case, permanents=True)


@holds_for(encounters_of_shapes, rules=("613.2a", "208.2b", "707.2"), oracle=True, needs=("choices",))
def what_a_card_became_as_it_entered_is_part_of_it(play: PlayFunction, case: Play) -> None:
    """A real card that entered with a choice looks as in the reference engine, whatever sets its size or
    copies it.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case, permanents=True)


@holds_for(
    lambda means: boards(means, 3, 2, ATTACHED),
    rules=("613.7e", "301.5", "303.4"),
    oracle=True,
    needs=("attachments",),
)
def what_is_attached_does_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Boards with Auras and Equipment look as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(lambda means: boards(means, 3, 2, COPIED), rules=("613.2", "707.2", "708.2"), oracle=True)
def copies_and_face_down_permanents_look_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Boards with copies and face-down permanents look as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    lambda means: boards(means, 3, 2, LASTING),
    rules=("611.2c", "613.7b"),
    oracle=True,
    needs=("casting", "targets"),
)
def what_resolved_does_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Boards after spells whose effects last until end of turn look as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


BOARDS: tuple[Property[Any], ...] = (
    asking_again_changes_nothing,
    names_of_objects_do_not_matter,
    the_order_of_creation_does_not_matter,
    seats_do_not_matter,
    something_irrelevant_changes_nothing,
    a_second_look_shows_the_same,
    waiting_changes_nothing,
    a_player_without_anything_changes_nothing,
    a_permanent_that_is_cast_is_as_if_it_were_put_there,
    what_is_gone_leaves_no_trace,
    any_board_looks_as_the_rules_say,
    where_effects_meet_all_looks_as_the_rules_say,
    real_cards_look_as_the_rules_say,
    where_real_cards_meet_all_looks_as_the_rules_say,
    what_real_cards_copy_looks_as_the_rules_say,
    what_real_cards_turn_over_looks_as_the_rules_say,
    what_a_card_became_as_it_entered_is_part_of_it,
    what_is_attached_does_as_the_rules_say,
    copies_and_face_down_permanents_look_as_the_rules_say,
    what_resolved_does_as_the_rules_say,
)
