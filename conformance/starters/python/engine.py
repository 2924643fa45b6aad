"""A shim for the conformance suite, with a tiny engine inside so that it plays from the first minute.

Three parts: THE ENGINE, to be replaced by yours; THE SHIM, which turns a scenario into calls of the engine
and the engine into what is seen; THE PROTOCOL, the two methods that the suite calls (`--engine
python:engine:Engine`), or one JSON object a line (`--engine "python3 engine.py"`), which may stay as it is.
"""

from __future__ import annotations

import json
import sys
from typing import Any

NAME, VERSION = "my engine", "0.1"
STEPS = (
    *("untap", "upkeep", "draw", "precombat main", "beginning of combat", "declare attackers"),
    *("declare blockers", "combat damage", "end of combat", "postcombat main", "end", "cleanup"),
)
PRINTED = ("name", "cost", "subtypes", "supertypes")
SYMBOLS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}


class Rejected(Exception):
    """The rules do not allow this; the game is as it was."""


class Unsupported(Exception):
    """We cannot play this, and say so: never guess."""


# ------------------------------------------------------------------------------------ THE ENGINE
# Players, zones, priority, steps; creatures without abilities, spells that deal damage. Yours goes here.


class Thing:
    """A card, wherever it is."""

    def __init__(self, id: str, card: dict[str, Any], owner: str) -> None:
        self.id, self.card, self.owner = id, card, owner
        self.controller, self.zone = owner, ""
        self.tapped, self.damage = False, 0
        self.targets: list[str] = []

    def is_a(self, kind: str) -> bool:
        return kind in self.card["types"]


