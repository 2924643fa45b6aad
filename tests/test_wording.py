"""The words of cards, actions and scenarios: what players expect to read, and that nothing lacks words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from msgspec import Struct
from msgspec.structs import replace

from conformance.data.library import pool
from conformance.model import scenario
from conformance.wording import ability_text, action_text, card_text, rules_text, scenario_text, type_line
from reference_engine.language import actions, cards, setup
from reference_engine.language.actions import Action
from reference_engine.language.cards import (
    Activated,
    All,
    Base,
    Beginning,
    Card,
    Count,
    Effect,
    Filter,
    Gain,
    It,
    Keyword,
    Modify,
    Part,
    PropertyOf,
    Spell,
    Static,
    TargetSpec,
    The,
    This,
    Triggered,
    You,
)
from tests.language import CREATURES, anything, hints, samples, varied
from tools.golden_wording import FILE, golden_text

# --------------------------------------------------------------------------- cards as players know them

CARDS = {
    "Aquamoeba": ["Discard a card: Switch this creature's power and toughness until end of turn."],
    "Blood Moon": ["Nonbasic lands are Mountains."],
    "Clone": ["You may have this creature enter as a copy of any creature on the battlefield."],
    "Confiscate": ["Enchant permanent", "You control enchanted permanent."],
    "Forest": [],
    "Goblin Grenade": [
        "As an additional cost to cast this spell, sacrifice a Goblin.",
        "Goblin Grenade deals 5 damage to any target.",
    ],
    "Howling Mine": [
        "At the beginning of each player's draw step, if this artifact is untapped, that player draws a card."
    ],
    "Humility": ["All creatures lose all abilities and have base power and toughness 1/1."],
    "Mirrorweave": ["Each other creature becomes a copy of target nonlegendary creature until end of turn."],
    "Murderous Redcap": [
        "When this creature enters, it deals damage equal to its power to any target.",
        "Persist",
    ],
    "Null Profusion": [
        "Skip your draw step.",
        "Whenever you play a card, draw a card.",
        "Your maximum hand size is two.",
    ],
    "Opalescence": [
        "Each other non-Aura enchantment is a creature in addition to its other types and has base power and "
        "toughness each equal to its mana value."
    ],
    "Seht's Tiger": [
        "Flash",
        "When this creature enters, choose a color. You gain protection from the chosen color until end "
        "of turn.",
    ],
    "Trinisphere": [
        "As long as this artifact is untapped, each spell that would cost less than three mana to cast costs "
        "three mana to cast."
    ],
    "White Knight": ["First strike, protection from black"],
    "Wild Mongrel": [
        "Discard a card: Choose a color. This creature gets +1/+1 and becomes the chosen color until end "
        "of turn."
    ],
    "Zodiac Horse": ["Islandwalk"],
}
"""A few entries of the golden file that must not change without review."""


@pytest.mark.parametrize("name", CARDS)
def test_card_reads_as_players_know_it(name: str) -> None:
    assert "\n".join(CARDS[name]) == rules_text(pool()[name])


def test_words_of_the_pool_are_those_last_read() -> None:
    again = "read the difference; if it is better, run: python -m tools golden wording"

    assert FILE.read_text(encoding="utf-8") == golden_text(), again


def test_no_two_cards_of_the_pool_with_different_rules_read_the_same() -> None:
    definitions: dict[str, set[tuple[cards.Ability, ...]]] = {}
    for card in pool().values():
        definitions.setdefault(rules_text(card), set()).add(card.abilities)

    assert [] == [text for text, alike in definitions.items() if len(alike) > 1 and text not in READ_ALIKE]


READ_ALIKE: frozenset[str] = frozenset()


# ------------------------------------------------------------------------------- invented definitions

CREATURE = Card("Test Creature", frozenset({"Creature"}))
MY_CREATURES = All(type=frozenset({"Creature"}), controller=You())
ANY_TARGET = TargetSpec(any_target=True)
TARGET = The("target")
GOBLIN = Filter(subtype=frozenset({"Goblin"}))
YOUR_TURN = cards.Turn(You())
FLYING = Keyword("flying")
RED = Filter(color=frozenset({"red"}))
WHITE = Filter(color=frozenset({"white"}))


def static(affects: cards.Selector, *does: cards.Operation, cond: cards.Condition | None = None) -> Static:
    return Static((Part(affects, does),), cond)


def together(*do: Any, how: Any, n: cards.Quantity) -> cards.Cannot:
    return cards.Cannot(frozenset(do), number=cards.Comparison(how, n))


def creatures(**wanted: Any) -> All:
    return All(type=frozenset({"Creature"}), **wanted)


def spell(*effect: cards.Instruction, targets: tuple[TargetSpec, ...] = ()) -> Spell:
    return Spell(effect, targets)


BOLT = Card("Test Bolt", frozenset({"Instant"}))
OTHERS = cards.All(type=frozenset({"Creature"}), other_than=This())
SENTENCES: list[tuple[cards.Ability, Card, str]] = [
    # who
    (static(creatures(without=(RED,)), Gain((FLYING,))), CREATURE, "Nonred creatures have flying."),
    (
        static(creatures(any_of=(RED, WHITE), other_than=This()), Modify(1, 1)),
        CREATURE,
        "Other red or white creatures get +1/+1.",
    ),
    (
        static(creatures(keyword=frozenset({"flying"}), owner=You(), controller=You()), Modify(1, 1)),
        CREATURE,
        "Creatures you both own and control with flying get +1/+1.",
    ),
    (
        static(creatures(any_of=(RED, Filter(keyword=frozenset({"flying"})))), Modify(1, 1)),
        CREATURE,
        "Creatures that are red or have flying get +1/+1.",
    ),
    (
        static(creatures(without=(Filter(color=frozenset({"red"}), tapped=True),)), Modify(1, 1)),
        CREATURE,
        "Creatures that aren't tapped or aren't red get +1/+1.",
    ),
    (
        static(All(zones=frozenset({"graveyard", "exile"}), of=cards.Opponents()), cards.LoseAllAbilities()),
        CREATURE,
        "Cards in your opponents' graveyards and owned by them in exile lose all abilities.",
    ),
    (
        static(
            creatures(color=frozenset({"chosen color"}), subtype=frozenset({"chosen type"})), Modify(1, 1)
        ),
        CREATURE,
        "Creatures of the chosen color of the chosen type get +1/+1.",
    ),
    # how much
    (
        static(This(), Modify(Count(MY_CREATURES), Count(MY_CREATURES))),
        CREATURE,
        "This creature gets +1/+1 for each creature you control.",
    ),
    (
        static(This(), Modify(cards.Times(-1, PropertyOf("life", You())), 0)),
        CREATURE,
        "This creature gets -X/-0, where X is your life total.",
    ),
    (
        static(
            This(),
            Base(cards.Sum((PropertyOf("power", MY_CREATURES, over="greatest"), cards.Times(-1, 2))), 1),
        ),
        CREATURE,
        "This creature has base power equal to the greatest power among creatures you control minus 2 "
        "and base toughness 1.",
    ),
    (
        spell(cards.Damage(Count(MY_CREATURES), TARGET), targets=(ANY_TARGET,)),
        BOLT,
        "Test Bolt deals X damage to any target, where X is the number of creatures you control.",
    ),
    (
        spell(cards.PutCounters((cards.Counters("charge", cards.X()), cards.Counters("time")), This())),
        BOLT,
        "Put X charge counters and a time counter on Test Bolt.",
    ),
    # whether
    (
        static(This(), Gain((FLYING,)), cond=cards.Matches(This(), Filter(tapped=False))),
        CREATURE,
        "As long as this creature is untapped, it has flying.",
    ),
    (
        static(
            This(),
            Gain((FLYING,)),
            cond=cards.AllOf((YOUR_TURN, cards.AnyOf((cards.Exists(MY_CREATURES), cards.Was("kicked"))))),
        ),
        CREATURE,
        "As long as it's your turn and either you control a creature or this creature was kicked, "
        "this creature has flying.",
    ),
    (
        static(This(), Gain((FLYING,)), cond=cards.Compare(PropertyOf("hand_size", You()), "=", 0)),
        CREATURE,
        "As long as you have no cards in hand, this creature has flying.",
    ),
    (
        static(This(), Gain((FLYING,)), cond=cards.Not(cards.Compare(PropertyOf("life", You()), ">=", 10))),
        CREATURE,
        "As long as you have 9 or less life, this creature has flying.",
    ),
    # operations, in both voices
    (
        spell(
            Effect(TARGET, (Gain((FLYING,)), Modify(2, 0)), "your next turn"),
            targets=(TargetSpec(what=CREATURES),),
        ),
        BOLT,
        "Target creature gains flying and gets +2/+0 until your next turn.",
    ),
    (
        static(This(), cards.BecomeCopy(The("chosen"), (cards.SetName("Ape"), Gain((FLYING,))))),
        CREATURE,
        "This creature is a copy of the chosen, except it has the name Ape and has flying.",
    ),
    (
        static(creatures(), Gain((Keyword("equip", costs=(cards.LifeCost(2),)), Keyword("reach")))),
        CREATURE,
        'All creatures have reach and "Equip—Pay 2 life."',
    ),
    (
        static(MY_CREATURES, Gain((static(This(), Gain((static(This(), Modify(1, 1)),))),)), Modify(1, 1)),
        CREATURE,
        "Creatures you control have \"This creature has 'This creature gets +1/+1'\" and get +1/+1.",
    ),
    (
        static(You(), cards.Cannot(frozenset({"cast"}), Filter(type=frozenset({"Creature"})), after=2)),
        CREATURE,
        "You can't cast more than two creature spells each turn.",
    ),
    (
        static(MY_CREATURES, together("attack", "block", how="=", n=1)),
        CREATURE,
        "Creatures you control can't attack or block alone.",
    ),
    (
        static(This(), replace(together("attack", how="=", n=1), unless=YOUR_TURN)),
        CREATURE,
        "This creature can't attack alone unless it's your turn.",
    ),
    (static(This(), together("attack", how=">", n=1)), CREATURE, "This creature can only attack alone."),
    (
        static(This(), together("block", how="<", n=4)),
        CREATURE,
        "This creature can't block unless at least three other creatures block.",
    ),
    (
        static(creatures(), replace(together("attack", how=">", n=1), whom=You())),
        CREATURE,
        "No more than one creature can attack you each combat.",
    ),
    (
        spell(Effect(creatures(), (together("block", how=">", n=2),), "this turn")),
        BOLT,
        "No more than two creatures can block this turn.",
    ),
    (
        static(creatures(), together("attack", "block", how=">", n=1)),
        CREATURE,
        "No more than one creature can attack and no more than one creature can block each combat.",
    ),
    (
        static(MY_CREATURES, together("attack", how=">=", n=2)),
        CREATURE,
        "Creatures you control can't attack if two or more creatures attack.",
    ),
    (
        static(MY_CREATURES, together("attack", how=">", n=2)),
        CREATURE,
        "Creatures you control can't attack if more than two creatures attack.",
    ),
    (
        static(This(), replace(together("attack", how="<", n=3), whom=cards.Opponents())),
        CREATURE,
        "This creature can't attack your opponents unless at least two other creatures attack your "
        "opponents.",
    ),
    (
        static(This(), together("attack", "block", how="<", n=3)),
        CREATURE,
        "This creature can't attack or block if fewer than three creatures attack or fewer than three "
        "creatures block.",
    ),
    (
        static(This(), together("attack", how="=", n=3)),
        CREATURE,
        "This creature can't attack if exactly three creatures attack.",
    ),
    (
        static(This(), together("attack", how="<=", n=1)),
        CREATURE,
        "This creature can't attack if one or fewer creatures attack.",
    ),
    (
        static(MY_CREATURES, replace(together("attack", how=">", n=1), unless=YOUR_TURN)),
        CREATURE,
        "Creatures you control can only attack alone unless it's your turn.",
    ),
    (
        static(creatures(), together("attack", how=">=", n=1)),
        CREATURE,
        "Creatures can't attack if one or more creatures attack.",
    ),
    (
        static(This(), together("attack", how="odd", n=0)),
        CREATURE,
        "This creature can't attack if an odd number of creatures attack.",
    ),
    (
        static(creatures(), together("block", how=">", n=PropertyOf("hand_size", You()))),
        CREATURE,
        "Creatures can't block if the number of creatures that block is greater than the number of cards "
        "in your hand.",
    ),
    # costs, instructions, events
    (
        Activated((cards.ManaCost("{2}"), cards.TapThis()), spell(cards.Draw(1)).effect, sorcery=True),
        CREATURE,
        "{2}, {T}: Draw a card. Activate only as a sorcery.",
    ),
    (
        Activated((cards.DiscardCost(what=This()),), (cards.Draw(2),), zones=frozenset({"hand"})),
        CREATURE,
        "Discard this card: Draw two cards.",
    ),
    (
        spell(cards.ForEachPlayer(cards.Opponents(), (cards.Discard(1), cards.LoseLife(2)))),
        BOLT,
        "Each opponent discards a card. That player loses 2 life.",
    ),
    (
        spell(cards.May((cards.Draw(2),), cost=(cards.LifeCost(2),), otherwise=(cards.GainLife(2),))),
        BOLT,
        "You may pay 2 life. If you do, draw two cards. If you don't, you gain 2 life.",
    ),
    (
        spell(
            cards.Damage(2, The("one")),
            cards.Damage(1, The("other")),
            targets=(
                TargetSpec(what=CREATURES, name="one"),
                TargetSpec(what=creatures(other_than=The("one")), name="other"),
            ),
        ),
        BOLT,
        "Test Bolt deals 2 damage to target creature. Test Bolt deals 1 damage to another target creature.",
    ),
    (
        Triggered(cards.Dies(MY_CREATURES), (cards.GainLife(PropertyOf("power", It())),)),
        CREATURE,
        "Whenever a creature you control dies, you gain life equal to that creature's power.",
    ),
    (
        Triggered(
            Beginning("upkeep", cards.Opponents()),
            (cards.LoseLife(1, cards.ActivePlayer()),),
            cond=cards.Not(cards.Exists(MY_CREATURES)),
        ),
        CREATURE,
        "At the beginning of each opponent's upkeep, if you control no creatures, that player loses 1 life.",
    ),
    (
        Triggered(
            cards.CastEvent(Filter(without=(Filter(type=frozenset({"Creature"})),)), cards.Opponents()),
            (cards.Damage(2, cards.ControllerOf(It())),),
        ),
        CREATURE,
        "Whenever an opponent casts a noncreature spell, this creature deals 2 damage to that player.",
    ),
    (
        spell(
            cards.Later(cards.Dies(TARGET), (cards.Draw(1),), each=True),
            targets=(TargetSpec(what=CREATURES),),
        ),
        BOLT,
        "Whenever target creature dies this turn, draw a card.",
    ),
    (
        spell(
            cards.Later(cards.BecomesTapped(TARGET), (cards.Draw(1),)),
            targets=(TargetSpec(what=CREATURES),),
        ),
        BOLT,
        "When target creature becomes tapped, draw a card.",
    ),
    (
        Triggered(
            cards.Enters(),
            (
                cards.May(
                    (
                        cards.Discard(1),
                        cards.WhenYouDo((cards.Damage(3, TARGET),), (ANY_TARGET,)),
                    )
                ),
            ),
        ),
        CREATURE,
        "When this creature enters, you may discard a card. When you do, it deals 3 damage to any target.",
    ),
    (
        Triggered(
            cards.Activates(
                cards.Opponents(), All(type=frozenset({"Creature"})), frozenset({"mana abilities"})
            ),
            (cards.Damage(2, cards.ControllerOf(It())),),
        ),
        CREATURE,
        "Whenever an opponent activates an ability of a creature that isn't a mana ability, "
        "this creature deals 2 damage to that player.",
    ),
    (
        Triggered(
            cards.Activates(only="loyalty abilities", of=All(type=frozenset({"Planeswalker"}))),
            (cards.CopySpell(It(), new_targets=False),),
        ),
        CREATURE,
        "Whenever you activate a loyalty ability of a planeswalker, copy that ability.",
    ),
    (
        Triggered(
            cards.Nth(2, cards.Activates(but=frozenset({"mana abilities", "loyalty abilities"}))),
            (cards.Draw(cards.HowOften(cards.Activates(of=This()))),),
            cond=cards.Happened(cards.Activates(cards.Everyone(), but=frozenset({"mana abilities"})), 2),
        ),
        CREATURE,
        "Whenever you activate an ability that isn't a mana or loyalty ability for the second time each "
        "turn, if a player has activated two or more abilities that aren't mana abilities this turn, draw a "
        "card for each time you've activated an ability of this creature this turn.",
    ),
    (
        Triggered(
            cards.Transforms(
                All(controller=You()),
                Filter(type=frozenset({"Creature"}), without=(Filter(subtype=frozenset({"Human"})),)),
            ),
            (cards.Draw(1),),
        ),
        CREATURE,
        "Whenever a permanent you control transforms into a non-Human creature, draw a card.",
    ),
    (
        Triggered(cards.CastEvent(), (cards.May((cards.Draw(1),)),), once=True),
        CREATURE,
        "Whenever you cast a spell, you may draw a card. Do this only once each turn.",
    ),
    (
        static(All(controller=You()), cards.TriggersAgain(cards.Enters(All(type=frozenset({"Creature"}))))),
        CREATURE,
        "If a creature enters and that causes a triggered ability of a permanent you control to trigger, "
        "that ability triggers an additional time.",
    ),
    (
        Triggered(
            cards.Leaves(),
            (
                cards.Put(
                    All(zones=frozenset({"exile"}), put_by=This()), "battlefield", under=cards.OwnerOf(It())
                ),
            ),
        ),
        CREATURE,
        "When this creature leaves the battlefield, put all cards exiled with it onto the battlefield under "
        "their owners' control.",
    ),
    (
        static(creatures(token=True, put_by=This()), Modify(1, 1)),
        CREATURE,
        "Creature tokens put onto the battlefield with this creature get +1/+1.",
    ),
    (
        Triggered(cards.Attacks(MY_CREATURES, alone=True), (cards.GainLife(1),)),
        CREATURE,
        "Whenever a creature you control attacks alone, you gain 1 life.",
    ),
    (
        Triggered(cards.Blocks(what=Filter(type=frozenset({"Creature"}))), (cards.Destroy(It()),)),
        CREATURE,
        "Whenever this creature blocks a creature, destroy that creature.",
    ),
    (
        Triggered(
            cards.BecomesBlocked(
                by=Filter(type=frozenset({"Creature"}), without=(Filter(keyword=frozenset({"flying"})),))
            ),
            (cards.Destroy(It()),),
        ),
        CREATURE,
        "Whenever this creature becomes blocked by a creature without flying, destroy that creature.",
    ),
    (
        cards.AsEnters(counters=(cards.Counters("+1/+1"),), may=True, otherwise=(Keyword("haste"),)),
        CREATURE,
        "You may have this creature enter with a +1/+1 counter on it. If you don't, it gains haste.",
    ),
    (
        Triggered(
            Beginning("upkeep", You()),
            (
                cards.May(
                    (),
                    cost=(cards.ManaCost("{1}"),),
                    otherwise=(cards.Sacrifice(This()),),
                    times=PropertyOf("counters", This(), "age"),
                ),
            ),
        ),
        CREATURE,
        "At the beginning of your upkeep, sacrifice this creature unless you pay {1} for each age counter "
        "on it.",
    ),
    (Keyword("ward", "{2}"), CREATURE, "Ward {2}"),
    (Keyword("crew", n=3), CREATURE, "Crew 3"),
    (Keyword("overload", "{6}{U}"), BOLT, "Overload {6}{U}"),
    (Keyword("disguise", "{2}{U}"), CREATURE, "Disguise {2}{U}"),
    (Keyword("plot", "{1}{R}"), CREATURE, "Plot {1}{R}"),
    (
        Keyword(
            "escape",
            "{R}",
            costs=(cards.ExileCost(All(zones=frozenset({"graveyard"}), other_than=This()), 4, "graveyard"),),
        ),
        CREATURE,
        "Escape—{R}, Exile four other cards from your graveyard.",
    ),
    (
        Activated((cards.TapOthers(Filter(type=frozenset({"Creature"})), power=3),), (cards.Draw(1),)),
        CREATURE,
        "Tap any number of untapped creatures you control with total power 3 or greater: Draw a card.",
    ),
    (Activated((cards.ExileCost(),), (cards.Draw(1),)), CREATURE, "Exile this creature: Draw a card."),
    (
        Activated((cards.ExileCost(),), (cards.Draw(1),), zones=frozenset({"graveyard"})),
        CREATURE,
        "Exile this card from your graveyard: Draw a card.",
    ),
    (
        Triggered(cards.Discards(what=Filter(type=frozenset({"Creature"}))), (cards.GainLife(1),)),
        CREATURE,
        "Whenever you discard a creature card, you gain 1 life.",
    ),
    (
        Triggered(cards.Enters(), (cards.Draw(1),), cond=cards.Was("evoked")),
        CREATURE,
        "When this creature enters, if its evoke cost was paid, draw a card.",
    ),
    (Keyword("foretell", "{1}{U}"), BOLT, "Foretell {1}{U}"),
    (Keyword("saddle", n=2), CREATURE, "Saddle 2"),
    (Keyword("afterlife", n=2), CREATURE, "Afterlife 2"),
    (Keyword("delve"), BOLT, "Delve"),
    (Keyword("reconfigure", "{2}"), CREATURE, "Reconfigure {2}"),
    (Triggered(cards.Enters(), (cards.Unattach(It()),)), CREATURE, "When this creature enters, unattach it."),
    (Keyword("prototype", "{2}{G}", power=3, toughness=3), CREATURE, "Prototype {2}{G} — 3/3"),
    (
        Triggered(cards.Attacks(saddled=True), (cards.Draw(1),)),
        CREATURE,
        "Whenever this creature attacks while saddled, draw a card.",
    ),
    (
        Triggered(cards.Enters(All(subtype=frozenset({"Mount"}), controller=You())), (cards.Saddle(It()),)),
        CREATURE,
        "Whenever a Mount you control enters, that creature becomes saddled until end of turn.",
    ),
    (
        cards.Static((cards.Part(This(), (cards.CrewPower(2),)),)),
        CREATURE,
        "This creature saddles Mounts and crews Vehicles as though its power were 2 greater.",
    ),
    (
        cards.Static(
            (cards.Part(All(type=frozenset({"Creature"}), saddler_of=This()), (cards.Modify(1, 1),)),),
            cond=cards.Not(cards.Matches(This(), Filter(saddled=True))),
        ),
        CREATURE,
        "As long as this creature isn't saddled, creatures that saddled this creature this turn get +1/+1.",
    ),
    (
        cards.Spell((cards.If(cards.Was("foretold"), (cards.Draw(2),), (cards.Draw(1),)),)),
        BOLT,
        "If this spell was foretold, draw two cards. Otherwise, draw a card.",
    ),
    (
        Triggered(cards.Enters(), (cards.Sacrifice(This()),), cond=cards.Not(cards.Was("escaped"))),
        CREATURE,
        "When this creature enters, if it didn't escape, sacrifice it.",
    ),
    (Keyword("ward", costs=(cards.LifeCost(2),)), CREATURE, "Ward—Pay 2 life."),
    (Keyword("cumulative upkeep", "{1}"), CREATURE, "Cumulative upkeep {1}"),
    (Keyword("bushido", n=2), CREATURE, "Bushido 2"),
    (Keyword("living weapon"), CREATURE, "Living weapon"),
    (
        Triggered(cards.BecomesUnattached(), (cards.Sacrifice(It()),)),
        Card("Test Wargear", frozenset({"Artifact"}), subtypes=frozenset({"Equipment"})),
        "Whenever this Equipment becomes unattached from a permanent, sacrifice that permanent.",
    ),
    (
        Triggered(cards.IsCountered(Filter(color=frozenset({"blue"}))), (cards.Draw(1),)),
        CREATURE,
        "Whenever a blue spell you control is countered, draw a card.",
    ),
    (
        Triggered(cards.LosesGame(cards.Opponents()), (cards.GainLife(10),)),
        CREATURE,
        "Whenever an opponent loses the game, you gain 10 life.",
    ),
    (
        spell(
            cards.Discard(PropertyOf("hand_size", TARGET), TARGET),
            targets=(TargetSpec(players=cards.Everyone()),),
        ),
        BOLT,
        "Target player discards their hand.",
    ),
    (
        spell(
            cards.Exile(TARGET, "exiled"),
            cards.Put(The("exiled"), "battlefield", under=cards.OwnerOf(The("exiled"))),
            targets=(TargetSpec(what=MY_CREATURES),),
        ),
        BOLT,
        "Exile target creature you control. Put that card onto the battlefield under its owner's control.",
    ),
    (
        spell(cards.Sacrifice(CREATURES, TARGET, 2), targets=(TargetSpec(players=cards.Opponents()),)),
        BOLT,
        "Target opponent sacrifices two creatures of their choice.",
    ),
    (
        spell(
            cards.Destroy(CREATURES),
            cards.Draw(cards.ThatMuch()),
            targets=(TargetSpec(players=cards.Everyone()),),
        ),
        BOLT,
        "Choose target player. Destroy all creatures. Draw that many cards.",
    ),
    (
        Spell(
            (cards.Tap(TARGET),),
            (TargetSpec(what=CREATURES, least=0, most=cards.X()),),
            modes=(cards.Mode((cards.Draw(1),)), cards.Mode((cards.GainLife(2),))),
            modes_most=2,
        ),
        BOLT,
        "Tap up to X target creatures. Choose one or both —\n• Draw a card.\n• You gain 2 life.",
    ),
    (
        static(CREATURES, Gain((Activated((), modes=(cards.Mode((cards.Draw(1),)), cards.Mode(()))),))),
        CREATURE,
        'All creatures have "{0}: Choose one — draw a card or nothing happens."',
    ),
    (
        cards.Defines((Base(2, PropertyOf("counters", This(), "charge")),)),
        CREATURE,
        "This creature's power is 2 and its toughness is equal to the number of charge counters on this "
        "creature.",
    ),
    (
        static(cards.Others(), cards.HandSize("plus", -2), cards.LandDrops(1)),
        CREATURE,
        "Other players' maximum hand sizes are reduced by two and they may play an additional land on each "
        "of their turns.",
    ),
    (
        static(
            This(),
            Gain((FLYING,)),
            cond=cards.Exists(All(zones=frozenset({"graveyard"}), of=You(), top=True)),
        ),
        CREATURE,
        "As long as there is a card in your graveyard, this creature has flying.",
    ),
    (
        static(
            This(),
            Gain((FLYING,)),
            cond=cards.Matches(cards.Attached(), Filter(controller=cards.Opponents())),
        ),
        Card("Test Aura", frozenset({"Enchantment"}), subtypes=frozenset({"Aura"})),
        "As long as an opponent controls enchanted permanent, this Aura has flying.",
    ),
    (
        cards.AsEnters(
            choose=(cards.ChooseInstruction("player"),),
            counters=(cards.Counters("charge", 3),),
            also_turned_up=True,
        ),
        CREATURE,
        "As this creature enters or is turned face up, choose a player. "
        "This creature enters or is turned face up with three charge counters on it.",
    ),
    (
        static(
            creatures(without=(Filter(keyword=frozenset({"flying"})), Filter(token=True))), Modify(-1, -1)
        ),
        CREATURE,
        "Nontoken creatures without flying get -1/-1.",
    ),
    # "it", as what a trigger saw
    (
        Triggered(cards.Enters(OTHERS), (cards.Effect(This(), (cards.BecomeCopy(cards.It()),)),)),
        CREATURE,
        "Whenever another creature enters, this creature becomes a copy of that creature.",
    ),
    (
        Triggered(
            cards.Enters(OTHERS),
            (cards.Effect(This(), (Modify(cards.PropertyOf("power", cards.It()), 0),), until="end of turn"),),
        ),
        CREATURE,
        "Whenever another creature enters, this creature gets +X/+0 until end of turn, where X is that "
        "creature's power.",
    ),
    (
        Triggered(
            cards.Dies(OTHERS),
            (cards.Effect(This(), (cards.GainControl(cards.ControllerOf(cards.It())),)),),
        ),
        CREATURE,
        "Whenever another creature dies, that creature's controller gains control of this creature.",
    ),
    # "it" is only what was mentioned last
    (
        Triggered(
            cards.DealsDamage(This(), creatures(), combat=True),
            (cards.Tap(The("damaged")), cards.Explore(This())),
        ),
        CREATURE,
        "Whenever this creature deals combat damage to a creature, tap that creature. "
        "This creature explores.",
    ),
    (
        Triggered(cards.DealsDamage(creatures(), This()), (cards.Tap(The("damaged")),)),
        CREATURE,
        "Whenever a creature deals damage to this creature, tap this creature.",
    ),
    # what happened this turn, how often, and to how many
    (
        Triggered(cards.Beginning("end"), (cards.Draw(1),), cond=cards.Happened(cards.GainsLife(), 3)),
        CREATURE,
        "At the beginning of your end step, if you gained 3 or more life this turn, draw a card.",
    ),
    (
        Triggered(
            cards.Beginning("end"),
            (cards.Draw(1),),
            cond=cards.Not(
                cards.Happened(cards.Dies(cards.All(type=frozenset({"Creature"}), controller=You())))
            ),
        ),
        CREATURE,
        "At the beginning of your end step, if no creatures died under your control this turn, draw a card.",
    ),
    (
        Static(
            (cards.Part(This(), (Modify(cards.HowOften(cards.CastEvent(Filter(other_than=This()))), 0),)),),
            cards.Happened(cards.Attacks(cards.All(type=frozenset({"Creature"}), controller=You())), 2),
        ),
        CREATURE,
        "As long as you attacked with two or more creatures this turn, this creature gets +1/+0 for each "
        "other spell you've cast this turn.",
    ),
    (
        Triggered(cards.Nth(2, cards.Draws()), (cards.GainLife(1),)),
        CREATURE,
        "Whenever you draw your second card each turn, you gain 1 life.",
    ),
    (
        Triggered(cards.Nth(1, cards.LosesLife(cards.Opponents())), (cards.GainLife(1),)),
        CREATURE,
        "Whenever an opponent loses life for the first time each turn, you gain 1 life.",
    ),
    (
        Triggered(
            cards.OneOrMore(cards.Sacrifices(what=Filter(token=True))), (cards.Draw(1),), triggers_once=True
        ),
        CREATURE,
        "Whenever you sacrifice one or more tokens, draw a card. This ability triggers only once each turn.",
    ),
    (
        Triggered(cards.OneOrMore(cards.Dies(OTHERS)), (cards.Draw(cards.ThatMuch()),)),
        CREATURE,
        "Whenever one or more other creatures die, draw that many cards.",
    ),
    (
        Triggered(
            cards.Attacks(cards.All(type=frozenset({"Creature"})), whom=You(), or_theirs=True),
            (cards.Draw(1),),
        ),
        CREATURE,
        "Whenever a creature attacks you or a planeswalker you control, draw a card.",
    ),
    (
        Triggered(cards.Cycles(what=Filter(same_as=This())), (cards.Draw(1),)),
        CREATURE,
        "When you cycle this card, draw a card.",
    ),
    (
        Triggered(cards.Cycles(cards.Everyone()), (cards.GainLife(1),)),
        CREATURE,
        "Whenever a player cycles a card, you gain 1 life.",
    ),
    (
        Triggered(cards.IsDealtDamage(), (cards.Draw(cards.ThatMuch()),)),
        CREATURE,
        "Whenever this creature is dealt damage, draw that many cards.",
    ),
    (
        Triggered(cards.OneOrMore(cards.IsDealtDamage(OTHERS, combat=True)), (cards.Draw(1),)),
        CREATURE,
        "Whenever one or more other creatures are dealt combat damage, draw a card.",
    ),
    (
        Triggered(cards.AttacksUnblocked(), (cards.GainLife(2),)),
        CREATURE,
        "Whenever this creature attacks and isn't blocked, you gain 2 life.",
    ),
    # what lasts for some time
    (
        Triggered(
            cards.Enters(),
            (cards.Exile(cards.The("target"), until_leaves=True),),
            (cards.TargetSpec(cards.All(type=frozenset({"Creature"}), other_than=This())),),
        ),
        CREATURE,
        "When this creature enters, exile another target creature until this creature leaves the "
        "battlefield.",
    ),
    (
        Triggered(
            cards.Attacks(),
            (
                cards.Tap(cards.The("target")),
                cards.Effect(cards.The("target"), (cards.Cannot(frozenset({"untap"})),), "next untap step"),
            ),
            (cards.TargetSpec(cards.All(type=frozenset({"Creature"}))),),
        ),
        CREATURE,
        "Whenever this creature attacks, tap target creature. That creature doesn't untap during its "
        "controller's next untap step.",
    ),
    # keywords
    (
        Keyword("protection", what=Filter(any_of=(RED, GOBLIN))),
        CREATURE,
        "Protection from red and from Goblins",
    ),
    (
        Keyword("landwalk", what=Filter(type=frozenset({"Land"}), supertype=frozenset({"Legendary"}))),
        CREATURE,
        "Legendary landwalk",
    ),
    (
        Keyword("cycling", "{2}", what=Filter(type=frozenset({"Land"}), supertype=frozenset({"Basic"}))),
        CREATURE,
        "Basic landcycling {2}",
    ),
    (Keyword("suspend", "{R}", 4), CREATURE, "Suspend 4—{R}"),
]


@pytest.mark.parametrize(("ability", "card", "text"), SENTENCES, ids=[text[:60] for _, _, text in SENTENCES])
def test_definition_reads_as_a_player_would_say_it(ability: cards.Ability, card: Card, text: str) -> None:
    assert text == ability_text(ability, card)


def test_card_is_read_from_its_name_down_to_its_size() -> None:
    card = Card(
        "Test Hybrid",
        frozenset({"Creature", "Artifact"}),
        "{1}{G}",
        frozenset({"Legendary"}),
        frozenset({"Wizard", "Human", "Equipment"}),
        frozenset({"green"}),
        "*",
        2,
        3,
        (FLYING, Keyword("vigilance"), Keyword("equip", "{2}"), Keyword("haste")),
    )

    assert [
        "Test Hybrid {1}{G}",
        "Color indicator: green",
        "Legendary Artifact Creature — Equipment Human Wizard",
        "Flying, vigilance",
        "Equip {2}",
        "Haste",
        "*/2",
        "Loyalty: 3",
    ] == card_text(card).split("\n")


# ------------------------------------------------------------------------------ actions and scenarios

STACKED = (
    (actions.CastAction("bolt", "alice", (("bear",),)), "Alice casts bolt targeting bear."),
    (
        actions.CastAction(
            "fireball",
            "alice",
            (("bear", "bob"),),
            modes=(1, 2),
            x=4,
            divide=(actions.Share("bear", 3), actions.Share("bob", 1)),
            costs=(actions.CostPaid("sacrifice", ("redcap",)), actions.CostPaid("kicked", n=2)),
            pay=actions.Pay(
                (actions.PayStep("birds", choose="red"), actions.PayStep(pool="{G}")), undo_mana=False
            ),
            as_="big",
        ),
        "Alice casts fireball with modes 1 and 2 and X = 4 targeting bear and bob, divided as 3 to bear and "
        "1 to bob, sacrificing redcap, kicked (2), paying with mana of birds for red and {G} from the pool "
        "and keeping the mana if that turns out illegal (called big).",
    ),
    (actions.CastAction("demon", "bob", face_down=True), "Bob casts demon face down."),
    (
        actions.Activate("birds", "mana", "alice", produces="green"),
        "Alice activates mana of birds, producing green.",
    ),
    (actions.PlayAction("forest", "alice"), "Alice plays forest."),
    (actions.TurnUp("demon", "bob", pay=actions.Pay()), "Bob turns demon face up, paying with nothing."),
    (actions.Special("suspend", "alice", "ancestral"), "Alice takes a special action of ancestral: suspend."),
    (actions.Pass("bob"), "Bob passes."),
    (actions.Pass("everyone"), "Everyone passes until an object has resolved or a step has ended."),
    (actions.Resolve("bolt"), "Everyone passes until bolt has left the stack."),
    (actions.Settle(), "Everyone passes until the stack is empty."),
    (actions.Advance("upkeep", "bob"), "Everyone passes on to the next upkeep of Bob's turn."),
    (
        actions.Attack((actions.Attacker("bear", "bob"), actions.Attacker("ogre", "jace")), "alice"),
        "Alice declares attackers: bear attacks bob and ogre attacks jace.",
    ),
    (actions.Block((), "bob"), "Bob declares blockers: none."),
    (
        actions.Assign(
            (actions.Assignment("bear", (actions.Share("wall", 2), actions.Share("bob", 3))),), "alice"
        ),
        "Alice divides combat damage: bear deals 2 to wall and 3 to bob.",
    ),
    (
        actions.ChooseAction("may", "bob", (False,), "scry of seer"),
        "Bob chooses whether to do it for scry of seer: no.",
    ),
    (
        actions.ChooseAction("division", "bob", (actions.Share("bear", 2),)),
        "Bob chooses how to divide: 2 to bear.",
    ),
    (
        actions.Call((actions.TokenNames("Faerie Rogue", ("rogue",)),)),
        "The new tokens have these names from here on: rogue for Faerie Rogue.",
    ),
    (actions.Look("stolen"), "Take a look: stolen."),
    (
        actions.Try("too_early", actions.PlayAction("forest", "bob")),
        "Try whether this can be done (too_early): Bob plays forest.",
    ),
)


@pytest.mark.parametrize(("action", "text"), STACKED, ids=[text[:40] for _, text in STACKED])
def test_action_is_reported_as_a_judge_would_tell_it(action: Action, text: str) -> None:
    assert text == action_text(action)


BEAR = Card(
    "Test Bear", frozenset({"Creature"}), "{1}{G}", subtypes=frozenset({"Bear"}), power=2, toughness=2
)
FIXTURE = scenario.Fixture(
    id="L-9999",
    title="A switched creature",
    rules=("613.4d",),
    holds=scenario.Holds("2020-04-17", "2024-11-08"),
    note="From a table.",
    disputed="nobody is sure",
    play=scenario.Play(
        players=(
            setup.Player("alice", library=("plains1", "plains2"), hand=("face",), team="ours"),
            setup.Player("bob", 17, counters=(cards.Counters("poison", 2),), graveyard=("old",)),
        ),
        start=setup.Start("alice", "end of combat"),
        cards=(
            scenario.CardInPlay(BEAR),
            scenario.CardInPlay(Card("Plains", frozenset({"Land"}), supertypes=frozenset({"Basic"}))),
        ),
        objects=(
            setup.Object("bear", "Test Bear", "alice"),
            setup.Object("test_bear", "Test Bear", "bob"),
            setup.Object("old", "Test Bear", "bob"),
            setup.Object("face", "About Face", "alice"),
            setup.Object("plains1", "Plains", "alice"),
            setup.Object("plains2", "Plains", "alice"),
        ),
        setup=(
            setup.Arrival(
                (
                    setup.Entry("bear", "alice", counters=(cards.Counters("+1/+1"),), tapped=True, damage=1),
                    setup.Entry("test_bear", "bob", face_down=True, new=True),
                ),
                (setup.TimestampOrder("alice", ("bear",)),),
            ),
            setup.Arrival(
                (
                    setup.Entry(
                        "aura",
                        "bob",
                        attached_to="bear",
                        choices=(actions.ChooseAction("color", "bob", ("red",)),),
                    ),
                )
            ),
        ),
        script=(actions.CastAction("face", "alice", (("bear",), ("bob",))), actions.Settle()),
    ),
    expect=(
        scenario.Expectation("end", "bear", "power", scenario.Equals(3), "CR 613.4d: switched"),
        scenario.Expectation("end", "bear", "colors", scenario.Equals(())),
        scenario.Expectation(
            "mid",
            "bear",
            "controller",
            scenario.Equals("bob"),
            source_says=scenario.SourceSays("alice", "old"),
        ),
        scenario.Expectation(
            "end", "bear", "tapped", scenario.Equals(True), holds=scenario.Holds(until="2024-11-08")
        ),
        scenario.Expectation("end", "bear", "name", scenario.Equals(None)),
        scenario.Expectation(
            "end", "bear", "counters", scenario.Equals((scenario.SeenCounters("+1/+1", 2),))
        ),
        scenario.Expectation("end", "bear", "keywords", scenario.Has(("flying", "haste"))),
        scenario.Expectation("end", "bear", "keywords", scenario.Lacks(("reach",))),
        scenario.Expectation("end", "bob", "graveyard", scenario.InAnyOrder(("old", "face"))),
        scenario.Expectation(
            "end", "bear", "toughness", scenario.OneOfTest((scenario.Equals(2), scenario.Equals(4)))
        ),
        scenario.Expectation("end", "table", "tokens", scenario.Number("Rogue", 1, "bob")),
        scenario.Expectation("end", "too_early", "tried", scenario.Equals("rejected")),
    ),
)
TOLD = """\
L-9999: A switched creature
From a table.
Disputed: nobody is sure
This holds since 2020-04-17 and until 2024-11-08.

