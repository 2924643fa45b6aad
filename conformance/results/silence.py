"""What an engine leaves unplayed, rule by rule, and where that looks deliberate.

An engine can answer `unsupported`, or omit a key, exactly where it would be wrong, and then nothing fails.
But what it really cannot do is missing everywhere. So silence on a check is explained if some part of the
check (an action, an operation, a keyword, a key of an expectation, or one of these within another) is played
in at most half of the checks that have it. A rule is suspicious if most of its checks are played and the rest
are silent without such an explanation. This does not prove anything; it shows where to look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.rulebook import in_order_of_rules
from conformance.model.card_parts import holding_parts, once_for_each, parts_with_places
from conformance.model.features import features_of, tag_of, tag_of_kind
from conformance.model.scenario import Fixture
from conformance.results.summary import Score
from reference_engine.language.actions import Advance, ChooseAction
from reference_engine.language.cards import Card, Keyword
from reference_engine.language.setup import Entry

MOST_RULES = 5
"""Maximum number of rules to name of each kind."""
FEWEST = 3
"""Rules with fewer checks are not compared: a share of one or two checks means nothing."""
MOST_IDS = 6
"""Maximum number of checks to name for a suspicious rule."""
PLAYED_ALMOST_EVERYWHERE = 0.6
"""The share of a rule's checks that must be played before the unplayed ones stand out."""
EXPLAINS = 0.5
"""A part played in at most this share of its checks explains why one of them is not played."""


class PlayedCheck(Struct, frozen=True):
    """A check, reduced to what matters here."""

    id: str
    rules: tuple[str, ...]
    score: Score
    needs: frozenset[str]
    """The parts of the check that an engine has to support."""


class UnplayedShare(Struct, frozen=True):
    """Number of checks of a rule, and how many of them are not played."""

    rule: str
    unplayed: int
    of: int


class Suspicious(Struct, frozen=True):
    """A rule whose checks are mostly played, and those of its checks that are not, for no visible reason."""

    rule: str
    unplayed: int
    of: int
    checks: tuple[str, ...]


class Silence(Struct, frozen=True):
    """What an engine leaves unplayed."""

    least_played: tuple[UnplayedShare, ...] = ()
    """The rules with the largest share of unplayed checks, largest first."""
    suspicious: tuple[Suspicious, ...] = ()
    """Every unplayed check without a visible reason appears under one of these rules."""


def needs_of(fixture: Fixture) -> frozenset[str]:
    """The parts of a check that an engine has to support.

    These are its features, the parts of its scenario, each part within another, and the keys it expects.
    """
    play = fixture.play
    tokens = {one.card for one in play.objects if one.token}
    found = {*features_of(play), f"starts in {play.start.step}"}
    found.update(f"key {one.key}" for one in fixture.expect)
    if any(not card.real and card.definition.name not in tokens for card in play.cards):
        found.add("invented cards")
    found.update(marks_of(play), marks_in(replace(play, cards=())))
    for card in play.cards:
        found.update(marks_of(card), marks_in_card(card.definition))
    return frozenset(found)


@once_for_each
def marks_in_card(card: Card) -> frozenset[str]:
    """What a card and its parts ask of an engine."""
    return frozenset(marks_in(card))


def marks_in(whole: Struct) -> Iterator[str]:
    """What a part of a scenario, and all parts within it, ask of an engine."""
    alike: set[type] = set()
    for _, part in parts_with_places(whole):
        kind = type(part)
        if kind not in alike:
            yield from marks_of(part)
            if not holding_parts(kind) and kind not in TOLD_APART:
                alike.add(kind)


def marks_of(part: Struct) -> Iterator[str]:
    """What one part of a scenario asks of an engine."""
    tag = tag_of(part)
    yield tag
    for name in holding_parts(type(part)):
        if inner := getattr(part, name):
            yield from [f"{tag} with {tag_of_kind(one)}" for one in kinds_in(inner)]
    match part:
        case ChooseAction(kind=kind):
            yield f"choose {kind}"
        case Advance(to=step):
            yield f"advance to {step}"
        case Keyword(keyword=keyword):
            yield f"keyword {keyword}"
        case Entry():
            yield from (f"entering {key}" for key in ENTERING if getattr(part, key))
        case _:
            pass


