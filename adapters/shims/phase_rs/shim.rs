//! A shim between the conformance suite and the Rust engine phase-rs: scenarios in, what was seen out.
//!
//! It is one file, compiled as an example of the engine's own `engine` crate; README.md beside it says how. In this
//! order: THE CARDS (definitions become the engine's own typed definitions), THE TABLE (setup), THE QUESTIONS (what the
//! engine waits for, answered by what the script says), THE ACTIONS, THE LOOKS, THE PROTOCOL.
//!
//! It decides nothing: what the engine cannot be asked is `unsupported`, what it refuses is `rejected`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, BufRead, Write};
use std::rc::Rc;

use engine::ai_support::{legal_actions, legal_actions_full};
use engine::database::synthesis::synthesize_all;
use engine::game::ability_utils::flatten_targets_in_chain;
use engine::game::combat::AttackTarget;
use engine::game::engine::apply;
use engine::game::game_object::{AttachTarget, GameObject};
use engine::game::mana_abilities::is_mana_ability;
use engine::game::printed_cards::apply_card_face_to_object;
use engine::game::zones::create_object;
use engine::types::ability::{AbilityCost, AbilityDefinition, ChoiceType, Effect, TargetRef};
use engine::types::actions::{DebugAction, GameAction};
use engine::types::card::CardFace;
use engine::types::counter::{parse_counter_type, CounterType};
use engine::types::format::FormatConfig;
use engine::types::game_state::{
    GameState, ManaChoice, ManaChoicePrompt, ShardChoice, StackEntry, StackEntryKind, TargetSelectionSlot, WaitingFor,
};
use engine::types::identifiers::{CardId, ObjectId};
use engine::types::keywords::{Keyword, ProtectionTarget};
use engine::types::mana::{ManaColor, ManaCost, ManaType};
use engine::types::phase::Phase;
use engine::types::player::{PlayerCounterKind, PlayerId};
use engine::types::zones::Zone;
use serde_json::{json, Map, Value};

const NAME: &str = "phase-rs";
const VERSION: &str = match option_env!("PHASE_RS_COMMIT") {
    Some(commit) => commit,
    None => env!("CARGO_PKG_VERSION"),
};

/// Why something was not done.
#[derive(Clone, Debug)]
enum Not {
    /// The engine does not allow it; the game is as it was.
    Rejected(String),
    /// It cannot be asked of this engine.
    Supported(String),
    /// A player has to decide something that the script does not answer.
    Answered(String),
    /// Nobody gets priority where the script wants to stop.
    Stopping(String),
    /// It goes on and on.
    Ending(String),
}
use Not::{Answered, Rejected, Supported};

type Played<T> = Result<T, Not>;

fn unsupported<T>(what: impl Into<String>) -> Played<T> {
    Err(Supported(what.into()))
}

fn rejected<T>(why: impl Into<String>) -> Played<T> {
    Err(Rejected(why.into()))
}

// ------------------------------------------------------------------------------------------ reading

/// Reading canonical JSON: what is not there says nothing.
trait Said {
    fn text(&self, key: &str) -> &str;
    fn number(&self, key: &str) -> Option<i64>;
    fn flag(&self, key: &str) -> bool;
    fn list(&self, key: &str) -> &[Value];
    fn texts(&self, key: &str) -> Vec<&str>;
    fn says_nothing(&self) -> bool;
}

impl Said for Value {
    fn text(&self, key: &str) -> &str {
        self.get(key).and_then(Value::as_str).unwrap_or("")
    }

    fn number(&self, key: &str) -> Option<i64> {
        self.get(key).and_then(Value::as_i64)
    }

    fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    fn list(&self, key: &str) -> &[Value] {
        self.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    fn texts(&self, key: &str) -> Vec<&str> {
        self.list(key).iter().filter_map(Value::as_str).collect()
    }

    fn says_nothing(&self) -> bool {
        match self {
            Value::Null | Value::Bool(false) => true,
            Value::Array(values) => values.is_empty(),
            Value::String(text) => text.is_empty(),
            _ => false,
        }
    }
}

/// Refuse a record that says something under another key than these.
fn only(record: &Value, what: &str, keys: &[&str]) -> Played<()> {
    let Value::Object(map) = record else { return Ok(()) };
    match map.iter().find(|(key, value)| !keys.contains(&key.as_str()) && !value.says_nothing()) {
        Some((key, _)) => unsupported(format!("{what}: {key}")),
        None => Ok(()),
    }
}

// ---------------------------------------------------------------------------------------- THE CARDS
// A definition becomes JSON in the engine's own serde form, is read by the engine's own types, and written back: what
// the engine did not take is then missing, and the card is refused. Nothing goes through rules text.

/// Every creature type, which the engine wants to be told.
const CREATURE_TYPES: &str = "\
    Advisor Aetherborn Alien Ally Angel Antelope Ape Archer Archon Army Artificer Assassin Assembly-Worker \
    Astartes Atog Aurochs Avatar Azra Badger Balloon Barbarian Bard Basilisk Bat Bear Beast Beeble Beholder \
    Berserker Bird Blinkmoth Boar Bringer Brushwagg Camarid Camel Capybara Caribou Carrier Cat Centaur Cephalid \
    Chimera Citizen Cleric Clown Cockatrice Construct Coward Coyote Crab Crocodile Custodes Cyberman Cyclops \
    Dalek Dauthi Demigod Demon Deserter Detective Devil Dinosaur Djinn Doctor Dog Dragon Drake Dreadnought Drone \
    Druid Dryad Dwarf Efreet Egg Elder Eldrazi Elemental Elephant Elf Elk Employee Eye Faerie Ferret Fish \
    Flagbearer Fox Fractal Frog Fungus Gamer Gargoyle Germ Giant Glimmer Gnoll Gnome Goat Goblin God Golem \
    Gorgon Graveborn Gremlin Griffin Guest Hag Halfling Hamster Harpy Hellion Hippo Hippogriff Homarid \
    Homunculus Horror Horse Human Hydra Hyena Illusion Imp Incarnation Inkling Inquisitor Insect Jackal \
    Jellyfish Juggernaut Kavu Kirin Kithkin Knight Kobold Kor Kraken Lamia Lammasu Leech Leviathan Lhurgoyf \
    Licid Lizard Llama Manticore Masticore Mercenary Merfolk Metathran Minion Minotaur Mite Mole Monger Mongoose \
    Monk Monkey Moonfolk Mount Mouse Mutant Myr Mystic Naga Nautilus Necron Nephilim Nightmare Nightstalker \
    Ninja Noble Noggle Nomad Nymph Octopus Ogre Ooze Orb Orc Orgg Otter Ouphe Ox Oyster Pangolin Peasant Pegasus \
    Pentavite Performer Pest Phelddagrif Phoenix Phyrexian Pilot Pincher Pirate Plant Possum Praetor Primarch \
    Prism Processor Rabbit Raccoon Ranger Rat Rebel Reflection Rhino Rigger Robot Rogue Sable Salamander Samurai \
    Sand Saproling Satyr Scarecrow Scion Scorpion Scout Sculpture Seal Serf Serpent Servo Shade Shaman \
    Shapeshifter Shark Sheep Siren Skeleton Skunk Slith Sliver Sloth Slug Snake Soldier Soltari Spawn Specter \
    Spellshaper Sphinx Spider Spike Spirit Splinter Sponge Squid Squirrel Starfish Surrakar Survivor Synth \
    Tentacle Tetravite Thalakos Thopter Thrull Tiefling Toy Treefolk Trilobite Triskelavite Troll Turtle Tyranid \
    Unicorn Vampire Varmint Vedalken Viashino Volver Wall Warlock Warrior Weasel Weird Werewolf Whale Wizard \
    Wolf Wolverine Wombat Worm Wraith Wurm Yeti Zombie Zubera";

/// Cards made before, by their definitions.
#[derive(Default)]
struct Cards(HashMap<String, Rc<Played<CardFace>>>);

impl Cards {
    fn made(&mut self, definition: &Value) -> Rc<Played<CardFace>> {
        let make = || Rc::new(card(definition).map_err(|not| named(not, definition.text("name"))));
        self.0.entry(definition.to_string()).or_insert_with(make).clone()
    }
}

/// The reason, with the card that it is about.
fn named(not: Not, card: &str) -> Not {
    match not {
        Supported(what) => Supported(format!("{what} ({card})")),
        other => other,
    }
}

/// Whether everything said in `told` is also in `taken`.
fn is_in(told: &Value, taken: &Value) -> bool {
    match (told, taken) {
        (Value::Object(one), Value::Object(other)) => one.iter().all(|(key, value)| match other.get(key) {
            Some(found) => is_in(value, found),
            None => value.says_nothing() || value == &json!(1) || value == &json!({"type": "Fixed", "value": 1}) || value == "Any",
        }),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(told, taken)| is_in(told, taken))
        }
        _ => told == taken,
    }
}

