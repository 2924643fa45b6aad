"""Decisions that players make during an action, answered by prepared choices.

A question is matched by its kind, the deciding player, and the asker. Nobody guesses: without an answer, the
whole action does not happen. A question with only one legal answer is not asked.
"""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.events import Chose, told
from reference_engine.game.game import Game, Prepared, Question, Rejected, Undecided, members, side_of
from reference_engine.language.actions import AnswerValue

IN_ORDER = ("order", "timestamps", "damage_order")
"""Questions that are answered with all options, in some order."""


def answered(game: Game, question: Question) -> tuple[Game, tuple[AnswerValue, ...]]:
    """The game with the first matching answer consumed, and that answer.

    CR 608.2d: an illegal or impossible option can't be chosen.
    """
    forced = only_answer(game, question)
    if forced is not None:
        return game, forced
    for prepared in game.answers:
        if fits(game, prepared, question):
            answer = prepared.choose.answer
            check(question, answer)
            rest = tuple(other for other in game.answers if other is not prepared)
            game = replace(game, answers=rest)
            return told(game, Chose(question.kind, prepared.choose.by, question.askers[0], answer)), answer
    raise Undecided(question, game)


def only_answer(game: Game, question: Question) -> tuple[AnswerValue, ...] | None:
    """The answer that needs no question: there is no other, or all options look alike."""
    options = question.options
    if question.kind in IN_ORDER:
        return options if len(options) < 2 else None
    if question.kind in ("division", "word", "name", "number", "x"):
        return None
    if question.most == 0 or (not options and question.kind not in ("color", "type")):
        return ()
    if question.least >= len(options) > 0:
        return options
    if question.least == question.most and question.kind == "cards" and all_alike(game, options):
        return options[: question.least]
    return None


def all_alike(game: Game, options: tuple[AnswerValue, ...]) -> bool:
    """Whether the options are indistinguishable cards that no look asks about individually."""
    if not all(isinstance(option, str) and option in game.unnamed for option in options):
        return False
    things = [game.board.things[str(option)] for option in options]
    first = things[0]
    return all(replace(thing, id=first.id, timestamp=first.timestamp) == first for thing in things) and all(
        things_are_equal(game, first.id, thing.id) for thing in things
    )


def things_are_equal(game: Game, one: str, other: str) -> bool:
    return game.seen.look(one) == game.seen.look(other)


def fits(game: Game, prepared: Prepared, question: Question) -> bool:
    """Whether a prepared answer is for this question."""
    choose = prepared.choose
    return (
        choose.kind == question.kind
        and (
            choose.by == question.by
            or choose.by in members(game, question.by)
            or choose.by == side_of(game, question.by)
        )
        and (choose.for_ is None or choose.for_ in question.askers)
    )


def check(question: Question, answer: tuple[AnswerValue, ...]) -> None:
    """Raise an error if the answer is not legal."""
    if question.kind in IN_ORDER:
        if sorted(map(str, answer)) != sorted(map(str, question.options)):
            raise Rejected(f"{question} (all of them, each once)")
        return
    if not question.least <= len(answer) <= question.most:
        raise Rejected(
            f"{question}: {question.least} to {question.most} are expected, {len(answer)} were given"
        )
    if question.kind == "division":
        return
    if question.options:
        wrong = [value for value in answer if value not in question.options]
        if wrong or len(set(map(str, answer))) != len(answer):
            raise Rejected(f"{question}: {', '.join(map(str, wrong or answer))} can't be chosen")
    elif question.kind in ("cards", "object", "player", "keep", "copy", "replacement") and answer:
        raise Rejected(f"{question}: there is nothing to choose")


def is_prepared(game: Game, question: Question) -> bool:
    """Whether an answer to this question has been prepared."""
    return any(fits(game, prepared, question) for prepared in game.answers)


def yes_or_no(game: Game, player: str, askers: tuple[str, ...]) -> tuple[Game, bool]:
    """Whether a player chooses to do something optional."""
    game, answer = answered(game, Question("may", player, askers, (True, False)))
    return game, bool(answer[0])
