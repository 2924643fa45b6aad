"""Printed cards read into definitions: each means what is printed, and reading hostile files ends."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from msgspec import Struct
from msgspec.structs import replace

from conformance.cli import main
from conformance.data.card_file import placed_cards
from conformance.data.catalogue import catalogue
from conformance.data.library import pool, real_cards
from conformance.files.canonical import encode
from conformance.model.problems import ScenarioError
from conformance.reading import (
    PrintedCard,
    Unread,
    card_read,
    normal_form,
    normal_text,
    printed_cards,
    ranking,
)
from conformance.reading.outcome import MOST_OF, FileForm, definition, read_into, size_in
from conformance.strategies.cards import invented_cards
from conformance.wording.tokens import PREDEFINED
from reference_engine.language.cards import (
    Ability,
    Activated,
    Activates,
    AddMana,
    AddTypes,
    All,
    AnyEvent,
    AnyOf,
    Attach,
    BecomeMonarch,
    BecomesBlocked,
    BecomesMonarch,
    Beginning,
    Blocks,
    Cannot,
    Card,
    CastEvent,
    Chapter,
    ChooseInstruction,
    Comparison,
    ControllerOf,
    CopySpell,
    Costs,
    Count,
    Create,
    Damage,
    DaytimeChanges,
    DealsDamage,
    Defines,
    Designated,
    Destroy,
    Dies,
    DiscardCost,
    Draw,
    Effect,
    Enters,
    Everyone,
    Exile,
    Exists,
    Explore,
    Filter,
    Happened,
    If,
    It,
    ItBecomes,
    ItIs,
    Keyword,
    LoseLife,
    ManaCost,
    May,
    Mill,
    Mode,
    Modify,
    Monarch,
    Not,
    Nth,
    OneOfInstruction,
    Operation,
    Opponents,
    Part,
    PropertyOf,
    Put,
    PutIntoGraveyard,
    Sacrifice,
    Search,
    Spell,
    Static,
    Tap,
    TapThis,
    TargetSpec,
    The,
    This,
    Transform,
    Transforms,
    Triggered,
    Turn,
    You,
)
from reference_engine.language.words import CardType, KeywordName
from tools.catalogue import as_printed as printed
from tools.printed import NO_REASON, PrintedNote, compare_words, digest_of, notes, renewed_notes


def creature(text: str, name: str = "Test Creature") -> Card:
    """A creature with that text, which must be read."""
    found = card_read(PrintedCard(name, "Creature — Bear", text, "{1}{G}", "2", "2"))
    assert isinstance(found, Card), found
    return found


def spell(text: str) -> Card:
    """An instant with that text, which must be read."""
    found = card_read(PrintedCard("Test Spell", "Instant", text, "{U}"))
    assert isinstance(found, Card), found
    return found


# ------------------------------------------------------------------------------------- round trips


def in_one_order(value: Any) -> Any:
    """A value with interchangeable parts in one order, and without names that only scripts use."""
    if isinstance(value, tuple):
        parts = [in_one_order(part) for part in value]
        if parts and all(isinstance(part, Operation) for part in parts):
            parts.sort(key=lambda one: (one.__struct_config__.tag, encode(one)))
        return tuple(parts)
    if isinstance(value, Struct):
        fields = {name: in_one_order(getattr(value, name)) for name in value.__struct_fields__}
        if isinstance(value, Activated | Triggered):
            fields["name"] = ""
        return type(value)(**fields)
    return value


SAID_IN_TWO_WAYS = {
    "Geist of Saint Traft": "its token has the name angel in the effect; read, it has the name token",
    "Karn's Touch": "its mana value: that of the target, or of what the effect is applied to",
}


@pytest.mark.sweep
def test_what_is_read_of_the_pool_is_what_was_written() -> None:
    different = []
    for name, card in pool().items():
        found = card_read(printed(card))
        if isinstance(found, Unread) or name in SAID_IN_TWO_WAYS or card.halves:
            continue
        wanted = replace(card, back=None, modal=False, adventure=None)
        if in_one_order(wanted) != in_one_order(found):
            different.append((name, wanted, found))
    assert [] == different


MOST_OF_THE_POOL_UNREAD = 103


def test_most_of_the_pool_is_read() -> None:
    unread = [
        name
        for name, card in pool().items()
        if not card.halves and isinstance(card_read(printed(card)), Unread)
    ]
    assert MOST_OF_THE_POOL_UNREAD >= len(unread), unread


@given(invented_cards())
def test_an_invented_card_comes_back_or_stays_unread(card: Card) -> None:
    found = card_read(printed(card))
    if isinstance(found, Card):
        assert normal_text(card) == normal_text(found)
        assert set(card.types) == set(found.types)


CREATURES: frozenset[CardType] = frozenset({"Creature"})
ARTIFACTS: frozenset[CardType] = frozenset({"Artifact"})
A_CREATURE = All(type=CREATURES)
MINE = All(type=CREATURES, controller=You())
FLYERS = Filter(keyword=frozenset({"flying"}))
ROUND_TRIPS: dict[str, Ability] = {
    "one of two kinds of mana": Activated(
        (TapThis(),), (OneOfInstruction((Mode((AddMana("{G}"),)), Mode((AddMana("{U}"),)))),), name="mana"
    ),
    "a token known by its name": Triggered(Dies(), (Create(PREDEFINED["Treasure"], 2),), name="dies"),
    "a cost that is less if something is so": Static(
        (Part(This(), (Costs("less", "{1}"),)),), Exists(A_CREATURE), frozenset({"stack"})
    ),
    "during your turn": Static((Part(This(), (Modify(1, 0),)),), Turn(You())),
    "untapping is left out": Static((Part(This(), (Cannot(frozenset({"untap"})),)),)),
    "blocking only some": Static(
        (Part(This(), (Cannot(frozenset({"block"}), Filter(type=CREATURES, without=(FLYERS,))),)),)
    ),
    "blocked only by some": Static(
        (Part(This(), (Cannot(frozenset({"be blocked"}), Filter(type=CREATURES, without=(FLYERS,))),)),)
    ),
    "what is found is shown": Triggered(
        Enters(),
        (Search(Filter(type=frozenset({"Land"}), supertype=frozenset({"Basic"})), "hand"),),
        name="enters",
    ),
    "what others sacrifice is their choice": Triggered(
        Enters(), (Sacrifice(A_CREATURE, Opponents()),), name="enters"
    ),
    "as this spell is cast": Triggered(
        CastEvent(Filter(same_as=This())), (Draw(2),), zones=frozenset({"stack"}), name="cast"
    ),
    "meeting such a creature in combat": Triggered(
        AnyEvent((Blocks(This(), FLYERS), BecomesBlocked(This(), FLYERS))),
        (Tap(It()),),
        name="blocks or becomes blocked",
    ),
    "no more than one spell": Static((Part(Everyone(), (Cannot(frozenset({"cast"}), after=1),)),)),
    "no attack or block alone": Static(
        (Part(This(), (Cannot(frozenset({"attack", "block"}), number=Comparison("=", 1)),)),)
    ),
    "only an attack alone": Static(
        (Part(This(), (Cannot(frozenset({"attack"}), number=Comparison(">", 1)),)),)
    ),
    "no attack without others": Static(
        (Part(This(), (Cannot(frozenset({"attack"}), number=Comparison("<", 3)),)),)
    ),
    "no block without others": Static(
        (Part(This(), (Cannot(frozenset({"block"}), number=Comparison("<", 4)),)),)
    ),
    "no more than two attackers": Static(
        (Part(All(type=CREATURES), (Cannot(frozenset({"attack"}), number=Comparison(">", 2)),)),)
    ),
    "no more than one attacker of you": Static(
        (Part(All(type=CREATURES), (Cannot(frozenset({"attack"}), whom=You(), number=Comparison(">", 1)),)),)
    ),
    "no more than one blocker": Static(
        (Part(All(type=CREATURES), (Cannot(frozenset({"block"}), number=Comparison(">", 1)),)),)
    ),
    "no such spells during your turn": Static(
        (Part(Opponents(), (Cannot(frozenset({"cast"}), Filter(type=CREATURES)),)),), Turn(You())
    ),
    "only mana abilities of creatures": Static(
        (
            Part(
                A_CREATURE,
                (Cannot(frozenset({"activate abilities"}), but=frozenset({"mana abilities"})),),
            ),
        )
    ),
    "a token that is used as a sorcery": Triggered(Dies(), (Create(PREDEFINED["Map"], 2),), name="dies"),
    "milled, then perhaps returned": Triggered(
        Enters(),
        (
            Mill(3),
            May(
                (
                    ChooseInstruction(
                        "object", All(type=CREATURES, zones=frozenset({"graveyard"}), of=You())
                    ),
                    Put(The("chosen"), "hand"),
                )
            ),
        ),
        name="enters",
    ),
    "a cost of less the more there are": Static(
        (Part(This(), (Costs("less", "{1}", PropertyOf("power", MINE)),)),), zones=frozenset({"stack"})
    ),
    "sacrificed unless such a card is discarded": Triggered(
        Enters(),
        (
            May(
                (),
                cost=(DiscardCost(1, All(type=CREATURES, zones=frozenset({"hand"}))),),
                otherwise=(Sacrifice(This()),),
            ),
        ),
        name="enters",
    ),
    "when you become the monarch": Triggered(BecomesMonarch(), (Draw(1),), name="becomes monarch"),
    "if there is no monarch": Triggered(
        Enters(), (BecomeMonarch(),), cond=Not(Designated("monarch", Everyone())), name="enters"
    ),
    "as long as you're the monarch": Static((Part(This(), (Modify(1, 0),)),), Designated("monarch")),
    "as long as an opponent is not the monarch": Static(
        (Part(This(), (Modify(1, 0),)),), Not(Designated("monarch", Opponents()))
    ),
    "as long as you have the city's blessing": Static(
        (Part(This(), (Modify(1, 0),)),), Designated("city's blessing")
    ),
    "without the city's blessing": Static(
        (Part(This(), (Modify(1, 0),)),), Not(Designated("city's blessing"))
    ),
    "damage to the monarch": Triggered(DealsDamage(This(), Monarch(), True), (Draw(1),), name="deals damage"),
    "ascend": Keyword("ascend"),
    "day or night": Triggered(DaytimeChanges(), (ItBecomes("day"),), name="daytime changes"),
    "as night becomes day": Triggered(DaytimeChanges("day"), (Draw(1),), name="daytime changes"),
    "neither day nor night": Triggered(
        Enters(), (ItBecomes("night"),), cond=Not(AnyOf((ItIs("day"), ItIs("night")))), name="enters"
    ),
    "as long as it's night": Static((Part(This(), (Modify(1, 0),)),), ItIs("night")),
    "as long as it isn't day": Static((Part(This(), (Modify(1, 0),)),), Not(ItIs("day"))),
    "no spells last turn": Triggered(
        Beginning("upkeep", Everyone()),
        (Transform(This()),),
        cond=Not(Happened(CastEvent(by=Everyone()), last_turn=True)),
        name="upkeep",
    ),
    "two spells of a player last turn": Triggered(
        Beginning("upkeep", Everyone()),
        (Transform(This()),),
        cond=Happened(CastEvent(by=Everyone()), 2, last_turn=True),
        name="upkeep",
    ),
    "done to something only if there was a payment": Triggered(
        Dies(),
        (
            May(
                (Tap(The("target")), Effect(The("target"), (Modify(1, 0),), "end of turn")),
                cost=(ManaCost("{1}"),),
            ),
        ),
        targets=(TargetSpec(A_CREATURE),),
        name="dies",
    ),
    "an ability of one of these is activated": Triggered(
        Activates(Opponents(), A_CREATURE, frozenset({"mana abilities"})),
        (Damage(2, ControllerOf(It())),),
        name="activates",
    ),
    "a loyalty ability is activated": Triggered(
        Activates(of=All(type=frozenset({"Planeswalker"})), only="loyalty abilities"),
        (CopySpell(It(), new_targets=False),),
        name="activates",
    ),
    "it transforms into such a permanent": Triggered(
        Transforms(
            All(controller=You()),
            Filter(type=CREATURES, without=(Filter(subtype=frozenset({"Human"})),)),
        ),
        (Draw(1),),
        name="transforms",
    ),
    "it transforms": Triggered(Transforms(), (Draw(1),), name="transforms"),
    "it transforms into itself": Triggered(
        Transforms(This(), Filter(same_as=This())), (Draw(1),), name="transforms"
    ),
    "the first ability of the turn": Triggered(
        Nth(1, Activates(but=frozenset({"mana abilities", "loyalty abilities"}))),
        (Draw(1),),
        name="activates",
    ),
    "counted wherever they are": Static((Part(This(), (Modify(Count(A_CREATURE), Count(A_CREATURE)),)),)),
}


@pytest.mark.parametrize("ability", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_an_ability_comes_back_as_it_was(ability: Ability) -> None:
    card = Card("Test Bear", CREATURES, "{1}{G}", power=2, toughness=2, abilities=(ability,))
    assert card == card_read(printed(card))


@pytest.mark.parametrize(
    "text",
    [
        "Target creature's owner puts it on their choice of the top or bottom of their library.",
        "You may tap or untap target creature.",
        "Target creature gains reach until end of turn and can't be blocked this turn. Scry 1.",
        "Green creatures you control can't be blocked this turn except by green creatures.",
        "Target player can't cast creature spells this turn. Target creature gains flying until end of turn.",
    ],
)
def test_such_a_sentence_is_read(text: str) -> None:
    assert spell(text).abilities


def test_what_meets_in_combat_is_the_other_creature() -> None:
    """Of two events, one of which speaks of another creature, "that creature" has no one meaning."""
    text = "Whenever this creature attacks or becomes blocked by a creature, tap that creature."
    assert isinstance(card_read(PrintedCard("Test Bear", "Creature — Bear", text, "{G}", "2", "2")), Unread)


# -------------------------------------------------------------------------- the pool and what is printed


@pytest.mark.sweep
def test_words_that_were_the_printed_ones_still_are() -> None:
    cards = real_cards()
    changed = [
        name
        for name, note in notes().items()
        if note.digest and digest_of(normal_text(cards[name], note.manners)) != note.digest
    ]
    assert [] == changed


def test_of_each_of_our_cards_it_is_known_how_it_compares() -> None:
    found = notes()
    assert sorted(real_cards()) == [*found]
    assert [] == [name for name, note in found.items() if note.differs == NO_REASON]
    assert [] == [name for name in catalogue() if not found[name].digest]


def test_what_differs_needs_a_reason_and_what_is_equal_a_digest() -> None:
    """Cards are compared with made-up printed ones: one is equal, one differs, one is missing."""
    names = ("Giant Growth", "Lightning Bolt", "Humility", "Grizzly Bears")
    cards = {name: pool()[name] for name in names}
    before = {"Humility": PrintedNote("Humility", "0123")}
    wrong = replace(printed(cards["Lightning Bolt"]), text="Draw a card.")
    same, bears = (printed(cards[name]) for name in ("Giant Growth", "Grizzly Bears"))
    found = renewed_notes(before, cards, [same, wrong, bears, "Two // Faces"])
    assert sorted(names) == [*found]
    assert found["Giant Growth"].digest
    assert found["Grizzly Bears"].digest
    assert PrintedNote("Lightning Bolt", differs=NO_REASON) == found["Lightning Bolt"]
    assert before["Humility"] == found["Humility"]
    without_text = renewed_notes(found, cards, [replace(same, text="")])
    assert found == without_text


def test_abilities_in_different_manners_are_compared_one_by_one() -> None:
    text = (
        "{T}: Tap target creature and put a stun counter on it.\n"
        "{T}: Tap target creature. Put a stun counter on that creature."
    )
    card = creature(text)
    note = compare_words(card, PrintedCard(card.name, "Creature — Bear", text, "{1}{G}", "2", "2"))
    assert note is not None
    assert 2 == len(set(note.manners))


def test_a_colour_indicator_is_read() -> None:
    card = card_read(
        PrintedCard("Test Dryad", "Land Creature — Dryad", "Flying", "", "1", "1", colors=("G",))
    )
    assert isinstance(card, Card)
    assert frozenset({"green"}) == card.colors


# ----------------------------------------------------------------------------- what sentences mean


def test_an_if_behind_an_event_belongs_to_the_event() -> None:
    """CR 603.4: the condition is also checked when the ability would trigger."""
    card = creature("At the beginning of each end step, if this creature is tapped, draw a card.")
    (ability,) = card.abilities
    assert isinstance(ability, Triggered)
    assert Beginning("end", Everyone()) == ability.when
    assert ability.cond is not None
    assert not any(isinstance(one, If) for one in ability.effect)


def test_chapters_of_one_line_are_several_abilities() -> None:
    """CR 714.2c: two symbols before one text are two chapters."""
    told = PrintedCard("Test Tale", "Enchantment — Saga", "I, II — Draw a card.\nIII — You gain 3 life.")
    card = card_read(told)
    assert isinstance(card, Card)
    assert [(Chapter(1), "chapter I"), (Chapter(2), "chapter II"), (Chapter(3), "chapter III")] == [
        (ability.when, ability.name) for ability in card.abilities if isinstance(ability, Triggered)
    ]


def other_than(ability: Ability) -> Any:
    """What the target or the group of an ability excludes."""
    found: list[Any] = []

    def look(value: Any) -> None:
        if isinstance(value, All) and value.other_than is not None:
            found.append(value.other_than)
        if isinstance(value, Struct):
            for name in value.__struct_fields__:
                look(getattr(value, name))
        for part in value if isinstance(value, tuple) else ():
            look(part)

    look(ability)
    (one,) = found
    return one


@pytest.mark.parametrize(
    ("card", "means"),
    [
        (creature("{T}: Untap another target creature."), This()),
        (creature("Other creatures you control get +1/+1."), This()),
        (spell("Tap target creature. Untap another target creature."), The("target")),
        (spell("Each other creature becomes a copy of target creature until end of turn."), The("target")),
    ],
)
def test_other_is_other_than_what_was_spoken_of(card: Card, means: object) -> None:
    assert means == other_than(card.abilities[0])


def test_it_is_what_the_sentence_is_about() -> None:
    card = creature("When this creature enters, it deals 2 damage to any target.")
    assert This() == card.abilities[0].effect[0].by  # type: ignore[union-attr]  # a triggered ability with damage


def the_effect(card: Card) -> Any:
    """The effect of a card's last ability."""
    return card.abilities[-1].effect  # type: ignore[union-attr]  # a spell, activated or triggered ability


