//! A shim for the conformance suite, with a tiny engine inside so that it plays from the first minute.
//!
//! Four parts: THE ENGINE, to be replaced by yours; THE SHIM, which turns a scenario into calls of the engine and
//! the engine into what is seen; THE PROTOCOL, one JSON object a line; and a little JSON, so that nothing but
//! the standard library is needed. The last two may stay as they are.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead, Write};

const NAME: &str = "my engine";
const VERSION: &str = "0.1";
const STEPS: [&str; 12] = [
    "untap", "upkeep", "draw", "precombat main", "beginning of combat", "declare attackers",
    "declare blockers", "combat damage", "end of combat", "postcombat main", "end", "cleanup",
];
const ZONES: [&str; 4] = ["hand", "library", "graveyard", "exile"];

/// Why something was not done.
enum Not {
    /// The rules do not allow this; the game is as it was.
    Rejected(String),
    /// We cannot play this, and say so: never guess.
    Supported(String),
}
use Not::{Rejected, Supported};

fn rejected<T>(why: impl Into<String>) -> Result<T, Not> {
    Err(Rejected(why.into()))
}

fn unsupported<T>(what: impl Into<String>) -> Result<T, Not> {
    Err(Supported(what.into()))
}

// ------------------------------------------------------------------------------------ THE ENGINE
// Players, zones, priority, steps; creatures without abilities, spells that deal damage. Yours goes here.

/// A card, wherever it is; of an instant or sorcery also the damage it deals.
#[derive(Clone)]
struct Thing {
    id: String,
    card: Json,
    owner: String,
    controller: String,
    zone: String,
    tapped: bool,
    damage: i64,
    deals: i64,
    hits_players: bool,
    targets: Vec<String>,
}

impl Thing {
    fn is_a(&self, kind: &str) -> bool {
        self.card.texts("types").iter().any(|one| one == kind)
    }

    fn is_spell(&self) -> bool {
        self.is_a("Instant") || self.is_a("Sorcery")
    }
}

/// A game under way.
struct Game {
    players: Vec<String>,
    things: BTreeMap<String, Thing>,
    zones: BTreeMap<(String, String), Vec<String>>,
    life: BTreeMap<String, i64>,
    lost: HashSet<String>,
    stack: Vec<String>,
    active: String,
    step: String,
    holder: String,
    passes: usize,
    lands_played: i64,
}

impl Game {
    fn zone(&self, zone: &str, player: &str) -> &Vec<String> {
        &self.zones[&(zone.to_string(), player.to_string())]
    }

    fn after(&self, player: &str) -> String {
        let at = self.players.iter().position(|one| one == player).unwrap_or(0);
        self.players[(at + 1) % self.players.len()].clone()
    }

    fn battlefield(&self) -> Vec<Thing> {
        self.things.values().filter(|thing| thing.zone == "battlefield").cloned().collect()
    }

    /// Take a card from where it is to another zone (libraries and graveyards: to the top).
    fn move_to(&mut self, id: &str, zone: &str) {
        for list in self.zones.values_mut() {
            list.retain(|one| one != id);
        }
        self.stack.retain(|one| one != id);
        let thing = self.things.get_mut(id).expect("a known thing");
        thing.zone = zone.to_string();
        thing.tapped = false;
        thing.damage = 0;
        if let Some(list) = self.zones.get_mut(&(zone.to_string(), thing.owner.clone())) {
            list.insert(0, id.to_string());
        }
        if zone == "stack" {
            self.stack.push(id.to_string());
        }
    }

    fn pass(&mut self, player: &str, attackers_follow: bool) -> Result<(), Not> {
        if player != self.holder {
            return rejected(format!("{} has priority", self.holder));
        }
        self.passes += 1;
        if self.passes < self.players.len() {
            self.holder = self.after(player);
            return Ok(());
        }
        if self.stack.is_empty() {
            self.next_step(attackers_follow)?;
        } else {
            self.resolve_top();
        }
        self.give_priority()
    }

    /// State-based actions, then the active player may act.
    fn give_priority(&mut self) -> Result<(), Not> {
        for thing in self.battlefield() {
            if thing.is_a("Creature") && thing.damage >= thing.card.number("toughness") {
                self.move_to(&thing.id, "graveyard");
            }
        }
        if self.life.values().any(|life| *life <= 0) {
            return unsupported("a player without life");
        }
        self.holder = self.active.clone();
        self.passes = 0;
        Ok(())
    }