Players
- Alice of team ours has 20 life; hand: About Face (face); library: two Plains.
- Bob has 17 life; two poison counters; graveyard, top first: Test Bear (old).
- It is Alice's turn, end of combat step.

On the battlefield, oldest first
- Test Bear (bear) of Alice, tapped, with a +1/+1 counter, with 1 damage and Test Bear of Bob, face down, \
new this turn (all at once); Alice has the order bear.
- Aura of Bob, attached to bear, colors chosen: red.

What is done
1. Alice casts About Face (face) targeting bear and Bob.
2. Everyone passes until the stack is empty.

What is to be seen
- At the end, bear: power is 3 (CR 613.4d: switched).
- At the end, bear: no colors.
- At mid, bear: controller is Bob; the source says Alice (old).
- At the end, bear: tapped is yes until 2024-11-08.
- At the end, bear: name is none.
- At the end, bear: counters are 2 +1/+1.
- At the end, bear: keywords include flying and haste.
- At the end, bear: keywords lack reach.
- At the end, Bob: graveyard is old and face in any order.
- At the end, bear: toughness is 2 or 4.
- At the end, the table: 1 token named Rogue controlled by Bob.
- At the end, too_early: rejected.

The cards

Test Bear {1}{G}
Creature — Bear
2/2
"""


def test_scenario_is_reported_from_the_players_to_the_cards() -> None:
    assert TOLD == scenario_text(FIXTURE)


@given(anything(Action))
def test_every_action_is_a_sentence(action: Action) -> None:
    text = action_text(action)

    assert "None" not in text and "  " not in text and text[0].isupper() and text[-1] == ".", text


@pytest.mark.sweep
@given(anything(scenario.Fixture))
def test_every_scenario_can_be_told(fixture: scenario.Fixture) -> None:
    text = scenario_text(fixture)

    heading = fixture.id if fixture.id == fixture.title else f"{fixture.id}: {fixture.title}"
    assert text.startswith(f"{heading}\n") and "None" not in text


# ------------------------------------------------------------------------ every definition has words


def paragraphs_are_well_formed(text: str) -> None:
    assert text and "None" not in text and "<" not in text and "  " not in text, text
    for line in text.split("\n"):
        letters = re.sub(r"^(?:• )?", "", line)
        assert not letters[0].islower() or letters[0] == "{", text
        assert line[-1] in "." or re.search(r"""[.]["']+$""", line) or line.endswith("—"), text


