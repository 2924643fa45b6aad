"""Actions and whole scenarios in words, for people who want to know what is played and what is expected.

Ids stay as they are, because reports and expectations use them; a card is named with its id where it is cast,
activated or put onto the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import assert_never

from msgspec import Struct

from conformance.model import scenario
from conformance.wording.abilities import card_text
from conformance.wording.conditions import STEP_NAMES
from conformance.wording.english import Setting, capital, number, plural, sentence, series
from conformance.wording.phrases import quantity_of_noun
from reference_engine.language import actions, setup
from reference_engine.language.actions import Action
from reference_engine.language.cards import Card, Counters
from reference_engine.language.characteristics import PROTOTYPED


class DisplayNames(Struct, frozen=True):
    """Names to show in place of ids."""

    cards: Mapping[str, str] = {}
    """A card where it is first mentioned: "Lightning Bolt (bolt)"."""
    players: Mapping[str, str] = {}

    def called(self, id: str) -> str:
        """A card where it is first mentioned."""
        return self.cards.get(id, id)

    def short(self, id: str) -> str:
        """A card or player where it is mentioned again."""
        return self.players.get(id, id)


def names_of(play: scenario.Play) -> DisplayNames:
    """The names of a scenario's cards and players."""
    return DisplayNames(
        {one.id: card_with_id(one) for one in play.objects}, {one.id: person(one.id) for one in play.players}
    )


def action_text(action: Action, play: scenario.Play | None = None) -> str:
    """An action as a sentence: "Alice casts bolt targeting bear."; cards have names if `play` is given."""
    return sentence(action_words(action, DisplayNames() if play is None else names_of(play)))


def person(id: str) -> str:
    """A player or team by name."""
    return capital(id.replace("_", " "))


def list_or_nothing(words: Iterable[object], nothing: str = "nothing") -> str:
    """A list of words, or `nothing`."""
    return series(map(str, words)) or nothing


def action_words(action: Action, names: DisplayNames) -> str:
    """An action without capital letter and period, and who decides on it if the script says so."""
    decided_by = getattr(action, "decided_by", None)
    said = "" if decided_by is None else f", as {person(decided_by)} decides"
    return f"{deed_words(action, names)}{said}"


def deed_words(action: Action, names: DisplayNames) -> str:
    """An action without capital letter and period."""
    called, short = names.called, names.short
    match action:
        case actions.CastAction(what, by):
            how = f" as {action.face}" if action.face is not None else ""
            how = " prototyped" if action.face == PROTOTYPED else how
            how += " face down" if action.face_down else ""
            return f"{person(by)} casts {called(what)}{how}{announcement(action, names)}"
        case actions.Activate(what, ability, by):
            made = f", producing {action.produces}" if action.produces is not None else ""
            return f"{person(by)} activates {ability} of {called(what)}{announcement(action, names)}{made}"
        case actions.PlayAction(what, by, face):
            return f"{person(by)} plays {called(what)}" + (f" as {face}" if face is not None else "")
        case actions.TurnUp(what, by, costs, pay, way):
            cost = f" for its {way}" if way is not None else ""
            return f"{person(by)} turns {called(what)} face up{cost}{payment(costs, pay)}"
        case actions.UnlockAction(what, by, door, costs, pay):
            half = door if door is not None else "the locked half"
            return f"{person(by)} unlocks {half} of {called(what)}{payment(costs, pay)}"
        case actions.Special(what, by, source):
            where = f" of {called(source)}" if source is not None else ""
            return f"{person(by)} takes a special action{where}: {what}"
        case actions.Pass("everyone"):
            return "everyone passes until an object has resolved or a step has ended"
        case actions.Pass(who):
            return f"{person(who)} passes"
        case actions.Resolve(what):
            return f"everyone passes until {called(what)} has left the stack"
        case actions.Settle():
            return "everyone passes until the stack is empty"
        case actions.Advance(to, turn):
            whose = f" of {person(turn)}'s turn" if turn is not None else ""
            return f"everyone passes on to the next {STEP_NAMES[to]}{whose}"
        case actions.Attack(attackers, by):
            attacks = (f"{one.attacker} attacks {short(one.attacks)}" for one in attackers)
            return f"{person(by)} declares attackers: {list_or_nothing(attacks, 'none')}"
        case actions.Block(blockers, by):
            blocks = (f"{one.blocker} blocks {list_or_nothing(one.blocks)}" for one in blockers)
            return f"{person(by)} declares blockers: {list_or_nothing(blocks, 'none')}"
        case actions.Assign(assignments, by):
            divided = (f"{one.by} deals {shares_in_words(one.shares, names)}" for one in assignments)
            return f"{person(by)} divides combat damage: {list_or_nothing(divided)}"
        case actions.ChooseAction(kind, by, answer, asker):
            asked = f" for {called(asker)}" if asker is not None else ""
            return f"{person(by)} chooses {QUESTIONS[kind]}{asked}: {answers(answer, names)}"
        case actions.Call(tokens):
            said = (f"{list_or_nothing(one.ids)} for {one.name}" for one in tokens)
            return f"the new tokens have these names from here on: {list_or_nothing(said)}"
        case actions.Look(name):
            return f"take a look: {name}"
        case actions.Try(name, inner):
            return f"try whether this can be done ({name}): {action_words(inner, names)}"
        case _:
            assert_never(action)


