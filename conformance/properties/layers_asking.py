"""Laws of the moment at which effects look at the board: what an effect finds as it begins, the value of a
number at that point, effects that could not begin, and effects that had to wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec import UNSET
from msgspec.structs import replace

from conformance.model.engine import CannotPlay
from conformance.properties.law import PlayFunction, Property, holds_for
from conformance.properties.layers_dependency import adds, born, creatures_with
from conformance.properties.seeing import (
    COLOR_KEYS,
    KEYWORD_KEYS,
    SIZE,
    SUBTYPE_KEYS,
    expect,
    expect_equal,
    looks_at_end,
    looks_by_name,
    seen_player,
)
from conformance.properties.small_boards import (
    Deal,
    board_with,
    by_means,
    deals,
    entered_in,
    fitting,
    of_invented,
    with_actions,
    with_card_in,
    with_entry,
    with_spell,
)
from conformance.strategies.cards import (
    CREATURES,
    DRAWN_CREATURE_TYPES,
    DRAWN_KEYWORDS,
    EXILE,
    NONBASIC,
    TARGET,
    all_of,
    color,
    creature,
    creatures_of,
    hosts,
    in_any_order,
    instant,
    land_type,
    one,
    permanent,
    sizes,
    two_of,
    word,
)
from conformance.strategies.draws import composite
from conformance.strategies.means import Means
from reference_engine.language.actions import CastAction, Look, Resolve, Settle
from reference_engine.language.cards import (
    AddTypes,
    All,
    Base,
    CannotHave,
    Card,
    Comparison,
    Counters,
    Defines,
    Effect,
    Enters,
    Gain,
    GainLife,
    HandSize,
    It,
    Keyword,
    Lose,
    LoseAllAbilities,
    Modify,
    Operation,
    Opponents,
    PropertyOf,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    Spell,
    TargetSpec,
    Triggered,
    You,
)
from reference_engine.language.words import COLORS, CardType

ARTIFACTS = All(type=one("Artifact"))
TURNS = (Deal(), Deal(seats=("bob", "alice")), Deal(turn="bob"))


class KeywordCounterCase(NamedTuple):
    """A keyword counter, what takes the keyword, and whether that is the newer of the two."""

    keyword: Any
    takes: Operation
    taken_last: bool
    host: CardType
    deal: Deal


@composite
def keyword_counter_cases(draw: DrawFn) -> KeywordCounterCase:
    """A counter of some keyword, and the loss of all abilities or of that one."""
    keyword = draw(word)
    losses: tuple[Operation, ...] = (LoseAllAbilities(), Lose(one(keyword)))
    takes = draw(st.sampled_from(losses))
    return KeywordCounterCase(keyword, takes, not draw(st.booleans()), draw(hosts), draw(deals))


@holds_for(
    of_invented(keyword_counter_cases()),
    rules=("613.7c", "122.1b", "613.1f"),
    needs=("abilities", "counters"),
)
def a_keyword_counter_is_as_old_as_it_was_put(play: PlayFunction, case: KeywordCounterCase) -> None:
    """A keyword counter grants its keyword with its own timestamp: an effect that removes abilities removes
    it only if that effect is newer.
    """
    board = board_with(
        ("bear", creature(2, 2)), ("taker", permanent("Taker", case.takes, host=case.host)), deal=case.deal
    )
    counted = with_entry(board, "bear", counters=(Counters(case.keyword, 1),))
    because = "CR 613.7c: a counter is as old as its being put (CR 122.1b: it gives its keyword in layer 6)"
    shows = frozenset() if case.taken_last else one(case.keyword)
    looks = looks_at_end(
        play, entered_in(counted, (0, 1) if case.taken_last else (1, 0)), KEYWORD_KEYS, ["bear"]
    )
    expect(looks, "bear", because, keywords=shows)


class MeasuredCreature(NamedTuple):
    """A creature, an effect as large as something of that creature's, what came before it, and the result."""

    cards: tuple[tuple[str, Card], ...]
    counters: int
    power: int
    toughness: int
    deal: Deal


