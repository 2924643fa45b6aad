"""Variants: stored fixtures in which something is changed.

Fixtures meet situations that no strategy would draw, but each meets its situation once, with the values that
its author wrote. A variant begins with a fixture, changes a few things (what a card says, who has what, what
is done and to what, what happens in between), and goes on as the reference engine allows. What a card may say
instead is what other cards of the fixtures say at the same place.

A variant is a number, as a crowd is: it decides the fixture and each change.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import Struct
from msgspec.structs import replace

from conformance.checks.fixtures import findings_of_known_card, tokens_in
from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.model.card_parts import parts_with_places
from conformance.model.features import features_of
from conformance.model.problems import At
from conformance.model.scenario import CardInPlay, Play, Want, holds_in
from conformance.strategies.cards import in_play
from conformance.strategies.means import Means
from conformance.strategies.meetings import DicedWalk
from conformance.strategies.scripts import can_begin, cards_come_by_chance, with_looks
from reference_engine.game.game import Game, advance
from reference_engine.language.actions import Action, Assign, Attack, Block, Call, ChooseAction, Look, Try
from reference_engine.language.cards import Card, Counters
from reference_engine.language.setup import Arrival, Entry, Object, Player
from reference_engine.language.words import CounterKind, Step

MOST_OBJECTS = 14
"""Fixtures with more objects are not varied, because their variants would be hard to read."""
SHARE_OF_LEGAL = 0.15
"""Share of variants in which one look asks for the legal actions, which takes long to find out."""
TRIES = 6
"""Number of changes of a card to try until one makes sense."""
DECLARATIONS = (Attack, Block, Assign)
KEPT_FIELDS = frozenset({"name", "back", "modal", "adventure", "halves"})
"""Fields of parts that are not changed: names, to which other parts refer, and whole faces."""
SOME_COUNTERS: tuple[CounterKind, ...] = (
    *("+1/+1", "-1/-1", "flying", "charge", "stun", "shield", "deathtouch"),
)
STARTS: tuple[Step, ...] = ("upkeep", "precombat main", "beginning of combat", "postcombat main", "end")


# ----------------------------------------------------------------------------- what cards may say instead


@cache
def said_by_cards() -> Mapping[tuple[type, str, bool], tuple[Any, ...]]:
    """What the cards of all fixtures say, for each field of a part: its values, and the members of those that
    are lists.
    """
    said: defaultdict[tuple[type, str, bool], dict[str, Any]] = defaultdict(dict)
    cards = {id(card.definition): card.definition for one in varied_fixtures() for card in one.cards}
    for card in cards.values():
        for _, part in parts_with_places(card):
            for field in part.__struct_fields__:
                value = getattr(part, field)
                is_list = isinstance(value, tuple)
                for one in value if is_list else (value,):
                    said[type(part), field, is_list].setdefault(repr(one), one)
    return {place: tuple(values.values()) for place, values in said.items()}


@cache
def plays_by_chapter() -> Mapping[str, tuple[Play, ...]]:
    """The fixtures to vary, without their looks, by the chapter of the first rule that they cite."""
    found: defaultdict[str, list[Play]] = defaultdict(list)
    for fixture in all_fixtures().values():
        play = fixture.play
        if (
            not fixture.disputed
            and holds_in(fixture.holds, newest_edition())
            and len(play.objects) <= MOST_OBJECTS
        ):
            script = tuple(one for one in play.script if not isinstance(one, Look))
            found[fixture.rules[0][:3]].append(replace(play, wants=(), script=script))
    return {chapter: tuple(plays) for chapter, plays in found.items()}


@cache
def varied_fixtures() -> tuple[Play, ...]:
    """All fixtures to vary, without their looks."""
    return tuple(play for plays in plays_by_chapter().values() for play in plays)


def changed_card(card: Card, dice: random.Random) -> Card:
    """A card of which one part says something else."""
    for _ in range(TRIES):
        at, part = dice.choice(parts_with_places(card))
        fields = [field for field in part.__struct_fields__ if field not in KEPT_FIELDS]
        if not fields:
            continue
        field = dice.choice(fields)
        now = getattr(part, field)
        said = said_by_cards().get((type(part), field, isinstance(now, tuple)), ())
        other = changed_value(now, said, dice)
        if other == now:
            continue
        changed: Card = with_part(card, at, replace(part, **{field: other}))
        named = replace(changed, name=f"Test {card.name.removeprefix('Test ')}")
        if not any(findings_of_known_card(named)):
            return named
    return card


def changed_value(now: Any, said: Sequence[Any], dice: random.Random) -> Any:
    """Another value of a field: a number near it, a part of it, or what another card says there."""
    if isinstance(now, bool) or not said:
        return not now if isinstance(now, bool) else now
    if isinstance(now, int) and dice.random() < 0.5:
        return max(0, now + dice.choice((-1, 1, 1, 2)))
    if not isinstance(now, tuple):
        return dice.choice(said)
    members = list(now)
    kind = dice.randrange(4) if members else 3
    place = dice.randrange(len(members)) if members else 0
    match kind:
        case 0:
            del members[place]
        case 1:
            members.insert(0, members.pop(place))
        case 2:
            members[place] = dice.choice(said)
        case _:
            members.insert(dice.randint(0, len(members)), dice.choice(said))
    return tuple(members)


def with_part(value: Any, at: At, part: Any) -> Any:
    """A value with another part at a place."""
    if not at:
        return part
    step, *rest = at
    if isinstance(step, int):
        return (*value[:step], with_part(value[step], tuple(rest), part), *value[step + 1 :])
    return replace(value, **{step: with_part(getattr(value, step), tuple(rest), part)})


# ------------------------------------------------------------------------------------------- changed tables


def with_changed_card(play: Play, dice: random.Random) -> Play:
    """A card says something else."""
    if not play.cards:
        return play
    number = dice.randrange(len(play.cards))
    before = play.cards[number].definition
    after = changed_card(before, dice)
    if after is before:
        return play
    if any(card.definition.name == after.name for card in play.cards if card.definition is not before):
        return play
    objects = tuple(replace(one, card=after.name) if one.card == before.name else one for one in play.objects)
    cards = tuple(in_play(after) if card.definition is before else card for card in play.cards)
    return without_idle_cards(replace(play, cards=cards, objects=objects))


def without_idle_cards(play: Play) -> Play:
    """The play without invented cards that nothing is, and that no card can make."""
    used = {one.card for one in play.objects}
    there = tuple(one for one in play.cards if one.definition.name in used)
    used |= tokens_in(replace(play, cards=there))
    return replace(play, cards=tuple(one for one in play.cards if one.real or one.definition.name in used))


def with_other_card(play: Play, dice: random.Random) -> Play:
    """An object is another card."""
    if not play.objects:
        return play
    thing = dice.choice(play.objects)
    if thing.token:
        return play
    other = dice.choice(all_cards())
    if any(card.definition.name == other.definition.name and card != other for card in play.cards):
        return play
    objects = tuple(replace(one, card=other.definition.name) if one is thing else one for one in play.objects)
    others = (card for card in play.cards if card != other)
    return without_idle_cards(replace(play, objects=objects, cards=(*others, other)))


@cache
def all_cards() -> tuple[CardInPlay, ...]:
    """The cards of all fixtures that are not tokens, each once."""
    cards = {card.definition.name: card for one in varied_fixtures() for card in one.cards}
    return tuple(card for name, card in cards.items() if card.real or name.startswith("Test "))


def with_changed_entry(play: Play, dice: random.Random) -> Play:
    """A permanent is under another player's control, tapped, new, damaged, or has counters."""
    places = [(n, m) for n, arrival in enumerate(play.setup) for m in range(len(arrival.entries))]
    if not places:
        return play
    number, position = dice.choice(places)
    arrival = play.setup[number]
    entry = changed_entry(arrival.entries[position], play, dice)
    entries = (*arrival.entries[:position], entry, *arrival.entries[position + 1 :])
    setup = (*play.setup[:number], replace(arrival, entries=entries), *play.setup[number + 1 :])
    if dice.random() < 0.3:
        return replace(play, setup=setup)
    owned = replace(next(one for one in play.objects if one.id == entry.id), owner=entry.controller)
    return replace(
        play, setup=setup, objects=tuple(owned if one.id == entry.id else one for one in play.objects)
    )


