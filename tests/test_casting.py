"""Casting spells and activating abilities: announcing, paying, and taking back (CR 601, 602, 118, 733)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from conformance.data.library import pool
from conformance.model.scenario import CardInPlay, Play
from conformance_adapters.in_process import Reference, play_through
from reference_engine.game.events import Moved
from reference_engine.game.game_rules import CR, GameRules
from reference_engine.language.actions import CastAction, Pay, PayStep, Try
from reference_engine.language.setup import Object, Player, Start
from tests.playing import game_of, left, of, player, seen, stopped, table, tried

LANDS = """
  - {id: plains, card: Plains, controller: alice}
  - {id: island, card: Island, controller: alice}
  - {id: swamp, card: Swamp, controller: alice}
  - {id: mountain, card: Mountain, controller: alice}
  - {id: forest, card: Forest, controller: alice}
  - {id: forest2, card: Forest, controller: alice}
"""


def spell(card: str, script: str, setup: str = "", more: str = "") -> str:
    """A script for alice, who has the invented card in hand, six lands and a bear."""
    return f"""
cards:
  - {{name: Test Card, {card}}}
{more}
players:
  alice: {{hand: [{{card1: Test Card}}, {{spare: Gray Ogre}}], graveyard: [{{dead: Serra Angel}}]}}
  bob: {{hand: [{{shock: Shock}}]}}
setup:
{LANDS}
  - {{id: bear, card: Runeclaw Bear, controller: alice}}
  - {{id: ogre, card: Gray Ogre, controller: bob}}
{setup}
script:
{script}
"""


def pay(*lands: str) -> str:
    """Lands tapped for mana, as payment."""
    return "pay: [" + ", ".join(f"{{activate: {land}, ability: mana}}" for land in lands) + "]"


def cast(more: str = "") -> str:
    """An attempt to cast the card."""
    return f"  - {{try: it, action: {{cast: card1, by: alice{', ' + more if more else ''}}}}}\n"


# ------------------------------------------------------------------------------------ mana


@pytest.mark.parametrize(
    ("cost", "lands", "more", "outcome"),
    [
        ("{1}{G}", ("forest", "plains"), "", "done"),
        ("{1}{G}", ("island", "plains"), "", "rejected"),
        ("{1}{G}", ("forest",), "", "rejected"),
        ("{W/U}", ("plains",), "", "done"),
        ("{W/U}", ("island",), "", "rejected"),
        ("{W/U}", ("island",), "costs: {hybrid: [blue]}", "done"),
        ("{W/U}", ("swamp",), "costs: {hybrid: [black]}", "rejected"),
        ("{2/R}", ("forest", "plains"), "", "done"),
        ("{2/R}", ("mountain",), "costs: {hybrid: [red]}", "done"),
        ("{2/R}", ("forest", "plains"), "costs: {hybrid: [generic]}", "done"),
        ("{W}", ("plains",), "costs: {hybrid: [white]}", "rejected"),
        ("{U/P}", ("island",), "", "done"),
        ("{U/P}", (), "costs: {life: yes}", "done"),
        ("{C}", ("forest",), "", "rejected"),
        ("{0}", (), "", "done"),
    ],
)
def test_what_pays_for_what(cost: str, lands: tuple[str, ...], more: str, outcome: str) -> None:
    how = ", ".join(part for part in (more, pay(*lands)) if part)
    assert {"it": outcome} == tried(spell(f'cost: "{cost}", types: [Creature], pt: 1/1', cast(how)))


def test_life_pays_for_phyrexian_mana() -> None:
    text = spell(
        'cost: "{G/P}{G/P}", types: [Creature], pt: 1/1', "  - {cast: card1, by: alice, costs: {life: yes}}"
    )
    assert 16 == player(text, "alice").life
    one = text.replace("life: yes", "life: 1")
    assert 18 == player(one, "alice").life
    poor = text.replace("alice: {hand", "alice: {life: 3, hand")
    assert "rejected" == stopped(poor)[0]


def test_mana_in_the_pool_pays_where_it_is_named() -> None:
    text = spell(
        'cost: "{G}", types: [Creature], pt: 1/1',
        "  - {activate: forest, ability: mana, by: alice}\n  - {activate: island, ability: mana, by: alice}\n"
        '  - {cast: card1, by: alice, pay: [{pool: "{G}"}]}',
    )
    assert "{U}" == player(text, "alice").pool
    assert "rejected" == stopped(text.replace('pool: "{G}"', 'pool: "{R}"'))[0]


def test_no_mana_abilities_where_no_mana_is_paid() -> None:
    assert {"it": "rejected"} == tried(spell('cost: "{0}", types: [Creature], pt: 1/1', cast(pay("forest"))))


def test_only_mana_abilities_pay() -> None:
    pinger = (
        "{name: Test Pinger, types: [Creature], pt: 1/1, abilities: {activated: {cost: tap, "
        "effect: {damage: 1, to: you}}, name: ping}}"
    )
    text = spell(
        'cost: "{1}", types: [Creature], pt: 1/1',
        cast("pay: [{activate: pinger, ability: ping}]"),
        setup="  - {id: pinger, card: Test Pinger, controller: alice}",
        more=f"  - {pinger}",
    )
    assert {"it": "rejected"} == tried(text)


def test_illegal_spell_takes_everything_back_or_leaves_the_mana() -> None:
    whole = spell('cost: "{G}{G}", types: [Creature], pt: 1/1', cast(pay("forest", "island")))
    assert (False, "") == (of(whole, "forest").tapped, player(whole, "alice").pool)
    kept = whole.replace("pay: [", "pay: {undo_mana: no, steps: [").replace(
        "ability: mana}]", "ability: mana}]}"
    )
    assert {"it": "rejected"} == tried(kept)
    assert (True, "{U}{G}", "hand") == (
        of(kept, "forest").tapped,
        player(kept, "alice").pool,
        of(kept, "card1").zone,
    )
    twice = kept.replace("activate: island", "activate: forest")
    assert (True, "{G}") == (of(twice, "forest").tapped, player(twice, "alice").pool)


def test_no_mana_is_kept_of_a_spell_that_is_illegal_before_it_could_be_made() -> None:
    text = """