/// A card as the engine understands it.
fn card(definition: &Value) -> Played<CardFace> {
    let printed =
        ["name", "types", "cost", "supertypes", "subtypes", "colors", "power", "toughness", "loyalty", "abilities"];
    only(definition, "card", &printed)?;
    let mut made = Made { face: Map::new(), order: Vec::new() };
    let types = definition.texts("types");
    made.put("name", json!(definition.text("name")));
    made.put("mana_cost", definition.get("cost").and_then(Value::as_str).map_or(Ok(json!({"type": "NoCost"})), cost)?);
    made.put("card_type", json!({
        "supertypes": definition.texts("supertypes"), "core_types": types, "subtypes": definition.texts("subtypes"),
    }));
    for key in ["power", "toughness"] {
        match definition.get(key) {
            Some(Value::Number(n)) => made.put(key, json!({"type": "Fixed", "value": n})),
            Some(Value::String(star)) => made.put(key, json!({"type": "Variable", "value": star})),
            _ => {}
        }
    }
    if let Some(loyalty) = definition.number("loyalty") {
        made.put("loyalty", json!(loyalty.to_string()));
    }
    if let Some(Value::Array(colors)) = definition.get("colors") {
        made.put("color_override", json!(colors.iter().map(color).collect::<Played<Vec<_>>>()?));
    }
    for key in ["color_identity", "keywords", "abilities", "triggers", "static_abilities", "replacements"] {
        made.put(key, json!([]));
    }
    let enchanted = enchants(definition)?;
    for ability in definition.list("abilities") {
        made.ability(ability, &Card { definition, enchanted: &enchanted })?;
    }
    let told = Value::Object(made.face);
    let mut face: CardFace = serde_json::from_value(told.clone())
        .map_err(|error| Supported(format!("not a definition of the engine: {error}")))?;
    let taken = serde_json::to_value(&face).map_err(|error| Supported(error.to_string()))?;
    if !is_in(&told, &taken) {
        return unsupported(format!("the engine took less than it was told: {}", difference(&told, &taken)));
    }
    synthesize_all(&mut face);
    for ability in face.abilities.iter_mut().filter(|ability| !made.order.contains(&ability.description.clone().unwrap_or_default())) {
        let word = match (&*ability.effect, &ability.cost) {
            (Effect::Attach { .. }, _) => "equip",
            (Effect::Mana { .. }, _) => "mana",
            (_, Some(_)) if ability.activation_zone == Some(Zone::Hand) => "cycling",
            _ => continue,
        };
        ability.description = Some(word.to_string());
    }
    Ok(face)
}

/// The first place where less was taken than was told.
fn difference(told: &Value, taken: &Value) -> String {
    match (told, taken) {
        (Value::Object(one), Value::Object(other)) => {
            for (key, value) in one {
                let found = other.get(key).unwrap_or(&Value::Null);
                if !is_in(value, found) {
                    return format!("{key}: {}", difference(value, found));
                }
            }
            String::new()
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => one
            .iter()
            .zip(other)
            .find(|(told, taken)| !is_in(told, taken))
            .map_or(String::new(), |(told, taken)| difference(told, taken)),
        _ => format!("{told} is {taken}"),
    }
}

/// A card being made.
struct Made {
    face: Map<String, Value>,
    /// The names of its activated abilities, which stand in their descriptions.
    order: Vec<String>,
}

/// What the abilities of a card have to know of it.
struct Card<'a> {
    definition: &'a Value,
    enchanted: &'a Value,
}

impl Card<'_> {
    fn is_a(&self, kind: &str) -> bool {
        self.definition.texts("types").contains(&kind)
    }

    fn is_aura(&self) -> bool {
        self.definition.texts("subtypes").contains(&"Aura")
    }

    /// What it is attached to, as the engine's own cards say it.
    fn host(&self) -> Value {
        if self.is_aura() {
            let types = self.enchanted.get("type_filters").cloned().unwrap_or(json!(["Permanent"]));
            json!({"type": "Typed", "type_filters": types, "properties": [{"type": "EnchantedBy"}]})
        } else {
            json!({"type": "Typed", "type_filters": ["Creature"], "properties": [{"type": "EquippedBy"}]})
        }
    }
}

/// What an Aura enchants, as a filter; nothing for other cards.
fn enchants(definition: &Value) -> Played<Value> {
    for ability in definition.list("abilities") {
        if ability.text("keyword") == "enchant" && ability.text("is") == "keyword" {
            return match ability.get("what") {
                Some(what @ Value::Object(_)) => filter(what, "Permanent"),
                _ => unsupported("an Aura that enchants players"),
            };
        }
    }
    Ok(Value::Null)
}

impl Made {
    fn put(&mut self, key: &str, value: Value) {
        self.face.insert(key.to_string(), value);
    }

    fn add(&mut self, key: &str, value: Value) {
        if let Some(Value::Array(list)) = self.face.get_mut(key) {
            list.push(value);
        }
    }

    fn ability(&mut self, ability: &Value, card: &Card) -> Played<()> {
        match ability.text("is") {
            "keyword" => {
                let word = keyword(ability, card)?;
                self.add("keywords", word);
            }
            "static" => {
                for one in static_ability(ability, card)? {
                    self.add("static_abilities", one);
                }
            }
            "defines" => {
                let made = defines(ability)?;
                self.add("static_abilities", made);
            }
            "activated" => {
                let made = activated(ability, card)?;
                self.order.push(made.text("description").to_string());
                self.add("abilities", made);
            }
            "triggered" => {
                let made = triggered(ability, card)?;
                self.add("triggers", made);
            }
            "spell" => self.spell(ability, card)?,
            "as_enters" => {
                for one in as_enters(ability)? {
                    self.add("replacements", one);
                }
            }
            other => return unsupported(format!("ability {other}")),
        }
        Ok(())
    }

    fn spell(&mut self, ability: &Value, card: &Card) -> Played<()> {
        only(ability, "spell", &["is", "effect", "targets", "modes", "modes_chosen", "modes_most", "additional"])?;
        match ability.list("additional") {
            [] => {}
            [one] => self.put("additional_cost", json!({"type": "Required", "data": ability_cost(one)?})),
            _ => return unsupported("several additional costs"),
        }
        if ability.list("modes").is_empty() {
            let chain = chain(ability, card, "Spell", "")?;
            self.add("abilities", chain);
            return Ok(());
        }
        let (least, count) = (ability.number("modes_chosen").unwrap_or(1), ability.list("modes").len());
        for mode in ability.list("modes") {
            let made = chain(mode, card, "Spell", "")?;
            self.add("abilities", made);
        }
        self.put("modal", json!({
            "min_choices": least, "max_choices": ability.number("modes_most").unwrap_or(least), "mode_count": count,
            "mode_descriptions": (1..=count).map(|n| n.to_string()).collect::<Vec<_>>(),
        }));
        Ok(())
    }
}

/// A colour in the engine's spelling.
fn color(word: &Value) -> Played<Value> {
    match word.as_str().unwrap_or("") {
        "white" => Ok(json!("White")),
        "blue" => Ok(json!("Blue")),
        "black" => Ok(json!("Black")),
        "red" => Ok(json!("Red")),
        "green" => Ok(json!("Green")),
        other => unsupported(format!("the color {other} here")),
    }
}

/// The symbols of a mana cost, without braces.
fn symbols(text: &str) -> Vec<&str> {
    text.split(['{', '}']).filter(|symbol| !symbol.is_empty()).collect()
}

/// A mana cost as the engine writes it.
fn cost(text: &str) -> Played<Value> {
    let (mut generic, mut shards) = (0, Vec::new());
    for symbol in symbols(text) {
        match symbol.parse::<u32>() {
            Ok(n) => generic += n,
            Err(_) => {
                let shard: engine::types::mana::ManaCostShard =
                    symbol.parse().map_err(|_| Supported(format!("the mana symbol {symbol}")))?;
                shards.push(serde_json::to_value(shard).map_err(|error| Supported(error.to_string()))?);
            }
        }
    }
    Ok(json!({"type": "Cost", "shards": shards, "generic": generic}))
}