def test_it_is_what_was_spoken_of_last() -> None:
    entering = creature(
        "Whenever another creature you control enters, you gain 1 life. If it's a Bear, tap it."
    )
    assert Tap(It()) == the_effect(entering)[1].effect[0]
    aimed = creature("{T}: Put a +1/+1 counter on target creature. It gains flying until end of turn.")
    assert The("target") == the_effect(aimed)[1].affects
    token = creature("{T}: Create a 0/0 green Bear creature token. Put two +1/+1 counters on it.")
    assert (The("token"), "token") == (the_effect(token)[1].on, the_effect(token)[0].name)


def test_it_is_not_what_was_spoken_of_before_something_else() -> None:
    """A newer thing takes the pronoun from the object with the ability, and from what a trigger saw."""
    harmed = creature(
        "Whenever this creature deals combat damage to a creature, tap that creature. It explores."
    )
    assert (Tap(The("damaged")), Explore(The("damaged"))) == the_effect(harmed)
    paid = creature(
        "Whenever an artifact dies, you may pay {1}. If you do, create a 1/1 green Bear creature token. "
        "It explores."
    )
    assert Explore(The("token")) == the_effect(paid)[1]
    second = creature(
        "Whenever you cast your second spell each turn, put a +1/+1 counter on this creature. It explores."
    )
    assert Explore(This()) == the_effect(second)[1]
    exiled = spell(
        "Tap target creature. If you control a Bear, exile the top card of your library. "
        "You may play it this turn."
    )
    (permission,) = the_effect(exiled)[2].does
    assert The("exiled") == permission.what.same_as


