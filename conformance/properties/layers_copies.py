"""Laws of the first layers: control, text changes, copies, face-down permanents."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.model.scenario import Play
from conformance.properties.law import PlayFunction, Property, holds_for
from conformance.properties.seeing import (
    CONTROL,
    EVERY_KEY,
    KEYWORD_KEYS,
    SIZE,
    SUBTYPE_KEYS,
    expect,
    expect_same,
    looks_at_end,
    looks_by_name,
)
from conformance.properties.small_boards import (
    Deal,
    board_with,
    by_means,
    deals,
    entering_as_copy,
    fitting,
    of_invented,
    with_actions,
    with_card_in,
    with_entry,
    with_spell,
)
from conformance.properties.tale import Tale, hold
from conformance.strategies.cards import (
    CLONE,
    CREATURES,
    DRAWN_CREATURE_TYPES,
    MIRROR,
    TARGET,
    aura,
    color,
    creature,
    creatures_of,
    in_any_order,
    one,
    permanent,
    sizes,
    small,
    subtype,
    two_of,
    word,
)
from conformance.strategies.draws import composite
from conformance.strategies.means import Means
from reference_engine.language.actions import Look, TurnUp
from reference_engine.language.cards import (
    AddTypes,
    All,
    AsEnters,
    Base,
    Card,
    CopyAsEnters,
    Counters,
    Effect,
    Filter,
    Gain,
    GainControl,
    Keyword,
    Matches,
    Modify,
    Operation,
    Part,
    ReplaceWord,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    Spell,
    Static,
    TargetSpec,
    TextOf,
    This,
    You,
)
from reference_engine.language.words import BASIC_LAND_TYPES, COLORS, WordKind


@composite
def tug_of_war(draw: DrawFn) -> tuple[int, str, Deal]:
    """How many thefts follow one another, and whose the creature is."""
    deal = draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")))))
    return draw(st.integers(1, 3)), draw(st.sampled_from(("alice", "bob"))), deal


@holds_for(
    of_invented(tug_of_war()), rules=("613.1b", "613.7"), needs=("control", "attachments", "owner differs")
)
def control_goes_to_the_newest_claim(play: PlayFunction, case: tuple[int, str, Deal]) -> None:
    """Of several effects that give control, the newest decides; giving it there and back changes nothing.

    It does not check control that ends: every claim stays.
    """
    times, owner, deal = case
    players = ("bob", "alice") if owner == "alice" else ("alice", "bob")
    claims = [(f"claim{n}", aura(f"Claim {n}", GainControl())) for n in range(times)]
    board = board_with(("bear", creature(2, 2)), *claims, deal=deal)
    board = with_entry(board, "bear", controller=owner)
    owners = {"bear": owner}
    for n in range(times):
        owners[f"claim{n}"] = players[n % 2]
        board = with_entry(board, f"claim{n}", attached_to="bear", controller=players[n % 2])
    board = replace(board, objects=tuple(replace(one, owner=owners[one.id]) for one in board.objects))
    because = "CR 613.7: the effect with the later timestamp is applied later"
    looks = looks_at_end(play, board, CONTROL, ["bear"])
    expect(looks, "bear", because, controller=players[(times - 1) % 2])


@composite
def readers_of_graveyards(draw: DrawFn) -> tuple[tuple[int, int], int]:
    """The size of the card on top of a graveyard, and how much bigger that on top of the other is."""
    return draw(sizes), draw(st.integers(1, 3))


MEMORY = All(zones=frozenset({"graveyard"}), of=You(), top=True)
SHIFTER = creature(
    1,
    1,
    "Shapeshifter",
    (Static((Part(This(), (TextOf(MEMORY),)),), cond=Matches(MEMORY, Filter(type=one("Creature")))),),
    name="Test Shifter",
)


@holds_for(
    of_invented(readers_of_graveyards()),
    rules=("613.1b", "613.1c", "612.6"),
    needs=("control", "attachments", "text change", "owner differs"),
    source=("002-L3-E1",),
)
def control_is_settled_before_text(play: PlayFunction, case: tuple[tuple[int, int], int]) -> None:
    """A creature that has the text of a card in "your" graveyard looks in the graveyard of its current
    controller.
    """
    (power, toughness), more = case
    theft = aura("Theft", GainControl())
    board = board_with(("shifter", SHIFTER), ("theft", theft), deal=Deal(("bob", "alice")))
    board = with_entry(board, "theft", attached_to="shifter")
    mine = replace(creature(power, toughness, "Elf"), name="Test Elf")
    other = replace(creature(power + more, toughness, "Goblin"), name="Test Goblin")
    board = with_card_in(board, "graveyard", "mine", mine, "alice")
    board = with_card_in(board, "graveyard", "other", other, "bob")
    because = "CR 613.1b: control is settled in layer 2, before text is read in layer 3"
    looks = looks_at_end(play, board, SIZE, ["shifter"])
    expect(looks, "shifter", because, power=power, toughness=toughness)


class WordChange(NamedTuple):
    """A creature type that is replaced by another, and a creature that speaks of the first."""

    old: str
    new: str
    size: int
    deal: Deal

    def lord(self, word: str) -> Card:
        """A creature of a type that strengthens all of that type."""
        own = Static((Part(creatures_of(word), (Modify(self.size, self.size),)),))
        return replace(creature(2, 2, word, (own,)), name="Test Lord")


@composite
def word_changes(draw: DrawFn) -> WordChange:
    """A creature that strengthens those of its type, and the word that takes the place of that."""
    deal = draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")))))
    return WordChange(*draw(two_of(DRAWN_CREATURE_TYPES)), draw(st.integers(1, 2)), deal)


def rewording(old: str, new: str, kinds: tuple[WordKind, ...] = ("creature type",)) -> Card:
    """An instant that replaces one word by another in its target's text, for good; it is named for both."""
    effect = Effect(TARGET, (ReplaceWord(frozenset(kinds), old, new),))
    spell = Spell((effect,), targets=(TargetSpec(All()),))
    return Card(f"Test {old} to {new}", one("Instant"), cost="{0}", abilities=(spell,))


