// A shim for the conformance suite, with a tiny engine inside so that it plays from the first minute.
//
// Three parts: THE ENGINE, to be replaced by yours; THE SHIM, which turns a scenario into calls of the engine
// and the engine into what is seen; THE PROTOCOL, one JSON object a line, which may stay as it is.
"use strict";

const NAME = "my engine";
const VERSION = "0.1";
const STEPS = [
  "untap", "upkeep", "draw", "precombat main", "beginning of combat", "declare attackers",
  "declare blockers", "combat damage", "end of combat", "postcombat main", "end", "cleanup",
];
const SYMBOLS = { W: "white", U: "blue", B: "black", R: "red", G: "green" };

// The rules do not allow this; the game is as it was.
class Rejected extends Error {}
// We cannot play this, and say so: never guess.
class Unsupported extends Error {}

// ------------------------------------------------------------------------------------ THE ENGINE
// Players, zones, priority, steps; creatures without abilities, spells that deal damage. Yours goes here.

class Thing {
  constructor(id, card, owner) {
    Object.assign(this, { id, card, owner, controller: owner, zone: "", tapped: false, damage: 0, targets: [] });
  }

  isA(kind) {
    return this.card.types.includes(kind);
  }
}

class Game {
  constructor(players, active, step) {
    Object.assign(this, { players, active, step, holder: active, passes: 0, landsPlayed: 0 });
    this.things = new Map();
    this.zones = { hand: {}, library: {}, graveyard: {}, exile: {} };
    this.life = {};
    this.lost = new Set();
    this.stack = [];
  }

  after(player) {
    return this.players[(this.players.indexOf(player) + 1) % this.players.length];
  }

  battlefield() {
    return [...this.things.values()].filter((thing) => thing.zone === "battlefield");
  }

  // Take a card from where it is to another zone (libraries and graveyards: to the top).
  move(thing, zone) {
    for (const list of [this.zones[thing.zone]?.[thing.owner] ?? [], this.stack]) {
      if (list.includes(thing.id)) list.splice(list.indexOf(thing.id), 1);
    }
    Object.assign(thing, { zone, tapped: false, damage: 0 });
    if (zone in this.zones) this.zones[zone][thing.owner].unshift(thing.id);
    if (zone === "stack") this.stack.push(thing.id);
  }

  pass(player, attackersFollow = true) {
    if (player !== this.holder) throw new Rejected(`${this.holder} has priority`);
    this.passes += 1;
    if (this.passes < this.players.length) {
      this.holder = this.after(player);
      return;
    }
    if (this.stack.length) this.resolveTop();
    else this.nextStep(attackersFollow);
    this.givePriority();
  }

  // State-based actions, then the active player may act.
  givePriority() {
    for (const thing of this.battlefield()) {
      if (thing.isA("Creature") && thing.damage >= thing.card.toughness) this.move(thing, "graveyard");
    }
    if (Object.values(this.life).some((life) => life <= 0)) throw new Unsupported("a player without life");
    this.holder = this.active;
    this.passes = 0;
  }

  // The next step in which somebody gets priority.
  nextStep(attackersFollow) {
    if (this.step === "beginning of combat" && attackersFollow) {
      const mine = this.battlefield().filter((thing) => thing.controller === this.active);
      if (mine.some((thing) => thing.isA("Creature") && !thing.tapped)) throw new Unsupported("combat");
    }
    if (this.step === "declare attackers") this.step = "combat damage"; // nobody attacked
    this.step = STEPS[(STEPS.indexOf(this.step) + 1) % STEPS.length];
    if (this.step === "cleanup") {
      if (this.zones.hand[this.active].length > 7) throw new Unsupported("discarding in the cleanup step");
      for (const thing of this.things.values()) thing.damage = 0;
      this.nextStep(attackersFollow);
    } else if (this.step === "untap") {
      this.active = this.after(this.active);
      this.landsPlayed = 0;
      for (const thing of this.battlefield()) thing.tapped &&= thing.controller !== this.active;
      this.nextStep(attackersFollow);
    } else if (this.step === "draw") {
      this.draw(this.active);
    }
  }

  draw(player) {
    const library = this.zones.library[player];
    if (library.length) this.move(this.things.get(library[0]), "hand");
    // Try me: G-0058 says what happens to a player who draws from an empty library. One line does it:
    // else this.lost.add(player);
  }

  mainPhaseOf(player) {
    return player === this.active && this.step.endsWith("main") && !this.stack.length;
  }

  playLand(thing, player) {
    if (player !== this.holder || !this.mainPhaseOf(player) || this.landsPlayed) throw new Rejected("not now");
    if (!this.zones.hand[player].includes(thing.id) || !thing.isA("Land")) {
      throw new Rejected(`${thing.id} is no land in ${player}'s hand`);
    }
    this.move(thing, "battlefield");
    this.landsPlayed += 1;
    this.passes = 0;
  }

