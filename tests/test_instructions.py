"""What each instruction of a resolving spell or ability does (CR 608, 701)."""

from __future__ import annotations

import pytest

from conformance.model.scenario import SeenCounters
from tests.playing import left, of, player, seen, stopped, tried

PLAYERS = """
players:
  alice:
    hand: [{deed: Test Deed}, {a1: Runeclaw Bear}, {a2: Gray Ogre}]
    library: {a3: Island, a4: Swamp, a5: Gray Ogre}
    graveyard: {a6: Serra Angel}
  bob: {hand: [{b1: Plains}, {b2: Forest}], library: {b3: Island}}
"""


def deed(
    spell: str, script: str = "", setup: str = "", cast: str = "", more: str = "", players: str = PLAYERS
) -> str:
    """A script that casts a sorcery with this effect and resolves everything."""
    return f"""
cards:
  - name: Test Deed
    cost: "{{1}}"
    types: [Sorcery]
    abilities: {{spell: {{{spell}}}}}
{more}
{players}
setup:
  - {{id: bear, card: Runeclaw Bear, controller: alice}}
  - {{id: ogre, card: Gray Ogre, controller: bob}}
{setup}
script:
{script}
  - {{cast: deed, by: alice{cast}}}
  - settle
"""


# ------------------------------------------------------------------------------------ players


def test_discarding_is_chosen_in_turn_order_and_done_at_once() -> None:
    text = deed(
        "effect: {discard: 1, who: everyone}",
        "  - {choose: cards, by: bob, for: deed, answer: b2}\n"
        "  - {choose: cards, by: alice, for: deed, answer: a1}",
    )
    players = seen(text).players
    assert (("deed", "a1", "a6"), ("b2",)) == (players["alice"].graveyard, players["bob"].graveyard)


def test_discarding_more_than_there_is() -> None:
    assert frozenset() == player(deed("effect: {discard: 5, who: opponents}"), "bob").hand


def test_discarding_asks() -> None:
    asked = ("question", "bob must choose cards for deed out of b1, b2")
    assert asked == stopped(deed("effect: {discard: 1, who: opponents}"))


def test_cards_that_cannot_be_discarded_are_refused() -> None:
    text = deed("effect: {discard: 1}", "  - {choose: cards, by: alice, for: deed, answer: bear}")
    assert "rejected" == stopped(text)[0]


def test_life_is_gained_and_lost() -> None:
    text = deed("effect: [{gain_life: 3, who: everyone}, {lose_life: 5, who: opponents}]")
    players = seen(text).players
    assert (23, 18) == (players["alice"].life, players["bob"].life)


def test_life_that_cannot_be_gained() -> None:
    still = "static: {affects: everyone, does: {cannot: gain life}}"
    more = f"  - {{name: Test Silence, types: [Enchantment], abilities: {{{still}}}}}"
    setup = "  - {id: silence, card: Test Silence, controller: bob}"
    assert 20 == player(deed("effect: {gain_life: 3}", setup=setup, more=more), "alice").life


def test_drawing_is_one_by_one_and_from_an_empty_library_it_loses() -> None:
    assert frozenset({"a1", "a2", "a3", "a4"}) == player(deed("effect: {draw: 2}"), "alice").hand
    table = seen(deed("effect: {draw: 2, who: opponents}"))
    assert (True, True) == (table.players["bob"].lost, table.table.over)


def test_drawing_that_is_limited() -> None:
    one = "static: {affects: everyone, does: {cannot: draw, after: 1}}"
    more = f"  - {{name: Test Limit, types: [Enchantment], abilities: {{{one}}}}}"
    setup = "  - {id: limit, card: Test Limit, controller: bob}"
    drawn = deed("effect: {draw: 2}", setup=setup, more=more)
    assert frozenset({"a1", "a2", "a3"}) == player(drawn, "alice").hand


def test_extra_turns_come_after_this_one_the_newest_first() -> None:
    text = (
        deed("effect: [{extra_turn: opponents}, {extra_turn: you}]", script="", setup="")
        + "  - {advance: {to: upkeep}}\n  - {look: first}\n  - {advance: {to: end}}\n"
        "  - {advance: {to: upkeep}}\n"
    )
    assert ("alice", "bob") == (seen(text, "first").table.turn, seen(text).table.turn)


# ----------------------------------------------------------------------------------- permanents