@composite
def measured_creatures(draw: DrawFn, means: Means) -> MeasuredCreature:
    """Bigger by its own toughness, or as large as its own mana value; with +1/+1 counters or without."""
    (power, toughness), n = draw(sizes), draw(st.integers(1, 3))
    counters = draw(st.integers(0, 2)) if means.allow("counters") else 0
    its_toughness = Modify(PropertyOf("toughness", It()), 0)
    its_cost = Base(PropertyOf("mana_value", It()), PropertyOf("mana_value", It()))
    size = (power + toughness + 2 * counters, toughness + counters)
    rows: tuple[tuple[tuple[str, ...], tuple[Operation, int, int]], ...] = (
        (("anthems",), (its_toughness, *size)),
        (("set power and toughness",), (its_cost, n + counters, n + counters)),
    )
    does, *shows = draw(fitting(means, *rows))
    bear = creature(power, toughness, cost=f"{{{n}}}")
    cards = (("bear", bear), ("measure", permanent("Measure", does, host=draw(hosts))))
    return MeasuredCreature(cards, counters, shows[0], shows[1], draw(deals))


@holds_for(
    by_means(measured_creatures, ("anthems",), ("set power and toughness",)),
    rules=("613.4", "613.4b", "613.4c"),
)
def a_number_is_that_of_what_it_is_done_to(play: PlayFunction, case: MeasuredCreature) -> None:
    """An effect whose size depends on the object it affects uses that object's current characteristics,
    counters included.
    """
    board = board_with(*case.cards, deal=case.deal)
    if case.counters:
        board = with_entry(board, "bear", counters=(Counters("+1/+1", case.counters),))
    because = "CR 613.4c: the older counters are in by then, and the number is the affected creature's own"
    looks = looks_at_end(play, board, SIZE, ["bear"])
    expect(looks, "bear", because, power=case.power, toughness=case.toughness)


@composite
def numberless(draw: DrawFn) -> tuple[tuple[int, int], bool, Deal]:
    """A bonus, and whether that is newer than what makes artifacts creatures."""
    bonus = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    return bonus, draw(st.booleans()), draw(deals)


@holds_for(of_invented(numberless()), rules=("208.5", "613.4c"), needs=("types", "anthems"))
def a_creature_without_numbers_begins_at_nothing(
    play: PlayFunction, case: tuple[tuple[int, int], bool, Deal]
) -> None:
    """A permanent that becomes a creature without power and toughness is a 0/0 before other effects modify
    it.

    Every broken engine of ours has 0 there; it exists for engines that tell no value from 0, and cannot add
    to it.
    """
    (power, toughness), bonus_last, deal = case
    cards = [
        ("waker", permanent("Waker", AddTypes(types=one("Creature")), affects=ARTIFACTS)),
        ("anthem", permanent("Anthem", Modify(power, toughness))),
    ]
    relic = ("relic", permanent("Relic", host="Artifact"))
    board = board_with(*(cards if bonus_last else cards[::-1]), relic, deal=deal)
    because = "CR 208.5: a creature that has no value for its power or toughness has 0"
    looks = looks_at_end(play, board, SIZE, ["relic"])
    expect(looks, "relic", because, power=power, toughness=toughness)


class BeginningEffect(NamedTuple):
    """An effect in two layers, what makes things such as it is about, and how one of them looks."""

    cards: tuple[tuple[str, Card], ...]
    shows: dict[str, Any]
    deal: Deal


@composite
def latecomers(draw: DrawFn, means: Means) -> BeginningEffect:
    """A creature that becomes such as an effect is about in its first layer, once it was applied there."""
    more = draw(st.integers(1, 3))
    kind = draw(
        fitting(means, (("types",), "subtypes"), (("abilities",), "keywords"), (("colours",), "colors"))
    )
    words: tuple[Any, ...] = {"subtypes": DRAWN_CREATURE_TYPES, "keywords": DRAWN_KEYWORDS}.get(kind, COLORS)
    a, b, c, d = draw(in_any_order(words))[:4]
    cards = (
        ("bear", born(kind, a)),
        ("begun", permanent("Begun", adds(kind, d), Modify(more, more), affects=creatures_with(kind, c))),
        ("first", permanent("First Link", adds(kind, b), affects=creatures_with(kind, a))),
        ("second", permanent("Second Link", adds(kind, c), affects=creatures_with(kind, b))),
    )
    return BeginningEffect(cards, {kind: frozenset({a, b, c}), "power": 2, "toughness": 2}, draw(deals))


