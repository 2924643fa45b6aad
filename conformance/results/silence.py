"""What an engine leaves unplayed, rule by rule, and where that looks chosen.

An engine may answer `unsupported`, or leave a key out, exactly where it would be wrong: nothing fails then.
But what it really cannot do is missing wherever it is needed. So a silence is explained if something in the
check (an action, an operation, a keyword, a key that is looked at, one of these within another) is played
in no more than half of the checks that have it. A rule of which most checks are played, and some are silent
without such an explanation, is suspicious. That accuses nobody: it says where to look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from conformance.data.rulebook import in_order_of_rules
from conformance.model.card_parts import parts_with_places
from conformance.model.features import features_of, tag_of
from conformance.model.scenario import Entry, Fixture
from conformance.results.summary import Score
from reference_engine.language.actions import Advance, Choose
from reference_engine.language.cards import Keyword

MOST_RULES = 5
"""Rules that are named of each kind."""
FEWEST = 3
"""Rules with fewer checks are not compared: the share of one check in one says nothing."""
MOST_IDS = 6
"""Checks that are named of a suspicious rule."""
PLAYED_ALMOST_EVERYWHERE = 0.6
"""The share of a rule's checks from which on it stands out that others are not played."""
EXPLAINS = 0.5
"""What is played in no more than this share of the checks that have it explains why one is not."""


class Check(Struct, frozen=True):
    """A check, as far as it is looked at here."""

    id: str
    rules: tuple[str, ...]
    score: Score
    needs: frozenset[str]
    """What the check is made of."""


class Share(Struct, frozen=True):
    """How many checks of a rule are not played."""

    rule: str
    unplayed: int
    of: int


class Suspicious(Struct, frozen=True):
    """A rule that is played almost everywhere, and the checks of it that are not, for no visible reason."""

    rule: str
    unplayed: int
    of: int
    checks: tuple[str, ...]


class Silence(Struct, frozen=True):
    """What an engine leaves unplayed."""

    least_played: tuple[Share, ...] = ()
    """The rules that lost the largest share of their checks, the largest first."""
    suspicious: tuple[Suspicious, ...] = ()
    """Each silent check that has no visible reason stands in one of them."""


def needs_of(fixture: Fixture) -> frozenset[str]:
    """What a check is made of: the features and parts of its scenario, each part within another, and the
    keys that are looked at.
    """
    play = fixture.play
    tokens = {one.card for one in play.objects if one.token}
    found = {*features_of(play), f"starts in {play.start.step}"}
    found.update(f"key {one.key}" for one in fixture.expect)
    if any(not card.real and card.definition.name not in tokens for card in play.cards):
        found.add("invented cards")
    for _, part in parts_with_places(play):
        found.update(marks_of(part))
    return frozenset(found)


def marks_of(part: Struct) -> Iterator[str]:
    """What one part of a scenario asks of an engine."""
    tag = tag_of(part)
    yield tag
    for name in part.__struct_fields__:
        yield from (f"{tag} with {tag_of(inner)}" for inner in structs_in(getattr(part, name)))
    match part:
        case Choose(kind=kind):
            yield f"choose {kind}"
        case Advance(to=step):
            yield f"advance to {step}"
        case Keyword(keyword=keyword):
            yield f"keyword {keyword}"
        case Entry():
            yield from (f"entering {key}" for key in ENTERING if getattr(part, key))
        case _:
            pass


ENTERING = ("tapped", "damage", "counters", "choices", "new")
"""The keys of an entry of the setup that ask for something more."""


def structs_in(value: object) -> Iterator[Struct]:
    """The parts that a field holds itself."""
    if isinstance(value, Struct):
        yield value
    elif isinstance(value, tuple | frozenset):
        yield from (one for one in value if isinstance(one, Struct))


# ------------------------------------------------------------------------------------ what it comes to


def silence_of(results: Iterable[tuple[Fixture, Score]]) -> Silence:
    """What the results of a run say of an engine's silence; a check without a scenario says nothing of it."""
    every = [(fixture, score) for fixture, score in results if fixture.play.players]
    if not any(score == "unsupported" for _, score in every):
        return Silence()
    return silence_in(
        [Check(fixture.id, fixture.rules, score, needs_of(fixture)) for fixture, score in every]
    )


def silence_in(checks: Sequence[Check]) -> Silence:
    """What these checks say of an engine's silence."""
    heard = [one for one in checks if one.score in ("passed", "failed")]
    silent = [one for one in checks if one.score == "unsupported"]
    of = Counter(rule for one in (*heard, *silent) for rule in one.rules)
    unplayed = Counter(rule for one in silent for rule in one.rules)
    shares = [Share(rule, unplayed[rule], of[rule]) for rule in sorted(unplayed, key=in_order_of_rules)]
    compared = [share for share in shares if share.of >= FEWEST]
    least = sorted(compared, key=lambda share: (-share.unplayed / share.of, -share.unplayed))
    standing_out = {
        share.rule: share for share in shares if 1 - share.unplayed / share.of >= PLAYED_ALMOST_EVERYWHERE
    }
    return Silence(tuple(least), tuple(suspicious(standing_out, unexplained(heard, silent))))


def unexplained(heard: Iterable[Check], silent: Sequence[Check]) -> list[Check]:
    """The silent checks of which every part is played in most of the checks that have it."""
    played = Counter(need for one in heard for need in one.needs)
    missed = Counter(need for one in silent for need in one.needs)
    explains = {need for need, times in missed.items() if played[need] <= EXPLAINS * (played[need] + times)}
    return [one for one in silent if explains.isdisjoint(one.needs)]


def suspicious(shares: Mapping[str, Share], checks: Iterable[Check]) -> Iterator[Suspicious]:
    """The rules that these checks are about, each check under one: the rule with most of those left first."""
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
    """What to say of it, in a few lines."""
    if silence.least_played:
        named = [f"{one.rule} ({one.unplayed} of {one.of})" for one in silence.least_played[:MOST_RULES]]
        more = len(silence.least_played) - len(named)
        others = f"; in part {more} more rules" if more else ""
        yield f"largest shares unsupported: {', '.join(named)}{others}"
    for one in silence.suspicious[:MOST_RULES]:
        more = len(one.checks) - MOST_IDS
        ids = ", ".join(one.checks[:MOST_IDS]) + (f" and {more} more" if more > 0 else "")
        where = f"unsupported in {one.unplayed} of {one.of} checks"
        yield f"suspicious: {one.rule}, {where}: all that is in these is played elsewhere: {ids}"
    if len(silence.suspicious) > MOST_RULES:
        yield f"suspicious: {len(silence.suspicious) - MOST_RULES} more rules"