    /// The next step in which somebody gets priority.
    fn next_step(&mut self, attackers_follow: bool) -> Result<(), Not> {
        if self.step == "beginning of combat" && attackers_follow {
            let attacks = |thing: &Thing| thing.is_a("Creature") && thing.controller == self.active && !thing.tapped;
            if self.battlefield().iter().any(attacks) {
                return unsupported("combat");
            }
        }
        if self.step == "declare attackers" {
            self.step = "combat damage".to_string(); // nobody attacked
        }
        let at = STEPS.iter().position(|step| *step == self.step).unwrap_or(0);
        self.step = STEPS[(at + 1) % STEPS.len()].to_string();
        match self.step.as_str() {
            "cleanup" => {
                if self.zone("hand", &self.active).len() > 7 {
                    return unsupported("discarding in the cleanup step");
                }
                self.things.values_mut().for_each(|thing| thing.damage = 0);
                self.next_step(attackers_follow)
            }
            "untap" => {
                self.active = self.after(&self.active);
                self.lands_played = 0;
                let active = self.active.clone();
                self.things.values_mut().for_each(|thing| thing.tapped &= thing.controller != active);
                self.next_step(attackers_follow)
            }
            "draw" => {
                self.draw(&self.active.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn draw(&mut self, player: &str) {
        if let Some(top) = self.zone("library", player).first().cloned() {
            self.move_to(&top, "hand");
        }
        // Try me: G-0058 says what happens to a player who draws from an empty library. One line does it:
        // else { self.lost.insert(player.to_string()); }
    }

    fn main_phase_of(&self, player: &str) -> bool {
        player == self.active && self.step.ends_with("main") && self.stack.is_empty()
    }

    fn holds(&self, player: &str, id: &str) -> bool {
        self.zone("hand", player).iter().any(|one| one == id)
    }

    fn play_land(&mut self, id: &str, player: &str) -> Result<(), Not> {
        if player != self.holder || !self.main_phase_of(player) || self.lands_played > 0 {
            return rejected("not now");
        }
        if !self.holds(player, id) || !self.things[id].is_a("Land") {
            return rejected(format!("{id} is no land in the hand of {player}"));
        }
        self.move_to(id, "battlefield");
        self.lands_played += 1;
        self.passes = 0;
        Ok(())
    }

    fn cast(&mut self, id: &str, player: &str, targets: Vec<String>) -> Result<(), Not> {
        let spell = self.things[id].clone();
        if player != self.holder {
            return rejected(format!("{} has priority", self.holder));
        }
        if !self.holds(player, id) || spell.is_a("Land") {
            return rejected(format!("{id} is no spell in the hand of {player}"));
        }
        if !spell.is_a("Instant") && !self.main_phase_of(player) {
            return rejected("only in your own main phase, with an empty stack");
        }
        if targets.len() != usize::from(spell.is_spell()) || !targets.iter().all(|one| self.can_hit(&spell, one)) {
            return rejected("not a legal target");
        }
        self.move_to(id, "stack");
        let thing = self.things.get_mut(id).expect("a known thing");
        thing.controller = player.to_string();
        thing.targets = targets;
        self.holder = player.to_string();
        self.passes = 0;
        Ok(())
    }

    fn can_hit(&self, spell: &Thing, target: &str) -> bool {
        if self.life.contains_key(target) {
            return spell.hits_players;
        }
        self.things.get(target).is_some_and(|thing| thing.zone == "battlefield" && thing.is_a("Creature"))
    }

    fn resolve_top(&mut self) {
        let spell = self.things[self.stack.last().expect("a spell")].clone();
        if !spell.is_spell() {
            return self.move_to(&spell.id, "battlefield");
        }
        for target in &spell.targets {
            if let Some(life) = self.life.get_mut(target) {
                *life -= spell.deals;
            } else if self.can_hit(&spell, target) {
                self.things.get_mut(target).expect("a known thing").damage += spell.deals;
            }
        }
        self.move_to(&spell.id, "graveyard");
        self.things.get_mut(&spell.id).expect("a known thing").controller = spell.owner;
    }
}

// -------------------------------------------------------------------------------------- THE SHIM

/// YOURS: make your card from the definition, or say that you cannot.
fn understood(id: &str, card: &Json, owner: &str) -> Result<Thing, Not> {
    let printed = ["name", "cost", "types", "subtypes", "supertypes", "colors", "power", "toughness", "abilities"];
    only_these(card, &printed)?;
    let known = ["Artifact", "Creature", "Enchantment", "Land", "Instant", "Sorcery"];
    let mut thing = Thing {
        id: id.to_string(), card: card.clone(), owner: owner.to_string(), controller: owner.to_string(),
        zone: String::new(), tapped: false, damage: 0, deals: 0, hits_players: false, targets: vec![],
    };
    if !card.texts("types").iter().all(|kind| known.contains(&kind.as_str())) {
        return unsupported("types");
    }
    if !card.texts("supertypes").iter().all(|kind| kind == "Basic") {
        return unsupported("supertypes");
    }
    if thing.is_a("Creature") && !matches!(card.get("toughness"), Json::Number(_)) {
        return unsupported("toughness");
    }
    match card.list("abilities") {
        [ability] if thing.is_spell() && deals_damage(ability) => {
            thing.deals = ability.list("effect")[0].number("n");
            thing.hits_players = ability.list("targets")[0].flag("any_target");
        }
        [] if !thing.is_spell() => {}
        [first, ..] if !thing.is_spell() => return unsupported(format!("{} abilities", first.text("is"))),
        _ => return unsupported("what a spell does"),
    }
    Ok(thing)
}

/// Refuse a record that says something under another key; null, false and [] say nothing.
fn only_these(record: &Json, keys: &[&str]) -> Result<(), Not> {
    let Json::Object(map) = record else { return Ok(()) };
    match map.iter().find(|(key, value)| !keys.contains(&key.as_str()) && !value.is_nothing()) {
        Some((key, _)) => unsupported(key.clone()),
        None => Ok(()),
    }
}

/// Whether an ability is exactly `deals N damage to any target` (or to target creature).
fn deals_damage(ability: &Json) -> bool {
    const KEYS: [&str; 3] = ["who", "zones", "type"];
    let ([effect], [target]) = (ability.list("effect"), ability.list("targets")) else { return false };
    let creature = match target.get("what") {
        Json::Object(what) => {
            target.get("what").texts("type") == ["Creature"]
                && what.iter().all(|(key, value)| KEYS.contains(&key.as_str()) || value.is_nothing())
        }
        _ => false,
    };
    ability.text("is") == "spell"
        && effect.text("then") == "damage"
        && matches!(effect.get("n"), Json::Number(_))
        && !effect.flag("divided")
        && (effect.get("to").text("who"), effect.get("to").text("name")) == ("the", "target")
        && (target.number("least"), target.number("most")) == (1, 1)
        && (target.flag("any_target") || creature)
        && ["additional", "kicked", "modes"].iter().all(|key| ability.get(key).is_nothing())
}

/// YOURS: set the table. Create everything in the order of `objects`, then enter it in that of `setup`.
fn new_game(scenario: &Json) -> Result<Game, Not> {
    let seats = scenario.list("players");
    let start = scenario.get("start");
    let mut game = Game {
        players: seats.iter().map(|seat| seat.text("id").to_string()).collect(),
        things: BTreeMap::new(), zones: BTreeMap::new(), life: BTreeMap::new(), lost: HashSet::new(), stack: vec![],
        active: start.text("turn").to_string(), step: start.text("step").to_string(),
        holder: start.text("turn").to_string(), passes: 0, lands_played: 0,
    };
    for thing in scenario.list("objects") {
        if thing.flag("token") {
            return unsupported("tokens");
        }
        let named = |card: &&Json| card.get("definition").text("name") == thing.text("card");
        let card = scenario.list("cards").iter().find(named).expect("every card is defined");
        let made = understood(thing.text("id"), card.get("definition"), thing.text("owner"))?;
        game.things.insert(made.id.clone(), made);
    }
    for seat in seats {
        if !seat.get("team").is_nothing() || !seat.get("counters").is_nothing() {
            return unsupported("teams, or counters on players");
        }
        game.life.insert(seat.text("id").to_string(), seat.number("life"));
        for zone in ZONES {
            for id in seat.texts(zone) {
                game.things.get_mut(&id).expect("a known thing").zone = zone.to_string();
            }
            game.zones.insert((zone.to_string(), seat.text("id").to_string()), seat.texts(zone));
        }
    }
    for entry in scenario.list("setup").iter().flat_map(|arrival| arrival.list("entries")) {
        only_these(entry, &["id", "controller", "tapped", "damage", "new"])?;
        let thing = game.things.get_mut(entry.text("id")).expect("a known thing");
        thing.zone = "battlefield".to_string();
        thing.controller = entry.text("controller").to_string();
        thing.tapped = entry.flag("tapped");
        thing.damage = entry.number("damage");
    }
    Ok(game)
}

/// YOURS: one action of the script. Illegal: Rejected. Not possible to ask: unsupported.
fn act(game: &mut Game, action: &Json) -> Result<(), Not> {
    let (what, by) = (action.text("what"), action.text("by"));
    match action.text("do") {
        "pass" if action.text("who") == "everyone" => until(game, true, |game| game.passes == 0),
        "pass" => game.pass(action.text("who"), true),
        "settle" if game.stack.is_empty() => Ok(()),
        "settle" => until(game, true, |game| game.stack.is_empty()),
        "resolve" => until(game, true, |game| !game.stack.iter().any(|one| one == what)),
        "advance" => {
            if !game.stack.is_empty() {
                until(game, true, |game| game.stack.is_empty())?; // the step goes on when that has resolved
            }
            until(game, false, |game| {
                let turn = action.get("turn").is_nothing() || action.text("turn") == game.active;
                game.passes == 0 && game.step == action.text("to") && turn
            })
        }
        "play" => game.play_land(what, by),
        "cast" => {
            only_these(action, &["do", "what", "by", "targets"])?;
            let targets = action.list("targets").iter().flat_map(Json::strings).collect();
            game.cast(what, by, targets)
        }
        other => unsupported(format!("the action {other}")),
    }
}

/// Everyone passes until something is so.
fn until(game: &mut Game, attackers_follow: bool, done: impl Fn(&Game) -> bool) -> Result<(), Not> {
    for _ in 0..1000 {
        game.pass(&game.holder.clone(), attackers_follow)?;
        if done(game) {
            return Ok(());
        }
    }
    unsupported("more than a thousand passes")
}

/// What is seen now: of everything wanted at this look the keys that are known. Leave out what you don't know.
fn look(game: &Game, wants: &[Json], name: &str) -> Json {
    let (mut objects, mut players, mut table) = (BTreeMap::new(), BTreeMap::new(), Json::Object(BTreeMap::new()));
    for want in wants.iter().filter(|want| want.text("look") == name) {
        let of = want.text("of");
        let only = |seen: Vec<(&str, Json)>| {
            let keys = want.texts("keys");
            object(seen.into_iter().filter(|(key, _)| keys.iter().any(|one| one == key)).collect())
        };
        if of == "table" {
            table = only(seen_table(game));
        } else if game.life.contains_key(of) {
            players.insert(of.to_string(), only(seen_player(game, of)));
        } else if let Some(thing) = game.things.get(of) {
            objects.insert(of.to_string(), only(seen_thing(thing)));
        }
    }
    object(vec![("objects", Json::Object(objects)), ("players", Json::Object(players)), ("table", table)])
}

/// YOURS: read these from your engine.
fn seen_table(game: &Game) -> Vec<(&'static str, Json)> {
    vec![
        ("turn", text(&game.active)),
        ("active", text(&game.active)),
        ("step", text(&game.step)),
        ("priority", text(&game.holder)),
        ("stack", texts(&game.stack)), // bottom to top
        ("over", Json::Bool(game.players.len() - game.lost.len() < 2)),
    ]
}

/// YOURS: read these from your engine.
fn seen_player(game: &Game, player: &str) -> Vec<(&'static str, Json)> {
    let library = game.zone("library", player);
    let land_plays = if player == game.active { 1 - game.lands_played } else { 0 };
    vec![
        ("life", Json::Number(game.life[player])),
        ("hand", texts(game.zone("hand", player))),
        ("library_size", Json::Number(library.len() as i64)),
        ("library_top", library.first().map_or(Json::Null, |top| text(top))),
        ("graveyard", texts(game.zone("graveyard", player))),
        ("exile", texts(game.zone("exile", player))),
        ("lost", Json::Bool(game.lost.contains(player))),
        ("land_plays", Json::Number(land_plays)),
    ]
}

/// YOURS: read these from your engine. None is null; what is unknown is left out.
fn seen_thing(thing: &Thing) -> Vec<(&'static str, Json)> {
    let cost = match thing.card.get("cost") {
        Json::Text(cost) => cost.replace('{', ""),
        _ => String::new(),
    };
    let first = |symbol: &str| symbol.split('/').next().and_then(|number| number.parse().ok());
    let worth = |symbol: &str| first(symbol).unwrap_or(i64::from(!symbol.is_empty() && symbol != "X"));
    let symbols = [("W", "white"), ("U", "blue"), ("B", "black"), ("R", "red"), ("G", "green")];
    let colors = symbols.iter().filter(|(symbol, _)| cost.contains(symbol)).map(|(_, color)| text(color)).collect();
    let printed = |key: &str| thing.card.get(key).clone();
    // A noncreature permanent has no power, whatever is printed on it.
    let has_size = thing.zone != "battlefield" || thing.is_a("Creature");
    let size = |key: &str| if has_size { printed(key) } else { Json::Null };
    let in_play = ["battlefield", "stack"].contains(&thing.zone.as_str());
    vec![
        ("name", printed("name")),
        ("cost", printed("cost")),
        ("mana_value", Json::Number(cost.split('}').map(worth).sum())),
        ("colors", if printed("colors").is_null() { Json::List(colors) } else { printed("colors") }),
        ("types", printed("types")),
        ("subtypes", printed("subtypes")),
        ("supertypes", printed("supertypes")),
        ("power", size("power")),
        ("toughness", size("toughness")),
        ("zone", text(&thing.zone)),
        ("owner", text(&thing.owner)),
        ("controller", if in_play { text(&thing.controller) } else { Json::Null }),
        ("tapped", Json::Bool(thing.tapped)),
        ("damage", Json::Number(thing.damage)),
    ]
}

// ---------------------------------------------------------------------------------- THE PROTOCOL

/// The whole answer to a scenario.
fn play(id: &Json, scenario: &Json) -> Json {
    let (mut looks, mut tried, mut at) = (BTreeMap::new(), BTreeMap::new(), 0);
    let ended = played(scenario, &mut looks, &mut tried, &mut at);
    let mut answer = vec![("id", id.clone()), ("looks", Json::Object(looks)), ("tried", Json::Object(tried))];
    let stopped = match ended {
        Ok(()) => None,
        Err(Supported(says)) => Some(("unsupported", says)),
        Err(Rejected(says)) => Some(("rejected", says)),
    };
    if let Some((why, says)) = stopped {
        answer.push(("stopped", object(vec![("at", Json::Number(at)), ("why", text(why)), ("says", text(&says))])));
    }
    object(answer)
}

type Named = BTreeMap<String, Json>;

fn played(scenario: &Json, looks: &mut Named, tried: &mut Named, at: &mut i64) -> Result<(), Not> {
    let mut game = new_game(scenario)?;
    let wants = scenario.list("wants");
    for action in scenario.list("script") {
        let name = action.text("name");
        match action.text("do") {
            "look" => {
                looks.insert(name.to_string(), look(&game, wants, name));
            }
            "try" => {
                let outcome = match act(&mut game, action.get("action")) {
                    Ok(()) => "done",
                    Err(Rejected(_)) => "rejected",
                    Err(error) => return Err(error),
                };
                tried.insert(name.to_string(), text(outcome));
            }
            _ => act(&mut game, action)?,
        }
        *at += 1;
    }
    looks.insert("end".to_string(), look(&game, wants, "end"));
    Ok(())
}

/// Answer line by line; stdout belongs to the protocol, stderr (eprintln!) is for people.
fn main() {
    for line in io::stdin().lock().lines() {
        let request = Reader { bytes: line.expect("UTF-8").into_bytes(), at: 0 }.value();
        let answer = match request.text("say") {
            "bye" => return,
            "hello" => object(vec![
                ("protocol", Json::Number(1)),
                ("name", text(NAME)),
                ("version", text(VERSION)),
                ("takes", Json::List(vec![text("defined")])),
                ("lacks", Json::List(vec![text("teams")])),
                ("wants_defaults", Json::Bool(true)),
            ]),
            _ => {
                // A panic is our own fault: say so, and go on with the next scenario.
                let answer = std::panic::catch_unwind(|| play(request.get("id"), request.get("scenario")));
                let broke = |_| object(vec![("id", request.get("id").clone()), ("error", text("it panicked"))]);
                answer.unwrap_or_else(broke)
            }
        };
        println!("{}", answer.written());
        io::stdout().flush().expect("somebody listens");
    }
}

// ------------------------------------------------------------------------------------------ JSON

#[derive(Clone)]
enum Json {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

const NOTHING: &Json = &Json::Null;

fn text(value: &str) -> Json {
    Json::Text(value.to_string())
}

fn texts(values: &[String]) -> Json {
    Json::List(values.iter().map(|value| text(value)).collect())
}

fn object(pairs: Vec<(&str, Json)>) -> Json {
    Json::Object(pairs.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
}

impl Json {
    /// What stands under a key; null if nothing does.
    fn get(&self, key: &str) -> &Json {
        match self {
            Json::Object(map) => map.get(key).unwrap_or(NOTHING),
            _ => NOTHING,
        }
    }

    fn text(&self, key: &str) -> &str {
        if let Json::Text(value) = self.get(key) { value } else { "" }
    }

    fn number(&self, key: &str) -> i64 {
        if let Json::Number(value) = self.get(key) { *value } else { 0 }
    }

    fn flag(&self, key: &str) -> bool {
        matches!(self.get(key), Json::Bool(true))
    }

    fn list(&self, key: &str) -> &[Json] {
        if let Json::List(values) = self.get(key) { values } else { &[] }
    }

    fn texts(&self, key: &str) -> Vec<String> {
        self.get(key).strings()
    }

    /// The strings of a list.
    fn strings(&self) -> Vec<String> {
        let Json::List(values) = self else { return vec![] };
        values.iter().filter_map(|one| if let Json::Text(text) = one { Some(text.clone()) } else { None }).collect()
    }

    fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }

    /// Whether nothing is said by it: null, false, an empty list.
    fn is_nothing(&self) -> bool {
        matches!(self, Json::Null | Json::Bool(false)) || matches!(self, Json::List(values) if values.is_empty())
    }

    fn written(&self) -> String {
        match self {
            Json::Null => "null".to_string(),
            Json::Bool(value) => value.to_string(),
            Json::Number(value) => value.to_string(),
            Json::Text(value) => quoted(value),
            Json::List(values) => format!("[{}]", values.iter().map(Json::written).collect::<Vec<_>>().join(",")),
            Json::Object(map) => {
                let pairs = map.iter().map(|(key, value)| format!("{}:{}", quoted(key), value.written()));
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
            }
        }
    }
}

fn quoted(value: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c < ' ' => format!("\\u{:04x}", c as u32),
        c => c.to_string(),
    };
    format!("\"{}\"", value.chars().map(escaped).collect::<String>())
}

/// Reads a JSON value from a line.
struct Reader {
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    fn next(&mut self) -> u8 {
        while self.bytes[self.at].is_ascii_whitespace() || b",:".contains(&self.bytes[self.at]) {
            self.at += 1;
        }
        self.bytes[self.at]
    }

    fn value(&mut self) -> Json {
        match self.next() {
            b'{' => {
                let mut map = BTreeMap::new();
                self.at += 1;
                while self.next() != b'}' {
                    let key = self.string();
                    map.insert(key, self.value());
                }
                self.at += 1;
                Json::Object(map)
            }
            b'[' => {
                let mut list = vec![];
                self.at += 1;
                while self.next() != b']' {
                    list.push(self.value());
                }
                self.at += 1;
                Json::List(list)
            }
            b'"' => Json::Text(self.string()),
            _ => {
                let from = self.at;
                while self.bytes.get(self.at).is_some_and(|byte| !b",]} ".contains(byte)) {
                    self.at += 1;
                }
                match &self.bytes[from..self.at] {
                    b"null" => Json::Null,
                    b"true" => Json::Bool(true),
                    b"false" => Json::Bool(false),
                    number => Json::Number(String::from_utf8_lossy(number).parse().unwrap_or(0)),
                }
            }
        }
    }

    fn string(&mut self) -> String {
        let mut bytes = vec![];
        self.next();
        self.at += 1;
        while self.bytes[self.at] != b'"' {
            if self.bytes[self.at] == b'\\' {
                self.at += 1;
                match self.bytes[self.at] {
                    b'n' => bytes.push(b'\n'),
                    b't' => bytes.push(b'\t'),
                    b'r' => bytes.push(b'\r'),
                    b'u' => {
                        let digits = String::from_utf8_lossy(&self.bytes[self.at + 1..self.at + 5]).to_string();
                        let code = u32::from_str_radix(&digits, 16).unwrap_or(0);
                        bytes.extend(char::from_u32(code).unwrap_or('?').to_string().bytes());
                        self.at += 4;
                    }
                    plain => bytes.push(plain),
                }
            } else {
                bytes.push(self.bytes[self.at]);
            }
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8_lossy(&bytes).to_string()
    }
}