def changed_entry(entry: Entry, play: Play, dice: random.Random) -> Entry:
    """An entry that differs in one thing."""
    match dice.randrange(6):
        case 0 | 1:
            return replace(entry, controller=dice.choice([player.id for player in play.players]))
        case 2:
            return replace(entry, tapped=not entry.tapped)
        case 3:
            return replace(entry, new=not entry.new)
        case 4:
            return replace(entry, damage=0 if entry.damage else 1)
        case _:
            more = Counters(dice.choice(SOME_COUNTERS), dice.randint(1, 2))
            return replace(entry, counters=(*entry.counters, more))


def with_other_owner(play: Play, dice: random.Random) -> Play:
    """A permanent, or each of them, is owned by a player who does not control it."""
    under = {entry.id: entry.controller for arrival in play.setup for entry in arrival.entries}
    ids = [thing.id for thing in play.objects if under.get(thing.id) == thing.owner]
    if not ids:
        return play
    lent = ids if dice.random() < 0.5 else [dice.choice(ids)]
    players = [player.id for player in play.players]

    def owned(thing: Object) -> Object:
        others = [player for player in players if player != thing.owner]
        return replace(thing, owner=dice.choice(others)) if thing.id in lent else thing

    return replace(play, objects=tuple(owned(thing) for thing in play.objects))