def test_damage_goes_to_creatures_planeswalkers_and_players_only() -> None:
    text = deed(
        "effect: {damage: 1, to: permanents}",
        setup="""  - {id: jace, card: "Jace, the Mind Sculptor", controller: bob}
  - {id: forest, card: Forest, controller: bob}""",
    )
    objects = seen(text).objects
    assert (1, 2, 0) == (objects["bear"].damage, objects["jace"].loyalty, objects["forest"].damage)


def test_damage_divided_evenly_is_rounded_down() -> None:
    text = deed("effect: {damage: 3, to: creatures, evenly: yes}")
    assert (1, 1) == (of(text, "bear").damage, of(text, "ogre").damage)


def test_damage_by_another_source_with_lifelink() -> None:
    more = "  - {name: Test Cleric, types: [Creature], pt: 1/4, abilities: lifelink}"
    setup = "  - {id: cleric, card: Test Cleric, controller: bob}"
    spell = "targets: {what: {all: creatures, keyword: lifelink}}, effect: {damage: 3, to: you, by: target}"
    players = seen(deed(spell, setup=setup, more=more, cast=", targets: [cleric]")).players
    assert (17, 23) == (players["alice"].life, players["bob"].life)


def test_destroying_tapping_and_untapping() -> None:
    text = deed(
        "effect: [{destroy: {all: creatures, controller: you}}, {tap: creatures}, {untap: lands}]",
        setup="  - {id: forest, card: Forest, controller: bob, tapped: yes}",
    )
    objects = seen(text).objects
    assert ("graveyard", True, False) == (
        objects["bear"].zone,
        objects["ogre"].tapped,
        objects["forest"].tapped,
    )


def test_sacrificing_is_chosen_by_each_player_of_their_own() -> None:
    text = deed(
        "effect: {sacrifice: creatures, who: everyone}",
        "  - {choose: cards, by: alice, for: deed, answer: angel}",
        setup="  - {id: angel, card: Serra Angel, controller: alice}",
    )
    objects = seen(text).objects
    assert ("graveyard", "graveyard", "battlefield") == (
        objects["angel"].zone,
        objects["ogre"].zone,
        objects["bear"].zone,
    )


def test_only_what_one_controls_can_be_sacrificed() -> None:
    text = deed("targets: creatures, effect: {sacrifice: target}", cast=", targets: [ogre]")
    assert "battlefield" == of(text, "ogre").zone
    assert "graveyard" == of(text.replace("targets: [ogre]", "targets: [bear]"), "bear").zone


def test_counters_are_put_and_removed() -> None:
    text = deed(
        "effect: [{put_counters: {+1/+1: 2}, on: creatures}, {remove_counters: {+1/+1: 1}, "
        "on: {all: creatures, controller: you}}, "
        "{put_counters: {poison: 1}, on: opponents}, {put_counters: {charge: 0}, on: creatures}]",
    )
    table = seen(text)
    assert (SeenCounters("+1/+1", 1),) == table.objects["bear"].counters
    assert (SeenCounters("+1/+1", 2),) == table.objects["ogre"].counters
    assert (SeenCounters("poison", 1),) == table.players["bob"].counters


def test_every_counter_can_be_removed() -> None:
    setup = """  - {id: hydra, card: Gray Ogre, controller: alice, counters: {+1/+1: 3, charge: 2}}"""
    text = deed("effect: {remove_counters: +1/+1, on: creatures, every: yes}", setup=setup)
    assert (SeenCounters("charge", 2),) == of(text, "hydra").counters


def test_turning_down_and_up() -> None:
    down = deed("effect: {turn: creatures, face: down}")
    assert (True, True) == (of(down, "bear").face_down, of(down, "ogre").face_down)
    up = deed(
        "effect: {turn: creatures, face: up}",
        setup="  - {id: angel, card: Exalted Angel, controller: bob, face_down: yes}",
    )
    assert (False, "Exalted Angel") == (of(up, "angel").face_down, of(up, "angel").name)
    hush = (
        "{name: Test Hush, types: [Enchantment], abilities: {static: {affects: creatures, "
        "does: {cannot: turn face up}}}}"
    )
    hushed = up.replace("setup:\n", "setup:\n  - {id: hush, card: Test Hush, controller: bob}\n").replace(
        "cards:\n", f"cards:\n  - {hush}\n"
    )
    assert of(hushed, "angel").face_down