def test_a_condition_behind_an_instruction_speaks_of_its_target() -> None:
    (legendary,) = the_effect(spell("Tap target creature if it's legendary."))
    assert The("target") == legendary.cond.who
    (strong,) = the_effect(
        spell("Exile target creature if its power is less than or equal to your life total.")
    )
    assert PropertyOf("power", The("target")) == strong.cond.left


def test_nothing_is_attached_to_itself() -> None:
    def attached(text: str) -> Any:
        card = card_read(PrintedCard("Test Blade", "Artifact — Equipment", text, "{2}"))
        assert isinstance(card, Card), card
        return the_effect(card)[-1]

    token = "When this Equipment enters, create a Clue token, then attach this Equipment to it."
    assert Attach(This(), The("token")) == attached(token)
    seen = "Whenever a creature you control enters, attach this Equipment to it."
    assert Attach(This(), It()) == attached(seen)


def test_what_is_done_to_it_next_needs_the_payment_too() -> None:
    (paid,) = the_effect(
        creature(
            "When this creature dies, you may pay {1}. If you do, tap target creature. "
            "It doesn't untap during its controller's next untap step."
        )
    )
    assert [Tap, Effect] == [type(one) for one in paid.effect]


def test_whoever_pays_is_who_controls_what_is_threatened() -> None:
    (threat,) = the_effect(spell("Counter target artifact spell unless its controller pays {4}."))
    assert ControllerOf(The("target")) == threat.who


