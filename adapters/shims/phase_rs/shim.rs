//! A shim between the conformance suite and the Rust engine phase-rs: scenarios in, what was seen out.
//!
//! It is one file, compiled as an example of the engine's own `engine` crate; README.md beside it says how. In this
//! order: THE CARDS (definitions become the engine's own typed definitions), THE TABLE (setup), THE QUESTIONS (what the
//! engine waits for, answered by what the script says), THE ACTIONS, THE LOOKS, THE PROTOCOL.
//!
//! It decides nothing: what the engine cannot be asked is `unsupported`, what it refuses is `rejected`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, BufRead, Write};
use std::rc::Rc;
use std::sync::LazyLock;

use engine::ai_support::{candidate_actions, legal_actions_full, BasicLegalityFilter, CandidateFilter};
use engine::database::synthesis::synthesize_all;
use engine::game::ability_utils::flatten_targets_in_chain;
use engine::game::combat::AttackTarget;
use engine::game::effects::attach::attach_to;
use engine::game::engine::apply;
use engine::game::filter::{matches_target_filter, type_filter_matches, FilterContext};
use engine::game::game_object::{AttachTarget, GameObject};
use engine::game::layers::evaluate_layers;
use engine::game::mana_abilities::is_mana_ability;
use engine::game::printed_cards::apply_card_face_to_object;
use engine::game::quantity::resolve_quantity;
use engine::game::turns::execute_cleanup;
use engine::game::zones::{create_object, move_to_zone};
use engine::types::ability::{
    AbilityCost, AbilityDefinition, AdditionalCost, ChoiceType, Comparator, Effect, FilterProp, ObjectScope, QuantityExpr, QuantityRef,
    ReplacementDefinition, TargetFilter, TargetRef, TypeFilter, TypedFilter,
};
use engine::types::actions::{DebugAction, GameAction};
use engine::types::card::CardFace;
use engine::types::card_type::CoreType;
use engine::types::counter::{parse_counter_type, CounterType};
use engine::types::format::FormatConfig;
use engine::types::game_state::{
    CastingVariant, ConvokeMode, GameState, ManaChoice, ManaChoicePrompt, ShardChoice, StackEntry, StackEntryKind, TargetSelectionSlot, WaitingFor,
};
use engine::types::identifiers::{CardId, ObjectId};
use engine::types::keywords::{Keyword, ProtectionTarget};
use engine::types::mana::{ManaColor, ManaCost, ManaCostShard, ManaPool, ManaType, ManaUnit};
use engine::types::phase::Phase;
use engine::types::player::{PlayerCounterKind, PlayerId};
use engine::types::statics::StaticMode;
use engine::types::zones::Zone;
use serde_json::{json, Map, Value};

const NAME: &str = "phase-rs";
/// The rules of the day on which that version was made; the engine names none.
const EDITION: &str = "2026-04-17";
const VERSION: &str = match option_env!("PHASE_RS_COMMIT") {
    Some(commit) => commit,
    None => env!("CARGO_PKG_VERSION"),
};

/// The engine's other door: with `PHASE_RS_DOOR=apply`, an action that it accepts is legal although it does not list it.
static BY_APPLY_ALONE: LazyLock<bool> = LazyLock::new(|| std::env::var("PHASE_RS_DOOR").is_ok_and(|door| door == "apply"));

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

/// The card types that a permanent may have.
const CARD_TYPES: [&str; 6] = ["Artifact", "Battle", "Enchantment", "Land", "Planeswalker", "Creature"];

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
struct Cards {
    made: HashMap<String, Rc<Played<CardFace>>>,
    /// The creature types there are as far as the scenario goes: all of them if it speaks of every one.
    types: Vec<String>,
}

impl Cards {
    /// Look through a scenario for the creature types it is about.
    fn prepare(&mut self, line: &str) {
        let said = |word: &str| line.contains(&format!("\"{word}\""));
        let every = said("changeling") || (said("every_type") && said("creature"));
        let words: HashSet<&str> = line.split('"').filter(|word| word.starts_with(|first: char| first.is_ascii_uppercase())).collect();
        let types = CREATURE_TYPES.split_whitespace().filter(|word| every || words.contains(word));
        self.types = types.map(str::to_string).collect();
    }

    fn made(&mut self, definition: &Value) -> Rc<Played<CardFace>> {
        let mut key = definition.to_string();
        if key.contains("set_creature_types") {
            key += &self.types.join(" ");
        }
        let types = &self.types;
        let make = || Rc::new(card(definition, types).map_err(|not| named(not, definition.text("name"))));
        self.made.entry(key).or_insert_with(make).clone()
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
fn card(definition: &Value, creature_types: &[String]) -> Played<CardFace> {
    let printed =
        ["name", "types", "cost", "supertypes", "subtypes", "colors", "power", "toughness", "loyalty", "abilities"];
    only(definition, "card", &printed)?;
    // Its lore counters come with its chapters there, which are not translated.
    if definition.texts("subtypes").contains(&"Saga") {
        return unsupported("a Saga");
    }
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
        made.ability(ability, &Card { definition, enchanted: &enchanted, types: creature_types })?;
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
    /// The creature types there are.
    types: &'a [String],
}

impl Card<'_> {
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
            "static" if enters_tapped(ability) => {
                let whom = filter(&ability.list("parts")[0]["affects"], "Permanent")?;
                let execute = json!({"kind": "Spell", "effect": {"type": "Tap", "target": {"type": "SelfRef"}}});
                self.add("replacements", json!({
                    "event": "ChangeZone", "destination_zone": "Battlefield", "execute": execute,
                    "mode": {"type": "Mandatory"}, "valid_card": whom,
                }));
            }
            "static" if cannot_be_countered(ability) => {
                self.add("static_abilities", json!({"mode": "CantBeCountered", "affected": {"type": "SelfRef"}}));
            }
            "static" if says_of_itself(ability, "alternative_cost", "stack") => {
                let costs = ability.list("parts")[0].list("does")[0].list("costs");
                let mut option = json!({"kind": "AlternativeCost", "cost": all_of(costs)?});
                if let Some(cond) = ability.get("cond").filter(|cond| cond.is_object()) {
                    option["condition"] = restriction(cond)?;
                }
                self.put("casting_options", json!([option]));
            }
            "static" if says_of_itself(ability, "as_though_flash", "hand") => {
                let mut option = json!({"kind": "AsThoughHadFlash"});
                // The engine takes what flash costs unasked, and nobody can announce it.
                if !ability.list("parts")[0].list("does")[0].list("costs").is_empty() {
                    return unsupported("flash for a cost");
                }
                if let Some(cond) = ability.get("cond").filter(|cond| cond.is_object()) {
                    option["condition"] = restriction(cond)?;
                }
                self.put("casting_options", json!([option]));
            }
            "static" if says_of_itself(ability, "costs", "stack") => {
                let made = own_cost(&ability.list("parts")[0].list("does")[0])?;
                self.add("static_abilities", made);
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
            // Playing a card is casting it or playing it as a land, which are two events of the engine.
            "triggered" if ability["when"].text("on") == "plays" => {
                for event in ["cast", "land_played"] {
                    let mut one = ability.clone();
                    one["when"]["on"] = json!(event);
                    one["name"] = json!(if ability.text("name").is_empty() { "plays" } else { ability.text("name") });
                    let made = triggered(&one, card)?;
                    self.add("triggers", made);
                }
            }
            "triggered" => {
                let made = triggered(ability, card)?;
                self.add("triggers", made);
            }
            "spell" => self.spell(ability, card)?,
            "as_enters" => {
                for one in as_enters(ability, card)? {
                    self.add("replacements", one);
                }
            }
            other => return unsupported(format!("ability {other}")),
        }
        Ok(())
    }

    fn spell(&mut self, ability: &Value, card: &Card) -> Played<()> {
        only(ability, "spell", &["is", "effect", "targets", "modes", "modes_chosen", "modes_most", "additional", "kicked"])?;
        if !ability.list("additional").is_empty() {
            let whole = all_of(ability.list("additional"))?;
            self.put("additional_cost", json!({"type": "Required", "data": whole}));
        }
        if ability.list("modes").is_empty() {
            let mut whole = chain(ability, card, "Spell", "")?;
            if !ability.list("kicked").is_empty() {
                let mut kicked = chain(&json!({"effect": ability["kicked"]}), card, "Spell", "")?;
                let mut link = &mut kicked;
                loop {
                    link["condition"] = json!({"type": "AdditionalCostPaid"});
                    match link.get_mut("sub_ability") {
                        Some(next) => link = next,
                        None => break,
                    }
                }
                let mut end = &mut whole;
                while end.get("sub_ability").is_some() {
                    end = &mut end["sub_ability"];
                }
                end["sub_ability"] = kicked;
            }
            self.add("abilities", whole);
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

/// Whether a static ability says just that such permanents enter tapped, which is a replacement in the engine.
fn enters_tapped(ability: &Value) -> bool {
    let [part] = ability.list("parts") else { return false };
    let [operation] = part.list("does") else { return false };
    operation.text("op") == "enters_tapped" && part["affects"].text("who") == "all" && ability["cond"].is_null()
}

/// Whether a static ability says just one thing, of its own card, and in that zone.
fn says_of_itself(ability: &Value, operation: &str, zone: &str) -> bool {
    let [part] = ability.list("parts") else { return false };
    let [one] = part.list("does") else { return false };
    one.text("op") == operation && part["affects"].text("who") == "this" && ability.texts("zones").contains(&zone)
}

/// Whether a static ability says just that its own spell can't be countered.
fn cannot_be_countered(ability: &Value) -> bool {
    let said = says_of_itself(ability, "cannot", "stack") && ability["cond"].is_null();
    let plain = |one: &Value| one.texts("do") == ["be countered"] && only(one, "", &["op", "do"]).is_ok();
    said && plain(&ability.list("parts")[0].list("does")[0])
}

/// A spell that changes its own cost.
fn own_cost(said: &Value) -> Played<Value> {
    only(said, "its own cost", &["op", "how", "mana", "times"])?;
    let times = match said.get("times").filter(|times| times.is_object()) {
        Some(times) if times.text("num") == "count" && whole_hand(&times["of"]) => {
            json!({"type": "HandSize", "player": {"type": "Controller"}})
        }
        Some(times) => quantity(times)?["qty"].clone(),
        None => return unsupported("its own cost, changed by as much"),
    };
    let mode = match said.text("how") {
        "less" => "ReduceCost",
        "more" => "RaiseCost",
        how => return unsupported(format!("its own cost {how}")),
    };
    let body = json!({"amount": cost(said.text("mana"))?, "spell_filter": null, "dynamic_count": times});
    Ok(json!({"mode": {mode: body}, "affected": {"type": "SelfRef"}, "active_zones": ["Hand", "Stack"]}))
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
                let shard: ManaCostShard =
                    symbol.parse().map_err(|_| Supported(format!("the mana symbol {symbol}")))?;
                shards.push(serde_json::to_value(shard).map_err(|error| Supported(error.to_string()))?);
            }
        }
    }
    Ok(json!({"type": "Cost", "shards": shards, "generic": generic}))
}

/// The keywords that the engine does something about. It knows more words, and would carry them about in vain.
const KEYWORDS: [&str; 34] = [
    "flying", "first strike", "double strike", "trample", "deathtouch", "lifelink", "vigilance", "haste", "reach",
    "defender", "menace", "indestructible", "hexproof", "shroud", "flash", "fear", "intimidate", "changeling",
    "split second", "storm", "prowess", "wither", "infect", "convoke", "flashback", "cycling", "kicker", "buyback",
    "equip", "enchant", "protection", "landwalk", "affinity", "morph",
];