/// A keyword ability.
fn keyword(ability: &Value, card: &Card) -> Played<Value> {
    only(ability, "keyword", &["is", "keyword", "mana", "n", "what"])?;
    let word = ability.text("keyword");
    let camel: String = word
        .split([' ', '-'])
        .map(|part| part[..1].to_uppercase() + &part[1..])
        .collect();
    let mana = ability.get("mana").and_then(Value::as_str).map(cost).transpose()?;
    let what = ability.get("what").filter(|what| what.is_object());
    match (word, mana, what) {
        ("enchant", None, Some(_)) => Ok(json!({"Enchant": card.enchanted})),
        ("protection", None, Some(what)) => {
            only(what, "protection from", &["color", "type"])?;
            match (what.list("color"), what.list("type")) {
                ([one], []) if one == "chosen color" => Ok(json!({"Protection": "ChosenColor"})),
                ([one], []) => Ok(json!({"Protection": {"Color": color(one)?}})),
                ([], [one]) => Ok(json!({"Protection": {"CardType": one}})),
                _ => unsupported("protection from such things"),
            }
        }
        ("landwalk", None, Some(what)) => {
            only(what, "landwalk", &["subtype"])?;
            match what.texts("subtype")[..] {
                [one] => Ok(json!({"Landwalk": one})),
                _ => unsupported("landwalk of such lands"),
            }
        }
        ("affinity", None, Some(what)) => {
            let mut typed = filter(what, "Permanent")?;
            typed.as_object_mut().and_then(|map| map.remove("type"));
            Ok(json!({"Affinity": typed}))
        }
        ("flashback" | "cycling" | "buyback", Some(mana), None) => Ok(json!({camel: {"type": "Mana", "data": mana}})),
        ("equip" | "morph" | "unearth" | "kicker" | "entwine", Some(mana), None) => Ok(json!({camel: mana})),
        (_, None, None) if ability.get("n").is_none_or(Value::is_null) => {
            let known: Keyword = word.parse().unwrap_or(Keyword::Unknown(word.to_string()));
            match known {
                Keyword::Unknown(_) => unsupported(format!("the keyword {word}")),
                known => serde_json::to_value(known).map_err(|error| Supported(error.to_string())),
            }
        }
        _ => unsupported(format!("{word} of that kind")),
    }
}

/// What a thing has to be like, as the engine's filter. `noun` stands where no card type is asked for.
fn filter(said: &Value, noun: &str) -> Played<Value> {
    let mut types: Vec<Value> = said.list("type").to_vec();
    let mut props: Vec<Value> = Vec::new();
    let mut also: Vec<Value> = Vec::new();
    let mut typed = Map::new();
    let known = [
        "who", "zones", "of", "top", "type", "subtype", "supertype", "color", "colorless", "multicolored", "keyword",
        "name", "controller", "owner", "other_than", "tapped", "token", "face_down", "attacking", "blocking",
        "unblocked", "power", "toughness", "mana_value", "counter", "any_of", "without",
    ];
    only(said, "filter", &known)?;
    for subtype in said.texts("subtype") {
        match subtype {
            "chosen type" => props.push(json!({"type": "IsChosenCreatureType"})),
            _ => types.push(json!({"Subtype": subtype})),
        }
    }
    for supertype in said.texts("supertype") {
        props.push(json!({"type": "HasSupertype", "value": supertype}));
    }
    for one in said.list("color") {
        props.push(match one.as_str() {
            Some("chosen color") => json!({"type": "IsChosenColor"}),
            _ => json!({"type": "HasColor", "color": color(one)?}),
        });
    }
    for word in said.texts("keyword") {
        let known: Keyword = word.parse().unwrap_or(Keyword::Unknown(word.to_string()));
        match known {
            Keyword::Unknown(_) => return unsupported(format!("a filter by {word}")),
            known => props.push(json!({"type": "WithKeyword", "value": known})),
        }
    }
    for (key, yes, no) in [
        ("colorless", "Colorless", ""), ("multicolored", "Multicolored", ""), ("tapped", "Tapped", "Untapped"),
        ("token", "Token", "NonToken"), ("face_down", "FaceDown", ""), ("attacking", "Attacking", ""),
        ("blocking", "Blocking", ""), ("unblocked", "Unblocked", ""),
    ] {
        match said.get(key).and_then(Value::as_bool) {
            Some(true) => props.push(json!({"type": yes})),
            Some(false) if !no.is_empty() => props.push(json!({"type": no})),
            Some(false) => also.push(json!({"type": "Not", "filter": {"type": "Typed", "type_filters": [], "properties": [{"type": yes}]}})),
            None => {}
        }
    }
    if let Some(name) = said.get("name").and_then(Value::as_str) {
        props.push(json!({"type": "Named", "name": name}));
    }
    match said.get("controller").map_or("", |who| who.text("who")) {
        "" => {}
        "you" => drop(typed.insert("controller".into(), json!("You"))),
        "opponents" => drop(typed.insert("controller".into(), json!("Opponent"))),
        "defending player" => drop(typed.insert("controller".into(), json!("DefendingPlayer"))),
        other => return unsupported(format!("things controlled by {other}")),
    }
    match said.get("owner").map_or("", |who| who.text("who")) {
        "" => {}
        "you" => props.push(json!({"type": "Owned", "controller": "You"})),
        "opponents" => props.push(json!({"type": "Owned", "controller": "Opponent"})),
        other => return unsupported(format!("things owned by {other}")),
    }
    match said.get("other_than").map_or("", |who| who.text("who")) {
        "" => {}
        "this" => props.push(json!({"type": "Another"})),
        other => return unsupported(format!("other than {other}")),
    }
    for (key, least, most) in [("power", "PowerGE", "PowerLE"), ("toughness", "ToughnessGE", "ToughnessLE")] {
        let Some(compared) = said.get(key).filter(|compared| compared.is_object()) else { continue };
        let value = quantity(&compared["n"])?;
        match compared.text("how") {
            ">=" => props.push(json!({"type": least, "value": value})),
            "<=" => props.push(json!({"type": most, "value": value})),
            "=" => props.extend([json!({"type": least, "value": value}), json!({"type": most, "value": value})]),
            other => return unsupported(format!("{key} {other}")),
        }
    }
    if let Some(compared) = said.get("mana_value").filter(|compared| compared.is_object()) {
        let how = match compared.text("how") {
            ">=" => "GE",
            "<=" => "LE",
            "=" => "EQ",
            other => return unsupported(format!("mana value {other}")),
        };
        props.push(json!({"type": "Cmc", "comparator": how, "value": quantity(&compared["n"])?}));
    }
    if let Some(kind) = said.get("counter").and_then(Value::as_str) {
        let least = json!({"type": "Fixed", "value": 1});
        props.push(json!({"type": "CountersGE", "counter_type": counter(kind), "count": least}));
    }
    let zones = said.texts("zones");
    match zones[..] {
        [] | ["battlefield"] => {}
        [zone] => props.push(json!({"type": "InZone", "zone": zone_word(zone)})),
        _ => props.push(json!({"type": "InAnyZone", "zones": zones.iter().map(|zone| zone_word(zone)).collect::<Vec<_>>()})),
    }
    match said.get("of").map_or("", |who| who.text("who")) {
        "" => {}
        "you" => drop(typed.insert("controller".into(), json!("You"))),
        "everyone" => {}
        other => return unsupported(format!("a zone of {other}")),
    }
    if said.flag("top") {
        return unsupported("the top card");
    }
    for part in said.list("without") {
        match simple_type(part) {
            Some(negated) => types.push(negated),
            None if only_key(part, "supertype") && part.list("supertype").len() == 1 => {
                props.push(json!({"type": "NotSupertype", "value": part.list("supertype")[0]}));
            }
            None if only_key(part, "color") && part.list("color").len() == 1 && part.list("color")[0] != "chosen color" => {
                props.push(json!({"type": "NotColor", "color": color(&part.list("color")[0])?}));
            }
            None => also.push(json!({"type": "Not", "filter": filter(part, "Any")?})),
        }
    }
    if !said.list("any_of").is_empty() {
        let parts: Vec<Value> = said.list("any_of").iter().map(|part| filter(part, "Any")).collect::<Played<_>>()?;
        also.push(json!({"type": "Or", "filters": parts}));
    }
    if types.is_empty() {
        let elsewhere = zones.iter().any(|zone| *zone != "battlefield");
        types.push(json!(if elsewhere && noun == "Permanent" { "Card" } else { noun }));
    }
    typed.insert("type".into(), json!("Typed"));
    typed.insert("type_filters".into(), json!(types));
    typed.insert("properties".into(), json!(props));
    let whole = Value::Object(typed);
    Ok(if also.is_empty() {
        whole
    } else {
        also.insert(0, whole);
        json!({"type": "And", "filters": also})
    })
}

/// Whether a filter says something under this key alone.
fn only_key(said: &Value, key: &str) -> bool {
    only(said, "", &[key]).is_ok()
}

/// "Non-" and a card type or subtype, if that is all a filter says.
fn simple_type(said: &Value) -> Option<Value> {
    if only_key(said, "type") && said.list("type").len() == 1 {
        return Some(json!({"Non": said.list("type")[0]}));
    }
    if only_key(said, "subtype") && said.list("subtype").len() == 1 && said.texts("subtype")[0] != "chosen type" {
        return Some(json!({"Non": {"Subtype": said.list("subtype")[0]}}));
    }
    None
}