def test_without_an_event_nothing_is_it_but_what_was_named() -> None:
    card = creature("{T}: Put X +1/+1 counters on this creature, where X is its power.")
    assert PropertyOf("power", This()) == the_effect(card)[0].counters[0].n
    group = creature("{T}: Each other creature gets +X/+0 until end of turn, where X is its power.")
    assert PropertyOf("power", It()) == the_effect(group)[0].does[0].power


def test_that_creature_is_the_one_that_was_dealt_damage() -> None:
    card = creature("Whenever this creature deals damage to a creature, tap that creature.")
    assert (Tap(The("damaged")),) == the_effect(card)
    harmed = creature("Whenever a creature deals damage to this creature, tap that creature.")
    assert (Tap(It()),) == the_effect(harmed)


def test_a_token_that_nothing_speaks_of_has_no_name() -> None:
    assert the_effect(creature("{T}: Create a 1/1 green Bear creature token."))[0].name is None


def test_a_reflexive_trigger_has_targets_of_its_own() -> None:
    """CR 603.12: it is put on the stack, and its targets are chosen, once the deed is done."""
    card = creature("When this creature dies, you may pay {1}. When you do, tap target creature.")
    (may,) = the_effect(card)
    assert () == card.abilities[0].targets  # type: ignore[union-attr]  # a triggered ability
    assert 1 == len(may.effect[0].targets)


