"""Fixture files as values: the one module that knows how fixtures are written in files.

There are two steps. The walk (`fixture_form`) reads the YAML tree as a `FixtureFile`, whose parts remember
their nodes; then `fixture_of`, a pure function, converts that to the canonical `Fixture`. `checks` then finds
problems that need the whole scenario (undefined names, unknown cards …).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

import msgspec
from msgspec import Struct

from conformance.files.fixture_form import (
    ArrivalFile,
    CardLine,
    EntryFile,
    FixtureFile,
    ObjectFile,
    PlacedObject,
    PlayerFile,
    Row,
    ScriptLine,
    StartFile,
    TableRow,
    fixture_grammar,
)
from conformance.files.typed_walk import TypedWalk, Unreadable, read_record
from conformance.files.yaml_nodes import MappingNode, Node, ScalarNode, SequenceNode, node_at, place_of
from conformance.model.card_parts import once_for_each, parts_of_card
from conformance.model.problems import MOST_KEPT, At, Finding, Problem
from conformance.model.scenario import CardInPlay, Equals, Expectation, Fixture, Play, Want
from conformance.wording import rules_text
from reference_engine.language.actions import ChooseAction, Try
from reference_engine.language.cards import Card, Create, Filter, SetName
from reference_engine.language.setup import Arrival, Entry, Object, Player, Start

# ---------------------------------------------------------------------- file form to canonical form

Places = dict[At, Node]
"""The node in the file for each part of a canonical value."""
LEFT_OUT_LIBRARY = 2
USUAL_PLAYERS = ("alice", "bob")


class ObjectDefinition(Struct, frozen=True):
    """An object and its card."""

    id: str
    card: str
    token: bool
    owner: str
    node: Node


def fixtures_of(file: FixtureFile, pool: Mapping[str, Card]) -> Iterator[tuple[FixtureFile, Fixture]]:
    """The canonical fixtures in a file, each with the file that would contain it alone."""
    if not file.players:
        players = tuple(PlayerFile(name, file.node) for name in USUAL_PLAYERS)
        file = msgspec.structs.replace(file, players=players)
    if file.rows is None:
        file = msgspec.structs.replace(file, expect=with_reason(file.expect, file.because))
        yield file, fixture_of(file, play_of(file, pool))
        return
    shared = play_of(file, pool)
    for row in file.rows:
        alone = row_alone(file, row)
        play = msgspec.structs.replace(
            shared,
            start=start_of(alone),
            cards=cards_of(alone, shared.objects, pool) if names_chosen(alone) else shared.cards,
            script=tuple(line.action for line in alone.script),
            wants=wants_of(one.expectation for one in alone.expect),
        )
        yield alone, fixture_of(alone, play)


ATTEMPT = "attempt"
"""The name of the action that a row attempts."""


def row_alone(file: FixtureFile, row: TableRow) -> FixtureFile:
    """A row of a table as a file of its own, with everything that the rows share."""
    script = (*row.before, *file.script, *row.script)
    expect = (*file.expect, *with_reason(row.expect, row.because))
    if row.try_ is not None:
        script = (*script, ScriptLine(Try(ATTEMPT, row.try_.action), row.try_.node))
        tried = Expectation("end", ATTEMPT, "tried", Equals(row.is_), row.because)
        expect = (*expect, Row(tried, row.node, row.node, row.node))
    return msgspec.structs.replace(
        file,
        id=f"{file.id}.{row.row:02}",
        title=f"{file.title}: {row.title}",
        rules=(*file.rules, *(rule for rule in row.rules if rule not in file.rules)),
        start=StartFile(row.start.turn or file.start.turn, row.start.step or file.start.step),
        holds=row.holds or file.holds,
        script=script,
        expect=with_reason(expect, file.because),
    )


def with_reason(rows: tuple[Row, ...], because: str) -> tuple[Row, ...]:
    """Expectations, with this reason for each that has none of its own."""
    return tuple(
        msgspec.structs.replace(row, expectation=msgspec.structs.replace(row.expectation, because=because))
        if because and not row.expectation.because
        else row
        for row in rows
    )


def read_fixture_file(root: Node, walk: TypedWalk) -> FixtureFile | Unreadable:
    """A file as its author wrote it; a reason that no expectation uses is a fault, and so is another token of
    the same name.
    """
    file: FixtureFile | Unreadable = read_record(FixtureFile, root, walk)
    if not isinstance(file, Unreadable):
        defined: dict[str, Card] = {}
        for token, node in tokens_defined(file):
            if defined.setdefault(token.name, token) != token:
                what = f"another token named {token.name!r} is defined differently"
                walk.fault(node, what, "give one of them another name", unread=False)
    if not isinstance(file, Unreadable) and type(root) is MappingNode and not walk.unread:
        for node in reasons_without_use(file, root):
            walk.fault(
                node, "a reason that no expectation uses", "leave it out: each has its own", unread=False
            )
    return file


def reasons_without_use(file: FixtureFile, root: MappingNode) -> Iterator[Node]:
    """The reasons for whole rows and for the whole file that every expectation overrides."""
    rows = file.rows or ()
    for row in rows:
        if row.because and row.try_ is None and all(one.expectation.because for one in row.expect):
            yield node_of_reason(row.node)
    left = [one for row in rows if not row.because for one in row.expect]
    tries_left = any(row.try_ is not None and not row.because for row in rows)
    if file.because and not tries_left and all(one.expectation.because for one in (*file.expect, *left)):
        yield node_of_reason(root)


def node_of_reason(node: Node) -> Node:
    """The node of the reason in a map."""
    return node.entries["because"][1] if type(node) is MappingNode else node


def fixture_of(file: FixtureFile, play: Play) -> Fixture:
    """The canonical fixture of a file."""
    return Fixture(
        id=file.id,
        title=file.title,
        rules=file.rules,
        play=play,
        expect=tuple(row.expectation for row in file.expect),
        source=file.source,
        caught=file.caught,
        holds=file.holds,
        note=file.note,
        disputed=file.disputed,
    )


def play_of(file: FixtureFile, pool: Mapping[str, Card]) -> Play:
    """The setup and script of a file, in canonical form."""
    objects = tuple(Object(one.id, one.card, one.owner, one.token) for one in objects_of(file))
    return Play(
        players=tuple(map(player_of, file.players)),
        start=start_of(file),
        cards=cards_of(file, objects, pool),
        objects=objects,
        setup=tuple(map(arrival_of, file.setup)),
        script=tuple(line.action for line in file.script),
        wants=wants_of(row.expectation for row in file.expect),
    )


def start_of(file: FixtureFile) -> Start:
    """The moment the script begins; by default the first player's precombat main phase."""
    turn = file.start.turn or file.players[0].team or file.players[0].id
    return Start(turn, file.start.step or "precombat main")