fn zone_word(zone: &str) -> String {
    zone[..1].to_uppercase() + &zone[1..]
}

/// A kind of counter in the engine's spelling.
fn counter(kind: &str) -> String {
    parse_counter_type(kind).as_str().to_string()
}

/// A number, or how it is found.
fn quantity(said: &Value) -> Played<Value> {
    if let Some(n) = said.as_i64() {
        return Ok(json!({"type": "Fixed", "value": n}));
    }
    let reference = |qty: Value| Ok(json!({"type": "Ref", "qty": qty}));
    match said.text("num") {
        "X" => reference(json!({"type": "Variable", "name": "X"})),
        "count" => {
            let of = &said["of"];
            if of.text("who") != "all" {
                return unsupported("counting such things");
            }
            match said.text("distinct") {
                "objects" if of.texts("zones") == ["battlefield"] => {
                    reference(json!({"type": "ObjectCount", "filter": filter(of, "Permanent")?}))
                }
                "objects" if of.texts("zones").len() == 1 && only(of, "", &["who", "zones", "of", "type"]).is_ok() => {
                    let scope = whose(of)?;
                    let zone = zone_word(of.texts("zones")[0]);
                    reference(json!({"type": "ZoneCardCount", "zone": zone, "card_types": of.list("type"), "scope": scope}))
                }
                "card types" if of.texts("zones") == ["graveyard"] && only(of, "", &["who", "zones", "of"]).is_ok() => {
                    let source = json!({"type": "Zone", "zone": "Graveyard", "scope": whose(of)?});
                    reference(json!({"type": "DistinctCardTypes", "source": source}))
                }
                other => unsupported(format!("counting {other} there")),
            }
        }
        "property" => {
            let of = said["of"].text("who");
            match (said.text("what"), of) {
                ("power", "this") => reference(json!({"type": "Power", "scope": {"type": "Source"}})),
                ("toughness", "this") => reference(json!({"type": "Toughness", "scope": {"type": "Source"}})),
                ("mana_value", "this") => reference(json!({"type": "ObjectManaValue", "scope": {"type": "Source"}})),
                ("mana_value", "it") => reference(json!({"type": "ObjectManaValue", "scope": {"type": "Recipient"}})),
                ("power", "it") => reference(json!({"type": "Power", "scope": {"type": "Recipient"}})),
                ("toughness", "it") => reference(json!({"type": "Toughness", "scope": {"type": "Recipient"}})),
                ("power", "the") if said["of"].text("name") == "target" => {
                    reference(json!({"type": "Power", "scope": {"type": "Target"}}))
                }
                ("counters", "this") => {
                    let kind = said.get("counter").and_then(Value::as_str).map(counter);
                    reference(json!({"type": "CountersOn", "scope": {"type": "Source"}, "counter_type": kind}))
                }
                ("life", "you") => reference(json!({"type": "LifeTotal", "player": {"type": "Controller"}})),
                ("hand_size", "you") => reference(json!({"type": "HandSize", "player": {"type": "Controller"}})),
                (what, of) => unsupported(format!("the {what} of {of}")),
            }
        }
        "sum" => {
            let parts = said.list("parts");
            let (numbers, others): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.is_number());
            let offset: i64 = numbers.iter().filter_map(|part| part.as_i64()).sum();
            let exprs: Vec<Value> = others.into_iter().map(quantity).collect::<Played<_>>()?;
            Ok(match &exprs[..] {
                [one] => json!({"type": "Offset", "inner": one, "offset": offset}),
                _ => json!({"type": "Offset", "inner": {"type": "Sum", "exprs": exprs}, "offset": offset}),
            })
        }
        "times" => Ok(json!({"type": "Multiply", "factor": said["n"], "inner": quantity(&said["by"])?})),
        "devotion" => {
            let colors = said.list("to").iter().map(color).collect::<Played<Vec<_>>>()?;
            reference(json!({"type": "Devotion", "colors": {"Fixed": colors}}))
        }
        "that much" => reference(json!({"type": "EventContextAmount"})),
        "chosen number" => reference(json!({"type": "ChosenNumber"})),
        other => unsupported(format!("the quantity {other}")),
    }
}

/// Whose cards are counted.
fn whose(of: &Value) -> Played<&'static str> {
    match of.get("of").map_or("", |who| who.text("who")) {
        "" | "everyone" => Ok("All"),
        "you" => Ok("Controller"),
        "opponents" => Ok("Opponents"),
        other => unsupported(format!("counting cards of {other}")),
    }
}

/// A condition of a static ability.
fn condition(said: &Value) -> Played<Value> {
    match said.text("if") {
        "exists" => match said["who"].text("who") {
            "all" => Ok(json!({"type": "IsPresent", "filter": filter(&said["who"], "Permanent")?})),
            other => unsupported(format!("whether there is {other}")),
        },
        "not" => Ok(json!({"type": "Not", "condition": condition(&said["part"])?})),
        "all_of" | "any_of" => {
            let parts: Vec<Value> = said.list("parts").iter().map(condition).collect::<Played<_>>()?;
            Ok(json!({"type": if said.text("if") == "all_of" { "And" } else { "Or" }, "conditions": parts}))
        }
        "turn" if said["of"].text("who") == "you" && said["step"].is_null() => Ok(json!({"type": "DuringYourTurn"})),
        "matches" => match said["who"].text("who") {
            "this" => Ok(json!({"type": "SourceMatchesFilter", "filter": filter(&said["what"], "Any")?})),
            other => unsupported(format!("whether {other} is like that")),
        },
        "compare" => {
            let how = match said.text("how") {
                ">=" => "GE",
                "<=" => "LE",
                _ => "EQ",
            };
            Ok(json!({"type": "QuantityComparison", "lhs": quantity(&said["left"])?, "comparator": how, "rhs": quantity(&said["right"])?}))
        }
        other => unsupported(format!("the condition {other}")),
    }
}

/// A static ability: for each part one definition of what is continuous, and one for each rule it makes.
fn static_ability(ability: &Value, card: &Card) -> Played<Vec<Value>> {
    only(ability, "static", &["is", "parts", "cond", "zones"])?;
    if ability.texts("zones") != ["battlefield"] {
        return unsupported("static abilities that work elsewhere than on the battlefield");
    }
    let cond = ability.get("cond").filter(|cond| cond.is_object()).map(condition).transpose()?;
    let mut made = Vec::new();
    for part in ability.list("parts") {
        made.extend(static_part(part, &cond, card)?);
    }
    Ok(made)
}

fn static_part(part: &Value, cond: &Option<Value>, card: &Card) -> Played<Vec<Value>> {
    let who = &part["affects"];
    let affected = match who.text("who") {
        "this" => json!({"type": "SelfRef"}),
        "attached" => card.host(),
        "all" => filter(who, "Permanent")?,
        "you" => json!({"type": "Typed", "controller": "You"}),
        "opponents" => json!({"type": "Typed", "controller": "Opponent"}),
        "everyone" => json!({"type": "Typed"}),
        other => return unsupported(format!("a static effect on {other}")),
    };
    let players = ["you", "opponents", "everyone"].contains(&who.text("who"));
    let elsewhere = who.text("who") == "all" && who.texts("zones") != ["battlefield"];
    let (mut continuous, mut made) = (Vec::new(), Vec::new());
    let definition = |mode: Value, mods: Vec<Value>| {
        json!({"mode": mode, "affected": affected, "modifications": mods, "condition": cond})
    };
    for operation in part.list("does") {
        if let Some(modes) = rule(operation, who)? {
            made.extend(modes.into_iter().map(|mode| definition(mode, vec![])));
        } else if players {
            return unsupported(format!("{} on players", operation.text("op")));
        } else if elsewhere {
            return unsupported("continuous effects on objects elsewhere than on the battlefield");
        } else {
            continuous.extend(modifications(operation, card)?);
        }
    }
    if !continuous.is_empty() {
        made.insert(0, definition(json!("Continuous"), continuous));
    }
    Ok(made)
}

