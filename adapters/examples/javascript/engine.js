// A small engine with its shim in one file: creatures, anthems, counters, simple spells, priority and steps.
//
// It grew out of `conformance init-adapter javascript`, and stands for an engine that somebody else wrote. It
// has two faults, which its README describes.
"use strict";

const NAME = "javascript example";
const VERSION = "1.0";
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
// Players, zones, priority, steps; creatures, anthems, counters; spells of one or several simple instructions.

class Thing {
  constructor(id, card, owner) {
    Object.assign(this, { id, card, owner, controller: owner, zone: "", tapped: false, damage: 0, targets: [] });
    this.counters = new Map();
    this.bonuses = []; // until end of turn
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
    Object.assign(thing, { zone, tapped: false, damage: 0, bonuses: [], counters: new Map() });
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
    this.firstAgain = undefined;
    if (this.stack.length) this.resolveTop();
    else this.nextStep(attackersFollow);
    this.givePriority();
  }

  // State-based actions, then the active player may act.
  givePriority() {
    for (;;) {
      const dying = this.battlefield().filter((thing) => this.isDying(thing));
      if (!dying.length) break;
      for (const thing of dying) this.move(thing, "graveyard");
    }
    for (const { counters } of this.battlefield()) {
      const pairs = Math.min(counters.get("+1/+1") ?? 0, counters.get("-1/-1") ?? 0);
      for (const kind of pairs ? ["+1/+1", "-1/-1"] : []) counters.set(kind, counters.get(kind) - pairs);
    }
    if (Object.values(this.life).some((life) => life <= 0)) throw new Unsupported("a player without life");
    this.holder = this.firstAgain ?? this.active;
    this.passes = 0;
  }

  isDying(thing) {
    const { toughness } = this.size(thing);
    return thing.isA("Creature") && (toughness <= 0 || thing.damage >= toughness);
  }

  // Power and toughness: as printed, with counters, anthems and what lasts until end of turn.
  size(thing) {
    const size = { power: thing.card.power, toughness: thing.card.toughness };
    const add = (power, toughness, times = 1) => {
      size.power += power * times;
      size.toughness += toughness * times;
    };
    for (const [kind, n] of thing.counters) add(...kind.split("/").map(Number), n);
    for (const { power, toughness } of thing.bonuses) add(power, toughness);
    for (const source of this.battlefield()) {
      for (const { affects, does } of source.card.abilities.flatMap((one) => one.parts ?? [])) {
        if (matches(affects, source, thing)) for (const { power, toughness } of does) add(power, toughness);
      }
    }
    return size;
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
      for (const thing of this.things.values()) Object.assign(thing, { damage: 0, bonuses: [] });
      // Players would get priority, and another cleanup step would follow.
      if (this.battlefield().some((thing) => this.isDying(thing))) throw new Unsupported("a death in cleanup");
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
    // Divergence 2: who cannot draw stays in the game (CR 704.5b: should lose).
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
    const wanted = spellOf(thing)?.targets.length ?? 0;
    if (targets.length !== wanted || !targets.every((target) => this.canHit(thing, target))) {
      throw new Rejected("not a legal target");
    }
    this.move(thing, "stack");
    Object.assign(thing, { controller: player, targets });
    this.holder = player;
    this.passes = 0;
  }

  canHit(spell, target) {
    const [wanted] = spellOf(spell).targets;
    if (this.players.includes(target)) return wanted.any_target;
    const thing = this.things.get(target);
    if (thing === undefined || thing.zone !== "battlefield") return false;
    return wanted.any_target ? thing.isA("Creature") : matches(wanted.what, spell, thing);
  }

  resolveTop() {
    const thing = this.things.get(this.stack.at(-1));
    const { controller } = thing;
    if (!spellOf(thing)) {
      this.move(thing, "battlefield");
    } else {
      const legal = thing.targets.filter((target) => this.canHit(thing, target));
      // A spell whose targets are all illegal by now does nothing.
      if (legal.length || !thing.targets.length) {
        for (const one of spellOf(thing).effect) this.follow(one, thing, legal[0]);
      }
      this.move(thing, "graveyard");
      thing.controller = thing.owner;
    }
    // Divergence 1: the caster acts first again (CR 117.3b: should be the active player).
    this.firstAgain = controller;
  }

  // One instruction of a spell.
  follow(instruction, spell, target) {
    const creature = this.things.get(target);
    switch (instruction.then) {
      case "damage":
        if (creature) creature.damage += instruction.n;
        else this.life[target] -= instruction.n;
        break;
      case "destroy":
        this.move(creature, "graveyard");
        break;
      case "put_counters":
        for (const { kind, n } of instruction.counters) {
          creature.counters.set(kind, (creature.counters.get(kind) ?? 0) + n);
        }
        break;
      case "effect": {
        const { affects, does } = instruction;
        const group = this.battlefield().filter((one) => matches(affects, spell, one));
        for (const one of affects.who === "the" ? [creature] : group) one.bonuses.push(...does);
      }
    }
  }
}

// Whether a thing on the battlefield is as a selector of a source's ability says.
function matches({ who, type, subtype, controller, other_than: otherThan }, source, thing) {
  if (who !== "all") return false;
  return (
    type.every((one) => thing.isA(one)) &&
    (!subtype.length || subtype.some((one) => thing.card.subtypes.includes(one))) &&
    (!controller || (controller.who === "you") === (thing.controller === source.controller)) &&
    (!otherThan || thing !== source)
  );
}

// What an instant or sorcery does; nothing for other cards.
const spellOf = (thing) => thing.card.abilities.find((ability) => ability.is === "spell");

// -------------------------------------------------------------------------------------- THE SHIM