@pytest.mark.sweep
@given(anything(cards.Ability))
def test_every_ability_has_a_well_formed_text(ability: cards.Ability) -> None:
    text = ability_text(ability, None)

    if isinstance(ability, cards.Keyword | cards.LevelBar):
        assert text and "None" not in text and "  " not in text and not text[0].islower(), text
    else:
        paragraphs_are_well_formed(text)


@pytest.mark.sweep
@given(anything(Card))
def test_every_card_has_a_text(card: Card) -> None:
    text = card_text(card)

    assert text.startswith(card.name)
    if card.halves:
        assert all(card_text(half) in text for half in card.halves)
        return
    assert bool(rules_text(card)) == bool(card.abilities)
    assert type_line(card) in text
    assert "None" not in text and "<" not in text and "  " not in text, text


@pytest.mark.parametrize("n", [-1, 0, 40, 10**9])
def test_chapter_that_no_saga_has_is_written_in_digits(n: int) -> None:
    assert ability_text(cards.Triggered(cards.Chapter(n)), None) == f"{n} — Nothing happens."


# ----------------------------------------------------------- different meanings have different words


def family_of(union: Any) -> str:
    return next(name for name, value in vars(cards).items() if value is union)


FAMILIES = [
    cards.Selector,
    cards.Quantity,
    cards.Condition,
    cards.Operation,
    cards.Cost,
    cards.Instruction,
    cards.TriggerEvent,
    cards.Ability,
]
RECORDS = [
    struct
    for struct in vars(cards).values()
    if isinstance(struct, type) and issubclass(struct, Struct) and struct is not Struct
]
KEYS = [(struct, name) for struct in RECORDS for name in hints(struct)]