def test_a_delayed_trigger_that_targets_stays_unread() -> None:
    text = "Destroy target creature at the beginning of the next end step."
    assert isinstance(card_read(PrintedCard("Test Spell", "Instant", text)), Unread)


def test_how_another_object_was_cast_stays_unread() -> None:
    """Conditions ask only about the past of this object, not of what enters."""
    text = "Whenever a creature you control enters, if you cast it, destroy that creature."
    assert isinstance(card_read(PrintedCard("Test Rite", "Enchantment", text)), Unread)
    assert creature("When this creature enters, if you cast it, you gain 1 life.").abilities


def test_a_token_does_not_descend() -> None:
    (ability,) = creature("At the beginning of your end step, if you descended this turn, scry 1.").abilities
    assert isinstance(ability, Triggered)
    assert isinstance(ability.cond, Happened)
    assert isinstance(ability.cond.event, PutIntoGraveyard)
    assert isinstance(ability.cond.event.who, All)
    assert ability.cond.event.who.token is False


def test_a_word_with_a_capital_letter_is_not_yet_a_subtype() -> None:
    card = creature("All spells cost {1} less to cast.")
    assert All(zones=frozenset({"stack"})) == card.abilities[0].parts[0].affects  # type: ignore[union-attr]  # a static one
    assert isinstance(
        card_read(PrintedCard("Test Bear", "Creature — Bear", "Nobody creatures have flying.")), Unread
    )


def test_counters_that_the_rules_give_a_meaning_are_not_any_counters() -> None:
    """CR 122.1i: a rad counter does something, which the language cannot say."""
    text = "This creature enters with a rad counter on it."
    assert isinstance(card_read(PrintedCard("Test Bear", "Creature — Bear", text)), Unread)


def test_what_creatures_have_is_said_of_the_creatures_in_a_list() -> None:
    """An artifact need not fly, nor have power 4; a mana value is asked of each."""

    def kinds_of(text: str) -> All:
        (ability,) = spell(f"Destroy target {text}.").abilities
        assert isinstance(ability, Spell)
        what = ability.targets[0].what
        assert isinstance(what, All)
        return what

    artifact, flying, four = (
        Filter(type=ARTIFACTS),
        frozenset[KeywordName]({"flying"}),
        Comparison(">=", 4),
    )
    assert All(any_of=(artifact, Filter(type=CREATURES, keyword=flying))) == kinds_of(
        "artifact or creature with flying"
    )
    assert All(controller=Opponents(), any_of=(artifact, Filter(type=CREATURES, power=four))) == kinds_of(
        "artifact or creature an opponent controls with power 4 or greater"
    )
    assert All(any_of=(artifact, Filter(type=CREATURES)), mana_value=four) == kinds_of(
        "artifact or creature with mana value 4 or greater"
    )


def test_a_type_behind_two_subtypes_is_that_of_both() -> None:
    (ability,) = spell("Destroy target Elf or Soldier creature.").abilities
    assert isinstance(ability, Spell)
    elf, soldier = (Filter(subtype=frozenset({one})) for one in ("Elf", "Soldier"))
    assert All(type=CREATURES, any_of=(elf, soldier)) == ability.targets[0].what


def test_what_is_an_artifact_creature_keeps_its_other_types() -> None:
    """CR 205.1b."""
    (ability,) = creature("As long as it's your turn, this creature is an artifact creature.").abilities
    assert isinstance(ability, Static)
    assert (AddTypes(ARTIFACTS | CREATURES),) == ability.parts[0].does