def with_other_order(play: Play, dice: random.Random) -> Play:
    """Permanents entered in another order."""
    setup = list(play.setup)
    if len(setup) < 2:
        return play
    setup.append(setup.pop(dice.randrange(len(setup) - 1)))
    return replace(play, setup=tuple(setup))


def with_other_start(play: Play, dice: random.Random) -> Play:
    """It begins in another step, in another player's turn, or with another life total."""
    match dice.randrange(3):
        case 0:
            return replace(play, start=replace(play.start, step=dice.choice(STARTS)))
        case 1:
            sides = [player.team or player.id for player in play.players]
            return replace(play, start=replace(play.start, turn=dice.choice(sides)))
        case _:
            number = dice.randrange(len(play.players))
            players = list(play.players)
            players[number] = replace(players[number], life=dice.choice((1, 2, 3, 5, 20, 40)))
            return replace(play, players=tuple(players))


def with_second(play: Play, dice: random.Random) -> Play:
    """There is one more of what is on the battlefield."""
    lone = lone_entries(play)
    if not lone or len(play.objects) >= MOST_OBJECTS:
        return play
    return with_one_more(play, play, replace(dice.choice(lone), choices=()), dice)


def with_more_cards(play: Play, dice: random.Random) -> Play:
    """There is a permanent of another fixture."""
    other = dice.choice(varied_fixtures())
    plain = [entry for entry in lone_entries(other) if not entry.choices and not entry.attached_to]
    if not plain or len(play.objects) >= MOST_OBJECTS:
        return play
    return with_one_more(play, other, dice.choice(plain), dice)


def lone_entries(play: Play) -> list[Entry]:
    """The permanents that entered by themselves."""
    return [arrival.entries[0] for arrival in play.setup if len(arrival.entries) == 1]


def with_one_more(play: Play, other: Play, entry: Entry, dice: random.Random) -> Play:
    """The play with a permanent as in another play (or as in itself), under anybody's control, the oldest or
    the newest; unchanged if the other play has another card of the same name.
    """
    thing = next(one for one in other.objects if one.id == entry.id)
    card = next(card for card in other.cards if card.definition.name == thing.card)
    here = {one.definition.name: one for one in play.cards}
    if here.get(thing.card, card) != card:
        return play
    given = {one.id for one in play.objects} | {player.id for player in play.players}
    id = next(name for n in range(2, 99) if (name := f"{thing.id}_{n}") not in given)
    controller = dice.choice([player.id for player in play.players])
    arrival = Arrival((replace(entry, id=id, controller=controller),))
    cut = dice.choice((0, len(play.setup)))
    return replace(
        play,
        cards=play.cards if thing.card in here else (*play.cards, card),
        objects=(*play.objects, replace(thing, id=id, owner=controller)),
        setup=(*play.setup[:cut], arrival, *play.setup[cut:]),
    )


def with_third_player(play: Play, dice: random.Random) -> Play:
    """There is one more player, without cards."""
    given = {one.id for one in play.objects} | {player.id for player in play.players}
    if len(play.players) > 2 or "carol" in given:
        return play
    players = list(play.players)
    players.insert(dice.randint(0, 2), Player("carol"))
    return replace(play, players=tuple(players))


WAYS_FOR_TWO_PLAYERS: tuple[Callable[[Play, random.Random], Play], ...] = (
    *(with_changed_card,) * 5,
    *(with_changed_entry,) * 2,
    *(with_more_cards,) * 2,
    with_other_card,
    with_other_owner,
    with_other_order,
    with_other_start,
    with_second,
)
WAYS_TO_VARY = (*WAYS_FOR_TWO_PLAYERS, with_third_player)


# ------------------------------------------------------------------------------------------ changed scripts


def renamed_action(action: Action, play: Play, dice: random.Random) -> Action:
    """An action on something else: one of its names is another object or player."""
    players = [player.id for player in play.players]
    things = [one.id for one in play.objects]
    names = [(at, name) for at, name in texts_in(action) if name in players or name in things]
    if not names:
        return action
    at, name = dice.choice(names)
    others = (*things, *players) if "targets" in at else players if name in players else things
    renamed: Action = with_part(action, at, dice.choice(others))
    return renamed


def texts_in(value: Any, at: At = ()) -> Iterator[tuple[At, str]]:
    """The texts in an action, with their places."""
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, tuple):
        for number, one in enumerate(value):
            yield from texts_in(one, (*at, number))
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from texts_in(getattr(value, field), (*at, field))