QUESTIONS: dict[actions.ChoiceKind, str] = {
    "targets": "targets",
    "order": "the order, first to last",
    "timestamps": "the order of timestamps, oldest first",
    "cards": "cards",
    "random": "what chance has chosen",
    "keep": "what to keep",
    "object": "an object",
    "player": "a player",
    "replacement": "which effect replaces the event",
    "copy": "what to copy",
    "color": "colors",
    "type": "a type",
    "name": "a name",
    "word": "words",
    "number": "a number",
    "x": "a value for X",
    "may": "whether to do it",
    "modes": "modes",
    "option": "the alternative, as printed",
    "costs": "which costs to pay",
    "division": "how to divide",
    "pile": "a pile",
    "damage_order": "the order of damage",
}


def answers(given: Iterable[actions.AnswerValue], names: DisplayNames) -> str:
    """A player's answers as a list."""
    said = []
    for answer in given:
        match answer:
            case bool():
                said.append("yes" if answer else "no")
            case actions.Share():
                said.append(shares_in_words([answer], names))
            case _:
                said.append(names.short(str(answer)))
    return list_or_nothing(said)


def shares_in_words(shares: Iterable[actions.Share], names: DisplayNames) -> str:
    """A division: "3 to wall and 2 to Bob"."""
    return list_or_nothing(f"{share.n} to {names.short(share.to)}" for share in shares)


def announcement(action: actions.CastAction | actions.Activate, names: DisplayNames) -> str:
    """What is announced with a spell or ability: modes, X, targets, division, costs."""
    said = ""
    if action.modes:
        said += f" with mode{'s' if len(action.modes) > 1 else ''} {list_or_nothing(action.modes)}"
    if action.x is not None:
        said += f"{' and' if said else ' with'} X = {action.x}"
    if action.targets:
        targets = (list_or_nothing(map(names.short, chosen)) for chosen in action.targets)
        said += f" targeting {list_or_nothing(targets)}"
    if action.divide:
        said += f", divided as {shares_in_words(action.divide, names)}"
    said += payment(action.costs, action.pay)
    return said + (f" (called {action.as_})" if action.as_ is not None else "")


def payment(costs: Iterable[actions.CostPaid], pay: actions.Pay | None) -> str:
    """How costs are paid, if the script says so."""
    said = [cost_paid(cost) for cost in costs]
    if pay is not None:
        keeping = "" if pay.undo_mana else " and keeping the mana if that turns out illegal"
        said.append(f"paying with {list_or_nothing(map(pay_step, pay.steps))}{keeping}")
    return "".join(f", {text}" for text in said)


COSTS_PAID = {
    "sacrifice": "sacrificing",
    "discard": "discarding",
    "tap": "tapping",
    "exile": "exiling",
    "return": "returning",
    "life": "paying life",
    "method": "by",
    "kicked": "kicked",
    "additional": "with the additional cost",
    "hybrid": "paying for hybrid symbols",
    "reduce_in_order": "reduced in this order by",
}


def cost_paid(cost: actions.CostPaid) -> str:
    """One cost that involves a choice: "sacrificing redcap"."""
    words = [COSTS_PAID[cost.kind]]
    words += [list_or_nothing(cost.ids)] if cost.ids else []
    words += [f"({cost.n})"] if cost.n is not None else []
    return " ".join(words)