@holds_for(
    by_means(latecomers, ("types",), ("abilities",), ("colours",)),
    rules=("613.6", "613.8a", "613.8c"),
    needs=("anthems",),
)
def what_an_effect_did_not_begin_with_it_never_reaches(play: PlayFunction, case: BeginningEffect) -> None:
    """An effect in several layers never affects an object that comes to match its description only after its
    first layer.
    """
    board = board_with(*case.cards, deal=case.deal)
    looks = looks_at_end(play, board, frozenset(case.shows), ["bear"])
    because = "CR 613.6: it began before there was a creature that it is about, and goes on with nobody"
    expect(looks, "bear", because, **case.shows)


@composite
def newcomers(draw: DrawFn, means: Means) -> BeginningEffect:
    """An artifact that is a creature by an effect, and an effect on creatures whose first layer comes after
    that.
    """
    (power, toughness), more = draw(sizes), draw(st.integers(1, 3))
    given, dyed = draw(word), draw(color)
    rows: tuple[tuple[tuple[str, ...], tuple[Operation, dict[str, Any]]], ...] = (
        (("abilities",), (Gain((Keyword(given),)), {"keywords": one(given)})),
        (("colours",), (SetColors(one(dyed)), {"colors": one(dyed)})),
    )
    first, shows = draw(fitting(means, *rows))
    wakes = permanent("Waker", AddTypes(types=one("Creature")), Base(power, toughness), affects=ARTIFACTS)
    works = permanent("Worker", first, Modify(more, 0), host=draw(st.sampled_from(("Enchantment", "Land"))))
    cards = [("waker", wakes), ("worker", works)]
    return BeginningEffect(
        (("relic", permanent("Relic", host="Artifact")), *draw(in_any_order(cards))),
        {**shows, "power": power + more, "toughness": toughness},
        draw(deals),
    )


@holds_for(
    by_means(newcomers, ("abilities",), ("colours",)),
    rules=("613.6", "613.1d"),
    needs=("types", "anthems", "set power and toughness"),
)
def an_effect_begins_with_what_is_such_by_then(play: PlayFunction, case: BeginningEffect) -> None:
    """An effect in several layers affects, in all of them, the objects that match its description by its
    first layer.
    """
    board = board_with(*case.cards, deal=case.deal)
    looks = looks_at_end(play, board, frozenset(case.shows), ["relic"])
    because = "CR 613.6: it begins after layer 4 (CR 613.1d: and by then this is a creature)"
    expect(looks, "relic", because, **case.shows)


class TooLate(NamedTuple):
    """What is given to a creature together with an ability, and how it looks all the same."""

    gift: Gain
    by_spell: bool
    subtype: str
    deal: Deal


@composite
def late_gifts(draw: DrawFn, means: Means) -> TooLate:
    """Changeling, or an ability in quotes that says what colour or of what type its creature is."""
    own, other = draw(two_of(DRAWN_CREATURE_TYPES))
    dyes = Defines((SetColors(one(draw(color))),))
    types = Defines((SetCreatureTypes(one(other)),))
    rows: tuple[tuple[tuple[str, ...], Gain], ...] = (
        ((), Gain((Keyword("changeling"),))),
        (("colours", "characteristic-defining abilities"), Gain((dyes,))),
        (("types", "characteristic-defining abilities"), Gain((types,))),
    )
    gift = draw(fitting(means, *rows))
    by_spell = means.allow("casting", "targets") and draw(st.booleans())
    return TooLate(gift, by_spell, own, draw(st.sampled_from(TURNS)))


@holds_for(
    by_means(late_gifts, ("abilities",)), rules=("613.1f", "613.1d", "613.1e", "604.3a"), needs=("abilities",)
)
def what_a_gained_ability_says_of_types_comes_too_late(play: PlayFunction, case: TooLate) -> None:
    """A creature that gains an ability that would change its type or colour keeps its type and colour.

    It exists for engines that go back to an earlier layer. The creature gains another ability, too, which
    shows that it gains any.
    """
    bear = creature(2, 2, case.subtype)
    gifts = (case.gift, Gain((Keyword("vigilance"),)))
    if case.by_spell:
        board = with_spell(
            board_with(("bear", bear), deal=case.deal), "gift", instant("Gift", *gifts), "bear"
        )
    else:
        board = board_with(("bear", bear), ("gift", permanent("Gift", *gifts)), deal=case.deal)
    because = (
        "CR 613.1f: abilities are gained in layer 6 (CR 613.1d: types are settled by then, and CR 613.1e: so "
        "are colours; CR 604.3a: what is gained does not define)"
    )
    looks = looks_at_end(play, board, SUBTYPE_KEYS | COLOR_KEYS | KEYWORD_KEYS, ["bear"])
    expect(looks, "bear", because, subtypes=one(case.subtype), colors=frozenset())
    words = frozenset(word.keyword for gift in gifts for word in gift.abilities if isinstance(word, Keyword))
    expect(looks, "bear", "CR 613.1f: it gains both abilities", keywords=words)