class VariantWalk(DicedWalk):
    """A walk that follows a script, and leaves it now and then."""

    def follow(self, play: Play, *, strictly: bool) -> None:
        """Take the actions of the script; if not `strictly`, some are left out or changed, or others come
        between.
        """
        answers: list[ChooseAction] = []
        script = list(play.script)
        for number, action in enumerate(script):
            if self.game.over:
                return
            if isinstance(action, ChooseAction):
                answers.append(action)
                continue
            if isinstance(action, Call):
                continue
            after = script[number + 1] if number + 1 < len(script) else None
            what = action.action if isinstance(action, Try) else action
            if not strictly:
                leaves = self.dice.random()
                if leaves < 0.06:
                    answers.clear()
                    continue
                if leaves < 0.14:
                    what = renamed_action(what, play, self.dice)
                elif leaves < 0.24:
                    (self.game.holder and self.act()) or self.go_on()
            self.do(what, answers, after if isinstance(after, Call) else None)
            answers.clear()

    def take(self, action: Action) -> bool:
        """Take an action, if it is legal and changes something."""
        game, length, tokens = self.game, len(self.script), self.tokens
        if not super().take(action):
            return False
        if look_alike(game, self.game):
            self.game, self.tokens = game, tokens
            del self.script[length:]
            return False
        return True

    def do(self, action: Action, answers: Sequence[ChooseAction], names: Call | None) -> None:
        """Take an action, with these answers and names for its tokens if they fit, and as it is possible
        otherwise.
        """
        game = self.game
        if isinstance(action, DECLARATIONS) and game.deciding is None:
            return  # some engines ask for what is not to be decided, and others do not
        for answer in answers:
            prepared = advance(game, answer)
            if not isinstance(prepared, Game):
                break
            game = prepared
        done = advance(game, action)
        if isinstance(done, Game) and not done.answers and not cards_come_by_chance(self.game, done):
            named = advance(done, names) if names else None
            if look_alike(self.game, done):
                return
            if isinstance(named, Game) and names:
                self.script += [*answers, action, names]
                self.game = named
                return
            if not done.made:
                self.script += [*answers, action]
                self.game = done
                return
        if not self.take(action):
            self.try_action(action)


def look_alike(one: Game, other: Game) -> bool:
    """Whether nothing tells two games apart: a whole turn may have passed."""
    return (one.board.active, one.board.step, one.holder, one.deciding, one.stack, one.pools) == (
        *(other.board.active, other.board.step, other.holder, other.deciding, other.stack, other.pools),
    ) and (one.board.seats, one.board.things) == (other.board.seats, other.board.things)


def variant(number: bytes, fixtures: Sequence[Play], means: Means) -> Play:
    """The variant with this number, of one of these fixtures."""
    dice = random.Random(number)
    fixture = dice.choice(fixtures)
    play = fixture
    changes = WAYS_TO_VARY if means.allow("three players") else WAYS_FOR_TWO_PLAYERS
    for _ in range(dice.choice((0, 1, 1, 2, 2, 3))):
        changed = dice.choice(changes)(play, dice)
        if changed is not play and can_begin(changed):
            play = changed
    walk = VariantWalk(dice, play, means)
    walk.game = replace(walk.game, unnamed=frozenset())  # looks after each action tell all objects apart
    walk.follow(play, strictly=dice.random() < 0.4)
    if not walk.game.over and dice.random() < 0.5:
        walk.walk(3)
    changed = replace(play, script=tuple(walk.script))
    return changed if means.lacks.isdisjoint(features_of(changed)) else fixture


@cache
def fixtures_for(means: Means, chapters: frozenset[str]) -> tuple[Play, ...]:
    """The fixtures to vary for an engine with these means, of these chapters."""
    return tuple(
        play
        for chapter, plays in plays_by_chapter().items()
        if chapter in chapters
        for play in plays
        if means.lacks.isdisjoint(features_of(play))
    )


def variants(means: Means, chapters: frozenset[str]) -> SearchStrategy[Play]:
    """Fixtures of these chapters in which something is changed, looked at after each action."""
    fixtures = fixtures_for(means, chapters) if means.invented else ()
    if not fixtures:
        return st.nothing()
    return st.binary(min_size=6, max_size=6).map(lambda number: looked_at(number, fixtures, means))


def looked_at(number: bytes, fixtures: Sequence[Play], means: Means) -> Play:
    """A variant with looks after each action, of which one may ask for the legal actions."""
    play = with_looks(variant(number, fixtures, means))
    if random.Random(number).random() > SHARE_OF_LEGAL:
        return play
    look = random.Random(number).choice([*(one.name for one in play.script if isinstance(one, Look)), "end"])
    return replace(play, wants=(*play.wants, Want(look, "table", frozenset({"legal"}))))
