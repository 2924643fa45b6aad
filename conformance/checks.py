"""What can be wrong with a fixture though every word of it can be read; asked without any engine.

Names that nothing defines, cards that nobody knows, looks that never happen, expectations that only repeat
their input. Each check takes the canonical fixture and yields findings, each with its place in it.
What only a played scenario shows (a state-based action waiting in the setup, a choice never asked) is asked
by whoever plays it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Any, assert_never, get_args

from msgspec import Struct

from conformance.card_checks import PLAIN, findings_of_card, once_for_each
from conformance.language import words_of_the_language
from conformance.observation import Observations
from conformance.problems import At, Finding, did_you_mean, listed
from conformance.scenario import (
    CardInPlay,
    Entry,
    Equals,
    Expectation,
    Fixture,
    Holds,
    Number,
    OneOf,
    Play,
    Player,
    SeenCounters,
    Value,
)
from conformance.scenario_file import ALWAYS, SEEN, keys_of, mentioned
from conformance.short_forms import KEYWORDS, MANA
from reference_engine.actions import (
    Action,
    Activate,
    Advance,
    Assign,
    Attack,
    Block,
    Call,
    Cast,
    Choose,
    Look,
    Pass,
    Resolve,
    Share,
    Special,
    Try,
    TurnUp,
)
from reference_engine.actions import Play as PlayLand
from reference_engine.cards import Card, Counters, ExchangeControl, GainControl, TurnFace
from reference_engine.cards import FaceDown as BecomeFaceDown
from reference_engine.words import COLORS, STEPS

ID = re.compile(r"[a-z][a-z0-9_]*")
FOUND, CHOSEN = "F-", "C-"
"""How the id of a fixture begins that nobody has written: a search found it, or it was chosen for the corpus.
It may say more than it must.
"""
FIXTURE_ID = re.compile(r"[ABDEG-Z]-[0-9]{4}(?:\.[0-9]{2})?|[FC]-[0-9a-f]{8}")


NOTHING_WRONG: tuple[Finding, ...] = ()


class Known(Struct, frozen=True):
    """What a fixture may refer to beyond itself. None: it is not known, and not asked."""

    cards: Mapping[str, Card]
    rules: Collection[str] | None = None
    sources: Collection[str] | None = None


def findings_of(fixture: Fixture, known: Known, beside: Fixture | None = None) -> Iterator[Finding]:
    """All that is wrong with a fixture, as far as can be told without playing it.

    What it shares with another row of its table is not looked at again, if that one is named.
    """
    drawn = fixture.id.startswith((FOUND, CHOSEN))
    play = fixture.play
    yield from wrong_heading(fixture, known)
    again = beside is not None and beside is not fixture and same_board(play, beside.play)
    for finding in chain(() if again else wrong_board(play, known), wrong_doings(play)):
        if finding.certain or not drawn:
            yield finding.within("play")
    yield from wrong_expectations(fixture, known)
    if not drawn:
        yield from unused(fixture)
        yield from repeated_input(fixture)


# ------------------------------------------------------------------------------------------ heading


def wrong_heading(fixture: Fixture, known: Known) -> Iterator[Finding]:
    """Id, rules, sources and dates."""
    if not FIXTURE_ID.fullmatch(fixture.id):
        yield Finding(
            ("id",),
            f"{fixture.id!r} is no fixture id",
            "write L-0031 (layers), G-0107 (game) or G-0107.03 (a row)",
        )
    if not fixture.title.strip():
        yield Finding(("title",), "no title", "say in one sentence what the fixture shows")
    if not fixture.rules:
        yield Finding(("rules",), "no rule is named", 'name the rules it is about: ["613.8b"]')
    for position, rule in unknown_among(fixture.rules, known.rules):
        yield from unknown_rule(rule, known.rules, ("rules", position))
    for position, source in unknown_among(fixture.source, known.sources):
        yield from unknown_word(
            source, known.sources, ("source", position), "source id", "inventory.yaml lists them"
        )
    if fixture.holds != ALWAYS:
        yield from wrong_dates(fixture.holds, ("holds",))
    if not fixture.expect:
        yield Finding(
            ("expect",),
            "nothing is expected",
            "say what is to be seen: [{of: bear, power: 3}]",
            certain=False,
        )


def unknown_among(words: Iterable[str], known: Collection[str] | None) -> list[tuple[int, str]]:
    """Those of some words that are not known, each with its position."""
    return [] if known is None else [(at, word) for at, word in enumerate(words) if word not in known]


def unknown_word(
    word: str, known: Collection[str] | None, at: At, kind: str, otherwise: str
) -> tuple[Finding, ...]:
    """A word that is not among those known, if they are known at all."""
    if known is None or word in known:
        return NOTHING_WRONG
    return (Finding(at, f"no {kind} {word!r}", did_you_mean(word, known, otherwise=otherwise)),)


def unknown_rule(rule: str, known: Collection[str] | None, at: At) -> tuple[Finding, ...]:
    """A rule that we do not know."""
    return unknown_word(rule, known, at, "rule", "rulebook.yaml lists the rules we cite")


def wrong_dates(holds: Holds, at: At) -> Iterator[Finding]:
    """Dates that are none, or the wrong way round."""
    for key in ("since", "until"):
        word = getattr(holds, key)
        if word is not None and not is_date(word):
            yield Finding((*at, key), f"{word!r} is no date", 'write it as "2020-04-17"')
    if holds.since and holds.until and holds.since >= holds.until:
        yield Finding(at, "it holds on no day", "until is the first day on which it no longer holds")


def is_date(word: str) -> bool:
    """Whether a word is a day of the calendar, written as year-month-day."""
    try:
        return date.fromisoformat(word).isoformat() == word
    except ValueError:
        return False


# ----------------------------------------------------------------------------------------- the play


def wrong_play(play: Play, known: Known) -> Iterator[Finding]:
    """What is wrong with the scenario itself."""
    yield from wrong_board(play, known)
    yield from wrong_doings(play)


def wrong_board(play: Play, known: Known) -> Iterator[Finding]:
    """What is wrong with what lies on the table."""
    yield from wrong_cards(play, known)
    yield from unknown_cards(play, known)
    yield from wrong_places(play)
    yield from wrong_setup(play)


def same_board(one: Play, other: Play) -> bool:
    """Whether the very same things lie on two tables."""
    return (
        one.players is other.players
        and one.cards is other.cards
        and one.objects is other.objects
        and one.setup is other.setup
    )


def wrong_doings(play: Play) -> Iterator[Finding]:
    """What is wrong with the ids, and with the moment from which something is done."""
    yield from wrong_ids(play)
    yield from wrong_start(play)
    yield from wrong_script(play)


@once_for_each
def findings_of_known_card(card: Card) -> tuple[Finding, ...]:
    """What is wrong with a card; asked once."""
    return tuple(findings_of_card(card))


def wrong_cards(play: Play, known: Known) -> Iterator[Finding]:
    """Invented cards that pass for real ones, and what is wrong with any of them."""
    for position, card in enumerate(play.cards):
        name = card.definition.name
        at: At = ("cards", position, "definition")
        if card.real:
            real = known.cards.get(name)
            if real is not card.definition and real != card.definition:
                yield Finding(
                    at,
                    f"{name} is not the real card of that name",
                    "leave real cards out: they come from the pool",
                )
            continue
        tokens = tokens_in(play)
        if name not in tokens and not name.startswith("Test ") and name not in known.cards:
            yield Finding(
                (*at, "name"), f"{name!r} is invented and does not say so", f"call it 'Test {name}'"
            )
        elif name in known.cards and name not in tokens:
            yield Finding((*at, "name"), f"{name!r} is a real card", "leave it out of cards")
        for finding in findings_of_known_card(card.definition):
            yield finding.within(*at)


def tokens_in(play: Play) -> set[str]:
    """The names of cards that are only those of tokens."""
    tokens = {one.card for one in play.objects if one.token}
    tokens.update(token.name for card in play.cards for token in mentioned(card.definition).tokens)
    return tokens - {one.card for one in play.objects if not one.token}


def ids_given(play: Play) -> list[str]:
    """Every id that is given to something."""
    given = [player.id for player in play.players]
    given += [one.id for one in play.objects]
    for action in play.script:
        if type(action) in NAMING_ACTIONS:
            given += [name for name, _ in named_by(action)]
    return given


def named_things(play: Play) -> Iterator[tuple[str, str, At]]:
    """Every id that is given to something: the id, what it is, and where."""
    for position, player in enumerate(play.players):
        yield player.id, "a player", ("players", position, "id")
    for position, one in enumerate(play.objects):
        yield one.id, "an object", ("objects", position, "id")
    for position, action in enumerate(play.script):
        if type(action) in NAMING_ACTIONS:
            for name, at in named_by(action):
                yield name, "an object", ("script", position, *at)


NAMING_ACTIONS = {Cast, Activate, Call, Try}
"""The actions that may give ids. (Asking for a type is far quicker than `isinstance` of a struct.)"""


def named_by(action: Action) -> Iterator[tuple[str, At]]:
    """The ids that an action gives."""
    if type(action) is Cast or type(action) is Activate:
        if action.as_ is not None:
            yield action.as_, ("as",)
    elif type(action) is Try:
        for name, at in named_by(action.action):
            yield name, ("action", *at)
    elif type(action) is Call:
        for number, one in enumerate(action.tokens):
            for position, name in enumerate(one.ids):
                yield name, ("tokens", number, "ids", position)


def wrong_ids(play: Play) -> Iterator[Finding]:
    """Ids that are none, that the language needs for itself, or that are given twice."""
    seen: dict[str, str] = {}
    teams: dict[str, At] = {
        player.team: ("players", number, "team") for number, player in enumerate(play.players) if player.team
    }
    for name, at in teams.items():
        if not is_free(name):
            yield from wrong_id(name, at)
    given = ids_given(play)
    if len({*given, *teams}) < len(given) + len(teams) or not all(map(is_free, given)):
        for name, kind, at in named_things(play):
            if not is_free(name):
                yield from wrong_id(name, at)
            if name in seen:
                yield Finding(
                    at, f"the id {name!r} is given twice", f"the first is {seen[name]}: choose another id"
                )
            elif name in teams:
                yield Finding(at, f"the id {name!r} is a team's", "choose another id")
            seen[name] = kind
    by_side = [player.team or player.id for player in play.players]
    for name, at in teams.items():
        first = by_side.index(name)
        if set(by_side[first : first + by_side.count(name)]) != {name}:
            yield Finding(
                at, f"the players of {name} do not sit side by side", "list them one after the other"
            )
    if len(play.players) < 2:
        yield Finding(("players",), "fewer than two players", "write players: [alice, bob]", certain=False)


@lru_cache(maxsize=100_000)
def is_free(name: str) -> bool:
    """Whether a name may be an id."""
    return bool(ID.fullmatch(name)) and name not in words_of_the_language()


def wrong_id(name: str, at: At) -> Iterator[Finding]:
    """What is wrong with an id that is not free: it is none, or a word of the language."""
    if not ID.fullmatch(name):
        simple = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_0123456789") or "bear"
        yield Finding(at, f"{name!r} is no id", f"small letters, digits and _, a letter first: {simple}")
    else:
        what = f"the id {name!r} is a word of the language"
        yield Finding(at, what, f"choose another: {name}1, the_{name}", certain=False)


def unknown_cards(play: Play, known: Known) -> Iterator[Finding]:
    """Objects of a card that nobody knows."""
    own = {card.definition.name for card in play.cards}
    for position, one in enumerate(play.objects):
        if one.card not in own:
            key = "token" if one.token else "card"
            yield Finding(
                ("objects", position, key),
                f"no card named {one.card!r}",
                did_you_mean(
                    one.card,
                    (*known.cards, *own),
                    otherwise="real cards are those in fixtures/cards; invented ones stand under cards:",
                ),
            )


def wrong_places(play: Play) -> Iterator[Finding]:
    """Every object is in exactly one place, and whatever is in a place is an object."""
    objects = [one.id for one in play.objects]
    if sorted(objects) == sorted(standing(play)):
        return
    where: dict[str, str] = {}
    for name, place, at in placed(play):
        if name not in objects:
            yield Finding(
                at,
                f"nothing says which card {name!r} is",
                did_you_mean(
                    name,
                    set(objects) - where.keys(),
                    otherwise=f"write its card: {{{name}: Plains}}, or card: …",
                ),
                certain=False,
            )
        elif name in where and objects.count(name) == 1:
            yield Finding(at, f"{name!r} is in two places", f"it is {where[name]} already", certain=False)
        where[name] = place
    for position, one in enumerate(play.objects):
        if one.id not in where:
            yield Finding(
                ("objects", position, "id"),
                f"{one.id!r} is nowhere",
                "put it into setup or a player's zone",
                certain=False,
            )


def standing(play: Play) -> Iterator[str]:
    """What is anywhere at the start."""
    for player in play.players:
        yield from (*player.hand, *player.library, *player.graveyard, *player.exile)
    for arrival in play.setup:
        for entry in arrival.entries:
            yield entry.id


def placed(play: Play) -> Iterator[tuple[str, str, At]]:
    """Every place at the start: the object in it, the place in words, and where that is said."""
    for number, player in enumerate(play.players):
        for zone in ("hand", "library", "graveyard", "exile"):
            for position, name in enumerate(getattr(player, zone)):
                yield name, f"in {player.id}'s {zone}", ("players", number, zone, position)
    for at, entry in entries(play):
        yield entry.id, "in the setup", (*at, "id")


def entries(play: Play) -> Iterator[tuple[At, Entry]]:
    """Every entry of the setup with its place, oldest first."""
    for number, arrival in enumerate(play.setup):
        for position, entry in enumerate(arrival.entries):
            yield ("setup", number, "entries", position), entry


def sides(play: Play) -> list[str]:
    """Who takes turns and passes: teams where there are any, or else players."""
    return list(dict.fromkeys(player.team or player.id for player in play.players))


def wrong_start(play: Play) -> Iterator[Finding]:
    """The start is a moment in which somebody who is there has priority."""
    yield from unknown_name(play.start.turn, sides(play), ("start", "turn"), "whose turn?")
    if play.start.step in ("untap", "cleanup"):
        yield Finding(
            ("start", "step"), f"nobody gets priority in the {play.start.step} step", "start in another step"
        )


def unknown_name(name: str, known: Collection[str], at: At, otherwise: str) -> tuple[Finding, ...]:
    """A name that nothing here has."""
    if name in known:
        return NOTHING_WRONG
    cure = did_you_mean(name, known, otherwise=f"{otherwise} There are: {listed(known)}")
    return (Finding(at, f"nothing here is called {name!r}", cure, certain=False),)


def wrong_setup(play: Play) -> Iterator[Finding]:
    """Who controls an entry, what it is attached to, how entries together are ordered."""
    players = [player.id for player in play.players]
    there: list[str] = []
    owners = {one.id: (position, one.owner) for position, one in enumerate(play.objects)}
    for at, entry in entries(play):
        if entry.controller not in players:
            yield from unknown_name(entry.controller, players, (*at, "controller"), "whose is it?")
        if entry.attached_to is not None:
            yield from unknown_name(
                entry.attached_to, [*there, *players], (*at, "attached_to"), "It has to be there before."
            )
        for position, choice in enumerate(entry.choices):
            for finding in wrong_answer(choice, [*owners, *players]):
                yield finding.within(*at, "choices", position)
        if entry.damage < 0:
            yield Finding((*at, "damage"), "less than no damage", "write 0 or more")
        there.append(entry.id)
    for position, owner in [one for one in owners.values() if one[1] not in players]:
        if owner not in {"", *(entry.controller for _, entry in entries(play))}:
            yield from unknown_name(owner, players, ("objects", position, "owner"), "whose is it?")
    for number, arrival in enumerate(play.setup):
        for position, order in enumerate(arrival.timestamps):
            at = ("setup", number, "timestamps", position)
            yield from unknown_name(order.player, players, at, "whose order?")
            own = sorted(entry.id for entry in arrival.entries if entry.controller == order.player)
            if sorted(order.ids) != own and order.player in players:
                yield Finding(
                    at,
                    f"{order.player} orders {listed(order.ids) or 'nothing'}",
                    f"write each of theirs once: {listed(own)}",
                    certain=False,
                )


# --------------------------------------------------------------------------------------- the script

ON_THE_STACK = re.compile(r"(?:copy of |[^\[\]{}]+? of )(?P<of>[a-z][a-z0-9_]*)(?: \([0-9]+\))?")


def is_named(name: str, known: Collection[str]) -> bool:
    """Whether a name is an id given before, or a stack name made from one: `persist of redcap (2)`."""
    if name in known:
        return True
    found = ON_THE_STACK.fullmatch(name)
    return bool(found and found["of"] in known)


def unknown_thing(name: str, known: Collection[str], at: At) -> tuple[Finding, ...]:
    """A name of an object, player or thing on the stack that nothing here has."""
    if is_named(name, known):
        return NOTHING_WRONG
    return unknown_name(name, known, at, "an id, or ABILITY of ID.")


def wrong_script(play: Play) -> Iterator[Finding]:
    """Names that nothing has by then, answers of the wrong kind, looks called `end`."""
    known = dict.fromkeys([*(player.id for player in play.players), *(one.id for one in play.objects)])
    actors = actors_in(play)
    names: set[tuple[str, str]] = set()
    for number, action in enumerate(play.script):
        for finding in wrong_action(action, known, actors):
            yield finding.within("script", number)
        if type(action) is Look or type(action) is Try:
            name, kind = action.name, "look" if type(action) is Look else "try"
            at: At = ("script", number, kind)
            if (kind, name) in names:
                yield Finding(at, f"a second {kind} called {name!r}", "call it otherwise")
            if not ID.fullmatch(name):
                yield Finding(at, f"{name!r} is no name for a {kind}", "small letters, digits and _")
            if name == "end":
                cure = "take it out, or call it otherwise"
                yield Finding(at, "every scenario ends with the look end", cure)
            names.add((kind, name))
        if type(action) in NAMING_ACTIONS:
            known.update((name, None) for name, _ in named_by(action))


class Actors(Struct, frozen=True):
    """Who may act: players; who takes turns: players or teams; who passes; who may declare and choose."""

    players: list[str]
    sides: list[str]
    passing: list[str]
    both: list[str]


def actors_in(play: Play) -> Actors:
    """Who may act in a scenario."""
    players, by_turns = [player.id for player in play.players], sides(play)
    return Actors(players, by_turns, [*by_turns, "everyone"], [*players, *by_turns])


NEVER_TRIED = {Look, Try, Choose, Call}
TAGS = {cls: str(cls.__struct_config__.tag) for cls in get_args(Action)}
DECISIONS = {Choose, Attack, Block, Assign}
"""The actions that a team may take too."""


def wrong_action(action: Action, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """What is wrong with one action; `known` are the ids given before it."""
    who = getattr(action, "by", None)
    may = actors.both if type(action) in DECISIONS else actors.players
    if isinstance(who, str) and who not in may:
        yield from unknown_name(who, may, ("by",), "whose action?")
    wrong_in_it = WRONG_IN.get(type(action))
    if wrong_in_it is not None:
        yield from wrong_in_it(action, known, actors)


def wrong_pass(action: Pass, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """A pass by nobody who could."""
    yield from unknown_name(action.who, actors.passing, (TAGS[Pass],), "who passes?")


def wrong_cast(action: Cast | Activate, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """A spell or ability, its targets, what is divided among them and what it costs."""
    yield from unknown_thing(action.what, known, (TAGS[type(action)],))
    for number, group in enumerate(action.targets):
        for name in group:
            yield from unknown_thing(name, known, ("targets", number))
    for share in action.divide:
        yield from unknown_thing(share.to, known, ("divide", share.to))
    yield from wrong_costs(action, known)


def wrong_try(action: Try, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """A try of what is no player's action, or wrong in itself."""
    inner = action.action
    if type(inner) in NEVER_TRIED:
        yield Finding(("action",), f"{TAGS[type(inner)]} cannot be tried", "try what a player may do")
    for finding in wrong_action(inner, known, actors):
        yield finding.within("action")