def test_attaching_where_it_may_be() -> None:
    setup = """  - {id: axe, card: Bonesplitter, controller: alice, attached_to: bear}
  - {id: strength, card: Giant Strength, controller: alice, attached_to: bear}
  - {id: forest, card: Forest, controller: alice}"""
    move = (
        "targets: [{{what: {kind}, name: thing}}, {{what: permanents, name: host}}], "
        "effect: {{attach: {{the: thing}}, to: {{the: host}}}}"
    )
    equipped = deed(move.format(kind="artifacts"), setup=setup, cast=", targets: [[axe], [HOST]]")
    assert "ogre" == of(equipped.replace("HOST", "ogre"), "axe").attached_to
    assert "bear" == of(equipped.replace("HOST", "forest"), "axe").attached_to
    assert "bear" == of(equipped.replace("HOST", "bear"), "axe").attached_to
    enchanted = deed(move.format(kind="enchantments"), setup=setup, cast=", targets: [[strength], [HOST]]")
    assert "ogre" == of(enchanted.replace("HOST", "ogre"), "strength").attached_to
    assert "bear" == of(enchanted.replace("HOST", "forest"), "strength").attached_to


def test_exchanging_control() -> None:
    text = deed(
        "targets: {what: creatures, least: 2, most: 2}, effect: {exchange_control: target}",
        cast=", targets: [[bear, ogre]]",
    )
    assert ("bob", "alice") == (of(text, "bear").controller, of(text, "ogre").controller)


def test_exchange_of_what_one_player_controls_does_nothing() -> None:
    text = deed(
        "targets: {what: creatures, least: 2, most: 2}, effect: {exchange_control: target}",
        setup="  - {id: angel, card: Serra Angel, controller: bob}",
        cast=", targets: [[angel, ogre]]",
    )
    assert ("bob", "bob") == (of(text, "angel").controller, of(text, "ogre").controller)


def test_exchange_with_something_that_is_gone_does_nothing() -> None:
    text = deed(
        "targets: {what: creatures, least: 2, most: 2}, effect: {exchange_control: target}",
        cast=", targets: [[bear, ogre]]",
        players=PLAYERS.replace("{b1: Plains}", "{b1: Shock}"),
    ).replace("\n  - settle", "\n  - {pass: alice}\n  - {cast: b1, by: bob, targets: [bear]}\n  - settle", 1)
    assert "bob" == of(text, "ogre").controller


# ------------------------------------------------------------------------------- moving and making


@pytest.mark.parametrize(
    ("put", "zone"),
    [
        ("to: hand", "hand"),
        ("to: graveyard", "graveyard"),
        ("to: exile", "exile"),
        ("to: library", "library"),
        ("to: library, bottom: yes", "library"),
    ],
)
def test_putting_into_a_zone(put: str, zone: str) -> None:
    text = deed(f"targets: creatures, effect: {{put: target, {put}}}", cast=", targets: [ogre]")
    assert zone == of(text, "ogre").zone
    game = left(text)
    if zone == "library":
        assert ("b3", "ogre") == game.board.seats[1].library if "bottom" in put else ("ogre", "b3")


def test_shuffling_in_makes_the_order_unknown() -> None:
    text = deed(
        "targets: creatures, effect: {put: target, to: library, shuffled: yes}", cast=", targets: [ogre]"
    )
    assert "bob" in left(text).shuffled
    hand = deed("effect: {put: {all: cards, zones: hand, of: opponents}, to: library, shuffled: yes}")
    assert "bob" in left(hand).shuffled
    assert frozenset() == player(hand, "bob").hand


def test_putting_onto_the_battlefield() -> None:
    text = deed(
        "effect: {put: {all: creature cards, zones: graveyard, of: you}, to: battlefield, "
        "tapped: yes, counters: +1/+1, "
        "does: {gain: haste}}"
    )
    angel = of(text, "a6")
    assert ("battlefield", True, 5) == (angel.zone, angel.tapped, angel.power)
    assert "haste" in (angel.keywords or ())


def test_no_instant_enters_the_battlefield() -> None:
    text = deed(
        "effect: {put: {all: cards, zones: graveyard, of: opponents}, to: battlefield}",
        players=PLAYERS.replace("bob: {", "bob: {graveyard: {zap: Shock}, "),
    )
    assert "graveyard" == of(text, "zap").zone


def test_exiling_and_returning_what_was_exiled() -> None:
    text = deed(
        "targets: creatures, effect: [{exile: target, name: gone}, {put: {the: gone}, "
        "to: battlefield, under: {owner_of: {the: gone}}}]",
        cast=", targets: [ogre]",
    )
    assert ("battlefield", "bob") == (of(text, "ogre").zone, of(text, "ogre").controller)


