import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;

/**
 * Plays the fixtures of mtg-conformance on this engine, each as a test of its own.
 *
 * Written by {@code conformance export}, which replaces it; README.md beside the fixtures explains how to run it. The
 * engine is {@code ConformanceEngine.answer}: a line of the protocol in, a line out. Nothing but JUnit 5 is needed.
 */
class ConformanceTest {
    /** The stack of the thread that plays: effects nest deeply. */
    private static final long STACK = 256L << 20;
    private static final int LONGEST = 2000;
    private static final String LIST = "expected-failures.txt";
    private static final String NO_REASON = "not explained yet";

    // ----------------------------------------------------------------------------------- THE TESTS

    /** Every selected fixture, grouped by the chapter of its first rule. */
    @TestFactory
    Collection<DynamicNode> fixtures() {
        String words = Objects.requireNonNullElse(System.getenv("CONFORMANCE"), "");
        Suite suite = new Suite(folder());
        List<Fixture> selected = suite.selected(words);
        if (selected.isEmpty()) throw new IllegalArgumentException("CONFORMANCE selects no fixture: " + words);
        Engine engine = new Engine(suite);
        ExpectedFailures expected = new ExpectedFailures(folder().resolve(LIST));
        String update = System.getenv("CONFORMANCE_UPDATE");
        if (update != null && !update.isEmpty()) {
            return List.of(dynamicTest("write " + LIST, () -> expected.write(suite, engine, selected)));
        }
        List<DynamicNode> nodes = new ArrayList<>();
        if (!expected.unknown(suite).isEmpty()) {
            nodes.add(dynamicTest(LIST, () -> fail("no fixture has these ids; remove them: " + expected.unknown(suite))));
        }
        Map<String, List<DynamicTest>> chapters = new TreeMap<>();
        for (Fixture fixture : selected) {
            chapters.computeIfAbsent(fixture.chapter(), chapter -> new ArrayList<>())
                .add(dynamicTest(fixture.name(), () -> expected.report(fixture, engine.verdict(suite, fixture))));
        }
        chapters.forEach((chapter, tests) -> nodes.add(dynamicContainer("CR " + chapter, tests)));
        return nodes;
    }

    /** The folder that the export wrote: fixtures, schemas, the list of expected failures. */
    private static Path folder() {
        return Path.of(Objects.requireNonNullElse(System.getenv("CONFORMANCE_DIR"), "src/test/resources/conformance"));
    }

