//! Plays the fixtures of mtg-conformance on this engine, each as a test of its own.
//!
//! Written by `conformance export --as rust`, which replaces it; README.md beside it explains how to run it. The
//! engine is `answer` in conformance/engine.rs: a line of the protocol in, a line out. Nothing but the standard
//! library is needed.

#[path = "conformance/engine.rs"]
mod engine;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs, panic, process, thread};

/// The stack of the thread that plays: effects nest deeply.
const STACK: usize = 256 << 20;
const LONGEST: usize = 2000;
const LIST: &str = "expected-failures.txt";
const NO_REASON: &str = "not explained yet";

fn main() {
    let playing = thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    process::exit(playing.join().unwrap_or(101));
}

// ------------------------------------------------------------------------------------- THE TESTS

/// The folder that the export wrote: fixtures, schemas, the list of expected failures.
fn folder() -> PathBuf {
    PathBuf::from(env::var("CONFORMANCE_DIR").unwrap_or_else(|_| "tests/conformance".to_string()))
}

fn file(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn data(path: &Path) -> Json {
    Json::read(&file(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What the command line asks for, as `cargo test -- …` passes it on.
struct Options {
    words: Vec<String>,
    skip: Vec<String>,
    exact: bool,
    list: bool,
    ignored: bool,
}

impl Options {
    fn read() -> Options {
        let mut options = Options { words: vec![], skip: vec![], exact: false, list: false, ignored: false };
        let mut arguments = env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--exact" => options.exact = true,
                "--list" => options.list = true,
                "--ignored" => options.ignored = true,
                "--skip" => options.skip.extend(arguments.next()),
                "--format" | "--test-threads" | "--color" | "--logfile" | "-Z" => drop(arguments.next()),
                flag if flag.starts_with('-') => {}
                word => options.words.push(word.to_string()),
            }
        }
        options
    }

    fn takes(&self, name: &str) -> bool {
        let is = |word: &String| if self.exact { name == word } else { name.contains(word.as_str()) };
        (self.words.is_empty() || self.words.iter().any(is)) && !self.skip.iter().any(|word| name.contains(word.as_str()))
    }
}

fn name_of(fixture: &Json) -> String {
    format!("{}: {}", fixture.text("id"), fixture.text("title"))
}

/// Play what is selected; returns the exit code.
fn run() -> i32 {
    let (options, folder) = (Options::read(), folder());
    let suite = Suite::read(&folder);
    let selected = suite.selected(&env::var("CONFORMANCE").unwrap_or_default());
    let selected: Vec<_> = selected.into_iter().filter(|(_, fixture)| options.takes(&name_of(fixture))).collect();
    if options.list {
        selected.iter().filter(|_| !options.ignored).for_each(|(_, fixture)| println!("{}: test", name_of(fixture)));
        return 0;
    }
    if options.ignored {
        println!("\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n");
        return 0;
    }
    let engine = Engine::asked(&suite);
    let expected = ExpectedFailures::read(&folder.join(LIST));
    let mut failures: Vec<(String, String)> = vec![];
    let mut failed = BTreeMap::new();
    let (mut passed, mut ignored) = (0, 0);
    println!("\nrunning {} tests", selected.len());
    if let Some(unknown) = expected.unknown(&suite) {
        println!("test {LIST} ... FAILED");
        failures.push((LIST.to_string(), unknown));
    }
    for (id, fixture) in &selected {
        let name = name_of(fixture);
        let verdict = engine.verdict(&suite, *id, fixture);
        if let Verdict::Failed(_) = verdict {
            failed.insert(fixture.text("id").to_string(), ());
        }
        match expected.result(fixture.text("id"), verdict) {
            TestResult::Passed => {
                passed += 1;
                println!("test {name} ... ok");
            }
            TestResult::Ignored(why) => {
                ignored += 1;
                println!("test {name} ... ignored, {}", why.lines().next().unwrap_or(""));
            }
            TestResult::Failed(why) => {
                println!("test {name} ... FAILED");
                let place = folder.join("fixtures").join(format!("{}.json", fixture.text("id")));
                failures.push((name, format!("{why}\n  scenario: {}", place.display())));
            }
        }
    }
    if env::var("CONFORMANCE_UPDATE").is_ok_and(|value| !value.is_empty()) {
        let played = selected.iter().map(|(_, fixture)| fixture.text("id").to_string()).collect();
        fs::write(folder.join(LIST), expected.updated(&suite, &played, &failed)).expect("a list that can be written");
        println!("\n{} is written", folder.join(LIST).display());
        return 0;
    }
    if !failures.is_empty() {
        println!("\nfailures:\n");
        failures.iter().for_each(|(name, why)| println!("---- {name} ----\n{why}\n"));
    }
    let word = if failures.is_empty() { "ok" } else { "FAILED" };
    let left_out = suite.fixtures.len() - selected.len();
    println!(
        "\ntest result: {word}. {passed} passed; {} failed; {ignored} ignored; 0 measured; {left_out} filtered out\n",
        failures.len()
    );
    if selected.is_empty() && options.words.is_empty() {
        println!("CONFORMANCE selects no fixture");
        return 101;
    }
    if failures.is_empty() { 0 } else { 101 }
}

/// What a fixture came to as a test.
enum TestResult {
    Passed,
    Ignored(String),
    Failed(String),
}

/// The failures that are known: a line for each, the id and then the reason.
struct ExpectedFailures {
    heading: Vec<String>,
    reasons: BTreeMap<String, String>,
}

impl ExpectedFailures {
    fn read(path: &Path) -> ExpectedFailures {
        let text = if path.exists() { file(path) } else { String::new() };
        let (heading, lines): (Vec<&str>, Vec<&str>) =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).partition(|line| line.starts_with('#'));
        let split = |line: &&str| {
            let (id, reason) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            (id.to_string(), reason.trim().to_string())
        };
        let heading = heading.into_iter().map(str::to_string).collect();
        ExpectedFailures { heading, reasons: lines.iter().map(split).collect() }
    }

    fn unknown(&self, suite: &Suite) -> Option<String> {
        let known: BTreeSet<&str> = suite.fixtures.iter().map(|fixture| fixture.text("id")).collect();
        let unknown: Vec<&str> = self.reasons.keys().map(String::as_str).filter(|id| !known.contains(id)).collect();
        (!unknown.is_empty()).then(|| format!("no fixture has these ids; remove them: {}", unknown.join(", ")))
    }

    fn result(&self, id: &str, verdict: Verdict) -> TestResult {
        let Some(reason) = self.reasons.get(id) else {
            return match verdict {
                Verdict::Passed => TestResult::Passed,
                Verdict::Failed(why) => TestResult::Failed(why),
                Verdict::Unsupported(why) => TestResult::Ignored(format!("unsupported: {why}")),
                Verdict::Disputed(why) => TestResult::Ignored(format!("disputed: {why}")),
            };
        };
        match verdict {
            Verdict::Failed(_) => TestResult::Ignored(format!("expected failure: {reason}")),
            Verdict::Passed => TestResult::Failed(format!("passes now: remove it from {LIST}")),
            Verdict::Unsupported(why) => TestResult::Failed(format!("no longer played: {why}\n  remove it from {LIST}")),
            Verdict::Disputed(why) => TestResult::Failed(format!("disputed by now: {why}\n  remove it from {LIST}")),
        }
    }

    /// The list after a run: failures that were not played stay, reasons are kept.
    fn updated(&self, suite: &Suite, played: &BTreeSet<String>, failed: &BTreeMap<String, ()>) -> String {
        let mut lines = self.heading.clone();
        for fixture in &suite.fixtures {
            let id = fixture.text("id");
            let stays = !played.contains(id) && self.reasons.contains_key(id);
            if stays || failed.contains_key(id) {
                lines.push(format!("{id} {}", self.reasons.get(id).map_or(NO_REASON, String::as_str)));
            }
        }
        lines.join("\n") + "\n"
    }
}

/// The fixtures and what judging them needs.
struct Suite {
    fixtures: Vec<Json>,
    about: Json,
    schema: Json,
}

impl Suite {
    fn read(folder: &Path) -> Suite {
        let listed = fs::read_dir(folder.join("fixtures")).unwrap_or_else(|error| {
            panic!("{}: {error}; set CONFORMANCE_DIR to the exported folder", folder.display())
        });
        let mut paths: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|suffix| suffix == "json"));
        paths.sort();
        let fixtures = paths.iter().map(|path| data(path)).collect();
        Suite { fixtures, about: data(&folder.join("suite.json")), schema: data(&folder.join("wire.schema.json")) }
    }

    /// The fixtures that CONFORMANCE names, each with its number: ids, rules, and `first`.
    fn selected(&self, words: &str) -> Vec<(usize, &Json)> {
        let first = self.about.strings("first");
        let words: Vec<&str> = words.split_whitespace().collect();
        let only_first = words.contains(&"first");
        let named = words.iter().filter(|word| **word != "first").copied().collect::<Vec<_>>();
        let is = |fixture: &Json, word: &str| {
            fixture.text("id") == word || fixture.strings("rules").iter().any(|rule| is_within(rule, word))
        };
        let takes = |fixture: &Json| {
            (!only_first || first.contains(&fixture.text("id").to_string()))
                && (named.is_empty() || named.iter().any(|word| is(fixture, word)))
        };
        self.fixtures.iter().enumerate().map(|(at, fixture)| (at + 1, fixture)).filter(|(_, one)| takes(one)).collect()
    }
}