  cast(thing, player, targets) {
    if (player !== this.holder) throw new Rejected(`${this.holder} has priority`);
    if (!this.zones.hand[player].includes(thing.id) || thing.isA("Land")) {
      throw new Rejected(`${thing.id} is no spell in ${player}'s hand`);
    }
    if (!thing.isA("Instant") && !this.mainPhaseOf(player)) {
      throw new Rejected("only in your own main phase, with an empty stack");
    }
    const wanted = spellOf(thing) ? 1 : 0;
    if (targets.length !== wanted || !targets.every((target) => this.canHit(thing, target))) {
      throw new Rejected("not a legal target");
    }
    this.move(thing, "stack");
    Object.assign(thing, { controller: player, targets });
    this.holder = player;
    this.passes = 0;
  }

  canHit(spell, target) {
    if (this.players.includes(target)) return spellOf(spell).targets[0].any_target;
    const thing = this.things.get(target);
    return thing !== undefined && thing.zone === "battlefield" && thing.isA("Creature");
  }

  resolveTop() {
    const thing = this.things.get(this.stack.at(-1));
    if (!thing.isA("Instant") && !thing.isA("Sorcery")) return this.move(thing, "battlefield");
    const amount = spellOf(thing).effect[0].n;
    for (const target of thing.targets) {
      if (this.players.includes(target)) this.life[target] -= amount;
      else if (this.canHit(thing, target)) this.things.get(target).damage += amount;
    }
    this.move(thing, "graveyard");
    thing.controller = thing.owner;
  }
}

// What an instant or sorcery does; nothing for other cards.
const spellOf = (thing) => thing.card.abilities[0];

// -------------------------------------------------------------------------------------- THE SHIM

const KINDS = ["Artifact", "Creature", "Enchantment", "Land", "Instant", "Sorcery"];

// YOURS: make your card from the definition, or say that you cannot.
function understood(card) {
  const printed = ["name", "cost", "types", "subtypes", "supertypes", "colors", "power", "toughness"];
  onlyThese(card, ...printed, "abilities");
  const isSpell = card.types.includes("Instant") || card.types.includes("Sorcery");
  const refuse = (what) => {
    throw new Unsupported(what);
  };
  if (!card.types.every((type) => KINDS.includes(type))) refuse("types");
  if (!card.supertypes.every((type) => type === "Basic")) refuse("supertypes");
  if (card.types.includes("Creature") && !Number.isInteger(card.toughness)) refuse("toughness");
  if (isSpell && !(card.abilities.length === 1 && dealsDamage(card.abilities[0]))) refuse("what a spell does");
  if (!isSpell && card.abilities.length) refuse(`${card.abilities[0].is} abilities`);
  return card;
}

// Throw if a record says something under another key; null, false and [] say nothing.
function onlyThese(record, ...keys) {
  for (const [key, value] of Object.entries(record)) {
    if (!keys.includes(key) && value && value.length !== 0) throw new Unsupported(key);
  }
}

// Whether an ability is exactly `deals N damage to any target` (or to target creature).
function dealsDamage(ability) {
  if (ability.is !== "spell" || ability.effect.length !== 1 || ability.targets.length !== 1) return false;
  const [effect] = ability.effect;
  const [target] = ability.targets;
  const filter = Object.entries(target.what ?? {}).filter(
    ([key, value]) => !["who", "zones"].includes(key) && value && value.length !== 0,
  );
  const creature = filter.length === 1 && filter[0][0] === "type" && filter[0][1].join() === "Creature";
  return (
    effect.then === "damage" && Number.isInteger(effect.n) && !effect.divided &&
    effect.to.who === "the" && effect.to.name === "target" &&
    target.least === 1 && target.most === 1 && (target.any_target || creature) &&
    !ability.additional.length && !ability.kicked.length && !ability.modes.length
  );
}

// YOURS: set the table. Create everything in the order of `objects`, then enter it in that of `setup`.
function newGame(scenario) {
  const seats = scenario.players;
  const game = new Game(seats.map((seat) => seat.id), scenario.start.turn, scenario.start.step);
  const cards = new Map(scenario.cards.map((card) => [card.definition.name, card.definition]));
  for (const { id, card, owner, token } of scenario.objects) {
    if (token) throw new Unsupported("tokens");
    game.things.set(id, new Thing(id, understood(cards.get(card)), owner));
  }
  for (const seat of seats) {
    if (seat.team) throw new Unsupported("teams");
    if (seat.counters.length) throw new Unsupported("counters on players");
    game.life[seat.id] = seat.life;
    for (const zone of Object.keys(game.zones)) {
      game.zones[zone][seat.id] = [...seat[zone]];
      for (const id of seat[zone]) game.things.get(id).zone = zone;
    }
  }
  for (const entry of scenario.setup.flatMap((arrival) => arrival.entries)) {
    onlyThese(entry, "id", "controller", "tapped", "damage", "new");
    const { controller, tapped, damage } = entry;
    Object.assign(game.things.get(entry.id), { zone: "battlefield", controller, tapped, damage });
  }
  return game;
}