class Game:
    """A game under way."""

    def __init__(self, players: list[str], active: str, step: str) -> None:
        self.players, self.active, self.step = players, active, step
        self.things: dict[str, Thing] = {}
        self.zones: dict[str, dict[str, list[str]]] = {
            zone: {player: [] for player in players} for zone in ("hand", "library", "graveyard", "exile")
        }
        self.life: dict[str, int] = {}
        self.lost: set[str] = set()
        self.stack: list[str] = []
        self.holder, self.passes, self.lands_played = active, 0, 0

    def after(self, player: str) -> str:
        return self.players[(self.players.index(player) + 1) % len(self.players)]

    def move(self, thing: Thing, zone: str) -> None:
        """Take a card from where it is to another zone (libraries and graveyards: to the top)."""
        for lists in (self.zones.get(thing.zone, {}).get(thing.owner, []), self.stack):
            if thing.id in lists:
                lists.remove(thing.id)
        thing.zone, thing.tapped, thing.damage = zone, False, 0
        if zone in self.zones:
            self.zones[zone][thing.owner].insert(0, thing.id)
        if zone == "stack":
            self.stack.append(thing.id)

    def pass_priority(self, player: str, attackers_follow: bool = True) -> None:
        if player != self.holder:
            raise Rejected(f"{self.holder} has priority")
        self.passes += 1
        if self.passes < len(self.players):
            self.holder = self.after(player)
            return
        if self.stack:
            self.resolve_top()
        else:
            self.next_step(attackers_follow)
        self.give_priority()

    def give_priority(self) -> None:
        """State-based actions, then the active player may act."""
        for thing in list(self.things.values()):
            alive = not thing.is_a("Creature") or thing.damage < thing.card["toughness"]
            if thing.zone == "battlefield" and not alive:
                self.move(thing, "graveyard")
        if any(life <= 0 for life in self.life.values()):
            raise Unsupported("a player without life")
        self.holder, self.passes = self.active, 0

    def next_step(self, attackers_follow: bool) -> None:
        """The next step in which somebody gets priority."""
        if self.step == "beginning of combat" and attackers_follow:
            mine = (
                t for t in self.things.values() if t.zone == "battlefield" and t.controller == self.active
            )
            if any(thing.is_a("Creature") and not thing.tapped for thing in mine):
                raise Unsupported("combat")
        if self.step == "declare attackers":  # nobody attacked: no blockers, no damage
            self.step = "combat damage"
        self.step = STEPS[(STEPS.index(self.step) + 1) % len(STEPS)]
        if self.step == "cleanup":
            if len(self.zones["hand"][self.active]) > 7:
                raise Unsupported("discarding in the cleanup step")
            for thing in self.things.values():
                thing.damage = 0
            self.next_step(attackers_follow)
        elif self.step == "untap":
            self.active, self.lands_played = self.after(self.active), 0
            for thing in self.things.values():
                thing.tapped = thing.tapped and thing.controller != self.active
            self.next_step(attackers_follow)
        elif self.step == "draw":
            self.draw(self.active)

    def draw(self, player: str) -> None:
        library = self.zones["library"][player]
        if library:
            self.move(self.things[library[0]], "hand")
        # Try me: G-0058 says what happens to a player who draws from an empty library. One line does it:
        # else: self.lost.add(player)

    def main_phase_of(self, player: str) -> bool:
        return player == self.active and self.step.endswith("main") and not self.stack

    def play_land(self, thing: Thing, player: str) -> None:
        if player != self.holder or not self.main_phase_of(player) or self.lands_played:
            raise Rejected("not now")
        if thing.id not in self.zones["hand"][player] or not thing.is_a("Land"):
            raise Rejected(f"{thing.id} is no land in {player}'s hand")
        self.move(thing, "battlefield")
        self.lands_played += 1
        self.passes = 0

    def cast(self, thing: Thing, player: str, targets: list[str]) -> None:
        if player != self.holder:
            raise Rejected(f"{self.holder} has priority")
        if thing.id not in self.zones["hand"][player] or thing.is_a("Land"):
            raise Rejected(f"{thing.id} is no spell in {player}'s hand")
        if not thing.is_a("Instant") and not self.main_phase_of(player):
            raise Rejected("only in your own main phase, with an empty stack")
        if len(targets) != (1 if spell_of(thing) else 0) or not all(self.can_hit(thing, t) for t in targets):
            raise Rejected("not a legal target")
        self.move(thing, "stack")
        thing.controller, thing.targets = player, targets
        self.holder, self.passes = player, 0

    def can_hit(self, spell: Thing, target: str) -> bool:
        if target in self.players:
            return bool(spell_of(spell)["targets"][0]["any_target"])
        thing = self.things.get(target)
        return thing is not None and thing.zone == "battlefield" and thing.is_a("Creature")

    def resolve_top(self) -> None:
        thing = self.things[self.stack[-1]]
        if not thing.is_a("Instant") and not thing.is_a("Sorcery"):
            self.move(thing, "battlefield")
            return
        for target in thing.targets:
            if target in self.players:
                self.life[target] -= spell_of(thing)["effect"][0]["n"]
            elif self.can_hit(thing, target):
                self.things[target].damage += spell_of(thing)["effect"][0]["n"]
        self.move(thing, "graveyard")
        thing.controller = thing.owner


def spell_of(thing: Thing) -> dict[str, Any]:
    """What an instant or sorcery does; nothing for other cards."""
    abilities: list[dict[str, Any]] = thing.card["abilities"]
    return abilities[0] if abilities else {}


# -------------------------------------------------------------------------------------- THE SHIM


def understood(card: dict[str, Any]) -> dict[str, Any]:
    """YOURS: make your card from the definition, or say that you cannot."""
    only_these(card, *PRINTED, "types", "colors", "power", "toughness", "abilities")
    spells = {"Instant", "Sorcery"} & set(card["types"])
    if not set(card["types"]) <= {"Artifact", "Creature", "Enchantment", "Land", "Instant", "Sorcery"}:
        raise Unsupported("types")
    if not set(card["supertypes"]) <= {"Basic"}:
        raise Unsupported("supertypes")
    if card["abilities"] and not spells:
        raise Unsupported(f"{card['abilities'][0]['is']} abilities")
    if "Creature" in card["types"] and not isinstance(card["toughness"], int):
        raise Unsupported("toughness")
    if spells and not (len(card["abilities"]) == 1 and deals_damage(card["abilities"][0])):
        raise Unsupported("what a spell does")
    return card