players: {alice: {hand: [{shock: Shock}]}, bob: {}}
setup: [{id: mountain, card: Mountain, controller: alice}]
script:
  - try: it
    action: {cast: shock, by: alice, targets: [mountain], pay: {steps: [{activate: mountain}], undo_mana: no}}
"""
    assert {"it": "rejected"} == tried(text)
    assert (False, "") == (of(text, "mountain").tapped, player(text, "alice").pool)


def test_mana_of_any_colour_is_chosen() -> None:
    text = spell(
        'cost: "{R}", types: [Creature], pt: 1/1',
        "  - {cast: card1, by: alice, pay: [{activate: lotus, ability: mana, choose: red}]}",
        setup="  - {id: lotus, card: Black Lotus, controller: alice}",
    )
    assert ("graveyard", "{R}{R}") == (of(text, "lotus").zone, player(text, "alice").pool)
    asked = text.replace(", choose: red", "")
    assert "question" == stopped(asked)[0]


@pytest.mark.parametrize(
    ("grants", "lands", "outcome"),
    [
        ("any_color_mana", ("forest",), "done"),
        ("{any_color_mana: {only: green}}", ("forest",), "done"),
        ("{any_color_mana: {only: green}}", ("island",), "rejected"),
    ],
)
def test_mana_as_though_it_were_of_any_colour(grants: str, lands: tuple[str, ...], outcome: str) -> None:
    assert {"it": outcome} == tried(with_prism("{U}", grants, lands))


@pytest.mark.parametrize(
    ("grants", "lands", "outcome"),
    [
        ("any_color_mana", ("forest",), "rejected"),
        ("{any_color_mana: {only: green}}", ("forest",), "rejected"),
        ("{any_color_mana: {only: green}}", ("island",), "done"),
    ],
)
def test_colourless_is_not_a_colour(grants: str, lands: tuple[str, ...], outcome: str) -> None:
    assert {"it": outcome} == tried(with_prism("{C}", grants, lands))


def with_prism(cost: str, grants: str, lands: tuple[str, ...]) -> str:
    """A creature spell paid for with lands, beside an artifact that says how mana may be spent."""
    prism = (
        f"{{name: Test Prism, types: [Artifact], abilities: {{static: {{affects: you, does: {grants}}}}}}}"
    )
    return spell(
        f'cost: "{cost}", types: [Creature], pt: 1/1',
        cast(pay(*lands)),
        setup="  - {id: prism, card: Test Prism, controller: alice}",
        more=f"  - {prism}",
    )


def test_mana_of_any_colour_for_activation_costs_only() -> None:
    text = """
cards:
  - name: Test Prism
    types: [Creature]
    pt: 1/1
    abilities:
      - static: {affects: you, does: {any_color_mana: {only: green, to_activate: this}}}
      - activated: {cost: {mana: "{U}"}, effect: {draw: 1}}
  - {name: Test Wish, types: [Sorcery], cost: "{U}", abilities: {spell: {effect: {draw: 1}}}}
players: {alice: {hand: [{wish: Test Wish}]}, bob: {}}
setup:
  - {id: prism, card: Test Prism, controller: alice}
  - {id: forest, card: Forest, controller: alice}
  - {id: plains, card: Plains, controller: alice}
script:
  - {try: wish, action: {cast: wish, by: alice, pay: {activate: forest}}}
  - {try: white, action: {activate: prism, ability: ability, by: alice, pay: {activate: plains}}}
  - {try: green, action: {activate: prism, ability: ability, by: alice, pay: {activate: forest}}}