@composite
def lost_rules(draw: DrawFn, means: Means) -> tuple[CardType, HandSize, Operation, All, Deal]:
    """A permanent that changes its controller's maximum hand size, and what takes its ability."""
    rule = draw(st.sampled_from((HandSize("none"), HandSize("set", 2))))
    rows: tuple[tuple[tuple[str, ...], tuple[CardType, Operation, All]], ...] = (
        (("abilities",), ("Artifact", LoseAllAbilities(), ARTIFACTS)),
        (("types",), ("Land", SetBasicLandTypes(one(draw(land_type))), all_of(NONBASIC))),
    )
    host, takes, whom = draw(fitting(means, *rows))
    return host, rule, takes, whom, draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")))))


@holds_for(by_means(lost_rules, ("abilities",), ("types",)), rules=("613.11", "613.1f", "305.7", "402.2"))
def a_changed_rule_ends_with_its_ability(
    play: PlayFunction, case: tuple[CardType, HandSize, Operation, All, Deal]
) -> None:
    """A permanent that changes a player's maximum hand size stops doing so once it has lost that ability."""
    host, rule, takes, whom, deal = case
    pockets = ("pockets", permanent("Pockets", rule, affects=You(), host=host))
    taker = ("taker", permanent("Taker", takes, affects=whom))
    because = (
        "CR 613.11: rules are changed after all objects are settled (CR 613.1f, CR 305.7: its ability is "
        "gone by then, and CR 402.2: the maximum is seven)"
    )
    as_said = None if rule.how == "none" else rule.n
    for cards, expected in (((pockets,), as_said), ((pockets, taker), 7)):
        shown = seen_player(play, board_with(*cards, deal=deal), "alice", frozenset({"hand_size"})).hand_size
        if shown is UNSET:
            raise CannotPlay("it does not show hand_size of alice")
        expect_equal(expected, shown, "alice", "hand_size", "", because)


class Arriving(NamedTuple):
    """What waits for something to enter, what makes the newcomer such, how that shows, and whether it is
    there.
    """

    watcher: Card
    maker: Card
    shows: tuple[str, Any]
    met: bool
    deal: Deal


@composite
def arriving(draw: DrawFn, means: Means) -> Arriving:
    """A size, a colour or a type that a creature has only by an effect."""
    n, dyed = draw(st.integers(1, 3)), draw(color)
    strong = All(type=one("Creature"), power=Comparison(">=", 2 + n))
    zombie, artifact = SetCreatureTypes(one("Zombie")), AddTypes(types=one("Artifact"))
    rows: tuple[tuple[tuple[str, ...], tuple[All, Operation, tuple[str, Any]]], ...] = (
        (("anthems",), (strong, Modify(n, n), ("power", 2 + n))),
        (
            ("colours",),
            (All(type=one("Creature"), color=one(dyed)), SetColors(one(dyed)), ("colors", one(dyed))),
        ),
        (("types",), (creatures_of("Zombie"), zombie, ("subtypes", one("Zombie")))),
        (("types",), (ARTIFACTS, artifact, ("types", frozenset({"Artifact", "Creature"})))),
    )
    whom, does, shown = draw(fitting(means, *rows))
    watches = Triggered(Enters(whom), (GainLife(1),), name="watch")
    watcher = replace(permanent("Watcher"), abilities=(watches,))
    maker, met = permanent("Maker", does), not draw(st.booleans())
    return Arriving(watcher, maker, shown, met, draw(st.sampled_from(TURNS)))