/// An operation that makes a rule, as static modes of the engine; none for one that changes what something is.
fn rule(operation: &Value, who: &Value) -> Played<Option<Vec<Value>>> {
    let you = who.text("who") == "you";
    let mode = match operation.text("op") {
        "cannot" => {
            only(operation, "cannot", &["op", "do"])?;
            let mut modes = Vec::new();
            for deed in operation.texts("do") {
                modes.push(match deed {
                    "attack" => json!("CantAttack"),
                    "block" => json!("CantBlock"),
                    "be blocked" => json!("CantBeBlocked"),
                    "untap" => json!("CantUntap"),
                    "gain life" => json!("CantGainLife"),
                    "be countered" => json!("CantBeCountered"),
                    "be targeted" => json!("CantBeTargeted"),
                    other => return unsupported(format!("cannot {other}")),
                });
            }
            return Ok(Some(modes));
        }
        "must" => {
            only(operation, "must", &["op", "do"])?;
            match operation.text("do") {
                "attack" => json!("MustAttack"),
                "block" => json!("MustBlock"),
                "be blocked" => json!("MustBeBlocked"),
                other => return unsupported(format!("must {other}")),
            }
        }
        "hand_size" if you => match operation.text("how") {
            "none" => json!("NoMaximumHandSize"),
            how => {
                let Some(n) = operation.number("n") else { return unsupported("such a hand size") };
                let change = if how == "set" { json!({"SetTo": n}) } else { json!({"AdjustedBy": n}) };
                json!({"MaximumHandSize": {"modification": change}})
            }
        },
        "land_drops" if you => json!({"AdditionalLandDrop": {"count": operation["plus"]}}),
        "skip_step" if you => json!({"SkipStep": {"step": phase(operation.text("step"))?}}),
        "costs" if who.text("who") == "all" && who.texts("zones") == ["stack"] => {
            if operation["times"] != json!(1) {
                return unsupported("costs that change for each of something");
            }
            let mut what = who.clone();
            what["zones"] = json!([]);
            what["controller"] = Value::Null;
            let spells = filter(&what, "Card")?;
            let body = json!({"amount": cost(operation.text("mana"))?, "spell_filter": spells, "dynamic_count": null});
            match operation.text("how") {
                "more" => json!({"RaiseCost": body}),
                "less" => json!({"ReduceCost": body}),
                other => return unsupported(format!("costs {other}")),
            }
        }
        "hand_size" | "land_drops" | "skip_step" | "costs" | "alternative_cost" | "as_though_flash" | "only_as_sorcery"
        | "enters_tapped" | "any_color_mana" | "mana_becomes" | "prevent_damage" => {
            return unsupported(format!("the rule {}", operation.text("op")));
        }
        _ => return Ok(None),
    };
    Ok(Some(vec![mode]))
}

/// What a continuous effect does, as the engine's modifications.
fn modifications(operation: &Value, card: &Card) -> Played<Vec<Value>> {
    let pair = |fixed: [&str; 2], dynamic: [&str; 2], keep_zero: bool| -> Played<Vec<Value>> {
        let mut made = Vec::new();
        for (key, place) in [("power", 0), ("toughness", 1)] {
            match operation.get(key) {
                None | Some(Value::Null) => {}
                Some(Value::Number(n)) if n.as_i64() == Some(0) && !keep_zero => {}
                Some(Value::Number(n)) => made.push(json!({"type": fixed[place], "value": n})),
                Some(said) => made.push(json!({"type": dynamic[place], "value": quantity(said)?})),
            }
        }
        Ok(made)
    };
    let plain = |kind: &str| Ok(vec![json!({"type": kind})]);
    match operation.text("op") {
        "modify" => pair(["AddPower", "AddToughness"], ["AddDynamicPower", "AddDynamicToughness"], false),
        "base" => pair(["SetPower", "SetToughness"], ["SetPowerDynamic", "SetToughnessDynamic"], true),
        "switch" => plain("SwitchPowerToughness"),
        "lose_all_abilities" => {
            only(operation, "lose all abilities", &["op"])?;
            plain("RemoveAllAbilities")
        }
        "set_colors" if operation.texts("colors") == ["chosen color"] => plain("AddChosenColor"),
        "set_colors" => {
            let colors = operation.list("colors").iter().map(color).collect::<Played<Vec<_>>>()?;
            Ok(vec![json!({"type": "SetColor", "colors": colors})])
        }
        "add_colors" => {
            let one = |word: &Value| Ok(json!({"type": "AddColor", "color": color(word)?}));
            operation.list("colors").iter().map(one).collect()
        }
        "add_types" => {
            let mut made: Vec<Value> =
                operation.list("types").iter().map(|word| json!({"type": "AddType", "core_type": word})).collect();
            for word in operation.texts("subtypes") {
                made.push(match word {
                    "chosen type" => json!({"type": "AddChosenSubtype", "kind": "CreatureType"}),
                    _ => json!({"type": "AddSubtype", "subtype": word}),
                });
            }
            made.extend(operation.list("supertypes").iter().map(|word| json!({"type": "AddSupertype", "supertype": word})));
            Ok(made)
        }
        "lose_types" => {
            only(operation, "lose types", &["op", "types", "subtypes", "supertypes"])?;
            let mut made: Vec<Value> =
                operation.list("types").iter().map(|word| json!({"type": "RemoveType", "core_type": word})).collect();
            made.extend(operation.list("subtypes").iter().map(|word| json!({"type": "RemoveSubtype", "subtype": word})));
            made.extend(operation.list("supertypes").iter().map(|word| json!({"type": "RemoveSupertype", "supertype": word})));
            Ok(made)
        }
        "basic_land_type" => match operation.texts("subtypes")[..] {
            ["chosen type"] => unsupported("a chosen basic land type"),
            [one] => Ok(vec![json!({"type": "SetBasicLandType", "land_type": one})]),
            _ => unsupported("several basic land types"),
        },
        "every_type" => plain(if operation.text("of") == "creature" { "AddAllCreatureTypes" } else { "AddAllBasicLandTypes" }),
        "gain" => {
            let mut made = Vec::new();
            for ability in operation.list("abilities") {
                made.push(match ability.text("is") {
                    "keyword" => json!({"type": "AddKeyword", "keyword": keyword(ability, card)?}),
                    "activated" => json!({"type": "GrantAbility", "definition": activated(ability, card)?}),
                    "triggered" => json!({"type": "GrantTrigger", "trigger": triggered(ability, card)?}),
                    "static" => granted_rule(ability)?,
                    other => return unsupported(format!("granting an ability that is {other}")),
                });
            }
            Ok(made)
        }
        "lose" => {
            let mut made = Vec::new();
            for word in operation.texts("keywords") {
                let known: Keyword = word.parse().unwrap_or(Keyword::Unknown(word.to_string()));
                match known {
                    Keyword::Unknown(_) => return unsupported(format!("losing {word}")),
                    known => made.push(json!({"type": "RemoveKeyword", "keyword": known})),
                }
            }
            Ok(made)
        }
        "control" if operation["player"].text("who") == "you" => plain("ChangeController"),
        "set_name" => Ok(vec![json!({"type": "SetName", "name": operation["name"]})]),
        other => unsupported(format!("the operation {other}")),
    }
}

/// A quoted static ability that says what its object cannot or must do.
fn granted_rule(ability: &Value) -> Played<Value> {
    only(ability, "a granted static ability", &["is", "parts", "zones"])?;
    if let [part] = ability.list("parts") {
        if let ([operation], "this") = (part.list("does"), part["affects"].text("who")) {
            if let Some(modes) = rule(operation, &part["affects"])? {
                if let [mode] = &modes[..] {
                    return Ok(json!({"type": "AddStaticMode", "mode": mode}));
                }
            }
        }
    }
    unsupported("granting a continuous static ability")
}

/// What an object says of itself.
fn defines(ability: &Value) -> Played<Value> {
    let mut made = Vec::new();
    for operation in ability.list("does") {
        match operation.text("op") {
            "base" => {
                for (key, kind) in [("power", "SetDynamicPower"), ("toughness", "SetDynamicToughness")] {
                    if let Some(said) = operation.get(key).filter(|said| !said.is_null()) {
                        made.push(json!({"type": kind, "value": quantity(said)?}));
                    }
                }
            }
            "set_colors" => {
                let colors = operation.list("colors").iter().map(color).collect::<Played<Vec<_>>>()?;
                made.push(json!({"type": "SetColor", "colors": colors}));
            }
            other => return unsupported(format!("defining itself by {other}")),
        }
    }
    Ok(json!({
        "mode": "Continuous", "affected": {"type": "SelfRef"}, "modifications": made, "characteristic_defining": true,
    }))
}

fn phase(step: &str) -> Played<Value> {
    Ok(json!(match step {
        "untap" => "Untap",
        "upkeep" => "Upkeep",
        "draw" => "Draw",
        "precombat main" => "PreCombatMain",
        "beginning of combat" => "BeginCombat",
        "declare attackers" => "DeclareAttackers",
        "declare blockers" => "DeclareBlockers",
        "combat damage" => "CombatDamage",
        "end of combat" => "EndCombat",
        "postcombat main" => "PostCombatMain",
        "end" => "End",
        "cleanup" => "Cleanup",
        other => return unsupported(format!("the step {other}")),
    }))
}