// YOURS: one action of the script. Illegal: throw Rejected. Not possible to ask: throw Unsupported.
function act(game, action) {
  switch (action.do) {
    case "pass":
      if (action.who !== "everyone") return game.pass(action.who);
      return until(game, () => game.passes === 0);
    case "settle":
      return game.stack.length ? until(game, () => !game.stack.length) : undefined;
    case "resolve":
      return until(game, () => !game.stack.includes(action.what));
    case "advance": {
      const there = () => game.step === action.to && [null, game.active].includes(action.turn);
      if (game.stack.length) until(game, () => !game.stack.length); // the step goes on when that has resolved
      return until(game, () => game.passes === 0 && there(), false);
    }
    case "play":
      return game.playLand(game.things.get(action.what), action.by);
    case "cast": {
      onlyThese(action, "do", "what", "by", "targets");
      return game.cast(game.things.get(action.what), action.by, action.targets.flat());
    }
    default:
      throw new Unsupported(`the action ${action.do}`);
  }
}

// Everyone passes until something is so.
function until(game, done, attackersFollow = true) {
  for (let count = 0; count < 1000; count += 1) {
    game.pass(game.holder, attackersFollow);
    if (done()) return;
  }
  throw new Unsupported("more than a thousand passes");
}

// What is seen now: of everything wanted at this look the keys that are known. Leave out what you don't know.
function look(game, wants, name) {
  const seen = { objects: {}, players: {}, table: {} };
  for (const { of, keys } of wants.filter((want) => want.look === name)) {
    const only = (values) => Object.fromEntries(Object.entries(values).filter(([key]) => keys.includes(key)));
    if (of === "table") seen.table = only(seenTable(game));
    else if (game.players.includes(of)) seen.players[of] = only(seenPlayer(game, of));
    else if (game.things.has(of)) seen.objects[of] = only(seenThing(game.things.get(of)));
  }
  return seen;
}

// YOURS: read these from your engine.
function seenTable(game) {
  const { active, step, holder, stack } = game; // the stack: bottom to top
  const over = game.players.length - game.lost.size < 2;
  return { turn: active, active, step, priority: holder, stack: [...stack], over };
}

// YOURS: read these from your engine.
function seenPlayer(game, player) {
  const { hand, library, graveyard, exile } = game.zones;
  return {
    life: game.life[player],
    hand: [...hand[player]],
    library_size: library[player].length,
    library_top: library[player][0] ?? null,
    graveyard: [...graveyard[player]],
    exile: [...exile[player]],
    lost: game.lost.has(player),
    land_plays: player === game.active ? 1 - game.landsPlayed : 0,
  };
}

// YOURS: read these from your engine. None is null; what is unknown is left out.
function seenThing({ card, zone, owner, controller, tapped, damage, ...thing }) {
  const symbols = (card.cost ?? "").match(/[^{}]+/g) ?? [];
  const value = (symbol) => (symbol === "X" ? 0 : Number.parseInt(symbol, 10) || (symbol === "0" ? 0 : 1));
  const colors = Object.keys(SYMBOLS).filter((letter) => symbols.some((symbol) => symbol.includes(letter)));
  // A noncreature permanent has no power, whatever is printed on it.
  const hasSize = zone !== "battlefield" || card.types.includes("Creature");
  return {
    name: card.name,
    cost: card.cost,
    mana_value: symbols.map(value).reduce((sum, one) => sum + one, 0),
    colors: card.colors ?? colors.map((letter) => SYMBOLS[letter]),
    types: card.types,
    subtypes: card.subtypes,
    supertypes: card.supertypes,
    power: hasSize ? card.power : null,
    toughness: hasSize ? card.toughness : null,
    zone,
    owner,
    controller: ["battlefield", "stack"].includes(zone) ? controller : null,
    tapped,
    damage,
  };
}

// ---------------------------------------------------------------------------------- THE PROTOCOL

// The whole answer to a scenario, but for its number.
function play(scenario) {
  const answer = { looks: {}, tried: {} };
  let at = 0;
  try {
    const game = newGame(scenario);
    for (const action of scenario.script) {
      if (action.do === "look") answer.looks[action.name] = look(game, scenario.wants, action.name);
      else if (action.do === "try") answer.tried[action.name] = outcome(() => act(game, action.action));
      else act(game, action);
      at += 1;
    }
    answer.looks.end = look(game, scenario.wants, "end");
  } catch (error) {
    if (error instanceof Unsupported) answer.stopped = { at, why: "unsupported", says: error.message };
    else if (error instanceof Rejected) answer.stopped = { at, why: "rejected", says: error.message };
    else return { error: String(error.stack) }; // our own fault: say so, and go on with the next scenario
  }
  return answer;
}

function outcome(action) {
  try {
    action();
    return "done";
  } catch (error) {
    if (error instanceof Rejected) return "rejected";
    throw error;
  }
}

// Answer line by line; stdout belongs to the protocol, stderr (console.error) is for people.
require("node:readline")
  .createInterface({ input: process.stdin, terminal: false })
  .on("line", (line) => {
    const request = JSON.parse(line);
    if (request.say === "bye") process.exit(0);
    const answer =
      request.say === "hello"
        ? { protocol: 1, name: NAME, version: VERSION, takes: ["defined"], lacks: ["teams"], wants_defaults: true }
        : { id: request.id, ...play(request.scenario) };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  });