/// A keyword ability.
fn keyword(ability: &Value, card: &Card) -> Played<Value> {
    only(ability, "keyword", &["is", "keyword", "mana", "n", "what"])?;
    let word = ability.text("keyword");
    if !KEYWORDS.contains(&word) {
        return unsupported(format!("the keyword {word}"));
    }
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
                ([], [one]) => Ok(json!({"Protection": {"CardType": one.as_str().map(str::to_lowercase)}})),
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
        ("equip" | "morph" | "kicker", Some(mana), None) => Ok(json!({camel: mana})),
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
        "unblocked", "power", "toughness", "mana_value", "counter", "any_of", "without", "same_as",
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
    match said.get("same_as").map_or("", |who| who.text("who")) {
        "" => {}
        "this" if only_key(said, "same_as") => return Ok(json!({"type": "SelfRef"})),
        "this" => also.push(json!({"type": "SelfRef"})),
        other => return unsupported(format!("the same as {other}")),
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

/// A kind of counter in the engine's spelling. It takes every word, as its parser does, also those that it does nothing with.
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
                "objects" if of["put_by"].text("who") == "this" => {
                    only(of, "counting what this exiled", &["who", "zones", "put_by"])?;
                    match of.texts("zones") == ["exile"] {
                        true => reference(json!({"type": "CardsExiledBySource"})),
                        false => unsupported("counting what this put elsewhere than into exile"),
                    }
                }
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
        "property" if said["of"].text("who") == "all" && said["of"].texts("zones") == ["battlefield"] => {
            let property = match said.text("what") {
                "power" => "Power",
                "toughness" => "Toughness",
                "mana_value" => "ManaValue",
                other => return unsupported(format!("the {other} of all")),
            };
            let function = if said.text("over") == "greatest" { "Max" } else { "Sum" };
            let things = filter(&said["of"], "Permanent")?;
            reference(json!({"type": "Aggregate", "function": function, "property": property, "filter": things}))
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
                ("power", "the") if said["of"].text("name") == "sacrificed" => {
                    reference(json!({"type": "Power", "scope": {"type": "CostPaidObject"}}))
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
fn condition(said: &Value, card: &Card) -> Played<Value> {
    match said.text("if") {
        "exists" => match said["who"].text("who") {
            // Its parser has a condition of its own for this, and the engine looks for what the source of the ability attacks.
            "all" if said["who"]["controller"].text("who") == "defending player" => {
                let mut what = said["who"].clone();
                what["controller"] = Value::Null;
                Ok(json!({"type": "DefendingPlayerControls", "filter": filter(&what, "Permanent")?}))
            }
            "all" => Ok(json!({"type": "IsPresent", "filter": filter(&said["who"], "Permanent")?})),
            other => unsupported(format!("whether there is {other}")),
        },
        "not" => Ok(json!({"type": "Not", "condition": condition(&said["part"], card)?})),
        "all_of" | "any_of" => {
            let parts: Vec<Value> = said.list("parts").iter().map(|part| condition(part, card)).collect::<Played<_>>()?;
            Ok(json!({"type": if said.text("if") == "all_of" { "And" } else { "Or" }, "conditions": parts}))
        }
        "turn" if said["of"].text("who") == "you" && said["step"].is_null() => Ok(json!({"type": "DuringYourTurn"})),
        "matches" => match said["who"].text("who") {
            "this" => Ok(json!({"type": "SourceMatchesFilter", "filter": filter(&said["what"], "Any")?})),
            "attached" => {
                let both = json!({"type": "And", "filters": [card.host(), filter(&said["what"], "Any")?]});
                Ok(json!({"type": "IsPresent", "filter": both}))
            }
            other => unsupported(format!("whether {other} is like that")),
        },
        "compare" => comparison(said),
        other => unsupported(format!("the condition {other}")),
    }
}

/// Two numbers compared, as a condition of any ability.
fn comparison(said: &Value) -> Played<Value> {
    let how = match said.text("how") {
        ">=" => "GE",
        "<=" => "LE",
        _ => "EQ",
    };
    Ok(json!({"type": "QuantityComparison", "lhs": quantity(&said["left"])?, "comparator": how, "rhs": quantity(&said["right"])?}))
}

/// A static ability: for each part one definition of what is continuous, and one for each rule it makes.
fn static_ability(ability: &Value, card: &Card) -> Played<Vec<Value>> {
    only(ability, "static", &["is", "parts", "cond", "zones"])?;
    if ability.texts("zones") != ["battlefield"] {
        return unsupported("static abilities that work elsewhere than on the battlefield");
    }
    let told = ability.get("cond").filter(|cond| cond.is_object());
    let cond = told.map(|cond| condition(cond, card)).transpose()?;
    let attacked = cond.as_ref().is_some_and(|cond| cond["type"] == "DefendingPlayerControls");
    if attacked && ability.list("parts").iter().any(|part| part["affects"].text("who") != "this") {
        return unsupported("a condition on the defending player of anything but its source");
    }
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
    let (mut continuous, mut made) = (Vec::new(), Vec::new());
    let definition = |mode: Value, mods: Vec<Value>| {
        json!({"mode": mode, "affected": affected, "modifications": mods, "condition": cond})
    };
    for operation in part.list("does") {
        if let Some(modes) = rule(operation, who)? {
            // What cannot be cast is what such a definition affects.
            let spells = operation.get("what").filter(|what| what.is_object() && operation.texts("do") == ["cast"]);
            for mode in modes {
                let mut one = definition(mode, vec![]);
                if operation.texts("do") == ["cast"] {
                    one["affected"] = spells.map(|what| filter(what, "Card")).transpose()?.unwrap_or(Value::Null);
                }
                match operation.text("op") {
                    // The engine knows by itself in which zone to look.
                    "may_play" => {
                        let mut what = operation["what"].clone();
                        what["zones"] = json!([]);
                        what["top"] = json!(false);
                        what["of"] = Value::Null;
                        one["affected"] = filter(&what, "Card")?;
                    }
                    "alternative_cost" => one["affected"] = json!({"type": "Any"}),
                    "triggers_again" if only(who, "", &["who", "zones", "controller"]).is_ok() && who["controller"].text("who") == "you" => {
                        one["affected"] = Value::Null;
                    }
                    "triggers_again" => return unsupported("triggering again of such permanents"),
                    _ => {}
                }
                made.push(one);
            }
        } else if players {
            return unsupported(format!("{} on players", operation.text("op")));
        } else {
            if operation.text("op") == "set_creature_types" && speaks_of(who, "subtype") {
                return unsupported("setting creature types of what is chosen by subtypes");
            }
            if operation.text("op") == "set_types" {
                settable(who, card)?;
            }
            continuous.extend(modifications(operation, card)?);
        }
    }
    if continuous.is_empty() {
        return Ok(made);
    }
    // A definition of the engine looks into one zone; what is in several is said once for each of them. Where nothing is
    // in a zone nothing is affected there, and the engine, which compares all effects in pairs, need not know of it.
    let zones = who.texts("zones");
    if who.text("who") != "all" || matches!(zones[..], [] | ["battlefield"]) {
        made.insert(0, definition(json!("Continuous"), continuous));
        return Ok(made);
    }
    for zone in zones {
        let mut there = who.clone();
        there["zones"] = json!([zone]);
        let mut one = definition(json!("Continuous"), continuous.clone());
        one["affected"] = filter(&there, "Permanent")?;
        if zone != "battlefield" {
            let something = json!({"type": "IsPresent", "filter": filter(&json!({"zones": [zone]}), "Any")?});
            let both = |cond| json!({"type": "And", "conditions": [cond, something]});
            one["condition"] = cond.clone().map_or(something.clone(), both);
        }
        made.push(one);
    }
    Ok(made)
}

/// Whether a selector asks for card types, or subtypes, anywhere.
fn speaks_of(who: &Value, key: &str) -> bool {
    let inner = |part: &str| who.list(part).iter().any(|one| speaks_of(one, key));
    !who.list(key).is_empty() || inner("any_of") || inner("without")
}

/// Refuse to set card types of what is found by them: the engine looks anew after each of the words that say it.
fn settable(who: &Value, card: &Card) -> Played<()> {
    let host = card.enchanted.get("type_filters").cloned().unwrap_or(json!(["Creature"]));
    let found_by_types = match who.text("who") {
        "all" => speaks_of(who, "type"),
        "attached" => host != json!(["Creature"]) && host != json!(["Permanent"]),
        _ => false,
    };
    if found_by_types {
        return unsupported("setting card types of what is chosen by card types");
    }
    Ok(())
}

/// An operation that makes a rule, as static modes of the engine; none for one that changes what something is.
fn rule(operation: &Value, who: &Value) -> Played<Option<Vec<Value>>> {
    let you = who.text("who") == "you";
    let mode = match operation.text("op") {
        "cannot" if operation.texts("do") == ["cast"] => {
            only(operation, "cannot cast", &["op", "do", "what", "after"])?;
            // Where the engine asks for a name, it is one that was chosen.
            if !operation["what"]["name"].is_null() {
                return unsupported("casting what has a name");
            }
            let whom = scope(who)?;
            match (operation.number("after"), operation["what"].is_object()) {
                (Some(n), false) => json!({"PerTurnCastLimit": {"who": whom, "max": n}}),
                (None, _) => json!({"CantBeCast": {"who": whom}}),
                _ => return unsupported("a limit on casting such spells"),
            }
        }
        "cannot" => {
            only(operation, "cannot", &["op", "do", "but", "what"])?;
            let mut modes = Vec::new();
            for key in ["but", "what"] {
                if !operation[key].says_nothing() && operation.texts("do") != ["activate abilities"] {
                    return unsupported(format!("cannot: {key}"));
                }
            }
            for deed in operation.texts("do") {
                modes.push(match deed {
                    "attack" => json!("CantAttack"),
                    "block" => json!("CantBlock"),
                    "be blocked" => json!("CantBeBlocked"),
                    "untap" => json!("CantUntap"),
                    "gain life" => json!("CantGainLife"),
                    "be countered" => json!("CantBeCountered"),
                    "be targeted" => json!("CantBeTargeted"),
                    "activate abilities" if operation["what"].is_object() => {
                        if !operation.list("but").is_empty() {
                            return unsupported("cannot activate abilities, but");
                        }
                        let sources = filter(&operation["what"], "Permanent")?;
                        json!({"CantBeActivated": {"who": scope(who)?, "source_filter": sources, "exemption": "None"}})
                    }
                    "activate abilities" if who.text("who") == "all" && operation["what"].is_null() => {
                        let exemption = match operation.texts("but")[..] {
                            [] => "None",
                            ["mana abilities"] => "ManaAbilities",
                            _ => return unsupported("cannot activate abilities, but"),
                        };
                        let sources = filter(who, "Permanent")?;
                        json!({"CantBeActivated": {"who": "AllPlayers", "source_filter": sources, "exemption": exemption}})
                    }
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
        "gain" if ["you", "opponents", "everyone"].contains(&who.text("who")) => match operation.list("abilities") {
            [one] if one.text("keyword") == "hexproof" && one["what"].is_null() => json!("Hexproof"),
            [one] if one.text("keyword") == "shroud" => json!("Shroud"),
            _ => return unsupported("gain on players"),
        },
        "land_drops" if you => json!({"AdditionalLandDrop": {"count": operation["plus"]}}),
        "skip_step" if you => json!({"SkipStep": {"step": phase(operation.text("step"))?}}),
        "costs" if who.text("who") == "all" && who.texts("zones") == ["stack"] => {
            only(operation, "costs", &["op", "how", "mana", "times", "aimed_at"])?;
            if operation["times"] != json!(1) {
                return unsupported("costs that change for each of something");
            }
            let mut what = who.clone();
            what["zones"] = json!([]);
            what["controller"] = Value::Null;
            let mut spells = filter(&what, "Card")?;
            let aimed_at = operation["aimed_at"].text("who");
            if !aimed_at.is_empty() {
                let (Some(Value::Array(properties)), "all") = (spells.get_mut("properties"), aimed_at) else {
                    return unsupported("such costs by what is aimed at");
                };
                properties.push(json!({"type": "Targets", "filter": filter(&operation["aimed_at"], "Permanent")?}));
            }
            let body = json!({"amount": cost(operation.text("mana"))?, "spell_filter": spells, "dynamic_count": null});
            match operation.text("how") {
                "more" => json!({"RaiseCost": body}),
                "less" => json!({"ReduceCost": body}),
                other => return unsupported(format!("costs {other}")),
            }
        }
        "any_color_mana" if ["you", "opponents", "everyone"].contains(&who.text("who")) => {
            only(operation, "mana as of any colour", &["op"])?;
            json!("SpendManaAsAnyColor")
        }
        "only_as_sorcery" => {
            only(operation, "casting as sorceries", &["op"])?;
            json!({"CantCastDuring": {"who": scope(who)?, "when": "NotSorcerySpeed"}})
        }
        "triggers_again" => {
            only(operation, "triggers again", &["op", "on"])?;
            json!({"DoubleTriggers": {"cause": cause(&operation["on"])?}})
        }
        "may_play" if you => {
            only(operation, "may play", &["op", "what"])?;
            // A cost of nothing is a cost.
            if operation["cost"].is_array() {
                return unsupported("playing such cards for another cost");
            }
            let what = &operation["what"];
            match (what.text("who"), &what.texts("zones")[..], what["of"].text("who"), what.flag("top")) {
                ("all", ["graveyard"], "you", false) => {
                    json!({"GraveyardCastPermission": {"frequency": "Unlimited", "play_mode": "Play"}})
                }
                ("all", ["library"], "you", true) => {
                    json!({"TopOfLibraryCastPermission": {"play_mode": "Play", "alt_cost": null}})
                }
                _ => return unsupported("playing such cards from there"),
            }
        }
        "alternative_cost" if whole_hand(who) && operation.list("costs").is_empty() => {
            json!({"CastFromHandFree": {"frequency": "Unlimited"}})
        }
        "hand_size" | "land_drops" | "skip_step" | "costs" | "alternative_cost" | "as_though_flash"
        | "enters_tapped" | "may_play" | "any_color_mana" | "mana_becomes" | "prevent_damage" => {
            return unsupported(format!("the rule {}", operation.text("op")));
        }
        _ => return Ok(None),
    };
    Ok(Some(vec![mode]))
}

/// Which players a prohibition is for.
fn scope(who: &Value) -> Played<&'static str> {
    match who.text("who") {
        "everyone" => Ok("AllPlayers"),
        "opponents" => Ok("Opponents"),
        "you" => Ok("Controller"),
        other => unsupported(format!("what {other} cannot do")),
    }
}

/// Whether these are just the cards in one's hand.
fn whole_hand(who: &Value) -> bool {
    who.text("who") == "all" && who.texts("zones") == ["hand"] && who["of"].text("who") == "you" && only(who, "", &["who", "zones", "of"]).is_ok()
}

/// What makes abilities trigger an additional time.
fn cause(event: &Value) -> Played<Value> {
    let who = &event["who"];
    only(who, "triggering again", &["who", "zones", "type"])?;
    let types = who.list("type");
    match (event.text("on"), who.text("who"), types) {
        ("enters", "all", types) => Ok(json!({"EntersBattlefield": {"core_types": types}})),
        ("dies", "all", [one]) if one == "Creature" => Ok(json!("CreatureDying")),
        ("attacks", "all", [] | [_]) => Ok(json!("CreatureAttacking")),
        (on, _, _) => unsupported(format!("triggering again on {on} of such things")),
    }
}

/// A condition on casting or activating, which the engine says in other words than those of its static abilities.
fn restriction(said: &Value) -> Played<Value> {
    let who = &said["who"];
    if said.text("if") == "exists" && who["controller"].text("who") == "you" {
        let known = only(who, "", &["who", "zones", "controller", "subtype"]).is_ok();
        if let (true, [one]) = (known, who.list("subtype")) {
            return Ok(json!({"type": "YouControlSubtypeCountAtLeast", "subtype": one, "count": 1}));
        }
    }
    unsupported(format!("casting or activating if {}", said.text("if")))
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
        // The engine has no word for this, but words that come to the same: these come, then each other card type goes.
        // "Creature" goes last, because what an Aura enchants is looked for as a creature.
        "set_types" => {
            only(operation, "set card types", &["op", "types"])?;
            let kept = operation.texts("types");
            let mut made: Vec<Value> = kept.iter().map(|word| json!({"type": "AddType", "core_type": word})).collect();
            let others = CARD_TYPES.iter().filter(|word| !kept.contains(word));
            made.extend(others.map(|word| json!({"type": "RemoveType", "core_type": word})));
            Ok(made)
        }
        // The same for creature types: each goes, then these come.
        "set_creature_types" => {
            let mut made: Vec<Value> = card.types.iter().map(|word| json!({"type": "RemoveSubtype", "subtype": word})).collect();
            for word in operation.texts("subtypes") {
                made.push(match word {
                    "chosen type" => json!({"type": "AddChosenSubtype", "kind": "CreatureType"}),
                    _ => json!({"type": "AddSubtype", "subtype": word}),
                });
            }
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
                    "keyword" if ability.text("keyword") == "buyback" => return unsupported("giving buyback to a spell"),
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
    only(said, "a cost", &["cost", "mana", "n", "what", "zone", "kind", "power", "name"])?;
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
        "tap_others" if said.get("power").is_some_and(|power| !power.is_null()) => unsupported("tapping creatures by their total power"),
        "tap_others" => Ok(json!({"type": "TapCreatures", "count": number, "filter": filter(&yours(&said["what"]), "Permanent")?})),
        "exile" => {
            let what = &said["what"];
            let itself = what.text("who") == "this";
            let filtered = if itself { json!({"type": "SelfRef"}) } else { filter(what, "Card")? };
            // Its parser names no zone for "exile this artifact", and one for "exile this card from your graveyard"; from a hand: `activated`.
            let zone = if itself && said.text("zone") == "hand" { Value::Null } else { json!(zone_word(said.text("zone"))) };
            Ok(json!({"type": "Exile", "count": number, "zone": zone, "filter": filtered}))
        }
        other => unsupported(format!("the cost {other}")),
    }
}

/// Several costs as one.
fn all_of(costs: &[Value]) -> Played<Value> {
    let made: Vec<Value> = costs.iter().map(ability_cost).collect::<Played<_>>()?;
    Ok(match &made[..] {
        [one] => one.clone(),
        _ => json!({"type": "Composite", "costs": made}),
    })
}

/// A filter of things that the payer controls: the engine looks among those, and says so in none of its own cards.
fn yours(what: &Value) -> Value {
    let mut what = what.clone();
    if what["controller"].text("who") == "you" {
        what["controller"] = Value::Null;
    }
    what
}

/// What an ability of a card in hand exiles as a cost, it exiles from there: its parser names the zone, and without one it is the battlefield.
fn from_hand(cost: &mut Value) {
    if cost["type"] == "Exile" && cost["zone"].is_null() {
        cost["zone"] = json!("Hand");
    }
    for one in cost.get_mut("costs").and_then(Value::as_array_mut).into_iter().flatten() {
        from_hand(one);
    }
}

fn activated(ability: &Value, card: &Card) -> Played<Value> {
    let known = ["is", "cost", "effect", "targets", "modes", "modes_chosen", "sorcery", "once", "by", "zones", "name", "cond"];
    only(ability, "activated", &known)?;
    if ability["by"].text("who") != "you" {
        return unsupported("an ability that others may activate");
    }
    let mut made = if ability.list("modes").is_empty() {
        chain(ability, card, "Activated", "")?
    } else {
        return unsupported("an activated ability with modes");
    };
    made["cost"] = match ability.list("cost") {
        [] => Value::Null,
        costs => all_of(costs)?,
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
    if let Some(cond) = ability.get("cond").filter(|cond| cond.is_object()) {
        limits.push(json!({"type": "RequiresCondition", "data": {"condition": restriction(cond)?}}));
    }
    made["activation_restrictions"] = json!(limits);
    match ability.texts("zones")[..] {
        ["battlefield"] => {}
        [zone] => {
            made["activation_zone"] = json!(zone_word(zone));
            if zone == "hand" {
                from_hand(&mut made["cost"]);
            }
        }
        _ => return unsupported("an ability activated in several zones"),
    }
    made["description"] = json!(ability.text("name"));
    Ok(made)
}

fn triggered(ability: &Value, card: &Card) -> Played<Value> {
    only(ability, "triggered", &["is", "when", "effect", "targets", "modes_chosen", "cond", "zones", "name"])?;
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
        "attached" => Ok(json!({"type": "AttachedTo"})),
        other => unsupported(format!("a trigger on {event} of {other}")),
    };
    let player = |who: &Value| match who.text("who") {
        "you" => Ok(json!({"type": "Controller"})),
        "opponents" => Ok(json!({"type": "Typed", "controller": "Opponent"})),
        "everyone" => Ok(Value::Null),
        other => unsupported(format!("a trigger on {event} by {other}")),
    };
    let of_event: &[&str] = match event {
        "becomes_target" | "land_played" | "cast" => &["on", "who", "what", "by"],
        "deals_damage" => &["on", "who", "to", "combat"],
        "beginning" => &["on", "step", "of", "next"],
        _ => &["on", "who"],
    };
    only(when, event, of_event)?;
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
        "turned_up" => {
            set("valid_card", subject(&when["who"])?);
            "TurnFaceUp"
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
                "opponents" => set("valid_target", json!({"type": "Typed", "controller": "Opponent"})),
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
        "land_played" => {
            if when["what"] != json!({}) && !only_key(&when["what"], "") {
                return unsupported("a trigger on playing such lands");
            }
            let lands = json!({"who": "all", "type": ["Land"], "zones": ["battlefield"], "controller": when["by"]});
            match when["by"].text("who") {
                "everyone" => {}
                _ => set("valid_card", filter(&lands, "Permanent")?),
            }
            "LandPlayed"
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
    if let Some(cond) = ability.get("cond").filter(|cond| cond.is_object()) {
        set("condition", trigger_condition(cond, own && ["dies", "leaves"].contains(&event))?);
    }
    match unless_paid(ability) {
        Some((mana, otherwise)) => {
            set("unless_pay", json!({"cost": {"type": "Fixed", "cost": cost(mana)?}, "payer": {"type": "Controller"}}));
            set("execute", chain(&json!({"effect": otherwise, "targets": ability["targets"]}), card, "Spell", event)?);
        }
        None => set("execute", of_the_event(chain(ability, card, "Spell", event)?)),
    }
    let name = match (ability.text("name"), event) {
        ("", "beginning") => when.text("step"),
        ("", _) => event,
        (name, _) => name,
    };
    set("description", json!(name));
    Ok(Value::Object(made))
}

/// In a trigger's effect, "it" is what the ability saw and not the object that an effect applies to.
fn of_the_event(made: Value) -> Value {
    match made {
        Value::Object(map) if map.len() == 1 && map.get("type") == Some(&json!("Recipient")) => json!({"type": "EventSource"}),
        Value::Object(map) => Value::Object(map.into_iter().map(|(key, value)| (key, of_the_event(value))).collect()),
        Value::Array(values) => Value::Array(values.into_iter().map(of_the_event).collect()),
        other => other,
    }
}

/// "Unless you pay" as a whole effect: the mana, and what happens otherwise.
fn unless_paid(ability: &Value) -> Option<(&str, &Value)> {
    let [may] = ability.list("effect") else { return None };
    let [mana] = may.list("cost") else { return None };
    let plain = may.text("then") == "may" && may["who"].text("who") == "you" && mana.text("cost") == "mana";
    (plain && may.list("effect").is_empty()).then(|| (mana.text("mana"), &may["otherwise"]))
}

/// The condition of a triggered ability.
fn trigger_condition(said: &Value, gone: bool) -> Played<Value> {
    match said.text("if") {
        "not" => Ok(json!({"type": "Not", "condition": trigger_condition(&said["part"], gone)?})),
        // "If it had a +1/+1 counter on it", of what has left.
        "matches" if gone && said["who"].text("who") == "this" && only_key(&said["what"], "counter") => {
            Ok(json!({"type": "HadCounters", "counter_type": said["what"]["counter"]}))
        }
        "exists" if said["who"].text("who") == "all" && said["who"].texts("zones") == ["battlefield"] => {
            let count = json!({"type": "Ref", "qty": {"type": "ObjectCount", "filter": filter(&said["who"], "Permanent")?}});
            Ok(json!({"type": "QuantityComparison", "lhs": count, "comparator": "GE", "rhs": {"type": "Fixed", "value": 1}}))
        }
        "matches" if said["who"].text("who") == "this" && only_key(&said["what"], "tapped") => match said["what"].flag("tapped") {
            true => Ok(json!({"type": "SourceIsTapped"})),
            false => Ok(json!({"type": "Not", "condition": {"type": "SourceIsTapped"}})),
        },
        "matches" if said["who"].text("who") == "this" => {
            Ok(json!({"type": "SourceMatchesFilter", "filter": filter(&said["what"], "Any")?}))
        }
        "turn" if said["of"].text("who") == "you" && said["step"].is_null() => Ok(json!({"type": "DuringYourTurn"})),
        "compare" => comparison(said),
        other => unsupported(format!("triggering if {other}")),
    }
}

/// What happens as an object enters, as replacements of its move.
fn as_enters(ability: &Value, card: &Card) -> Played<Vec<Value>> {
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
        only(copy, "entering as a copy", &["of", "but", "counters"])?;
        let mut but = Vec::new();
        for operation in copy.list("but") {
            but.extend(modifications(operation, card)?);
        }
        for pile in copy.list("counters") {
            only(&pile["what"], "counters on a copy", &["type"])?;
            let types = pile["what"].list("type");
            for counters in pile.list("counters") {
                let count = quantity(&counters["n"])?;
                let kind = counter(counters.text("kind"));
                but.push(json!({"type": "AddCounterOnEnter", "counter_type": kind, "count": count, "if_type": types.first()}));
            }
        }
        let mode = if ability.flag("may") { json!({"type": "Optional"}) } else { always.clone() };
        let becomes = json!({
            "type": "BecomeCopy", "target": filter(&copy["of"], "Permanent")?, "additional_modifications": but,
        });
        // "Enters tapped as a copy" is one replacement, as in the engine's own cards.
        if ability.flag("tapped") {
            let mut both = replaced(json!({"type": "Tap", "target": {"type": "SelfRef"}}), mode);
            both["execute"]["sub_ability"] = json!({"kind": "Spell", "effect": becomes});
            made.push(both);
        } else {
            made.push(replaced(becomes, mode));
        }
    } else if ability.flag("may") {
        return unsupported("a choice whether, as it enters");
    } else if ability.flag("tapped") {
        made.push(replaced(json!({"type": "Tap", "target": {"type": "SelfRef"}}), always.clone()));
    }
    for pile in ability.list("counters") {
        // The X of a permanent that enters is the one its spell was cast with, which the engine keeps apart.
        let n = match pile["n"].text("num") {
            "X" => json!({"type": "Ref", "qty": {"type": "CostXPaid"}}),
            _ => quantity(&pile["n"])?,
        };
        let effect = json!({
            "type": "PutCounter", "counter_type": counter(pile.text("kind")), "count": n, "target": {"type": "SelfRef"},
        });
        made.push(replaced(effect, always.clone()));
    }
    Ok(made)
}

/// The printed targets of an ability, and which of them its instructions have come to.
struct Targets<'a> {
    specs: &'a [Value],
    met: Vec<String>,
    /// Another word for the last of them: what was exiled or put somewhere.
    alias: String,
    /// The event of a triggered ability.
    event: &'a str,
    /// What the card is attached to.
    host: Value,
}

/// Instructions become the engine's chain of abilities, each with the target that it is the first to speak of.
fn chain(ability: &Value, card: &Card, kind: &str, event: &str) -> Played<Value> {
    let mut targets = Targets { specs: ability.list("targets"), met: Vec::new(), alias: String::new(), event, host: card.host() };
    let (mut links, mut rest) = (Vec::new(), ability.list("effect"));
    while let [first, others @ ..] = rest {
        // Looking at a card and perhaps putting it below is one effect; so is putting a card of the hand somewhere.
        if let [second, after @ ..] = others {
            if let Some(effect) = said_in_two(first, second)? {
                links.push(json!({"effect": effect}));
                rest = after;
                continue;
            }
        }
        links.extend(link(first, &mut targets, card)?);
        rest = others;
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

/// The one effect of the engine that two instructions say, if they do.
fn said_in_two(first: &Value, second: &Value) -> Played<Option<Value>> {
    if is_scry(first, second) {
        let one = json!({"type": "Fixed", "value": 1});
        return Ok(Some(json!({"type": "Scry", "count": one, "target": {"type": "Controller"}})));
    }
    let what = &first["what"];
    let one = (first.number("least"), first.number("most")) == (Some(1), Some(1));
    let own = first.text("then") == "choose" && first.text("kind") == "object" && first["who"].text("who") == "you" && one;
    let held = what.texts("zones") == ["hand"] && what["of"].text("who") == "you";
    let put = second.text("then") == "put" && second["what"] == json!({"who": "the", "name": first["name"]});
    let there = second.text("to") == "battlefield" && second["under"].text("who") == "you" && !second.flag("tapped");
    if own && held && put && there && second["name"].says_nothing() {
        let target = filter(what, "Card")?;
        return Ok(Some(json!({"type": "ChangeZone", "origin": "Hand", "destination": "Battlefield", "target": target})));
    }
    Ok(None)
}

/// Whether two instructions say "scry 1".
fn is_scry(look: &Value, may: &Value) -> bool {
    let [put] = may.list("effect") else { return false };
    let seen = &look["what"];
    let own = seen.flag("top") && seen.texts("zones") == ["library"] && seen["of"].text("who") == "you";
    let below = put.text("then") == "put" && put["what"] == *seen && put.text("to") == "library" && put.flag("bottom");
    let plain = only(seen, "", &["who", "zones", "of", "top"]).is_ok() && only(may, "", &["then", "effect", "who"]).is_ok();
    look.text("then") == "look_at" && may.text("then") == "may" && may["who"].text("who") == "you" && own && below && plain
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
            let more = spec["what"].is_object() || spec["players"].is_object() || !spec.list("stack").is_empty();
            return if more { unsupported("such a target") } else { Ok(json!({"type": "Any"})) };
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

    /// Whether a target is a player.
    fn is_player(&self, who: &Value) -> bool {
        let spec = self.specs.iter().find(|spec| spec.text("name") == who.text("name"));
        spec.is_some_and(|spec| spec["players"].is_object())
    }

    /// What an instruction is done to. The first that speaks of a target chooses it.
    fn meant(&mut self, who: &Value, made: &mut Value) -> Played<Value> {
        match who.text("who") {
            "this" => Ok(json!({"type": "SelfRef"})),
            "attached" => Ok(self.host.clone()),
            "you" => Ok(json!({"type": "Controller"})),
            "it" if ["gains_life", "draws"].contains(&self.event) => Ok(json!({"type": "TriggeringPlayer"})),
            "it" if !self.event.is_empty() => Ok(json!({"type": "TriggeringSource"})),
            "active player" if self.event == "beginning" => Ok(json!({"type": "TriggeringPlayer"})),
            "the" if self.event == "deals_damage" && who.text("name") == "damaged" => Ok(json!({"type": "TriggeringPlayer"})),
            "controller_of" if who["of"].text("who") == "the" && self.met.len() == 1 => {
                Ok(json!({"type": "ParentTargetController"}))
            }
            "the" => {
                let name = who.text("name");
                if !name.is_empty() && name == self.alias {
                    return Ok(json!({"type": "ParentTarget"}));
                }
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

/// Whether an instruction is done to one target, and its number is about another. The engine reads such a number off the
/// instruction's own targets, and its parser writes none like this.
fn counts_another_target(number: &Value, to: &Value) -> bool {
    let of = &number["of"];
    (of.text("who"), to.text("who"), of.text("name")) == ("the", "the", "target") && to.text("name") != "target"
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
            if counts_another_target(&said["n"], &said["to"]) {
                return unsupported("damage in a number of another target");
            }
            if matches!(said["to"].text("who"), "all" | "everyone" | "opponents") && said["n"].to_string().contains("\"who\":\"it\"") {
                return unsupported("damage to several, to each in a number of its own");
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
            only(said, then, &["then", "n", "who"])?;
            if counts_another_target(&said["n"], &said["who"]) {
                return unsupported(format!("{then} in a number of another target"));
            }
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
            only(said, "exile", &["then", "what", "name"])?;
            let (kind, target) = one_or_all("ChangeZone", "ChangeZoneAll", &said["what"], targets, &mut made)?;
            // What all of them are called names no target.
            targets.alias = if kind == "ChangeZone" { said.text("name").to_string() } else { String::new() };
            // It takes everything of a kind from the battlefield if it isn't told from where.
            match said["what"].texts("zones")[..] {
                [from] if kind == "ChangeZoneAll" => json!({"type": kind, "origin": zone_word(from), "destination": "Exile", "target": target}),
                _ => json!({"type": kind, "destination": "Exile", "target": target}),
            }
        }
        "sacrifice" => match (said["what"].text("who"), said["who"].text("who")) {
            ("this", "you") => json!({"type": "Sacrifice", "target": {"type": "SelfRef"}, "count": {"type": "Fixed", "value": 1}}),
            ("all", "you" | "everyone" | "opponents") => {
                match said["who"].text("who") {
                    "everyone" => drop(scoped(&mut made, "All")),
                    "opponents" => drop(scoped(&mut made, "Opponent")),
                    _ => {}
                }
                json!({"type": "Sacrifice", "target": filter(&yours(&said["what"]), "Permanent")?, "count": quantity(&said["n"])?})
            }
            // A target is not among what such an effect says; it is chosen by a link of its own before.
            ("the", "you") => {
                let target = targets.meant(&said["what"], &mut made)?;
                let chosen = json!({"effect": {"type": "TargetOnly", "target": target}});
                let one = json!({"type": "Fixed", "value": 1});
                made["effect"] = json!({"type": "Sacrifice", "target": {"type": "ParentTarget"}, "count": one});
                return Ok(if target["type"] == "ParentTarget" { vec![made] } else { vec![chosen, made] });
            }
            (what, who) => return unsupported(format!("{who} sacrificing {what}")),
        },
        "put" => {
            only(said, "put", &["then", "what", "to", "under", "tapped", "bottom", "name"])?;
            let under = said["under"].text("who");
            if all("what") && under == "owner_of" && !said.flag("tapped") && ["hand", "graveyard", "battlefield"].contains(&said.text("to")) {
                let [from] = said["what"].texts("zones")[..] else { return unsupported("putting things of several zones there") };
                made["effect"] = json!({
                    "type": "ChangeZoneAll", "origin": zone_word(from), "destination": zone_word(said.text("to")),
                    "target": filter(&said["what"], "Permanent")?,
                });
                return Ok(vec![made]);
            }
            if all("what") || !["you", "owner_of"].contains(&under) {
                return unsupported("putting such things there");
            }
            let target = targets.meant(&said["what"], &mut made)?;
            targets.alias = said.text("name").to_string();
            match said.text("to") {
                "hand" => json!({"type": "Bounce", "target": target}),
                "library" => {
                    let position = if said.flag("bottom") { "Bottom" } else { "Top" };
                    json!({"type": "PutAtLibraryPosition", "target": target, "count": {"type": "Fixed", "value": 1}, "position": {"type": position}})
                }
                "battlefield" => json!({
                    "type": "ChangeZone", "destination": "Battlefield", "target": target,
                    "enter_tapped": said.flag("tapped"), "under_your_control": under == "you",
                }),
                zone => json!({"type": "ChangeZone", "destination": zone_word(zone), "target": target}),
            }
        }
        "choose" => {
            only(said, "choose", &["then", "kind", "who", "least", "most", "name", "of"])?;
            let kind = match (said.text("kind"), said.text("of"), said["who"].text("who")) {
                ("color", _, "you") => "Color",
                ("type", "creature type", "you") => "CreatureType",
                ("type", "basic land type", "you") => "BasicLandType",
                (kind, _, who) => return unsupported(format!("{who} choosing a {kind}")),
            };
            json!({"type": "Choose", "choice_type": kind, "persist": true})
        }
        "later" => {
            only(said, "later", &["then", "when", "effect", "name"])?;
            if said.text("name") != "later" {
                return unsupported("a delayed trigger with a name, which the engine does not keep");
            }
            let when = &said["when"];
            let ("beginning", true, [one]) = (when.text("on"), when.flag("next"), said.list("effect")) else {
                return unsupported("a delayed trigger of that kind");
            };
            let condition = match when["of"].text("who") {
                "everyone" => json!({"type": "AtNextPhase", "phase": phase(when.text("step"))?}),
                "you" => json!({"type": "AtNextPhaseForPlayer", "phase": phase(when.text("step"))?, "player": 0}),
                other => return unsupported(format!("a delayed trigger at a step of {other}")),
            };
            let mut inner = link(one, targets, card)?;
            if inner.len() != 1 {
                return unsupported("a delayed trigger that does several things");
            }
            inner[0]["kind"] = json!("Spell");
            json!({"type": "CreateDelayedTrigger", "condition": condition, "effect": inner[0], "uses_tracked_set": false})
        }
        "put_counters" if !said.list("counters").is_empty() && said["on"].text("who") == "the" && targets.is_player(&said["on"]) => {
            let [pile] = said.list("counters") else { return unsupported("counters of several kinds") };
            let kind = zone_word(pile.text("kind"));
            json!({"type": "GivePlayerCounter", "counter_kind": kind, "count": quantity(&pile["n"])?, "target": targets.meant(&said["on"], &mut made)?})
        }
        "put_counters" => {
            only(said, "put_counters", &["then", "counters", "on"])?;
            let [pile] = said.list("counters") else { return unsupported("counters of several kinds") };
            let (kind, target) = one_or_all("PutCounter", "PutCounterAll", &said["on"], targets, &mut made)?;
            json!({"type": kind, "counter_type": counter(pile.text("kind")), "count": quantity(&pile["n"])?, "target": target})
        }
        "remove_counters" => {
            let ([pile], false) = (said.list("counters"), said.flag("every")) else { return unsupported("removing such counters") };
            let Some(n) = pile.number("n") else { return unsupported("removing so many counters") };
            json!({"type": "RemoveCounter", "counter_type": counter(pile.text("kind")), "count": n, "target": targets.meant(&said["on"], &mut made)?})
        }
        "create" => {
            only(said, "create", &["then", "token", "n", "who", "tapped", "copy_of"])?;
            if said["who"].text("who") != "you" {
                return unsupported("tokens for somebody else");
            }
            if said["copy_of"].is_object() {
                let target = targets.meant(&said["copy_of"], &mut made)?;
                made["effect"] = json!({"type": "CopyTokenOf", "target": target, "count": quantity(&said["n"])?, "tapped": said.flag("tapped")});
                return Ok(vec![made]);
            }
            token(&said["token"], quantity(&said["n"])?, said.flag("tapped"), card)?
        }
        "add_mana" => {
            only(said, "add_mana", &["then", "mana", "n", "who"])?;
            if said["who"].text("who") != "you" || said["n"] != json!(1) {
                return unsupported("mana of that kind");
            }
            json!({"type": "Mana", "produced": produced(said.text("mana"))?})
        }
        // A choice of what to do is no mana ability here; its own cards say this with a choice of color.
        "one_of" if said.list("options").iter().any(|one| one.list("effect").iter().any(|it| it.text("then") == "add_mana")) => {
            return unsupported("a choice of mana as a choice of effects");
        }
        "one_of" if said["who"].text("who") == "you" => {
            let mut branches = Vec::new();
            for option in said.list("options") {
                branches.push(chain(option, card, "Spell", targets.event)?);
            }
            json!({"type": "ChooseOneOf", "chooser": {"type": "Controller"}, "branches": branches})
        }
        "regenerate" => json!({"type": "Regenerate", "target": targets.meant(&said["what"], &mut made)?}),
        "extra_turn" if said["who"].text("who") == "you" => json!({"type": "ExtraTurn", "target": {"type": "Controller"}}),
        "attach" if said["what"].text("who") == "this" => json!({"type": "Attach", "target": targets.meant(&said["to"], &mut made)?}),
        "attach" if said["what"].text("who") == "the" && said["to"].text("who") == "the" && targets.met.is_empty() => {
            let attachment = targets.meant(&said["what"], &mut made)?;
            json!({"type": "Attach", "attachment": attachment, "target": targets.meant(&said["to"], &mut made)?})
        }
        "copy_spell" if said["n"] == json!(1) && said.list("but").is_empty() => {
            let target = targets.meant(&said["what"], &mut made)?;
            if !said.flag("new_targets") {
                return unsupported("a copy that keeps its targets");
            }
            json!({"type": "CopySpell", "target": target})
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
        "reveal" => {
            only(said, "reveal", &["then", "what", "name"])?;
            let what = &said["what"];
            if !what.flag("top") || what.texts("zones") != ["library"] || only(what, "", &["who", "zones", "of", "top"]).is_err() {
                return unsupported("revealing such cards");
            }
            let player = match what["of"].text("who") {
                "you" => "Controller",
                "defending player" => "DefendingPlayer",
                other => return unsupported(format!("revealing a card of {other}")),
            };
            targets.alias = said.text("name").to_string();
            json!({"type": "RevealTop", "player": {"type": player}, "count": 1})
        }
        // What was revealed goes to the hand if it is of a card type.
        "if" => {
            only(said, "if", &["then", "cond", "effect"])?;
            let (cond, revealed) = (&said["cond"], json!({"who": "the", "name": targets.alias}));
            let of_type = cond.text("if") == "matches" && cond["who"] == revealed && only_key(&cond["what"], "type");
            let ([one], [put]) = (cond["what"].list("type"), said.list("effect")) else { return unsupported("the instruction if") };
            let taken = put.text("then") == "put" && put["what"] == revealed && put.text("to") == "hand";
            if !of_type || !taken {
                return unsupported("the instruction if");
            }
            made["condition"] = json!({"type": "RevealedHasCardType", "card_type": one});
            json!({"type": "ChangeZone", "destination": "Hand", "target": {"type": "ParentTarget"}})
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
    only(said, "effect", &["then", "affects", "does", "until", "as_long_as"])?;
    let mut made = json!({});
    let who = &said["affects"];
    let until = match said.text("until") {
        "ever" if said["as_long_as"].text("if") == "exists" && said["as_long_as"]["who"].text("who") == "this" => {
            json!("UntilHostLeavesPlay")
        }
        // "For as long as you control this": its parser says the same as for "remains on the battlefield".
        "ever" if said["as_long_as"].text("if") == "matches" && said["as_long_as"]["what"].get("controller").is_some_and(Value::is_object) => {
            let lasting = &said["as_long_as"];
            match (lasting["who"].text("who"), lasting["what"]["controller"].text("who"), only_key(&lasting["what"], "controller")) {
                ("this", "you", true) => json!("UntilHostLeavesPlay"),
                _ => return unsupported("for as long as a certain player controls something"),
            }
        }
        "ever" if said["as_long_as"].is_object() => match trigger_condition(&said["as_long_as"], false)? {
            tapped if tapped["type"] == "SourceIsTapped" => json!({"ForAsLongAs": {"condition": tapped}}),
            _ => json!({"ForAsLongAs": {"condition": condition(&said["as_long_as"], card)?}}),
        },
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
    let mut changes = Vec::new();
    for operation in operations {
        match rule(operation, who)? {
            Some(found) => changes.extend(found.into_iter().map(|mode| json!({"type": "AddStaticMode", "mode": mode}))),
            None => changes.extend(modifications(operation, card)?),
        }
    }
    if who.text("who") == "all" && who.texts("zones") != ["battlefield"] {
        return unsupported("an effect on objects elsewhere than on the battlefield");
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
    let whole = json!({"mode": "Continuous", "affected": affected, "modifications": changes});
    made["effect"] = json!({"type": "GenericEffect", "static_abilities": [whole], "duration": until});
    if chosen {
        made["effect"]["target"] = target;
    }
    Ok(vec![made])
}

/// An effect that creates tokens.
fn token(said: &Value, count: Value, tapped: bool, card: &Card) -> Played<Value> {
    only(said, "token", &["name", "types", "supertypes", "subtypes", "colors", "power", "toughness", "abilities"])?;
    let (mut words, mut statics) = (Vec::new(), Vec::new());
    for ability in said.list("abilities") {
        match ability.text("is") {
            "keyword" => words.push(keyword(ability, card)?),
            "defines" => statics.push(defines(ability)?),
            other => return unsupported(format!("a token with an ability that is {other}")),
        }
    }
    let types: Vec<&Value> = said.list("types").iter().chain(said.list("subtypes")).collect();
    let colors = said.list("colors").iter().map(color).collect::<Played<Vec<_>>>()?;
    let size = |key: &str| match said.get(key) {
        Some(Value::String(star)) => json!({"type": "Variable", "value": star}),
        _ => json!({"type": "Fixed", "value": said.number(key).unwrap_or(0)}),
    };
    Ok(json!({
        "type": "Token", "name": said["name"], "power": size("power"), "toughness": size("toughness"), "types": types,
        "supertypes": said.list("supertypes"), "colors": colors, "keywords": words, "tapped": tapped, "count": count,
        "static_abilities": statics,
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

// ---------------------------------------------------------------------------------------- THE TABLE

/// An answer of the script, waiting for its question.
#[derive(Clone)]
struct Prepared {
    at: usize,
    choice: Value,
}

/// A game under way, and what the scenario calls its things.
#[derive(Clone)]
struct Game {
    state: GameState,
    players: Vec<String>,
    ids: BTreeMap<String, ObjectId>,
    names: HashMap<ObjectId, String>,
    /// What abilities on the stack are called, as far as it was settled when they were put there.
    called: HashMap<ObjectId, String>,
    paid: HashMap<ObjectId, String>,
    waiting: Vec<Prepared>,
    /// Whether the script goes on if something is refused, so that it has to be taken back.
    tried: bool,
    /// What is tried, as it was when the engine was told to begin with it; the mana abilities for it come before.
    begun: Option<Box<GameState>>,
}

/// Set the table: create everything in the order of `objects`, then enter it in that of `setup`.
fn new_game(scenario: &Value, cards: &mut Cards) -> Played<Game> {
    let seats = scenario.list("players");
    let config = if seats.len() == 2 { FormatConfig::standard() } else { FormatConfig::free_for_all() };
    let mut state = GameState::new(config, seats.len() as u8, 0);
    state.debug_mode = true;
    // What enters now was there before the turn of the scenario, which is not the first of the game.
    state.turn_number = 1;
    state.all_creature_types = cards.types.clone();
    let mut game = Game {
        state,
        players: seats.iter().map(|seat| seat.text("id").to_string()).collect(),
        ids: BTreeMap::new(),
        names: HashMap::new(),
        called: HashMap::new(),
        paid: HashMap::new(),
        waiting: Vec::new(),
        tried: false,
        begun: None,
    };
    game.create(scenario, cards)?;
    for (number, seat) in seats.iter().enumerate() {
        game.seat(PlayerId(number as u8), seat)?;
    }
    for arrival in scenario.list("setup") {
        match arrival.list("entries") {
            [entry] => game.enter(entry)?,
            _ => return unsupported("objects that enter together"),
        }
    }
    game.start(&scenario["start"])?;
    Ok(game)
}

impl Game {
    /// Every object of the scenario, in the zone where it begins. What enters waits in exile.
    fn create(&mut self, scenario: &Value, cards: &mut Cards) -> Played<()> {
        let mut faces: HashMap<&str, Rc<Played<CardFace>>> = HashMap::new();
        for (number, thing) in scenario.list("objects").iter().enumerate() {
            let (id, name) = (thing.text("id"), thing.text("card"));
            if !faces.contains_key(name) {
                let defined = scenario.list("cards").iter().find(|card| card["definition"].text("name") == name);
                let Some(card) = defined else { return unsupported(format!("no card {name}")) };
                faces.insert(name, cards.made(&card["definition"]));
            }
            let face = (*faces[name]).as_ref().map_err(Clone::clone)?;
            let owner = self.player(thing.text("owner"))?;
            let seat = &scenario.list("players")[owner.0 as usize];
            let zones = [("hand", Zone::Hand), ("library", Zone::Library), ("graveyard", Zone::Graveyard)];
            let zone = zones.iter().find(|(key, _)| seat.texts(key).contains(&id)).map_or(Zone::Exile, |(_, zone)| *zone);
            let made = create_object(&mut self.state, CardId(number as u64 + 1), owner, name.to_string(), zone);
            let object = self.state.objects.get_mut(&made).expect("just made");
            apply_card_face_to_object(object, face);
            object.is_token = thing.flag("token");
            self.ids.insert(id.to_string(), made);
            self.names.insert(made, id.to_string());
        }
        Ok(())
    }

    /// One player's life and counters, and the order of their cards.
    fn seat(&mut self, player: PlayerId, seat: &Value) -> Played<()> {
        if !seat["team"].is_null() {
            return unsupported("teams");
        }
        let life = seat.number("life").unwrap_or(20) as i32;
        if life != self.state.players[player.0 as usize].life {
            self.debug(DebugAction::SetLife { player_id: player, life })?;
        }
        let place = |ids: &[&str], map: &BTreeMap<String, ObjectId>| ids.iter().map(|id| map[*id]).collect::<Vec<_>>();
        let at = player.0 as usize;
        self.state.players[at].hand = place(&seat.texts("hand"), &self.ids).into_iter().collect();
        self.state.players[at].library = place(&seat.texts("library"), &self.ids).into_iter().collect();
        self.state.players[at].graveyard = place(&seat.texts("graveyard"), &self.ids).into_iter().rev().collect();
        for pile in seat.list("counters") {
            let kind = match pile.text("kind") {
                "poison" => PlayerCounterKind::Poison,
                "experience" => PlayerCounterKind::Experience,
                other => return unsupported(format!("{other} counters on a player")),
            };
            self.state.players[at].add_player_counters(&kind, pile.number("n").unwrap_or(0) as u32);
        }
        Ok(())
    }

    /// One object's entry onto the battlefield. What something replaces as it enters has to be cast or played.
    fn enter(&mut self, entry: &Value) -> Played<()> {
        let known = ["id", "controller", "attached_to", "counters", "choices", "face_down", "tapped", "damage", "new"];
        only(entry, "an entry", &known)?;
        let id = self.object(entry.text("id"))?;
        let controller = self.player(entry.text("controller"))?;
        let object = &self.state.objects[&id];
        if object.owner != controller {
            return unsupported("a permanent that its owner does not control, from the beginning");
        }
        let own = |one: &ReplacementDefinition| one.valid_card == Some(TargetFilter::SelfRef);
        let with_loyalty = object.loyalty.is_some();
        let replaced = object.replacement_definitions.as_slice().iter().any(own) || with_loyalty;
        if entry.flag("face_down") {
            self.enter_face_down(id, controller)?;
        } else if replaced && !object.is_token {
            self.enter_by_casting(id, controller, entry)?;
        } else {
            if !entry.list("choices").is_empty() {
                return unsupported("choices as it enters of a card without any");
            }
            self.put(id, Zone::Battlefield);
        }
        if self.state.objects[&id].zone != Zone::Battlefield {
            return unsupported("the engine does not put it onto the battlefield");
        }
        if let Some(host) = entry.get("attached_to").and_then(Value::as_str) {
            let Some(host) = self.ids.get(host).copied() else { return unsupported("attached to a player") };
            attach_to(&mut self.state, id, host);
            evaluate_layers(&mut self.state);
        }
        for pile in entry.list("counters") {
            let delta = pile.number("n").unwrap_or(0) as i32;
            let counter_type = parse_counter_type(pile.text("kind"));
            self.debug(DebugAction::ModifyCounters { object_id: id, counter_type, delta })?;
        }
        // What enters tapped by its own text stays so.
        if entry.flag("tapped") && !self.state.objects[&id].tapped {
            self.debug(DebugAction::SetTapped { object_id: id, tapped: true })?;
        }
        if let Some(damage) = entry.number("damage").filter(|damage| *damage > 0) {
            self.state.objects.get_mut(&id).expect("it is there").damage_marked = damage as u32;
        }
        // What the engine's SetSummoningSickness does; no look ever shows it.
        self.state.objects.get_mut(&id).expect("it is there").summoning_sick = entry.flag("new");
        Ok(())
    }

    /// Put a card face down, as the engine does it from the hand.
    fn enter_face_down(&mut self, id: ObjectId, controller: PlayerId) -> Played<()> {
        self.put(id, Zone::Hand);
        self.debug(DebugAction::SetPhase { phase: Phase::PreCombatMain, active_player: controller })?;
        let card_id = self.state.objects[&id].card_id;
        self.act(controller, GameAction::PlayFaceDown { object_id: id, card_id })?;
        if self.state.stack.is_empty() {
            return Ok(());
        }
        unsupported("this cannot enter before the game begins")
    }

    /// Cast (or play) something for nothing and let it resolve, with the choices of its entry.
    fn enter_by_casting(&mut self, id: ObjectId, controller: PlayerId, entry: &Value) -> Played<()> {
        self.put(id, Zone::Hand);
        self.debug(DebugAction::SetPhase { phase: Phase::PreCombatMain, active_player: controller })?;
        self.waiting = prepared(entry.list("choices"));
        let card_id = self.state.objects[&id].card_id;
        let before = self.state.players[controller.0 as usize].mana_pool.clone();
        if self.state.objects[&id].card_types.core_types.contains(&CoreType::Land) {
            self.state.lands_played_this_turn = 0;
            self.state.players[controller.0 as usize].lands_played_this_turn = 0;
            self.act(controller, GameAction::PlayLand { object_id: id, card_id })?;
            self.decide()?;
        } else {
            self.plenty(controller);
            let cast = self.act(controller, GameAction::CastSpell { object_id: id, card_id, targets: vec![] });
            if let Err(Rejected(why)) = cast {
                return unsupported(format!("this cannot enter before the game begins: {why}"));
            }
            cast?;
            self.decide()?;
            for _ in 0..self.players.len() {
                if self.state.stack.is_empty() {
                    break;
                }
                self.pass_holder()?;
                self.decide()?;
            }
        }
        if !self.state.stack.is_empty() || !self.waiting.is_empty() {
            return unsupported("this cannot enter before the game begins");
        }
        self.state.players[controller.0 as usize].mana_pool = before;
        self.state.lands_played_this_turn = 0;
        self.state.players[controller.0 as usize].lands_played_this_turn = 0;
        Ok(())
    }

    /// The moment at which the script begins: nothing happened this turn yet.
    fn start(&mut self, start: &Value) -> Played<()> {
        let player = self.player(start.text("turn"))?;
        let step = start.text("step");
        if !["upkeep", "draw", "precombat main", "beginning of combat", "end of combat", "postcombat main", "end"].contains(&step) {
            return Err(Not::Stopping(format!("beginning in the step {step}")));
        }
        let state = &mut self.state;
        state.turn_number = 2 + self.players.len() as u32;
        // Turns have gone by since the last entry, with cards drawn: the engine works everything out anew then.
        state.layers_dirty = true;
        state.zone_changes_this_turn.clear();
        state.battlefield_entries_this_turn.clear();
        state.spells_cast_this_turn = 0;
        state.spells_cast_this_turn_by_player.clear();
        state.mana_spent_on_spells_this_turn.clear();
        for player in &mut state.players {
            player.descended_this_turn = false;
        }
        let phase = serde_json::from_value(phase(step)?).map_err(|error| Supported(error.to_string()))?;
        self.debug(DebugAction::SetPhase { phase, active_player: player })?;
        evaluate_layers(&mut self.state);
        Ok(())
    }

    // ------------------------------------------------------------------------------- what things are called

    fn object(&self, id: &str) -> Played<ObjectId> {
        self.ids.get(id).copied().ok_or_else(|| Supported(format!("{id} is nothing here")))
    }

    fn player(&self, id: &str) -> Played<PlayerId> {
        let seat = self.players.iter().position(|player| player == id);
        seat.map(|seat| PlayerId(seat as u8)).ok_or_else(|| Supported(format!("{id} is no player")))
    }

    fn name(&self, id: ObjectId) -> String {
        self.names.get(&id).cloned().unwrap_or_else(|| format!("object {}", id.0))
    }

    fn player_name(&self, player: PlayerId) -> &str {
        &self.players[player.0 as usize]
    }

    /// A target by its name: a player, a thing, or an ability on the stack.
    fn target(&self, id: &str) -> Played<TargetRef> {
        if let Ok(player) = self.player(id) {
            return Ok(TargetRef::Player(player));
        }
        if let Some(place) = self.stack_names().iter().position(|name| name == id) {
            return Ok(TargetRef::Object(self.state.stack[place].id));
        }
        Ok(TargetRef::Object(self.object(id)?))
    }

    fn target_name(&self, target: &TargetRef) -> String {
        match target {
            TargetRef::Player(player) => self.player_name(*player).to_string(),
            TargetRef::Object(id) => match self.state.stack.iter().position(|entry| entry.id == *id) {
                Some(place) => self.stack_names()[place].clone(),
                None => self.name(*id),
            },
        }
    }

    /// What is on the stack, bottom to top.
    fn stack_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut met: HashMap<String, usize> = HashMap::new();
        for entry in &self.state.stack {
            if let Some(name) = self.called.get(&entry.id).filter(|name| !name.contains(" of ")) {
                names.push(name.clone());
                continue;
            }
            let base = match &entry.kind {
                _ if self.called.contains_key(&entry.id) => self.called[&entry.id].clone(),
                StackEntryKind::Spell { .. } => match self.names.get(&entry.id) {
                    Some(name) => name.clone(),
                    None => format!("copy of {}", self.copied(entry)),
                },
                StackEntryKind::TriggeredAbility { source_id, ability, description, .. } => {
                    // The engine gives no words to what was put off, nor to prowess, which it makes itself.
                    let prowess = self.state.objects.get(source_id).is_some_and(|one| one.has_keyword(&Keyword::Prowess));
                    let prowess = prowess && matches!(ability.effect, Effect::Pump { .. });
                    let word = description.clone().or(ability.description.clone());
                    let word = word.unwrap_or(if prowess { "prowess" } else { "later" }.to_string());
                    format!("{} of {}", word.to_lowercase(), self.name(*source_id))
                }
                StackEntryKind::ActivatedAbility { source_id, .. } => format!("ability of {}", self.name(*source_id)),
                StackEntryKind::KeywordAction { .. } => format!("equip of {}", self.name(entry.source_id)),
            };
            let count = met.entry(base.clone()).and_modify(|n| *n += 1).or_insert(1);
            names.push(if *count > 1 && base.contains(" of ") { format!("{base} ({count})") } else { base });
        }
        names
    }

    /// The spell that a copy on the stack is a copy of, as far as its name tells.
    fn copied(&self, entry: &StackEntry) -> String {
        let name = self.state.objects.get(&entry.id).map(|object| object.name.clone()).unwrap_or_default();
        let same = |id: &ObjectId| self.state.objects.get(id).is_some_and(|object| object.base_name == name);
        let below = self.state.stack.iter().rev().find(|below| self.names.contains_key(&below.id) && same(&below.id));
        match below {
            Some(below) => self.name(below.id),
            None => self.ids.iter().find(|(_, id)| same(id)).map_or(name.clone(), |(id, _)| id.clone()),
        }
    }

    // ------------------------------------------------------------------------------------ moving the engine

    /// Do something as a player; the engine may refuse. Its server tries out each action on a copy, and does not do what it refuses.
    fn act(&mut self, by: PlayerId, action: GameAction) -> Played<()> {
        let before = self.tried.then(|| self.state.clone());
        match apply(&mut self.state, by, action) {
            Ok(_) => Ok(()),
            Err(error) => {
                if let Some(before) = before {
                    self.state = before;
                }
                let why = error.to_string();
                // The engine says so where it knows a cost and does not pay it.
                if why.contains(": Unsupported ") { unsupported(why) } else { rejected(why) }
            }
        }
    }

    /// Begin with a spell or an ability.
    fn begin(&mut self, said: &Announced, action: GameAction, before: &Before) -> Played<()> {
        if self.tried {
            let mut state = self.state.clone();
            if said.action["pay"].is_null() {
                state.players[said.by.0 as usize].mana_pool = before.pool.clone();
            }
            self.begun = Some(Box::new(state));
        }
        self.act(said.by, action)
    }

    /// What is left when a player calls off what was begun, as the engine does that, if what was paid for it is not given
    /// back. Mana abilities are no part of it here, and may stay.
    fn called_off(&self) -> Option<GameState> {
        let (begun, mut state) = (self.begun.as_ref()?, self.state.clone());
        (0..self.players.len()).find(|n| apply(&mut state, PlayerId(*n as u8), GameAction::CancelCast).is_ok())?;
        let kept = begun.objects.iter().all(|(id, object)| {
            state.objects.get(id).is_some_and(|now| now.zone == object.zone && now.counters == object.counters)
        });
        let alive = begun.players.iter().zip(&state.players).all(|(before, now)| before.life == now.life);
        for (before, now) in begun.players.iter().zip(&mut state.players) {
            now.mana_pool = before.mana_pool.clone();
        }
        (!kept || !alive).then_some(state)
    }

    /// Change the table before the game begins, by the engine's own means.
    fn debug(&mut self, action: DebugAction) -> Played<()> {
        self.act(PlayerId(0), GameAction::Debug(action)).map_err(|not| match not {
            Rejected(why) => Supported(why),
            other => other,
        })
    }

    /// Move a card as the engine's `MoveToZone` does. Through `apply` each move would work out anew what is only shown.
    fn put(&mut self, id: ObjectId, zone: Zone) {
        move_to_zone(&mut self.state, id, zone, &mut Vec::new());
        evaluate_layers(&mut self.state);
    }

    /// More mana than anything costs, as the engine's `AddMana` makes it.
    fn plenty(&mut self, player: PlayerId) {
        let pool = &mut self.state.players[player.0 as usize].mana_pool;
        for (_, kind) in MANA {
            for _ in 0..if kind == ManaType::Colorless { 12 } else { 5 } {
                pool.add(ManaUnit::new(kind, ObjectId(0), false, vec![]));
            }
        }
    }

    fn holder(&self) -> Option<PlayerId> {
        match self.state.waiting_for {
            WaitingFor::Priority { player } => Some(player),
            _ => None,
        }
    }

    /// Whoever has priority passes.
    fn pass_holder(&mut self) -> Played<()> {
        match self.holder() {
            Some(player) => self.act(player, GameAction::PassPriority),
            None => Ok(()),
        }
    }

    /// Do all of it, or leave everything as it was, but for what the engine does not give back. Outside of `try` the play
    /// ends with what is refused, and nobody sees any more how it was.
    fn whole<T>(&mut self, deed: impl FnOnce(&mut Game) -> Played<T>) -> Played<T> {
        let before = self.tried.then(|| self.clone());
        let result = deed(self);
        if let (Err(not), Some(before)) = (&result, before) {
            let left = matches!(not, Rejected(_)).then(|| self.called_off()).flatten();
            *self = before;
            if let Some(state) = left {
                self.state = state;
            }
        }
        result
    }
}

/// Answers given with an entry.
fn prepared(choices: &[Value]) -> Vec<Prepared> {
    choices.iter().enumerate().map(|(at, choice)| Prepared { at, choice: choice.clone() }).collect()
}

// ------------------------------------------------------------------------------------- THE QUESTIONS

impl Game {
    /// Whether the script goes on now: somebody has priority, attackers or blockers are declared, damage is divided.
    fn at_rest(&self) -> bool {
        use WaitingFor::*;
        matches!(
            self.state.waiting_for,
            Priority { .. } | DeclareAttackers { .. } | DeclareBlockers { .. } | GameOver { .. } | AssignCombatDamage { .. }
        )
    }

    /// Answer what the engine asks, as the script says.
    fn decide(&mut self) -> Played<()> {
        for _ in 0..100 {
            // Where nothing can attack or block there is nothing to decide.
            match &self.state.waiting_for {
                WaitingFor::DeclareAttackers { valid_attacker_ids: able, .. }
                | WaitingFor::DeclareBlockers { valid_blocker_ids: able, .. }
                    if able.is_empty() =>
                {
                    self.declare_none()?;
                    continue;
                }
                _ => {}
            }
            if self.at_rest() {
                return Ok(());
            }
            let player = self.state.waiting_for.acting_player().unwrap_or(PlayerId(0));
            let action = self.answer(player)?;
            self.act(player, action).map_err(|not| match not {
                Rejected(why) => Answered(format!("an answer that the engine refuses: {why}")),
                other => other,
            })?;
        }
        Err(Not::Ending("questions without end".to_string()))
    }

    /// The first answer prepared for such a question, used up.
    fn prepared(&mut self, kinds: &[&str], by: PlayerId, asker: Option<ObjectId>) -> Option<Vec<Value>> {
        let asker = asker.map(|id| self.name(id));
        let fits = |one: &Prepared| {
            let meant = one.choice.get("for").and_then(Value::as_str);
            let same = match (meant, &asker) {
                (Some(meant), Some(asker)) => meant == asker || meant.contains(&format!(" of {asker}")),
                _ => true,
            };
            kinds.contains(&one.choice.text("kind")) && one.choice.text("by") == self.players[by.0 as usize] && same
        };
        let place = self.waiting.iter().position(fits)?;
        Some(self.waiting.remove(place).choice.list("answer").to_vec())
    }

    /// The same; if there is none, the play ends with the question.
    fn needed(&mut self, kinds: &[&str], by: PlayerId, asker: Option<ObjectId>) -> Played<Vec<Value>> {
        let who = self.player_name(by).to_string();
        let whom = asker.map(|id| format!(" for {}", self.name(id))).unwrap_or_default();
        self.prepared(kinds, by, asker).ok_or_else(|| Answered(format!("{} by {who}{whom}", kinds[0])))
    }

    fn objects_of(&self, answer: &[Value]) -> Played<Vec<ObjectId>> {
        answer.iter().map(|id| self.object(id.as_str().unwrap_or(""))).collect()
    }

    /// Some of these: all of them where there is no choice, else what was prepared.
    fn some_of(&mut self, kinds: &[&str], by: PlayerId, asker: Option<ObjectId>, among: &[ObjectId], count: usize, up_to: bool) -> Played<GameAction> {
        let cards = if !up_to && among.len() <= count {
            let _ = self.prepared(kinds, by, asker);
            among.to_vec()
        } else {
            let answer = self.needed(kinds, by, asker)?;
            self.objects_of(&answer)?
        };
        Ok(GameAction::SelectCards { cards })
    }

    /// The action that answers what the engine waits for.
    fn answer(&mut self, by: PlayerId) -> Played<GameAction> {
        use WaitingFor as W;
        let top = self.state.stack.last().map(|entry| entry.source_id);
        match self.state.waiting_for.clone() {
            W::NamedChoice { choice_type, source_id, options, .. } => {
                let kind = match choice_type {
                    ChoiceType::Color => "color",
                    ChoiceType::CreatureType | ChoiceType::BasicLandType | ChoiceType::LandType | ChoiceType::CardType => "type",
                    ChoiceType::CardName => "name",
                    ChoiceType::NumberRange { .. } => "number",
                    ChoiceType::Opponent | ChoiceType::Player => "player",
                    other => return unsupported(format!("the question {other:?}")),
                };
                let answer = match &options[..] {
                    [one] if kind != "color" => json!(one),
                    _ => self.needed(&[kind], by, source_id)?.first().cloned().unwrap_or_default(),
                };
                let word = match (&answer, kind) {
                    (Value::String(word), "color") => word[..1].to_uppercase() + &word[1..],
                    (Value::String(word), "player") => self.player(word).map_or(word.clone(), |seat| seat.0.to_string()),
                    (Value::String(word), _) => word.clone(),
                    (other, _) => other.to_string(),
                };
                Ok(GameAction::ChooseOption { choice: word })
            }
            W::OptionalEffectChoice { source_id, .. } | W::OpponentMayChoice { source_id, .. } => {
                let answer = self.needed(&["may"], by, Some(source_id))?;
                Ok(GameAction::DecideOptionalEffect { accept: answer.first() == Some(&json!(true)) })
            }
            W::UnlessPayment { .. } => {
                let pay = self.needed(&["may"], by, None)?.first() == Some(&json!(true));
                if pay {
                    self.plenty(by);
                }
                Ok(GameAction::PayUnlessCost { pay })
            }
            W::TriggerTargetSelection { source_id, target_slots, .. } => {
                let answer = match forced(&target_slots) {
                    Some(targets) => {
                        let _ = self.prepared(&["targets"], by, source_id);
                        return Ok(GameAction::SelectTargets { targets });
                    }
                    None => self.needed(&["targets"], by, source_id)?,
                };
                // One list holds the targets of all descriptions, so what follows nothing can't be told from it.
                while answer.is_empty() && target_slots.len() > 1 {
                    match self.prepared(&["targets"], by, source_id) {
                        Some(further) if further.is_empty() => continue,
                        Some(_) => return unsupported("no target for the first of several descriptions of a triggered ability"),
                        None => break,
                    }
                }
                let targets = answer.iter().map(|id| self.target(id.as_str().unwrap_or(""))).collect::<Played<_>>()?;
                Ok(GameAction::SelectTargets { targets })
            }
            W::CopyTargetChoice { source_id, valid_targets, .. } => {
                let target = match &valid_targets[..] {
                    [one] => {
                        let _ = self.prepared(&["copy"], by, Some(source_id));
                        *one
                    }
                    _ => {
                        let answer = self.needed(&["copy"], by, Some(source_id))?;
                        self.objects_of(&answer)?.first().copied().unwrap_or(source_id)
                    }
                };
                Ok(GameAction::ChooseTarget { target: Some(TargetRef::Object(target)) })
            }
            W::ReplacementChoice { candidate_count, .. } => {
                let optional = self.state.pending_replacement.as_ref().is_some_and(|pending| pending.is_optional);
                if !optional {
                    return unsupported(format!("which of {candidate_count} replacements applies"));
                }
                let answer = match self.prepared(&["may"], by, None) {
                    Some(answer) => answer,
                    // An answer to what is then copied says yes to copying.
                    None if self.waiting.iter().any(|one| one.choice.text("kind") == "copy") => vec![json!(true)],
                    None => self.needed(&["may"], by, None)?,
                };
                Ok(GameAction::ChooseReplacement { index: usize::from(answer.first() != Some(&json!(true))) })
            }
            W::ScryChoice { cards, .. } => {
                let below = self.needed(&["may"], by, top)?.first() == Some(&json!(true));
                Ok(GameAction::SelectCards { cards: if below { vec![] } else { cards } })
            }
            W::DiscardToHandSize { cards, count, .. } => self.some_of(&["cards"], by, None, &cards, count, false),
            W::DiscardChoice { cards, count, source_id, up_to, .. } => {
                self.some_of(&["cards", "object"], by, Some(source_id), &cards, count, up_to)
            }
            W::EffectZoneChoice { cards, count, source_id, up_to, .. }
            | W::ChooseFromZoneChoice { cards, count, source_id, up_to, .. } => {
                self.some_of(&["cards", "object"], by, Some(source_id), &cards, count, up_to)
            }
            W::SearchChoice { cards, count, up_to, .. } => self.some_of(&["cards", "object"], by, top, &cards, count, up_to),
            // Of several names the engine asks for one after the other, in an order of its own.
            W::ChooseLegend { candidates, .. } => {
                let among = |one: &Prepared| one.choice.text("kind") == "keep" && one.choice.list("answer").iter().filter_map(Value::as_str).any(|id| self.ids.get(id).is_some_and(|id| candidates.contains(id)));
                if let Some(place) = self.waiting.iter().position(among) {
                    let one = self.waiting.remove(place);
                    self.waiting.insert(0, one);
                }
                let answer = self.needed(&["keep"], by, None)?;
                let keep = self.objects_of(&answer)?.first().copied().unwrap_or(ObjectId(0));
                Ok(GameAction::ChooseLegend { keep })
            }
            W::ChooseOneOfBranch { source_id, .. } => {
                let answer = self.needed(&["option"], by, Some(source_id))?;
                Ok(GameAction::ChooseBranch { index: answer.first().and_then(Value::as_u64).unwrap_or(1) as usize - 1 })
            }
            W::AbilityModeChoice { source_id, .. } => {
                let answer = self.needed(&["modes"], by, Some(source_id))?;
                Ok(GameAction::SelectModes { indices: from_one(&answer) })
            }
            W::ChooseManaColor { choice: ManaChoicePrompt::SingleColor { options }, .. } => {
                let kind = match &options[..] {
                    [one] => *one,
                    _ => mana_type(self.needed(&["color"], by, None)?[0].as_str().unwrap_or(""))?,
                };
                Ok(GameAction::ChooseManaColor { choice: ManaChoice::SingleColor(kind) })
            }
            W::ManaPayment { .. } => Ok(GameAction::PassPriority),
            W::CopyRetarget { target_slots, .. } => {
                let targets = match self.prepared(&["targets"], by, None) {
                    Some(answer) => answer.iter().map(|id| self.target(id.as_str().unwrap_or(""))).collect::<Played<_>>()?,
                    None => target_slots.iter().map(|slot| slot.current.clone()).collect(),
                };
                Ok(GameAction::SelectTargets { targets })
            }
            other => unsupported(format!("the question {}", word_of(&other))),
        }
    }
}

/// Whether a way to pay is one that the engine would have to be told. What it takes by itself shows in the looks.
fn asked_for(cost: &Value) -> bool {
    ["hybrid", "reduce_in_order", "method", "kicked", "additional", "life"].contains(&cost.text("kind"))
}

/// The one way in which something is cast, if another than for its mana cost is named.
fn method(action: &Value) -> &str {
    let said = action.list("costs").iter().find(|cost| cost.text("kind") == "method");
    match said.map_or(&[][..], |cost| cost.list("ids")) {
        [one] => one.as_str().unwrap_or(""),
        _ => "",
    }
}

/// How often an optional cost is paid.
fn paid_times(costs: &[Value], kind: &str) -> i64 {
    costs.iter().find(|cost| cost.text("kind") == kind).map_or(0, |cost| cost.number("n").unwrap_or(1))
}

/// Targets among which there is no choice.
fn forced(slots: &[TargetSelectionSlot]) -> Option<Vec<TargetRef>> {
    let one = |slot: &TargetSelectionSlot| match (&slot.legal_targets[..], slot.optional) {
        ([only], false) => Some(only.clone()),
        _ => None,
    };
    slots.iter().map(one).collect()
}

/// Numbers counted from 1, counted from 0.
fn from_one(numbers: &[Value]) -> Vec<usize> {
    numbers.iter().filter_map(Value::as_u64).map(|n| (n as usize).saturating_sub(1)).collect()
}

/// The word for what the engine waits for.
fn word_of(waiting: &WaitingFor) -> String {
    let told = serde_json::to_value(waiting).unwrap_or_default();
    told.get("type").and_then(Value::as_str).unwrap_or("?").to_string()
}

fn mana_type(word: &str) -> Played<ManaType> {
    Ok(match word.trim_matches(['{', '}']) {
        "white" | "W" => ManaType::White,
        "blue" | "U" => ManaType::Blue,
        "black" | "B" => ManaType::Black,
        "red" | "R" => ManaType::Red,
        "green" | "G" => ManaType::Green,
        "colorless" | "C" => ManaType::Colorless,
        other => return unsupported(format!("mana of the kind {other}")),
    })
}

// --------------------------------------------------------------------------------------- THE ACTIONS

/// How it was before something was paid.
struct Before {
    tapped: HashSet<ObjectId>,
    pool: ManaPool,
}

/// What an action says about what is announced.
struct Announced<'a> {
    by: PlayerId,
    targets: Vec<&'a Value>,
    action: &'a Value,
}

impl Game {
    /// One action of the script.
    fn perform(&mut self, at: usize, action: &Value) -> Played<()> {
        match action.text("do") {
            "pass" if action.text("who") == "everyone" => self.whole(Game::pass_everyone),
            "pass" => {
                let player = self.player(action.text("who"))?;
                self.whole(|game| {
                    game.act(player, GameAction::PassPriority)?;
                    game.decide()
                })
            }
            "settle" => self.passing(|game| game.state.stack.is_empty() && game.holder().is_some()),
            "resolve" => {
                let name = action.text("what");
                let Some(place) = self.stack_names().iter().position(|one| one == name) else {
                    return rejected(format!("{name} is not on the stack"));
                };
                let id = self.state.stack[place].id;
                self.passing(|game| game.state.stack.iter().all(|entry| entry.id != id) && game.holder().is_some())
            }
            "advance" => self.whole(|game| game.advance(action)),
            "cast" => self.announced(action, Game::cast),
            "activate" => self.announced(action, Game::activate),
            "play" => self.whole(|game| {
                let (id, by) = (game.object(action.text("what"))?, game.player(action.text("by"))?);
                let card_id = game.state.objects[&id].card_id;
                game.listed(&GameAction::PlayLand { object_id: id, card_id }, by)?;
                game.act(by, GameAction::PlayLand { object_id: id, card_id })?;
                game.decide()
            }),
            // Not among the engine's lists of legal actions: what it accepts is legal.
            "turn_up" => self.whole(|game| {
                only(action, "turning up", &["do", "what", "by"])?;
                let (id, by) = (game.object(action.text("what"))?, game.player(action.text("by"))?);
                game.act(by, GameAction::TurnFaceUp { object_id: id })?;
                game.decide()
            }),
            "attack" => self.whole(|game| game.attack(action)),
            "block" => self.whole(|game| game.block(action)),
            "assign" => self.whole(|game| game.assign(action)),
            "choose" => {
                self.waiting.push(Prepared { at, choice: action.clone() });
                Ok(())
            }
            "call" => self.call(action),
            other => unsupported(format!("the action {other}")),
        }
    }

    /// Announce something. If it is refused, all is as before; mana that was made for it stays where the script says so,
    /// if the same would be legal with free mana: what would not never came to the payment.
    fn announced(&mut self, action: &Value, deed: fn(&mut Game, &Value) -> Played<()>) -> Played<()> {
        let result = self.whole(|game| deed(game, action));
        let pay = &action["pay"];
        let mut free = action.clone();
        free["pay"] = Value::Null;
        let keeps = self.tried && matches!(result, Err(Rejected(_))) && pay.is_object() && !pay.flag("undo_mana");
        if keeps && deed(&mut self.clone(), &free).is_ok() {
            let by = self.player(action.text("by"))?;
            // What would have come after an illegal step was never done.
            let _ = pay.list("steps").iter().try_for_each(|step| self.whole(|game| game.make_mana(by, step)));
        }
        result
    }

    /// Whether the engine lists this among what the player may do. Its list of legal actions is made of these candidates,
    /// each of them tried out with `apply` on a copy; here only the one that is announced is applied, right after this.
    fn listed(&self, action: &GameAction, by: PlayerId) -> Played<()> {
        if self.holder() != Some(by) {
            return rejected(format!("{} has no priority", self.player_name(by)));
        }
        if *BY_APPLY_ALONE {
            return Ok(());
        }
        let found = candidate_actions(&self.state).into_iter().find(|candidate| candidate.action == *action);
        if found.is_some_and(|candidate| BasicLegalityFilter.accept(&self.state, &candidate)) {
            return Ok(());
        }
        rejected("it is not among the legal actions")
    }

    /// Everyone passes until something is so, or nobody has.
    fn passing(&mut self, done: impl Fn(&Game) -> bool) -> Played<()> {
        self.whole(|game| game.until(done))
    }

    fn until(&mut self, done: impl Fn(&Game) -> bool) -> Played<()> {
        for _ in 0..1000 {
            if done(self) {
                return Ok(());
            }
            match self.state.waiting_for {
                WaitingFor::GameOver { .. } => return Ok(()),
                WaitingFor::DeclareAttackers { .. } | WaitingFor::DeclareBlockers { .. } => self.declare_none()?,
                WaitingFor::AssignCombatDamage { .. } => return Err(Answered("division".to_string())),
                _ => self.pass_holder()?,
            }
            self.decide()?;
        }
        Err(Not::Ending("a thousand passes".to_string()))
    }

    /// Nobody attacks, nobody blocks.
    fn declare_none(&mut self) -> Played<()> {
        let player = self.state.waiting_for.acting_player().unwrap_or(PlayerId(0));
        let none = match self.state.waiting_for {
            WaitingFor::DeclareAttackers { .. } => GameAction::DeclareAttackers { attacks: vec![] },
            _ => GameAction::DeclareBlockers { assignments: vec![] },
        };
        self.act(player, none).map_err(|_| Answered("attackers or blockers that are required".to_string()))
    }

    /// All pass, the holder first, until one object has resolved or one step has ended.
    fn pass_everyone(&mut self) -> Played<()> {
        let top = self.state.stack.last().map(|entry| entry.id);
        let (turn, step) = (self.state.turn_number, self.state.phase);
        for _ in 0..=self.players.len() {
            if self.holder().is_none() {
                return if self.at_rest() { rejected("nobody has priority") } else { self.decide() };
            }
            self.pass_holder()?;
            let resolved = top.is_some_and(|top| self.state.stack.iter().all(|entry| entry.id != top));
            let moved = (turn, step) != (self.state.turn_number, self.state.phase);
            self.decide()?;
            if resolved || moved || self.holder().is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Everyone passes to the next first priority in a step, strictly after now.
    fn advance(&mut self, action: &Value) -> Played<()> {
        let wanted: Phase =
            serde_json::from_value(phase(action.text("to"))?).map_err(|error| Supported(error.to_string()))?;
        let turn = action.get("turn").and_then(Value::as_str).map(|id| self.player(id)).transpose()?;
        let order = |phase: Phase| PHASES.iter().position(|one| *one == phase).unwrap_or(0);
        let begun = (self.state.turn_number, order(self.state.phase));
        for _ in 0..1000 {
            match self.state.waiting_for {
                WaitingFor::GameOver { .. } => return Ok(()),
                WaitingFor::DeclareAttackers { .. } | WaitingFor::DeclareBlockers { .. } => self.declare_none()?,
                WaitingFor::AssignCombatDamage { .. } => return Err(Answered("division".to_string())),
                _ => self.pass_holder()?,
            }
            self.decide()?;
            let now = (self.state.turn_number, order(self.state.phase));
            // The turn that is under way is the one meant if it is that player's and the step still lies ahead of
            // where it was entered.
            let meant = turn.is_none_or(|turn| turn == self.state.active_player);
            let ahead = now.0 > begun.0 || order(wanted) > begun.1;
            if meant && ahead && now.1 == order(wanted) && now != begun && self.holder().is_some() {
                return Ok(());
            }
            let gone_by = if now.0 == begun.0 { ahead && now.1 > order(wanted) } else { now.1 > order(wanted) };
            let passed_over = turn.is_none() && now.0 > begun.0 && order(wanted) > begun.1;
            if (meant && gone_by) || passed_over {
                return Err(Not::Stopping(format!("nobody gets priority in {}", action.text("to"))));
            }
        }
        Err(Not::Ending("a thousand passes".to_string()))
    }

    fn cast(&mut self, action: &Value) -> Played<()> {
        let known = ["do", "what", "by", "targets", "modes", "x", "divide", "costs", "pay", "as"];
        only(action, "cast", &known)?;
        let (id, by) = (self.object(action.text("what"))?, self.player(action.text("by"))?);
        let card_id = self.state.objects[&id].card_id;
        let cast = GameAction::CastSpell { object_id: id, card_id, targets: vec![] };
        let said = Announced { by, targets: action.list("targets").iter().collect(), action };
        if action.list("costs").iter().any(|cost| cost.text("kind") == "method" && cost.list("ids").len() > 1) {
            return unsupported("casting in two ways at once");
        }
        let free = method(action) == "free";
        if free && !self.plays_for_nothing(by) {
            return rejected("nothing lets it be cast for nothing");
        }
        let undone = action["pay"].is_object().then(|| self.clone());
        let before = self.paying(&said)?;
        let full = self.state.players[by.0 as usize].mana_pool.clone();
        self.listed(&cast, by)?;
        let costs = json!([self.state.objects[&id].mana_cost, self.state.objects[&id].additional_cost]);
        let life = self.life_before(by, &costs)?;
        self.begin(&said, cast, &before)?;
        self.announce(&said, life)?;
        // Who has paid with the last of their life has cast it all the same.
        if let WaitingFor::GameOver { .. } = self.state.waiting_for {
            return Ok(());
        }
        let Some(entry) = self.state.stack.iter().find(|entry| entry.id == id) else {
            return rejected("it is not on the stack");
        };
        let flashback = matches!(entry.kind, StackEntryKind::Spell { casting_variant: CastingVariant::Flashback, .. });
        if flashback != (method(action) == "flashback") {
            return rejected("the engine casts it in another way");
        }
        let targets = entry.ability().map(flatten_targets_in_chain).unwrap_or_default();
        self.as_announced(&said, &targets)?;
        let left = &self.state.players[by.0 as usize].mana_pool;
        let spent: Vec<(ManaType, usize)> = MANA
            .iter()
            .map(|(_, kind)| (*kind, full.count_color(*kind).saturating_sub(left.count_color(*kind))))
            .collect();
        let tapped = action["pay"].list("steps").iter().any(|step| step.get("activate").is_some_and(Value::is_string));
        if tapped && spent.iter().all(|(_, n)| *n == 0) && !self.taps_more(&said, &before)? {
            return unsupported("mana abilities for a spell that costs no mana: here they come before the announcement");
        }
        // Colourless mana tells what is generic; where mana is named, the same is asked with free mana on a copy.
        let paid = if action["pay"].is_null() { Some(price(&spent)) } else { undone.and_then(|game| game.price_of(action, id)) };
        if let Some(paid) = paid {
            self.paid.insert(id, paid);
        }
        if let Some(name) = action.get("as").and_then(Value::as_str) {
            self.called.insert(id, name.to_string());
        }
        self.has_paid(&said, before)
    }

    /// What a spell costs that is cast in this way with free mana.
    fn price_of(mut self, action: &Value, id: ObjectId) -> Option<String> {
        let mut free = action.clone();
        free["pay"] = Value::Null;
        self.cast(&free).ok()?;
        self.paid.remove(&id)
    }

    /// Whether a permanent lets a player cast cards from the hand for nothing, which the engine then does unasked.
    fn plays_for_nothing(&self, by: PlayerId) -> bool {
        let lets = |object: &GameObject| {
            let mut modes = object.static_definitions.as_slice().iter().map(|one| &one.mode);
            object.controller == by && modes.any(|mode| matches!(mode, StaticMode::CastFromHandFree { .. }))
        };
        self.state.battlefield.iter().filter_map(|id| self.state.objects.get(id)).any(lets)
    }

    fn activate(&mut self, action: &Value) -> Played<()> {
        let known = ["do", "what", "ability", "by", "targets", "modes", "x", "divide", "costs", "pay", "produces", "as"];
        only(action, "activate", &known)?;
        let (id, by) = (self.object(action.text("what"))?, self.player(action.text("by"))?);
        let name = action.text("ability");
        let alike = self.abilities(id, name, action.get("produces").and_then(Value::as_str));
        let Some(first) = alike.first().copied() else {
            return rejected(format!("it has no ability {name}"));
        };
        self.are_the_same(id, &alike)?;
        // Of several that are the same, the player may activate any.
        let could = |place: &&usize| self.listed(&GameAction::ActivateAbility { source_id: id, ability_index: **place }, by).is_ok();
        let place = if alike.len() > 1 { alike.iter().find(could).copied().unwrap_or(first) } else { first };
        let mana = is_mana_ability(&self.state.objects[&id].abilities[place]);
        let said = Announced { by, targets: action.list("targets").iter().collect(), action };
        let activate = GameAction::ActivateAbility { source_id: id, ability_index: place };
        if mana {
            let costs = self.state.objects[&id].abilities[place].cost.as_ref().map(serde_json::to_value);
            let mana_too = costs.is_some_and(|cost| cost.is_ok_and(|cost| cost.to_string().contains("\"Mana\"")));
            if mana_too && action["pay"].is_null() {
                return unsupported("mana abilities that cost mana, where mana is free");
            }
            let before = if action["pay"].is_object() { Some(self.paying(&said)?) } else { None };
            let grouped = legal_actions_full(&self.state).2.remove(&id).unwrap_or_default();
            let tap = GameAction::TapLandForMana { object_id: id };
            if self.holder() != Some(by) || !grouped.iter().any(|one| *one == activate || *one == tap) {
                return rejected("it is not among the legal actions");
            }
            let life = self.life_before(by, &json!(self.state.objects[&id].abilities[place].cost))?;
            self.act(by, activate)?;
            self.announce(&said, life)?;
            return before.map_or(Ok(()), |before| self.has_paid(&said, before));
        }
        let before = self.paying(&said)?;
        self.listed(&activate, by)?;
        let on_stack: HashSet<ObjectId> = self.state.stack.iter().map(|entry| entry.id).collect();
        let life = self.life_before(by, &json!(self.state.objects[&id].abilities[place].cost))?;
        self.begin(&said, activate, &before)?;
        self.announce(&said, life)?;
        let new = self.state.stack.iter().find(|entry| !on_stack.contains(&entry.id) && entry.source_id == id);
        let Some(entry) = new else { return rejected("it is not on the stack") };
        let (entry, targets) = (entry.id, entry.ability().map(flatten_targets_in_chain).unwrap_or_default());
        self.as_announced(&said, &targets)?;
        let called = action.get("as").and_then(Value::as_str).map(str::to_string);
        self.called.insert(entry, called.unwrap_or(format!("{name} of {}", self.name(id))));
        self.has_paid(&said, before)
    }

    /// Of abilities that differ, a name alone says none.
    fn are_the_same(&self, id: ObjectId, places: &[usize]) -> Played<()> {
        let words = |place: &usize| serde_json::to_value(&self.state.objects[&id].abilities[*place]).unwrap_or_default();
        if places.windows(2).any(|two| words(&two[0]) != words(&two[1])) {
            return unsupported("which of several abilities of one name");
        }
        Ok(())
    }

    /// Which of an object's abilities have that name now.
    fn abilities(&self, id: ObjectId, name: &str, produces: Option<&str>) -> Vec<usize> {
        let made = produces.map(|word| mana_type(word).map_or(String::new(), |kind| MANA.iter().find(|(_, one)| *one == kind).map_or("", |(letter, _)| letter).to_string()));
        let fits = |ability: &AbilityDefinition| match ability.description.as_deref() {
            Some(word) if word == name => true,
            Some(word) if !word.is_empty() && word != "mana" => false,
            _ => name == "mana" && is_mana_ability(ability),
        };
        let right = |ability: &AbilityDefinition| match (&made, &*ability.effect) {
            (Some(made), Effect::Mana { produced, .. }) => {
                let told = serde_json::to_value(produced).unwrap_or_default();
                let colors = told.texts("colors").iter().map(|word| letter(word)).collect::<String>();
                colors.is_empty() || colors == *made
            }
            _ => true,
        };
        let all = self.state.objects[&id].abilities.iter().enumerate();
        all.filter(|(_, ability)| fits(ability) && right(ability)).map(|(place, _)| place).collect()
    }

    /// Make ready what pays: plenty, or just the mana abilities that are named. What was tapped before.
    fn paying(&mut self, said: &Announced) -> Played<Before> {
        let before = Before { tapped: self.tapped(), pool: self.state.players[said.by.0 as usize].mana_pool.clone() };
        let pay = &said.action["pay"];
        if pay.is_null() {
            self.plenty(said.by);
            return Ok(before);
        }
        if self.holder() != Some(said.by) {
            return rejected(format!("{} has no priority", self.player_name(said.by)));
        }
        for step in pay.list("steps") {
            let same = step.get("activate").and_then(Value::as_str) == Some(said.action.text("what"));
            if same && said.action.text("do") == "activate" && step.text("ability") == said.action.text("ability") {
                return unsupported("an ability that pays for itself: what pays is activated before");
            }
            self.make_mana(said.by, step)?;
        }
        self.set_aside(said, &before);
        Ok(before)
    }

    /// Activate the mana ability that a step of a payment names, if it names one.
    fn make_mana(&mut self, by: PlayerId, step: &Value) -> Played<()> {
        let Some(source) = step.get("activate").and_then(Value::as_str) else { return Ok(()) };
        let color = step.get("choose").and_then(Value::as_str);
        let id = self.object(source)?;
        let mut alike = self.abilities(id, step.text("ability"), None);
        if color.is_some() && self.are_the_same(id, &alike).is_err() {
            alike = self.abilities(id, step.text("ability"), color);
        }
        let Some(place) = alike.first().copied() else {
            return rejected(format!("{source} makes no mana"));
        };
        self.are_the_same(id, &alike)?;
        if !is_mana_ability(&self.state.objects[&id].abilities[place]) {
            return rejected(format!("that is no mana ability of {source}"));
        }
        self.act(by, GameAction::ActivateAbility { source_id: id, ability_index: place })?;
        if let W::ChooseManaColor { .. } = &self.state.waiting_for {
            let Some(color) = color else { return Err(Answered(format!("color by {}", self.player_name(by)))) };
            let choice = ManaChoice::SingleColor(mana_type(color)?);
            self.act(by, GameAction::ChooseManaColor { choice })?;
        }
        self.decide()
    }

    /// Of the mana that was in the pool, what is not named for paying is kept out of the engine's reach.
    fn set_aside(&mut self, said: &Announced, before: &Before) {
        let pool = &mut self.state.players[said.by.0 as usize].mana_pool;
        let steps = said.action["pay"].list("steps").iter();
        let named: Vec<&str> = steps.filter_map(|step| step.get("pool").and_then(Value::as_str)).flat_map(symbols).collect();
        for (letter, kind) in MANA {
            let wanted = named.iter().filter(|one| **one == letter).count();
            let mut kept = before.pool.count_color(kind).saturating_sub(wanted);
            pool.mana.retain(|unit| {
                let goes = unit.color == kind && kept > 0;
                kept -= usize::from(goes);
                !goes
            });
        }
    }

    /// What was set aside comes back.
    fn give_back(&mut self, said: &Announced, before: &Before) {
        let steps = said.action["pay"].list("steps").iter();
        let named: Vec<&str> = steps.filter_map(|step| step.get("pool").and_then(Value::as_str)).flat_map(symbols).collect();
        for (letter, kind) in MANA {
            let wanted = named.iter().filter(|one| **one == letter).count();
            let units = before.pool.mana.iter().filter(|unit| unit.color == kind).skip(wanted).cloned();
            self.state.players[said.by.0 as usize].mana_pool.mana.extend(units);
        }
    }

    fn tapped(&self) -> HashSet<ObjectId> {
        self.state.objects.iter().filter(|(_, object)| object.tapped).map(|(id, _)| *id).collect()
    }

    /// What was put there to pay with goes; where mana was named, nothing else may have been tapped for it.
    fn has_paid(&mut self, said: &Announced, before: Before) -> Played<()> {
        let pay = &said.action["pay"];
        if pay.is_null() {
            self.state.players[said.by.0 as usize].mana_pool = before.pool;
            return Ok(());
        }
        self.give_back(said, &before);
        if self.taps_more(said, &before)? {
            return unsupported("paying with what is named alone: the engine taps more by itself");
        }
        Ok(())
    }

    /// Whether the engine has tapped more than what is named.
    fn taps_more(&self, said: &Announced, before: &Before) -> Played<bool> {
        let steps = said.action["pay"].list("steps").iter().filter_map(|step| step.get("activate").and_then(Value::as_str));
        let costs = said.action.list("costs").iter().flat_map(|cost| cost.texts("ids"));
        let mut named: HashSet<ObjectId> = steps.chain(costs).filter_map(|id| self.ids.get(id).copied()).collect();
        named.insert(self.object(said.action.text("what"))?);
        Ok(!self.tapped().iter().all(|id| before.tapped.contains(id) || named.contains(id)))
    }

    /// The life of a player before anything is paid, if Phyrexian symbols among these costs can take some. The engine may
    /// have paid with life as soon as something is announced.
    fn life_before(&self, by: PlayerId, costs: &Value) -> Played<Option<i32>> {
        let words = costs.to_string();
        if !words.contains("Phyrexian") {
            return Ok(None);
        }
        if words.contains("PayLife") {
            return unsupported("life for a Phyrexian symbol beside another cost of life");
        }
        Ok(Some(self.state.players[by.0 as usize].life))
    }

    /// Answer what is asked while something is announced.
    fn announce(&mut self, said: &Announced, life: Option<i32>) -> Played<()> {
        let mut targets: Vec<&str> = said.targets.iter().flat_map(|list| list.as_array().into_iter().flatten()).filter_map(Value::as_str).collect();
        targets.reverse();
        let costs = said.action.list("costs");
        let mut kicks = paid_times(costs, "kicked");
        let mut used: HashSet<String> = HashSet::new();
        let mut chosen = said.action.number("x").unwrap_or(0);
        let mut left_out = 0;
        let method = method(said.action);
        if ["flashback", "free"].contains(&method) {
            used.insert("method".to_string());
        }
        let mut paid_with = |kind: &str| {
            used.insert(kind.to_string());
            costs.iter().find(|cost| cost.text("kind") == kind)
        };
        for _ in 0..100 {
            let action = match self.state.waiting_for.clone() {
                W::Priority { .. } | W::GameOver { .. } => {
                    if chosen > 0 {
                        return rejected("X is not asked for");
                    }
                    if kicks > 0 && used.contains("kicked") {
                        return rejected("it cannot be kicked as often");
                    }
                    // Where only life can pay for a Phyrexian symbol, the engine does not ask.
                    let unasked = life.is_some_and(|life| self.state.players[said.by.0 as usize].life < life);
                    if unasked && !costs.iter().any(|cost| cost.text("kind") == "life") {
                        return rejected("the engine pays with life unasked");
                    }
                    let other = |cost: &&Value| !(unasked && cost.text("kind") == "life");
                    return match costs.iter().filter(other).find(|cost| !used.contains(cost.text("kind")) && asked_for(cost)) {
                        Some(cost) if cost.text("kind") == "life" => rejected("life is not what it may be paid with"),
                        Some(_) if !method.is_empty() => rejected(format!("it is not offered to be cast by {method}")),
                        Some(cost) => unsupported(format!("saying how to pay: {}", cost.text("kind"))),
                        None => match costs.iter().find(|cost| !used.contains(cost.text("kind")) && self.has_no_such_cost(said, cost)) {
                            Some(cost) => unsupported(format!("paying with {}", cost.texts("ids").join(", "))),
                            None => Ok(()),
                        },
                    };
                }
                W::TargetSelection { selection, target_slots, .. } => {
                    let slot = target_slots.get(selection.current_slot);
                    let optional = slot.is_some_and(|slot| slot.optional);
                    let next = targets.last().map(|id| self.target(id)).transpose()?;
                    // Where nothing was announced for the first of two, what was announced is for the second.
                    let fits = next.as_ref().is_none_or(|next| slot.is_none_or(|slot| slot.legal_targets.contains(next)));
                    if optional && !fits {
                        left_out += 1;
                        self.act(said.by, GameAction::ChooseTarget { target: None })?;
                        continue;
                    }
                    let leading = said.targets.iter().take_while(|list| list.as_array().is_some_and(Vec::is_empty)).count();
                    if optional && next.is_some() && left_out < leading {
                        return unsupported("no target for the first of two that could have the same");
                    }
                    match targets.pop() {
                        Some(id) => GameAction::ChooseTarget { target: Some(self.target(id)?) },
                        None if optional => GameAction::ChooseTarget { target: None },
                        None => return rejected("a target is missing"),
                    }
                }
                W::ModeChoice { .. } | W::AbilityModeChoice { .. } => {
                    GameAction::SelectModes { indices: from_one(said.action.list("modes")) }
                }
                W::ChooseXValue { .. } => match said.action.number("x") {
                    Some(x) => {
                        chosen = 0;
                        GameAction::ChooseX { value: x as u32 }
                    }
                    None => return Err(Answered(format!("x by {}", self.player_name(said.by)))),
                },
                W::OptionalCostChoice { cost: AdditionalCost::Choice(_, AbilityCost::Mana { .. }), .. } => {
                    GameAction::DecideOptionalCost { pay: paid_with("method").is_some() && !method.is_empty() }
                }
                W::OptionalCostChoice { .. } => {
                    let (kick, others) = (kicks > 0, paid_with("additional").map_or(0, |cost| cost.list("ids").len()));
                    let _ = paid_with("kicked");
                    if others > 1 {
                        return unsupported("several optional additional costs");
                    }
                    kicks -= i64::from(kick);
                    GameAction::DecideOptionalCost { pay: kick || others > 0 }
                }
                W::SacrificeForCost { permanents, count, .. } => self.paid_by(paid_with("sacrifice"), &permanents, count, said)?,
                W::DiscardForCost { cards, count, .. } => self.paid_by(paid_with("discard"), &cards, count, said)?,
                W::ReturnToHandForCost { permanents, count, .. } => self.paid_by(paid_with("return"), &permanents, count, said)?,
                W::ExileForCost { cards, count, .. } => self.paid_by(paid_with("exile"), &cards, count, said)?,
                W::TapCreaturesForSpellCost { creatures, count, .. } => self.paid_by(paid_with("tap"), &creatures, count, said)?,
                W::ManaPayment { convoke_mode: Some(ConvokeMode::Convoke), .. } if costs.iter().any(|cost| cost.text("kind") == "tap") => {
                    if said.action["pay"].is_null() {
                        return unsupported("tapping creatures for a spell that is paid with free mana");
                    }
                    let tapped = paid_with("tap").map_or(vec![], |cost| cost.texts("ids"));
                    let tapped = tapped.into_iter().map(|id| self.object(id)).collect::<Played<Vec<_>>>()?;
                    self.convoke(&tapped, said.by)?;
                    continue;
                }
                W::ManaPayment { .. } => GameAction::PassPriority,
                W::PhyrexianPayment { shards, .. } => {
                    let life = paid_with("life").map_or(0, |cost| cost.number("n").unwrap_or(99)) as usize;
                    let choice = |n: usize| if n < life { ShardChoice::PayLife } else { ShardChoice::PayMana };
                    GameAction::SubmitPhyrexianChoices { choices: (0..shards.len()).map(choice).collect() }
                }
                W::DistributeAmong { .. } => {
                    let share = |share: &Value| Ok((self.target(share.text("to"))?, share.number("n").unwrap_or(0) as u32));
                    let distribution = said.action.list("divide").iter().map(share).collect::<Played<_>>()?;
                    GameAction::DistributeAmong { distribution }
                }
                W::ChooseManaColor { choice: ManaChoicePrompt::SingleColor { .. }, .. } if said.action["produces"].is_string() => {
                    let kind = mana_type(said.action.text("produces"))?;
                    GameAction::ChooseManaColor { choice: ManaChoice::SingleColor(kind) }
                }
                _ => self.answer(self.state.waiting_for.acting_player().unwrap_or(said.by))?,
            };
            let player = self.state.waiting_for.acting_player().unwrap_or(said.by);
            self.act(player, action)?;
        }
        Err(Not::Ending("questions without end".to_string()))
    }

    /// Tap these for mana that the engine offers for them, each for the first kind with which the spell can be paid;
    /// colourless mana, which it offers first, is tried last.
    fn convoke(&mut self, creatures: &[ObjectId], by: PlayerId) -> Played<()> {
        let Some((first, others)) = creatures.split_first() else { return self.act(by, GameAction::PassPriority) };
        let mut refused = rejected("it cannot be tapped for that");
        for offered in candidate_actions(&self.state).into_iter().rev() {
            if !matches!(offered.action, GameAction::TapForConvoke { object_id, .. } if object_id == *first) {
                continue;
            }
            let mut game = self.clone();
            refused = game.act(by, offered.action).and_then(|()| game.convoke(others, by));
            if refused.is_ok() {
                *self = game;
                return refused;
            }
        }
        refused
    }

    /// Which things pay a cost: those named, or those there are if there is no choice.
    fn paid_by(&mut self, cost: Option<&Value>, among: &[ObjectId], count: usize, said: &Announced) -> Played<GameAction> {
        let cards = match cost {
            Some(cost) => cost.texts("ids").into_iter().map(|id| self.object(id)).collect::<Played<Vec<_>>>()?,
            None if among.len() <= count => among.to_vec(),
            None => return Err(Answered(format!("cards by {}", self.player_name(said.by)))),
        };
        Ok(GameAction::SelectCards { cards })
    }

    /// Whether objects are named for a cost of which the card knows nothing: the engine takes no notice of them.
    fn has_no_such_cost(&self, said: &Announced, cost: &Value) -> bool {
        let words: &[&str] = match cost.text("kind") {
            "sacrifice" => &["Sacrifice"],
            "discard" => &["Discard"],
            "return" => &["Return"],
            "exile" => &["Exile", "Delve"],
            "tap" => &["Tap", "Convoke", "Crew", "Saddle"],
            _ => return false,
        };
        let Ok(id) = self.object(said.action.text("what")) else { return false };
        let whole = serde_json::to_string(&self.state.objects[&id]).unwrap_or_default();
        !words.iter().any(|word| whole.contains(word))
    }

    /// The engine takes a single legal target without asking: it has to be the one that was announced, if one was.
    fn as_announced(&self, said: &Announced, taken: &[TargetRef]) -> Played<()> {
        if said.targets.is_empty() {
            return Ok(());
        }
        let mut wanted = Vec::new();
        for id in said.targets.iter().flat_map(|list| list.as_array().into_iter().flatten()).filter_map(Value::as_str) {
            wanted.push(self.target(id)?);
        }
        if taken == wanted {
            return Ok(());
        }
        let names: Vec<String> = taken.iter().map(|one| self.target_name(one)).collect();
        rejected(format!("the engine's only legal targets are {}", names.join(", ")))
    }

    fn attack(&mut self, action: &Value) -> Played<()> {
        let by = self.player(action.text("by"))?;
        if !matches!(self.state.waiting_for, W::DeclareAttackers { player, .. } if player == by) {
            return rejected("nobody declares attackers now");
        }
        let mut attacks = Vec::new();
        for one in action.list("attackers") {
            let whom = one.text("attacks");
            let target = match self.player(whom) {
                Ok(player) => AttackTarget::Player(player),
                Err(_) => AttackTarget::Planeswalker(self.object(whom)?),
            };
            attacks.push((self.object(one.text("attacker"))?, target));
        }
        self.act(by, GameAction::DeclareAttackers { attacks })?;
        self.decide()
    }

    fn block(&mut self, action: &Value) -> Played<()> {
        let by = self.player(action.text("by"))?;
        if !matches!(self.state.waiting_for, W::DeclareBlockers { player, .. } if player == by) {
            return rejected("nobody declares blockers now");
        }
        let mut assignments = Vec::new();
        for one in action.list("blockers") {
            // A declaration is a list of pairs.
            if one.texts("blocks").is_empty() {
                return unsupported("a blocker that blocks nothing");
            }
            for blocked in one.texts("blocks") {
                assignments.push((self.object(one.text("blocker"))?, self.object(blocked)?));
            }
        }
        self.act(by, GameAction::DeclareBlockers { assignments })?;
        self.decide()
    }

    /// How each attacker divides its damage. The engine asks for one after the other.
    fn assign(&mut self, action: &Value) -> Played<()> {
        let by = self.player(action.text("by"))?;
        for asked in 0.. {
            let W::AssignCombatDamage { player, attacker_id, blockers, .. } = self.state.waiting_for.clone() else {
                return if asked > 0 { self.decide() } else { rejected("nobody is asked to divide damage") };
            };
            if player != by {
                return if asked > 0 { Ok(()) } else { rejected("another player divides damage") };
            }
            let name = self.name(attacker_id);
            let Some(said) = action.list("assignments").iter().find(|one| one.text("by") == name) else {
                return rejected(format!("no division by {name}"));
            };
            let (mut assignments, mut trample_damage) = (Vec::new(), 0);
            for share in said.list("shares") {
                let n = share.number("n").unwrap_or(0) as u32;
                match self.object(share.text("to")) {
                    Ok(id) if blockers.iter().any(|slot| slot.blocker_id == id) => assignments.push((id, n)),
                    _ => trample_damage += n,
                }
            }
            let divided = GameAction::AssignCombatDamage { mode: Default::default(), assignments, trample_damage, controller_damage: 0 };
            self.act(by, divided)?;
        }
        Ok(())
    }

    /// Name the tokens that were made since the action before.
    fn call(&mut self, action: &Value) -> Played<()> {
        let mut new: Vec<ObjectId> = self.tokens_now().into_iter().filter(|id| !self.names.contains_key(id)).collect();
        new.sort_by_key(|id| id.0);
        for group in action.list("tokens") {
            let made: Vec<ObjectId> =
                new.iter().copied().filter(|id| self.state.objects[id].name == group.text("name")).collect();
            let ids = group.texts("ids");
            if made.len() != ids.len() {
                return rejected(format!("{} tokens named {}", made.len(), group.text("name")));
            }
            for (id, object) in ids.into_iter().zip(made) {
                self.ids.insert(id.to_string(), object);
                self.names.insert(object, id.to_string());
            }
        }
        Ok(())
    }

    fn tokens_now(&self) -> Vec<ObjectId> {
        self.state.battlefield.iter().copied().filter(|id| self.state.objects[id].is_token).collect()
    }
}

use WaitingFor as W;

/// More cards than any scenario lets a player keep.
const FULL_HAND: u64 = 100;

/// More lands than any scenario lets a player play.
const MANY_LANDS: u64 = 20;

const PHASES: [Phase; 12] = [
    Phase::Untap, Phase::Upkeep, Phase::Draw, Phase::PreCombatMain, Phase::BeginCombat, Phase::DeclareAttackers,
    Phase::DeclareBlockers, Phase::CombatDamage, Phase::EndCombat, Phase::PostCombatMain, Phase::End, Phase::Cleanup,
];
const STEPS: [&str; 12] = [
    "untap", "upkeep", "draw", "precombat main", "beginning of combat", "declare attackers", "declare blockers",
    "combat damage", "end of combat", "postcombat main", "end", "cleanup",
];
const MANA: [(&str, ManaType); 6] = [
    ("W", ManaType::White), ("U", ManaType::Blue), ("B", ManaType::Black), ("R", ManaType::Red), ("G", ManaType::Green),
    ("C", ManaType::Colorless),
];

fn letter(word: &str) -> &'static str {
    match word {
        "White" => "W",
        "Blue" => "U",
        "Black" => "B",
        "Red" => "R",
        "Green" => "G",
        _ => "C",
    }
}

/// Mana that was spent, as a cost. Colorless mana stands for what was generic.
fn price(spent: &[(ManaType, usize)]) -> String {
    let generic = spent.iter().find(|(kind, _)| *kind == ManaType::Colorless).map_or(0, |(_, n)| *n);
    let colored: String = MANA[..5]
        .iter()
        .flat_map(|(letter, kind)| {
            let n = spent.iter().find(|(one, _)| one == kind).map_or(0, |(_, n)| *n);
            std::iter::repeat_n(format!("{{{letter}}}"), n)
        })
        .collect();
    match (generic, colored.is_empty()) {
        (0, false) => colored,
        _ => format!("{{{generic}}}{colored}"),
    }
}

// ----------------------------------------------------------------------------------------- THE LOOKS

impl Game {
    /// What is seen now, of everything that is wanted at this look.
    fn look(&self, wants: &[Value], name: &str) -> Value {
        let (mut objects, mut players, mut table) = (Map::new(), Map::new(), json!({}));
        for want in wants.iter().filter(|want| want.text("look") == name) {
            let (of, keys) = (want.text("of"), want.texts("keys"));
            let pick = |seen: Value| -> Value {
                let Value::Object(map) = seen else { return seen };
                Value::Object(map.into_iter().filter(|(key, _)| keys.contains(&key.as_str())).collect())
            };
            if of == "table" {
                table = pick(self.seen_table());
            } else if let Ok(player) = self.player(of) {
                let mut seen = self.seen_player(player);
                if keys.contains(&"hand_size") {
                    seen["hand_size"] = self.hand_size(player);
                }
                if let Some(plays) = keys.contains(&"land_plays").then(|| self.land_plays(player)).flatten() {
                    seen["land_plays"] = json!(plays);
                }
                players.insert(of.to_string(), pick(seen));
            } else if let Some(place) = self.stack_names().iter().position(|one| one == of) {
                let entry = &self.state.stack[place];
                let seen = match (&entry.kind, self.state.objects.get(&entry.id)) {
                    (StackEntryKind::Spell { .. }, Some(object)) => self.seen_object(object),
                    _ => self.seen_entry(entry),
                };
                objects.insert(of.to_string(), pick(seen));
            } else if let Some(object) = self.ids.get(of).and_then(|id| self.state.objects.get(id)) {
                objects.insert(of.to_string(), pick(self.seen_object(object)));
            }
        }
        json!({"objects": objects, "players": players, "table": table})
    }

    fn seen_table(&self) -> Value {
        let state = &self.state;
        let step = PHASES.iter().position(|phase| *phase == state.phase).map(|at| STEPS[at]);
        let holder = self.holder().map(|player| self.player_name(player));
        let deciding = match &state.waiting_for {
            WaitingFor::Priority { .. } => None,
            other => other.acting_player().map(|player| self.player_name(player)),
        };
        let token = |id: &ObjectId| {
            let object = &state.objects[id];
            json!({"name": named_or_none(&object.name), "controller": self.player_name(object.controller)})
        };
        json!({
            "turn": self.player_name(state.active_player), "active": self.player_name(state.active_player),
            "step": step, "priority": holder, "deciding": deciding, "stack": self.stack_names(),
            "over": matches!(state.waiting_for, WaitingFor::GameOver { .. }),
            "tokens": self.tokens_now().iter().map(token).collect::<Vec<_>>(),
        })
    }

    fn seen_player(&self, id: PlayerId) -> Value {
        let player = &self.state.players[id.0 as usize];
        let names = |cards: Vec<ObjectId>| cards.into_iter().map(|id| self.name(id)).collect::<Vec<_>>();
        let exiled: Vec<ObjectId> =
            self.state.exile.iter().copied().filter(|card| self.state.objects[card].owner == id).collect();
        let pool: String = MANA.iter().flat_map(|(letter, kind)| {
            std::iter::repeat_n(format!("{{{letter}}}"), player.mana_pool.count_color(*kind))
        }).collect();
        let kinds = [PlayerCounterKind::Poison, PlayerCounterKind::Experience, PlayerCounterKind::Rad, PlayerCounterKind::Ticket];
        let mut counters: Vec<(String, u32)> =
            kinds.iter().map(|kind| (kind.to_string(), player.player_counter(kind))).collect();
        counters.push(("energy".to_string(), player.energy));
        counters.retain(|(_, n)| *n > 0);
        counters.sort();
        json!({
            "life": player.life, "hand": names(player.hand.iter().copied().collect()),
            "library_size": player.library.len(), "library_top": player.library.front().map(|id| self.name(*id)),
            "graveyard": names(player.graveyard.iter().rev().copied().collect()), "exile": names(exiled), "pool": pool,
            "lost": player.is_eliminated,
            "counters": counters.iter().map(|(kind, n)| json!({"kind": kind, "n": n})).collect::<Vec<_>>(),
        })
    }

    /// The maximum hand size, which the engine works out in the cleanup step only: so it is asked what would have to be
    /// discarded there from a hand that is larger than any maximum.
    fn hand_size(&self, id: PlayerId) -> Value {
        let mut there = self.state.clone();
        there.active_player = id;
        for number in 0..FULL_HAND {
            create_object(&mut there, CardId(1000 + number), id, "Card".to_string(), Zone::Hand);
        }
        match execute_cleanup(&mut there, &mut Vec::new()) {
            Some(W::DiscardToHandSize { count, .. }) => json!(there.players[id.0 as usize].hand.len() - count),
            _ => Value::Null,
        }
    }

    /// How many lands the player may still play. The engine has no such number: it is asked, on a copy in which the player
    /// has priority in a main phase with nothing on the stack, and plays one land after another until it refuses.
    fn land_plays(&self, id: PlayerId) -> Option<u64> {
        let mut there = self.state.clone();
        there.phase = Phase::PreCombatMain;
        for number in 0..MANY_LANDS {
            there.stack.clear();
            there.priority_player = id;
            there.waiting_for = W::Priority { player: id };
            let card_id = CardId(2000 + number);
            let land = create_object(&mut there, card_id, id, "Land".to_string(), Zone::Hand);
            let object = there.objects.get_mut(&land).expect("just made");
            object.card_types.core_types.push(CoreType::Land);
            object.base_card_types = object.card_types.clone();
            if apply(&mut there, id, GameAction::PlayLand { object_id: land, card_id }).is_err() {
                return Some(number);
            }
        }
        None
    }

    /// The subtypes that the engine's filters find. It adds every creature type to the list of a changeling on the
    /// battlefield only; its filters know of them everywhere.
    fn subtypes(&self, object: &GameObject) -> Vec<String> {
        let every = &self.state.all_creature_types;
        let found = every.iter().filter(|word| type_filter_matches(&TypeFilter::Subtype((*word).clone()), object, every));
        let all: BTreeSet<String> = object.card_types.subtypes.iter().chain(found).cloned().collect();
        all.into_iter().collect()
    }

    /// The mana value as the engine's own effects get it; none if its filters find another.
    fn mana_value(&self, object: &GameObject) -> Option<i32> {
        let number = QuantityExpr::Ref { qty: QuantityRef::ObjectManaValue { scope: ObjectScope::Source } };
        let value = resolve_quantity(&self.state, &number, object.controller, object.id);
        let equal = FilterProp::Cmc { comparator: Comparator::EQ, value: QuantityExpr::Fixed { value } };
        let filter = TargetFilter::Typed(TypedFilter::card().properties(vec![equal]));
        let context = FilterContext::from_source(&self.state, object.id);
        matches_target_filter(&self.state, object.id, &filter, &context).then_some(value)
    }

    fn seen_object(&self, object: &GameObject) -> Value {
        let on_battlefield = object.zone == Zone::Battlefield;
        let is_creature = object.card_types.core_types.contains(&CoreType::Creature);
        let combat = self.state.combat.as_ref();
        let here = |id: &ObjectId| self.state.objects.get(id).is_some_and(|one| one.zone == Zone::Battlefield);
        let attacking = combat.and_then(|combat| combat.attackers.iter().find(|one| one.object_id == object.id));
        // The engine keeps the ids of what has left the battlefield: that is gone.
        let named = |id: ObjectId| if here(&id) { self.name(id) } else { "nothing".to_string() };
        let whom = attacking.map(|one| match one.attack_target {
            AttackTarget::Player(player) => self.player_name(player).to_string(),
            AttackTarget::Planeswalker(id) | AttackTarget::Battle(id) => named(id),
        });
        let blocking = combat.and_then(|combat| combat.blocker_to_attacker.get(&object.id)).cloned().unwrap_or_default();
        let entry = self.state.stack.iter().find(|entry| entry.id == object.id);
        let mut counters: Vec<(String, u32)> =
            object.counters.iter().filter(|(_, n)| **n > 0).map(|(kind, n)| (counter_word(kind), *n)).collect();
        counters.sort();
        let mut seen = json!({
            "zone": format!("{:?}", object.zone).to_lowercase(),
            "owner": self.player_name(object.owner),
            "name": named_or_none(&object.name),
            "cost": cost_word(&object.mana_cost),
            "colors": object.color.iter().map(color_word).collect::<Vec<_>>(),
            "types": object.card_types.core_types.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "subtypes": self.subtypes(object),
            "supertypes": object.card_types.supertypes.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "loyalty": object.loyalty,
            "counters": counters.iter().map(|(kind, n)| json!({"kind": kind, "n": n})).collect::<Vec<_>>(),
            "face_down": object.face_down,
            "attached_to": match object.attached_to {
                Some(AttachTarget::Object(id)) => json!(self.name(id)),
                Some(AttachTarget::Player(player)) => json!(self.player_name(player)),
                None => Value::Null,
            },
        });
        if let Some(value) = self.mana_value(object) {
            seen["mana_value"] = json!(value);
        }
        // The engine keeps a controller everywhere, and whether what died was tapped and its damage for a while: nothing reads them.
        if on_battlefield || object.zone == Zone::Stack {
            seen["controller"] = json!(self.player_name(object.controller));
        }
        if on_battlefield {
            seen["tapped"] = json!(object.tapped);
            seen["damage"] = json!(object.damage_marked);
            seen["attacking"] = json!(whom);
            seen["blocking"] = json!(blocking.iter().map(|id| named(*id)).collect::<Vec<_>>());
        }
        // So it does with the size of a permanent that is no creature.
        for (key, number) in [("power", object.power), ("toughness", object.toughness)] {
            if !on_battlefield || is_creature || number.is_none() {
                seen[key] = json!(number);
            }
        }
        if let Some(words) = object.keywords.iter().map(keyword_word).collect::<Option<BTreeSet<String>>>() {
            seen["keywords"] = json!(words);
        }
        if let Some(entry) = entry {
            let on_stack = self.seen_entry(entry);
            // Of a cost that asks for colourless mana, the pool does not tell which part was generic.
            let asks_colorless = matches!(&object.mana_cost, ManaCost::Cost { shards, .. } if shards.contains(&ManaCostShard::Colorless));
            let told = ["kind", "targets", "paid"].into_iter().filter(|key| *key != "paid" || !asks_colorless);
            for key in told {
                seen[key] = on_stack[key].clone();
            }
        }
        seen
    }

    fn seen_entry(&self, entry: &StackEntry) -> Value {
        let targets = entry.ability().map(flatten_targets_in_chain).unwrap_or_default();
        let names: Vec<String> = targets.iter().map(|target| self.target_name(target)).collect();
        let kind = match &entry.kind {
            StackEntryKind::Spell { .. } if self.state.objects.get(&entry.id).is_some_and(|one| one.is_token) => "copy",
            StackEntryKind::Spell { .. } => "spell",
            StackEntryKind::TriggeredAbility { .. } => "triggered",
            _ => "activated",
        };
        let mut seen = json!({
            "kind": kind, "zone": "stack", "controller": self.player_name(entry.controller), "targets": names,
            "paid": self.paid.get(&entry.id),
        });
        if kind != "spell" && kind != "copy" {
            seen["source"] = json!(self.name(entry.source_id));
        }
        seen
    }
}

fn counter_word(kind: &CounterType) -> String {
    match kind {
        CounterType::Plus1Plus1 => "+1/+1".to_string(),
        CounterType::Minus1Minus1 => "-1/-1".to_string(),
        other => other.as_str().to_string(),
    }
}

fn color_word(color: &ManaColor) -> String {
    format!("{color:?}").to_lowercase()
}

/// A name; the engine gives an empty one to what has none.
fn named_or_none(name: &str) -> Option<&str> {
    Some(name).filter(|name| !name.is_empty())
}

/// A mana cost in symbols; none where there is no cost.
fn cost_word(cost: &ManaCost) -> Value {
    let ManaCost::Cost { shards, generic } = cost else { return Value::Null };
    let symbol = |shard: &ManaCostShard| {
        let letters = "WUBRGCX";
        let known = letters.chars().map(|one| one.to_string()).chain(PAIRS.iter().map(|pair| pair.to_string()));
        let mut all = known.filter(|text| text.parse().is_ok_and(|one: ManaCostShard| one == *shard));
        all.next().map(|text| format!("{{{text}}}")).unwrap_or_default()
    };
    let xs: String = shards.iter().map(symbol).filter(|one| one == "{X}").collect();
    let others: String = shards.iter().map(symbol).filter(|one| one != "{X}").collect();
    let number = if *generic > 0 || (xs.is_empty() && others.is_empty()) { format!("{{{generic}}}") } else { String::new() };
    json!(format!("{xs}{number}{others}"))
}

const PAIRS: [&str; 20] = [
    "W/U", "W/B", "U/B", "U/R", "B/R", "B/G", "R/W", "R/G", "G/W", "G/U", "2/W", "2/U", "2/B", "2/R", "2/G", "W/P", "U/P",
    "B/P", "R/P", "G/P",
];

/// A keyword as scenarios spell it; none where its argument cannot be said in one word.
fn keyword_word(keyword: &Keyword) -> Option<String> {
    let with_cost = |word: &str, cost: &ManaCost| {
        let cost = cost_word(cost);
        Some(format!("{word} {}", cost.as_str().unwrap_or("{0}")))
    };
    match keyword {
        Keyword::Protection(ProtectionTarget::Color(color)) => Some(format!("protection from {}", color_word(color))),
        Keyword::Protection(ProtectionTarget::CardType(word)) => Some(format!("protection from {}s", word.to_lowercase())),
        Keyword::Landwalk(word) => Some(format!("{}walk", word.to_lowercase())),
        Keyword::Equip(cost) => with_cost("equip", cost),
        Keyword::Morph(cost) => with_cost("morph", cost),
        Keyword::Unearth(cost) => with_cost("unearth", cost),
        Keyword::Kicker(cost) => with_cost("kicker", cost),
        Keyword::Enchant(filter) => {
            let told = serde_json::to_value(filter).unwrap_or_default();
            match (told.list("type_filters"), told.list("properties")) {
                ([Value::String(word)], []) => Some(format!("enchant {}", word.to_lowercase())),
                _ => None,
            }
        }
        other => match serde_json::to_value(other) {
            Ok(Value::String(word)) => Some(spaced(&word)),
            _ => None,
        },
    }
}

/// "FirstStrike" as "first strike".
fn spaced(word: &str) -> String {
    let mut said = String::new();
    for letter in word.chars() {
        if letter.is_uppercase() && !said.is_empty() {
            said.push(' ');
        }
        said.extend(letter.to_lowercase());
    }
    said
}

// -------------------------------------------------------------------------------------- THE PROTOCOL

/// The whole answer to a scenario.
fn play(id: &Value, scenario: &Value, cards: &mut Cards) -> Value {
    let mut seen = Seen { looks: Map::new(), tried: Map::new(), unused: Vec::new(), at: 0 };
    let stopped = match seen.played(scenario, cards) {
        Ok(()) => Value::Null,
        Err(Supported(says)) => json!({"at": seen.at, "why": "unsupported", "says": says}),
        Err(Rejected(says)) => json!({"at": seen.at, "why": "rejected", "says": says}),
        Err(Not::Stopping(says)) => json!({"at": seen.at, "why": "no stop", "says": says}),
        Err(Not::Ending(says)) => json!({"at": seen.at, "why": "loop", "says": says}),
        Err(Answered(question)) => json!({"at": seen.at, "why": "question", "question": question}),
    };
    json!({"id": id, "looks": seen.looks, "tried": seen.tried, "unused": seen.unused, "stopped": stopped})
}

/// What was seen so far.
struct Seen {
    looks: Map<String, Value>,
    tried: Map<String, Value>,
    unused: Vec<usize>,
    at: usize,
}

impl Seen {
    fn played(&mut self, scenario: &Value, cards: &mut Cards) -> Played<()> {
        let mut game = new_game(scenario, cards)?;
        let wants = scenario.list("wants");
        for (at, action) in scenario.list("script").iter().enumerate() {
            self.at = at;
            let name = action.text("name");
            match action.text("do") {
                "look" => drop(self.looks.insert(name.to_string(), game.look(wants, name))),
                "try" => {
                    game.tried = true;
                    let outcome = match game.perform(at, &action["action"]) {
                        Ok(()) => "done",
                        Err(Rejected(_)) => "rejected",
                        Err(other) => return Err(other),
                    };
                    game.tried = false;
                    self.tried.insert(name.to_string(), json!(outcome));
                }
                _ => game.perform(at, action)?,
            }
        }
        self.looks.insert("end".to_string(), game.look(wants, "end"));
        self.unused = game.waiting.iter().filter(|one| one.choice.text("do") == "choose").map(|one| one.at).collect();
        Ok(())
    }
}

thread_local! {
    /// What made the engine panic, kept for the answer.
    static PANIC: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// Answer line by line; stdout belongs to the protocol, stderr is for people.
fn talk() {
    let mut cards = Cards::default();
    std::panic::set_hook(Box::new(|info| PANIC.with(|says| *says.borrow_mut() = info.to_string())));
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let Ok(request) = serde_json::from_str::<Value>(&line) else { return };
        cards.prepare(&line);
        let answer = match request.text("say") {
            "bye" => return,
            "hello" => json!({
                "protocol": 1, "name": NAME, "version": VERSION, "edition": EDITION, "takes": ["defined"],
                "lacks": ["teams", "text change", "simultaneous entry", "owner differs"], "wants_defaults": true,
                "steps_with_priority": ["precombat main", "declare attackers", "declare blockers", "postcombat main", "end"],
            }),
            _ => {
                let once = std::panic::AssertUnwindSafe(|| play(&request["id"], &request["scenario"], &mut cards));
                std::panic::catch_unwind(once).unwrap_or_else(|_| {
                    json!({"id": request["id"], "error": PANIC.with(|says| says.borrow().clone())})
                })
            }
        };
        println!("{answer}");
        if io::stdout().flush().is_err() {
            return;
        }
    }
}

/// The engine's values are deep: it is given a large stack.
fn main() {
    let worker = std::thread::Builder::new().stack_size(64 << 20).spawn(talk).expect("a thread");
    worker.join().expect("it ends by itself");
}