/// Whether a rule is `whole` or part of it: 613.8b is within 613.8 and within 613.
fn is_within(rule: &str, whole: &str) -> bool {
    let Some(below) = rule.strip_prefix(whole) else { return false };
    below.is_empty() || (whole.ends_with(|c: char| c.is_ascii_digit()) && !below.starts_with(|c: char| c.is_ascii_digit()))
}

/// The engine as it introduced itself.
struct Engine {
    edition: String,
    checks_understanding: bool,
    steps_with_priority: Option<BTreeSet<String>>,
}

impl Engine {
    fn asked(suite: &Suite) -> Engine {
        let hello = format!(r#"{{"say":"hello","protocol":1,"suite":"{}"}}"#, suite.about.text("version"));
        let said = Json::read(&engine::answer(&hello)).and_then(|said| {
            suite.conforms(&said, &suite.schema.get("$defs").get("Welcome").clone(), "")?;
            Ok(said)
        });
        let said = said.unwrap_or_else(|error| panic!("the answer to hello is invalid: {error}"));
        assert!(*said.get("protocol") == Json::Number(1), "the engine speaks another protocol than 1");
        let newest = suite.about.text("edition");
        let steps = match said.get("steps_with_priority") {
            Json::List(_) => Some(said.strings("steps_with_priority").into_iter().collect()),
            _ => None,
        };
        Engine {
            edition: Some(said.text("edition")).filter(|text| !text.is_empty()).unwrap_or(newest).to_string(),
            checks_understanding: *said.get("checks_understanding") == Json::Bool(true),
            steps_with_priority: steps,
        }
    }

    /// Play a fixture and judge the answer.
    fn verdict(&self, suite: &Suite, number: usize, fixture: &Json) -> Verdict {
        let of_now = |one: &&Json| one.holds_in(&self.edition);
        if !fixture.holds_in(&self.edition) || !fixture.list("expect").iter().any(|one| of_now(&one)) {
            return Verdict::Unsupported(format!("nothing is expected in the edition {}", self.edition));
        }
        let scenario = fixture.get("play");
        let request = format!(r#"{{"say":"play","id":{number},"scenario":{scenario}}}"#);
        let said = match panic::catch_unwind(|| engine::answer(&request)) {
            Ok(said) => said,
            Err(cause) => {
                let says = cause.downcast_ref::<String>().cloned();
                let says = says.or_else(|| cause.downcast_ref::<&str>().map(|text| text.to_string()));
                return Verdict::Failed(format!("crash: it panicked: {}", says.unwrap_or_default()));
            }
        };
        judged(&Judging { suite, engine: self, fixture, number }, &said)
    }
}

// ------------------------------------------------------------------------------------ THE VERDICT

/// What we make of an answer.
enum Verdict {
    Passed,
    Failed(String),
    Unsupported(String),
    Disputed(String),
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Outcome {
    Fail,
    Unsupported,
    Pass,
}

/// One expectation, or a stop, and what was observed. `at` is its place in the script.
struct Part {
    at: usize,
    outcome: Outcome,
    about: String,
    when: String,
    key: String,
    expected: String,
    observed: String,
    because: String,
}

impl Part {
    fn lines(&self) -> String {
        let because = if self.because.is_empty() { String::new() } else { format!("\n    because   {}", self.because) };
        let what = format!("  {}, {}: {}", self.about, self.when, self.key);
        format!("{what}\n    expected  {}\n    observed  {}{because}", self.expected, self.observed)
    }
}

struct Judging<'a> {
    suite: &'a Suite,
    engine: &'a Engine,
    fixture: &'a Json,
    number: usize,
}

fn judged(of: &Judging, said: &str) -> Verdict {
    let answer = match Json::read(said).and_then(|answer| of.checked(answer)) {
        Ok(answer) => answer,
        Err(error) => return Verdict::Failed(format!("protocol: {error}")),
    };
    if let Json::Text(says) = answer.get("error") {
        return Verdict::Failed(format!("crash: the engine says: {}", shortened(says)));
    }
    let stopped = answer.get("stopped");
    let length = of.fixture.get("play").list("script").len();
    let inside = stopped.is_null() || (0..length.max(1) as i64).contains(&stopped.number("at"));
    let verdict = if stopped.text("why") == "unsupported" && answer.get("looks").is_empty() && inside {
        Verdict::Unsupported(shortened(stopped.text("says")))
    } else if !inside {
        let at = stopped.number("at");
        return Verdict::Failed(format!("protocol: stopped at action {at}, but the script has {length}"));
    } else if let Some(missing) = of.missing(&answer) {
        return Verdict::Failed(format!("protocol: {missing}"));
    } else {
        of.worst(of.parts(&answer), &answer)
    };
    if of.fixture.text("disputed").is_empty() {
        return verdict;
    }
    let word = match verdict {
        Verdict::Passed => "it passes",
        Verdict::Failed(_) => "it fails",
        _ => "it is unsupported",
    };
    Verdict::Disputed(format!("{}; {word}", of.fixture.text("disputed")))
}

impl Judging<'_> {
    fn checked(&self, answer: Json) -> Result<Json, String> {
        self.suite.conforms(&answer, &self.suite.schema.get("$defs").get("Answer").clone(), "")?;
        if answer.number("id") != self.number as i64 {
            return Err(format!("the answer has the id {}, not {}", answer.number("id"), self.number));
        }
        Ok(answer)
    }

    fn script(&self) -> &[Json] {
        self.fixture.get("play").list("script")
    }

    /// Places in the script of looks and tries; the look `end` comes last.
    fn places(&self) -> BTreeMap<(&str, &str), usize> {
        let mut found = BTreeMap::from([(("look", "end"), self.script().len())]);
        for (at, action) in self.script().iter().enumerate() {
            match action.text("do") {
                "look" => found.insert(("look", action.text("name")), at),
                "try" => found.insert(("tried", action.text("name")), at),
                _ => None,
            };
        }
        found
    }

    fn stop(&self, answer: &Json) -> usize {
        let stopped = answer.get("stopped");
        if stopped.is_null() { usize::MAX } else { stopped.number("at") as usize }
    }

    /// A look or an outcome that the answer had to have.
    fn missing(&self, answer: &Json) -> Option<String> {
        let stop = self.stop(answer);
        self.places().into_iter().find_map(|((kind, name), at)| {
            let of = answer.get(if kind == "look" { "looks" } else { "tried" });
            let lacks = at < stop && of.get(name).is_null();
            lacks.then(|| format!("{} {name}", if kind == "look" { "missing look" } else { "no outcome of the try" }))
        })
    }

    fn parts(&self, answer: &Json) -> Vec<Part> {
        let (places, stop) = (self.places(), self.stop(answer));
        let mut parts = vec![];
        for expected in self.fixture.list("expect").iter().filter(|one| one.holds_in(&self.engine.edition)) {
            let (about, key, look) = (expected.text("about"), expected.text("key"), expected.text("look"));
            let at = places[&if key == "tried" { ("tried", about) } else { ("look", look) }];
            let seen = if key == "tried" { answer.get("tried").find(about) } else { self.seen(answer, expected).find(key) };
            let (outcome, observed) = match seen {
                _ if at >= stop => (Outcome::Unsupported, "not reached".to_string()),
                None => (Outcome::Unsupported, "not reported".to_string()),
                Some(seen) if self.agrees(expected.get("test"), key, seen) => (Outcome::Pass, seen.to_string()),
                Some(seen) => (Outcome::Fail, seen.to_string()),
            };
            let when = match look {
                "end" if self.script().is_empty() => "after setup".to_string(),
                "end" => "at the end".to_string(),
                look => format!("at {look}"),
            };
            parts.push(Part {
                at, outcome, about: about.to_string(), when, key: key.to_string(), expected: in_words(expected.get("test")),
                observed: shortened(&observed), because: expected.text("because").to_string(),
            });
        }
        if stop != usize::MAX {
            parts.insert(0, self.part_of_stop(stop, answer.get("stopped")));
        }
        self.adjusted(parts, answer)
    }

    /// The table, player or object of an expectation, as observed.
    fn seen<'a>(&self, answer: &'a Json, expected: &Json) -> &'a Json {
        let snapshot = answer.get("looks").get(expected.text("look"));
        let about = expected.text("about");
        let is_player = |player: &Json| player.text("id") == about || player.text("team") == about;
        match about {
            "table" => snapshot.get("table"),
            _ if self.fixture.get("play").list("players").iter().any(is_player) => snapshot.get("players").get(about),
            _ => snapshot.get("objects").get(about),
        }
    }

    fn part_of_stop(&self, at: usize, stopped: &Json) -> Part {
        let (why, question) = (stopped.text("why"), stopped.text("question"));
        let rules = self.suite.about.get("rules_of_choice").strings(kind_of_question(question));
        let cited: Vec<String> =
            rules.into_iter().filter(|rule| why == "question" && self.fixture.strings("rules").contains(rule)).collect();
        let fails = matches!(why, "rejected" | "loop") || !cited.is_empty();
        let asked = if why == "question" { format!(" {question}") } else { String::new() };
        let says = if stopped.text("says").is_empty() { String::new() } else { format!(": {}", stopped.text("says")) };
        Part {
            at,
            outcome: if fails { Outcome::Fail } else { Outcome::Unsupported },
            about: format!("script[{at}]"),
            when: self.script().get(at).map_or("as things entered".to_string(), |action| {
                let of = if action.text("do") == "try" { action.get("action") } else { action };
                format!("{} {}", of.text("do"), of.text("what")).trim_end().to_string()
            }),
            key: "stopped".to_string(),
            expected: "goes on".to_string(),
            observed: shortened(&format!("{why}{asked}{says}")),
            because: if cited.is_empty() { String::new() } else { format!("the choice is that of CR {}", cited.join(", ")) },
        }
    }

    /// The parts, adjusted for an engine that declares steps in which it gives no priority.
    fn adjusted(&self, mut parts: Vec<Part>, answer: &Json) -> Vec<Part> {
        let (Some(steps), Json::Object(tested)) = (&self.engine.steps_with_priority, self.suite.about.get("steps_tested_by")) else {
            return parts;
        };
        let without: BTreeMap<&String, &Json> = tested.iter().filter(|(step, _)| !steps.contains(*step)).collect();
        if without.values().any(|id| **id == Json::Text(self.fixture.text("id").to_string())) {
            let stops = parts.iter_mut().filter(|part| part.key == "stopped" && part.observed.starts_with("no stop"));
            stops.for_each(|part| part.outcome = Outcome::Fail);
            return parts;
        }
        let places = self.places();
        let mut passed_by: Vec<(usize, String)> = vec![];
        for expected in self.fixture.list("expect").iter().filter(|one| one.holds_in(&self.engine.edition)) {
            let (look, test) = (expected.text("look"), expected.get("test"));
            let step = test.text("value").to_string();
            let is_step = expected.text("key") == "step" && test.text("test") == "equals" && without.contains_key(&step);
            if is_step && answer.get("looks").get(look).get("table").text("step") != step {
                passed_by.push((places[&("look", look)], step));
            }
        }
        if let Some(action) = self.script().get(self.stop(answer)) {
            if action.text("do") == "advance" && without.contains_key(&action.text("to").to_string()) {
                passed_by.push((self.stop(answer), action.text("to").to_string()));
            }
        }
        if let Some((first, step)) = passed_by.into_iter().min_by_key(|(at, _)| *at) {
            for part in parts.iter_mut().filter(|part| part.outcome == Outcome::Fail && part.at >= first) {
                part.outcome = Outcome::Unsupported;
                part.observed += &format!("; it gives no priority in {step}");
            }
        }
        parts
    }

    /// The verdict of the worst part. Reading a card's text does not prove that the engine understood it.
    fn worst(&self, parts: Vec<Part>, answer: &Json) -> Verdict {
        let (fixture, failures) = (self.fixture, parts.iter().filter(|part| part.outcome == Outcome::Fail).collect::<Vec<_>>());
        let missing = parts.iter().find(|part| part.outcome == Outcome::Unsupported);
        if failures.is_empty() {
            return missing.map_or(Verdict::Passed, |one| {
                Verdict::Unsupported(format!("{}, {}: {} {}", one.about, one.when, one.key, one.observed))
            });
        }
        let names = fixture.get("play").list("cards").iter().map(|card| card.get("definition").text("name"));
        let read: BTreeSet<&str> = names.filter(|name| answer.get("cards").text(name) == "text").collect();
        if !read.is_empty() && !self.engine.checks_understanding {
            let read: Vec<&str> = read.into_iter().collect();
            return Verdict::Unsupported(format!("not known whether the card was understood: {}", read.join(", ")));
        }
        let heading = format!("{} (CR {})", name_of(fixture), fixture.strings("rules").join(", "));
        let lines: Vec<String> = failures.iter().map(|part| part.lines()).collect();
        Verdict::Failed(format!("{heading}\n{}", lines.join("\n")))
    }

    /// Whether an observed value passes a test.
    fn agrees(&self, test: &Json, key: &str, seen: &Json) -> bool {
        let several = matches!(seen, Json::List(_));
        match test.text("test") {
            "equals" => self.is_value(test.get("value"), key, seen),
            "one_of" => test.list("values").iter().any(|one| self.is_value(one.get("value"), key, seen)),
            "has" => several && test.list("values").iter().all(|value| self.has(value, key, seen)),
            "lacks" => several && !test.list("values").iter().any(|value| self.has(value, key, seen)),
            "any_order" => several && bag(test.get("values")) == bag(&self.without_doubles(key, seen)),
            "count" => test.number("n") == number_of_tokens(test, seen),
            other => panic!("the harness is older than the fixtures: no test {other}"),
        }
    }

    fn is_value(&self, value: &Json, key: &str, seen: &Json) -> bool {
        match (value, seen) {
            (Json::List(_), Json::List(_)) if self.suite.about.strings("lists").contains(&key.to_string()) => value == seen,
            (Json::List(_), Json::List(_)) if key == "subtypes" => self.one_word(value) == self.one_word(seen),
            (Json::List(_), Json::List(_)) => bag(value) == bag(&self.without_doubles(key, seen)),
            _ => value == seen,
        }
    }

    fn has(&self, value: &Json, key: &str, seen: &Json) -> bool {
        let Json::Text(word) = value else { return false };
        if key != "subtypes" {
            return seen.list("").contains(value);
        }
        let words = self.one_word(seen);
        let all = self.suite.about.text("all_creature_types");
        words.contains(word) || (words.contains(all) && self.may_be_creature_type(word))
    }

    fn without_doubles(&self, key: &str, seen: &Json) -> Json {
        if !self.suite.about.strings("sets").contains(&key.to_string()) {
            return seen.clone();
        }
        Json::List(seen.list("").iter().map(Json::to_string).collect::<BTreeSet<_>>().iter().map(|one| Json::read(one).expect("JSON")).collect())
    }

    fn may_be_creature_type(&self, word: &str) -> bool {
        !self.suite.about.strings("other_subtypes").contains(&word.to_string())
    }

    /// The subtypes, with a full list of creature types replaced by one word.
    fn one_word(&self, subtypes: &Json) -> BTreeSet<String> {
        let words: BTreeSet<String> = subtypes.strings("").into_iter().collect();
        let all = self.suite.about.text("all_creature_types");
        let (creature, mut others): (BTreeSet<String>, BTreeSet<String>) =
            words.iter().cloned().partition(|word| self.may_be_creature_type(word));
        if !words.contains(all) && (creature.len() as i64) < self.suite.about.number("full_list") {
            return words;
        }
        others.insert(all.to_string());
        others
    }
}