TEXT = ("text change", "casting", "targets", "types", "anthems")


@holds_for(of_invented(word_changes()), rules=("612.1", "612.2", "613.1c"), needs=TEXT)
def a_changed_word_is_as_if_it_were_printed(play: PlayFunction, case: WordChange) -> None:
    """A word replaced in an object's text is replaced in its rules text and on its type line; replacing it
    there and back changes nothing.
    """
    ids, keys = ["lord", "old", "new"], SIZE | SUBTYPE_KEYS
    creatures = [
        (id, replace(creature(1, 1, word), name=f"Test {word}"))
        for id, word in (("old", case.old), ("new", case.new))
    ]

    def board(word: str) -> Play:
        return board_with(("lord", case.lord(word)), *creatures, deal=case.deal)

    there = with_spell(board(case.old), "there", rewording(case.old, case.new), "lord")
    back = rewording(case.new, case.old)
    both = with_spell(with_actions(there, Look("there")), "back", back, "lord")
    looks = looks_by_name(play, both, keys, ids)
    because = "CR 612.1: a text change reaches rules text and type line alike"
    expect(looks["there"], "lord", because, subtypes=one(case.new))
    expect_same(looks_at_end(play, board(case.new), keys, ids), looks["there"], because, keys)
    expect_same(looks_at_end(play, board(case.old), keys, ids), looks["end"], because, keys)


class SpokenLandType(NamedTuple):
    """A basic land type that stands in a keyword or in what an Aura says, and the one that replaces it."""

    in_keyword: bool
    old: str
    new: str
    other: str
    deal: Deal

    def board(self, word: str) -> Play:
        """What says the word, on its own or attached to a land."""
        if self.in_keyword:
            walk = Keyword("landwalk", what=Filter(subtype=one(word)))
            return board_with(("says", creature(2, 2, abilities=(walk,), name="Test Walker")), deal=self.deal)
        claim = aura("Claim", SetBasicLandTypes(one(word)), enchants=Filter(type=one("Land")))
        land = Card("Test Land", one("Land"), subtypes=one(self.other))
        return with_entry(
            board_with(("land", land), ("says", claim), deal=self.deal), "says", attached_to="land"
        )