TOLD_APART = {ChooseAction, Advance, Keyword, Entry}
"""Of these each asks for something of its own. Of other kinds, all without parts ask for the same."""
ENTERING = ("tapped", "damage", "counters", "choices", "new")
"""Keys of a setup entry that need something extra from an engine."""


def kinds_in(value: object) -> list[type[Struct]]:
    """The kinds of the structs that a field contains directly."""
    kinds = set(map(type, value)) if isinstance(value, tuple | frozenset) else {type(value)}
    return [kind for kind in kinds if issubclass(kind, Struct)]


# ----------------------------------------------------------------------------------------- the outcome


def silence_of(results: Iterable[tuple[Fixture, Score]]) -> Silence:
    """The silence in the results of a run; checks without a scenario do not count."""
    every = [(fixture, score) for fixture, score in results if fixture.play.players]
    if not any(score == "unsupported" for _, score in every):
        return Silence()
    return silence_in(
        [PlayedCheck(fixture.id, fixture.rules, score, needs_of(fixture)) for fixture, score in every]
    )


def silence_in(checks: Sequence[PlayedCheck]) -> Silence:
    heard = [one for one in checks if one.score in ("passed", "failed")]
    silent = [one for one in checks if one.score == "unsupported"]
    of = Counter(rule for one in (*heard, *silent) for rule in one.rules)
    unplayed = Counter(rule for one in silent for rule in one.rules)
    shares = [
        UnplayedShare(rule, unplayed[rule], of[rule]) for rule in sorted(unplayed, key=in_order_of_rules)
    ]
    compared = [share for share in shares if share.of >= FEWEST]
    least = sorted(compared, key=lambda share: (-share.unplayed / share.of, -share.unplayed))
    standing_out = {
        share.rule: share for share in shares if 1 - share.unplayed / share.of >= PLAYED_ALMOST_EVERYWHERE
    }
    return Silence(tuple(least), tuple(suspicious(standing_out, unexplained_checks(heard, silent))))


def unexplained_checks(heard: Iterable[PlayedCheck], silent: Sequence[PlayedCheck]) -> list[PlayedCheck]:
    """The silent checks whose parts are all played in most of the checks that have them."""
    played = Counter(need for one in heard for need in one.needs)
    missed = Counter(need for one in silent for need in one.needs)
    explains = {need for need, times in missed.items() if played[need] <= EXPLAINS * (played[need] + times)}
    return [one for one in silent if explains.isdisjoint(one.needs)]


def suspicious(shares: Mapping[str, UnplayedShare], checks: Iterable[PlayedCheck]) -> Iterator[Suspicious]:
    """Suspicious rules for these checks, each check under one rule; the rule with the most goes first."""
    left: dict[str, Collection[str]] = {
        one.id: rules for one in checks if (rules := shares.keys() & set(one.rules))
    }
    while left:
        number = Counter(rule for rules in left.values() for rule in rules)
        rule = min(number, key=lambda rule: (-number[rule], in_order_of_rules(rule)))
        ids = tuple(sorted(id for id, rules in left.items() if rule in rules))
        yield Suspicious(rule, shares[rule].unplayed, shares[rule].of, ids)
        left = {id: rules for id, rules in left.items() if rule not in rules}


# -------------------------------------------------------------------------------------------- in words


def lines_of_silence(silence: Silence) -> Iterator[str]:
    """A summary in a few lines."""
    if silence.least_played:
        named = [f"{one.rule} ({one.unplayed} of {one.of})" for one in silence.least_played[:MOST_RULES]]
        more = len(silence.least_played) - len(named)
        others = f"; in part {more} more rules" if more else ""
        yield f"largest shares unsupported: {', '.join(named)}{others}"
    for one in silence.suspicious[:MOST_RULES]:
        more = len(one.checks) - MOST_IDS
        ids = ", ".join(one.checks[:MOST_IDS]) + (f" and {more} more" if more > 0 else "")
        where = f"unsupported in {one.unplayed} of {one.of} checks"
        yield f"suspicious: {one.rule}, {where}: everything in these is played elsewhere: {ids}"
    if len(silence.suspicious) > MOST_RULES:
        yield f"suspicious: {len(silence.suspicious) - MOST_RULES} more rules"