def doing(*effect: cards.Instruction) -> cards.Ability:
    return Activated((), effect)


def context(value: Any) -> str:
    """The text of a card with a value in a place where its kind may be."""
    ability: cards.Ability
    match value:
        case Card():
            return card_text(value)
        case _ if isinstance(value, cards.Ability):
            ability = value
        case cards.All():
            ability = cards.Static((cards.Part(value, (cards.LoseAllAbilities(),)),))
        case cards.Filter():
            ability = cards.Static((cards.Part(cards.All(**as_keys(value)), (cards.LoseAllAbilities(),)),))
        case cards.Comparison():
            return context(cards.Filter(power=value))
        case _ if isinstance(value, cards.Selector):
            ability = doing(cards.LoseLife(1, value))
        case _ if isinstance(value, cards.Quantity):
            ability = doing(cards.LoseLife(value))
        case _ if isinstance(value, cards.Condition):
            ability = cards.Static((cards.Part(CREATURES, (cards.LoseAllAbilities(),)),), value)
        case _ if isinstance(value, cards.Operation):
            ability = cards.Static((cards.Part(CREATURES, (value,)),))
        case cards.Part():
            ability = cards.Static((value,))
        case _ if isinstance(value, cards.Cost):
            ability = cards.Activated((value,))
        case _ if isinstance(value, cards.Instruction):
            ability = doing(value)
        case _ if isinstance(value, cards.TriggerEvent):
            ability = cards.Triggered(value, (cards.Draw(1),))
        case cards.TargetSpec():
            ability = cards.Activated((), (cards.Tap(cards.The(value.name)),), (value,))
        case cards.Mode():
            ability = cards.Activated((), modes=(value,))
        case cards.GoTo():
            return context(cards.Would("die", value))
        case cards.TimesAsMany() | cards.Plus() | cards.DealTo() | cards.DoInstead() | cards.Nothing():
            return context(cards.Would("be dealt damage", value))
        case cards.Option():
            ability = cards.AsEnters(one_of=(value,))
        case cards.CopyAsEnters():
            ability = cards.AsEnters(copy=value)
        case cards.CountersIf():
            return context(cards.CopyAsEnters(CREATURES, counters=(value,)))
        case cards.Spending():
            ability = doing(cards.AddMana("{C}", only=value))
        case cards.ManaRider():
            ability = doing(cards.AddMana("{C}", rider=value))
        case cards.Counters():
            ability = doing(cards.PutCounters((value,), cards.This()))
        case _:
            raise TypeError(value)
    return ability_text(ability, Card("Test Card", frozenset({"Enchantment"}), abilities=(ability,)))