@holds_for(
    by_means(arriving, ("anthems",), ("colours",), ("types",)),
    rules=("603.6b", "611.3c"),
    needs=("triggers", "casting", "steps"),
)
def what_enters_triggers_as_what_it_is_there(play: PlayFunction, case: Arriving) -> None:
    """An ability that waits for something of a size, colour or type to enter sees it as the effects on the
    battlefield make it.

    All broken engines look at it when it is there; it exists for engines that look at its card.
    """
    deal = case.deal._replace(controllers=("alice",))
    cards = [("watcher", case.watcher), *([("maker", case.maker)] if case.met else [])]
    board = with_card_in(board_with(*cards, deal=deal), "hand", "bear", creature(2, 2, "Elf"), deal.turn)
    story = with_actions(board, CastAction("bear", deal.turn), Resolve("bear"), Settle())
    life = seen_player(play, story, "alice", frozenset({"life"})).life
    if life is UNSET:
        raise CannotPlay("it does not show life of alice")
    because = "CR 603.6b: effects count from the moment at which it is there (CR 611.3c: it never is without)"
    expect_equal(21 if case.met else 20, life, "alice", "life", "", because)
    if case.met:
        key, value = case.shows
        because = "CR 611.3c: the effect applies to what enters from the moment at which it is there"
        expect(looks_at_end(play, story, frozenset({key}), ["bear"]), "bear", because, **{key: value})


@composite
def impossible_keywords(draw: DrawFn) -> tuple[Any, bool, Deal]:
    """A keyword that no creature can have, whether a spell gives it to all, and whose turn it is."""
    return draw(word), draw(st.booleans()), draw(st.sampled_from(TURNS))


@holds_for(
    of_invented(impossible_keywords()),
    rules=("113.11", "611.2a"),
    needs=("abilities", "casting", "targets", "anthems"),
)
def what_could_not_be_given_is_not_given_later(play: PlayFunction, case: tuple[Any, bool, Deal]) -> None:
    """If a spell cannot give a creature a keyword because the creature can't have it, the creature does not
    get it later either.
    """
    given, wide, deal = case
    ban = permanent("Ban", CannotHave(one(given)))
    board = board_with(("ban", ban), ("bear", creature(2, 2)), deal=deal)
    gift = instant("Gift", Modify(1, 1), Gain((Keyword(given),)), affects=CREATURES if wide else TARGET)
    board = with_actions(with_spell(board, "gift", gift, *(() if wide else ("bear",))), Look("banned"))
    looks = looks_by_name(play, with_spell(board, "exile", EXILE, "ban"), SIZE | KEYWORD_KEYS, ["bear"])
    because = "CR 113.11: what gives an ability that the object can't have does not apply"
    expect(looks["banned"], "bear", because, power=3, toughness=3, keywords=frozenset())
    because = "CR 113.11: that part did not apply as the effect was created (CR 611.2a: which goes on)"
    expect(looks["end"], "bear", because, power=3, toughness=3, keywords=frozenset())


class WaitingEffects(NamedTuple):
    """An older effect, a newer one that it waits for or seems to, and the newest, which sets the same."""

    cards: tuple[tuple[str, Card], ...]
    of: tuple[str, ...]
    key: str
    shows: frozenset[Any]
    deal: Deal


@composite
def waiting(draw: DrawFn, means: Means) -> WaitingEffects:
    """All creatures are of a type, artifacts are creatures, and all creatures are of another; or by links of
    one kind.
    """
    rows = (
        (("types", "set power and toughness"), "types"),
        (("types",), "subtypes"),
        (("colours",), "colors"),
    )
    kind = draw(fitting(means, *rows))
    words: tuple[Any, ...] = COLORS if kind == "colors" else DRAWN_CREATURE_TYPES
    a, b, c, d = draw(in_any_order(words))[:4]
    sets = (
        (lambda name: SetColors(one(name)))
        if kind == "colors"
        else (lambda name: SetCreatureTypes(one(name)))
    )
    host = draw(hosts) if kind != "types" else "Enchantment"
    newest = ("newest", permanent("Newest", sets(d), host=host))
    if kind == "types":
        # Without an artifact nothing waits.
        there = draw(st.sampled_from((False, True, True, True)))
        relic = [("relic", permanent("Relic", host="Artifact"))] if there else []
        wakes = (AddTypes(types=one("Creature")), Base(2, 2))
        effects = (
            ("older", permanent("Older", sets(c), host=host)),
            ("newer", permanent("Newer", *wakes, affects=ARTIFACTS)),
        )
        cards = (("bear", creature(2, 2, a)), *relic, *effects, newest)
        return WaitingEffects(cards, ("bear", *(id for id, _ in relic)), "subtypes", one(d), draw(deals))
    effects = (
        ("older", permanent("Older", sets(c), affects=creatures_with(kind, b), host=host)),
        ("newer", permanent("Newer", adds(kind, b), affects=creatures_with(kind, a), host=host)),
    )
    return WaitingEffects((("bear", born(kind, a)), *effects, newest), ("bear",), kind, one(d), draw(deals))


