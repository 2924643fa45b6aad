"""Problems of a fixture that can be read; found without any engine.

Undefined names, unknown cards, looks that never happen, expectations that only repeat their input. Each check
takes the canonical fixture and yields findings with their places. Problems that show only in play (a
state-based action pending in the setup, a choice that the game never asks for) are found by callers that
play it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import assert_never

from conformance.checks.cards import findings_of_card
from conformance.checks.expectations import repeated_input, unused_parts, wrong_expectations
from conformance.checks.names import (
    ID,
    KnownNames,
    entries,
    ids_given,
    named_things,
    sides,
    unknown_name,
    unknown_rule,
    unknown_word,
    unknown_words,
    wrong_dates,
)
from conformance.checks.scripts import wrong_answer, wrong_script
from conformance.files.fixture_file import mentions_of
from conformance.files.fixture_form import ALWAYS_TRUE
from conformance.files.own_words import reserved_words
from conformance.files.yaml_text import other_kind
from conformance.model.card_parts import once_for_each
from conformance.model.observation import Observations
from conformance.model.problems import At, Finding, did_you_mean, list_of_options
from conformance.model.scenario import FOUND_IDS, Fixture, Play, holds_in
from conformance.model.verdict import judged_parts
from reference_engine.language.actions import Action, Attack, Block
from reference_engine.language.cards import Card

CHOSEN = "C-"
"""Prefix of ids of generated fixtures that were chosen for the corpus.