def objects_of(file: FixtureFile) -> list[ObjectDefinition]:
    """All objects, in the order of the file, followed by the libraries that it leaves out."""
    defined = sorted(definitions(file), key=lambda one: one.node.at)
    left_out = [
        ObjectDefinition(f"{player.id}_plains_{number}", "Plains", False, player.id, player.node)
        for player in file.players
        if player.library is None
        for number in range(1, LEFT_OUT_LIBRARY + 1)
    ]
    return [*defined, *left_out]


def places_in(file: FixtureFile, fixture: Fixture) -> Places:
    """The node in the file for each part of a fixture."""
    places: Places = {(): file.node}
    places.update({("play", "objects", number): one.node for number, one in enumerate(objects_of(file))})
    lines = {line.card.name: line.node for line in file.cards}
    for number, card in enumerate(fixture.play.cards):
        if card.definition.name in lines:
            places["play", "cards", number, "definition"] = lines[card.definition.name]
    for number, player in enumerate(file.players):
        places["play", "players", number] = player.node
        for zone in ("hand", "library", "graveyard", "exile"):
            for position, one in enumerate(getattr(player, zone) or ()):
                places["play", "players", number, zone, position] = one.node
    for number, arrival in enumerate(file.setup):
        places["play", "setup", number] = arrival.node
        for position, entry in enumerate(arrival.together):
            places["play", "setup", number, "entries", position] = entry.node
    places.update({("play", "script", number): line.node for number, line in enumerate(file.script)})
    for number, row in enumerate(file.expect):
        places["expect", number] = row.node
        places["expect", number, "look"] = row.look
        places["expect", number, "about"] = row.about
    return places