def as_keys(value: Struct) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__struct_fields__}


@pytest.mark.parametrize("family", FAMILIES, ids=family_of)
def test_every_member_has_words_of_its_own(family: Any) -> None:
    texts = [context(value) for value in samples(family)]

    assert sorted(set(texts)) == sorted(texts)


LABELS = {
    (cards.AlternativeCost, "name"),
    (cards.SacrificeCost, "name"),
    (cards.Exile, "name"),
    (cards.CounterSpell, "name"),
    (cards.Put, "name"),
    (cards.Create, "name"),
    (cards.Reveal, "name"),
    (cards.ExileUntilFound, "name"),
    (cards.Cast, "name"),
    (cards.CopyCard, "name"),
    (cards.Manifest, "name"),
    (cards.Cloak, "name"),
    (cards.ManifestDread, "name"),
    (cards.ChooseInstruction, "name"),
    (cards.Later, "name"),
    (cards.WhenYouDo, "name"),
    (cards.TargetSpec, "name"),
    (cards.Activated, "name"),
    (cards.Triggered, "name"),
}
"""Names that tie instructions together and that nobody reads."""
PLAYERS_OF_PLAYERS = {(cards.ControllerOf, "of"), (cards.OwnerOf, "of"), (cards.Put, "under")}
"""Where the samples include things that only players can be, or the other way round."""
GRAVEYARD = cards.All(zones=frozenset({"graveyard"}))
TWO_MODES = (cards.Mode((cards.Draw(1),)), cards.Mode((cards.Discard(1),)), cards.Mode((cards.GainLife(2),)))
BASES: dict[tuple[type[Struct], str], Struct] = {
    (Card, "back"): BOLT,
    (cards.All, "of"): GRAVEYARD,
    (cards.All, "top"): GRAVEYARD,
    (cards.PropertyOf, "counter"): cards.PropertyOf("counters", cards.This()),
    (cards.PropertyOf, "over"): cards.PropertyOf("power", CREATURES),
    (cards.Must, "by"): cards.Must("be blocked"),
    (cards.May, "times"): cards.May((), cost=(cards.LifeCost(1),)),
    (cards.SacrificeCost, "n"): cards.SacrificeCost(CREATURES),
    (cards.DiscardCost, "n"): cards.DiscardCost(what=cards.All(type=frozenset({"Creature"}))),
    (cards.Card, "modal"): Card("Ox", frozenset({"Creature"}), back=Card("Yak", frozenset({"Creature"}))),
    (cards.ExileCost, "n"): cards.ExileCost(CREATURES),
    (cards.ExileCost, "zone"): cards.ExileCost(CREATURES),
    (cards.Would, "by"): cards.Would("be dealt damage", cards.TimesAsMany(2)),
    (cards.Would, "combat"): cards.Would("be dealt damage", cards.TimesAsMany(2)),
    (cards.Would, "counter"): cards.Would("get counters", cards.TimesAsMany(2)),
    (cards.GoTo, "bottom"): cards.GoTo("library"),
    (cards.Put, "bottom"): cards.Put(cards.This(), "library"),
    (cards.Put, "shuffled"): cards.Put(cards.This(), "library"),
    (cards.Put, "at_random"): cards.Put(cards.This(), "library", bottom=True),
    (cards.LookThrough, "n"): cards.LookThrough(4),
    (cards.LookThrough, "rest"): cards.LookThrough(4),
    (cards.LookThrough, "tapped"): cards.LookThrough(4, to="battlefield"),
    (cards.Create, "but"): cards.Create(copy_of=cards.This()),
    (cards.Sacrifice, "n"): cards.Sacrifice(CREATURES),
    (cards.ChooseInstruction, "kind"): cards.ChooseInstruction("object"),
    (cards.TargetSpec, "least"): cards.TargetSpec(what=CREATURES, most=20),
    (cards.ChooseInstruction, "of"): cards.ChooseInstruction("type"),
    (cards.ChooseInstruction, "never"): cards.ChooseInstruction("type"),
    (cards.ChooseInstruction, "among"): cards.ChooseInstruction("name"),
    (cards.ChooseInstruction, "least"): cards.ChooseInstruction("object", CREATURES, most=4),
    (cards.CopyAsEnters, "counters"): cards.CopyAsEnters(CREATURES),
    (cards.Keyword, "power"): Keyword("prototype", "{1}", power=9, toughness=9),
    (cards.Keyword, "toughness"): Keyword("prototype", "{1}", power=9, toughness=9),
    (cards.Activated, "modes_chosen"): cards.Activated((), modes=TWO_MODES),
    (cards.Triggered, "modes_chosen"): cards.Triggered(cards.Enters(), modes=TWO_MODES),
    (cards.Spell, "modes_chosen"): cards.Spell(modes=TWO_MODES),
    (cards.Spell, "modes_most"): cards.Spell(modes=TWO_MODES),
}
"""Where a key means something only together with others."""


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("struct", "name"),
    [key for key in KEYS if key not in LABELS | PLAYERS_OF_PLAYERS],
    ids=lambda part: getattr(part, "__name__", part),
)
def test_every_key_is_reported(struct: type[Struct], name: str) -> None:
    texts = [context(value) for value in varied(struct, name, BASES.get((struct, name)))]

    assert sorted(set(texts)) == sorted(texts)