/// A cost of an ability, or an additional one of a spell.
fn ability_cost(said: &Value) -> Played<Value> {
    let number = said.number("n").unwrap_or(1);
    match said.text("cost") {
        "mana" => Ok(json!({"type": "Mana", "cost": cost(said.text("mana"))?})),
        "tap" => Ok(json!({"type": "Tap"})),
        "untap" => Ok(json!({"type": "Untap"})),
        "sacrifice" => {
            let what = &said["what"];
            let target = if what.text("who") == "this" { json!({"type": "SelfRef"}) } else { filter(&yours(what), "Permanent")? };
            Ok(json!({"type": "Sacrifice", "target": target, "count": number}))
        }
        "discard" => match said.get("what").filter(|what| what.is_object()) {
            Some(what) if what.text("who") == "this" => {
                Ok(json!({"type": "Discard", "count": {"type": "Fixed", "value": 1}, "self_ref": true}))
            }
            Some(_) => unsupported("discarding a card of some kind as a cost"),
            None => Ok(json!({"type": "Discard", "count": {"type": "Fixed", "value": number}})),
        },
        "life" => Ok(json!({"type": "PayLife", "amount": {"type": "Fixed", "value": number}})),
        "loyalty" => Ok(json!({"type": "Loyalty", "amount": number})),
        "remove_counters" => Ok(json!({"type": "RemoveCounter", "count": number, "counter_type": counter(said.text("kind"))})),
        "return" => Ok(json!({"type": "ReturnToHand", "count": number, "filter": filter(&yours(&said["what"]), "Permanent")?})),
        "mill" => Ok(json!({"type": "Mill", "count": number})),
        "tap_others" => Ok(json!({"type": "TapCreatures", "count": number, "filter": filter(&yours(&said["what"]), "Permanent")?})),
        "exile" => {
            let what = &said["what"];
            let filtered = if what.text("who") == "this" { json!({"type": "SelfRef"}) } else { filter(what, "Card")? };
            Ok(json!({"type": "Exile", "count": number, "zone": zone_word(said.text("zone")), "filter": filtered}))
        }
        other => unsupported(format!("the cost {other}")),
    }
}

/// A filter of things that the payer controls: the engine looks among those, and says so in none of its own cards.
fn yours(what: &Value) -> Value {
    let mut what = what.clone();
    if what["controller"].text("who") == "you" {
        what["controller"] = Value::Null;
    }
    what
}

fn activated(ability: &Value, card: &Card) -> Played<Value> {
    let known = ["is", "cost", "effect", "targets", "modes", "modes_chosen", "sorcery", "once", "by", "zones", "name"];
    only(ability, "activated", &known)?;
    if ability["by"].text("who") != "you" {
        return unsupported("an ability that others may activate");
    }
    let mut made = if ability.list("modes").is_empty() {
        chain(ability, card, "Activated", "")?
    } else {
        return unsupported("an activated ability with modes");
    };
    let costs: Vec<Value> = ability.list("cost").iter().map(ability_cost).collect::<Played<_>>()?;
    made["cost"] = match &costs[..] {
        [] => Value::Null,
        [one] => one.clone(),
        _ => json!({"type": "Composite", "costs": costs}),
    };
    let loyalty = ability.list("cost").iter().any(|cost| cost.text("cost") == "loyalty");
    let mut limits = Vec::new();
    if ability.flag("sorcery") || loyalty {
        made["sorcery_speed"] = json!(true);
        limits.push(json!({"type": "AsSorcery"}));
    }
    if ability.flag("once") || loyalty {
        limits.push(json!({"type": "OnlyOnceEachTurn"}));
    }
    made["activation_restrictions"] = json!(limits);
    match ability.texts("zones")[..] {
        ["battlefield"] => {}
        [zone] => made["activation_zone"] = json!(zone_word(zone)),
        _ => return unsupported("an ability activated in several zones"),
    }
    made["description"] = json!(ability.text("name"));
    Ok(made)
}

fn triggered(ability: &Value, card: &Card) -> Played<Value> {
    only(ability, "triggered", &["is", "when", "effect", "targets", "modes_chosen", "zones", "name"])?;
    if ability.texts("zones") != ["battlefield"] {
        return unsupported("an ability that triggers elsewhere than on the battlefield");
    }
    let when = &ability["when"];
    let event = when.text("on");
    let mut made = Map::new();
    let mut set = |key: &str, value: Value| drop(made.insert(key.to_string(), value));
    let subject = |who: &Value| match who.text("who") {
        "this" => Ok(json!({"type": "SelfRef"})),
        "all" => filter(who, "Permanent"),
        "attached" => Ok(card.host()),
        other => unsupported(format!("a trigger on {event} of {other}")),
    };
    let player = |who: &Value| match who.text("who") {
        "you" => Ok(json!({"type": "Controller"})),
        "opponents" => Ok(json!({"type": "Typed", "controller": "Opponent"})),
        "everyone" => Ok(Value::Null),
        other => unsupported(format!("a trigger on {event} by {other}")),
    };
    set("trigger_zones", json!(["Battlefield"]));
    let own = when["who"].text("who") == "this";
    let mode = match event {
        "enters" => {
            set("destination", json!("Battlefield"));
            set("valid_card", subject(&when["who"])?);
            "ChangesZone"
        }
        "dies" => {
            set("origin", json!("Battlefield"));
            set("destination", json!("Graveyard"));
            set("valid_card", subject(&when["who"])?);
            if own {
                set("trigger_zones", json!(["Graveyard"]));
            }
            "ChangesZone"
        }
        "leaves" => {
            set("valid_card", subject(&when["who"])?);
            if own {
                set("trigger_zones", json!(["Battlefield", "Graveyard", "Exile"]));
            }
            "LeavesBattlefield"
        }
        "attacks" | "blocks" | "becomes_blocked" | "becomes_tapped" | "becomes_untapped" => {
            set("valid_card", subject(&when["who"])?);
            match event {
                "attacks" => "Attacks",
                "blocks" => "Blocks",
                "becomes_blocked" => "BecomesBlocked",
                "becomes_tapped" => "Taps",
                _ => "Untaps",
            }
        }
        "becomes_target" if when["by"].text("who") == "everyone" => {
            set("valid_card", subject(&when["who"])?);
            "BecomesTarget"
        }
        "deals_damage" => {
            set("valid_source", subject(&when["who"])?);
            set("damage_kind", json!(if when.flag("combat") { "CombatOnly" } else { "Any" }));
            match when.get("to").map_or("", |to| to.text("who")) {
                "" => {}
                "everyone" => set("valid_target", json!({"type": "Player"})),
                other => return unsupported(format!("a trigger on damage to {other}")),
            }
            "DamageDone"
        }
        "cast" => {
            let spells = filter(&when["what"], "Any")?;
            if spells != filter(&json!({}), "Any")? {
                set("valid_card", spells);
            }
            let caster = player(&when["by"])?;
            if !caster.is_null() {
                set("valid_target", caster);
            }
            "SpellCast"
        }
        "draws" | "gains_life" => {
            let who = player(&when["who"])?;
            if !who.is_null() {
                set("valid_target", who);
            }
            if event == "draws" { "Drawn" } else { "LifeGained" }
        }
        "discards" if when["who"].text("who") == "you" => {
            set("valid_card", json!({"type": "Typed", "controller": "You", "type_filters": ["Card"]}));
            "Discarded"
        }
        "beginning" if !when.flag("next") => {
            set("phase", phase(when.text("step"))?);
            match when["of"].text("who") {
                "you" => set("constraint", json!({"type": "OnlyDuringYourTurn"})),
                "opponents" => set("constraint", json!({"type": "OnlyDuringOpponentsTurn"})),
                "everyone" => {}
                other => return unsupported(format!("a trigger at a step of {other}")),
            }
            "Phase"
        }
        other => return unsupported(format!("a trigger on {other}")),
    };
    set("mode", json!(mode));
    set("execute", chain(ability, card, "Spell", event)?);
    let name = match (ability.text("name"), event) {
        ("", "beginning") => when.text("step"),
        ("", _) => event,
        (name, _) => name,
    };
    set("description", json!(name));
    Ok(Value::Object(made))
}

