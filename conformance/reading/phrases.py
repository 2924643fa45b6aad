"""Reads noun phrases, quantities and conditions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from parsy import Parser, Result

from conformance.reading.grammar import (
    NO,
    Sentence,
    later,
    list_in_sentence,
    matching,
    memoized_rule,
    one_of,
    perhaps,
    rule,
    several,
    whether,
    words,
)
from conformance.reading.references import ChoiceReference, PronounReference, TargetReference
from conformance.wording.english import AS_MANY_AS_YOU_LIKE, NUMBERS, plural
from conformance.wording.kinds import HISTORIC_KINDS, OF_CREATURES, OUTLAW_KINDS, PERMANENT_KINDS
from conformance.wording.phrases import HOST_STATES, KINDS_COUNTED, NOT_YOURS
from reference_engine.language.cards import (
    ActivePlayer,
    All,
    Attached,
    ChosenPlayer,
    Comparison,
    ControllerOf,
    Count,
    Counters,
    DefendingPlayer,
    Devotion,
    Everyone,
    Filter,
    GainsLife,
    HowOften,
    LosesLife,
    Monarch,
    Opponents,
    Others,
    OwnerOf,
    PropertyOf,
    Selector,
    Sum,
    TargetSpec,
    ThatMuch,
    The,
    This,
    Times,
    X,
    You,
)
from reference_engine.language.subtypes import KIND_OF
from reference_engine.language.words import (
    CHOSEN_COLOR,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    COLORS,
    CardType,
    CounterKind,
    Supertype,
)

# ----------------------------------------------------------------------------------- numbers

NUMBER_WORDS = {word: n for n, word in enumerate(NUMBERS) if n}
digits = matching(r"\d+", lambda match: int(match[0]))
number = one_of(words({**NUMBER_WORDS}), digits)
"""A number in words: "two"."""
article = matching(r"an? ")

# ------------------------------------------------------------------------------------- kinds

CARD_TYPES: dict[str, CardType] = {
    "artifact": "Artifact",
    "battle": "Battle",
    "creature": "Creature",
    "enchantment": "Enchantment",
    "instant": "Instant",
    "kindred": "Kindred",
    "land": "Land",
    "planeswalker": "Planeswalker",
    "sorcery": "Sorcery",
}
PLACE_NOUNS = ("permanent", "spell", "card", "token", "source")
SUPERTYPE_WORDS: dict[str, Supertype] = {
    "basic": "Basic",
    "legendary": "Legendary",
    "snow": "Snow",
    "world": "World",
}
SINGULAR = {one: one for one in (*CARD_TYPES, *PLACE_NOUNS)}
PLURAL = {plural(one): one for one in (*CARD_TYPES, *PLACE_NOUNS)}
SUBTYPES_IN_PLURAL = {plural(word): word for word in KIND_OF}
WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
WORD_OF_PERMANENT = re.compile(r"(?:card|spell)s?\b")


def term(stream: Sentence, index: int, many: bool) -> Result:
    """One kind of object, in singular or plural: "Goblin creature", "artifact creatures", "cards"."""
    types: list[str] = []
    subtypes: list[str] = []
    any_of: tuple[Filter, ...] = ()

    def kind_filter(types: Sequence[str], subtypes: Sequence[str], last: str) -> FilterFields:
        kind = kind_of_words(types, subtypes, last)
        return {**kind, "any_of": any_of} if any_of else kind

    while (match := WORD.match(stream, index)) is not None:
        word, end = match[0], match.end()
        if word.endswith("'s") and word not in KIND_OF:  # "target creature's owner"
            word, end = word[:-2], end - 2
        more = stream.startswith(" ", end)
        if many and (word in PLURAL or word in SUBTYPES_IN_PLURAL):
            one = PLURAL.get(word) or SUBTYPES_IN_PLURAL.get(word)
            following = WORD.match(stream, end + 1) if more else None
            # "Goblin creatures", but "Goblins": a subtype before another noun is singular.
            if one is not None and not (
                word[0].isupper() and following is not None and following[0] in (*PLURAL, *SINGULAR)
            ):
                return Result.success(end, kind_filter(types, subtypes, one))
        if word == "permanent" and more and WORD_OF_PERMANENT.match(stream, end + 1):
            any_of = PERMANENT_KINDS
            index = end + 1
            continue
        if word == "outlaw" and more and stream.startswith(("card", "spell", "creature"), end + 1):
            any_of = OUTLAW_KINDS
            index = end + 1
            continue
        if word == ("outlaws" if many else "outlaw"):
            return Result.success(end, {**kind_filter(types, subtypes, ""), "any_of": OUTLAW_KINDS})
        if word in CARD_TYPES:
            types.append(CARD_TYPES[word])
        elif word in KIND_OF:
            subtypes.append(word)
        elif word in PLACE_NOUNS and not many:
            return Result.success(end, kind_filter(types, subtypes, word))
        else:
            return NO
        following = WORD.match(stream, end + 1) if more else None
        goes_on = following is not None and (
            following[0] in SINGULAR or (many and following[0] in PLURAL) or (following[0] in KIND_OF)
        )
        if not goes_on:
            return NO if many else Result.success(end, kind_filter(types, subtypes, ""))
        index = end + 1
    return NO


FilterFields = dict[str, Any]


def kind_of_words(types: Sequence[str], subtypes: Sequence[str], last: str) -> FilterFields:
    """A kind of object by its words; the last one may be a place."""
    types, subtypes, place = list(types), list(subtypes), ""
    if last in CARD_TYPES:
        types.append(CARD_TYPES[last])
    elif last in PLACE_NOUNS:
        place = last
    elif last:
        subtypes.append(last)
    kind: FilterFields = {"place": place}
    if types:
        kind["type"] = frozenset(types)
    if subtypes:
        kind["subtype"] = frozenset(subtypes)
    return kind


def kinds(many: bool) -> Parser:
    """Kinds of objects: "creature or planeswalker", "instant and sorcery spells"."""

    def one_term(stream: Sentence, index: int) -> Result:
        result = term(stream, index, many)
        return term(stream, index, False) if many and not result.status else result

    found = list_in_sentence(Parser(one_term), "or")
    found_and = list_in_sentence(Parser(one_term), "and")

    def run(stream: Sentence, index: int) -> Result:
        for parser in (found, found_and) if many else (found,):
            result = parser(stream, index)
            if result.status and (len(result.value) > 1 or parser is found_and or not many):
                break
        if not result.status:
            return NO
        terms: list[FilterFields] = result.value
        if many and not term_is_plural(terms, stream, result.index):
            return NO
        place = terms[-1].pop("place")
        for other in terms[:-1]:
            if other.pop("place", "") not in ("", place):
                return NO
        if len(terms) == 1:
            return Result.success(result.index, {**terms[0], "place": place})
        if not all(terms):
            return NO
        *others, last = terms
        if "type" in last and "subtype" in last and all(one.keys() == {"subtype"} for one in others):
            # "Elf or Soldier creature" is a creature of either kind.
            any_of = tuple(Filter(subtype=one["subtype"]) for one in terms)
            return Result.success(result.index, {"type": last["type"], "any_of": any_of, "place": place})
        any_of = tuple(Filter(**one) for one in terms)
        return Result.success(result.index, {"any_of": any_of, "place": place})

    return Parser(run)


def term_is_plural(terms: Sequence[FilterFields], stream: str, end: int) -> bool:
    """Whether the last word read is a plural."""
    start = max(stream.rfind(" ", 0, end), stream.rfind('"', 0, end)) + 1
    word = stream[start:end]
    return word in PLURAL or word in SUBTYPES_IN_PLURAL or word == "outlaws"


# -------------------------------------------------------------------------------- adjectives

STATES: dict[str, FilterFields] = {
    "tapped ": {"tapped": True},
    "untapped ": {"tapped": False},
    "attacking ": {"attacking": True},
    "nonattacking ": {"attacking": False},
    "blocking ": {"blocking": True},
    "nonblocking ": {"blocking": False},
    "blocked ": {"unblocked": False},
    "unblocked ": {"unblocked": True},
    "saddled ": {"saddled": True},
    "face-down ": {"face_down": True},
    "face-up ": {"face_down": False},
    "colorless ": {"colorless": True},
    "multicolored ": {"multicolored": True},
    **{f"{word} ": {"host_of": what} for what, word in HOST_STATES.items()},
    "nontoken ": {"token": False},
    "historic ": {"any_of": HISTORIC_KINDS},
    **{f"{word} ": {"supertype": frozenset({name})} for word, name in SUPERTYPE_WORDS.items()},
    **{f"{color} ": {"color": frozenset({color})} for color in COLORS},
    **{f"non{word} ": {"without": (Filter(type=frozenset({name})),)} for word, name in CARD_TYPES.items()},
    **{
        f"non{word} ": {"without": (Filter(supertype=frozenset({name})),)}
        for word, name in SUPERTYPE_WORDS.items()
    },
    **{f"non{color} ": {"without": (Filter(color=frozenset({color})),)} for color in COLORS},
}
state = words(STATES)
non_subtype = matching(
    r"non-([A-Z][\w'-]*),? ",
    lambda match: {"without": (Filter(subtype=frozenset({match[1]})),)} if match[1] in KIND_OF else None,
)
non_list = matching(r"(non[a-z]+), (?=non)", lambda match: STATES.get(match[1] + " "))
either_state = matching(
    r"(\w+) or (\w+) (?=[A-Za-z])",
    lambda match: (
        {"any_of": tuple(Filter(**STATES[f"{word} "]) for word in match.groups())}
        if all(f"{word} " in STATES for word in match.groups())
        else None
    ),
)
two_colors = matching(
    rf"({'|'.join(COLORS)}) and ({'|'.join(COLORS)}) (?=[a-z])",
    lambda match: {"color": frozenset(match.groups())},
)
adjective = one_of(two_colors, either_state, non_list, state, non_subtype)


def together(parts: Sequence[Mapping[str, Any]]) -> FilterFields | None:
    """Several descriptions of one object combined; `None` if they describe the same aspect."""
    whole: FilterFields = {}
    for part in parts:
        for key, value in part.items():
            if key in whole and key in ("without", "type", "subtype", "supertype", "keyword"):
                whole[key] = whole[key] + value if key == "without" else whole[key] | value
            elif key in whole:
                return None
            else:
                whole[key] = value
    return whole


# ---------------------------------------------------------------------------------- qualities

player = later()
thing = later()
quantity = later()
KEYWORDS_ALONE = (
    *("changeling", "deathtouch", "defender", "double strike", "fear", "first strike", "flash", "flying"),
    *("haste", "hexproof", "indestructible", "intimidate", "lifelink", "menace", "morph", "prowess", "reach"),
    *("shadow", "shroud", "trample", "vigilance", "wither", "suspend", "flashback", "cycling", "unearth"),
    *("infect", "toxic", "flanking", "exalted", "ward", "riot", "modular", "bushido", "horsemanship"),
    *("cascade", "skulk", "madness", "evoke", "dash", "escape", "ninjutsu", "crew", "bestow", "foretell"),
    *("ascend", "job select", "mobilize", "offspring", "outlast", "phasing", "reconfigure", "warp"),
    *("afflict", "afterlife", "delve", "fabricate", "fading", "ingest", "mentor", "provoke", "unleash"),
    *(
        "cascade",
        "persist",
        "undying",
        "convoke",
        "kicker",
        "affinity",
        "storm",
        "split second",
        "buyback",
        "retrace",
    ),
)
keyword_name = words({name: name for name in KEYWORDS_ALONE})
symbols = matching(r"(?:\{[^{} ]+\})+")
compared = one_of(
    rule("{n} or greater", lambda n: Comparison(">=", n), n=one_of(digits, rule("X", X))),
    rule("{n} or less", lambda n: Comparison("<=", n), n=one_of(digits, rule("X", X))),
    rule("less than or equal to {n}", lambda n: Comparison("<=", n), n=quantity),
    rule("greater than or equal to {n}", lambda n: Comparison(">=", n), n=quantity),
    rule("less than {n}", lambda n: Comparison("<", n), n=quantity),
    rule("greater than {n}", lambda n: Comparison(">", n), n=quantity),
    rule("equal to {n}", lambda n: Comparison("=", n), n=quantity),
    rule("{n}", lambda n: Comparison("=", n), n=one_of(digits, rule("X", X))),
)
measure = words({"mana value ": "mana_value", "power ": "power", "toughness ": "toughness"})
counter_name = words({kind: kind for kind in get_args(CounterKind)})
feature = one_of(
    rule("{what}{how}", lambda what, how: {what: how}, what=measure, how=compared),
    rule(
        "an {how} mana value",
        lambda how: {"mana_value": Comparison(how)},
        how=words({"even": "even", "odd": "odd"}),
    ),
    rule("mana cost {cost}", lambda cost: {"mana_cost": cost}, cost=symbols),
    rule(
        "mana cost {one} or {other}",
        lambda one, other: {"any_of": (Filter(mana_cost=one), Filter(mana_cost=other))},
        one=symbols,
        other=symbols,
    ),
    rule("no abilities", lambda: {"no_abilities": True}),
    rule("[a|an] {kind} counter on it", lambda kind: {"counter": kind}, kind=counter_name),
    rule("{kind} counters on them", lambda kind: {"counter": kind}, kind=counter_name),
    rule("a morph ability", lambda: {"keyword": frozenset({"morph"})}),
    rule("{name}", lambda name: {"keyword": frozenset({name})}, name=keyword_name),
)
lacked = rule("{name}", lambda name: {"without": (Filter(keyword=frozenset({name})),)}, name=keyword_name)
is_like = later()
quality = one_of(
    rule(" you both own and control", lambda: {"controller": You(), "owner": You()}),
    rule(" {who} control[s]", lambda who: {"controller": who}, who=player),
    rule(" {who} own[s]", lambda who: {"owner": who}, who=player),
    rule(" you don't control", lambda: {"without": (NOT_YOURS,)}),
    rule(" {who} cast[s]", lambda who: {"controller": who}, who=player),
    rule(" with the chosen name", lambda: {"name": CHOSEN_NAME}),
    rule(" with {has}", lambda has: together(has), has=list_in_sentence(feature)),
    rule(" without {lacks}", lambda lacks: lacks, lacks=lacked),
    rule(" of the chosen color", lambda: {"color": frozenset({CHOSEN_COLOR})}),
    rule(" of the chosen type", lambda: {"subtype": frozenset({CHOSEN_TYPE})}),
    rule(
        " named {name}",
        lambda name: {"name": name},
        name=matching(r"~|[A-Z][\w'-]*(?: (?:[A-Z][\w'-]*|of|the))*"),
    ),
    rule(" blocking or blocked by {who}", lambda who: {"in_combat_with": who}, who=thing),
    rule(" dealt damage by {who} this turn", lambda who: {"damaged_by": who}, who=thing),
    rule(" that saddled {who} this turn", lambda who: {"saddler_of": who}, who=thing),
    rule(" attached to {who}", lambda who: {"attached_to": who}, who=thing),
    rule(" exiled with ~", lambda: {"put_by": This()}),
    rule(" other than {who}", lambda who: {"other_than": who}, who=thing),
    rule(" that['s| are| is] {what}", lambda what: what, what=is_like),
    rule(" that isn't {what}", lambda what: {"without": (Filter(**what),)}, what=is_like),
    rule(" that aren't {what}", lambda what: {"without": (Filter(**what),)}, what=is_like),
)
one_state = words({key.strip(): value for key, value in STATES.items()})
is_like.become(one_state)

# The place of a group: what follows "cards", and zones.
of_whom = one_of(
    rule("your ", lambda: You()),
    rule("[an opponent's|your opponents'] ", lambda: Opponents()),
    rule("[a player's|all] ", lambda: Everyone()),
    rule("a ", lambda: ""),
    rule("each opponent's ", lambda: Opponents()),
    rule("their ", lambda: PronounReference("that player")),
    rule("that player's ", lambda: PronounReference("that player")),
    rule("target player's ", lambda: TargetReference(TargetSpec(players=Everyone()))),
    rule("target opponent's ", lambda: TargetReference(TargetSpec(players=Opponents()))),
    rule("defending player's ", lambda: DefendingPlayer()),
)
zone_name = words(
    {
        "graveyard": "graveyard",
        "graveyards": "graveyard",
        "hand": "hand",
        "hands": "hand",
        "library": "library",
        "libraries": "library",
    }
)
located = one_of(
    rule(
        "[ in| from] {of}{zone}",
        lambda of, zone: {"zones": frozenset({zone}), **({"of": of} if of else {})},
        of=of_whom,
        zone=zone_name,
    ),
    rule("[ in| from] exile", lambda: {"zones": frozenset({"exile"})}),
    rule(
        " that aren't on the battlefield",
        lambda: {"zones": frozenset({"hand", "library", "graveyard", "exile", "command"})},
    ),
)


def about_the_last(kind: FilterFields, behind: list[FilterFields]) -> tuple[FilterFields, list[FilterFields]]:
    """A list of kinds whose last one alone are creatures, with what is said of creatures behind it as part of
    that one; and what is said of all of them.
    """
    *others, last = kind.get("any_of", ()) or (Filter(),)
    own = [quality for quality in behind if quality.keys() <= OF_CREATURES]
    if not others or not own or "Creature" not in last.type:
        return kind, behind
    if any("Creature" in other.type or not other.type for other in others):
        return kind, behind
    creature = together([{"type": last.type, "subtype": last.subtype}, *own])
    if creature is None or last != Filter(type=last.type, subtype=last.subtype):
        return kind, behind
    rest = [quality for quality in behind if quality not in own]
    return {**kind, "any_of": (*others, Filter(**creature))}, rest


def group_of(
    other: bool,
    before: list[FilterFields],
    kind: FilterFields,
    behind: list[FilterFields],
    where: FilterFields | None,
) -> All | None:
    """A group of objects from the parts of a noun phrase."""
    kind, behind = about_the_last(dict(kind), behind)
    place = kind.pop("place")
    whole = together([*before, kind, *behind])
    if whole is None:
        return None
    if place == "token":
        whole["token"] = True
    if other:
        if "other_than" in whole:
            return None
        whole["other_than"] = PronounReference("other")
    if where is not None:
        if place not in ("card", ""):
            return None
        if where["zones"] == {"graveyard"} and isinstance(where.get("of"), Everyone):
            where = {"zones": where["zones"]}
        whole |= where
    elif place == "spell":
        whole["zones"] = frozenset({"stack"})
    elif place == "card":
        whole["zones"] = frozenset()
    elif place == "source":
        return None
    return All(**whole)


def phrase(many: bool) -> Parser:
    """A noun phrase without its article: "other tapped Goblin you control with flying"."""
    found_other = whether("other ")
    found_before = several(adjective)
    found_kind = kinds(many)
    found_behind = several(quality)
    found_where = perhaps(located)

    def run(stream: Sentence, index: int) -> Result:
        other = found_other(stream, index)
        before = found_before(stream, other.index)
        kind = found_kind(stream, before.index)
        if not kind.status:
            return NO
        behind = found_behind(stream, kind.index)
        where = found_where(stream, behind.index)
        more = found_behind(stream, where.index)
        whole = group_of(other.value, before.value, kind.value, [*behind.value, *more.value], where.value)
        return NO if whole is None else Result.success(more.index, whole)

    return memoized_rule(Parser(run))


one = phrase(many=False)
many = phrase(many=True)

# ------------------------------------------------------------------------------------ players

IT_REFERENCE: Any = PronounReference("it")
"""A mark in place of a selector, until it is resolved."""
CONTROLLER, OWNER = ControllerOf(IT_REFERENCE), OwnerOf(IT_REFERENCE)
player.become(
    one_of(
        words(
            {
                "you": You(),
                "your opponents": Opponents(),
                "each opponent": Opponents(),
                "an opponent": Opponents(),
                "opponents": Opponents(),
                "each other player": Others(),
                "another player": Others(),
                "each player": Everyone(),
                "a player": Everyone(),
                "players": Everyone(),
                "all players": Everyone(),
                "defending player": DefendingPlayer(),
                "the active player": ActivePlayer(),
                "the chosen player": ChosenPlayer(),
                "the monarch": Monarch(),
                "enchanted player": Attached(),
                "they": PronounReference("that player"),
                "that player": PronounReference("that player"),
                "that opponent": PronounReference("that player"),
                "its controller": CONTROLLER,
                "its owner": OWNER,
                "their controller": CONTROLLER,
                "their controllers": CONTROLLER,
                "enchanted creature's controller": ControllerOf(Attached()),
                "enchanted permanent's controller": ControllerOf(Attached()),
                "enchanted land's controller": ControllerOf(Attached()),
                "the token's owner": OWNER,
            }
        ),
        rule(
            "that {head}'s {role}",
            lambda head, role: role(PronounReference(f"that {head}")),
            head=words({one: one for one in (*CARD_TYPES, *PLACE_NOUNS)}),
            role=words({"controller": ControllerOf, "owner": OwnerOf}),
        ),
        rule("target player", lambda: TargetReference(TargetSpec(players=Everyone()))),
        rule("target opponent", lambda: TargetReference(TargetSpec(players=Opponents()))),
    )
)

# ------------------------------------------------------------------------------------- things


how_many_targets = one_of(
    rule("up to {n} ", lambda n: (0, n), n=number),
    rule("up to X ", lambda: (0, X())),
    rule("any number of ", lambda: (0, AS_MANY_AS_YOU_LIKE)),
    rule("one or two ", lambda: (1, 2)),
    rule("one, two, or three ", lambda: (1, 3)),
    rule("X ", lambda: (X(), X())),
    rule("{n} ", lambda n: (n, n), n=number),
)


def with_other(other: bool, what: All) -> All | None:
    """A description of something other than what was mentioned."""
    if not other:
        return what
    return (
        None
        if what.other_than is not None
        else All(**{**fields(what), "other_than": PronounReference("other")})
    )


def fields(what: All) -> dict[str, Any]:
    """The parts of a group by name."""
    return {name: getattr(what, name) for name in what.__struct_fields__}


def players_too(what: All, players: Selector) -> TargetReference:
    """A target that may also be a player."""
    return TargetReference(TargetSpec(what=what, players=players))


PLAYER_KINDS = {"player": Everyone(), "opponent": Opponents()}
target = memoized_rule(
    one_of(
        rule("any target", lambda: TargetReference(TargetSpec(any_target=True))),
        rule(
            "target {what} or {players}",
            players_too,
            what=one,
            players=words(PLAYER_KINDS),
        ),
        rule(
            "target {players} or {what}",
            players_too,
            what=one,
            players=words(PLAYER_KINDS),
        ),
        rule("target {what}", lambda what: TargetReference(TargetSpec(what=what)), what=one),
        rule(
            "another target {what}",
            lambda what: TargetReference(TargetSpec(what=with_other(True, what))),
            what=one,
        ),
        rule(
            "up to one {other}target {what}",
            lambda other, what: TargetReference(TargetSpec(what=with_other(other, what), least=0)),
            other=whether("other "),
            what=one,
        ),
        rule(
            "each of {limits}{other}target {what}",
            lambda limits, other, what: TargetReference(
                TargetSpec(what=with_other(other, what), least=limits[0], most=limits[1])
            ),
            limits=how_many_targets,
            other=whether("other "),
            what=many,
        ),
        rule(
            "{limits}{other}target {what}",
            lambda limits, other, what: TargetReference(
                TargetSpec(what=with_other(other, what), least=limits[0], most=limits[1])
            ),
            limits=how_many_targets,
            other=whether("other "),
            what=many,
        ),
        rule(
            "{limits}target players",
            lambda limits: TargetReference(TargetSpec(players=Everyone(), least=limits[0], most=limits[1])),
            limits=how_many_targets,
        ),
        rule(
            "{limits}targets",
            lambda limits: TargetReference(TargetSpec(any_target=True, least=limits[0], most=limits[1])),
            limits=how_many_targets,
        ),
        rule("target activated or triggered ability", lambda: ability_target("activated", "triggered")),
        rule("target activated ability", lambda: ability_target("activated")),
        rule("target triggered ability", lambda: ability_target("triggered")),
    )
)


def ability_target(*kinds_of_it: Any) -> TargetReference:
    """An ability on the stack as a target."""
    return TargetReference(TargetSpec(stack=frozenset(kinds_of_it)))


HEADS = (
    *CARD_TYPES,
    *("permanent", "spell", "card", "token", "Aura", "Equipment", "Vehicle", "ability"),
)
ANY_HEAD = "|".join([*HEADS, *map(plural, HEADS)])
itself = words(
    {
        "~": This(),
        **{f"this {head}": This() for head in HEADS},
    }
)
host = matching(
    r"(?:enchanted|equipped) (?!creatures|permanents|lands)[A-Za-z]+(?!')|fortified land",
    lambda match: Attached(),
)
pronoun = one_of(
    words(
        {
            "itself": This(),
            "it": PronounReference("it"),
            "them": PronounReference("it"),
            "they": PronounReference("it"),
        }
    ),
    matching(
        rf"(?:that|those) (?:{ANY_HEAD})(?: or (?:{ANY_HEAD}|player))*\b(?!')",
        lambda match: PronounReference(match[0]),
    ),
    matching(
        rf"the (sacrificed|exiled|chosen|revealed|returned) (?:{ANY_HEAD})\b(?!')",
        lambda match: The(match[1]),
    ),
    matching(r"the token[s]?\b(?!')", lambda match: PronounReference("it")),
)
spoken = one_of(itself, host, pronoun)
some_other = rule("another {what}", lambda what: with_other(True, what), what=one)
picked = one_of(
    rule("{what}", ChoiceReference, what=some_other),
    rule("{a}{what}", lambda a, what: ChoiceReference(what), a=article, what=one),
    rule("{n} {what}", lambda n, what: ChoiceReference(what, n, n), n=number, what=many),
    rule("up to {n} {what}", lambda n, what: ChoiceReference(what, 0, n), n=number, what=many),
)
"""Something that is chosen where it is first mentioned."""
some = one_of(
    some_other,
    rule("{a}{what}", lambda a, what: what, a=article, what=one),
)
"""Any one object of a group, in events."""
everything = one_of(
    rule("each {what}", lambda what: what, what=one),
    rule("all {what}", lambda what: what, what=many),
    many,
)
top_card = one_of(
    rule(
        "the top card of {of}library",
        lambda of: All(zones=frozenset({"library"}), of=of, top=True),
        of=of_whom,
    )
)
whole_zone = one_of(
    rule("{of}{zone}", lambda of, zone: All(zones=frozenset({zone}), of=of), of=of_whom, zone=zone_name)
)
thing.become(
    memoized_rule(
        one_of(
            spoken, target, top_card, everything, rule("{a}{what}", lambda a, what: what, a=article, what=one)
        )
    )
)
"""Anything that can be acted on."""
subject = memoized_rule(one_of(spoken, target, everything))

# ----------------------------------------------------------------------------------- how much

possessor = one_of(
    rule("its ", lambda: PronounReference("it")),
    rule("~'s ", This),
    matching(r"(?:enchanted|equipped) [a-z]+'s ", lambda match: Attached()),
    matching(rf"that (?:{'|'.join(HEADS)})(?='s )", lambda match: PronounReference(match[0])),
    matching(
        rf"the (sacrificed|exiled|chosen|revealed) (?:{'|'.join(HEADS)})'s ", lambda match: The(match[1])
    ),
    rule("{what}'s ", lambda what: what, what=target),
    rule("{who}'s ", lambda who: who, who=player),
    rule("your ", You),
)
property_name = words(
    {
        "power": "power",
        "toughness": "toughness",
        "mana value": "mana_value",
        "life total": "life",
        "loyalty": "loyalty",
    }
)
color_word = words({color: color for color in COLORS})
ON_BATTLEFIELD = " on the battlefield"


def counted_there(what: All, there: bool) -> Count | None:
    """The number of objects of a group."""
    return Count(what) if what.zones else None


kinds_counted = words({word: kinds for kinds, word in KINDS_COUNTED.items()})


def summed(n: Any, how: str, more: Any) -> Any:
    """A number plus or minus another."""
    return Sum((n, more if how == "plus" else Times(-1, more)))


past_numbers = later()
quantity.become(
    memoized_rule(
        one_of(
            rule("the number of cards in {whose}hand", lambda whose: Count(hand(whose)), whose=possessor),
            rule("the number of {event} this turn", lambda event: event, event=past_numbers),
            rule(
                "the amount of life {who} gained this turn", lambda who: HowOften(GainsLife(who)), who=player
            ),
            rule("the amount of life {who} lost this turn", lambda who: HowOften(LosesLife(who)), who=player),
            rule(
                "the number of {kind} counters on {what}",
                lambda kind, what: PropertyOf("counters", what, kind),
                kind=counter_name,
                what=thing,
            ),
            rule(
                "the number of {kinds}s among {of}",
                lambda kinds, of: Count(of, kinds) if of.zones else None,
                kinds=kinds_counted,
                of=many,
            ),
            rule(
                "the number of differently named {of}",
                lambda of: Count(of, "names") if of.zones else None,
                of=many,
            ),
            rule("the number of {what}{there}", counted_there, what=many, there=whether(ON_BATTLEFIELD)),
            rule("{n} {how} {more}", summed, n=digits, how=matching("plus|minus"), more=quantity),
            rule(
                "the greatest {what} among {of}",
                lambda what, of: PropertyOf(what, of, over="greatest"),
                what=property_name,
                of=many,
            ),
            rule(
                "the total {what} of {of}",
                lambda what, of: PropertyOf(what, of),
                what=property_name,
                of=many,
            ),
            rule("{of}{what}", lambda of, what: PropertyOf(what, of), of=possessor, what=property_name),
            rule("the {what} of {of}", lambda what, of: PropertyOf(what, of), what=property_name, of=thing),
            rule(
                "your devotion to {colors}",
                lambda colors: Devotion(frozenset(colors)),
                colors=list_in_sentence(color_word),
            ),
            rule("twice {n}", lambda n: Times(2, n), n=quantity),
            rule("that much", ThatMuch),
            rule("X", X),
            digits,
        )
    )
)


def hand(who: Any) -> All:
    """The cards in somebody's hand."""
    return All(zones=frozenset({"hand"}), of=who)