def pay_step(step: actions.PayStep) -> str:
    """One step of a payment: "mana of birds for blue"."""
    said = []
    if step.activate is not None:
        said.append(f"{step.ability} of {step.activate}" + (f" for {step.choose}" if step.choose else ""))
    if step.pool is not None:
        said.append(f"{step.pool} from the pool")
    return list_or_nothing(said)


# --------------------------------------------------------------------------------- scenarios


def scenario_text(fixture: scenario.Fixture) -> str:
    """A scenario for people: players, board, actions, expectations, cards."""
    play = fixture.play
    names = names_of(play)
    remarks = [fixture.note] if fixture.note else []
    remarks += [f"Disputed: {fixture.disputed}"] if fixture.disputed else []
    remarks += [f"Would have caught: {', '.join(fixture.caught)}"] if fixture.caught else []
    remarks += [sentence(f"this holds {dates(fixture.holds)}")] if fixture.holds != scenario.Holds() else []
    start = f"it is {person(play.start.turn)}'s turn, {STEP_NAMES[play.start.step]}"
    battlefield, script = blocks_of(play)
    blocks = [
        [fixture.id if fixture.title == fixture.id else f"{fixture.id}: {fixture.title}", *remarks],
        ["Players", *(list_item(player_words(one, play, names)) for one in play.players), list_item(start)],
        battlefield,
        script,
        ["What is to be seen", *(list_item(expected_words(one, names)) for one in fixture.expect)],
    ]
    cards = [card_text(card) for card in cards_to_show(play)]
    told = ["\n".join(block) for i, block in enumerate(blocks) if i == 0 or len(block) > 1]
    return "\n\n".join([*told, *(["The cards", *cards] if cards else [])]) + "\n"


def board_lines(play: scenario.Play) -> list[str]:
    """What a reader needs to understand a failure, as lines: the board, the actions, the cards."""
    blocks = [*blocks_of(play), ["The cards", *map(card_in_a_line, cards_to_show(play))]]
    return [
        line if number == 0 else f"  {line}"
        for block in blocks
        if len(block) > 1
        for number, line in enumerate(block)
    ]


def card_in_a_line(card: Card) -> str:
    """A card's text on one line: `Blood Moon {2}{R}, Enchantment: Nonbasic lands are Mountains.`"""
    name, kind, *text = (line for line in card_text(card).splitlines() if line)
    return f"{name}, {kind}: {' / '.join(text)}" if text else f"{name}, {kind}"


def blocks_of(play: scenario.Play) -> tuple[list[str], list[str]]:
    """The battlefield and the script, each with its heading."""
    names = names_of(play)
    return (
        ["On the battlefield, oldest first", *(list_item(arrival_words(one, names)) for one in play.setup)],
        ["What is done", *(f"{i}. {action_text(one, play)}" for i, one in enumerate(play.script, 1))],
    )


def cards_to_show(play: scenario.Play) -> list[Card]:
    """The cards of a scenario except basic lands, which everybody knows."""
    return [card.definition for card in play.cards if "Basic" not in card.definition.supertypes]


def list_item(text: str) -> str:
    """One line of a bulleted list."""
    return f"- {sentence(text)}"


def card_with_id(one: setup.Object) -> str:
    """A card with its id, unless they are the same."""
    alike = re.sub(r"\W+", "_", one.card.lower()) == one.id
    return one.card if alike else f"{one.card} ({one.id})"


def player_words(one: setup.Player, play: scenario.Play, names: DisplayNames) -> str:
    """A player at the start of the scenario."""
    team = f" of team {one.team}" if one.team is not None else ""
    said = [f"{person(one.id)}{team} has {one.life} life"]
    said += map(counters_in_words, one.counters)
    zones = {"hand": one.hand, "library, top first": one.library, "graveyard, top first": one.graveyard}
    for zone, ids in {**zones, "exile": one.exile}.items():
        if ids:
            cards = {card.card for card in play.objects if card.id in ids}
            if zone.startswith("library") and len(cards) == 1:
                said.append(f"library: {number(len(ids))} {plural(cards.pop())}")
            else:
                said.append(f"{zone}: {list_or_nothing(map(names.called, ids))}")
    return "; ".join(said)