"""
    assert {"wish": "rejected", "white": "rejected", "green": "done"} == tried(text)


def test_nothing_offers_flash_for_a_cost() -> None:
    text = spell(
        "types: [Sorcery], abilities: {spell: {effect: {draw: 1}}}", cast("costs: {additional: flash}")
    )
    assert {"it": "rejected"} == tried(text)


# ------------------------------------------------------------------------------- costs announced


SPELL = 'cost: "{1}", types: [Sorcery], abilities: '


@pytest.mark.parametrize(
    ("ability", "costs", "outcome"),
    [
        ("{spell: {effect: {draw: 1}}}", "costs: {additional: [kicker]}", "rejected"),
        ("{spell: {effect: {draw: 1}}}", "costs: {additional: [buyback]}", "rejected"),
        ("{spell: {effect: {draw: 1}}}", "costs: {additional: [entwine]}", "rejected"),
        ("{spell: {effect: {draw: 1}}}", "costs: {method: flashback}", "rejected"),
        ("{spell: {effect: {draw: 1}}}", "costs: {method: evoke}", "rejected"),
        ("{spell: {effect: {draw: 1}}}", "modes: [1]", "rejected"),
        ("{spell: {effect: {draw: 1}}}", "x: 3", "rejected"),
        ("{spell: {effect: {draw: 1}}}", "targets: [bob]", "rejected"),
        ("{spell: {effect: {draw: 1}}}", "divide: {bob: 1}", "rejected"),
        ("{spell: {effect: {draw: 1}}}", "face_down: yes", "rejected"),
        ("[{kicker: '{1}'}, {spell: {effect: {draw: 1}}}]", "costs: {kicked: 2}", "rejected"),
        ("[{kicker: '{1}'}, {spell: {effect: {draw: 1}}}]", "costs: {kicked: 1}", "done"),
        ("{spell: {modes: [{effect: {draw: 1}}, {effect: {draw: 2}}]}}", "", "rejected"),
        ("{spell: {modes: [{effect: {draw: 1}}, {effect: {draw: 2}}]}}", "modes: [1, 2]", "rejected"),
        ("{spell: {modes: [{effect: {draw: 1}}, {effect: {draw: 2}}]}}", "modes: [3]", "rejected"),
        ("{spell: {modes: [{effect: {draw: 1}}, {effect: {draw: 2}}]}}", "modes: [2]", "done"),
        (
            "{spell: {modes: [{effect: {draw: 1}}, {effect: {draw: 2}}], modes_chosen: 2}}",
            "modes: [2, 2]",
            "rejected",
        ),
        (
            "{spell: {modes: [{effect: {draw: 1}}, {effect: {draw: 2}}], modes_chosen: 1, modes_most: 2}}",
            "modes: [2, 1]",
            "done",
        ),
    ],
)
def test_announcements(ability: str, costs: str, outcome: str) -> None:
    assert {"it": outcome} == tried(spell(SPELL + ability, cast(costs)))


def test_kicker() -> None:
    text = spell(
        SPELL + "[{kicker: '{1}{G}'}, {spell: {effect: {draw: 1}, kicked: {gain_life: 3}}}]",
        "  - {cast: card1, by: alice, costs: {additional: [kicker]}}\n  - {look: paid}\n  - settle",
    )
    assert "{2}{G}" == seen(text, "paid").objects["card1"].paid
    assert 23 == player(text, "alice").life
    assert 20 == player(text.replace(", costs: {additional: [kicker]}", ""), "alice").life


def test_kicked_targets() -> None:
    text = spell(
        SPELL
        + "[{kicker: '{1}'}, {spell: {targets: creatures, kicked_targets: {players: everyone, name: who}, "
        "effect: {tap: target}, kicked: {lose_life: 2, who: {the: who}}}}]",
        "  - {cast: card1, by: alice, targets: [[bear], [bob]], costs: {kicked: 1}}\n  - settle",
    )
    assert 18 == player(text, "bob").life


def test_buyback_returns_it() -> None:
    text = spell(
        SPELL + "[{buyback: '{3}'}, {spell: {effect: {draw: 1}}}]",
        "  - {cast: card1, by: alice, costs: {additional: [buyback]}}\n  - settle",
    )
    assert "hand" == of(text, "card1").zone
    assert "graveyard" == of(text.replace(", costs: {additional: [buyback]}", ""), "card1").zone


def test_entwine_takes_all_modes() -> None:
    text = spell(
        SPELL + "[{entwine: '{1}'}, {spell: {modes: [{effect: {gain_life: 1}}, {effect: {gain_life: 4}}]}}]",
        "  - {cast: card1, by: alice, costs: {additional: [entwine]}}\n  - settle",
    )
    assert 25 == player(text, "alice").life
    assert 25 == player(text.replace("costs:", "modes: [1, 2], costs:"), "alice").life
    assert "rejected" == stopped(text.replace("costs:", "modes: [1], costs:"))[0]


def test_flashback_exiles() -> None:
    text = """
players: {alice: {graveyard: [{think: Think Twice}], hand: [{again: Think Twice}]}, bob: {}}
script:
  - {try: bare, action: {cast: think, by: alice}}
  - {try: hand, action: {cast: again, by: alice, costs: {method: flashback}}}
  - {try: theirs, action: {cast: think, by: bob, costs: {method: flashback}}}
  - {cast: think, by: alice, costs: {method: flashback}}
  - settle