def definitions(file: FixtureFile) -> Iterator[ObjectDefinition]:
    """All objects that the file defines."""
    holders = {one.id: player.id for player in file.players for zone in zones_of(player) for one in zone}
    entries = [entry for arrival in file.setup for entry in arrival.together]
    holders.update({entry.id: entry.owner or entry.controller for entry in entries})
    for player in file.players:
        for zone in zones_of(player):
            for one in zone:
                if one.card:
                    yield ObjectDefinition(one.id, one.card, False, one.owner or player.id, one.node)
    for entry in entries:
        if entry.card or entry.token:
            yield definition_of_part(entry, entry.owner or entry.controller)
    for alone in file.objects:
        yield definition_of_part(alone, alone.owner or holders.get(alone.id, ""))


def zones_of(player: PlayerFile) -> tuple[tuple[PlacedObject, ...], ...]:
    """The objects in a player's hand, library, graveyard and exile."""
    return (player.hand, player.library or (), player.graveyard, player.exile)


def definition_of_part(one: EntryFile | ObjectFile, owner: str) -> ObjectDefinition:
    """The object that a part of the file defines."""
    token = one.token
    name = token.name if type(token) is Card else token if type(token) is str else one.card
    return ObjectDefinition(one.id, name or "", bool(token), owner, one.node)


def player_of(player: PlayerFile) -> Player:
    """A player in canonical form."""
    library = (
        tuple(f"{player.id}_plains_{one}" for one in range(1, LEFT_OUT_LIBRARY + 1))
        if player.library is None
        else ids(player.library)
    )
    return Player(
        player.id,
        player.life,
        player.team,
        player.counters,
        ids(player.hand),
        library,
        ids(player.graveyard),
        ids(player.exile),
    )


def ids(placed: Iterable[PlacedObject]) -> tuple[str, ...]:
    """The ids of objects in a zone."""
    return tuple([one.id for one in placed])


def arrival_of(arrival: ArrivalFile) -> Arrival:
    """An arrival in canonical form."""
    return Arrival(tuple(map(entry_of, arrival.together)), arrival.timestamps)


def entry_of(entry: EntryFile) -> Entry:
    """An entry in canonical form; choices belong to its controller unless the file names somebody else."""
    choices = [
        choice if choice.by else msgspec.structs.replace(choice, by=entry.controller)
        for choice in entry.choices
    ]
    return Entry(
        entry.id,
        entry.controller,
        entry.attached_to,
        entry.counters,
        tuple(choices),
        entry.face_down,
        entry.tapped,
        entry.damage,
        entry.new,
        entry.face,
    )


def wants_of(expectations: Iterable[Expectation]) -> tuple[Want, ...]:
    """What has to be reported to judge the expectations, in the order of their first use."""
    keys: dict[tuple[str, str], set[str]] = {}
    for one in expectations:
        if one.key != "tried":
            keys.setdefault((one.look, one.about), set()).add(one.key)
    return tuple(Want(look, about, frozenset(asked)) for (look, about), asked in keys.items())


# --------------------------------------------------------------------------------------- cards used


def cards_of(
    file: FixtureFile, objects: tuple[Object, ...], pool: Mapping[str, Card]
) -> tuple[CardInPlay, ...]:
    """Every card used, by name: cards of objects and their tokens, and cards that cards or choices name."""
    tokens = {one.card for one in objects} - {one.card for one in objects if not one.token}
    own = {line.card.name: costing_nothing(line, line.card.name in tokens) for line in file.cards}
    own.update({token.name: token for token, _ in tokens_defined(file)})
    used: dict[str, CardInPlay] = {}
    waiting = [*own, *(one.card for one in objects), *names_chosen(file)]
    while waiting:
        name = waiting.pop()
        if name in used or (name not in own and name not in pool):
            continue
        card = own[name] if name in own else pool[name]
        used[name] = CardInPlay(card, text_of(card), real=name not in own)
        made = mentions_of(card)
        waiting += made.names
        for token in made.tokens:
            if token.name not in own and token.name not in pool:
                own[token.name] = token
            waiting.append(token.name)
    return tuple(used[name] for name in sorted(used))