def test_searching_shuffles_and_may_fail_to_find() -> None:
    find = "effect: {search: {type: Land}, to: battlefield, tapped: yes}"
    found = deed(find, "  - {choose: cards, by: alice, for: deed, answer: a4}")
    assert ("battlefield", True) == (of(found, "a4").zone, of(found, "a4").tapped)
    nothing = deed(find, "  - {choose: cards, by: alice, for: deed, answer: []}")
    assert ("library", "library") == (of(nothing, "a3").zone, of(nothing, "a4").zone)
    wrong = deed(find, "  - {choose: cards, by: alice, for: deed, answer: a5}")
    assert "rejected" == stopped(wrong)[0]


def test_creating_tokens() -> None:
    token = "{name: Saproling, types: [Creature], subtypes: [Saproling], colors: [green], pt: 1/1}"
    text = deed(f"effect: {{create: {token}, n: 2, tapped: yes, who: opponents}}")
    tokens = seen(text + "  - {look: here}\n", "here").table.tokens
    assert [("Saproling", "bob"), ("Saproling", "bob")] == [
        (one.name, one.controller) for one in tokens or ()
    ]


def test_creating_copies() -> None:
    text = deed("targets: creatures, effect: {create: {copy_of: target}}", cast=", targets: [ogre]")
    assert [("Gray Ogre", "alice")] == [(one.name, one.controller) for one in seen(text).table.tokens or ()]


def test_token_copies_of_an_aura_choose_what_they_enchant() -> None:
    setup = "  - {id: strength, card: Giant Strength, controller: alice, attached_to: bear}"
    spell = "targets: enchantments, effect: {create: {copy_of: target}}"
    text = deed(
        spell, "  - {choose: object, by: alice, answer: ogre}", setup=setup, cast=", targets: [strength]"
    )
    assert 4 == of(text, "ogre").power
    alone = deed(
        "targets: enchantments, effect: [{destroy: creatures}, {create: {copy_of: target}}]",
        setup=setup,
        cast=", targets: [strength]",
    )
    assert () == seen(alone).table.tokens


def test_mana_is_added() -> None:
    text = deed(
        'effect: [{add_mana: "{G}", n: 3}, {add_mana: any}, {add_mana: "{B}", who: opponents}]',
        "  - {choose: color, by: alice, for: deed, answer: red}",
    )
    players = seen(text).players
    assert ("{R}{G}{G}{G}", "{B}") == (players["alice"].pool, players["bob"].pool)


# --------------------------------------------------------------------------- choices and conditions


def test_choosing_an_object_or_player() -> None:
    text = deed(
        "effect: [{choose: object, what: creatures}, {destroy: {the: chosen}}, {choose: player, "
        "name: who}, {lose_life: 2, who: {the: who}}]",
        "  - {choose: object, by: alice, for: deed, answer: ogre}\n"
        "  - {choose: player, by: alice, for: deed, answer: bob}",
    )
    assert ("graveyard", 18) == (of(text, "ogre").zone, player(text, "bob").life)


def test_choosing_words_and_numbers() -> None:
    color = deed(
        "effect: [{choose: color}, {affects: creatures, does: {set_colors: chosen color}}]",
        "  - {choose: color, by: alice, for: deed, answer: blue}",
    )
    assert frozenset({"blue"}) == of(color, "ogre").colors
    kind = deed(
        "effect: [{choose: type, of: creature type}, {affects: creatures, "
        "does: {set_creature_types: chosen type}}]",
        "  - {choose: type, by: alice, for: deed, answer: Elf}",
    )
    assert frozenset({"Elf"}) == of(kind, "ogre").subtypes
    number = deed(
        "effect: [{choose: number}, {lose_life: chosen number}]",
        "  - {choose: number, by: alice, for: deed, answer: 4}",
    )
    assert 16 == player(number, "alice").life
    assert "rejected" == stopped(kind.replace("answer: Elf", "answer: Forest"))[0]


def test_doing_something_or_not() -> None:
    text = deed(
        "effect: {may: {gain_life: 4}, otherwise: {lose_life: 1}}",
        "  - {choose: may, by: alice, for: deed, answer: yes}",
    )
    assert 24 == player(text, "alice").life
    assert 19 == player(text.replace("answer: yes", "answer: no"), "alice").life