@composite
def spoken_land_types(draw: DrawFn, means: Means) -> SpokenLandType:
    """A creature with landwalk, or an Aura that sets its land's type."""
    old, new, other = draw(in_any_order(BASIC_LAND_TYPES))[:3]
    deal = draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")))))
    in_keyword = draw(fitting(means, ((), True), (("attachments", "types"), False)))
    return SpokenLandType(in_keyword, old, new, other, deal)


@holds_for(
    by_means(spoken_land_types, ()),
    rules=("612.1", "612.2", "613.1c"),
    needs=("text change", "casting", "targets"),
)
def a_word_is_changed_wherever_it_is_said(play: PlayFunction, case: SpokenLandType) -> None:
    """A basic land type replaced in an object's text is replaced in its keywords and in its effects on what
    it enchants.
    """
    spell = rewording(case.old, case.new, ("color", "basic land type"))
    keys, id = (KEYWORD_KEYS, "says") if case.in_keyword else (SUBTYPE_KEYS, "land")
    looks = looks_at_end(play, with_spell(case.board(case.old), "spell", spell, "says"), keys, [id])
    because = "CR 612.2: the word is replaced wherever it is used as such a word (CR 613.1c: in layer 3)"
    if case.in_keyword:
        expect(looks, id, because, keywords=one(f"{case.new.lower()}walk"))
    else:
        expect(looks, id, because, subtypes=one(case.new))


@holds_for(of_invented(word_changes()), rules=("613.1c", "613.1d"), needs=TEXT)
def text_is_changed_before_types(play: PlayFunction, case: WordChange) -> None:
    """A text change does not affect a type that another effect gives."""
    setter = permanent("Setter", SetCreatureTypes(one(case.old)))
    board = board_with(("bear", creature(2, 2, case.new)), ("setter", setter), deal=case.deal)
    spell = rewording(case.old, case.new)
    because = "CR 613.1c: text is changed in layer 3, before types are set in layer 4"
    looks = looks_at_end(play, with_spell(board, "spell", spell, "bear"), SUBTYPE_KEYS, ["bear"])
    expect(looks, "bear", because, subtypes=one(case.old))


class CopiedCreature(NamedTuple):
    """A creature, and what is done to it that a copy does not take over."""

    original: Card
    counters: int
    does: Operation
    owner: str
    deal: Deal


@composite
def copied_creatures(draw: DrawFn) -> CopiedCreature:
    """A creature with counters and an Aura on it."""
    deeds: tuple[Operation, ...] = (Base(4, 4), SetColors(one("red")), Gain((Keyword("trample"),)))
    does = draw(st.sampled_from(deeds))
    own = draw(st.sampled_from(((), (Keyword("flying"),))))
    original = creature(*draw(sizes), draw(subtype), own, name="Test Original")
    return CopiedCreature(original, draw(small), does, draw(st.sampled_from(("bob", "alice"))), draw(deals))


@holds_for(
    of_invented(copied_creatures()),
    rules=("707.2", "613.2c"),
    needs=("copies", "choices", "counters", "attachments", "set power and toughness", "colours", "abilities"),
)
def a_copy_takes_copiable_values_only(play: PlayFunction, case: CopiedCreature) -> None:
    """A copy has the printed characteristics of the original, without its counters and the effects on it, and
    has its own controller.
    """
    board = board_with(
        ("original", case.original),
        ("aura", aura("Aura", case.does)),
        ("clone", CLONE),
        deal=case.deal._replace(controllers=(case.owner, case.owner, "alice")),
    )
    board = with_entry(board, "aura", attached_to="original")
    if case.counters:
        board = with_entry(board, "original", counters=(Counters("+1/+1", case.counters),))
    board = entering_as_copy(board, "clone", "original")
    looks = looks_at_end(play, board, EVERY_KEY, ["clone"])
    card = case.original
    because = "CR 707.2: copiable values are copied, and neither counters, effects nor control"
    expect(
        looks,
        "clone",
        because,
        name=card.name,
        power=card.power,
        toughness=card.toughness,
        subtypes=card.subtypes,
        colors=frozenset(),
        keywords=frozenset(word.keyword for word in card.abilities if isinstance(word, Keyword)),
        controller="alice",
    )