def tokens_defined(file: FixtureFile) -> Iterator[tuple[Card, Node]]:
    """The tokens that the file defines where it uses them, and where that is."""
    entries: Iterator[EntryFile | ObjectFile] = chain.from_iterable(one.together for one in file.setup)
    for part in chain(entries, file.objects):
        if type(part.token) is Card:
            yield part.token, part.node


def costing_nothing(line: CardLine, is_token: bool) -> Card:
    """The card, with cost {0} if an invented card has none in its file; lands and tokens have no cost."""
    card = line.card
    names_its_cost = type(line.node) is MappingNode and "cost" in line.node.entries
    if names_its_cost or is_token or "Land" in card.types or card.halves:
        return card
    return msgspec.structs.replace(card, cost="{0}")


def names_chosen(file: FixtureFile) -> list[str]:
    """The card names among the answers to choices."""
    choices = [line.action for line in file.script if type(line.action) is ChooseAction]
    choices += [choice for arrival in file.setup for entry in arrival.together for choice in entry.choices]
    return [str(name) for choice in choices if choice.kind == "name" for name in choice.answer]


class Mentions(Struct, frozen=True):
    """What a card's definition mentions: card names, and tokens it may make."""

    names: tuple[str, ...]
    tokens: tuple[Card, ...]
    kinds: frozenset[type]
    """The types of all parts of the definition."""


@once_for_each
def mentions_of(card: Card) -> Mentions:
    """The cards that a definition mentions."""
    parts = [part for _, part in parts_of_card(card)]
    names = [one.name for one in parts if (type(one) is Filter or type(one) is SetName) and one.name]
    tokens = [one.token for one in parts if type(one) is Create and one.token]
    return Mentions(tuple(names), tuple(tokens), frozenset(map(type, parts)))


@once_for_each
def text_of(card: Card) -> str:
    """A card's rules text in the game's words; cached."""
    return rules_text(card)


# ------------------------------------------------------------------------------------------ loading


class UnreadParts(Struct, frozen=True):
    """The parts of a file that could not be read, and that its value lacks."""

    nodes: frozenset[int] = frozenset()
    """By their `id`, with everything in them."""
    words: frozenset[str] = frozenset()
    """Every text in those that can give something its name, which expectations cannot."""
    nameless: bool = False
    """Whether something without a readable name is among them: it may have any name."""
    expect: bool = False
    """Whether an expectation is among them."""
    rest: bool = False
    """Whether something else is."""

    def may_resolve(self, finding: Finding) -> bool:
        """Whether a finding may be no more than a consequence of what could not be read."""
        if finding.name:
            # A player whose library is left out has cards such as `alice_plains_1`.
            owner = finding.name.partition("_plains_")[0]
            return self.nameless or finding.name in self.words or owner in self.words
        return not finding.certain and (self.rest or (self.expect and finding.hangs_on_expect))


def unread_parts(root: Node, nodes: Iterable[Node]) -> UnreadParts:
    """What a walk left unread in a tree."""
    inner: set[int] = set()
    words: set[str] = set()
    nameless = expect = rest = False
    for node in nodes:
        place = place_of(root, node)
        expected = place.startswith("expect")
        expect, rest = expect or expected, rest or not expected
        nameless = nameless or (bool(NAMED_PART.fullmatch(place)) and not has_name(node))
        waiting = [node]
        while waiting:
            one = waiting.pop()
            if id(one) in inner:
                continue
            inner.add(id(one))
            match one:
                case ScalarNode(text=text) if not expected:
                    words.add(text)
                case SequenceNode(items=items):
                    waiting += items
                case MappingNode(entries=entries):
                    waiting += [part for entry in entries.values() for part in entry]
    return UnreadParts(frozenset(inner), frozenset(words), nameless, expect, rest)


NAMED_PART = re.compile(r"(?:play\.)?(?:setup|(?:setup|objects|cards)\[[0-9]+\])")
"""The places of parts that give something its name."""
NAME_KEYS = frozenset({"id", "name", "together", "entries", "definition"})
"""The keys of those with the name, or with parts that have it."""