def test_paying_as_it_resolves_only_if_one_can() -> None:
    spell = "effect: {may: {gain_life: 4}, cost: COST, otherwise: {lose_life: 1}}"
    yes = "  - {choose: may, by: alice, for: deed, answer: yes}"
    assert 22 == player(deed(spell.replace("COST", "{life: 2}"), yes), "alice").life
    assert 19 == player(deed(spell.replace("COST", "{life: 21}")), "alice").life
    sacrifice = deed(spell.replace("COST", "{sacrifice: creatures}"), yes)
    assert (24, "graveyard") == (player(sacrifice, "alice").life, of(sacrifice, "bear").zone)


def test_other_players_may() -> None:
    text = deed(
        "effect: {may: {lose_life: 3, who: opponents}, who: opponents}",
        "  - {choose: may, by: bob, for: deed, answer: yes}",
    )
    assert 17 == player(text, "bob").life


def test_one_of_two() -> None:
    text = deed(
        "effect: {one_of: [{effect: {gain_life: 1}}, {effect: {gain_life: 5}}]}",
        "  - {choose: option, by: alice, for: deed, answer: 2}",
    )
    assert 25 == player(text, "alice").life
    assert ("question", "alice must choose option for deed out of 1, 2") == stopped(
        text.replace("  - {choose: option, by: alice, for: deed, answer: 2}", "")
    )


def test_each_player_in_turn() -> None:
    text = deed(
        "effect: {for_each: everyone, effect: {lose_life: {count: {all: creatures, controller: you}}}}"
    )
    players = seen(text).players
    assert (19, 19) == (players["alice"].life, players["bob"].life)


def test_if() -> None:
    text = deed(
        "effect: {if: {exists: {all: creatures, subtype: Elf}}, effect: {draw: 1}, otherwise: {gain_life: 1}}"
    )
    assert 21 == player(text, "alice").life


def test_delayed_triggers_once_or_each_time() -> None:
    once = (
        deed(
            "effect: {later: {dies: creatures}, effect: {gain_life: 1}}",
            players=PLAYERS.replace("{a1: Runeclaw Bear}", "{a1: Wrath of God}"),
        )
        + "  - {cast: a1, by: alice}\n  - settle\n"
    )
    assert 21 == player(once, "alice").life
    each = once.replace("effect: {gain_life: 1}", "each: yes, effect: {gain_life: 1}")
    assert 22 == player(each, "alice").life


def test_effects_last_as_long_as_they_say() -> None:
    text = deed(
        "effect: [{affects: creatures, does: {modify: +1/+0}, until: end of turn}, "
        "{affects: creatures, does: {modify: +2/+0}, until: your next turn}, "
        "{affects: creatures, does: {modify: +4/+0}, as_long_as: {exists: {all: creatures, subtype: Bear}}}, "
        "{affects: creatures, does: {modify: +8/+0}, as_long_as: {exists: {all: creatures, subtype: Elf}}}]",
        players=PLAYERS.replace("{b1: Plains}", "{b1: Shock}"),
    )
    assert 9 == of(text, "ogre").power
    later = text + "  - {advance: {to: upkeep}}\n"
    assert 8 == of(later, "ogre").power
    shot = later + "  - {cast: b1, by: bob, targets: [bear]}\n  - settle\n"
    assert ("graveyard", 4) == (of(shot, "bear").zone, of(shot, "ogre").power)


def test_looking_and_revealing() -> None:
    text = deed(
        "effect: [{look_at: {all: cards, zones: library, of: opponents, top: yes}}, "
        "{reveal: {all: cards, zones: library, of: you, top: yes}}, "
        "{if: {matches: {the: revealed}, what: {type: Land}}, effect: {gain_life: 2}}]"
    )
    assert 22 == player(text, "alice").life


# ----------------------------------------------------------------------------- on the stack


STACK = """
players:
  alice: {{hand: [{{shock: Shock}}, {{deed: Test Deed}}]}}
  bob: {{hand: [{{cancel: Cancel}}]}}
cards:
  - {{name: Test Deed, cost: "{{1}}", types: [Instant], abilities: {{spell: {{{spell}}}}}}}
setup:
  - {{id: bear, card: Runeclaw Bear, controller: bob}}
  - {{id: ogre, card: Gray Ogre, controller: bob}}
script:
  - {{cast: shock, by: alice, targets: [bear]}}
{answers}
  - {{cast: deed, by: alice, targets: [shock]}}
  - settle
"""


