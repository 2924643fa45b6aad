"""Noun phrases, quantities and conditions.

A filter is a noun phrase ("tapped Goblin you control with flying") or, about a given object, a list of
predicates ("is a Goblin", "isn't tapped").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, assert_never, get_args

from msgspec.structs import replace

from conformance.wording.english import (
    IT,
    SUPERTYPES_IN_ORDER,
    THEY,
    TYPES_IN_ORDER,
    YOU,
    Form,
    Noun,
    Setting,
    Verb,
    belonging_to,
    color_words,
    conjugated,
    number,
    objective,
    plural,
    possessive,
    pronoun,
    series,
    subtypes_in_order,
    with_article,
    words_in_order,
)
from conformance.wording.kinds import (
    ANY,
    HISTORIC_KINDS,
    WORDS_FOR_ANY,
    only_keys,
    said_of_the_last,
    says_of_all,
)
from reference_engine.language.cards import (
    Activates,
    ActivePlayer,
    All,
    AnyEvent,
    AtLeast,
    Attached,
    Attacks,
    BecomesTarget,
    CastEvent,
    ChosenNumber,
    ChosenPlayer,
    ControllerOf,
    Count,
    DefendingPlayer,
    Devotion,
    Dies,
    Discards,
    Draws,
    Enters,
    Everyone,
    Filter,
    GainsLife,
    HowOften,
    It,
    Leaves,
    LosesLife,
    Monarch,
    Opponents,
    Others,
    OwnerOf,
    Plays,
    PropertyOf,
    PutIntoGraveyard,
    Quantity,
    Sacrifices,
    Selector,
    SourceOf,
    Sum,
    ThatMuch,
    The,
    This,
    Times,
    TriggerEvent,
    X,
    You,
)
from reference_engine.language.subtypes import SubtypeKind
from reference_engine.language.words import (
    ALL_CREATURE_TYPES,
    CHOSEN_COLOR,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    SPECIAL_SUBTYPES,
    Zone,
    kind_of_subtype,
)

# --------------------------------------------------------------------------------------- who

PlaceNoun = Literal["permanent", "spell", "card", "object", "source"]
PLACES: dict[Zone, PlaceNoun] = {"battlefield": "permanent", "stack": "spell"}
ZONE_NAMES: tuple[Zone, ...] = get_args(Zone)
OUTSIDE: tuple[Zone, ...] = ("hand", "library", "graveyard", "exile", "command")


def noun(who: Selector, setting: Setting, form: Form = "all") -> Noun:
    """The noun for a selector at this point of the text."""
    spoken = setting.said.get(who)
    if spoken is not None:
        return spoken
    match who:
        case All():
            return group(who, setting, form)
        case This():
            return Noun("this permanent")
        case Attached():
            return Noun("attached permanent")
        case It():
            return Noun("it")
        case The(name):
            return Noun(f"the {name.replace('_', ' ')}")
        case You():
            return YOU
        case Opponents():
            owner = possessive(noun(You(), setting))
            return players("opponent", f"{owner} opponents", form)
        case Everyone():
            return players("player", "all players", form)
        case ActivePlayer():
            return player("the active player")
        case DefendingPlayer():
            return player("defending player")
        case ChosenPlayer():
            return player("the chosen player")
        case Monarch():
            return player("the monarch")
        case ControllerOf(of):
            return holder(noun(of, setting), "controller")
        case OwnerOf(of):
            return holder(noun(of, setting), "owner")
        case SourceOf(of):
            return Noun(belonging_to(noun(of, setting), "source"), long=True)
        case Others():
            return other_players(noun(You(), setting), form)
        case _:
            assert_never(who)


def object_of(what: Selector, setting: Setting, form: Form = "all") -> str:
    """A selector as the object of a verb."""
    return objective(noun(what, setting, form))


def noun_with_origin(thing: Noun) -> str:
    """An object with the place it is taken from: "a creature card from your hand"."""
    before, found, place = thing.text.rpartition(" in ")
    return f"{before} from {place}" if found and thing.zone in OUTSIDE else objective(thing)


def player(text: str) -> Noun:
    """The noun for one player."""
    return Noun(text, person="player", head="player")


def players(one: str, all_of_them: str, form: Form) -> Noun:
    """The noun for several players, in one of the forms."""
    texts: dict[Form, str] = {
        "some": with_article(one),
        "each": f"each {one}",
        "all": all_of_them,
        "subject": all_of_them.removeprefix("all "),
        "one": one,
        "many": all_of_them.removeprefix("all "),
    }
    return replace(player(texts[form]), many=form in ("all", "subject", "many"))


ANYTHING = "permanent or player"
"""How to refer again to "any target"."""


def other_players(but: Noun, form: Form) -> Noun:
    """All players except one."""
    if but.person == "you":
        others = players("other player", "all other players", form)
        return replace(others, text="another player") if form == "some" else others
    everyone = players("player", "all players", form)
    return replace(everyone, text=f"{everyone.text} other than {objective(but)}", long=True)


def holder(thing: Noun, role: str) -> Noun:
    """The controller or owner of an object."""
    if thing.person != "thing":
        return thing
    if thing.head == ANYTHING and thing.text.startswith("that "):
        return player(f"that player or that permanent's {role}")
    return Noun(
        belonging_to(thing, plural(role) if thing.many else role), thing.many, "player", "player", thing.long
    )


def group(who: All, setting: Setting, form: Form) -> Noun:
    """All objects of a description, in one of the forms: "each other non-Aura enchantment"."""
    if is_this_alone(who):
        return this_alone(who, setting)
    several = form in ("all", "subject", "many")
    if any(is_this_alone(one) and but_for_itself(one) == ANY for one in who.any_of):
        return this_or_other(who, setting, form)
    found = list(places(who, setting, several))
    head = head_of(who)
    zone: Zone = next((zone for zone in ZONE_NAMES if zone in who.zones), "battlefield")
    if who.same_as is not None and plain_filter(who) == Filter(same_as=who.same_as):
        return noun(who.same_as, setting)
    if who.top:
        return replace(top_card(who, setting), head=head, zone=zone)
    described = [(describe(who, setting, place), where) for place, where in found]
    phrases = [what.phrase(several) + where for what, where in described]
    text = series(phrases, "and" if several else "or")
    bare = phrases == [what.noun(several) for what, _ in described]
    if form == "some":
        text = with_article(text)
    elif form in ("each", "all"):
        text = f"{form} {text}"
    elif form == "subject" and (
        bare or len(found) > 1 if setting.manner.every is None else setting.manner.every
    ):
        text = f"all {text}"
    return Noun(text, several, head=head, long=not bare, zone=zone, yours=isinstance(who.of, You))


OTHER = Filter(other_than=This())


def is_this_alone(who: Filter) -> bool:
    """Whether a filter matches only the object itself."""
    return who.same_as == This() or OTHER in who.without


def this_alone(who: All, setting: Setting) -> Noun:
    """The object itself, if it fits the description: "this land", "this land if it's untapped"."""
    this = noun(This(), setting)
    wanted = but_for_itself(who)
    if wanted == ANY:
        return this
    said = clause_about(pronoun(this), predicates(wanted, pronoun(this), setting, "permanent"))
    return replace(this, text=f"{this.text} if {said}", long=True)


def but_for_itself(who: Filter) -> Filter:
    """The rest of a filter, without the requirement of being the object itself."""
    without = tuple(other for other in who.without if other != OTHER)
    same_as = None if who.same_as == This() else who.same_as
    return replace(plain_filter(who), same_as=same_as, without=without)


def this_or_other(who: All, setting: Setting, form: Form) -> Noun:
    """The object itself or others: "this creature or another creature you control"."""
    rest = tuple(one for one in who.any_of if not is_this_alone(one) or but_for_itself(one) != ANY)
    only = rest[0] if len(rest) == 1 and replace(plain_filter(who), any_of=()) == ANY else None
    wanted = only or replace(plain_filter(who), any_of=rest)
    keys = {key: getattr(wanted, key) for key in wanted.__struct_fields__}
    others = group(All(**{**keys, "other_than": This()}, zones=who.zones, of=who.of), setting, form)
    word = "and" if others.many else "or"
    return replace(others, text=f"{noun(This(), setting).text} {word} {others.text}", long=True)


def places(who: All, setting: Setting, several: bool) -> Iterator[tuple[PlaceNoun, str]]:
    """The zones of a group: the noun for objects there, and the words for the zone."""
    outside = [zone for zone in OUTSIDE if zone in who.zones]
    if outside:
        everywhere = len(outside) == len(OUTSIDE) and who.of is None
        if who.put_by is not None and who.zones == {"exile"}:
            # "exiled with it" already says where they are.
            yield "card", ""
            return
        also = " or the stack" if everywhere and not who.zones & {"stack", "battlefield"} else ""
        yield "card", f" {whereabouts(outside, who.of, setting, several)}{also}"
    whose = "" if who.of is None else f" {holds(noun(who.of, setting, 'all' if several else 'some'), 'own')}"
    if "stack" in who.zones and not (len(outside) == len(OUTSIDE) and "battlefield" not in who.zones):
        yield "spell", whose
    if "battlefield" in who.zones or not who.zones:
        yield "permanent", whose


def whereabouts(zones: Sequence[Zone], of: Selector | None, setting: Setting, several: bool) -> str:
    """Where cards are: "in your graveyard", "in exile", "that aren't on the battlefield"."""
    whose = None if of is None else noun(of, setting, "all" if several else "some")
    if whose is None and len(zones) == len(OUTSIDE):
        return f"that {'are' if several else 'is'}n't on the battlefield"
    hidden = [zone for zone in zones if zone in ("hand", "library", "graveyard")]
    said = []
    if hidden and whose is None:
        some = with_article(series(hidden, "or"))
        said.append(f"in all {series(map(plural, hidden))}" if several else f"in {some}")
    elif hidden and whose is not None:
        word = "and" if several else "or"
        said.append(f"in {belonging_to(whose, series(map(plural, hidden) if whose.many else hidden, word))}")
    for zone, where in (("exile", "in exile"), ("command", "in the command zone")):
        if zone in zones:
            owned_by = "" if whose is None else f"owned by {objective(pronoun(whose) if said else whose)} "
            said.append(owned_by + where)
    return series(said, "and" if several else "or")


def holds(who: Noun, verb: str) -> str:
    """A relative clause without "that": "you control", "its owner owns"."""
    return f"{who.text} {conjugated(verb, who)}"


def top_card(who: All, setting: Setting) -> Noun:
    """The top card of a library or graveyard, if it is as described."""
    zones = series(words_in_order(who.zones, OUTSIDE))
    whose = f"each player's {zones}" if who.of is None else belonging_to(noun(who.of, setting, "each"), zones)
    wanted = plain_filter(who)
    said = f"the top card of {whose}"
    if wanted != ANY:
        it = Noun("it", zone="graveyard")
        said += f" if {clause_about(it, predicates(wanted, it, setting, 'card'))}"
    return Noun(said, long=True)


def plain_filter(who: Filter) -> Filter:
    """The filter without the zone."""
    return Filter(**{key: getattr(who, key) for key in Filter.__struct_fields__})


class Description(NamedTuple):
    """The parts of a noun phrase, for one thing and for several."""

    before: str
    one: str
    many: str
    behind: Callable[[bool], str]
    """What follows the noun, in plural or singular."""

    def noun(self, several: bool) -> str:
        """The noun alone."""
        return self.many if several else self.one

    def phrase(self, several: bool) -> str:
        """The phrase without article: "tapped Goblin you control with flying"."""
        return " ".join(filter(None, (self.before, self.noun(several), self.behind(several))))


def names_a_kind(wanted: Filter) -> bool:
    """Whether a filter is a noun by itself: "basic land", "Goblin"."""
    return bool(kind_words(wanted)) and only_keys(wanted, "type", "subtype", "supertype")


def is_other(who: Selector, setting: Setting) -> bool:
    """Whether "other" is enough to exclude this object, or one mentioned before."""
    return isinstance(who, This) or (isinstance(who, The | It) and who in setting.said)


def describe(wanted: Filter, setting: Setting, place: PlaceNoun = "permanent") -> Description:
    """A filter as a noun phrase."""
    all_have = says_of_all(wanted)
    wanted = said_of_the_last(wanted)
    word = WORDS_FOR_ANY.get(wanted.any_of, "")
    if word == "permanent" and place not in ("card", "spell"):
        word = ""
    wanted = replace(wanted, any_of=()) if word else wanted
    kinds = [other for other in wanted.any_of if names_a_kind(other)]
    states = [other for other in wanted.any_of if is_adjective(other)]
    of_kinds = bool(kinds) and len(kinds) == len(wanted.any_of) and not all_have
    of_states = bool(states) and len(states) == len(wanted.any_of)
    words = kind_words(wanted)
    if word == "permanent":
        words = [*words, word]
    if word == "outlaw":
        words = [word, *words]
    suffix = "token" if wanted.token and place == "permanent" else place
    if suffix != "permanent" or not (words or of_kinds):
        words = [*words, suffix]
    if word == "outlaw" and suffix == "permanent" and words[-1] == "permanent":
        words.pop()
    one, many = " ".join(words), plural(" ".join(words))
    if of_kinds:
        named = [" ".join([*super_words(other), *kind_words(other)]) for other in wanted.any_of]
        one = f"{series(named, 'or')} {one}" if words else series(named, "or")
        many = f"{series(named)} {many}" if words else series(map(plural, named))
    before = adjectives(wanted, place)
    other = wanted.other_than is not None and is_other(wanted.other_than, setting)
    if other and not setting.manner.apart:
        before = f"other {before}".strip()
    if word == "historic":
        before = f"{before} historic".strip()
    if of_states:
        before = f"{before} {series((adjectives(other, place) for other in wanted.any_of), 'or')}".strip()

    def behind(several: bool) -> str:
        return " ".join(qualities(wanted, setting, place, several, with_any_of=not (of_kinds or of_states)))

    return Description(before, one, many, behind)


def kind_words(wanted: Filter) -> list[str]:
    """Subtypes and card types as words of a noun phrase; chosen types come later."""
    subtypes = [word for word in subtypes_in_order(wanted.subtype) if word not in SPECIAL_SUBTYPES]
    return [*subtypes, *map(str.lower, words_in_order(wanted.type, TYPES_IN_ORDER))]


def super_words(wanted: Filter) -> list[str]:
    """Supertypes as adjectives."""
    return [word.lower() for word in words_in_order(wanted.supertype, SUPERTYPES_IN_ORDER)]


def head_of(wanted: Filter, place: PlaceNoun = "permanent") -> str:
    """The short name of an object of this description."""
    if place != "permanent":
        return place
    if wanted.type:
        return words_in_order(wanted.type, TYPES_IN_ORDER)[-1].lower()
    own = [word for word in wanted.subtype if word not in SPECIAL_SUBTYPES]
    heads = {subtype_head(word) for word in own} or {head_of(other) for other in wanted.any_of}
    if heads == {"creature", "planeswalker"}:
        return "creature or planeswalker"
    return heads.pop() if len(heads) == 1 else "permanent"


def subtype_head(subtype: str) -> str:
    """The short name of an object with this subtype."""
    return subtype if subtype in NAMED_BY_SUBTYPE else kind_spoken_of(subtype)


def kind_spoken_of(subtype: str) -> SubtypeKind:
    """The kind of subtype that a text means; a type to be chosen is a creature type."""
    return kind_of_subtype(subtype) or "creature"


NAMED_BY_SUBTYPE = ("Aura", "Equipment", "Vehicle", "Saga", "Class", "Case", "Room", "Fortification")


def states_of(wanted: Filter) -> tuple[str, ...]:
    """States of an object, in words."""
    said = (
        ("tapped", "untapped", wanted.tapped),
        ("attacking", "nonattacking", wanted.attacking),
        ("blocking", "nonblocking", wanted.blocking),
        ("unblocked", "blocked", wanted.unblocked),
        ("saddled", "unsaddled", wanted.saddled),
        ("face-down", "face-up", wanted.face_down),
        ("token", "nontoken", wanted.token),
        ("colorless", "colored", wanted.colorless),
        ("multicolored", "nonmulticolored", wanted.multicolored),
    )
    hosting = state_of_host(wanted)
    states = tuple(yes if flag else no for yes, no, flag in said if flag is not None)
    return states if hosting is None else (*states, hosting)


HOST_STATES: dict[Selector, str] = {
    All(subtype=frozenset({"Aura"})): "enchanted",
    All(subtype=frozenset({"Equipment"})): "equipped",
}
"""What a permanent is while such a permanent is attached to it (CR 303.4b, 301.5a)."""


def state_of_host(wanted: Filter) -> str | None:
    """The adjective for what has something attached to it, if there is one: "equipped"."""
    return None if wanted.host_of is None else HOST_STATES.get(wanted.host_of)


def adjectives(wanted: Filter, place: PlaceNoun) -> str:
    """What precedes the noun: "untapped nonbasic white"."""
    states = [word for word in states_of(wanted) if word != "token" or place != "permanent"]
    nons = ", ".join(non for non in map(non_word, wanted.without) if non)
    colors = wanted.color - {CHOSEN_COLOR}
    return " ".join(
        filter(None, [*states, nons, *super_words(wanted), color_words(colors) if colors else ""])
    )


STATE_KEYS = (
    "tapped",
    "attacking",
    "blocking",
    "unblocked",
    "saddled",
    "face_down",
    "host_of",
    "colorless",
    "multicolored",
    "supertype",
    "color",
)


def is_adjective(wanted: Filter) -> bool:
    """Whether a filter consists of adjectives only."""
    spoken = wanted.host_of is None or state_of_host(wanted) is not None
    return only_keys(wanted, *STATE_KEYS) and CHOSEN_COLOR not in wanted.color and spoken


def non_word(wanted: Filter) -> str:
    """What is excluded, in one word: "noncreature", "non-Aura"; empty if one word is not enough."""
    if only_keys(wanted, "token") and wanted.token:
        return "nontoken"
    for key in ("type", "subtype", "supertype", "color"):
        words: frozenset[str] = getattr(wanted, key)
        if only_keys(wanted, key) and len(words) == 1 and not words & {*SPECIAL_SUBTYPES, CHOSEN_COLOR}:
            (word,) = words
            return f"non-{word}" if key == "subtype" else f"non{word.lower()}"
    return ""


def qualities(
    wanted: Filter, setting: Setting, place: PlaceNoun, several: bool, with_any_of: bool = True
) -> Iterator[str]:
    """What follows the noun: "you control", "with flying", "that aren't red"."""
    it = THEY if several else IT
    form: Form = "all" if several else "some"
    roles = ((wanted.controller, "control"), (wanted.owner, "own"))
    if wanted.controller is not None and wanted.controller == wanted.owner:
        who = noun(wanted.controller, setting, form)
        yield f"{who.text} both {conjugated('own', who)} and {conjugated('control', who)}"
    else:
        for holding, verb in roles:
            if holding is not None:
                every = isinstance(holding, Opponents) and setting.manner.opponents
                done = "cast" if place == "spell" and setting.manner.casting else verb
                yield holds(noun(holding, setting, "all" if every else form), done)
    if CHOSEN_COLOR in wanted.color:
        yield f"of the {CHOSEN_COLOR}"
    if CHOSEN_TYPE in wanted.subtype:
        yield f"of the {CHOSEN_TYPE}"
    has = list(features(wanted, setting, it))
    if has:
        yield f"with {series(has)}"
    if NOT_YOURS in wanted.without:
        yield f"{noun(You(), setting).text} don't control"
    for other in wanted.without:
        if only_keys(other, "keyword"):
            yield f"without {series(words_in_order(other.keyword))}"
    yield from participles(wanted, setting, place)
    if wanted.name is not None:
        yield f"with the {CHOSEN_NAME}" if wanted.name == CHOSEN_NAME else f"named {wanted.name}"
    if wanted.same_as is not None:
        yield relative([f"{conjugated('are', it)} {objective(noun(wanted.same_as, setting))}"], "or")
    if wanted.shares_color_with is not None:
        yield relative([f"{conjugated('share', it)} a color with {shared_with(wanted, setting)}"], "or")
    if wanted.other_than is not None and (setting.manner.apart or not is_other(wanted.other_than, setting)):
        yield f"other than {objective(noun(wanted.other_than, setting))}"
    for other in wanted.without:
        if not non_word(other) and not only_keys(other, "keyword") and other != NOT_YOURS:
            yield relative(predicates(other, it, setting, place, negated=True), "or")
    if with_any_of and wanted.any_of and all(only_keys(other, "name") for other in wanted.any_of):
        yield f"named {series((other.name or '' for other in wanted.any_of), 'or')}"
    elif with_any_of and wanted.any_of and all(only_keys(other, "mana_cost") for other in wanted.any_of):
        yield f"with mana cost {series((other.mana_cost or '' for other in wanted.any_of), 'or')}"
    elif with_any_of and wanted.any_of:
        ways = [series(predicates(other, it, setting, place)) for other in wanted.any_of]
        yield relative(ways, "or")


NOT_YOURS = Filter(controller=You())
"""The filter for what "you don't control" excludes."""


def participles(wanted: Filter, setting: Setting, place: PlaceNoun) -> Iterator[str]:
    """What has happened to an object: "blocking or blocked by this creature"."""
    if wanted.in_combat_with is not None:
        yield f"blocking or blocked by {objective(noun(wanted.in_combat_with, setting, 'some'))}"
    if wanted.damaged_by is not None:
        yield f"dealt damage by {objective(noun(wanted.damaged_by, setting, 'some'))} this turn"
    if wanted.saddler_of is not None:
        yield f"that saddled {objective(noun(wanted.saddler_of, setting, 'some'))} this turn"
    if wanted.attached_to is not None:
        yield f"attached to {objective(noun(wanted.attached_to, setting, 'some'))}"
    if wanted.put_by is not None:
        yield f"{PUT[place]} with {objective(noun(wanted.put_by, setting, 'some'))}"


PUT: dict[PlaceNoun, str] = {
    "permanent": "put onto the battlefield",
    "card": "exiled",
    "spell": "put on the stack",
    "object": "put there",
    "source": "put there",
}
"""How an ability put an object there."""


def shared_with(wanted: Filter, setting: Setting) -> str:
    """The object with which a colour is shared."""
    return objective(noun(wanted.shares_color_with or This(), setting, "some"))


def relative(said: Iterable[str], word: str) -> str:
    """Verb phrases as a relative clause: "that's red or has flying"."""
    text = series(said, word)
    return f"that's {text.removeprefix('is ')}" if text.startswith("is ") else f"that {text}"


def features(wanted: Filter, setting: Setting, it: Noun) -> Iterator[str]:
    """What an object has: keywords, numbers, counters."""
    if ALL_CREATURE_TYPES in wanted.subtype:
        yield "every creature type"
    yield from ("a morph ability" if word == "morph" else word for word in words_in_order(wanted.keyword))
    numbers = (("power", wanted.power), ("toughness", wanted.toughness), ("mana value", wanted.mana_value))
    for what, asked in numbers:
        if asked is not None:
            parity = f"{with_article(asked.how)} {what}" if asked.how in ("even", "odd") else ""
            yield parity or f"{what} {required_number(asked.how, asked.n, setting)}"
    if wanted.mana_cost is not None:
        yield f"mana cost {wanted.mana_cost}"
    if wanted.host_of is not None and state_of_host(wanted) is None:
        yield f"{objective(noun(wanted.host_of, setting, 'some'))} attached to {objective(it)}"
    if wanted.counter is not None:
        counters = f"{wanted.counter} counters" if it.many else f"{with_article(wanted.counter)} counter"
        yield f"{counters} on {objective(it)}"
    if wanted.no_abilities is not None:
        yield "no abilities" if wanted.no_abilities else "one or more abilities"


def predicates(
    wanted: Filter, it: Noun, setting: Setting, place: PlaceNoun, negated: bool = False
) -> list[str]:
    """What a filter says about an object, as verb phrases; negated, any one of them is enough."""
    are = conjugated("aren't" if negated else "are", it)
    have = conjugated("don't" if negated else "have", it) + (" have" if negated else "")
    if wanted.any_of == HISTORIC_KINDS and only_keys(wanted, "any_of"):
        return [f"{are} historic"]
    if kind_words(wanted) or any(map(names_a_kind, wanted.any_of)):
        phrase = describe(wanted, setting, place).phrase(it.many)
        return [f"{are} {phrase if it.many else with_article(phrase)}"]
    nouns = {"token": "tokens" if it.many else "a token"}
    said = [f"{are} {nouns.get(word, word)}" for word in (*states_of(wanted), *super_words(wanted))]
    if wanted.color:
        said.append(f"{are} {color_words(wanted.color)}")
    if CHOSEN_TYPE in wanted.subtype:
        said.append(f"{are} of the {CHOSEN_TYPE}")
    for holding, verb in ((wanted.controller, "controlled"), (wanted.owner, "owned")):
        if holding is not None:
            said.append(f"{are} {verb} by {objective(noun(holding, setting, 'some'))}")
    said += [f"{have} {feature}" for feature in features(wanted, setting, it)]
    said += [f"{are} {happened}" for happened in participles(wanted, setting, place)]
    if wanted.name is not None:
        said.append(
            f"{have} the {CHOSEN_NAME}" if wanted.name == CHOSEN_NAME else f"{are} named {wanted.name}"
        )
    if wanted.shares_color_with is not None:
        share = conjugated("don't", it) + " share" if negated else conjugated("share", it)
        said.append(f"{share} a color with {shared_with(wanted, setting)}")
    for same, is_not in ((wanted.same_as, negated), (wanted.other_than, not negated)):
        if same is not None:
            said.append(f"{conjugated(negative('are', is_not), it)} {objective(noun(same, setting))}")
    all_of, one_of = ("or", "and") if negated else ("and", "or")
    if wanted.any_of:
        ways = [series(predicates(other, it, setting, place, negated), all_of) for other in wanted.any_of]
        said.append(series(ways, one_of))
    said += [series(predicates(other, it, setting, place, not negated), one_of) for other in wanted.without]
    return said or [f"{are} {plural(place) if it.many else with_article(place)}"]


def clause_about(it: Noun, said: Iterable[str], word: str = "and") -> str:
    """Verb phrases as a clause about an object."""
    text = series(said, word)
    return (
        f"it's {text.removeprefix('is ')}"
        if it.text == "it" and text.startswith("is ")
        else f"{it.text} {text}"
    )


# ---------------------------------------------------------------------------------- how much

MULTIPLES = {-1: "minus", 1: "one times", 2: "twice"}
SPOKEN_PROPERTIES = {"mana_value": "mana value", "life": "life total"}


def value(quantity: Quantity, setting: Setting) -> str:
    """A quantity as a noun phrase: "the number of creatures you control", "its power plus 1"."""
    match quantity:
        case int():
            return str(quantity)
        case X():
            return "X"
        case ChosenNumber():
            return "the chosen number"
        case Count(of, distinct):
            return count_of(of, distinct, setting)
        case PropertyOf():
            return property_of(quantity, setting)
        case Sum(parts):
            return sum_of(parts, setting)
        case Times(n, by):
            what = value(by, setting)
            if isinstance(by, Sum) and len(by.parts) > 1:
                what = f"the sum of {series(value(part, setting) for part in by.parts)}"
            return f"{MULTIPLES.get(n, f'{number(n)} times')} {what}"
        case ThatMuch():
            return "that amount"
        case Devotion(to):
            return f"{possessive(noun(You(), setting))} devotion to {color_words(to)}"
        case HowOften(event):
            return times_in_words(event, setting)
        case AtLeast(parts):
            values = [value(part, setting) for part in parts] or ["0"]
            most = "the greater of" if len(values) == 2 else "the greatest of"
            return values[0] if len(values) == 1 else f"{most} {series(values)}"
        case _:
            assert_never(quantity)


def count_of(of: Selector, distinct: str, setting: Setting) -> str:
    """The number of objects, or of different values among them."""
    among = group(of, setting, "many") if isinstance(of, All) else noun(of, setting)
    if distinct == "objects":
        return f"the number of {objective(among)}{somewhere(of)}"
    if distinct == "names":
        return f"the number of differently named {objective(among)}"
    kinds = distinct
    return f"the number of {kinds} among {objective(among)}"


def somewhere(of: Selector) -> str:
    """The words for a zone in which objects are counted, if nothing else says it."""
    match of:
        case All(zones=zones, top=False) if zones == {"battlefield"}:
            held = (of.controller, of.owner, of.of, of.attached_to)
            placed = (*held, of.attacking, of.blocking, of.tapped, of.in_combat_with)
            return "" if any(one is not None for one in placed) else " on the battlefield"
        case _:
            return ""


def property_of(quantity: PropertyOf, setting: Setting) -> str:
    """A number that objects have."""
    of = quantity.of
    whose = group(of, setting, "many") if isinstance(of, All) else noun(of, setting)
    several = whose.many and not (whose.person == "player" and whose.text == "they")
    greatest = several and quantity.over == "greatest"
    match quantity.what:
        case "counters":
            kind = f"{quantity.counter} counters" if quantity.counter else "counters"
            return f"the {'greatest ' if greatest else ''}number of {kind} on {objective(whose)}"
        case "damage":
            return f"the {'greatest ' if greatest else ''}damage marked on {objective(whose)}"
        case "hand_size":
            hand = belonging_to(whose, "hands" if several else "hand")
            return f"the {'greatest ' if greatest else ''}number of cards in {hand}"
        case what:
            named = SPOKEN_PROPERTIES.get(what, what)
            how = "greatest" if greatest else "total"
            if several:
                return f"the {how} {named} {'among' if greatest else 'of'} {objective(whose)}"
            return belonging_to(whose, named)


def sum_of(parts: tuple[Quantity, ...], setting: Setting) -> str:
    """A sum: "its power plus 1 minus the number of …"."""
    minus = [part for part in parts if isinstance(part, Times) and part.n < 0]
    plus = [value(part, setting) for part in parts if part not in minus] or ["0"]
    taken = [value(part.by if part.n == -1 else Times(-part.n, part.by), setting) for part in minus]
    return " minus ".join([" plus ".join(plus), *taken])


def required_number(how: str, n: Quantity, setting: Setting) -> str:
    """The required number: "2 or less", "equal to its toughness"."""
    if isinstance(n, int | X) and how not in (">", "<"):
        return value(n, setting) + {"=": "", ">=": " or greater", "<=": " or less"}[how]
    words = {"=": "equal to", ">=": "greater than or equal to", "<=": "less than or equal to"}
    words |= {">": "greater than", "<": "less than"}
    return f"{words[how]} {value(n, setting)}"


def for_each(quantity: Quantity, setting: Setting) -> tuple[int, str] | None:
    """A quantity as a number "for each" of something, if possible."""
    if setting.manner.letters:
        return None
    match quantity:
        case Count(All() as of, "objects"):
            return 1, f" for each {group(of, setting, 'one').text}{somewhere(of)}"
        case Count(All() as of, kinds) if kinds in KINDS_COUNTED:
            return 1, f" for each {KINDS_COUNTED[kinds]} among {group(of, setting, 'many').text}"
        case PropertyOf("counters", of, kind, "sum") if kind is not None and not isinstance(of, All):
            return 1, f" for each {kind} counter on {objective(noun(of, setting))}"
        case HowOften(event) if not isinstance(event, GainsLife | LosesLife | AnyEvent):
            return 1, f" for each {past_event_noun(event, setting, False)} this turn"
        case Times(n, Count() | PropertyOf() | HowOften() as by) if n > 0:
            unit = for_each(by, setting)
            return unit and (n, unit[1])
        case _:
            return None


KINDS_COUNTED = {"card types": "card type", "colors": "color", "basic land types": "basic land type"}
"""Values of which different ones are counted, in singular."""


def letter_and_meaning(quantity: Quantity, setting: Setting, letter: int = 0) -> tuple[str, str]:
    """A letter for a quantity, and its explanation."""
    name = setting.letters[letter % len(setting.letters)]
    return name, f", where {name} is {value(quantity, setting)}"


def number_with_explanation(
    quantity: Quantity, some: str, many: str, setting: Setting, letter: int = 0
) -> Verb:
    """A number of things, and an explanation: "two cards"; "a card" "for each Forest you control"."""
    if isinstance(quantity, ThatMuch):
        return Verb(f"that many {many}")
    if isinstance(quantity, int | X):
        words = "X" if isinstance(quantity, X) else number(quantity)
        return Verb(some if quantity == 1 else f"{words} {many}")
    equal = setting.manner.equal
    if equal is not None:
        if equal == "before" and many == "cards":
            return Verb(f"cards equal to {value(quantity, setting)}")
        return Verb(f"a number of {many}", f" equal to {value(quantity, setting)}")
    each = for_each(quantity, setting)
    if each is not None:
        return Verb(number_with_explanation(each[0], some, many, setting).text, each[1])
    name, tail = letter_and_meaning(quantity, setting, letter)
    return Verb(f"{name} {many}", tail)


def quantity_of_noun(quantity: Quantity, one: str, setting: Setting, letter: int = 0) -> Verb:
    """A number of what a word names."""
    return number_with_explanation(quantity, with_article(one), plural(one), setting, letter)


def amount_of(quantity: Quantity, what: str, setting: Setting) -> Verb:
    """An amount, and an explanation: "3 damage", "life equal to its toughness"."""
    match quantity:
        case int() | X():
            return Verb(f"{value(quantity, setting)} {what}")
        case ThatMuch():
            return Verb(f"that much {what}")
        case PropertyOf():
            return Verb(f"{what} equal to {value(quantity, setting)}")
        case _:
            if setting.manner.equal is not None:
                return Verb(f"{what} equal to {value(quantity, setting)}")
            each = for_each(quantity, setting)
            if each is not None and what == "life":
                return Verb(f"{each[0]} {what}", each[1])
            name, tail = letter_and_meaning(quantity, setting)
            return Verb(f"{name} {what}", tail)


def negative(verb: str, negated: bool) -> str:
    """An auxiliary verb, or its negation."""
    return f"{verb}n't" if negated else verb


def past_deed(who: Selector, past: str, what: str, setting: Setting, negated: bool = False) -> str:
    """What a player did this turn, in the past tense: "you gained life"."""
    if setting.manner.perfect or negated:
        return has_done(who, past, what, setting, negated)
    return f"{noun(who, setting, 'some').text} {past} {what}".strip()


def has_done(who: Selector, participle: str, what: str, setting: Setting, negated: bool) -> str:
    """What a player has done this turn: "you've cast another spell", "you haven't drawn a card"."""
    it = noun(who, setting, "some")
    if negated:
        not_yet = conjugated("haven't", it)
        return f"{it.text} {not_yet} {participle} {what}".strip()
    if it.person == "you":
        return f"you've {participle} {what}".strip()
    return f"{it.text} {conjugated('have', it)} {participle} {what}".strip()


def tag_of_event(event: TriggerEvent) -> str:
    """The word for an event for which there is no wording in the past tense."""
    return str(event.__struct_config__.tag).replace("_", " ")


PAST_VERBS: dict[type, tuple[str, str]] = {
    Attacks: ("attacked", "attack"),
    Enters: ("entered the battlefield", "enter the battlefield"),
    Leaves: ("left the battlefield", "leave the battlefield"),
    Dies: ("died", "die"),
    PutIntoGraveyard: ("was put into a graveyard from anywhere", "get put into a graveyard from anywhere"),
    BecomesTarget: ("became the target of a spell or ability", "become the target of a spell or ability"),
}


def past_verb(event: TriggerEvent, who: Selector, setting: Setting) -> str:
    """The past tense of an event: "died"; what is not a creature "was put into a graveyard"."""
    if isinstance(event, Dies) and noun(who, setting, "some").head != "creature":
        return "was put into a graveyard from the battlefield"
    if isinstance(event, PutIntoGraveyard) and isinstance(who, All) and who.of is not None:
        whose = possessive(noun(who.of, setting, "some"))
        return f"was put into {whose} graveyard from anywhere"
    if isinstance(event, Enters) and not isinstance(who, All):
        return "entered"
    return PAST_VERBS[type(event)][0]


def without_holder(who: All, event: TriggerEvent, setting: Setting) -> tuple[All, str]:
    """A group without the controller or owner that the verb accounts for, and the words for that player."""
    if isinstance(event, PutIntoGraveyard):
        return replace(who, of=None, zones=frozenset()), ""
    if who.controller is None or isinstance(event, Attacks):
        return who, ""
    whose = possessive(noun(who.controller, setting, "some"))
    return replace(who, controller=None), f" under {whose} control"


def past_event_noun(event: TriggerEvent, setting: Setting, several: bool) -> str:
    """What was done this turn as a noun phrase: "spells you've cast", "creature that died"."""
    form: Form = "many" if several else "one"
    match event:
        case CastEvent(what, by):
            return done_by(what, "spell", by, "cast", setting, several)
        case Plays(what, by):
            return done_by(what, "card", by, "played", setting, several)
        case Activates(who):
            done = has_done(who, "activated", ability_activated(event, setting), setting, False)
            return f"time{'s' if several else ''} {done}"
        case Draws(who):
            return done_by(ANY, "card", who, "drawn", setting, several)
        case Discards(who, what):
            return done_by(what or ANY, "card", who, "discarded", setting, several)
        case Sacrifices(who, what):
            return done_by(what, "permanent", who, "sacrificed", setting, several)
        case _ if type(event) not in PAST_VERBS:
            return f"event{'s' if several else ''} of the kind {tag_of_event(event)}"
        case _:
            who = getattr(event, event.__struct_fields__[0])
            verb = past_verb(event, who, setting)
            if not isinstance(who, All):
                return f"time{'s' if several else ''} {noun(who, setting).text} {verb}"
            free, whose = without_holder(who, event, setting)
            verb = verb.replace("was ", "were ", 1) if several else verb
            return f"{group(free, setting, form).text} that {verb}{whose}"


def ability_activated(event: Activates, setting: Setting, n: int = 1) -> str:
    """The abilities that somebody activates: "an ability of a creature that isn't a mana ability"."""
    loyalty = "loyalty " if event.only is not None else ""
    some = with_article(f"{loyalty}ability") if n == 1 else f"{number(n)} or more {loyalty}abilities"
    of = "" if event.of is None else f" of {object_of(event.of, setting, 'some')}"
    kinds = [word.removesuffix(" abilities") for word in sorted(event.but, reverse=True)]
    others = ""
    if kinds and n == 1:
        others = f" that isn't {with_article(series(kinds, 'or'))} ability"
    elif kinds:
        others = f" that aren't {series(kinds, 'or')} abilities"
    return f"{some}{of}{others}"


def done_by(what: Filter, place: PlaceNoun, by: Selector, verb: str, setting: Setting, several: bool) -> str:
    """Objects to which somebody did something this turn: "spells you've cast"."""
    it = noun(by, setting, "some")
    has = "you've" if it.person == "you" else f"{it.text} {conjugated('have', it)}"
    return f"{describe(what, setting, place).phrase(several)} {has} {verb}"


def times_in_words(event: TriggerEvent, setting: Setting) -> str:
    """How often something happened this turn, or how much life was gained or lost."""
    match event:
        case GainsLife(who) | LosesLife(who):
            verb = "gained" if isinstance(event, GainsLife) else "lost"
            return f"the amount of life {past_deed(who, verb, '', setting)} this turn"
        case AnyEvent(()):
            return "zero"
        case AnyEvent(events):
            return series(times_in_words(one, setting) for one in events)
        case _:
            return f"the number of {past_event_noun(event, setting, True)} this turn"