past_objects = later()
each_of = one_of(
    rule(" for each {event} this turn", lambda event: event, event=past_objects),
    rule(
        " for each {kind} counter on {what}",
        lambda kind, what: PropertyOf("counters", what, kind),
        kind=counter_name,
        what=thing,
    ),
    rule(
        " for each {kinds} among {of}",
        lambda kinds, of: Count(of, kinds) if of.zones else None,
        kinds=kinds_counted,
        of=many,
    ),
    rule(" for each card in {whose}hand", lambda whose: Count(hand(whose)), whose=possessor),
    rule(" for each {what}{there}", counted_there, what=one, there=whether(ON_BATTLEFIELD)),
)
"""What an amount is multiplied by: "for each …"."""


def cards_and(what: str) -> Parser:
    """A number of what a word names: "a card", "two cards", "X cards", "that many cards"."""
    return one_of(
        rule(f"[a|an] {what}", lambda: 1),
        rule(f"{{n}} {plural(what)}", lambda n: n, n=number),
        rule(f"X {plural(what)}", X),
        rule(f"that many {plural(what)}", ThatMuch),
    )


def times(n: int, unit: Any) -> Any:
    """A number for each of something."""
    return unit if n == 1 else Times(n, unit)


def with_tail(n: Any, each: Any) -> Any:
    """A number for each of something."""
    return n if each is None else (times(n, each) if isinstance(n, int) else None)


# ------------------------------------------------------------------------------------ counters

one_pile = one_of(
    rule("{a}{kind} counter", lambda a, kind: Counters(kind), a=article, kind=counter_name),
    rule("{n} {kind} counters", lambda n, kind: Counters(kind, n), n=number, kind=counter_name),
    rule("X {kind} counters", lambda kind: Counters(kind, X()), kind=counter_name),
    rule("that many {kind} counters", lambda kind: Counters(kind, ThatMuch()), kind=counter_name),
)
pile = rule("{piles}", lambda piles: tuple(piles), piles=list_in_sentence(one_pile))


def counter_piles(counters: tuple[Counters, ...], each: Any) -> tuple[Counters, ...] | None:
    """Counters, a number for each of something."""
    if each is None:
        return counters
    if len(counters) != 1 or not isinstance(counters[0].n, int):
        return None
    return (Counters(counters[0].kind, times(counters[0].n, each)),)