def test_countering() -> None:
    text = STACK.format(spell="targets: spells, effect: {counter: target}", answers="")
    assert ("battlefield", "graveyard") == (of(text, "bear").zone, of(text, "shock").zone)
    order = (
        "{name: Test Order, types: [Enchantment], abilities: {static: {affects: spells, "
        "does: {cannot: be countered}}}}"
    )
    fixed = text.replace("cards:\n", f"cards:\n  - {order}\n").replace(
        "setup:\n", "setup:\n  - {id: ruling, card: Test Order, controller: bob}\n"
    )
    assert "graveyard" == of(fixed, "bear").zone


def test_copies_with_new_targets() -> None:
    text = STACK.format(
        spell="targets: spells, effect: {copy_spell: target}",
        answers="  - {choose: targets, by: alice, for: copy of shock, answer: ogre}",
    )
    objects = seen(text).objects
    assert ("graveyard", "graveyard") == (objects["bear"].zone, objects["ogre"].zone)
    kept = text.replace("answer: ogre", "answer: bear")
    assert ("graveyard", "battlefield") == (of(kept, "bear").zone, of(kept, "ogre").zone)


def test_changing_a_target() -> None:
    may = STACK.format(
        spell="targets: spells, effect: {change_target: target}",
        answers="  - {choose: targets, by: alice, for: deed, answer: ogre}",
    )
    assert ("battlefield", "graveyard") == (of(may, "bear").zone, of(may, "ogre").zone)
    must = may.replace("{change_target: target}", "{change_target: target, must: yes}")
    assert ("battlefield", "graveyard") == (of(must, "bear").zone, of(must, "ogre").zone)
    same = must.replace("answer: ogre", "answer: bear")
    assert "rejected" == stopped(same)[0]


def test_tries_leave_everything_as_it_was() -> None:
    text = deed("effect: {draw: 1}").replace(
        "  - {cast: deed", "  - {try: wrong, action: {cast: deed, by: bob}}\n  - {cast: deed"
    )
    assert {"wrong": "rejected"} == tried(text)


# --------------------------------------------------------------------- how many, whether, whom


BOARD = """  - {id: angel, card: Serra Angel, controller: alice, counters: {+1/+1: 2}}
  - {id: jace, card: "Jace, the Mind Sculptor", controller: bob}
  - {id: forest, card: Forest, controller: bob}
  - {id: tropics, card: Test Tropics, controller: bob}
  - {id: wolf, card: Test Wolf, controller: bob, damage: 2}"""
CARDS = """  - {name: Test Tropics, types: [Land], subtypes: [Forest, Island]}
  - {name: Test Wolf, cost: "{G}{G}", types: [Creature], pt: 1/4}"""


@pytest.mark.parametrize(
    ("quantity", "is_"),
    [
        ("{count: permanents}", 7),
        ("{count: permanents, distinct: card types}", 3),
        ("{count: permanents, distinct: colors}", 4),
        ("{count: creatures, distinct: names}", 4),
        ("{count: lands, distinct: basic land types}", 2),
        ("{property: hand_size, of: you}", 2),
        ("{property: life, of: opponents}", 20),
        ("{property: counters, counter: poison, of: opponents}", 3),
        ("{property: counters, counter: +1/+1, of: creatures}", 2),
        ("{property: loyalty, of: planeswalkers}", 3),
        ("{property: damage, of: creatures}", 2),
        ("{property: power, of: creatures}", 11),
        ("{property: power, of: creatures, over: greatest}", 6),
        ("{property: toughness, of: {all: creatures, controller: you}}", 8),
        ("{property: mana_value, of: creatures}", 12),
        ("{sum: [1, {count: lands}]}", 3),
        ("{times: 2, by: {count: lands}}", 4),
        ("{at_least: [1, {count: lands}]}", 2),
        ("{devotion: green}", 1),
    ],
)
def test_quantities(quantity: str, is_: int) -> None:
    players = PLAYERS.replace("bob: {", "bob: {counters: {poison: 3}, ")
    text = deed(f"effect: {{gain_life: {quantity}}}", setup=BOARD, more=CARDS, players=players)
    assert 20 + is_ == player(text, "alice").life


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("{turn: you}", True),
        ("{turn: you, step: precombat main}", True),
        ("{turn: you, step: end}", False),
        ("{turn: opponents}", False),
        ("{was: kicked}", False),
        ("{was: cast}", True),
        ("{not: {turn: you}}", False),
        ("{all_of: [{turn: you}, {exists: creatures}]}", True),
        ("{all_of: [{turn: you}, {exists: artifacts}]}", False),
        ("{any_of: [{turn: opponents}, {exists: creatures}]}", True),
        ("{compare: {count: lands}, how: '>=', right: 2}", True),
        ("{compare: {count: lands}, how: '<=', right: 1}", False),
        ("{compare: {count: lands}, how: '=', right: 2}", True),
        ("{exists: {all: creatures, power: odd}}", True),
        ("{exists: {all: creatures, power: {'>=': 7}}}", False),
        ("{exists: {all: creatures, toughness: {'<=': 2}}}", True),
        ("{exists: {all: creatures, mana_value: 5}}", True),
    ],
)
def test_conditions(condition: str, holds: bool) -> None:
    text = deed(f"effect: {{if: {condition}, effect: {{gain_life: 1}}}}", setup=BOARD, more=CARDS)
    assert (21 if holds else 20) == player(text, "alice").life