"""
    assert {"bare": "rejected", "hand": "rejected", "theirs": "rejected"} == tried(text)
    assert "exile" == of(text, "think").zone


def test_flashback_exiles_when_countered_too() -> None:
    text = """
players: {alice: {graveyard: [{think: Think Twice}]}, bob: {hand: [{nope: Cancel}]}}
script:
  - {cast: think, by: alice, costs: {method: flashback}}
  - {pass: alice}
  - {cast: nope, by: bob, targets: [think]}
  - settle
"""
    assert "exile" == of(text, "think").zone


def test_flashback_with_other_costs() -> None:
    text = """
cards:
  - name: Test Echo
    cost: "{U}"
    types: [Instant]
    abilities: [{spell: {effect: {gain_life: 1}}}, {keyword: flashback, costs: {life: 3}}]
players: {alice: {graveyard: [{echoed: Test Echo}]}, bob: {}}
script: [{cast: echoed, by: alice, costs: {method: flashback}}, settle]
"""
    assert 18 == player(text, "alice").life


def test_retrace() -> None:
    text = """
cards:
  - {name: Test Return, types: [Instant], abilities: [retrace, {spell: {effect: {gain_life: 1}}}]}
players:
  alice: {graveyard: [{returned: Test Return}], hand: [{forest: Forest}, {bear: Runeclaw Bear}]}
  bob: {}
script: [{cast: returned, by: alice}, settle]
"""
    assert ("graveyard", "graveyard") == (of(text, "returned").zone, of(text, "forest").zone)
    assert "rejected" == stopped(text.replace("{forest: Forest}, ", ""))[0]


def test_one_alternative_cost_and_no_more() -> None:
    offer = "{static: {affects: this, does: {alternative_cost: {life: 2}, name: blood}}, zones: [stack]}"
    text = spell(
        f"cost: '{{4}}', types: [Sorcery], abilities: [{{spell: {{effect: {{draw: 1}}}}}}, {offer}]",
        "  - {cast: card1, by: alice, costs: {method: blood}}\n  - {look: paid}",
    )
    assert (18, "{0}") == (player(text, "alice").life, seen(text, "paid").objects["card1"].paid)


def test_what_has_no_mana_cost_cannot_be_cast() -> None:
    play = table(spell("types: [Creature], pt: 1/1", cast()))
    cards = tuple(replace(card, definition=replace(card.definition, cost=None)) for card in play.cards)
    assert {"it": "rejected"} == play_through(replace(play, cards=cards), CR).observations.tried


@pytest.mark.parametrize("x", [0, 2])
def test_x_is_announced(x: int) -> None:
    text = spell(
        "cost: '{X}{R}', types: [Sorcery], abilities: {spell: {effect: {gain_life: X}}}",
        f"  - {{cast: card1, by: alice, x: {x}}}\n  - {{look: paid}}\n  - settle",
    )
    assert (20 + x, f"{{{x}}}{{R}}" if x else "{R}") == (
        player(text, "alice").life,
        seen(text, "paid").objects["card1"].paid,
    )


def test_x_may_be_answered() -> None:
    text = spell(
        "cost: '{X}', types: [Sorcery], abilities: {spell: {effect: {gain_life: X}}}",
        "  - {choose: x, by: alice, for: card1, answer: 5}\n  - {cast: card1, by: alice}\n  - settle",
    )
    assert 25 == player(text, "alice").life
    assert "question" == stopped(text.replace("  - {choose: x, by: alice, for: card1, answer: 5}\n", ""))[0]


# ------------------------------------------------------------------------------- costs paid


@pytest.mark.parametrize(
    ("cost", "costs", "outcome"),
    [
        ("{sacrifice: creatures}", "costs: {sacrifice: bear}", "done"),
        ("{sacrifice: creatures}", "", "done"),
        ("{sacrifice: creatures}", "costs: {sacrifice: ogre}", "rejected"),
        ("{sacrifice: creatures, n: 2}", "", "rejected"),
        ("{sacrifice: artifacts}", "", "rejected"),
        ("{discard: 1}", "costs: {discard: spare}", "done"),
        ("{discard: 1}", "", "done"),
        ("{discard: 1}", "costs: {discard: card1}", "rejected"),
        ("{discard: 1, what: {all: cards, type: Land, zones: hand}}", "", "rejected"),
        ("{discard: 1, what: {all: cards, type: Creature, zones: hand}}", "", "done"),
        (
            "{exile: {all: cards, type: Creature, zones: graveyard}, zone: graveyard}",
            "costs: {exile: dead}",
            "done",
        ),
        ("{exile: {all: cards, type: Creature, zones: graveyard}, zone: graveyard}", "", "done"),
        (
            "{exile: {all: cards, type: Creature, zones: graveyard}, zone: graveyard}",
            "costs: {exile: spare}",
            "rejected",
        ),
        ("{exile: {all: cards, zones: graveyard}, n: 2, zone: graveyard}", "", "rejected"),
        ("{return: {type: Land, subtype: Island}}", "", "done"),
        ("{return: {subtype: Forest}}", "costs: {return: forest2}", "done"),
        ("{return: {subtype: Forest}}", "costs: {return: island}", "rejected"),
        ("{tap_others: {type: Creature}}", "costs: {tap: bear}", "done"),
        ("{tap_others: {type: Creature}, n: 2}", "", "rejected"),
        ("{life: 5}", "", "done"),
        ("{life: 21}", "", "rejected"),
        ("{mill: 2}", "", "done"),
        ("{mill: 3}", "", "rejected"),
    ],
)
def test_additional_costs(cost: str, costs: str, outcome: str) -> None:
    text = spell(SPELL + f"{{spell: {{additional: {cost}, effect: {{draw: 1}}}}}}", cast(costs))
    assert {"it": outcome} == tried(text)


def test_what_pays_is_asked() -> None:
    text = spell(
        SPELL + "{spell: {additional: {return: {type: Land}}, effect: {draw: 1}}}",
        "  - {cast: card1, by: alice}",
    )
    asked = "alice must choose cards for card1 out of plains, island, swamp, mountain, forest, forest2"
    assert ("question", asked) == stopped(text)


def test_one_card_does_not_pay_twice() -> None:
    ability = "{spell: {additional: [{sacrifice: creatures}, {sacrifice: creatures}], effect: {draw: 1}}}"
    angel = "  - {id: angel, card: Serra Angel, controller: alice}"
    both = spell(SPELL + ability, cast("costs: {sacrifice: [bear, angel]}"), setup=angel)
    assert {"it": "done"} == tried(both)
    assert {"it": "rejected"} == tried(both.replace("[bear, angel]", "[bear]"))


def test_costs_of_abilities() -> None:
    machine = """types: [Artifact], abilities: [
    {activated: {cost: untap, effect: {gain_life: 1}}, name: untap1},
    {activated: {cost: {remove_counters: charge}, effect: {gain_life: 2}}, name: drain},
    {activated: {cost: sacrifice, effect: {gain_life: 4}}, name: burst},
    {activated: {cost: exile, effect: {gain_life: 8}, zones: [graveyard]}, name: grave},
    {activated: {cost: {opponent_gains_life: 3}, effect: {gain_life: 16}}, name: gift}]"""
    text = f"""