def test_its_controller_is_who_controlled_what_is_exiled() -> None:
    """CR 108.4: a card in exile has no controller."""
    (ability,) = spell("Exile target creature. Its controller loses 3 life.").abilities
    assert isinstance(ability, Spell)
    assert (Exile(The("target")), LoseLife(3, ControllerOf(The("target")))) == ability.effect


def test_how_many_creatures_attacked_in_several_combats_stays_unread() -> None:
    text = "{T}: Draw a card. Activate only if you attacked with two or more creatures this turn."
    assert isinstance(card_read(PrintedCard("Test Keep", "Artifact", text)), Unread)


def test_an_ability_that_discards_its_card_works_in_the_hand() -> None:
    (ability,) = creature("{1}, Discard this card: Draw a card.").abilities
    assert isinstance(ability, Activated)
    assert {"hand"} == ability.zones


def test_flash_that_a_card_gives_itself_works_on_the_stack() -> None:
    """CR 113.6e: what grants an ability that changes how the object is cast functions there alone."""
    (ability,) = creature("As long as you control a Desert, this creature has flash.").abilities
    assert isinstance(ability, Static)
    assert {"stack"} == ability.zones


def test_it_is_what_did_something_and_not_what_is_enchanted_by_then() -> None:
    """CR 608.2k: it still affects that object."""
    text = "Enchant creature\nWhen enchanted creature becomes tapped, destroy it."
    card = card_read(PrintedCard("Test Aura", "Enchantment — Aura", text))
    assert isinstance(card, Card)
    ability = card.abilities[1]
    assert isinstance(ability, Triggered)
    assert (Destroy(It()),) == ability.effect


def test_manner_changes_no_meaning() -> None:
    """Two wordings with the same meaning are read as equal."""
    apart = creature("{T}: Tap target creature. Put a stun counter on that creature.")
    joined = creature("{T}: Tap target creature and put a stun counter on it.")
    assert apart == joined
    assert creature("As long as you control a Goblin, this creature gets +1/+1.") == creature(
        "This creature gets +1/+1 as long as you control a Goblin."
    )


def test_what_a_card_says_of_its_own_colours_defines_it() -> None:
    assert isinstance(creature("This creature is colorless.").abilities[0], Defines)
    assert isinstance(creature("This creature can't block.").abilities[0], Static)


def test_paragraphs_of_a_spell_are_one_ability() -> None:
    card = spell("Target creature gets +1/+1 until end of turn.\nDraw a card.")
    (ability,) = card.abilities
    assert ability.effect[1:] == (Draw(1),)  # type: ignore[union-attr]  # a spell ability


def test_a_sentence_that_has_no_words_here_keeps_the_card_unread() -> None:
    found = card_read(
        PrintedCard("Test Juggler", "Creature — Human", "Flying\nWhenever it rains, juggle.", "{R}")
    )
    assert Unread(("Whenever it rains, juggle.",)) == found


@pytest.mark.sweep
@pytest.mark.parametrize(
    "text",
    [
        "Draw a card." * 400,
        "Destroy target " + "non-Goblin, " * 800 + "creature.",
        "Target creature " + "gets +1/+1 and " * 700 + "gains flying until end of turn.",
        '"' * 3000,
        "Whenever " + "a creature or " * 600 + "a creature dies, draw a card.",
        "• " * 2000,
        ", if you control a creature" * 300,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    began = time.process_time()
    card_read(PrintedCard("Test Maze", "Instant", text, "{U}"))
    assert time.process_time() - began < 10


# -------------------------------------------------------------------------------- the normal form


@pytest.mark.parametrize(
    ("printed_text", "ours"),
    [
        ("When Ada enters, draw a card. (It is yours.)", "When this creature enters, draw a card."),
        (
            "When this creature enters the battlefield, draw a card.",
            "When this creature enters, draw a card.",
        ),
        ("Landfall — Whenever a land enters, draw a card.", "Whenever a land enters, draw a card."),
        ("Flying\nFirst strike", "Flying, first strike"),
        ("It’s “mine”−", 'It\'s "mine"-'),
        ("Sacrifice two artifacts and/or lands.", "Sacrifice two artifacts and lands."),
        ("Draw a card for each Aura and Saga you control.", "Draw a card for each Aura or Saga you control."),
        ("This creature has reach as long as it's your turn.", "This creature has reach during your turn."),
        (
            "Whenever an ability of this land is activated, if it isn't a mana ability, draw a card.",
            "Whenever a player activates an ability of this land that isn't a mana ability, draw a card.",
        ),
    ],
)
def test_meaningless_difference_is_ignored(printed_text: str, ours: str) -> None:
    forms = {normal_form(text, "Ada, Who Counts", legendary=True) for text in (printed_text, ours)}
    assert len(forms) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("When this creature enters, draw a card.", "When this creature dies, draw a card."),
        ('It has "This creature can\'t block."', 'It has "Ada can\'t block."'),
        ("Exhaust — {1}: Draw a card.", "{1}: Draw a card."),
        ("Tap creatures with reach and/or haste.", "Tap creatures with reach and haste."),
        ("As long as it's your turn and you lead, draw.", "During your turn and you lead, draw."),
    ],
)
def test_what_means_something_is_a_difference(one: str, other: str) -> None:
    assert normal_form(one, "Ada", legendary=False) != normal_form(other, "Ada", legendary=False)