const KINDS = ["Artifact", "Creature", "Enchantment", "Land", "Instant", "Sorcery"];

// A card from its definition, or word that we cannot make it.
function understood(card) {
  const printed = ["name", "cost", "types", "subtypes", "supertypes", "colors", "power", "toughness"];
  onlyThese(card, ...printed, "abilities");
  const isSpell = card.types.includes("Instant") || card.types.includes("Sorcery");
  const refuse = (what) => {
    throw new Unsupported(`${card.name}: ${what}`);
  };
  if (!card.types.every((type) => KINDS.includes(type))) refuse(card.types.join(", "));
  if (!card.supertypes.every((type) => type === "Basic")) refuse("supertypes");
  if (card.types.includes("Creature") && !Number.isInteger(card.toughness)) refuse("toughness");
  if (isSpell !== card.abilities.some((ability) => ability.is === "spell")) refuse("what it does");
  if (!card.abilities.every(known)) refuse("abilities");
  return card;
}

// Throw if a record says something under another key; null, false and [] say nothing.
function onlyThese(record, ...keys) {
  for (const [key, value] of Object.entries(record)) {
    if (!keys.includes(key) && value && value.length !== 0) throw new Unsupported(key);
  }
}

// Whether an ability is an anthem, or a spell of which we know every instruction.
function known(ability) {
  if (ability.is === "static") {
    onlyThese(ability, "is", "parts", "zones");
    if (ability.zones.join() !== "battlefield") return false;
    return ability.parts.every(({ affects, does }) => knownGroup(affects) && does.every(adds));
  }
  if (ability.is !== "spell") return false;
  onlyThese(ability, "is", "targets", "effect", "modes_chosen");
  const { targets, effect } = ability;
  return targets.length <= 1 && targets.every(knownTarget) && effect.every(knownInstruction);
}

function knownTarget({ what, any_target: any, least, most, ...rest }) {
  onlyThese(rest, "name", "by");
  return least === 1 && most === 1 && rest.name === "target" && (any || knownGroup(what));
}

function knownInstruction(instruction) {
  const { then, n } = instruction;
  const target = (whom) => whom.who === "the" && whom.name === "target";
  switch (then) {
    case "damage":
      onlyThese(instruction, "then", "n", "to", "by");
      return Number.isInteger(n) && target(instruction.to) && instruction.by.who === "this";
    case "destroy":
      onlyThese(instruction, "then", "what");
      return target(instruction.what);
    case "put_counters":
      onlyThese(instruction, "then", "counters", "on");
      return target(instruction.on) && instruction.counters.every(knownCounters);
    case "effect":
      onlyThese(instruction, "then", "affects", "does", "until");
      if (instruction.until !== "end of turn" || !instruction.does.every(adds)) return false;
      return target(instruction.affects) || knownGroup(instruction.affects);
    default:
      return false;
  }
}

// Whether an operation adds whole numbers to power and toughness.
function adds({ op, power, toughness }) {
  return op === "modify" && Number.isInteger(power) && Number.isInteger(toughness);
}

function knownGroup(group) {
  if (group?.who !== "all" || group.zones.join() !== "battlefield") return false;
  onlyThese(group, "who", "zones", "type", "subtype", "controller", "other_than");
  const whose = group.controller === null || ["you", "opponents"].includes(group.controller.who);
  return group.type.length > 0 && whose && (group.other_than === null || group.other_than.who === "this");
}

const knownCounters = ({ kind, n }) => ["+1/+1", "-1/-1"].includes(kind) && Number.isInteger(n);

// The table as it is at the start.
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
    onlyThese(entry, "id", "controller", "tapped", "damage", "new", "counters");
    if (!entry.counters.every(knownCounters)) throw new Unsupported("such counters");
    const { controller, tapped, damage } = entry;
    const counters = new Map(entry.counters.map(({ kind, n }) => [kind, n]));
    Object.assign(game.things.get(entry.id), { zone: "battlefield", controller, tapped, damage, counters });
  }
  return game;
}

// One action of the script.
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
    else if (game.things.has(of)) seen.objects[of] = only(seenThing(game, game.things.get(of)));
  }
  return seen;
}

function seenTable(game) {
  const { active, step, holder, stack } = game; // the stack: bottom to top
  const over = game.players.length - game.lost.size < 2;
  return { turn: active, active, step, priority: holder, stack: [...stack], over };
}

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

function seenThing(game, thing) {
  const { card, zone, owner, controller, tapped, damage, counters } = thing;
  const symbols = (card.cost ?? "").match(/[^{}]+/g) ?? [];
  const value = (symbol) => (symbol === "X" ? 0 : Number.parseInt(symbol, 10) || (symbol === "0" ? 0 : 1));
  const colors = Object.keys(SYMBOLS).filter((letter) => symbols.some((symbol) => symbol.includes(letter)));
  const inPlay = zone === "battlefield" ? game.size(thing) : card;
  // A noncreature permanent has no power, whatever is printed on it.
  const hasSize = zone !== "battlefield" || thing.isA("Creature");
  const { power, toughness } = hasSize ? inPlay : { power: null, toughness: null };
  return {
    name: card.name,
    cost: card.cost,
    mana_value: symbols.map(value).reduce((sum, one) => sum + one, 0),
    colors: card.colors ?? colors.map((letter) => SYMBOLS[letter]),
    types: card.types,
    subtypes: card.subtypes,
    supertypes: card.supertypes,
    power,
    toughness,
    counters: [...counters].filter(([, n]) => n).map(([kind, n]) => ({ kind, n })),
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
        ? { protocol: 1, name: NAME, version: VERSION, takes: ["defined"], lacks: ["teams"] }
        : { id: request.id, ...play(request.scenario) };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  });