cards: [{{name: Test Machine, {machine}}}]
setup: [{{id: machine, card: Test Machine, controller: alice, counters: {{charge: 1}}}}]
script:
  - {{try: untapped, action: {{activate: machine, ability: untap1, by: alice}}}}
  - {{activate: machine, ability: drain, by: alice}}
  - {{try: again, action: {{activate: machine, ability: drain, by: alice}}}}
  - {{activate: machine, ability: gift, by: alice}}
  - {{try: early, action: {{activate: machine, ability: grave, by: alice}}}}
  - {{activate: machine, ability: burst, by: alice}}
  - {{try: gone, action: {{activate: machine, ability: burst, by: alice}}}}
  - {{activate: machine, ability: grave, by: alice}}
  - settle
"""
    assert {"untapped": "rejected", "again": "rejected", "early": "rejected", "gone": "rejected"} == tried(
        text
    )
    assert (50, 23, "exile") == (
        player(text, "alice").life,
        player(text, "bob").life,
        of(text, "machine").zone,
    )


def test_the_equipment_that_granted_it_is_unattached() -> None:
    heart = """
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: seeker, card: Heartseeker, controller: alice, attached_to: bear}
  - {id: ogre, card: Gray Ogre, controller: bob}
script:
  - {activate: bear, ability: seek, by: alice, targets: [ogre]}
  - {look: paid}
  - settle
"""

    name = next(
        held.name
        for static in pool()["Heartseeker"].abilities
        for part in getattr(static, "parts", ())
        for operation in part.does
        for held in getattr(operation, "abilities", ())
        if getattr(held, "name", None)
    )
    text = heart.replace("ability: seek", f"ability: {name}")
    assert None is seen(text, "paid").objects["seeker"].attached_to
    assert "graveyard" == of(text, "ogre").zone


def test_life_that_an_opponent_gains_is_given_to_one_of_them() -> None:
    text = """
players: {alice: {hand: [{gift: Test Gift}]}, bob: {}, carol: {}}
cards:
  - name: Test Gift
    cost: "{1}"
    types: [Instant]
    abilities: {spell: {additional: {opponent_gains_life: 4}, effect: {draw: 1}}}
script:
  - {choose: player, by: alice, for: gift, answer: carol}
  - {cast: gift, by: alice}