# ---------------------------------------------------------------------------------- files of others

SCRYFALL = {
    "name": "Test Owl",
    "layout": "normal",
    "mana_cost": "{1}{U}",
    "type_line": "Creature — Bird",
    "oracle_text": "Flying",
    "power": "1",
    "toughness": "2",
}
MTGJSON = {
    "name": "Test Owl",
    "layout": "normal",
    "manaCost": "{1}{U}",
    "type": "Creature — Bird",
    "text": "Flying",
    "power": "1",
    "toughness": "2",
}
OWL = PrintedCard("Test Owl", "Creature — Bird", "Flying", "{1}{U}", "1", "2")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([SCRYFALL]),
        "[\n" + json.dumps(SCRYFALL) + "\n]\n",
        json.dumps(SCRYFALL),
        "\ufeff" + json.dumps(SCRYFALL, indent=2),
        json.dumps({"meta": {"date": "2026-01-01"}, "data": {"Test Owl": [MTGJSON]}}),
        json.dumps({"data": {"Test Owl": [MTGJSON]}}),
    ],
)
def test_three_shapes_of_file_are_read(text: str) -> None:
    assert [OWL] == list(printed_cards(BytesIO(text.encode()), "cards.json"))


def test_a_file_larger_than_what_is_held_at_once_is_read() -> None:
    long = SCRYFALL | {"flavor_text": "x" * 5000}
    text = "[" + ",".join(json.dumps(long | {"name": f"Test Owl {n}"}) for n in range(900)) + "]"
    assert 900 == sum(1 for _ in printed_cards(BytesIO(text.encode()), "cards.json"))