def only_these(record: dict[str, Any], *keys: str) -> None:
    """Raise Unsupported if a record says something under another key; null, false and [] say nothing."""
    for key, value in record.items():
        if key not in keys and value not in (None, False, []):
            raise Unsupported(key)


def deals_damage(ability: dict[str, Any]) -> bool:
    """Whether this is exactly `deals N damage to any target` (or to target creature)."""
    if ability["is"] != "spell" or len(ability["effect"]) != 1 or len(ability["targets"]) != 1:
        return False
    effect, target = ability["effect"][0], ability["targets"][0]
    wanted = {k: v for k, v in (target["what"] or {}).items() if v and k not in ("who", "zones")}
    return (
        effect["then"] == "damage"
        and isinstance(effect["n"], int)
        and not effect["divided"]
        and effect["to"] == {"who": "the", "name": "target"}
        and target["least"] == target["most"] == 1
        and (target["any_target"] or wanted == {"type": ["Creature"]})
        and not (ability["additional"] or ability["kicked"] or ability["modes"])
    )


def new_game(scenario: dict[str, Any]) -> Game:
    """YOURS: set the table. Create everything in the order of `objects`, then enter it in that of `setup`."""
    seats = scenario["players"]
    game = Game([p["id"] for p in seats], scenario["start"]["turn"], scenario["start"]["step"])
    cards = {card["definition"]["name"]: card["definition"] for card in scenario["cards"]}
    for thing in scenario["objects"]:
        if thing["token"]:
            raise Unsupported("tokens")
        card = understood(cards[thing["card"]])
        game.things[thing["id"]] = Thing(thing["id"], card, thing["owner"])
    for seat in seats:
        if seat["team"] or seat["counters"]:
            raise Unsupported("teams" if seat["team"] else "counters")
        game.life[seat["id"]] = seat["life"]
        for zone in game.zones:
            game.zones[zone][seat["id"]] = list(seat[zone])
            for id in seat[zone]:
                game.things[id].zone = zone
    for arrival in scenario["setup"]:
        for entry in arrival["entries"]:
            only_these(entry, "id", "controller", "tapped", "damage", "new")
            thing = game.things[entry["id"]]
            thing.zone, thing.controller = "battlefield", entry["controller"]
            thing.tapped, thing.damage = entry["tapped"], entry["damage"]
    return game


def act(game: Game, action: dict[str, Any]) -> None:
    """YOURS: one action of the script. Illegal: raise Rejected. Not possible to ask: raise Unsupported."""
    match action["do"]:
        case "pass" if action["who"] == "everyone":
            until(game, lambda: game.passes == 0)
        case "pass":
            game.pass_priority(action["who"])
        case "settle":
            if game.stack:
                until(game, lambda: not game.stack)
        case "resolve":
            until(game, lambda: action["what"] not in game.stack)
        case "advance":
            if game.stack:  # the step goes on when that has resolved
                until(game, lambda: not game.stack)
            until(game, lambda: game.passes == 0 and arrived(game, action), attackers_follow=False)
        case "play":
            game.play_land(game.things[action["what"]], action["by"])
        case "cast":
            only_these(action, "do", "what", "by", "targets")
            targets = [target for group in action["targets"] for target in group]
            game.cast(game.things[action["what"]], action["by"], targets)
        case other:
            raise Unsupported(f"the action {other}")


def arrived(game: Game, action: dict[str, Any]) -> bool:
    return game.step == action["to"] and action["turn"] in (None, game.active)


def until(game: Game, done: Any, attackers_follow: bool = True) -> None:
    """Everyone passes until something is so."""
    for _ in range(1000):
        game.pass_priority(game.holder, attackers_follow)
        if done():
            return
    raise Unsupported("more than a thousand passes")