Like those that a search found, they may have expectations that are not needed.
"""
BUG = re.compile(r"[\w.-]+/[\w.-]+#[1-9][0-9]*", re.ASCII)
FIXTURE_ID = re.compile(r"[ABDEG-Z]-[0-9]{4}(?:\.[0-9]{2})?|[FC]-[0-9a-f]{8}")


def findings_of(fixture: Fixture, known: KnownNames, beside: Fixture | None = None) -> Iterator[Finding]:
    """All problems of a fixture that show without playing it.

    Parts that it shares with `beside`, another row of its table, are not checked again.
    """
    drawn = fixture.id.startswith((FOUND_IDS, CHOSEN))
    play = fixture.play
    yield from wrong_heading(fixture, known)
    again = beside is not None and beside is not fixture and same_board(play, beside.play)
    for finding in chain(() if again else wrong_board(play, known), wrong_doings(play)):
        if finding.certain or not drawn:
            yield finding.within("play")
    yield from wrong_expectations(fixture, known)
    if not drawn:
        yield from unused_parts(fixture)
        yield from repeated_input(fixture)


def wrong_heading(fixture: Fixture, known: KnownNames) -> Iterator[Finding]:
    """Problems of id, rules, sources and dates."""
    if not FIXTURE_ID.fullmatch(fixture.id):
        yield Finding(
            ("id",),
            f"{fixture.id!r} is not a fixture id",
            "write L-0031 (layers), G-0107 (game) or G-0107.03 (a row)",
        )
    if not fixture.title.strip():
        yield Finding(("title",), "no title", "say in one sentence what the fixture shows")
    if not fixture.rules:
        yield Finding(("rules",), "no rule is named", 'name the rules it is about: ["613.8b"]')
    for position, rule in unknown_words(fixture.rules, known.rules):
        yield from unknown_rule(rule, known.rules, ("rules", position))
    for position, source in unknown_words(fixture.source, known.sources):
        yield from unknown_word(
            source, known.sources, ("source", position), "source id", "inventory.yaml lists them"
        )
    for position, bug in enumerate(fixture.caught):
        if not BUG.fullmatch(bug):
            yield Finding(
                ("caught", position),
                f"{bug!r} is no bug of a repository",
                "write owner, repository and number: magefree/mage#6147",
            )
    if fixture.holds != ALWAYS_TRUE:
        yield from wrong_dates(fixture.holds, ("holds",))
    if not fixture.expect:
        yield Finding(
            ("expect",),
            "nothing is expected",
            "add what is expected: [{of: bear, power: 3}]",
            certain=False,
            hangs_on_expect=True,
        )


# ------------------------------------------------------------------------------------------------- the play


def wrong_play(play: Play, known: KnownNames) -> Iterator[Finding]:
    """Problems of the scenario itself."""
    yield from wrong_board(play, known)
    yield from wrong_doings(play)


def wrong_board(play: Play, known: KnownNames) -> Iterator[Finding]:
    """Problems of the setup."""
    yield from wrong_cards(play, known)
    yield from unknown_cards(play, known)
    yield from wrong_places(play)
    yield from wrong_setup(play)


def same_board(one: Play, other: Play) -> bool:
    """Whether two setups are identical."""
    return (
        one.players is other.players
        and one.cards is other.cards
        and one.objects is other.objects
        and one.setup is other.setup
    )


def wrong_doings(play: Play) -> Iterator[Finding]:
    """Problems of the ids, the start and the script."""
    yield from wrong_ids(play)
    yield from wrong_start(play)
    yield from wrong_script(play)


@once_for_each
def findings_of_known_card(card: Card) -> tuple[Finding, ...]:
    """Problems of a card; cached."""
    return tuple(findings_of_card(card))


def wrong_cards(play: Play, known: KnownNames) -> Iterator[Finding]:
    """Invented cards with the name of a real one, and problems of all cards."""
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
        if not name.startswith("Test ") and name not in tokens_in(play):
            if name in known.cards:
                yield Finding((*at, "name"), f"{name!r} is a real card", "leave it out of cards")
            else:
                what = f"{name!r} is invented and does not say so"
                yield Finding((*at, "name"), what, f"call it 'Test {name}'", name=name)
        for finding in findings_of_known_card(card.definition):
            yield finding.within(*at)


def tokens_in(play: Play) -> set[str]:
    """The names of cards that are only used for tokens."""
    tokens = {one.card for one in play.objects if one.token}
    tokens.update(token.name for card in play.cards for token in mentions_of(card.definition).tokens)
    return tokens - {one.card for one in play.objects if not one.token}


def wrong_ids(play: Play) -> Iterator[Finding]:
    """Ids that are invalid, reserved, or duplicates."""
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
                at, f"the players of {name} do not sit next to each other", "list them one after the other"
            )
    if len(play.players) < 2:
        yield Finding(("players",), "fewer than two players", "write players: [alice, bob]", certain=False)


@lru_cache(maxsize=100_000)
def is_free(name: str) -> bool:
    """Whether a name may be used as an id."""
    return bool(ID.fullmatch(name)) and name not in reserved_words() and not other_kind(name)


def wrong_id(name: str, at: At) -> Iterator[Finding]:
    """What is wrong with an id that is not free: it is invalid or reserved."""
    if not ID.fullmatch(name):
        simple = re.sub("[^a-z0-9]+", "_", name.lower()).strip("_0123456789") or "bear"
        yield Finding(
            at,
            f"{name!r} is not a valid id",
            f"use lower-case letters, digits and _, starting with a letter: {simple}",
        )
    else:
        what = f"the id {name!r} is a word of the language"
        yield Finding(at, what, f"choose another: {name}1, the_{name}", certain=False, name=name)


def unknown_cards(play: Play, known: KnownNames) -> Iterator[Finding]:
    """Objects whose card is unknown."""
    own = {card.definition.name for card in play.cards}
    for position, one in enumerate(play.objects):
        if one.card not in own:
            key = "token" if one.token else "card"
            yield Finding(
                ("objects", position, key),
                f"no card named {one.card!r}",
                "the canonical form lists every card under play.cards"
                if one.card in known.cards
                else did_you_mean(
                    one.card,
                    (*known.cards, *own),
                    otherwise="`conformance cards` lists the real ones; define invented ones under cards:",
                ),
                certain=bool(one.card),
                name=one.card,
            )


def wrong_places(play: Play) -> Iterator[Finding]:
    """Every object must be in exactly one place, and everything in a place must be an object."""
    objects = [one.id for one in play.objects]
    if sorted(objects) == sorted(placed_ids(play)):
        return
    where: dict[str, str] = {}
    for name, place, at in object_places(play):
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
            what, cure = f"{name!r} is in two places", f"it is {where[name]} already"
            yield Finding(at, what, cure, certain=False, name=name)
        where[name] = place
    for position, one in enumerate(play.objects):
        if one.id not in where:
            yield Finding(
                ("objects", position, "id"),
                f"{one.id!r} is nowhere",
                "put it into setup or a player's zone",
                certain=False,
                name=one.id,
            )


def placed_ids(play: Play) -> Iterator[str]:
    """Every object that has a place at the start."""
    for player in play.players:
        yield from (*player.hand, *player.library, *player.graveyard, *player.exile)
    for arrival in play.setup:
        for entry in arrival.entries:
            yield entry.id


def object_places(play: Play) -> Iterator[tuple[str, str, At]]:
    """Every object with a place at the start: its id, the place in words, and its position in the file."""
    for number, player in enumerate(play.players):
        for zone in ("hand", "library", "graveyard", "exile"):
            for position, name in enumerate(getattr(player, zone)):
                yield name, f"in {player.id}'s {zone}", ("players", number, zone, position)
    for at, entry in entries(play):
        yield entry.id, "in the setup", (*at, "id")


def wrong_start(play: Play) -> Iterator[Finding]:
    """At the start, a player who is in the game must have priority."""
    yield from unknown_name(play.start.turn, sides(play), ("start", "turn"), "whose turn?")
    if play.start.step in ("untap", "cleanup"):
        yield Finding(
            ("start", "step"), f"nobody gets priority in the {play.start.step} step", "start in another step"
        )


def wrong_setup(play: Play) -> Iterator[Finding]:
    """Problems of entries: controllers, attachments, order of simultaneous entries."""
    players = [player.id for player in play.players]
    there: list[str] = []
    seen = set(players)
    owners = {one.id: (position, one.owner) for position, one in enumerate(play.objects)}
    for at, entry in entries(play):
        if entry.controller not in players:
            yield from unknown_name(entry.controller, players, (*at, "controller"), "whose is it?")
        if entry.attached_to is not None and entry.attached_to not in seen:
            yield from unknown_name(
                entry.attached_to, [*there, *players], (*at, "attached_to"), "It has to be there before."
            )
        for position, choice in enumerate(entry.choices):
            for finding in wrong_answer(choice, [*owners, *players]):
                yield finding.within(*at, "choices", position)
        if entry.damage < 0:
            yield Finding((*at, "damage"), "negative damage", "write 0 or more")
        there.append(entry.id)
        seen.add(entry.id)
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
                    f"{order.player} orders {list_of_options(order.ids) or 'nothing'}",
                    f"write each of theirs once: {list_of_options(own)}",
                    certain=False,
                )


# ---------------------------------------------------------------------------------- what only playing shows


def cure_for(action: Action | None, says: str) -> str:
    """The cure for an action that the rules do not allow.

    CR 508.1, 509.1: attackers and blockers are declared as their step begins, before anybody gets priority.
    """
    if not isinstance(action, Attack | Block) or "to declare now" not in says:
        return "if that is the point, write it as a try"
    if action in (Attack((), action.by), Block((), action.by)):
        return "leave it out: nobody declares anything if nothing can attack or block"
    if isinstance(action, Attack):
        return (
            "go to the beginning of combat first, not further: {advance: {to: beginning of combat}}, "
            "{pass: everyone}, then the attack"
        )
    return "write it right after the attack and {pass: everyone}"


def findings_of_expectations(fixture: Fixture, seen: Observations, edition: str) -> Iterator[Finding]:
    """Expectations that the reference engine does not meet, by the rules of an edition."""
    if seen.stopped is not None or fixture.disputed:
        return
    counting = [number for number, one in enumerate(fixture.expect) if holds_in(one.holds, edition)]
    for number, part in zip(counting, judged_parts(fixture, seen, edition), strict=True):
        if part.outcome == "fail":
            yield Finding(
                ("expect", number),
                f"expects {part.key} {part.expected} of {part.about}; "
                f"the reference engine shows {part.observed}",
                "correct it, or tell us if the rules are on your side; `conformance explain` says why",
                certain=False,
            )


CURES_FOR_DECLARATIONS = {
    "attackers": "add attack before it (`attack: {}` for none), or advance to a step instead",
    "blockers": "add block before it (`block: {}` for none), or advance to a step instead",
    "damage": "add assign before it",
}
"""What to do where the game waits for a declaration, by the asker of the question."""


def findings_of_play(fixture: Fixture, seen: Observations) -> Iterator[Finding]:
    """Problems that show when the reference engine plays a fixture.

    A choice that the game never asks for, and a question that is not answered, are mistakes of the script.
    """
    script = fixture.play.script
    for number in seen.unused:
        yield Finding(
            ("play", "script", number),
            "the game never asks for this choice",
            "remove it, or put it before the action that asks for it",
        )
    if seen.stopped is None:
        return
    at: At = ("play", "script", seen.stopped.at) if seen.stopped.at < len(script) else ("play",)
    says = f": {seen.stopped.question or seen.stopped.says}".removesuffix(": ")
    match seen.stopped.why:
        case "question":
            wanted = next((one for one in CURES_FOR_DECLARATIONS if says.endswith(f"for {one}")), None)
            cure = CURES_FOR_DECLARATIONS[wanted] if wanted else "add a choose before it"
            yield Finding(at, f"a question asked here has no answer{says}", cure)
        case "rejected":
            yield Finding(
                at,
                f"the rules do not allow this{says}",
                cure_for(next(iter(script[seen.stopped.at :]), None), says),
            )
        case "loop":
            yield Finding(at, f"this never ends{says}", "stop it by the script")
        case "no stop" | "unsupported":
            yield Finding(at, f"the reference engine cannot play this{says}", "leave it out")
        case _:
            assert_never(seen.stopped.why)