@holds_for(of_invented(copied_creatures()), rules=("707.2", "707.3"), needs=("copies", "choices"))
def a_copy_of_a_copy_is_a_copy(play: PlayFunction, case: CopiedCreature) -> None:
    """A copy of a copy looks like a copy of the original; each has its own controller.

    It does not check that either is right, only that they agree.
    """
    players = (case.owner, "alice", "bob")
    board = board_with(
        ("original", case.original),
        ("clone", CLONE),
        ("second", replace(CLONE, name="Test Second Clone")),
        deal=case.deal._replace(controllers=players),
    )
    board = entering_as_copy(board, "clone", "original")
    of_copy = entering_as_copy(board, "second", "clone")
    of_original = entering_as_copy(board, "second", "original")
    because = (
        "CR 707.2: what is copied are copiable values (CR 707.3: for a copy those it copied), not control"
    )
    shown = looks_at_end(play, of_copy, EVERY_KEY, ["second"])
    expect_same(looks_at_end(play, of_original, EVERY_KEY, ["second"]), shown, because)
    expect(shown, "second", because, name=case.original.name, controller="bob")


class CopyException(NamedTuple):
    """A creature, what a copy of it is otherwise, and how that shows."""

    original: Card
    but: Operation
    shows: dict[str, Any]
    deal: Deal


@composite
def copy_exceptions(draw: DrawFn, means: Means) -> CopyException:
    """A copy "except it's blue", "except it's 4/4" and the like."""
    (old, new), (own, more), given = (
        draw(two_of(COLORS)),
        draw(two_of(DRAWN_CREATURE_TYPES)),
        draw(word),
    )
    power, toughness = draw(sizes)
    original = replace(creature(2, 2, own, name="Test Original"), colors=one(old))
    rows: tuple[tuple[tuple[str, ...], tuple[Operation, dict[str, Any]]], ...] = (
        (("colours",), (SetColors(one(new)), {"colors": one(new)})),
        (("types",), (AddTypes(subtypes=one(more)), {"subtypes": frozenset({own, more})})),
        (
            ("set power and toughness",),
            (Base(power + 2, toughness), {"power": power + 2, "toughness": toughness}),
        ),
        (("abilities",), (Gain((Keyword(given),)), {"keywords": one(given)})),
    )
    but, shows = draw(fitting(means, *rows))
    return CopyException(original, but, shows, draw(deals))


@holds_for(
    by_means(copy_exceptions, ("colours",), ("types",), ("set power and toughness",), ("abilities",)),
    rules=("707.9b", "707.3"),
    needs=("copies", "choices"),
)
def what_a_copy_is_otherwise_is_copied(play: PlayFunction, case: CopyException) -> None:
    """An exception to a copy ("except it's blue") is passed on to copies of the copy.

    None of our broken engines forgets the exceptions of a copy; it exists for engines that copy only the
    original.
    """
    [ability] = CLONE.abilities
    assert isinstance(ability, AsEnters)
    otherwise = replace(ability, copy=CopyAsEnters(CREATURES, (case.but,)))
    board = board_with(
        ("original", case.original),
        ("double", replace(CLONE, name="Test Double", abilities=(otherwise,))),
        ("clone", CLONE),
        deal=case.deal,
    )
    board = entering_as_copy(board, "double", "original")
    board = entering_as_copy(board, "clone", "double")
    looks = looks_at_end(play, board, frozenset(case.shows) | {"name"}, ["double", "clone"])
    because = "CR 707.9b: what a copy is otherwise is part of its copiable values (CR 707.3: and is copied)"
    for id in ("double", "clone"):
        expect(looks, id, because, name=case.original.name, **case.shows)


