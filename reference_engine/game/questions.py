"""Decisions that players make during an action, answered by prepared choices.

A question is matched by its kind, the deciding player, and the asker. Nobody guesses: without an answer, the
whole action does not happen. A question with only one legal answer is not asked.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from reference_engine.game.events import Chose
from reference_engine.game.game import Game, PreparedAnswer, Question, Rejected, Undecided, members, side_of
from reference_engine.game.happening import with_event
from reference_engine.language.actions import AnswerValue, ChooseAction, Share
from reference_engine.language.words import BASIC_LAND_TYPES, COLORS

MOST_COMPLETIONS = 200
"""Maximum number of variants tried or offered for one action."""
GREATEST_X = 3
"""Greatest number offered where any number may be chosen."""
GREATEST_X_TRIED = 20
"""Greatest number tried to see whether an action is possible at all."""
SOME_CREATURE_TYPES = ("Goblin", "Elf", "Saproling")
IN_ORDER = ("order", "timestamps", "damage_order")
"""Questions that are answered with all options, in some order."""


def labels_of(names: Sequence[str]) -> tuple[str, ...]:
    """Different names for options some of which have the same: `id`, `id (2)`, and so on."""
    met: Counter[str] = Counter()
    found: list[str] = []
    for name in names:
        met[name] += 1
        found.append(name if met[name] == 1 else f"{name} ({met[name]})")
    return tuple(found)


def take_answer(game: Game, question: Question) -> tuple[Game, tuple[AnswerValue, ...]]:
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
            return with_event(
                game, Chose(question.kind, prepared.choose.by, question.askers[0], answer)
            ), answer
    raise Undecided(question, game)


def only_answer(game: Game, question: Question) -> tuple[AnswerValue, ...] | None:
    """The answer to a question that need not be asked: there is no other, or all options look alike."""
    options = question.options
    if question.kind in IN_ORDER:
        return options if len(options) < 2 else None
    if question.kind in ("division", "word", "name", "number", "x"):
        return None
    if question.most == 0 or (not options and question.kind not in ("color", "type")):
        return ()
    if question.least >= len(options) > 0:
        return options
    is_one_of_many = question.least == question.most and question.kind in ("cards", "random", "object")
    if is_one_of_many and all_alike(game, options):
        return options[: question.least]
    return None


def all_alike(game: Game, options: tuple[AnswerValue, ...]) -> bool:
    """Whether the options are indistinguishable cards that no look asks about individually, or tokens
    that were made just now.
    """
    if not all(isinstance(option, str) and option in game.unnamed.union(game.made) for option in options):
        return False
    things = [game.board.things[str(option)] for option in options]
    first = things[0]
    return all(
        replace(thing, id=first.id, timestamp=first.timestamp, born=first.born) == first for thing in things
    ) and all(things_are_equal(game, first.id, thing.id) for thing in things)


def things_are_equal(game: Game, one: str, other: str) -> bool:
    return game.look(one) == game.look(other)


def fits(game: Game, prepared: PreparedAnswer, question: Question) -> bool:
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
        and choose.decided_by in (None, game.rules.decider(game, question.by))
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


def is_prepared(game: Game, question: Question) -> bool:
    """Whether an answer to this question has been prepared."""
    return any(fits(game, prepared, question) for prepared in game.answers)


def parts_of(total: int, places: int, least: int = 0) -> Iterator[tuple[int, ...]]:
    """The ways of writing a number as a sum of `places` numbers."""
    if places == 1:
        if total >= least:
            yield (total,)
        return
    for first in range(total, least - 1, -1):
        for rest in parts_of(total - first, places - 1, least):
            yield (first, *rest)


def possible_answers(question: Question, greatest_x: int = GREATEST_X) -> Iterator[tuple[AnswerValue, ...]]:
    """Every legal answer to a question, or a few examples if there are infinitely many."""
    options = question.options
    match question.kind:
        case "order" | "timestamps" | "damage_order":
            yield from itertools.permutations(options)
        case "number" | "x":
            yield from ((n,) for n in range(greatest_x + 1))
        case "word":
            for words in (COLORS, BASIC_LAND_TYPES) if options else (SOME_CREATURE_TYPES,):
                if not options or words[0] in options:
                    yield from itertools.permutations(words, question.most)
        case "name" | "type" if not options:
            yield from ((word,) for word in question.such_as)
        case "division":
            for numbers in parts_of(question.total, len(options), 1):
                yield tuple(Share(str(one), n) for one, n in zip(options, numbers, strict=True))
        case _:
            for number in range(question.least, min(question.most, len(options)) + 1):
                yield from itertools.combinations(options, number)


def is_possible(game: Game, attempt: Callable[[Game], Game]) -> bool:
    """Whether some answers to the questions of an attempt let it succeed, whatever the script has prepared.

    After `MOST_COMPLETIONS` attempts the answer is yes: the player has too many choices to try all of them.
    """
    open_games = [replace(game, answers=())]
    for _ in range(MOST_COMPLETIONS):
        if not open_games:
            return False
        then = open_games.pop()
        try:
            attempt(then)
        except Undecided as undecided:
            possible = possible_answers(undecided.question, GREATEST_X_TRIED)
            later = tuple(itertools.islice(possible, MOST_COMPLETIONS))
            open_games += [with_answer(then, undecided.question, answer) for answer in reversed(later)]
        except Rejected:
            continue
        else:
            return True
    return True


def with_answer(game: Game, question: Question, answer: tuple[AnswerValue, ...]) -> Game:
    """The game with one more answer prepared."""
    choose = ChooseAction(question.kind, question.by, answer, question.askers[0])
    return replace(game, answers=(*game.answers, PreparedAnswer(choose, game.asked)), asked=game.asked + 1)


def yes_or_no(game: Game, player: str, askers: tuple[str, ...]) -> tuple[Game, bool]:
    """Whether a player chooses to do something optional."""
    game, answer = take_answer(game, Question("may", player, askers, (True, False)))
    return game, bool(answer[0])