"""
    assert 24 == player(text, "carol").life
    still = (
        "{name: Test Silence, types: [Enchantment], abilities: {static: {affects: everyone, "
        "does: {cannot: gain life}}}}"
    )
    assert (
        "rejected"
        == stopped(
            text.replace("cards:\n", f"cards:\n  - {still}\n").replace(
                "script:", "setup: [{id: silence, card: Test Silence, controller: bob}]\nscript:"
            )
        )[0]
    )


def test_convoke() -> None:
    text = spell(
        'cost: "{1}{G}", types: [Creature], pt: 4/4, abilities: convoke',
        cast("costs: {tap: [bear, elves]}, pay: []"),
        setup="  - {id: elves, card: Llanowar Elves, controller: alice}\n"
        "  - {id: drowsy, card: Runeclaw Bear, controller: alice, tapped: yes}\n"
        "  - {id: third, card: Runeclaw Bear, controller: alice}",
    )
    assert {"it": "done"} == tried(text)
    assert (True, True) == (of(text, "bear").tapped, of(text, "elves").tapped)
    for wrong in ("[bear]", "[bear, ogre]", "[bear, drowsy]", "[bear, forest]", "[bear, elves, third]"):
        assert {"it": "rejected"} == tried(text.replace("[bear, elves]", wrong))


# --------------------------------------------------------------------------------- the total cost


@pytest.mark.parametrize(
    ("operations", "paid"),
    [
        ("[{costs: more, mana: '{2}'}]", "{4}{G}"),
        ("[{costs: less, mana: '{1}'}]", "{1}{G}"),
        ("[{costs: less, mana: '{5}'}]", "{G}"),
        ("[{costs: less, mana: '{G}'}]", "{2}"),
        ("[{costs: less, mana: '{R}'}]", "{1}{G}"),
        ("[{costs: less, mana: '{5}'}, {costs: at least, mana: '{3}'}]", "{2}{G}"),
        ("[{costs: more, mana: '{1}', times: {count: creatures}}]", "{4}{G}"),
    ],
)
def test_total_cost(operations: str, paid: str) -> None:
    law = (
        f"{{name: Test Law, types: [Enchantment], abilities: {{static: {{affects: spells, "
        f"does: {operations}}}}}}}"
    )
    text = spell(
        'cost: "{2}{G}", types: [Creature], pt: 1/1',
        "  - {cast: card1, by: alice}",
        setup="  - {id: law, card: Test Law, controller: bob}",
        more=f"  - {law}",
    )
    assert paid == of(text, "card1").paid


def test_reductions_are_taken_off_in_the_order_chosen() -> None:
    less = (
        "name: Test {0}, types: [Enchantment], abilities: {{static: {{affects: spells, "
        "does: {{costs: less, mana: '{1}'}}}}}}"
    )
    text = spell(
        'cost: "{1}{U}", types: [Creature], pt: 1/1',
        "  - {cast: card1, by: alice, costs: {reduce_in_order: [ORDER]}}",
        setup="  - {id: first, card: Test First, controller: bob}\n"
        "  - {id: second, card: Test Second, controller: bob}",
        more=f"  - {{{less.format('First', '{1}')}}}\n  - {{{less.format('Second', '{U}{U}')}}}",
    )
    assert "{0}" == of(text.replace("ORDER", "first, second"), "card1").paid
    assert "{0}" == of(text.replace("ORDER", "second, first"), "card1").paid


def test_affinity() -> None:
    text = spell(
        "cost: '{3}{G}', types: [Creature], pt: 1/1, abilities: {affinity: {subtype: Forest}}",
        "  - {cast: card1, by: alice}",
    )
    assert "{1}{G}" == of(text, "card1").paid


# --------------------------------------------------------------------------------- targets


def test_targets_may_be_asked_for_and_divided() -> None:
    text = spell(
        SPELL + "{spell: {targets: {any_target: yes, least: 1, most: 3}, "
        "effect: {damage: 3, to: target, divided: yes}}}",
        "  - {choose: targets, by: alice, for: card1, answer: [ogre, bob]}\n"
        "  - {choose: division, by: alice, for: card1, answer: {ogre: 2, bob: 1}}\n"
        "  - {cast: card1, by: alice}\n  - settle",
    )
    assert ("graveyard", 19) == (of(text, "ogre").zone, player(text, "bob").life)
    for wrong in ("{ogre: 3}", "{ogre: 2, bob: 2}", "{ogre: 2, bear: 1}"):
        assert "rejected" == stopped(text.replace("{ogre: 2, bob: 1}", wrong))[0]


def test_overload_of_what_is_divided_is_unsupported() -> None:
    """CR 702.96a: no printed text says what "divided among each" would mean."""
    text = spell(
        "types: [Sorcery], abilities: [{overload: '{0}'}, {spell: {targets: creatures, EFFECT}}]",
        "  - {cast: card1, by: alice, costs: {method: overload}}\n  - settle",
    )
    damage = "effect: {damage: 2, to: target, divided: yes}"
    counters = "effect: {put_counters: {kind: +1/+1, n: 2}, on: target, divided: yes}"
    assert "unsupported" == stopped(text.replace("EFFECT", damage))[0]
    assert "unsupported" == stopped(text.replace("EFFECT", counters))[0]
    undivided = text.replace("EFFECT", damage.replace(", divided: yes", ""))
    assert ("graveyard", "graveyard") == (of(undivided, "ogre").zone, of(undivided, "bear").zone)


@pytest.mark.parametrize(
    ("targets", "outcome"),
    [
        ("[[bear, ogre]]", "done"),
        ("[[bear]]", "rejected"),
        ("[[bear, bear]]", "rejected"),
        ("[[bear, forest]]", "rejected"),
        ("[[bear, bob]]", "rejected"),
        ("[[bear, ogre], [bear]]", "rejected"),
    ],
)
def test_two_targets(targets: str, outcome: str) -> None:
    text = spell(
        SPELL + "{spell: {targets: {what: creatures, least: 2, most: 2}, effect: {tap: target}}}",
        cast(f"targets: {targets}"),
    )
    assert {"it": outcome} == tried(text)


def test_each_target_has_an_answer_of_its_own() -> None:
    text = spell(
        SPELL + "{spell: {targets: [{what: creatures, name: first}, {what: lands, name: second}], "
        "effect: [{tap: {the: first}}, {tap: {the: second}}]}}",
        "  - {choose: targets, by: alice, for: card1, answer: [ogre]}\n"
        "  - {choose: targets, by: alice, for: card1, answer: [forest]}\n"
        "  - {cast: card1, by: alice}\n  - settle",
    )
    assert (True, True, False) == (
        of(text, "ogre").tapped,
        of(text, "forest").tapped,
        of(text, "bear").tapped,
    )


@pytest.mark.parametrize(
    ("keyword", "by", "outcome"),
    [
        ("shroud", "alice", "rejected"),
        ("shroud", "bob", "rejected"),
        ("hexproof", "alice", "rejected"),
        ("hexproof", "bob", "done"),
        ("{hexproof: {color: red}}", "alice", "rejected"),
        ("{hexproof: {color: blue}}", "alice", "done"),
        ("{protection: red}", "alice", "rejected"),
        ("{protection: red}", "bob", "rejected"),
        ("{protection: {type: Instant}}", "bob", "rejected"),
        ("{static: {affects: this, does: {cannot: be targeted, what: {color: blue}}}}", "bob", "done"),
    ],
)
def test_what_keeps_from_being_targeted(keyword: str, by: str, outcome: str) -> None:
    text = f"""
