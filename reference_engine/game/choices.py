"""Choices and payments made while something resolves or enters (CR 608.2d, 118.12)."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from reference_engine.game.costs import NO_REFERENCES, Wording
from reference_engine.game.game import (
    Game,
    Question,
    Ref,
    Rejected,
    Undecided,
    opponents_of,
    players,
    players_in_order,
    side_of,
)
from reference_engine.game.questions import take_answer, yes_or_no
from reference_engine.game.scene import Scene, affected_refs, askers, people, people_who_left
from reference_engine.language import cards
from reference_engine.language.actions import AnswerValue
from reference_engine.language.cards import (
    Cost,
    EitherCost,
    ManaCost,
    Selector,
    words_for_costs,
)
from reference_engine.language.characteristics import faces_of, printed_characteristics
from reference_engine.language.words import (
    BASIC_LAND_TYPES,
    COLORS,
    kind_of_subtype,
)
from reference_engine.layers.asking import Asking, matches, selection
from reference_engine.layers.board import (
    ChoicesMade,
    NotModelled,
)
from reference_engine.layers.view import View, status


def choose(game: Game, scene: Scene, instruction: cards.ChooseInstruction) -> tuple[Game, Scene]:
    """The game and scene after a player made a choice while an effect is applied (CR 608.2d: announced
    then).
    """
    game, who = choosers(game, scene, instruction.who)
    for player in who:
        match instruction.kind:
            case "object":
                assert instruction.what is not None
                refs = affected_refs(game, scene, instruction.what)
                options = tuple(ref.id for ref in refs)
                most = min(instruction.most, len(options))
                kind: Literal["random", "object"] = "random" if instruction.at_random else "object"
                question = Question(
                    kind, player, askers(game, scene), options, min(instruction.least, most), most
                )
                game, answer = take_answer(game, question)
                scene = with_chosen(scene, instruction.name, tuple(game.ref(str(id)) for id in answer))
            case "player":
                options = people(game, scene, instruction.what) if instruction.what else players(game)
                game, answer = take_answer(game, Question("player", player, askers(game, scene), options))
                scene = with_chosen(scene, instruction.name, tuple(Ref(str(id)) for id in answer))
            case _:
                game, words = game.rules.words_chosen(game, instruction, player, askers(game, scene))
                if instruction.kind == "color":
                    scene = replace(scene, colors=tuple(str(word) for word in words))
                elif instruction.kind == "number":
                    scene = replace(scene, number=int(str(words[0])))
                elif instruction.kind == "type":
                    scene = replace(scene, type=str(words[0]))
                else:
                    raise NotModelled(f"choosing a {instruction.kind} while something resolves")
    return game, scene


def choosers(game: Game, scene: Scene, selector: Selector) -> tuple[Game, tuple[str, ...]]:
    """The players who make a choice.

    CR 800.4g: for one who has left the game, another player, whom the controller of the spell or ability
    chooses: for an opponent another opponent, if there is one.
    """
    who = people(game, scene, selector)
    for gone in people_who_left(game, scene, selector):
        others = opponents_of(game, scene.you) if side_of(game, gone) != side_of(game, scene.you) else ()
        options = others or players_in_order(game)
        game, answer = take_answer(game, Question("player", scene.you, askers(game, scene), options))
        who += (str(answer[0]),)
    return game, who


def with_chosen(scene: Scene, name: str, refs: tuple[Ref, ...]) -> Scene:
    """The scene with these objects added to those that a name refers to."""
    before = dict(scene.names).get(name, ())
    return scene.named(name, before + tuple(ref for ref in refs if ref not in before))


def words_chosen(
    game: Game, choice: cards.ChooseInstruction, player: str, who_asks: tuple[str, ...]
) -> tuple[Game, tuple[AnswerValue, ...]]:
    """The words or the number that a player chose."""
    options: tuple[AnswerValue, ...] = ()
    match choice.kind, choice.of:
        case ("color", _) | ("word", "color"):
            options = COLORS
        case _, "basic land type":
            options = BASIC_LAND_TYPES
    options = tuple(word for word in options if word not in choice.never)
    question = Question(
        choice.kind,
        player,
        who_asks,
        options,
        choice.least,
        choice.most,
        such_as=() if options else words_such_as(game, choice),
    )
    game, answer = take_answer(game, question)
    for word in answer:
        if word in choice.never:
            raise Rejected(f"{word} can't be chosen here")
        if (
            choice.kind == "name"
            and choice.among is not None
            and is_name_of_wrong_card(game, str(word), choice.among)
        ):
            raise Rejected(f"{word} is not the name of such a card")
        if choice.kind == "type" and not options and kind_of_subtype(str(word)) != "creature":
            raise Rejected(f"{word} is no creature type (CR 205.3m)")
        if choice.kind == "number" and not (isinstance(word, int) and word >= 0):
            raise Rejected(f"{word} is no number that can be chosen (CR 107.1)")
    return game, answer


def words_such_as(game: Game, choice: cards.ChooseInstruction) -> tuple[AnswerValue, ...]:
    """Examples of what may be chosen where any word of a kind is allowed: names and types known in this
    game.
    """
    things = game.board.things.values()
    match choice.kind:
        case "name":
            names = dict.fromkeys(name for thing in things for name in names_of_faces(thing.card))
            among = choice.among
            fitting = tuple(n for n in names if among is None or not is_name_of_wrong_card(game, n, among))
            return fitting or ("A card that is not here",)
        case "type":
            types = dict.fromkeys(word for thing in things for word in sorted(thing.card.subtypes))
            own = tuple(w for w in types if kind_of_subtype(w) == "creature" and w not in choice.never)
            return own or ("Goblin",)
        case _:
            return ()


def is_name_of_wrong_card(game: Game, name: str, among: cards.Filter) -> bool:
    """Whether the card of this name is known in this game and does not match the filter (CR 201.4:
    choosing a name).
    """
    for thing in game.board.things.values():
        for face in faces_of(thing.card).values():
            if face.name == name:
                view = View({(printed_characteristics(face), status(thing)): frozenset({thing.id})})
                return not matches(among, thing.id, Asking(game.board, view, thing.id))
    return False


def names_of_faces(card: cards.Card) -> tuple[str, ...]:
    """The names of a card, each of which can be chosen by itself.

    CR 709.4a: one of a split card's names. CR 712.19: that of either face. CR 715.5: also an Adventure's.
    """
    return tuple(dict.fromkeys(face.name for face in faces_of(card).values() if not face.halves))


def word_chosen(
    game: Game, choice: cards.ChooseInstruction, player: str, id: str, chosen: ChoicesMade, asking: Asking
) -> tuple[Game, ChoicesMade]:
    """The choices recorded for an object, with one made as it enters (CR 607.2d: linked abilities)."""
    chosen = replace(chosen, under_by=asking.view.look(id).text_by)
    if choice.kind == "player":
        options = (
            tuple(p for p in players_in_order(game) if p in selection(choice.what, asking))
            if choice.what is not None
            else players(game)
        )
        if not options:  # CR 609.3: what is impossible is not done
            return game, chosen
        game, answer = take_answer(game, Question("player", player, (id,), options))
        return game, replace(chosen, player=str(answer[0]))
    if choice.kind == "object":
        raise NotModelled("choosing an object as a permanent enters")
    game, words = game.rules.words_chosen(game, choice, player, (id,))
    word = words[0]
    match choice.kind:
        case "color":
            return game, replace(chosen, color=str(word))
        case "word":
            if choice.of == "color":
                return game, replace(chosen, color=str(word))
            return game, replace(chosen, type=str(word))
        case "type":
            return game, replace(chosen, type=str(word))
        case "name":
            return game, replace(chosen, name=str(word))
        case _:
            return game, replace(chosen, number=int(str(word)))


def paid_or_not(
    game: Game,
    player: str,
    costs: tuple[Cost, ...],
    who_asks: tuple[str, ...],
    source: Ref,
    wording: Wording = NO_REFERENCES,
) -> tuple[Game, bool]:
    """The game after a player chose whether to pay an offered cost, and whether they did.

    CR 608.2d: an impossible option can't be chosen, so a player who can't pay is not asked.
    """
    if not can_be_paid(game, player, costs, who_asks, source, wording):
        return game, False
    game, wanted = yes_or_no(game, player, who_asks)
    if not wanted:
        return game, False
    return paid_while_resolving(game, player, costs, who_asks, source, wording), True


def can_be_paid(
    game: Game,
    player: str,
    costs: tuple[Cost, ...],
    who_asks: tuple[str, ...],
    source: Ref,
    wording: Wording,
) -> bool:
    try:
        paid_while_resolving(game, player, costs, who_asks, source, wording)
    except Rejected:
        return False
    except Undecided:
        return True
    return True


def paid_while_resolving(
    game: Game,
    player: str,
    costs: tuple[Cost, ...],
    who_asks: tuple[str, ...],
    source: Ref,
    wording: Wording,
) -> Game:
    """The game after a cost was paid during a resolution. Without `pay`, its mana is free, as everywhere."""
    for cost in costs:
        if isinstance(cost, EitherCost):
            ways = {word: (one,) for word, one in words_for_costs(cost).items()}
            able = tuple(
                word for word in ways if can_be_paid(game, player, ways[word], who_asks, source, wording)
            )
            if not able:
                raise Rejected(f"{player} can pay none of these costs (CR 118.3)")
            game, (word,) = take_answer(game, Question("costs", player, who_asks, able))
            game = paid_while_resolving(game, player, ways[str(word)], who_asks, source, wording)
            continue
        if isinstance(cost, ManaCost):
            continue
        game, _, _ = game.rules.pay_cost(game, cost, player, source, [], who_asks, wording)
    return game