class MaskedCreature(NamedTuple):
    """A face-down creature with morph or without, and whether that of which it becomes a copy has morph."""

    own: bool
    copied: bool
    mana: str
    deal: Deal


masked_creatures = st.builds(
    MaskedCreature,
    st.booleans(),
    st.booleans(),
    st.sampled_from(("{0}", "{1}")),
    st.just(Deal()),
)


@holds_for(
    of_invented(masked_creatures),
    rules=("707.3", "708.7", "708.10"),
    needs=("face down", "special actions", "copies", "casting", "targets"),
)
def what_is_face_down_is_turned_up_as_what_it_copies(play: PlayFunction, case: MaskedCreature) -> None:
    """A face-down creature that became a copy of another is turned up for the other's morph cost, not for its
    own.
    """
    morph = Keyword("morph", mana=case.mana)
    secret = creature(3, 3, "Zombie", (morph,) if case.own else (), name="Test Secret")
    model = creature(2, 1, "Elf", (morph,) if case.copied else (), name="Test Model")
    board = with_entry(
        board_with(("secret", secret), ("model", model), deal=case.deal), "secret", face_down=True
    )
    tale = Tale(with_spell(board, "mirror", MIRROR, "model"))
    because = "CR 708.7: it is turned up for what it would cost face up (CR 707.3: as the copy that it is)"
    tale.attempt(TurnUp("secret", case.deal.turn), "done" if case.copied else "rejected", because)
    tale.see("secret", "subtypes", ("Elf",) if case.copied else (), because)
    hold(play, tale.claim())


@composite
def hidden_creatures(draw: DrawFn) -> tuple[Card, Card, bool, Deal]:
    """A creature that enters face down, another, and whether all become copies of that one."""
    own = draw(st.sampled_from(((), (Keyword("flying"),))))
    (power, toughness), (more, tougher) = draw(sizes), draw(sizes)
    one_card = replace(creature(power + 2, toughness, draw(subtype), own), colors=one(draw(color)))
    other = creature(more + 2, tougher, draw(subtype), own, name="Test Original")
    deal = draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")), Deal(("bob",)))))
    return one_card, other, not draw(st.booleans()), deal


@holds_for(
    of_invented(hidden_creatures()),
    rules=("613.2b", "708.2", "708.2a"),
    needs=("face down", "copies", "casting", "targets"),
)
def what_is_face_down_stays_blank(play: PlayFunction, case: tuple[Card, Card, bool, Deal]) -> None:
    """A face-down creature is a 2/2 without other characteristics, even if it becomes a copy of another."""
    card, other, copies, deal = case
    board = with_entry(board_with(("hidden", card), ("other", other), deal=deal), "hidden", face_down=True)
    if copies:
        board = with_spell(board, "mirror", MIRROR, "other")
    expect(
        looks_at_end(play, board, EVERY_KEY, ["hidden"]),
        "hidden",
        "CR 613.2b: what is face down gets its values after all copies (CR 708.2a: a 2/2 and nothing else)",
        name=None,
        power=2,
        toughness=2,
        types=one("Creature"),
        subtypes=frozenset(),
        colors=frozenset(),
        keywords=frozenset(),
    )


COPIES: tuple[Property[Any], ...] = (
    control_goes_to_the_newest_claim,
    control_is_settled_before_text,
    a_changed_word_is_as_if_it_were_printed,
    a_word_is_changed_wherever_it_is_said,
    text_is_changed_before_types,
    a_copy_takes_copiable_values_only,
    a_copy_of_a_copy_is_a_copy,
    what_a_copy_is_otherwise_is_copied,
    what_is_face_down_stays_blank,
    what_is_face_down_is_turned_up_as_what_it_copies,
)