@holds_for(by_means(waiting, ("types",), ("colours",)), rules=("613.7", "613.8b", "613.8c"))
def what_has_waited_is_applied_once(play: PlayFunction, case: WaitingEffects) -> None:
    """Of three effects the newest decides, even if the oldest waits for the second: a waiting effect is
    applied exactly once.
    """
    board = board_with(*case.cards, deal=case.deal)
    looks = looks_at_end(play, board, frozenset({case.key}), case.of)
    because = "CR 613.8b: what waited is applied after what it waited for (CR 613.7: and the newest last)"
    for id in case.of:
        expect(looks, id, because, **{case.key: case.shows})


@composite
def dyed_spells(draw: DrawFn) -> tuple[Any, Any, Deal]:
    """What colour a creature is printed with, which one its spell gets, and whose turn it is."""
    return *draw(two_of(COLORS)), draw(st.sampled_from(TURNS))


LACE_FOR = All(zones=frozenset({"battlefield", "stack"}))


@holds_for(
    of_invented(dyed_spells()),
    rules=("611.2c", "400.7a", "613.1e"),
    needs=("casting", "targets", "colours"),
)
def what_becomes_of_a_spell_stays_with_its_permanent(play: PlayFunction, case: tuple[Any, Any, Deal]) -> None:
    """A colour given to a creature spell stays with the creature that the spell becomes.

    It does not check other characteristics.
    """
    old, new, deal = case
    bear = replace(creature(2, 2), colors=one(old))
    dye = Spell((Effect(TARGET, (SetColors(one(new)),)),), targets=(TargetSpec(LACE_FOR),))
    lace = Card("Test Lace", one("Instant"), cost="{0}", abilities=(dye,))
    board = with_card_in(
        with_card_in(board_with(deal=deal), "hand", "bear", bear, deal.turn), "hand", "lace", lace, deal.turn
    )
    story = with_actions(
        board,
        CastAction("bear", deal.turn),
        CastAction("lace", deal.turn, (("bear",),)),
        Resolve("lace"),
        Look("stacked"),
        Resolve("bear"),
    )
    looks = looks_by_name(play, story, COLOR_KEYS, ["bear"])
    because = "CR 611.2c: the effect changes the spell that was its target"
    expect(looks["stacked"], "bear", because, colors=one(new))
    because = "CR 400.7a: what changed a permanent spell goes on for the permanent it becomes"
    expect(looks["end"], "bear", because, colors=one(new))


# ---------------------------------------------------------------------------- two descriptions at once


class CreatureTrait(NamedTuple):
    """What an effect may ask of a creature, and how a creature is made to have it."""

    wanted: Mapping[str, Any]
    card: Mapping[str, Any] = {}
    """How a card differs from a plain one that fits as printed."""
    entry: Mapping[str, Any] = {}
    """How a permanent enters that fits by that."""
    whose: tuple[str, str] | None = None
    """Who controls what fits, and who what does not, if that is what it asks."""


TraitRow = tuple[tuple[str, ...], CreatureTrait]
BY_PRINT: tuple[TraitRow, ...] = (
    (("colours",), CreatureTrait({"color": one("red")}, {"colors": one("red")})),
    (("colours",), CreatureTrait({"multicolored": True}, {"colors": frozenset({"black", "white"})})),
    (("types",), CreatureTrait({"subtype": one("Goblin")}, {"subtypes": one("Goblin")})),
    ((), CreatureTrait({"supertype": one("Legendary")}, {"supertypes": one("Legendary")})),
    ((), CreatureTrait({"mana_value": Comparison(">=", 3)}, {"cost": "{4}"})),
    ((), CreatureTrait({"power": Comparison(">=", 3)}, {"power": 4})),
    ((), CreatureTrait({"toughness": Comparison(">=", 4)}, {"toughness": 5})),
    (("abilities",), CreatureTrait({"keyword": one("vigilance")}, {"abilities": (Keyword("vigilance"),)})),
)
BY_STATE: tuple[TraitRow, ...] = (
    ((), CreatureTrait({"tapped": True}, entry={"tapped": True})),
    (("counters",), CreatureTrait({"counter": "charge"}, entry={"counters": (Counters("charge", 1),)})),
)
FACE_DOWN: TraitRow = ("face down",), CreatureTrait({"face_down": True}, entry={"face_down": True})
BY_CONTROLLER: tuple[TraitRow, ...] = (
    ((), CreatureTrait({"controller": You()}, whose=("alice", "bob"))),
    ((), CreatureTrait({"controller": Opponents()}, whose=("bob", "alice"))),
)
KINDS_OF_TWO = (
    # What is printed on a face-down creature does not count.
    ((*BY_STATE, FACE_DOWN), BY_CONTROLLER),
    (BY_PRINT, BY_CONTROLLER),
    (BY_PRINT, BY_STATE),
)