/// What happens as an object enters, as replacements of its move.
fn as_enters(ability: &Value) -> Played<Vec<Value>> {
    only(ability, "as it enters", &["is", "choose", "copy", "counters", "tapped", "may"])?;
    let replaced = |effect: Value, mode: Value| {
        let execute = json!({"kind": "Spell", "effect": effect});
        json!({"event": "Moved", "execute": execute, "mode": mode, "valid_card": {"type": "SelfRef"}})
    };
    let always = json!({"type": "Mandatory"});
    let mut made = Vec::new();
    for choice in ability.list("choose") {
        let kind = match (choice.text("kind"), choice.text("of")) {
            ("color", _) => "Color",
            ("type", "creature type") => "CreatureType",
            ("type", "basic land type") => "BasicLandType",
            ("name", _) if choice["among"].is_null() => "CardName",
            (kind, _) => return unsupported(format!("choosing a {kind} as it enters")),
        };
        made.push(replaced(json!({"type": "Choose", "choice_type": kind, "persist": true}), always.clone()));
    }
    if let Some(copy) = ability.get("copy").filter(|copy| copy.is_object()) {
        only(copy, "entering as a copy", &["of"])?;
        let mode = if ability.flag("may") { json!({"type": "Optional"}) } else { always.clone() };
        made.push(replaced(json!({"type": "BecomeCopy", "target": filter(&copy["of"], "Permanent")?}), mode));
    } else if ability.flag("may") {
        return unsupported("a choice whether, as it enters");
    }
    if ability.flag("tapped") {
        made.push(replaced(json!({"type": "Tap", "target": {"type": "SelfRef"}}), always.clone()));
    }
    for pile in ability.list("counters") {
        let effect = json!({
            "type": "PutCounter", "counter_type": counter(pile.text("kind")), "count": quantity(&pile["n"])?,
            "target": {"type": "SelfRef"},
        });
        made.push(replaced(effect, always.clone()));
    }
    Ok(made)
}

/// The printed targets of an ability, and which of them its instructions have come to.
struct Targets<'a> {
    specs: &'a [Value],
    met: Vec<String>,
    /// The event of a triggered ability.
    event: &'a str,
}

/// Instructions become the engine's chain of abilities, each with the target that it is the first to speak of.
fn chain(ability: &Value, card: &Card, kind: &str, event: &str) -> Played<Value> {
    let mut targets = Targets { specs: ability.list("targets"), met: Vec::new(), event };
    let mut links = Vec::new();
    for instruction in ability.list("effect") {
        links.extend(link(instruction, &mut targets, card)?);
    }
    let order: Vec<&str> = targets.specs.iter().map(|spec| spec.text("name")).collect();
    if targets.met != order {
        if targets.met.is_empty() && order.len() == 1 {
            links.insert(0, json!({"effect": {"type": "TargetOnly", "target": targets.of_spec(0)?}}));
        } else {
            return unsupported("targets that the effect speaks of in another order");
        }
    }
    let mut whole: Option<Value> = None;
    for mut one in links.into_iter().rev() {
        one["kind"] = json!(kind);
        if let Some(rest) = whole.take() {
            one["sub_ability"] = rest;
        }
        whole = Some(one);
    }
    match whole {
        Some(whole) => Ok(whole),
        None => unsupported("an ability without effect"),
    }
}

impl Targets<'_> {
    /// What may be chosen for one printed target.
    fn of_spec(&self, place: usize) -> Played<Value> {
        let spec = &self.specs[place];
        only(spec, "target", &["what", "players", "any_target", "name", "least", "most", "by", "stack"])?;
        if spec["by"].text("who") != "you" {
            return unsupported("targets that somebody else chooses");
        }
        if spec.flag("any_target") {
            return Ok(json!({"type": "Any"}));
        }
        let mut either = Vec::new();
        if let Some(what) = spec.get("what").filter(|what| what.is_object()) {
            either.push(filter(what, "Permanent")?);
        }
        match spec.get("players").map_or("", |who| who.text("who")) {
            "" => {}
            "everyone" => either.push(json!({"type": "Player"})),
            "opponents" => either.push(json!({"type": "Typed", "controller": "Opponent"})),
            other => return unsupported(format!("a target among {other}")),
        }
        if !spec.list("stack").is_empty() {
            if spec.list("stack").len() < 2 {
                return unsupported("a target among abilities of one kind");
            }
            either.push(json!({"type": "StackAbility"}));
        }
        match &either[..] {
            [one] => Ok(one.clone()),
            [] => unsupported("such a target"),
            _ => Ok(json!({"type": "Or", "filters": either})),
        }
    }

    /// What an instruction is done to. The first that speaks of a target chooses it.
    fn meant(&mut self, who: &Value, made: &mut Value) -> Played<Value> {
        match who.text("who") {
            "this" => Ok(json!({"type": "SelfRef"})),
            "attached" => Ok(json!({"type": "AttachedTo"})),
            "you" => Ok(json!({"type": "Controller"})),
            "it" if !self.event.is_empty() => Ok(json!({"type": "TriggeringSource"})),
            "active player" if self.event == "beginning" => Ok(json!({"type": "TriggeringPlayer"})),
            "controller_of" if who["of"].text("who") == "the" && self.met.len() == 1 => {
                Ok(json!({"type": "ParentTargetController"}))
            }
            "the" => {
                let name = who.text("name");
                let Some(place) = self.specs.iter().position(|spec| spec.text("name") == name) else {
                    return unsupported(format!("what was named {name}"));
                };
                if self.met.last().is_some_and(|last| last == name) {
                    return Ok(json!({"type": "ParentTarget"}));
                }
                if self.met.iter().any(|met| met == name) {
                    return unsupported("coming back to an earlier target");
                }
                self.met.push(name.to_string());
                let (least, most) = (self.specs[place].number("least"), self.specs[place].number("most"));
                if (least, most) != (Some(1), Some(1)) {
                    let (Some(least), Some(most)) = (least, most) else { return unsupported("so many targets") };
                    made["multi_target"] = json!({"min": least, "max": {"type": "Fixed", "value": most}});
                }
                self.of_spec(place)
            }
            other => unsupported(format!("an instruction about {other}")),
        }
    }
}

/// One instruction as links of the chain.
fn link(said: &Value, targets: &mut Targets, card: &Card) -> Played<Vec<Value>> {
    let mut made = json!({});
    let then = said.text("then");
    let all = |key: &str| said[key].text("who") == "all";
    let effect = match then {
        "effect" => return continuous(said, targets, card),
        "damage" => {
            only(said, "damage", &["then", "n", "to", "by", "divided"])?;
            if said["by"].text("who") != "this" {
                return unsupported("damage by something else");
            }
            let amount = quantity(&said["n"])?;
            match said["to"].text("who") {
                "all" => json!({"type": "DamageAll", "amount": amount, "target": filter(&said["to"], "Permanent")?}),
                "everyone" => json!({"type": "DamageEachPlayer", "amount": amount, "player_filter": {"type": "All"}}),
                "opponents" => json!({"type": "DamageEachPlayer", "amount": amount, "player_filter": {"type": "Opponent"}}),
                _ => {
                    if said.flag("divided") {
                        made["distribute"] = json!({"type": "Damage"});
                    }
                    json!({"type": "DealDamage", "amount": amount, "target": targets.meant(&said["to"], &mut made)?})
                }
            }
        }
        "draw" | "discard" | "lose_life" => {
            let amount = quantity(&said["n"])?;
            let target = match said["who"].text("who") {
                "everyone" => scoped(&mut made, "All"),
                "opponents" => scoped(&mut made, "Opponent"),
                _ => targets.meant(&said["who"], &mut made)?,
            };
            match then {
                "draw" => json!({"type": "Draw", "count": amount, "target": target}),
                "discard" => json!({"type": "Discard", "count": amount, "target": target}),
                _ if target["type"] == "Controller" && made.get("player_scope").is_some() => json!({"type": "LoseLife", "amount": amount}),
                _ => json!({"type": "LoseLife", "amount": amount, "target": target}),
            }
        }
        "gain_life" => {
            match said["who"].text("who") {
                "you" => {}
                "everyone" => drop(scoped(&mut made, "All")),
                other => return unsupported(format!("life for {other}")),
            }
            json!({"type": "GainLife", "amount": quantity(&said["n"])?, "player": "controller"})
        }
        "destroy" => {
            let (kind, target) = one_or_all("Destroy", "DestroyAll", &said["what"], targets, &mut made)?;
            json!({"type": kind, "target": target, "cant_regenerate": said.flag("for_good")})
        }
        "tap" | "untap" => {
            let (one, every) = if then == "tap" { ("Tap", "TapAll") } else { ("Untap", "UntapAll") };
            let (kind, target) = one_or_all(one, every, &said["what"], targets, &mut made)?;
            json!({"type": kind, "target": target})
        }
        "counter" => json!({"type": "Counter", "target": targets.meant(&said["what"], &mut made)?}),
        "exile" => {
            let (kind, target) = one_or_all("ChangeZone", "ChangeZoneAll", &said["what"], targets, &mut made)?;
            json!({"type": kind, "destination": "Exile", "target": target})
        }
        "sacrifice" => match (said["what"].text("who"), said["who"].text("who")) {
            ("this", "you") => json!({"type": "Sacrifice", "target": {"type": "SelfRef"}, "count": {"type": "Fixed", "value": 1}}),
            ("all", "you") => json!({"type": "Sacrifice", "target": filter(&said["what"], "Permanent")?, "count": quantity(&said["n"])?}),
            (what, who) => return unsupported(format!("{who} sacrificing {what}")),
        },
        "put" => {
            only(said, "put", &["then", "what", "to", "under", "tapped", "bottom", "name"])?;
            if all("what") || said["under"].text("who") != "you" && said.text("to") == "battlefield" {
                return unsupported("putting such things there");
            }
            let target = targets.meant(&said["what"], &mut made)?;
            match said.text("to") {
                "hand" => json!({"type": "Bounce", "target": target}),
                "library" => {
                    let position = if said.flag("bottom") { "Bottom" } else { "Top" };
                    json!({"type": "PutAtLibraryPosition", "target": target, "count": {"type": "Fixed", "value": 1}, "position": {"type": position}})
                }
                "battlefield" => json!({
                    "type": "ChangeZone", "destination": "Battlefield", "target": target,
                    "enter_tapped": said.flag("tapped"), "under_your_control": true,
                }),
                zone => json!({"type": "ChangeZone", "destination": zone_word(zone), "target": target}),
            }
        }
        "put_counters" => {
            let [pile] = said.list("counters") else { return unsupported("counters of several kinds") };
            let (kind, target) = one_or_all("PutCounter", "PutCounterAll", &said["on"], targets, &mut made)?;
            json!({"type": kind, "counter_type": counter(pile.text("kind")), "count": quantity(&pile["n"])?, "target": target})
        }
        "create" => {
            only(said, "create", &["then", "token", "n", "who", "tapped"])?;
            if said["who"].text("who") != "you" {
                return unsupported("tokens for somebody else");
            }
            token(&said["token"], quantity(&said["n"])?, said.flag("tapped"), card)?
        }
        "add_mana" => {
            if said["who"].text("who") != "you" || said["n"] != json!(1) {
                return unsupported("mana of that kind");
            }
            json!({"type": "Mana", "produced": produced(said.text("mana"))?})
        }
        "regenerate" => json!({"type": "Regenerate", "target": targets.meant(&said["what"], &mut made)?}),
        "extra_turn" if said["who"].text("who") == "you" => json!({"type": "ExtraTurn", "target": {"type": "Controller"}}),
        "attach" if said["what"].text("who") == "this" => json!({"type": "Attach", "target": targets.meant(&said["to"], &mut made)?}),
        "copy_spell" if said["n"] == json!(1) && said.list("but").is_empty() => {
            let target = targets.meant(&said["what"], &mut made)?;
            made["effect"] = json!({"type": "CopySpell", "target": target});
            if !said.flag("new_targets") {
                return Ok(vec![made]);
            }
            let again = json!({"effect": {"type": "TargetOnly", "target": {"type": "ParentTarget"}}, "optional": true});
            return Ok(vec![made, again]);
        }
        "may" => {
            only(said, "may", &["then", "effect", "who"])?;
            let mut inner = Vec::new();
            for one in said.list("effect") {
                inner.extend(link(one, targets, card)?);
            }
            if inner.len() != 1 || said["who"].text("who") != "you" {
                return unsupported("a choice whether to do several things");
            }
            inner[0]["optional"] = json!(true);
            return Ok(inner);
        }
        other => return unsupported(format!("the instruction {other}")),
    };
    made["effect"] = effect;
    Ok(vec![made])
}