def arrival_words(arrival: setup.Arrival, names: DisplayNames) -> str:
    """One entry onto the battlefield, or several simultaneous ones."""
    said = series(entry_words(entry, names) for entry in arrival.entries)
    said += " (all at once)" if len(arrival.entries) > 1 else ""
    orders = (
        f"; {person(one.player)} has the order {list_or_nothing(one.ids)}" for one in arrival.timestamps
    )
    return said + "".join(orders)


def entry_words(entry: setup.Entry, names: DisplayNames) -> str:
    """One object as it enters: "Grizzly Bears (bear) of Alice, tapped, with 1 damage"."""
    states = {"tapped": entry.tapped, "face down": entry.face_down, "new this turn": entry.new}
    said = [f"{names.called(entry.id)} of {person(entry.controller)}"]
    said += [state for state, is_so in states.items() if is_so]
    said += [f"with {entry.face} up"] if entry.face is not None else []
    said += [f"attached to {entry.attached_to}"] if entry.attached_to is not None else []
    said += [f"with {counters_in_words(pile)}" for pile in entry.counters]
    said += [f"with {entry.damage} damage"] if entry.damage else []
    said += [f"{QUESTIONS[choice.kind]} chosen: {answers(choice.answer, names)}" for choice in entry.choices]
    return ", ".join(said)


def counters_in_words(pile: Counters) -> str:
    """A number of counters: "a +1/+1 counter"."""
    return quantity_of_noun(pile.n, f"{pile.kind} counter", Setting({}, {}, "")).text


def expected_words(one: scenario.Expectation, names: DisplayNames) -> str:
    """An expectation: "at the end, bear: power is 3 (because …)"."""
    where = "at the end" if one.look == "end" else f"at {one.look}"
    about = "the table" if one.about == "table" else names.short(one.about)
    said = f"{where}, {about}: {fact(one.key, one.test, names)}"
    said += f" {dates(one.holds)}" if one.holds != scenario.Holds() else ""
    said += f" ({one.because})" if one.because else ""
    if one.source_says is not None:
        said += f"; the source says {value_words(one.source_says.value, names)} ({one.source_says.reason})"
    return said


def dates(holds: scenario.Holds) -> str:
    """The dates from which and until which something holds."""
    ends = (("since", holds.since), ("until", holds.until))
    return series(f"{word} {date}" for word, date in ends if date is not None)


def fact(key: str, test: scenario.Test, names: DisplayNames) -> str:
    """The expected value of a key: "power is 3", "keywords include shroud"."""
    spoken = key.replace("_", " ")
    several = spoken.endswith("s") and not spoken.endswith("ss")
    is_ = "are" if several else "is"
    match test:
        case scenario.Equals(wanted) if key == "tried":
            return value_words(wanted, names)
        case scenario.Equals(()) if several:
            return f"no {spoken}"
        case scenario.Equals(wanted):
            return f"{spoken} {is_} {value_words(wanted, names)}"
        case scenario.Has(values):
            return (
                f"{spoken} {'include' if several else 'includes'} {list_or_nothing(map(names.short, values))}"
            )
        case scenario.Lacks(values):
            return f"{spoken} {'lack' if several else 'lacks'} {list_or_nothing(map(names.short, values))}"
        case scenario.InAnyOrder(values):
            return f"{spoken} {is_} {list_or_nothing(map(names.short, values))} in any order"
        case scenario.OneOfTest(values):
            options = (value_words(one.value, names) for one in values)
            return f"{spoken} {is_} {series(options, 'or') or 'nothing'}"
        case scenario.Number(name, n, controller):
            whose = f" controlled by {names.short(controller)}" if controller is not None else ""
            return f"{n} {'token' if n == 1 else 'tokens'} named {name}{whose}"
        case _:
            assert_never(test)


def value_words(wanted: scenario.Value, names: DisplayNames) -> str:
    """An observed value: "none", "yes", "3", "green and blue"."""
    match wanted:
        case None:
            return "none"
        case bool():
            return "yes" if wanted else "no"
        case tuple():
            return list_or_nothing((member_words(member, names) for member in wanted), "empty")
        case _:
            return names.short(str(wanted)) or "empty"


def member_words(member: str | int | scenario.SeenCounters, names: DisplayNames) -> str:
    """One member of an observed list."""
    if isinstance(member, scenario.SeenCounters):
        return f"{member.n} {member.kind}"
    return names.short(str(member))