def wrong_thing(action: Resolve | PlayLand, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """A thing resolved or played that nothing is."""
    yield from unknown_thing(action.what, known, (TAGS[type(action)],))


def wrong_choice(action: Choose, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """An answer that is none."""
    yield from wrong_answer(action, known)


def wrong_advance(action: Advance, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """A turn of nobody."""
    if action.turn is not None:
        yield from unknown_name(action.turn, actors.sides, (TAGS[Advance], "turn"), "whose turn?")


def wrong_attack(action: Attack, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Attackers, and what they attack."""
    for one in action.attackers:
        yield from unknown_thing(one.attacker, known, (TAGS[Attack], one.attacker))
        yield from unknown_thing(one.attacks, known, (TAGS[Attack], one.attacker))


def wrong_block(action: Block, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Blockers, and what they block."""
    for one in action.blockers:
        for name in (one.blocker, *one.blocks):
            yield from unknown_thing(name, known, (TAGS[Block], one.blocker))


def wrong_assignment(action: Assign, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Who assigns combat damage, and to what."""
    for one in action.assignments:
        for name in (one.by, *(share.to for share in one.shares)):
            yield from unknown_thing(name, known, (TAGS[Assign], one.by))


def wrong_turning_up(action: TurnUp, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """What is turned face up, and what that costs."""
    yield from unknown_thing(action.what, known, (TAGS[TurnUp],))
    yield from wrong_costs(action, known)


def wrong_special(action: Special, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """A special action of nothing."""
    if action.source is not None:
        yield from unknown_thing(action.source, known, ("source",))


WRONG_IN: dict[type, Callable[[Any, Collection[str], Actors], Iterator[Finding]]] = {
    Activate: wrong_cast,
    Advance: wrong_advance,
    Assign: wrong_assignment,
    Attack: wrong_attack,
    Block: wrong_block,
    Cast: wrong_cast,
    Choose: wrong_choice,
    Pass: wrong_pass,
    PlayLand: wrong_thing,
    Resolve: wrong_thing,
    Special: wrong_special,
    Try: wrong_try,
    TurnUp: wrong_turning_up,
}
"""By kind of action, what is asked of it."""


def wrong_costs(action: Cast | Activate | TurnUp, known: Collection[str]) -> Iterator[Finding]:
    """Costs paid with things that nothing here is."""
    for paid in action.costs:
        if paid.kind in ("sacrifice", "discard", "tap", "exile", "return", "reduce_in_order"):
            for name in paid.ids:
                yield from unknown_thing(name, known, ("costs", paid.kind))
    for number, step in enumerate(action.pay.steps if action.pay else ()):
        if (step.activate is None) == (step.pool is None):
            yield Finding(
                ("pay", number),
                "a step of a payment is one mana ability or mana from the pool",
                "say one of the two",
            )
        if step.activate is not None:
            yield from unknown_thing(step.activate, known, ("pay", number, "activate"))


NAMES = frozenset(
    {
        "targets",
        "order",
        "timestamps",
        "cards",
        "keep",
        "object",
        "player",
        "replacement",
        "copy",
        "damage_order",
    }
)
WORDS = frozenset({"color", "type", "name", "word"})
NUMBERS = frozenset({"number", "x", "modes", "option"})
SINGLE = frozenset(
    {
        "object",
        "player",
        "copy",
        "color",
        "type",
        "name",
        "number",
        "x",
        "may",
        "option",
        "keep",
        "replacement",
    }
)


def wrong_answer(choice: Choose, known: Collection[str]) -> Iterator[Finding]:
    """An answer of another kind than its question, or with a name that nothing has."""
    shape, example = shape_of(choice.kind)
    at: At = ("answer",)
    if not all(is_of_shape(value, shape) for value in choice.answer):
        yield Finding(at, f"no answer to a choice of kind {choice.kind}", f"write {shape}: {example}")
        return
    if choice.kind in SINGLE and len(choice.answer) != 1:
        yield Finding(
            at, f"{len(choice.answer)} answers to a choice of kind {choice.kind}", f"write one: {example}"
        )
    for position, value in enumerate(choice.answer):
        if choice.kind in NAMES:
            yield from unknown_thing(str(value), known, (*at, position))
        elif choice.kind == "color":
            yield from unknown_word(
                str(value), COLORS, (*at, position), "colour", f"there are: {listed(COLORS)}"
            )
        elif isinstance(value, Share):
            yield from unknown_thing(value.to, known, (*at, value.to))
        elif choice.kind in ("modes", "option") and isinstance(value, int) and value < 1:
            yield Finding((*at, position), "modes and options are counted from 1", "write 1 for the first")
    asker = choice.for_
    if asker is not None and asker not in (*STEPS, "cleanup", "state", "combat"):
        yield from unknown_thing(asker, known, ("for",))


def shape_of(kind: str) -> tuple[str, str]:
    """The shape of the answers to a kind of choice in words, and an example."""
    if kind in NAMES:
        return "ids", "answer: [bear]"
    if kind in WORDS:
        return "words", "answer: blue" if kind == "color" else "answer: Goblin"
    if kind in NUMBERS:
        return "numbers", "answer: 2"
    if kind == "may":
        return "yes or no", "answer: yes"
    return ("shares", "answer: {bear: 2}") if kind == "division" else ("ids or numbers", "answer: [bear]")


def is_of_shape(value: object, shape: str) -> bool:
    """Whether one answer has the shape wanted."""
    match shape:
        case "ids" | "words":
            return isinstance(value, str)
        case "numbers":
            return isinstance(value, int) and not isinstance(value, bool)
        case "yes or no":
            return isinstance(value, bool)
        case "shares":
            return isinstance(value, Share)
        case _:
            return isinstance(value, str | int) and not isinstance(value, bool)


# ------------------------------------------------------------------------------------- expectations


def looks_of(play: Play) -> list[str]:
    """The names of the looks, in order."""
    return [*(action.name for action in play.script if type(action) is Look), "end"]


def tries_of(play: Play) -> list[str]:
    """The names of the tries, in order."""
    return [action.name for action in play.script if type(action) is Try]


def wrong_expectations(fixture: Fixture, known: Known) -> Iterator[Finding]:
    """Looks that never happen, things that nothing is called, keys that go with something else."""
    play = fixture.play
    players = [player.id for player in play.players]
    things = dict.fromkeys([*ids_given(play), *sides(play)])
    looks, tries = looks_of(play), tries_of(play)
    keys = {kind: keys_of(kind) for kind in SEEN}
    unseen: set[str] = set()
    said: dict[tuple[str, str, str, type], tuple[Holds, ...]] = {}
    for number, one in enumerate(fixture.expect):
        at: At = ("expect", number)
        if one.look not in looks and one.look not in unseen:
            unseen.add(one.look)
            yield Finding(
                (*at, "look"),
                f"the look {one.look!r} never happens",
                did_you_mean(
                    one.look,
                    looks,
                    otherwise=f"add {{look: {one.look}}} to the script; there are: {listed(looks)}",
                ),
                certain=False,
            )
        if one.holds is not ALWAYS:
            yield from wrong_dates(one.holds, (*at, "holds"))
        if one.key == "tried":
            if one.about not in tries:
                yield from unknown_name(one.about, tries, (*at, "about"), "no try has this name.")
        elif one.about == "table":
            if one.key not in keys["table"]:
                yield Finding(at, f"the table has no {one.key}", f"say of whom: of: …, {one.key}: …")
        else:
            if one.about not in things:
                yield from unknown_thing(one.about, things, (*at, "about"))
            kind = "player" if one.about in players else "object"
            if one.key not in keys[kind]:
                a_kind = "a player" if kind == "player" else "an object"
                cure = did_you_mean(one.key, keys[kind], otherwise=f"there are: {listed(keys[kind])}")
                yield Finding(at, f"{a_kind} has no {one.key}", cure)
        for _, rule in unknown_among(rules_cited(one.because), known.rules):
            yield from unknown_rule(rule, known.rules, at)
        if one.key in CLOSED:
            yield from wrong_value(one, things, at)
        if type(one.test) is Number:
            continue
        fact = (one.look, one.about, one.key, type(one.test))
        if fact not in said:
            said[fact] = (one.holds,)
            continue
        if any(overlap(one.holds, holds) for holds in said[fact]):
            yield Finding(
                at,
                f"{one.key} of {one.about} is expected twice at {one.look}",
                "keep one, or say when each holds",
            )
        said[fact] = (*said[fact], one.holds)


def overlap(one: Holds, other: Holds) -> bool:
    """Whether there is a day on which both hold."""
    return (one.since or "") < (other.until or "9999") and (other.since or "") < (one.until or "9999")


NAMING = frozenset(
    {
        "controller",
        "owner",
        "attached_to",
        "attacking",
        "blocking",
        "source",
        "targets",
        "turn",
        "active",
        "priority",
        "deciding",
        "stack",
        "hand",
        "graveyard",
        "exile",
        "library_top",
    }
)
"""The keys whose values are names."""


CLOSED = NAMING | {"keywords", "cost", "paid", "pool", "subtypes"}
"""The keys whose values cannot be just any text."""
CITATION = re.compile(r"\bCR ([0-9]{3}(?:\.[0-9]+[a-z]*)?)")


@lru_cache(maxsize=10_000)
def rules_cited(because: str) -> tuple[str, ...]:
    """The numbers of the rules that a reason cites."""
    return tuple(CITATION.findall(because))


@lru_cache(maxsize=10_000)
def is_keyword(text: str) -> bool:
    """Whether a text is a keyword as it is seen: `flying`, `protection from red`, `islandwalk`."""
    words = text.split(" ")
    known = any(" ".join(words[:size]) in KEYWORDS for size in range(1, len(words) + 1))
    return known or (text.endswith("walk") and text != "walk")


def wrong_value(one: Expectation, things: Collection[str], at: At) -> Iterator[Finding]:
    """Names in an expected value that nothing has, words that are none."""
    for name in names_in(one):
        if one.key in NAMING:
            yield from unknown_thing(name, things, at)
        elif one.key == "keywords" and not is_keyword(name):
            yield Finding(
                at,
                f"{name!r} is no keyword",
                did_you_mean(
                    name, KEYWORDS, otherwise="with what goes with it: protection from red, islandwalk"
                ),
            )
        elif one.key in ("cost", "paid", "pool") and not MANA.fullmatch(name):
            yield Finding(at, f"{name!r} is no mana", 'write symbols in braces and quotes: "{2}{W}"')
        elif one.key == "subtypes" and not re.match("[A-Z]", name) and name != "all creature types":
            yield Finding(at, f"{name!r} is no subtype", f"write {name.capitalize()}")


def names_in(one: Expectation) -> Iterator[str]:
    """The texts in an expected value."""
    for test in one.test.values if type(one.test) is OneOf else (one.test,):
        value = test.value if type(test) is Equals else getattr(test, "values", None)
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                yield text


def unused(fixture: Fixture) -> Iterator[Finding]:
    """Looks and tries that nothing is expected of, names that nothing uses."""
    play = fixture.play
    looked = {one.look for one in fixture.expect if one.key != "tried"}
    tried = {one.about for one in fixture.expect if one.key == "tried"}
    for number, action in enumerate(play.script):
        if type(action) is Look:
            if action.name not in looked:
                yield Finding(
                    ("play", "script", number, "look"),
                    f"nothing is expected at the look {action.name!r}",
                    "take it out, or say what is to be seen",
                    certain=False,
                )
        elif type(action) is Try:
            if action.name not in tried:
                yield Finding(
                    ("play", "script", number, "try"),
                    f"nothing is expected of the try {action.name!r}",
                    f"add {{tried: {action.name}, is: rejected}}",
                    certain=False,
                )
        elif (
            (type(action) is Cast or type(action) is Activate)
            and action.as_
            and not is_used(action.as_, number, fixture)
        ):
            yield Finding(
                ("play", "script", number, "as"),
                f"the name {action.as_!r} is used nowhere",
                "take it out",
                certain=False,
            )
    own = [(position, card.definition.name) for position, card in enumerate(play.cards) if not card.real]
    used = {one.card for one in play.objects} | named_by_cards(play) if own else set()
    for position, name in own:
        if name not in used:
            yield Finding(
                ("play", "cards", position, "definition"),
                f"{name!r} is used nowhere",
                "take it out",
                certain=False,
            )


def is_used(name: str, number: int, fixture: Fixture) -> bool:
    """Whether a name that an action gives is spoken of afterwards."""
    in_script = (text for action in fixture.play.script[number + 1 :] for text in texts_in(action))
    expected = (text for one in fixture.expect for text in (one.about, *names_in(one)))
    return any(name in text and is_named(text, [name]) for text in chain(expected, in_script))


def texts_in(value: object) -> Iterator[str]:
    """Every text inside a value."""
    if type(value) is str:
        yield value
    elif type(value) is tuple:
        for one in value:
            yield from texts_in(one)
    elif type(value) not in PLAIN and isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from texts_in(getattr(value, name))


def named_by_cards(play: Play) -> set[str]:
    """Names that cards speak of: tokens they create, cards they name, cards that were chosen."""
    named = {token.name for card in play.cards for token in mentioned(card.definition).tokens}
    for action in (*play.script, *(choice for _, entry in entries(play) for choice in entry.choices)):
        if type(action) is Choose and action.kind == "name":
            named.update(str(value) for value in action.answer)
    return named


# ---------------------------------------------------------------------- expected is what was put in


def repeated_input(fixture: Fixture) -> Iterator[Finding]:
    """Expectations whose value stands in the input already, where nothing can have changed it.

    Only what is literally in the input is asked; what an effect could touch is left to the writer.
    """
    quiet = quiet_looks(fixture.play)
    given: dict[str, dict[str, Value]] = {}
    for number, one in enumerate(fixture.expect):
        if not isinstance(one.test, Equals) or not (one.look in quiet or one.key == "owner"):
            continue
        if one.about not in given:
            given[one.about] = given_values(fixture.play, one.about)
        of_it = given[one.about]
        if one.key in of_it and of_it[one.key] == one.test.value:
            yield Finding(
                ("expect", number),
                f"{one.key} only repeats what the scenario says itself",
                "expect what the rules make of it, or leave it out",
                certain=False,
            )


def quiet_looks(play: Play) -> set[str]:
    """The looks before which nothing has been done."""
    looks: set[str] = set()
    for action in play.script:
        if type(action) is Look:
            looks.add(action.name)
        elif type(action) is not Choose:
            return looks
    return {*looks, "end"}


def given_values(play: Play, about: str) -> dict[str, Value]:
    """The values that the scenario itself gives to a thing, under the keys they are seen by."""
    if about == "table":
        turn = play.start.turn
        return {
            "turn": turn,
            "active": turn,
            "priority": turn,
            "step": play.start.step,
            "stack": (),
            "over": False,
        }
    for player in play.players:
        if player.id == about:
            return given_to_player(player)
    owners = [one.owner for one in play.objects if one.id == about]
    given: dict[str, Value] = {"owner": owners[0]} if owners else {}
    for player in play.players:
        for zone in ("hand", "library", "graveyard", "exile"):
            if about in getattr(player, zone):
                return {**given, "zone": zone}
    for _, entry in entries(play):
        if entry.id == about:
            return {**given, **given_to_entry(entry, play)}
    return given


def given_to_player(player: Player) -> dict[str, Value]:
    """What the scenario says of a player."""
    return {
        "life": player.life,
        "hand": tuple(sorted(player.hand)),
        "graveyard": player.graveyard,
        "exile": tuple(sorted(player.exile)),
        "library_size": len(player.library),
        "library_top": player.library[0] if player.library else None,
        "counters": seen_counters(player.counters),
        "lost": False,
    }


def given_to_entry(entry: Entry, play: Play) -> dict[str, Value]:
    """What the scenario says of a permanent; control and face only where no card changes them."""
    given: dict[str, Value] = {
        "zone": "battlefield",
        "tapped": entry.tapped,
        "damage": entry.damage,
        "attached_to": entry.attached_to,
        "counters": seen_counters(entry.counters),
    }
    if not any(changes(card, (GainControl, ExchangeControl)) for card in play.cards):
        given["controller"] = entry.controller
    if not any(changes(card, (TurnFace, BecomeFaceDown)) for card in play.cards):
        given["face_down"] = entry.face_down
    return given


def changes(card: CardInPlay, kinds: tuple[type, ...]) -> bool:
    """Whether a card has an operation or instruction of one of these kinds."""
    return not mentioned(card.definition).kinds.isdisjoint(kinds)


def seen_counters(counters: Iterable[Counters]) -> Value:
    """Counters as they are seen."""
    seen = [SeenCounters(one.kind, one.n) for one in counters if isinstance(one.n, int)]
    return tuple(sorted(seen, key=lambda one: one.kind))


# ----------------------------------------------------------------------------- what only playing shows


def findings_of_play(fixture: Fixture, seen: Observations) -> Iterator[Finding]:
    """What is wrong with a fixture that its play on the reference engine has shown.

    A choice that is never asked, and a question that nobody answers, are mistakes of the script.
    """
    script = fixture.play.script
    for number in seen.unused:
        yield Finding(
            ("play", "script", number),
            "this choice is never asked",
            "take it out, or put it before the action during which it is asked",
        )
    if seen.stopped is None:
        return
    at: At = ("play", "script", seen.stopped.at) if seen.stopped.at < len(script) else ("play",)
    says = f": {seen.stopped.question or seen.stopped.says}".removesuffix(": ")
    match seen.stopped.why:
        case "question":
            yield Finding(at, f"nobody answers a question asked here{says}", "add a choose before it")
        case "rejected":
            yield Finding(at, f"the rules do not allow this{says}", "if that is the point, write it as a try")
        case "loop":
            yield Finding(at, f"this never comes to an end{says}", "stop it by the script")
        case "no stop" | "unsupported":
            yield Finding(at, f"the reference engine cannot play this{says}", "leave it out")
        case _:
            assert_never(seen.stopped.why)