/// Each of several players does it for themselves.
fn scoped(made: &mut Value, players: &str) -> Value {
    made["player_scope"] = json!({"type": players});
    json!({"type": "Controller"})
}

/// The effect for one thing, or the one for all that are like that.
fn one_or_all<'a>(one: &'a str, all: &'a str, who: &Value, targets: &mut Targets, made: &mut Value) -> Played<(&'a str, Value)> {
    match who.text("who") {
        "all" => Ok((all, filter(who, "Permanent")?)),
        _ => Ok((one, targets.meant(who, made)?)),
    }
}

/// A continuous effect that something resolving begins.
fn continuous(said: &Value, targets: &mut Targets, card: &Card) -> Played<Vec<Value>> {
    only(said, "effect", &["then", "affects", "does", "until"])?;
    let mut made = json!({});
    let who = &said["affects"];
    let until = match said.text("until") {
        "ever" => json!("Permanent"),
        "end of turn" | "this turn" => json!("UntilEndOfTurn"),
        "your next turn" => json!({"UntilNextTurnOf": {"player": {"type": "Controller"}}}),
        other => return unsupported(format!("until {other}")),
    };
    made["duration"] = until.clone();
    let operations = said.list("does");
    if let [operation] = operations {
        match operation.text("op") {
            "control" if operation["player"].text("who") == "you" && who.text("who") == "the" => {
                made["effect"] = json!({"type": "GainControl", "target": targets.meant(who, &mut made)?});
                return Ok(vec![made]);
            }
            "switch" if who.text("who") != "all" => {
                made["effect"] = json!({"type": "SwitchPT", "target": targets.meant(who, &mut made)?});
                return Ok(vec![made]);
            }
            "become_copy" if who.text("who") == "this" => {
                only(operation, "becoming a copy", &["op", "of"])?;
                made["effect"] = json!({"type": "BecomeCopy", "target": targets.meant(&operation["of"], &mut made)?, "duration": until});
                return Ok(vec![made]);
            }
            "modify" if operation["power"].is_number() && operation["toughness"].is_number() => {
                let (kind, target) = one_or_all("Pump", "PumpAll", who, targets, &mut made)?;
                let fixed = |key: &str| json!({"type": "Fixed", "value": operation[key]});
                made["effect"] = json!({"type": kind, "target": target, "power": fixed("power"), "toughness": fixed("toughness")});
                return Ok(vec![made]);
            }
            _ => {}
        }
    }
    let (mut changes, mut modes) = (Vec::new(), Vec::new());
    for operation in operations {
        match rule(operation, who)? {
            Some(found) => modes.extend(found),
            None => changes.extend(modifications(operation, card)?),
        }
    }
    let target = match who.text("who") {
        "all" => filter(who, "Permanent")?,
        "you" | "opponents" | "everyone" => return unsupported("a continuous effect on players that resolves"),
        _ => targets.meant(who, &mut made)?,
    };
    let chosen = !["all", "this"].contains(&who.text("who")) && target["type"] != "ParentTarget";
    let affected = match who.text("who") {
        "the" => json!({"type": "ParentTarget"}),
        _ => target.clone(),
    };
    let mut statics = Vec::new();
    if !changes.is_empty() {
        statics.push(json!({"mode": "Continuous", "affected": affected, "modifications": changes}));
    }
    statics.extend(modes.into_iter().map(|mode| json!({"mode": mode, "affected": affected})));
    made["effect"] = json!({"type": "GenericEffect", "static_abilities": statics, "duration": until});
    if chosen {
        made["effect"]["target"] = target;
    }
    Ok(vec![made])
}

/// An effect that creates tokens.
fn token(said: &Value, count: Value, tapped: bool, card: &Card) -> Played<Value> {
    only(said, "token", &["name", "types", "supertypes", "subtypes", "colors", "power", "toughness", "abilities"])?;
    let mut words = Vec::new();
    for ability in said.list("abilities") {
        match ability.text("is") {
            "keyword" => words.push(keyword(ability, card)?),
            other => return unsupported(format!("a token with an ability that is {other}")),
        }
    }
    let types: Vec<&Value> = said.list("types").iter().chain(said.list("subtypes")).collect();
    let colors = said.list("colors").iter().map(color).collect::<Played<Vec<_>>>()?;
    let size = |key: &str| json!({"type": "Fixed", "value": said.number(key).unwrap_or(0)});
    Ok(json!({
        "type": "Token", "name": said["name"], "power": size("power"), "toughness": size("toughness"), "types": types,
        "supertypes": said.list("supertypes"), "colors": colors, "keywords": words, "tapped": tapped, "count": count,
        "owner": {"type": "Controller"},
    }))
}

/// The mana that an ability makes.
fn produced(mana: &str) -> Played<Value> {
    if mana == "any" {
        let five = ["White", "Blue", "Black", "Red", "Green"];
        return Ok(json!({"type": "AnyOneColor", "count": {"type": "Fixed", "value": 1}, "color_options": five}));
    }
    let letters = symbols(mana);
    if letters.iter().all(|letter| *letter == "C") {
        return Ok(json!({"type": "Colorless", "count": {"type": "Fixed", "value": letters.len()}}));
    }
    let mut colors = Vec::new();
    for letter in letters {
        colors.push(match letter {
            "W" => "White",
            "U" => "Blue",
            "B" => "Black",
            "R" => "Red",
            "G" => "Green",
            other => return unsupported(format!("making {other} mana")),
        });
    }
    Ok(json!({"type": "Fixed", "colors": colors}))
}