@pytest.mark.parametrize(
    ("who", "lives"),
    [
        ("you", (19, 20)),
        ("opponents", (20, 19)),
        ("others", (20, 19)),
        ("everyone", (19, 19)),
        ("active player", (19, 20)),
        ("{controller_of: {all: creatures, subtype: Ogre}}", (20, 19)),
        ("{owner_of: {all: creatures, subtype: Bear}}", (19, 20)),
    ],
)
def test_who_is_meant(who: str, lives: tuple[int, int]) -> None:
    players = seen(deed(f"effect: {{lose_life: 1, who: {who}}}")).players
    assert lives == (players["alice"].life, players["bob"].life)


@pytest.mark.parametrize(
    ("what", "dead"),
    [
        ("{all: creatures, in_combat_with: {all: creatures, subtype: Ogre}}", {"bear"}),
        ("{all: creatures, unblocked: yes}", {"angel"}),
        ("{all: attacking creatures}", {"bear", "angel"}),
        ("{all: blocking creatures}", {"ogre"}),
        ("{all: untapped creatures}", {"ogre", "angel"}),
        ("{all: creatures, damaged_by: {all: creatures, subtype: Angel}}", set()),
        ("{all: creatures, shares_color_with: {all: creatures, subtype: Bear}}", {"bear"}),
        ("{all: creatures, colorless: no}", {"bear", "ogre", "angel"}),
    ],
)
def test_what_is_meant_in_combat(what: str, dead: set[str]) -> None:
    text = f"""
cards: [{{name: Test Deed, types: [Instant], abilities: {{spell: {{effect: {{destroy: {what}}}}}}}}}]
players: {{alice: {{hand: [{{deed: Test Deed}}]}}, bob: {{}}}}
start: {{turn: alice, step: beginning of combat}}
setup:
  - {{id: bear, card: Runeclaw Bear, controller: alice}}
  - {{id: angel, card: Serra Angel, controller: alice}}
  - {{id: ogre, card: Gray Ogre, controller: bob}}
script:
  - {{pass: everyone}}
  - {{attack: {{bear: bob, angel: bob}}, by: alice}}
  - {{pass: everyone}}
  - {{block: {{ogre: [bear]}}, by: bob}}
  - {{cast: deed, by: alice}}
  - settle
"""
    objects = seen(text).objects
    assert dead == {id for id in ("bear", "angel", "ogre") if objects[id].zone == "graveyard"}


def test_number_that_a_thing_does_not_have_is_zero() -> None:
    """A creature has no life, a player no power, an ability on the stack neither."""
    text = """
cards:
  - name: Test Choice
    types: [Creature]
    power: 1
    toughness: 3
    abilities: [{static: {affects: this, does: {modify: {power: {property: life, of: it}, toughness: 1}}}}]
  - name: Test Source
    types: [Artifact]
    abilities: [{activated: [{mana: "{0}"}], effect: {draw: 1}, name: more}]
  - name: Test Probe
    types: [Instant]
    abilities: [{spell: {effect: {gain_life: {property: power, of: target}}, targets: {players: everyone}}}]
  - name: Test Trap
    types: [Instant]
    abilities:
      - spell:
          effect:
            - lose_life: {property: power, of: target}
            - lose_life: {count: {all: creatures, shares_color_with: target}}
          targets: {stack: [activated]}
players:
  alice: {hand: [{probe: Test Probe}, {trap: Test Trap}]}
  bob: {}
setup:
  - {id: choice, card: Test Choice, controller: alice}
  - {id: source, card: Test Source, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: alice}
script:
  - {cast: probe, by: alice, targets: [bob]}
  - {resolve: probe}
  - {activate: source, ability: more, by: alice}
  - {cast: trap, by: alice, targets: [more of source]}
  - {resolve: trap}
"""
    end = seen(text)

    assert (1, 4) == (end.objects["choice"].power, end.objects["choice"].toughness)
    assert 20 == end.players["alice"].life