/// The kind of choice in a question: `alice must choose timestamps for …`, or just `timestamps …`.
fn kind_of_question(question: &str) -> &str {
    let line = question.split('\n').next().unwrap_or("");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = |from: usize| &line[from..from + line[from..].find(|c| !is_word(c)).unwrap_or(line.len() - from)];
    let starts = line.match_indices("must choose ").filter(|(at, _)| !line[..*at].ends_with(is_word));
    let words = starts.map(|(at, begin)| word(at + begin.len())).filter(|word| !word.is_empty());
    words.last().unwrap_or_else(|| word(0))
}

fn bag(values: &Json) -> Vec<String> {
    let mut found: Vec<String> = values.list("").iter().map(Json::to_string).collect();
    found.sort();
    found
}

fn number_of_tokens(test: &Json, seen: &Json) -> i64 {
    let plain = |name: &str| name.strip_suffix(" Token").unwrap_or(name).to_string();
    let is = |token: &&Json| {
        matches!(token.get("name"), Json::Text(name) if plain(name) == plain(test.text("name")))
            && (test.get("controller").is_null() || test.get("controller") == token.get("controller"))
    };
    seen.list("").iter().filter(is).count() as i64
}

fn in_words(test: &Json) -> String {
    let values = test.get("values");
    match test.text("test") {
        "equals" => test.get("value").to_string(),
        "one_of" => values.list("").iter().map(|one| one.get("value").to_string()).collect::<Vec<_>>().join(" or "),
        "has" => format!("{values} among others"),
        "lacks" => format!("none of {values}"),
        "any_order" => format!("{values} in any order"),
        _ => format!("{} tokens named {}", test.number("n"), test.text("name")),
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST { text.to_string() } else { text.chars().take(LONGEST).chain(" …".chars()).collect() }
}

// ----------------------------------------------------------------------------- JSON AND ITS SCHEMA

impl Suite {
    /// Check a value against a schema, as far as wire.schema.json uses the language of schemas.
    fn conforms(&self, value: &Json, schema: &Json, at: &str) -> Result<(), String> {
        let name = schema.text("$ref");
        if !name.is_empty() {
            return self.conforms(value, self.schema.get("$defs").get(name.trim_start_matches("#/$defs/")), at);
        }
        let wrong = |what: &str| Err(format!("{}: {what}, not {}", if at.is_empty() { "the answer" } else { at }, shortened(&value.to_string())));
        if !schema.list("anyOf").is_empty() {
            let tried: Vec<_> = schema.list("anyOf").iter().map(|one| self.conforms(value, one, at)).collect();
            return tried.iter().find(|one| one.is_ok()).unwrap_or(&tried[0]).clone();
        }
        if !schema.list("enum").is_empty() && !schema.list("enum").contains(value) {
            return wrong(&format!("expected one of {}", schema.get("enum")));
        }
        match (schema.text("type"), value) {
            ("", _) | ("integer", Json::Number(_)) | ("string", Json::Text(_)) => Ok(()),
            ("boolean", Json::Bool(_)) | ("null", Json::Null) => Ok(()),
            ("array", Json::List(values)) => {
                values.iter().try_for_each(|one| self.conforms(one, schema.get("items"), &format!("{at}[]")))
            }
            ("object", Json::Object(map)) => {
                if let Some(key) = schema.strings("required").iter().find(|key| !map.contains_key(*key)) {
                    return Err(format!("{at}: the key {key} is missing"));
                }
                map.iter().try_for_each(|(key, inner)| {
                    let place = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                    match (schema.get("properties").find(key), schema.get("additionalProperties")) {
                        (Some(of), _) => self.conforms(inner, of, &place),
                        (None, Json::Bool(false)) => Err(format!("{place}: there is no such key")),
                        (None, of) => self.conforms(inner, of, &place),
                    }
                })
            }
            (kind, _) => wrong(&format!("expected {kind}")),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Json {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

const NOTHING: &Json = &Json::Null;

impl Json {
    /// The value under a key, if the key is there.
    fn find(&self, key: &str) -> Option<&Json> {
        if let Json::Object(map) = self { map.get(key) } else { None }
    }

    /// The value under a key; null if it is not there.
    fn get(&self, key: &str) -> &Json {
        self.find(key).unwrap_or(NOTHING)
    }

    fn text(&self, key: &str) -> &str {
        if let Json::Text(value) = self.get(key) { value } else { "" }
    }

    fn number(&self, key: &str) -> i64 {
        if let Json::Number(value) = self.get(key) { *value } else { 0 }
    }

    /// The list under a key; with no key the list itself.
    fn list(&self, key: &str) -> &[Json] {
        if let Json::List(values) = if key.is_empty() { self } else { self.get(key) } { values } else { &[] }
    }

    fn strings(&self, key: &str) -> Vec<String> {
        self.list(key).iter().filter_map(|one| if let Json::Text(text) = one { Some(text.clone()) } else { None }).collect()
    }

    fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }

    fn is_empty(&self) -> bool {
        !matches!(self, Json::Object(map) if !map.is_empty())
    }

    /// Whether a fixture or an expectation counts in an edition.
    fn holds_in(&self, edition: &str) -> bool {
        let (holds, until) = (self.get("holds"), self.get("holds").text("until"));
        holds.text("since") <= edition && (until.is_empty() || edition < until)
    }

    /// The value in a text that has nothing else.
    fn read(text: &str) -> Result<Json, String> {
        let mut reader = Reader { rest: text.trim(), depth: 0 };
        let value = reader.value()?;
        if reader.rest.trim_start().is_empty() { Ok(value) } else { reader.error("something follows the value") }
    }
}

impl std::fmt::Display for Json {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Json::Null => write!(out, "null"),
            Json::Bool(value) => write!(out, "{value}"),
            Json::Number(value) => write!(out, "{value}"),
            Json::Text(value) => write!(out, "{}", quoted(value)),
            Json::List(values) => write!(out, "[{}]", values.iter().map(Json::to_string).collect::<Vec<_>>().join(",")),
            Json::Object(map) => {
                let pairs = map.iter().map(|(key, value)| format!("{}:{value}", quoted(key)));
                write!(out, "{{{}}}", pairs.collect::<Vec<_>>().join(","))
            }
        }
    }
}

fn quoted(value: &str) -> String {
    let mut out = String::from('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Reads JSON from what is left of a text.
struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn error<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("not JSON: {what} at {:?}", self.rest.chars().take(40).collect::<String>()))
    }

    /// Take a sign if it comes next.
    fn takes(&mut self, sign: char) -> bool {
        self.rest = self.rest.trim_start();
        let Some(rest) = self.rest.strip_prefix(sign) else { return false };
        self.rest = rest;
        true
    }

    fn value(&mut self) -> Result<Json, String> {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with('"') {
            return Ok(Json::Text(self.string()?));
        }
        self.depth += 1;
        if self.depth > 200 {
            return self.error("nested too deeply");
        }
        let value = if self.takes('{') {
            let mut map = BTreeMap::new();
            while !self.takes('}') {
                if !map.is_empty() && !self.takes(',') {
                    return self.error("a comma is missing");
                }
                let key = self.string()?;
                if !self.takes(':') {
                    return self.error("a colon is missing");
                }
                let inner = self.value()?;
                if map.insert(key, inner).is_some() {
                    return self.error("a key is given twice");
                }
            }
            Json::Object(map)
        } else if self.takes('[') {
            let mut list = vec![];
            while !self.takes(']') {
                if !list.is_empty() && !self.takes(',') {
                    return self.error("a comma is missing");
                }
                list.push(self.value()?);
            }
            Json::List(list)
        } else {
            let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(self.rest.len());
            let word = &self.rest[..end];
            let value = match word {
                "null" => Json::Null,
                "true" => Json::Bool(true),
                "false" => Json::Bool(false),
                _ => match word.parse() {
                    Ok(number) if word.len() <= 15 && !word.starts_with('+') => Json::Number(number),
                    _ => return self.error("no value, or no whole number"),
                },
            };
            self.rest = &self.rest[end..];
            value
        };
        self.depth -= 1;
        Ok(value)
    }

    fn string(&mut self) -> Result<String, String> {
        if !self.takes('"') {
            return self.error("a string is missing");
        }
        let mut found = String::new();
        let mut units: Vec<u16> = vec![];
        let mut signs = self.rest.char_indices();
        while let Some((at, c)) = signs.next() {
            let escape = if c == '\\' { signs.next().map_or(' ', |(_, c)| c) } else { '\0' };
            if escape == 'u' {
                let digits: String = signs.by_ref().take(4).map(|(_, c)| c).collect();
                let Ok(unit) = u16::from_str_radix(&digits, 16) else { return self.error("no such escape") };
                units.push(unit);
                continue;
            }
            found += &String::from_utf16_lossy(&std::mem::take(&mut units));
            match (c, escape) {
                ('"', _) => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(found);
                }
                ('\\', 'n') => found.push('\n'),
                ('\\', 't') => found.push('\t'),
                ('\\', 'r') => found.push('\r'),
                ('\\', 'b') => found.push('\u{8}'),
                ('\\', 'f') => found.push('\u{c}'),
                ('\\', '"' | '\\' | '/') => found.push(escape),
                ('\\', _) => return self.error("no such escape"),
                (c, _) if c < ' ' => return self.error("a control character in a string"),
                (c, _) => found.push(c),
            }
        }
        self.error("a string without its end")
    }
}