def look(game: Game, wants: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """What is seen now: of what is wanted at this look all that is known. Leave out what you don't know."""
    seen: dict[str, Any] = {"objects": {}, "players": {}, "table": {}}
    for want in wants:
        of = want["of"]
        if want["look"] != name:
            continue
        if of == "table":
            seen["table"] = only(want["keys"], seen_table(game))
        elif of in game.players:
            seen["players"][of] = only(want["keys"], seen_player(game, of))
        elif of in game.things:
            seen["objects"][of] = only(want["keys"], seen_thing(game.things[of]))
    return seen


def only(keys: list[str], values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key in keys}


def seen_table(game: Game) -> dict[str, Any]:
    """YOURS: read these from your engine."""
    over = len(game.players) - len(game.lost) < 2
    table = {"turn": game.active, "active": game.active, "step": game.step, "priority": game.holder}
    return {**table, "stack": game.stack[:], "over": over}  # the stack: bottom to top


def seen_player(game: Game, player: str) -> dict[str, Any]:
    """YOURS: read these from your engine."""
    library = game.zones["library"][player]
    return {
        "life": game.life[player],
        "library_size": len(library),
        "library_top": library[0] if library else None,
        "lost": player in game.lost,
        "land_plays": 1 - game.lands_played if player == game.active else 0,
        **{zone: game.zones[zone][player][:] for zone in ("hand", "graveyard", "exile")},
    }


def seen_thing(thing: Thing) -> dict[str, Any]:
    """YOURS: read these from your engine. None is null; what is unknown is left out."""
    card, in_play = thing.card, thing.zone in ("battlefield", "stack")
    symbols = (card["cost"] or "").replace("{", "").split("}")[:-1]
    no_size = None if thing.zone == "battlefield" or card["power"] is None else card["power"]
    colors = [color for symbol, color in SYMBOLS.items() if any(symbol in one for one in symbols)]
    size = (card["power"], card["toughness"]) if thing.is_a("Creature") else (no_size, no_size)
    return {
        **{key: card[key] for key in (*PRINTED, "types")},
        "colors": colors if card["colors"] is None else card["colors"],
        "mana_value": sum(int(one[0]) if one[0].isdigit() else one != "X" for one in symbols),
        "zone": thing.zone,
        "owner": thing.owner,
        "controller": thing.controller if in_play else None,
        "tapped": thing.tapped,
        "damage": thing.damage,
        "power": size[0],
        "toughness": size[1],
    }


# ---------------------------------------------------------------------------------- THE PROTOCOL


class Engine:
    """What the suite asks: who we are, and how a scenario plays out."""

    def describe(self) -> dict[str, Any]:
        """The answer to `hello`."""
        who = {"protocol": 1, "name": NAME, "version": VERSION}
        return {**who, "takes": ["defined"], "lacks": ["teams"], "wants_defaults": True}

    def play(self, scenario: dict[str, Any]) -> dict[str, Any]:
        """The answer to `play`, without its id. An exception is reported as a crash, with its place."""
        looks: dict[str, Any] = {}
        tried: dict[str, str] = {}
        answer: dict[str, Any] = {"looks": looks, "tried": tried}
        at = 0
        try:
            game = new_game(scenario)
            for action in scenario["script"]:
                if action["do"] == "look":
                    looks[action["name"]] = look(game, scenario["wants"], action["name"])
                elif action["do"] == "try":
                    tried[action["name"]] = outcome(game, action["action"])
                else:
                    act(game, action)
                at += 1
            looks["end"] = look(game, scenario["wants"], "end")
        except Unsupported as error:
            answer["stopped"] = {"at": at, "why": "unsupported", "says": str(error)}
        except Rejected as error:
            answer["stopped"] = {"at": at, "why": "rejected", "says": str(error)}
        return answer


def outcome(game: Game, action: dict[str, Any]) -> str:
    """Whether an action of a `try` could be done."""
    try:
        act(game, action)
    except Rejected:
        return "rejected"
    return "done"


def main() -> None:
    """As a process of its own: answer line by line. Stdout belongs to the protocol, stderr is for people."""
    engine = Engine()
    for line in sys.stdin:
        request = json.loads(line)
        if request["say"] == "bye":
            return
        if request["say"] == "hello":
            answer = engine.describe()
        else:
            try:
                answer = engine.play(request["scenario"])
            except Exception as error:  # our own fault: say so, and go on with the next scenario
                answer = {"error": f"{type(error).__name__}: {error}"}
            answer["id"] = request["id"]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