def test_damage_of_what_a_filter_names() -> None:
    text = deed(
        "effect: {damage: 1, to: opponents, by: {all: creatures, controller: you}}",
        setup="  - {id: elves, card: Llanowar Elves, controller: alice}",
    )
    assert 18 == player(text, "bob").life


def test_words_replaced_as_it_resolves() -> None:
    text = deed(
        "targets: lands, effect: {affects: target, does: {replace_word: {kinds: [basic land type]}}}",
        "  - {choose: word, by: alice, for: deed, answer: [Forest, Island]}",
        setup="  - {id: forest, card: Forest, controller: bob}",
        cast=", targets: [forest]",
    )
    assert frozenset({"Island"}) == of(text, "forest").subtypes
    assert "rejected" == stopped(text.replace("[Forest, Island]", "[red, blue]"))[0]


def test_becoming_a_copy_of_nothing() -> None:
    text = deed(
        "effect: {affects: {all: creatures, controller: you}, "
        "does: {become_copy: {all: creatures, subtype: Elf}}}"
    )
    assert "Runeclaw Bear" == of(text, "bear").name


def test_control_for_a_named_player() -> None:
    text = deed(
        "targets: [{what: creatures, name: thing}, {players: everyone, name: whom}], "
        "effect: {affects: {the: thing}, does: {control: {the: whom}}}",
        cast=", targets: [[bear], [bob]]",
    )
    assert "bob" == of(text, "bear").controller


def test_instructions_without_anything_to_do() -> None:
    text = deed(
        "effect: [{destroy: artifacts}, {tap: artifacts}, {draw: 0}, {lose_life: 0}, {add_mana: '{G}', n: 0}]"
    )
    assert (20, "graveyard") == (player(text, "alice").life, of(text, "deed").zone)


def test_aura_put_on_a_player_or_on_nothing() -> None:
    curse = (
        "  - {name: Test Hex, types: [Enchantment], subtypes: [Aura], abilities: {keyword: enchant, "
        "player: opponents}}"
    )
    players = PLAYERS.replace("{a6: Serra Angel}", "{a6: Test Hex}")
    text = deed(
        "effect: {put: {all: cards, zones: graveyard, of: you}, to: battlefield}", more=curse, players=players
    )
    assert ("battlefield", "bob") == (of(text, "a6").zone, of(text, "a6").attached_to)
    strength = deed(
        "effect: [{destroy: creatures}, {put: {all: cards, zones: graveyard, of: you, "
        "type: Enchantment}, to: battlefield}]",
        players=PLAYERS.replace("{a6: Serra Angel}", "{a6: Holy Strength}"),
    )
    assert "graveyard" == of(strength, "a6").zone


HUGE = 999_999_999


@pytest.mark.parametrize(
    "effect",
    [
        f"{{draw: {HUGE}}}",
        f"{{create: {{name: Spirit, types: Creature, pt: 1/1}}, n: {HUGE}}}",
        f'{{add_mana: "{{R}}", n: {HUGE}}}',
        f'{{add_mana: "{{{HUGE}}}"}}',
        f"{{copy_spell: {{all: {{zones: stack}}}}, n: {HUGE}}}",
        f"{{may: {{gain_life: 1}}, cost: {{life: 1}}, times: {HUGE}}}",
    ],
)
def test_what_is_done_too_often_is_unsupported(effect: str) -> None:
    assert ("unsupported", f"something done {HUGE} times (at most 10000)") == stopped(
        deed(f"effect: {effect}")
    )


def test_cost_that_is_more_too_often_is_unsupported() -> None:
    tax = f"""  - name: Test Tax
    types: [Artifact]
    abilities:
      static: {{affects: {{all: {{zones: stack}}}}, does: {{costs: more, mana: "{{1}}", times: {HUGE}}}}}"""
    text = deed("effect: {draw: 1}", setup="  - {id: tax, card: Test Tax, controller: bob}", more=tax)
    assert ("unsupported", f"something done {HUGE} times (at most 10000)") == stopped(text)


def test_no_player_is_copied_as_a_card() -> None:
    """CR 707.12: a card is copied; a target that is a player is none."""
    text = deed(
        "targets: {any_target: true}, effect: [{copy_card: target}, {gain_life: 1}]", cast=", targets: [bob]"
    )
    assert 21 == player(text, "alice").life