def test_several_processes_read_what_one_reads() -> None:
    odd = replace(OWL, text="Hoot.")
    many = [replace(odd if n % 7 == 3 else OWL, name=f"Test Owl {n // 2}") for n in range(700)]
    alone, together = StringIO(), StringIO()
    assert read_into(many, alone, "jsonl") == read_into(many, together, "jsonl", jobs=2)
    assert alone.getvalue() == together.getvalue()
    assert 300 == alone.getvalue().count("\n")


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_file_that_nothing_could_use_afterwards_is_not_written(
    form: FileForm, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [replace(OWL, name=f"Test Owl {n}") for n in range(9)]
    size = size_in(form, "- " + definition(card_read(many[0])))  # type: ignore[arg-type]  # it is read
    monkeypatch.setitem(MOST_OF, form, 10 * size)
    assert 9 == read_into(many, StringIO(), form, "cards.any").read
    monkeypatch.setitem(MOST_OF, form, 8 * size)
    with pytest.raises(ScenarioError, match=r"cards\.any: too many cards .*\n.*\.jsonl"):
        read_into(many, StringIO(), form, "cards.any")


def test_what_no_deck_holds_is_passed_over() -> None:
    meld = {"name": "Test Parts", "layout": "meld", "card_faces": [SCRYFALL] * 3}
    text = json.dumps([SCRYFALL | {"layout": "token"}, meld])
    assert ["Test Parts"] == list(printed_cards(BytesIO(text.encode()), "cards.json"))


DAY = {"name": "Test Day", "mana_cost": "{W}", "type_line": "Instant", "oracle_text": "You gain 3 life."}
NIGHT = {"name": "Test Night", "mana_cost": "{B}", "type_line": "Sorcery", "oracle_text": "Draw a card."}
SCOUT = {
    "name": "Test Scout",
    "mana_cost": "{G}",
    "type_line": "Creature — Scout",
    "oracle_text": "",
    "power": "1",
    "toughness": "1",
}
TRAIL = NIGHT | {"name": "Test Trail", "type_line": "Sorcery — Adventure"}


def read_faces(layout: str, *faces: Mapping[str, str]) -> Card | Unread:
    """The result of reading a card with these faces."""
    name = " // ".join(face["name"] for face in faces)
    text = json.dumps([{"name": name, "layout": layout, "card_faces": faces}])
    (printed_one,) = printed_cards(BytesIO(text.encode()), "cards.json")
    assert not isinstance(printed_one, str)
    return card_read(printed_one)


def test_faces_are_read_each_by_itself() -> None:
    """CR 709, 712, 715: the layout says how the second face relates to the first."""
    split = read_faces("split", DAY, NIGHT)
    assert isinstance(split, Card)
    assert "Test Day // Test Night" == split.name
    assert frozenset({"Instant", "Sorcery"}) == split.types
    assert ["{W}", "{B}"] == [half.cost for half in split.halves]
    adventurer = read_faces("adventure", SCOUT, TRAIL)
    assert isinstance(adventurer, Card) and adventurer.adventure is not None
    assert ("Test Scout", "Test Trail") == (adventurer.name, adventurer.adventure.name)
    modal = read_faces("modal_dfc", SCOUT, NIGHT)
    assert isinstance(modal, Card) and modal.modal and modal.back is not None


def test_half_of_a_card_with_daybound_stays_unread() -> None:
    """CR 702.145a: its other face is what it turns to."""
    front = SCOUT | {"oracle_text": "Daybound", "layout": "normal"}
    back = SCOUT | {"name": "Test Prowler", "oracle_text": "Nightbound", "mana_cost": ""}
    whole = {"name": "Test Scout // Test Prowler", "layout": "transform", "card_faces": [front, back]}
    several = printed_cards(BytesIO(json.dumps([front, whole]).encode()), "cards.json")
    written = StringIO()
    tally = read_into(several, written, "jsonl")
    assert (1, 2) == (tally.read, tally.of)
    assert ["daybound, without the other face"] == [one.pattern for one in tally.ranked]
    assert "Test Prowler" in written.getvalue()


def test_faces_of_a_layout_that_has_no_words_stay_unread() -> None:
    assert Unread(("several faces: flip",)) == read_faces("flip", SCOUT, SCOUT | {"name": "Test Guide"})
    split = DAY | {"type_line": "Enchantment — Room"}, DAY | {"type_line": "Artifact"}
    assert isinstance(read_faces("split", *split), Unread)


def test_halves_of_a_room_are_read() -> None:
    hall = {"name": "Test Hall", "mana_cost": "{W}", "type_line": "Enchantment — Room"}
    attic = hall | {"name": "Test Attic", "oracle_text": "When you unlock this door, draw a card."}
    room = read_faces("split", hall | {"oracle_text": "Creatures you control have flying."}, attic)
    assert isinstance(room, Card)
    assert ("Test Hall // Test Attic", frozenset({"Enchantment"})) == (room.name, room.types)
    assert ["unlocks this door"] == [
        one.name for one in room.halves[1].abilities if isinstance(one, Triggered)
    ]


def test_faces_of_the_other_publisher_are_read_too() -> None:
    faces = [
        {"name": "Test Day // Test Night", "faceName": face["name"], "layout": "split"}
        | {"manaCost": face["mana_cost"], "type": face["type_line"], "text": face["oracle_text"]}
        for face in (DAY, NIGHT)
    ]
    text = json.dumps({"data": {"Test Day // Test Night": faces}})
    (printed_one,) = printed_cards(BytesIO(text.encode()), "cards.json")
    assert not isinstance(printed_one, str)
    assert read_faces("split", DAY, NIGHT) == card_read(printed_one)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "cards.json:1:1: no cards"),
        (b"[]", "no cards"),
        (b"hello", "expected a list or map of cards, found 'h'"),
        (b"[{]", "not JSON"),
        (b'[{"name": "Test Owl"}]', "entry 1 has no 'type_line'"),
        (b'[{"name": 7, "type_line": "Land"}]', "entry 1: 'name' is not text"),
        (b"[1, 2]", "entry 1 is not a card"),
        (b"[" * 100_000, "without end"),
        (b'["\xff"]', "not UTF-8"),
        (b'[{"name": "Test Owl", "type_line": "Land"}', "expected ','"),
        (b'[{"name": "Test Owl", "type_line": "Land"}] and', "unexpected content"),
        (b"\n\n[" + b'"' + b"x" * 6_000_000, "more than"),
        (b'[{"name": "Test Owl", "type_line": "Land", "oracle_text": "' + b"x" * 20_000 + b'"}]', "longer"),
        (b'{"meta": {}, "data": 3}', "expected '{'"),
    ],
)
def test_a_wrong_file_is_refused_with_its_reason(content: bytes, says: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        list(printed_cards(BytesIO(content), "cards.json"))
    assert says in str(refused.value)


def test_the_ranking_counts_cards_and_those_that_lack_nothing_else() -> None:
    ranked = ranking(
        [Unread(("Juggle 3.", "Sing.")), Unread(("Juggle four.",)), Unread(("Juggle 5.", "Juggle 6."))]
    )
    assert [("Juggle N.", 3, 2), ("Sing.", 1, 0)] == [(one.pattern, one.cards, one.alone) for one in ranked]


# ---------------------------------------------------------------------------------- the command


def run_read(folder: Path, cards: Sequence[object], *options: str) -> tuple[int, str]:
    file = folder / "cards.jsonl"
    file.write_text("\n".join(map(json.dumps, cards)), encoding="utf-8")
    result = CliRunner().invoke(main, ["cards", "read", str(file), *options])
    return result.exit_code, result.output


@pytest.mark.parametrize("name", ["read.yaml", "read.json", "read.jsonl"])
def test_the_command_writes_definitions_and_counts(tmp_path: Path, name: str) -> None:
    unread = SCRYFALL | {"name": "Test Juggler", "oracle_text": "Whenever it rains, juggle."}
    out = tmp_path / name
    code, output = run_read(tmp_path, [SCRYFALL, unread, SCRYFALL], "--out", str(out))
    assert 0 == code
    assert "1 of 2 cards read" == output.splitlines()[-1]
    assert "Whenever it rains, juggle." in output
    (owl,) = placed_cards(out)
    assert card_read(OWL) == owl.card


def test_the_command_writes_no_text(tmp_path: Path) -> None:
    out = tmp_path / "read.yaml"
    run_read(tmp_path, [SCRYFALL | {"oracle_text": "When this creature dies, draw."}], "--out", str(out))
    assert "When this creature" not in out.read_text(encoding="utf-8")


def test_the_command_leaves_what_was_there_if_the_file_is_wrong(tmp_path: Path) -> None:
    out = tmp_path / "read.yaml"
    out.write_text("- what was there", encoding="utf-8")
    code, output = run_read(tmp_path, [SCRYFALL, 3], "--out", str(out))
    assert 2 == code
    assert "entry 2 is not a card" in output
    assert "- what was there" == out.read_text(encoding="utf-8")