cards: [{{name: Test Ward, types: [Creature], pt: 3/3, abilities: {keyword}}}]
players: {{alice: {{hand: [{{shock1: Shock}}]}}, bob: {{hand: [{{shock2: Shock}}]}}}}
setup: [{{id: ward, card: Test Ward, controller: bob}}]
script:
  - {{pass: {"nobody" if by == "alice" else "alice"}}}
  - {{try: it, action: {{cast: {"shock1" if by == "alice" else "shock2"}, by: {by}, targets: [ward]}}}}
""".replace("  - {pass: nobody}\n", "")
    assert {"it": outcome} == tried(text)


@pytest.mark.parametrize(("whose", "outcome"), [("alice", "rejected"), ("bob", "done")])
def test_opponents_are_those_of_who_controls_the_effect(whose: str, outcome: str) -> None:
    ward = "{affects: creatures, does: {cannot: be targeted, what: {controller: opponents}}}"
    assert {"it": outcome} == tried(f"""
cards: [{{name: Test Ward, types: [Enchantment], abilities: {{static: {ward}}}}}]
players: {{alice: {{}}, bob: {{hand: [{{shock: Shock}}]}}}}
setup:
  - {{id: ward, card: Test Ward, controller: {whose}}}
  - {{id: bear, card: Runeclaw Bear, controller: bob}}
script:
  - {{pass: alice}}
  - {{try: it, action: {{cast: shock, by: bob, targets: [bear]}}}}
""")


@pytest.mark.parametrize(
    ("gains", "outcome"),
    [
        ("shroud", "rejected"),
        ("hexproof", "rejected"),
        ("{protection: red}", "rejected"),
        ("{protection: blue}", "done"),
    ],
)
def test_players_that_cannot_be_targeted(gains: str, outcome: str) -> None:
    mask = (
        f"{{name: Test Mask, types: [Enchantment], abilities: {{static: {{affects: you, "
        f"does: {{gain: {gains}}}}}}}}}"
    )
    assert {"it": outcome} == tried(f"""
cards: [{mask}]
players: {{alice: {{hand: [{{shock: Shock}}]}}, bob: {{}}}}
setup: [{{id: mask, card: Test Mask, controller: bob}}]
script: [{{try: it, action: {{cast: shock, by: alice, targets: [bob]}}}}]
""")


def test_opponents_may_have_to_choose_targets() -> None:
    text = """
players: {alice: {hand: [{deal: Test Deal}]}, bob: {}, carol: {}}
cards:
  - name: Test Deal
    cost: "{1}"
    types: [Sorcery]
    abilities: {spell: {targets: {what: creatures, by: opponents}, effect: {destroy: target}}}
setup: [{id: bear, card: Runeclaw Bear, controller: bob}, {id: ogre, card: Gray Ogre, controller: carol}]
script:
  - {choose: player, by: alice, for: deal, answer: carol}
  - {choose: targets, by: carol, for: deal, answer: bear}
  - {cast: deal, by: alice}
  - settle