    private static String file(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException error) {
            throw new UncheckedIOException("set CONFORMANCE_DIR to the folder with " + path, error);
        }
    }

    /** A fixture, and its number among all. */
    private record Fixture(int number, Map<String, Object> data, Path path) {
        String id() {
            return text(data, "id");
        }

        String name() {
            return id() + ": " + text(data, "title");
        }

        String chapter() {
            List<String> rules = strings(data, "rules");
            return rules.isEmpty() ? "none" : rules.get(0).split("\\.")[0];
        }

        Map<String, Object> play() {
            return map(data, "play");
        }

        List<Map<String, Object>> script() {
            return maps(play(), "script");
        }

        List<Map<String, Object>> expectations(String edition) {
            return maps(data, "expect").stream().filter(one -> holds(one, edition)).collect(Collectors.toList());
        }
    }

    /** The failures that are known: a line for each, the id and then the reason. */
    private static final class ExpectedFailures {
        private final Path path;
        private final List<String> heading = new ArrayList<>();
        private final Map<String, String> reasons = new TreeMap<>();

        ExpectedFailures(Path path) {
            this.path = path;
            for (String line : Files.exists(path) ? file(path).split("\\R") : new String[0]) {
                String[] words = line.trim().split("\\s+", 2);
                if (line.trim().startsWith("#")) heading.add(line.trim());
                else if (!words[0].isEmpty()) reasons.put(words[0], words.length > 1 ? words[1] : "");
            }
        }

        Set<String> unknown(Suite suite) {
            Set<String> unknown = new TreeSet<>(reasons.keySet());
            suite.fixtures.forEach(fixture -> unknown.remove(fixture.id()));
            return unknown;
        }

        void report(Fixture fixture, Verdict verdict) {
            boolean listed = reasons.containsKey(fixture.id());
            String why = verdict.why();
            switch (verdict.kind()) {
                case PASSED -> {
                    if (listed) fail("passes now: remove it from " + LIST);
                }
                case FAILED -> {
                    if (listed) throw new TestAbortedException("expected failure: " + reasons.get(fixture.id()));
                    fail(why + "\n  scenario: " + fixture.path());
                }
                default -> {
                    String word = verdict.kind() == Kind.DISPUTED ? "disputed" : "unsupported";
                    if (listed) fail("no longer played, " + word + ": " + why + "\n  remove it from " + LIST);
                    throw new TestAbortedException(word + ": " + why);
                }
            }
        }

        /** Play everything, then write the list: failures that were not played stay, reasons are kept. */
        void write(Suite suite, Engine engine, List<Fixture> selected) throws IOException {
            Set<String> played = selected.stream().map(Fixture::id).collect(Collectors.toSet());
            Set<String> failed = selected.stream().filter(one -> engine.verdict(suite, one).kind() == Kind.FAILED)
                .map(Fixture::id).collect(Collectors.toSet());
            List<String> lines = new ArrayList<>(heading);
            for (Fixture fixture : suite.fixtures) {
                String id = fixture.id();
                boolean stays = !played.contains(id) && reasons.containsKey(id);
                if (stays || failed.contains(id)) lines.add(id + " " + reasons.getOrDefault(id, NO_REASON));
            }
            Files.writeString(path, String.join("\n", lines) + "\n");
        }
    }

    /** The fixtures and what judging them needs. */
    private static final class Suite {
        final List<Fixture> fixtures = new ArrayList<>();
        final Map<String, Object> about;
        final Map<String, Object> definitions;
        final Set<String> lists;
        final Set<String> sets;
        final Set<String> otherSubtypes;

        Suite(Path folder) {
            about = data(folder.resolve("suite.json"));
            definitions = map(data(folder.resolve("wire.schema.json")), "$defs");
            lists = new HashSet<>(strings(about, "lists"));
            sets = new HashSet<>(strings(about, "sets"));
            otherSubtypes = new HashSet<>(strings(about, "other_subtypes"));
            try (Stream<Path> listed = Files.list(folder.resolve("fixtures"))) {
                for (Path path : listed.filter(one -> one.toString().endsWith(".json")).sorted().collect(Collectors.toList())) {
                    fixtures.add(new Fixture(fixtures.size() + 1, data(path), path));
                }
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }

        private static Map<String, Object> data(Path path) {
            try {
                return asMap(new Reader(file(path)).whole());
            } catch (BadAnswer error) {
                throw new IllegalArgumentException(path + ": " + error.getMessage(), error);
            }
        }

        /** The fixtures that CONFORMANCE names: by ids, rules, and {@code first}. */
        List<Fixture> selected(String words) {
            Set<String> named = Arrays.stream(words.trim().split("\\s+")).filter(word -> !word.isEmpty()).collect(Collectors.toSet());
            Set<String> first = new HashSet<>(strings(about, "first"));
            boolean onlyFirst = named.remove("first");
            return fixtures.stream()
                .filter(one -> !onlyFirst || first.contains(one.id()))
                .filter(one -> named.isEmpty() || named.contains(one.id()) || strings(one.data(), "rules").stream()
                    .anyMatch(rule -> named.stream().anyMatch(whole -> isWithin(rule, whole))))
                .collect(Collectors.toList());
        }

        /** Check a value against a schema, as far as wire.schema.json uses the language of schemas. */
        void check(Object value, Map<String, Object> schema, String at) throws BadAnswer {
            if (schema.containsKey("$ref")) {
                check(value, map(definitions, text(schema, "$ref").replace("#/$defs/", "")), at);
                return;
            }
            if (schema.containsKey("anyOf")) {
                BadAnswer first = null;
                for (Map<String, Object> one : maps(schema, "anyOf")) {
                    try {
                        check(value, one, at);
                        return;
                    } catch (BadAnswer error) {
                        first = first == null ? error : first;
                    }
                }
                throw first;
            }
            String kind = text(schema, "type");
            boolean allowed = !schema.containsKey("enum") || list(schema, "enum").contains(value);
            boolean fits = switch (kind) {
                case "" -> true;
                case "integer" -> value instanceof Long;
                case "string" -> value instanceof String;
                case "boolean" -> value instanceof Boolean;
                case "null" -> value == null;
                case "array" -> value instanceof List;
                case "object" -> value instanceof Map;
                default -> throw new IllegalArgumentException("the harness is older than the schema: " + kind);
            };
            if (!allowed || !fits) {
                String expected = allowed ? kind : "one of " + written(schema.get("enum"));
                throw new BadAnswer((at.isEmpty() ? "the answer" : at) + ": expected " + expected + ", not " + shortened(written(value)));
            }
            if (value instanceof List<?> several) {
                for (Object one : several) check(one, map(schema, "items"), at + "[]");
            }
            if (value instanceof Map) {
                Map<String, Object> found = asMap(value);
                for (String key : strings(schema, "required")) {
                    if (!found.containsKey(key)) throw new BadAnswer(at + ": the key " + key + " is missing");
                }
                for (Map.Entry<String, Object> one : found.entrySet()) {
                    String place = at.isEmpty() ? one.getKey() : at + "." + one.getKey();
                    if (map(schema, "properties").containsKey(one.getKey())) {
                        check(one.getValue(), map(map(schema, "properties"), one.getKey()), place);
                    } else if (Boolean.FALSE.equals(schema.get("additionalProperties"))) {
                        throw new BadAnswer(place + ": there is no such key");
                    } else {
                        check(one.getValue(), map(schema, "additionalProperties"), place);
                    }
                }
            }
        }
    }

    /** Whether a rule is {@code whole} or part of it: 613.8b is within 613.8 and within 613. */
    private static boolean isWithin(String rule, String whole) {
        if (!rule.startsWith(whole)) return false;
        String below = rule.substring(whole.length());
        return below.isEmpty() || (Character.isDigit(whole.charAt(whole.length() - 1)) && !Character.isDigit(below.charAt(0)));
    }

    private static boolean holds(Map<String, Object> one, String edition) {
        String since = text(map(one, "holds"), "since");
        String until = text(map(one, "holds"), "until");
        return since.compareTo(edition) <= 0 && (until.isEmpty() || edition.compareTo(until) < 0);
    }

    /** The engine as it introduced itself. */
    private static final class Engine {
        final String edition;
        final boolean checksUnderstanding;
        /** The only steps with priority; null for those of the rules. */
        final Set<String> stepsWithPriority;

        Engine(Suite suite) {
            try {
                String hello = "{\"say\":\"hello\",\"protocol\":1,\"suite\":" + quoted(text(suite.about, "version")) + "}";
                Map<String, Object> said = asMap(new Reader(answerTo(hello)).whole());
                suite.check(said, map(suite.definitions, "Welcome"), "");
                if (!said.get("protocol").equals(1L)) throw new BadAnswer("another protocol than 1");
                edition = said.get("edition") == null ? text(suite.about, "edition") : text(said, "edition");
                checksUnderstanding = Boolean.TRUE.equals(said.get("checks_understanding"));
                stepsWithPriority = said.get("steps_with_priority") == null ? null : new HashSet<>(strings(said, "steps_with_priority"));
            } catch (BadAnswer | ExecutionException error) {
                throw new IllegalStateException("the answer to hello is invalid: " + error.getMessage(), error);
            }
        }

        /** The engine's answer, from a thread with a large stack. It has the name of the one it replaces: engines ask for that. */
        private static String answerTo(String line) throws ExecutionException {
            FutureTask<String> asked = new FutureTask<>((Callable<String>) () -> ConformanceEngine.answer(line));
            Thread thread = new Thread(null, asked, "main", STACK);
            thread.start();
            try {
                return asked.get();
            } catch (InterruptedException error) {
                thread.interrupt();
                Thread.currentThread().interrupt();
                throw new ExecutionException(error);
            }
        }

        /** Play a fixture and judge the answer. */
        Verdict verdict(Suite suite, Fixture fixture) {
            if (!holds(fixture.data(), edition) || fixture.expectations(edition).isEmpty()) {
                return new Verdict(Kind.UNSUPPORTED, "nothing is expected in the edition " + edition);
            }
            String request = "{\"say\":\"play\",\"id\":" + fixture.number() + ",\"scenario\":" + written(fixture.play()) + "}";
            try {
                return new Judging(suite, this, fixture).verdict(answerTo(request));
            } catch (ExecutionException error) {
                Throwable cause = error.getCause();
                StackTraceElement[] trace = cause.getStackTrace();
                return new Verdict(Kind.FAILED, "crash: " + cause + (trace.length > 0 ? " at " + trace[0] : ""));
            }
        }
    }

    // --------------------------------------------------------------------------------- THE VERDICT

    private enum Kind { PASSED, FAILED, UNSUPPORTED, DISPUTED }

    /** What we make of an answer. */
    private record Verdict(Kind kind, String why) { }

    private enum Outcome { FAIL, UNSUPPORTED, PASS }

    /** One expectation, or a stop, and what was observed; {@code at} is its place in the script. */
    private record Part(int at, Outcome outcome, String about, String when, String key, String expected, String observed, String because) {
        Part as(Outcome other, String note) {
            return new Part(at, other, about, when, key, expected, observed + note, because);
        }

        String lines() {
            return "  " + about + ", " + when + ": " + key + "\n    expected  " + expected + "\n    observed  " + observed
                + (because.isEmpty() ? "" : "\n    because   " + because);
        }
    }

    private record Place(boolean isTry, String name) { }

    /** The answer breaks the protocol. */
    private static final class BadAnswer extends Exception {
        BadAnswer(String what) {
            super(what);
        }
    }

    private static final class Judging {
        private static final Pattern QUESTION = Pattern.compile("(?:.*\\bmust choose )?(\\w+)", Pattern.UNICODE_CHARACTER_CLASS);
        private final Suite suite;
        private final Engine engine;
        private final Fixture fixture;
        private final List<Map<String, Object>> script;
        private final List<Map<String, Object>> expectations;
        private final Map<Place, Integer> places = new LinkedHashMap<>();

        Judging(Suite suite, Engine engine, Fixture fixture) {
            this.suite = suite;
            this.engine = engine;
            this.fixture = fixture;
            script = fixture.script();
            expectations = fixture.expectations(engine.edition);
            places.put(new Place(false, "end"), script.size());
            for (int at = 0; at < script.size(); at++) {
                String kind = text(script.get(at), "do");
                if (kind.equals("look") || kind.equals("try")) places.put(new Place(kind.equals("try"), text(script.get(at), "name")), at);
            }
        }

        Verdict verdict(String said) {
            Verdict verdict;
            try {
                Object answer = new Reader(said).whole();
                suite.check(answer, map(suite.definitions, "Answer"), "");
                verdict = verdict(asMap(answer));
            } catch (BadAnswer error) {
                return new Verdict(Kind.FAILED, "protocol: " + error.getMessage());
            }
            String disputed = text(fixture.data(), "disputed");
            boolean broken = verdict.kind() == Kind.FAILED && verdict.why().startsWith("crash: ");
            if (disputed.isEmpty() || broken) return verdict;
            String word = Map.of(Kind.PASSED, "it passes", Kind.FAILED, "it fails").getOrDefault(verdict.kind(), "it is unsupported");
            return new Verdict(Kind.DISPUTED, disputed + "; " + word);
        }

        private Verdict verdict(Map<String, Object> answer) throws BadAnswer {
            if (!answer.get("id").equals((long) fixture.number())) {
                throw new BadAnswer("the answer has the id " + answer.get("id") + ", not " + fixture.number());
            }
            if (answer.get("error") != null) return new Verdict(Kind.FAILED, "crash: the engine says: " + shortened(text(answer, "error")));
            Map<String, Object> stopped = map(answer, "stopped");
            long at = number(stopped, "at");
            boolean inside = stopped.isEmpty() || (at >= 0 && at < Math.max(script.size(), 1));
            if (text(stopped, "why").equals("unsupported") && map(answer, "looks").isEmpty() && inside) {
                return new Verdict(Kind.UNSUPPORTED, shortened(text(stopped, "says")));
            }
            if (!inside) throw new BadAnswer("stopped at action " + at + ", but the script has " + script.size());
            int stop = stopped.isEmpty() ? Integer.MAX_VALUE : (int) at;
            for (Map.Entry<Place, Integer> one : places.entrySet()) {
                Place place = one.getKey();
                if (one.getValue() < stop && !map(answer, place.isTry() ? "tried" : "looks").containsKey(place.name())) {
                    throw new BadAnswer((place.isTry() ? "no outcome of the try " : "missing look ") + place.name());
                }
            }
            return worst(adjusted(parts(answer, stop), answer, stop), answer);
        }

        private List<Part> parts(Map<String, Object> answer, int stop) {
            List<Part> parts = new ArrayList<>();
            if (stop != Integer.MAX_VALUE) parts.add(partOfStop(stop, map(answer, "stopped")));
            for (Map<String, Object> expected : expectations) {
                String about = text(expected, "about");
                String key = text(expected, "key");
                String look = text(expected, "look");
                boolean isTry = key.equals("tried");
                int at = places.get(new Place(isTry, isTry ? about : look));
                Map<String, Object> seen = isTry ? map(answer, "tried") : seen(answer, about, look);
                String name = isTry ? about : key;
                Outcome outcome = Outcome.UNSUPPORTED;
                String observed = at >= stop ? "not reached" : "not reported";
                if (at < stop && seen.containsKey(name)) {
                    outcome = agrees(map(expected, "test"), key, seen.get(name)) ? Outcome.PASS : Outcome.FAIL;
                    observed = shortened(written(seen.get(name)));
                }
                String when = !look.equals("end") ? "at " + look : script.isEmpty() ? "after setup" : "at the end";
                parts.add(new Part(at, outcome, about, when, key, inWords(map(expected, "test")), observed, text(expected, "because")));
            }
            return parts;
        }

        /** The table, player or object of an expectation, as observed. */
        private Map<String, Object> seen(Map<String, Object> answer, String about, String look) {
            Map<String, Object> snapshot = map(map(answer, "looks"), look);
            if (about.equals("table")) return map(snapshot, "table");
            boolean isPlayer = maps(fixture.play(), "players").stream()
                .anyMatch(player -> about.equals(player.get("id")) || about.equals(player.get("team")));
            return map(map(snapshot, isPlayer ? "players" : "objects"), about);
        }

        private Part partOfStop(int at, Map<String, Object> stopped) {
            String why = text(stopped, "why");
            Matcher kind = QUESTION.matcher(text(stopped, "question"));
            List<String> cited = new ArrayList<>();
            if (why.equals("question") && kind.lookingAt()) {
                cited.addAll(strings(map(suite.about, "rules_of_choice"), kind.group(1)));
                cited.retainAll(strings(fixture.data(), "rules"));
            }
            boolean fails = why.equals("rejected") || why.equals("loop") || !cited.isEmpty();
            String observed = why + (why.equals("question") ? " " + text(stopped, "question") : "")
                + (text(stopped, "says").isEmpty() ? "" : ": " + text(stopped, "says"));
            String when = "as things entered";
            if (!script.isEmpty()) {
                Map<String, Object> action = script.get(at);
                Map<String, Object> of = text(action, "do").equals("try") ? map(action, "action") : action;
                when = (text(of, "do") + " " + text(of, "what")).trim();
            }
            String because = cited.isEmpty() ? "" : "the choice is that of CR " + String.join(", ", cited);
            return new Part(
                at, fails ? Outcome.FAIL : Outcome.UNSUPPORTED, "script[" + at + "]", when, "stopped", "goes on", shortened(observed), because);
        }

        /** The parts, adjusted for an engine that declares steps in which it gives no priority. */
        private List<Part> adjusted(List<Part> parts, Map<String, Object> answer, int stop) {
            if (engine.stepsWithPriority == null) return parts;
            Map<String, Object> without = new HashMap<>(map(suite.about, "steps_tested_by"));
            without.keySet().removeAll(engine.stepsWithPriority);
            if (without.containsValue(fixture.id())) {
                return parts.stream().map(part -> part.key().equals("stopped") && part.observed().startsWith("no stop")
                    ? part.as(Outcome.FAIL, "") : part).collect(Collectors.toList());
            }
            int first = Integer.MAX_VALUE;
            String passedBy = "";
            for (Map<String, Object> expected : expectations) {
                Map<String, Object> test = map(expected, "test");
                Object step = test.get("value");
                if (!text(expected, "key").equals("step") || !text(test, "test").equals("equals") || !without.containsKey(step)) continue;
                Map<String, Object> table = map(map(map(answer, "looks"), text(expected, "look")), "table");
                int at = places.get(new Place(false, text(expected, "look")));
                if (!step.equals(table.get("step")) && at < first) {
                    first = at;
                    passedBy = (String) step;
                }
            }
            if (stop < Math.min(script.size(), first) && text(script.get(stop), "do").equals("advance") && without.containsKey(text(script.get(stop), "to"))) {
                first = stop;
                passedBy = text(script.get(stop), "to");
            }
            int from = first;
            String note = "; it gives no priority in " + passedBy;
            return parts.stream().map(part -> part.outcome() == Outcome.FAIL && part.at() >= from
                ? part.as(Outcome.UNSUPPORTED, note) : part).collect(Collectors.toList());
        }

        /** The verdict of the worst part. Reading a card's text does not prove that the engine understood it. */
        private Verdict worst(List<Part> parts, Map<String, Object> answer) {
            List<Part> failures = parts.stream().filter(part -> part.outcome() == Outcome.FAIL).collect(Collectors.toList());
            if (failures.isEmpty()) {
                return parts.stream().filter(part -> part.outcome() == Outcome.UNSUPPORTED).findFirst()
                    .map(part -> new Verdict(Kind.UNSUPPORTED, part.about() + ", " + part.when() + ": " + part.key() + " " + part.observed()))
                    .orElse(new Verdict(Kind.PASSED, ""));
            }
            Set<String> read = maps(fixture.play(), "cards").stream().map(card -> text(map(card, "definition"), "name"))
                .filter(name -> "text".equals(map(answer, "cards").get(name))).collect(Collectors.toCollection(TreeSet::new));
            if (!read.isEmpty() && !engine.checksUnderstanding) {
                return new Verdict(Kind.UNSUPPORTED, "not known whether the card was understood: " + String.join(", ", read));
            }
            String heading = fixture.name() + " (CR " + String.join(", ", strings(fixture.data(), "rules")) + ")\n";
            return new Verdict(Kind.FAILED, heading + failures.stream().map(Part::lines).collect(Collectors.joining("\n")));
        }

        /** Whether an observed value passes a test. */
        private boolean agrees(Map<String, Object> test, String key, Object seen) {
            boolean several = seen instanceof List;
            return switch (text(test, "test")) {
                case "equals" -> isValue(test.get("value"), key, seen);
                case "one_of" -> maps(test, "values").stream().anyMatch(one -> isValue(one.get("value"), key, seen));
                case "has" -> several && list(test, "values").stream().allMatch(value -> has((String) value, key, (List<?>) seen));
                case "lacks" -> several && list(test, "values").stream().noneMatch(value -> has((String) value, key, (List<?>) seen));
                case "any_order" -> several && bag(list(test, "values")).equals(bag(withoutDoubles(key, (List<?>) seen)));
                case "count" -> number(test, "n") == numberOfTokens(test, seen);
                default -> throw new IllegalArgumentException("the harness is older than the fixtures: no test " + text(test, "test"));
            };
        }

        private boolean isValue(Object value, String key, Object seen) {
            if (!(value instanceof List<?> wanted && seen instanceof List<?> found) || suite.lists.contains(key)) {
                return Objects.equals(value, seen);
            }
            return key.equals("subtypes") ? oneWord(wanted).equals(oneWord(found)) : bag(wanted).equals(bag(withoutDoubles(key, found)));
        }

        private boolean has(String word, String key, List<?> seen) {
            if (!key.equals("subtypes")) return seen.contains(word);
            Set<Object> words = oneWord(seen);
            return words.contains(word) || (words.contains(text(suite.about, "all_creature_types")) && !suite.otherSubtypes.contains(word));
        }

        private Collection<?> withoutDoubles(String key, List<?> seen) {
            return suite.sets.contains(key) ? new HashSet<>(seen) : seen;
        }

        /** The subtypes, with a full list of creature types replaced by one word. */
        private Set<Object> oneWord(List<?> subtypes) {
            Set<Object> words = new HashSet<>(subtypes);
            String all = text(suite.about, "all_creature_types");
            Set<Object> others = new HashSet<>(words);
            others.retainAll(suite.otherSubtypes);
            if (!words.contains(all) && words.size() - others.size() < number(suite.about, "full_list")) return words;
            others.add(all);
            return others;
        }

        private static Map<Object, Long> bag(Collection<?> values) {
            return values.stream().collect(Collectors.groupingBy(value -> (Object) value, Collectors.counting()));
        }

        private static long numberOfTokens(Map<String, Object> test, Object seen) {
            String name = text(test, "name").replaceFirst(" Token$", "");
            return (seen instanceof List<?> several ? several : List.of()).stream().map(ConformanceTest::asMap)
                .filter(token -> token.get("name") != null && text(token, "name").replaceFirst(" Token$", "").equals(name))
                .filter(token -> test.get("controller") == null || test.get("controller").equals(token.get("controller")))
                .count();
        }

        private static String inWords(Map<String, Object> test) {
            String values = written(test.get("values"));
            return switch (text(test, "test")) {
                case "equals" -> written(test.get("value"));
                case "one_of" -> maps(test, "values").stream().map(one -> written(one.get("value"))).collect(Collectors.joining(" or "));
                case "has" -> values + " among others";
                case "lacks" -> "none of " + values;
                case "any_order" -> values + " in any order";
                default -> number(test, "n") + " tokens named " + text(test, "name");
            };
        }
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + " …";
    }

    // ------------------------------------------------------------------------------------------ JSON
    // Maps, lists, strings, longs, booleans and null.

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMap(Object value) {
        return value instanceof Map ? (Map<String, Object>) value : Map.of();
    }

    private static Map<String, Object> map(Map<String, Object> of, String key) {
        return asMap(of.get(key));
    }

    private static List<?> list(Map<String, Object> of, String key) {
        return of.get(key) instanceof List<?> values ? values : List.of();
    }

    private static List<Map<String, Object>> maps(Map<String, Object> of, String key) {
        return list(of, key).stream().map(ConformanceTest::asMap).collect(Collectors.toList());
    }

    private static List<String> strings(Map<String, Object> of, String key) {
        return list(of, key).stream().filter(String.class::isInstance).map(String.class::cast).collect(Collectors.toList());
    }

    private static String text(Map<String, Object> of, String key) {
        return of.get(key) instanceof String value ? value : "";
    }

    private static long number(Map<String, Object> of, String key) {
        return of.get(key) instanceof Long value ? value : 0;
    }

    private static String written(Object value) {
        if (value instanceof String text) return quoted(text);
        if (value instanceof List<?> several) return several.stream().map(ConformanceTest::written).collect(Collectors.joining(",", "[", "]"));
        if (!(value instanceof Map)) return String.valueOf(value);
        return asMap(value).entrySet().stream().map(one -> quoted(one.getKey()) + ":" + written(one.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
    }

    private static String quoted(String text) {
        return text.chars().mapToObj(c -> c == '"' || c == '\\' ? "\\" + (char) c : c < ' ' ? String.format("\\u%04x", c) : String.valueOf((char) c))
            .collect(Collectors.joining("", "\"", "\""));
    }

    /** Reads the JSON value of a text. */
    private static final class Reader {
        private final String text;
        private int at;
        private int depth;

        Reader(String text) {
            this.text = text;
        }

        Object whole() throws BadAnswer {
            Object value = value();
            if (next() != 0) throw error("something follows the value");
            return value;
        }

        private BadAnswer error(String what) {
            return new BadAnswer("not JSON: " + what + " at character " + (at + 1));
        }

        /** The next sign after spaces; 0 at the end. */
        private char next() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return at < text.length() ? text.charAt(at) : 0;
        }

        private boolean takes(char sign) {
            boolean there = next() == sign;
            if (there) at++;
            return there;
        }

        private Object value() throws BadAnswer {
            if (next() == '"') return string();
            if (++depth > 200) throw error("nested too deeply");
            Object value;
            if (takes('{')) {
                Map<String, Object> map = new LinkedHashMap<>();
                while (!takes('}')) {
                    if (!map.isEmpty() && !takes(',')) throw error("a comma is missing");
                    String key = string();
                    if (!takes(':')) throw error("a colon is missing");
                    Object inner = value();
                    if (map.containsKey(key)) throw error("a key is given twice");
                    map.put(key, inner);
                }
                value = map;
            } else if (takes('[')) {
                List<Object> list = new ArrayList<>();
                while (!takes(']')) {
                    if (!list.isEmpty() && !takes(',')) throw error("a comma is missing");
                    list.add(value());
                }
                value = list;
            } else {
                int from = at;
                while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || "+-.".indexOf(text.charAt(at)) >= 0)) at++;
                String word = text.substring(from, at);
                value = switch (word) {
                    case "null" -> null;
                    case "true" -> true;
                    case "false" -> false;
                    default -> {
                        if (!word.matches("-?(0|[1-9][0-9]*)") || word.length() > 15) throw error("no value, or no whole number");
                        yield Long.parseLong(word);
                    }
                };
            }
            depth--;
            return value;
        }

        private String string() throws BadAnswer {
            if (!takes('"')) throw error("a string is missing");
            StringBuilder found = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at++);
                if (c == '"') return found.toString();
                if (c < ' ') throw error("a control character in a string");
                if (c != '\\') {
                    found.append(c);
                    continue;
                }
                char escape = at < text.length() ? text.charAt(at++) : ' ';
                int plain = "\"\\/bfnrt".indexOf(escape);
                if (plain >= 0) {
                    found.append("\"\\/\b\f\n\r\t".charAt(plain));
                } else if (escape == 'u' && at + 4 <= text.length() && text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
                    found.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    throw error("no such escape");
                }
            }
            throw error("a string without its end");
        }
    }
}