def has_name(node: Node) -> bool:
    """Whether such a part has its name, or parts that may have theirs."""
    return type(node) is MappingNode and not {"id", "name", "together", "entries", "definition"}.isdisjoint(
        node.entries
    )


class LoadedFixture(Struct, frozen=True):
    """A fixture, and the file it came from."""

    fixture: Fixture
    path: str
    root: Node
    file: FixtureFile | None
    """The contents of the file; None if the file is in canonical form."""
    unread: UnreadParts = UnreadParts()
    kept: Mapping[int, tuple[Node, ...]] = {}
    """The members that were kept of lists that lost some, by the `id` of the list's node."""

    def problems(self, findings: Iterable[Finding]) -> Iterator[Problem]:
        """Findings as problems of the file, at most `MOST_KEPT`, without consequences of what is unread."""
        places: Places | None = None
        looked_at = islice(findings, MOST_KEPT * 5)  # because of those that are left out here
        own = (finding for finding in looked_at if not self.unread.may_resolve(finding))
        for finding in islice(own, MOST_KEPT):
            places = places or self.places()
            node = nearest(places, finding.at)
            if id(node) not in self.unread.nodes:
                yield problem_at(node, self.root, self.path, finding.what, finding.cure)

    def place(self, at: At) -> Node:
        """The node for a part of the canonical fixture, or the nearest node around it."""
        return nearest(self.places(), at)

    def places(self) -> Places:
        """The node of each part of the fixture."""
        if self.file is not None:
            return places_in(self.file, self.fixture)
        return {(): self.root, **dict(places_of_kept(self.root, (), self.kept))}


def places_of_kept(node: Node, at: At, kept: Mapping[int, tuple[Node, ...]]) -> Iterator[tuple[At, Node]]:
    """The nodes of the members of lists in a canonical tree that lost others."""
    if not kept:
        return
    match node:
        case MappingNode(entries=entries):
            for key, (_, value) in entries.items():
                yield from places_of_kept(value, (*at, key), kept)
        case SequenceNode(items=items):
            for position, item in enumerate(kept.get(id(node), items)):
                if id(node) in kept:
                    yield (*at, position), item
                yield from places_of_kept(item, (*at, position), kept)


def nearest(places: Places, at: At) -> Node:
    """The node of a part, or the nearest node around it."""
    known = next(at[:size] for size in range(len(at), -1, -1) if at[:size] in places)
    return node_at(places[known], at[len(known) :])


def read_fixtures(
    root: Node, path: str, pool: Mapping[str, Card], unread: Iterable[Node] = ()
) -> tuple[tuple[LoadedFixture, ...], list[Problem]]:
    """The fixtures in a tree (all rows, if it is a table), and the problems that prevent reading it.

    `unread` are parts of the file that the tree lacks.
    """
    walk = TypedWalk(fixture_grammar())
    walk.unread += unread
    loaded: tuple[LoadedFixture, ...] = ()
    if type(root) is MappingNode and "play" in root.entries:
        fixture = walk.to_the_end(lambda: read_record(Fixture, root, walk))
        if not isinstance(fixture, Unreadable):
            left_out = unread_parts(root, walk.unread)
            loaded = (LoadedFixture(fixture, path, root, None, left_out, walk.kept),)
    else:
        file = walk.to_the_end(lambda: read_fixture_file(root, walk))
        if not isinstance(file, Unreadable):
            left_out = unread_parts(root, walk.unread)
            loaded = tuple(
                LoadedFixture(fixture, path, root, alone, left_out)
                for alone, fixture in fixtures_of(file, pool)
            )
    return loaded, [problem_at(one.node, root, path, one.what, one.cure) for one in walk.faults]


def read_fixture(
    root: Node, path: str, pool: Mapping[str, Card]
) -> tuple[
    LoadedFixture | None,
    list[Problem],
]:
    """The only fixture in a tree, or the first of a table, and its problems."""
    loaded, problems = read_fixtures(root, path, pool)
    return next(iter(loaded), None), problems


def problem_at(node: Node, root: Node, path: str, what: str, cure: str) -> Problem:
    """A problem at a node of a file."""
    return Problem(path, node.line, node.column, place_of(root, node), what, cure)