"""
    assert "graveyard" == of(text, "bear").zone


# --------------------------------------------------------------------------------- when and what


@pytest.mark.parametrize(
    ("action", "outcome"),
    [
        ("{cast: forest9, by: alice}", "rejected"),
        ("{cast: ogre, by: alice}", "rejected"),
        ("{cast: shock, by: alice, targets: [bob]}", "rejected"),
        ("{cast: dead, by: alice}", "rejected"),
        ("{activate: bear, ability: fly, by: alice}", "rejected"),
        ("{play: spare, by: alice}", "rejected"),
        ("{turn_up: bear, by: alice}", "rejected"),
        ("{cast: spare, by: alice}", "done"),
    ],
)
def test_what_may_not_be_done(action: str, outcome: str) -> None:
    text = spell("cost: '{1}', types: [Artifact]", f"  - {{try: it, action: {action}}}\n").replace(
        "{card1: Test Card}", "{card1: Test Card}, {forest9: Forest}"
    )
    assert {"it": outcome} == tried(text)


def test_abilities_of_one_name_are_distinguished_by_what_they_make() -> None:
    text = """
cards: [{name: Test Foundry, types: [Land], subtypes: [Mountain, Plains]}]
setup: [{id: foundry, card: Test Foundry, controller: alice}]
script: [{activate: foundry, ability: mana, by: alice, produces: red}]
"""
    assert "{R}" == player(text, "alice").pool
    assert "question" == stopped(text.replace(", produces: red", ""))[0]
    for other in ("green", '"{R}"', "colorless"):
        assert "rejected" == stopped(text.replace("produces: red", f"produces: {other}"))[0]


def test_an_ability_makes_only_the_mana_that_it_can() -> None:
    text = """
setup: [{id: wood, card: Forest, controller: alice}]
script: [{activate: wood, ability: mana, by: alice, produces: green}]
"""
    assert "{G}" == player(text, "alice").pool
    for other in ("blue", "colorless"):
        assert "rejected" == stopped(text.replace("green", other))[0]


def test_steps_in_older_editions() -> None:
    text = spell('cost: "{G}", types: [Creature], pt: 1/1', cast(pay("forest")))
    for date in ("2014-01-01", "2016-01-01", "2019-01-01", "2022-01-01"):
        assert {"it": "done"} == tried(text, GameRules.on(date))


def test_library_costs_are_paid_last_only_now() -> None:
    ability = "{spell: {additional: [{mill: 1}, {sacrifice: creatures}], effect: {draw: 1}}}"
    text = spell(SPELL + ability, "  - {cast: card1, by: alice}")

    def order(rules: GameRules) -> list[str]:
        return [event.id for event in left(text, rules).events if isinstance(event, Moved)]

    assert ["bear", "alice_plains_1"] == order(GameRules())
    assert ["alice_plains_1", "bear"] == order(GameRules.on("2020-01-01"))


def test_priority_is_needed() -> None:
    done = game_of(
        spell(
            "cost: '{1}', types: [Instant], abilities: {spell: {effect: {draw: 1}}}",
            cast().replace("alice", "bob"),
        )
    )
    assert {"it": "rejected"} == done.observations.tried


def test_what_paid_for_could_not_be_counted_on_until_2026() -> None:
    feast = (
        "{additional: {sacrifice: creatures}, effect: {destroy: target}, targets: "
        "{what: {all: creatures, power: {'<=': {property: power, of: {the: sacrificed}}}}}}"
    )
    text = spell(SPELL + f"{{spell: {feast}}}", cast("targets: [ogre], costs: {sacrifice: bear}"))
    assert {"it": "done"} == tried(text)
    assert {"it": "rejected"} == tried(text, GameRules.on("2025-01-01"))
    asked = text.replace(", costs: {sacrifice: bear}", "")
    assert {"it": "done"} == tried(asked)


def test_prohibition_that_a_choice_could_avoid_counted_until_2018() -> None:
    ban = (
        "{name: Test Ban, types: [Enchantment], abilities: {static: {affects: everyone, "
        "does: {cannot: cast, what: {mana_value: {'<=': 1}}}}}}"
    )
    text = spell(
        "cost: '{X}{R}', types: [Sorcery], abilities: {spell: {effect: {gain_life: X}}}",
        cast("x: 3"),
        setup="  - {id: ban, card: Test Ban, controller: bob}",
        more=f"  - {ban}",
    )
    assert {"it": "done"} == tried(text)
    assert {"it": "rejected"} == tried(text, GameRules.on("2017-01-01"))
    assert {"it": "rejected"} == tried(text.replace("x: 3", "x: 0"))


def test_payment_by_an_unknown_object_is_rejected() -> None:
    """Files cannot name one, but a scenario that is made smaller can lose the land it pays with."""
    bear = pool()["Grizzly Bears"]
    payment = Pay((PayStep("no_such_land", "mana"),))
    play = Play(
        players=(Player("alice", hand=("bear",)), Player("bob")),
        start=Start("alice"),
        cards=(CardInPlay(bear, real=True),),
        objects=(Object("bear", bear.name, "alice"),),
        script=(Try("it", CastAction("bear", "alice", pay=payment)),),
    )

    assert {"it": "rejected"} == Reference().play(play).tried