class TwoDescriptions(NamedTuple):
    """Two descriptions, how many creatures are older than the effect, and what the law does not speak of."""

    kinds: tuple[CreatureTrait, CreatureTrait]
    older: int
    deal: Deal

    def card(self, number: int, fits: tuple[bool, bool]) -> Card:
        """A creature card that fits some of the descriptions as printed, and is plain otherwise."""
        printed = {key: value for kind in self.of(fits) for key, value in kind.card.items()}
        return replace(creature(2, 3, name=f"Test Creature {number}"), **printed)

    def of(self, fits: tuple[bool, bool]) -> list[CreatureTrait]:
        """Those of the descriptions that a creature fits."""
        return [kind for kind, so in zip(self.kinds, fits, strict=True) if so]

    def controller(self, fits: tuple[bool, bool]) -> str:
        """Who controls a creature."""
        named = [
            kind.whose[0 if so else 1]
            for kind, so in zip(self.kinds, fits, strict=True)
            if kind.whose is not None
        ]
        return named[0] if named else "alice"


@composite
def two_descriptions(draw: DrawFn, means: Means) -> TwoDescriptions:
    """Two descriptions of different kinds."""
    one_kind, other_kind = draw(st.sampled_from(KINDS_OF_TWO))
    kinds = draw(fitting(means, *one_kind)), draw(fitting(means, *other_kind))
    return TwoDescriptions(kinds, draw(st.integers(0, 4)), draw(st.sampled_from(TURNS)))


FITS = ((True, True), (True, False), (False, True), (False, False))


@holds_for(by_means(two_descriptions, ("anthems",)), rules=("611.3a", "109.5"), times=2)
def an_effect_asks_for_both_of_two_descriptions(play: PlayFunction, case: TwoDescriptions) -> None:
    """An effect on creatures that fit two descriptions affects those that fit both, and no others."""
    wanted = All(type=one("Creature"), **case.kinds[0].wanted, **case.kinds[1].wanted)
    cards = [(f"bear{number}", case.card(number, fits)) for number, fits in enumerate(FITS, 1)]
    whose = [case.controller(fits) for fits in FITS]
    cards.insert(case.older, ("lord", permanent("Lord", Modify(3, 0), affects=wanted)))
    whose.insert(case.older, "alice")
    board = board_with(*cards, deal=case.deal._replace(controllers=tuple(whose)))
    for number, fits in enumerate(FITS, 1):
        entry = {key: value for kind in case.of(fits) for key, value in kind.entry.items()}
        board = with_entry(board, f"bear{number}", **entry)
    looks = looks_at_end(play, board, frozenset({"power"}), [f"bear{number}" for number in (1, 2, 3, 4)])
    for number, fits in enumerate(FITS, 1):
        because = "CR 611.3a: it fits both descriptions" if all(fits) else "CR 611.3a: it does not fit both"
        power = case.card(number, fits).power
        assert isinstance(power, int)
        expect(looks, f"bear{number}", because, power=power + 3 if all(fits) else power)


ASKING: tuple[Property[Any], ...] = (
    a_keyword_counter_is_as_old_as_it_was_put,
    a_number_is_that_of_what_it_is_done_to,
    a_creature_without_numbers_begins_at_nothing,
    what_an_effect_did_not_begin_with_it_never_reaches,
    an_effect_begins_with_what_is_such_by_then,
    what_a_gained_ability_says_of_types_comes_too_late,
    a_changed_rule_ends_with_its_ability,
    what_enters_triggers_as_what_it_is_there,
    what_could_not_be_given_is_not_given_later,
    what_has_waited_is_applied_once,
    what_becomes_of_a_spell_stays_with_its_permanent,
    an_effect_asks_for_both_of_two_descriptions,
)
